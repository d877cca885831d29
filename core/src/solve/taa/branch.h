/* Branch and bound over the tables: which of a set of tensors lies above which other one's range.
 *
 *     node      constraints offset(t) >= offset(s) + w, and the least offsets that meet them all
 *     bound     the height of these
 *     children  of a pair that collides, by a range [low, high]: v past u, or u past v
 *
 * If no pair collides the least offsets are a plan, and no plan below this node is lower. A child only adds one constraint, whose consequences are
 * passed on from tensor to tensor; they are undone on the way back. The union of all ranges is finite, and so is the tree.
 *
 * Ranges end at multiples of what both offsets are multiples of, so that two constraints that exclude each other are a cycle of positive sum, and seen
 * to be one before offsets rise around it up to the limit. */
#ifndef ASCI_TAA_BRANCH_H
#define ASCI_TAA_BRANCH_H

#include "solve/solver.h"
#include "solve/taa/tables.h"

/* A decision. The constraint that it is: offset(t) >= offset(s) + by. */
typedef struct asci_taa_lift {
  uint32_t pair;
  size_t range;  /* of it */
  bool down;     /* the pair's u goes past its v */
  bool second;   /* the other way was tried before */
  uint32_t s, t; /* buffers */
  int64_t by;
  uint32_t next;  /* constraint from s, ASC_NONE: none */
  size_t changes; /* where what it changed begins */
} asci_taa_lift;

typedef enum asci_taa_stage {
  ASCI_TAA_LOOK,   /* every decision stands: ask which pair is next */
  ASCI_TAA_SECOND, /* the last one is to be taken the other way */
  ASCI_TAA_BACK,   /* it was taken both ways */
  ASCI_TAA_DONE
} asci_taa_stage;

/* What is found at a node. */
typedef enum asci_taa_sight { ASCI_TAA_PLAN, ASCI_TAA_DEAD, ASCI_TAA_PAIR } asci_taa_sight;

typedef struct asci_taa_choice {
  asci_taa_sight sight;
  uint32_t pair;
  size_t range;
  bool down; /* first */
} asci_taa_choice;

typedef struct asci_taa_branch {
  const asc_problem *problem;
  const asci_taa_tables *tables;
  uint32_t *members; /* count of them, by number */
  uint32_t count;
  uint32_t *pairs; /* of two members */
  uint32_t pair_count;
  int64_t *offsets; /* by buffer; ASC_UNPLACED: no member */
  int64_t limit;    /* a plan is lower */
  asci_taa_stage stage;
  asci_taa_choice choice; /* of LOOK, if `chosen` */
  bool chosen;

  asci_taa_lift *lifts;
  uint32_t depth; /* of which the last one does not stand in SECOND and BACK */
  size_t lift_room;
  struct asci_taa_change {
    uint32_t buffer;
    int64_t offset; /* before */
  } * changes;
  size_t change_count, change_room;
  uint32_t *first; /* by buffer: the newest constraint from it */

  /* while consequences are passed on */
  uint32_t *queue, *raised_in,
      *raised_by; /* by buffer: after which decision it rose last, and because of which constraint */
  bool *waits;
  uint32_t failed; /* the buffer for which there was no place */
  int64_t failed_at;
} asci_taa_branch;

/* Into a cleared struct. O(n + pairs). Errors: OUT_OF_MEMORY (to be freed all the same). */
asc_status asci_taa_branch_new(const asc_problem *problem, const asci_taa_tables *tables, asci_taa_branch *branch);
void asci_taa_branch_free(asci_taa_branch *branch);

/* A search for a plan of order[0..count-1] alone that is below the limit begins at its root. O(count log count + rows of theirs). */
void asci_taa_branch_begin(asci_taa_branch *branch, const uint32_t *order, uint32_t count, int64_t limit);
/* The height of the least offsets. O(count). */
int64_t asci_taa_branch_height(const asci_taa_branch *branch);
/* What is to do at this node: the pair whose cheaper way raises most, those that can go one way alone before all others. O(pairs log ranges). */
const asci_taa_choice *asci_taa_branch_look(asci_taa_branch *branch);

typedef enum asci_taa_ending { ASCI_TAA_STANDS, ASCI_TAA_FAILS, ASCI_TAA_NO_MEMORY } asci_taa_ending;
/* Takes the pair that was chosen, the first way. */
asci_taa_ending asci_taa_branch_open(asci_taa_branch *branch, const asci_taa_choice *choice);
/* Takes the last decision, which does not stand, the second way. */
asci_taa_ending asci_taa_branch_turn(asci_taa_branch *branch);
/* Goes back to the last decision that was taken one way alone, which then does not stand; DONE if there is none. */
void asci_taa_branch_back(asci_taa_branch *branch);
/* It is DONE, with the decisions that stand. */
void asci_taa_branch_end(asci_taa_branch *branch);
/* Both ways. What was begun is the same as when it was saved, with `most` as the limit then. Errors: BAD_SAVE, OUT_OF_MEMORY. */
asc_status asci_taa_branch_keep(asci_taa_branch *branch, int64_t most, asci_saver *saver);

#endif
