/* How the fit tree is laid out, for the files that keep and ask it (tree.c, place.c, lowest.c). */
#ifndef ASCI_MODEL_FIT_INNER_H
#define ASCI_MODEL_FIT_INNER_H

#include "model/bank.h"
#include "model/fit/tree.h"
#include "model/fit/windows.h"

static inline asci_fit_node *asci_fit_node_at(const asci_fit_tree *tree, uint32_t level, uint32_t index) {
  return &tree->nodes[tree->level_begin[level] + index];
}

/* The node above a block. */
static inline uint32_t asci_fit_above(uint32_t block, uint32_t level) {
  return block >> (ASCI_FIT_FANOUT_BITS * level);
}

static inline uint32_t *asci_fit_kept_at(const asci_fit_tree *tree, const asci_fit_node *node) {
  return tree->kept + node->begin;
}

/* How many bounds a list of so many has. */
static inline size_t asci_fit_strides(size_t count) {
  return (count + ASCI_FIT_STRIDE - 1) / ASCI_FIT_STRIDE;
}

static inline uint32_t asci_fit_block_begin(const asci_fit_tree *tree, uint32_t block) {
  return block ? tree->block_end[block - 1] : 0;
}

static inline uint32_t asci_fit_block_of(const asci_fit_tree *tree, uint32_t section) {
  uint32_t block = tree->block_near[section / ASCI_FIT_STRIDE];
  while (tree->block_end[block] <= section) block++; /* each has a section at least: not many steps */
  return block;
}

static inline uint32_t asci_fit_owner_of(const asci_fit_tree *tree, uint32_t piece) {
  return tree->owner ? tree->owner[piece] : piece;
}

/* Where a placed piece's addresses end. */
static inline int64_t asci_fit_end_of(const asci_fit_tree *tree, uint32_t piece, int64_t offset) {
  int64_t end = offset + tree->problem->pieces[piece].window_upper;
  return tree->rounds ? asci_align(end, tree->problem->buffers[asci_fit_owner_of(tree, piece)].alignment) : end;
}

typedef struct asci_fit_where { /* where a piece of time lies in the tree */
  uint32_t first, last;         /* blocks */
  bool first_part, last_part;   /* covered in part; if both are the same block, first_part says it */
} asci_fit_where;

static inline asci_fit_where asci_fit_place_of(const asci_fit_tree *tree, const asci_piece *piece) {
  asci_fit_where at = {.first = asci_fit_block_of(tree, piece->first), .last = asci_fit_block_of(tree, piece->end - 1)};
  bool begins_inside = piece->first > asci_fit_block_begin(tree, at.first),
       ends_inside = piece->end < tree->block_end[at.last];
  at.first_part = begins_inside || (at.first == at.last && ends_inside);
  at.last_part = at.first != at.last && ends_inside;
  return at;
}

/* What the piece covers of a block, counted from the block's first section: blocks are shorter than 2^15 sections. */
static inline void asci_fit_part_of_block(const asci_fit_tree *tree, uint32_t block, const asci_piece *piece, int16_t *first,
                                          int16_t *end) {
  uint32_t low = asci_fit_block_begin(tree, block), high = tree->block_end[block];
  *first = (int16_t)(piece->first > low ? piece->first - low : 0);
  *end = (int16_t)((piece->end < high ? piece->end : high) - low);
}

/* Whole blocks [begin, end) as few nodes: those that end a run of siblings, from below. The caller asks again until none is left. */
typedef struct asci_fit_walk {
  uint32_t begin, end, level;
} asci_fit_walk;

static inline asci_fit_walk asci_fit_walk_of(const asci_fit_where *at) {
  return (asci_fit_walk){at->first + at->first_part, at->last + 1 - at->last_part, 0};
}

static inline asci_fit_node *asci_fit_walk_next(const asci_fit_tree *tree, asci_fit_walk *w, uint32_t *level,
                                                uint32_t *index) {
  while (w->begin < w->end) {
    *level = w->level;
    if (w->begin % ASCI_FIT_FANOUT || w->level + 1 == tree->levels) {
      *index = w->begin++;
      return asci_fit_node_at(tree, *level, *index);
    }
    if (w->end % ASCI_FIT_FANOUT) {
      *index = --w->end;
      return asci_fit_node_at(tree, *level, *index);
    }
    w->begin /= ASCI_FIT_FANOUT;
    w->end /= ASCI_FIT_FANOUT;
    w->level++;
  }
  return NULL;
}

/* One offset bound rising through one set or list. A piece's addresses are offset + shift .. offset + shift + size. */
typedef struct asci_fit_view {
  int64_t next;          /* nothing from the piece's addresses on is in the way below this one */
  const asci_spans *set; /* NULL: a list, */
  const asci_fit_block *block;
  int16_t first, end; /* and the sections in question as it counts them */
  size_t at;
} asci_fit_view;

/* Two lists, per level two nodes above the ends and two sets of each of fourteen in between, and windows. */
#define ASCI_FIT_VIEWS (2u + 30u * ASCI_FIT_LEVELS + ASCI_FIT_WINDOWS_ASKED)

/* Make a stale set anew. False: no memory. */
bool asci_fit_renew_cover(asci_fit_tree *tree, asci_fit_node *node);
bool asci_fit_renew_below(asci_fit_tree *tree, uint32_t level, uint32_t index);

#endif
