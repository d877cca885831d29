/* Buffers as the paper sees tensors: tiles, each of the chunks of memory that live for one time.
 *
 *     address |       ####              a buffer's pieces (model/problem.h) that begin and end together are a tile;
 *             |  ##   ####              its chunks are from below, and none touches the next
 *             |  ##   ####
 *             |  ##                     a buffer without a shape is one tile of one chunk
 *             +------------ time
 *
 * Gaps of a lifespan and windows are such pieces too. */
#ifndef ASCI_TAA_TILES_H
#define ASCI_TAA_TILES_H

#include "model/problem.h"

typedef struct asci_taa_chunk { /* [low, high) from the buffer's offset */
  int64_t low, high;
} asci_taa_chunk;

typedef struct asci_taa_tile {
  uint32_t first, end;         /* sections */
  uint32_t chunks, chunks_end; /* which of all */
} asci_taa_tile;

typedef struct asci_taa_tiles {
  uint32_t *begin; /* n + 1 entries: the tiles of b are tiles[begin[b]] .. tiles[begin[b + 1] - 1], in order of time */
  asci_taa_tile *tiles;
  asci_taa_chunk *chunks;
} asci_taa_tiles;

/* O(pieces log pieces). Errors: OUT_OF_MEMORY (to be freed all the same). */
asc_status asci_taa_tiles_new(const asc_problem *problem, asci_taa_tiles *tiles);
void asci_taa_tiles_free(asc_context *context, asci_taa_tiles *tiles);

static inline bool asci_taa_together(const asci_taa_tile *a, const asci_taa_tile *b) {
  return a->first < b->end && b->first < a->end;
}

/* What CollisionSize finds: the first chunks of the two tiles, from below, that share an address; size 0: none do. */
typedef struct asci_taa_collision {
  int64_t size; /* from where t2's chunk begins to where t1's ends: so far up t2 must go to be past it */
  uint32_t chunk1, chunk2;
} asci_taa_collision;

/* Algorithm 2. printed: as the paper has line 16, where chunks that touch collide. O(chunks of both). */
asci_taa_collision asci_taa_collide(const asci_taa_tiles *tiles, const asci_taa_tile *t1, int64_t base1,
                                    const asci_taa_tile *t2, int64_t base2, bool printed);

/* Where two chunks collide: both are alive in that section at that address (or, as printed, touch there). */
typedef struct asci_taa_clash {
  uint32_t section;
  int64_t address;
} asci_taa_clash;
/* The same, and where that is, if they collide. */
int64_t asci_taa_meet(const asci_taa_tiles *tiles, const asci_taa_tile *t1, int64_t base1, const asci_taa_tile *t2,
                      int64_t base2, bool printed, asci_taa_clash *clash);
/* The first chunks of two buffers that collide, which some do. O(pairs of tiles and their chunks). */
asci_taa_clash asci_taa_find_clash(const asci_taa_tiles *tiles, uint32_t a, int64_t base_a, uint32_t b, int64_t base_b);

/* Orders in which tensors are placed; all ties end at the index, lower first. */
typedef enum asci_taa_order {
  ASCI_TAA_SIZE,     /* size, then lifetime */
  ASCI_TAA_LIFETIME, /* lifetime, then size */
  ASCI_TAA_PEERS,    /* buffers alive together with it, then size */
  ASCI_TAA_REVERSE,  /* the one that begins last, of those the one that ends last: consumers before producers */
  ASCI_TAA_FORWARD,  /* the one that begins first, of those the one that ends first */
  ASCI_TAA_ORDERS
} asci_taa_order;
/* Fills order[n]. O(n log n). Errors: OUT_OF_MEMORY. */
asc_status asci_taa_sort(const asc_problem *problem, asci_taa_order by, uint32_t *order);

#endif
