#include "graph/graph.h"

#include <string.h>

/* The schedule holds both: in front what is done, and behind that the queue of what is ready or, at the end, the stack of it. */
uint32_t asci_order(const asc_graph *graph, bool depth_first, uint32_t *schedule, uint32_t *scratch) {
  const asc_graph *g = graph;
  uint32_t ready = 0, done = 0, *waits = scratch;
  if (g->op_count) memcpy(waits, g->waits, g->op_count * sizeof *waits);
  /* A stack from the end of the schedule down never meets the front: each operator is in one of them. It is filled backwards, so that the
     first in the graph's order is on top. */
  uint32_t top = g->op_count;
  for (uint32_t op = g->op_count; depth_first && op-- > 0;)
    if (waits[op] == 0) schedule[--top] = op;
  for (uint32_t op = 0; !depth_first && op < g->op_count; op++)
    if (waits[op] == 0) schedule[ready++] = op;
  while (depth_first ? top < g->op_count : done < ready) {
    uint32_t op = depth_first ? schedule[top++] : schedule[done];
    schedule[done++] = op;
    uint32_t begin = g->after_begin[op], end = g->after_begin[op + 1];
    for (uint32_t k = 0; k < end - begin; k++) {
      uint32_t next = g->after[depth_first ? end - 1 - k : begin + k];
      if (--waits[next] > 0) continue;
      if (depth_first)
        schedule[--top] = next;
      else
        schedule[ready++] = next;
    }
  }
  return done;
}
