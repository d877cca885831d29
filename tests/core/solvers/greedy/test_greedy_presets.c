/* The presets: what each planner's own rules give, worked out on paper from its source, down to the last tie. */
#include "test_greedy_plan.h"

#define S(low, high, bytes) \
  { .lower = low, .upper = high, .size = bytes, .alignment = 1, .offset = -1, .hint = -1 }
#define F(low, high, bytes, at) \
  { .lower = low, .upper = high, .size = bytes, .alignment = 1, .offset = at, .hint = -1 }
#define A(low, high, bytes, multiple) \
  { .lower = low, .upper = high, .size = bytes, .alignment = multiple, .offset = -1, .hint = -1 }
#define NAMED(name, low, high, bytes) \
  { .id = name, .lower = low, .upper = high, .size = bytes, .alignment = 1, .offset = -1, .hint = -1 }

/*        |--------- b0, 1 ------------|        conflicts: b0 4, b1 2, b2 3, b3 3, b4 2
          |b1,8-|        |-b3,8|
             |--- b2, 3 ---|-- b4, 2 --|
          0  1  2  3  4  5  6  7  8  9 10 */
static const asc_buffer_spec five[] = {S(0, 10, 1), S(0, 2, 8), S(1, 5, 3), S(4, 6, 8), S(5, 9, 2)};

static void orders(void **state) {
  (void)state;
  plan made = plan_of("tflm", "alignment=1", 100, five, COUNT(five)); /* of equal sizes the last first */
  EXPECT_ORDER(made, 3, 1, 2, 4, 0);
  made = plan_of("litert", "alignment=1", 100, five, COUNT(five)); /* b0 lives from the first to the last step */
  EXPECT_ORDER(made, 0, 1, 3, 2, 4);
  made = plan_of("openvino", "", 100, five, COUNT(five));
  EXPECT_ORDER(made, 1, 3, 2, 4, 0);
  made = plan_of("tvm-by-size", "", 100, five, COUNT(five)); /* of equal sizes the one with 3 conflicts before 2 */
  EXPECT_ORDER(made, 3, 1, 2, 4, 0);
  made = plan_of("tvm-by-conflicts", "", 100, five, COUNT(five));
  EXPECT_ORDER(made, 0, 3, 2, 1, 4);
  made = plan_of("xla", "order=spatial", 100, five, COUNT(five));
  EXPECT_ORDER(made, 1, 3, 2, 4, 0);
  made = plan_of("xla", "order=temporal", 100, five, COUNT(five));
  EXPECT_ORDER(made, 0, 2, 4, 1, 3);
}

/* ---- TensorFlow Lite Micro ---- */

/*  64 +--------+            sizes 10, 20, 10 are reserved as 16, 32, 16
       |   b0   |
    48 +--------+---+        b1 first; then b2, since of the two of equal size the later index comes first
       |    |   b2  |
    32 +----+---+---+
       |   b1   |
     0 +--------+
       0        2   3 */
static void tflm_rounds_and_takes_the_last_of_equals(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 10), S(0, 2, 20), S(1, 3, 10)};
  plan made = plan_of("tflm", "", 1000, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 48, 0, 32);
  EXPECT_ORDER(made, 1, 2, 0);
  assert_int_equal(made.height, 58);
  made = plan_of("tflm", "alignment=1", 1000, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 30, 0, 20);
}

/*  The offline buffer sits at [16,32): 16 bytes below it, which hold b2 but not b1. */
static void tflm_offline_offsets_first(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 10), S(0, 3, 20), S(1, 3, 10), F(0, 3, 5, 16)};
  plan made = plan_of("tflm", "", 1000, specs, COUNT(specs));
  EXPECT_ORDER(made, 3, 1, 2, 0);
  EXPECT_OFFSETS(made, 64, 32, 0, 16);
  assert_int_equal(made.no_fits, 1);
}

static void tflm_offline_buffers_that_touch(void **state) {
  (void)state;
  const asc_buffer_spec touch[] = {F(0, 3, 10, 0), F(0, 3, 10, 10), S(0, 3, 4)}; /* 20 is no multiple of 16; 26 ends it */
  plan made = plan_of("tflm", "", 1000, touch, COUNT(touch));
  EXPECT_OFFSETS(made, 0, 10, 26);
  const asc_buffer_spec meet[] = {F(0, 3, 10, 0), F(0, 3, 10, 9)};
  made = plan_of("tflm", "", 1000, meet, COUNT(meet));
  assert_int_equal(made.outcome, ASC_OUTCOME_EXHAUSTED);
}

/* ---- LiteRT ---- */

/*      P    |############|                47 bytes at 0
        F1   |#######|                     40 at 48
        Q       |#########|                39 at 88     (48 is taken by F1 while both live)
        F2         |#|                     39 at 128
        R          |######|                38 at 168
        x               |#|                30: meets P, Q, R
        0    1   2   3  4  5       9 10
   Two gaps for x: [47,88) counts 40 from its aligned start 48, and 41 once remembered; [127,168) counts 40, and 40 < 41.
   So the later gap wins, though from 48 and from 128 on they are equally large. */
static void litert_measures_gaps_two_ways(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 5, 47), S(0, 3, 40), S(1, 5, 39), S(2, 3, 39),
                                   S(2, 5, 38), S(4, 5, 30), S(9, 10, 1)};
  plan made = plan_of("litert", "alignment=4", 1000, specs, COUNT(specs));
  EXPECT_ORDER(made, 0, 1, 2, 3, 4, 5, 6);
  EXPECT_OFFSETS(made, 0, 48, 88, 128, 168, 128, 0);
  made = plan_of("xla", "alignment=4", 1000, specs, COUNT(specs)); /* both are 40 bytes: the lower one */
  EXPECT_OFFSETS(made, 0, 48, 88, 128, 168, 48, 0);
}

static void litert_whole_life_first(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 4, 10), S(0, 9, 3), S(2, 9, 8), S(0, 9, 5)};
  plan made = plan_of("litert", "alignment=1", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 1, 3, 0, 2);
  EXPECT_OFFSETS(made, 8, 0, 18, 3);
  made = plan_of("litert", "", 1000, specs, COUNT(specs)); /* every offset a multiple of 64 */
  EXPECT_OFFSETS(made, 128, 0, 192, 64);
}

/* ---- OpenVINO ---- */

/*   8 +--------+
       |   b1   |          equal sizes by start, then finish: b2, b1, b0
     4 +-----+--+---+
       | b2  |  b0  |      b0 meets b1 only above 4, so it stays at 0
     0 +-----+------+
       0     2  3   4 */
static void openvino_ties_by_start_then_finish(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(2, 4, 4), S(0, 3, 4), S(0, 2, 4)};
  plan made = plan_of("openvino", "", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 2, 1, 0);
  EXPECT_OFFSETS(made, 0, 4, 0);
  made = plan_of("openvino", "alignment=32", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 32, 0);
}

/* ---- TVM ---- */

/*  24 +        +--------+
       |        |   b2   |  b2 goes above b1, though [0,10) is free below it
    18 +--------+--------+
       |       b1        |
    10 +--------+--------+
       |   b0   |  hole  |
     0 +--------+--------+
       0        2        4 */
static void tvm_never_fills_holes(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 2, 10), S(0, 4, 8), S(2, 4, 6)};
  plan made = plan_of("tvm-by-size", "", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 10, 18);
  assert_int_equal(made.no_fits, 0);
  made = plan_of("tvm-by-conflicts", "", 100, five, COUNT(five));
  EXPECT_OFFSETS(made, 0, 12, 9, 1, 9);
}

static void tvm_ties_by_name_backwards(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {NAMED("b10", 0, 1, 4), NAMED("b9", 0, 1, 4), NAMED("a", 0, 1, 4)};
  plan made = plan_of("tvm-by-size", "", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 1, 0, 2);
  EXPECT_OFFSETS(made, 4, 0, 8);
  made = plan_of("tvm-by-conflicts", "", 100, specs, COUNT(specs));
  EXPECT_ORDER(made, 1, 0, 2);
}

/* The end of a conflict is rounded up to the conflict's own alignment. */
static void tvm_aligns_ends(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {A(0, 1, 10, 8), S(0, 1, 3), A(0, 1, 2, 4)};
  plan made = plan_of("tvm-by-size", "", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 16, 20);
}

/* ---- XLA ---- */

static void xla_spatial_and_temporal(void **state) {
  (void)state;
  plan made = plan_of("xla", "", 100, five, COUNT(five));
  EXPECT_OFFSETS(made, 11, 0, 8, 0, 8);
  made = plan_of("xla", "order=temporal", 100, five, COUNT(five));
  EXPECT_OFFSETS(made, 0, 4, 1, 4, 1);
}

/*  22 +------+
       |  b1  |           b0 ends at 10; the chunk above it begins at the next multiple of 8
    16 +------+
       :      :
    10 +------+------+
       |      b0     |
     0 +------+------+
       0      2      4 */
static void xla_aligns_ends(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {S(0, 4, 10), S(0, 2, 6)};
  plan made = plan_of("xla", "alignment=8", 100, specs, COUNT(specs));
  EXPECT_OFFSETS(made, 0, 16);
}

int run_greedy_presets_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orders),
      cmocka_unit_test(tflm_rounds_and_takes_the_last_of_equals),
      cmocka_unit_test(tflm_offline_offsets_first),
      cmocka_unit_test(tflm_offline_buffers_that_touch),
      cmocka_unit_test(litert_measures_gaps_two_ways),
      cmocka_unit_test(litert_whole_life_first),
      cmocka_unit_test(openvino_ties_by_start_then_finish),
      cmocka_unit_test(tvm_never_fills_holes),
      cmocka_unit_test(tvm_ties_by_name_backwards),
      cmocka_unit_test(tvm_aligns_ends),
      cmocka_unit_test(xla_spatial_and_temporal),
      cmocka_unit_test(xla_aligns_ends),
  };
  return cmocka_run_group_tests_name("greedy_presets", tests, NULL, NULL);
}
