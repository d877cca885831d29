/* Networks of the design and of the paper as tilings. */
#include "tiles.h"

#include <stdio.h>

/* The chain of element-wise layers of the design: 4 blocks of 64 x 64 x 32, in tiles of twelve rows. */
asc_tiling *tile_unary_chain(asc_context *context) {
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  asc_tiled_spec spec = {.element = 1, .rank = 4, .sizes = {1, 128, 64, 64}, .layout = ASC_LAYOUT_NC32HW32, .alignment = 32};
  for (uint32_t t = 0; t < 4; t++) {
    spec.id = (const char *[]){"a", "b", "c", "d"}[t];
    assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  }
  for (uint32_t t = 0; t < 3; t++)
    for (int64_t row = 0; row < 64; row += 12) {
      asc_box in = {.tensor = t, .low = {0, 0, row, 0}, .high = {1, 128, row + 12 < 64 ? row + 12 : 64, 64}}, out = in;
      out.tensor++;
      char id[3] = {spec.id[0], (char)('0' + (int)t), (char)('a' + (int)(row / 12))};
      char name[4] = {id[0], id[1], id[2], 0};
      assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){name, &in, &out, 1, 1}, NULL), ASC_OK);
    }
  tiles_freeze(tiling);
  return tiling;
}

/* Layers of 3x3 on 128 x 64 x 64, in tiles of seven or, in blocks of channels, twelve rows. */
asc_tiling *tile_rows_chain(asc_context *context, asc_layout layout, const char *ways) {
  enum { SIDE = 64, CHANNELS = 128 };
  const int64_t rows = layout == ASC_LAYOUT_NHWC ? 7 : 12;
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  for (uint32_t t = 0; t == 0 || ways[t - 1]; t++) {
    char id[] = {(char)('a' + (int)t), 0};
    asc_tiled_spec spec = {
        .id = id, .element = 1, .rank = 4, .sizes = {1, CHANNELS, SIDE, SIDE}, .layout = layout, .alignment = 1};
    assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  }
  int64_t tiles = (SIDE + rows - 1) / rows;
  for (uint32_t t = 0; ways[t]; t++)
    for (int64_t k = 0; k < tiles; k++) {
      int64_t row = rows * (ways[t] == 'b' ? tiles - 1 - k : k), end = row + rows < SIDE ? row + rows : SIDE;
      asc_box in = {
          .tensor = t, .low = {0, 0, row ? row - 1 : 0, 0}, .high = {1, CHANNELS, end < SIDE ? end + 1 : SIDE, SIDE}};
      asc_box out = {.tensor = t + 1, .low = {0, 0, row, 0}, .high = {1, CHANNELS, end, SIDE}};
      char id[32];
      snprintf(id, sizeof id, "%u:%d", t, (int)k);
      assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){id, &in, &out, 1, 1}, NULL), ASC_OK);
    }
  tiles_freeze(tiling);
  return tiling;
}

typedef struct conv {
  uint32_t in, out; /* numbers of tensors */
  int64_t halo;
} conv;

/* FSRCNN on 512 x 512 (Dong et al. 2016): 56 channels, shrunk to 12, mapped four times by 3x3, expanded again. Eight rows a tile. The image and the
   result of the deconvolution are the model's own. */
asc_tiling *tile_fsrcnn(asc_context *context) {
  static const char *const ids[] = {"image", "feature", "shrink", "map1", "map2", "map3", "map4", "expand", "result"};
  static const int64_t channels[] = {1, 56, 12, 12, 12, 12, 12, 56, 1};
  static const conv convs[] = {{0, 1, 2}, {1, 2, 0}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 6, 1}, {6, 7, 0}, {7, 8, 4}};
  enum { SIDE = 512, ROWS = 8 };
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  for (uint32_t t = 0; t < COUNT(ids); t++) {
    asc_tiled_spec spec = {
        .id = ids[t], .element = 1, .rank = 4, .sizes = {1, channels[t], SIDE, SIDE}, .layout = ASC_LAYOUT_NC32HW32};
    spec.kind = t == 0 ? ASC_TENSOR_INPUT : t + 1 == COUNT(ids) ? ASC_TENSOR_OUTPUT : 0;
    spec.alignment = 32;
    assert_int_equal(asc_tiling_add_tensor(tiling, &spec, NULL), ASC_OK);
  }
  for (uint32_t k = 0; k < COUNT(convs); k++)
    for (int64_t row = 0; row < SIDE; row += ROWS) {
      const conv *c = &convs[k];
      int64_t low = row - c->halo, high = row + ROWS + c->halo;
      asc_box in = {.tensor = c->in,
                    .low = {0, 0, low > 0 ? low : 0, 0},
                    .high = {1, channels[c->in], high < SIDE ? high : SIDE, SIDE}};
      asc_box out = {.tensor = c->out, .low = {0, 0, row, 0}, .high = {1, channels[c->out], row + ROWS, SIDE}};
      char id[32];
      snprintf(id, sizeof id, "%s:%d", ids[c->out], (int)(row / ROWS));
      assert_int_equal(asc_tiling_add_task(tiling, &(asc_task_spec){id, &in, &out, 1, 1}, NULL), ASC_OK);
    }
  tiles_freeze(tiling);
  return tiling;
}
