#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The run that Ctrl-C cancels. A handler may call asc_run_cancel. */
static asc_run *volatile running;
static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
  if (running) asc_run_cancel(running);
}

/* Only the first Ctrl-C is caught: a second one ends the command at once, whatever it is doing. */
static void catch_interrupts(bool catching) {
  struct sigaction action = {.sa_handler = catching ? on_interrupt : SIG_DFL, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

static void show_progress(const asc_run *run, uint32_t buffers) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  fprintf(stderr, "\r%s steps, %s of %s placed, deepest %s, %s backtracks\033[K", commas((int64_t)stats.steps),
          commas(stats.depth), commas(buffers), commas(stats.max_depth), commas((int64_t)stats.backtracks));
}

/* Steps the run to its end. Returns false if the library reports a failure. */
static bool drive(asc_run *run, uint32_t buffers, cli_clock *clock) {
  bool terminal = isatty(STDERR_FILENO), shown = false;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = ASC_OK;
  uint64_t slice = 1;
  double before = now(), drawn = before;
  if (clock->deadline >= 0 && before >= clock->deadline) asc_run_cancel(run);
  while (!status && outcome == ASC_OUTCOME_RUNNING) {
    status = asc_run_step(run, slice, &outcome);
    double after = now();
    slice = next_slice(slice, after - before);
    before = after;
    if (clock->deadline >= 0 && after >= clock->deadline) asc_run_cancel(run);
    if (terminal && after - drawn > 0.2 && outcome == ASC_OUTCOME_RUNNING) {
      show_progress(run, buffers);
      shown = true;
      drawn = after;
    }
  }
  if (shown) fputs("\r\033[K", stderr);
  if (status) complain("%s", asc_status_text(status));
  return status == ASC_OK;
}

static bool take_result(const asc_problem *problem, const asc_run *run, const asc_run_config *config, cli_result *result) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  const int64_t *best = asc_run_best(run);
  *result = (cli_result){.outcome = stats.outcome,
                         .height = stats.height,
                         .lower_bound = stats.lower_bound,
                         .capacity = config->capacity,
                         .steps = stats.steps,
                         .backtracks = stats.backtracks,
                         .digest = stats.digest,
                         .runs = 1};
  memcpy(result->rules, stats.rules, sizeof result->rules);
  if (!best) return true;
  size_t bytes = asc_problem_count(problem) * sizeof *best;
  result->offsets = malloc(bytes ? bytes : 1);
  if (!result->offsets) {
    complain("out of memory");
    return false;
  }
  memcpy(result->offsets, best, bytes);
  return true;
}

bool solve_once(const asc_problem *problem, const asc_run_config *config, cli_clock *clock, cli_result *result) {
  asc_run *run = NULL;
  asc_diag diag = {0};
  double begin = now();
  asc_status status = asc_run_new(problem, config, &run, &diag);
  if (status) {
    if (diag.message[0])
      complain("%s: %s %s", config->solver, diag.field, diag.message);
    else
      complain("%s: %s", config->solver, asc_status_text(status));
    return false;
  }
  running = run;
  catch_interrupts(true);
  if (interrupted) asc_run_cancel(run);
  bool done = drive(run, asc_problem_count(problem), clock);
  catch_interrupts(false);
  running = NULL;
  double seconds = now() - begin;
  clock->interrupted = interrupted || (clock->deadline >= 0 && now() >= clock->deadline);
  done = done && take_result(problem, run, config, result);
  result->seconds = seconds;
  asc_run_free(run);
  return done;
}

static bool fits(const cli_result *result) {
  return result->outcome == ASC_OUTCOME_FEASIBLE || result->outcome == ASC_OUTCOME_OPTIMAL;
}

/* Adds the effort of one more run to the best plan, and takes its plan if it has one that fits. */
static void add_run(cli_result *best, cli_result *next) {
  next->steps += best->steps;
  next->backtracks += best->backtracks;
  next->seconds += best->seconds;
  next->runs += best->runs;
  int64_t *kept = fits(next) ? next->offsets : best->offsets, *rest = fits(next) ? best->offsets : next->offsets;
  if (fits(next)) {
    *best = *next;
  } else {
    best->steps = next->steps;
    best->backtracks = next->backtracks;
    best->seconds = next->seconds;
    best->runs = next->runs;
  }
  best->offsets = kept;
  next->offsets = NULL;
  free(rest);
}

bool solve_least(const asc_problem *problem, const asc_run_config *config, cli_clock *clock, cli_result *result) {
  asc_run_config next_config = *config;
  if (!solve_once(problem, config, clock, result)) return false;
  if (!fits(result)) return true;
  int64_t proven = result->lower_bound; /* no plan is lower */
  int64_t from = proven;                /* below it, nothing is left to try: proven, or undecided */
  while (from < result->height && !clock->interrupted) {
    cli_result next = {0};
    next_config.capacity = from + (result->height - 1 - from) / 2;
    if (!solve_once(problem, &next_config, clock, &next)) return false;
    if (!fits(&next)) from = next_config.capacity + 1;
    if (next.outcome == ASC_OUTCOME_INFEASIBLE) proven = from;
    add_run(result, &next);
  }
  result->lower_bound = proven;
  result->outcome = result->height <= proven ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_FEASIBLE;
  return true;
}
