/* COSMA as a solver: its plans with addresses, on the cases checked by hand and on random graphs of every kind, and what every solver promises. */
#include "base/hash.h"
#include "cosma_graphs.h"
#include "naive_lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static asc_run *new_run(const asc_lowering *lowering, asc_goal goal, int64_t capacity, const char *schedule) {
  asc_run *run = NULL;
  asc_diag diag = {0};
  asc_option_value set[] = {{"schedule", schedule}, {"cuts", "4"}, {"beam", "8"}};
  asc_run_config config = asc_run_config_default("cosma", capacity);
  config.goal = goal;
  config.options = set;
  config.option_count = COUNT(set);
  asc_status status = asc_run_new(asc_input_graph(lowering), &config, &run, &diag);
  CHECK(status == ASC_OK, "%s %s", diag.field, diag.message);
  return run;
}

/* ---- a plan played byte by byte -------------------------------------------------------------------------------------- */

enum { BYTES = 64 };

/* The arena as tags: which tensor a byte holds, NOBODY. Of a graph in which operator i makes tensor i. */
static int64_t play(const cosma_graph *g, const asc_plan *plan, int64_t capacity) {
  enum { NOBODY = 255 };
  uint8_t arena[BYTES];
  bool outside[COSMA_OPS] = {false};
  int64_t traffic = 0;
  memset(arena, NOBODY, sizeof arena);
  assert_true(capacity <= BYTES);
  for (uint32_t time = 0; time < plan->turns; time++) {
    uint32_t op = plan->order[time], needs = g->reads[op] | 1u << op;
    for (uint32_t k = 0; k < plan->stay_count; k++) {
      const asc_stay *stay = &plan->stays[k];
      if (stay->lower != time || stay->pool != ASC_POOL_OUTSIDE) continue;
      /* spilled: its bytes are whole still, though it makes room now */
      if (!(g->outputs >> stay->item & 1)) traffic += g->size[stay->item];
      outside[stay->item] = true;
    }
    for (uint32_t k = 0; k < plan->stay_count; k++) {
      const asc_stay *stay = &plan->stays[k];
      if (stay->lower != time || stay->pool != ASC_POOL_MAIN) continue;
      assert_true(stay->offset >= 0 && stay->offset + g->size[stay->item] <= capacity);
      if (stay->item != op) {
        assert_true(outside[stay->item]);
        traffic += g->size[stay->item];
      }
      memset(arena + stay->offset, (int)stay->item, (size_t)g->size[stay->item]);
    }
    for (uint32_t k = 0; k < plan->stay_count; k++) {
      const asc_stay *stay = &plan->stays[k];
      if (stay->pool != ASC_POOL_MAIN || stay->lower > time || time >= stay->upper) continue;
      for (int64_t b = 0; b < g->size[stay->item]; b++) assert_int_equal(arena[stay->offset + b], stay->item);
      needs &= ~(1u << stay->item);
    }
    assert_int_equal(needs, 0);
  }
  return traffic;
}

/* ---- by hand --------------------------------------------------------------------------------------------------------- */

typedef struct known {
  const char *name, *sizes, *reads;
  int64_t capacity, least; /* traffic with addresses: -1: there is no plan */
  int64_t found;           /* 0: that one; else what repair finds, which is no proven optimum */
} known;

static const known cases[] = {
    {"T1", "3 2 3 2", "- 0 1 2", 5, 0, 0},
    {"T2", "2 3 6 3 2", "- 0 1 2 0,3", 9, 4, 0},
    {"T2", "2 3 6 3 2", "- 0 1 2 0,3", 10, 4, 0},
    {"T2", "2 3 6 3 2", "- 0 1 2 0,3", 11, 0, 0},
    {"T3", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 8, 6, 0},
    {"T3", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 9, 6, 0},
    {"T3", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 10, 0, 0},
    {"T4", "1 5 1 5 1 1", "- 0 1 0 3 2,4", 6, 4, 0},
    {"T4", "1 5 1 5 1 1", "- 0 1 0 3 2,4", 7, 0, 0},
    {"T5", "4 1 3 2 1 1", "- - - 2 1,3 0,4", 9, 0, 0},
    {"T6", "1 1 6 1 6 1 1", "- 0 0 2 0 4 1,3,5", 8, 2, 0},
    {"T6", "1 1 6 1 6 1 1", "- 0 0 2 0 4 1,3,5", 9, 0, 0},
    {"T7", "1 5 3 2 4 3 5 3", "- 0 0,1 2 0 2,3 4 3,4", 9, 2, 2},
    {"T7", "1 5 3 2 4 3 5 3", "- 0 0,1 2 0 2,3 4 3,4", 10, 0, 0},
    {"T8", "1 4 8 6 9 7 7 1", "- 0 0 0,2 2 1,3 5 5,6", 17, 3, 14},
    {"T8", "1 4 8 6 9 7 7 1", "- 0 0 0,2 2 1,3 5 5,6", 18, 0, 0},
    {"T9", "2 5 3 5 3 5 1", "- 0 0,1 2 0,3 4 0,5", 8, -1, 0},
    {"T9", "2 5 3 5 3 5 1", "- 0 0,1 2 0,3 4 0,5", 10, 0, 0},
    {"T10", "1 1 2 2", "- 0 0,1 2", 4, 0, 0},
    {"T11", "4 4 4 4", "- 0 1 0,2", 11, -1, 0},
    {"T11", "4 4 4 4", "- 0 1 0,2", 12, 0, 0},
};

static void check_case(const known *c) {
  asc_context *context = test_context();
  cosma_graph g = test_cosma_graph(c->sizes, c->reads);
  asc_graph *graph = test_cosma_freeze(context, &g);
  asc_lowering *lowering = test_cosma_lower(graph);
  asc_run *run = new_run(lowering, ASC_GOAL_TRAFFIC, c->capacity, "joint");
  asc_outcome outcome = test_finish(run);
  asc_run_stats stats;
  asc_plan plan;
  asc_run_stats_get(run, &stats);
  if (c->least < 0)
    CHECK(outcome == ASC_OUTCOME_INFEASIBLE, "%s at %d: %s", c->name, (int)c->capacity, asc_outcome_id(outcome));
  else if (c->found) {
    /* one that is found by copying more out */
    CHECK(stats.lower_bound < c->least && outcome == ASC_OUTCOME_FEASIBLE && stats.cost == c->found, "%s: %s %d, bound %d",
          c->name, asc_outcome_id(outcome), (int)stats.cost, (int)stats.lower_bound);
    assert_true(asc_run_plan(run, &plan));
    assert_int_equal(play(&g, &plan, c->capacity), c->found);
  } else {
    CHECK(outcome == ASC_OUTCOME_OPTIMAL && stats.cost == c->least && stats.lower_bound == c->least,
          "%s at %d: %s %d, bound %d", c->name, (int)c->capacity, asc_outcome_id(outcome), (int)stats.cost,
          (int)stats.lower_bound);
    assert_true(asc_run_plan(run, &plan));
    assert_int_equal(play(&g, &plan, c->capacity), c->least);
  }
  asc_run_free(run);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

static void cases_checked_by_hand(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(cases); k++) check_case(&cases[k]);
}

/* ---- random graphs in which operator i makes tensor i ------------------------------------------------------------------ */

static void optima_hold_with_addresses(void **state) {
  (void)state;
  uint32_t proven = 0, cases_run = test_cases(1500);
  for (uint32_t seed = 0; seed < cases_run; seed++) {
    asci_rng rng = {seed};
    asc_context *context = test_context();
    cosma_graph g = test_cosma_random(&rng, 6, 6);
    int64_t capacity = test_cosma_required(&g) + asci_random_between(&rng, 0, 4);
    asc_graph *graph = test_cosma_freeze(context, &g);
    asc_lowering *lowering = test_cosma_lower(graph);
    asc_run *run = new_run(lowering, ASC_GOAL_TRAFFIC, capacity, "joint");
    asc_outcome outcome = test_finish(run);
    asc_run_stats stats;
    asc_plan plan;
    asc_run_stats_get(run, &stats);
    int64_t least = test_cosma_traffic(&g, capacity, false);
    CHECK(stats.lower_bound == least, "seed %u: bound %d, expected %d", seed, (int)stats.lower_bound, (int)least);
    if (outcome == ASC_OUTCOME_OPTIMAL) {
      assert_true(asc_run_plan(run, &plan));
      CHECK(play(&g, &plan, capacity) == least && stats.cost == least, "seed %u: traffic", seed);
      proven++;
    } else
      CHECK(outcome == ASC_OUTCOME_OVER_CAPACITY || (outcome == ASC_OUTCOME_FEASIBLE && stats.cost > least), "seed %u: %s",
            seed, asc_outcome_id(outcome));
    asc_run_free(run);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
  CHECK(proven * 100 >= cases_run * 98, "only %u of %u packed", proven, cases_run);
}

/* ---- random graphs of every kind ------------------------------------------------------------------------------------- */

typedef struct scene {
  asc_context *context;
  naive_model model;
  naive_options options;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_goal goal;
  int64_t capacity;
  const char *schedule;
} scene;

static void open_scene(scene *s, uint32_t seed) {
  static const char *const schedules[] = {"joint", "file", "least-peak"};
  asci_rng rng = {seed};
  *s = (scene){.context = test_context()};
  naive_draw(&s->model, &rng);
  naive_draw_options(&s->options, &rng);
  s->graph = naive_freeze(s->context, &s->model);
  assert_int_equal(asc_lower(s->graph, s->options.values, COUNT(s->options.values), &s->lowering, NULL), ASC_OK);
  s->schedule = schedules[asci_random_below(&rng, COUNT(schedules))];
  s->goal = asci_random_below(&rng, 4) ? ASC_GOAL_TRAFFIC : ASC_GOAL_HEIGHT;
  s->capacity = asc_lowering_budgets(s->lowering).required + asci_random_between(&rng, 0, 12);
}

static void close_scene(scene *s) {
  asc_lowering_free(s->lowering);
  asc_graph_free(s->graph);
  test_context_end(s->context);
}

static asc_run *run_of(const scene *s) {
  return new_run(s->lowering, s->goal, s->capacity, s->schedule);
}

static bool keeps_something(const scene *s) {
  bool resident = naive_is(&s->options, "constants", "resident");
  for (uint32_t t = 0; t < s->model.tensors; t++)
    if (s->model.tensor[t].kind & (ASC_TENSOR_VARIABLE | (resident ? ASC_TENSOR_CONSTANT : 0))) return true;
  return false;
}

/* The engine has its referee judge each plan: test_finish fails if it finds fault. What a solver claims of the cost is what the plan costs. */
static void plans_of_every_graph_hold(void **state) {
  (void)state;
  uint32_t met[ASC_OUTCOME_COUNT] = {0};
  for (uint32_t seed = 0; seed < test_cases(2500); seed++) {
    static scene s;
    open_scene(&s, seed);
    asc_run *run = run_of(&s);
    asc_outcome outcome = test_finish(run);
    asc_run_stats stats;
    asc_plan plan;
    asc_run_stats_get(run, &stats);
    met[outcome]++;
    /* what is always there may leave the operators too little */
    bool planned = asc_run_plan(run, &plan), kept = keeps_something(&s);
    CHECK(planned || (kept && outcome == ASC_OUTCOME_EXHAUSTED), "seed %u: %s", seed, asc_outcome_id(outcome));
    CHECK(!planned || outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_FEASIBLE ||
              outcome == ASC_OUTCOME_OVER_CAPACITY,
          "seed %u: %s", seed, asc_outcome_id(outcome));
    CHECK(!planned || stats.cost >= stats.lower_bound, "seed %u: cost %d below its bound %d", seed, (int)stats.cost,
          (int)stats.lower_bound);
    asc_run_free(run);
    close_scene(&s);
  }
  assert_true(met[ASC_OUTCOME_OPTIMAL] > 0 && met[ASC_OUTCOME_FEASIBLE] > 0);
}

/* ---- what every solver promises -------------------------------------------------------------------------------------- */

static uint64_t hash_view(const scene *s, const asc_run_view *view) {
  const asc_problem *problem = view->situation ? view->situation : asc_lowering_problem(s->lowering);
  uint64_t hash = asci_fold(asci_fold(asc_problem_digest(problem), view->step), view->depth);
  hash = asci_fold(hash, (uint64_t)view->frontier);
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) hash = asci_fold(hash, (uint64_t)view->offsets[b]);
  return hash;
}

static uint64_t hash_run(const scene *s, asc_run *run) {
  asc_run_view view;
  asc_run_stats stats;
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  asc_run_stats_get(run, &stats);
  uint64_t hash = asci_fold(hash_view(s, &view), stats.digest);
  return asci_fold(asci_fold(hash, stats.outcome), (uint64_t)stats.cost);
}

/* One step, or the work that leads to it. */
static asc_outcome step_once(asc_run *run) {
  asc_run_stats before, after;
  asc_outcome outcome;
  asc_run_stats_get(run, &before);
  do {
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    asc_run_stats_get(run, &after);
  } while (outcome == ASC_OUTCOME_RUNNING && after.steps == before.steps);
  return outcome;
}

static void saved_and_loaded_at_every_step(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(60); seed++) {
    static scene s;
    open_scene(&s, seed);
    asc_run *run = run_of(&s), *other = run_of(&s);
    for (asc_outcome outcome = ASC_OUTCOME_RUNNING; outcome == ASC_OUTCOME_RUNNING;) {
      const uint8_t *bytes;
      size_t count;
      assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
      assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
      CHECK(hash_run(&s, run) == hash_run(&s, other), "seed %u: loaded", seed);
      outcome = step_once(run);
      step_once(other);
      CHECK(hash_run(&s, run) == hash_run(&s, other), "seed %u: gone on", seed);
    }
    asc_run_free(run);
    asc_run_free(other);
    close_scene(&s);
  }
}

/* A byte of a save changed or cut off: refused, or a state of this problem from which the run still ends. */
static void damaged_saves_do_no_harm(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(60); seed++) {
    static scene s;
    asci_rng rng = {seed};
    open_scene(&s, seed);
    asc_run *run = run_of(&s), *other = run_of(&s);
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    for (uint64_t k = seed % 3 ? asci_random_below(&rng, 20) : UINT64_MAX; k && outcome == ASC_OUTCOME_RUNNING; k--)
      outcome = step_once(run);
    const uint8_t *bytes;
    size_t count;
    assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
    for (uint32_t k = 0; k < 40; k++) {
      test_load_damaged(other, bytes, count, &rng);
      hash_run(&s, other);
      assert_true(test_finish(other) != ASC_OUTCOME_RUNNING);
    }
    assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
    CHECK(hash_run(&s, run) == hash_run(&s, other), "seed %u: loaded after all", seed);
    asc_run_free(run);
    asc_run_free(other);
    close_scene(&s);
  }
}

enum { MOST_STEPS = 4096 };

static void seeking_shows_what_going_forward_did(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(80); seed++) {
    static scene s;
    static uint64_t states[MOST_STEPS];
    asci_rng rng = {seed};
    open_scene(&s, seed);
    asc_run *run = run_of(&s);
    uint64_t steps = 0;
    asc_run_view view;
    asc_run_stats stats, sought;
    do {
      assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
      assert_true(view.step < MOST_STEPS);
      states[steps = view.step] = hash_view(&s, &view);
    } while (step_once(run) == ASC_OUTCOME_RUNNING);
    assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
    states[steps = view.step] = hash_view(&s, &view);
    asc_run_stats_get(run, &stats);
    asc_timeline *timeline = NULL;
    asc_option_value set[] = {{"schedule", s.schedule}, {"cuts", "4"}, {"beam", "8"}};
    asc_run_config config = asc_run_config_default("cosma", s.capacity);
    config.goal = s.goal, config.options = set, config.option_count = COUNT(set);
    assert_int_equal(asc_timeline_new(asc_input_graph(s.lowering), &config, 4096, &timeline, NULL), ASC_OK);
    asc_outcome outcome;
    do assert_int_equal(asc_timeline_step(timeline, 100000, &outcome), ASC_OK);
    while (outcome == ASC_OUTCOME_RUNNING);
    for (uint32_t k = 0; k < 20; k++) {
      uint64_t to = k ? asci_random_below(&rng, steps + 1) : steps;
      assert_int_equal(asc_timeline_seek(timeline, to, 1, 1, &view), ASC_OK);
      CHECK(hash_view(&s, &view) == states[to], "seed %u: sought step %d of %d", seed, (int)to, (int)steps);
    }
    assert_int_equal(asc_timeline_seek(timeline, steps, 0, 0, &view), ASC_OK);
    asc_run_stats_get(asc_timeline_cursor(timeline), &sought);
    CHECK(sought.digest == stats.digest && sought.cost == stats.cost && sought.outcome == stats.outcome,
          "seed %u: at the end %s %d, expected %s %d", seed, asc_outcome_id(sought.outcome), (int)sought.cost,
          asc_outcome_id(stats.outcome), (int)stats.cost);
    asc_timeline_free(timeline);
    asc_run_free(run);
    close_scene(&s);
  }
}

int run_cosma_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_checked_by_hand),     cmocka_unit_test(optima_hold_with_addresses),
      cmocka_unit_test(plans_of_every_graph_hold), cmocka_unit_test(saved_and_loaded_at_every_step),
      cmocka_unit_test(damaged_saves_do_no_harm),  cmocka_unit_test(seeking_shows_what_going_forward_did),
  };
  return cmocka_run_group_tests_name("cosma", tests, NULL, NULL);
}
