/* The referee. It goes by the definitions alone: it reads the buffers as they were given, looks at every pair alive together, and
 * uses none of the sections, pieces or overlaps that the solvers work with, so that a mistake there cannot hide here. */
#include "base/memory.h"
#include "base/sort.h"
#include "model/problem.h"

static const char *const names[] = {
    [ASC_VIOLATION_OUTSIDE] = "outside", [ASC_VIOLATION_OVERLAP] = "overlap",   [ASC_VIOLATION_MISALIGNED] = "misaligned",
    [ASC_VIOLATION_MOVED] = "moved",     [ASC_VIOLATION_CROSSING] = "crossing",
};

const char *asc_violation_name(asc_violation_kind kind) {
  return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

typedef struct finding {
  asc_violation *violations;
  size_t room, count;
} finding;

static void found(finding *all, asc_violation_kind kind, uint32_t buffer, uint32_t other) {
  if (all->count < all->room) all->violations[all->count] = (asc_violation){kind, buffer, other};
  all->count++;
}

/* Offsets beyond this are outside anyway, and their sums might not fit. */
static bool has_address(int64_t offset) {
  return offset != ASC_UNPLACED && offset >= -ASC_MAX_BYTES && offset <= ASC_MAX_BYTES;
}

/* ---- one buffer ------------------------------------------------------------------------------------------------------ */

/* Looks for the first multiple of the bank above the offset. */
static bool crosses(const asc_buffer_spec *spec, int64_t offset) {
  if (spec->bank == 0) return false;
  int64_t boundary = offset / spec->bank * spec->bank;
  if (boundary <= offset) boundary += spec->bank;
  return boundary < offset + spec->size;
}

static void check_buffer(const asc_buffer_spec *spec, uint32_t buffer, int64_t offset, int64_t capacity, finding *all) {
  bool outside = offset < 0 || spec->size > capacity || offset > capacity - spec->size;
  if (outside) found(all, ASC_VIOLATION_OUTSIDE, buffer, ASC_NONE);
  if (offset == ASC_UNPLACED) return;
  if (offset % spec->alignment != 0) found(all, ASC_VIOLATION_MISALIGNED, buffer, ASC_NONE);
  if (spec->offset != ASC_UNPLACED && offset != spec->offset) found(all, ASC_VIOLATION_MOVED, buffer, ASC_NONE);
  if (has_address(offset) && crosses(spec, offset)) found(all, ASC_VIOLATION_CROSSING, buffer, ASC_NONE);
}

/* ---- two buffers ----------------------------------------------------------------------------------------------------- */

/* Memory held: addresses [low, high) relative to the offset, during [lower, upper). */
typedef struct stay {
  int64_t lower, upper, low, high;
} stay;

/* A lifespan with g gaps is 2g + 1 stays in turn: before the first gap, the first gap, between it and the second, ... */
static stay stay_at(const asc_buffer_spec *spec, uint32_t k) {
  uint32_t g = k / 2;
  if (k % 2) return (stay){spec->gaps[g].lower, spec->gaps[g].upper, spec->gaps[g].window_lower, spec->gaps[g].window_upper};
  int64_t lower = g ? spec->gaps[g - 1].upper : spec->lower;
  int64_t upper = g < spec->gap_count ? spec->gaps[g].lower : spec->upper;
  return (stay){lower, upper, 0, spec->size};
}

/* Do [a, b) and [c, d) share a point? Empty intervals share none. */
static bool meet(int64_t a, int64_t b, int64_t c, int64_t d) {
  return a < b && c < d && a < d && c < b;
}

static bool overlap(const asc_buffer_spec *a, int64_t offset_a, const asc_buffer_spec *b, int64_t offset_b) {
  if (!meet(offset_a, offset_a + a->size, offset_b, offset_b + b->size)) return false;
  for (uint32_t i = 0; i <= 2 * a->gap_count; i++) {
    stay p = stay_at(a, i);
    for (uint32_t j = 0; j <= 2 * b->gap_count; j++) {
      stay q = stay_at(b, j);
      if (meet(p.lower, p.upper, q.lower, q.upper) &&
          meet(offset_a + p.low, offset_a + p.high, offset_b + q.low, offset_b + q.high))
        return true;
    }
  }
  return false;
}

static bool begins_earlier(const void *keys, uint32_t a, uint32_t b) {
  const asc_problem *problem = keys;
  return problem->buffers[a].lower < problem->buffers[b].lower;
}

static void check_pairs(const asc_problem *problem, const int64_t *offsets, const uint32_t *order, finding *all) {
  for (uint32_t i = 0; i < problem->count; i++) {
    const asc_buffer_spec *a = &problem->buffers[order[i]];
    if (!has_address(offsets[order[i]])) continue;
    for (uint32_t j = i + 1; j < problem->count; j++) {
      const asc_buffer_spec *b = &problem->buffers[order[j]];
      if (b->lower >= a->upper) break; /* and so do all that follow */
      if (!has_address(offsets[order[j]]) || !overlap(a, offsets[order[i]], b, offsets[order[j]])) continue;
      bool swap = order[i] > order[j];
      found(all, ASC_VIOLATION_OVERLAP, order[swap ? j : i], order[swap ? i : j]);
    }
  }
}

asc_status asc_validate(const asc_problem *problem, const int64_t *offsets, int64_t capacity, asc_violation *violations,
                        size_t room, size_t *count) {
  if (!problem || !count || (problem->count && !offsets) || (room && !violations)) return ASC_BAD_ARGUMENT;
  uint32_t n = problem->count;
  uint32_t *order = asci_alloc(problem->context, n, sizeof *order);
  uint32_t *scratch = asci_alloc(problem->context, n, sizeof *scratch);
  bool memory = order && scratch;
  if (memory) {
    finding all = {.violations = violations, .room = room};
    for (uint32_t b = 0; b < n; b++) order[b] = b;
    asci_sort(order, scratch, n, begins_earlier, problem);
    for (uint32_t b = 0; b < n; b++) check_buffer(&problem->buffers[b], b, offsets[b], capacity, &all);
    check_pairs(problem, offsets, order, &all);
    *count = all.count;
  }
  asci_free(problem->context, order);
  asci_free(problem->context, scratch);
  return memory ? ASC_OK : ASC_OUT_OF_MEMORY;
}

int64_t asc_height(const asc_problem *problem, const int64_t *offsets) {
  int64_t height = 0;
  for (uint32_t b = 0; b < problem->count; b++) {
    if (offsets[b] < 0 || offsets[b] > ASC_MAX_BYTES) continue;
    int64_t top = offsets[b] + problem->buffers[b].size;
    if (top > height) height = top;
  }
  return height;
}
