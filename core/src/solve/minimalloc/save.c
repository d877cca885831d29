/* A saved search is its rounds and, for each open node, how far it has come: everything else follows by applying the placements again. */
#include "search.h"

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

static asc_status replay_frames(mm_search *s, asci_saver *saver, uint64_t frames) {
  if (frames == 0) return ASC_OK;
  mm_descent opened = asci_mm_begin(s);
  if (opened == DESCENT_MEMORY) return ASC_OUT_OF_MEMORY;
  if (opened == DESCENT_SOLVED) return frames == 1 ? ASC_OK : ASC_BAD_SAVE;
  if (frames == 1) s->frame_count = 1; /* a search that came to its end: only the root is left */
  for (uint64_t k = 1; k < frames; k++) {
    uint64_t number = 0;
    ASCI_KEEP(saver, number, ASCI_ANY);
    asc_status status = saver->failed ? ASC_BAD_SAVE : replay(s, number, k + 1 == frames);
    if (status) return status;
  }
  return ASC_OK;
}

/* Keyframes are saved while a search runs, and these are most of what is saved: at once. */
static void save_frames(const mm_search *s, asci_saver *saver) {
  uint8_t *to = asci_room(saver, s->frame_count);
  if (!to) return;
  for (size_t k = 1; k < s->frame_count; k++) {
    const mm_frame *f = &s->frames[k];
    to = asci_put(to, ((uint64_t)f->next << 2) | (f->placed ? 2u : 0u) | (f->hatless ? 1u : 0u));
  }
  saver->count = (size_t)(to - saver->bytes);
}

static void place_weightless(mm_search *s) {
  for (uint32_t k = 0; k < s->base; k++) {
    uint32_t buffer = s->weightless[k];
    int64_t fixed = s->problem->buffers[buffer].offset;
    s->offset[buffer] = s->least[buffer] = fixed == ASC_UNPLACED ? 0 : fixed;
    s->placed[s->depth++] = buffer;
  }
}

static asc_status load_frames(asc_run *run, mm_search *s, asci_saver *saver, uint64_t frames) {
  const mm_search saved = *s;
  bool ended = s->arm == s->arm_count;
  if (s->started && (frames < 2 || ended)) return ASC_BAD_SAVE;
  if (frames && s->base < s->weightless_count) return ASC_BAD_SAVE; /* they are placed before any node is opened */
  place_weightless(s);
  uint64_t nodes = run->stats.nodes;
  if (ended && !s->arm) return ASC_BAD_SAVE;
  /* The frames of an attempt that ran out of nodes are those of the heuristic before. */
  if (!s->started && s->arm) s->arm--;
  s->unlimited = true;
  asc_status status = replay_frames(s, saver, frames);
  s->unlimited = saved.unlimited;
  s->arm = saved.arm;
  s->limit = saved.limit;
  s->nodes_left = saved.nodes_left;
  s->started = saved.started;
  run->stats.nodes = nodes;
  if (!status && (s->depth != run->stats.depth || last_is_occupied(s))) status = ASC_BAD_SAVE;
  return status;
}

asc_status asci_mm_keep(asc_run *run, void *state, asci_saver *saver) {
  mm_search *s = state;
  uint64_t frames = s->frame_count;
  ASCI_KEEP(saver, s->base, s->weightless_count);
  ASCI_KEEP(saver, s->round, ASCI_ANY);
  ASCI_KEEP(saver, s->arm, s->arm_count);
  ASCI_KEEP(saver, s->limit, ASCI_ANY);
  ASCI_KEEP(saver, s->nodes_left, ASCI_ANY);
  ASCI_KEEP(saver, s->started, 1);
  ASCI_KEEP(saver, frames, (uint64_t)s->problem->count + 1);
  if (!saver->loads) save_frames(s, saver);
  return asci_loaded(saver) ? load_frames(run, s, saver, frames) : asci_kept(saver);
}
