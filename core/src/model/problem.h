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

/* Frees what freezing derived. */
void asci_problem_thaw(asc_problem *problem);

/* Give a buffer the alignment or the bank (0: none) of a memory beside its own. `whose` is "pool's" or "profile's", for diag. Errors:
   TOO_LARGE (no common multiple), BAD_INPUT (banks of which neither divides the other). */
asc_status asci_keep_alignment(asc_buffer_spec *spec, int64_t alignment, const char *whose, asc_diag *diag);
asc_status asci_keep_bank(asc_buffer_spec *spec, int64_t bank, const char *whose, asc_diag *diag);
asc_status asci_keep_pool(asc_buffer_spec *spec, const asc_pool *pool, asc_diag *diag);
/* Turns a diag that tells of one buffer into one that tells of a problem, and hands the status on. */
asc_status asci_name_buffer(asc_status status, const char *id, asc_diag *diag);

/* Whether the rectangles of a shape are in order, apart and inside the buffer; if not, diag says what was expected. Errors: BAD_INPUT,
   TOO_LARGE, OUT_OF_MEMORY. */
asc_status asci_check_shape(asc_context *context, const asc_buffer_spec *spec, asc_diag *diag);

/* No sum of sizes, alignments and one fixed offset can overflow: asc_problem_add keeps all sizes together within ASC_MAX_BYTES and
   all alignments within ASCI_MAX_ALIGNMENTS. */
#define ASCI_MAX_ALIGNMENTS (INT64_C(1) << 62)

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

/* Whether more is alive at once than the capacity. */
static inline bool asci_is_overloaded(const asc_problem *problem, int64_t capacity) {
  return problem->sections[problem->peak].load > capacity;
}

/* The common divisor of all bytes that are given of buffers that occupy any, at least 1: if there is a plan, there is one whose offsets are multiples of it.
   O(pieces). */
int64_t asci_common_unit(const asc_problem *problem);

#endif
