/* What the parts of the solver share: a machine that goes through the passes, then looks for addresses, in steps; and what it wrote down of each.
 *
 * The log only grows, an entry for each step. It is what any step is shown from; all else of a step that is not the last is the given buffers. */
#ifndef ASCI_COSMA_H
#define ASCI_COSMA_H

#include "kernel/plan.h"
#include "packing/layout.h"
#include "packing/pack.h"
#include "packing/repair.h"
#include "solve/solver.h"

#define ASCI_COSMA_OPTIONS(X, T) \
  X(T, CHOICE, schedule, "Schedule", "joint", "joint|file|least-peak", \
    "The order is decided together with what is copied out; it is the one given; it is one of least peak (sections III-B, " \
    "III-E).") \
  X(T, CHOICE, inputs, "Inputs", "outside", "outside|made", \
    "The model's inputs have a copy outside from the start, or have to be copied out like all else.") \
  X(T, CHOICE, outputs, "Outputs", "free", "free|counted", \
    "The copy of a model's output that is taken out anyway serves to fetch it again, or such a copy is counted like all " \
    "else.") \
  X(T, CHOICE, relocation, "Relocation", "copied", "copied|any", \
    "Between two operators in a row that both need it, a tensor comes to lie elsewhere only if it has a copy outside " \
    "already, by (1), " \
    "unless nothing else fits; or any may, copied out and back.") \
  X(T, INT, cuts, "Operators between cuts", "40", 0, 1 << 20, \
    "A first search passes through sets of operators that have run, about so many apart, at which few bytes are alive; 0: " \
    "none.") \
  X(T, INT, whole, "Whole search", "2048", 0, 1 << 20, \
    "Operators up to which every order is searched. Graphs of more are searched through cuts alone: what is lost is the " \
    "proof, but for what every plan pays; 0: no limit.") \
  X(T, INT, beam, "Beam", "64", 1, 1 << 20, "States that a layer keeps in the search for a first order.") \
  X(T, INT, width, "Widest layer", "0", 0, 1 << 30, \
    "States that a layer keeps in the search for the best plan; more are left out, and nothing is proved then; 0: all.") \
  X(T, INT, memory, "Memory", "1024", 1, 1 << 20, "MiB that the states of a search may take.")
ASCI_OPTION_VALUES(asci_cosma_options, ASCI_COSMA_OPTIONS);

enum { COSMA_LINE_PASS = 1, COSMA_LINE_EXPAND = 3, COSMA_LINE_ADDRESSES = 6 };

typedef enum cosma_says {
  COSMA_SAYS_EXPAND, /* a piece of a layer */
  COSMA_SAYS_CUT,    /* the pass through cuts begins */
  COSMA_SAYS_PACK,   /* a packer came to its end */
  COSMA_SAYS_REPAIR, /* so did a try of a repair */
  COSMA_SAYS_GOES,   /* of the plan: a value is taken out, */
  COSMA_SAYS_COMES,  /* and fetched again */
  COSMA_SAYS_END,    /* addresses, or none */
} cosma_says;

/* Who looks for addresses. */
typedef enum cosma_packer { COSMA_NARROW, COSMA_WIDE, COSMA_SOLVER, COSMA_LAYOUTS, COSMA_RESORT } cosma_packer;

/* A step. */
typedef struct cosma_entry {
  cosma_says kind;
  uint32_t stage, layer;              /* of a pass; the packer; of a move its value and time; of cuts how many parts */
  uint64_t states, dominated, pruned; /* of a pass; steps of a packer; values that a repair takes out */
  uint32_t forced, forced_op;         /* states of the piece that went on with one operator alone, and the last of these */
  int64_t best;                       /* bytes of the best solution so far, -1; of a repair its own */
  int64_t bound;                      /* proven by now */
  uint32_t found;                     /* solutions so far, the last of which is the best */
  bool packed;                        /* there are addresses now */
} cosma_entry;

/* A best solution, and its plan if addresses were found at once. */
typedef struct cosma_found {
  cosma_solution solution;
  asci_stay_list stays; /* with addresses if packed */
  bool packed, swept;   /* swept: a narrow sweep was tried, or can do nothing */
} cosma_found;

typedef enum cosma_phase {
  COSMA_SEARCH,
  COSMA_SWEEP,
  COSMA_WIDE_SWEEP,
  COSMA_WIDEST_SWEEP,
  COSMA_INNER,
  COSMA_RETRY,
  COSMA_REPAIR,
  COSMA_LAYOUT,
  COSMA_OVER
} cosma_phase;

typedef struct cosma_machine {
  asc_context *context;
  const asc_lowering *lowering;
  int64_t capacity; /* of the addresses: in a search of least peak that */
  bool height, moves_any;
  uint32_t copied; /* what has a copy outside that is not counted */
  cosma_settings set;
  cosma_model model;
  cosma_passes passes;

  cosma_entry *log;
  size_t log_count, log_room;
  cosma_found *found;
  size_t found_count, found_room;
  uint64_t waited;                   /* transitions since the last was found */
  const struct cosma_machine *ahead; /* whose log is followed; NULL: none is */
  size_t shown;                      /* entries of it that have been */

  cosma_phase phase;
  asc_outcome outcome; /* once it is over */
  bool loaded;         /* at its end, without a log */
  int64_t bound;       /* proven */
  asci_stay_list stays;
  uint32_t *order;
  asc_problem *arena; /* the buffers of the stays */
  cosma_pack pack;
  asc_run *inner;
  bool resort;     /* inner is the last resort */
  uint32_t others; /* searches for another solution as good */
  uint64_t spent;  /* transitions of the last of them */
  cosma_repair repair;
  size_t source;           /* the found solution that it is of */
  uint32_t tries, repairs; /* of it; of all */
  uint64_t repair_steps;   /* of the sweeps of all tries */
  asci_stay_list repaired; /* with addresses; the best of the tries so far */
  size_t repaired_from;    /* the found solution that it was, unless it is laid */
  int64_t repaired_cost;   /* ASC_UNPLACED: there is none */
  cosma_layout layout;
  cosma_solution laid; /* the best of all layouts; without an order there is none */
  int64_t steps, plan_height;

  /* what was last asked to be seen */
  asc_problem *situation;
  uint64_t revision; /* of it */
  int64_t *offsets;
  size_t offset_room;
} cosma_machine;

/* tell.c: an entry of a search as a step, from that line of the pseudocode. */
void asci_cosma_tell(asc_run *run, const cosma_entry *entry, unsigned line);
/* Likewise: makes that the run's plan, without what is never there. False: no memory. */
bool asci_cosma_hand_in(asc_run *run, const uint32_t *order, const asci_stay_list *stays);
/* Likewise: whether the run's plan is this one. */
bool asci_cosma_is_plan(const asc_run *run, const uint32_t *order, const asci_stay_list *stays);

/* machine.c. Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_machine_new(const asc_run *run, cosma_machine *c);
void asci_cosma_machine_free(cosma_machine *c);
/* Works a while; true: there is one more entry in the log, the last one with the outcome set (not RUNNING). */
bool asci_cosma_machine_work(cosma_machine *c);
/* Addresses for the best solution: addresses.c. Work returns true: there is an entry more, or it is over. */
void asci_cosma_addresses_begin(cosma_machine *c);
bool asci_cosma_addresses_work(cosma_machine *c);
void asci_cosma_addresses_drop(cosma_machine *c);
/* Whether a sweep can pack it. */
bool asci_cosma_is_plain(const asc_problem *problem);
/* found.c: what all of them write down. Each returns true: there is an entry more, or it is over. */
bool asci_cosma_add_entry(cosma_machine *c, cosma_entry entry);
bool asci_cosma_end(cosma_machine *c, asc_outcome outcome);
bool asci_cosma_fail(cosma_machine *c, asc_status status);
/* Keeps a solution among those found, as the last. Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_keep(cosma_machine *c, const cosma_solution *solution);
void asci_cosma_solution_free(asc_context *context, cosma_solution *solution);

/* retry.c: looks for another solution that costs as much. NONE: this search came to none; GOES_ON: there is an entry more, or it is over. */
typedef enum cosma_retry { COSMA_RETRY_GOES_ON, COSMA_RETRY_FOUND, COSMA_RETRY_NONE } cosma_retry;
/* False: no more of them. */
bool asci_cosma_retry_begin(cosma_machine *c);
cosma_retry asci_cosma_retry_work(cosma_machine *c);

/* rescue.c: hands in the cheapest plan that can be made of what is known, if it is better than the run's. Errors: OUT_OF_MEMORY, and those of asci_incumbent. */
asc_status asci_cosma_rescue(asc_run *run, cosma_machine *c);

/* Whether the bound holds of every plan, not only of those that the options ask for. */
bool asci_cosma_bounds_all(const cosma_machine *c);

#endif
