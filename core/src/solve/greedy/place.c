#include "solve/greedy/place.h"
#include "base/number/multiple.h"
#include "model/bank.h"

#include "model/lifespan/occupancy.h"

typedef struct greedy {
  asci_greedy_rule rule;
  asci_occupancy occupancy;
  uint32_t *order;
  uint32_t fixed_count, placed;

  /* The buffer order[placed], once its blockers are known. */
  bool looking;
  uint32_t cursor;       /* blockers passed */
  int64_t edge;          /* highest end among those passed */
  uint32_t support;      /* whose end it is */
  int64_t reserve, step; /* bytes to reserve; what the offset is a multiple of */
  int64_t chosen, room;  /* best offset so far or ASC_UNPLACED, and the bytes of its gap */
  uint32_t chosen_support;
} greedy;

asc_status asci_greedy_create(asc_run *run, const asci_greedy_rule *rule, void **state) {
  const asc_problem *problem = run->problem;
  greedy *made = asci_calloc(run->context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->rule = *rule;
  made->order = asci_alloc(run->context, problem->count, sizeof *made->order);
  asc_status status =
      made->order ? asci_greedy_sort(problem, rule->order, made->order, &made->fixed_count) : ASC_OUT_OF_MEMORY;
  if (!status) status = asci_occupancy_new(problem, rule->round_size, &made->occupancy);
  if (status)
    asci_greedy_destroy(run, made);
  else
    *state = made;
  return status;
}

void asci_greedy_destroy(asc_run *run, void *state) {
  greedy *g = state;
  asci_occupancy_free(&g->occupancy);
  asci_free(run->context, g->order);
  asci_free(run->context, g);
}

/* ---- looking for a place --------------------------------------------------------------------------------------------- */

static bool begin(asc_run *run, greedy *g) {
  uint32_t buffer = g->order[g->placed];
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  if (!asci_occupancy_collect(&g->occupancy, buffer)) return false;
  bool gaps = spec->offset == ASC_UNPLACED && g->rule.fit != ASCI_FIT_ABOVE;
  if (gaps && !asci_occupancy_sort(&g->occupancy)) return false;
  g->looking = true;
  g->cursor = 0;
  g->edge = 0;
  g->support = ASC_NONE;
  g->reserve = asci_occupancy_reserve(&g->occupancy, buffer);
  g->step = asci_common_multiple(spec->alignment, g->rule.round_offset);
  g->chosen = ASC_UNPLACED;
  g->room = INT64_MAX;
  return true;
}

static void rise(asc_run *run, greedy *g, const asci_blocker *blocker) {
  int64_t multiple = g->rule.round_top_own ? run->problem->buffers[blocker->buffer].alignment : g->rule.round_top;
  int64_t floor = blocker->floor > 0 ? asci_align(blocker->floor, multiple) : 0;
  if (floor <= g->edge) return;
  g->edge = floor;
  g->support = blocker->buffer;
}

/* The lowest offset from the edge on that suits the buffer. */
static int64_t from_edge(const asc_run *run, const greedy *g) {
  const asc_buffer_spec *spec = &run->problem->buffers[g->order[g->placed]];
  return asci_next_offset(g->edge, spec->size, g->step, spec->bank);
}

typedef enum verdict { PASSED, TOO_SMALL, TAKEN } verdict;

/* Looks at the gap below the next blocker. Unless it is taken the cursor moves on; the edge only if the gap is no step. */
static verdict examine(asc_run *run, greedy *g) {
  const asci_blocker *blocker = &g->occupancy.blockers[g->cursor];
  int64_t offset = from_edge(run, g), room = blocker->ceiling - g->edge;
  bool fits = offset + g->reserve <= blocker->ceiling;
  int64_t measured = g->rule.fit == ASCI_FIT_LITERT ? blocker->ceiling - offset : room;
  if (fits && measured < g->room) {
    g->room = room;
    g->chosen = offset;
    g->chosen_support = g->support;
    if (g->rule.fit == ASCI_FIT_FIRST) return TAKEN;
  }
  g->cursor++;
  if (!fits && blocker->ceiling > offset) return TOO_SMALL;
  rise(run, g, blocker);
  return PASSED;
}

static void no_fit(asc_run *run, greedy *g) {
  const asci_blocker *blocker = &g->occupancy.blockers[g->cursor - 1];
  uint32_t buffer = g->order[g->placed];
  int64_t offset = from_edge(run, g);
  asci_step_other(run, ASC_EVENT_NO_FIT, buffer, offset, g->placed);
  ASC_EMIT(run, NO_FIT, g->rule.line_no_fit, .buffer = buffer, .offset = offset, .blocker = blocker->buffer,
           .need = g->reserve, .room = blocker->ceiling - offset);
  rise(run, g, blocker);
}

/* True once the place is known; false after a step that found a gap too small. */
static bool look(asc_run *run, greedy *g) {
  if (g->rule.fit == ASCI_FIT_ABOVE) {
    for (uint32_t k = 0; k < g->occupancy.blocker_count; k++) rise(run, g, &g->occupancy.blockers[k]);
    return true;
  }
  while (g->cursor < g->occupancy.blocker_count) {
    verdict found = examine(run, g);
    if (found == TAKEN) return true;
    if (found == TOO_SMALL) {
      no_fit(run, g);
      return false;
    }
  }
  return true;
}

/* ---- placing --------------------------------------------------------------------------------------------------------- */

asc_outcome asci_greedy_finish(asc_run *run, const int64_t *offsets, unsigned line) {
  int64_t height = 0;
  for (uint32_t b = 0; b < run->problem->count; b++) {
    run->best[b] = offsets[b];
    int64_t top = offsets[b] + run->problem->buffers[b].size;
    if (top > height) height = top;
  }
  ASC_EMIT(run, INCUMBENT, line, .height = height);
  asci_mark(run, ASC_MARK_INCUMBENT, height);
  return height <= run->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
}

static asc_outcome put(asc_run *run, greedy *g, int64_t offset, uint32_t support, unsigned line) {
  uint32_t buffer = g->order[g->placed];
  asci_occupancy_place(&g->occupancy, buffer, offset);
  g->looking = false;
  g->placed++;
  run->stats.nodes++;
  asci_step_place(run, buffer, offset, g->placed);
  ASC_EMIT(run, PLACE, line, .buffer = buffer, .offset = offset, .support = support, .of = 1);
  if (g->placed < run->problem->count) return ASC_OUTCOME_RUNNING;
  return asci_greedy_finish(run, g->occupancy.offsets, line);
}

/* The highest blocker that ends at offset, for the picture. */
static uint32_t support_at(const greedy *g, int64_t offset) {
  for (uint32_t k = 0; k < g->occupancy.blocker_count; k++)
    if (g->occupancy.blockers[k].floor == offset && offset > 0) return g->occupancy.blockers[k].buffer;
  return ASC_NONE;
}

static asc_outcome put_fixed(asc_run *run, greedy *g, int64_t offset) {
  uint32_t buffer = g->order[g->placed];
  const asci_blocker *blocker = asci_occupancy_meets(&g->occupancy, offset, run->problem->buffers[buffer].size);
  if (!blocker) return put(run, g, offset, support_at(g, offset), g->rule.line_fixed);
  g->looking = false;
  asci_step_reject(run, ASC_RULE_FIXED, buffer, offset, g->placed);
  if (asci_traced(run)) {
    ASC_TELL(run, REJECT, g->rule.line_fixed, .buffer = buffer, .offset = offset, .rule = ASC_RULE_FIXED,
             .section = ASC_NONE, .floor = blocker->floor, .rest = offset);
    asci_event_list(run, blocker->buffer);
  }
  return ASC_OUTCOME_EXHAUSTED;
}

/* The hint, if it is a multiple, within the capacity and in no one's way. */
static bool take_hint(const asc_run *run, const greedy *g) {
  const asc_buffer_spec *spec = &run->problem->buffers[g->order[g->placed]];
  return g->rule.hints && spec->hint != ASC_UNPLACED && spec->hint % g->step == 0 &&
         asci_in_one_bank(spec->hint, spec->size, spec->bank) && spec->hint <= run->capacity - spec->size &&
         !asci_occupancy_meets(&g->occupancy, spec->hint, g->reserve);
}

/* Takes the step that places the buffer, or that finds no address for it. */
static asc_outcome settle(asc_run *run, greedy *g) {
  uint32_t buffer = g->order[g->placed];
  bool gap = g->chosen != ASC_UNPLACED;
  int64_t offset = gap ? g->chosen : from_edge(run, g);
  int64_t size = run->problem->buffers[buffer].size;
  if (offset <= ASC_MAX_BYTES - size)
    return put(run, g, offset, gap ? g->chosen_support : g->support, gap ? g->rule.line_gap : g->rule.line_top);
  g->looking = false;
  asci_step_reject(run, ASC_RULE_CAPACITY, buffer, offset, g->placed);
  ASC_EMIT(run, REJECT, g->rule.line_top, .buffer = buffer, .offset = offset, .rule = ASC_RULE_CAPACITY, .section = ASC_NONE,
           .floor = offset, .rest = size);
  return ASC_OUTCOME_EXHAUSTED;
}

asc_outcome asci_greedy_advance(asc_run *run, void *state) {
  greedy *g = state;
  if (g->placed == run->problem->count) return asci_greedy_finish(run, g->occupancy.offsets, 0);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    bool fresh = !g->looking;
    if (fresh && !begin(run, g)) return ASC_OUTCOME_OUT_OF_MEMORY;
    const asc_buffer_spec *spec = &run->problem->buffers[g->order[g->placed]];
    if (spec->offset != ASC_UNPLACED)
      outcome = put_fixed(run, g, spec->offset);
    else if (fresh && take_hint(run, g))
      outcome = put(run, g, spec->hint, support_at(g, spec->hint), g->rule.line_gap);
    else if (look(run, g))
      outcome = settle(run, g);
  }
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

void asci_greedy_view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  greedy *g = state;
  view->offsets = g->occupancy.offsets;
  view->stack = g->order;
}

static asc_status put_back(asc_run *run, greedy *g, int64_t offset) {
  uint32_t buffer = g->order[g->placed];
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  if (offset > ASC_MAX_BYTES - spec->size || offset % spec->alignment != 0 ||
      !asci_in_one_bank(offset, spec->size, spec->bank))
    return ASC_BAD_SAVE;
  if (!asci_occupancy_collect(&g->occupancy, buffer)) return ASC_OUT_OF_MEMORY;
  if (asci_occupancy_meets(&g->occupancy, offset, spec->size)) return ASC_BAD_SAVE;
  asci_occupancy_place(&g->occupancy, buffer, offset);
  g->placed++;
  return ASC_OK;
}

/* Passes the first `count` gaps of the next buffer again, without steps. */
static asc_status look_again(asc_run *run, greedy *g, uint64_t count) {
  if (g->placed == run->problem->count || g->placed < g->fixed_count) return ASC_BAD_SAVE;
  if (!begin(run, g)) return ASC_OUT_OF_MEMORY;
  if (count > g->occupancy.blocker_count || g->rule.fit == ASCI_FIT_ABOVE) return ASC_BAD_SAVE;
  while (g->cursor < count) {
    verdict found = examine(run, g);
    if (found == TAKEN) return ASC_BAD_SAVE;
    if (found == TOO_SMALL) rise(run, g, &g->occupancy.blockers[g->cursor - 1]);
  }
  return ASC_OK;
}

/* Placed buffers in order with their offsets, then how many blockers of the next one are passed. */
asc_status asci_greedy_keep(asc_run *run, void *state, asci_saver *saver) {
  greedy *g = state;
  uint32_t placed = g->placed, passed = g->looking ? (uint32_t)g->cursor : ASC_NONE;
  ASCI_KEEP(saver, placed, run->problem->count);
  if (saver->loads && run->stats.depth != placed) return ASC_BAD_SAVE;
  for (uint32_t k = g->fixed_count; !saver->loads && k < placed; k++)
    ASCI_KEEP(saver, g->occupancy.offsets[g->order[k]], ASC_MAX_BYTES);
  while (g->placed < placed) {
    int64_t offset = run->problem->buffers[g->order[g->placed]].offset;
    if (offset == ASC_UNPLACED) ASCI_KEEP(saver, offset, ASC_MAX_BYTES);
    asc_status status = saver->failed ? ASC_BAD_SAVE : put_back(run, g, offset);
    if (status) return status;
  }
  ASCI_KEEP_OR_NONE(saver, passed, UINT32_MAX);
  return asci_loaded(saver) && passed != ASC_NONE ? look_again(run, g, passed) : asci_kept(saver);
}
