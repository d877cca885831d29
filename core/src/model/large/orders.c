#include "model/large/orders.h"

#include "base/memory.h"
#include "base/sort.h"
#include "model/peaks.h"

asc_status asci_large_keys_new(const asc_problem *problem, asci_large_keys *keys) {
  asc_context *context = problem->context;
  uint32_t n = problem->count;
  keys->peak = asci_alloc(context, n, sizeof *keys->peak);
  keys->wide = asci_alloc(context, n, sizeof *keys->wide);
  keys->first = asci_alloc(context, n, sizeof *keys->first);
  keys->second = asci_alloc(context, n, sizeof *keys->second);
  if (!keys->peak || !keys->wide || !keys->first || !keys->second) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_peaks(problem, keys->wide); /* sections first, then their loads */
  if (status) return status;
  for (uint32_t b = 0; b < n; b++) {
    uint32_t pieces, section = keys->wide[b];
    const asci_piece *piece = asci_pieces(problem, b, &pieces);
    keys->peak[b] = section == ASC_NONE ? 0 : problem->sections[section].load;
    keys->wide[b] = pieces ? piece[pieces - 1].end - piece->first : 0;
  }
  return ASC_OK;
}

void asci_large_keys_free(const asc_problem *problem, asci_large_keys *keys) {
  asci_free(problem->context, keys->peak);
  asci_free(problem->context, keys->wide);
  asci_free(problem->context, keys->first);
  asci_free(problem->context, keys->second);
  *keys = (asci_large_keys){0};
}

typedef struct comparison {
  const asc_problem *problem;
  const asci_large_keys *keys;
} comparison;

static bool comes_first(const void *given, uint32_t a, uint32_t b) {
  const comparison *c = given;
  if (c->keys->first[a] != c->keys->first[b]) return c->keys->first[a] > c->keys->first[b];
  if (c->keys->second[a] != c->keys->second[b]) return c->keys->second[a] > c->keys->second[b];
  int64_t left = c->problem->buffers[a].lower, right = c->problem->buffers[b].lower;
  return left != right ? left < right : a < b;
}

static uint32_t bits(uint64_t x) {
  uint32_t count = 0;
  for (; x; x >>= 1) count++;
  return count;
}

/* Size times sections, as closely as 63 bits hold it. */
static int64_t area(const asc_problem *problem, const asci_large_keys *keys, uint32_t b) {
  int64_t size = problem->buffers[b].size, wide = keys->wide[b];
  return wide && size > INT64_MAX / wide ? INT64_MAX : size * wide;
}

static int64_t class_of(int64_t peak, int64_t greatest, int64_t classes) {
  return greatest / classes ? peak / (greatest / classes) : peak;
}

static void fill_keys(const asc_problem *problem, asci_large_keys *keys, asci_large_order by) {
  int64_t greatest = problem->lower_bound;
  for (uint32_t b = 0; b < problem->count; b++) {
    int64_t peak = keys->peak[b], size = problem->buffers[b].size, wide = keys->wide[b];
    int64_t first[] = {
        [ASCI_LARGE_TW] = peak,
        [ASCI_LARGE_PW] = class_of(peak, greatest, 20),
        [ASCI_LARGE_TZ] = peak,
        [ASCI_LARGE_QW] = class_of(peak, greatest, 5),
        [ASCI_LARGE_PZ] = class_of(peak, greatest, 20),
        [ASCI_LARGE_PA] = class_of(peak, greatest, 20),
        [ASCI_LARGE_Z] = size,
        [ASCI_LARGE_LA] = bits((uint64_t)size),
        [ASCI_LARGE_W] = wide,
    };
    int64_t second[] = {
        [ASCI_LARGE_TW] = wide, [ASCI_LARGE_PW] = wide,
        [ASCI_LARGE_TZ] = size, [ASCI_LARGE_QW] = wide,
        [ASCI_LARGE_PZ] = size, [ASCI_LARGE_PA] = area(problem, keys, b),
        [ASCI_LARGE_Z] = 0,     [ASCI_LARGE_LA] = area(problem, keys, b),
        [ASCI_LARGE_W] = 0,
    };
    keys->first[b] = first[by];
    keys->second[b] = second[by];
  }
}

void asci_large_sort(const asc_problem *problem, asci_large_keys *keys, asci_large_order by, uint32_t *order,
                     uint32_t *scratch, uint32_t *fixed_count) {
  uint32_t fixed = 0, at;
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].offset != ASC_UNPLACED) order[fixed++] = b;
  at = fixed;
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].offset == ASC_UNPLACED) order[at++] = b;
  fill_keys(problem, keys, by);
  comparison c = {problem, keys};
  asci_sort(order + fixed, scratch, at - fixed, comes_first, &c);
  *fixed_count = fixed;
}
