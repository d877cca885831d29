/* Which target to try next, and how.
 *
 *      height of the best plan   -----------------  found
 *                                      |  next: a rung of the list, or half way
 *      given up                  -----------------  so many tries failed here
 *      lower bound               =================
 *
 * The first try is a dive, where there can be one, of few buffers. With a capacity there is one target, the capacity. Without, the next try is at
 * the lower bound, which many problems meet at once; then come four at 0.5 % above it, until one succeeds (a dive does not count: it has no
 * weights to go on with, though its plan may be below 0.5 %). If none has, dives go on: one, if there was none, and some by chance, each abandoned
 * when it rises to the best plan. Then five orders of greedy as they are, by first fit below the best plan, which end with the first buffer that
 * finds no place; then the rungs from 64 % above the bound down to it, skipping what the best plan is below already. Where tries fail, the target
 * goes half way back up, until what is left is a twenty-thousandth of the bound or an eighth of what the best plan is above it. Above that
 * twenty-thousandth all is tried once more, until so many moves were made: within a thousandth of the bound a quarter.
 *
 * Of many buffers a try that places all is dear: after the bound comes a try at 0.1 % above it, before those at 0.5 %.
 * Where few of many are alive at once, a try that fails among the first hundred costs next to nothing beside one that places
 * all. So there budgets are larger, and tries at the bound and, by another order, at 0.1 % above it are repeated with other weights while together
 * they weigh fewer than twice as many buffers as there are. */
#ifndef ASCI_MODEL_LARGE_LADDER_H
#define ASCI_MODEL_LARGE_LADDER_H

#include "model/large/attempt.h"

#define ASCI_LADDER_OPENING 15u /* kinds of tries before the rungs */

typedef struct asci_ladder {
  bool minimise;
  bool dives;         /* there can be dives, */
  bool dives_at_once; /* before all else */
  bool many;          /* so many buffers that a whole pass is dear */
  int64_t floor;      /* no plan is lower */
  int64_t capacity;
  uint32_t most_tries, budget; /* per target; buffers without a place per try */
  uint32_t quick;              /* the same of tries that should end at once */
  uint64_t most_moves; /* of failed tries, after which what was given up is not tried once more; near the bound a quarter */
  uint32_t most_dives; /* by chance; 0: there can be none */
  uint64_t patience;   /* moves of failed tries of one kind before the rungs, from which on it is not repeated */

  int64_t best;              /* height of the best plan, -1: none */
  int64_t given_up;          /* greatest target at which all tries failed, -1 */
  int64_t target;            /* of the try under way, ASC_MAX_BYTES: none */
  uint32_t opening;          /* kinds of tries before the rungs that were begun or are of no use */
  uint32_t dived;            /* dives by chance begun */
  uint64_t spent;            /* moves of the failed tries of the last of them */
  uint64_t moves;            /* of all failed tries but dives, and the tries themselves */
  bool aimed;                /* the target is one of the rungs and open */
  uint32_t tries;            /* at this target, begun */
  uint32_t total;            /* tries begun */
  bool known;                /* some try has succeeded below a target */
  asci_large_config success; /* the last that did */
  asci_rng rng;

  asci_large_config config; /* of the try under way */
  uint64_t seed;            /* of its random numbers */
} asci_ladder;

/* floor: no plan is lower. tries, budget: as most_tries and budget above. */
asci_ladder asci_ladder_new(const asc_problem *problem, bool minimise, int64_t floor, int64_t capacity, uint32_t tries,
                            uint32_t budget, uint64_t seed);
/* Fills target, config and seed of the next try. False: there is none. */
bool asci_ladder_next(asci_ladder *ladder);
/* The try was abandoned after so many moves. */
void asci_ladder_failed(asci_ladder *ladder, uint64_t moves);
/* The try has ended with a plan of that height. */
void asci_ladder_ended(asci_ladder *ladder, int64_t height);

#endif
