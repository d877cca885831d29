/* Plans of graphs that are wrong: the plan of a run with a number or two changed. How many faults it has does not depend on how many there is room for, nor
 * on the order in which its stays are listed; no more does what it moves, if it is a plan still. */
#include "graph/lower.h"
#include "solvers/cosma/cosma_scenes.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STAYS = 400, MOST_TURNS = 64, ROOM = 3 };

typedef struct draft {
  uint32_t order[MOST_TURNS];
  asc_stay stays[MOST_STAYS];
  asc_plan plan; /* of the two */
} draft;

static void draft_of(draft *d, const asc_plan *plan) {
  assert_true(plan->turns <= MOST_TURNS && plan->stay_count <= MOST_STAYS);
  memcpy(d->order, plan->order, plan->turns * sizeof *d->order);
  memcpy(d->stays, plan->stays, plan->stay_count * sizeof *d->stays);
  d->plan = *plan;
  d->plan.order = d->order;
  d->plan.stays = d->stays;
}

static void change_stay(draft *d, asci_rng *rng, uint32_t items) {
  asc_stay *stay = &d->stays[asci_random_below(rng, d->plan.stay_count)];
  int64_t turns = d->plan.turns, by = asci_random_below(rng, 2) ? 1 : -1;
  switch (asci_random_below(rng, 9)) {
  case 0:
    stay->item = (uint32_t)asci_random_below(rng, items + 2);
    break;
  case 1:
    stay->pool = asci_random_below(rng, 8) ? (stay->pool == ASC_POOL_MAIN ? ASC_POOL_OUTSIDE : ASC_POOL_MAIN) : 7;
    break;
  case 2:
    stay->lower += by;
    break;
  case 3:
    stay->upper += by;
    break;
  case 4:
    stay->lower = asci_random_between(rng, 0, turns - 1);
    stay->upper = asci_random_between(rng, stay->lower + 1, turns);
    break;
  case 5:
    stay->offset = asci_random_between(rng, -2, 40);
    break;
  case 6: /* it is there twice, once outside */
    if (d->plan.stay_count == MOST_STAYS) break;
    d->stays[d->plan.stay_count] = *stay;
    d->stays[d->plan.stay_count++].pool = ASC_POOL_OUTSIDE;
    break;
  case 7: /* it goes and comes back */
    if (d->plan.stay_count == MOST_STAYS || stay->upper - stay->lower < 2) break;
    d->stays[d->plan.stay_count] = *stay;
    d->stays[d->plan.stay_count++].lower = asci_random_between(rng, stay->lower + 1, stay->upper - 1);
    stay->upper = d->stays[d->plan.stay_count - 1].lower;
    break;
  default:
    *stay = d->stays[--d->plan.stay_count];
  }
}

static void change_order(draft *d, asci_rng *rng) {
  uint32_t a = (uint32_t)asci_random_below(rng, d->plan.turns), b = (uint32_t)asci_random_below(rng, d->plan.turns),
           op = d->order[a];
  d->order[a] = asci_random_below(rng, 4) ? d->order[b] : (uint32_t)asci_random_below(rng, d->plan.turns + 2);
  if (asci_random_below(rng, 3)) d->order[b] = op;
}

static void list_otherwise(draft *d, asci_rng *rng) {
  for (uint32_t k = d->plan.stay_count; k > 1; k--) {
    uint32_t other = (uint32_t)asci_random_below(rng, k);
    asc_stay stay = d->stays[k - 1];
    d->stays[k - 1] = d->stays[other];
    d->stays[other] = stay;
  }
}

static size_t faults_of(asc_input input, const draft *d, int64_t capacity, size_t room) {
  asc_violation faults[ROOM];
  size_t count = 0;
  assert_int_equal(asc_plan_validate(&input, &d->plan, capacity, faults, room, &count), ASC_OK);
  for (size_t k = 0; k < count && k < room; k++) assert_non_null(asc_violation_name(faults[k].kind));
  return count;
}

static int64_t moved_by(asc_input input, const asc_lowering *lowering, const draft *d) {
  return input.domain == ASC_DOMAIN_SELECTION ? asci_selection_traffic(lowering, &d->plan)
                                              : asci_graph_traffic(lowering, &d->plan);
}

static void judge_changed(const cosma_scene *s, const asc_plan *plan, asci_rng *rng, uint32_t *wrong, uint32_t *right) {
  static draft d;
  asc_input input = test_cosma_input(&s->setup, s->lowering);
  uint32_t items = asc_graph_tensor_count(s->graph) + asc_graph_op_count(s->graph);
  draft_of(&d, plan);
  assert_int_equal(faults_of(input, &d, INT64_MAX, 0), 0);
  for (uint64_t changes = asci_random_below(rng, 3); changes-- > 0 && d.plan.stay_count;) change_stay(&d, rng, items);
  if (asci_random_below(rng, 4) == 0) change_order(&d, rng);
  size_t faults = faults_of(input, &d, s->capacity, 0);
  assert_int_equal(faults_of(input, &d, s->capacity, ROOM), faults);
  int64_t moved = faults ? -1 : moved_by(input, s->lowering, &d);
  list_otherwise(&d, rng);
  CHECK(faults_of(input, &d, s->capacity, 1) == faults, "%s: other faults in another order of stays", s->setup.solver);
  if (!faults) assert_int_equal(moved_by(input, s->lowering, &d), moved);
  *(faults ? wrong : right) += 1;
}

static void draw_setup(cosma_scene *s, asci_rng *rng) {
  static const cosma_setup setups[] = {{"cosma", {{"schedule", "least-peak"}}, 1},
                                       {"replacement", {{"schedule", "file"}}, 1},
                                       {"replacement", {{"schedule", "least-peak"}}, 1},
                                       {"list-schedule", {{"allocator", "greedy"}}, 1},
                                       {"select", {{"repacker", "none"}}, 1}};
  s->setup = setups[asci_random_below(rng, COUNT(setups))];
  s->goal = s->setup.solver[0] == 'l' ? ASC_GOAL_FIT : ASC_GOAL_TRAFFIC;
}

static void plans_with_changes(void **state) {
  (void)state;
  uint32_t wrong = 0, right = 0;
  for (uint32_t seed = 0; seed < test_cases(300); seed++) {
    static cosma_scene s;
    asci_rng rng = {seed};
    asc_plan plan;
    test_cosma_open(&s, seed, draw_setup);
    asc_run *run = test_cosma_run_of(&s);
    test_finish(run);
    for (uint32_t k = 0; k < 60 && asc_run_plan(run, &plan); k++) judge_changed(&s, &plan, &rng, &wrong, &right);
    asc_run_free(run);
    test_cosma_close(&s);
  }
  assert_true(wrong > right && right > wrong / 10);
}

int run_plans_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_with_changes),
  };
  return cmocka_run_group_tests_name("plans", tests, NULL, NULL);
}
