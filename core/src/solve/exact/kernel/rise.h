/* Least offsets rise, and who is above the floor of its section with them. */

EX_INLINE void push_change(search *s, change c) {
  if (s->trail_count == s->trail_room &&
      !asci_grow(s->run->context, &s->trail, &s->trail_room, s->trail_count + 1, sizeof *s->trail)) {
    s->out_of_memory = true;
    return;
  }
  s->trail[s->trail_count++] = c;
}

/* Before a section's own numbers change. */
static void push_section(search *s, uint32_t t) {
  push_change(s, (change){.what = t | FLOOR_BIT,
                          .reason = s->count[t],
                          .old = s->floor[t],
                          .old_top = s->low_top[t],
                          .old_high = s->high[t]});
}

static inline void touch(search *s, uint32_t first, uint32_t end) {
  if (first < s->touched_first) s->touched_first = first;
  if (end > s->touched_end) s->touched_end = end;
}

/* In sections first .. end - 1 the count of those with that floor changes by `step`. Arrays that are arguments are known to be apart. */
static inline void count_floor(uint32_t *restrict count, const value *restrict floor, uint32_t first, uint32_t end,
                               value low, uint32_t step) {
  for (uint32_t t = first; t < end; t++) count[t] += floor[t] == low ? step : 0;
}

/* counts[t] changes by `step` where the item sat on the floor. */
static inline void count_floors(search *s, uint32_t i, value at, uint32_t step) {
  const ex_model *m = s->m;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++)
    count_floor(s->count, s->floor, m->pieces[q].first, m->pieces[q].end, at + (windows(s) ? (value)m->pieces[q].low : 0),
                step);
}

/* Section t overflows, by that rule. In a dive the capacity yields instead. */
static bool fail_section(search *s, uint32_t t, asc_rule rule) {
  if (s->elastic) {
    s->capacity = s->floor[t] + s->rest[t];
    return true;
  }
  memset(s->conflict, 0, s->m->words * sizeof *s->conflict);
  join_section(s, s->conflict, t);
  s->conflict_section = t;
  s->conflict_rule = rule;
  weigh(s, t);
  return false;
}

/* Likewise, of those that sit on `low` no longer. Returns the least `high` there. */
static inline value leave_floor(uint32_t *restrict count, const value *restrict floor, const value *restrict high,
                                uint32_t first, uint32_t end, value low) {
  value least = BIG;
  for (uint32_t t = first; t < end; t++) {
    count[t] -= floor[t] == low ? 1 : 0;
    least = high[t] < least ? high[t] : least;
  }
  return least;
}

/* The item rises from one offset to another: it leaves the floors that it sat on, and may be the highest of its sections. */
static inline void move_item(search *s, uint32_t i, value from, value to) {
  const ex_model *m = s->m;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++) {
    value low = windows(s) ? (value)m->pieces[q].low : 0, old = from + low, new = to + low;
    uint32_t first = m->pieces[q].first, end = m->pieces[q].end;
    if (leave_floor(s->count, s->floor, s->high, first, end, old) >= new) continue;
    /* undone to the letter: what is inferred must not depend on what was tried before */
    for (uint32_t t = first; t < end; t++)
      if (s->high[t] < new) {
        push_section(s, t);
        s->high[t] = new;
      }
  }
}

/* Whether the item may end there. */
static bool may_end(search *s, uint32_t i, value at) {
  if (at + s->size[i] > s->capacity) return false;
  if (!general(s) || at + s->size[i] - (value)s->m->tail[i] <= s->asked) return true;
  s->limited = true;
  return false;
}

/* False: no offset is left to the item; it alone is a conflict. */
static bool rise(search *s, uint32_t i, value to, uint32_t reason) {
  value old = s->least[i];
  push_change(s, (change){.what = i, .reason = reason, .old = old});
  move_item(s, i, old, to);
  touch(s, s->m->first[i], s->m->end[i]);
  s->least[i] = to;
  if (may_end(s, i, to)) return true;
  if (s->elastic) {
    s->capacity = to + s->size[i];
    return true;
  }
  memset(s->conflict, 0, s->m->words * sizeof *s->conflict);
  set_bit(s->conflict, i);
  s->conflict_section = EX_NONE;
  s->conflict_rule = ASC_RULE_DOMAIN;
  return false;
}

/* Where the rise at that place of the trail went, which is present from there up to `end`. */
static value raised_to(const search *s, size_t at, size_t end) {
  for (size_t later = at + 1; later < end; later++)
    if (s->trail[later].what == s->trail[at].what) return s->trail[later].old;
  return s->least[s->trail[at].what];
}

/* What a pass over a section's unplaced members finds. */
typedef struct survey {
  value floor;    /* least low end */
  uint32_t count; /* of those there */
  value least_top, high;
  value first_top;  /* least top of those that can be the lowest: with all the others above it the section fits */
  uint32_t witness; /* one that is there */
  bool others;      /* some cannot, and are below that top */
} survey;

EX_INLINE value low_in(const search *s, uint32_t i, uint32_t t) {
  return windows(s) ? s->least[i] + (value)piece_in(s, i, t)->low : s->least[i];
}

/* Of a section that overflows: who sits on its floor. */
EX_APART void survey_floor(const search *s, uint32_t t, survey *found) {
  const uint64_t *members = s->m->members + (size_t)t * s->m->words;
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = members[w] & s->unplaced[w]; word; word &= word - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word);
      if (low_in(s, i, t) != found->floor) continue;
      if (found->count++ == 0) found->witness = i;
    }
}

/* The innermost loop of all: in a dozen numbers of its own, each member compared with few. A least is seldom passed: a branch that is guessed
   costs a browser's engine two instructions, a choice between two numbers four. */
EX_APART survey survey_section(const search *s, uint32_t t) {
  const uint64_t *members = s->m->members + (size_t)t * s->m->words;
  const value *least = s->least, *size = s->size, limit = s->capacity - s->rest[t];
  value floor = BIG, first_top = BIG, high = 0, others = BIG, other_top = BIG; /* others: of those above the limit */
  uint64_t there = 0; /* on the floor: the first; above it how many */
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = members[w] & s->unplaced[w]; word; word &= word - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word);
      const ex_piece *piece = windows(s) ? piece_in(s, i, t) : NULL;
      value low = least[i] + (piece ? (value)piece->low : 0), top = least[i] + (piece ? (value)piece->high : size[i]);
      if (EX_SELDOM(low > high)) high = low;
      if (low > limit) {
        if (EX_SELDOM(low < others)) others = low;
        if (EX_SELDOM(top < other_top)) other_top = top;
        continue;
      }
      if (EX_SELDOM(top < first_top)) first_top = top;
      if (low > floor) continue;
      if (EX_SELDOM(low < floor)) {
        floor = low;
        there = i;
      }
      there += UINT64_C(1) << 32;
    }
  survey found = {floor,           (uint32_t)(there >> 32), first_top < other_top ? first_top : other_top, high, first_top,
                  (uint32_t)there, others < first_top};
  if (floor < BIG) return found;
  found.floor = others;
  survey_floor(s, t, &found);
  return found;
}

/* Not first (README 6). Whoever has least + rest > capacity is not the lowest of section t, so it lies above the top of one that can be.
   Sound: all others of t would have to lie above it. */
static bool raise_not_first(search *s, uint32_t t, value top) {
  const uint64_t *members = s->m->members + (size_t)t * s->m->words;
  value limit = s->capacity - s->rest[t];
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = members[w] & s->unplaced[w]; word; word &= word - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word);
      value low = low_in(s, i, t);
      if (low <= limit || low >= top) continue;
      asci_count_ahead(s->run, ASC_RULE_NOT_FIRST);
      if (!rise(s, i, snap(s, i, s->least[i] + (top - low)), t)) return false;
    }
  return true;
}
