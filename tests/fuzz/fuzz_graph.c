/* Any bytes as a graph CSV: a file is refused with errors that name a place, or it can be written and read back as the same, and lowered under
 * options that its bytes choose to buffers that keep the laws of every lowering. */
#include <string.h>

#include "asc/asc.h"

#include "graph_checks.h"

static void check_errors(const asc_diag *diags, size_t room, size_t count, asc_status status) {
  demand(status == ASC_BAD_INPUT || status == ASC_TOO_LARGE);
  demand(count > 0);
  for (size_t k = 0; k < count && k < room; k++) {
    demand(diags[k].line > 0 && diags[k].column > 0);
    demand(k == 0 || diags[k - 1].line <= diags[k].line);
    demand(memchr(diags[k].message, 0, sizeof diags[k].message) && diags[k].message[0]);
  }
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
    check_tiling(graph, seed);
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
