/* The referee. It goes by the definitions alone: it reads the buffers as they were given and uses none of the sections, pieces or overlaps that
 * the solvers work with, so that a mistake there cannot hide here. A sweep over time comes upon those
 * who overlap, and nobody else, in O(n log n) and O(log n) for each pair. */
#include "base/memory.h"
#include "base/sort.h"
#include "model/problem.h"

static const char *const names[] = {
    [ASC_VIOLATION_OUTSIDE] = "outside", [ASC_VIOLATION_OVERLAP] = "overlap",   [ASC_VIOLATION_MISALIGNED] = "misaligned",
    [ASC_VIOLATION_MOVED] = "moved",     [ASC_VIOLATION_CROSSING] = "crossing", [ASC_VIOLATION_ORDER] = "order",
    [ASC_VIOLATION_ABSENT] = "absent",   [ASC_VIOLATION_UNMADE] = "unmade",
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
static bool crosses(const asc_buffer_spec *spec, int64_t bank, int64_t offset) {
  if (bank == 0) return false;
  int64_t boundary = offset / bank * bank;
  if (boundary <= offset) boundary += bank;
  return boundary < offset + spec->size;
}

/* `pool` is the memory the buffer lies in, NULL if it may lie in any: then its offset is an address of none. */
static void check_buffer(const asc_buffer_spec *spec, const asc_pool *pool, uint32_t buffer, int64_t offset,
                         int64_t capacity, finding *all) {
  if (pool && pool->capacity && capacity <= ASC_MAX_BYTES) capacity = pool->capacity;
  bool outside = !pool || offset < 0 || spec->size > capacity || offset > capacity - spec->size;
  if (outside) found(all, ASC_VIOLATION_OUTSIDE, buffer, ASC_NONE);
  if (!pool || offset == ASC_UNPLACED) return;
  if (offset % spec->alignment != 0 || offset % pool->alignment != 0) found(all, ASC_VIOLATION_MISALIGNED, buffer, ASC_NONE);
  if (spec->offset != ASC_UNPLACED && offset != spec->offset) found(all, ASC_VIOLATION_MOVED, buffer, ASC_NONE);
  if (has_address(offset) && (crosses(spec, spec->bank, offset) || crosses(spec, pool->bank, offset)))
    found(all, ASC_VIOLATION_CROSSING, buffer, ASC_NONE);
}

/* ---- two buffers ----------------------------------------------------------------------------------------------------- */

/* Memory held: addresses [low, high) relative to the offset, during [lower, upper). */
typedef struct stay {
  int64_t lower, upper, low, high;
} stay;

static size_t stay_count(const asc_buffer_spec *spec) {
  return spec->shape_count ? spec->shape_count : 2 * (size_t)spec->gap_count + 1;
}

/* A lifespan with g gaps is 2g + 1 stays in turn: before the first gap, the first gap, between it and the second, ... A shape says itself
   what is held. */
static stay stay_at(const asc_buffer_spec *spec, size_t k) {
  if (spec->shape_count) return (stay){spec->shape[k].lower, spec->shape[k].upper, spec->shape[k].low, spec->shape[k].high};
  uint32_t g = (uint32_t)(k / 2);
  if (k % 2) return (stay){spec->gaps[g].lower, spec->gaps[g].upper, spec->gaps[g].window_lower, spec->gaps[g].window_upper};
  int64_t lower = g ? spec->gaps[g - 1].upper : spec->lower;
  int64_t upper = g < spec->gap_count ? spec->gaps[g].lower : spec->upper;
  return (stay){lower, upper, 0, spec->size};
}

/* Do [a, b) and [c, d) share a point? Empty intervals share none. */
static bool meet(int64_t a, int64_t b, int64_t c, int64_t d) {
  return a < b && c < d && a < d && c < b;
}

/* From that time on. */
static bool overlap(const asc_buffer_spec *a, int64_t offset_a, const asc_buffer_spec *b, int64_t offset_b, int64_t from) {
  for (size_t i = 0; i < stay_count(a); i++) {
    stay p = stay_at(a, i);
    for (size_t j = 0; j < stay_count(b); j++) {
      stay q = stay_at(b, j);
      int64_t upper = p.upper < q.upper ? p.upper : q.upper;
      if (upper > from && meet(p.lower, p.upper, q.lower, q.upper) &&
          meet(offset_a + p.low, offset_a + p.high, offset_b + q.low, offset_b + q.high))
        return true;
    }
  }
  return false;
}

/* ---- all at once ----------------------------------------------------------------------------------------------------- */

/* A buffer's memory during a stay, as a rectangle. */
typedef struct block {
  int64_t lower, upper, low, high;
  uint32_t buffer, rank; /* place in the order by `low` */
} block;

/* The stays come by their beginnings. Those under way stand in order of where they lie, from below; over them is a tree that knows how high they
   reach, so that whoever is in the way of the next is come upon without looking at others. */
typedef struct sweep {
  const asc_problem *problem;
  const int64_t *offsets;
  block *blocks;
  uint32_t *begins, *places; /* their order by beginning and by low */
  uint32_t count;
  int64_t *reach; /* by node, 1 being the root: INT64_MIN where nobody is. Before that, keys of a sort */
  uint32_t leaves;
  uint64_t *seen; /* pairs with a shape that were found, in a table of open addresses; 0: free */
  size_t seen_room, seen_count;
  bool out_of_memory;
} sweep;

/* Stays of no time or no memory are in nobody's way. */
static void add_blocks(sweep *s, uint32_t buffer, uint32_t pool) {
  const asc_buffer_spec *spec = &s->problem->buffers[buffer];
  if (spec->pool != pool || !has_address(s->offsets[buffer])) return;
  int64_t offset = s->offsets[buffer];
  for (size_t k = 0; k < stay_count(spec); k++) {
    stay at = stay_at(spec, k);
    if (at.lower < at.upper && at.low < at.high)
      s->blocks[s->count++] = (block){at.lower, at.upper, offset + at.low, offset + at.high, buffer, 0};
  }
}

static void order_by(sweep *s, bool low, uint32_t *order) {
  for (uint32_t k = 0; k < s->count; k++) {
    order[k] = k;
    s->reach[k] = low ? s->blocks[k].low : s->blocks[k].lower;
  }
  asci_sort_by(order, s->reach + s->count, s->count, s->reach);
}

static void set_reach(sweep *s, uint32_t rank, int64_t high) {
  uint32_t node = s->leaves + rank;
  s->reach[node] = high;
  for (; node > 1; node /= 2) {
    int64_t both = s->reach[node] > s->reach[node ^ 1] ? s->reach[node] : s->reach[node ^ 1];
    if (s->reach[node / 2] == both) return;
    s->reach[node / 2] = both;
  }
}

/* The first place at or after `place` of somebody who ends above `low`; at least the number of leaves if there is none. */
static uint32_t next_reaching(const sweep *s, uint32_t place, int64_t low) {
  uint32_t node = s->leaves + place;
  if (place >= s->leaves) return place;
  while (s->reach[node] <= low) {
    while (node & 1) node /= 2; /* the right one of two: on to the right of both */
    if (!node) return s->leaves;
    node++;
  }
  while (node < s->leaves) {
    node *= 2;
    if (s->reach[node] <= low) node++;
  }
  return node - s->leaves;
}

static bool enter_pair(uint64_t *seen, size_t room, uint64_t pair) {
  size_t at = (size_t)((pair * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (room - 1);
  while (seen[at] && seen[at] != pair) at = (at + 1) & (room - 1);
  if (seen[at] == pair) return false;
  seen[at] = pair;
  return true;
}

/* Shapes may meet in several places at one time, so that their pairs must be remembered. */
static bool first_time(sweep *s, uint32_t a, uint32_t b) {
  if (2 * s->seen_count >= s->seen_room) {
    size_t room = s->seen_room ? 2 * s->seen_room : 64;
    uint64_t *grown = asci_calloc(s->problem->context, room, sizeof *grown);
    if (!grown) {
      s->out_of_memory = true;
      return false;
    }
    for (size_t k = 0; k < s->seen_room; k++)
      if (s->seen[k]) enter_pair(grown, room, s->seen[k]);
    asci_free(s->problem->context, s->seen);
    s->seen = grown;
    s->seen_room = room;
  }
  uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; /* never 0: nobody meets itself */
  bool entered = enter_pair(s->seen, s->seen_room, pair);
  s->seen_count += entered;
  return entered;
}

/* Two buffers may meet during several stays, and one meeting is told: the last, but of shapes the first. True: this is that one. */
static bool counts(sweep *s, const block *a, const block *b) {
  const asc_buffer_spec *x = &s->problem->buffers[a->buffer], *y = &s->problem->buffers[b->buffer];
  if (x->shape_count || y->shape_count) return first_time(s, a->buffer, b->buffer);
  return (!x->gap_count && !y->gap_count) ||
         !overlap(x, s->offsets[a->buffer], y, s->offsets[b->buffer], a->upper < b->upper ? a->upper : b->upper);
}

/* Whoever has ended leaves when it is come upon. */
static void name_those_with(sweep *s, const block *mine, finding *all) {
  for (uint32_t at = next_reaching(s, 0, mine->low); at < s->leaves; at = next_reaching(s, at + 1, mine->low)) {
    const block *other = &s->blocks[s->places[at]];
    if (other->low >= mine->high) break; /* and so do all that follow */
    uint32_t a = mine->buffer, b = other->buffer;
    if (other->upper <= mine->lower)
      set_reach(s, at, INT64_MIN);
    else if (counts(s, mine, other))
      found(all, ASC_VIOLATION_OVERLAP, a < b ? a : b, a < b ? b : a);
  }
}

/* In one pool: buffers of another are in nobody's way. */
static void check_pairs(sweep *s, uint32_t pool, finding *all) {
  s->count = 0;
  for (uint32_t b = 0; b < s->problem->count; b++) add_blocks(s, b, pool);
  order_by(s, true, s->places);
  for (uint32_t k = 0; k < s->count; k++) s->blocks[s->places[k]].rank = k;
  order_by(s, false, s->begins);
  for (uint32_t node = 0; node < 2 * s->leaves; node++) s->reach[node] = INT64_MIN;
  for (uint32_t k = 0; k < s->count; k++) {
    const block *b = &s->blocks[s->begins[k]];
    name_those_with(s, b, all);
    set_reach(s, b->rank, b->high);
  }
}

static asc_status check_all(const asc_problem *problem, const int64_t *offsets, finding *all) {
  asc_context *context = problem->context;
  size_t stays = 0;
  for (uint32_t b = 0; b < problem->count; b++) stays += stay_count(&problem->buffers[b]);
  if (stays > UINT32_MAX / 4) return ASC_OUT_OF_MEMORY;
  sweep s = {.problem = problem, .offsets = offsets, .leaves = 1};
  while (s.leaves < stays) s.leaves *= 2;
  s.blocks = asci_alloc(context, stays, sizeof *s.blocks);
  s.begins = asci_alloc(context, stays, sizeof *s.begins);
  s.places = asci_alloc(context, stays, sizeof *s.places);
  s.reach = asci_alloc(context, 2 * (size_t)s.leaves + stays, sizeof *s.reach); /* of a sort three numbers a stay */
  bool memory = s.blocks && s.begins && s.places && s.reach;
  for (uint32_t pool = 0; memory && pool < asc_problem_pool_count(problem); pool++) check_pairs(&s, pool, all);
  void *parts[] = {s.blocks, s.begins, s.places, s.reach, s.seen};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) asci_free(context, parts[k]);
  return memory && !s.out_of_memory ? ASC_OK : ASC_OUT_OF_MEMORY;
}

asc_status asc_validate(const asc_problem *problem, const int64_t *offsets, int64_t capacity, asc_violation *violations,
                        size_t room, size_t *count) {
  if (!problem || !count || (problem->count && !offsets) || (room && !violations)) return ASC_BAD_ARGUMENT;
  finding all = {.violations = violations, .room = room};
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    check_buffer(spec, asc_problem_pool(problem, spec->pool), b, offsets[b], capacity, &all);
  }
  asc_status status = check_all(problem, offsets, &all);
  if (!status) *count = all.count;
  return status;
}

int64_t asc_height(const asc_problem *problem, const int64_t *offsets) {
  int64_t heights[ASC_MAX_POOLS] = {0}, sum = 0;
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    if (offsets[b] < 0 || offsets[b] > ASC_MAX_BYTES || spec->pool >= ASC_MAX_POOLS) continue;
    int64_t top = offsets[b] + spec->size;
    if (top > heights[spec->pool]) heights[spec->pool] = top;
  }
  for (uint32_t pool = 0; pool < ASC_MAX_POOLS; pool++) sum += heights[pool];
  return sum;
}
