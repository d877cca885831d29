/* Cancelled anywhere: before a step, and in the midst of one, where it asks for memory. What was cancelled can be saved, and goes on from there to the end
 * that it would have had. */
#include "cases.h"
#include "solvers/cosma/cosma_scenes.h"

#include <stdlib.h>

static test_memory memory;

/* The run that is cancelled at that call for memory. */
static asc_run *victim;
static uint64_t at_call;

static void cancel_at_call(uint64_t call) {
  if (victim && call == at_call) asc_run_cancel(victim);
}

/* Another run like it, at its beginning. */
typedef asc_run *(*maker)(void *what);

/* Some steps of the run, which is cancelled before or in the midst of them. */
static asc_outcome cancel_once(asc_run *run, asci_rng *rng) {
  asc_outcome outcome;
  if (asci_random_below(rng, 2)) asc_run_cancel(run);
  victim = run;
  at_call = memory.calls + 1 + asci_random_below(rng, 40);
  assert_int_equal(asc_run_step(run, 1 + asci_random_below(rng, 12), &outcome), ASC_OK);
  victim = NULL;
  return outcome;
}

static void cancel_often(maker make, void *what, uint64_t budget, asci_rng *rng, const char *name) {
  asc_run *whole = make(what), *run = make(what);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  test_finish(whole);
  for (uint32_t k = 0; k < 12 && (outcome == ASC_OUTCOME_RUNNING || outcome == ASC_OUTCOME_CANCELLED); k++) {
    outcome = cancel_once(run, rng);
    if (outcome != ASC_OUTCOME_CANCELLED) continue;
    test_saved saved = test_save(run);
    asc_run *other = make(what);
    CHECK(asc_run_load(other, saved.bytes, saved.count) == ASC_OK, "%s: what was cancelled cannot be loaded", name);
    free(saved.bytes);
    asc_run_free(k % 2 ? run : other);
    run = k % 2 ? other : run;
    asc_run_resume(run, budget);
  }
  if (test_finish(run) == ASC_OUTCOME_CANCELLED) { /* in the midst of the last of those steps */
    asc_run_resume(run, budget);
    test_finish(run);
  }
  test_same_stats(whole, run, name);
  asc_run_free(whole);
  asc_run_free(run);
}

static asc_run *run_of_case(void *what) {
  return test_case_run(what);
}

static void cancelled_case(test_case *each) {
  cancel_often(run_of_case, each, each->config.budget, each->rng, each->name);
}

static void searches_on_buffers(void **state) {
  (void)state;
  memory = (test_memory){.noticed = cancel_at_call};
  asc_context *context = test_context_on(&memory);
  test_each_case_on(context, test_cases(40), 431, cancelled_case);
  test_context_end(context);
}

static asc_run *run_of_scene(void *what) {
  return test_cosma_run_of(what);
}

static void draw_setup(cosma_scene *s, asci_rng *rng) {
  static const cosma_setup setups[] = {{"list-schedule", {{"allocator", "telamalloc"}}, 1},
                                       {"list-schedule", {{"allocator", "exact"}}, 1},
                                       {"list-schedule", {{"allocator", "auto"}}, 1},
                                       {"replacement", {{"schedule", "file"}}, 1},
                                       {"select", {{"repacker", "exact"}, {"repack_steps", "100"}}, 2},
                                       {"select", {{"repacker", "large"}, {"repack_steps", "100"}}, 2}};
  s->setup = setups[asci_random_below(rng, COUNT(setups))];
  s->goal = s->setup.solver[0] == 'l' ? ASC_GOAL_FIT : ASC_GOAL_TRAFFIC;
}

static void searches_on_graphs(void **state) {
  (void)state;
  memory = (test_memory){.noticed = cancel_at_call};
  asc_context *context = test_context_on(&memory);
  for (uint32_t seed = 0; seed < test_cases(120); seed++) {
    static cosma_scene s;
    asci_rng rng = {seed};
    test_cosma_open_on(context, &s, seed, draw_setup);
    cancel_often(run_of_scene, &s, 0, &rng, s.setup.solver);
    asc_lowering_free(s.lowering);
    asc_graph_free(s.graph);
  }
  test_context_end(context);
}

int run_cancel_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(searches_on_buffers),
      cmocka_unit_test(searches_on_graphs),
  };
  return cmocka_run_group_tests_name("cancel", tests, NULL, NULL);
}
