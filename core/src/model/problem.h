/* The frozen problem as solvers see it.
 *
 * A buffer's lifespan is cut by its gaps into pieces; a piece covers the consecutive sections [first, end) and occupies the
 * addresses [offset + window_lower, offset + window_upper):
 *
 *      sections   0    1    2    3    4
 *      buffer     [----------][.gap.][-----)      two pieces: [0,2) and [3,5), both with window [0, size)
 *      with a window in the gap                   three: [0,2), [2,3) with the gap's window, [3,5)
 *
 * A shape's rectangles are its pieces, in order of when they begin; then several pieces of a buffer may lie at one time.
 *
 * Buffers of size 0 have no pieces: they occupy nothing and overlap no one.
 *
 * With pools, what lies in one of them is a problem of its own (parts). */
#ifndef ASCI_MODEL_PROBLEM_H
#define ASCI_MODEL_PROBLEM_H

#include "base/arena.h"
#include "base/ids.h"

typedef struct asci_piece {
  uint32_t first, end;
  int64_t window_lower, window_upper;
} asci_piece;

struct asc_problem {
  asc_context *context;
  asci_arena arena; /* ids and gaps */
  int64_t total_size, total_alignment;
  bool frozen;
  bool has_alignment, has_fixed, has_gaps, has_windows, has_hints, has_banks, has_shapes, has_any_pool;
  uint32_t count;
  size_t room;
  asc_buffer_spec *buffers; /* ids and gaps are the problem's own copies */
  asci_ids ids;             /* number: the buffer and 1 */
  asc_pool *pools;          /* those added: ASC_POOL_MAIN + 1 is the first */
  uint32_t pool_count;
  struct asci_part *parts; /* one for each pool, the main one first; NULL if there is no other */

  uint32_t section_count;
  asc_section *sections;
  asci_piece *pieces;    /* in order of buffer, then time */
  uint32_t *piece_begin; /* count + 1 entries: pieces of b are piece_begin[b] .. piece_begin[b + 1] */
  uint32_t *cuts;
  uint32_t *partition; /* per buffer */
  uint32_t partition_count;
  uint32_t peak;
  int64_t lower_bound;
  uint64_t digest;
};

/* What lies in one pool. */
typedef struct asci_part {
  asc_problem *problem;
  uint32_t *buffers; /* of the whole, by buffer of the part */
} asci_part;

/* Makes the parts of a problem that has pools. O(n log n). Errors: BAD_INPUT (diag), OUT_OF_MEMORY; nothing is kept then. */
asc_status asci_parts_new(asc_problem *problem, asc_diag *diag);
void asci_parts_free(asc_problem *problem);

/* Give a buffer the alignment or the bank (0: none) of a memory beside its own. `whose` is "pool's" or "profile's", for diag. Errors:
   TOO_LARGE (no common multiple), BAD_INPUT (banks of which neither divides the other). */
asc_status asci_keep_alignment(asc_buffer_spec *spec, int64_t alignment, const char *whose, asc_diag *diag);
asc_status asci_keep_bank(asc_buffer_spec *spec, int64_t bank, const char *whose, asc_diag *diag);
/* Turns a diag that tells of one buffer into one that tells of a problem, and hands the status on. */
asc_status asci_name_buffer(asc_status status, const char *id, asc_diag *diag);

/* Whether the rectangles of a shape are in order, apart and inside the buffer; if not, diag says what was expected. Errors: BAD_INPUT,
   TOO_LARGE, OUT_OF_MEMORY. */
asc_status asci_check_shape(asc_context *context, const asc_buffer_spec *spec, asc_diag *diag);

/* No sum of sizes, alignments and one fixed offset can overflow: asc_problem_add keeps all sizes together within ASC_MAX_BYTES and
   all alignments within ASCI_MAX_ALIGNMENTS. */
#define ASCI_MAX_ALIGNMENTS (INT64_C(1) << 62)

/* Least multiple of alignment that is >= offset (offset >= 0). */
static inline int64_t asci_align(int64_t offset, int64_t alignment) {
  if (alignment <= 1) return offset;
  int64_t rest = offset % alignment;
  return rest ? offset + (alignment - rest) : offset;
}

/* Does a buffer of that size keep within one bank at offset (>= 0)? A buffer of size 0 always does. */
static inline bool asci_in_one_bank(int64_t offset, int64_t size, int64_t bank) {
  return bank == 0 || offset % bank + size <= bank;
}

#define ASCI_NOWHERE INT64_MAX
/* Least offset >= from that is a multiple of alignment and keeps within one bank (0: none), or ASCI_NOWHERE if there is none up to
   ASC_MAX_BYTES. from >= 0, in any unit that size, alignment and bank are in too. O(1) if alignment or bank divides the other, else
   O(log bank). */
int64_t asci_least_offset(int64_t from, int64_t size, int64_t alignment, int64_t bank);
/* Greatest offset <= upto (at most ASC_MAX_BYTES) of the same kind, or -1. */
int64_t asci_greatest_offset(int64_t upto, int64_t size, int64_t alignment, int64_t bank);

/* Above every capacity, and any size or alignment may be added to it. */
#define ASCI_BEYOND (INT64_C(1) << 60)
/* As asci_least_offset, but what is nowhere is beyond every capacity. */
static inline int64_t asci_next_offset(int64_t from, int64_t size, int64_t alignment, int64_t bank) {
  if (bank == 0) return asci_align(from, alignment);
  int64_t offset = asci_least_offset(from, size, alignment, bank);
  return offset == ASCI_NOWHERE ? ASCI_BEYOND : offset;
}

static inline const asci_piece *asci_pieces(const asc_problem *problem, uint32_t buffer, uint32_t *count) {
  *count = problem->piece_begin[buffer + 1] - problem->piece_begin[buffer];
  return problem->pieces + problem->piece_begin[buffer];
}

/* The section before which the last piece of a buffer ends, 0 if it has none. Pieces of a shape end in any order. */
static inline uint32_t asci_end_section(const asc_problem *problem, uint32_t buffer) {
  uint32_t begin = problem->piece_begin[buffer], end = problem->piece_begin[buffer + 1];
  uint32_t last = begin < end ? problem->pieces[end - 1].end : 0;
  if (problem->has_shapes)
    for (uint32_t p = begin; p < end; p++) last = problem->pieces[p].end > last ? problem->pieces[p].end : last;
  return last;
}

/* ---- overlaps: who is alive together ---- */

/* Compressed rows: the neighbours of b are other[begin[b]] .. other[begin[b + 1] - 1], in increasing order. With windows, above[k] is
   the least difference offset(other) - offset(b) at which other lies above b in every section they share; without windows and shapes
   above is NULL and the difference is b's size. Shapes may also lie in each other's hollows, of which above knows nothing. */
typedef struct asci_overlaps {
  size_t *begin;
  uint32_t *other;
  int64_t *above;
} asci_overlaps;

/* Most pairs that rows are made for: beyond it they are said not to fit the memory, before any pair is visited. The two entries of each
   pair can be counted in 32 bits, which is a size_t in WASM. */
#define ASCI_MAX_PAIRS ((UINT64_C(1) << 31) - 1)

/* For each buffer the number of others whose lifespans, gaps included, share a section with its own: without gaps its neighbours.
   O(n + sections). Errors: OUT_OF_MEMORY. */
asc_status asci_overlap_counts(const asc_problem *problem, uint32_t *counts);
/* Whether two buffers are alive at one time. O(pieces of both). */
bool asci_meet(const asc_problem *problem, uint32_t a, uint32_t b);
/* The common divisor of all bytes that are given of buffers that occupy any, at least 1: if there is a plan, there is one whose offsets are multiples of it.
   O(pieces). */
int64_t asci_common_unit(const asc_problem *problem);
/* O(pairs alive together) time and memory. Errors: OUT_OF_MEMORY. */
asc_status asci_overlaps_new(const asc_problem *problem, asci_overlaps *overlaps);
void asci_overlaps_free(const asc_problem *problem, asci_overlaps *overlaps);

#endif
