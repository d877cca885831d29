/* taa and taa-exact where they end: beyond every address, without memory, and at saves that contradict themselves. */
#include "engine/oom.h"
#include "forged.h"
#include "saturated.h"
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

#define HALF (INT64_C(1) << 52) /* of all addresses, and one byte */

static asc_run *minimising(const asc_problem *problem, const char *solver, const test_options *options) {
  asc_run_config config = test_config(solver, ASC_MAX_BYTES, options);
  config.goal = ASC_GOAL_HEIGHT;
  return test_run_new(problem, &config);
}

/* ---- beyond every address -------------------------------------------------------------------------------------------- */

/* Two lie at the two multiples of half of all addresses; the third finds none, whichever it is. */
static void alignments_beyond_every_address(void **state) {
  (void)state;
  static const char *const solvers[] = {"taa", "taa-exact"};
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 1, 1), test_spec(0, 1, 1), test_spec(0, 1, 1)};
  for (uint32_t b = 0; b < COUNT(specs); b++) specs[b].alignment = HALF;
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  for (uint32_t k = 0; k < COUNT(solvers); k++) {
    asc_run *run = minimising(problem, solvers[k], NULL);
    asc_log *log = NULL;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    assert_int_equal(test_finish(run), k ? ASC_OUTCOME_INFEASIBLE : ASC_OUTCOME_EXHAUSTED);
    const asc_event *events;
    uint32_t count, refused = 0;
    asc_log_get(log, &events, &count, NULL, NULL);
    for (uint32_t at = 0; at < count; at++) {
      if (events[at].kind != ASC_EVENT_REJECT) continue;
      assert_true(events[at].reject.offset == ASC_MAX_BYTES && events[at].reject.floor == ASC_MAX_BYTES);
      refused++;
    }
    assert_int_equal(refused, 1);
    uint32_t conflict;
    assert_true(!k || (asc_run_conflict(run, &conflict) && conflict == COUNT(specs)));
    asc_run_free(run);
    asc_log_free(log);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* A saturated one whose least height is not its load, so that nothing is proved soon, and one more below it. */
static asc_problem *stubborn(asc_context *context, const asc_buffer_spec *base) {
  asc_problem *saturated;
  asc_buffer_spec specs[80];
  assert_int_equal(saturated_problem(context, 14, 2, &saturated), ASC_OK);
  uint32_t count = asc_problem_count(saturated);
  assert_true(count < COUNT(specs));
  for (uint32_t b = 0; b < count; b++) specs[b] = *asc_problem_buffer(saturated, b);
  if (base) specs[count++] = *base;
  asc_problem *made = test_problem(context, specs, count);
  asc_problem_free(saturated);
  return made;
}

/* A base that takes half of all addresses at multiples of as much, and so has to lie at the bottom; above it what takes long. */
static asc_problem *based(asc_context *context) {
  asc_buffer_spec base = test_spec(0, 14, HALF);
  base.alignment = HALF;
  return stubborn(context, &base);
}

/* Who comes first lies at the bottom: the base then finds no place, though an address is left. */
static void no_room_above(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = based(context);
  test_options options = {0};
  test_option_set(&options, "order", "forward");
  asc_run *run = minimising(problem, "taa", &options);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  assert_int_equal(test_finish(run), ASC_OUTCOME_EXHAUSTED);
  const asc_event *events;
  uint32_t count;
  asc_log_get(log, &events, &count, NULL, NULL);
  assert_int_equal(events[count - 1].kind, ASC_EVENT_REJECT);
  assert_int_equal(events[count - 1].reject.floor, HALF);
  asc_run_free(run);
  asc_log_free(log);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- saves ----------------------------------------------------------------------------------------------------------- */

/* What taa-exact keeps, in its order, behind what the engine does: in the orders from ROUND on other things, and where nothing was swapped yet the search
   behind THERE. */
enum {
  PART,
  TABLED,
  ORDERED,
  BEST,
  ROUND,
  NTH,
  NEXT,
  LEFT,
  RNG,
  THERE,
  ORDER,
  PLACED = NTH,
  FIRST_OFFSET = RNG,
  DEPTH = THERE + 5,
  PAIR = THERE + 8
};
enum { TABLES, ORDERS, WINDOWS, ALL, SWAPS }; /* parts */

static size_t own_begin(const test_saved *saved, const asc_problem *problem) {
  return SAVED_PLAN + (forged_nth(saved, SAVED_HEIGHT) ? asc_problem_count(problem) : 0);
}

/* The first save, looked for every so many steps, of that part in which a number of its own is that. */
static test_saved save_at(const asc_problem *problem, asc_run *run, uint64_t steps, uint64_t part, size_t which,
                          uint64_t number) {
  for (uint32_t k = 0; k < 20000; k++) {
    asc_outcome outcome;
    assert_int_equal(asc_run_step(run, steps, &outcome), ASC_OK);
    assert_int_equal(outcome, ASC_OUTCOME_RUNNING);
    test_saved saved = test_save(run);
    size_t own = own_begin(&saved, problem);
    if (forged_nth(&saved, own + PART) == part && forged_nth(&saved, own + which) == number) return saved;
    free(saved.bytes);
  }
  fail();
  return (test_saved){0};
}

/* The save with other numbers; whether it is taken. */
static asc_status load_with(const asc_problem *problem, const test_options *options, const test_saved *saved, size_t at,
                            const uint64_t *numbers, uint32_t count) {
  asc_run *other = minimising(problem, "taa-exact", options);
  test_saved forged = forged_with(saved, 0, 0, 0); /* a copy, with a number too many in front */
  forged.count = saved->count;
  memcpy(forged.bytes, saved->bytes, saved->count);
  for (uint32_t k = 0; k < count; k++) forged_set(&forged, at + k, numbers[k]);
  asc_status status = asc_run_load(other, forged.bytes, forged.count);
  if (!status) assert_int_equal(asc_run_step(other, 6000, NULL), ASC_OK);
  free(forged.bytes);
  asc_run_free(other);
  return status;
}

/* The order that is tried on is one with a plan, has each buffer once, and is there. */
static void saves_of_swaps(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = based(context);
  test_options options = {0};
  test_option_set(&options, "windows", "false");
  asc_run *run = minimising(problem, "taa-exact", &options);
  test_saved saved = save_at(problem, run, 50, SWAPS, THERE, 1);
  size_t own = own_begin(&saved, problem);
  uint64_t first[] = {forged_nth(&saved, own + ORDER), forged_nth(&saved, own + ORDER + 1)},
           swapped[] = {first[1], first[0]};
  assert_int_equal(first[0], asc_problem_count(problem) - 1);
  assert_int_equal(load_with(problem, &options, &saved, own + ORDER, first, 2), ASC_OK);
  assert_int_equal(load_with(problem, &options, &saved, own + ORDER, swapped, 2), ASC_BAD_SAVE);   /* beyond every address */
  assert_int_equal(load_with(problem, &options, &saved, own + ORDER + 1, first, 1), ASC_BAD_SAVE); /* twice the same */
  assert_int_equal(load_with(problem, &options, &saved, own + THERE, (const uint64_t[]){0}, 1), ASC_BAD_SAVE);
  assert_int_equal(load_with(problem, &options, &saved, own + ROUND, (const uint64_t[]){40}, 1), ASC_OK);
  assert_int_equal(load_with(problem, &options, &saved, own + ROUND, (const uint64_t[]){65}, 1), ASC_BAD_SAVE);
  free(saved.bytes);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

static bool meet(const asc_problem *problem, uint32_t a, uint32_t b) {
  const asc_buffer_spec *one = asc_problem_buffer(problem, a), *other = asc_problem_buffer(problem, b);
  return one->lower < other->upper && other->lower < one->upper;
}

static void saves_of_orders_and_decisions(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = stubborn(context, NULL);
  asc_run *run = minimising(problem, "taa-exact", NULL);
  test_saved saved = save_at(problem, run, 1, ORDERS, PLACED, 1);
  size_t own = own_begin(&saved, problem);
  assert_int_equal(load_with(problem, NULL, &saved, own + FIRST_OFFSET, (const uint64_t[]){9}, 1), ASC_OK);
  assert_int_equal(load_with(problem, NULL, &saved, own + FIRST_OFFSET, (const uint64_t[]){ASC_MAX_BYTES}, 1), ASC_BAD_SAVE);
  free(saved.bytes);
  saved = save_at(problem, run, 1, WINDOWS, DEPTH, 1);
  own = own_begin(&saved, problem);
  uint64_t pair = forged_nth(&saved, own + PAIR), pairs = 0;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++)
    for (uint32_t other = 0; other < b; other++) pairs += meet(problem, b, other);
  assert_true(pair < pairs && !forged_nth(&saved, own + THERE));
  assert_int_equal(load_with(problem, NULL, &saved, own + PAIR, &pair, 1), ASC_OK);
  assert_int_equal(load_with(problem, NULL, &saved, own + PAIR, &pairs, 1), ASC_BAD_SAVE);
  free(saved.bytes);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Without buffers there are no windows and no swaps, whatever a save says. */
static void saves_of_nothing(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, NULL, 0);
  asc_run *run = minimising(problem, "taa-exact", NULL);
  test_saved saved = test_save(run);
  size_t own = own_begin(&saved, problem);
  for (uint64_t part = TABLES; part <= SWAPS; part++)
    assert_int_equal(load_with(problem, NULL, &saved, own + PART, &part, 1), part == ORDERS ? ASC_OK : ASC_BAD_SAVE);
  free(saved.bytes);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* One buffer alone is proved at once; a save may say that it was tried in vain, and there is no other to swap it with. */
static void a_save_of_one(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec spec = test_spec(0, 1, 5);
  asc_problem *problem = test_problem(context, &spec, 1);
  asc_run *run = minimising(problem, "taa-exact", NULL);
  test_saved saved = test_save(run);
  size_t own = own_begin(&saved, problem);
  static const uint64_t numbers[] = {ALL, 0, 1, 0, 0, 0, 1, 0};
  static const uint8_t search[] = {5,  0, 1,  0, 0,
                                   10, 0, 10, 3}; /* from RNG on: nothing was decided below 10, and that is all */
  for (uint32_t k = 0; k < COUNT(numbers); k++) forged_set(&saved, own + k, numbers[k]);
  forged_set(&saved, SAVED_DEPTH, 1);
  saved.bytes = realloc(saved.bytes, saved.count + sizeof search);
  assert_non_null(saved.bytes);
  memcpy(saved.bytes + saved.count, search, sizeof search);
  saved.count += sizeof search;
  assert_int_equal(asc_run_load(run, saved.bytes, saved.count), ASC_OK);
  assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
  free(saved.bytes);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- tables under way ------------------------------------------------------------------------------------------------ */

/* A save from amid them is gone on from; where there is no memory to make them so far again, that is said. */
static void saves_of_tables(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tile_fsrcnn(context);
  asc_problem *problem = tiles_problem(tiling, 0);
  asc_run *run = minimising(problem, "taa-exact", NULL), *straight = minimising(problem, "taa-exact", NULL);
  assert_int_equal(asc_run_step(run, 2, NULL), ASC_OK);
  test_saved saved = test_save(run);
  assert_int_equal(forged_nth(&saved, own_begin(&saved, problem) + PART), TABLES);
  assert_int_equal(asc_run_load(run, saved.bytes, saved.count), ASC_OK);
  test_finish(run);
  test_finish(straight);
  test_same_stats(run, straight, "tables once more");
  free(saved.bytes);
  asc_run_free(run);
  asc_run_free(straight);
  asc_problem_free(problem);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* The cursor goes on to tables that are further and back to some that were less far. */
static void back_to_earlier_tables(void **state) {
  (void)state;
  static const uint64_t steps[] = {3, 1, 2, 0, 3};
  asc_context *context = test_context();
  asc_tiling *tiling = tile_fsrcnn(context);
  asc_problem *problem = tiles_problem(tiling, 0);
  asc_run_config config = test_config("taa-exact", ASC_MAX_BYTES, NULL);
  asc_timeline *timeline = NULL;
  config.goal = ASC_GOAL_HEIGHT;
  assert_int_equal(asc_timeline_new(asc_input_buffers(problem), &config, 1 << 20, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, 3, NULL), ASC_OK);
  for (uint32_t k = 0; k < COUNT(steps); k++) {
    asc_run_view view;
    asc_run *fresh = test_run_new(problem, &config);
    if (steps[k]) assert_int_equal(asc_run_step(fresh, steps[k], NULL), ASC_OK);
    assert_int_equal(asc_timeline_seek(timeline, steps[k], 0, 0, &view), ASC_OK);
    test_same_stats(asc_timeline_cursor(timeline), fresh, "a seek among tables");
    asc_run_free(fresh);
  }
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* ---- no memory ------------------------------------------------------------------------------------------------------- */

/* Two buffers of many chunks, which leave many ranges: tables take some steps and grow. */
static asc_problem *apart_problem(asc_context *context) {
  enum { CHUNKS = 300 };
  static asc_rect rects[2][CHUNKS];
  asc_buffer_spec specs[2];
  for (uint32_t b = 0; b < 2; b++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < CHUNKS; k++, at += b ? 1700 + (int64_t)k % 7 * 2 : 3)
      rects[b][k] = (asc_rect){0, 1, at, at + 1};
    specs[b] = test_spec(0, 1, rects[b][CHUNKS - 1].high);
    specs[b].shape = rects[b];
    specs[b].shape_count = CHUNKS;
  }
  return test_problem(context, specs, 2);
}

/* A swap finds the lowest plan of these. */
static const char swapped_text[] =
    "id,lower,upper,size,shape\na,2,5,1,\nb,5,7,19,5-6@8:16 5-6@18:19 6-7@0:11\nc,2,8,17,\nd,5,8,5,\n"
    "e,4,8,4,\nf,4,7,4,4-7@3:4\ng,4,7,14,4-6@9:11 4-6@12:13 6-7@0:14\nh,2,8,6,\ni,5,7,7,\n"
    "j,4,8,16,\n";

static oom_result swap_without_memory(asc_context *context, uint32_t which) {
  (void)which;
  oom_result result = oom_none();
  asc_csv *csv = NULL;
  size_t faults;
  result.out_of_memory =
      oom_lacks(asc_csv_read(context, swapped_text, sizeof swapped_text - 1, ASC_OFFSETS_FIXED, &csv, NULL, 0, &faults));
  if (result.out_of_memory) return result;
  static const asc_option_value options[] = {{"windows", "false"}};
  asc_run_config config = asc_run_config_default("taa-exact", 0);
  config.goal = ASC_GOAL_HEIGHT;
  config.options = options;
  config.option_count = 1;
  asc_run *run = NULL;
  result.out_of_memory = oom_lacks(asc_run_new(asc_input_buffers(asc_csv_problem(csv)), &config, &run, NULL));
  if (!result.out_of_memory) {
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    while (outcome == ASC_OUTCOME_RUNNING && !result.out_of_memory)
      result.out_of_memory = oom_lacks(asc_run_step(run, 100000, &outcome));
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    result.out_of_memory = result.out_of_memory || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
    result.value = stats.steps << 16 ^ (uint64_t)stats.height;
  }
  asc_run_free(run);
  asc_csv_free(csv);
  return result;
}

static void no_memory_for_earlier_tables(void **state) {
  (void)state;
  bool failed = true;
  uint64_t at = 1;
  for (; failed; at++) {
    test_memory memory = {0};
    asc_context *context = test_context_on(&memory);
    asc_problem *problem = apart_problem(context);
    asc_run *run = minimising(problem, "taa-exact", NULL), *other = minimising(problem, "taa-exact", NULL);
    assert_int_equal(asc_run_step(run, 2, NULL), ASC_OK);
    test_saved saved = test_save(run);
    assert_int_equal(forged_nth(&saved, own_begin(&saved, problem) + PART), TABLES);
    memory.fail_at = memory.calls + at;
    asc_status status = asc_run_load(other, saved.bytes, saved.count);
    failed = status == ASC_OUT_OF_MEMORY;
    assert_true(failed || !status);
    free(saved.bytes);
    asc_run_free(run);
    asc_run_free(other);
    asc_problem_free(problem);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
  }
  assert_true(at > 3);
}

static void no_memory_for_swaps(void **state) {
  (void)state;
  oom_fail_some_calls("swaps", swap_without_memory, 0, 4);
}

int run_taa_ends_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(alignments_beyond_every_address),
      cmocka_unit_test(no_room_above),
      cmocka_unit_test(saves_of_swaps),
      cmocka_unit_test(saves_of_orders_and_decisions),
      cmocka_unit_test(saves_of_nothing),
      cmocka_unit_test(a_save_of_one),
      cmocka_unit_test(saves_of_tables),
      cmocka_unit_test(back_to_earlier_tables),
      cmocka_unit_test(no_memory_for_earlier_tables),
      cmocka_unit_test(no_memory_for_swaps),
  };
  return cmocka_run_group_tests_name("taa_ends", tests, NULL, NULL);
}
