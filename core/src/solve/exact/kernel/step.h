/* The search itself: one step at a time at the top node. */

/* ---- a node's children ----------------------------------------------------------------------------------------------- */

/* The candidate to try next, or EX_NONE. Lazy candidates (README 2): once the floor cannot be left idle for the reasons in the conflict, a
   candidate that is not in it need not be tried: what is in conflict fails without it. */
static uint32_t next_candidate(search *s, const node *f) {
  const uint64_t *set = set_of(s, f);
  bool lazy = s->m->options.lazy && f->waste != WASTE_OPEN && !s->elastic;
  if (s->m->options.hints && !f->joined) lazy = false; /* a blocked candidate would go before the one hinted there */
  for (uint32_t k = 0; k < f->count; k++)
    if (s->fates[f->list + k] == UNTRIED && (!lazy || has_bit(set, candidate(s, f, k)))) return k;
  return EX_NONE;
}

static bool one_span(const ex_model *m, uint32_t a, uint32_t b) {
  bool whole = m->piece_begin[a + 1] - m->piece_begin[a] == 1 && m->piece_begin[b + 1] - m->piece_begin[b] == 1;
  return whole && m->first[a] == m->first[b] && m->end[a] == m->end[b];
}

static bool alike(const search *s, uint32_t a, uint32_t b) {
  const ex_model *m = s->m;
  if (!one_span(m, a, b) || s->size[a] != s->size[b]) return false;
  return !general(s) ||
         (m->align[a] == m->align[b] && m->bank[a] == m->bank[b] && m->tail[a] == m->tail[b] && m->fixed[a] == m->fixed[b]);
}

/* Equal buffers (README 6): one of the candidate's lifespan and size has failed here. Sound: swap their names. */
static uint32_t equal_failed(const search *s, const node *f, uint32_t i) {
  if (!s->m->options.equal_buffers || windows(s)) return EX_NONE;
  for (uint32_t k = 0; k < f->count; k++)
    if (s->fates[f->list + k] == FAILED && alike(s, candidate(s, f, k), i)) return candidate(s, f, k);
  return EX_NONE;
}

/* The first section that overflows when the candidate sits on the floor: everything else there is above it. */
static uint32_t overflows(const search *s, uint32_t i, value floor) {
  const ex_model *m = s->m;
  if (windows(s)) return EX_NONE; /* something may nest below it */
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++)
    for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++)
      if (floor + s->rest[t] > s->capacity) return t;
  return EX_NONE;
}

/* Same span (README 6): a failed candidate of the same lifespan does not lie directly on the one placed now: swapped, they are the case that
   failed. Pushed down it rests on another neighbour, which lies above the one placed as well. */
static bool keep_off(search *s, const node *f, uint32_t i) {
  const ex_model *m = s->m;
  if (!m->options.same_span || general(s)) return true;
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t other = candidate(s, f, k);
    if (s->fates[f->list + k] != FAILED || !one_span(m, i, other)) continue;
    value least = s->capacity + 1;
    for (size_t e = m->near_begin[other]; e < m->near_begin[other + 1]; e++)
      if (is_unplaced(s, m->near[e]) && s->size[m->near[e]] < least) least = s->size[m->near[e]];
    value to = f->floor + s->size[i] + least;
    if (to <= s->least[other]) continue;
    asci_count_ahead(s->run, ASC_RULE_SAME_SPAN);
    if (!rise(s, other, to, DECISION)) return false;
  }
  return true;
}

/* The waste child: nobody sits on the floor. */
static bool raise_all(search *s, const node *f) {
  if (s->gluing) return raise_piles(s, f);
  for (uint32_t k = 0; k < f->count; k++) {
    uint32_t i = candidate(s, f, k);
    value to = windows(s) ? next_rest(s, i) : f->waste_to;
    if (!rise(s, i, snap(s, i, to), DECISION)) return false;
  }
  return true;
}

/* ---- conflicts ------------------------------------------------------------------------------------------------------- */

/* The child of f has failed with s->conflict, explained in f's state and undone. Without need of the decision it is f's own conflict;
   else it joins what the other children failed for. */
static void blame(search *s, node *f, bool needed) {
  uint64_t *set = set_of(s, f);
  bool placed = f->child != WASTE;
  if (proving(s)) prove_child(s, f, needed);
  f->joined = true;
  if (placed)
    s->fates[f->list + f->child] = FAILED;
  else
    f->waste = WASTE_FAILED;
  if (!needed) {
    memcpy(set, s->conflict, s->m->words * sizeof *set);
    f->failing = true;
    return;
  }
  for (uint32_t w = 0; w < s->m->words; w++) set[w] |= s->conflict[w];
  if (placed) set_bit(set, candidate(s, f, f->child));
}

/* Applies the child chosen in f->child. False: it fails at once, with s->conflict. */
static bool apply(search *s, node *f) {
  f->trail_mark = s->trail_count;
  f->open = true;
  uint32_t i = f->child == WASTE ? EX_NONE : candidate(s, f, f->child);
  bool well = i == EX_NONE ? raise_all(s, f) : place(s, i, spot(s, f, i)) && keep_off(s, f, i);
  well = well && refresh(s);
  f->trail_end = s->trail_count;
  return well;
}

static void fail_child(search *s, node *f) {
  if (proving(s)) prove_found(s);
  bool needed = explain_conflict(s, f);
  if (proving(s)) prove_explained(s);
  undo_child(s, f);
  if (asci_traced(s->run)) tell_conflict(s, s->conflict, 0, s->conflict_section);
  blame(s, f, needed);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static asc_outcome solved(search *s);
static void next_arm(search *s);

/* A waste child that is cut counts for the rule that cuts it. */
static void count_cut(search *s, const node *f) {
  if (f->waste == WASTE_NO_SLACK) asci_count_rule(s->run, ASC_RULE_SLACK, 0);
  if (f->waste == WASTE_BLOCKED) asci_count_rule(s->run, ASC_RULE_BLOCKED, 0);
}

static asc_outcome after_descent(search *s, descent end) {
  switch (end) {
  case DESCENT_NODE:
    count_cut(s, top_node(s));
    if (asci_traced(s->run)) tell_choice(s, top_node(s));
    return ASC_OUTCOME_RUNNING;
  case DESCENT_SOLVED:
    return solved(s);
  case DESCENT_MEMORY:
    return ASC_OUTCOME_OUT_OF_MEMORY;
  default:
    next_arm(s);
    return ASC_OUTCOME_RUNNING;
  }
}

static asc_outcome go_down(search *s) {
  size_t parts = s->part_count;
  descent end = descend(s, EX_NONE);
  if (s->part_count > parts + 1) {
    int64_t made = (int64_t)(s->part_count - parts);
    asci_mark(s->run, ASC_MARK_DECOMPOSE, made);
    ASC_EMIT(s->run, DECOMPOSE, LINE_DESCEND, .parts = made);
  }
  return after_descent(s, end);
}

static void skip_equal(search *s, node *f, uint32_t k, uint32_t failed) {
  const ex_model *m = s->m;
  uint32_t buffer = m->buffer[candidate(s, f, k)];
  int64_t at = bytes_of(s, f->floor);
  s->fates[f->list + k] = SKIPPED;
  if (proving(s)) prove_case(s, candidate(s, f, k), "=", m->buffer[failed]);
  asci_step_skip(s->run, ASC_RULE_EQUAL, buffer, at, 1, s->depth);
  if (!asci_traced(s->run)) return;
  ASC_TELL(s->run, SKIP, LINE_EQUAL, .buffer = buffer, .offset = at, .rule = ASC_RULE_EQUAL, .witness = m->buffer[failed],
           .bound = at, .count = 1);
  asci_event_list(s->run, buffer);
}

static void reject_at_once(search *s, node *f, uint32_t k, uint32_t t) {
  uint32_t i = candidate(s, f, k);
  s->fates[f->list + k] = FAILED;
  weigh(s, t);
  f->joined = true;
  join_section(s, set_of(s, f), t);
  if (proving(s)) prove_case(s, i, "!", time_of(s, t));
  asci_step_reject(s->run, ASC_RULE_SECTION, s->m->buffer[i], bytes_of(s, f->floor), s->depth);
  if (!asci_traced(s->run)) return;
  const ex_piece *q = piece_in(s, i, t);
  tell_reject(s, f, i, ASC_RULE_SECTION, t, f->floor + s->size[i], s->rest[t] - (value)(q->high - q->low));
}

static asc_outcome try_candidate(search *s, node *f, uint32_t k) {
  uint32_t i = candidate(s, f, k), equal = equal_failed(s, f, i), full = EX_NONE;
  if (equal != EX_NONE) {
    skip_equal(s, f, k, equal);
    return ASC_OUTCOME_RUNNING;
  }
  full = overflows(s, i, f->floor);
  if (full != EX_NONE) {
    reject_at_once(s, f, k, full);
    return ASC_OUTCOME_RUNNING;
  }
  f->child = k;
  bool well = apply(s, f) && !fail_known(s);
  if (s->out_of_memory) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (well) {
    asci_step_place(s->run, s->m->buffer[i], bytes_of(s, spot(s, f, i)), s->depth);
    if (asci_traced(s->run)) tell_place(s, f);
    return is_showing(s) ? ASC_OUTCOME_RUNNING : go_down(s);
  }
  asci_step_reject(s->run, s->conflict_rule, s->m->buffer[i], bytes_of(s, spot(s, f, i)), s->depth - 1);
  if (asci_traced(s->run)) tell_failure(s, f, i);
  fail_child(s, f);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome place_member(search *s) {
  uint32_t buffer = show_member(s, top_node(s));
  asci_step_place(s->run, buffer, s->offset[buffer], s->depth);
  if (asci_traced(s->run)) tell_member(s, buffer);
  return is_showing(s) ? ASC_OUTCOME_RUNNING : go_down(s);
}

static asc_outcome take_waste(search *s, node *f) {
  f->child = WASTE;
  find_waste(s, f, 0);
  bool well = apply(s, f) && !fail_known(s);
  if (s->out_of_memory) return ASC_OUTCOME_OUT_OF_MEMORY;
  asci_step_other(s->run, ASC_EVENT_WASTE, s->m->problem_section[f->section], bytes_of(s, f->waste_to), s->depth);
  if (asci_traced(s->run)) tell_waste(s, f);
  if (well) return go_down(s);
  fail_child(s, f);
  return ASC_OUTCOME_RUNNING;
}

/* ---- back ------------------------------------------------------------------------------------------------------------ */

/* Takes back all above the parent of the top node; gives the parent. */
static uint32_t leave(search *s) {
  const node *failed = top_node(s);
  uint32_t parent = failed->part_root ? failed->owner : (uint32_t)s->node_count - 2;
  while (s->node_count - 1 > parent) {
    node *f = top_node(s);
    if (f->open) undo_child(s, f);
    s->node_count--;
  }
  return parent;
}

static void undo_parent(search *s, node *f) {
  undo_child(s, f);
  s->list_count = (size_t)f->list + f->count;
  s->part_count = f->parts_mark;
  f->part_count = f->part_next = 0;
}

EX_RARE void tell_back(search *s, uint32_t from, uint32_t to, uint32_t top, uint32_t parent, unsigned learnt, bool major) {
  ASC_TELL(s->run, BACKTRACK, parent ? LINE_BACKJUMP : LINE_FAIL, .from = from, .to = to,
           .buffer = from > to ? s->placed[to] : ASC_NONE, .major = major);
  for (uint32_t level = from; level-- > to;) asci_event_list(s->run, s->placed[level]);
  for (uint32_t k = top; k > parent; k--)
    if (s->nodes[k].failing) tell_leave(s, &s->nodes[k], s->nodes[k].learnt ? ASC_RULE_LAZY : ASC_RULE_BACKJUMP);
  tell_conflict(s, s->conflict, learnt, EX_NONE);
}

static void count_left(search *s, const node *f) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < f->count; k++) count += s->fates[f->list + k] == UNTRIED;
  if (count) asci_count_rule(s->run, f->learnt ? ASC_RULE_LAZY : ASC_RULE_BACKJUMP, count);
}

static asc_outcome refuted(search *s);

/* Backjumping (README 2). The top node has failed: back to the nearest one whose decision its conflict needs and that has a child left. A conflict
   that does not need a decision on the way passes it by. Sound: that node's other children would fail with the same conflict. */
static asc_outcome backtrack(search *s) {
  asc_run *run = s->run;
  uint32_t from = s->depth, top = (uint32_t)s->node_count - 1, parent;
  uint64_t nodes = 0;
  unsigned learnt;
  do {
    node *f = top_node(s);
    nodes++;
    if (proving(s)) prove_failed(s, f);
    learnt = f->learnt ? learn(s, set_of(s, f)) : 0;
    memcpy(s->conflict, set_of(s, f), s->m->words * sizeof *s->conflict);
    parent = leave(s);
    f = &s->nodes[parent];
    if (parent == 0) break;
    bool needed = explain_conflict(s, f);
    if (proving(s)) prove_explained(s);
    undo_parent(s, f);
    blame(s, f, needed);
    if (!f->failing && next_candidate(s, f) == EX_NONE && f->waste != WASTE_OPEN) f->failing = f->learnt = true;
  } while (s->nodes[parent].failing);
  uint32_t to = s->depth, last = from > to ? s->placed[to] : ASC_NONE;
  bool major = asci_step_backtrack(run, from, to, last, nodes, false);
  for (uint32_t k = top; k > parent; k--) /* what was popped is still where it was */
    if (s->nodes[k].failing) count_left(s, &s->nodes[k]);
  if (asci_traced(run)) tell_back(s, from, to, top, parent, learnt, major);
  if (parent == 0 && s->gluing) next_arm(s);
  return parent || s->gluing ? ASC_OUTCOME_RUNNING : refuted(s);
}

/* What the item's fullest section still has to take. */
static value most_rest(const search *s, uint32_t i) {
  const ex_model *m = s->m;
  value most = 0;
  for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++)
    for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++)
      if (s->rest[t] > most) most = s->rest[t];
  return most;
}

/* In a dive the capacity yields to a candidate that overflows. */
static void yield_to(search *s, const node *f, uint32_t i) {
  value need = f->floor + most_rest(s, i);
  if (need > s->capacity) s->capacity = need;
}

/* In a dive nothing is taken back: the capacity yields to the candidate that needs least of it. */
static asc_outcome yield(search *s, node *f) {
  uint32_t best = 0;
  value least = BIG;
  for (uint32_t k = 0; k < f->count; k++) {
    value most = most_rest(s, candidate(s, f, k));
    s->fates[f->list + k] = UNTRIED;
    if (most >= least) continue;
    least = most;
    best = k;
  }
  yield_to(s, f, candidate(s, f, best));
  return try_candidate(s, f, best);
}

static asc_outcome step_node(search *s) {
  node *f = top_node(s);
  if (f->failing) return backtrack(s);
  uint32_t k = next_candidate(s, f);
  /* that a waste child not to blame is passed by is backjumping: without it the node's set might have no candidate at all */
  bool waste = f->waste == WASTE_OPEN && !s->elastic && s->m->options.backjumping;
  if (k != EX_NONE && !(waste && is_hinted_above(s, f, candidate(s, f, k)))) return try_candidate(s, f, k);
  if (f->waste == WASTE_OPEN) return take_waste(s, f);
  if (s->elastic) return yield(s, f);
  f->failing = f->learnt = true;
  return backtrack(s);
}
