/* The state of a solver that replaces tensors as operators go by: an order, then moves. Both are logs that only grow, from which any step is shown. */
#ifndef ASCI_COSMA_REPLACEMENT_H
#define ASCI_COSMA_REPLACEMENT_H

#include "cosma.h"
#include "packing/replace.h"

#define ASCI_REPLACEMENT_OPTIONS(X, T) \
  X(T, CHOICE, schedule, "Schedule", "file", "file|least-peak", \
    "The order is the one given; it is one of least peak footprint (section III-E1).") \
  X(T, CHOICE, replacement, "Replacement", "belady", "belady|greedy", \
    "Where a tensor finds no room, those go that are read furthest ahead; the stretch of addresses is cleared that it " \
    "costs " \
    "least to.") \
  X(T, CHOICE, inputs, "Inputs", "outside", "outside|made", \
    "The model's inputs have a copy outside from the start, or have to be copied out like all else.") \
  X(T, CHOICE, outputs, "Outputs", "free", "free|counted", \
    "The copy of a model's output that is taken out anyway serves to fetch it again, or such a copy is counted like all " \
    "else.") \
  X(T, INT, beam, "Beam", "64", 1, 1 << 20, "States that a layer keeps in the search for a first order.") \
  X(T, INT, memory, "Memory", "1024", 1, 1 << 20, "MiB that the states of a search may take.")
ASCI_OPTION_VALUES(asci_replacement_options, ASCI_REPLACEMENT_OPTIONS);

enum {
  REPLACEMENT_LINE_ORDER = 1,
  REPLACEMENT_LINE_GOES = 4,
  REPLACEMENT_LINE_COMES,
  REPLACEMENT_LINE_RUNS,
  REPLACEMENT_LINE_END
};

typedef struct replacement {
  asc_context *context;
  const asc_lowering *lowering;
  int64_t capacity;
  cosma_model model;
  cosma_passes passes;
  cosma_entry *log; /* of the search for an order */
  size_t log_count, log_room;
  bool ordered; /* the search is over; replace is there */
  cosma_replace replace;
  asc_outcome outcome; /* once all is worked out */
  asci_stay_list stays;
  int64_t height; /* of the plan, or -1 */

  const struct replacement *ahead; /* whose logs are followed; NULL: none */
  uint64_t shown;                  /* steps told */

  asc_problem *situation;
  uint64_t situated;   /* shown when it was made */
  asci_stay_list seen; /* the stays in it */
  int64_t *offsets;
  size_t offset_room;
} replacement;

#endif
