/* Common multiples of alignments, which may be far beyond every address. */
#ifndef ASCI_GREEDY_MULTIPLE_H
#define ASCI_GREEDY_MULTIPLE_H

#include <stdint.h>

/* What a common multiple above it is taken for: its own multiples are 0 or out of reach, and adding two of it does not overflow. */
#define ASCI_UNREACHABLE (INT64_C(1) << 60)

/* Least common multiple of a, b >= 1, at most ASCI_UNREACHABLE. O(log). */
static inline int64_t asci_common_multiple(int64_t a, int64_t b) {
  if (a < 1 || b < 1) return 1;
  int64_t divisor = a, rest = b;
  while (rest > 0) {
    int64_t next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  return a / divisor > ASCI_UNREACHABLE / b ? ASCI_UNREACHABLE : a / divisor * b;
}

#endif
