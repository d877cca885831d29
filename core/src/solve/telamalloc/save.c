/* A saved search: who is placed at each level, how far its point's list was tried, and what cannot be derived (a list that was added to, the
 * conflicts, the counts of backtracks). Positions follow: each buffer goes where the engine says. */
#include "search.h"

static void save_point(const tela_search *s, uint32_t level, asci_writer *writer) {
  const tela_point *p = &s->points[level];
  bool open = level == s->base.depth;
  size_t conflict_end = open ? s->conflict_count : s->points[level + 1].conflict;
  asci_write_u(writer, s->backtracks - p->since);
  asci_write_u(writer, conflict_end - p->conflict);
  for (size_t k = p->conflict; k < conflict_end; k++) asci_write_u(writer, s->conflicts[k]);
  asci_write_u(writer, p->promoted);
  if (!p->promoted) return;
  asci_write_u(writer, p->count);
  for (uint32_t k = 0; k < p->count; k++) {
    tela_candidate c = s->candidates[p->first + k];
    asci_write_u(writer, (uint64_t)c.buffer * 4 + c.source);
  }
}

void asci_tela_save(asc_run *run, void *state, asci_writer *writer) {
  const tela_search *s = state;
  asci_write_u(writer, s->heuristic ? s->heuristic_failed ? 2 : 1 : 0);
  if (s->heuristic) {
    asci_solver_contention.save(run, s->heuristic, writer);
    return;
  }
  asci_write_u(writer, s->base.depth);
  asci_write_u(writer, (uint64_t)s->opened + 2 * (uint64_t)s->again + 4 * (uint64_t)s->check_stuck);
  asci_write_u(writer, s->part);
  asci_write_u(writer, s->round);
  asci_write_u(writer, s->limit);
  asci_write_u(writer, s->backtracks);
  for (uint32_t level = s->base.weightless_count; level <= s->base.depth; level++) {
    const tela_point *p = &s->points[level];
    if (level < s->base.depth) asci_write_u(writer, s->base.placed[level]);
    if (level == s->base.depth && !s->opened) break;
    asci_write_u(writer, p->next);
    if (s->opened && level >= s->ground)
      save_point(s, level, writer);
    else
      asci_write_u(writer, p->count); /* of what is solved only these are shown */
  }
}

/* ---- loading --------------------------------------------------------------------------------------------------------- */

static bool is_free(const tela_search *s, uint64_t buffer) {
  if (buffer >= s->base.problem->count || s->phase[buffer] == ASC_NONE) return false;
  const tela_part *part = &s->parts[s->part];
  return s->base.engine.level[buffer] == ASC_NONE && s->phase[buffer] >= part->first_phase &&
         s->phase[buffer] < part->end_phase;
}

static asc_status load_list(tela_search *s, tela_point *p, asci_reader *reader) {
  uint64_t count = asci_read_u(reader, s->base.problem->count);
  s->candidate_count = p->first;
  p->promoted = true;
  if (!asci_grow(s->base.run->context, &s->candidates, &s->candidate_room, p->first + count, sizeof *s->candidates))
    return ASC_OUT_OF_MEMORY;
  for (p->count = 0; p->count < count; p->count++) {
    uint64_t saved = asci_read_u(reader, UINT64_MAX);
    if (reader->bad || !is_free(s, saved / 4)) return ASC_BAD_SAVE;
    s->candidates[s->candidate_count++] = (tela_candidate){(uint32_t)(saved / 4), (uint32_t)(saved % 4)};
  }
  return ASC_OK;
}

/* The point has been opened: its list is what the state says. */
static asc_status load_point(tela_search *s, uint32_t next, asci_reader *reader) {
  tela_point *p = &s->points[s->base.depth];
  uint64_t since = asci_read_u(reader, s->backtracks), count = asci_read_u(reader, s->base.depth);
  p->since = s->backtracks - since;
  if (!asci_grow(s->base.run->context, &s->conflicts, &s->conflict_room, s->conflict_count + count, sizeof *s->conflicts))
    return ASC_OUT_OF_MEMORY;
  for (uint64_t k = 0; k < count; k++) {
    uint64_t level = asci_read_u(reader, s->base.depth - 1);
    if (reader->bad || level < s->ground) return ASC_BAD_SAVE;
    s->conflicts[s->conflict_count++] = (uint32_t)level;
  }
  asc_status status = asci_read_u(reader, 1) ? load_list(s, p, reader) : ASC_OK;
  if (status || reader->bad) return status ? status : ASC_BAD_SAVE;
  p->next = next;
  return next <= p->count ? ASC_OK : ASC_BAD_SAVE;
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
static asc_status load_solved(tela_search *s, uint32_t parts, asci_reader *reader) {
  for (s->part = 0; s->part < parts; s->part++) {
    s->ground = s->base.depth;
    uint32_t begin = s->phase_begin[s->parts[s->part].first_phase], end = part_size(s, s->part);
    asci_tela_focus(&s->base.engine, s->order[0] + begin, end);
    for (uint32_t k = 0; k < end; k++) {
      tela_point *p = &s->points[s->base.depth];
      uint64_t buffer = asci_read_u(reader, UINT32_MAX);
      p->next = (uint32_t)asci_read_u(reader, UINT32_MAX);
      p->count = (uint32_t)asci_read_u(reader, UINT32_MAX);
      asc_status status = reader->bad ? ASC_BAD_SAVE : replay(s, buffer);
      if (status) return status;
    }
  }
  return ASC_OK;
}

static asc_status load_open(tela_search *s, uint32_t depth, asci_reader *reader) {
  if (s->base.depth > depth || depth - s->base.depth >= part_size(s, s->part)) return ASC_BAD_SAVE;
  if (!asci_tela_open_part(s)) return ASC_OUT_OF_MEMORY;
  for (;;) {
    uint64_t buffer = s->base.depth < depth ? asci_read_u(reader, UINT32_MAX) : 0;
    uint32_t next = (uint32_t)asci_read_u(reader, UINT32_MAX);
    asc_status status = load_point(s, next, reader);
    if (status || s->base.depth == depth) return status;
    const tela_point *p = &s->points[s->base.depth];
    if (!next || s->candidates[p->first + next - 1].buffer != buffer) return ASC_BAD_SAVE;
    status = replay(s, buffer);
    if (status) return status;
    if (!asci_tela_open_point(s, s->phase[buffer])) return ASC_OUT_OF_MEMORY;
  }
}

static asc_status load_search(tela_search *s, asci_reader *reader) {
  uint32_t depth = (uint32_t)asci_read_u(reader, s->base.problem->count);
  uint64_t flags = asci_read_u(reader, 7);
  uint32_t part = (uint32_t)asci_read_u(reader, s->part_count);
  uint32_t round = (uint32_t)asci_read_u(reader, (uint64_t)s->options.restarts);
  s->limit = asci_read_u(reader, INT64_MAX);
  s->backtracks = asci_read_u(reader, UINT64_MAX);
  bool opened = flags & 1;
  s->opened = false;
  if (reader->bad || depth != s->base.run->stats.depth || (opened && part == s->part_count)) return ASC_BAD_SAVE;
  if (asci_tela_is_refuted(&s->base) && depth) return ASC_BAD_SAVE;
  asci_tela_replay_weightless(&s->base, depth < s->base.weightless_count ? depth : s->base.weightless_count);
  if ((opened || part) && s->base.depth < s->base.weightless_count) return ASC_BAD_SAVE;
  asc_status status = load_solved(s, part, reader);
  if (status) return status;
  s->round = round;
  if (opened) {
    status = load_open(s, depth, reader);
    if (status) return status;
  }
  if (asci_tela_may_start(s)) return ASC_BAD_SAVE;
  s->again = flags & 2;
  s->check_stuck = flags & 4;
  bool fits = s->base.depth == depth && (!s->again || (opened && depth == s->ground));
  return fits ? ASC_OK : ASC_BAD_SAVE;
}

asc_status asci_tela_load(asc_run *run, void *state, asci_reader *reader) {
  tela_search *s = state;
  uint64_t stage = asci_read_u(reader, 2), nodes = run->stats.nodes;
  if (reader->bad || (stage && !s->heuristic)) return ASC_BAD_SAVE;
  if (stage) {
    s->heuristic_failed = stage == 2;
    return asci_solver_contention.load(run, s->heuristic, reader);
  }
  asci_tela_heuristic_end(s);
  asc_status status = load_search(s, reader);
  run->stats.nodes = nodes;
  return status;
}
