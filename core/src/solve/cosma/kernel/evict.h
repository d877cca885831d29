/* What to take out of the arena so that an operator fits: all sets from which nothing can be left out, one by one. */
#ifndef ASCI_COSMA_EVICT_H
#define ASCI_COSMA_EVICT_H

#include "model.h"

typedef struct cosma_candidate {
  int64_t size, cost; /* bytes freed, bytes that it will have cost to have it back */
  int64_t lost;       /* part of the cost by which what is ahead does not get less */
  uint32_t value;
  uint32_t skip; /* where the candidates begin that are not interchangeable with it */
  uint64_t key;  /* of who reads it still */
} cosma_candidate;

typedef struct cosma_evict {
  cosma_candidate *items; /* largest first, interchangeable ones side by side */
  int64_t *rest;          /* per item: the sizes from it on */
  uint32_t *chosen;       /* items of the set under way, increasing */
  uint32_t count, depth, at;
  uint64_t seed;             /* of the order of candidates that differ in nothing else */
  int64_t target, most_cost; /* a set frees at least target, costs less than most_cost */
  int64_t most_lost;         /* and loses less than that */
  int64_t sum, cost, lost;   /* of the set under way */
} cosma_evict;

/* Room for as many candidates as there are values. */
bool asci_cosma_evict_new(cosma_model *m, cosma_evict *e);
/* done: the operators that have run. Sorts the `count` items, whose value, size and cost are set, and begins. O(c^2 + their readers). */
void asci_cosma_evict_begin(cosma_evict *e, const cosma_model *m, const uint64_t *done);
/* The next set is in chosen[0 .. depth - 1]; false: there is none. Takes off `fuel` for each candidate looked at and returns true with
   *found false when it is used up, to be called again. */
bool asci_cosma_evict_next(cosma_evict *e, uint32_t *fuel, bool *found);

#endif
