/* Two ways through one search. MiniMalloc's placement has a fast path for plain problems and a general one for alignment, fixed offsets
 * and gaps. One aligned buffer after everything else sends the whole problem down the general path and is solved last, in a part of
 * its own, so both must take the same decisions:
 *
 *      plain      |  buffers  |
 *      general    |  buffers  | [aligned]
 */
#include "support.h"

#include <stdio.h>

enum { MOST = 9, MOST_WITHOUT_RULES = 6 };

typedef struct ending {
  bool feasible;
  uint64_t backtracks;
  int64_t offsets[MOST];
} ending;

static ending solve(const asc_problem *problem, uint32_t count, int64_t capacity, const test_options *options,
                    const char *name) {
  asc_run_config config = test_config("minimalloc", capacity, options);
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome = test_finish(run);
  test_sound_end(problem, run, capacity, name);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  ending end = {.feasible = outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL,
                .backtracks = stats.backtracks};
  const int64_t *best = asc_run_best(run);
  for (uint32_t b = 0; best && b < count; b++) end.offsets[b] = best[b];
  asc_run_free(run);
  return end;
}

static void compare(asci_rng *rng, uint32_t number, uint32_t most, const test_options *options, uint64_t *backtracks) {
  asc_context *context = test_context();
  asc_buffer_spec specs[MOST + 1];
  uint32_t count = 2 + (uint32_t)asci_random_below(rng, most - 1);
  for (uint32_t b = 0; b < count; b++) {
    int64_t lower = asci_random_between(rng, 0, 9);
    specs[b] = test_spec(lower, lower + asci_random_between(rng, 1, 6), asci_random_between(rng, 1, 6));
  }
  specs[count] = test_spec(100, 101, 1);
  specs[count].alignment = 2;
  asc_problem *plain = test_problem(context, specs, count), *general = test_problem(context, specs, count + 1);
  int64_t capacity = asc_problem_lower_bound(plain) + asci_random_between(rng, -1, 1);
  if (capacity < 1) capacity = 1;
  char name[300];
  snprintf(name, sizeof name, "problem %u, %.250s", number, test_options_text(options));
  ending fast = solve(plain, count, capacity, options, name), slow = solve(general, count, capacity, options, name);
  CHECK(fast.feasible == slow.feasible, "%s: the verdicts differ", name);
  CHECK(fast.backtracks == slow.backtracks, "%s: %d and %d backtracks", name, (int)fast.backtracks, (int)slow.backtracks);
  for (uint32_t b = 0; fast.feasible && b < count; b++)
    CHECK(fast.offsets[b] == slow.offsets[b], "%s: buffer %u is placed differently", name, b);
  *backtracks += fast.backtracks;
  asc_problem_free(plain);
  asc_problem_free(general);
  test_context_end(context);
}

static void both_paths_take_the_same_decisions(void **state) {
  (void)state;
  asci_rng rng = {501};
  const asc_solver_info *solver = asc_solver_find("minimalloc");
  uint64_t backtracks = 0;
  for (uint32_t k = 0; k < test_cases(4000); k++) {
    test_options options = {0};
    uint32_t single = k % (test_single_count(solver) + 2);
    if (single == test_single_count(solver)) test_all_off(solver, &options);
    if (single < test_single_count(solver)) test_single(solver, single, &options);
    /* one order alone: limits of nodes are made from the number of buffers, which is not the same in both */
    test_option_set(&options, "preordering_heuristics", k % 2 ? "TWA" : "ZLO");
    compare(&rng, k, single == test_single_count(solver) ? MOST_WITHOUT_RULES : MOST, &options, &backtracks);
  }
  CHECK(backtracks > test_cases(4000), "only %d backtracks: the problems are too easy", (int)backtracks);
}

int run_minimalloc_paths_tests(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(both_paths_take_the_same_decisions)};
  return cmocka_run_group_tests_name("minimalloc_paths", tests, NULL, NULL);
}
