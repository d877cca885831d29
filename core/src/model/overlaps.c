#include "model/problem.h"

#include "model/neighbours.h"

/* Takes the pieces p and q into what pair() finds. */
static bool pair_pieces(const asci_piece *p, const asci_piece *q, bool meet, int64_t *above) {
  if (p->first >= q->end || q->first >= p->end) return meet;
  int64_t least = p->window_upper - q->window_lower;
  if (!meet || least > *above) *above = least;
  return true;
}

/* The same for shapes, whose pieces end in any order: each with each, as far as they begin in time. */
static bool pair_shapes(const asc_problem *problem, uint32_t a, uint32_t b, int64_t *above) {
  uint32_t a_count, b_count;
  const asci_piece *p = asci_pieces(problem, a, &a_count), *q = asci_pieces(problem, b, &b_count);
  bool meet = false;
  for (uint32_t i = 0; i < a_count; i++)
    for (uint32_t j = 0; j < b_count && q[j].first < p[i].end; j++) meet = pair_pieces(&p[i], &q[j], meet, above);
  return meet;
}

/* Whether a and b share a section, and the least offset(b) - offset(a) at which b is above a in all of them. Merges both piece lists. */
static bool pair(const asc_problem *problem, uint32_t a, uint32_t b, int64_t *above) {
  if (problem->has_shapes) return pair_shapes(problem, a, b, above);
  uint32_t a_count, b_count;
  const asci_piece *p = asci_pieces(problem, a, &a_count), *p_end = p + a_count;
  const asci_piece *q = asci_pieces(problem, b, &b_count), *q_end = q + b_count;
  bool meet = false;
  while (p < p_end && q < q_end) {
    meet = pair_pieces(p, q, meet, above);
    if (p->end < q->end)
      p++;
    else
      q++;
  }
  return meet;
}

bool asci_meet(const asc_problem *problem, uint32_t a, uint32_t b) {
  int64_t above;
  if (!problem->has_shapes) return pair(problem, a, b, &above);
  uint32_t a_count, b_count;
  const asci_piece *p = asci_pieces(problem, a, &a_count), *q = asci_pieces(problem, b, &b_count);
  for (uint32_t i = 0; i < a_count; i++)
    for (uint32_t j = 0; j < b_count && q[j].first < p[i].end; j++)
      if (q[j].end > p[i].first) return true;
  return false;
}

/* All that begin before b ends, less those that end before b begins, less b itself. */
asc_status asci_overlap_counts(const asc_problem *problem, uint32_t *counts) {
  asc_context *context = problem->context;
  uint32_t n = problem->count;
  size_t room = (size_t)problem->section_count + 2;
  uint32_t *began = asci_calloc(context, room, sizeof *began), *ended = asci_calloc(context, room, sizeof *ended);
  bool made = began && ended;
  for (uint32_t b = 0; made && b < n; b++) {
    counts[b] = 0;
    if (problem->piece_begin[b] == problem->piece_begin[b + 1]) continue;
    began[asci_first_section(problem, b) + 1]++;
    ended[asci_end_section(problem, b)]++;
  }
  for (size_t k = 1; made && k < room; k++) {
    began[k] += began[k - 1];
    ended[k] += ended[k - 1];
  }
  for (uint32_t b = 0; made && b < n; b++)
    if (problem->piece_begin[b] < problem->piece_begin[b + 1])
      counts[b] = began[asci_end_section(problem, b)] - ended[asci_first_section(problem, b)] - 1;
  asci_free(context, began);
  asci_free(context, ended);
  return made ? ASC_OK : ASC_OUT_OF_MEMORY;
}

/* Rows have room for whoever overlaps in time; those whom a gap lets pass leave some of it, at the end. */
static asc_status fill_rows(const asci_neighbours *near, asci_overlaps *overlaps) {
  const asc_problem *problem = near->problem;
  size_t total = 2 * (size_t)near->pairs, at = 0;
  overlaps->other = asci_alloc(problem->context, total, sizeof *overlaps->other);
  bool windows = problem->has_windows || problem->has_shapes;
  if (windows) overlaps->above = asci_alloc(problem->context, total, sizeof *overlaps->above);
  if (!overlaps->other || (windows && !overlaps->above)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < problem->count; b++) {
    uint32_t count;
    const uint32_t *row = asci_neighbours_of(near, b, &count);
    for (uint32_t k = 0; k < count; k++, at++) {
      overlaps->other[at] = row[k];
      if (overlaps->above) pair(problem, b, row[k], &overlaps->above[at]);
    }
    overlaps->begin[b + 1] = at;
  }
  return ASC_OK;
}

asc_status asci_overlaps_new(const asc_problem *problem, asci_overlaps *overlaps) {
  asci_neighbours near;
  *overlaps = (asci_overlaps){.begin = asci_calloc(problem->context, (size_t)problem->count + 1, sizeof *overlaps->begin)};
  asc_status status = overlaps->begin ? asci_neighbours_new(problem, &near) : ASC_OUT_OF_MEMORY;
  if (!status) {
    status = near.pairs > ASCI_MAX_PAIRS ? ASC_OUT_OF_MEMORY : fill_rows(&near, overlaps);
    asci_neighbours_free(&near);
  }
  if (status) asci_overlaps_free(problem, overlaps);
  return status;
}

void asci_overlaps_free(const asc_problem *problem, asci_overlaps *overlaps) {
  asci_free(problem->context, overlaps->begin);
  asci_free(problem->context, overlaps->other);
  asci_free(problem->context, overlaps->above);
  *overlaps = (asci_overlaps){0};
}
