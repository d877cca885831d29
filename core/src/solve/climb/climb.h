/* Hill climbing over orders: a plan is what first fit makes of an order, and a step is two buffers of the order changing places.
 *
 *      order   a  b  c  d        first fit        +---+
 *                 x     x       ----------->      | d |  bottleneck: its top is the height of the plan
 *      order   a  d  c  b                      +--+---+
 *                                              |  b   |  who had a hand in that: among them the swap is drawn
 *      lower?  keep the order, else swap back  +------+
 *
 * What the planners do differently is in asci_climb_rule: who comes first in the first order, among whom the swap is drawn, which plan is
 * kept, and when it is enough. Everyone's neighbours, those alive together with it, are asked for by time and never listed all at once, so that
 * memory is O(n).
 *
 * Complexity: a decode asks O(log n) merged sets per buffer (model/fit/tree.h); who had a hand in the bottleneck is asked anew only when
 * another plan is kept, O(d^2) for d neighbours each. */
#ifndef ASCI_CLIMB_H
#define ASCI_CLIMB_H

#include "base/number/rng.h"
#include "base/sort.h"
#include "model/fit/tree.h"
#include "solve/solver.h"

typedef struct asci_climb asci_climb;

typedef struct asci_climb_keys {
  const asc_problem *problem;
  int64_t *weight; /* by buffer: what the rule's weigh gave */
} asci_climb_keys;

typedef struct asci_climb_rule {
  /* Fills keys for `before`, the order of the first plan (keys: asci_climb_keys). Errors: OUT_OF_MEMORY. */
  asc_status (*weigh)(const asc_problem *problem, int64_t *weight);
  asci_before before;
  bool rounds;   /* tops of placed buffers are rounded up to their own alignment */
  bool abandons; /* a plan is given up where it gets higher than the one it is compared with */
  /* Draws who changes places in this attempt: fills turns and swap_count (0: there is nobody to swap). False: no memory. */
  bool (*draw)(asci_climb *climb);
  /* Whether a plan of that height takes the place of the one that stands; climb->attempt is the number of the attempt. */
  bool (*keeps)(asci_climb *climb, int64_t height);
  bool (*goes_on)(const asci_climb *climb); /* another attempt? */
} asci_climb_rule;

/* Turns: places in the order. */
typedef struct asci_turns {
  uint32_t *items;
  uint32_t count;
} asci_turns;

struct asci_climb {
  asc_run *run;
  const asci_climb_rule *rule;
  asci_fit_tree tree;         /* of the plan in the making */
  asci_fit_tree alive;        /* everyone, wherever: tells who is alive together */
  uint32_t *order;            /* buffers */
  uint32_t *turn;             /* by buffer */
  int64_t *offsets, height;   /* of the plan that stands */
  uint32_t placed;            /* of the first plan */
  uint32_t made;              /* of the plan in the making */
  uint32_t attempt, improved; /* attempts made; the one that made the plan lower last */
  asci_rng rng;

  /* Who had a hand in the bottleneck of the plan that stands; asked again once `known` is false. */
  bool known;
  uint32_t bottleneck;
  asci_turns near, far, all; /* what they are is the rule's; all begins with near */
  uint64_t *upto;            /* by entry of far: the sum of weights up to it */
  uint32_t *mark, *scratch;  /* by turn, all 0; room for n */

  uint32_t turns[2][2]; /* that change places, one pair after the other */
  uint32_t swap_count;
  uint32_t swapped[2][2]; /* who that was in the last attempt, ASC_NONE without */
};

/* Lines of the pseudocode that events name. */
enum {
  ASCI_CLIMB_FIRST = 1,
  ASCI_CLIMB_BOTTLENECK = 3,
  ASCI_CLIMB_SWAP = 4,
  ASCI_CLIMB_KEEP = 6,
  ASCI_CLIMB_DONE = 7,
  ASCI_CLIMB_BACK = 8
};

/* What an attempt comes to; all but KEPT are the `why` of the event "swap-back". */
typedef enum asci_climb_verdict {
  ASCI_CLIMB_HIGH,      /* the plan is not kept, for its height */
  ASCI_CLIMB_ABANDONED, /* nor is it where it got too high before all were placed */
  ASCI_CLIMB_NOBODY,    /* there was nobody to swap */
  ASCI_CLIMB_KEPT,
} asci_climb_verdict;

/* Those alive together with a buffer: climb->alive.found. O(found). False: no memory. */
bool asci_climb_around(asci_climb *climb, uint32_t buffer);
/* Of the buffers before it in the order the one on whose top its place depends: the one alive first, then of least index; ASC_NONE if it lies on
   the ground. O(neighbours). */
uint32_t asci_climb_below(asci_climb *climb, uint32_t buffer);
static inline void asci_turns_add(asci_turns *turns, uint32_t turn) {
  turns->items[turns->count++] = turn;
}

/* The members of asci_solver, create apart: that is asci_climb_create with the rule. Outcomes: FEASIBLE, OPTIMAL, OVER_CAPACITY with the best plan;
   EXHAUSTED if no address below ASC_MAX_BYTES is left in the first plan (alignments alone can bring that about); OUT_OF_MEMORY. A cancel is
   asked for within an attempt, which then has not been made. */
asc_status asci_climb_create(asc_run *run, const asci_climb_rule *rule, void **state);
void asci_climb_destroy(asc_run *run, void *state);
asc_outcome asci_climb_advance(asc_run *run, void *state);
void asci_climb_view(asc_run *run, void *state, asc_run_view *view);
asc_status asci_climb_keep(asc_run *run, void *state, asci_saver *saver);

#endif
