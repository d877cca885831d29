/* Of two buffers the differences of offsets at which chunks of them collide, gathered a little at a time: what tables.h keeps of each pair.
 *
 *     runs       chunks of one length and evenly spaced, of which a tile has a few
 *     even       two runs of one stride collide at evenly spaced differences: one progression of ranges
 *     joined     ranges in order and apart; what lies in one of them is known, and no more is done about it
 *     pending    the others that came since, joined with them when there are many */
#ifndef ASCI_TAA_GATHER_H
#define ASCI_TAA_GATHER_H

#include "solve/taa/tiles.h"

typedef struct asci_taa_range { /* both ends included */
  int64_t low, high;
} asci_taa_range;

/* Chunks of one length, evenly spaced. */
typedef struct asci_taa_chunk_run {
  int64_t low, length, stride;
  uint32_t count;
} asci_taa_chunk_run;

/* Two runs that were read in for the pair under way: tiles that follow each other are at the same distance again and again. */
typedef struct asci_taa_seen {
  uint32_t p, q;
  uint64_t turn; /* another one than that under way: free */
} asci_taa_seen;

typedef struct asci_taa_gather {
  asc_context *context;
  const asci_taa_tiles *tiles;
  asci_taa_chunk_run *runs; /* of tile t: runs[run_begin[t]] .. runs[run_begin[t + 1] - 1] */
  uint32_t *run_begin;

  /* The pair under way, and how far it has come: tile i of u and j of v, of these runs p and q, and of the shorter of those its chunk k. */
  uint32_t u, v, i, j, p, q, k;
  int64_t grain; /* of which both offsets are multiples */
  int64_t left;  /* work that may be done still before it rests */

  asci_taa_range *joined, *spare;
  size_t joined_count, joined_room, spare_room;
  size_t most;                /* joined ranges: more are taken for a want of memory */
  int64_t *low, *high, *keys; /* pending; keys: two for each */
  uint32_t *order;
  uint32_t pending, pending_room;

  asci_taa_seen *seen;
  uint32_t seen_count, seen_room; /* a power of two */
  uint64_t turn;
} asci_taa_gather;

/* Into a cleared struct. O(chunks). Errors: OUT_OF_MEMORY (to be freed all the same). */
asc_status asci_taa_gather_new(const asc_problem *problem, const asci_taa_tiles *tiles, asci_taa_gather *gather);
void asci_taa_gather_free(asci_taa_gather *gather);

/* A pair is under way, of offsets that are multiples of `grain`. */
void asci_taa_gather_begin(asci_taa_gather *gather, uint32_t u, uint32_t v, int64_t grain);
/* Goes on until the pair is done or nothing is left of `left`. One unit of it is two tiles looked at or a range forbidden; it may be overdrawn by as many
   ranges as two runs have chunks. True: the pair is done, and its ranges are joined, apart by more than the grain. Errors: OUT_OF_MEMORY. */
asc_status asci_taa_gather_go_on(asci_taa_gather *gather, bool *done);

#endif
