/* Which section to ask, who may sit on its floor, and whether somebody must (README 1, 4). */

static inline int64_t children_of(const search *s, uint32_t t, int64_t slack) {
  return (int64_t)(s->count[t] < 500 ? s->count[t] : 500) + (slack > 0);
}

EX_INLINE int64_t score_of(const search *s, ex_score score, uint32_t t) {
  int64_t floor = s->floor[t], slack = (int64_t)s->capacity - floor - s->rest[t];
  switch (score) {
  case EX_SCORE_FLOOR:
    return floor * 512 + children_of(s, t, slack);
  case EX_SCORE_CHILDREN:
    return children_of(s, t, slack) * ((int64_t)s->capacity + 1) + slack;
  case EX_SCORE_WEIGHTED:
    return children_of(s, t, slack) * 4096 / s->weight[t];
  case EX_SCORE_LOAD:
    return -(int64_t)s->rest[t];
  case EX_SCORE_MIXED:
    return 4 * floor + slack;
  default:
    return (8 * floor + slack) * 16 / s->weight[t];
  }
}

EX_INLINE void score_each(search *s, ex_score score, uint32_t first, uint32_t end) {
  const value *rest = s->rest;
  int64_t *scores = s->score;
  for (uint32_t t = first; t < end; t++) scores[t] = rest[t] > 0 ? score_of(s, score, t) : INT64_MAX;
}

/* A loop for each score, so that none asks which one it is. */
EX_APART void score_sections(search *s, uint32_t first, uint32_t end) {
  switch (s->arm->score) {
  case EX_SCORE_FLOOR:
    score_each(s, EX_SCORE_FLOOR, first, end);
    break;
  case EX_SCORE_CHILDREN:
    score_each(s, EX_SCORE_CHILDREN, first, end);
    break;
  case EX_SCORE_WEIGHTED:
    score_each(s, EX_SCORE_WEIGHTED, first, end);
    break;
  case EX_SCORE_LOAD:
    score_each(s, EX_SCORE_LOAD, first, end);
    break;
  case EX_SCORE_MIXED:
    score_each(s, EX_SCORE_MIXED, first, end);
    break;
  default:
    score_each(s, EX_SCORE_MIXED_WEIGHT, first, end);
    break;
  }
}

/* The least top of some items. A placed item has BIG for its least offset, so that its top is above all others. */
EX_APART value least_top(const uint32_t *restrict items, uint32_t count, const value *restrict least,
                         const value *restrict size) {
  value top = BIG;
  for (uint32_t k = 0; k < count; k++)
    if (EX_SELDOM(least[items[k]] + size[items[k]] < top)) top = least[items[k]] + size[items[k]];
  return top;
}

/* Nothing unplaced fits under the item in any of its sections. Tops only rise, so an old one is looked at again only where it is in the way. */
static bool nothing_under(search *s, uint32_t i, value floor) {
  const ex_model *m = s->m;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++)
    for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++) {
      if (s->low_top[t] > floor) continue;
      value top = least_top(m->list + m->list_begin[t], m->list_begin[t + 1] - m->list_begin[t], s->least, s->size);
      if (top != s->low_top[t]) {
        push_section(s, t);
        s->low_top[t] = top;
      }
      if (top <= floor) return false;
    }
  return true;
}

/* A section is valid if nothing can slip under any of its candidates: then whoever sits on its floor lies below all its neighbours, and
   placing it there raises them. The section with the lowest floor of all is always valid. With windows buffers may nest, which the
   offsets taken from neighbours express (domain.h), and every section is. */
static bool is_valid(search *s, uint32_t t) {
  const ex_model *m = s->m;
  value floor = s->floor[t];
  if (windows(s)) return true;
  uint32_t first = t, end = t + 1; /* of all candidates together */
  for (uint32_t e = m->list_begin[t]; e < m->list_begin[t + 1]; e++) {
    uint32_t i = m->list[e];
    if (s->least[i] != floor) continue;
    if (m->first[i] < first) first = m->first[i];
    if (m->end[i] > end) end = m->end[i];
  }
  const value *low_top = s->low_top;
  value least = BIG;
  for (uint32_t k = first; k < end; k++) least = low_top[k] < least ? low_top[k] : least;
  if (least > floor) return true;
  for (uint32_t e = m->list_begin[t]; e < m->list_begin[t + 1]; e++)
    if (s->least[m->list[e]] == floor && !nothing_under(s, m->list[e], floor)) return false;
  return true;
}

/* The section of least score among those of [first, end), ties to the left or to the right; EX_NONE if none has one. The score first,
   by vectors where there are some for numbers of 64 bits, then its place. */
EX_APART uint32_t least_score(const int64_t *scores, uint32_t first, uint32_t end, bool mirrored) {
  int64_t least = INT64_MAX;
  for (uint32_t t = first; t < end; t++) least = scores[t] < least ? scores[t] : least;
  if (least == INT64_MAX) return EX_NONE;
  if (mirrored) {
    do end--;
    while (scores[end] != least);
    return end;
  }
  while (scores[first] != least) first++;
  return first;
}

/* The valid section of least score among those of [first, end) that have something to place, ties to the left, mirrored to the right. */
static uint32_t choose_section(search *s, uint32_t first, uint32_t end) {
  score_sections(s, first, end);
  while (true) {
    uint32_t best = least_score(s->score, first, end, s->arm->mirrored);
    if (best == EX_NONE || is_valid(s, best)) return best;
    s->score[best] = INT64_MAX;
  }
}

/* ---- the waste child --------------------------------------------------------------------------------------------------- */

static void waste_at_most(node *f, value to, uint32_t setter) {
  if (to >= f->waste_to) return;
  f->waste_to = to;
  f->setter = setter;
}

/* Whether the candidate is blocked: all its neighbours outside the section begin at or above its top, so that it could drop to the floor. */
EX_APART bool none_below(const uint32_t *near, uint32_t count, const value *least, value top, const uint64_t *members) {
  for (uint32_t k = 0; k < count; k++)
    if (EX_SELDOM(least[near[k]] < top) && !has_bit(members, near[k])) return false;
  return true;
}

static bool is_clear(const search *s, const node *f, uint32_t i) {
  const ex_model *m = s->m;
  return none_below(m->near + m->near_begin[i], (uint32_t)(m->near_begin[i + 1] - m->near_begin[i]), s->least,
                    f->floor + s->size[i], m->members + (size_t)f->section * m->words);
}

/* On the least top of a neighbour outside the section the candidate could rest. Stops at `enough` or below. */
static void look_outside(const search *s, node *f, uint32_t i, value enough) {
  const ex_model *m = s->m;
  const uint64_t *members = m->members + (size_t)f->section * m->words;
  const uint32_t *near = m->near, end = (uint32_t)(m->near_begin[i + 1] - m->near_begin[i]);
  const value *least = s->least, *size = s->size;
  value to = f->waste_to;
  uint32_t setter = f->setter;
  near += m->near_begin[i];
  for (uint32_t k = 0; k < end && to > enough; k++) {
    uint32_t other = near[k];
    value top = least[other] + size[other]; /* of what is placed more than any */
    if (top >= to || has_bit(members, other)) continue;
    to = top;
    setter = other;
  }
  f->waste_to = to;
  f->setter = setter;
}

/* With windows each candidate has its own next offset. */
static void find_waste_with_windows(const search *s, node *f) {
  const ex_model *m = s->m;
  for (uint32_t e = m->list_begin[f->section]; e < m->list_begin[f->section + 1]; e++) {
    uint32_t i = m->list[e];
    value low = s->least[i] + low_of(s, e);
    if (is_unplaced(s, i)) waste_at_most(f, low > f->floor ? low : next_rest(s, i) + low_of(s, e), i);
  }
}

/* If nobody sits on the floor, a packing pushed down has its lowest buffer of the section at waste_to or above: at the least offset of a
   member that is above the floor, or on the top of a candidate's neighbour outside. With `enough` the search for the least ends early. */
static void find_waste(const search *s, node *f, value enough) {
  const ex_model *m = s->m;
  f->waste_to = BIG;
  f->setter = EX_NONE;
  if (windows(s)) {
    find_waste_with_windows(s, f);
    return;
  }
  for (uint32_t e = m->list_begin[f->section]; e < m->list_begin[f->section + 1]; e++)
    if (s->least[m->list[e]] > f->floor) waste_at_most(f, s->least[m->list[e]], m->list[e]);
  for (uint32_t k = 0; k < f->count; k++) look_outside(s, f, candidate(s, f, k), enough);
}

/* Blocked (README 6): the smallest clear candidate, for it must also fit under the section's others at waste_to. Sound: in any packing of the
   waste child it could drop to the floor, and so it is one of the child that places it there. */
static uint32_t find_blocker(const search *s, const node *f) {
  uint32_t blocker = EX_NONE;
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t i = candidate(s, f, k);
    if ((blocker == EX_NONE || s->size[i] < s->size[blocker]) && is_clear(s, f, i)) blocker = i;
  }
  return blocker;
}

/* Whether the waste child is cut, and the conflict that says so: the whole section if floor and rest leave no room to rise to waste_to, else
   the blocked candidate. */
static void close_waste(search *s, node *f) {
  uint64_t *set = set_of(s, f);
  value slack = s->capacity - f->floor - s->rest[f->section];
  memset(set, 0, s->m->words * sizeof *set);
  f->waste = WASTE_OPEN;
  f->blocker = s->m->options.blocked && slack > 0 && !windows(s) ? find_blocker(s, f) : EX_NONE;
  if (slack > 0) find_waste(s, f, f->blocker == EX_NONE ? f->floor + slack : 0);
  if (slack == 0 || f->waste_to - f->floor > slack) {
    f->waste = WASTE_NO_SLACK;
    join_section(s, set, f->section);
  } else if (f->blocker != EX_NONE && f->waste_to >= f->floor + s->size[f->blocker]) {
    f->waste = WASTE_BLOCKED;
    set_bit(set, f->blocker);
  }
}
