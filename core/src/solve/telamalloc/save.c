/* A saved search: who is placed at each level, how far its point's list was tried, and what cannot be derived (a list that was added to, the
 * conflicts, the counts of backtracks). Positions follow: each buffer goes where the engine says. */
#include "search.h"

static bool is_free(const tela_search *s, uint64_t buffer) {
  if (buffer >= s->base.problem->count || s->phase[buffer] == ASC_NONE) return false;
  const tela_part *part = &s->parts[s->part];
  /* of the parts before all are placed */
  return s->base.engine.level[buffer] == ASC_NONE && s->phase[buffer] < part->end_phase;
}

static void keep_solved_point(tela_point *p, asci_saver *saver) {
  ASCI_KEEP(saver, p->next, ASCI_ANY);
  ASCI_KEEP(saver, p->count, ASCI_ANY); /* of its list only these are shown */
}

/* The list of a point that was added to; loaded, all are free. */
static asc_status keep_list(tela_search *s, tela_point *p, asci_saver *saver) {
  uint32_t count = p->count;
  ASCI_KEEP(saver, count, s->base.problem->count);
  if (saver->loads) {
    s->candidate_count = p->first;
    p->count = 0;
    if (!asci_grow(s->base.run->context, &s->candidates, &s->candidate_room, p->first + count, sizeof *s->candidates))
      return ASC_OUT_OF_MEMORY;
  }
  for (uint32_t k = 0; k < count; k++) {
    tela_candidate *c = &s->candidates[p->first + k];
    uint64_t number = saver->loads ? 0 : (uint64_t)c->buffer * 4 + c->source;
    ASCI_KEEP(saver, number, ASCI_ANY);
    if (!saver->loads) continue;
    if (saver->failed || !is_free(s, number / 4)) return ASC_BAD_SAVE;
    *c = (tela_candidate){(uint32_t)(number / 4), (uint32_t)(number % 4)};
    p->count = k + 1;
    s->candidate_count++;
  }
  return ASC_OK;
}

/* What a point under way knows. Loaded, it has been opened: its list is what the state says. */
static asc_status keep_point(tela_search *s, uint32_t level, asci_saver *saver) {
  tela_point *p = &s->points[level];
  bool open = level == s->base.depth;
  ASCI_KEEP(saver, p->next, ASCI_ANY);
  uint64_t since = s->backtracks - p->since;
  size_t count = (open ? s->conflict_count : s->points[level + 1].conflict) - p->conflict;
  ASCI_KEEP(saver, since, s->backtracks);
  if (s->options.jump == TELA_JUMP_LEARNED) ASCI_KEEP(saver, p->returns, ASCI_ANY);
  ASCI_KEEP(saver, count, level);
  if (saver->loads) {
    p->since = s->backtracks - since;
    if (!asci_grow(s->base.run->context, &s->conflicts, &s->conflict_room, p->conflict + count, sizeof *s->conflicts))
      return ASC_OUT_OF_MEMORY;
    s->conflict_count = p->conflict + count;
  }
  for (size_t k = p->conflict; k < p->conflict + count; k++) {
    ASCI_KEEP(saver, s->conflicts[k], level - 1);
    if (saver->loads && s->conflicts[k] < s->ground) return ASC_BAD_SAVE;
  }
  ASCI_KEEP(saver, p->promoted, 1);
  asc_status status = p->promoted ? keep_list(s, p, saver) : ASC_OK;
  if (status) return status;
  if (saver->loads && p->next > p->count) return ASC_BAD_SAVE;
  return asci_kept(saver);
}

static asc_status replay(tela_search *s, uint64_t buffer) {
  tela_engine *e = &s->base.engine;
  tela_point *p = &s->points[s->base.depth];
  if (!is_free(s, buffer)) return ASC_BAD_SAVE;
  p->mark = asci_tela_mark(e);
  int64_t offset = e->items[buffer].low;
  if (e->tetris && !asci_tela_is_fixed(e, (uint32_t)buffer)) offset = asci_tela_up(e, (uint32_t)buffer, e->sky[buffer]);
  tela_result result = asci_tela_place(e, (uint32_t)buffer, offset, s->base.depth);
  if (result) return result == TELA_MEMORY ? ASC_OUT_OF_MEMORY : ASC_BAD_SAVE;
  asci_tela_take(s, (uint32_t)buffer);
  return ASC_OK;
}

static uint32_t part_size(const tela_search *s, uint32_t part) {
  return s->phase_begin[s->parts[part].end_phase] - s->phase_begin[s->parts[part].first_phase];
}

/* Parts before the one under way, placed for good. */
static asc_status load_solved(tela_search *s, uint32_t parts, asci_saver *saver) {
  for (s->part = 0; s->part < parts; s->part++) {
    s->ground = s->base.depth;
    uint32_t begin = s->phase_begin[s->parts[s->part].first_phase], end = part_size(s, s->part);
    asci_tela_focus(&s->base.engine, s->order[0] + begin, end);
    for (uint32_t k = 0; k < end; k++) {
      uint32_t buffer = 0;
      ASCI_KEEP(saver, buffer, ASCI_ANY);
      keep_solved_point(&s->points[s->base.depth], saver);
      asc_status status = saver->failed ? ASC_BAD_SAVE : replay(s, buffer);
      if (status) return status;
    }
  }
  return ASC_OK;
}

static asc_status load_open(tela_search *s, uint32_t depth, asci_saver *saver) {
  /* of fewer than are placed by now the difference is huge */
  if (depth - s->base.depth >= part_size(s, s->part)) return ASC_BAD_SAVE;
  if (!asci_tela_open_part(s)) return ASC_OUT_OF_MEMORY;
  for (;;) {
    uint32_t buffer = 0;
    if (s->base.depth < depth) ASCI_KEEP(saver, buffer, ASCI_ANY);
    asc_status status = keep_point(s, s->base.depth, saver);
    if (status || s->base.depth == depth) return status;
    const tela_point *p = &s->points[s->base.depth];
    if (!p->next || s->candidates[p->first + p->next - 1].buffer != buffer) return ASC_BAD_SAVE;
    status = replay(s, buffer);
    if (status) return status;
    if (!asci_tela_open_point(s, s->phase[buffer])) return ASC_OUT_OF_MEMORY;
  }
}

/* As load_solved and load_open read it. */
static asc_status save_levels(tela_search *s, asci_saver *saver) {
  asc_status status = ASC_OK;
  for (uint32_t level = s->base.weightless_count; !status && level <= s->base.depth; level++) {
    if (level < s->base.depth) ASCI_KEEP(saver, s->base.placed[level], ASCI_ANY);
    if (s->opened && level >= s->ground)
      status = keep_point(s, level, saver);
    else if (level < s->base.depth)
      keep_solved_point(&s->points[level], saver);
  }
  return status;
}

static asc_status load_levels(tela_search *s, uint32_t depth, uint32_t part, bool opened, asci_saver *saver) {
  s->opened = false;
  if (depth != s->base.run->stats.depth || (opened && part == s->part_count)) return ASC_BAD_SAVE;
  if (asci_tela_is_refuted(&s->base) && depth) return ASC_BAD_SAVE;
  asci_tela_replay_weightless(&s->base, depth < s->base.weightless_count ? depth : s->base.weightless_count);
  if ((opened || part) && s->base.depth < s->base.weightless_count) return ASC_BAD_SAVE;
  uint32_t round = s->round;
  asc_status status = load_solved(s, part, saver);
  s->round = round;
  if (!status && opened) status = load_open(s, depth, saver);
  return status;
}

/* Of how many conflicts each buffer was; of most: none. */
static void keep_blamed(tela_search *s, asci_saver *saver) {
  uint32_t n = s->base.problem->count, count = 0;
  for (uint32_t b = 0; !saver->loads && b < n; b++) count += s->blamed[b] > 0;
  ASCI_KEEP(saver, count, n);
  for (uint32_t k = 0, b = 0; k < count && !saver->failed; k++, b++) {
    while (!saver->loads && !s->blamed[b]) b++;
    ASCI_KEEP(saver, b, n - 1);
    ASCI_KEEP(saver, s->blamed[b], ASCI_ANY);
  }
}

static asc_status keep_search(tela_search *s, asci_saver *saver) {
  uint32_t depth = s->base.depth, part = s->part;
  bool opened = s->opened, again = s->again, check_stuck = s->check_stuck;
  ASCI_KEEP(saver, depth, s->base.problem->count);
  ASCI_KEEP(saver, opened, 1);
  ASCI_KEEP(saver, again, 1);
  ASCI_KEEP(saver, check_stuck, 1);
  ASCI_KEEP(saver, part, s->part_count);
  ASCI_KEEP(saver, s->round, (uint64_t)s->options.restarts);
  ASCI_KEEP(saver, s->limit, INT64_MAX);
  ASCI_KEEP(saver, s->backtracks, ASCI_ANY);
  ASCI_KEEP(saver, s->rng.state, ASCI_ANY);
  if (s->options.jump == TELA_JUMP_LEARNED) keep_blamed(s, saver);
  if (!saver->loads) return save_levels(s, saver);
  asc_status status = saver->failed ? ASC_BAD_SAVE : load_levels(s, depth, part, opened, saver);
  if (status) return status;
  if (asci_tela_may_start(s)) return ASC_BAD_SAVE;
  s->again = again;
  s->check_stuck = check_stuck;
  bool fits = s->base.depth == depth && (!again || (opened && depth == s->ground));
  return fits ? ASC_OK : ASC_BAD_SAVE;
}

static asc_status keep_stage(asc_run *run, tela_search *s, asci_saver *saver) {
  uint32_t stage = !s->heuristic ? 0 : s->heuristic_failed ? 2 : 1;
  uint64_t nodes = run->stats.nodes;
  ASCI_KEEP(saver, stage, s->heuristic ? 2 : 0);
  if (saver->failed) return asci_kept(saver);
  if (saver->loads) s->heuristic_failed = stage == 2;
  if (stage) return asci_solver_contention.keep(run, s->heuristic, saver);
  if (saver->loads) asci_tela_heuristic_end(s);
  asc_status status = keep_search(s, saver);
  run->stats.nodes = nodes;
  return status;
}

asc_status asci_tela_keep(asc_run *run, void *state, asci_saver *saver) {
  tela_search *s = state;
  asci_tela_heed(&s->base, false);
  asc_status status = asci_tela_ready(s) ? ASC_OUT_OF_MEMORY : keep_stage(run, s, saver);
  asci_tela_heed(&s->base, true);
  return status;
}
