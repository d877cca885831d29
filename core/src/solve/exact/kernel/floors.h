/* Floors of sections, and what follows from them at once. */

static bool infer(search *s, uint32_t t, const survey *found) {
  if (s->elastic) return true; /* what follows from a capacity that yields does not hold */
  if (s->m->options.not_first && found->others && !raise_not_first(s, t, found->first_top)) return false;
  if (s->m->options.subset_sums && !raise_to_sums(s, t)) return false;
  return !general(s) || raise_to_piles(s, t);
}

/* Section t has lost what sat on its floor. False: it overflows (or an inference leaves an item no offset). */
static bool refloor(search *s, uint32_t t) {
  push_section(s, t);
  survey found = survey_section(s, t);
  s->floor[t] = found.floor;
  s->count[t] = found.count;
  s->low_top[t] = found.least_top;
  s->high[t] = found.high;
  s->witness[t] = found.witness;
  if (found.floor + s->rest[t] > s->capacity && !fail_section(s, t, ASC_RULE_SECTION)) return false;
  return infer(s, t, &found);
}

/* The same where the buffer just placed had its place, without a look at the members: those that have risen, or were there, sit on its top,
   and nobody is below. Only where no inference could follow. False: not so, refloor must look. */
static bool refloor_on_top(search *s, uint32_t t, value top) {
  if (s->arrived[t] == 0 || top + s->rest[t] > s->capacity) return false;
  value slack = s->capacity - top - s->rest[t];
  bool inferences = (s->m->options.not_first && s->high[t] > top + slack) ||
                    (s->m->options.subset_sums && slack <= SUM_SLACK && s->capacity - top <= SUM_SPAN);
  if (inferences && !s->elastic) return false;
  push_section(s, t);
  s->floor[t] = top;
  s->count[t] = s->arrived[t];
  if (s->low_top[t] <= top) s->low_top[t] = top + 1;
  return true;
}

/* Sets right every floor that the rises since the last call have taken away, until none is left. */
static bool refresh(search *s) {
  bool well = true;
  while (well && s->touched_first < s->touched_end) {
    uint32_t first = s->touched_first, end = s->touched_end;
    s->touched_first = EX_NONE;
    s->touched_end = 0;
    for (uint32_t t = first; well && t < end; t++)
      if (s->count[t] == 0 && s->rest[t] > 0) well = refloor(s, t);
  }
  s->touched_first = EX_NONE;
  s->touched_end = 0;
  return well && !s->out_of_memory;
}

/* The item sits on the top of what is being placed in the sections from .. to - 1. */
EX_INLINE void arrive(search *s, uint32_t i, uint32_t from, uint32_t to) {
  const ex_model *m = s->m;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++) {
    uint32_t first = m->pieces[q].first > from ? m->pieces[q].first : from;
    uint32_t end = m->pieces[q].end < to ? m->pieces[q].end : to;
    for (uint32_t t = first; t < end; t++) s->arrived[t]++;
  }
}

static void refloor_span(search *s, uint32_t i, value top) {
  const ex_model *m = s->m;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++)
    for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++)
      if (s->count[t] == 0 && s->rest[t] > 0) refloor_on_top(s, t, top);
}

/* Puts the candidate on the floor: its neighbours rise to its top. */
static bool place(search *s, uint32_t i, value at) {
  const ex_model *m = s->m;
  count_floors(s, i, at, UINT32_MAX);
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++) {
    value height = (value)(m->pieces[q].high - m->pieces[q].low);
    for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++) s->rest[t] -= height;
  }
  for (uint32_t t = m->first[i]; t + 1 < m->end[i]; t++) s->cross[t]--;
  s->least[i] = BIG;
  s->unplaced[i / 64] &= ~(UINT64_C(1) << (i % 64));
  s->offset[m->buffer[i]] = (int64_t)at * m->unit;
  s->placed[s->depth++] = m->buffer[i];
  touch(s, m->first[i], m->end[i]);
  value top = at + s->size[i];
  memset(s->arrived + m->first[i], 0, (m->end[i] - m->first[i]) * sizeof *s->arrived);
  const uint32_t *end = m->near + m->near_begin[i + 1];
  for (const uint32_t *near = m->near + m->near_begin[i]; near < end; near++) {
    uint32_t other = *near;
    value least = s->least[other];
    if (windows(s)) {
      value to = is_unplaced(s, other) ? snap(s, other, least) : least;
      if (to != least && !rise(s, other, to, DECISION)) return false;
      continue;
    }
    if (least > top) continue;
    if (least < top && !rise(s, other, snap(s, other, top), DECISION)) return false;
    if (s->least[other] == top) arrive(s, other, m->first[i], m->end[i]);
  }
  if (!general(s)) refloor_span(s, i, top);
  return true;
}

static void unplace(search *s, uint32_t i, value at) {
  const ex_model *m = s->m;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++) {
    value height = (value)(m->pieces[q].high - m->pieces[q].low);
    for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++) s->rest[t] += height;
  }
  for (uint32_t t = m->first[i]; t + 1 < m->end[i]; t++) s->cross[t]++;
  count_floors(s, i, at, 1);
  s->least[i] = at;
  set_bit(s->unplaced, i);
  s->offset[m->buffer[i]] = ASC_UNPLACED;
  s->depth--;
}

/* Of a box all but the one that its item is. */
static void hide_members(search *s, const node *f) {
  while (s->depth > f->level + 1) s->offset[s->placed[--s->depth]] = ASC_UNPLACED;
}

static void undo_trail(search *s, size_t mark) {
  while (s->trail_count > mark) {
    const change *c = &s->trail[--s->trail_count];
    if (c->what & FLOOR_BIT) {
      uint32_t t = c->what & ~FLOOR_BIT;
      s->floor[t] = c->old;
      s->low_top[t] = c->old_top;
      s->high[t] = c->old_high;
      s->count[t] = c->reason;
    } else {
      s->least[c->what] = c->old;
      count_floors(s, c->what, c->old, 1);
    }
  }
  s->touched_first = EX_NONE;
  s->touched_end = 0;
}

/* Takes back the child of a node. */
static void undo_child(search *s, node *f) {
  undo_trail(s, f->trail_mark);
  if (f->child != WASTE) {
    if (s->m->boxes) hide_members(s, f);
    unplace(s, candidate(s, f, f->child), spot(s, f, candidate(s, f, f->child)));
  }
  f->open = false;
}
