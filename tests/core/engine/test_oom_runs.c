/* No memory for runs: each solver from its first step to its last, its log, its saves and its timeline. */
#include "oom.h"

#include "base/hash.h"
#include "model/fit/tree.h"

#include <stdio.h>
#include <string.h>

/* ---- runs ---- */

/* A plan at the load bound, where the solvers must look for it. */
static asc_status make_tight(asc_context *context, asc_problem **problem) {
  int64_t capacity;
  return asc_generate(context, "synthetic", 24, 2, problem, &capacity);
}

/* Each of four rows that dies after the next one: a halo, so that who comes later lies a row lower, or on top. */
static asc_status make_shapes(asc_context *context, asc_problem **made) {
  asc_problem *problem = NULL;
  asc_status status = asc_problem_new(context, &problem);
  for (uint32_t b = 0; !status && b < 8; b++) {
    int64_t from = 5 * (int64_t)b, row = 3 + b % 3;
    asc_rect rects[4];
    asc_buffer_spec spec = test_spec(from, from + 10, 4 * row);
    char id[] = {(char)('a' + b), 0};
    for (int64_t k = 0; k < 4; k++) rects[k] = (asc_rect){from + k, from + 7 + k, k * row, (k + 1) * row};
    spec.id = id;
    spec.shape = rects;
    spec.shape_count = 4;
    status = asc_problem_add(problem, &spec, NULL);
  }
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (status)
    asc_problem_free(problem);
  else
    *made = problem;
  return status;
}

/* Three pools, of which one is empty. */
static asc_status make_pools(asc_context *context, asc_problem **made) {
  asc_problem *problem = NULL;
  asc_status status = asc_problem_new(context, &problem);
  if (!status) status = asc_problem_add_pool(problem, &(asc_pool){"none", 0, 1, 0}, NULL, NULL);
  if (!status) status = asc_problem_add_pool(problem, &(asc_pool){"far", 60, 1, 0}, NULL, NULL);
  for (uint32_t b = 0; !status && b < 16; b++) {
    asc_buffer_spec spec = test_spec(b % 5, b % 5 + 1 + b % 4, 1 + (b * 7) % 6);
    char id[] = {(char)('a' + b), 0};
    spec.id = id;
    spec.pool = b % 2 ? 2 : ASC_POOL_MAIN;
    status = asc_problem_add(problem, &spec, NULL);
  }
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (status)
    asc_problem_free(problem);
  else
    *made = problem;
  return status;
}

/* Some twenty blocks of a fit tree: it has levels, and windows until something is taken out. */
static asc_status make_many(asc_context *context, bool gaps, asc_problem **made) {
  asc_problem *problem = NULL;
  asc_status status = asc_problem_new(context, &problem);
  asci_rng rng = {3};
  for (uint32_t b = 0; !status && b < 1300; b++) {
    int64_t lower = (int64_t)asci_random_below(&rng, 1300), life = asci_random_between(&rng, 4, b % 10 ? 20 : 400);
    asc_buffer_spec spec = test_spec(lower, lower + life, asci_random_between(&rng, 2, 40));
    asc_gap gap = {lower + 1, lower + life / 2, 0, b % 8 ? 0 : spec.size / 2};
    char id[16];
    snprintf(id, sizeof id, "b%u", b);
    spec.id = id;
    spec.gaps = &gap;
    spec.gap_count = gaps && b % 4 == 0;
    status = asc_problem_add(problem, &spec, NULL);
  }
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (status)
    asc_problem_free(problem);
  else
    *made = problem;
  return status;
}

static asc_status make_many_plain(asc_context *context, asc_problem **problem) {
  return make_many(context, false, problem);
}
static asc_status make_many_gaps(asc_context *context, asc_problem **problem) {
  return make_many(context, true, problem);
}

/* After the solvers as they are come some on problems where they do, at least so often, what a tiny one gives no cause for. Those with many
   buffers are last. */
static const struct {
  const char *id;
  asc_status (*make)(asc_context *context, asc_problem **problem);
  asc_event_kind does;
  uint32_t least, budget;
  asc_goal goal;
  asc_option_value options[5];
} busy[] = {
    {"large", make_tight, ASC_EVENT_EJECT, 10, 3000, ASC_GOAL_HEIGHT, {{"tries", "2"}, {"fails", "8"}}},
    {"exact", make_tight, ASC_EVENT_EJECT, 10, 3000, ASC_GOAL_HEIGHT, {{"ejection", "always"}}},
    {"tvm-hill-climb", make_tight, ASC_EVENT_SWAP, 30, 3000, ASC_GOAL_HEIGHT, {{"attempts", "60"}}},
    {"vela-hill-climb",
     make_tight,
     ASC_EVENT_SWAP,
     30,
     3000,
     ASC_GOAL_HEIGHT,
     {{"attempts", "60"}, {"stuck", "5"}, {"patience", "40"}}},
    {"taa-exact", make_tight, ASC_EVENT_LIFT, 30, 3000, ASC_GOAL_HEIGHT, {{"swaps", "40"}}},
    {"taa-exact", make_shapes, ASC_EVENT_LIFT, 10, 3000, ASC_GOAL_HEIGHT, {{0}}},
    {"exact", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_HEIGHT, {{0}}},
    {"minimalloc", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_FIT, {{0}}},
    {"telamalloc", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_FIT, {{0}}},
    {"greedy", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_FIT, {{0}}},
    {"first-fit", make_many_gaps, ASC_EVENT_PLACE, 1300, 3000, ASC_GOAL_FIT, {{0}}},
    {"large", make_many_gaps, ASC_EVENT_EJECT, 30, 2500, ASC_GOAL_HEIGHT, {{"tries", "2"}, {"fails", "8"}}},
    {"tvm-hill-climb", make_many_plain, ASC_EVENT_SWAP, 5, 3000, ASC_GOAL_HEIGHT, {{"attempts", "8"}}},
    {"vela-hill-climb",
     make_many_plain,
     ASC_EVENT_SWAP,
     5,
     3000,
     ASC_GOAL_HEIGHT,
     {{"attempts", "8"}, {"stuck", "3"}, {"patience", "6"}}},
};

enum { MANY = 10 }; /* from there on problems have many buffers */

static uint32_t task_count(void) {
  return test_solver_count() + COUNT(busy);
}

static asc_run_config config_of(uint32_t which, const asc_problem *problem) {
  bool plain = which < test_solver_count();
  uint32_t extra = plain ? 0 : which - test_solver_count();
  const char *id = plain ? asc_solver_at(which)->id : busy[extra].id;
  asc_run_config config = asc_run_config_default(id, asc_problem_lower_bound(problem));
  config.budget = plain ? 3000 : busy[extra].budget;
  if (plain) return config;
  config.goal = busy[extra].goal;
  config.options = busy[extra].options;
  while (config.options[config.option_count].name) config.option_count++;
  return config;
}

static asc_status begin(asc_context *context, uint32_t which, asc_problem **problem, asc_run **run) {
  asc_status status = which < test_solver_count() ? oom_problem(context, 24, problem)
                                                  : busy[which - test_solver_count()].make(context, problem);
  if (status) return status;
  asc_run_config config = config_of(which, *problem);
  asc_diag diag;
  status = asc_run_new(asc_input_buffers(*problem), &config, run, &diag);
  if (status) assert_true(diag.status == status && diag.message[0]);
  return status;
}

static oom_result end(asc_problem *problem, asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = ASC_OK;
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 1000, &outcome);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  size_t violations = 0;
  const int64_t *best = asc_run_best(run); /* who minimises may have had a plan before */
  if (stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY) assert_true(stats.height == (best ? asc_height(problem, best) : -1));
  asc_status judged = best ? asc_validate(problem, best, INT64_MAX, NULL, 0, &violations) : ASC_OK;
  assert_true(judged == ASC_OUT_OF_MEMORY || violations == 0);
  asc_run_free(run);
  asc_problem_free(problem);
  if (oom_lacks(status) || outcome == ASC_OUTCOME_OUT_OF_MEMORY) return oom_none();
  return (oom_result){.value = stats.digest ^ (uint64_t)stats.outcome ^ (uint64_t)stats.height << 8};
}

static oom_result run_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  asc_run *run = NULL;
  if (!oom_lacks(begin(context, which, &problem, &run))) return end(problem, run);
  asc_problem_free(problem);
  return oom_none();
}

/* A log that finds no memory drops whole events and counts them; the run goes on. */
static oom_result log_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  asc_run *run = NULL;
  asc_log *log = NULL;
  if (oom_lacks(begin(context, which, &problem, &run)) || oom_lacks(asc_log_new(context, 0, &log))) {
    asc_run_free(run);
    asc_problem_free(problem);
    return oom_none();
  }
  asc_run_attach(run, log);
  oom_result whole = end(problem, run);
  const asc_event *events;
  uint32_t count;
  uint64_t dropped;
  asc_log_get(log, &events, &count, NULL, &dropped);
  for (uint32_t k = 0; k < count; k++) whole.value = whole.value * 31 + events[k].kind + events[k].list_count;
  asc_log_free(log);
  if (dropped) whole.out_of_memory = true;
  return whole;
}

static oom_result save_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  asc_run *run = NULL, *other = NULL;
  const uint8_t *bytes = NULL;
  size_t count = 0;
  asc_outcome before = ASC_OUTCOME_RUNNING;
  asc_status status = begin(context, which, &problem, &run);
  if (!status) status = asc_run_step(run, 150, &before);
  if (before == ASC_OUTCOME_OUT_OF_MEMORY) status = ASC_OUT_OF_MEMORY;
  if (!status) status = asc_run_save(run, &bytes, &count);
  if (!status) {
    asc_run_config config = config_of(which, problem);
    status = asc_run_new(asc_input_buffers(problem), &config, &other, NULL);
  }
  if (!status) status = asc_run_load(other, bytes, count);
  if (!oom_lacks(status)) {
    asc_run_free(run);
    return end(problem, other);
  }
  if (other) { /* a run whose load found no memory can still be asked anything */
    asc_outcome outcome;
    asc_run_view view;
    const uint8_t *saved;
    size_t saved_count;
    oom_lacks(asc_run_step(other, 50, &outcome));
    oom_lacks(asc_run_view_get(other, &view));
    oom_lacks(asc_run_save(other, &saved, &saved_count));
  }
  asc_run_free(run);
  asc_run_free(other);
  asc_problem_free(problem);
  return oom_none();
}

static oom_result timeline_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  if (oom_lacks(oom_problem(context, 24, &problem))) return oom_none();
  asc_timeline *timeline = NULL;
  asc_run_config config = asc_run_config_default(asc_solver_at(which)->id, asc_problem_lower_bound(problem));
  config.budget = 3000;
  asc_run_view view;
  uint64_t found = 0, stopped = 0;
  asc_status status = asc_timeline_new(asc_input_buffers(problem), &config, 2000, &timeline, NULL);
  if (!status) status = asc_timeline_step(timeline, 5000, NULL);
  if (!status) status = asc_timeline_seek(timeline, 20, 5, 5, &view);
  if (!status) status = asc_timeline_seek(timeline, 10, 5, 0, &view);
  asc_condition placed = asc_condition_default();
  placed.kinds = UINT64_C(1) << ASC_EVENT_PLACE;
  placed.buffer = 3;
  if (!status) status = asc_timeline_find(timeline, 0, true, &placed, 1, 0, &found, &stopped);
  asc_path path;
  if (!status) status = asc_timeline_path(timeline, 20, 100, 100, 0, &path);
  oom_result whole = {.out_of_memory = oom_lacks(status)};
  if (timeline) {
    asc_run_stats stats;
    asc_run_stats_get(asc_timeline_run(timeline), &stats);
    whole.value = stats.digest;
    if (stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY) whole.out_of_memory = true;
  }
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  return whole;
}

/* ---- runs on a graph ---- */

typedef struct graph_solver {
  const char *id;
  asc_option_value option;
  asc_goal goal;
  int64_t capacity;
  int64_t optimum; /* of one that goes on without what it finds no memory for; else -1 */
  bool proves;     /* that optimum, if it has memory */
} graph_solver;

static const graph_solver graph_solvers[] = {
    {"list-schedule", {"allocator", "large"}, ASC_GOAL_FIT, 64, -1, false},
    {"list-schedule", {"allocator", "greedy"}, ASC_GOAL_FIT, 64, -1, false},
    {"list-schedule", {"allocator", "exact"}, ASC_GOAL_FIT, 64, -1, false},
    {"list-schedule", {"allocator", "minimalloc"}, ASC_GOAL_FIT, 64, -1, false},
    {"list-schedule", {"allocator", "telamalloc"}, ASC_GOAL_FIT, 64, -1, false},
    {"cosma", {"schedule", "joint"}, ASC_GOAL_TRAFFIC, 17, 10, true},
    {"replacement", {"schedule", "least-peak"}, ASC_GOAL_TRAFFIC, 17, 10, false},
    {"replacement", {"schedule", "file"}, ASC_GOAL_TRAFFIC, 17, -1, false},
    {"select", {"repacker", "exact"}, ASC_GOAL_TRAFFIC, 12, -1, false},
    {"select", {"repack", "placed"}, ASC_GOAL_TRAFFIC, 9, -1, false},
};

typedef struct graph_story {
  asc_graph *graph;
  asc_lowering *lowering;
  asc_timeline *timeline;
} graph_story;

static asc_status begin_graph(asc_context *context, const graph_solver *solver, graph_story *made) {
  asc_run_config config = asc_run_config_default(solver->id, solver->capacity);
  config.goal = solver->goal;
  config.options = &solver->option;
  config.option_count = 1;
  asc_status status = asc_graph_csv_read(context, test_two_branches, strlen(test_two_branches), &made->graph, NULL, 0, NULL);
  if (!status) status = asc_lower(made->graph, NULL, 0, &made->lowering, NULL);
  if (!status && solver->optimum < 0) status = asc_lowering_set_profile(made->lowering, asc_profile_at(0), NULL);
  if (status) return status;
  asc_input input = asc_input_graph(made->lowering);
  input.domain = asc_solver_find(solver->id)->domain;
  return asc_timeline_new(input, &config, 4096, &made->timeline, NULL);
}

/* COSMA goes on without a pass that finds no memory: its steps are others then, and so may its plan be, or there is none. What must be as ever: no
   plan beats the optimum, the bound is no more than that, nothing is proven that is not so, and the referee finds no fault. */
static void check_claims(const graph_solver *solver, asc_run *run, const asc_lowering *lowering) {
  asc_run_stats stats;
  asc_plan plan;
  asc_input input = asc_input_graph(lowering);
  size_t violations = 0;
  asc_run_stats_get(run, &stats);
  assert_int_not_equal(stats.outcome, ASC_OUTCOME_INFEASIBLE);
  assert_true(stats.lower_bound <= solver->optimum);
  bool planned = asc_run_plan(run, &plan);
  assert_true(planned || stats.outcome != ASC_OUTCOME_OPTIMAL);
  if (!planned) return;
  asc_status status = asc_plan_validate(&input, &plan, solver->capacity, NULL, 0, &violations);
  assert_true(status == ASC_OUT_OF_MEMORY || (!status && !violations));
  assert_int_equal(stats.cost, asc_plan_cost(&input, &plan, solver->goal));
  assert_true(stats.outcome == ASC_OUTCOME_OPTIMAL ? stats.cost == solver->optimum : stats.cost >= solver->optimum);
}

/* Reads, lowers, runs, seeks and saves. */
static oom_result graph_run_task(asc_context *context, uint32_t which) {
  const graph_solver *solver = &graph_solvers[which];
  graph_story story = {0};
  oom_result whole = {0};
  asc_run_view view;
  asc_run_stats stats = {.outcome = ASC_OUTCOME_RUNNING};
  const uint8_t *bytes;
  size_t count;
  asc_status status = begin_graph(context, solver, &story);
  if (!status) status = asc_timeline_step(story.timeline, 1000, NULL);
  for (uint64_t step = 7; step-- > 0 && !status;) status = asc_timeline_seek(story.timeline, step, 1, 1, &view);
  asc_run *run = story.timeline ? asc_timeline_run(story.timeline) : NULL;
  if (run) asc_run_stats_get(run, &stats);
  if (!status) status = asc_run_save(run, &bytes, &count);
  whole.out_of_memory = oom_lacks(status) || stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  if (!whole.out_of_memory) {
    assert_int_not_equal(stats.outcome, ASC_OUTCOME_RUNNING);
    if (solver->optimum < 0)
      whole.value = asci_fold(stats.digest, stats.outcome);
    else
      check_claims(solver, run, story.lowering);
  }
  asc_timeline_free(story.timeline);
  asc_lowering_free(story.lowering);
  asc_graph_free(story.graph);
  return whole;
}

/* ---- tasks as tests ---- */

static void runs_of_every_solver(void **state) {
  (void)state;
  for (uint32_t which = test_part.index; which < task_count(); which += test_part.count) {
    oom_fail_every_call("run", run_task, which);
    if (which < test_solver_count() + MANY) oom_fail_every_call("log", log_task, which);
  }
}

/* Swaps are counted whether they are kept or not, where there was somebody to swap. */
static uint32_t times(const asc_log *log, asc_event_kind kind) {
  const asc_event *events;
  uint32_t count, done = 0;
  bool swaps = kind == ASC_EVENT_SWAP;
  asc_log_get(log, &events, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++)
    done +=
        events[k].kind == kind || (swaps && events[k].kind == ASC_EVENT_SWAP_BACK && events[k].swap_back.buffer != ASC_NONE);
  return done;
}

static void check_tree(const asc_problem *problem, bool gaps) {
  asci_fit_tree tree;
  assert_int_equal(asci_fit_tree_new(problem, ASCI_FIT_SWIFT, &tree), ASC_OK);
  assert_true(tree.levels >= 3 && tree.windows);
  assert_int_equal(tree.owner != NULL, gaps);
  asci_fit_tree_free(&tree);
}

/* The busy ones are, or lacking memory while they are would not be looked at. */
static void some_are_busy(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(busy); k++) {
    asc_context *context = test_context();
    asc_problem *problem = NULL;
    asc_run *run = NULL;
    asc_log *log = NULL;
    assert_int_equal(begin(context, test_solver_count() + k, &problem, &run), ASC_OK);
    if (k >= MANY) check_tree(problem, busy[k].make == make_many_gaps);
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    assert_int_equal(asc_run_step(run, busy[k].budget, NULL), ASC_OK);
    uint32_t done = times(log, busy[k].does);
    CHECK(done >= busy[k].least, "%u: %s only %u times", k, busy[k].id, done);
    asc_run_free(run);
    asc_log_free(log);
    asc_problem_free(problem);
    test_context_end(context);
  }
}

static void saves_of_every_solver(void **state) {
  (void)state;
  for (uint32_t which = test_part.index; which < test_solver_count() + MANY; which += test_part.count)
    oom_fail_every_call("save", save_task, which);
}

static void timelines_of_every_solver(void **state) {
  (void)state;
  for (uint32_t which = test_part.index; which < test_solver_count(); which += test_part.count)
    oom_fail_every_call("timeline", timeline_task, which);
}

static void runs_on_a_graph(void **state) {
  (void)state;
  for (uint32_t which = test_part.index; which < COUNT(graph_solvers); which += test_part.count)
    oom_fail_every_call("graph run", graph_run_task, which);
}

/* Without any call refused the optimum is found and proven, or the claims were of nothing. */
static void the_optimum_is_known(void **state) {
  (void)state;
  for (uint32_t which = 0; which < COUNT(graph_solvers); which++) {
    if (!graph_solvers[which].proves) continue;
    asc_context *context = test_context();
    graph_story story = {0};
    asc_run_stats stats;
    assert_int_equal(begin_graph(context, &graph_solvers[which], &story), ASC_OK);
    assert_int_equal(asc_timeline_step(story.timeline, 1000, NULL), ASC_OK);
    asc_run_stats_get(asc_timeline_run(story.timeline), &stats);
    assert_int_equal(stats.outcome, ASC_OUTCOME_OPTIMAL);
    assert_int_equal(stats.cost, graph_solvers[which].optimum);
    asc_timeline_free(story.timeline);
    asc_lowering_free(story.lowering);
    asc_graph_free(story.graph);
    test_context_end(context);
  }
}

int run_oom_runs_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(some_are_busy),         cmocka_unit_test(the_optimum_is_known),
      cmocka_unit_test(runs_on_a_graph),       cmocka_unit_test(runs_of_every_solver),
      cmocka_unit_test(saves_of_every_solver), cmocka_unit_test(timelines_of_every_solver),
  };
  return cmocka_run_group_tests_name("oom_runs", tests, NULL, NULL);
}
