#include "tiles.h"

#include <stdio.h>
#include <string.h>

uint32_t tiles_rows(asc_tiling *tiling, int64_t blocks, int64_t rows) {
  uint32_t tensor = asc_tiling_tensor_count(tiling);
  char id[16];
  snprintf(id, sizeof id, "%c", (char)('a' + (int)tensor));
  asc_tiled_spec spec = {.id = id,
                         .element = 1,
                         .rank = 4,
                         .sizes = {1, 32 * blocks, rows, 1},
                         .layout = ASC_LAYOUT_NC32HW32,
                         .alignment = TILE_UNIT};
  assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  return tensor;
}

static asc_box rows_of(const asc_tiling *tiling, uint32_t tensor, int64_t low, int64_t high) {
  const asc_tiled_spec *spec = asc_tiling_tensor(tiling, tensor);
  asc_box box = {.tensor = tensor};
  memcpy(box.high, spec->sizes, sizeof box.high);
  box.low[2] = low < 0 ? 0 : low;
  box.high[2] = high > spec->sizes[2] ? spec->sizes[2] : high;
  return box;
}

void tiles_layer(asc_tiling *tiling, const tile_layer *layer) {
  int64_t rows = asc_tiling_tensor(tiling, layer->out)->sizes[2];
  for (int64_t k = 0; k < rows; k++) {
    int64_t row = layer->backward ? rows - 1 - k : k, out = layer->reversed ? rows - 1 - row : row;
    int64_t low = layer->scale == '/' ? 2 * row : layer->scale == '*' ? row / 2 : row - layer->halo;
    int64_t high = layer->scale == '/' ? low + 2 : layer->scale == '*' ? low + 1 : row + layer->halo + 1;
    asc_box reads = rows_of(tiling, layer->in, low, high), writes = rows_of(tiling, layer->out, out, out + 1);
    char id[32];
    snprintf(id, sizeof id, "%s%u", asc_tiling_tensor(tiling, layer->out)->id, asc_tiling_task_count(tiling));
    asc_task_spec task = {id, &reads, &writes, 1, 1};
    assert_int_equal(asc_tiling_add_task(tiling, &task, NULL), ASC_OK);
  }
}

asc_tiling *tiles_chain(asc_context *context, int64_t blocks, int64_t rows, int64_t halo, const char *ways) {
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  uint32_t in = tiles_rows(tiling, blocks, rows);
  for (; *ways; ways++) {
    uint32_t out = tiles_rows(tiling, blocks, rows);
    tiles_layer(tiling, &(tile_layer){.in = in, .out = out, .halo = halo, .scale = '=', .backward = *ways == 'b'});
    in = out;
  }
  return tiling;
}

void tiles_freeze(asc_tiling *tiling) {
  asc_diag diag = {0};
  CHECK(asc_tiling_freeze(tiling, &diag) == ASC_OK, "%s %s", diag.field, diag.message);
}

asc_problem *tiles_problem(const asc_tiling *tiling, uint32_t flags) {
  asc_problem *problem = NULL;
  asc_diag diag = {0};
  CHECK(asc_tiling_problem(tiling, flags, &problem, &diag) == ASC_OK, "%s %s", diag.field, diag.message);
  return problem;
}

size_t tiles_misread(const asc_tiling *tiling, const int64_t *offsets) {
  size_t count = 0;
  assert_int_equal(asc_tiling_replay(tiling, offsets, NULL, &count), ASC_OK);
  return count;
}

/* ---- cases ----------------------------------------------------------------------------------------------------------- */

#define CHAIN(name, blocks, rows, halo, ways) \
  static asc_tiling *name(asc_context *context) { \
    return tiles_chain(context, blocks, rows, halo, ways); \
  }
CHAIN(unary, 1, 4, 0, "f")
CHAIN(unary_three, 1, 4, 0, "fff")
CHAIN(halo, 1, 4, 1, "f")
CHAIN(halo_two, 1, 4, 1, "ff")
CHAIN(halo_back, 1, 4, 1, "fb")
CHAIN(halo_three, 1, 6, 1, "fff")
CHAIN(halo_three_back, 1, 6, 1, "fbf")
CHAIN(halo_blocks, 2, 4, 1, "f")
CHAIN(halo_five, 1, 6, 2, "f")

/* Two tensors of so many blocks and rows, and a layer between them. */
static asc_tiling *pair(asc_context *context, const int64_t sizes[4], char scale, bool reversed) {
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  uint32_t in = tiles_rows(tiling, sizes[0], sizes[1]), out = tiles_rows(tiling, sizes[2], sizes[3]);
  tiles_layer(tiling, &(tile_layer){.in = in, .out = out, .scale = scale, .reversed = reversed});
  return tiling;
}

static asc_tiling *squeeze(asc_context *context) {
  return pair(context, (const int64_t[]){4, 4, 1, 4}, '=', false);
}

static asc_tiling *expand(asc_context *context) {
  return pair(context, (const int64_t[]){1, 4, 4, 4}, '=', false);
}

static asc_tiling *reversed(asc_context *context) {
  return pair(context, (const int64_t[]){1, 2, 1, 2}, '=', true);
}

static asc_tiling *pool(asc_context *context) {
  return pair(context, (const int64_t[]){1, 4, 1, 2}, '/', false);
}

static asc_tiling *upsample(asc_context *context) {
  return pair(context, (const int64_t[]){1, 2, 1, 4}, '*', false);
}

static asc_tiling *two_readers(asc_context *context) {
  asc_tiling *tiling = tiles_chain(context, 1, 4, 0, "f");
  uint32_t out = tiles_rows(tiling, 1, 4);
  tiles_layer(tiling, &(tile_layer){.in = 0, .out = out, .scale = '='});
  return tiling;
}

const tile_case tile_cases[] = {
    {"B5", "one unary layer", 8, 4, 4, unary},
    {"B6", "three unary layers", 8, 4, 4, unary_three},
    {"B7", "a layer of 3x3", 8, 5, 5, halo},
    {"B8", "two layers of 3x3", 8, 6, 6, halo_two},
    {"B9", "two layers of 3x3, forward and backward", 8, 5, 5, halo_back},
    {"B10", "three layers of 3x3", 12, 9, 9, halo_three},
    {"B10", "three layers of 3x3, the second one backward", 12, 7, 7, halo_three_back},
    {"B11", "3x3 on two blocks of channels", 16, 13, 13, halo_blocks},
    {"B12", "a layer of 5x5", 12, 8, 8, halo_five},
    {"B13", "four blocks squeezed to one", 20, 16, 16, squeeze},
    {"B14", "one block expanded to four", 20, 16, 16, expand},
    {"B15", "one tensor read by two layers", 8, 8, 8, two_readers},
    {"B16", "output rows in reverse", 4, 3, 3, reversed},
    {"B17", "pooling", 6, 4, 4, pool},
    {"B18", "upsampling", 6, 4, 4, upsample},
};
const uint32_t tile_case_count = COUNT(tile_cases);
