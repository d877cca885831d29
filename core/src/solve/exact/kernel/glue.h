/* Glued arms (README 4): most buffers of one lifespan lie on each other, in piles that are placed as one. Which do is drawn for each attempt
 * from the seed, the cycle and the arm; a save has the number drawn from, as its nodes may be those of the attempt before. That a plan
 * lacks such piles proves nothing. */

#define GLUED 80u /* percent of the buffers */

/* The arm whose turn it is. False: no memory for its ranks. */
static bool take_arm(search *s) {
  s->arm = &s->m->arms[s->m->order[s->arm_at]];
  return asci_ex_rank(s->m, s->m->order[s->arm_at]);
}

static void draw_piles(search *s) {
  const ex_model *m = s->m;
  asci_rng rng = {s->drawn};
  uint32_t glued = m->boxes && m->boxes->whole ? 0 : GLUED; /* what is joined whole has its piles */
  for (uint32_t i = 0; i < m->count; i++) s->pile[i] = asci_random_below(&rng, 100) < glued ? m->leader[i] : EX_NONE;
}

/* Piles, of items or, where the attempt's are, of boxes, by the number drawn. False: no memory. */
static bool draw(search *s) {
  if (s->boxing && !(box_up(s) && take_arm(s))) return false;
  draw_piles(s);
  return true;
}

/* In the first cycle the arms' numbers follow each other, so that two of them join all in different ways, if there are any; minimising, each later probe has others. */
static uint64_t number_to_draw(const search *s) {
  asci_rng first = {s->m->run->seed}, rng = {s->m->run->seed * EX_MAX_ARMS + s->arm_at};
  if (s->cycle == 0) return EX_WHOLE_ONE_IN * (asci_random(&first) + s->arm_at);
  if (s->m->minimize) rng.state += (uint64_t)s->asked << 32;
  return asci_random(&rng) + s->cycle;
}

/* The piles or boxes of the present arm's attempt, if it is a glued one. False: no memory. */
static bool glue(search *s) {
  s->gluing = s->arm->glued && !s->elastic && !general(s);
  if (!s->gluing) return true;
  s->drawn = number_to_draw(s);
  s->boxing = s->arm->boxed && s->m->boxable;
  return draw(s);
}

/* What comes now is proved, whatever the last attempt was. */
static void unglue(search *s) {
  s->gluing = s->boxing = false;
  if (s->m != s->whole) use_model(s, s->whole);
}

static bool on_pile(const search *s, uint32_t i, uint32_t pile, value least) {
  return s->pile[i] == pile && s->least[i] == least;
}

/* The item to go on top of the buffer placed last, if both are of one pile and [first, end) has it; else EX_NONE. Nothing can slip under it: its
   neighbours are those of the buffer below. */
static uint32_t find_mate(const search *s, uint32_t first, uint32_t end) {
  const ex_model *m = s->m;
  uint32_t last = s->depth > s->base ? m->item[s->placed[s->depth - 1]] : EX_NONE; /* or its box */
  uint32_t pile = last == EX_NONE ? EX_NONE : s->pile[last];
  if (pile == EX_NONE || m->first[pile] < first || m->first[pile] >= end) return EX_NONE;
  value top = (value)(s->offset[m->buffer[last]] / m->unit) + s->size[last];
  if (s->floor[m->first[pile]] != top) return EX_NONE;
  for (uint32_t i = pile; i < m->count && m->first[i] == m->first[pile]; i++)
    if (on_pile(s, i, pile, top)) return i;
  return EX_NONE;
}

/* Whether the item on the floor is a candidate: of a pile only the first is; where a mate is to be placed, only that. */
static bool is_listed(const search *s, uint32_t i, uint32_t mate) {
  if (mate != EX_NONE) return i == mate;
  if (!s->gluing || s->pile[i] == EX_NONE) return true;
  for (uint32_t k = s->pile[i]; k < i; k++)
    if (on_pile(s, k, s->pile[i], s->least[i])) return false;
  return true;
}

/* The mate has no alternative. */
static void keep_mate(search *s, node *f, uint32_t mate) {
  uint64_t *set = set_of(s, f);
  memset(set, 0, s->m->words * sizeof *set);
  set_bit(set, mate);
  f->waste = WASTE_PILED;
}

/* Everybody on the floor rises, of piles not the candidates alone. */
static bool raise_piles(search *s, const node *f) {
  const ex_model *m = s->m;
  for (uint32_t e = m->list_begin[f->section]; e < m->list_begin[f->section + 1]; e++)
    if (s->least[m->list[e]] == f->floor && !rise(s, m->list[e], f->waste_to, DECISION)) return false;
  return true;
}
