/* A run, what is known of it, and why a problem has no plan. */
#include "session.h"

asc_input input_of(const session *s, const char *solver) {
  const asc_solver_info *info = asc_solver_find(solver);
  if (!info || info->domain == ASC_DOMAIN_BUFFERS || !s->lowering) return asc_input_buffers(s->problem);
  return info->domain == ASC_DOMAIN_GRAPH ? asc_input_graph(s->lowering) : asc_input_selection(s->lowering);
}

asc_status take_config(session *s, uint32_t goal, double capacity, double seed, double budget, asc_run_config *config,
                       asc_option_value **options) {
  *options = NULL;
  if (!s->problem || !s->input || !whole(capacity, -(double)ASC_MAX_BYTES) || !whole(seed, 0) || !whole(budget, 0))
    return ASC_BAD_ARGUMENT;
  const char *solver = s->input, *end = solver + s->input_bytes, *first = solver + strlen(solver) + 1;
  uint32_t count;
  *options = read_options(first < end ? first : end, end, &count);
  if (!*options) return ASC_OUT_OF_MEMORY;
  *config = asc_run_config_default(solver, (int64_t)capacity);
  config->goal = (asc_goal)goal;
  config->seed = (uint64_t)seed;
  config->budget = (uint64_t)budget;
  config->options = *options;
  config->option_count = count;
  return ASC_OK;
}

/* Starts a run of the input's solver and options (name and value of each follow it); the run before is dropped if that is well. budget in
   steps, 0: none. Errors: those of asc_timeline_new, with a message about the option. */
int32_t glue_run(session *s, uint32_t goal, double capacity, double seed, double budget, double keyframe_bytes) {
  begin(&s->out);
  asc_run_config config;
  asc_option_value *options;
  if (!whole(keyframe_bytes, 0)) return ASC_BAD_ARGUMENT;
  asc_status status = take_config(s, goal, capacity, seed, budget, &config, &options);
  if (status != ASC_OK) return (int32_t)status;
  asc_diag diag = {0};
  asc_timeline *timeline = NULL;
  asc_input input = input_of(s, config.solver);
  status = asc_timeline_new(input, &config, (size_t)keyframe_bytes, &timeline, &diag);
  if (status == ASC_OUT_OF_MEMORY && s->timeline) { /* the memory of the run before may be all that is missing */
    asc_timeline_free(s->timeline);
    s->timeline = NULL;
    status = asc_timeline_new(input, &config, (size_t)keyframe_bytes, &timeline, &diag);
  }
  free(options);
  drop_input(s);
  if (status != ASC_OK) return refuse(s, status, &diag, 1, 1);
  asc_timeline_free(s->timeline);
  s->timeline = timeline;
  s->selects = input.domain == ASC_DOMAIN_SELECTION;
  return ASC_OK;
}

/* Up to `steps` steps; numbers = the outcome. Errors: BAD_ARGUMENT (no run), those of asc_timeline_step. */
int32_t glue_step(session *s, double steps) {
  begin(&s->out);
  if (!s->timeline || !whole(steps, 0)) return ASC_BAD_ARGUMENT;
  asc_outcome outcome;
  asc_status status = asc_timeline_step(s->timeline, (uint64_t)steps, &outcome);
  if (status != ASC_OK) return (int32_t)status;
  put_number(&s->out, outcome);
  return done(s);
}

/* Ends the run with outcome "cancelled", unless it has ended. Errors: BAD_ARGUMENT (no run). */
int32_t glue_cancel(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_run_cancel(asc_timeline_run(s->timeline));
  return (int32_t)asc_timeline_step(s->timeline, 0, NULL);
}

/* Lets a run go on that was cancelled or had spent its budget; budget is the new total, 0: none. Errors: BAD_ARGUMENT. */
int32_t glue_resume(session *s, double budget) {
  begin(&s->out);
  if (!s->timeline || !whole(budget, 0)) return ASC_BAD_ARGUMENT;
  asc_run_resume(asc_timeline_run(s->timeline), (uint64_t)budget);
  return ASC_OK;
}

/* numbers = outcome, steps, backtracks, nodes, digest (two), skipped, depth, max_depth, max_depth_step, height, lower_bound, restarts, cost,
   then the rules' counters; of the run or, if asked, of the step last sought. Errors: BAD_ARGUMENT (no run, none sought), OUT_OF_MEMORY. */
int32_t glue_stats(session *s, bool of_cursor) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_run_stats stats;
  const asc_run *run = of_cursor ? asc_timeline_cursor(s->timeline) : asc_timeline_run(s->timeline);
  if (!run) return ASC_BAD_ARGUMENT;
  asc_run_stats_get(run, &stats);
  const double head[] = {stats.outcome,
                         (double)stats.steps,
                         (double)stats.backtracks,
                         (double)stats.nodes,
                         high_half(stats.digest),
                         low_half(stats.digest),
                         (double)stats.skipped,
                         stats.depth,
                         stats.max_depth,
                         (double)stats.max_depth_step,
                         (double)stats.height,
                         (double)stats.lower_bound,
                         (double)stats.restarts,
                         (double)stats.cost};
  const size_t heads = sizeof head / sizeof *head;
  double *row = more_numbers(&s->out, heads + ASC_RULE_COUNT);
  if (!row) return ASC_OUT_OF_MEMORY;
  memcpy(row, head, sizeof head);
  for (size_t r = 0; r < ASC_RULE_COUNT; r++) row[heads + r] = (double)stats.rules[r];
  return ASC_OK;
}

/* numbers = width, buckets b, then step, kind and value of each mark; words = min_depth, max_depth, last_depth, max_undone, backtracks,
   major and each rule, b entries each, then by buffer how often it was placed (of a graph: nothing). Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_overview(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_overview overview;
  asc_run_overview(asc_timeline_run(s->timeline), &overview);
  size_t count = overview.count;
  double *row = more_numbers(&s->out, 2 + 3 * (size_t)overview.mark_count);
  uint32_t *column = more_words(&s->out, (6 + ASC_RULE_COUNT) * count + overview.buffer_count);
  if (!row || !column) return ASC_OUT_OF_MEMORY;
  row[0] = (double)overview.width;
  row[1] = overview.count;
  for (size_t k = 0; k < overview.mark_count; k++) {
    row[2 + 3 * k] = (double)overview.marks[k].step;
    row[3 + 3 * k] = overview.marks[k].kind;
    row[4 + 3 * k] = (double)overview.marks[k].value;
  }
  for (size_t k = 0; k < count; k++) {
    const asc_bucket *bucket = &overview.buckets[k];
    const uint32_t fields[6] = {bucket->min_depth,  bucket->max_depth,  bucket->last_depth,
                                bucket->max_undone, bucket->backtracks, bucket->major};
    for (size_t f = 0; f < 6; f++) column[f * count + k] = fields[f];
    for (size_t r = 0; r < ASC_RULE_COUNT; r++) column[(6 + r) * count + k] = bucket->rules[r];
  }
  if (overview.placed)
    memcpy(column + (6 + ASC_RULE_COUNT) * count, overview.placed, overview.buffer_count * sizeof *overview.placed);
  return ASC_OK;
}

/* numbers = the best plan's offsets, or none, of a graph by the buffers of the situation at the end; words = the conflict of an infeasible end, or
   none. Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_best(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  const asc_run *run = asc_timeline_run(s->timeline);
  uint32_t count;
  const uint32_t *conflict = asc_run_conflict(run, &count);
  asc_plan plan;
  bool some = asc_run_plan(run, &plan);
  if (some && plan.offsets) put_offsets(&s->out, plan.offsets, asc_problem_count(s->problem));
  asc_run_view view;
  asc_status status = some && s->selects ? asc_run_view_get(asc_timeline_run(s->timeline), &view) : ASC_OK;
  if (status != ASC_OK) return (int32_t)status;
  if (some && s->selects) put_offsets(&s->out, view.offsets, asc_problem_count(view.situation));
  for (uint32_t k = 0; some && !s->selects && k < plan.stay_count; k++)
    if (plan.stays[k].pool == ASC_POOL_MAIN) put_number(&s->out, (double)plan.stays[k].offset);
  put_words(&s->out, conflict, count);
  return done(s);
}

/* numbers = the stays of the best plan of a graph, four numbers each: lower, upper, offset (ASC_UNPLACED: none) and pool; words = the operator that
   runs at each time, then the item of each stay; nothing of a plan of buffers, or without one. Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_plan(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_plan plan;
  if (!asc_run_plan(asc_timeline_run(s->timeline), &plan) || !plan.order) return done(s);
  put_words(&s->out, plan.order, plan.turns);
  for (uint32_t k = 0; k < plan.stay_count; k++) {
    const asc_stay *stay = &plan.stays[k];
    put_number(&s->out, (double)stay->lower);
    put_number(&s->out, (double)stay->upper);
    put_number(&s->out, (double)stay->offset);
    put_number(&s->out, stay->pool);
    put_words(&s->out, &stay->item, 1);
  }
  return done(s);
}

/* ---- why not --------------------------------------------------------------------------------------------------------- */

/* Begins an explanation; the one before is given up, the run stays as it is. budget in steps, 0: none. Errors: those of
   asc_explain_new. */
int32_t glue_explain(session *s, double capacity, double seed, double budget) {
  begin(&s->out);
  drop_explain(s);
  if (!s->problem || !whole(capacity, 0) || !whole(seed, 0) || !whole(budget, 0)) return ASC_BAD_ARGUMENT;
  asc_diag diag = {0};
  asc_status status = asc_explain_new(s->problem, (int64_t)capacity, (uint64_t)seed, (uint64_t)budget, &s->explain, &diag);
  return status == ASC_OK ? ASC_OK : refuse(s, status, &diag, 1, 1);
}

/* Up to `steps` steps, or its end if asked; numbers = outcome, steps, buffers, tried, irreducible, section or -1; words = the buffers,
   once it has ended: it is gone then. Errors: BAD_ARGUMENT (none is under way), those of asc_explain_step (likewise gone) but for a lack
   of memory, which is an outcome. */
int32_t glue_explain_step(session *s, double steps, bool cancel) {
  begin(&s->out);
  if (!s->explain || !whole(steps, 0)) return ASC_BAD_ARGUMENT;
  if (cancel) asc_explain_cancel(s->explain);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = asc_explain_step(s->explain, (uint64_t)steps, &outcome);
  asc_explanation known;
  asc_explain_get(s->explain, &known);
  put_number(&s->out, outcome);
  put_number(&s->out, (double)known.steps);
  put_number(&s->out, known.count);
  put_number(&s->out, known.tried);
  put_number(&s->out, known.irreducible);
  bool one = asc_problem_pool_count(s->problem) == 1; /* else the section is one of a pool */
  put_number(&s->out, known.section == ASC_NONE || !one ? -1.0 : (double)known.section);
  if (status == ASC_OK && outcome == ASC_OUTCOME_RUNNING) return done(s);
  put_words(&s->out, known.buffers, known.count);
  drop_explain(s);
  /* a lack of memory is an outcome as well: what was found before it is worth having */
  bool told = status == ASC_OK || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  return told ? done(s) : (int32_t)status;
}
