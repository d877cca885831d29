/* Two buffers: whether they are alive at one time, and what that says of their offsets. */
#ifndef ASCI_MODEL_MEET_H
#define ASCI_MODEL_MEET_H

#include "model/problem.h"

/* Takes the pieces p and q into what asci_meet_above() finds. */
static inline bool asci_meet_pieces(const asci_piece *p, const asci_piece *q, bool meet, int64_t *above) {
  if (p->first >= q->end || q->first >= p->end) return meet;
  int64_t least = p->window_upper - q->window_lower;
  if (!meet || least > *above) *above = least;
  return true;
}

/* The same for shapes, whose pieces end in any order: each with each, as far as they begin in time. */
static inline bool asci_meet_shapes(const asc_problem *problem, uint32_t a, uint32_t b, int64_t *above) {
  uint32_t a_count, b_count;
  const asci_piece *p = asci_pieces(problem, a, &a_count), *q = asci_pieces(problem, b, &b_count);
  bool meet = false;
  for (uint32_t i = 0; i < a_count; i++)
    for (uint32_t j = 0; j < b_count && q[j].first < p[i].end; j++) meet = asci_meet_pieces(&p[i], &q[j], meet, above);
  return meet;
}

/* Whether a and b share a section, and the least offset(b) - offset(a) at which b is above a in all of them. Merges both piece lists. */
static inline bool asci_meet_above(const asc_problem *problem, uint32_t a, uint32_t b, int64_t *above) {
  if (problem->has_shapes) return asci_meet_shapes(problem, a, b, above);
  uint32_t a_count, b_count;
  const asci_piece *p = asci_pieces(problem, a, &a_count), *p_end = p + a_count;
  const asci_piece *q = asci_pieces(problem, b, &b_count), *q_end = q + b_count;
  bool meet = false;
  while (p < p_end && q < q_end) {
    meet = asci_meet_pieces(p, q, meet, above);
    if (p->end < q->end)
      p++;
    else
      q++;
  }
  return meet;
}

/* Whether two buffers are alive at one time. O(pieces of both). */
static inline bool asci_meet(const asc_problem *problem, uint32_t a, uint32_t b) {
  int64_t above = 0;
  if (!problem->has_shapes) return asci_meet_above(problem, a, b, &above);
  uint32_t a_count, b_count;
  const asci_piece *p = asci_pieces(problem, a, &a_count), *q = asci_pieces(problem, b, &b_count);
  for (uint32_t i = 0; i < a_count; i++)
    for (uint32_t j = 0; j < b_count && q[j].first < p[i].end; j++)
      if (q[j].end > p[i].first) return true;
  return false;
}

#endif
