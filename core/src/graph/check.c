/* Freezing a graph: who makes and reads what, who waits for whom, and all that can be wrong with that. */
#include "graph/graph.h"

#include "base/text/format.h"

#include <string.h>

typedef struct checker {
  asc_graph *graph;
  asci_fault_report report;
  void *user;
  size_t faults;
  /* Per tensor, the operator that last … */
  uint32_t *read, *made; /* named it as an input, as an output */
  uint32_t *touched;     /* named it at all; of variables only */
} checker;

static void fault(checker *c, asci_fault where, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void fault(checker *c, asci_fault where, const char *format, ...) {
  char message[200];
  va_list arguments;
  va_start(arguments, format);
  asci_format_list(message, sizeof message, format, arguments);
  va_end(arguments);
  c->faults++;
  c->report(c->user, &where, message);
}

/* Ids as messages cite them: two fit into one. */
#define ID "\xe2\x80\x9c%.60s\xe2\x80\x9d"

static asci_fault at_use(uint32_t op, uint32_t use, const char *field) {
  return (asci_fault){.tensor = ASC_NONE, .op = op, .use = use, .field = field};
}

/* ---- producers and readers ------------------------------------------------------------------------------------------- */

static void check_output(checker *c, uint32_t op, uint32_t k) {
  asc_graph *g = c->graph;
  const asc_op_spec *spec = &g->ops[op];
  uint32_t tensor = spec->outputs[k], use = spec->input_count + k;
  const asc_tensor_spec *made = &g->tensors[tensor];
  uint32_t first = g->producer[tensor];
  if (first == ASC_NONE) g->producer[tensor] = op;
  if (made->kind & (ASC_TENSOR_INPUT | ASC_TENSOR_CONSTANT))
    fault(c, at_use(op, use, "outputs"), "have " ID ", %s, which no operator may make", made->id,
          made->kind & ASC_TENSOR_INPUT ? "an input of the model" : "a constant");
  else if (first != ASC_NONE && !(made->kind & (ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE)))
    fault(c, at_use(op, use, "outputs"), "have " ID ", which " ID " makes already", made->id, g->ops[first].id);
  c->made[tensor] = op;
}

static void check_pairs(checker *c, uint32_t op, const asc_tensor_pair *pairs, uint32_t count, uint32_t use,
                        const char *field) {
  const asc_graph *g = c->graph;
  for (uint32_t k = 0; k < count; k++) {
    const char *output = g->tensors[pairs[k].output].id, *input = g->tensors[pairs[k].input].id;
    if (c->made[pairs[k].output] != op)
      fault(c, at_use(op, use + k, field), "has " ID ", expected an output of the operator", output);
    else if (c->read[pairs[k].input] != op)
      fault(c, at_use(op, use + k, field), "has " ID ", expected an input of the operator", input);
  }
}

/* An output cannot be two things at once. */
static void check_alias(checker *c, uint32_t op) {
  const asc_op_spec *spec = &c->graph->ops[op];
  uint32_t use = spec->input_count + spec->output_count + spec->inplace_count;
  check_pairs(c, op, spec->alias, spec->alias_count, use, "alias");
  for (uint32_t k = 0; k < spec->alias_count; k++) {
    uint32_t output = spec->alias[k].output;
    if (c->made[output] != op) continue;
    if (c->touched[output] == op)
      fault(c, at_use(op, use + k, "alias"), "has " ID " twice, expected one pair for it", c->graph->tensors[output].id);
    c->touched[output] = op;
  }
}

static void check_lists(checker *c) {
  asc_graph *g = c->graph;
  for (uint32_t op = 0; op < g->op_count; op++) {
    const asc_op_spec *spec = &g->ops[op];
    for (uint32_t k = 0; k < spec->input_count; k++) c->read[spec->inputs[k]] = op;
    for (uint32_t k = 0; k < spec->output_count; k++) check_output(c, op, k);
    check_pairs(c, op, spec->inplace, spec->inplace_count, spec->input_count + spec->output_count, "inplace");
    check_alias(c, op);
  }
}

/* What must be made by somebody, and is not. A tensor that nobody names may be left over from a model that was cut. */
static void check_made(checker *c) {
  const uint32_t given = ASC_TENSOR_INPUT | ASC_TENSOR_CONSTANT | ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE;
  const asc_graph *g = c->graph;
  for (uint32_t t = 0; t < g->tensor_count; t++)
    if (g->producer[t] == ASC_NONE && (g->tensors[t].kind & ASC_TENSOR_OUTPUT) && !(g->tensors[t].kind & given))
      fault(c, (asci_fault){.tensor = t, .op = ASC_NONE, .use = ASC_NONE, .field = "kind"},
            "is output, but no operator makes " ID, g->tensors[t].id);
  for (uint32_t op = 0; op < g->op_count; op++)
    for (uint32_t k = 0; k < g->ops[op].input_count; k++) {
      const asc_tensor_spec *tensor = &g->tensors[g->ops[op].inputs[k]];
      if (g->producer[g->ops[op].inputs[k]] == ASC_NONE && tensor->kind == 0)
        fault(c, at_use(op, k, "inputs"), "have " ID ", an activation that no operator makes", tensor->id);
    }
}

/* begin[k + 1] holds how many entries row k has; makes it where they begin. Returns the number of all. */
static uint32_t sum_up(uint32_t *begin, uint32_t rows) {
  for (uint32_t k = 0; k < rows; k++) begin[k + 1] += begin[k];
  return begin[rows];
}

/* Counts who reads each tensor or, where readers is given, enters them. Who names a variable or a workspace may read it. */
static void name_readers(checker *c, uint32_t *readers) {
  const asc_graph *g = c->graph;
  if (g->tensor_count) memset(c->read, 0xff, g->tensor_count * sizeof *c->read);
  for (uint32_t op = 0; op < g->op_count; op++) {
    const asc_op_spec *spec = &g->ops[op];
    for (uint32_t k = 0; k < spec->input_count + spec->output_count; k++) {
      uint32_t tensor = k < spec->input_count ? spec->inputs[k] : spec->outputs[k - spec->input_count];
      bool reads = k < spec->input_count || (g->tensors[tensor].kind & (ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE));
      if (!reads || c->read[tensor] == op) continue;
      c->read[tensor] = op;
      if (readers)
        readers[g->reader_begin[tensor]++] = op;
      else
        g->reader_begin[tensor + 1]++;
    }
  }
}

static asc_status gather_readers(checker *c) {
  asc_graph *g = c->graph;
  name_readers(c, NULL);
  g->readers = asci_alloc(g->context, sum_up(g->reader_begin, g->tensor_count), sizeof *g->readers);
  if (!g->readers) return ASC_OUT_OF_MEMORY;
  name_readers(c, g->readers);
  /* each begin has moved to its row's end */
  for (uint32_t t = g->tensor_count; t > 0; t--) g->reader_begin[t] = g->reader_begin[t - 1];
  g->reader_begin[0] = 0;
  return ASC_OK;
}

/* ---- who waits for whom ---------------------------------------------------------------------------------------------- */

/* The operator that op waits for by naming the tensor, or ASC_NONE. Operators that name one variable keep their order, since any of them
   may change it. */
static uint32_t awaited(checker *c, uint32_t op, uint32_t tensor, bool is_input) {
  const asc_graph *g = c->graph;
  if (g->tensors[tensor].kind & ASC_TENSOR_WORKSPACE) return ASC_NONE;
  if (!(g->tensors[tensor].kind & ASC_TENSOR_VARIABLE)) return is_input ? g->producer[tensor] : ASC_NONE;
  uint32_t before = c->touched[tensor];
  c->touched[tensor] = op;
  return before == op ? ASC_NONE : before;
}

/* Counts the edges into begin or, where after is given, enters them from begin on. */
static void edges(checker *c, uint32_t *begin, uint32_t *after) {
  const asc_graph *g = c->graph;
  if (g->tensor_count) memset(c->touched, 0xff, g->tensor_count * sizeof *c->touched);
  for (uint32_t op = 0; op < g->op_count; op++) {
    const asc_op_spec *spec = &g->ops[op];
    for (uint32_t k = 0; k < spec->input_count + spec->output_count; k++) {
      bool is_input = k < spec->input_count;
      uint32_t tensor = is_input ? spec->inputs[k] : spec->outputs[k - spec->input_count];
      uint32_t from = awaited(c, op, tensor, is_input);
      if (from == ASC_NONE) continue;
      if (after)
        after[begin[from]++] = op;
      else
        begin[from + 1]++, g->waits[op]++;
    }
  }
}

static asc_status gather_edges(checker *c) {
  asc_graph *g = c->graph;
  edges(c, g->after_begin, NULL);
  g->after = asci_alloc(g->context, sum_up(g->after_begin, g->op_count), sizeof *g->after);
  if (!g->after) return ASC_OUT_OF_MEMORY;
  edges(c, g->after_begin, g->after);
  for (uint32_t op = g->op_count; op > 0; op--) g->after_begin[op] = g->after_begin[op - 1];
  g->after_begin[0] = 0;
  return ASC_OK;
}

/* Names one round of operators that wait for each other. Those that no schedule reaches are on such a round or behind one: each waits for
   another of them, and following these must come round. */
static asc_status report_cycle(checker *c, const uint32_t *schedule, uint32_t reached_count) {
  const asc_graph *g = c->graph;
  uint32_t n = g->op_count, *before = asci_alloc(g->context, n, sizeof *before);
  bool *reached = asci_calloc(g->context, n, sizeof *reached);
  if (before && reached) {
    for (uint32_t k = 0; k < reached_count; k++) reached[schedule[k]] = true;
    for (uint32_t op = 0; op < n; op++)
      for (uint32_t k = g->after_begin[op]; !reached[op] && k < g->after_begin[op + 1]; k++) before[g->after[k]] = op;
    uint32_t op = 0, length = 0;
    while (reached[op]) op++;
    for (uint32_t k = 0; k < n; k++) op = before[op];
    uint32_t first = op, at = op;
    do {
      if (at < first) first = at;
      at = before[at];
      length++;
    } while (at != op);
    asci_fault where = {.tensor = ASC_NONE, .op = first, .use = ASC_NONE, .field = "op"};
    if (length == 1)
      fault(c, where, "waits for itself: " ID " reads what it makes", g->ops[first].id);
    else
      fault(c, where, "waits for itself: " ID " comes after " ID ", in a round of %u operators", g->ops[first].id,
            g->ops[before[first]].id, length);
  }
  asci_free(g->context, before);
  asci_free(g->context, reached);
  return before && reached ? ASC_OK : ASC_OUT_OF_MEMORY;
}

static void report_late(checker *c) {
  const asc_graph *g = c->graph;
  for (uint32_t op = 0; op < g->op_count; op++)
    for (uint32_t k = 0; k < g->ops[op].input_count; k++) {
      const asc_tensor_spec *tensor = &g->tensors[g->ops[op].inputs[k]];
      uint32_t maker = g->producer[g->ops[op].inputs[k]];
      if (maker == ASC_NONE || maker <= op || (tensor->kind & (ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE))) continue;
      fault(c, at_use(op, k, "inputs"), "have " ID ", which " ID " makes only later: the order is no schedule", tensor->id,
            g->ops[maker].id);
    }
}

static asc_status check_order(checker *c) {
  asc_graph *g = c->graph;
  uint32_t *schedule = asci_alloc(g->context, g->op_count, sizeof *schedule);
  uint32_t *scratch = asci_alloc(g->context, g->op_count, sizeof *scratch);
  asc_status status = schedule && scratch ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!status) {
    uint32_t reached = asci_order(g, false, schedule, scratch);
    if (reached < g->op_count)
      status = report_cycle(c, schedule, reached);
    else
      report_late(c);
  }
  asci_free(g->context, schedule);
  asci_free(g->context, scratch);
  return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static uint32_t *no_one(asc_context *context, uint32_t count) {
  uint32_t *made = asci_alloc(context, count, sizeof *made);
  if (made && count) memset(made, 0xff, count * sizeof *made);
  return made;
}

static asc_status check(checker *c) {
  asc_graph *g = c->graph;
  g->producer = no_one(g->context, g->tensor_count);
  g->reader_begin = asci_calloc(g->context, (size_t)g->tensor_count + 1, sizeof *g->reader_begin);
  g->after_begin = asci_calloc(g->context, (size_t)g->op_count + 1, sizeof *g->after_begin);
  g->waits = asci_calloc(g->context, g->op_count, sizeof *g->waits);
  if (!g->producer || !g->reader_begin || !g->after_begin || !g->waits) return ASC_OUT_OF_MEMORY;
  if (g->op_count == 0)
    fault(c, (asci_fault){.tensor = ASC_NONE, .op = ASC_NONE, .use = ASC_NONE, .field = "op"},
          "is missing, expected at least one operator");
  check_lists(c);
  check_made(c);
  asc_status status = gather_readers(c);
  if (!status) status = gather_edges(c);
  if (!status) status = check_order(c);
  return status;
}

void asci_graph_thaw(asc_graph *graph) {
  uint32_t **const made[] = {&graph->producer,    &graph->reader_begin, &graph->readers,
                             &graph->after_begin, &graph->after,        &graph->waits};
  for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
    asci_free(graph->context, *made[k]);
    *made[k] = NULL;
  }
}

asc_status asci_graph_freeze(asc_graph *graph, asci_fault_report report, void *user) {
  asc_context *context = graph->context;
  uint32_t n = graph->tensor_count;
  checker c = {.graph = graph, .report = report, .user = user};
  c.read = no_one(context, n);
  c.made = no_one(context, n);
  c.touched = no_one(context, n);
  asc_status status = c.read && c.made && c.touched ? check(&c) : ASC_OUT_OF_MEMORY;
  asci_free(context, c.read);
  asci_free(context, c.made);
  asci_free(context, c.touched);
  if (!status && c.faults) status = ASC_BAD_INPUT;
  graph->frozen = !status;
  if (status) asci_graph_thaw(graph);
  return status;
}
