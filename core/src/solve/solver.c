/* What solvers report to the engine while they search: steps, marks, events, plans. Each plan is validated before anyone sees it. */
#include "solve/run.h"

#include "trace/overview.h"

#include <string.h>

void asci_run_forget(asc_run *run) {
  run->stats = (asc_run_stats){.height = -1, .cost = -1, .lower_bound = run->domain->bound(&run->input, run->goal)};
  run->digest = run->config_digest;
}

uint32_t asci_needs(const asc_problem *problem) {
  return (problem->has_alignment ? ASC_SUPPORTS_ALIGNMENT : 0) | (problem->has_fixed ? ASC_SUPPORTS_FIXED : 0) |
         (problem->has_gaps ? ASC_SUPPORTS_GAPS : 0) | (problem->has_windows ? ASC_SUPPORTS_WINDOWS : 0) |
         (problem->has_banks ? ASC_SUPPORTS_BANKS : 0) | (problem->has_shapes ? ASC_SUPPORTS_SHAPES : 0);
}

/* ---- plans ----------------------------------------------------------------------------------------------------------- */

asc_plan asci_run_plan(const asc_run *run) {
  return (asc_plan){.offsets = run->best,
                    .order = run->order,
                    .turns = run->domain->turns(&run->input),
                    .stays = run->stays,
                    .stay_count = (uint32_t)run->stay_count};
}

void asci_plan_begin(asc_run *run) {
  run->stay_count = 0;
}

bool asci_plan_add(asc_run *run, const asc_stay *stay) {
  if (run->stay_count >= UINT32_MAX ||
      !asci_grow(run->context, &run->stays, &run->stay_room, run->stay_count + 1, sizeof *run->stays))
    return false;
  run->stays[run->stay_count++] = *stay;
  return true;
}

bool asci_plan_is(const asc_run *run, const uint32_t *order, const asc_stay *stays, size_t count) {
  uint32_t turns = run->domain->turns(&run->input);
  if (run->stay_count != count || memcmp(run->order, order, turns * sizeof *order) != 0) return false;
  for (size_t k = 0; k < count; k++) {
    const asc_stay *a = &run->stays[k], *b = &stays[k];
    if (a->item != b->item || a->pool != b->pool || a->lower != b->lower || a->upper != b->upper) return false;
  }
  return true;
}

asc_status asci_take_best(asc_run *run, int64_t capacity) {
  size_t violations = 0;
  asc_plan plan = asci_run_plan(run);
  asc_status status = run->retracing ? ASC_OK : run->domain->validate(&run->input, &plan, capacity, NULL, 0, &violations);
  if (!status && violations) status = ASC_INVALID_SOLUTION;
  if (status) {
    run->stats.height = run->stats.cost = -1;
    run->stats.outcome = status == ASC_OUT_OF_MEMORY ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_EXHAUSTED;
    return status;
  }
  run->stats.height = run->domain->cost(&run->input, &plan, ASC_GOAL_HEIGHT);
  bool by_height = run->goal == ASC_GOAL_FIT || run->goal == ASC_GOAL_HEIGHT;
  run->stats.cost = by_height ? run->stats.height : run->domain->cost(&run->input, &plan, run->goal);
  return ASC_OK;
}

/* ---- steps and events ------------------------------------------------------------------------------------------------ */

void asci_overview_roll(asc_run *run) {
  run->bucket = asci_overview_next(run->overview);
  run->bucket_end = run->overview->width * run->overview->count;
}

void asci_mark(asc_run *run, asc_mark_kind kind, int64_t value) {
  asc_mark mark = {.step = run->stats.steps, .kind = kind, .value = value};
  if (kind == ASC_MARK_RESTART) run->stats.restarts++;
  if (run->overview) asci_overview_mark(run->overview, mark);
}

bool asci_step_backtrack(asc_run *run, uint32_t from, uint32_t to, uint32_t buffer, uint64_t nodes, bool major) {
  asci_tick(run, ASC_EVENT_BACKTRACK, buffer, to, to);
  major = major || from - to >= ASCI_MAJOR;
  run->stats.backtracks += nodes;
  run->bucket->backtracks++;
  run->bucket->major += major;
  if (from - to > run->bucket->max_undone) run->bucket->max_undone = from - to;
  return major;
}

asc_status asci_incumbent(asc_run *run) {
  asc_status status = asci_take_best(run, INT64_MAX);
  if (!status) asci_mark(run, ASC_MARK_INCUMBENT, run->stats.height);
  return status;
}

void asci_event(asc_run *run, asc_event_kind kind, unsigned line, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e,
                int64_t f) {
  asc_event event = {.step = run->stats.steps,
                     .kind = (uint16_t)kind,
                     .line = (uint16_t)(run->line ? run->line : line),
                     .depth = run->stats.depth,
                     .args = {a, b, c, d, e, f}};
  if (run->scope) run->scope->translate(run, &event);
  asci_log_add(run->log, &event);
}

void asci_event_list(asc_run *run, uint32_t buffer) {
  asci_log_list(run->log, run->scope ? run->scope->buffers[buffer] : buffer);
}

void asci_event_operator(asc_run *run, uint32_t op) {
  asci_log_list(run->log, op);
}
