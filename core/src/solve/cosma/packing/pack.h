/* Addresses by a sweep through time (README 6): rectangles in the order in which they begin, each tried at both ends of every gap, and a little
 * inside for those that will come; the most promising layouts are kept. */
#ifndef ASCI_COSMA_PACK_H
#define ASCI_COSMA_PACK_H

#include "base/memory.h"
#include "model/problem.h"

typedef struct cosma_pack_state {
  int64_t hole;    /* largest gap between what stays */
  uint32_t holes;  /* how many there are */
  uint32_t record; /* its last placement */
  uint64_t hash;   /* of its offsets */
} cosma_pack_state;

typedef struct cosma_pack_record {
  uint32_t parent;
  int64_t offset;
} cosma_pack_record;

typedef struct cosma_pack {
  asc_context *context;
  const asc_problem *problem;
  int64_t capacity;
  uint32_t width, level; /* layouts kept; how many rectangles to come a position leaves room for: 1 or 2 */

  uint32_t *order;    /* buffers by when they begin, largest first */
  uint32_t at, count; /* order[at] is placed next */
  uint32_t *live;     /* buffers placed and alive when order[at] begins, increasing place in order */
  uint32_t live_count;
  uint32_t *sorted; /* of one layout: indices into live, by offset */
  int64_t *offsets; /* per layout `stride` offsets, by index into live; those of the next ones */
  int64_t *next_offsets;
  cosma_pack_state *states, *next;
  uint32_t state, state_count, next_count, stride;
  size_t next_room;
  int64_t *shifts; /* sizes by which positions are moved in */
  uint32_t shift_count;
  cosma_pack_record *records;
  size_t record_count, record_room, offsets_room;
} cosma_pack;

typedef enum cosma_packing { COSMA_PACKING, COSMA_PACKED, COSMA_UNPACKED, COSMA_PACK_NO_MEMORY } cosma_packing;

/* The problem has neither fixed offsets nor gaps, shapes or banks. Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_pack_new(const asc_problem *problem, int64_t capacity, uint32_t width, uint32_t level, cosma_pack *p);
void asci_cosma_pack_free(cosma_pack *p);
/* Places the next rectangle in one layout. O(gaps * positions * live). */
cosma_packing asci_cosma_pack_step(cosma_pack *p);
/* After PACKED: an offset for each buffer. */
void asci_cosma_pack_offsets(const cosma_pack *p, int64_t *offsets);

#endif
