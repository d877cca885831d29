/* The baselines of the papers against their rules, written down once more by the simplest means: csp's plan is the first in the order of its search, every
 * step of cp and meta-csp is the least solution of the orders that stand, and all of them agree on every verdict. (Tiny problems against the oracle, save
 * and load, memory and parity are in the suites of all solvers.) */
#include "support.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 10 };

static asc_problem *random_problem(asc_context *context, asci_rng *rng, uint32_t number) {
  test_shape shape = {.min_buffers = 3, .max_buffers = 8, .max_time = 6, .max_size = 5, .max_alignment = 1, .tie = 30};
  if (number % 2) shape.max_alignment = 4;
  return test_random_problem(context, rng, &shape);
}

static bool together(const asc_problem *problem, uint32_t a, uint32_t b) {
  const asc_buffer_spec *x = asc_problem_buffer(problem, a), *y = asc_problem_buffer(problem, b);
  return a != b && x->size && y->size && x->lower < y->upper && y->lower < x->upper;
}

/* ---- csp: the first plan of a walk over all addresses ---- */

static bool comes_before(const asc_problem *problem, uint32_t a, uint32_t b) {
  const asc_buffer_spec *x = asc_problem_buffer(problem, a), *y = asc_problem_buffer(problem, b);
  int64_t left = x->size * (x->upper - x->lower), right = y->size * (y->upper - y->lower);
  return left != right ? left > right : a < b;
}

static bool walk(const asc_problem *problem, const uint32_t *order, uint32_t at, int64_t capacity, int64_t *offsets) {
  if (at == asc_problem_count(problem)) return true;
  uint32_t b = order[at];
  const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
  for (int64_t x = 0; x + spec->size <= capacity; x++) {
    bool free = x % spec->alignment == 0;
    for (uint32_t k = 0; k < at && free; k++) {
      uint32_t o = order[k];
      free =
          !together(problem, b, o) || x >= offsets[o] + asc_problem_buffer(problem, o)->size || x + spec->size <= offsets[o];
    }
    offsets[b] = x;
    if (free && walk(problem, order, at + 1, capacity, offsets)) return true;
  }
  return false;
}

static bool first_plan(const asc_problem *problem, int64_t capacity, int64_t *offsets) {
  uint32_t order[MOST] = {0}, count = 0;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    uint32_t at = count++;
    for (; at && comes_before(problem, b, order[at - 1]); at--) order[at] = order[at - 1];
    order[at] = b;
  }
  return walk(problem, order, 0, capacity, offsets);
}

static asc_outcome solve(const asc_problem *problem, const char *solver, int64_t capacity, const test_options *options,
                         int64_t *offsets, uint64_t *steps) {
  asc_run_config config = test_config(solver, capacity, options);
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome = test_finish(run);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  if (steps) *steps = stats.steps;
  const int64_t *best = asc_run_best(run);
  if (best && offsets) memcpy(offsets, best, asc_problem_count(problem) * sizeof *offsets);
  asc_run_free(run);
  return outcome;
}

/* Whatever is pruned and however addresses are counted, the plan is the first one; pruning never takes more placements. */
static void csp_finds_the_first_plan(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {901};
  static const char *const sets[][3] = {
      {"byte", "false", "false"}, {"byte", "true", "false"}, {"byte", "false", "true"}, {"gcd", "true", "true"}};
  uint32_t plans = 0, none = 0;
  for (uint32_t number = 0; number < test_cases(400); number++) {
    asc_problem *problem = random_problem(context, &rng, number);
    int64_t capacity = asc_problem_lower_bound(problem) + (int64_t)(number % 3);
    int64_t expected[MOST] = {0}, found[MOST] = {0};
    bool there = first_plan(problem, capacity, expected);
    plans += there;
    none += !there;
    for (uint32_t k = 0; k < COUNT(sets); k++) {
      test_options options = {0};
      test_option_set(&options, "unit", sets[k][0]);
      test_option_set(&options, "forward", sets[k][1]);
      test_option_set(&options, "space", sets[k][2]);
      asc_outcome outcome = solve(problem, "csp", capacity, &options, found, NULL);
      bool solved = outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL;
      if (solved != there) test_print_problem(problem, capacity);
      CHECK(solved == there, "problem %u, set %u: %s", number, k, asc_outcome_id(outcome));
      bool first = !there || k == 3 || !memcmp(found, expected, asc_problem_count(problem) * sizeof *found);
      if (!first) test_print_problem(problem, capacity);
      CHECK(first, "problem %u, set %u: not the first plan", number, k);
    }
    asc_problem_free(problem);
  }
  assert_true(plans > 5 && none > 0);
  test_context_end(context);
}

/* Sizes of 1,000 bytes: in units of their divisor the same plan takes a thousandth of the addresses. */
static void csp_counts_in_units(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 2, 3000), test_spec(1, 3, 2000), test_spec(2, 4, 3000), test_spec(0, 1, 2000),
                             test_spec(3, 4, 1000)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  test_options bytes = {0}, units = {0};
  test_option_set(&units, "unit", "gcd");
  int64_t plan[2][COUNT(specs)];
  uint64_t steps[2];
  asc_outcome by_byte = solve(problem, "csp", 4999, &bytes, plan[0], &steps[0]);
  asc_outcome by_unit = solve(problem, "csp", 4999, &units, plan[1], &steps[1]);
  assert_int_equal(by_byte, by_unit);
  assert_int_equal(by_unit, ASC_OUTCOME_INFEASIBLE);
  by_byte = solve(problem, "csp", 5000, &bytes, plan[0], NULL);
  by_unit = solve(problem, "csp", 5000, &units, plan[1], NULL);
  assert_int_equal(by_byte, ASC_OUTCOME_OPTIMAL);
  assert_int_equal(by_unit, ASC_OUTCOME_OPTIMAL);
  assert_memory_equal(plan[0], plan[1], sizeof plan[0]);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- cp and meta-csp: the least solution of what was decided ---- */

typedef struct stack { /* orders that stand: who lies above whom */
  uint32_t upper[MOST * MOST], lower[MOST * MOST], count;
} stack;

static int64_t rounded(int64_t x, int64_t alignment) {
  return (x + alignment - 1) / alignment * alignment;
}

/* Lifts everybody until all orders hold. */
static void least_offsets(const asc_problem *problem, const stack *s, int64_t *offsets) {
  memset(offsets, 0, MOST * sizeof *offsets);
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t k = 0; k < s->count; k++) {
      const asc_buffer_spec *lower = asc_problem_buffer(problem, s->lower[k]),
                            *upper = asc_problem_buffer(problem, s->upper[k]);
      int64_t at = rounded(offsets[s->lower[k]] + lower->size, upper->alignment);
      if (offsets[s->upper[k]] >= at) continue;
      assert_true(at < 1000); /* no circle */
      offsets[s->upper[k]] = at;
      moved = true;
    }
  }
}

static void follow(const asc_problem *problem, const asc_event *event, stack *s) {
  int64_t offsets[MOST] = {0};
  if (event->kind == ASC_EVENT_DROP) {
    assert_int_equal(event->drop.level + event->drop.count, s->count);
    s->count = (uint32_t)event->drop.level;
  }
  if (event->kind != ASC_EVENT_LIFT) return;
  s->upper[s->count] = (uint32_t)event->lift.buffer;
  s->lower[s->count++] = (uint32_t)event->lift.other;
  assert_int_equal(event->lift.level, s->count);
  assert_true(together(problem, s->upper[s->count - 1], s->lower[s->count - 1]));
  least_offsets(problem, s, offsets);
  /* orders that follow may lift it further, never less */
  assert_true(event->lift.offset >= offsets[event->lift.buffer]);
}

static void orders_lift(const char *solver) {
  asc_context *context = test_context();
  asci_rng rng = {77};
  uint32_t decisions = 0, drops = 0;
  for (uint32_t number = 0; number < test_cases(300); number++) {
    asc_problem *problem = random_problem(context, &rng, number);
    asc_run_config config = test_config(solver, asc_problem_lower_bound(problem) + (int64_t)(number % 2), NULL);
    asc_run *run = test_run_new(problem, &config);
    asc_log *log;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    asc_outcome outcome = test_finish(run);
    const asc_event *events;
    uint32_t count;
    asc_log_get(log, &events, &count, NULL, NULL);
    stack s = {.count = 0};
    for (uint32_t k = 0; k < count; k++) {
      follow(problem, &events[k], &s);
      decisions += events[k].kind == ASC_EVENT_LIFT;
      drops += events[k].kind == ASC_EVENT_DROP;
    }
    if (outcome != ASC_OUTCOME_INFEASIBLE) {
      const int64_t *best = asc_run_best(run);
      int64_t least[MOST];
      least_offsets(problem, &s, least);
      for (uint32_t b = 0; b < asc_problem_count(problem); b++) assert_true(best[b] >= least[b]);
    }
    asc_log_free(log);
    asc_run_free(run);
    asc_problem_free(problem);
  }
  assert_true(decisions > 20 && drops > 0);
  test_context_end(context);
}

static void cp_lifts(void **state) {
  (void)state;
  orders_lift("cp");
}

static void meta_csp_lifts(void **state) {
  (void)state;
  orders_lift("meta-csp");
}

/* ---- all of them ---- */

static void all_agree(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {4242};
  static const char *const solvers[] = {"exact", "cp", "csp", "meta-csp"};
  uint32_t fits = 0, fails = 0;
  for (uint32_t number = 0; number < test_cases(200); number++) {
    asc_problem *problem = random_problem(context, &rng, number);
    test_options least = {.goal = ASC_GOAL_HEIGHT};
    asc_run_config config = test_config("exact", 1000, &least);
    asc_run *run = test_run_new(problem, &config);
    assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    asc_run_free(run);
    for (int64_t capacity = stats.height - 1; capacity <= stats.height; capacity++)
      for (uint32_t k = 0; k < COUNT(solvers); k++) {
        asc_outcome outcome = solve(problem, solvers[k], capacity, NULL, NULL, NULL);
        bool fit = outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_FEASIBLE;
        CHECK(fit || outcome == ASC_OUTCOME_INFEASIBLE, "%s: %s", solvers[k], asc_outcome_id(outcome));
        CHECK(fit == (capacity == stats.height), "%s, problem %u, capacity %d", solvers[k], number, (int)capacity);
        fits += fit;
        fails += !fit;
      }
    asc_problem_free(problem);
  }
  assert_int_equal(fits, fails);
  test_context_end(context);
}

/* What does not suit the matrix is refused with its figure. */
static void meta_csp_names_its_limit(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  for (uint32_t k = 0; k <= 2000; k++) {
    char id[12];
    asc_buffer_spec spec = test_spec(k, k + 1, 1);
    snprintf(id, sizeof id, "b%u", k);
    spec.id = id;
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  asc_run_config config = test_config("meta-csp", 10, NULL);
  asc_run *run = NULL;
  asc_diag diag;
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, &diag), ASC_UNSUPPORTED);
  assert_non_null(strstr(diag.message, "2,000"));
  asc_problem_free(problem);
  test_context_end(context);
}

/* Two that are fixed lie across each other; or leave a hole that is too small for the third; or one that is nearly as large as all addresses, and begins at a
   multiple of 64, has two others beside it that do so (csp, which walks through addresses, is spared that). */
static void what_is_fixed_contradicts_itself(void **state) {
  (void)state;
  static const char *const solvers[] = {"csp", "cp", "meta-csp"};
  const int64_t nearly = ASC_MAX_BYTES - 3;
  const asc_buffer_spec rows[][3] = {{test_spec(0, 2, 4), test_spec(0, 2, 4), test_spec(0, 2, 1)},
                                     {test_spec(0, 2, 3), test_spec(0, 2, 3), test_spec(0, 2, 3)},
                                     {test_spec(0, 2, 1), test_spec(0, 2, nearly), test_spec(0, 2, 1)}};
  static const int64_t fixed[][2] = {{0, 2}, {2, 5}, {ASC_UNPLACED, ASC_UNPLACED}};
  asc_context *context = test_context();
  for (uint32_t k = 0; k < COUNT(rows) * COUNT(solvers); k++) {
    asc_buffer_spec specs[3];
    memcpy(specs, rows[k / 3], sizeof specs);
    if (k == 6) continue;
    for (uint32_t b = 0; b < 2; b++) specs[b].offset = fixed[k / 3][b];
    for (uint32_t b = 0; b < 3; b++) specs[b].alignment = k / 3 == 2 ? 64 : 1;
    asc_problem *problem = test_problem(context, specs, 3);
    int64_t found[3];
    asc_outcome outcome = solve(problem, solvers[k % 3], k / 3 == 2 ? ASC_MAX_BYTES : 9, NULL, found, NULL);
    CHECK(outcome == ASC_OUTCOME_INFEASIBLE, "%s, %u: %s", solvers[k % 3], k / 3, asc_outcome_id(outcome));
    asc_problem_free(problem);
  }
  test_context_end(context);
}

int run_baselines_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_fixed_contradicts_itself),
      cmocka_unit_test(csp_finds_the_first_plan),
      cmocka_unit_test(csp_counts_in_units),
      cmocka_unit_test(cp_lifts),
      cmocka_unit_test(meta_csp_lifts),
      cmocka_unit_test(all_agree),
      cmocka_unit_test(meta_csp_names_its_limit),
  };
  return cmocka_run_group_tests_name("baselines", tests, NULL, NULL);
}
