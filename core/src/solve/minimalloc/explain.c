/* Events with their witnesses: the buffer it rests on, the section that overflows, the buffer that proves dominance. Made only while a
 * log is attached, from the state and the effect of the last try; nothing here changes the search. */
#include "model/bank.h"
#include "search.h"

/* A placed buffer on whose top (or, with windows, at the distance above which) the buffer rests. */
static uint32_t support_of(const mm_search *s, uint32_t buffer) {
  for (uint32_t level = s->depth; level-- > 0;) {
    uint32_t below = s->placed[level];
    if (below == buffer || !s->span[below].end || !asci_mm_overlap(s, buffer, below)) continue;
    const asc_buffer_spec *spec = &s->problem->buffers[buffer];
    int64_t top = asci_next_offset(s->offset[below] + s->size[below], spec->size, spec->alignment, spec->bank);
    if (top == s->offset[buffer]) return below;
  }
  return ASC_NONE;
}

void asci_mm_explain_place(mm_search *s, const mm_frame *f, uint32_t buffer) {
  ASC_TELL(s->run, PLACE, LINE_PLACE, .buffer = buffer, .offset = s->offset[buffer], .support = support_of(s, buffer),
           .of = f->count);
  for (uint32_t k = 0; k < s->effect.raise_count; k++) asci_event_list(s->run, s->effect.raises[k].buffer);
}

static bool alive_in(const mm_search *s, uint32_t buffer, uint32_t section) {
  for (uint32_t p = s->problem->piece_begin[buffer]; p < s->problem->piece_begin[buffer + 1]; p++)
    if (s->piece_first[p] <= section && section < s->piece_end[p]) return true;
  return false;
}

/* The search stops at the first section that overflows; people are shown the one that overflows most. */
static void choose_worst(mm_search *s, uint32_t buffer) {
  mm_effect *e = &s->effect;
  if (s->general || e->rule != ASC_RULE_SECTION || !alive_in(s, buffer, e->section)) return;
  for (uint32_t k = s->span[buffer].first; k < s->span[buffer].end; k++)
    if (s->total[k] > s->total[e->section]) e->section = k;
  e->rest = s->total[e->section] - s->size[buffer];
}

void asci_mm_explain_reject(mm_search *s, const mm_frame *f, uint32_t buffer) {
  mm_effect *e = &s->effect;
  choose_worst(s, buffer);
  uint32_t section = e->section == ASC_NONE ? ASC_NONE : s->problem_section[e->section];
  ASC_TELL(s->run, REJECT, LINE_CHECK, .buffer = buffer, .offset = s->least[buffer], .rule = e->rule, .section = section,
           .floor = e->floor, .rest = e->rest);
  if (e->rule == ASC_RULE_FIXED) {
    asci_event_list(s->run, e->blocker);
    return;
  }
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t other = asci_mm_member(s, f, k);
    if (other != buffer && alive_in(s, other, e->section)) asci_event_list(s->run, other);
  }
}

static unsigned line_of(asc_rule rule) {
  return rule == ASC_RULE_CANONICAL ? LINE_CANONICAL : rule == ASC_RULE_DOMINANCE ? LINE_DOMINANCE : LINE_HATLESS;
}

void asci_mm_explain_skip(mm_search *s, const mm_frame *f, asc_rule rule, uint32_t from, uint32_t to) {
  uint32_t first = asci_mm_member(s, f, from), witness = ASC_NONE;
  int64_t bound = 0;
  if (rule == ASC_RULE_CANONICAL) {
    witness = s->depth ? s->placed[s->depth - 1] : ASC_NONE;
    bound = f->last_offset;
  } else if (rule == ASC_RULE_DOMINANCE) {
    witness = f->least_top_child;
    bound = f->least_top;
  } else {
    witness = asci_mm_member(s, f, from - 1);
    bound = s->least[witness];
  }
  ASC_TELL(s->run, SKIP, line_of(rule), .buffer = first, .offset = s->least[first], .rule = rule, .witness = witness,
           .bound = bound, .count = to - from);
  for (uint32_t k = from; k < to; k++) asci_event_list(s->run, asci_mm_member(s, f, k));
}
