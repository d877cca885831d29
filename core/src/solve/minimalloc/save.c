/* A saved search is its rounds and, for each open node, how far it has come: everything else follows by applying the placements again. */
#include "search.h"

#include "base/arrays.h"

enum { ANY, WEIGHTLESS, ARMS };

static const asci_saved saved[] = {
    ASCI_SAVED(mm_search, base, WEIGHTLESS), ASCI_SAVED(mm_search, round, ANY),      ASCI_SAVED(mm_search, arm, ARMS),
    ASCI_SAVED(mm_search, limit, ANY),       ASCI_SAVED(mm_search, nodes_left, ANY), ASCI_SAVED(mm_search, started, ANY),
};

void asci_mm_save(asc_run *run, void *state, asci_writer *writer) {
  const mm_search *s = state;
  (void)run;
  asci_write_numbers(writer, ASCI_TABLE(saved), s);
  asci_write_u(writer, s->frame_count);
  for (size_t k = 1; k < s->frame_count; k++) {
    const mm_frame *f = &s->frames[k];
    asci_write_u(writer, ((uint64_t)f->next << 2) | (f->placed ? 2u : 0u) | (f->hatless ? 1u : 0u));
  }
}

/* Applies the decision of one saved frame, which must be the last one open. */
static asc_status replay(mm_search *s, uint64_t number, bool last) {
  mm_frame *f = &s->frames[s->frame_count - 1];
  uint64_t next = number >> 2;
  bool placed = number & 2;
  if (next > f->count || (placed && next == 0) || (!placed && !last)) return ASC_BAD_SAVE;
  f->next = (uint32_t)next;
  f->hatless = number & 1;
  if (f->hatless && next == 0) return ASC_BAD_SAVE;
  if (!placed) return ASC_OK;
  uint32_t buffer = asci_mm_member(s, f, f->next - 1);
  if (!asci_mm_try(s, f, buffer)) return ASC_BAD_SAVE;
  if (!asci_mm_apply(s, buffer)) return ASC_OUT_OF_MEMORY;
  f->placed = true;
  if (last) return ASC_OK;
  mm_descent end = asci_mm_descend(s);
  return end == DESCENT_NODE ? ASC_OK : end == DESCENT_MEMORY ? ASC_OUT_OF_MEMORY : ASC_BAD_SAVE;
}

/* Whether the run would try a child more at the last frame while one is placed there, which no step leaves behind. */
static bool last_is_occupied(const mm_search *s) {
  asc_outcome outcome = s->run->stats.outcome;
  bool goes_on = outcome == ASC_OUTCOME_RUNNING || outcome == ASC_OUTCOME_CANCELLED || outcome == ASC_OUTCOME_BUDGET_SPENT;
  return goes_on && s->started && s->frames[s->frame_count - 1].placed;
}

static asc_status replay_frames(mm_search *s, asci_reader *reader, uint64_t frames) {
  if (frames == 0) return ASC_OK;
  mm_descent opened = asci_mm_begin(s);
  if (opened == DESCENT_MEMORY) return ASC_OUT_OF_MEMORY;
  if (opened == DESCENT_SOLVED) return frames == 1 ? ASC_OK : ASC_BAD_SAVE;
  if (frames == 1) s->frame_count = 1; /* a search that came to its end: only the root is left */
  for (uint64_t k = 1; k < frames; k++) {
    uint64_t number = asci_read_u(reader, UINT64_MAX);
    if (reader->bad) return ASC_BAD_SAVE;
    asc_status status = replay(s, number, k + 1 == frames);
    if (status) return status;
  }
  return ASC_OK;
}

asc_status asci_mm_load(asc_run *run, void *state, asci_reader *reader) {
  mm_search *s = state;
  uint32_t n = s->problem->count;
  const uint64_t most[] = {[ANY] = UINT64_MAX, [WEIGHTLESS] = s->weightless_count, [ARMS] = s->arm_count};
  asci_read_numbers(reader, ASCI_TABLE(saved), most, s);
  const uint64_t limit = s->limit, nodes_left = s->nodes_left;
  const bool started = s->started;
  uint64_t frames = asci_read_u(reader, (uint64_t)n + 1);
  if (reader->bad || (started && (frames < 2 || s->arm == s->arm_count))) return ASC_BAD_SAVE;
  if (frames && s->base < s->weightless_count) return ASC_BAD_SAVE; /* they are placed before any node is opened */
  for (uint32_t k = 0; k < s->base; k++) {
    uint32_t buffer = s->weightless[k];
    int64_t fixed = s->problem->buffers[buffer].offset;
    s->offset[buffer] = s->least[buffer] = fixed == ASC_UNPLACED ? 0 : fixed;
    s->placed[s->depth++] = buffer;
  }
  uint64_t nodes = run->stats.nodes, arm = s->arm;
  bool ended = arm == s->arm_count, unlimited = s->unlimited;
  /* The frames of an attempt that ran out of nodes are those of the heuristic before. */
  if (!started && arm) s->arm = arm - 1;
  if (ended && !arm) return ASC_BAD_SAVE;
  s->unlimited = true;
  asc_status status = replay_frames(s, reader, frames);
  s->unlimited = unlimited;
  s->arm = arm;
  s->limit = limit;
  s->nodes_left = nodes_left;
  s->started = started;
  run->stats.nodes = nodes;
  if (!status && (s->depth != run->stats.depth || last_is_occupied(s))) status = ASC_BAD_SAVE;
  return status;
}
