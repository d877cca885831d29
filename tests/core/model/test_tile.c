/* Tiled tensors: chunks as the paper renders them, lifetimes of parts against those counted byte by byte, and the replay that judges plans. */
#include "tile/tiling.h"
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

/* ---- chunks ---------------------------------------------------------------------------------------------------------- */

typedef struct rendered {
  int64_t offset[256], size[256];
  uint32_t count;
} rendered;

static void keep_chunk(void *user, int64_t offset, int64_t size) {
  rendered *r = user;
  assert_true(r->count < 256);
  r->offset[r->count] = offset;
  r->size[r->count++] = size;
}

static rendered render(const int64_t *sizes, const int64_t *strides, uint32_t count) {
  rendered r = {.count = 0};
  asci_axis axes[3] = {{0}};
  for (uint32_t k = 0; k < count; k++) axes[k].stride = strides[k];
  asci_chunks(axes, sizes, count, 1, keep_chunk, &r);
  assert_true(asci_chunk_count(axes, sizes, count, 1) >= r.count);
  return r;
}

static void b1_the_papers_tile_is_four_chunks(void **state) {
  (void)state;
  rendered r = render((const int64_t[]){4, 64, 128}, (const int64_t[]){16384, 128, 1}, 3);
  assert_int_equal(r.count, 4);
  for (uint32_t k = 0; k < 4; k++) {
    assert_int_equal(r.offset[k], 16384 * k);
    assert_int_equal(r.size[k], 8192);
  }
}

static void b2_tiles_of_a_matrix(void **state) {
  (void)state;
  const int64_t strides[] = {128, 1};
  rendered narrow = render((const int64_t[]){128, 32}, strides, 2);
  assert_int_equal(narrow.count, 128);
  for (uint32_t k = 0; k < 128; k++) {
    assert_int_equal(narrow.offset[k], 128 * k);
    assert_int_equal(narrow.size[k], 32);
  }
  rendered top = render((const int64_t[]){64, 128}, strides, 2), all = render((const int64_t[]){128, 128}, strides, 2);
  assert_int_equal(top.count, 1);
  assert_int_equal(top.size[0], 8192);
  assert_int_equal(all.count, 1);
  assert_int_equal(all.size[0], 16384);
}

/* Elements that leave room between them, and what adjoins across an axis that is not contiguous itself. */
static void chunks_of_odd_strides(void **state) {
  (void)state;
  rendered apart = render((const int64_t[]){3}, (const int64_t[]){2}, 1);
  assert_int_equal(apart.count, 3);
  assert_int_equal(apart.offset[2], 4);
  rendered joined =
      render((const int64_t[]){2, 2}, (const int64_t[]){1, 1}, 2); /* 0, 1 and 1, 2: who overlaps does not adjoin */
  assert_int_equal(joined.count, 2);
  rendered one = render((const int64_t[]){1, 1}, (const int64_t[]){7, 9}, 2);
  assert_int_equal(one.count, 1);
  assert_int_equal(one.size[0], 1);
}

/* ---- lifetimes ------------------------------------------------------------------------------------------------------- */

static asc_tiling *begin_tiling(asc_context *context) {
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  return tiling;
}

static void parts_live_from_write_to_last_read(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tiles_chain(context, 1, 4, 1, "f");
  tiles_freeze(tiling);
  uint32_t count;
  const asc_rect *in = asc_tiling_rects(tiling, 0, &count);
  assert_int_equal(count, 3); /* row r is read last by task r + 1, the last one by itself */
  const asc_rect expected[] = {{0, 3, 0, 32}, {0, 5, 32, 64}, {0, 7, 64, 128}};
  assert_memory_equal(in, expected, sizeof expected);
  const asc_rect *out = asc_tiling_rects(tiling, 1, &count);
  assert_int_equal(count, 4);
  for (uint32_t r = 0; r < 4; r++) {
    const asc_rect row = {2 * r + 1, 2 * r + 2, 32 * r, 32 * r + 32};
    assert_memory_equal(&out[r], &row, sizeof row);
  }
  asc_problem *problem = tiles_problem(tiling, 0), *whole = tiles_problem(tiling, ASC_TILES_WHOLE);
  assert_int_equal(asc_problem_buffer(problem, 0)->shape_count, 3);
  assert_int_equal(asc_problem_lower_bound(problem), 5 * TILE_UNIT);
  assert_int_equal(asc_problem_buffer(whole, 0)->shape_count, 0);
  assert_int_equal(asc_problem_lower_bound(whole), 8 * TILE_UNIT);
  asc_problem_free(problem);
  asc_problem_free(whole);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* A random tiling: layouts, shapes and boxes of all sorts; what is read was written. */
static asc_tiling *draw(asc_context *context, asci_rng *rng) {
  asc_tiling *tiling = begin_tiling(context);
  uint32_t tensors = 1 + (uint32_t)asci_random_below(rng, 3);
  bool written[3] = {0};
  for (uint32_t t = 0; t < tensors; t++) {
    char id[2] = {(char)('a' + (int)t), 0};
    asc_tiled_spec spec = {.id = id, .element = 1 + (int64_t)asci_random_below(rng, 3), .rank = 4, .alignment = 1};
    spec.layout = (asc_layout)asci_random_below(rng, 4);
    for (uint32_t k = 0; k < 4; k++) spec.sizes[k] = 1 + (int64_t)asci_random_below(rng, k == 1 ? 70 : 4);
    int64_t stride = 1;
    for (uint32_t k = 0; k < 4; k++) { /* the first is the densest, with pitches wider than need be */
      spec.strides[k] = stride;
      stride *= spec.sizes[k] + (int64_t)asci_random_below(rng, 2);
    }
    assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  }
  uint32_t tasks = 1 + (uint32_t)asci_random_below(rng, 8);
  for (uint32_t k = 0; k < tasks; k++) {
    asc_box boxes[2] = {{.tensor = (uint32_t)asci_random_below(rng, tensors)},
                        {.tensor = (uint32_t)asci_random_below(rng, tensors)}};
    for (uint32_t b = 0; b < 2; b++) {
      const asc_tiled_spec *spec = asc_tiling_tensor(tiling, boxes[b].tensor);
      for (uint32_t d = 0; d < 4; d++) {
        bool blocks = d == 1 && spec->layout == ASC_LAYOUT_NC32HW32 && asci_random_below(rng, 2);
        boxes[b].low[d] = blocks ? 0 : (int64_t)asci_random_below(rng, (uint64_t)spec->sizes[d]);
        int64_t most = spec->sizes[d];
        if (d == 1 && spec->layout == ASC_LAYOUT_NC32HW32 && !blocks) {
          int64_t end = boxes[b].low[d] / 32 * 32 + 32;
          most = end < most ? end : most;
        }
        boxes[b].high[d] =
            blocks ? most : boxes[b].low[d] + 1 + (int64_t)asci_random_below(rng, (uint64_t)(most - boxes[b].low[d]));
      }
    }
    char id[2] = {(char)('A' + (int)k), 0};
    bool whole = !written[boxes[1].tensor]; /* at first all of it, so that whatever is read later was written */
    if (whole) {
      memset(boxes[1].low, 0, sizeof boxes[1].low);
      memcpy(boxes[1].high, asc_tiling_tensor(tiling, boxes[1].tensor)->sizes, sizeof boxes[1].high);
    }
    asc_task_spec task = {id, boxes, boxes + 1, written[boxes[0].tensor], 1};
    written[boxes[1].tensor] = true;
    assert_int_equal(asc_tiling_add_task(tiling, &task, NULL), ASC_OK);
  }
  tiles_freeze(tiling);
  return tiling;
}

/* The byte at which an element begins, by the layout's definition. */
static int64_t naive_place(const asc_tiled_spec *s, const int64_t at[4]) {
  int64_t channels = s->layout == ASC_LAYOUT_NC32HW32 ? (s->sizes[1] + 31) / 32 * 32 : s->sizes[1], element = 0;
  switch (s->layout) {
  case ASC_LAYOUT_NCHW:
    element = ((at[0] * channels + at[1]) * s->sizes[2] + at[2]) * s->sizes[3] + at[3];
    break;
  case ASC_LAYOUT_NHWC:
    element = ((at[0] * s->sizes[2] + at[2]) * s->sizes[3] + at[3]) * channels + at[1];
    break;
  case ASC_LAYOUT_NC32HW32:
    element = (((at[0] * (channels / 32) + at[1] / 32) * s->sizes[2] + at[2]) * s->sizes[3] + at[3]) * 32 + at[1] % 32;
    break;
  case ASC_LAYOUT_STRIDES:
    for (int k = 0; k < 4; k++) element += at[k] * s->strides[k];
    break;
  }
  return element * s->element;
}

typedef struct life {
  int64_t begin, end;
} life;

static void live_box(const asc_tiling *tiling, const asc_box *box, int64_t time, life *lives) {
  const asc_tiled_spec *s = asc_tiling_tensor(tiling, box->tensor);
  int64_t at[4], channels = box->high[1];
  if (s->layout == ASC_LAYOUT_NC32HW32 && channels == s->sizes[1]) channels = (channels + 31) / 32 * 32;
  for (at[0] = box->low[0]; at[0] < box->high[0]; at[0]++)
    for (at[1] = box->low[1]; at[1] < channels; at[1]++)
      for (at[2] = box->low[2]; at[2] < box->high[2]; at[2]++)
        for (at[3] = box->low[3]; at[3] < box->high[3]; at[3]++)
          for (int64_t byte = 0; byte < s->element; byte++) {
            life *l = &lives[naive_place(s, at) + byte];
            if (!l->end) l->begin = time;
            l->end = time + 1;
          }
}

static void rectangles_are_the_lives_of_bytes(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(2000); seed++) {
    asc_context *context = test_context();
    asci_rng rng = {.state = seed};
    asc_tiling *tiling = draw(context, &rng);
    for (uint32_t t = 0; t < asc_tiling_tensor_count(tiling); t++) {
      int64_t bytes = asc_tiling_bytes(tiling, t);
      life *lives = calloc((size_t)bytes, sizeof *lives), *told = calloc((size_t)bytes, sizeof *told);
      assert_non_null(lives);
      assert_non_null(told);
      for (uint32_t k = 0; k < asc_tiling_task_count(tiling); k++) {
        const asc_task_spec *task = asc_tiling_task(tiling, k);
        if (task->read_count && task->reads[0].tensor == t) live_box(tiling, &task->reads[0], 2 * k, lives);
        if (task->writes[0].tensor == t) live_box(tiling, &task->writes[0], 2 * k + 1, lives);
      }
      uint32_t count;
      const asc_rect *rects = asc_tiling_rects(tiling, t, &count);
      for (uint32_t r = 0; r < count; r++)
        for (int64_t byte = rects[r].low; byte < rects[r].high; byte++) {
          CHECK(!told[byte].end, "seed %u: byte %lld twice", seed, (long long)byte);
          told[byte] = (life){rects[r].lower, rects[r].upper};
        }
      CHECK(memcmp(lives, told, (size_t)bytes * sizeof *lives) == 0, "seed %u, tensor %u", seed, t);
      free(lives);
      free(told);
    }
    asc_tiling_free(tiling);
    test_context_end(context);
  }
}

/* The validator of shapes and the replay of tasks know nothing of each other: a plan that the first accepts is never misread. Of those that it refuses
   some are: what is overwritten need not be read again. */
static void what_is_valid_is_never_misread(void **state) {
  (void)state;
  uint32_t valid = 0, misread = 0;
  for (uint32_t seed = 0; seed < test_cases(3000); seed++) {
    asc_context *context = test_context();
    asci_rng rng = {.state = seed};
    asc_tiling *tiling = draw(context, &rng);
    asc_problem *problem = tiles_problem(tiling, 0);
    int64_t offsets[3] = {ASC_UNPLACED, ASC_UNPLACED, ASC_UNPLACED}, placed[3];
    uint32_t n = asc_problem_count(problem);
    for (uint32_t b = 0; b < n; b++) placed[b] = (int64_t)asci_random_below(&rng, 200);
    for (uint32_t t = 0; t < asc_tiling_tensor_count(tiling); t++) {
      uint32_t b = asc_problem_find(problem, asc_tiling_tensor(tiling, t)->id);
      if (b != ASC_NONE) offsets[t] = placed[b];
    }
    size_t violations = 0, wrong = tiles_misread(tiling, offsets);
    assert_int_equal(asc_validate(problem, placed, INT64_MAX, NULL, 0, &violations), ASC_OK);
    CHECK(violations || !wrong, "seed %u: %zu boxes misread", seed, wrong);
    valid += !violations;
    misread += wrong > 0;
    asc_problem_free(problem);
    asc_tiling_free(tiling);
    test_context_end(context);
  }
  assert_true(valid > 0 && misread > 0);
}

/* ---- the replay ------------------------------------------------------------------------------------------------------ */

static void a_plan_that_overwrites_is_told(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = tiles_chain(context, 1, 4, 1, "f");
  tiles_freeze(tiling);
  asc_misread first = {0};
  size_t count = 0;
  assert_int_equal(asc_tiling_replay(tiling, (const int64_t[]){0, 0}, &first, &count), ASC_OK);
  assert_int_equal(count, 3); /* each task but the first finds the row above gone */
  assert_int_equal(first.task, 1);
  assert_int_equal(first.tensor, 0);
  assert_int_equal(first.other, 1);
  assert_int_equal(first.address, 0);
  assert_int_equal(tiles_misread(tiling, (const int64_t[]){32, 0}), 0);
  assert_int_equal(tiles_misread(tiling, (const int64_t[]){31, 0}), 3); /* a byte too low */
  assert_int_equal(tiles_misread(tiling, (const int64_t[]){ASC_UNPLACED, 0}), 0);
  assert_int_equal(asc_tiling_replay(tiling, (const int64_t[]){-2, 0}, NULL, &count), ASC_BAD_ARGUMENT);
  asc_tiling_free(tiling);
  test_context_end(context);
}

static void outputs_are_kept_to_the_end(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = begin_tiling(context);
  asc_tiled_spec spec = {.id = "y", .element = 1, .rank = 1, .sizes = {8}, .kind = ASC_TENSOR_OUTPUT, .alignment = 1};
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  spec.id = "z";
  spec.kind = 0;
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  asc_box boxes[] = {{.tensor = 0, .high = {8}}, {.tensor = 1, .high = {8}}};
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"one", NULL, boxes, 0, 1}, NULL), ASC_OK);
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"two", NULL, boxes + 1, 0, 1}, NULL), ASC_OK);
  tiles_freeze(tiling);
  asc_problem *without = tiles_problem(tiling, 0), *with = tiles_problem(tiling, ASC_TILES_IO);
  assert_int_equal(asc_problem_count(without), 1);
  assert_int_equal(asc_problem_count(with), 2);
  assert_int_equal(asc_problem_lower_bound(with), 16);
  uint32_t buffers[2];
  asc_tiling_buffers(tiling, 0, buffers);
  assert_true(buffers[0] == ASC_NONE && buffers[1] == 0);
  asc_tiling_buffers(tiling, ASC_TILES_IO, buffers);
  assert_true(buffers[0] == 0 && buffers[1] == 1);
  asc_misread first = {0};
  size_t count = 0;
  assert_int_equal(asc_tiling_replay(tiling, (const int64_t[]){0, 4}, &first, &count), ASC_OK);
  assert_int_equal(count, 1);
  assert_int_equal(first.task, ASC_NONE);
  assert_int_equal(first.address, 4);
  asc_problem_free(without);
  asc_problem_free(with);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* ---- refused --------------------------------------------------------------------------------------------------------- */

static void mistakes_are_named(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = begin_tiling(context);
  asc_diag diag = {0};
  asc_tiled_spec spec = {.id = "x", .element = 2, .rank = 2, .sizes = {4, 4}, .alignment = 1};
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "id");
  spec.id = "y";
  spec.layout = ASC_LAYOUT_STRIDES;
  spec.strides[0] = 3;
  spec.strides[1] = 1;
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.message, "has stride 3 where elements overlap, expected at least 4");
  spec.layout = ASC_LAYOUT_NHWC;
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "shape");
  spec.layout = ASC_LAYOUT_NCHW;
  spec.sizes[0] = ASC_MAX_BYTES;
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, &diag), ASC_TOO_LARGE);
  asc_box out = {.tensor = 0, .low = {0, 2}, .high = {4, 5}}, in = {.tensor = 0, .high = {4, 4}};
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"t", NULL, &out, 0, 1}, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.message, "has 2:5, expected a range inside 0:4");
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"t", &in, &in, 1, 1}, &diag), ASC_OK);
  assert_int_equal(asc_tiling_freeze(tiling, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "reads");
  assert_string_equal(diag.message, "of t has a part of a tensor that no task wrote before");
  spec = (asc_tiled_spec){.id = "", .element = 2, .rank = 1, .sizes = {4}, .alignment = 1};
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "id");
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"many", &in, NULL, (1u << 26) + 1, 0}, &diag),
                   ASC_TOO_LARGE);
  assert_string_equal(diag.message, "are too many boxes");
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* Of several the first is told. */
static void the_first_mistake_is_told(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = begin_tiling(context);
  asc_diag diag = {0};
  asc_tiled_spec spec = {.element = 1, .rank = 1, .sizes = {4}, .kind = ASC_TENSOR_OUTPUT, .alignment = 1};
  for (uint32_t k = 0; k < 3; k++) {
    spec.id = (const char *const[]){"x", "y", "z"}[k];
    assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  }
  asc_box x = {.tensor = 0, .high = {4}};
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"t", NULL, &x, 0, 1}, NULL), ASC_OK);
  assert_int_equal(asc_tiling_freeze(tiling, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "kind");
  assert_string_equal(diag.message, "of y is output, but no task writes it");
  asc_tiling_free(tiling);
  test_context_end(context);
}

static void expect_too_many_parts(asc_context *context, asc_tiling *tiling) {
  asc_diag diag = {0};
  assert_int_equal(asc_tiling_freeze(tiling, &diag), ASC_TOO_LARGE);
  assert_int_equal(diag.status, ASC_TOO_LARGE);
  assert_string_equal(diag.message, "of x falls into too many parts, expected at most 4,194,304");
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* Boxes along a diagonal cut a square into as many cells as their number squared; elements that lie apart are a chunk each. */
static void too_many_parts(void **state) {
  (void)state;
  enum { BOXES = 2049 };
  asc_context *context = test_context();
  asc_tiling *tiling = begin_tiling(context);
  asc_tiled_spec spec = {.id = "x", .element = 1, .rank = 2, .sizes = {BOXES, BOXES}, .alignment = 1};
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  static asc_box boxes[BOXES];
  for (uint32_t k = 0; k < BOXES; k++) boxes[k] = (asc_box){.low = {k, k}, .high = {k + 1, k + 1}};
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"t", boxes, NULL, BOXES, 0}, NULL), ASC_OK);
  expect_too_many_parts(context, tiling);
  context = test_context();
  tiling = begin_tiling(context);
  spec =
      (asc_tiled_spec){.id = "x", .element = 1, .rank = 1, .sizes = {1 << 23}, .layout = ASC_LAYOUT_STRIDES, .strides = {2}};
  spec.alignment = 1;
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  asc_box all = {.high = {1 << 23}};
  assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){"t", &all, NULL, 1, 0}, NULL), ASC_OK);
  expect_too_many_parts(context, tiling);
}

/* Whatever call there is no memory for, nothing is lost and the next attempt works. */
static void memory_may_run_out_anywhere(void **state) {
  (void)state;
  for (uint64_t fail_at = 2;; fail_at++) { /* the first call makes the context */
    test_memory memory = {.fail_at = fail_at};
    asc_context *context = test_context_on(&memory);
    asc_tiling *tiling = NULL;
    asc_problem *problem = NULL;
    size_t count = 0;
    static const char text[] = "tiled,a,1,4x4\ntiled,b,1,4x4\ntask,s,,a\ntask,t,a@0:2x0:4,b\n";
    asc_status status = asc_task_csv_read(context, text, sizeof text - 1, &tiling, NULL, 0, &count);
    if (!status) status = asc_tiling_problem(tiling, 0, &problem, NULL);
    if (!status) status = asc_tiling_replay(tiling, (const int64_t[]){0, 16}, NULL, &count);
    CHECK(status == ASC_OK || status == ASC_OUT_OF_MEMORY, "call %u: %s", (unsigned)fail_at, asc_status_text(status));
    asc_problem_free(problem);
    asc_tiling_free(tiling);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
    if (!status) break;
  }
}

/* Rows of three elements of two bytes, every second one left out: the last of a row and the first of the next adjoin. */
static void chunks_that_adjoin_are_one(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  const asc_tiled_spec spec = {
      .id = "t", .element = 2, .rank = 2, .sizes = {2, 3}, .layout = ASC_LAYOUT_STRIDES, .strides = {5, 2}, .alignment = 1};
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  const asc_box whole = {.low = {0, 0}, .high = {2, 3}}, second = {.low = {1, 1}, .high = {2, 3}};
  rendered all = {.count = 0};
  asc_tiling_chunks(tiling, &whole, keep_chunk, &all);
  static const int64_t offsets[] = {0, 4, 8, 14, 18}, sizes[] = {2, 2, 4, 2, 2};
  assert_int_equal(all.count, COUNT(offsets));
  for (uint32_t k = 0; k < all.count; k++) assert_true(all.offset[k] == offsets[k] && all.size[k] == sizes[k]);
  all.count = 0;
  asc_tiling_chunks(tiling, &second, keep_chunk, &all);
  assert_true(all.count == 2 && all.offset[0] == 14 && all.offset[1] == 18);
  asc_tiling_free(tiling);
  test_context_end(context);
}

int run_tile_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(b1_the_papers_tile_is_four_chunks),
      cmocka_unit_test(b2_tiles_of_a_matrix),
      cmocka_unit_test(chunks_of_odd_strides),
      cmocka_unit_test(chunks_that_adjoin_are_one),
      cmocka_unit_test(parts_live_from_write_to_last_read),
      cmocka_unit_test(rectangles_are_the_lives_of_bytes),
      cmocka_unit_test(what_is_valid_is_never_misread),
      cmocka_unit_test(a_plan_that_overwrites_is_told),
      cmocka_unit_test(outputs_are_kept_to_the_end),
      cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(the_first_mistake_is_told),
      cmocka_unit_test(too_many_parts),
      cmocka_unit_test(memory_may_run_out_anywhere),
  };
  return cmocka_run_group_tests_name("tile", tests, NULL, NULL);
}
