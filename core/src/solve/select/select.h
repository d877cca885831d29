/* A selection among buffers of which it is known how often they are accessed, as a machine that notes each thing that happens: so it can be stepped
 * through and shown at any of its steps. */
#ifndef ASCI_SELECT_SELECT_H
#define ASCI_SELECT_SELECT_H

#include "asc/select.h"

#include <stddef.h>

typedef enum asci_select_kind {
  ASCI_SELECT_CONSIDERS, /* a buffer's turn begins */
  ASCI_SELECT_TAKES,     /* it found a gap, at offset */
  ASCI_SELECT_REPACKS,   /* the repacker was asked; code: asci_repack */
  ASCI_SELECT_LEAVES,    /* the buffer stays in slow memory; code: asci_leave */
} asci_select_kind;

/* What came of a repack: the step's verdict in events.def. */
enum { ASCI_REPACK_PACKED, ASCI_REPACK_PROVED, ASCI_REPACK_SPENT, ASCI_REPACK_NONE };
/* Why a buffer is left: likewise. */
enum { ASCI_LEAVE_NO_GAP, ASCI_LEAVE_REPACKED, ASCI_LEAVE_TOO_LARGE, ASCI_LEAVE_UNUSED };

typedef struct asci_select_entry {
  asci_select_kind kind;
  uint32_t buffer;
  uint32_t code;
  uint32_t count;      /* of a repack: buffers that were packed */
  uint32_t move_count; /* and those that lie elsewhere since, from `moves` on */
  size_t moves;
  int64_t offset;
  uint64_t steps; /* of the repacker */
} asci_select_entry;

typedef struct asci_select_move {
  uint32_t buffer;
  int64_t offset;
} asci_select_move;

typedef enum asci_select_stage {
  ASCI_STAGE_CONSIDER,
  ASCI_STAGE_FIT,
  ASCI_STAGE_REPACK, /* the repacker is at work */
  ASCI_STAGE_REFIT,  /* it made room, perhaps */
  ASCI_STAGE_LEAVE,  /* it did not */
} asci_select_stage;

struct asc_selection {
  asc_context *context;
  const asc_problem *problem;
  asc_select_config config;
  asc_select_stats stats;
  asc_select_row *rows; /* by priority */
  uint32_t next;        /* the row whose turn it is */
  asci_select_stage stage;
  int64_t *offsets; /* by buffer: in fast memory, ASC_UNPLACED */
  uint32_t *in;     /* those of the trial, fixed or not, in its order */
  uint32_t in_count;
  asc_problem *trial;
  asc_run *run;
  /* What has happened, which is only added to, and how much of it stands. */
  asci_select_entry *log;
  asci_select_move *moves;
  size_t log_count, log_room, move_count, move_room, shown;
};

static inline bool asci_select_is_in(const asc_select_row *row) {
  return row->verdict == ASC_SELECT_FITS || row->verdict == ASC_SELECT_REPACKED;
}

/* As asc_select_new. accesses[b]: of buffer b of the problem, which must outlive the selection; they are copied. */
asc_status asci_select_new(const asc_problem *problem, const uint32_t *accesses, const asc_select_config *config,
                           asc_selection **selection, asc_diag *diag);
/* Goes on until the next thing has happened (made: it is the last of the log) or the repacker has taken so many steps. There is a row left. taken: steps of
   the repacker, 1 for a look for a gap. Errors: OUT_OF_MEMORY, INVALID_SOLUTION. */
asc_status asci_select_work(asc_selection *s, uint64_t steps, uint64_t *taken, bool *made);
/* What happened happens again, here or in another selection of the same. moves: of the log that the entry is from. O(moves). */
void asci_select_apply(asc_selection *s, const asci_select_entry *entry, const asci_select_move *moves);
/* Nothing has happened yet. O(n). */
void asci_select_reset(asc_selection *s);

/* Fills a new problem with the buffers of both memories, of which one is the main pool and `other` the other, and freezes it. fixed: those in fast memory
   have their offsets. Errors: OUT_OF_MEMORY, those of asc_problem_add_pool and asc_problem_add. O(n log n). */
asc_status asci_select_split(const asc_selection *s, const asc_pool *other, bool other_is_fast, bool fixed,
                             asc_problem *problem);
/* offsets[n] by best fit, beside those that are fixed. Errors: OUT_OF_MEMORY. O(n^2). */
asc_status asci_select_place(const asc_problem *problem, int64_t *offsets);

/* How often each buffer of the lowering's problem is written or read; accesses[n] is cleared first. Errors: OUT_OF_MEMORY. O(n log n + uses). */
asc_status asci_count_accesses(const asc_lowering *lowering, uint32_t *accesses);

#endif
