#include "base/sort.h"

#include <string.h>

#define RUN 12u /* runs this short are sorted by insertion */

static void insertion(uint32_t *items, uint32_t count, asci_before before, const void *keys) {
  for (uint32_t i = 1; i < count; i++) {
    uint32_t item = items[i], at = i;
    while (at && before(keys, item, items[at - 1])) {
      items[at] = items[at - 1];
      at--;
    }
    items[at] = item;
  }
}

void asci_sort(uint32_t *items, uint32_t *scratch, uint32_t count, asci_before before, const void *keys) {
  for (uint32_t begin = 0; begin < count; begin += RUN) {
    uint32_t left = count - begin;
    insertion(items + begin, left < RUN ? left : RUN, before, keys);
  }
  uint32_t *from = items, *to = scratch;
  for (uint64_t width = RUN; width < count; width *= 2) {
    for (uint64_t begin = 0; begin < count; begin += 2 * width) {
      uint64_t middle = begin + width < count ? begin + width : count;
      uint64_t end = begin + 2 * width < count ? begin + 2 * width : count;
      uint64_t a = begin, b = middle, out = begin;
      while (a < middle && b < end) to[out++] = before(keys, from[b], from[a]) ? from[b++] : from[a++];
      while (a < middle) to[out++] = from[a++];
      while (b < end) to[out++] = from[b++];
    }
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) memcpy(items, from, count * sizeof *items);
}

static void sift(int64_t *numbers, uint32_t root, uint32_t count) {
  int64_t value = numbers[root];
  for (uint64_t child; (child = 2 * (uint64_t)root + 1) < count; root = (uint32_t)child) {
    if (child + 1 < count && numbers[child] < numbers[child + 1]) child++;
    if (numbers[child] <= value) break;
    numbers[root] = numbers[child];
  }
  numbers[root] = value;
}

void asci_sort_numbers(int64_t *numbers, uint32_t count) {
  for (uint32_t root = count / 2; root-- > 0;) sift(numbers, root, count);
  for (uint32_t end = count; end > 1;) {
    int64_t top = numbers[0];
    numbers[0] = numbers[--end];
    sift(numbers, 0, end);
    numbers[end] = top;
  }
}
