/* What the suites of the greedy family share: a run from literals, checked from all sides, and its plan. */
#ifndef TESTS_GREEDY_PLAN_H
#define TESTS_GREEDY_PLAN_H

#include "support.h"

enum { PLAN_BUFFERS = 16 };

typedef struct plan {
  asc_outcome outcome;
  int64_t height;
  uint64_t steps, digest;
  uint32_t placed, no_fits, rejects, advances, new_slots; /* events of the kind */
  uint32_t order[PLAN_BUFFERS];                           /* buffers as they were placed */
  int64_t supports[PLAN_BUFFERS];                         /* by buffer */
  int64_t offsets[PLAN_BUFFERS];
} plan;

/* Runs a solver on at most PLAN_BUFFERS buffers with options written "a=b c=d". On the way it saves and loads after every step, with
   and without a log, and demands the same digest and plan; the end must be sound and every step must have its event. */
plan plan_of(const char *solver, const char *options, int64_t capacity, const asc_buffer_spec *specs, uint32_t count);

/* Fails unless the plan has these offsets. */
void plan_has(const plan *made, const int64_t *offsets, uint32_t count, const char *what);
void plan_has_order(const plan *made, const uint32_t *order, uint32_t count, const char *what);

#define EXPECT_OFFSETS(made, ...) \
  do { \
    const int64_t expected_[] = {__VA_ARGS__}; \
    plan_has(&(made), expected_, COUNT(expected_), __func__); \
  } while (0)
#define EXPECT_ORDER(made, ...) \
  do { \
    const uint32_t expected_[] = {__VA_ARGS__}; \
    plan_has_order(&(made), expected_, COUNT(expected_), __func__); \
  } while (0)

#endif
