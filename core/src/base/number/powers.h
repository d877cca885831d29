/* Powers of two with fractional exponents, and their logarithms, in integers alone, so that they are the same on every machine.
 *
 * Exponents and logarithms are in steps of 1/256. One table of 2^(k/256) serves both ways; its entries are products of the first, rounded
 * down, and lie within one part in a million of the true value. */
#ifndef ASCI_BASE_POWERS_H
#define ASCI_BASE_POWERS_H

#include <stdint.h>

#define ASCI_POWER_STEPS 256

typedef struct asci_powers {
  uint32_t table[ASCI_POWER_STEPS + 1]; /* 2^(k/256) * 2^30 */
} asci_powers;

void asci_powers_make(asci_powers *powers);
/* log2(x) for x >= 1, rounded down. O(log steps). */
int32_t asci_log2(const asci_powers *powers, uint64_t x);
/* 2^(exponent/256), rounded down; below 0 it is 1, above the 42nd power it is 2^42: a million of them can be added. */
int64_t asci_exp2(const asci_powers *powers, int32_t exponent);

#endif
