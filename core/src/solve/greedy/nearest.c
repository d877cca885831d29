#include "solve/greedy/nearest.h"

#include "base/arrays.h"
#include "solve/greedy/order.h"

/* ---- stages ---------------------------------------------------------------------------------------------------------- */

/* A tree over the sections that counts buffers: `most` of a node is the greatest count below it, without what lies above it. */
typedef struct counter {
  uint32_t leaves;
  uint32_t *added, *most;
} counter;

static void count_in(counter *c, uint32_t node) {
  c->added[node]++;
  c->most[node]++;
}

static void recount(counter *c, uint32_t leaf) {
  for (uint32_t node = leaf / 2; node; node /= 2) {
    uint32_t left = c->most[2 * node], right = c->most[2 * node + 1];
    c->most[node] = (left > right ? left : right) + c->added[node];
  }
}

static void count_piece(counter *c, const asci_piece *piece) {
  uint32_t left = c->leaves + piece->first, right = c->leaves + piece->end;
  for (; left < right; left /= 2, right /= 2) {
    if (left & 1) count_in(c, left++);
    if (right & 1) count_in(c, --right);
  }
  recount(c, c->leaves + piece->first);
  recount(c, c->leaves + piece->end - 1);
}

/* Positional maximum i is the greatest i-th largest size of a time. The last one that is at least a buffer's size is found by counting:
   with all buffers of that size or more in, it is the greatest number of them alive at once. */
static void make_stages(asci_nearest *nearest, counter *c, const uint32_t *by_size) {
  const asc_problem *problem = nearest->problem;
  for (uint32_t begin = 0, end; begin < problem->count; begin = end) {
    int64_t size = problem->buffers[by_size[begin]].size;
    for (end = begin; end < problem->count && problem->buffers[by_size[end]].size == size; end++) {
      uint32_t pieces;
      const asci_piece *piece = asci_pieces(problem, by_size[end], &pieces);
      if (pieces) count_piece(c, piece);
    }
    for (uint32_t k = begin; k < end; k++) nearest->stage[by_size[k]] = c->most[1] - (c->most[1] > 0);
  }
}

static const asci_array counted[] = {
    ASCI_ARRAY(counter, added, 0, ASCI_ZEROS),
    ASCI_ARRAY(counter, most, 0, ASCI_ZEROS),
};

static asc_status find_stages(asci_nearest *nearest, uint32_t *by_size) {
  const asc_problem *problem = nearest->problem;
  asc_status status = asci_greedy_sort(problem, ASCI_ORDER_SIZE, by_size, NULL);
  if (status) return status;
  counter c = {.leaves = 1};
  while (c.leaves < problem->section_count) c.leaves *= 2;
  const size_t nodes = 2 * (size_t)c.leaves;
  if (!asci_arrays_new(problem->context, ASCI_TABLE(counted), &nodes, &c)) return ASC_OUT_OF_MEMORY;
  make_stages(nearest, &c, by_size);
  asci_arrays_free(problem->context, ASCI_TABLE(counted), &c);
  return ASC_OK;
}

/* ---- the heap -------------------------------------------------------------------------------------------------------- */

static bool sooner(const asci_nearest *q, uint32_t a, uint32_t b) {
  if (q->stage[a] != q->stage[b]) return q->stage[a] < q->stage[b];
  if (q->distance[a] != q->distance[b]) return q->distance[a] < q->distance[b];
  int64_t left = q->problem->buffers[a].size, right = q->problem->buffers[b].size;
  return left != right ? left > right : a < b;
}

static void set(asci_nearest *q, uint32_t at, uint32_t buffer) {
  q->heap[at] = buffer;
  q->heap_at[buffer] = at;
}

static void swim(asci_nearest *q, uint32_t at, uint32_t buffer) {
  for (; at && sooner(q, buffer, q->heap[(at - 1) / 2]); at = (at - 1) / 2) set(q, at, q->heap[(at - 1) / 2]);
  set(q, at, buffer);
}

static void sink(asci_nearest *q, uint32_t at, uint32_t buffer) {
  for (uint64_t child; (child = 2 * (uint64_t)at + 1) < q->heap_count; at = (uint32_t)child) {
    if (child + 1 < q->heap_count && sooner(q, q->heap[child + 1], q->heap[child])) child++;
    if (!sooner(q, q->heap[child], buffer)) break;
    set(q, at, q->heap[child]);
  }
  set(q, at, buffer);
}

static void moved(asci_nearest *q, uint32_t buffer) {
  swim(q, q->heap_at[buffer], buffer);
  sink(q, q->heap_at[buffer], buffer);
}

static void take_out(asci_nearest *q, uint32_t buffer) {
  uint32_t at = q->heap_at[buffer], last = q->heap[--q->heap_count];
  q->heap_at[buffer] = ASC_NONE;
  if (last == buffer) return;
  set(q, at, last);
  moved(q, last);
}

uint32_t asci_nearest_next(const asci_nearest *nearest) {
  return nearest->heap[0];
}

/* ---- distances ------------------------------------------------------------------------------------------------------- */

/* Looks at all slots again: the nearest one that is free during the buffer's life, of equal ones the first opened. */
static void look_again(asci_nearest *q, uint32_t buffer) {
  const asc_buffer_spec *spec = &q->problem->buffers[buffer];
  q->distance[buffer] = INT64_MAX;
  q->slot[buffer] = ASC_NONE;
  for (uint32_t s = 0; s < q->slots->count; s++) {
    asci_hole hole;
    if (!asci_slots_hole(q->slots, s, buffer, &hole)) continue;
    int64_t before = hole.lower == INT64_MIN ? INT64_MAX : spec->lower - hole.lower;
    int64_t after = hole.upper == INT64_MAX ? INT64_MAX : hole.upper - spec->upper;
    int64_t distance = before < after ? before : after;
    if (distance >= q->distance[buffer]) continue;
    q->distance[buffer] = distance;
    q->slot[buffer] = s;
  }
}

/* `joined` has come into `slot`, in whose hole `buffer` lies. */
static void meet(asci_nearest *q, uint32_t buffer, uint32_t joined, uint32_t slot) {
  const asc_buffer_spec *mine = &q->problem->buffers[buffer], *its = &q->problem->buffers[joined];
  if (mine->lower < its->upper && its->lower < mine->upper) {
    if (q->slot[buffer] != slot) return;
    look_again(q, buffer);
  } else {
    int64_t distance = mine->upper <= its->lower ? its->lower - mine->upper : mine->lower - its->upper;
    if (distance >= q->distance[buffer]) return;
    q->distance[buffer] = distance;
    q->slot[buffer] = slot;
  }
  moved(q, buffer);
}

/* The first position at or after `at` whose buffer is not placed; halves the way for the next that asks. */
static uint32_t next_open(asci_nearest *q, uint32_t at) {
  while (q->open[at] != at) {
    q->open[at] = q->open[q->open[at]];
    at = q->open[at];
  }
  return at;
}

static uint32_t first_from(const asci_nearest *q, int64_t lower) {
  uint32_t low = 0, high = q->problem->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (q->problem->buffers[q->by_lower[middle]].lower < lower)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void asci_nearest_joined(asci_nearest *nearest, uint32_t buffer, uint32_t slot, const asci_hole *hole) {
  asci_nearest *q = nearest;
  take_out(q, buffer);
  q->open[q->position[buffer]] = q->position[buffer] + 1;
  for (uint32_t at = next_open(q, first_from(q, hole->lower)); at < q->problem->count; at = next_open(q, at + 1)) {
    uint32_t other = q->by_lower[at];
    const asc_buffer_spec *spec = &q->problem->buffers[other];
    if (spec->lower >= hole->upper) break;
    if (spec->upper <= hole->upper) meet(q, other, buffer, slot);
  }
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static asc_status fill(asci_nearest *q) {
  uint32_t n = q->problem->count;
  asc_status status = find_stages(q, q->heap);
  if (!status) status = asci_greedy_sort(q->problem, ASCI_ORDER_ARRIVAL, q->by_lower, NULL);
  if (status) return status;
  for (uint32_t k = 0; k < n; k++) {
    q->position[q->by_lower[k]] = k;
    q->open[k] = q->problem->buffers[q->by_lower[k]].size ? k : k + 1;
  }
  q->open[n] = n;
  for (uint32_t b = 0; b < n; b++) {
    q->distance[b] = INT64_MAX;
    q->slot[b] = q->heap_at[b] = ASC_NONE;
    if (q->problem->buffers[b].size) q->heap[q->heap_count++] = b;
  }
  for (uint32_t k = 0; k < q->heap_count; k++) q->heap_at[q->heap[k]] = k;
  for (uint32_t k = q->heap_count / 2; k-- > 0;) sink(q, k, q->heap[k]);
  return ASC_OK;
}

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_nearest, stage, 0, ASCI_RAW),   ASCI_ARRAY(asci_nearest, distance, 0, ASCI_RAW),
    ASCI_ARRAY(asci_nearest, slot, 0, ASCI_RAW),    ASCI_ARRAY(asci_nearest, heap, 0, ASCI_RAW),
    ASCI_ARRAY(asci_nearest, heap_at, 0, ASCI_RAW), ASCI_ARRAY(asci_nearest, by_lower, 0, ASCI_RAW),
    ASCI_ARRAY(asci_nearest, open, 1, ASCI_RAW),    ASCI_ARRAY(asci_nearest, position, 0, ASCI_RAW),
};

asc_status asci_nearest_new(const asc_problem *problem, const asci_slots *slots, asci_nearest *nearest) {
  asci_nearest made = {.problem = problem, .slots = slots};
  const size_t counts[] = {problem->count, (size_t)problem->count + 1};
  if (!asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, &made)) return ASC_OUT_OF_MEMORY;
  asc_status status = fill(&made);
  if (status)
    asci_nearest_free(&made);
  else
    *nearest = made;
  return status;
}

void asci_nearest_free(asci_nearest *nearest) {
  if (nearest->problem) asci_arrays_free(nearest->problem->context, ASCI_TABLE(arrays), nearest);
}
