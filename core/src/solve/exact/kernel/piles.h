/* Piles (README 6): where alignments are mixed, a section's floor and sizes say little about how high its buffers reach. In a packing those of one
 * section lie on each other in some order, and what lies under a member is a pile of others, which ends no lower than their lowest pile does.
 *
 * By subsets, as model/pile.h has them for what nobody has placed yet: from below the least end of each, from above the greatest offset at which
 * it may begin. A member may lie on a subset where the others have room above it; the least such offset is its least offset from now on. */

/* The unplaced members of section t. False: there are too many, or what alignments could add to them fits anyway. */
static bool gather_pile(search *s, uint32_t t) {
  const uint64_t *members = s->m->members + (size_t)t * s->m->words;
  value apart = 0;
  s->piled_count = 0;
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = members[w] & s->unplaced[w]; word; word &= word - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word);
      if (s->piled_count == PILE_MEMBERS) return false;
      s->piled[s->piled_count++] = i;
      apart += (value)s->m->apart[i];
    }
  return s->piled_count > 1 && s->floor[t] + s->rest[t] + apart > s->capacity;
}

/* Where member k ends on what ends at `under`; nowhere, if that is above the capacity. */
static value end_on(const search *s, uint32_t k, value under) {
  uint32_t i = s->piled[k];
  if (under > s->capacity) return BIG;
  return (under > s->least[i] ? snap(s, i, under) : s->least[i]) + s->size[i];
}

/* The greatest offset at which member k may lie under what begins at `over`, or -1. */
static value begin_under(const search *s, uint32_t k, value over) {
  const ex_model *m = s->m;
  uint32_t i = s->piled[k];
  value at = over - s->size[i];
  if (at < s->least[i]) return -1;
  int64_t suited = asci_greatest_offset(at, s->size[i], m->align[i], m->bank[i]);
  if (m->fixed[i] >= 0) suited = m->fixed[i] <= at ? m->fixed[i] : -1;
  return suited < (int64_t)s->least[i] ? -1 : (value)suited;
}

/* What the rounded size of member k may not end above, with nothing on top of it: see may_end. */
static value top_limit(const search *s, uint32_t k) {
  value limit = s->asked + (value)s->m->tail[s->piled[k]];
  return limit < s->capacity ? limit : s->capacity;
}

/* Where the members of a set may begin at most, or as much as member k may end at if it is the topmost. */
static value begin_of(const search *s, uint32_t set, uint32_t k) {
  return set ? s->pile_begins[set] : top_limit(s, k);
}

static void pile_from_below(search *s, uint32_t all) {
  s->pile_ends[0] = 0;
  for (uint32_t set = 1; set <= all; set++) {
    value least = BIG;
    for (uint32_t rest = set; rest; rest &= rest - 1) {
      value end = end_on(s, (uint32_t)__builtin_ctz(rest), s->pile_ends[set & ~(rest & -rest)]);
      least = end < least ? end : least;
    }
    s->pile_ends[set] = least;
  }
}

static void pile_from_above(search *s, uint32_t all) {
  for (uint32_t set = 1; set < all; set++) {
    value most = -1;
    for (uint32_t rest = set; rest; rest &= rest - 1) {
      uint32_t k = (uint32_t)__builtin_ctz(rest);
      value begin = begin_under(s, k, begin_of(s, set & ~(rest & -rest), k));
      most = begin > most ? begin : most;
    }
    s->pile_begins[set] = most;
  }
}

/* The least offset of member k in a pile of all; BIG: there is none. */
static value least_in_pile(const search *s, uint32_t all, uint32_t k) {
  uint32_t others = all & ~(1u << k), set = 0;
  value size = s->size[s->piled[k]], low = s->least[s->piled[k]], least = BIG;
  do {
    value end = s->pile_ends[set] < least ? end_on(s, k, s->pile_ends[set]) : BIG;
    if (end - size < least && end <= begin_of(s, others & ~set, k)) least = end - size;
    set = (set - others) & others;
  } while (set && least > low);
  return least;
}

static bool some_pile_fits(const search *s, uint32_t all) {
  for (uint32_t k = 0; k < s->piled_count; k++)
    if (end_on(s, k, s->pile_ends[all & ~(1u << k)]) <= top_limit(s, k)) return true;
  return false;
}

/* False: the members of section t do not lie on top of each other, or one of them is left no offset. */
static bool raise_to_piles(search *s, uint32_t t) {
  if (!s->m->mixed || !gather_pile(s, t)) return true;
  uint32_t all = (1u << s->piled_count) - 1;
  pile_from_below(s, all);
  bool fits = some_pile_fits(s, all);
  if (fits) pile_from_above(s, all);
  for (uint32_t k = 0; fits && k < s->piled_count; k++) {
    uint32_t i = s->piled[k];
    value to = least_in_pile(s, all, k);
    if (to <= s->least[i]) continue;
    s->limited |= s->asked < s->capacity;
    asci_count_ahead(s->run, ASC_RULE_PILE);
    if (!rise(s, i, to, t | PILE_BIT)) return false;
  }
  if (fits) return true;
  s->limited |= s->asked < s->capacity;
  return fail_section(s, t, ASC_RULE_PILE);
}
