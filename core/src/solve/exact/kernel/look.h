/* The order in which a section's candidates are tried (README 5): first those that waste least of the slack that is scarce. */

#define LOG_ONE 1024
#define DEAD INT64_C(1000000000)

/* log2(1 + x) in 1024ths, linear between powers of two: the same everywhere, and concave, which is what counts. */
static inline int64_t log_one_plus(int64_t x) {
  uint64_t y = (uint64_t)x + 1;
  unsigned e = 63 - (unsigned)__builtin_clzll(y);
  uint64_t below = y - (UINT64_C(1) << e);
  return (int64_t)e * LOG_ONE + (int64_t)(e <= 10 ? below << (10 - e) : below >> (e - 10));
}

/* What it costs that a section's slack shrinks from s0 to s1; DEAD if nothing is left. */
static inline int64_t loss(int64_t s0, int64_t s1) {
  if (s1 < 0) return DEAD;
  return s1 < s0 ? log_one_plus(s0) - log_one_plus(s1) : 0;
}

/* Least offset in section t of the members but i, or BIG; stops at the first that is no more than `enough`. */
static value least_of_others(const search *s, uint32_t t, uint32_t i, value enough) {
  const ex_model *m = s->m;
  value least = BIG;
  for (uint32_t e = m->list_begin[t]; e < m->list_begin[t + 1]; e++) {
    uint32_t other = m->list[e];
    value low = s->least[other] + low_of(s, e);
    if (other == i || low >= least) continue;
    least = low;
    if (least <= enough) break;
  }
  return least;
}

/* Inside its own span: everything else lands at or above its top. */
EX_APART int64_t cost_inside(const search *s, uint32_t i, value at) {
  const ex_model *m = s->m;
  value top = at + s->size[i];
  int64_t cost = 0;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++) {
    value height = (value)(m->pieces[q].high - m->pieces[q].low);
    for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++) {
      value floor = s->floor[t], after = top;
      if (s->rest[t] == height || (floor == at && s->count[t] > 1)) continue; /* nothing is wasted there */
      if (floor == at) { /* it sits there alone: the others may begin higher than its top */
        value others = least_of_others(s, t, i, top);
        if (others > after) after = others;
      }
      int64_t s0 = (int64_t)s->capacity - floor - s->rest[t], s1 = (int64_t)s->capacity - after - (s->rest[t] - height);
      cost += loss(s0, s1);
      if (cost >= DEAD) return DEAD;
    }
  }
  return cost;
}

/* Section t, outside the span, in which some neighbours rise to top; others: least offset there of those that are no neighbours. */
static int64_t cost_beside(const search *s, uint32_t t, value top, value others) {
  value after = others < top ? others : top, floor = s->floor[t];
  if (after <= floor) return 0;
  int64_t s0 = (int64_t)s->capacity - floor - s->rest[t];
  return loss(s0, s0 - (after - floor));
}

/* Least offset in section t of the members that are no neighbours, which stand at the end of the list; stops at one on the floor. Goes on
   where it stopped for the node's candidate before, if that one ends no earlier (begins no later): what is beyond it is beyond this one too. */
EX_INLINE value least_beyond(const search *s, uint32_t t, uint32_t edge, value floor, bool right) {
  const ex_model *m = s->m;
  const uint32_t *list = right ? m->list : m->list_by_end, *edges = right ? m->first : m->end;
  const value *least = s->least;
  glance *g = &s->glances[t];
  if (g->look != s->looks * 2 + right || (right ? edge > g->edge : edge < g->edge))
    *g = (glance){.look = s->looks * 2 + right, .entry = m->list_begin[t + 1], .others = BIG};
  g->edge = edge;
  value others = g->others;
  uint32_t e = g->entry;
  for (uint32_t begin = m->list_begin[t]; e > begin && others > floor; e--) {
    uint32_t other = list[e - 1];
    if (right ? edges[other] < edge : edges[other] > edge) break;
    if (least[other] >= others) continue;
    others = least[other];
    if (others <= floor) s->witness[t] = other;
  }
  g->entry = e;
  g->others = others;
  return others;
}

/* Apart from the loop that asks for it, for the sake of registers; and each side by itself. */
EX_APART value least_beyond_right(const search *s, uint32_t t, uint32_t edge, value floor) {
  return least_beyond(s, t, edge, floor, true);
}
EX_APART value least_beyond_left(const search *s, uint32_t t, uint32_t edge, value floor) {
  return least_beyond(s, t, edge, floor, false);
}

/* The sections from .. to - 1, all on one side of the span. Where a section's witness still sits on its floor and is no neighbour nothing
   changes. */
EX_INLINE int64_t cost_outside(const search *s, uint32_t i, value top, uint32_t from, uint32_t to, bool right) {
  const value *rest = s->rest, *floors = s->floor, *least = s->least;
  const uint32_t *witness = s->witness, *edges = right ? s->m->first : s->m->end;
  uint32_t edge = right ? s->m->end[i] : s->m->first[i];
  int64_t cost = 0;
  for (uint32_t t = from; t < to && cost < DEAD; t++) {
    value floor = floors[t];
    if (rest[t] <= 0 || floor >= top) continue;
    uint32_t other = witness[t];
    if (least[other] == floor && (right ? edges[other] >= edge : edges[other] <= edge)) continue;
    cost += cost_beside(s, t, top, right ? least_beyond_right(s, t, edge, floor) : least_beyond_left(s, t, edge, floor));
  }
  return cost;
}
EX_APART int64_t cost_right(const search *s, uint32_t i, value top, uint32_t to) {
  return cost_outside(s, i, top, s->m->end[i], to, true);
}
EX_APART int64_t cost_left(const search *s, uint32_t i, value top, uint32_t from) {
  return cost_outside(s, i, top, from, s->m->first[i], false);
}

/* The sections from the first to the last that some neighbour below `top` is alive in. */
static void find_reach(const search *s, uint32_t i, value top, uint32_t *left, uint32_t *right) {
  const ex_model *m = s->m;
  *left = m->first[i];
  *right = m->end[i];
  for (size_t k = m->near_begin[i]; k < m->near_begin[i + 1]; k++) {
    uint32_t other = m->near[k];
    if (s->least[other] >= top) continue;
    if (m->first[other] < *left) *left = m->first[other];
    if (m->end[other] > *right) *right = m->end[other];
  }
}

/* The first of the list that lies below `top`: there is one. */
static uint32_t first_below(const uint32_t *list, const value *least, value top) {
  while (least[*list] >= top) list++;
  return *list;
}

static int64_t look_ahead(const search *s, uint32_t i, value at) {
  const ex_model *m = s->m;
  int64_t cost = cost_inside(s, i, at);
  if (cost >= DEAD || s->arm->look == EX_LOOK_SPAN) return cost;
  value top = at + s->size[i];
  uint32_t left, right;
  if (m->gaps) {
    find_reach(s, i, top, &left, &right);
  } else { /* who reaches beyond the span is alive at its end, where members are in order; the item itself is below */
    left = m->first[first_below(m->list + m->list_begin[m->first[i]], s->least, top)];
    right = m->end[first_below(m->list_by_end + m->list_begin[m->end[i] - 1], s->least, top)];
  }
  cost += cost_right(s, i, top, right);
  if (cost < DEAD) cost += cost_left(s, i, top, left);
  return cost < DEAD ? cost : DEAD;
}

/* The plan of the hints has the candidate above the floor: it goes behind the waste child, for that plan may leave the floor idle. */
static inline bool is_hinted_above(const search *s, const node *f, uint32_t i) {
  return s->m->options.hints && s->m->hint[i] > spot(s, f, i);
}

/* Orders the candidates of an open node: hint, look-ahead, static rank; those hinted above come last; after the first cycle, now and then,
   another one first. */
static void order_candidates(search *s, const node *f) {
  const ex_model *m = s->m;
  const uint32_t *rank = m->ranks[s->arm->rank];
  uint32_t *list = s->list + f->list;
  if (f->count < 2) return;
  s->looks++;
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t i = list[k], at = k;
    int64_t key = s->arm->look == EX_LOOK_NOT ? 0 : look_ahead(s, i, f->floor);
    if (m->options.hints && m->hint[i] == spot(s, f, i)) key = -1;
    if (is_hinted_above(s, f, i)) key += 2 * DEAD;
    for (; at > 0 && (s->key[at - 1] > key || (s->key[at - 1] == key && rank[list[at - 1]] > rank[i])); at--) {
      list[at] = list[at - 1];
      s->key[at] = s->key[at - 1];
    }
    list[at] = i;
    s->key[at] = key;
  }
  /* a draw takes the place of random candidates, but where it joins all that can be joined, which is mostly the same */
  bool orderly = s->cycle == 0 || (m->boxes ? !m->boxes->whole : s->gluing);
  if (orderly || asci_random_below(&s->rng, 100) >= (uint64_t)m->options.randomness) return;
  uint32_t other = 1 + (uint32_t)asci_random_below(&s->rng, f->count - 1), first = list[0];
  list[0] = list[other];
  list[other] = first;
}
