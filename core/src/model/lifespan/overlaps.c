#include "model/lifespan/overlaps.h"

#include "model/lifespan/meet.h"
#include "model/lifespan/neighbours.h"

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
      if (overlaps->above) asci_meet_above(problem, b, row[k], &overlaps->above[at]);
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
