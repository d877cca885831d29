#include "brute.h"

#include "support.h"

/* Bit a of used[t]: address a is taken at time t. */
typedef struct bitmap {
  uint64_t used[BRUTE_TIMES];
} bitmap;

static uint64_t bits(int64_t from, int64_t to) {
  return ((UINT64_C(1) << to) - 1) & ~((UINT64_C(1) << from) - 1);
}

/* The addresses that the buffer takes at time t when it lies at offset. */
static uint64_t taken(const asc_buffer_spec *spec, int64_t offset, int64_t t) {
  if (t < spec->lower || t >= spec->upper) return 0;
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    if (t < gap->lower || t >= gap->upper) continue;
    return bits(offset + gap->window_lower, offset + gap->window_upper);
  }
  uint64_t all = spec->shape_count ? 0 : bits(offset, offset + spec->size);
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    const asc_rect *rect = &spec->shape[r];
    if (t >= rect->lower && t < rect->upper) all |= bits(offset + rect->low, offset + rect->high);
  }
  return all;
}

/* True if some address of the buffer lies in another bank than its first. */
static bool crosses(const asc_buffer_spec *spec, int64_t offset) {
  for (int64_t byte = 0; spec->bank && byte < spec->size; byte++)
    if ((offset + byte) / spec->bank != offset / spec->bank) return true;
  return false;
}

/* Puts the buffer at offset if it may lie there. */
static bool put(bitmap *map, const asc_buffer_spec *spec, int64_t offset, int64_t capacity) {
  if (offset < 0 || offset + spec->size > capacity) return false;
  if (offset % spec->alignment) return false;
  if (spec->offset != ASC_UNPLACED && spec->offset != offset) return false;
  if (crosses(spec, offset)) return false;
  for (int64_t t = 0; t < BRUTE_TIMES; t++) {
    uint64_t set = taken(spec, offset, t);
    if (map->used[t] & set) return false;
    map->used[t] |= set;
  }
  return true;
}

static bool search(const asc_problem *problem, uint32_t buffer, bitmap map, int64_t capacity) {
  if (buffer == asc_problem_count(problem)) return true;
  for (int64_t offset = 0; offset <= capacity; offset++) {
    bitmap next = map;
    if (put(&next, asc_problem_buffer(problem, buffer), offset, capacity) && search(problem, buffer + 1, next, capacity))
      return true;
  }
  return false;
}

static void check_limits(const asc_problem *problem, int64_t capacity) {
  assert_true(capacity >= 0 && capacity <= 63);
  assert_true(asc_problem_count(problem) <= BRUTE_BUFFERS);
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    assert_true(spec->lower >= 0 && spec->upper <= BRUTE_TIMES);
  }
}

bool brute_feasible(const asc_problem *problem, int64_t capacity) {
  check_limits(problem, capacity);
  bitmap map = {{0}};
  return search(problem, 0, map, capacity);
}

int64_t brute_least_height(const asc_problem *problem, int64_t most) {
  for (int64_t capacity = 0; capacity <= most; capacity++)
    if (brute_feasible(problem, capacity)) return capacity;
  return -1;
}

bool brute_valid(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  check_limits(problem, capacity);
  bitmap map = {{0}};
  for (uint32_t b = 0; b < asc_problem_count(problem); b++)
    if (!put(&map, asc_problem_buffer(problem, b), offsets[b], capacity)) return false;
  return true;
}
