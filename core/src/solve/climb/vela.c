/* vela-hill-climb: Arm Vela (ethos-u-vela), ethosu/vela/hillclimb_allocation.py (HillClimbAllocator).
 *
 * First order: greatest load of a buffer's life, longer life, earlier start, larger size, index. A buffer goes to the lowest multiple of its
 * alignment where it meets nobody placed. Its predecessor is the buffer on whose top that is.
 * An attempt: the bottleneck is the buffer that ends highest, the one of least index of equal ones. Listed are it, its predecessor, the
 * predecessor's and so on down to the ground; then each of its neighbours in time with its own predecessors. One of the list changes places
 * in the order with another of it; in 30 of 101 cases the one is of those in the list that are no neighbours of the bottleneck. Where the
 * plan has not got lower for more than 50 attempts, the neighbours of these join, and two of all change places besides. A plan is given up
 * as soon as it is higher than the best, and kept if it is no higher. The end is at the lower bound, or after 99,999 attempts or at the
 * capacity, but in no case before 500 attempts in a row have not made it lower; unless it minimises, this ends at the capacity at once.
 *
 * Where this is not the original: random numbers come from base/number/rng.h, there from Python's generator with seed 1, so that single swaps differ.
 * What a plan that is given up did to turns and addresses stays there in the original, whose next bottleneck may be of a plan that is
 * gone; its successor in C++ (ethosu/regor, hillclimb_allocator.cpp) takes the best plan up again, and so does this. Of several buffers
 * on whose tops a place could depend, the predecessor is the one alive first, there the one its loop comes upon. Those who join are
 * neighbours of who stood at these turns before the first swap, there after it. */
#include "model/lifespan/peaks.h"
#include "solve/climb/climb.h"

#include <string.h>

#define VELA_OPTIONS(X, T) \
  X(T, INT, attempts, "Attempts", "99999", 1, 1000000, \
    "Attempts before it gives up above the capacity; Vela makes 99,999.") \
  X(T, INT, stuck, "Stuck after", "50", 0, 1000000, \
    "Attempts without a lower plan before a second pair is swapped as well; Vela makes 50.") \
  X(T, INT, patience, "Patience", "500", 0, 1000000, "Attempts without a lower plan before it may end; Vela makes 500.")
ASCI_OPTION_VALUES(vela_options, VELA_OPTIONS);
ASCI_OPTION_TABLE(vela_options, VELA_OPTIONS);

static const vela_options *options_of(const asci_climb *c) {
  return c->run->options;
}

static const char pseudocode[] = "plan = first fit, fullest times first\n"
                                 "while above the target, or patient:\n"
                                 "  b = the buffer that ends highest\n"
                                 "  swap two that had a hand in its place\n"
                                 "  first fit, while no higher than best\n"
                                 "  if no higher: keep it\n"
                                 "    best = the lowest so far\n"
                                 "  else: swap them back\n";

/* ---- the first order ------------------------------------------------------------------------------------------------- */

static asc_status weigh(const asc_problem *problem, int64_t *weight) {
  uint32_t *peak = asci_alloc(problem->context, problem->count, sizeof *peak);
  asc_status status = peak ? asci_peaks(problem, peak) : ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; !status && b < problem->count; b++)
    weight[b] = peak[b] == ASC_NONE ? 0 : problem->sections[peak[b]].load;
  asci_free(problem->context, peak);
  return status;
}

static bool before(const void *given, uint32_t a, uint32_t b) {
  const asci_climb_keys *keys = given;
  const asc_buffer_spec *left = &keys->problem->buffers[a], *right = &keys->problem->buffers[b];
  if (keys->weight[a] != keys->weight[b]) return keys->weight[a] > keys->weight[b];
  int64_t life = left->upper - left->lower, other = right->upper - right->lower;
  if (life != other) return life > other;
  if (left->lower != right->lower) return left->lower < right->lower;
  return left->size != right->size ? left->size > right->size : a < b;
}

/* ---- who had a hand in the bottleneck -------------------------------------------------------------------------------- */

static uint32_t highest(const asci_climb *c) {
  const asc_buffer_spec *buffers = c->run->problem->buffers;
  uint32_t best = 0;
  for (uint32_t b = 1; b < c->run->problem->count; b++)
    if (c->offsets[b] + buffers[b].size > c->offsets[best] + buffers[best].size) best = b;
  return best;
}

typedef struct meeting {
  const asc_buffer_spec *buffers;
  int64_t from;
} meeting;

/* In the order in which the bottleneck, alive from `from` on, meets them. */
static bool meets_first(const void *given, uint32_t a, uint32_t b) {
  const meeting *m = given;
  int64_t left = m->buffers[a].lower, right = m->buffers[b].lower;
  if (left < m->from) left = m->from;
  if (right < m->from) right = m->from;
  return left != right ? left < right : a < b;
}

/* A buffer and what it rests on, down to one that is listed already: from there on all are. */
static void list_down(asci_climb *c, uint32_t buffer) {
  for (; buffer != ASC_NONE && !c->mark[c->turn[buffer]]; buffer = asci_climb_below(c, buffer)) {
    c->mark[c->turn[buffer]] = 1;
    asci_turns_add(&c->near, c->turn[buffer]);
  }
}

static void unmark(asci_climb *c, const asci_turns *turns) {
  for (uint32_t k = 0; k < turns->count; k++) c->mark[turns->items[k]] = 0;
}

static bool are_neighbours(const asci_climb *c, uint32_t a, uint32_t b) {
  const asc_buffer_spec *left = &c->run->problem->buffers[a], *right = &c->run->problem->buffers[b];
  return left->lower < right->upper && right->lower < left->upper;
}

/* near: all who had a hand in it; far: those of them that are no neighbours of it. Cut short by a cancel. False: no memory. */
static bool look(asci_climb *c) {
  meeting m = {c->run->problem->buffers, 0};
  c->bottleneck = highest(c);
  m.from = m.buffers[c->bottleneck].lower;
  c->near.count = c->far.count = 0;
  if (!asci_climb_around(c, c->bottleneck)) return false;
  /* all and far are not in use yet: the neighbours, and room to sort them */
  uint32_t count = (uint32_t)c->alive.found_count, *neighbours = c->all.items;
  for (uint32_t k = 0; k < count; k++) neighbours[k] = c->alive.found[k];
  asci_sort(neighbours, c->scratch, count, meets_first, &m);
  list_down(c, c->bottleneck);
  for (uint32_t k = 0; k < count && !asci_cancelled(c->run); k++) list_down(c, neighbours[k]);
  unmark(c, &c->near);
  for (uint32_t k = 0; k < c->near.count; k++)
    if (!are_neighbours(c, c->bottleneck, c->order[c->near.items[k]])) asci_turns_add(&c->far, c->near.items[k]);
  c->all.count = 0;
  c->known = true;
  return !c->alive.no_memory;
}

/* all: those of near and, if it is stuck, the neighbours of those that are far. False: no memory. */
static bool widen(asci_climb *c, bool stuck) {
  if (c->all.count > c->near.count || (c->all.count && !stuck)) return true;
  c->all.count = 0;
  for (uint32_t k = 0; k < c->near.count; k++) {
    c->mark[c->near.items[k]] = 1;
    asci_turns_add(&c->all, c->near.items[k]);
  }
  bool memory = true;
  for (uint32_t k = 0; k < c->far.count && stuck && memory && !asci_cancelled(c->run); k++) {
    memory = asci_climb_around(c, c->order[c->far.items[k]]);
    for (size_t i = 0; i < c->alive.found_count && memory; i++) {
      uint32_t turn = c->turn[c->alive.found[i]];
      if (c->mark[turn]) continue;
      c->mark[turn] = 1;
      asci_turns_add(&c->all, turn);
    }
  }
  unmark(c, &c->all);
  return memory;
}

/* ---- the swap -------------------------------------------------------------------------------------------------------- */

static uint32_t draw_of(asci_climb *c, const asci_turns *turns, uint32_t count) {
  return turns->items[asci_random_below(&c->rng, count)];
}

/* The list has two at least: who ends above the lower bound rests on somebody. */
static bool draw(asci_climb *c) {
  bool stuck = (int64_t)(c->attempt - c->improved) > options_of(c)->stuck;
  c->swap_count = 0;
  if ((!c->known && !look(c)) || !widen(c, stuck)) return false;
  if (c->near.count < 2) return true;
  bool far = asci_random_below(&c->rng, 101) < 30 && c->far.count;
  uint32_t first = far ? draw_of(c, &c->far, c->far.count) : draw_of(c, &c->near, c->near.count);
  uint32_t second = draw_of(c, &c->near, c->near.count - 1);
  c->turns[0][0] = first;
  c->turns[0][1] = second == first ? c->near.items[c->near.count - 1] : second;
  c->swap_count = 1;
  if (!stuck) return true;
  c->turns[1][0] = draw_of(c, &c->all, c->all.count);
  c->turns[1][1] = draw_of(c, &c->all, c->all.count);
  c->swap_count = 2;
  return true;
}

/* ---- what is kept ---------------------------------------------------------------------------------------------------- */

static bool keeps(asci_climb *c, int64_t height) {
  return height <= c->height;
}

static bool goes_on(const asci_climb *c) {
  bool above = c->height > c->run->capacity;
  if (above && c->attempt < options_of(c)->attempts) return true;
  return (int64_t)(c->attempt - c->improved) < options_of(c)->patience;
}

static const asci_climb_rule rule = {
    .weigh = weigh, .before = before, .abandons = true, .draw = draw, .keeps = keeps, .goes_on = goes_on};

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_climb_create(run, &rule, state);
}

const asci_solver asci_solver_vela_hill_climb = {
    .info = {.id = "vela-hill-climb",
             .title = "Vela hill climb",
             .paper = "Arm Vela, hillclimb_allocation.py",
             .summary = "Vela's HillClimb: first fit, and two of those that had a hand in the highest place are swapped; "
                        "kept if no higher.",
             .goals = 1u << ASC_GOAL_HEIGHT,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS,
             .complete = false,
             ASCI_TAKES_INFO(vela_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(vela_options),
    .create = create,
    .destroy = asci_climb_destroy,
    .advance = asci_climb_advance,
    .view = asci_climb_view,
    .keep = asci_climb_keep,
};
