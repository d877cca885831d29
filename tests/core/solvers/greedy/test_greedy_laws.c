/* The greedy family against laws: every placement of random runs is checked by naive means that share nothing with the solvers
 * (bytes of memory marked one by one, all pairs of buffers, a matrix of distances). */
#include "test_greedy_plan.h"

#include <inttypes.h>
#include <string.h>

enum { MEMORY = 512, MOST = 14 };

typedef struct law {
  const asc_problem *problem;
  const char *solver;
  uint32_t count, placed;
  uint32_t order[MOST];  /* all PLACE events */
  int64_t at[MOST];      /* their offsets */
  int64_t offsets[MOST]; /* by buffer, of those before the one looked at */
  int64_t final[MOST];   /* by buffer */
} law;

static const asc_buffer_spec *spec_of(const law *l, uint32_t b) {
  return asc_problem_buffer(l->problem, b);
}

/* The bytes of b in use at time t, relative to its offset; false: none. */
static bool busy(const law *l, uint32_t b, int64_t t, int64_t *low, int64_t *high) {
  const asc_buffer_spec *spec = spec_of(l, b);
  if (t < spec->lower || t >= spec->upper || !spec->size) return false;
  *low = 0;
  *high = spec->size;
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    if (t < spec->gaps[g].lower || t >= spec->gaps[g].upper) continue;
    *low = spec->gaps[g].window_lower;
    *high = spec->gaps[g].window_upper;
  }
  return *low < *high;
}

static bool together(const law *l, uint32_t a, uint32_t b) {
  int64_t low, high;
  for (int64_t t = spec_of(l, a)->lower; t < spec_of(l, a)->upper; t++)
    if (busy(l, a, t, &low, &high) && busy(l, b, t, &low, &high)) return true;
  return false;
}

static bool is_clear(const law *l, uint32_t b, int64_t offset) {
  int64_t low, high, its_low, its_high;
  for (uint32_t c = 0; c < l->count; c++)
    for (int64_t t = spec_of(l, b)->lower; l->offsets[c] != ASC_UNPLACED && t < spec_of(l, b)->upper; t++) {
      if (!busy(l, b, t, &low, &high) || !busy(l, c, t, &its_low, &its_high)) continue;
      if (offset + low < l->offsets[c] + its_high && l->offsets[c] + its_low < offset + high) return false;
    }
  return true;
}

static int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

static int64_t top_of(const law *l, uint32_t b) {
  return l->offsets[b] + spec_of(l, b)->size;
}

/* ---- one law per rule: where must b go, given those before it? -------------------------------------------------------- */

static int64_t lowest(const law *l, uint32_t b) {
  int64_t offset = 0;
  while (!is_clear(l, b, offset)) offset += spec_of(l, b)->alignment;
  return offset;
}

/* The smallest run of free bytes that holds b, the lowest of equal ones, or the end; runs begin at multiples of `multiple`. */
static int64_t tightest(const law *l, uint32_t b, const bool *taken, int64_t multiple) {
  int64_t best = -1, room = INT64_MAX, end = 0, need = spec_of(l, b)->size, alignment = spec_of(l, b)->alignment;
  for (int64_t a = 0; a < MEMORY; a++)
    if (taken[a]) end = a + 1;
  if (!need) return 0;
  for (int64_t from = 0, to; from < end; from = to + 1) {
    for (to = from; to < end && !taken[to]; to++) continue;
    int64_t begin = round_up(from, multiple);
    if (round_up(begin, alignment) + need > to || to - begin >= room) continue;
    room = to - begin;
    best = round_up(begin, alignment);
  }
  return best >= 0 ? best : round_up(round_up(end, multiple), alignment);
}

static int64_t tightest_among_neighbours(const law *l, uint32_t b, int64_t multiple) {
  bool taken[MEMORY] = {false};
  for (uint32_t c = 0; c < l->count; c++)
    if (l->offsets[c] != ASC_UNPLACED && together(l, b, c))
      for (int64_t a = l->offsets[c]; a < top_of(l, c); a++) taken[a] = true;
  return tightest(l, b, taken, multiple);
}

/* An allocator at run time sees what is alive now, and has forgotten what ended. */
static int64_t tightest_now(const law *l, uint32_t b) {
  bool taken[MEMORY] = {false};
  for (uint32_t c = 0; c < l->count; c++)
    if (l->offsets[c] != ASC_UNPLACED && spec_of(l, c)->upper > spec_of(l, b)->lower)
      for (int64_t a = l->offsets[c]; a < top_of(l, c); a++) taken[a] = true;
  return tightest(l, b, taken, 1);
}

static int64_t above_all(const law *l, uint32_t b) {
  int64_t offset = 0;
  for (uint32_t c = 0; c < l->count; c++) {
    if (l->offsets[c] == ASC_UNPLACED || !together(l, b, c)) continue;
    int64_t end = round_up(top_of(l, c), spec_of(l, c)->alignment);
    if (end > offset) offset = end;
  }
  return round_up(offset, spec_of(l, b)->alignment);
}

static int64_t on_skyline(const law *l, uint32_t b) {
  int64_t offset = 0;
  for (uint32_t c = 0; c < l->count; c++)
    if (l->offsets[c] != ASC_UNPLACED && together(l, b, c) && top_of(l, c) > offset) offset = top_of(l, c);
  return round_up(offset, spec_of(l, b)->alignment);
}

/* True if c should come before b in a row: contention, alignment, size x lifetime^2, lifetime, index. */
static bool more_contended(const law *l, uint32_t c, uint32_t b) {
  int64_t key[2][4] = {{0}};
  for (int k = 0; k < 2; k++) {
    uint32_t me = k ? b : c;
    int64_t low, high, life = spec_of(l, me)->upper - spec_of(l, me)->lower;
    for (int64_t t = spec_of(l, me)->lower; t < spec_of(l, me)->upper; t++) {
      int64_t load = 0;
      for (uint32_t o = 0; o < l->count; o++)
        if (busy(l, o, t, &low, &high)) load += high - low;
      if (busy(l, me, t, &low, &high) && load > key[k][0]) key[k][0] = load;
    }
    key[k][1] = spec_of(l, me)->alignment;
    key[k][2] = spec_of(l, me)->size * life * life;
    key[k][3] = life;
  }
  for (int k = 0; k < 4; k++)
    if (key[0][k] != key[1][k]) return key[0][k] > key[1][k];
  return c < b;
}

static int64_t lowest_row(const law *l, uint32_t b) {
  int64_t mine = on_skyline(l, b);
  for (uint32_t c = 0; c < l->count; c++) {
    if (l->offsets[c] != ASC_UNPLACED || c == b) continue;
    int64_t its = on_skyline(l, c);
    CHECK(its > mine || (its == mine && !more_contended(l, c, b)), "b%u came before b%u", b, c);
  }
  return mine;
}

static int64_t tightest_of_bytes(const law *l, uint32_t b) {
  return tightest_among_neighbours(l, b, 1);
}

static int64_t tightest_of_words(const law *l, uint32_t b) {
  return tightest_among_neighbours(l, b, 4);
}

/* ---- runs ------------------------------------------------------------------------------------------------------------- */

static void record(law *l, asc_context *context, const test_options *options) {
  asc_run_config config = test_config(l->solver, 60, options);
  asc_run *plain = test_run_new(l->problem, &config), *run = test_run_new(l->problem, &config);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  asc_outcome outcome = test_finish(run);
  test_finish(plain);
  test_same_stats(plain, run, l->solver);
  test_sound_end(l->problem, run, 60, l->solver);
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  uint64_t dropped;
  asc_log_get(log, &events, &count, &lists, &dropped);
  l->placed = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (events[k].kind != ASC_EVENT_PLACE) continue;
    l->order[l->placed] = (uint32_t)events[k].place.buffer;
    l->at[l->placed++] = events[k].place.offset;
  }
  assert_true(outcome == ASC_OUTCOME_EXHAUSTED || l->placed == l->count);
  for (uint32_t b = 0; b < l->count && asc_run_best(run); b++) l->final[b] = asc_run_best(run)[b];
  asc_run_free(run);
  asc_run_free(plain);
  asc_log_free(log);
}

typedef int64_t (*where)(const law *l, uint32_t b);

static void follow(law *l, where rule, const char *options) {
  for (uint32_t b = 0; b < l->count; b++) l->offsets[b] = ASC_UNPLACED;
  for (uint32_t k = 0; k < l->placed; k++) {
    uint32_t b = l->order[k];
    int64_t fixed = spec_of(l, b)->offset, expected = fixed != ASC_UNPLACED ? fixed : rule(l, b);
    if (l->at[k] != expected) test_print_problem(l->problem, 60);
    CHECK(l->at[k] == expected, "%s %s: b%u at %" PRId64 ", expected %" PRId64, l->solver, options, b, l->at[k], expected);
    l->offsets[b] = l->at[k];
  }
}

static const test_shape plain_shape = {
    .min_buffers = 1, .max_buffers = MOST, .max_time = 12, .max_size = 9, .max_alignment = 1, .zero = 5, .tie = 30};
static const test_shape aligned_shape = {
    .min_buffers = 1, .max_buffers = MOST, .max_time = 12, .max_size = 9, .max_alignment = 6, .zero = 5, .tie = 30};
static const test_shape gap_shape = {.min_buffers = 1,
                                     .max_buffers = MOST,
                                     .max_time = 12,
                                     .max_size = 9,
                                     .max_alignment = 4,
                                     .zero = 5,
                                     .gap = 60,
                                     .tie = 30};
static const test_shape full_shape = {.min_buffers = 1,
                                      .max_buffers = MOST,
                                      .max_time = 12,
                                      .max_size = 9,
                                      .max_alignment = 4,
                                      .max_fixed = 40,
                                      .zero = 5,
                                      .fixed = 20,
                                      .gap = 50,
                                      .window = 60,
                                      .tie = 30};

typedef struct row {
  const char *solver, *name, *value, *name2, *value2;
  const test_shape *shape;
  where rule;
} row;

static const row rows[] = {
    {"greedy", "order", "start", "fit", "first", &full_shape, lowest},
    {"greedy", "order", "size", "fit", "first", &full_shape, lowest},
    {"greedy", "order", "area", "fit", "first", &full_shape, lowest},
    {"greedy", "order", "lifetime", "fit", "first", &full_shape, lowest},
    {"greedy", "order", "breadth", "fit", "first", &full_shape, lowest},
    {"greedy", "order", "conflicts", "fit", "first", &full_shape, lowest},
    {"greedy", "order", "size", "fit", "best", &aligned_shape, tightest_of_bytes},
    {"greedy", "order", "breadth", "fit", "best", &aligned_shape, tightest_of_bytes},
    {"tflm", "alignment", "1", NULL, NULL, &aligned_shape, lowest},
    {"openvino", NULL, NULL, NULL, NULL, &aligned_shape, lowest},
    {"litert", "alignment", "1", NULL, NULL, &plain_shape, tightest_of_bytes},
    {"xla", "order", "spatial", "alignment", "1", &aligned_shape, tightest_of_bytes},
    {"xla", "order", "temporal", "alignment", "4", &plain_shape, tightest_of_words},
    {"tvm-by-size", NULL, NULL, NULL, NULL, &aligned_shape, above_all},
    {"tvm-by-conflicts", NULL, NULL, NULL, NULL, &aligned_shape, above_all},
    {"contention", NULL, NULL, NULL, NULL, &gap_shape, lowest_row},
    {"bfc", NULL, NULL, NULL, NULL, &aligned_shape, tightest_now},
};

static void every_placement(void **state) {
  (void)state;
  asci_rng rng = {2026};
  for (uint32_t round = 0; round < test_cases(400); round++)
    for (uint32_t k = 0; k < COUNT(rows); k++) {
      asc_context *context = test_context();
      test_options options = {0};
      if (rows[k].name) test_option_set(&options, rows[k].name, rows[k].value);
      if (rows[k].name2) test_option_set(&options, rows[k].name2, rows[k].value2);
      law l = {.problem = test_random_problem(context, &rng, rows[k].shape), .solver = rows[k].solver};
      l.count = asc_problem_count(l.problem);
      record(&l, context, &options);
      follow(&l, rows[k].rule, test_options_text(&options));
      asc_problem_free((asc_problem *)(uintptr_t)l.problem);
      test_context_end(context);
    }
}

/* ---- the tree ---------------------------------------------------------------------------------------------------------- */

static asc_run *ended_run(const asc_problem *problem, const char *solver, const char *order, int64_t capacity) {
  test_options options = {0};
  test_option_set(&options, "order", order);
  asc_run_config config = test_config(solver, capacity, &options);
  asc_run *run = test_run_new(problem, &config);
  test_finish(run);
  return run;
}

/* Fixed offsets are few and far between, or two of them would clash and no plan be made. */
static test_shape tree_shape(bool large) {
  return (test_shape){.min_buffers = large ? 1200 : 1,
                      .max_buffers = large ? 1200 : 60,
                      .min_time = 2,
                      .max_time = large ? 4000 : 90,
                      .max_size = 20,
                      .max_alignment = 8,
                      .max_fixed = large ? 6000 : 200,
                      .zero = 5,
                      .fixed = large ? 1 : 4,
                      .gap = 30,
                      .window = 50,
                      .hint = 20,
                      .tie = large ? 5 : 30,
                      .bank = 25,
                      .brief = large ? 90 : 0};
}

/* Whether both made the same plan or ended alike without one; true if there is one. */
static bool same_end(asc_run *naive, asc_run *run, uint32_t count, uint32_t round) {
  asc_run_stats expected, stats;
  asc_run_stats_get(naive, &expected);
  asc_run_stats_get(run, &stats);
  CHECK(stats.outcome == expected.outcome && stats.height == expected.height, "round %u: %d, %d", round, (int)stats.outcome,
        (int)stats.height);
  const int64_t *left = asc_run_best(naive), *right = asc_run_best(run);
  assert_int_equal(!left, !right);
  if (left) assert_memory_equal(left, right, count * sizeof *left);
  return left;
}

/* Whatever the constraints, first fit through the tree is greedy's first fit. What was met is counted of problems with a plan. */
static void a_tree_of_addresses_changes_no_plan(void **state) {
  (void)state;
  static const char *const orders[] = {"start", "size", "area", "lifetime", "breadth", "conflicts"};
  asci_rng rng = {33};
  test_met small = {0}, large = {0};
  uint32_t plans = 0, rounds = test_cases(1500);
  for (uint32_t round = 0; round < rounds; round++) {
    asc_context *context = test_context();
    bool is_large = round % 16 == 0;
    test_shape shape = tree_shape(is_large);
    test_vary(&shape, 31 - (is_large ? round / 16 : round - round / 16 - 1) * 5 % 32);
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    const char *order = orders[asci_random_below(&rng, COUNT(orders))];
    int64_t capacity = (int64_t)asci_random_below(&rng, is_large ? 20000 : 400);
    asc_run *naive = ended_run(problem, "greedy", order, capacity), *run = ended_run(problem, "first-fit", order, capacity);
    if (same_end(naive, run, asc_problem_count(problem), round)) {
      plans++;
      test_meet(is_large ? &large : &small, problem);
    }
    asc_run_free(naive);
    asc_run_free(run);
    asc_problem_free(problem);
    test_context_end(context);
  }
  assert_true(plans > test_cases(500));
  test_has_met(&small, rounds / 20);
  test_has_met(&large, rounds / 200);
}

/* ---- shared objects --------------------------------------------------------------------------------------------------- */

typedef struct objects {
  uint32_t count, of[MOST];
  int64_t size[MOST];
} objects;

/* Least time between b and a tenant of the object, or -1 if one is alive with it. */
static int64_t distance(const law *l, const objects *o, uint32_t b, uint32_t object) {
  int64_t least = INT64_MAX;
  for (uint32_t c = 0; c < l->count; c++) {
    if (o->of[c] != object || c == b) continue;
    int64_t after = spec_of(l, b)->lower - spec_of(l, c)->upper, before = spec_of(l, c)->lower - spec_of(l, b)->upper;
    if (after < 0 && before < 0) return -1;
    if (after >= 0 && after < least) least = after;
    if (before >= 0 && before < least) least = before;
  }
  return least;
}

static void enter(const law *l, objects *o, uint32_t b, uint32_t object) {
  if (object == o->count) o->size[o->count++] = 0;
  o->of[b] = object;
  if (spec_of(l, b)->size > o->size[object]) o->size[object] = spec_of(l, b)->size;
}

static void enter_smallest(const law *l, objects *o, uint32_t b) {
  uint32_t best = o->count;
  int64_t size = spec_of(l, b)->size;
  for (uint32_t k = 0; k < o->count; k++) {
    if (distance(l, o, b, k) < 0) continue;
    bool holds = o->size[k] >= size, best_holds = best < o->count && o->size[best] >= size;
    if (best == o->count || (holds && !best_holds) || (holds && o->size[k] < o->size[best]) ||
        (!holds && !best_holds && o->size[k] > o->size[best]))
      best = k;
  }
  enter(l, o, b, best);
}

/* How many buffers at least as large as b are alive at once, at most. */
static int64_t stage_of(const law *l, uint32_t b) {
  int64_t most = 0;
  for (int64_t t = 0; t < 64; t++) {
    int64_t alive = 0;
    for (uint32_t c = 0; c < l->count; c++)
      alive += spec_of(l, c)->size >= spec_of(l, b)->size && spec_of(l, c)->lower <= t && t < spec_of(l, c)->upper;
    if (alive > most) most = alive;
  }
  return most;
}

/* Each buffer keeps its nearest object until another comes nearer or that one is taken. */
static void improved(const law *l, objects *o) {
  int64_t near[MOST];
  uint32_t object[MOST], left = 0;
  for (uint32_t b = 0; b < l->count; b++) {
    near[b] = INT64_MAX;
    object[b] = ASC_NONE;
    left += spec_of(l, b)->size > 0;
  }
  for (; left; left--) {
    uint32_t best = ASC_NONE;
    for (uint32_t b = 0; b < l->count; b++) {
      if (o->of[b] != ASC_NONE || !spec_of(l, b)->size) continue;
      if (best == ASC_NONE || stage_of(l, b) < stage_of(l, best) ||
          (stage_of(l, b) == stage_of(l, best) &&
           (near[b] < near[best] || (near[b] == near[best] && spec_of(l, b)->size > spec_of(l, best)->size))))
        best = b;
    }
    uint32_t joined = object[best] == ASC_NONE ? o->count : object[best];
    enter(l, o, best, joined);
    for (uint32_t b = 0; b < l->count; b++) {
      if (o->of[b] != ASC_NONE) continue;
      int64_t now = distance(l, o, b, joined);
      if (now >= 0 && now < near[b]) {
        near[b] = now;
        object[b] = joined;
      } else if (now < 0 && object[b] == joined) {
        near[b] = INT64_MAX;
        object[b] = ASC_NONE;
        for (uint32_t k = 0; k < o->count; k++) {
          int64_t other = distance(l, o, b, k);
          if (other < 0 || other >= near[b]) continue;
          near[b] = other;
          object[b] = k;
        }
      }
    }
  }
}

static void shared_objects(void **state) {
  (void)state;
  static const char *const strategies[] = {"by-size", "by-breadth", "by-size-improved"};
  asci_rng rng = {7};
  for (uint32_t round = 0; round < test_cases(1000); round++)
    for (uint32_t k = 0; k < COUNT(strategies); k++) {
      asc_context *context = test_context();
      test_options options = {0};
      test_option_set(&options, "strategy", strategies[k]);
      law l = {.problem = test_random_problem(context, &rng, &plain_shape), .solver = "shared-objects"};
      objects o = {0};
      l.count = asc_problem_count(l.problem);
      record(&l, context, &options);
      for (uint32_t b = 0; b < l.count; b++) o.of[b] = ASC_NONE;
      if (k == 2)
        improved(&l, &o);
      else
        for (uint32_t p = 0; p < l.placed; p++)
          if (spec_of(&l, l.order[p])->size) enter_smallest(&l, &o, l.order[p]);
      for (uint32_t b = 0; b < l.count; b++) {
        int64_t expected = 0;
        for (uint32_t object = 0; o.of[b] != ASC_NONE && object < o.of[b]; object++) expected += o.size[object];
        if (l.final[b] != expected) test_print_problem(l.problem, 60);
        CHECK(l.final[b] == expected, "%s: b%u at %" PRId64 ", expected %" PRId64, strategies[k], b, l.final[b], expected);
      }
      asc_problem_free((asc_problem *)(uintptr_t)l.problem);
      test_context_end(context);
    }
}

int run_greedy_laws_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_placement),
      cmocka_unit_test(a_tree_of_addresses_changes_no_plan),
      cmocka_unit_test(shared_objects),
  };
  return cmocka_run_group_tests_name("greedy_laws", tests, NULL, NULL);
}
