/* Reasons that can be seen without a search: a buffer that fits nowhere, a section that holds too much. */
#include "base/memory.h"
#include "base/sort.h"
#include "solve/explain/explain.h"

/* The first section in which the buffer alone is higher than the capacity, or ASC_NONE. */
static uint32_t section_of_one(const asc_explain *explain, uint32_t buffer) {
  uint32_t count;
  const asci_piece *pieces = asci_pieces(explain->problem, buffer, &count);
  for (uint32_t p = 0; p < count; p++)
    if (pieces[p].window_upper - pieces[p].window_lower > explain->capacity) return pieces[p].first;
  return ASC_NONE;
}

/* Alone, a buffer that is not fixed fits at 0 if it fits at all: 0 suits every alignment and every bank. */
static uint32_t find_misfit(const asc_explain *explain) {
  for (uint32_t b = 0; b < explain->problem->count; b++) {
    const asc_buffer_spec *spec = &explain->problem->buffers[b];
    int64_t offset = spec->offset == ASC_UNPLACED ? 0 : spec->offset;
    if (spec->size > explain->capacity || offset > explain->capacity - spec->size) return b;
  }
  return ASC_NONE;
}

/* ---- a section ------------------------------------------------------------------------------------------------------- */

typedef struct heights {
  const asc_problem *problem;
  uint32_t section;
} heights;

/* Bytes that the buffer holds in the section, 0 if it is away. */
static int64_t height_in(const heights *keys, uint32_t buffer) {
  uint32_t count;
  const asci_piece *pieces = asci_pieces(keys->problem, buffer, &count);
  for (uint32_t p = 0; p < count; p++)
    if (pieces[p].first <= keys->section && keys->section < pieces[p].end)
      return pieces[p].window_upper - pieces[p].window_lower;
  return 0;
}

static bool higher(const void *keys, uint32_t a, uint32_t b) {
  return height_in(keys, a) > height_in(keys, b);
}

/* Can it lie on any other, wherever that ends, for as long as it lives? */
static bool stacks(const asc_problem *problem, uint32_t buffer) {
  const asc_buffer_spec *spec = &problem->buffers[buffer];
  if (spec->alignment > 1 || spec->offset != ASC_UNPLACED || spec->bank) return false;
  for (uint32_t g = 0; g < spec->gap_count; g++)
    if (spec->gaps[g].window_lower < spec->gaps[g].window_upper) return false;
  return true;
}

/* The highest first until they exceed the capacity: without its last one this sum fits, and so it does without any higher one. */
static uint32_t take_highest(asc_explain *explain, const heights *keys, const uint32_t *alive, uint32_t count) {
  const asc_problem *problem = explain->problem;
  int64_t sum = 0;
  uint32_t taken = 0;
  bool plain = true;
  while (taken < count && sum <= explain->capacity) {
    uint32_t b = alive[taken++];
    sum += height_in(keys, b);
    plain = plain && stacks(problem, b);
  }
  /* A sum that fits is a pile that fits if nothing else is asked of its buffers. */
  for (uint32_t k = 0; k < taken; k++) explain->state[alive[k]] = ASCI_IN;
  for (uint32_t k = 0; plain && k < taken; k++) asci_explain_need(explain, alive[k]);
  return taken;
}

static asc_status take_section(asc_explain *explain, uint32_t section, uint32_t *count) {
  const asc_problem *problem = explain->problem;
  uint32_t live = problem->sections[section].live, found = 0;
  uint32_t *alive = asci_alloc(explain->context, live, sizeof *alive);
  uint32_t *scratch = asci_alloc(explain->context, live, sizeof *scratch);
  if (alive && scratch) {
    heights keys = {problem, section};
    for (uint32_t b = 0; b < problem->count && found < live; b++)
      if (height_in(&keys, b)) alive[found++] = b;
    asci_sort(alive, scratch, found, higher, &keys);
    explain->section = section;
    *count = take_highest(explain, &keys, alive, found);
  }
  asc_status status = alive && scratch ? ASC_OK : ASC_OUT_OF_MEMORY;
  asci_free(explain->context, alive);
  asci_free(explain->context, scratch);
  return status;
}

asc_status asci_explain_obvious(asc_explain *explain, uint32_t *count) {
  const asc_problem *problem = explain->problem;
  uint32_t misfit = find_misfit(explain);
  *count = 0;
  if (misfit != ASC_NONE) {
    explain->state[misfit] = ASCI_IN;
    asci_explain_need(explain, misfit); /* nothing fits every capacity */
    explain->section = section_of_one(explain, misfit);
    *count = 1;
    return ASC_OK;
  }
  if (!asci_is_overloaded(problem, explain->capacity)) return ASC_OK;
  return take_section(explain, problem->peak, count);
}
