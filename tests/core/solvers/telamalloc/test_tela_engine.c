/* TelaMalloc's constraint engine: its domains against a fixpoint computed without any cleverness, its explanations by placing what they name
 * alone, both on thousands of random problems with every constraint there is; and the cases that can be followed by hand. */
#include "support.h"

#include "solve/telamalloc/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 12 };

/* ---- by hand --------------------------------------------------------------------------------------------------------- */

typedef struct hand {
  asc_context *context;
  asc_problem *problem;
  tela_engine engine;
  tela_mark before;
  uint32_t level, last;
} hand;

/* The root's propagation in as many parts as it takes. */
static void make(tela_engine *e, const asc_problem *problem, int64_t capacity, bool tetris) {
  assert_int_equal(asci_tela_engine(e, problem, capacity, tetris), ASC_OK);
  tela_result result = TELA_STOPPED;
  while (result == TELA_STOPPED) result = asci_tela_root(e, 0);
  assert_int_equal(result, TELA_OK);
}

static void begin(hand *h, const asc_buffer_spec *specs, uint32_t count, int64_t capacity) {
  h->context = test_context();
  h->problem = test_problem(h->context, specs, count);
  h->level = 0;
  make(&h->engine, h->problem, capacity, false);
}

static tela_result put(hand *h, uint32_t buffer, int64_t position) {
  h->before = asci_tela_mark(&h->engine);
  h->last = buffer;
  return asci_tela_place(&h->engine, buffer, position, h->level++);
}

static void domain(const hand *h, uint32_t buffer, int64_t low, int64_t high) {
  const tela_item *item = &h->engine.items[buffer];
  CHECK(item->low == low && item->high == high, "b%u is in [%d, %d]", buffer, (int)item->low, (int)item->high);
}

/* Placing the buffer must fail for those levels alone, given highest first. */
static void fails_for(hand *h, uint32_t buffer, int64_t position, const uint32_t *levels, uint32_t count) {
  assert_int_equal(put(h, buffer, position), TELA_EMPTY);
  assert_true(asci_tela_explain(&h->engine));
  assert_int_equal(h->engine.reason_count, count);
  assert_memory_equal(h->engine.reason, levels, count * sizeof *levels);
  asci_tela_undo(&h->engine, &h->before, buffer);
}

static void end(hand *h) {
  asci_tela_engine_free(&h->engine);
  asc_problem_free(h->problem);
  test_context_end(h->context);
}

/* What is asked below 0 begins there, what is made ready twice is so once, and nobody goes where its domain has ended. */
static void what_is_beyond_a_domain_is_empty(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(0, 2, 4), test_spec(0, 2, 3)};
  hand h;
  begin(&h, specs, 2, 10);
  assert_int_equal(asci_tela_up(&h.engine, 0, -3), 0);
  assert_int_equal(asci_tela_root(&h.engine, 0), TELA_OK);
  domain(&h, 0, 0, 6);
  assert_int_equal(put(&h, 0, 7), TELA_EMPTY);
  asci_tela_undo(&h.engine, &h.before, 0);
  domain(&h, 0, 0, 6);
  assert_int_equal(put(&h, 0, 6), TELA_OK);
  domain(&h, 1, 0, 3);
  end(&h);
}

/* b2 fits neither in 0..3 nor in 7..10 once b1 is at 3; b0 is elsewhere in time. */
static void an_irrelevant_placement_is_not_blamed(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(5, 6, 1), test_spec(0, 2, 4), test_spec(0, 2, 4)};
  hand h;
  begin(&h, specs, 3, 10);
  assert_int_equal(put(&h, 0, 0), TELA_OK);
  fails_for(&h, 1, 3, (const uint32_t[]){1}, 1);
  end(&h);
}

static void two_placements_share_the_blame(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(0, 2, 3), test_spec(2, 4, 3), test_spec(1, 3, 4)};
  hand h;
  begin(&h, specs, 3, 10);
  assert_int_equal(put(&h, 0, 0), TELA_OK);
  domain(&h, 2, 3, 6);
  fails_for(&h, 1, 4, (const uint32_t[]){1, 0}, 2);
  end(&h);
}

/* With b2 at 0 b1 cannot be below b0 (3 + 4 > 6), so it is above, and b0 has room for nothing below it. */
static void the_order_of_two_unplaced_is_implied(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(0, 4, 4), test_spec(2, 6, 4), test_spec(4, 6, 3), test_spec(0, 1, 3)};
  hand h;
  begin(&h, specs, 4, 10);
  assert_int_equal(put(&h, 2, 0), TELA_OK);
  domain(&h, 0, 0, 2);
  domain(&h, 1, 4, 6);
  fails_for(&h, 3, 0, (const uint32_t[]){1, 0}, 2);
  end(&h);
}

/* b3 at 7 leaves b0 the positions 0..3; b2 alone excludes them, so that b1, which raised b0 first, is not to blame. */
static void only_what_is_needed_is_blamed(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(0, 4, 4), test_spec(0, 1, 2), test_spec(1, 2, 5), test_spec(2, 3, 3)};
  hand h;
  begin(&h, specs, 4, 12);
  assert_int_equal(put(&h, 1, 0), TELA_OK);
  domain(&h, 0, 2, 8);
  assert_int_equal(put(&h, 2, 0), TELA_OK);
  domain(&h, 0, 5, 8);
  fails_for(&h, 3, 7, (const uint32_t[]){2, 1}, 2);
  end(&h);
}

static void positions_are_aligned(void **state) {
  (void)state;
  asc_buffer_spec specs[] = {test_spec(0, 2, 3), test_spec(0, 2, 4), test_spec(0, 2, 5)};
  specs[1].alignment = 8;
  hand h;
  begin(&h, specs, 3, 16);
  assert_int_equal(put(&h, 0, 0), TELA_OK);
  domain(&h, 1, 8, 8);
  domain(&h, 2, 3, 3);
  end(&h);
  begin(&h, specs, 2, 11); /* 8 + 4 > 11: b1 can only be at 0, before any decision */
  domain(&h, 1, 0, 0);
  domain(&h, 0, 4, 8);
  fails_for(&h, 0, 0, (const uint32_t[]){0}, 1); /* it alone */
  end(&h);
  specs[1].alignment = 1;
  specs[1].bank = 8;
  begin(&h, specs, 2, 11); /* not across 8: b1 is in 0..4 */
  domain(&h, 1, 0, 4);
  assert_int_equal(put(&h, 0, 2), TELA_EMPTY);
  end(&h);
}

/* The lowest feasible position passes over a hole that is too small, and takes one that fits. */
static void holes_are_found(void **state) {
  (void)state;
  const asc_buffer_spec specs[] = {test_spec(0, 2, 2), test_spec(1, 3, 3), test_spec(0, 3, 3), test_spec(0, 3, 4)};
  hand h;
  begin(&h, specs, 4, 13);
  assert_int_equal(put(&h, 0, 0), TELA_OK);
  assert_int_equal(put(&h, 1, 5), TELA_OK);
  domain(&h, 2, 2, 2);
  domain(&h, 3, 8, 9);
  end(&h);
}

/* ---- a fixpoint without cleverness ----------------------------------------------------------------------------------- */

typedef struct naive {
  const asc_problem *problem;
  int64_t capacity;
  int64_t low[MOST], high[MOST];
  bool empty;
} naive;

static bool allowed(const naive *f, uint32_t buffer, int64_t position) {
  const asc_buffer_spec *spec = &f->problem->buffers[buffer];
  return position >= 0 && position + spec->size <= f->capacity && position % spec->alignment == 0 &&
         (spec->bank == 0 || position % spec->bank + spec->size <= spec->bank) &&
         (spec->offset == ASC_UNPLACED || spec->offset == position);
}

static bool trim(naive *f, uint32_t b) {
  int64_t low = f->low[b], high = f->high[b];
  while (f->low[b] <= f->high[b] && !allowed(f, b, f->low[b])) f->low[b]++;
  while (f->low[b] <= f->high[b] && !allowed(f, b, f->high[b])) f->high[b]--;
  if (f->low[b] > f->high[b]) f->empty = true;
  return low != f->low[b] || high != f->high[b];
}

/* Piece against piece: if one cannot be below the other it is above. True if a bound moved. */
static bool tighten_pair(naive *f, uint32_t a, const asci_piece *p, uint32_t b, const asci_piece *q) {
  if (p->first >= q->end || q->first >= p->end || f->low[a] + p->window_upper <= f->high[b] + q->window_lower) return false;
  int64_t low = f->low[b] + q->window_upper - p->window_lower, high = f->high[a] + p->window_lower - q->window_upper;
  bool moved = low > f->low[a] || high < f->high[b];
  if (low > f->low[a]) f->low[a] = low;
  if (high < f->high[b]) f->high[b] = high;
  return moved;
}

static bool tighten(naive *f, uint32_t a, uint32_t b) {
  const asc_problem *problem = f->problem;
  bool moved = false;
  for (uint32_t p = problem->piece_begin[a]; p < problem->piece_begin[a + 1]; p++)
    for (uint32_t q = problem->piece_begin[b]; q < problem->piece_begin[b + 1]; q++)
      moved |= tighten_pair(f, a, &problem->pieces[p], b, &problem->pieces[q]);
  return moved;
}

static bool occupies(const asc_problem *problem, uint32_t b) {
  return problem->piece_begin[b] < problem->piece_begin[b + 1];
}

static void settle(naive *f) {
  bool moved = true;
  while (moved && !f->empty) {
    moved = false;
    for (uint32_t a = 0; a < f->problem->count && !f->empty; a++) {
      if (!occupies(f->problem, a)) continue;
      for (uint32_t b = 0; b < f->problem->count; b++)
        if (a != b) moved |= tighten(f, a, b);
      moved |= trim(f, a);
    }
  }
}

static naive naive_root(const asc_problem *problem, int64_t capacity) {
  naive f = {.problem = problem, .capacity = capacity};
  for (uint32_t b = 0; b < problem->count; b++) f.high[b] = capacity;
  settle(&f);
  return f;
}

static void compare(const naive *f, const tela_engine *e, bool empty, uint64_t number) {
  if (empty != f->empty) {
    test_print_problem(f->problem, f->capacity);
    fail_msg("problem %" PRIu64 ": empty %d, naively %d", number, empty, f->empty);
  }
  for (uint32_t b = 0; !empty && b < f->problem->count; b++) {
    if (!occupies(f->problem, b) || (e->items[b].low == f->low[b] && e->items[b].high == f->high[b])) continue;
    test_print_problem(f->problem, f->capacity);
    fail_msg("problem %" PRIu64 ": b%u in [%d, %d], naively [%d, %d]", number, b, (int)e->items[b].low,
             (int)e->items[b].high, (int)f->low[b], (int)f->high[b]);
  }
}

/* ---- at random ------------------------------------------------------------------------------------------------------- */

typedef struct walk {
  asc_problem *problem;
  int64_t capacity;
  uint64_t number;
  asci_rng *rng;
  bool tetris;
  tela_engine engine;
  tela_mark marks[MOST];
  uint32_t placed[MOST];
  int64_t position[MOST];
  uint32_t depth;
} walk;

static test_shape shape_of(uint64_t number) {
  test_shape shape = {.min_buffers = 4,
                      .max_buffers = MOST,
                      .max_time = 4 + (int64_t)(number % 9),
                      .max_size = number % 3 ? 5 : 9,
                      .max_alignment = 1,
                      .max_fixed = 12,
                      .tie = 30,
                      .zero = 3};
  uint64_t variety = number / 5 % 16;
  if (variety & 1) shape.max_alignment = 4;
  if (variety & 2) shape.fixed = 8;
  if (variety & 4) shape.gap = 30;
  if ((variety & 12) == 12) shape.window = 60;
  if (variety & 8) shape.bank = 20;
  return shape;
}

/* What the explanation names, placed alone and in order, in an engine that has seen nothing else: the last of them must fail. (Where buffers
   fall on a skyline it may fail earlier: a buffer that was below and is left out now has to go above.) */
static void check_reason(const walk *w, uint32_t buffer, int64_t position) {
  tela_engine alone;
  const tela_engine *e = &w->engine;
  make(&alone, w->problem, w->capacity, w->tetris);
  tela_result result = alone.hopeless ? TELA_EMPTY : TELA_OK;
  for (uint32_t k = e->reason_count; k-- > 0;) {
    uint32_t level = e->reason[k];
    assert_true(level <= w->depth);
    if (result == TELA_EMPTY && w->tetris) break;
    CHECK(result == TELA_OK, "problem %" PRIu64 ": fails before the last of its reasons", w->number);
    result = asci_tela_place(&alone, level == w->depth ? buffer : w->placed[level],
                             level == w->depth ? position : w->position[level], level);
  }
  if (result != TELA_EMPTY) {
    test_print_problem(w->problem, w->capacity);
    fail_msg("problem %" PRIu64 ": %u reasons for b%u at %d do not fail", w->number, e->reason_count, buffer, (int)position);
  }
  asci_tela_engine_free(&alone);
}

typedef struct tally {
  uint64_t placed, failed, fewer; /* fewer: reasons that are not all placements */
} tally;

static bool choose(walk *w, uint32_t *buffer, int64_t *position) {
  const tela_engine *e = &w->engine;
  uint32_t n = w->problem->count, skip = (uint32_t)asci_random_below(w->rng, n);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t b = (k + skip) % n;
    if (e->level[b] != ASC_NONE || !occupies(w->problem, b)) continue;
    *buffer = b;
    *position = e->items[b].low;
    if (!w->tetris && asci_random_below(w->rng, 3) == 0)
      *position = asci_tela_up(e, b, asci_random_between(w->rng, e->items[b].low, e->items[b].high));
    if (w->tetris && !asci_tela_is_fixed(e, b)) *position = asci_tela_up(e, b, e->sky[b]);
    return true;
  }
  return false;
}

static void take_back(walk *w) {
  w->depth--;
  asci_tela_undo(&w->engine, &w->marks[w->depth], w->placed[w->depth]);
}

static void compare_placed(const walk *w, uint32_t buffer, int64_t position, bool empty) {
  naive f = naive_root(w->problem, w->capacity);
  for (uint32_t k = 0; k < w->depth; k++) f.low[w->placed[k]] = f.high[w->placed[k]] = w->position[k];
  if (position < f.low[buffer] || position > f.high[buffer]) f.empty = true;
  f.low[buffer] = f.high[buffer] = position;
  settle(&f);
  compare(&f, &w->engine, empty, w->number);
}

static void wander(walk *w, tally *sum) {
  uint32_t buffer = 0;
  int64_t position = 0;
  for (int k = 0; k < 40 && choose(w, &buffer, &position); k++) {
    w->marks[w->depth] = asci_tela_mark(&w->engine);
    tela_result result = asci_tela_place(&w->engine, buffer, position, w->depth);
    assert_true(result != TELA_MEMORY);
    if (!w->tetris) compare_placed(w, buffer, position, result == TELA_EMPTY);
    if (result == TELA_OK) {
      w->placed[w->depth] = buffer;
      w->position[w->depth++] = position;
      sum->placed++;
      continue;
    }
    assert_true(asci_tela_explain(&w->engine));
    check_reason(w, buffer, position);
    sum->failed++;
    sum->fewer += w->engine.reason_count < w->depth + 1;
    asci_tela_undo(&w->engine, &w->marks[w->depth], buffer);
    for (uint64_t back = asci_random_below(w->rng, 3); back && w->depth; back--) take_back(w);
  }
  while (w->depth) take_back(w);
  for (uint32_t b = 0; b < w->problem->count; b++)
    assert_memory_equal(&w->engine.items[b], &w->engine.root[b], sizeof *w->engine.items);
}

static void domains_and_reasons_hold(void **state) {
  (void)state;
  asc_context *context = test_context();
  tally sum = {0};
  uint32_t cases = test_cases(12000), hopeless = 0;
  for (uint64_t number = 0; number < cases; number++) {
    asci_rng rng = {UINT64_C(0x7e1a) + number * UINT64_C(0x100000001b3)};
    test_shape shape = shape_of(number);
    walk w = {.number = number, .rng = &rng, .tetris = number % 4 == 3};
    w.problem = test_random_problem(context, &rng, &shape);
    w.capacity = asc_problem_lower_bound(w.problem) + asci_random_between(&rng, -1, 4);
    if (w.capacity < 0) w.capacity = 0;
    make(&w.engine, w.problem, w.capacity, w.tetris);
    naive root = naive_root(w.problem, w.capacity);
    compare(&root, &w.engine, w.engine.hopeless, number);
    hopeless += w.engine.hopeless;
    if (!w.engine.hopeless) wander(&w, &sum);
    asci_tela_engine_free(&w.engine);
    asc_problem_free(w.problem);
  }
  printf("%d placed, %d failures explained, %d of them by fewer than all placements, %u hopeless\n", (int)sum.placed,
         (int)sum.failed, (int)sum.fewer, hopeless);
  assert_true(sum.failed > cases && sum.fewer > cases / 2 && hopeless > cases / 20 && hopeless < cases / 2);
  test_context_end(context);
}

int run_tela_engine_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_beyond_a_domain_is_empty),
      cmocka_unit_test(an_irrelevant_placement_is_not_blamed),
      cmocka_unit_test(two_placements_share_the_blame),
      cmocka_unit_test(the_order_of_two_unplaced_is_implied),
      cmocka_unit_test(only_what_is_needed_is_blamed),
      cmocka_unit_test(positions_are_aligned),
      cmocka_unit_test(holes_are_found),
      cmocka_unit_test(domains_and_reasons_hold),
  };
  return cmocka_run_group_tests_name("tela_engine", tests, NULL, NULL);
}
