/* The explainer: a proof, then one trial after the other, each a run of the exact solver on a part of the problem. */
#include "base/arrays.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/sort.h"
#include "solve/explain/explain.h"

#include <string.h>

/* Steps between two looks at the cancel flag: about a millisecond of search, whatever the number of buffers. The run's own flag will not do:
   whoever cancels would have to know which run is under way. */
#define SLICE(members) (1 + UINT64_C(65536) / ((uint64_t)(members) + 1))

/* Limits of a trial: the first round lets most of them end, each later round has eight times as much, so that what the earlier rounds spent
   in vain is a seventh of the whole at most. Measured on saturated problems: a quarter of this first limit takes a quarter more steps. */
#define FIRST_LIMIT(members) (UINT64_C(2048) + 16 * (uint64_t)(members))
#define LIMIT_GROWTH 8u

/* ---- making ---------------------------------------------------------------------------------------------------------- */

enum { PER_MEMBER, PER_BUFFER };

/* state, members and told are there before the rest. */
static const asci_array arrays[] = {
    ASCI_ARRAY(asc_explain, order, PER_MEMBER, ASCI_RAW),
    ASCI_ARRAY(asc_explain, origin, PER_MEMBER, ASCI_RAW),
    ASCI_ARRAY(asc_explain, path, PER_MEMBER, ASCI_RAW),
    ASCI_ARRAY(asc_explain, path_offsets, PER_MEMBER, ASCI_RAW),
    ASCI_ARRAY(asc_explain, offsets, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(asc_explain, active, PER_BUFFER, ASCI_ZEROS),
    ASCI_OWN(asc_explain, state),
    ASCI_OWN(asc_explain, members),
    ASCI_OWN(asc_explain, told),
    ASCI_OWN(asc_explain, forbidden),
    ASCI_OWN(asc_explain, by_low),
    ASCI_OWN(asc_explain, by_high),
    ASCI_OWN(asc_explain, scratch),
};

asc_status asc_explain_new(const asc_problem *problem, int64_t capacity, uint64_t seed, uint64_t budget,
                           asc_explain **explain, asc_diag *diag) {
  if (!problem || !problem->frozen) return asci_complain(diag, ASC_BAD_ARGUMENT, "problem", "is not frozen");
  if (capacity < 0 || capacity > ASC_MAX_BYTES)
    return asci_complain(diag, ASC_BAD_ARGUMENT, "capacity", "is out of range, expected 0 to 9,007,199,254,740,991");
  if (!explain) return asci_complain(diag, ASC_BAD_ARGUMENT, "explain", "is NULL");
  asc_status status = asci_explain_check(problem, diag);
  if (status) return status;
  asc_explain *made = asci_calloc(problem->context, 1, sizeof *made);
  uint8_t *state = asci_calloc(problem->context, problem->count, sizeof *state);
  if (!made || !state) {
    asci_free(problem->context, made);
    asci_free(problem->context, state);
    return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the explanation");
  }
  made->whole = made->problem = problem;
  made->context = problem->context;
  made->capacity = made->run_capacity = capacity;
  made->seed = seed;
  made->budget = budget;
  made->section = ASC_NONE;
  made->state = state;
  asci_explain_look_at(made, ASC_POOL_MAIN);
  *explain = made;
  return ASC_OK;
}

static void drop_trial(asc_explain *explain) {
  if (explain->run) {
    asc_run_stats stats;
    asc_run_stats_get(explain->run, &stats);
    explain->steps += stats.steps;
  }
  asc_run_free(explain->run);
  asc_problem_free(explain->part);
  explain->run = NULL;
  explain->part = NULL;
}

void asc_explain_free(asc_explain *explain) {
  if (!explain) return;
  asc_context *context = explain->context;
  drop_trial(explain);
  asci_arrays_free(context, ASCI_TABLE(arrays), explain);
  asci_free(context, explain);
}

/* ---- the set --------------------------------------------------------------------------------------------------------- */

static void list_members(asc_explain *explain) {
  explain->count = 0;
  for (uint32_t b = 0; b < explain->problem->count; b++)
    if (explain->state[b] != ASCI_OUT) explain->members[explain->count++] = b;
}

/* A first set is known: the buffers that are not OUT. */
static asc_status adopt(asc_explain *explain, uint32_t count) {
  asc_context *context = explain->context;
  const size_t counts[] = {count, explain->problem->count};
  explain->told = asci_alloc(context, count, sizeof *explain->told);
  explain->members = explain->told ? asci_alloc(context, count, sizeof *explain->members) : NULL;
  if (!explain->members) return ASC_OUT_OF_MEMORY;
  list_members(explain);
  /* the set is known in either case */
  return asci_arrays_new(context, ASCI_TABLE(arrays), counts, explain) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

/* Takes out of a list what is not IN. */
static uint32_t keep_undecided(const asc_explain *explain, uint32_t *list, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; k++)
    if (explain->state[list[k]] == ASCI_IN) list[kept++] = list[k];
  return kept;
}

/* After members went or were found to be needed. */
static void tidy(asc_explain *explain) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < explain->count; k++)
    if (explain->state[explain->members[k]] != ASCI_OUT) explain->members[kept++] = explain->members[k];
  explain->count = kept;
  explain->late = keep_undecided(explain, explain->order, explain->late);
  uint32_t left = keep_undecided(explain, explain->order + explain->next, explain->end - explain->next);
  explain->end = explain->next + left;
}

/* ---- rounds ---------------------------------------------------------------------------------------------------------- */

/* Size x lifespan. Rounded, but the same everywhere. */
static double area(const asc_buffer_spec *spec) {
  return (double)spec->size * ((double)spec->upper - (double)spec->lower);
}

/* Largest first. Without a large one the rest fits easily if it fits, and that plan shows many others needed; and if it does not fit, the
   proof is another one and names less. Smallest first takes 1.7 times the steps. */
static bool tried_before(const void *keys, uint32_t a, uint32_t b) {
  const asc_problem *problem = keys;
  return area(&problem->buffers[a]) > area(&problem->buffers[b]);
}

static uint64_t steps_left(const asc_explain *explain) {
  if (!explain->budget) return UINT64_MAX;
  return explain->budget > explain->steps ? explain->budget - explain->steps : 0;
}

/* Begins a round of what is still undecided. False if there is nothing that more steps could decide, or no more steps. */
static bool begin_round(asc_explain *explain) {
  uint32_t count = explain->limit ? explain->late : explain->count;
  if (!explain->limit) memcpy(explain->order, explain->members, count * sizeof *explain->order);
  count = keep_undecided(explain, explain->order, count);
  if (!count) return false;
  uint64_t limit = explain->limit ? explain->limit * LIMIT_GROWTH : FIRST_LIMIT(explain->count);
  uint64_t share = steps_left(explain) / count;
  if (limit > share) limit = share;
  if (limit <= explain->limit) return false;
  asci_sort(explain->order, explain->origin, count, tried_before, explain->problem);
  explain->limit = limit;
  explain->late = explain->next = 0;
  explain->end = count;
  return true;
}

/* ---- trials ---------------------------------------------------------------------------------------------------------- */

static asc_status begin_run(asc_explain *explain, const asc_problem *problem, uint64_t budget) {
  asc_run_config config = asc_run_config_default("exact", explain->capacity);
  config.seed = explain->seed;
  config.budget = budget;
  return asc_run_new(asc_input_buffers(problem), &config, &explain->run, NULL);
}

/* The next run, or the end if none is left to do. */
static asc_status begin_trial(asc_explain *explain) {
  if (!explain->members) {
    uint32_t count;
    asc_status status = asci_explain_obvious(explain, &count);
    if (!status && count) return adopt(explain, count);
    if (!status && !steps_left(explain)) explain->outcome = ASC_OUTCOME_BUDGET_SPENT;
    if (status || explain->outcome) return status;
    return begin_run(explain, explain->problem, explain->budget ? steps_left(explain) : 0);
  }
  if (explain->next == explain->end && !begin_round(explain)) {
    explain->outcome = ASC_OUTCOME_INFEASIBLE;
    return ASC_OK;
  }
  asc_status status = asci_explain_part(explain);
  return status ? status : begin_run(explain, explain->part, explain->limit);
}

static bool occupies(const asc_problem *problem, uint32_t buffer) {
  uint32_t pieces;
  asci_pieces(problem, buffer, &pieces);
  return pieces > 0;
}

/* The whole problem does not fit. A buffer that never occupies memory is in no one's way. */
static asc_status take_proof(asc_explain *explain) {
  uint32_t size, count = 0;
  const uint32_t *conflict = asc_run_conflict(explain->run, &size);
  for (uint32_t k = 0; k < size; k++) explain->state[conflict[k]] = ASCI_IN;
  for (uint32_t b = 0; b < explain->problem->count; b++) {
    if (!conflict && occupies(explain->problem, b)) explain->state[b] = ASCI_IN;
    count += explain->state[b] != ASCI_OUT;
  }
  return adopt(explain, count);
}

/* The part does not fit: what was left out goes, and so does what the proof does not name. A buffer that is needed is in every proof. */
static void take_refusal(asc_explain *explain) {
  uint32_t size, at = 0;
  const uint32_t *conflict = asc_run_conflict(explain->run, &size);
  explain->state[explain->order[explain->next]] = ASCI_OUT;
  for (uint32_t k = 0; conflict && k < asc_problem_count(explain->part); k++) {
    bool named = at < size && conflict[at] == k;
    at += named;
    if (!named) explain->state[explain->origin[k]] = ASCI_OUT;
  }
  tidy(explain);
}

/* The part fits. */
static asc_status take_plan(asc_explain *explain) {
  const int64_t *plan = asc_run_best(explain->run);
  uint32_t without = explain->order[explain->next];
  asci_explain_need(explain, without);
  for (uint32_t k = 0; k < asc_problem_count(explain->part); k++) explain->offsets[explain->origin[k]] = plan[k];
  asc_status status = asci_explain_rotate(explain, without);
  tidy(explain);
  return status;
}

static asc_status end_proof(asc_explain *explain, asc_outcome outcome) {
  if (outcome == ASC_OUTCOME_INFEASIBLE) return take_proof(explain);
  if (outcome == ASC_OUTCOME_OUT_OF_MEMORY) return ASC_OUT_OF_MEMORY;
  bool fits = outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_FEASIBLE;
  if (fits && asci_explain_look_at(explain, explain->pool + 1)) return ASC_OK;
  explain->outcome = fits ? ASC_OUTCOME_FEASIBLE : outcome;
  return ASC_OK;
}

static asc_status end_trial(asc_explain *explain, asc_outcome outcome) {
  switch (outcome) {
  case ASC_OUTCOME_INFEASIBLE:
    take_refusal(explain);
    return ASC_OK;
  case ASC_OUTCOME_FEASIBLE:
  case ASC_OUTCOME_OPTIMAL:
    return take_plan(explain);
  case ASC_OUTCOME_OUT_OF_MEMORY:
    return ASC_OUT_OF_MEMORY;
  default:
    explain->order[explain->late++] = explain->order[explain->next++];
    return ASC_OK;
  }
}

/* ---- stepping -------------------------------------------------------------------------------------------------------- */

static asc_status advance(asc_explain *explain, uint64_t *left) {
  asc_run_stats before, after;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  uint64_t slice = SLICE(explain->part ? explain->count : explain->problem->count);
  asc_run_stats_get(explain->run, &before);
  asc_status status = asc_run_step(explain->run, *left < slice ? *left : slice, &outcome);
  asc_run_stats_get(explain->run, &after);
  *left -= after.steps - before.steps;
  if (status || outcome == ASC_OUTCOME_RUNNING) return status;
  status = explain->part ? end_trial(explain, outcome) : end_proof(explain, outcome);
  drop_trial(explain);
  return status;
}

asc_status asc_explain_step(asc_explain *explain, uint64_t steps, asc_outcome *outcome) {
  if (!explain) return ASC_BAD_ARGUMENT;
  asc_status status = ASC_OK;
  while (!status && steps && explain->outcome == ASC_OUTCOME_RUNNING) {
    if (asci_explain_cancelled(explain))
      explain->outcome = ASC_OUTCOME_CANCELLED;
    else
      status = explain->run ? advance(explain, &steps) : begin_trial(explain);
  }
  if (status == ASC_OUT_OF_MEMORY) explain->outcome = ASC_OUTCOME_OUT_OF_MEMORY;
  if (status && explain->outcome == ASC_OUTCOME_RUNNING) explain->outcome = ASC_OUTCOME_EXHAUSTED;
  if (outcome) *outcome = explain->outcome;
  return status;
}

void asc_explain_cancel(asc_explain *explain) {
  atomic_store_explicit(&explain->cancel, true, memory_order_relaxed);
}

void asc_explain_get(const asc_explain *explain, asc_explanation *explanation) {
  asc_run_stats stats = {0};
  if (explain->run) asc_run_stats_get(explain->run, &stats);
  const uint32_t *buffers = asc_problem_part_buffers(explain->whole, explain->pool);
  for (uint32_t k = 0; explain->members && k < explain->count; k++)
    explain->told[k] = buffers ? buffers[explain->members[k]] : explain->members[k];
  *explanation = (asc_explanation){.outcome = explain->outcome,
                                   .buffers = explain->members ? explain->told : NULL,
                                   .count = explain->count,
                                   .tried = explain->needed,
                                   .irreducible = explain->members && explain->needed == explain->count,
                                   .pool = explain->pool,
                                   .section = explain->section,
                                   .steps = explain->steps + stats.steps};
}
