/* Certificates written by hand: what is none is refused with a line, and what piles and offsets far off come to is believed. */
#include "asc/graph.h"
#include "certificates.h"
#include "damage.h"
#include "exact/test_exact_support.h"
#include "proof/checker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void texts_that_are_none(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",
      "arenascope-proof 1",
      "arenascope-proof 1\nbuffers 7\n",
      "arenascope-proof 1\nbuffers 6\nlemma 1 0:0 #0\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 2 1:0 2:0 3:0 !3\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 1:0 2:0 3:0 !3\nnone 6 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 1:0 2:0 3:1 !3\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 1:0 2:0 3:0 !4\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 1:0 2:0 3:0 !99999999999999999999\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 9999999999999999999\nlemma 1 1:0 2:0 3:0 !3\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 1:0 1:0 2:0 3:0 !3\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 L1\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5 /0\nlemma 1 1:0 2:0 3:0 !3\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5 <6\nlemma 1 1:0 2:0 3:0 !3\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5 <-1\nlemma 1 1:0 2:0 3:0 !3\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5 <4\nlemma 1 1:0 2:0 3:0 !3\nnone 5 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5 <4\nlemma 1 1:0 2:0 3:0 !3\nwithin 5\nlemma 2 1:0 2:0 3:0 L1\nnone 5 L2\n",
      "arenascope-proof 1\nbuffers 6\nwithin 6 /7\nlemma 1 1:0 2:0 3:0 !3\nnone 6 L1\n",
      "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 1:0 2:0 3:0 !3 !3\nnone 5 L1\n",
  };
  asc_context *context = test_context();
  asc_problem *problem = six_buffers(context);
  for (uint32_t k = 0; k < COUNT(texts); k++) {
    certificate all = {(char *)(uintptr_t)texts[k], strlen(texts[k]), 0};
    CHECK(certificate_judge(context, problem, &all, NULL) == -1, "%s", texts[k]);
  }
  static const char good[] = "arenascope-proof 1\nbuffers 6\nwithin 5\nlemma 1 1:0 2:0 3:0 !3\nnone 5 L1\n";
  certificate all = {(char *)(uintptr_t)good, sizeof good - 1, 0};
  assert_int_equal(certificate_judge(context, problem, &all, NULL), 5);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Where one time ends and the next begins two of 2 become one of 1 and one of 3, between two of 3 that stay: no pair of equal sums. */
static asc_problem *full_buffers(asc_context *context, int64_t factor) {
  asc_buffer_spec all[] = {test_spec(0, 1, 2), test_spec(0, 1, 2), test_spec(0, 2, 3),
                           test_spec(1, 3, 1), test_spec(1, 2, 3), test_spec(2, 3, 6)};
  for (uint32_t b = 0; b < COUNT(all); b++) all[b].size *= factor;
  all[2].alignment = factor > 1 ? 4 : 1;
  return test_problem(context, all, COUNT(all));
}

/* What a sweep may not say, or says in vain: all of these problems have a plan. */
static void sweeps_that_are_none(void **state) {
  (void)state;
  static const char *const words[] = {
      "x",          "x0:0:1",        "x-1:0:1",   "x1",     "x1:0",   "x1:0:",  "x1:0:1:x",   "x1:0:0",
      "x1:0:1",     "x1:0:1:2",      "x1:2:1:0",  "x2:0:1", "x5:0:1", "x3:0:1", "x1:0:1:0:1", "x1:7:8",
      "x1:0:1:2:3", "x1:0:1 x1:0:1", "x1:1:2 !0",
  };
  asc_context *context = test_context();
  for (int64_t factor = 1; factor <= 2; factor++) {
    asc_problem *problem = full_buffers(context, factor);
    for (uint32_t k = 0; k < COUNT(words); k++)
      for (int64_t idle = -1; idle < 5; idle++) {
        char text[200];
        int64_t within = 7 * factor + idle;
        int length = snprintf(text, sizeof text,
                              "arenascope-proof 1\nbuffers 6\nwithin %d\nlemma 1 0:0 1:0 2:0 3:0 4:0 5:0 %s\nnone %d L1\n",
                              (int)within, words[k], (int)within);
        certificate all = {text, (size_t)length, 0};
        CHECK(idle < 0 || certificate_judge(context, problem, &all, NULL) == -1, "%s", text);
        if (idle < 0) certificate_judge(context, problem, &all, NULL);
      }
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* Three that live together, two of 5 at multiples of 4 and one of 1: 11 bytes, which no pile of less than 13 holds. */
static void piles_are_believed(void **state) {
  (void)state;
  static const struct {
    const char *set, *end;
    int within;
    bool holds;
  } cases[] = {
      {"0:0 1:0 2:0", "p0", 12, true},  {"0:0 1:0", "p0", 12, true},      {"0:0 1:0 2:0", "p0", 13, false},
      {"0:0 2:0", "p0", 12, false},     {"0:0 1:0 2:0", "p1", 12, false}, {"0:0 1:0 2:0", "p", 12, false},
      {"0:0 1:0 2:0", "!0", 12, false}, {"0:4 1:4", "p0", 16, false}, /* a claim is about where they may lie */
  };
  asc_context *context = test_context();
  asc_buffer_spec all[] = {test_spec(0, 1, 5), test_spec(0, 1, 5), test_spec(0, 1, 1)};
  all[0].alignment = all[1].alignment = 4;
  asc_problem *problem = test_problem(context, all, COUNT(all));
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    char text[160];
    int length = snprintf(text, sizeof text, "arenascope-proof 1\nbuffers 3\nwithin %d\nlemma 1 %s %s\nnone %d L1\n",
                          cases[k].within, cases[k].set, cases[k].end, cases[k].within);
    certificate given = {text, (size_t)length, 0};
    CHECK(certificate_judge(context, problem, &given, NULL) == (cases[k].holds ? cases[k].within : -1), "%s", text);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* Within 8 bytes one of 1 lies at 5 or above beside one of 5 at a multiple of 4; so it is in the way of one of 6 that is fixed at 2. */
static void rises_by_piles_are_believed(void **state) {
  (void)state;
  static const struct {
    const char *steps;
    bool holds;
  } cases[] = {
      {"r0:1:5 p1", true},  {"r0:1:5 !1", true},  {"r0:1:3 p1", true},  {"p1", false},
      {"r0:1:2 p1", true},  {"r0:1:6 p1", false}, {"r1:1:5 p1", false}, {"r0:1 p1", false},
      {"r0:2:5 p1", false}, {"r0:1:1 p1", false}, {"r0:1:5", false},
  };
  asc_context *context = test_context();
  asc_buffer_spec all[] = {test_spec(0, 1, 5), test_spec(0, 2, 1), test_spec(1, 2, 6)};
  all[0].alignment = 4;
  all[2].offset = 2;
  asc_problem *problem = test_problem(context, all, COUNT(all));
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    char text[160];
    int length = snprintf(text, sizeof text, "arenascope-proof 1\nbuffers 3\nwithin 8\nlemma 1 0:0 1:0 2:0 %s\nnone 8 L1\n",
                          cases[k].steps);
    certificate given = {text, (size_t)length, 0};
    CHECK(certificate_judge(context, problem, &given, NULL) == (cases[k].holds ? 8 : -1), "%s", text);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

/* What the checker takes for the next offset that suits, against all offsets in turn. */
static void suited_offsets_are_the_next(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (int64_t alignment = 1; alignment < 14; alignment++)
    for (int64_t bank = 0; bank < 20; bank++)
      for (int64_t size = 1; size <= (bank ? bank : 2); size++) {
        asc_buffer_spec spec = test_spec(0, 1, size);
        spec.alignment = alignment;
        spec.bank = bank;
        asc_problem *problem = test_problem(context, &spec, 1);
        checker c = {.problem = problem};
        for (int64_t from = 0; from < 2 * alignment * (bank + 1); from++) {
          int64_t at = from;
          while (at % alignment || (bank && at % bank + size > bank)) at++;
          CHECK(asci_proof_suited(&c, 0, from) == at, "size %d, alignment %d, bank %d: from %d", (int)size, (int)alignment,
                (int)bank, (int)from);
        }
        asc_problem_free(problem);
      }
  test_context_end(context);
}

/* Where a whole bank is full the next is a common multiple of both: beyond every address, if that is. */
static void suited_offsets_end_with_the_addresses(void **state) {
  (void)state;
  static const int64_t primes[] = {3, 1021, 1048573, 1073741789, 2147483647, 68718952447, 1099511627689};
  asc_context *context = test_context();
  for (uint32_t a = 0; a < COUNT(primes); a++)
    for (uint32_t b = 0; b < COUNT(primes); b++) {
      if (a == b) continue;
      asc_buffer_spec spec = test_spec(0, 1, primes[b]);
      spec.alignment = primes[a];
      spec.bank = primes[b];
      asc_problem *problem = test_problem(context, &spec, 1);
      checker c = {.problem = problem};
      int64_t both = primes[a] <= NOWHERE / primes[b] ? primes[a] * primes[b] : NOWHERE;
      CHECK(asci_proof_suited(&c, 0, 1) == both, "alignment %" PRId64 ", bank %" PRId64, primes[a], primes[b]);
      asc_problem_free(problem);
    }
  test_context_end(context);
}

/* Alignments beside banks of which neither divides the other: the second of two lies at the first common multiple, in the last case
   behind more banks than anybody would try in turn. */
static void far_offsets_are_believed(void **state) {
  (void)state;
  static const int64_t cases[][3] = {
      {64, 63, 64}, {5, 3, 7}, {4096, 4095, 4096}, {8192, 8191, 8192}, {1000003, 1000033, 1000003}};
  asc_context *context = test_context();
  test_options options;
  exact_variant(0, &options);
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    asc_buffer_spec spec = test_spec(0, 1, cases[k][0]), specs[] = {spec, spec};
    for (uint32_t b = 0; b < 2; b++) specs[b].alignment = cases[k][1], specs[b].bank = cases[k][2];
    asc_problem *problem = test_problem(context, specs, 2);
    certificate all = {0};
    asc_diag diag = {0};
    asc_run_config config = test_config("exact", ASC_MAX_BYTES, &options);
    config.goal = ASC_GOAL_HEIGHT;
    asc_run *run = test_run_new(problem, &config);
    assert_int_equal(asc_run_prove(run, certificate_gather, &all, NULL), ASC_OK);
    test_finish(run);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    assert_int_equal(stats.outcome, ASC_OUTCOME_OPTIMAL);
    assert_int_equal(asc_run_proven(run), stats.height - 1);
    int64_t proven = certificate_judge(context, problem, &all, &diag);
    CHECK(proven == stats.height - 1, "bank %d: line %u: %s", (int)cases[k][2], diag.line, diag.message);
    asc_run_free(run);
    asc_problem_free(problem);
    free(all.text);
  }
  test_context_end(context);
}

/* `count` lemmas, and a claim for each, that 16 buffers have no pile within so many bytes. */
static certificate pile_after_pile(uint32_t count, int64_t within) {
  certificate all = {0};
  char line[200];
  int length = snprintf(line, sizeof line, "arenascope-proof 1\nbuffers 16\nwithin %" PRId64 "\n", within);
  certificate_gather(&all, line, (size_t)length);
  for (uint32_t k = 1; k <= count; k++) {
    length = snprintf(line, sizeof line, "lemma %u", k);
    for (uint32_t b = 0; b < 16; b++) length += snprintf(line + length, sizeof line - (size_t)length, " %u:0", b);
    length += snprintf(line + length, sizeof line - (size_t)length, " p0\nnone %" PRId64 " L%u\n", within, k);
    certificate_gather(&all, line, (size_t)length);
  }
  return all;
}

/* Each holds, and takes a million tries: of 10,000 in a certificate of a megabyte the fifth is refused. */
static void no_certificate_takes_for_ever(void **state) {
  (void)state;
  static const int64_t bank = 4096, alignment = 4095;
  asc_context *context = test_context();
  asc_buffer_spec specs[16];
  for (uint32_t b = 0; b < COUNT(specs); b++) {
    specs[b] = test_spec(0, 1, bank);
    specs[b].alignment = alignment;
    specs[b].bank = bank;
  }
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  asc_diag diag = {0};
  int64_t within = 15 * bank * alignment + bank - 1;
  certificate four = pile_after_pile(4, within), many = pile_after_pile(10000, within);
  assert_int_equal(certificate_judge(context, problem, &four, NULL), within);
  assert_int_equal(certificate_judge(context, problem, &many, &diag), -1);
  assert_string_equal(diag.message, "there are too many piles");
  assert_int_equal(diag.line, 3 + 2 * 4 + 1);
  free(four.text);
  free(many.text);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- every small damage ------------------------------------------------------------------------------------------------ */

typedef struct damaged {
  asc_context *context;
  const asc_problem *problem;
  int64_t least;
  uint32_t held, refused;
} damaged;

static void look(void *user, const char *text, size_t bytes) {
  damaged *all = user;
  int64_t proven = -1;
  asc_diag diag = {0};
  asc_status status = asc_proof_check(all->context, all->problem, text, bytes, &proven, &diag);
  CHECK(proven < all->least, "%d is believed, and %d is feasible:\n%.*s", (int)proven, (int)all->least, (int)bytes, text);
  CHECK(!status || (status == ASC_BAD_INPUT && diag.line && diag.message[0]), "no word about\n%.*s", (int)bytes, text);
  *(status ? &all->refused : &all->held) += 1;
}

static int64_t least_height(const asc_problem *problem) {
  test_options options = {.goal = ASC_GOAL_HEIGHT};
  asc_run_config config = test_config("exact", ASC_MAX_BYTES, &options);
  asc_run *run = test_run_new(problem, &config);
  asc_run_stats stats;
  asc_outcome outcome = test_finish(run); /* infeasible: fixed ones are in each other's way */
  assert_true(outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_INFEASIBLE);
  asc_run_stats_get(run, &stats);
  asc_run_free(run);
  return outcome == ASC_OUTCOME_OPTIMAL ? stats.height : INT64_MAX;
}

/* Some forty places of each of the certificates that fuzzing begins from, a problem before each. */
static void damaged_texts_are_refused_with_words(void **state) {
  (void)state;
  static const char others[] = "@+-!#LfsobxprT=:/019 \n\x80", first[] = "arenascope-proof";
  uint32_t held = 0, refused = 0;
  for (uint32_t k = 1; k <= 36; k++) {
    char path[200];
    size_t bytes;
    asc_csv *csv = NULL;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/fuzz_proof/lemmas_%u", ASC_SOURCE_DIR, k);
    char *text = test_read_file(path, &bytes), *begin = strstr(text, first);
    size_t length = bytes - (size_t)(begin - text);
    asc_context *context = test_context();
    assert_int_equal(asc_csv_read(context, text, bytes - length, ASC_OFFSETS_FIXED, &csv, NULL, 0, NULL), ASC_OK);
    damaged all = {.context = context, .problem = asc_csv_problem(csv), .least = least_height(asc_csv_problem(csv))};
    damage_each(begin, length, others, sizeof others - 1, 1 + length / 40, look, &all);
    held += all.held;
    refused += all.refused;
    asc_csv_free(csv);
    free(text);
    test_context_end(context);
  }
  assert_true(held > 1000 && refused > 1000);
}

/* ---- what either checker says ------------------------------------------------------------------------------------------- */

/* One of the corpus, behind its word: "holds BYTES" or "refused WHY", then its lines without the first two. */
static void judge_both_ways(asc_context *context, const asc_problem *problem, const char *block) {
  char text[600];
  const char *lines = strchr(block, '\n') + 1;
  int length = snprintf(text, sizeof text, "arenascope-proof 1\nbuffers %u\n%s\n", asc_problem_count(problem), lines);
  assert_true(length < (int)sizeof text);
  certificate given = {text, (size_t)length, 0};
  asc_diag diag = {0};
  int64_t proven = certificate_judge(context, problem, &given, &diag);
  if (strncmp(block, "holds ", 6) == 0) {
    CHECK(proven == strtoll(block + 6, NULL, 10) && proven < least_height(problem), "%s\n%s", diag.message, block);
  } else {
    size_t words = (size_t)(lines - block) - strlen("refused \n");
    CHECK(proven == -1 && strlen(diag.message) == words && strncmp(block + 8, diag.message, words) == 0, "%s\n%s",
          diag.message, block);
  }
}

static void certificates_for_both_checkers(void **state) {
  (void)state;
  size_t bytes;
  uint32_t judged = 0;
  asc_csv *csv = NULL;
  char *text = test_read_file(ASC_SOURCE_DIR "/tests/corpus/certificates.txt", &bytes), *next = text;
  asc_context *context = test_context();
  text[bytes - 1] = 0; /* the last newline, which no other block has */
  for (char *block = text; next; block = next) {
    next = strstr(block, "\n\n");
    if (next) *next = 0, next += 2;
    if (strncmp(block, "problem\n", 8) == 0) {
      asc_csv_free(csv);
      assert_int_equal(asc_csv_read(context, block + 8, strlen(block + 8), ASC_OFFSETS_FIXED, &csv, NULL, 0, NULL), ASC_OK);
    } else if (*block != '#') {
      judge_both_ways(context, asc_csv_problem(csv), block);
      judged++;
    }
  }
  assert_true(judged > 20);
  asc_csv_free(csv);
  free(text);
  test_context_end(context);
}

/* 256 of one byte may live at a time of an exchange, and no more. */
static void exchanges_of_so_many(void **state) {
  (void)state;
  asc_buffer_spec specs[259];
  asc_context *context = test_context();
  for (uint32_t alive = 256; alive <= 257; alive++) {
    certificate all = {0};
    asc_diag diag = {0};
    char word[100];
    for (uint32_t b = 0; b < alive; b++) specs[b] = test_spec(b ? 0 : 1, 2, 1);
    specs[alive] = test_spec(0, 1, 1);
    asc_problem *problem = test_problem(context, specs, alive + 1);
    certificate_gather(
        &all, word,
        (size_t)snprintf(word, sizeof word, "arenascope-proof 1\nbuffers %u\nwithin %u\nlemma 1", alive + 1, alive));
    for (uint32_t b = 0; b <= alive; b++) certificate_gather(&all, word, (size_t)snprintf(word, sizeof word, " %u:0", b));
    certificate_gather(&all, word, (size_t)snprintf(word, sizeof word, " x1:0:1\nnone %u L1\n", alive));
    assert_int_equal(certificate_judge(context, problem, &all, &diag), -1);
    assert_string_equal(diag.message, alive > 256 ? "too much is idle, or too many are alive there"
                                                  : "there is a way through all exchanges");
    free(all.text);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

/* By hand what no small damage comes to. What is believed is true: `look` asks the solver. */
static void texts_about_every_constraint(void **state) {
  (void)state;
  static const char *const lemmas[] = {
      "@1 +0 !1 +1 o0 !1 - !1",
      "@1 +1 !1 +0 o1 !1 - !1",
      "@1 +0 !1 +2 o0 !1 - !1",
      "@1 +2 !1 +0 o2 !1 - !1",
      "@1 +0 !1 +5 o0 !1 - !1",
      "@1 +5 !1 +0 o5 !1 - !1",
      "@1 +0 !1 +3 o0 !1 - !1",
      "@1 +0 !1 +1 =0 - !1",
      "@1 +0 !1 +2 =0 - !1",
      "@1 +0 !1 +4 =0 - !1",
      "@1 +0 !1 +5 =0 - !1",
      "@1 +0 !1 +3 =0 - !1",
      "@1 +0 x1:1:2 - !1",
      "@1 +0 x1:1 - !1",
      "@1 - x1:1:2",
      "@1 +0 p1 - p1",
      "@1 +9 abc",
      "@1 +9",
      "@1 +6 ",
      "@1 -",
      "@1 - - !1",
      "x2:1:3",
      "x3:1:3",
      "x4:1:3",
      "x1:1:1",
      "x1:1:3",
      "p1",
      "#0",
      "#9",
      "L0",
      "L1",
      "L9",
  };
  static const char *const sets[] = {"0:0 1:0 2:0 3:0 4:0 5:0", "0:0 1:0 3:0 5:0", "0:10 4:0", "0:1 3:1 4:8", "2:0 1:4 0:0"};
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 4, 5), test_spec(0, 4, 5), test_spec(0, 4, 5),
                             test_spec(0, 4, 5), test_spec(0, 2, 4), test_spec(0, 4, 6)};
  specs[1].bank = 8;
  specs[2].offset = 0;
  specs[5].alignment = 2;
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  damaged all = {.context = context, .problem = problem, .least = least_height(problem)};
  for (uint32_t s = 0; s < COUNT(sets); s++)
    for (uint32_t k = 0; k < COUNT(lemmas); k++)
      for (int within = 8; within < 40; within += 6)
        for (int round = 1; round < 4; round++) {
          char text[300];
          int length = snprintf(text, sizeof text,
                                "arenascope-proof 1\nbuffers 6\nwithin %d /%d\nlemma 1 %s %s\nnone %d L1\nwithin %d\n"
                                "lemma 2 %s L1\nnone %d L2\nlemma 3 %s @3 +0 !1 - L1\nnone %d L3",
                                within, round, sets[s], lemmas[k], within, within, sets[s], within, sets[s], within);
          look(&all, text, (size_t)length);
          look(&all, text, (size_t)(strstr(text, "none") - text) - 1); /* the end of the lemma is the text's */
        }
  assert_true(all.refused > 0);
  asc_problem_free(problem);
  test_context_end(context);
}

/* More heights of a pile, and more in it, than the checker goes through. */
static void piles_without_end(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[18];
  char set[200] = "", text[400];
  size_t used = 0;
  for (uint32_t b = 0; b < COUNT(specs); b++) {
    specs[b] = test_spec(0, 1, INT64_C(1) << b);
    used += (size_t)snprintf(set + used, sizeof set - used, " %u:0", b);
  }
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  static const char *const ends[][2] = {{"s0:17 !0", "there are too many heights"},
                                        {"p0", "there are too many in the pile"}};
  for (uint32_t k = 0; k < COUNT(ends); k++) {
    asc_diag diag = {0};
    int length = snprintf(text, sizeof text, "arenascope-proof 1\nbuffers 18\nwithin 262143\nlemma 1%s %s\nnone 262143 L1\n",
                          set, ends[k][0]);
    certificate all = {text, (size_t)length, 0};
    assert_int_equal(certificate_judge(context, problem, &all, &diag), -1);
    assert_string_equal(diag.message, ends[k][1]);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

static void what_cannot_be_proved(void **state) {
  (void)state;
  static const char graph_text[] = "tensor,x,8,input\ntensor,y,8,output\nop,f,F,x,y\n";
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_run *run = NULL;
  size_t count;
  certificate all = {0};
  asc_problem *problem = six_buffers(context);
  asc_run_config config = asc_run_config_default("exact", 5), of_graph = asc_run_config_default("cosma", 16);
  run = test_run_new(problem, &config);
  assert_int_equal(asc_run_step(run, 1, NULL), ASC_OK);
  assert_int_equal(asc_run_prove(run, certificate_gather, &all, NULL), ASC_BAD_ARGUMENT); /* it has begun */
  asc_run_free(run);
  config.capacity = 100;
  run = test_run_new(problem, &config);
  assert_int_equal(asc_run_prove(run, certificate_gather, &all, NULL), ASC_OK);
  assert_int_equal(asc_run_prove(run, certificate_gather, &all, NULL), ASC_BAD_ARGUMENT); /* it writes one already */
  asc_run_free(run);
  assert_int_equal(asc_graph_csv_read(context, graph_text, sizeof graph_text - 1, &graph, NULL, 0, &count), ASC_OK);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  assert_int_equal(asc_run_new(asc_input_graph(lowering), &of_graph, &run, NULL), ASC_OK);
  assert_int_equal(asc_run_prove(run, certificate_gather, &all, NULL), ASC_UNSUPPORTED);
  asc_run_free(run);
  static const char *const texts[] = {"pool,far,9\nid,lower,upper,size,pool\na,0,2,4,far\n",
                                      "id,lower,upper,size,shape\na,0,2,4,0-2@0:4\n",
                                      "id,lower,upper,size,gaps\na,0,4,4,1-2@0:2\n"};
  static const char *const features[] = {"pool", "shape", "gaps"};
  for (uint32_t k = 0; k < COUNT(texts); k++) {
    asc_csv *csv = NULL;
    int64_t proven;
    const char *solver = k == 1 ? "taa-exact" : "exact";
    asc_diag why, checked;
    asc_run_config odd = asc_run_config_default(solver, 9);
    assert_int_equal(asc_csv_read(context, texts[k], strlen(texts[k]), ASC_OFFSETS_FIXED, &csv, NULL, 0, &count), ASC_OK);
    run = test_run_new(asc_csv_problem(csv), &odd);
    assert_int_equal(asc_run_prove(run, certificate_gather, &all, &why), ASC_UNSUPPORTED);
    assert_string_equal(why.field, features[k]);
    assert_int_equal(asc_proof_check(context, asc_csv_problem(csv), "", 0, &proven, &checked), ASC_UNSUPPORTED);
    assert_string_equal(checked.field, features[k]);
    asc_run_free(run);
    asc_csv_free(csv);
  }
  int64_t proven;
  asc_buffer_spec anywhere = test_spec(0, 1, 1);
  anywhere.pool = ASC_POOL_ANY;
  asc_problem *unbound = test_problem(context, &anywhere, 1);
  assert_int_equal(asc_proof_check(context, unbound, "", 0, &proven, NULL), ASC_UNSUPPORTED);
  asc_problem_free(unbound);
  free(all.text);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_proof_texts_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_that_are_none),
      cmocka_unit_test(sweeps_that_are_none),
      cmocka_unit_test(piles_are_believed),
      cmocka_unit_test(suited_offsets_are_the_next),
      cmocka_unit_test(suited_offsets_end_with_the_addresses),
      cmocka_unit_test(far_offsets_are_believed),
      cmocka_unit_test(no_certificate_takes_for_ever),
      cmocka_unit_test(damaged_texts_are_refused_with_words),
      cmocka_unit_test(rises_by_piles_are_believed),
      cmocka_unit_test(certificates_for_both_checkers),
      cmocka_unit_test(exchanges_of_so_many),
      cmocka_unit_test(texts_about_every_constraint),
      cmocka_unit_test(piles_without_end),
      cmocka_unit_test(what_cannot_be_proved),
  };
  return cmocka_run_group_tests_name("proof_texts", tests, NULL, NULL);
}
