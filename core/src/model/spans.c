#include "model/spans.h"

#include "base/memory.h"

#include <string.h>

int asci_spans_add(asc_context *context, asci_spans *set, int64_t low, int64_t high) {
  size_t begin = asci_spans_above(set, 0, low - 1); /* the first that ends at low or above: touching ones are joined */
  size_t end = begin;
  if (begin < set->count && set->items[begin].low <= low && set->items[begin].high >= high) return 0;
  while (end < set->count && set->items[end].low <= high) end++;
  if (begin == end) {
    if (!asci_grow_little(context, &set->items, &set->room, set->count + 1, sizeof *set->items)) return -1;
    memmove(set->items + begin + 1, set->items + begin, (set->count - begin) * sizeof *set->items);
    set->items[begin] = (asci_span){low, high};
    set->count++;
    return 1;
  }
  asci_span *at = set->items + begin;
  if (low < at->low) at->low = low;
  at->high = set->items[end - 1].high > high ? set->items[end - 1].high : high;
  memmove(at + 1, set->items + end, (set->count - end) * sizeof *at);
  set->count -= end - begin - 1;
  return 1;
}
