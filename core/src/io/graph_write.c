/* Writes a graph CSV that reads back as the same graph. */
#include "graph/graph.h"
#include "io/csv/put.h"

#include <string.h>

/* Tensors by name between semicolons. A pair is two of them with an equals sign. */
typedef struct tensor_list {
  const uint32_t *tensors;
  uint32_t count; /* of tensors */
  bool pairs;
} tensor_list;

static tensor_list list_of(const uint32_t *tensors, uint32_t count) {
  return (tensor_list){tensors, count, false};
}

/* A pair is stored as its output and its input. */
static tensor_list list_of_pairs(const asc_tensor_pair *pairs, uint32_t count) {
  return (tensor_list){(const uint32_t *)pairs, 2 * count, true};
}

static void put_list(csv_writer *writer, const asc_graph *graph, tensor_list list) {
  bool quoted = false;
  for (uint32_t k = 0; k < list.count && !quoted; k++) quoted = strpbrk(graph->tensors[list.tensors[k]].id, ", \t\"\r\n");
  asci_csv_put(writer, ',');
  if (quoted) asci_csv_put(writer, '"');
  for (uint32_t k = 0; k < list.count; k++) {
    if (k) asci_csv_put(writer, list.pairs && k % 2 ? '=' : ';');
    asci_csv_put_escaped(writer, graph->tensors[list.tensors[k]].id, "\\;=");
  }
  if (quoted) asci_csv_put(writer, '"');
}

static void put_kind(csv_writer *writer, uint32_t kind) {
  static const char *const names[] = {"input", "output", "constant", "variable", "workspace"};
  bool first = true;
  for (uint32_t k = 0; k < sizeof names / sizeof *names; k++) {
    if (!(kind >> k & 1)) continue;
    if (!first) asci_csv_put(writer, '+');
    asci_csv_put_text(writer, names[k]);
    first = false;
  }
  if (first) asci_csv_put_text(writer, "activation");
}

static void put_more(csv_writer *writer, const char *text) {
  asci_csv_put(writer, ',');
  asci_csv_put_cell(writer, text);
}

/* Cells at the end that say nothing are left out. */
static void put_tensor(csv_writer *writer, const asc_tensor_spec *tensor) {
  asci_csv_put_text(writer, "tensor");
  put_more(writer, tensor->id);
  asci_csv_put(writer, ',');
  asci_csv_put_number(writer, tensor->bytes);
  bool dtype = *tensor->dtype || *tensor->axes, shape = *tensor->shape || dtype, alignment = tensor->alignment != 1 || shape;
  if (tensor->kind || alignment) {
    asci_csv_put(writer, ',');
    put_kind(writer, tensor->kind);
  }
  if (alignment) {
    asci_csv_put(writer, ',');
    asci_csv_put_number(writer, tensor->alignment);
  }
  if (shape) put_more(writer, tensor->shape);
  if (dtype) put_more(writer, tensor->dtype);
  if (*tensor->axes) put_more(writer, tensor->axes);
  asci_csv_put(writer, '\n');
}

static void put_op(csv_writer *writer, const asc_graph *graph, const asc_op_spec *op) {
  asci_csv_put_text(writer, "op");
  put_more(writer, op->id);
  put_more(writer, op->type);
  put_list(writer, graph, list_of(op->inputs, op->input_count));
  put_list(writer, graph, list_of(op->outputs, op->output_count));
  bool workspace = op->workspace > 0 || *op->windows, alias = op->alias_count || workspace;
  if (op->inplace_count || alias) put_list(writer, graph, list_of_pairs(op->inplace, op->inplace_count));
  if (alias) put_list(writer, graph, list_of_pairs(op->alias, op->alias_count));
  if (workspace) {
    asci_csv_put(writer, ',');
    if (op->workspace) asci_csv_put_number(writer, op->workspace);
  }
  if (*op->windows) put_more(writer, op->windows);
  asci_csv_put(writer, '\n');
}

asc_status asc_graph_csv_write(const asc_graph *graph, asc_sink sink, void *user) {
  if (!graph || !sink) return ASC_BAD_ARGUMENT;
  csv_writer writer = {.sink = sink, .user = user};
  for (uint32_t t = 0; t < graph->tensor_count && !writer.stopped; t++) put_tensor(&writer, &graph->tensors[t]);
  for (uint32_t op = 0; op < graph->op_count && !writer.stopped; op++) put_op(&writer, graph, &graph->ops[op]);
  return asci_csv_put_end(&writer);
}
