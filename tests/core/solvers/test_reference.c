/* Published instances. MiniMalloc is faithful to the program that was published: verdict, backtracks, height and offsets are equal, row by row.
 * Exact proves J's least height.
 *
 * Reads minimalloc-reference.csv and the instances that it names from the folder in the environment variable ARENASCOPE_BENCH;
 * without it the suite says so and has no tests. Rows: instance, flags ("" or one "--name=value"), outcome, backtracks, height, FNV-1a
 * hash of the offsets in file order as eight little-endian bytes each. The capacity is the number in the instance's name. */
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  char instance[80], name[40], value[40], outcome[16];
  uint64_t backtracks, hash;
  int64_t height;
} row;

/* Under a sanitizer the long rows take minutes; what they cover is covered by the short ones. */
enum { SANITIZED_BACKTRACKS = 4000 };

static const char *folder;

static char *read_file(const char *name, size_t *bytes) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return test_read_file(path, bytes);
}

/* Takes the text up to the next comma or the line's end; quotes around it are removed, commas inside them kept. */
static bool take_field(const char **at, char *field, size_t room) {
  bool quoted = **at == '"';
  size_t length = 0;
  if (quoted) ++*at;
  for (; **at && **at != '\n' && (quoted ? **at != '"' : **at != ','); ++*at) {
    if (length + 1 >= room) return false;
    field[length++] = **at;
  }
  field[length] = 0;
  if (quoted && *(*at)++ != '"') return false;
  if (**at == ',') ++*at;
  return true;
}

static void parse_row(const char *line, row *parsed) {
  char flags[80], backtracks[24], height[24], hash[24];
  bool ok = take_field(&line, parsed->instance, sizeof parsed->instance) && take_field(&line, flags, sizeof flags) &&
            take_field(&line, parsed->outcome, sizeof parsed->outcome) && take_field(&line, backtracks, sizeof backtracks) &&
            take_field(&line, height, sizeof height) && take_field(&line, hash, sizeof hash);
  char *equals = strchr(flags, '=');
  CHECK(ok && (!flags[0] || (equals && !strncmp(flags, "--", 2))), "a row cannot be read: %.60s", parsed->instance);
  parsed->name[0] = parsed->value[0] = 0;
  if (equals) {
    snprintf(parsed->name, sizeof parsed->name, "%.*s", (int)(equals - flags - 2), flags + 2);
    snprintf(parsed->value, sizeof parsed->value, "%.39s", equals + 1);
  }
  parsed->backtracks = strtoull(backtracks, NULL, 10);
  parsed->height = height[0] ? strtoll(height, NULL, 10) : -1;
  parsed->hash = strtoull(hash, NULL, 16);
}

/* FNV-1a but for its start value: the table was made with the number that lacks the last digit of the standard one. */
static uint64_t hash_offsets(const int64_t *offsets, uint32_t count) {
  uint64_t hash = UINT64_C(1469598103934665603);
  for (uint32_t b = 0; b < count; b++)
    for (int byte = 0; byte < 8; byte++) {
      hash ^= (uint64_t)offsets[b] >> (8 * byte) & 0xff;
      hash *= UINT64_C(1099511628211);
    }
  return hash;
}

static int64_t capacity_of(const char *instance) {
  const char *dot = strrchr(instance, '.');
  CHECK(dot, "%s has no capacity in its name", instance);
  return strtoll(dot + 1, NULL, 10);
}

static asc_csv *read_instance(asc_context *context, const char *instance) {
  char name[96];
  size_t bytes, errors = 0;
  snprintf(name, sizeof name, "%s.csv", instance);
  char *text = read_file(name, &bytes);
  asc_csv *csv = NULL;
  asc_diag diag;
  asc_status status = asc_csv_read(context, text, bytes, ASC_OFFSETS_FIXED, &csv, &diag, 1, &errors);
  CHECK(status == ASC_OK, "%s: line %u: %s %s", name, errors ? diag.line : 0, errors ? diag.field : "",
        errors ? diag.message : "");
  free(text);
  return csv;
}

/* True if the library's answer equals the row; says how it differs if not. */
static bool check_row(const row *expected, const asc_problem *problem) {
  test_options options = {.count = 0};
  if (expected->name[0]) test_option_set(&options, expected->name, expected->value);
  asc_run_config config = test_config("minimalloc", capacity_of(expected->instance), &options);
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome = test_finish(run);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  const char *verdict = outcome == ASC_OUTCOME_OPTIMAL ? "feasible" : asc_outcome_id(outcome);
  const int64_t *best = asc_run_best(run);
  uint64_t hash = best ? hash_offsets(best, asc_problem_count(problem)) : 0;
  bool same = !strcmp(verdict, expected->outcome) && stats.backtracks == expected->backtracks &&
              stats.height == expected->height && hash == expected->hash;
  if (!same)
    print_error("%s --%s=%s: %s, %" PRIu64 " backtracks, height %" PRId64 ", offsets %016" PRIx64 "; expected %s, %" PRIu64
                ", %" PRId64 ", %016" PRIx64 "\n",
                expected->instance, expected->name, expected->value, verdict, stats.backtracks, stats.height, hash,
                expected->outcome, expected->backtracks, expected->height, expected->hash);
  asc_run_free(run);
  return same;
}

static int by_effort(const void *left, const void *right) {
  const row *a = left, *b = right;
  return (a->backtracks > b->backtracks) - (a->backtracks < b->backtracks);
}

static uint32_t read_rows(row *rows, uint32_t room) {
  size_t bytes;
  uint32_t count = 0;
  char *text = read_file("minimalloc-reference.csv", &bytes);
  const char *line = strchr(text, '\n');
  for (; line && line[1]; line = strchr(line + 1, '\n')) {
    assert_true(count < room);
    parse_row(line + 1, &rows[count++]);
  }
  free(text);
  qsort(rows, count, sizeof *rows, by_effort);
  return count;
}

static void every_row_is_equal(void **state) {
  (void)state;
  enum { ROOM = 2000 };
  row *rows = calloc(ROOM, sizeof *rows);
  assert_non_null(rows);
  uint32_t count = read_rows(rows, ROOM), compared = 0, wrong = 0;
  asc_context *context = test_context();
  for (uint32_t k = 0; k < count; k++) {
    if (test_is_sanitized() && rows[k].backtracks > SANITIZED_BACKTRACKS) break;
    asc_csv *csv = read_instance(context, rows[k].instance);
    wrong += !check_row(&rows[k], asc_csv_problem(csv));
    compared++;
    asc_csv_free(csv);
  }
  printf("%u of %u rows compared, %u differ\n", compared, count, wrong);
  free(rows);
  assert_int_equal(wrong, 0);
  assert_true(compared > 0);
  test_context_end(context);
}

/* The last of the published ones whose least height was open: 165 boxes can be joined in two ways, of which one has a plan that is quickly found, so the
   first cycle must try both. */
static void exact_proves_the_least_height_of_j(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_csv *csv = read_instance(context, "minimalloc/J.1048576");
  test_options options = {.goal = ASC_GOAL_HEIGHT};
  for (uint64_t seed = 0; seed < (test_is_sanitized() ? 2u : 6u); seed++) {
    asc_run_config config = test_config("exact", 0, &options);
    config.seed = seed;
    config.budget = 20000;
    asc_run *run = test_run_new(asc_csv_problem(csv), &config);
    asc_outcome outcome = test_finish(run);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    CHECK(outcome == ASC_OUTCOME_OPTIMAL && stats.height == 989184, "seed %d: %s at %" PRId64 " after %" PRIu64 " steps",
          (int)seed, asc_outcome_id(outcome), stats.height, stats.steps);
    asc_run_free(run);
  }
  asc_csv_free(csv);
  test_context_end(context);
}

int run_reference_tests(void) {
  folder = getenv("ARENASCOPE_BENCH");
  if (!folder || !*folder) {
    printf("reference: left out, for ARENASCOPE_BENCH names no folder with minimalloc-reference.csv\n");
    return 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_is_equal),
                                     cmocka_unit_test(exact_proves_the_least_height_of_j)};
  return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
