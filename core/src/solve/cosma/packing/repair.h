/* What else could be copied out so that a plan finds addresses: values that stay between two uses, the cheapest sets of them first (README 6). */
#ifndef ASCI_COSMA_REPAIR_H
#define ASCI_COSMA_REPAIR_H

#include "../kernel/passes.h"

typedef struct cosma_gap {
  int64_t cost;
  uint32_t value, turn; /* it would be taken out before that place of the order */
} cosma_gap;

/* A set of gaps: those of another one and one more, which comes behind all of them. */
typedef struct cosma_gap_set {
  int64_t cost;
  uint32_t others, gap; /* others ASC_NONE: none */
} cosma_gap_set;

typedef struct cosma_repair {
  const cosma_model *m;
  const cosma_solution *from;
  cosma_gap *gaps; /* by cost */
  size_t count, room;
  cosma_gap_set *sets; /* all that there have been */
  uint32_t *heap;      /* those still to be tried, the cheapest on top */
  size_t set_count, set_room, heap_count, heap_room;
  cosma_solution trial;
} cosma_repair;

/* Of a solution that stays as it is. Errors: OUT_OF_MEMORY. O(g log g + uses * evictions). */
asc_status asci_cosma_repair_new(cosma_model *m, const cosma_solution *from, cosma_repair *r);
void asci_cosma_repair_free(cosma_repair *r);
/* Writes the next try to trial, the cheapest of all sets of gaps that have not been (but for one that copies a value out twice, which may come a little
   late); false: there is none, or no memory. O(operators + set^2 + log tries). */
bool asci_cosma_repair_next(cosma_repair *r);
/* Bytes that the next try costs more than the solution; INT64_MAX: there is none. */
int64_t asci_cosma_repair_cost(const cosma_repair *r);

#endif
