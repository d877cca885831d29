/* A tiling as the core sees it: each tensor's dimensions as axes of memory.
 *
 *     NC32HW32  1 x 56 x 512 x 512        axis   n   block  row  column  lane
 *                                         size   1     2    512   512     32
 *
 * Axes go from the widest stride to the narrowest, so that what is contiguous is so at the end. */
#ifndef ASCI_TILE_TILING_H
#define ASCI_TILE_TILING_H

#include "asc/tile.h"
#include "base/arena.h"
#include "base/ids.h"

#define ASCI_MAX_AXES (ASC_MAX_RANK + 1)
#define ASCI_BLOCK 32 /* channels of NC32HW32 */

typedef enum asci_axis_part { ASCI_PART_ALL, ASCI_PART_BLOCKS, ASCI_PART_LANES } asci_axis_part;

typedef struct asci_axis {
  int64_t size, stride; /* stride in bytes */
  uint32_t dimension;
  asci_axis_part part; /* of the dimension */
} asci_axis;

typedef struct asci_tiled {
  asc_tiled_spec spec;
  uint32_t axis_count;
  asci_axis axes[ASCI_MAX_AXES];
  int64_t bytes;
  uint32_t writers, uses; /* boxes */
} asci_tiled;

struct asc_tiling {
  asc_context *context;
  asci_arena arena; /* ids and boxes */
  bool frozen;
  asci_tiled *tensors;
  asc_task_spec *tasks;
  size_t tensor_room, task_room;
  uint32_t tensor_count, task_count;
  asci_ids tensor_ids, task_ids; /* number: the index and 1 */
  size_t box_count;

  /* made by freeze: the rectangles of tensor t are rects[begin[t]] .. rects[begin[t + 1] - 1] */
  asc_rect *rects;
  size_t *begin;
};

/* Lays the dimensions of tensor->spec out as axes, and says how many bytes they span. Errors: BAD_INPUT, TOO_LARGE (diag). */
asc_status asci_tile_axes(asci_tiled *tensor, asc_diag *diag);
/* A box by axis. */
void asci_tile_box(const asci_tiled *tensor, const asc_box *box, int64_t low[ASCI_MAX_AXES], int64_t high[ASCI_MAX_AXES]);

/* Algorithm 3 of the paper, RenderChunks, of a box of that many axes: how many chunks it is, and each, from below, as addresses from the box's first
   byte. What adjoins is one chunk. */
uint64_t asci_chunk_count(const asci_axis *axes, const int64_t *sizes, uint32_t count, int64_t element);
void asci_chunks(const asci_axis *axes, const int64_t *sizes, uint32_t count, int64_t element, asc_chunk_sink sink,
                 void *user);

/* What is wrong with the tiling as a whole: with a box of a task, or with a tensor (the task is ASC_NONE then). */
typedef struct asci_tile_fault {
  uint32_t tensor, task;
  const char *field;
} asci_tile_fault;
typedef void (*asci_tile_report)(void *user, const asci_tile_fault *fault, const char *message);

/* As asc_tiling_freeze, reporting every fault. */
asc_status asci_tiling_freeze(asc_tiling *tiling, asci_tile_report report, void *user);
/* Works out the rectangles of one tensor and appends them to tiling->rects (of `room`). uses: its boxes in order of time. Errors: BAD_INPUT (reported),
   TOO_LARGE (likewise), OUT_OF_MEMORY. */
typedef struct asci_tile_use {
  const asc_box *box;
  uint32_t task;
  bool writes;
} asci_tile_use;
asc_status asci_tile_atoms(asc_tiling *tiling, uint32_t tensor, const asci_tile_use *uses, uint32_t count, size_t *room,
                           asci_tile_report report, void *user);

#endif
