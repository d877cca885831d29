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

/* A sort of many goes a part at a time, each by a call through a pointer, which nothing makes a part of the loop around it: a browser's engine
   makes good code of a function that is called often, not of one that takes long. */
#define PART 4096u

typedef struct sorting {
  digits digits;
  unsigned pass;
  const int64_t *from;
  int64_t *to;
  uint64_t differ;
  uint32_t places[2][1u << DIGIT]; /* of this digit and, counted on the way, the next */
  /* of items by their keys */
  const int64_t *key;
  uint32_t *items;
  unsigned at; /* the key's lowest bit that counts */
} sorting;

typedef void (*sort_part)(sorting *s, uint32_t begin, uint32_t end);

static void in_parts(sort_part part, sorting *s, uint32_t count) {
  for (uint32_t begin = 0, end; begin < count; begin = end) {
    end = count - begin > PART ? begin + PART : count;
    part(s, begin, end);
  }
}

static void differ_part(sorting *s, uint32_t begin, uint32_t end) {
  for (uint32_t k = begin; k < end; k++) s->differ |= (uint64_t)(s->from[k] ^ s->from[0]);
}

static void count_part(sorting *s, uint32_t begin, uint32_t end) {
  for (uint32_t k = begin; k < end; k++) s->places[0][digit_of(&s->digits, 0, s->from[k])]++;
}

static void move_part(sorting *s, uint32_t begin, uint32_t end) {
  unsigned after = s->pass + 1 < s->digits.count ? s->pass + 1 : s->pass;
  uint32_t *place = s->places[s->pass & 1], *next = s->places[~s->pass & 1];
  for (uint32_t k = begin; k < end; k++) {
    int64_t number = s->from[k];
    s->to[place[digit_of(&s->digits, s->pass, number)]++] = number;
    next[digit_of(&s->digits, after, number)]++;
  }
}

/* By the bits from `low` up; what they do not tell apart stays in order. */
static void sort_from(sorting *s, int64_t *numbers, int64_t *scratch, uint32_t count, unsigned low) {
  s->from = numbers;
  s->to = scratch;
  s->differ = 0;
  in_parts(differ_part, s, count);
  s->digits = digits_of(s->differ >> low << low, count);
  forget(s->places[0], s->digits.mask);
  if (s->digits.count) in_parts(count_part, s, count);
  for (s->pass = 0; s->pass < s->digits.count; s->pass++) {
    begin_places(s->places[s->pass & 1], s->digits.mask);
    forget(s->places[~s->pass & 1], s->digits.mask);
    in_parts(move_part, s, count);
    s->from = s->to;
    s->to = s->from == numbers ? scratch : numbers;
  }
  if (s->from != numbers) memcpy(numbers, s->from, count * sizeof *numbers);
}

void asci_sort_numbers(int64_t *numbers, int64_t *scratch, uint32_t count) {
  sorting s;
  sort_from(&s, numbers, scratch, count, 0);
}

/* ---- items ----------------------------------------------------------------------------------------------------------- */

/* To look keys up is what takes long: they leap through memory. So each item goes with some bits of its key, as one number. */
#define WITH_ITEM 31u

static void pair_part(sorting *s, uint32_t begin, uint32_t end) {
  uint64_t mask = (UINT64_C(1) << WITH_ITEM) - 1;
  for (uint32_t k = begin; k < end; k++)
    s->to[k] = (int64_t)((turned(s->key[s->items[k]]) >> s->at & mask) << 32 | s->items[k]);
}

/* Of so few, digits would cost more than they spare: each has its 256 values to clear and to add up. */
#define FEW 32u

static void insert_by(uint32_t *items, uint32_t count, const int64_t *key) {
  for (uint32_t i = 1; i < count; i++) {
    uint32_t item = items[i], at = i;
    for (; at && key[item] < key[items[at - 1]]; at--) items[at] = items[at - 1];
    items[at] = item;
  }
}

void asci_sort_by(uint32_t *items, int64_t *pairs, uint32_t count, const int64_t *key) {
  if (count <= FEW) {
    insert_by(items, count, key);
    return;
  }
  sorting s;
  s.key = key;
  s.items = items;
  uint64_t differ = 0;
  for (uint32_t k = 1; k < count; k++) differ |= (uint64_t)(key[items[k]] ^ key[items[0]]);
  for (s.at = 0; s.at < 64 && differ >> s.at; s.at += WITH_ITEM) {
    while (!(differ >> s.at & 1)) s.at++;
    s.to = pairs;
    in_parts(pair_part, &s, count);
    sort_from(&s, pairs, pairs + count, count, 32);
    for (uint32_t k = 0; k < count; k++) items[k] = (uint32_t)pairs[k];
  }
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
