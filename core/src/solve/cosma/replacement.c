/* The schemes that COSMA is compared with (section V-A2): operators in the given order or in one of least peak; addresses by first fit, as in
 * TensorFlow Lite's linear arena; where a tensor finds none, others are copied out by Belady's rule, or the stretch that it costs least to clear.
 * Where what an operator names is in its own way, everything is copied out and what it names comes back side by side.
 *
 * Outcomes: FEASIBLE with a plan (OPTIMAL where it moves nothing); INFEASIBLE when an operator alone does not fit; EXHAUSTED when alignment leaves
 * it no room.
 *
 * Complexity: that of the search for the order, then O(moves * residents^2). */
#include "replacement.h"

#include "base/arrays.h"

#include <string.h>

ASCI_OPTION_TABLE(asci_replacement_options, ASCI_REPLACEMENT_OPTIONS);

enum { SLICE = 256 };

static const char pseudocode[] = "order = as given, or of least peak\n"
                                 "for each operator in order:\n"
                                 "  for each tensor that it names and that is not there:\n"
                                 "    while no gap is large enough: one goes\n"
                                 "    it comes into the lowest gap that it fits\n"
                                 "  the operator runs; what nobody reads any more goes\n"
                                 "every tensor has its addresses\n";

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {
    ASCI_OWN(replacement, log),
    ASCI_OWN(replacement, stays.stays),
    ASCI_OWN(replacement, seen.stays),
    ASCI_OWN(replacement, offsets),
};

static void destroy(asc_run *run, void *state) {
  replacement *c = state;
  asci_cosma_replace_free(&c->replace);
  asci_cosma_passes_free(&c->passes);
  asci_cosma_model_free(&c->model);
  asc_problem_free(c->situation);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), c);
  asci_free(run->context, c);
}

static asc_status begin_replacing(const asc_run *run, replacement *c) {
  const asci_replacement_options *options = run->options;
  const cosma_solution *best = &c->passes.best;
  const uint32_t *order = best->cost == ASC_UNPLACED ? c->passes.identity : best->order;
  c->ordered = true;
  return asci_cosma_replace_new(&c->model, order, (cosma_policy)options->replacement, c->capacity, &c->replace);
}

static asc_status fill(asc_run *run, void *state) {
  replacement *c = state;
  const asci_replacement_options *options = run->options;
  c->context = c->stays.context = c->seen.context = run->context;
  c->lowering = run->input.of.graph;
  c->capacity = run->capacity;
  c->outcome = ASC_OUTCOME_RUNNING;
  c->height = -1;
  cosma_settings set = {.height = true,
                        .schedule = options->schedule ? COSMA_LEAST_PEAK : COSMA_FILE,
                        .capacity = run->capacity,
                        .beam = (uint32_t)options->beam,
                        .most_bytes = (size_t)options->memory << 20};
  asc_status status = asci_cosma_model_new(
      c->lowering, (options->inputs ? 0 : COSMA_INPUTS_COPIED) | (options->outputs ? 0 : COSMA_OUTPUTS_COPIED), &c->model);
  if (!status) status = asci_cosma_passes_new(&c->model, &set, &c->passes);
  return status || options->schedule ? status : begin_replacing(run, c);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(replacement), fill, destroy, state);
}

/* ---- work ------------------------------------------------------------------------------------------------------------ */

static void end(replacement *c, asc_status status, asc_outcome outcome) {
  c->outcome = status ? ASC_OUTCOME_OUT_OF_MEMORY : outcome;
}

static void search(asc_run *run, replacement *c) {
  const cosma_search *s = &c->passes.search;
  cosma_step step = COSMA_KEPT;
  uint32_t stage = c->passes.stage;
  for (uint32_t k = 0; k < SLICE && step != COSMA_LAYER && step != COSMA_END && step != COSMA_FULL; k++)
    step = asci_cosma_passes_step(&c->passes);
  if (step != COSMA_END && step != COSMA_FULL) stage = c->passes.stage;
  cosma_entry entry = {.stage = stage,
                       .layer = s->depth,
                       .states = s->next.kept,
                       .dominated = s->dominated,
                       .pruned = s->pruned,
                       .best = c->passes.best.cost};
  if (!asci_grow(c->context, &c->log, &c->log_room, c->log_count + 1, sizeof *c->log))
    end(c, ASC_OUT_OF_MEMORY, ASC_OUTCOME_RUNNING);
  else
    c->log[c->log_count++] = entry;
  if (c->passes.over && c->outcome == ASC_OUTCOME_RUNNING) end(c, begin_replacing(run, c), ASC_OUTCOME_RUNNING);
}

/* The stays as far as some moves go, with the addresses that are known by then. */
static asc_status list_stays(replacement *c, const replacement *from, size_t moves, asci_stay_list *list) {
  const cosma_replace *r = &from->replace;
  cosma_solution so_far = {.order = r->solution.order};
  so_far.evict_begin = asci_alloc(c->context, (size_t)c->model.op_count + 1, sizeof *so_far.evict_begin);
  so_far.evicted = asci_alloc(c->context, moves, sizeof *so_far.evicted);
  asc_status status = so_far.evict_begin && so_far.evicted ? ASC_OK : ASC_OUT_OF_MEMORY;
  list->count = 0;
  if (!status) {
    asci_cosma_replaced(r, moves, so_far.evict_begin, so_far.evicted);
    status = asci_cosma_stays(&c->model, &so_far, list);
  }
  if (!status) asci_cosma_replace_places(r, moves, list);
  asci_free(c->context, so_far.evict_begin);
  asci_free(c->context, so_far.evicted);
  return status;
}

static int64_t height_of(const replacement *c) {
  int64_t height = 0;
  for (size_t k = 0; k < c->stays.count; k++) {
    const asc_stay *stay = &c->stays.stays[k];
    if (stay->pool != ASC_POOL_MAIN || cosma_is_absent(stay)) continue;
    int64_t top = stay->offset + asci_cosma_item_size(c->lowering, stay->item);
    if (top > height) height = top;
  }
  return height;
}

static void finish(replacement *c) {
  asc_status status = list_stays(c, c, c->replace.move_count, &c->stays);
  if (!status) c->height = height_of(c);
  end(c, status, ASC_OUTCOME_FEASIBLE);
}

static void replace_next(replacement *c) {
  if (c->model.required > c->capacity) {
    end(c, ASC_OK, c->model.keeps ? ASC_OUTCOME_EXHAUSTED : ASC_OUTCOME_INFEASIBLE);
    return;
  }
  cosma_replacing got = asci_cosma_replace_step(&c->replace);
  if (got != COSMA_REPLACED)
    end(c, got == COSMA_STUCK ? ASC_OK : ASC_OUT_OF_MEMORY, ASC_OUTCOME_EXHAUSTED);
  else if (c->replace.done == c->model.op_count)
    finish(c);
}

/* Steps that are worked out: those of the search, the moves, and the end. */
static uint64_t known(const replacement *c) {
  return c->log_count + c->replace.move_count + (c->outcome != ASC_OUTCOME_RUNNING);
}

static void work(asc_run *run, replacement *c) {
  if (c->ordered)
    replace_next(c);
  else
    search(run, c);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static asc_status look(replacement *c);

static size_t moves_of(const replacement *c, const replacement *from) {
  size_t moves = c->shown > from->log_count ? (size_t)(c->shown - from->log_count) : 0;
  return moves < from->replace.move_count ? moves : from->replace.move_count;
}

/* The buffer of the value's last stay in the arena that began by the time, before it goes; else the one that begins then. */
static uint32_t buffer_of(const replacement *c, uint32_t item, int64_t time, bool goes) {
  uint32_t buffer = 0, found = ASC_NONE;
  for (size_t k = 0; k < c->seen.count; k++) {
    const asc_stay *stay = &c->seen.stays[k];
    if (stay->pool != ASC_POOL_MAIN) continue;
    if (stay->item == item && (goes ? stay->lower < time : stay->lower == time)) found = buffer; /* later ones come later */
    buffer++;
  }
  return found;
}

static void tell_begun(asc_run *run, const replacement *c, int64_t time) {
  uint32_t buffer = 0;
  for (size_t k = 0; k < c->seen.count; k++) {
    if (c->seen.stays[k].pool != ASC_POOL_MAIN) continue;
    if (c->seen.stays[k].lower == time && c->seen.stays[k].offset != ASC_UNPLACED) asci_event_list(run, buffer);
    buffer++;
  }
}

static void tell_move(asc_run *run, replacement *c, const replacement *from, size_t k) {
  const cosma_move *move = &from->replace.moves[k];
  static const asc_event_kind kinds[] = {ASC_EVENT_EVICT, ASC_EVENT_FETCH, ASC_EVENT_RUN};
  asci_step_other(run, kinds[move->kind], move->which, move->time, 0);
  if (!asci_traced(run) || look(c)) return;
  uint32_t op = from->replace.solution.order[move->time];
  if (move->kind == COSMA_RUNS) {
    ASC_TELL(run, RUN, REPLACEMENT_LINE_RUNS, .op = op, .time = move->time);
    tell_begun(run, c, move->time);
    return;
  }
  const cosma_value *value = &c->model.values[move->which];
  uint32_t buffer = buffer_of(c, value->item, move->time, move->kind == COSMA_GOES);
  if (move->kind == COSMA_GOES)
    ASC_TELL(run, EVICT, REPLACEMENT_LINE_GOES, .buffer = buffer, .op = op, .time = move->time, .bytes = value->bytes);
  else
    ASC_TELL(run, FETCH, REPLACEMENT_LINE_COMES, .buffer = buffer, .op = op, .time = move->time, .bytes = value->bytes);
}

static bool copy_end(replacement *c, const replacement *from) {
  c->outcome = from->outcome;
  c->height = from->height;
  return asci_stays_copy(&from->stays, &c->stays);
}

static asc_outcome conclude(asc_run *run, replacement *c, const replacement *from) {
  if (c != from && !copy_end(c, from)) return ASC_OUTCOME_OUT_OF_MEMORY;
  asci_step_other(run, ASC_EVENT_ALLOCATE, 0, c->height < 0 ? 0 : c->height, 0);
  ASC_EMIT(run, ALLOCATE, REPLACEMENT_LINE_END, .height = c->height, .peak = c->height,
           .steps = (int64_t)from->replace.move_count);
  if (c->height < 0) return c->outcome;
  for (uint32_t k = 0, b = 0; k < c->stays.count && asci_traced(run); k++)
    if (c->stays.stays[k].pool == ASC_POOL_MAIN) asci_event_list(run, b++);
  return asci_cosma_hand_in(run, from->replace.solution.order, &c->stays) ? c->outcome : ASC_OUTCOME_OUT_OF_MEMORY;
}

static asc_outcome advance(asc_run *run, void *state) {
  replacement *c = state;
  while (asci_more(run)) {
    const replacement *from = c->ahead ? c->ahead : c;
    if (from->outcome == ASC_OUTCOME_OUT_OF_MEMORY && c->shown + 1 >= known(from)) return from->outcome;
    if (c->shown == known(from)) {
      if (c->ahead) return ASC_OUTCOME_RUNNING;
      work(run, c);
      continue;
    }
    uint64_t step = c->shown++;
    if (step < from->log_count)
      asci_cosma_tell(run, &from->log[step], REPLACEMENT_LINE_ORDER);
    else if (step - from->log_count < from->replace.move_count)
      tell_move(run, c, from, (size_t)(step - from->log_count));
    else
      return conclude(run, c, from);
  }
  return ASC_OUTCOME_RUNNING;
}

/* ---- what there is to see -------------------------------------------------------------------------------------------- */

static bool is_ordered(const replacement *c, const replacement *from) {
  return from->ordered && c->shown >= from->log_count && from->replace.m;
}

/* The stays as of the step shown; of none before the order stands. */
static asc_status look(replacement *c) {
  const replacement *from = c->ahead ? c->ahead : c;
  c->seen.count = 0;
  return is_ordered(c, from) ? list_stays(c, from, moves_of(c, from), &c->seen) : ASC_OK;
}

static bool set_offsets(replacement *c, uint32_t n) {
  size_t b = 0;
  if (!asci_grow(c->context, &c->offsets, &c->offset_room, n, sizeof *c->offsets)) return false;
  for (size_t k = 0; k < c->seen.count; k++)
    if (c->seen.stays[k].pool == ASC_POOL_MAIN) c->offsets[b++] = c->seen.stays[k].offset;
  for (; b < n; b++) c->offsets[b] = ASC_UNPLACED;
  return true;
}

static asc_status situate(asc_run *run, void *state) {
  replacement *c = state;
  asc_status status = look(c);
  if (status) return status;
  if (c->situation && c->situated != c->shown) {
    asc_problem_free(c->situation);
    c->situation = NULL;
  }
  if (!c->situation && c->seen.count)
    status = asc_lowering_situation(c->lowering, c->seen.stays, (uint32_t)c->seen.count, false, &c->situation, NULL);
  if (status) return status;
  c->situated = c->shown;
  return set_offsets(c, asc_problem_count(c->situation ? c->situation : run->problem)) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  const replacement *c = state, *from = c->ahead ? c->ahead : c;
  size_t moves = moves_of(c, from);
  view->offsets = c->offsets;
  if (!c->situation) return;
  const cosma_move *last = moves ? &from->replace.moves[moves - 1] : NULL;
  view->situation = c->situation;
  view->revision = c->shown;
  view->frontier = last ? (int64_t)last->time + (last->kind == COSMA_RUNS) : 0;
  view->order = from->replace.solution.order;
}

/* ---- saving, and going back ------------------------------------------------------------------------------------------ */

/* It is taken again as far as it went: what it did follows from the input alone. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  replacement *c = state;
  uint64_t shown = c->shown;
  ASCI_KEEP(saver, shown, SIZE_MAX);
  if (!asci_loaded(saver)) return asci_kept(saver);
  if (shown != run->stats.steps || run->stats.depth) return ASC_BAD_SAVE;
  while (known(c) < shown && c->outcome == ASC_OUTCOME_RUNNING) work(run, c);
  if (c->outcome == ASC_OUTCOME_OUT_OF_MEMORY) return ASC_OUT_OF_MEMORY;
  if (known(c) < shown) return ASC_BAD_SAVE;
  c->shown = (size_t)shown;
  bool ended = c->outcome != ASC_OUTCOME_RUNNING && shown == known(c);
  if (ended == asci_goes_on(run->stats.outcome)) return ASC_BAD_SAVE;
  if ((ended && c->height >= 0) != (run->stats.height >= 0)) return ASC_BAD_SAVE;
  if (ended && c->height >= 0 && !asci_cosma_is_plan(run, c->replace.solution.order, &c->stays)) return ASC_BAD_SAVE;
  return ASC_OK;
}

static asc_status show(asc_run *run, void *state, void *ahead, uint64_t step) {
  (void)run;
  replacement *c = state;
  c->ahead = ahead;
  c->shown = step;
  return ASC_OK;
}

const asci_solver asci_solver_replacement = {
    .info = {.id = "replacement",
             .title = "Tensor replacement",
             .paper = "Li, Gupta, Malik, Combined Scheduling, Memory Allocation and Tensor Replacement for Minimizing "
                      "Off-Chip Data Accesses of DNN Accelerators, 2023: the schemes compared with; Belady, A Study of "
                      "Replacement Algorithms for a Virtual-Storage Computer, 1966",
             .summary =
                 "Runs a model's operators in a fixed order, gives each tensor the first gap that it fits, and copies "
                 "others out where there is none.",
             .domain = ASC_DOMAIN_GRAPH,
             .goals = 1u << ASC_GOAL_TRAFFIC,
             .supports = ASC_SUPPORTS_ALIGNMENT,
             .refutes = true,
             ASCI_TAKES_INFO(asci_replacement_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(asci_replacement_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .situate = situate,
    .view = view,
    .keep = keep,
    .history = ASCI_HISTORY_LOG,
    .show = show,
};
