#include "model/bank.h"
#include "model/fit/inner.h"

typedef struct question {
  const asc_buffer_spec *spec;
  const asci_piece *piece;
  int64_t most; /* greatest offset that will do */
} question;

/* ---- who may object ------------------------------------------------------------------------------------------------- */

/* `low`: where the piece's addresses begin at the least. What ends there or below never objects. */
static void view_set(asci_fit_tree *tree, uint32_t *count, const asci_spans *set, int64_t low) {
  if (set->count && set->items[set->count - 1].high > low)
    tree->views[(*count)++] = (asci_fit_view){.next = INT64_MIN, .set = set};
}

static bool view_cover(asci_fit_tree *tree, uint32_t *count, asci_fit_node *node, int64_t low) {
  if (node->cover_stale && !asci_fit_renew_cover(tree, node)) return false;
  view_set(tree, count, &node->cover, low);
  return true;
}

/* The nodes above the first and the last block, from above. */
static bool view_above(asci_fit_tree *tree, uint32_t *count, const asci_fit_where *at, int64_t low) {
  for (uint32_t level = tree->levels; level-- > 0;) {
    uint32_t left = asci_fit_above(at->first, level), right = asci_fit_above(at->last, level);
    if (!view_cover(tree, count, asci_fit_node_at(tree, level, left), low)) return false;
    if (left != right && !view_cover(tree, count, asci_fit_node_at(tree, level, right), low)) return false;
  }
  return true;
}

/* Whole nodes: those of them that are above an end block too have shown their covers already. */
static bool view_whole(asci_fit_tree *tree, uint32_t *count, const asci_fit_where *at, int64_t low) {
  asci_fit_walk w = asci_fit_walk_of(at);
  uint32_t level, index;
  for (asci_fit_node *node; (node = asci_fit_walk_next(tree, &w, &level, &index));) {
    if (node->below_stale && !asci_fit_renew_below(tree, level, index)) return false;
    view_set(tree, count, &node->below, low);
    if (index == asci_fit_above(at->first, level) || index == asci_fit_above(at->last, level)) continue;
    if (!view_cover(tree, count, node, low)) return false;
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

/* Upper nodes first: they have much in few intervals. */
static bool view_piece(asci_fit_tree *tree, const asci_piece *piece, const asci_fit_where *at, uint32_t *count,
                       int64_t low) {
  if (!view_above(tree, count, at, low) || !view_whole(tree, count, at, low)) return false;
  if (at->first_part) view_list(tree, count, at->first, piece);
  if (at->last_part) view_list(tree, count, at->last, piece);
  return true;
}

static void view_windows(asci_fit_tree *tree, const asci_fit_where *at, uint32_t *count, int64_t low) {
  asci_fit_walk whole = asci_fit_walk_of(at);
  const asci_spans *sets[ASCI_FIT_WINDOWS_ASKED];
  uint32_t asked = asci_fit_windows_in(tree->windows, whole.begin, whole.end, sets);
  for (uint32_t k = 0; k < asked; k++) view_set(tree, count, sets[k], low);
}

/* ---- asking them ------------------------------------------------------------------------------------------------------ */

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

/* Does it live at some of the times first .. end - 1 and end above the address? Then all three differences are negative. One test instead of three:
   which of them would fail cannot be foreseen, and to guess wrong takes longer than to compute all. */
static bool objects(const asci_fit_part *part, int16_t first, int16_t end, int64_t low) {
  int64_t elsewhen = (part->first - end) & (first - part->end);
  return (elsewhen & (low - part->high)) < 0;
}

/* What is passed in a list objects no more: offsets only rise. */
static int64_t pass_list(asci_fit_view *view, const question *q, int64_t x) {
  const asci_fit_block *block = view->block;
  int16_t first = view->first, end = view->end;
  const asci_fit_part *part = block->list + view->at, *last = block->list + block->count;
  for (;;) {
    int64_t low = x + q->piece->window_lower, high = x + q->piece->window_upper;
    part = block->list + first_reaching(block, (size_t)(part - block->list), low);
    while (part < last && part->low < high && !objects(part, first, end, low)) part++;
    if (part == last || part->low >= high || x > q->most) break;
    x = rise(q, part++->high);
  }
  view->at = (size_t)(part - block->list);
  view->next = part < last ? part->low : INT64_MAX;
  return x;
}

/* Lets the offset rise until nobody of views[count] objects, of which the first are windows. Whoever objects is asked first of the others from
   then on: it is likely to object again. */
static int64_t pass_views(asci_fit_tree *tree, const question *q, uint32_t windows, uint32_t count, int64_t x) {
  asci_fit_view *views = tree->views;
  for (uint32_t k = 0; k < count && x <= q->most;) {
    asci_fit_view *view = &views[k++];
    if (view->next >= x + q->piece->window_upper) continue;
    size_t at = view->at;
    int64_t y = view->set ? pass_set(view, q, x) : pass_list(view, q, x);
    tree->looks += view->at - at + 1;
    if (y == x) continue;
    x = y;
    if (k > windows) {
      asci_fit_view objector = *view;
      *view = views[windows];
      views[windows] = objector;
    }
    k = 0;
  }
  return x;
}

/* The lowest offset >= x to which nobody who is alive during the piece objects. Once windows have let it rise much of the rest lies below. */
static int64_t pass_piece(asci_fit_tree *tree, const question *q, int64_t x) {
  asci_fit_where at = asci_fit_place_of(tree, q->piece);
  int64_t lower = q->piece->window_lower;
  uint32_t windows = 0;
  if (tree->windows) view_windows(tree, &at, &windows, x + lower);
  x = pass_views(tree, q, windows, windows, x);
  uint32_t count = windows;
  if (!view_piece(tree, q->piece, &at, &count, x + lower)) {
    tree->no_memory = true;
    return INT64_MAX;
  }
  return pass_views(tree, q, windows, count, x);
}

int64_t asci_fit_lowest(asci_fit_tree *tree, uint32_t buffer, int64_t from, int64_t most) {
  const asc_problem *problem = tree->problem;
  const asc_buffer_spec *spec = &problem->buffers[buffer];
  uint32_t count, quiet = 0;
  const asci_piece *pieces = asci_pieces(problem, buffer, &count);
  question q = {.spec = spec, .most = most - spec->size};
  int64_t x = asci_next_offset(from, spec->size, spec->alignment, spec->bank);
  for (uint32_t k = 0; quiet < count && x <= q.most; k = k + 1 == count ? 0 : k + 1) {
    q.piece = &pieces[k];
    int64_t y = pass_piece(tree, &q, x);
    quiet = y == x ? quiet + 1 : 1;
    x = y;
  }
  return x <= q.most ? x : ASC_UNPLACED;
}
