/* What the engine does where a solver does not keep its word: with one that lies in the place of the real one. And its small parts at their ends. */
#include "solve/proof.h"
#include "solve/run.h"
#include "support.h"
#include "trace/overview.h"

#include <string.h>

/* ---- a solver that lies ---------------------------------------------------------------------------------------------- */

typedef struct lies {
  asc_outcome ends; /* what advance returns */
  bool hands_in;    /* a plan that does not hold, before that */
  bool rescues;     /* with such a plan */
  uint32_t rescued; /* how often it was asked to */
  uint32_t bytes;   /* of its saves */
  bool steps;       /* takes them, and nothing comes of them */
} lies;

static lies told;

static asc_status hand_in(asc_run *run) {
  for (uint32_t b = 0; b < asc_problem_count(run->problem); b++) run->best[b] = 0;
  return asci_incumbent(run);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)run, (void)diag;
  *state = &told;
  return ASC_OK;
}

static void destroy(asc_run *run, void *state) {
  (void)run, (void)state;
}

static asc_outcome advance(asc_run *run, void *state) {
  const lies *l = state;
  while (l->steps && asci_more(run)) asci_step_other(run, ASC_EVENT_ADVANCE, 0, 0, 0);
  if (l->hands_in) assert_int_equal(hand_in(run), ASC_INVALID_SOLUTION);
  return l->ends;
}

static asc_status rescue(asc_run *run, void *state) {
  lies *l = state;
  l->rescued++;
  return l->rescues ? hand_in(run) : ASC_OK;
}

/* Reads more than anybody wrote, and does not say so; writes as much as it is told to. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  const lies *l = state;
  uint64_t more = 0;
  (void)run;
  for (uint32_t k = 0; !saver->loads && k < l->bytes; k++) ASCI_KEEP(saver, more, ASCI_ANY);
  if (saver->loads) ASCI_KEEP(saver, more, ASCI_ANY);
  return ASC_OK;
}

static const asci_solver liar = {.create = create, .destroy = destroy, .advance = advance, .rescue = rescue, .keep = keep};

typedef struct scene {
  asc_context *context;
  asc_problem *problem;
  asc_run *run;
  const asci_solver *real;
  void *state;
} scene;

/* Two buffers that are alive at once, which the real solver would place. */
static scene begin(asc_goal goal) {
  scene s = {.context = test_context()};
  const asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(1, 5, 8)};
  s.problem = test_problem(s.context, specs, COUNT(specs));
  asc_run_config config = asc_run_config_default("exact", 16);
  config.goal = goal;
  s.run = test_run_new(s.problem, &config);
  s.real = s.run->machine;
  s.state = s.run->state;
  s.run->machine = &liar;
  s.run->state = &told;
  told = (lies){.ends = ASC_OUTCOME_RUNNING};
  return s;
}

static void end(scene *s) {
  s->run->machine = s->real;
  s->run->state = s->state;
  asc_run_free(s->run);
  asc_problem_free(s->problem);
  test_context_end(s->context);
}

static void a_plan_that_does_not_hold_is_nobodys(void **state) {
  (void)state;
  scene s = begin(ASC_GOAL_HEIGHT);
  told = (lies){.ends = ASC_OUTCOME_OPTIMAL, .hands_in = true};
  asc_outcome outcome;
  assert_int_equal(asc_run_step(s.run, 1, &outcome), ASC_INVALID_SOLUTION);
  assert_int_equal(outcome, ASC_OUTCOME_EXHAUSTED);
  assert_null(asc_run_best(s.run));
  end(&s);
}

static void a_rescue_that_lies_ends_the_run(void **state) {
  (void)state;
  asc_outcome outcome;
  scene s = begin(ASC_GOAL_HEIGHT);
  told.rescues = true;
  asc_run_cancel(s.run);
  assert_int_equal(asc_run_step(s.run, 1, &outcome), ASC_INVALID_SOLUTION);
  assert_int_equal(outcome, ASC_OUTCOME_EXHAUSTED);
  end(&s);
  s = begin(ASC_GOAL_HEIGHT);
  told = (lies){.ends = ASC_OUTCOME_OUT_OF_MEMORY, .rescues = true};
  assert_int_equal(asc_run_step(s.run, 1, &outcome), ASC_OK);
  assert_int_equal(told.rescued, 1);
  assert_null(asc_run_best(s.run));
  end(&s);
  /* nobody asks for a plan that is closer where any plan will do */
  s = begin(ASC_GOAL_FIT);
  told.rescues = true;
  asc_run_cancel(s.run);
  assert_int_equal(asc_run_step(s.run, 1, &outcome), ASC_OK);
  assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
  assert_int_equal(told.rescued, 0);
  end(&s);
}

static void a_save_that_is_read_beyond_its_end_is_bad(void **state) {
  (void)state;
  scene s = begin(ASC_GOAL_FIT);
  const uint8_t *bytes;
  uint8_t copy[512];
  size_t count;
  assert_int_equal(asc_run_save(s.run, &bytes, &count), ASC_OK);
  assert_true(count <= sizeof copy);
  memcpy(copy, bytes, count);
  assert_int_equal(asc_run_load(s.run, copy, count), ASC_BAD_SAVE);
  asc_overview overview;
  asc_run_overview(s.run, &overview); /* a run that was loaded has none */
  assert_int_equal(overview.count, 0);
  assert_int_equal(asci_run_show(s.run, s.run, copy, 1), ASC_BAD_SAVE);
  assert_int_equal(s.run->stats.outcome, ASC_OUTCOME_OUT_OF_MEMORY); /* to be shown again */
  end(&s);
}

/* A keyframe as large as 300 steps or more pay for: there are fewer of them. */
static void large_keyframes_are_far_between(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(1, 5, 8)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  asc_run_config config = asc_run_config_default("exact", 16);
  asc_timeline *timeline = NULL;
  assert_int_equal(asc_timeline_new(asc_input_buffers(problem), &config, SIZE_MAX, &timeline, NULL), ASC_OK);
  uint64_t few = asc_timeline_spacing(timeline, NULL);
  asc_run *run = asc_timeline_run(timeline);
  const asci_solver *real = run->machine;
  void *kept = run->state;
  run->machine = &liar;
  run->state = &told;
  told = (lies){.ends = ASC_OUTCOME_RUNNING, .steps = true, .bytes = 100};
  assert_int_equal(asc_timeline_step(timeline, few + 1, NULL), ASC_OK);
  assert_int_equal(asc_timeline_spacing(timeline, NULL), few);
  told.bytes = 600000;
  assert_int_equal(asc_timeline_step(timeline, few, NULL), ASC_OK);
  assert_int_equal(asc_timeline_spacing(timeline, NULL), 4 * few);
  run->machine = real;
  run->state = kept;
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- a run without memory -------------------------------------------------------------------------------------------- */

static void a_run_that_lost_its_state_may_load(void **state) {
  (void)state;
  test_memory memory = {0};
  asc_context *context = test_context_on(&memory);
  const asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(1, 5, 8)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  asc_run_config config = asc_run_config_default("minimalloc", 16);
  asc_run *run = test_run_new(problem, &config);
  const uint8_t *bytes;
  uint8_t copy[512];
  size_t count;
  assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
  assert_true(count <= sizeof copy);
  memcpy(copy, bytes, count);
  memory.fail_at = memory.calls + 1;
  memory.lasting = true;
  assert_int_equal(asc_run_load(run, copy, count), ASC_OUT_OF_MEMORY);
  assert_int_equal(asc_run_load(run, copy, count), ASC_OUT_OF_MEMORY);
  memory = (test_memory){.live = memory.live};
  assert_int_equal(asc_run_load(run, copy, count), ASC_OK);
  assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
  asc_run_free(run);
  asc_problem_free(problem);
  asc_context_free(context);
  assert_int_equal(memory.live, 0);
}

/* ---- certificates ---------------------------------------------------------------------------------------------------- */

static void certificates_end_where_another_run_is_loaded(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(1, 5, 8)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  asc_run_config config = asc_run_config_default("exact", 15);
  asc_run *run = test_run_new(problem, &config), *other = test_run_new(problem, &config);
  const uint8_t *bytes;
  size_t count;
  assert_int_equal(asc_run_prove(run, test_swallow, NULL, NULL), ASC_OK);
  asci_proof_claim(run->prover, 12, 1);
  asci_proof_claim(run->prover, 11, 1); /* less than is proven */
  assert_int_equal(asc_run_proven(run), 12);
  assert_int_equal(asc_run_save(other, &bytes, &count), ASC_OK);
  assert_int_equal(asc_run_load(run, bytes, count), ASC_OK);
  assert_int_equal(asc_run_proven(run), -1);
  assert_int_equal(test_finish(run), ASC_OUTCOME_INFEASIBLE);
  assert_int_equal(asc_run_proven(run), -1);
  asc_run_free(other);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- small parts ----------------------------------------------------------------------------------------------------- */

static void plans_are_compared_in_all(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  assert_int_equal(asc_graph_csv_read(context, test_two_branches, strlen(test_two_branches), &graph, NULL, 0, NULL), ASC_OK);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  asc_run_config config = asc_run_config_default("list-schedule", 18);
  asc_run *run = NULL;
  assert_int_equal(asc_run_new(asc_input_graph(lowering), &config, &run, NULL), ASC_OK);
  assert_true(asci_has_plan(test_finish(run)));
  asc_plan plan;
  assert_true(asc_run_plan(run, &plan));
  asc_stay stays[64];
  assert_true(plan.stay_count && plan.stay_count <= COUNT(stays));
  memcpy(stays, plan.stays, plan.stay_count * sizeof *stays);
  assert_true(asci_plan_is(run, plan.order, stays, plan.stay_count));
  assert_false(asci_plan_is(run, plan.order, stays, plan.stay_count - 1));
  stays[0].item++;
  assert_false(asci_plan_is(run, plan.order, stays, plan.stay_count));
  size_t were = run->stay_count;
  run->stay_count = UINT32_MAX; /* as many as can be counted */
  assert_false(asci_plan_add(run, stays));
  run->stay_count = were;
  assert_string_equal(asci_option_name(run, SIZE_MAX), "");
  asc_run_free(run);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

/* Where there are no decompositions left to thin out, every second of the others goes. */
static void marks_are_thinned(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_overview *overview = asci_overview_new(context);
  assert_non_null(overview);
  for (uint32_t k = 0; k <= ASCI_MARKS; k++) asci_overview_mark(overview, (asc_mark){.step = k, .kind = ASC_MARK_RESTART});
  assert_int_equal(overview->mark_count, ASCI_MARKS / 2 + 1);
  for (uint32_t k = 0; k < overview->mark_count; k++) assert_int_equal(overview->marks[k].step, 2 * k);
  asci_overview_free(overview);
  test_context_end(context);
}

/* An event whose list has more entries than can be counted is dropped whole. */
static void logs_count_what_they_drop(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_log *log = NULL;
  uint64_t dropped = 0;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asci_log_add(log, &(asc_event){.kind = ASC_EVENT_PLACE});
  asci_log_list(log, 7);
  asci_log_add(log, &(asc_event){.kind = ASC_EVENT_PLACE});
  log->list_count = UINT32_MAX;
  asci_log_list(log, 8);
  asc_log_get(log, NULL, NULL, NULL, &dropped);
  assert_int_equal(dropped, 1);
  assert_int_equal(log->count, 1);
  assert_int_equal(log->list_count, 1);
  asc_log_free(log);
  test_context_end(context);
}

int run_guards_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan_that_does_not_hold_is_nobodys),
      cmocka_unit_test(a_rescue_that_lies_ends_the_run),
      cmocka_unit_test(a_save_that_is_read_beyond_its_end_is_bad),
      cmocka_unit_test(large_keyframes_are_far_between),
      cmocka_unit_test(a_run_that_lost_its_state_may_load),
      cmocka_unit_test(certificates_end_where_another_run_is_loaded),
      cmocka_unit_test(plans_are_compared_in_all),
      cmocka_unit_test(marks_are_thinned),
      cmocka_unit_test(logs_count_what_they_drop),
  };
  return cmocka_run_group_tests_name("guards", tests, NULL, NULL);
}
