/* From a graph and its options to a buffer problem. The rules are those of LiteRT's arena planner, TensorFlow Lite Micro and Vela where
 * they agree. */
#include "graph/lower.h"

#include "base/diag.h"
#include "base/format.h"
#include "base/options.h"

#include <string.h>

enum { NOTES = 9, NOTE_ROOM = 200 };

struct asc_lowering {
  asc_context *context;
  asci_arena names; /* of buffers that are no tensor's first */
  asc_problem *problem;
  uint32_t *schedule, *buffers, *workspaces;
  asc_budgets budgets;
  int64_t load;        /* of the schedule that runs; budgets.peak is that of the best order */
  uint32_t best_order; /* the first that has it */
  uint32_t note_count;
  char notes[NOTES][NOTE_ROOM];
};

/* ---- options --------------------------------------------------------------------------------------------------------- */

static const asc_option table[] = {
    {"constants", ASC_OPTION_CHOICE, "Constants", "out", 0, 0, "out|resident|streamed",
     "Weights are out of the arena, in it all the time, or loaded into it for each use."},
    {"prefetch", ASC_OPTION_INT, "Prefetch distance", "3", 0, ASC_MAX_BUFFERS, NULL,
     "A streamed constant is loaded this many operators ahead."},
    {"preserve_inputs", ASC_OPTION_BOOL, "Preserve inputs", "false", 0, 0, NULL,
     "The model's inputs are kept to the end instead of until their last use."},
    {"inplace", ASC_OPTION_BOOL, "In place", "false", 0, 0, NULL,
     "An output is written over an input of its operator where the graph allows it and nobody else reads that."},
    {"alias", ASC_OPTION_BOOL, "Alias", "true", 0, 0, NULL,
     "A reshape and its like give the same bytes another shape and take no memory of their own."},
    {"workspace", ASC_OPTION_BOOL, "Workspace", "true", 0, 0, NULL, "The operators' scratch memory is part of the plan."},
    {"alignment", ASC_OPTION_INT, "Alignment", "1", 1, ASC_MAX_TENSOR_ALIGNMENT, NULL,
     "Bytes; a tensor that asks for its own gets a multiple of both."},
    {"align_by", ASC_OPTION_CHOICE, "Align", "offset", 0, 0, "offset|size|both",
     "Offsets are multiples of the alignment, sizes are rounded up to one, or both."},
    {"order", ASC_OPTION_CHOICE, "Schedule", "file", 0, 0, "file|depth-first|breadth-first|greedy",
     "As in the file; what became ready last first; what became ready first first; what leaves the fewest bytes alive "
     "first."},
};
enum { CONSTANTS, PREFETCH, PRESERVE, INPLACE, ALIAS, WORKSPACE, ALIGNMENT, ALIGN_BY, ORDER, OPTIONS };

const asc_option *asc_lower_options(uint32_t *count) {
  *count = OPTIONS;
  return table;
}

static uint32_t choice(const char *const *values, uint32_t option) {
  return (uint32_t)asci_find_choice(table[option].choices, values[option]);
}

static asc_status read_settings(const asc_option_value *options, uint32_t count, asci_lower_settings *set, asc_diag *diag) {
  const asci_option_table all = {"lowering", table, OPTIONS};
  const char *values[OPTIONS];
  asc_status status = asci_options_read(&all, options, count, values, diag);
  if (status) return status;
  int64_t prefetch = 0;
  asci_option_number(&table[PREFETCH], values[PREFETCH], &prefetch);
  asci_option_number(&table[ALIGNMENT], values[ALIGNMENT], &set->alignment);
  set->constants = choice(values, CONSTANTS);
  set->prefetch = (uint32_t)prefetch;
  set->preserve_inputs = asci_is_true(values[PRESERVE]);
  set->inplace = asci_is_true(values[INPLACE]);
  set->alias = asci_is_true(values[ALIAS]);
  set->workspace = asci_is_true(values[WORKSPACE]);
  set->align_by = choice(values, ALIGN_BY);
  set->order = choice(values, ORDER);
  return ASC_OK;
}

/* ---- budgets --------------------------------------------------------------------------------------------------------- */

static int64_t required(const asci_lowered *l, uint32_t *seen) {
  const asc_graph *g = l->graph;
  int64_t most = 0;
  if (g->tensor_count) memset(seen, 0xff, g->tensor_count * sizeof *seen);
  for (uint32_t op = 0; op < g->op_count; op++) {
    const asc_op_spec *spec = &g->ops[op];
    int64_t sum = l->set.workspace ? asci_rounded(l, spec->workspace) : 0;
    /* outputs first: an operator that makes a constant's bytes under another name needs none of them */
    for (uint32_t k = 0; k < spec->output_count + spec->input_count; k++) {
      bool output = k < spec->output_count;
      uint32_t store = l->store[output ? spec->outputs[k] : spec->inputs[k - spec->output_count]];
      bool passed_on = output && (l->kinds[store] & ASC_TENSOR_CONSTANT);
      if (!l->absent[store] && seen[store] != op && !passed_on) sum += l->size[store];
      seen[store] = op;
    }
    if (sum > most) most = sum;
  }
  return most;
}

/* Changes of the load: entry k is what comes at time k less what ended there. */
static asc_status note_change(void *user, const asci_span *span) {
  int64_t *change = user;
  change[span->lower] += span->size;
  change[span->upper] -= span->size;
  return ASC_OK;
}

static asc_status peak_of(const asci_lowered *l, const uint32_t *schedule, int64_t *peak) {
  uint32_t n = l->graph->op_count;
  int64_t *change = asci_calloc(l->context, (size_t)n + 1, sizeof *change);
  if (!change) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_spans(l, schedule, note_change, change);
  int64_t load = 0;
  *peak = 0;
  for (uint32_t k = 0; k < n; k++) {
    load += change[k];
    if (load > *peak) *peak = load;
  }
  asci_free(l->context, change);
  return status;
}

/* Tries every schedule, keeps the one that was asked for, and the least peak. */
static asc_status schedule_all(const asci_lowered *l, asc_lowering *made, uint32_t *trial, uint32_t *scratch) {
  asc_status status = ASC_OK;
  made->budgets = (asc_budgets){.required = required(l, scratch), .peak = INT64_MAX};
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
  made->budgets.half = made->budgets.required + (made->budgets.peak - made->budgets.required) / 2;
  return status;
}

/* ---- buffers --------------------------------------------------------------------------------------------------------- */

typedef struct builder {
  const asci_lowered *l;
  asc_lowering *made;
  asci_ids names;   /* that are no tensor's */
  uint32_t reloads; /* of streamed constants */
  asc_diag *diag;
} builder;

/* base, ":" and what, and a further number if that is a name already. Of a long base the start, with the index that tells it from others of
   that start, cut between characters. */
static asc_status make_name(builder *b, const char *base, uint32_t index, const char *what, const char **name) {
  char text[256], long_base[224];
  size_t length = strlen(base);
  if (length > 200) {
    length = 200;
    while (length > 196 && ((unsigned char)base[length] & 0xc0) == 0x80) length--;
    asci_format(long_base, sizeof long_base, "%.*s~%u", (int)length, base, index);
    base = long_base;
  }
  for (uint32_t number = 1;; number++) {
    size_t bytes = asci_format(text, sizeof text, "%s:%s", base, what);
    if (number > 1) bytes += asci_format(text + bytes, sizeof text - bytes, ":%u", number);
    if (asci_ids_find(&b->l->graph->tensor_ids, text, bytes) || asci_ids_find(&b->names, text, bytes)) continue;
    char *copy = asci_arena_alloc(b->l->context, &b->made->names, bytes + 1);
    uint32_t first;
    *name = copy;
    if (!copy) return ASC_OUT_OF_MEMORY;
    memcpy(copy, text, bytes + 1);
    return asci_ids_enter(b->l->context, &b->names, (asci_id){copy, bytes, 1}, &first);
  }
}

static asc_status add_buffer(void *user, const asci_span *span) {
  builder *b = user;
  const asci_lowered *l = b->l;
  asc_status status = ASC_OK;
  asc_buffer_spec spec = {.lower = span->lower, .upper = span->upper, .size = span->size, .alignment = 1};
  spec.offset = spec.hint = ASC_UNPLACED;
  uint32_t *index = span->op != ASC_NONE ? &b->made->workspaces[span->op] : &b->made->buffers[span->store];
  if (span->op != ASC_NONE) {
    if (l->set.align_by != ASCI_ALIGN_SIZE) spec.alignment = l->set.alignment;
    status = make_name(b, l->graph->ops[span->op].id, span->op, "workspace", &spec.id);
  } else {
    spec.alignment = l->alignment[span->store];
    spec.id = l->graph->tensors[span->store].id;
    char turn[16];
    asci_format(turn, sizeof turn, "%u", span->turn + 1);
    if (span->turn) status = make_name(b, spec.id, span->store, turn, &spec.id);
  }
  if (status) return status;
  if (span->turn)
    b->reloads++;
  else
    *index = asc_problem_count(b->made->problem);
  return asc_problem_add(b->made->problem, &spec, b->diag);
}

/* ---- notes ----------------------------------------------------------------------------------------------------------- */

static void note(asc_lowering *made, uint32_t count, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Says it if it happened at all. */
static void note(asc_lowering *made, uint32_t count, const char *format, ...) {
  if (!count) return;
  va_list arguments;
  va_start(arguments, format);
  asci_format_list(made->notes[made->note_count++], NOTE_ROOM, format, arguments);
  va_end(arguments);
}

static const char *plural(uint32_t count) {
  return count == 1 ? "" : "s";
}

/* The budget "peak" may be less than what this order can do with: a plan that must fit it would fail without a word of why. */
static void note_order(asc_lowering *made) {
  const char *name = table[ORDER].choices;
  for (uint32_t k = 0; k < made->best_order; k++) name = strchr(name, '|') + 1;
  char best[ASCI_COMMAS], load[ASCI_COMMAS];
  note(made, 1, "The schedule \xe2\x80\x9c%.*s\xe2\x80\x9d would have a lower peak: %s bytes instead of %s.",
       (int)strcspn(name, "|"), name, asci_commas(best, made->budgets.peak), asci_commas(load, made->load));
}

static void write_notes(const builder *b) {
  const asci_lowered *l = b->l;
  const asc_graph *g = l->graph;
  uint32_t constants = 0, empty = 0, idle = 0, workspaces = 0;
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
  asc_lowering *made = b->made;
  note(made, constants, "%u constant%s out of the arena: %s bytes.", constants, plural(constants),
       asci_commas(commas, bytes));
  note(made, b->reloads, "Streamed constants are loaded again %u time%s: between two uses they are gone.", b->reloads,
       plural(b->reloads));
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

static asc_status build(const asci_lowered *l, asc_lowering *made, asc_diag *diag) {
  const asc_graph *g = l->graph;
  builder b = {.l = l, .made = made, .diag = diag};
  if (g->tensor_count) memset(made->buffers, 0xff, g->tensor_count * sizeof *made->buffers);
  memset(made->workspaces, 0xff, g->op_count * sizeof *made->workspaces);
  asc_status status = asc_problem_new(l->context, &made->problem);
  if (!status) status = asci_spans(l, made->schedule, add_buffer, &b);
  if (!status) status = asc_problem_freeze(made->problem, diag);
  for (uint32_t t = 0; t < g->tensor_count; t++)
    if (l->store[t] != t) made->buffers[t] = made->buffers[l->store[t]];
  if (!status) write_notes(&b);
  asci_ids_free(l->context, &b.names);
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
  made->workspaces = asci_alloc(context, m, sizeof *made->workspaces);
  made->buffers = asci_alloc(context, n, sizeof *made->buffers);
  bool room = l->view && l->next && l->store && l->kinds && l->size && l->alignment && l->absent && made->schedule &&
              made->workspaces && made->buffers;
  return room ? ASC_OK : ASC_OUT_OF_MEMORY;
}

static asc_status lower(asci_lowered *l, asc_lowering *made, asc_diag *diag) {
  size_t n = l->graph->tensor_count, m = l->graph->op_count;
  asc_status status = set_up(l, made);
  uint32_t *trial = asci_alloc(l->context, m, sizeof *trial);
  uint32_t *scratch = asci_alloc(l->context, n > m ? n : m, sizeof *scratch);
  if (!trial || !scratch) status = ASC_OUT_OF_MEMORY;
  if (!status) status = asci_share(l);
  if (!status) status = schedule_all(l, made, trial, scratch);
  if (!status) status = build(l, made, diag);
  void *const blocks[] = {l->view, l->next, l->store, l->kinds, l->size, l->alignment, l->absent, trial, scratch};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(l->context, blocks[k]);
  return status;
}

asc_status asc_lower(const asc_graph *graph, const asc_option_value *options, uint32_t count, asc_lowering **lowering,
                     asc_diag *diag) {
  if (!graph || !graph->frozen || !lowering || (count && !options))
    return asci_complain(diag, ASC_BAD_ARGUMENT, "", "%s", asc_status_text(ASC_BAD_ARGUMENT));
  asci_lowered l = {.graph = graph, .context = graph->context};
  asc_status status = read_settings(options, count, &l.set, diag);
  if (status) return status;
  asc_lowering *made = asci_calloc(graph->context, 1, sizeof *made);
  if (made) {
    made->context = graph->context;
    status = lower(&l, made, diag);
  } else
    status = ASC_OUT_OF_MEMORY;
  if (!status)
    *lowering = made;
  else
    asc_lowering_free(made);
  return status == ASC_OUT_OF_MEMORY ? asci_complain(diag, status, "", "%s", asc_status_text(status)) : status;
}

void asc_lowering_free(asc_lowering *lowering) {
  if (!lowering) return;
  asc_context *context = lowering->context;
  asc_problem_free(lowering->problem);
  asci_arena_free(context, &lowering->names);
  asci_free(context, lowering->schedule);
  asci_free(context, lowering->buffers);
  asci_free(context, lowering->workspaces);
  asci_free(context, lowering);
}

const asc_problem *asc_lowering_problem(const asc_lowering *lowering) {
  return lowering->problem;
}

const uint32_t *asc_lowering_schedule(const asc_lowering *lowering) {
  return lowering->schedule;
}

const uint32_t *asc_lowering_buffers(const asc_lowering *lowering) {
  return lowering->buffers;
}

const uint32_t *asc_lowering_workspaces(const asc_lowering *lowering) {
  return lowering->workspaces;
}

const char *asc_lowering_note(const asc_lowering *lowering, uint32_t k) {
  return k < lowering->note_count ? lowering->notes[k] : NULL;
}

asc_budgets asc_lowering_budgets(const asc_lowering *lowering) {
  return lowering->budgets;
}
