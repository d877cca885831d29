/* The exchange at boundaries (README 11): with sweeps and without the verdicts are the same, and sweeps that take turns go on from a save. */
#include "cases.h"
#include "solvers/certificates.h"
#include "test_exact_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SPECS = 400, MOST_ALIVE_AT_ONCE = 80 };

typedef struct crowd {
  asc_buffer_spec specs[MOST_SPECS];
  asc_gap gaps[MOST_SPECS];
  uint32_t count, alive_count;
  struct {
    int64_t since, size;
  } alive[MOST_ALIVE_AT_ONCE];
} crowd;

static void begin_one(crowd *c, int64_t now, int64_t size) {
  c->alive[c->alive_count].since = now;
  c->alive[c->alive_count++].size = size;
}

static void begin_some(crowd *c, asci_rng *rng, int64_t now, int64_t amount, int64_t most) {
  for (int64_t size; amount > 0; amount -= size) {
    size = asci_random_between(rng, 1, most < amount ? most : amount);
    begin_one(c, now, size);
  }
}

static int64_t end_some(crowd *c, asci_rng *rng, int64_t now, uint32_t ends) {
  int64_t amount = 0;
  for (; ends && c->alive_count; ends--) {
    uint32_t k = (uint32_t)asci_random_below(rng, c->alive_count);
    c->specs[c->count++] = test_spec(c->alive[k].since, now, c->alive[k].size);
    amount += c->alive[k].size;
    c->alive[k] = c->alive[--c->alive_count];
  }
  return amount;
}

/* Two of one size of which the one ends before the other begins become one with a gap. */
static void join_some(crowd *c, asci_rng *rng) {
  for (uint32_t a = 0; a < c->count; a++)
    for (uint32_t b = 0; b < c->count; b++) {
      asc_buffer_spec *first = &c->specs[a], *second = &c->specs[b];
      bool joins = first->size == second->size && first->upper < second->lower && !first->gap_count && !second->gap_count;
      if (!joins || asci_random_below(rng, 6)) continue;
      c->gaps[a] = (asc_gap){.lower = first->upper, .upper = second->lower};
      first->upper = second->upper;
      first->gaps = &c->gaps[a];
      first->gap_count = 1;
      *second = c->specs[--c->count];
      if (second->gap_count) second->gaps = &c->gaps[b], c->gaps[b] = c->gaps[c->count];
      if (a == c->count) break;
    }
}

/* Sections that are full, or all but a few bytes; at some boundaries more end than an exchange looks at, in some more live. */
static asc_problem *crowded_problem(asc_context *context, uint64_t number) {
  static crowd c;
  asci_rng rng = {number};
  int64_t sections = asci_random_between(&rng, 2, 6), most = asci_random_between(&rng, 1, 4);
  c.count = c.alive_count = 0;
  begin_some(&c, &rng, 0, asci_random_between(&rng, 3, number % 7 ? 16 : 72), most);
  for (int64_t now = 1; now < sections; now++) {
    int64_t amount = end_some(&c, &rng, now, 1 + (uint32_t)asci_random_below(&rng, number % 5 ? 4 : 14));
    begin_some(&c, &rng, now, amount - (int64_t)asci_random_below(&rng, 3) / 2, most);
  }
  end_some(&c, &rng, sections, UINT32_MAX);
  if (number % 3 == 0) join_some(&c, &rng);
  return test_problem(context, c.specs, c.count);
}

static void exchanges_change_no_verdict(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t decided = 0;
  uint64_t kinds[ASC_EVENT_COUNT] = {0}, rules[ASC_RULE_COUNT] = {0};
  for (uint64_t number = 0; number < test_cases(400); number++) {
    asc_problem *problem = crowded_problem(context, number);
    int64_t capacity = asc_problem_lower_bound(problem) + (int64_t)(number % 3) / 2;
    test_options with = {.count = 0}, without = {.count = 0};
    test_option_set(&with, "exchange", "always");
    test_option_set(&without, "exchange", "never");
    exact_verdict a = exact_decide("exact", problem, capacity, &with, number, 2000, NULL),
                  b = exact_decide("exact", problem, capacity, &without, number, 2000, NULL);
    bool both = a != EXACT_UNKNOWN && b != EXACT_UNKNOWN;
    if (both && a != b) test_print_problem(problem, capacity);
    CHECK(!both || a == b, "number %d: %s with exchanges, %s without", (int)number, exact_verdict_name(a),
          exact_verdict_name(b));
    decided += both;
    exact_count_events(context, problem, &with, 300, kinds, rules);
    asc_problem_free(problem);
  }
  printf("exchanges: %u of %u decided with and without\n", decided, test_cases(400));
  assert_true(decided > test_cases(400) / 2 && kinds[ASC_EVENT_EXCHANGE] > 0);
  test_context_end(context);
}

/* The amount in at most so many pieces, of all sizes. */
static void begin_pieces(crowd *c, asci_rng *rng, int64_t now, int64_t amount, int64_t pieces) {
  for (int64_t size; amount > 0; amount -= size, pieces--) {
    size = pieces > 1 ? asci_random_between(rng, 1, 1 + 2 * (amount - 1) / pieces) : amount;
    begin_one(c, now, size);
  }
}

/* Every section is full, of few large buffers and many small ones: sweeps take many turns, and meet what others have refuted. */
static asc_problem *wide_problem(asc_context *context, uint64_t number) {
  static crowd c;
  asci_rng rng = {number};
  int64_t load = asci_random_between(&rng, 60, 400), sections = asci_random_between(&rng, 8, 16);
  c.count = c.alive_count = 0;
  begin_pieces(&c, &rng, 0, load, asci_random_between(&rng, 8, 12));
  for (int64_t now = 1; now < sections; now++) {
    int64_t amount = end_some(&c, &rng, now, 2 + (uint32_t)asci_random_below(&rng, 5));
    begin_pieces(&c, &rng, now, amount, asci_random_between(&rng, 2, 6));
  }
  end_some(&c, &rng, sections, UINT32_MAX);
  return test_problem(context, c.specs, c.count);
}

/* Sweeps that take turns pass over what others have refuted: never a plan, which the search without them finds, and what they find is one. */
static void sweeps_in_turn_change_no_verdict(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t refuted = 0, packed = 0, many = 0;
  for (uint64_t number = 0; number < test_cases(300); number++) {
    asc_problem *problem = wide_problem(context, number);
    int64_t capacity = asc_problem_lower_bound(problem) + (int64_t)(number % 2);
    test_options without = {.count = 0};
    test_option_set(&without, "exchange", "never");
    asc_run_stats stats;
    certificate all = {0};
    asc_diag diag = {0};
    asc_run *run = exact_sweeping_run(problem, capacity, ASC_GOAL_FIT, 10000);
    assert_int_equal(asc_run_prove(run, certificate_gather, &all, NULL), ASC_OK);
    test_finish(run);
    asc_run_stats_get(run, &stats);
    exact_verdict with = exact_verdict_of(run);
    /* the checker makes the last sweep again, alone and of the sections that it is told */
    if (with == EXACT_INFEASIBLE)
      CHECK(certificate_judge(context, problem, &all, &diag) == capacity, "number %d: line %u: %s", (int)number, diag.line,
            diag.message);
    free(all.text);
    asc_run_free(run);
    exact_verdict other = exact_decide("exact", problem, capacity, &without, number, 3000, NULL);
    bool differ = with != other && with != EXACT_UNKNOWN && other != EXACT_UNKNOWN;
    if (differ) test_print_problem(problem, capacity);
    CHECK(!differ, "number %d: %s with sweeps, %s without", (int)number, exact_verdict_name(with),
          exact_verdict_name(other));
    refuted += with == EXACT_INFEASIBLE;
    packed += with == EXACT_FEASIBLE;
    many += stats.steps > 1000;
    asc_problem_free(problem);
  }
  printf("sweeps in turn: %u refuted, %u packed, %u after a thousand steps\n", refuted, packed, many);
  assert_true(refuted > test_cases(300) / 6 && packed > test_cases(300) / 4 && many > test_cases(300) / 10);
  test_context_end(context);
}

/* Saved amid a sweep, between two and behind them all, and loaded: the same steps to the same end. In every fourth problem the goal is the least height, so
   that the capacity changes; in every fourth a unit is idle. */
static void sweeps_go_on_from_a_save(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t saves = 0;
  for (uint64_t number = 0; number < test_cases(300); number++) {
    asc_problem *problem = wide_problem(context, number);
    int64_t capacity = asc_problem_lower_bound(problem) + (number % 4 == 1);
    asc_goal goal = number % 4 == 2 ? ASC_GOAL_HEIGHT : ASC_GOAL_FIT;
    asc_run *run = exact_sweeping_run(problem, capacity, goal, 6000);
    asc_run_stats whole, before, stats;
    test_finish(run);
    asc_run_stats_get(run, &whole);
    asc_run_free(run);
    for (uint64_t at = 40; at < whole.steps && whole.steps > 1500; at += 1 + at / 2, saves++) {
      asc_run *first = exact_sweeping_run(problem, capacity, goal, 6000);
      asc_run *second = exact_sweeping_run(problem, capacity, goal, 6000);
      assert_int_equal(asc_run_step(first, at, NULL), ASC_OK);
      test_saved saved = test_save(first), again;
      assert_int_equal(asc_run_load(second, saved.bytes, saved.count), ASC_OK);
      again = test_save(second);
      asc_run_stats_get(second, &before);
      CHECK(before.steps == at && saved.count == again.count && !memcmp(saved.bytes, again.bytes, saved.count),
            "number %d: another save at %d", (int)number, (int)at);
      test_finish(second);
      asc_run_stats_get(second, &stats);
      CHECK(stats.digest == whole.digest && stats.outcome == whole.outcome, "number %d: another end from %d", (int)number,
            (int)at);
      free(saved.bytes);
      free(again.bytes);
      asc_run_free(first);
      asc_run_free(second);
    }
    asc_problem_free(problem);
  }
  assert_true(saves > test_cases(300) / 4);
  test_context_end(context);
}

int run_exact_sweeps_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exchanges_change_no_verdict),
      cmocka_unit_test(sweeps_in_turn_change_no_verdict),
      cmocka_unit_test(sweeps_go_on_from_a_save),
  };
  return cmocka_run_group_tests_name("exact_sweeps", tests, NULL, NULL);
}
