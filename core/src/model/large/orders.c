#include "model/large/orders.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "model/lifespan/peaks.h"

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_large_keys, peak, 0, ASCI_RAW),
    ASCI_ARRAY(asci_large_keys, at, 0, ASCI_RAW),
    ASCI_ARRAY(asci_large_keys, wide, 0, ASCI_RAW),
    ASCI_ARRAY(asci_large_keys, key, 1, ASCI_RAW),
};

asc_status asci_large_keys_new(const asc_problem *problem, asci_large_keys *keys) {
  uint32_t n = problem->count;
  const size_t counts[] = {n, 3 * (size_t)n};
  if (!asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, keys)) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_peaks(problem, keys->at);
  if (status) return status;
  for (uint32_t b = 0; b < n; b++) {
    uint32_t pieces, section = keys->at[b];
    const asci_piece *piece = asci_pieces(problem, b, &pieces);
    keys->peak[b] = section == ASC_NONE ? 0 : problem->sections[section].load;
    keys->wide[b] = pieces ? piece[pieces - 1].end - piece->first : 0;
  }
  return ASC_OK;
}

void asci_large_keys_free(const asc_problem *problem, asci_large_keys *keys) {
  asci_arrays_free(problem->context, ASCI_TABLE(arrays), keys);
}

static uint32_t bits(uint64_t x) {
  uint32_t count = 0;
  for (; x; x >>= 1) count++;
  return count;
}

/* Size times a length, as closely as 63 bits hold it. */
static int64_t area(int64_t size, int64_t length) {
  return length && size > INT64_MAX / length ? INT64_MAX : size * length;
}

static int64_t class_of(int64_t peak, int64_t greatest, int64_t classes) {
  return greatest / classes ? peak / (greatest / classes) : peak;
}

enum {
  PEAK,
  AT,
  SIZE,
  WIDE,
  LIFE,
  AREA,
  LIFE_AREA,
  TWENTIETHS,
  FIFTHS,
  MAGNITUDE,
  BEGIN,
  NOTHING
}; /* what buffers are sorted by */

static int64_t key_of(const asc_problem *problem, const asci_large_keys *keys, int what, uint32_t b) {
  const asc_buffer_spec *spec = &problem->buffers[b];
  int64_t peak = keys->peak[b];
  switch (what) {
  case PEAK:
    return peak;
  case SIZE:
    return spec->size;
  case WIDE:
    return keys->wide[b];
  case LIFE:
    return spec->upper - spec->lower;
  case AREA:
    return area(spec->size, keys->wide[b]);
  case LIFE_AREA:
    return area(spec->size, spec->upper - spec->lower);
  case AT:
    return -(int64_t)keys->at[b]; /* earlier first */
  case TWENTIETHS:
    return class_of(peak, problem->lower_bound, 20);
  case FIFTHS:
    return class_of(peak, problem->lower_bound, 5);
  case MAGNITUDE:
    return bits((uint64_t)spec->size);
  default:
    return -spec->lower; /* earlier first */
  }
}

void asci_large_sort(const asc_problem *problem, asci_large_keys *keys, asci_large_order by, uint32_t *order) {
  static const uint8_t passes[ASCI_LARGE_ORDERS][3] = {
      [ASCI_LARGE_TW] = {BEGIN, WIDE, PEAK},       [ASCI_LARGE_PW] = {BEGIN, WIDE, TWENTIETHS},
      [ASCI_LARGE_TZ] = {BEGIN, SIZE, PEAK},       [ASCI_LARGE_QW] = {BEGIN, WIDE, FIFTHS},
      [ASCI_LARGE_PZ] = {BEGIN, SIZE, TWENTIETHS}, [ASCI_LARGE_PA] = {BEGIN, AREA, TWENTIETHS},
      [ASCI_LARGE_LA] = {BEGIN, AREA, MAGNITUDE},  [ASCI_LARGE_Z] = {LIFE, SIZE, NOTHING},
      [ASCI_LARGE_W] = {SIZE, LIFE, NOTHING},      [ASCI_LARGE_A] = {SIZE, LIFE_AREA, NOTHING},
      [ASCI_LARGE_B] = {SIZE, AT, PEAK},           [ASCI_LARGE_S] = {SIZE, BEGIN, NOTHING},
  };
  uint32_t fixed = 0, at;
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].offset != ASC_UNPLACED) order[fixed++] = b;
  at = fixed;
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].offset == ASC_UNPLACED) order[at++] = b;
  for (int k = 0; k < 3 && passes[by][k] != NOTHING; k++) { /* the last weighs most */
    for (uint32_t b = 0; b < problem->count; b++) keys->key[b] = -key_of(problem, keys, passes[by][k], b);
    asci_sort_by(order + fixed, keys->key + problem->count, at - fixed, keys->key);
  }
}
