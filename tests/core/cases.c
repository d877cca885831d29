#include "cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Problems get the constraints that the solver takes, in every second case; sizes and times are small so that searches meet
   many ties and walls. */
static test_shape shape_for(const asc_solver_info *solver, asci_rng *rng) {
  test_shape shape = {.min_buffers = 0,
                      .max_buffers = 26,
                      .max_time = 14,
                      .max_size = 12,
                      .max_alignment = 1,
                      .max_fixed = 24,
                      .zero = 4,
                      .hint = 20,
                      .tie = 30};
  if (asci_random_below(rng, 4)) shape.min_buffers = 14;
  if (solver->supports & ASC_SUPPORTS_SHAPES) shape.rects = (unsigned)asci_random_below(rng, 3) * 30;
  if (asci_random_below(rng, 2)) return shape;
  if (solver->supports & ASC_SUPPORTS_ALIGNMENT) shape.max_alignment = 4;
  if (solver->supports & ASC_SUPPORTS_FIXED) shape.fixed = 8;
  if (solver->supports & ASC_SUPPORTS_GAPS) shape.gap = 15;
  if (solver->supports & ASC_SUPPORTS_WINDOWS) shape.window = 40;
  if (solver->supports & ASC_SUPPORTS_BANKS) shape.bank = 15;
  return shape;
}

static asc_problem *in_pools(const test_case *each, const asc_problem *plain, const uint32_t *pools, const asc_pool far[2]) {
  asc_problem *problem;
  assert_int_equal(asc_problem_new(each->context, &problem), ASC_OK);
  for (uint32_t p = 0; p < 2; p++) assert_int_equal(asc_problem_add_pool(problem, &far[p], NULL, NULL), ASC_OK);
  for (uint32_t b = 0; b < asc_problem_count(plain); b++) {
    asc_buffer_spec spec = *asc_problem_buffer(plain, b);
    spec.pool = pools[b];
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  return problem;
}

static int64_t bound_of(const asc_problem *problem, uint32_t pool) {
  return asc_problem_lower_bound(asc_problem_part(problem, pool));
}

/* The same buffers in the main pool, in one of the run's capacity and in one of its own, capacities around the bounds. */
static asc_problem *spread(const test_case *each, asc_problem *plain, int64_t *capacity) {
  uint32_t pools[64] = {0};
  for (uint32_t b = 0; b < asc_problem_count(plain); b++) pools[b] = (uint32_t)asci_random_below(each->rng, 3);
  bool aligned = (each->solver->supports & ASC_SUPPORTS_ALIGNMENT) && !(test_needs(plain) & ASC_SUPPORTS_FIXED);
  asc_pool far[2] = {{"near", 0, 1, 0}, {"far", 0, aligned ? 2 : 1, 0}};
  asc_problem *problem = in_pools(each, plain, pools, far);
  int64_t most = bound_of(problem, 0) > bound_of(problem, 1) ? bound_of(problem, 0) : bound_of(problem, 1);
  *capacity = most + (int64_t)asci_random_below(each->rng, 4) - 1;
  far[1].capacity = bound_of(problem, 2) + (int64_t)asci_random_below(each->rng, 4);
  asc_problem_free(problem);
  problem = in_pools(each, plain, pools, far);
  asc_problem_free(plain);
  return problem;
}

void test_each_case_on(asc_context *context, uint32_t problems, uint64_t seed, void (*body)(test_case *each)) {
  /* the cases of one solver are drawn one after the other: a share is of solvers */
  for (uint32_t s = test_part.index; s < test_solver_count(); s += test_part.count) {
    asci_rng rng = {seed};
    for (uint32_t k = 0; k < problems; k++) {
      test_case each = {.context = context, .solver = asc_solver_at(s), .rng = &rng};
      test_shape shape = shape_for(each.solver, &rng);
      asc_problem *problem = test_random_problem(context, &rng, &shape);
      int64_t capacity = asc_problem_lower_bound(problem) + (int64_t)asci_random_below(&rng, 4) - 1;
      if (k % 4 == 3) problem = spread(&each, problem, &capacity);
      char name[64];
      snprintf(name, sizeof name, "%s, seed %" PRIu64 ", case %u", each.solver->id, seed, k);
      if (k % 2) test_random_options(each.solver, &rng, &each.options);
      each.name = name;
      each.problem = problem;
      each.config = test_config(each.solver->id, capacity < 0 ? 0 : capacity, NULL);
      each.config.budget = TEST_BUDGET;
      each.config.seed = k;
      body(&each);
      asc_problem_free(problem);
    }
  }
}

void test_each_case(uint32_t problems, uint64_t seed, void (*body)(test_case *each)) {
  asc_context *context = test_context();
  test_each_case_on(context, problems, seed, body);
  test_context_end(context);
}

asc_run_config test_case_config(test_case *each) {
  asc_run_config config = test_config(each->solver->id, each->config.capacity, &each->options);
  config.budget = each->config.budget;
  config.seed = each->config.seed;
  return config;
}

asc_run *test_case_run(test_case *each) {
  asc_run_config config = test_case_config(each);
  return test_run_new(each->problem, &config);
}

test_saved test_save(asc_run *run) {
  const uint8_t *bytes;
  test_saved copy;
  assert_int_equal(asc_run_save(run, &bytes, &copy.count), ASC_OK);
  assert_true(copy.count > 0);
  copy.bytes = malloc(copy.count);
  assert_non_null(copy.bytes);
  memcpy(copy.bytes, bytes, copy.count);
  return copy;
}

asc_timeline *test_case_timeline(test_case *each, size_t keyframe_bytes) {
  asc_timeline *timeline = NULL;
  asc_run_config config = test_case_config(each);
  assert_int_equal(asc_timeline_new(asc_input_buffers(each->problem), &config, keyframe_bytes, &timeline, NULL), ASC_OK);
  return timeline;
}
