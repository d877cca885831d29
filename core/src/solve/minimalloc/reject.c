/* Children that are rejected in a row. They come by least offset, so from the first one on above which the fullest section has no room none is placed
 * (paper 6.2: monotonic floor): nodes of MiniMalloc's K, I and G have 15 to 104 of them. What is left to say is whether a child overflows in a section
 * of its own. */
#include "search.h"

/* From so many children on it pays to mark first where totals are high. */
enum { MANY = 16 };

/* Marks the part's sections whose total is above `room`: few, or none. Gives from the first to the last of them. */
static mm_span mark_above(mm_search *s, const mm_part *own, int64_t room) {
  uint64_t *above = s->needed;
  mm_span reach = {own->end, own->first};
  for (uint32_t w = own->first / 64; w <= (own->end - 1) / 64; w++) above[w] = 0;
  for (uint32_t k = own->first;; k++) {
    k = asci_mm_first_above(s->total, k, own->end, room);
    if (k == own->end) return reach;
    above[k / 64] |= UINT64_C(1) << k % 64;
    if (k < reach.first) reach.first = k;
    reach.end = k + 1;
  }
}

/* Whether one of the marked sections of the span has a total above `room`. */
static inline bool is_above(const uint64_t *above, const int64_t *total, mm_span span, int64_t room) {
  uint64_t mask = asci_mm_bits_from(span.first);
  for (uint32_t w = span.first / 64, last = (span.end - 1) / 64; w <= last; w++, mask = UINT64_MAX) {
    uint64_t hit = above[w] & mask;
    if (w == last) hit &= asci_mm_bits_to(span.end - 1);
    for (; hit; hit &= hit - 1)
      if (total[w * 64 + (uint32_t)__builtin_ctzll(hit)] > room) return true;
  }
  return false;
}

/* Rejects `count` of the children at `list`, which asci_steps_together allows. reach: of the marked sections, if any are `marked`. */
static void reject_row(mm_search *s, const uint32_t *list, uint32_t count, bool marked, mm_span reach) {
  asc_run *run = s->run;
  const uint64_t *above = s->needed;
  const int64_t *total = s->total, *least = s->least;
  const mm_span *spans = s->span;
  int64_t capacity = run->capacity;
  uint64_t digest = run->digest;
  uint32_t full = 0;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t buffer = list[k];
    int64_t offset = least[buffer], room = capacity - offset;
    mm_span span = spans[buffer];
    if (!marked)
      full += asci_mm_first_above(total, span.first, span.end, room) < span.end;
    else if (span.first < reach.end && reach.first < span.end)
      full += is_above(above, total, span, room);
    digest = asci_fold_step(digest, ASC_EVENT_REJECT, buffer, offset);
  }
  asci_step_rejects(run, digest, count, s->depth);
  asci_count_rejects(run, ASC_RULE_SECTION, full);
  asci_count_rejects(run, ASC_RULE_MONOTONIC_FLOOR, count - full);
}

uint32_t asci_mm_reject_rest(mm_search *s, const mm_frame *f) {
  const mm_options *o = &s->options;
  if (s->general || asci_traced(s->run) || !o->dynamic_ordering || !o->section_inference || !o->monotonic_floor) return 0;
  const mm_part *own = &s->parts[f->part];
  const uint32_t *list = s->lists + f->list + f->next;
  uint32_t count = f->high - f->next, done = 0;
  bool marked = count >= MANY;
  mm_span reach = {0, 0};
  if (marked) reach = mark_above(s, own, s->run->capacity - s->least[list[count - 1]]);
  do {
    uint32_t row = asci_steps_together(s->run, count - done);
    reject_row(s, list + done, row, marked, reach);
    done += row;
  } while (done < count && asci_more(s->run));
  return done;
}
