/* The schemes that the paper compares with (section V-A2): operators in a given order; each tensor goes to the lowest gap that it fits, as in
 * TensorFlow Lite's linear arena; where none does, tensors are copied out by a rule that looks at this one alone. */
#ifndef ASCI_COSMA_REPLACE_H
#define ASCI_COSMA_REPLACE_H

#include "../kernel/plan.h"

typedef enum cosma_policy {
  COSMA_BELADY, /* whoever is read last of all, of those the largest, until there is room */
  COSMA_GREEDY, /* the stretch of addresses that it costs least to clear */
} cosma_policy;

typedef enum cosma_move_kind {
  COSMA_GOES,  /* a value is taken out */
  COSMA_COMES, /* a value is fetched again */
  COSMA_RUNS,  /* an operator; what it makes is in the arena, and what nobody reads any more is not */
} cosma_move_kind;

typedef struct cosma_move {
  cosma_move_kind kind;
  uint32_t which; /* value, or operator */
  uint32_t time;
  uint32_t places; /* entries of `places` from this move on */
} cosma_move;

typedef struct cosma_tenant {
  uint32_t value; /* ASC_NONE: none, but an item that comes with its operator, or that is always there */
  uint32_t item;
  int64_t offset, size;
  bool pinned; /* the operator names it, or it is always there */
} cosma_tenant;

typedef struct cosma_replace {
  const cosma_model *m;
  int64_t capacity;
  cosma_policy policy;
  cosma_solution solution; /* the order, and what is taken out when, of the operators that have run */
  uint32_t done;           /* those */
  uint32_t *at;            /* per operator: its time */
  bool *seen, *outside;    /* per value: it has been in the arena; it has a copy outside */
  cosma_tenant *residents;
  size_t resident_count, resident_room; /* by increasing offset */
  cosma_move *moves;
  size_t move_count, move_room;
  cosma_place *places;
  size_t place_count, place_room;
  size_t before; /* places of the operators before the one under way */
  int64_t cost;  /* bytes moved */
  uint32_t repacks;
} cosma_replace;

/* The order must stay. Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_replace_new(const cosma_model *m, const uint32_t *order, cosma_policy policy, int64_t capacity,
                                  cosma_replace *r);
void asci_cosma_replace_free(cosma_replace *r);

typedef enum cosma_replacing { COSMA_REPLACED, COSMA_STUCK, COSMA_REPLACE_NO_MEMORY } cosma_replacing;
/* The next operator runs: its moves are appended. STUCK: not even alone does it find places for what it names. O(residents^2). */
cosma_replacing asci_cosma_replace_step(cosma_replace *r);

/* The solution as far as the first `moves` moves go: nothing is taken out after them. begin: op_count + 1 entries; evicted: as many as all moves. */
void asci_cosma_replaced(const cosma_replace *r, size_t moves, uint32_t *begin, uint32_t *evicted);
/* Gives the stays in the arena the addresses that they have by the first `moves` moves. O(stays * (log n + places of a time)). */
void asci_cosma_replace_places(const cosma_replace *r, size_t moves, asci_stay_list *list);

#endif
