/* The explainer's state. A set of buffers that does not fit alone is made smaller by leaving buffers out of it (a deletion filter):
 *
 *     what the rest without x does       then
 *     is proved not to fit               x goes, and with it all that this proof does not name
 *     fits                               x is needed; its plan is turned over and over to show others needed (rotate.c)
 *     neither, within the trial's limit  x stays, and is tried again with a higher limit once the others are done
 *
 * Whatever is needed stays needed as the set shrinks, since a part of what fits fits. */
#ifndef ASCI_SOLVE_EXPLAIN_H
#define ASCI_SOLVE_EXPLAIN_H

#include "model/problem.h"

#include <stdatomic.h>

/* What is known of a buffer. */
enum { ASCI_OUT, ASCI_IN, ASCI_NEEDED };

/* Offsets [low, high) that one placed buffer forbids to another. */
typedef struct asci_forbidden {
  int64_t low, high;
  uint32_t by;
} asci_forbidden;

struct asc_explain {
  const asc_problem *whole;
  const asc_problem *problem; /* what lies in the pool that is looked at */
  uint32_t pool;
  asc_context *context;
  int64_t run_capacity, capacity; /* as was asked for; of the pool */
  uint64_t seed, budget;
  atomic_bool cancel;
  asc_outcome outcome;
  uint64_t steps;   /* of the runs that are over */
  uint32_t section; /* as in asc_explanation */

  uint8_t *state;    /* per buffer; all OUT while no set is known */
  uint32_t *members; /* those not OUT, increasing; NULL while no set is known */
  uint32_t *told;    /* the same as buffers of the whole */
  uint32_t count;    /* of members */
  uint32_t needed;   /* of members */

  /* Round: members still IN, in order of trying. [0, late) had too little, order[next] is left out by the trial under way, those up to end
     are to come. */
  uint32_t *order;
  uint32_t late, next, end;
  uint64_t limit; /* steps for a trial of this round */

  /* Trial under way. */
  struct asc_run *run;
  asc_problem *part; /* NULL: the run is of the whole problem */
  uint32_t *origin;  /* per buffer of part: which it is in the problem */

  /* rotate.c: a plan of the set but for one buffer, by buffer of the problem, and the way that led from the trial's plan to it. */
  int64_t *offsets;
  uint32_t *path;
  int64_t *path_offsets;
  asci_forbidden *forbidden;
  size_t forbidden_room, forbidden_count;
  uint32_t *by_low, *by_high, *scratch;
  size_t by_low_room, by_high_room, scratch_room;
  uint32_t *active; /* per buffer: how many of its intervals hold the offset looked at */
};

static inline bool asci_explain_cancelled(const asc_explain *explain) {
  return atomic_load_explicit(&explain->cancel, memory_order_relaxed);
}

/* pool.c: looks at the first pool from that on in which anything lies; false if there is none. Of a problem without further pools the whole is
   one. */
bool asci_explain_look_at(asc_explain *explain, uint32_t pool);
/* What the exact solver does not take. Errors: UNSUPPORTED (diag). */
asc_status asci_explain_check(const asc_problem *problem, asc_diag *diag);

/* obvious.c: a set that needs no search. Marks it IN, or NEEDED where each of its parts is known to fit as well, and sets the section. Returns
   how many buffers it has in *count: 0 if nothing is obvious. O(n log n). Errors: OUT_OF_MEMORY. */
asc_status asci_explain_obvious(asc_explain *explain, uint32_t *count);

/* part.c: the problem of the members but for order[next], in part and origin. Errors: OUT_OF_MEMORY. */
asc_status asci_explain_part(asc_explain *explain);

/* rotate.c: offsets hold a plan of all members but `without`. Marks as NEEDED what can be seen from it. Errors: OUT_OF_MEMORY. */
asc_status asci_explain_rotate(asc_explain *explain, uint32_t without);

/* Marks a member, which is IN, NEEDED. */
static inline void asci_explain_need(asc_explain *explain, uint32_t buffer) {
  explain->state[buffer] = ASCI_NEEDED;
  explain->needed++;
}

#endif
