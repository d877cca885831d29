/* Common multiples of alignments, which may be far beyond every address. */
#ifndef ASCI_MULTIPLE_H
#define ASCI_MULTIPLE_H

#include <stdint.h>

/* What a common multiple above it is taken for: its own multiples are 0 or out of reach, and adding two of it does not overflow. */
#define ASCI_UNREACHABLE (INT64_C(1) << 60)

/* Greatest common divisor of a, b >= 0; that of 0 and b is b. O(log). */
static inline int64_t asci_common_divisor(int64_t a, int64_t b) {
  while (b > 0) {
    int64_t next = a % b;
    a = b;
    b = next;
  }
  return a;
}

/* Least common multiple of a, b >= 1, at most ASCI_UNREACHABLE. O(log). */
static inline int64_t asci_common_multiple(int64_t a, int64_t b) {
  int64_t divisor = asci_common_divisor(a, b);
  return a / divisor > ASCI_UNREACHABLE / b ? ASCI_UNREACHABLE : a / divisor * b;
}

#endif
