#include "model/spans.h"

#include "base/memory.h"

#include <string.h>

/* The first that ends at low or above. Most things are packed on top of others: the last is looked at before all. */
static size_t first_touching(const asci_spans *set, int64_t low) {
  size_t count = set->count;
  if (!count || set->items[count - 1].high < low) return count;
  if (count == 1 || set->items[count - 2].high < low) return count - 1;
  return asci_spans_above(set, 0, low - 1);
}

static void move(asci_span *to, const asci_span *from, size_t count) {
  if (count) memmove(to, from, count * sizeof *to);
}

int asci_spans_add(asc_context *context, asci_spans *set, int64_t low, int64_t high) {
  size_t begin = first_touching(set, low), end = begin;
  if (begin < set->count && set->items[begin].low <= low && set->items[begin].high >= high) return 0;
  while (end < set->count && set->items[end].low <= high) end++; /* touching ones are joined */
  if (begin == end) {
    if (!asci_grow_little(context, &set->items, &set->room, set->count + 1, sizeof *set->items)) return -1;
    move(set->items + begin + 1, set->items + begin, set->count - begin);
    set->items[begin] = (asci_span){low, high};
    set->count++;
    return 1;
  }
  asci_span *at = set->items + begin;
  if (low < at->low) at->low = low;
  at->high = set->items[end - 1].high > high ? set->items[end - 1].high : high;
  if (end - begin > 1) move(at + 1, set->items + end, set->count - end);
  set->count -= end - begin - 1;
  return 1;
}
