#include "solve/ladder/tries.h"

#include "base/arrays.h"

/* ---- making ---------------------------------------------------------------------------------------------------------- */

asc_status asci_tries_new(asc_run *run, bool minimise, uint32_t most, uint32_t fails, asci_tries *tries) {
  const asc_problem *problem = run->problem;
  tries->ladder = tries->fresh =
      asci_ladder_new(problem, minimise, asc_problem_lower_bound(problem), run->capacity, most, fails, run->seed);
  tries->stack = asci_alloc(run->context, problem->count, sizeof *tries->stack);
  asc_status status = asci_large_attempt_new(problem, &tries->attempt);
  return tries->stack ? status : ASC_OUT_OF_MEMORY;
}

void asci_tries_free(asc_run *run, asci_tries *tries) {
  asci_large_attempt_free(&tries->attempt);
  asci_free(run->context, tries->stack);
  asci_trails_free(run->context, &tries->trails);
  asci_ends_free(run->context, &tries->footing.ends);
  tries->stack = NULL;
}

/* ---- tries ----------------------------------------------------------------------------------------------------------- */

static bool is_followed(const asci_tries *t) {
  return t->followed && !t->ahead;
}

/* How far the trail of the try under way leads; 0: it is to be made without one. */
static size_t trail_length(const asci_tries *t) {
  return t->ahead ? asci_trails_length(&t->ahead->trails, t->ladder.total) : 0;
}

/* Nothing is placed in it. */
static void enter_try(asci_tries *t, bool follows) {
  const asci_ladder *l = &t->ladder;
  t->follows = follows;
  t->moves = 0;
  if (follows) {
    asci_trail_begin(&t->ahead->trails, &t->footing, &t->attempt, &l->config, l->target, l->total);
  } else {
    t->footing.number = 0;
    asci_large_begin(&t->attempt, &l->config, l->target, l->seed);
  }
}

static bool begin_try(asci_tries *t) {
  asci_ladder before = t->ladder;
  if (!asci_ladder_next(&t->ladder)) return false;
  t->before = before;
  enter_try(t, trail_length(t));
  t->begun = t->open = true;
  if (is_followed(t)) asci_trails_begin(t->attempt.problem->context, &t->trails, t->ladder.total);
  return true;
}

static void end_try(asci_tries *t, int64_t height) {
  t->open = false;
  asci_ladder_ended(&t->ladder, height);
}

static asc_outcome tell_try(asc_run *run, asci_tries *t) {
  /* what the try before came to, if it was abandoned: buffer and end stay what they are */
  const asci_large_attempt *a = &t->attempt;
  bool abandoned = t->open;
  uint32_t fails = a->fails, budget = a->config.budget, placed = a->placed;
  int64_t target = a->target;
  if (!begin_try(t)) return ASC_OUTCOME_EXHAUSTED;
  const asci_ladder *ladder = &t->ladder;
  uint32_t name = t->first_name + (uint32_t)ladder->config.order + ladder->config.by_chance;
  asci_step_other(run, ASC_EVENT_RESTART, name, ladder->config.budget, 0);
  asci_mark(run, ASC_MARK_RESTART, (int64_t)name);
  if (asci_traced(run)) {
    ASC_TELL(run, RESTART, ASCI_TRIES_TRY, .round = ladder->total, .arm = name, .limit = ladder->config.budget);
    ASC_TELL(run, TARGET, ASCI_TRIES_TARGET, .target = ladder->target == ASC_MAX_BYTES ? -1 : ladder->target,
             .best = ladder->best, .failed = ladder->given_up, .nth = ladder->tries);
    if (abandoned)
      ASC_TELL(run, ABANDON, ASCI_TRIES_ABANDON, .buffer = a->buffer, .why = a->end, .forced = fails, .budget = budget,
               .placed = placed, .target = target);
  }
  return ASC_OUTCOME_RUNNING;
}

/* Everything is placed. A plan below the capacity ends a run that does not minimise, one at the lower bound any. */
static asc_outcome succeed(asc_run *run, asci_tries *t) {
  const int64_t *offsets = t->attempt.tree.offsets;
  int64_t height = asc_height(run->problem, offsets);
  ASC_EMIT(run, INCUMBENT, ASCI_TRIES_DONE, .height = height);
  bool better = t->ladder.best < 0 || height < t->ladder.best;
  if (better) t->trails.best = t->ladder.total;
  for (uint32_t b = 0; better && b < run->problem->count; b++) run->best[b] = offsets[b];
  end_try(t, height);
  if (!t->ladder.minimise) {
    asci_mark(run, ASC_MARK_INCUMBENT, height);
    return ASC_OUTCOME_FEASIBLE;
  }
  asc_status status = better ? asci_incumbent(run) : ASC_OK;
  if (status) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (height > t->ladder.floor) return ASC_OUTCOME_RUNNING;
  asci_raise_bound(run, height); /* the load, or the end of a fixed buffer */
  return ASC_OUTCOME_OPTIMAL;
}

/* ---- moves ----------------------------------------------------------------------------------------------------------- */

/* Of the placed buffers that end where this one begins the first in the file. */
static uint32_t support_of(asci_tries *t, uint32_t buffer, int64_t offset) {
  asci_fit_tree *tree = &t->attempt.tree;
  uint32_t least = ASC_NONE;
  if (!offset) return ASC_NONE;
  if (t->follows) {
    tree->no_memory = !asci_trail_support(&t->ahead->trails, &t->footing, &t->attempt, &least);
    return least;
  }
  if (!asci_fit_collect(tree, buffer)) return ASC_NONE;
  for (size_t k = 0; k < tree->found_count; k++) {
    uint32_t other = tree->found[k];
    if (other < least && tree->offsets[other] + tree->problem->buffers[other].size == offset) least = other;
  }
  return least;
}

static void tell_placed(asc_run *run, asci_tries *t) {
  const asci_large_attempt *a = &t->attempt;
  asci_step_place(run, a->buffer, a->offset, a->placed);
  if (!asci_traced(run)) return;
  uint32_t support = support_of(t, a->buffer, a->offset);
  ASC_TELL(run, PLACE, ASCI_TRIES_FIT, .buffer = a->buffer, .offset = a->offset, .support = support, .of = 1,
           .again = a->again);
}

static void tell_forced(asc_run *run, asci_tries *t) {
  const asci_large_attempt *a = &t->attempt;
  asci_step_other(run, ASC_EVENT_EJECT, a->buffer, a->offset, a->placed);
  if (!asci_traced(run)) return;
  ASC_TELL(run, EJECT, ASCI_TRIES_FORCE, .buffer = a->buffer, .offset = a->offset, .count = (int64_t)a->out_count,
           .fails = a->fails, .budget = a->config.budget, .target = a->target);
  for (size_t k = 0; k < a->out_count; k++) asci_event_list(run, a->out[k]);
}

/* A fixed offset that meets one before it, or ends above the capacity. */
static asc_outcome tell_clash(asc_run *run, asci_tries *t) {
  uint32_t buffer = t->attempt.buffer;
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  bool high = spec->offset + spec->size > t->attempt.target;
  asc_rule rule = high ? ASC_RULE_CAPACITY : ASC_RULE_FIXED;
  asci_step_reject(run, rule, buffer, spec->offset, t->attempt.placed);
  if (!asci_traced(run)) return ASC_OUTCOME_EXHAUSTED;
  int64_t free = high ? spec->offset + spec->size : asci_fit_lowest(&t->attempt.tree, buffer, spec->offset, ASC_MAX_BYTES);
  ASC_TELL(run, REJECT, ASCI_TRIES_FIT, .buffer = buffer, .offset = spec->offset, .rule = rule, .section = ASC_NONE,
           .floor = free, .rest = high ? 0 : spec->offset);
  return ASC_OUTCOME_EXHAUSTED;
}

/* On a trail, unless that was lost meanwhile or has not come as far; then what was made of the try is made again. */
static asci_large_move next_move(asci_tries *t) {
  if (t->follows && t->footing.at < trail_length(t)) return asci_trail_follow(&t->ahead->trails, &t->footing, &t->attempt);
  if (t->follows) {
    uint64_t moves = t->moves;
    for (enter_try(t, false); t->moves < moves; t->moves++)
      if (asci_large_next(&t->attempt) == ASCI_LARGE_NO_MEMORY) return ASCI_LARGE_NO_MEMORY;
  }
  return asci_large_next(&t->attempt);
}

/* To abandon a try is none of its moves: a save in which no try follows says how many there were. */
static void made(asci_tries *t, asci_large_move moved) {
  if (is_followed(t)) asci_trails_add(t->attempt.problem->context, &t->trails, &t->attempt, moved);
  t->moves += moved != ASCI_LARGE_ABANDONED;
}

static asc_outcome move(asc_run *run, asci_tries *t) {
  asci_large_move moved = next_move(t);
  switch (moved) {
  case ASCI_LARGE_PLACED:
    tell_placed(run, t);
    break;
  case ASCI_LARGE_FORCED:
    tell_forced(run, t);
    break;
  case ASCI_LARGE_CLASH:
    return tell_clash(run, t);
  case ASCI_LARGE_DONE:
    return succeed(run, t);
  case ASCI_LARGE_ABANDONED:
    asci_ladder_failed(&t->ladder, t->moves);
    made(t, moved);
    return tell_try(run, t);
  default:
    return ASC_OUTCOME_OUT_OF_MEMORY;
  }
  made(t, moved);
  run->stats.nodes++;
  return t->attempt.placed < run->problem->count ? ASC_OUTCOME_RUNNING : succeed(run, t);
}

asc_outcome asci_tries_step(asc_run *run, asci_tries *tries) {
  if (run->problem->count == 0) return succeed(run, tries);
  return tries->open ? move(run, tries) : tell_try(run, tries);
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

/* The order of the try, without those that are not in. */
void asci_tries_view(asc_run *run, asci_tries *t, asc_run_view *view) {
  asci_large_attempt *a = &t->attempt;
  uint32_t depth = 0;
  if (t->begun) asci_large_put_in_order(a);
  for (uint32_t k = 0; t->begun && k < run->problem->count && depth < a->placed; k++)
    if (a->tree.offsets[a->order[k]] != ASC_UNPLACED) t->stack[depth++] = a->order[k];
  view->offsets = a->tree.offsets;
  view->stack = t->stack;
}

/* The ladder before the try; what last succeeded, if something did; where the random numbers are. */
static bool keep_ladder(asci_ladder *ladder, asci_saver *saver) {
  ASCI_KEEP_OR_NONE(saver, ladder->best, ASC_MAX_BYTES);
  ASCI_KEEP_OR_NONE(saver, ladder->given_up, ASC_MAX_BYTES);
  ASCI_KEEP_OR_NONE(saver, ladder->target, ASC_MAX_BYTES);
  ASCI_KEEP(saver, ladder->opening, ASCI_LADDER_OPENING);
  ASCI_KEEP(saver, ladder->dived, ladder->most_dives);
  ASCI_KEEP(saver, ladder->spent, ASCI_ANY);
  ASCI_KEEP(saver, ladder->moves, ASCI_ANY);
  ASCI_KEEP(saver, ladder->aimed, ASCI_ANY);
  ASCI_KEEP(saver, ladder->tries, ladder->most_tries);
  ASCI_KEEP(saver, ladder->total, ASCI_ANY);
  ASCI_KEEP(saver, ladder->known, 1);
  ASCI_KEEP(saver, ladder->rng.state, ASCI_ANY);
  if (!ladder->known) return ladder->opening || ladder->dives_at_once;
  ASCI_KEEP(saver, ladder->success.order, ASCI_LARGE_ORDERS - 1);
  ASCI_KEEP(saver, ladder->success.alpha, 64);
  ASCI_KEEP(saver, ladder->success.beta, 64);
  ASCI_KEEP(saver, ladder->success.mu, 256);
  ASCI_KEEP(saver, ladder->success.budget, ASCI_ANY);
  return ladder->opening || ladder->dives_at_once;
}

/* To so many moves of the try that has just begun; those that end a try or a run are never inside one. */
static asc_status come_to(asci_tries *t, uint64_t moves) {
  while (t->moves < moves) {
    asci_large_move moved = next_move(t);
    if (moved == ASCI_LARGE_NO_MEMORY) return ASC_OUT_OF_MEMORY;
    if (moved != ASCI_LARGE_PLACED && moved != ASCI_LARGE_FORCED) return ASC_BAD_SAVE;
    made(t, moved);
  }
  return ASC_OK;
}

/* The ladder before the try, and how many moves were made in it: all else follows from them. */
asc_status asci_tries_keep(asc_run *run, asci_tries *t, asci_saver *saver) {
  uint32_t stage = !t->begun ? 0 : t->open ? 1 : 2;
  uint64_t moves = t->moves;
  ASCI_KEEP(saver, stage, 2);
  if (!stage) return saver->loads && run->stats.depth ? ASC_BAD_SAVE : asci_kept(saver);
  if (!keep_ladder(saver->loads ? &t->ladder : &t->before, saver)) return asci_unkept(saver);
  ASCI_KEEP(saver, moves, run->stats.steps);
  if (!asci_loaded(saver)) return asci_kept(saver);
  if (!begin_try(t)) return ASC_BAD_SAVE;
  asc_status status = come_to(t, moves);
  if (status) return status;
  bool full = t->attempt.placed == run->problem->count;
  if (run->stats.depth != t->attempt.placed || full != (stage == 2)) return ASC_BAD_SAVE;
  if (full) end_try(t, asc_height(run->problem, t->attempt.tree.offsets));
  return ASC_OK;
}

asc_status asci_tries_retrace(asc_run *run, asci_tries *t, const asci_tries *ahead, asci_saver *saver) {
  t->ladder = t->fresh;
  t->begun = t->open = t->follows = false;
  t->attempt.placed = 0;
  t->footing.number = 0;
  for (uint32_t b = 0; b < run->problem->count; b++) t->attempt.tree.offsets[b] = ASC_UNPLACED;
  t->ahead = ahead;
  return asci_tries_keep(run, t, saver);
}
