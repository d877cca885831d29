/* select: what of a model lives in fast memory, as a run like any other: each buffer's turn, each gap, each repack is a step (select.c has the rule, README.md
 * teaches it). The input is a model's graph in the order in which it is lowered; the plan says of each item in which memory it stays, and the goal counts
 * the bytes that accesses move for the slow one.
 *
 * Everything has an address in slow memory from the start, by best fit, and whoever gets into fast memory leaves a hole there. So what is shown is one
 * problem of two pools that changes by a buffer at a time.
 *
 * Outcomes: FEASIBLE with the choice, OPTIMAL if slow memory moves nothing. A greedy choice proves nothing of others.
 *
 * Complexity: O(n^2 log n) for the gaps, then what the repacker takes. */
#include "solve/solver.h"
#include "base/arrays.h"
#include "base/diag.h"
#include "graph/lower.h"
#include "solve/select/select.h"

#include <string.h>

#define REPACKERS "telamalloc|exact|large|contention|best-fit|none"
#define SELECT_OPTIONS(X, T) \
  X(T, CHOICE, repacker, "Repacker", "telamalloc", REPACKERS, \
    "Who packs fast memory anew where a buffer finds no gap; best-fit is XLA's, the long-lived first.") \
  X(T, CHOICE, repack, "Repack", "with", "with|placed", \
    "The newcomer with those that are in; or, as XLA does, those alone, and then the newcomer looks for a gap once more.") \
  X(T, INT, most_repacks, "Most repacks", "50", 0, UINT32_MAX, \
    "Repacks of all buffers together; TelaMalloc's paper has 50.") \
  X(T, INT, repack_steps, "Steps a repack", "20000", 0, INT64_C(1) << 40, \
    "Steps that the repacker may take each time; 0: as many as it wants.")
ASCI_OPTION_VALUES(select_options, SELECT_OPTIONS);
ASCI_OPTION_TABLE(select_options, SELECT_OPTIONS);

static const char pseudocode[] = "for v by bytes moved / sqrt(size):\n"
                                 "  if v finds a gap:\n"
                                 "    v is in fast memory\n"
                                 "  else if repacks are left:\n"
                                 "    repack those that are in | and v\n"
                                 "    v is in, if that made room\n"
                                 "  else v stays in slow memory\n";
enum { LINE_CONSIDER = 1, LINE_TAKE = 3, LINE_REPACK = 5, LINE_TAKE_AGAIN, LINE_LEAVE };

/* Steps of the repacker between two looks at whether the run was cancelled. */
#define SLICE 1024u

typedef struct selecting {
  asc_selection *selection;
  const asc_selection *ahead; /* whose log is followed; NULL: none is */
  asci_stay_list stays;       /* by buffer */
  uint32_t *stack;            /* those in fast memory, in the order in which they came */
  int64_t *offsets;           /* as they were last seen */
  int64_t *home;              /* in slow memory */
  bool housed;                /* these are known */
  asc_problem *situation;
  uint32_t shown; /* buffers in fast memory in it */
} selecting;

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {
    ASCI_ARRAY(selecting, stack, 0, ASCI_RAW),
    ASCI_ARRAY(selecting, offsets, 0, ASCI_RAW),
    ASCI_ARRAY(selecting, home, 0, ASCI_RAW),
    ASCI_OWN(selecting, stays.stays),
};

static asc_select_config config_of(const asc_run *run) {
  static const asc_option_value longest_lived[] = {{"order", "lifetime"}, {"fit", "best"}};
  static const char *const solvers[] = {"telamalloc", "exact", "large", "contention", "greedy", NULL};
  const select_options *options = run->options;
  asc_select_config config = asc_select_config_default(run->capacity);
  config.repacker = asc_run_config_default(solvers[options->repacker], run->capacity);
  config.repacker.seed = run->seed;
  config.repacker.budget = (uint64_t)options->repack_steps;
  if (config.repacker.solver && strcmp(config.repacker.solver, "greedy") == 0) {
    config.repacker.options = longest_lived;
    config.repacker.option_count = sizeof longest_lived / sizeof *longest_lived;
  }
  config.with = options->repack == 0;
  config.most_repacks = (uint32_t)options->most_repacks;
  return config;
}

static void destroy(asc_run *run, void *state) {
  selecting *s = state;
  asc_select_free(s->selection);
  asc_problem_free(s->situation);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_free(run->context, s);
}

static asc_status fill(asc_run *run, void *state) {
  selecting *s = state;
  const asc_lowering *lowering = run->input.of.graph;
  const size_t counts[] = {run->problem->count};
  s->stays.context = run->context;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, s)) return ASC_OUT_OF_MEMORY;
  return asci_stays(&lowering->lowered, lowering->schedule, asci_stay_keep, &s->stays);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  const asc_select_config config = config_of(run);
  asc_selection *selection = NULL;
  asc_diag why = {0};
  asc_status status = asc_select_new(run->input.of.graph, &config, &selection, &why);
  if (status && status != ASC_OUT_OF_MEMORY) return asci_complain(diag, status, why.field, "%s", why.message);
  if (!status) status = asci_state_new(run, sizeof(selecting), fill, destroy, state);
  if (status)
    asc_select_free(selection);
  else
    ((selecting *)*state)->selection = selection;
  return status;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

/* What happens next, and the moves of the log that it is from; NULL: it goes on later, or *status says why not. */
static const asci_select_entry *next_entry(const asc_run *run, selecting *s, const asci_select_move **moves,
                                           asc_status *status) {
  asc_selection *own = s->selection;
  *status = ASC_OK;
  if (s->ahead && own->shown >= s->ahead->log_count) return NULL;
  if (s->ahead) {
    const asci_select_entry *entry = &s->ahead->log[own->shown];
    *moves = s->ahead->moves;
    asci_select_apply(own, entry, *moves);
    return entry;
  }
  bool made = false;
  uint64_t taken;
  do *status = asci_select_work(own, SLICE, &taken, &made);
  while (!*status && !made && !asci_cancelled(run));
  *moves = own->moves;
  return !*status && made ? &own->log[own->log_count - 1] : NULL;
}

/* Of where the buffers that moved lie now, for the digest. */
static int64_t digest_of(const asci_select_entry *entry, const asci_select_move *moves) {
  uint64_t hash = asci_fold(ASCI_HASH_SEED, entry->code);
  for (uint32_t k = 0; k < entry->move_count; k++) {
    hash = asci_fold(hash, moves[entry->moves + k].buffer);
    hash = asci_fold(hash, (uint64_t)moves[entry->moves + k].offset);
  }
  return (int64_t)(hash >> 1);
}

static void tell_repack(asc_run *run, const asc_selection *s, const asci_select_entry *e, const asci_select_move *moves) {
  asci_step_other(run, ASC_EVENT_REPACK, e->buffer, digest_of(e, moves), s->stats.fast);
  run->stats.nodes++;
  ASC_EMIT(run, REPACK, LINE_REPACK, .buffer = e->buffer, .with = s->config.with, .verdict = e->code, .count = e->count,
           .steps = (int64_t)e->steps, .nth = s->stats.repacks);
  for (uint32_t k = 0; asci_traced(run) && k < e->move_count; k++) asci_event_list(run, moves[e->moves + k].buffer);
}

static void tell(asc_run *run, const asc_selection *s, const asci_select_entry *e, const asci_select_move *moves) {
  /* the row is the one whose turn it still is, or the one before */
  const asc_select_row *row = &s->rows[e->kind == ASCI_SELECT_CONSIDERS ? s->next : s->next - (s->next > 0)];
  switch (e->kind) {
  case ASCI_SELECT_CONSIDERS:
    asci_step_other(run, ASC_EVENT_CONSIDER, e->buffer, row->bytes, s->stats.fast);
    ASC_EMIT(run, CONSIDER, LINE_CONSIDER, .buffer = e->buffer, .nth = s->next + 1, .of = s->problem->count,
             .bytes = row->bytes, .accesses = row->accesses, .size = s->problem->buffers[e->buffer].size);
    return;
  case ASCI_SELECT_TAKES:
    asci_step_other(run, ASC_EVENT_TAKE_IN, e->buffer, e->offset, s->stats.fast);
    ASC_EMIT(run, TAKE_IN, row->verdict == ASC_SELECT_REPACKED ? LINE_TAKE_AGAIN : LINE_TAKE, .buffer = e->buffer,
             .offset = e->offset, .again = row->verdict == ASC_SELECT_REPACKED, .bytes = row->bytes);
    return;
  case ASCI_SELECT_REPACKS:
    tell_repack(run, s, e, moves);
    return;
  default: /* ASCI_SELECT_LEAVES */
    asci_step_other(run, ASC_EVENT_LEAVE_OUT, e->buffer, e->code, s->stats.fast);
    ASC_EMIT(run, LEAVE_OUT, LINE_LEAVE, .buffer = e->buffer, .why = e->code, .bytes = row->bytes);
  }
}

static asc_outcome conclude(asc_run *run, const selecting *s) {
  const asc_lowering *lowering = run->input.of.graph;
  memcpy(run->order, lowering->schedule, lowering->lowered.graph->op_count * sizeof *run->order);
  asci_plan_begin(run);
  for (uint32_t b = 0; b < s->stays.count; b++) {
    asc_stay stay = s->stays.stays[b];
    stay.offset = s->selection->offsets[b];
    stay.pool = stay.offset == ASC_UNPLACED ? ASC_POOL_OUTSIDE : ASC_POOL_MAIN;
    if (!asci_plan_add(run, &stay)) return ASC_OUTCOME_OUT_OF_MEMORY;
  }
  return ASC_OUTCOME_FEASIBLE;
}

static asc_outcome advance(asc_run *run, void *state) {
  selecting *s = state;
  while (asci_more(run)) {
    asc_status status;
    const asci_select_move *moves;
    const asc_selection *own = s->selection;
    if (own->next == own->problem->count) return conclude(run, s); /* there was nobody */
    const asci_select_entry *entry = next_entry(run, s, &moves, &status);
    if (status) return status == ASC_OUT_OF_MEMORY ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_EXHAUSTED;
    if (!entry) return ASC_OUTCOME_RUNNING;
    tell(run, own, entry, moves);
    if (own->next == own->problem->count) return conclude(run, s);
  }
  return ASC_OUTCOME_RUNNING;
}

/* ---- what there is to see -------------------------------------------------------------------------------------------- */

/* The buffers of both memories; the fast one is the main pool, as the arena is of any model. */
static asc_status make_situation(asc_run *run, selecting *s) {
  int64_t height = asc_height(run->problem, s->home);
  const asc_pool slow = {"slow", height ? height : 1, 1, 0};
  asc_problem_free(s->situation);
  s->situation = NULL;
  asc_status status = asc_problem_new(run->context, &s->situation);
  if (!status) status = asci_select_split(s->selection, &slow, false, false, s->situation);
  s->shown = s->selection->stats.fast;
  if (!status) return ASC_OK;
  asc_problem_free(s->situation);
  s->situation = NULL;
  return status;
}

static asc_status situate(asc_run *run, void *state) {
  selecting *s = state;
  const asc_selection *own = s->selection;
  asc_status status = s->housed ? ASC_OK : asci_select_place(run->problem, s->home);
  s->housed = !status;
  if (!status && (!s->situation || s->shown != own->stats.fast)) status = make_situation(run, s);
  for (uint32_t b = 0; b < run->problem->count && !status; b++)
    s->offsets[b] = own->offsets[b] == ASC_UNPLACED ? s->home[b] : own->offsets[b];
  uint32_t depth = 0;
  for (uint32_t k = 0; k < own->next; k++)
    if (asci_select_is_in(&own->rows[k])) s->stack[depth++] = own->rows[k].buffer;
  return status;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  const selecting *s = state;
  const asc_lowering *lowering = run->input.of.graph;
  view->situation = s->situation;
  view->revision = s->shown;
  view->frontier = lowering->lowered.graph->op_count;
  view->order = lowering->schedule;
  view->offsets = s->offsets;
  view->stack = s->stack;
}

/* ---- saving, and going back ------------------------------------------------------------------------------------------ */

/* Whether the plan that was loaded is the one that the selection came to. */
static bool is_its_plan(const asc_run *run, const selecting *s) {
  const asc_lowering *lowering = run->input.of.graph;
  bool same = run->stay_count == s->stays.count &&
              !memcmp(run->order, lowering->schedule, lowering->lowered.graph->op_count * sizeof *run->order);
  for (uint32_t b = 0; b < s->stays.count && same; b++) {
    const asc_stay *a = &run->stays[b], *mine = &s->stays.stays[b];
    same = a->item == mine->item && a->lower == mine->lower && a->upper == mine->upper &&
           a->offset == s->selection->offsets[b] &&
           a->pool == (a->offset == ASC_UNPLACED ? ASC_POOL_OUTSIDE : ASC_POOL_MAIN);
  }
  return same;
}

/* The selection is made again as far as it went: what it did follows from the input alone. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  selecting *s = state;
  asc_selection *own = s->selection;
  uint64_t shown = own->shown, taken;
  bool made;
  ASCI_KEEP(saver, shown, SIZE_MAX);
  if (!asci_loaded(saver)) return asci_kept(saver);
  if (shown != run->stats.steps || run->stats.lower_bound) return ASC_BAD_SAVE;
  asc_status status = ASC_OK;
  while (!status && own->shown < shown && own->next < own->problem->count) {
    if (asci_cancelled(run)) return ASC_BAD_SAVE; /* so far it was none */
    status = asci_select_work(own, SLICE, &taken, &made);
  }
  if (status) return status == ASC_OUT_OF_MEMORY ? status : ASC_BAD_SAVE;
  bool over = own->next == own->problem->count, planned = run->stats.height >= 0;
  if (own->shown < shown || run->stats.depth != own->stats.fast || run->stats.nodes != own->stats.repacks ||
      asci_has_plan(run->stats.outcome) != planned || (planned ? !over : over && shown))
    return ASC_BAD_SAVE;
  return !planned || is_its_plan(run, s) ? ASC_OK : ASC_BAD_SAVE;
}

static asc_status show(asc_run *run, void *state, void *ahead, uint64_t step) {
  (void)run;
  selecting *s = state;
  s->ahead = ((const selecting *)ahead)->selection;
  asci_select_reset(s->selection);
  for (size_t k = 0; k < step; k++) asci_select_apply(s->selection, &s->ahead->log[k], s->ahead->moves);
  return ASC_OK;
}

const asci_solver asci_solver_select = {
    .info = {.id = "select",
             .title = "Scratchpad selection",
             .paper = "Maas, Beaugnon, Chauhan, Ilbeyi, TelaMalloc, ASPLOS 2023, sections 5.6 and 7.4",
             .summary =
                 "Chooses which of a model's tensors live in fast memory, the busiest for their size first, and packs them "
                 "anew where one finds no gap; the others stay in slow memory.",
             .domain = ASC_DOMAIN_SELECTION,
             .goals = 1u << ASC_GOAL_TRAFFIC,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS,
             ASCI_TAKES_INFO(select_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(select_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .situate = situate,
    .view = view,
    .keep = keep,
    .history = ASCI_HISTORY_LOG,
    .show = show,
};
