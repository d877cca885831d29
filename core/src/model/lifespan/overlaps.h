/* Who is alive together. */
#ifndef ASCI_MODEL_OVERLAPS_H
#define ASCI_MODEL_OVERLAPS_H

#include "model/problem.h"

/* Compressed rows: the neighbours of b are other[begin[b]] .. other[begin[b + 1] - 1], in increasing order. With windows, above[k] is
   the least difference offset(other) - offset(b) at which other lies above b in every section they share; without windows and shapes
   above is NULL and the difference is b's size. Shapes may also lie in each other's hollows, of which above knows nothing. */
typedef struct asci_overlaps {
  size_t *begin;
  uint32_t *other;
  int64_t *above;
} asci_overlaps;

/* Most pairs that rows are made for: beyond it they are said not to fit the memory, before any pair is visited. The two entries of each
   pair can be counted in 32 bits, which is a size_t in WASM. */
#define ASCI_MAX_PAIRS ((UINT64_C(1) << 31) - 1)

/* For each buffer the number of others whose lifespans, gaps included, share a section with its own: without gaps its neighbours.
   O(n + sections). Errors: OUT_OF_MEMORY. */
asc_status asci_overlap_counts(const asc_problem *problem, uint32_t *counts);
/* O(pairs alive together) time and memory. Errors: OUT_OF_MEMORY. */
asc_status asci_overlaps_new(const asc_problem *problem, asci_overlaps *overlaps);
void asci_overlaps_free(const asc_problem *problem, asci_overlaps *overlaps);

#endif
