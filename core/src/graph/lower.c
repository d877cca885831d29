/* From a graph and its options to a buffer problem. The rules are those of LiteRT's arena planner, TensorFlow Lite Micro and Vela where
 * they agree. */
#include "graph/lower.h"

#include "base/diag.h"
#include "base/hash.h"
#include "base/text/format.h"

#include <string.h>

/* ---- options --------------------------------------------------------------------------------------------------------- */

ASCI_OPTION_TABLE(asci_lower_settings, ASCI_LOWER_OPTIONS);
enum { OPTIONS = sizeof asci_lower_settings_table / sizeof *asci_lower_settings_table };

const asc_option *asc_lower_options(uint32_t *count) {
  *count = OPTIONS;
  return asci_lower_settings_table;
}

static asc_status read_settings(const asc_option_value *options, uint32_t count, asci_lower_settings *set, asc_diag *diag) {
  const asci_option_table all = {"lowering", asci_lower_settings_table, asci_lower_settings_places, OPTIONS};
  const char *values[OPTIONS];
  asc_status status = asci_options_read(&all, options, count, values, diag);
  if (!status) asci_options_fill(&all, values, set);
  return status;
}

/* ---- budgets --------------------------------------------------------------------------------------------------------- */

/* The most that one operator's inputs, outputs and workspace take of that problem: the lowering's own or as a profile has it.
   Errors: OUT_OF_MEMORY. O(uses). */
static asc_status find_required(const asc_lowering *made, const asc_problem *problem, int64_t *most) {
  const asci_lowered *l = &made->lowered;
  const asc_graph *g = l->graph;
  uint32_t *seen = asci_alloc(l->context, problem->count, sizeof *seen); /* per buffer: the operator that took it last */
  if (!seen) return ASC_OUT_OF_MEMORY;
  memset(seen, 0xff, problem->count * sizeof *seen);
  *most = 0;
  for (uint32_t op = 0; op < g->op_count; op++) {
    const asc_op_spec *spec = &g->ops[op];
    uint32_t workspace = made->buffers[g->tensor_count + op];
    int64_t sum = workspace == ASC_NONE ? 0 : problem->buffers[workspace].size;
    /* outputs first: an operator that makes a constant's bytes under another name needs none of them */
    for (uint32_t k = 0; k < spec->output_count + spec->input_count; k++) {
      bool output = k < spec->output_count;
      uint32_t tensor = output ? spec->outputs[k] : spec->inputs[k - spec->output_count], buffer = made->buffers[tensor];
      if (buffer == ASC_NONE) continue;
      bool passed_on = output && (l->kinds[l->store[tensor]] & ASC_TENSOR_CONSTANT);
      if (seen[buffer] != op && !passed_on) sum += problem->buffers[buffer].size;
      seen[buffer] = op;
    }
    if (sum > *most) *most = sum;
  }
  asci_free(l->context, seen);
  return ASC_OK;
}

typedef struct load {
  const asci_lowered *l;
  int64_t *change; /* per time: what comes then less what ended */
} load;

static asc_status note_change(void *user, const asc_stay *stay) {
  const load *all = user;
  int64_t size = asci_item_size(all->l, stay->item);
  all->change[stay->lower] += size;
  all->change[stay->upper] -= size;
  return ASC_OK;
}

static asc_status peak_of(const asci_lowered *l, const uint32_t *schedule, int64_t *peak) {
  uint32_t n = l->graph->op_count;
  load all = {l, asci_calloc(l->context, (size_t)n + 1, sizeof *all.change)};
  if (!all.change) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_stays(l, schedule, note_change, &all);
  int64_t now = 0;
  *peak = 0;
  for (uint32_t k = 0; k < n; k++) {
    now += all.change[k];
    if (now > *peak) *peak = now;
  }
  asci_free(l->context, all.change);
  return status;
}

/* Tries every schedule, keeps the one that was asked for, and the least peak. */
static asc_status schedule_all(const asci_lowered *l, asc_lowering *made, uint32_t *trial, uint32_t *scratch) {
  asc_status status = ASC_OK;
  made->budgets.peak = INT64_MAX;
  for (uint32_t order = 0; order < ASCI_ORDERS && !status; order++) {
    uint32_t *schedule = order == l->set.order ? made->schedule : trial;
    int64_t peak = 0;
    for (uint32_t op = 0; op < l->graph->op_count && order == ASCI_ORDER_FILE; op++) schedule[op] = op;
    if (order == ASCI_ORDER_DEPTH || order == ASCI_ORDER_BREADTH)
      asci_order(l->graph, order == ASCI_ORDER_DEPTH, schedule, scratch);
    if (order == ASCI_ORDER_GREEDY) status = asci_order_greedy(l, schedule);
    if (!status) status = peak_of(l, schedule, &peak);
    if (order == l->set.order) made->load = peak;
    if (peak >= made->budgets.peak) continue;
    made->budgets.peak = peak;
    made->best_order = order;
  }
  return status;
}

/* ---- notes ----------------------------------------------------------------------------------------------------------- */

static void note(asc_lowering *made, uint32_t count, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Says it if it happened at all. */
static void note(asc_lowering *made, uint32_t count, const char *format, ...) {
  if (!count) return;
  va_list arguments;
  va_start(arguments, format);
  asci_format_list(made->notes[made->note_count++], ASCI_NOTE_ROOM, format, arguments);
  va_end(arguments);
}

static const char *plural(uint32_t count) {
  return count == 1 ? "" : "s";
}

/* The budget "peak" may be less than what this order can do with: a plan that must fit it would fail without a word of why. */
static void note_order(asc_lowering *made) {
  const char *name = asci_choice(ASCI_SCHEDULES, made->best_order);
  char best[ASCI_COMMAS], own[ASCI_COMMAS];
  note(made, 1, "The schedule \xe2\x80\x9c%.*s\xe2\x80\x9d would have a lower peak: %s bytes instead of %s.",
       (int)strcspn(name, "|"), name, asci_commas(best, made->budgets.peak), asci_commas(own, made->load));
}

/* Buffers beyond the first of what they hold. */
static uint32_t count_reloads(const asc_lowering *made) {
  uint32_t firsts = 0, items = asci_item_count(&made->lowered);
  const asc_graph *g = made->lowered.graph;
  for (uint32_t k = 0; k < items; k++)
    firsts += made->buffers[k] != ASC_NONE && (k >= g->tensor_count || made->lowered.store[k] == k);
  return asc_problem_count(made->problem) - firsts;
}

static void write_notes(asc_lowering *made) {
  const asci_lowered *l = &made->lowered;
  const asc_graph *g = l->graph;
  uint32_t constants = 0, empty = 0, idle = 0, workspaces = 0, reloads = count_reloads(made);
  int64_t bytes = 0;
  for (uint32_t t = 0; t < g->tensor_count; t++) {
    const asc_tensor_spec *tensor = &g->tensors[t];
    empty += tensor->bytes == 0;
    if (tensor->bytes == 0 || !l->absent[l->store[t]]) continue;
    workspaces += tensor->kind == ASC_TENSOR_WORKSPACE && !l->set.workspace;
    bool out = (tensor->kind & ASC_TENSOR_CONSTANT) && l->set.constants == ASCI_CONSTANTS_OUT;
    constants += out;
    if (out) bytes += tensor->bytes;
    idle += !out && g->producer[t] == ASC_NONE && g->reader_begin[t] == g->reader_begin[t + 1];
  }
  for (uint32_t op = 0; op < g->op_count; op++) workspaces += g->ops[op].workspace > 0 && !l->set.workspace;
  char commas[ASCI_COMMAS];
  note(made, constants, "%u constant%s out of the arena: %s bytes.", constants, plural(constants),
       asci_commas(commas, bytes));
  note(made, reloads, "Streamed constants are loaded again %u time%s: between two uses they are gone.", reloads,
       plural(reloads));
  note(made, workspaces, "%u workspace%s left out.", workspaces, plural(workspaces));
  note(made, empty, "%u tensor%s of 0 bytes: no buffer.", empty, plural(empty));
  note(made, idle, "%u tensor%s that no operator names: no buffer.", idle, plural(idle));
  note(made, l->refused_aliases,
       "%u alias pair%s not used: their bytes or alignments do not match, or one is a variable or a workspace.",
       l->refused_aliases, plural(l->refused_aliases));
  note(made, l->refused_inplace,
       "%u in-place pair%s not used: the input has other readers or another size, or is not an activation.",
       l->refused_inplace, plural(l->refused_inplace));
  if (made->load > made->budgets.peak) note_order(made);
  note(made, asc_problem_count(made->problem) == 0, "No tensor has a buffer: there is nothing to plan.");
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static asc_status build(asc_lowering *made, asc_diag *diag) {
  const asci_lowered *l = &made->lowered;
  const asc_graph *g = l->graph;
  asci_stay_list all = {.context = l->context};
  asc_status status = asci_stays(l, made->schedule, asci_stay_keep, &all);
  if (!status) status = asci_situation(l, all.stays, (uint32_t)all.count, &made->problem, made->buffers, diag);
  asci_free(l->context, all.stays);
  if (status) return status;
  for (uint32_t t = 0; t < g->tensor_count; t++)
    if (l->store[t] != t) made->buffers[t] = made->buffers[l->store[t]];
  asc_budgets *budgets = &made->budgets;
  status = find_required(made, made->problem, &budgets->required);
  budgets->half = budgets->required + (budgets->peak - budgets->required) / 2;
  made->bound = budgets->required;
  if (!status) write_notes(made);
  return status;
}

static asc_status set_up(asci_lowered *l, asc_lowering *made) {
  asc_context *context = l->context;
  size_t n = l->graph->tensor_count, m = l->graph->op_count;
  l->view = asci_alloc(context, n, sizeof *l->view);
  l->next = asci_alloc(context, n, sizeof *l->next);
  l->store = asci_alloc(context, n, sizeof *l->store);
  l->kinds = asci_alloc(context, n, sizeof *l->kinds);
  l->size = asci_alloc(context, n, sizeof *l->size);
  l->alignment = asci_alloc(context, n, sizeof *l->alignment);
  l->absent = asci_alloc(context, n, sizeof *l->absent);
  made->schedule = asci_alloc(context, m, sizeof *made->schedule);
  made->buffers = asci_alloc(context, n + m, sizeof *made->buffers);
  bool room =
      l->view && l->next && l->store && l->kinds && l->size && l->alignment && l->absent && made->schedule && made->buffers;
  return room ? ASC_OK : ASC_OUT_OF_MEMORY;
}

static asc_status lower(asc_lowering *made, asc_diag *diag) {
  asci_lowered *l = &made->lowered;
  size_t n = l->graph->tensor_count, m = l->graph->op_count;
  asc_status status = set_up(l, made);
  uint32_t *trial = asci_alloc(l->context, m, sizeof *trial);
  uint32_t *scratch = asci_alloc(l->context, n > m ? n : m, sizeof *scratch);
  if (!trial || !scratch) status = ASC_OUT_OF_MEMORY;
  if (!status) status = asci_share(l);
  if (!status) status = schedule_all(l, made, trial, scratch);
  if (!status) status = build(made, diag);
  asci_free(l->context, trial);
  asci_free(l->context, scratch);
  return status;
}

asc_status asc_lower(const asc_graph *graph, const asc_option_value *options, uint32_t count, asc_lowering **lowering,
                     asc_diag *diag) {
  if (!graph || !graph->frozen || !lowering || (count && !options))
    return asci_complain(diag, ASC_BAD_ARGUMENT, "", "%s", asc_status_text(ASC_BAD_ARGUMENT));
  asci_lower_settings set;
  asc_status status = read_settings(options, count, &set, diag);
  if (status) return status;
  asc_lowering *made = asci_calloc(graph->context, 1, sizeof *made);
  if (made) {
    made->lowered = (asci_lowered){.graph = graph, .context = graph->context, .set = set};
    status = lower(made, diag);
  } else
    status = ASC_OUT_OF_MEMORY;
  if (!status)
    *lowering = made;
  else
    asc_lowering_free(made);
  return status == ASC_OUT_OF_MEMORY ? asci_refuse(diag, status) : status;
}

void asc_lowering_free(asc_lowering *lowering) {
  if (!lowering) return;
  const asci_lowered *l = &lowering->lowered;
  asc_problem_free(lowering->problem);
  asc_problem_free(lowering->applied);
  void *const blocks[] = {l->view,      l->next,   l->store,           l->kinds,         l->size,
                          l->alignment, l->absent, lowering->schedule, lowering->buffers};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(l->context, blocks[k]);
  asci_free(l->context, lowering);
}

/* ---- the memory that it is for --------------------------------------------------------------------------------------- */

asc_status asc_lowering_set_profile(asc_lowering *lowering, const asc_profile *profile, asc_diag *diag) {
  asc_problem *applied = NULL;
  int64_t bound = lowering->budgets.required;
  asc_status status = profile ? asc_profile_apply(lowering->problem, profile, &applied, diag) : ASC_OK;
  if (!status && profile) status = find_required(lowering, applied, &bound);
  if (status) {
    asc_problem_free(applied);
    return status;
  }
  asc_problem_free(lowering->applied);
  lowering->applied = applied;
  lowering->bound = bound;
  if (profile) lowering->profile = *profile;
  return ASC_OK;
}

const asc_problem *asc_lowering_problem(const asc_lowering *lowering) {
  return lowering->applied ? lowering->applied : lowering->problem;
}

const asc_problem *asc_lowering_plain(const asc_lowering *lowering) {
  return lowering->problem;
}

const uint32_t *asc_lowering_schedule(const asc_lowering *lowering) {
  return lowering->schedule;
}

const uint32_t *asc_lowering_buffers(const asc_lowering *lowering) {
  return lowering->buffers;
}

const uint32_t *asc_lowering_workspaces(const asc_lowering *lowering) {
  return lowering->buffers + lowering->lowered.graph->tensor_count;
}

const char *asc_lowering_note(const asc_lowering *lowering, uint32_t k) {
  return k < lowering->note_count ? lowering->notes[k] : NULL;
}

asc_budgets asc_lowering_budgets(const asc_lowering *lowering) {
  return lowering->budgets;
}

static uint64_t fold_list(uint64_t hash, const uint32_t *items, uint32_t count) {
  hash = asci_fold(hash, count);
  for (uint32_t k = 0; k < count; k++) hash = asci_fold(hash, items[k]);
  return hash;
}

/* The buffers under the schedule tell sizes and profile; the rest is what decides others. */
uint64_t asci_graph_digest(const asc_lowering *lowering) {
  const asci_lowered *l = &lowering->lowered;
  const asc_graph *g = l->graph;
  uint64_t hash = asci_fold(asc_problem_digest(asc_lowering_problem(lowering)), g->tensor_count);
  hash = asci_fold(hash, (uint64_t)l->set.prefetch * 8u + l->set.constants * 2u + l->set.preserve_inputs);
  hash = fold_list(hash, lowering->schedule, g->op_count);
  hash = fold_list(hash, l->store, g->tensor_count);
  hash = fold_list(hash, l->kinds, g->tensor_count);
  for (uint32_t op = 0; op < g->op_count; op++) {
    const asc_op_spec *spec = &g->ops[op];
    hash = asci_fold_text(hash, spec->id);
    hash = fold_list(hash, spec->inputs, spec->input_count);
    hash = fold_list(hash, spec->outputs, spec->output_count);
    hash = asci_fold(hash, (uint64_t)spec->workspace);
  }
  return hash;
}

asc_status asc_lowering_situation(const asc_lowering *lowering, const asc_stay *stays, uint32_t count, bool plain,
                                  asc_problem **problem, asc_diag *diag) {
  asc_problem *made;
  asc_status status = asci_situation(&lowering->lowered, stays, count, &made, NULL, diag);
  if (status || plain || !lowering->applied) {
    if (!status) *problem = made;
    return status;
  }
  status = asc_profile_apply(made, &lowering->profile, problem, diag);
  asc_problem_free(made);
  return status;
}
