/* Where a search goes back to when it does not follow its conflict alone (paper section 6).
 *
 * Candidates: the levels in the conflict of the point that failed, and, for each range of levels 0-4, 5-8, 9-16, 17-32, ... above the part's ground that
 * has none of them, the lowest level of that range ("the decision at the top"). The conflict's last placement is the candidate itself and gone already.
 *
 *     levels       0 1 2 3 4  5 6 7 8  9 10
 *     conflict         x        x x
 *     candidates       *        * *    *
 *
 * jump=random draws one of them, each as likely as the others, from the run's seed: the control of every claim about a model that chooses. */
#include "search.h"

/* The first level above the ground of the range after that which begins at `top`: 0, 5, 9, 17, 33, ... */
static uint32_t next_range(uint32_t top) {
  return top == 0 ? 5 : top == 5 ? 9 : 2 * top - 1;
}

/* Puts the candidates into s->scratch, lowest level first. */
static uint32_t list_candidates(tela_search *s) {
  const tela_point *p = &s->points[s->base.depth];
  uint32_t above = s->base.depth - s->ground, count = 0;
  for (size_t k = p->conflict; k < s->conflict_count; k++) s->flags[s->conflicts[k]] = true;
  for (uint32_t top = 0; top < above; top = next_range(top)) {
    uint32_t end = next_range(top) < above ? next_range(top) : above, begin = count;
    for (uint32_t level = top; level < end; level++)
      if (s->flags[s->ground + level]) s->scratch[count++] = s->ground + level;
    if (count == begin) s->scratch[count++] = s->ground + top;
  }
  for (size_t k = p->conflict; k < s->conflict_count; k++) s->flags[s->conflicts[k]] = false;
  return count;
}

uint32_t asci_tela_jump(tela_search *s, uint32_t fallback) {
  s->jump = (tela_jump){.fallback = fallback};
  if (s->options.jump == TELA_JUMP_CONFLICT || s->backtracks < (uint64_t)s->options.jump_after) return fallback;
  s->jump.count = list_candidates(s);
  if (!s->jump.count) return fallback; /* nothing is placed above the ground */
  return s->scratch[asci_random_below(&s->rng, s->jump.count)];
}

void asci_tela_tell_jump(const tela_search *s, unsigned line, uint32_t level) {
  if (!s->jump.count || !asci_traced(s->base.run)) return;
  ASC_EMIT(s->base.run, JUMP, line, .level = level, .fallback = s->jump.fallback, .of = s->jump.count);
  for (uint32_t k = 0; k < s->jump.count; k++) asci_event_list(s->base.run, s->base.placed[s->scratch[k]]);
}
