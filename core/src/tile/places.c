#include "tile/places.h"

asci_place_rule asci_place_rule_of(const asc_tiled_spec *spec) {
  const int64_t *s = spec->sizes;
  asci_place_rule rule = {.dense = spec->rank - 1};
  switch (spec->layout) {
  case ASC_LAYOUT_NHWC:
    rule = (asci_place_rule){.stride = {s[1] * s[2] * s[3], 1, s[3] * s[1], s[1]}, .dense = 1};
    break;
  case ASC_LAYOUT_NC32HW32:
    rule = (asci_place_rule){
        .stride = {(s[1] + 31) / 32 * 32 * s[2] * s[3], 1, s[3] * 32, 32}, .block = s[2] * s[3] * 32, .dense = 1};
    break;
  case ASC_LAYOUT_NCHW:
    for (uint32_t k = spec->rank; k-- > 0;) rule.stride[k] = k + 1 < spec->rank ? rule.stride[k + 1] * s[k + 1] : 1;
    break;
  default: /* by strides */
    for (uint32_t k = 0; k < spec->rank; k++) {
      rule.stride[k] = spec->strides[k];
      if (s[k] > 1 && spec->strides[k] == 1) rule.dense = k;
    }
    break;
  }
  return rule;
}
