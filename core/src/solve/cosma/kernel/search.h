/* The layered dynamic program over the sets of operators that have run (README 2): layer k has every set of k operators that can have run, and for each the
 * states that may still lead to the best plan. One pass is one such search; asci_cosma_search_step takes one transition of it. */
#ifndef ASCI_COSMA_SEARCH_H
#define ASCI_COSMA_SEARCH_H

#include "evict.h"
#include "landmarks.h"
#include "layer.h"

/* What a pass is after. */
typedef struct cosma_pass {
  bool peak;        /* the least peak footprint without any traffic (paper section III-E1); else the least traffic */
  int64_t capacity; /* of the arena; a peak pass goes by none */
  int64_t upper;    /* only what costs less is looked for */
  const cosma_landmarks *landmarks; /* NULL: of a search of the peak, which needs none */
  uint32_t width;                   /* states that a layer keeps; 0: all */
  uint64_t seed;                    /* of what is tried first where nothing else decides; 0: as numbered */
  /* The operators in an order, and which part of it each place belongs to: those of a part run before those of the next. NULL: in any order. Each
     place a part of its own: in this order. */
  const uint32_t *order, *part;
} cosma_pass;

/* How a kept state came about. */
typedef struct cosma_record {
  uint32_t parent; /* record, ASC_NONE: the beginning */
  uint32_t op;
  uint32_t evict_begin; /* in the list of values taken out before it runs; up to that of the next record */
} cosma_record;

typedef enum cosma_step {
  COSMA_KEPT,      /* a state was reached and kept */
  COSMA_DOMINATED, /* reached, and no better than one that is there */
  COSMA_PRUNED,    /* an operator or a state costs too much, or has no room */
  COSMA_LAYER,     /* a layer is finished */
  COSMA_END,       /* the pass is over: `found` says with what */
  COSMA_FULL,      /* over for want of room: more bytes than allowed, or no memory */
} cosma_step;

typedef struct cosma_search {
  cosma_model *m; /* its arena holds what does not grow */
  cosma_pass pass;
  size_t most_bytes; /* of layers and records; 0: no limit */

  cosma_layer now, next;
  cosma_table table; /* of next */
  uint32_t depth;    /* operators that have run in layer `now` */
  uint32_t *part;    /* per operator; all 0 in any order */

  cosma_record *records;
  uint32_t *evicted;
  size_t record_count, record_room, evicted_count, evicted_room;

  /* the transition under way */
  uint32_t state, op;
  bool expanding, choosing, forced;
  uint64_t *done, *alive, *resident, *clean; /* after op, before anything is taken out */
  uint64_t *claimed;                         /* values that landmarks ahead claim */
  uint64_t hash;
  int64_t cost, held, least;
  uint32_t *ready; /* operators that `state` goes on with, and how many are left */
  uint32_t ready_count;
  cosma_evict evict;

  /* what it came to */
  uint32_t found; /* record of the cheapest way through, or ASC_NONE */
  int64_t found_cost;
  int64_t bound;  /* proven of every plan that the pass may take: what has not been pruned costs no less */
  bool truncated; /* states were left out for the width or for want of room: an empty end proves nothing */
  uint64_t reached, dominated, pruned;
  uint32_t widest; /* most states kept in a layer */
  uint64_t kept;   /* states kept in all layers */
} cosma_search;

/* Of a model, for several passes one after the other. False: no memory. */
bool asci_cosma_search_new(cosma_model *m, size_t most_bytes, cosma_search *s);
void asci_cosma_search_free(cosma_search *s);
/* Begins a pass; order and part must stay. False: no memory. */
bool asci_cosma_search_begin(cosma_search *s, const cosma_pass *pass);
/* Takes one transition, in time bounded by the values alive and the states of one node. */
cosma_step asci_cosma_search_step(cosma_search *s);
/* The values taken out right before the record's operator. */
const uint32_t *asci_cosma_evicted(const cosma_search *s, uint32_t record, uint32_t *count);
size_t asci_cosma_search_bytes(const cosma_search *s);

#endif
