/* The memory-aware schedule. */
#include "graph/growth.h"

#include <string.h>

#define NOT_READY UINT32_MAX

typedef struct greedy {
  const asci_lowered *l;
  asci_growth growth;
  uint32_t *waits;        /* per operator */
  uint32_t *heap, *place; /* the ready operators, the best on top; per operator its place */
  uint32_t count;
} greedy;

/* ---- the heap -------------------------------------------------------------------------------------------------------- */

static bool better(const greedy *y, uint32_t a, uint32_t b) {
  int64_t after_a = y->growth.rise[a] - y->growth.fall[a], after_b = y->growth.rise[b] - y->growth.fall[b];
  if (after_a != after_b) return after_a < after_b;
  int64_t workspace_a = 0, workspace_b = 0;
  if (y->l->set.workspace) {
    workspace_a = asci_item_size(y->l, y->l->graph->tensor_count + a);
    workspace_b = asci_item_size(y->l, y->l->graph->tensor_count + b);
  }
  int64_t more_a = y->growth.rise[a] + workspace_a, more_b = y->growth.rise[b] + workspace_b;
  return more_a != more_b ? more_a < more_b : a < b;
}

static void set(greedy *y, uint32_t at, uint32_t op) {
  y->heap[at] = op;
  y->place[op] = at;
}

static void sift_up(greedy *y, uint32_t at) {
  uint32_t op = y->heap[at];
  for (; at && better(y, op, y->heap[(at - 1) / 2]); at = (at - 1) / 2) set(y, at, y->heap[(at - 1) / 2]);
  set(y, at, op);
}

static void sift_down(greedy *y, uint32_t at) {
  uint32_t op = y->heap[at];
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= y->count) break;
    if (child + 1 < y->count && better(y, y->heap[child + 1], y->heap[child])) child++;
    if (!better(y, y->heap[child], op)) break;
    set(y, at, y->heap[child]);
    at = child;
  }
  set(y, at, op);
}

static void push(greedy *y, uint32_t op) {
  set(y, y->count, op);
  sift_up(y, y->count++);
}

static uint32_t pop(greedy *y) {
  uint32_t top = y->heap[0], last = y->heap[--y->count];
  y->place[top] = NOT_READY;
  if (y->count) {
    set(y, 0, last);
    sift_down(y, 0);
  }
  return top;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static void rise_in_heap(void *user, uint32_t op) {
  greedy *y = user;
  if (y->place[op] != NOT_READY) sift_up(y, y->place[op]);
}

static void run(greedy *y, uint32_t op) {
  const asc_graph *g = y->l->graph;
  asci_growth_run(&y->growth, op);
  for (uint32_t k = g->after_begin[op]; k < g->after_begin[op + 1]; k++)
    if (--y->waits[g->after[k]] == 0) push(y, g->after[k]);
}

static void run_all(greedy *y, uint32_t *schedule) {
  const asc_graph *g = y->l->graph;
  uint32_t m = g->op_count;
  y->growth.lighter = rise_in_heap;
  y->growth.user = y;
  memcpy(y->waits, g->waits, m * sizeof *y->waits);
  memset(y->place, 0xff, m * sizeof *y->place);
  for (uint32_t op = 0; op < m; op++)
    if (y->waits[op] == 0) push(y, op);
  for (uint32_t k = 0; k < m; k++) run(y, schedule[k] = pop(y));
}

asc_status asci_order_greedy(const asci_lowered *l, uint32_t *schedule) {
  asc_context *context = l->context;
  uint32_t m = l->graph->op_count;
  greedy y = {.l = l};
  asc_status status = asci_growth_new(l, &y.growth);
  y.waits = asci_alloc(context, m, sizeof *y.waits);
  y.heap = asci_alloc(context, m, sizeof *y.heap);
  y.place = asci_alloc(context, m, sizeof *y.place);
  if (!y.waits || !y.heap || !y.place) status = ASC_OUT_OF_MEMORY;
  if (!status) run_all(&y, schedule);
  asci_growth_free(&y.growth);
  asci_free(context, y.waits);
  asci_free(context, y.heap);
  asci_free(context, y.place);
  return status;
}
