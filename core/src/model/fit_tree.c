#include "model/fit_tree.h"

#include "base/memory.h"

#include <string.h>

#define BLOCK_BEGINS 64u    /* a block is closed once that many pieces began in it, */
#define BLOCK_SECTIONS 256u /* or that many sections are in it; */
#define COARSEST 8u         /* or up to so many times as many of each, */
#define MOST_KEPT 2u        /* lest pieces are at more nodes than that on average */

/* ---- merged sets ----------------------------------------------------------------------------------------------------- */

/* The first interval at or after `at` that ends above x. Near ones are looked at first: offsets rise in small steps. */
static size_t first_above(const asci_spans *set, size_t at, int64_t x) {
  size_t count = set->count, width = 1;
  if (at == count || set->items[at].high > x) return at;
  while (at + width < count && set->items[at + width].high <= x) {
    at += width;
    width *= 2;
  }
  size_t low = at + 1, high = at + width < count ? at + width : count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (set->items[middle].high <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* 1: the set has grown; 0: it had all of it; -1: no memory. */
static int add_span(asc_context *context, asci_spans *set, int64_t low, int64_t high) {
  size_t begin = first_above(set, 0, low - 1); /* the first that ends at low or above: touching ones are joined */
  size_t end = begin;
  if (begin < set->count && set->items[begin].low <= low && set->items[begin].high >= high) return 0;
  while (end < set->count && set->items[end].low <= high) end++;
  if (begin == end) {
    if (!asci_grow_little(context, &set->items, &set->room, set->count + 1, sizeof *set->items)) return -1;
    memmove(set->items + begin + 1, set->items + begin, (set->count - begin) * sizeof *set->items);
    set->items[begin] = (asci_span){low, high};
    set->count++;
    return 1;
  }
  asci_span *at = set->items + begin;
  if (low < at->low) at->low = low;
  at->high = set->items[end - 1].high > high ? set->items[end - 1].high : high;
  memmove(at + 1, set->items + end, (set->count - end) * sizeof *at);
  set->count -= end - begin - 1;
  return 1;
}

/* ---- where a piece is kept ------------------------------------------------------------------------------------------- */

static asci_fit_node *node_at(const asci_fit_tree *tree, uint32_t level, uint32_t index) {
  return &tree->nodes[tree->level_begin[level] + index];
}

static uint32_t *kept_at(const asci_fit_tree *tree, const asci_fit_node *node) {
  return tree->kept + node->begin;
}

static uint32_t block_begin(const asci_fit_tree *tree, uint32_t block) {
  return block ? tree->block_end[block - 1] : 0;
}

typedef struct place {        /* where a piece of time lies in the tree */
  uint32_t first, last;       /* blocks */
  bool first_part, last_part; /* covered in part; if both are the same block, first_part says it */
} place;

static place place_of(const asci_fit_tree *tree, const asci_piece *piece) {
  place at = {.first = tree->block_of[piece->first], .last = tree->block_of[piece->end - 1]};
  bool begins_inside = piece->first > block_begin(tree, at.first), ends_inside = piece->end < tree->block_end[at.last];
  at.first_part = begins_inside || (at.first == at.last && ends_inside);
  at.last_part = at.first != at.last && ends_inside;
  return at;
}

/* Whole blocks [begin, end) as few nodes: those that end a run of siblings, from below. The caller asks again until none is left. */
typedef struct walk {
  uint32_t begin, end, level;
} walk;

static walk walk_of(const place *at) {
  return (walk){at->first + at->first_part, at->last + 1 - at->last_part, 0};
}

static asci_fit_node *walk_next(const asci_fit_tree *tree, walk *w, uint32_t *level, uint32_t *index) {
  while (w->begin < w->end) {
    *level = w->level;
    if (w->begin % ASCI_FIT_FANOUT || w->level + 1 == tree->levels) {
      *index = w->begin++;
      return node_at(tree, *level, *index);
    }
    if (w->end % ASCI_FIT_FANOUT) {
      *index = --w->end;
      return node_at(tree, *level, *index);
    }
    w->begin /= ASCI_FIT_FANOUT;
    w->end /= ASCI_FIT_FANOUT;
    w->level++;
  }
  return NULL;
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

/* One offset bound rising through one set. A piece's addresses are offset + shift .. offset + shift + size. */
typedef struct asci_fit_view {
  const asci_spans *set;       /* NULL: a list */
  const asci_fit_block *block; /* of a list, and the sections in question */
  uint32_t first, end;
  size_t at;
} asci_fit_view;

/* Two lists, and per level two nodes above the ends and two sets of each of fourteen in between. */
#define MOST_VIEWS (2u + 30u * ASCI_FIT_LEVELS)

/* Cuts the sections into blocks, `coarse` times as long as they may be short; returns how many. */
static uint32_t cut_blocks(const asc_problem *problem, const uint32_t *begins, uint32_t coarse, uint32_t *block_of,
                           uint32_t *block_end) {
  uint32_t block = 0, count = 0, sections = 0;
  for (uint32_t s = 0; s < problem->section_count; s++) {
    if (block_of) block_of[s] = block;
    count += begins[s];
    sections++;
    if (count < coarse * BLOCK_BEGINS && sections < coarse * BLOCK_SECTIONS && s + 1 < problem->section_count) continue;
    if (block_end) block_end[block] = s + 1;
    block++;
    count = sections = 0;
  }
  return block;
}

static void stack_levels(asci_fit_tree *tree) {
  uint32_t width = tree->block_count;
  tree->levels = 0;
  tree->level_begin[0] = 0;
  while (width) {
    tree->level_begin[tree->levels + 1] = tree->level_begin[tree->levels] + width;
    tree->levels++;
    width = width == 1 ? 0 : (width + ASCI_FIT_FANOUT - 1) / ASCI_FIT_FANOUT;
  }
}

/* How many pieces come to each block and node; to nodes in all. */
static size_t count_kept(asci_fit_tree *tree) {
  const asc_problem *problem = tree->problem;
  size_t kept = 0;
  for (uint32_t b = 0; b < tree->block_count; b++) tree->blocks[b].count = 0;
  for (uint32_t k = 0; k < tree->level_begin[tree->levels]; k++) tree->nodes[k].piece_count = 0;
  for (uint32_t p = 0; p < problem->piece_begin[problem->count]; p++) {
    place at = place_of(tree, &problem->pieces[p]);
    tree->blocks[at.first].count += at.first_part;
    tree->blocks[at.last].count += at.last_part;
    walk w = walk_of(&at);
    uint32_t level, index;
    for (asci_fit_node *node; (node = walk_next(tree, &w, &level, &index)); kept++) node->piece_count++;
  }
  return kept;
}

/* Makes blocks as short as may be. Where many lives are long that would put them at many nodes: longer ones have fewer above them. */
static size_t choose_blocks(asci_fit_tree *tree, const uint32_t *begins) {
  const asc_problem *problem = tree->problem;
  uint32_t pieces = problem->piece_begin[problem->count];
  for (uint32_t coarse = 1;; coarse *= 2) {
    tree->block_count = cut_blocks(problem, begins, coarse, tree->block_of, tree->block_end);
    stack_levels(tree);
    size_t kept = count_kept(tree);
    if (kept <= MOST_KEPT * (size_t)pieces || coarse == COARSEST) return kept;
  }
}

/* The parts of entries and kept, from the counts. */
static void part_arrays(asci_fit_tree *tree) {
  size_t begin = 0;
  for (uint32_t b = 0; b < tree->block_count; b++) {
    tree->blocks[b].list = tree->entries + begin;
    begin += tree->blocks[b].count;
    tree->blocks[b].count = 0;
  }
  begin = 0;
  for (uint32_t k = 0; k < tree->level_begin[tree->levels]; k++) {
    tree->nodes[k].begin = begin;
    begin += tree->nodes[k].piece_count;
    tree->nodes[k].piece_count = 0;
  }
}

static asc_status make_blocks(asci_fit_tree *tree, const uint32_t *begins) {
  const asc_problem *problem = tree->problem;
  asc_context *context = problem->context;
  tree->block_count = cut_blocks(problem, begins, 1, NULL, NULL);
  stack_levels(tree);
  tree->block_of = asci_alloc(context, problem->section_count, sizeof *tree->block_of);
  tree->block_end = asci_alloc(context, tree->block_count, sizeof *tree->block_end);
  tree->blocks = asci_calloc(context, tree->block_count, sizeof *tree->blocks);
  tree->nodes = asci_calloc(context, tree->level_begin[tree->levels], sizeof *tree->nodes);
  if (!tree->block_of || !tree->block_end || !tree->blocks || !tree->nodes) return ASC_OUT_OF_MEMORY;
  tree->kept = asci_alloc(context, choose_blocks(tree, begins), sizeof *tree->kept);
  size_t entries = 0;
  for (uint32_t b = 0; b < tree->block_count; b++) entries += tree->blocks[b].count;
  tree->entries = asci_alloc(context, entries, sizeof *tree->entries);
  if (!tree->kept || !tree->entries) return ASC_OUT_OF_MEMORY;
  part_arrays(tree);
  return ASC_OK;
}

static asc_status fill(asci_fit_tree *tree) {
  const asc_problem *problem = tree->problem;
  asc_context *context = problem->context;
  uint32_t n = problem->count, pieces = problem->piece_begin[n];
  tree->offsets = asci_alloc(context, n, sizeof *tree->offsets);
  tree->owner = asci_alloc(context, pieces, sizeof *tree->owner);
  tree->views = asci_alloc(context, MOST_VIEWS, sizeof *tree->views);
  uint32_t *begins = asci_calloc(context, problem->section_count, sizeof *begins);
  asc_status status = tree->offsets && tree->owner && tree->views && begins ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!status) {
    for (uint32_t b = 0; b < n; b++) {
      tree->offsets[b] = ASC_UNPLACED;
      for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) {
        tree->owner[p] = b;
        begins[problem->pieces[p].first]++;
      }
    }
    status = make_blocks(tree, begins);
  }
  asci_free(context, begins);
  return status;
}

asc_status asci_fit_tree_new(const asc_problem *problem, asci_fit_tree *tree) {
  *tree = (asci_fit_tree){.problem = problem};
  asc_status status = fill(tree);
  if (status) asci_fit_tree_free(tree);
  return status;
}

void asci_fit_tree_free(asci_fit_tree *tree) {
  if (!tree->problem) return;
  asc_context *context = tree->problem->context;
  for (uint32_t k = 0; tree->nodes && k < tree->level_begin[tree->levels]; k++) {
    asci_free(context, tree->nodes[k].cover.items);
    asci_free(context, tree->nodes[k].below.items);
  }
  void *parts[] = {tree->offsets, tree->block_of, tree->block_end, tree->owner, tree->blocks, tree->nodes, tree->entries,
                   tree->kept,    tree->begins,   tree->before,    tree->seen,  tree->found,  tree->views};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) asci_free(context, parts[k]);
  *tree = (asci_fit_tree){0};
}

void asci_fit_tree_clear(asci_fit_tree *tree) {
  for (uint32_t b = 0; b < tree->problem->count; b++) tree->offsets[b] = ASC_UNPLACED;
  for (uint32_t b = 0; b < tree->block_count; b++) tree->blocks[b].count = 0;
  for (uint32_t k = 0; k < tree->level_begin[tree->levels]; k++) {
    asci_fit_node *node = &tree->nodes[k];
    node->cover.count = node->below.count = node->piece_count = 0;
    node->cover_stale = node->below_stale = false;
  }
}

/* ---- placing --------------------------------------------------------------------------------------------------------- */

/* Adds to `below` of a node and of those above, until one had it or is stale, as are all above it then. */
static bool add_upwards(asci_fit_tree *tree, uint32_t level, uint32_t index, int64_t low, int64_t high) {
  for (; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = node_at(tree, level, index);
    if (node->below_stale) return true;
    int grown = add_span(tree->problem->context, &node->below, low, high);
    if (grown < 0) return false;
    if (!grown) return true;
  }
  return true;
}

static bool add_to_block(asci_fit_tree *tree, uint32_t block, uint32_t piece, int64_t low, int64_t high) {
  asci_fit_block *b = &tree->blocks[block];
  size_t begin = 0, end = b->count;
  while (begin < end) {
    size_t middle = begin + (end - begin) / 2;
    if (b->list[middle].low < low)
      begin = middle + 1;
    else
      end = middle;
  }
  memmove(b->list + begin + 1, b->list + begin, (b->count - begin) * sizeof *b->list);
  b->list[begin] = (asci_fit_piece){low, high, piece, tree->problem->pieces[piece].end};
  b->count++;
  return add_upwards(tree, 0, block, low, high);
}

static bool add_piece(asci_fit_tree *tree, uint32_t piece, int64_t low, int64_t high) {
  asc_context *context = tree->problem->context;
  place at = place_of(tree, &tree->problem->pieces[piece]);
  if (at.first_part && !add_to_block(tree, at.first, piece, low, high)) return false;
  if (at.last_part && !add_to_block(tree, at.last, piece, low, high)) return false;
  walk w = walk_of(&at);
  uint32_t level, index;
  for (asci_fit_node *node; (node = walk_next(tree, &w, &level, &index));) {
    kept_at(tree, node)[node->piece_count++] = piece;
    if (!node->cover_stale && add_span(context, &node->cover, low, high) < 0) return false;
    if (!add_upwards(tree, level + 1, index / ASCI_FIT_FANOUT, low, high)) return false;
  }
  return true;
}

static int64_t end_of(const asci_fit_tree *tree, uint32_t piece, int64_t offset) {
  int64_t end = offset + tree->problem->pieces[piece].window_upper;
  return tree->rounds ? asci_align(end, tree->problem->buffers[tree->owner[piece]].alignment) : end;
}

bool asci_fit_place(asci_fit_tree *tree, uint32_t buffer, int64_t offset) {
  const asc_problem *problem = tree->problem;
  tree->offsets[buffer] = offset;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) {
    const asci_piece *piece = &problem->pieces[p];
    if (add_piece(tree, p, offset + piece->window_lower, end_of(tree, p, offset))) continue;
    tree->no_memory = true;
    return false;
  }
  return true;
}

/* ---- taking out ------------------------------------------------------------------------------------------------------ */

static void make_stale(asci_fit_tree *tree, uint32_t level, uint32_t index) {
  for (; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = node_at(tree, level, index);
    if (node->below_stale) return;
    node->below_stale = true;
  }
}

static void take_from_block(asci_fit_tree *tree, uint32_t block, uint32_t piece) {
  asci_fit_block *b = &tree->blocks[block];
  size_t at = 0;
  while (b->list[at].piece != piece) at++;
  memmove(b->list + at, b->list + at + 1, (b->count - at - 1) * sizeof *b->list);
  b->count--;
  make_stale(tree, 0, block);
}

static void take_piece(asci_fit_tree *tree, uint32_t piece) {
  place at = place_of(tree, &tree->problem->pieces[piece]);
  if (at.first_part) take_from_block(tree, at.first, piece);
  if (at.last_part) take_from_block(tree, at.last, piece);
  walk w = walk_of(&at);
  uint32_t level, index;
  for (asci_fit_node *node; (node = walk_next(tree, &w, &level, &index));) {
    uint32_t k = 0, *pieces = kept_at(tree, node);
    while (pieces[k] != piece) k++;
    pieces[k] = pieces[--node->piece_count];
    node->cover_stale = true;
    make_stale(tree, level + 1, index / ASCI_FIT_FANOUT);
  }
}

void asci_fit_remove(asci_fit_tree *tree, uint32_t buffer) {
  const asc_problem *problem = tree->problem;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) take_piece(tree, p);
  tree->offsets[buffer] = ASC_UNPLACED;
}

/* ---- making stale sets anew ------------------------------------------------------------------------------------------ */

static bool renew_cover(asci_fit_tree *tree, asci_fit_node *node) {
  node->cover_stale = false;
  node->cover.count = 0;
  for (uint32_t k = 0; k < node->piece_count; k++) {
    uint32_t p = kept_at(tree, node)[k];
    const asci_piece *piece = &tree->problem->pieces[p];
    int64_t offset = tree->offsets[tree->owner[p]];
    if (add_span(tree->problem->context, &node->cover, offset + piece->window_lower, end_of(tree, p, offset)) < 0)
      return false;
  }
  return true;
}

static bool add_spans(asc_context *context, asci_spans *to, const asci_spans *from) {
  for (size_t k = 0; k < from->count; k++)
    if (add_span(context, to, from->items[k].low, from->items[k].high) < 0) return false;
  return true;
}

/* `below` of the nodes under it is not stale. */
static bool renew_node(asci_fit_tree *tree, uint32_t level, uint32_t index) {
  asc_context *context = tree->problem->context;
  asci_fit_node *node = node_at(tree, level, index);
  node->below_stale = false;
  node->below.count = 0;
  if (level == 0) {
    const asci_fit_block *block = &tree->blocks[index];
    for (uint32_t k = 0; k < block->count; k++)
      if (add_span(context, &node->below, block->list[k].low, block->list[k].high) < 0) return false;
    return true;
  }
  uint32_t width = tree->level_begin[level] - tree->level_begin[level - 1];
  for (uint32_t at = index * ASCI_FIT_FANOUT; at < (index + 1) * ASCI_FIT_FANOUT && at < width; at++) {
    asci_fit_node *child = node_at(tree, level - 1, at);
    if (child->cover_stale && !renew_cover(tree, child)) return false;
    if (!add_spans(context, &node->below, &child->cover) || !add_spans(context, &node->below, &child->below)) return false;
  }
  return true;
}

/* Goes down from a stale node to one whose children are not. */
static void find_stale(const asci_fit_tree *tree, uint32_t *level, uint32_t *index) {
  while (*level) {
    uint32_t width = tree->level_begin[*level] - tree->level_begin[*level - 1];
    uint32_t child = *index * ASCI_FIT_FANOUT, end = child + ASCI_FIT_FANOUT < width ? child + ASCI_FIT_FANOUT : width;
    while (child < end && !node_at(tree, *level - 1, child)->below_stale) child++;
    if (child == end) return;
    --*level;
    *index = child;
  }
}

static bool renew_below(asci_fit_tree *tree, uint32_t level, uint32_t index) {
  while (node_at(tree, level, index)->below_stale) {
    uint32_t at_level = level, at_index = index;
    find_stale(tree, &at_level, &at_index);
    if (!renew_node(tree, at_level, at_index)) return false;
  }
  return true;
}

/* ---- asking ---------------------------------------------------------------------------------------------------------- */

static void view_set(asci_fit_tree *tree, uint32_t *count, const asci_spans *set) {
  if (set->count) tree->views[(*count)++] = (asci_fit_view){.set = set};
}

static bool view_above(asci_fit_tree *tree, uint32_t *count, uint32_t level, uint32_t index) {
  for (; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = node_at(tree, level, index);
    if (node->cover_stale && !renew_cover(tree, node)) return false;
    view_set(tree, count, &node->cover);
  }
  return true;
}

static void view_list(asci_fit_tree *tree, uint32_t *count, uint32_t block, const asci_piece *piece) {
  const asci_fit_block *b = &tree->blocks[block];
  if (b->count) tree->views[(*count)++] = (asci_fit_view){.block = b, .first = piece->first, .end = piece->end};
}

/* Every set that can object to the piece. The nodes above a whole node are above one of the two end blocks too. */
static bool view_piece(asci_fit_tree *tree, const asci_piece *piece, uint32_t *count) {
  place at = place_of(tree, piece);
  *count = 0;
  if (at.first_part) view_list(tree, count, at.first, piece);
  if (at.last_part) view_list(tree, count, at.last, piece);
  walk w = walk_of(&at);
  uint32_t level, index, left = at.first, right = at.last, up = 0;
  for (asci_fit_node *node; (node = walk_next(tree, &w, &level, &index));) {
    if (node->below_stale && !renew_below(tree, level, index)) return false;
    view_set(tree, count, &node->below);
    for (; up < level; up++, left /= ASCI_FIT_FANOUT, right /= ASCI_FIT_FANOUT) {
    }
    if (index == left || index == right) continue; /* its cover comes with those above the ends */
    if (node->cover_stale && !renew_cover(tree, node)) return false;
    view_set(tree, count, &node->cover);
  }
  if (!view_above(tree, count, 0, at.first)) return false;
  left = at.first;
  right = at.last;
  for (level = 0; left != right; level++, left /= ASCI_FIT_FANOUT, right /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = node_at(tree, level, right);
    if (node->cover_stale && !renew_cover(tree, node)) return false;
    view_set(tree, count, &node->cover);
  }
  return true;
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
  view->at = first_above(set, view->at, x + q->piece->window_lower);
  while (view->at < set->count && x <= q->most && set->items[view->at].low < x + q->piece->window_upper) {
    x = rise(q, set->items[view->at].high);
    view->at = first_above(set, view->at + 1, x + q->piece->window_lower);
  }
  return x;
}

/* What is passed in a list objects no more: offsets only rise. */
static int64_t pass_list(asci_fit_view *view, const question *q, int64_t x) {
  const asci_fit_block *block = view->block;
  for (; view->at < block->count && x <= q->most; view->at++) {
    const asci_fit_piece *other = &block->list[view->at];
    if (other->low >= x + q->piece->window_upper) break;
    if (other->high <= x + q->piece->window_lower || other->end <= view->first) continue;
    if (q->problem->pieces[other->piece].first < view->end) x = rise(q, other->high);
  }
  return x;
}

/* The lowest offset >= x to which nobody who is alive during the piece objects. */
static int64_t pass_piece(asci_fit_tree *tree, const question *q, int64_t x) {
  uint32_t count, quiet = 0;
  if (!view_piece(tree, q->piece, &count)) {
    tree->no_memory = true;
    return INT64_MAX;
  }
  for (uint32_t k = 0; quiet < count && x <= q->most; k = k + 1 == count ? 0 : k + 1) {
    asci_fit_view *view = &tree->views[k];
    size_t at = view->at;
    int64_t y = view->set ? pass_set(view, q, x) : pass_list(view, q, x);
    tree->looks += view->at - at + 1;
    quiet = y == x ? quiet + 1 : 1; /* the one that rose objects no more */
    x = y;
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

/* ---- who is alive together ------------------------------------------------------------------------------------------- */

static bool order_begins(asci_fit_tree *tree) {
  const asc_problem *problem = tree->problem;
  asc_context *context = problem->context;
  uint32_t pieces = problem->piece_begin[problem->count], sections = problem->section_count;
  tree->begins = asci_alloc(context, pieces, sizeof *tree->begins);
  tree->before = asci_calloc(context, (size_t)sections + 1, sizeof *tree->before);
  tree->seen = asci_calloc(context, problem->count, sizeof *tree->seen);
  if (!tree->begins || !tree->before || !tree->seen) return false;
  for (uint32_t p = 0; p < pieces; p++) tree->before[problem->pieces[p].first + 1]++;
  for (uint32_t s = 0; s < sections; s++) tree->before[s + 1] += tree->before[s];
  for (uint32_t p = 0; p < pieces; p++) tree->begins[tree->before[problem->pieces[p].first]++] = p;
  memmove(tree->before + 1, tree->before, sections * sizeof *tree->before);
  tree->before[0] = 0;
  return true;
}

static bool find(asci_fit_tree *tree, uint32_t buffer) {
  if (tree->seen[buffer] == tree->question) return true;
  tree->seen[buffer] = tree->question;
  if (!asci_grow(tree->problem->context, &tree->found, &tree->found_room, tree->found_count + 1, sizeof *tree->found))
    return false;
  tree->found[tree->found_count++] = buffer;
  return true;
}

/* Those alive in one section that began before it. */
static bool stab(asci_fit_tree *tree, uint32_t section) {
  uint32_t block = tree->block_of[section];
  for (uint32_t k = 0; k < tree->blocks[block].count; k++) {
    const asci_fit_piece *other = &tree->blocks[block].list[k];
    bool alive = other->end > section && tree->problem->pieces[other->piece].first <= section;
    if (alive && !find(tree, tree->owner[other->piece])) return false;
  }
  for (uint32_t level = 0, index = block; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    const asci_fit_node *node = node_at(tree, level, index);
    for (uint32_t k = 0; k < node->piece_count; k++)
      if (!find(tree, tree->owner[kept_at(tree, node)[k]])) return false;
  }
  return true;
}

bool asci_fit_collect(asci_fit_tree *tree, uint32_t buffer) {
  const asc_problem *problem = tree->problem;
  bool ready = !tree->no_memory && (tree->seen || order_begins(tree));
  if (ready && ++tree->question == 0) {
    memset(tree->seen, 0, problem->count * sizeof *tree->seen);
    tree->question = 1;
  }
  tree->found_count = 0;
  if (ready) tree->seen[buffer] = tree->question;
  for (uint32_t p = problem->piece_begin[buffer]; ready && p < problem->piece_begin[buffer + 1]; p++) {
    const asci_piece *piece = &problem->pieces[p];
    ready = stab(tree, piece->first);
    for (uint32_t k = tree->before[piece->first + 1]; ready && k < tree->before[piece->end]; k++) {
      uint32_t other = tree->owner[tree->begins[k]];
      if (tree->offsets[other] != ASC_UNPLACED) ready = find(tree, other);
    }
  }
  if (!ready) tree->no_memory = true;
  return ready;
}
