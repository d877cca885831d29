/* The validator: each kind of violation by hand, then all of them against memory filled byte by byte. */
#include "brute.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static asc_violation all[65536];

static size_t validate(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  size_t count = 0;
  assert_int_equal(asc_validate(problem, offsets, capacity, all, COUNT(all), &count), ASC_OK);
  assert_true(count <= COUNT(all));
  return count;
}

static void expect_none(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  assert_int_equal(validate(problem, offsets, capacity), 0);
}

static void expect_one(const asc_problem *problem, const int64_t *offsets, int64_t capacity, asc_violation_kind kind,
                       uint32_t buffer, uint32_t other) {
  assert_int_equal(validate(problem, offsets, capacity), 1);
  assert_int_equal(all[0].kind, kind);
  assert_int_equal(all[0].buffer, buffer);
  assert_int_equal(all[0].other, other);
}

/*  12 +---+-----+
 *     | 0 |  1  |              the five buffers of the MiniMalloc paper
 *   8 +---+-----+-----------+
 *     |    2    |     3     |
 *   4 +---------+-----------+
 *     |          4          |
 *   0 +---------------------+
 */
static void test_five_buffers(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 3, 4), test_spec(3, 9, 4), test_spec(0, 9, 4), test_spec(9, 21, 4),
                                   test_spec(0, 21, 4)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  expect_none(problem, (int64_t[]){8, 8, 4, 4, 0}, 12);
  expect_none(problem, (int64_t[]){8, 8, 4, 8, 0}, 12);
  expect_one(problem, (int64_t[]){8, 8, 4, 3, 0}, 12, ASC_VIOLATION_OVERLAP, 3, 4);
  expect_one(problem, (int64_t[]){8, 9, 4, 4, 0}, 12, ASC_VIOLATION_OUTSIDE, 1, ASC_NONE);
  expect_one(problem, (int64_t[]){ASC_UNPLACED, 8, 4, 4, 0}, 12, ASC_VIOLATION_OUTSIDE, 0, ASC_NONE);
  assert_int_equal(validate(problem, (int64_t[]){8, 8, 4, 4, 0}, 11), 2);
  assert_int_equal(validate(problem, (int64_t[]){8, 8, 4, 4, 0}, -1), 5);
  assert_int_equal(validate(problem, (int64_t[]){0, 0, 0, 0, 0}, 12), 6); /* 0-2 0-4 1-2 1-4 2-4 3-4 */
  assert_int_equal(asc_height(problem, (int64_t[]){8, 8, 4, 4, 0}), 12);
  assert_int_equal(asc_height(problem, (int64_t[]){8, 20, 4, 4, ASC_UNPLACED}), 24);
  asc_problem_free(problem);
  test_context_end(context);
}

static void test_alignment_and_fixed(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 3, 4), test_spec(5, 9, 4)};
  specs[0].alignment = 8;
  specs[1].offset = 12;
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  expect_none(problem, (int64_t[]){16, 12}, 20);
  expect_one(problem, (int64_t[]){12, 12}, 20, ASC_VIOLATION_MISALIGNED, 0, ASC_NONE);
  expect_one(problem, (int64_t[]){16, 16}, 20, ASC_VIOLATION_MOVED, 1, ASC_NONE);
  expect_one(problem, (int64_t[]){16, ASC_UNPLACED}, 20, ASC_VIOLATION_OUTSIDE, 1, ASC_NONE);
  assert_int_equal(validate(problem, (int64_t[]){-4, 13}, 16), 4); /* outside and misaligned, outside and moved */
  assert_string_equal(asc_violation_name(all[0].kind), "outside");
  assert_string_equal(asc_violation_name(all[1].kind), "misaligned");
  assert_string_equal(asc_violation_name(all[3].kind), "moved");
  assert_string_equal(asc_violation_name(ASC_VIOLATION_OVERLAP), "overlap");
  asc_problem_free(problem);
  test_context_end(context);
}

/* Buffer 0 lives [0, 10), rests in [2, 4) and keeps its bytes [4, 6) only in [6, 8). */
static void test_gaps_and_windows(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_gap gaps[] = {{2, 4, 0, 0}, {6, 8, 4, 6}};
  asc_buffer_spec specs[] = {test_spec(0, 10, 8), test_spec(2, 4, 8), test_spec(6, 8, 4), test_spec(6, 8, 2),
                             test_spec(3, 7, 0)};
  specs[0].gaps = gaps;
  specs[0].gap_count = 2;
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  expect_none(problem, (int64_t[]){0, 0, 0, 6, 3}, 8);
  expect_one(problem, (int64_t[]){0, 0, 0, 5, 3}, 8, ASC_VIOLATION_OVERLAP, 0, 3);
  expect_one(problem, (int64_t[]){0, 0, 1, 6, 3}, 8, ASC_VIOLATION_OVERLAP, 0, 2);
  asc_problem_free(problem);
  specs[1].upper = 5; /* one step longer than the gap */
  problem = test_problem(context, specs, COUNT(specs));
  expect_one(problem, (int64_t[]){0, 0, 0, 6, 3}, 8, ASC_VIOLATION_OVERLAP, 0, 1);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Banks of 8: boundaries at 8 and 16. */
static void test_banks(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 3, 4), test_spec(3, 6, 8), test_spec(6, 9, 0)};
  for (uint32_t b = 0; b < COUNT(specs); b++) specs[b].bank = 8;
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  expect_none(problem, (int64_t[]){0, 0, 5}, 24);
  expect_none(problem, (int64_t[]){4, 8, 8}, 24);
  expect_none(problem, (int64_t[]){8, 16, 0}, 24);
  expect_one(problem, (int64_t[]){5, 8, 8}, 24, ASC_VIOLATION_CROSSING, 0, ASC_NONE);
  expect_one(problem, (int64_t[]){7, 8, 8}, 24, ASC_VIOLATION_CROSSING, 0, ASC_NONE);
  expect_one(problem, (int64_t[]){4, 1, 8}, 24, ASC_VIOLATION_CROSSING, 1, ASC_NONE);
  expect_one(problem, (int64_t[]){-8, 0, 0}, 24, ASC_VIOLATION_OUTSIDE, 0,
             ASC_NONE);                                              /* at the beginning of a bank below 0 */
  assert_int_equal(validate(problem, (int64_t[]){-2, 0, 0}, 24), 2); /* outside and crossing */
  assert_string_equal(asc_violation_name(all[1].kind), "crossing");
  expect_one(problem, (int64_t[]){INT64_MAX, 0, 0}, 24, ASC_VIOLATION_OUTSIDE, 0, ASC_NONE);
  asc_problem_free(problem);
  specs[0].offset = 4;
  problem = test_problem(context, specs, COUNT(specs));
  assert_int_equal(validate(problem, (int64_t[]){6, 0, 0}, 24), 2); /* moved and crossing */
  asc_problem_free(problem);
  test_context_end(context);
}

static void test_extremes(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(-ASC_MAX_BYTES, ASC_MAX_BYTES, ASC_MAX_BYTES), test_spec(0, 1, 0)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  expect_none(problem, (int64_t[]){0, ASC_MAX_BYTES}, ASC_MAX_BYTES);
  expect_one(problem, (int64_t[]){INT64_MAX, 0}, ASC_MAX_BYTES, ASC_VIOLATION_OUTSIDE, 0, ASC_NONE);
  expect_one(problem, (int64_t[]){INT64_MIN, 0}, INT64_MAX, ASC_VIOLATION_OUTSIDE, 0, ASC_NONE);
  size_t count = 7;
  assert_int_equal(asc_validate(problem, NULL, 1, NULL, 0, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_validate(problem, (int64_t[]){1, 1}, 1, NULL, 1, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(count, 7);
  assert_int_equal(asc_validate(problem, (int64_t[]){1, 2}, 1, NULL, 0, &count), ASC_OK);
  assert_int_equal(count, 2);
  asc_problem_free(problem);
  problem = test_problem(context, NULL, 0);
  assert_int_equal(asc_validate(problem, NULL, 0, NULL, 0, &count), ASC_OK);
  assert_int_equal(count, 0);
  assert_int_equal(asc_height(problem, NULL), 0);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- byte by byte ---------------------------------------------------------------------------------------------------- */

static bool holds(const asc_buffer_spec *spec, int64_t offset, int64_t time, int64_t byte) {
  if (time < spec->lower || time >= spec->upper) return false;
  int64_t low = offset, high = offset + spec->size;
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    if (time < spec->gaps[g].lower || time >= spec->gaps[g].upper) continue;
    low = offset + spec->gaps[g].window_lower;
    high = offset + spec->gaps[g].window_upper;
  }
  return byte >= low && byte < high;
}

static bool share_a_byte(const asc_buffer_spec *a, int64_t at_a, const asc_buffer_spec *b, int64_t at_b) {
  for (int64_t time = a->lower; time < a->upper; time++)
    for (int64_t byte = at_a; byte < at_a + a->size; byte++)
      if (holds(a, at_a, time, byte) && holds(b, at_b, time, byte)) return true;
  return false;
}

/* Banks are numbered from 0 up and from -1 down; does the buffer have bytes in two of them? */
static bool in_two_banks(const asc_buffer_spec *spec, int64_t offset) {
  int64_t first = 0;
  for (int64_t byte = offset; spec->bank && byte < offset + spec->size; byte++) {
    int64_t bank = byte < 0 ? -1 - (-1 - byte) / spec->bank : byte / spec->bank;
    if (byte == offset) first = bank;
    if (bank != first) return true;
  }
  return false;
}

static bool reported(size_t count, asc_violation_kind kind, uint32_t buffer, uint32_t other) {
  size_t times = 0;
  for (size_t k = 0; k < count; k++) times += all[k].kind == kind && all[k].buffer == buffer && all[k].other == other;
  assert_true(times <= 1);
  return times == 1;
}

static void check_every_byte(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  size_t count = validate(problem, offsets, capacity), expected = 0;
  for (uint32_t a = 0; a < asc_problem_count(problem); a++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, a);
    bool outside = offsets[a] < 0 || offsets[a] + spec->size > capacity;
    bool placed = offsets[a] != ASC_UNPLACED;
    bool misaligned = placed && offsets[a] % spec->alignment != 0;
    bool moved = placed && spec->offset != ASC_UNPLACED && spec->offset != offsets[a];
    assert_int_equal(reported(count, ASC_VIOLATION_OUTSIDE, a, ASC_NONE), outside);
    assert_int_equal(reported(count, ASC_VIOLATION_MISALIGNED, a, ASC_NONE), misaligned);
    assert_int_equal(reported(count, ASC_VIOLATION_MOVED, a, ASC_NONE), moved);
    bool crossing = placed && in_two_banks(spec, offsets[a]);
    assert_int_equal(reported(count, ASC_VIOLATION_CROSSING, a, ASC_NONE), crossing);
    expected += (size_t)outside + misaligned + moved + crossing;
    for (uint32_t b = a + 1; b < asc_problem_count(problem); b++) {
      bool both = placed && offsets[b] != ASC_UNPLACED;
      bool overlap = both && share_a_byte(spec, offsets[a], asc_problem_buffer(problem, b), offsets[b]);
      assert_int_equal(reported(count, ASC_VIOLATION_OVERLAP, a, b), overlap);
      expected += overlap;
    }
  }
  assert_int_equal(count, expected);
}

static void test_byte_by_byte(void **state) {
  (void)state;
  asci_rng rng = {3};
  const test_shape shape = {.min_buffers = 1,
                            .max_buffers = 8,
                            .min_time = -6,
                            .max_time = 9,
                            .max_size = 9,
                            .max_alignment = 4,
                            .max_fixed = 20,
                            .zero = 10,
                            .fixed = 20,
                            .gap = 50,
                            .window = 50,
                            .tie = 40,
                            .bank = 40};
  for (uint32_t k = 0; k < test_cases(3000); k++) {
    asc_context *context = test_context();
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    int64_t offsets[8];
    for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
      const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
      offsets[b] = asci_random_between(&rng, -3, 30);
      if (spec->offset != ASC_UNPLACED && asci_random_below(&rng, 2)) offsets[b] = spec->offset;
    }
    check_every_byte(problem, offsets, asci_random_between(&rng, 0, 40));
    asc_problem_free(problem);
    test_context_end(context);
  }
}

/* Plans of some sixty buffers in which some overlap: more alive at once than a few nodes of a tree hold. */
static void test_pairs_among_many(void **state) {
  (void)state;
  asci_rng rng = {31};
  const test_shape shape = {.min_buffers = 40,
                            .max_buffers = 80,
                            .min_time = -20,
                            .max_time = 40,
                            .max_size = 9,
                            .max_alignment = 1,
                            .zero = 8,
                            .gap = 20,
                            .window = 50,
                            .tie = 20};
  uint32_t few = 0;
  for (uint32_t k = 0; k < test_cases(200); k++) {
    asc_context *context = test_context();
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    int64_t offsets[80], spread = asci_random_between(&rng, 20, 4000);
    for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
      offsets[b] = asci_random_between(&rng, 0, spread);
      if (asci_random_below(&rng, 20) == 0) offsets[b] = ASC_UNPLACED;
    }
    check_every_byte(problem, offsets, INT64_MAX);
    few += validate(problem, offsets, INT64_MAX) < 20;
    asc_problem_free(problem);
    test_context_end(context);
  }
  assert_true(few > test_cases(200) / 10);
}

/* One of many that are all alive at once lies on another: to look at all pairs would take minutes. */
static void test_one_pair_of_billions(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t n = test_is_sanitized() ? 1u << 12 : 1u << 18;
  asc_buffer_spec *specs = malloc(n * sizeof *specs);
  int64_t *offsets = malloc(n * sizeof *offsets);
  assert_true(specs && offsets);
  for (uint32_t b = 0; b < n; b++) {
    specs[b] = test_spec(b % 3, 10 + b % 5, 4);
    offsets[b] = 4 * (int64_t)b;
  }
  asc_problem *problem = test_problem(context, specs, n);
  expect_none(problem, offsets, INT64_MAX);
  offsets[n / 3] += 1;
  expect_one(problem, offsets, INT64_MAX, ASC_VIOLATION_OVERLAP, n / 3, n / 3 + 1);
  asc_problem_free(problem);
  free(specs);
  free(offsets);
  test_context_end(context);
}

/* ---- the oracle ------------------------------------------------------------------------------------------------------ */

static void test_oracle_knows_banks(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 2, 3), test_spec(1, 4, 3), test_spec(1, 2, 2)};
  for (uint32_t b = 0; b < COUNT(specs); b++) specs[b].bank = 4;
  asc_problem *problem = test_problem(context, specs, 3);
  assert_int_equal(brute_least_height(problem, 12), 10); /* no two share a bank; the load is 8 */
  assert_true(brute_valid(problem, (int64_t[]){1, 4, 8}, 10));
  assert_false(brute_valid(problem, (int64_t[]){0, 5, 3}, 10));
  asc_problem_free(problem);
  specs[2].bank = 0;
  problem = test_problem(context, specs, 3);
  assert_int_equal(brute_least_height(problem, 12), 8); /* the third may lie across the boundary */
  asc_problem_free(problem);
  specs[0].bank = 3;
  specs[0].alignment = 2;
  specs[1].offset = 0;
  problem = test_problem(context, specs, 3);
  assert_int_equal(brute_least_height(problem, 12), 9); /* 0 and 6 alone suit the first */
  asc_problem_free(problem);
  test_context_end(context);
}

/* Plans that are right, wrong and nearly right, of problems with everything in them. */
static void test_agrees_with_the_oracle(void **state) {
  (void)state;
  asci_rng rng = {17};
  uint32_t cases = test_cases(30000), valid = 0, crossing_only = 0;
  const test_shape shape = {.min_buffers = 1,
                            .max_buffers = 4,
                            .max_time = 8,
                            .max_size = 6,
                            .max_alignment = 3,
                            .max_fixed = 10,
                            .zero = 8,
                            .fixed = 20,
                            .gap = 30,
                            .window = 50,
                            .tie = 30,
                            .bank = 50};
  asc_context *context = test_context();
  for (uint32_t k = 0; k < cases; k++) {
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    int64_t offsets[4], capacity = asci_random_between(&rng, 6, 24);
    for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
      const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
      offsets[b] = asci_random_between(&rng, 0, 16);
      if (asci_random_below(&rng, 8)) offsets[b] -= offsets[b] % spec->alignment;
      if (spec->offset != ASC_UNPLACED && asci_random_below(&rng, 8)) offsets[b] = spec->offset;
    }
    size_t count = validate(problem, offsets, capacity), crossings = 0;
    for (size_t v = 0; v < count; v++) crossings += all[v].kind == ASC_VIOLATION_CROSSING;
    if (brute_valid(problem, offsets, capacity) != (count == 0)) {
      test_print_problem(problem, capacity);
      fail_msg("case %u: %zu violations, the oracle disagrees", k, count);
    }
    valid += count == 0;
    crossing_only += count && crossings == count;
    asc_problem_free(problem);
  }
  CHECK(valid > cases / 20 && crossing_only > cases / 50, "%u valid, %u only cross", valid, crossing_only);
  test_context_end(context);
}

/* Shapes that all meet: their pairs are many, each is told once. And a buffer that may lie in any pool has no address. */
static void test_many_shapes_and_any_pool(void **state) {
  (void)state;
  enum { MANY = 24 };
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  const asc_rect rects[] = {{0, 4, 0, 3}, {4, 8, 1, 4}};
  int64_t offsets[MANY + 1] = {0};
  for (uint32_t b = 0; b <= MANY; b++) {
    char id[16];
    snprintf(id, sizeof id, "b%u", b);
    asc_buffer_spec spec = test_spec(0, 8, 4);
    spec.id = id;
    if (b < MANY) spec.shape = rects, spec.shape_count = COUNT(rects);
    if (b == MANY) spec.pool = ASC_POOL_ANY;
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  size_t count = 0;
  assert_int_equal(asc_validate(problem, offsets, 100, NULL, 0, &count), ASC_OK);
  assert_int_equal(count, MANY * (MANY - 1) / 2 + 1);
  assert_int_equal(asc_height(problem, offsets), 4);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_validate_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_five_buffers),
      cmocka_unit_test(test_alignment_and_fixed),
      cmocka_unit_test(test_gaps_and_windows),
      cmocka_unit_test(test_banks),
      cmocka_unit_test(test_extremes),
      cmocka_unit_test(test_byte_by_byte),
      cmocka_unit_test(test_pairs_among_many),
      cmocka_unit_test(test_one_pair_of_billions),
      cmocka_unit_test(test_many_shapes_and_any_pool),
      cmocka_unit_test(test_oracle_knows_banks),
      cmocka_unit_test(test_agrees_with_the_oracle),
  };
  return cmocka_run_group_tests_name("validate", tests, NULL, NULL);
}
