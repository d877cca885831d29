#include "naive_lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- random graphs --------------------------------------------------------------------------------------------------- */

static bool chance(asci_rng *rng, unsigned percent) {
  return asci_random_below(rng, 100) < percent;
}

bool naive_has(const uint32_t *items, uint32_t count, uint32_t item) {
  for (uint32_t k = 0; k < count; k++)
    if (items[k] == item) return true;
  return false;
}

static uint32_t add_tensor(naive_model *m, asci_rng *rng, uint32_t kind) {
  static const int64_t alignments[] = {1, 1, 2, 4, 3};
  uint32_t t = m->tensors++;
  snprintf(m->tensor_id[t], sizeof m->tensor_id[t], "t%u", t);
  m->tensor[t] = (asc_tensor_spec){.id = m->tensor_id[t], .bytes = asci_random_between(rng, 0, 3) * 4, .kind = kind};
  m->tensor[t].alignment = alignments[asci_random_below(rng, COUNT(alignments))];
  return t;
}

static void draw_pairs(const asc_op_spec *op, asci_rng *rng, asc_tensor_pair *pairs, uint32_t *count, bool once) {
  uint32_t paired[NAIVE_ENTRIES];
  while (*count < 2 && op->input_count && op->output_count && chance(rng, 60)) {
    uint32_t output = op->outputs[asci_random_below(rng, op->output_count)];
    if (once && naive_has(paired, *count, output)) continue;
    paired[*count] = output;
    pairs[(*count)++] = (asc_tensor_pair){output, op->inputs[asci_random_below(rng, op->input_count)]};
  }
}

static void add_op(naive_model *m, asci_rng *rng) {
  uint32_t o = m->ops++;
  asc_op_spec *op = &m->op[o];
  snprintf(m->op_id[o], sizeof m->op_id[o], "o%u", o);
  *op = (asc_op_spec){.id = m->op_id[o], .inputs = m->inputs[o], .outputs = m->outputs[o]};
  op->type = chance(rng, 50) ? "ADD" : "RELU";
  op->inplace = m->inplace[o];
  op->alias = m->alias[o];
  op->workspace = chance(rng, 30) ? asci_random_between(rng, 1, 9) : 0;
  uint32_t earlier = m->tensors, reads = (uint32_t)asci_random_below(rng, NAIVE_ENTRIES);
  for (uint32_t k = 0; k < reads && earlier; k++) {
    /* mostly near ones, so that there are chains */
    uint32_t back = (uint32_t)asci_random_below(rng, chance(rng, 60) && earlier > 3 ? 3 : earlier);
    m->inputs[o][op->input_count++] = earlier - 1 - back;
  }
  uint32_t makes = (uint32_t)asci_random_below(rng, 3);
  for (uint32_t k = 0; k < makes && m->tensors < NAIVE_TENSORS; k++)
    m->outputs[o][op->output_count++] = add_tensor(m, rng, chance(rng, 15) ? ASC_TENSOR_OUTPUT : 0);
  /* states and workspaces may be named again and again */
  for (uint32_t t = 0; t < earlier && op->output_count < NAIVE_ENTRIES; t++)
    if ((m->tensor[t].kind & (ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE)) && chance(rng, 10))
      m->outputs[o][op->output_count++] = t;
  draw_pairs(op, rng, m->inplace[o], &op->inplace_count, false);
  draw_pairs(op, rng, m->alias[o], &op->alias_count, true);
}

void naive_draw(naive_model *m, asci_rng *rng) {
  static const uint32_t given[] = {ASC_TENSOR_INPUT,    ASC_TENSOR_INPUT | ASC_TENSOR_OUTPUT,
                                   ASC_TENSOR_CONSTANT, ASC_TENSOR_CONSTANT | ASC_TENSOR_OUTPUT,
                                   ASC_TENSOR_VARIABLE, ASC_TENSOR_WORKSPACE,
                                   ASC_TENSOR_CONSTANT, ASC_TENSOR_INPUT};
  *m = (naive_model){0};
  uint32_t first = (uint32_t)asci_random_below(rng, 6), ops = 1 + (uint32_t)asci_random_below(rng, NAIVE_OPS);
  for (uint32_t k = 0; k < first; k++) add_tensor(m, rng, given[asci_random_below(rng, COUNT(given))]);
  while (m->ops < ops) add_op(m, rng);
}

asc_graph *naive_freeze(asc_context *context, const naive_model *m) {
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  for (uint32_t t = 0; t < m->tensors; t++) assert_int_equal(asc_graph_add_tensor(graph, &m->tensor[t], NULL), ASC_OK);
  for (uint32_t o = 0; o < m->ops; o++) assert_int_equal(asc_graph_add_op(graph, &m->op[o], NULL), ASC_OK);
  asc_status status = asc_graph_freeze(graph, &diag);
  CHECK(status == ASC_OK, "%s %s", diag.field, diag.message);
  return graph;
}

/* ---- random options -------------------------------------------------------------------------------------------------- */

void naive_draw_options(naive_options *s, asci_rng *rng) {
  uint32_t count;
  const asc_option *table = asc_lower_options(&count);
  assert_int_equal(count, COUNT(s->values));
  for (uint32_t k = 0; k < count; k++) {
    const asc_option *option = &table[k];
    char *text = s->text[k];
    if (option->type == ASC_OPTION_BOOL)
      snprintf(text, sizeof s->text[k], "%s", chance(rng, 50) ? "true" : "false");
    else if (option->type == ASC_OPTION_INT)
      snprintf(text, sizeof s->text[k], "%d", (int)(option->min + (int)asci_random_below(rng, 5)));
    else {
      const char *at = option->choices;
      for (const char *bar; (bar = strchr(at, '|')) && chance(rng, 60);) at = bar + 1;
      snprintf(text, sizeof s->text[k], "%.*s", (int)strcspn(at, "|"), at);
    }
    s->values[k] = (asc_option_value){option->name, text};
  }
}

bool naive_is(const naive_options *s, const char *name, const char *value) {
  for (uint32_t k = 0; k < COUNT(s->values); k++)
    if (strcmp(s->values[k].name, name) == 0) return strcmp(s->values[k].value, value) == 0;
  fail();
  return false;
}

static int64_t number(const naive_options *s, const char *name) {
  for (uint32_t k = 0; k < COUNT(s->values); k++)
    if (strcmp(s->values[k].name, name) == 0) return atoi(s->values[k].value);
  fail();
  return 0;
}

/* ---- the rules once more --------------------------------------------------------------------------------------------- */

uint32_t naive_kinds(const naive_model *m, const uint32_t *label, uint32_t which) {
  uint32_t kinds = 0;
  for (uint32_t t = 0; t < m->tensors; t++)
    if (label[t] == which) kinds |= m->tensor[t].kind;
  return kinds;
}

static bool join(int64_t *a, int64_t b) {
  if (*a % b && b % *a) return false;
  if (b > *a) *a = b;
  return true;
}

/* LiteRT's: an input of the model is nobody's to take over, and its output takes over nothing. */
static bool apart(const naive_model *m, const naive_options *s, asc_tensor_pair pair) {
  bool io = (m->tensor[pair.input].kind & ASC_TENSOR_INPUT) || (m->tensor[pair.output].kind & ASC_TENSOR_OUTPUT);
  return io && naive_is(s, "share_io", "false");
}

static void share_views(const naive_model *m, const naive_options *s, naive_sharing *to) {
  for (uint32_t t = 0; t < m->tensors; t++) {
    to->view[t] = t;
    to->alignment[t] = m->tensor[t].alignment;
  }
  for (uint32_t o = 0; o < m->ops && naive_is(s, "alias", "true"); o++)
    for (uint32_t k = 0; k < m->op[o].alias_count; k++) {
      uint32_t output = m->alias[o][k].output, input = m->alias[o][k].input;
      uint32_t kinds = naive_kinds(m, to->view, to->view[input]) | m->tensor[output].kind;
      if (m->tensor[output].bytes != m->tensor[input].bytes || apart(m, s, m->alias[o][k])) continue;
      if (kinds & (ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE)) continue;
      if (join(&to->alignment[to->view[input]], m->tensor[output].alignment)) to->view[output] = to->view[input];
    }
}

/* Whether op makes one of the view's other names. */
static bool passes_on(const naive_model *m, const naive_sharing *s, uint32_t o, uint32_t view) {
  for (uint32_t k = 0; k < m->op[o].output_count; k++)
    if (m->outputs[o][k] != view && s->view[m->outputs[o][k]] == view) return true;
  return false;
}

static bool reads(const naive_model *m, const naive_sharing *s, uint32_t o, uint32_t view) {
  for (uint32_t k = 0; k < m->op[o].input_count; k++)
    if (s->view[m->inputs[o][k]] == view) return !passes_on(m, s, o, view);
  return false;
}

/* LiteRT's: few kernels write in place, none over what it reads twice, nor over 4 bytes or fewer. */
static bool litert_writes(const naive_model *m, const naive_options *s, uint32_t o, asc_tensor_pair pair) {
  if (naive_is(s, "inplace_ops", "any")) return true;
  uint32_t uses = 0;
  for (uint32_t k = 0; k < m->op[o].input_count; k++) uses += m->inputs[o][k] == pair.input;
  return strcmp(m->op[o].type, "ADD") == 0 && uses < 2 && m->tensor[pair.output].bytes > 4;
}

static void share_in_place(const naive_model *m, const naive_options *s, naive_sharing *to) {
  bool taken[NAIVE_TENSORS] = {false};
  for (uint32_t t = 0; t < m->tensors; t++) to->group[t] = t;
  for (uint32_t o = 0; o < m->ops; o++)
    for (uint32_t k = 0; k < m->op[o].inplace_count && naive_is(s, "inplace", "true"); k++) {
      uint32_t output = m->inplace[o][k].output, view = to->view[m->inplace[o][k].input], readers = 0;
      for (uint32_t p = 0; p < m->ops; p++) readers += reads(m, to, p, view);
      bool well = to->view[output] == output && to->group[output] == output && !taken[view] && readers == 1 &&
                  reads(m, to, o, view) && naive_kinds(m, to->view, view) == 0 &&
                  !(m->tensor[output].kind & ~(uint32_t)ASC_TENSOR_OUTPUT) &&
                  m->tensor[output].bytes == m->tensor[view].bytes && !apart(m, s, m->inplace[o][k]) &&
                  litert_writes(m, s, o, m->inplace[o][k]);
      if (!well || !join(&to->alignment[to->group[view]], to->alignment[output])) continue;
      to->group[output] = to->group[view];
      taken[view] = true;
    }
  for (uint32_t t = 0; t < m->tensors; t++) to->group[t] = to->group[to->view[t]];
}

static void put_row(naive_buffers *e, uint32_t tensor, uint32_t op, int64_t lower, int64_t upper, int64_t size,
                    int64_t alignment) {
  e->rows[e->count].tensor = tensor;
  e->rows[e->count].op = op;
  e->rows[e->count].lower = lower;
  e->rows[e->count].upper = upper;
  e->rows[e->count].size = size;
  e->rows[e->count++].alignment = alignment;
}

static int64_t up(int64_t size, int64_t multiple) {
  while (size % multiple) size++;
  return size;
}

static int64_t common(int64_t a, int64_t b) {
  int64_t c = a;
  while (c % b) c += a;
  return c;
}

/* Whether the tensor is there at time k, streaming apart. */
static bool alive(const naive_model *m, const naive_options *s, const uint32_t *schedule, uint32_t tensor, uint32_t time) {
  const asc_tensor_spec *t = &m->tensor[tensor];
  uint32_t first = m->ops, last = 0;
  for (uint32_t k = 0; k < m->ops; k++) {
    uint32_t o = schedule[k];
    bool makes = naive_has(m->outputs[o], m->op[o].output_count, tensor);
    if (!makes && !naive_has(m->inputs[o], m->op[o].input_count, tensor)) continue;
    if (k < first) first = k;
    last = k;
  }
  if (t->kind & (ASC_TENSOR_VARIABLE | ASC_TENSOR_CONSTANT)) return true;
  bool named = first < m->ops;
  if (t->kind & ASC_TENSOR_INPUT) first = 0;
  if ((t->kind & ASC_TENSOR_OUTPUT) || ((t->kind & ASC_TENSOR_INPUT) && naive_is(s, "preserve_inputs", "true")))
    last = m->ops - 1;
  return (named || (t->kind & (ASC_TENSOR_INPUT | ASC_TENSOR_OUTPUT))) && time >= first && time <= last;
}

/* All but the first go to later. */
static void put_streamed(const naive_model *m, const naive_options *s, const naive_sharing *sh, const uint32_t *schedule,
                         uint32_t view, naive_buffers *e, naive_buffers *later, int64_t size, int64_t alignment) {
  naive_buffers *to = e;
  bool there[NAIVE_OPS + 1] = {false}, used[NAIVE_OPS] = {false};
  for (uint32_t k = 0; k < m->ops; k++) used[k] = reads(m, sh, schedule[k], view);
  if (naive_kinds(m, sh->view, view) & ASC_TENSOR_OUTPUT) used[m->ops - 1] = true;
  int64_t ahead = number(s, "prefetch");
  for (uint32_t k = 0; k < m->ops; k++)
    for (int64_t j = k; used[k] && j >= 0 && j >= k - ahead; j--) there[j] = true;
  /* runs of what is there: what touches is one run */
  for (uint32_t k = 0, begin = 0; k <= m->ops; k++) {
    if (there[k] && (k == 0 || !there[k - 1])) begin = k;
    if (!there[k] && k > 0 && there[k - 1]) {
      put_row(to, view, ASC_NONE, begin, k, size, alignment);
      to = later;
    }
  }
}

void naive_lower(const naive_model *m, const naive_options *s, const uint32_t *schedule, const naive_sharing *sh,
                 naive_buffers *e) {
  int64_t multiple = number(s, "alignment");
  bool sizes = !naive_is(s, "align_by", "offset"), offsets = !naive_is(s, "align_by", "size");
  static naive_buffers later;
  e->count = later.count = 0;
  for (uint32_t g = 0; g < m->tensors; g++) {
    uint32_t kinds = naive_kinds(m, sh->group, g), lower = m->ops, upper = 0;
    if (sh->group[g] != g || m->tensor[g].bytes == 0) continue;
    if ((kinds & ASC_TENSOR_CONSTANT) && naive_is(s, "constants", "out")) continue;
    if ((kinds & ASC_TENSOR_WORKSPACE) && naive_is(s, "workspace", "false")) continue;
    bool named = false;
    for (uint32_t o = 0; o < m->ops; o++)
      named |= naive_has(m->inputs[o], m->op[o].input_count, g) || naive_has(m->outputs[o], m->op[o].output_count, g);
    if (!named && !(kinds & (ASC_TENSOR_INPUT | ASC_TENSOR_OUTPUT | ASC_TENSOR_VARIABLE))) continue;
    int64_t size = sizes ? up(m->tensor[g].bytes, multiple) : m->tensor[g].bytes;
    int64_t alignment = offsets ? common(sh->alignment[g], multiple) : sh->alignment[g];
    if ((kinds & ASC_TENSOR_CONSTANT) && naive_is(s, "constants", "streamed")) {
      put_streamed(m, s, sh, schedule, g, e, &later, size, alignment);
      continue;
    }
    for (uint32_t t = 0; t < m->tensors; t++)
      for (uint32_t k = 0; k < m->ops && sh->group[t] == g; k++) {
        if (!alive(m, s, schedule, t, k)) continue;
        if (k < lower) lower = k;
        if (k + 1 > upper) upper = k + 1;
      }
    put_row(e, g, ASC_NONE, lower, upper, size, alignment);
  }
  for (uint32_t o = 0; o < m->ops && naive_is(s, "workspace", "true"); o++) {
    int64_t bytes = m->op[o].workspace, k = 0;
    while (schedule[k] != o) k++;
    if (bytes) put_row(e, ASC_NONE, o, k, k + 1, sizes ? up(bytes, multiple) : bytes, offsets ? multiple : 1);
  }
  for (uint32_t r = 0; r < later.count; r++) e->rows[e->count++] = later.rows[r];
}

void naive_share(const naive_model *m, const naive_options *s, naive_sharing *to) {
  share_views(m, s, to);
  share_in_place(m, s, to);
}

int64_t naive_load(const naive_buffers *e, int64_t time) {
  int64_t load = 0;
  for (uint32_t r = 0; r < e->count; r++)
    if (e->rows[r].lower <= time && time < e->rows[r].upper) load += e->rows[r].size;
  return load;
}

/* ---- schedules ------------------------------------------------------------------------------------------------------- */

int64_t naive_alive_after(const naive_model *m, const naive_options *s, const naive_sharing *sh, const bool *done,
                          uint32_t next) {
  int64_t sum = 0;
  for (uint32_t g = 0; g < m->tensors; g++) {
    uint32_t kinds = naive_kinds(m, sh->group, g);
    if (sh->group[g] != g || (kinds & ASC_TENSOR_CONSTANT)) continue;
    if ((kinds & ASC_TENSOR_WORKSPACE) && naive_is(s, "workspace", "false")) continue;
    bool begun = kinds & (ASC_TENSOR_INPUT | ASC_TENSOR_VARIABLE), needed = false, named = false;
    needed = (kinds & (ASC_TENSOR_OUTPUT | ASC_TENSOR_VARIABLE)) ||
             ((kinds & ASC_TENSOR_INPUT) && naive_is(s, "preserve_inputs", "true"));
    for (uint32_t o = 0; o < m->ops; o++)
      for (uint32_t t = 0; t < m->tensors; t++) {
        if (sh->group[t] != g) continue;
        if (!naive_has(m->inputs[o], m->op[o].input_count, t) && !naive_has(m->outputs[o], m->op[o].output_count, t))
          continue;
        named = true;
        begun |= done[o] || o == next;
        needed |= !done[o] && o != next;
      }
    int64_t size = naive_is(s, "align_by", "offset") ? m->tensor[g].bytes : up(m->tensor[g].bytes, number(s, "alignment"));
    if (named && begun && needed && m->tensor[g].bytes) sum += size;
  }
  return sum;
}

bool naive_ready(const naive_model *m, const bool *done, uint32_t op) {
  bool ready = !done[op];
  for (uint32_t p = 0; p < op && ready; p++)
    for (uint32_t t = 0; t < m->tensors && ready && !done[p]; t++) {
      bool makes = naive_has(m->outputs[p], m->op[p].output_count, t),
           read = naive_has(m->inputs[op], m->op[op].input_count, t);
      bool both = (makes || naive_has(m->inputs[p], m->op[p].input_count, t)) &&
                  (read || naive_has(m->outputs[op], m->op[op].output_count, t));
      bool waits = (m->tensor[t].kind & ASC_TENSOR_VARIABLE) ? both : makes && read;
      if (waits && !(m->tensor[t].kind & ASC_TENSOR_WORKSPACE)) ready = false;
    }
  return ready;
}
