#include "cosma.h"

#include <string.h>

enum { SLICE = 256, INNER_SLICE = 1024, MOST_REPAIRS = 600 };
static const uint64_t inner_budget = 200000;
/* Who finds no plan below the capacity hands in one above it. */
static const char packer[] = "exact", last_resort[] = "greedy";

/* ---- making ---------------------------------------------------------------------------------------------------------- */

asc_status asci_cosma_machine_new(const asc_run *run, cosma_machine *c) {
  const asci_cosma_options *options = run->options;
  c->context = c->stays.context = run->context;
  c->lowering = run->input.of.graph;
  c->capacity = run->capacity;
  c->height = run->goal == ASC_GOAL_HEIGHT;
  c->outcome = ASC_OUTCOME_RUNNING;
  c->plan_height = -1;
  c->set = (cosma_settings){.height = c->height,
                            .schedule = (cosma_schedule)options->schedule,
                            .capacity = run->capacity,
                            .cut_length = (uint32_t)options->cuts,
                            .beam = (uint32_t)options->beam,
                            .width = (uint32_t)options->width,
                            .most_bytes = (size_t)options->memory << 20};
  c->inputs_outside = options->inputs == 0;
  asc_status status = asci_cosma_model_new(c->lowering, c->inputs_outside, &c->model);
  if (!status) status = asci_cosma_passes_new(&c->model, &c->set, &c->passes);
  c->order = asci_alloc(run->context, c->model.op_count, sizeof *c->order);
  return c->order ? status : ASC_OUT_OF_MEMORY;
}

static void drop_packers(cosma_machine *c) {
  asci_cosma_pack_free(&c->pack);
  asc_run_free(c->inner);
  asc_problem_free(c->arena);
  c->inner = NULL;
  c->arena = NULL;
}

void asci_cosma_machine_free(cosma_machine *c) {
  if (!c->context) return;
  drop_packers(c);
  asci_cosma_repair_free(&c->repair);
  asci_cosma_passes_free(&c->passes);
  asci_cosma_model_free(&c->model);
  asc_problem_free(c->situation);
  void *const blocks[] = {c->log, c->order, c->stays.stays, c->offsets};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(c->context, blocks[k]);
}

bool asci_cosma_bounds_all(const cosma_machine *c) {
  return !c->height && c->set.schedule == COSMA_JOINT && c->inputs_outside && !c->model.keeps;
}

/* ---- the end --------------------------------------------------------------------------------------------------------- */

static bool add_entry(cosma_machine *c, cosma_entry entry) {
  if (!asci_grow(c->context, &c->log, &c->log_room, c->log_count + 1, sizeof *c->log)) {
    c->outcome = ASC_OUTCOME_OUT_OF_MEMORY;
    return false;
  }
  c->log[c->log_count++] = entry;
  return true;
}

static bool end(cosma_machine *c, asc_outcome outcome) {
  c->outcome = outcome;
  c->phase = COSMA_OVER;
  return true;
}

static bool fail(cosma_machine *c, asc_status status) {
  return end(c, status == ASC_OUT_OF_MEMORY ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_EXHAUSTED);
}

/* The stays in the arena have their offsets now. */
static bool packed(cosma_machine *c, const int64_t *offsets) {
  size_t buffer = 0;
  c->plan_height = asc_height(c->arena, offsets);
  for (size_t k = 0; k < c->stays.count; k++)
    if (c->stays.stays[k].pool == ASC_POOL_MAIN) c->stays.stays[k].offset = offsets[buffer++];
  cosma_entry entry = {.stage = COSMA_STAGES, .states = (uint64_t)c->steps, .best = c->passes.best.cost};
  if (!add_entry(c, entry)) return end(c, ASC_OUTCOME_OUT_OF_MEMORY);
  drop_packers(c);
  return end(c, c->plan_height <= c->set.capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY);
}

/* An operator alone does not fit; with what is always there that proves nothing of plans in which it is not. */
static bool refute(cosma_machine *c) {
  cosma_entry entry = {.stage = c->passes.stage, .best = ASC_UNPLACED};
  if (!add_entry(c, entry)) return end(c, ASC_OUTCOME_OUT_OF_MEMORY);
  return end(c, c->model.keeps ? ASC_OUTCOME_EXHAUSTED : ASC_OUTCOME_INFEASIBLE);
}

/* No addresses at all: no solver of buffers has a plan, however high. */
static bool stay_unpacked(cosma_machine *c) {
  cosma_entry entry = {.stage = COSMA_STAGES, .states = (uint64_t)c->steps, .best = c->passes.best.cost};
  if (!add_entry(c, entry)) return end(c, ASC_OUTCOME_OUT_OF_MEMORY);
  return end(c, ASC_OUTCOME_EXHAUSTED);
}

/* ---- addresses ------------------------------------------------------------------------------------------------------- */

static bool is_plain(const asc_problem *problem) {
  for (uint32_t b = 0; b < problem->count; b++)
    if (problem->buffers[b].bank) return false;
  return true;
}

static asc_status begin_inner(cosma_machine *c, const char *solver) {
  asc_run_config config = asc_run_config_default(solver, c->capacity);
  if (!c->resort) config.budget = inner_budget;
  asc_run_free(c->inner);
  c->inner = NULL;
  c->phase = COSMA_INNER;
  return asc_run_new(asc_input_buffers(c->arena), &config, &c->inner, NULL);
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

static asc_status begin_addresses(cosma_machine *c) {
  asc_status status = situate(c, &c->passes.best);
  memcpy(c->order, c->passes.best.order, c->model.op_count * sizeof *c->order);
  if (status) return status;
  if (c->height) c->capacity = c->passes.best.cost;
  if (!is_plain(c->arena)) return begin_inner(c, packer);
  c->phase = COSMA_SWEEP;
  return asci_cosma_pack_new(c->arena, c->capacity, 50, 1, &c->pack);
}

/* Wider, and last by a solver of buffers. */
static asc_status begin_next_packer(cosma_machine *c) {
  asci_cosma_pack_free(&c->pack);
  if (c->phase == COSMA_WIDE_SWEEP) return begin_inner(c, packer);
  c->phase = COSMA_WIDE_SWEEP;
  return asci_cosma_pack_new(c->arena, c->capacity, 1000, 2, &c->pack);
}

/* The next try of a repair, or, after the last, a plan above the capacity. */
static asc_status begin_repair(cosma_machine *c) {
  asc_run_free(c->inner);
  asci_cosma_pack_free(&c->pack);
  c->inner = NULL;
  c->phase = COSMA_REPAIR;
  if (c->repairs++ < MOST_REPAIRS && asci_cosma_repair_next(&c->repair)) {
    asc_status status = situate(c, &c->repair.trial);
    return status ? status : asci_cosma_pack_new(c->arena, c->capacity, 50, 1, &c->pack);
  }
  c->resort = true;
  asc_status status = situate(c, &c->passes.best);
  return status ? status : begin_inner(c, last_resort);
}

static asc_status begin_repairs(cosma_machine *c) {
  bool may = !c->height && is_plain(c->arena);
  asc_status status = may ? asci_cosma_repair_new(&c->model, &c->passes.best, &c->repair) : ASC_OK;
  return status ? status : begin_repair(c);
}

static bool work_sweep(cosma_machine *c) {
  cosma_packing packing = COSMA_PACKING;
  for (uint32_t k = 0; k < SLICE && packing == COSMA_PACKING; k++, c->steps++) packing = asci_cosma_pack_step(&c->pack);
  if (packing == COSMA_PACKING) return false;
  if (packing == COSMA_PACK_NO_MEMORY) return fail(c, ASC_OUT_OF_MEMORY);
  if (packing == COSMA_UNPACKED) {
    asc_status status = c->phase == COSMA_REPAIR ? begin_repair(c) : begin_next_packer(c);
    return status && fail(c, status);
  }
  int64_t *offsets = asci_alloc(c->context, c->arena->count, sizeof *offsets);
  if (!offsets) return fail(c, ASC_OUT_OF_MEMORY);
  asci_cosma_pack_offsets(&c->pack, offsets);
  bool ended = packed(c, offsets);
  asci_free(c->context, offsets);
  return ended;
}

static bool work_inner(cosma_machine *c) {
  asc_outcome outcome;
  asc_run_stats stats;
  asc_status status = asc_run_step(c->inner, INNER_SLICE, &outcome);
  if (status) return fail(c, status);
  if (outcome == ASC_OUTCOME_RUNNING) return false;
  asc_run_stats_get(c->inner, &stats);
  c->steps += (int64_t)stats.steps;
  if (outcome == ASC_OUTCOME_OUT_OF_MEMORY) return fail(c, ASC_OUT_OF_MEMORY);
  if (stats.height >= 0) return packed(c, asc_run_best(c->inner));
  if (c->resort) return stay_unpacked(c);
  status = begin_repairs(c);
  return status && fail(c, status);
}

/* ---- the search ------------------------------------------------------------------------------------------------------ */

static bool work_search(cosma_machine *c) {
  const cosma_search *search = &c->passes.search;
  cosma_step step = COSMA_KEPT;
  uint32_t stage = c->passes.stage;
  for (uint32_t k = 0; k < SLICE && step != COSMA_LAYER && step != COSMA_END && step != COSMA_FULL; k++) {
    step = asci_cosma_passes_step(&c->passes);
    if (k == 0) stage = step == COSMA_END || step == COSMA_FULL ? stage : c->passes.stage;
  }
  c->bound = c->passes.bound;
  /* what a finished layer has is in the layer that is now gone on from */
  bool finished = step == COSMA_LAYER && search->depth > 0;
  cosma_entry entry = {
      stage,          search->depth - finished, finished ? search->now.kept : search->next.kept, search->dominated,
      search->pruned, c->passes.best.cost};
  if (!add_entry(c, entry)) return end(c, ASC_OUTCOME_OUT_OF_MEMORY);
  if (!c->passes.over) return true;
  if (c->passes.best.cost == ASC_UNPLACED)
    return end(c, step == COSMA_FULL ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_EXHAUSTED);
  asc_status status = begin_addresses(c);
  return status ? fail(c, status) : true;
}

bool asci_cosma_machine_work(cosma_machine *c) {
  switch (c->phase) {
  case COSMA_SEARCH:
    return c->passes.over ? refute(c) : work_search(c);
  case COSMA_SWEEP:
  case COSMA_WIDE_SWEEP:
  case COSMA_REPAIR:
    return work_sweep(c);
  case COSMA_INNER:
    return work_inner(c);
  default:
    return true;
  }
}
