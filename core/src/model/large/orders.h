/* Who comes first in a try. The peak of a buffer is the greatest load it meets. */
#ifndef ASCI_MODEL_LARGE_ORDERS_H
#define ASCI_MODEL_LARGE_ORDERS_H

#include "model/problem.h"

/* Greater first; whatever is equal goes by begin, earlier first, then by index. From Z on these are orders of greedy (solve/greedy/order.h), equal
   ones by index alone: a pass of first fit by one of them is what first-fit does. */
typedef enum asci_large_order {
  ASCI_LARGE_TW, /* peak, then sections of life */
  ASCI_LARGE_PW, /* peak in twenty classes, then sections */
  ASCI_LARGE_TZ, /* peak, then size */
  ASCI_LARGE_QW, /* peak in five classes, then sections */
  ASCI_LARGE_PZ, /* peak in twenty classes, then size */
  ASCI_LARGE_PA, /* peak in twenty classes, then area */
  ASCI_LARGE_LA, /* size to the next power of two, then area */
  ASCI_LARGE_Z,  /* size, then time of life */
  ASCI_LARGE_W,  /* time of life, then size */
  ASCI_LARGE_A,  /* size x time of life, then size */
  ASCI_LARGE_B,  /* peak, then its section, earlier first, then size */
  ASCI_LARGE_S,  /* begin, earlier first, then size */
  ASCI_LARGE_ORDERS,
  ASCI_LARGE_DIVE = ASCI_LARGE_ORDERS /* none: as a dive goes, see dive.h */
} asci_large_order;

typedef struct asci_large_keys {
  int64_t *peak;  /* by buffer: the greatest load of its life, */
  uint32_t *at;   /* and the first section that has it, NONE if it has no section */
  uint32_t *wide; /* by buffer: sections from its first to its last */
  int64_t *key;   /* by buffer, of the pass of sorting under way; then the pairs of that */
} asci_large_keys;

/* Errors: OUT_OF_MEMORY (the rest is freed by asci_large_keys_free). */
asc_status asci_large_keys_new(const asc_problem *problem, asci_large_keys *keys);
void asci_large_keys_free(const asc_problem *problem, asci_large_keys *keys);
/* Fills order[n]: buffers with fixed offsets first, by index. O(n) for each eleven bits in which sizes, peaks and times differ. */
void asci_large_sort(const asc_problem *problem, asci_large_keys *keys, asci_large_order by, uint32_t *order);

#endif
