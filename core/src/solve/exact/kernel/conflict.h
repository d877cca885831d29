/* Conflicts: their reasons, and the rings of those worth keeping (README 2, 3). */

/* Backjumping (README 2). Turns the conflict in s->conflict, found after the child of f was applied, into one of f's own state: an item that
   an inference raised stands for the section that raised it. Returns whether the decision itself raised one of its items; if not, the conflict
   holds without the decision. Sound: from the last rise to the first, each either does not matter to the set, or is explained by it. */
static bool explain_conflict(search *s, const node *f) {
  s->proof.rise_count = 0;
  const ex_model *m = s->m;
  bool needed = !m->options.backjumping, proves = proving(s);
  for (size_t k = f->trail_end; k-- > f->trail_mark;) {
    const change *c = &s->trail[k];
    if ((c->what & FLOOR_BIT) || !has_bit(s->conflict, c->what)) continue;
    if (proves) prove_rise(s, f, k);
    if (c->reason == DECISION)
      needed = true;
    else
      join_section(s, s->conflict, section_of(c->reason));
  }
  if (!windows(s) || f->child == WASTE || needed) return needed;
  /* with windows a placed buffer takes offsets from its neighbours without raising them */
  uint32_t i = candidate(s, f, f->child);
  for (size_t k = m->near_begin[i]; k < m->near_begin[i + 1]; k++)
    if (has_bit(s->conflict, m->near[k])) return true;
  return false;
}

/* Whether an item is unplaced and no lower than `least`. */
EX_INLINE bool stands(const search *s, uint32_t i, value least) {
  return s->least[i] >= least && s->least[i] < BIG;
}

/* Whether the conflict holds; if not, the item that says so is watched from now on. */
static bool holds(const search *s, const nogood *g, watch *w) {
  for (uint32_t k = 0; k < g->count; k++)
    if (!stands(s, g->items[k], g->least[k])) {
      *w = (watch){g->items[k], g->least[k]};
      return false;
    }
  return true;
}

/* The next entry from `at` on whose watch stands: seldom one does. */
EX_APART uint32_t next_standing(const watch *watches, uint32_t at, uint32_t end, const value *least) {
  for (; at < end; at++) {
    value now = least[watches[at].item];
    if (EX_SELDOM(now >= watches[at].least) && now < BIG) break;
  }
  return at;
}

static const nogood *find_in(const search *s, const ring *r) {
  for (uint32_t k = 0; (k = next_standing(r->watches, k, r->used, s->least)) < r->used; k++)
    if (holds(s, &r->entries[k], &r->watches[k])) return &r->entries[k];
  return NULL;
}

/* Nogoods (README 3): whether a conflict met before holds again: all its items are unplaced and none lies lower than then. Sound: it is a
   statement on the set, its least offsets and the capacity alone, so it holds in every arm and at every lower capacity. */
static bool fail_known(search *s) {
  s->hit = find_in(s, &s->small[s->gluing]);
  if (!s->hit) s->hit = find_in(s, &s->recent[s->gluing]);
  if (!s->hit) return false;
  memcpy(s->conflict, s->hit->bits, s->m->words * sizeof *s->conflict);
  s->conflict_section = EX_NONE;
  s->conflict_rule = ASC_RULE_NOGOOD;
  return true;
}

static uint32_t next_entry(ring *r) {
  uint32_t at = r->next;
  r->next = r->next + 1 == r->size ? 0 : r->next + 1;
  if (r->used < r->size) r->used++;
  return at;
}

static void keep(const search *s, ring *r, const uint64_t *set) {
  uint32_t at = next_entry(r), count = 0;
  nogood *g = &r->entries[at];
  uint32_t *items = g->items;
  uint64_t *bits = g->bits;
  value *least = g->least;
  const value *now = s->least;
  for (uint32_t w = 0; w < s->m->words; w++) {
    bits[w] = set[w];
    for (uint64_t word = set[w]; word; word &= word - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word);
      items[count] = i;
      least[count++] = now[i];
    }
  }
  g->count = count;
  g->lemma = s->run->prover ? s->run->prover->lemmas : 0; /* it was written just now */
  r->watches[at] = (watch){items[0], least[0]};
}

static uint32_t count_bits(const search *s, const uint64_t *set) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < s->m->words; w++) count += (uint32_t)__builtin_popcountll(set[w]);
  return count;
}

/* Keeps a conflict of the present state; returns 0 (not kept), 1 (among the recent), 2 (among the small ones too). */
static unsigned learn(search *s, const uint64_t *set) {
  if (windows(s)) return 0; /* the holes that placed buffers leave are no part of the statement */
  unsigned learnt = 0;
  if (s->m->options.nogoods && s->recent[s->gluing].size) {
    keep(s, &s->recent[s->gluing], set);
    learnt = 1;
  }
  if (s->m->options.small_nogoods && s->small[s->gluing].size && count_bits(s, set) <= s->small[s->gluing].room) {
    keep(s, &s->small[s->gluing], set);
    learnt = 2;
  }
  return learnt;
}

static void forget_nogoods(search *s, bool gluing) {
  ring *recent = &s->recent[gluing], *small = &s->small[gluing];
  recent->used = recent->next = small->used = small->next = 0;
  if (!gluing) s->limited = false;
}
