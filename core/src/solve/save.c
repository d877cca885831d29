/* Saving and loading a run: the engine's counters, then whatever the solver needs to apply its decisions again. */
#include "solve/run.h"

#define SAVE_MAGIC 0x5341u /* "AS" */
#define SAVE_VERSION 4u

static void write_stats(asci_writer *writer, const asc_run *run) {
  const asc_run_stats *stats = &run->stats;
  asci_write_u(writer, stats->outcome);
  asci_write_u(writer, stats->steps);
  asci_write_u(writer, stats->backtracks);
  asci_write_u(writer, stats->nodes);
  asci_write_u(writer, run->digest);
  asci_write_u(writer, stats->skipped);
  asci_write_u(writer, stats->depth);
  asci_write_u(writer, stats->max_depth);
  asci_write_u(writer, stats->max_depth_step);
  asci_write_u(writer, stats->restarts);
  asci_write_i(writer, stats->height);
  asci_write_i(writer, stats->cost);
  asci_write_i(writer, stats->lower_bound);
  for (int r = 0; r < ASC_RULE_COUNT; r++) asci_write_u(writer, stats->rules[r]);
}

static void read_stats(asci_reader *reader, asc_run *run) {
  asc_run_stats *stats = &run->stats;
  uint32_t n = run->domain->most(&run->input);
  stats->outcome = (asc_outcome)asci_read_u(reader, ASC_OUTCOME_COUNT - 1);
  stats->steps = asci_read_u(reader, UINT64_MAX);
  stats->backtracks = asci_read_u(reader, UINT64_MAX);
  stats->nodes = asci_read_u(reader, UINT64_MAX);
  run->digest = asci_read_u(reader, UINT64_MAX);
  stats->skipped = asci_read_u(reader, UINT64_MAX);
  stats->depth = (uint32_t)asci_read_u(reader, n);
  stats->max_depth = (uint32_t)asci_read_u(reader, n);
  stats->max_depth_step = asci_read_u(reader, UINT64_MAX);
  stats->restarts = asci_read_u(reader, UINT64_MAX);
  stats->height = asci_read_i(reader);
  stats->cost = asci_read_i(reader);
  int64_t proved = stats->lower_bound; /* the input's own, until here */
  stats->lower_bound = asci_read_i(reader);
  if (stats->lower_bound < proved) reader->bad = true;
  for (int r = 0; r < ASC_RULE_COUNT; r++) stats->rules[r] = asci_read_u(reader, UINT64_MAX);
  if (stats->height < -1 || (stats->height < 0) != (stats->cost < 0)) reader->bad = true;
}

static void write_plan(asci_writer *writer, const asc_run *run) {
  asc_plan plan = asci_run_plan(run);
  if (!plan.turns)
    for (uint32_t b = 0; b < run->problem->count; b++) asci_write_i(writer, plan.offsets[b]);
  for (uint32_t k = 0; k < plan.turns; k++) asci_write_u(writer, plan.order[k]);
  if (plan.turns) asci_write_u(writer, plan.stay_count);
  for (uint32_t k = 0; k < plan.stay_count; k++) {
    const asc_stay *stay = &plan.stays[k];
    asci_write_u(writer, stay->item);
    asci_write_u(writer, stay->pool);
    asci_write_i(writer, stay->lower);
    asci_write_i(writer, stay->upper);
    asci_write_i(writer, stay->offset);
  }
}

static asc_status read_stays(asci_reader *reader, asc_run *run) {
  uint32_t count = (uint32_t)asci_read_u(reader, UINT32_MAX);
  asci_plan_begin(run);
  for (uint32_t k = 0; k < count && !reader->bad; k++) {
    asc_stay stay = {.item = (uint32_t)asci_read_u(reader, UINT32_MAX)};
    stay.pool = (uint32_t)asci_read_u(reader, UINT32_MAX);
    stay.lower = asci_read_i(reader);
    stay.upper = asci_read_i(reader);
    stay.offset = asci_read_i(reader);
    if (!reader->bad && !asci_plan_add(run, &stay)) return ASC_OUT_OF_MEMORY;
  }
  return ASC_OK;
}

static asc_status read_plan(asci_reader *reader, asc_run *run) {
  uint32_t turns = run->domain->turns(&run->input);
  if (!turns)
    for (uint32_t b = 0; b < run->problem->count; b++) run->best[b] = asci_read_i(reader);
  for (uint32_t k = 0; k < turns; k++) run->order[k] = (uint32_t)asci_read_u(reader, turns - 1);
  asc_status status = turns ? read_stays(reader, run) : ASC_OK;
  return !status && reader->bad ? ASC_BAD_SAVE : status;
}

static void begin_save(asc_run *run) {
  asci_writer *writer = &run->writer;
  writer->count = 0;
  writer->failed = false;
  asci_write_u(writer, SAVE_MAGIC);
  asci_write_u(writer, SAVE_VERSION);
  asci_write_u(writer, run->config_digest);
  write_stats(writer, run);
}

static asc_status end_save(const asc_run *run, const uint8_t **bytes, size_t *count) {
  if (run->writer.failed) return ASC_OUT_OF_MEMORY;
  *bytes = run->writer.bytes;
  *count = run->writer.count;
  return ASC_OK;
}

asc_status asc_run_save(asc_run *run, const uint8_t **bytes, size_t *count) {
  if (!run || !bytes || !count) return ASC_BAD_ARGUMENT;
  if (!run->state) return ASC_OUT_OF_MEMORY;
  begin_save(run);
  if (run->stats.height >= 0) write_plan(&run->writer, run);
  run->machine->save(run, run->state, &run->writer);
  return end_save(run, bytes, count);
}

asc_status asci_run_save_counters(asc_run *run, const uint8_t **bytes, size_t *count) {
  begin_save(run);
  return end_save(run, bytes, count);
}

/* A solution in the save is checked like any other: a damaged one must not be shown as found. That of a run to be retraced was checked there. */
static asc_status read_best(asci_reader *reader, asc_run *run) {
  const asc_run_stats *stats = &run->stats;
  bool over = stats->outcome == ASC_OUTCOME_OVER_CAPACITY;
  bool solved = over || stats->outcome == ASC_OUTCOME_FEASIBLE || stats->outcome == ASC_OUTCOME_OPTIMAL;
  if (reader->bad || (solved && stats->height < 0)) return ASC_BAD_SAVE;
  if (stats->height < 0) return ASC_OK;
  if (stats->outcome == ASC_OUTCOME_OPTIMAL && stats->cost > stats->lower_bound) return ASC_BAD_SAVE;
  asc_status status = read_plan(reader, run);
  if (status || run->retracing) return status;
  size_t violations = 0;
  /* an incumbent of a search that minimises may lie above the capacity, as a heuristic's plan may */
  int64_t most = stats->outcome == ASC_OUTCOME_FEASIBLE ? run->capacity : INT64_MAX;
  asc_plan plan = asci_run_plan(run);
  status = run->domain->validate(&run->input, &plan, most, NULL, 0, &violations);
  if (status) return status;
  bool same = !violations && run->domain->cost(&run->input, &plan, ASC_GOAL_HEIGHT) == stats->height &&
              run->domain->cost(&run->input, &plan, run->goal) == stats->cost;
  return same ? ASC_OK : ASC_BAD_SAVE;
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
  asci_free(run->context, run->overview);
  run->overview = NULL;
  run->bucket = &run->scratch_bucket;
  run->bucket_end = UINT64_MAX;
  run->retracing = retracing;
  asci_run_forget(run);
}

static asc_status read_counters(asci_reader *reader, asc_run *run) {
  bool ours = asci_read_u(reader, UINT64_MAX) == SAVE_MAGIC && asci_read_u(reader, UINT64_MAX) == SAVE_VERSION &&
              asci_read_u(reader, UINT64_MAX) == run->config_digest;
  if (ours) read_stats(reader, run);
  return ours && !reader->bad ? ASC_OK : ASC_BAD_SAVE;
}

/* ahead: the run to be retraced, NULL: none is. */
static asc_status read_run(asc_run *run, const asc_run *ahead, const uint8_t *bytes, size_t count) {
  asci_reader reader = {.bytes = bytes, .count = count};
  asc_status status = read_counters(&reader, run);
  if (!status) status = read_best(&reader, run);
  if (!status && ahead) status = run->machine->retrace(run, run->state, ahead->state, &reader);
  if (!status && !ahead) status = run->machine->load(run, run->state, &reader);
  return !status && (reader.bad || reader.at != reader.count) ? ASC_BAD_SAVE : status;
}

asc_status asci_run_retrace(asc_run *run, const asc_run *ahead, const uint8_t *bytes, size_t count) {
  begin_again(run, true);
  return read_run(run, ahead, bytes, count);
}

asc_status asci_run_show(asc_run *run, asc_run *ahead, const uint8_t *bytes, size_t count) {
  asci_reader reader = {.bytes = bytes, .count = count};
  begin_again(run, true);
  asc_status status = read_counters(&reader, run);
  if (!status) status = run->machine->show(run, run->state, ahead->state, run->stats.steps);
  if (status) run->stats.outcome = ASC_OUTCOME_OUT_OF_MEMORY; /* it is at no step, and must be shown again */
  return status;
}

asc_status asc_run_load(asc_run *run, const uint8_t *bytes, size_t count) {
  if (!run || (count && !bytes)) return ASC_BAD_ARGUMENT;
  begin_again(run, false);
  asc_status status = fresh_state(run);
  if (status) return status;
  status = read_run(run, NULL, bytes, count);
  if (!status) return ASC_OK;
  asci_run_forget(run);
  asc_status again = fresh_state(run);
  return again ? again : status;
}
