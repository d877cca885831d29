/* Where planners end: at the greatest address, and at what a save says that no run of theirs does. */
#include "forged.h"
#include "model/naive_fit.h"
#include "solve/run.h"

#include <stdlib.h>
#include <string.h>

static const char *const planners[] = {"first-fit",      "greedy",          "bfc",           "contention",       "tflm",
                                       "litert",         "openvino",        "tvm-by-size",   "tvm-by-conflicts", "xla",
                                       "shared-objects", "vela-hill-climb", "tvm-hill-climb"};

#define HALF (INT64_C(1) << 52)

/* Whichever is second begins at its alignment at least, and would end beyond every address. */
static asc_problem *too_wide(asc_context *context) {
  asc_buffer_spec specs[] = {test_spec(0, 4, HALF), test_spec(1, 5, HALF - 1)};
  specs[0].alignment = HALF + 1;
  specs[1].alignment = HALF + 3;
  return test_problem(context, specs, COUNT(specs));
}

static void nobody_ends_beyond_every_address(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = too_wide(context);
  for (uint32_t k = 0; k < COUNT(planners); k++) {
    asc_run_config config = test_config(planners[k], ASC_MAX_BYTES, NULL);
    asc_run *plain = test_run_new(problem, &config), *traced = test_run_new(problem, &config);
    asc_log *log = NULL;
    const asc_event *events;
    uint32_t count;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(traced, log);
    assert_int_equal(test_finish(plain), ASC_OUTCOME_EXHAUSTED);
    test_finish(traced);
    test_same_stats(traced, plain, planners[k]);
    assert_null(asc_run_best(plain));
    asc_log_get(log, &events, &count, NULL, NULL);
    CHECK(count && events[count - 1].kind == ASC_EVENT_REJECT, "%s does not say that it refuses", planners[k]);
    asc_run_free(plain);
    asc_run_free(traced);
    asc_log_free(log);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

static void expect_bad(asc_run *run, test_saved *forged, const char *what) {
  asc_status status = asc_run_load(run, forged->bytes, forged->count);
  CHECK(status == ASC_BAD_SAVE, "%s: %s", what, asc_status_text(status));
  free(forged->bytes);
}

/* After so many steps. */
static test_saved save_after(asc_run *run, uint64_t steps) {
  assert_int_equal(asc_run_step(run, steps, NULL), ASC_OK);
  return test_save(run);
}

/* A save in which both are placed: where the second would be there is no address. */
static void no_save_has_anybody_there(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = too_wide(context);
  for (uint32_t k = 0; k < COUNT(planners); k++) {
    asc_run_config config = test_config(planners[k], ASC_MAX_BYTES, NULL);
    asc_run *run = test_run_new(problem, &config);
    asc_run_stats stats = {0};
    while (!stats.depth) {
      assert_int_equal(asc_run_step(run, 1, NULL), ASC_OK);
      asc_run_stats_get(run, &stats);
    }
    test_saved forged = test_save(run);
    forged_set(&forged, SAVED_DEPTH, 2);
    forged_set(&forged, SAVED_PLAN, 2);
    expect_bad(run, &forged, planners[k]);
    asc_run_free(run);
  }
  asc_run_config config = test_config("greedy", ASC_MAX_BYTES, NULL);
  asc_run *run = test_run_new(problem, &config);
  test_saved forged = save_after(run, 1);
  assert_int_equal(forged_nth(&forged, SAVED_PLAN + 1), 0); /* the offset of the first */
  forged_set(&forged, SAVED_PLAN + 1, ASC_MAX_BYTES);
  expect_bad(run, &forged, "an offset near the end");
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- first-fit: a run that follows another ---------------------------------------------------------------------------- */

/* Of four with fixed offsets the last meets the third; the first is there at another time, and the second ends where it begins. */
static asc_problem *fixed_ones(asc_context *context) {
  asc_buffer_spec specs[] = {test_spec(0, 2, 4), test_spec(4, 8, 2), test_spec(5, 9, 4), test_spec(4, 8, 4)};
  const int64_t offsets[] = {2, 0, 4, 2};
  for (uint32_t b = 0; b < COUNT(specs); b++) specs[b].offset = offsets[b];
  return test_problem(context, specs, COUNT(specs));
}

static void a_follower_refuses_as_its_leader(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = fixed_ones(context);
  asc_run_config config = test_config("first-fit", 100, NULL);
  asc_run *leader = test_run_new(problem, &config), *saver = test_run_new(problem, &config);
  asc_run *follower = test_run_new(problem, &config), *fresh = test_run_new(problem, &config);
  asc_run *later = test_run_new(problem, &config);
  assert_int_equal(test_finish(leader), ASC_OUTCOME_EXHAUSTED);
  for (uint32_t placed = 0; placed <= 3; placed++) {
    test_saved saved = save_after(saver, placed > 0);
    assert_int_equal(asci_run_retrace(follower, leader, saved.bytes, saved.count), ASC_OK);
    asc_log *log = NULL;
    const asc_event *events;
    const uint32_t *lists;
    uint32_t count;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(follower, log);
    assert_int_equal(test_finish(follower), ASC_OUTCOME_EXHAUSTED);
    test_same_stats(follower, leader, "who follows");
    asc_log_get(log, &events, &count, &lists, NULL);
    assert_int_equal(events[count - 1].kind, ASC_EVENT_REJECT);
    assert_int_equal(events[count - 1].list_count, 1);
    assert_int_equal(lists[events[count - 1].list], 2); /* who is in the way */
    asc_run_attach(follower, NULL);
    asc_log_free(log);
    /* on from where it follows already */
    assert_int_equal(asci_run_retrace(later, leader, saved.bytes, saved.count), ASC_OK);
    assert_int_equal(later->stats.depth, placed);
    if (placed) assert_int_equal(asci_run_retrace(follower, fresh, saved.bytes, saved.count), ASC_BAD_SAVE);
    assert_int_equal(asci_run_retrace(follower, leader, saved.bytes, saved.count - 1), ASC_BAD_SAVE);
    forged_set(&saved, SAVED_DEPTH, placed + 1);
    assert_int_equal(asci_run_retrace(follower, leader, saved.bytes, saved.count), ASC_BAD_SAVE);
    free(saved.bytes);
  }
  asc_run_free(leader);
  asc_run_free(saver);
  asc_run_free(follower);
  asc_run_free(fresh);
  asc_run_free(later);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- shared-objects -------------------------------------------------------------------------------------------------- */

/* Saves of by-size-improved name each buffer and its slot: those without bytes come last, in their order, and open no slot. */
static void slots_are_opened_by_those_with_bytes(void **state) {
  (void)state;
  enum { PLACED = SAVED_PLAN, OPENED, BUFFER, SLOT };
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(1, 5, 0), test_spec(1, 5, 0)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  test_options options = {0};
  test_option_set(&options, "strategy", "by-size-improved");
  asc_run_config config = test_config("shared-objects", 0, &options);
  asc_run *run = test_run_new(problem, &config);
  test_saved forged = save_after(run, 2); /* a slot, and who is in it */
  assert_int_equal(forged_nth(&forged, PLACED), 1);
  test_saved first = {malloc(forged.count), forged.count}, opened = {malloc(forged.count), forged.count};
  assert_true(first.bytes && opened.bytes);
  memcpy(first.bytes, forged.bytes, forged.count);
  memcpy(opened.bytes, forged.bytes, forged.count);
  forged_set(&first, BUFFER, 1);
  forged_set(&first, SLOT, 0); /* none */
  expect_bad(run, &first, "one without bytes before one that has some");
  forged_set(&opened, OPENED, 1);
  expect_bad(run, &opened, "a slot for no bytes");
  assert_int_equal(asc_run_load(run, forged.bytes, forged.count), ASC_OK);
  free(forged.bytes);
  forged = save_after(run, 1);
  assert_int_equal(forged_nth(&forged, PLACED), 2);
  assert_int_equal(forged_nth(&forged, BUFFER + 2), 1);
  forged_set(&forged, BUFFER + 2, 2);
  expect_bad(run, &forged, "the last before the one before it");
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* A second slot that would end beyond every address. */
static void slots_end_below_the_greatest_address(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = too_wide(context);
  test_options options = {0};
  test_option_set(&options, "strategy", "by-size");
  asc_run_config config = test_config("shared-objects", ASC_MAX_BYTES, &options);
  asc_run *run = test_run_new(problem, &config);
  test_saved saved = save_after(run, 2);
  assert_int_equal(forged_nth(&saved, SAVED_PLAN), 1);
  forged_set(&saved, SAVED_DEPTH, 2);
  forged_set(&saved, SAVED_PLAN, 2);
  uint8_t *longer = realloc(saved.bytes, saved.count + 1);
  assert_non_null(longer);
  longer[saved.count] = 2; /* slot 1 */
  saved = (test_saved){longer, saved.count + 1};
  expect_bad(run, &saved, "a slot beyond every address");
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- hill climbing --------------------------------------------------------------------------------------------------- */

/* Height of first fit in that order, INT64_MAX if someone has no address. */
static int64_t height_of(const asc_problem *problem, const uint32_t *order) {
  int64_t offsets[8], height = 0;
  uint32_t n = asc_problem_count(problem);
  for (uint32_t b = 0; b < n; b++) offsets[b] = ASC_UNPLACED;
  for (uint32_t k = 0; k < n; k++) {
    int64_t size = asc_problem_buffer(problem, order[k])->size;
    offsets[order[k]] = naive_lowest(problem, offsets, order[k], 0, ASC_MAX_BYTES);
    if (offsets[order[k]] == ASC_UNPLACED) return INT64_MAX;
    if (offsets[order[k]] + size > height) height = offsets[order[k]] + size;
  }
  return height;
}

static bool next_order(uint32_t *order, uint32_t n) {
  uint32_t k = n - 1, last = n - 1;
  while (k && order[k - 1] > order[k]) k--;
  if (!k) return false;
  while (order[last] < order[k - 1]) last--;
  uint32_t kept = order[k - 1];
  order[k - 1] = order[last];
  order[last] = kept;
  for (uint32_t i = k, j = n - 1; i < j; i++, j--) {
    kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
  return true;
}

/* Loads the save of a first plan with each order in turn: no order may give less than the best height, and where attempts are abandoned that are
   higher than the last, none gives more. */
static void check_orders(const asc_problem *problem, const char *solver, bool abandons, uint32_t *seen) {
  uint32_t n = asc_problem_count(problem), order[8];
  enum { ATTEMPT = 1, IMPROVED, RNG, ORDER };
  asc_run_config config = test_config(solver, asc_problem_lower_bound(problem), NULL);
  asc_run *run = test_run_new(problem, &config);
  test_saved good = save_after(run, n);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  assert_int_equal(forged_nth(&good, SAVED_PLAN + n), n);
  for (uint32_t k = 0; k < n; k++) order[k] = k;
  do {
    test_saved forged = {malloc(good.count), good.count};
    assert_non_null(forged.bytes);
    memcpy(forged.bytes, good.bytes, good.count);
    for (uint32_t k = 0; k < n; k++) forged_set(&forged, SAVED_PLAN + n + ORDER + k, order[k]);
    int64_t height = height_of(problem, order);
    bool fine = height < INT64_MAX && (height == stats.height || (height > stats.height && !abandons));
    asc_status status = asc_run_load(run, forged.bytes, forged.count);
    CHECK(status == (fine ? ASC_OK : ASC_BAD_SAVE), "%s: %s for a height of %d", solver, asc_status_text(status),
          (int)height);
    seen[height < stats.height ? 0 : height > stats.height ? 2 : 1]++;
    free(forged.bytes);
  } while (next_order(order, n));
  /* a plan before all are placed; none where all are */
  forged_set(&good, SAVED_DEPTH, 1);
  forged_set(&good, SAVED_PLAN + n, 1);
  asc_status status = asc_run_load(run, good.bytes, good.count);
  CHECK(status == ASC_BAD_SAVE, "%s: %s", solver, asc_status_text(status));
  forged_set(&good, SAVED_DEPTH, n);
  forged_set(&good, SAVED_PLAN + n, n);
  forged_set(&good, SAVED_HEIGHT, 0);
  forged_set(&good, SAVED_COST, 0);
  forged_set(&good, SAVED_OUTCOME, ASC_OUTCOME_RUNNING);
  size_t end, from = forged_place(&good, SAVED_PLAN, &end), to = forged_place(&good, SAVED_PLAN + n, &end);
  memmove(good.bytes + from, good.bytes + to, good.count - to);
  good.count -= to - from;
  expect_bad(run, &good, "no plan where all are placed");
  asc_run_free(run);
}

static void orders_of_saves_give_no_better_plans(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t seen[3] = {0};
  asci_rng rng = {5};
  for (uint32_t round = 0; round < 12; round++) {
    asc_buffer_spec specs[5];
    for (uint32_t b = 0; b < COUNT(specs); b++) {
      int64_t lower = asci_random_between(&rng, 0, 5), length = asci_random_between(&rng, 1, 5);
      specs[b] = test_spec(lower, lower + length, asci_random_between(&rng, 1, 6));
    }
    asc_problem *problem = test_problem(context, specs, COUNT(specs));
    check_orders(problem, "vela-hill-climb", true, seen);
    check_orders(problem, "tvm-hill-climb", false, seen);
    asc_problem_free(problem);
  }
  /* in one order there is no address for the second */
  asc_buffer_spec wide[] = {test_spec(0, 4, HALF), test_spec(0, 4, HALF - 1)};
  wide[0].alignment = HALF;
  asc_problem *problem = test_problem(context, wide, COUNT(wide));
  check_orders(problem, "tvm-hill-climb", false, seen);
  check_orders(problem, "vela-hill-climb", true, seen);
  asc_problem_free(problem);
  assert_true(seen[0] && seen[1] && seen[2]);
  test_context_end(context);
}

/* A save that goes on where the only plan there is was found: nobody is left to change places. */
static void an_only_plan_is_kept(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec one = test_spec(0, 4, 8);
  asc_problem *problem = test_problem(context, &one, 1);
  for (uint32_t k = COUNT(planners) - 2; k < COUNT(planners); k++) {
    asc_run_config config = test_config(planners[k], 8, NULL);
    asc_run *run = test_run_new(problem, &config);
    test_saved forged = save_after(run, 100);
    assert_int_equal(forged_nth(&forged, SAVED_OUTCOME), ASC_OUTCOME_OPTIMAL);
    forged_set(&forged, SAVED_OUTCOME, ASC_OUTCOME_RUNNING);
    assert_int_equal(asc_run_load(run, forged.bytes, forged.count), ASC_OK);
    assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
    assert_int_equal(asc_run_best(run)[0], 0);
    free(forged.bytes);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* One that is stuck asks for the neighbours of those who are far: some of those have more of them than whoever was asked before. */
static void a_stuck_climb_without_memory_says_so(void **state) {
  (void)state;
  test_memory memory = {0};
  asc_context *context = test_context_on(&memory);
  test_options options = {0};
  test_option_set(&options, "stuck", "0");
  asci_rng rng = {2};
  for (uint32_t round = 0; round < 40; round++) {
    asc_buffer_spec specs[24];
    for (uint32_t b = 0; b < COUNT(specs); b++) {
      int64_t lower = asci_random_between(&rng, 0, 30), life = b % 6 ? asci_random_between(&rng, 1, 3) : 20;
      specs[b] = test_spec(lower, lower + life, asci_random_between(&rng, 1, 9));
      specs[b].alignment = b % 6 ? 1 : 8;
    }
    asc_problem *problem = test_problem(context, specs, COUNT(specs));
    asc_run_config config = test_config("vela-hill-climb", 1, &options);
    uint64_t calls, ignored;
    assert_true(test_search_without(problem, &config, COUNT(specs) + 20, false, &memory, 0, &calls) != 0);
    for (uint64_t fail = 1; fail <= calls; fail++)
      CHECK(!test_search_without(problem, &config, COUNT(specs) + 20, false, &memory, fail, &ignored),
            "call %d was not missed", (int)fail);
    asc_problem_free(problem);
  }
  asc_context_free(context);
  assert_int_equal(memory.live, 0);
}

/* Who was cancelled may load, as every other solver. */
static void a_cancelled_climb_loads(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 4, 3), test_spec(2, 6, 5), test_spec(5, 9, 4), test_spec(8, 12, 6)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  for (uint32_t k = COUNT(planners) - 2; k < COUNT(planners); k++) {
    asc_run_config config = test_config(planners[k], 1, NULL);
    asc_run *run = test_run_new(problem, &config);
    test_saved saved = save_after(run, COUNT(specs) + 1);
    asc_run_cancel(run);
    assert_int_equal(asc_run_load(run, saved.bytes, saved.count), ASC_OK);
    assert_int_equal(run->stats.depth, COUNT(specs));
    free(saved.bytes);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

int run_greedy_ends_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nobody_ends_beyond_every_address),
      cmocka_unit_test(no_save_has_anybody_there),
      cmocka_unit_test(a_follower_refuses_as_its_leader),
      cmocka_unit_test(slots_are_opened_by_those_with_bytes),
      cmocka_unit_test(slots_end_below_the_greatest_address),
      cmocka_unit_test(orders_of_saves_give_no_better_plans),
      cmocka_unit_test(an_only_plan_is_kept),
      cmocka_unit_test(a_stuck_climb_without_memory_says_so),
      cmocka_unit_test(a_cancelled_climb_loads),
  };
  return cmocka_run_group_tests_name("greedy_ends", tests, NULL, NULL);
}
