/* COSMA where the cheapest solution finds no addresses: others that cost as much, and sets of gaps that are copied out as well. Sizes are such that all
 * layouts are too many to be tried. */
#include "cosma_scenes.h"

#include "solve/cosma/packing/repair.h"

static const cosma_setup defaults = {"cosma", {{"schedule", "joint"}}, 1};

typedef struct fallen {
  asc_context *context;
  cosma_graph g;
  int64_t capacity;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_run *run;
  asc_log *log;
  asc_outcome outcome;
  asc_run_stats stats;
} fallen;

static void fall(fallen *f, uint32_t seed) {
  asci_rng rng = {seed};
  *f = (fallen){.context = test_context(), .g = test_cosma_random(&rng, COSMA_OPS, 100)};
  f->capacity = test_cosma_required(&f->g) + 8 * (int64_t)(seed % 4);
  f->graph = test_cosma_freeze(f->context, &f->g);
  f->lowering = test_cosma_lower(f->graph);
  f->run = test_cosma_run(&defaults, f->lowering, ASC_GOAL_TRAFFIC, f->capacity);
  assert_int_equal(asc_log_new(f->context, 0, &f->log), ASC_OK);
  asc_run_attach(f->run, f->log);
  f->outcome = test_finish(f->run); /* the referee judges the plan */
  asc_run_stats_get(f->run, &f->stats);
}

static void stand_up(fallen *f) {
  asc_run_free(f->run);
  asc_log_free(f->log);
  asc_lowering_free(f->lowering);
  asc_graph_free(f->graph);
  test_context_end(f->context);
}

/* What the log tells: searches for other solutions; the most gaps of a repair that was packed. */
static void look_back(const fallen *f, bool *others, int64_t *gaps) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  uint64_t dropped;
  *others = false;
  *gaps = 0;
  asc_log_get(f->log, &events, &count, &lists, &dropped);
  for (uint32_t k = 0; k < count; k++) {
    const asc_event *e = &events[k];
    *others |= e->kind == ASC_EVENT_EXPAND && e->expand.stage == COSMA_OTHERS;
    if (e->kind == ASC_EVENT_REPAIR && e->repair.packed && e->repair.count > *gaps) *gaps = e->repair.count;
  }
}

/* Of these the first optimum that the search came by finds no addresses, and another one does. */
static void another_optimum_is_packed(void **state) {
  (void)state;
  static const uint32_t seeds[] = {1728, 2801, 3368, 4633, 10312, 10486, 10964, 12264};
  for (uint32_t k = 0; k < COUNT(seeds); k++) {
    fallen f;
    bool others;
    int64_t gaps;
    fall(&f, seeds[k]);
    look_back(&f, &others, &gaps);
    CHECK(f.outcome == ASC_OUTCOME_OPTIMAL && others && !gaps, "seed %u: %s, %d gaps", seeds[k], asc_outcome_id(f.outcome),
          (int)gaps);
    stand_up(&f);
  }
}

/* With one gap or two its cheapest plan costs more. */
static void three_gaps_are_cheaper(void **state) {
  (void)state;
  fallen f;
  bool others;
  int64_t gaps;
  fall(&f, 28380);
  look_back(&f, &others, &gaps);
  CHECK(f.outcome == ASC_OUTCOME_FEASIBLE && gaps == 3 && f.stats.cost == 290, "%s at %d with %d gaps",
        asc_outcome_id(f.outcome), (int)f.stats.cost, (int)gaps);
  assert_true(f.stats.lower_bound < f.stats.cost);
  stand_up(&f);
}

/* ---- too many operators ---------------------------------------------------------------------------------------------- */

static const asc_event *last_of(const asc_log *log, asc_event_kind kind, uint32_t stage) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  uint64_t dropped;
  asc_log_get(log, &events, &count, &lists, &dropped);
  for (uint32_t k = count; k-- > 0;)
    if (events[k].kind == kind && events[k].expand.stage == stage) return &events[k];
  return NULL;
}

/* Graphs of more operators than are searched whole have plans through cuts; what is claimed of them every plan pays. */
static void many_operators_go_through_cuts(void **state) {
  (void)state;
  static const cosma_setup setup = {"cosma", {{"whole", "8"}, {"cuts", "4"}, {"beam", "8"}}, 3};
  uint32_t unproven = 0, proven = 0;
  for (uint32_t seed = 0; seed < test_cases(300); seed++) {
    asci_rng rng = {seed};
    fallen f = {.context = test_context(), .g = test_cosma_random(&rng, COSMA_OPS, 6)};
    f.capacity = test_cosma_required(&f.g);
    f.graph = test_cosma_freeze(f.context, &f.g);
    f.lowering = test_cosma_lower(f.graph);
    f.run = test_cosma_run(&setup, f.lowering, ASC_GOAL_TRAFFIC, f.capacity);
    assert_int_equal(asc_log_new(f.context, 0, &f.log), ASC_OK);
    asc_run_attach(f.run, f.log);
    f.outcome = test_finish(f.run);
    asc_run_stats_get(f.run, &f.stats);
    asc_run *whole = test_cosma_run(&defaults, f.lowering, ASC_GOAL_TRAFFIC, f.capacity);
    asc_run_stats best;
    test_finish(whole);
    asc_run_stats_get(whole, &best);
    CHECK(f.g.ops <= 8 || !last_of(f.log, ASC_EVENT_EXPAND, COSMA_EXACT), "seed %u: every order was searched", seed);
    CHECK(f.stats.lower_bound <= best.cost && f.stats.cost >= best.lower_bound, "seed %u: bound %d of %d", seed,
          (int)f.stats.lower_bound, (int)best.cost);
    unproven += f.g.ops > 8 && f.outcome == ASC_OUTCOME_FEASIBLE;
    proven += f.g.ops > 8 && f.stats.cost > 0 && f.outcome == ASC_OUTCOME_OPTIMAL;
    asc_run_free(whole);
    stand_up(&f);
  }
  CHECK(unproven > 0 && proven > 0, "%u unproven, %u proven", unproven, proven);
}

/* ---- sets of gaps ---------------------------------------------------------------------------------------------------- */

/* Traffic of what is taken out, each value's way out once. */
static int64_t cost_of(const cosma_model *m, const cosma_solution *s) {
  uint64_t out = 0;
  int64_t cost = 0;
  for (uint32_t k = 0; k < s->evict_begin[m->op_count]; k++) {
    const cosma_value *v = &m->values[s->evicted[k]];
    cost += out >> s->evicted[k] & 1 || v->copied ? v->bytes : 2 * v->bytes;
    out |= UINT64_C(1) << s->evicted[k];
  }
  return cost;
}

/* All sets are tried, each once, and the cheaper ones first but for those with a value that goes out twice. */
static void check_sets(cosma_model *m, const cosma_solution *from, uint32_t seed) {
  cosma_repair r;
  assert_int_equal(asci_cosma_repair_new(m, from, &r), ASC_OK);
  uint32_t tries = 0, sooner = 0;
  int64_t before = 0, most = r.count < 10 ? (INT64_C(1) << r.count) - 1 : 1000;
  for (; tries < most; tries++) {
    int64_t told = asci_cosma_repair_cost(&r);
    assert_true(asci_cosma_repair_next(&r));
    CHECK(cost_of(m, &r.trial) == told, "seed %u: a try of %d bytes was to cost %d", seed, (int)cost_of(m, &r.trial),
          (int)told);
    sooner += told < before;
    before = told;
  }
  CHECK(10 * sooner <= tries, "seed %u: %u of %u come late", seed, sooner, tries);
  if (r.count < 10) assert_true(!asci_cosma_repair_next(&r) && asci_cosma_repair_cost(&r) == INT64_MAX);
  asci_cosma_repair_free(&r);
}

static void sets_come_by_their_cost(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(200); seed++) {
    asci_rng rng = {seed};
    asc_context *context = test_context();
    cosma_graph g = test_cosma_random(&rng, 10, 20);
    asc_graph *graph = test_cosma_freeze(context, &g);
    asc_lowering *lowering = test_cosma_lower(graph);
    uint32_t order[COSMA_OPS], begin[COSMA_OPS + 1] = {0};
    cosma_solution from = {.order = order, .evict_begin = begin};
    cosma_model m;
    for (uint32_t k = 0; k < g.ops; k++) order[k] = k;
    assert_int_equal(asci_cosma_model_new(lowering, COSMA_COPIED, &m), ASC_OK);
    check_sets(&m, &from, seed);
    asci_cosma_model_free(&m);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
}

int run_cosma_fallbacks_tests(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(another_optimum_is_packed), cmocka_unit_test(three_gaps_are_cheaper),
                                     cmocka_unit_test(many_operators_go_through_cuts),
                                     cmocka_unit_test(sets_come_by_their_cost)};
  return cmocka_run_group_tests_name("cosma_fallbacks", tests, NULL, NULL);
}
