/* COSMA: the order of a model's operators, what is copied out of the arena and back, and all addresses, together (Li, Gupta, Malik). README.md beside
 * this file teaches it.
 *
 * Outcomes: OPTIMAL when the plan moves no more than was proved that every plan must; FEASIBLE with a plan within the capacity; OVER_CAPACITY
 * when no addresses were found, not even by copying more out; INFEASIBLE when an operator alone does not fit.
 *
 * A save holds how far the run was told. What was done follows from input and options, so a run that is loaded midway searches again up to there, with
 * the same log, digest and steps behind it; one that had ended takes its plan from the save and searches no more.
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

/* The buffer of a stay in the arena, by its place among all. */
static uint32_t buffer_of(const cosma_machine *c, uint32_t stay) {
  uint32_t buffer = 0;
  for (uint32_t k = 0; k < stay; k++) buffer += c->stays.stays[k].pool == ASC_POOL_MAIN;
  return buffer;
}

static void tell_move(asc_run *run, const cosma_machine *c, const cosma_entry *entry) {
  const asc_stay *stay = &c->stays.stays[entry->stage];
  bool goes = entry->kind == COSMA_SAYS_GOES;
  int64_t bytes = asci_item_size(&c->lowering->lowered, stay->item);
  asci_step_other(run, goes ? ASC_EVENT_EVICT : ASC_EVENT_FETCH, stay->item, entry->layer, 0);
  if (!asci_traced(run)) return;
  uint32_t buffer = buffer_of(c, entry->stage), op = c->order[entry->layer];
  if (goes)
    ASC_TELL(run, EVICT, COSMA_LINE_ADDRESSES, .buffer = buffer, .op = op, .time = entry->layer, .bytes = bytes);
  else
    ASC_TELL(run, FETCH, COSMA_LINE_ADDRESSES, .buffer = buffer, .op = op, .time = entry->layer, .bytes = bytes);
}

static void tell_end(asc_run *run, const cosma_machine *c, const cosma_entry *entry) {
  asci_step_other(run, ASC_EVENT_ALLOCATE, 0, c->plan_height < 0 ? 0 : c->plan_height, 0);
  ASC_EMIT(run, ALLOCATE, COSMA_LINE_ADDRESSES, .height = c->plan_height, .peak = c->plan_height,
           .steps = (int64_t)entry->states);
  for (uint32_t k = 0, b = 0; asci_traced(run) && c->plan_height >= 0 && k < c->stays.count; k++)
    if (c->stays.stays[k].pool == ASC_POOL_MAIN) asci_event_list(run, b++);
}

static void tell_cuts(asc_run *run, const cosma_machine *c, uint32_t parts) {
  const cosma_passes *p = &c->passes;
  asci_step_other(run, ASC_EVENT_CUT, parts, 0, 0);
  ASC_EMIT(run, CUT, COSMA_LINE_PASS, .parts = parts);
  if (!asci_traced(run)) return;
  for (uint32_t cut = 0, place = 0; cut < p->cut_count; cut++) {
    uint32_t first = place;
    while (p->part[place] == cut) place++;
    ASC_TELL(run, CUT_AT, COSMA_LINE_PASS, .nth = cut + 1, .of = p->cut_count, .op = p->peak.order[place - 1], .time = place,
             .live = p->live[place - 1]);
    for (uint32_t k = first; k < place; k++) asci_event_operator(run, p->peak.order[k]);
  }
}

static void tell(asc_run *run, const cosma_machine *c, const cosma_entry *entry) {
  switch (entry->kind) {
  case COSMA_SAYS_EXPAND:
    asci_cosma_tell(run, entry, COSMA_LINE_EXPAND);
    break;
  case COSMA_SAYS_CUT:
    tell_cuts(run, c, entry->layer);
    break;
  case COSMA_SAYS_PACK:
    asci_step_other(run, ASC_EVENT_PACK, entry->stage, entry->packed, 0);
    ASC_EMIT(run, PACK, COSMA_LINE_ADDRESSES, .packer = entry->stage, .packed = entry->packed, .best = entry->best,
             .steps = (int64_t)entry->states);
    break;
  case COSMA_SAYS_REPAIR:
    asci_step_other(run, ASC_EVENT_REPAIR, entry->layer, entry->best, 0);
    ASC_EMIT(run, REPAIR, COSMA_LINE_ADDRESSES, .nth = entry->layer, .count = (int64_t)entry->states, .cost = entry->best,
             .packed = entry->packed);
    break;
  case COSMA_SAYS_END:
    tell_end(run, c, entry);
    break;
  default:
    tell_move(run, c, entry);
  }
}

static asc_outcome conclude(asc_run *run, const cosma_machine *c) {
  bool solved = c->outcome == ASC_OUTCOME_FEASIBLE || c->outcome == ASC_OUTCOME_OVER_CAPACITY;
  if (run->goal == ASC_GOAL_TRAFFIC && asci_cosma_bounds_all(c)) asci_raise_bound(run, c->bound);
  return !solved || asci_cosma_hand_in(run, c->order, &c->stays) ? c->outcome : ASC_OUTCOME_OUT_OF_MEMORY;
}

/* A better plan that the search has come by: however the run ends, there is one. False: it must end. */
static bool keep_plan(asc_run *run, const cosma_machine *c, const cosma_entry *entry) {
  if (entry->kind == COSMA_SAYS_EXPAND && run->goal == ASC_GOAL_TRAFFIC && asci_cosma_bounds_all(c))
    asci_raise_bound(run, entry->bound);
  bool found = entry->kind == COSMA_SAYS_PACK && entry->packed && entry->stage == COSMA_NARROW;
  if (!found) return true;
  const cosma_found *plan = &c->found[entry->found - 1];
  /* a run that was ended and goes on may have a better one */
  if (run->stats.height >= 0 && run->stats.cost <= plan->solution.cost) return true;
  return asci_cosma_hand_in(run, plan->solution.order, &plan->stays) && asci_incumbent(run) == ASC_OK;
}

/* The last step as `ahead` took it. */
static bool copy_end(cosma_machine *c, const cosma_machine *from) {
  if (!asci_stays_copy(&from->stays, &c->stays)) return false;
  memcpy(c->order, from->order, c->model.op_count * sizeof *c->order);
  c->outcome = from->outcome;
  c->bound = from->bound;
  c->plan_height = from->plan_height;
  c->phase = COSMA_OVER;
  return true;
}

/* Tells what has been worked out and not told; false: that is all. */
static bool tell_next(asc_run *run, cosma_machine *c, bool *kept) {
  const cosma_machine *from = c->ahead ? c->ahead : c;
  if (c->shown == from->log_count) return false;
  const cosma_entry *entry = &from->log[c->shown++];
  tell(run, from, entry);
  *kept = keep_plan(run, from, entry);
  return true;
}

static asc_status rescue(asc_run *run, void *state) {
  return asci_cosma_rescue(run, state);
}

static asc_outcome advance(asc_run *run, void *state) {
  cosma_machine *c = state;
  bool kept = true;
  while (asci_more(run)) {
    if (tell_next(run, c, &kept)) {
      const cosma_machine *from = c->ahead ? c->ahead : c;
      if (!kept) return ASC_OUTCOME_OUT_OF_MEMORY;
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

enum { PLAN = 1 << 20 }; /* revision of the plan; those of solutions before it are lower */

/* The stays that are to be seen after the step shown, by their revision; NULL: none. */
static const asci_stay_list *shown_stays(const cosma_machine *c, uint64_t *revision, const uint32_t **order) {
  const cosma_machine *from = c->ahead ? c->ahead : c;
  const cosma_entry *last = c->shown && from->log_count ? &from->log[c->shown - 1] : NULL;
  bool ended = c->loaded || (last && last->kind >= COSMA_SAYS_GOES);
  if (ended && from->plan_height >= 0) {
    *revision = PLAN;
    *order = from->order;
    return &from->stays;
  }
  if (!last || !last->found) return NULL;
  const cosma_found *found = &from->found[last->found - 1];
  bool packed = false;
  /* the first entry is from before any was found */
  for (const cosma_entry *entry = last; entry->found == last->found; entry--)
    packed |= entry->kind == COSMA_SAYS_PACK && entry->packed;
  *revision = 2 * (uint64_t)last->found + packed;
  *order = found->solution.order;
  return &found->stays;
}

static asc_status situate(asc_run *run, void *state) {
  cosma_machine *c = state;
  uint64_t revision = 0;
  const uint32_t *order = NULL;
  const asci_stay_list *stays = shown_stays(c, &revision, &order);
  if (c->situation && revision != c->revision) {
    asc_problem_free(c->situation);
    c->situation = NULL;
  }
  c->revision = revision;
  if (stays && !c->situation) {
    asc_status status =
        asc_lowering_situation(c->lowering, stays->stays, (uint32_t)stays->count, false, &c->situation, NULL);
    if (status) return status;
  }
  uint32_t n = asc_problem_count(c->situation ? c->situation : run->problem);
  if (!asci_grow(c->context, &c->offsets, &c->offset_room, n, sizeof *c->offsets)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < n; b++) c->offsets[b] = ASC_UNPLACED;
  bool known = revision == PLAN || (revision & 1);
  for (size_t k = 0, b = 0; stays && known && k < stays->count; k++)
    if (stays->stays[k].pool == ASC_POOL_MAIN) c->offsets[b++] = stays->stays[k].offset;
  return ASC_OK;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  const cosma_machine *c = state;
  uint64_t revision = 0;
  const uint32_t *order = NULL;
  view->offsets = c->offsets;
  if (!shown_stays(c, &revision, &order)) return;
  view->situation = c->situation;
  view->revision = revision;
  view->frontier = c->model.op_count;
  view->order = order;
}

/* ---- saving, and going back ------------------------------------------------------------------------------------------ */

/* Of a run that has ended the plan is known, and what else there is to know stands in its counters. */
static asc_status load_end(asc_run *run, cosma_machine *c) {
  c->stays.count = 0;
  for (size_t k = 0; k < run->stay_count; k++)
    if (asci_stay_keep(&c->stays, &run->stays[k])) return ASC_OUT_OF_MEMORY;
  if (asci_cosma_number(&c->model, &c->stays)) return ASC_OUT_OF_MEMORY;
  memcpy(c->order, run->order, c->model.op_count * sizeof *c->order);
  c->plan_height = run->stats.height;
  c->outcome = run->stats.outcome;
  c->phase = COSMA_OVER;
  c->loaded = true;
  return ASC_OK;
}

/* The search is taken again as far as it went: what it did follows from the input alone. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  cosma_machine *c = state;
  uint64_t shown = c->shown;
  ASCI_KEEP(saver, shown, SIZE_MAX);
  if (!asci_loaded(saver)) return asci_kept(saver);
  if (shown != run->stats.steps || run->stats.depth) return ASC_BAD_SAVE;
  c->shown = (size_t)shown;
  if (asci_has_plan(run->stats.outcome)) return load_end(run, c);
  while (c->log_count < shown && c->outcome == ASC_OUTCOME_RUNNING) asci_cosma_machine_work(c);
  if (c->outcome == ASC_OUTCOME_OUT_OF_MEMORY) return ASC_OUT_OF_MEMORY;
  return c->log_count < shown ? ASC_BAD_SAVE : ASC_OK;
}

static asc_status show(asc_run *run, void *state, void *ahead, uint64_t step) {
  (void)run;
  cosma_machine *c = state;
  const cosma_machine *log = ahead;
  c->ahead = log;
  c->shown = (size_t)step;
  c->plan_height = -1;
  c->phase = COSMA_SEARCH;
  c->loaded = false;
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
             .refutes = true,
             ASCI_TAKES_INFO(asci_cosma_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(asci_cosma_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .rescue = rescue,
    .situate = situate,
    .view = view,
    .keep = keep,
    .history = ASCI_HISTORY_LOG,
    .show = show,
};
