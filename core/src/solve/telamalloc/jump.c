/* Where a search goes back to when it does not follow its conflict alone (paper section 6).
 *
 * Candidates: the levels in the conflict of the point that failed, and, for each range of levels 0-4, 5-8, 9-16, 17-32, ... above the part's ground that
 * has none of them, the lowest level of that range ("the decision at the top"). The conflict's last placement is the candidate itself and gone already.
 *
 *     levels       0 1 2 3 4  5 6 7 8  9 10
 *     conflict         x        x x
 *     candidates       *        * *    *
 *
 * jump=random draws one of them, each as likely as the others, from the run's seed: the control of every claim about a model that chooses. jump=learned
 * takes the one whose weighted score is highest, if that reaches the threshold, and draws else: who always took the best would come back to the same
 * point again and again. */
#include "learned.h"

/* The first level above the ground of the range after that which begins at `top`: 0, 5, 9, 17, 33, ... */
static uint32_t next_range(uint32_t top) {
  return top == 0 ? 5 : top == 5 ? 9 : 2 * top - 1;
}

/* Puts the candidates into s->scratch, lowest level first; the conflict is marked. */
static uint32_t list_candidates(tela_search *s) {
  uint32_t above = s->base.depth - s->ground, count = 0;
  for (uint32_t top = 0; top < above; top = next_range(top)) {
    uint32_t end = next_range(top) < above ? next_range(top) : above, begin = count;
    for (uint32_t level = top; level < end; level++)
      if (s->flags[s->ground + level]) s->scratch[count++] = s->ground + level;
    if (count == begin) s->scratch[count++] = s->ground + top;
  }
  return count;
}

static uint32_t draw(tela_search *s) {
  s->jump.drawn = true;
  return s->scratch[asci_random_below(&s->rng, s->jump.count)];
}

static uint32_t choose(tela_search *s) {
  if (s->options.jump == TELA_JUMP_RANDOM) return draw(s);
  if (s->teacher) return s->teacher->choose(s->teacher->user, s);
  uint32_t best = s->jump.best = asci_tela_score_all(s), level = s->scratch[best];
  bool sure = asci_tela_weighted(s, s->scores[best], level) >= TELA_SURE;
  return sure ? level : draw(s);
}

uint32_t asci_tela_jump(tela_search *s, uint32_t fallback, bool stuck) {
  size_t begin = s->points[s->base.depth].conflict;
  uint32_t level = fallback;
  s->jump = (tela_jump){.fallback = fallback, .stuck = stuck};
  if (s->options.jump == TELA_JUMP_CONFLICT) return fallback;
  for (size_t k = begin; k < s->conflict_count; k++) s->flags[s->conflicts[k]] = true;
  if (s->backtracks >= (uint64_t)s->options.jump_after) s->jump.count = list_candidates(s);
  if (s->jump.count) level = choose(s); /* else nothing is placed above the ground */
  for (size_t k = begin; k < s->conflict_count; k++) {
    s->flags[s->conflicts[k]] = false;
    s->blamed[s->base.placed[s->conflicts[k]]]++;
  }
  s->points[level].returns++;
  return level;
}

void asci_tela_tell_jump(const tela_search *s, unsigned line, uint32_t level) {
  asc_run *run = s->base.run;
  const tela_jump *jump = &s->jump;
  bool learned = s->options.jump == TELA_JUMP_LEARNED;
  if (!jump->count || !asci_traced(run)) return;
  ASC_TELL(run, JUMP, line, .level = level, .fallback = jump->fallback, .of = jump->count, .learned = learned,
           .drawn = jump->drawn, .threshold = learned ? TELA_SURE : 0);
  for (uint32_t k = 0; k < jump->count; k++) asci_event_list(run, s->base.placed[s->scratch[k]]);
  if (!learned || s->teacher) return;
  for (uint32_t k = jump->count; k-- > 0;)
    ASC_TELL(run, SCORE, line, .buffer = s->base.placed[s->scratch[k]], .level = s->scratch[k], .score = s->scores[k],
             .weighted = asci_tela_weighted(s, s->scores[k], s->scratch[k]), .chosen = s->scratch[k] == level,
             .best = k == jump->best);
}
