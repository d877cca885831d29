/* Small graphs in which operator i makes tensor i, and the least traffic and peak of them by trying everything. */
#ifndef TESTS_COSMA_GRAPHS_H
#define TESTS_COSMA_GRAPHS_H

#include "support.h"

enum { COSMA_OPS = 16, COSMA_MOST_OPS = 24 }; /* of those drawn; of those by hand */

typedef struct cosma_graph {
  uint32_t ops;
  int64_t size[COSMA_MOST_OPS];
  uint32_t reads[COSMA_MOST_OPS]; /* bit i: it reads tensor i */
  uint32_t outputs;               /* bit i: tensor i is an output of the model */
} cosma_graph;

/* A row of the hand-checked cases: sizes by spaces, what each operator reads by commas and spaces ("- 0 0,1"). */
cosma_graph test_cosma_graph(const char *sizes, const char *reads);
cosma_graph test_cosma_random(asci_rng *rng, uint32_t most_ops, int64_t most_size);
/* As text: chains side by side, each of three: so many orders that a better solution is long in coming. */
void test_cosma_chains(char *text, size_t room, uint32_t count);
asc_graph *test_cosma_freeze(asc_context *context, const cosma_graph *g);
asc_lowering *test_cosma_lower(const asc_graph *graph);
void test_cosma_print(const cosma_graph *g);

/* By definition: M_R; M_P; the least traffic at a capacity with no regard to addresses, in any order or (fixed) in the given one, INT64_MAX below
   M_R. Tries all orders and all sets to take out. */
int64_t test_cosma_required(const cosma_graph *g);
int64_t test_cosma_peak(const cosma_graph *g);
int64_t test_cosma_traffic(const cosma_graph *g, int64_t capacity, bool fixed);

#endif
