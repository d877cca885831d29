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

/* ---- by digits ------------------------------------------------------------------------------------------------------- */

#define DIGIT 11u        /* bits of a digit; */
#define SHORT_DIGIT 8u   /* of fewer items than a long digit has values */
#define DIGITS (64u / 8) /* at most */

/* Signed order is unsigned order with the top bit turned. */
static uint64_t turned(int64_t number) {
  return (uint64_t)number ^ (UINT64_C(1) << 63);
}

/* The digits of a sort, lowest first: only bits in which some numbers differ, and what lies between them, are in one. */
typedef struct digits {
  unsigned shift[DIGITS], count;
  uint32_t mask;
} digits;

static digits digits_of(uint64_t differ, uint32_t count) {
  unsigned bits = count >> DIGIT ? DIGIT : SHORT_DIGIT;
  digits d = {.mask = (1u << bits) - 1};
  for (unsigned at = 0; at < 64 && differ >> at; at += bits) {
    while (!(differ >> at & 1)) at++;
    d.shift[d.count++] = at;
  }
  return d;
}

static uint32_t digit_of(const digits *d, unsigned k, int64_t number) {
  return (uint32_t)(turned(number) >> d->shift[k]) & d->mask;
}

static void forget(uint32_t *counts, uint32_t mask) {
  memset(counts, 0, (mask + (size_t)1) * sizeof *counts);
}

/* Makes of counts the places where the numbers of each digit begin. */
static void begin_places(uint32_t *counts, uint32_t mask) {
  uint32_t before = 0;
  for (uint32_t digit = 0; digit <= mask; digit++) {
    uint32_t count = counts[digit];
    counts[digit] = before;
    before += count;
  }
}

void asci_sort_numbers(int64_t *numbers, int64_t *scratch, uint32_t count) {
  uint64_t differ = 0;
  for (uint32_t k = 1; k < count; k++) differ |= turned(numbers[k]) ^ turned(numbers[0]);
  digits d = digits_of(differ, count);
  uint32_t places[2][1u << DIGIT]; /* of this digit and, counted on the way, the next */
  int64_t *from = numbers, *to = scratch;
  forget(places[0], d.mask);
  for (uint32_t k = 0; d.count && k < count; k++) places[0][digit_of(&d, 0, from[k])]++;
  for (unsigned pass = 0; pass < d.count; pass++) {
    uint32_t *place = places[pass & 1], *next = places[~pass & 1];
    begin_places(place, d.mask);
    forget(next, d.mask);
    unsigned after = pass + 1 < d.count ? pass + 1 : pass;
    for (uint32_t k = 0; k < count; k++) {
      int64_t number = from[k];
      to[place[digit_of(&d, pass, number)]++] = number;
      next[digit_of(&d, after, number)]++;
    }
    int64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != numbers) memcpy(numbers, from, count * sizeof *numbers);
}

void asci_sort_by(uint32_t *items, uint32_t *scratch, uint32_t count, const int64_t *key) {
  uint64_t differ = 0;
  for (uint32_t k = 1; k < count; k++) differ |= turned(key[items[k]]) ^ turned(key[items[0]]);
  digits d = digits_of(differ, count);
  uint32_t places[2][1u << DIGIT];
  uint32_t *from = items, *to = scratch;
  forget(places[0], d.mask);
  for (uint32_t k = 0; d.count && k < count; k++) places[0][digit_of(&d, 0, key[from[k]])]++;
  for (unsigned pass = 0; pass < d.count; pass++) {
    uint32_t *place = places[pass & 1], *next = places[~pass & 1];
    begin_places(place, d.mask);
    forget(next, d.mask);
    unsigned after = pass + 1 < d.count ? pass + 1 : pass;
    for (uint32_t k = 0; k < count; k++) {
      int64_t number = key[from[k]];
      to[place[digit_of(&d, pass, number)]++] = from[k];
      next[digit_of(&d, after, number)]++;
    }
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
