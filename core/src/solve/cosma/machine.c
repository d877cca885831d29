#include "cosma.h"

#include "base/arrays.h"

#include <string.h>

enum { SLICE = 256, PATIENCE = 1 << 16 };

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {
    ASCI_ARRAY(cosma_machine, order, 0, ASCI_RAW), ASCI_OWN(cosma_machine, log),     ASCI_OWN(cosma_machine, stays.stays),
    ASCI_OWN(cosma_machine, repaired.stays),       ASCI_OWN(cosma_machine, offsets), ASCI_OWN(cosma_machine, found),
};

asc_status asci_cosma_machine_new(const asc_run *run, cosma_machine *c) {
  const asci_cosma_options *options = run->options;
  c->context = c->stays.context = c->repaired.context = run->context;
  c->lowering = run->input.of.graph;
  c->capacity = run->capacity;
  c->height = run->goal == ASC_GOAL_HEIGHT;
  c->outcome = ASC_OUTCOME_RUNNING;
  c->plan_height = -1;
  c->repaired_cost = ASC_UNPLACED;
  c->set = (cosma_settings){.height = c->height,
                            .schedule = (cosma_schedule)options->schedule,
                            .capacity = run->capacity,
                            .cut_length = (uint32_t)options->cuts,
                            .whole = (uint32_t)options->whole,
                            .beam = (uint32_t)options->beam,
                            .width = (uint32_t)options->width,
                            .most_bytes = (size_t)options->memory << 20};
  c->copied = (options->inputs ? 0 : COSMA_INPUTS_COPIED) | (options->outputs ? 0 : COSMA_OUTPUTS_COPIED);
  c->moves_any = options->relocation == 1;
  asc_status status = asci_cosma_model_new(c->lowering, c->copied, &c->model);
  if (!status) status = asci_cosma_passes_new(&c->model, &c->set, &c->passes);
  const size_t ops = c->model.op_count;
  return asci_arrays_new(run->context, ASCI_TABLE(arrays), &ops, c) ? status : ASC_OUT_OF_MEMORY;
}

void asci_cosma_machine_free(cosma_machine *c) {
  asci_cosma_addresses_drop(c);
  asci_cosma_repair_free(&c->repair);
  asci_cosma_layout_free(&c->layout);
  asci_cosma_passes_free(&c->passes);
  asci_cosma_model_free(&c->model);
  asc_problem_free(c->situation);
  for (size_t k = 0; k < c->found_count; k++) {
    asci_cosma_solution_free(c->context, &c->found[k].solution);
    asci_free(c->context, c->found[k].stays.stays);
  }
  asci_cosma_solution_free(c->context, &c->laid);
  asci_arrays_free(c->context, ASCI_TABLE(arrays), c);
}

bool asci_cosma_bounds_all(const cosma_machine *c) {
  return c->set.schedule == COSMA_JOINT && c->copied == COSMA_COPIED && !c->model.keeps;
}

/* An operator alone does not fit; with what is always there that proves nothing of plans in which it is not. */
static bool refute(cosma_machine *c) {
  cosma_entry entry = {.stage = c->passes.stage, .best = ASC_UNPLACED};
  asci_cosma_add_entry(c, entry);
  if (c->outcome != ASC_OUTCOME_RUNNING) return true;
  return asci_cosma_end(c, c->model.keeps ? ASC_OUTCOME_EXHAUSTED : ASC_OUTCOME_INFEASIBLE);
}

/* ---- solutions ------------------------------------------------------------------------------------------------------- */

/* Whether the passes have a better solution than the last one that was kept. */
static bool is_better(const cosma_machine *c) {
  int64_t cost = c->passes.best.cost;
  if (cost == ASC_UNPLACED) return false;
  return !c->found_count || cost < c->found[c->found_count - 1].solution.cost;
}

/* ---- the search ------------------------------------------------------------------------------------------------------ */

static bool is_piece(cosma_step step) {
  return step != COSMA_LAYER && step != COSMA_END && step != COSMA_FULL;
}

/* What the pass under way has proved of every plan, and the passes before it. */
static int64_t bound_now(const cosma_machine *c, uint32_t stage) {
  const cosma_passes *p = &c->passes;
  bool exact = stage == COSMA_EXACT && p->stage == COSMA_EXACT && !p->search.truncated;
  return exact && p->search.bound > p->bound ? p->search.bound : p->bound;
}

/* After a piece: a better solution is kept, and packed once the search has gone on for long without a better one, so that there is a plan
   however it ends. */
static void go_on(cosma_machine *c) {
  if (is_better(c)) {
    asc_status status = asci_cosma_keep(c, &c->passes.best);
    if (status) {
      asci_cosma_fail(c, status);
      return;
    }
    c->waited = 0;
  }
  bool waits = c->found_count && !c->found[c->found_count - 1].swept && c->waited >= PATIENCE;
  if (c->passes.over && !c->found_count)
    asci_cosma_end(c, c->passes.search.truncated ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_EXHAUSTED);
  else if (c->passes.over || waits)
    asci_cosma_addresses_begin(c);
}

static bool work_search(cosma_machine *c) {
  const cosma_search *search = &c->passes.search;
  cosma_step step = COSMA_KEPT;
  uint32_t stage = c->passes.stage, forced = 0, forced_op = 0;
  bool begins = !c->passes.begun;
  for (uint32_t k = 0; k < SLICE && is_piece(step); k++) {
    step = asci_cosma_passes_step(&c->passes);
    c->waited++;
    if (is_piece(step) && search->forced) forced++, forced_op = search->op;
    if (k == 0) stage = step == COSMA_END || step == COSMA_FULL ? stage : c->passes.stage;
  }
  c->bound = bound_now(c, stage);
  cosma_entry cut = {.kind = COSMA_SAYS_CUT, .layer = c->passes.cut_count + 1, .best = c->passes.best.cost};
  if (begins && stage == COSMA_CUTS) asci_cosma_add_entry(c, cut);
  /* what a finished layer has is in the layer that is now gone on from */
  bool finished = step == COSMA_LAYER;
  cosma_entry entry = {.stage = stage,
                       .layer = search->depth - finished,
                       .states = finished ? search->now.kept : search->next.kept,
                       .dominated = search->dominated,
                       .pruned = search->pruned,
                       .forced = forced,
                       .forced_op = forced_op,
                       .best = c->passes.best.cost};
  asci_cosma_add_entry(c, entry);
  if (c->outcome == ASC_OUTCOME_RUNNING) go_on(c);
  return true;
}

bool asci_cosma_machine_work(cosma_machine *c) {
  if (c->phase == COSMA_OVER) return true;
  if (c->phase != COSMA_SEARCH) return asci_cosma_addresses_work(c);
  return c->passes.over ? refute(c) : work_search(c);
}
