/* One step of the search at a time (paper sections 5 to 5.4). */
#include "search.h"

#include <string.h>

/* ---- what is left to place ------------------------------------------------------------------------------------------- */

void asci_tela_take(tela_search *s, uint32_t buffer) {
  s->base.placed[s->base.depth++] = buffer;
  s->left[s->phase[buffer]]--;
}

static void give_back(tela_search *s, uint32_t buffer) {
  uint32_t phase = s->phase[buffer];
  s->left[phase]++;
  if (phase < s->open_phase) s->open_phase = phase;
  for (uint32_t h = 0; h < TELA_HEURISTIC_COUNT; h++)
    if (s->rank[h][buffer] < s->cursor[h][phase]) s->cursor[h][phase] = s->rank[h][buffer];
}

/* The first unplaced buffer of a phase that has one. */
static uint32_t pick(tela_search *s, uint32_t heuristic, uint32_t phase) {
  uint32_t *at = &s->cursor[heuristic][phase];
  while (s->base.engine.level[s->order[heuristic][*at]] != ASC_NONE) ++*at;
  return s->order[heuristic][*at];
}

/* ---- decision points ------------------------------------------------------------------------------------------------- */

static bool add_candidate(tela_search *s, uint32_t buffer, uint32_t source) {
  if (!asci_grow(s->base.run->context, &s->candidates, &s->candidate_room, s->candidate_count + 1, sizeof *s->candidates))
    return false;
  s->candidates[s->candidate_count++] = (tela_candidate){buffer, source};
  s->points[s->base.depth].count++;
  return true;
}

static bool is_listed(const tela_search *s, const tela_point *p, uint32_t buffer) {
  for (size_t k = p->first; k < s->candidate_count; k++)
    if (s->candidates[k].buffer == buffer) return true;
  return false;
}

/* Each heuristic's choice among what is unplaced in one phase. */
static bool propose(tela_search *s, const tela_point *p, uint32_t phase) {
  if (!s->left[phase]) return true;
  for (uint32_t k = 0; k < s->heuristic_count && p->count < (uint32_t)s->options.candidates; k++) {
    tela_source heuristic = s->heuristics[(k + s->round) % s->heuristic_count];
    uint32_t buffer = pick(s, heuristic, phase);
    if (!is_listed(s, p, buffer) && !add_candidate(s, buffer, heuristic)) return false;
  }
  return true;
}

/* First the phase of the previous block, then the others in order. The paper bounds the list but names no bound; it is filled at once, so that
   a point that fails has tried a known set. */
bool asci_tela_open_point(tela_search *s, uint32_t phase) {
  const tela_part *part = &s->parts[s->part];
  tela_point *p = &s->points[s->base.depth];
  *p = (tela_point){.mark = asci_tela_mark(&s->base.engine),
                    .first = s->candidate_count,
                    .conflict = s->conflict_count,
                    .phase = phase,
                    .since = s->backtracks};
  s->base.run->stats.nodes++;
  if (!propose(s, p, phase)) return false;
  while (!s->left[s->open_phase]) s->open_phase++; /* somebody of the part is left */
  for (uint32_t other = s->open_phase; other < part->end_phase && p->count < (uint32_t)s->options.candidates; other++)
    if (other != phase && !propose(s, p, other)) return false;
  return true;
}

bool asci_tela_open_part(tela_search *s) {
  const tela_part *part = &s->parts[s->part];
  uint32_t begin = s->phase_begin[part->first_phase];
  s->opened = true;
  s->ground = s->base.depth;
  s->open_phase = part->first_phase;
  s->candidate_count = s->conflict_count = 0; /* what is solved is never asked again */
  asci_tela_focus(&s->base.engine, s->order[0] + begin, s->phase_begin[part->end_phase] - begin);
  return asci_tela_open_point(s, part->first_phase);
}

/* Nothing comes before the first decision any more, and it has no point yet. */
bool asci_tela_may_start(const tela_search *s) {
  return s->base.engine.rooted && !s->opened && !s->part && s->part_count && !s->heuristic &&
         s->base.depth == s->base.weightless_count && !asci_tela_is_refuted(&s->base);
}

/* ---- reasons --------------------------------------------------------------------------------------------------------- */

/* Joins levels, some perhaps twice, to the open point's conflict, those below its own. There is room for all. */
static void join_conflict(tela_search *s, const uint32_t *levels, size_t count) {
  const tela_point *p = &s->points[s->base.depth];
  for (size_t k = p->conflict; k < s->conflict_count; k++) s->flags[s->conflicts[k]] = true;
  for (size_t k = 0; k < count; k++) {
    uint32_t level = levels[k];
    if (level >= s->base.depth || s->flags[level]) continue;
    s->flags[level] = true;
    s->conflicts[s->conflict_count++] = level;
  }
  for (size_t k = p->conflict; k < s->conflict_count; k++) s->flags[s->conflicts[k]] = false;
}

/* ---- going back ------------------------------------------------------------------------------------------------------ */

/* Prepends the blocks tried at the point that failed to the candidates of the open one, unless they were tried there too (each point tries a
   block once, so the search ends). What was pending stays behind them as far as the bound allows; the rest is dropped. There is room: the point
   that failed had its own list behind this one. */
static void promote(tela_search *s, uint32_t tried_count) {
  tela_point *p = &s->points[s->base.depth];
  tela_candidate *list = s->candidates + p->first;
  uint32_t pending = p->count - p->next, kept = 0, from = p->next;
  for (uint32_t k = 0; k < p->next; k++) s->flags[list[k].buffer] = true;
  for (uint32_t k = 0; k < tried_count && kept < (uint32_t)s->options.candidates; k++)
    if (!s->flags[s->scratch[k]]) s->scratch[kept++] = s->scratch[k];
  for (uint32_t k = 0; k < p->next; k++) s->flags[list[k].buffer] = false;
  if (!kept) return;
  for (uint32_t k = 0; k < kept; k++) s->flags[s->scratch[k]] = true;
  memmove(list + from + kept, list + from, pending * sizeof *list);
  uint32_t end = from + kept, most = from + (uint32_t)s->options.candidates;
  for (uint32_t k = 0; k < pending && end < most; k++) {
    tela_candidate old = list[from + kept + k];
    if (!s->flags[old.buffer]) list[end++] = old;
  }
  for (uint32_t k = 0; k < kept; k++) {
    s->flags[s->scratch[k]] = false;
    list[from + k] = (tela_candidate){s->scratch[k], TELA_PROMOTED};
  }
  p->promoted = true;
  p->count = end;
  s->candidate_count = p->first + end;
  if (asci_traced(s->base.run)) {
    ASC_TELL(s->base.run, PROMOTE, LINE_PROMOTE, .level = s->base.depth, .count = kept, .pending = end - from);
    for (uint32_t k = 0; k < kept; k++) asci_event_list(s->base.run, s->scratch[k]);
  }
}

/* Takes back every placement from the open point's level down to `level`, whose point is open then. Its conflict inherits that of the point
   left, or, if the way back is not one that this conflict points to, those of all points left: those placements are to blame there too. */
static void go_back(tela_search *s, uint32_t level, bool all) {
  const tela_point *left = &s->points[s->base.depth];
  uint32_t tried = left->next;
  size_t from = all ? s->points[level + 1].conflict : left->conflict, count = s->conflict_count - from;
  for (uint32_t k = 0; k < tried; k++) s->scratch[k] = s->candidates[left->first + k].buffer;
  while (s->base.depth > level) {
    uint32_t buffer = s->base.placed[--s->base.depth];
    asci_tela_undo(&s->base.engine, &s->points[s->base.depth].mark, buffer);
    give_back(s, buffer);
  }
  tela_point *p = &s->points[level];
  size_t begin = s->points[level + 1].conflict; /* the open point's own conflict ends there */
  s->candidate_count = p->first + p->count;
  s->conflict_count = begin;
  if (count) {
    memmove(s->conflicts + begin, s->conflicts + from, count * sizeof *s->conflicts);
    /* in place: what is joined is written no later than it is read */
    join_conflict(s, s->conflicts + begin, count);
  }
  if (s->options.promotion) promote(s, tried);
}

static uint32_t deepest_conflict(const tela_search *s, const tela_point *p) {
  uint32_t level = ASC_NONE;
  for (size_t k = p->conflict; k < s->conflict_count; k++)
    if (level == ASC_NONE || s->conflicts[k] > level) level = s->conflicts[k];
  return level;
}

/* Where a major backtrack goes. The last conflicting placement is the candidate itself, which is gone; so the second-to-last one is the deepest
   level in the union of the reasons at this point (the paper does not say whose reasons: all of them or the last). Without any: one level. */
static uint32_t target(const tela_search *s) {
  uint32_t depth = s->base.depth, conflict = deepest_conflict(s, &s->points[depth]);
  switch (s->options.backtrack) {
  case TELA_FIXED_STEPS:
    return depth - s->ground > (uint32_t)s->options.back_steps ? depth - (uint32_t)s->options.back_steps : s->ground;
  default:
    return conflict == ASC_NONE ? depth - 1 : conflict;
  }
}

static void tell_restart(tela_search *s, uint32_t arm) {
  asc_run *run = s->base.run;
  asci_step_other(run, ASC_EVENT_RESTART, arm, (int64_t)s->limit, s->base.depth);
  asci_mark(run, ASC_MARK_RESTART, arm);
  ASC_EMIT(run, RESTART, LINE_GROUP, .round = s->round, .arm = arm, .limit = (int64_t)s->limit);
}

/* Our extension: the part starts again with the heuristics in rotated order, and, each third time, twice the patience. */
static bool start_again(tela_search *s) {
  s->again = false;
  s->round++;
  if (s->round % 3 == 0 && s->limit <= UINT32_MAX) s->limit *= 2;
  tell_restart(s, s->round % s->heuristic_count);
  bool opened = asci_tela_open_part(s);
  if (asci_traced(s->base.run) && opened) asci_tela_tell_point(s);
  return opened;
}

/* No candidate is left. At the root of a part the search has run out of moves: that proves nothing, for it tries few blocks at each point, each
   at one position, and jumps over siblings. */
static asc_outcome major_backtrack(tela_search *s) {
  asc_run *run = s->base.run;
  const tela_point *p = &s->points[s->base.depth];
  bool last = s->base.depth == s->ground;
  uint32_t to = last ? s->ground : asci_tela_jump(s, target(s), false);
  asci_tela_tell_major(&s->base, LINE_MAJOR, to, TELA_NO_CANDIDATE);
  if (asci_traced(run)) asci_tela_tell_reasons(s, p);
  if (!last) asci_tela_tell_jump(s, LINE_MAJOR, to);
  s->backtracks++;
  if (last) {
    s->again = s->round < (uint32_t)s->options.restarts;
    return s->again ? ASC_OUTCOME_RUNNING : ASC_OUTCOME_EXHAUSTED;
  }
  go_back(s, to, s->jump.count > 0);
  s->check_stuck = true;
  if (asci_traced(run)) asci_tela_tell_point(s);
  return ASC_OUTCOME_RUNNING;
}

/* The deepest point below the open one in whose subtree more backtracks happened than the limit; ASC_NONE. `since` never falls from one level
   to the next. */
static uint32_t stuck_point(const tela_search *s) {
  uint32_t low = s->ground, high = s->base.depth;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->backtracks - s->points[middle].since > s->limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low > s->ground ? low - 1 : ASC_NONE;
}

/* The paper goes "back to the lowest such point": the deepest in the tree, for the highest is always the root. Only that point's count begins
   anew; those above stay over the limit, so if nothing helps the next backtracks climb one level each. */
static asc_outcome leave_subtree(tela_search *s, uint32_t level) {
  asc_run *run = s->base.run;
  uint64_t backtracks = s->backtracks - s->points[level].since;
  level = asci_tela_jump(s, level, true);
  asci_tela_tell_major(&s->base, LINE_STUCK, level, TELA_STUCK);
  ASC_EMIT(run, STUCK, LINE_STUCK, .level = s->jump.fallback, .backtracks = (int64_t)backtracks, .limit = (int64_t)s->limit);
  asci_tela_tell_jump(s, LINE_STUCK, level);
  go_back(s, level, true);
  s->points[level].since = s->backtracks;
  if (asci_traced(run)) asci_tela_tell_point(s);
  return ASC_OUTCOME_RUNNING;
}

/* ---- going on -------------------------------------------------------------------------------------------------------- */

static asc_outcome minor_backtrack(tela_search *s, uint32_t buffer, int64_t offset) {
  tela_engine *e = &s->base.engine;
  tela_point *p = &s->points[s->base.depth];
  if (!asci_tela_explain(e)) return ASC_OUTCOME_OUT_OF_MEMORY;
  asci_tela_tell_minor(&s->base, LINE_MINOR, buffer, offset);
  asci_tela_undo(e, &p->mark, buffer);
  if (!asci_grow(s->base.run->context, &s->conflicts, &s->conflict_room, s->conflict_count + e->reason_count,
                 sizeof *s->conflicts))
    return ASC_OUTCOME_OUT_OF_MEMORY;
  join_conflict(s, e->reason, e->reason_count);
  if (s->options.stuck_counts == TELA_COUNTS_ALL) {
    s->backtracks++;
    s->check_stuck = true;
  }
  return ASC_OUTCOME_RUNNING;
}

/* Every buffer of the part is placed. */
static asc_outcome finish_part(tela_search *s) {
  asc_run *run = s->base.run;
  s->part++;
  s->opened = false;
  s->round = 0;
  s->limit = (uint64_t)s->options.stuck_limit;
  if (s->part == s->part_count) return asci_tela_succeed(&s->base, LINE_DONE);
  ASC_EMIT(run, PART_SOLVED, LINE_DONE, .part = s->part, .parts = s->part_count);
  if (!asci_tela_open_part(s)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (asci_traced(run)) asci_tela_tell_point(s);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome try_candidate(tela_search *s, tela_point *p) {
  tela_engine *e = &s->base.engine;
  uint32_t buffer = s->candidates[p->first + p->next++].buffer;
  int64_t offset = e->items[buffer].low;
  if (e->tetris && !asci_tela_is_fixed(e, buffer)) offset = asci_tela_up(e, buffer, e->sky[buffer]);
  tela_result result = asci_tela_place(e, buffer, offset, s->base.depth);
  if (result == TELA_MEMORY) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (result == TELA_STOPPED) { /* the step was not taken */
    asci_tela_undo(e, &p->mark, buffer);
    p->next--;
    return ASC_OUTCOME_RUNNING;
  }
  if (result == TELA_EMPTY) return minor_backtrack(s, buffer, offset);
  asci_tela_take(s, buffer);
  asci_tela_tell_place(&s->base, LINE_PLACE, buffer, p->count, &p->mark);
  const tela_part *part = &s->parts[s->part];
  if (s->base.depth - s->ground == s->phase_begin[part->end_phase] - s->phase_begin[part->first_phase])
    return finish_part(s);
  if (!asci_tela_open_point(s, s->phase[buffer])) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (asci_traced(s->base.run)) asci_tela_tell_point(s);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome step(tela_search *s) {
  uint32_t stuck = s->check_stuck && s->limit ? stuck_point(s) : ASC_NONE;
  tela_point *p = &s->points[s->base.depth];
  s->check_stuck = false;
  if (stuck != ASC_NONE) return leave_subtree(s, stuck);
  return p->next < p->count ? try_candidate(s, p) : major_backtrack(s);
}

/* The heuristic first, as on Pixel 6 (section 5.6). Its plan is taken if it fits; else the search starts, on empty memory. */
static asc_outcome step_heuristic(tela_search *s) {
  asc_run *run = s->base.run;
  if (s->heuristic_failed) {
    asci_tela_heuristic_end(s);
    tell_restart(s, 0);
    return ASC_OUTCOME_RUNNING;
  }
  run->line = LINE_HEURISTIC;
  asc_outcome outcome = asci_solver_contention.advance(run, s->heuristic);
  run->line = 0;
  if (outcome == ASC_OUTCOME_RUNNING || outcome == ASC_OUTCOME_FEASIBLE) return outcome;
  s->heuristic_failed = true;
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome step_part(tela_search *s) {
  if (s->again) return start_again(s) ? ASC_OUTCOME_RUNNING : ASC_OUTCOME_OUT_OF_MEMORY;
  return s->part == s->part_count ? asci_tela_succeed(&s->base, LINE_DONE) : step(s);
}

static asc_outcome open_first_part(tela_search *s) {
  if (!asci_tela_may_start(s)) return ASC_OUTCOME_RUNNING;
  if (!asci_tela_open_part(s)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (asci_traced(s->base.run)) asci_tela_tell_point(s);
  return ASC_OUTCOME_RUNNING;
}

tela_result asci_tela_ready(tela_search *s) {
  if (s->base.engine.rooted) return TELA_OK;
  tela_result result = asci_tela_root(&s->base.engine, UINT64_MAX);
  return !result && open_first_part(s) ? TELA_MEMORY : result;
}

asc_outcome asci_tela_advance(asc_run *run, void *state) {
  tela_search *s = state;
  tela_result ready = asci_tela_ready(s);
  if (ready) return ready == TELA_MEMORY ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_RUNNING;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    if (s->heuristic && !asci_tela_is_refuted(&s->base))
      outcome = step_heuristic(s);
    else if (asci_tela_begin(&s->base, LINE_GROUP, &outcome))
      outcome = step_part(s);
    if (outcome == ASC_OUTCOME_RUNNING) outcome = open_first_part(s);
  }
  return outcome;
}
