#include "model/occupancy.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

/* A walk holds at most one pending sibling per level of a tree of 2^32 leaves. */
#define WALK_DEPTH 40u

asc_status asci_occupancy_new(const asc_problem *problem, int64_t round_size, asci_occupancy *occupancy) {
  asc_context *context = problem->context;
  uint32_t n = problem->count, sections = problem->section_count;
  uint32_t pieces = problem->piece_begin[n];
  asci_occupancy made = {.problem = problem, .round_size = round_size, .leaves = 1};
  while (made.leaves < pieces) made.leaves *= 2;
  made.offsets = asci_alloc(context, n, sizeof *made.offsets);
  made.piece_at = asci_alloc(context, pieces, sizeof *made.piece_at);
  made.leaf_of = asci_alloc(context, pieces, sizeof *made.leaf_of);
  made.owner = asci_alloc(context, pieces, sizeof *made.owner);
  made.before = asci_calloc(context, (size_t)sections + 1, sizeof *made.before);
  made.latest = asci_calloc(context, 2 * (size_t)made.leaves, sizeof *made.latest);
  if (!made.offsets || !made.piece_at || !made.leaf_of || !made.owner || !made.before || !made.latest) {
    asci_occupancy_free(&made);
    return ASC_OUT_OF_MEMORY;
  }
  for (uint32_t b = 0; b < n; b++) {
    made.offsets[b] = ASC_UNPLACED;
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) made.owner[p] = b;
  }
  for (uint32_t p = 0; p < pieces; p++) made.before[problem->pieces[p].first + 1]++;
  for (uint32_t s = 0; s < sections; s++) made.before[s + 1] += made.before[s];
  /* A counting sort that moves each section's start on, then shifts the starts back by one section. */
  for (uint32_t p = 0; p < pieces; p++) {
    made.leaf_of[p] = made.before[problem->pieces[p].first]++;
    made.piece_at[made.leaf_of[p]] = p;
  }
  memmove(made.before + 1, made.before, sections * sizeof *made.before);
  made.before[0] = 0;
  *occupancy = made;
  return ASC_OK;
}

void asci_occupancy_free(asci_occupancy *occupancy) {
  if (!occupancy->problem) return;
  asc_context *context = occupancy->problem->context;
  asci_free(context, occupancy->offsets);
  asci_free(context, occupancy->piece_at);
  asci_free(context, occupancy->leaf_of);
  asci_free(context, occupancy->owner);
  asci_free(context, occupancy->before);
  asci_free(context, occupancy->latest);
  asci_free(context, occupancy->blockers);
  asci_free(context, occupancy->sorted);
  asci_free(context, occupancy->scratch);
  *occupancy = (asci_occupancy){0};
}

int64_t asci_occupancy_reserve(const asci_occupancy *occupancy, uint32_t buffer) {
  return asci_align(occupancy->problem->buffers[buffer].size, occupancy->round_size);
}

void asci_occupancy_place(asci_occupancy *occupancy, uint32_t buffer, int64_t offset) {
  const asc_problem *problem = occupancy->problem;
  occupancy->offsets[buffer] = offset;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) {
    uint32_t end = problem->pieces[p].end;
    for (uint32_t node = occupancy->leaves + occupancy->leaf_of[p]; node && occupancy->latest[node] < end; node /= 2)
      occupancy->latest[node] = end;
  }
}

/* What is reserved of a buffer beyond its size. */
static int64_t padding(const asci_occupancy *occupancy, uint32_t buffer) {
  return asci_occupancy_reserve(occupancy, buffer) - occupancy->problem->buffers[buffer].size;
}

static bool add_blocker(asci_occupancy *occupancy, const asci_piece *mine, int64_t my_size, uint32_t piece) {
  if (!asci_grow(occupancy->problem->context, &occupancy->blockers, &occupancy->blocker_room,
                 (size_t)occupancy->blocker_count + 1, sizeof *occupancy->blockers))
    return false;
  const asci_piece *other = &occupancy->problem->pieces[piece];
  uint32_t buffer = occupancy->owner[piece];
  int64_t low = occupancy->offsets[buffer] + other->window_lower;
  int64_t high = occupancy->offsets[buffer] + other->window_upper + padding(occupancy, buffer);
  occupancy->blockers[occupancy->blocker_count++] =
      (asci_blocker){.floor = high - mine->window_lower, .ceiling = low - mine->window_upper + my_size, .buffer = buffer};
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
      if (!add_blocker(occupancy, mine, my_size, occupancy->piece_at[at.begin])) return false;
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

static bool lower_blocker(const void *keys, uint32_t a, uint32_t b) {
  const asci_blocker *left = (const asci_blocker *)keys + a, *right = (const asci_blocker *)keys + b;
  if (left->ceiling != right->ceiling) return left->ceiling < right->ceiling;
  if (left->floor != right->floor) return left->floor < right->floor;
  return left->buffer < right->buffer;
}

bool asci_occupancy_sort(asci_occupancy *occupancy) {
  asc_context *context = occupancy->problem->context;
  uint32_t count = occupancy->blocker_count;
  if (!asci_grow(context, &occupancy->sorted, &occupancy->sorted_room, count, sizeof *occupancy->sorted) ||
      !asci_grow(context, &occupancy->scratch, &occupancy->scratch_room, count, sizeof *occupancy->scratch))
    return false;
  for (uint32_t k = 0; k < count; k++) occupancy->sorted[k] = k;
  if (count) asci_sort(occupancy->sorted, occupancy->scratch, count, lower_blocker, occupancy->blockers);
  return true;
}

const asci_blocker *asci_occupancy_meets(const asci_occupancy *occupancy, int64_t offset, int64_t size) {
  for (uint32_t k = 0; k < occupancy->blocker_count; k++) {
    const asci_blocker *blocker = &occupancy->blockers[k];
    if (offset < blocker->floor - padding(occupancy, blocker->buffer) && offset + size > blocker->ceiling) return blocker;
  }
  return NULL;
}
