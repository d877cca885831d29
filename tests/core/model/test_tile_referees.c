/* The two referees of plans for tiled tensors, the replay of tasks and the check of pairs, against each other and against the validator of the
 * buffers with shapes that a tiling becomes. */
#include "tiles.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TENSORS = 5 };

static asc_tiled_spec random_tensor(asci_rng *rng, uint32_t t, uint32_t count, char id[2]) {
  static const asc_layout layouts[] = {ASC_LAYOUT_NCHW, ASC_LAYOUT_NHWC, ASC_LAYOUT_NC32HW32, ASC_LAYOUT_STRIDES};
  asc_tiled_spec spec = {.id = id, .element = asci_random_between(rng, 1, 3), .rank = 4, .alignment = 1};
  spec.layout = layouts[asci_random_below(rng, COUNT(layouts))];
  int64_t channels = spec.layout == ASC_LAYOUT_NC32HW32 ? 40 : 3;
  int64_t sizes[] = {1, asci_random_between(rng, 1, channels), asci_random_between(rng, 1, 4),
                     asci_random_between(rng, 1, 3)};
  /* rows of channels, columns a pitch of one element more than need be */
  int64_t strides[] = {0, 1, (sizes[3] + 1) * sizes[1], sizes[1]};
  memcpy(spec.sizes, sizes, sizeof sizes);
  memcpy(spec.strides, strides, sizeof strides);
  id[0] = (char)('a' + (int)t);
  id[1] = 0;
  if (t == 0 && asci_random_below(rng, 2)) spec.kind = ASC_TENSOR_INPUT;
  if (t + 1 == count && asci_random_below(rng, 2)) spec.kind = ASC_TENSOR_OUTPUT;
  return spec;
}

static asc_box whole(const asc_tiling *tiling, uint32_t tensor) {
  asc_box box = {.tensor = tensor};
  memcpy(box.high, asc_tiling_tensor(tiling, tensor)->sizes, sizeof box.high);
  return box;
}

/* Rows or columns of the tensor one by one, each from a random part of another one; the order is forward, backward or both ways. */
static void random_layer(asci_rng *rng, asc_tiling *tiling, uint32_t from, uint32_t to) {
  uint32_t dimension = 2 + (uint32_t)asci_random_below(rng, 2);
  int64_t tiles = asc_tiling_tensor(tiling, to)->sizes[dimension];
  bool backward = asci_random_below(rng, 2);
  for (int64_t k = 0; k < tiles; k++) {
    int64_t tile = backward ? tiles - 1 - k : k;
    asc_box in = whole(tiling, from), out = whole(tiling, to);
    out.low[dimension] = tile;
    out.high[dimension] = tile + 1;
    for (uint32_t d = 2; d < 4; d++) {
      in.low[d] = asci_random_between(rng, 0, in.high[d] - 1);
      in.high[d] = asci_random_between(rng, in.low[d] + 1, in.high[d]);
    }
    char id[32];
    snprintf(id, sizeof id, "%u>%u:%d", from, to, (int)tile);
    asc_task_spec task = {id, &in, &out, to != from, 1};
    assert_int_equal(asc_tiling_add_task(tiling, &task, NULL), ASC_OK);
  }
}

static asc_tiling *random_tiling(asc_context *context, asci_rng *rng) {
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  uint32_t count = (uint32_t)asci_random_between(rng, 2, MOST_TENSORS);
  for (uint32_t t = 0; t < count; t++) {
    char id[2];
    asc_tiled_spec spec = random_tensor(rng, t, count, id);
    assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  }
  bool given = asc_tiling_tensor(tiling, 0)->kind == ASC_TENSOR_INPUT || asci_random_below(rng, 2);
  if (!given) random_layer(rng, tiling, 0, 0); /* a source: it reads nothing */
  for (uint32_t t = 1; t < count; t++) random_layer(rng, tiling, (uint32_t)asci_random_below(rng, t), t);
  tiles_freeze(tiling);
  return tiling;
}

/* Offsets of tensors that no task names say nothing. */
static bool is_valid(const asc_tiling *tiling, const asc_problem *problem, int64_t *offsets) {
  int64_t of_buffers[MOST_TENSORS];
  for (uint32_t t = 0; t < asc_tiling_tensor_count(tiling); t++) {
    uint32_t buffer = asc_problem_find(problem, asc_tiling_tensor(tiling, t)->id);
    if (buffer == ASC_NONE)
      offsets[t] = ASC_UNPLACED;
    else
      of_buffers[buffer] = offsets[t];
  }
  size_t violations = 0;
  assert_int_equal(asc_validate(problem, of_buffers, INT64_MAX, NULL, 0, &violations), ASC_OK);
  return violations == 0;
}

static size_t clashes(const asc_tiling *tiling, const int64_t *offsets, asc_tile_clash *first) {
  size_t count = 0;
  assert_int_equal(asc_tiling_clashes(tiling, offsets, first, &count), ASC_OK);
  return count;
}

static void all_three_say_the_same(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint32_t valid = 0, tried = 0;
  for (uint32_t number = 0; number < test_cases(3000); number++) {
    asci_rng rng = {number};
    asc_tiling *tiling = random_tiling(context, &rng);
    asc_problem *problem = tiles_problem(tiling, ASC_TILES_IO);
    for (uint32_t k = 0; k < 12; k++, tried++) {
      int64_t offsets[MOST_TENSORS], reach = 1 + 40 * (int64_t)(k % 6);
      for (uint32_t t = 0; t < MOST_TENSORS; t++) offsets[t] = asci_random_between(&rng, 0, reach);
      bool is = is_valid(tiling, problem, offsets);
      asc_tile_clash first = {0};
      size_t misread = tiles_misread(tiling, offsets), shared = clashes(tiling, offsets, &first);
      CHECK(is == (misread == 0) && is == (shared == 0), "tiling %u, plan %u: valid %d, %d misread, %d clashes", number, k,
            is, (int)misread, (int)shared);
      if (shared) {
        assert_true(first.tensor < first.other && first.other < asc_tiling_tensor_count(tiling));
        assert_true(first.task <= asc_tiling_task_count(tiling));
        for (uint32_t side = 0; side < 2; side++) {
          uint32_t t = side ? first.other : first.tensor;
          assert_true(first.address >= offsets[t] && first.address < offsets[t] + asc_tiling_bytes(tiling, t));
        }
      }
      valid += is;
    }
    asc_problem_free(problem);
    asc_tiling_free(tiling);
    test_context_end(context);
    context = test_context();
  }
  CHECK(valid > tried / 20 && valid < tried - tried / 20, "%u of %u plans are valid", valid, tried);
  test_context_end(context);
}

/* A row too low: both see it, and where. */
static void one_row_too_low(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tiles_chain(context, 1, 4, 1, "f");
  tiles_freeze(tiling);
  int64_t right[] = {TILE_UNIT, 0}, wrong[] = {0, 0};
  asc_misread misread;
  asc_tile_clash first;
  size_t count = 0;
  assert_int_equal(clashes(tiling, right, NULL), 0);
  assert_int_equal(tiles_misread(tiling, right), 0);
  assert_int_equal(clashes(tiling, wrong, &first), 1);
  assert_int_equal(asc_tiling_replay(tiling, wrong, &misread, &count), ASC_OK);
  assert_true(count > 0);
  assert_true(first.tensor == 0 && first.other == 1 && first.address == 0 && first.task == 0);
  assert_true(misread.tensor == 0 && misread.task == 1 && misread.address == 0);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* Two tensors alike, of which one task writes a box each: whether they clash when the second lies so much above the first. */
static void expect_clash(asc_tiled_spec spec, const asc_box *box, int64_t above, bool expected) {
  asc_context *context = test_context();
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  asc_box boxes[] = {*box, *box};
  for (uint32_t t = 0; t < 2; t++) {
    boxes[t].tensor = t;
    spec.id = t ? "b" : "a";
    assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"t", NULL, boxes, 0, 2}, NULL), ASC_OK);
  tiles_freeze(tiling);
  int64_t offsets[] = {0, above};
  asc_tile_clash first = {0};
  CHECK(clashes(tiling, offsets, &first) == expected, "layout %d: above %d", (int)spec.layout, (int)above);
  assert_int_equal(tiles_misread(tiling, offsets), 0); /* nobody reads */
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* Elements that are never side by side, and parts of one block or of some. */
static void runs_of_every_length(void **state) {
  (void)state;
  asc_tiled_spec odd = {.element = 1, .rank = 1, .sizes = {4}, .layout = ASC_LAYOUT_STRIDES, .strides = {3}, .alignment = 1};
  asc_tiled_spec blocks = {.element = 1, .rank = 4, .sizes = {1, 96, 1, 2}, .layout = ASC_LAYOUT_NC32HW32, .alignment = 1};
  for (int64_t above = 0; above < 12; above++)
    expect_clash(odd, &(asc_box){.high = {4}}, above, above % 3 == 0 && above < 10);
  asc_box part = {.high = {1, 16, 1, 1}}, two = {.high = {1, 64, 1, 1}};
  static const int64_t steps[] = {0, 15, 16, 31, 32, 33, 63, 64, 80, 95, 96};
  for (uint32_t k = 0; k < COUNT(steps); k++) {
    int64_t above = steps[k];
    expect_clash(blocks, &part, above, above < 16);
    expect_clash(blocks, &two, above, above < 32 || (above > 32 && above < 96)); /* from 0 and from 64, 32 bytes each */
  }
}

static void bad_arguments_are_refused(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tiles_chain(context, 1, 2, 0, "f");
  int64_t offsets[] = {0, 64}, low[] = {0, -2}, high[] = {0, ASC_MAX_BYTES + 1}, far[] = {1, INT64_C(1) << 40};
  size_t count = 7;
  assert_int_equal(asc_tiling_clashes(tiling, offsets, NULL, &count), ASC_BAD_ARGUMENT); /* not frozen */
  tiles_freeze(tiling);
  assert_int_equal(asc_tiling_clashes(NULL, offsets, NULL, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_tiling_clashes(tiling, NULL, NULL, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_tiling_clashes(tiling, offsets, NULL, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_tiling_clashes(tiling, low, NULL, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_tiling_clashes(tiling, high, NULL, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_tiling_replay(tiling, high, NULL, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(count, 7);
  assert_int_equal(asc_tiling_clashes(tiling, far, NULL, &count), ASC_OK);
  assert_int_equal(count, 0);
  assert_int_equal(asc_tiling_replay(tiling, far, NULL, &count), ASC_TOO_LARGE); /* a tag for each byte up to there */
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* Each allocation in turn fails: the answer is that there is no memory, and nothing is lost. */
static void without_memory_it_says_so(void **state) {
  (void)state;
  bool failed = true;
  for (uint64_t at = 1; failed; at++) {
    test_memory memory = {0};
    asc_context *context = test_context_on(&memory);
    asc_tiling *tiling = tiles_chain(context, 2, 4, 1, "fb");
    tiles_freeze(tiling);
    const int64_t offsets[] = {0, 0, 0};
    size_t count = 7;
    memory.fail_at = memory.calls + at;
    asc_status status = asc_tiling_clashes(tiling, offsets, NULL, &count);
    failed = status == ASC_OUT_OF_MEMORY;
    assert_true(failed ? count == 7 : status == ASC_OK && count == 2);
    asc_tiling_free(tiling);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
  }
}

int run_tile_referees_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_three_say_the_same),    cmocka_unit_test(one_row_too_low),
      cmocka_unit_test(runs_of_every_length),      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(without_memory_it_says_so),
  };
  return cmocka_run_group_tests_name("tile_referees", tests, NULL, NULL);
}
