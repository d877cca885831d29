/* MiniMalloc's search (Moffitt, ASPLOS 2023), sections 5 to 7 of the paper, as an explicit-stack machine.
 *
 * Sections here are the reference program's: one per distinct time at which some buffer ends, holding the buffers alive just before
 * that time. A buffer spans consecutive sections (several runs of them if it has gaps).
 *
 * State along the path: for each unplaced buffer its least offset still allowed (`least`), for each section a floor and the total of the
 * sizes still to place, for each boundary between neighbouring sections the number of unplaced buffers that cross it (`cuts`).
 * What a placement changes goes on two trails and is undone from their ends:
 *
 *     frames   root | node | node | node            a node holds the children of one decision, in the order of trying
 *     raises   (buffer, old least) ...               marks in the frame say where its child's entries begin
 *     floors   (section, old floor) ...
 *
 * When a placement leaves boundaries that nothing crosses, the node becomes an AND: its parts are solved one after the other; the
 * frames of a solved part stay below those of the next. */
#ifndef ASCI_MINIMALLOC_SEARCH_H
#define ASCI_MINIMALLOC_SEARCH_H

#include "model/lifespan/overlaps.h"
#include "solve/solver.h"

#define MAX_ARMS 64u

#define MM_OPTIONS(X, T) \
  X(T, BOOL, canonical_only, "Canonical", "true", \
    "Build each packing in one order only: by offset, then by preorder (6.1).") \
  X(T, BOOL, section_inference, "Section bound", "true", \
    "Add the sizes still to place in a section to its floor (6.2, eq. 3).") \
  X(T, BOOL, dynamic_ordering, "Dyn. order", "true", "Try the buffer with the lowest offset first, at every node (7).") \
  X(T, BOOL, check_dominance, "Dominance", "true", "Skip offsets under which another buffer would fit entirely (6.3).") \
  X(T, BOOL, unallocated_floor, "Unalloc. floor", "true", \
    "Lift a section's floor to the least offset of its unplaced buffers (6.2).") \
  X(T, BOOL, static_preordering, "Preorder", "true", \
    "Sort the buffers by the heuristics below before the search; otherwise keep the input's order.") \
  X(T, BOOL, dynamic_decomposition, "Decompose", "true", \
    "Solve parts that no longer meet in time one after the other (7).") \
  X(T, BOOL, monotonic_floor, "Monotonic floor", "true", "Take the last offset as a floor of every section (6.2).") \
  X(T, BOOL, hatless_pruning, "Hatless", "true", "When a buffer with nothing above it fails, skip its siblings.") \
  X(T, TEXT, preordering_heuristics, "Orders", "WAT,TAW,TWA", \
    "Preorders tried in turn: letters Area, Cross sections, Lower, Overlaps, Total, Upper, Width, siZe; larger first.")
ASCI_OPTION_VALUES(mm_options, MM_OPTIONS);

enum { /* lines of the pseudocode */
       LINE_SEARCH = 1,
       LINE_LOOP,
       LINE_CANONICAL,
       LINE_DOMINANCE,
       LINE_PLACE,
       LINE_RAISE,
       LINE_CHECK,
       LINE_TAKE_BACK,
       LINE_DESCEND,
       LINE_UNDO,
       LINE_HATLESS,
       LINE_FAIL,
};

/* Consecutive sections [first, end). */
typedef struct mm_span {
  uint32_t first, end;
} mm_span;

/* A set of buffers that no unplaced buffer joins to others: its sections and its members in preorder. */
typedef struct mm_part {
  uint32_t first, end;
  uint32_t members, count; /* in search.members: buffers */
} mm_part;

typedef struct mm_frame {
  uint32_t part;        /* in search.parts */
  uint32_t list, count; /* in search.lists: buffers */
  uint32_t next;        /* the child to try next */
  uint32_t low, high;  /* with dynamic ordering: children below low break canonical order, from high on they are dominated */
  uint32_t owner;      /* the frame whose part this is */
  bool part_root;      /* the first node of its part */
  bool placed;         /* child next - 1 is placed */
  bool hatless;        /* that child failed and nothing lay above it: the rest is passed over */
  int64_t last_offset; /* of the parent's placement; 0 at the root of a part */
  uint32_t last_position;
  int64_t least_top; /* least offset + size over the children */
  uint32_t least_top_child;
  int64_t most_total; /* over the part's sections */
  uint32_t most_total_section;
  /* ends of the stacks before this frame's child was placed */
  size_t raises_mark, floors_mark, lists_mark, members_mark;
  uint32_t parts_mark;
  /* an AND: parts parts_mark .. parts_mark + part_count - 1 follow the child, part_next is the next to solve */
  uint32_t part_count, part_next;
} mm_frame;

/* A least offset or a floor: in an effect what it becomes, on the trail what it was. */
typedef struct mm_raise {
  uint32_t buffer;
  int64_t least;
} mm_raise;

typedef struct mm_floor_change {
  uint32_t section;
  int64_t floor;
} mm_floor_change;

/* What a placement would do, filled by asci_mm_try and applied by asci_mm_apply. */
typedef struct mm_effect {
  uint32_t raise_count, floor_count;
  /* fast path: the children that are raised and those that stay below the new top; with dynamic ordering both in the
     frame's order, and from below_end on children lie at the top or above */
  uint32_t stay_count, below_end;
  uint32_t *stays;
  mm_raise *raises;
  mm_floor_change *floors;
  /* of a rejection */
  asc_rule rule;
  uint32_t section; /* ASC_NONE for FIXED */
  int64_t floor, rest;
  uint32_t blocker; /* of FIXED: the buffer that would have to move */
} mm_effect;

typedef struct mm_search {
  asc_run *run;
  const asc_problem *problem;
  mm_options options;
  bool general; /* gaps, alignment, banks or fixed offsets: the plain path instead of the fast one */
  bool proof;   /* an exhausted search is a proof */
  uint32_t arm_count;
  char arms[MAX_ARMS][8 + 1];

  /* the problem in sections of its own */
  uint32_t section_count, words;
  uint32_t *problem_section;         /* the problem's section that the pages show for it */
  mm_span *span;                     /* per buffer, from its first to its last section */
  uint32_t *piece_first, *piece_end; /* per piece of the problem */
  int64_t *initial_total;
  uint32_t *initial_cuts;
  uint32_t *overlap_count;
  asci_overlaps overlaps; /* only in general */
  uint32_t *weightless;   /* buffers without sections: of size 0, or nothing but gaps */
  uint32_t weightless_count;

  /* the state along the path */
  int64_t *least, *offset, *floor, *total, *size;
  uint32_t *cuts;
  uint32_t *position; /* per buffer, among the members of its part */
  uint32_t *placed;
  uint32_t depth;

  mm_frame *frames;
  size_t frame_count, frame_room;
  mm_part *parts;
  size_t part_count, part_room;
  uint32_t *lists;
  size_t list_count, list_room;
  uint32_t *members;
  size_t member_count, member_room;
  mm_raise *raises;
  size_t raise_count, raise_room;
  mm_floor_change *floors;
  size_t floor_count, floor_room;

  /* rounds of attempts */
  uint64_t round, arm, limit, nodes_left;
  bool unlimited;
  bool started;  /* an attempt is under way */
  bool hopeless; /* some section of the part at the root holds more than the capacity */
  uint32_t base; /* weightless buffers placed */

  /* scratch */
  mm_effect effect;
  uint64_t *needed;
  int64_t *key_total, *tree; /* preorder: per buffer, over sections */
  uint32_t *scratch;
  uint32_t *sorted;
  int64_t *new_least;             /* general: least offsets after the placement */
  int64_t *new_floor, *new_total; /* general: per section */
  bool *touched;                  /* per section */
  bool *rises;                    /* per buffer */
  uint32_t *piece_of;             /* per section, while splitting */
  uint32_t *tried, *candidates;
} mm_search;

/* sections.c: fills the search's sections. False: no memory. */
bool asci_mm_make_sections(mm_search *s);
void asci_mm_free_sections(mm_search *s);

/* preorder.c: sorts members[count] by the arm's letters at the present totals (larger first, letter by
   letter, then the lower index). Letters: A area, C sections spanned, L lower, O overlaps, T largest total over the span, U upper,
   W width, Z size. */
bool asci_mm_valid_heuristic(const char *text, size_t length);
void asci_mm_preorder(mm_search *s, uint32_t *members, uint32_t count);

/* place.c and reject.c */
/* What placing `buffer` at its least offset would do; false: it is rejected, effect says why. */
bool asci_mm_try(mm_search *s, const mm_frame *f, uint32_t buffer);
/* How many children from f->next on are rejected in a row, if that is so without a look at others: 0 where each is to be tried. They are steps then,
   and the frame is left as it is. O(sections / 4 + children). */
uint32_t asci_mm_reject_rest(mm_search *s, const mm_frame *f);
/* Takes the effect of the last asci_mm_try. False: no memory, nothing is changed. */
bool asci_mm_apply(mm_search *s, uint32_t buffer);
void asci_mm_undo(mm_search *s, const mm_frame *f, uint32_t buffer);
/* Whether some unplaced buffer of the frame's list overlaps `buffer`. */
bool asci_mm_has_hat(const mm_search *s, const mm_frame *f, uint32_t buffer);
bool asci_mm_overlap(const mm_search *s, uint32_t a, uint32_t b);

/* descend.c */
/* Writes the positions of a part's members: when the part has split off, and again when the parts that it fell into are left. O(members). */
void asci_mm_number_members(mm_search *s, const mm_part *part);
typedef enum mm_descent {
  DESCENT_NODE,   /* a node was opened: it is the last frame */
  DESCENT_SOLVED, /* every buffer is placed */
  DESCENT_LIMIT,  /* the attempt has no nodes left */
  DESCENT_MEMORY,
} mm_descent;
/* Starts an attempt: everything unplaced, the root's parts made, its first part's node opened. */
mm_descent asci_mm_begin(mm_search *s);
/* After the last frame's child was placed: opens the next node, in the same part, in the first of the parts it falls into, or, where that
   part is solved, in the next part that waits. */
mm_descent asci_mm_descend(mm_search *s);

/* steps.c and save.c: the engine's calls, see solve/solver.h. */
asc_outcome asci_mm_advance(asc_run *run, void *state);
asc_status asci_mm_keep(asc_run *run, void *state, asci_saver *saver);

/* explain.c: events with their witnesses; only while a log is attached. */
void asci_mm_explain_place(mm_search *s, const mm_frame *f, uint32_t buffer);
void asci_mm_explain_reject(mm_search *s, const mm_frame *f, uint32_t buffer);
/* Children from .. to - 1 of the frame are passed over; witness and bound as in events.def. */
void asci_mm_explain_skip(mm_search *s, const mm_frame *f, asc_rule rule, uint32_t from, uint32_t to);

static inline uint32_t asci_mm_member(const mm_search *s, const mm_frame *f, uint32_t index) {
  return s->lists[f->list + index];
}

/* The bits of a word from one on, and up to one. */
static inline uint64_t asci_mm_bits_from(uint32_t bit) {
  return UINT64_MAX << bit % 64;
}

static inline uint64_t asci_mm_bits_to(uint32_t bit) {
  return UINT64_MAX >> (63 - bit % 64);
}

/* The first section of [first, end) whose total is above `room`, or end. Most have none: four are asked at a time, by the signs of differences. */
static inline uint32_t asci_mm_first_above(const int64_t *total, uint32_t first, uint32_t end, int64_t room) {
  for (; end - first >= 4; first += 4) {
    const int64_t *t = total + first;
    if (((room - t[0]) | (room - t[1]) | (room - t[2]) | (room - t[3])) < 0) break;
  }
  while (first < end && total[first] <= room) first++;
  return first;
}

#endif
