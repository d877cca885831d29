#include "solve/greedy/skyline.h"

#include "base/arrays.h"

enum { PER_BUFFER, PER_NODE };

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_skyline, mark, PER_NODE, ASCI_ONES),
    ASCI_ARRAY(asci_skyline, best, PER_NODE, ASCI_ONES),
    ASCI_ARRAY(asci_skyline, end, PER_BUFFER, ASCI_RAW),
};

asc_status asci_skyline_new(const asc_problem *problem, asci_skyline *skyline) {
  asci_skyline made = {.problem = problem, .leaves = 1};
  while (made.leaves < problem->section_count) made.leaves *= 2;
  const size_t counts[] = {problem->count, 2 * (size_t)made.leaves};
  if (!asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, &made)) return ASC_OUT_OF_MEMORY;
  *skyline = made;
  return ASC_OK;
}

void asci_skyline_free(asci_skyline *skyline) {
  if (skyline->problem) asci_arrays_free(skyline->problem->context, ASCI_TABLE(arrays), skyline);
}

/* The one that ends higher; of equals the lower index, so that the answer does not hang on the tree's shape. */
static uint32_t higher(const asci_skyline *skyline, uint32_t a, uint32_t b) {
  if (a == ASC_NONE || b == ASC_NONE) return a == ASC_NONE ? b : a;
  int64_t left = skyline->end[a], right = skyline->end[b];
  if (left != right) return left > right ? a : b;
  return a < b ? a : b;
}

uint32_t asci_skyline_under(const asci_skyline *skyline, uint32_t buffer) {
  const asc_problem *problem = skyline->problem;
  uint32_t found = ASC_NONE;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) {
    uint32_t left = skyline->leaves + problem->pieces[p].first, right = skyline->leaves + problem->pieces[p].end;
    /* Every node above one that makes up the range has one of the range's two ends below it. */
    for (uint32_t node = left / 2; node; node /= 2) found = higher(skyline, found, skyline->mark[node]);
    for (uint32_t node = (right - 1) / 2; node; node /= 2) found = higher(skyline, found, skyline->mark[node]);
    for (; left < right; left /= 2, right /= 2) {
      if (left & 1) found = higher(skyline, found, skyline->best[left++]);
      if (right & 1) found = higher(skyline, found, skyline->best[--right]);
    }
  }
  return found;
}

static void lay_on(asci_skyline *skyline, uint32_t node, uint32_t buffer) {
  skyline->mark[node] = higher(skyline, skyline->mark[node], buffer);
  for (; node; node /= 2) skyline->best[node] = higher(skyline, skyline->best[node], buffer);
}

void asci_skyline_lay(asci_skyline *skyline, uint32_t buffer, int64_t offset) {
  const asc_problem *problem = skyline->problem;
  skyline->end[buffer] = offset + problem->buffers[buffer].size;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) {
    uint32_t left = skyline->leaves + problem->pieces[p].first, right = skyline->leaves + problem->pieces[p].end;
    for (; left < right; left /= 2, right /= 2) {
      if (left & 1) lay_on(skyline, left++, buffer);
      if (right & 1) lay_on(skyline, --right, buffer);
    }
  }
}
