/* Building a graph: one tensor, one operator at a time. */
#include "graph/graph.h"

#include "base/diag.h"
#include "base/text/format.h"
#include "graph/window.h"

#include <string.h>

asc_status asc_graph_new(asc_context *context, asc_graph **graph) {
  if (!context || !graph) return ASC_BAD_ARGUMENT;
  asc_graph *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->context = context;
  *graph = made;
  return ASC_OK;
}

void asc_graph_free(asc_graph *graph) {
  if (!graph) return;
  asc_context *context = graph->context;
  asci_graph_thaw(graph);
  asci_arena_free(context, &graph->arena);
  asci_ids_free(context, &graph->tensor_ids);
  asci_ids_free(context, &graph->op_ids);
  asci_free(context, graph->tensors);
  asci_free(context, graph->ops);
  asci_free(context, graph);
}

static asc_status check_text(const char *text, const char *field, asc_diag *diag) {
  if (!text || memchr(text, 0, 256)) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, field, "is too long, expected at most 255 bytes");
}

/* Counts one more of n things, and their bytes. */
static asc_status check_room(const asc_graph *graph, uint32_t n, const char *field, int64_t bytes, asc_diag *diag) {
  if (n >= ASC_MAX_BUFFERS)
    return asci_complain(diag, ASC_TOO_LARGE, "id",
                         "is one too many, expected at most 1,048,576 tensors and as many operators");
  if (bytes < 0 || bytes > ASC_MAX_BYTES) return asci_out_of_range(diag, field, bytes, 0, ASC_MAX_BYTES);
  if (bytes <= ASC_MAX_BYTES - graph->total) return ASC_OK;
  return asci_complain(diag, ASC_TOO_LARGE, field,
                       "is too much: all tensors and workspaces together may be at most 9,007,199,254,740,991");
}

/* A copy in the graph's arena: "" for no text. */
static const char *keep_text(asc_graph *graph, const char *text) {
  size_t bytes = text ? strlen(text) + 1 : 1;
  char *copy = asci_arena_alloc(graph->context, &graph->arena, bytes);
  return copy ? memcpy(copy, text ? text : "", bytes) : NULL;
}

static asc_status enter(asc_graph *graph, asci_ids *ids, const char *id, uint32_t index, asc_diag *diag) {
  uint32_t first;
  if (asci_ids_enter(graph->context, ids, (asci_id){id, strlen(id), index + 1}, &first))
    return asci_refuse(diag, ASC_OUT_OF_MEMORY);
  if (!first) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, "id", "\xe2\x80\x9c%.150s\xe2\x80\x9d is already used", id);
}

/* ---- tensors --------------------------------------------------------------------------------------------------------- */

/* Letters, none of them twice. */
static asc_status check_axes(const char *axes, asc_diag *diag) {
  uint32_t seen = 0;
  for (const char *at = axes ? axes : ""; *at; at++) {
    bool letter = *at >= 'A' && *at <= 'Z';
    if (!letter || (seen >> (*at - 'A') & 1))
      return asci_complain(diag, ASC_BAD_INPUT, "axes",
                           "are not what is expected, a capital letter for each dimension: NCHW");
    seen |= 1u << (*at - 'A');
  }
  return ASC_OK;
}

static asc_status check_tensor(const asc_graph *graph, const asc_tensor_spec *spec, asc_diag *diag) {
  asc_status status = asci_check_id(spec->id, diag);
  if (!status) status = check_text(spec->shape, "shape", diag);
  if (!status) status = check_text(spec->dtype, "dtype", diag);
  if (!status) status = check_axes(spec->axes, diag);
  if (!status) status = check_room(graph, graph->tensor_count, "bytes", spec->bytes, diag);
  if (status) return status;
  if (spec->alignment < 1 || spec->alignment > ASC_MAX_TENSOR_ALIGNMENT)
    return asci_out_of_range(diag, "alignment", spec->alignment, 1, ASC_MAX_TENSOR_ALIGNMENT);
  uint32_t kind = spec->kind & ~(uint32_t)ASC_TENSOR_OUTPUT;
  bool one = kind <= ASC_TENSOR_WORKSPACE && (kind & (kind - 1)) == 0;
  if (one && spec->kind != (ASC_TENSOR_WORKSPACE | ASC_TENSOR_OUTPUT)) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, "kind",
                       "is contradictory, expected one of input, constant and variable, perhaps with output, or workspace");
}

asc_status asc_graph_add_tensor(asc_graph *graph, const asc_tensor_spec *spec, asc_diag *diag) {
  if (!graph || !spec || graph->frozen) return asci_refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = check_tensor(graph, spec, diag);
  if (status) return status;
  asc_tensor_spec made = *spec;
  made.id = keep_text(graph, spec->id);
  made.shape = keep_text(graph, spec->shape);
  made.dtype = keep_text(graph, spec->dtype);
  made.axes = keep_text(graph, spec->axes);
  if (!made.id || !made.shape || !made.dtype || !made.axes ||
      !asci_grow(graph->context, &graph->tensors, &graph->tensor_room, (size_t)graph->tensor_count + 1, sizeof made))
    return asci_refuse(diag, ASC_OUT_OF_MEMORY);
  status = enter(graph, &graph->tensor_ids, made.id, graph->tensor_count, diag);
  if (status) return status;
  graph->tensors[graph->tensor_count++] = made;
  graph->total += spec->bytes;
  return ASC_OK;
}

/* ---- operators ------------------------------------------------------------------------------------------------------- */

static bool known(const asc_graph *graph, const uint32_t *tensors, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (tensors[k] >= graph->tensor_count) return false;
  return true;
}

static bool known_pairs(const asc_graph *graph, const asc_tensor_pair *pairs, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (pairs[k].output >= graph->tensor_count || pairs[k].input >= graph->tensor_count) return false;
  return true;
}

static size_t uses_of(const asc_op_spec *spec) {
  return (size_t)spec->input_count + spec->output_count + spec->inplace_count + spec->alias_count;
}

static asc_status check_op(const asc_graph *graph, const asc_op_spec *spec, asc_diag *diag) {
  asc_status status = asci_check_id(spec->id, diag);
  if (!status) status = check_text(spec->type, "type", diag);
  if (!status) status = check_text(spec->windows, "windows", diag);
  if (!status) status = asci_windows_check(spec->windows ? spec->windows : "", diag);
  if (!status) status = check_room(graph, graph->op_count, "workspace", spec->workspace, diag);
  if (status) return status;
  if (uses_of(spec) > ASCI_MAX_USES - graph->uses)
    return asci_complain(diag, ASC_TOO_LARGE, "inputs", "are too many, expected at most 2,147,483,648 in all lists");
  const char *field = NULL;
  if (!known(graph, spec->inputs, spec->input_count)) field = "inputs";
  if (!known(graph, spec->outputs, spec->output_count)) field = "outputs";
  if (!known_pairs(graph, spec->inplace, spec->inplace_count)) field = "inplace";
  if (!known_pairs(graph, spec->alias, spec->alias_count)) field = "alias";
  return field ? asci_complain(diag, ASC_BAD_INPUT, field, "names a tensor that there is not") : ASC_OK;
}

static const void *keep_list(asc_graph *graph, const void *items, uint32_t count, size_t size) {
  void *copy = asci_arena_alloc(graph->context, &graph->arena, count ? count * size : 1);
  if (copy && count) memcpy(copy, items, count * size);
  return copy;
}

asc_status asc_graph_add_op(asc_graph *graph, const asc_op_spec *spec, asc_diag *diag) {
  if (!graph || !spec || graph->frozen || (spec->input_count && !spec->inputs) || (spec->output_count && !spec->outputs) ||
      (spec->inplace_count && !spec->inplace) || (spec->alias_count && !spec->alias))
    return asci_refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = check_op(graph, spec, diag);
  if (status) return status;
  asc_op_spec made = *spec;
  made.id = keep_text(graph, spec->id);
  made.type = keep_text(graph, spec->type);
  made.windows = keep_text(graph, spec->windows);
  made.inputs = keep_list(graph, spec->inputs, spec->input_count, sizeof *spec->inputs);
  made.outputs = keep_list(graph, spec->outputs, spec->output_count, sizeof *spec->outputs);
  made.inplace = keep_list(graph, spec->inplace, spec->inplace_count, sizeof *spec->inplace);
  made.alias = keep_list(graph, spec->alias, spec->alias_count, sizeof *spec->alias);
  if (!made.id || !made.type || !made.windows || !made.inputs || !made.outputs || !made.inplace || !made.alias ||
      !asci_grow(graph->context, &graph->ops, &graph->op_room, (size_t)graph->op_count + 1, sizeof made))
    return asci_refuse(diag, ASC_OUT_OF_MEMORY);
  status = enter(graph, &graph->op_ids, made.id, graph->op_count, diag);
  if (status) return status;
  graph->ops[graph->op_count++] = made;
  graph->total += spec->workspace;
  graph->uses += uses_of(spec);
  return ASC_OK;
}

/* ---- freezing, as the caller sees it --------------------------------------------------------------------------------- */

typedef struct first_fault {
  const asc_graph *graph;
  asc_diag *diag;
} first_fault;

/* What a message says of a list does not say whose it is: a text has places for that. */
static void keep_first(void *user, const asci_fault *fault, const char *message) {
  first_fault *first = user;
  if (!first->diag || first->diag->status) return;
  if (fault->use == ASC_NONE)
    asci_complain(first->diag, ASC_BAD_INPUT, fault->field, "%s", message);
  else
    asci_complain(first->diag, ASC_BAD_INPUT, fault->field, "of \xe2\x80\x9c%.60s\xe2\x80\x9d %s",
                  first->graph->ops[fault->op].id, message);
}

asc_status asc_graph_freeze(asc_graph *graph, asc_diag *diag) {
  if (!graph || graph->frozen) return asci_refuse(diag, ASC_BAD_ARGUMENT);
  if (diag) *diag = (asc_diag){0};
  asc_status status = asci_graph_freeze(graph, keep_first, &(first_fault){graph, diag});
  return status == ASC_OUT_OF_MEMORY ? asci_refuse(diag, status) : status;
}

/* ---- looking --------------------------------------------------------------------------------------------------------- */

uint32_t asc_graph_tensor_count(const asc_graph *graph) {
  return graph->tensor_count;
}

uint32_t asc_graph_op_count(const asc_graph *graph) {
  return graph->op_count;
}

const asc_tensor_spec *asc_graph_tensor(const asc_graph *graph, uint32_t tensor) {
  return tensor < graph->tensor_count ? &graph->tensors[tensor] : NULL;
}

const asc_op_spec *asc_graph_op(const asc_graph *graph, uint32_t op) {
  return op < graph->op_count ? &graph->ops[op] : NULL;
}

uint32_t asc_graph_find(const asc_graph *graph, const char *id) {
  return asci_ids_find(&graph->tensor_ids, id, strlen(id)) - 1;
}

uint32_t asc_graph_producer(const asc_graph *graph, uint32_t tensor) {
  return graph->producer && tensor < graph->tensor_count ? graph->producer[tensor] : ASC_NONE;
}
