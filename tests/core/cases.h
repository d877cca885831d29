/* A spread of searches for the suites of the engine: every solver, on problems within what it supports, with default and with random
 * options, at capacities around the lower bound; every fourth problem has pools. */
#ifndef TESTS_CASES_H
#define TESTS_CASES_H

#include "support.h"

typedef struct test_case {
  asc_context *context;
  const asc_problem *problem;
  const asc_solver_info *solver;
  test_options options;
  asc_run_config config; /* with a budget of TEST_BUDGET steps */
  asci_rng *rng;
  const char *name;
} test_case;

enum { TEST_BUDGET = 20000 };

/* Calls body for `problems` problems per solver. The context is checked to be empty at the end. */
void test_each_case(uint32_t problems, uint64_t seed, void (*body)(test_case *each));
/* The same on a context of the caller's, which looks whether it is empty. */
void test_each_case_on(asc_context *context, uint32_t problems, uint64_t seed, void (*body)(test_case *each));

/* What a run of the case has, its options among them; and such a run. */
asc_run_config test_case_config(test_case *each);
asc_run *test_case_run(test_case *each);
/* A copy of a run's save; bytes: to be freed. */
typedef struct test_saved {
  uint8_t *bytes;
  size_t count;
} test_saved;
test_saved test_save(asc_run *run);
/* A timeline of such a run, with that many bytes for its keyframes. */
asc_timeline *test_case_timeline(test_case *each, size_t keyframe_bytes);

#endif
