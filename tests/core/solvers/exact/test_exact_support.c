#include "test_exact_support.h"

#include "saturated.h"

#include <stdlib.h>
#include <string.h>

/* ---- problems made from problems ------------------------------------------------------------------------------------- */

/* Specs to change, with gaps of their own. */
typedef struct draft {
  asc_buffer_spec *specs;
  asc_gap *gaps;
  uint32_t count;
} draft;

static draft draft_of(const asc_problem *problem) {
  draft d = {.count = asc_problem_count(problem)};
  uint32_t gaps = 0;
  for (uint32_t b = 0; b < d.count; b++) gaps += asc_problem_buffer(problem, b)->gap_count;
  d.specs = calloc(d.count + 1, sizeof *d.specs);
  d.gaps = calloc(gaps + 1, sizeof *d.gaps);
  assert_true(d.specs && d.gaps);
  asc_gap *at = d.gaps;
  for (uint32_t b = 0; b < d.count; b++) {
    d.specs[b] = *asc_problem_buffer(problem, b);
    if (d.specs[b].gap_count) memcpy(at, d.specs[b].gaps, d.specs[b].gap_count * sizeof *at);
    d.specs[b].gaps = at;
    at += d.specs[b].gap_count;
  }
  return d;
}

/* The gaps are the draft's own, so they may be changed through their specs. */
static asc_gap *gaps_of(draft *d, uint32_t buffer) {
  return d->gaps + (d->specs[buffer].gaps - d->gaps);
}

static asc_problem *made_of(asc_context *context, draft *d) {
  asc_problem *problem = test_problem(context, d->specs, d->count);
  free(d->specs);
  free(d->gaps);
  return problem;
}

static int64_t end_of(const draft *d) {
  int64_t end = 0;
  for (uint32_t b = 0; b < d->count; b++)
    if (d->specs[b].upper > end) end = d->specs[b].upper;
  return end;
}

static void swap_ends(int64_t *lower, int64_t *upper, int64_t end) {
  int64_t before = *lower;
  *lower = end - *upper;
  *upper = end - before;
}

asc_problem *exact_mirrored(asc_context *context, const asc_problem *problem) {
  draft d = draft_of(problem);
  int64_t end = end_of(&d);
  for (uint32_t b = 0; b < d.count; b++) {
    asc_gap *gaps = gaps_of(&d, b);
    uint32_t count = d.specs[b].gap_count;
    swap_ends(&d.specs[b].lower, &d.specs[b].upper, end);
    for (uint32_t g = 0; g < count; g++) swap_ends(&gaps[g].lower, &gaps[g].upper, end);
    for (uint32_t g = 0; g < count / 2; g++) {
      asc_gap first = gaps[g];
      gaps[g] = gaps[count - 1 - g];
      gaps[count - 1 - g] = first;
    }
  }
  return made_of(context, &d);
}

asc_problem *exact_scaled(asc_context *context, const asc_problem *problem, int64_t factor) {
  draft d = draft_of(problem);
  for (uint32_t b = 0; b < d.count; b++) {
    asc_buffer_spec *spec = &d.specs[b];
    spec->size *= factor;
    spec->bank *= factor;
    if (spec->alignment > 1) spec->alignment *= factor;
    if (spec->offset != ASC_UNPLACED) spec->offset *= factor;
    if (spec->hint != ASC_UNPLACED) spec->hint *= factor;
    asc_gap *gaps = gaps_of(&d, b);
    for (uint32_t g = 0; g < spec->gap_count; g++) {
      gaps[g].window_lower *= factor;
      gaps[g].window_upper *= factor;
    }
  }
  return made_of(context, &d);
}

asc_problem *exact_subset(asc_context *context, const asc_problem *problem, const uint32_t *buffers, uint32_t count) {
  draft d = draft_of(problem);
  for (uint32_t k = 0; k < count; k++) d.specs[k] = d.specs[buffers[k]]; /* buffers increases: buffers[k] >= k */
  d.count = count;
  return made_of(context, &d);
}

asc_problem *exact_with(asc_context *context, const asc_problem *problem, int64_t size, int64_t alignment) {
  draft d = draft_of(problem);
  int64_t end = end_of(&d);
  d.specs[d.count] = test_spec(end + 1, end + 2, size);
  d.specs[d.count].id = "one more";
  d.specs[d.count++].alignment = alignment;
  return made_of(context, &d);
}

/* The lowest offset that leaves the others of the draft where their hints are. */
static int64_t lowest_place(const draft *d, uint32_t buffer) {
  const asc_buffer_spec *own = &d->specs[buffer];
  int64_t at = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t b = 0; b < d->count; b++) {
      const asc_buffer_spec *other = &d->specs[b];
      bool meets = b != buffer && other->lower < own->upper && own->lower < other->upper;
      if (!meets || other->hint >= at + own->size || other->hint + other->size <= at) continue;
      at = other->hint + other->size;
      moved = true;
    }
  }
  return at;
}

int64_t exact_hinted(asc_context *context, const asc_problem *problem, const int64_t *plan, asc_problem **hinted) {
  draft d = draft_of(problem);
  int64_t height = 0;
  for (uint32_t b = 0; b < d.count; b++) d.specs[b].hint = plan[b];
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t b = 0; b < d.count; b++) {
      int64_t at = lowest_place(&d, b);
      moved = moved || at < d.specs[b].hint;
      d.specs[b].hint = at;
    }
  }
  for (uint32_t b = 0; b < d.count; b++)
    if (d.specs[b].hint + d.specs[b].size > height) height = d.specs[b].hint + d.specs[b].size;
  *hinted = made_of(context, &d);
  return height;
}

asc_problem *exact_piled(asc_context *context, uint64_t number, uint32_t gapped) {
  asc_problem *whole = NULL;
  assert_int_equal(saturated_problem(context, 40, number, &whole), ASC_OK);
  asc_buffer_spec specs[600];
  asc_gap gaps[300];
  uint32_t count = 0, gap = 0;
  for (uint32_t b = 0; b < asc_problem_count(whole); b++) {
    asc_buffer_spec spec = *asc_problem_buffer(whole, b);
    int64_t lower_part = spec.size / 2;
    specs[count++] = test_spec(spec.lower, spec.upper, spec.size - lower_part);
    specs[count++] = test_spec(spec.lower, spec.upper, lower_part);
    if (!gapped || b % gapped || spec.upper - spec.lower < 3) continue;
    gaps[gap] = (asc_gap){.lower = spec.lower + 1, .upper = spec.lower + 2};
    specs[count - 2].gaps = &gaps[gap++];
    specs[count - 2].gap_count = 1;
  }
  asc_problem_free(whole);
  return test_problem(context, specs, count);
}

/* A rectangle of time and memory, cut again and again at a place drawn by lot: there is a plan without anything idle, and boxes come out of it. */
asc_problem *exact_cut(asc_context *context, uint64_t number, uint32_t changed) {
  enum { COUNT = 130 };
  asc_buffer_spec specs[COUNT] = {test_spec(0, 400, 4000)};
  asci_rng rng = {number};
  for (uint32_t count = 1; count < COUNT;) {
    asc_buffer_spec *spec = &specs[asci_random_below(&rng, count)];
    int64_t width = spec->upper - spec->lower;
    if (asci_random_below(&rng, 2) ? width > 1 : spec->size == 1 && width > 1) {
      int64_t at = asci_random_between(&rng, spec->lower + 1, spec->upper - 1);
      specs[count++] = test_spec(at, spec->upper, spec->size);
      spec->upper = at;
    } else if (spec->size > 1) {
      int64_t part = asci_random_between(&rng, 1, spec->size - 1);
      specs[count++] = test_spec(spec->lower, spec->upper, part);
      spec->size -= part;
    }
  }
  for (uint32_t b = 0; changed && b < COUNT; b += changed)
    specs[b].size = specs[b].size * asci_random_between(&rng, 80, 120) / 100 + 1;
  return test_problem(context, specs, COUNT);
}

/* ---- options --------------------------------------------------------------------------------------------------------- */

static const char *const portfolios[] = {"0WAT", "10WATK,10WATKR", "2ZAT,4AT", "4TZR,12WATH,0ZAT", "14WATKR,10AZ"};

typedef struct numbers {
  const char *name;
  const char *values[3];
} numbers;

/* Budgets that grow too little would let a search without its rules go on for ever. */
static const numbers samples[] = {
    {"first_budget", {"100", "300", "2000"}}, {"growth", {"110", "150", "400"}}, {"randomness", {"0", "25", "100"}}};

static bool is_rule(const asc_option *option) {
  return option->type == ASC_OPTION_BOOL;
}

static const asc_solver_info *exact(void) {
  const asc_solver_info *solver = asc_solver_find("exact");
  CHECK(solver, "there is no solver \"exact\"");
  return solver;
}

static uint32_t rule_count(void) {
  uint32_t count = 0;
  for (uint32_t o = 0; o < exact()->option_count; o++) count += is_rule(&exact()->options[o]);
  return count;
}

uint32_t exact_variants(void) {
  return 1 + rule_count() + COUNT(portfolios) + 1;
}

void exact_variant(uint32_t k, test_options *options) {
  options->count = 0;
  options->goal = ASC_GOAL_FIT;
  if (k == 0) return;
  k--;
  for (uint32_t o = 0; o < exact()->option_count; o++) {
    const asc_option *option = &exact()->options[o];
    if (is_rule(option) && k-- == 0) {
      test_option_set(options, option->name, "false");
      return;
    }
  }
  if (k < COUNT(portfolios))
    test_option_set(options, "portfolio", portfolios[k]);
  else
    test_all_off(exact(), options);
}

void exact_random_options(asci_rng *rng, test_options *options) {
  options->count = 0;
  options->goal = ASC_GOAL_FIT;
  for (uint32_t o = 0; o < exact()->option_count; o++)
    if (is_rule(&exact()->options[o]))
      test_option_set(options, exact()->options[o].name, asci_random_below(rng, 2) ? "true" : "false");
  if (asci_random_below(rng, 2))
    test_option_set(options, "portfolio", portfolios[asci_random_below(rng, COUNT(portfolios))]);
  for (uint32_t k = 0; k < COUNT(samples); k++)
    if (asci_random_below(rng, 2)) test_option_set(options, samples[k].name, samples[k].values[asci_random_below(rng, 3)]);
}

/* ---- verdicts -------------------------------------------------------------------------------------------------------- */

exact_verdict exact_verdict_of(const asc_run *run) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  switch (stats.outcome) {
  case ASC_OUTCOME_FEASIBLE:
  case ASC_OUTCOME_OPTIMAL:
    return EXACT_FEASIBLE;
  case ASC_OUTCOME_INFEASIBLE:
    return EXACT_INFEASIBLE;
  default:
    return EXACT_UNKNOWN;
  }
}

const char *exact_verdict_name(exact_verdict verdict) {
  static const char *const names[] = {"feasible", "infeasible", "unknown"};
  return names[verdict];
}

exact_verdict exact_decide(const char *solver, const asc_problem *problem, int64_t capacity, const test_options *options,
                           uint64_t seed, uint64_t budget, asc_run_stats *stats) {
  asc_run_config config = test_config(solver, capacity, options);
  config.seed = seed;
  config.budget = budget;
  asc_run *run = test_run_new(problem, &config);
  test_finish(run);
  test_sound_end(problem, run, capacity, solver);
  exact_verdict verdict = exact_verdict_of(run);
  if (!budget && verdict == EXACT_UNKNOWN) {
    test_print_problem(problem, capacity);
    fail_msg("%s %s did not decide", solver, test_options_text(options));
  }
  if (stats) asc_run_stats_get(run, stats);
  asc_run_free(run);
  return verdict;
}

const uint32_t *exact_conflict(const asc_problem *problem, const asc_run *run, uint32_t *count, const char *what) {
  const uint32_t *conflict = asc_run_conflict(run, count);
  CHECK(conflict && *count, "%s: infeasible without a conflict", what);
  for (uint32_t k = 0; k < *count; k++)
    CHECK(conflict[k] < asc_problem_count(problem) && (!k || conflict[k - 1] < conflict[k]),
          "%s: entry %u of the conflict is %u", what, k, conflict[k]);
  return conflict;
}

/* ---- events and sweeps ----------------------------------------------------------------------------------------------- */

/* The rule that an event tells of, or NONE. */
static asc_rule rule_of(const asc_event *event) {
  switch (event->kind) {
  case ASC_EVENT_RAISE:
    return (asc_rule)event->raise.rule;
  case ASC_EVENT_REJECT:
    return (asc_rule)event->reject.rule;
  case ASC_EVENT_SKIP:
    return (asc_rule)event->skip.rule;
  case ASC_EVENT_LEAVE:
    return (asc_rule)event->leave.rule;
  case ASC_EVENT_CHOOSE:
    return event->choose.waste == 2 ? ASC_RULE_BLOCKED : event->choose.waste == 1 ? ASC_RULE_SLACK : ASC_RULE_NONE;
  default:
    return ASC_RULE_NONE;
  }
}

void exact_count_events(asc_context *context, const asc_problem *problem, const test_options *options, uint64_t budget,
                        uint64_t *kinds, uint64_t *rules) {
  asc_log *log = NULL;
  const asc_event *events = NULL;
  uint32_t count = 0;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_config config = test_config("exact", asc_problem_lower_bound(problem), options);
  config.budget = budget;
  asc_run *run = test_run_new(problem, &config);
  asc_run_attach(run, log);
  test_finish(run);
  asc_log_get(log, &events, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++) {
    kinds[events[k].kind]++;
    rules[rule_of(&events[k])]++;
  }
  asc_run_free(run);
  asc_log_free(log);
}

asc_run *exact_sweeping_run(const asc_problem *problem, int64_t capacity, asc_goal goal, uint64_t budget) {
  static const asc_option_value options[] = {{"exchange", "always"}};
  asc_run_config config = asc_run_config_default("exact", capacity);
  config.goal = goal;
  config.options = options;
  config.option_count = COUNT(options);
  config.budget = budget;
  return test_run_new(problem, &config);
}
