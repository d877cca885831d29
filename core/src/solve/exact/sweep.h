/* The exchange at boundaries: a proof, or a plan, where next to nothing may stay idle (README 11).
 *
 * Between two sections that follow each other, those that are alive in both stay where they are. So what those that end leave is a row of
 * intervals, and what those that begin take is the same row: each interval is filled twice, by some that end and by some that begin, of the same
 * sum. Idle units, where a section has any, are buffers of size 1 that live in that section alone.
 *
 * A sweep goes from section to section and decides at each boundary who is exchanged for whom. What is known of the order from bottom to top so
 * far is a PQ-tree: each exchange says that those that end lie side by side, and puts those that begin in their place.
 *
 * Sweeps begin everywhere and take turns. Choices come in one order, so the path that a sweep stands at says all that it has refuted: whatever comes
 * before it. A sweep that began earlier knows more and may do less, so when it has come to where another one began and goes the same way from there,
 * what that one has refuted fails here, too:
 *
 *     from section 3:           a1  b2  c1        refuted: a0; b0 and b1 behind a1; c0 behind a1 b2
 *     from section 2:  z1  a1  b1                 is passed over, whatever z1 was
 */
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
  uint32_t beside, beside_count; /* sweeps that went the same way since they began, in the sweep's `beside` */
} ex_exchange;

/* Who is exchanged for whom, as in ex_exchange. */
typedef struct ex_choice {
  uint32_t out, in;
} ex_choice;

/* Where a sweep may begin, forward or mirrored, and how far it is. */
typedef struct ex_start {
  uint64_t used;     /* exchanges that it has made */
  uint32_t reach;    /* boundaries that there are from there on */
  uint32_t farthest; /* boundaries that it has looked at */
  bool through;      /* it got to its end, or there is nothing to begin with: no more is to be had */
  /* its choices, in the sweep's `choices`; unless it got through the last one is yet to be made: 0 for 0 */
  uint32_t path, count, room;
} ex_start;

/* Another sweep at a choice: its number among the starts, and how many of its choices are behind it. */
typedef struct ex_beside {
  uint32_t start, depth;
} ex_beside;

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
  int64_t capacity;  /* units */
  bool mirrored;     /* backward in time */
  uint32_t start;    /* section at which this sweep began */
  uint32_t farthest; /* boundaries that it has looked at */
  uint64_t used;     /* exchanges that it has made */
  uint64_t limit;    /* ... up to which it has its turn */
  uint64_t left;     /* exchanges that are left for all */
  ex_start *starts;  /* forward from the last section to the first, then mirrored from the first to the last */
  ex_choice *choices;
  size_t choice_count, choice_room;

  uint32_t count; /* exchanges that stand, or are looked for; 0: the sweep is yet to be taken up */
  ex_exchange *exchanges;
  pq_cell *cells;
  ex_beside *beside;
  size_t exchange_room, cell_room, beside_room;
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
/* Sweeps from every section in turn, for so many exchanges in all; at the capacity of the last time each goes on where it was. False: there is nothing to
   go on with, or so few exchanges are no turn. */
bool asci_ex_sweep_begin(ex_sweep *s, int64_t capacity, uint64_t exchanges);
/* Whether some sweep is not through: more exchanges might do. */
bool asci_ex_sweep_goes_on(const ex_sweep *s);
/* One exchange, or one taken back for want of another: a step of the run, with depth buffers placed. REFUTED: the sections that it has looked at have no plan. At best O(what is
   alive there + subsets); choices that fail at once are passed over in the same step. */
ex_swept asci_ex_sweep_step(asc_run *run, ex_sweep *s, uint32_t depth);
/* The items of the sections that were looked at, as bits. */
void asci_ex_sweep_conflict(const ex_sweep *s, uint64_t *set);
/* How far each sweep is. Errors: BAD_SAVE, OUT_OF_MEMORY; so of the next. */
asc_status asci_ex_sweep_keep_starts(ex_sweep *s, asci_saver *saver);
/* What cannot be derived of the one under way; loaded, the exchanges are made again. found: the plan, too. */
asc_status asci_ex_sweep_keep(ex_sweep *s, asci_saver *saver, bool found);

/* boundary.c */
/* The section behind so many boundaries of the sweep. */
uint32_t asci_ex_sweep_section(const ex_sweep *s, uint32_t step);
/* What a section leaves idle, in units, as the capacity is. */
int64_t asci_ex_sweep_idle(const ex_sweep *s, uint32_t section);
/* Of an item or an idle unit, in units. */
int64_t asci_ex_leaf_size(const ex_sweep *s, uint32_t leaf);
/* Whether the sweep that began at its start has a boundary behind so many: both sections are full, or next to it, and not too many end or begin. */
bool asci_ex_sweep_has_boundary(const ex_sweep *s, uint32_t step);
/* Fills s->at for that boundary, unless it is of it. O(subsets). */
void asci_ex_sweep_visit(ex_sweep *s, uint32_t step);

#endif
