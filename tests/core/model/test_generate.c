/* Generated problems: what each kind promises, and that a seed means the same problem everywhere. */
#include "support.h"

#include "generate/draw.h"
#include "generate/maker.h"

#include <math.h>
#include <stdio.h>
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
  assert_int_equal(kinds, 9);
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

/* ---- sizes ---- */

enum { DRAWS = 200000 };

/* Shares of the draws, within five standard deviations. */
static void is_share(const char *what, uint32_t count, double share) {
  double wanted = share * DRAWS, most = 5 * sqrt(wanted * (1 - share));
  CHECK(fabs(count - wanted) <= most, "%s: %u of %d, expected %.0f +- %.0f", what, count, DRAWS, wanted, most);
}

static void test_log_uniform(void **state) {
  (void)state;
  asci_powers powers;
  asci_powers_make(&powers);
  asci_rng rng = {11};
  uint32_t octaves[18] = {0};
  for (int k = 0; k < DRAWS; k++) {
    int64_t x = asci_draw_log_uniform(&rng, &powers, 6, 24);
    assert_in_range(x, 64, (1 << 24) - 1);
    octaves[asci_log2(&powers, (uint64_t)x) / ASCI_POWER_STEPS - 6]++;
  }
  for (size_t k = 0; k < COUNT(octaves); k++) is_share("octave", octaves[k], 1.0 / 18);
}

static void test_pareto(void **state) {
  (void)state;
  static const int32_t exponents[] = {5, 7, 10, 11, 15};
  asci_powers powers;
  asci_powers_make(&powers);
  for (size_t e = 0; e < COUNT(exponents); e++) {
    asci_rng rng = {e};
    uint32_t above[40] = {0};
    double whole = 1 - pow(2, -exponents[e] / 10.0 * 10);
    for (int k = 0; k < DRAWS; k++) {
      int64_t x = asci_draw_pareto(&rng, &powers, exponents[e], 8, 18);
      assert_in_range(x, 256, (1 << 18) - 1);
      /* in quarters of octaves, so that gaps inside an octave would show */
      for (int q = 0; q < 40 && (double)x >= 256 * pow(2, q / 4.0); q++) above[q]++;
    }
    for (int q = 1; q < 40; q++) is_share("above", above[q], (pow(2, -exponents[e] / 10.0 * q / 4) - (1 - whole)) / whole);
  }
}

/* ---- mixes of lifetimes ---- */

static asci_maker made(asc_context *context, asc_status (*make)(asci_maker *m), uint32_t n) {
  asci_maker m = {.context = context, .rng = {3}, .n = n, .blocks = malloc(n * sizeof *m.blocks)};
  assert_non_null(m.blocks);
  assert_int_equal(make(&m), ASC_OK);
  return m;
}

/* As made, before the shuffle: parameters, activations each inside the one before, what lasts, temporaries. */
static void is_mixed(const asci_maker *m, int64_t greatest) {
  int64_t end = 0;
  uint32_t temporaries = 0, parameters = 0, n = m->n;
  for (uint32_t b = 0; b < n; b++)
    if (m->blocks[b].upper > end) end = m->blocks[b].upper;
  for (uint32_t b = 0; b < n; b++) {
    const asci_block *block = &m->blocks[b];
    assert_true(block->lower >= 0 && block->lower < block->upper);
    assert_true(block->low == 0 && block->high >= 256 && block->high <= greatest && block->high % 64 == 0);
    temporaries += block->upper - block->lower <= 8;
    parameters += block->lower == 0 && block->upper == end;
  }
  assert_int_equal(temporaries, n / 10 * 9);
  assert_int_equal(parameters, n / 200);
  for (uint32_t b = parameters + 1; b < parameters + n / 1000 * 13; b++) {
    assert_true(m->blocks[b - 1].lower < m->blocks[b].lower);
    assert_true(m->blocks[b].upper < m->blocks[b - 1].upper);
  }
}

static void test_heavy_tailed(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_maker m = made(context, asci_make_heavy_tailed, 100000);
  is_mixed(&m, 4 << 20);
  int64_t whole = 0, large = 0;
  for (uint32_t b = 0; b < m.n; b++) {
    whole += m.blocks[b].high;
    if (m.blocks[b].high > 256 * 720) large += m.blocks[b].high; /* 720^-0.7 is a hundredth */
  }
  CHECK(2 * large > whole, "%lld of %lld bytes", (long long)large, (long long)whole);
  free(m.blocks);
  test_context_end(context);
}

static void test_powers_of_two(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_maker m = made(context, asci_make_powers_of_two, 100000);
  is_mixed(&m, 512 << 10);
  uint32_t powers = 0;
  for (uint32_t b = 0; b < m.n; b++) powers += (m.blocks[b].high & (m.blocks[b].high - 1)) == 0;
  CHECK(powers > 80000 && powers < 90000, "%u are powers of two", powers);
  free(m.blocks);
  test_context_end(context);
}

/* Each twentieth of the time but the first and the last has about as much alive as the mean of them. */
static void test_stationary(void **state) {
  (void)state;
  enum { PARTS = 20 };
  asc_context *context = test_context();
  int64_t capacity, alive[PARTS] = {0}, sum = 0;
  asc_problem *problem = generate(context, "stationary", 100000, 5, &capacity);
  const asc_section *sections = asc_problem_sections(problem);
  uint32_t count = asc_problem_section_count(problem);
  int64_t end = sections[count - 1].upper;
  for (uint32_t s = 0; s < count; s++) {
    assert_true(sections[s].live <= 100);
    alive[sections[s].lower * PARTS / end] += (sections[s].upper - sections[s].lower) * sections[s].live;
  }
  for (int k = 1; k < PARTS - 1; k++) sum += alive[k] / (PARTS - 2);
  for (int k = 1; k < PARTS - 1; k++)
    CHECK(llabs(alive[k] - sum) < sum / 10, "part %d: %lld, mean %lld", k, (long long)alive[k], (long long)sum);
  asc_problem_free(problem);
  test_context_end(context);
}

static const asc_buffer_spec *named(const asc_problem *problem, const char *format, uint32_t op, uint32_t batch) {
  char id[32];
  snprintf(id, sizeof id, format, op, batch);
  uint32_t b = asc_problem_find(problem, id);
  CHECK(b != ASC_NONE, "no %s", id);
  return asc_problem_buffer(problem, b);
}

static void test_training(void **state) {
  (void)state;
  enum { OPERATORS = 200, BATCHES = 4 };
  asc_context *context = test_context();
  asc_problem *problem = generate(context, "training", OPERATORS * (3 + BATCHES * 8), 5, NULL);
  int64_t end = named(problem, "op0.weight", 0, 0)->upper;
  for (uint32_t op = 0; op < OPERATORS; op++) {
    const asc_buffer_spec *weight = named(problem, "op%u.weight", op, 0), *kept = named(problem, "op%u.state", op, 0);
    const asc_buffer_spec *summed = named(problem, "op%u.weight-gradient", op, 0);
    assert_true(weight->lower == 0 && weight->upper == end && kept->lower == 0 && kept->upper == end);
    assert_true(kept->size == 2 * weight->size && summed->size == weight->size);
    for (uint32_t batch = 0; batch < BATCHES; batch++) {
      const asc_buffer_spec *output = named(problem, "op%u.output.%u", op, batch);
      const asc_buffer_spec *gradient = named(problem, "op%u.gradient.%u", op, batch);
      assert_int_equal(output->size, named(problem, "op%u.output.%u", op, 0)->size);
      assert_int_equal(gradient->size, output->size);
      assert_int_equal(gradient->upper, output->upper); /* its own backward pass ends both */
      assert_true(summed->lower < output->upper && summed->upper > output->upper);
      if (op == 0) continue;
      const asc_buffer_spec *before = named(problem, "op%u.output.%u", op - 1, batch);
      assert_true(before->lower < output->lower && output->upper < before->upper);
    }
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* Made for first fit with many alive at once. */
static void test_training_has_many_alive(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = generate(context, "training", 62000, 1, NULL);
  uint32_t most = 0;
  for (uint32_t s = 0; s < asc_problem_section_count(problem); s++)
    if (asc_problem_sections(problem)[s].live > most) most = asc_problem_sections(problem)[s].live;
  CHECK(most > 8500 && most < 9500, "%u alive", most);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- the extremes ---- */

/* As many as there may be, of each kind that is made for it. */
static void test_profiles_as_large_as_there_is(void **state) {
  (void)state;
  static const char *const kinds[] = {"training", "heavy-tailed", "powers-of-two", "stationary"};
  uint32_t n = test_is_sanitized() ? 100000 : ASC_MAX_BUFFERS;
  for (size_t k = 0; k < COUNT(kinds); k++) {
    asc_context *context = test_context();
    int64_t capacity;
    asc_problem *problem = generate(context, kinds[k], n, 1, &capacity);
    for (uint32_t b = 0; b < n; b++) assert_true(asc_problem_buffer(problem, b)->size > 0);
    assert_int_equal(asc_problem_lower_bound(problem), capacity);
    asc_problem_free(problem);
    test_context_end(context);
  }
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
      {"full-overlap", UINT64_C(0x7ec6899ad26c946b)}, {"training", UINT64_C(0x836b26fb919c2350)},
      {"heavy-tailed", UINT64_C(0x0bc2fc2f5998b712)}, {"powers-of-two", UINT64_C(0x399b5efe52bc817e)},
      {"stationary", UINT64_C(0x08e56a0d34898af5)},
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
      cmocka_unit_test(test_log_uniform),
      cmocka_unit_test(test_pareto),
      cmocka_unit_test(test_heavy_tailed),
      cmocka_unit_test(test_powers_of_two),
      cmocka_unit_test(test_stationary),
      cmocka_unit_test(test_training),
      cmocka_unit_test(test_training_has_many_alive),
      cmocka_unit_test(test_profiles_as_large_as_there_is),
      cmocka_unit_test(test_synthetic_as_large_as_there_is),
      cmocka_unit_test(test_bad_arguments),
      cmocka_unit_test(test_seeds_are_for_ever),
  };
  return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
