/* Placing in the fit tree: a million times for a million buffers. */
#include "model/fit/inner.h"

#include <string.h>

/* Adds to `below` of a node and of those above, until one had it or is stale, as are all above it then. */
static bool add_upwards(asci_fit_tree *tree, uint32_t level, uint32_t index, int64_t low, int64_t high) {
  for (; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = asci_fit_node_at(tree, level, index);
    if (node->below_stale) return true;
    int grown = asci_spans_add(tree->problem->context, &node->below, low, high);
    if (grown < 0) return false;
    if (!grown) return true;
  }
  return true;
}

static bool add_to_block(asci_fit_tree *tree, uint32_t block, uint32_t piece, int64_t low, int64_t high) {
  asci_fit_block *b = &tree->blocks[block];
  size_t begin = 0, end = b->count, last = b->count / ASCI_FIT_STRIDE;
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (b->list[middle].low < low)
      begin = middle + 1;
    else
      end = middle;
  }
  memmove(b->list + begin + 1, b->list + begin, (b->count - begin) * sizeof *b->list);
  b->list[begin] = (asci_fit_part){.low = low, .high = high, .piece = piece};
  asci_fit_part_of_block(tree, block, &tree->problem->pieces[piece], &b->list[begin].first, &b->list[begin].end);
  if (b->count % ASCI_FIT_STRIDE == 0) b->reach[last] = last ? b->reach[last - 1] : high;
  b->count++;
  /* of those that moved on, the bounds before them stay: too high is no harm */
  for (size_t k = begin / ASCI_FIT_STRIDE; k <= last && b->reach[k] < high; k++) b->reach[k] = high;
  return add_upwards(tree, 0, block, low, high);
}

static bool add_piece(asci_fit_tree *tree, uint32_t piece, int64_t low, int64_t high) {
  asc_context *context = tree->problem->context;
  asci_fit_where at = asci_fit_place_of(tree, &tree->problem->pieces[piece]);
  if (tree->windows && !asci_fit_windows_add(context, tree->windows, at.first, at.last, low, high)) return false;
  if (at.first_part && !add_to_block(tree, at.first, piece, low, high)) return false;
  if (at.last_part && !add_to_block(tree, at.last, piece, low, high)) return false;
  asci_fit_walk w = asci_fit_walk_of(&at);
  uint32_t level, index;
  for (asci_fit_node *node; (node = asci_fit_walk_next(tree, &w, &level, &index));) {
    asci_fit_kept_at(tree, node)[node->piece_count++] = piece;
    if (!node->cover_stale && asci_spans_add(context, &node->cover, low, high) < 0) return false;
    if (!add_upwards(tree, level + 1, index / ASCI_FIT_FANOUT, low, high)) return false;
  }
  return true;
}

bool asci_fit_place(asci_fit_tree *tree, uint32_t buffer, int64_t offset) {
  const asc_problem *problem = tree->problem;
  tree->offsets[buffer] = offset;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) {
    const asci_piece *piece = &problem->pieces[p];
    if (add_piece(tree, p, offset + piece->window_lower, asci_fit_end_of(tree, p, offset))) continue;
    tree->no_memory = true;
    return false;
  }
  return true;
}
