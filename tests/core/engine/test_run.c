/* The engine: whatever way a run is driven, it is the same run; and what it says about itself is true. */
#define _XOPEN_SOURCE 700

#include "cases.h"
#include "trace/overview.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* ---- the same run however it is driven ---- */

static void step_in_slices(test_case *each, asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) {
    asc_run_stats before, after;
    asc_run_stats_get(run, &before);
    uint64_t slice = asci_random_below(each->rng, asci_random_below(each->rng, 3) ? 50 : 3000);
    assert_int_equal(asc_run_step(run, slice, &outcome), ASC_OK);
    asc_run_stats_get(run, &after);
    assert_int_equal(after.outcome, outcome);
    CHECK(after.steps - before.steps <= slice, "%s: %d steps of at most %d", each->name, (int)(after.steps - before.steps),
          (int)slice);
    if (outcome == ASC_OUTCOME_RUNNING) CHECK(after.steps - before.steps == slice, "%s: stopped early", each->name);
  }
}

static void same_best(const test_case *each, const asc_run *left, const asc_run *right) {
  const int64_t *a = asc_run_best(left), *b = asc_run_best(right);
  assert_int_equal(!a, !b);
  if (a) assert_memory_equal(a, b, asc_problem_count(each->problem) * sizeof *a);
}

static void sound_end(const test_case *each, const asc_run *run) {
  if (test_minimises(&each->options))
    test_sound_least(each->problem, run, each->name);
  else
    test_sound_end(each->problem, run, each->config.capacity, each->name);
}

static void slices_and_logs(test_case *each) {
  asc_run *whole = test_case_run(each), *sliced = test_case_run(each), *logged = test_case_run(each);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(each->context, 100, &log), ASC_OK);
  asc_run_attach(logged, log);
  test_finish(whole);
  step_in_slices(each, sliced);
  test_finish(logged);
  test_same_stats(sliced, whole, each->name);
  test_same_stats(logged, whole, each->name);
  test_same_view(sliced, whole, asc_problem_count(each->problem), each->name);
  same_best(each, sliced, whole);
  same_best(each, logged, whole);
  sound_end(each, whole);
  asc_run_free(whole);
  asc_run_free(sliced);
  asc_run_free(logged);
  asc_log_free(log);
}

static void slices_and_logs_change_nothing(void **state) {
  (void)state;
  test_each_case(test_cases(80), 101, slices_and_logs);
}

static void ended(test_case *each) {
  asc_run *run = test_case_run(each), *same = test_case_run(each);
  asc_outcome first = test_finish(run), again = ASC_OUTCOME_RUNNING;
  test_finish(same);
  assert_int_equal(asc_run_step(run, 1000, &again), ASC_OK);
  assert_int_equal(again, first);
  assert_int_equal(asc_run_step(run, 0, NULL), ASC_OK);
  asc_run_cancel(run);
  assert_int_equal(asc_run_step(run, 1, &again), ASC_OK);
  assert_int_equal(again, first);
  test_same_stats(run, same, each->name);
  asc_run_free(run);
  asc_run_free(same);
}

static void what_ended_stays_ended(void **state) {
  (void)state;
  test_each_case(test_cases(30), 102, ended);
}

/* ---- budget, cancel, resume ---- */

static void interrupted(test_case *each) {
  asc_run *whole = test_case_run(each);
  test_finish(whole);
  asc_run_stats all, stats;
  asc_run_stats_get(whole, &all);
  uint64_t budget = each->config.budget;
  each->config.budget = 1 + asci_random_below(each->rng, all.steps + 2);
  asc_run *run = test_case_run(each);
  asc_outcome outcome = test_finish(run);
  asc_run_stats_get(run, &stats);
  assert_true(stats.steps <= each->config.budget);
  if (outcome == ASC_OUTCOME_BUDGET_SPENT) assert_int_equal(stats.steps, each->config.budget);
  sound_end(each, run);
  asc_run_resume(run, budget);
  asc_run_cancel(run);
  asc_run_cancel(run);
  assert_int_equal(asc_run_step(run, 10, &outcome), ASC_OK);
  if (stats.outcome == ASC_OUTCOME_BUDGET_SPENT) assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
  asc_run_resume(run, budget);
  test_finish(run);
  test_same_stats(run, whole, each->name);
  same_best(each, run, whole);
  asc_run_free(run);
  asc_run_free(whole);
}

static void budget_and_cancel_can_be_resumed(void **state) {
  (void)state;
  test_each_case(test_cases(40), 103, interrupted);
}

static asc_run *alarmed;

static void on_alarm(int signal_number) {
  (void)signal_number;
  asc_run_cancel(alarmed);
}

/* Sixteen equal buffers one unit short of room, no rule on: a search of many hours. */
static asc_problem *endless(asc_context *context) {
  asc_buffer_spec specs[16];
  for (int b = 0; b < 16; b++) specs[b] = test_spec(0, 10, 3);
  return test_problem(context, specs, 16);
}

/* An allocator that asks a run to end whenever it is called. */
static void *resize_and_cancel(void *run, void *block, size_t bytes) {
  asc_run **watched = run;
  if (*watched) asc_run_cancel(*watched);
  return realloc(block, bytes);
}

static void release(void *run, void *block) {
  (void)run;
  free(block);
}

/* However many steps were asked for: on a problem of the largest size a thousand more would take minutes. */
static void cancel_ends_a_call_before_its_next_step(void **state) {
  (void)state;
  asc_run *watched = NULL;
  asc_allocator allocator = {resize_and_cancel, release, &watched};
  asc_context *context = NULL;
  asc_problem *problem = NULL;
  assert_int_equal(asc_context_new(&allocator, &context), ASC_OK);
  assert_int_equal(asc_generate(context, "full-overlap", 300, 1, &problem, NULL), ASC_OK);
  asc_run_config config = asc_run_config_default("greedy", ASC_MAX_BYTES);
  asc_run *run = test_run_new(problem, &config);
  for (int turn = 0; turn < 4; turn++) { /* it asks for more memory when the number of placed buffers has doubled */
    asc_outcome outcome;
    watched = run;
    assert_int_equal(asc_run_step(run, UINT64_MAX, &outcome), ASC_OK);
    watched = NULL;
    assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
    asc_run_resume(run, 0);
  }
  test_finish(run);
  asc_run_free(run);
  asc_problem_free(problem);
  assert_int_equal(asc_context_bytes(context), 0);
  asc_context_free(context);
}

static void cancel_from_a_signal_ends_a_long_step(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = endless(context);
  test_options options;
  const asc_solver_info *solver = asc_solver_find("minimalloc");
  assert_non_null(solver);
  test_all_off(solver, &options);
  asc_run_config config = test_config("minimalloc", 16 * 3 - 1, &options);
  asc_run *run = alarmed = test_run_new(problem, &config);
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
  const struct itimerval soon = {{0, 0}, {0, 30000}};
  assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  assert_int_equal(asc_run_step(run, UINT64_MAX, &outcome), ASC_OK);
  assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  assert_true(stats.steps > 0);
  sigaction(SIGALRM, &before, NULL);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- the overview and the log against each other ---- */

typedef struct tally {
  uint32_t min_depth, max_depth, last_depth, max_undone, backtracks, major;
  uint32_t rules[ASC_RULE_COUNT];
  uint64_t skipped;
} tally;

/* What is counted for a step without being one: candidates passed over on the way back (those of none are told for their reason), and what
   the inferences raised. */
static void add_detail(tally *bucket, const asc_event *event) {
  if (event->kind == ASC_EVENT_CHOOSE && event->choose.waste == 1) bucket->rules[ASC_RULE_SLACK]++;
  if (event->kind == ASC_EVENT_CHOOSE && event->choose.waste == 2) bucket->rules[ASC_RULE_BLOCKED]++;
  if (event->kind == ASC_EVENT_RAISE) bucket->rules[event->raise.rule]++;
  if (event->kind != ASC_EVENT_LEAVE || event->leave.count == 0) return;
  assert_int_equal(event->leave.count, event->list_count);
  bucket->rules[event->leave.rule]++;
  bucket->skipped += (uint64_t)event->leave.count;
}

static void add_event(tally *bucket, const asc_event *event) {
  if (event->depth < bucket->min_depth) bucket->min_depth = event->depth;
  if (event->depth > bucket->max_depth) bucket->max_depth = event->depth;
  bucket->last_depth = event->depth;
  if (event->kind == ASC_EVENT_REJECT) bucket->rules[event->reject.rule]++;
  if (event->kind == ASC_EVENT_SKIP) bucket->rules[event->skip.rule]++;
  if (event->kind == ASC_EVENT_SKIP) bucket->skipped += (uint64_t)event->skip.count;
  if (event->kind != ASC_EVENT_BACKTRACK) return;
  bucket->backtracks++;
  bucket->major += event->backtrack.major != 0;
  uint32_t undone = (uint32_t)(event->backtrack.from - event->backtrack.to);
  if (undone > bucket->max_undone) bucket->max_undone = undone;
}

static void compare_bucket(const test_case *each, uint32_t k, const asc_bucket *bucket, const tally *expected) {
  CHECK(bucket->min_depth == expected->min_depth && bucket->max_depth == expected->max_depth &&
            bucket->last_depth == expected->last_depth,
        "%s: depths of bucket %u: %u %u %u", each->name, k, bucket->min_depth, bucket->max_depth, bucket->last_depth);
  CHECK(bucket->backtracks == expected->backtracks, "%s: backtracks of bucket %u: %u", each->name, k, bucket->backtracks);
  CHECK(bucket->major == expected->major, "%s: major backtracks of bucket %u: %u", each->name, k, bucket->major);
  CHECK(bucket->max_undone == expected->max_undone, "%s: undone in bucket %u: %u", each->name, k, bucket->max_undone);
  for (int r = 0; r < ASC_RULE_COUNT; r++)
    CHECK(bucket->rules[r] == expected->rules[r], "%s: bucket %u, rule %s", each->name, k, asc_rule_id((asc_rule)r));
}

/* Every step has exactly one event that is a step, in order, and arguments in range. What is open before the first is told by details. */
static uint64_t check_log(const test_case *each, const asc_log *log, uint64_t width, tally *tallies) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count, n = asc_problem_count(each->problem);
  uint64_t dropped, step = 0;
  asc_log_get(log, &events, &count, &lists, &dropped);
  assert_int_equal(dropped, 0);
  for (uint32_t k = 0; k < count; k++) {
    const asc_event *event = &events[k];
    assert_true(event->kind < ASC_EVENT_COUNT);
    if (event->kind < ASC_STEP_COUNT) step++;
    CHECK(event->step == step, "%s: event %u is of step %d, expected %d", each->name, k, (int)event->step, (int)step);
    assert_true(event->depth <= n);
    for (uint32_t i = 0; i < event->list_count; i++) assert_true(lists[event->list + i] < n);
    if (!step) continue;
    tally *bucket = &tallies[(event->step - 1) / width];
    if (event->kind < ASC_STEP_COUNT)
      add_event(bucket, event);
    else
      add_detail(bucket, event);
  }
  return step;
}

static uint32_t lines_of(const char *text) {
  uint32_t lines = 0;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

/* How often each buffer was placed, as the log of the whole search has it. */
static void compare_placed(const test_case *each, const asc_log *log, const asc_overview *seen) {
  const asc_event *events;
  uint32_t count;
  asc_log_get(log, &events, &count, NULL, NULL);
  uint32_t *placed = calloc(seen->buffer_count + 1, sizeof *placed);
  assert_non_null(placed);
  for (uint32_t k = 0; k < count; k++) {
    uint16_t kind = events[k].kind;
    if (kind == ASC_EVENT_PLACE) placed[events[k].place.buffer]++;
    if (kind == ASC_EVENT_EJECT) placed[events[k].eject.buffer]++;
    if (kind == ASC_EVENT_LIFT) placed[events[k].lift.buffer]++;
  }
  for (uint32_t b = 0; b < seen->buffer_count; b++)
    CHECK(placed[b] == seen->placed[b], "%s: buffer %u placed %u times, said %u", each->name, b, placed[b], seen->placed[b]);
  free(placed);
}

static void overview(test_case *each) {
  asc_run *run = test_case_run(each);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(each->context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  test_finish(run);
  asc_run_stats stats;
  asc_overview seen;
  asc_run_stats_get(run, &stats);
  asc_run_overview(run, &seen);
  assert_true(seen.width && (seen.width & (seen.width - 1)) == 0);
  assert_int_equal(seen.count, (stats.steps + seen.width - 1) / seen.width);
  assert_true(seen.count <= ASC_OVERVIEW_BUCKETS);
  tally *tallies = calloc(seen.count + 1, sizeof *tallies);
  assert_non_null(tallies);
  for (uint32_t k = 0; k < seen.count; k++) tallies[k].min_depth = UINT32_MAX;
  assert_int_equal(check_log(each, log, seen.width, tallies), stats.steps);
  uint64_t rules[ASC_RULE_COUNT] = {0}, skipped = 0;
  uint32_t deepest = 0;
  for (uint32_t k = 0; k < seen.count; k++) {
    compare_bucket(each, k, &seen.buckets[k], &tallies[k]);
    for (int r = 0; r < ASC_RULE_COUNT; r++) rules[r] += seen.buckets[k].rules[r];
    skipped += tallies[k].skipped;
    if (seen.buckets[k].max_depth > deepest) deepest = seen.buckets[k].max_depth;
  }
  assert_memory_equal(rules, stats.rules, sizeof rules);
  assert_int_equal(skipped, stats.skipped);
  assert_int_equal(deepest, stats.max_depth);
  for (uint32_t m = 0; m < seen.mark_count; m++) assert_true(seen.marks[m].step <= stats.steps);
  compare_placed(each, log, &seen);
  for (uint32_t m = 1; m < seen.mark_count; m++) assert_true(seen.marks[m - 1].step <= seen.marks[m].step);
  const asc_event *events;
  uint32_t count;
  asc_log_get(log, &events, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++)
    CHECK(events[k].line <= lines_of(each->solver->pseudocode), "%s: step %d is from line %u, of which there is none",
          each->name, (int)events[k].step, events[k].line);
  free(tallies);
  asc_run_free(run);
  asc_log_free(log);
}

/* Steps into buckets, with memory for so many calls: each bucket but the last holds as many steps as it is wide. Says how wide. */
static uint64_t bucketed(uint64_t fail_at, uint32_t steps) {
  test_memory memory = {.fail_at = fail_at, .lasting = true};
  asc_context *context = test_context_on(&memory);
  asci_overview *made = asci_overview_new(context);
  uint64_t width = 0, end = 0;
  asc_bucket *bucket = NULL;
  for (uint32_t step = 1; made && step <= steps; step++) {
    if (step > end) {
      bucket = asci_overview_next(made);
      end = made->width * made->count;
    }
    bucket->backtracks++;
  }
  if (made) {
    width = made->width;
    assert_int_equal(made->count, (steps + width - 1) / width);
    for (uint32_t k = 0; k + 1 < made->count; k++) assert_int_equal(made->buckets[k].backtracks, width);
  }
  asci_overview_free(made);
  asc_context_free(context);
  assert_int_equal(memory.live, 0);
  return width;
}

static void without_memory_the_overview_is_coarser(void **state) {
  (void)state;
  const uint64_t widths[] = {2, 16, 128, 0,
                             0}; /* with all memory, without the last buckets, without any but the first, without those */
  for (uint32_t k = 0; k < COUNT(widths); k++) assert_int_equal(bucketed(k ? 6 - k : 0, 5000), widths[k]);
}

static void overview_sums_the_log(void **state) {
  (void)state;
  test_each_case(test_cases(60), 104, overview);
}

static void a_full_log_drops_whole_events(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = endless(context);
  asc_run_config config = test_config("minimalloc", 16 * 3 - 1, NULL);
  config.budget = 5000;
  test_options options;
  test_all_off(asc_solver_find("minimalloc"), &options);
  config.options = test_config("minimalloc", 0, &options).options;
  config.option_count = options.count;
  asc_log *all = NULL, *some = NULL;
  asc_log **logs[] = {&all, &some};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(asc_log_new(context, k ? 1000 : 0, logs[k]), ASC_OK);
    asc_run *run = test_run_new(problem, &config);
    asc_run_attach(run, *logs[k]);
    test_finish(run);
    asc_run_free(run);
  }
  const asc_event *a, *b;
  const uint32_t *list_a, *list_b;
  uint32_t count_a, count_b;
  uint64_t dropped_a, dropped_b;
  asc_log_get(all, &a, &count_a, &list_a, &dropped_a);
  asc_log_get(some, &b, &count_b, &list_b, &dropped_b);
  assert_int_equal(dropped_a, 0);
  assert_int_equal(count_b, 1000);
  assert_int_equal(count_b + dropped_b, count_a);
  assert_memory_equal(a, b, count_b * sizeof *a);
  assert_memory_equal(list_a, list_b, (b[999].list + b[999].list_count) * sizeof *list_a);
  asc_log_clear(some);
  asc_log_get(some, NULL, &count_b, NULL, &dropped_b);
  assert_true(count_b == 0 && dropped_b == 0);
  asc_log_free(all);
  asc_log_free(some);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_run_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slices_and_logs_change_nothing),
      cmocka_unit_test(what_ended_stays_ended),
      cmocka_unit_test(budget_and_cancel_can_be_resumed),
      cmocka_unit_test(cancel_ends_a_call_before_its_next_step),
      cmocka_unit_test(cancel_from_a_signal_ends_a_long_step),
      cmocka_unit_test(without_memory_the_overview_is_coarser),
      cmocka_unit_test(overview_sums_the_log),
      cmocka_unit_test(a_full_log_drops_whole_events),
  };
  return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
