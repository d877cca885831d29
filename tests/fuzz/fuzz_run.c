/* Bytes to a problem, a solver and its options: the run ends, its plan is valid, and it is the same run when it is stopped, saved and
 * taken up again half way. */
#include "problem_bytes.h"

static void finish(asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  for (int slice = 0; slice < 8 && outcome == ASC_OUTCOME_RUNNING; slice++)
    demand(asc_run_step(run, 1000, &outcome) == ASC_OK);
  demand(outcome != ASC_OUTCOME_RUNNING);
}

static void check_plan(const asc_problem *problem, const asc_run *run, int64_t most) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  const int64_t *best = asc_run_best(run);
  size_t violations = 1;
  demand(asc_height(problem, best) == stats.height);
  demand(stats.height >= stats.lower_bound && stats.lower_bound >= asc_problem_lower_bound(problem));
  demand(asc_validate(problem, best, most, NULL, 0, &violations) == ASC_OK);
  demand(violations == 0);
}

/* Whoever minimises has a plan before the end, whatever the capacity. */
static void check_least(const asc_problem *problem, const asc_run *run, bool proves) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  bool plan = asc_run_best(run) != NULL, open = stats.outcome == ASC_OUTCOME_BUDGET_SPENT;
  if (!proves)
    open = open || (plan ? stats.outcome == ASC_OUTCOME_FEASIBLE || stats.outcome == ASC_OUTCOME_OVER_CAPACITY
                         : stats.outcome == ASC_OUTCOME_EXHAUSTED);
  demand(open || stats.outcome == (plan ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_INFEASIBLE));
  if (!plan) return;
  demand(open || stats.height == stats.lower_bound);
  check_plan(problem, run, stats.height);
}

static void check_end(const asc_problem *problem, const asc_run *run, int64_t capacity) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  /* one that goes on above the capacity has a plan on the way */
  bool open = stats.outcome == ASC_OUTCOME_BUDGET_SPENT && asc_run_best(run);
  bool over = open || stats.outcome == ASC_OUTCOME_OVER_CAPACITY;
  bool plan = over || stats.outcome == ASC_OUTCOME_FEASIBLE || stats.outcome == ASC_OUTCOME_OPTIMAL;
  demand(plan == (asc_run_best(run) != NULL));
  demand(stats.outcome != ASC_OUTCOME_OUT_OF_MEMORY);
  if (!plan) return;
  demand(over == (stats.height > capacity));
  check_plan(problem, run, over ? stats.height : capacity);
}

static void check_resumed(const asc_problem *problem, const asc_run_config *config, asc_run *whole, uint64_t step) {
  asc_run *run = NULL, *loaded = NULL;
  const uint8_t *bytes;
  size_t count;
  demand(asc_run_new(asc_input_buffers(problem), config, &run, NULL) == ASC_OK);
  demand(asc_run_new(asc_input_buffers(problem), config, &loaded, NULL) == ASC_OK);
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
    if (config.goal != ASC_GOAL_FIT)
      check_least(problem, run, asc_solver_find(config.solver)->complete);
    else
      check_end(problem, run, config.capacity);
    check_resumed(problem, &config, run, step);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  return 0;
}
