/* first-fit: the plan of greedy with fit = first, for any number of buffers.
 *
 * Rule: buffers with fixed offsets first, the others in the order of the option, each at the lowest offset where it meets nobody placed; a
 * hint that is free and below the capacity is taken. A step is a buffer placed: gaps that are too small are passed over in a tree of
 * merged occupancy sets (model/fit/tree.h) and not told, where greedy takes a step for each.
 * Complexity: O(n log n) for the order, then O(log n) sets per buffer, each mostly one interval.
 * Source: the rule is greedy's; the tree is this project's own. */
#include "model/fit/tree.h"
#include "model/lifespan/meet.h"
#include "solve/greedy/place.h"
#include "solve/ladder/ends.h"

ASCI_OPTION_VALUES(first_fit_options, ASCI_ORDER_OPTION);
ASCI_OPTION_TABLE(first_fit_options, ASCI_ORDER_OPTION);

enum { LINE_FIXED = 1, LINE_PLACE = 4 };

static const char pseudocode[] = "place buffers with fixed offsets\n"
                                 "for b in the others, in order:\n"
                                 "  let x rise until b meets nobody at x\n"
                                 "  place b at x\n";

typedef struct first_fit {
  asci_fit_tree tree;
  uint32_t *order;
  uint32_t fixed_count, placed;
  const struct first_fit *ahead; /* whose placements are repeated; NULL: they are looked for */
  asci_ends ends;                /* retracing: of the order's buffers; it may have been further on than the run is now */
} first_fit;

static void destroy(asc_run *run, void *state) {
  first_fit *f = state;
  asci_fit_tree_free(&f->tree);
  asci_ends_free(run->context, &f->ends);
  asci_free(run->context, f->order);
  asci_free(run->context, f);
}

static asc_status fill(asc_run *run, void *state) {
  first_fit *f = state;
  f->order = asci_alloc(run->context, run->problem->count, sizeof *f->order);
  if (!f->order) return ASC_OUT_OF_MEMORY;
  const first_fit_options *o = run->options;
  asc_status status = asci_greedy_sort(run->problem, (asci_greedy_order)o->order, f->order, &f->fixed_count);
  return status ? status : asci_fit_tree_new(run->problem, ASCI_FIT_SPARING, &f->tree);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(first_fit), fill, destroy, state);
}

/* ---- where ----------------------------------------------------------------------------------------------------------- */

static bool is_free(first_fit *f, uint32_t buffer, int64_t offset) {
  int64_t most = offset + f->tree.problem->buffers[buffer].size;
  return asci_fit_lowest(&f->tree, buffer, offset, most) == offset;
}

/* Where the next buffer goes; ASC_UNPLACED: nowhere. Nobody is ever taken out, so that no question lacks memory. */
static int64_t next_offset(const asc_run *run, first_fit *f) {
  uint32_t buffer = f->order[f->placed];
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  if (f->ahead) return f->ahead->tree.offsets[buffer];
  if (spec->offset != ASC_UNPLACED) return is_free(f, buffer, spec->offset) ? spec->offset : ASC_UNPLACED;
  bool hint = spec->hint != ASC_UNPLACED && spec->hint <= run->capacity - spec->size && is_free(f, buffer, spec->hint);
  return hint ? spec->hint : asci_fit_lowest(&f->tree, buffer, 0, ASC_MAX_BYTES);
}

static int64_t end_of(const first_fit *f, uint32_t buffer) {
  return f->tree.offsets[buffer] + f->tree.problem->buffers[buffer].size;
}

static uint32_t who_ends_at(first_fit *f, uint32_t buffer, int64_t offset) {
  const asc_problem *problem = f->tree.problem;
  asci_ends *ends = &f->ends;
  uint32_t least = ASC_NONE;
  while (ends->count < f->placed) {
    if (asci_ends_add(problem->context, ends, problem->count, end_of(f, f->order[ends->count]))) continue;
    f->tree.no_memory = true;
    return ASC_NONE;
  }
  for (uint32_t k = asci_ends_at(ends, offset); k != ASC_NONE; k = ends->next[k]) {
    uint32_t other = f->order[k];
    if (other < least && k < f->placed && end_of(f, other) == offset && asci_meet(problem, buffer, other)) least = other;
  }
  return least;
}

/* For the picture: the first in the file of those that end at the offset if `under`, else of those in the buffer's way there; ASC_NONE: there is none. */
static uint32_t neighbour(first_fit *f, uint32_t buffer, int64_t offset, bool under) {
  const asc_problem *problem = f->tree.problem;
  uint32_t least = ASC_NONE;
  if (under && f->ahead) return who_ends_at(f, buffer, offset);
  bool all = f->ahead; /* who is in the way is asked once, at the end */
  if (!all && !asci_fit_collect(&f->tree, buffer)) return ASC_NONE;
  for (size_t k = 0; k < (all ? f->placed : f->tree.found_count); k++) {
    uint32_t other = all ? f->order[k] : f->tree.found[k];
    int64_t low = f->tree.offsets[other], high = end_of(f, other);
    bool near = under ? high == offset : low < offset + problem->buffers[buffer].size && high > offset;
    if (near && other < least && (!all || asci_meet(problem, buffer, other))) least = other;
  }
  return least;
}

/* ---- stepping -------------------------------------------------------------------------------------------------------- */

static asc_outcome put(asc_run *run, first_fit *f, int64_t offset) {
  uint32_t buffer = f->order[f->placed];
  bool fixed = f->placed < f->fixed_count;
  uint32_t support = asci_traced(run) ? neighbour(f, buffer, offset, true) : ASC_NONE;
  if (f->tree.no_memory) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (f->ahead)
    f->tree.offsets[buffer] = offset;
  else if (!asci_fit_place(&f->tree, buffer, offset))
    return ASC_OUTCOME_OUT_OF_MEMORY;
  f->placed++;
  run->stats.nodes++;
  asci_step_place(run, buffer, offset, f->placed);
  ASC_EMIT(run, PLACE, fixed ? LINE_FIXED : LINE_PLACE, .buffer = buffer, .offset = offset, .support = support, .of = 1);
  if (f->placed < run->problem->count) return ASC_OUTCOME_RUNNING;
  return asci_greedy_finish(run, f->tree.offsets, LINE_PLACE);
}

/* Fixed offsets that meet, or no address below the greatest there is. */
static asc_outcome refuse(asc_run *run, first_fit *f) {
  uint32_t buffer = f->order[f->placed];
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  bool fixed = f->placed < f->fixed_count;
  asc_rule rule = fixed ? ASC_RULE_FIXED : ASC_RULE_CAPACITY;
  int64_t offset = fixed ? spec->offset : ASC_MAX_BYTES;
  asci_step_reject(run, rule, buffer, offset, f->placed);
  if (asci_traced(run)) {
    uint32_t other = fixed ? neighbour(f, buffer, offset, false) : ASC_NONE;
    int64_t floor = other == ASC_NONE ? offset : f->tree.offsets[other] + run->problem->buffers[other].size;
    ASC_EMIT(run, REJECT, fixed ? LINE_FIXED : LINE_PLACE, .buffer = buffer, .offset = offset, .rule = rule,
             .section = ASC_NONE, .floor = floor, .rest = fixed ? offset : spec->size);
    if (other != ASC_NONE) asci_event_list(run, other);
  }
  return ASC_OUTCOME_EXHAUSTED;
}

#define AHEAD 6u /* placements: soon enough, not too soon */

/* Has the processor fetch what a later placement begins with: orders leap through memory, and each leap would be waited for. Not inlined, gcc
   takes it for a function without effect. */
__attribute__((always_inline)) static inline void fetch_ahead(const first_fit *f) {
  const asc_problem *problem = f->tree.problem;
  if (problem->count - f->placed <= AHEAD) return;
  uint32_t buffer = f->order[f->placed + AHEAD];
  __builtin_prefetch(&problem->buffers[buffer].id);
  __builtin_prefetch(&problem->buffers[buffer].bank);
  __builtin_prefetch(&problem->piece_begin[buffer]);
  __builtin_prefetch(&f->tree.offsets[buffer]);
  if (!f->tree.owner) __builtin_prefetch(&problem->pieces[buffer]);
}

static asc_outcome advance(asc_run *run, void *state) {
  first_fit *f = state;
  if (f->placed == run->problem->count) return asci_greedy_finish(run, f->tree.offsets, 0);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    fetch_ahead(f);
    int64_t offset = next_offset(run, f);
    outcome = offset == ASC_UNPLACED ? refuse(run, f) : put(run, f, offset);
  }
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  first_fit *f = state;
  view->offsets = f->tree.offsets;
  view->stack = f->order;
}

/* Everything follows from how many are placed. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  first_fit *f = state;
  uint32_t placed = f->placed;
  ASCI_KEEP(saver, placed, run->problem->count);
  if (!asci_loaded(saver)) return asci_kept(saver);
  if (run->stats.depth != placed) return ASC_BAD_SAVE;
  for (; f->placed < placed; f->placed++) {
    int64_t offset = next_offset(run, f);
    if (offset == ASC_UNPLACED) return ASC_BAD_SAVE;
    if (!asci_fit_place(&f->tree, f->order[f->placed], offset)) return ASC_OUT_OF_MEMORY;
  }
  return ASC_OK;
}

/* Offsets are all that is kept up: no tree is needed where nothing is looked for. Of a run that retraces already only what lies between the
   two steps changes, and who ends where is the same at every step. O(buffers in between), the first time O(buffers). */
static asc_status retrace(asc_run *run, void *state, const void *ahead, asci_saver *saver) {
  first_fit *f = state;
  uint32_t placed = 0;
  const first_fit *leader = ahead;
  int64_t *offsets = f->tree.offsets;
  ASCI_KEEP(saver, placed, run->problem->count);
  if (saver->failed || run->stats.depth != placed || placed > leader->placed) return ASC_BAD_SAVE;
  uint32_t from = f->ahead ? f->placed : run->problem->count;
  for (uint32_t k = placed; k < from; k++) offsets[f->order[k]] = ASC_UNPLACED;
  for (uint32_t k = f->ahead ? from : 0; k < placed; k++) offsets[f->order[k]] = leader->tree.offsets[f->order[k]];
  f->ahead = leader;
  f->placed = placed;
  return ASC_OK;
}

const asci_solver asci_solver_first_fit = {
    .info = {.id = "first-fit",
             .title = "First fit",
             .paper = "Arenascope",
             .summary = "Greedy's first fit for any number of buffers: each at the lowest free offset, found in a tree.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS |
                         ASC_SUPPORTS_HINTS | ASC_SUPPORTS_BANKS,
             .complete = false,
             ASCI_TAKES_INFO(first_fit_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(first_fit_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
    .retrace = retrace,
};
