/* Buffers and where they lie: the problem, plans and their referee, CSV, accelerators, problems to try. asc.h says what all of it keeps to. */
#ifndef ASC_PROBLEM_H
#define ASC_PROBLEM_H

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
#define ASC_POOL_ANY UINT32_MAX /* a buffer that may lie in any pool: read and shown, but no solver chooses one yet */
#define ASC_MAX_POOLS 64u

/* One memory of a problem. */
typedef struct asc_pool {
  const char *id;    /* any bytes but NUL, 1 to 255; unique. That of the main pool is "" */
  int64_t capacity;  /* bytes; 0: that of the run */
  int64_t alignment; /* >= 1; every offset in it is a multiple of it */
  int64_t bank;      /* 0: none; else no multiple of it lies strictly inside a buffer */
} asc_pool;

typedef struct asc_buffer_spec {
  const char *id; /* any bytes but NUL, 1 to 255; unique */
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
/* Adds a buffer; everything is copied. O(r log r) for a shape of r rectangles that lie well in time, O(r^2) at worst. Errors: BAD_INPUT (also of
   what the alignment and bank of its pool do not allow), TOO_LARGE (diag, if not NULL, says which field), OUT_OF_MEMORY. */
asc_status asc_problem_add(asc_problem *problem, const asc_buffer_spec *spec, asc_diag *diag);
/* Sorts out sections, loads and partitions; afterwards the problem never changes. O(n log n) time, O(n + gaps + rectangles) memory.
   Errors: BAD_INPUT (duplicate id), TOO_LARGE (a pool's buffers, all with its alignment: all alignments together), OUT_OF_MEMORY. */
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
   O(bytes left + n log n). Errors: those of asc_csv_read, BAD_ARGUMENT (it gave its problem before). */
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
/* Writes id, lower, upper, size, alignment, bank, hint, gaps, pool, shape (those six if any buffer has one), the unknown columns, and, if
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
   the same problem everywhere. capacity (may be NULL) receives the capacity it is meant for. O(n log n), about 300 bytes of memory a
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

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
