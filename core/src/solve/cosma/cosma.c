/* COSMA: the order of a model's operators, what is copied out of the arena and back, and all addresses, together (Li, Gupta, Malik). README.md beside
 * this file teaches it.
 *
 * Outcomes: OPTIMAL when the plan moves no more than was proved that every plan must; FEASIBLE with a plan within the capacity; OVER_CAPACITY
 * when no addresses were found, not even by copying more out; INFEASIBLE when an operator alone does not fit.
 *
 * Complexity: exponential in the number of operators that may run at the same place of an order; linear in the rest. */
#include "cosma.h"

#include <string.h>

ASCI_OPTION_TABLE(asci_cosma_options, ASCI_COSMA_OPTIONS);

static const char pseudocode[] = "for each pass, the cheap ones first:\n"
                                 "  for each layer, of sets of k operators that have run:\n"
                                 "    for each state and operator that may run next:\n"
                                 "      take out as little as makes it fit, in every way\n"
                                 "      keep the state unless another is no worse\n"
                                 "addresses = sweep, or a solver of buffers\n";

static void destroy(asc_run *run, void *state) {
  asci_cosma_machine_free(state);
  asci_free(run->context, state);
}

static asc_status fill(asc_run *run, void *state) {
  return asci_cosma_machine_new(run, state);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(cosma_machine), fill, destroy, state);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static void tell(asc_run *run, const cosma_machine *c, const cosma_entry *entry) {
  if (entry->stage == COSMA_STAGES) {
    asci_step_other(run, ASC_EVENT_ALLOCATE, 0, c->plan_height < 0 ? 0 : c->plan_height, 0);
    ASC_EMIT(run, ALLOCATE, COSMA_LINE_ADDRESSES, .height = c->plan_height, .peak = c->plan_height,
             .steps = (int64_t)entry->states);
    for (uint32_t k = 0, b = 0; asci_traced(run) && c->plan_height >= 0 && k < c->stays.count; k++)
      if (c->stays.stays[k].pool == ASC_POOL_MAIN) asci_event_list(run, b++);
    return;
  }
  asci_step_other(run, ASC_EVENT_EXPAND, entry->layer, (int64_t)entry->states, 0);
  run->stats.nodes += entry->states;
  ASC_EMIT(run, EXPAND, COSMA_LINE_EXPAND, .stage = entry->stage, .layer = entry->layer, .states = (int64_t)entry->states,
           .dominated = (int64_t)entry->dominated, .pruned = (int64_t)entry->pruned, .best = entry->best);
}

static bool hand_in(asc_run *run, const cosma_machine *c) {
  memcpy(run->order, c->order, c->model.op_count * sizeof *run->order);
  asci_plan_begin(run);
  for (size_t k = 0; k < c->stays.count; k++)
    if (!asci_plan_add(run, &c->stays.stays[k])) return false;
  return true;
}

static asc_outcome conclude(asc_run *run, const cosma_machine *c) {
  bool solved = c->outcome == ASC_OUTCOME_FEASIBLE || c->outcome == ASC_OUTCOME_OVER_CAPACITY;
  if (run->goal == ASC_GOAL_TRAFFIC && asci_cosma_bounds_all(c)) asci_raise_bound(run, c->bound);
  return !solved || hand_in(run, c) ? c->outcome : ASC_OUTCOME_OUT_OF_MEMORY;
}

/* The last step as `ahead` took it. */
static bool copy_end(cosma_machine *c, const cosma_machine *from) {
  c->stays.count = 0;
  for (size_t k = 0; k < from->stays.count; k++)
    if (asci_stay_keep(&c->stays, &from->stays.stays[k])) return false;
  memcpy(c->order, from->order, c->model.op_count * sizeof *c->order);
  c->outcome = from->outcome;
  c->bound = from->bound;
  c->plan_height = from->plan_height;
  c->phase = COSMA_OVER;
  return true;
}

/* Tells what has been worked out and not told; false: that is all. */
static bool tell_next(asc_run *run, cosma_machine *c) {
  const cosma_machine *from = c->ahead ? c->ahead : c;
  if (c->shown == from->log_count) return false;
  const cosma_entry *entry = &from->log[c->shown++];
  tell(run, from, entry);
  return true;
}

static asc_outcome advance(asc_run *run, void *state) {
  cosma_machine *c = state;
  while (asci_more(run)) {
    if (tell_next(run, c)) {
      const cosma_machine *from = c->ahead ? c->ahead : c;
      if (from->outcome == ASC_OUTCOME_RUNNING || c->shown < from->log_count) continue;
      if (c->ahead && !copy_end(c, c->ahead)) return ASC_OUTCOME_OUT_OF_MEMORY;
      return conclude(run, c);
    }
    if (c->ahead) return ASC_OUTCOME_RUNNING;
    asci_cosma_machine_work(c);
    if (c->outcome != ASC_OUTCOME_RUNNING && c->shown == c->log_count) return conclude(run, c);
  }
  return ASC_OUTCOME_RUNNING;
}

/* ---- what there is to see -------------------------------------------------------------------------------------------- */

static bool shows_plan(const cosma_machine *c) {
  return c->plan_height >= 0 && c->phase == COSMA_OVER && (c->ahead || c->shown == c->log_count);
}

static asc_status situate(asc_run *run, void *state) {
  cosma_machine *c = state;
  bool plan = shows_plan(c);
  if (plan != c->situated) {
    asc_problem_free(c->situation);
    c->situation = NULL;
    c->situated = false;
  }
  if (plan && !c->situation) {
    asc_status status =
        asc_lowering_situation(c->lowering, c->stays.stays, (uint32_t)c->stays.count, false, &c->situation, NULL);
    if (status) return status;
    c->situated = true;
  }
  uint32_t n = asc_problem_count(plan ? c->situation : run->problem);
  if (!asci_grow(c->context, &c->offsets, &c->offset_room, n, sizeof *c->offsets)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < n; b++) c->offsets[b] = ASC_UNPLACED;
  size_t b = 0;
  for (size_t k = 0; plan && k < c->stays.count; k++)
    if (c->stays.stays[k].pool == ASC_POOL_MAIN) c->offsets[b++] = c->stays.stays[k].offset;
  return ASC_OK;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  const cosma_machine *c = state;
  view->situation = c->situation;
  view->revision = c->situation ? 1 : 0;
  view->frontier = c->situation ? c->model.op_count : 0;
  view->order = c->situation ? c->order : NULL;
  view->offsets = c->offsets;
}

/* ---- saving, and going back ------------------------------------------------------------------------------------------ */

static bool is_plan_of(const asc_run *run, const cosma_machine *c) {
  if (!asci_plan_is(run, c->order, c->stays.stays, c->stays.count)) return false;
  for (size_t k = 0; k < c->stays.count; k++)
    if (run->stays[k].offset != c->stays.stays[k].offset) return false;
  return true;
}

/* The search is taken again as far as it went: what it did follows from the input alone. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  cosma_machine *c = state;
  uint64_t shown = c->shown;
  ASCI_KEEP(saver, shown, SIZE_MAX);
  if (!asci_loaded(saver)) return asci_kept(saver);
  if (shown != run->stats.steps || run->stats.depth) return ASC_BAD_SAVE;
  while (c->log_count < shown && c->outcome == ASC_OUTCOME_RUNNING) asci_cosma_machine_work(c);
  if (c->outcome == ASC_OUTCOME_OUT_OF_MEMORY) return ASC_OUT_OF_MEMORY;
  if (c->log_count != shown) return ASC_BAD_SAVE;
  c->shown = (size_t)shown;
  bool planned = c->plan_height >= 0;
  if (planned != (run->stats.height >= 0) || (planned && !is_plan_of(run, c))) return ASC_BAD_SAVE;
  return ASC_OK;
}

static asc_status show(asc_run *run, void *state, void *ahead, uint64_t step) {
  (void)run;
  cosma_machine *c = state;
  const cosma_machine *log = ahead;
  c->ahead = log;
  c->shown = (size_t)step;
  c->plan_height = -1;
  c->phase = COSMA_SEARCH;
  bool last = log->outcome != ASC_OUTCOME_RUNNING && c->shown == log->log_count;
  return !last || copy_end(c, log) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

const asci_solver asci_solver_cosma = {
    .info = {.id = "cosma",
             .title = "COSMA",
             .paper = "Li, Gupta, Malik, Combined Scheduling, Memory Allocation and Tensor Replacement for Minimizing "
                      "Off-Chip Data Accesses of DNN Accelerators, 2023",
             .summary =
                 "Finds the order of a model's operators, what is copied out and back, and the addresses, so that the "
                 "fewest bytes move, and proves it.",
             .domain = ASC_DOMAIN_GRAPH,
             .goals = 1u << ASC_GOAL_TRAFFIC | 1u << ASC_GOAL_HEIGHT,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS,
             ASCI_TAKES_INFO(asci_cosma_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(asci_cosma_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .situate = situate,
    .view = view,
    .keep = keep,
    .history = ASCI_HISTORY_LOG,
    .show = show,
};
