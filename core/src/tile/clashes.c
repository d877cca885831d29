/* The second referee of plans for tiled tensors: no two of them share a byte that both need. Each box is runs of bytes; the bounds of all runs of a
 * tensor cut its memory into spans, and a span is needed from the first task that writes it to the last that uses it. Then tensor by tensor, as the
 * plan has them, spans that share an address are asked for their times. The atoms of tensors, their chunks and the buffers' shapes are not looked at. */
#include "base/sort.h"
#include "tile/places.h"

#define MOST_RUNS (INT64_C(1) << 26)

/* [low, high) from the tensor's first byte, needed from begin to end, both included: 2k where task k reads, 2k + 1 where it writes. */
typedef struct span {
  int64_t low, high;
  uint32_t begin, end;
} span;

typedef struct use {
  const asc_box *box;
  uint32_t task;
  bool writes;
} use;

typedef struct checking {
  const asc_tiling *tiling;
  const int64_t *offsets;
  use *uses; /* of tensor t: uses[first_use[t]] .. uses[first_use[t + 1] - 1], in order of time */
  size_t *first_use;
  span *spans; /* likewise */
  size_t *first_span, span_count, span_room;
  int64_t *bounds, *scratch; /* of the tensor under way */
  size_t bound_count, bound_room, scratch_room;
  int64_t runs;
} checking;

/* ---- runs ------------------------------------------------------------------------------------------------------------ */

typedef bool (*run_sink)(checking *c, const use *u, int64_t low, int64_t high);

/* Bytes that lie on, from the run's first element and as many as follow it without a break: all of the dense dimension, a block of it, or one. */
static int64_t run_length(const asci_place_rule *rule, const asc_box *box, const int64_t *at, const asc_tiled_spec *spec) {
  uint32_t d = rule->dense;
  if (rule->stride[d] != 1) return 1;
  if (!rule->block) return box->high[d] - at[d];
  int64_t end = (at[d] / 32 + 1) * 32;
  return (box->high[d] == spec->sizes[d] || box->high[d] > end ? end : box->high[d]) - at[d];
}

/* False: the sink stopped. */
static bool each_run(checking *c, const use *u, run_sink sink) {
  const asc_tiled_spec *spec = &c->tiling->tensors[u->box->tensor].spec;
  asci_place_rule rule = asci_place_rule_of(spec);
  int64_t at[ASC_MAX_RANK];
  for (uint32_t k = 0; k < spec->rank; k++) at[k] = u->box->low[k];
  for (uint32_t k = 0; k < spec->rank;) {
    int64_t element = 0, length = run_length(&rule, u->box, at, spec);
    for (uint32_t d = 0; d < spec->rank; d++)
      element += rule.block && d == 1 ? at[d] / 32 * rule.block + at[d] % 32 : at[d] * rule.stride[d];
    if (!sink(c, u, element * spec->element, (element + length) * spec->element)) return false;
    for (k = 0; k < spec->rank; k++) {
      at[k] += k == rule.dense ? length : 1;
      if (at[k] < u->box->high[k]) break;
      at[k] = u->box->low[k];
    }
  }
  return true;
}

static bool add_bounds(checking *c, const use *u, int64_t low, int64_t high) {
  (void)u;
  if (!asci_grow(c->tiling->context, &c->bounds, &c->bound_room, c->bound_count + 2, sizeof *c->bounds)) return false;
  c->bounds[c->bound_count++] = low;
  c->bounds[c->bound_count++] = high;
  return ++c->runs < MOST_RUNS;
}

/* What lies there is used by a task. The spans of the tensor under way are between its bounds. */
static bool use_spans(checking *c, const use *u, int64_t low, int64_t high) {
  uint32_t tensor = u->box->tensor, time = 2 * u->task + u->writes;
  bool there = !c->tiling->tensors[tensor].writers; /* from the beginning */
  span *spans = c->spans + c->first_span[tensor];
  for (uint32_t k = asci_count_below(c->bounds, (uint32_t)c->bound_count, low); c->bounds[k] < high; k++) {
    if (spans[k].begin == ASC_NONE) spans[k].begin = there ? 0 : time;
    spans[k].end = time;
  }
  return true;
}

/* ---- spans of a tensor ----------------------------------------------------------------------------------------------- */

static bool sort_bounds(checking *c) {
  if (!asci_grow(c->tiling->context, &c->scratch, &c->scratch_room, c->bound_count, sizeof *c->scratch)) return false;
  asci_sort_numbers(c->bounds, c->scratch, (uint32_t)c->bound_count);
  size_t kept = 0;
  for (size_t k = 0; k < c->bound_count; k++)
    if (!kept || c->bounds[kept - 1] != c->bounds[k]) c->bounds[kept++] = c->bounds[k];
  c->bound_count = kept;
  return true;
}

/* False: there is no memory, or too much of it would be needed. */
static bool add_spans(checking *c, uint32_t tensor) {
  size_t from = c->first_use[tensor], end = c->first_use[tensor + 1], first = c->span_count;
  c->first_span[tensor] = c->first_span[tensor + 1] = first;
  if (from == end || c->offsets[tensor] == ASC_UNPLACED) return true;
  c->bound_count = 0;
  for (size_t k = from; k < end; k++)
    if (!each_run(c, &c->uses[k], add_bounds)) return false;
  if (!sort_bounds(c) || !asci_grow(c->tiling->context, &c->spans, &c->span_room, first + c->bound_count, sizeof *c->spans))
    return false;
  for (size_t k = 0; k + 1 < c->bound_count; k++) c->spans[first + k] = (span){c->bounds[k], c->bounds[k + 1], ASC_NONE, 0};
  for (size_t k = from; k < end; k++) each_run(c, &c->uses[k], use_spans);
  bool kept = c->tiling->tensors[tensor].spec.kind == ASC_TENSOR_OUTPUT;
  for (size_t k = 0; k + 1 < c->bound_count; k++) {
    span s = c->spans[first + k];
    if (s.begin == ASC_NONE) continue;
    if (kept) s.end = 2 * c->tiling->task_count;
    c->spans[c->span_count++] = s;
  }
  c->first_span[tensor + 1] = c->span_count;
  return true;
}

static void sort_uses(checking *c) {
  const asc_tiling *t = c->tiling;
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t k = 0; k < t->task_count; k++) {
      const asc_task_spec *task = &t->tasks[k];
      for (uint32_t b = 0; b < task->read_count + task->write_count; b++) {
        bool writes = b >= task->read_count;
        const asc_box *box = writes ? &task->writes[b - task->read_count] : &task->reads[b];
        if (pass)
          c->uses[c->first_use[box->tensor + 1]++] = (use){box, k, writes};
        else
          c->first_use[box->tensor + 2]++;
      }
    }
    for (uint32_t k = 2; !pass && k < t->tensor_count + 2; k++) c->first_use[k] += c->first_use[k - 1];
  }
}

/* ---- pairs ----------------------------------------------------------------------------------------------------------- */

/* Whether a byte of the two is needed by both at a time, and if so where and from which task on. */
static bool clash(const checking *c, uint32_t a, uint32_t b, asc_tile_clash *found) {
  size_t i = c->first_span[a], j = c->first_span[b];
  while (i < c->first_span[a + 1] && j < c->first_span[b + 1]) {
    const span *p = &c->spans[i], *q = &c->spans[j];
    int64_t p_low = c->offsets[a] + p->low, p_high = c->offsets[a] + p->high;
    int64_t q_low = c->offsets[b] + q->low, q_high = c->offsets[b] + q->high;
    if (p_high > q_low && q_high > p_low && p->begin <= q->end && q->begin <= p->end) {
      uint32_t later = p->begin > q->begin ? p->begin : q->begin;
      *found = (asc_tile_clash){
          .tensor = a < b ? a : b, .other = a < b ? b : a, .task = later / 2, .address = p_low > q_low ? p_low : q_low};
      return true;
    }
    if (p_high < q_high)
      i++;
    else
      j++;
  }
  return false;
}

static bool lies_below(const void *offsets, uint32_t a, uint32_t b) {
  const int64_t *at = offsets;
  return at[a] != at[b] ? at[a] < at[b] : a < b;
}

/* In order of offset, each with those that begin below its top. */
static void check_pairs(const checking *c, const uint32_t *order, asc_tile_clash *first, size_t *count) {
  uint32_t tensors = c->tiling->tensor_count;
  for (uint32_t i = 0; i < tensors; i++) {
    uint32_t a = order[i];
    int64_t top = c->offsets[a] + c->tiling->tensors[a].bytes;
    for (uint32_t j = i + 1; j < tensors && c->offsets[order[j]] < top; j++) {
      asc_tile_clash found;
      if (!clash(c, a, order[j], &found)) continue;
      if (!*count && first) *first = found;
      ++*count;
    }
  }
}

static asc_status check(checking *c, asc_tile_clash *first, size_t *count) {
  const asc_tiling *t = c->tiling;
  asc_context *context = t->context;
  uint32_t *order = asci_alloc(context, t->tensor_count, sizeof *order);
  uint32_t *scratch = asci_alloc(context, t->tensor_count, sizeof *scratch);
  c->uses = asci_alloc(context, t->box_count, sizeof *c->uses);
  c->first_use = asci_calloc(context, (size_t)t->tensor_count + 2, sizeof *c->first_use);
  c->first_span = asci_calloc(context, (size_t)t->tensor_count + 1, sizeof *c->first_span);
  bool made = order && scratch && c->uses && c->first_use && c->first_span;
  if (made) sort_uses(c);
  for (uint32_t k = 0; made && k < t->tensor_count; k++) {
    order[k] = k;
    made = add_spans(c, k);
  }
  if (made) {
    asci_sort(order, scratch, t->tensor_count, lies_below, c->offsets);
    check_pairs(c, order, first, count);
  }
  void *const blocks[] = {order, scratch, c->uses, c->first_use, c->first_span, c->spans, c->bounds, c->scratch};
  for (uint32_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  return made ? ASC_OK : c->runs >= MOST_RUNS ? ASC_TOO_LARGE : ASC_OUT_OF_MEMORY;
}

asc_status asc_tiling_clashes(const asc_tiling *tiling, const int64_t *offsets, asc_tile_clash *first, size_t *count) {
  if (!tiling || !tiling->frozen || !offsets || !count) return ASC_BAD_ARGUMENT;
  for (uint32_t t = 0; t < tiling->tensor_count; t++)
    if (offsets[t] < ASC_UNPLACED || offsets[t] > ASC_MAX_BYTES) return ASC_BAD_ARGUMENT;
  checking c = {.tiling = tiling, .offsets = offsets};
  size_t found = 0;
  asc_status status = check(&c, first, &found);
  if (!status) *count = found;
  return status;
}
