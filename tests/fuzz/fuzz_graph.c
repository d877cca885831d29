/* Any bytes as a graph CSV: a file is refused with errors that name a place, or it can be written and read back as the same, and lowered under
 * options that its bytes choose to buffers that keep the laws of every lowering. */
#include <string.h>

#include "asc/asc.h"

#include "demand.h"
#include "text.h"

static void check_errors(const asc_diag *diags, size_t room, size_t count, asc_status status) {
  demand(status == ASC_BAD_INPUT || status == ASC_TOO_LARGE);
  demand(count > 0);
  for (size_t k = 0; k < count && k < room; k++) {
    demand(diags[k].line > 0 && diags[k].column > 0);
    demand(k == 0 || diags[k - 1].line <= diags[k].line);
    demand(memchr(diags[k].message, 0, sizeof diags[k].message) && diags[k].message[0]);
  }
}

static void check_again(asc_context *context, const asc_graph *graph) {
  text first = {0}, second = {0};
  demand(asc_graph_csv_write(graph, append, &first) == ASC_OK);
  demand(asc_graph_csv_is(first.bytes, first.count) || asc_graph_tensor_count(graph) == 0);
  asc_graph *again = NULL;
  demand(asc_graph_csv_read(context, first.bytes, first.count, &again, NULL, 0, NULL) == ASC_OK);
  demand(asc_graph_csv_write(again, append, &second) == ASC_OK);
  demand(first.count == second.count && memcmp(first.bytes, second.bytes, first.count) == 0);
  demand(asc_graph_tensor_count(graph) == asc_graph_tensor_count(again));
  demand(asc_graph_op_count(graph) == asc_graph_op_count(again));
  asc_graph_free(again);
  free(first.bytes);
  free(second.bytes);
}

static void check_lowering(const asc_graph *graph, uint32_t seed) {
  static const char *const constants[] = {"out", "resident", "streamed"}, *const by[] = {"offset", "size", "both"};
  static const char *const orders[] = {"file", "depth-first", "breadth-first", "greedy"}, *const counts[] = {"1", "2", "6"};
  static const char *const truth[] = {"false", "true"};
  const asc_option_value options[] = {
      {"constants", constants[seed % 3]}, {"prefetch", counts[seed / 3 % 3]},   {"alignment", counts[seed / 9 % 3]},
      {"align_by", by[seed / 27 % 3]},    {"order", orders[seed >> 8 & 3]},     {"inplace", truth[seed >> 10 & 1]},
      {"alias", truth[seed >> 11 & 1]},   {"workspace", truth[seed >> 12 & 1]}, {"preserve_inputs", truth[seed >> 13 & 1]}};
  asc_lowering *lowering = NULL;
  asc_diag diag = {0};
  asc_status status = asc_lower(graph, options, sizeof options / sizeof *options, &lowering, &diag);
  demand(status == ASC_OK || status == ASC_TOO_LARGE || status == ASC_BAD_INPUT);
  if (status) {
    demand(diag.message[0] != 0);
    return;
  }
  const asc_problem *problem = asc_lowering_problem(lowering);
  uint32_t ops = asc_graph_op_count(graph), buffers = asc_problem_count(problem);
  for (uint32_t b = 0; b < buffers; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    demand(spec->lower >= 0 && spec->upper <= ops && spec->size > 0);
  }
  for (uint32_t t = 0; t < asc_graph_tensor_count(graph); t++) {
    uint32_t buffer = asc_lowering_buffers(lowering)[t];
    demand(buffer == ASC_NONE || buffer < buffers);
    demand(buffer == ASC_NONE || asc_problem_buffer(problem, buffer)->size >= asc_graph_tensor(graph, t)->bytes);
  }
  asc_budgets budgets = asc_lowering_budgets(lowering);
  demand(0 <= budgets.required && budgets.required <= budgets.half && budgets.half <= budgets.peak);
  demand(budgets.peak <= asc_problem_lower_bound(problem));
  asc_lowering_free(lowering);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { ROOM = 20 };
  /* A copy without a byte to spare, so that reading past the end is seen. */
  char *bytes = malloc(size ? size : 1);
  demand(bytes != NULL);
  uint32_t seed = (uint32_t)size;
  for (size_t k = 0; k < size; k++) seed = seed * 31 + data[k];
  if (size) memcpy(bytes, data, size);
  asc_context *context = NULL;
  asc_graph *graph = NULL;
  asc_diag diags[ROOM];
  size_t count = 0;
  demand(asc_context_new(NULL, &context) == ASC_OK);
  asc_graph_csv_is(bytes, size);
  asc_status status = asc_graph_csv_read(context, bytes, size, &graph, diags, ROOM, &count);
  if (status == ASC_OK) {
    demand(graph != NULL && count == 0);
    check_again(context, graph);
    check_lowering(graph, seed >> 4);
    asc_graph_free(graph);
  } else {
    demand(graph == NULL);
    check_errors(diags, ROOM, count, status);
  }
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  free(bytes);
  return 0;
}
