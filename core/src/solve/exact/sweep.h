/* The exchange at boundaries: a proof, or a plan, where next to nothing may stay idle (README 11).
 *
 * Between two sections that follow each other, those that are alive in both stay where they are. So what those that end leave is a row of
 * intervals, and what those that begin take is the same row: each interval is filled twice, by some that end and by some that begin, of the same
 * sum. Idle units, where a section has any, are buffers of size 1 that live in that section alone.
 *
 * A sweep goes from section to section and decides at each boundary who is exchanged for whom. What is known of the order from bottom to top so
 * far is a PQ-tree: each exchange says that those that end lie side by side, and puts those that begin in their place. */
#ifndef ASCI_EXACT_SWEEP_H
#define ASCI_EXACT_SWEEP_H

#include "exact.h"
#include "pq_tree.h"

/* Units that may be idle in a section: each makes the choices at its boundaries several times as many. */
#define EX_SWEEP_IDLE 3u
#define EX_SWEEP_ENDS 10u /* that end, or begin, at a boundary: their subsets are gone through */

/* One exchange. Sets are bits, by the order in which the boundary lists those that end and those that begin. */
typedef struct ex_exchange {
  uint32_t step;         /* boundaries between the sweep's first section and it */
  uint32_t ends, begins; /* that are left to exchange there */
  uint32_t out, in;      /* who is exchanged for whom; 0: nobody yet, a subset of ends and one of begins of the same sum */
  uint32_t tree, cells;  /* what was known before, in the sweep's cells */
} ex_exchange;

/* Those that end and begin at a boundary. */
typedef struct ex_boundary {
  uint32_t out_count, in_count;
  uint32_t out[EX_SWEEP_ENDS], in[EX_SWEEP_ENDS]; /* leaves: items, and from the number of items on idle units */
  uint32_t twins[EX_SWEEP_ENDS];                  /* of each that begins, those before it that are alike from here on */
  int64_t out_sums[1u << EX_SWEEP_ENDS], in_sums[1u << EX_SWEEP_ENDS]; /* of each subset */
} ex_boundary;

typedef enum ex_swept { EX_SWEPT_ON, EX_SWEPT_REFUTED, EX_SWEPT_FOUND, EX_SWEPT_OVER, EX_SWEPT_MEMORY } ex_swept;

typedef struct ex_sweep {
  const ex_model *m;
  int64_t capacity;                 /* units */
  bool mirrored;                    /* backward in time */
  bool limited;                     /* a sweep of this limit was given up */
  uint32_t start;                   /* section at which this sweep began */
  uint32_t farthest;                /* boundaries that it has looked at */
  uint64_t limit, most_limit, used; /* exchanges of a sweep; the last limit that is tried */

  uint32_t count; /* exchanges that stand, or are looked for */
  ex_exchange *exchanges;
  pq_cell *cells;
  size_t exchange_room, cell_room;
  uint8_t *marked; /* per leaf: 0 between steps */

  ex_boundary at;     /* of the exchange looked for last */
  uint32_t at_step;   /* EX_NONE: of none */
  pq_tree tree, next; /* scratch */

  int64_t *plan;           /* per item, once it is found: units */
  uint32_t *place, *order; /* scratch, per leaf; of a plan that is found, the items from the bottom up */
} ex_sweep;

/* Nothing is swept yet. Errors: OUT_OF_MEMORY. */
asc_status asci_ex_sweep_new(const ex_model *m, ex_sweep *s);
void asci_ex_sweep_free(ex_sweep *s);
/* What the emptiest section leaves idle, in units, as the capacity is. */
int64_t asci_ex_most_idle(const ex_model *m, int64_t capacity);
/* Sweeps from every section, with few exchanges each and then up to most_limit. False: at this capacity there is nowhere to begin. */
bool asci_ex_sweep_begin(ex_sweep *s, int64_t capacity, uint64_t most_limit);
/* One exchange, or one taken back for want of another: a step of the run, with depth buffers placed. REFUTED: the sections that it has looked at have no plan. O(what is
   alive there + subsets). */
ex_swept asci_ex_sweep_step(asc_run *run, ex_sweep *s, uint32_t depth);
/* The section behind so many boundaries of the sweep. */
uint32_t asci_ex_sweep_section(const ex_sweep *s, uint32_t step);
/* The items of the sections that were looked at, as bits. */
void asci_ex_sweep_conflict(const ex_sweep *s, uint64_t *set);
/* What cannot be derived; loaded, the exchanges are made again. found: the plan, too. */
asc_status asci_ex_sweep_keep(ex_sweep *s, asci_saver *saver, bool found);

#endif
