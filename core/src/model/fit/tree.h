/* First fit without looking at everyone: where is the lowest address that is free over a lifespan?
 *
 * The sections are cut into blocks of some 64 beginnings; over the blocks stands a tree of fanout 8. A placed piece is kept at a few nodes that
 * together make up the blocks it covers, and, where it covers a block only in part, in that block's list:
 *
 *      time       |  block 0  |  block 1  |  block 2  |  block 3  |
 *      piece             [--------------------------------)          list of 0, nodes of blocks 1 and 2, list of 3
 *
 * Each node knows two sets of addresses as merged intervals: `cover`, taken by the pieces kept at it, and `below`, by everything under
 * it. Packings that are good have few holes, so that merged sets are short (in upper nodes mostly one interval) however many buffers are
 * alive at once. A question looks at the lists of its first and last block, at `cover` of the nodes above those, and at both sets of the nodes
 * in between, and lets the offset rise until none of them objects.
 *
 * Until something is taken out, stretches of time are known as a whole besides (model/fit/windows.h): that spares most of a question about
 * a long life.
 *
 * O(log n) sets per question and per piece placed. Where many lives are long, blocks are longer (asci_fit_blocks), lest a piece be kept at
 * many nodes. Memory beyond the problem, for 100,000 generated buffers of which each was placed: 38 (network) to 56 bytes a buffer (training), 68
 * for synthetic and 76 for random problems, where sets hardly merge; the tables of asci_fit_collect, once it was asked, are another 8 to 19. All that
 * stays below 110 bytes a buffer but for very many random ones: of 300,000 they take 112 in swift blocks and of a million 138, in sparing
 * ones 98 and 106. That and what a question takes grow with the holes: of a million, random ones are the only kind that takes more than seconds.
 * Of that memory, all but the sets and collect's tables is there from the start.
 * The naive rule, which looks at everyone alive together, gives the same offsets (tests/core/test_fit_tree.c). */
#ifndef ASCI_MODEL_FIT_TREE_H
#define ASCI_MODEL_FIT_TREE_H

#include "model/problem.h"
#include "model/spans.h"

#define ASCI_FIT_FANOUT_BITS 3u
#define ASCI_FIT_FANOUT (1u << ASCI_FIT_FANOUT_BITS)
#define ASCI_FIT_STRIDE 16u
#define ASCI_FIT_LEVELS 12u /* 64 * 8^11 is more than 2^32 sections */

typedef struct asci_fit_part { /* a piece that covers a block in part */
  int64_t low, high;
  uint32_t piece;
  int16_t first, end; /* what it covers of the block's sections, counted from the block's first */
} asci_fit_part;

typedef struct asci_fit_block {
  asci_fit_part *list; /* in order of low; of the tree's parts */
  int64_t *reach; /* per ASCI_FIT_STRIDE of the list: none of them or before them ends above it; of the tree's reaches */
  uint32_t count;
} asci_fit_block;

typedef struct asci_fit_node {
  asci_spans cover, below;
  size_t begin;                  /* in the tree's kept */
  uint32_t piece_count;          /* kept here, in no order */
  bool cover_stale, below_stale; /* something was taken out: to be made anew. Above either `below` is stale as well. */
} asci_fit_node;

typedef struct asci_fit_tree {
  const asc_problem *problem;
  int64_t *offsets;     /* per buffer; ASC_UNPLACED */
  uint32_t *block_near; /* by ASCI_FIT_STRIDE sections: the block of the first of them */
  uint32_t *block_end;  /* by block: sections */
  uint32_t *owner;      /* by piece: its buffer; NULL where each buffer has one piece, of its own number */
  uint32_t block_count;
  asci_fit_block *blocks;
  asci_fit_node *nodes;             /* level by level, blocks first */
  struct asci_fit_windows *windows; /* windows.h; NULL: so few blocks that there are none */
  /* How many pieces may come to a block or a node is known before, so that each has its part of one array. */
  asci_fit_part *parts;
  int64_t *reaches;
  uint32_t *kept;
  uint32_t level_begin[ASCI_FIT_LEVELS + 1];
  uint32_t levels;

  /* of asci_fit_collect; made at its first use */
  uint32_t *begins; /* pieces in order of their first section */
  uint32_t *before; /* section_count + 1 entries: pieces that begin before the section */
  uint32_t *seen;   /* by buffer: number of the question it was found for last */
  uint32_t question;
  uint32_t *found;
  size_t found_count, found_room;

  struct asci_fit_view *views; /* of one question */
  uint64_t looks;              /* at sets, intervals and entries of lists, by all questions: what they cost */
  bool rounds;    /* whoever is placed takes addresses up to a multiple of its alignment; set while nobody is, no windows */
  bool no_memory; /* something could not be kept: the tree is of no more use */
} asci_fit_tree;

/* How many times as long as they may be short blocks become where many lives are long: longer ones take less memory and longer to answer. */
typedef enum asci_fit_blocks { ASCI_FIT_SWIFT = 8, ASCI_FIT_SPARING = 32 } asci_fit_blocks;

/* Nothing is placed. O(pieces + sections). Errors: OUT_OF_MEMORY (nothing is kept). */
asc_status asci_fit_tree_new(const asc_problem *problem, asci_fit_blocks blocks, asci_fit_tree *tree);
void asci_fit_tree_free(asci_fit_tree *tree);
/* Takes everything out and keeps the memory. O(n). */
void asci_fit_tree_clear(asci_fit_tree *tree);

/* The lowest offset >= from, of the buffer's alignment and in one bank, at which it meets nobody placed and ends at or below `most`;
   ASC_UNPLACED if there is none. The buffer itself must not be placed, from >= 0. May set no_memory, if anybody was taken out. */
int64_t asci_fit_lowest(asci_fit_tree *tree, uint32_t buffer, int64_t from, int64_t most);
/* Places a buffer that is not placed, at any offset, even over others. False: no memory. */
bool asci_fit_place(asci_fit_tree *tree, uint32_t buffer, int64_t offset);
/* Takes a placed buffer out. O(log n + lists). */
void asci_fit_remove(asci_fit_tree *tree, uint32_t buffer);
/* Fills found[found_count] with the placed buffers alive together with `buffer`, itself apart. O(found + pieces that begin during its
   life). False: no memory. */
bool asci_fit_collect(asci_fit_tree *tree, uint32_t buffer);

#endif
