/* Cutting a rectangle of time x memory into smaller ones at random. */
#ifndef ASCI_GENERATE_CUT_H
#define ASCI_GENERATE_CUT_H

#include "base/memory.h"
#include "base/number/rng.h"

/* Time [lower, upper), memory [low, high). */
typedef struct asci_block {
  int64_t lower, upper, low, high;
} asci_block;

/* Cuts [0, time) x [0, units) into exactly `count` blocks, none of them empty; two cuts in three are across memory, so that
   lifespans are long, and one in three pieces with room for it is cut like a pinwheel, which no sequence of straight cuts can give.
   count <= time * units < 2^40. O(count). Errors: OUT_OF_MEMORY. */
asc_status asci_cut(asc_context *context, asci_rng *rng, int64_t time, int64_t units, asci_block *blocks, uint32_t count);

#endif
