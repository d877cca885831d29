#include "model.h"

#include <string.h>

#define NOT_A_VALUE UINT32_MAX

typedef struct pair {
  uint32_t from, to;
} pair;

typedef struct maker {
  cosma_model *m;
  const asci_lowered *l;
  uint32_t copied;
  uint32_t *value; /* per view: its value */
  uint32_t *seen;  /* per view or store: the operator that named it last */
  pair *pairs;     /* of the rows under way */
  size_t pair_count, pair_room;
  bool failed;
} maker;

int64_t asci_cosma_item_size(const asc_lowering *lowering, uint32_t item) {
  uint32_t buffer = lowering->buffers[item];
  if (item < lowering->lowered.graph->tensor_count) buffer = lowering->buffers[lowering->lowered.store[item]];
  if (buffer == ASC_NONE) return asci_item_size(&lowering->lowered, item);
  return asc_lowering_problem(lowering)->buffers[buffer].size;
}

int64_t asci_cosma_item_alignment(const asc_lowering *lowering, uint32_t item) {
  uint32_t buffer = lowering->buffers[item];
  return buffer == ASC_NONE ? 1 : asc_lowering_problem(lowering)->buffers[buffer].alignment;
}

static void *take(maker *k, size_t count, size_t size) {
  void *block = asci_arena_alloc(k->m->context, &k->m->arena, count * size);
  if (block) memset(block, 0, count * size);
  k->failed |= !block;
  return block;
}

static void add_pair(maker *k, uint32_t from, uint32_t to) {
  if (!asci_grow(k->m->context, &k->pairs, &k->pair_room, k->pair_count + 1, sizeof *k->pairs))
    k->failed = true;
  else
    k->pairs[k->pair_count++] = (pair){from, to};
}

/* The pairs as rows, in the order in which they were added; there are none under way then. */
static void end_rows(maker *k, uint32_t count, cosma_rows *rows) {
  rows->begin = take(k, (size_t)count + 2, sizeof *rows->begin);
  rows->entries = take(k, k->pair_count, sizeof *rows->entries);
  if (!k->failed) {
    /* begin[i + 1] moves from the row's begin to its end */
    for (size_t p = 0; p < k->pair_count; p++) rows->begin[k->pairs[p].from + 2]++;
    for (uint32_t i = 2; i <= count; i++) rows->begin[i] += rows->begin[i - 1];
    for (size_t p = 0; p < k->pair_count; p++) rows->entries[rows->begin[k->pairs[p].from + 1]++] = k->pairs[p].to;
  }
  k->pair_count = 0;
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static uint32_t store_of(const maker *k, uint32_t tensor) {
  return k->l->store[tensor];
}

static bool is_value(const maker *k, uint32_t tensor) {
  const asci_lowered *l = k->l;
  uint32_t other = ASC_TENSOR_CONSTANT | ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE;
  return l->view[tensor] == tensor && !l->absent[l->store[tensor]] && !(l->graph->tensors[tensor].kind & other);
}

static uint32_t kinds_of_view(const maker *k, uint32_t view) {
  uint32_t kinds = 0;
  for (uint32_t t = view; t != ASC_NONE; t = k->l->next[t]) kinds |= k->l->graph->tensors[t].kind;
  return kinds;
}

static uint32_t written_over(const maker *k, uint32_t tensor, uint32_t op) {
  const asc_op_spec *spec = &k->l->graph->ops[op];
  uint32_t over = ASC_NONE;
  for (uint32_t p = 0; p < spec->inplace_count; p++) {
    uint32_t view = k->l->view[spec->inplace[p].input];
    if (spec->inplace[p].output == tensor && store_of(k, view) == store_of(k, tensor)) over = k->value[view];
  }
  return over;
}

static void add_value(maker *k, uint32_t tensor, uint32_t op) {
  cosma_model *m = k->m;
  uint32_t item = store_of(k, tensor), over = ASC_NONE;
  if (op != ASC_NONE && item != tensor) over = written_over(k, tensor, op);
  bool output = (kinds_of_view(k, tensor) & ASC_TENSOR_OUTPUT) != 0, input = op == ASC_NONE;
  bool copied = (output && k->copied & COSMA_OUTPUTS_COPIED) ||
                (input && (k->copied & COSMA_INPUTS_COPIED || k->l->set.preserve_inputs));
  if (over != ASC_NONE) m->values[over].under = m->value_count;
  k->value[tensor] = m->value_count;
  m->values[m->value_count++] =
      (cosma_value){asci_cosma_item_size(m->lowering, item), asci_item_size(k->l, item), item, op, over, ASC_NONE, copied};
}

static void add_values(maker *k) {
  const asc_graph *g = k->l->graph;
  for (uint32_t t = 0; t < g->tensor_count; t++) k->value[t] = NOT_A_VALUE;
  for (uint32_t t = 0; t < g->tensor_count; t++)
    if ((g->tensors[t].kind & ASC_TENSOR_INPUT) && is_value(k, t)) add_value(k, t, ASC_NONE);
  for (uint32_t op = 0; op < g->op_count; op++)
    for (uint32_t o = 0; o < g->ops[op].output_count; o++)
      if (is_value(k, g->ops[op].outputs[o])) add_value(k, g->ops[op].outputs[o], op);
}

/* ---- what operators need --------------------------------------------------------------------------------------------- */

static bool is_new(maker *k, uint32_t tensor, uint32_t op) {
  if (k->seen[tensor] == op) return false;
  k->seen[tensor] = op;
  return true;
}

static uint32_t use(const asc_op_spec *spec, uint32_t k) {
  return k < spec->input_count ? spec->inputs[k] : spec->outputs[k - spec->input_count];
}

/* Reads, and makes: an operator that gives bytes another name has them in the arena, as if it read them. */
static void add_uses(maker *k, uint32_t op, bool made) {
  const asc_op_spec *spec = &k->l->graph->ops[op];
  for (uint32_t u = 0; u < spec->input_count + spec->output_count; u++) {
    uint32_t view = k->l->view[use(spec, u)], value = k->value[view];
    if (value == NOT_A_VALUE || (k->m->values[value].maker == op) != made || !is_new(k, view, op)) continue;
    add_pair(k, op, value);
    if (!made || k->m->values[value].over == ASC_NONE) k->m->need[op] += k->m->values[value].size;
  }
}

bool asci_cosma_renames(const asci_lowered *l, uint32_t op, uint32_t store) {
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t o = 0; o < spec->output_count; o++)
    if (l->store[spec->outputs[o]] == store) return true;
  return false;
}

static void pass_by(maker *k, uint32_t op, uint32_t item) {
  k->m->need[op] += asci_cosma_item_size(k->m->lowering, item);
  add_pair(k, op, item);
}

/* Constants and workspaces that are there while the operator runs and no longer. A streamed constant is taken to come with its operator. */
static void add_passing(maker *k, uint32_t op) {
  const asci_lowered *l = k->l;
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t u = 0; u < spec->input_count + spec->output_count; u++) {
    uint32_t store = store_of(k, use(spec, u)), kind = l->graph->tensors[store].kind;
    bool constant = (kind & ASC_TENSOR_CONSTANT) && l->set.constants == ASCI_CONSTANTS_STREAMED;
    if (l->absent[store] || !(constant || (kind & ASC_TENSOR_WORKSPACE)) || !is_new(k, store, op)) continue;
    if (!constant || !asci_cosma_renames(l, op, store)) pass_by(k, op, store);
  }
  if (l->set.workspace && spec->workspace) pass_by(k, op, l->graph->tensor_count + op);
}

bool asci_cosma_is_lasting(const asci_lowered *l, uint32_t tensor) {
  uint32_t kind = l->graph->tensors[tensor].kind;
  bool resident = (kind & ASC_TENSOR_CONSTANT) && l->set.constants == ASCI_CONSTANTS_RESIDENT;
  return l->store[tensor] == tensor && !l->absent[tensor] && (resident || (kind & ASC_TENSOR_VARIABLE));
}

static void add_base(maker *k) {
  const asci_lowered *l = k->l;
  for (uint32_t t = 0; t < l->graph->tensor_count; t++) {
    if (!asci_cosma_is_lasting(l, t)) continue;
    k->m->base += asci_cosma_item_size(k->m->lowering, t);
    k->m->keeps = true;
  }
}

static void clear_seen(maker *k) {
  memset(k->seen, 0xff, k->l->graph->tensor_count * sizeof *k->seen);
}

static void each_op(maker *k, void (*visit)(maker *k, uint32_t op)) {
  clear_seen(k);
  for (uint32_t op = 0; op < k->m->op_count; op++) visit(k, op);
}

static void add_reads(maker *k, uint32_t op) {
  add_uses(k, op, false);
}
static void add_makes(maker *k, uint32_t op) {
  add_uses(k, op, true);
}

static void add_needs(maker *k) {
  cosma_model *m = k->m;
  add_base(k);
  each_op(k, add_reads);
  end_rows(k, m->op_count, &m->reads);
  each_op(k, add_makes);
  end_rows(k, m->op_count, &m->makes);
  each_op(k, add_passing);
  end_rows(k, m->op_count, &m->passing);
  for (uint32_t op = 0; op < m->op_count; op++) {
    m->need[op] += m->base;
    if (m->need[op] > m->required) m->required = m->need[op], m->required_op = op;
  }
}

/* ---- the other way round --------------------------------------------------------------------------------------------- */

static void add_readers(maker *k) {
  const cosma_rows *reads = &k->m->reads;
  for (uint32_t op = 0; op < k->m->op_count; op++)
    for (uint32_t r = reads->begin[op]; r < reads->begin[op + 1]; r++) add_pair(k, reads->entries[r], op);
  end_rows(k, k->m->value_count, &k->m->readers);
}

static void add_order(maker *k, bool waits) {
  const asc_graph *g = k->l->graph;
  for (uint32_t op = 0; op < g->op_count; op++)
    for (uint32_t a = g->after_begin[op]; a < g->after_begin[op + 1]; a++) {
      if (a > g->after_begin[op] && g->after[a] == g->after[a - 1]) continue;
      add_pair(k, waits ? g->after[a] : op, waits ? op : g->after[a]);
    }
  end_rows(k, g->op_count, waits ? &k->m->waits : &k->m->after);
}

static void fill(maker *k) {
  cosma_model *m = k->m;
  const asc_graph *g = k->l->graph;
  k->value = take(k, g->tensor_count, sizeof *k->value);
  k->seen = take(k, g->tensor_count, sizeof *k->seen);
  m->values = take(k, g->tensor_count, sizeof *m->values);
  m->need = take(k, g->op_count, sizeof *m->need);
  if (!k->failed) add_values(k);
  m->plain = true;
  for (uint32_t v = 0; v < m->value_count; v++) m->plain &= m->values[v].size == m->values[v].bytes;
  if (!k->failed) add_needs(k);
  if (!k->failed) add_readers(k);
  if (!k->failed) add_order(k, false);
  if (!k->failed) add_order(k, true);
}

asc_status asci_cosma_model_new(const asc_lowering *lowering, uint32_t copied, cosma_model *m) {
  const asci_lowered *l = &lowering->lowered;
  *m = (cosma_model){.lowering = lowering, .context = l->context, .op_count = l->graph->op_count};
  maker k = {.m = m, .l = l, .copied = copied};
  fill(&k);
  /* at least one word each, so that the sets of a graph without any are not nowhere */
  m->op_words = (size_t)m->op_count / 64 + 1;
  m->value_words = (size_t)m->value_count / 64 + 1;
  asci_free(m->context, k.pairs);
  if (!k.failed) return ASC_OK;
  asci_cosma_model_free(m);
  return ASC_OUT_OF_MEMORY;
}

void asci_cosma_model_free(cosma_model *m) {
  if (m->context) asci_arena_free(m->context, &m->arena);
  *m = (cosma_model){0};
}
