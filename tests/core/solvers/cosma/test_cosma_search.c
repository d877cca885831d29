/* COSMA without addresses: the dynamic program against trying everything, and against the cases checked by hand. */
#include "cosma_graphs.h"

#include "solve/cosma/kernel/least_live.h"
#include "solve/cosma/kernel/plan.h"

#include <string.h>

static cosma_settings settings(int64_t capacity, cosma_schedule schedule) {
  return (cosma_settings){.capacity = capacity, .schedule = schedule, .cut_length = 4, .beam = 8};
}

/* What a search to its end came to; the plan is played through the referee's count of its traffic. */
typedef struct answer {
  int64_t cost, bound, required;
} answer;

static void check_plan(const asc_lowering *lowering, const cosma_passes *p, bool height) {
  asci_stay_list list = {.context = p->m->context};
  assert_int_equal(asci_cosma_stays(p->m, &p->best, &list), ASC_OK);
  asc_plan plan = {.order = p->best.order, .turns = p->m->op_count, .stay_count = (uint32_t)list.count, .stays = list.stays};
  asc_input input = asc_input_graph(lowering);
  asc_violation faults[64];
  size_t count = 0;
  assert_int_equal(asc_plan_validate(&input, &plan, ASC_MAX_BYTES, faults, COUNT(faults), &count), ASC_OK);
  /* without addresses everything in the arena is outside of it, and nothing else is wrong */
  for (size_t k = 0; k < count && k < COUNT(faults); k++)
    CHECK(faults[k].kind == ASC_VIOLATION_OUTSIDE, "%s of %u", asc_violation_name(faults[k].kind), faults[k].buffer);
  int64_t traffic = asc_plan_cost(&input, &plan, ASC_GOAL_TRAFFIC);
  CHECK(traffic == (height ? 0 : p->best.cost), "traffic %d, expected %d", (int)traffic, (int)p->best.cost);
  asci_free(list.context, list.stays);
}

static answer solve(const cosma_graph *g, const cosma_settings *set) {
  asc_context *context = test_context();
  asc_graph *graph = test_cosma_freeze(context, g);
  asc_lowering *lowering = test_cosma_lower(graph);
  cosma_model model;
  cosma_passes passes;
  assert_int_equal(asci_cosma_model_new(lowering, COSMA_COPIED, &model), ASC_OK);
  assert_int_equal(asci_cosma_passes_new(&model, set, &passes), ASC_OK);
  while (!passes.over) assert_int_not_equal(asci_cosma_passes_step(&passes), COSMA_FULL);
  answer a = {passes.best.cost, passes.bound, model.required};
  if (a.cost != ASC_UNPLACED) check_plan(lowering, &passes, set->height);
  asci_cosma_passes_free(&passes);
  asci_cosma_model_free(&model);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
  return a;
}

static int64_t traffic_of(const cosma_graph *g, int64_t capacity, cosma_schedule schedule) {
  cosma_settings set = settings(capacity, schedule);
  answer a = solve(g, &set);
  if (a.cost == ASC_UNPLACED) return INT64_MAX;
  CHECK(a.bound == a.cost, "bound %d of cost %d", (int)a.bound, (int)a.cost);
  return a.cost;
}

static int64_t peak_of(const cosma_graph *g) {
  cosma_settings set = {.height = true, .schedule = COSMA_JOINT, .beam = 1};
  answer a = solve(g, &set);
  assert_int_equal(a.bound, a.cost);
  assert_int_equal(a.required, test_cosma_required(g));
  return a.cost;
}

/* ---- by hand --------------------------------------------------------------------------------------------------------- */

typedef struct known {
  const char *name, *sizes, *reads;
  int64_t required, peak;
  int64_t capacity, joint, file; /* least traffic without regard to addresses, also in the given order (-1: not stated) */
} known;

/* The cases of the design, of which T7 and T8 need more once there are addresses. */
static const known cases[] = {
    {"T1 chain", "3 2 3 2", "- 0 1 2", 5, 5, 5, 0, -1},
    {"T2 skip", "2 3 6 3 2", "- 0 1 2 0,3", 9, 11, 9, 4, -1},
    {"T2 skip", "2 3 6 3 2", "- 0 1 2 0,3", 9, 11, 10, 4, -1},
    {"T2 skip", "2 3 6 3 2", "- 0 1 2 0,3", 9, 11, 11, 0, -1},
    {"T3 out once, in twice", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 8, 10, 8, 6, -1},
    {"T3 out once, in twice", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 8, 10, 9, 6, -1},
    {"T3 out once, in twice", "2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5", 8, 10, 10, 0, -1},
    {"T4 branches", "1 5 1 5 1 1", "- 0 1 0 3 2,4", 6, 7, 6, 4, -1},
    {"T4 branches", "1 5 1 5 1 1", "- 0 1 0 3 2,4", 6, 7, 7, 0, -1},
    {"T5 order", "4 1 3 2 1 1", "- - - 2 1,3 0,4", 6, 6, 9, 0, 2},
    {"T6", "1 1 6 1 6 1 1", "- 0 0 2 0 4 1,3,5", 7, 9, 8, 2, -1},
    {"T6", "1 1 6 1 6 1 1", "- 0 0 2 0 4 1,3,5", 7, 9, 9, 0, -1},
    {"T7 fragments", "1 5 3 2 4 3 5 3", "- 0 0,1 2 0 2,3 4 3,4", 9, 9, 9, 0, 14},
    {"T7 fragments", "1 5 3 2 4 3 5 3", "- 0 0,1 2 0 2,3 4 3,4", 9, 9, 10, 0, 12},
    {"T8 fragments", "1 4 8 6 9 7 7 1", "- 0 0 0,2 2 1,3 5 5,6", 17, 18, 17, 2, 20},
    {"T8 fragments", "1 4 8 6 9 7 7 1", "- 0 0 0,2 2 1,3 5 5,6", 17, 18, 18, 0, -1},
    {"T9 too large", "2 5 3 5 3 5 1", "- 0 0,1 2 0,3 4 0,5", 10, 10, 8, INT64_MAX, INT64_MAX},
    {"T9 too large", "2 5 3 5 3 5 1", "- 0 0,1 2 0,3 4 0,5", 10, 10, 10, 0, -1},
    {"T10 side by side", "1 1 2 2", "- 0 0,1 2", 4, 4, 4, 0, -1},
    {"T11 diamond", "4 4 4 4", "- 0 1 0,2", 12, 12, 11, INT64_MAX, INT64_MAX},
    {"T11 diamond", "4 4 4 4", "- 0 1 0,2", 12, 12, 12, 0, -1},
};

static void test_known_cases(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    const known *c = &cases[k];
    cosma_graph g = test_cosma_graph(c->sizes, c->reads);
    assert_int_equal(test_cosma_required(&g), c->required);
    int64_t peak = peak_of(&g), joint = traffic_of(&g, c->capacity, COSMA_JOINT);
    int64_t file = traffic_of(&g, c->capacity, COSMA_FILE);
    CHECK(peak == c->peak, "%s: peak %d", c->name, (int)peak);
    CHECK(joint == c->joint, "%s at %d: traffic %d", c->name, (int)c->capacity, (int)joint);
    CHECK(c->file < 0 || file == c->file, "%s at %d: traffic %d in the given order", c->name, (int)c->capacity, (int)file);
  }
}

/* ---- by trying everything -------------------------------------------------------------------------------------------- */

static void check_random(uint64_t seed) {
  asci_rng rng = {seed};
  cosma_graph g = test_cosma_random(&rng, seed % 3 == 0 ? 7 : 6, seed % 2 ? 3 : 9);
  int64_t required = test_cosma_required(&g), peak = test_cosma_peak(&g);
  int64_t capacity = asci_random_between(&rng, required, peak > required ? peak : required + 1);
  int64_t expected[] = {test_cosma_traffic(&g, capacity, false), test_cosma_traffic(&g, capacity, true), peak};
  int64_t got[] = {traffic_of(&g, capacity, COSMA_JOINT), traffic_of(&g, capacity, COSMA_FILE), peak_of(&g)};
  for (uint32_t k = 0; k < COUNT(got); k++) {
    if (got[k] == expected[k]) continue;
    test_cosma_print(&g);
    CHECK(got[k] == expected[k], "seed %u, capacity %d, %u: got %d, expected %d", (unsigned)seed, (int)capacity, k,
          (int)got[k], (int)expected[k]);
  }
}

static void test_random_graphs(void **state) {
  (void)state;
  test_range range = test_share(test_cases(20000));
  for (uint32_t seed = range.first; seed < range.end; seed++) check_random(seed);
}

/* ---- dominance ------------------------------------------------------------------------------------------------------- */

/* Both have tensor 0 in the arena, and only the second a copy of it outside: the first can do as the second does once it has copied it out. */
static void test_copies_outside_count(void **state) {
  (void)state;
  asc_context *context = test_context();
  cosma_graph g = test_cosma_graph("2 1 1", "- 0 0");
  asc_graph *graph = test_cosma_freeze(context, &g);
  asc_lowering *lowering = test_cosma_lower(graph);
  cosma_model m;
  cosma_layer l = {0};
  assert_int_equal(asci_cosma_model_new(lowering, COSMA_COPIED, &m), ASC_OK);
  for (uint32_t k = 0; k < 2; k++) {
    assert_true(asci_cosma_layer_grow(&m, &l));
    l.node_count = 1;
    l.nodes[0] = (cosma_node){.high = (uint32_t)m.value_words};
    l.states[l.state_count++] = (cosma_state){.held = 2};
    memset(cosma_resident(&m, &l, k), 0, 2 * m.value_words * sizeof *l.bits);
    cosma_put(cosma_resident(&m, &l, k), 0);
  }
  cosma_put(cosma_clean(&m, &l, 1), 0);
  for (int64_t saved = 0; saved < 4; saved++) {
    l.states[1].cost = saved;
    CHECK(asci_cosma_dominates(&m, &l, &l.nodes[0], 0, 1) == (saved >= 2), "%d bytes cheaper", (int)saved);
  }
  l.states[1].cost = 0;
  assert_true(asci_cosma_dominates(&m, &l, &l.nodes[0], 1, 0));
  asci_cosma_layer_free(&m, &l);
  asci_cosma_model_free(&m);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- what is ahead --------------------------------------------------------------------------------------------------- */

/* A graph's model, and its landmarks in an arena of so many bytes. */
typedef struct marked {
  asc_context *context;
  asc_graph *graph;
  asc_lowering *lowering;
  cosma_model m;
  cosma_landmarks l;
} marked;

static void mark(marked *made, const cosma_graph *g, int64_t capacity) {
  made->context = test_context();
  made->graph = test_cosma_freeze(made->context, g);
  made->lowering = test_cosma_lower(made->graph);
  assert_int_equal(asci_cosma_model_new(made->lowering, COSMA_COPIED, &made->m), ASC_OK);
  assert_int_equal(asci_cosma_landmarks_new(&made->m, capacity, &made->l), ASC_OK);
}

static void unmark(marked *made) {
  asci_cosma_landmarks_free(&made->l);
  asci_cosma_model_free(&made->m);
  asc_lowering_free(made->lowering);
  asc_graph_free(made->graph);
  test_context_end(made->context);
}

/* What is ahead of the beginning is in every plan: it is no more than the least traffic, and often all of it. */
static void test_what_is_ahead_is_paid(void **state) {
  (void)state;
  uint32_t positive = 0, whole = 0;
  for (uint32_t seed = 0; seed < test_cases(4000); seed++) {
    asci_rng rng = {seed};
    cosma_graph g = test_cosma_random(&rng, 7, 6);
    int64_t capacity = test_cosma_required(&g) + asci_random_between(&rng, 0, 2);
    marked made;
    mark(&made, &g, capacity);
    const uint64_t none[1] = {0};
    assert_true(made.m.op_words == 1 && made.m.value_words == 1);
    int64_t ahead = asci_cosma_ahead(&made.l, none, none, none, none), least = test_cosma_traffic(&g, capacity, false);
    CHECK(ahead >= 0 && ahead <= least, "seed %u: %d ahead, and %d do", seed, (int)ahead, (int)least);
    positive += ahead > 0;
    whole += ahead > 0 && ahead == least;
    unmark(&made);
  }
  CHECK(whole > 0 && 2 * whole > positive, "%u of %u were all that is paid", whole, positive);
}

/* A tensor that has to be out twice, and is read in between: its way out is paid once, its way back each time. Then it is out, and then it is not. */
static void test_each_way_back_is_ahead(void **state) {
  (void)state;
  cosma_graph g = test_cosma_graph("2 4 4 1 4 4 1", "- 0 1 0,2 3 4 0,5");
  marked made;
  mark(&made, &g, 8);
  const uint64_t none = 0, tensor = 1;
  uint64_t first = 3, middle = 15;
  assert_int_equal(asci_cosma_ahead(&made.l, &none, &none, &none, &none), 6);
  assert_int_equal(asci_cosma_ahead(&made.l, &first, &tensor, &tensor, &none), 6);
  assert_int_equal(asci_cosma_ahead(&made.l, &first, &tensor, &none, &none), 2);
  assert_int_equal(asci_cosma_ahead(&made.l, &middle, &tensor, &tensor, &tensor), 2);
  assert_int_equal(asci_cosma_ahead(&made.l, &middle, &tensor, &none, &none), 0);
  unmark(&made);
}

/* Nothing else fits while 3, 7 and 11 run. Between the first two either tensor 0 comes back, for 5, or what 5 made of it before; between the last two
   it or what 9 made. No tensor has to be out at both in every order, and none is read between them; and yet each time a byte comes back. */
static void test_what_comes_back_between_is_ahead(void **state) {
  (void)state;
  cosma_graph g = test_cosma_graph("1 1 4 4 2 1 4 4 2 1 4 4", "- 0 1 2 3 0 4,5 6 7 0 8,9 10");
  marked made;
  mark(&made, &g, 8);
  const uint64_t none = 0, three = 7, alive = 5, resident = 4;
  assert_int_equal(asci_cosma_ahead(&made.l, &none, &none, &none, &none), 3);
  assert_int_equal(asci_cosma_ahead(&made.l, &three, &alive, &resident, &none), 1);
  assert_int_equal(traffic_of(&g, 8, COSMA_JOINT), 3);
  unmark(&made);
}

/* ---- the fewest bytes alive ------------------------------------------------------------------------------------------ */

static uint32_t behind_of(const cosma_graph *g, uint32_t op) {
  uint32_t behind = g->reads[op];
  for (uint32_t i = op; i-- > 0;)
    if (behind >> i & 1) behind |= g->reads[i];
  return behind;
}

static uint32_t readers_of(const cosma_graph *g, uint32_t tensor) {
  uint32_t readers = 0;
  for (uint32_t i = 0; i < g->ops; i++) readers |= (g->reads[i] >> tensor & 1) << i;
  return readers;
}

/* Of all sets of operators that may have run before op, the fewest bytes of tensors that are read later, by one of by_end, and not by op. */
static int64_t fewest_alive(const cosma_graph *g, uint32_t op, uint32_t by_end) {
  int64_t fewest = INT64_MAX;
  for (uint32_t ran = 0; ran < 1u << g->ops; ran++) {
    bool may = !(ran >> op & 1) && !(behind_of(g, op) & ~ran);
    int64_t alive = 0;
    for (uint32_t i = 0; i < g->ops && may; i++) {
      if (!(ran >> i & 1)) continue;
      may = !(g->reads[i] & ~ran) && !(behind_of(g, i) >> op & 1);
      uint32_t left = readers_of(g, i) & ~ran;
      if (left & by_end && !(left >> op & 1)) alive += g->size[i];
    }
    if (may && alive < fewest) fewest = alive;
  }
  return fewest;
}

static void test_fewest_bytes_alive(void **state) {
  (void)state;
  uint32_t positive = 0;
  for (uint32_t seed = 0; seed < test_cases(600); seed++) {
    asci_rng rng = {seed};
    asc_context *context = test_context();
    cosma_graph g = test_cosma_random(&rng, 8, 9);
    asc_graph *graph = test_cosma_freeze(context, &g);
    asc_lowering *lowering = test_cosma_lower(graph);
    cosma_model m;
    cosma_live live;
    uint64_t behind[COSMA_OPS];
    assert_int_equal(asci_cosma_model_new(lowering, COSMA_COPIED, &m), ASC_OK);
    assert_int_equal(asci_cosma_live_new(&m, &live), ASC_OK);
    for (uint32_t op = 0; op < g.ops; op++) behind[op] = behind_of(&g, op);
    for (uint32_t op = 0; op < g.ops; op++) {
      int64_t got = asci_cosma_least_live(&live, op, NULL, behind), expected = fewest_alive(&g, op, UINT32_MAX);
      CHECK(got == expected, "seed %u, operator %u: %d alive, expected %d", seed, op, (int)got, (int)expected);
      positive += got > 0;
      for (uint32_t end = op + 1; end < g.ops; end++) {
        uint64_t by_end = behind[end] | UINT64_C(1) << end;
        got = asci_cosma_least_live(&live, op, &by_end, behind);
        expected = fewest_alive(&g, op, (uint32_t)by_end);
        CHECK(got == expected, "seed %u, from %u to %u: %d read, expected %d", seed, op, end, (int)got, (int)expected);
      }
    }
    asci_cosma_live_free(&live);
    asci_cosma_model_free(&m);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    test_context_end(context);
  }
  assert_true(positive > 0);
}

/* What is resident at some place of the given order, and what of it has a copy, at random. */
typedef struct place {
  uint64_t done, alive, resident, clean;
} place;

static place random_place(const cosma_graph *g, asci_rng *rng) {
  place p = {.done = (UINT64_C(1) << asci_random_below(rng, g->ops + 1)) - 1};
  for (uint32_t i = 0; i < g->ops; i++)
    if (p.done >> i & 1 && readers_of(g, i) & ~p.done) p.alive |= UINT64_C(1) << i;
  p.resident = p.alive & asci_random(rng);
  p.clean = p.resident & asci_random(rng);
  return p;
}

/* To take a value out makes what is ahead no cheaper than that costs, and no cheaper at all if no landmark claims it: what is pruned before is right. */
static void check_taking_out(const cosma_graph *g, const cosma_landmarks *l, const place *p, uint32_t seed) {
  uint64_t claimed;
  int64_t before = asci_cosma_ahead(l, &p->done, &p->alive, &p->resident, &p->clean);
  asci_cosma_claimed(l, &p->done, &claimed);
  for (uint32_t i = 0; i < g->ops; i++) {
    uint64_t bit = UINT64_C(1) << i, resident = p->resident & ~bit, clean = p->clean & ~bit;
    if (!(p->resident & bit)) continue;
    int64_t worth = claimed & bit ? (p->clean & bit ? 1 : 2) * g->size[i] : 0;
    int64_t after = asci_cosma_ahead(l, &p->done, &p->alive, &resident, &clean);
    CHECK(before - after <= worth, "seed %u, tensor %u: %d ahead, then %d", seed, i, (int)before, (int)after);
  }
}

static void test_taking_out_is_worth_its_cost(void **state) {
  (void)state;
  uint32_t positive = 0;
  for (uint32_t seed = 0; seed < test_cases(2000); seed++) {
    asci_rng rng = {seed};
    cosma_graph g = test_cosma_random(&rng, COSMA_OPS, 6);
    marked made;
    mark(&made, &g, test_cosma_required(&g));
    for (uint32_t k = 0; k < 8 && made.l.count; k++) {
      place p = random_place(&g, &rng);
      check_taking_out(&g, &made.l, &p, seed);
    }
    positive += made.l.count > 0;
    unmark(&made);
  }
  assert_true(positive > 0);
}

int run_cosma_search_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_cases),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_copies_outside_count),
      cmocka_unit_test(test_what_is_ahead_is_paid),
      cmocka_unit_test(test_each_way_back_is_ahead),
      cmocka_unit_test(test_what_comes_back_between_is_ahead),
      cmocka_unit_test(test_fewest_bytes_alive),
      cmocka_unit_test(test_taking_out_is_worth_its_cost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
