/* TelaMalloc's learned backtracking: its tables say what the library that trained them says, each jump follows its scores, and what the model is told of
 * survives a save. */
#include "support.h"

#include "solve/telamalloc/learned.h"

#include <stdlib.h>
#include <string.h>

typedef struct pair { /* of a training row */
  int16_t features[TELA_FEATURES];
  int32_t score;     /* by the tables, as the trainer walks them */
  int32_t predicted; /* by the library, before anything was rounded */
} pair;

static const pair pairs[] = {
#include "learned_pairs.inc"
};

enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Each leaf and the initial value was rounded by at most half of a unit. */
static void tables_score_as_trained(void **state) {
  (void)state;
  int32_t least = TELA_SCORES, most = 0;
  for (uint32_t k = 0; k < PAIRS; k++) {
    int32_t score = asci_tela_score(pairs[k].features);
    assert_int_equal(score, pairs[k].score);
    assert_in_range(abs(score - pairs[k].predicted), 0, asci_tela_tree_count / 2 + 1);
    if (score < least) least = score;
    if (score > most) most = score;
  }
  assert_int_equal(PAIRS, 200);
  assert_true(most - least > TELA_SCORES / 2);
}

/* What a walk over the tables relies on: every step goes forward, and no tree leaves itself. */
static void trees_are_whole(void **state) {
  (void)state;
  for (uint32_t t = 0; t < asci_tela_tree_count; t++) {
    const tela_node *root = asci_tela_nodes + asci_tela_trees[t], *node = root;
    uint32_t open = 1;
    for (; open; node++) {
      open += node->feature == TELA_LEAF ? UINT32_MAX : 1;
      if (node->feature == TELA_LEAF) continue;
      assert_in_range(node->feature, 0, TELA_FEATURES - 1);
      assert_in_range(node->skip, 2, 254);
    }
    if (t + 1 < asci_tela_tree_count) assert_int_equal(asci_tela_trees[t + 1], node - asci_tela_nodes);
  }
}

/* ---- jumps ----------------------------------------------------------------------------------------------------------- */

typedef struct counts {
  uint32_t learned, drawn, elsewhere;
} counts;

/* Every candidate is scored once, the deepest first, and the way back goes to the best if it reaches the threshold. */
static void check_jump(const asc_event *jump, const asc_event *scores, uint32_t count, counts *all) {
  const asc_event *best = NULL, *chosen = NULL;
  assert_int_equal(jump->jump.of, count);
  assert_true(jump->jump.learned);
  for (uint32_t k = 0; k < count; k++) {
    const asc_event_score *of = &scores[k].score;
    assert_in_range(of->score, 0, TELA_SCORES);
    assert_in_range(of->weighted, 0, of->score);
    if (k) assert_true(of->level < scores[k - 1].score.level);
    if (of->chosen) assert_null(chosen);
    if (of->best) assert_null(best);
    if (of->chosen) chosen = &scores[k];
    if (of->best) best = &scores[k];
  }
  assert_non_null(best);
  assert_non_null(chosen);
  for (uint32_t k = 0; k < count; k++) assert_true(scores[k].score.weighted <= best->score.weighted);
  assert_int_equal(chosen->score.level, jump->jump.level);
  assert_true(jump->jump.drawn == (best->score.weighted < jump->jump.threshold));
  if (!jump->jump.drawn) assert_ptr_equal(best, chosen);
  all->learned += !jump->jump.drawn;
  all->drawn += jump->jump.drawn != 0;
  all->elsewhere += jump->jump.level != jump->jump.fallback;
}

static asc_run_config learned_config(test_options *options, int64_t capacity, uint64_t budget) {
  test_option_set(options, "jump", "learned");
  asc_run_config config = test_config("telamalloc", capacity, options);
  config.budget = budget;
  return config;
}

static void jumps_follow_their_scores(void **state) {
  (void)state;
  asc_context *context = test_context();
  counts all = {0};
  for (uint64_t seed = 0; seed < 4; seed++) {
    asc_problem *problem = NULL;
    int64_t capacity;
    assert_int_equal(asc_generate(context, "synthetic", 40, seed, &problem, &capacity), ASC_OK);
    test_options options = {0};
    asc_run_config config = learned_config(&options, capacity, 3000);
    asc_run *run = test_run_new(problem, &config);
    asc_log *log;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    test_finish(run);
    const asc_event *events;
    const uint32_t *lists;
    uint32_t count;
    asc_log_get(log, &events, &count, &lists, NULL);
    for (uint32_t k = 0; k < count; k++) {
      uint32_t end = k + 1;
      if (events[k].kind != ASC_EVENT_JUMP) continue;
      while (end < count && events[end].kind == ASC_EVENT_SCORE) end++;
      check_jump(&events[k], events + k + 1, end - k - 1, &all);
    }
    asc_log_free(log);
    asc_run_free(run);
    asc_problem_free(problem);
  }
  assert_true(all.learned > 100 && all.drawn > 10 && all.elsewhere > 100);
  test_context_end(context);
}

/* Who was blamed and how often it came back is not to be seen in what is placed. */
static void a_saved_search_takes_the_same_jumps(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  int64_t capacity;
  assert_int_equal(asc_generate(context, "synthetic", 40, 1, &problem, &capacity), ASC_OK);
  test_options options = {0};
  asc_run_config config = learned_config(&options, capacity, 6000);
  for (uint64_t at = 500; at < 6000; at += 1100) {
    asc_run *run = test_run_new(problem, &config), *other = test_run_new(problem, &config);
    const uint8_t *bytes;
    size_t count;
    asc_outcome outcome;
    assert_int_equal(asc_run_step(run, at, &outcome), ASC_OK);
    assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
    assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
    test_finish(run);
    test_finish(other);
    test_same_stats(run, other, "loaded");
    asc_run_free(run);
    asc_run_free(other);
  }
  asc_problem_free(problem);
  test_context_end(context);
}

int run_learned_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_score_as_trained),
      cmocka_unit_test(trees_are_whole),
      cmocka_unit_test(jumps_follow_their_scores),
      cmocka_unit_test(a_saved_search_takes_the_same_jumps),
  };
  return cmocka_run_group_tests_name("learned", tests, NULL, NULL);
}
