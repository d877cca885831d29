/* What the parts of the lowering share. */
#ifndef ASCI_GRAPH_LOWER_H
#define ASCI_GRAPH_LOWER_H

#include "graph/graph.h"
#include "model/problem.h"

enum { ASCI_CONSTANTS_OUT, ASCI_CONSTANTS_RESIDENT, ASCI_CONSTANTS_STREAMED };
enum { ASCI_ALIGN_OFFSET, ASCI_ALIGN_SIZE, ASCI_ALIGN_BOTH };
enum { ASCI_ORDER_FILE, ASCI_ORDER_DEPTH, ASCI_ORDER_BREADTH, ASCI_ORDER_GREEDY, ASCI_ORDERS };

/* The options, in the order of their table. */
typedef struct asci_lower_settings {
  uint32_t constants;
  uint32_t prefetch;
  bool preserve_inputs, inplace, alias, workspace;
  int64_t alignment;
  uint32_t align_by;
  uint32_t order;
} asci_lower_settings;

/* A store is what several tensors lie in, one after the other or at once; it goes by the index of the tensor that is made first. Arrays are per
   tensor; those per store have an entry for each tensor, too, which counts for the store's own index only. */
typedef struct asci_lowered {
  const asc_graph *graph;
  asc_context *context;
  asci_lower_settings set;

  uint32_t *view;     /* the tensor whose bytes it is seen in another shape: itself, or one made earlier */
  uint32_t *next;     /* the next tensor with the same view, ASC_NONE at the end */
  uint32_t *store;    /* of each tensor */
  uint32_t *kinds;    /* per store: of all its tensors together */
  int64_t *size;      /* per store: bytes as the plan counts them */
  int64_t *alignment; /* per store */
  bool *absent;       /* per store: it has no buffer */

  uint32_t refused_aliases, refused_inplace; /* pairs that cannot be, and whose output has a store of its own */
} asci_lowered;

/* Bytes as the plan counts them: rounded up if the options ask for that. */
static inline int64_t asci_rounded(const asci_lowered *l, int64_t bytes) {
  return l->set.align_by == ASCI_ALIGN_OFFSET ? bytes : asci_align(bytes, l->set.alignment);
}

/* Fills all arrays; O(n + uses). Errors: OUT_OF_MEMORY. */
asc_status asci_share(asci_lowered *l);

/* The schedule that runs, of the operators that can, the one after which the fewest bytes are alive; of those the one that needs the
   fewest more while it runs, then the first in the graph. Constants do not count: resident ones are always there, streamed ones come
   and go with their operators. O((n + uses) log n). Errors: OUT_OF_MEMORY. */
asc_status asci_order_greedy(const asci_lowered *l, uint32_t *schedule);

/* A buffer to be: of a store, or of an operator's workspace (the other is ASC_NONE); turn counts the times a constant is loaded. */
typedef struct asci_span {
  uint32_t store, op, turn;
  int64_t lower, upper, size;
} asci_span;

typedef asc_status (*asci_span_visit)(void *user, const asci_span *span);

/* Visits the spans of all buffers under a schedule, those of the stores in the graph's order, then the workspaces; ends with the first
   status that is not OK. O((n + uses) log n). Errors: OUT_OF_MEMORY, the visitor's. */
asc_status asci_spans(const asci_lowered *l, const uint32_t *schedule, asci_span_visit visit, void *user);

#endif
