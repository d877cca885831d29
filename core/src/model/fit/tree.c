#include "model/fit/inner.h"

#include "base/arrays.h"

#include <string.h>

#define BLOCK_BEGINS 64u    /* a block is closed once that many pieces began in it, */
#define BLOCK_SECTIONS 256u /* or that many sections are in it; */
#define FEW_KEPT 2u         /* or some times as many of each, lest pieces are at more nodes than that on average, */
#define MANY_KEPT 3u        /* more times than is swift only lest they are at more than that */

/* ---- making ---------------------------------------------------------------------------------------------------------- */

/* Cuts the sections into blocks, `coarse` times as long as they may be short; returns how many. */
static uint32_t cut_blocks(const asc_problem *problem, const uint32_t *begins, uint32_t coarse, uint32_t *block_near,
                           uint32_t *block_end) {
  uint32_t block = 0, count = 0, sections = 0;
  for (uint32_t s = 0; s < problem->section_count; s++) {
    if (block_near && s % ASCI_FIT_STRIDE == 0) block_near[s / ASCI_FIT_STRIDE] = block;
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

/* How many pieces come to each block and node; to nodes in all. Counts no further than above `most`. */
static size_t count_kept(asci_fit_tree *tree, size_t most) {
  const asc_problem *problem = tree->problem;
  size_t kept = 0;
  for (uint32_t b = 0; b < tree->block_count; b++) tree->blocks[b].count = 0;
  for (uint32_t k = 0; k < tree->level_begin[tree->levels]; k++) tree->nodes[k].piece_count = 0;
  for (uint32_t p = 0; p < problem->piece_begin[problem->count] && kept <= most; p++) {
    asci_fit_where at = asci_fit_place_of(tree, &problem->pieces[p]);
    tree->blocks[at.first].count += at.first_part;
    tree->blocks[at.last].count += at.last_part;
    asci_fit_walk w = asci_fit_walk_of(&at);
    uint32_t level, index;
    for (asci_fit_node *node; (node = asci_fit_walk_next(tree, &w, &level, &index)); kept++) node->piece_count++;
  }
  return kept;
}

/* Makes blocks as short as may be. Where many lives are long that would put them at many nodes: longer ones have fewer above them. */
static size_t choose_blocks(asci_fit_tree *tree, uint32_t coarsest, const uint32_t *begins) {
  const asc_problem *problem = tree->problem;
  size_t pieces = problem->piece_begin[problem->count];
  for (uint32_t coarse = 1;; coarse *= 2) {
    tree->block_count = cut_blocks(problem, begins, coarse, tree->block_near, tree->block_end);
    stack_levels(tree);
    size_t most = coarse == coarsest ? SIZE_MAX : (coarse < ASCI_FIT_SWIFT ? FEW_KEPT : MANY_KEPT) * pieces;
    size_t kept = count_kept(tree, most);
    if (kept <= most) return kept;
  }
}

/* Who has which part of the three arrays, from the counts. */
static void part_arrays(asci_fit_tree *tree) {
  size_t begin = 0, reach = 0;
  for (uint32_t b = 0; b < tree->block_count; b++) {
    uint32_t most = tree->blocks[b].count;
    tree->blocks[b] = (asci_fit_block){.list = tree->parts + begin, .reach = tree->reaches + reach};
    begin += most;
    reach += asci_fit_strides(most);
  }
  begin = 0;
  for (uint32_t k = 0; k < tree->level_begin[tree->levels]; k++) {
    tree->nodes[k].begin = begin;
    begin += tree->nodes[k].piece_count;
    tree->nodes[k].piece_count = 0;
  }
}

static bool make_lists(asci_fit_tree *tree) {
  asc_context *context = tree->problem->context;
  size_t parts = 0, reaches = 0;
  for (uint32_t b = 0; b < tree->block_count; b++) {
    parts += tree->blocks[b].count;
    reaches += asci_fit_strides(tree->blocks[b].count);
  }
  tree->parts = asci_alloc(context, parts, sizeof *tree->parts);
  tree->reaches = asci_alloc(context, reaches, sizeof *tree->reaches);
  return tree->parts && tree->reaches;
}

static asc_status make_blocks(asci_fit_tree *tree, uint32_t coarsest, const uint32_t *begins) {
  const asc_problem *problem = tree->problem;
  asc_context *context = problem->context;
  tree->block_count = cut_blocks(problem, begins, 1, NULL, NULL);
  stack_levels(tree);
  tree->block_near = asci_alloc(context, asci_fit_strides(problem->section_count), sizeof *tree->block_near);
  tree->block_end = asci_alloc(context, tree->block_count, sizeof *tree->block_end);
  tree->blocks = asci_calloc(context, tree->block_count, sizeof *tree->blocks);
  tree->nodes = asci_calloc(context, tree->level_begin[tree->levels], sizeof *tree->nodes);
  if (!tree->block_near || !tree->block_end || !tree->blocks || !tree->nodes) return ASC_OUT_OF_MEMORY;
  tree->kept = asci_alloc(context, choose_blocks(tree, coarsest, begins), sizeof *tree->kept);
  if (!tree->kept || !make_lists(tree)) return ASC_OUT_OF_MEMORY;
  part_arrays(tree);
  return asci_fit_windows_new(context, tree->block_count, problem->piece_begin[problem->count], &tree->windows);
}

static bool name_owners(asci_fit_tree *tree) {
  const asc_problem *problem = tree->problem;
  uint32_t n = problem->count, alike = 0;
  while (alike <= n && problem->piece_begin[alike] == alike) alike++;
  if (alike > n) return true;
  tree->owner = asci_alloc(problem->context, problem->piece_begin[n], sizeof *tree->owner);
  if (!tree->owner) return false;
  for (uint32_t b = 0; b < n; b++)
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) tree->owner[p] = b;
  return true;
}

/* Made one after the other, each as large as those before it say. */
static const asci_array arrays[] = {
    ASCI_OWN(asci_fit_tree, offsets), ASCI_OWN(asci_fit_tree, block_near), ASCI_OWN(asci_fit_tree, block_end),
    ASCI_OWN(asci_fit_tree, owner),   ASCI_OWN(asci_fit_tree, blocks),     ASCI_OWN(asci_fit_tree, nodes),
    ASCI_OWN(asci_fit_tree, parts),   ASCI_OWN(asci_fit_tree, reaches),    ASCI_OWN(asci_fit_tree, kept),
    ASCI_OWN(asci_fit_tree, begins),  ASCI_OWN(asci_fit_tree, before),     ASCI_OWN(asci_fit_tree, seen),
    ASCI_OWN(asci_fit_tree, found),   ASCI_OWN(asci_fit_tree, views),
};

static asc_status fill(asci_fit_tree *tree, uint32_t coarsest) {
  const asc_problem *problem = tree->problem;
  asc_context *context = problem->context;
  uint32_t n = problem->count;
  tree->offsets = asci_alloc(context, n, sizeof *tree->offsets);
  tree->views = asci_alloc(context, ASCI_FIT_VIEWS, sizeof *tree->views);
  if (!tree->offsets || !tree->views || !name_owners(tree)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < n; b++) tree->offsets[b] = ASC_UNPLACED;
  uint32_t *begins = asci_calloc(context, problem->section_count, sizeof *begins);
  if (!begins) return ASC_OUT_OF_MEMORY;
  for (uint32_t p = 0; p < problem->piece_begin[n]; p++) begins[problem->pieces[p].first]++;
  asc_status status = make_blocks(tree, coarsest, begins);
  asci_free(context, begins);
  return status;
}

asc_status asci_fit_tree_new(const asc_problem *problem, asci_fit_blocks blocks, asci_fit_tree *tree) {
  *tree = (asci_fit_tree){.problem = problem};
  asc_status status = fill(tree, (uint32_t)blocks);
  if (status) asci_fit_tree_free(tree);
  return status;
}

void asci_fit_tree_free(asci_fit_tree *tree) {
  if (!tree->problem) return;
  asc_context *context = tree->problem->context;
  asci_fit_windows_free(context, tree->windows);
  for (uint32_t k = 0; tree->nodes && k < tree->level_begin[tree->levels]; k++) {
    asci_free(context, tree->nodes[k].cover.items);
    asci_free(context, tree->nodes[k].below.items);
  }
  asci_arrays_free(context, ASCI_TABLE(arrays), tree);
  *tree = (asci_fit_tree){0};
}

void asci_fit_tree_clear(asci_fit_tree *tree) {
  if (tree->windows) asci_fit_windows_clear(tree->windows);
  for (uint32_t b = 0; b < tree->problem->count; b++) tree->offsets[b] = ASC_UNPLACED;
  for (uint32_t b = 0; b < tree->block_count; b++) tree->blocks[b].count = 0;
  for (uint32_t k = 0; k < tree->level_begin[tree->levels]; k++) {
    asci_fit_node *node = &tree->nodes[k];
    node->cover.count = node->below.count = node->piece_count = 0;
    node->cover_stale = node->below_stale = false;
  }
}

/* ---- taking out ------------------------------------------------------------------------------------------------------ */

static void make_stale(asci_fit_tree *tree, uint32_t level, uint32_t index) {
  for (; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    asci_fit_node *node = asci_fit_node_at(tree, level, index);
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
  /* each stride has got its last from the next */
  for (size_t k = at / ASCI_FIT_STRIDE; (k + 1) * ASCI_FIT_STRIDE <= b->count; k++) {
    int64_t high = b->list[(k + 1) * ASCI_FIT_STRIDE - 1].high;
    if (b->reach[k] < high) b->reach[k] = high;
  }
  make_stale(tree, 0, block);
}

static void take_piece(asci_fit_tree *tree, uint32_t piece) {
  asci_fit_where at = asci_fit_place_of(tree, &tree->problem->pieces[piece]);
  if (at.first_part) take_from_block(tree, at.first, piece);
  if (at.last_part) take_from_block(tree, at.last, piece);
  asci_fit_walk w = asci_fit_walk_of(&at);
  uint32_t level, index;
  for (asci_fit_node *node; (node = asci_fit_walk_next(tree, &w, &level, &index));) {
    uint32_t k = 0, *pieces = asci_fit_kept_at(tree, node);
    while (pieces[k] != piece) k++;
    pieces[k] = pieces[--node->piece_count];
    node->cover_stale = true;
    make_stale(tree, level + 1, index / ASCI_FIT_FANOUT);
  }
}

void asci_fit_remove(asci_fit_tree *tree, uint32_t buffer) {
  const asc_problem *problem = tree->problem;
  if (tree->windows) tree->windows->shut = true;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++) take_piece(tree, p);
  tree->offsets[buffer] = ASC_UNPLACED;
}

/* ---- making stale sets anew ------------------------------------------------------------------------------------------ */

bool asci_fit_renew_cover(asci_fit_tree *tree, asci_fit_node *node) {
  node->cover_stale = false;
  node->cover.count = 0;
  for (uint32_t k = 0; k < node->piece_count; k++) {
    uint32_t p = asci_fit_kept_at(tree, node)[k];
    const asci_piece *piece = &tree->problem->pieces[p];
    int64_t offset = tree->offsets[asci_fit_owner_of(tree, p)];
    if (asci_spans_add(tree->problem->context, &node->cover, offset + piece->window_lower,
                       asci_fit_end_of(tree, p, offset)) < 0)
      return false;
  }
  return true;
}

static bool add_spans(asc_context *context, asci_spans *to, const asci_spans *from) {
  for (size_t k = 0; k < from->count; k++)
    if (asci_spans_add(context, to, from->items[k].low, from->items[k].high) < 0) return false;
  return true;
}

/* `below` of the nodes under it is not stale. Who is asked for it has all its children: the walk goes up where runs of siblings end. */
static bool renew_node(asci_fit_tree *tree, uint32_t level, uint32_t index) {
  asc_context *context = tree->problem->context;
  asci_fit_node *node = asci_fit_node_at(tree, level, index);
  node->below_stale = false;
  node->below.count = 0;
  if (level == 0) {
    const asci_fit_block *block = &tree->blocks[index];
    for (uint32_t k = 0; k < block->count; k++)
      if (asci_spans_add(context, &node->below, block->list[k].low, block->list[k].high) < 0) return false;
    return true;
  }
  for (uint32_t at = index * ASCI_FIT_FANOUT; at < (index + 1) * ASCI_FIT_FANOUT; at++) {
    asci_fit_node *child = asci_fit_node_at(tree, level - 1, at);
    if (child->cover_stale && !asci_fit_renew_cover(tree, child)) return false;
    if (!add_spans(context, &node->below, &child->cover) || !add_spans(context, &node->below, &child->below)) return false;
  }
  return true;
}

/* Goes down from a stale node to one whose children are not. */
static void find_stale(const asci_fit_tree *tree, uint32_t *level, uint32_t *index) {
  while (*level) {
    uint32_t child = *index * ASCI_FIT_FANOUT, end = child + ASCI_FIT_FANOUT;
    while (child < end && !asci_fit_node_at(tree, *level - 1, child)->below_stale) child++;
    if (child == end) return;
    --*level;
    *index = child;
  }
}

bool asci_fit_renew_below(asci_fit_tree *tree, uint32_t level, uint32_t index) {
  while (asci_fit_node_at(tree, level, index)->below_stale) {
    uint32_t at_level = level, at_index = index;
    find_stale(tree, &at_level, &at_index);
    if (!renew_node(tree, at_level, at_index)) return false;
  }
  return true;
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
  uint32_t block = asci_fit_block_of(tree, section);
  int32_t at = (int32_t)(section - asci_fit_block_begin(tree, block));
  const asci_fit_block *b = &tree->blocks[block];
  for (uint32_t k = 0; k < b->count; k++) {
    const asci_fit_part *other = &b->list[k];
    if (other->first <= at && other->end > at && !find(tree, asci_fit_owner_of(tree, other->piece))) return false;
  }
  for (uint32_t level = 0, index = block; level < tree->levels; level++, index /= ASCI_FIT_FANOUT) {
    const asci_fit_node *node = asci_fit_node_at(tree, level, index);
    for (uint32_t k = 0; k < node->piece_count; k++)
      if (!find(tree, asci_fit_owner_of(tree, asci_fit_kept_at(tree, node)[k]))) return false;
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
      uint32_t other = asci_fit_owner_of(tree, tree->begins[k]);
      if (tree->offsets[other] != ASC_UNPLACED) ready = find(tree, other);
    }
  }
  if (!ready) tree->no_memory = true;
  return ready;
}
