#include "pack.h"

#include "base/arrays.h"
#include "base/hash.h"
#include "base/sort.h"
#include "model/bank.h"

#include <string.h>

enum { MOST_SHIFTS = 24 };

/* ---- before ---------------------------------------------------------------------------------------------------------- */

static bool begins_before(const void *keys, uint32_t a, uint32_t b) {
  const asc_buffer_spec *buffers = keys;
  if (buffers[a].lower != buffers[b].lower) return buffers[a].lower < buffers[b].lower;
  if (buffers[a].size != buffers[b].size) return buffers[a].size > buffers[b].size;
  return buffers[a].upper > buffers[b].upper;
}

static uint32_t most_alive(const asc_problem *problem) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < asc_problem_section_count(problem); k++) {
    uint32_t live = asc_problem_sections(problem)[k].live;
    if (live > most) most = live;
  }
  return most + 1;
}

enum { PER_BUFFER, PER_PLACE, PER_LAYOUT, PER_OFFSET, PER_SHIFT };
static const asci_array arrays[] = {
    ASCI_ARRAY(cosma_pack, order, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(cosma_pack, live, PER_PLACE, ASCI_RAW),
    ASCI_ARRAY(cosma_pack, sorted, PER_PLACE, ASCI_RAW),
    ASCI_ARRAY(cosma_pack, offsets, PER_OFFSET, ASCI_RAW),
    ASCI_ARRAY(cosma_pack, states, PER_LAYOUT, ASCI_RAW),
    ASCI_ARRAY(cosma_pack, shifts, PER_SHIFT, ASCI_RAW),
    ASCI_OWN(cosma_pack, next_offsets),
    ASCI_OWN(cosma_pack, next),
    ASCI_OWN(cosma_pack, records),
};

asc_status asci_cosma_pack_new(const asc_problem *problem, int64_t capacity, uint32_t width, uint32_t level, cosma_pack *p) {
  asc_context *context = problem->context;
  size_t n = problem->count;
  *p = (cosma_pack){.context = context, .problem = problem, .capacity = capacity, .width = width, .level = level};
  p->stride = most_alive(problem);
  const size_t counts[] = {2 * n, p->stride, width, (size_t)width * p->stride, MOST_SHIFTS};
  if (!asci_arrays_new(context, ASCI_TABLE(arrays), counts, p)) {
    asci_cosma_pack_free(p);
    return ASC_OUT_OF_MEMORY;
  }
  for (uint32_t b = 0; b < n; b++)
    if (problem->buffers[b].size > 0) p->order[p->count++] = b;
  asci_sort(p->order, p->order + n, p->count, begins_before, problem->buffers);
  p->states[0] = (cosma_pack_state){.record = ASC_NONE};
  p->state_count = 1;
  return ASC_OK;
}

void asci_cosma_pack_free(cosma_pack *p) {
  if (!p->context) return;
  asci_arrays_free(p->context, ASCI_TABLE(arrays), p);
  *p = (cosma_pack){0};
}

/* ---- positions ------------------------------------------------------------------------------------------------------- */

static const asc_buffer_spec *buffer_at(const cosma_pack *p, uint32_t place) {
  return &p->problem->buffers[p->order[place]];
}

static void add_shift(cosma_pack *p, int64_t size) {
  for (uint32_t k = 0; k < p->shift_count; k++)
    if (p->shifts[k] == size) return;
  if (p->shift_count < MOST_SHIFTS) p->shifts[p->shift_count++] = size;
}

/* Sizes, and sums of two, of those that begin while the rectangle is alive. */
static void set_shifts(cosma_pack *p) {
  const asc_buffer_spec *mine = buffer_at(p, p->at);
  p->shift_count = 0;
  add_shift(p, 0);
  uint32_t end = p->at + 1;
  for (; end < p->count && buffer_at(p, end)->lower < mine->upper; end++) add_shift(p, buffer_at(p, end)->size);
  if (p->level == 1) return;
  uint32_t singles = p->shift_count;
  for (uint32_t a = 1; a < singles; a++)
    for (uint32_t b = a; b < singles; b++) add_shift(p, p->shifts[a] + p->shifts[b]);
}

/* What of a layout lies below what, by insertion: neighbours in time have nearly the same order. */
static void sort_layout(cosma_pack *p, const int64_t *offsets) {
  for (uint32_t k = 0; k < p->live_count; k++) {
    uint32_t to = k;
    for (; to > 0 && offsets[p->sorted[to - 1]] > offsets[k]; to--) p->sorted[to] = p->sorted[to - 1];
    p->sorted[to] = k;
  }
}

static void pass_over(cosma_pack_state *state, int64_t *top, int64_t lower, int64_t upper) {
  if (lower > *top) {
    state->holes++;
    if (lower - *top > state->hole) state->hole = lower - *top;
  }
  *top = upper;
}

/* How good a layout is for what comes: by the gaps between what is still there at time `then`, the rectangle under way at `offset` included. Its hash
   is of those as well: layouts that differ in what is gone are the same. */
static void rate(const cosma_pack *p, const int64_t *offsets, int64_t offset, int64_t then, cosma_pack_state *state) {
  const asc_buffer_spec *mine = buffer_at(p, p->at);
  int64_t top = 0;
  bool pending = mine->upper > then;
  if (pending) state->hash += asci_fold(asci_fold(ASCI_HASH_SEED, p->order[p->at]), (uint64_t)offset);
  for (uint32_t k = 0; k < p->live_count; k++) {
    uint32_t buffer = p->live[p->sorted[k]];
    const asc_buffer_spec *other = &p->problem->buffers[buffer];
    int64_t lower = offsets[p->sorted[k]];
    if (other->upper <= then) continue;
    state->hash += asci_fold(asci_fold(ASCI_HASH_SEED, buffer), (uint64_t)lower);
    if (pending && offset < lower) pass_over(state, &top, offset, offset + mine->size), pending = false;
    pass_over(state, &top, lower, lower + other->size);
  }
  if (pending) pass_over(state, &top, offset, offset + mine->size);
  pass_over(state, &top, p->capacity, p->capacity);
}

/* ---- layouts --------------------------------------------------------------------------------------------------------- */

static bool add_layout(cosma_pack *p, const int64_t *offsets, int64_t offset) {
  const cosma_pack_state *from = &p->states[p->state];
  size_t need = ((size_t)p->next_count + 1) * p->stride;
  if (!asci_grow(p->context, &p->next_offsets, &p->offsets_room, need, sizeof *p->next_offsets) ||
      !asci_grow(p->context, &p->next, &p->next_room, (size_t)p->next_count + 1, sizeof *p->next) ||
      !asci_grow(p->context, &p->records, &p->record_room, p->record_count + 1, sizeof *p->records))
    return false;
  cosma_pack_state *to = &p->next[p->next_count];
  *to = (cosma_pack_state){.record = (uint32_t)p->record_count, .hash = ASCI_HASH_SEED};
  int64_t then = p->at + 1 < p->count ? buffer_at(p, p->at + 1)->lower : INT64_MAX;
  rate(p, offsets, offset, then, to);
  p->records[p->record_count++] = (cosma_pack_record){from->record, offset};
  int64_t *copy = p->next_offsets + (size_t)p->next_count++ * p->stride;
  memcpy(copy, offsets, p->live_count * sizeof *copy);
  copy[p->live_count] = offset;
  return true;
}

/* Positions in the gap [low, high): at both ends, and as far in as something to come is large. */
static bool try_gap(cosma_pack *p, const int64_t *offsets, int64_t low, int64_t high) {
  const asc_buffer_spec *mine = buffer_at(p, p->at);
  int64_t step = mine->alignment, first = asci_align(low, step), last = high - mine->size;
  if (last < first) return true;
  last -= last % step;
  for (uint32_t k = 0; k < p->shift_count; k++) {
    int64_t up = asci_align(low + p->shifts[k], step), down = high - mine->size - p->shifts[k];
    down -= down < 0 ? 0 : down % step;
    if (up <= last && !add_layout(p, offsets, up)) return false;
    if (down >= first && down != up && !add_layout(p, offsets, down)) return false;
  }
  return true;
}

static bool extend(cosma_pack *p) {
  const int64_t *offsets = p->offsets + (size_t)p->state * p->stride;
  sort_layout(p, offsets);
  int64_t top = 0;
  for (uint32_t k = 0; k <= p->live_count; k++) {
    bool end = k == p->live_count;
    int64_t lower = end ? p->capacity : offsets[p->sorted[k]];
    if (lower > top && !try_gap(p, offsets, top, lower)) return false;
    if (!end) top = lower + p->problem->buffers[p->live[p->sorted[k]]].size;
  }
  return true;
}

/* ---- from one rectangle to the next ----------------------------------------------------------------------------------- */

static bool is_better(const void *keys, uint32_t a, uint32_t b) {
  const cosma_pack_state *states = keys;
  if (states[a].hole != states[b].hole) return states[a].hole > states[b].hole;
  if (states[a].holes != states[b].holes) return states[a].holes < states[b].holes;
  return states[a].hash < states[b].hash;
}

/* The rectangle under way is alive now; what ends before the next one begins is not. */
static void pass_time(cosma_pack *p) {
  p->live[p->live_count++] = p->order[p->at++];
  if (p->at == p->count) return;
  int64_t now = buffer_at(p, p->at)->lower;
  uint32_t kept = 0;
  for (uint32_t k = 0; k < p->live_count; k++) {
    if (p->problem->buffers[p->live[k]].upper <= now) continue;
    for (uint32_t s = 0; s < p->state_count; s++) {
      int64_t *offsets = p->offsets + (size_t)s * p->stride;
      offsets[kept] = offsets[k];
    }
    p->live[kept++] = p->live[k];
  }
  p->live_count = kept;
}

static cosma_packing keep_best(cosma_pack *p) {
  if (p->next_count == 0) return COSMA_UNPACKED;
  uint32_t *items = asci_alloc(p->context, 2 * (size_t)p->next_count, sizeof *items);
  if (!items) return COSMA_PACK_NO_MEMORY;
  for (uint32_t k = 0; k < p->next_count; k++) items[k] = k;
  asci_sort(items, items + p->next_count, p->next_count, is_better, p->next);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < p->next_count && kept < p->width; k++) {
    if (k > 0 && p->next[items[k]].hash == p->next[items[k - 1]].hash) continue;
    p->states[kept] = p->next[items[k]];
    memcpy(p->offsets + (size_t)kept++ * p->stride, p->next_offsets + (size_t)items[k] * p->stride,
           ((size_t)p->live_count + 1) * sizeof *p->offsets);
  }
  p->state_count = kept;
  asci_free(p->context, items);
  pass_time(p);
  p->state = p->next_count = 0;
  return p->at == p->count ? COSMA_PACKED : COSMA_PACKING;
}

cosma_packing asci_cosma_pack_step(cosma_pack *p) {
  if (p->at == p->count) return COSMA_PACKED;
  if (p->state == p->state_count) return keep_best(p);
  if (p->state == 0) set_shifts(p);
  if (!extend(p)) return COSMA_PACK_NO_MEMORY;
  p->state++;
  return COSMA_PACKING;
}

void asci_cosma_pack_offsets(const cosma_pack *p, int64_t *offsets) {
  for (uint32_t b = 0; b < p->problem->count; b++) offsets[b] = 0;
  uint32_t place = p->count;
  for (uint32_t r = place ? p->states[0].record : ASC_NONE; r != ASC_NONE; r = p->records[r].parent)
    offsets[p->order[--place]] = p->records[r].offset;
}
