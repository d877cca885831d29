/* Banks: what the model takes, that all solvers honour it, and the next offset that suits an alignment and a bank. */
#include "model/bank.h"
#include "support.h"

#include "model/problem.h"

#include <string.h>

/* size, alignment, fixed offset, bank */
#define BANK(size, alignment, offset, banked) \
  { "x", 0, 8, size, alignment, offset, ASC_UNPLACED, .bank = banked }

/* A bank's end and its beginning belong to the buffers inside; a buffer of size 0 has no inside. */
static void keeps_banks(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {BANK(4, 1, -1, 4),
                                   BANK(4, 1, 4, 8),
                                   BANK(4, 4, 8, 8),
                                   BANK(0, 1, 8, 8),
                                   BANK(0, 1, 3, 1),
                                   BANK(4, 1, 6, 0),
                                   BANK(1, 1, ASC_MAX_BYTES - 1, ASC_MAX_BYTES),
                                   BANK(0, 1, ASC_MAX_BYTES, ASC_MAX_BYTES)};
  for (uint32_t k = 0; k < COUNT(specs); k++) {
    asc_problem *problem = test_problem(context, &specs[k], 1);
    assert_int_equal(asc_problem_buffer(problem, 0)->bank, specs[k].bank);
    assert_int_equal(problem->has_banks, specs[k].bank != 0);
    asc_problem_free(problem);
  }
  for (int64_t bank = 1; bank < 9; bank++)
    for (int64_t offset = 0; offset < 20; offset++)
      for (int64_t size = 0; size <= bank; size++) {
        bool inside = true;
        for (int64_t multiple = 0; multiple < 40; multiple += bank)
          inside &= multiple <= offset || multiple >= offset + size;
        assert_int_equal(asci_in_one_bank(offset, size, bank), inside);
        asc_buffer_spec spec = BANK(size, 1, offset, bank);
        asc_problem *problem = NULL;
        assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
        assert_int_equal(asc_problem_add(problem, &spec, NULL), inside ? ASC_OK : ASC_BAD_INPUT);
        asc_problem_free(problem);
      }
  test_context_end(context);
}

static asc_run *run_on(const asc_problem *problem, const char *solver, int64_t capacity) {
  asc_run_config config = asc_run_config_default(solver, capacity);
  asc_run *run = test_run_new(problem, &config);
  test_finish(run);
  return run;
}

/* Three buffers of five bytes in banks of eight: each needs a bank of its own, whoever places them. meta-csp's distances know no banks, and it says so. */
static void every_solver_honours_banks(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec spec = BANK(5, 1, ASC_UNPLACED, 8);
  asc_buffer_spec specs[] = {spec, spec, spec, spec};
  const char *ids[] = {"a", "b", "c", "loose"};
  for (uint32_t k = 0; k < 4; k++) specs[k].id = ids[k];
  specs[3].bank = 0;
  specs[3].size = 3;
  asc_problem *problem = test_problem(context, specs, 4);
  assert_int_equal(test_needs(problem), ASC_SUPPORTS_BANKS);
  for (uint32_t s = 0; s < test_solver_count(); s++) {
    const asc_solver_info *solver = asc_solver_at(s);
    bool takes_them = solver->supports & ASC_SUPPORTS_BANKS;
    CHECK(takes_them == (strcmp(solver->id, "meta-csp") != 0), "%s", solver->id);
    if (!takes_them) continue;
    asc_run *run = run_on(problem, solver->id, 64);
    const int64_t *best = asc_run_best(run);
    CHECK(best && best[0] / 8 != best[1] / 8 && best[1] / 8 != best[2] / 8 && best[0] / 8 != best[2] / 8, "%s", solver->id);
    CHECK(asc_height(problem, best) >= 21, "%s", solver->id);
    asc_run_free(run);
    if (!solver->complete) continue;
    run = run_on(problem, solver->id, 20);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    CHECK(stats.outcome == ASC_OUTCOME_INFEASIBLE, "%s", solver->id);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* Tenants of one slot with banks that have little in common: the slot begins where all of their banks do. */
static void slots_suit_all_their_tenants(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {{"under", 0, 8, 1, 1, ASC_UNPLACED, ASC_UNPLACED, .bank = 0},
                             {"a", 0, 4, 6, 1, ASC_UNPLACED, ASC_UNPLACED, .bank = 6},
                             {"b", 4, 8, 7, 1, ASC_UNPLACED, ASC_UNPLACED, .bank = 10}};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  asc_run *run = run_on(problem, "shared-objects", 64);
  const int64_t *best = asc_run_best(run);
  assert_non_null(best);
  assert_int_equal(best[1], best[2]);
  assert_int_equal(best[1] % 30, 0);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- the next offset ------------------------------------------------------------------------------------------------- */

static bool suits(int64_t offset, int64_t size, int64_t alignment, int64_t bank) {
  return offset % alignment == 0 && asci_in_one_bank(offset, size, bank);
}

static void least_offset_is_the_first_that_suits(void **state) {
  (void)state;
  for (int64_t alignment = 1; alignment <= 14; alignment++)
    for (int64_t bank = 1; bank <= 14; bank++)
      for (int64_t size = 0; size <= bank; size++)
        for (int64_t from = 0, next = 0; from <= 200;
             from++) { /* 0 suits, and what suits comes again after bank * alignment */
          if (next < from) next = from;
          while (!suits(next, size, alignment, bank)) next++;
          CHECK(asci_least_offset(from, size, alignment, bank) == next, "from %d, size %d, alignment %d, bank %d", (int)from,
                (int)size, (int)alignment, (int)bank);
        }
  assert_int_equal(asci_least_offset(13, 9, 4, 0), 16);
}

static void greatest_offset_is_the_last_that_suits(void **state) {
  (void)state;
  for (int64_t alignment = 1; alignment <= 14; alignment++)
    for (int64_t bank = 0; bank <= 14; bank++)
      for (int64_t size = 0; size <= (bank ? bank : 3); size++)
        for (int64_t upto = -1, last = -1; upto <= 200; upto++) {
          if (upto >= 0 && suits(upto, size, alignment, bank)) last = upto;
          CHECK(asci_greatest_offset(upto, size, alignment, bank) == last, "up to %d, size %d, alignment %d, bank %d",
                (int)upto, (int)size, (int)alignment, (int)bank);
        }
  const int64_t a = INT64_C(67108859), b = INT64_C(67108837), most = ASC_MAX_BYTES;
  assert_int_equal(asci_greatest_offset(3 * a * b / 2, b, a, b), a * b);
  assert_int_equal(asci_greatest_offset(a * b - 1, b, a, b), 0);
  assert_int_equal(asci_greatest_offset(most, most, most, most), most);
}

/* Random numbers of all magnitudes, multiples tried one by one as far as that goes. */
static void least_offset_of_large_numbers(void **state) {
  (void)state;
  asci_rng rng = {23};
  uint32_t cases = test_cases(20000), found = 0, far = 0;
  for (uint32_t k = 0; k < cases; k++) {
    int64_t alignment = asci_random_between(&rng, 1, INT64_C(1) << asci_random_below(&rng, 53));
    int64_t bank = asci_random_between(&rng, 1, INT64_C(1) << asci_random_below(&rng, 53));
    int64_t size =
        bank - asci_random_between(&rng, 0, bank < 4 ? bank : bank / (1 + (int64_t)asci_random_below(&rng, 4096)));
    int64_t from = asci_random_between(&rng, 0, INT64_C(1) << asci_random_below(&rng, 54));
    if (from > ASC_MAX_BYTES) from = ASC_MAX_BYTES;
    int64_t got = asci_least_offset(from, size, alignment, bank), at = asci_align(from, alignment);
    uint32_t tried = 0;
    for (; tried < 5000 && at <= ASC_MAX_BYTES && !suits(at, size, alignment, bank); tried++) at += alignment;
    if (tried < 5000)
      CHECK(got == (at <= ASC_MAX_BYTES ? at : ASCI_NOWHERE), "case %u", k);
    else
      CHECK(got == ASCI_NOWHERE || (got >= at && got <= ASC_MAX_BYTES && suits(got, size, alignment, bank)), "case %u", k);
    found += got != ASCI_NOWHERE;
    far += tried == 5000 && got != ASCI_NOWHERE;
  }
  CHECK(found > cases / 4 && found < cases && far > cases / 100, "%u found, %u far", found, far);
}

/* Where trying bank after bank would take longest, or leave the range of numbers. */
static void least_offset_of_awkward_pairs(void **state) {
  (void)state;
  const int64_t a = INT64_C(67108859), b = INT64_C(67108837), most = ASC_MAX_BYTES; /* no common divisor; 3 * a * b > 2^53 */
  assert_int_equal(asci_least_offset(1, b, a, b), a * b);
  assert_int_equal(asci_least_offset(a * b, b, a, b), a * b);
  assert_int_equal(asci_least_offset(a * b + 1, b, a, b), 2 * a * b);
  assert_true(asci_least_offset(2 * a * b + 1, b, a, b) == ASCI_NOWHERE);
  assert_true(asci_least_offset(1, most - 2, most - 1, most - 2) == ASCI_NOWHERE);
  assert_int_equal(asci_least_offset(0, most, most, most), 0);
  assert_int_equal(asci_least_offset(1, most, most, most), most);
  assert_int_equal(asci_least_offset(most, 0, 1, 1), most);
  assert_true(asci_least_offset(most + 1, 0, 1, 0) == ASCI_NOWHERE);
}

int run_bank_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_banks),
      cmocka_unit_test(every_solver_honours_banks),
      cmocka_unit_test(slots_suit_all_their_tenants),
      cmocka_unit_test(least_offset_is_the_first_that_suits),
      cmocka_unit_test(greatest_offset_is_the_last_that_suits),
      cmocka_unit_test(least_offset_of_large_numbers),
      cmocka_unit_test(least_offset_of_awkward_pairs),
  };
  return cmocka_run_group_tests_name("bank", tests, NULL, NULL);
}
