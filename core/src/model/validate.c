/* The referee. It goes by the definitions alone: it reads the buffers as they were given and uses none of the sections, pieces or overlaps that
 * the solvers work with, so that a mistake there cannot hide here. A plan in which nobody overlaps is told by one sweep, in O(n log n); where
 * somebody does, another names the pairs, in O(log n) for each besides. */
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

/* ---- all at once ----------------------------------------------------------------------------------------------------- */

/* A buffer's memory during a stay, as a rectangle. */
typedef struct block {
  int64_t lower, upper, low, high;
} block;

/* The stays come from below. Whoever came before reaches no higher than `low` wherever the two are alive together, or they overlap. Over the
   times between beginnings and ends stands a tree that knows how high they reach. */
typedef struct crest { /* over the whole of a node, somewhere in it */
  int64_t all, most;
} crest;

typedef struct sweep {
  block *blocks;
  uint32_t *order;
  uint32_t count;
  int64_t earliest, latest;
  bool near;      /* times are so near each other that each unit of time has a leaf; else each of `times` has one */
  int64_t *times; /* NULL if they are near */
  uint32_t time_count;
  crest *tree; /* 2 * leaves, 1 is the root */
  uint32_t leaves;
} sweep;

/* Sorts the times, of which there are two a block, and leaves each once. */
static void number_times(sweep *s, int64_t *scratch) {
  for (uint32_t k = 0; k < s->count; k++) {
    s->times[2 * k] = s->blocks[k].lower;
    s->times[2 * k + 1] = s->blocks[k].upper;
  }
  asci_sort_numbers(s->times, scratch, 2 * s->count);
  for (uint32_t k = 0; k < 2 * s->count; k++)
    if (!k || s->times[k] != s->times[s->time_count - 1]) s->times[s->time_count++] = s->times[k];
}

static uint32_t time_index(const sweep *s, int64_t time) {
  return s->near ? (uint32_t)(time - s->earliest) : asci_count_below(s->times, s->time_count, time);
}

static int64_t greater(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* How high the nodes above two leaves reach. */
static int64_t reach_above(const sweep *s, uint32_t left, uint32_t right) {
  int64_t before = INT64_MIN;
  for (left /= 2, right /= 2; left; left /= 2, right /= 2) {
    before = greater(before, s->tree[left].all);
    if (left != right) before = greater(before, s->tree[right].all);
  }
  return before;
}

/* The nodes above know of what reaches `high` now: whoever reaches higher already, so do all above it. */
static void tell_above(sweep *s, uint32_t node, int64_t high) {
  for (uint32_t a = node / 2; a && s->tree[a].most < high; a /= 2) s->tree[a].most = high;
}

/* How high the leaves first .. end - 1 reach; all of them then reach `high` at least. */
static int64_t reach(sweep *s, uint32_t first, uint32_t end, int64_t high) {
  uint32_t left = first + s->leaves, right = end + s->leaves;
  int64_t before = reach_above(s, left, right - 1);
  for (; left < right; left /= 2, right /= 2) {
    uint32_t ends[] = {left & 1 ? left++ : 0, right & 1 ? --right : 0};
    for (int k = 0; k < 2; k++) {
      if (!ends[k]) continue;
      crest *node = &s->tree[ends[k]];
      before = greater(before, node->most);
      *node = (crest){greater(node->all, high), greater(node->most, high)};
      tell_above(s, ends[k], high);
    }
  }
  return before;
}

/* Stays of no time or no memory are in nobody's way. */
static void add_blocks(sweep *s, const asc_buffer_spec *spec, int64_t offset) {
  for (uint32_t k = 0; k <= 2 * spec->gap_count; k++) {
    stay at = stay_at(spec, k);
    if (at.lower >= at.upper || at.low >= at.high) continue;
    if (!s->count || at.lower < s->earliest) s->earliest = at.lower;
    if (!s->count || at.upper > s->latest) s->latest = at.upper;
    s->order[s->count] = s->count;
    s->blocks[s->count++] = (block){at.lower, at.upper, offset + at.low, offset + at.high};
  }
}

/* The tree keeps as many leaves as it needs of those there is room for; until it begins it is the room of sorts. */
static void order_blocks(sweep *s) {
  int64_t *room = (int64_t *)s->tree;
  if (!s->near) number_times(s, room);
  for (uint32_t k = 0; k < s->count; k++) room[k] = s->blocks[k].low;
  asci_sort_by(s->order, (uint32_t *)(room + s->count), s->count, room);
  uint64_t needed = s->near ? (uint64_t)s->latest - (uint64_t)s->earliest + 1 : s->time_count;
  for (s->leaves = 1; s->leaves < needed;) s->leaves *= 2;
  for (uint32_t node = 0; node < 2 * s->leaves; node++) s->tree[node] = (crest){INT64_MIN, INT64_MIN};
}

static bool nobody_overlaps(sweep *s) {
  order_blocks(s);
  for (uint32_t k = 0; k < s->count; k++) {
    const block *b = &s->blocks[s->order[k]];
    if (reach(s, time_index(s, b->lower), time_index(s, b->upper), b->high) > b->low) return false;
  }
  return true;
}

static asc_status check_all(const asc_problem *problem, const int64_t *offsets, bool *disjoint) {
  asc_context *context = problem->context;
  size_t stays = 0;
  for (uint32_t b = 0; b < problem->count; b++) stays += 2 * (size_t)problem->buffers[b].gap_count + 1;
  if (stays > UINT32_MAX / 4) return ASC_OUT_OF_MEMORY;
  sweep s = {.leaves = 1};
  while (s.leaves < 2 * stays) s.leaves *= 2;
  s.blocks = asci_alloc(context, stays, sizeof *s.blocks);
  s.order = asci_alloc(context, stays, sizeof *s.order);
  s.tree = asci_alloc(context, 2 * (size_t)s.leaves, sizeof *s.tree);
  bool memory = s.blocks && s.order && s.tree;
  if (memory) {
    for (uint32_t b = 0; b < problem->count; b++)
      if (has_address(offsets[b])) add_blocks(&s, &problem->buffers[b], offsets[b]);
    s.near = (uint64_t)s.latest - (uint64_t)s.earliest < s.leaves;
    if (!s.near) s.times = asci_alloc(context, 2 * (size_t)s.count, sizeof *s.times);
    memory = s.near || s.times;
  }
  if (memory) *disjoint = nobody_overlaps(&s);
  void *parts[] = {s.blocks, s.order, s.times, s.tree};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) asci_free(context, parts[k]);
  return memory ? ASC_OK : ASC_OUT_OF_MEMORY;
}

/* ---- naming them ----------------------------------------------------------------------------------------------------- */

/* The buffers come by their beginnings. Those alive then stand in order of their offsets; over them is a tree that knows how high they reach. */
typedef struct naming {
  const asc_problem *problem;
  const int64_t *offsets;
  uint32_t count;                   /* buffers with an address */
  uint32_t *begins, *ends, *places; /* their order by beginning, by end, by offset */
  uint32_t *rank;                   /* by buffer: where it is in places */
  int64_t *keys, *reach;            /* of a sort; by node, 1 being the root: INT64_MIN where nobody is alive */
  uint32_t leaves;
} naming;

typedef enum key { BEGIN, END, OFFSET } key;

static void order_by(naming *n, key by, uint32_t *order) {
  uint32_t count = 0;
  for (uint32_t b = 0; b < n->problem->count; b++) {
    const asc_buffer_spec *spec = &n->problem->buffers[b];
    n->keys[b] = by == BEGIN ? spec->lower : by == END ? spec->upper : n->offsets[b];
    if (has_address(n->offsets[b])) order[count++] = b;
  }
  n->count = count;
  asci_sort_by(order, n->rank, count, n->keys); /* ranks come later */
}

static void set_reach(naming *n, uint32_t buffer, int64_t high) {
  uint32_t node = n->leaves + n->rank[buffer];
  n->reach[node] = high;
  for (node /= 2; node; node /= 2) n->reach[node] = greater(n->reach[2 * node], n->reach[2 * node + 1]);
}

/* The first place at or after `place` of someone alive who ends above `low`; at least the number of leaves if there is none. */
static uint32_t next_reaching(const naming *n, uint32_t place, int64_t low) {
  uint32_t node = n->leaves + place;
  if (place >= n->leaves) return place;
  while (n->reach[node] <= low) {
    while (node & 1) node /= 2; /* the right one of two: on to the right of both */
    if (!node) return n->leaves;
    node++;
  }
  while (node < n->leaves) {
    node *= 2;
    if (n->reach[node] <= low) node++;
  }
  return node - n->leaves;
}

static void name_those_with(const naming *n, uint32_t b, finding *all) {
  const asc_buffer_spec *mine = &n->problem->buffers[b];
  int64_t low = n->offsets[b], high = low + mine->size;
  for (uint32_t at = next_reaching(n, 0, low); at < n->leaves; at = next_reaching(n, at + 1, low)) {
    uint32_t other = n->places[at];
    if (n->offsets[other] >= high) break; /* and so do all that follow */
    if (!overlap(mine, low, &n->problem->buffers[other], n->offsets[other])) continue;
    found(all, ASC_VIOLATION_OVERLAP, b < other ? b : other, b < other ? other : b);
  }
}

static void check_pairs(naming *n, finding *all) {
  order_by(n, BEGIN, n->begins);
  order_by(n, END, n->ends);
  order_by(n, OFFSET, n->places);
  for (uint32_t k = 0; k < n->count; k++) n->rank[n->places[k]] = k;
  for (uint32_t node = 0; node < 2 * n->leaves; node++) n->reach[node] = INT64_MIN;
  const asc_buffer_spec *buffers = n->problem->buffers;
  for (uint32_t k = 0, gone = 0; k < n->count; k++) {
    uint32_t b = n->begins[k];
    /* whoever is alive at no time has an end before its beginning, and never comes in */
    for (; gone < n->count && buffers[n->ends[gone]].upper <= buffers[b].lower; gone++)
      set_reach(n, n->ends[gone], INT64_MIN);
    name_those_with(n, b, all);
    if (buffers[b].lower < buffers[b].upper) set_reach(n, b, n->offsets[b] + buffers[b].size);
  }
}

static asc_status name_pairs(const asc_problem *problem, const int64_t *offsets, finding *all) {
  asc_context *context = problem->context;
  uint32_t count = problem->count;
  naming n = {.problem = problem, .offsets = offsets, .leaves = 1};
  while (n.leaves < count) n.leaves *= 2;
  uint32_t **orders[] = {&n.begins, &n.ends, &n.places, &n.rank};
  bool memory = true;
  for (int k = 0; k < 4; k++) memory = (*orders[k] = asci_alloc(context, count, sizeof **orders[k])) && memory;
  n.keys = asci_alloc(context, count, sizeof *n.keys);
  n.reach = asci_alloc(context, 2 * (size_t)n.leaves, sizeof *n.reach);
  memory = memory && n.keys && n.reach;
  if (memory) check_pairs(&n, all);
  void *parts[] = {n.begins, n.ends, n.places, n.rank, n.keys, n.reach};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) asci_free(context, parts[k]);
  return memory ? ASC_OK : ASC_OUT_OF_MEMORY;
}

asc_status asc_validate(const asc_problem *problem, const int64_t *offsets, int64_t capacity, asc_violation *violations,
                        size_t room, size_t *count) {
  if (!problem || !count || (problem->count && !offsets) || (room && !violations)) return ASC_BAD_ARGUMENT;
  finding all = {.violations = violations, .room = room};
  bool disjoint = true;
  asc_status status = problem->count ? check_all(problem, offsets, &disjoint) : ASC_OK;
  if (status) return status;
  for (uint32_t b = 0; b < problem->count; b++) check_buffer(&problem->buffers[b], b, offsets[b], capacity, &all);
  if (!disjoint) status = name_pairs(problem, offsets, &all);
  if (!status) *count = all.count;
  return status;
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
