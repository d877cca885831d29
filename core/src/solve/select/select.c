/* Fast memory is filled by priority, and packed anew where a buffer finds no gap.
 *
 *     for v in order of priority, the greatest first:
 *       v has a gap among those in fast memory (best fit): in it goes
 *       else, up to most_repacks times, once for each v:
 *         repack with: those in, and v, within the capacity; if that is done, all take the new offsets
 *         repack placed: those in alone, as densely as possible; if that is done, v looks for a gap once more
 *       else v stays in slow memory
 *
 * Nothing that is in is ever taken out, only moved. priority(v) = bytes(v) / sqrt(size(v)), bytes(v) = accesses(v) x size(v): what an access costs less in fast memory
 * grows with its bytes, and large buffers pay for the room they take. Graphs carry no compute times, so every operator counts as bound by its
 * memory; then no bandwidth changes the order. Ties: the larger, the longer lived, the one that ends earlier, begins earlier, the lower index.
 *
 * Source: TelaMalloc (ASPLOS 2023) sections 2.3, 5.6 and 7.4 name the repacker, its 50 calls and the program that it is for; how buffers are chosen is from its
 * reference [8], XLA's memory space assignment. Prefetching parts of a lifetime is left out (COSMA's spills do that here). */
#include "solve/select/select.h"

#include "base/arrays.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number/products.h"
#include "base/sort.h"
#include "model/problem.h"

static const char best_fit[] = "greedy";
static const asc_option_value best_fit_options[] = {{"fit", "best"}};

asc_select_config asc_select_config_default(int64_t capacity) {
  asc_select_config config = {
      .capacity = capacity, .repacker = asc_run_config_default("telamalloc", capacity), .with = true, .most_repacks = 50};
  config.repacker.budget = 20000;
  return config;
}

/* ---- priority -------------------------------------------------------------------------------------------------------- */

typedef struct ranking {
  const asc_problem *problem;
  const uint32_t *accesses;
} ranking;

static bool is_first(const void *keys, uint32_t a, uint32_t b) {
  const ranking *r = keys;
  const asc_buffer_spec *x = &r->problem->buffers[a], *y = &r->problem->buffers[b];
  const uint64_t of_a[] = {r->accesses[a], r->accesses[a], (uint64_t)x->size};
  const uint64_t of_b[] = {r->accesses[b], r->accesses[b], (uint64_t)y->size};
  int order = asci_compare_products(of_a, of_b, 3);
  if (order) return order > 0;
  if (x->size != y->size) return x->size > y->size;
  int64_t life_x = x->upper - x->lower, life_y = y->upper - y->lower;
  if (life_x != life_y) return life_x > life_y;
  return x->upper != y->upper ? x->upper < y->upper : a < b;
}

static asc_status fill_rows(asc_selection *s, const uint32_t *accesses, asc_diag *diag) {
  uint32_t n = s->problem->count;
  const ranking keys = {s->problem, accesses};
  for (uint32_t b = 0; b < n; b++) s->in[b] = b;
  asci_sort(s->in, s->in + n, n, is_first, &keys);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t b = s->in[k];
    int64_t size = s->problem->buffers[b].size, room = INT64_MAX - s->stats.bytes;
    if (size && accesses[b] > room / size)
      return asci_complain(diag, ASC_TOO_LARGE, "bytes", "moved by all accesses are more than can be counted");
    s->rows[k] = (asc_select_row){.buffer = b, .accesses = accesses[b], .bytes = accesses[b] * size, .offset = ASC_UNPLACED};
    s->stats.bytes += s->rows[k].bytes;
  }
  for (uint32_t b = 0; b < n; b++) s->offsets[b] = ASC_UNPLACED;
  return ASC_OK;
}

/* ---- trials ---------------------------------------------------------------------------------------------------------- */

static void drop_trial(asc_selection *s) {
  asc_run_free(s->run);
  asc_problem_free(s->trial);
  s->run = NULL;
  s->trial = NULL;
}

/* Adds a buffer, where it lies if it is fixed. */
static asc_status add(const asc_selection *s, asc_problem *to, uint32_t buffer, bool fixed, uint32_t pool) {
  asc_buffer_spec spec = s->problem->buffers[buffer];
  if (fixed) spec.offset = s->offsets[buffer];
  spec.hint = ASC_UNPLACED;
  spec.pool = pool;
  return asc_problem_add(to, &spec, NULL);
}

/* The problem of those that are in, and of one more unless it is ASC_NONE. */
static asc_status pose(asc_selection *s, bool fixed, uint32_t newcomer) {
  drop_trial(s);
  s->in_count = 0;
  asc_status status = asc_problem_new(s->context, &s->trial);
  for (uint32_t b = 0; b < s->problem->count && !status; b++) {
    if (s->offsets[b] == ASC_UNPLACED && b != newcomer) continue;
    s->in[s->in_count++] = b;
    status = add(s, s->trial, b, fixed && b != newcomer, ASC_POOL_MAIN);
  }
  return status ? status : asc_problem_freeze(s->trial, NULL);
}

static asc_run_config best_fit_config(int64_t capacity) {
  asc_run_config config = asc_run_config_default(best_fit, capacity);
  config.options = best_fit_options;
  config.option_count = sizeof best_fit_options / sizeof *best_fit_options;
  return config;
}

/* Whether the trial came to a plan within the capacity. */
static bool is_packed(const asc_selection *s) {
  asc_run_stats stats;
  asc_run_stats_get(s->run, &stats);
  return asc_run_best(s->run) && stats.height <= s->config.capacity;
}

/* offset: the gap's, ASC_UNPLACED if there is none. */
static asc_status look_for_gap(asc_selection *s, uint32_t newcomer, int64_t *offset) {
  const asc_run_config config = best_fit_config(s->config.capacity);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  *offset = ASC_UNPLACED;
  if (s->problem->buffers[newcomer].size > s->config.capacity) return ASC_OK;
  asc_status status = pose(s, true, newcomer);
  if (!status) status = asc_run_new(asc_input_buffers(s->trial), &config, &s->run, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(s->run, UINT32_MAX, &outcome);
  if (!status && outcome == ASC_OUTCOME_OUT_OF_MEMORY) status = ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; !status && is_packed(s) && k < s->in_count; k++)
    if (s->in[k] == newcomer) *offset = asc_run_best(s->run)[k];
  drop_trial(s);
  return status;
}

/* ---- what happens ---------------------------------------------------------------------------------------------------- */

static void decide(asc_selection *s, asc_select_verdict verdict) {
  asc_select_row *row = &s->rows[s->next++];
  row->verdict = verdict;
  s->stage = ASCI_STAGE_CONSIDER;
  if (!asci_select_is_in(row)) return;
  s->stats.fast++;
  s->stats.fast_bytes += row->bytes;
}

static void apply_repack(asc_selection *s, const asci_select_entry *entry, const asci_select_move *moves) {
  bool packed = entry->code == ASCI_REPACK_PACKED;
  s->stats.repacks++;
  s->stats.steps += entry->steps;
  for (uint32_t k = 0; k < entry->move_count; k++)
    s->offsets[moves[entry->moves + k].buffer] = moves[entry->moves + k].offset;
  s->stage = packed ? ASCI_STAGE_REFIT : ASCI_STAGE_LEAVE;
  if (!packed || !s->config.with) return;
  s->stats.repacked++;
  decide(s, ASC_SELECT_REPACKED);
}

void asci_select_apply(asc_selection *s, const asci_select_entry *entry, const asci_select_move *moves) {
  bool again = s->stage == ASCI_STAGE_REFIT;
  s->shown++;
  switch (entry->kind) {
  case ASCI_SELECT_CONSIDERS:
    s->stage = ASCI_STAGE_FIT;
    return;
  case ASCI_SELECT_TAKES:
    s->offsets[entry->buffer] = entry->offset;
    s->stats.repacked += again;
    decide(s, again ? ASC_SELECT_REPACKED : ASC_SELECT_FITS);
    return;
  case ASCI_SELECT_REPACKS:
    apply_repack(s, entry, moves);
    return;
  default: /* ASCI_SELECT_LEAVES */
    decide(s, entry->code == ASCI_LEAVE_UNUSED ? ASC_SELECT_UNUSED : ASC_SELECT_NO_ROOM);
  }
}

void asci_select_reset(asc_selection *s) {
  uint32_t n = s->problem->count;
  drop_trial(s);
  s->stats = (asc_select_stats){.bytes = s->stats.bytes, .count = n};
  for (uint32_t k = 0; k < n; k++) s->rows[k].verdict = ASC_SELECT_WAITS;
  for (uint32_t b = 0; b < n; b++) s->offsets[b] = ASC_UNPLACED;
  s->next = 0;
  s->shown = s->log_count = s->move_count = 0;
  s->stage = ASCI_STAGE_CONSIDER;
}

/* ---- turns ----------------------------------------------------------------------------------------------------------- */

static asc_status note(asc_selection *s, asci_select_entry entry) {
  if (!asci_grow(s->context, &s->log, &s->log_room, s->log_count + 1, sizeof *s->log)) return ASC_OUT_OF_MEMORY;
  s->log[s->log_count++] = entry;
  asci_select_apply(s, &entry, s->moves);
  return ASC_OK;
}

static asc_status begin_repack(asc_selection *s, uint32_t newcomer) {
  asc_run_config config = s->config.repacker;
  const asc_solver_info *info = asc_solver_find(config.solver);
  bool minimises = info->goals & (1u << ASC_GOAL_HEIGHT);
  config.capacity = s->config.capacity;
  config.goal = s->config.with || !minimises ? ASC_GOAL_FIT : ASC_GOAL_HEIGHT;
  asc_status status = pose(s, false, s->config.with ? newcomer : ASC_NONE);
  if (!status) status = asc_run_new(asc_input_buffers(s->trial), &config, &s->run, NULL);
  if (!status) s->stage = ASCI_STAGE_REPACK;
  return status;
}

/* The buffer whose turn it is looks for a gap, or begins a repack. */
static asc_status fit(asc_selection *s, bool *made) {
  const asc_select_row *row = &s->rows[s->next];
  bool again = s->stage == ASCI_STAGE_REFIT, fits = s->problem->buffers[row->buffer].size <= s->config.capacity;
  asci_select_entry entry = {.kind = ASCI_SELECT_LEAVES, .buffer = row->buffer, .code = ASCI_LEAVE_UNUSED};
  if (!row->bytes) return note(s, entry);
  asc_status status = look_for_gap(s, row->buffer, &entry.offset);
  bool found = entry.offset != ASC_UNPLACED;
  bool may = s->config.repacker.solver && s->stats.repacks < s->config.most_repacks && !again && fits;
  if (status) return status;
  if (!found && may) {
    *made = false;
    return begin_repack(s, row->buffer);
  }
  if (found) entry.kind = ASCI_SELECT_TAKES;
  entry.code = !fits ? ASCI_LEAVE_TOO_LARGE : again ? ASCI_LEAVE_REPACKED : ASCI_LEAVE_NO_GAP;
  return note(s, entry);
}

/* Those of the trial that lie elsewhere in its plan, behind the moves so far. */
static asc_status gather_moves(asc_selection *s, uint32_t *count) {
  const int64_t *best = asc_run_best(s->run);
  for (uint32_t k = 0; k < s->in_count; k++) {
    uint32_t buffer = s->in[k];
    if (s->offsets[buffer] == best[k]) continue;
    if (!asci_grow(s->context, &s->moves, &s->move_room, s->move_count + 1, sizeof *s->moves)) return ASC_OUT_OF_MEMORY;
    s->moves[s->move_count++] = (asci_select_move){buffer, best[k]};
    ++*count;
  }
  return ASC_OK;
}

static asc_status end_repack(asc_selection *s, const asc_run_stats *stats) {
  asci_select_entry entry = {.kind = ASCI_SELECT_REPACKS,
                             .buffer = s->rows[s->next].buffer,
                             .code = ASCI_REPACK_NONE,
                             .count = s->in_count,
                             .moves = s->move_count,
                             .steps = stats->steps};
  asc_status status = ASC_OK;
  if (is_packed(s)) {
    entry.code = ASCI_REPACK_PACKED;
    status = gather_moves(s, &entry.move_count);
  } else if (stats->outcome == ASC_OUTCOME_INFEASIBLE)
    entry.code = ASCI_REPACK_PROVED;
  else if (stats->outcome == ASC_OUTCOME_BUDGET_SPENT)
    entry.code = ASCI_REPACK_SPENT;
  if (!status) status = note(s, entry);
  if (status)
    s->move_count = entry.moves; /* it can be ended again */
  else
    drop_trial(s);
  return status;
}

static asc_status repack(asc_selection *s, uint64_t steps, uint64_t *taken, bool *made) {
  asc_outcome outcome;
  asc_run_stats before, after;
  asc_run_stats_get(s->run, &before);
  asc_status status = asc_run_step(s->run, steps, &outcome);
  asc_run_stats_get(s->run, &after);
  *taken = after.steps - before.steps;
  if (!status && outcome == ASC_OUTCOME_OUT_OF_MEMORY) status = ASC_OUT_OF_MEMORY;
  *made = outcome != ASC_OUTCOME_RUNNING;
  return status || !*made ? status : end_repack(s, &after);
}

asc_status asci_select_work(asc_selection *s, uint64_t steps, uint64_t *taken, bool *made) {
  *taken = s->stage != ASCI_STAGE_CONSIDER && s->stage != ASCI_STAGE_LEAVE;
  *made = true;
  switch (s->stage) {
  case ASCI_STAGE_CONSIDER:
    return note(s, (asci_select_entry){.kind = ASCI_SELECT_CONSIDERS, .buffer = s->rows[s->next].buffer});
  case ASCI_STAGE_REPACK:
    return repack(s, steps, taken, made);
  case ASCI_STAGE_LEAVE:
    return note(
        s, (asci_select_entry){.kind = ASCI_SELECT_LEAVES, .buffer = s->rows[s->next].buffer, .code = ASCI_LEAVE_REPACKED});
  default:
    return fit(s, made);
  }
}

asc_status asc_select_step(asc_selection *s, uint64_t steps, bool *over) {
  asc_status status = ASC_OK;
  while (!status && steps && s->next < s->problem->count) {
    uint64_t taken;
    bool made;
    status = asci_select_work(s, steps, &taken, &made);
    steps -= taken < steps ? taken : steps;
  }
  *over = s->next == s->problem->count;
  for (uint32_t k = 0; k < s->next; k++) s->rows[k].offset = s->offsets[s->rows[k].buffer];
  return status;
}

/* ---- making, asking -------------------------------------------------------------------------------------------------- */

/* Whether the repacker does for these buffers. */
static asc_status try_repacker(const asc_selection *s, asc_diag *diag) {
  asc_run_config config = s->config.repacker;
  asc_run *run = NULL;
  if (!config.solver) return ASC_OK;
  config.capacity = s->config.capacity;
  config.goal = ASC_GOAL_FIT;
  asc_status status = asc_run_new(asc_input_buffers(s->problem), &config, &run, diag);
  asc_run_free(run);
  return status;
}

enum { PER_BUFFER, PER_SORTED };
static const asci_array arrays[] = {
    ASCI_ARRAY(asc_selection, rows, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(asc_selection, offsets, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(asc_selection, in, PER_SORTED, ASCI_RAW),
    ASCI_OWN(asc_selection, log),
    ASCI_OWN(asc_selection, moves),
};

asc_status asci_select_new(const asc_problem *problem, const uint32_t *accesses, const asc_select_config *config,
                           asc_selection **selection, asc_diag *diag) {
  asc_selection *s = asci_calloc(problem->context, 1, sizeof *s);
  uint32_t n = problem->count;
  *selection = NULL;
  if (!s) return ASC_OUT_OF_MEMORY;
  s->context = problem->context;
  s->problem = problem;
  s->config = *config;
  s->stats.count = n;
  const size_t counts[] = {n, (size_t)n * 2};
  bool made = asci_arrays_new(s->context, ASCI_TABLE(arrays), counts, s);
  asc_status status = made ? fill_rows(s, accesses, diag) : ASC_OUT_OF_MEMORY;
  if (!status) status = try_repacker(s, diag);
  if (status)
    asc_select_free(s);
  else
    *selection = s;
  return status;
}

asc_status asc_select_new(const asc_lowering *lowering, const asc_select_config *config, asc_selection **selection,
                          asc_diag *diag) {
  if (!lowering || !config || !selection) return ASC_BAD_ARGUMENT;
  if (config->capacity < 0 || config->capacity > ASC_MAX_BYTES)
    return asci_out_of_range(diag, "capacity", config->capacity, 0, ASC_MAX_BYTES);
  const asc_problem *problem = asc_lowering_problem(lowering);
  uint32_t *accesses = asci_alloc(problem->context, problem->count, sizeof *accesses);
  asc_status status = accesses ? asci_count_accesses(lowering, accesses) : ASC_OUT_OF_MEMORY;
  if (!status) status = asci_select_new(problem, accesses, config, selection, diag);
  asci_free(problem->context, accesses);
  return status;
}

void asc_select_free(asc_selection *s) {
  if (!s) return;
  drop_trial(s);
  asci_arrays_free(s->context, ASCI_TABLE(arrays), s);
  asci_free(s->context, s);
}

const asc_select_row *asc_select_rows(const asc_selection *s, uint32_t *count) {
  *count = s->problem->count;
  return s->rows;
}

asc_select_stats asc_select_stats_get(const asc_selection *s) {
  return s->stats;
}

/* ---- two pools ------------------------------------------------------------------------------------------------------- */

asc_status asci_select_split(const asc_selection *s, const asc_pool *other, bool other_is_fast, bool fixed,
                             asc_problem *problem) {
  uint32_t pool;
  asc_status status = asc_problem_add_pool(problem, other, &pool, NULL);
  for (uint32_t b = 0; b < s->problem->count && !status; b++) {
    bool in = s->offsets[b] != ASC_UNPLACED;
    status = add(s, problem, b, fixed && in, in == other_is_fast ? pool : ASC_POOL_MAIN);
  }
  return status ? status : asc_problem_freeze(problem, NULL);
}

asc_status asci_select_place(const asc_problem *problem, int64_t *offsets) {
  const asc_run_config config = best_fit_config(ASC_MAX_BYTES);
  asc_run *run = NULL;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = asc_run_new(asc_input_buffers(problem), &config, &run, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, UINT32_MAX, &outcome);
  const int64_t *best = status ? NULL : asc_run_best(run);
  for (uint32_t b = 0; b < problem->count && best; b++) offsets[b] = best[b];
  asc_run_free(run);
  return status || best ? status : ASC_OUT_OF_MEMORY;
}

asc_status asc_select_problem(const asc_selection *s, asc_problem **problem, int64_t *offsets) {
  const asc_pool fast = {"fast", s->config.capacity, 1, 0};
  asc_problem *fixed = NULL;
  *problem = NULL;
  asc_status status = asc_problem_new(s->context, &fixed);
  if (!status) status = asci_select_split(s, &fast, true, true, fixed);
  if (!status) status = asci_select_place(fixed, offsets);
  asc_problem_free(fixed);
  if (!status) status = asc_problem_new(s->context, problem);
  if (!status) status = asci_select_split(s, &fast, true, false, *problem);
  if (!status) return ASC_OK;
  asc_problem_free(*problem);
  *problem = NULL;
  return status;
}
