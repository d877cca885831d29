/* The large solver: what its steps do to what is placed, plans at the load bound, awkward shapes. (Tiny problems against the oracle, save and
 * load, memory and parity are in the suites of all solvers.) */
#include "awkward.h"
#include "support.h"

#include "base/sort.h"
#include "model/large/attempt.h"
#include "trace/events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

static asc_run *minimised(const asc_problem *problem, asc_log *log) {
  test_options options = {0};
  options.goal = ASC_GOAL_HEIGHT;
  asc_run_config config = test_config("large", 0, &options);
  asc_run *run = test_run_new(problem, &config);
  if (log) asc_run_attach(run, log);
  test_finish(run);
  return run;
}

/* A try as its events tell it. */
typedef struct tale {
  int64_t *offsets;
  bool *was_out; /* taken out in this try */
  uint32_t depth, forced;
} tale;

typedef struct tally {
  uint32_t forced, again, abandoned, unfinished;
} tally;

/* What is said of the try before holds: its buffer was out, and so many were in, so many of them by force. */
static void check_abandoned(const asc_event *event, const tale *before) {
  bool nobody = event->abandon.buffer == ASC_NONE;
  assert_int_equal(nobody, event->abandon.why == ASCI_LARGE_ASTRAY);
  if (!nobody) assert_true(before->offsets[event->abandon.buffer] == ASC_UNPLACED);
  assert_int_equal(event->abandon.forced, before->forced);
  assert_int_equal(event->abandon.placed, before->depth);
  if (event->abandon.why == ASCI_LARGE_SPENT) assert_int_equal(before->forced, event->abandon.budget);
  assert_true(event->abandon.why != ASCI_LARGE_WALLED); /* nobody is fixed */
}

/* What goes in over others meets each of them. */
static void take_out(const asc_problem *problem, const asc_event *event, const uint32_t *list, tale *now) {
  int64_t size = asc_problem_buffer(problem, (uint32_t)event->eject.buffer)->size;
  assert_int_equal(event->list_count, event->eject.count);
  assert_true(event->eject.offset + size <= event->eject.target);
  for (uint32_t i = 0; i < event->list_count; i++) {
    int64_t low = now->offsets[list[i]], high = low + asc_problem_buffer(problem, list[i])->size;
    assert_true(low != ASC_UNPLACED && low < event->eject.offset + size && event->eject.offset < high);
    now->offsets[list[i]] = ASC_UNPLACED;
    now->was_out[list[i]] = true;
  }
  now->depth -= event->list_count;
  assert_int_equal(event->eject.fails, ++now->forced);
}

static void put_in(const asc_problem *problem, const asc_event *event, tale *now) {
  uint32_t n = asc_problem_count(problem);
  asci_spot spot = asci_spot_of(event);
  assert_true(now->offsets[spot.buffer] == ASC_UNPLACED);
  now->offsets[spot.buffer] = spot.offset;
  assert_int_equal(event->depth, ++now->depth);
  if (now->depth % 16) return;
  size_t violations = 0;
  assert_int_equal(asc_validate(problem, now->offsets, INT64_MAX, NULL, 0, &violations), ASC_OK);
  assert_int_equal(violations, n - now->depth); /* those that are out, each outside */
}

static void begin(uint32_t n, tale *now, tale *before) {
  tale kept = *before;
  *before = *now;
  *now = (tale){.offsets = kept.offsets, .was_out = kept.was_out};
  for (uint32_t b = 0; b < n; b++) now->offsets[b] = ASC_UNPLACED;
  memset(now->was_out, 0, n * sizeof *now->was_out);
}

/* Who is placed, by the events alone, and whether they say who comes back and what became of a try. */
static void follow(const asc_problem *problem, const asc_log *log, tally *sum) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count, n = asc_problem_count(problem);
  asc_log_get(log, &events, &count, &lists, NULL);
  tale tales[2] = {0}, *now = &tales[0], *before = &tales[1];
  for (int k = 0; k < 2; k++) {
    tales[k] = (tale){.offsets = malloc(n * sizeof *now->offsets), .was_out = calloc(n, sizeof *now->was_out)};
    assert_true(tales[k].offsets && tales[k].was_out);
  }
  for (uint32_t k = 0; k < count; k++) {
    const asc_event *event = &events[k];
    if (event->kind == ASC_EVENT_RESTART) {
      begin(n, now, before);
      sum->unfinished += before->depth && before->depth < n;
    } else if (event->kind == ASC_EVENT_ABANDON) {
      sum->abandoned++;
      check_abandoned(event, before);
    } else if (event->kind == ASC_EVENT_EJECT) {
      take_out(problem, event, lists + event->list, now);
      put_in(problem, event, now);
      sum->forced++;
    } else if (event->kind == ASC_EVENT_PLACE) {
      assert_int_equal(event->place.again, now->was_out[event->place.buffer]);
      put_in(problem, event, now);
      sum->again += event->place.again != 0;
    }
  }
  for (int k = 0; k < 2; k++) {
    free(tales[k].offsets);
    free(tales[k].was_out);
  }
}

static void what_goes_in_takes_out_what_it_meets(void **state) {
  (void)state;
  asci_rng rng = {12};
  tally sum = {0};
  for (uint32_t round = 0; round < test_cases(40); round++) {
    asc_context *context = test_context();
    test_shape shape = {
        .min_buffers = 20, .max_buffers = 60, .min_time = 8, .max_time = 30, .max_size = 40, .max_alignment = 4};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    asc_log *log = NULL;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run *run = minimised(problem, log);
    follow(problem, log, &sum);
    asc_run_free(run);
    asc_log_free(log);
    asc_problem_free(problem);
    test_context_end(context);
  }
  assert_true(sum.forced > test_cases(40) && sum.again > test_cases(40) && sum.abandoned > test_cases(40));
  assert_int_equal(sum.abandoned, sum.unfinished);
}

/* ---- orders ---- */

typedef struct standings {
  const asc_problem *problem;
  const asci_large_keys *keys;
  asci_large_order by;
} standings;

/* What decides, greater first: by the words of orders.h. */
static int64_t standing(const standings *s, uint32_t b, bool second) {
  int64_t size = asc_problem_buffer(s->problem, b)->size, peak = s->keys->peak[b], wide = s->keys->wide[b];
  int64_t whole = asc_problem_lower_bound(s->problem), magnitude = 0;
  const asc_buffer_spec *spec = asc_problem_buffer(s->problem, b);
  int64_t life = spec->upper - spec->lower;
  while (size >> magnitude) magnitude++;
  switch (s->by) {
  case ASCI_LARGE_TW:
    return second ? wide : peak;
  case ASCI_LARGE_PW:
    return second ? wide : peak / (whole / 20);
  case ASCI_LARGE_TZ:
    return second ? size : peak;
  case ASCI_LARGE_QW:
    return second ? wide : peak / (whole / 5);
  case ASCI_LARGE_PZ:
    return second ? size : peak / (whole / 20);
  case ASCI_LARGE_PA:
    return second ? size * wide : peak / (whole / 20);
  case ASCI_LARGE_LA:
    return second ? size * wide : magnitude;
  case ASCI_LARGE_Z:
    return second ? life : size;
  case ASCI_LARGE_W:
    return second ? size : life;
  case ASCI_LARGE_A:
    return second ? size : size * life;
  case ASCI_LARGE_B:
    return second ? size : s->keys->at[b] == ASC_NONE ? -1 : peak * asc_problem_section_count(s->problem) - s->keys->at[b];
  default:
    return second ? size : -spec->lower;
  }
}

static bool stands_first(const void *keys, uint32_t a, uint32_t b) {
  for (int second = 0; second < 2; second++) {
    int64_t x = standing(keys, a, second), y = standing(keys, b, second);
    if (x != y) return x > y;
  }
  const standings *s = keys;
  if (s->by >= ASCI_LARGE_Z) return a < b;
  return asc_problem_buffer(s->problem, a)->lower < asc_problem_buffer(s->problem, b)->lower;
}

/* The order is that of a sort of all by comparing; those with fixed offsets come before, by index. */
static void check_order(const asc_problem *problem, asci_large_keys *keys, asci_large_order by) {
  uint32_t n = asc_problem_count(problem), fixed = 0;
  uint32_t *order = malloc(n * sizeof *order), *expected = malloc(n * sizeof *expected),
           *scratch = malloc(n * sizeof *scratch);
  assert_true(order && expected && scratch);
  for (int free = 0; free < 2; free++)
    for (uint32_t b = 0, at = fixed; b < n; b++)
      if ((asc_problem_buffer(problem, b)->offset == ASC_UNPLACED) == free) expected[free ? at++ : fixed++] = b;
  standings how = {problem, keys, by};
  asci_sort(expected + fixed, scratch, n - fixed, stands_first, &how);
  asci_large_sort(problem, keys, by, order);
  for (uint32_t k = 0; k < n; k++) CHECK(order[k] == expected[k], "order %d, place %u", (int)by, k);
  free(order);
  free(expected);
  free(scratch);
}

static void orders_are_what_they_say(void **state) {
  (void)state;
  static const char *const kinds[] = {"training", "heavy-tailed", "stationary", "full-overlap"};
  for (uint32_t kind = 0; kind < COUNT(kinds); kind++)
    for (uint32_t n = 500; n <= 5000; n += 4500) {
      asc_context *context = test_context();
      asc_problem *made = NULL;
      int64_t capacity;
      assert_int_equal(asc_generate(context, kinds[kind], n, 1, &made, &capacity), ASC_OK);
      asc_buffer_spec *specs = malloc(n * sizeof *specs);
      assert_non_null(specs);
      for (uint32_t b = 0; b < n; b++) {
        specs[b] = *asc_problem_buffer(made, b);
        if (b % 7 == 3) specs[b].offset = 0;
      }
      asc_problem *problem = test_problem(context, specs, n);
      asci_large_keys keys = {0};
      assert_int_equal(asci_large_keys_new(problem, &keys), ASC_OK);
      for (int by = 0; by < ASCI_LARGE_ORDERS; by++) check_order(problem, &keys, (asci_large_order)by);
      asci_large_keys_free(problem, &keys);
      asc_problem_free(problem);
      asc_problem_free(made);
      free(specs);
      test_context_end(context);
    }
}

/* ---- heights ---- */

/* The least height above the lower bound, in ten-thousandths, that it must reach. */
static void judge(const asc_problem *problem, const asc_run *run, int64_t most, const char *what) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  test_sound_least(problem, run, what);
  CHECK(stats.height >= 0, "%s: no plan", what);
  double above = (double)(stats.height - stats.lower_bound) / (double)stats.lower_bound * 10000;
  CHECK(above <= (double)most, "%s: %.2f ten-thousandths above the bound", what, above);
  CHECK(stats.steps < 12 * (uint64_t)asc_problem_count(problem) + 4000, "%s: %" PRIu64 " steps", what, stats.steps);
}

static void reaches(const asc_problem *problem, int64_t most, const char *what) {
  asc_run *run = minimised(problem, NULL);
  judge(problem, run, most, what);
  asc_run_free(run);
}

/* The most bytes that the run held at once beyond the problem, for each buffer. */
static double held_each(const awkward_shape *shape, uint32_t n) {
  test_memory memory = {0};
  asc_context *context = test_context_on(&memory);
  asc_problem *problem = awkward_problem(context, shape, n);
  size_t before = asc_context_bytes(context);
  memory.watched = context;
  asc_run *run = minimised(problem, NULL);
  memory.watched = NULL;
  judge(problem, run, 0, shape->name);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
  return (double)(memory.most_bytes - before) / n;
}

/* Measured: 227 (all at once) to 316 bytes (equal sizes). */
static void awkward_shapes_end_well(void **state) {
  (void)state;
  for (uint32_t s = 0; s < AWKWARD_SHAPES; s++) {
    double held = held_each(&awkward_shapes[s], 20000);
    CHECK(held <= 340, "%s: %.1f bytes a buffer", awkward_shapes[s].name, held);
  }
}

static void networks_are_packed_to_the_bound(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= (test_is_sanitized() ? 1 : 4); seed++) {
    asc_context *context = test_context();
    asc_problem *problem = NULL;
    int64_t capacity;
    assert_int_equal(asc_generate(context, "network", 2000, seed, &problem, &capacity), ASC_OK);
    reaches(problem, 10, "network");
    asc_problem_free(problem);
    test_context_end(context);
  }
}

/* Uniform sizes and lives: the load bound is far, and forcing alone was behind first fit by size or by area. */
static void no_order_of_first_fit_is_better(void **state) {
  (void)state;
  static const char *const orders[] = {"size", "area", "lifetime", "breadth", "start"};
  asci_rng rng = {12};
  for (uint32_t round = 0; round < test_cases(12); round++) {
    asc_context *context = test_context();
    const test_shape shape = {.min_buffers = 30,
                              .max_buffers = 150,
                              .min_time = 40,
                              .max_time = 100,
                              .max_size = 1000,
                              .max_alignment = 1 + round % 4};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    asc_run *run = minimised(problem, NULL);
    asc_run_stats stats, other;
    asc_run_stats_get(run, &stats);
    for (uint32_t k = 0; k < COUNT(orders); k++) {
      test_options options = {0};
      test_option_set(&options, "order", orders[k]);
      asc_run_config config = test_config("first-fit", ASC_MAX_BYTES, &options);
      asc_run *first = test_run_new(problem, &config);
      test_finish(first);
      asc_run_stats_get(first, &other);
      CHECK(stats.height <= other.height, "by %s: %" PRId64 ", large %" PRId64, orders[k], other.height, stats.height);
      asc_run_free(first);
    }
    asc_run_free(run);
    asc_problem_free(problem);
    test_context_end(context);
  }
}

/* ---- ends before the end ---- */

/* Cancelled at a step, the run says so, keeps a plan that it has, and its save is taken up. */
static void cancelled_at(const asc_problem *problem, uint64_t step) {
  test_options options = {0};
  options.goal = ASC_GOAL_HEIGHT;
  asc_run_config config = test_config("large", 0, &options);
  asc_run *run = test_run_new(problem, &config), *other = test_run_new(problem, &config);
  asc_outcome outcome;
  assert_int_equal(asc_run_step(run, step, &outcome), ASC_OK);
  assert_int_equal(outcome, ASC_OUTCOME_RUNNING);
  asc_run_cancel(run);
  assert_int_equal(asc_run_step(run, 10, &outcome), ASC_OK);
  assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  assert_int_equal(stats.steps, step);
  size_t violations = 0;
  const int64_t *best = asc_run_best(run);
  if (best) assert_int_equal(asc_validate(problem, best, stats.height, NULL, 0, &violations), ASC_OK);
  assert_int_equal(violations, 0);
  const uint8_t *bytes;
  size_t count;
  assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
  assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
  asc_run_free(run);
  asc_run_free(other);
}

static void a_cancel_ends_it_at_any_step(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  int64_t capacity;
  assert_int_equal(asc_generate(context, "synthetic", 60, 2, &problem, &capacity), ASC_OK);
  asc_run *run = minimised(problem, NULL);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  asc_run_free(run);
  uint64_t stride = stats.steps / test_cases(100) + 1;
  for (uint64_t step = 0; step < stats.steps; step += stride) cancelled_at(problem, step);
  asc_problem_free(problem);
  test_context_end(context);
}

/* The last try abandoned, what is saved is taken up as ended. */
static void a_run_without_tries_left_is_saved(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  int64_t capacity;
  assert_int_equal(asc_generate(context, "synthetic", 60, 2, &problem, &capacity), ASC_OK);
  test_options options = {0};
  test_option_set(&options, "tries", "3");
  test_option_set(&options, "fails", "2");
  asc_run_config config = test_config("large", asc_problem_lower_bound(problem), &options);
  asc_run *run = test_run_new(problem, &config), *other = test_run_new(problem, &config);
  test_finish(run);
  const uint8_t *bytes;
  size_t count;
  asc_run_stats stats;
  assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
  assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
  asc_run_stats_get(other, &stats);
  assert_int_equal(stats.outcome, ASC_OUTCOME_EXHAUSTED);
  test_same_stats(other, run, "no try is left");
  asc_run_free(run);
  asc_run_free(other);
  asc_problem_free(problem);
  test_context_end(context);
}

/* A dive to its end: the sum of its offsets, each times its place. */
static int64_t dive_on(asci_large_attempt *attempt) {
  int64_t sum = 0;
  for (int64_t place = 1;; place++) {
    asci_large_move move = asci_large_next(attempt);
    if (move == ASCI_LARGE_DONE) return sum;
    assert_int_equal(move, ASCI_LARGE_PLACED);
    sum += place * attempt->offset;
  }
}

/* Refused any of what it needs it is not made; asked again, it is, and goes as it would have gone. */
static void a_dive_without_memory_is_made_anew(void **state) {
  (void)state;
  test_memory memory = {0};
  asc_context *context = test_context_on(&memory);
  asc_problem *problem = NULL;
  int64_t capacity;
  assert_int_equal(asc_generate(context, "synthetic", 60, 3, &problem, &capacity), ASC_OK);
  const asci_large_config dive = {.order = ASCI_LARGE_DIVE, .budget = 1};
  asci_large_attempt attempt;
  assert_int_equal(asci_large_attempt_new(problem, &attempt), ASC_OK);
  asci_large_begin(&attempt, &dive, ASC_MAX_BYTES, 1);
  uint64_t before = memory.calls;
  int64_t sum = dive_on(&attempt);
  uint64_t calls = memory.calls - before;
  assert_true(calls > 2);
  uint32_t refused = 0;
  for (uint64_t call = 1; call <= calls; call++) {
    asci_large_begin(&attempt, &dive, ASC_MAX_BYTES, 1);
    memory.fail_at = memory.calls + call;
    bool lost = asci_large_next(&attempt) == ASCI_LARGE_NO_MEMORY;
    memory.fail_at = 0;
    refused += lost;
    if (lost && !attempt.tree.no_memory) assert_int_equal(dive_on(&attempt), sum);
  }
  CHECK(refused > 2, "%u of %d calls refused", refused, (int)calls);
  asci_large_attempt_free(&attempt);
  asc_problem_free(problem);
  asc_context_free(context);
  assert_int_equal(memory.live, 0);
}

/* What was never made is freed as well, and once more. */
static void nothing_is_freed_of_no_attempt(void **state) {
  (void)state;
  asci_large_attempt none = {0};
  asci_large_attempt_free(&none);
  asci_large_attempt_free(&none);
  assert_null(none.order);
}

int run_large_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_goes_in_takes_out_what_it_meets),
      cmocka_unit_test(nothing_is_freed_of_no_attempt),
      cmocka_unit_test(a_dive_without_memory_is_made_anew),
      cmocka_unit_test(orders_are_what_they_say),
      cmocka_unit_test(awkward_shapes_end_well),
      cmocka_unit_test(networks_are_packed_to_the_bound),
      cmocka_unit_test(no_order_of_first_fit_is_better),
      cmocka_unit_test(a_cancel_ends_it_at_any_step),
      cmocka_unit_test(a_run_without_tries_left_is_saved),
  };
  return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}
