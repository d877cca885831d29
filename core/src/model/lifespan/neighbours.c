#include "model/lifespan/neighbours.h"

#include "base/memory.h"
#include "model/lifespan/meet.h"

#include <string.h>

#define BLOCK 16u /* places below a leaf of the tree */

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static bool is_empty(const asc_problem *problem, uint32_t buffer) {
  return problem->piece_begin[buffer] == problem->piece_begin[buffer + 1];
}

/* Counts by first section, and deals the buffers out: begun[s] moves from where those of s begin to where they end, and back. */
static void put_in_order(asci_neighbours *near) {
  const asc_problem *problem = near->problem;
  uint32_t sections = problem->section_count;
  for (uint32_t b = 0; b < problem->count; b++)
    if (!is_empty(problem, b)) near->begun[asci_first_section(problem, b) + 1]++;
  for (uint32_t s = 0; s < sections; s++) near->begun[s + 1] += near->begun[s];
  for (uint32_t b = 0; b < problem->count; b++)
    if (!is_empty(problem, b)) near->order[near->begun[asci_first_section(problem, b)]++] = b;
  memmove(near->begun + 1, near->begun, sections * sizeof *near->begun);
  near->begun[0] = 0;
}

static void grow_tree(asci_neighbours *near) {
  uint32_t count = near->begun[near->problem->section_count];
  for (uint32_t k = 0; k < count; k++) {
    uint32_t end = near->ends[k] = asci_end_section(near->problem, near->order[k]), leaf = near->leaves + k / BLOCK;
    if (end > near->latest[leaf]) near->latest[leaf] = end;
    near->pairs += near->begun[end] - k - 1; /* with those that begin after it */
  }
  for (uint32_t node = near->leaves; node-- > 1;) {
    uint32_t left = near->latest[2 * node], right = near->latest[2 * node + 1];
    near->latest[node] = left > right ? left : right;
  }
}

asc_status asci_neighbours_new(const asc_problem *problem, asci_neighbours *near) {
  asc_context *context = problem->context;
  size_t n = problem->count, words = n / 64 + 1;
  *near = (asci_neighbours){.problem = problem, .leaves = 1};
  while ((size_t)near->leaves * BLOCK < n) near->leaves *= 2;
  near->order = asci_alloc(context, 3 * n + 1, sizeof *near->order);
  near->begun = asci_calloc(context, (size_t)problem->section_count + 1, sizeof *near->begun);
  near->latest = asci_calloc(context, 2 * (size_t)near->leaves, sizeof *near->latest);
  near->marked = asci_calloc(context, words + words / 64 + 1, sizeof *near->marked);
  if (!near->order || !near->begun || !near->latest || !near->marked) {
    asci_neighbours_free(near);
    return ASC_OUT_OF_MEMORY;
  }
  near->ends = near->order + n;
  near->found = near->ends + n;
  near->remarkable = near->marked + words;
  put_in_order(near);
  grow_tree(near);
  return ASC_OK;
}

void asci_neighbours_free(asci_neighbours *near) {
  if (!near->problem) return;
  asc_context *context = near->problem->context;
  asci_free(context, near->order);
  asci_free(context, near->begun);
  asci_free(context, near->latest);
  asci_free(context, near->marked);
  *near = (asci_neighbours){0};
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

/* The first block from `at` on with a buffer that ends after the section; beyond all of them if there is none. */
static uint32_t next_block(const asci_neighbours *near, uint32_t at, uint32_t section) {
  if (at >= near->leaves) return at;
  uint32_t node = near->leaves + at;
  while (near->latest[node] <= section) {
    while (node & 1) node /= 2; /* up from right children, as there is nothing to the right of them there */
    if (!node) return near->leaves;
    node++;
  }
  while (node < near->leaves) {
    node *= 2;
    node += near->latest[node] <= section;
  }
  return node - near->leaves;
}

/* Those at the places before `to` that end after the section. Written first and counted then: which ones do is hard to predict. */
static uint32_t find_begun(const asci_neighbours *near, uint32_t to, uint32_t section) {
  uint32_t count = 0;
  for (uint32_t block = next_block(near, 0, section); block * BLOCK < to; block = next_block(near, block + 1, section)) {
    uint32_t end = block * BLOCK + BLOCK < to ? block * BLOCK + BLOCK : to;
    for (uint32_t k = block * BLOCK; k < end; k++) {
      near->found[count] = near->order[k];
      count += near->ends[k] > section;
    }
  }
  return count;
}

/* Where both have gaps, they may pass each other. */
static uint32_t keep_those_that_meet(const asci_neighbours *near, uint32_t buffer, uint32_t found) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < found; k++)
    if (asci_meet(near->problem, buffer, near->found[k])) near->found[count++] = near->found[k];
  return count;
}

const uint32_t *asci_neighbours_by_start(const asci_neighbours *near, uint32_t buffer, uint32_t *count) {
  const asc_problem *problem = near->problem;
  *count = 0;
  if (is_empty(problem, buffer)) return near->found;
  uint32_t first = asci_first_section(problem, buffer), from = near->begun[first];
  uint32_t to = near->begun[asci_end_section(problem, buffer)], found = find_begun(near, from, first);
  uint32_t self = from;
  while (near->order[self] != buffer) self++;
  memcpy(near->found + found, near->order + from, (self - from) * sizeof *near->found);
  memcpy(near->found + found + (self - from), near->order + self + 1, (to - self - 1) * sizeof *near->found);
  found += to - from - 1;
  *count = problem->has_gaps || problem->has_shapes ? keep_those_that_meet(near, buffer, found) : found;
  return near->found;
}

const uint32_t *asci_neighbours_of(const asci_neighbours *near, uint32_t buffer, uint32_t *count) {
  asci_neighbours_by_start(near, buffer, count);
  for (uint32_t k = 0; k < *count; k++) {
    uint32_t word = near->found[k] / 64;
    near->marked[word] |= UINT64_C(1) << near->found[k] % 64;
    near->remarkable[word / 64] |= UINT64_C(1) << word % 64;
  }
  uint32_t at = 0;
  for (uint32_t group = 0; at < *count; group++)
    for (; near->remarkable[group]; near->remarkable[group] &= near->remarkable[group] - 1) {
      uint32_t word = group * 64 + (uint32_t)__builtin_ctzll(near->remarkable[group]);
      for (; near->marked[word]; near->marked[word] &= near->marked[word] - 1)
        near->found[at++] = word * 64 + (uint32_t)__builtin_ctzll(near->marked[word]);
    }
  return near->found;
}
