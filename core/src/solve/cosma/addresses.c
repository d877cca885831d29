/* Addresses for solutions, in this order: a narrow sweep, a wide one, a solver of buffers, if that gives up a sweep ten times as wide; all these of other
 * solutions that cost as much; more copying out; all layouts, where they can be listed; a plan above the capacity. While the search goes on the narrow sweep alone is tried. */
#include "base/sort.h"
#include "cosma.h"

#include <string.h>

enum { SLICE = 256, INNER_SLICE = 1024, MOST_TRIES = 600, MOST_REPAIR_STEPS = 1 << 22 };
static const uint64_t inner_budget = 200000;
/* Who finds no plan below the capacity hands in one above it. */
static const char solver[] = "exact", last_resort[] = "greedy";

void asci_cosma_addresses_drop(cosma_machine *c) {
  asci_cosma_pack_free(&c->pack);
  asc_run_free(c->inner);
  asc_problem_free(c->arena);
  c->inner = NULL;
  c->arena = NULL;
}

/* Whether it went well; else that is the end. */
static bool is_well(cosma_machine *c, asc_status status) {
  if (status) asci_cosma_fail(c, status);
  return !status;
}

static cosma_found *best_found(cosma_machine *c) {
  return &c->found[c->found_count - 1];
}

/* ---- the end --------------------------------------------------------------------------------------------------------- */

static int64_t height_of(const cosma_machine *c) {
  int64_t height = 0;
  for (size_t k = 0; k < c->stays.count; k++) {
    const asc_stay *stay = &c->stays.stays[k];
    int64_t top = stay->offset + asci_cosma_item_size(c->lowering, stay->item);
    if (stay->pool == ASC_POOL_MAIN && !cosma_is_absent(stay) && top > height) height = top;
  }
  return height;
}

/* Whether the stay in the arena ends so that its item comes back later, or begins so that it comes back. */
static bool is_move(const cosma_machine *c, const asc_stay *stay, bool comes) {
  uint32_t tensors = c->lowering->lowered.graph->tensor_count;
  if (stay->pool != ASC_POOL_MAIN || stay->item >= tensors) return false;
  if (c->lowering->lowered.kinds[stay->item] & ASC_TENSOR_CONSTANT) return false;
  for (size_t k = 0; k < c->stays.count; k++) {
    const asc_stay *other = &c->stays.stays[k];
    if (other->item != stay->item || other->pool != ASC_POOL_MAIN) continue;
    if (comes ? other->lower < stay->lower : other->lower > stay->lower) return true;
  }
  return false;
}

/* A move: twice the place of its stay, and 1 more if it comes. */
static int64_t time_of(const asc_stay *stays, uint32_t move) {
  return move & 1 ? stays[move / 2].lower : stays[move / 2].upper;
}

static bool is_sooner(const void *keys, uint32_t a, uint32_t b) {
  int64_t of_a = time_of(keys, a), of_b = time_of(keys, b);
  if (of_a != of_b) return of_a < of_b;
  return (a & 1) != (b & 1) ? (a & 1) < (b & 1) : a < b;
}

/* The plan's moves in time: who goes before an operator, then who comes with it. */
static bool tell_moves(cosma_machine *c) {
  uint32_t *moves = asci_alloc(c->context, 4 * c->stays.count + 1, sizeof *moves), count = 0;
  if (!moves) return false;
  for (uint32_t k = 0; k < 2 * c->stays.count; k++)
    if (is_move(c, &c->stays.stays[k / 2], k & 1)) moves[count++] = k;
  asci_sort(moves, moves + count, count, is_sooner, c->stays.stays);
  for (uint32_t k = 0; k < count && c->outcome == ASC_OUTCOME_RUNNING; k++) {
    cosma_says kind = moves[k] & 1 ? COSMA_SAYS_COMES : COSMA_SAYS_GOES;
    uint32_t time = (uint32_t)time_of(c->stays.stays, moves[k]);
    asci_cosma_add_entry(c, (cosma_entry){.kind = kind, .stage = moves[k] / 2, .layer = time, .best = c->passes.best.cost});
  }
  asci_free(c->context, moves);
  return true;
}

/* The stays have their offsets, if there are any. */
static bool conclude(cosma_machine *c, bool planned) {
  asci_cosma_addresses_drop(c);
  if (planned) {
    c->plan_height = height_of(c);
    if (!tell_moves(c)) return asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
  }
  cosma_entry entry = {.kind = COSMA_SAYS_END, .states = (uint64_t)c->steps, .best = c->passes.best.cost, .packed = planned};
  if (c->outcome == ASC_OUTCOME_RUNNING) asci_cosma_add_entry(c, entry);
  if (c->outcome != ASC_OUTCOME_RUNNING) return true;
  if (!planned) return asci_cosma_end(c, ASC_OUTCOME_EXHAUSTED);
  bool fits = c->plan_height <= c->set.capacity;
  return asci_cosma_end(c, fits ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY);
}

static bool take_plan(cosma_machine *c, const asci_stay_list *stays, const uint32_t *order) {
  memcpy(c->order, order, c->model.op_count * sizeof *order);
  return asci_stays_copy(stays, &c->stays) ? conclude(c, true) : asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
}

static void tell_packer(cosma_machine *c, cosma_packer packer, bool packed) {
  cosma_entry entry = {
      .kind = COSMA_SAYS_PACK, .stage = packer, .states = (uint64_t)c->steps, .best = c->passes.best.cost, .packed = packed};
  asci_cosma_add_entry(c, entry);
}

/* ---- what is to be packed -------------------------------------------------------------------------------------------- */

bool asci_cosma_is_plain(const asc_problem *problem) {
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].bank) return false;
  return true;
}

/* The stays of a solution, and the buffers that they are. */
static asc_status situate(cosma_machine *c, const cosma_solution *solution) {
  asc_problem_free(c->arena);
  c->arena = NULL;
  c->stays.count = 0;
  asc_status status = asci_cosma_stays(&c->model, solution, &c->stays);
  if (status) return status;
  return asc_lowering_situation(c->lowering, c->stays.stays, (uint32_t)c->stays.count, false, &c->arena, NULL);
}

typedef struct sweep {
  uint32_t width, level;
} sweep;
static const sweep sweeps[] = {
    [COSMA_SWEEP] = {50, 1}, [COSMA_WIDE_SWEEP] = {100, 2}, [COSMA_WIDEST_SWEEP] = {1000, 2}, [COSMA_REPAIR] = {50, 1}};

static asc_status begin_sweep(cosma_machine *c, cosma_phase phase) {
  c->phase = phase;
  asci_cosma_pack_free(&c->pack);
  return asci_cosma_pack_new(c->arena, c->capacity, sweeps[phase].width, sweeps[phase].level, &c->pack);
}

static asc_status begin_inner(cosma_machine *c, const char *name) {
  asc_run_config config = asc_run_config_default(name, c->capacity);
  if (!c->resort) config.budget = inner_budget;
  asc_run_free(c->inner);
  c->inner = NULL;
  c->phase = COSMA_INNER;
  return asc_run_new(asc_input_buffers(c->arena), &config, &c->inner, NULL);
}

/* Of the last solution that was found. */
static void pack_last(cosma_machine *c) {
  memcpy(c->order, best_found(c)->solution.order, c->model.op_count * sizeof *c->order);
  asc_status status = situate(c, &best_found(c)->solution);
  if (!status) status = begin_sweep(c, COSMA_SWEEP);
  (void)is_well(c, status);
}

void asci_cosma_addresses_begin(cosma_machine *c) {
  cosma_found *found = best_found(c);
  if (c->passes.over && found->packed) {
    take_plan(c, &found->stays, found->solution.order);
    return;
  }
  memcpy(c->order, found->solution.order, c->model.op_count * sizeof *c->order);
  if (c->height) c->capacity = found->solution.cost;
  asc_status status = situate(c, &found->solution);
  if (!is_well(c, status)) return;
  if (asci_cosma_is_plain(c->arena))
    status = begin_sweep(c, found->swept ? COSMA_WIDE_SWEEP : COSMA_SWEEP);
  else if (c->passes.over)
    status = begin_inner(c, solver);
  else
    found->swept = true; /* no sweep can, so that it waits for the end */
  is_well(c, status);
}

/* ---- fallbacks ------------------------------------------------------------------------------------------------------- */

static asc_status begin_resort(cosma_machine *c) {
  c->resort = true;
  memcpy(c->order, best_found(c)->solution.order, c->model.op_count * sizeof *c->order);
  asc_status status = situate(c, &best_found(c)->solution);
  return status ? status : begin_inner(c, last_resort);
}

/* With the plan of the layouts or the repaired one, if there is one. */
static bool settle(cosma_machine *c) {
  if (c->laid.order) return take_plan(c, &c->repaired, c->laid.order);
  if (c->repaired_cost != ASC_UNPLACED) return take_plan(c, &c->repaired, c->found[c->repaired_from].solution.order);
  asc_status status = begin_resort(c);
  return !is_well(c, status);
}

static int64_t least_known(const cosma_machine *c) {
  return c->repaired_cost == ASC_UNPLACED ? INT64_MAX : c->repaired_cost;
}

static asc_status search_layouts(cosma_machine *c, int64_t upper, bool moves_any) {
  cosma_layout_pass pass = {
      .capacity = c->capacity, .upper = upper, .given_order = c->set.schedule == COSMA_FILE, .moves_any = moves_any};
  c->phase = COSMA_LAYOUT;
  asci_cosma_layout_free(&c->layout);
  return asci_cosma_layout_new(&c->model, &pass, &c->layout);
}

/* All layouts, of graphs that are small; of plans in orders of least peak these would be too many. */
static bool begin_layouts(cosma_machine *c) {
  bool may = c->set.schedule != COSMA_LEAST_PEAK && asci_cosma_layout_may(&c->model, c->capacity);
  if (!may) return settle(c);
  asc_status status = search_layouts(c, least_known(c), true);
  return !is_well(c, status);
}

/* Whether a try of what is repaired now can still be better than the best of those before. */
static bool may_improve(const cosma_machine *c) {
  const cosma_solution *from = c->repair.from;
  if (!c->repair.m || c->tries >= MOST_TRIES || c->repair_steps >= MOST_REPAIR_STEPS) return false;
  int64_t more = asci_cosma_repair_cost(&c->repair);
  return more != INT64_MAX && (c->repaired_cost == ASC_UNPLACED || from->cost + more < c->repaired_cost);
}

/* The next of the solutions that cost as little as the best, from the last that was found; false: there is none, or it has failed. */
static bool next_source(cosma_machine *c) {
  bool first = !c->repair.m;
  asci_cosma_repair_free(&c->repair);
  if (!first && c->source == 0) return false;
  c->source = first ? c->found_count - 1 : c->source - 1;
  cosma_solution *from = &c->found[c->source].solution;
  if (from->cost > best_found(c)->solution.cost) return false;
  c->tries = 0;
  memcpy(c->order, from->order, c->model.op_count * sizeof *c->order);
  asc_status status = asci_cosma_repair_new(&c->model, from, &c->repair);
  return is_well(c, status);
}

/* The next try of a repair, or, after the last, what is left. */
static bool next_repair(cosma_machine *c) {
  asc_run_free(c->inner);
  asci_cosma_pack_free(&c->pack);
  c->inner = NULL;
  while (!may_improve(c))
    if (!next_source(c)) return c->outcome != ASC_OUTCOME_RUNNING || begin_layouts(c);
  if (!asci_cosma_repair_next(&c->repair)) return asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
  c->repairs++;
  c->tries++;
  asc_status status = situate(c, &c->repair.trial);
  if (!status) status = begin_sweep(c, COSMA_REPAIR);
  return !is_well(c, status);
}

/* Another solution that costs as much; after some of them, repairs. */
static void next_other(cosma_machine *c) {
  bool plain = asci_cosma_is_plain(c->arena);
  if (plain && asci_cosma_retry_begin(c)) return;
  if (c->height || !plain)
    settle(c);
  else
    next_repair(c);
}

/* ---- work ------------------------------------------------------------------------------------------------------------ */

static bool take_offsets(cosma_machine *c) {
  int64_t *offsets = asci_alloc(c->context, c->arena->count, sizeof *offsets);
  if (!offsets) return false;
  asci_cosma_pack_offsets(&c->pack, offsets);
  for (size_t k = 0, b = 0; k < c->stays.count; k++)
    if (c->stays.stays[k].pool == ASC_POOL_MAIN) c->stays.stays[k].offset = offsets[b++];
  asci_free(c->context, offsets);
  return true;
}

/* A sweep of a found solution is over. */
static bool end_sweep(cosma_machine *c, bool packed) {
  cosma_phase phase = c->phase;
  cosma_found *found = best_found(c);
  asci_cosma_pack_free(&c->pack);
  /* the same stays, with their addresses */
  for (size_t k = 0; packed && k < c->stays.count; k++) found->stays.stays[k] = c->stays.stays[k];
  found->packed |= packed;
  found->swept = true;
  tell_packer(c, phase == COSMA_SWEEP ? COSMA_NARROW : COSMA_WIDE, packed);
  if (c->outcome != ASC_OUTCOME_RUNNING) return true;
  if (packed && c->passes.over) return take_plan(c, &found->stays, found->solution.order);
  c->phase = c->passes.over ? c->phase : COSMA_SEARCH;
  if (!c->passes.over) return true;
  if (phase == COSMA_WIDEST_SWEEP) return next_other(c), true;
  asc_status status = phase == COSMA_SWEEP ? begin_sweep(c, COSMA_WIDE_SWEEP) : begin_inner(c, solver);
  return is_well(c, status), true;
}

/* What the plan in hand costs, by the referee's count. */
static int64_t traffic_of(const cosma_machine *c) {
  asc_plan plan = {
      .order = c->order, .turns = c->model.op_count, .stays = c->stays.stays, .stay_count = (uint32_t)c->stays.count};
  return asci_graph_traffic(c->lowering, &plan);
}

static bool end_repair(cosma_machine *c, bool packed) {
  const cosma_repair *repair = &c->repair;
  uint64_t out = repair->trial.evict_begin[c->model.op_count] - repair->from->evict_begin[c->model.op_count];
  asci_cosma_add_entry(
      c,
      (cosma_entry){.kind = COSMA_SAYS_REPAIR, .layer = c->repairs, .states = out, .best = traffic_of(c), .packed = packed});
  if (c->outcome != ASC_OUTCOME_RUNNING) return true;
  int64_t cost = traffic_of(c);
  if (packed && (c->repaired_cost == ASC_UNPLACED || cost < c->repaired_cost)) {
    if (!asci_stays_copy(&c->stays, &c->repaired)) return asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
    c->repaired_cost = cost;
    c->repaired_from = c->source;
  }
  return next_repair(c), true;
}

static bool work_sweep(cosma_machine *c) {
  cosma_packing packing = COSMA_PACKING;
  for (uint32_t k = 0; k < SLICE && packing == COSMA_PACKING; k++, c->steps++) packing = asci_cosma_pack_step(&c->pack);
  c->repair_steps += c->phase == COSMA_REPAIR ? SLICE : 0;
  if (packing == COSMA_PACKING) return false;
  bool packed = packing == COSMA_PACKED;
  if (packing == COSMA_PACK_NO_MEMORY || (packed && !take_offsets(c))) return asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
  return c->phase == COSMA_REPAIR ? end_repair(c, packed) : end_sweep(c, packed);
}

static bool work_inner(cosma_machine *c) {
  asc_outcome outcome;
  asc_run_stats stats;
  asc_status status = asc_run_step(c->inner, INNER_SLICE, &outcome);
  if (!is_well(c, status)) return true;
  if (outcome == ASC_OUTCOME_RUNNING) return false;
  asc_run_stats_get(c->inner, &stats);
  c->steps += (int64_t)stats.steps;
  if (outcome == ASC_OUTCOME_OUT_OF_MEMORY) return asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
  bool packed = stats.height >= 0;
  const int64_t *offsets = asc_run_best(c->inner);
  for (size_t k = 0, b = 0; packed && k < c->stays.count; k++)
    if (c->stays.stays[k].pool == ASC_POOL_MAIN) c->stays.stays[k].offset = offsets[b++];
  tell_packer(c, c->resort ? COSMA_RESORT : COSMA_SOLVER, packed);
  if (c->outcome != ASC_OUTCOME_RUNNING) return true;
  if (packed || c->resort) return conclude(c, packed);
  bool gave_up = outcome != ASC_OUTCOME_INFEASIBLE && asci_cosma_is_plain(c->arena) && !c->others;
  if (!gave_up) return next_other(c), true;
  status = begin_sweep(c, COSMA_WIDEST_SWEEP);
  return is_well(c, status), true;
}

/* The plan that the layouts came to, to be handed in at the end. Without memory the one before it stays. */
static bool take_laid(cosma_machine *c) {
  size_t n = c->model.op_count;
  cosma_solution laid = {.cost = ASC_UNPLACED};
  laid.order = asci_alloc(c->context, n, sizeof *laid.order);
  laid.evict_begin = asci_alloc(c->context, n + 1, sizeof *laid.evict_begin);
  bool taken = laid.order && laid.evict_begin && !asci_cosma_layout_take(&c->layout, &laid, &c->stays) &&
               asci_stays_copy(&c->stays, &c->repaired);
  asci_cosma_solution_free(c->context, taken ? &c->laid : &laid);
  if (!taken) return false;
  c->laid = laid;
  c->repaired_cost = c->layout.found_cost;
  return true;
}

/* No plan within the capacity costs less than the least that all layouts come to. If that moves what it was not asked to, the least without such moves is
   looked for as well; only where there is none it is the plan. */
static bool end_layouts(cosma_machine *c) {
  bool found = c->layout.found != ASC_NONE, first = c->layout.moves_any;
  bool asked = !first || c->moves_any || !asci_cosma_layout_moves(&c->layout);
  int64_t known = least_known(c), least = found ? c->layout.found_cost : known;
  if (first && least != INT64_MAX && least > c->bound && c->set.schedule == COSMA_JOINT) c->bound = least;
  tell_packer(c, COSMA_LAYOUTS, found);
  if (c->outcome != ASC_OUTCOME_RUNNING) return true;
  if (found && (asked || known == INT64_MAX) && !take_laid(c)) return asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
  if (!found || asked) return settle(c), true;
  asc_status status = search_layouts(c, known, false);
  return is_well(c, status), true;
}

static bool work_layouts(cosma_machine *c) {
  cosma_laying laying = COSMA_LAYING;
  for (uint32_t k = 0; k < SLICE && (laying == COSMA_LAYING || laying == COSMA_LAID_LAYER); k++, c->steps++)
    laying = asci_cosma_layout_step(&c->layout);
  if (laying == COSMA_LAYOUT_NO_MEMORY) return asci_cosma_fail(c, ASC_OUT_OF_MEMORY);
  if (laying == COSMA_LAID) return end_layouts(c);
  return laying == COSMA_LAYOUT_FULL && settle(c);
}

static bool work_retry(cosma_machine *c) {
  cosma_retry retry = asci_cosma_retry_work(c);
  if (retry == COSMA_RETRY_FOUND) pack_last(c);
  if (retry == COSMA_RETRY_NONE) next_other(c);
  return true;
}

bool asci_cosma_addresses_work(cosma_machine *c) {
  switch (c->phase) {
  case COSMA_INNER:
    return work_inner(c);
  case COSMA_LAYOUT:
    return work_layouts(c);
  case COSMA_RETRY:
    return work_retry(c);
  default:
    return work_sweep(c);
  }
}
