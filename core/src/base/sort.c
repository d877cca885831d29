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
      if (b < end && !before(keys, from[b], from[b - 1])) b = middle = end; /* in order already */
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

/* Signed order is unsigned order with the top bit turned. */
static uint64_t digits(int64_t number) {
  return (uint64_t)number ^ (UINT64_C(1) << 63);
}

static void pass(const int64_t *from, int64_t *to, uint32_t count, unsigned shift) {
  uint32_t begin[257] = {0};
  for (uint32_t k = 0; k < count; k++) begin[(digits(from[k]) >> shift & 255) + 1]++;
  for (int digit = 0; digit < 256; digit++) begin[digit + 1] += begin[digit];
  for (uint32_t k = 0; k < count; k++) to[begin[digits(from[k]) >> shift & 255]++] = from[k];
}

void asci_sort_numbers(int64_t *numbers, int64_t *scratch, uint32_t count) {
  uint64_t differ = 0;
  for (uint32_t k = 1; k < count; k++) differ |= digits(numbers[k]) ^ digits(numbers[0]);
  int64_t *from = numbers, *to = scratch;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (!(differ >> shift & 255)) continue;
    pass(from, to, count, shift);
    int64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != numbers) memcpy(numbers, from, count * sizeof *numbers);
}

static void pass_by(const uint32_t *from, uint32_t *to, uint32_t count, const int64_t *key, unsigned shift) {
  uint32_t begin[257] = {0};
  for (uint32_t k = 0; k < count; k++) begin[(digits(key[from[k]]) >> shift & 255) + 1]++;
  for (int digit = 0; digit < 256; digit++) begin[digit + 1] += begin[digit];
  for (uint32_t k = 0; k < count; k++) to[begin[digits(key[from[k]]) >> shift & 255]++] = from[k];
}

void asci_sort_by(uint32_t *items, uint32_t *scratch, uint32_t count, const int64_t *key) {
  uint64_t differ = 0;
  for (uint32_t k = 1; k < count; k++) differ |= digits(key[items[k]]) ^ digits(key[items[0]]);
  uint32_t *from = items, *to = scratch;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (!(differ >> shift & 255)) continue;
    pass_by(from, to, count, key, shift);
    uint32_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) memcpy(items, from, count * sizeof *items);
}

uint32_t asci_count_below(const int64_t *numbers, uint32_t count, int64_t number) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (numbers[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
