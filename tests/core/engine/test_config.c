/* What a run refuses, and the edges of what it takes: no buffers, no room, the largest numbers. */
#include "support.h"

#include "base/options.h"

#include <stdio.h>
#include <string.h>

static asc_problem *one_buffer(asc_context *context) {
  asc_buffer_spec spec = test_spec(0, 4, 8);
  return test_problem(context, &spec, 1);
}

/* The call must fail with that status and leave run and diag as the contract says. */
static void refused(const asc_problem *problem, const asc_run_config *config, asc_status expected, const char *field) {
  asc_run *run = NULL;
  asc_diag diag;
  memset(&diag, 0, sizeof diag);
  asc_status status = asc_run_new(asc_input_buffers(problem), config, &run, &diag);
  CHECK(status == expected, "%s: %s, expected %s", field, asc_status_text(status), asc_status_text(expected));
  assert_null(run);
  assert_int_equal(diag.status, expected);
  CHECK(diag.message[0], "%s: no message", field);
  assert_string_equal(diag.field, field);
  assert_int_equal(asc_run_new(asc_input_buffers(problem), config, &run, NULL), expected);
  assert_null(run);
}

static void refuses_bad_configurations(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = one_buffer(context), *soft = NULL;
  asc_run_config zeroed;
  memset(&zeroed, 0, sizeof zeroed);
  zeroed.solver = "minimalloc";
  zeroed.capacity = 8;
  refused(problem, &zeroed, ASC_BAD_ARGUMENT, "config");
  refused(problem, NULL, ASC_BAD_ARGUMENT, "config");
  asc_run_config config = asc_run_config_default("minimalloc", 8);
  refused(NULL, &config, ASC_BAD_ARGUMENT, "input");
  assert_int_equal(asc_problem_new(context, &soft), ASC_OK);
  refused(soft, &config, ASC_BAD_ARGUMENT, "input");
  config = asc_run_config_default("maximalloc", 8);
  refused(problem, &config, ASC_UNKNOWN_SOLVER, "solver");
  config = asc_run_config_default(NULL, 8);
  refused(problem, &config, ASC_UNKNOWN_SOLVER, "solver");
  config = asc_run_config_default("minimalloc", -1);
  refused(problem, &config, ASC_BAD_ARGUMENT, "capacity");
  config = asc_run_config_default("minimalloc", ASC_MAX_BYTES + 1);
  refused(problem, &config, ASC_BAD_ARGUMENT, "capacity");
  config = asc_run_config_default("minimalloc", 8);
  config.option_count = 1;
  refused(problem, &config, ASC_BAD_ARGUMENT, "options");
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, NULL, NULL), ASC_BAD_ARGUMENT);
  asc_run_free(NULL);
  asc_problem_free(soft);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Values that no option of the type may take. */
static uint32_t bad_values(const asc_option *option, char values[8][48]) {
  uint32_t count = 0;
  static const char *const always[] = {"", " ", "tru", "1x", "--1", "9223372036854775808"};
  if (option->type == ASC_OPTION_TEXT) return 0;
  for (uint32_t k = 0; k < COUNT(always); k++) strcpy(values[count++], always[k]);
  if (option->type != ASC_OPTION_INT) return count;
  if (option->min > INT64_MIN) snprintf(values[count++], 48, "%lld", (long long)option->min - 1);
  if (option->max < INT64_MAX) snprintf(values[count++], 48, "%lld", (long long)option->max + 1);
  return count;
}

static void every_option_refuses_what_is_outside(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = one_buffer(context);
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    asc_run_config config = asc_run_config_default(solver->id, 8);
    asc_option_value value = {"no_such_option", "true"};
    config.options = &value;
    config.option_count = 1;
    refused(problem, &config, ASC_UNKNOWN_OPTION, value.name);
    value.value = NULL;
    asc_run *run = NULL;
    assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, NULL), ASC_BAD_ARGUMENT);
    for (uint32_t o = 0; o < solver->option_count; o++) {
      char values[8][48];
      uint32_t count = bad_values(&solver->options[o], values);
      for (uint32_t k = 0; k < count; k++) {
        value = (asc_option_value){solver->options[o].name, values[k]};
        refused(problem, &config, ASC_BAD_OPTION, value.name);
      }
    }
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* 64 orders are taken and not one more; of a text that is none so much is cited. */
static void minimalloc_takes_so_many_orders(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = one_buffer(context);
  char text[160] = "A";
  asc_option_value value = {"preordering_heuristics", text};
  asc_run_config config = asc_run_config_default("minimalloc", 8);
  config.options = &value;
  config.option_count = 1;
  for (int k = 1; k < 64; k++) strcat(text, ",A");
  asc_run *run = NULL;
  asc_diag diag;
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, NULL), ASC_OK);
  asc_run_free(run);
  strcat(text, ",A");
  refused(problem, &config, ASC_BAD_OPTION, value.name);
  strcpy(text, "TWATWATWATWATWATWATWATWATWATWATWATWATWA");
  assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, &diag), ASC_BAD_OPTION);
  assert_non_null(strstr(diag.message, "\xe2\x80\x9cTWATWATWATWATWATWATWATWATWATWATW\xe2\x80\x9d"));
  asc_problem_free(problem);
  test_context_end(context);
}

static void solver_table_is_complete(void **state) {
  (void)state;
  assert_true(test_solver_count() > 0);
  assert_null(asc_solver_at(asc_solver_count()));
  assert_null(asc_solver_find("no such solver"));
  asc_context *context = test_context();
  asc_problem *problem = one_buffer(context);
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    assert_ptr_equal(asc_solver_find(solver->id), solver);
    assert_true(solver->title[0] && solver->paper[0] && solver->summary[0] && solver->pseudocode[0]);
    CHECK(solver->pseudocode[strlen(solver->pseudocode) - 1] == '\n', "%s: the last line of its pseudocode does not end",
          solver->id);
    test_options given = {.count = 0};
    for (uint32_t o = 0; o < solver->option_count; o++) {
      const asc_option *option = &solver->options[o];
      assert_true(option->name[0] && option->title[0] && option->help[0]);
      if (option->type == ASC_OPTION_CHOICE) assert_true(option->choices && option->choices[0]);
      for (uint32_t other = 0; other < o; other++) assert_string_not_equal(option->name, solver->options[other].name);
      test_option_set(&given, option->name, option->initial);
    }
    /* The defaults written out are the defaults. */
    asc_run_config plain = asc_run_config_default(solver->id, 8), stated = test_config(solver->id, 8, &given);
    asc_run *left = test_run_new(problem, &plain), *right = test_run_new(problem, &stated);
    test_finish(left);
    test_finish(right);
    test_same_stats(left, right, solver->id);
    asc_run_free(left);
    asc_run_free(right);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- edges ---- */

static asc_outcome solve(const asc_problem *problem, const char *solver, int64_t capacity, asc_run_stats *stats) {
  asc_run_config config = asc_run_config_default(solver, capacity);
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome = test_finish(run);
  test_sound_end(problem, run, capacity, solver);
  asc_run_stats_get(run, stats);
  asc_run_free(run);
  return outcome;
}

static void no_buffers_and_no_room(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *none = test_problem(context, NULL, 0), *one = one_buffer(context);
  asc_buffer_spec nothing[2] = {test_spec(0, 4, 0), test_spec(2, 9, 0)};
  asc_problem *empty = test_problem(context, nothing, 2);
  asc_run_stats stats;
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    assert_int_equal(solve(none, solver->id, 0, &stats), ASC_OUTCOME_OPTIMAL);
    assert_int_equal(stats.height, 0);
    assert_int_equal(solve(empty, solver->id, 0, &stats), ASC_OUTCOME_OPTIMAL);
    assert_int_equal(stats.height, 0);
    assert_int_equal(solve(one, solver->id, 8, &stats), ASC_OUTCOME_OPTIMAL);
    assert_int_equal(stats.height, 8);
    assert_int_equal(stats.max_depth, 1);
    bool proves = solver->complete || solver->refutes;
    asc_outcome expected = proves ? ASC_OUTCOME_INFEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
    CHECK(solve(one, solver->id, 7, &stats) == expected, "%s, one byte short: %s", solver->id,
          asc_outcome_id(stats.outcome));
    CHECK(solve(one, solver->id, 0, &stats) == expected, "%s, no room: %s", solver->id, asc_outcome_id(stats.outcome));
  }
  asc_problem_free(none);
  asc_problem_free(one);
  asc_problem_free(empty);
  test_context_end(context);
}

/* So far as a million steps go: csp has an address for each byte. */
static void solve_in_part(const asc_problem *problem, const char *solver) {
  asc_run_config config = asc_run_config_default(solver, ASC_MAX_BYTES);
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome;
  assert_int_equal(asc_run_step(run, 1u << 20, &outcome), ASC_OK);
  if (outcome != ASC_OUTCOME_RUNNING) test_sound_end(problem, run, ASC_MAX_BYTES, solver);
  asc_run_free(run);
}

/* Sizes, alignments, offsets and times at their limits: sums must not overflow anywhere (the sanitizer build watches). */
static void the_largest_numbers(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[5];
  for (int b = 0; b < 5; b++) specs[b] = test_spec(-ASC_MAX_BYTES + b, ASC_MAX_BYTES, ASC_MAX_BYTES / 8);
  asc_problem *plain = test_problem(context, specs, 5);
  specs[1].alignment = ASC_MAX_BYTES;
  specs[2].alignment = ASC_MAX_BYTES - 1;
  specs[3].hint = ASC_MAX_BYTES;
  asc_problem *aligned = test_problem(context, specs, 5);
  specs[0].offset = ASC_MAX_BYTES - specs[0].size;
  asc_problem *fixed = test_problem(context, specs, 5);
  asc_run_stats stats;
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    asc_outcome outcome = solve(plain, solver->id, ASC_MAX_BYTES, &stats);
    CHECK(outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL, "%s: %s", solver->id, asc_outcome_id(outcome));
    if (solver->supports & ASC_SUPPORTS_ALIGNMENT) solve_in_part(aligned, solver->id);
    if ((solver->supports & ASC_SUPPORTS_ALIGNMENT) && (solver->supports & ASC_SUPPORTS_FIXED))
      solve_in_part(fixed, solver->id);
  }
  asc_problem_free(plain);
  asc_problem_free(aligned);
  asc_problem_free(fixed);
  test_context_end(context);
}

/* A solver refuses exactly the problems that need what its table does not claim; a hint is never a reason. */
static void unsupported_is_what_the_table_says(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {5};
  test_shape shape = {.min_buffers = 1,
                      .max_buffers = 4,
                      .max_time = 6,
                      .max_size = 4,
                      .max_alignment = 2,
                      .max_fixed = 6,
                      .fixed = 15,
                      .gap = 20,
                      .window = 50,
                      .hint = 50,
                      .bank = 20};
  for (uint32_t k = 0; k < 200; k++) {
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    for (uint32_t s = 0; s < test_solver_count(); s++) {
      const asc_solver_info *solver = asc_solver_at(s);
      asc_run_config config = asc_run_config_default(solver->id, 100);
      if (test_needs(problem) & ~solver->supports) {
        asc_diag diag;
        asc_run *run = NULL;
        assert_int_equal(asc_run_new(asc_input_buffers(problem), &config, &run, &diag), ASC_UNSUPPORTED);
        assert_null(run);
        assert_true(diag.message[0]);
      } else {
        asc_run_free(test_run_new(problem, &config));
      }
    }
    asc_problem_free(problem);
  }
  test_context_end(context);
}

#define KINDS(X, T) \
  X(T, BOOL, flag, "Flag", "true", "Yes or no.") \
  X(T, CHOICE, fit, "Fit", "best", "first|best|worst", "One of three.") \
  X(T, INT, number, "Number", "7", -5, 50, "A number.") \
  X(T, TEXT, text, "Text", "WAT", "Any text.")
ASCI_OPTION_VALUES(kinds, KINDS);
ASCI_OPTION_TABLE(kinds, KINDS);

/* One list gives the table, the struct and the reading into it. */
static void a_list_of_options_says_all(void **state) {
  (void)state;
  const asci_option_table table = {"test", kinds_table, kinds_places, sizeof kinds_table / sizeof *kinds_table};
  const char *values[4];
  kinds got;
  assert_int_equal(table.count, 4);
  assert_string_equal(kinds_table[2].name, "number");
  assert_int_equal(kinds_table[2].min, -5);
  assert_string_equal(kinds_table[1].choices, "first|best|worst");
  assert_int_equal(asci_options_read(&table, NULL, 0, values, NULL), ASC_OK);
  asci_options_fill(&table, values, &got);
  assert_true(got.flag && got.fit == 1 && got.number == 7 && !strcmp(got.text, "WAT"));
  const asc_option_value given[] = {{"number", "-3"}, {"fit", "worst"}, {"flag", "off"}, {"text", ""}, {"number", "0050"}};
  assert_int_equal(asci_options_read(&table, given, 5, values, NULL), ASC_OK);
  asci_options_fill(&table, values, &got);
  assert_true(!got.flag && got.fit == 2 && got.number == 50 && !*got.text);
  assert_string_equal(asci_choice(kinds_table[1].choices, 2), "worst");
}

int run_config_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_bad_configurations),
      cmocka_unit_test(every_option_refuses_what_is_outside),
      cmocka_unit_test(minimalloc_takes_so_many_orders),
      cmocka_unit_test(solver_table_is_complete),
      cmocka_unit_test(no_buffers_and_no_room),
      cmocka_unit_test(the_largest_numbers),
      cmocka_unit_test(unsupported_is_what_the_table_says),
      cmocka_unit_test(a_list_of_options_says_all),
  };
  return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
