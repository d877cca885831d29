/* What else could be copied out so that a plan finds addresses: a value that stays between two uses, in order of what that costs (README 6). */
#ifndef ASCI_COSMA_REPAIR_H
#define ASCI_COSMA_REPAIR_H

#include "passes.h"

typedef struct cosma_gap {
  int64_t cost;
  uint32_t value, turn; /* it would be taken out before that place of the order */
} cosma_gap;

typedef struct cosma_repair {
  const cosma_model *m;
  const cosma_solution *from;
  cosma_gap *gaps; /* by cost */
  size_t count, room;
  size_t first, second; /* the next try: both gaps, or first alone if they are the same */
  cosma_solution trial;
} cosma_repair;

/* Of a solution that stays as it is. Errors: OUT_OF_MEMORY. O(g log g + uses * evictions). */
asc_status asci_cosma_repair_new(cosma_model *m, const cosma_solution *from, cosma_repair *r);
void asci_cosma_repair_free(cosma_repair *r);
/* Writes the next try, first each gap alone, then pairs, to trial; false: there is none, or no memory. */
bool asci_cosma_repair_next(cosma_repair *r);

#endif
