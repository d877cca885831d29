#include "model/fit_inner.h"

/* ---- who may object ------------------------------------------------------------------------------------------------- */

static void view_set(asci_fit_tree *tree, uint32_t *count, const asci_spans *set) {
  if (set->count) tree->views[(*count)++] = (asci_fit_view){.next = INT64_MIN, .set = set};
}

static bool view_above(asci_fit_tree *tree, uint32_t *count, uint32_t level, uint32_t index) {
  for (; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = asci_fit_node_at(tree, level, index);
    if (node->cover_stale && !asci_fit_renew_cover(tree, node)) return false;
    view_set(tree, count, &node->cover);
  }
  return true;
}

static void view_list(asci_fit_tree *tree, uint32_t *count, uint32_t block, const asci_piece *piece) {
  const asci_fit_block *b = &tree->blocks[block];
  if (!b->count) return;
  asci_fit_view *view = &tree->views[(*count)++];
  *view = (asci_fit_view){.next = INT64_MIN, .block = b};
  asci_fit_part_of_block(tree, block, piece, &view->first, &view->end);
}

/* Every set that can object to the piece. The nodes above a whole node are above one of the two end blocks too. */
static bool view_piece(asci_fit_tree *tree, const asci_piece *piece, uint32_t *count) {
  asci_fit_where at = asci_fit_place_of(tree, piece);
  *count = 0;
  if (at.first_part) view_list(tree, count, at.first, piece);
  if (at.last_part) view_list(tree, count, at.last, piece);
  asci_fit_walk w = asci_fit_walk_of(&at);
  uint32_t level, index, left = at.first, right = at.last, up = 0;
  for (asci_fit_node *node; (node = asci_fit_walk_next(tree, &w, &level, &index));) {
    if (node->below_stale && !asci_fit_renew_below(tree, level, index)) return false;
    view_set(tree, count, &node->below);
    for (; up < level; up++, left /= ASCI_FIT_FANOUT, right /= ASCI_FIT_FANOUT) {
    }
    if (index == left || index == right) continue; /* its cover comes with those above the ends */
    if (node->cover_stale && !asci_fit_renew_cover(tree, node)) return false;
    view_set(tree, count, &node->cover);
  }
  if (!view_above(tree, count, 0, at.first)) return false;
  left = at.first;
  right = at.last;
  for (level = 0; left != right; level++, left /= ASCI_FIT_FANOUT, right /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = asci_fit_node_at(tree, level, right);
    if (node->cover_stale && !asci_fit_renew_cover(tree, node)) return false;
    view_set(tree, count, &node->cover);
  }
  return true;
}

static void view_windows(asci_fit_tree *tree, const asci_piece *piece, uint32_t *count) {
  asci_fit_where at = asci_fit_place_of(tree, piece);
  asci_fit_walk whole = asci_fit_walk_of(&at);
  const asci_spans *sets[ASCI_FIT_WINDOWS_ASKED];
  uint32_t asked = asci_fit_windows_in(tree->windows, whole.begin, whole.end, sets);
  for (uint32_t k = 0; k < asked; k++) view_set(tree, count, sets[k]);
}

typedef struct question {
  const asc_problem *problem;
  const asc_buffer_spec *spec;
  const asci_piece *piece;
  int64_t most; /* greatest offset that will do */
} question;

static int64_t rise(const question *q, int64_t high) {
  int64_t floor = high - q->piece->window_lower;
  return asci_next_offset(floor, q->spec->size, q->spec->alignment, q->spec->bank);
}

/* Lets the offset rise until the view does not object, or beyond what will do. */
static int64_t pass_set(asci_fit_view *view, const question *q, int64_t x) {
  const asci_spans *set = view->set;
  int64_t lower = q->piece->window_lower, upper = q->piece->window_upper;
  size_t at = asci_spans_above(set, view->at, x + lower);
  while (at < set->count && x <= q->most && set->items[at].low < x + upper) {
    x = rise(q, set->items[at].high);
    at = asci_spans_above(set, at + 1, x + lower);
  }
  view->at = at;
  view->next = at < set->count ? set->items[at].low : INT64_MAX;
  return x;
}

/* The first entry at or after `at` that may end above x. */
static size_t first_reaching(const asci_fit_block *block, size_t at, int64_t x) {
  size_t low = at / ASCI_FIT_STRIDE, high = asci_fit_strides(block->count);
  if (low == high || block->reach[low] > x) return at;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (block->reach[middle] <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low * ASCI_FIT_STRIDE < block->count ? low * ASCI_FIT_STRIDE : block->count;
}

/* & instead of &&: which of the three will fail cannot be foreseen, and to guess wrong takes longer than to compare. */
static bool objects(const asci_fit_part *part, int16_t first, int16_t end, int64_t low) {
  return (part->first < end) & (part->end > first) & (part->high > low);
}

/* What is passed in a list objects no more: offsets only rise. */
static int64_t pass_list(asci_fit_view *view, const question *q, int64_t x) {
  const asci_fit_block *block = view->block;
  const asci_fit_part *list = block->list;
  int16_t first = view->first, end = view->end;
  size_t count = block->count, at = view->at;
  for (;;) {
    int64_t low = x + q->piece->window_lower, high = x + q->piece->window_upper;
    at = first_reaching(block, at, low);
    while (at < count && list[at].low < high && !objects(&list[at], first, end, low)) at++;
    if (at == count || list[at].low >= high || x > q->most) break;
    x = rise(q, list[at++].high);
  }
  view->at = at;
  view->next = at < count ? list[at].low : INT64_MAX;
  return x;
}

/* The lowest offset >= x to which nobody who is alive during the piece objects. Windows are asked first, then upper
   nodes, with much in few intervals, lists last; whoever objects is asked first of the nodes from then on: it is likely to object again. */
static int64_t pass_piece(asci_fit_tree *tree, const question *q, int64_t x) {
  asci_fit_view *views = tree->views;
  uint32_t count, plain;
  if (!view_piece(tree, q->piece, &plain)) {
    tree->no_memory = true;
    return INT64_MAX;
  }
  count = plain;
  if (tree->windows) view_windows(tree, q->piece, &count);
  for (uint32_t k = count; k && x <= q->most; k--) {
    asci_fit_view *view = &views[k - 1];
    if (view->next >= x + q->piece->window_upper) continue;
    size_t at = view->at;
    int64_t y = view->set ? pass_set(view, q, x) : pass_list(view, q, x);
    tree->looks += view->at - at + 1;
    if (y == x) continue;
    x = y;
    if (k <= plain) {
      asci_fit_view objector = *view;
      *view = views[plain - 1];
      views[plain - 1] = objector;
    }
    k = count + 1;
  }
  return x;
}

int64_t asci_fit_lowest(asci_fit_tree *tree, uint32_t buffer, int64_t from, int64_t most) {
  const asc_problem *problem = tree->problem;
  const asc_buffer_spec *spec = &problem->buffers[buffer];
  uint32_t count, quiet = 0;
  const asci_piece *pieces = asci_pieces(problem, buffer, &count);
  question q = {.problem = problem, .spec = spec, .most = most - spec->size};
  int64_t x = asci_next_offset(from, spec->size, spec->alignment, spec->bank);
  for (uint32_t k = 0; quiet < count && x <= q.most; k = k + 1 == count ? 0 : k + 1) {
    q.piece = &pieces[k];
    int64_t y = pass_piece(tree, &q, x);
    quiet = y == x ? quiet + 1 : 1;
    x = y;
  }
  return x <= q.most ? x : ASC_UNPLACED;
}
