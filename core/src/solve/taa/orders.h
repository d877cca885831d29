/* Tensors one by one, each at the lowest address at which none of its tiles meets a tile of another one: in an order, or in all of them, one
 * after the other. What both tile-aware solvers begin with; a step of it is one of the run. */
#ifndef ASCI_TAA_ORDERS_H
#define ASCI_TAA_ORDERS_H

#include "model/bank.h"
#include "model/lifespan/neighbours.h"
#include "solve/solver.h"
#include "solve/taa/tables.h"

/* The options of who places by it, which the solver lists first. */
#define ASCI_TAA_ORDER_OPTIONS(X, T) \
  X(T, CHOICE, order, "Order", "best", "best|size|lifetime|peers|reverse|forward", \
    "Which tensor comes next: the largest, the one that lives longest, that meets most others, that begins last or first; " \
    "best tries all.") \
  X(T, BOOL, as_printed, "As printed", "false", \
    "Take CollisionSize as the paper prints it: valid plans that go up further than need be.")

/* The lines of its pseudocode, with which that of the solver begins. */
#define ASCI_TAA_ORDER_LINES \
  "for T by size | lifetime | peers | …:\n" \
  "  x = 0\n" \
  "  for tile of T, placed peer alive with it:\n" \
  "    if chunks collide at x:\n" \
  "      x = past that pair; look again\n" \
  "  place T at x\n" \
  "keep the lowest plan\n"
enum {
  ASCI_TAA_LINE_ORDER = 1,
  ASCI_TAA_LINE_COLLIDE = 4,
  ASCI_TAA_LINE_SHIFT,
  ASCI_TAA_LINE_PLACE,
  ASCI_TAA_LINE_DONE,
  ASCI_TAA_LINES = ASCI_TAA_LINE_DONE
};

/* Two tiles that live at one time: of the tensor to place, and of one that is. */
typedef struct asci_taa_tile_pair {
  uint32_t mine, other, buffer;
} asci_taa_tile_pair;

typedef struct asci_taa_orders {
  const asci_taa_tiles *tiles;
  const asci_taa_tables *tables; /* NULL: chunks are walked, as in the paper */
  uint32_t only;                 /* the one order, or ASCI_TAA_ORDERS: every one in turn */
  bool printed;
  uint32_t round; /* orders done */
  uint32_t best;  /* the order that gave the best plan; ASC_NONE: none did */
  asci_neighbours neighbours;
  uint32_t *order, *turn; /* buffers; by buffer */
  int64_t *offsets;
  uint32_t placed;

  /* The tensor order[placed]. */
  int64_t at;       /* ASC_UNPLACED: nothing was looked at yet */
  uint32_t support; /* whom it was moved past last */
  bool collected;
  asci_taa_tile_pair *pairs;
  size_t pair_count, pair_room;
  uint32_t *peers;
  int64_t *turns, *scratch;
} asci_taa_orders;

/* Into a cleared struct. choice: the value of the option `order`. tables: to look collisions up in, unless they are to be as printed. O(n log n).
   Errors: OUT_OF_MEMORY (to be freed all the same). */
asc_status asci_taa_orders_new(asc_run *run, uint32_t choice, bool printed, const asci_taa_tiles *tiles,
                               const asci_taa_tables *tables, asci_taa_orders *orders);
void asci_taa_orders_free(asc_run *run, asci_taa_orders *orders);
/* Takes steps while asci_more(run). Returns RUNNING, or the outcome as far as orders can tell: where that proves nothing, a solver that makes proofs can
   go on. */
asc_outcome asci_taa_orders_advance(asc_run *run, asci_taa_orders *orders);
asc_status asci_taa_orders_keep(asc_run *run, asci_taa_orders *orders, asci_saver *saver);

/* The least offset from `from` on that suits the buffer, or beyond every address. */
static inline int64_t asci_taa_suited(const asc_problem *problem, uint32_t buffer, int64_t from) {
  const asc_buffer_spec *spec = &problem->buffers[buffer];
  int64_t next = from > ASC_MAX_BYTES ? ASCI_BEYOND : asci_next_offset(from, spec->size, spec->alignment, spec->bank);
  return next > ASC_MAX_BYTES ? ASCI_BEYOND : next;
}

#endif
