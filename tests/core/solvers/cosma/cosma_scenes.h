/* What the solvers of the family of COSMA are tested with: plans played byte by byte, random graphs of every kind, and what every solver promises. */
#ifndef TESTS_COSMA_SCENES_H
#define TESTS_COSMA_SCENES_H

#include "../../graph/naive_lower.h"
#include "cosma_graphs.h"

/* A solver and its options. */
typedef struct cosma_setup {
  const char *solver;
  asc_option_value options[4];
  uint32_t option_count;
} cosma_setup;

/* What the solver is about: a graph, or a selection of its items. */
asc_input test_cosma_input(const cosma_setup *setup, const asc_lowering *lowering);
asc_run_config test_cosma_config(const cosma_setup *setup, asc_goal goal, int64_t capacity);
asc_run *test_cosma_run(const cosma_setup *setup, const asc_lowering *lowering, asc_goal goal, int64_t capacity);

/* The plan's traffic, its tensors as tags in the bytes of an arena. Of a graph in which operator i makes tensor i. */
int64_t test_cosma_play(const cosma_graph *g, const asc_plan *plan, int64_t capacity);

typedef struct cosma_scene {
  asc_context *context;
  naive_model model;
  naive_options options;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_goal goal;
  int64_t capacity;
  cosma_setup setup;
} cosma_scene;

/* setup: draws the solver's options; it may leave the goal as it is drawn. */
typedef void (*cosma_draw)(cosma_scene *s, asci_rng *rng);
void test_cosma_open(cosma_scene *s, uint32_t seed, cosma_draw draw);
/* Gives it a memory with an alignment, of offsets or of sizes or both, and if it may have any, banks that hold every
   tensor. */
void test_cosma_draw_memory(cosma_scene *s, bool banked, asci_rng *rng);
void test_cosma_open_on(asc_context *context, cosma_scene *s, uint32_t seed, cosma_draw draw);
void test_cosma_close(cosma_scene *s);
asc_run *test_cosma_run_of(const cosma_scene *s);
bool test_cosma_keeps(const cosma_scene *s);

void test_cosma_saved_and_loaded(uint32_t cases, cosma_draw draw);
void test_cosma_numbered(uint32_t cases, cosma_draw draw);
void test_cosma_sought(uint32_t cases, cosma_draw draw);
/* A byte of a save changed or cut off: refused, or a state of this problem from which the run still ends. */
void test_cosma_damaged(uint32_t cases, cosma_draw draw);

#endif
