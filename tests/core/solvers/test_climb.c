/* The hill climbers: each step against the rule of its planner, written down once more by the simplest means, on random problems; a case worked
 * on paper; when they end; what the seed decides. (Tiny problems against the oracle, save and load, memory and parity are in the suites of all
 * solvers.) */
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

typedef struct scene { /* of one step: the order and the plan before it */
  const asc_problem *problem;
  bool tvm;
  uint32_t n, order[MOST], turn[MOST];
  int64_t offsets[MOST], height, capacity, best;
  uint32_t attempt, improved, stuck;
} scene;

static const asc_buffer_spec *spec(const scene *s, uint32_t b) {
  return asc_problem_buffer(s->problem, b);
}

static bool together(const scene *s, uint32_t a, uint32_t b) {
  return a != b && spec(s, a)->size && spec(s, b)->size && spec(s, a)->lower < spec(s, b)->upper &&
         spec(s, b)->lower < spec(s, a)->upper;
}

/* ---- plans by the definition ---- */

static bool suits(const asc_buffer_spec *b, int64_t x) {
  return x % b->alignment == 0 && (b->bank == 0 || x / b->bank == (x + b->size - 1) / b->bank || b->size == 0);
}

static int64_t top_of(const scene *s, const int64_t *offsets, uint32_t b) {
  int64_t top = offsets[b] + spec(s, b)->size, a = spec(s, b)->alignment;
  return s->tvm ? (top + a - 1) / a * a : top; /* what it keeps from others */
}

/* Byte by byte from the ground. TVM: a gap begins at a rounded top, so no place between a top and that will do. */
static int64_t lowest(const scene *s, const int64_t *offsets, uint32_t b) {
  for (int64_t x = 0;; x++) {
    bool free = suits(spec(s, b), x);
    for (uint32_t o = 0; o < s->n && free; o++)
      free = offsets[o] < 0 || !together(s, b, o) || x >= top_of(s, offsets, o) || x + spec(s, b)->size <= offsets[o];
    if (free) return x;
  }
}

/* Height as far as it is not above `most`, *made: how many were placed. */
static int64_t decode(const scene *s, const uint32_t *order, int64_t most, int64_t *offsets, uint32_t *made) {
  int64_t height = 0;
  for (uint32_t b = 0; b < s->n; b++) offsets[b] = -1;
  for (*made = 0; *made < s->n && height <= most; ++*made) {
    uint32_t b = order[*made];
    offsets[b] = lowest(s, offsets, b);
    if (offsets[b] + spec(s, b)->size > height) height = offsets[b] + spec(s, b)->size;
  }
  return height;
}

/* ---- who may be swapped ---- */

/* Vela: on whose top b's place depends. */
static uint32_t below(const scene *s, uint32_t b) {
  uint32_t best = ASC_NONE;
  int64_t since = 0;
  for (uint32_t o = 0; o < s->n && s->offsets[b] > 0; o++) {
    if (!together(s, b, o) || s->turn[o] > s->turn[b]) continue;
    int64_t x = s->offsets[o] + spec(s, o)->size;
    while (!suits(spec(s, b), x)) x++;
    int64_t begin = spec(s, o)->lower > spec(s, b)->lower ? spec(s, o)->lower : spec(s, b)->lower;
    if (x != s->offsets[b] || (best != ASC_NONE && begin >= since)) continue;
    best = o;
    since = begin;
  }
  return best;
}

static void with_those_below(const scene *s, uint32_t b, bool *set) {
  for (; b != ASC_NONE; b = below(s, b)) set[b] = true;
}

/* near: TVM's first level; all who had a hand in it for Vela. wide: who else can be drawn. */
static void candidates(const scene *s, uint32_t bottleneck, bool *near, bool *wide) {
  bool far[MOST] = {false}, stuck = s->attempt - s->improved > s->stuck;
  memset(near, 0, MOST * sizeof *near);
  if (!s->tvm) with_those_below(s, bottleneck, near);
  for (uint32_t c = 0; c < s->n; c++) {
    if (!together(s, bottleneck, c)) continue;
    if (!s->tvm) with_those_below(s, c, near);
    if (s->tvm && s->turn[c] < s->turn[bottleneck]) near[c] = true;
    for (uint32_t d = 0; d < s->n && s->tvm; d++)
      if (together(s, c, d) && s->turn[d] < s->turn[c]) far[d] = true;
  }
  memcpy(wide, s->tvm ? far : near, MOST * sizeof *wide);
  for (uint32_t c = 0; c < s->n && !s->tvm && stuck; c++) {
    if (!near[c] || c == bottleneck || together(s, c, bottleneck)) continue;
    for (uint32_t d = 0; d < s->n; d++) wide[d] = wide[d] || together(s, c, d);
  }
}

static void check_candidates(const scene *s, const asc_event *why, const uint32_t *list, const bool *near,
                             const bool *wide) {
  bool listed[MOST] = {false};
  uint32_t count = 0;
  for (uint32_t b = 0; b < s->n; b++) count += near[b];
  CHECK(why->bottleneck.near == count, "%d had a hand in it, expected %u", (int)why->bottleneck.near, count);
  for (uint32_t k = 0; k < why->list_count; k++) {
    uint32_t b = list[why->list + k];
    assert_false(listed[b]);
    listed[b] = true;
    assert_true(k < count ? near[b] : !near[b] && wide[b]);
  }
  for (uint32_t b = 0; b < s->n; b++) assert_true(listed[b] == (near[b] || wide[b]));
}

/* ---- one attempt ---- */

/* What both kinds of swaps say. Verdict: 0 taken back for its height, 1 given up half way, 2 lower, 3 as high, 4 higher and kept, 5 nobody. */
typedef struct exchanged {
  int64_t buffer, other, height, before, best;
  int verdict;
  uint32_t list_count;
} exchanged;

static exchanged read_swap(const asc_event *event) {
  if (event->kind == ASC_EVENT_SWAP) {
    const asc_event_swap *kept = &event->swap;
    int verdict = kept->height < kept->before ? 2 : kept->height == kept->before ? 3 : 4;
    return (exchanged){kept->buffer, kept->other, kept->height, kept->before, kept->best, verdict, event->list_count};
  }
  const asc_event_swap_back *back = &event->swap_back;
  assert_int_equal(event->kind, ASC_EVENT_SWAP_BACK);
  assert_in_range(back->why, 0, 2);
  return (exchanged){back->buffer,     back->other, back->height,
                     back->before,     back->best,  back->why == 2 ? 5 : (int)back->why,
                     event->list_count};
}

static void exchange(scene *s, int64_t a, int64_t b) {
  uint32_t left = s->turn[a], right = s->turn[b];
  s->order[left] = (uint32_t)b;
  s->order[right] = (uint32_t)a;
  s->turn[a] = right;
  s->turn[b] = left;
}

static void check_pair(scene *s, const exchanged *swap, const asc_event *why, const bool *near, const bool *wide) {
  int64_t a = swap->buffer, b = swap->other, then = why->bottleneck.second, with = why->bottleneck.partner;
  assert_true(s->turn[a] <= s->turn[b]);
  bool one = near[a] && (near[b] || wide[b]), other = near[b] && (near[a] || wide[a]);
  CHECK(one || other, "b%d and b%d had no hand in b%d", (int)a, (int)b, (int)why->bottleneck.buffer);
  bool second = !s->tvm && s->attempt - s->improved > s->stuck;
  assert_true((then != ASC_NONE) == second && (with != ASC_NONE) == second);
  exchange(s, a, b);
  if (!second) return;
  assert_true(s->turn[then] <= s->turn[with]);
  exchange(s, then, with);
}

static int64_t verdict_of(const scene *s, const exchanged *swap, int64_t height, bool whole) {
  if (!whole) return 1;
  if (height < s->height) return 2;
  if (!s->tvm) return height == s->height ? 3 : 0;
  /* TVM keeps a higher one by chance, if there is a chance */
  int64_t chances = height > 0 ? 50 * (height - s->height) / height / (s->attempt + 1) : 0;
  return swap->verdict == 4 && chances > 0 ? 4 : 0;
}

/* Goes through an attempt and leaves the scene after it. */
static void attempt(scene *s, const exchanged *swap, const asc_event *why, const uint32_t *lists) {
  const asc_problem *problem = s->problem;
  bool near[MOST], wide[MOST];
  uint32_t made, bottleneck = (uint32_t)why->bottleneck.buffer;
  assert_int_equal(why->bottleneck.top, s->height);
  assert_int_equal(s->offsets[bottleneck] + spec(s, bottleneck)->size, s->height);
  for (uint32_t b = 0; b < bottleneck && !s->tvm; b++) assert_true(s->offsets[b] + spec(s, b)->size < s->height);
  candidates(s, bottleneck, near, wide);
  check_candidates(s, why, lists, near, wide);
  assert_int_equal(swap->before, s->height);
  scene before = *s;
  int64_t offsets[MOST];
  if (swap->verdict == 5) {
    assert_true(swap->buffer == ASC_NONE && swap->other == ASC_NONE && !swap->list_count);
  } else {
    check_pair(s, swap, why, near, wide);
    int64_t height = decode(s, s->order, s->tvm ? INT64_MAX : s->height, offsets, &made);
    assert_int_equal(swap->height, height);
    int64_t verdict = verdict_of(s, swap, height, made == s->n);
    CHECK(swap->verdict == verdict, "verdict %d, expected %d", (int)swap->verdict, (int)verdict);
    uint32_t moved = 0;
    for (uint32_t b = 0; b < s->n; b++) moved += offsets[b] >= 0 && offsets[b] != s->offsets[b];
    assert_int_equal(swap->list_count, moved);
    if (verdict >= 2) {
      memcpy(before.order, s->order, sizeof before.order);
      memcpy(before.turn, s->turn, sizeof before.turn);
      memcpy(before.offsets, offsets, sizeof before.offsets);
      before.height = height;
    }
    if (verdict == 2) before.improved = s->attempt;
    if (before.height < before.best) before.best = before.height;
  }
  before.attempt++;
  *s = before;
  assert_int_equal(swap->best, s->best);
  assert_true(s->best >= asc_problem_lower_bound(problem));
}

/* ---- whole runs ---- */

static void same_as_view(const scene *s, asc_run *run) {
  asc_run_view view;
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  assert_int_equal(view.depth, s->n);
  assert_memory_equal(view.stack, s->order, s->n * sizeof *s->order);
  assert_memory_equal(view.offsets, s->offsets, s->n * sizeof *s->offsets);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  assert_int_equal(stats.height, s->best);
}

/* The plan that the first n steps made is first fit of the order in which they placed. */
static asc_outcome first_plan(scene *s, asc_run *run) {
  asc_outcome outcome;
  asc_run_view view;
  uint32_t made;
  assert_int_equal(asc_run_step(run, s->n, &outcome), ASC_OK);
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  for (uint32_t k = 0; k < s->n; k++) s->turn[s->order[k] = view.stack[k]] = k;
  s->height = s->best = decode(s, s->order, INT64_MAX, s->offsets, &made);
  if (s->n) same_as_view(s, run);
  return outcome;
}

/* How many attempts a run made, each looked at. */
static uint32_t follow(asc_context *context, const asc_problem *problem, const char *solver, uint64_t seed) {
  scene s = {.problem = problem,
             .tvm = solver[0] == 't',
             .n = asc_problem_count(problem),
             .stuck = 5,
             .capacity = asc_problem_lower_bound(problem)};
  test_options options = {0};
  options.goal = seed % 2 ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
  test_option_set(&options, "attempts", "60");
  if (!s.tvm) test_option_set(&options, "stuck", "5");
  if (!s.tvm) test_option_set(&options, "patience", "20");
  asc_run_config config = test_config(solver, s.capacity, &options);
  config.seed = seed;
  asc_run *run = test_run_new(problem, &config);
  asc_log *log = NULL;
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_outcome outcome = first_plan(&s, run);
  asc_run_attach(run, log);
  while (outcome == ASC_OUTCOME_RUNNING) {
    asc_log_clear(log);
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    asc_log_get(log, &events, &count, &lists, NULL);
    assert_true(count >= 2);
    assert_int_equal(events[1].kind, ASC_EVENT_BOTTLENECK);
    exchanged swap = read_swap(&events[0]);
    attempt(&s, &swap, &events[1], lists);
    same_as_view(&s, run);
  }
  asc_run_free(run);
  asc_log_free(log);
  return s.attempt;
}

static void every_step_follows_the_rule(void **state) {
  (void)state;
  static const char *const solvers[] = {"tvm-hill-climb", "vela-hill-climb"};
  asci_rng rng = {5};
  uint32_t attempts[2] = {0, 0}, rounds = test_cases(60);
  for (uint32_t round = 0; round < rounds; round++) {
    asc_context *context = test_context();
    test_shape shape = {
        .min_buffers = 2, .max_buffers = 25, .min_time = 3, .max_time = 15, .max_size = 12, .max_alignment = 1};
    if (round % 3 == 1) shape.max_alignment = 8;
    if (round % 4 == 1) shape.bank = 20;
    if (round % 5 == 1) shape.zero = 10;
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    for (uint32_t k = 0; k < 2; k++) attempts[k] += follow(context, problem, solvers[k], round);
    asc_problem_free(problem);
    test_context_end(context);
  }
  assert_true(attempts[0] > 10 * rounds && attempts[1] > 10 * rounds);
}

/* ---- on paper ---- */

/* A run to its end, and what its attempts came to: verdicts by number, and how many swapped just these two. */
typedef struct count_of {
  asc_run_stats stats;
  uint32_t verdicts[6], pair;
  int64_t offsets[4];
} count_of;

static count_of run_on(const char *solver, const char *limits, int64_t capacity, const asc_buffer_spec *specs, uint32_t n,
                       uint32_t a, uint32_t b) {
  count_of made = {0};
  test_options options = {0};
  options.goal = strchr(limits, 'm') ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
  if (strchr(limits, '3')) test_option_set(&options, "attempts", "37");
  if (strchr(limits, '1')) test_option_set(&options, "attempts", "10");
  if (strchr(limits, 'p')) test_option_set(&options, "patience", "20");
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, specs, n);
  asc_run_config config = test_config(solver, capacity, &options);
  asc_run *run = test_run_new(problem, &config);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  test_finish(run);
  asc_run_stats_get(run, &made.stats);
  memcpy(made.offsets, asc_run_best(run), n * sizeof *made.offsets);
  const asc_event *events;
  uint32_t count;
  asc_log_get(log, &events, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++) {
    if (events[k].kind != ASC_EVENT_SWAP && events[k].kind != ASC_EVENT_SWAP_BACK) continue;
    exchanged swap = read_swap(&events[k]);
    made.verdicts[swap.verdict]++;
    made.pair += (swap.buffer == a && swap.other == b) || (swap.buffer == b && swap.other == a);
  }
  asc_run_free(run);
  asc_log_free(log);
  asc_problem_free(problem);
  test_context_end(context);
  return made;
}

static asc_buffer_spec aligned(int64_t size, int64_t alignment) {
  asc_buffer_spec made = test_spec(0, 2, size);
  made.alignment = alignment;
  return made;
}

/* 5 bytes below an offset of 8: changed about, the 4 aligned bytes lie below the 5. Vela can only draw these two. */
static void vela_swaps_the_two_of_a_pile(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {aligned(5, 1), aligned(4, 4)};
  count_of made = run_on("vela-hill-climb", "", 9, specs, 2, 0, 1);
  assert_int_equal(made.stats.outcome, ASC_OUTCOME_OPTIMAL);
  assert_int_equal(made.stats.steps, 3);
  assert_int_equal(made.stats.height, 9);
  assert_int_equal(made.verdicts[2], 1);
  assert_int_equal(made.pair, 1);
  assert_int_equal(made.offsets[0], 4);
  assert_int_equal(made.offsets[1], 0);
}

/* TVM swaps below the highest buffer, and here there is only one: all 499 attempts are spent on it. */
static void tvm_has_nobody_to_swap_in_a_pile_of_two(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {aligned(5, 1), aligned(4, 4)};
  count_of made = run_on("tvm-hill-climb", "", 9, specs, 2, 0, 1);
  assert_int_equal(made.stats.outcome, ASC_OUTCOME_OVER_CAPACITY);
  assert_int_equal(made.stats.height, 12);
  assert_int_equal(made.stats.steps, 2 + 499);
  assert_int_equal(made.verdicts[5], 499);
}

/* b2 comes before b1, later in the alphabet. Only b0 and b2 come before the highest, b1 at 12: their swap is as high, and TVM never keeps that. */
static void tvm_keeps_no_plan_as_high(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {aligned(5, 1), aligned(4, 4), aligned(4, 1)};
  count_of made = run_on("tvm-hill-climb", "3", 13, specs, 3, 0, 2);
  assert_int_equal(made.stats.outcome, ASC_OUTCOME_OVER_CAPACITY);
  assert_int_equal(made.stats.height, 16);
  assert_int_equal(made.verdicts[0], 36);
  assert_int_equal(made.pair, 36);
}

/* A third buffer, placed last in the gap, has the highest one before it: so that is of the second level, and the swap lowers the plan. */
static void tvm_swaps_the_highest_as_second_level(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {aligned(5, 1), aligned(4, 4), aligned(1, 1)};
  count_of made = run_on("tvm-hill-climb", "", 10, specs, 3, 0, 1);
  assert_int_equal(made.stats.outcome, ASC_OUTCOME_OPTIMAL);
  assert_int_equal(made.stats.steps, 3 + 1);
  assert_int_equal(made.verdicts[2], 1);
  assert_int_equal(made.pair, 1);
}

/* 3 + 3 + 2 bytes, of which the 3 are on multiples of 4: no order is lower than 9, and the load is 8. */
static void vela_ends_when_it_has_had_patience(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {aligned(3, 4), aligned(3, 4), aligned(2, 1)};
  static const struct {
    const char *limits;
    int64_t capacity;
    asc_outcome outcome;
    uint32_t attempts;
  } cases[] = {{"", 9, ASC_OUTCOME_FEASIBLE, 0},         {"mp", 100, ASC_OUTCOME_FEASIBLE, 20},
               {"3p", 8, ASC_OUTCOME_OVER_CAPACITY, 37}, {"1p", 8, ASC_OUTCOME_OVER_CAPACITY, 20},
               {"m", 9, ASC_OUTCOME_FEASIBLE, 500},      {"m1", 8, ASC_OUTCOME_OVER_CAPACITY, 500}};
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    count_of made = run_on("vela-hill-climb", cases[k].limits, cases[k].capacity, specs, 3, 0, 1);
    CHECK(made.stats.steps == 3 + cases[k].attempts, "case %u: %d steps", k, (int)made.stats.steps);
    CHECK(made.stats.outcome == cases[k].outcome, "case %u: %s", k, asc_outcome_id(made.stats.outcome));
    assert_int_equal(made.stats.height, 9);
  }
}

/* ---- the seed ---- */

static asc_run_stats generated(asc_problem *problem, const char *solver, int64_t capacity, uint64_t seed, bool interrupted) {
  asc_run_config config = test_config(solver, capacity, NULL);
  config.seed = seed;
  config.budget = 900;
  asc_run *run = test_run_new(problem, &config);
  for (uint64_t k = 0; k < 900 && interrupted; k += 7) {
    asc_outcome outcome;
    assert_int_equal(asc_run_step(run, 7, &outcome), ASC_OK);
    if (outcome != ASC_OUTCOME_RUNNING) break;
    asc_run_cancel(run);
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
    test_sound_end(problem, run, capacity, solver);
    asc_run_resume(run, config.budget);
  }
  test_finish(run);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  asc_run_free(run);
  return stats;
}

static void the_seed_decides_and_nothing_else(void **state) {
  (void)state;
  static const char *const solvers[] = {"tvm-hill-climb", "vela-hill-climb"};
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  int64_t capacity;
  assert_int_equal(asc_generate(context, "synthetic", 120, 3, &problem, &capacity), ASC_OK);
  for (uint32_t k = 0; k < COUNT(solvers); k++) {
    asc_run_stats one = generated(problem, solvers[k], capacity, 1, false);
    asc_run_stats same = generated(problem, solvers[k], capacity, 1, true);
    asc_run_stats other = generated(problem, solvers[k], capacity, 2, false);
    assert_true(one.digest == same.digest && one.height == same.height && one.steps == same.steps);
    assert_true(one.digest != other.digest);
    assert_true(one.height > capacity); /* so that there was something to do */
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- a cancel within an attempt ---- */

/* An allocator that asks its run to end at every call: an attempt needs memory now and then. */
typedef struct canceller {
  asc_run *run;
  uint32_t asked;
} canceller;

static void *resize(void *user, void *block, size_t bytes) {
  canceller *c = user;
  if (c->run) {
    asc_run_cancel(c->run);
    c->asked++;
  }
  return realloc(block, bytes);
}

static void release(void *user, void *block) {
  (void)user;
  free(block);
}

static asc_run_stats interrupted_within(const char *solver, canceller *c, uint32_t *undone) {
  asc_allocator allocator = {resize, release, c};
  asc_context *context = NULL;
  asc_problem *problem = NULL;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_run_stats stats = {0};
  int64_t capacity;
  bool armed = undone != NULL;
  assert_int_equal(asc_context_new(&allocator, &context), ASC_OK);
  assert_int_equal(asc_generate(context, "synthetic", 60, 5, &problem, &capacity), ASC_OK);
  asc_run_config config = test_config(solver, capacity, NULL);
  config.budget = 400;
  asc_run *run = test_run_new(problem, &config);
  for (uint32_t k = 0; outcome == ASC_OUTCOME_RUNNING; k++) {
    uint64_t before = stats.steps;
    c->run = armed && k % 2 == 0 ? run : NULL; /* every second time it may do what it was about to */
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    c->run = NULL;
    asc_run_stats_get(run, &stats);
    if (outcome != ASC_OUTCOME_CANCELLED) continue;
    if (undone && stats.steps == before) ++*undone;
    asc_run_resume(run, config.budget);
    outcome = ASC_OUTCOME_RUNNING;
  }
  asc_run_free(run);
  asc_problem_free(problem);
  asc_context_free(context);
  return stats;
}

static void an_attempt_cut_short_has_not_been_made(void **state) {
  (void)state;
  static const char *const solvers[] = {"tvm-hill-climb", "vela-hill-climb"};
  uint32_t undone = 0;
  for (uint32_t k = 0; k < COUNT(solvers); k++) {
    canceller none = {0}, some = {0};
    asc_run_stats whole = interrupted_within(solvers[k], &none, NULL);
    asc_run_stats cut = interrupted_within(solvers[k], &some, &undone);
    assert_true(whole.digest == cut.digest && whole.steps == cut.steps && whole.height == cut.height);
    assert_true(some.asked > 0);
  }
  assert_true(undone > 0);
}

int run_climb_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_step_follows_the_rule),
      cmocka_unit_test(vela_swaps_the_two_of_a_pile),
      cmocka_unit_test(tvm_has_nobody_to_swap_in_a_pile_of_two),
      cmocka_unit_test(tvm_keeps_no_plan_as_high),
      cmocka_unit_test(tvm_swaps_the_highest_as_second_level),
      cmocka_unit_test(vela_ends_when_it_has_had_patience),
      cmocka_unit_test(the_seed_decides_and_nothing_else),
      cmocka_unit_test(an_attempt_cut_short_has_not_been_made),
  };
  return cmocka_run_group_tests_name("climb", tests, NULL, NULL);
}
