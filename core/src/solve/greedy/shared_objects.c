/* shared-objects: Lee and Pisarchyk's three ways to share whole slots of memory (slots.h shows what a slot is).
 *
 * by-size: buffers by size, largest first; each joins the smallest slot free during its life, of equal ones the first opened.
 * by-breadth: buffers by the greatest load of a time in their life (the earlier of equal times first), then by size; each joins the
 * smallest free slot that is large enough, else the largest free one, which grows; the first opened of equal ones.
 * by-size-improved: buffers come in stages; the stage of a buffer is the last positional maximum that is at least its size
 * (positional maximum i: over all times the greatest i-th largest size alive). Within a stage the buffer comes first whose nearest
 * free slot is nearest in time (the gap to that slot's nearest tenant), then the largest; it joins that slot.
 * Where no slot is free a new one is opened. Whatever is still equal goes by index, lower first. Buffers of size 0 need no slot: they
 * come last, at offset 0. A slot starts at a common multiple of its tenants' alignments.
 *
 * Complexity: O(n s log n) for s slots, and each join moves the later tenants of its slot by 4 bytes; by-size-improved O((n s + sum of buffers met) log n), where a slot's new tenant meets those
 * that lie in the hole of time it joins.
 * Source: Lee and Pisarchyk, "Efficient Memory Management for Deep Neural Net Inference" (2020), section 4; what the paper leaves
 * open follows TensorFlow Lite's GPU delegate, greedy_by_breadth_assignment.cc and greedy_by_size_assignment.cc. */
#include "base/arrays.h"
#include "solve/greedy/nearest.h"
#include "solve/greedy/place.h"

enum { BY_SIZE, BY_BREADTH, BY_SIZE_IMPROVED };

#define SHARED_OPTIONS(X, T) \
  X(T, CHOICE, strategy, "Strategy", "by-size", "by-size|by-breadth|by-size-improved", \
    "Largest first, those of the busiest times first, or in stages of size and nearest in time first.")
ASCI_OPTION_VALUES(shared_options, SHARED_OPTIONS);
ASCI_OPTION_TABLE(shared_options, SHARED_OPTIONS);

enum { LINE_NEW_SLOT = 5, LINE_PLACE = 6 };

static const char pseudocode[] = "for b by size | breadth | stage:\n"
                                 "  free = slots unused during b's life\n"
                                 "  if free is not empty:\n"
                                 "    s = smallest fit | nearest in time\n"
                                 "  else: open a slot s\n"
                                 "  b joins s; s grows to hold b\n"
                                 "lay the slots end to end\n";

typedef struct shared {
  uint32_t strategy;
  uint32_t *order;  /* by-size, by-breadth: buffers in order; else those of size 0 */
  uint32_t *stack;  /* buffers placed, in order */
  int64_t *offsets; /* by buffer, as the slots lie now; ASC_UNPLACED */
  uint32_t placed, zeros;
  bool opened; /* the step that opens a slot for the next buffer was taken */
  bool stale;  /* offsets are older than the slots */
  asci_slots slots;
  asci_nearest nearest;
} shared;

static const asci_array arrays[] = {
    ASCI_ARRAY(shared, order, 0, ASCI_RAW),
    ASCI_ARRAY(shared, stack, 0, ASCI_ZEROS),
    ASCI_ARRAY(shared, offsets, 0, ASCI_ONES),
};

static void destroy(asc_run *run, void *state) {
  shared *s = state;
  asci_nearest_free(&s->nearest);
  asci_slots_free(&s->slots);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_free(run->context, s);
}

static asc_status fill(asc_run *run, void *state) {
  shared *s = state;
  const asc_problem *problem = run->problem;
  s->strategy = ((const shared_options *)run->options)->strategy;
  const size_t n = problem->count;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), &n, s)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < n; b++)
    if (!problem->buffers[b].size) s->order[s->zeros++] = b;
  asc_status status = asci_slots_new(problem, &s->slots);
  if (status) return status;
  if (s->strategy == BY_SIZE_IMPROVED) return asci_nearest_new(problem, &s->slots, &s->nearest);
  return asci_greedy_sort(problem, s->strategy == BY_SIZE ? ASCI_ORDER_SIZE : ASCI_ORDER_BREADTH, s->order, NULL);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(shared), fill, destroy, state);
}

/* ---- deciding -------------------------------------------------------------------------------------------------------- */

static uint32_t next_buffer(const asc_run *run, const shared *s) {
  if (s->strategy != BY_SIZE_IMPROVED) return s->order[s->placed];
  uint32_t sized = run->problem->count - s->zeros;
  return s->placed < sized ? asci_nearest_next(&s->nearest) : s->order[s->placed - sized];
}

/* True if a slot of size a suits a buffer better than one of size b: large enough before too small, then the least waste or
   the least growth. */
static bool suits_better(int64_t a, int64_t b, int64_t size) {
  if (b < size) return a > b;
  return a >= size && a < b;
}

/* The slot that the buffer joins, ASC_NONE if all are taken. */
static uint32_t choose(const asc_run *run, const shared *s, uint32_t buffer) {
  if (s->strategy == BY_SIZE_IMPROVED) return s->nearest.slot[buffer];
  int64_t size = run->problem->buffers[buffer].size;
  uint32_t best = ASC_NONE;
  for (uint32_t k = 0; k < s->slots.count; k++) {
    asci_hole hole;
    if (best != ASC_NONE && !suits_better(s->slots.slots[k].size, s->slots.slots[best].size, size)) continue;
    if (asci_slots_hole(&s->slots, k, buffer, &hole)) best = k;
  }
  return best;
}

/* The buffer joins the slot, which is opened if there is none of that number. False: no memory. */
static bool join(shared *s, uint32_t buffer, uint32_t slot) {
  asci_hole hole;
  if (slot == s->slots.count && !asci_slots_open(&s->slots)) return false;
  asci_slots_hole(&s->slots, slot, buffer, &hole);
  if (!asci_slots_join(&s->slots, slot, buffer, hole.rank)) return false;
  if (s->strategy == BY_SIZE_IMPROVED) asci_nearest_joined(&s->nearest, buffer, slot, &hole);
  return true;
}

static void note(shared *s, uint32_t buffer) {
  s->offsets[buffer] = 0;
  s->stack[s->placed++] = buffer;
  s->opened = false;
  s->stale = true;
}

static void refresh(shared *s) {
  if (s->stale) asci_slots_offsets(&s->slots, s->offsets);
  s->stale = false;
}

/* Takes the step for a buffer and the slot it will be in. */
static asc_outcome settle(asc_run *run, shared *s, uint32_t buffer, uint32_t slot) {
  bool is_new = slot == s->slots.count;
  int64_t size = run->problem->buffers[buffer].size, top = 0, offset = 0;
  if (size) offset = asci_slots_layout(&s->slots, slot, buffer, &top);
  if (top > ASC_MAX_BYTES) {
    asci_step_reject(run, ASC_RULE_CAPACITY, buffer, offset, s->placed);
    ASC_EMIT(run, REJECT, LINE_NEW_SLOT, .buffer = buffer, .offset = offset, .rule = ASC_RULE_CAPACITY, .section = ASC_NONE,
             .floor = top - size, .rest = size);
    return ASC_OUTCOME_EXHAUSTED;
  }
  if (size && is_new && !s->opened) {
    s->opened = true;
    asci_step_other(run, ASC_EVENT_NEW_SLOT, buffer, offset, s->placed);
    ASC_EMIT(run, NEW_SLOT, LINE_NEW_SLOT, .buffer = buffer, .offset = offset, .slot = slot, .size = size);
    return ASC_OUTCOME_RUNNING;
  }
  if (size && !join(s, buffer, slot)) return ASC_OUTCOME_OUT_OF_MEMORY;
  note(s, buffer);
  run->stats.nodes++;
  asci_step_place(run, buffer, offset, s->placed);
  ASC_EMIT(run, PLACE, LINE_PLACE, .buffer = buffer, .offset = offset, .support = ASC_NONE, .of = 1);
  if (s->placed < run->problem->count) return ASC_OUTCOME_RUNNING;
  refresh(s);
  return asci_greedy_finish(run, s->offsets, LINE_PLACE + 1);
}

static asc_outcome advance(asc_run *run, void *state) {
  shared *s = state;
  if (s->placed == run->problem->count) return asci_greedy_finish(run, s->offsets, 0);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    uint32_t buffer = next_buffer(run, s);
    uint32_t slot = s->opened || !run->problem->buffers[buffer].size ? ASC_NONE : choose(run, s, buffer);
    outcome = settle(run, s, buffer, slot == ASC_NONE ? s->slots.count : slot);
  }
  return outcome;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  shared *s = state;
  refresh(s);
  view->offsets = s->offsets;
  view->stack = s->stack;
}

/* ---- keeping it ------------------------------------------------------------------------------------------------------ */

static asc_status put_back(asc_run *run, shared *s, uint32_t buffer, uint32_t slot) {
  bool sized = run->problem->buffers[buffer].size > 0;
  if (s->offsets[buffer] != ASC_UNPLACED || sized != (slot != ASC_NONE)) return ASC_BAD_SAVE;
  if (s->strategy == BY_SIZE_IMPROVED && sized != (s->placed < run->problem->count - s->zeros)) return ASC_BAD_SAVE;
  if (!sized && buffer != next_buffer(run, s)) return ASC_BAD_SAVE;
  if (sized) {
    asci_hole hole;
    if (slot > s->slots.count) return ASC_BAD_SAVE;
    if (slot < s->slots.count && !asci_slots_hole(&s->slots, slot, buffer, &hole)) return ASC_BAD_SAVE;
    if (!join(s, buffer, slot)) return ASC_OUT_OF_MEMORY;
  }
  note(s, buffer);
  return ASC_OK;
}

/* Whether what was put back amounts to a layout, and the next one opens a slot if it is said to. */
static asc_status check(asc_run *run, shared *s, bool opened) {
  int64_t top = 0;
  asci_slots_layout(&s->slots, ASC_NONE, ASC_NONE, &top);
  if (top > ASC_MAX_BYTES) return ASC_BAD_SAVE;
  if (!opened) return ASC_OK;
  uint32_t next = s->placed < run->problem->count ? next_buffer(run, s) : ASC_NONE;
  if (next == ASC_NONE || !run->problem->buffers[next].size || choose(run, s, next) != ASC_NONE) return ASC_BAD_SAVE;
  s->opened = true;
  return ASC_OK;
}

/* For each placed buffer its slot, and the buffer itself where its turn is not known in advance. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  shared *s = state;
  uint32_t n = run->problem->count, placed = s->placed;
  bool opened = s->opened;
  ASCI_KEEP(saver, placed, n);
  ASCI_KEEP(saver, opened, 1);
  if (saver->loads && run->stats.depth != placed) return ASC_BAD_SAVE;
  for (uint32_t k = 0; k < placed; k++) {
    bool turns = s->strategy != BY_SIZE_IMPROVED;
    uint32_t buffer = !saver->loads ? s->stack[k] : turns ? next_buffer(run, s) : 0;
    if (!turns) ASCI_KEEP(saver, buffer, n - 1);
    uint32_t slot = s->slots.slot_of[buffer];
    ASCI_KEEP_OR_NONE(saver, slot, n - 1);
    if (!saver->loads) continue;
    asc_status status = saver->failed ? ASC_BAD_SAVE : put_back(run, s, buffer, slot);
    if (status) return status;
  }
  return asci_loaded(saver) ? check(run, s, opened) : asci_kept(saver);
}

const asci_solver asci_solver_shared_objects = {
    .info = {.id = "shared-objects",
             .title = "Shared objects",
             .paper = "Lee and Pisarchyk 2020, 4",
             .summary = "Buffers that are never alive together share whole slots; a slot is as large as its largest buffer.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS,
             .complete = false,
             ASCI_TAKES_INFO(shared_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(shared_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
