/* arenascope-learn collect|judge FILE... [--percents=100,105] [--steps=N] [--events=N] [--seeds=N]
 * arenascope-learn time
 *
 * What learned backtracking (core/src/solve/telamalloc/LEARNED.md) is made from and measured by. Each buffer CSV is taken at each capacity, in percent of
 * its lower bound. collect prints rows of training data, judge how the rules, jumps by lot and learned jumps fare, time how long the model takes. All limits are steps, so that every
 * machine prints the same. */
#include "learn.h"
#include "../bench/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PERCENTS = 16 };

static const char USAGE[] = "usage: arenascope-learn collect|judge FILE... [OPTION...], or time\n"
                            "  --percents=P,P   capacities in percent of the lower bound (100,103,106,110)\n"
                            "  --steps=N        budget of a run (30000)\n"
                            "  --events=N       collect: backtracks recorded of a configuration at most (10)\n"
                            "  --seeds=N        judge: seeds of jumps by lot and of learned ones (5)\n";

void learn_complain(learn *l, const char *where, const char *what) {
  fprintf(stderr, "arenascope-learn: %s: %s\n", where, what);
  l->failed = true;
}

bool learn_is_solved(asc_outcome outcome) {
  return outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL;
}

asc_run *learn_run(learn *l, const learn_case *c, const char *solver, uint64_t budget, uint64_t seed,
                   const asc_option_value *options, uint32_t count) {
  asc_run_config config = asc_run_config_default(solver, c->capacity);
  config.budget = budget;
  config.seed = seed;
  config.options = options;
  config.option_count = count;
  asc_run *run = NULL;
  asc_diag diag;
  if (asc_run_new(asc_input_buffers(c->problem), &config, &run, &diag)) learn_complain(l, c->instance, diag.message);
  return run;
}

asc_run_stats learn_finish(learn *l, asc_run *run) {
  asc_run_stats stats = {0};
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  if (!run) return stats;
  while (outcome == ASC_OUTCOME_RUNNING)
    if (asc_run_step(run, UINT64_C(1) << 20, &outcome)) {
      learn_complain(l, "run", "a plan does not hold");
      break;
    }
  asc_run_stats_get(run, &stats);
  asc_run_free(run);
  return stats;
}

/* ---- files ----------------------------------------------------------------------------------------------------------- */

static void name_of(const char *path, char name[128]) {
  const char *slash = strrchr(path, '/');
  snprintf(name, 128, "%s", slash ? slash + 1 : path);
  char *end = strrchr(name, '.');
  if (end && strcmp(end, ".csv") == 0) *end = '\0';
}

static void take_file(learn *l, const char *path, const double *percents, uint32_t count,
                      void (*take)(learn *, const learn_case *)) {
  size_t bytes = 0;
  char *text = read_file(path, &bytes), name[128];
  asc_csv *csv = NULL;
  if (!text) {
    learn_complain(l, path, strerror(errno));
    return;
  }
  asc_status status = asc_csv_read(l->context, text, bytes, ASC_OFFSETS_FIXED, &csv, NULL, 0, NULL);
  free(text);
  if (status) {
    learn_complain(l, path, asc_status_text(status));
    return;
  }
  name_of(path, name);
  const asc_problem *problem = asc_csv_problem(csv);
  for (uint32_t k = 0; k < count; k++) {
    double bytes_of = (double)asc_problem_lower_bound(problem) * percents[k] / 100;
    take(l, &(learn_case){name, percents[k], problem, (int64_t)bytes_of});
    fflush(stdout);
  }
  asc_csv_free(csv);
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static uint32_t read_percents(const char *text, double percents[MOST_PERCENTS]) {
  uint32_t count = 0;
  for (char *end; *text && count < MOST_PERCENTS; text = *end == ',' ? end + 1 : end) {
    percents[count++] = strtod(text, &end);
    if (end == text || percents[count - 1] < 100 || (*end && *end != ',')) return 0;
  }
  return count;
}

static bool read_number(const char *argument, const char *name, uint64_t *value) {
  size_t length = strlen(name);
  if (strncmp(argument, name, length) != 0) return false;
  char *end;
  *value = strtoull(argument + length, &end, 10);
  return end != argument + length && !*end;
}

static int usage(void) {
  fputs(USAGE, stderr);
  return 2;
}

int main(int count, char **arguments) {
  double percents[MOST_PERCENTS] = {100, 103, 106, 110};
  uint32_t percent_count = 4;
  uint64_t steps = 30000, events = 10, seeds = 5;
  void (*take)(learn *, const learn_case *) = NULL;
  if (count > 1 && strcmp(arguments[1], "collect") == 0) take = learn_collect;
  if (count > 1 && strcmp(arguments[1], "judge") == 0) take = learn_judge;
  if (count == 2 && strcmp(arguments[1], "time") == 0) {
    learn_time();
    return 0;
  }
  if (!take) return usage();
  for (int k = 2; k < count; k++) {
    const char *argument = arguments[k];
    if (strncmp(argument, "--", 2) != 0) continue;
    if (strncmp(argument, "--percents=", 11) == 0)
      percent_count = read_percents(argument + 11, percents);
    else if (!read_number(argument, "--steps=", &steps) && !read_number(argument, "--events=", &events) &&
             !read_number(argument, "--seeds=", &seeds))
      return usage();
  }
  if (!percent_count || !steps || !events || events > 1000 || seeds > 1000) return usage();
  learn l = {.steps = steps, .events = (uint32_t)events, .seeds = (uint32_t)seeds};
  if (asc_context_new(NULL, &l.context)) return 1;
  for (int k = 2; k < count; k++)
    if (strncmp(arguments[k], "--", 2) != 0) take_file(&l, arguments[k], percents, percent_count, take);
  asc_context_free(l.context);
  return l.failed;
}
