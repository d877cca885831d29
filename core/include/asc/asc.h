/* Arenascope: static memory allocation for ML accelerators.
 *
 * Words. A buffer lives in the half-open interval [lower, upper) of logical time, has a size and an alignment, perhaps a fixed
 * offset, a hint, gaps or a shape, and a bank whose boundaries it must not cross. A problem is a set of buffers; a solution gives each an
 * offset; its height is the greatest offset + size. The load of a time is the sum of the sizes live there; the greatest load is a
 * lower bound of every height.
 * A pool is one memory. A problem has the main one and those that were added; buffers of different pools are never in each other's way, and
 * the height and the lower bound of a problem with pools are the sums of those of its pools.
 * A section is a maximal interval of time in which the set of live buffers does not change (MiniMalloc's cross section).
 *
 * Units. Memory is in bytes, int64_t, 0 to ASC_MAX_BYTES. Time is in logical steps, int64_t, |t| <= ASC_MAX_BYTES. Effort is in
 * search steps, uint64_t: one step is one decision tried (or one group of candidates passed over by the same rule).
 *
 * Failure. Whatever can fail returns an asc_status and leaves its results untouched unless that is ASC_OK. The library never
 * aborts, prints, exits, reads a clock, an environment variable, a file or a global that can change.
 *
 * Ownership. *_new gives an object that *_free takes (NULL allowed). Getters return borrowed, constant memory that lives as
 * long as its object, or until the next call on it where that is said.
 *
 * Threads. Two threads may use the library at once on different contexts. One context belongs to one thread at a time, except
 * asc_run_cancel, which may be called from a signal handler or another thread. */
#ifndef ASC_ASC_H
#define ASC_ASC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* the shared object is compiled with all else hidden */
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define ASC_VERSION "0.1.0"

#define ASC_MAX_BYTES INT64_C(9007199254740991) /* 2^53 - 1: exact in a JavaScript number */
#define ASC_MAX_BUFFERS (UINT32_C(1) << 20)
#define ASC_NONE UINT32_MAX /* no buffer, no section */
#define ASC_UNPLACED (-1)   /* offset of a buffer that has none; also "not fixed", "no hint" */

/* ---- status ---------------------------------------------------------------------------------------------------------- */

typedef enum asc_status {
#define ASC_STATUS(name, text) ASC_##name,
#include "asc/status.def"
#undef ASC_STATUS
} asc_status;

/* One sentence in plain English, never NULL. */
const char *asc_status_text(asc_status status);

/* Where an input went wrong. line and column count from 1 (0: not in a text); field is the column's name. */
typedef struct asc_diag {
  asc_status status;
  uint32_t line;
  uint32_t column;
  uint32_t length; /* of the offending text in bytes */
  char field[24];
  char message[200]; /* "is 3, expected more than lower, 4" */
} asc_diag;

/* ---- context --------------------------------------------------------------------------------------------------------- */

/* Allocator of a context. resize(user, NULL, n) allocates, resize(user, p, n) grows or shrinks, release frees; resize
   returns NULL when there is no memory and must then leave p as it was. */
typedef struct asc_allocator {
  void *(*resize)(void *user, void *block, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} asc_allocator;

typedef struct asc_context asc_context;

/* allocator NULL: the C library's. Errors: OUT_OF_MEMORY. */
asc_status asc_context_new(const asc_allocator *allocator, asc_context **context);
/* Ids are looked up by a hash with this key (0, 0 until it is set), which changes no answer. Who takes ids from strangers gives it random bits before
   anything is read: without them a file can be made whose ids all take the same place, and reading takes quadratic time. */
void asc_context_set_key(asc_context *context, uint64_t first, uint64_t second);
void asc_context_free(asc_context *context);
/* Bytes handed out now. */
size_t asc_context_bytes(const asc_context *context);

/* ---- problem --------------------------------------------------------------------------------------------------------- */

/* A part [lower, upper) of a lifespan in which the buffer does not occupy its memory, or, if window_lower < window_upper,
   occupies only the addresses [offset + window_lower, offset + window_upper). */
typedef struct asc_gap {
  int64_t lower, upper;
  int64_t window_lower, window_upper;
} asc_gap;

/* A rectangle of a shape: during [lower, upper) the buffer occupies the addresses [offset + low, offset + high). */
typedef struct asc_rect {
  int64_t lower, upper;
  int64_t low, high;
} asc_rect;

/* At most so many rectangles a shape. */
#define ASC_MAX_RECTS (UINT32_C(1) << 14)

#define ASC_POOL_MAIN 0u        /* the memory that the capacity of a run is of */
#define ASC_POOL_ANY UINT32_MAX /* a buffer that may lie in any pool */
#define ASC_MAX_POOLS 64u

/* One memory of a problem. */
typedef struct asc_pool {
  const char *id;    /* any bytes but NUL, 1 to 255; unique. That of the main pool is "" */
  int64_t capacity;  /* bytes; 0: that of the run */
  int64_t alignment; /* >= 1; every offset in it is a multiple of it */
  int64_t bank;      /* 0: none; else no multiple of it lies strictly inside a buffer */
} asc_pool;

typedef struct asc_buffer_spec {
  const char *id; /* any bytes but NUL, at most 255; unique */
  int64_t lower, upper;
  int64_t size;
  int64_t alignment; /* >= 1; the offset is a multiple of it */
  int64_t offset;    /* fixed offset or ASC_UNPLACED */
  int64_t hint;      /* offset to try first or ASC_UNPLACED */
  const asc_gap *gaps;
  uint32_t gap_count;
  int64_t bank; /* 0: none; else >= size, and no multiple of it lies strictly inside [offset, offset + size) */
  /* What it occupies, if that is not all of its size all the time: disjoint rectangles in order of lower, then low, inside the lifespan and
     the size, several at a time if need be. A buffer has gaps or a shape, not both. */
  const asc_rect *shape;
  uint32_t shape_count;
  uint32_t pool; /* ASC_POOL_MAIN, one that was added, or ASC_POOL_ANY */
} asc_buffer_spec;

typedef struct asc_problem asc_problem;

asc_status asc_problem_new(asc_context *context, asc_problem **problem);
void asc_problem_free(asc_problem *problem);
/* Adds a pool, from ASC_POOL_MAIN + 1 on, before the buffers that name it; everything is copied. index may be NULL. Errors: BAD_INPUT,
   TOO_LARGE (more than ASC_MAX_POOLS with the main one; diag, if not NULL, says which field), OUT_OF_MEMORY. */
asc_status asc_problem_add_pool(asc_problem *problem, const asc_pool *pool, uint32_t *index, asc_diag *diag);
/* Adds a buffer; everything is copied. O(r log r) for a shape of r rectangles that lie well in time, O(r^2) at worst. Errors: BAD_INPUT,
   TOO_LARGE (diag, if not NULL, says which field), OUT_OF_MEMORY. */
asc_status asc_problem_add(asc_problem *problem, const asc_buffer_spec *spec, asc_diag *diag);
/* Sorts out sections, loads and partitions; afterwards the problem never changes. O(n log n) time, O(n + gaps + rectangles) memory.
   Errors: BAD_INPUT (duplicate id; what a pool's alignment and bank do not allow), OUT_OF_MEMORY. */
asc_status asc_problem_freeze(asc_problem *problem, asc_diag *diag);

uint32_t asc_problem_count(const asc_problem *problem);
const char *asc_problem_id(const asc_problem *problem, uint32_t buffer);
/* Borrowed spec of a buffer. */
const asc_buffer_spec *asc_problem_buffer(const asc_problem *problem, uint32_t buffer);
/* Index of the buffer of that id or ASC_NONE; O(length) expected. Before freeze there is none. */
uint32_t asc_problem_find(const asc_problem *problem, const char *id);
/* Pools, the main one included: at least 1. */
uint32_t asc_problem_pool_count(const asc_problem *problem);
const asc_pool *asc_problem_pool(const asc_problem *problem, uint32_t pool); /* NULL if there is none */
/* What lies in one pool as a problem of its own, frozen, with the pool's alignment and bank on each buffer: its sections, loads and lower bound
   are the pool's. Borrowed. Of a problem with the main pool alone that is the problem itself. NULL if there is no such pool. */
const asc_problem *asc_problem_part(const asc_problem *problem, uint32_t pool);
/* part_buffers[k]: which buffer of the problem is buffer k of the part; NULL if the part is the problem itself. */
const uint32_t *asc_problem_part_buffers(const asc_problem *problem, uint32_t pool);
/* 64-bit digest of all that a solver can see, ids included: some planners break ties by name. */
uint64_t asc_problem_digest(const asc_problem *problem);

/* Sections in order of time: [lower, upper) and load in bytes. Maximal intervals with one live set that is not empty. */
typedef struct asc_section {
  int64_t lower, upper;
  int64_t load;
  uint32_t live; /* buffers alive */
} asc_section;
uint32_t asc_problem_section_count(const asc_problem *problem);
const asc_section *asc_problem_sections(const asc_problem *problem);
/* The section with the greatest load (the first of them) or ASC_NONE. */
uint32_t asc_problem_peak(const asc_problem *problem);
/* Lower bound of every height: the greatest load, and no less than any fixed offset + size; with pools the sum of that over them. */
int64_t asc_problem_lower_bound(const asc_problem *problem);
/* Groups of buffers that no time joins; for each buffer its group, numbered in order of time (0 for a buffer that never occupies
   memory). */
uint32_t asc_problem_partition_count(const asc_problem *problem);
const uint32_t *asc_problem_partitions(const asc_problem *problem);
/* cuts[s]: buffers alive on both sides of the boundary between section s and s + 1 (section_count - 1 entries). */
const uint32_t *asc_problem_cuts(const asc_problem *problem);

/* ---- solution and validation ----------------------------------------------------------------------------------------- */

typedef enum asc_violation_kind {
  ASC_VIOLATION_OUTSIDE,    /* below 0, above the capacity, or without an offset */
  ASC_VIOLATION_OVERLAP,    /* two buffers share a byte at the same time */
  ASC_VIOLATION_MISALIGNED, /* the offset is no multiple of the alignment */
  ASC_VIOLATION_MOVED,      /* not at its fixed offset */
  ASC_VIOLATION_CROSSING,   /* a bank boundary lies inside */
  ASC_VIOLATION_ORDER,      /* of a graph: an operator does not run once, or before one that it waits for */
  ASC_VIOLATION_ABSENT, /* a tensor or workspace is not in the arena while an operator needs it, or not kept at the end */
  ASC_VIOLATION_UNMADE, /* a stay begins with bytes that nobody makes then and that are not, or not any more, where they would come from */
} asc_violation_kind;

typedef struct asc_violation {
  asc_violation_kind kind;
  uint32_t buffer; /* of a graph the item, in ORDER the operator */
  uint32_t other;  /* of OVERLAP the other one, in ORDER and ABSENT the operator; else ASC_NONE */
} asc_violation;

/* "outside", "overlap", "misaligned", "moved", "crossing", "order", "absent", "unmade". */
const char *asc_violation_name(asc_violation_kind kind);

/* Checks offsets[n] against the problem, independently of every solver, by definition. capacity is that of the pools that have none of their
   own; above ASC_MAX_BYTES no pool has one. A buffer that may lie in any pool is OUTSIDE: offsets alone do not say in which. Writes the first `room` violations and the
   number of all of them, overlaps in order of when the later of the two begins. O(n log n), and O(log n) for each overlap, gaps included.
   Errors: BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_validate(const asc_problem *problem, const int64_t *offsets, int64_t capacity, asc_violation *violations,
                        size_t room, size_t *count);
/* Greatest offset + size over the placed buffers, 0 if there is none; with pools the sum of that over them. */
int64_t asc_height(const asc_problem *problem, const int64_t *offsets);

/* ---- buffer CSV ------------------------------------------------------------------------------------------------------ */

typedef struct asc_csv asc_csv; /* a problem with the file's columns, so that unknown ones are written back */

typedef enum asc_offset_column {
  ASC_OFFSETS_FIXED,    /* the column "offset" fixes buffers, as MiniMalloc reads it */
  ASC_OFFSETS_SOLUTION, /* the column "offset" is a plan to check or show; nothing is fixed */
} asc_offset_column;

/* Reads a buffer CSV, or a JSON list of objects that are its rows (see README.md beside core/src/io). Reports the first `room` errors and the number of all; on error nothing is
   loaded. O(bytes + n log n). Errors: BAD_ARGUMENT, BAD_INPUT, TOO_LARGE, OUT_OF_MEMORY. */
asc_status asc_csv_read(asc_context *context, const char *text, size_t bytes, asc_offset_column offsets, asc_csv **csv,
                        asc_diag *diags, size_t room, size_t *count);

/* The same in parts, for who tells how far it is or gives up. */
typedef struct asc_csv_reading asc_csv_reading;
/* Keeps text and diags, which must outlive it. Errors: BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_csv_reading_new(asc_context *context, const char *text, size_t bytes, asc_offset_column offsets,
                               asc_diag *diags, size_t room, asc_csv_reading **reading);
/* How the column of ends is meant: "upper" is the first time at which a buffer is not alive any more, "end" the last at which it is. */
typedef enum asc_csv_end {
  ASC_END_BY_NAME,
  ASC_END_INCLUSIVE,
  ASC_END_EXCLUSIVE,
} asc_csv_end;
/* Says what the text leaves open, before the first step: how its ends are meant, and what its columns are, "id,size,lower,upper", which says as well
   that it has no header; NULL: as it is. It goes before what a comment in the text says. Errors: BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_csv_reading_assume(asc_csv_reading *reading, asc_csv_end end, const char *columns);
/* At any moment; NULL is nothing to free. */
void asc_csv_reading_free(asc_csv_reading *reading);
/* Reads up to `rows` rows more and says whether there may be others. O(bytes of the rows). Errors: BAD_ARGUMENT, OUT_OF_MEMORY;
   mistakes in the text are counted until the end. */
asc_status asc_csv_reading_step(asc_csv_reading *reading, uint32_t rows, bool *more);
/* Rows read, and bytes of the text read. */
void asc_csv_reading_at(const asc_csv_reading *reading, size_t *rows, size_t *bytes);
/* Reads what is left and sorts the problem out; the rest is as with asc_csv_read. The reading is to be freed still.
   O(bytes left + n log n). Errors: those of asc_csv_read. */
asc_status asc_csv_reading_end(asc_csv_reading *reading, asc_csv **csv, size_t *count);

void asc_csv_free(asc_csv *csv);
/* Borrowed, frozen. */
const asc_problem *asc_csv_problem(const asc_csv *csv);
/* The plan of the column "offset" (n entries, ASC_UNPLACED where a row gives none), or NULL if it was not read as a plan. */
const int64_t *asc_csv_offsets(const asc_csv *csv);
/* One sentence on what was assumed ("column end: inclusive, 1 was added"), "" if there was nothing to assume. */
const char *asc_csv_convention(const asc_csv *csv);
/* How the ends were read, BY_NAME where the file leaves nothing open: its column is "upper", and nobody said otherwise. */
asc_csv_end asc_csv_end_read(const asc_csv *csv);
/* Whether the text is written as the tables of README.md's columns have it; if not, asc_csv_write makes such a one of it. */
bool asc_csv_is_plain(const asc_csv *csv);

/* Called with pieces of a text; returns false to stop (the writer then returns BAD_ARGUMENT). */
typedef bool (*asc_sink)(void *user, const char *text, size_t bytes);
/* Writes id, lower, upper, size, alignment, bank, hint, gaps (those four if any buffer has one), the unknown columns, and, if
   offsets is not NULL, a last column offset; if it is NULL, fixed offsets are written. extra may be NULL: columns of the file read. */
asc_status asc_csv_write(const asc_problem *problem, const asc_csv *extra, const int64_t *offsets, asc_sink sink,
                         void *user);
/* The same for spreadsheets: a text that one would compute (= + - @ at its beginning, and no number) has an apostrophe before it, with which it
   reads back. */
asc_status asc_csv_write_for_sheets(const asc_problem *problem, const asc_csv *extra, const int64_t *offsets, asc_sink sink,
                                    void *user);

/* How asc_problem_lp writes a packing; both false: as TelaMalloc's figure 5, whether there is a plan. */
typedef struct asc_packing_lp {
  bool least;        /* the least height up to the capacity, which is a variable then */
  bool one_variable; /* for each pair, instead of two that exclude each other */
} asc_packing_lp;
/* Writes the plans within a capacity as an integer linear program, in the text format of LP solvers (TelaMalloc, section 3.2): variable p_<buffer> is
   the offset in multiples of the buffer's alignment, or, without one, of the unit that the first line names. O(pairs alive together) lines. Errors:
   UNSUPPORTED (diag) of pools, shapes, windows, banks and of a capacity above 2^31 units; BAD_ARGUMENT also of a sink that stops; OUT_OF_MEMORY. */
asc_status asc_problem_lp(const asc_problem *problem, int64_t capacity, asc_packing_lp kind, asc_sink sink, void *user,
                          asc_diag *diag);

/* ---- accelerator profiles -------------------------------------------------------------------------------------------- */

/* What an alignment is a property of. */
typedef enum asc_align_by {
  ASC_ALIGN_OFFSET, /* offsets are multiples of it */
  ASC_ALIGN_SIZE,   /* sizes are rounded up to multiples of it */
  ASC_ALIGN_BOTH,
} asc_align_by;

/* One memory that software manages, as core/src/profile/data has it; who says so is said there. Amounts in bytes. */
typedef struct asc_profile {
  const char *id, *title, *vendor; /* the id is 1 to 40 lower-case letters, digits and dashes */
  int64_t capacity;                /* that a plan may address, what is reserved included; 0: not public */
  int64_t reserved;                /* of those, at the upper end and not for buffers */
  int64_t alignment;               /* >= 1 */
  int64_t bank;                    /* size of its banks, which begin at address 0; 0: it has none */
  asc_align_by align_by;
  uint32_t cores; /* that have such a memory each, or share it */
  bool may_cross; /* a buffer may lie in more than one bank */
} asc_profile;

/* In order of id, by which vendors are together. */
uint32_t asc_profile_count(void);
const asc_profile *asc_profile_at(uint32_t index);
const asc_profile *asc_profile_find(const char *id); /* NULL if there is none */
/* A new, frozen problem: the buffers as the profile's memory takes them, in the same order. An offset becomes a multiple of the least
   common multiple of the buffer's own alignment and the profile's; a size is rounded up; a bank that may not be crossed is added to a
   buffer's own, of which one must divide the other. It is about the main pool: buffers of others stay as they are. Applied again it changes nothing. Uses alignment, align_by, bank and may_cross alone:
   the capacity is the run's. O(n log n). Errors: BAD_ARGUMENT, BAD_INPUT (a fixed offset that is no such multiple, a buffer larger than a
   bank, banks of which neither divides the other), TOO_LARGE, OUT_OF_MEMORY; diag (may be NULL) names the buffer. */
asc_status asc_profile_apply(const asc_problem *problem, const asc_profile *profile, asc_problem **applied, asc_diag *diag);

/* ---- generated problems ---------------------------------------------------------------------------------------------- */

/* kind: "synthetic" (MiniMalloc 8.3: n buffers, high overlap, tight capacity), "network" (layers, skip connections, prefetched
   weights), "training" (a training step over micro-batches), "heavy-tailed", "powers-of-two", "stationary" (mixes of lifetimes as in large
   models, sizes of all magnitudes), "random" (mixed lifespans), "non-overlapping", "full-overlap" (TelaMalloc 7.1). The same arguments give
   the same problem everywhere. capacity (may be NULL) receives the capacity it is meant for. O(n log n), about 230 bytes of memory a
   buffer. Errors: BAD_ARGUMENT (unknown kind, n = 0 or above ASC_MAX_BUFFERS), OUT_OF_MEMORY. */
asc_status asc_generate(asc_context *context, const char *kind, uint32_t n, uint64_t seed, asc_problem **problem,
                        int64_t *capacity);
/* Name and one-line description of the k-th kind, NULL past the last. */
const char *asc_generate_kind(uint32_t k, const char **text);

/* ---- options --------------------------------------------------------------------------------------------------------- */

typedef enum asc_option_type { ASC_OPTION_BOOL, ASC_OPTION_INT, ASC_OPTION_CHOICE, ASC_OPTION_TEXT } asc_option_type;

typedef struct asc_option {
  const char *name; /* "section_inference" */
  asc_option_type type;
  const char *title;   /* "Section bound" */
  const char *initial; /* default, as text: "true", "100", "first" */
  int64_t min, max;    /* of an INT */
  const char *choices; /* of a CHOICE: "first|best" */
  const char *help;    /* one sentence */
} asc_option;

typedef struct asc_option_value {
  const char *name, *value;
} asc_option_value;

/* ---- model graphs ---------------------------------------------------------------------------------------------------- */

/* What a tensor is, as bits; 0: an activation, made by one operator and read by others. OUTPUT may stand with each of the others but
   WORKSPACE; of the rest at most one is set. */
enum {
  ASC_TENSOR_INPUT = 1,      /* the model's: there before the first operator */
  ASC_TENSOR_OUTPUT = 2,     /* the model's: must be there after the last operator */
  ASC_TENSOR_CONSTANT = 4,   /* weights and other data of the model */
  ASC_TENSOR_VARIABLE = 8,   /* state that outlives a run; any operator that names it may change it */
  ASC_TENSOR_WORKSPACE = 16, /* scratch of the operators that name it */
};

#define ASC_MAX_TENSOR_ALIGNMENT (INT64_C(1) << 30)

typedef struct asc_tensor_spec {
  const char *id;    /* any bytes but NUL, 1 to 255; unique among tensors */
  int64_t bytes;     /* 0 to ASC_MAX_BYTES, all together with the workspaces at most that, too */
  uint32_t kind;     /* ASC_TENSOR_* */
  int64_t alignment; /* 1 to ASC_MAX_TENSOR_ALIGNMENT */
  const char *shape,
      *dtype; /* to be shown, at most 255 bytes; NULL: unknown. A shape of the form 1x8x8 is what tiles are made by (asc_graph_tile) */
  const char *axes; /* what the shape's dimensions are, a letter each: "NCHW"; NULL: unknown */
} asc_tensor_spec;

/* An output and an input of one operator, as tensors. */
typedef struct asc_tensor_pair {
  uint32_t output, input;
} asc_tensor_pair;

typedef struct asc_op_spec {
  const char *id;                   /* any bytes but NUL, 1 to 255; unique among operators */
  const char *type;                 /* to be shown: "Conv"; at most 255 bytes; NULL: unknown */
  const uint32_t *inputs, *outputs; /* tensors */
  uint32_t input_count, output_count;
  const asc_tensor_pair *inplace; /* the output may be written over the input, if nobody else needs that */
  const asc_tensor_pair *alias; /* the output is the input's bytes seen in another shape; one pair at most for each output */
  uint32_t inplace_count, alias_count;
  int64_t workspace; /* scratch bytes while it runs */
  const char *
      windows; /* what of each input a part of the output needs, see README.md beside core/src/io; at most 255 bytes; NULL: unknown */
} asc_op_spec;

/* Tensors, and operators in the order of the default schedule. */
typedef struct asc_graph asc_graph;

asc_status asc_graph_new(asc_context *context, asc_graph **graph);
void asc_graph_free(asc_graph *graph);
/* Add a tensor, or an operator on tensors that were added before; everything is copied. O(bytes copied) expected. At most ASC_MAX_BUFFERS of
   each. Errors: BAD_INPUT, TOO_LARGE (diag, if not NULL, says which field), BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_graph_add_tensor(asc_graph *graph, const asc_tensor_spec *spec, asc_diag *diag);
asc_status asc_graph_add_op(asc_graph *graph, const asc_op_spec *spec, asc_diag *diag);
/* Checks the graph; afterwards it never changes. There is an operator; each tensor but a variable is made at most once, each activation and
   output that is named is made, inputs, constants and workspaces are not; no operator waits for itself; operators stand behind those
   whose outputs they read; pairs name an output and an input of their operator. O(n + uses). Errors: BAD_INPUT (diag has the first
   fault, with the operator or tensor that it is of), OUT_OF_MEMORY; the graph may then be added to and frozen again. */
asc_status asc_graph_freeze(asc_graph *graph, asc_diag *diag);

uint32_t asc_graph_tensor_count(const asc_graph *graph);
uint32_t asc_graph_op_count(const asc_graph *graph);
/* Borrowed; NULL if there is none. Texts that were NULL are "". */
const asc_tensor_spec *asc_graph_tensor(const asc_graph *graph, uint32_t tensor);
const asc_op_spec *asc_graph_op(const asc_graph *graph, uint32_t op);
/* The tensor of that id or ASC_NONE; O(length) expected. */
uint32_t asc_graph_find(const asc_graph *graph, const char *id);
/* The operator that makes the tensor (of a variable: the first) or ASC_NONE. Before freeze there is none. */
uint32_t asc_graph_producer(const asc_graph *graph, uint32_t tensor);

/* ---- lowering: from a graph to buffers ------------------------------------------------------------------------------- */

/* Operator k of the schedule runs at time k. A tensor is alive from the operator that makes it until after the last one that reads it, so
   that an operator's inputs and outputs are alive together; an input from time 0, an output to the end, a variable all the time, a tensor
   that nobody reads at its operator alone. Tensors of 0 bytes and those that no operator names have no buffer. The options say the rest. */
typedef struct asc_lowering asc_lowering;

/* The table of options: constants, prefetch, preserve_inputs, inplace, alias, workspace, alignment, align_by, order, share_io,
   inplace_ops. */
const asc_option *asc_lower_options(uint32_t *count);

/* Makes a buffer problem of a frozen graph, which must outlive it. A buffer has the id of its tensor, of the one made first if several
   share it; a workspace that of its operator and ":workspace"; a constant that is loaded more than once that of the tensor, ":2" and
   so on from the second time on; a further number is added if a tensor has that name. O((n + uses) log n).
   Errors: UNKNOWN_OPTION, BAD_OPTION, TOO_LARGE, BAD_INPUT (diag, if not NULL, says what), BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_lower(const asc_graph *graph, const asc_option_value *options, uint32_t count, asc_lowering **lowering,
                     asc_diag *diag);
void asc_lowering_free(asc_lowering *lowering);
/* The memory that the buffers are for, before anything is run on the lowering: the problem, and that of every plan, are then as
   asc_profile_apply makes them. NULL: none, as at first. O(n log n + uses). Errors: those of asc_profile_apply, after which the lowering is as
   before. */
asc_status asc_lowering_set_profile(asc_lowering *lowering, const asc_profile *profile, asc_diag *diag);
/* Borrowed, frozen, until the next profile is set: the buffers under the lowering's own schedule; and those without a profile. */
const asc_problem *asc_lowering_problem(const asc_lowering *lowering);
const asc_problem *asc_lowering_plain(const asc_lowering *lowering);
/* schedule[k]: the operator that runs at time k. */
const uint32_t *asc_lowering_schedule(const asc_lowering *lowering);
/* Per tensor its buffer, ASC_NONE if it is out of the plan; of a constant that is loaded several times the first. */
const uint32_t *asc_lowering_buffers(const asc_lowering *lowering);
/* Per operator the buffer of its workspace or ASC_NONE. */
const uint32_t *asc_lowering_workspaces(const asc_lowering *lowering);
/* The k-th sentence on what was left out or could not be done, NULL past the last. */
const char *asc_lowering_note(const asc_lowering *lowering, uint32_t k);

/* The three memory budgets of COSMA (section V), in bytes, under the same options. */
typedef struct asc_budgets {
  int64_t required; /* M_R: the most that one operator's inputs, outputs and workspace take */
  int64_t half;     /* M_H: half way between them, rounded down */
  int64_t peak;     /* M_P, best known: the least load among the schedules of the option "order" */
} asc_budgets;
asc_budgets asc_lowering_budgets(const asc_lowering *lowering);
/* The same as the lowering's profile takes the sizes, with the least peak of all orders, which a search finds in up to `effort` transitions (0: no
   search; M_R stands for all). proven: no order has a lower one; else it is the least that was found. Exponential in the operators that may run at the same
   place of an order. Errors: OUT_OF_MEMORY (also when not even the given order was looked through). */
asc_status asc_lowering_least_peak(const asc_lowering *lowering, uint64_t effort, asc_budgets *budgets, bool *proven);

/* Which program asc_lowering_lp writes. */
typedef enum asc_lp_model {
  ASC_LP_ADDRESSES, /* COSMA's (1) to (12): order, spills, retrievals and addresses */
  ASC_LP_CAPACITY,  /* without addresses, (9) to (11) */
  ASC_LP_GAPS,      /* the given order: which tensors are out between which of their uses */
} asc_lp_model;
/* Writes the least traffic of plans within a capacity as an integer linear program, in the text format of LP solvers. The model's inputs have a copy
   outside. O(operators * tensors^2) lines. Errors: UNSUPPORTED (diag) of what is done in place or stays in the arena, BAD_ARGUMENT of a sink that
   stops, OUT_OF_MEMORY. */
asc_status asc_lowering_lp(const asc_lowering *lowering, int64_t capacity, asc_lp_model kind, asc_sink sink, void *user,
                           asc_diag *diag);

/* ---- graph CSV ------------------------------------------------------------------------------------------------------- */

/* Whether a text is a graph CSV rather than a buffer CSV: its first record begins with "tensor" or "op" and does not name the columns
   of a buffer CSV. O(length of that record). */
bool asc_graph_csv_is(const char *text, size_t bytes);
/* Reads a graph CSV (see README.md beside core/src/io). Reports the first `room` errors by line and the number of all; on error nothing is
   loaded. The graph is frozen. O(bytes + n). Errors: BAD_INPUT, TOO_LARGE, OUT_OF_MEMORY. */
asc_status asc_graph_csv_read(asc_context *context, const char *text, size_t bytes, asc_graph **graph, asc_diag *diags,
                              size_t room, size_t *count);
/* Writes a graph CSV that reads back as the same graph. */
asc_status asc_graph_csv_write(const asc_graph *graph, asc_sink sink, void *user);

/* ---- packed graphs --------------------------------------------------------------------------------------------------- */

/* A graph as three arrays, for who hands it over as a whole (see README.md beside core/src/io). Borrowed; nothing in them is trusted. */
typedef struct asc_packed_graph {
  const double *numbers;
  const uint32_t *words;
  const char *text;
  size_t number_count, word_count, text_bytes;
} asc_packed_graph;
/* Makes a frozen graph of them, by asc_graph_add_tensor, asc_graph_add_op and asc_graph_freeze. On error nothing is made; diag (may be NULL) has the first
   mistake and says which tensor or operator it is of. O(length of the arrays). Errors: BAD_ARGUMENT, BAD_INPUT, TOO_LARGE,
   OUT_OF_MEMORY. */
asc_status asc_graph_unpack(asc_context *context, const asc_packed_graph *packed, asc_graph **graph, asc_diag *diag);

/* ---- what a run is about, and what it is after ----------------------------------------------------------------------- */

typedef enum asc_domain {
  ASC_DOMAIN_BUFFERS, /* lifespans are given, offsets are decided */
  ASC_DOMAIN_GRAPH,   /* the order of a model's operators is decided as well, and so when its tensors are alive */
  ASC_DOMAIN_COUNT
} asc_domain;
/* "buffers", "graph". */
const char *asc_domain_id(asc_domain domain);

/* Frozen, and to outlive whatever is made of it. */
typedef struct asc_input {
  asc_domain domain;
  union {
    const asc_problem *buffers;
    const asc_lowering *graph; /* the operators of its graph, the tensors as its options lower them */
  } of;
} asc_input;

static inline asc_input asc_input_buffers(const asc_problem *problem) {
  asc_input input = {ASC_DOMAIN_BUFFERS, {problem}};
  return input;
}

static inline asc_input asc_input_graph(const asc_lowering *lowering) {
  asc_input input = {ASC_DOMAIN_GRAPH, {NULL}};
  input.of.graph = lowering;
  return input;
}

/* 64-bit digest of all that a solver can see of it. */
uint64_t asc_input_digest(const asc_input *input);

typedef enum asc_goal {
#define ASC_GOAL(name, id, title, text) ASC_GOAL_##name,
#include "asc/goals.def"
#undef ASC_GOAL
  ASC_GOAL_COUNT
} asc_goal;
/* "fit", "height", "traffic". */
const char *asc_goal_id(asc_goal goal);

/* Of a plan on a graph: memory beyond the arena (the main pool), of any size, for copies of what the arena has, had or will have. */
#define ASC_POOL_OUTSIDE 1u

/* An item is somewhere for a while: during [lower, upper), at [offset, offset + its size) of a pool. */
typedef struct asc_stay {
  uint32_t
      item; /* of a graph: a tensor (of several that share their bytes the first), or the tensors' number and an operator: its workspace */
  uint32_t pool; /* ASC_POOL_MAIN, which is the arena, or ASC_POOL_OUTSIDE */
  int64_t lower, upper;
  int64_t offset; /* ASC_UNPLACED: not decided; of no meaning outside */
} asc_stay;

/* A plan. Borrowed from whoever gives it. */
typedef struct asc_plan {
  const int64_t *offsets; /* of buffers: one for each; else NULL */
  const uint32_t *order;  /* of a graph: the operator that runs at time k, `turns` of them; else NULL */
  uint32_t turns;
  uint32_t stay_count;
  const asc_stay *stays; /* of a graph: where everything is */
} asc_plan;

/* A new, frozen problem, for the caller to free: buffer k is the k-th of the stays that are in the arena, whatever its offset, with the id of
   its item, see asc_lower, and of no bytes if the stay has no length; as the lowering's profile takes it, or plain, without.
   O((n + stays) log n). Errors: those of asc_profile_apply, OUT_OF_MEMORY. */
asc_status asc_lowering_situation(const asc_lowering *lowering, const asc_stay *stays, uint32_t count, bool plain,
                                  asc_problem **problem, asc_diag *diag);

/* As asc_validate, of a plan of any input: of a graph also that the operators run in an order that their tensors allow, each with all that it
   reads and writes in the arena, and that nothing is anywhere without having been made or copied there. O((stays + uses) log n). */
asc_status asc_plan_validate(const asc_input *input, const asc_plan *plan, int64_t capacity, asc_violation *violations,
                             size_t room, size_t *count);
/* Bytes that a goal counts: the height, which FIT and HEIGHT go by, or the traffic, which is what is copied to memory outside and back again,
   but for what must be copied in any case: inputs and constants in, outputs out once they are made. The plan is valid. O(stays^2) for
   inputs and outputs. */
int64_t asc_plan_cost(const asc_input *input, const asc_plan *plan, asc_goal goal);
/* Of a plan of a graph: the traffic's two parts, bytes copied out and bytes fetched again. */
void asc_plan_moves(const asc_lowering *lowering, const asc_plan *plan, int64_t *spilled, int64_t *fetched);

/* ---- solvers --------------------------------------------------------------------------------------------------------- */

enum { /* constraints that a solver honours */
       ASC_SUPPORTS_ALIGNMENT = 1,
       ASC_SUPPORTS_FIXED = 2,
       ASC_SUPPORTS_GAPS = 4,
       ASC_SUPPORTS_WINDOWS = 8,
       ASC_SUPPORTS_HINTS = 16,
       ASC_SUPPORTS_BANKS = 32,
       ASC_SUPPORTS_SHAPES = 64,
};

typedef struct asc_solver_info {
  const char *id, *title, *paper, *summary;
  asc_domain domain; /* what it takes */
  uint32_t goals;    /* bit g: it can be asked for asc_goal g. FIT all can */
  uint32_t supports;
  bool complete; /* can prove infeasibility, and always decides */
  bool refutes;  /* not complete, but may end INFEASIBLE, which is then a proof */
  const asc_option *options;
  uint32_t option_count;
  const char *pseudocode; /* lines ended by \n; events name the line, from 1 */
} asc_solver_info;

uint32_t asc_solver_count(void);
const asc_solver_info *asc_solver_at(uint32_t index);
const asc_solver_info *asc_solver_find(const char *id); /* NULL if there is none */

/* ---- runs ------------------------------------------------------------------------------------------------------------ */

typedef enum asc_outcome {
#define ASC_OUTCOME(name, id, title, text) ASC_OUTCOME_##name,
#include "asc/outcome.def"
#undef ASC_OUTCOME
  ASC_OUTCOME_COUNT
} asc_outcome;
const char *asc_outcome_id(asc_outcome outcome);
const char *asc_outcome_text(asc_outcome outcome);

typedef enum asc_rule {
#define ASC_RULE(name, id, title, source, text) ASC_RULE_##name,
#include "asc/rules.def"
#undef ASC_RULE
  ASC_RULE_COUNT
} asc_rule;
const char *asc_rule_id(asc_rule rule);

/* Steps come before details. */
typedef enum asc_event_kind {
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) ASC_EVENT_##NAME,
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) ASC_EVENT_##NAME,
#include "asc/events.def"
} asc_event_kind;
enum {
  ASC_STEP_COUNT = 0
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) +1
#include "asc/events.def"
  ,
  ASC_EVENT_COUNT = ASC_STEP_COUNT
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) +1
#include "asc/events.def"
};

/* What a step does to a buffer that it names. */
typedef enum asc_role {
#define ASC_ROLE(NAME, id, text) ASC_ROLE_##NAME,
#include "asc/roles.def"
#undef ASC_ROLE
} asc_role;

typedef struct asc_run_config {
  uint32_t cookie; /* set by asc_run_config_default; a zeroed config is refused */
  const char *solver;
  asc_goal goal;
  int64_t capacity; /* bytes */
  uint64_t seed;
  uint64_t budget; /* steps; 0: none */
  const asc_option_value *options;
  uint32_t option_count;
} asc_run_config;

typedef struct asc_run asc_run;

asc_run_config asc_run_config_default(const char *solver, int64_t capacity);
/* The input must be frozen and outlive the run. Errors: UNKNOWN_SOLVER, UNKNOWN_OPTION, BAD_OPTION, UNSUPPORTED (also of a domain or a
   goal that the solver does not take), BAD_ARGUMENT, OUT_OF_MEMORY; diag (may be NULL) names the option. */
asc_status asc_run_new(asc_input input, const asc_run_config *config, asc_run **run, asc_diag *diag);
void asc_run_free(asc_run *run);
/* Takes up to `steps` steps (fewer if the run ends). A run that ended stays ended. Errors: INVALID_SOLUTION. */
asc_status asc_run_step(asc_run *run, uint64_t steps, asc_outcome *outcome);
/* Lets a run go on that was cancelled or had spent its budget; budget is the new total in steps (0: none). A run that ended otherwise
   stays ended. */
void asc_run_resume(asc_run *run, uint64_t budget);
/* Asks the run to end with CANCELLED before its next step: of the asc_run_step under way, else of the next one. */
void asc_run_cancel(asc_run *run);

typedef struct asc_run_stats {
  asc_outcome outcome;
  uint64_t steps;
  uint64_t backtracks; /* as the solver's paper counts them: nodes left without a solution */
  uint64_t nodes;      /* decision points opened */
  uint64_t digest;     /* over (kind of step, buffer, offset) of every step */
  uint64_t skipped;    /* candidates passed over, counted one by one */
  uint32_t depth, max_depth;
  uint64_t max_depth_step;        /* the first step after which max_depth buffers were placed */
  int64_t height;                 /* of the best plan so far, or -1 */
  int64_t cost;                   /* of the best plan so far: what the goal counts, or -1 */
  int64_t lower_bound;            /* of every plan's cost: the input's, or what the search has proved since */
  uint64_t rules[ASC_RULE_COUNT]; /* decisions discarded, by rule, in steps */
  uint64_t restarts;
} asc_run_stats;
void asc_run_stats_get(const asc_run *run, asc_run_stats *stats);
/* The best plan so far, or false. For OVER_CAPACITY the heuristic's; a solver that minimises has one long before it ends. Borrowed until
   the next step. */
bool asc_run_plan(const asc_run *run, asc_plan *plan);
/* Its offsets (n entries) if the run is about buffers, or NULL. */
const int64_t *asc_run_best(const asc_run *run);

/* After INFEASIBLE: the buffers whose packing alone is impossible, in increasing order, if the solver keeps them; else NULL and 0.
   Borrowed until the next step. */
const uint32_t *asc_run_conflict(const asc_run *run, uint32_t *count);

/* ---- certificates ---------------------------------------------------------------------------------------------------- */

/* Before the first step: while it searches the run writes to the sink why there is no plan within certain bytes, in small steps that can each be
   checked from the problem alone (core/src/proof/README.md has the format). The exact solver proves all that it says; of others what follows from a
   load. The run's steps are the same; it can no longer be loaded. Errors: UNSUPPORTED (pools, windows, shapes, a graph), BAD_ARGUMENT (also of a
   sink that stops), OUT_OF_MEMORY; diag may be NULL. */
asc_status asc_run_prove(asc_run *run, asc_sink sink, void *user, asc_diag *diag);
/* The greatest number of bytes within which there is no plan by what has been written, -1: none was, or not all of it could be written. After
   INFEASIBLE the capacity or more, after OPTIMAL one less than the height. */
int64_t asc_run_proven(const asc_run *run);
/* Checks a certificate, by code that shares nothing with the solvers: *proven is the greatest number of bytes for which it holds that the problem has
   no plan within them. O(length of the certificate x buffers) and, where sections are full, the exchanges of the sweeps that it names; memory: 24 bytes
   a lemma and 40 a buffer. Errors: BAD_INPUT (diag has the line), UNSUPPORTED, BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_proof_check(asc_context *context, const asc_problem *problem, const char *text, size_t bytes, int64_t *proven,
                           asc_diag *diag);

/* Borrowed until the next call on the run; the situation until the next view of it. */
typedef struct asc_run_view {
  uint64_t step;
  uint32_t depth; /* buffers placed */
  /* What the decisions so far amount to: a frozen problem, by whose buffers all that is told per buffer goes. NULL: the input's own buffers.
     Those of one run with the same revision are the same. */
  const asc_problem *situation;
  uint64_t revision;
  int64_t
      frontier; /* of a situation: before this time it follows from decisions, from then on from the order that was given */
  const uint32_t *order;      /* of a situation: the operator that runs at each time; NULL: as given */
  const int64_t *offsets;     /* per buffer; ASC_UNPLACED */
  const int64_t *min_offsets; /* per buffer: least offset still allowed; NULL if the solver keeps none */
  const uint32_t *stack;      /* depth entries: the buffer placed at each level, lowest level first */
  const uint32_t *tried; /* depth entries: which candidate of its node it was, from 1; NULL if the solver does not branch */
  const uint32_t *candidates; /* depth entries: candidates of that node; NULL likewise */
  const uint32_t
      *phases; /* per buffer: its phase in the order in which the solver takes them, or ASC_NONE; NULL if it has none */
  uint32_t open_tried, open_candidates; /* of the node that is open now: candidates dealt with, and all; 0 and 0: none is */
} asc_run_view;
asc_status asc_run_view_get(asc_run *run, asc_run_view *view);

/* ---- events ---------------------------------------------------------------------------------------------------------- */

/* What events of each kind say, as events.def has it: asc_event_place has buffer, offset, support, of and again. */
#define ASC_ARG(type, name) int64_t name;
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) \
  typedef struct asc_event_##name { \
    arguments \
  } asc_event_##name;
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) \
  typedef struct asc_event_##name { \
    arguments \
  } asc_event_##name;
#include "asc/events.def"

#define ASC_EVENT_ARGS 6
typedef struct asc_event {
  uint64_t step;  /* the step it belongs to, from 1 */
  uint16_t kind;  /* asc_event_kind, which says what of the union holds */
  uint16_t line;  /* of the solver's pseudocode, 0: none */
  uint32_t depth; /* buffers placed after it */
  union {
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) asc_event_##name name;
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) asc_event_##name name;
#include "asc/events.def"
    int64_t args[ASC_EVENT_ARGS]; /* the same in the manifest's order, for who passes them on unread */
  };
  uint32_t list, list_count; /* part of the log's list array */
} asc_event;

/* A log gathers the events of the steps taken while it is attached. max_events 0: no limit; past the limit whole events are dropped
   and counted. */
typedef struct asc_log asc_log;
asc_status asc_log_new(asc_context *context, uint32_t max_events, asc_log **log);
void asc_log_free(asc_log *log);
void asc_log_clear(asc_log *log);
void asc_log_get(const asc_log *log, const asc_event **events, uint32_t *count, const uint32_t **lists, uint64_t *dropped);
/* Attaches a log (NULL detaches), which must outlive the run or be detached first. It never changes what the run does. Before the first step
   it receives at once what is open then (the candidates of the first decision), as events of step 0. */
void asc_run_attach(asc_run *run, asc_log *log);

/* ---- overview -------------------------------------------------------------------------------------------------------- */

/* The whole search in at most ASC_OVERVIEW_BUCKETS buckets of equal width (a power of two steps). */
#define ASC_OVERVIEW_BUCKETS 4096u
typedef struct asc_bucket {
  uint32_t min_depth, max_depth, last_depth;
  uint32_t max_undone;                  /* most levels taken back at once */
  uint32_t backtracks, major, restarts; /* steps of that kind */
  uint32_t rules[ASC_RULE_COUNT];
  uint64_t kinds; /* bit k: there are steps of kind k; not of PLACE, REJECT, SKIP and BACKTRACK */
} asc_bucket;
typedef enum asc_mark_kind { ASC_MARK_RESTART, ASC_MARK_INCUMBENT, ASC_MARK_DECOMPOSE } asc_mark_kind;
typedef struct asc_mark {
  uint64_t step;
  asc_mark_kind kind;
  int64_t value; /* RESTART: the arm; INCUMBENT: the height; DECOMPOSE: the parts */
} asc_mark;
typedef struct asc_overview {
  uint64_t width; /* steps per bucket: bucket k holds steps k*width+1 .. (k+1)*width */
  uint32_t count;
  const asc_bucket *buckets;
  uint32_t mark_count;
  const asc_mark *marks; /* at most 1,024; decompositions are thinned first */
} asc_overview;
void asc_run_overview(const asc_run *run, asc_overview *overview);

/* ---- save, load, time travel ----------------------------------------------------------------------------------------- */

/* Writes the run's state as bytes, small enough to keep thousands: decisions, not derived arrays. Borrowed until the next save. */
asc_status asc_run_save(asc_run *run, const uint8_t **bytes, size_t *count);
/* Sets a run of the same problem and configuration to a saved state. Errors: BAD_SAVE (the run is then as new), OUT_OF_MEMORY.
   The overview is not part of the state: it is dropped, and from then on asc_run_overview gives an empty one. */
asc_status asc_run_load(asc_run *run, const uint8_t *bytes, size_t count);

/* A timeline is a run that can be shown at any of its steps: the run itself goes at full speed and leaves keyframes within
   keyframe_bytes (when they are spent every second one is dropped and the spacing doubles); a step is shown from the nearest keyframe by
   re-execution. */
typedef struct asc_timeline asc_timeline;
asc_status asc_timeline_new(asc_input input, const asc_run_config *config, size_t keyframe_bytes, asc_timeline **timeline,
                            asc_diag *diag);
void asc_timeline_free(asc_timeline *timeline);
/* The run that goes ahead; step it with asc_timeline_step only (asc_run_cancel and
   asc_run_resume may be called on it). */
asc_run *asc_timeline_run(asc_timeline *timeline);
asc_status asc_timeline_step(asc_timeline *timeline, uint64_t steps, asc_outcome *outcome);
/* Steps between keyframes and bytes they take now. */
uint64_t asc_timeline_spacing(const asc_timeline *timeline, size_t *bytes);
/* Moves the cursor to the state after `step` steps (at most those taken) and leaves in the log (asc_timeline_log) the events of steps
   step-before+1 .. step+after, after those of step 0 if before >= step. view is borrowed until the next call. */
asc_status asc_timeline_seek(asc_timeline *timeline, uint64_t step, uint64_t before, uint64_t after, asc_run_view *view);
const asc_log *asc_timeline_log(const asc_timeline *timeline);
/* The run behind the last seek: its stats (digest, counters) are those after step + after. Look, do not step it. */
const asc_run *asc_timeline_cursor(const asc_timeline *timeline);
/* What a step may be looked for by; all that is asked for must hold of it. */
typedef struct asc_condition {
  uint64_t kinds;   /* bit k: the step is an event of kind k < ASC_STEP_COUNT */
  uint32_t rules;   /* bit r: rule r, counted with the step, discards a decision; 0: whatever */
  uint32_t buffer;  /* it names the buffer; ASC_NONE: whatever */
  uint32_t roles;   /* bit r: in that role (asc_role), or another one that is asked for; 0: whichever */
  uint32_t section; /* the section that cannot hold what is placed and to come, for which it rejects; ASC_NONE: whatever */
  uint32_t above;   /* it goes from at most that many placed buffers to more; ASC_NONE: whatever */
  bool major;       /* of backtracks only the major ones */
} asc_condition;
/* Steps of every kind, and nothing else asked. */
asc_condition asc_condition_default(void);

/* The first step after (or, if forward is false, the last step before) `from` that meets one of the conditions; 0 if there is none.
   Costs re-execution of the steps looked at, one by one; buckets in which the overview can tell that there is none are passed over.
   limit: most steps to look at, 0: all; *stopped (may be NULL) says where it stopped looking when there was none: take up from there.
   Errors: OUT_OF_MEMORY. */
asc_status asc_timeline_find(asc_timeline *timeline, uint64_t from, bool forward, const asc_condition *conditions,
                             uint32_t count, uint64_t limit, uint64_t *step, uint64_t *stopped);

/* One thing tried at a node of the path to a step. */
typedef struct asc_attempt {
  uint64_t step;   /* at which it was decided */
  uint64_t end;    /* PLACE: the step that took it back; else the same */
  int64_t offset;  /* bytes */
  uint32_t buffer; /* SKIP: the first of them; WASTE: ASC_NONE */
  uint32_t count;  /* candidates: more than one for a SKIP only, none for WASTE */
  uint16_t kind;   /* asc_event_kind: PLACE (with all that was placed above it), REJECT, SKIP or WASTE */
  uint16_t rule;   /* asc_rule of REJECT and SKIP */
} asc_attempt;

/* A state on the path to a step, known by the number of buffers placed in it. */
typedef struct asc_path_node {
  uint64_t step;         /* that led to it, a placement or the start of an attempt; 0: none did, or it is not known */
  uint32_t first, count; /* what was tried at it before what the path does: among the attempts, in order of step */
  uint32_t more;         /* tried before those, but not kept */
  bool whole;            /* there was nothing else */
} asc_path_node;

typedef struct asc_path {
  uint64_t step;
  uint32_t depth, top;        /* nodes[k] is the one with top + k buffers placed, up to depth */
  uint32_t tried, candidates; /* at the last node, as in asc_run_view */
  const asc_path_node *nodes;
  const asc_attempt *attempts;
  uint32_t attempt_count;
  uint64_t from; /* what comes after this step was looked at */
  bool whole;    /* every node is */
} asc_path;

/* What was tried at the last `levels` + 1 nodes on the path to a step (at most those taken); at each the latest `most` attempts are kept, the
   others counted. A restart or a probe begins the path anew. Costs re-execution from the step back to where the first of these nodes was
   opened, but for what the overview shows to be deeper; a call stops once it has re-executed `limit` steps (0: never), and the next with the
   same step, levels and most goes on. path is borrowed until the next call. Memory: what is kept, and the log of one spacing of
   keyframes. Errors: OUT_OF_MEMORY. */
asc_status asc_timeline_path(asc_timeline *timeline, uint64_t step, uint32_t levels, uint32_t most, uint64_t limit,
                             asc_path *path);

/* ---- why not --------------------------------------------------------------------------------------------------------- */

/* Looks for a smallest reason why a problem does not fit: the conflict of a proof by the exact solver, from which it then takes
   each buffer that the proof can do without (a deletion filter). What is left when every buffer was tried is irreducible: any of its
   parts fits the capacity. */
typedef struct asc_explain asc_explain;

typedef struct asc_explanation {
  asc_outcome
      outcome; /* RUNNING, INFEASIBLE (the set is known), FEASIBLE (there is nothing to explain), BUDGET_SPENT, CANCELLED,
                          OUT_OF_MEMORY */
  const uint32_t *buffers; /* increasing; a set that alone does not fit, NULL while none is known */
  uint32_t count;
  uint32_t tried;   /* of the buffers in the set: found to be needed */
  bool irreducible; /* tried == count */
  uint32_t pool;    /* that the set is of, or was looked at last: with several the first that does not fit */
  uint32_t section; /* the section, of the pool's part, whose load alone exceeds the capacity, or ASC_NONE */
  uint64_t steps;   /* of the exact solver, over all its runs */
} asc_explanation;

/* budget: steps for the proof and for the filter together, 0: none; each trial of the filter has at most its own share of them, so that one
   hard trial does not eat those of the others. The problem must be frozen and outlive the explainer. Errors: BAD_ARGUMENT, UNSUPPORTED
   (shapes, free pools), OUT_OF_MEMORY (diag, if not NULL, says what). */
asc_status asc_explain_new(const asc_problem *problem, int64_t capacity, uint64_t seed, uint64_t budget,
                           asc_explain **explain, asc_diag *diag);
void asc_explain_free(asc_explain *explain);
/* Takes up to `steps` steps. When the outcome is no longer RUNNING it is done. */
asc_status asc_explain_step(asc_explain *explain, uint64_t steps, asc_outcome *outcome);
/* As asc_run_cancel. A set that is known by then stays known. */
void asc_explain_cancel(asc_explain *explain);
/* Borrowed until the next step. */
void asc_explain_get(const asc_explain *explain, asc_explanation *explanation);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
