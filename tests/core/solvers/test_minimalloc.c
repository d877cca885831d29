/* MiniMalloc: known problems, every rule seen at work and silent when off, and each event's witness checked against the definitions. */
#include "forged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static asc_outcome solve(const asc_problem *problem, int64_t capacity, const test_options *options, asc_run_stats *stats) {
  asc_run_config config = test_config("minimalloc", capacity, options);
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome = test_finish(run);
  test_sound_end(problem, run, capacity, test_options_text(options));
  asc_run_stats_get(run, stats);
  asc_run_free(run);
  return outcome;
}

/*  time    0  3     9         21
 *  b1      [--)
 *  b3      [--------)
 *  b2         [-----)                 load: 8 in [0, 3), 8 in [3, 9), 8 in [9, 21) but for b5: 12 each, so 12 is the least height
 *  b4               [---------)
 *  b5      [------------------)                                                                                            */
static void five_buffers_of_the_paper(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 3, 4), test_spec(3, 9, 4), test_spec(0, 9, 4), test_spec(9, 21, 4),
                             test_spec(0, 21, 4)};
  asc_problem *problem = test_problem(context, specs, 5);
  asc_run_stats stats;
  assert_int_equal(solve(problem, 12, NULL, &stats), ASC_OUTCOME_OPTIMAL);
  assert_int_equal(stats.height, 12);
  assert_int_equal(stats.max_depth, 5);
  assert_int_equal(solve(problem, 11, NULL, &stats), ASC_OUTCOME_INFEASIBLE);
  asc_problem_free(problem);
  test_context_end(context);
}

static void refuses_letters_it_does_not_know(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec spec = test_spec(0, 3, 4);
  asc_problem *problem = test_problem(context, &spec, 1);
  const char *bad[] = {"X", "WAX", "WAT,TAQ", "W A T", "WAT;TAW", "1"};
  for (uint32_t k = 0; k < COUNT(bad); k++) {
    asc_option_value value = {"preordering_heuristics", bad[k]};
    asc_run_config config = asc_run_config_default("minimalloc", 4);
    config.options = &value;
    config.option_count = 1;
    asc_run *run = NULL;
    asc_diag diag = {0};
    CHECK(asc_run_new(asc_input_buffers(problem), &config, &run, &diag) == ASC_BAD_OPTION, "%s was taken", bad[k]);
    assert_string_equal(diag.field, "preordering_heuristics");
    assert_true(diag.status == ASC_BAD_OPTION && diag.message[0]);
    assert_null(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* Where another rests, a buffer may be hatless and yet not alone in its part: without dynamic ordering its siblings must not go with it unsaid.
 * Of 345,458 random problems the first at which the brute force disagreed. */
static void hatless_in_a_gap_proves_nothing(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_gap rest = {1, 3, 0, 0};
  asc_buffer_spec specs[] = {test_spec(0, 4, 4), test_spec(1, 3, 1), test_spec(4, 5, 5), test_spec(1, 4, 3),
                             test_spec(3, 4, 3)};
  specs[0].alignment = 2;
  specs[0].gaps = &rest;
  specs[0].gap_count = 1;
  const int64_t fixed[] = {ASC_UNPLACED, 4, 9, 0, 3};
  for (uint32_t b = 0; b < COUNT(specs); b++) specs[b].offset = fixed[b];
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  test_options options = {.count = 0};
  asc_run_stats stats;
  assert_int_equal(solve(problem, 15, &options, &stats), ASC_OUTCOME_OPTIMAL);
  test_option_set(&options, "dynamic_ordering", "false");
  assert_int_not_equal(solve(problem, 15, &options, &stats), ASC_OUTCOME_INFEASIBLE);
  test_option_set(&options, "hatless_pruning", "false");
  assert_int_equal(solve(problem, 15, &options, &stats), ASC_OUTCOME_OPTIMAL);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- rules at work ---- */

typedef struct switched_rule {
  asc_rule rule;
  const char *option;
} switched_rule;

static const switched_rule switched[] = {
    {ASC_RULE_SECTION, "section_inference"},           {ASC_RULE_MONOTONIC_FLOOR, "monotonic_floor"},
    {ASC_RULE_UNALLOCATED_FLOOR, "unallocated_floor"}, {ASC_RULE_CANONICAL, "canonical_only"},
    {ASC_RULE_DOMINANCE, "check_dominance"},           {ASC_RULE_HATLESS, "hatless_pruning"},
};

/* Other rules may forestall one: it is looked for with the defaults, and with all others off. */
static void count_rules(const asc_problem *problem, int64_t capacity, uint64_t seen[ASC_RULE_COUNT]) {
  const asc_solver_info *solver = asc_solver_find("minimalloc");
  for (uint32_t k = 0; k < COUNT(switched); k++) {
    asc_run_stats stats;
    test_options options = {.count = 0};
    test_option_set(&options, switched[k].option, "false");
    solve(problem, capacity, &options, &stats);
    CHECK(stats.rules[switched[k].rule] == 0, "%s acts though it is off", switched[k].option);
    for (int r = 0; r < ASC_RULE_COUNT; r++) seen[r] += stats.rules[r];
    test_all_off(solver, &options);
    for (uint32_t o = 0; o < options.count; o++) {
      bool keep = !strcmp(options.values[o].name, switched[k].option) || !strcmp(options.values[o].name, "canonical_only");
      if (keep) strcpy(options.text[o], "true");
    }
    solve(problem, capacity, &options, &stats);
    for (int r = 0; r < ASC_RULE_COUNT; r++) seen[r] += stats.rules[r];
  }
}

static void every_rule_acts_and_can_be_silenced(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {31};
  uint64_t seen[ASC_RULE_COUNT] = {0};
  test_shape shape = {
      .min_buffers = 4, .max_buffers = 8, .max_time = 8, .max_size = 6, .max_alignment = 1, .max_fixed = 10, .tie = 30};
  uint32_t cases = 400;
  for (uint32_t k = 0; k < cases; k++) {
    shape.fixed = k % 3 ? 0 : 20;
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    count_rules(problem, asc_problem_lower_bound(problem) + k % 2, seen);
    asc_problem_free(problem);
  }
  for (int r = ASC_RULE_NONE + 1; r < ASC_RULE_COUNT; r++) /* those after FIXED are other solvers' */
    CHECK((seen[r] > 0) == (r <= ASC_RULE_FIXED), "rule %s acted %d times", asc_rule_id((asc_rule)r), (int)seen[r]);
  test_context_end(context);
}

/* ---- events against the definitions ---- */

typedef struct walk {
  const char *name;
  const asc_problem *problem;
  int64_t capacity;
  uint32_t n;
  bool plain; /* no gaps, alignment, fixed offsets */
  const asc_event *event;
  const uint32_t *list;
  int64_t offset[32], least[32]; /* before the step */
  uint32_t stack[32], depth;
} walk;

static bool meet(const asc_buffer_spec *a, const asc_buffer_spec *b) {
  return a->size && b->size && a->lower < b->upper && b->lower < a->upper;
}

static const asc_buffer_spec *spec_of(const walk *w, int64_t buffer) {
  assert_true(buffer >= 0 && buffer < w->n);
  return asc_problem_buffer(w->problem, (uint32_t)buffer);
}

static bool listed(const walk *w, uint32_t buffer) {
  for (uint32_t k = 0; k < w->event->list_count; k++)
    if (w->list[k] == buffer) return true;
  return false;
}

static void check_place(const walk *w, const asc_run_view *view) {
  uint32_t buffer = (uint32_t)w->event->place.buffer;
  const asc_buffer_spec *spec = spec_of(w, buffer);
  assert_int_equal(w->offset[buffer], ASC_UNPLACED);
  assert_int_equal(view->offsets[buffer], w->event->place.offset);
  assert_int_equal(w->event->place.offset, w->least[buffer]);
  assert_int_equal(view->depth, w->depth + 1);
  assert_int_equal(view->stack[w->depth], buffer);
  if (w->event->place.support != ASC_NONE && w->plain) {
    uint32_t support = (uint32_t)w->event->place.support;
    assert_true(meet(spec, spec_of(w, support)));
    assert_int_equal(w->offset[support] + spec_of(w, support)->size, w->event->place.offset);
  }
  if (w->event->place.support == ASC_NONE && w->plain) assert_int_equal(w->event->place.offset, 0);
  for (uint32_t b = 0; b < w->n; b++) {
    if (view->offsets[b] != ASC_UNPLACED) continue;
    bool rose = view->min_offsets[b] > w->least[b];
    CHECK(rose == listed(w, b), "%s, step %d: least offset of %u: %d -> %d, listed: %d", w->name, (int)view->step, b,
          (int)w->least[b], (int)view->min_offsets[b], (int)listed(w, b));
  }
}

static void check_reject(const walk *w, const asc_run_view *view) {
  int64_t section = w->event->reject.section, floor = w->event->reject.floor, rest = w->event->reject.rest;
  assert_int_equal(view->depth, w->depth);
  assert_int_equal(w->event->reject.offset, w->least[w->event->reject.buffer]);
  if (w->event->reject.rule == ASC_RULE_FIXED) {
    assert_int_equal(section, ASC_NONE);
    assert_true(floor > rest);
    return;
  }
  if (section == ASC_NONE) { /* its own top, which a gap may hide from every section */
    assert_int_equal(w->event->reject.rule, ASC_RULE_CAPACITY);
    assert_int_equal(floor, w->event->reject.offset + spec_of(w, w->event->reject.buffer)->size);
    assert_true(floor > w->capacity);
    return;
  }
  CHECK(floor + rest > w->capacity, "rejected though %d + %d fits %d", (int)floor, (int)rest, (int)w->capacity);
  assert_true(section >= 0 && section < asc_problem_section_count(w->problem));
  const asc_section *where = &asc_problem_sections(w->problem)[section];
  int64_t sum = 0;
  for (uint32_t b = 0; b < w->n; b++) {
    const asc_buffer_spec *spec = spec_of(w, b);
    bool waits = w->offset[b] == ASC_UNPLACED && b != w->event->reject.buffer && spec->size && spec->lower <= where->lower &&
                 spec->upper >= where->upper;
    if (waits) sum += spec->size;
    if (w->plain && rest) CHECK(waits == listed(w, b), "buffer %u in section %d: waits %d", b, (int)section, (int)waits);
  }
  if (w->plain && rest) assert_int_equal(rest, sum);
}

static void check_skip(const walk *w, const asc_run_view *view) {
  uint32_t buffer = (uint32_t)w->event->skip.buffer;
  assert_int_equal(view->depth, w->depth);
  assert_int_equal(w->offset[buffer], ASC_UNPLACED);
  assert_int_equal(w->event->skip.offset, w->least[buffer]);
  assert_int_equal(w->event->skip.count, w->event->list_count);
  assert_true(w->event->list_count > 0);
  assert_int_equal(w->list[0], buffer);
  for (uint32_t k = 0; k < w->event->list_count; k++) {
    int64_t least = w->least[w->list[k]], bound = w->event->skip.bound;
    assert_int_equal(w->offset[w->list[k]], ASC_UNPLACED);
    if (w->event->skip.rule == ASC_RULE_DOMINANCE) assert_true(least >= bound);
    if (w->event->skip.rule == ASC_RULE_CANONICAL) assert_true(least <= bound);
  }
  if (w->event->skip.rule != ASC_RULE_DOMINANCE) return;
  uint32_t witness = (uint32_t)w->event->skip.witness;
  assert_int_equal(w->offset[witness], ASC_UNPLACED);
  assert_int_equal(w->least[witness] + spec_of(w, witness)->size, w->event->skip.bound);
}

static void check_backtrack(const walk *w, const asc_run_view *view) {
  uint32_t from = (uint32_t)w->event->backtrack.from, to = (uint32_t)w->event->backtrack.to;
  assert_int_equal(from, w->depth);
  assert_int_equal(to, view->depth);
  assert_true(from > to || w->event->backtrack.buffer == ASC_NONE); /* the root has no decision to take back */
  assert_int_equal(w->event->list_count, from - to);
  for (uint32_t k = 0; k < w->event->list_count; k++) assert_int_equal(w->list[k], w->stack[from - 1 - k]);
  if (from > to) assert_int_equal(w->event->backtrack.buffer, w->list[from - to - 1]);
}

/* Least offsets by definition: the highest top among the placed buffers that meet it. */
static void check_least(const walk *w, const asc_run_view *view) {
  for (uint32_t b = 0; b < w->n && w->plain; b++) {
    int64_t least = 0;
    if (view->offsets[b] != ASC_UNPLACED) continue;
    for (uint32_t other = 0; other < w->n; other++) {
      int64_t top = view->offsets[other] + spec_of(w, other)->size;
      if (view->offsets[other] != ASC_UNPLACED && meet(spec_of(w, b), spec_of(w, other)) && top > least) least = top;
    }
    assert_int_equal(view->min_offsets[b], least);
  }
}

/* What is placed at any step lies apart, and the stack names exactly what is placed. */
static void check_partial(const walk *w, const asc_run_view *view) {
  uint32_t placed = 0;
  for (uint32_t a = 0; a < w->n; a++) {
    placed += view->offsets[a] != ASC_UNPLACED;
    for (uint32_t b = 0; b < a && w->plain; b++) {
      if (view->offsets[a] == ASC_UNPLACED || view->offsets[b] == ASC_UNPLACED || !meet(spec_of(w, a), spec_of(w, b)))
        continue;
      bool apart = view->offsets[a] + spec_of(w, a)->size <= view->offsets[b] ||
                   view->offsets[b] + spec_of(w, b)->size <= view->offsets[a];
      CHECK(apart, "buffers %u and %u overlap at step %d", a, b, (int)view->step);
    }
  }
  assert_int_equal(placed, view->depth);
  for (uint32_t d = 0; d < view->depth; d++) {
    assert_true(view->offsets[view->stack[d]] != ASC_UNPLACED);
    for (uint32_t other = 0; other < d; other++) assert_true(view->stack[d] != view->stack[other]);
  }
}

static void check_step(const walk *w, const asc_run_view *view) {
  switch (w->event->kind) {
  case ASC_EVENT_PLACE:
    check_place(w, view);
    break;
  case ASC_EVENT_REJECT:
    check_reject(w, view);
    break;
  case ASC_EVENT_SKIP:
    check_skip(w, view);
    break;
  case ASC_EVENT_BACKTRACK:
    check_backtrack(w, view);
    break;
  default:
    break;
  }
  assert_int_equal(w->event->depth, view->depth);
  check_least(w, view);
  check_partial(w, view);
}

static void remember(walk *w, const asc_run_view *view) {
  memcpy(w->offset, view->offsets, w->n * sizeof *w->offset);
  memcpy(w->least, view->min_offsets, w->n * sizeof *w->least);
  if (view->depth) memcpy(w->stack, view->stack, view->depth * sizeof *w->stack);
  w->depth = view->depth;
}

static void walk_through(test_case *each) {
  if (strcmp(each->solver->id, "minimalloc") != 0) return;
  uint32_t needs = test_needs(each->problem), count;
  walk w = {.name = each->name, .problem = each->problem, .capacity = each->config.capacity, .plain = !needs};
  w.n = asc_problem_count(each->problem);
  if (w.n == 0 || w.n > 32 || (needs & ASC_SUPPORTS_WINDOWS)) return;
  if (asc_problem_pool_count(each->problem) > 1)
    return; /* sections and least offsets are of one memory; test_pools.c has the others */
  asc_log *log = NULL;
  asc_run *run = test_case_run(each);
  asc_run_view view;
  assert_int_equal(asc_log_new(each->context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  remember(&w, &view);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  for (int steps = 0; steps < 1500 && outcome == ASC_OUTCOME_RUNNING; steps++) {
    asc_log_clear(log);
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
    asc_log_get(log, &w.event, &count, &w.list, NULL);
    if (!count || w.event->step != view.step + 1) continue; /* the run ended without a step */
    if (w.event->list_count) w.list += w.event->list;
    assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
    check_step(&w, &view);
    remember(&w, &view);
  }
  asc_run_free(run);
  asc_log_free(log);
}

static void events_say_what_happened(void **state) {
  (void)state;
  test_each_case(test_cases(300), 401, walk_through);
}

/* ---- searches ---- */

/* Without limits one heuristic and all rules on or off must come to one verdict, on problems too large for the oracle. */
static void every_setting_comes_to_one_verdict(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_solver_info *solver = asc_solver_find("minimalloc");
  asci_rng rng = {77};
  test_shape shape = {.min_buffers = 9, .max_buffers = 14, .max_time = 10, .max_size = 7, .max_fixed = 14, .tie = 30};
  uint32_t cases = test_cases(300), feasible = 0;
  for (uint32_t k = 0; k < cases; k++) {
    shape.max_alignment = k % 4 ? 1 : 2;
    shape.fixed = k % 2 ? 0 : 12;
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    int64_t capacity = asc_problem_lower_bound(problem) + k % 3;
    asc_run_stats stats;
    asc_outcome first = solve(problem, capacity, NULL, &stats);
    feasible += first != ASC_OUTCOME_INFEASIBLE;
    for (uint32_t o = 0; o < test_single_count(solver); o++) {
      test_options options;
      test_single(solver, o, &options);
      asc_run_config config = test_config("minimalloc", capacity, &options);
      config.budget = 2000000;
      asc_run *run = test_run_new(problem, &config);
      asc_outcome outcome = test_finish(run);
      bool open = outcome == ASC_OUTCOME_BUDGET_SPENT || outcome == ASC_OUTCOME_EXHAUSTED;
      CHECK(open || (outcome == ASC_OUTCOME_INFEASIBLE) == (first == ASC_OUTCOME_INFEASIBLE),
            "case %u, %s: %s, by default %s", k, test_options_text(&options), asc_outcome_id(outcome),
            asc_outcome_id(first));
      asc_run_free(run);
    }
    asc_problem_free(problem);
  }
  assert_true(feasible > 0 && feasible < cases);
  test_context_end(context);
}

/* Where nobody occupies anything there is nothing to search: a save has no node under way. */
static void a_search_for_nobody_has_no_nodes(void **state) {
  (void)state;
  enum { FRAMES = SAVED_PLAN + 1 + 6 }; /* behind the plan's offset */
  asc_context *context = test_context();
  const asc_buffer_spec none = test_spec(0, 4, 0);
  asc_problem *problem = test_problem(context, &none, 1);
  asc_run_config config = test_config("minimalloc", 8, NULL);
  asc_run *run = test_run_new(problem, &config);
  assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
  test_saved forged = test_save(run);
  assert_true(forged_nth(&forged, FRAMES) <= 1);
  forged_set(&forged, FRAMES, 2);
  assert_int_equal(asc_run_load(run, forged.bytes, forged.count), ASC_BAD_SAVE);
  free(forged.bytes);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- rejections in a row ---- */

/* The same search, each of its steps asked for alone. */
static asc_run *step_by_step(const asc_problem *problem, const asc_run_config *config) {
  asc_run *run = test_run_new(problem, config);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
  return run;
}

static void same_overview(const asc_run *left, const asc_run *right, unsigned seed) {
  asc_overview a, b;
  asc_run_overview(left, &a);
  asc_run_overview(right, &b);
  assert_true(a.count == b.count && a.width == b.width);
  for (uint32_t k = 0; k < a.count; k++) {
    const asc_bucket *one = &a.buckets[k], *other = &b.buckets[k];
    CHECK(one->min_depth == other->min_depth && one->max_depth == other->max_depth && one->last_depth == other->last_depth &&
              !memcmp(one->rules, other->rules, sizeof one->rules),
          "seed %u: bucket %u", seed, k);
  }
}

/* What is rejected in a row is counted as if each had been a step of its own: without a log, in one go, in small strides, with one. */
static void rejections_in_a_row_are_steps(void **state) {
  (void)state;
  const test_shape shape = {
      .min_buffers = 300, .max_buffers = 300, .max_time = 120, .max_size = 6, .max_alignment = 1, .max_fixed = 1, .tie = 20};
  uint64_t rejected = 0, nodes = 0;
  for (unsigned seed = 0; seed < 4; seed++) {
    asc_context *context = test_context();
    asci_rng rng = {seed};
    asc_problem *problem;
    int64_t capacity;
    /* sizes that are seldom equal, and small ones */
    if (seed < 2)
      assert_int_equal(asc_generate(context, "synthetic", 120, seed, &problem, &capacity), ASC_OK);
    else
      problem = test_random_problem(context, &rng, &shape);
    /* with a byte too little no child of the root is placed */
    capacity = asc_problem_lower_bound(problem) - (seed + 1) % 2;
    asc_run_config config = test_config("minimalloc", capacity, NULL);
    asc_log *log;
    asc_run_stats stats;
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    config.budget = 20000;
    asc_run *alone = step_by_step(problem, &config), *whole = test_run_new(problem, &config);
    asc_run *strides = test_run_new(problem, &config), *told = test_run_new(problem, &config);
    test_finish(whole);
    while (outcome == ASC_OUTCOME_RUNNING) assert_int_equal(asc_run_step(strides, 37, &outcome), ASC_OK);
    assert_int_equal(asc_log_new(context, 64, &log), ASC_OK);
    asc_run_attach(told, log);
    test_finish(told);
    for (uint32_t k = 0; k < 3; k++) {
      const asc_run *other = k == 0 ? whole : k == 1 ? strides : told;
      test_same_stats(alone, other, k == 0 ? "whole" : k == 1 ? "strides" : "told");
      same_overview(alone, other, seed);
    }
    asc_run_stats_get(whole, &stats);
    rejected += stats.rules[ASC_RULE_SECTION] + stats.rules[ASC_RULE_MONOTONIC_FLOOR];
    nodes += stats.nodes;
    asc_run_free(alone);
    asc_run_free(whole);
    asc_run_free(strides);
    asc_run_free(told);
    asc_log_free(log);
    asc_problem_free(problem);
    test_context_end(context);
  }
  CHECK(rejected > 5 * nodes, "%d rejected at %d nodes", (int)rejected, (int)nodes);
}

int run_minimalloc_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_search_for_nobody_has_no_nodes), cmocka_unit_test(five_buffers_of_the_paper),
      cmocka_unit_test(refuses_letters_it_does_not_know), cmocka_unit_test(every_rule_acts_and_can_be_silenced),
      cmocka_unit_test(events_say_what_happened),         cmocka_unit_test(every_setting_comes_to_one_verdict),
      cmocka_unit_test(hatless_in_a_gap_proves_nothing),  cmocka_unit_test(rejections_in_a_row_are_steps),
  };
  return cmocka_run_group_tests_name("minimalloc", tests, NULL, NULL);
}
