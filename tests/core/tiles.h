/* Tilings for the suites: layers that work row by row, and their plans judged by the replay. */
#ifndef TESTS_TILES_H
#define TESTS_TILES_H

#include "asc/tile.h"
#include "support.h"

/* One row of one block of 32 channels: what the cases worked out on paper count in. */
#define TILE_UNIT 32

/* A tensor of so many blocks of 32 channels and rows of one column, in NC32HW32; returns its number. */
uint32_t tiles_rows(asc_tiling *tiling, int64_t blocks, int64_t rows);

typedef struct tile_layer {
  uint32_t in, out;
  int64_t halo;  /* rows above and below that a row needs */
  char scale;    /* '=': row r reads rows around r; '/': two rows, 2r and 2r + 1; '*': row r / 2 */
  bool backward; /* the last row first */
  bool reversed; /* row r writes row rows - 1 - r */
} tile_layer;
/* A task for each row of the output. */
void tiles_layer(asc_tiling *tiling, const tile_layer *layer);
/* A tensor after the other, a layer of that halo between each two and the next; ways: 'f' or 'b' a layer. */
asc_tiling *tiles_chain(asc_context *context, int64_t blocks, int64_t rows, int64_t halo, const char *ways);

void tiles_freeze(asc_tiling *tiling);
asc_problem *tiles_problem(const asc_tiling *tiling, uint32_t flags);
/* Boxes that are misread under a plan of tiles_problem, whose buffers are all tensors. */
size_t tiles_misread(const asc_tiling *tiling, const int64_t *offsets);

/* The cases B5 to B18 of the design, by number. what: what they are about. */
typedef struct tile_case {
  const char *id, *what;
  int64_t shared, optimum, best; /* in units: of shared objects, the least height, that of taa's best order */
  asc_tiling *(*make)(asc_context *context);
} tile_case;
extern const tile_case tile_cases[];
extern const uint32_t tile_case_count;

/* tile_models.c: frozen. Three element-wise layers on 4 blocks of 64 x 64 x 32; layers of 3x3, a letter each for its way; FSRCNN on 512 x 512. */
asc_tiling *tile_unary_chain(asc_context *context);
asc_tiling *tile_rows_chain(asc_context *context, asc_layout layout, const char *ways);
asc_tiling *tile_fsrcnn(asc_context *context);

#endif
