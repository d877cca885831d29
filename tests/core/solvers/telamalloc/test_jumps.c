/* TelaMalloc's jumps by lot (section 6): which levels are candidates, and that the seed decides among them. */
#include "support.h"

#include <string.h>

typedef struct jumps {
  uint32_t placed[64], depth; /* by level, before the step under way */
  uint32_t back[64], from;    /* what it takes back */
  uint32_t drawn, elsewhere;
} jumps;

static bool is_among(const uint32_t *list, uint32_t count, uint32_t buffer) {
  for (uint32_t k = 0; k < count; k++)
    if (list[k] == buffer) return true;
  return false;
}

/* The culprits of the step, if it has told any, are all candidates; every range of levels has one, that of a range without culprits is its lowest level. */
static void check_jump(const jumps *j, const asc_event *jump, const uint32_t *list, const asc_event *culprits,
                       const uint32_t *blamed) {
  uint32_t count = jump->list_count;
  assert_int_equal(count, jump->jump.of);
  assert_true(is_among(list, count, j->back[jump->jump.level]));
  for (uint32_t k = 0; culprits && k < culprits->list_count; k++) assert_true(is_among(list, count, blamed[k]));
  for (uint32_t top = 0; top < j->from;) {
    uint32_t next = top == 0 ? 5 : top == 5 ? 9 : 2 * top - 1, here = 0, of_conflict = 0;
    for (uint32_t level = top; level < next && level < j->from; level++) {
      here += is_among(list, count, j->back[level]);
      of_conflict += culprits && is_among(blamed, culprits->list_count, j->back[level]);
    }
    assert_true(here > 0);
    if (culprits) assert_int_equal(here, of_conflict ? of_conflict : 1);
    if (culprits && !of_conflict) assert_true(is_among(list, count, j->back[top]));
    top = next;
  }
}

static void follow_jumps(jumps *j, const asc_event *events, uint32_t count, const uint32_t *lists) {
  const asc_event *culprits = NULL;
  for (uint32_t k = 0; k < count; k++) {
    const asc_event *e = &events[k];
    if (e->kind == ASC_EVENT_PLACE) j->placed[j->depth++] = (uint32_t)e->place.buffer;
    if (e->kind == ASC_EVENT_CULPRITS) culprits = e;
    if (e->kind == ASC_EVENT_BACKTRACK) {
      memcpy(j->back, j->placed, sizeof j->back);
      j->from = j->depth;
      j->depth = (uint32_t)e->backtrack.to;
      culprits = NULL;
    }
    if (e->kind != ASC_EVENT_JUMP) continue;
    assert_int_equal(e->jump.level, j->depth);
    j->drawn++;
    j->elsewhere += e->jump.level != e->jump.fallback;
    check_jump(j, e, lists + e->list, culprits, culprits ? lists + culprits->list : NULL);
  }
}

/* Each jump goes to one of the candidates that section 6 names; the seed decides which, and a run of the same seed takes the same. */
static void jumps_are_drawn_among_candidates(void **state) {
  (void)state;
  asc_context *context = test_context();
  jumps all = {0};
  uint64_t digests[3];
  for (uint64_t seed = 0; seed < 9; seed++) {
    asc_problem *problem = NULL;
    int64_t capacity;
    assert_int_equal(asc_generate(context, "synthetic", 40, seed / 3, &problem, &capacity), ASC_OK);
    test_options options = {0};
    test_option_set(&options, "jump", "random");
    test_option_set(&options, "split", "false");
    asc_run_config config = test_config("telamalloc", capacity, &options);
    config.budget = 3000;
    config.seed = seed % 3 == 2 ? 1 : seed % 3;
    asc_run *run = test_run_new(problem, &config);
    asc_log *log;
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    test_finish(run);
    const asc_event *events;
    const uint32_t *lists;
    uint32_t count;
    asc_log_get(log, &events, &count, &lists, NULL);
    all.depth = 0;
    follow_jumps(&all, events, count, lists);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    digests[seed % 3] = stats.digest;
    assert_true(seed % 3 != 2 || digests[2] == digests[1]);
    asc_log_free(log);
    asc_run_free(run);
    asc_problem_free(problem);
  }
  assert_true(digests[0] != digests[1]);
  assert_true(all.drawn > 300 && all.elsewhere > all.drawn / 3 && all.elsewhere < all.drawn);
  test_context_end(context);
}

int run_jumps_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jumps_are_drawn_among_candidates),
  };
  return cmocka_run_group_tests_name("jumps", tests, NULL, NULL);
}
