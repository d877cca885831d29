#include "awkward.h"

#include <stdlib.h>

static asc_buffer_spec all_at_once(uint32_t k, uint32_t n) {
  (void)n;
  return test_spec(0, 10, 1 + k % 7);
}

static asc_buffer_spec staircase(uint32_t k, uint32_t n) {
  (void)n;
  return test_spec(k, k + 50, 10);
}

static asc_buffer_spec long_of_each_size(uint32_t k, uint32_t n) {
  return k < 12 ? test_spec(0, n, (int64_t)1 << k) : test_spec(k, k + 1 + k % 5, (int64_t)1 << k % 12);
}

/* Lives of one length however many there are: as many of them are alive at once. */
static asc_buffer_spec equal_sizes(uint32_t k, uint32_t n) {
  int64_t lower = (int64_t)k * 7919 % n;
  return test_spec(lower, lower + 1 + (int64_t)k * 31 % 2000, 64);
}

static asc_buffer_spec far_apart(uint32_t k, uint32_t n) {
  (void)n;
  return k == 0 ? test_spec(0, 1, INT64_C(1) << 52) : test_spec(k / 3, 3 + k / 3, 1);
}

const awkward_shape awkward_shapes[AWKWARD_SHAPES] = {{"all at once", all_at_once},
                                                      {"staircase", staircase},
                                                      {"long ones", long_of_each_size},
                                                      {"equal sizes", equal_sizes},
                                                      {"far apart", far_apart}};

asc_problem *awkward_problem(asc_context *context, const awkward_shape *shape, uint32_t n) {
  asc_buffer_spec *specs = malloc(n * sizeof *specs);
  assert_non_null(specs);
  for (uint32_t k = 0; k < n; k++) specs[k] = shape->make(k, n);
  asc_problem *problem = test_problem(context, specs, n);
  free(specs);
  return problem;
}
