/* Two searches of one encoding: for each two buffers that are alive together, which lies below.
 *
 *     pair (a, b)    open  ->  a below b: offset(b) >= offset(a) + a_below
 *                          ->  b below a: offset(a) >= offset(b) + b_below
 *
 * A decision gives an open pair one of its two orders; what follows from it gives orders to others. If nothing is left of some pair or buffer, the
 * other order is tried, and then the decision before takes its other one (chronological backtracking). When no pair is open, the least offsets are a plan.
 * What differs is how consequences are known: by bounds of each buffer (cp.c) or by one matrix of distances (meta_csp.c). */
#ifndef ASCI_BASELINES_PAIRS_H
#define ASCI_BASELINES_PAIRS_H

#include "solve/solver.h"

typedef enum asci_pair_order { ASCI_PAIR_OPEN, ASCI_PAIR_A_BELOW, ASCI_PAIR_B_BELOW } asci_pair_order;

typedef struct asci_pair {
  uint32_t a, b; /* a < b */
  uint32_t order;
  int64_t a_below, b_below; /* least distance, in bytes, at which the upper one clears the lower */
} asci_pair;

/* After FAILS, `failed` would lie at `failed_at` or above. After all but OK, what was asserted must be undone. */
typedef enum asci_pairs_result {
  ASCI_PAIRS_OK,
  ASCI_PAIRS_FAIL,
  ASCI_PAIRS_NO_MEMORY,
  ASCI_PAIRS_STOPPED
} asci_pairs_result;

typedef struct asci_pair_level {
  uint32_t pair, first; /* the order tried first */
  bool second;          /* the other one is tried, or was */
  size_t decided, mark; /* before it */
} asci_pair_level;

typedef enum asci_pair_stage { ASCI_PAIRS_BEGIN, ASCI_PAIRS_LOOK, ASCI_PAIRS_SECOND, ASCI_PAIRS_BACK } asci_pair_stage;

typedef struct asci_pairs asci_pairs;

/* How consequences are found. Whatever changes must be undone by undo(mark) in the order of changes. */
typedef struct asci_pair_rules {
  asci_pairs_result (*root)(asci_pairs *s); /* of no decision; again after STOPPED */
  asci_pairs_result (*assert_order)(asci_pairs *s, uint32_t pair,
                                    uint32_t order); /* of an open pair, and all that follows */
  size_t (*mark)(const asci_pairs *s);
  void (*undo)(asci_pairs *s, size_t mark);
  uint32_t (*choose)(const asci_pairs *s,
                     uint32_t *first); /* an open pair and the order to try first; ASC_NONE: none is open */
} asci_pair_rules;

struct asci_pairs {
  asc_run *run;
  const asc_problem *problem;
  int64_t capacity;
  const asci_pair_rules *rules;
  asci_pair *pairs;
  uint32_t pair_count;
  uint32_t *decided; /* pairs, in the order in which they were */
  size_t decided_count;
  asci_pair_level *levels;
  size_t level_room;
  uint32_t depth;
  asci_pair_stage stage;
  uint32_t next, next_first; /* looking: the open pair to decide now, and its order to try first */
  int64_t *low;              /* by buffer: the least offset that all orders so far allow */
  int64_t *before;           /* the same before the step, for its event */
  uint32_t *members;         /* all buffers, for the view */
  bool deaf;                 /* to a cancel: a save is read */
  int64_t nodes;             /* decisions of this run; the sums of several pools are not theirs */
  uint32_t failed;
  int64_t failed_at;
};

/* Most pairs: 128 MB of them. */
#define ASCI_MOST_PAIRS (UINT32_C(1) << 22)

/* Lists the pairs of run->problem. O(pairs alive together). Errors: OUT_OF_MEMORY, UNSUPPORTED: too many pairs. */
asc_status asci_pairs_new(asci_pairs *s, asc_run *run, const asci_pair_rules *rules);
void asci_pairs_free(asci_pairs *s);
asc_outcome asci_pairs_advance(asci_pairs *s);
void asci_pairs_view(asci_pairs *s, asc_run_view *view);
asc_status asci_pairs_keep(asci_pairs *s, asci_saver *saver);
/* What create returns: too many, with figures. */
asc_status asci_pairs_created(asc_status status, asc_diag *diag, const char *what);

/* Gives a pair its order, without consequences. */
static inline void asci_pairs_decide(asci_pairs *s, uint32_t pair, uint32_t order) {
  s->pairs[pair].order = order;
  s->decided[s->decided_count++] = pair;
}

static inline asci_pairs_result asci_pairs_fail(asci_pairs *s, uint32_t buffer, int64_t at) {
  s->failed = buffer;
  s->failed_at = at;
  return ASCI_PAIRS_FAIL;
}

static inline bool asci_pairs_stop(const asci_pairs *s) {
  return !s->deaf && asci_cancelled(s->run);
}

/* Pseudocode that both begin and end with, and its lines. */
enum {
  ASCI_PAIRS_LINE_CHECK = 1,
  ASCI_PAIRS_LINE_CHOOSE,
  ASCI_PAIRS_LINE_ORDER,
  ASCI_PAIRS_LINE_FOLLOW,
  ASCI_PAIRS_LINE_FAIL,
  ASCI_PAIRS_LINE_BACK,
  ASCI_PAIRS_LINE_DONE
};

#endif
