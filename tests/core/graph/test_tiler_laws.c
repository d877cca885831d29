/* Tiles by law: of random graphs every element is written once, nothing is read before it is written, a task reads all that its elements are made of
 * and takes no more than the chip has; and what taa makes of them is never misread. */
#include "graph/graph.h"
#include "graph/window.h"
#include "tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TENSORS = 16, MOST_OPS = 7, RANK = 4 };

/* ---- random graphs ------------------------------------------------------------------------------------------------------- */

typedef struct shape {
  uint32_t rank;
  int64_t sizes[RANK];
  int64_t element;
  const char *axes;
} shape;

typedef struct drawing {
  asci_rng *rng;
  asc_graph *graph;
  shape shapes[MOST_TENSORS];
  uint32_t count;
} drawing;

static int64_t elements(const shape *s) {
  int64_t count = 1;
  for (uint32_t k = 0; k < s->rank; k++) count *= s->sizes[k];
  return count;
}

static uint32_t add_tensor(drawing *d, const shape *s, uint32_t kind) {
  char id[16], text[96] = "";
  snprintf(id, sizeof id, "t%u", d->count);
  for (uint32_t k = 0; k < s->rank; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", k ? "x" : "", (int)s->sizes[k]);
  asc_tensor_spec spec = {.id = id, .bytes = elements(s) * s->element, .kind = kind, .alignment = 1, .shape = text};
  spec.axes = s->axes;
  assert_int_equal(asc_graph_add_tensor(d->graph, &spec, NULL), ASC_OK);
  d->shapes[d->count] = *s;
  return d->count++;
}

static shape draw_shape(drawing *d) {
  static const char *const axes[] = {"", "NCHW", "NHWC"};
  shape s = {.rank = 1 + (uint32_t)asci_random_below(d->rng, RANK), .axes = ""};
  s.element = asci_random_between(d->rng, 1, 2);
  for (uint32_t k = 0; k < s.rank; k++) s.sizes[k] = asci_random_between(d->rng, 1, 6);
  if (s.rank == RANK) s.axes = axes[asci_random_below(d->rng, 3)];
  const char *c = strchr(s.axes, 'C');
  if (c && asci_random_below(d->rng, 2)) s.sizes[c - s.axes] = asci_random_between(d->rng, 30, 70);
  return s;
}

/* One entry that some output of that rank has for a dimension. */
static void draw_entry(drawing *d, uint32_t rank, uint32_t own, char *text, size_t room) {
  asci_rng *rng = d->rng;
  char front[16] = "";
  uint32_t follows = asci_random_below(rng, 3) ? own : (uint32_t)asci_random_below(rng, rank);
  if (own >= rank) follows = (uint32_t)asci_random_below(rng, rank);
  if (follows != own) snprintf(front, sizeof front, "%u:", follows);
  int kernel = (int)asci_random_between(rng, 1, 4), stride = (int)asci_random_between(rng, 1, 3);
  int begin = (int)asci_random_between(rng, -3, 3);
  switch (asci_random_below(rng, 6)) {
  case 0:
    snprintf(text, room, "*");
    break;
  case 1:
    if (own < rank)
      snprintf(text, room, "+");
    else
      snprintf(text, room, "*");
    break;
  case 2:
    snprintf(text, room, "%s%d^%d%+d", front, kernel, stride, begin);
    break;
  case 3:
    snprintf(text, room, "%s1", front);
    break;
  default:
    snprintf(text, room, "%s%d/%d%+d", front, kernel, stride, begin);
  }
}

static void draw_windows(drawing *d, const uint32_t *inputs, uint32_t count, uint32_t rank, char text[256]) {
  *text = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (k) strcat(text, ";");
    bool whole = k > 0 && asci_random_below(d->rng, 5) == 0;
    for (uint32_t dim = 0; dim < d->shapes[inputs[k]].rank && !whole; dim++) {
      char entry[64];
      draw_entry(d, rank, dim, entry, sizeof entry);
      if (dim) strcat(text, " ");
      strcat(text, entry);
    }
  }
  strcat(text, ";"); /* no further inputs, but an empty last window stands for none */
}

/* The same elements in a row. */
static void add_view(drawing *d, uint32_t op, uint32_t input) {
  shape flat = {.rank = 2, .element = d->shapes[input].element, .axes = ""};
  int64_t all = elements(&d->shapes[input]);
  flat.sizes[0] = all % 2 ? 1 : 2;
  flat.sizes[1] = all / flat.sizes[0];
  uint32_t output = add_tensor(d, &flat, 0);
  char id[16];
  snprintf(id, sizeof id, "v%u", op);
  const asc_tensor_pair pair = {output, input};
  asc_op_spec spec = {.id = id, .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
  spec.alias = &pair;
  spec.alias_count = 1;
  assert_int_equal(asc_graph_add_op(d->graph, &spec, NULL), ASC_OK);
}

static void add_op(drawing *d, uint32_t op) {
  uint32_t inputs[3], outputs[2], count = 1 + (uint32_t)asci_random_below(d->rng, 3), before = d->count;
  char id[16], windows[256];
  for (uint32_t k = 0; k < count; k++) inputs[k] = (uint32_t)asci_random_below(d->rng, before);
  if (asci_random_below(d->rng, 6) == 0) {
    add_view(d, op, inputs[0]);
    return;
  }
  shape made = draw_shape(d);
  draw_windows(d, inputs, count, made.rank, windows);
  if (asci_random_below(d->rng, 8) == 0) *windows = 0;
  uint32_t made_count = 1 + (asci_random_below(d->rng, 5) == 0);
  for (uint32_t k = 0; k < made_count; k++) {
    shape next = k && asci_random_below(d->rng, 2) ? draw_shape(d) : made;
    outputs[k] = add_tensor(d, &next, asci_random_below(d->rng, 4) ? 0 : ASC_TENSOR_OUTPUT);
  }
  snprintf(id, sizeof id, "o%u", op);
  asc_op_spec spec = {.id = id, .inputs = inputs, .input_count = count, .outputs = outputs, .output_count = made_count};
  spec.windows = windows;
  asc_diag diag = {0};
  CHECK(asc_graph_add_op(d->graph, &spec, &diag) == ASC_OK, "%s %s", diag.field, diag.message);
}

static void draw_graph(drawing *d, asc_context *context) {
  assert_int_equal(asc_graph_new(context, &d->graph), ASC_OK);
  for (uint32_t k = 0; k < 2; k++) {
    shape given = draw_shape(d);
    add_tensor(d, &given, k && asci_random_below(d->rng, 3) == 0 ? ASC_TENSOR_CONSTANT : ASC_TENSOR_INPUT);
  }
  uint32_t ops = 1 + (uint32_t)asci_random_below(d->rng, MOST_OPS);
  for (uint32_t op = 0; op < ops; op++) add_op(d, op);
  asc_diag diag = {0};
  CHECK(asc_graph_freeze(d->graph, &diag) == ASC_OK, "%s %s", diag.field, diag.message);
}

/* ---- the judge ------------------------------------------------------------------------------------------------------------ */

typedef struct judge {
  const drawing *d;
  const asc_tiling *tiling;
  uint32_t store[MOST_TENSORS]; /* that has the tensor's elements */
  uint8_t *written[MOST_TENSORS];
} judge;

static void coordinates(const shape *s, int64_t element, int64_t at[RANK]) {
  for (uint32_t k = s->rank; k-- > 0;) {
    at[k] = element % s->sizes[k];
    element /= s->sizes[k];
  }
}

/* Which dimension of the tiling the k-th of the graph is. */
static uint32_t place_of(const shape *s, uint32_t k) {
  return *s->axes ? (uint32_t)(strchr("NCHW", s->axes[k]) - "NCHW") : k;
}

static bool has(const shape *s, const asc_box *box, int64_t element) {
  int64_t at[RANK];
  coordinates(s, element, at);
  for (uint32_t k = 0; k < s->rank; k++) {
    uint32_t place = place_of(s, k);
    if (at[k] < box->low[place] || at[k] >= box->high[place]) return false;
  }
  return true;
}

static uint32_t tensor_of(const judge *j, const asc_box *box) {
  return asc_graph_find(j->d->graph, asc_tiling_tensor(j->tiling, box->tensor)->id);
}

static bool is_needed(const asci_window_axis *axis, const int64_t *out, int64_t in, int64_t joined) {
  int64_t i = out[axis->dimension], from;
  if (axis->kind == ASCI_WINDOW_ALL) return true;
  if (axis->kind == ASCI_WINDOW_JOIN) return i == in + joined;
  from = axis->kind == ASCI_WINDOW_SLIDE ? in - i * axis->stride - axis->begin : i - in * axis->stride - axis->begin;
  return from >= 0 && from < axis->kernel;
}

/* Whether the task reads all of an input that an element of the output is made of. */
static void check_input(const judge *j, const asc_task_spec *task, uint32_t input, const asci_window *window,
                        const int64_t *out, int64_t joined) {
  const shape *s = &j->d->shapes[input];
  uint32_t store = j->store[input];
  for (int64_t e = 0; e < elements(s); e++) {
    int64_t at[RANK];
    bool needed = true, read = false;
    coordinates(s, e, at);
    for (uint32_t k = 0; k < window->rank && needed; k++) needed = is_needed(&window->axes[k], out, at[k], joined);
    for (uint32_t r = 0; r < task->read_count && needed && !read; r++)
      read = tensor_of(j, &task->reads[r]) == store && has(&j->d->shapes[store], &task->reads[r], e);
    CHECK(!needed || read, "%s does not read element %d of t%u", task->id, (int)e, input);
  }
}

static void check_element(const judge *j, const asc_task_spec *task, const asc_op_spec *op, const int64_t *out) {
  const char *at = op->windows;
  int64_t joined = 0;
  for (uint32_t k = 0; k < op->input_count; k++) {
    asci_window window;
    asci_window_next(&at, &window);
    bool constant = asc_graph_tensor(j->d->graph, op->inputs[k])->kind == ASC_TENSOR_CONSTANT;
    constant |= asc_graph_tensor(j->d->graph, j->store[op->inputs[k]])->kind == ASC_TENSOR_CONSTANT;
    if (!constant) check_input(j, task, op->inputs[k], &window, out, joined);
    for (uint32_t d = 0; d < window.rank; d++)
      if (window.axes[d].kind == ASCI_WINDOW_JOIN) joined += j->d->shapes[op->inputs[k]].sizes[d];
  }
}

static const asc_op_spec *op_of(const judge *j, const asc_task_spec *task) {
  size_t length = (size_t)(strchr(task->id, ':') - task->id);
  for (uint32_t op = 0; op < asc_graph_op_count(j->d->graph); op++) {
    const char *id = asc_graph_op(j->d->graph, op)->id;
    if (strlen(id) == length && memcmp(id, task->id, length) == 0) return asc_graph_op(j->d->graph, op);
  }
  fail();
  return NULL;
}

static void check_writes(const judge *j, const asc_task_spec *task, const asc_op_spec *op) {
  for (uint32_t w = 0; w < task->write_count; w++) {
    uint32_t tensor = tensor_of(j, &task->writes[w]);
    const shape *s = &j->d->shapes[tensor];
    bool sample = false;
    for (int64_t e = 0; e < elements(s); e++) {
      if (!has(s, &task->writes[w], e)) continue;
      CHECK(!j->written[tensor][e], "%s writes element %d of t%u again", task->id, (int)e, tensor);
      j->written[tensor][e] = 1;
      int64_t out[RANK];
      coordinates(s, e, out);
      if (tensor == op->outputs[0] && (!sample || e % 7 == 0)) check_element(j, task, op, out);
      sample = true;
    }
  }
}

static void check_reads(const judge *j, const asc_task_spec *task) {
  for (uint32_t r = 0; r < task->read_count; r++) {
    uint32_t tensor = tensor_of(j, &task->reads[r]);
    for (int64_t e = 0; e < elements(&j->d->shapes[tensor]); e++)
      CHECK(j->written[tensor][e] || !has(&j->d->shapes[tensor], &task->reads[r], e),
            "%s reads element %d of t%u before it is written", task->id, (int)e, tensor);
  }
}

/* Bytes of a box in memory, whole blocks of channels. */
static int64_t bytes_of(const asc_tiling *tiling, const asc_box *box) {
  const asc_tiled_spec *spec = asc_tiling_tensor(tiling, box->tensor);
  int64_t bytes = spec->element;
  for (uint32_t k = 0; k < spec->rank; k++) {
    int64_t length = box->high[k] - box->low[k];
    bytes *= k == 1 && spec->layout == ASC_LAYOUT_NC32HW32 ? (length + 31) / 32 * 32 : length;
  }
  return bytes;
}

static void check_capacity(const judge *j, const asc_task_spec *task, const asc_op_spec *op, int64_t capacity) {
  int64_t bytes = 0;
  for (uint32_t k = 0; k < op->input_count; k++)
    if (j->store[op->inputs[k]] != op->inputs[k]) return; /* boxes around parts of another shape may be larger */
  for (uint32_t r = 0; r < task->read_count; r++) bytes += bytes_of(j->tiling, &task->reads[r]);
  for (uint32_t w = 0; w < task->write_count; w++) bytes += bytes_of(j->tiling, &task->writes[w]);
  CHECK(bytes <= capacity, "%s takes %d of %d", task->id, (int)bytes, (int)capacity);
}

static void judge_tiling(const drawing *d, const asc_tiling *tiling, int64_t capacity) {
  judge j = {.d = d, .tiling = tiling};
  for (uint32_t t = 0; t < d->count; t++) {
    bool given = asc_graph_tensor(d->graph, t)->kind == ASC_TENSOR_INPUT;
    j.store[t] = t;
    j.written[t] = malloc((size_t)elements(&d->shapes[t]));
    assert_non_null(j.written[t]);
    memset(j.written[t], given, (size_t)elements(&d->shapes[t]));
  }
  for (uint32_t op = 0; op < asc_graph_op_count(d->graph); op++) {
    const asc_op_spec *spec = asc_graph_op(d->graph, op);
    if (spec->alias_count) j.store[spec->alias->output] = j.store[spec->alias->input];
  }
  for (uint32_t k = 0; k < asc_tiling_task_count(tiling); k++) {
    const asc_task_spec *task = asc_tiling_task(tiling, k);
    const asc_op_spec *op = op_of(&j, task);
    check_reads(&j, task);
    check_writes(&j, task, op);
    check_capacity(&j, task, op, capacity);
  }
  for (uint32_t t = 0; t < d->count; t++) {
    bool made = j.store[t] == t && asc_graph_tensor(d->graph, t)->kind != ASC_TENSOR_CONSTANT;
    for (int64_t e = 0; e < elements(&d->shapes[t]) && made; e++)
      CHECK(j.written[t][e], "element %d of t%u is never written", (int)e, t);
    free(j.written[t]);
  }
}

static void judge_plan(const asc_tiling *tiling) {
  asc_problem *problem = tiles_problem(tiling, ASC_TILES_IO);
  if (asc_problem_count(problem)) {
    asc_run_config config = asc_run_config_default("taa", ASC_MAX_BYTES);
    asc_run *run = test_run_new(problem, &config);
    test_finish(run);
    int64_t offsets[MOST_TENSORS];
    for (uint32_t t = 0; t < asc_tiling_tensor_count(tiling); t++) {
      uint32_t buffer = asc_problem_find(problem, asc_tiling_tensor(tiling, t)->id);
      offsets[t] = buffer == ASC_NONE ? ASC_UNPLACED : asc_run_best(run)[buffer];
    }
    assert_int_equal(tiles_misread(tiling, offsets), 0);
    asc_run_free(run);
  }
  asc_problem_free(problem);
}

/* ---- the laws --------------------------------------------------------------------------------------------------------------- */

typedef struct tally {
  uint32_t cut, refused, tasks;
} tally;

static void check_graph(const drawing *d, tally *met) {
  static const char *const orders[] = {"layer", "depth", "alternating"}, *const layouts[] = {"graph", "NCHW", "NHWC",
                                                                                             "NC32HW32"};
  static const char *const channels[] = {"1", "16", "32"};
  asc_option_value options[] = {{"order", orders[asci_random_below(d->rng, 3)]},
                                {"layout", layouts[asci_random_below(d->rng, 4)]},
                                {"channels", channels[asci_random_below(d->rng, 3)]}};
  int64_t capacity = asci_random_between(d->rng, 1, 200);
  asc_tiling *tiling = NULL;
  asc_diag diag = {0};
  asc_status status;
  while ((status = asc_graph_tile(d->graph, options, COUNT(options), capacity, &tiling, &diag)) == ASC_BAD_INPUT) {
    CHECK(strcmp(diag.field, "capacity") == 0 && capacity < 1 << 30, "%s %s", diag.field, diag.message);
    capacity += capacity / 4 + 1;
    met->refused++;
  }
  CHECK(!status, "%s %s", diag.field, diag.message);
  met->cut += asc_tiling_task_count(tiling) > asc_graph_op_count(d->graph);
  met->tasks += asc_tiling_task_count(tiling);
  judge_tiling(d, tiling, capacity);
  judge_plan(tiling);
  asc_tiling_free(tiling);
}

static void random_graphs(void **state) {
  (void)state;
  asci_rng rng = {1818};
  tally met = {0};
  uint32_t cases = test_cases(300);
  for (uint32_t n = 0; n < cases; n++) {
    asc_context *context = test_context();
    drawing d = {.rng = &rng};
    draw_graph(&d, context);
    check_graph(&d, &met);
    asc_graph_free(d.graph);
    test_context_end(context);
  }
  CHECK(met.cut >= cases / 3 && met.refused >= cases / 10, "%u cut, %u refused", met.cut, met.refused);
}

/* With room for all each operator is one task. */
static void nothing_is_cut_that_fits(void **state) {
  (void)state;
  asci_rng rng = {8181};
  for (uint32_t n = test_cases(100); n-- > 0;) {
    asc_context *context = test_context();
    drawing d = {.rng = &rng};
    asc_tiling *tiling = NULL;
    draw_graph(&d, context);
    assert_int_equal(asc_graph_tile(d.graph, NULL, 0, ASC_MAX_BYTES, &tiling, NULL), ASC_OK);
    assert_true(asc_tiling_task_count(tiling) <= asc_graph_op_count(d.graph));
    judge_tiling(&d, tiling, ASC_MAX_BYTES);
    asc_tiling_free(tiling);
    asc_graph_free(d.graph);
    test_context_end(context);
  }
}

int run_tiler_laws_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(nothing_is_cut_that_fits),
  };
  return cmocka_run_group_tests_name("tiler_laws", tests, NULL, NULL);
}
