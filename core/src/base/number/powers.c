#include "base/number/powers.h"

#define ONE (UINT64_C(1) << 30)
#define STEP UINT64_C(1076653033) /* 2^(1/256) * 2^30 */
#define MOST (42 * ASCI_POWER_STEPS)

void asci_powers_make(asci_powers *powers) {
  uint64_t power = ONE;
  for (int k = 0; k < ASCI_POWER_STEPS; k++) {
    powers->table[k] = (uint32_t)power;
    power = power * STEP >> 30;
  }
  powers->table[ASCI_POWER_STEPS] = (uint32_t)(2 * ONE);
}

int32_t asci_log2(const asci_powers *powers, uint64_t x) {
  int32_t whole = 0;
  for (int32_t half = 32; half; half /= 2)
    if (x >> whole >> half) whole += half;
  uint64_t scaled = whole > 30 ? x >> (whole - 30) : x << (30 - whole); /* 2^30 .. 2^31 - 1 */
  int32_t low = 0, high = ASCI_POWER_STEPS;
  while (high - low > 1) {
    int32_t middle = (low + high) / 2;
    if (powers->table[middle] <= scaled)
      low = middle;
    else
      high = middle;
  }
  return whole * ASCI_POWER_STEPS + low;
}

int64_t asci_exp2(const asci_powers *powers, int32_t exponent) {
  if (exponent <= 0) return 1;
  if (exponent > MOST) exponent = MOST;
  int32_t whole = exponent / ASCI_POWER_STEPS;
  uint64_t scaled = powers->table[exponent % ASCI_POWER_STEPS];
  return (int64_t)(whole > 30 ? scaled << (whole - 30) : scaled >> (30 - whole));
}
