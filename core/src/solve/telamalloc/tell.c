/* What the page shows of a decision point beyond its steps. */
#include "search.h"

/* Where the candidates come from now, then each with the heuristic that proposed it and its lowest feasible position. */
void asci_tela_tell_point(const tela_search *s) {
  asc_run *run = s->base.run;
  const tela_point *p = &s->points[s->base.depth];
  const tela_candidate *list = s->candidates + p->first;
  if (p->next == p->count) return;
  uint32_t phase = s->phase[list[p->next].buffer];
  if (phase != p->phase || s->base.depth == s->ground)
    ASC_TELL(run, PHASE, LINE_CHOOSE, .phase = phase, .from = p->phase, .left = s->left[phase],
             .of = s->phase_begin[phase + 1] - s->phase_begin[phase], .part = s->part, .parts = s->part_count);
  for (uint32_t k = p->next; k < p->count; k++) {
    uint32_t buffer = list[k].buffer;
    ASC_TELL(run, CANDIDATE, LINE_CHOOSE, .buffer = buffer, .offset = s->base.engine.items[buffer].low,
             .source = list[k].source, .phase = s->phase[buffer], .index = k, .of = p->count);
  }
}

/* The placements that all failures of a point rest on, the deepest first. */
void asci_tela_tell_reasons(const tela_search *s, const tela_point *p) {
  ASC_TELL(s->base.run, CULPRITS, LINE_MAJOR, .buffer = ASC_NONE);
  for (size_t k = p->conflict; k < s->conflict_count; k++) s->flags[s->conflicts[k]] = true;
  for (uint32_t level = s->base.depth; level-- > s->ground;) {
    if (s->flags[level]) asci_event_list(s->base.run, s->base.placed[level]);
    s->flags[level] = false;
  }
}
