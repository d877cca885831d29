#include "model/lifespan/peaks.h"

#include "base/memory.h"

/* The better of two sections: the greater load, of equal ones the earlier; b if a is ASC_NONE. */
static uint32_t better(const asc_problem *problem, uint32_t a, uint32_t b) {
  if (a == ASC_NONE) return b;
  int64_t left = problem->sections[a].load, right = problem->sections[b].load;
  if (left != right) return left > right ? a : b;
  return a < b ? a : b;
}

/* The best of sections next to each other. */
static uint32_t best_of(const asc_problem *problem, uint32_t first, uint32_t end, uint32_t best) {
  for (uint32_t s = first; s < end; s++) best = better(problem, best, s);
  return best;
}

/* Few lives are long: over the sections stands a tree of blocks, for those that reach beyond one. */
#define BLOCK 16u

static uint32_t best_in(const asc_problem *problem, const uint32_t *tree, const asci_piece *piece, uint32_t best) {
  uint32_t blocks = problem->section_count / BLOCK, begin = (piece->first + BLOCK - 1) / BLOCK, end = piece->end / BLOCK;
  if (begin >= end) return best_of(problem, piece->first, piece->end, best);
  best = best_of(problem, piece->first, begin * BLOCK, best);
  best = best_of(problem, end * BLOCK, piece->end, best);
  for (uint32_t left = blocks + begin, right = blocks + end; left < right; left /= 2, right /= 2) {
    if (left & 1) best = better(problem, best, tree[left++]);
    if (right & 1) best = better(problem, best, tree[--right]);
  }
  return best;
}

asc_status asci_peaks(const asc_problem *problem, uint32_t *peak) {
  uint32_t blocks = problem->section_count / BLOCK;
  uint32_t *tree = asci_alloc(problem->context, 2 * (size_t)blocks, sizeof *tree);
  if (!tree) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < blocks; k++) tree[blocks + k] = best_of(problem, k * BLOCK, (k + 1) * BLOCK, ASC_NONE);
  for (uint32_t node = blocks; node-- > 1;) tree[node] = better(problem, tree[2 * node], tree[2 * node + 1]);
  for (uint32_t b = 0; b < problem->count; b++) {
    peak[b] = ASC_NONE;
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++)
      peak[b] = best_in(problem, tree, &problem->pieces[p], peak[b]);
  }
  asci_free(problem->context, tree);
  return ASC_OK;
}
