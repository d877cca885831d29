/* What the parts of list scheduling share: the state, and which part does what.
 *
 * The state is an order that only grows. Every step but the last runs one operator and appends it to `order`, from which all else follows: the
 * ready operators, the bytes alive, the buffers that have begun. So `order` is the log that any step is shown from. The last step gives the
 * addresses, by a solver of buffers on what the whole order amounts to; what came of it is kept as well. */
#ifndef ASCI_LIST_SCHEDULE_H
#define ASCI_LIST_SCHEDULE_H

#include "graph/growth.h"
#include "graph/lower.h"
#include "solve/solver.h"

/* The choices of the option "rule", in its order. */
enum { ASCI_RULE_LEAST_GROWTH, ASCI_RULE_LEAST_ALIVE, ASCI_RULE_DEPTH_FIRST, ASCI_RULE_BREADTH_FIRST, ASCI_RULE_FILE };
/* The choices of the option "allocator": auto, and the solvers of buffers. */
extern const char asci_schedule_allocators[];
#define ASCI_SCHEDULE_ALLOCATORS asci_schedule_allocators
#define ASCI_SCHEDULE_OPTIONS(X, T) \
  X(T, CHOICE, rule, "Next operator", "least-growth", "least-growth|least-alive|depth-first|breadth-first|file", \
    "Of the ready operators the one that raises the peak least; that leaves the fewest bytes alive; that became ready " \
    "last; " \
    "first; the first in the file.") \
  X(T, CHOICE, allocator, "Addresses by", "auto", ASCI_SCHEDULE_ALLOCATORS, \
    "The solver that gives the buffers their addresses once the order stands: auto is large and, up to 2,000 buffers, " \
    "exact where that finds no plan; where none is found, greedy gives one above the capacity.") \
  X(T, INT, allocator_steps, "Steps for addresses", "100000", 0, INT64_C(1) << 40, \
    "Steps that the solver of addresses may take; 0: as many as it wants.")
ASCI_OPTION_VALUES(asci_schedule_options, ASCI_SCHEDULE_OPTIONS);

/* Lines of the pseudocode. */
enum { ASCI_SCHEDULE_LINE_READY = 2, ASCI_SCHEDULE_LINE_CHOOSE, ASCI_SCHEDULE_LINE_RUN, ASCI_SCHEDULE_LINE_ALLOCATE = 6 };

typedef struct asci_schedule {
  asc_context *context;
  const asc_lowering *lowering;
  const asc_graph *graph;
  asci_lowered sized;  /* the lowering's, with the sizes that the memory takes */
  int64_t *sizes;      /* those: per tensor, of its store */
  int64_t *workspaces; /* per operator */
  int64_t always;      /* bytes that growth does not count and that are alive all the time, streamed constants apart */
  int64_t at_first;    /* likewise, at time 0 alone */
  uint32_t rule;

  /* where it stands */
  uint32_t done;   /* operators that have run */
  uint32_t *order; /* them, in front; behind them, whenever the rest was asked for, the others in the given order */
  asci_growth growth;
  uint32_t *waits, *since; /* per operator: how many entries it waits for; operators that had run when it became ready */
  uint32_t *ready, ready_count;      /* increasing */
  uint32_t *begun, begun_count;      /* buffers in the order in which they begin */
  bool *has_begun;                   /* per buffer of the given order */
  int64_t live, peak;                /* bytes alive while the last operator ran; the most so far */
  const struct asci_schedule *ahead; /* whose order is followed; NULL: none is */

  /* stage two: addresses */
  bool allocated;
  asc_outcome outcome; /* of it */
  int64_t height;      /* -1: no plan */
  uint64_t steps;      /* of the solver of buffers */
  asci_stay_list stays;
  asc_problem *arena; /* the buffers that it is about, and */
  asc_run *inner;     /* its run, while that goes on */
  const char *asked;  /* with "auto" or after the first: who that is */

  /* what was last asked to be seen */
  asc_problem *situation;
  uint32_t shown; /* operators that had run in it */
  int64_t *offsets;
  size_t offset_room;
} asci_schedule;

/* ---- order.c: operators in turn ---- */

/* Before the first operator; what was there is forgotten. O(n + uses). Errors: OUT_OF_MEMORY, and all is as before. */
asc_status asci_schedule_begin(asci_schedule *s);
/* Bytes alive while a ready operator would run, and after it. */
int64_t asci_schedule_live(const asci_schedule *s, uint32_t op);
int64_t asci_schedule_after(const asci_schedule *s, uint32_t op);
/* The next operator by the rule: a ready one. O(ready). */
uint32_t asci_schedule_choose(const asci_schedule *s);
bool asci_schedule_is_ready(const asci_schedule *s, uint32_t op);
/* The ready operator runs. O(its uses + ready). */
void asci_schedule_run(asci_schedule *s, uint32_t op);
/* The whole order: what has run, then the rest as it was given. O(n). */
const uint32_t *asci_schedule_whole(asci_schedule *s);

/* ---- allocate.c: addresses ---- */

/* Whether the solver of buffers takes problems like the given one. Errors: UNSUPPORTED, BAD_OPTION (diag), OUT_OF_MEMORY. */
asc_status asci_schedule_check(asc_run *run, asc_diag *diag);
/* Gives the stays their addresses: RUNNING only if the run was cancelled meanwhile; to be called again then. */
asc_outcome asci_schedule_allocate(asc_run *run, asci_schedule *s);
/* The same from the records of one that has. False: no memory. */
bool asci_schedule_copy(asci_schedule *s, const asci_schedule *from);
/* The stays of the whole order, without addresses. Errors: OUT_OF_MEMORY. */
asc_status asci_schedule_stays(asci_schedule *s);
/* Writes order and stays to the run. False: no memory. */
bool asci_schedule_hand_in(asc_run *run, const asci_schedule *s);
void asci_schedule_drop_inner(asci_schedule *s);

#endif
