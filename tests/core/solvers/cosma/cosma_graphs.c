#include "cosma_graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cosma_graph test_cosma_graph(const char *sizes, const char *reads) {
  cosma_graph g = {0};
  char *end;
  for (const char *at = sizes; *at; at = *end ? end + 1 : end) g.size[g.ops++] = strtol(at, &end, 10);
  uint32_t op = 0;
  for (const char *at = reads; *at; at++) {
    if (*at == ' ') op++;
    if (*at < '0' || *at > '9') continue;
    g.reads[op] |= 1u << strtol(at, &end, 10);
    at = end - 1;
  }
  assert_int_equal(op + 1, g.ops);
  return g;
}

cosma_graph test_cosma_random(asci_rng *rng, uint32_t most_ops, int64_t most_size) {
  cosma_graph g = {.ops = (uint32_t)asci_random_between(rng, 2, most_ops)};
  bool hub = asci_random_below(rng, 2);
  for (uint32_t op = 0; op < g.ops; op++) {
    g.size[op] = asci_random_between(rng, 1, most_size);
    uint32_t reads = op ? (uint32_t)asci_random_below(rng, 4) : 0;
    for (uint32_t k = 0; k < reads; k++) g.reads[op] |= 1u << asci_random_below(rng, op);
    if (asci_random_below(rng, 8) == 0) g.outputs |= 1u << op;
    /* one that is read again and again, so that it comes back with a copy outside and stays alive */
    if (hub && op > 0 && asci_random_below(rng, 2)) g.reads[op] |= 1u << (op > 1 ? asci_random_below(rng, 2) : 0);
  }
  return g;
}

void test_cosma_chains(char *text, size_t room, uint32_t count) {
  int used = snprintf(text, room, "tensor,x,3,input\n");
  for (uint32_t c = 0; c < count; c++)
    used += snprintf(text + used, room - (size_t)used,
                     "tensor,a%u,%u\ntensor,b%u,%u\ntensor,c%u,2\nop,a%u,A,x,a%u\nop,b%u,B,a%u,b%u\nop,c%u,C,b%u,c%u\n", c,
                     5 + c * 3 % 7, c, 9 + c * 5 % 11, c, c, c, c, c, c, c, c, c);
  used += snprintf(text + used, room - (size_t)used, "tensor,y,4,output\nop,y,Y,c0");
  for (uint32_t c = 1; c < count; c++) used += snprintf(text + used, room - (size_t)used, ";c%u", c);
  snprintf(text + used, room - (size_t)used, ",y\n");
}

asc_graph *test_cosma_freeze(asc_context *context, const cosma_graph *g) {
  asc_graph *graph = NULL;
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  for (uint32_t t = 0; t < g->ops; t++) {
    char id[16];
    snprintf(id, sizeof id, "t%u", t);
    asc_tensor_spec spec = {.id = id, .bytes = g->size[t], .alignment = 1};
    if (g->outputs >> t & 1) spec.kind = ASC_TENSOR_OUTPUT;
    assert_int_equal(asc_graph_add_tensor(graph, &spec, NULL), ASC_OK);
  }
  for (uint32_t op = 0; op < g->ops; op++) {
    char id[16];
    uint32_t inputs[COSMA_MOST_OPS], count = 0;
    snprintf(id, sizeof id, "o%u", op);
    for (uint32_t t = 0; t < op; t++)
      if (g->reads[op] >> t & 1) inputs[count++] = t;
    asc_op_spec spec = {.id = id, .inputs = inputs, .outputs = &op, .input_count = count, .output_count = 1};
    assert_int_equal(asc_graph_add_op(graph, &spec, NULL), ASC_OK);
  }
  assert_int_equal(asc_graph_freeze(graph, NULL), ASC_OK);
  return graph;
}

asc_lowering *test_cosma_lower(const asc_graph *graph) {
  asc_lowering *lowering = NULL;
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  return lowering;
}

void test_cosma_print(const cosma_graph *g) {
  for (uint32_t op = 0; op < g->ops; op++) {
    print_error("  %u: size %d%s, reads", op, (int)g->size[op], g->outputs >> op & 1 ? " output" : "");
    for (uint32_t t = 0; t < op; t++)
      if (g->reads[op] >> t & 1) print_error(" %u", t);
    print_error("\n");
  }
}

/* ---- by definition --------------------------------------------------------------------------------------------------- */

static int64_t bytes_of(const cosma_graph *g, uint32_t set) {
  int64_t sum = 0;
  for (uint32_t t = 0; t < g->ops; t++)
    if (set >> t & 1) sum += g->size[t];
  return sum;
}

/* Tensors that an operator not in done reads. */
static uint32_t read_later(const cosma_graph *g, uint32_t done) {
  uint32_t set = 0;
  for (uint32_t op = 0; op < g->ops; op++)
    if (!(done >> op & 1)) set |= g->reads[op];
  return set;
}

int64_t test_cosma_required(const cosma_graph *g) {
  int64_t most = 0;
  for (uint32_t op = 0; op < g->ops; op++) {
    int64_t need = bytes_of(g, g->reads[op] | 1u << op);
    if (need > most) most = need;
  }
  return most;
}

static void try_peak(const cosma_graph *g, uint32_t done, int64_t peak, int64_t *best) {
  if (peak >= *best) return;
  if (done == (1u << g->ops) - 1) *best = peak;
  for (uint32_t op = 0; op < g->ops; op++) {
    if ((done >> op & 1) || (g->reads[op] & ~done)) continue;
    int64_t now = bytes_of(g, (done & read_later(g, done)) | 1u << op);
    try_peak(g, done | 1u << op, now > peak ? now : peak, best);
  }
}

int64_t test_cosma_peak(const cosma_graph *g) {
  int64_t best = INT64_MAX;
  try_peak(g, 0, 0, &best);
  return best;
}

typedef struct trial {
  const cosma_graph *g;
  int64_t capacity, best;
  bool fixed;
} trial;

/* resident, and copied: those that have a copy outside. A set is taken out before each operator. */
static void try_traffic(trial *t, uint32_t done, uint32_t resident, uint32_t copied, int64_t cost) {
  const cosma_graph *g = t->g;
  if (cost >= t->best) return;
  if (done == (1u << g->ops) - 1) t->best = cost;
  for (uint32_t op = 0; op < g->ops; op++) {
    if ((done >> op & 1) || (g->reads[op] & ~done) || (t->fixed && done != (1u << op) - 1)) continue;
    uint32_t others = resident & ~g->reads[op];
    for (uint32_t out = others;; out = (out - 1) & others) {
      uint32_t here = (resident & ~out) | g->reads[op] | 1u << op, after = done | 1u << op;
      int64_t moved = bytes_of(g, out & ~copied) + bytes_of(g, g->reads[op] & ~resident);
      if (bytes_of(g, here) <= t->capacity)
        try_traffic(t, after, here & read_later(g, after), copied | out | (g->outputs & 1u << op), cost + moved);
      if (out == 0) break;
    }
  }
}

int64_t test_cosma_traffic(const cosma_graph *g, int64_t capacity, bool fixed) {
  trial t = {g, capacity, INT64_MAX, fixed};
  try_traffic(&t, 0, 0, 0, 0);
  return t.best;
}
