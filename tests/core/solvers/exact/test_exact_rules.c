/* The exact solver's rules, one by one, in the events of its searches: each acts somewhere, and none acts while it is off. And the published
 * instances, which it must solve within a number of nodes that only a search with all its rules keeps. */
#include "saturated.h"
#include "test_exact_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rules at work --------------------------------------------------------------------------------------------------- */

typedef struct switched_rule {
  const char *option;
  asc_rule rule;
} switched_rule;

static const switched_rule switched[] = {
    {"backjumping", ASC_RULE_BACKJUMP},
    {"lazy", ASC_RULE_LAZY},
    {"nogoods", ASC_RULE_NOGOOD},
    {"not_first", ASC_RULE_NOT_FIRST},
    {"subset_sums", ASC_RULE_SUBSET_SUM},
    {"blocked", ASC_RULE_BLOCKED},
    {"equal_buffers", ASC_RULE_EQUAL},
    {"same_span", ASC_RULE_SAME_SPAN},
    {"piles", ASC_RULE_PILE},
};

/* Equal buffers and equal lifespans are rare in saturated problems, and in these they are not; in one of four alignments are mixed. */
static asc_problem *tied_problem(asc_context *context, uint64_t number) {
  asci_rng rng = {number};
  test_shape shape = {.min_buffers = 12,
                      .max_buffers = 22,
                      .max_time = 6,
                      .max_size = 5,
                      .max_alignment = number % 4 == 3 ? 4 : 1,
                      .max_fixed = 1};
  return test_random_problem(context, &rng, &shape);
}

/* A candidate outside the conflict is rare: most often the whole section is in it. Here is one. */
static void find_lazy(asc_context *context, uint64_t *kinds, uint64_t *rules) {
  asc_problem *problem = NULL;
  assert_int_equal(asc_generate(context, "synthetic", 108, 2, &problem, NULL), ASC_OK);
  test_options options = {.count = 0};
  exact_count_events(context, problem, &options, 20000, kinds, rules);
  uint64_t none[ASC_EVENT_COUNT] = {0}, acted[ASC_RULE_COUNT] = {0};
  test_option_set(&options, "lazy", "false");
  exact_count_events(context, problem, &options, 20000, none, acted);
  CHECK(acted[ASC_RULE_LAZY] == 0, "lazy acts though it is off");
  asc_problem_free(problem);
}

static void every_rule_acts_and_can_be_silenced(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint64_t kinds[ASC_EVENT_COUNT] = {0}, exchanged[ASC_EVENT_COUNT] = {0}, rules[ASC_RULE_COUNT] = {0};
  for (uint64_t number = 0; number < test_cases(240); number++) {
    asc_problem *problem = number % 2 ? tied_problem(context, number) : NULL;
    if (!problem) assert_int_equal(saturated_problem(context, saturated_sections(number), number, &problem), ASC_OK);
    test_options options = {.count = 0};
    exact_count_events(context, problem, &options, 1500, exchanged, rules);
    test_option_set(&options, "exchange", "never"); /* which leaves little to the others */
    exact_count_events(context, problem, &options, 1500, kinds, rules);
    for (uint32_t k = 0; k < COUNT(switched); k++) {
      uint64_t none[ASC_EVENT_COUNT] = {0}, acted[ASC_RULE_COUNT] = {0};
      options.count = 1;
      test_option_set(&options, switched[k].option, "false");
      if (switched[k].rule == ASC_RULE_NOGOOD) test_option_set(&options, "small_nogoods", "false");
      exact_count_events(context, problem, &options, 1500, none, acted);
      CHECK(acted[switched[k].rule] == 0, "number %d: %s acts though it is off", (int)number, switched[k].option);
    }
    asc_problem_free(problem);
  }
  CHECK(exchanged[ASC_EVENT_EXCHANGE] > 0 && !kinds[ASC_EVENT_EXCHANGE], "no exchange, or one though they are off");
  find_lazy(context, kinds, rules);
  for (uint32_t k = 0; k < COUNT(switched); k++) {
    printf("%s: %d\n", switched[k].option, (int)rules[switched[k].rule]);
    CHECK(rules[switched[k].rule] > 0, "%s never acted", switched[k].option);
  }
  static const asc_event_kind seen[] = {ASC_EVENT_PLACE,   ASC_EVENT_WASTE,  ASC_EVENT_REJECT,    ASC_EVENT_BACKTRACK,
                                        ASC_EVENT_RESTART, ASC_EVENT_CHOOSE, ASC_EVENT_DECOMPOSE, ASC_EVENT_CONFLICT};
  for (uint32_t k = 0; k < COUNT(seen); k++) CHECK(kinds[seen[k]] > 0, "no event of kind %d", (int)seen[k]);
  CHECK(rules[ASC_RULE_SECTION] > 0 && rules[ASC_RULE_SLACK] > 0, "no section ever overflowed, or none was without slack");
  test_context_end(context);
}

/* A log looks on: with and without it the same steps are taken. */
static void a_log_changes_nothing(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 1000, &log), ASC_OK);
  for (uint64_t number = 0; number < test_cases(80); number++) {
    asc_problem *problem = NULL;
    test_options options = {.count = 0};
    asci_rng rng = {number};
    assert_int_equal(saturated_problem(context, saturated_sections(number), number, &problem), ASC_OK);
    if (number % 2) exact_random_options(&rng, &options);
    asc_run_config config = test_config("exact", asc_problem_lower_bound(problem), &options);
    config.budget = 3000;
    asc_run *plain = test_run_new(problem, &config), *traced = test_run_new(problem, &config);
    asc_log_clear(log);
    asc_run_attach(traced, log);
    test_finish(plain);
    test_finish(traced);
    test_same_stats(traced, plain, test_options_text(&options));
    asc_run_free(plain);
    asc_run_free(traced);
    asc_problem_free(problem);
  }
  asc_log_free(log);
  test_context_end(context);
}

/* Of buffers of one first and last time some have gaps: they lie on no pile, for others may slip under it where they are not. */
static void who_is_asked_has_candidates(void **state) {
  (void)state;
  asc_context *context = test_context();
  test_options options = {.count = 0};
  test_option_set(&options, "portfolio", "0ZR,10WATKG,0WATG,10WATKRB,10WATKRG");
  test_option_set(&options, "first_budget", "100");
  test_option_set(&options, "exchange", "never");
  uint32_t choices = 0, piled = 0;
  for (uint64_t number = 0; number < test_cases(24); number++) {
    asc_problem *problem = exact_piled(context, number, 1 + (uint32_t)(number % 5));
    asc_log *log = NULL;
    const asc_event *events = NULL;
    uint32_t count = 0;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_config config = test_config("exact", asc_problem_lower_bound(problem) + (int64_t)(number % 2), &options);
    config.budget = 4000;
    asc_run *run = test_run_new(problem, &config);
    asc_run_attach(run, log);
    test_finish(run);
    asc_log_get(log, &events, &count, NULL, NULL);
    for (uint32_t k = 0; k < count; k++) {
      if (events[k].kind != ASC_EVENT_CHOOSE) continue;
      choices++;
      piled += events[k].choose.waste == 3;
      CHECK(events[k].list_count > 0, "number %d: section %d is asked, and nobody may answer", (int)number,
            (int)events[k].choose.section);
    }
    asc_run_free(run);
    asc_log_free(log);
    asc_problem_free(problem);
  }
  test_context_end(context);
  printf("%u choices, %u on piles\n", choices, piled);
  assert_true(piled > 0);
}

/* ---- published instances --------------------------------------------------------------------------------------------- */

static const char *suites_folder(void) {
  const char *folder = getenv("ARENASCOPE_BENCH");
  return folder && *folder ? folder : NULL;
}

typedef struct published {
  const char *name;
  int64_t capacity;
  uint64_t nodes;
} published;

static const published easy[] = {
    {"minimalloc/A.1048576", 1048576, 20000}, {"minimalloc/B.1048576", 1048576, 20000},
    {"minimalloc/C.1048576", 1048576, 20000}, {"minimalloc/D.1048576", 1048576, 20000},
    {"minimalloc/E.1048576", 1048576, 20000}, {"minimalloc/F.1048576", 1048576, 20000},
    {"minimalloc/G.1048576", 1048576, 20000}, {"minimalloc/H.1048576", 1048576, 20000},
    {"minimalloc/I.1048576", 1048576, 20000}, {"minimalloc/J.1048576", 1048576, 20000},
    {"minimalloc/K.1048576", 1048576, 20000}, {"minimalloc/C.1048576", 1039360, 20000},
    {"minimalloc/D.1048576", 986112, 20000},  {"perturbed/C0.1116160", 1116160, 20000},
    {"perturbed/F0.1062912", 1062912, 20000}, {"perturbed/J0.1028096", 1028096, 20000},
};

static void check_published(asc_context *context, const published *one) {
  char path[1024];
  size_t bytes = 0, errors = 0;
  asc_csv *csv = NULL;
  snprintf(path, sizeof path, "%s/%s.csv", suites_folder(), one->name);
  char *text = test_read_file(path, &bytes);
  assert_int_equal(asc_csv_read(context, text, bytes, ASC_OFFSETS_FIXED, &csv, NULL, 0, &errors), ASC_OK);
  free(text);
  asc_run_config config = asc_run_config_default("exact", one->capacity);
  asc_run *run = test_run_new(asc_csv_problem(csv), &config);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_run_stats stats = {0};
  while (outcome == ASC_OUTCOME_RUNNING && stats.nodes <= one->nodes) {
    assert_int_equal(asc_run_step(run, 64, &outcome), ASC_OK);
    asc_run_stats_get(run, &stats);
  }
  printf("%s at %d: %s, %d nodes\n", one->name, (int)one->capacity, asc_outcome_id(outcome), (int)stats.nodes);
  CHECK(exact_verdict_of(run) == EXACT_FEASIBLE && stats.nodes <= one->nodes, "%s: %s after %d nodes", one->name,
        asc_outcome_id(outcome), (int)stats.nodes);
  test_sound_end(asc_csv_problem(csv), run, one->capacity, one->name);
  asc_run_free(run);
  asc_csv_free(csv);
}

static void published_instances(void **state) {
  (void)state;
  if (!suites_folder()) {
    printf("left out: ARENASCOPE_BENCH names no folder of benchmark suites\n");
    skip();
  }
  asc_context *context = test_context();
  for (uint32_t k = 0; k < COUNT(easy); k++) check_published(context, &easy[k]);
  test_context_end(context);
}

/* ---- the portfolio --------------------------------------------------------------------------------------------------- */

static asc_status portfolio_of(const asc_problem *problem, const char *text, asc_run **run, asc_diag *diag) {
  const asc_option_value option = {"portfolio", text};
  asc_run_config config = asc_run_config_default("exact", asc_problem_lower_bound(problem));
  config.options = &option;
  config.option_count = 1;
  config.budget = 400;
  return asc_run_new(asc_input_buffers(problem), &config, run, diag);
}

static void portfolios_are_read(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "",        "5WAT",      "WAT",       "0",      "0X",
      "0WATZW",  "0WATX",     "0WATKH",    "0WATG,", "0WAT,,2ZR",
      "12WATGR", "0W,2WATGB", "0W,2WATBR", "12WATB", "0WATWATWATWATWATWATWATWATWATWATWATWATWAT"};
  static const char *const right[] = {"0W", "14ZTAW", "2AHRG,2A", "4TK,0ZG,10A", "10WATKRB,0W,2WB"};
  asc_context *context = test_context();
  asc_problem *problem;
  asc_diag diag;
  assert_int_equal(asc_generate(context, "synthetic", 20, 3, &problem, NULL), ASC_OK);
  for (uint32_t k = 0; k < COUNT(wrong) + COUNT(right); k++) {
    asc_run *run = NULL;
    bool is_wrong = k < COUNT(wrong);
    const char *text = is_wrong ? wrong[k] : right[k - COUNT(wrong)];
    asc_status status = portfolio_of(problem, text, &run, &diag);
    CHECK(status == (is_wrong ? ASC_BAD_OPTION : ASC_OK), "%s: %s", text, asc_status_text(status));
    asc_run_free(run);
  }
  char many[65 * 3];
  for (uint32_t k = 0; k < 65; k++) memcpy(many + 3 * k, "0W,", 3);
  asc_run *run = NULL;
  many[64 * 3 - 1] = 0;
  assert_int_equal(portfolio_of(problem, many, &run, &diag), ASC_OK);
  asc_run_free(run);
  many[64 * 3 - 1] = ',';
  many[65 * 3 - 1] = 0;
  assert_int_equal(portfolio_of(problem, many, &run, &diag), ASC_BAD_OPTION);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Sizes and times so large that no area fits into 64 bits lead where small ones do that are to each other as they are. */
static void areas_beyond_64_bits(void **state) {
  (void)state;
  static const char *const arms[] = {"0A", "0AZR", "2ATK", "4ZAR", "0WA"};
  asc_context *context = test_context();
  for (uint32_t number = 0; number < 60; number++) {
    asc_buffer_spec specs[24];
    asci_rng rng = {number};
    uint64_t steps[2] = {0, 0}, nodes[2] = {0, 0};
    for (uint32_t b = 0; b < COUNT(specs); b++) {
      int64_t lower = asci_random_between(&rng, 0, 9);
      specs[b] = test_spec(lower, lower + asci_random_between(&rng, 1, 5), asci_random_between(&rng, 2, 9));
    }
    for (uint32_t far = 0; far < 2; far++) {
      for (uint32_t b = 0; far && b < COUNT(specs); b++) {
        specs[b].lower <<= 45;
        specs[b].upper <<= 45;
        specs[b].size <<= 30;
      }
      asc_problem *problem = test_problem(context, specs, COUNT(specs));
      asc_run *run = NULL;
      asc_run_stats stats;
      assert_int_equal(portfolio_of(problem, arms[number % COUNT(arms)], &run, NULL), ASC_OK);
      test_finish(run);
      asc_run_stats_get(run, &stats);
      steps[far] = stats.steps;
      nodes[far] = stats.nodes;
      asc_run_free(run);
      asc_problem_free(problem);
    }
    CHECK(steps[0] == steps[1] && nodes[0] == nodes[1], "problem %u: other steps when it is large", number);
  }
  test_context_end(context);
}

int run_exact_rules_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(portfolios_are_read),   cmocka_unit_test(areas_beyond_64_bits),
      cmocka_unit_test(a_log_changes_nothing), cmocka_unit_test(every_rule_acts_and_can_be_silenced),
      cmocka_unit_test(published_instances),   cmocka_unit_test(who_is_asked_has_candidates),
  };
  return cmocka_run_group_tests_name("exact_rules", tests, NULL, NULL);
}
