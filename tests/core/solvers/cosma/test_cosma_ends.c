/* COSMA ended before its end: whatever ends it, the best solution that it has come by is a plan. */
#include "cosma_scenes.h"

#include <string.h>

static const cosma_setup joint = {"cosma", {{"cuts", "4"}, {"beam", "4"}}, 2};

typedef struct ended {
  asc_context *context, *of_log;
  cosma_graph g;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_run *run; /* NULL: there was no memory */
  asc_log *log;
} ended;

static void begin(ended *e, uint32_t seed, asc_context *context) {
  asci_rng rng = {seed};
  *e = (ended){.context = context, .of_log = test_context(), .g = test_cosma_random(&rng, COSMA_OPS, 6)};
  e->graph = test_cosma_freeze(context, &e->g);
  e->lowering = test_cosma_lower(e->graph);
  assert_int_equal(asc_log_new(e->of_log, 0, &e->log), ASC_OK);
}

static void start(ended *e, uint64_t budget) {
  asc_run_config config = test_cosma_config(&joint, ASC_GOAL_TRAFFIC, test_cosma_required(&e->g));
  config.budget = budget;
  if (asc_run_new(asc_input_graph(e->lowering), &config, &e->run, NULL) == ASC_OK) asc_run_attach(e->run, e->log);
}

static void stop(ended *e) {
  asc_run_free(e->run);
  e->run = NULL;
  asc_log_clear(e->log);
}

static void end(ended *e) {
  stop(e);
  asc_log_free(e->log);
  test_context_end(e->of_log);
  asc_lowering_free(e->lowering);
  asc_graph_free(e->graph);
  test_context_end(e->context);
}

/* Bytes of the best solution that the run has told of; -1: it has told of none. */
static int64_t told_best(const ended *e) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  uint64_t dropped;
  asc_log_get(e->log, &events, &count, &lists, &dropped);
  for (uint32_t k = count; k-- > 0;)
    if (events[k].kind == ASC_EVENT_EXPAND) return events[k].expand.best;
  return -1;
}

/* How often there was something to hand in, and how often it was. */
typedef struct tally {
  uint32_t due, handed, packed_best;
} tally;

static void count_plan(const ended *e, tally *t) {
  asc_plan plan;
  asc_run_stats stats;
  asc_run_stats_get(e->run, &stats);
  int64_t best = told_best(e);
  bool planned = asc_run_plan(e->run, &plan);
  t->due += best >= 0;
  t->handed += best >= 0 && planned;
  t->packed_best += best >= 0 && planned && stats.cost <= best;
  if (planned) assert_int_equal(test_cosma_play(&e->g, &plan, test_cosma_required(&e->g)), stats.cost);
}

/* Not every solution finds addresses at once; then one of the baseline is handed in. */
static void check(const tally *t) {
  CHECK(t->due > 0 && t->handed == t->due && t->packed_best * 100 >= t->due * 90,
        "%u had a solution, %u handed in a plan, %u the best", t->due, t->handed, t->packed_best);
}

static void cancelled_or_spent(void **state) {
  (void)state;
  tally t = {0};
  for (uint32_t seed = 0; seed < test_cases(150); seed++) {
    ended e;
    asci_rng rng = {seed};
    asc_run_stats whole, ended_stats;
    begin(&e, seed, test_context());
    start(&e, 0);
    asc_outcome last = test_finish(e.run), outcome;
    asc_run_stats_get(e.run, &whole);
    stop(&e);
    uint64_t at = 1 + asci_random_below(&rng, whole.steps);
    start(&e, seed % 2 ? at : 0);
    assert_int_equal(asc_run_step(e.run, at, &outcome), ASC_OK);
    if (outcome == ASC_OUTCOME_RUNNING) {
      if (seed % 2 == 0) asc_run_cancel(e.run);
      assert_int_equal(asc_run_step(e.run, 1, &outcome), ASC_OK);
      assert_int_equal(outcome, seed % 2 ? ASC_OUTCOME_BUDGET_SPENT : ASC_OUTCOME_CANCELLED);
      count_plan(&e, &t);
      asc_run_resume(e.run, 0);
      assert_int_equal(test_finish(e.run), last);
    }
    asc_run_stats_get(e.run, &ended_stats);
    CHECK(ended_stats.digest == whole.digest && ended_stats.cost == whole.cost, "seed %u: otherwise after it was ended",
          seed);
    end(&e);
  }
  check(&t);
}

/* What it may choose from only grows. */
static void no_worse_for_longer(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(100); seed++) {
    ended e;
    asc_run_stats stats;
    begin(&e, seed, test_context());
    start(&e, 0);
    test_finish(e.run);
    asc_run_stats_get(e.run, &stats);
    int64_t least = stats.cost;
    uint64_t less = 1 + stats.steps / 60;
    for (uint64_t budget = stats.steps - 1; budget > less; budget -= less) {
      asc_run_stats ended_stats;
      stop(&e);
      start(&e, budget);
      test_finish(e.run);
      asc_run_stats_get(e.run, &ended_stats);
      CHECK(ended_stats.height >= 0 && ended_stats.cost >= least, "seed %u: %d bytes in %d steps, %d in more", seed,
            (int)ended_stats.cost, (int)budget, (int)least);
      least = ended_stats.cost;
    }
    end(&e);
  }
}

/* Before its first step, and before it has any solution: a plan of the baseline is better than none. */
static void cancelled_at_once(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(200); seed++) {
    static const char *const schedules[] = {"joint", "file", "least-peak"};
    cosma_setup setup = {"cosma", {{"schedule", schedules[seed % 3]}}, 1};
    bool height = seed % 5 == 0;
    ended e;
    asc_outcome outcome;
    asc_plan plan;
    begin(&e, seed, test_context());
    int64_t capacity = height ? 64 : test_cosma_required(&e.g);
    asc_run_config config = test_cosma_config(&setup, height ? ASC_GOAL_HEIGHT : ASC_GOAL_TRAFFIC, capacity);
    assert_int_equal(asc_run_new(asc_input_graph(e.lowering), &config, &e.run, NULL), ASC_OK);
    assert_int_equal(asc_run_step(e.run, seed % 2, &outcome), ASC_OK);
    asc_run_cancel(e.run);
    assert_int_equal(asc_run_step(e.run, 1, &outcome), ASC_OK);
    CHECK(outcome == ASC_OUTCOME_CANCELLED && asc_run_plan(e.run, &plan), "seed %u: %s", seed, asc_outcome_id(outcome));
    int64_t cost = test_cosma_play(&e.g, &plan, capacity);
    CHECK(!height || cost == 0, "seed %u: %d bytes moved", seed, (int)cost);
    for (uint32_t k = 0; k < e.g.ops && seed % 3 == 1; k++) assert_int_equal(plan.order[k], k);
    end(&e);
  }
}

/* Without memory a step may also say so. */
static asc_outcome finish(asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) {
    asc_status status = asc_run_step(run, 1u << 16, &outcome);
    assert_true(status == ASC_OK || status == ASC_OUT_OF_MEMORY);
  }
  return outcome;
}

/* One request for memory is not met, of those that a run makes in its search. */
static void out_of_memory(void **state) {
  (void)state;
  tally t = {0};
  for (uint32_t seed = 0; seed < test_cases(60); seed++) {
    ended e;
    test_memory memory = {0};
    begin(&e, seed, test_context_on(&memory));
    uint64_t before = memory.calls;
    start(&e, 0);
    finish(e.run);
    uint64_t calls = memory.calls - before;
    for (uint64_t k = 1; k <= calls; k += 1 + calls / 40) {
      stop(&e);
      memory.fail_at = memory.calls + k;
      start(&e, 0);
      if (e.run && finish(e.run) == ASC_OUTCOME_OUT_OF_MEMORY) count_plan(&e, &t);
      memory.fail_at = 0;
    }
    end(&e);
  }
  check(&t);
}

/* ---- a search that is long ------------------------------------------------------------------------------------------- */

static asc_graph *chains(asc_context *context, uint32_t count) {
  char text[4096];
  asc_graph *graph = NULL;
  size_t faults;
  test_cosma_chains(text, sizeof text, count);
  assert_int_equal(asc_graph_csv_read(context, text, strlen(text), &graph, NULL, 0, &faults), ASC_OK);
  return graph;
}

static uint32_t count_of(const asc_log *log, asc_event_kind kind) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count, found = 0;
  uint64_t dropped;
  asc_log_get(log, &events, &count, &lists, &dropped);
  for (uint32_t k = 0; k < count; k++) found += events[k].kind == kind;
  return found;
}

/* While it goes on what it has is packed, so that a plan is at hand; with little memory it ends as it can. */
static void long_searches_are_packed_meanwhile(void **state) {
  (void)state;
  static const char *const memory[] = {"64", "1"};
  uint32_t packed = 0;
  for (uint32_t k = 0; k < 4; k++) {
    asc_context *context = test_context();
    asc_graph *graph = chains(context, 7);
    asc_lowering *lowering = test_cosma_lower(graph);
    cosma_setup setup = {"cosma", {{"schedule", "joint"}, {"memory", memory[k % 2]}}, 2};
    int64_t required = asc_lowering_budgets(lowering).required;
    asc_run_config config = test_cosma_config(&setup, ASC_GOAL_TRAFFIC, required + (k < 2 ? 2 : 5));
    asc_run *run = NULL, *other = NULL;
    asc_log *log = NULL;
    asc_plan plan;
    asc_run_stats stats;
    const uint8_t *bytes;
    size_t count;
    config.budget = 1500;
    assert_int_equal(asc_run_new(asc_input_graph(lowering), &config, &run, NULL), ASC_OK);
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    test_finish(run);
    asc_run_stats_get(run, &stats);
    packed += count_of(log, ASC_EVENT_PACK);
    CHECK(asc_run_plan(run, &plan) && stats.cost >= stats.lower_bound, "%u: no plan after %d steps", k, (int)stats.steps);
    assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
    assert_int_equal(asc_run_new(asc_input_graph(lowering), &config, &other, NULL), ASC_OK);
    assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
    asc_run_free(run);
    asc_run_free(other);
    asc_log_free(log);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
  assert_true(packed > 0);
}

int run_cosma_ends_tests(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(long_searches_are_packed_meanwhile),
                                     cmocka_unit_test(cancelled_or_spent), cmocka_unit_test(cancelled_at_once),
                                     cmocka_unit_test(no_worse_for_longer), cmocka_unit_test(out_of_memory)};
  return cmocka_run_group_tests_name("cosma_ends", tests, NULL, NULL);
}
