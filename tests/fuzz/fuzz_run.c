/* Bytes to a problem, a solver and its options: the run ends, its plan is valid, and it is the same run when it is stopped, saved and
 * taken up again half way. */
#include "problem_bytes.h"

static void finish(asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  for (int slice = 0; slice < 8 && outcome == ASC_OUTCOME_RUNNING; slice++)
    demand(asc_run_step(run, 1000, &outcome) == ASC_OK);
  demand(outcome != ASC_OUTCOME_RUNNING);
}

static void check_end(const asc_problem *problem, const asc_run *run, int64_t capacity) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  const int64_t *best = asc_run_best(run);
  bool over = stats.outcome == ASC_OUTCOME_OVER_CAPACITY;
  bool plan = over || stats.outcome == ASC_OUTCOME_FEASIBLE || stats.outcome == ASC_OUTCOME_OPTIMAL;
  demand(plan == (best != NULL));
  demand(stats.outcome != ASC_OUTCOME_OUT_OF_MEMORY);
  if (!plan) return;
  size_t violations = 1;
  demand(asc_height(problem, best) == stats.height);
  demand(over == (stats.height > capacity));
  demand(stats.height >= asc_problem_lower_bound(problem));
  demand(asc_validate(problem, best, over ? stats.height : capacity, NULL, 0, &violations) == ASC_OK);
  demand(violations == 0);
}

static void check_resumed(const asc_problem *problem, const asc_run_config *config, asc_run *whole, uint64_t step) {
  asc_run *run = NULL, *loaded = NULL;
  const uint8_t *bytes;
  size_t count;
  demand(asc_run_new(problem, config, &run, NULL) == ASC_OK);
  demand(asc_run_new(problem, config, &loaded, NULL) == ASC_OK);
  demand(asc_run_step(run, step, NULL) == ASC_OK);
  demand(asc_run_save(run, &bytes, &count) == ASC_OK);
  demand(asc_run_load(loaded, bytes, count) == ASC_OK);
  finish(loaded);
  asc_run_stats a, b;
  asc_run_stats_get(loaded, &a);
  asc_run_stats_get(whole, &b);
  demand(a.digest == b.digest && a.steps == b.steps && a.outcome == b.outcome && a.backtracks == b.backtracks);
  const int64_t *left = asc_run_best(loaded), *right = asc_run_best(whole);
  demand(!left == !right);
  if (left && asc_problem_count(problem)) demand(!memcmp(left, right, asc_problem_count(problem) * sizeof *left));
  asc_run_free(run);
  asc_run_free(loaded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size, 0};
  setting set;
  asc_run_config config;
  asc_context *context = NULL;
  demand(asc_context_new(NULL, &context) == ASC_OK);
  uint64_t step = (uint64_t)take(&in) * 4;
  asc_problem *problem = take_problem(context, &in);
  asc_run *run = take_run(problem, &in, &set, &config);
  if (run) {
    finish(run);
    check_end(problem, run, config.capacity);
    check_resumed(problem, &config, run, step);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  return 0;
}
