/* The constraint-programming engine of TelaMalloc (paper sections 5.1 and 5.5): positions, their order, and why a decision fails.
 *
 * Each buffer X has a domain, the positions low(X) .. high(X) that are still possible. For two buffers that are alive together one must lie
 * below the other:
 *
 *     B(X, Y), "X is below Y":  pos(X) + size(X) <= pos(Y)            exactly one of B(X, Y) and B(Y, X) is true
 *
 * The booleans need no storage. As long as both orders are possible nothing follows; X cannot be below Y if and only if
 * low(X) + size(X) > high(Y), and then Y is below X: low(X) >= low(Y) + size(Y) and high(Y) <= high(X) - size(Y). Domains only shrink on the
 * way down, so an order once decided stays so. A placed buffer is one whose domain is a single position.
 *
 * At the fixpoint low(X) overlaps no placed buffer, and no position below it can be had: it is the "lowest valid location" of section 5.2.
 * (For a placed P either low(X) + size(X) <= pos(P) or low(X) >= pos(P) + size(P), else one rule would still apply.)
 *
 * Alignment, banks and fixed offsets: a bound is always moved on to the next position that the buffer may have. A gap takes the buffer out of
 * those sections. With windows (a gap in which part of the buffer stays) each two pieces that meet are a pair of their own, with the
 * distances at which one buffer clears the other there. */
#ifndef ASCI_TELA_ENGINE_H
#define ASCI_TELA_ENGINE_H

#include "model/lifespan/neighbours.h"
#include "model/lifespan/overlaps.h"

#include <stdatomic.h>

typedef struct tela_item {
  int64_t low, high, size; /* bytes */
} tela_item;

/* One change of one bound. Nothing is recorded but what changed and through whom: the reason is rebuilt when someone asks (explain.c). */
typedef struct tela_entry {
  int64_t old, value;
  uint32_t variable; /* 2b: low of buffer b, 2b + 1: its high */
  uint32_t previous; /* the entry that changed the same variable before, ASC_NONE */
  uint32_t by;       /* the neighbour that forced it; ASC_NONE: b was placed */
  uint32_t edge;     /* with windows: which pair of pieces */
} tela_entry;

/* How far back an explanation has followed a variable: it looks at ever earlier times, so it need not begin anew. */
typedef struct tela_trace {
  uint32_t round; /* of the explanation that this is of */
  uint32_t last;  /* no entry after it is early enough */
  uint32_t found; /* the earliest entry of the last search */
} tela_trace;

typedef struct tela_raise { /* of a skyline */
  int64_t old;
  uint32_t buffer;
} tela_raise;

typedef struct tela_mark {
  int64_t least_high, most_top;
  size_t entries, raises;
} tela_mark;

typedef enum tela_result { TELA_OK, TELA_EMPTY, TELA_MEMORY, TELA_STOPPED } tela_result;

typedef struct tela_engine {
  asc_context *context;
  const asc_problem *problem;
  int64_t capacity;
  bool plain;              /* every position from 0 on is allowed: no alignment, no banks */
  bool tetris;             /* nothing may go below what is placed (figure 8a) */
  bool rooted;             /* propagation before any decision has come to its end */
  bool hopeless;           /* it failed: proof that there is no packing */
  const atomic_bool *stop; /* whether propagation is to end early; NULL: never */

  tela_item *items;       /* by buffer */
  tela_item *root;        /* what they were before any decision */
  asci_overlaps overlaps; /* with windows one entry for each pair of pieces; none if there are too many pairs */
  asci_neighbours near;   /* then: who they are is found when it is asked */
  int64_t *below;         /* with windows, beside overlaps.above: at which distance the buffer itself clears the other */
  int64_t *sky;           /* by buffer: greatest top of its placed neighbours */
  uint32_t *level;        /* by buffer: at which it was placed, ASC_NONE */
  uint32_t *decided;      /* by placed buffer: the entry of its placement */
  uint32_t *head;         /* by variable: its latest entry, ASC_NONE */

  tela_entry *entries;
  size_t entry_count, entry_room;
  tela_raise *raises;
  size_t raise_count, raise_room;

  uint32_t *queue; /* a ring: buffers whose bounds changed */
  bool *queued;
  uint32_t first, waiting;
  int64_t least_high; /* over what is unplaced: at most the least high ... */
  int64_t most_top;   /* ... and at least the greatest low + size */
  uint32_t empty;     /* after TELA_EMPTY: the buffer that has no position left */

  int64_t *need;      /* explain.c: by entry */
  tela_trace *traces; /* by variable */
  uint32_t round;     /* explanations so far */
  uint64_t *found;    /* bits, by entry */
  size_t need_room, found_room;
  uint32_t *reason; /* levels, the highest first */
  uint32_t reason_count;
} tela_engine;

/* Up to so many pairs alive together, their rows are kept: 128 MiB. With windows they must be, with a distance for each pair of pieces. */
#define TELA_MAX_PAIRS (UINT64_C(1) << 24)

/* Clears and fills the engine; asci_tela_root must follow. O(n log n), and O(pairs) where they are kept. Errors: OUT_OF_MEMORY, TOO_LARGE: too many
   pairs with windows (the engine can be freed). */
asc_status asci_tela_engine(tela_engine *e, const asc_problem *problem, int64_t capacity, bool tetris);
void asci_tela_engine_free(tela_engine *e);

/* Propagates before any decision until rooted, and looks at no more pairs than `most` or some more; hopeless says that it failed. It goes on
   where it left off: STOPPED, when it was stopped or has looked at so many. O(pairs) where buffers have little room to move. */
tela_result asci_tela_root(tela_engine *e, uint64_t most);

/* Starts on buffers that overlap none of the others that are left to place: only their bounds decide what can be skipped. */
void asci_tela_focus(tela_engine *e, const uint32_t *buffers, uint32_t count);

/* Places a buffer, which must not be placed yet, as decision number `level` (above all earlier ones) and propagates to a fixpoint. On TELA_EMPTY
   some buffer has no position left; explain before undoing. After anything but TELA_OK only undo may follow. STOPPED: neither is known. */
tela_result asci_tela_place(tela_engine *e, uint32_t buffer, int64_t position, uint32_t level);
tela_mark asci_tela_mark(const tela_engine *e);
/* Back to the mark made before `buffer` was placed, which was the last placement left. */
void asci_tela_undo(tela_engine *e, const tela_mark *mark, uint32_t buffer);

/* After TELA_EMPTY: the placements that alone lead to it, as levels in e->reason[e->reason_count], the highest first. They make a set that
   fails; nothing says that it is a smallest one. O(entries it rests on, and the trail's length / 64). False: no memory. */
bool asci_tela_explain(tela_engine *e);

/* Least and greatest position from there on that a buffer may have; above the capacity and -1 if there is none. */
int64_t asci_tela_up(const tela_engine *e, uint32_t buffer, int64_t from);
int64_t asci_tela_down(const tela_engine *e, uint32_t buffer, int64_t from);

/* Least distance from `low` up to `high` at which the upper one clears the lower one, in the pair of pieces `edge` (without windows: any). */
static inline int64_t asci_tela_above(const tela_engine *e, uint32_t low, uint32_t high, size_t edge) {
  if (!e->below) return e->items[low].size;
  return e->overlaps.other[edge] == high ? e->overlaps.above[edge] : e->below[edge];
}

/* The neighbours of a buffer, in increasing order, until the next call: others[begin] .. others[end - 1]. */
const uint32_t *asci_tela_row(const tela_engine *e, uint32_t buffer, size_t *begin, size_t *end);

static inline bool asci_tela_is_fixed(const tela_engine *e, uint32_t buffer) {
  return e->problem->buffers[buffer].offset != ASC_UNPLACED;
}

#endif
