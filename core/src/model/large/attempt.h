/* One try to place everything below a target: first fit, and where nothing is free, the cheapest place all the same, whoever lies there being
 * taken out and placed again.
 *
 *     next buffer j, in order      lowest free offset below the target?  yes: there
 *                                  no: the offset at which the buffers in the way weigh least. They come out, j goes in and weighs
 *                                      more from now on, and each of them is the next buffer again, by its place in the order.
 *
 * A try is short: with orders that take the busiest time first, conflicts are between few large buffers, and the many small ones fall into
 * place afterwards. After `budget` buffers that found no place it is abandoned; many short tries beat a long one.
 *
 * What a buffer v weighs: (size / lower bound)^alpha * (sections + 1)^beta * 2^(stick * mu), stick being how often it was put in by force in
 * this try. base/number/powers.h makes them integers.
 *
 * A dive is a try as well: its moves are what dive.h says, and it is abandoned when it rises above the target. */
#ifndef ASCI_MODEL_LARGE_ATTEMPT_H
#define ASCI_MODEL_LARGE_ATTEMPT_H

#include "base/number/powers.h"
#include "base/number/rng.h"
#include "model/fit/tree.h"
#include "model/large/dive.h"
#include "model/large/orders.h"

typedef struct asci_large_config {
  asci_large_order order;
  int32_t alpha, beta; /* in 64ths */
  int32_t mu;          /* in 256ths of a power of two: 18 is a factor of 1.05 */
  uint32_t budget;     /* buffers without a place before the try is abandoned */
  bool by_chance;      /* a dive in which lives count as longer by chance */
} asci_large_config;

/* What a buffer's weight is made of, together: of thousands in the way one look each is dear enough. */
typedef struct asci_large_scale {
  uint16_t size, wide; /* logarithms in 256ths */
  uint16_t stick;      /* how often it was put in by force in this try */
} asci_large_scale;

typedef struct asci_large_blocker { /* in the way at offsets above ceiling - size and below floor */
  int64_t floor, ceiling, weight;
  uint32_t buffer;
  bool fixed;
} asci_large_blocker;

typedef enum asci_large_move {
  ASCI_LARGE_PLACED,    /* at the lowest free offset */
  ASCI_LARGE_FORCED,    /* over others, which were taken out */
  ASCI_LARGE_DONE,      /* nothing was left to place */
  ASCI_LARGE_ABANDONED, /* asci_large_end says why */
  ASCI_LARGE_CLASH,     /* a fixed offset meets another, or its buffer ends above the target */
  ASCI_LARGE_NO_MEMORY
} asci_large_move;

/* Why a try was abandoned. */
typedef enum asci_large_end {
  ASCI_LARGE_SPENT,    /* the budget is */
  ASCI_LARGE_WALLED,   /* fixed buffers are in the way wherever it would go over others */
  ASCI_LARGE_TOO_HIGH, /* a dive is above the target */
  ASCI_LARGE_ASTRAY    /* or has left too many sections to be worth going on */
} asci_large_end;

typedef struct asci_large_attempt {
  const asc_problem *problem;
  asci_fit_tree tree;
  asci_powers powers;
  asci_large_keys keys;
  asci_dive dive; /* of a try that is one */
  asci_large_config config;
  asci_large_order sorted_by; /* ASCI_LARGE_DIVE: by none */
  int64_t target;
  asci_rng rng;
  uint32_t *order, *rank; /* rank: by buffer, its place in the order */
  uint32_t cursor;        /* of the order */
  uint32_t *heap;         /* ranks of those taken out, the least on top */
  uint32_t heap_count;
  asci_large_scale *scales; /* by buffer */
  int32_t log_bound;        /* of the lower bound */
  uint32_t placed, fails;

  /* the last move */
  uint32_t buffer;
  int64_t offset;
  bool again;         /* the buffer had been taken out before */
  asci_large_end end; /* of a move that abandoned the try */
  uint32_t *out;      /* who was taken out, in the order in which they were found in the way */
  size_t out_count, out_room;

  asci_large_blocker *blockers;
  uint32_t *by_floor, *by_ceiling;
  int64_t *bounds, *scratch; /* by blocker, of the sort under way; its pairs */
  size_t blocker_count, blocker_room, index_room[4];
} asci_large_attempt;

/* Errors: OUT_OF_MEMORY (asci_large_attempt_free frees the rest). */
asc_status asci_large_attempt_new(const asc_problem *problem, asci_large_attempt *attempt);
void asci_large_attempt_free(asci_large_attempt *attempt);
/* Nothing is placed. A dive only where asci_dive_can says so. target: every offset + size stays at or below it. O(n log n), less if the order is
   that of the last try. */
void asci_large_begin(asci_large_attempt *attempt, const asci_large_config *config, int64_t target, uint64_t seed);
/* Fills order and rank, as they are in a try of this config; those of a dive come with its moves. O(n log n), O(1) if they are there. */
void asci_large_put_in_order(asci_large_attempt *attempt);
/* O(log n) sets; a forced place O(k log k) for k placed buffers alive together with the buffer. */
asci_large_move asci_large_next(asci_large_attempt *attempt);

#endif
