/* list-schedule: an order for a model's operators, one ready operator after the other by a fixed rule, then addresses for the buffers that the
 * order brings about. schedule.h says what the state is; README.md teaches it.
 *
 * Outcomes: FEASIBLE (or OPTIMAL at the lower bound) with a plan below the capacity; OVER_CAPACITY with one above; EXHAUSTED when the solver
 * of buffers found none, which proves nothing of other orders.
 *
 * Complexity: O(n + uses + sum of the ready operators over the steps), then what the solver of buffers takes. */
#include "base/arrays.h"
#include "solve/list_schedule/schedule.h"

ASCI_OPTION_TABLE(asci_schedule_options, ASCI_SCHEDULE_OPTIONS);

static const char pseudocode[] = "while operators are left:\n"
                                 "  ready = those that wait for nobody\n"
                                 "  op = the best of ready, by the rule\n"
                                 "  op runs now; what it names is alive\n"
                                 "buffers = what the order brings about\n"
                                 "addresses = allocator(buffers)\n";

/* ---- making ---------------------------------------------------------------------------------------------------------- */

enum { PER_TENSOR, PER_OPERATOR, PER_BUFFER };

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_schedule, sizes, PER_TENSOR, ASCI_ZEROS),
    ASCI_ARRAY(asci_schedule, workspaces, PER_OPERATOR, ASCI_ZEROS),
    ASCI_ARRAY(asci_schedule, order, PER_OPERATOR, ASCI_RAW),
    ASCI_ARRAY(asci_schedule, waits, PER_OPERATOR, ASCI_RAW),
    ASCI_ARRAY(asci_schedule, since, PER_OPERATOR, ASCI_RAW),
    ASCI_ARRAY(asci_schedule, ready, PER_OPERATOR, ASCI_RAW),
    ASCI_ARRAY(asci_schedule, begun, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(asci_schedule, has_begun, PER_BUFFER, ASCI_RAW),
    ASCI_OWN(asci_schedule, stays.stays),
    ASCI_OWN(asci_schedule, offsets),
};

static void destroy(asc_run *run, void *state) {
  asci_schedule *s = state;
  asci_growth_free(&s->growth);
  asci_schedule_drop_inner(s);
  asc_problem_free(s->situation);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_free(run->context, s);
}

static bool make_room(asci_schedule *s) {
  const size_t counts[] = {s->graph->tensor_count, s->graph->op_count, asc_problem_count(asc_lowering_problem(s->lowering))};
  return asci_arrays_new(s->context, ASCI_TABLE(arrays), counts, s);
}

/* Sizes as the memory takes them, and what growth leaves out: resident constants, and what no operator names. */
static void measure(asci_schedule *s) {
  const asc_problem *problem = asc_lowering_problem(s->lowering);
  const asci_lowered *l = &s->lowering->lowered;
  uint32_t n = s->graph->tensor_count;
  for (uint32_t item = 0; item < n + s->graph->op_count; item++) {
    uint32_t buffer = s->lowering->buffers[item];
    if (buffer == ASC_NONE) continue;
    int64_t size = asc_problem_buffer(problem, buffer)->size;
    if (item < n)
      s->sizes[item] = size;
    else
      s->workspaces[item - n] = size;
  }
  s->sized.size = s->sizes;
  for (uint32_t t = 0; t < n; t++) {
    bool constant = l->kinds[t] & ASC_TENSOR_CONSTANT;
    if (l->store[t] != t || l->absent[t] || (constant && l->set.constants == ASCI_CONSTANTS_STREAMED)) continue;
    if (!constant && s->growth.begin[t] < s->growth.begin[t + 1]) continue;
    const asc_buffer_spec *spec = asc_problem_buffer(problem, s->lowering->buffers[t]);
    *(constant || spec->upper == s->graph->op_count ? &s->always : &s->at_first) += spec->size;
  }
}

static asc_status fill(asc_run *run, void *state) {
  asci_schedule *s = state;
  s->context = s->stays.context = run->context;
  s->lowering = run->input.of.graph;
  s->graph = s->lowering->lowered.graph;
  s->sized = s->lowering->lowered;
  s->rule = ((const asci_schedule_options *)run->options)->rule;
  if (!make_room(s)) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_schedule_begin(s); /* says who is named */
  if (status) return status;
  measure(s);
  return asci_schedule_begin(s);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  asc_status status = asci_schedule_check(run, diag);
  return status ? status : asci_state_new(run, sizeof(asci_schedule), fill, destroy, state);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static void tell_ready(asc_run *run, const asci_schedule *s) {
  for (uint32_t k = 0; asci_traced(run) && k < s->ready_count; k++)
    ASC_TELL(run, READY, ASCI_SCHEDULE_LINE_READY, .op = s->ready[k], .live = asci_schedule_live(s, s->ready[k]),
             .after = asci_schedule_after(s, s->ready[k]), .index = k + 1, .of = s->ready_count);
}

static void step(asc_run *run, asci_schedule *s) {
  uint32_t op = s->ahead && s->done < s->ahead->done ? s->ahead->order[s->done] : asci_schedule_choose(s);
  uint32_t ready = s->ready_count, before = s->begun_count;
  int64_t after = asci_schedule_after(s, op);
  asci_schedule_run(s, op);
  run->stats.nodes++;
  asci_step_other(run, ASC_EVENT_SCHEDULE, op, s->live, s->begun_count);
  ASC_EMIT(run, SCHEDULE, ASCI_SCHEDULE_LINE_RUN, .op = op, .time = s->done - 1, .ready = ready, .live = s->live,
           .after = after, .peak = s->peak);
  for (uint32_t k = before; asci_traced(run) && k < s->begun_count; k++) asci_event_list(run, s->begun[k]);
  tell_ready(run, s);
}

static asc_outcome allocate(asc_run *run, asci_schedule *s) {
  asc_outcome outcome = asci_schedule_allocate(run, s);
  if (outcome == ASC_OUTCOME_RUNNING || outcome == ASC_OUTCOME_OUT_OF_MEMORY) return outcome;
  asci_step_other(run, ASC_EVENT_ALLOCATE, 0, s->height < 0 ? 0 : s->height, s->begun_count);
  ASC_EMIT(run, ALLOCATE, ASCI_SCHEDULE_LINE_ALLOCATE, .height = s->height, .peak = s->peak, .steps = (int64_t)s->steps);
  for (uint32_t k = 0; asci_traced(run) && s->height >= 0 && k < s->stays.count; k++) asci_event_list(run, k);
  return outcome;
}

static asc_outcome advance(asc_run *run, void *state) {
  asci_schedule *s = state;
  while (asci_more(run)) {
    if (s->done == s->graph->op_count) return allocate(run, s);
    step(run, s);
  }
  return ASC_OUTCOME_RUNNING;
}

static void introduce(asc_run *run, void *state) {
  tell_ready(run, state);
}

/* ---- what there is to see -------------------------------------------------------------------------------------------- */

/* The offsets of n buffers, none of them known before stage two. */
static asc_status set_offsets(asci_schedule *s, size_t n) {
  if (!asci_grow(s->context, &s->offsets, &s->offset_room, n, sizeof *s->offsets)) return ASC_OUT_OF_MEMORY;
  for (size_t b = 0; b < n; b++) s->offsets[b] = s->allocated && s->height >= 0 ? s->stays.stays[b].offset : ASC_UNPLACED;
  return ASC_OK;
}

static asc_status situate(asc_run *run, void *state) {
  asci_schedule *s = state;
  asc_status status = ASC_OK;
  asci_stay_list stays = {.context = run->context};
  asci_schedule_whole(s);
  if (s->situation && s->shown == s->done) return set_offsets(s, asc_problem_count(s->situation));
  asc_problem_free(s->situation);
  s->situation = NULL;
  status = asci_stays(&s->sized, s->order, asci_stay_keep, &stays);
  if (!status) status = asc_lowering_situation(s->lowering, stays.stays, (uint32_t)stays.count, false, &s->situation, NULL);
  asci_free(run->context, stays.stays);
  s->shown = s->done;
  return status ? status : set_offsets(s, asc_problem_count(s->situation));
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  const asci_schedule *s = state;
  view->situation = s->situation;
  view->revision = s->done;
  view->frontier = s->done;
  view->order = s->order;
  view->offsets = s->offsets;
  view->stack = s->begun;
}

/* ---- saving, and going back ------------------------------------------------------------------------------------------ */

/* Takes the plan, which the engine has read and judged, for the outcome of stage two. */
static asc_status load_plan(asc_run *run, asci_schedule *s) {
  s->allocated = true;
  s->height = run->stats.height;
  s->outcome = s->height < 0 ? ASC_OUTCOME_EXHAUSTED : run->stats.outcome;
  if (s->height < 0 ? run->stats.outcome != ASC_OUTCOME_EXHAUSTED : !asci_has_plan(s->outcome)) return ASC_BAD_SAVE;
  if (s->height < 0) return ASC_OK;
  asc_status status = asci_schedule_stays(s);
  if (status) return status;
  if (!asci_plan_is(run, s->order, s->stays.stays, s->stays.count)) return ASC_BAD_SAVE;
  for (size_t k = 0; k < s->stays.count; k++) s->stays.stays[k].offset = run->stays[k].offset;
  return ASC_OK;
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  asci_schedule *s = state;
  uint32_t m = s->graph->op_count, done = s->done;
  bool allocated = s->allocated;
  ASCI_KEEP(saver, done, m);
  for (uint32_t k = 0; k < done; k++) {
    uint32_t op = s->order[k];
    ASCI_KEEP(saver, op, m - 1);
    if (!saver->loads) continue;
    if (saver->failed || !asci_schedule_is_ready(s, op)) return ASC_BAD_SAVE;
    asci_schedule_run(s, op);
  }
  ASCI_KEEP(saver, allocated, 1);
  if (!asci_loaded(saver)) return asci_kept(saver);
  bool same = run->stats.steps == (uint64_t)done + allocated && run->stats.depth == s->begun_count;
  if (!same || (allocated ? done < m : run->stats.height >= 0)) return ASC_BAD_SAVE;
  return allocated ? load_plan(run, s) : ASC_OK;
}

static asc_status show(asc_run *run, void *state, void *ahead, uint64_t step) {
  (void)run;
  asci_schedule *s = state;
  const asci_schedule *log = ahead;
  uint32_t m = s->graph->op_count, until = step < m ? (uint32_t)step : m;
  asc_status status = s->done > until || s->allocated ? asci_schedule_begin(s) : ASC_OK;
  if (status) return status;
  s->ahead = log;
  while (s->done < until) asci_schedule_run(s, log->order[s->done]);
  return step <= m || asci_schedule_copy(s, log) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

const asci_solver asci_solver_list_schedule = {
    .info = {.id = "list-schedule",
             .title = "List schedule",
             .paper = "Graham, Bounds for Certain Multiprocessing Anomalies, 1966: list scheduling",
             .summary =
                 "Puts a model's operators in order, one ready operator after the other, then gives the buffers addresses.",
             .domain = ASC_DOMAIN_GRAPH,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS,
             ASCI_TAKES_INFO(asci_schedule_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(asci_schedule_options),
    .create = create,
    .destroy = destroy,
    .introduce = introduce,
    .advance = advance,
    .situate = situate,
    .view = view,
    .keep = keep,
    .history = ASCI_HISTORY_LOG,
    .show = show,
};
