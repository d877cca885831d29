/* Who is in the way: the pieces of placed buffers, found by time.
 *
 * The pieces lie in order of their first section; over them stands a tree whose nodes know the latest end of a placed piece
 * below, so that the placed pieces alive in [first, end) are found without looking at the others:
 *
 *      node          latest 6                 a query [4, 5) looks at pieces that begin before 5
 *                 /            \              and goes down only where latest > 4
 *            latest 3        latest 6
 *            /      \        /      \
 *      piece [0,3)  [1,2)  [2,6)   [4,5) not placed: 0
 *
 * Each piece in the way becomes a blocker: the new buffer lies above it from offset `floor` on, and below it as long as
 * offset + size <= `ceiling`. Without windows that is the blocker's top and its offset. */
#ifndef ASCI_MODEL_OCCUPANCY_H
#define ASCI_MODEL_OCCUPANCY_H

#include "model/problem.h"

typedef struct asci_blocker {
  int64_t floor, ceiling;
  uint32_t buffer;
} asci_blocker;

/* A piece and, once its buffer is placed, the addresses it occupies with what is reserved beyond its size. */
typedef struct asci_placed_piece {
  int64_t low, high;
  uint32_t piece, buffer;
} asci_placed_piece;

typedef struct asci_occupancy {
  const asc_problem *problem;
  int64_t *offsets;   /* per buffer; ASC_UNPLACED */
  int64_t round_size; /* sizes are reserved in multiples of it */

  uint32_t leaves;           /* power of two, at least the number of pieces */
  asci_placed_piece *placed; /* by leaf, in order of first section */
  uint32_t *leaf_of;         /* by piece */
  uint32_t *before;          /* section_count + 1 entries: pieces that begin before the section */
  uint32_t *latest;          /* 2 * leaves nodes, 1 is the root: latest end of a placed piece below, 0 for none */

  asci_blocker *blockers; /* of the last asci_occupancy_collect */
  asci_blocker *scratch;
  size_t blocker_room, scratch_room;
  uint32_t blocker_count;
} asci_occupancy;

/* round_size >= 1; anything above 1 is for problems without windows only. O(pieces). Errors: OUT_OF_MEMORY (nothing is kept). */
asc_status asci_occupancy_new(const asc_problem *problem, int64_t round_size, asci_occupancy *occupancy);
void asci_occupancy_free(asci_occupancy *occupancy);

/* The size of a buffer rounded up as its place is reserved. */
int64_t asci_occupancy_reserve(const asci_occupancy *occupancy, uint32_t buffer);
void asci_occupancy_place(asci_occupancy *occupancy, uint32_t buffer, int64_t offset);
/* Finds the blockers of a buffer that is not placed. O(k log n) for k blockers, less where they lie close in time. False: no memory. */
bool asci_occupancy_collect(asci_occupancy *occupancy, uint32_t buffer);
/* Puts the collected blockers in order of ceiling, floor, buffer. O(k log k). False: no memory. */
bool asci_occupancy_sort(asci_occupancy *occupancy);
/* The first collected blocker whose own bytes (not what is reserved beyond them) meet `size` bytes at offset, or NULL. O(k). */
const asci_blocker *asci_occupancy_meets(const asci_occupancy *occupancy, int64_t offset, int64_t size);

#endif
