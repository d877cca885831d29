/* Who ends at an address? For runs that retrace another and so have no tree to ask (solver.h): entries, numbered from 0, in chains of those
 * whose ends fall into one slot. */
#ifndef ASCI_SOLVE_ENDS_H
#define ASCI_SOLVE_ENDS_H

#include "base/memory.h"

typedef struct asci_ends { /* cleared: nothing is in it, and there is no memory yet */
  uint32_t *first, *next;  /* by slot; by entry. ASC_NONE: the end of the chain */
  size_t room;             /* for entries */
  uint32_t count;          /* entries that are in it */
  int shift;
} asci_ends;

void asci_ends_free(asc_context *context, asci_ends *ends);
/* Nothing is in it. O(slots). */
void asci_ends_clear(asci_ends *ends);
/* Entry number `count` ends at `end`. buffers: about as many as there will be entries, the same at each call. O(1), the first time
   O(buffers). False: no memory. */
bool asci_ends_add(asc_context *context, asci_ends *ends, uint32_t buffers, int64_t end);
/* The latest entry that may end at `end`, and from each the one before it; ASC_NONE: there is none. Others are among them as well. */
uint32_t asci_ends_at(const asci_ends *ends, int64_t end);

#endif
