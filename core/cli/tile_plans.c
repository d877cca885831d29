/* What plans of tiled tensors come to: without tiles, by the paper's orders as printed and as meant, by the best order, and proved. */
#include "cli.h"

#include <string.h>

/* One line: the lowest plan of a few runs. */
typedef struct plan_line {
  const char *name, *id;
  const char *solver, *option, *values; /* values: of the option, apart by bars */
  bool whole;                           /* tensors as a whole */
  bool printed;
} plan_line;

static const plan_line lines[] = {
    {"shared objects", "sharedObjects", "shared-objects", "strategy", "by-size|by-breadth|by-size-improved", true, false},
    {"whole tensors by size", "wholeBySize", "greedy", "order", "size", true, false},
    {"three orders as printed", "printed", "taa", "order", "size|lifetime|peers", false, true},
    {"three orders", "orders", "taa", "order", "size|lifetime|peers", false, false},
    {"best order", "best", "taa", "order", "best", false, false},
    {"optimum", "optimum", "taa-exact", "order", "best", false, false},
};
enum { LINES = sizeof lines / sizeof *lines, MOST_VALUE = 32 };

typedef struct line_result {
  int64_t height, lower_bound; /* height -1: there is no plan */
  bool proven;
  double seconds;
} line_result;

/* The first of values apart by bars; returns where the next begins, or NULL. */
static const char *take_value(const char *values, char value[MOST_VALUE]) {
  const char *bar = strchr(values, '|');
  size_t length = bar ? (size_t)(bar - values) : strlen(values);
  memcpy(value, values, length);
  value[length] = 0;
  return bar ? bar + 1 : NULL;
}

/* One run, from making its tables to its end; result keeps the lower plan. */
static bool run_once(const plan_line *line, const asc_problem *problem, const char *value, uint64_t steps,
                     line_result *result) {
  asc_option_value options[] = {{line->option, value}, {"as_printed", "true"}};
  asc_run_config config = asc_run_config_default(line->solver, ASC_MAX_BYTES);
  config.options = options;
  config.option_count = line->printed ? 2 : 1;
  config.budget = steps;
  if (asc_solver_find(line->solver)->goals >> ASC_GOAL_HEIGHT & 1) config.goal = ASC_GOAL_HEIGHT;
  asc_run *run = NULL;
  asc_diag diag = {0};
  double begin = now();
  asc_status status = asc_run_new(asc_input_buffers(problem), &config, &run, &diag);
  if (!status) status = asc_run_step(run, UINT64_MAX, NULL);
  result->seconds += now() - begin;
  if (!status) {
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    if (stats.height >= 0 && (result->height < 0 || stats.height < result->height)) result->height = stats.height;
    result->proven = stats.outcome == ASC_OUTCOME_OPTIMAL;
    result->lower_bound = stats.lower_bound;
  } else
    complain("%s: %s", line->solver, diag.message[0] ? diag.message : asc_status_text(status));
  asc_run_free(run);
  return !status;
}

static bool run_line(const plan_line *line, const asc_problem *problem, uint64_t steps, line_result *result) {
  char value[MOST_VALUE];
  *result = (line_result){.height = -1};
  for (const char *next = line->values; next;) {
    next = take_value(next, value);
    if (!run_once(line, problem, value, steps, result)) return false;
  }
  return true;
}

static void print_row(const plan_line *line, const line_result *result, int64_t against) {
  printf("  %-24s %14s", line->name, result->height < 0 ? "no plan" : commas(result->height));
  if (against > 0 && result->height >= 0)
    printf(" %+7.1f %%", 100 * ((double)result->height / (double)against - 1));
  else
    printf(" %9s", "");
  printf(" %10.2f ms%s\n", 1000 * result->seconds,
         strcmp(line->id, "optimum") == 0 && !result->proven ? ", not proved" : "");
}

static void print_row_json(const plan_line *line, const line_result *result) {
  printf("\"%s\":{\"height\":", line->id);
  if (result->height < 0)
    printf("null");
  else
    printf("%lld", (long long)result->height);
  printf(",\"ms\":%.3f", 1000 * result->seconds);
  if (strcmp(line->id, "optimum") == 0)
    printf(",\"proven\":%s,\"lowerBound\":%lld", result->proven ? "true" : "false", (long long)result->lower_bound);
  printf("},");
}

bool print_tile_plans(const asc_problem *tiled, const asc_problem *whole, uint64_t steps, bool json) {
  line_result results[LINES];
  for (size_t k = 0; k < LINES; k++)
    if (!run_line(&lines[k], lines[k].whole ? whole : tiled, steps, &results[k])) return false;
  if (json) printf(",\"plans\":{");
  for (size_t k = 0; k < LINES; k++) {
    if (json)
      print_row_json(&lines[k], &results[k]);
    else
      print_row(&lines[k], &results[k], k ? results[0].height : 0);
  }
  long long load = (long long)asc_problem_lower_bound(tiled);
  if (json)
    printf("\"load\":%lld}", load);
  else
    printf("  %-24s %14s\n", "greatest load", commas(load));
  return true;
}
