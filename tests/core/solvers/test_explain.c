/* The explainer against the oracle: whatever set it names does not fit, and where it says irreducible, every part by one less does. On
 * problems too large for the oracle, against runs of its own. */
#include "brute.h"
#include "saturated.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers --------------------------------------------------------------------------------------------------------- */

static asc_explain *explain_new(const asc_problem *problem, int64_t capacity, uint64_t budget) {
  asc_explain *explain = NULL;
  asc_diag diag = {0};
  asc_status status = asc_explain_new(problem, capacity, 5, budget, &explain, &diag);
  CHECK(status == ASC_OK, "%s: %s %s", asc_status_text(status), diag.field, diag.message);
  return explain;
}

static asc_explanation finish(asc_explain *explain, uint64_t slice) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_explanation got;
  for (uint32_t k = 0; outcome == ASC_OUTCOME_RUNNING; k++) {
    CHECK(k < UINT32_MAX, "it does not end");
    asc_status status = asc_explain_step(explain, slice, &outcome);
    asc_explain_get(explain, &got);
    CHECK(status == ASC_OK && got.outcome == outcome, "%s, %s", asc_status_text(status), asc_outcome_id(outcome));
  }
  return got;
}

/* The problem of some buffers, all but the `without`-th of them (ASC_NONE: all). */
static asc_problem *part_of(asc_context *context, const asc_problem *problem, const uint32_t *buffers, uint32_t count,
                            uint32_t without) {
  asc_problem *part = NULL;
  assert_int_equal(asc_problem_new(context, &part), ASC_OK);
  for (uint32_t k = 0; k < count; k++)
    if (k != without) assert_int_equal(asc_problem_add(part, asc_problem_buffer(problem, buffers[k]), NULL), ASC_OK);
  assert_int_equal(asc_problem_freeze(part, NULL), ASC_OK);
  return part;
}

static bool by_oracle(const asc_problem *problem, int64_t capacity) {
  return brute_feasible(problem, capacity);
}

/* By a search, for what the oracle cannot hold. */
static bool by_search(const asc_problem *problem, int64_t capacity) {
  asc_run_config config = test_config(asc_solver_at(0)->id, capacity, NULL);
  asc_run *run = test_run_new(problem, &config);
  asc_outcome outcome = test_finish(run);
  test_sound_end(problem, run, capacity, "a part");
  asc_run_free(run);
  CHECK(outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_INFEASIBLE, "undecided");
  return outcome != ASC_OUTCOME_INFEASIBLE;
}

typedef bool (*judge)(const asc_problem *problem, int64_t capacity);

static void check_list(const asc_problem *problem, const asc_explanation *got, const char *what) {
  CHECK(got->count > 0 && got->count <= asc_problem_count(problem), "%s: %u buffers", what, got->count);
  for (uint32_t k = 0; k < got->count; k++) {
    CHECK(got->buffers[k] < asc_problem_count(problem), "%s: no such buffer", what);
    CHECK(k == 0 || got->buffers[k - 1] < got->buffers[k], "%s: not increasing", what);
  }
  CHECK(got->tried <= got->count && got->irreducible == (got->tried == got->count), "%s: %u tried", what, got->tried);
}

/* A set was named: it alone does not fit, and the rest of an irreducible one fits without any of its buffers. At least `tried` of them are
   needed in every case. */
static void check_set(asc_context *context, const asc_problem *problem, int64_t capacity, const asc_explanation *got,
                      judge fits, const char *what) {
  check_list(problem, got, what);
  asc_problem *alone = part_of(context, problem, got->buffers, got->count, ASC_NONE);
  bool fitting = fits(alone, capacity);
  if (fitting) test_print_problem(problem, capacity);
  CHECK(!fitting, "%s: the set fits", what);
  asc_problem_free(alone);
  uint32_t needed = 0;
  for (uint32_t k = 0; k < got->count; k++) {
    asc_problem *part = part_of(context, problem, got->buffers, got->count, k);
    needed += fits(part, capacity);
    asc_problem_free(part);
  }
  if (needed < got->tried) test_print_problem(problem, capacity);
  CHECK(needed >= got->tried, "%s: %u of %u needed, %u said", what, needed, got->count, got->tried);
}

static int64_t section_load(const asc_problem *problem, const asc_explanation *got) {
  const asc_section *section = &asc_problem_sections(problem)[got->section];
  int64_t load = 0;
  for (uint32_t k = 0; k < got->count; k++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, got->buffers[k]);
    int64_t height = spec->lower <= section->lower && section->upper <= spec->upper ? spec->size : 0;
    for (uint32_t g = 0; g < spec->gap_count && height; g++)
      if (spec->gaps[g].lower <= section->lower && section->upper <= spec->gaps[g].upper)
        height = spec->gaps[g].window_upper - spec->gaps[g].window_lower;
    load += height;
  }
  return load;
}

/* ---- random problems, all constraints -------------------------------------------------------------------------------- */

static const test_shape tiny = {.min_buffers = 1,
                                .max_buffers = 6,
                                .max_time = 7,
                                .max_size = 5,
                                .max_alignment = 1,
                                .max_fixed = 8,
                                .zero = 4,
                                .hint = 10,
                                .tie = 40};

enum { MOST_HEIGHT = 16 };

static test_shape random_shape(asci_rng *rng) {
  test_shape shape = tiny;
  shape.max_alignment = asci_random_below(rng, 2) ? 1 : 3;
  shape.fixed = asci_random_below(rng, 2) ? 0 : 12;
  shape.gap = asci_random_below(rng, 2) ? 0 : 25;
  shape.window = asci_random_below(rng, 2) ? 0 : 50;
  shape.bank = asci_random_below(rng, 2) ? 0 : 25;
  return shape;
}

/* A problem and its least height, -1 if that is above MOST_HEIGHT or pins collide. */
static asc_problem *random_tiny(asc_context *context, asci_rng *rng, int64_t *height) {
  test_shape shape = random_shape(rng);
  asc_problem *problem = test_random_problem(context, rng, &shape);
  *height = brute_least_height(problem, MOST_HEIGHT);
  return problem;
}

/* Most are asked one byte below what fits, where proofs need a search; the rest anywhere, where the load often says it all. */
static int64_t random_capacity(asci_rng *rng, int64_t height) {
  if (height <= 0) return height < 0 ? asci_random_between(rng, 5, MOST_HEIGHT) : 0;
  return asci_random_below(rng, 4) ? height - 1 : asci_random_between(rng, 0, height + 1);
}

static void sets_agree_with_the_oracle(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {2031};
  uint32_t searched = 0, sections = 0, fitting = 0, cases = test_cases(6000);
  for (uint32_t k = 0; k < cases; k++) {
    int64_t height;
    asc_problem *problem = random_tiny(context, &rng, &height);
    int64_t capacity = random_capacity(&rng, height);
    asc_explain *explain = explain_new(problem, capacity, 0);
    asc_explanation got = finish(explain, 1 + asci_random_below(&rng, 3000));
    char what[32];
    snprintf(what, sizeof what, "case %u", k);
    if (height >= 0 && capacity >= height) {
      CHECK(got.outcome == ASC_OUTCOME_FEASIBLE && !got.buffers && !got.count, "%s: fits, but %s", what,
            asc_outcome_id(got.outcome));
      fitting++;
    } else {
      if (got.outcome != ASC_OUTCOME_INFEASIBLE) test_print_problem(problem, capacity);
      CHECK(got.outcome == ASC_OUTCOME_INFEASIBLE && got.irreducible, "%s: %s", what, asc_outcome_id(got.outcome));
      check_set(context, problem, capacity, &got, by_oracle, what);
      searched += got.steps > 0;
      sections += got.section != ASC_NONE;
    }
    asc_explain_free(explain);
    asc_problem_free(problem);
  }
  CHECK(searched >= cases / 20 && sections >= cases / 20 && fitting >= cases / 50, "only %u, %u, %u of %u", searched,
        sections, fitting, cases);
  test_context_end(context);
}

static void sections_that_hold_too_much(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {77};
  uint32_t seen = 0;
  for (uint32_t k = 0; k < test_cases(1500); k++) {
    test_shape shape = random_shape(&rng);
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    uint32_t peak = asc_problem_peak(problem);
    int64_t load = peak == ASC_NONE ? 0 : asc_problem_sections(problem)[peak].load;
    int64_t capacity = load ? asci_random_between(&rng, 0, load - 1) : 0;
    asc_explain *explain = explain_new(problem, capacity, 0);
    asc_explanation got = finish(explain, UINT64_MAX);
    if (load > capacity && got.count > 1) {
      CHECK(got.section == peak, "case %u: section %u, expected %u", k, got.section, peak);
      if (got.steps == 0) CHECK(section_load(problem, &got) > capacity, "case %u: it fits that section", k);
      if (!test_needs(problem)) assert_true(got.steps == 0 && got.irreducible);
      seen++;
    }
    asc_explain_free(explain);
    asc_problem_free(problem);
  }
  assert_true(seen > test_cases(1500) / 4);
  test_context_end(context);
}

/* ---- cases by hand --------------------------------------------------------------------------------------------------- */

/* At 3 the four of sizes 5, 4, 2, 1 are alive: 12. The two largest that exceed 8 are enough, and others are alive elsewhere. */
static void the_largest_of_a_section(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 4, 1), test_spec(3, 9, 4), test_spec(5, 9, 3),
                                   test_spec(2, 4, 5), test_spec(3, 4, 2), test_spec(0, 0 + 1, 8)};
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  asc_explain *explain = explain_new(problem, 8, 0);
  asc_explanation got = finish(explain, 1);
  assert_int_equal(got.outcome, ASC_OUTCOME_INFEASIBLE);
  assert_int_equal(got.count, 2);
  assert_int_equal(got.buffers[0], 1);
  assert_int_equal(got.buffers[1], 3);
  assert_true(got.irreducible && got.steps == 0);
  assert_int_equal(asc_problem_sections(problem)[got.section].lower, 3);
  asc_explain_free(explain);
  asc_problem_free(problem);
  test_context_end(context);
}

/* One buffer too many on its own: too large, or pinned too high. Size 0 counts only where it is pinned. */
static void a_buffer_that_fits_nowhere(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 4, 3), test_spec(1, 5, 3), test_spec(2, 3, 0)};
  for (uint32_t k = 0; k < 3; k++) {
    asc_buffer_spec changed[3];
    memcpy(changed, specs, sizeof specs);
    if (k == 0) changed[1].size = 9;
    if (k == 1) changed[1].offset = 6;
    if (k == 2) changed[2].offset = 9;
    asc_problem *problem = test_problem(context, changed, 3);
    asc_explain *explain = explain_new(problem, 8, 0);
    asc_explanation got = finish(explain, 10);
    assert_int_equal(got.outcome, ASC_OUTCOME_INFEASIBLE);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.buffers[0], k < 2 ? 1 : 2);
    assert_true(got.irreducible && got.steps == 0);
    assert_int_equal(got.section, k == 0 ? 1 : ASC_NONE);
    asc_explain_free(explain);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* The smallest problems: none, and a capacity of none. */
static void nothing_to_place(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 4, 0), test_spec(0, 4, 1)};
  for (uint32_t n = 0; n < 3; n++) {
    asc_problem *problem = test_problem(context, specs, n);
    asc_explain *explain = explain_new(problem, 0, 0);
    asc_explanation got = finish(explain, 10);
    assert_int_equal(got.outcome, n < 2 ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_INFEASIBLE);
    assert_int_equal(got.count, n < 2 ? 0 : 1);
    asc_explain_free(explain);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

static void arguments_are_checked(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *open = NULL;
  asc_explain *explain = NULL;
  asc_diag diag;
  assert_int_equal(asc_problem_new(context, &open), ASC_OK);
  assert_int_equal(asc_explain_new(NULL, 1, 0, 0, &explain, &diag), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_explain_new(open, 1, 0, 0, &explain, &diag), ASC_BAD_ARGUMENT);
  assert_string_equal(diag.field, "problem");
  assert_int_equal(asc_problem_freeze(open, NULL), ASC_OK);
  assert_int_equal(asc_explain_new(open, -1, 0, 0, &explain, &diag), ASC_BAD_ARGUMENT);
  assert_string_equal(diag.field, "capacity");
  assert_int_equal(asc_explain_new(open, ASC_MAX_BYTES + 1, 0, 0, &explain, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_explain_new(open, 1, 0, 0, NULL, NULL), ASC_BAD_ARGUMENT);
  assert_null(explain);
  assert_int_equal(asc_explain_step(NULL, 1, NULL), ASC_BAD_ARGUMENT);
  asc_explain_free(NULL);
  asc_problem_free(open);
  asc_buffer_spec spec = test_spec(0, 1, 1);
  spec.pool = ASC_POOL_ANY;
  asc_problem *anywhere = test_problem(context, &spec, 1);
  assert_int_equal(asc_explain_new(anywhere, 1, 0, 0, &explain, &diag), ASC_UNSUPPORTED);
  assert_string_equal(diag.field, "pool");
  asc_problem_free(anywhere);
  test_context_end(context);
}

/* ---- saturated problems ---------------------------------------------------------------------------------------------- */

static void saturated_problems(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t seen = 0, cases = test_cases(300);
  for (uint32_t k = 0; k < cases; k++) {
    asc_problem *problem = NULL;
    assert_int_equal(saturated_problem(context, 12 + k % 30, k, &problem), ASC_OK);
    int64_t load = asc_problem_lower_bound(problem);
    asc_explain *explain = explain_new(problem, load, 0);
    asc_explanation got = finish(explain, 5000);
    char what[32];
    snprintf(what, sizeof what, "saturated %u", k);
    CHECK(got.outcome == ASC_OUTCOME_INFEASIBLE || got.outcome == ASC_OUTCOME_FEASIBLE, "%s: %s", what,
          asc_outcome_id(got.outcome));
    if (got.outcome == ASC_OUTCOME_INFEASIBLE) {
      assert_int_equal(got.section, ASC_NONE);
      CHECK(got.irreducible, "%s: %u of %u", what, got.tried, got.count);
      check_set(context, problem, load, &got, by_search, what);
      seen++;
    }
    asc_explain_free(explain);
    asc_problem_free(problem);
  }
  CHECK(seen >= cases / 20, "only %u of %u do not fit", seen, cases);
  test_context_end(context);
}

/* ---- slices, budgets, cancelling ------------------------------------------------------------------------------------- */

/* A saturated problem that does not fit. */
static asc_problem *hard(asc_context *context, int64_t *capacity) {
  for (uint64_t seed = 0;; seed++) {
    asc_problem *problem = NULL;
    assert_int_equal(saturated_problem(context, 14, seed, &problem), ASC_OK);
    *capacity = asc_problem_lower_bound(problem);
    if (!by_search(problem, *capacity)) return problem;
    asc_problem_free(problem);
  }
}

static void same_sets(const asc_explanation *left, const asc_explanation *right, uint64_t what) {
  CHECK(left->outcome == right->outcome && left->count == right->count && left->tried == right->tried, "%" PRIu64, what);
  CHECK(left->steps == right->steps && left->section == right->section, "%" PRIu64, what);
  for (uint32_t k = 0; k < left->count; k++) assert_int_equal(left->buffers[k], right->buffers[k]);
}

static void slices_do_not_matter(void **state) {
  (void)state;
  asc_context *context = test_context();
  int64_t capacity;
  asc_problem *problem = hard(context, &capacity);
  for (uint64_t budget = 0; budget < 2000; budget = budget * 2 + 37) {
    asc_explain *whole = explain_new(problem, capacity, budget);
    asc_explanation expected = finish(whole, UINT64_MAX);
    for (uint64_t slice = 1; slice < 1000; slice = slice * 3 + 1) {
      asc_explain *explain = explain_new(problem, capacity, budget);
      asc_explanation got = finish(explain, slice);
      same_sets(&expected, &got, slice);
      asc_explain_free(explain);
    }
    asc_explain_free(whole);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

static void a_slice_is_kept(void **state) {
  (void)state;
  asc_context *context = test_context();
  int64_t capacity;
  asc_problem *problem = hard(context, &capacity);
  asc_explain *explain = explain_new(problem, capacity, 0);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_explanation got;
  asc_explain_get(explain, &got);
  assert_true(got.outcome == ASC_OUTCOME_RUNNING && !got.buffers && !got.irreducible && got.section == ASC_NONE);
  for (uint64_t before = 0; outcome == ASC_OUTCOME_RUNNING; before = got.steps) {
    assert_int_equal(asc_explain_step(explain, 0, &outcome), ASC_OK);
    assert_int_equal(asc_explain_step(explain, 3, &outcome), ASC_OK);
    asc_explain_get(explain, &got);
    assert_true(got.steps <= before + 3);
    assert_true(outcome != ASC_OUTCOME_RUNNING || got.steps == before + 3);
  }
  asc_explain_free(explain);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Whatever the budget, it is kept, and what is said is true. */
static void budgets_are_kept(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {90};
  uint32_t small = 0, spent = 0;
  for (uint32_t k = 0; k < test_cases(400); k++) {
    int64_t height;
    asc_problem *problem = random_tiny(context, &rng, &height);
    int64_t capacity = height > 0 ? height - 1 : 0;
    uint64_t budget = k % 2 ? 1 : 1 + asci_random_below(&rng, 80);
    asc_explain *explain = explain_new(problem, capacity, budget);
    asc_explanation got = finish(explain, 1 + asci_random_below(&rng, 50));
    CHECK(got.steps <= budget, "case %u: %" PRIu64 " of %" PRIu64, k, got.steps, budget);
    if (got.buffers) check_set(context, problem, capacity, &got, by_oracle, "budget");
    spent += got.outcome == ASC_OUTCOME_BUDGET_SPENT;
    small += got.outcome == ASC_OUTCOME_INFEASIBLE && !got.irreducible;
    CHECK((got.outcome == ASC_OUTCOME_BUDGET_SPENT) <= !got.buffers, "case %u: spent, with a set", k);
    asc_explain_free(explain);
    asc_problem_free(problem);
  }
  CHECK(spent > 0 && small > 0, "%u spent, %u small", spent, small);
  test_context_end(context);
}

/* An allocator that cancels at its k-th call: in every phase, also in the middle of a step. */
typedef struct canceller {
  asc_explain *explain;
  uint64_t calls, at;
} canceller;

static void *cancelling_resize(void *user, void *block, size_t bytes) {
  canceller *who = user;
  if (++who->calls == who->at && who->explain) asc_explain_cancel(who->explain);
  return realloc(block, bytes);
}

static void releasing(void *user, void *block) {
  (void)user;
  free(block);
}

static void cancelling_anywhere(void **state) {
  (void)state;
  uint32_t with = 0, without = 0, whole = 0;
  for (uint64_t at = 1; whole == 0; at += 1 + at / 40) {
    canceller user = {.at = UINT64_MAX};
    asc_allocator allocator = {cancelling_resize, releasing, &user};
    asc_context *context = NULL;
    int64_t capacity;
    assert_int_equal(asc_context_new(&allocator, &context), ASC_OK);
    asc_problem *problem = hard(context, &capacity);
    user.explain = explain_new(problem, capacity, 0);
    user.at = user.calls + at;
    asc_explanation got = finish(user.explain, UINT64_MAX);
    if (user.calls >= user.at && got.outcome == ASC_OUTCOME_CANCELLED) {
      with += got.buffers != NULL;
      without += got.buffers == NULL;
      user.at = UINT64_MAX; /* the checks allocate as well */
      if (got.buffers) check_set(context, problem, capacity, &got, by_search, "cancelled");
    } else {
      assert_int_equal(got.outcome, ASC_OUTCOME_INFEASIBLE);
      whole++;
    }
    asc_explain_free(user.explain);
    asc_problem_free(problem);
    test_context_end(context);
  }
  CHECK(with > 3 && without > 0, "%u with a set, %u without", with, without);
}

static void cancelled_before_it_began(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec specs[] = {test_spec(0, 4, 9)};
  asc_problem *problem = test_problem(context, specs, 1);
  asc_explain *explain = explain_new(problem, 8, 0);
  asc_explain_cancel(explain);
  asc_explanation got = finish(explain, 1);
  assert_true(got.outcome == ASC_OUTCOME_CANCELLED && !got.buffers && got.steps == 0);
  asc_explain_free(explain);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- no memory ------------------------------------------------------------------------------------------------------- */

/* Explains a saturated or an overfull problem; 0 if memory was short. What was known by then must be a set. */
static uint64_t explain_in(test_memory *memory, uint32_t which, uint64_t fail_after, bool lasting) {
  int64_t capacity;
  asc_context *context = test_context_on(memory);
  asc_problem *problem = hard(context, &capacity);
  if (which) capacity = 5;
  asc_explain *explain = NULL;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_explanation got = {0};
  asc_diag diag;
  memory->lasting = lasting;
  memory->fail_at = fail_after ? memory->calls + fail_after : 0;
  asc_status status = asc_explain_new(problem, capacity, 1, 0, &explain, &diag);
  if (status) assert_true(diag.status == status && diag.message[0]);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_explain_step(explain, 1000, &outcome);
  CHECK(status == ASC_OK || status == ASC_OUT_OF_MEMORY, "%s", asc_status_text(status));
  CHECK((outcome == ASC_OUTCOME_OUT_OF_MEMORY) == (status && explain), "%s", asc_outcome_id(outcome));
  memory->fail_at = 0;
  uint64_t value = 0;
  if (explain) {
    assert_int_equal(asc_explain_step(explain, 1000, NULL), ASC_OK); /* it has ended */
    asc_explain_get(explain, &got);
    if (got.buffers) check_set(context, problem, capacity, &got, by_search, "without memory");
    for (uint32_t k = 0; got.buffers && k < got.count; k++) value = value * 31 + got.buffers[k] + 1;
  }
  asc_explain_free(explain);
  asc_problem_free(problem);
  test_context_end(context);
  assert_int_equal(memory->live, 0);
  return status ? 0 : value;
}

/* Each call of the explainer's own fails in turn; the problem is made before. */
static void no_memory_anywhere(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 2; which++) {
    test_memory plain = {0};
    uint64_t expected = explain_in(&plain, which, 0, false);
    assert_true(expected != 0);
    for (int lasting = 0; lasting < 2; lasting++) {
      uint64_t got = 0;
      for (uint64_t k = 1; got == 0; k += k < 60 ? 1 : k / 16) {
        test_memory memory = {0};
        got = explain_in(&memory, which, k, lasting);
        CHECK(k < 1000000, "memory is always short");
      }
      assert_int_equal(got, expected);
    }
  }
}

/* The first pool that does not fit is told of, in buffers of the whole; its capacity is its own. */
static void one_pool_is_told_of(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  assert_int_equal(asc_problem_add_pool(problem, &(asc_pool){"near", 9, 1, 0}, NULL, NULL), ASC_OK);
  asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(0, 2, 5), test_spec(1, 4, 2), test_spec(1, 3, 5)};
  static const char *const ids[] = {"a", "b", "c", "d"};
  for (uint32_t b = 0; b < 4; b++) {
    specs[b].id = ids[b];
    specs[b].pool = b > 0;
    assert_int_equal(asc_problem_add(problem, &specs[b], NULL), ASC_OK);
  }
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  asc_explain *explain;
  asc_explanation got;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  assert_int_equal(asc_explain_new(problem, 8, 0, 0, &explain, NULL), ASC_OK);
  while (outcome == ASC_OUTCOME_RUNNING) assert_int_equal(asc_explain_step(explain, 100, &outcome), ASC_OK);
  asc_explain_get(explain, &got);
  assert_int_equal(outcome, ASC_OUTCOME_INFEASIBLE);
  assert_int_equal(got.pool, 1);
  assert_int_equal(got.count, 2);
  assert_int_equal(got.buffers[0], 1);
  assert_int_equal(got.buffers[1], 3);
  assert_true(got.irreducible);
  assert_int_equal(asc_problem_sections(asc_problem_part(problem, 1))[got.section].load, 12);
  asc_explain_free(explain);
  asc_problem_free(problem);
  test_context_end(context);
}

/* The steps are those of all pools: where the first has taken the last of them nothing is said of the second, which does not fit but for its load. */
static void steps_of_all_pools(void **state) {
  (void)state;
  static const char text[] =
      "pool,near,6\nid,lower,upper,size,pool\nx,0,2,4,\ny,1,3,3,\nz,2,4,2,\na,0,2,4,near\nb,0,1,2,near\n"
      "c,1,4,1,near\nd,1,3,1,near\ne,2,4,1,near\nf,2,3,3,near\ng,3,5,4,near\nh,4,5,2,near\n";
  asc_context *context = test_context();
  asc_csv *csv = NULL;
  size_t faults;
  assert_int_equal(asc_csv_read(context, text, sizeof text - 1, ASC_OFFSETS_FIXED, &csv, NULL, 0, &faults), ASC_OK);
  asc_explanation all = {.steps = 0};
  for (uint64_t budget = 0; budget <= 24; budget++) { /* 0: none */
    asc_explain *explain = explain_new(asc_csv_problem(csv), 9, budget);
    asc_explanation got = finish(explain, 100);
    if (!budget) all = got;
    assert_true(got.pool <= 1 && (!budget || got.steps <= budget));
    assert_int_equal(got.outcome, !budget || got.count ? ASC_OUTCOME_INFEASIBLE : ASC_OUTCOME_BUDGET_SPENT);
    asc_explain_free(explain);
  }
  assert_int_equal(all.pool, 1);
  assert_true(all.count > 0 && all.steps > 10);
  asc_csv_free(csv);
  test_context_end(context);
}

int run_explain_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_of_all_pools),
      cmocka_unit_test(one_pool_is_told_of),
      cmocka_unit_test(arguments_are_checked),
      cmocka_unit_test(nothing_to_place),
      cmocka_unit_test(a_buffer_that_fits_nowhere),
      cmocka_unit_test(the_largest_of_a_section),
      cmocka_unit_test(sections_that_hold_too_much),
      cmocka_unit_test(sets_agree_with_the_oracle),
      cmocka_unit_test(saturated_problems),
      cmocka_unit_test(slices_do_not_matter),
      cmocka_unit_test(a_slice_is_kept),
      cmocka_unit_test(budgets_are_kept),
      cmocka_unit_test(cancelling_anywhere),
      cmocka_unit_test(cancelled_before_it_began),
      cmocka_unit_test(no_memory_anywhere),
  };
  return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
