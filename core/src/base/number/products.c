#include "base/number/products.h"

#include <string.h>

#define LIMBS 6 /* of 32 bits: three factors of 64 */

static void multiply(uint32_t limbs[LIMBS], uint64_t factor) {
  const uint32_t part[2] = {(uint32_t)factor, (uint32_t)(factor >> 32)};
  uint32_t out[LIMBS] = {0};
  for (int j = 0; j < 2; j++) {
    uint64_t carry = 0;
    for (int i = 0; i + j < LIMBS; i++) {
      carry += (uint64_t)limbs[i] * part[j] + out[i + j];
      out[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
  }
  memcpy(limbs, out, sizeof out);
}

int asci_compare_products(const uint64_t *left, const uint64_t *right, uint32_t count) {
  if (count == 2 && (left[0] | left[1] | right[0] | right[1]) <= UINT32_MAX) {
    uint64_t x = left[0] * left[1], y = right[0] * right[1];
    return (x > y) - (x < y);
  }
  uint32_t a[LIMBS] = {1}, b[LIMBS] = {1};
  for (uint32_t k = 0; k < count; k++) {
    multiply(a, left[k]);
    multiply(b, right[k]);
  }
  for (int i = LIMBS - 1; i >= 0; i--)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}
