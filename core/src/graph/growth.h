/* How the bytes alive grow as a schedule is made, operator by operator. Constants do not count: resident ones are always there, streamed ones
 * come and go with their operators. */
#ifndef ASCI_GRAPH_GROWTH_H
#define ASCI_GRAPH_GROWTH_H

#include "graph/lowered.h"

typedef struct asci_growth {
  const asci_lowered *l;
  int64_t live;         /* bytes alive after the operators that have run, workspaces apart */
  int64_t *rise, *fall; /* per operator that has not run: bytes that it would add and take away now */
  /* Told of each operator left that would now add less or take away more; NULL: nobody is. */
  void (*lighter)(void *user, uint32_t op);
  void *user;

  /* per store: the operators that name it, once each, in compressed rows, and how many of them have not run */
  uint32_t *begin, *namers, *left;
  uint32_t *seen; /* per store: the operator that named it last */
  bool *alive;    /* per store */
  bool *done;     /* per operator */
} asci_growth;

/* Before any operator. O(n + uses). Errors: OUT_OF_MEMORY. */
asc_status asci_growth_new(const asci_lowered *l, asci_growth *growth);
void asci_growth_free(asci_growth *growth);
/* The operator runs now. Amortised O(uses) for all operators together. */
void asci_growth_run(asci_growth *growth, uint32_t op);

#endif
