/* Generated problems: what each kind promises, and that a seed means the same problem everywhere. */
#include "support.h"

#include "generate/cut.h"

#include <stdlib.h>
#include <string.h>

static asc_problem *generate(asc_context *context, const char *kind, uint32_t n, uint64_t seed, int64_t *capacity) {
  asc_problem *problem = NULL;
  assert_int_equal(asc_generate(context, kind, n, seed, &problem, capacity), ASC_OK);
  assert_int_equal(asc_problem_count(problem), n);
  return problem;
}

static void test_every_kind(void **state) {
  (void)state;
  static const uint32_t counts[] = {1, 2, 3, 5, 7, 20, 41, 60, 400, 5000};
  const char *text = NULL;
  uint32_t kinds = 0;
  for (const char *kind; (kind = asc_generate_kind(kinds, &text)) != NULL; kinds++) {
    assert_true(strlen(text) > 0);
    for (size_t k = 0; k < COUNT(counts); k++) {
      asc_context *context = test_context();
      int64_t capacity = -1, again = -1;
      asc_problem *problem = generate(context, kind, counts[k], k, &capacity);
      asc_problem *same = generate(context, kind, counts[k], k, &again);
      asc_problem *other = generate(context, kind, counts[k], k + 1000, NULL);
      assert_int_equal(asc_problem_digest(problem), asc_problem_digest(same));
      assert_int_equal(capacity, again);
      assert_int_not_equal(asc_problem_digest(problem), asc_problem_digest(other));
      CHECK(capacity >= asc_problem_lower_bound(problem), "%s %u", kind, counts[k]);
      asc_problem_free(problem);
      asc_problem_free(same);
      asc_problem_free(other);
      test_context_end(context);
    }
  }
  assert_int_equal(kinds, 5);
  assert_null(asc_generate_kind(kinds, NULL));
}

static void test_microbenchmarks(void **state) {
  (void)state;
  asc_context *context = test_context();
  int64_t capacity;
  asc_problem *problem = generate(context, "non-overlapping", 1000, 1, &capacity);
  assert_int_equal(asc_problem_lower_bound(problem), capacity);
  int64_t *offsets = calloc(1000, sizeof *offsets);
  size_t count = 1;
  assert_int_equal(asc_validate(problem, offsets, capacity, NULL, 0, &count), ASC_OK);
  assert_int_equal(count, 0); /* all at 0: no two are alive together */
  asc_problem_free(problem);
  problem = generate(context, "full-overlap", 1000, 1, &capacity);
  assert_int_equal(asc_problem_section_count(problem), 1);
  assert_int_equal(asc_problem_lower_bound(problem), capacity);
  free(offsets);
  asc_problem_free(problem);
  test_context_end(context);
}

/* The pieces fill the rectangle: each cell is in exactly one. */
static void test_cut_fills_the_rectangle(void **state) {
  (void)state;
  enum { TIME = 40, UNITS = 30 };
  static asci_block blocks[TIME * UNITS];
  static const uint32_t counts[] = {1, 2, 4, 5, 6, 9, 20, 40, 60, 333, TIME * UNITS - 1, TIME * UNITS};
  asci_rng rng = {5};
  for (size_t k = 0; k < 20 * COUNT(counts); k++) {
    asc_context *context = test_context();
    uint32_t n = counts[k % COUNT(counts)];
    int owners[TIME][UNITS] = {{0}};
    assert_int_equal(asci_cut(context, &rng, TIME, UNITS, blocks, n), ASC_OK);
    for (uint32_t b = 0; b < n; b++) {
      assert_true(blocks[b].lower < blocks[b].upper && blocks[b].low < blocks[b].high);
      for (int64_t t = blocks[b].lower; t < blocks[b].upper; t++)
        for (int64_t u = blocks[b].low; u < blocks[b].high; u++) owners[t][u]++;
    }
    for (size_t t = 0; t < TIME; t++)
      for (size_t u = 0; u < UNITS; u++) assert_int_equal(owners[t][u], 1);
    test_context_end(context);
  }
}

/* Tight: the fullest section fills at least nine tenths of the capacity. Much overlap: over 225 problems a mean time has more than an
   eighth of the buffers alive. */
static void test_synthetic_is_tight(void **state) {
  (void)state;
  double share = 0;
  int problems = 0;
  for (uint32_t n = 20; n <= 60; n += 5)
    for (uint64_t seed = 0; seed < 25; seed++) {
      asc_context *context = test_context();
      int64_t capacity, live = 0, time = 0;
      asc_problem *problem = generate(context, "synthetic", n, seed, &capacity);
      const asc_section *sections = asc_problem_sections(problem);
      for (uint32_t s = 0; s < asc_problem_section_count(problem); s++) {
        live += (sections[s].upper - sections[s].lower) * sections[s].live;
        time += sections[s].upper - sections[s].lower;
      }
      CHECK(asc_problem_lower_bound(problem) * 100 >= capacity * 90, "n %u seed %u", n, (unsigned)seed);
      share += (double)live / (double)time / n;
      problems++;
      asc_problem_free(problem);
      test_context_end(context);
    }
  CHECK(share / problems > 0.125, "mean share alive %.3f", share / problems);
}

/* Pieces lie higher the more there are of them, and give up bytes for it. */
static void test_synthetic_as_large_as_there_is(void **state) {
  (void)state;
  asc_context *context = test_context();
  int64_t capacity;
  uint32_t n = test_is_sanitized() ? 950000 : ASC_MAX_BUFFERS;
  asc_problem *problem = generate(context, "synthetic", n, 1, &capacity);
  for (uint32_t b = 0; b < n; b++) assert_true(asc_problem_buffer(problem, b)->size > 0);
  assert_true(asc_problem_lower_bound(problem) <= capacity);
  asc_problem_free(problem);
  test_context_end(context);
}

static void test_bad_arguments(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_generate(context, "nothing", 4, 0, &problem, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_generate(context, "random", 0, 0, &problem, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_generate(context, "random", ASC_MAX_BUFFERS + 1, 0, &problem, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_generate(context, NULL, 4, 0, &problem, NULL), ASC_BAD_ARGUMENT);
  assert_null(problem);
  test_context_end(context);
}

/* Constants, so that a change of a generator is a decision: links and papers name problems by their seed. */
static void test_seeds_are_for_ever(void **state) {
  (void)state;
  static const struct {
    const char *kind;
    uint64_t digest;
  } known[] = {
      {"synthetic", UINT64_C(0x90109c910cd0c33d)},    {"network", UINT64_C(0x9886349eaa7126f0)},
      {"random", UINT64_C(0xa19b5db253fde347)},       {"non-overlapping", UINT64_C(0xcf3119ec172ba4ef)},
      {"full-overlap", UINT64_C(0x7ec6899ad26c946b)},
  };
  for (size_t k = 0; k < COUNT(known); k++) {
    asc_context *context = test_context();
    asc_problem *problem = generate(context, known[k].kind, 40, 7, NULL);
    uint64_t digest = asc_problem_digest(problem);
    CHECK(digest == known[k].digest, "%s: %016llx", known[k].kind, (unsigned long long)digest);
    asc_problem_free(problem);
    test_context_end(context);
  }
}

int run_generate_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_kind),
      cmocka_unit_test(test_microbenchmarks),
      cmocka_unit_test(test_synthetic_is_tight),
      cmocka_unit_test(test_cut_fills_the_rectangle),
      cmocka_unit_test(test_synthetic_as_large_as_there_is),
      cmocka_unit_test(test_bad_arguments),
      cmocka_unit_test(test_seeds_are_for_ever),
  };
  return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
