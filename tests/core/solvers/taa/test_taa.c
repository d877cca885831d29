/* taa: CollisionSize and whole plans, by the cases of the design worked out on paper. */
#include "solve/taa/tiles.h"
#include "tiles.h"

#include <string.h>

/* ---- CollisionSize --------------------------------------------------------------------------------------------------- */

static asc_problem *of_chunks(asc_context *context, const asc_rect *left, uint32_t left_count, const asc_rect *right,
                              uint32_t right_count, int64_t size) {
  asc_buffer_spec specs[2] = {test_spec(0, 1, size), test_spec(0, 1, size)};
  specs[0].shape = left;
  specs[0].shape_count = left_count;
  specs[1].shape = right;
  specs[1].shape_count = right_count;
  return test_problem(context, specs, 2);
}

static int64_t collision(const asc_problem *problem, uint32_t t1, int64_t base1, uint32_t t2, int64_t base2, bool printed) {
  asci_taa_tiles tiles = {0};
  assert_int_equal(asci_taa_tiles_new(problem, &tiles), ASC_OK);
  assert_int_equal(tiles.begin[2], 2); /* each is one tile */
  int64_t size = asci_taa_collide(&tiles, &tiles.tiles[t1], base1, &tiles.tiles[t2], base2, printed).size;
  asci_taa_tiles_free(problem->context, &tiles);
  return size;
}

static void b3_the_papers_example_and_its_roles(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_rect rects[4];
  for (int64_t k = 0; k < 4; k++) rects[k] = (asc_rect){0, 1, 16384 * k, 16384 * k + 8192};
  asc_problem *problem = of_chunks(context, rects, 4, rects, 4, 65536);
  assert_int_equal(collision(problem, 0, 0, 1, 128, false), 8064);
  assert_int_equal(collision(problem, 1, 128, 0, 0, false), 8320);
  assert_int_equal(collision(problem, 0, 0, 1, 8192, false), 0);
  assert_int_equal(collision(problem, 0, 0, 1, 65536, false), 0);
  asc_problem_free(problem);
  test_context_end(context);
}

static void b4_chunks_that_touch(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_rect left[] = {{0, 1, 8, 16}, {0, 1, 40, 48}}, right[] = {{0, 1, 0, 8}, {0, 1, 32, 40}};
  asc_problem *problem = of_chunks(context, left, 2, right, 2, 48);
  assert_int_equal(collision(problem, 0, 0, 1, 0, false), 0);
  assert_int_equal(collision(problem, 0, 0, 1, 0, true), 16);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- plans ----------------------------------------------------------------------------------------------------------- */

static int64_t height_by(const asc_problem *problem, const char *solver, const char *name, const char *value,
                         int64_t *offsets) {
  asc_run_config config = asc_run_config_default(solver, ASC_MAX_BYTES);
  asc_option_value option = {name, value};
  config.options = &option;
  config.option_count = name != NULL;
  if (asc_solver_find(solver)->goals & 1u << ASC_GOAL_HEIGHT) config.goal = ASC_GOAL_HEIGHT;
  asc_run *run = test_run_new(problem, &config);
  test_finish(run);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  if (offsets) memcpy(offsets, asc_run_best(run), asc_problem_count(problem) * sizeof *offsets);
  asc_run_free(run);
  return stats.height;
}

static int64_t shared_objects(const asc_problem *whole) {
  static const char *const strategies[] = {"by-size", "by-breadth", "by-size-improved"};
  int64_t best = INT64_MAX;
  for (uint32_t k = 0; k < COUNT(strategies); k++) {
    int64_t height = height_by(whole, "shared-objects", "strategy", strategies[k], NULL);
    best = height < best ? height : best;
  }
  return best;
}

/* B5 to B18: what tensors need that share whole slots, and that the best order is within what is proved, never misread. */
static void cases_worked_out_on_paper(void **state) {
  (void)state;
  for (uint32_t k = 0; k < tile_case_count; k++) {
    const tile_case *c = &tile_cases[k];
    asc_context *context = test_context();
    asc_tiling *tiling = c->make(context);
    tiles_freeze(tiling);
    asc_problem *problem = tiles_problem(tiling, 0), *whole = tiles_problem(tiling, ASC_TILES_WHOLE);
    int64_t offsets[8], height = height_by(problem, "taa", NULL, NULL, offsets);
    CHECK(shared_objects(whole) == c->shared * TILE_UNIT, "%s, %s: %d", c->id, c->what, (int)shared_objects(whole));
    CHECK(height == c->best * TILE_UNIT, "%s, %s: height %d", c->id, c->what, (int)(height / TILE_UNIT));
    CHECK(tiles_misread(tiling, offsets) == 0, "%s, %s", c->id, c->what);
    CHECK(asc_problem_lower_bound(problem) <= height, "%s, %s", c->id, c->what);
    asc_problem_free(problem);
    asc_problem_free(whole);
    asc_tiling_free(tiling);
    test_context_end(context);
  }
}

/* With a halo the output has to lie below the input, which the paper's orders do not try: the input comes first in all of them. */
static void b7_the_papers_orders_keep_the_input_below(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tiles_chain(context, 1, 4, 1, "f");
  tiles_freeze(tiling);
  asc_problem *problem = tiles_problem(tiling, 0);
  assert_int_equal(height_by(problem, "taa", "order", "size", NULL), 8 * TILE_UNIT);
  assert_int_equal(height_by(problem, "taa", "order", "lifetime", NULL), 8 * TILE_UNIT);
  assert_int_equal(height_by(problem, "taa", "order", "peers", NULL), 8 * TILE_UNIT);
  assert_int_equal(height_by(problem, "taa", "order", "forward", NULL), 8 * TILE_UNIT);
  int64_t offsets[2];
  assert_int_equal(height_by(problem, "taa", "order", "reverse", offsets), 5 * TILE_UNIT);
  assert_int_equal(offsets[0], TILE_UNIT);
  assert_int_equal(offsets[1], 0);
  asc_problem_free(problem);
  asc_tiling_free(tiling);
  test_context_end(context);
}

static void the_unary_chain_halves(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tile_unary_chain(context);
  asc_problem *problem = tiles_problem(tiling, 0), *whole = tiles_problem(tiling, ASC_TILES_WHOLE);
  int64_t offsets[4];
  assert_int_equal(asc_tiling_task_count(tiling), 18);
  assert_int_equal(shared_objects(whole), 1048576);
  assert_int_equal(height_by(problem, "taa", NULL, NULL, offsets), 524288);
  assert_int_equal(tiles_misread(tiling, offsets), 0);
  /* the printed shift goes further up than need be, past the end of what it should lie on */
  assert_int_equal(height_by(problem, "taa", "as_printed", "true", offsets), 1056768);
  assert_int_equal(tiles_misread(tiling, offsets), 0);
  asc_problem_free(problem);
  asc_problem_free(whole);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* ---- FSRCNN ---------------------------------------------------------------------------------------------------------- */

/* Table 1 of the paper, to the byte: 25,165,824 for whole tensors, 16,777,216 with tiles, which the load proves to be the least. */
static void fsrcnn_as_in_the_paper(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tile_fsrcnn(context);
  asc_problem *problem = tiles_problem(tiling, 0), *whole = tiles_problem(tiling, ASC_TILES_WHOLE);
  int64_t offsets[7], of_tensors[9] = {ASC_UNPLACED};
  assert_int_equal(asc_problem_count(problem), 7);
  assert_int_equal(shared_objects(whole), 25165824);
  assert_int_equal(height_by(problem, "taa", NULL, NULL, offsets), 16777216);
  assert_int_equal(asc_problem_lower_bound(problem), 16777216);
  for (uint32_t t = 0; t < 7; t++) of_tensors[t + 1] = offsets[t];
  of_tensors[8] = ASC_UNPLACED;
  assert_int_equal(tiles_misread(tiling, of_tensors), 0);
  static const char *const orders[] = {"size", "lifetime", "peers", "forward"};
  for (uint32_t k = 0; k < COUNT(orders); k++)
    CHECK(height_by(problem, "taa", "order", orders[k], NULL) == 16777216, "%s: %d", orders[k],
          (int)height_by(problem, "taa", "order", orders[k], NULL));
  asc_problem_free(problem);
  asc_problem_free(whole);
  asc_tiling_free(tiling);
  test_context_end(context);
}

int run_taa_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(b3_the_papers_example_and_its_roles),
      cmocka_unit_test(b4_chunks_that_touch),
      cmocka_unit_test(cases_worked_out_on_paper),
      cmocka_unit_test(b7_the_papers_orders_keep_the_input_below),
      cmocka_unit_test(the_unary_chain_halves),
      cmocka_unit_test(fsrcnn_as_in_the_paper),
  };
  return cmocka_run_group_tests_name("taa", tests, NULL, NULL);
}
