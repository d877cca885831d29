/* Bounds by piles: how high two at odds with their banks must lie, and what looking for it may cost. */
#include "model/pile.h"
#include "support.h"

#include <stdlib.h>

static asc_buffer_spec aligned(int64_t size, int64_t alignment, int64_t bank) {
  asc_buffer_spec spec = test_spec(0, 1, size);
  spec.alignment = alignment;
  spec.bank = bank;
  return spec;
}

static bool suits(const asc_buffer_spec *spec, int64_t offset) {
  return offset % spec->alignment == 0 && (!spec->bank || offset % spec->bank + spec->size <= spec->bank);
}

/* Two of a kind: the second lies at the first offset above the first that suits it, one after the other tried. */
static void banks_beside_alignments(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (int64_t alignment = 1; alignment < 14; alignment++)
    for (int64_t bank = 0; bank < 20; bank++)
      for (int64_t size = 1; size <= (bank ? bank : 9); size++) {
        asc_buffer_spec spec = aligned(size, alignment, bank), specs[] = {spec, spec};
        asc_problem *problem = test_problem(context, specs, 2);
        int64_t at = size, bound = 0;
        uint32_t section = ASC_NONE;
        while (!suits(&spec, at)) at++;
        int64_t least = at + size;
        for (int64_t above = 2 * size; above <= least; above++) {
          assert_int_equal(asci_pile_bound(context, problem, above, &bound, &section), ASC_OK);
          CHECK(bound == (above < least ? least : 0), "size %d, alignment %d, bank %d: %d above %d", (int)size,
                (int)alignment, (int)bank, (int)bound, (int)above);
        }
        asc_problem_free(problem);
      }
  test_context_end(context);
}

/* Beside one with so many gaps three live that pile up high, in a section of less load than all that come before it. */
static uint32_t section_behind_gaps(uint32_t gaps) {
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 2 * (int64_t)gaps + 1, 64), aligned(10, 4, 0), aligned(10, 4096, 0),
                             aligned(10, 4096, 0)};
  asc_gap *apart = calloc(gaps, sizeof *apart);
  assert_non_null(apart);
  for (uint32_t k = 0; k < gaps; k++) apart[k] = (asc_gap){2 * (int64_t)k + 1, 2 * (int64_t)k + 2, 0, 0};
  specs[0].gaps = apart;
  specs[0].gap_count = gaps;
  specs[1].upper = specs[0].upper;
  for (uint32_t b = 2; b < 4; b++) specs[b].lower = 1, specs[b].upper = 2;
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  int64_t bound = 0;
  uint32_t section = ASC_NONE;
  assert_int_equal(asci_pile_bound(context, problem, 100, &bound, &section), ASC_OK);
  assert_int_equal(bound, section == ASC_NONE ? 0 : 4096 + 10);
  asc_problem_free(problem);
  test_context_end(context);
  free(apart);
  return section;
}

/* Each section costs as many looks as halving a buffer's pieces takes, some twenty here, and there are two million. */
static void gaps_are_counted(void **state) {
  (void)state;
  assert_int_equal(section_behind_gaps(60000), 1);
  assert_int_equal(section_behind_gaps(130000), ASC_NONE);
}

/* Two take a table of four subsets, whatever sixteen would take. */
static void small_piles_take_little(void **state) {
  (void)state;
  test_memory memory = {0};
  asc_context *context = test_context_on(&memory);
  asc_buffer_spec spec = aligned(5, 4, 0), specs[] = {spec, spec};
  asc_problem *problem = test_problem(context, specs, 2);
  int64_t bound = 0;
  uint32_t section = ASC_NONE;
  memory.watched = context;
  size_t before = asc_context_bytes(context);
  assert_int_equal(asci_pile_bound(context, problem, 10, &bound, &section), ASC_OK);
  assert_int_equal(bound, 13);
  CHECK(memory.most_bytes - before < 1 << 12, "%zu bytes", memory.most_bytes - before);
  int64_t proven = -1;
  static const char text[] = "arenascope-proof 1\nbuffers 2\nwithin 12\nlemma 1 0:0 1:0 p0\nnone 12 L1\n";
  memory.most_bytes = 0;
  assert_int_equal(asc_proof_check(context, problem, text, sizeof text - 1, &proven, NULL), ASC_OK);
  assert_int_equal(proven, 12);
  CHECK(memory.most_bytes - before < 1 << 18, "%zu bytes", memory.most_bytes - before); /* most of it heights of sums */
  asc_problem_free(problem);
  test_context_end(context);
}

int run_pile_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(banks_beside_alignments),
      cmocka_unit_test(gaps_are_counted),
      cmocka_unit_test(small_piles_take_little),
  };
  return cmocka_run_group_tests_name("pile", tests, NULL, NULL);
}
