/* What holds of every graph that was taken. */
#ifndef FUZZ_GRAPH_CHECKS_H
#define FUZZ_GRAPH_CHECKS_H

#include <string.h>

#include "asc/tile.h"

#include "demand.h"
#include "text.h"

/* It can be written, and read back as the same. */
static inline void check_again(asc_context *context, const asc_graph *graph) {
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

/* Lowered under options that the seed chooses it keeps the laws of every lowering. */
static inline void check_lowering(const asc_graph *graph, uint32_t seed) {
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

/* Cut into tiles under options and for a capacity that the seed chooses it is refused with a word, or its tasks read nothing before it is written. */
static inline void check_tiling(const asc_graph *graph, uint32_t seed) {
  static const char *const orders[] = {"layer", "depth", "alternating"}, *const channels[] = {"1", "8"};
  static const char *const layouts[] = {"graph", "NCHW", "NHWC", "NC32HW32"};
  const asc_option_value options[] = {
      {"order", orders[seed % 3]}, {"layout", layouts[seed >> 2 & 3]}, {"channels", channels[seed >> 4 & 1]}};
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  int64_t total = 0;
  for (uint32_t t = 0; t < asc_graph_tensor_count(graph); t++) total += asc_graph_tensor(graph, t)->bytes;
  /* whoever is cut into bytes is cut into as many tiles */
  int64_t capacity = total > 4096 ? ASC_MAX_BYTES : seed >> 5 & 4095;
  asc_status status = asc_graph_tile(graph, options, sizeof options / sizeof *options, capacity, &tiling, &diag);
  demand(status == ASC_OK || status == ASC_BAD_INPUT || status == ASC_TOO_LARGE);
  demand((status == ASC_OK) == (tiling != NULL));
  demand(status == ASC_OK || (diag.field[0] && diag.message[0]));
  asc_tiling_free(tiling);
}

#endif
