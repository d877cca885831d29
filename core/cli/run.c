#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void cancel_run(void *run) {
  asc_run_cancel(run);
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
  if (is_late(clock->deadline)) asc_run_cancel(run);
  while (!status && outcome == ASC_OUTCOME_RUNNING) {
    status = asc_run_step(run, slice, &outcome);
    trace_write(clock->trace);
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

const char *ended_id(asc_outcome ended, bool late) {
  return late && ended == ASC_OUTCOME_CANCELLED ? "time-spent" : asc_outcome_id(ended);
}

const char *ended_text(asc_outcome ended, bool late) {
  if (late && ended == ASC_OUTCOME_CANCELLED) return "the time of --timeout was over; feasible or not is open";
  return asc_outcome_text(ended);
}

bool result_fits(const cli_result *result) {
  return result->outcome == ASC_OUTCOME_FEASIBLE || result->outcome == ASC_OUTCOME_OPTIMAL;
}

static void *copied(const void *from, size_t bytes) {
  void *to = malloc(bytes ? bytes : 1);
  if (to && bytes) memcpy(to, from, bytes);
  return to;
}

static bool take_stays(const asc_input *input, const asc_plan *plan, cli_result *result) {
  const asc_lowering *lowering = input->of.graph;
  result->turns = plan->turns;
  result->traffic = asc_plan_cost(input, plan, ASC_GOAL_TRAFFIC);
  result->order = copied(plan->order, plan->turns * sizeof *plan->order);
  result->stays = copied(plan->stays, plan->stay_count * sizeof *plan->stays);
  result->stay_count = plan->stay_count;
  asc_plan_moves(lowering, plan, &result->spilled, &result->fetched);
  result->offsets = malloc((plan->stay_count + (size_t)1) * sizeof *result->offsets);
  size_t count = 0;
  for (uint32_t k = 0; k < plan->stay_count && result->offsets; k++)
    if (plan->stays[k].pool == ASC_POOL_MAIN) result->offsets[count++] = plan->stays[k].offset;
  return result->order && result->stays && result->offsets &&
         !asc_lowering_situation(lowering, plan->stays, plan->stay_count, false, &result->situation, NULL) &&
         !asc_lowering_situation(lowering, plan->stays, plan->stay_count, true, &result->plain, NULL);
}

static bool take_plan(const asc_input *input, const asc_plan *plan, cli_result *result) {
  if (input->domain != ASC_DOMAIN_BUFFERS) return take_stays(input, plan, result);
  result->offsets = copied(plan->offsets, asc_problem_count(input->of.buffers) * sizeof *plan->offsets);
  return result->offsets != NULL;
}

void result_free(cli_result *result) {
  /* The analyzer loses that add_run puts another result's memory in the place of what it frees. NOLINTBEGIN(clang-analyzer-unix.Malloc) */
  free(result->offsets);
  free(result->order);
  free(result->stays);
  /* NOLINTEND(clang-analyzer-unix.Malloc) */
  asc_problem_free(result->plain);
  asc_problem_free(result->situation);
}

/* Each pool has its own capacity. */
static bool is_within(const asc_input *input, const asc_plan *plan, int64_t height, int64_t capacity) {
  if (input->domain != ASC_DOMAIN_BUFFERS || !has_pools(input->of.buffers)) return height <= capacity;
  size_t violations = 0;
  return asc_plan_validate(input, plan, capacity, NULL, 0, &violations) == ASC_OK && !violations;
}

/* A run that minimises may end with a plan and without a proof: that plan is what was asked for. */
static bool take_result(const asc_input *input, const asc_run *run, const asc_run_config *config, cli_result *result) {
  asc_run_stats stats;
  asc_plan plan;
  asc_run_stats_get(run, &stats);
  bool has_plan = asc_run_plan(run, &plan);
  bool fits = has_plan && stats.outcome != ASC_OUTCOME_OPTIMAL && is_within(input, &plan, stats.height, config->capacity);
  *result = (cli_result){.outcome = fits ? ASC_OUTCOME_FEASIBLE : stats.outcome,
                         .ended = stats.outcome,
                         .height = stats.height,
                         .proven = asc_run_proven(run),
                         .lower_bound = stats.lower_bound,
                         .capacity = config->capacity,
                         .steps = stats.steps,
                         .backtracks = stats.backtracks,
                         .digest = stats.digest,
                         .runs = 1};
  memcpy(result->rules, stats.rules, sizeof result->rules);
  if (!has_plan || take_plan(input, &plan, result)) return true;
  complain("out of memory");
  return false;
}

/* What a progress line counts. */
static uint32_t count_of(const asc_input *input) {
  return asc_problem_count(input->domain == ASC_DOMAIN_BUFFERS ? input->of.buffers : asc_lowering_problem(input->of.graph));
}

static bool begin_proof(const asc_run_config *config, const cli_clock *clock, asc_run *run) {
  asc_diag diag = {0};
  if (!clock->proof || !asc_run_prove(run, to_file, clock->proof->file, &diag)) return true;
  complain("%s: --proof: %s", config->solver, diag.message);
  return false;
}

bool solve_once(const asc_input *input, const asc_run_config *config, cli_clock *clock, cli_result *result) {
  asc_run *run = NULL;
  asc_diag diag = {0};
  double begin = now();
  asc_status status = asc_run_new(*input, config, &run, &diag);
  if (status) {
    if (diag.message[0])
      complain("%s: %s%s%s", config->solver, diag.field, *diag.field ? " " : "", diag.message);
    else
      complain("%s: %s", config->solver, asc_status_text(status));
    return false;
  }
  signals_cancel(cancel_run, run);
  signals_at(clock->deadline);
  bool done = begin_proof(config, clock, run) && trace_begin(clock->trace, input, clock->graph, run) &&
              drive(run, count_of(input), clock);
  signals_at(-1);
  signals_cancel(NULL, NULL);
  trace_end(clock->trace, run);
  double seconds = now() - begin;
  clock->late = !signals_came() && is_late(clock->deadline);
  clock->interrupted = signals_came() || clock->late;
  done = done && take_result(input, run, config, result);
  result->seconds = seconds;
  asc_run_free(run);
  return done;
}

/* Adds the effort of one more run to the best plan, and takes its plan if it has one that fits. */
static void add_run(cli_result *best, cli_result *next) {
  next->steps += best->steps;
  next->backtracks += best->backtracks;
  next->seconds += best->seconds;
  next->runs += best->runs;
  if (result_fits(next)) {
    result_free(best);
    *best = *next;
    return;
  }
  best->steps = next->steps;
  best->backtracks = next->backtracks;
  best->seconds = next->seconds;
  best->runs = next->runs;
  result_free(next);
}

bool solve_least(const asc_input *input, const asc_run_config *config, cli_clock *clock, cli_result *result) {
  asc_run_config next_config = *config;
  if (!solve_once(input, config, clock, result)) return false;
  if (!result_fits(result)) return true;
  int64_t proven = result->lower_bound; /* no plan is lower */
  int64_t from = proven;                /* below it, nothing is left to try: proven, or undecided */
  asc_outcome ended = result->ended;    /* of the last run without a proof */
  while (from < result->height && !clock->interrupted) {
    cli_result next = {0};
    next_config.capacity = from + (result->height - 1 - from) / 2;
    if (!solve_once(input, &next_config, clock, &next)) { /* the best plan so far is as good as before */
      result_free(&next);
      break;
    }
    if (!result_fits(&next)) from = next_config.capacity + 1;
    if (next.outcome == ASC_OUTCOME_INFEASIBLE) proven = from;
    if (next.outcome != ASC_OUTCOME_INFEASIBLE) ended = next.ended;
    add_run(result, &next);
  }
  result->ended = clock->interrupted ? ASC_OUTCOME_CANCELLED : ended;
  result->lower_bound = proven;
  result->outcome = result->height <= proven ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_FEASIBLE;
  return true;
}
