/* Which tensors lie in one store: those that are the same bytes (alias), and those that are written over an input (in place). */
#include "base/number/multiple.h"
#include "graph/lowered.h"

#include <string.h>

/* Who reads the bytes of a view, apart from operators that pass them on. */
typedef struct readers {
  uint32_t count;
  uint32_t last;
} readers;

typedef struct sharing {
  asci_lowered *l;
  readers *readers; /* per view */
  uint32_t *passed; /* per view: the operator that last passed it on */
  uint32_t *taken;  /* per view: the operator that wrote over it */
} sharing;

/* The alignment that suits both, if one of them does. */
static bool join_alignment(asci_lowered *l, uint32_t store, int64_t other) {
  int64_t mine = l->alignment[store];
  if (mine % other == 0) return true;
  if (other % mine) return false;
  l->alignment[store] = other;
  return true;
}

/* ---- aliases --------------------------------------------------------------------------------------------------------- */

/* LiteRT's rule (InputTensorCanBeShared in its arena_planner.cc): nothing takes over an input of the model, and an output takes over nothing. */
static bool kept_apart(const asci_lowered *l, asc_tensor_pair pair) {
  const asc_tensor_spec *tensors = l->graph->tensors;
  return !l->set.share_io &&
         ((tensors[pair.input].kind & ASC_TENSOR_INPUT) || (tensors[pair.output].kind & ASC_TENSOR_OUTPUT));
}

/* A variable keeps its own bytes: what is seen of it in another shape would change with it. */
static bool may_alias(const asci_lowered *l, asc_tensor_pair pair) {
  const asc_tensor_spec *output = &l->graph->tensors[pair.output], *input = &l->graph->tensors[pair.input];
  const uint32_t own = ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE;
  return output->bytes == input->bytes && !((output->kind | l->kinds[l->view[pair.input]]) & own);
}

static void alias_outputs(sharing *s, uint32_t op) {
  asci_lowered *l = s->l;
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t k = 0; k < spec->alias_count; k++) {
    asc_tensor_pair pair = spec->alias[k];
    uint32_t view = l->view[pair.input];
    if (kept_apart(l, pair)) continue;
    if (!may_alias(l, pair) || !join_alignment(l, view, l->alignment[pair.output])) {
      l->refused_aliases++;
      continue;
    }
    l->view[pair.output] = view;
    l->next[pair.output] = l->next[view];
    l->next[view] = pair.output;
    l->kinds[view] |= l->kinds[pair.output];
    s->passed[view] = op;
  }
}

static void count_readers(sharing *s, uint32_t op) {
  const asc_op_spec *spec = &s->l->graph->ops[op];
  for (uint32_t k = 0; k < spec->input_count; k++) {
    uint32_t view = s->l->view[spec->inputs[k]];
    readers *of = &s->readers[view];
    if (s->passed[view] == op || (of->count && of->last == op)) continue;
    of->count++;
    of->last = op;
  }
}

/* ---- in place -------------------------------------------------------------------------------------------------------- */

/* Whether op may write the output over the input: nobody else reads those bytes, under any name, and they are not the model's own. This is
   Vela's rule (its live_range.py); it does not depend on the schedule. */
static bool may_write_over(const sharing *s, uint32_t op, asc_tensor_pair pair) {
  const asci_lowered *l = s->l;
  const asc_tensor_spec *output = &l->graph->tensors[pair.output];
  uint32_t view = l->view[pair.input];
  return !kept_apart(l, pair) && l->kinds[view] == 0 && !(output->kind & (ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE)) &&
         s->readers[view].count == 1 && s->readers[view].last == op && s->taken[view] != op &&
         output->bytes == l->graph->tensors[view].bytes;
}

static bool is_arithmetic(const char *type) {
  static const char *const names[] = {"ADD", "SUB", "MUL", "DIV"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(type, names[k]) == 0) return true;
  return false;
}

/* LiteRT's rule: the kernels that say so (inplace_operator of their TfLiteRegistration; SOFTMAX and DYNAMIC_UPDATE_SLICE say so too, of which a
   graph has no pairs), not over what one operator reads twice, nor over a scalar, which may be a size that is not known yet. */
static bool writes_in_place(const asci_lowered *l, const asc_op_spec *spec, asc_tensor_pair pair) {
  if (l->set.inplace_ops == ASCI_OPS_ANY) return true;
  uint32_t uses = 0;
  for (uint32_t k = 0; k < spec->input_count; k++) uses += spec->inputs[k] == pair.input;
  return is_arithmetic(spec->type) && uses == 1 && l->graph->tensors[pair.output].bytes > 4;
}

/* The first pair of an output that can be taken is. */
static void write_over(sharing *s, uint32_t op) {
  asci_lowered *l = s->l;
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t k = 0; k < spec->inplace_count; k++) {
    asc_tensor_pair pair = spec->inplace[k];
    if (l->view[pair.output] != pair.output || l->store[pair.output] != pair.output) continue;
    uint32_t view = l->view[pair.input];
    if (!writes_in_place(l, spec, pair) || !may_write_over(s, op, pair)) continue;
    if (!join_alignment(l, l->store[view], l->alignment[pair.output])) continue;
    l->store[pair.output] = l->store[view];
    s->taken[view] = op;
  }
  for (uint32_t k = 0; k < spec->inplace_count; k++) {
    uint32_t output = spec->inplace[k].output;
    bool meant = writes_in_place(l, spec, spec->inplace[k]);
    l->refused_inplace += meant && l->view[output] == output && l->store[output] == output;
  }
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static void set_up(asci_lowered *l) {
  const asc_graph *g = l->graph;
  for (uint32_t t = 0; t < g->tensor_count; t++) {
    l->view[t] = l->store[t] = t;
    l->next[t] = ASC_NONE;
    l->kinds[t] = g->tensors[t].kind;
    l->alignment[t] = g->tensors[t].alignment;
  }
}

static void measure(asci_lowered *l) {
  const asc_graph *g = l->graph;
  for (uint32_t t = 0; t < g->tensor_count; t++) {
    if (l->view[t] != t) l->store[t] = l->store[l->view[t]];
    uint32_t kind = l->kinds[l->view[t]];
    bool named = g->producer[t] != ASC_NONE || g->reader_begin[t] != g->reader_begin[t + 1];
    bool idle = !named && !(kind & (ASC_TENSOR_INPUT | ASC_TENSOR_OUTPUT | ASC_TENSOR_VARIABLE));
    l->absent[t] = idle || g->tensors[t].bytes == 0 ||
                   ((kind & ASC_TENSOR_CONSTANT) && l->set.constants == ASCI_CONSTANTS_OUT) ||
                   ((kind & ASC_TENSOR_WORKSPACE) && !l->set.workspace);
    l->size[t] = asci_rounded(l, g->tensors[t].bytes);
    if (l->set.align_by != ASCI_ALIGN_SIZE) l->alignment[t] = asci_common_multiple(l->alignment[t], l->set.alignment);
  }
  /* what is written over a view belongs to the store; whether that is of the model's own does not change with it */
  for (uint32_t t = 0; t < g->tensor_count; t++)
    if (l->store[t] != t) l->kinds[l->store[t]] |= g->tensors[t].kind;
}

asc_status asci_share(asci_lowered *l) {
  uint32_t n = l->graph->tensor_count;
  sharing s = {.l = l};
  s.readers = asci_calloc(l->context, n, sizeof *s.readers);
  s.passed = asci_alloc(l->context, n, sizeof *s.passed);
  s.taken = asci_alloc(l->context, n, sizeof *s.taken);
  bool room = s.readers && s.passed && s.taken;
  if (room) {
    set_up(l);
    if (n) memset(s.passed, 0xff, n * sizeof *s.passed);
    if (n) memset(s.taken, 0xff, n * sizeof *s.taken);
    for (uint32_t op = 0; op < l->graph->op_count; op++) {
      if (l->set.alias) alias_outputs(&s, op);
      if (l->set.inplace) count_readers(&s, op);
    }
    /* readers are only known when all operators are seen */
    for (uint32_t op = 0; l->set.inplace && op < l->graph->op_count; op++) write_over(&s, op);
    measure(l);
  }
  asci_free(l->context, s.readers);
  asci_free(l->context, s.passed);
  asci_free(l->context, s.taken);
  return room ? ASC_OK : ASC_OUT_OF_MEMORY;
}
