#include "cases.h"

#include <inttypes.h>
#include <stdio.h>

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
  if (asci_random_below(rng, 2)) return shape;
  if (solver->supports & ASC_SUPPORTS_ALIGNMENT) shape.max_alignment = 4;
  if (solver->supports & ASC_SUPPORTS_FIXED) shape.fixed = 8;
  if (solver->supports & ASC_SUPPORTS_GAPS) shape.gap = 15;
  if (solver->supports & ASC_SUPPORTS_WINDOWS) shape.window = 40;
  if (solver->supports & ASC_SUPPORTS_BANKS) shape.bank = 15;
  return shape;
}

void test_each_case(uint32_t problems, uint64_t seed, void (*body)(test_case *each)) {
  asc_context *context = test_context();
  /* the cases of one solver are drawn one after the other: a share is of solvers */
  for (uint32_t s = test_part.index; s < test_solver_count(); s += test_part.count) {
    asci_rng rng = {seed};
    for (uint32_t k = 0; k < problems; k++) {
      test_case each = {.context = context, .solver = asc_solver_at(s), .rng = &rng};
      test_shape shape = shape_for(each.solver, &rng);
      asc_problem *problem = test_random_problem(context, &rng, &shape);
      int64_t capacity = asc_problem_lower_bound(problem) + (int64_t)asci_random_below(&rng, 4) - 1;
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
  test_context_end(context);
}

static asc_run_config config_of(test_case *each) {
  asc_run_config config = test_config(each->solver->id, each->config.capacity, &each->options);
  config.budget = each->config.budget;
  config.seed = each->config.seed;
  return config;
}

asc_run *test_case_run(test_case *each) {
  asc_run_config config = config_of(each);
  return test_run_new(each->problem, &config);
}

asc_timeline *test_case_timeline(test_case *each, size_t keyframe_bytes) {
  asc_timeline *timeline = NULL;
  asc_run_config config = config_of(each);
  assert_int_equal(asc_timeline_new(asc_input_buffers(each->problem), &config, keyframe_bytes, &timeline, NULL), ASC_OK);
  return timeline;
}
