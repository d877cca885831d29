/* tvm-hill-climb: apache/tvm, src/tir/usmp/algo/hill_climb.cc (HillClimbAllocator), with one pool without a size hint.
 *
 * First order: size, then number of conflicts, then name, all of them greatest first (names compare byte by byte). A buffer goes to the lowest
 * gap between the placed conflicts, the top of each rounded up to that conflict's alignment; its own alignment is honoured on top of that.
 * An attempt: of the buffers that reach the height of the plan one is drawn. Its first level are its conflicts that come before it in the
 * order; the second level are, for each of its conflicts, those conflicts that come before that one, as often as they are. One of the first
 * level changes places with one of the second (74 times in 100) or of the first level. The plan is kept if it is lower than the one that
 * stands, or if it is higher, in attempt k, with 50 * (higher by) / height / k chances in 100, rounded down twice: so it never is from
 * attempt 50 on, and one of the same height never is. The first plan counts as an attempt; there are at most 500.
 *
 * Where this is not the original: random numbers come from base/number/rng.h and a seed of one's own, there from rand_r with seed 0, so that single
 * swaps differ. The memory pressure at which it stops is the lower bound, or, unless it minimises, the capacity. It gives the plan that it
 * kept last, this the lowest it has kept. An attempt that has nobody to swap is spent; the original then decodes the same order again and swaps
 * back what its last swap was. Where all that could be drawn is the same buffer the original draws for ever, and this a hundred times. */
#include "model/lifespan/overlaps.h"
#include "solve/climb/climb.h"

#include <string.h>

enum { DRAWS = 100 };

#define TVM_OPTIONS(X, T) X(T, INT, attempts, "Attempts", "500", 1, 100000, "Plans before it gives up; TVM makes 500.")
ASCI_OPTION_VALUES(tvm_options, TVM_OPTIONS);
ASCI_OPTION_TABLE(tvm_options, TVM_OPTIONS);

static const char pseudocode[] = "plan = first fit by size\n"
                                 "while above the target, attempts left:\n"
                                 "  b = one of the highest buffers\n"
                                 "  swap two that are below b or there\n"
                                 "  first fit in the new order\n"
                                 "  if lower, or by chance: keep it\n"
                                 "    best = the lowest so far\n"
                                 "  else: swap them back\n";

/* ---- the first order ------------------------------------------------------------------------------------------------- */

static asc_status weigh(const asc_problem *problem, int64_t *weight) {
  uint32_t *conflicts = asci_alloc(problem->context, problem->count, sizeof *conflicts);
  asc_status status = conflicts ? asci_overlap_counts(problem, conflicts) : ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; !status && b < problem->count; b++) weight[b] = conflicts[b];
  asci_free(problem->context, conflicts);
  return status;
}

static bool before(const void *given, uint32_t a, uint32_t b) {
  const asci_climb_keys *keys = given;
  const asc_buffer_spec *left = &keys->problem->buffers[a], *right = &keys->problem->buffers[b];
  if (left->size != right->size) return left->size > right->size;
  if (keys->weight[a] != keys->weight[b]) return keys->weight[a] > keys->weight[b];
  return strcmp(left->id, right->id) > 0;
}

/* ---- the swap -------------------------------------------------------------------------------------------------------- */

/* One of the buffers that reach the height, by turn. */
static uint32_t draw_highest(asci_climb *c) {
  const asc_problem *problem = c->run->problem;
  uint32_t count = 1;
  int64_t highest = -1;
  for (uint32_t k = 0; k < problem->count; k++) {
    int64_t top = c->offsets[c->order[k]] + problem->buffers[c->order[k]].size;
    if (top < highest) continue;
    count = top > highest ? 1 : count + 1;
    highest = top;
    c->scratch[count - 1] = c->order[k];
  }
  return c->scratch[asci_random_below(&c->rng, count)];
}

/* Adds one to the mark of each turn before the buffer's whose buffer is alive with it. */
static bool count_earlier(asci_climb *c, uint32_t buffer) {
  if (!asci_climb_around(c, buffer)) return false;
  for (size_t k = 0; k < c->alive.found_count; k++) {
    uint32_t turn = c->turn[c->alive.found[k]];
    if (turn < c->turn[buffer]) c->mark[turn]++;
  }
  return true;
}

/* Turns whose mark is set, in order, and the marks cleared; upto is what they add up to. */
static void gather(asci_climb *c, asci_turns *turns, uint64_t *upto) {
  uint64_t sum = 0;
  turns->count = 0;
  for (uint32_t k = 0; k < c->run->problem->count; k++) {
    if (!c->mark[k]) continue;
    sum += c->mark[k];
    c->mark[k] = 0;
    if (upto) upto[turns->count] = sum;
    asci_turns_add(turns, k);
  }
}

/* First and second level of the bottleneck: near, far. Cut short by a cancel. False: no memory. */
static bool look(asci_climb *c) {
  if (!count_earlier(c, c->bottleneck)) return false;
  gather(c, &c->near, NULL);
  uint32_t count = (uint32_t)c->alive.found_count;
  for (uint32_t k = 0; k < count; k++) c->scratch[k] = c->alive.found[k];
  for (uint32_t k = 0; k < count && !asci_cancelled(c->run); k++)
    if (!count_earlier(c, c->scratch[k])) return false;
  gather(c, &c->far, c->upto);
  c->all.count = 0;
  for (uint32_t k = 0; k < c->near.count; k++) c->mark[c->near.items[k]] = 1;
  for (uint32_t k = 0; k < c->near.count; k++) asci_turns_add(&c->all, c->near.items[k]);
  for (uint32_t k = 0; k < c->far.count; k++)
    if (!c->mark[c->far.items[k]]) asci_turns_add(&c->all, c->far.items[k]);
  for (uint32_t k = 0; k < c->near.count; k++) c->mark[c->near.items[k]] = 0;
  c->known = true;
  return true;
}

static uint32_t draw_near(asci_climb *c) {
  return c->near.items[asci_random_below(&c->rng, c->near.count)];
}

static uint32_t draw_far(asci_climb *c) {
  uint64_t at = asci_random_below(&c->rng, c->upto[c->far.count - 1]);
  uint32_t low = 0, high = c->far.count - 1;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->upto[middle] <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return c->far.items[low];
}

static bool draw(asci_climb *c) {
  c->swap_count = 0;
  uint32_t highest = draw_highest(c);
  if (highest != c->bottleneck) c->known = false;
  c->bottleneck = highest;
  if (!c->known && !look(c)) return false;
  if (!c->near.count) return true;
  uint32_t first = draw_near(c), second = first;
  for (int k = 0; k < DRAWS && second == first; k++)
    second = c->far.count && asci_random_below(&c->rng, 100) > 25 ? draw_far(c) : draw_near(c);
  c->turns[0][0] = first;
  c->turns[0][1] = second;
  c->swap_count = first != second;
  return true;
}

/* ---- what is kept ---------------------------------------------------------------------------------------------------- */

static bool keeps(asci_climb *c, int64_t height) {
  if (height < c->height) return true;
  int64_t chances = 50 * (height - c->height) / height / (c->attempt + 1);
  return (int64_t)asci_random_below(&c->rng, 100) < chances;
}

static bool goes_on(const asci_climb *c) {
  return (int64_t)c->attempt + 1 < ((const tvm_options *)c->run->options)->attempts;
}

static const asci_climb_rule rule = {
    .weigh = weigh, .before = before, .rounds = true, .draw = draw, .keeps = keeps, .goes_on = goes_on};

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_climb_create(run, &rule, state);
}

const asci_solver asci_solver_tvm_hill_climb = {
    .info = {.id = "tvm-hill-climb",
             .title = "TVM hill climb",
             .paper = "Apache TVM, usmp/algo/hill_climb.cc",
             .summary = "TVM's hill_climb: first fit by size, and two of those below a highest one are swapped; kept if "
                        "lower, or by chance.",
             .goals = 1u << ASC_GOAL_HEIGHT,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS,
             .complete = false,
             ASCI_TAKES_INFO(tvm_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(tvm_options),
    .create = create,
    .destroy = asci_climb_destroy,
    .advance = asci_climb_advance,
    .view = asci_climb_view,
    .keep = asci_climb_keep,
};
