/* The tree that answers first fit: as the naive rule answers, whatever was placed and taken out before. */
#include "awkward.h"
#include "naive_fit.h"

#include "base/sort.h"
#include "model/fit/tree.h"
#include "model/fit/windows.h"
#include "model/lifespan/overlaps.h"

#include <stdlib.h>

/* What collect says is what time says, each once. Returns how many they are. */
static uint32_t same_neighbours(asci_fit_tree *tree, uint32_t buffer) {
  const asc_problem *problem = tree->problem;
  uint32_t expected = 0;
  bool *found = calloc(problem->count, sizeof *found);
  assert_non_null(found);
  assert_true(asci_fit_collect(tree, buffer));
  for (size_t k = 0; k < tree->found_count; k++) {
    CHECK(!found[tree->found[k]], "b%u was found twice with b%u", tree->found[k], buffer);
    found[tree->found[k]] = true;
  }
  for (uint32_t b = 0; b < problem->count; b++) {
    bool is = b != buffer && tree->offsets[b] != ASC_UNPLACED &&
              naive_alive_together(&problem->buffers[buffer], &problem->buffers[b]);
    CHECK(is == found[b], "b%u alive with b%u: %d, found %d", b, buffer, is, found[b]);
    expected += is;
  }
  free(found);
  return expected;
}

/* Asks where a buffer may go, as the solvers ask: one with a fixed offset may go there or nowhere. Where it goes then. */
static int64_t ask(asci_fit_tree *tree, asci_rng *rng, uint32_t b) {
  const asc_buffer_spec *spec = &tree->problem->buffers[b];
  bool fixed = spec->offset != ASC_UNPLACED && asci_random_below(rng, 2);
  int64_t from = asci_random_below(rng, 4) ? 0 : (int64_t)asci_random_below(rng, 50);
  int64_t most = asci_random_below(rng, 3) ? ASC_MAX_BYTES : (int64_t)asci_random_below(rng, 400);
  if (fixed) from = spec->offset, most = spec->offset + spec->size;
  int64_t expected = naive_lowest(tree->problem, tree->offsets, b, from, most), got = asci_fit_lowest(tree, b, from, most);
  CHECK(expected == got, "b%u from %d: %d, expected %d", b, (int)from, (int)got, (int)expected);
  if (fixed) return spec->offset;
  return asci_random_below(rng, 8) ? got : (int64_t)asci_random_below(rng, 60);
}

/* Places at the lowest offset mostly, sometimes anywhere and over others; takes out now and then. Returns how many levels the tree has. */
static uint32_t wander(asc_problem *problem, asci_rng *rng, uint32_t steps) {
  asci_fit_tree tree;
  asci_fit_blocks blocks = asci_random_below(rng, 2) ? ASCI_FIT_SWIFT : ASCI_FIT_SPARING;
  assert_int_equal(asci_fit_tree_new(problem, blocks, &tree), ASC_OK);
  uint32_t levels = tree.levels;
  for (uint32_t step = 0; problem->count && step < steps; step++) {
    uint32_t b = (uint32_t)asci_random_below(rng, problem->count);
    if (tree.offsets[b] != ASC_UNPLACED) {
      if (asci_random_below(rng, 3) == 0) asci_fit_remove(&tree, b);
      continue;
    }
    int64_t offset = ask(&tree, rng, b);
    if (step % 16 == 0) same_neighbours(&tree, b);
    if (offset != ASC_UNPLACED) assert_true(asci_fit_place(&tree, b, offset));
    if (asci_random_below(rng, 300 + steps) == 0) asci_fit_tree_clear(&tree);
  }
  assert_false(tree.no_memory);
  asci_fit_tree_free(&tree);
  return levels;
}

static const test_shape small_shape = {.min_buffers = 1,
                                       .max_buffers = 40,
                                       .min_time = 2,
                                       .max_time = 60,
                                       .max_size = 20,
                                       .max_alignment = 8,
                                       .max_fixed = 40,
                                       .zero = 4,
                                       .fixed = 12,
                                       .gap = 30,
                                       .window = 50,
                                       .tie = 30,
                                       .bank = 25};

/* So many that blocks are, too, and lives of all lengths, so that pieces are kept at every level. */
static test_shape large_shape(void) {
  test_shape shape = small_shape;
  shape.min_buffers = shape.max_buffers = 1500;
  shape.max_time = 5000;
  shape.tie = 5;
  shape.brief = 85;
  return shape;
}

/* Problems under each mix of constraints in turn, the full one first; one of eight is large. */
static void lowest_is_what_the_naive_rule_finds(void **state) {
  (void)state;
  asci_rng rng = {77};
  asc_context *context = test_context();
  test_met small = {0}, large = {0};
  uint32_t rounds = test_cases(400), high = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    bool is_large = round % 8 == 0;
    test_shape shape = is_large ? large_shape() : small_shape;
    test_vary(&shape, 31 - (is_large ? round / 8 : round - round / 8 - 1) * 5 % 32);
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    uint32_t levels = wander(problem, &rng, is_large ? 2500 : 120);
    test_meet(is_large ? &large : &small, problem);
    high += is_large && levels >= 3;
    asc_problem_free(problem);
  }
  test_has_met(&small, rounds / 20);
  test_has_met(&large, rounds / 100);
  CHECK(high >= rounds / 16, "three levels in %u of %u problems", high, rounds);
  test_context_end(context);
}

/* Many blocks, so that pieces are kept at every level: long ones over short ones. */
static void levels_above_the_blocks_answer_too(void **state) {
  (void)state;
  asci_rng rng = {5};
  asc_context *context = test_context();
  uint32_t n = test_is_sanitized() ? 4000 : 12000;
  asc_buffer_spec *specs = calloc(n, sizeof *specs);
  assert_non_null(specs);
  for (uint32_t b = 0; b < n; b++) {
    int64_t lower = (int64_t)asci_random_below(&rng, n), life = (int64_t)1 << asci_random_below(&rng, 14);
    specs[b] = test_spec(lower, lower + life, 1 + (int64_t)asci_random_below(&rng, 30));
  }
  asc_problem *problem = test_problem(context, specs, n);
  wander(problem, &rng, test_is_sanitized() ? 600 : 3000);
  asc_problem_free(problem);
  free(specs);
  test_context_end(context);
}

/* Nothing is taken out, so that windows answer too; in the second round, with many holes, they are full before the end. */
static void a_growing_plan_is_asked_by_windows_too(void **state) {
  (void)state;
  asci_rng rng = {13};
  asc_context *context = test_context();
  uint32_t n = 9000, every = test_is_sanitized() ? 64 : 8;
  asc_buffer_spec *specs = calloc(n, sizeof *specs);
  assert_non_null(specs);
  for (uint32_t b = 0; b < n; b++) {
    int64_t lower = (int64_t)asci_random_below(&rng, n), longest = b % 8 ? 6 : b % 16 ? n / 3 : n / 30;
    specs[b] = test_spec(lower, lower + 1 + (int64_t)asci_random_below(&rng, (uint64_t)longest),
                         1 + (int64_t)asci_random_below(&rng, 1000));
  }
  asc_problem *problem = test_problem(context, specs, n);
  asci_fit_tree tree;
  assert_int_equal(asci_fit_tree_new(problem, ASCI_FIT_SPARING, &tree), ASC_OK);
  assert_non_null(tree.windows);
  assert_true(tree.windows->width > 1);
  for (uint32_t round = 0; round < 2; round++) {
    for (uint32_t b = 0; b < n; b++) {
      int64_t got = asci_fit_lowest(&tree, b, 0, ASC_MAX_BYTES);
      int64_t expected = b % every ? got : naive_lowest(problem, tree.offsets, b, 0, ASC_MAX_BYTES);
      CHECK(expected == got, "b%u: %d, expected %d", b, (int)got, (int)expected);
      assert_true(asci_fit_place(&tree, b, got + (int64_t)asci_random_below(&rng, round ? 200000 : 2000)));
    }
    size_t most = 0;
    for (uint32_t k = 0; k < tree.windows->count; k++)
      if (tree.windows->sets[k].count > most) most = tree.windows->sets[k].count;
    if (round) assert_int_equal(most, tree.windows->most);
    asci_fit_tree_clear(&tree);
  }
  asci_fit_tree_free(&tree);
  asc_problem_free(problem);
  free(specs);
  test_context_end(context);
}

/* ---- who is alive together ---- */

/* Pairs that only a gap keeps apart, and pairs that are together only by a gap's window. */
typedef struct pairs {
  uint64_t together, by_gap, by_window;
} pairs;

static bool together_without_windows(const asc_buffer_spec *a, const asc_buffer_spec *b) {
  asc_buffer_spec bare[2] = {*a, *b};
  asc_gap gaps[2][2] = {{{0}}};
  for (int k = 0; k < 2; k++) {
    assert_true(bare[k].gap_count <= 2);
    for (uint32_t g = 0; g < bare[k].gap_count; g++)
      gaps[k][g] = (asc_gap){.lower = bare[k].gaps[g].lower, .upper = bare[k].gaps[g].upper};
    bare[k].gaps = gaps[k];
  }
  return naive_alive_together(&bare[0], &bare[1]);
}

static void count_pairs(const asci_fit_tree *tree, uint32_t buffer, pairs *sum) {
  const asc_buffer_spec *mine = &tree->problem->buffers[buffer];
  for (uint32_t b = 0; b < tree->problem->count; b++) {
    const asc_buffer_spec *other = &tree->problem->buffers[b];
    if (b == buffer || tree->offsets[b] == ASC_UNPLACED || !mine->size || !other->size) continue;
    if (!naive_alive_together(mine, other))
      sum->by_gap += naive_lifespans_meet(mine, other);
    else if (!together_without_windows(mine, other))
      sum->by_window++;
  }
}

static size_t kept_from(const asci_fit_tree *tree, uint32_t level) {
  size_t kept = 0;
  for (uint32_t k = tree->level_begin[level]; k < tree->level_begin[tree->levels]; k++) kept += tree->nodes[k].piece_count;
  return kept;
}

/* Places two thirds, over one another, and takes some of them out again. */
static void scatter(asci_fit_tree *tree, asci_rng *rng) {
  for (uint32_t b = 0; b < tree->problem->count; b++)
    if (asci_random_below(rng, 3)) assert_true(asci_fit_place(tree, b, (int64_t)asci_random_below(rng, 500)));
  for (uint32_t b = 0; b < tree->problem->count; b++)
    if (tree->offsets[b] != ASC_UNPLACED && asci_random_below(rng, 8) == 0) asci_fit_remove(tree, b);
}

static void collected_are_all_that_are_alive_together(void **state) {
  (void)state;
  asci_rng rng = {41};
  asc_context *context = test_context();
  pairs sum = {0};
  uint32_t rounds = test_is_sanitized() ? 2 : 6;
  for (uint32_t round = 0; round < rounds; round++) {
    test_shape shape = large_shape();
    shape.min_buffers = shape.max_buffers = 9000;
    shape.max_time = 9000;
    shape.brief = 97;
    shape.gap = 60;
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    asci_fit_tree tree;
    assert_int_equal(asci_fit_tree_new(problem, round % 2 ? ASCI_FIT_SWIFT : ASCI_FIT_SPARING, &tree), ASC_OK);
    scatter(&tree, &rng);
    CHECK(tree.levels >= 4 && kept_from(&tree, 2) > 20, "%u levels, %zu kept high", tree.levels, kept_from(&tree, 2));
    for (uint32_t asked = 0; asked < 300; asked++) {
      uint32_t buffer = (uint32_t)asci_random_below(&rng, problem->count);
      sum.together += same_neighbours(&tree, buffer);
      count_pairs(&tree, buffer, &sum);
    }
    asci_fit_tree_free(&tree);
    asc_problem_free(problem);
  }
  CHECK(sum.together > rounds * 10000, "%u pairs together", (unsigned)sum.together);
  CHECK(sum.by_gap > rounds * 1000, "%u pairs apart by gaps", (unsigned)sum.by_gap);
  CHECK(sum.by_window > rounds * 100, "%u pairs together by windows", (unsigned)sum.by_window);
  test_context_end(context);
}

static void a_lack_of_memory_is_said(void **state) {
  (void)state;
  asci_rng rng = {9};
  for (uint64_t at = 1;; at++) {
    test_memory memory = {.fail_at = 0};
    asc_context *context = test_context_on(&memory);
    test_shape shape = {
        .min_buffers = 30, .max_buffers = 30, .min_time = 2, .max_time = 30, .max_size = 9, .max_alignment = 4};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    memory.fail_at = memory.calls + at;
    asci_fit_tree tree;
    bool lacked = asci_fit_tree_new(problem, ASCI_FIT_SPARING, &tree) != ASC_OK;
    if (!lacked) {
      for (uint32_t b = 0; b < problem->count && !lacked; b++) {
        int64_t offset = asci_fit_lowest(&tree, b, 0, ASC_MAX_BYTES);
        lacked = tree.no_memory || !asci_fit_place(&tree, b, offset) || !asci_fit_collect(&tree, b);
        if (b % 3 == 0 && !lacked) asci_fit_remove(&tree, b);
      }
      assert_int_equal(lacked, tree.no_memory);
      asci_fit_tree_free(&tree);
    }
    asc_problem_free(problem);
    test_context_end(context);
    if (!lacked) break;
  }
}

/* Fills the tree, makes room in it, and asks what is near and lowest. False: there was no memory, which the tree says. */
static bool fill_and_ask(asci_fit_tree *tree, asci_rng rng) {
  uint32_t n = tree->problem->count;
  bool lacked = false;
  for (uint32_t k = 0; k < 3 * n && !lacked; k++) {
    uint32_t b = k < n ? k : (uint32_t)asci_random_below(&rng, n);
    if (tree->offsets[b] != ASC_UNPLACED) {
      asci_fit_remove(tree, b);
      continue;
    }
    int64_t offset = asci_fit_lowest(tree, b, (int64_t)asci_random_below(&rng, 60), ASC_MAX_BYTES);
    lacked = tree->no_memory || !asci_fit_place(tree, b, offset) || (k % 5 == 0 && !asci_fit_collect(tree, b));
  }
  assert_int_equal(lacked, tree->no_memory);
  return !lacked;
}

/* Any call refused while a tall tree, with what is stale high up in it, is asked. */
static void a_lack_of_memory_in_a_tall_tree(void **state) {
  (void)state;
  uint32_t lacks = 0;
  for (uint32_t round = 0; round < 4; round++) {
    asci_rng rng = {round};
    test_memory memory = {.fail_at = 0};
    asc_context *context = test_context_on(&memory);
    test_shape shape = {.min_buffers = 400,
                        .max_buffers = 400,
                        .min_time = 8000,
                        .max_time = 9000,
                        .max_size = 9,
                        .max_alignment = 4,
                        .brief = 97,
                        .gap = 60,
                        .window = 40};
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    uint64_t calls = 0;
    for (uint32_t k = 0; k < 2 + test_cases(400); k++) {
      asci_fit_tree tree;
      uint64_t before = memory.calls;
      memory.fail_at = k ? before + 1 + asci_random_below(&rng, calls) : 0;
      bool made = !asci_fit_tree_new(problem, round % 2 ? ASCI_FIT_SWIFT : ASCI_FIT_SPARING, &tree);
      lacks += !made || !fill_and_ask(&tree, (asci_rng){round});
      if (made) asci_fit_tree_free(&tree);
      memory.fail_at = 0;
      if (!k) calls = memory.calls - before;
    }
    asc_problem_free(problem);
    test_context_end(context);
    assert_int_equal(memory.live, 0);
  }
  assert_true(lacks > 4);
}

/* ---- sets that fall apart ---- */

enum { SHORT = 1200, STACKED = 12, LIVES = 4, ASKING = 3 };

/* Short lives, which cut time into blocks but are never placed; stacks of four sorts of longer ones; and three to ask for. */
static asc_problem *stacks(asc_context *context) {
  static const int64_t lives[LIVES + ASKING][2] = {{0, SHORT}, {3, SHORT - 3}, {200, 1000}, {128, 700},
                                                   {0, SHORT}, {5, SHORT - 9}, {300, 950}};
  asc_buffer_spec specs[SHORT + LIVES * STACKED + ASKING];
  for (uint32_t b = 0; b < COUNT(specs); b++) {
    uint32_t k = b < SHORT ? 0 : (b - SHORT) / STACKED;
    if (b >= SHORT + LIVES * STACKED) k = b - SHORT - LIVES * STACKED + LIVES;
    specs[b] = b < SHORT ? test_spec(b, b + 1, 1) : test_spec(lives[k][0], lives[k][1], 4);
  }
  return test_problem(context, specs, COUNT(specs));
}

/* Stacks without holes, of which every second one is taken out: what was one interval is many. Then asks, the first for a different one each time.
   False: no memory was enough, which was said. */
static bool ask_stacks(const asc_problem *problem, test_memory *memory, uint32_t first, uint64_t fail, uint64_t *calls) {
  asci_fit_tree tree;
  assert_int_equal(asci_fit_tree_new(problem, ASCI_FIT_SWIFT, &tree), ASC_OK);
  for (uint32_t k = 0; k < LIVES * STACKED; k++) assert_true(asci_fit_place(&tree, SHORT + k, 4 * (int64_t)k));
  for (uint32_t k = 0; k < LIVES * STACKED; k += 2) asci_fit_remove(&tree, SHORT + k);
  uint64_t before = memory->calls;
  memory->fail_at = fail ? before + fail : 0;
  for (uint32_t k = 0; k < ASKING && !tree.no_memory; k++) {
    uint32_t asked = SHORT + LIVES * STACKED + (first + k) % ASKING;
    for (int64_t from = 0; from < 40 && !tree.no_memory; from += 13) {
      int64_t offset = asci_fit_lowest(&tree, asked, from, ASC_MAX_BYTES);
      int64_t expected = naive_lowest(problem, tree.offsets, asked, from, ASC_MAX_BYTES);
      CHECK(tree.no_memory || offset == expected, "b%u from %d: %d, expected %d", asked, (int)from, (int)offset,
            (int)expected);
    }
  }
  memory->fail_at = 0;
  *calls = memory->calls - before;
  bool whole = !tree.no_memory;
  asci_fit_tree_free(&tree);
  return whole;
}

static void a_lack_of_memory_where_sets_fall_apart(void **state) {
  (void)state;
  test_memory memory = {0};
  asc_context *context = test_context_on(&memory);
  asc_problem *problem = stacks(context);
  for (uint32_t first = 0; first < ASKING; first++) {
    uint64_t calls, ignored;
    assert_true(ask_stacks(problem, &memory, first, 0, &calls));
    for (uint64_t fail = 1; fail <= calls; fail++)
      CHECK(!ask_stacks(problem, &memory, first, fail, &ignored), "call %d was not missed", (int)fail);
    assert_true(calls > 8);
  }
  asc_problem_free(problem);
  test_context_end(context);
  assert_int_equal(memory.live, 0);
}

/* ---- cost ---- */

typedef struct cost {
  double looks, bytes; /* per buffer */
} cost;

/* The buffer whose life meets most others. */
static uint32_t in_most_company(const asc_problem *problem) {
  uint32_t *counts = malloc(problem->count * sizeof *counts), most = 0;
  assert_non_null(counts);
  assert_int_equal(asci_overlap_counts(problem, counts), ASC_OK);
  for (uint32_t b = 0; b < problem->count; b++)
    if (counts[b] > counts[most]) most = b;
  free(counts);
  return most;
}

/* First fit of all, longest first, in a tree of its own, of which collecting has made all it makes. */
static cost cost_of(const asc_problem *problem, asci_fit_blocks blocks) {
  asc_context *context = problem->context;
  uint32_t n = problem->count;
  uint32_t *order = malloc(n * sizeof *order);
  int64_t *key = malloc(3 * n * sizeof *key); /* and the pairs of the sort */
  assert_true(order && key);
  for (uint32_t b = 0; b < n; b++) {
    order[b] = b;
    key[b] = problem->buffers[b].lower - problem->buffers[b].upper;
  }
  asci_sort_by(order, key + n, n, key);
  size_t before = asc_context_bytes(context);
  asci_fit_tree tree;
  assert_int_equal(asci_fit_tree_new(problem, blocks, &tree), ASC_OK);
  for (uint32_t k = 0; k < n; k++)
    assert_true(asci_fit_place(&tree, order[k], asci_fit_lowest(&tree, order[k], 0, ASC_MAX_BYTES)));
  assert_true(asci_fit_collect(&tree, in_most_company(problem)));
  size_t violations = 1;
  assert_int_equal(asc_validate(problem, tree.offsets, INT64_MAX, NULL, 0, &violations), ASC_OK);
  assert_int_equal(violations, 0);
  cost made = {(double)tree.looks / n, (double)(asc_context_bytes(context) - before) / n};
  asci_fit_tree_free(&tree);
  free(order);
  free(key);
  return made;
}

/* With four times as many buffers a quadratic cost for each would be four times as high. */
static void awkward_shapes_cost_no_square(void **state) {
  (void)state;
  uint32_t most = test_is_sanitized() ? 8000 : 80000;
  for (uint32_t s = 0; s < AWKWARD_SHAPES; s++) {
    const char *name = awkward_shapes[s].name;
    cost costs[2], swift = {0};
    for (int large = 0; large < 2; large++) {
      asc_context *context = test_context();
      asc_problem *problem = awkward_problem(context, &awkward_shapes[s], large ? most : most / 4);
      costs[large] = cost_of(problem, ASCI_FIT_SPARING);
      if (!large) swift = cost_of(problem, ASCI_FIT_SWIFT);
      asc_problem_free(problem);
      test_context_end(context);
    }
    CHECK(costs[1].looks <= 2 * costs[0].looks + 8, "%s: %.1f looks each, %.1f with four times as many", name,
          costs[0].looks, costs[1].looks);
    CHECK(costs[1].looks < 2500, "%s: %.1f looks each", name, costs[1].looks);
    CHECK(costs[1].bytes <= 110, "%s: %.1f bytes each", name, costs[1].bytes);
    CHECK(swift.bytes <= 110, "%s: %.1f bytes each, swift", name, swift.bytes);
  }
}

static double bytes_of(const char *kind, uint32_t n, asci_fit_blocks blocks) {
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_generate(context, kind, n, 1, &problem, NULL), ASC_OK);
  cost made = cost_of(problem, blocks);
  asc_problem_free(problem);
  test_context_end(context);
  return made.bytes;
}

static void generated_problems_keep_within_their_memory(void **state) {
  (void)state;
  static const asci_fit_blocks blocks[] = {ASCI_FIT_SPARING, ASCI_FIT_SWIFT};
  for (uint32_t which = 0; asc_generate_kind(which, NULL); which++)
    for (uint32_t k = 0; k < COUNT(blocks); k++) {
      const char *kind = asc_generate_kind(which, NULL);
      double bytes = bytes_of(kind, test_is_sanitized() ? 4000 : 40000, blocks[k]);
      CHECK(bytes <= 110, "%s, blocks %d: %.1f bytes each", kind, (int)blocks[k], bytes);
    }
}

/* The one kind that does not keep within 110 bytes: sets of random buffers hardly merge, and the more buffers, the more nodes in short blocks.
   Measured: 111.6 for 300,000 and 137.6 for a million; of training, whose lives are as long, 79 and 81. */
static void many_random_buffers_take_more(void **state) {
  (void)state;
  uint32_t n = test_is_sanitized() ? 20000 : 300000;
  double random = bytes_of("random", n, ASCI_FIT_SWIFT), training = bytes_of("training", n, ASCI_FIT_SWIFT);
  CHECK(random <= 115, "random: %.1f bytes each", random);
  CHECK(training <= 85, "training: %.1f bytes each", training);
}

/* A million random buffers would be kept at more than four nodes each, with an interval of its own at most of them: 150 bytes a buffer. */
static void long_lives_are_kept_at_few_nodes(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  uint32_t n = 300000;
  assert_int_equal(asc_generate(context, "random", n, 1, &problem, NULL), ASC_OK);
  asci_fit_tree tree;
  assert_int_equal(asci_fit_tree_new(problem, ASCI_FIT_SPARING, &tree), ASC_OK);
  for (uint32_t b = 0; b < n; b++) assert_true(asci_fit_place(&tree, b, 0));
  size_t kept = 0;
  for (uint32_t k = 0; k < tree.level_begin[tree.levels]; k++) kept += tree.nodes[k].piece_count;
  CHECK(kept <= 3 * (size_t)n, "kept at %.2f nodes on average", (double)kept / n);
  asci_fit_tree_free(&tree);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_fit_tree_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lowest_is_what_the_naive_rule_finds),
      cmocka_unit_test(levels_above_the_blocks_answer_too),
      cmocka_unit_test(a_growing_plan_is_asked_by_windows_too),
      cmocka_unit_test(collected_are_all_that_are_alive_together),
      cmocka_unit_test(a_lack_of_memory_is_said),
      cmocka_unit_test(a_lack_of_memory_in_a_tall_tree),
      cmocka_unit_test(a_lack_of_memory_where_sets_fall_apart),
      cmocka_unit_test(awkward_shapes_cost_no_square),
      cmocka_unit_test(generated_problems_keep_within_their_memory),
      cmocka_unit_test(many_random_buffers_take_more),
      cmocka_unit_test(long_lives_are_kept_at_few_nodes),
  };
  return cmocka_run_group_tests_name("fit_tree", tests, NULL, NULL);
}
