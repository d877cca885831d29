/* No memory at a place drawn by lot, of searches drawn by lot: every solver, on buffers, in pools, on graphs, with every constraint and any options. What
 * small examples with each call failing in turn do not come to is some draw's second or third block. Whatever fails is said, leaks nothing, and changes
 * nothing of what is told. */
#include "asc/graph.h"
#include "asc/select.h"
#include "asc/tile.h"
#include "cases.h"
#include "oom.h"
#include "solvers/certificates.h"
#include "solvers/cosma/cosma_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUDGET = 600 };

static test_memory memory; /* of the context that all is made on */
static char doing[80];     /* for messages */

/* Whether it could; else it had no memory, or it is the other thing that may be. */
static bool may(asc_status status, asc_status other) {
  CHECK(status == ASC_OK || status == ASC_OUT_OF_MEMORY || status == other, "%s, call %d%s: %s", doing, (int)memory.fail_at,
        memory.lasting ? " on" : "", asc_status_text(status));
  return status == ASC_OK;
}

static bool goes_on(asc_status status) {
  return may(status, ASC_OK);
}

/* The work with that call from now on failing, alone or with all that follow. */
typedef struct lot {
  uint64_t call;
  bool lasting;
} lot;

static void refuse(void (*work)(void *what), void *what, asc_context *context, lot drawn) {
  size_t bytes = asc_context_bytes(context);
  uint64_t live = memory.live;
  memory.lasting = drawn.lasting;
  memory.fail_at = memory.calls + drawn.call;
  work(what);
  memory.fail_at = 0;
  assert_int_equal(asc_context_bytes(context), bytes);
  assert_int_equal(memory.live, live);
}

/* Does the work once with all it needs; then with the calls failing that come from new places, or a third of them unless three times as many cases are
   asked for, and so many drawn by lot. */
static void fail_by_lot(asci_rng *rng, uint32_t times, void (*work)(void *what), void *what, asc_context *context) {
  uint64_t before = memory.calls;
  uint32_t count;
  memory.noticed = oom_notice_place;
  work(what);
  memory.noticed = NULL;
  uint64_t calls = memory.calls - before;
  const uint64_t *places = oom_new_places(&count);
  uint32_t one_of = test_cases(100) < 300 ? 3 : 1;
  for (uint32_t k = (uint32_t)(calls % one_of); k < count; k += one_of)
    refuse(work, what, context, (lot){places[k] - before, asci_random_below(rng, 4) == 0});
  for (uint32_t k = 0; k < times && calls; k++)
    refuse(work, what, context, (lot){1 + asci_random_below(rng, calls), asci_random_below(rng, 4) == 0});
}

/* ---- searches -------------------------------------------------------------------------------------------------------- */

/* A run, saved on its way, and another that goes on from there. Neither has a plan that is none. */
static void search(asc_input input, const asc_run_config *config, uint64_t steps) {
  asc_run *run = NULL, *other = NULL;
  const uint8_t *bytes;
  size_t count, violations = 0;
  asc_run_view view;
  asc_plan plan;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  bool on = may(asc_run_new(input, config, &run, NULL), ASC_UNSUPPORTED);
  asc_overview overview;
  if (run) asc_run_overview(run, &overview);
  on = on && goes_on(asc_run_step(run, steps, &outcome));
  on = on && goes_on(asc_run_save(run, &bytes, &count));
  on = on && goes_on(asc_run_new(input, config, &other, NULL));
  on = on && may(asc_run_load(other, bytes, count), ASC_BAD_SAVE); /* of who had none */
  on = on && goes_on(asc_run_view_get(other, &view));
  while (run && outcome == ASC_OUTCOME_RUNNING && goes_on(asc_run_step(run, 1000, &outcome))) {
  }
  if (run && asc_run_plan(run, &plan) && goes_on(asc_plan_validate(&input, &plan, INT64_MAX, NULL, 0, &violations)))
    assert_int_equal(violations, 0);
  outcome = ASC_OUTCOME_RUNNING;
  while (on && outcome == ASC_OUTCOME_RUNNING) on = goes_on(asc_run_step(other, 1000, &outcome));
  asc_run_free(run);
  asc_run_free(other);
}

static void look_back(asc_input input, const asc_run_config *config, uint64_t steps) {
  asc_timeline *timeline = NULL;
  asc_run_view view;
  asc_path path;
  uint64_t found, stopped;
  asc_condition deep = asc_condition_default();
  deep.above = 2;
  bool on = may(asc_timeline_new(input, config, 4096, &timeline, NULL), ASC_UNSUPPORTED);
  on = on && goes_on(asc_timeline_step(timeline, steps, NULL));
  on = on && goes_on(asc_timeline_seek(timeline, steps / 2, 3, 3, &view));
  on = on && goes_on(asc_timeline_find(timeline, steps, false, &deep, 1, 500, &found, &stopped));
  on = on && goes_on(asc_timeline_path(timeline, steps / 3, 4, 8, 500, &path));
  asc_timeline_free(timeline);
}

/* ---- on buffers ------------------------------------------------------------------------------------------------------ */

typedef struct buffers {
  test_case *each;
  asc_run_config config;
  uint64_t steps;
  test_output text;
} buffers;

static void explain(const asc_problem *problem, int64_t capacity) {
  asc_explain *explain = NULL;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_explanation why;
  bool on = may(asc_explain_new(problem, capacity, 1, BUDGET, &explain, NULL), ASC_UNSUPPORTED);
  while (on && outcome == ASC_OUTCOME_RUNNING) on = goes_on(asc_explain_step(explain, 50, &outcome));
  if (explain) asc_explain_get(explain, &why);
  asc_explain_free(explain);
}

/* What is written is checked with as little memory. */
static void prove(asc_input input, const asc_run_config *config, asc_context *context) {
  asc_run *run = NULL;
  certificate all = {0};
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  int64_t held = -1;
  bool on = goes_on(asc_run_new(input, config, &run, NULL)) &&
            may(asc_run_prove(run, certificate_gather, &all, NULL), ASC_UNSUPPORTED);
  while (on && outcome == ASC_OUTCOME_RUNNING) on = goes_on(asc_run_step(run, 1000, &outcome));
  int64_t proven = on ? asc_run_proven(run) : -1;
  if (proven >= 0 && goes_on(asc_proof_check(context, input.of.buffers, all.text, all.used, &held, NULL)))
    assert_true(held >= proven);
  free(all.text);
  asc_run_free(run);
}

static void work_on_buffers(void *what) {
  buffers *w = what;
  asc_context *context = w->each->context;
  asc_csv *csv = NULL;
  size_t count;
  uint64_t sum = 0;
  if (goes_on(asc_csv_read(context, w->text.text, w->text.used, ASC_OFFSETS_FIXED, &csv, NULL, 0, &count))) {
    const asc_problem *problem = asc_csv_problem(csv);
    asc_input input = asc_input_buffers(problem);
    search(input, &w->config, w->steps);
    look_back(input, &w->config, w->steps);
    if (w->config.seed % 3 == 0) explain(problem, w->config.capacity - 1 > 0 ? w->config.capacity - 1 : 0);
    if (!strcmp(w->config.solver, "exact") && asc_problem_pool_count(problem) == 1) prove(input, &w->config, context);
    (void)goes_on(asc_csv_write_for_sheets(problem, csv, NULL, oom_add_up, &sum));
  }
  asc_csv_free(csv);
}

static void on_buffers(test_case *each) {
  if (!asc_problem_count(each->problem)) return; /* which no file can say */
  buffers w = {.each = each, .config = test_case_config(each), .text = {.used = 0}};
  w.config.budget = BUDGET;
  snprintf(doing, sizeof doing, "%s", each->name);
  w.steps = 1 + asci_random_below(each->rng, 60);
  assert_int_equal(asc_csv_write(each->problem, NULL, NULL, test_append, &w.text), ASC_OK);
  fail_by_lot(each->rng, test_is_sanitized() ? 1 : 4, work_on_buffers, &w, each->context);
}

static void searches_on_buffers(void **state) {
  (void)state;
  memory = (test_memory){0};
  asc_context *context = test_context_on(&memory);
  test_each_case_on(context, test_cases(20), 977, on_buffers);
  test_context_end(context);
  assert_int_equal(memory.live, 0);
}

/* ---- on graphs ------------------------------------------------------------------------------------------------------- */

static void draw_setup(cosma_scene *s, asci_rng *rng) {
  static const cosma_setup setups[] = {{"cosma", {{"schedule", "joint"}}, 1},
                                       {"cosma", {{"schedule", "least-peak"}}, 1},
                                       {"cosma", {{"whole", "8"}, {"cuts", "4"}, {"beam", "8"}}, 3},
                                       {"cosma", {{"schedule", "file"}}, 1},
                                       {"replacement", {{"schedule", "least-peak"}}, 1},
                                       {"replacement", {{"schedule", "file"}}, 1},
                                       {"list-schedule", {{"allocator", "large"}}, 1},
                                       {"list-schedule", {{"allocator", "taa"}}, 1},
                                       {"list-schedule", {{"allocator", "exact"}}, 1},
                                       {"select", {{"repacker", "exact"}, {"repack_steps", "100"}}, 2},
                                       {"select", {{"repacker", "large"}, {"repack_steps", "100"}}, 2}};
  s->setup = setups[asci_random_below(rng, COUNT(setups))];
  bool schedules = s->setup.solver[0] == 'l';
  if (!strcmp(s->setup.options[0].value, "file")) { /* where the order is open, counting these takes long */
    s->setup.options[s->setup.option_count++] = (asc_option_value){"outputs", "counted"};
    s->setup.options[s->setup.option_count++] = (asc_option_value){"inputs", asci_random_below(rng, 2) ? "made" : "outside"};
  }
  bool either = !schedules && strcmp(s->setup.solver, "select") != 0;
  s->goal = schedules ? ASC_GOAL_FIT : either && asci_random_below(rng, 3) == 0 ? ASC_GOAL_HEIGHT : ASC_GOAL_TRAFFIC;
}

typedef struct graphs {
  cosma_scene scene;
  uint32_t seed;
} graphs;

static void write_programs(const asc_lowering *lowering, int64_t capacity) {
  uint64_t sum = 0;
  asc_budgets budgets;
  bool proven;
  (void)goes_on(asc_lowering_least_peak(lowering, 400, &budgets, &proven));
  for (unsigned kind = 0; kind < 3; kind++)
    (void)may(asc_lowering_lp(lowering, capacity, (asc_lp_model)kind, oom_add_up, &sum, NULL), ASC_UNSUPPORTED);
}

static void choose(const asc_lowering *lowering, int64_t capacity, bool repacks) {
  asc_selection *selection = NULL;
  asc_select_config config = asc_select_config_default(capacity / 2);
  bool over = false;
  config.repacker.solver = repacks ? "exact" : NULL;
  bool on = may(asc_select_new(lowering, &config, &selection, NULL), ASC_UNSUPPORTED);
  while (on && !over) on = goes_on(asc_select_step(selection, 100, &over));
  asc_select_free(selection);
}

static void work_on_graphs(void *what) {
  graphs *w = what;
  const cosma_scene *s = &w->scene;
  asc_lowering *lowering = NULL;
  if (goes_on(asc_lower(s->graph, s->options.values, COUNT(s->options.values), &lowering, NULL))) {
    asc_run_config config = test_cosma_config(&s->setup, s->goal, s->capacity);
    config.budget = BUDGET;
    search(test_cosma_input(&s->setup, lowering), &config, 1 + w->seed % 9);
    look_back(test_cosma_input(&s->setup, lowering), &config, 3 + w->seed % 9);
    write_programs(lowering, s->capacity);
    choose(lowering, s->capacity, w->seed % 2);
  }
  asc_lowering_free(lowering);
}

static void searches_on_graphs(void **state) {
  (void)state;
  memory = (test_memory){0};
  asc_context *context = test_context_on(&memory);
  for (uint32_t seed = 0; seed < test_cases(60); seed++) {
    static graphs w;
    asci_rng rng = {seed};
    w.seed = seed;
    test_cosma_open_on(context, &w.scene, seed, draw_setup);
    snprintf(doing, sizeof doing, "%s, seed %u", w.scene.setup.solver, seed);
    fail_by_lot(&rng, test_is_sanitized() ? 1 : 4, work_on_graphs, &w, context);
    asc_lowering_free(w.scene.lowering);
    asc_graph_free(w.scene.graph);
  }
  test_context_end(context);
  assert_int_equal(memory.live, 0);
}

int run_oom_random_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(searches_on_buffers),
      cmocka_unit_test(searches_on_graphs),
  };
  return cmocka_run_group_tests_name("oom_random", tests, NULL, NULL);
}
