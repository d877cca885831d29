/* Arenascope exact: what its two widths share. README.md beside this file teaches the algorithm.
 *
 * Words. An item is a buffer that occupies memory, or a box of several (boxes.h), numbered by the start of its lifespan. Sections
 * here are the maximal ones: times at which no other time has more buffers alive; every pair that meets does so in one of them. All addresses are in units: the greatest
 * common divisor of everything that the problem measures in bytes.
 *
 * One source text, kernel/, is compiled twice: narrow.c with 32-bit addresses for plain problems, wide.c with 64 bits for everything. */
#ifndef ASCI_EXACT_H
#define ASCI_EXACT_H

#include "base/arena.h"
#include "base/number/rng.h"
#include "solve/solver.h"

#define EX_MAX_ARMS 64u /* of both options */
#define EX_NONE ASC_NONE
#define EX_GLUE_FROM 100u /* items: with fewer no glued arm has its turn */

/* For what runs seldom, and is so compiled for size. */
#define EX_RARE static __attribute__((cold))

/* For what the innermost loops call: compiled for size, as in the WASM module, it would stay a call. */
#define EX_INLINE static inline __attribute__((always_inline))

/* A condition that the compiler must not turn into a choice between two numbers. */
#define EX_SELDOM(condition) __builtin_expect(condition, 0)

/* For a hot loop inside of much else: a browser's engine keeps the numbers of a large function in memory, and those of a small one in registers. */
#ifdef __wasm__
#define EX_APART static __attribute__((noinline))
#else
#define EX_APART static
#endif

#define EX_OPTIONS(X, T) \
  X(T, BOOL, backjumping, "Backjumping", "true", "When a conflict holds without a decision, skip its alternatives.") \
  X(T, BOOL, lazy, "Lazy candidates", "true", \
    "Once a section cannot be left idle, try only candidates that are in the conflict.") \
  X(T, BOOL, nogoods, "Nogoods", "true", "Keep the last 32 conflicts and fail where one holds again.") \
  X(T, BOOL, small_nogoods, "Small nogoods", "true", "Keep 128 more conflicts of at most 80 buffers.") \
  X(T, BOOL, not_first, "Not first", "true", "Raise what cannot be lowest in its section above the lowest that can.") \
  X(T, BOOL, subset_sums, "Subset sums", "true", \
    "With next to no slack, raise a buffer to an offset that a pile of others reaches.") \
  X(T, BOOL, piles, "Piles", "true", \
    "Where alignments are mixed, bound sections by their piles, and raise a buffer to an offset that some pile leaves it.") \
  X(T, BOOL, blocked, "Blocked", "true", "Do not leave a floor idle onto which a buffer could drop anyway.") \
  X(T, BOOL, equal_buffers, "Equal buffers", "true", "Skip a candidate of the lifespan and size of one that failed.") \
  X(T, BOOL, same_span, "Same span", "true", "Keep a failed candidate off the top of another one of its lifespan.") \
  X(T, BOOL, decomposition, "Decompose", "true", \
    "Solve parts that no longer meet in time one after the other, the hardest first.") \
  X(T, BOOL, look_ahead, "Look ahead", "true", \
    "In arms with H or K, order candidates by the scarce slack that they would waste.") \
  X(T, CHOICE, exchange, "Exchange", "auto", "auto|always|never", \
    "Where next to nothing may stay idle, decide at each boundary who takes whose place; by itself before the arms where " \
    "that is so everywhere, from 16 buffers on, else after a cycle of them, where that is in proportion.") \
  X(T, BOOL, restarts, "Restarts", "true", "Take the arms in turn, each with a budget of nodes; else the first alone.") \
  X(T, BOOL, hints, "Hints", "true", "Try a candidate whose hint is the floor first, one hinted above last.") \
  X(T, CHOICE, ejection, "Eject first", "auto", "auto|always|never", \
    "Before the search, place below the target and take out what is in the way, as the large solver does; by itself " \
    "from 600 buffers on.") \
  X(T, TEXT, portfolio, "Arms", \
    "12WATK,4WATR,10WATK,0WATR,14WATKR,4WAT,10WATKR,2WAT,12WATKR,0WAT,10WATKRG,10WATKG,10WATKRG,10WATKG,10WATKB,0WATKB," \
    "10WATKRB,12WATKRB,10WATKB,4WATB,0WATKB,12WATKB", \
    "Arms in turn: a score of sections (0 floor, 2 children, 4 weighted, 10 load, 12 mixed, 14 mixed weighted), a " \
    "static order (Width, Area, Total, siZe), H or K to look ahead, R to mirror, G to pile up buffers of one lifespan, " \
    "B to join what may be one rectangle.") \
  X(T, TEXT, bound_arms, "Arms at the bound", "10WATHR,12WATKR,0WATKB,0WATKB", \
    "Arms that come first when minimising: they win at the load bound.") \
  X(T, INT, first_budget, "First budget", "170", 100, 100000, \
    "Nodes of an arm in the first cycle, in percent of the number of buffers, and 100 more.") \
  X(T, INT, growth, "Growth", "110", 100, 1000, "Budget of the next cycle, in percent of this one.") \
  X(T, INT, randomness, "Randomness", "10", 0, 100, \
    "How often, in percent, the second cycle and later ones try another candidate first.")
ASCI_OPTION_VALUES(ex_options, EX_OPTIONS);

enum { /* lines of the pseudocode */
       LINE_SEARCH = 1,
       LINE_CHOOSE,
       LINE_WASTE_CLOSED,
       LINE_LOOP,
       LINE_EQUAL,
       LINE_PLACE,
       LINE_OVERFLOW,
       LINE_NOGOOD,
       LINE_DESCEND,
       LINE_BACKJUMP,
       LINE_JOIN,
       LINE_WASTE,
       LINE_LEARN,
       LINE_FAIL,
};

enum { EXCHANGE_AUTO, EXCHANGE_ALWAYS, EXCHANGE_NEVER };

typedef enum ex_score {                        /* of a section; the least is chosen (README 4) */
                        EX_SCORE_FLOOR,        /* 0: lowest floor, then fewest children */
                        EX_SCORE_CHILDREN,     /* 2: fewest children, then least slack */
                        EX_SCORE_WEIGHTED,     /* 4: children / weight */
                        EX_SCORE_LOAD,         /* 10: most to place still */
                        EX_SCORE_MIXED,        /* 12: 4 floor + slack */
                        EX_SCORE_MIXED_WEIGHT, /* 14: (8 floor + slack) / weight */
} ex_score;

typedef enum ex_look { EX_LOOK_NOT, EX_LOOK_SPAN, EX_LOOK_ALL } ex_look; /* "", H, K */

/* One way to search: how sections are chosen and candidates ordered. "10WATKR" in the portfolio. */
typedef struct ex_arm {
  ex_score score;
  ex_look look;
  bool mirrored;   /* ties to the right in time */
  bool glued;      /* G: most buffers of one lifespan lie on each other (README 4); B as well */
  bool boxed;      /* B: what may be one rectangle is one (boxes.h) */
  char letters[5]; /* of the static order, larger first */
  uint32_t rank;   /* index of its rank table in the model; EX_NONE: not asked for yet */
} ex_arm;

/* Consecutive sections [first, end) in which the item occupies [offset + low, offset + high). */
typedef struct ex_piece {
  uint32_t first, end;
  int64_t low, high;
} ex_piece;

typedef struct ex_boxes ex_boxes;

typedef struct ex_model {
  asc_run *run;
  const asc_problem *problem;
  asci_arena arena;   /* everything below lives in it */
  ex_options options; /* hints: and there are any */
  bool minimize;
  bool general; /* alignment, fixed offsets or banks that units do not absorb, or windows */
  bool windows;
  bool mixed;   /* piles are looked at: alignments, fixed offsets or banks keep buffers apart, and there are no windows */
  bool limits;  /* of an item: it may not end above the height asked for, though its rounded size may */
  bool glues;   /* enough items share a lifespan that glued arms are worth it */
  bool gaps;    /* an item has several pieces */
  bool roomy;   /* a model of boxes is within EX_MAX_MEMORY, too */
  bool boxable; /* arms on boxes have them; else they are on piles, like others */
  int64_t unit; /* bytes */
  int64_t most; /* bytes: the run's capacity or, minimising, what is enough for any plan */
  int64_t round_to; /* sizes are rounded up to it: a divisor of all offsets (1: none) */
  int64_t grain;    /* the same in units, if there are limits, else 1 */
  int64_t pile;     /* bytes: how high the buffers of one section must be piled (model/pile.h); 0: no bound above the load */
  uint32_t piled;   /* the problem's section whose pile that is, or EX_NONE */

  uint32_t count;                       /* items */
  uint32_t *buffer;                     /* item -> buffer */
  uint32_t *item;                       /* buffer -> item or EX_NONE */
  int64_t *size;                        /* units */
  int64_t *align, *fixed, *bank, *tail, /* tail: by how much its size is rounded up; */
      *apart,                           /* by how much it may lie above where it would; */
      *hint; /* units; NULL unless general (hint: unless there are hints); fixed and hint -1: none, bank 0: none */
  uint32_t *first, *end; /* sections from the first piece's to the last's */
  uint32_t *piece_begin; /* count + 1 */
  ex_piece *pieces;
  uint32_t *weightless; /* buffers that occupy nothing */
  uint32_t weightless_count;

  uint32_t sections, words;
  uint32_t *problem_section; /* the problem's section of each */
  uint32_t *list_begin;      /* sections + 1: members of a section in order of item */
  uint32_t *list;
  uint32_t *list_by_end; /* the same members, latest end first */
  int64_t *list_low;     /* low of each entry of list; NULL without windows */
  uint64_t *members;     /* sections x words: the same as bits */
  int64_t *rest;         /* sum of heights */
  uint32_t *cross;       /* items alive on both sides of the boundary after the section */
  size_t *near_begin;    /* count + 1: who meets whom */
  uint32_t *near;

  uint32_t *leader; /* per item the first of its lifespan */
  ex_boxes *boxes;  /* NULL: each item is a buffer */

  uint32_t *link_fill, *link_order; /* scratch of linking: per section, per item, */
  size_t *link_end;                 /* per item */

  uint32_t arm_count, rank_count;
  uint32_t early_count; /* plain arms and those on boxes, if there are any: the first in order, and the first cycle's */
  ex_arm arms[EX_MAX_ARMS];
  uint32_t *ranks[EX_MAX_ARMS]; /* per item its place in the static order */
  uint32_t order[EX_MAX_ARMS];  /* of the arms in a cycle: as the seed says */
  int64_t *loads;               /* per item the largest load over its lifespan */
  uint32_t *sorted, *scratch;   /* count each */
  int64_t *keys;                /* 3 * count, at least: of a sort, and its scratch */
  bool areas_fit;               /* in 64 bits, all */
} ex_model;

/* What a search may take in all, by an estimate made before it is made: the conflicts of n nodes on n buffers are n x n bits. Leaves room in
   a WASM memory of 1 GiB. */
#define EX_MAX_MEMORY (UINT64_C(768) << 20)

/* Zeros for `count` things of `size` bytes, and one more, so that it is never nothing; they live as long as the model. NULL: no memory. */
void *asci_ex_take(ex_model *m, size_t count, size_t size);
/* The same of what will be written before it is read. */
void *asci_ex_take_raw(ex_model *m, size_t count, size_t size);
/* model.c: items, sections, neighbours. O(n log n + pairs). Errors: OUT_OF_MEMORY, above EX_MAX_MEMORY before any pair is visited. */
asc_status asci_ex_model(ex_model *m, asc_diag *diag);
/* A section is maximal if a piece ends with it and one has begun since the last maximal one: no other has all who are alive in it. event: of each section,
   whether pieces begin or end there. before[t]: maximal ones among 0 .. t - 1, of sections + 1. Returns how many there are. */
enum { EX_BEGINS = 1, EX_ENDS = 2 };
uint32_t asci_ex_maximal(const uint8_t *event, uint32_t sections, uint32_t *before, uint32_t *maximal);
/* Who is alive in each section, and who meets whom, of items and pieces that are there. O(n log n + entries + pairs). */
void asci_ex_link(ex_model *m);
/* arms.c: reads the portfolio (BAD_OPTION), shuffles it by the seed. */
asc_status asci_ex_arms(ex_model *m, asc_diag *diag);
/* Sees to the rank table of arm `at`: most searches end before all arms have had a turn. False: no memory. O(n log n). */
bool asci_ex_rank(ex_model *m, uint32_t at);

/* Whose lifespan is whose; returns how many there are. O(n + pairs, times pieces). */
uint32_t asci_ex_lead(ex_model *m);
/* What static orders go by. O(n + entries). */
void asci_ex_measure(ex_model *m);
/* Items in an arm's static order; borrowed until the next call. O(n log n). */
const uint32_t *asci_ex_order(ex_model *m, const ex_arm *arm);
/* bounds.c: a plan of all buffers by first fit in that order; *made is false if what is fixed is in each other's way. O(n k log k), k buffers
   alive together. Errors: OUT_OF_MEMORY. */
asc_status asci_ex_first_fit(ex_model *m, const ex_arm *arm, int64_t *offsets, bool *made);

/* A width of the kernel. */
typedef struct ex_kernel {
  asc_status (*create)(ex_model *m, void **search);
  void (*destroy)(ex_model *m, void *search);
  /* Before the first step, minimising: the run's plan, if there is one, is the upper bound. */
  void (*adopt)(asc_run *run, void *search);
  asc_outcome (*advance)(asc_run *run, void *search);
  void (*view)(asc_run *run, void *search, asc_run_view *view);
  asc_status (*keep)(asc_run *run, void *search, asci_saver *saver);
} ex_kernel;

extern const ex_kernel asci_ex_narrow, asci_ex_wide;

/* Capacity in units up to which the narrow kernel cannot overflow. */
#define EX_NARROW_CAPACITY (INT64_C(1) << 27)

#endif
