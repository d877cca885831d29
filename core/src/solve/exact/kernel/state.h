/* The search's state, in the width of `value`.
 *
 * A node asks who sits on the floor of one section. Its children: each candidate placed there, and the waste child, in which nobody is.
 * Changes go on one trail and are undone from its end:
 *
 *     nodes   root | node | node | node         each remembers where on the trail its child's changes begin and end
 *     trail   (item rose, why, old) (section's floor moved, old) ...
 *
 * Where a child leaves boundaries that nothing crosses, its node becomes an AND of parts, which are solved one after the other, the
 * hardest first; the nodes of a solved part stay below those of the next. The root, node 0, is an AND of what is separate from the start.
 *
 * A conflict is a set of unplaced items that cannot be packed, even alone, each from its least offset on. */
#include "../boxes.h"
#include "../exact.h" /* and value, WIDE and KERNEL, from the file that includes this */
#include "../sweep.h"

#include "base/arrays.h"
#include "solve/proof.h"

#include <stddef.h>
#include <string.h>

#define BIG ((value)1 << (sizeof(value) * 8 - 2)) /* least offset of what is placed; two of it do not overflow unsigned */
#define DECISION EX_NONE                          /* why an item rose: else the section of the inference ... */
#define SUM_BIT UINT32_C(0x40000000)              /* ... and this, if it was a subset sum, */
#define PILE_BIT UINT32_C(0x20000000)             /* or this, if it was a pile */
#define FLOOR_BIT UINT32_C(0x80000000)
#define PILE_MEMBERS 10u /* of more the subsets would take most of the time */
#define WASTE EX_NONE    /* a node's child: no candidate */

#define RECENT_NOGOODS 32u
#define SMALL_NOGOODS 128u
#define SMALL_NOGOOD 80u /* items at most */

typedef enum fate { UNTRIED, FAILED, SKIPPED } fate;
typedef enum waste_state { WASTE_OPEN, WASTE_NO_SLACK, WASTE_BLOCKED, WASTE_FAILED, WASTE_PILED } waste_state;

typedef struct change {
  uint32_t what;   /* item, or section | FLOOR_BIT */
  uint32_t reason; /* of an item's rise: DECISION or the section of the inference; of a floor: its count before */
  value old;       /* least offset or floor */
  value old_top;   /* of a section: low_top */
  value old_high;  /* of a section: high */
} change;

typedef struct part {
  uint32_t first, end; /* sections */
  int64_t hardness;
} part;

typedef struct node {
  uint32_t first, end; /* sections of its part */
  uint32_t owner;      /* node whose part this is */
  uint32_t section;
  value floor, waste_to;
  uint32_t setter;      /* the item that sets waste_to */
  uint32_t blocker;     /* the candidate that closes the waste child */
  uint32_t list, count; /* candidates, in search.list and search.fates */
  uint32_t child;       /* index of the candidate that is placed, or WASTE */
  bool part_root;
  bool open;     /* a child is applied */
  bool failing;  /* its conflict is complete */
  bool learnt;   /* complete because every child failed, so that it is worth keeping */
  bool joined;   /* its conflict is no longer what it was when it was opened */
  uint8_t waste; /* waste_state */
  size_t trail_mark, trail_end;
  uint32_t level; /* buffers placed when it was opened */
  uint32_t list_mark, parts_mark, part_count, part_next;
} node;

typedef struct nogood {
  uint32_t count;
  uint32_t *items;
  value *least;
  uint64_t *bits;
  uint64_t lemma; /* in the certificate; 0: there is none */
} nogood;

/* One item of an entry that is placed or too low: as long as it is, the entry does not hold. */
typedef struct watch {
  uint32_t item;
  value least;
} watch;

/* The oldest is overwritten. */
typedef struct ring {
  uint32_t size, used, next, room; /* room: items of an entry */
  nogood *entries;
  watch *watches;
} ring;

/* How far look-ahead has come through a section's members in a node: see least_beyond. */
typedef struct glance {
  uint64_t look;
  uint32_t edge, entry;
  value others;
} glance;

/* How a case of the certificate ends: full section, buffer above the capacity, earlier lemma. */
typedef struct why {
  const char *mark;
  int64_t number;
} why;

/* What a certificate needs while the search is on, see prove.h. */
typedef struct proof {
  why why;                  /* of s->conflict */
  asci_text cases;          /* of the open nodes, */
  size_t *marks, mark_room; /* each of which has its own from here on */
  size_t open;              /* the nodes whose cases are among them */
  why *whys;                /* of nodes that fail without all their children */
  size_t why_room;
  size_t *rises, rise_count, rise_room; /* on the trail: inferences that the conflict rests on, last first */
  asci_text steps;
} proof;

/* So many proofs in a row go up by the least step, later ones by twice as far each time; no number of this width is shifted out. */
enum { CLIMB_STEADY = 16, CLIMB_MOST = CLIMB_STEADY + 8 * sizeof(value) - 4 };

typedef enum minimise_phase { PHASE_BOUNDS, PHASE_DIVE, PHASE_PROBE } minimise_phase;

typedef struct search {
  ex_model *m;             /* of the attempt: the whole one, or of boxes */
  ex_model *whole, *boxed; /* boxed: NULL until it is asked for */
  asc_run *run;
  value capacity; /* in units, of this attempt: of rounded sizes */
  value asked;    /* what true sizes may not end above: the capacity, but for where in its last grain it is (README 8) */
  value given_capacity; /* of the run; minimising, enough for any plan */
  const ex_arm *arm;

  /* per item */
  value *least, *size, *first_least;
  int64_t *offset; /* bytes; ASC_UNPLACED */
  uint32_t *pile;  /* gluing: the item's leader; EX_NONE: it lies where it likes */
  uint64_t *unplaced;
  uint32_t *placed; /* items in order of placing */
  uint32_t depth;   /* buffers placed, weightless ones too */
  uint32_t base;    /* weightless ones placed */

  /* per section */
  value *floor, *rest;
  value *low_top, *high; /* at most the least top, at least the highest least offset of an unplaced member */
  uint32_t *count, *cross, *weight;
  uint32_t piled[PILE_MEMBERS], piled_count; /* scratch of piles.h: a section's unplaced members, */
  value *pile_ends, *pile_begins;            /* per subset of theirs */
  uint32_t *arrived;                         /* members that the placement under way leaves on its top */
  uint32_t *witness;                         /* a member that sat on the floor once: a guess that makes look-ahead fast */
  value *first_floor, *first_rest, *first_low_top, *first_high;
  uint32_t *first_count;
  uint32_t touched_first, touched_end;

  change *trail;
  size_t trail_count, trail_room;
  node *nodes;
  size_t node_count, node_room;
  uint64_t *sets; /* a conflict for each node */
  size_t set_room;
  part *parts;
  size_t part_count, part_room;
  uint32_t *list;
  uint8_t *fates;
  size_t list_count, list_room, fate_room;

  uint64_t *conflict;
  uint32_t conflict_section; /* where it overflows, or EX_NONE */
  asc_rule conflict_rule;
  const nogood *hit;
  ring recent[2], small[2]; /* the second of each: what a glued attempt learns holds in that alone */
  proof proof;

  /* attempts */
  uint64_t cycle, limit, nodes_left, attempt_nodes;
  uint64_t short_nodes, long_nodes, last_long; /* of the attempts so far; minimising, of this probe's */
  uint64_t drawn;                              /* gluing: what its piles or boxes were drawn from */
  uint32_t arm_at;
  bool lengthy; /* a long attempt is under way, or the next one is long */
  bool started, refuted, unlimited, out_of_memory;
  bool boxing; /* its items are boxes */
  bool gluing; /* the attempt, or what the last one has left to look at, is of a glued arm: it proves nothing */
  asci_rng rng;

  /* minimising, in units */
  minimise_phase phase;
  uint32_t order_at;  /* of the greedy orders, then of the dives */
  value lower, upper; /* no plan is lower; the best plan's height, -1: none */
  value bracket;      /* in this round probes from lower to it ended without a result */
  uint64_t round, probe_left;
  uint32_t winner;       /* the arm that found the last plan */
  uint32_t climbed;      /* as many of the last probes ended with a proof, counted up to CLIMB_MOST */
  uint32_t pending;      /* source of the bound to tell next */
  bool lowest_done;      /* in this round lower was probed, or leapt over */
  bool probing, elastic; /* elastic: a dive, in which the capacity yields */
  value nogood_capacity; /* what is in the rings holds up to it (asked) */
  bool limited;          /* since they were empty, an item alone was above what was asked, but within the capacity */

  /* the exchange at boundaries */
  ex_sweep sweep;
  bool sweep_due;               /* before the next attempt */
  bool sweeping;                /* it is under way, or its plan is being placed */
  bool found;                   /* it has a plan: so many buffers of it are placed */
  uint64_t swept_steps, sweeps; /* what sweeping has taken so far; how often it was done */
  uint32_t shown;
  value swept; /* capacity at which there is nothing left to sweep, -1: none */

  /* scratch */
  glance *glances;
  uint64_t looks; /* nodes whose candidates were put in order */
  int64_t *score, *key;
  int64_t *plan, *view_least;
  uint32_t *tried, *candidates, *conflict_buffers;
} search;

/* Of an item's rise by an inference. */
static inline uint32_t section_of(uint32_t reason) {
  return reason & ~(SUM_BIT | PILE_BIT);
}
static inline int64_t bytes_of(const search *s, int64_t units) {
  return units * s->m->unit;
}
/* No plan of this attempt is to end above `asked`. */
static inline void ask(search *s, value asked) {
  value grain = (value)s->m->grain, over = asked % grain;
  s->asked = asked;
  s->capacity = over ? asked + (grain - over) : asked;
}

static inline bool is_unplaced(const search *s, uint32_t i) {
  return s->least[i] < BIG;
}
static inline void set_bit(uint64_t *set, uint32_t i) {
  set[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline bool has_bit(const uint64_t *set, uint32_t i) {
  return set[i / 64] >> (i % 64) & 1;
}
static inline uint64_t *set_of(search *s, const node *f) {
  return s->sets + (size_t)(f - s->nodes) * s->m->words;
}
static inline node *top_node(search *s) {
  return &s->nodes[s->node_count - 1];
}
static inline uint32_t candidate(const search *s, const node *f, uint32_t index) {
  return s->list[f->list + index];
}
/* A section has failed once more. Beyond the most that can be counted it stays there: it is divided by. */
static inline void weigh(search *s, uint32_t t) {
  s->weight[t] += s->weight[t] < UINT32_MAX;
}
/* The unplaced members of section t join a set. */
static inline void join_section(const search *s, uint64_t *set, uint32_t t) {
  const uint64_t *members = s->m->members + (size_t)t * s->m->words;
  for (uint32_t w = 0; w < s->m->words; w++) set[w] |= members[w] & s->unplaced[w];
}
static inline value low_of(const search *s, uint32_t entry) {
  return WIDE && s->m->list_low ? (value)s->m->list_low[entry] : 0;
}
/* The general rules are compiled into the wide kernel alone. */
static inline bool general(const search *s) {
  return WIDE && s->m->general;
}
static inline bool windows(const search *s) {
  return WIDE && s->m->windows;
}
/* In section t the piece of item i: there is one. */
static inline const ex_piece *piece_in(const search *s, uint32_t i, uint32_t t) {
  const ex_piece *q = &s->m->pieces[s->m->piece_begin[i]];
  while (t >= q->end) q++;
  return q;
}
/* The offset at which a candidate of f sits on its floor. */
static inline value spot(const search *s, const node *f, uint32_t i) {
  return windows(s) ? f->floor - (value)piece_in(s, i, f->section)->low : f->floor;
}
