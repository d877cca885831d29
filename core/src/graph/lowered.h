/* A graph as its options lower it, before there is a problem: whose bytes are whose, and how long each item stays. */
#ifndef ASCI_GRAPH_LOWERED_H
#define ASCI_GRAPH_LOWERED_H

#include "base/options.h"
#include "graph/graph.h"
#include "model/bank.h"
#include "model/problem.h"

enum { ASCI_CONSTANTS_OUT, ASCI_CONSTANTS_RESIDENT, ASCI_CONSTANTS_STREAMED };
enum { ASCI_ALIGN_OFFSET, ASCI_ALIGN_SIZE, ASCI_ALIGN_BOTH };
enum { ASCI_ORDER_FILE, ASCI_ORDER_DEPTH, ASCI_ORDER_BREADTH, ASCI_ORDER_GREEDY, ASCI_ORDERS };

enum { ASCI_OPS_ANY, ASCI_OPS_ARITHMETIC };

#define ASCI_SCHEDULES "file|depth-first|breadth-first|greedy"
#define ASCI_LOWER_OPTIONS(X, T) \
  X(T, CHOICE, constants, "Constants", "out", "out|resident|streamed", \
    "Weights are out of the arena, in it all the time, or loaded into it for each use.") \
  X(T, INT, prefetch, "Prefetch distance", "3", 0, ASC_MAX_BUFFERS, \
    "A streamed constant is loaded this many operators ahead.") \
  X(T, BOOL, preserve_inputs, "Preserve inputs", "false", \
    "The model's inputs are kept to the end instead of until their last use.") \
  X(T, BOOL, inplace, "In place", "false", \
    "An output is written over an input of its operator where the graph allows it and nobody else reads that.") \
  X(T, BOOL, alias, "Alias", "true", \
    "A reshape and its like give the same bytes another shape and take no memory of their own.") \
  X(T, BOOL, workspace, "Workspace", "true", "The operators' scratch memory is part of the plan.") \
  X(T, INT, alignment, "Alignment", "1", 1, ASC_MAX_TENSOR_ALIGNMENT, \
    "Bytes; a tensor that asks for its own gets a multiple of both.") \
  X(T, CHOICE, align_by, "Align", "offset", "offset|size|both", \
    "Offsets are multiples of the alignment, sizes are rounded up to one, or both.") \
  X(T, CHOICE, order, "Schedule", "file", ASCI_SCHEDULES, \
    "As in the file; what became ready last first; what became ready first first; what leaves the fewest bytes alive " \
    "first.") \
  X(T, BOOL, share_io, "Share inputs and outputs", "true", \
    "Aliases and in-place operators may put the model's inputs and outputs together with other tensors.") \
  X(T, CHOICE, inplace_ops, "In place by", "any", "any|arithmetic", \
    "Which operators write in place: any that can, or as in LiteRT only ADD, SUB, MUL and DIV of more than 4 bytes.")
ASCI_OPTION_VALUES(asci_lower_settings, ASCI_LOWER_OPTIONS);

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

/* Items are what stays are of: a store, by its tensor, or tensor_count + an operator, its workspace. */
static inline uint32_t asci_item_count(const asci_lowered *l) {
  return l->graph->tensor_count + l->graph->op_count;
}

static inline int64_t asci_item_size(const asci_lowered *l, uint32_t item) {
  uint32_t n = l->graph->tensor_count;
  return item < n ? l->size[item] : asci_rounded(l, l->graph->ops[item - n].workspace);
}

typedef asc_status (*asci_stay_visit)(void *user, const asc_stay *stay);

/* Visits the stays in the arena that a schedule alone brings about, without an offset: the first of each item that has any, in the items' order,
   then the others in order of item and time. Which items have a stay does not depend on the schedule, so that under every schedule the same first
   stays come in the same order. Ends with the first status that is not OK. O((n + uses) log n). Errors: OUT_OF_MEMORY, the visitor's. */
asc_status asci_stays(const asci_lowered *l, const uint32_t *schedule, asci_stay_visit visit, void *user);

/* A new, frozen problem without a profile, of which buffer k is the k-th of the stays that are in the arena. first (NULL: not asked): per item
   its first buffer or ASC_NONE. O((n + stays) log n). Errors: those of asc_problem_add and asc_problem_freeze, OUT_OF_MEMORY. */
asc_status asci_situation(const asci_lowered *l, const asc_stay *stays, uint32_t count, asc_problem **problem,
                          uint32_t *first, asc_diag *diag);

/* Stays as they are visited; asci_stay_keep is a visitor. */
typedef struct asci_stay_list {
  asc_context *context;
  asc_stay *stays;
  size_t count, room;
} asci_stay_list;
asc_status asci_stay_keep(void *list, const asc_stay *stay);
/* All of it or, without memory, nothing: the list is then as it was. */
bool asci_stays_copy(const asci_stay_list *from, asci_stay_list *to);

#endif
