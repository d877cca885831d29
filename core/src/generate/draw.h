/* Random numbers that are not uniform, in integers alone. */
#ifndef ASCI_GENERATE_DRAW_H
#define ASCI_GENERATE_DRAW_H

#include "base/number/powers.h"
#include "base/number/rng.h"

/* 2^(exponent/256), the next step as likely as this one and all between them: low <= x <= high for exponents from 256 log2(low) to
   256 log2(high) - 1. */
int64_t asci_draw_power(asci_rng *rng, const asci_powers *powers, int32_t exponent);
/* Log-uniform: as many from 2^low to 2^(low + 1) as in any other such octave below 2^high. low < high <= 42. */
int64_t asci_draw_log_uniform(asci_rng *rng, const asci_powers *powers, int32_t low, int32_t high);
/* Pareto with the exponent tenths / 10, from 2^low, cut off at 2^high: of those above x, a share of 2^(-tenths / 10) is above 2x.
   low < high <= 42. */
int64_t asci_draw_pareto(asci_rng *rng, const asci_powers *powers, int32_t tenths, int32_t low, int32_t high);

#endif
