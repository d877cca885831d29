/* taa-exact: the design's optima to the byte, small task lists against all plans there are, and the exact solver of rectangles. */
#include "brute.h"
#include "model/problem.h"
#include "tiles.h"

#include <stdio.h>
#include <string.h>

static asc_run_stats least(const asc_problem *problem, const char *solver, const test_options *options, int64_t *offsets) {
  asc_run_config config = test_config(solver, 0, options);
  config.goal = ASC_GOAL_HEIGHT;
  asc_run *run = test_run_new(problem, &config);
  test_finish(run);
  test_sound_least(problem, run, solver);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  if (offsets && asc_run_best(run)) memcpy(offsets, asc_run_best(run), asc_problem_count(problem) * sizeof *offsets);
  asc_run_free(run);
  return stats;
}

/* ---- the design's cases ---------------------------------------------------------------------------------------------- */

static void check_optimum(const char *name, asc_tiling *tiling, int64_t optimum) {
  asc_problem *problem = tiles_problem(tiling, 0);
  static const char *const orders[] = {"best", "size", "forward", "reverse"};
  for (uint32_t k = 0; k < 2 * COUNT(orders); k++) {
    test_options options = {0};
    int64_t offsets[16];
    test_option_set(&options, "order", orders[k / 2]);
    test_option_set(&options, "windows", k % 2 ? "false" : "true");
    asc_run_stats stats = least(problem, "taa-exact", &options, offsets);
    CHECK(stats.outcome == ASC_OUTCOME_OPTIMAL && stats.height == optimum, "%s by %s: %s at %d", name,
          test_options_text(&options), asc_outcome_id(stats.outcome), (int)stats.height);
    if (asc_problem_count(problem) == asc_tiling_tensor_count(tiling))
      CHECK(tiles_misread(tiling, offsets) == 0, "%s by %s", name, test_options_text(&options));
  }
  asc_problem_free(problem);
  asc_tiling_free(tiling);
}

static void cases_worked_out_on_paper(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (uint32_t k = 0; k < tile_case_count; k++) {
    asc_tiling *tiling = tile_cases[k].make(context);
    tiles_freeze(tiling);
    check_optimum(tile_cases[k].id, tiling, tile_cases[k].optimum * TILE_UNIT);
  }
  test_context_end(context);
}

static void networks_of_the_design(void **state) {
  (void)state;
  asc_context *context = test_context();
  check_optimum("unary chain", tile_unary_chain(context), 524288);
  check_optimum("FSRCNN", tile_fsrcnn(context), 16777216);
  check_optimum("3x3", tile_rows_chain(context, ASC_LAYOUT_NHWC, "fff"), 548864);
  check_optimum("3x3 alternating", tile_rows_chain(context, ASC_LAYOUT_NHWC, "fbf"), 532480);
  check_optimum("eight of 3x3", tile_rows_chain(context, ASC_LAYOUT_NHWC, "ffffffff"), 589824);
  check_optimum("eight alternating", tile_rows_chain(context, ASC_LAYOUT_NHWC, "fbfbfbfb"), 532480);
  check_optimum("3x3 in blocks", tile_rows_chain(context, ASC_LAYOUT_NC32HW32, "fff"), 1048576);
  check_optimum("3x3 in blocks, alternating", tile_rows_chain(context, ASC_LAYOUT_NC32HW32, "fbf"), 919552);
  test_context_end(context);
}

/* ---- all plans there are --------------------------------------------------------------------------------------------- */

/* Two to four tensors of a few rows and blocks, layers of all kinds between them, some with two readers. */
static asc_tiling *random_tiling(asc_context *context, asci_rng *rng) {
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  uint32_t count = (uint32_t)asci_random_between(rng, 2, 4);
  int64_t rows = asci_random_between(rng, 1, count < 4 ? 4 : 3);
  for (uint32_t t = 0; t < count; t++) {
    int64_t blocks = asci_random_below(rng, 4) ? 1 : 2;
    tile_layer layer = {.out = t, .halo = asci_random_between(rng, 0, 2), .scale = '='};
    layer.in = t && asci_random_below(rng, 4) ? t - 1 : t ? (uint32_t)asci_random_below(rng, t) : 0;
    layer.backward = asci_random_below(rng, 3) == 0;
    layer.reversed = asci_random_below(rng, 4) == 0;
    tiles_rows(tiling, blocks, rows);
    if (t) tiles_layer(tiling, &layer);
  }
  tiles_freeze(tiling);
  return tiling;
}

/* Whether some plan of tensors from t on is read without a mistake, below that many units. The replay judges it: nothing of tiles, chunks or pairs. */
static bool plan_below(const asc_tiling *tiling, int64_t *offsets, uint32_t t, int64_t height) {
  uint32_t count = asc_tiling_tensor_count(tiling);
  if (t >= count) return tiles_misread(tiling, offsets) == 0;
  for (offsets[t] = 0; offsets[t] + asc_tiling_bytes(tiling, t) <= height; offsets[t] += TILE_UNIT)
    if (plan_below(tiling, offsets, t + 1, height)) return true;
  return false;
}

static void no_plan_of_small_task_lists_is_lower(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t above = 0;
  for (uint32_t number = 0; number < test_cases(3000); number++) {
    asci_rng rng = {number};
    asc_tiling *tiling = random_tiling(context, &rng);
    asc_problem *problem = tiles_problem(tiling, 0);
    int64_t offsets[16], tried[16];
    asc_run_stats stats = least(problem, "taa-exact", NULL, offsets);
    CHECK(stats.outcome == ASC_OUTCOME_OPTIMAL, "list %u: %s", number, asc_outcome_id(stats.outcome));
    CHECK(tiles_misread(tiling, offsets) == 0, "list %u is misread", number);
    CHECK(!plan_below(tiling, tried, 0, stats.height - TILE_UNIT), "list %u: a plan lower than %d", number,
          (int)stats.height);
    above += stats.height > asc_problem_lower_bound(problem);
    asc_problem_free(problem);
    asc_tiling_free(tiling);
    test_context_end(context);
    context = test_context();
  }
  assert_true(above > test_cases(3000) / 10); /* where the load alone is no proof */
  test_context_end(context);
}

/* Shapes that no layer makes, with alignments, gaps, windows and banks. */
static void no_plan_of_random_shapes_is_lower(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t above = 0;
  for (uint32_t number = 0; number < test_cases(6000); number++) {
    asci_rng rng = {number};
    test_shape shape = {.min_buffers = 2,
                        .max_buffers = 6,
                        .max_time = 4 + (int64_t)(number % 6),
                        .max_size = 7,
                        .max_alignment = number % 4 == 1 ? 3 : 1,
                        .zero = 5,
                        .tie = 40,
                        .gap = number % 3 ? 0 : 20,
                        .window = 50,
                        .bank = number % 5 ? 0 : 30,
                        .rects = 85};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    test_options options = {0};
    test_random_options(asc_solver_find("taa-exact"), &rng, &options);
    asc_run_stats stats = least(problem, "taa-exact", &options, NULL);
    int64_t most = brute_least_height(problem, 18);
    if (stats.height != most && (most >= 0 || stats.height <= 18)) test_print_problem(problem, most);
    CHECK(stats.height == most || (most < 0 && stats.height > 18), "problem %u: %d, but %d is the least", number,
          (int)stats.height, (int)most);
    above += stats.height > asc_problem_lower_bound(problem);
    asc_problem_free(problem);
  }
  assert_true(above > test_cases(6000) / 10);
  test_context_end(context);
}

/* ---- the exact solver of rectangles ---------------------------------------------------------------------------------- */

static void agrees_with_exact_on_rectangles(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t above = 0;
  for (uint32_t number = 0; number < test_cases(1500); number++) {
    asci_rng rng = {number};
    test_shape shape = {.min_buffers = 6,
                        .max_buffers = 12,
                        .max_time = 12,
                        .max_size = 30,
                        .max_alignment = number % 4 ? 1 : 4,
                        .tie = 30,
                        .gap = number % 3 ? 0 : 30,
                        .window = number % 6 ? 0 : 50};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    asc_run_stats mine = least(problem, "taa-exact", NULL, NULL), other = least(problem, "exact", NULL, NULL);
    if (mine.height != other.height) test_print_problem(problem, other.height);
    CHECK(mine.height == other.height, "problem %u: %d, of exact %d", number, (int)mine.height, (int)other.height);
    CHECK(mine.outcome == other.outcome, "problem %u: %s", number, asc_outcome_id(mine.outcome));
    above += mine.height > asc_problem_lower_bound(problem);
    asc_problem_free(problem);
  }
  assert_true(above > test_cases(1500) / 40);
  test_context_end(context);
}

/* ---- what is proved, and what is not --------------------------------------------------------------------------------- */

static asc_problem *halo_chain(asc_context *context) {
  asc_tiling *tiling = tiles_chain(context, 1, 6, 1, "fff");
  tiles_freeze(tiling);
  asc_problem *problem = tiles_problem(tiling, 0);
  asc_tiling_free(tiling);
  return problem;
}

/* B10 needs nine units: eight are refuted by tensors that exclude each other, in nine there is a plan. */
static void a_capacity_is_decided(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = halo_chain(context);
  for (int64_t units = 6; units < 12; units++) {
    asc_run_config config = test_config("taa-exact", units * TILE_UNIT, NULL);
    asc_run *run = test_run_new(problem, &config);
    asc_outcome outcome = test_finish(run);
    test_sound_end(problem, run, config.capacity, "halo");
    CHECK((outcome == ASC_OUTCOME_INFEASIBLE) == (units < 9), "%d units: %s", (int)units, asc_outcome_id(outcome));
    uint32_t count = 0;
    const uint32_t *conflict = asc_run_conflict(run, &count);
    if (outcome == ASC_OUTCOME_INFEASIBLE && asc_problem_lower_bound(problem) <= config.capacity) {
      assert_true(conflict && count);
      for (uint32_t k = 1; k < count; k++) assert_true(conflict[k - 1] < conflict[k]);
    }
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* Whenever it is stopped its bounds hold: never above the least height, never below it. */
static void bounds_hold_at_every_step(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = halo_chain(context);
  asc_run_config config = test_config("taa-exact", 0, NULL);
  config.goal = ASC_GOAL_HEIGHT;
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  int64_t lower = asc_problem_lower_bound(problem);
  for (uint64_t step = 0; outcome == ASC_OUTCOME_RUNNING; step++) {
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    assert_true(stats.lower_bound >= lower && stats.lower_bound <= 9 * TILE_UNIT);
    assert_true(stats.height == -1 || stats.height >= 9 * TILE_UNIT);
    lower = stats.lower_bound;
    if (step % 7) continue;
    asc_run_cancel(run);
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    if (outcome != ASC_OUTCOME_OPTIMAL) assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
    asc_run_resume(run, 0);
    outcome = outcome == ASC_OUTCOME_CANCELLED ? ASC_OUTCOME_RUNNING : outcome;
  }
  assert_int_equal(outcome, ASC_OUTCOME_OPTIMAL);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* From every step of a run another one goes on from its save to the same end, by the same steps. */
static void save_at_every_step(const asc_problem *problem, const asc_run_config *config, const char *what) {
  asc_run *run = test_run_new(problem, config), *whole = test_run_new(problem, config);
  test_finish(whole);
  for (asc_outcome outcome = ASC_OUTCOME_RUNNING; outcome == ASC_OUTCOME_RUNNING;) {
    const uint8_t *bytes;
    size_t count;
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
    asc_run *loaded = test_run_new(problem, config);
    CHECK(asc_run_load(loaded, bytes, count) == ASC_OK, "%s", what);
    test_same_stats(loaded, run, what);
    test_same_view(loaded, run, asc_problem_count(problem), what);
    test_finish(loaded);
    test_same_stats(loaded, whole, what);
    asc_run_free(loaded);
  }
  test_same_stats(run, whole, what);
  asc_run_free(run);
  asc_run_free(whole);
}

static void a_save_of_every_step_goes_on_the_same(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (uint32_t number = 0; number < test_cases(60); number++) {
    asci_rng rng = {number};
    test_shape shape = {
        .min_buffers = 3, .max_buffers = 9, .max_time = 8, .max_size = 9, .max_alignment = 2, .tie = 30, .rects = 70};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    test_options options = {0};
    test_option_set(&options, "swaps", "12");
    test_option_set(&options, "windows", number % 3 ? "true" : "false");
    test_option_set(&options, "as_printed", number % 4 ? "false" : "true");
    asc_run_config config = test_config("taa-exact", asc_problem_lower_bound(problem) + number % 3, &options);
    config.goal = number % 2 ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
    char what[32];
    snprintf(what, sizeof what, "problem %u", number);
    save_at_every_step(problem, &config, what);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* Both have a piece in that section at that address, where they were before. */
static void check_clash(const asc_problem *problem, const asc_event_clash *clash) {
  const uint32_t buffers[] = {(uint32_t)clash->buffer, (uint32_t)clash->other};
  const int64_t bases[] = {clash->from, clash->base};
  for (uint32_t k = 0; k < 2; k++) {
    uint32_t count, held = 0;
    const asci_piece *pieces = asci_pieces(problem, buffers[k], &count);
    int64_t at = clash->address - bases[k];
    for (uint32_t p = 0; p < count; p++)
      held += pieces[p].first <= clash->section && clash->section < pieces[p].end && pieces[p].window_lower <= at &&
              at < pieces[p].window_upper;
    assert_int_equal(held, 1);
  }
}

/* What the page tells: collisions, who goes past whom, decisions taken back, proofs of windows. */
static void every_kind_of_step_is_told(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint64_t kinds = 0;
  for (uint32_t number = 0; number < 400; number++) {
    asci_rng rng = {number};
    test_shape shape = {
        .min_buffers = 8, .max_buffers = 10, .max_time = 8, .max_size = 20, .max_alignment = 1, .tie = 30, .rects = 50};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    asc_run_config config = test_config("taa-exact", 0, NULL);
    config.goal = ASC_GOAL_HEIGHT;
    asc_run *run = test_run_new(problem, &config);
    asc_log *log = NULL;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    test_finish(run);
    const asc_event *events;
    uint32_t count;
    asc_log_get(log, &events, &count, NULL, NULL);
    for (uint32_t k = 0; k < count; k++) {
      kinds |= UINT64_C(1) << events[k].kind;
      if (events[k].kind == ASC_EVENT_CLASH) check_clash(problem, &events[k].clash);
      if (events[k].kind == ASC_EVENT_COLLIDE) assert_true(events[k].collide.next > events[k].collide.offset);
      if (events[k].kind == ASC_EVENT_PROOF) assert_true(events[k].proof.lower <= events[k].proof.upper);
    }
    asc_run_free(run);
    asc_log_free(log);
    asc_problem_free(problem);
  }
  static const asc_event_kind told[] = {ASC_EVENT_TABULATE, ASC_EVENT_PLACE, ASC_EVENT_RESTART, ASC_EVENT_COLLIDE,
                                        ASC_EVENT_WINDOW,   ASC_EVENT_LIFT,  ASC_EVENT_NO_LIFT, ASC_EVENT_DROP,
                                        ASC_EVENT_PROOF,    ASC_EVENT_CLASH, ASC_EVENT_SWAP,    ASC_EVENT_SWAP_BACK,
                                        ASC_EVENT_INCUMBENT};
  for (uint32_t k = 0; k < COUNT(told); k++) CHECK(kinds >> told[k] & 1, "kind %d was never told", told[k]);
  test_context_end(context);
}

int run_taa_exact_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_worked_out_on_paper),
      cmocka_unit_test(networks_of_the_design),
      cmocka_unit_test(no_plan_of_small_task_lists_is_lower),
      cmocka_unit_test(no_plan_of_random_shapes_is_lower),
      cmocka_unit_test(agrees_with_exact_on_rectangles),
      cmocka_unit_test(a_capacity_is_decided),
      cmocka_unit_test(bounds_hold_at_every_step),
      cmocka_unit_test(a_save_of_every_step_goes_on_the_same),
      cmocka_unit_test(every_kind_of_step_is_told),
  };
  return cmocka_run_group_tests_name("taa_exact", tests, NULL, NULL);
}
