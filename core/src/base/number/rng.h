/* Seeded random numbers: splitmix64 (Steele, Lea, Flood 2014). The same sequence on every machine. */
#ifndef ASCI_BASE_RNG_H
#define ASCI_BASE_RNG_H

#include <stdint.h>

typedef struct asci_rng {
  uint64_t state;
} asci_rng;

static inline uint64_t asci_random(asci_rng *rng) {
  uint64_t z = (rng->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Uniform in 0 .. n-1 for n >= 1; the bias of the remainder is below n / 2^64. */
static inline uint64_t asci_random_below(asci_rng *rng, uint64_t n) {
  return asci_random(rng) % n;
}

/* Uniform in low .. high. */
static inline int64_t asci_random_between(asci_rng *rng, int64_t low, int64_t high) {
  return low + (int64_t)asci_random_below(rng, (uint64_t)(high - low) + 1);
}

#endif
