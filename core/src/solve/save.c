/* Saving and loading a run: the engine's counters, then whatever the solver needs to apply its decisions again. */
#include "solve/proof.h"
#include "solve/run.h"
#include "trace/overview.h"

#define SAVE_MAGIC 0x5341u /* "AS" */
#define SAVE_VERSION 11u

static bool keep_header(asci_saver *saver, const asc_run *run) {
  uint64_t header[] = {SAVE_MAGIC, SAVE_VERSION, run->config_digest};
  ASCI_KEEP_EACH(saver, header, 3, ASCI_ANY);
  return header[0] == SAVE_MAGIC && header[1] == SAVE_VERSION && header[2] == run->config_digest;
}

bool asci_keep_standing(asci_saver *saver, asc_run_stats *stats, uint32_t most) {
  int64_t proved = stats->lower_bound; /* of what is loaded: the input's own */
  ASCI_KEEP(saver, stats->outcome, ASC_OUTCOME_COUNT - 1);
  ASCI_KEEP(saver, stats->depth, most);
  ASCI_KEEP_OR_NONE(saver, stats->height, INT64_MAX);
  ASCI_KEEP_OR_NONE(saver, stats->cost, INT64_MAX);
  ASCI_KEEP(saver, stats->lower_bound, INT64_MAX);
  return !saver->failed && stats->lower_bound >= proved && (stats->height < 0) == (stats->cost < 0);
}

static bool keep_stats(asci_saver *saver, asc_run *run) {
  asc_run_stats *stats = &run->stats;
  uint32_t n = run->domain->most(&run->input);
  if (!asci_keep_standing(saver, stats, n)) return false;
  ASCI_KEEP(saver, stats->steps, UINT64_MAX / 2); /* beyond that the next step would not be after it */
  ASCI_KEEP(saver, stats->backtracks, ASCI_ANY);
  ASCI_KEEP(saver, stats->nodes, ASCI_ANY);
  ASCI_KEEP(saver, run->digest, ASCI_ANY);
  ASCI_KEEP(saver, stats->skipped, ASCI_ANY);
  ASCI_KEEP(saver, stats->max_depth, n);
  ASCI_KEEP(saver, stats->max_depth_step, ASCI_ANY);
  ASCI_KEEP(saver, stats->restarts, ASCI_ANY);
  ASCI_KEEP_EACH(saver, stats->rules, ASC_RULE_COUNT, ASCI_ANY);
  return !saver->failed;
}

static asc_status keep_stays(asci_saver *saver, asc_run *run) {
  uint32_t count = (uint32_t)run->stay_count;
  ASCI_KEEP(saver, count, UINT32_MAX);
  if (saver->loads) asci_plan_begin(run);
  for (uint32_t k = 0; k < count && !saver->failed; k++) {
    asc_stay stay = {0};
    if (!saver->loads) stay = run->stays[k];
    ASCI_KEEP(saver, stay.item, UINT32_MAX);
    ASCI_KEEP(saver, stay.pool, UINT32_MAX);
    ASCI_KEEP_OR_NONE(saver, stay.lower, INT64_MAX);
    ASCI_KEEP_OR_NONE(saver, stay.upper, INT64_MAX);
    ASCI_KEEP_OR_NONE(saver, stay.offset, INT64_MAX);
    if (asci_loaded(saver) && !asci_plan_add(run, &stay)) return ASC_OUT_OF_MEMORY;
  }
  return asci_kept(saver);
}

static asc_status keep_plan(asci_saver *saver, asc_run *run) {
  uint32_t turns = run->domain->turns(&run->input);
  if (turns) {
    ASCI_KEEP_EACH(saver, run->order, turns, turns - 1);
    return keep_stays(saver, run);
  }
  ASCI_KEEP_EACH_OR_NONE(saver, run->best, run->problem->count, INT64_MAX);
  return asci_kept(saver);
}

/* Whether there is a plan where the outcome says so, and no proof where there is none. */
static bool is_consistent(const asc_run_stats *stats) {
  if (asci_has_plan(stats->outcome) && stats->height < 0) return false;
  return stats->outcome != ASC_OUTCOME_OPTIMAL || stats->cost <= stats->lower_bound;
}

/* A plan that is loaded is checked like any other: a damaged one must not be shown as found. That of a run to be retraced was checked there. */
static asc_status check_plan(const asc_run *run) {
  size_t violations = 0;
  /* an incumbent of a search that minimises may lie above the capacity, as a heuristic's plan may */
  int64_t most = run->stats.outcome == ASC_OUTCOME_FEASIBLE ? run->capacity : INT64_MAX;
  asc_plan plan = asci_run_plan(run);
  asc_status status = run->domain->validate(&run->input, &plan, most, NULL, 0, &violations);
  if (status) return status;
  bool same = !violations && run->domain->cost(&run->input, &plan, ASC_GOAL_HEIGHT) == run->stats.height &&
              run->domain->cost(&run->input, &plan, run->goal) == run->stats.cost;
  return same ? ASC_OK : ASC_BAD_SAVE;
}

asc_status asci_keep_best(asci_saver *saver, asc_run *run) {
  if (saver->loads && !is_consistent(&run->stats)) return ASC_BAD_SAVE;
  asc_status status = run->stats.height >= 0 ? keep_plan(saver, run) : ASC_OK;
  bool judge = saver->loads && run->stats.height >= 0 && !run->retracing;
  return !status && judge ? check_plan(run) : status;
}

/* A run that found no memory stands in the middle of a step. It never goes on: only its end is saved. */
static bool is_lost(const asc_run *run) {
  return run->stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY;
}

static asci_saver *begin_save(asc_run *run) {
  asci_saver *saver = &run->saver;
  saver->count = 0;
  saver->failed = false;
  keep_header(saver, run);
  keep_stats(saver, run);
  return saver;
}

static asc_status end_save(const asc_run *run, asc_status status, const uint8_t **bytes, size_t *count) {
  if (status) return status;
  *bytes = run->saver.bytes;
  *count = run->saver.count;
  return asci_kept(&run->saver);
}

asc_status asc_run_save(asc_run *run, const uint8_t **bytes, size_t *count) {
  if (!run || !bytes || !count) return ASC_BAD_ARGUMENT;
  if (!run->state) return ASC_OUT_OF_MEMORY;
  asci_saver *saver = begin_save(run);
  asc_status status = asci_keep_best(saver, run);
  if (!status && !is_lost(run)) status = run->machine->keep(run, run->state, saver);
  return end_save(run, status, bytes, count);
}

asc_status asci_run_save_counters(asc_run *run, const uint8_t **bytes, size_t *count) {
  begin_save(run);
  return end_save(run, ASC_OK, bytes, count);
}

/* Without memory for a state the run is over; every later call says so. */
static asc_status fresh_state(asc_run *run) {
  if (run->state) run->machine->destroy(run, run->state);
  run->state = NULL;
  asc_status status = run->machine->create(run, &run->state, NULL);
  if (status) {
    run->state = NULL;
    run->stats.outcome = ASC_OUTCOME_OUT_OF_MEMORY;
  }
  return status;
}

static void begin_again(asc_run *run, bool retracing) {
  asci_overview_free(run->overview);
  run->overview = NULL;
  asci_free(run->context, run->placed);
  run->placed = NULL;
  run->bucket = &run->scratch_bucket;
  run->bucket_end = UINT64_MAX;
  run->retracing = retracing;
  asci_run_forget(run);
}

static asc_status load_counters(asci_saver *saver, asc_run *run) {
  return keep_header(saver, run) && keep_stats(saver, run) ? ASC_OK : ASC_BAD_SAVE;
}

/* ahead: the run to be retraced, NULL: none is. */
static asc_status load_run(asc_run *run, const asc_run *ahead, const uint8_t *bytes, size_t count) {
  asci_saver saver = {.loads = true, .from = bytes, .count = count};
  asc_status status = load_counters(&saver, run);
  if (!status) status = asci_keep_best(&saver, run);
  if (!status && ahead) status = run->machine->retrace(run, run->state, ahead->state, &saver);
  if (!status && !ahead && is_lost(run)) run->stats.depth = 0;
  if (!status && !ahead && !is_lost(run)) status = run->machine->keep(run, run->state, &saver);
  return !status && (saver.failed || saver.at != saver.count) ? ASC_BAD_SAVE : status;
}

asc_status asci_run_retrace(asc_run *run, const asc_run *ahead, const uint8_t *bytes, size_t count) {
  begin_again(run, true);
  asc_status status = load_run(run, ahead, bytes, count);
  if (status) run->stats.outcome = ASC_OUTCOME_OUT_OF_MEMORY; /* it is at no step, and must be brought to one again */
  return status;
}

asc_status asci_run_show(asc_run *run, asc_run *ahead, const uint8_t *bytes, size_t count) {
  asci_saver saver = {.loads = true, .from = bytes, .count = count};
  begin_again(run, true);
  asc_status status = load_counters(&saver, run);
  if (!status) status = run->machine->show(run, run->state, ahead->state, run->stats.steps);
  if (status) run->stats.outcome = ASC_OUTCOME_OUT_OF_MEMORY; /* it is at no step, and must be shown again */
  return status;
}

asc_status asc_run_load(asc_run *run, const uint8_t *bytes, size_t count) {
  if (!run || (count && !bytes)) return ASC_BAD_ARGUMENT;
  begin_again(run, false);
  if (run->prover) run->prover->broken = true;
  asc_status status = fresh_state(run);
  if (status) return status;
  status = load_run(run, NULL, bytes, count);
  if (!status) return ASC_OK;
  asci_run_forget(run);
  asc_status again = fresh_state(run);
  return again ? again : status;
}
