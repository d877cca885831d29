/* Events with their witnesses: made only while a log is attached, from the state; nothing here changes the search. */

static uint32_t shown_section(const search *s, uint32_t t) {
  return t == EX_NONE ? ASC_NONE : s->m->problem_section[t];
}

/* Of a box those that are alive in that section. */
static void list_alive(const search *s, uint32_t i, uint32_t t) {
  const asc_problem *problem = s->m->problem;
  const uint32_t *buffers, section = s->m->problem_section[t], count = buffers_of(s, i, &buffers);
  for (uint32_t k = 0; k < count; k++) {
    const asci_piece *piece = &problem->pieces[problem->piece_begin[buffers[k]]];
    if (count == 1 || (piece->first <= section && section < piece->end)) asci_event_list(s->run, buffers[k]);
  }
}

/* Returns how many buffers that are; they are listed if `lists`. */
static uint32_t list_set(const search *s, const uint64_t *set, bool lists) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = set[w]; word; word &= word - 1) {
      const uint32_t *buffers, found = buffers_of(s, w * 64 + (uint32_t)__builtin_ctzll(word), &buffers);
      for (uint32_t k = 0; lists && k < found; k++) asci_event_list(s->run, buffers[k]);
      count += found;
    }
  return count;
}

/* As the event says it. */
static const uint8_t shown_waste[] = {
    [WASTE_OPEN] = 0, [WASTE_NO_SLACK] = 1, [WASTE_BLOCKED] = 2, [WASTE_FAILED] = 0, [WASTE_PILED] = 3};

EX_RARE void tell_choice(search *s, const node *f) {
  int64_t score = score_of(s, s->arm->score, f->section);
  int64_t blocker = f->waste == WASTE_BLOCKED ? (int64_t)s->m->buffer[f->blocker] : ASC_NONE;
  ASC_TELL(s->run, CHOOSE, LINE_CHOOSE, .section = shown_section(s, f->section), .floor = bytes_of(s, f->floor),
           .rest = bytes_of(s, s->rest[f->section]), .score = score, .waste = shown_waste[f->waste], .buffer = blocker);
  for (uint32_t k = 0; k < f->count; k++) asci_event_list(s->run, s->m->buffer[candidate(s, f, k)]);
}

/* A placed buffer on whose top the buffer rests. */
static uint32_t support_of(const search *s, uint32_t i, value at) {
  const ex_model *m = s->m;
  for (size_t k = m->near_begin[i]; k < m->near_begin[i + 1]; k++) {
    uint32_t other = m->near[k];
    int64_t offset = s->offset[m->buffer[other]];
    if (offset != ASC_UNPLACED && offset / m->unit + s->size[other] == at) return m->buffer[other];
  }
  return ASC_NONE;
}

/* Which rule raised an item while the child of f was applied: NONE is the decision itself. The placed one raises each item to its top at
   most, so one that was there already was kept off it. */
static asc_rule rule_of(const search *s, const node *f, const change *c) {
  if (c->reason != DECISION)
    return c->reason & SUM_BIT ? ASC_RULE_SUBSET_SUM : c->reason & PILE_BIT ? ASC_RULE_PILE : ASC_RULE_NOT_FIRST;
  if (f->child == WASTE || general(s)) return ASC_RULE_NONE;
  return c->old >= f->floor + s->size[candidate(s, f, f->child)] ? ASC_RULE_SAME_SPAN : ASC_RULE_NONE;
}

/* What the child of f raised: the decision's own rises as the list of the event before, the inferences' as events. */
EX_RARE void tell_rises(search *s, const node *f) {
  for (size_t k = f->trail_mark; k < f->trail_end; k++) {
    const change *c = &s->trail[k];
    if (!(c->what & FLOOR_BIT) && rule_of(s, f, c) == ASC_RULE_NONE) asci_event_list(s->run, s->m->buffer[c->what]);
  }
}

EX_RARE void tell_inferences(search *s, const node *f) {
  for (size_t k = f->trail_mark; k < f->trail_end; k++) {
    const change *c = &s->trail[k];
    asc_rule rule = c->what & FLOOR_BIT ? ASC_RULE_NONE : rule_of(s, f, c);
    if (rule == ASC_RULE_NONE) continue;
    value to = raised_to(s, k, f->trail_end);
    bool same = rule == ASC_RULE_SAME_SPAN;
    ASC_TELL(s->run, RAISE, LINE_PLACE, .buffer = s->m->buffer[c->what], .offset = bytes_of(s, to), .rule = rule,
             .section = same ? ASC_NONE : shown_section(s, section_of(c->reason)), .from = bytes_of(s, c->old),
             .other = same ? s->m->buffer[candidate(s, f, f->child)] : ASC_NONE);
  }
}

/* What the buffer placed last rests on, if that is the top of another; of boxes, whose members are many. */
static uint32_t support_of_last(const search *s) {
  const asc_buffer_spec *buffers = s->m->problem->buffers;
  uint32_t last = s->placed[s->depth - 1];
  for (uint32_t level = s->base; level + 1 < s->depth; level++) {
    uint32_t b = s->placed[level];
    bool meets = buffers[b].lower < buffers[last].upper && buffers[last].lower < buffers[b].upper;
    if (meets && s->offset[b] + buffers[b].size == s->offset[last]) return b;
  }
  return ASC_NONE;
}

EX_RARE void tell_member(search *s, uint32_t buffer) {
  ASC_TELL(s->run, PLACE, LINE_PLACE, .buffer = buffer, .offset = s->offset[buffer], .support = support_of_last(s), .of = 1);
}

EX_RARE void tell_place(search *s, const node *f) {
  uint32_t i = candidate(s, f, f->child);
  ASC_TELL(s->run, PLACE, LINE_PLACE, .buffer = s->m->buffer[i], .offset = bytes_of(s, spot(s, f, i)),
           .support = s->m->boxes ? support_of_last(s) : support_of(s, i, spot(s, f, i)), .of = f->count);
  tell_rises(s, f);
  tell_inferences(s, f);
}

EX_RARE void tell_waste(search *s, const node *f) {
  int64_t setter = f->setter == EX_NONE ? ASC_NONE : s->m->buffer[f->setter];
  ASC_TELL(s->run, WASTE, LINE_WASTE, .section = shown_section(s, f->section), .floor = bytes_of(s, f->floor),
           .to = bytes_of(s, f->waste_to), .buffer = setter);
  tell_rises(s, f);
  tell_inferences(s, f);
}

/* The candidate fails at once: in section t floor and rest exceed the capacity; without a section, the conflict says who has failed. */
EX_RARE void tell_reject(search *s, const node *f, uint32_t i, asc_rule rule, uint32_t t, value floor, value rest) {
  ASC_TELL(s->run, REJECT, rule == ASC_RULE_NOGOOD ? LINE_NOGOOD : LINE_OVERFLOW, .buffer = s->m->buffer[i],
           .offset = bytes_of(s, spot(s, f, i)), .rule = rule, .section = shown_section(s, t), .floor = bytes_of(s, floor),
           .rest = bytes_of(s, rest));
  if (t == EX_NONE) {
    list_set(s, s->conflict, true);
    return;
  }
  for (uint32_t e = s->m->list_begin[t]; e < s->m->list_begin[t + 1]; e++)
    if (s->m->list[e] != i && is_unplaced(s, s->m->list[e])) list_alive(s, s->m->list[e], t);
}

static uint32_t first_of(const uint64_t *set, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    if (set[w]) return w * 64 + (uint32_t)__builtin_ctzll(set[w]);
  return EX_NONE;
}

/* The same after it was applied, in the state that fails. */
EX_RARE void tell_failure(search *s, const node *f, uint32_t i) {
  uint32_t t = s->conflict_section, alone = first_of(s->conflict, s->m->words);
  value floor = 0, rest = 0;
  if (t != EX_NONE) {
    floor = s->floor[t];
    rest = s->rest[t];
  } else if (s->conflict_rule == ASC_RULE_DOMAIN) {
    floor = s->least[alone];
    rest = s->size[alone];
  }
  tell_reject(s, f, i, s->conflict_rule, t, floor, rest);
  tell_inferences(s, f);
}

EX_RARE void tell_conflict(search *s, const uint64_t *set, unsigned learnt, uint32_t t) {
  ASC_TELL(s->run, CONFLICT, learnt ? LINE_LEARN : LINE_JOIN, .size = list_set(s, set, false), .learned = learnt,
           .section = shown_section(s, t));
  list_set(s, set, true);
}

/* The candidates of f that are passed over for good. */
EX_RARE void tell_leave(search *s, const node *f, asc_rule rule) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < f->count; k++) count += s->fates[f->list + k] == UNTRIED;
  if (count == 0 && rule == ASC_RULE_LAZY) return;
  ASC_TELL(s->run, LEAVE, rule == ASC_RULE_BACKJUMP ? LINE_BACKJUMP : LINE_LOOP, .level = f->level, .rule = rule,
           .count = count, .section = shown_section(s, f->section));
  for (uint32_t k = 0; k < f->count; k++)
    if (s->fates[f->list + k] == UNTRIED) asci_event_list(s->run, s->m->buffer[candidate(s, f, k)]);
}
