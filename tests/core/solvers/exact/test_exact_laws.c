/* Laws of the exact solver on problems too large for the oracle: time reversed and sizes scaled leave the verdict, both widths of its
 * kernel search alike, the pieces in which a run is stepped change nothing, nor do saves; on saturated problems MiniMalloc agrees and
 * cannot pack its conflicts. */
#include "saturated.h"
#include "test_exact_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps: what is not decided by then is counted and left. */
enum { BUDGET = 20000 };

/* Every constraint in turn, as many buffers as searches with some backtracking need. */
static asc_problem *medium_problem(asc_context *context, asci_rng *rng, uint64_t number) {
  test_shape shape = {.min_buffers = 9,
                      .max_buffers = 24,
                      .max_time = 12,
                      .max_size = number % 2 ? 12 : 5,
                      .max_alignment = 4,
                      .max_fixed = 20,
                      .tie = 35,
                      .zero = 2,
                      .fixed = 5,
                      .gap = 20,
                      .window = 50,
                      .bank = 15,
                      .hint = number % 5 ? 0 : 30};
  test_vary(&shape, number / 2 % 32);
  return test_random_problem(context, rng, &shape);
}

typedef struct counts {
  uint32_t feasible, infeasible, unknown;
} counts;

static void count(counts *sum, exact_verdict verdict) {
  sum->feasible += verdict == EXACT_FEASIBLE;
  sum->infeasible += verdict == EXACT_INFEASIBLE;
  sum->unknown += verdict == EXACT_UNKNOWN;
}

static void asks_enough(const counts *sum, const char *what) {
  uint32_t all = sum->feasible + sum->infeasible + sum->unknown;
  printf("%s: %u feasible, %u infeasible, %u not decided\n", what, sum->feasible, sum->infeasible, sum->unknown);
  CHECK(sum->feasible > all / 10 && sum->infeasible > all / 10 && sum->unknown < all / 10, "%s asks too little", what);
}

static void same_verdict(const asc_problem *problem, int64_t capacity, exact_verdict expected, exact_verdict got,
                         const char *what) {
  if (expected == EXACT_UNKNOWN || got == EXACT_UNKNOWN || expected == got) return;
  test_print_problem(problem, capacity);
  fail_msg("%s, and otherwise %s: %s", exact_verdict_name(expected), exact_verdict_name(got), what);
}

static exact_verdict decide(const asc_problem *problem, int64_t capacity) {
  return exact_decide("exact", problem, capacity, NULL, 0, BUDGET, NULL);
}

/* ---- mirrored, scaled ------------------------------------------------------------------------------------------------ */

/* The prime is past the narrow kernel's 2^27 in every problem, and one buffer of one byte more keeps all from being divided by it. */
#define BIG_PRIME INT64_C(1000000007)

static void check_transformed(asc_context *context, asci_rng *rng, uint64_t number, counts *sum) {
  asc_problem *problem = medium_problem(context, rng, number);
  int64_t capacity = asc_problem_lower_bound(problem) + (int64_t)(number % 3) - 1, factor = asci_random_between(rng, 2, 9);
  if (capacity < 0) capacity = 0;
  exact_verdict verdict = decide(problem, capacity);
  count(sum, verdict);
  asc_problem *mirrored = exact_mirrored(context, problem), *scaled = exact_scaled(context, problem, factor);
  asc_problem *large = exact_scaled(context, problem, BIG_PRIME), *wide = exact_with(context, large, 1, 1);
  int64_t spare = asci_random_between(rng, 0, factor - 1), more = asci_random_between(rng, 0, BIG_PRIME - 1);
  same_verdict(problem, capacity, verdict, decide(mirrored, capacity), "mirrored");
  same_verdict(problem, capacity, verdict, decide(scaled, capacity * factor + spare), "scaled");
  same_verdict(problem, capacity, verdict, decide(large, capacity * BIG_PRIME + more), "scaled by a prime");
  /* the byte more needs an address of its own where nothing else has one */
  if (capacity > 0) same_verdict(problem, capacity, verdict, decide(wide, capacity * BIG_PRIME + more), "64 bits wide");
  asc_problem_free(problem);
  asc_problem_free(mirrored);
  asc_problem_free(scaled);
  asc_problem_free(large);
  asc_problem_free(wide);
}

static void mirrored_and_scaled_problems(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {911};
  counts sum = {0};
  uint32_t cases = test_cases(1200);
  for (uint64_t k = 0; k < cases; k++) check_transformed(context, &rng, k, &sum);
  asks_enough(&sum, "mirrored and scaled");
  test_context_end(context);
}

/* ---- both widths ----------------------------------------------------------------------------------------------------- */

typedef struct ending {
  exact_verdict verdict;
  asc_run_stats stats;
  int64_t *offsets;
} ending;

static ending solve(const asc_problem *problem, int64_t capacity, const test_options *options, uint64_t seed) {
  asc_run_config config = test_config("exact", capacity, options);
  config.seed = seed;
  config.budget = BUDGET;
  asc_run *run = test_run_new(problem, &config);
  test_finish(run);
  ending end = {.verdict = exact_verdict_of(run)};
  asc_run_stats_get(run, &end.stats);
  size_t bytes = asc_problem_count(problem) * sizeof *end.offsets;
  end.offsets = calloc(bytes + 1, 1);
  assert_non_null(end.offsets);
  if (asc_run_best(run)) memcpy(end.offsets, asc_run_best(run), bytes);
  asc_run_free(run);
  return end;
}

/* One buffer apart that asks for an even address makes the problem one for the wide kernel; without that it is one for the narrow. */
static uint64_t check_widths(asc_context *context, uint64_t number, const test_options *options) {
  asc_problem *base = NULL;
  assert_int_equal(saturated_problem(context, 6 + (uint32_t)(number % 20), number, &base), ASC_OK);
  asc_problem *narrow = exact_with(context, base, 1, 1), *wide = exact_with(context, base, 1, 2);
  int64_t capacity = asc_problem_lower_bound(base) + (int64_t)(number % 2);
  ending a = solve(narrow, capacity, options, number), b = solve(wide, capacity, options, number);
  const char *text = test_options_text(options);
  CHECK(a.verdict == b.verdict, "number %d, %s: %s and %s", (int)number, text, exact_verdict_name(a.verdict),
        exact_verdict_name(b.verdict));
  CHECK(a.stats.nodes == b.stats.nodes && a.stats.steps == b.stats.steps, "number %d, %s: %d and %d nodes, %d and %d steps",
        (int)number, text, (int)a.stats.nodes, (int)b.stats.nodes, (int)a.stats.steps, (int)b.stats.steps);
  for (uint32_t k = 0; k < asc_problem_count(base); k++)
    CHECK(a.offsets[k] == b.offsets[k], "number %d, %s: buffer %u lies elsewhere", (int)number, text, k);
  uint64_t backtracks = a.stats.backtracks;
  free(a.offsets);
  free(b.offsets);
  asc_problem_free(base);
  asc_problem_free(narrow);
  asc_problem_free(wide);
  return backtracks;
}

static void both_widths_search_alike(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint64_t backtracks = 0;
  uint32_t cases = test_cases(400);
  for (uint64_t k = 0; k < cases; k++) {
    test_options options = {.count = 0};
    if (k % 2) exact_variant((uint32_t)(k / 2 % (exact_variants() - 1)), &options);
    test_option_set(&options, "same_span", "false"); /* the wide kernel never uses it */
    backtracks += check_widths(context, k, &options);
  }
  CHECK(backtracks > 10 * (uint64_t)cases, "only %d backtracks: the problems are too easy", (int)backtracks);
  test_context_end(context);
}

/* ---- pieces, saves --------------------------------------------------------------------------------------------------- */

static asc_run *fresh(const asc_problem *problem, int64_t capacity, const test_options *options, uint64_t seed) {
  asc_run_config config = test_config("exact", capacity, options);
  config.seed = seed;
  config.budget = 4000;
  return test_run_new(problem, &config);
}

/* Stepped in random pieces, now and then cancelled and taken up again. */
static void stepped_in_pieces(asc_run *run, asci_rng *rng) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  uint64_t piece = 1 + asci_random_below(rng, 60);
  while (outcome == ASC_OUTCOME_RUNNING) {
    if (asci_random_below(rng, 20) == 0) asc_run_cancel(run);
    assert_int_equal(asc_run_step(run, asci_random_below(rng, piece + 1), &outcome), ASC_OK);
    if (outcome != ASC_OUTCOME_CANCELLED) continue;
    asc_run_resume(run, 4000);
    outcome = ASC_OUTCOME_RUNNING;
  }
}

/* From step to step by saves alone: each goes into a run that knows nothing of the one before. */
static asc_run *hopped(const asc_problem *problem, asci_rng *rng, int64_t capacity, const test_options *options,
                       uint64_t seed, const char *name) {
  asc_run *run = fresh(problem, capacity, options, seed);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) {
    const uint8_t *bytes = NULL;
    size_t size = 0;
    asc_run_stats stats;
    assert_int_equal(asc_run_step(run, asci_random_below(rng, 400), &outcome), ASC_OK);
    assert_int_equal(asc_run_save(run, &bytes, &size), ASC_OK);
    asc_run_stats_get(run, &stats);
    asc_run *next = fresh(problem, capacity, options, seed);
    asc_status status = asc_run_load(next, bytes, size);
    CHECK(status == ASC_OK, "%s: saved after step %d: %s", name, (int)stats.steps, asc_status_text(status));
    test_same_stats(next, run, name);
    asc_run_free(run);
    run = next;
  }
  return run;
}

static void same_end(const asc_problem *problem, asc_run *a, asc_run *b, const char *what) {
  uint32_t n = asc_problem_count(problem), left = 0, right = 0;
  test_same_stats(a, b, what);
  test_same_view(a, b, n, what);
  const int64_t *plan = asc_run_best(a), *other = asc_run_best(b);
  CHECK(!plan == !other && (!plan || !memcmp(plan, other, n * sizeof *plan)), "%s: the plans differ", what);
  const uint32_t *conflict = asc_run_conflict(a, &left), *same = asc_run_conflict(b, &right);
  CHECK(left == right && (!left || !memcmp(conflict, same, left * sizeof *conflict)), "%s: the conflicts differ", what);
}

static void check_pieces(asc_context *context, asci_rng *rng, uint64_t number, counts *sum) {
  asc_problem *problem = NULL;
  test_options options = {.count = 0};
  if (number % 3)
    assert_int_equal(saturated_problem(context, saturated_sections(number), number, &problem), ASC_OK);
  else
    problem = medium_problem(context, rng, number);
  if (number % 4 == 3) exact_random_options(rng, &options);
  if (number % 8 < 2) options.goal = ASC_GOAL_HEIGHT;
  int64_t capacity = asc_problem_lower_bound(problem) + (int64_t)(number % 2);
  asc_run *whole = fresh(problem, capacity, &options, number), *pieces = fresh(problem, capacity, &options, number);
  test_finish(whole);
  stepped_in_pieces(pieces, rng);
  char name[300];
  snprintf(name, sizeof name, "number %d %.250s", (int)number, test_options_text(&options));
  same_end(problem, pieces, whole, name);
  asc_run *saved = hopped(problem, rng, capacity, &options, number, name);
  same_end(problem, saved, whole, name);
  count(sum, exact_verdict_of(whole));
  asc_run_free(whole);
  asc_run_free(pieces);
  asc_run_free(saved);
  asc_problem_free(problem);
}

static void pieces_and_saves_change_nothing(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {912};
  counts sum = {0};
  uint32_t cases = test_cases(400);
  for (uint64_t k = 0; k < cases; k++) check_pieces(context, &rng, k, &sum);
  printf("in pieces: %u feasible, %u infeasible, %u not ended\n", sum.feasible, sum.infeasible, sum.unknown);
  assert_true(sum.feasible > 0 && sum.infeasible > 0 && sum.unknown > 0);
  test_context_end(context);
}

/* The same at once, in pieces and from save to save. Returns the nodes. */
static uint64_t check_piled(asc_problem *problem, asci_rng *rng, const test_options *options, uint64_t seed) {
  int64_t capacity = asc_problem_lower_bound(problem);
  asc_run *whole = fresh(problem, capacity, options, seed), *pieces = fresh(problem, capacity, options, seed);
  test_finish(whole);
  stepped_in_pieces(pieces, rng);
  same_end(problem, pieces, whole, "piled");
  asc_run *saved = hopped(problem, rng, capacity, options, seed, "piled");
  same_end(problem, saved, whole, "piled");
  test_sound_end(problem, whole, capacity, "piled");
  asc_run_stats stats;
  asc_run_stats_get(whole, &stats);
  asc_run_free(whole);
  asc_run_free(pieces);
  asc_run_free(saved);
  asc_problem_free(problem);
  return stats.nodes;
}

/* Each step's save, also of the step with which an attempt ends, and a damaged one of it, which may be refused but leads nowhere. */
static void check_each_save(asc_problem *problem, asci_rng *rng, const test_options *options, uint64_t seed) {
  int64_t capacity = asc_problem_lower_bound(problem);
  asc_run *run = fresh(problem, capacity, options, seed);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  for (uint32_t step = 0; step < 1500 && outcome == ASC_OUTCOME_RUNNING; step++) {
    const uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    assert_int_equal(asc_run_save(run, &bytes, &size), ASC_OK);
    asc_run *next = fresh(problem, capacity, options, seed);
    asc_status status = asc_run_load(next, bytes, size);
    CHECK(status == ASC_OK, "seed %d: saved after step %d: %s", (int)seed, (int)step, asc_status_text(status));
    test_same_view(next, run, asc_problem_count(problem), "piled");
    asc_run_free(next);
    if (step % 10) continue;
    next = fresh(problem, capacity, options, seed);
    test_load_damaged(next, bytes, size, rng);
    asc_run_free(next);
  }
  asc_run_free(run);
  asc_problem_free(problem);
}

static void glued_arms_go_on_from_saves(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {77};
  test_options options = {.count = 0};
  test_option_set(&options, "portfolio", "0WATG,0ZR,10WATKRG,2WATG,10WATKG");
  test_option_set(&options, "first_budget", "100");
  test_option_set(&options, "exchange", "never");
  uint32_t cases = 4 + test_cases(8), late = 0;
  for (uint64_t k = 0; k < cases; k++) {
    options.goal = k % 4 == 3 ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
    late += check_piled(exact_piled(context, k, 0), &rng, &options, k) > 500; /* the first cycle has one arm */
  }
  printf("piled: %u of %u reached the glued arms\n", late, cases);
  assert_true(late > 0);
  options.goal = ASC_GOAL_FIT;
  check_each_save(exact_piled(context, 3, 0), &rng, &options, 3); /* its second and third cycle have glued arms */
  asc_run *refused = NULL;
  asc_problem *problem = exact_piled(context, 0, 0);
  test_options glued = {.count = 0};
  test_option_set(&glued, "portfolio", "10WATKG");
  asc_run_config config = test_config("exact", asc_problem_lower_bound(problem), &glued);
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &refused, NULL), ASC_BAD_OPTION);
  asc_problem_free(problem);
  test_context_end(context);
}

/* What an attempt on boxes has left to look at is theirs, also where the next arm has none: a save says whose it is. Returns how often that was so. */
static uint32_t check_ends_of_boxes(asc_context *context, const test_options *options, uint64_t seed) {
  asc_problem *problem = exact_cut(context, seed, 4);
  asc_run *run = fresh(problem, asc_problem_lower_bound(problem), options, seed);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  uint32_t ends = 0;
  for (uint32_t step = 0; step < 6000 && outcome == ASC_OUTCOME_RUNNING; step++) {
    static uint8_t kept[1 << 20];
    const uint8_t *bytes = NULL;
    size_t size = 0;
    const asc_event *events = NULL;
    uint32_t count = 0;
    assert_int_equal(asc_run_save(run, &bytes, &size), ASC_OK);
    assert_true(size <= sizeof kept);
    memcpy(kept, bytes, size);
    asc_log_clear(log);
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    asc_log_get(log, &events, &count, NULL, NULL);
    bool restarts = false;
    for (uint32_t k = 0; k < count; k++) restarts = restarts || events[k].kind == ASC_EVENT_RESTART;
    if (!restarts) continue;
    asc_run *other = fresh(problem, asc_problem_lower_bound(problem), options, seed);
    CHECK(asc_run_load(other, kept, size) == ASC_OK, "seed %d: saved before step %d", (int)seed, (int)step);
    assert_int_equal(asc_run_step(other, 1, &outcome), ASC_OK);
    test_same_view(other, run, asc_problem_count(problem), "at an end");
    asc_run_free(other);
    ends++;
  }
  asc_run_free(run);
  asc_log_free(log);
  asc_problem_free(problem);
  return ends;
}

/* Of rectangles cut up: boxes come in the first cycle, part of them and piles of them later; minimising, some come before all plain arms. */
static void boxed_arms_go_on_from_saves(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {78};
  test_options options = {.count = 0};
  test_option_set(&options, "portfolio", "0ZR,10WATKRB,2WATB,10WATKG,12WATKB");
  test_option_set(&options, "bound_arms", "10WATH,0WATKB,0WATKB");
  test_option_set(&options, "first_budget", "100");
  test_option_set(&options, "exchange", "never");
  uint32_t cases = 4 + test_cases(8);
  uint64_t late = 0;
  for (uint64_t k = 0; k < cases; k++) {
    options.goal = k % 4 == 3 ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
    late += check_piled(exact_cut(context, k, 0), &rng, &options, k) > 230; /* the plain arm has so many */
  }
  printf("cut up: %u of %u reached the boxes\n", (unsigned)late, cases);
  assert_true(late > 0);
  options.goal = ASC_GOAL_FIT;
  for (uint64_t k = 0; k < 3; k++) check_each_save(exact_cut(context, k, 0), &rng, &options, k);
  uint32_t ends = 0;
  for (uint64_t k = 0; k < 40; k++) ends += check_ends_of_boxes(context, &options, k);
  printf("cut up and changed: %u attempts begun from a save\n", ends);
  assert_true(ends > 20);
  test_context_end(context);
}

static void check_far(const asc_problem *problem, asci_rng *rng, uint64_t seed, const char *what) {
  test_options options = {.count = 0};
  options.goal = ASC_GOAL_HEIGHT;
  asc_run *whole = fresh(problem, ASC_MAX_BYTES, &options, seed);
  test_finish(whole);
  asc_run *saved = hopped(problem, rng, ASC_MAX_BYTES, &options, seed, what);
  same_end(problem, saved, whole, what);
  asc_run_free(whole);
  asc_run_free(saved);
}

/* A buffer that occupies nothing may still ask for an address that the narrow kernel has not. */
static void what_occupies_nothing_may_be_far_away(void **state) {
  (void)state;
  const int64_t far = INT64_C(3) << 30;
  asc_context *context = test_context();
  asci_rng rng = {913};
  for (uint64_t k = 0; k < 8; k++) {
    asc_problem *base = NULL;
    assert_int_equal(saturated_problem(context, saturated_sections(k), k, &base), ASC_OK);
    asc_problem *aligned = exact_with(context, base, 0, far);
    check_far(aligned, &rng, k, "aligned to much");
    asc_problem_free(base);
    asc_problem_free(aligned);
  }
  asc_buffer_spec specs[] = {test_spec(0, 4, 6), test_spec(2, 6, 4), test_spec(0, 3, 0)};
  specs[2].offset = far;
  asc_problem *fixed = test_problem(context, specs, COUNT(specs));
  for (uint64_t k = 0; k < 8; k++) check_far(fixed, &rng, k, "fixed far away");
  asc_problem_free(fixed);
  test_context_end(context);
}

/* The least height, which must be proved within the budget. */
static int64_t proved_height(const asc_problem *problem) {
  test_options options = {.count = 0};
  asc_run_config config = test_config("exact", ASC_MAX_BYTES, &options);
  config.goal = ASC_GOAL_HEIGHT;
  config.budget = 100000;
  asc_run *run = NULL;
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, NULL), ASC_OK);
  asc_outcome outcome = test_finish(run);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  asc_run_free(run);
  if (outcome != ASC_OUTCOME_OPTIMAL) test_print_problem(problem, ASC_MAX_BYTES);
  assert_int_equal(outcome, ASC_OUTCOME_OPTIMAL);
  return stats.height;
}

/* The others end at whole units, the bound does not: rounded up it is where the plan is, and nothing would ever be asked below it. */
static void what_occupies_nothing_may_end_between_units(void **state) {
  (void)state;
  enum { OTHERS = 3 };
  asc_context *context = test_context();
  asc_gap whole = {7, 8, 0, 0}, window = {3, 8, 0, 2};
  asc_buffer_spec specs[] = {test_spec(7, 8, 2), test_spec(1, 8, 2), test_spec(7, 8, 5)};
  for (uint32_t b = 0; b < 2; b++) specs[b].alignment = 4;
  specs[1].gaps = &window;
  specs[2].gaps = &whole;
  specs[1].gap_count = specs[2].gap_count = 1;
  for (int64_t size = 1; size < 9; size++) {
    specs[2].size = size;
    asc_problem *problem = test_problem(context, specs, OTHERS);
    assert_int_equal(proved_height(problem), size > 6 ? size : 6);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* Of the saturated problems that are above their load, every byte four times as many: with a buffer that occupies nothing and ends between. */
static void plain_ones_may_end_between_units(void **state) {
  (void)state;
  enum { MOST = 256 };
  asc_context *context = test_context();
  uint32_t above = 0;
  for (uint64_t number = 0; number < 60; number++) {
    asc_problem *base = NULL;
    assert_int_equal(saturated_problem(context, 4 + (uint32_t)(number % 9), number, &base), ASC_OK);
    asc_problem *plain = exact_scaled(context, base, 4);
    asc_problem_free(base);
    uint32_t count = asc_problem_count(plain);
    int64_t load = asc_problem_lower_bound(plain), least = proved_height(plain);
    asc_buffer_spec specs[MOST];
    assert_true(count < MOST);
    for (uint32_t b = 0; b < count; b++) specs[b] = *asc_problem_buffer(plain, b);
    specs[count] = test_spec(0, 4, load + 1);
    specs[count].gaps = &(asc_gap){0, 4, 0, 0};
    specs[count].gap_count = 1;
    asc_problem *problem = test_problem(context, specs, count + 1);
    above += least > load;
    assert_int_equal(proved_height(problem), least > load ? least : load + 1);
    asc_problem_free(plain);
    asc_problem_free(problem);
  }
  assert_true(above > 0);
  test_context_end(context);
}

/* ---- saturated problems ---------------------------------------------------------------------------------------------- */

typedef struct proofs {
  counts exact, other;
  uint32_t agreed, conflicts, packed_by_none; /* conflicts that MiniMalloc finds infeasible too */
} proofs;

enum { CHECK_BUDGET = 60000 };

static void check_alone(asc_context *context, const asc_problem *problem, const asc_run *run, int64_t capacity,
                        proofs *sum) {
  uint32_t size = 0;
  const uint32_t *conflict = exact_conflict(problem, run, &size, "saturated");
  asc_problem *alone = exact_subset(context, problem, conflict, size);
  exact_verdict other = exact_decide("minimalloc", alone, capacity, NULL, 0, CHECK_BUDGET, NULL);
  if (other == EXACT_FEASIBLE) {
    test_print_problem(alone, capacity);
    fail_msg("this conflict of %u of %u buffers fits alone", size, asc_problem_count(problem));
  }
  sum->conflicts++;
  sum->packed_by_none += other == EXACT_INFEASIBLE;
  asc_problem_free(alone);
}

/* From the load bound upward until it fits. Every second one is so small that MiniMalloc may finish its proof. */
static void check_saturated(asc_context *context, uint64_t number, proofs *sum) {
  asc_problem *problem = NULL;
  uint32_t sections = number % 2 ? saturated_sections(number / 2) : 4 + (uint32_t)(number / 2 % 9);
  assert_int_equal(saturated_problem(context, sections, number, &problem), ASC_OK);
  exact_verdict verdict = EXACT_INFEASIBLE;
  for (int64_t capacity = asc_problem_lower_bound(problem); verdict == EXACT_INFEASIBLE; capacity++) {
    asc_run_config config = asc_run_config_default("exact", capacity);
    config.budget = 2000000;
    asc_run *run = test_run_new(problem, &config);
    test_finish(run);
    test_sound_end(problem, run, capacity, "saturated");
    verdict = exact_verdict_of(run);
    count(&sum->exact, verdict);
    exact_verdict other = exact_decide("minimalloc", problem, capacity, NULL, 0, CHECK_BUDGET, NULL);
    count(&sum->other, other);
    same_verdict(problem, capacity, verdict, other, "by MiniMalloc");
    sum->agreed += verdict != EXACT_UNKNOWN && verdict == other;
    if (verdict == EXACT_INFEASIBLE) check_alone(context, problem, run, capacity, sum);
    asc_run_free(run);
  }
  asc_problem_free(problem);
}

static void saturated_problems(void **state) {
  (void)state;
  asc_context *context = test_context();
  proofs sum = {0};
  uint32_t cases = test_cases(120);
  for (uint64_t k = 0; k < cases; k++) check_saturated(context, k, &sum);
  printf("saturated: exact %u feasible, %u infeasible, %u not decided; MiniMalloc %u, %u, %u\n", sum.exact.feasible,
         sum.exact.infeasible, sum.exact.unknown, sum.other.feasible, sum.other.infeasible, sum.other.unknown);
  printf("%u verdicts agree; of %u conflicts MiniMalloc refutes %u\n", sum.agreed, sum.conflicts, sum.packed_by_none);
  assert_true(sum.exact.infeasible > cases / 20 && sum.exact.unknown <= cases / 20);
  assert_true(sum.agreed > 0);
  if (cases >= 100) assert_true(sum.packed_by_none > 0); /* it refutes one in ten */
  test_context_end(context);
}

/* A plan whose buffers are hints is found again, whichever the arm, without one step back: also where it leaves a floor idle. */
static void plans_in_hints_are_found_again(void **state) {
  (void)state;
  static const char *const arms[] = {"12WATK", "10WATKR", "2WAT", "0ZHR", "14AT"};
  asc_context *context = test_context();
  uint64_t wastes = 0;
  for (uint64_t number = 0; number < test_cases(60); number++) {
    asc_problem *problem = NULL, *hinted = NULL;
    assert_int_equal(
        asc_generate(context, number % 2 ? "network" : "random", 40 + (uint32_t)number * 3, number, &problem, NULL), ASC_OK);
    asc_run_config config = test_config("greedy", ASC_MAX_BYTES, NULL);
    asc_run *run = test_run_new(problem, &config);
    test_finish(run);
    int64_t height = exact_hinted(context, problem, asc_run_best(run), &hinted);
    asc_run_free(run);
    test_options options = {.count = 0};
    test_option_set(&options, "portfolio", arms[number % COUNT(arms)]);
    test_option_set(&options, "exchange", "never");
    ending end = solve(hinted, height, &options, number);
    CHECK(end.verdict == EXACT_FEASIBLE && end.stats.backtracks == 0, "number %d, %s: %s, %d steps back", (int)number,
          test_options_text(&options), exact_verdict_name(end.verdict), (int)end.stats.backtracks);
    wastes += end.stats.nodes - asc_problem_count(hinted);
    free(end.offsets);
    asc_problem_free(problem);
    asc_problem_free(hinted);
  }
  printf("hints: %d floors left idle\n", (int)wastes);
  assert_true(wastes > 0);
  test_context_end(context);
}

/* The generator keeps its word: every section is full, and none is missing. */
static void saturated_problems_are_saturated(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (uint64_t k = 0; k < 200; k++) {
    asc_problem *problem = NULL, *again = NULL;
    assert_int_equal(saturated_problem(context, saturated_sections(k), k, &problem), ASC_OK);
    assert_int_equal(saturated_problem(context, saturated_sections(k), k, &again), ASC_OK);
    assert_int_equal(asc_problem_digest(problem), asc_problem_digest(again));
    uint32_t sections = asc_problem_section_count(problem);
    int64_t load = asc_problem_lower_bound(problem);
    assert_true(sections == saturated_sections(k) && sections >= 12 && sections <= 90);
    assert_true(load >= SATURATED_LEAST_LOAD && load <= SATURATED_MOST_LOAD);
    for (uint32_t s = 0; s < sections; s++) assert_int_equal(asc_problem_sections(problem)[s].load, load);
    for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
      int64_t size = asc_problem_buffer(problem, b)->size;
      assert_true(size >= 2 && size <= 7);
    }
    asc_problem_free(problem);
    asc_problem_free(again);
  }
  test_context_end(context);
}

int run_exact_laws_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mirrored_and_scaled_problems),
      cmocka_unit_test(both_widths_search_alike),
      cmocka_unit_test(pieces_and_saves_change_nothing),
      cmocka_unit_test(what_occupies_nothing_may_be_far_away),
      cmocka_unit_test(what_occupies_nothing_may_end_between_units),
      cmocka_unit_test(plain_ones_may_end_between_units),
      cmocka_unit_test(glued_arms_go_on_from_saves),
      cmocka_unit_test(boxed_arms_go_on_from_saves),
      cmocka_unit_test(plans_in_hints_are_found_again),
      cmocka_unit_test(saturated_problems_are_saturated),
      cmocka_unit_test(saturated_problems),
  };
  return cmocka_run_group_tests_name("exact_laws", tests, NULL, NULL);
}
