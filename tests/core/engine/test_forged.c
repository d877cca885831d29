/* Saves of which one number is another: each that a test_saved has, by the ends of what it may be and beyond. Damage by chance seldom meets these. A save is
 * refused, or it is of a state from which the run goes on; whichever, the run can be set right again. */
#include "cases.h"
#include "forged.h"
#include "saturated.h"
#include "solvers/cosma/cosma_scenes.h"
#include "solvers/exact/test_exact_support.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 40 }; /* of who goes on */

/* The forged save with the number behind the one at `at` changed as well. */
static test_saved forge_next(test_saved forged, size_t at, uint64_t number) {
  size_t next, end;
  (void)forged_number(&forged, at, &next);
  (void)forged_number(&forged, next, &end);
  test_saved twice = forged_with(&forged, next, end, number);
  free(forged.bytes);
  return twice;
}

static void check_plan(const asc_problem *problem, const asc_run *run, const char *name) {
  size_t violations = 0;
  const int64_t *best = problem ? asc_run_best(run) : NULL;
  if (!best) return;
  assert_int_equal(asc_validate(problem, best, INT64_MAX, NULL, 0, &violations), ASC_OK);
  CHECK(!violations, "%s: goes on to a plan that is none", name);
}

static uint64_t digest_of(const asc_run *run) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  return stats.digest ^ stats.steps;
}

/* problem: NULL, of a graph. */
static void load_forged(const asc_problem *problem, asc_run *run, const test_saved *good, const test_saved *forged,
                        uint64_t digest, const char *name) {
  asc_run_view view;
  asc_status status = asc_run_load(run, forged->bytes, forged->count);
  CHECK(status == ASC_OK || status == ASC_BAD_SAVE, "%s: %s", name, asc_status_text(status));
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  status = asc_run_step(run, STEPS, NULL);
  CHECK(status == ASC_OK || status == ASC_INVALID_SOLUTION, "%s: %s", name, asc_status_text(status));
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  check_plan(problem, run, name);
  assert_int_equal(asc_run_load(run, good->bytes, good->count), ASC_OK);
  CHECK(digest_of(run) == digest, "%s: not as it was after a forged save", name);
}

/* Every stride-th of: each number but those of the header, one more and less, doubled, and the ends of several widths; the same with the number behind it
   changed as well, since what one contradicts the other may agree with. */
static void forge_all(const asc_problem *problem, asc_run *run, asc_run *other, uint32_t stride, uint32_t *turn,
                      const char *name) {
  enum { HEADER = 3 };
  test_saved good = test_save(run);
  size_t end = 0, numbers = 0;
  for (size_t at = 0; at < good.count; at = end, numbers++) {
    uint64_t number = forged_number(&good, at, &end);
    const uint64_t others[] = {0, 1, number - 1, number + 1, 2 * number, 2, 3, 0xff, UINT32_MAX, UINT64_MAX / 4, UINT64_MAX};
    for (uint32_t k = 0; numbers >= HEADER && k < 2 * COUNT(others); k++) {
      uint64_t forgery = others[k % COUNT(others)];
      if (forgery == number || ++*turn % stride) continue;
      test_saved forged = forged_with(&good, at, end, forgery);
      if (k >= COUNT(others) && end < good.count) forged = forge_next(forged, at, others[*turn % COUNT(others)]);
      load_forged(problem, other, &good, &forged, digest_of(run), name);
      free(forged.bytes);
    }
  }
  free(good.bytes);
}

/* The number that the byte `to` is part of. */
static uint64_t number_around(const test_saved *s, size_t to, size_t *at, size_t *end) {
  *at = 0;
  for (; forged_number(s, *at, end), *end <= to; *at = *end) {
  }
  return forged_number(s, *at, end);
}

/* One number or several changed at once, wherever they are or, every second time, near the begin, where a save says how far a search is: by little, to what
   another number of the save is, or to anything. What many a save that contradicts itself comes to. */
static test_saved forge_some(const test_saved *good, asci_rng *rng) {
  enum { NEAR = 120 };
  uint32_t count = 1 + (uint32_t)asci_random_below(rng, 3);
  size_t most = asci_random_below(rng, 2) && good->count > NEAR ? NEAR : good->count;
  test_saved forged = *good;
  for (uint32_t k = 0; k < count; k++) {
    size_t end, at, other_end, other_at;
    uint64_t other = number_around(good, asci_random_below(rng, most), &other_at, &other_end);
    uint64_t number = number_around(&forged, asci_random_below(rng, most < forged.count ? most : forged.count), &at, &end);
    const uint64_t others[] = {number - 1, number + 1, 0,         1,
                               2,          other,      other + 1, asci_random_below(rng, 40),
                               number ^ 1, number * 2, other - 1, UINT64_MAX / 4};
    test_saved next = forged_with(&forged, at, end, others[asci_random_below(rng, COUNT(others))]);
    if (k) free(forged.bytes);
    forged = next;
  }
  return forged;
}

static void forge_by_lot(const asc_problem *problem, asc_run *run, asc_run *other, uint32_t times, asci_rng *rng,
                         const char *name) {
  test_saved good = test_save(run);
  for (uint32_t k = 0; k < times; k++) {
    test_saved forged = forge_some(&good, rng);
    load_forged(problem, other, &good, &forged, digest_of(run), name);
    free(forged.bytes);
  }
  free(good.bytes);
}

/* ---- runs on buffers ------------------------------------------------------------------------------------------------- */

static uint32_t turns; /* counts on over all cases, so that no two begin alike */

static void forged_case(test_case *each) {
  asc_run *run = test_case_run(each), *other = test_case_run(each);
  for (uint32_t k = 0; k < 3; k++) {
    assert_int_equal(asc_run_step(run, 1 + asci_random_below(each->rng, k ? 60 : 12), NULL), ASC_OK);
    forge_all(each->problem, run, other, 89, &turns, each->name);
    forge_by_lot(each->problem, run, other, 8, each->rng, each->name);
  }
  asc_run_free(run);
  asc_run_free(other);
}

static void every_number_of_a_save(void **state) {
  (void)state;
  test_each_case(test_cases(8), 211, forged_case);
}

/* ---- where a save has most ------------------------------------------------------------------------------------------- */

typedef struct scene {
  const char *solver, *kind;
  uint32_t buffers, seed;
  asc_goal goal;
  uint64_t steps;
  int64_t more; /* capacity above the bound */
  asc_option_value options[3];
} scene;

/* Sweeps, learnt conflicts, a dive, tables and swaps: what small random problems seldom come to. kind NULL: a saturated one of so many sections; piled:
   one with buffers enough of each lifespan that they are glued. */
static const scene scenes[] = {
    {"exact", "synthetic", 24, 2, ASC_GOAL_FIT, 200, 0, {{"exchange", "always"}}},
    {"exact", "synthetic", 24, 2, ASC_GOAL_HEIGHT, 60, 0, {{"exchange", "always"}}},
    {"exact", "synthetic", 24, 2, ASC_GOAL_HEIGHT, 60, 0, {{"ejection", "always"}}},
    {"exact", "synthetic", 30, 5, ASC_GOAL_HEIGHT, 400, 0, {{0}}},
    {"exact", "synthetic", 30, 5, ASC_GOAL_FIT, 900, -1, {{0}}},
    {"telamalloc", "synthetic", 24, 2, ASC_GOAL_FIT, 90, 0, {{0}}},
    {"minimalloc", "synthetic", 24, 2, ASC_GOAL_FIT, 90, -1, {{0}}},
    {"taa-exact", "synthetic", 14, 2, ASC_GOAL_HEIGHT, 300, 0, {{"swaps", "40"}}},
    {"large", "synthetic", 24, 2, ASC_GOAL_HEIGHT, 300, 0, {{"tries", "2"}, {"fails", "8"}}},
    {"exact", NULL, 14, 3, ASC_GOAL_FIT, 60, 0, {{"exchange", "always"}}},
    {"exact", NULL, 20, 4, ASC_GOAL_FIT, 60, 1, {{"exchange", "always"}}},
    {"exact", NULL, 14, 5, ASC_GOAL_HEIGHT, 90, 0, {{"exchange", "always"}}},
    {"exact", NULL, 40, 6, ASC_GOAL_FIT, 3000, 0, {{"exchange", "never"}, {"first_budget", "100"}}},
    {"exact", "piled", 112, 2, ASC_GOAL_FIT, 3000, 0, {{"first_budget", "100"}}},
};

static asc_run *run_of(const scene *s, const asc_problem *problem) {
  asc_run_config config = asc_run_config_default(s->solver, asc_problem_lower_bound(problem) + s->more);
  config.goal = s->goal;
  config.options = s->options;
  while (config.option_count < COUNT(s->options) && s->options[config.option_count].name) config.option_count++;
  return test_run_new(problem, &config);
}

/* A run that is in the scene, and one like it at its beginning. */
typedef struct staged {
  asc_context *context;
  asc_problem *problem;
  asc_run *run, *other;
} staged;

static staged stage(const scene *s, uint32_t seed, uint64_t steps) {
  staged made = {.context = test_context()};
  int64_t capacity;
  asc_status status = ASC_OK;
  if (s->kind && !strcmp(s->kind, "piled"))
    made.problem = exact_piled(made.context, seed, 0);
  else if (s->kind)
    status = asc_generate(made.context, s->kind, s->buffers, seed, &made.problem, &capacity);
  else
    status = saturated_problem(made.context, s->buffers, seed, &made.problem);
  assert_int_equal(status, ASC_OK);
  made.run = run_of(s, made.problem);
  made.other = run_of(s, made.problem);
  assert_int_equal(asc_run_step(made.run, steps, NULL), ASC_OK);
  return made;
}

static void leave(const staged *it) {
  asc_run_free(it->run);
  asc_run_free(it->other);
  asc_problem_free(it->problem);
  test_context_end(it->context);
}

/* Each as it stands, and others of its kind anywhere on their way. */
static void saves_that_have_much(void **state) {
  (void)state;
  for (uint32_t nth = 0; nth < test_cases(3); nth++)
    for (uint32_t k = 0; k < COUNT(scenes); k++) {
      const scene *s = &scenes[k];
      asci_rng rng = {(uint64_t)nth << 32 | k};
      uint64_t steps = nth ? 1 + asci_random_below(&rng, nth % 2 ? s->steps * 2 : 40) : s->steps;
      staged it = stage(s, s->seed + nth, steps);
      forge_all(it.problem, it.run, it.other, 37 + nth * 50, &turns, s->solver);
      forge_by_lot(it.problem, it.run, it.other, 60, &rng, s->solver);
      leave(&it);
    }
}

/* A step after the last that there is a number for would be before it. */
static void no_run_takes_so_many_steps(void **state) {
  (void)state;
  staged it = stage(&scenes[3], scenes[3].seed, scenes[3].steps);
  test_saved good = test_save(it.run);
  size_t end, at = forged_place(&good, SAVED_STEPS, &end);
  asc_run_stats stats;
  asc_run_stats_get(it.run, &stats);
  assert_int_equal(forged_nth(&good, SAVED_STEPS), stats.steps);
  test_saved forged = forged_with(&good, at, end, UINT64_MAX);
  assert_int_equal(asc_run_load(it.other, forged.bytes, forged.count), ASC_BAD_SAVE);
  test_finish(it.other);
  free(forged.bytes);
  free(good.bytes);
  leave(&it);
}

/* ---- runs on graphs -------------------------------------------------------------------------------------------------- */

static void draw_graph_solver(cosma_scene *s, asci_rng *rng) {
  static const cosma_setup setups[] = {{"cosma", {{"schedule", "joint"}}, 1},
                                       {"cosma", {{"schedule", "least-peak"}}, 1},
                                       {"replacement", {{"schedule", "least-peak"}}, 1},
                                       {"replacement", {{"schedule", "file"}}, 1},
                                       {"list-schedule", {{"allocator", "large"}}, 1},
                                       {"list-schedule", {{"allocator", "taa"}}, 1},
                                       {"list-schedule", {{"allocator", "exact"}}, 1},
                                       {"select", {{"repacker", "exact"}, {"repack_steps", "100"}}, 2},
                                       {"select", {{"repacker", "none"}}, 1}};
  s->setup = setups[asci_random_below(rng, COUNT(setups))];
  s->goal = s->setup.solver[0] == 'l' ? ASC_GOAL_FIT : ASC_GOAL_TRAFFIC;
}

static void saves_of_graphs(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 40 + test_cases(20); seed++) {
    static cosma_scene s;
    test_cosma_open(&s, seed, draw_graph_solver);
    asc_run *run = test_cosma_run_of(&s), *other = test_cosma_run_of(&s);
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    for (uint32_t k = 0; k < 1 + seed % 9 && outcome == ASC_OUTCOME_RUNNING; k++)
      assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    asci_rng rng = {seed};
    forge_all(NULL, run, other, 43, &turns, s.setup.solver);
    forge_by_lot(NULL, run, other, 12, &rng, s.setup.solver);
    asc_run_free(run);
    asc_run_free(other);
    test_cosma_close(&s);
  }
}

int run_forged_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_of_a_save),
      cmocka_unit_test(saves_that_have_much),
      cmocka_unit_test(no_run_takes_so_many_steps),
      cmocka_unit_test(saves_of_graphs),
  };
  return cmocka_run_group_tests_name("forged", tests, NULL, NULL);
}
