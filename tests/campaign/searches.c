/* Searches that are the same whatever compiled them: a line for each solver of buffers on each of the generated problems FROM to TO, with the digest over
 * every step. searches.ts does the same in the module. The processor's float rounding, the size of a pointer and the order of memory must not be seen. */
#include "asc/asc.h"

#include <stdio.h>
#include <stdlib.h>

/* Steps of each search. */
enum { BUDGET = 3000 };

static const char *const kinds[] = {"synthetic",     "network",    "training", "heavy-tailed",
                                    "powers-of-two", "stationary", "random",   "full-overlap"};

static bool search(const asc_problem *problem, uint32_t k, const asc_solver_info *solver, int64_t capacity) {
  asc_run *run = NULL;
  asc_run_stats stats;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_run_config config = asc_run_config_default(solver->id, capacity);
  bool lowest = k / 8 % 2 && (solver->goals >> ASC_GOAL_HEIGHT & 1);
  config.goal = lowest ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
  config.seed = k;
  config.budget = BUDGET;
  asc_status status = asc_run_new(asc_input_buffers(problem), &config, &run, NULL);
  if (status == ASC_UNSUPPORTED) {
    printf("%u %s refused\n", k, solver->id);
    return true;
  }
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, BUDGET, &outcome);
  if (!status) {
    asc_run_stats_get(run, &stats);
    printf("%u %s %s %lld %lld %llu %llu %016llx\n", k, solver->id, asc_outcome_id(stats.outcome), (long long)stats.height,
           (long long)stats.lower_bound, (unsigned long long)stats.steps, (unsigned long long)stats.backtracks,
           (unsigned long long)stats.digest);
  }
  asc_run_free(run);
  return !status;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  uint32_t from = (uint32_t)strtoul(argv[1], NULL, 10), to = (uint32_t)strtoul(argv[2], NULL, 10);
  asc_context *context = NULL;
  bool done = asc_context_new(NULL, &context) == ASC_OK;
  for (uint32_t k = from; done && k < to; k++) {
    asc_problem *problem = NULL;
    int64_t capacity = 0;
    done = asc_generate(context, kinds[k % 8], 5 + k % 41, k, &problem, &capacity) == ASC_OK;
    for (uint32_t s = 0; done && s < asc_solver_count(); s++)
      if (asc_solver_at(s)->domain == ASC_DOMAIN_BUFFERS)
        done = search(problem, k, asc_solver_at(s), capacity - (int64_t)(k % 3));
    asc_problem_free(problem);
  }
  asc_context_free(context);
  return done ? 0 : 1;
}
