/* Replacement as operators go by: the case checked by hand, plans of random graphs, and what every solver promises. */
#include "cosma_scenes.h"
#include "model/problem.h"

static cosma_setup setup_of(const char *schedule, const char *replacement) {
  return (cosma_setup){"replacement", {{"schedule", schedule}, {"replacement", replacement}}, 2};
}

static void draw(cosma_scene *s, asci_rng *rng) {
  s->setup = setup_of(asci_random_below(rng, 2) ? "file" : "least-peak", asci_random_below(rng, 2) ? "belady" : "greedy");
  s->goal = ASC_GOAL_TRAFFIC;
  if (asci_random_below(rng, 2)) test_cosma_draw_memory(s, false, rng);
}

/* The traffic of a graph in which operator i makes tensor i, counted byte by byte. */
static int64_t traffic(const cosma_graph *g, const cosma_setup *setup, int64_t capacity) {
  asc_context *context = test_context();
  asc_graph *graph = test_cosma_freeze(context, g);
  asc_lowering *lowering = test_cosma_lower(graph);
  asc_run *run = test_cosma_run(setup, lowering, ASC_GOAL_TRAFFIC, capacity);
  asc_outcome outcome = test_finish(run);
  asc_run_stats stats;
  asc_plan plan;
  asc_run_stats_get(run, &stats);
  assert_int_equal(outcome, stats.cost ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OPTIMAL);
  assert_true(asc_run_plan(run, &plan));
  int64_t moved = test_cosma_play(g, &plan, capacity);
  assert_int_equal(moved, stats.cost);
  asc_run_free(run);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
  return moved;
}

/* Belady's rule takes the large tensor that is read last of all, where a small one would do. */
static void belady_takes_who_is_read_last(void **state) {
  (void)state;
  cosma_graph g = test_cosma_graph("4 1 3 2 1 1", "- - - 2 1,3 0,4");
  cosma_setup belady = setup_of("file", "belady");
  assert_int_equal(traffic(&g, &belady, 9), 8);
  assert_int_equal(test_cosma_traffic(&g, 9, true), 2);
}

/* 0 is in the way of nobody; 2 has come to lie in the middle, and where it lies no gap is left for 3: it goes out and comes back to the bottom. */
static void what_is_in_its_own_way_moves(void **state) {
  (void)state;
  cosma_graph g = test_cosma_graph("1 1 2 3", "- 0 1 2");
  cosma_setup belady = setup_of("file", "belady"), greedy = setup_of("file", "greedy");
  assert_int_equal(traffic(&g, &belady, 5), 4);
  assert_int_equal(traffic(&g, &greedy, 5), 4);
}

/* 0, 1 and 2 lie one above the other; 3 needs one more byte than is free, and clears what it costs least to: by Belady's rule that is 0, read last. */
static void the_cheapest_stretch_is_cleared(void **state) {
  (void)state;
  cosma_graph g = test_cosma_graph("3 1 1 2 1 1", "- - - - 1,2 0,4");
  cosma_setup belady = setup_of("file", "belady"), greedy = setup_of("file", "greedy");
  assert_int_equal(traffic(&g, &belady, 6), 6);
  assert_int_equal(traffic(&g, &greedy, 6), 2);
}

static void no_plan_moves_less_than_the_best(void **state) {
  (void)state;
  uint32_t worse = 0;
  for (uint32_t seed = 0; seed < test_cases(800); seed++) {
    asci_rng rng = {seed};
    cosma_graph g = test_cosma_random(&rng, 6, 6);
    int64_t capacity = test_cosma_required(&g) + asci_random_between(&rng, 0, 4);
    cosma_setup setup = setup_of("file", asci_random_below(&rng, 2) ? "belady" : "greedy");
    int64_t moved = traffic(&g, &setup, capacity), least = test_cosma_traffic(&g, capacity, true);
    CHECK(moved >= least, "seed %u: moves %d, and %d was proved", seed, (int)moved, (int)least);
    worse += moved > least;
    setup.options[0].value = "least-peak";
    assert_true(traffic(&g, &setup, capacity) >= test_cosma_traffic(&g, capacity, false));
  }
  assert_true(worse > 0);
}

/* The engine has its referee judge each plan: test_finish fails if it finds fault. */
static void plans_of_every_graph_hold(void **state) {
  (void)state;
  uint32_t planned = 0;
  for (uint32_t seed = 0; seed < test_cases(2000); seed++) {
    static cosma_scene s;
    test_cosma_open(&s, seed, draw);
    asc_run *run = test_cosma_run_of(&s);
    asc_outcome outcome = test_finish(run);
    asc_plan plan;
    bool has = asc_run_plan(run, &plan);
    bool aligned = asc_lowering_problem(s.lowering)->has_alignment;
    CHECK(has || (outcome == ASC_OUTCOME_EXHAUSTED && (aligned || test_cosma_keeps(&s))), "seed %u: %s", seed,
          asc_outcome_id(outcome));
    planned += has;
    asc_run_free(run);
    test_cosma_close(&s);
  }
  CHECK(planned * 100 >= test_cases(2000) * 60, "only %u plans", planned);
}

static void an_operator_alone_does_not_fit(void **state) {
  (void)state;
  asc_context *context = test_context();
  cosma_graph g = test_cosma_graph("4 4 4 4", "- 0 1 0,2");
  cosma_setup setup = setup_of("least-peak", "greedy");
  asc_graph *graph = test_cosma_freeze(context, &g);
  asc_lowering *lowering = test_cosma_lower(graph);
  asc_run *run = test_cosma_run(&setup, lowering, ASC_GOAL_TRAFFIC, 11);
  assert_int_equal(test_finish(run), ASC_OUTCOME_INFEASIBLE);
  asc_run_free(run);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

/* A constant that is always there lies at 0, and the next multiple of 8 is above the arena: there is no plan, as far as it can say. */
static void what_is_always_there_does_not_fit(void **state) {
  (void)state;
  static const char text[] =
      "tensor,a,1,constant,8\ntensor,b,1,constant,8\ntensor,x,1\ntensor,y,1,output\nop,f,F,a,x\nop,g,G,b;x,y\n";
  static const asc_option_value resident = {"constants", "resident"};
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  size_t faults;
  cosma_setup setup = setup_of("file", "greedy");
  assert_int_equal(asc_graph_csv_read(context, text, sizeof text - 1, &graph, NULL, 0, &faults), ASC_OK);
  assert_int_equal(asc_lower(graph, &resident, 1, &lowering, NULL), ASC_OK);
  asc_run *run = test_cosma_run(&setup, lowering, ASC_GOAL_TRAFFIC, 5);
  assert_int_equal(test_finish(run), ASC_OUTCOME_EXHAUSTED);
  asc_run_free(run);
  /* nor has COSMA one to hand in when it is ended at once */
  setup = (cosma_setup){"cosma", {{"", ""}}, 0};
  run = test_cosma_run(&setup, lowering, ASC_GOAL_TRAFFIC, 5);
  asc_run_cancel(run);
  assert_int_equal(test_finish(run), ASC_OUTCOME_CANCELLED);
  asc_run_free(run);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

/* Each request for memory is refused once: the run ends without a plan, or has the one that it has otherwise. */
static void each_request_is_refused(void **state) {
  (void)state;
  test_memory memory = {0};
  asc_context *context = test_context_on(&memory);
  cosma_graph g = test_cosma_graph("3 1 1 2 1 1 3 2 4", "- - - - 1,2 0,4 1,3 0,6 2,5");
  asc_graph *graph = test_cosma_freeze(context, &g);
  asc_lowering *lowering = test_cosma_lower(graph);
  cosma_setup setup = setup_of("file", "greedy");
  asc_run_config config = test_cosma_config(&setup, ASC_GOAL_TRAFFIC, test_cosma_required(&g) + 1);
  asc_run_stats stats, whole = {0};
  uint32_t lost = 0;
  for (uint64_t k = 0;; k++) {
    asc_run *run = NULL;
    memory.fail_at = k ? memory.calls + k : 0;
    uint64_t before = memory.calls;
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    asc_status status = asc_run_new(asc_input_graph(lowering), &config, &run, NULL);
    while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 1000, &outcome);
    bool refused = memory.calls >= before + k;
    memory.fail_at = 0;
    if (run) asc_run_stats_get(run, &stats);
    if (k == 0) whole = stats;
    lost += status == ASC_OUT_OF_MEMORY || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
    CHECK(!run || stats.height < 0 || stats.cost == whole.cost, "request %d: %d bytes", (int)k, (int)stats.cost);
    asc_run_free(run);
    if (!refused) break;
  }
  assert_true(lost > 20 && whole.cost > 0);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

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

int run_replacement_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(belady_takes_who_is_read_last),     cmocka_unit_test(what_is_in_its_own_way_moves),
      cmocka_unit_test(the_cheapest_stretch_is_cleared),   cmocka_unit_test(no_plan_moves_less_than_the_best),
      cmocka_unit_test(plans_of_every_graph_hold),         cmocka_unit_test(an_operator_alone_does_not_fit),
      cmocka_unit_test(what_is_always_there_does_not_fit), cmocka_unit_test(each_request_is_refused),
      cmocka_unit_test(saved_and_loaded_at_every_step),    cmocka_unit_test(seeking_shows_what_going_forward_did),
      cmocka_unit_test(buffers_keep_their_numbers),        cmocka_unit_test(damaged_saves_do_no_harm),
  };
  return cmocka_run_group_tests_name("replacement", tests, NULL, NULL);
}
