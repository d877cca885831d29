/* Any bytes as a graph CSV: a file is refused with errors that name a place, or it can be written and read back as the same, and lowered under
 * options that its bytes choose to buffers that keep the laws of every lowering. */
#include <string.h>

#include "asc/asc.h"

#include "graph_checks.h"
#include "refusal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { ROOM = 20 };
  char *bytes = exact_copy(data, size);
  uint32_t seed = (uint32_t)size;
  for (size_t k = 0; k < size; k++) seed = seed * 31 + data[k];
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
    check_refusal(diags, ROOM, count, status);
    check_places(diags, ROOM, count);
  }
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  free(bytes);
  return 0;
}
