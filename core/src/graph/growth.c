/* What an operator adds (stores that it begins) and takes away (stores that nobody needs after it) changes only when a store begins and when
 * one operator alone is left that names it: each happens once for each store. */
#include "graph/growth.h"

#include <string.h>

static bool counts(const asci_lowered *l, uint32_t store) {
  return !l->absent[store] && !(l->kinds[store] & ASC_TENSOR_CONSTANT);
}

static bool stays(const asci_lowered *l, uint32_t store) {
  uint32_t kind = l->kinds[store];
  return (kind & (ASC_TENSOR_OUTPUT | ASC_TENSOR_VARIABLE)) || ((kind & ASC_TENSOR_INPUT) && l->set.preserve_inputs);
}

/* Whether op has not named the store before; notes that it has now. */
static bool first_time(asci_growth *y, uint32_t store, uint32_t op) {
  bool first = y->seen[store] != op;
  y->seen[store] = op;
  return first;
}

/* Counts who names each store, or enters them. */
static void name(asci_growth *y, bool enter) {
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

static bool gather(asci_growth *y) {
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
    if (y->alive[t]) y->live += y->l->size[t];
    for (uint32_t k = y->begin[t]; k < y->begin[t + 1]; k++) {
      if (!y->alive[t]) y->rise[y->namers[k]] += y->l->size[t];
      if (y->left[t] == 1 && !stays(y->l, t)) y->fall[y->namers[k]] += y->l->size[t];
    }
  }
  return true;
}

/* Brings up to date what the operators left that name the store would add or take away: never more than before. */
static void settle(asci_growth *y, uint32_t store, bool begins, bool last) {
  for (uint32_t k = y->begin[store]; k < y->begin[store + 1]; k++) {
    uint32_t op = y->namers[k];
    if (y->done[op]) continue;
    if (begins) y->rise[op] -= y->l->size[store];
    if (last) y->fall[op] += y->l->size[store];
    if (y->lighter) y->lighter(y->user, op);
  }
}

void asci_growth_run(asci_growth *y, uint32_t op) {
  const asc_graph *g = y->l->graph;
  const asc_op_spec *spec = &g->ops[op];
  y->done[op] = true;
  y->live += y->rise[op] - y->fall[op];
  for (uint32_t k = 0; k < spec->input_count + spec->output_count; k++) {
    uint32_t tensor = k < spec->input_count ? spec->inputs[k] : spec->outputs[k - spec->input_count];
    uint32_t store = y->l->store[tensor];
    if (!counts(y->l, store) || !first_time(y, store, op)) continue;
    bool begins = !y->alive[store];
    y->alive[store] = true;
    bool last = --y->left[store] == 1 && !stays(y->l, store);
    if (begins || last) settle(y, store, begins, last);
  }
}

asc_status asci_growth_new(const asci_lowered *l, asci_growth *y) {
  uint32_t n = l->graph->tensor_count, m = l->graph->op_count;
  *y = (asci_growth){.l = l};
  y->begin = asci_calloc(l->context, (size_t)n + 1, sizeof *y->begin);
  y->left = asci_alloc(l->context, n, sizeof *y->left);
  y->seen = asci_alloc(l->context, n, sizeof *y->seen);
  y->alive = asci_calloc(l->context, n, sizeof *y->alive);
  y->done = asci_calloc(l->context, m, sizeof *y->done);
  y->rise = asci_calloc(l->context, m, sizeof *y->rise);
  y->fall = asci_calloc(l->context, m, sizeof *y->fall);
  bool room = y->begin && y->left && y->seen && y->alive && y->done && y->rise && y->fall;
  if (!room || !gather(y)) {
    asci_growth_free(y);
    return ASC_OUT_OF_MEMORY;
  }
  memset(y->seen, 0xff, (size_t)n * sizeof *y->seen);
  return ASC_OK;
}

void asci_growth_free(asci_growth *y) {
  void *const blocks[] = {y->begin, y->namers, y->left, y->seen, y->alive, y->done, y->rise, y->fall};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks && y->l; k++) asci_free(y->l->context, blocks[k]);
  *y = (asci_growth){0};
}
