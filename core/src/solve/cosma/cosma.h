/* What the parts of the solver share: a machine that goes through the passes, then looks for addresses, in steps; and what it wrote down of each.
 *
 * The log only grows, an entry for each step. It is what any step is shown from; all else of a step that is not the last is the given buffers. */
#ifndef ASCI_COSMA_H
#define ASCI_COSMA_H

#include "kernel/pack.h"
#include "kernel/plan.h"
#include "kernel/repair.h"
#include "solve/solver.h"

#define ASCI_COSMA_OPTIONS(X, T) \
  X(T, CHOICE, schedule, "Schedule", "joint", "joint|file|least-peak", \
    "The order is decided together with what is copied out; it is the one given; it is one of least peak (sections III-B, " \
    "III-E).") \
  X(T, CHOICE, inputs, "Inputs", "outside", "outside|made", \
    "The model's inputs have a copy outside from the start, or have to be copied out like all else.") \
  X(T, INT, cuts, "Operators between cuts", "20", 0, 1 << 20, \
    "A first search passes through sets of operators that have run, about so many apart, at which few bytes are alive; 0: " \
    "none.") \
  X(T, INT, beam, "Beam", "64", 1, 1 << 20, "States that a layer keeps in the search for a first order.") \
  X(T, INT, width, "Widest layer", "0", 0, 1 << 30, \
    "States that a layer keeps in the search for the best plan; more are left out, and nothing is proved then; 0: all.") \
  X(T, INT, memory, "Memory", "1024", 1, 1 << 20, "MiB that the states of a search may take.")
ASCI_OPTION_VALUES(asci_cosma_options, ASCI_COSMA_OPTIONS);

enum { COSMA_LINE_PASS = 1, COSMA_LINE_EXPAND = 3, COSMA_LINE_ADDRESSES = 6 };

/* A step: a piece of a layer, or (the last one) the addresses. */
typedef struct cosma_entry {
  uint32_t stage, layer; /* of a pass; COSMA_STAGES: addresses */
  uint64_t states, dominated, pruned;
  int64_t best; /* bytes of the best solution so far, -1 */
} cosma_entry;

typedef enum cosma_phase { COSMA_SEARCH, COSMA_SWEEP, COSMA_WIDE_SWEEP, COSMA_INNER, COSMA_REPAIR, COSMA_OVER } cosma_phase;

typedef struct cosma_machine {
  asc_context *context;
  const asc_lowering *lowering;
  int64_t capacity; /* of the addresses: in a search of least peak that */
  bool height, inputs_outside;
  cosma_settings set;
  cosma_model model;
  cosma_passes passes;

  cosma_entry *log;
  size_t log_count, log_room;
  const struct cosma_machine *ahead; /* whose log is followed; NULL: none is */
  size_t shown;                      /* entries of it that have been */

  cosma_phase phase;
  asc_outcome outcome; /* once it is over */
  int64_t bound;       /* proven */
  asci_stay_list stays;
  uint32_t *order;
  asc_problem *arena; /* the buffers of the stays */
  cosma_pack pack;
  asc_run *inner;
  bool resort; /* inner is the last resort */
  cosma_repair repair;
  uint32_t repairs; /* tries of it */
  int64_t steps, plan_height;

  /* what was last asked to be seen */
  asc_problem *situation;
  bool situated; /* situation is of the plan */
  int64_t *offsets;
  size_t offset_room;
} cosma_machine;

/* tell.c: an entry of a search as a step, from that line of the pseudocode. */
void asci_cosma_tell(asc_run *run, const cosma_entry *entry, unsigned line);
/* Likewise: whether the run's plan is this one. */
bool asci_cosma_is_plan(const asc_run *run, const uint32_t *order, const asci_stay_list *stays);

/* machine.c. Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_machine_new(const asc_run *run, cosma_machine *c);
void asci_cosma_machine_free(cosma_machine *c);
/* Works a while; true: there is one more entry in the log, the last one with the outcome set (not RUNNING). */
bool asci_cosma_machine_work(cosma_machine *c);
/* Whether the bound holds of every plan, not only of those that the options ask for. */
bool asci_cosma_bounds_all(const cosma_machine *c);

#endif
