/* The memory-aware schedule. What an operator adds (stores that it begins) and takes away (stores that nobody needs after it) changes only
 * when a store begins and when one operator alone is left that names it: each happens once for each store. */
#include "graph/lower.h"

#include <string.h>

#define NOT_READY UINT32_MAX

typedef struct greedy {
  const asci_lowered *l;
  /* per store: the operators that name it, once each, in compressed rows, and how many of them have not run */
  uint32_t *begin, *namers, *left;
  uint32_t *seen;         /* per store: the operator that named it last */
  bool *alive;            /* per store */
  bool *done;             /* per operator */
  int64_t *rise, *fall;   /* per operator: bytes that it would add and take away now */
  uint32_t *waits;        /* per operator */
  uint32_t *heap, *place; /* the ready operators, the best on top; per operator its place */
  uint32_t count;
} greedy;

/* ---- the heap -------------------------------------------------------------------------------------------------------- */

static bool better(const greedy *y, uint32_t a, uint32_t b) {
  int64_t after_a = y->rise[a] - y->fall[a], after_b = y->rise[b] - y->fall[b];
  if (after_a != after_b) return after_a < after_b;
  int64_t workspace_a = 0, workspace_b = 0;
  if (y->l->set.workspace) {
    workspace_a = y->l->graph->ops[a].workspace;
    workspace_b = y->l->graph->ops[b].workspace;
  }
  int64_t more_a = y->rise[a] + workspace_a, more_b = y->rise[b] + workspace_b;
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

/* ---- stores ---------------------------------------------------------------------------------------------------------- */

static bool counts(const asci_lowered *l, uint32_t store) {
  return !l->absent[store] && !(l->kinds[store] & ASC_TENSOR_CONSTANT);
}

static bool stays(const asci_lowered *l, uint32_t store) {
  uint32_t kind = l->kinds[store];
  return (kind & (ASC_TENSOR_OUTPUT | ASC_TENSOR_VARIABLE)) || ((kind & ASC_TENSOR_INPUT) && l->set.preserve_inputs);
}

/* Whether op has not named the store before; notes that it has now. */
static bool first_time(greedy *y, uint32_t store, uint32_t op) {
  bool first = y->seen[store] != op;
  y->seen[store] = op;
  return first;
}

/* Counts who names each store, or enters them. */
static void name(greedy *y, bool enter) {
  const asc_graph *g = y->l->graph;
  memset(y->seen, 0xff, (size_t)g->tensor_count * sizeof *y->seen);
  for (uint32_t op = 0; op < g->op_count; op++) {
    const asc_op_spec *spec = &g->ops[op];
    for (uint32_t k = 0; k < spec->input_count + spec->output_count; k++) {
      uint32_t tensor = k < spec->input_count ? spec->inputs[k] : spec->outputs[k - spec->input_count];
      uint32_t store = y->l->store[tensor];
      if (!counts(y->l, store) || !first_time(y, store, op)) continue;
      if (enter)
        y->namers[y->begin[store]++] = op;
      else
        y->begin[store + 1]++;
    }
  }
}

static bool gather(greedy *y) {
  const asc_graph *g = y->l->graph;
  uint32_t n = g->tensor_count;
  name(y, false);
  for (uint32_t t = 0; t < n; t++) y->begin[t + 1] += y->begin[t];
  y->namers = asci_alloc(y->l->context, y->begin[n], sizeof *y->namers);
  if (!y->namers) return false;
  name(y, true);
  for (uint32_t t = n; t > 0; t--) y->begin[t] = y->begin[t - 1];
  y->begin[0] = 0;
  for (uint32_t t = 0; t < n; t++) {
    y->left[t] = y->begin[t + 1] - y->begin[t];
    if (!y->left[t]) continue;
    y->alive[t] = y->l->kinds[t] & (ASC_TENSOR_INPUT | ASC_TENSOR_VARIABLE);
    for (uint32_t k = y->begin[t]; k < y->begin[t + 1]; k++) {
      if (!y->alive[t]) y->rise[y->namers[k]] += y->l->size[t];
      if (y->left[t] == 1 && !stays(y->l, t)) y->fall[y->namers[k]] += y->l->size[t];
    }
  }
  return true;
}

/* Brings up to date what the operators left that name the store would add or take away: never more than before, so that they only rise in
   the heap. */
static void settle(greedy *y, uint32_t store, bool begins, bool last) {
  for (uint32_t k = y->begin[store]; k < y->begin[store + 1]; k++) {
    uint32_t op = y->namers[k];
    if (y->done[op]) continue;
    if (begins) y->rise[op] -= y->l->size[store];
    if (last) y->fall[op] += y->l->size[store];
    if (y->place[op] != NOT_READY) sift_up(y, y->place[op]);
  }
}

static void run(greedy *y, uint32_t op) {
  const asc_graph *g = y->l->graph;
  const asc_op_spec *spec = &g->ops[op];
  y->done[op] = true;
  for (uint32_t k = 0; k < spec->input_count + spec->output_count; k++) {
    uint32_t tensor = k < spec->input_count ? spec->inputs[k] : spec->outputs[k - spec->input_count];
    uint32_t store = y->l->store[tensor];
    if (!counts(y->l, store) || !first_time(y, store, op)) continue;
    bool begins = !y->alive[store];
    y->alive[store] = true;
    bool last = --y->left[store] == 1 && !stays(y->l, store);
    if (begins || last) settle(y, store, begins, last);
  }
  for (uint32_t k = g->after_begin[op]; k < g->after_begin[op + 1]; k++)
    if (--y->waits[g->after[k]] == 0) push(y, g->after[k]);
}

asc_status asci_order_greedy(const asci_lowered *l, uint32_t *schedule) {
  asc_context *context = l->context;
  const asc_graph *g = l->graph;
  uint32_t n = g->tensor_count, m = g->op_count;
  greedy y = {.l = l};
  y.begin = asci_calloc(context, (size_t)n + 1, sizeof *y.begin);
  y.left = asci_alloc(context, n, sizeof *y.left);
  y.seen = asci_alloc(context, n, sizeof *y.seen);
  y.alive = asci_calloc(context, n, sizeof *y.alive);
  y.done = asci_calloc(context, m, sizeof *y.done);
  y.rise = asci_calloc(context, m, sizeof *y.rise);
  y.fall = asci_calloc(context, m, sizeof *y.fall);
  y.waits = asci_alloc(context, m, sizeof *y.waits);
  y.heap = asci_alloc(context, m, sizeof *y.heap);
  y.place = asci_alloc(context, m, sizeof *y.place);
  bool room = y.begin && y.left && y.seen && y.alive && y.done && y.rise && y.fall && y.waits && y.heap && y.place;
  if (room) room = gather(&y);
  if (room) {
    memcpy(y.waits, g->waits, m * sizeof *y.waits);
    memset(y.place, 0xff, m * sizeof *y.place);
    memset(y.seen, 0xff, (size_t)n * sizeof *y.seen);
    for (uint32_t op = 0; op < m; op++)
      if (y.waits[op] == 0) push(&y, op);
    for (uint32_t k = 0; k < m; k++) run(&y, schedule[k] = pop(&y));
  }
  void *const blocks[] = {y.begin, y.left, y.seen, y.alive, y.done, y.rise, y.fall, y.waits, y.heap, y.place, y.namers};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  return room ? ASC_OK : ASC_OUT_OF_MEMORY;
}
