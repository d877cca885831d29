/* The exact solver where numbers are large: banks and alignments that part the places of a buffer far, bounds far below the least height, loads far
 * above the capacity. The least heights are what a search of all orders says. */
#include "support.h"

static asc_run *least(asc_context *context, const asc_buffer_spec *specs, uint32_t count, int64_t capacity,
                      asc_problem **problem) {
  *problem = test_problem(context, specs, count);
  asc_run_config config = test_config("exact", capacity, NULL);
  config.goal = ASC_GOAL_HEIGHT;
  return test_run_new(*problem, &config);
}

static void expect_least(const asc_buffer_spec *specs, uint32_t count, int64_t height, uint64_t most_steps) {
  asc_context *context = test_context();
  asc_problem *problem;
  asc_run *run = least(context, specs, count, INT64_C(1) << 40, &problem);
  asc_run_stats stats;
  bool proves = asc_run_prove(run, test_swallow, NULL, NULL) == ASC_OK; /* not where there are windows */
  assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
  asc_run_stats_get(run, &stats);
  CHECK(stats.height == height, "height %lld, expected %lld", (long long)stats.height, (long long)height);
  CHECK(stats.steps <= most_steps, "%llu steps, at most %llu expected", (unsigned long long)stats.steps,
        (unsigned long long)most_steps);
  assert_int_equal(proves, !specs[0].gap_count);
  if (proves) assert_int_equal(asc_run_proven(run), height - 1);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* The next place may be as far as the common multiple of alignment and bank, which is more than both together. */
static void places_far_apart_are_looked_for(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {test_spec(0, 2, 134217720), test_spec(0, 3, 1100000001)};
  specs[0].alignment = 134217728;
  specs[0].bank = 134217727;
  specs[1].alignment = 64;
  specs[1].bank = 1100000001;
  expect_least(specs, 2, INT64_C(71500000065), 100);
}

enum { IN_BANKS = 9 };

/* Nine buffers in banks of 4 MiB, for which the load is a bound a million bytes too low. */
static void put_in_banks(asc_buffer_spec specs[IN_BANKS]) {
  static const int64_t rows[IN_BANKS][3] = {{3, 7, 3389990},  {1, 3, 3104023}, {6, 7, 3608751},
                                            {8, 11, 1973419}, {2, 4, 1320873}, {1, 3, 2774125},
                                            {0, 1, 1361324},  {2, 4, 1050099}, {8, 9, 1824012}};
  for (size_t k = 0; k < IN_BANKS; k++) {
    specs[k] = test_spec(rows[k][0], rows[k][1], rows[k][2]);
    specs[k].bank = 4194304;
  }
}

/* There the search does not go up one by one. */
static void a_bound_that_is_far_too_low_is_left_in_leaps(void **state) {
  (void)state;
  asc_buffer_spec specs[IN_BANKS];
  put_in_banks(specs);
  expect_least(specs, IN_BANKS, 9438707, 2000);
}

/* What is said to be asked at the lower bound is, and a leap is not said to be. */
static void leaps_are_told_as_such(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[IN_BANKS];
  put_in_banks(specs);
  asc_problem *problem;
  asc_run *run = least(context, specs, IN_BANKS, 1 << 30, &problem);
  asc_log *log;
  const asc_event *events;
  uint32_t count, leaps = 0;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
  const uint32_t *lists;
  asc_log_get(log, &events, &count, &lists, NULL);
  for (uint32_t k = 0; k < count; k++) {
    if (events[k].kind != ASC_EVENT_PROBE) continue;
    bool above = events[k].probe.capacity > events[k].probe.lower;
    CHECK(!above || events[k].probe.purpose, "%lld is above %lld", (long long)events[k].probe.capacity,
          (long long)events[k].probe.lower);
    leaps += above;
  }
  assert_true(leaps > 0);
  asc_run_free(run);
  asc_log_free(log);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Nobody asked for an alignment: then megabytes are the unit, whatever else the problem has. */
static void no_alignment_makes_no_unit_smaller(void **state) {
  (void)state;
  static const asc_gap gaps[] = {{.lower = 3, .upper = 4, .window_lower = 5 << 20, .window_upper = 6 << 20},
                                 {.lower = 0, .upper = 3, .window_lower = 2 << 20, .window_upper = 3 << 20}};
  asc_buffer_spec specs[] = {test_spec(0, 4, 6 << 20), test_spec(0, 5, 3 << 20)};
  for (size_t k = 0; k < 2; k++) {
    specs[k].gaps = &gaps[k];
    specs[k].gap_count = 1;
  }
  expect_least(specs, 2, 9 << 20, 50);
}

/* Fixed ones that overlap leave no plan at any height: the certificate reaches up to the capacity. */
static void what_no_height_allows_is_proven_up_to_the_capacity(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 2, 64), test_spec(1, 3, 64)};
  specs[0].offset = 0;
  specs[1].offset = 32;
  const int64_t capacities[] = {65536, ASC_MAX_BYTES};
  for (size_t k = 0; k < COUNT(capacities); k++) {
    asc_problem *problem;
    asc_run *run = least(context, specs, 2, capacities[k], &problem);
    assert_int_equal(asc_run_prove(run, test_swallow, NULL, NULL), ASC_OK);
    assert_int_equal(test_finish(run), ASC_OUTCOME_INFEASIBLE);
    assert_true(asc_run_proven(run) >= capacities[k]);
    asc_run_free(run);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* A model of 600 megabytes on a chip of one: any step can be saved, loaded and shown again. */
static void far_too_much_is_saved_and_shown_again(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 2, 300000000), test_spec(1, 3, 300000001)};
  asc_problem *problem = test_problem(context, specs, 2);
  asc_run_config config = test_config("exact", 1 << 20, NULL);
  for (uint64_t step = 0; step < 2; step++) {
    asc_run *run = test_run_new(problem, &config), *other = test_run_new(problem, &config);
    const uint8_t *bytes;
    size_t count;
    if (step) assert_int_equal(asc_run_step(run, step, NULL), ASC_OK);
    assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
    assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
    assert_int_equal(test_finish(other), ASC_OUTCOME_INFEASIBLE);
    asc_run_free(run);
    asc_run_free(other);
  }
  asc_timeline *timeline;
  asc_run_view view;
  assert_int_equal(asc_timeline_new(asc_input_buffers(problem), &config, 1 << 16, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, UINT64_MAX, NULL), ASC_OK);
  assert_int_equal(asc_timeline_seek(timeline, 0, 0, 0, &view), ASC_OK);
  assert_int_equal(view.step, 0);
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_exact_ends_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_far_apart_are_looked_for),
      cmocka_unit_test(a_bound_that_is_far_too_low_is_left_in_leaps),
      cmocka_unit_test(leaps_are_told_as_such),
      cmocka_unit_test(no_alignment_makes_no_unit_smaller),
      cmocka_unit_test(what_no_height_allows_is_proven_up_to_the_capacity),
      cmocka_unit_test(far_too_much_is_saved_and_shown_again),
  };
  return cmocka_run_group_tests_name("exact_ends", tests, NULL, NULL);
}
