/* The selection as a run: it comes to what asc_select comes to, whether it runs straight, step by step, or from a save at any step; what a seek shows is what
 * was there; each step's two pools hold what they say; and the referee of selections finds the faults that are put in. */
#include "cases.h"
#include "graph/naive_lower.h"

#include "asc/select.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
  asc_context *context;
  naive_model model;
  naive_options options;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_option_value set[3];
  asc_run_config config;
  char what[96];
} scene;

static const char *const repackers[] = {"telamalloc", "exact", "large", "contention", "best-fit", "none"};

static void open_scene(scene *s, uint32_t seed) {
  asci_rng rng = {seed};
  *s = (scene){.context = test_context()};
  naive_draw(&s->model, &rng);
  naive_draw_options(&s->options, &rng);
  s->graph = naive_freeze(s->context, &s->model);
  assert_int_equal(asc_lower(s->graph, s->options.values, COUNT(s->options.values), &s->lowering, NULL), ASC_OK);
  s->set[0] = (asc_option_value){"repacker", repackers[asci_random_below(&rng, COUNT(repackers))]};
  s->set[1] = (asc_option_value){"repack", asci_random_below(&rng, 2) ? "with" : "placed"};
  s->set[2] = (asc_option_value){"repack_steps", "2000"};
  int64_t most = asc_problem_lower_bound(asc_lowering_problem(s->lowering)) + 2;
  s->config = asc_run_config_default("select", (int64_t)asci_random_below(&rng, (uint64_t)most + 1));
  s->config.goal = ASC_GOAL_TRAFFIC;
  s->config.options = s->set;
  s->config.option_count = COUNT(s->set);
  snprintf(s->what, sizeof s->what, "seed %u, %s, %s", seed, s->set[0].value, s->set[1].value);
}

static void close_scene(scene *s) {
  asc_lowering_free(s->lowering);
  asc_graph_free(s->graph);
  test_context_end(s->context);
}

static asc_run *new_run(scene *s) {
  asc_run *run = NULL;
  asc_diag diag = {0};
  asc_status status = asc_run_new(asc_input_selection(s->lowering), &s->config, &run, &diag);
  CHECK(status == ASC_OK, "%s: %s %s", s->what, diag.field, diag.message);
  return run;
}

/* All that a view shows; and that both pools hold what it says lies in them. */
static uint64_t hash_view(const scene *s, const asc_run_view *view) {
  size_t violations = 1;
  uint32_t n = asc_problem_count(view->situation), fast = 0;
  assert_int_equal(asc_validate(view->situation, view->offsets, s->config.capacity, NULL, 0, &violations), ASC_OK);
  CHECK(!violations, "%s: at step %u %zu violations", s->what, (unsigned)view->step, violations);
  uint64_t hash = asci_fold(asc_problem_digest(view->situation), view->step);
  for (uint32_t b = 0; b < n; b++) {
    fast += asc_problem_buffer(view->situation, b)->pool == ASC_POOL_MAIN;
    hash = asci_fold(hash, (uint64_t)view->offsets[b]);
  }
  CHECK(fast == view->depth && fast == view->revision, "%s: %u of %u in fast memory", s->what, fast, view->depth);
  for (uint32_t k = 0; k < view->depth; k++) hash = asci_fold(hash, view->stack[k]);
  return hash;
}

static uint64_t hash_run(const scene *s, asc_run *run) {
  asc_run_view view;
  asc_run_stats stats;
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  asc_run_stats_get(run, &stats);
  uint64_t hash = asci_fold(hash_view(s, &view), stats.digest);
  return asci_fold(asci_fold(hash, stats.outcome), (uint64_t)stats.height);
}

/* ---- it comes to the same -------------------------------------------------------------------------------------------- */

static asc_selection *selection_of(const scene *s) {
  asc_select_config config = asc_select_config_default(s->config.capacity);
  static const asc_option_value longest_lived[] = {{"order", "lifetime"}, {"fit", "best"}};
  const char *id = s->set[0].value;
  bool best_fit = !strcmp(id, "best-fit");
  config.repacker = asc_run_config_default(best_fit ? "greedy" : !strcmp(id, "none") ? NULL : id, 0);
  config.repacker.budget = 2000;
  config.repacker.options = longest_lived;
  config.repacker.option_count = best_fit ? COUNT(longest_lived) : 0;
  config.with = !strcmp(s->set[1].value, "with");
  asc_selection *selection = NULL;
  bool over = false;
  assert_int_equal(asc_select_new(s->lowering, &config, &selection, NULL), ASC_OK);
  while (!over) assert_int_equal(asc_select_step(selection, 100, &over), ASC_OK);
  return selection;
}

static void check_end(const scene *s, asc_run *run) {
  asc_input input = asc_input_selection(s->lowering);
  asc_selection *selection = selection_of(s);
  asc_select_stats chosen = asc_select_stats_get(selection);
  uint32_t count;
  const asc_select_row *rows = asc_select_rows(selection, &count);
  asc_run_stats stats;
  asc_plan plan;
  size_t violations = 1;
  asc_run_stats_get(run, &stats);
  assert_true(asc_run_plan(run, &plan));
  assert_int_equal(asc_plan_validate(&input, &plan, s->config.capacity, NULL, 0, &violations), ASC_OK);
  CHECK(!violations, "%s: %zu violations", s->what, violations);
  assert_int_equal(plan.stay_count, count);
  for (uint32_t k = 0; k < count; k++) {
    const asc_stay *stay = &plan.stays[rows[k].buffer];
    CHECK(stay->offset == rows[k].offset && stay->pool == (rows[k].offset == ASC_UNPLACED), "%s: row %u", s->what, k);
  }
  CHECK(asc_plan_cost(&input, &plan, ASC_GOAL_TRAFFIC) == chosen.bytes - chosen.fast_bytes, "%s: moves %lld, not %lld",
        s->what, (long long)asc_plan_cost(&input, &plan, ASC_GOAL_TRAFFIC), (long long)(chosen.bytes - chosen.fast_bytes));
  assert_int_equal(stats.nodes, chosen.repacks);
  assert_int_equal(stats.depth, chosen.fast);
  bool least = stats.cost == 0;
  assert_int_equal(stats.outcome, least ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_FEASIBLE);
  asc_select_free(selection);
}

static void straight_stepped_and_restored(void **state) {
  (void)state;
  uint64_t repacks = 0;
  for (uint32_t seed = 0; seed < test_cases(300); seed++) {
    static scene s;
    open_scene(&s, seed);
    asc_run *run = new_run(&s), *other = new_run(&s), *straight = new_run(&s);
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    while (outcome == ASC_OUTCOME_RUNNING) {
      const uint8_t *bytes;
      size_t count;
      assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
      assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
      CHECK(hash_run(&s, run) == hash_run(&s, other), "%s: loaded", s.what);
      assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
      assert_int_equal(asc_run_step(other, 1, NULL), ASC_OK);
      CHECK(hash_run(&s, run) == hash_run(&s, other), "%s: gone on", s.what);
    }
    test_saved end = test_save(run);
    assert_int_equal(asc_run_load(other, end.bytes, end.count), ASC_OK);
    test_finish(straight);
    CHECK(hash_run(&s, run) == hash_run(&s, straight) && hash_run(&s, run) == hash_run(&s, other), "%s: at the end", s.what);
    check_end(&s, run);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    repacks += stats.nodes;
    asci_rng rng = {seed};
    for (uint32_t k = 0; k < 20; k++) test_load_damaged(other, end.bytes, end.count, &rng);
    free(end.bytes);
    asc_run_free(run);
    asc_run_free(other);
    asc_run_free(straight);
    close_scene(&s);
  }
  CHECK(repacks > 0, "nothing was ever packed anew");
}

static void seeking_shows_what_was_there(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(200); seed++) {
    static scene s;
    static uint64_t states[512], kinds[512];
    asci_rng rng = {seed};
    open_scene(&s, seed);
    asc_run *run = new_run(&s);
    asc_log *log = NULL;
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    asc_run_view view;
    uint32_t steps = 0;
    assert_int_equal(asc_log_new(s.context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    while (outcome == ASC_OUTCOME_RUNNING && steps + 1 < COUNT(states)) {
      assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
      states[steps++] = hash_view(&s, &view);
      assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    }
    asc_timeline *timeline = NULL;
    assert_int_equal(asc_timeline_new(asc_input_selection(s.lowering), &s.config, 4096, &timeline, NULL), ASC_OK);
    assert_int_equal(asc_timeline_step(timeline, UINT32_MAX, NULL), ASC_OK);
    const asc_event *events;
    uint32_t count;
    asc_log_get(log, &events, &count, NULL, NULL);
    for (uint32_t k = 0; k < count; k++) kinds[events[k].step] = events[k].kind;
    for (uint32_t k = 0; k < 12; k++) {
      uint32_t step = (uint32_t)asci_random_below(&rng, steps);
      assert_int_equal(asc_timeline_seek(timeline, step, 1, 1, &view), ASC_OK);
      CHECK(hash_view(&s, &view) == states[step], "%s: step %u", s.what, step);
      const asc_event *seen;
      uint32_t of;
      asc_log_get(asc_timeline_log(timeline), &seen, &of, NULL, NULL);
      for (uint32_t e = 0; e < of; e++) CHECK(seen[e].kind == kinds[seen[e].step], "%s: around step %u", s.what, step);
    }
    asc_timeline_free(timeline);
    asc_run_free(run);
    asc_log_free(log);
    close_scene(&s);
  }
}

/* Any choice fits: to ask for that alone says nothing. */
static void fit_is_no_goal(void **state) {
  (void)state;
  static scene s;
  open_scene(&s, 1);
  s.config.goal = ASC_GOAL_FIT;
  asc_run *run = NULL;
  asc_diag diag = {0};
  assert_int_equal(asc_run_new(asc_input_selection(s.lowering), &s.config, &run, &diag), ASC_UNSUPPORTED);
  assert_string_equal(diag.field, "goal");
  assert_null(run);
  close_scene(&s);
}

/* ---- the referee ----------------------------------------------------------------------------------------------------- */

static void faults_are_found(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (uint32_t seed = 0; seed < test_cases(120); seed++) {
    static scene s;
    asci_rng rng = {seed};
    open_scene(&s, seed);
    asc_run *run = new_run(&s);
    asc_input selection = asc_input_selection(s.lowering), graph = asc_input_graph(s.lowering);
    asc_plan plan;
    size_t violations = 0;
    test_finish(run);
    assert_true(asc_run_plan(run, &plan));
    asc_stay stays[64];
    if (plan.stay_count && plan.stay_count < COUNT(stays)) {
      memcpy(stays, plan.stays, plan.stay_count * sizeof *stays);
      plan.stays = stays;
      uint32_t k = (uint32_t)asci_random_below(&rng, plan.stay_count);
      /* at two places at once */
      stays[plan.stay_count] = stays[k];
      stays[plan.stay_count].pool = !stays[k].pool;
      stays[plan.stay_count++].offset = s.config.capacity;
      assert_int_equal(asc_plan_validate(&selection, &plan, ASC_MAX_BYTES, NULL, 0, &violations), ASC_OK);
      CHECK(violations, "%s: twice at once", s.what);
      plan.stay_count--;
      /* what is read outside is absent in a plan of a graph */
      bool outside = false;
      for (uint32_t i = 0; i < plan.stay_count; i++) outside |= stays[i].pool == ASC_POOL_OUTSIDE;
      assert_int_equal(asc_plan_validate(&graph, &plan, ASC_MAX_BYTES, NULL, 0, &violations), ASC_OK);
      CHECK(outside || !violations, "%s: all in the arena", s.what);
      tried += outside && violations;
    }
    asc_run_free(run);
    close_scene(&s);
  }
  assert_true(tried > 0);
}

/* ---- more than can be counted ---------------------------------------------------------------------------------------- */

enum { READERS = 1100, ROOM = 1 << 15 };

/* A tensor of all bytes that there may be, read by so many that what moves is no 64-bit number. */
static void more_than_can_be_counted(void **state) {
  (void)state;
  static char text[ROOM];
  size_t faults, used = (size_t)snprintf(text, ROOM, "tensor,x,9007199254740991,input\n");
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_run *run = NULL;
  asc_diag diag = {0};
  for (uint32_t k = 0; k < READERS; k++) used += (size_t)snprintf(text + used, ROOM - used, "op,o%u,O,x,\n", k);
  assert_int_equal(asc_graph_csv_read(context, text, used, &graph, NULL, 0, &faults), ASC_OK);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  asc_input input = asc_input_selection(lowering);
  asc_run_config config = asc_run_config_default("select", 1);
  config.goal = ASC_GOAL_TRAFFIC;
  assert_int_equal(asc_run_new(input, &config, &run, &diag), ASC_TOO_LARGE);
  assert_string_equal(diag.field, "bytes");
  /* a plan in which it is outside costs as much as can be said */
  asc_stay outside = {0, ASC_POOL_OUTSIDE, 0, READERS, ASC_UNPLACED};
  asc_plan plan = {.order = asc_lowering_schedule(lowering), .turns = READERS, .stays = &outside, .stay_count = 1};
  assert_true(asc_plan_cost(&input, &plan, ASC_GOAL_TRAFFIC) == INT64_MAX);
  outside.pool = ASC_POOL_MAIN; /* nowhere: of no height */
  assert_int_equal(asc_plan_cost(&input, &plan, ASC_GOAL_HEIGHT), 0);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

static asc_run *cancelled;

static void cancel_it(uint64_t call) {
  (void)call;
  if (cancelled) asc_run_cancel(cancelled);
}

/* What is loaded is chosen anew up to there; whoever cancels that meanwhile gets none of it, and may load it later. */
static void cancelled_while_it_is_loaded(void **state) {
  (void)state;
  test_memory memory = {.noticed = cancel_it};
  asc_context *context = test_context_on(&memory);
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_run *runs[2] = {NULL};
  size_t faults;
  assert_int_equal(asc_graph_csv_read(context, test_two_branches, strlen(test_two_branches), &graph, NULL, 0, &faults),
                   ASC_OK);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  asc_run_config config = asc_run_config_default("select", 17);
  config.goal = ASC_GOAL_TRAFFIC;
  for (uint32_t k = 0; k < 2; k++)
    assert_int_equal(asc_run_new(asc_input_selection(lowering), &config, &runs[k], NULL), ASC_OK);
  test_finish(runs[0]);
  test_saved saved = test_save(runs[0]);
  cancelled = runs[1];
  assert_int_equal(asc_run_load(runs[1], saved.bytes, saved.count), ASC_BAD_SAVE);
  cancelled = NULL;
  asc_run_resume(runs[1], 0);
  assert_int_equal(asc_run_load(runs[1], saved.bytes, saved.count), ASC_OK);
  test_same_stats(runs[1], runs[0], "loaded after all");
  free(saved.bytes);
  for (uint32_t k = 0; k < 2; k++) asc_run_free(runs[k]);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

int run_select_run_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fit_is_no_goal),
      cmocka_unit_test(straight_stepped_and_restored),
      cmocka_unit_test(seeking_shows_what_was_there),
      cmocka_unit_test(faults_are_found),
      cmocka_unit_test(more_than_can_be_counted),
      cmocka_unit_test(cancelled_while_it_is_loaded),
  };
  return cmocka_run_group_tests_name("select run", tests, NULL, NULL);
}
