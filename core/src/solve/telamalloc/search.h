/* TelaMalloc's search (paper section 5): what its files share. README.md beside this file teaches it.
 *
 * Words, the paper's: a decision point is a state in which d buffers are placed; d is its decision level. Its candidates are buffers, tried in
 * order, each at one position.
 *
 *     level   0          1          2          3            points[d] is the point at level d; the last one, points[depth], is open.
 *     point   * --b5@0-- * --b8@4-- * --b6@3-- *            placed[d] is what was placed there.
 *     cands   b5         b8         b6 b3      b7 b3        Tried ones first (next of them), then those still to try.
 *
 * Only the open point's lists change, so candidates and conflicts of all points lie one after the other in two growing stacks. */
#ifndef ASCI_TELA_SEARCH_H
#define ASCI_TELA_SEARCH_H

#include "base.h"
#include "base/number/rng.h"

#define TELA_HEURISTIC_ORDERS "LSA|SAL|ALS|LAS|SLA|ASL|L|S|A"
#define TELA_OPTIONS(X, T) \
  X(T, CHOICE, placement, "Placement", "solver", "solver|skyline", \
    "Where a buffer goes: the solver's lowest feasible position (5.2), or on the skyline of what is placed.") \
  X(T, CHOICE, heuristics, "Heuristics", "LSA", TELA_HEURISTIC_ORDERS, \
    "Who proposes candidates, in order: longest Lifetime, largest Size, largest Area (5.1).") \
  X(T, BOOL, phases, "Phases", "true", "Group buffers by contention and place those of high contention first (5.3).") \
  X(T, INT, phase_step, "Phase step", "0", 0, 50, \
    "How far the threshold of contention falls at a time, in percent of the capacity; 0: to the next value there is.") \
  X(T, BOOL, split, "Split", "true", "Solve what no buffer joins in time as independent subproblems (5.3).") \
  X(T, CHOICE, backtrack, "Major backtrack", "conflict", "conflict|fixed", \
    "How far: to the second-to-last conflicting placement (5.4), or a fixed number of levels.") \
  X(T, INT, back_steps, "Fixed levels", "1", 1, 16, "Levels of a fixed major backtrack; the paper had 1 or 2.") \
  X(T, BOOL, promotion, "Promotion", "true", \
    "Prepend the candidates of a point that failed to those of the point gone back to (5.4).") \
  X(T, INT, candidates, "Candidates", "16", 1, 64, \
    "Most candidates that wait at a decision point; the paper bounds them and names no number.") \
  X(T, INT, stuck_limit, "Stuck after", "100", 0, 1000000, \
    "Backtracks in the subtree of a decision point after which the search goes back to it (5.4); 0: never.") \
  X(T, CHOICE, stuck_counts, "Stuck counts", "all", "all|major", \
    "Which backtracks count for that: minor and major, or major alone.") \
  X(T, BOOL, heuristic_first, "Heuristic first", "false", \
    "Run the contention skyline first and search only if its plan is too high, as on Pixel 6 (5.6).") \
  X(T, INT, restarts, "Restarts", "1000", 0, 1000, \
    "How often a subproblem that ran out of moves starts again, heuristics rotated: so that the whole budget is used. Not " \
    "in the paper.") \
  X(T, CHOICE, jump, "Jump", "conflict", "conflict|random|learned", \
    "Where major and stuck backtracks go: where the rules above say, or to one of the candidates of section 6, by lot, or " \
    "as a learned model scores them, which is a study: by lot is as good.") \
  X(T, INT, jump_after, "Jump after", "0", 0, 1000000000, \
    "Backtracks of the search before which they all go where the rules say.")
ASCI_OPTION_VALUES(tela_options, TELA_OPTIONS);
enum { TELA_BY_SOLVER, TELA_ON_SKYLINE };                         /* placement */
enum { TELA_TO_CONFLICT, TELA_FIXED_STEPS };                      /* backtrack */
enum { TELA_COUNTS_ALL, TELA_COUNTS_MAJORS };                     /* stuck_counts */
enum { TELA_JUMP_CONFLICT, TELA_JUMP_RANDOM, TELA_JUMP_LEARNED }; /* jump */

enum { /* lines of the pseudocode */
       LINE_HEURISTIC = 1,
       LINE_GROUP,
       LINE_LOOP,
       LINE_CHOOSE,
       LINE_PLACE,
       LINE_MINOR,
       LINE_NEXT,
       LINE_MAJOR,
       LINE_PROMOTE,
       LINE_STUCK,
       LINE_DONE,
};

typedef enum tela_source { /* who proposed a candidate */
                           TELA_LIFETIME,
                           TELA_SIZE,
                           TELA_AREA,
                           TELA_PROMOTED,
                           TELA_HEURISTIC_COUNT = TELA_PROMOTED
} tela_source;

typedef struct tela_candidate {
  uint32_t buffer;
  uint32_t source;
} tela_candidate;

typedef struct tela_point {
  tela_mark mark;   /* before its placement */
  size_t first;     /* of its candidates */
  size_t conflict;  /* begin of its conflict: levels below its own whose placements its failures rest on */
  uint32_t next;    /* candidates tried; while it is not open, the last of them is placed */
  uint32_t count;   /* candidates in all */
  uint32_t phase;   /* of the buffer placed before: its candidates come first */
  bool promoted;    /* its list does not follow from the state alone */
  uint64_t since;   /* backtracks of the whole search when it was opened or came back to by the stuck rule */
  uint32_t returns; /* jumps to it, while they are learned */
} tela_point;

typedef struct tela_part { /* an independent subproblem */
  uint32_t first_phase, end_phase;
} tela_part;

typedef struct tela_jump { /* of the backtrack under way; its candidates are in scratch */
  uint32_t fallback;       /* where it would go without lots */
  uint32_t count;          /* of candidates; 0: nothing was chosen */
  uint32_t best;           /* of those: which has the highest weighted score */
  bool stuck;              /* the stuck rule fired */
  bool drawn;              /* by lot */
} tela_jump;

typedef struct tela_search {
  tela_base base;
  void *heuristic; /* state of the contention heuristic while it runs */

  tela_options options;
  tela_source heuristics[TELA_HEURISTIC_COUNT]; /* in order */
  uint32_t heuristic_count;

  /* phases, numbered over all parts in the order in which the search takes them */
  uint32_t *phase; /* by buffer; ASC_NONE if it occupies nothing */
  uint32_t phase_count;
  uint32_t *phase_begin; /* into the orders */
  tela_part *parts;
  uint32_t part_count;
  uint32_t *order[TELA_HEURISTIC_COUNT]; /* buffers by phase, then by the heuristic */
  uint32_t *rank[TELA_HEURISTIC_COUNT];  /* by buffer: where it is in that order */
  /* derived from what is placed */
  uint32_t *cursor[TELA_HEURISTIC_COUNT]; /* by phase: none before it is unplaced */
  uint32_t *left;                         /* by phase: unplaced */
  uint32_t open_phase;                    /* no phase of the part before it has anything left */

  uint32_t part;
  uint32_t ground; /* level at which the part under way began */
  uint32_t round;  /* restarts of this part */
  uint64_t limit;  /* of the stuck rule now */
  uint64_t backtracks;
  tela_point *points;
  tela_candidate *candidates;
  size_t candidate_count, candidate_room;
  uint32_t *conflicts;
  size_t conflict_count, conflict_room;
  uint32_t *scratch;
  bool *flags; /* by buffer or level, all clear between uses */
  asci_rng rng;
  tela_jump jump;
  uint32_t *heat;                     /* by buffer: greatest contention of its life, of TELA_SHARE that the problem's has */
  uint32_t *blamed;                   /* by buffer: backtracks whose conflict had it, while they are learned */
  int32_t *scores;                    /* by candidate of a learned jump, see learned.h */
  const struct tela_teacher *teacher; /* decides instead of the model while that is made; NULL */

  bool heuristic_failed; /* its plan is too high */
  bool opened;           /* the part under way has its first point */
  bool again;            /* it ran out of moves and is to start again */
  bool check_stuck;      /* the last step was a backtrack */
} tela_search;

/* phases.c: figure 9, the parts, the orders. False: no memory. */
bool asci_tela_phases(tela_search *s);
void asci_tela_phases_free(tela_search *s);

/* search.c */
asc_outcome asci_tela_advance(asc_run *run, void *state);
/* Ends what the making of the run has left: propagation, and the first part's point. */
tela_result asci_tela_ready(tela_search *s);
/* Opens the part under way; its point at the level reached. */
bool asci_tela_open_part(tela_search *s);
/* Whether the first part is to be opened now. It always is before the next step, so that its candidates are known when that begins. */
bool asci_tela_may_start(const tela_search *s);
/* Opens the point above the one at which the last buffer was placed. False: no memory. */
bool asci_tela_open_point(tela_search *s, uint32_t phase);
/* What placing a buffer means for the phases. */
void asci_tela_take(tela_search *s, uint32_t buffer);

/* jump.c: the level that a backtrack from the open point goes to, by option `jump`; fallback: by the rules of section 5.4; stuck: by the stuck rule. Told
   before the stack changes. */
uint32_t asci_tela_jump(tela_search *s, uint32_t fallback, bool stuck);
void asci_tela_tell_jump(const tela_search *s, unsigned line, uint32_t level);

/* tell.c: the details of a step; only while a log is attached. */
void asci_tela_tell_point(const tela_search *s);
void asci_tela_tell_reasons(const tela_search *s, const tela_point *p);

asc_status asci_tela_keep(asc_run *run, void *state, asci_saver *saver);

/* The contention heuristic before the search: whether it can take the problem; a fresh state of it. */
bool asci_tela_heuristic_fits(const asc_problem *problem);
asc_status asci_tela_heuristic_new(tela_search *s);
void asci_tela_heuristic_end(tela_search *s);

#endif
