/* A lowered graph in the outputs, as glue_graph says. */
#ifndef ASC_WASM_LOWERING_H
#define ASC_WASM_LOWERING_H

#include "asc/asc.h"
#include "outputs.h"

/* False when there is no memory. */
static bool put_lowering(outputs *out, const asc_graph *graph, const asc_lowering *lowering) {
  uint32_t t = asc_graph_tensor_count(graph), n = asc_graph_op_count(graph);
  const uint32_t *schedule = asc_lowering_schedule(lowering), *buffers = asc_lowering_buffers(lowering);
  const uint32_t *workspaces = asc_lowering_workspaces(lowering);
  asc_budgets budgets = asc_lowering_budgets(lowering);
  const double head[5] = {t, n, (double)budgets.required, (double)budgets.half, (double)budgets.peak};
  double *numbers = more_numbers(out, 5 + (size_t)t);
  uint32_t *words = more_words(out, 3 * (size_t)t), *place = malloc((n ? n : 1) * sizeof *place);
  if (!numbers || !words || !place) {
    free(place);
    return false;
  }
  memcpy(numbers, head, sizeof head);
  for (uint32_t k = 0; k < n; k++) place[schedule[k]] = k;
  for (uint32_t k = 0; k < t; k++) {
    const asc_tensor_spec *tensor = asc_graph_tensor(graph, k);
    uint32_t producer = asc_graph_producer(graph, k);
    numbers[5 + k] = (double)tensor->bytes;
    words[3 * k] = tensor->kind;
    words[3 * k + 1] = buffers[k];
    words[3 * k + 2] = producer == ASC_NONE ? ASC_NONE : place[producer];
    put_string(out, tensor->id);
    put_string(out, tensor->shape);
    put_string(out, tensor->dtype);
  }
  free(place);
  for (uint32_t k = 0; k < n; k++) {
    const asc_op_spec *op = asc_graph_op(graph, schedule[k]);
    const uint32_t pair[2] = {schedule[k], workspaces[schedule[k]]};
    put_words(out, pair, 2);
    put_list(out, op->inputs, op->input_count);
    put_list(out, op->outputs, op->output_count);
    put_string(out, op->id);
    put_string(out, op->type);
  }
  const char *note;
  for (uint32_t k = 0; (note = asc_lowering_note(lowering, k)); k++) put_string(out, note);
  return true;
}

#endif
