/* Which offsets an item may have at all: alignment, fixed offset, banks, and, with windows, the holes that placed buffers leave. */
#include "model/bank.h"

/* Placed buffers whose pieces the item would meet at offset `at` push it up: returns the least offset beyond the first such piece, or `at`. */
static value past_placed(const search *s, uint32_t i, value at) {
  const ex_model *m = s->m;
  for (size_t k = m->near_begin[i]; k < m->near_begin[i + 1]; k++) {
    uint32_t other = m->near[k];
    if (s->offset[m->buffer[other]] == ASC_UNPLACED) continue;
    value base = (value)(s->offset[m->buffer[other]] / m->unit);
    for (uint32_t p = m->piece_begin[i]; p < m->piece_begin[i + 1]; p++)
      for (uint32_t q = m->piece_begin[other]; q < m->piece_begin[other + 1]; q++) {
        const ex_piece *own = &m->pieces[p], *its = &m->pieces[q];
        if (own->first >= its->end || its->first >= own->end) continue;
        if (at + (value)own->low < base + (value)its->high && base + (value)its->low < at + (value)own->high)
          return base + (value)its->high - (value)own->low;
      }
  }
  return at;
}

/* Least offset >= at that the item may have, or more than any capacity if there is none. */
static value snap(const search *s, uint32_t i, value at) {
  if (!general(s)) return at;
  const ex_model *m = s->m;
  while (at <= s->capacity) {
    int64_t suited = asci_least_offset(at, s->size[i], m->align[i], m->bank[i]);
    if (suited == ASCI_NOWHERE || suited > s->capacity) return s->capacity + 1;
    value next = (value)suited;
    if (m->fixed[i] >= 0) next = next <= (value)m->fixed[i] ? (value)m->fixed[i] : s->capacity + 1;
    if (windows(s) && next <= s->capacity) next = past_placed(s, i, next);
    if (next == at) return at;
    at = next;
  }
  return at;
}

/* With windows: the least offset above its present one at which the item, pushed down, could rest: on a placed neighbour or on one that is
   still to come. */
static value next_rest(const search *s, uint32_t i) {
  const ex_model *m = s->m;
  value now = s->least[i], next = s->capacity + 1;
  for (size_t k = m->near_begin[i]; k < m->near_begin[i + 1]; k++) {
    uint32_t other = m->near[k];
    bool placed = s->offset[m->buffer[other]] != ASC_UNPLACED;
    value base = placed ? (value)(s->offset[m->buffer[other]] / m->unit) : s->least[other];
    for (uint32_t p = m->piece_begin[i]; p < m->piece_begin[i + 1]; p++)
      for (uint32_t q = m->piece_begin[other]; q < m->piece_begin[other + 1]; q++) {
        const ex_piece *own = &m->pieces[p], *its = &m->pieces[q];
        if (own->first >= its->end || its->first >= own->end) continue;
        value at = base + (value)its->high - (value)own->low;
        if (at <= now && placed) continue;
        if (at <= now) at = now + 1;
        if (at < next) next = at;
      }
  }
  return next;
}
