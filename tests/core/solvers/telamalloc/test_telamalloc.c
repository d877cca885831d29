/* TelaMalloc's search: the traces that can be followed by hand, every part of it switched off and on against the exact solver, and what its
 * ends may claim. (Tiny problems against the oracle, save and load, memory and parity are in the suites of all solvers.) */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- events as text -------------------------------------------------------------------------------------------------- */

typedef struct story {
  char text[6000];
  size_t length;
} story;

__attribute__((format(printf, 2, 3))) static void add(story *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int wrote = vsnprintf(to->text + to->length, sizeof to->text - to->length, format, arguments);
  va_end(arguments);
  assert_true(wrote >= 0 && to->length + (size_t)wrote < sizeof to->text);
  to->length += (size_t)wrote;
}

static void add_list(story *to, const char *title, const uint32_t *list, uint32_t count) {
  add(to, "%s", title);
  for (uint32_t k = 0; k < count; k++) add(to, " b%u", list[k]);
}

static void tell(story *to, const asc_event *event, const uint32_t *list) {
  static const char sources[] = "LSAp";
  switch (event->kind) {
  case ASC_EVENT_PLACE:
    add(to, "\n%d b%d@%d", (int)event->step, (int)event->place.buffer, (int)event->place.offset);
    break;
  case ASC_EVENT_REJECT:
    add(to, "\n%d b%d@%d fails: b%u in [%d, %d]", (int)event->step, (int)event->reject.buffer, (int)event->reject.offset,
        event->list_count ? list[0] : (uint32_t)event->reject.buffer, (int)event->reject.floor, (int)event->reject.rest);
    break;
  case ASC_EVENT_BACKTRACK:
    add(to, "\n%d %s %d to %d", (int)event->step, event->backtrack.stuck ? "stuck" : "major", (int)event->backtrack.from,
        (int)event->backtrack.to);
    add_list(to, ", undone", list, event->list_count);
    break;
  case ASC_EVENT_CULPRITS:
    add_list(to, ", because", list, event->list_count);
    break;
  case ASC_EVENT_PHASE:
    add(to, " | phase %d", (int)event->phase.phase);
    break;
  case ASC_EVENT_CANDIDATE:
    add(to, " %c%d@%d", sources[event->candidate.source], (int)event->candidate.buffer, (int)event->candidate.offset);
    break;
  case ASC_EVENT_PROMOTE:
    add_list(to, ", prepends", list, event->list_count);
    break;
  case ASC_EVENT_PART_SOLVED:
    add(to, " part");
    break;
  case ASC_EVENT_RESTART:
    add(to, "\n%d restart %d %d", (int)event->step, (int)event->restart.round, (int)event->restart.arm);
    break;
  case ASC_EVENT_STUCK:
    add(to, ", %d > %d", (int)event->stuck.backtracks, (int)event->stuck.limit);
    break;
  default:
    break;
  }
}

/* The whole search as text; the run must end in a plan, given in offsets if it is not NULL. */
static void tells(const asc_buffer_spec *specs, uint32_t count, int64_t capacity, const test_options *options,
                  const char *expected, const int64_t *offsets) {
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, specs, count);
  asc_run_config config = test_config("telamalloc", capacity, options);
  asc_run *run = test_run_new(problem, &config);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  test_finish(run);
  test_sound_end(problem, run, capacity, "telamalloc");
  const asc_event *events;
  const uint32_t *lists;
  uint32_t event_count;
  story told = {.length = 0};
  asc_log_get(log, &events, &event_count, &lists, NULL);
  for (uint32_t k = 0; k < event_count; k++) tell(&told, &events[k], lists + events[k].list);
  if (strcmp(told.text, expected)) fail_msg("told:%s\n\nexpected:%s", told.text, expected);
  if (offsets) assert_memory_equal(asc_run_best(run), offsets, count * sizeof *offsets);
  asc_run_attach(run, NULL);
  asc_log_free(log);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- by hand --------------------------------------------------------------------------------------------------------- */

/* Ten buffers in the manner of the paper's figure 1, in as much memory as is alive at once. b6 goes into the one-unit gap under b8, where b7
   should be. On [2, 4) every unit is taken; with b6 at 3 that unit is free again only at 4, and as b7 and b9 overlap b6, it would take b1 to use
   it; but then b3, 4 units, finds no place at time 5. The search goes on to level 7 before it sees that b7 has none, and returns to b6. */
static const asc_buffer_spec ten[] = {{"b0", 7, 9, 2, 1, -1, -1, .bank = 0}, {"b1", 4, 6, 1, 1, -1, -1, .bank = 0},
                                      {"b2", 7, 9, 1, 1, -1, -1, .bank = 0}, {"b3", 5, 9, 4, 1, -1, -1, .bank = 0},
                                      {"b4", 7, 9, 1, 1, -1, -1, .bank = 0}, {"b5", 0, 5, 3, 1, -1, -1, .bank = 0},
                                      {"b6", 0, 4, 1, 1, -1, -1, .bank = 0}, {"b7", 2, 5, 1, 1, -1, -1, .bank = 0},
                                      {"b8", 2, 7, 2, 1, -1, -1, .bank = 0}, {"b9", 2, 5, 1, 1, -1, -1, .bank = 0}};

static void the_wrong_choice_is_found_and_taken_back(void **state) {
  (void)state;
  static const int64_t plan[] = {4, 6, 6, 0, 7, 0, 6, 3, 4, 7};
  tells(ten, 10, 8, NULL,
        " | phase 0 L5@0 L3@0"
        "\n1 b5@0 L8@4 L3@0"
        "\n2 b8@4 L6@3 L3@0"
        "\n3 b6@3 L7@6 L3@0"
        "\n4 b7@6 fails: b1 in [8, 7], because b7 b6 b8 b5"
        "\n5 b3@0 L0@4 L7@6"
        "\n6 b0@4 L2@6 L7@6"
        "\n7 b2@6 L4@7 L7@6"
        "\n8 b4@7 | phase 0 L7@6"
        "\n9 b7@6 fails: b1 in [8, 7], because b7 b6 b8 b5"
        "\n10 major 7 to 2, undone b4 b2 b0 b3 b6, because b6 b8 b5, prepends b7 p7@3 L3@0"
        "\n11 b7@3 L6@6 L3@0"
        "\n12 b6@6 L9@7 L3@0"
        "\n13 b9@7 L1@6 L3@0"
        "\n14 b1@6 | phase 1 L3@0"
        "\n15 b3@0 L0@4"
        "\n16 b0@4 L2@6"
        "\n17 b2@6 L4@7"
        "\n18 b4@7",
        plan);
}

/* Four levels are jumped over, and two blocks go before all others. */
static void several_blocks_are_promoted(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(7, 9, 2), test_spec(2, 3, 2), test_spec(5, 6, 3), test_spec(3, 5, 3),
                                   test_spec(1, 6, 1), test_spec(5, 7, 2), test_spec(6, 9, 2), test_spec(6, 8, 2),
                                   test_spec(3, 4, 3), test_spec(5, 9, 2)};
  tells(specs, 10, 8, NULL,
        " | phase 0 L4@0 S2@0 A9@0 L3@0 L1@0"
        "\n1 b4@0 L9@1 S2@1 L3@1 L1@1"
        "\n2 b9@1 L6@3 S2@3 L3@1 L1@1"
        "\n3 b6@3 fails: b0 in [7, 6], because b6 b9 b4"
        "\n4 b2@3 fails: b6 in [5, 4], because b2 b9 b4"
        "\n5 b3@1 L8@4 L6@3 S2@3 L1@1"
        "\n6 b8@4 | phase 0 L6@3 S2@3 L1@1"
        "\n7 b6@3 fails: b0 in [7, 6], because b6 b9 b4"
        "\n8 b2@3 fails: b6 in [5, 4], because b2 b9 b4"
        "\n9 b1@1 | phase 0 L6@3 S2@3"
        "\n10 b6@3 fails: b0 in [7, 6], because b6 b9 b4"
        "\n11 b2@3 fails: b6 in [5, 4], because b2 b9 b4"
        "\n12 major 5 to 1, undone b1 b8 b3 b9, because b9 b4, prepends b6 b2 p6@0 p2@1 L3@1 L1@1"
        "\n13 b6@0 L9@2 S2@1 L3@1 L1@1"
        "\n14 b9@2 fails: b2 in [6, 5], because b9 b6 b4"
        "\n15 b2@1 L9@4 L3@1 L1@1"
        "\n16 b9@4 L5@6 L3@1 L1@1"
        "\n17 b5@6 L7@2 L3@1 L1@1"
        "\n18 b7@2 L0@6 L3@1 L1@1"
        "\n19 b0@6 | phase 1 L3@1 L1@1"
        "\n20 b3@1 L8@4 L1@1"
        "\n21 b8@4 | phase 2 L1@1"
        "\n22 b1@1",
        NULL);
}

/* Contention 4 10 6 2 9 5 3 4 1 0 5 5: [1, 2) and what overlaps it, [4, 5), then b4 at threshold 5, b5 at 4. Nothing spans [9, 10). */
static void phases_fall_with_the_threshold(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(0, 3, 4), test_spec(1, 2, 6), test_spec(2, 6, 2),  test_spec(4, 5, 7),
                                   test_spec(5, 8, 3), test_spec(7, 9, 1), test_spec(10, 12, 5)};
  static const uint32_t expected[] = {0, 0, 1, 1, 2, 3, 4}, none[7] = {0, 0, 0, 0, 0, 0, 1},
                        whole[7] = {0, 0, 1, 1, 2, 4, 3};
  static const struct {
    const char *option, *value;
    const uint32_t *phases;
  } cases[] = {
      {"phase_step", "0", expected}, {"phase_step", "20", expected}, {"phases", "false", none}, {"split", "false", whole}};
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, specs, 7);
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    test_options options = {.count = 0};
    test_option_set(&options, cases[k].option, cases[k].value);
    asc_run_config config = test_config("telamalloc", 10, &options);
    asc_run *run = test_run_new(problem, &config);
    asc_run_view view;
    test_finish(run);
    assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
    assert_memory_equal(view.phases, cases[k].phases, sizeof expected);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
  tells(specs, 7, 10, NULL,
        " | phase 0 L0@0 S1@0 L2@0 S3@0 L4@0 L5@0"
        "\n1 b0@0 L1@4 L2@7 S3@0 L4@0 L5@0"
        "\n2 b1@4 | phase 1 L2@7 S3@0 L4@0 L5@0"
        "\n3 b2@7 L3@0 L4@0 L5@0"
        "\n4 b3@0 | phase 2 L4@0 L5@0"
        "\n5 b4@0 | phase 3 L5@3"
        "\n6 b5@3 part | phase 4 L6@0"
        "\n7 b6@0",
        NULL);
}

/* ---- its parts, off and on ------------------------------------------------------------------------------------------- */

/* The major backtrack of the ten-buffer case, by other rules. */
static void a_backtrack_goes_where_the_policy_says(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, ten, 10);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  static const struct {
    const char *options[4];
    int step, from, to, stuck;
  } cases[] = {{{"backtrack", "fixed"}, 10, 7, 6, 0},
               {{"backtrack", "fixed", "back_steps", "2"}, 10, 7, 5, 0},
               {{"backtrack", "fixed", "back_steps", "16"}, 10, 7, 0, 0},
               {{"backtrack", "conflict", "promotion", "false"}, 10, 7, 2, 0},
               {{"stuck_limit", "1"}, 10, 7, 3, 1}}; /* two failures below level 3, none of them before it was opened */
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    test_options options = {.count = 0};
    test_option_set(&options, cases[k].options[0], cases[k].options[1]);
    if (cases[k].options[2]) test_option_set(&options, cases[k].options[2], cases[k].options[3]);
    asc_run_config config = test_config("telamalloc", 8, &options);
    asc_run *run = test_run_new(problem, &config);
    const asc_event *events;
    uint32_t count, at = 0;
    asc_log_clear(log);
    asc_run_attach(run, log);
    test_finish(run);
    asc_log_get(log, &events, &count, NULL, NULL);
    while (at < count && events[at].kind != ASC_EVENT_BACKTRACK) at++;
    CHECK(at < count && events[at].step == (uint64_t)cases[k].step && events[at].backtrack.from == cases[k].from &&
              events[at].backtrack.to == cases[k].to && events[at].backtrack.stuck == cases[k].stuck,
          "case %u: step %d, %d to %d", k, (int)events[at].step, (int)events[at].backtrack.from,
          (int)events[at].backtrack.to);
    asc_run_free(run);
  }
  asc_log_free(log);
  asc_problem_free(problem);
  test_context_end(context);
}

/* The skyline's plan of the ten buffers is 9 high; the search that follows fits them into 8. */
static void the_heuristic_may_go_first(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, ten, 10);
  test_options options = {.count = 0};
  test_option_set(&options, "heuristic_first", "true");
  for (int64_t capacity = 8; capacity <= 9; capacity++) {
    asc_run_config alone = asc_run_config_default("contention", capacity),
                   both = test_config("telamalloc", capacity, &options);
    asc_run *heuristic = test_run_new(problem, &alone), *run = test_run_new(problem, &both);
    asc_run_stats first, stats;
    asc_outcome outcome = test_finish(heuristic);
    test_finish(run);
    test_sound_end(problem, run, capacity, "telamalloc");
    asc_run_stats_get(heuristic, &first);
    asc_run_stats_get(run, &stats);
    assert_int_equal(first.height, 9);
    if (capacity == 9) {
      assert_int_equal(outcome, ASC_OUTCOME_FEASIBLE);
      assert_int_equal(stats.steps, first.steps);
      assert_memory_equal(asc_run_best(run), asc_run_best(heuristic), 10 * sizeof(int64_t));
    } else {
      assert_int_equal(stats.steps, first.steps + 1 + 18); /* one step between them */
      assert_int_equal(stats.height, 8);
    }
    asc_run_free(heuristic);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- against the exact solver ---------------------------------------------------------------------------------------- */

static asc_problem *problem_of(asc_context *context, uint64_t number) {
  static const char *const kinds[] = {"synthetic", "network", "random"};
  asci_rng rng = {number};
  asc_problem *problem = NULL;
  if (number % 4 < 3) {
    uint32_t n = 12 + (uint32_t)asci_random_below(&rng, 40);
    assert_int_equal(asc_generate(context, kinds[number % 4], n, number, &problem, NULL), ASC_OK);
    return problem;
  }
  test_shape shape = {.min_buffers = 12,
                      .max_buffers = 30,
                      .max_time = 20,
                      .max_size = 12,
                      .max_alignment = 4,
                      .max_fixed = 40,
                      .tie = 20,
                      .fixed = 3,
                      .gap = 15,
                      .window = 40,
                      .bank = 10};
  return test_random_problem(context, &rng, &shape);
}

/* Feasible by the exact solver or not: an end may say nothing else. Every part is switched; random settings besides. */
static void no_setting_makes_a_false_claim(void **state) {
  (void)state;
  const asc_solver_info *solver = asc_solver_find("telamalloc");
  asc_context *context = test_context();
  uint32_t ends[ASC_OUTCOME_COUNT] = {0}, singles = test_single_count(solver), feasible = 0, cases = test_cases(120);
  for (uint64_t number = 0; number < cases; number++) {
    asc_problem *problem = problem_of(context, number);
    int64_t bound = asc_problem_lower_bound(problem),
            capacity = bound + bound * (int64_t)(number % 5) / 50 - (number % 7 == 0);
    asc_run_config exact = asc_run_config_default("exact", capacity);
    exact.budget = 20000;
    asc_run *judge = test_run_new(problem, &exact);
    asc_outcome verdict = test_finish(judge);
    bool fits = verdict == ASC_OUTCOME_FEASIBLE || verdict == ASC_OUTCOME_OPTIMAL;
    feasible += fits;
    asc_run_free(judge);
    for (uint32_t k = 0; k < singles + 3; k++) {
      test_options options = {.count = 0};
      asci_rng rng = {number * 100 + k};
      if (k < singles) test_single(solver, k, &options);
      if (k == singles) test_all_off(solver, &options);
      if (k > singles + 1) test_random_options(solver, &rng, &options);
      asc_run_config config = test_config("telamalloc", capacity, &options);
      config.budget = 1500;
      asc_run *run = test_run_new(problem, &config);
      asc_outcome outcome = test_finish(run);
      test_sound_end(problem, run, capacity, test_options_text(&options));
      ends[outcome]++;
      bool planned = outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL;
      CHECK(!(fits && outcome == ASC_OUTCOME_INFEASIBLE) && !(planned && verdict == ASC_OUTCOME_INFEASIBLE),
            "problem %" PRIu64 " at %" PRId64 ", %s: %s, exact: %s", number, capacity, test_options_text(&options),
            asc_outcome_id(outcome), asc_outcome_id(verdict));
      asc_run_free(run);
    }
    asc_problem_free(problem);
  }
  for (uint32_t k = 0; k < ASC_OUTCOME_COUNT; k++)
    if (ends[k]) printf("%s: %u\n", asc_outcome_id((asc_outcome)k), ends[k]);
  assert_true(feasible > cases / 3);
  assert_true(ends[ASC_OUTCOME_FEASIBLE] && ends[ASC_OUTCOME_OPTIMAL] && ends[ASC_OUTCOME_INFEASIBLE] &&
              ends[ASC_OUTCOME_EXHAUSTED] && ends[ASC_OUTCOME_BUDGET_SPENT]);
  test_context_end(context);
}

/* Parts that no buffer joins are solved on their own: twice the problem is twice the steps, and no restart of one touches the other. */
static void parts_are_independent(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec twice[20];
  for (uint32_t b = 0; b < 20; b++) {
    twice[b] = ten[b % 10];
    twice[b].id = NULL;
    twice[b].lower += b / 10 * 9;
    twice[b].upper += b / 10 * 9;
  }
  asc_problem *problem = test_problem(context, twice, 20);
  asc_run_config config = asc_run_config_default("telamalloc", 8);
  asc_run *run = test_run_new(problem, &config);
  assert_int_equal(test_finish(run), ASC_OUTCOME_OPTIMAL);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  assert_int_equal(stats.steps, 36);
  assert_int_equal(stats.backtracks, 6);
  for (uint32_t b = 0; b < 10; b++) assert_int_equal(asc_run_best(run)[b], asc_run_best(run)[b + 10]);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* The lower bound is above the capacity here, and no load is: nothing else is alive with the fixed buffer, or nothing at all is. */
static void a_buffer_fixed_above_the_capacity_is_no_load(void **state) {
  (void)state;
  asc_context *context = test_context();
  static const asc_gap whole = {.lower = 0, .upper = 4};
  const asc_buffer_spec alone[] = {{"low", 4, 6, 2, 1, -1, -1, .bank = 0}, {"high", 0, 4, 2, 1, 9, -1, .bank = 0}};
  const asc_buffer_spec never[] = {{"gone", 0, 4, 2, 1, 9, -1, &whole, .gap_count = 1}};
  asc_problem *const problems[] = {test_problem(context, alone, 2), test_problem(context, never, 1)};
  for (size_t k = 0; k < 2; k++)
    for (size_t solver = 0; solver < 2; solver++) {
      asc_run_config config = asc_run_config_default(solver ? "simple" : "telamalloc", 8);
      asc_run *run = test_run_new(problems[k], &config);
      assert_int_equal(test_finish(run), ASC_OUTCOME_INFEASIBLE);
      asc_run_free(run);
    }
  for (size_t k = 0; k < 2; k++) asc_problem_free(problems[k]);
  test_context_end(context);
}

/* Too many pairs for rows: the same steps as with them (the digests are of the code that always had rows). */
static void many_pairs_change_nothing(void **state) {
  (void)state;
  static const struct {
    const char *solver;
    uint64_t digest;
  } known[] = {{"telamalloc", 0x64aebaf726c213c5}, {"simple", 0x22b84a0bebf565d1}};
  asc_context *context = test_context();
  asc_problem *problem;
  assert_int_equal(asc_generate(context, "random", 30000, 1, &problem, NULL), ASC_OK);
  for (size_t k = 0; k < 2; k++) {
    asc_run_config config = asc_run_config_default(known[k].solver, 1000000000000);
    config.budget = 100;
    asc_run *run = test_run_new(problem, &config);
    assert_int_equal(test_finish(run), ASC_OUTCOME_BUDGET_SPENT);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    assert_int_equal(stats.digest, known[k].digest);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* Windows need a distance for each pair of pieces: what that takes is said before it is taken. */
static void many_pairs_with_windows_are_refused(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem;
  asc_buffer_spec spec = {"wide", 0, 9, 8, 1, -1, -1, &(asc_gap){2, 4, 0, 4}, .gap_count = 1};
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  for (uint32_t b = 0; b < 6000; b++) {
    char id[16];
    snprintf(id, sizeof id, "b%u", b);
    spec.id = id;
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  for (size_t k = 0; k < 2; k++) {
    asc_run_config config = asc_run_config_default(k ? "simple" : "telamalloc", 100000);
    asc_run *run = NULL;
    asc_diag diag;
    assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, &diag), ASC_OUT_OF_MEMORY);
    assert_string_equal(diag.message, "windows need a distance for each pair alive together: more than 16,777,216");
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- cancelling ------------------------------------------------------------------------------------------------------ */

/* Cancels the run at its k-th call: the trail grows in the middle of a step. */
typedef struct canceller {
  asc_run *run;
  uint64_t calls, at;
} canceller;

static void *cancelling_resize(void *user, void *block, size_t bytes) {
  canceller *who = user;
  if (++who->calls == who->at && who->run) asc_run_cancel(who->run);
  return realloc(block, bytes);
}

static void releasing(void *user, void *block) {
  (void)user;
  free(block);
}

/* One large buffer below many small ones, each of which moves when it is placed; fixed: before any decision. */
static asc_problem *below_many(asc_context *context, uint32_t count, bool fixed) {
  asc_problem *problem;
  asc_buffer_spec spec = test_spec(0, 9, INT64_C(1) << 30);
  if (fixed) spec.offset = 0;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  for (uint32_t b = 0; b < count; b++) {
    char id[16];
    snprintf(id, sizeof id, "b%u", b);
    spec.id = id;
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
    spec = test_spec(0, 9, 1 + b % 7);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  return problem;
}

/* Returns the steps at which it was cancelled in the middle of one, and went on as if nothing had been; *whole: it was over by then. */
static uint64_t cancelled_at(uint64_t at, const char *solver, bool fixed, uint64_t digest, bool *whole) {
  canceller user = {.at = UINT64_MAX};
  asc_allocator allocator = {cancelling_resize, releasing, &user};
  asc_context *context = NULL;
  assert_int_equal(asc_context_new(&allocator, &context), ASC_OK);
  asc_problem *problem = below_many(context, 300, fixed);
  asc_run_config config = asc_run_config_default(solver, (INT64_C(1) << 30) + 1200);
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &user.run, NULL), ASC_OK);
  user.at = user.calls + at;
  asc_outcome outcome;
  asc_run_stats stats = {0};
  uint64_t before;
  do {
    before = stats.steps;
    assert_int_equal(asc_run_step(user.run, 1, &outcome), ASC_OK);
    asc_run_stats_get(user.run, &stats);
  } while (outcome == ASC_OUTCOME_RUNNING);
  *whole = outcome != ASC_OUTCOME_CANCELLED;
  uint64_t within = !*whole && stats.steps == before && user.calls == user.at;
  asc_run_resume(user.run, 0);
  test_finish(user.run);
  asc_run_stats_get(user.run, &stats);
  CHECK(!digest || stats.digest == digest, "%s is another run after it was cancelled at call %" PRIu64, solver, at);
  asc_run_free(user.run);
  asc_problem_free(problem);
  test_context_end(context);
  return within;
}

static void a_step_is_cancelled_within(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const char *solver = k % 2 ? "simple" : "telamalloc";
    asc_context *context = test_context();
    asc_problem *problem = below_many(context, 300, k > 1);
    asc_run_config config = asc_run_config_default(solver, (INT64_C(1) << 30) + 1200);
    asc_run *run = test_run_new(problem, &config);
    asc_run_stats stats;
    test_finish(run);
    asc_run_stats_get(run, &stats);
    asc_run_free(run);
    asc_problem_free(problem);
    test_context_end(context);
    uint64_t within = 0;
    bool whole = false;
    for (uint64_t at = 1; !whole; at++) within += cancelled_at(at, solver, k > 1, stats.digest, &whole);
    CHECK(within || k > 1, "%s was never cancelled within a step", solver);
  }
}

int run_telamalloc_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_wrong_choice_is_found_and_taken_back),
      cmocka_unit_test(several_blocks_are_promoted),
      cmocka_unit_test(phases_fall_with_the_threshold),
      cmocka_unit_test(a_backtrack_goes_where_the_policy_says),
      cmocka_unit_test(the_heuristic_may_go_first),
      cmocka_unit_test(no_setting_makes_a_false_claim),
      cmocka_unit_test(parts_are_independent),
      cmocka_unit_test(a_buffer_fixed_above_the_capacity_is_no_load),
      cmocka_unit_test(many_pairs_change_nothing),
      cmocka_unit_test(many_pairs_with_windows_are_refused),
      cmocka_unit_test(a_step_is_cancelled_within),
  };
  return cmocka_run_group_tests_name("telamalloc", tests, NULL, NULL);
}
