/* The next offset that suits an alignment A and a bank B at once.
 *
 * The multiples of A that a bank begins with depend on where A's steps meet it. If A divides B, or B divides A, the next bank's
 * beginning will do; else there may be no room in a great many banks, so they are not tried in turn: the search for the first
 * multiple whose rest modulo B is small enough is halved again and again, as in Euclid's algorithm. */
#include "model/bank.h"

#define LEVELS 64u /* the modulus halves from one to the next */

typedef struct level {
  int64_t step, modulus, low, most;
} level;

/* The least k in 1 .. limit with low <= k * step mod modulus <= high, or one beyond the limit; 0 < low <= high < modulus, and
   step * limit must fit. A k exists if and only if some y has low <= k * step - y * modulus <= high; modulo the step that is the same
   question for y. A multiple of what divides both step and modulus must be among low .. high: then the step never divides the modulus where it
   has none of its own multiples there. */
static int64_t first_within(int64_t step, int64_t modulus, int64_t low, int64_t high, int64_t limit) {
  level levels[LEVELS];
  uint32_t depth = 0;
  int64_t k, most = limit;
  for (;;) {
    if (step > modulus - step) { /* walk backwards */
      int64_t mirrored = modulus - low;
      step = modulus - step;
      low = modulus - high;
      high = mirrored;
    }
    k = (low + step - 1) / step; /* before it the rests are too small */
    if (k > most) return limit + 1;
    if (k * step <= high) break;
    levels[depth++] = (level){step, modulus, low, most};
    most = step * most / modulus; /* so that modulus * y fits */
    int64_t rest = modulus % step;
    modulus = step;
    step -= rest;
    low %= modulus;
    high %= modulus;
  }
  while (depth) {
    const level *outer = &levels[--depth];
    k = (outer->low + outer->modulus * k + outer->step - 1) / outer->step;
    if (k > outer->most) return limit + 1;
  }
  return k;
}

int64_t asci_least_offset(int64_t from, int64_t size, int64_t alignment, int64_t bank) {
  if (from > ASC_MAX_BYTES) return ASCI_NOWHERE;
  int64_t offset = asci_align(from, alignment);
  if (!asci_in_one_bank(offset, size, bank)) offset = asci_align(offset - offset % bank + bank, alignment);
  if (offset > ASC_MAX_BYTES) return ASCI_NOWHERE;
  if (asci_in_one_bank(offset, size, bank)) return offset;
  int64_t missing = bank - offset % bank, limit = (ASC_MAX_BYTES - offset) / alignment;
  int64_t steps = first_within(alignment % bank, bank, missing, missing + (bank - size), limit);
  return steps <= limit ? offset + steps * alignment : ASCI_NOWHERE;
}

int64_t asci_greatest_offset(int64_t upto, int64_t size, int64_t alignment, int64_t bank) {
  if (upto < 0) return -1;
  int64_t offset = alignment == 1 ? upto : upto - upto % alignment;
  if (asci_in_one_bank(offset, size, bank)) return offset;
  int64_t rest = offset % bank, limit = offset / alignment;
  int64_t steps = first_within(alignment % bank, bank, rest - (bank - size), rest, limit);
  return offset - steps * alignment; /* 0 suits, if nothing above it does */
}
