/* What is written of a search for the certificate that it leaves (core/src/proof/README.md). Off, none of this is called.
 *
 * A lemma is a set of items with their least offsets: it cannot be packed. A node's lemma is written when all its children have failed, the cases
 * first gathered behind those of the nodes below it; what one child has failed for without need of the decision is a lemma without cases, or the one
 * that it came from.
 *
 * Nothing of a glued attempt is written: its nodes fail for want of a plan with its piles, which says nothing about others. */

static inline bool proving(const search *s) {
  return s->run->prover && !s->run->prover->broken && !s->elastic && !s->gluing;
}

static int64_t time_of(const search *s, uint32_t t) {
  return s->m->problem->sections[s->m->problem_section[t]].lower;
}

/* Room for what belongs to the top node; its cases begin where those below it end. */
EX_RARE void prove_node(search *s) {
  asci_prover *p = s->run->prover;
  proof *own = &s->proof;
  if (!asci_grow(p->context, &own->marks, &own->mark_room, s->node_count, sizeof *own->marks) ||
      !asci_grow(p->context, &own->whys, &own->why_room, s->node_count, sizeof *own->whys))
    p->broken = true;
  else
    own->marks[s->node_count - 1] = own->cases.used;
  own->open = s->node_count;
}

/* Why s->conflict, just found, does not fit. */
EX_RARE void prove_found(search *s) {
  proof *own = &s->proof;
  if (s->conflict_section != EX_NONE) {
    own->why = (why){s->conflict_rule == ASC_RULE_PILE ? "p" : "!", time_of(s, s->conflict_section)};
  } else if (s->conflict_rule == ASC_RULE_NOGOOD) {
    own->why = (why){"L", (int64_t)s->hit->lemma};
  } else {
    uint32_t w = 0;
    while (!s->conflict[w]) w++;
    own->why = (why){"#", s->m->buffer[w * 64 + (uint32_t)__builtin_ctzll(s->conflict[w])]};
  }
}

/* Looking for the reasons of a conflict, from the last rise of the child of f to the first: those by an inference are steps of the proof. A decision
   that keeps a buffer off another's top raises it from that top; placing raises to it. */
EX_RARE void prove_rise(search *s, const node *f, size_t at) {
  proof *own = &s->proof;
  const change *c = &s->trail[at];
  bool off =
      c->reason == DECISION && f->child != WASTE && !general(s) && c->old >= f->floor + s->size[candidate(s, f, f->child)];
  if (c->reason == DECISION && !off) return;
  if (asci_grow(s->run->context, &own->rises, &own->rise_room, own->rise_count + 1, sizeof *own->rises))
    own->rises[own->rise_count++] = at;
  else
    s->run->prover->broken = true;
}

static void put_why(search *s, asci_text *to, why because) {
  asci_text_mark(s->run->prover, to, because.mark, because.number);
}

/* The steps of a case, in the order in which they were taken, and why it fails. */
static void put_steps(search *s, asci_text *to) {
  asci_prover *p = s->run->prover;
  proof *own = &s->proof;
  for (size_t k = own->rise_count; k-- > 0;) {
    const change *c = &s->trail[own->rises[k]];
    int64_t buffer = s->m->buffer[c->what];
    if (c->reason == DECISION) {
      asci_text_mark(p, to, "o", buffer);
      continue;
    }
    const char *mark = c->reason & SUM_BIT ? "s" : c->reason & PILE_BIT ? "r" : "f";
    asci_text_mark(p, to, mark, time_of(s, section_of(c->reason)));
    asci_text_with(p, to, buffer);
    if (c->reason & PILE_BIT) asci_text_with(p, to, bytes_of(s, raised_to(s, own->rises[k], s->trail_count)));
  }
  put_why(s, to, own->why);
}

/* The line of a lemma on a set in the present state, but for its cases. */
static void put_set(search *s, const uint64_t *set) {
  asci_prover *p = s->run->prover;
  asci_lemma_range range = {bytes_of(s, (int64_t)s->capacity + 1) - 1, s->m->round_to, ASCI_NO_LIMIT};
  if (s->limited) { /* maybe since an earlier probe, whose nogoods this one uses */
    int64_t asked = bytes_of(s, (int64_t)s->asked + 1) - 1, whole = range.within - range.within % range.round;
    range.limit = asked < whole ? asked : whole;
  }
  asci_lemma_begin(p, range);
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = set[w]; word; word &= word - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(word);
      asci_text_mark(p, &p->line, "", s->m->buffer[i]);
      asci_text_with(p, &p->line, bytes_of(s, s->least[i]));
    }
}

/* What the child of f has failed for was explained, before it is undone: the steps are read off the trail. */
EX_RARE void prove_explained(search *s) {
  s->proof.steps.used = 0;
  put_steps(s, &s->proof.steps);
}

/* The child of f is undone: its case, or, without need of the decision, why f fails. */
EX_RARE void prove_child(search *s, const node *f, bool needed) {
  asci_prover *p = s->run->prover;
  proof *own = &s->proof;
  size_t at = (size_t)(f - s->nodes);
  if (at + 1 < own->open) own->cases.used = own->marks[at + 1]; /* those of the nodes that were left */
  own->open = at + 1;
  if (needed) {
    if (f->child == WASTE)
      asci_text_add(p, &own->cases, " -", 2);
    else
      asci_text_mark(p, &own->cases, "+", s->m->buffer[candidate(s, f, f->child)]);
    asci_text_add(p, &own->cases, own->steps.bytes, own->steps.used);
    return;
  }
  own->cases.used = own->marks[at];
  bool full = own->why.mark[0] == '!' || own->why.mark[0] == 'p';
  if (own->rise_count || full) { /* a load is that of this set alone, to which others are added on the way */
    put_set(s, s->conflict);
    asci_text_add(p, &p->line, own->steps.bytes, own->steps.used);
    own->why = (why){"L", (int64_t)asci_lemma_end(p)};
  }
  own->whys[at] = own->why;
}

/* A candidate that is not placed at all. */
EX_RARE void prove_case(search *s, uint32_t i, const char *mark, int64_t number) {
  asci_prover *p = s->run->prover;
  asci_text_mark(p, &s->proof.cases, "+", s->m->buffer[i]);
  asci_text_mark(p, &s->proof.cases, mark, number);
}

/* The top node fails: its lemma, if all children have, and why. */
EX_RARE void prove_failed(search *s, const node *f) {
  asci_prover *p = s->run->prover;
  proof *own = &s->proof;
  size_t at = (size_t)(f - s->nodes);
  own->why = own->whys[at];
  if (!f->learnt) return;
  put_set(s, set_of(s, f));
  asci_text_mark(p, &p->line, "@", time_of(s, f->section));
  asci_text_add(p, &p->line, own->cases.bytes + own->marks[at], own->cases.used - own->marks[at]);
  if (f->waste == WASTE_NO_SLACK || f->waste == WASTE_BLOCKED) asci_text_add(p, &p->line, " -", 2);
  if (f->waste == WASTE_NO_SLACK) asci_text_mark(p, &p->line, "!", time_of(s, f->section));
  if (f->waste == WASTE_BLOCKED) asci_text_mark(p, &p->line, "b", s->m->buffer[f->blocker]);
  own->why = (why){"L", (int64_t)asci_lemma_end(p)};
}

/* A sweep has found no exchange in the sections that it has looked at: s->conflict, all of which is where it is lowest. */
EX_RARE void prove_swept(search *s) {
  asci_prover *p = s->run->prover;
  put_set(s, s->conflict);
  asci_text_mark(p, &p->line, "x", s->m->unit);
  for (uint32_t step = 0; step <= s->sweep.farthest; step++)
    asci_text_with(p, &p->line, time_of(s, asci_ex_sweep_section(&s->sweep, step)));
  s->proof.why = (why){"L", (int64_t)asci_lemma_end(p)};
}

/* There is no plan within so many bytes, for s->proof.why; without one it is what the engine says of loads. */
EX_RARE void prove_refuted(search *s, int64_t bytes) {
  asci_prover *p = s->run->prover;
  proof *own = &s->proof;
  if (!own->why.mark) return;
  if (own->why.mark[0] != 'L') {
    put_set(s, s->conflict);
    put_why(s, &p->line, own->why);
    own->why = (why){"L", (int64_t)asci_lemma_end(p)};
  }
  asci_proof_claim(p, bytes, (uint64_t)own->why.number);
}
