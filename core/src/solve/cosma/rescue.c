/* A plan for a run that is ended before its search is over: the cheapest of the best solution that finds addresses, of the best repaired one, and of what
 * Belady's rule makes of the orders that are known; none if the run has one as cheap. All that a longer run has to choose from as well, so it is
 * ended with no more. Nothing of the machine changes, so that the run goes on as if it had not been ended. */
#include "cosma.h"
#include "packing/replace.h"

#include <string.h>

enum { WIDTH = 50, WIDE = 100 };
static const uint64_t inner_budget = 20000;

typedef struct rescue {
  const cosma_machine *c;
  const cosma_solution *solution;
  cosma_solution improvised;
  asci_stay_list stays, kept; /* of the try under way; of the plan */
  asc_problem *arena;
  int64_t capacity;
  const uint32_t *order; /* of the plan; NULL: there is none */
  int64_t cost;          /* of the plan, or of the run's own; INT64_MAX: there is neither */
} rescue;

/* Whether a plan of that cost is worth having. One of the least height copies nothing, so one is enough. */
static bool is_wanted(const rescue *r, int64_t cost) {
  return r->c->height ? r->cost == INT64_MAX : cost < r->cost;
}

/* The stays, which have their addresses, are the plan if they are better. */
static void keep(rescue *r, const uint32_t *order) {
  const cosma_machine *c = r->c;
  asc_plan plan = {
      .order = order, .turns = c->model.op_count, .stays = r->stays.stays, .stay_count = (uint32_t)r->stays.count};
  int64_t cost = c->height ? 0 : asci_graph_traffic(c->lowering, &plan);
  if (!is_wanted(r, cost)) return;
  asci_stay_list worse = r->kept;
  r->kept = r->stays;
  r->stays = worse;
  r->order = order;
  r->cost = cost;
}

static void give_offsets(rescue *r, const int64_t *offsets) {
  for (size_t k = 0, b = 0; k < r->stays.count; k++)
    if (r->stays.stays[k].pool == ASC_POOL_MAIN) r->stays.stays[k].offset = offsets[b++];
}

static bool sweep(rescue *r, uint32_t width, uint32_t level) {
  cosma_pack pack;
  if (asci_cosma_pack_new(r->arena, r->capacity, width, level, &pack)) return false;
  cosma_packing packing = COSMA_PACKING;
  while (packing == COSMA_PACKING) packing = asci_cosma_pack_step(&pack);
  int64_t *offsets = packing == COSMA_PACKED ? asci_alloc(r->c->context, r->arena->count, sizeof *offsets) : NULL;
  if (offsets) asci_cosma_pack_offsets(&pack, offsets);
  if (offsets) give_offsets(r, offsets);
  asci_free(r->c->context, offsets);
  asci_cosma_pack_free(&pack);
  return offsets != NULL;
}

static bool solve(rescue *r) {
  asc_run *run = NULL;
  asc_run_config config = asc_run_config_default("exact", r->capacity);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  config.budget = inner_budget;
  asc_status status = asc_run_new(asc_input_buffers(r->arena), &config, &run, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, inner_budget, &outcome);
  const int64_t *offsets = status ? NULL : asc_run_best(run);
  if (offsets) give_offsets(r, offsets);
  asc_run_free(run);
  return offsets != NULL;
}

/* How a solution is packed, the cheapest way first. */
typedef enum means { NARROW, BROAD, SOLVER, MEANS } means;

static bool pack(rescue *r, means by) {
  const cosma_machine *c = r->c;
  r->capacity = c->height ? r->solution->cost : c->set.capacity;
  r->stays.count = 0;
  if (asci_cosma_stays(&c->model, r->solution, &r->stays)) return false;
  if (asc_lowering_situation(c->lowering, r->stays.stays, (uint32_t)r->stays.count, false, &r->arena, NULL)) return false;
  bool packed = false;
  if (by == SOLVER)
    packed = solve(r);
  else if (asci_cosma_is_plain(r->arena))
    packed = by == NARROW ? sweep(r, WIDTH, 1) : sweep(r, WIDE, 2);
  asc_problem_free(r->arena);
  r->arena = NULL;
  return packed;
}

/* The k-th best: that of the passes, which may not have been told of yet, then those that have been. NULL: these were all. */
static const cosma_solution *candidate(const cosma_machine *c, size_t k) {
  const cosma_solution *best = &c->passes.best;
  if (k == 0) return best->cost == ASC_UNPLACED ? NULL : best;
  return k <= c->found_count ? &c->found[c->found_count - k].solution : NULL;
}

/* What is taken out before which operator, by Belady's rule, with the addresses that it has by then. */
static bool replace(rescue *r, cosma_solution *solution) {
  const cosma_model *m = &r->c->model;
  cosma_replace replace;
  if (asci_cosma_replace_new(m, solution->order, COSMA_BELADY, r->c->set.capacity, &replace)) return false;
  cosma_replacing step = COSMA_REPLACED;
  while (step == COSMA_REPLACED && replace.done < m->op_count) step = asci_cosma_replace_step(&replace);
  solution->evicted = asci_alloc(m->context, replace.move_count, sizeof *solution->evicted);
  bool placed = step == COSMA_REPLACED && solution->evicted;
  if (placed) asci_cosma_replaced(&replace, replace.move_count, solution->evict_begin, solution->evicted);
  placed = placed && !asci_cosma_stays(m, solution, &r->stays);
  if (placed) asci_cosma_replace_places(&replace, replace.move_count, &r->stays);
  asci_cosma_replace_free(&replace);
  return placed;
}

/* Of an order as it is. A plan of the least height copies nothing out. */
static void improvise(rescue *r, uint32_t *order) {
  const cosma_machine *c = r->c;
  cosma_solution *solution = &r->improvised;
  size_t n = (size_t)c->model.op_count + 1;
  bool packed = false;
  *solution = (cosma_solution){.cost = c->set.capacity, .order = order};
  r->stays.count = 0;
  solution->evict_begin = asci_alloc(c->context, n, sizeof *solution->evict_begin);
  if (solution->evict_begin && !c->height) packed = replace(r, solution);
  if (solution->evict_begin && c->height) {
    memset(solution->evict_begin, 0, n * sizeof *solution->evict_begin);
    r->solution = solution;
    for (means by = NARROW; by < MEANS && !packed; by++) packed = pack(r, by);
  }
  if (packed) keep(r, order);
  asci_free(c->context, solution->evict_begin);
  asci_free(c->context, solution->evicted);
}

/* The order of least peak that is known; and the given one, if any will do or none is known. */
static void improvise_all(rescue *r) {
  const cosma_passes *p = &r->c->passes;
  bool peak = p->peak.cost != ASC_UNPLACED && r->c->set.schedule != COSMA_FILE;
  if (peak && is_wanted(r, 0)) improvise(r, p->peak.order);
  if ((!peak || r->c->set.schedule == COSMA_JOINT) && is_wanted(r, 0)) improvise(r, p->identity);
}

static void take_solution(rescue *r) {
  bool packed = false;
  for (size_t k = 0; !packed && (r->solution = candidate(r->c, k)) && is_wanted(r, r->solution->cost); k++)
    for (means by = NARROW; by < MEANS && !packed; by++) packed = pack(r, by);
  if (packed) keep(r, r->solution->order);
}

static void take_repaired(rescue *r) {
  const cosma_machine *c = r->c;
  if (c->repaired_cost == ASC_UNPLACED || !is_wanted(r, c->repaired_cost)) return;
  if (!asci_stays_copy(&c->repaired, &r->stays)) return;
  keep(r, c->laid.order ? c->laid.order : c->found[c->repaired_from].solution.order);
}

asc_status asci_cosma_rescue(asc_run *run, cosma_machine *c) {
  rescue r = {.c = c, .stays = {.context = c->context}, .kept = {.context = c->context}};
  r.cost = run->stats.height < 0 ? INT64_MAX : run->stats.cost;
  /* it is over, and its states are most of what there is */
  if (run->stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY) asci_cosma_search_free(&c->passes.search);
  take_solution(&r);
  take_repaired(&r);
  improvise_all(&r);
  asc_status status = ASC_OK;
  if (r.order) status = asci_cosma_hand_in(run, r.order, &r.kept) ? asci_incumbent(run) : ASC_OUT_OF_MEMORY;
  asci_free(c->context, r.stays.stays);
  asci_free(c->context, r.kept.stays);
  return status;
}
