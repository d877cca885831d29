#include "plan.h"

#include <string.h>

typedef struct player {
  const cosma_model *m;
  const cosma_solution *solution;
  asci_stay_list *list;
  uint32_t *left;    /* per value: readers that have not run */
  uint32_t *here;    /* per value: its stay in the arena now, ASC_NONE */
  uint32_t *outside; /* per value: the stay of its copy outside, ASC_NONE */
  uint32_t *seen;    /* per tensor: the operator that had it come last */
  asc_stay none;     /* what is written to when there is no memory */
  asc_status status;
} player;

static uint32_t add(player *p, uint32_t item, uint32_t pool, int64_t lower, int64_t upper) {
  asc_stay stay = {item, pool, lower, upper, ASC_UNPLACED};
  if (!p->status) p->status = asci_stay_keep(p->list, &stay);
  return p->status ? 0 : (uint32_t)p->list->count - 1;
}

static asc_stay *stay_at(player *p, uint32_t stay) {
  return p->status ? &p->none : &p->list->stays[stay];
}

/* ---- what is always there, or comes with its operator ------------------------------------------------------------------ */

static void add_lasting(player *p) {
  const asci_lowered *l = &p->m->lowering->lowered;
  int64_t end = p->m->op_count;
  for (uint32_t t = 0; t < l->graph->tensor_count; t++) {
    if (l->store[t] != t || l->absent[t]) continue;
    uint32_t kind = l->graph->tensors[t].kind;
    bool constant = kind & ASC_TENSOR_CONSTANT, resident = l->set.constants == ASCI_CONSTANTS_RESIDENT;
    if ((kind & ASC_TENSOR_VARIABLE) || (constant && resident))
      add(p, t, ASC_POOL_MAIN, 0, end);
    else if (constant && (l->kinds[t] & ASC_TENSOR_OUTPUT))
      add(p, t, ASC_POOL_OUTSIDE, end - 1, end);
    else if ((kind & ASC_TENSOR_INPUT) && ((l->kinds[t] & ASC_TENSOR_OUTPUT) || l->set.preserve_inputs))
      add(p, t, ASC_POOL_OUTSIDE, 0, end);
  }
}

static void add_passing(player *p, uint32_t op, int64_t time) {
  const asci_lowered *l = &p->m->lowering->lowered;
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t u = 0; u < spec->input_count + spec->output_count; u++) {
    bool input = u < spec->input_count;
    uint32_t store = l->store[input ? spec->inputs[u] : spec->outputs[u - spec->input_count]];
    uint32_t kind = l->graph->tensors[store].kind;
    bool streamed = (kind & ASC_TENSOR_CONSTANT) && l->set.constants == ASCI_CONSTANTS_STREAMED;
    bool named = p->seen[store] == op;
    p->seen[store] = op;
    if (streamed && asci_cosma_renames(l, op, store)) continue;
    if (named || l->absent[store] || !(streamed || (kind & ASC_TENSOR_WORKSPACE))) continue;
    add(p, store, ASC_POOL_MAIN, time, time + 1);
  }
  if (l->set.workspace && spec->workspace) add(p, l->graph->tensor_count + op, ASC_POOL_MAIN, time, time + 1);
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

/* The end of a copy is known when it is fetched last. An input that has one from the start keeps it. */
static void take_out(player *p, uint32_t value, int64_t time) {
  const cosma_value *v = &p->m->values[value];
  stay_at(p, p->here[value])->upper = time;
  p->here[value] = ASC_NONE;
  if (p->outside[value] != ASC_NONE) return;
  p->outside[value] = add(p, v->item, ASC_POOL_OUTSIDE, v->maker == ASC_NONE && v->copied ? 0 : time, time + 1);
}

/* What has no copy outside that a plan made is an input that is read for the first time. */
static void fetch(player *p, uint32_t value, int64_t time) {
  const cosma_value *v = &p->m->values[value];
  if (p->outside[value] == ASC_NONE && time > 0) {
    uint32_t stay = add(p, v->item, ASC_POOL_OUTSIDE, 0, time);
    if (v->copied) p->outside[value] = stay;
  } else if (p->outside[value] != ASC_NONE && stay_at(p, p->outside[value])->upper < time)
    stay_at(p, p->outside[value])->upper = time;
  p->here[value] = add(p, v->item, ASC_POOL_MAIN, time, time + 1);
}

static void make(player *p, uint32_t value, int64_t time) {
  const cosma_value *v = &p->m->values[value];
  int64_t end = p->m->op_count;
  if (v->over != ASC_NONE) {
    p->here[value] = p->here[v->over];
    stay_at(p, p->here[value])->upper = time + 1;
  } else
    p->here[value] = add(p, v->item, ASC_POOL_MAIN, time, time + 1);
  if (v->copied && time + 1 < end) p->outside[value] = add(p, v->item, ASC_POOL_OUTSIDE, time + 1, end);
}

static void run(player *p, uint32_t time) {
  const cosma_model *m = p->m;
  uint32_t op = p->solution->order[time];
  for (uint32_t e = p->solution->evict_begin[time]; e < p->solution->evict_begin[time + 1]; e++)
    take_out(p, p->solution->evicted[e], time);
  add_passing(p, op, time);
  for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
    uint32_t value = m->reads.entries[r];
    if (p->here[value] == ASC_NONE) fetch(p, value, time);
    p->left[value]--;
    stay_at(p, p->here[value])->upper = (int64_t)time + 1;
  }
  for (uint32_t k = m->makes.begin[op]; k < m->makes.begin[op + 1]; k++) make(p, m->makes.entries[k], time);
}

/* Preserved inputs and those that are outputs have a copy outside all the time, which is among the lasting stays. */
static void find_lasting(player *p) {
  const cosma_model *m = p->m;
  for (size_t k = 0; k < p->list->count; k++)
    for (uint32_t v = 0; v < m->value_count && m->values[v].maker == ASC_NONE; v++)
      if (m->values[v].item == p->list->stays[k].item) p->outside[v] = (uint32_t)k;
}

asc_status asci_cosma_stays(const cosma_model *m, const cosma_solution *solution, asci_stay_list *list) {
  asc_context *context = m->context;
  size_t n = m->value_count, tensors = m->lowering->lowered.graph->tensor_count;
  player p = {.m = m, .solution = solution, .list = list};
  p.left = asci_alloc(context, n, sizeof *p.left);
  p.here = asci_alloc(context, n, sizeof *p.here);
  p.outside = asci_alloc(context, n, sizeof *p.outside);
  p.seen = asci_alloc(context, tensors, sizeof *p.seen);
  p.status = p.left && p.here && p.outside && p.seen ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!p.status) {
    for (size_t v = 0; v < n; v++) p.left[v] = m->readers.begin[v + 1] - m->readers.begin[v];
    memset(p.here, 0xff, n * sizeof *p.here);
    memset(p.outside, 0xff, n * sizeof *p.outside);
    memset(p.seen, 0xff, tensors * sizeof *p.seen);
    add_lasting(&p);
    if (!p.status) find_lasting(&p);
    for (uint32_t k = 0; k < m->op_count && !p.status; k++) run(&p, k);
  }
  void *const blocks[] = {p.left, p.here, p.outside, p.seen};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  return p.status;
}
