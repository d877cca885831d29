#include "solve/greedy/order.h"

#include "base/memory.h"
#include "base/number/products.h"
#include "base/sort.h"
#include "model/lifespan/overlaps.h"
#include "model/lifespan/peaks.h"

#include <string.h>

typedef struct keys {
  const asc_problem *problem;
  const asc_buffer_spec *buffers;
  uint32_t *peak;      /* by buffer: section; NULL if the order does not ask */
  uint32_t *conflicts; /* by buffer: others alive together with it; NULL likewise */
  int64_t first, last; /* of all times */
} keys;

static int64_t lifetime(const asc_buffer_spec *spec) {
  return spec->upper - spec->lower;
}

/* size * lifetime^power, of a against b; power at most 2. */
static int compare_area(const asc_buffer_spec *a, const asc_buffer_spec *b, uint32_t power) {
  const uint64_t left[3] = {(uint64_t)a->size, (uint64_t)lifetime(a), (uint64_t)lifetime(a)};
  const uint64_t right[3] = {(uint64_t)b->size, (uint64_t)lifetime(b), (uint64_t)lifetime(b)};
  return asci_compare_products(left, right, power + 1);
}

/* ---- comparisons ----------------------------------------------------------------------------------------------------- */

#define LARGER(x, y) \
  if ((x) != (y)) return (x) > (y)
#define SPECS \
  const keys *k = table; \
  const asc_buffer_spec *a = &k->buffers[i], *b = &k->buffers[j]

static bool by_area(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  int order = compare_area(a, b, 1);
  LARGER(order, 0);
  return a->size > b->size;
}

static bool by_contention(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  int order = compare_area(a, b, 2);
  LARGER(order, 0);
  return lifetime(a) > lifetime(b);
}

static bool by_id(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  return strcmp(a->id, b->id) > 0;
}

/* What tells apart whom numbers do not. */
static const asci_before comparisons[] = {
    [ASCI_ORDER_AREA] = by_area,
    [ASCI_ORDER_TVM_SIZE] = by_id,
    [ASCI_ORDER_TVM_CONFLICTS] = by_id,
    [ASCI_ORDER_CONTENTION] = by_contention,
};

/* ---- numbers ---------------------------------------------------------------------------------------------------------- */

/* What orders go by first, most of them by nothing else. Sorted by their digits they need no comparisons, each of which would fetch two buffers
   from memory. */
enum { NOTHING, SIZE, LIFETIME, LOWER, UPPER, LOAD, SECTION, CONFLICTS, INDEX, WHOLE, PART_SIZE, ALIGNMENT };

static const uint8_t numbers[][3] = {
    [ASCI_ORDER_START] = {LOWER, SIZE},
    [ASCI_ORDER_SIZE] = {SIZE, LIFETIME},
    [ASCI_ORDER_LIFETIME] = {LIFETIME, SIZE},
    [ASCI_ORDER_BREADTH] = {LOAD, SECTION, SIZE},
    [ASCI_ORDER_CONFLICTS] = {CONFLICTS, SIZE},
    [ASCI_ORDER_ARRIVAL] = {LOWER},
    [ASCI_ORDER_DEPARTURE] = {UPPER},
    [ASCI_ORDER_TFLM] = {SIZE, INDEX},
    [ASCI_ORDER_OPENVINO] = {SIZE, LOWER, UPPER},
    [ASCI_ORDER_XLA_TEMPORAL] = {LIFETIME, SIZE},
    [ASCI_ORDER_LITERT] = {WHOLE, PART_SIZE, LOWER},
    [ASCI_ORDER_TVM_SIZE] = {SIZE, CONFLICTS},
    [ASCI_ORDER_TVM_CONFLICTS] = {CONFLICTS, SIZE},
    [ASCI_ORDER_CONTENTION] = {LOAD, ALIGNMENT},
};

static int64_t peak_load(const keys *k, uint32_t buffer) {
  return !k->peak || k->peak[buffer] == ASC_NONE ? -1 : k->problem->sections[k->peak[buffer]].load;
}

static bool whole_life(const keys *k, const asc_buffer_spec *spec) {
  return spec->lower == k->first && spec->upper == k->last;
}

/* Smallest first. */
static int64_t number_of(const keys *k, int what, uint32_t b) {
  const asc_buffer_spec *spec = &k->buffers[b];
  switch (what) {
  case SIZE:
    return -spec->size;
  case LIFETIME:
    return -lifetime(spec);
  case LOWER:
    return spec->lower;
  case UPPER:
    return spec->upper;
  case LOAD:
    return -peak_load(k, b);
  case SECTION:
    return k->peak ? k->peak[b] : 0;
  case CONFLICTS:
    return k->conflicts ? -(int64_t)k->conflicts[b] : 0;
  case WHOLE:
    return !whole_life(k, spec);
  case PART_SIZE:
    return whole_life(k, spec) ? 0 : -spec->size;
  case ALIGNMENT:
    return -spec->alignment;
  default:
    return -(int64_t)b;
  }
}

static asc_status sort_by_numbers(const keys *k, const uint8_t by[3], uint32_t *items, uint32_t count) {
  uint32_t n = k->problem->count;
  int64_t *number = asci_alloc(k->problem->context, n, 3 * sizeof *number); /* and the pairs of a sort */
  if (!number) return ASC_OUT_OF_MEMORY;
  for (int pass = 3; pass-- > 0;) { /* the first weighs most */
    if (by[pass] == NOTHING) continue;
    for (uint32_t b = 0; b < n; b++) number[b] = number_of(k, by[pass], b);
    asci_sort_by(items, number + n, count, number);
  }
  asci_free(k->problem->context, number);
  return ASC_OK;
}

/* ---- what they look up ----------------------------------------------------------------------------------------------- */

static asc_status count_conflicts(const asc_problem *problem, uint32_t *conflicts) {
  if (!problem->has_gaps) return asci_overlap_counts(problem, conflicts);
  asci_overlaps overlaps;
  asc_status status = asci_overlaps_new(problem, &overlaps);
  if (status) return status;
  for (uint32_t b = 0; b < problem->count; b++) conflicts[b] = (uint32_t)(overlaps.begin[b + 1] - overlaps.begin[b]);
  asci_overlaps_free(problem, &overlaps);
  return ASC_OK;
}

static asc_status fill_keys(keys *k, asci_greedy_order by) {
  const asc_problem *problem = k->problem;
  asc_status status = ASC_OK;
  if (by == ASCI_ORDER_BREADTH || by == ASCI_ORDER_CONTENTION) {
    k->peak = asci_alloc(problem->context, problem->count, sizeof *k->peak);
    status = k->peak ? asci_peaks(problem, k->peak) : ASC_OUT_OF_MEMORY;
  }
  if (by == ASCI_ORDER_CONFLICTS || by == ASCI_ORDER_TVM_SIZE || by == ASCI_ORDER_TVM_CONFLICTS) {
    k->conflicts = asci_alloc(problem->context, problem->count, sizeof *k->conflicts);
    status = k->conflicts ? count_conflicts(problem, k->conflicts) : ASC_OUT_OF_MEMORY;
  }
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &k->buffers[b];
    if (b == 0 || spec->lower < k->first) k->first = spec->lower;
    if (b == 0 || spec->upper > k->last) k->last = spec->upper;
  }
  return status;
}

asc_status asci_greedy_sort(const asc_problem *problem, asci_greedy_order by, uint32_t *order, uint32_t *fixed_count) {
  keys k = {.problem = problem, .buffers = problem->buffers};
  uint32_t *scratch = asci_alloc(problem->context, problem->count, sizeof *scratch);
  asc_status status = scratch ? fill_keys(&k, by) : ASC_OUT_OF_MEMORY;
  if (!status) {
    uint32_t fixed = 0, at = 0;
    for (uint32_t b = 0; b < problem->count; b++)
      if (problem->buffers[b].offset != ASC_UNPLACED) order[fixed++] = b;
    at = fixed;
    for (uint32_t b = 0; b < problem->count; b++)
      if (problem->buffers[b].offset == ASC_UNPLACED) order[at++] = b;
    if (comparisons[by]) asci_sort(order + fixed, scratch, at - fixed, comparisons[by], &k);
    status = sort_by_numbers(&k, numbers[by], order + fixed, at - fixed);
    if (fixed_count) *fixed_count = fixed;
  }
  asci_free(problem->context, scratch);
  asci_free(problem->context, k.peak);
  asci_free(problem->context, k.conflicts);
  return status;
}
