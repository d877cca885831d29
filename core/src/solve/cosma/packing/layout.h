/* The dynamic program with addresses (README 6): states also say where everything lies, and whoever an operator's tensors lie over goes. What it comes to
 * is exact, for graphs and arenas so small that all layouts can be listed. */
#ifndef ASCI_COSMA_LAYOUT_H
#define ASCI_COSMA_LAYOUT_H

#include "../kernel/passes.h"
#include "../kernel/plan.h"

enum { COSMA_LAYOUT_VALUES = 32, COSMA_LAYOUT_UNITS = 128 };

typedef struct cosma_layout_state {
  uint64_t done, resident, clean;  /* operators; values; those of them with a copy outside */
  uint64_t bound;                  /* those without one that the last operator named, unless any may move */
  uint8_t at[COSMA_LAYOUT_VALUES]; /* of residents, in units; else 0 */
  int64_t cost;                    /* reloads of what is out included */
  uint32_t record;
} cosma_layout_state;

/* How a state came about: what was taken out, and what came where. */
typedef struct cosma_layout_record {
  uint32_t parent, op, evicted, places; /* the lists begin there, and go up to those of the next record */
} cosma_layout_record;

typedef struct cosma_layout_item {
  uint32_t value, item; /* value ASC_NONE: it comes and goes with the operator */
  int64_t size, step;   /* in units; offsets are multiples of step */
  int64_t at;           /* ASC_UNPLACED: not yet */
} cosma_layout_item;

typedef struct cosma_layout {
  const cosma_model *m;
  bool given_order;
  bool
      moves_any; /* a value without a copy outside that two operators in a row name may go and come back between them; else it may not (1) */
  int64_t unit, capacity, upper; /* capacity in units; only what costs less than upper is looked for */
  size_t most_states;

  cosma_layout_state *now, *next;
  size_t now_count, now_room, next_count, next_room, state;
  uint32_t op, depth;
  uint32_t *slots; /* open addressing over next */
  size_t slot_room;
  cosma_layout_record *records;
  uint32_t *evicted;
  cosma_place *places;
  size_t record_count, record_room, evicted_count, evicted_room, place_count, place_room;

  cosma_layout_item *items; /* of the transition under way */
  uint32_t item_count;
  uint64_t read_before; /* values that an operator read before this transition; set by gather, as the next */
  uint64_t read_later;  /* those that one reads after it */

  uint32_t found; /* record of the cheapest way through, or ASC_NONE */
  int64_t found_cost;
  uint64_t reached;
} cosma_layout;

typedef enum cosma_laying {
  COSMA_LAYING,
  COSMA_LAID_LAYER,
  COSMA_LAID,
  COSMA_LAYOUT_FULL,
  COSMA_LAYOUT_NO_MEMORY
} cosma_laying;

/* Whether the graph and the arena are small enough, and nothing lies over another or stays all the time. */
bool asci_cosma_layout_may(const cosma_model *m, int64_t capacity);
/* What plans are looked for: of less traffic than upper, INT64_MAX if no plan is known. */
typedef struct cosma_layout_pass {
  int64_t capacity, upper;
  bool given_order, moves_any;
} cosma_layout_pass;

/* Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_layout_new(const cosma_model *m, const cosma_layout_pass *pass, cosma_layout *l);
void asci_cosma_layout_free(cosma_layout *l);
/* One operator after one state. LAID: it is over, and no plan costs less than found_cost, or than upper if none was found. FULL: too many states. */
cosma_laying asci_cosma_layout_step(cosma_layout *l);
/* After LAID with something found: whether that moves a value that has no copy outside between two operators in a row. */
bool asci_cosma_layout_moves(const cosma_layout *l);
/* Likewise: the order and what is taken out, and the stays with their addresses. Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_layout_take(const cosma_layout *l, cosma_solution *solution, asci_stay_list *stays);

#endif
