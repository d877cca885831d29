#include "solve/greedy/order.h"

#include "base/memory.h"
#include "base/products.h"
#include "base/sort.h"
#include "model/peaks.h"

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
#define SMALLER(x, y) \
  if ((x) != (y)) return (x) < (y)
#define SPECS \
  const keys *k = table; \
  const asc_buffer_spec *a = &k->buffers[i], *b = &k->buffers[j]

static bool by_start(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  SMALLER(a->lower, b->lower);
  return a->size > b->size;
}

static bool by_size(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(a->size, b->size);
  return lifetime(a) > lifetime(b);
}

static bool by_area(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  int order = compare_area(a, b, 1);
  LARGER(order, 0);
  return a->size > b->size;
}

static bool by_lifetime(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(lifetime(a), lifetime(b));
  return a->size > b->size;
}

static int64_t peak_load(const keys *k, uint32_t buffer) {
  return k->peak[buffer] == ASC_NONE ? -1 : k->problem->sections[k->peak[buffer]].load;
}

static bool by_breadth(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(peak_load(k, i), peak_load(k, j));
  SMALLER(k->peak[i], k->peak[j]);
  return a->size > b->size;
}

static bool by_conflicts(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(k->conflicts[i], k->conflicts[j]);
  return a->size > b->size;
}

static bool by_arrival(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  return a->lower < b->lower;
}

static bool by_departure(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  return a->upper < b->upper;
}

static bool as_tflm(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(a->size, b->size);
  return i > j;
}

static bool whole_life(const keys *k, const asc_buffer_spec *spec) {
  return spec->lower == k->first && spec->upper == k->last;
}

static bool as_litert(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(whole_life(k, a), whole_life(k, b));
  if (whole_life(k, a)) return i < j;
  LARGER(a->size, b->size);
  return a->lower < b->lower;
}

static bool as_openvino(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(a->size, b->size);
  SMALLER(a->lower, b->lower);
  return a->upper < b->upper;
}

static bool as_tvm_size(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(a->size, b->size);
  LARGER(k->conflicts[i], k->conflicts[j]);
  return strcmp(a->id, b->id) > 0;
}

static bool as_tvm_conflicts(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(k->conflicts[i], k->conflicts[j]);
  LARGER(a->size, b->size);
  return strcmp(a->id, b->id) > 0;
}

static bool by_contention(const void *table, uint32_t i, uint32_t j) {
  SPECS;
  LARGER(peak_load(k, i), peak_load(k, j));
  LARGER(a->alignment, b->alignment);
  int order = compare_area(a, b, 2);
  LARGER(order, 0);
  return lifetime(a) > lifetime(b);
}

static const asci_before comparisons[] = {
    [ASCI_ORDER_START] = by_start,
    [ASCI_ORDER_SIZE] = by_size,
    [ASCI_ORDER_AREA] = by_area,
    [ASCI_ORDER_LIFETIME] = by_lifetime,
    [ASCI_ORDER_BREADTH] = by_breadth,
    [ASCI_ORDER_CONFLICTS] = by_conflicts,
    [ASCI_ORDER_ARRIVAL] = by_arrival,
    [ASCI_ORDER_DEPARTURE] = by_departure,
    [ASCI_ORDER_TFLM] = as_tflm,
    [ASCI_ORDER_LITERT] = as_litert,
    [ASCI_ORDER_OPENVINO] = as_openvino,
    [ASCI_ORDER_TVM_SIZE] = as_tvm_size,
    [ASCI_ORDER_TVM_CONFLICTS] = as_tvm_conflicts,
    [ASCI_ORDER_XLA_TEMPORAL] = by_lifetime,
    [ASCI_ORDER_CONTENTION] = by_contention,
};

/* ---- what the comparisons look up ------------------------------------------------------------------------------------ */

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
    asci_sort(order + fixed, scratch, at - fixed, comparisons[by], &k);
    if (fixed_count) *fixed_count = fixed;
  }
  asci_free(problem->context, scratch);
  asci_free(problem->context, k.peak);
  asci_free(problem->context, k.conflicts);
  return status;
}
