#include "model/peaks.h"

#include "base/memory.h"

/* The better of two sections: the greater load, of equal ones the earlier; ASC_NONE loses. */
static uint32_t better(const asc_problem *problem, uint32_t a, uint32_t b) {
  if (a == ASC_NONE || b == ASC_NONE) return a == ASC_NONE ? b : a;
  int64_t left = problem->sections[a].load, right = problem->sections[b].load;
  if (left != right) return left > right ? a : b;
  return a < b ? a : b;
}

asc_status asci_peaks(const asc_problem *problem, uint32_t *peak) {
  uint32_t count = problem->section_count;
  uint32_t *tree = asci_alloc(problem->context, 2 * (size_t)count, sizeof *tree);
  if (!tree) return ASC_OUT_OF_MEMORY;
  for (uint32_t s = 0; s < count; s++) tree[count + s] = s;
  for (uint32_t node = count; node-- > 1;) tree[node] = better(problem, tree[2 * node], tree[2 * node + 1]);
  for (uint32_t b = 0; b < problem->count; b++) {
    peak[b] = ASC_NONE;
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) {
      uint32_t left = count + problem->pieces[p].first, right = count + problem->pieces[p].end;
      for (; left < right; left /= 2, right /= 2) {
        if (left & 1) peak[b] = better(problem, peak[b], tree[left++]);
        if (right & 1) peak[b] = better(problem, peak[b], tree[--right]);
      }
    }
  }
  asci_free(problem->context, tree);
  return ASC_OK;
}
