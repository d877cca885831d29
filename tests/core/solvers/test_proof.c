/* Certificates of the exact solver: each that it leaves holds, says as much as the run, and changes nothing of the search; and whatever is in a
 * certificate, the checker believes nothing that the oracle (brute.h) knows to be false. */
#include "brute.h"
#include "certificates.h"
#include "exact/test_exact_support.h"
#include "saturated.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HIGHEST = 20 };

static test_shape shape_of(uint64_t number) {
  test_shape shape = {.min_buffers = 3,
                      .max_buffers = BRUTE_BUFFERS - 1,
                      .max_time = 4 + (int64_t)(number % 7),
                      .max_size = number % 3 ? 4 : 6,
                      .max_alignment = 4,
                      .max_fixed = 8,
                      .tie = 40,
                      .zero = 4,
                      .fixed = 12,
                      .gap = 30,
                      .bank = 25,
                      .hint = number % 4 ? 0 : 40};
  test_vary(&shape, number / 3 % 32);
  return shape;
}

/* A run to its end, with its certificate in `all` unless that is NULL. */
static asc_run *run_with(const asc_problem *problem, int64_t capacity, const test_options *options, certificate *all) {
  asc_run_config config = test_config("exact", capacity, options);
  asc_run *run = test_run_new(problem, &config);
  if (all) assert_int_equal(asc_run_prove(run, certificate_gather, all, NULL), ASC_OK);
  test_finish(run);
  return run;
}

/* What the run proves is in its certificate. */
static void check_certificate(asc_context *context, const asc_problem *problem, int64_t capacity,
                              const test_options *options) {
  certificate all = {0};
  asc_diag diag = {0};
  asc_run *plain = run_with(problem, capacity, options, NULL), *run = run_with(problem, capacity, options, &all);
  asc_run_stats stats;
  test_same_stats(plain, run, "with and without a certificate");
  asc_run_stats_get(run, &stats);
  int64_t must = stats.outcome == ASC_OUTCOME_INFEASIBLE ? capacity
                 : stats.outcome == ASC_OUTCOME_OPTIMAL  ? stats.height - 1
                                                         : -1;
  int64_t proven = asc_run_proven(run), found = certificate_judge(context, problem, &all, &diag);
  if (proven < must || found != proven) test_print_problem(problem, capacity);
  CHECK(proven >= must, "%s: %s, and only %" PRId64 " is in the certificate", test_options_text(options),
        asc_outcome_id(stats.outcome), proven);
  CHECK(found == proven, "%s: line %u: %s: %" PRId64 " instead of %" PRId64, test_options_text(options), diag.line,
        diag.message, found, proven);
  asc_run_free(plain);
  asc_run_free(run);
  free(all.text);
}

static void runs_prove_what_they_say(void **state) {
  (void)state;
  uint32_t problems = test_cases(3000);
  test_met met = {0};
  asc_context *context = test_context();
  for (uint64_t number = 0; number < problems; number++) {
    asci_rng rng = {4711 + number * UINT64_C(0x100000001b3)};
    test_shape shape = shape_of(number);
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    test_meet(&met, problem);
    int64_t least = brute_least_height(problem, HIGHEST);
    test_options options;
    for (uint32_t k = 0; k < 3; k++) {
      if (k < 2)
        exact_variant(k ? 1 + (uint32_t)(number % (exact_variants() - 1)) : 0, &options);
      else
        exact_random_options(&rng, &options);
      if (least != 0) check_certificate(context, problem, (least > 0 ? least : HIGHEST) - 1, &options);
      if (least >= 0) check_certificate(context, problem, least, &options);
      options.goal = ASC_GOAL_HEIGHT;
      if (least >= 0) check_certificate(context, problem, least + (int64_t)(number % 4), &options);
    }
    asc_problem_free(problem);
  }
  test_context_end(context);
  CHECK(met.alignment > problems / 10 && met.fixed > problems / 20 && met.gaps > problems / 20 && met.banks > problems / 20,
        "met too little");
}

/* How many sweeps the certificate tells of. */
static uint32_t sweeps_in(const certificate *all) {
  uint32_t count = 0;
  for (size_t at = 0; at + 1 < all->used; at++) count += all->text[at] == ' ' && all->text[at + 1] == 'x';
  return count;
}

/* A run of so many steps at most, with its certificate. */
static asc_run *prove_within(const asc_problem *problem, int64_t capacity, const test_options *options, uint64_t steps,
                             certificate *all, asc_outcome *outcome) {
  asc_run_config config = test_config("exact", capacity, options);
  asc_run *run = test_run_new(problem, &config);
  assert_int_equal(asc_run_prove(run, certificate_gather, all, NULL), ASC_OK);
  asc_run_step(run, steps, outcome);
  return run;
}

static void check_proven(asc_context *context, const asc_problem *problem, const asc_run *run, const certificate *all,
                         uint64_t number) {
  asc_diag diag = {0};
  CHECK(certificate_judge(context, problem, all, &diag) == asc_run_proven(run), "number %" PRIu64 ": line %u: %s", number,
        diag.line, diag.message);
}

/* Where sections are full, or with up to three units idle: of a byte or of 64, as they are and with an alignment that is absorbed. */
static void sweeps_are_believed(void **state) {
  (void)state;
  uint32_t problems = test_cases(240), sweeps = 0, proven = 0;
  asc_context *context = test_context();
  for (uint64_t number = 0; number < problems; number++) {
    asc_problem *plain = NULL;
    int64_t factor = number % 3 ? 1 : 64, idle = (int64_t)(number / 3 % 4);
    assert_int_equal(saturated_problem(context, 6 + (uint32_t)(number % 60), number, &plain), ASC_OK);
    asc_problem *problem = exact_scaled(context, plain, factor);
    int64_t capacity = (asc_problem_lower_bound(problem) / factor + idle) * factor + (factor > 1 ? factor / 2 : 0);
    test_options options = {.count = 0};
    if (idle) test_option_set(&options, "exchange", "always");
    if (number % 2) options.goal = ASC_GOAL_HEIGHT;
    certificate all = {0};
    asc_outcome outcome;
    asc_run *run = prove_within(problem, capacity, &options, 5000, &all, &outcome);
    check_proven(context, problem, run, &all, number);
    CHECK(outcome != ASC_OUTCOME_INFEASIBLE || asc_run_proven(run) >= capacity, "number %" PRIu64 ": not proven", number);
    sweeps += sweeps_in(&all);
    proven += asc_run_proven(run) >= 0;
    asc_run_free(run);
    free(all.text);
    asc_problem_free(problem);
    asc_problem_free(plain);
  }
  test_context_end(context);
  printf("%u sweeps, %u proofs\n", sweeps, proven);
  CHECK(sweeps > problems / 20, "%u sweeps", sweeps);
}

/* A saturated problem of 60 sections and, behind it, three times ten buffers of one lifespan: those are what glued arms ask for, and
   leave room, so that sweeps come after the arms alone. */
static asc_problem *full_then_piled(asc_context *context, uint64_t number) {
  asc_problem *full = NULL;
  assert_int_equal(saturated_problem(context, 60, number, &full), ASC_OK);
  asc_buffer_spec specs[600];
  uint32_t count = asc_problem_count(full);
  for (uint32_t b = 0; b < count; b++) specs[b] = *asc_problem_buffer(full, b);
  for (uint32_t k = 0; k < 30; k++) specs[count++] = test_spec(70 + k / 10, 71 + k / 10, 1);
  asc_problem *made = test_problem(context, specs, count);
  asc_problem_free(full);
  return made;
}

/* A sweep may come after a glued arm, which proves nothing. */
static void glued_arms_leave_proofs_to_others(void **state) {
  (void)state;
  uint32_t problems = test_cases(30), sweeps = 0;
  asc_context *context = test_context();
  for (uint64_t number = 70; number < 70 + problems; number++) {
    asc_problem *problem = full_then_piled(context, number);
    int64_t capacity = asc_problem_lower_bound(problem);
    test_options options = {.count = 0};
    test_option_set(&options, "portfolio", "0ZR,10WATKG");
    test_option_set(&options, "first_budget", "100");
    if (number % 2) options.goal = ASC_GOAL_HEIGHT;
    certificate all = {0};
    asc_outcome outcome;
    asc_run_stats stats;
    asc_run *run = prove_within(problem, capacity, &options, 20000, &all, &outcome);
    asc_run_stats_get(run, &stats);
    int64_t must = outcome == ASC_OUTCOME_INFEASIBLE ? capacity : stats.lower_bound > capacity ? stats.lower_bound - 1 : -1;
    CHECK(asc_run_proven(run) >= must, "number %" PRIu64 ": %" PRId64 " of %" PRId64 " is in the certificate", number,
          asc_run_proven(run), must);
    check_proven(context, problem, run, &all, number);
    sweeps += sweeps_in(&all);
    asc_run_free(run);
    free(all.text);
    asc_problem_free(problem);
  }
  test_context_end(context);
  printf("%u sweeps after glued arms\n", sweeps);
  assert_true(sweeps > 0);
}

/* ---- what is wrong is not believed ------------------------------------------------------------------------------------- */

/* One number becomes another, or a word goes, comes twice or changes its place. */
static void damage(certificate *all, asci_rng *rng) {
  if (!all->used) return;
  size_t at = asci_random_below(rng, all->used);
  while (at < all->used && (all->text[at] == '\n' || all->text[at] == ' ')) at++;
  if (at >= all->used) return;
  switch (asci_random_below(rng, 5)) {
  case 0:
  case 1:
    if (all->text[at] >= '0' && all->text[at] <= '9') all->text[at] = (char)('0' + asci_random_below(rng, 10));
    break;
  case 2: {
    size_t end = at;
    while (at > 0 && all->text[at - 1] != ' ' && all->text[at - 1] != '\n') at--;
    while (end < all->used && all->text[end] != ' ' && all->text[end] != '\n') end++;
    if (end < all->used && all->text[end] == ' ') end++;
    memmove(all->text + at, all->text + end, all->used - end);
    all->used -= end - at;
    break;
  }
  case 3:
    all->text[at] = "@+-!#Lfsobx=:pr"[asci_random_below(rng, 15)];
    break;
  default: {
    size_t other = asci_random_below(rng, all->used);
    char kept = all->text[at];
    if (all->text[other] == '\n') return;
    all->text[at] = all->text[other];
    all->text[other] = kept;
  }
  }
}

static void damaged_ones_prove_nothing_false(void **state) {
  (void)state;
  uint32_t problems = test_cases(1500), held = 0, refused = 0;
  asc_context *context = test_context();
  for (uint64_t number = 0; number < problems; number++) {
    asci_rng rng = {815 + number * UINT64_C(0x100000001b3)};
    test_shape shape = shape_of(number);
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    int64_t least = brute_least_height(problem, HIGHEST);
    test_options options;
    certificate all = {0};
    exact_variant(0, &options);
    if (number % 2) test_option_set(&options, "exchange", "always");
    options.goal = ASC_GOAL_HEIGHT;
    if (least >= 0) asc_run_free(run_with(problem, least, &options, &all));
    for (uint32_t k = 0; all.used && k < 60; k++) {
      certificate copy = {0};
      certificate_gather(&copy, all.text, all.used);
      for (uint64_t times = 1 + asci_random_below(&rng, 3); times && copy.used; times--) damage(&copy, &rng);
      int64_t proven = certificate_judge(context, problem, &copy, NULL);
      if (proven >= least) {
        test_print_problem(problem, least);
        print_error("%.*s", (int)copy.used, copy.text);
      }
      CHECK(proven < least, "problem %" PRIu64 ": %" PRId64 " is believed, and %" PRId64 " is feasible", number, proven,
            least);
      held += proven >= 0;
      refused += proven < 0;
      free(copy.text);
    }
    free(all.text);
    asc_problem_free(problem);
  }
  test_context_end(context);
  assert_true(held > problems && refused > problems);
}

/* The certificate of one problem, read as that of another, which may fit where the first does not. */
static void others_prove_nothing_false(void **state) {
  (void)state;
  uint32_t problems = test_cases(3000), held = 0;
  asc_context *context = test_context();
  for (uint64_t number = 0; number < problems; number++) {
    asci_rng rng = {99 + number * UINT64_C(0x100000001b3)};
    test_shape shape = shape_of(number);
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    uint32_t count = asc_problem_count(problem);
    asc_buffer_spec specs[BRUTE_BUFFERS];
    for (uint32_t b = 0; b < count; b++) specs[b] = *asc_problem_buffer(problem, b);
    asc_buffer_spec *changed = &specs[asci_random_below(&rng, count > 1 ? count : 1)];
    if (changed->size > 1 && number % 3)
      changed->size--;
    else if (changed->upper - changed->lower > 1 && !changed->gap_count)
      changed->upper--;
    else
      changed->alignment = 1;
    asc_problem *other = test_problem(context, specs, count);
    int64_t least = brute_least_height(problem, HIGHEST), truth = brute_least_height(other, HIGHEST);
    test_options options;
    certificate all = {0};
    exact_variant((uint32_t)(number % exact_variants()), &options);
    if (number % 2) test_option_set(&options, "exchange", "always");
    if (least > 0) asc_run_free(run_with(problem, least - 1, &options, &all));
    int64_t proven = all.used ? certificate_judge(context, other, &all, NULL) : -1;
    CHECK(truth < 0 || proven < truth, "problem %" PRIu64 ": %" PRId64 " is believed, and %" PRId64 " is feasible", number,
          proven, truth);
    held += proven >= 0;
    free(all.text);
    asc_problem_free(other);
    asc_problem_free(problem);
  }
  test_context_end(context);
  assert_true(held > 0);
}

/* ---- refusals and ends ------------------------------------------------------------------------------------------------- */

static bool stop(void *user, const char *text, size_t bytes) {
  (void)text;
  size_t *left = user;
  bool more = *left > bytes;
  *left -= more ? bytes : *left;
  return more;
}

static void a_sink_that_stops_leaves_the_run_as_it_is(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {3};
  test_shape shape = {.min_buffers = 12, .max_buffers = 12, .max_time = 9, .max_size = 9, .max_alignment = 1, .tie = 40};
  asc_problem *problem = test_random_problem(context, &rng, &shape);
  test_options options;
  exact_variant(0, &options);
  options.goal = ASC_GOAL_HEIGHT;
  for (size_t room = 0; room < 400; room += 20) {
    size_t left = room;
    asc_run *plain = run_with(problem, 1000, &options, NULL);
    asc_run_config config = test_config("exact", 1000, &options);
    asc_run *run = test_run_new(problem, &config);
    asc_status status = asc_run_prove(run, stop, &left, NULL);
    assert_true(status == (room > 29 ? ASC_OK : ASC_BAD_ARGUMENT));
    test_finish(run);
    test_same_stats(plain, run, "with a sink that stops");
    asc_run_free(plain);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* Out of memory at each call in turn: the check says so, or the answer is the same; a certificate that could not be written is none. */
static void memory_that_fails(void **state) {
  (void)state;
  for (uint64_t fail_at = 1; fail_at < 400; fail_at++) {
    test_memory memory = {0};
    asc_context *context = test_context_on(&memory);
    asc_problem *problem = six_buffers(context);
    certificate all = {0};
    test_options options;
    exact_variant(0, &options);
    asc_run_config config = test_config("exact", 5, &options);
    asc_run *run = test_run_new(problem, &config);
    memory.calls = 0;
    memory.fail_at = fail_at;
    asc_status status = asc_run_prove(run, certificate_gather, &all, NULL);
    assert_true(status == ASC_OK || status == ASC_OUT_OF_MEMORY);
    asc_outcome outcome;
    if (!status) asc_run_step(run, 1000, &outcome);
    bool whole = !status && outcome == ASC_OUTCOME_INFEASIBLE && asc_run_proven(run) >= 0;
    int64_t proven = -1;
    status = whole ? asc_proof_check(context, problem, all.text, all.used, &proven, NULL) : ASC_OUT_OF_MEMORY;
    assert_true(status == ASC_OUT_OF_MEMORY || (status == ASC_OK && proven == 5));
    bool done = memory.calls < fail_at;
    memory.fail_at = 0;
    asc_run_free(run);
    asc_problem_free(problem);
    free(all.text);
    test_context_end(context);
    if (done) {
      assert_int_equal(status, ASC_OK);
      return;
    }
  }
  fail_msg("400 calls and no end");
}

static void what_has_no_certificates(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_gap gap = {1, 2, 0, 1};
  asc_buffer_spec spec = test_spec(0, 3, 2);
  spec.gaps = &gap;
  spec.gap_count = 1;
  asc_problem *problem = test_problem(context, &spec, 1);
  asc_run_config config = asc_run_config_default("exact", 5);
  asc_run *run = test_run_new(problem, &config);
  certificate all = {0};
  int64_t proven;
  assert_int_equal(asc_run_prove(run, certificate_gather, &all, NULL), ASC_UNSUPPORTED);
  assert_int_equal(asc_proof_check(context, problem, "", 0, &proven, NULL), ASC_UNSUPPORTED);
  assert_int_equal(asc_run_proven(run), -1);
  asc_run_free(run);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_proof_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_prove_what_they_say),
      cmocka_unit_test(sweeps_are_believed),
      cmocka_unit_test(glued_arms_leave_proofs_to_others),
      cmocka_unit_test(damaged_ones_prove_nothing_false),
      cmocka_unit_test(others_prove_nothing_false),
      cmocka_unit_test(a_sink_that_stops_leaves_the_run_as_it_is),
      cmocka_unit_test(memory_that_fails),
      cmocka_unit_test(what_has_no_certificates),
  };
  return cmocka_run_group_tests_name("proof", tests, NULL, NULL);
}
