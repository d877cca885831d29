/* The fewest bytes that are alive beside what an operator names while it runs, whatever the order: a minimum cut. */
#ifndef ASCI_COSMA_LEAST_LIVE_H
#define ASCI_COSMA_LEAST_LIVE_H

#include "model.h"

typedef struct cosma_arc {
  uint32_t to, back; /* node; the arc the other way */
  int64_t room;
} cosma_arc;

/* Nodes: operators, then of each value a node behind its bytes and one before them. What can be reached is what has run. */
typedef struct cosma_live {
  const cosma_model *m;
  uint32_t nodes, arcs;
  uint32_t *begin;   /* per node: its arcs */
  cosma_arc *arc;    /* as they are before anything flows */
  int64_t *room;     /* per arc, of the operator under way */
  uint32_t *through; /* per node: the arc that it was reached by */
  uint32_t *queue;
  uint8_t *side;  /* per node */
  uint64_t spent; /* arcs looked at */
} cosma_live;

/* Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_live_new(const cosma_model *m, cosma_live *l);
void asci_cosma_live_free(cosma_live *l);
/* behind: per operator the operators that run before it in every order, m->op_words each. by_end: only what one of these reads, NULL: what any does. Less than that, which is a bound as well, if it takes too many
   augmenting paths, or all calls so far too many arcs. O(paths * (operators + uses)). */
int64_t asci_cosma_least_live(cosma_live *l, uint32_t op, const uint64_t *by_end, const uint64_t *behind);

#endif
