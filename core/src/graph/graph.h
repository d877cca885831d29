/* A model's graph as the lowering sees it. */
#ifndef ASCI_GRAPH_GRAPH_H
#define ASCI_GRAPH_GRAPH_H

#include "base/arena.h"
#include "base/ids.h"

struct asc_graph {
  asc_context *context;
  asci_arena arena; /* texts and lists of the specs */
  bool frozen;
  asc_tensor_spec *tensors;
  asc_op_spec *ops;
  size_t tensor_room, op_room;
  uint32_t tensor_count, op_count;
  asci_ids tensor_ids, op_ids; /* number: the index and 1 */
  int64_t total;               /* bytes of all tensors and workspaces */
  size_t uses;                 /* entries of all lists of all operators */

  /* made by freeze */
  uint32_t *producer; /* per tensor */
  /* Compressed rows: the operators that read t (of a variable or workspace: that name it) are readers[reader_begin[t]] .. readers[reader_begin[t + 1] - 1], increasing. */
  uint32_t *reader_begin, *readers;
  /* In the same way the operators that wait for op; one may stand there twice. waits[op]: how many entries there are of op. */
  uint32_t *after_begin, *after, *waits;
};

/* Most entries of all lists together, so that they can be counted in 32 bits. */
#define ASCI_MAX_USES ((size_t)1 << 31)

/* Where a fault lies: an operator or a tensor (the other is ASC_NONE), and of an operator perhaps which entry of its lists, counted through
   inputs, outputs, in-place and alias pairs (ASC_NONE: itself). */
typedef struct asci_fault {
  uint32_t tensor, op, use;
  const char *field; /* "inputs", … */
} asci_fault;

typedef void (*asci_fault_report)(void *user, const asci_fault *fault, const char *message);

/* As asc_graph_freeze, reporting every fault. */
asc_status asci_graph_freeze(asc_graph *graph, asci_fault_report report, void *user);
void asci_graph_thaw(asc_graph *graph);

/* A schedule that takes the operator that became ready last (depth first) or first, those that become ready at once in the order of the
   graph. Returns the operators in it: fewer than all if some wait for each other. scratch: room for all operators. O(n + uses). */
uint32_t asci_order(const asc_graph *graph, bool depth_first, uint32_t *schedule, uint32_t *scratch);

#endif
