#include "cosma_scenes.h"

#include "base/hash.h"

#include <string.h>

asc_input test_cosma_input(const cosma_setup *setup, const asc_lowering *lowering) {
  return strcmp(setup->solver, "select") == 0 ? asc_input_selection(lowering) : asc_input_graph(lowering);
}

asc_run_config test_cosma_config(const cosma_setup *setup, asc_goal goal, int64_t capacity) {
  asc_run_config config = asc_run_config_default(setup->solver, capacity);
  config.goal = goal;
  config.options = setup->options;
  config.option_count = setup->option_count;
  return config;
}

asc_run *test_cosma_run(const cosma_setup *setup, const asc_lowering *lowering, asc_goal goal, int64_t capacity) {
  asc_run *run = NULL;
  asc_diag diag = {0};
  asc_run_config config = test_cosma_config(setup, goal, capacity);
  asc_status status = asc_run_new(test_cosma_input(setup, lowering), &config, &run, &diag);
  CHECK(status == ASC_OK, "%s %s", diag.field, diag.message);
  return run;
}

/* ---- a plan played byte by byte -------------------------------------------------------------------------------------- */

enum { BYTES = 64 };

/* The arena as tags: which tensor a byte holds, NOBODY. Of a graph in which operator i makes tensor i. */
int64_t test_cosma_play(const cosma_graph *g, const asc_plan *plan, int64_t capacity) {
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

/* ---- random graphs of every kind ------------------------------------------------------------------------------------- */

void test_cosma_open_on(asc_context *context, cosma_scene *s, uint32_t seed, cosma_draw draw) {
  asci_rng rng = {seed};
  *s = (cosma_scene){.context = context};
  naive_draw(&s->model, &rng);
  naive_draw_options(&s->options, &rng);
  s->graph = naive_freeze(s->context, &s->model);
  assert_int_equal(asc_lower(s->graph, s->options.values, COUNT(s->options.values), &s->lowering, NULL), ASC_OK);
  draw(s, &rng);
  asc_budgets budgets;
  bool proven;
  assert_int_equal(asc_lowering_least_peak(s->lowering, 0, &budgets, &proven), ASC_OK);
  s->capacity = budgets.required + asci_random_between(&rng, 0, 12);
}

void test_cosma_draw_memory(cosma_scene *s, bool banked, asci_rng *rng) {
  static const int64_t banks[] = {0, 0, 32, 64};
  int64_t bank = banked ? banks[asci_random_below(rng, COUNT(banks))] : 0;
  asc_profile memory = {.id = "some",
                        .title = "Some",
                        .vendor = "Nobody",
                        .alignment = INT64_C(1) << asci_random_below(rng, 4),
                        .bank = bank,
                        .align_by = (asc_align_by)asci_random_below(rng, 3),
                        .cores = 1,
                        .may_cross = bank == 0};
  asc_status status = asc_lowering_set_profile(s->lowering, &memory, NULL);
  assert_true(status == ASC_OK || (status == ASC_BAD_INPUT && bank)); /* a tensor may be larger than a bank */
}

void test_cosma_open(cosma_scene *s, uint32_t seed, cosma_draw draw) {
  test_cosma_open_on(test_context(), s, seed, draw);
}

void test_cosma_close(cosma_scene *s) {
  asc_lowering_free(s->lowering);
  asc_graph_free(s->graph);
  test_context_end(s->context);
}

asc_run *test_cosma_run_of(const cosma_scene *s) {
  return test_cosma_run(&s->setup, s->lowering, s->goal, s->capacity);
}

bool test_cosma_keeps(const cosma_scene *s) {
  bool resident = naive_is(&s->options, "constants", "resident");
  for (uint32_t t = 0; t < s->model.tensors; t++)
    if (s->model.tensor[t].kind & (ASC_TENSOR_VARIABLE | (resident ? ASC_TENSOR_CONSTANT : 0))) return true;
  return false;
}

/* ---- what every solver promises -------------------------------------------------------------------------------------- */

static uint64_t hash_view(const cosma_scene *s, const asc_run_view *view) {
  const asc_problem *problem = view->situation ? view->situation : asc_lowering_problem(s->lowering);
  uint64_t hash = asci_fold(asci_fold(asc_problem_digest(problem), view->step), view->depth);
  hash = asci_fold(hash, (uint64_t)view->frontier);
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) hash = asci_fold(hash, (uint64_t)view->offsets[b]);
  return hash;
}

static uint64_t hash_run(const cosma_scene *s, asc_run *run) {
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

void test_cosma_saved_and_loaded(uint32_t cases, cosma_draw draw) {
  for (uint32_t seed = 0; seed < cases; seed++) {
    static cosma_scene s;
    test_cosma_open(&s, seed, draw);
    asc_run *run = test_cosma_run_of(&s), *other = test_cosma_run_of(&s);
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
    test_cosma_close(&s);
  }
}

enum { MOST_STEPS = 4096 };

/* Whoever is pinned is pinned at every step: a buffer of the input is that one in each situation, and those behind them are further stays. */
void test_cosma_numbered(uint32_t cases, cosma_draw draw) {
  uint32_t further = 0;
  for (uint32_t seed = 0; seed < cases; seed++) {
    static cosma_scene s;
    test_cosma_open(&s, seed, draw);
    asc_run *run = test_cosma_run_of(&s);
    const asc_problem *given = asc_lowering_problem(s.lowering);
    uint32_t count = asc_problem_count(given);
    asc_run_view view;
    do {
      assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
      if (!view.situation) continue;
      CHECK(asc_problem_count(view.situation) >= count, "seed %u: %u of %u buffers at step %d", seed,
            asc_problem_count(view.situation), count, (int)view.step);
      further += asc_problem_count(view.situation) - count;
      for (uint32_t b = 0; b < count; b++)
        CHECK(!strcmp(asc_problem_id(given, b), asc_problem_id(view.situation, b)), "seed %u: %s is %s at step %d", seed,
              asc_problem_id(given, b), asc_problem_id(view.situation, b), (int)view.step);
    } while (step_once(run) == ASC_OUTCOME_RUNNING);
    asc_run_free(run);
    test_cosma_close(&s);
  }
  assert_true(further > 0);
}

void test_cosma_sought(uint32_t cases, cosma_draw draw) {
  for (uint32_t seed = 0; seed < cases; seed++) {
    static cosma_scene s;
    static uint64_t states[MOST_STEPS];
    asci_rng rng = {seed};
    test_cosma_open(&s, seed, draw);
    asc_run *run = test_cosma_run_of(&s);
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
    asc_run_config config = test_cosma_config(&s.setup, s.goal, s.capacity);
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
    test_cosma_close(&s);
  }
}

void test_cosma_damaged(uint32_t cases, cosma_draw draw) {
  for (uint32_t seed = 0; seed < cases; seed++) {
    static cosma_scene s;
    asci_rng rng = {seed};
    test_cosma_open(&s, seed, draw);
    asc_run *run = test_cosma_run_of(&s), *other = test_cosma_run_of(&s);
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
    test_cosma_close(&s);
  }
}
