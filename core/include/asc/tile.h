/* Tiled tensors: an accelerator whose memory on the chip holds no whole tensor works on it tile by tile, and each part of it is needed for a time
 * of its own. A tiling says which task reads and writes which part; from it follows a buffer problem in which each tensor is a buffer with a
 * shape. Kvochko et al., "Off-Chip Memory Allocation for Neural Processing Units", IEEE Access 2024.
 *
 * Time. Task k reads at 2k and writes at 2k + 1: what it alone still reads may be overwritten by what it writes. */
#ifndef ASC_TILE_H
#define ASC_TILE_H

#include "asc/asc.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define ASC_MAX_RANK 6u
#define ASC_MAX_ELEMENT INT64_C(4096)

/* Where an element lies in a tensor. */
typedef enum asc_layout {
  ASC_LAYOUT_NCHW,     /* the last dimension is the densest, whatever the rank */
  ASC_LAYOUT_NHWC,     /* of four dimensions, n, c, h and w: the second is the densest */
  ASC_LAYOUT_NC32HW32, /* likewise, in blocks of 32 channels, each [h][w][32]; the last one is padded */
  ASC_LAYOUT_STRIDES,  /* as the strides say */
} asc_layout;

typedef struct asc_tiled_spec {
  const char *id;              /* any bytes but NUL, 1 to 255; unique among tensors */
  int64_t element;             /* bytes, 1 to ASC_MAX_ELEMENT */
  uint32_t rank;               /* 1 to ASC_MAX_RANK */
  int64_t sizes[ASC_MAX_RANK]; /* >= 1 */
  asc_layout layout;
  int64_t strides[ASC_MAX_RANK]; /* of STRIDES, in elements, >= 0: no two elements may share a byte */
  uint32_t kind;                 /* 0, ASC_TENSOR_INPUT (nobody writes it) or ASC_TENSOR_OUTPUT (kept to the end) */
  int64_t alignment;             /* >= 1 */
} asc_tiled_spec;

/* A part of a tensor: in each dimension [low, high). In NC32HW32 channels are whole blocks, or lie in one of them. */
typedef struct asc_box {
  uint32_t tensor;
  int64_t low[ASC_MAX_RANK], high[ASC_MAX_RANK];
} asc_box;

/* What is loaded, worked on and stored at once. What it reads includes the halo. */
typedef struct asc_task_spec {
  const char *id; /* any bytes but NUL, 1 to 255; unique among tasks */
  const asc_box *reads, *writes;
  uint32_t read_count, write_count;
} asc_task_spec;

/* Tensors, and tasks in the order in which they run. */
typedef struct asc_tiling asc_tiling;

asc_status asc_tiling_new(asc_context *context, asc_tiling **tiling);
void asc_tiling_free(asc_tiling *tiling);
/* Add a tensor, or a task on tensors that were added before; everything is copied. At most ASC_MAX_BUFFERS of each. Errors: BAD_INPUT (also
   strides that let elements overlap, a box outside of its tensor), TOO_LARGE (diag, if not NULL, says which field), BAD_ARGUMENT,
   OUT_OF_MEMORY. */
asc_status asc_tiling_add_tensor(asc_tiling *tiling, const asc_tiled_spec *spec, asc_diag *diag);
asc_status asc_tiling_add_task(asc_tiling *tiling, const asc_task_spec *spec, asc_diag *diag);
/* Works out when each part of each tensor is needed; afterwards the tiling never changes. A tensor is cut by the bounds of all boxes on it into
   atoms; an atom is needed from when it is first written, of a tensor that nobody writes from 0, until it was last read or written, of an output to the
   end. Nothing is read before it was written. O(parts of all boxes + bytes of nothing). Errors: BAD_INPUT (diag has the first fault), TOO_LARGE (a
   tensor falls into too many atoms), OUT_OF_MEMORY; the tiling may then be added to and frozen again. */
asc_status asc_tiling_freeze(asc_tiling *tiling, asc_diag *diag);

uint32_t asc_tiling_tensor_count(const asc_tiling *tiling);
uint32_t asc_tiling_task_count(const asc_tiling *tiling);
/* Borrowed; NULL if there is none. */
const asc_tiled_spec *asc_tiling_tensor(const asc_tiling *tiling, uint32_t tensor);
const asc_task_spec *asc_tiling_task(const asc_tiling *tiling, uint32_t task);
/* Bytes from a tensor's first to behind its last, padding included; 0 if there is none. */
int64_t asc_tiling_bytes(const asc_tiling *tiling, uint32_t tensor);
/* The chunks of a box of one of the tasks, from below, as addresses from the tensor's first byte; what adjoins is one. O(chunks). */
typedef void (*asc_chunk_sink)(void *user, int64_t offset, int64_t size);
void asc_tiling_chunks(const asc_tiling *tiling, const asc_box *box, asc_chunk_sink sink, void *user);
/* What a tensor occupies, in order of lower, then low, after freeze. Borrowed. */
const asc_rect *asc_tiling_rects(const asc_tiling *tiling, uint32_t tensor, uint32_t *count);

enum {
  ASC_TILES_WHOLE =
      1, /* a tensor is needed as a whole, from its first part's begin to its last one's end: what allocators see that know no tiles */
  ASC_TILES_IO = 2, /* inputs and outputs of the model are in the memory too */
};

/* Makes a buffer problem of a frozen tiling: a buffer for each tensor that a task names, with its id. O(n + rectangles log rectangles). Errors: TOO_LARGE
   (a shape of more than ASC_MAX_RECTS rectangles; diag, if not NULL, says whose), OUT_OF_MEMORY. */
asc_status asc_tiling_problem(const asc_tiling *tiling, uint32_t flags, asc_problem **problem, asc_diag *diag);

/* Which buffer of that problem each tensor is: `buffers` has room for all tensors; ASC_NONE: it is none. O(tensors). */
void asc_tiling_buffers(const asc_tiling *tiling, uint32_t flags, uint32_t *buffers);

/* What a replay found: a task that reads (or, after the last one, an output that should hold) bytes of a tensor where others lie. */
typedef struct asc_misread {
  uint32_t task;   /* ASC_NONE: after the last */
  uint32_t tensor; /* that was to be read */
  uint32_t other;  /* whose bytes lie there; ASC_NONE: nobody's */
  int64_t address; /* the first such byte */
} asc_misread;

/* Runs all tasks on a memory of tags, each byte of which says whose it is: what every task reads must be what was written there. Shares nothing with
   what works out lifetimes and places. offsets: per tensor, ASC_UNPLACED if it is not in this memory. Counts the boxes that are misread and describes
   the first. O(bytes of all boxes / their common granularity). Errors: TOO_LARGE (more than 2^27 tags), OUT_OF_MEMORY, BAD_ARGUMENT. */
asc_status asc_tiling_replay(const asc_tiling *tiling, const int64_t *offsets, asc_misread *first, size_t *count);

/* What the check of pairs found: two tensors that share a byte which both need. */
typedef struct asc_tile_clash {
  uint32_t tensor, other; /* tensor < other */
  uint32_t task;          /* from which on both need it */
  int64_t address;
} asc_tile_clash;

/* Holds each two tensors against each other, byte by byte, with times from the first task that writes a byte to the last that uses it. Shares nothing
   with what works out lifetimes, chunks and places, nor with asc_validate. Counts pairs of tensors; first (may be NULL) receives the one
   that is lowest in memory. O(runs of bytes of all boxes log runs + pairs that share addresses times their runs). Errors: TOO_LARGE (2^26 runs or more),
   OUT_OF_MEMORY, BAD_ARGUMENT. */
asc_status asc_tiling_clashes(const asc_tiling *tiling, const int64_t *offsets, asc_tile_clash *first, size_t *count);

/* ---- from a model's graph -------------------------------------------------------------------------------------------- */

/* The table of options: order, layout, channels, concat. */
const asc_option *asc_tile_options(uint32_t *count);
/* Makes a frozen tiling of a frozen graph for `capacity` bytes on the chip: of each operator's output the largest tiles that fit beside all that they need of
   the inputs (halo included, constants and variables not), and their tasks in the order that the options say. Windows, shapes and axes of the graph say what
   is needed; an operator without windows is one task. What is an alias lies where its input does. A task's id is that of its operator, a colon and a
   number. O(tasks * uses of an operator). Errors: UNKNOWN_OPTION, BAD_OPTION, BAD_INPUT (an operator whose least tile does not fit, windows that do not suit
   the shapes), TOO_LARGE (too many tiles), all with a diag (may be NULL) that names the operator, BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_graph_tile(const asc_graph *graph, const asc_option_value *options, uint32_t count, int64_t capacity,
                          asc_tiling **tiling, asc_diag *diag);

/* The same of what a plan of a graph leaves in the memory outside: a tensor for each stay there, its copies out and back as tasks of at most `capacity`
   bytes, in the order of time, at each time those out first. The plan is valid (asc_plan_validate). Inputs and constants that lie outside from the
   beginning are inputs, outputs that lie there at the end outputs. A later copy of a tensor has a number behind its name; tasks are called "a out:0" and, fetched at
   time 4, "a in 4:0". Of the options layout and channels count. Errors: as above. */
asc_status asc_plan_tile(const asc_graph *graph, const asc_plan *plan, const asc_option_value *options, uint32_t count,
                         int64_t capacity, asc_tiling **tiling, asc_diag *diag);

/* ---- task CSV -------------------------------------------------------------------------------------------------------- */

/* Whether a text is a task CSV: its first record begins with "tiled" or "task" and does not name the columns of a buffer CSV. O(length of that
   record). */
bool asc_task_csv_is(const char *text, size_t bytes);
/* Reads a task CSV (see README.md beside core/src/io). Reports the first `room` errors by line and the number of all; on error nothing is loaded. The
   tiling is frozen. Errors: BAD_INPUT, TOO_LARGE, OUT_OF_MEMORY. */
asc_status asc_task_csv_read(asc_context *context, const char *text, size_t bytes, asc_tiling **tiling, asc_diag *diags,
                             size_t room, size_t *count);
/* Writes a task CSV that reads back as the same tiling. */
asc_status asc_task_csv_write(const asc_tiling *tiling, asc_sink sink, void *user);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
