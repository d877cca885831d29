/* Placing a buffer at its least offset: what it raises, which floors it lifts, whether every section still fits.
 *
 * The check of a section k is floor'_k + total'_k <= capacity (paper 6.2, eq. 3), where floor' is the largest of
 *   - the top of what is placed there (the new buffer's top in its own sections),
 *   - with monotonic floor, the new buffer's offset (6.2, first strengthening),
 *   - with unallocated floor, in every section spanned by a buffer whose least offset rose: the smallest least offset of the buffers
 *     still to place there (6.2, second strengthening).
 * Most placements fail at once: in its own sections top + (total - size) = offset + total, and with monotonic floor every other section
 * has offset + total too, so offset + (largest total of the part) > capacity rejects without touching anything. */
#include "model/bank.h"
#include "search.h"

static bool spans_meet(mm_span a, mm_span b) {
  return a.first < b.end && b.first < a.end;
}

bool asci_mm_overlap(const mm_search *s, uint32_t a, uint32_t b) {
  if (!s->general) return spans_meet(s->span[a], s->span[b]);
  if (!spans_meet(s->span[a], s->span[b])) return false;
  size_t low = s->overlaps.begin[a], high = s->overlaps.begin[a + 1];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->overlaps.other[middle] == b) return true;
    if (s->overlaps.other[middle] < b)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

/* Without gaps and windows what is unplaced in a section is what its total has beside the buffer. */
bool asci_mm_has_hat(const mm_search *s, const mm_frame *f, uint32_t buffer) {
  if (!s->general) {
    for (uint32_t k = s->span[buffer].first; k < s->span[buffer].end; k++)
      if (s->total[k] > s->size[buffer]) return true;
    return false;
  }
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t other = asci_mm_member(s, f, k);
    if (other != buffer && asci_mm_overlap(s, buffer, other)) return true;
  }
  return false;
}

static bool reject(mm_search *s, asc_rule rule, uint32_t section, int64_t floor, int64_t rest) {
  s->effect.rule = rule;
  s->effect.section = section;
  s->effect.floor = floor;
  s->effect.rest = rest;
  return false;
}

/* ---- the fast path: one span per buffer, no alignment, nothing fixed ------------------------------------------------- */

/* The rejections that need no look at other buffers. */
static bool fits_at_once(mm_search *s, const mm_frame *f, uint32_t buffer) {
  int64_t capacity = s->run->capacity, offset = s->least[buffer], top = offset + s->size[buffer];
  mm_span span = s->span[buffer];
  if (!s->options.section_inference) {
    if (top > capacity) return reject(s, ASC_RULE_CAPACITY, span.first, top, 0);
    return true;
  }
  if (offset + f->most_total <= capacity) return true;
  uint32_t k = asci_mm_first_above(s->total, span.first, span.end, capacity - offset);
  if (k < span.end) return reject(s, ASC_RULE_SECTION, k, top, s->total[k] - s->size[buffer]);
  if (s->options.monotonic_floor) return reject(s, ASC_RULE_MONOTONIC_FLOOR, f->most_total_section, offset, f->most_total);
  /* Without monotonic floor only a part that overflowed from the start can fail elsewhere: every later floor was checked. */
  if (s->hopeless && s->floor[f->most_total_section] + f->most_total > capacity)
    return reject(s, ASC_RULE_SECTION, f->most_total_section, s->floor[f->most_total_section], f->most_total);
  return true;
}

/* Marks the sections of a span in `needed`. */
static void mark(uint64_t *needed, uint32_t first, uint32_t end) {
  uint64_t mask = asci_mm_bits_from(first);
  uint32_t w = first / 64, last = (end - 1) / 64;
  for (; w < last; w++, mask = UINT64_MAX) needed[w] |= mask;
  needed[w] |= mask & asci_mm_bits_to(end - 1);
}

static void unmark(uint64_t *needed, uint32_t first, uint32_t end) {
  uint64_t mask = asci_mm_bits_from(first);
  uint32_t w = first / 64, last = (end - 1) / 64;
  for (; w < last; w++, mask = UINT64_MAX) needed[w] &= ~mask;
  needed[w] &= ~(mask & asci_mm_bits_to(end - 1));
}

/* Gives the needed sections of a word the floor `least`; false if one overflows. */
static bool settle_word(mm_search *s, uint32_t word, uint64_t hit, int64_t least) {
  int64_t capacity = s->run->capacity;
  for (; hit; hit &= hit - 1) {
    uint32_t k = word * 64 + (uint32_t)__builtin_ctzll(hit);
    if (least <= s->floor[k]) continue;
    int64_t rest = s->options.section_inference ? s->total[k] : 0;
    if (least + rest > capacity) return reject(s, ASC_RULE_UNALLOCATED_FLOOR, k, least, rest);
    s->effect.floors[s->effect.floor_count++] = (mm_floor_change){k, least};
  }
  return true;
}

/* Gives the needed sections of a span the floor `least`, takes them out of the set; false if one overflows. The span is two numbers: a
   struct would go through memory in a module of WebAssembly. */
static inline bool settle(mm_search *s, uint32_t first, uint32_t end, int64_t least) {
  uint64_t mask = asci_mm_bits_from(first), *needed = s->needed;
  for (uint32_t w = first / 64, last = (end - 1) / 64; w <= last; w++, mask = UINT64_MAX) {
    uint64_t hit = needed[w] & mask;
    if (w == last) hit &= asci_mm_bits_to(end - 1);
    if (!hit) continue;
    needed[w] ^= hit;
    if (!settle_word(s, w, hit, least)) return false;
  }
  return true;
}

/* Splits the children that lie below the new top into those that rise and those that stay. sorted: with dynamic ordering, a constant for the caller.
   An engine that compiles a module has few registers left for this loop, so it is made for each order, and pointers go on instead of indices. */
static inline void split_children(mm_search *s, const mm_frame *f, uint32_t buffer, int64_t top, bool sorted) {
  mm_effect *e = &s->effect;
  const uint32_t first = s->span[buffer].first, end = s->span[buffer].end;
  const mm_span *spans = s->span;
  const int64_t *least = s->least;
  const uint32_t *child = s->lists + f->list;
  uint32_t left = f->count;
  uint32_t *stay = e->stays;
  mm_raise *rise = e->raises;
  for (; left; left--, child++) {
    uint32_t other = *child;
    if (least[other] >= top) {
      if (sorted) break;
      continue;
    }
    if (spans[other].first >= end || first >= spans[other].end)
      *stay++ = other;
    else if (other != buffer)
      *rise++ = (mm_raise){other, top};
  }
  e->raise_count = (uint32_t)(rise - e->raises);
  e->stay_count = (uint32_t)(stay - e->stays);
  e->below_end = f->count - left;
}

/* Narrows a range to the sections in it that are needed; false if there are none. Outside of it none is. */
static inline bool narrow(const uint64_t *needed, mm_span *range) {
  if (range->first >= range->end) return false;
  uint32_t from = range->first / 64, to = (range->end - 1) / 64;
  while (!needed[from])
    if (from++ == to) return false;
  while (!needed[to]) to--;
  range->first = from * 64 + (uint32_t)__builtin_ctzll(needed[from]);
  range->end = to * 64 + 64 - (uint32_t)__builtin_clzll(needed[to]);
  return true;
}

/* The sections of those that rise, but for the new buffer's own: all that rise meet it, and so does their reach. */
static mm_span mark_raised(mm_search *s, uint32_t buffer) {
  const mm_effect *e = &s->effect;
  const mm_span *spans = s->span, own = spans[buffer];
  uint32_t first = UINT32_MAX, end = 0;
  for (uint32_t k = 0; k < e->raise_count; k++) {
    uint32_t other = e->raises[k].buffer;
    if (spans[other].first < first) first = spans[other].first;
    if (spans[other].end > end) end = spans[other].end;
  }
  const mm_span reach = {first, end};
  if (reach.first >= reach.end) return reach;
  for (uint32_t w = reach.first / 64; w <= (reach.end - 1) / 64; w++) s->needed[w] = 0;
  for (uint32_t k = 0; k < e->raise_count; k++) {
    mm_span span = spans[e->raises[k].buffer];
    mark(s->needed, span.first, span.end);
  }
  unmark(s->needed, own.first > reach.first ? own.first : reach.first, own.end < reach.end ? own.end : reach.end);
  return reach;
}

/* Without dynamic ordering children are in no such order, and the rule needs the least first. */
static void sort_stays(mm_search *s) {
  uint32_t *stays = s->effect.stays;
  for (uint32_t i = 1; i < s->effect.stay_count; i++) {
    uint32_t child = stays[i], at = i;
    for (; at && s->least[stays[at - 1]] > s->least[child]; at--) stays[at] = stays[at - 1];
    stays[at] = child;
  }
}

/* Floors from unplaced buffers: in a section spanned by a raised buffer the smallest least offset is the top itself, unless a buffer that
   stays below is alive there. In the new buffer's own sections nothing stays below, so the floor there is just the top. */
static bool lift_floors(mm_search *s, uint32_t buffer, int64_t top) {
  const uint32_t *stays = s->effect.stays;
  const mm_span *spans = s->span;
  mm_span reach = mark_raised(s, buffer);
  if (!narrow(s->needed, &reach)) return true;
  if (!s->options.dynamic_ordering) sort_stays(s);
  for (uint32_t k = 0, stay = s->effect.stay_count; k < stay; k++) {
    uint32_t other = stays[k];
    mm_span span = spans[other];
    if (!spans_meet(span, reach)) continue;
    uint32_t first = span.first > reach.first ? span.first : reach.first, end = span.end < reach.end ? span.end : reach.end;
    if (!settle(s, first, end, s->least[other])) return false;
    if (!narrow(s->needed, &reach)) return true;
  }
  return settle(s, reach.first, reach.end, top);
}

static bool try_fast(mm_search *s, const mm_frame *f, uint32_t buffer) {
  if (!fits_at_once(s, f, buffer)) return false;
  int64_t top = s->least[buffer] + s->size[buffer];
  s->effect.floor_count = 0;
  if (s->options.dynamic_ordering)
    split_children(s, f, buffer, top, true);
  else
    split_children(s, f, buffer, top, false);
  if (s->options.unallocated_floor && s->effect.raise_count && !lift_floors(s, buffer, top)) return false;
  for (uint32_t k = s->span[buffer].first; k < s->span[buffer].end; k++)
    s->effect.floors[s->effect.floor_count++] = (mm_floor_change){k, top};
  return true;
}

/* ---- the general path: alignment, banks, fixed offsets, gaps, windows ------------------------------------------------ */

/* New least offsets of the overlapping buffers. With windows, `above` is the least distance at which the other lies above in every
   shared section; the search knows no nesting below, so with windows it is incomplete (the engine says exhausted, not infeasible). */
static bool raise_general(mm_search *s, const mm_frame *f, uint32_t buffer) {
  mm_effect *e = &s->effect;
  e->raise_count = 0;
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t other = asci_mm_member(s, f, k);
    s->new_least[other] = s->least[other];
  }
  for (size_t k = s->overlaps.begin[buffer]; k < s->overlaps.begin[buffer + 1]; k++) {
    uint32_t other = s->overlaps.other[k];
    if (s->offset[other] != ASC_UNPLACED) continue;
    const asc_buffer_spec *spec = &s->problem->buffers[other];
    int64_t above = s->overlaps.above ? s->overlaps.above[k] : s->size[buffer];
    int64_t least = s->least[buffer] + above;
    if (least < 0) least = 0;
    least = asci_next_offset(least, spec->size, spec->alignment, spec->bank);
    if (least <= s->least[other]) continue;
    if (spec->offset != ASC_UNPLACED) {
      e->blocker = other;
      return reject(s, ASC_RULE_FIXED, ASC_NONE, least, spec->offset);
    }
    s->new_least[other] = least;
    e->raises[e->raise_count++] = (mm_raise){other, least};
  }
  return true;
}

/* Floors of the new buffer's own sections: its windows' tops. */
static void floors_of_placed(mm_search *s, uint32_t buffer) {
  mm_effect *e = &s->effect;
  e->floor_count = 0;
  for (uint32_t p = s->problem->piece_begin[buffer]; p < s->problem->piece_begin[buffer + 1]; p++)
    for (uint32_t k = s->piece_first[p]; k < s->piece_end[p]; k++) {
      int64_t top = s->least[buffer] + s->problem->pieces[p].window_upper;
      e->floors[e->floor_count++] = (mm_floor_change){k, top > s->floor[k] ? top : s->floor[k]};
    }
}

/* Lifts the floor of each section spanned by a raised buffer to the smallest least offset of its unplaced buffers. new_floor holds, for
   touched sections, that smallest one. */
static void lift_general(mm_search *s, const mm_frame *f, uint32_t buffer) {
  mm_effect *e = &s->effect;
  const asc_problem *problem = s->problem;
  for (uint32_t r = 0; r < e->raise_count; r++)
    for (uint32_t p = problem->piece_begin[e->raises[r].buffer]; p < problem->piece_begin[e->raises[r].buffer + 1]; p++)
      for (uint32_t k = s->piece_first[p]; k < s->piece_end[p]; k++) {
        s->touched[k] = true;
        s->new_floor[k] = INT64_MAX;
      }
  for (uint32_t c = 0; c < f->count; c++) {
    uint32_t other = asci_mm_member(s, f, c);
    if (other == buffer) continue;
    for (uint32_t p = problem->piece_begin[other]; p < problem->piece_begin[other + 1]; p++)
      for (uint32_t k = s->piece_first[p]; k < s->piece_end[p]; k++)
        if (s->touched[k] && s->new_least[other] < s->new_floor[k]) s->new_floor[k] = s->new_least[other];
  }
  for (uint32_t i = 0; i < e->floor_count; i++) {
    mm_floor_change *own = &e->floors[i];
    if (s->touched[own->section] && s->new_floor[own->section] > own->floor) own->floor = s->new_floor[own->section];
    s->touched[own->section] = false;
  }
  for (uint32_t k = s->parts[f->part].first; k < s->parts[f->part].end; k++) {
    if (s->touched[k] && s->new_floor[k] > s->floor[k]) e->floors[e->floor_count++] = (mm_floor_change){k, s->new_floor[k]};
    s->touched[k] = false;
  }
}

/* Checks every section of the part with the effect's floors and the totals less the new buffer. */
static bool check_general(mm_search *s, const mm_frame *f, uint32_t buffer) {
  mm_effect *e = &s->effect;
  const mm_part *own = &s->parts[f->part];
  int64_t capacity = s->run->capacity, offset = s->least[buffer];
  if (offset + s->size[buffer] > capacity) /* a window may hide it from every section */
    return reject(s, ASC_RULE_CAPACITY, ASC_NONE, offset + s->size[buffer], 0);
  for (uint32_t k = own->first; k < own->end; k++) {
    s->new_floor[k] = s->floor[k];
    s->new_total[k] = s->total[k];
  }
  for (uint32_t i = 0; i < e->floor_count; i++) s->new_floor[e->floors[i].section] = e->floors[i].floor;
  for (uint32_t p = s->problem->piece_begin[buffer]; p < s->problem->piece_begin[buffer + 1]; p++) {
    int64_t height = s->problem->pieces[p].window_upper - s->problem->pieces[p].window_lower;
    for (uint32_t k = s->piece_first[p]; k < s->piece_end[p]; k++) {
      int64_t top = offset + s->problem->pieces[p].window_upper;
      s->new_total[k] -= height;
      int64_t rest = s->options.section_inference ? s->new_total[k] : 0;
      if (top + rest > capacity)
        return reject(s, s->options.section_inference ? ASC_RULE_SECTION : ASC_RULE_CAPACITY, k, top, rest);
    }
  }
  for (uint32_t k = own->first; k < own->end; k++) {
    int64_t rest = s->options.section_inference ? s->new_total[k] : 0, floor = s->new_floor[k];
    if (floor + rest > capacity)
      return reject(s, floor > s->floor[k] ? ASC_RULE_UNALLOCATED_FLOOR : ASC_RULE_SECTION, k, floor, rest);
    if (s->options.monotonic_floor && offset + rest > capacity) return reject(s, ASC_RULE_MONOTONIC_FLOOR, k, offset, rest);
  }
  return true;
}

static bool try_general(mm_search *s, const mm_frame *f, uint32_t buffer) {
  if (!raise_general(s, f, buffer)) return false;
  floors_of_placed(s, buffer);
  if (s->options.unallocated_floor) lift_general(s, f, buffer);
  return check_general(s, f, buffer);
}

bool asci_mm_try(mm_search *s, const mm_frame *f, uint32_t buffer) {
  return s->general ? try_general(s, f, buffer) : try_fast(s, f, buffer);
}

/* ---- doing and undoing ----------------------------------------------------------------------------------------------- */

bool asci_mm_apply(mm_search *s, uint32_t buffer) {
  mm_effect *e = &s->effect;
  asc_context *context = s->run->context;
  if (!asci_grow(context, &s->raises, &s->raise_room, s->raise_count + e->raise_count, sizeof *s->raises) ||
      !asci_grow(context, &s->floors, &s->floor_room, s->floor_count + e->floor_count, sizeof *s->floors))
    return false;
  for (uint32_t k = 0; k < e->raise_count; k++) {
    uint32_t other = e->raises[k].buffer;
    s->raises[s->raise_count++] = (mm_raise){other, s->least[other]};
    s->least[other] = e->raises[k].least;
  }
  for (uint32_t k = 0; k < e->floor_count; k++) {
    uint32_t section = e->floors[k].section;
    s->floors[s->floor_count++] = (mm_floor_change){section, s->floor[section]};
    s->floor[section] = e->floors[k].floor;
  }
  for (uint32_t p = s->problem->piece_begin[buffer]; p < s->problem->piece_begin[buffer + 1]; p++) {
    int64_t height = s->problem->pieces[p].window_upper - s->problem->pieces[p].window_lower;
    for (uint32_t k = s->piece_first[p]; k < s->piece_end[p]; k++) s->total[k] -= height;
  }
  for (uint32_t k = s->span[buffer].first; k + 1 < s->span[buffer].end; k++) s->cuts[k]--;
  s->offset[buffer] = s->least[buffer];
  s->placed[s->depth++] = buffer;
  return true;
}

void asci_mm_undo(mm_search *s, const mm_frame *f, uint32_t buffer) {
  while (s->raise_count > f->raises_mark) {
    mm_raise r = s->raises[--s->raise_count];
    s->least[r.buffer] = r.least;
  }
  while (s->floor_count > f->floors_mark) {
    mm_floor_change c = s->floors[--s->floor_count];
    s->floor[c.section] = c.floor;
  }
  for (uint32_t p = s->problem->piece_begin[buffer]; p < s->problem->piece_begin[buffer + 1]; p++) {
    int64_t height = s->problem->pieces[p].window_upper - s->problem->pieces[p].window_lower;
    for (uint32_t k = s->piece_first[p]; k < s->piece_end[p]; k++) s->total[k] += height;
  }
  for (uint32_t k = s->span[buffer].first; k + 1 < s->span[buffer].end; k++) s->cuts[k]++;
  s->offset[buffer] = ASC_UNPLACED;
  s->depth--;
}
