/* The exact solver's saves that contradict themselves: a run is brought to where one of its numbers is what it must be for that, then others are changed.
 * Each of these saves must be refused, and the run that refused it does as it did before. */
#include "forged.h"
#include "saturated.h"
#include "test_exact_support.h"

#include <stdlib.h>
#include <string.h>

/* What the kernel keeps, in its order (kernel/save.h), behind what the engine does and whether it tries. */
typedef enum field {
  NONE,
  TRYING,
  BASE,
  CYCLE,
  ARM_AT,
  LIMIT,
  NODES_LEFT,
  ATTEMPT_NODES,
  SHORT_NODES,
  LONG_NODES,
  LAST_LONG,
  LENGTHY,
  STARTED,
  GLUING,
  BOXING,
  DRAWN,
  REFUTED,
  PHASE,
  ORDER_AT,
  ROUND,
  PROBE_LEFT,
  PROBING,
  WINNER,
  LOWEST_DONE,
  CLIMBED,
  ELASTIC,
  PENDING,
  SWEEP_DUE,
  SWEEPING,
  FOUND,
  SWEPT_STEPS,
  SWEEPS,
  SHOWN,
  SWEPT,
  RNG,
  CAPACITY, /* from here on one more than it is */
  ASKED,
  LIMITED, /* but this */
  LOWER,
  UPPER,
  BRACKET,
  NOGOOD_CAPACITY,
  FIELDS,
  HEIGHT, /* the engine's */
  COST,
  DEPTH,
  OFFSET, /* of buffer 0 in the plan, one more than it is */
  NODES   /* the number behind the rings and the conflict; of a run that has none of either */
} field;

static size_t place_of(const test_saved *saved, const asc_problem *problem, field which) {
  size_t plan = forged_nth(saved, SAVED_HEIGHT) ? asc_problem_count(problem) : 0, own = SAVED_PLAN + plan;
  switch (which) {
  case HEIGHT:
    return SAVED_HEIGHT;
  case COST:
    return SAVED_COST;
  case DEPTH:
    return SAVED_DEPTH;
  case OFFSET:
    assert_true(plan > 0);
    return SAVED_PLAN;
  case NODES:
    return own + FIELDS - TRYING + 2 * 2 * 2 + 1;
  default:
    return own + (which - TRYING);
  }
}

/* A field becomes a number, or what another field is and so much more. */
typedef struct lie {
  field which, other;
  int64_t number;
} lie;

typedef asc_problem *(*maker)(asc_context *context);

enum { SECTIONS = 14 };

static asc_problem *synthetic(asc_context *context) {
  asc_problem *problem;
  assert_int_equal(asc_generate(context, "synthetic", 24, 2, &problem, NULL), ASC_OK);
  return problem;
}

static asc_problem *saturated(asc_context *context) {
  asc_problem *problem;
  assert_int_equal(saturated_problem(context, 14, 3, &problem), ASC_OK);
  return problem;
}

/* A saturated one without a plan at its load. */
static asc_problem *stubborn(asc_context *context) {
  test_options options = {.count = 0};
  for (uint64_t seed = 0;; seed++) {
    asc_problem *problem;
    assert_int_equal(saturated_problem(context, SECTIONS, seed, &problem), ASC_OK);
    if (exact_decide("exact", problem, asc_problem_lower_bound(problem), &options, 0, 0, NULL) == EXACT_INFEASIBLE)
      return problem;
    asc_problem_free(problem);
  }
}

static asc_problem *piled(asc_context *context) {
  return exact_piled(context, 3, 0);
}

/* With alignments that no unit absorbs. */
static asc_problem *aligned(asc_context *context) {
  asc_buffer_spec specs[12];
  for (uint32_t b = 0; b < COUNT(specs); b++) {
    specs[b] = test_spec(b % 5, b % 5 + 2 + b % 3, 3 + b * 5 % 7);
    specs[b].alignment = b % 3 == 0 ? 4 : 1;
  }
  return test_problem(context, specs, COUNT(specs));
}

static asc_problem *weightless(asc_context *context) {
  asc_buffer_spec specs[4];
  for (uint32_t b = 0; b < COUNT(specs); b++) specs[b] = test_spec(b, b + 2, 0);
  return test_problem(context, specs, COUNT(specs));
}

/* One buffer is fixed above the capacity that the load leaves. */
static asc_problem *too_high(asc_context *context) {
  asc_buffer_spec specs[3] = {test_spec(0, 2, 4), test_spec(1, 3, 2), test_spec(2, 4, 3)};
  specs[1].offset = 90;
  return test_problem(context, specs, COUNT(specs));
}

/* The first cycle has one arm, the later ones have four glued ones more. */
#define GLUED \
  { \
    {"portfolio", "0WATG,0ZR,10WATKRG,2WATG,10WATKG"}, {"first_budget", "100"}, { \
      "exchange", "never" \
    } \
  }

static const struct {
  const char *name;
  maker problem;
  asc_goal goal;
  asc_option_value options[3];
  lie until; /* the run is taken so far that this field is that number */
  lie lies[4];
} cases[] = {
    {"nothing is left to ask for",
     synthetic,
     ASC_GOAL_HEIGHT,
     {{0}},
     {PROBING, NONE, 1},
     {{LOWER, UPPER, 0}, {BRACKET, UPPER, 0}}},
    {"the bound is above the plan",
     synthetic,
     ASC_GOAL_HEIGHT,
     {{0}},
     {PROBING, NONE, 1},
     {{LOWER, UPPER, 1}, {BRACKET, UPPER, 1}}},
    {"a plan above all memory",
     synthetic,
     ASC_GOAL_HEIGHT,
     {{0}},
     {PROBING, NONE, 1},
     {{OFFSET, NONE, ASC_MAX_BYTES + 1}, {HEIGHT, NONE, 0}, {COST, HEIGHT, 0}}},
    {"a dive of problems with alignments", aligned, ASC_GOAL_HEIGHT, {{0}}, {PHASE, NONE, 2}, {{PHASE, NONE, 1}}},
    {"more dives than there are", synthetic, ASC_GOAL_HEIGHT, {{0}}, {ELASTIC, NONE, 1}, {{ORDER_AT, NONE, 4}}},
    {"a dive behind a proof",
     synthetic,
     ASC_GOAL_HEIGHT,
     {{0}},
     {ELASTIC, NONE, 1},
     {{LOWER, LOWER, 1}, {BRACKET, LOWER, 1}}},
    {"a dive that probes", synthetic, ASC_GOAL_HEIGHT, {{0}}, {ELASTIC, NONE, 1}, {{PROBING, NONE, 1}}},
    {"a probe in a dive", synthetic, ASC_GOAL_HEIGHT, {{0}}, {ELASTIC, NONE, 1}, {{ELASTIC, NONE, 0}, {PROBING, NONE, 1}}},
    {"more is asked than is enough",
     synthetic,
     ASC_GOAL_HEIGHT,
     {{0}},
     {PROBING, NONE, 1},
     {{ASKED, NONE, INT64_C(1) << 28}, {CAPACITY, NONE, INT64_C(1) << 28}}},
    {"a glued arm before its cycle", piled, ASC_GOAL_FIT, GLUED, {STARTED, NONE, 1}, {{ARM_AT, NONE, 1}, {CYCLE, NONE, 0}}},
    {"a glued arm in a long attempt", piled, ASC_GOAL_FIT, GLUED, {GLUING, NONE, 1}, {{LENGTHY, NONE, 1}}},
    {"a glued arm that is not glued", piled, ASC_GOAL_FIT, GLUED, {GLUING, NONE, 1}, {{GLUING, NONE, 0}}},
    {"boxed by an arm on piles", piled, ASC_GOAL_FIT, GLUED, {GLUING, NONE, 1}, {{BOXING, NONE, 1}}},
    {"boxed and not glued", piled, ASC_GOAL_FIT, GLUED, {STARTED, NONE, 1}, {{BOXING, NONE, 1}}},
    {"glued though nothing is placed", piled, ASC_GOAL_FIT, GLUED, {CYCLE, NONE, 0}, {{GLUING, NONE, 1}}},
    {"glued in a dive", piled, ASC_GOAL_HEIGHT, GLUED, {ELASTIC, NONE, 1}, {{GLUING, NONE, 1}}},
    {"a glued winner of what cannot be glued", synthetic, ASC_GOAL_HEIGHT, {{0}}, {PROBING, NONE, 1}, {{WINNER, NONE, 14}}},
    {"a sweep where none may be", saturated, ASC_GOAL_FIT, {{"exchange", "never"}}, {CYCLE, NONE, 0}, {{SWEEPING, NONE, 1}}},
    {"a sweep of nothing", weightless, ASC_GOAL_FIT, {{0}}, {BASE, NONE, 2}, {{SWEEPING, NONE, 1}}},
    {"a sweep that is no probe's",
     stubborn,
     ASC_GOAL_HEIGHT,
     {{"exchange", "always"}},
     {SWEEPING, NONE, 1},
     {{PROBING, NONE, 0}}},
    {"a plan shown though none is found",
     saturated,
     ASC_GOAL_FIT,
     {{"exchange", "always"}},
     {SWEEPING, NONE, 1},
     {{SHOWN, NONE, 1}}},
    {"nodes of nothing", weightless, ASC_GOAL_FIT, {{0}}, {BASE, NONE, 2}, {{BASE, NONE, 4}, {NODES, NONE, 2}}},
    {"nodes where one is too high", too_high, ASC_GOAL_FIT, {{0}}, {CYCLE, NONE, 0}, {{NODES, NONE, 2}}},
};

static asc_run *run_of(size_t k, const asc_problem *problem) {
  asc_run_config config = asc_run_config_default("exact", asc_problem_lower_bound(problem));
  config.goal = cases[k].goal;
  config.options = cases[k].options;
  config.seed = 3;
  while (config.option_count < COUNT(cases[k].options) && config.options[config.option_count].name) config.option_count++;
  return test_run_new(problem, &config);
}

/* The first save whose field is that number. */
static test_saved save_until(const asc_problem *problem, asc_run *run, const lie *until, const char *name) {
  for (uint32_t step = 0; step < 20000; step++) {
    test_saved saved = test_save(run);
    if (forged_nth(&saved, place_of(&saved, problem, TRYING)) == 0 &&
        forged_nth(&saved, place_of(&saved, problem, until->which)) == (uint64_t)until->number)
      return saved;
    free(saved.bytes);
    asc_outcome outcome;
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    CHECK(outcome == ASC_OUTCOME_RUNNING, "%s: %s after %u steps", name, asc_outcome_id(outcome), step);
  }
  CHECK(false, "%s: never", name);
  return (test_saved){0};
}

static void tell_lies(const asc_problem *problem, const test_saved *good, const lie *lies, test_saved *forged) {
  *forged = forged_with(good, 0, 0, 0); /* a copy, with a number too many in front */
  forged->count = good->count;
  memcpy(forged->bytes, good->bytes, good->count);
  for (; lies->which; lies++) {
    uint64_t other = lies->other ? forged_nth(good, place_of(good, problem, lies->other)) : 0;
    uint64_t number = other + (uint64_t)lies->number;
    if (lies->which == HEIGHT) /* of the plan as it is by now */
      number = forged_nth(forged, SAVED_PLAN) + (uint64_t)asc_problem_buffer(problem, 0)->size;
    if (lies->which == COST) number = forged_nth(forged, SAVED_HEIGHT);
    forged_set(forged, place_of(forged, problem, lies->which), number);
  }
}

static void contradictions_are_refused(void **state) {
  (void)state;
  for (size_t k = 0; k < COUNT(cases); k++) {
    asc_context *context = test_context();
    asc_problem *problem = cases[k].problem(context);
    asc_run *run = run_of(k, problem), *other = run_of(k, problem);
    test_saved good = save_until(problem, run, &cases[k].until, cases[k].name), forged;
    tell_lies(problem, &good, cases[k].lies, &forged);
    asc_status status = asc_run_load(other, forged.bytes, forged.count);
    CHECK(status == ASC_BAD_SAVE, "%s: %s", cases[k].name, asc_status_text(status));
    assert_int_equal(asc_run_load(other, good.bytes, good.count), ASC_OK);
    test_same_stats(run, other, cases[k].name);
    free(forged.bytes);
    free(good.bytes);
    asc_run_free(run);
    asc_run_free(other);
    asc_problem_free(problem);
    test_context_end(context);
  }
}

/* Sections whose failures are as many as can be counted are asked as any others. The weights are the last numbers of a save. */
static void weights_are_counted_to_the_end(void **state) {
  (void)state;
  enum { LEAST = 2000 };
  asc_context *context = test_context();
  test_options options = {.count = 0};
  test_option_set(&options, "portfolio", "4WAT,14WAT");
  test_option_set(&options, "exchange", "never");
  asc_problem *problem = stubborn(context);
  asc_run_config config = test_config("exact", asc_problem_lower_bound(problem), &options);
  for (uint32_t back = 1; back <= SECTIONS; back++) {
    asc_run *run = test_run_new(problem, &config), *other = test_run_new(problem, &config);
    assert_int_equal(asc_run_step(run, 40, NULL), ASC_OK);
    test_saved saved = test_save(run);
    size_t numbers = 0, end = 0;
    for (size_t at = 0; at < saved.count; at = end, numbers++) (void)forged_number(&saved, at, &end);
    for (size_t nth = numbers - back; nth < numbers; nth++) forged_set(&saved, nth, UINT32_MAX);
    assert_int_equal(asc_run_load(other, saved.bytes, saved.count), ASC_OK);
    assert_int_equal(asc_run_step(other, LEAST, NULL), ASC_OK);
    free(saved.bytes);
    asc_run_free(run);
    asc_run_free(other);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- sweeps ------------------------------------------------------------------------------------------------------------ */

static asc_run *sweeping_run(const asc_problem *problem) {
  return exact_sweeping_run(problem, asc_problem_lower_bound(problem), ASC_GOAL_FIT, 0);
}

/* A save amid a sweep, after so many steps more. */
static test_saved save_sweeping(const asc_problem *problem, uint32_t more) {
  asc_run *run = sweeping_run(problem);
  lie until = {SWEEPING, NONE, 1};
  test_saved saved = save_until(problem, run, &until, "a sweep");
  free(saved.bytes);
  assert_int_equal(asc_run_step(run, more, NULL), ASC_OK);
  saved = test_save(run);
  assert_int_equal(forged_nth(&saved, place_of(&saved, problem, SWEEPING)), 1);
  asc_run_free(run);
  return saved;
}

/* Each number of what a sweep keeps becomes others: the save is refused, or the run goes on from it to a sound end. */
static void numbers_of_sweeps(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = stubborn(context);
  uint32_t taken = 0, refused = 0;
  for (uint32_t more = 1; more < 60; more += 29) {
    test_saved saved = save_sweeping(problem, more);
    size_t numbers = 0, end = 0;
    for (size_t at = 0; at < saved.count; at = end, numbers++) (void)forged_number(&saved, at, &end);
    for (size_t nth = place_of(&saved, problem, NODES); nth < numbers - SECTIONS; nth++) {
      uint64_t number = forged_nth(&saved, nth), others[] = {number + 1, number - 1, number ^ 6, 0, 1, SECTIONS};
      for (uint32_t k = 0; k < COUNT(others); k++) {
        size_t stop, at = forged_place(&saved, nth, &stop);
        test_saved forged = forged_with(&saved, at, stop, others[k]);
        asc_run *run = sweeping_run(problem);
        asc_status status = asc_run_load(run, forged.bytes, forged.count);
        assert_true(!status || status == ASC_BAD_SAVE);
        if (!status) assert_int_equal(asc_run_step(run, 300, NULL), ASC_OK);
        *(status ? &refused : &taken) += 1;
        asc_run_free(run);
        free(forged.bytes);
      }
    }
    free(saved.bytes);
  }
  assert_true(taken > 0 && refused > 100);
  asc_problem_free(problem);
  test_context_end(context);
}

static void sweeps_without_memory(void **state) {
  (void)state;
  asc_context *plain = test_context();
  asc_problem *problem = stubborn(plain);
  test_saved saved = save_sweeping(problem, 40);
  bool failed = true;
  for (uint64_t at = 1; failed; at++) {
    test_memory memory = {0};
    asc_context *context = test_context_on(&memory);
    asc_problem *again = stubborn(context);
    asc_run *run = sweeping_run(again);
    memory.fail_at = memory.calls + at;
    asc_status status = asc_run_load(run, saved.bytes, saved.count);
    failed = status == ASC_OUT_OF_MEMORY;
    assert_true(failed || (!status && at > 3));
    asc_run_free(run);
    asc_problem_free(again);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
  }
  free(saved.bytes);
  asc_problem_free(problem);
  test_context_end(plain);
}

int run_exact_saves_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contradictions_are_refused),
      cmocka_unit_test(weights_are_counted_to_the_end),
      cmocka_unit_test(numbers_of_sweeps),
      cmocka_unit_test(sweeps_without_memory),
  };
  return cmocka_run_group_tests_name("exact_saves", tests, NULL, NULL);
}
