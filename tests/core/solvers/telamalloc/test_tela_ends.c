/* TelaMalloc and its simple sibling at their ends: a start that is cut short, memory that is refused wherever a search goes back, saves that contradict
 * themselves, a teacher in place of the model. */
#include "forged.h"
#include "solve/run.h"
#include "solve/telamalloc/learned.h"
#include "solve/telamalloc/search.h"

#include <stdlib.h>
#include <string.h>

static const char *const solvers[] = {"telamalloc", "simple"};

/* Fixed ones that narrow where the others may be, so that propagation writes things down. */
static asc_problem *narrowed(asc_context *context) {
  asc_buffer_spec specs[] = {test_spec(0, 6, 4), test_spec(1, 5, 3), test_spec(2, 8, 5), test_spec(4, 9, 2),
                             test_spec(5, 9, 6), test_spec(0, 3, 2), test_spec(3, 7, 1)};
  specs[0].offset = 0;
  specs[4].offset = 8;
  return test_problem(context, specs, COUNT(specs));
}

/* A run that was cancelled makes a new state that is not ready: its load ends what was left, and so does its next step. With each call for memory
   refused, either is done or says so. */
static void what_making_leaves_is_done_later(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(solvers); k++) {
    test_memory memory = {0};
    asc_context *context = test_context_on(&memory);
    asc_problem *problem = narrowed(context);
    asc_run_config config = test_config(solvers[k], 16, NULL);
    asc_run *run = test_run_new(problem, &config), *whole = test_run_new(problem, &config);
    asc_outcome end = test_finish(whole), outcome;
    assert_int_equal(asc_run_step(run, 2, NULL), ASC_OK);
    test_saved saved = test_save(run);
    uint32_t refused = 0, lost = 0;
    for (uint64_t fail = 1; fail < 200; fail++) {
      asc_run_cancel(run);
      memory.fail_at = memory.calls + fail;
      asc_status status = asc_run_load(run, saved.bytes, saved.count);
      assert_true(status == ASC_OK || status == ASC_OUT_OF_MEMORY);
      refused += status != ASC_OK;
      memory.fail_at = 0;
      status = asc_run_load(run, saved.bytes, 1);
      assert_int_equal(status, ASC_BAD_SAVE);
      asc_run_resume(run, 0);
      memory.fail_at = memory.calls + fail;
      assert_true(asc_run_step(run, 1000, &outcome) == ASC_OK || outcome == ASC_OUTCOME_OUT_OF_MEMORY);
      assert_true(outcome == end || outcome == ASC_OUTCOME_OUT_OF_MEMORY);
      lost += outcome != end;
      memory.fail_at = 0;
    }
    CHECK(refused && lost, "%s: refused %u times, lost %u", solvers[k], refused, lost);
    assert_int_equal(asc_run_load(run, saved.bytes, saved.count), ASC_OK);
    assert_int_equal(test_finish(run), end);
    test_same_stats(run, whole, solvers[k]);
    free(saved.bytes);
    asc_run_free(run);
    asc_run_free(whole);
    asc_problem_free(problem);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
  }
}

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

/* Searches that go back far, far more often than they go on. */
static void going_back_without_memory_is_said(void **state) {
  (void)state;
  test_memory memory = {.noticed = NULL};
  asc_context *context = test_context_on(&memory);
  for (uint64_t seed = 0; seed < 6; seed++) {
    asc_problem *problem = NULL;
    int64_t capacity;
    uint32_t lost = 0;
    assert_int_equal(asc_generate(context, "synthetic", 44, seed, &problem, &capacity), ASC_OK);
    test_options options = {0};
    test_option_set(&options, "candidates", seed % 2 ? "2" : "48");
    test_option_set(&options, "stuck_limit", seed % 3 ? "3" : "40");
    test_option_set(&options, "jump", seed % 3 == 1 ? "random" : "conflict");
    if (seed % 2) test_option_set(&options, "split", "false");
    asc_run_config config = test_config("telamalloc", capacity, &options);
    config.budget = 1500;
    config.seed = seed;
    uint64_t calls, ignored;
    uint64_t whole = test_search_without(problem, &config, config.budget, true, &memory, 0, &calls);
    assert_true(whole != 0);
    for (uint64_t fail = 1; fail <= calls; fail++) {
      uint64_t digest = test_search_without(problem, &config, config.budget, fail % 2, &memory, fail, &ignored);
      CHECK(!digest || digest == whole, "seed %d goes another way without call %d", (int)seed, (int)fail);
      lost += !digest;
    }
    assert_true(lost > 0);
    asc_problem_free(problem);
  }
  asc_context_free(context);
  assert_int_equal(memory.live, 0);
}

/* ---- saves ----------------------------------------------------------------------------------------------------------- */

/* Where the first section is too full nobody is placed. */
static void who_is_refuted_places_nobody(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 6, 4), test_spec(1, 5, 3), test_spec(2, 8, 5)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  for (uint32_t k = 0; k < COUNT(solvers); k++) {
    asc_run_config config = test_config(solvers[k], 9, NULL);
    asc_run *run = test_run_new(problem, &config);
    test_saved forged = test_save(run);
    uint32_t depth = k ? SAVED_PLAN : SAVED_PLAN + 1;
    assert_int_equal(forged_nth(&forged, depth), 0);
    forged_set(&forged, SAVED_DEPTH, 1);
    forged_set(&forged, depth, 1);
    asc_status status = asc_run_load(run, forged.bytes, forged.count);
    CHECK(status == ASC_BAD_SAVE, "%s: %s", solvers[k], asc_status_text(status));
    free(forged.bytes);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- weightless ------------------------------------------------------------------------------------------------------ */

/* Without bytes, but fixed above the capacity: that is a proof, and is told. */
static void nothing_above_the_capacity_is_refused(void **state) {
  (void)state;
  static const char *const complete[] = {"telamalloc", "simple", "minimalloc"};
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 6, 4), test_spec(1, 5, 0)};
  specs[1].offset = 20;
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  for (uint32_t k = 0; k < COUNT(complete); k++) {
    asc_run_config config = test_config(complete[k], 16, NULL);
    asc_run *run = test_run_new(problem, &config);
    asc_log *log = NULL;
    const asc_event *events;
    uint32_t count;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    assert_int_equal(test_finish(run), ASC_OUTCOME_INFEASIBLE);
    asc_log_get(log, &events, &count, NULL, NULL);
    assert_int_equal(events[count - 1].kind, ASC_EVENT_REJECT);
    assert_int_equal(events[count - 1].reject.buffer, 1);
    assert_int_equal(events[count - 1].reject.floor, 20);
    asc_run_free(run);
    asc_log_free(log);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- a teacher ------------------------------------------------------------------------------------------------------- */

typedef struct lesson {
  uint32_t asked;
} lesson;

/* The deepest of those that may be chosen. */
static uint32_t deepest(void *user, const tela_search *s) {
  lesson *l = user;
  l->asked++;
  uint32_t level = 0;
  for (uint32_t k = 0; k < s->jump.count; k++)
    if (s->scratch[k] > level) level = s->scratch[k];
  return level;
}

/* Is asked at every jump, and obeyed; then no score is told. */
static void a_teacher_is_asked_in_place_of_the_model(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  int64_t capacity;
  assert_int_equal(asc_generate(context, "synthetic", 40, 1, &problem, &capacity), ASC_OK);
  test_options options = {0};
  test_option_set(&options, "jump", "learned");
  test_option_set(&options, "split", "false");
  asc_run_config config = test_config("telamalloc", capacity, &options);
  config.budget = 2000;
  asc_run *run = test_run_new(problem, &config);
  lesson all = {0};
  const tela_teacher teacher = {deepest, &all};
  ((tela_search *)run->state)->teacher = &teacher;
  asc_log *log = NULL;
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count, jumps = 0;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  assert_int_equal(asc_run_step(run, config.budget, NULL), ASC_OK);
  asc_log_get(log, &events, &count, &lists, NULL);
  for (uint32_t k = 0; k < count; k++) {
    assert_true(events[k].kind != ASC_EVENT_SCORE);
    jumps += events[k].kind == ASC_EVENT_JUMP;
  }
  assert_true(jumps > 0);
  assert_int_equal(all.asked, jumps);
  asc_run_free(run);
  asc_log_free(log);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_tela_ends_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_making_leaves_is_done_later),
      cmocka_unit_test(going_back_without_memory_is_said),
      cmocka_unit_test(who_is_refuted_places_nobody),
      cmocka_unit_test(nothing_above_the_capacity_is_refused),
      cmocka_unit_test(a_teacher_is_asked_in_place_of_the_model),
  };
  return cmocka_run_group_tests_name("tela_ends", tests, NULL, NULL);
}
