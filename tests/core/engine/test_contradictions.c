/* Saves that contradict themselves though each number in them may be: a plan that is not the one that the solver comes to, a height that no part has, more
 * steps than there are. And runs that are shown by another's records, at every step, which go no further than those. */
#include "cases.h"
#include "forged.h"
#include "solve/run.h"
#include "solvers/cosma/cosma_scenes.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene {
  asc_context *context;
  asc_graph *graph;
  asc_lowering *lowering;
} scene;

static void open_scene(scene *s, asc_context *context, const char *text) {
  size_t faults;
  *s = (scene){.context = context};
  assert_int_equal(asc_graph_csv_read(context, text, strlen(text), &s->graph, NULL, 0, &faults), ASC_OK);
  s->lowering = test_cosma_lower(s->graph);
}

static void close_scene(scene *s) {
  asc_lowering_free(s->lowering);
  asc_graph_free(s->graph);
  test_context_end(s->context);
}

enum { CAPACITY = 17 };

static asc_run *run_of(const scene *s, const char *solver, int64_t capacity) {
  const cosma_setup setup = {solver, {{"", ""}}, 0};
  return test_cosma_run(&setup, s->lowering, strcmp(solver, "list-schedule") ? ASC_GOAL_TRAFFIC : ASC_GOAL_FIT, capacity);
}

/* ---- shown by another's records -------------------------------------------------------------------------------------- */

static const char *const recorders[] = {"cosma", "replacement", "list-schedule", "select"};

static uint64_t steps_of(const asc_run *run) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  return stats.steps;
}

static const asc_problem *seen(const scene *s, const asc_run_view *view) {
  return view->situation ? view->situation : asc_lowering_problem(s->lowering);
}

static void same_sight(const scene *s, asc_run *left, asc_run *right, const char *name) {
  asc_run_view a, b;
  assert_int_equal(asc_run_view_get(left, &a), ASC_OK);
  assert_int_equal(asc_run_view_get(right, &b), ASC_OK);
  uint32_t count = asc_problem_count(seen(s, &a));
  CHECK(a.step == b.step && a.depth == b.depth && asc_problem_digest(seen(s, &a)) == asc_problem_digest(seen(s, &b)),
        "%s: step %d", name, (int)a.step);
  assert_memory_equal(a.offsets, b.offsets, count * sizeof *a.offsets);
}

enum { MOST_STEPS = 512 };

/* The digest after each step, from 0. */
static uint64_t digests_of(const scene *s, const char *name, uint64_t *digests) {
  asc_run *run = run_of(s, name, CAPACITY);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_run_stats stats;
  uint64_t steps = 0;
  do {
    asc_run_stats_get(run, &stats);
    assert_true(stats.steps < MOST_STEPS);
    digests[steps = stats.steps] = stats.digest;
    if (outcome == ASC_OUTCOME_RUNNING) assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    asc_run_stats_get(run, &stats);
  } while (stats.steps > steps);
  asc_run_free(run);
  return steps;
}

/* Where the plan is taken over, but for lack of memory, it can be later. */
static void ends_without_memory(const scene *s, asc_run *ahead, const char *name, test_memory *memory) {
  asc_run *shown = run_of(s, name, CAPACITY);
  const uint8_t *bytes;
  size_t count;
  bool copies = !strcmp(name, "cosma") || !strcmp(name, "list-schedule");
  assert_int_equal(asci_run_save_counters(ahead, &bytes, &count), ASC_OK);
  memory->fail_at = memory->calls + 1;
  CHECK(asci_run_show(shown, ahead, bytes, count) == (copies ? ASC_OUT_OF_MEMORY : ASC_OK), "%s without memory", name);
  memory->fail_at = 0;
  assert_int_equal(asci_run_show(shown, ahead, bytes, count), ASC_OK);
  same_sight(s, ahead, shown, name);
  asc_run_free(shown);
}

/* At each step of one that goes on: another is set there by its records, and looks like it. Told to go on, it goes as far as the records, or further if it
   needs none, and takes the same steps. */
static void goes_on_with_the_records(const scene *s, const char *name, test_memory *memory) {
  static uint64_t digests[MOST_STEPS];
  uint64_t steps = digests_of(s, name, digests), waited = 0;
  asc_run *ahead = run_of(s, name, CAPACITY), *shown = run_of(s, name, CAPACITY);
  asc_outcome outcome = ASC_OUTCOME_RUNNING, other;
  while (outcome == ASC_OUTCOME_RUNNING) {
    const uint8_t *bytes;
    size_t count;
    asc_run_stats stats;
    assert_int_equal(asc_run_step(ahead, 1, &outcome), ASC_OK);
    assert_int_equal(asci_run_save_counters(ahead, &bytes, &count), ASC_OK);
    assert_int_equal(asci_run_show(shown, ahead, bytes, count), ASC_OK);
    same_sight(s, ahead, shown, name);
    assert_int_equal(asc_run_step(shown, MOST_STEPS, &other), ASC_OK);
    asc_run_stats_get(shown, &stats);
    CHECK(stats.steps <= steps && stats.digest == digests[stats.steps], "%s: step %d", name, (int)stats.steps);
    waited += other == ASC_OUTCOME_RUNNING;
  }
  CHECK(waited > 0 || !strcmp(name, "list-schedule"), "%s never waits", name);
  ends_without_memory(s, ahead, name, memory);
  asc_run_free(shown);
  asc_run_free(ahead);
}

static void records_are_followed_to_their_end(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(recorders); k++) {
    test_memory memory = {0};
    scene s;
    open_scene(&s, test_context_on(&memory), test_two_branches);
    goes_on_with_the_records(&s, recorders[k], &memory);
    close_scene(&s);
  }
}

/* ---- plans of others ------------------------------------------------------------------------------------------------- */

/* Whether a save of the run as it stands now is taken by another run of its like, which is as new otherwise. */
static asc_status reload(const scene *s, asc_run *run, const char *solver, int64_t capacity) {
  asc_run *other = run_of(s, solver, capacity);
  test_saved saved = test_save(run);
  asc_status status = asc_run_load(other, saved.bytes, saved.count);
  assert_true(status == ASC_OK || steps_of(other) == 0);
  free(saved.bytes);
  asc_run_free(other);
  return status;
}

/* The run's plan is that one, whoever made it; its height and traffic are that one's. */
static void plant(const scene *s, asc_run *run, const uint32_t *order, const asc_stay *stays, uint32_t count) {
  asc_plan plan = {.order = order, .turns = asc_graph_op_count(s->graph), .stays = stays, .stay_count = count};
  size_t violations = 0;
  assert_int_equal(asc_plan_validate(&run->input, &plan, run->capacity, NULL, 0, &violations), ASC_OK);
  assert_int_equal(violations, 0);
  memcpy(run->order, order, plan.turns * sizeof *order);
  asci_plan_begin(run);
  for (uint32_t k = 0; k < count; k++) assert_true(asci_plan_add(run, &stays[k]));
  run->stats.height = asc_plan_cost(&run->input, &plan, ASC_GOAL_HEIGHT);
  run->stats.cost = asc_plan_cost(&run->input, &plan, run->goal);
}

enum { MOST_STAYS = 16 };

typedef struct kept {
  uint32_t order[8], count;
  asc_stay stays[MOST_STAYS];
} kept;

static kept plan_of(const asc_run *run) {
  asc_plan plan;
  kept k = {{0}, 0, {{0}}};
  assert_true(asc_run_plan(run, &plan));
  k.count = plan.stay_count;
  memcpy(k.order, plan.order, plan.turns * sizeof *plan.order);
  memcpy(k.stays, plan.stays, k.count * sizeof *k.stays);
  return k;
}

/* Whatever the order of b and c, the stays are the same; p could have a copy outside. */
static const char side_by_side[] =
    "tensor,x,4,input\ntensor,p,3\ntensor,y,2,output\nop,a,A,x,p\nop,b,B,x;p,\nop,c,C,x;p,\nop,d,D,p,y\n";

static void replacements_know_their_plan(void **state) {
  (void)state;
  scene s;
  open_scene(&s, test_context(), side_by_side);
  asc_run *run = run_of(&s, "replacement", 12);
  asc_run_stats end;
  assert_int_equal(asc_run_step(run, 2, NULL), ASC_OK);
  asc_run *begun = run_of(&s, "replacement", 12);
  assert_int_equal(asc_run_step(begun, 2, NULL), ASC_OK);
  test_finish(run);
  asc_run_stats_get(run, &end);
  kept own = plan_of(run), other = own;
  assert_int_equal(reload(&s, run, "replacement", 12), ASC_OK);

  other.order[1] = 2, other.order[2] = 1;
  plant(&s, run, other.order, own.stays, own.count);
  assert_int_equal(reload(&s, run, "replacement", 12), ASC_BAD_SAVE);

  other.stays[other.count++] = (asc_stay){1, ASC_POOL_OUTSIDE, 1, 2, ASC_UNPLACED};
  run->stats.outcome = ASC_OUTCOME_FEASIBLE;
  plant(&s, run, own.order, other.stays, other.count);
  assert_int_equal(reload(&s, run, "replacement", 12), ASC_BAD_SAVE);

  other = own;
  other.stays[0] = own.stays[1], other.stays[1] = own.stays[0];
  plant(&s, run, own.order, other.stays, other.count);
  assert_int_equal(reload(&s, run, "replacement", 12), ASC_BAD_SAVE);

  /* a plan before the end, and an end without one */
  plant(&s, begun, own.order, own.stays, own.count);
  assert_int_equal(reload(&s, begun, "replacement", 12), ASC_BAD_SAVE);
  run->stats.outcome = ASC_OUTCOME_EXHAUSTED;
  run->stats.height = run->stats.cost = -1;
  assert_int_equal(reload(&s, run, "replacement", 12), ASC_BAD_SAVE);
  asc_run_free(begun);
  asc_run_free(run);
  close_scene(&s);
}

/* The last number of a save, which is how far a selection was shown, is another. */
static void show_further(test_saved *saved, uint64_t by) {
  size_t at = 0, end = 0;
  while (end < saved->count) {
    at = end;
    (void)forged_number(saved, at, &end);
  }
  test_saved forged = forged_with(saved, at, end, forged_number(saved, at, &end) + by);
  free(saved->bytes);
  *saved = forged;
}

static void selections_know_their_plan(void **state) {
  (void)state;
  scene s;
  open_scene(&s, test_context(), side_by_side);
  asc_run *run = run_of(&s, "select", 12), *begun = run_of(&s, "select", 12), *other = run_of(&s, "select", 12);
  assert_int_equal(asc_run_step(begun, 2, NULL), ASC_OK);
  test_finish(run);
  kept own = plan_of(run), planted = own;
  asc_run_stats end = run->stats;
  assert_int_equal(reload(&s, run, "select", 12), ASC_OK);

  planted.stays[0] = own.stays[1], planted.stays[1] = own.stays[0];
  plant(&s, run, own.order, planted.stays, own.count);
  assert_int_equal(reload(&s, run, "select", 12), ASC_BAD_SAVE);

  /* a plan before its end, an end that goes on */
  run->stats.outcome = ASC_OUTCOME_RUNNING;
  run->stats.height = run->stats.cost = -1;
  assert_int_equal(reload(&s, run, "select", 12), ASC_BAD_SAVE);
  plant(&s, begun, own.order, own.stays, own.count);
  begun->stats.outcome = ASC_OUTCOME_FEASIBLE;
  assert_int_equal(reload(&s, begun, "select", 12), ASC_BAD_SAVE);

  /* more steps than there are */
  run->stats = end;
  plant(&s, run, own.order, own.stays, own.count);
  run->stats.steps += 3;
  test_saved saved = test_save(run);
  show_further(&saved, 3);
  assert_int_equal(asc_run_load(other, saved.bytes, saved.count), ASC_BAD_SAVE);
  free(saved.bytes);
  asc_run_free(other);
  asc_run_free(begun);
  asc_run_free(run);
  close_scene(&s);
}

/* ---- pools ----------------------------------------------------------------------------------------------------------- */

static void pools_add_up(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  const asc_pool fast = {"fast", 0, 1, 0};
  asc_buffer_spec spec = test_spec(0, 2, 3);
  assert_int_equal(asc_problem_add_pool(problem, &fast, NULL, NULL), ASC_OK);
  for (uint32_t b = 0; b < 4; b++) {
    spec.id = (const char *const[]){"a", "b", "c", "d"}[b];
    spec.pool = b / 2;
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  asc_run_config config = asc_run_config_default("greedy", 9);
  static const struct {
    asc_outcome outcome;
    int64_t lift; /* of a buffer, by which the whole becomes higher than its parts; -1: there is no plan */
    asc_status status;
  } ends[] = {{ASC_OUTCOME_OPTIMAL, 0, ASC_OK},
              {ASC_OUTCOME_OVER_CAPACITY, 1, ASC_BAD_SAVE},
              {ASC_OUTCOME_EXHAUSTED, 1, ASC_BAD_SAVE},
              {ASC_OUTCOME_EXHAUSTED, -1, ASC_OK}};
  for (uint32_t k = 0; k < COUNT(ends); k++) {
    asc_run *run = test_run_new(problem, &config), *other = test_run_new(problem, &config);
    assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
    run->stats.outcome = ends[k].outcome;
    if (ends[k].lift < 0) run->stats.height = run->stats.cost = -1;
    if (ends[k].lift > 0) {
      uint32_t high = run->best[0] ? 0 : 1;
      run->best[high] += ends[k].lift;
      run->stats.height += ends[k].lift;
      run->stats.cost += ends[k].lift;
    }
    test_saved saved = test_save(run);
    CHECK(asc_run_load(other, saved.bytes, saved.count) == ends[k].status, "%u", k);
    free(saved.bytes);
    asc_run_free(run);
    asc_run_free(other);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

int run_contradictions_tests(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(records_are_followed_to_their_end),
                                     cmocka_unit_test(replacements_know_their_plan),
                                     cmocka_unit_test(selections_know_their_plan), cmocka_unit_test(pools_add_up)};
  return cmocka_run_group_tests_name("contradictions", tests, NULL, NULL);
}
