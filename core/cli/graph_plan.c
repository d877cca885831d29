/* Plans on a model's graph: what is said of one, and of an operator that no plan has room for. */
#include "cli.h"

#include <stdlib.h>

/* ---- an operator that does not fit ----------------------------------------------------------------------------------- */

/* The k-th buffer that the operator names, its workspace last; ASC_NONE where that is none. */
static uint32_t named_buffer(const asc_graph *graph, const asc_lowering *lowering, uint32_t op, uint32_t k) {
  const asc_op_spec *spec = asc_graph_op(graph, op);
  const uint32_t *buffers = asc_lowering_buffers(lowering);
  if (k < spec->input_count) return buffers[spec->inputs[k]];
  if (k < spec->input_count + spec->output_count) return buffers[spec->outputs[k - spec->input_count]];
  return asc_lowering_workspaces(lowering)[op];
}

static uint32_t named_count(const asc_graph *graph, uint32_t op) {
  const asc_op_spec *spec = asc_graph_op(graph, op);
  return spec->input_count + spec->output_count + 1;
}

/* Whether it is a buffer, and none of those before it is the same. */
static bool is_first(const asc_graph *graph, const asc_lowering *lowering, uint32_t op, uint32_t k) {
  uint32_t buffer = named_buffer(graph, lowering, op, k);
  for (uint32_t j = 0; j < k; j++)
    if (named_buffer(graph, lowering, op, j) == buffer) return false;
  return buffer != ASC_NONE;
}

static int64_t bytes_of(const asc_graph *graph, const asc_lowering *lowering, uint32_t op) {
  const asc_problem *problem = asc_lowering_problem(lowering);
  int64_t bytes = 0;
  for (uint32_t k = 0; k < named_count(graph, op); k++)
    if (is_first(graph, lowering, op, k)) bytes += asc_problem_buffer(problem, named_buffer(graph, lowering, op, k))->size;
  return bytes;
}

void say_refused(const cli_input *in, int64_t capacity) {
  const asc_graph *graph = in->graph;
  uint32_t worst = 0;
  int64_t most = 0;
  for (uint32_t op = 0; op < asc_graph_op_count(graph); op++) {
    int64_t bytes = bytes_of(graph, in->lowering, op);
    if (bytes > most) most = bytes, worst = op;
  }
  if (most <= capacity) return;
  fprintf(stderr, "%s: operator %s needs %s bytes at once, and the capacity is %s:", in->path,
          asc_graph_op(graph, worst)->id, commas(most), commas(capacity));
  const char *comma = "";
  for (uint32_t k = 0; k < named_count(graph, worst); k++) {
    if (!is_first(graph, in->lowering, worst, k)) continue;
    const asc_buffer_spec *spec =
        asc_problem_buffer(asc_lowering_problem(in->lowering), named_buffer(graph, in->lowering, worst, k));
    fprintf(stderr, "%s %s %s", comma, spec->id, commas(spec->size));
    comma = ",";
  }
  fputc('\n', stderr);
}
