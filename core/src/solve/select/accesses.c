/* How often a buffer is written or read while it is there. An operator that only gives a tensor's bytes another name does neither. */
#include "base/arrays.h"
#include "graph/lower.h"
#include "solve/select/select.h"

typedef struct counting {
  const asc_lowering *lowering;
  uint32_t *at;    /* per operator: its time */
  uint32_t *begin; /* per item: its accesses are times[begin[i]] .. times[begin[i + 1] - 1] */
  int64_t *times;
  uint32_t buffer; /* of the next stay */
  uint32_t *accesses;
} counting;

enum { PER_OP, PER_BEGIN };
static const asci_array arrays[] = {
    ASCI_ARRAY(counting, at, PER_OP, ASCI_RAW),
    ASCI_ARRAY(counting, begin, PER_BEGIN, ASCI_ZEROS),
    ASCI_OWN(counting, times),
};

/* Calls visit for each access of an operator: the store, and when. */
static void visit_accesses(counting *c, uint32_t op, void (*visit)(counting *c, uint32_t store, int64_t time)) {
  const asci_lowered *l = &c->lowering->lowered;
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t k = 0; k < spec->input_count; k++) {
    uint32_t view = l->view[spec->inputs[k]];
    bool passes_on = false;
    for (uint32_t a = 0; a < spec->alias_count && !passes_on; a++)
      passes_on = spec->alias[a].input == spec->inputs[k] && l->view[spec->alias[a].output] == view;
    if (!passes_on) visit(c, l->store[spec->inputs[k]], c->at[op]);
  }
  for (uint32_t k = 0; k < spec->output_count; k++)
    if (l->view[spec->outputs[k]] == spec->outputs[k]) visit(c, l->store[spec->outputs[k]], c->at[op]);
}

static void count_one(counting *c, uint32_t store, int64_t time) {
  (void)time;
  c->begin[store + 1]++;
}

static void note_one(counting *c, uint32_t store, int64_t time) {
  c->times[--c->begin[store + 1]] = time;
}

/* A workspace is written and read by its operator. */
static asc_status count_stay(void *user, const asc_stay *stay) {
  counting *c = user;
  uint32_t tensors = c->lowering->lowered.graph->tensor_count, count = 0;
  if (stay->item >= tensors)
    count = 2;
  else
    for (uint32_t k = c->begin[stay->item]; k < c->begin[stay->item + 1]; k++)
      count += c->times[k] >= stay->lower && c->times[k] < stay->upper;
  c->accesses[c->buffer++] = count;
  return ASC_OK;
}

static asc_status count_all(counting *c) {
  const asci_lowered *l = &c->lowering->lowered;
  const asc_graph *g = l->graph;
  for (uint32_t time = 0; time < g->op_count; time++) c->at[c->lowering->schedule[time]] = time;
  for (uint32_t op = 0; op < g->op_count; op++) visit_accesses(c, op, count_one);
  for (uint32_t t = 0; t < g->tensor_count; t++) c->begin[t + 1] += c->begin[t];
  uint32_t total = c->begin[g->tensor_count];
  c->times = asci_alloc(l->context, total, sizeof *c->times);
  if (!c->times) return ASC_OUT_OF_MEMORY;
  /* ends, which note_one turns into begins, one place further on */
  for (uint32_t op = g->op_count; op-- > 0;) visit_accesses(c, op, note_one);
  for (uint32_t t = 0; t < g->tensor_count; t++) c->begin[t] = c->begin[t + 1];
  c->begin[g->tensor_count] = total;
  return asci_stays(l, c->lowering->schedule, count_stay, c);
}

asc_status asci_count_accesses(const asc_lowering *lowering, uint32_t *accesses) {
  const asci_lowered *l = &lowering->lowered;
  counting c = {.lowering = lowering, .accesses = accesses};
  const size_t counts[] = {l->graph->op_count, (size_t)l->graph->tensor_count + 1};
  bool made = asci_arrays_new(l->context, ASCI_TABLE(arrays), counts, &c);
  asc_status status = made ? count_all(&c) : ASC_OUT_OF_MEMORY;
  asci_arrays_free(l->context, ASCI_TABLE(arrays), &c);
  return status;
}
