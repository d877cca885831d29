/* COSMA as a solver: its plans with addresses, on the cases checked by hand and on random graphs of every kind, and what every solver promises. */
#include "cosma_scenes.h"

static const cosma_setup joint = {"cosma", {{"schedule", "joint"}, {"cuts", "4"}, {"beam", "8"}}, 3};

static void draw(cosma_scene *s, asci_rng *rng) {
  static const char *const schedules[] = {"joint", "file", "least-peak"};
  s->setup = joint;
  s->setup.options[0].value = schedules[asci_random_below(rng, COUNT(schedules))];
  s->goal = asci_random_below(rng, 4) ? ASC_GOAL_TRAFFIC : ASC_GOAL_HEIGHT;
  if (asci_random_below(rng, 2)) s->setup.options[s->setup.option_count++] = (asc_option_value){"inputs", "made"};
  if (asci_random_below(rng, 2)) test_cosma_draw_memory(s, true, rng);
}

/* ---- by hand --------------------------------------------------------------------------------------------------------- */

typedef struct known {
  const char *name, *sizes, *reads;
  int64_t capacity, least; /* traffic with addresses: -1: there is no plan */
} known;

static const known cases[] = {
    {"T1", "3 2 3 2", "- 0 1 2", 5, 0},
    {"T2", "2 3 6 3 2", "- 0 1 2 0,3", 9, 4},
    {"T2", "2 3 6 3 2", "- 0 1 2 0,3", 10, 4},
    {"T2", "2 3 6 3 2", "- 0 1 2 0,3", 11, 0},
    {"T3", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 8, 6},
    {"T3", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 9, 6},
    {"T3", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 10, 0},
    {"T4", "1 5 1 5 1 1", "- 0 1 0 3 2,4", 6, 4},
    {"T4", "1 5 1 5 1 1", "- 0 1 0 3 2,4", 7, 0},
    {"T5", "4 1 3 2 1 1", "- - - 2 1,3 0,4", 9, 0},
    {"T6", "1 1 6 1 6 1 1", "- 0 0 2 0 4 1,3,5", 8, 2},
    {"T6", "1 1 6 1 6 1 1", "- 0 0 2 0 4 1,3,5", 9, 0},
    {"T7", "1 5 3 2 4 3 5 3", "- 0 0,1 2 0 2,3 4 3,4", 9, 2},
    {"T7", "1 5 3 2 4 3 5 3", "- 0 0,1 2 0 2,3 4 3,4", 10, 0},
    {"T8", "1 4 8 6 9 7 7 1", "- 0 0 0,2 2 1,3 5 5,6", 17, 3},
    {"T8", "1 4 8 6 9 7 7 1", "- 0 0 0,2 2 1,3 5 5,6", 18, 0},
    {"T9", "2 5 3 5 3 5 1", "- 0 0,1 2 0,3 4 0,5", 8, -1},
    {"T9", "2 5 3 5 3 5 1", "- 0 0,1 2 0,3 4 0,5", 10, 0},
    {"T10", "1 1 2 2", "- 0 0,1 2", 4, 0},
    {"T11", "4 4 4 4", "- 0 1 0,2", 11, -1},
    {"T11", "4 4 4 4", "- 0 1 0,2", 12, 0},
};

static void check_case(const cosma_setup *setup, const known *c) {
  asc_context *context = test_context();
  cosma_graph g = test_cosma_graph(c->sizes, c->reads);
  asc_graph *graph = test_cosma_freeze(context, &g);
  asc_lowering *lowering = test_cosma_lower(graph);
  asc_run *run = test_cosma_run(setup, lowering, ASC_GOAL_TRAFFIC, c->capacity);
  asc_outcome outcome = test_finish(run);
  asc_run_stats stats;
  asc_plan plan;
  asc_run_stats_get(run, &stats);
  if (c->least < 0)
    CHECK(outcome == ASC_OUTCOME_INFEASIBLE, "%s at %d: %s", c->name, (int)c->capacity, asc_outcome_id(outcome));
  else {
    CHECK(outcome == ASC_OUTCOME_OPTIMAL && stats.cost == c->least && stats.lower_bound == c->least,
          "%s at %d: %s %d, bound %d", c->name, (int)c->capacity, asc_outcome_id(outcome), (int)stats.cost,
          (int)stats.lower_bound);
    assert_true(asc_run_plan(run, &plan));
    assert_int_equal(test_cosma_play(&g, &plan, c->capacity), c->least);
  }
  asc_run_free(run);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

static void cases_checked_by_hand(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(cases); k++) check_case(&joint, &cases[k]);
}

/* ---- moves between two operators in a row --------------------------------------------------------------------------- */

static const cosma_setup moves_any = {"cosma", {{"relocation", "any"}}, 1};

/* Found by lot: of the first only a plan that copies out what two operators in a row read, and fetches it elsewhere, fits; of the second one that does so
   moves a third of what one by (1) does. */
static const struct {
  known any;
  int64_t copied;
} moved[] = {
    {{"none by (1)", "9 6 6 6 6 8 6 4 9 8", "- 0 1 1,2 2,3 3,4 4,5 5,6 6,7 8", 20, 8}, 8},
    {{"a dearer one by (1)", "9 4 8 2 8 7 4 5 9 8", "- 0 1 1,2 2 3,4 4,5 5,6 6,7 8", 19, 8}, 24},
};

static void moves_are_an_option(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(moved); k++) {
    check_case(&moves_any, &moved[k].any);
    asc_context *context = test_context();
    cosma_graph g = test_cosma_graph(moved[k].any.sizes, moved[k].any.reads);
    asc_graph *graph = test_cosma_freeze(context, &g);
    asc_lowering *lowering = test_cosma_lower(graph);
    asc_run *run = test_cosma_run(&joint, lowering, ASC_GOAL_TRAFFIC, moved[k].any.capacity);
    asc_outcome outcome = test_finish(run), expected = moved[k].copied == 8 ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_FEASIBLE;
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    CHECK(outcome == expected && stats.cost == moved[k].copied && stats.lower_bound == moved[k].any.least,
          "%s: %s %d, bound %d", moved[k].any.name, asc_outcome_id(outcome), (int)stats.cost, (int)stats.lower_bound);
    asc_run_free(run);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
}

/* Tensor 0 is an output that is read again, and tensor 1 is smaller: one of them has to go. */
static void copies_of_outputs_are_an_option(void **state) {
  (void)state;
  static const struct {
    const char *outputs;
    int64_t traffic; /* by the referee, who does not count an output's going */
  } ways[] = {{"free", 3}, {"counted", 4}};
  for (uint32_t k = 0; k < COUNT(ways); k++) {
    cosma_setup setup = {"cosma", {{"schedule", "file"}, {"outputs", ways[k].outputs}}, 2};
    asc_context *context = test_context();
    cosma_graph g = test_cosma_graph("3 2 5 1", "- - - 0,1");
    asc_run_stats stats;
    g.outputs = 1;
    asc_graph *graph = test_cosma_freeze(context, &g);
    asc_lowering *lowering = test_cosma_lower(graph);
    asc_run *run = test_cosma_run(&setup, lowering, ASC_GOAL_TRAFFIC, 8);
    assert_int_equal(test_finish(run), ASC_OUTCOME_FEASIBLE);
    asc_run_stats_get(run, &stats);
    assert_int_equal(stats.cost, ways[k].traffic);
    asc_run_free(run);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
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
    asc_run *run = test_cosma_run(&joint, lowering, ASC_GOAL_TRAFFIC, capacity);
    asc_outcome outcome = test_finish(run);
    asc_run_stats stats;
    asc_plan plan;
    asc_run_stats_get(run, &stats);
    int64_t least = test_cosma_traffic(&g, capacity, false);
    CHECK(stats.lower_bound >= least && outcome == ASC_OUTCOME_OPTIMAL, "seed %u: %s, bound %d, without addresses %d", seed,
          asc_outcome_id(outcome), (int)stats.lower_bound, (int)least);
    assert_true(asc_run_plan(run, &plan));
    CHECK(test_cosma_play(&g, &plan, capacity) == stats.cost, "seed %u: traffic", seed);
    proven += stats.cost == least;
    asc_run_free(run);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
  CHECK(proven * 100 >= cases_run * 98, "only %u of %u packed", proven, cases_run);
}

/* The engine has its referee judge each plan: test_finish fails if it finds fault. What a solver claims of the cost is what the plan costs. */
static void plans_of_every_graph_hold(void **state) {
  (void)state;
  uint32_t met[ASC_OUTCOME_COUNT] = {0};
  test_range range = test_share(test_cases(2500));
  for (uint32_t seed = range.first; seed < range.end; seed++) {
    static cosma_scene s;
    test_cosma_open(&s, seed, draw);
    asc_run *run = test_cosma_run_of(&s);
    asc_outcome outcome = test_finish(run);
    asc_run_stats stats;
    asc_plan plan;
    asc_run_stats_get(run, &stats);
    met[outcome]++;
    /* what is always there may leave the operators too little */
    bool planned = asc_run_plan(run, &plan), kept = test_cosma_keeps(&s);
    CHECK(planned || (kept && outcome == ASC_OUTCOME_EXHAUSTED), "seed %u: %s", seed, asc_outcome_id(outcome));
    CHECK(!planned || outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_FEASIBLE ||
              outcome == ASC_OUTCOME_OVER_CAPACITY,
          "seed %u: %s", seed, asc_outcome_id(outcome));
    CHECK(!planned || stats.cost >= stats.lower_bound, "seed %u: cost %d below its bound %d", seed, (int)stats.cost,
          (int)stats.lower_bound);
    asc_run_free(run);
    test_cosma_close(&s);
  }
  assert_true(met[ASC_OUTCOME_OPTIMAL] > 0 && met[ASC_OUTCOME_FEASIBLE] > 0);
}

/* ---- cuts ------------------------------------------------------------------------------------------------------------ */

/* Bytes alive once a set of operators has run: made, and read by one that has not. */
static int64_t live_after(const cosma_graph *g, uint32_t ran) {
  int64_t live = 0;
  for (uint32_t i = 0; i < g->ops; i++)
    for (uint32_t k = 0; k < g->ops && ran >> i & 1; k++)
      if (!(ran >> k & 1) && g->reads[k] >> i & 1) {
        live += g->size[i];
        break;
      }
  return live;
}

/* The cuts that the log tells of: each closes a set of operators that all before it wait for, of as many as it says. */
static uint32_t check_cuts(const cosma_graph *g, const asc_log *log) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count, cuts = 0, ran = 0, parts = 0;
  uint64_t dropped;
  asc_log_get(log, &events, &count, &lists, &dropped);
  for (uint32_t k = 0; k < count; k++) {
    const asc_event_cut_at *cut = &events[k].cut_at;
    if (events[k].kind == ASC_EVENT_CUT) parts = (uint32_t)events[k].cut.parts;
    if (events[k].kind != ASC_EVENT_CUT_AT) continue;
    assert_int_equal(cut->nth, ++cuts);
    assert_int_equal(cut->of + 1, parts);
    for (uint32_t i = 0; i < events[k].list_count; i++) {
      uint32_t op = lists[events[k].list + i];
      assert_true(op < g->ops && !(ran >> op & 1) && !(g->reads[op] & ~ran));
      ran |= 1u << op;
    }
    assert_int_equal(cut->op, lists[events[k].list + events[k].list_count - 1]);
    assert_int_equal(cut->time, __builtin_popcount(ran));
    assert_int_equal(cut->live, live_after(g, ran));
  }
  CHECK(cuts + 1 == parts || parts == 0, "%u cuts and %u parts", cuts, parts);
  return cuts;
}

static void cuts_are_told_with_their_operators(void **state) {
  (void)state;
  uint32_t cuts = 0;
  for (uint32_t seed = 0; seed < test_cases(60); seed++) {
    asci_rng rng = {seed};
    asc_context *context = test_context();
    cosma_graph g = test_cosma_random(&rng, COSMA_OPS, 6);
    asc_graph *graph = test_cosma_freeze(context, &g);
    asc_lowering *lowering = test_cosma_lower(graph);
    asc_run *run = test_cosma_run(&joint, lowering, ASC_GOAL_TRAFFIC, test_cosma_required(&g));
    asc_log *log = NULL;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    test_finish(run);
    cuts += check_cuts(&g, log);
    asc_run_free(run);
    asc_log_free(log);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
  assert_true(cuts > 0);
}

/* ---- layers ---------------------------------------------------------------------------------------------------------- */

/* In an order that is given there is one set of so many operators, and where all fits one state of it. */
static void layers_are_told_with_their_states(void **state) {
  (void)state;
  static const cosma_setup file = {"cosma", {{"schedule", "file"}}, 1};
  for (uint32_t seed = 0; seed < test_cases(200); seed++) {
    asci_rng rng = {seed};
    asc_context *context = test_context();
    cosma_graph g = test_cosma_random(&rng, COSMA_OPS, 6);
    asc_graph *graph = test_cosma_freeze(context, &g);
    asc_lowering *lowering = test_cosma_lower(graph);
    asc_run *run = test_cosma_run(&file, lowering, ASC_GOAL_TRAFFIC, 6 * COSMA_OPS);
    asc_log *log = NULL;
    const asc_event *events;
    const uint32_t *lists;
    uint32_t count, layers = 0;
    uint64_t dropped;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    test_finish(run);
    asc_log_get(log, &events, &count, &lists, &dropped);
    for (uint32_t k = 0; k < count; k++) {
      if (events[k].kind != ASC_EVENT_EXPAND || events[k].expand.layer >= g.ops) continue;
      CHECK(events[k].expand.layer == layers && events[k].expand.states == 1,
            "seed %u: layer %d of %d states, expected layer %u", seed, (int)events[k].expand.layer,
            (int)events[k].expand.states, layers);
      layers++;
    }
    assert_int_equal(layers, g.ops);
    asc_run_free(run);
    asc_log_free(log);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
}

/* ---- what every solver promises -------------------------------------------------------------------------------------- */

static void saved_and_loaded_at_every_step(void **state) {
  (void)state;
  test_cosma_saved_and_loaded(test_cases(60), draw);
}

static void buffers_keep_their_numbers(void **state) {
  (void)state;
  test_cosma_numbered(test_cases(300), draw);
}

static void seeking_shows_what_going_forward_did(void **state) {
  (void)state;
  test_cosma_sought(test_cases(80), draw);
}

static void damaged_saves_do_no_harm(void **state) {
  (void)state;
  test_cosma_damaged(test_cases(60), draw);
}

int run_cosma_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cases_checked_by_hand),
      cmocka_unit_test(moves_are_an_option),
      cmocka_unit_test(copies_of_outputs_are_an_option),
      cmocka_unit_test(optima_hold_with_addresses),
      cmocka_unit_test(layers_are_told_with_their_states),
      cmocka_unit_test(plans_of_every_graph_hold),
      cmocka_unit_test(saved_and_loaded_at_every_step),
      cmocka_unit_test(buffers_keep_their_numbers),
      cmocka_unit_test(cuts_are_told_with_their_operators),
      cmocka_unit_test(damaged_saves_do_no_harm),
      cmocka_unit_test(seeking_shows_what_going_forward_did),
  };
  return cmocka_run_group_tests_name("cosma", tests, NULL, NULL);
}
