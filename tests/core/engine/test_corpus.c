/* Small files with a known answer: tests/corpus/index.csv names each with its least capacity. Every solver is asked at that capacity and
 * one byte below it; complete ones must answer, under every single switch, and no one may contradict. */
#include "brute.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
  char file[200];
  int64_t least; /* -1: infeasible at every capacity */
  asc_csv *csv;
  const asc_problem *problem;
} entry;

static char *read_file(const char *name, size_t *bytes) {
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/corpus/%s", ASC_SOURCE_DIR, name);
  return test_read_file(path, bytes);
}

static void open_entry(asc_context *context, const char *line, entry *e) {
  char least[24];
  size_t bytes, errors = 0;
  CHECK(sscanf(line, "%199[^,],%23s", e->file, least) == 2, "a line of the index cannot be read: %.60s", line);
  e->least = strcmp(least, "none") ? strtoll(least, NULL, 10) : -1;
  char *text = read_file(e->file, &bytes);
  asc_diag diag;
  asc_status status = asc_csv_read(context, text, bytes, ASC_OFFSETS_FIXED, &e->csv, &diag, 1, &errors);
  CHECK(status == ASC_OK, "%s: line %u: %s %s", e->file, errors ? diag.line : 0, errors ? diag.field : "",
        errors ? diag.message : "");
  e->problem = asc_csv_problem(e->csv);
  free(text);
}

/* The index is right, says the oracle, where the problem is small enough for it. */
static bool ask_oracle(const entry *e) {
  if (asc_problem_count(e->problem) > 7 || e->least > 40) return false;
  for (uint32_t b = 0; b < asc_problem_count(e->problem); b++)
    if (asc_problem_buffer(e->problem, b)->upper > BRUTE_TIMES) return false;
  CHECK(brute_least_height(e->problem, 40) == e->least, "%s: the oracle says %d, the index %d", e->file,
        (int)brute_least_height(e->problem, 40), (int)e->least);
  return true;
}

/* The least height is asked for, whatever the capacity. */
static void check_least(const entry *e, const asc_run *run, const asc_solver_info *solver, const test_options *options) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  bool optimal = stats.outcome == ASC_OUTCOME_OPTIMAL;
  test_sound_least(e->problem, run, e->file);
  if (!solver->complete && !optimal) {
    CHECK(stats.height < 0 || (e->least >= 0 && stats.height >= e->least), "%s, %s %s: height %d below %d", e->file,
          solver->id, test_options_text(options), (int)stats.height, (int)e->least);
    return;
  }
  CHECK(optimal || stats.outcome == ASC_OUTCOME_INFEASIBLE, "%s, %s %s: %s", e->file, solver->id, test_options_text(options),
        asc_outcome_id(stats.outcome));
  CHECK(optimal ? stats.height == e->least : e->least < 0, "%s, %s %s: %s at %d, expected %d", e->file, solver->id,
        test_options_text(options), asc_outcome_id(stats.outcome), (int)stats.height, (int)e->least);
}

static void ask(const entry *e, const asc_solver_info *solver, int64_t capacity, const test_options *options) {
  asc_run_config config = test_config(solver->id, capacity, options);
  config.budget = 3000000;
  asc_run *run = test_run_new(e->problem, &config);
  asc_outcome outcome = test_finish(run);
  if (test_minimises(options)) {
    check_least(e, run, solver, options);
    asc_run_free(run);
    return;
  }
  bool feasible = e->least >= 0 && capacity >= e->least;
  bool found = outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL;
  CHECK(!found || feasible, "%s at %d, %s %s: a plan", e->file, (int)capacity, solver->id, test_options_text(options));
  CHECK(outcome != ASC_OUTCOME_INFEASIBLE || !feasible, "%s at %d, %s %s: a proof", e->file, (int)capacity, solver->id,
        test_options_text(options));
  bool windows = test_needs(e->problem) & ASC_SUPPORTS_WINDOWS;
  if (solver->complete && !options->count && !windows)
    CHECK(found == feasible && (found || outcome == ASC_OUTCOME_INFEASIBLE), "%s at %d, %s: %s", e->file, (int)capacity,
          solver->id, asc_outcome_id(outcome));
  test_sound_end(e->problem, run, capacity, e->file);
  asc_run_free(run);
}

static uint32_t ask_everyone(const entry *e) {
  int64_t capacity = e->least < 0 ? 60 : e->least;
  uint32_t asked = 0;
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    if (test_needs(e->problem) & ~solver->supports) continue;
    test_options options = {.count = 0};
    ask(e, solver, capacity, &options);
    if (capacity) ask(e, solver, capacity - 1, &options);
    for (uint32_t k = 0; k < test_single_count(solver); k++) {
      test_single(solver, k, &options);
      ask(e, solver, capacity, &options);
      if (capacity) ask(e, solver, capacity - 1, &options);
    }
    asked++;
  }
  return asked;
}

static void known_answers(void **state) {
  (void)state;
  asc_context *context = test_context();
  size_t bytes;
  uint32_t files = 0, known = 0;
  char *index = read_file("index.csv", &bytes);
  for (char *line = strtok(index, "\n"); line; line = strtok(NULL, "\n")) {
    if (*line == '#') continue;
    entry e = {.least = 0};
    open_entry(context, line, &e);
    known += ask_oracle(&e);
    CHECK(ask_everyone(&e) > 0, "%s: no solver takes it", e.file);
    asc_csv_free(e.csv);
    files++;
  }
  printf("%u files, %u of them settled by the oracle too\n", files, known);
  assert_true(files > 0 && known > 0);
  free(index);
  test_context_end(context);
}

int run_corpus_tests(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers)};
  return cmocka_run_group_tests_name("corpus", tests, NULL, NULL);
}
