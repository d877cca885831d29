/* The half of support.h that runs solvers and compares runs. */
#include "support.h"

#include "solve/solver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

asc_run_config test_config(const char *solver, int64_t capacity, const test_options *options) {
  asc_run_config config = asc_run_config_default(solver, capacity);
  if (options) {
    /* The text lives inside the caller's struct, which may have been copied since it was filled. */
    asc_option_value *values = ((test_options *)(uintptr_t)options)->values;
    for (uint32_t k = 0; k < options->count; k++) values[k].value = options->text[k];
    config.goal = options->goal;
    config.options = values;
    config.option_count = options->count;
  }
  return config;
}

asc_run *test_run_new(const asc_problem *problem, const asc_run_config *config) {
  asc_run *run = NULL;
  asc_diag diag = {0};
  asc_status status = asc_run_new(asc_input_buffers(problem), config, &run, &diag);
  CHECK(status == ASC_OK, "%s: %s (%s %s)", config->solver, asc_status_text(status), diag.field, diag.message);
  return run;
}

uint64_t test_search_without(const asc_problem *problem, const asc_run_config *config, uint64_t steps, bool traced,
                             test_memory *memory, uint64_t refused, uint64_t *calls) {
  asc_run *run = test_run_new(problem, config);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(problem->context, 10, &log), ASC_OK);
  if (traced) asc_run_attach(run, log);
  uint64_t before = memory->calls;
  memory->fail_at = refused ? before + refused : 0;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = asc_run_step(run, steps, &outcome);
  memory->fail_at = 0;
  *calls = memory->calls - before;
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  bool lost = status == ASC_OUT_OF_MEMORY || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  CHECK(lost || status == ASC_OK, "refused call %d: %s", (int)refused, asc_status_text(status));
  asc_run_free(run);
  asc_log_free(log);
  return lost ? 0 : stats.digest;
}

asc_outcome test_finish(asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  for (uint32_t slice = 0; slice < 1u << 12 && outcome == ASC_OUTCOME_RUNNING; slice++) {
    asc_status status = asc_run_step(run, 1u << 16, &outcome);
    CHECK(status == ASC_OK, "step: %s", asc_status_text(status));
  }
  CHECK(outcome != ASC_OUTCOME_RUNNING, "a run of 2^28 steps did not end");
  return outcome;
}

#define SAME(field) \
  CHECK(a.field == b.field, "%s: " #field " is %" PRId64 ", expected %" PRId64, what, (int64_t)a.field, (int64_t)b.field)

void test_same_stats(const asc_run *left, const asc_run *right, const char *what) {
  asc_run_stats a, b;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  asc_run_stats_get(left, &a);
  asc_run_stats_get(right, &b);
  SAME(steps);
  SAME(digest);
  SAME(outcome);
  SAME(backtracks);
  SAME(nodes);
  SAME(skipped);
  SAME(depth);
  SAME(max_depth);
  SAME(max_depth_step);
  SAME(height);
  SAME(lower_bound);
  SAME(restarts);
  for (int r = 0; r < ASC_RULE_COUNT; r++) SAME(rules[r]);
}

static void same_list(const void *left, const void *right, size_t count, size_t size, const char *what, const char *field) {
  CHECK(!left == !right, "%s: only one of the views has %s", what, field);
  if (!left || !count) return;
  CHECK(memcmp(left, right, count * size) == 0, "%s: %s differ", what, field);
}

void test_same_view(asc_run *left, asc_run *right, uint32_t buffers, const char *what) {
  asc_run_view a, b;
  assert_int_equal(asc_run_view_get(left, &a), ASC_OK);
  assert_int_equal(asc_run_view_get(right, &b), ASC_OK);
  SAME(step);
  SAME(depth);
  same_list(a.offsets, b.offsets, buffers, sizeof *a.offsets, what, "offsets");
  same_list(a.min_offsets, b.min_offsets, buffers, sizeof *a.min_offsets, what, "least offsets");
  same_list(a.stack, b.stack, a.depth, sizeof *a.stack, what, "stacks");
  same_list(a.tried, b.tried, a.depth, sizeof *a.tried, what, "tried");
  same_list(a.candidates, b.candidates, a.depth, sizeof *a.candidates, what, "candidates");
  same_list(a.phases, b.phases, buffers, sizeof *a.phases, what, "phases");
}

static void check_plan(const asc_problem *problem, const int64_t *best, int64_t height, int64_t most, const char *what) {
  CHECK(height == asc_height(problem, best), "%s: height %" PRId64 " of a plan of %" PRId64, what, height,
        asc_height(problem, best));
  size_t violations = 0;
  asc_violation first[1];
  asc_status status = asc_validate(problem, best, most, first, 1, &violations);
  CHECK(status == ASC_OK && violations == 0, "%s: plan with %zu violations, the first %s", what, violations,
        violations ? asc_violation_name(first[0].kind) : "-");
}

void test_load_damaged(asc_run *run, const uint8_t *bytes, size_t count, asci_rng *rng) {
  uint8_t *copy = malloc(count);
  assert_non_null(copy);
  memcpy(copy, bytes, count);
  copy[asci_random_below(rng, count)] ^= (uint8_t)(1u << asci_random_below(rng, 8));
  asc_status status = asc_run_load(run, copy, asci_random_below(rng, 4) ? count : asci_random_below(rng, count));
  assert_true(status == ASC_OK || status == ASC_BAD_SAVE);
  free(copy);
  asc_run_resume(run, 0);
}

bool test_is_over(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    int64_t own = asc_problem_pool(problem, spec->pool)->capacity;
    if (offsets[b] + spec->size > (own ? own : capacity)) return true;
  }
  return false;
}

void test_sound_end(const asc_problem *problem, const asc_run *run, int64_t capacity, const char *what) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  const int64_t *best = asc_run_best(run);
  bool plan = stats.outcome == ASC_OUTCOME_FEASIBLE || stats.outcome == ASC_OUTCOME_OPTIMAL ||
              stats.outcome == ASC_OUTCOME_OVER_CAPACITY;
  CHECK(stats.lower_bound == asc_problem_lower_bound(problem), "%s: lower bound", what);
  if (best && (stats.outcome == ASC_OUTCOME_BUDGET_SPENT || stats.outcome == ASC_OUTCOME_CANCELLED)) {
    CHECK(test_is_over(problem, best, capacity), "%s: went on with a plan of height %" PRId64, what, stats.height);
    check_plan(problem, best, stats.height, INT64_MAX, what);
    return;
  }
  if (!plan) {
    CHECK(!best, "%s: %s with a plan", what, asc_outcome_id(stats.outcome));
    CHECK(stats.height == -1, "%s: height %" PRId64 " without a plan", what, stats.height);
    return;
  }
  CHECK(best || !asc_problem_count(problem), "%s: %s without a plan", what, asc_outcome_id(stats.outcome));
  bool over = stats.outcome == ASC_OUTCOME_OVER_CAPACITY;
  CHECK(over == (best && test_is_over(problem, best, capacity)), "%s: %s at height %" PRId64 " of %" PRId64, what,
        asc_outcome_id(stats.outcome), stats.height, capacity);
  if (!over)
    CHECK((stats.outcome == ASC_OUTCOME_OPTIMAL) == (stats.height == stats.lower_bound), "%s: %s at height %" PRId64, what,
          asc_outcome_id(stats.outcome), stats.height);
  check_plan(problem, best, stats.height, over ? INT64_MAX : capacity, what);
}

void test_sound_least(const asc_problem *problem, const asc_run *run, const char *what) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  const int64_t *best = asc_run_best(run);
  asc_outcome outcome = stats.outcome;
  bool open = outcome == ASC_OUTCOME_BUDGET_SPENT || outcome == ASC_OUTCOME_CANCELLED;
  /* one that cannot prove it ends with the best plan it found, or with none */
  bool proves = run->solver->info.complete;
  bool gave_up = !proves && (best ? outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OVER_CAPACITY
                                  : outcome == ASC_OUTCOME_EXHAUSTED);
  CHECK(open || gave_up || outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_INFEASIBLE, "%s: %s", what,
        asc_outcome_id(outcome));
  CHECK(stats.lower_bound >= asc_problem_lower_bound(problem), "%s: lower bound %" PRId64, what, stats.lower_bound);
  CHECK((best != NULL) == (stats.height >= 0), "%s: height %" PRId64, what, stats.height);
  CHECK(best ? outcome != ASC_OUTCOME_INFEASIBLE : outcome != ASC_OUTCOME_OPTIMAL, "%s: %s", what, asc_outcome_id(outcome));
  if (!best) return;
  CHECK(stats.height == asc_height(problem, best), "%s: height %" PRId64 " of a plan of %" PRId64, what, stats.height,
        asc_height(problem, best));
  CHECK(stats.height >= stats.lower_bound, "%s: height %" PRId64 " below %" PRId64, what, stats.height, stats.lower_bound);
  if (!open && !gave_up) CHECK(stats.height == stats.lower_bound, "%s: optimal above %" PRId64, what, stats.lower_bound);
  size_t violations = 0;
  asc_status status = asc_validate(problem, best, INT64_MAX, NULL, 0, &violations);
  CHECK(status == ASC_OK && violations == 0, "%s: plan with %zu violations", what, violations);
}
