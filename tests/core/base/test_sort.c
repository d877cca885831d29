/* Sorts by digits against the sort by comparison and against the definition: stable, in order, the same items. And what is sorted by: where each
 * buffer meets the greatest load, against a look at every section of its life. */
#include "support.h"

#include "base/sort.h"
#include "model/lifespan/peaks.h"
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

static bool is_less(const void *keys, uint32_t a, uint32_t b) {
  const int64_t *key = keys;
  return key[a] < key[b];
}

/* Numbers whose differing bits lie low, high, everywhere, or nowhere. */
static int64_t drawn(asci_rng *rng, uint32_t kind) {
  uint64_t random = asci_random(rng);
  switch (kind) {
  case 0:
    return (int64_t)(random % 1000) - 500;
  case 1:
    return (int64_t)(random & UINT64_C(0xfff0000000000000));
  case 2:
    return (int64_t)(random & UINT64_C(0x8000000000100001));
  case 3:
    return -7;
  default:
    return (int64_t)random;
  }
}

static void check_sorts(asci_rng *rng, uint32_t kind, uint32_t count) {
  int64_t *key = malloc((count + 1) * sizeof *key), *numbers = malloc((count + 1) * sizeof *numbers);
  int64_t *room = malloc((2 * count + 1) * sizeof *room);
  uint32_t *items = malloc((count + 1) * sizeof *items), *expected = malloc((count + 1) * sizeof *expected);
  uint32_t *scratch = malloc((count + 1) * sizeof *scratch);
  assert_true(key && numbers && room && items && expected && scratch);
  for (uint32_t k = 0; k < count; k++) {
    numbers[k] = key[k] = drawn(rng, kind);
    items[k] = expected[k] = count - 1 - k;
  }
  asci_sort(expected, scratch, count, is_less, key);
  asci_sort_by(items, room, count, key);
  asci_sort_numbers(numbers, room, count);
  CHECK(memcmp(items, expected, count * sizeof *items) == 0, "kind %u, %u items", kind, count);
  for (uint32_t k = 0; k < count; k++) CHECK(numbers[k] == key[expected[k]], "kind %u, %u numbers", kind, count);
  for (uint32_t k = 1; k < count; k++) {
    int64_t before = key[expected[k - 1]], after = key[expected[k]];
    CHECK(before < after || (before == after && expected[k - 1] > expected[k]), "kind %u, %u items", kind, count);
  }
  free(key);
  free(numbers);
  free(room);
  free(items);
  free(expected);
  free(scratch);
}

static void digits_sort_as_comparisons_do(void **state) {
  (void)state;
  static const uint32_t counts[] = {0, 1, 2, 3, 32, 33, 100, 2047, 2048, 5000};
  asci_rng rng = {11};
  for (uint32_t kind = 0; kind < 5; kind++)
    for (uint32_t k = 0; k < COUNT(counts); k++) check_sorts(&rng, kind, counts[k]);
}

static uint32_t naive_peak(const asc_problem *problem, uint32_t buffer) {
  uint32_t best = ASC_NONE;
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++)
    for (uint32_t s = problem->pieces[p].first; s < problem->pieces[p].end; s++)
      if (best == ASC_NONE || problem->sections[s].load > problem->sections[best].load) best = s;
  return best;
}

static void peaks_are_the_first_greatest_loads(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {12};
  uint32_t cases = test_cases(300);
  for (uint32_t round = 0; round < cases; round++) {
    test_shape shape = {.min_buffers = 1,
                        .max_buffers = 120,
                        .max_time = 8 + 40 * (round % 20), /* from less than a block of sections to a tree of them */
                        .max_size = 4,
                        .max_alignment = 1,
                        .zero = 5,
                        .gap = round % 3 * 20};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    uint32_t peak[120];
    assert_int_equal(asci_peaks(problem, peak), ASC_OK);
    for (uint32_t b = 0; b < problem->count; b++) CHECK(peak[b] == naive_peak(problem, b), "round %u, buffer %u", round, b);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

int run_sort_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(digits_sort_as_comparisons_do),
      cmocka_unit_test(peaks_are_the_first_greatest_loads),
  };
  return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
