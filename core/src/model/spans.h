/* Sets of addresses as merged intervals. */
#ifndef ASCI_MODEL_SPANS_H
#define ASCI_MODEL_SPANS_H

#include "asc/asc.h"

typedef struct asci_span { /* addresses [low, high) */
  int64_t low, high;
} asci_span;

/* Disjoint, not touching, from below. */
typedef struct asci_spans {
  asci_span *items;
  size_t count, room;
} asci_spans;

/* The first interval at or after `at` that ends above x. Near ones are looked at first: offsets rise in small steps. */
static inline size_t asci_spans_above(const asci_spans *set, size_t at, int64_t x) {
  size_t count = set->count, width = 1;
  if (at == count || set->items[at].high > x) return at;
  while (at + width < count && set->items[at + width].high <= x) {
    at += width;
    width *= 2;
  }
  size_t low = at + 1, high = at + width < count ? at + width : count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (set->items[middle].high <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* 1: the set has grown; 0: it had all of it; -1: no memory. O(count). */
int asci_spans_add(asc_context *context, asci_spans *set, int64_t low, int64_t high);

#endif
