/* The shared driver: buffers come in a fixed order and each is placed for good by a rule that looks at the gaps between the
 * placed buffers alive together with it.
 *
 *        :       |  top: the lowest address above all of them
 *        |#######|
 *        |       |  a gap: from `edge` (the highest end so far) to the next buffer's offset
 *        |  ###  |
 *        |#######|
 *      0 +-------+
 *         lifespan of the buffer to place
 *
 * A step is one gap found too small, or the placement. Gaps of no bytes are no steps. */
#ifndef ASCI_GREEDY_PLACE_H
#define ASCI_GREEDY_PLACE_H

#include "solve/greedy/order.h"
#include "solve/solver.h"

typedef enum asci_greedy_fit {
  ASCI_FIT_FIRST,  /* the lowest gap that holds the buffer */
  ASCI_FIT_BEST,   /* the gap of least bytes that holds it, of equal ones the lowest */
  ASCI_FIT_LITERT, /* as BEST, but a gap counts its bytes from the aligned offset when it is tried, and from its edge once it
                      is the best so far: the arena's own rule */
  ASCI_FIT_ABOVE,  /* above all of them, whatever gaps there are */
} asci_greedy_fit;

typedef struct asci_greedy_rule {
  asci_greedy_order order;
  asci_greedy_fit fit;
  int64_t round_size;   /* >= 1: bytes in multiples of which sizes are reserved */
  int64_t round_top;    /* >= 1: what the ends of placed buffers are rounded up to */
  bool round_top_own;   /* ... or each to its own alignment */
  int64_t round_offset; /* >= 1: offsets are multiples of this and of the buffer's alignment */
  bool hints;           /* a hint that is free and below the capacity is taken */
  uint8_t line_fixed, line_no_fit, line_gap, line_top; /* of the pseudocode */
} asci_greedy_rule;

/* Errors: OUT_OF_MEMORY. */
asc_status asci_greedy_create(asc_run *run, const asci_greedy_rule *rule, void **state);
/* The members of asci_solver. Outcomes: FEASIBLE, OVER_CAPACITY; EXHAUSTED if a fixed offset meets another or if the next address
   would pass ASC_MAX_BYTES (alignments alone can bring that about); OUT_OF_MEMORY. */
void asci_greedy_destroy(asc_run *run, void *state);
asc_outcome asci_greedy_advance(asc_run *run, void *state);
void asci_greedy_view(asc_run *run, void *state, asc_run_view *view);
asc_status asci_greedy_keep(asc_run *run, void *state, asci_saver *saver);

/* Ends a run whose every buffer has an offset: writes the plan, marks the height. */
asc_outcome asci_greedy_finish(asc_run *run, const int64_t *offsets, unsigned line);

#endif
