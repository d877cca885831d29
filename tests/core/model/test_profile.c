/* Accelerator profiles: the table that is made from the data, and what applying one does to a problem. */
#include "support.h"

#include "model/problem.h"

#include <string.h>

static asc_profile memory(int64_t alignment, asc_align_by by, int64_t bank, bool may_cross) {
  return (asc_profile){
      .id = "x", .capacity = 1024, .alignment = alignment, .align_by = by, .bank = bank, .may_cross = may_cross};
}

static void table_is_sound(void **state) {
  (void)state;
  assert_true(asc_profile_count() >= 64);
  for (uint32_t k = 0; k < asc_profile_count(); k++) {
    const asc_profile *profile = asc_profile_at(k);
    CHECK(asc_profile_find(profile->id) == profile, "%s", profile->id);
    CHECK(k == 0 || strcmp(asc_profile_at(k - 1)->id, profile->id) < 0, "%s", profile->id);
    CHECK(*profile->title && *profile->vendor, "%s", profile->id);
    CHECK(profile->reserved < profile->capacity || profile->capacity == 0, "%s", profile->id);
    CHECK(profile->alignment >= 1 && profile->cores >= 1, "%s", profile->id);
    CHECK(profile->bank == 0 || profile->capacity % profile->bank == 0, "%s", profile->id);
    CHECK(profile->may_cross || profile->bank > 0, "%s", profile->id);
  }
  assert_null(asc_profile_at(asc_profile_count()));
  assert_null(asc_profile_find("nothing"));
  assert_null(asc_profile_find(NULL));
}

/* Figures from the data, one of each kind. */
static void table_has_the_data(void **state) {
  (void)state;
  const asc_profile *max = asc_profile_find("maxim-max78000");
  assert_non_null(max);
  assert_string_equal(max->title, "MAX78000");
  assert_string_equal(max->vendor, "Analog Devices");
  assert_int_equal(max->capacity, 524288);
  assert_int_equal(max->bank, 32768);
  assert_int_equal(max->cores, 64);
  assert_false(max->may_cross);
  const asc_profile *npu = asc_profile_find("intel-npu-3720");
  assert_non_null(npu);
  assert_int_equal(npu->capacity - npu->reserved, 1982464);
  assert_int_equal(npu->alignment, 64);
  assert_int_equal(npu->align_by, ASC_ALIGN_OFFSET);
  assert_true(npu->may_cross);
  const asc_profile *shram = asc_profile_find("arm-ethos-u-shram-24k");
  assert_non_null(shram);
  assert_int_equal(shram->align_by, ASC_ALIGN_BOTH);
  const asc_profile *hailo = asc_profile_find("hailo-8");
  assert_non_null(hailo);
  assert_int_equal(hailo->capacity, 0);
}

/* ---- applying -------------------------------------------------------------------------------------------------------- */

typedef struct effect {
  int64_t size, alignment, bank; /* of the buffer */
  asc_profile profile;
  int64_t then_size, then_alignment, then_bank; /* then_size -1: it is refused */
} effect;

static void raises_what_a_buffer_asks_for(void **state) {
  (void)state;
  asc_context *context = test_context();
  const effect effects[] = {
      {10, 1, 0, memory(16, ASC_ALIGN_OFFSET, 0, true), 10, 16, 0},
      {10, 1, 0, memory(16, ASC_ALIGN_SIZE, 0, true), 16, 1, 0},
      {10, 1, 0, memory(16, ASC_ALIGN_BOTH, 0, true), 16, 16, 0},
      {32, 6, 0, memory(16, ASC_ALIGN_BOTH, 0, true), 32, 48, 0},
      {10, 64, 0, memory(16, ASC_ALIGN_OFFSET, 0, true), 10, 64, 0},
      {0, 4, 0, memory(16, ASC_ALIGN_SIZE, 0, true), 0, 4, 0},
      {10, 1, 0, memory(1, ASC_ALIGN_OFFSET, 32, false), 10, 1, 32},
      {10, 1, 0, memory(1, ASC_ALIGN_OFFSET, 32, true), 10, 1, 0},
      {10, 1, 16, memory(1, ASC_ALIGN_OFFSET, 32, false), 10, 1, 16},
      {10, 1, 64, memory(1, ASC_ALIGN_OFFSET, 32, false), 10, 1, 32},
      {10, 1, 24, memory(1, ASC_ALIGN_OFFSET, 32, false), -1, 0, 0},
      {33, 1, 0, memory(1, ASC_ALIGN_OFFSET, 32, false), -1, 0, 0},
      {30, 1, 0, memory(7, ASC_ALIGN_SIZE, 32, false), -1, 0, 0}, /* 35 once it is rounded up */
      {1, ASC_MAX_BYTES, 0, memory(2, ASC_ALIGN_OFFSET, 0, true), -1, 0, 0},
  };
  for (uint32_t k = 0; k < COUNT(effects); k++) {
    const effect *e = &effects[k];
    asc_buffer_spec spec = test_spec(0, 4, e->size);
    spec.alignment = e->alignment;
    spec.bank = e->bank;
    asc_problem *problem = test_problem(context, &spec, 1), *applied = NULL;
    asc_diag diag = {0};
    asc_status status = asc_profile_apply(problem, &e->profile, &applied, &diag);
    if (e->then_size < 0) {
      CHECK(status == ASC_BAD_INPUT || status == ASC_TOO_LARGE, "case %u", k);
      CHECK(!applied && strstr(diag.message, "of \xe2\x80\x9c"
                                             "b0\xe2\x80\x9d is "),
            "case %u: %s", k, diag.message);
    } else {
      CHECK(status == ASC_OK, "case %u: %s %s", k, diag.field, diag.message);
      const asc_buffer_spec *got = asc_problem_buffer(applied, 0);
      CHECK(got->size == e->then_size && got->alignment == e->then_alignment && got->bank == e->then_bank, "case %u", k);
    }
    asc_problem_free(applied);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* Whatever the problem: times, ids, gaps, hints and order stay, applying it again changes nothing, and a plan of what it made is a plan of
   the problem as it was. */
static void applied_problem_keeps_the_rest(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {41};
  const test_shape shape = {.min_buffers = 1,
                            .max_buffers = 8,
                            .min_time = 2,
                            .max_time = 12,
                            .max_size = 9,
                            .max_alignment = 6,
                            .max_fixed = 30,
                            .zero = 10,
                            .fixed = 10,
                            .gap = 30,
                            .window = 40,
                            .hint = 20,
                            .tie = 50,
                            .bank = 10};
  uint32_t made = 0, planned = 0;
  for (uint32_t k = 0; k < test_cases(2000); k++) {
    asc_problem *problem = test_random_problem(context, &rng, &shape), *applied = NULL, *again = NULL;
    asc_profile profile = memory(asci_random_between(&rng, 1, 12), (asc_align_by)asci_random_below(&rng, 3),
                                 asci_random_below(&rng, 2) ? asci_random_between(&rng, 9, 30) : 0, false);
    if (asc_profile_apply(problem, &profile, &applied, NULL) == ASC_OK) {
      made++;
      for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
        const asc_buffer_spec *was = asc_problem_buffer(problem, b), *is = asc_problem_buffer(applied, b);
        assert_string_equal(was->id, is->id);
        assert_true(was->lower == is->lower && was->upper == is->upper && was->hint == is->hint &&
                    was->offset == is->offset);
        assert_int_equal(was->gap_count, is->gap_count);
        if (was->gap_count) assert_memory_equal(was->gaps, is->gaps, was->gap_count * sizeof *was->gaps);
      }
      assert_int_equal(asc_profile_apply(applied, &profile, &again, NULL), ASC_OK);
      assert_true(asc_problem_digest(again) == asc_problem_digest(applied));
      asc_run_config config = test_config("exact", 400, NULL);
      asc_run *run = test_run_new(applied, &config);
      test_finish(run);
      size_t violations = 1;
      if (asc_run_best(run)) {
        planned++;
        assert_int_equal(asc_validate(problem, asc_run_best(run), 400, NULL, 0, &violations), ASC_OK);
        assert_int_equal(violations, 0);
      }
      asc_run_free(run);
    }
    asc_problem_free(again);
    asc_problem_free(applied);
    asc_problem_free(problem);
  }
  CHECK(made > 100 && planned > 50, "%u made, %u planned", made, planned);
  test_context_end(context);
}

static void refuses_what_is_no_profile(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec spec = test_spec(0, 4, 8);
  asc_problem *problem = test_problem(context, &spec, 1), *open = NULL, *applied = NULL;
  assert_int_equal(asc_problem_new(context, &open), ASC_OK);
  asc_profile good = memory(1, ASC_ALIGN_OFFSET, 0, true), bad[] = {good, good, good};
  bad[0].alignment = 0;
  bad[1].bank = -1;
  bad[2].align_by = (asc_align_by)3;
  for (uint32_t k = 0; k < COUNT(bad); k++)
    assert_int_equal(asc_profile_apply(problem, &bad[k], &applied, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_profile_apply(NULL, &good, &applied, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_profile_apply(problem, NULL, &applied, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_profile_apply(problem, &good, NULL, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_profile_apply(open, &good, &applied, NULL), ASC_BAD_ARGUMENT);
  assert_null(applied);
  asc_problem_free(open);
  asc_problem_free(problem);
  test_context_end(context);
}

/* A profile is of the main memory: what lies in another pool, or may, is as it was. */
static void other_pools_stay_as_they_are(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL, *applied = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"far", 100, 4, 0}, NULL, NULL), ASC_OK);
  static const char *const ids[] = {"a", "b"};
  for (uint32_t b = 0; b < 2; b++) {
    asc_buffer_spec spec = test_spec(0, 4, 5);
    spec.id = ids[b];
    spec.pool = b;
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  const asc_profile profile = memory(16, ASC_ALIGN_BOTH, 32, false);
  assert_int_equal(asc_profile_apply(problem, &profile, &applied, NULL), ASC_OK);
  assert_int_equal(asc_problem_buffer(applied, 0)->size, 16);
  assert_int_equal(asc_problem_buffer(applied, 1)->size, 5);
  assert_int_equal(asc_problem_pool(applied, 1)->capacity, 100);
  asc_problem_free(applied);
  asc_profile wrong = profile;
  wrong.bank = ASC_MAX_BYTES + 1;
  assert_int_equal(asc_profile_apply(problem, &wrong, &applied, NULL), ASC_BAD_ARGUMENT);
  wrong.alignment = ASC_MAX_BYTES + 1;
  assert_int_equal(asc_profile_apply(problem, &wrong, &applied, NULL), ASC_BAD_ARGUMENT);
  asc_problem_free(problem);
  test_context_end(context);
}

static void gives_memory_back_when_there_is_none(void **state) {
  (void)state;
  test_memory counted = {0};
  asc_context *context = test_context_on(&counted);
  asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(2, 6, 8)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs)), *applied = NULL;
  const asc_profile profile = memory(16, ASC_ALIGN_BOTH, 32, false);
  uint64_t before = counted.calls, live = counted.live;
  assert_int_equal(asc_profile_apply(problem, &profile, &applied, NULL), ASC_OK);
  uint64_t calls = counted.calls - before;
  asc_problem_free(applied);
  for (uint64_t k = 1; k <= calls; k++) {
    counted.fail_at = counted.calls + k;
    applied = NULL;
    assert_int_equal(asc_profile_apply(problem, &profile, &applied, NULL), ASC_OUT_OF_MEMORY);
    assert_null(applied);
    assert_int_equal(counted.live, live);
  }
  counted.fail_at = 0;
  asc_problem_free(problem);
  asc_context_free(context);
}

int run_profile_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_is_sound),
      cmocka_unit_test(table_has_the_data),
      cmocka_unit_test(raises_what_a_buffer_asks_for),
      cmocka_unit_test(applied_problem_keeps_the_rest),
      cmocka_unit_test(refuses_what_is_no_profile),
      cmocka_unit_test(other_pools_stay_as_they_are),
      cmocka_unit_test(gives_memory_back_when_there_is_none),
  };
  return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
