/* bfc, contention and shared-objects: cases worked out on paper. */
#include "test_greedy_plan.h"

#define S(low, high, bytes) \
  { .lower = low, .upper = high, .size = bytes, .alignment = 1, .offset = -1, .hint = -1 }
#define A(low, high, bytes, multiple) \
  { .lower = low, .upper = high, .size = bytes, .alignment = multiple, .offset = -1, .hint = -1 }

/* ---- bfc ---- */

/*  10 +-----+
       | b1  +-----------+ 9
     4 +-----+----+  b2  |       b1 leaves at 2 and the arena's top falls back to 4
       |    b0    |      |
       |          +------+ 3     b0 leaves at 4: b3 takes its chunk
       |          |  b3  |
     0 +----------+------+
       0     2    4      6 */
static void bfc_frees_and_reuses(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 4, 4), S(0, 2, 6), S(2, 6, 5), S(4, 6, 3)};
  plan made = plan_of("bfc", "", 10, specs, COUNT(specs));
  EXPECT_ORDER(made, 0, 1, 2, 3);
  EXPECT_OFFSETS(made, 0, 4, 4, 0);
  assert_int_equal(made.outcome, ASC_OUTCOME_OPTIMAL);
}

/* At 2 the chunks [0,4) and [5,13) are free. 3 bytes go into the smaller, 5 into the larger; then 1 byte is left at 3 and 3 at 10;
   2 go to 10. For 4 bytes neither [3,4) nor [12,13) is enough, and the arena grows from 14. */
static void bfc_takes_the_smallest_chunk(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 4), S(0, 9, 1), S(0, 2, 8), S(0, 9, 1),
                                   S(2, 9, 3), S(2, 9, 5), S(3, 9, 2), S(3, 9, 4)};
  plan made = plan_of("bfc", "", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 4, 5, 13, 0, 5, 10, 14);
  assert_int_equal(made.no_fits, 1);
  assert_int_equal(made.supports[4], ASC_NONE);
  assert_int_equal(made.supports[5], 1);
  assert_int_equal(made.supports[7], 3);
}

static void bfc_merges_neighbours(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 3), S(0, 3, 3), S(0, 1, 3), S(0, 9, 1), S(3, 9, 9)};
  plan made = plan_of("bfc", "", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 3, 6, 9, 0);
}

/* 600 bytes are 768 reserved; the free chunk of 1,024 is not twice as large and is given away whole. */
static void bfc_as_tensorflow_rounds_and_splits(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 1000), S(0, 9, 1), S(2, 9, 600), S(2, 9, 200)};
  plan made = plan_of("bfc", "rounding=256 split=double", 9999, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 1024, 0, 1280);
  made = plan_of("bfc", "rounding=256 split=always", 9999, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 1024, 0, 768);
}

/* What is left of a chunk that is not twice as large is given away, unless it is 128 MiB or more. */
static void bfc_splits_off_much(void **state) {
  (void)state;
  const int64_t mib = INT64_C(1) << 20;
  const asc_buffer_spec specs[] = {S(0, 2, 300 * mib), S(0, 9, 1), S(2, 9, 172 * mib), S(2, 9, mib)};
  plan made = plan_of("bfc", "split=double", 9999 * mib, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 300 * mib, 0, 172 * mib);
  const asc_buffer_spec less[] = {S(0, 2, 300 * mib), S(0, 9, 1), S(2, 9, 172 * mib + 1), S(2, 9, mib)};
  made = plan_of("bfc", "split=double", 9999 * mib, less, COUNT(less));
  EXPECT_OFFSETS(made, 0, 300 * mib, 0, 300 * mib + 1);
}

/* b0 ends at 3; b1 starts at 8, and the bytes between take b2. b3 needs a multiple of 4: [0,3) will do once b0 is gone. */
static void bfc_keeps_what_alignment_skips(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 3), A(0, 4, 2, 8), S(0, 4, 5), A(2, 4, 3, 4)};
  plan made = plan_of("bfc", "", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 8, 3, 0);
}

/* ---- contention ---- */

/*   contention   4 10  6  2  9  5  3  4  1  0  5  5
      10 +  +--+               row 7: b2
         |  |b1|               row 4: b1
       7 +  |  +-----------+   row 3: b5
       4 +--+--+--+  b2    |   row 0: b0, b3, b4, b6, in order of contention 10, 9, 5, 5 and size x lifetime^2
         |   b0   | |b3|b4..
       0 +--------+-+--+--------+--+-----+
         0  1  2  3 4  5  6  7  8  9 10 11 12 */
static void contention_row_by_row(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 3, 4), S(1, 2, 6), S(2, 6, 2), S(4, 5, 7), S(5, 8, 3), S(7, 9, 1), S(10, 12, 5)};
  plan made = plan_of("contention", "", 10, specs, COUNT(specs));
  EXPECT_ORDER(made, 0, 3, 4, 6, 5, 1, 2);
  EXPECT_OFFSETS(made, 0, 4, 7, 0, 0, 3, 0);
  assert_int_equal(made.advances, 3);
  assert_int_equal(made.steps, 10);
  assert_int_equal(made.outcome, ASC_OUTCOME_OPTIMAL);
  assert_int_equal(made.supports[1], 0);
  assert_int_equal(made.supports[2], 3);
  assert_int_equal(made.supports[3], ASC_NONE);
}

/* Equal contention: alignment decides, then size x lifetime^2 (16 against 18), then lifetime (size 4 x 1 = size 1 x 4), then index. */
static void contention_ties(void **state) {
  (void)state;
  const asc_buffer_spec aligned[] = {S(0, 2, 9), A(0, 2, 1, 2)};
  plan made = plan_of("contention", "", 100, aligned, COUNT(aligned));
  EXPECT_ORDER(made, 1, 0);
  const asc_buffer_spec squares[] = {S(0, 2, 4), S(0, 3, 2)};
  made = plan_of("contention", "", 100, squares, COUNT(squares));
  EXPECT_ORDER(made, 1, 0);
  const asc_buffer_spec lives[] = {S(0, 1, 4), S(0, 2, 1), S(0, 2, 1)};
  made = plan_of("contention", "", 100, lives, COUNT(lives));
  EXPECT_ORDER(made, 1, 2, 0);
}

/* Above b0, which ends at 3, the row of b1 is 4; b2 (alignment 1) comes at row 3 before it, and b1 must then wait for 8. */
static void contention_aligned_rows(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {A(0, 4, 3, 8), A(0, 2, 3, 4), S(1, 4, 2)};
  plan made = plan_of("contention", "", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 0, 2, 1);
  EXPECT_OFFSETS(made, 0, 8, 3);
}

static void contention_sees_gaps(void **state) {
  (void)state;
  const asc_gap gap = {.lower = 2, .upper = 4};
  asc_buffer_spec specs[] = {S(0, 6, 4), S(2, 4, 4), S(3, 5, 1)};
  specs[0].gaps = &gap;
  specs[0].gap_count = 1;
  plan made = plan_of("contention", "", 8, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 0, 4);
}

/* ---- shared objects ---- */

/*      t  0 |  1 |  2 |  3 |  4           loads 8 13 11 13 7
     b0    |---8-----|
     b1              |----6----|
     b2         |----5----|
     b3                   |----7----|      */
static const asc_buffer_spec four[] = {S(0, 2, 8), S(2, 4, 6), S(1, 3, 5), S(3, 5, 7)};

static void shared_by_size(void **state) {
  (void)state;
  plan made = plan_of("shared-objects", "strategy=by-size", 100, four, COUNT(four));
  EXPECT_ORDER(made, 0, 3, 1, 2); /* slots: b0 b3 of 8, b1 of 6, b2 of 5 */
  EXPECT_OFFSETS(made, 0, 8, 14, 0);
  assert_int_equal(made.new_slots, 3);
  assert_int_equal(made.steps, 7);
}

static void shared_by_breadth(void **state) {
  (void)state;
  plan made = plan_of("shared-objects", "strategy=by-breadth", 100, four, COUNT(four));
  EXPECT_ORDER(made, 0, 2, 3, 1); /* 13 at 1: b0 b2; 13 at 3: b3 b1. Slots: b0 b3 of 8, b2 of 5, b1 of 6 */
  EXPECT_OFFSETS(made, 0, 13, 8, 0);
}

/* At 1 both slots (4 and 3) are free and too small for 5 bytes: the larger grows, and the slot above it moves up. */
static void shared_slots_grow(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 1, 4), S(0, 1, 3), S(1, 2, 5)};
  plan made = plan_of("shared-objects", "strategy=by-breadth", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 0, 1, 2);
  EXPECT_OFFSETS(made, 0, 5, 0);
}

/* Of the free slots of 9, 6 and 7 bytes the smallest that holds 6 is taken, the first of equal ones. */
static void shared_smallest_slot(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 1, 9), S(0, 1, 7), S(0, 1, 7), S(1, 2, 6)};
  plan made = plan_of("shared-objects", "strategy=by-size", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 9, 16, 9);
}

/* Positional maxima 10 and 2. Stage 0: b0 opens a slot; of b1 and b2, both 9 bytes, b2 is nearer to it in time and joins first.
   Stage 1: b3. */
static void shared_nearest_first(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 1, 10), S(4, 5, 9), S(1, 2, 9), S(0, 5, 2)};
  plan made = plan_of("shared-objects", "strategy=by-size-improved", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 0, 2, 1, 3);
  EXPECT_OFFSETS(made, 0, 0, 0, 10);
}

/* Positional maxima 10 and 8: b1 and b2 are of stage 1. b2 has a slot in reach, b1 has none, so b2 is first and takes slot 0; by size
   alone b1 would open slot 1 first and b2 would take that. */
static void shared_stages(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 10), S(0, 4, 8), S(5, 6, 8)};
  plan made = plan_of("shared-objects", "strategy=by-size-improved", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 0, 2, 1);
  EXPECT_OFFSETS(made, 0, 10, 0);
  made = plan_of("shared-objects", "strategy=by-size", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 10, 10);
}

static void shared_alignment(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 1, 9), A(0, 1, 5, 4), A(1, 2, 0, 8), A(2, 3, 4, 6)};
  plan made = plan_of("shared-objects", "strategy=by-size", 100, specs, COUNT(specs)); /* slot 1: a multiple of 4 and 6 */
  EXPECT_OFFSETS(made, 0, 12, 0, 12);
}

int run_greedy_others_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bfc_frees_and_reuses),    cmocka_unit_test(bfc_takes_the_smallest_chunk),
      cmocka_unit_test(bfc_merges_neighbours),   cmocka_unit_test(bfc_as_tensorflow_rounds_and_splits),
      cmocka_unit_test(bfc_splits_off_much),     cmocka_unit_test(bfc_keeps_what_alignment_skips),
      cmocka_unit_test(contention_row_by_row),   cmocka_unit_test(contention_ties),
      cmocka_unit_test(contention_aligned_rows), cmocka_unit_test(contention_sees_gaps),
      cmocka_unit_test(shared_by_size),          cmocka_unit_test(shared_by_breadth),
      cmocka_unit_test(shared_slots_grow),       cmocka_unit_test(shared_smallest_slot),
      cmocka_unit_test(shared_nearest_first),    cmocka_unit_test(shared_stages),
      cmocka_unit_test(shared_alignment),
  };
  return cmocka_run_group_tests_name("greedy_others", tests, NULL, NULL);
}
