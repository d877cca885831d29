#include "model/lifespan/occupancy.h"

#include "base/arrays.h"
#include "model/bank.h"

#include <string.h>

/* A walk holds at most one pending sibling per level of a tree of 2^32 leaves. */
#define WALK_DEPTH 40u

/* A counting sort that moves each section's start on, then shifts the starts back by one section. */
static void order_pieces(asci_occupancy *occupancy) {
  const asc_problem *problem = occupancy->problem;
  uint32_t sections = problem->section_count, pieces = problem->piece_begin[problem->count];
  uint32_t *before = occupancy->before;
  for (uint32_t p = 0; p < pieces; p++) before[problem->pieces[p].first + 1]++;
  for (uint32_t s = 0; s < sections; s++) before[s + 1] += before[s];
  for (uint32_t b = 0; b < problem->count; b++)
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) {
      uint32_t leaf = before[problem->pieces[p].first]++;
      occupancy->leaf_of[p] = leaf;
      occupancy->placed[leaf] = (asci_placed_piece){.piece = p, .buffer = b};
    }
  memmove(before + 1, before, sections * sizeof *before);
  before[0] = 0;
}

enum { PER_BUFFER, PER_PIECE, PER_SECTION, PER_NODE };

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_occupancy, offsets, PER_BUFFER, ASCI_ONES),
    ASCI_ARRAY(asci_occupancy, placed, PER_PIECE, ASCI_RAW),
    ASCI_ARRAY(asci_occupancy, leaf_of, PER_PIECE, ASCI_RAW),
    ASCI_ARRAY(asci_occupancy, before, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(asci_occupancy, latest, PER_NODE, ASCI_ZEROS),
    ASCI_OWN(asci_occupancy, blockers),
    ASCI_OWN(asci_occupancy, scratch),
};

asc_status asci_occupancy_new(const asc_problem *problem, int64_t round_size, asci_occupancy *occupancy) {
  uint32_t n = problem->count, pieces = problem->piece_begin[n];
  asci_occupancy made = {.problem = problem, .round_size = round_size, .leaves = 1};
  while (made.leaves < pieces) made.leaves *= 2;
  const size_t counts[] = {n, pieces, (size_t)problem->section_count + 1, 2 * (size_t)made.leaves};
  if (!asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, &made)) return ASC_OUT_OF_MEMORY;
  order_pieces(&made);
  *occupancy = made;
  return ASC_OK;
}

void asci_occupancy_free(asci_occupancy *occupancy) {
  if (occupancy->problem) asci_arrays_free(occupancy->problem->context, ASCI_TABLE(arrays), occupancy);
}

int64_t asci_occupancy_reserve(const asci_occupancy *occupancy, uint32_t buffer) {
  return asci_align(occupancy->problem->buffers[buffer].size, occupancy->round_size);
}

/* What is reserved of a buffer beyond its size. */
static int64_t padding(const asci_occupancy *occupancy, uint32_t buffer) {
  return asci_occupancy_reserve(occupancy, buffer) - occupancy->problem->buffers[buffer].size;
}

void asci_occupancy_place(asci_occupancy *occupancy, uint32_t buffer, int64_t offset) {
  const asc_problem *problem = occupancy->problem;
  int64_t beyond = padding(occupancy, buffer);
  occupancy->offsets[buffer] = offset;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) {
    const asci_piece *piece = &problem->pieces[p];
    uint32_t leaf = occupancy->leaf_of[p];
    occupancy->placed[leaf].low = offset + piece->window_lower;
    occupancy->placed[leaf].high = offset + piece->window_upper + beyond;
    for (uint32_t node = occupancy->leaves + leaf; node && occupancy->latest[node] < piece->end; node /= 2)
      occupancy->latest[node] = piece->end;
  }
}

/* ---- finding blockers ------------------------------------------------------------------------------------------------ */

static bool add_blocker(asci_occupancy *occupancy, const asci_piece *mine, int64_t my_size, uint32_t leaf) {
  size_t need = (size_t)occupancy->blocker_count + 1;
  if (need > occupancy->blocker_room && !asci_grow(occupancy->problem->context, &occupancy->blockers,
                                                   &occupancy->blocker_room, need, sizeof *occupancy->blockers))
    return false;
  const asci_placed_piece *other = &occupancy->placed[leaf];
  occupancy->blockers[occupancy->blocker_count++] = (asci_blocker){.floor = other->high - mine->window_lower,
                                                                   .ceiling = other->low - mine->window_upper + my_size,
                                                                   .buffer = other->buffer};
  return true;
}

typedef struct visit {
  uint32_t node, begin, span;
} visit;

static bool collect_piece(asci_occupancy *occupancy, const asci_piece *mine, int64_t my_size) {
  uint32_t limit = occupancy->before[mine->end];
  visit stack[WALK_DEPTH];
  uint32_t depth = 0;
  stack[depth++] = (visit){1, 0, occupancy->leaves};
  while (depth) {
    visit at = stack[--depth];
    if (at.begin >= limit || occupancy->latest[at.node] <= mine->first) continue;
    if (at.span == 1) {
      if (!add_blocker(occupancy, mine, my_size, at.begin)) return false;
      continue;
    }
    uint32_t half = at.span / 2;
    stack[depth++] = (visit){2 * at.node + 1, at.begin + half, half};
    stack[depth++] = (visit){2 * at.node, at.begin, half};
  }
  return true;
}

bool asci_occupancy_collect(asci_occupancy *occupancy, uint32_t buffer) {
  const asc_problem *problem = occupancy->problem;
  int64_t size = problem->buffers[buffer].size;
  occupancy->blocker_count = 0;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++)
    if (!collect_piece(occupancy, &problem->pieces[p], size)) return false;
  return true;
}

/* ---- sorting them ---------------------------------------------------------------------------------------------------- */

#define RUN 8u /* runs this short are sorted by insertion */

static inline bool lower(const asci_blocker *a, const asci_blocker *b) {
  if (a->ceiling != b->ceiling) return a->ceiling < b->ceiling;
  return a->floor != b->floor ? a->floor < b->floor : a->buffer < b->buffer;
}

static void sort_run(asci_blocker *items, size_t count) {
  for (size_t i = 1; i < count; i++) {
    asci_blocker item = items[i];
    size_t at = i;
    for (; at && lower(&item, &items[at - 1]); at--) items[at] = items[at - 1];
    items[at] = item;
  }
}

static void merge(const asci_blocker *from, asci_blocker *to, size_t middle, size_t end) {
  size_t a = 0, b = middle, out = 0;
  while (a < middle && b < end) to[out++] = lower(&from[b], &from[a]) ? from[b++] : from[a++];
  memcpy(to + out, from + a, (middle - a) * sizeof *to);
  out += middle - a;
  memcpy(to + out, from + b, (end - b) * sizeof *to);
}

/* Most of a greedy run is spent here, which is why it does not go through the sort of indices in base. */
bool asci_occupancy_sort(asci_occupancy *occupancy) {
  size_t count = occupancy->blocker_count;
  if (!count) return true;
  if (!asci_grow(occupancy->problem->context, &occupancy->scratch, &occupancy->scratch_room, occupancy->blocker_room,
                 sizeof *occupancy->scratch))
    return false;
  asci_blocker *from = occupancy->blockers, *to = occupancy->scratch;
  for (size_t begin = 0; begin < count; begin += RUN) sort_run(from + begin, count - begin < RUN ? count - begin : RUN);
  for (size_t width = RUN; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      size_t left = count - begin;
      merge(from + begin, to + begin, left < width ? left : width, left < 2 * width ? left : 2 * width);
    }
    asci_blocker *swap = from;
    from = to;
    to = swap;
  }
  if (from != occupancy->blockers) memcpy(occupancy->blockers, from, count * sizeof *from);
  return true;
}

const asci_blocker *asci_occupancy_meets(const asci_occupancy *occupancy, int64_t offset, int64_t size) {
  for (uint32_t k = 0; k < occupancy->blocker_count; k++) {
    const asci_blocker *blocker = &occupancy->blockers[k];
    if (offset < blocker->floor - padding(occupancy, blocker->buffer) && offset + size > blocker->ceiling) return blocker;
  }
  return NULL;
}
