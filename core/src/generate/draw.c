#include "generate/draw.h"

int64_t asci_draw_power(asci_rng *rng, const asci_powers *powers, int32_t exponent) {
  int64_t low = asci_exp2(powers, exponent), high = asci_exp2(powers, exponent + 1);
  return low + (int64_t)asci_random_below(rng, (uint64_t)(high > low ? high - low : 1));
}

int64_t asci_draw_log_uniform(asci_rng *rng, const asci_powers *powers, int32_t low, int32_t high) {
  int64_t exponent = asci_random_between(rng, low * ASCI_POWER_STEPS, high * ASCI_POWER_STEPS - 1);
  return asci_draw_power(rng, powers, (int32_t)exponent);
}

/* By inversion: for u uniform in (0, 1], 2^low * u^(-1/a) has the logarithm low - log2(u) / a. The logarithm of 64 random bits is known to a
   step; where in the step it lies is drawn, so that dividing by a leaves no gaps. */
int64_t asci_draw_pareto(asci_rng *rng, const asci_powers *powers, int32_t tenths, int32_t low, int32_t high) {
  int32_t exponent;
  do {
    int32_t below = 64 * ASCI_POWER_STEPS - 1 - asci_log2(powers, asci_random(rng) | 1);
    exponent = (below * 10 + (int32_t)asci_random_below(rng, 10)) / tenths;
  } while (exponent >= (high - low) * ASCI_POWER_STEPS);
  return asci_draw_power(rng, powers, low * ASCI_POWER_STEPS + exponent);
}
