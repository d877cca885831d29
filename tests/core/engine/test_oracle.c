/* Every solver, under every switch, against the oracle that tries everything (brute.h), on thousands of small random problems. */
#include "brute.h"
#include "cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Capacities of which the oracle is asked for the least. */
enum { MOST = 16 };
/* Problems of every run. */
enum { PLAIN = 10000 };

typedef struct totals {
  uint32_t runs, feasible, infeasible, exhausted, over, unsupported;
} totals;

typedef struct trial {
  const asc_problem *problem;
  int64_t capacity;
  bool feasible;   /* says the oracle */
  int64_t least;   /* least feasible capacity; -1: above MOST */
  uint64_t number; /* of the problem, for messages */
} trial;

static asci_rng rng_of(uint64_t number) {
  return (asci_rng){UINT64_C(0x5eed) + number * UINT64_C(0x100000001b3)};
}

/* From bare packing to every constraint at once, in turn. */
static test_shape shape_of(uint64_t number) {
  test_shape shape = {.min_buffers = 1,
                      .max_buffers = 7,
                      .max_time = 4 + (int64_t)(number % 7),
                      .max_size = 6,
                      .max_alignment = 1,
                      .max_fixed = 9,
                      .tie = 40,
                      .zero = 5};
  uint64_t variety = number / 7 % 8;
  if (variety & 1) shape.max_alignment = 4;
  if (variety & 2) shape.fixed = 15;
  if (variety & 4) shape.gap = 30;
  if (variety & 4 && number % 2) shape.window = 50;
  if (number % 3 == 0) shape.hint = 30;
  if (number % 5 == 0) shape.max_size = 3;
  if (number % 4 == 1) shape.bank = 40;
  if (number % 8 == 6) shape.rects = 60;
  return shape;
}

/* Most capacities sit at the edge between feasible and not, where mistakes show. */
static int64_t capacity_for(asci_rng *rng, uint64_t number, int64_t least) {
  if (number % 4 == 0) return asci_random_between(rng, 4, MOST);
  if (least < 0) return MOST;
  int64_t capacity = least + (int64_t)(number % 3) - 1;
  return capacity < 0 ? 0 : capacity;
}

/* ---- one run against the oracle ---- */

static void wrong(const trial *t, const char *solver, const test_options *options, const char *what) {
  test_print_problem(t->problem, t->capacity);
  fail_msg("problem %" PRIu64 ", %s %s: %s", t->number, solver, test_options_text(options), what);
}

static void check_plan(const trial *t, const asc_run *run, const asc_solver_info *solver, const test_options *options) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  const int64_t *best = asc_run_best(run);
  if (!best) wrong(t, solver->id, options, "no plan");
  int64_t height = stats.outcome == ASC_OUTCOME_OVER_CAPACITY ? stats.height : t->capacity;
  if (height > 60) return; /* a heuristic's plan beyond the oracle's bitmap: asc_validate has seen it */
  if (!brute_valid(t->problem, best, height)) wrong(t, solver->id, options, "the plan is not valid");
}

static void check_outcome(const trial *t, const asc_run *run, const asc_solver_info *solver, const test_options *options,
                          totals *sum) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  sum->runs++;
  switch (stats.outcome) {
  case ASC_OUTCOME_OPTIMAL:
  case ASC_OUTCOME_FEASIBLE:
    if (!t->feasible) wrong(t, solver->id, options, "feasible, but the oracle finds no plan");
    check_plan(t, run, solver, options);
    sum->feasible++;
    break;
  case ASC_OUTCOME_INFEASIBLE:
    if (t->feasible) wrong(t, solver->id, options, "infeasible, but there is a plan");
    if (!solver->complete && !solver->refutes) wrong(t, solver->id, options, "a proof by a solver that makes none");
    sum->infeasible++;
    break;
  case ASC_OUTCOME_OVER_CAPACITY:
    check_plan(t, run, solver, options);
    if (t->least >= 0 && stats.height < t->least) wrong(t, solver->id, options, "a plan lower than the least height");
    sum->over++;
    break;
  case ASC_OUTCOME_EXHAUSTED:
    if (solver->complete && !options->count && !(test_needs(t->problem) & ASC_SUPPORTS_WINDOWS))
      wrong(t, solver->id, options, "exhausted: a complete solver must decide this");
    sum->exhausted++;
    break;
  default:
    wrong(t, solver->id, options, asc_outcome_id(stats.outcome));
  }
}

/* A search for the least height, whatever the capacity: a complete one must end with a proof, another with a plan that is no lower. */
static void check_least(const trial *t, const asc_run *run, const asc_solver_info *solver, const test_options *options,
                        totals *sum) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  /* beyond MOST the oracle would take too long: there a plan need only be valid, and higher */
  int64_t least = t->least;
  sum->runs++;
  if (least < 0 && stats.outcome == ASC_OUTCOME_INFEASIBLE) {
    sum->infeasible++;
    return;
  }
  if (!solver->complete && !asc_run_best(run) && stats.outcome == ASC_OUTCOME_EXHAUSTED) {
    sum->exhausted++;
    return;
  }
  bool higher = !solver->complete && stats.height > stats.lower_bound && (least < 0 || stats.height >= least);
  asc_outcome end =
      higher ? stats.height <= t->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY : ASC_OUTCOME_OPTIMAL;
  if (stats.outcome != end) wrong(t, solver->id, options, asc_outcome_id(stats.outcome));
  if (!higher && (least < 0 ? stats.height <= MOST : stats.height != least))
    wrong(t, solver->id, options, "not the least height");
  if (!higher && stats.lower_bound != stats.height) wrong(t, solver->id, options, "the bounds have not met");
  if (stats.height <= 60 && !brute_valid(t->problem, asc_run_best(run), stats.height))
    wrong(t, solver->id, options, "the plan is not valid");
  sum->feasible++;
}

/* Where there is no plan, or in the end no lower one, more tries only fail more often: then no more than this, by default too. */
static void give_up_soon(const asc_solver_info *solver, test_options *options) {
  static const struct {
    const char *name;
    long most;
  } bounds[] = {{"tries", 4}, {"fails", 64}};
  for (uint32_t b = 0; b < COUNT(bounds); b++) {
    uint32_t k = 0, o = 0;
    while (o < solver->option_count && strcmp(solver->options[o].name, bounds[b].name) != 0) o++;
    if (o == solver->option_count || solver->options[o].type != ASC_OPTION_INT) continue;
    while (k < options->count && strcmp(options->values[k].name, bounds[b].name) != 0) k++;
    if (k == options->count) test_option_set(options, bounds[b].name, "100000");
    if (strtol(options->text[k], NULL, 10) > bounds[b].most)
      snprintf(options->text[k], sizeof options->text[k], "%ld", bounds[b].most);
  }
}

static void run_against(const trial *t, const asc_solver_info *solver, test_options *options, totals *sum) {
  if (test_needs(t->problem) & ~solver->supports) {
    sum->unsupported++;
    return;
  }
  test_option_spare(solver, options);
  if (!t->feasible || test_minimises(options)) give_up_soon(solver, options);
  asc_run_config config = test_config(solver->id, t->capacity, options);
  asc_run *run = NULL;
  asc_diag diag;
  asc_status status = asc_run_new(asc_input_buffers(t->problem), &config, &run, &diag);
  if (status) wrong(t, solver->id, options, diag.message);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  for (int slice = 0; slice < 64 && outcome == ASC_OUTCOME_RUNNING; slice++) {
    status = asc_run_step(run, 1u << 20, &outcome);
    if (status) wrong(t, solver->id, options, asc_status_text(status));
  }
  if (test_minimises(options))
    check_least(t, run, solver, options, sum);
  else
    check_outcome(t, run, solver, options, sum);
  asc_run_free(run);
}

/* ---- the matrix ---- */

/* Defaults and all-off on every problem, the single switches in turn, and random settings. A campaign has so many problems that each switch of a complete
 * solver has its turn there as well. */
static void run_matrix(const trial *t, const asc_solver_info *solver, asci_rng *rng, totals *sum) {
  test_options options = {.count = 0};
  run_against(t, solver, &options, sum);
  uint32_t singles = test_single_count(solver);
  bool many = singles > 32; /* the exact solver's switches have a suite of their own */
  uint32_t stride = many ? 16 : solver->complete && t->number < PLAIN ? 1 : 4;
  for (uint32_t k = 0; k < singles; k++) {
    if ((t->number + k) % stride == 0) {
      test_single(solver, k, &options);
      run_against(t, solver, &options, sum);
    }
  }
  if (!singles) return;
  test_all_off(solver, &options);
  run_against(t, solver, &options, sum);
  for (int k = 0; k < (solver->complete && !many ? 4 : 1); k++) {
    test_random_options(solver, rng, &options);
    run_against(t, solver, &options, sum);
  }
}

static void verdicts_agree_with_the_oracle(void **state) {
  (void)state;
  asc_context *context = test_context();
  totals sums[64];
  memset(sums, 0, sizeof sums);
  assert_true(test_solver_count() <= COUNT(sums));
  test_range range = test_share(test_cases(PLAIN));
  uint32_t problems = range.end - range.first, feasible = 0;
  for (uint64_t number = range.first; number < range.end; number++) {
    asci_rng rng = rng_of(number);
    test_shape shape = shape_of(number);
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    trial t = {.problem = problem, .number = number};
    t.least = brute_least_height(problem, MOST);
    t.capacity = capacity_for(&rng, number, t.least);
    /* a plan stays one in more memory; where there is none up to MOST, no more is asked for */
    t.feasible = t.least >= 0 && t.capacity >= t.least;
    feasible += t.feasible;
    for (uint32_t s = 0; s < test_solver_count(); s++) run_matrix(&t, asc_solver_at(s), &rng, &sums[s]);
    asc_problem_free(problem);
  }
  printf("%u problems, %u feasible\n", problems, feasible);
  printf("%-18s %9s %9s %10s %9s %9s %11s\n", "solver", "runs", "feasible", "infeasible", "exhausted", "over",
         "unsupported");
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const totals *sum = &sums[s];
    printf("%-18s %9u %9u %10u %9u %9u %11u\n", asc_solver_at(s)->id, sum->runs, sum->feasible, sum->infeasible,
           sum->exhausted, sum->over, sum->unsupported);
    CHECK(sum->feasible > 0, "%s never found a plan: the test asks nothing of it", asc_solver_at(s)->id);
    if (asc_solver_at(s)->complete) CHECK(sum->infeasible > 0, "%s never proved anything", asc_solver_at(s)->id);
  }
  assert_true(feasible > problems / 5 && feasible < problems - problems / 10);
  test_context_end(context);
}

/* The validator and the lower bound against the oracle's bitmap, on plans that are right, wrong and nearly right. */
static void validator_agrees_with_the_oracle(void **state) {
  (void)state;
  asc_context *context = test_context();
  test_range range = test_share(test_cases(40000));
  uint32_t cases = range.end - range.first, valid = 0;
  for (uint64_t number = range.first; number < range.end; number++) {
    asci_rng rng = rng_of(number + 1000000);
    test_shape shape = shape_of(number);
    shape.max_buffers = 4;
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    int64_t offsets[8], capacity = asci_random_between(&rng, 6, 20);
    for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
      const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
      offsets[b] = asci_random_between(&rng, 0, 14);
      if (asci_random_below(&rng, 8)) offsets[b] -= offsets[b] % spec->alignment;
      if (spec->offset != ASC_UNPLACED && asci_random_below(&rng, 4)) offsets[b] = spec->offset;
      if (asci_random_below(&rng, 50) == 0) offsets[b] = ASC_UNPLACED;
    }
    size_t violations = 0;
    assert_int_equal(asc_validate(problem, offsets, capacity, NULL, 0, &violations), ASC_OK);
    bool expected = brute_valid(problem, offsets, capacity);
    if (expected != (violations == 0)) {
      test_print_problem(problem, capacity);
      for (uint32_t b = 0; b < asc_problem_count(problem); b++) fprintf(stderr, "offset %d\n", (int)offsets[b]);
      fail_msg("case %d: %d violations, the oracle says %s", (int)number, (int)violations, expected ? "valid" : "invalid");
    }
    valid += expected;
    if (expected) assert_true(asc_height(problem, offsets) >= asc_problem_lower_bound(problem));
    asc_problem_free(problem);
  }
  assert_true(valid > cases / 50);
  test_context_end(context);
}

static void oracle_knows_what_is_plain(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_gap gap = {2, 4, 0, 0}, window = {2, 4, 1, 2};
  asc_buffer_spec specs[] = {test_spec(0, 6, 3), test_spec(2, 4, 3)};
  specs[0].gaps = &gap;
  specs[0].gap_count = 1;
  asc_problem *hole = test_problem(context, specs, 2);
  assert_int_equal(brute_least_height(hole, 10), 3);
  specs[0].gaps = &window;
  asc_problem *windowed = test_problem(context, specs, 2);
  assert_int_equal(brute_least_height(windowed, 10), 5); /* the other below the window's byte 1, or from byte 2 on */
  specs[0].gap_count = 0;
  specs[1].alignment = 4;
  asc_problem *aligned = test_problem(context, specs, 2);
  assert_int_equal(brute_least_height(aligned, 10), 6); /* the aligned one at 0, the other on it */
  specs[1].offset = 4;
  asc_problem *fixed = test_problem(context, specs, 2);
  assert_int_equal(brute_least_height(fixed, 10), 7);
  assert_false(brute_feasible(fixed, 6));
  asc_problem_free(hole);
  asc_problem_free(windowed);
  asc_problem_free(aligned);
  asc_problem_free(fixed);
  test_context_end(context);
}

int run_oracle_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oracle_knows_what_is_plain),
      cmocka_unit_test(validator_agrees_with_the_oracle),
      cmocka_unit_test(verdicts_agree_with_the_oracle),
  };
  return cmocka_run_group_tests_name("oracle", tests, NULL, NULL);
}
