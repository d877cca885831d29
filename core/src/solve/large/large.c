/* large: any number of buffers, packed to the load bound or close to it. attempt.h is one try, ladder.h which to make; README.md teaches both.
 *
 * Outcomes: FEASIBLE (or OPTIMAL at the lower bound) with a plan below the capacity; minimising, OVER_CAPACITY with the best plan there is
 * if it is above; EXHAUSTED when all tries failed, which proves nothing; INFEASIBLE when the load alone exceeds the capacity. */
#include "solve/large/ladder.h"
#include "solve/solver.h"

enum { OPTION_MINIMIZE, OPTION_TRIES, OPTION_FAILS };

static const asc_option options[] = {
    {"minimize", ASC_OPTION_BOOL, "Minimise", "false", 0, 0, NULL,
     "Look for the lowest plan, whatever the capacity: targets fall to the lower bound."},
    {"tries", ASC_OPTION_INT, "Tries", "24", 1, 100, NULL, "Tries at a target before it is given up."},
    {"fails", ASC_OPTION_INT, "Fails", "128", 1, 2000, NULL,
     "Buffers in a try that may be forced in before it is abandoned; every fourth try may force three times as many."},
};

enum { LINE_TARGET = 1, LINE_TRY, LINE_NEXT, LINE_FIT, LINE_FORCE, LINE_OUT, LINE_ABANDON, LINE_DONE };

static const char pseudocode[] = "target = capacity, or the next rung\n"
                                 "try: an order, weights, a budget\n"
                                 "  b = next in order, or taken out\n"
                                 "  if b fits below target: lowest place\n"
                                 "  else: b where least weight is in the way\n"
                                 "    take that out, b weighs more\n"
                                 "    budget spent: another try\n"
                                 "  none left: lower the target\n";

typedef struct large {
  asci_large_attempt attempt;
  asci_ladder ladder, before; /* before: as it was when the try under way was chosen */
  bool begun;                 /* there has been a try */
  bool open;                  /* one is under way; else the last has placed everything */
  uint64_t moves;             /* of it */
  uint32_t *stack;
} large;

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static void destroy(asc_run *run, void *state) {
  large *l = state;
  asci_large_attempt_free(&l->attempt);
  asci_free(run->context, l->stack);
  asci_free(run->context, l);
}

static int64_t floor_of(const asc_problem *problem) {
  int64_t floor = asc_problem_lower_bound(problem);
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    if (spec->offset != ASC_UNPLACED && spec->offset + spec->size > floor) floor = spec->offset + spec->size;
  }
  return floor;
}

static asc_status fill(asc_run *run, void *state) {
  large *l = state;
  l->stack = asci_alloc(run->context, run->problem->count, sizeof *l->stack);
  l->ladder =
      asci_ladder_new(asci_option_bool(run, OPTION_MINIMIZE), floor_of(run->problem), run->capacity,
                      (uint32_t)asci_option_int(run, OPTION_TRIES), (uint32_t)asci_option_int(run, OPTION_FAILS), run->seed);
  asc_status status = asci_large_attempt_new(run->problem, &l->attempt);
  return l->stack ? status : ASC_OUT_OF_MEMORY;
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(large), fill, destroy, state);
}

/* ---- tries ----------------------------------------------------------------------------------------------------------- */

static bool begin_try(large *l) {
  asci_ladder before = l->ladder;
  if (!asci_ladder_next(&l->ladder)) return false;
  l->before = before;
  asci_large_begin(&l->attempt, &l->ladder.config, l->ladder.target, l->ladder.seed);
  l->begun = l->open = true;
  l->moves = 0;
  return true;
}

static void end_try(large *l, int64_t height) {
  l->open = false;
  asci_ladder_ended(&l->ladder, height);
}

static asc_outcome end_run(asc_run *run, const large *l) {
  if (l->ladder.best < 0) return ASC_OUTCOME_EXHAUSTED;
  return l->ladder.best <= run->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
}

static asc_outcome tell_try(asc_run *run, large *l) {
  if (!begin_try(l)) return end_run(run, l);
  const asci_ladder *ladder = &l->ladder;
  asci_step_other(run, ASC_EVENT_RESTART, (uint32_t)ladder->config.order, ladder->config.budget, 0);
  asci_mark(run, ASC_MARK_RESTART, (int64_t)ladder->config.order);
  if (run->log) {
    asci_event(run, ASC_EVENT_RESTART, LINE_TRY, ladder->total, ladder->config.order, ladder->config.budget, 0, 0, 0);
    asci_event(run, ASC_EVENT_TARGET, LINE_TARGET, ladder->target == ASC_MAX_BYTES ? -1 : ladder->target, ladder->best,
               ladder->given_up, ladder->tries, 0, 0);
  }
  return ASC_OUTCOME_RUNNING;
}

/* Everything is placed. A plan below the capacity ends a run that does not minimise, one at the lower bound any. */
static asc_outcome succeed(asc_run *run, large *l) {
  const int64_t *offsets = l->attempt.tree.offsets;
  int64_t height = asc_height(run->problem, offsets);
  if (run->log) asci_event(run, ASC_EVENT_INCUMBENT, LINE_DONE, height, 0, 0, 0, 0, 0);
  bool better = l->ladder.best < 0 || height < l->ladder.best;
  for (uint32_t b = 0; better && b < run->problem->count; b++) run->best[b] = offsets[b];
  end_try(l, height);
  if (!l->ladder.minimise) {
    asci_mark(run, ASC_MARK_INCUMBENT, height);
    return ASC_OUTCOME_FEASIBLE;
  }
  asc_status status = better ? asci_incumbent(run) : ASC_OK;
  if (status) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (height > l->ladder.floor) return ASC_OUTCOME_RUNNING;
  asci_raise_bound(run, height); /* the load, or the end of a fixed buffer */
  return ASC_OUTCOME_OPTIMAL;
}

/* ---- moves ----------------------------------------------------------------------------------------------------------- */

/* A placed buffer that ends where this one begins. */
static uint32_t support_of(large *l, uint32_t buffer, int64_t offset) {
  asci_fit_tree *tree = &l->attempt.tree;
  if (!offset || !asci_fit_collect(tree, buffer)) return ASC_NONE;
  for (size_t k = 0; k < tree->found_count; k++) {
    uint32_t other = tree->found[k];
    if (tree->offsets[other] + tree->problem->buffers[other].size == offset) return other;
  }
  return ASC_NONE;
}

static void tell_placed(asc_run *run, large *l) {
  const asci_large_attempt *a = &l->attempt;
  asci_step_place(run, a->buffer, a->offset, a->placed);
  if (!run->log) return;
  uint32_t support = support_of(l, a->buffer, a->offset);
  asci_event(run, ASC_EVENT_PLACE, LINE_FIT, a->buffer, a->offset, support, 1, 0, 0);
}

static void tell_forced(asc_run *run, large *l) {
  const asci_large_attempt *a = &l->attempt;
  asci_step_other(run, ASC_EVENT_EJECT, a->buffer, a->offset, a->placed);
  if (!run->log) return;
  asci_event(run, ASC_EVENT_EJECT, LINE_FORCE, a->buffer, a->offset, (int64_t)a->out_count, a->fails, a->config.budget,
             a->target);
  for (size_t k = 0; k < a->out_count; k++) asci_event_list(run, a->out[k]);
}

/* A fixed offset that meets one before it, or ends above the capacity. */
static asc_outcome tell_clash(asc_run *run, large *l) {
  uint32_t buffer = l->attempt.buffer;
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  bool high = spec->offset + spec->size > l->attempt.target;
  asc_rule rule = high ? ASC_RULE_CAPACITY : ASC_RULE_FIXED;
  asci_step_reject(run, rule, buffer, spec->offset, l->attempt.placed);
  if (!run->log) return ASC_OUTCOME_EXHAUSTED;
  int64_t free = high ? spec->offset + spec->size : asci_fit_lowest(&l->attempt.tree, buffer, spec->offset, ASC_MAX_BYTES);
  asci_event(run, ASC_EVENT_REJECT, LINE_FIT, buffer, spec->offset, rule, ASC_NONE, free, high ? 0 : spec->offset);
  return ASC_OUTCOME_EXHAUSTED;
}

static asc_outcome move(asc_run *run, large *l) {
  asci_large_move moved = asci_large_next(&l->attempt);
  switch (moved) {
  case ASCI_LARGE_PLACED:
    tell_placed(run, l);
    break;
  case ASCI_LARGE_FORCED:
    tell_forced(run, l);
    break;
  case ASCI_LARGE_CLASH:
    return tell_clash(run, l);
  case ASCI_LARGE_DONE:
    return succeed(run, l);
  case ASCI_LARGE_ABANDONED:
    return tell_try(run, l);
  default:
    return ASC_OUTCOME_OUT_OF_MEMORY;
  }
  l->moves++;
  run->stats.nodes++;
  return l->attempt.placed < run->problem->count ? ASC_OUTCOME_RUNNING : succeed(run, l);
}

static bool is_overloaded(const asc_run *run) {
  return !asci_option_bool(run, OPTION_MINIMIZE) && run->problem->peak != ASC_NONE &&
         run->problem->sections[run->problem->peak].load > run->capacity;
}

static asc_outcome advance(asc_run *run, void *state) {
  large *l = state;
  if (run->problem->count == 0) return succeed(run, l);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    if (is_overloaded(run)) return asci_refute_load(run, LINE_TARGET);
    outcome = l->open ? move(run, l) : tell_try(run, l);
  }
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

/* The order of the try, without those that are not in. */
static void view(asc_run *run, void *state, asc_run_view *view) {
  large *l = state;
  const asci_large_attempt *a = &l->attempt;
  uint32_t depth = 0;
  for (uint32_t k = 0; l->begun && k < run->problem->count && depth < a->placed; k++)
    if (a->tree.offsets[a->order[k]] != ASC_UNPLACED) l->stack[depth++] = a->order[k];
  view->offsets = a->tree.offsets;
  view->stack = l->stack;
}

static void write_config(asci_writer *writer, const asci_large_config *config) {
  asci_write_u(writer, config->order);
  asci_write_u(writer, (uint64_t)config->alpha);
  asci_write_u(writer, (uint64_t)config->beta);
  asci_write_u(writer, (uint64_t)config->mu);
  asci_write_u(writer, config->budget);
}

static asci_large_config read_config(asci_reader *reader) {
  return (asci_large_config){.order = (asci_large_order)asci_read_u(reader, ASCI_LARGE_ORDERS - 1),
                             .alpha = (int32_t)asci_read_u(reader, 64),
                             .beta = (int32_t)asci_read_u(reader, 64),
                             .mu = (int32_t)asci_read_u(reader, 256),
                             .budget = (uint32_t)asci_read_u(reader, UINT32_MAX)};
}

/* The ladder before the try, and how many moves were made in it: all else follows from them. */
static void save(asc_run *run, void *state, asci_writer *writer) {
  (void)run;
  const large *l = state;
  const asci_ladder *ladder = &l->before;
  asci_write_u(writer, l->begun ? l->open ? 1 : 2 : 0);
  if (!l->begun) return;
  asci_write_i(writer, ladder->best);
  asci_write_i(writer, ladder->given_up);
  asci_write_i(writer, ladder->target);
  asci_write_u(writer, ladder->opening);
  asci_write_u(writer, ladder->aimed);
  asci_write_u(writer, ladder->tries);
  asci_write_u(writer, ladder->total);
  asci_write_u(writer, ladder->known);
  if (ladder->known) write_config(writer, &ladder->success);
  asci_write_u(writer, ladder->rng.state);
  asci_write_u(writer, l->moves);
}

static void read_ladder(asci_ladder *ladder, asci_reader *reader) {
  ladder->best = asci_read_i(reader);
  ladder->given_up = asci_read_i(reader);
  ladder->target = asci_read_i(reader);
  ladder->opening = (uint32_t)asci_read_u(reader, 3);
  ladder->aimed = asci_read_u(reader, 1);
  ladder->tries = (uint32_t)asci_read_u(reader, ladder->most_tries);
  ladder->total = (uint32_t)asci_read_u(reader, UINT32_MAX);
  ladder->known = asci_read_u(reader, 1);
  if (ladder->known) ladder->success = read_config(reader);
  ladder->rng.state = asci_read_u(reader, UINT64_MAX);
}

/* Moves that end a try or a run are never inside one. */
static asc_status replay(large *l, uint64_t moves) {
  while (l->moves < moves) {
    asci_large_move moved = asci_large_next(&l->attempt);
    l->moves++;
    if (moved == ASCI_LARGE_NO_MEMORY) return ASC_OUT_OF_MEMORY;
    if (moved != ASCI_LARGE_PLACED && moved != ASCI_LARGE_FORCED) return ASC_BAD_SAVE;
  }
  return ASC_OK;
}

static asc_status load(asc_run *run, void *state, asci_reader *reader) {
  large *l = state;
  uint64_t stage = asci_read_u(reader, 2);
  if (!stage) return run->stats.depth ? ASC_BAD_SAVE : ASC_OK;
  read_ladder(&l->ladder, reader);
  uint64_t moves = asci_read_u(reader, run->stats.steps);
  if (reader->bad || l->ladder.best < -1 || l->ladder.best > ASC_MAX_BYTES || !begin_try(l)) return ASC_BAD_SAVE;
  asc_status status = replay(l, moves);
  if (status) return status;
  bool full = l->attempt.placed == run->problem->count;
  if (run->stats.depth != l->attempt.placed || full != (stage == 2)) return ASC_BAD_SAVE;
  if (full) end_try(l, asc_height(run->problem, l->attempt.tree.offsets));
  return ASC_OK;
}

const asci_solver asci_solver_large = {
    .info = {.id = "large",
             .title = "Large",
             .paper = "Arenascope",
             .summary =
                 "First fit at a fixed target that takes out what is in the way and tries again: a million buffers at the "
                 "load bound.",
             .supports =
                 ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS,
             .complete = false,
             .refutes = true,
             .options = options,
             .option_count = sizeof options / sizeof *options,
             .pseudocode = pseudocode},
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .save = save,
    .load = load,
};
