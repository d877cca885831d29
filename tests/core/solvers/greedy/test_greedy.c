/* The solver greedy: orders, fits, alignment, fixed offsets, gaps, windows, hints, by cases worked out on paper. */
#include "test_greedy_plan.h"

#define S(low, high, bytes) \
  { .lower = low, .upper = high, .size = bytes, .alignment = 1, .offset = -1, .hint = -1 }
#define F(low, high, bytes, at) \
  { .lower = low, .upper = high, .size = bytes, .alignment = 1, .offset = at, .hint = -1 }

/* load   9 12  4  4 12 11  3  3  3  1
          |--------- b0, 1 ------------|
          |b1,8-|        |-b3,8|
             |--- b2, 3 ---|-- b4, 2 --|         (b4 ends at 9)
          0  1  2  3  4  5  6  7  8  9 10 */
static const asc_buffer_spec five[] = {S(0, 10, 1), S(0, 2, 8), S(1, 5, 3), S(4, 6, 8), S(5, 9, 2)};

static void orders(void **state) {
  (void)state;
  plan made = plan_of("greedy", "order=start", 100, five, COUNT(five));
  EXPECT_ORDER(made, 1, 0, 2, 3, 4);
  made = plan_of("greedy", "order=size", 100, five, COUNT(five));
  EXPECT_ORDER(made, 1, 3, 2, 4, 0);
  made = plan_of("greedy", "order=area", 100, five, COUNT(five)); /* 10, 16, 12, 16, 8 */
  EXPECT_ORDER(made, 1, 3, 2, 0, 4);
  made = plan_of("greedy", "order=lifetime", 100, five, COUNT(five));
  EXPECT_ORDER(made, 0, 2, 4, 1, 3);
  made = plan_of("greedy", "order=breadth", 100, five, COUNT(five)); /* 12 at 1: b1 b2 b0; 12 at 4: b3; 11 at 5: b4 */
  EXPECT_ORDER(made, 1, 2, 0, 3, 4);
  made = plan_of("greedy", "order=conflicts", 100, five, COUNT(five)); /* 4, 2, 3, 3, 2 */
  EXPECT_ORDER(made, 0, 3, 2, 1, 4);
}

/*  10 +-----------+
       |    b0     |        by size: b1, b2, b0, b3
     6 +-----+-----+  8
       | b1  |     +-----+
       |     |     | b3  |  5
       |     +-----+-----+
       |     |    b2     |
     0 +-----+-----------+
       0     2     4     6 */
static void lowest_gap(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 4, 4), S(0, 2, 6), S(2, 6, 5), S(4, 6, 3)};
  plan made = plan_of("greedy", "", 10, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 6, 0, 0, 5);
  assert_int_equal(made.outcome, ASC_OUTCOME_OPTIMAL);
  assert_int_equal(made.steps, 4); /* gaps of no bytes are no steps */
  assert_int_equal(made.supports[0], 1);
  assert_int_equal(made.supports[1], ASC_NONE);
  assert_int_equal(made.supports[3], 2);
}

/* Fixed: [0,2) [10,12) [15,17). Gaps of 8 and 3 bytes, then the top at 17. */
#define COMB F(0, 9, 2, 0), F(0, 9, 2, 10), F(0, 9, 2, 15)

static void first_and_best(void **state) {
  (void)state;
  const asc_buffer_spec two[] = {COMB, S(0, 9, 3), S(0, 9, 3)};
  plan made = plan_of("greedy", "fit=first", 17, two, COUNT(two));
  EXPECT_OFFSETS(made, 0, 10, 15, 2, 5);
  made = plan_of("greedy", "fit=best", 17, two, COUNT(two));
  EXPECT_OFFSETS(made, 0, 10, 15, 12, 2);
  assert_int_equal(made.outcome, ASC_OUTCOME_OPTIMAL); /* a fixed end is a lower bound */
  const asc_buffer_spec large[] = {COMB, S(0, 9, 9)};
  made = plan_of("greedy", "", 25, large, COUNT(large));
  EXPECT_OFFSETS(made, 0, 10, 15, 17);
  assert_int_equal(made.no_fits, 2);
  assert_int_equal(made.outcome, ASC_OUTCOME_OVER_CAPACITY);
  assert_int_equal(made.height, 26);
  assert_int_equal(made.supports[3], 2);
}

static void equal_gaps_lowest_first(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {F(0, 2, 1, 4), F(0, 2, 1, 9), S(0, 2, 3)}; /* gaps [0,4) and [5,9) */
  plan made = plan_of("greedy", "fit=best", 10, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 4, 9, 0);
}

static void alignment(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {COMB, S(0, 9, 3)};
  specs[3].alignment = 4;
  plan made = plan_of("greedy", "", 17, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 10, 15, 4);
  made = plan_of("greedy", "fit=best", 17, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 10, 15, 12);
  specs[3].alignment = 8; /* at 8 only 2 bytes are left, and 16 is above the second gap */
  made = plan_of("greedy", "", 30, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 10, 15, 24);
  assert_int_equal(made.no_fits, 1);
}

static void fixed_offsets_meet(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {F(0, 4, 4, 0), S(0, 4, 9), F(3, 6, 4, 3)};
  plan made = plan_of("greedy", "", 100, specs, COUNT(specs));
  assert_int_equal(made.outcome, ASC_OUTCOME_EXHAUSTED);
  assert_int_equal(made.placed, 1);
  assert_int_equal(made.rejects, 1);
  assert_int_equal(made.steps, 2);
  const asc_buffer_spec apart[] = {F(0, 4, 4, 0), F(4, 6, 4, 3), S(0, 6, 1)}; /* the same bytes at other times */
  made = plan_of("greedy", "", 100, apart, COUNT(apart));
  EXPECT_OFFSETS(made, 0, 3, 7);
}

/*   b0 |####|    |####|    b1 fits into the gap of b0's life
        |####|b1  |####|
        0    2    4    6 */
static void gaps(void **state) {
  (void)state;
  asc_gap gap = {.lower = 2, .upper = 4};
  asc_buffer_spec specs[] = {S(0, 6, 4), S(2, 4, 4)};
  specs[0].gaps = &gap;
  specs[0].gap_count = 1;
  plan made = plan_of("greedy", "", 8, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 0);
  gap.window_upper = 1; /* its lowest byte stays in use */
  made = plan_of("greedy", "", 8, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 1);
  gap.window_lower = 3; /* its highest byte does: 3 bytes are free below */
  gap.window_upper = 4;
  made = plan_of("greedy", "", 8, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 4);
  specs[1].size = 3;
  made = plan_of("greedy", "", 8, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 0);
}

/* The window is the newcomer's: only [2,3) of b1 is in use while b0 lives, so its offset may be below b0's end. */
static void windows_of_the_one_placed(void **state) {
  (void)state;
  const asc_gap gap = {.lower = 0, .upper = 2, .window_lower = 2, .window_upper = 3};
  asc_buffer_spec specs[] = {F(0, 2, 5, 0), S(0, 4, 4)};
  specs[1].gaps = &gap;
  specs[1].gap_count = 1;
  plan made = plan_of("greedy", "", 9, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 3);
  const asc_buffer_spec above = F(0, 2, 5, 3); /* below it: offset + 3 <= 3 */
  specs[0] = above;
  made = plan_of("greedy", "", 9, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 3, 0);
}

static void hints(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {S(0, 2, 4), S(0, 2, 4), S(0, 2, 2)};
  specs[0].hint = 6;
  specs[1].hint = 5;  /* taken */
  specs[2].hint = 11; /* 11 + 2 is above the capacity */
  plan made = plan_of("greedy", "", 12, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 6, 0, 4);
}

static void sizes_of_nothing(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 0), S(0, 2, 4), S(1, 3, 0)};
  plan made = plan_of("greedy", "", 4, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 0, 0);
  assert_int_equal(made.outcome, ASC_OUTCOME_OPTIMAL);
  made = plan_of("greedy", "", 0, specs, 0);
  assert_int_equal(made.steps, 0);
  assert_int_equal(made.outcome, ASC_OUTCOME_OPTIMAL);
}

/* Areas of 2^53 * 2^53 and more must not wrap: b1's is the larger by one part in 2^53. */
static void areas_beyond_64_bits(void **state) {
  (void)state;
  const int64_t half = ASC_MAX_BYTES / 2;
  const asc_buffer_spec specs[] = {S(-half, half, half), S(-half, half + 1, half)};
  plan made = plan_of("greedy", "order=area", ASC_MAX_BYTES, specs, COUNT(specs));
  EXPECT_ORDER(made, 1, 0);
  EXPECT_OFFSETS(made, half, 0);
}

static void no_address_left(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {S(0, 1, 8), S(0, 1, 4)};
  specs[1].alignment = ASC_MAX_BYTES;
  const char *const family[] = {"greedy", "bfc", "litert", "shared-objects", "tvm-by-size"};
  for (uint32_t k = 0; k < COUNT(family); k++) {
    plan made = plan_of(family[k], "", ASC_MAX_BYTES, specs, COUNT(specs));
    CHECK(made.outcome == ASC_OUTCOME_EXHAUSTED, "%s ended %s", family[k], asc_outcome_id(made.outcome));
    assert_int_equal(made.rejects, 1);
  }
}

int run_greedy_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders),
      cmocka_unit_test(lowest_gap),
      cmocka_unit_test(first_and_best),
      cmocka_unit_test(equal_gaps_lowest_first),
      cmocka_unit_test(alignment),
      cmocka_unit_test(fixed_offsets_meet),
      cmocka_unit_test(gaps),
      cmocka_unit_test(windows_of_the_one_placed),
      cmocka_unit_test(hints),
      cmocka_unit_test(sizes_of_nothing),
      cmocka_unit_test(areas_beyond_64_bits),
      cmocka_unit_test(no_address_left),
  };
  return cmocka_run_group_tests_name("greedy", tests, NULL, NULL);
}
