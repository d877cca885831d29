/* Which buffers of a model live in a small fast memory, while the others stay in the large slow one: the allocation of TPUs' on-chip memory that
 * TelaMalloc serves as a repacker (ASPLOS 2023, sections 2.3, 5.6 and 7.4). */
#ifndef ASC_SELECT_H
#define ASC_SELECT_H

#include "asc/asc.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* How buffers are chosen. */
typedef struct asc_select_config {
  int64_t capacity; /* bytes of the fast memory, 0 to ASC_MAX_BYTES */
  /* A solver of buffers that packs anew what has no room; solver NULL: nobody does. Its budget is that of one repack; its capacity and goal are
     set. Texts and options must outlive the selection. */
  asc_run_config repacker;
  bool
      with; /* it packs the newcomer too; else, as XLA, only those that are in, as densely as it can, and the newcomer is tried again */
  uint32_t most_repacks;
} asc_select_config;

/* TelaMalloc within 20,000 steps, with the newcomer, at most 50 times (section 7.4). */
asc_select_config asc_select_config_default(int64_t capacity);

typedef enum asc_select_verdict {
  ASC_SELECT_WAITS,    /* its turn has not come */
  ASC_SELECT_FITS,     /* it found a gap */
  ASC_SELECT_REPACKED, /* it is in since the others were packed anew */
  ASC_SELECT_NO_ROOM,  /* it stays in slow memory */
  ASC_SELECT_UNUSED,   /* no operator reads or writes it there: so does it */
} asc_select_verdict;

typedef struct asc_select_row {
  uint32_t buffer;   /* of the lowering's problem */
  uint32_t accesses; /* operators that write or read it, each as often as it does */
  int64_t bytes;     /* moved by these: what fast memory takes off the slow one */
  int64_t offset;    /* in fast memory, ASC_UNPLACED */
  asc_select_verdict verdict;
} asc_select_row;

typedef struct asc_select_stats {
  int64_t bytes, fast_bytes;  /* moved by all accesses; by those to fast memory */
  uint32_t count, fast;       /* buffers; those in fast memory */
  uint32_t repacks, repacked; /* tried; of use to the newcomer */
  uint64_t steps;             /* of the repacker */
} asc_select_stats;

typedef struct asc_selection asc_selection;

/* Of the buffers of the lowering's problem, in the memory of its profile. It must outlive the selection. O(n log n + uses).
   Errors: BAD_ARGUMENT, BAD_INPUT (the capacity), those of asc_run_new for the repacker (diag says what), TOO_LARGE: more bytes moved than can be counted, OUT_OF_MEMORY. */
asc_status asc_select_new(const asc_lowering *lowering, const asc_select_config *config, asc_selection **selection,
                          asc_diag *diag);
void asc_select_free(asc_selection *selection);
/* Goes on for about so many steps, of which looking for a gap is one and the repacker's are the others. over: all buffers have had their turn. A
   step costs O(n log n) and what the repacker's step costs. Errors: OUT_OF_MEMORY, INVALID_SOLUTION. */
asc_status asc_select_step(asc_selection *selection, uint64_t steps, bool *over);
/* In order of priority. Borrowed. */
const asc_select_row *asc_select_rows(const asc_selection *selection, uint32_t *count);
asc_select_stats asc_select_stats_get(const asc_selection *selection);
/* The buffers as a problem of two pools, the slow memory as the main one and "fast", and their offsets: those in slow memory by best fit. offsets[n] is the
   caller's; the problem is to be freed. Errors: OUT_OF_MEMORY, those of asc_problem_add_pool and asc_problem_add. O(n^2). */
asc_status asc_select_problem(const asc_selection *selection, asc_problem **problem, int64_t *offsets);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
