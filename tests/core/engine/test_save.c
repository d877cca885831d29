/* Saves: a run set to a saved state goes on as if it had never stopped, and no bytes whatever can hurt it. */
#include "cases.h"
#include "trace/events.h"

#include <stdlib.h>
#include <string.h>

static asc_run *stepped(test_case *each, uint64_t steps) {
  asc_run *run = test_case_run(each);
  assert_int_equal(asc_run_step(run, steps, NULL), ASC_OK);
  return run;
}

static uint64_t steps_of(const asc_run *run) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  return stats.steps;
}

static void same_best(const test_case *each, const asc_run *left, const asc_run *right) {
  const int64_t *a = asc_run_best(left), *b = asc_run_best(right);
  assert_int_equal(!a, !b);
  if (a) assert_memory_equal(a, b, asc_problem_count(each->problem) * sizeof *a);
}

/* ---- of nothing, or next to it ---- */

/* No buffer; some without a size; one that has one. */
static asc_problem *small_problem(asc_context *context, uint32_t which) {
  asc_buffer_spec specs[3] = {test_spec(0, 2, 0), test_spec(1, 3, 0), test_spec(0, 4, 5)};
  return test_problem(context, which == 2 ? specs + 2 : specs, which == 2 ? 1 : 2 * which);
}

/* Saved after each of its steps, loaded into another run, which goes on to the same end; and looked at from behind. */
static void goes_on_from_each_step(const asc_problem *problem, const asc_run_config *config, const char *what) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_timeline *timeline;
  asc_run_view view;
  for (uint64_t step = 0; outcome == ASC_OUTCOME_RUNNING; step++) {
    asc_run *run = test_run_new(problem, config), *other = test_run_new(problem, config);
    assert_int_equal(asc_run_step(run, step, &outcome), ASC_OK);
    test_saved saved = test_save(run);
    CHECK(asc_run_load(other, saved.bytes, saved.count) == ASC_OK, "%s: not loaded after step %d", what, (int)step);
    test_same_view(run, other, asc_problem_count(problem), what);
    test_finish(run);
    test_finish(other);
    test_same_stats(run, other, what);
    free(saved.bytes);
    asc_run_free(run);
    asc_run_free(other);
  }
  assert_int_equal(asc_timeline_new(asc_input_buffers(problem), config, 4096, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, UINT64_MAX, &outcome), ASC_OK);
  for (uint64_t step = 4; step-- > 0;) assert_int_equal(asc_timeline_seek(timeline, step, 1, 1, &view), ASC_OK);
  asc_timeline_free(timeline);
}

static void next_to_nothing(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (uint32_t k = 0; k < test_solver_count() * 6; k++) {
    const asc_solver_info *solver = asc_solver_at(k / 6);
    asc_goal goal = k % 2 ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
    if (goal != ASC_GOAL_FIT && !(solver->goals & 1u << goal)) continue;
    asc_problem *problem = small_problem(context, k / 2 % 3);
    asc_run_config config = asc_run_config_default(solver->id, 5);
    config.goal = goal;
    goes_on_from_each_step(problem, &config, solver->id);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* ---- saved and loaded ---- */

/* A step to save at, and how far the run that loads it has gone by then. */
typedef struct place {
  uint64_t step, ahead;
} place;

typedef struct places {
  place at[2 * ASC_EVENT_COUNT * ASC_RULE_COUNT + 32];
  uint32_t count;
} places;

static void add_place(places *all, asci_rng *rng, uint64_t step) {
  assert_true(all->count < COUNT(all->at));
  uint64_t ahead = asci_random_below(rng, 2) ? asci_random_below(rng, 500) : 0;
  all->at[all->count++] = (place){step, ahead};
}

static int by_step(const void *left, const void *right) {
  uint64_t a = ((const place *)left)->step, b = ((const place *)right)->step;
  return (a > b) - (a < b);
}

/* Right before and after the first step of each kind and rule: where a flag decides what comes next. */
static void add_turns(places *all, asci_rng *rng, const asc_log *log) {
  bool seen[ASC_EVENT_COUNT][ASC_RULE_COUNT];
  const asc_event *events;
  uint32_t count;
  memset(seen, 0, sizeof seen);
  asc_log_get(log, &events, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++) {
    bool step = events[k].kind < ASC_STEP_COUNT;
    bool *mark = &seen[events[k].kind][step ? asci_rule_of(&events[k]) : ASC_RULE_NONE];
    if (*mark) continue;
    *mark = true;
    add_place(all, rng, events[k].step - 1);
    add_place(all, rng, events[k].step);
  }
}

static void ends_as(const test_case *each, asc_run *run, asc_run *whole) {
  test_finish(run);
  test_same_stats(run, whole, each->name);
  test_same_view(run, whole, asc_problem_count(each->problem), each->name);
  same_best(each, run, whole);
}

/* Saves the run where it is; another one, whatever it did before, is then the same and ends the same. */
static void resumed(test_case *each, asc_run *run, uint64_t ahead, asc_run *whole) {
  test_saved saved = test_save(run);
  asc_run *loaded = stepped(each, ahead);
  assert_int_equal(asc_run_load(loaded, saved.bytes, saved.count), ASC_OK);
  test_same_stats(loaded, run, each->name);
  test_same_view(loaded, run, asc_problem_count(each->problem), each->name);
  same_best(each, loaded, run);
  test_saved again = test_save(loaded);
  CHECK(again.count == saved.count && !memcmp(again.bytes, saved.bytes, saved.count),
        "%s: saved at %d, loaded, saved otherwise", each->name, (int)steps_of(run));
  ends_as(each, loaded, whole);
  asc_run_free(loaded);
  free(saved.bytes);
  free(again.bytes);
}

/* One run is saved at all places on its way, and ends as if it had not been. */
static void saved_and_loaded(test_case *each) {
  asc_log *log = NULL;
  asc_run *whole = test_case_run(each), *run = test_case_run(each);
  assert_int_equal(asc_log_new(each->context, 0, &log), ASC_OK);
  asc_run_attach(whole, log);
  test_finish(whole);
  places all = {.count = 0};
  add_turns(&all, each->rng, log);
  asc_run_attach(whole, NULL);
  asc_log_free(log);
  uint64_t steps = steps_of(whole);
  add_place(&all, each->rng, 0);
  add_place(&all, each->rng, steps);
  for (int k = 0; k < 4; k++) add_place(&all, each->rng, asci_random_below(each->rng, steps + 1));
  for (uint64_t step = 1; step < 12 && step < steps; step++) add_place(&all, each->rng, step);
  qsort(all.at, all.count, sizeof all.at[0], by_step);
  for (uint32_t k = 0; k < all.count; k++) {
    assert_int_equal(asc_run_step(run, all.at[k].step - steps_of(run), NULL), ASC_OK);
    resumed(each, run, all.at[k].ahead, whole);
  }
  ends_as(each, run, whole);
  asc_run_free(whole);
  asc_run_free(run);
}

static void a_loaded_run_goes_on_the_same(void **state) {
  (void)state;
  test_each_case(test_cases(50), 201, saved_and_loaded);
}

/* ---- damaged ---- */

/* Whatever the bytes were: afterwards the run steps, shows itself and can be loaded with good bytes. */
static void load_damaged(test_case *each, const test_saved *good, const asc_run *at_good, uint8_t *data, size_t count) {
  uint32_t n = asc_problem_count(each->problem);
  asc_run *run = test_case_run(each);
  asc_run_step(run, asci_random_below(each->rng, 200), NULL);
  asc_status status = asc_run_load(run, data, count);
  CHECK(status == ASC_OK || status == ASC_BAD_SAVE, "%s: %s", each->name, asc_status_text(status));
  asc_run_view view;
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  assert_true(view.depth <= n);
  for (uint32_t d = 0; d < view.depth; d++) assert_true(!view.stack || view.stack[d] < n);
  if (status == ASC_BAD_SAVE) {
    asc_run *fresh = test_case_run(each);
    test_same_stats(run, fresh, each->name);
    test_same_view(run, fresh, n, each->name);
    asc_run_step(run, 300, NULL);
    asc_run_step(fresh, 300, NULL);
    test_same_stats(run, fresh, each->name);
    asc_run_free(fresh);
  } else {
    asc_run_step(run, 2000, NULL);
    assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
    size_t violations = 0;
    if (asc_run_best(run)) {
      assert_int_equal(asc_validate(each->problem, asc_run_best(run), INT64_MAX, NULL, 0, &violations), ASC_OK);
      assert_int_equal(violations, 0);
    }
  }
  assert_int_equal(asc_run_load(run, good->bytes, good->count), ASC_OK);
  test_same_stats(run, at_good, each->name);
  asc_run_free(run);
}

static void damage(test_case *each, uint8_t *data, size_t *count) {
  uint64_t flips = 1 + asci_random_below(each->rng, 3);
  switch (asci_random_below(each->rng, 4)) {
  case 0:
    *count = asci_random_below(each->rng, *count);
    break;
  case 1:
    while (flips--) data[asci_random_below(each->rng, *count)] ^= (uint8_t)(1u << asci_random_below(each->rng, 8));
    break;
  case 2:
    data[asci_random_below(each->rng, *count)] = (uint8_t)asci_random(each->rng);
    break;
  default: {
    size_t from = asci_random_below(each->rng, *count), to = asci_random_below(each->rng, *count);
    size_t most = *count - (from > to ? from : to);
    memmove(data + to, data + from, most ? asci_random_below(each->rng, most) : 0);
  }
  }
}

static void damaged(test_case *each) {
  asc_run *whole = test_case_run(each);
  test_finish(whole);
  uint64_t steps = steps_of(whole);
  for (int k = 0; k < 4; k++) {
    asc_run *run = stepped(each, asci_random_below(each->rng, steps + 1));
    test_saved good = test_save(run);
    uint8_t *data = malloc(good.count);
    assert_non_null(data);
    for (int trial = 0; trial < 12; trial++) {
      size_t count = good.count;
      memcpy(data, good.bytes, count);
      damage(each, data, &count);
      load_damaged(each, &good, run, data, count);
    }
    free(data);
    free(good.bytes);
    asc_run_free(run);
  }
  asc_run_free(whole);
}

static void damaged_saves_do_no_harm(void **state) {
  (void)state;
  test_each_case(test_cases(40), 202, damaged);
}

static void truncated(test_case *each) {
  asc_run *run = stepped(each, 40);
  test_saved good = test_save(run);
  asc_run *other = test_case_run(each);
  for (size_t count = 0; count < good.count; count++) assert_int_equal(asc_run_load(other, good.bytes, count), ASC_BAD_SAVE);
  uint8_t *longer = calloc(good.count + 1, 1);
  assert_non_null(longer);
  memcpy(longer, good.bytes, good.count);
  assert_int_equal(asc_run_load(other, longer, good.count + 1), ASC_BAD_SAVE);
  assert_int_equal(asc_run_load(other, NULL, 0), ASC_BAD_SAVE);
  assert_int_equal(asc_run_load(other, good.bytes, good.count), ASC_OK);
  free(longer);
  free(good.bytes);
  asc_run_free(run);
  asc_run_free(other);
}

static void every_truncation_is_refused(void **state) {
  (void)state;
  test_each_case(test_cases(24), 203, truncated);
}

/* ---- forged: true saves with one number changed, which damage by chance seldom meets ---- */

enum { /* the numbers of a save of minimalloc, by place */
       SAVED_OUTCOME = 3,
       SAVED_DEPTH = 4,
       SAVED_ARM = 16 + ASC_RULE_COUNT + 2,
};

/* The k-th number of a save: each ends at a byte without the top bit. */
static uint8_t *number_at(test_saved saved, size_t k) {
  size_t at = 0;
  for (; k; k--) {
    while (saved.bytes[at] & 0x80) at++;
    at++;
  }
  assert_true(at < saved.count && saved.bytes[at] < 0x80);
  return saved.bytes + at;
}

static void refused(const asc_problem *problem, const asc_run_config *config, test_saved forged) {
  asc_run *run = NULL;
  assert_int_equal(asc_run_new(asc_input_buffers(problem), config, &run, NULL), ASC_OK);
  assert_int_equal(asc_run_load(run, forged.bytes, forged.count), ASC_BAD_SAVE);
  test_finish(run);
  asc_run_free(run);
}

static void forged_saves_are_refused(void **state) {
  (void)state;
  enum { ARMS = 64 };
  char arms[2 * ARMS];
  for (size_t k = 0; k < ARMS; k++) memcpy(arms + 2 * k, k + 1 < ARMS ? "A," : "A", 2);
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 5, 3), test_spec(0, 5, 2), test_spec(0, 5, 1)};
  asc_problem *problem = test_problem(context, specs, 3);
  asc_option_value option = {"preordering_heuristics", arms};
  asc_run_config config = asc_run_config_default("minimalloc", 6);
  config.options = &option;
  config.option_count = 1;
  asc_run *run = NULL;
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, NULL), ASC_OK);
  assert_int_equal(asc_run_step(run, 2, NULL), ASC_OK); /* restart, place */
  test_saved saved = test_save(run);
  asc_run_free(run);
  uint8_t *arm = number_at(saved, SAVED_ARM), *depth = number_at(saved, SAVED_DEPTH);
  uint8_t *outcome = number_at(saved, SAVED_OUTCOME), *last = saved.bytes + saved.count - 1;
  assert_int_equal(*arm, 0);
  assert_int_equal(*depth, 1);
  assert_int_equal(*last, 0);
  *arm = ARMS; /* an attempt with a heuristic that there is not */
  refused(problem, &config, saved);
  *arm = 0;
  *outcome = ASC_OUTCOME_FEASIBLE; /* solved, and without a height */
  refused(problem, &config, saved);
  *outcome = ASC_OUTCOME_RUNNING;
  *last = 1 << 2 | 2; /* the last node has placed its first child and goes on with the next */
  *depth = 2;
  refused(problem, &config, saved);
  free(saved.bytes);
  asc_problem_free(problem);
  test_context_end(context);
}

/* A save belongs to one problem, solver, capacity, seed and set of options. */
static void elsewhere(test_case *each) {
  asc_run *run = stepped(each, 25);
  test_saved saved = test_save(run);
  test_case other = *each;
  other.config.capacity++;
  asc_run *wider = test_case_run(&other);
  assert_int_equal(asc_run_load(wider, saved.bytes, saved.count), ASC_BAD_SAVE);
  other = *each;
  other.config.seed++;
  asc_run *seeded = test_case_run(&other);
  assert_int_equal(asc_run_load(seeded, saved.bytes, saved.count), ASC_BAD_SAVE);
  if (each->solver->goals && !each->options.goal) {
    other = *each;
    other.options.goal = ASC_GOAL_HEIGHT;
    asc_run *lowest = test_case_run(&other);
    assert_int_equal(asc_run_load(lowest, saved.bytes, saved.count), ASC_BAD_SAVE);
    asc_run_free(lowest);
  }
  asc_buffer_spec spec = test_spec(0, 5, 3);
  asc_problem *small = test_problem(each->context, &spec, 1);
  other = *each;
  other.problem = small;
  asc_run *smaller = test_case_run(&other);
  assert_int_equal(asc_run_load(smaller, saved.bytes, saved.count), ASC_BAD_SAVE);
  asc_run_free(run);
  asc_run_free(wider);
  asc_run_free(seeded);
  asc_run_free(smaller);
  asc_problem_free(small);
  free(saved.bytes);
}

static void a_save_of_another_run_is_refused(void **state) {
  (void)state;
  test_each_case(test_cases(16), 204, elsewhere);
}

int run_save_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(next_to_nothing),          cmocka_unit_test(a_loaded_run_goes_on_the_same),
      cmocka_unit_test(damaged_saves_do_no_harm), cmocka_unit_test(every_truncation_is_refused),
      cmocka_unit_test(forged_saves_are_refused), cmocka_unit_test(a_save_of_another_run_is_refused),
  };
  return cmocka_run_group_tests_name("save", tests, NULL, NULL);
}
