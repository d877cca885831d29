#include "solve/taa/swaps.h"

#include "base/arrays.h"
#include "solve/taa/orders.h"

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_taa_swaps, order, 0, ASCI_ZEROS),
    ASCI_ARRAY(asci_taa_swaps, turn, 0, ASCI_ZEROS),
    ASCI_ARRAY(asci_taa_swaps, offsets, 0, ASCI_ONES),
    ASCI_ARRAY(asci_taa_swaps, trial, 0, ASCI_ONES),
};

asc_status asci_taa_swaps_new(const asc_problem *problem, const asci_taa_tables *tables, uint64_t seed, asci_taa_swaps *s) {
  const size_t counts[] = {problem->count};
  s->problem = problem;
  s->tables = tables;
  s->height = -1;
  s->rng = (asci_rng){seed};
  return asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, s) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_taa_swaps_free(asci_taa_swaps *s) {
  if (s->problem) asci_arrays_free(s->problem->context, ASCI_TABLE(arrays), s);
}

/* ---- first fit ------------------------------------------------------------------------------------------------------- */

/* The lowest place of the next buffer, below `limit` with all of it, else where it would be. Goes round its row until nobody of it was in the way. */
static int64_t first_fit(const asci_taa_swaps *s, uint32_t buffer, int64_t limit) {
  const asci_taa_tables *t = s->tables;
  size_t begin = t->row_begin[buffer], end = t->row_begin[buffer + 1], clear = 0, at = begin;
  int64_t offset = asci_taa_suited(s->problem, buffer, 0), size = s->problem->buffers[buffer].size;
  while (clear < end - begin && offset + size <= limit) {
    const asci_taa_meeting *meeting = &t->rows[at];
    at = at + 1 < end ? at + 1 : begin;
    int64_t next = -1;
    if (s->turn[meeting->other] < s->turn[buffer])
      next = asci_taa_past(t, meeting, buffer, offset, s->trial[meeting->other]);
    clear = next < 0 ? clear + 1 : 0;
    if (next >= 0) offset = asci_taa_suited(s->problem, buffer, next);
  }
  return offset;
}

/* Places all from that turn on; those before stand in `trial`. The height, or what is above the limit, where it stops. */
static int64_t decode(asci_taa_swaps *s, uint32_t from, int64_t limit) {
  int64_t height = 0;
  for (s->tried = 0; s->tried < s->problem->count && height <= limit; s->tried++) {
    uint32_t buffer = s->order[s->tried];
    if (s->tried >= from) s->trial[buffer] = first_fit(s, buffer, limit);
    int64_t top = s->trial[buffer] + s->problem->buffers[buffer].size;
    height = top > height ? top : height;
  }
  return height;
}

static void accept(asci_taa_swaps *s, int64_t height) {
  for (uint32_t b = 0; b < s->problem->count; b++) s->offsets[b] = s->trial[b];
  s->height = height;
}

bool asci_taa_swaps_begin(asci_taa_swaps *s) {
  for (uint32_t k = 0; k < s->problem->count; k++) s->turn[s->order[k]] = k;
  int64_t height = decode(s, 0, ASC_MAX_BYTES);
  if (height > ASC_MAX_BYTES) return false;
  accept(s, height);
  return true;
}

/* ---- a try ----------------------------------------------------------------------------------------------------------- */

static void exchange(asci_taa_swaps *s, uint32_t i, uint32_t j) {
  uint32_t a = s->order[i], b = s->order[j];
  s->order[i] = b;
  s->order[j] = a;
  s->turn[a] = j;
  s->turn[b] = i;
}

/* Two turns, the first one before the second. */
static void draw(asci_taa_swaps *s, uint32_t *i, uint32_t *j) {
  uint32_t n = s->problem->count, a = (uint32_t)asci_random_below(&s->rng, n),
           b = (uint32_t)asci_random_below(&s->rng, n - 1);
  b += b >= a;
  *i = a < b ? a : b;
  *j = a < b ? b : a;
}

static void tell(asc_run *run, const asci_taa_swaps *s, const uint32_t swapped[2], int64_t height, int64_t before, bool kept,
                 unsigned line) {
  if (kept)
    ASC_EMIT(run, SWAP, line, .buffer = swapped[0], .other = swapped[1], .height = height, .before = before,
             .best = run->stats.height);
  else
    ASC_EMIT(run, SWAP_BACK, line, .buffer = swapped[0], .other = swapped[1], .height = height, .before = before, .why = 1,
             .best = run->stats.height);
  for (uint32_t k = 0; asci_traced(run) && k < s->tried; k++) {
    uint32_t buffer = s->order[k];
    if (s->trial[buffer] != s->offsets[buffer]) asci_event_list(run, buffer);
  }
}

asc_outcome asci_taa_swaps_step(asc_run *run, asci_taa_swaps *s, unsigned line) {
  uint32_t i, j;
  draw(s, &i, &j);
  const uint32_t swapped[] = {s->order[i], s->order[j]};
  for (uint32_t k = 0; k < i; k++) s->trial[s->order[k]] = s->offsets[s->order[k]];
  exchange(s, i, j);
  int64_t before = s->height, height = decode(s, i, before);
  bool kept = height <= before, best = kept && height < run->stats.height;
  asci_step_other(run, kept ? ASC_EVENT_SWAP : ASC_EVENT_SWAP_BACK, swapped[0], height, s->problem->count);
  tell(run, s, swapped, height, before, kept, line);
  if (kept)
    accept(s, height);
  else
    exchange(s, i, j);
  if (!best) return ASC_OUTCOME_RUNNING;
  for (uint32_t b = 0; b < s->problem->count; b++) run->best[b] = s->offsets[b];
  ASC_EMIT(run, INCUMBENT, line, .height = height);
  return asci_incumbent(run) ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_RUNNING;
}

/* ---- keeping it ------------------------------------------------------------------------------------------------------ */

/* The order and the next number drawn; the plan follows from the order. */
asc_status asci_taa_swaps_keep(asci_taa_swaps *s, asci_saver *saver) {
  uint32_t n = s->problem->count;
  bool there = s->height >= 0;
  ASCI_KEEP(saver, s->rng.state, ASCI_ANY);
  ASCI_KEEP(saver, there, 1);
  if (!there) return asci_kept(saver);
  if (saver->loads)
    for (uint32_t k = 0; k < n; k++) s->turn[k] = ASC_NONE;
  for (uint32_t k = 0; k < n && !saver->failed; k++) {
    ASCI_KEEP(saver, s->order[k], n - 1);
    if (asci_loaded(saver) && s->turn[s->order[k]] != ASC_NONE) return ASC_BAD_SAVE; /* twice */
    if (asci_loaded(saver)) s->turn[s->order[k]] = k;
  }
  if (asci_loaded(saver) && !asci_taa_swaps_begin(s)) return ASC_BAD_SAVE;
  return asci_kept(saver);
}
