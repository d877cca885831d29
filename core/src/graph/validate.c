/* The referee of plans of a graph. It goes by the graph and by which tensors share their bytes, and asks of a plan what the operators need at each
 * time; it uses nothing of how stays come from a schedule. Addresses are judged by the referee of buffers. */
#include "graph/lower.h"

#include <string.h>

/* Compressed rows: those of item i are entries[begin[i]] .. entries[begin[i + 1] - 1]. */
typedef struct rows {
  uint32_t *begin, *entries;
} rows;

typedef struct judge {
  const asci_lowered *l;
  const asc_plan *plan;
  bool selects;    /* operators reach what is outside, and nothing is copied between there and the arena */
  uint32_t *at;    /* per operator: its time */
  rows stays;      /* per item: its stays, as in the plan */
  rows makers;     /* per item: the times at which an operator makes or changes it, increasing */
  uint32_t *named; /* per item: the operator that named it last */
  asc_violation *violations;
  size_t room, count;
} judge;

static void found(judge *j, asc_violation_kind kind, uint32_t buffer, uint32_t other) {
  if (j->count < j->room) j->violations[j->count] = (asc_violation){kind, buffer, other};
  j->count++;
}

/* ---- who makes what ---------------------------------------------------------------------------------------------------- */

/* Whether that output of an operator is bytes that it makes; else it gives bytes another name. */
static bool is_own(const asci_lowered *l, uint32_t tensor) {
  return l->view[tensor] == tensor;
}

/* Whether the operator makes the item of nothing that was there: it does not if it writes over an input. */
static bool makes_anew(const asci_lowered *l, uint32_t op, uint32_t item) {
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t k = 0; k < spec->input_count; k++)
    if (l->store[spec->inputs[k]] == item) return false;
  for (uint32_t k = 0; k < spec->output_count; k++)
    if (l->store[spec->outputs[k]] == item) return true; /* and not another name, which an input would have, too */
  return false;
}

/* ---- the order ------------------------------------------------------------------------------------------------------- */

static void check_order(judge *j) {
  const asc_graph *g = j->l->graph;
  memset(j->at, 0xff, g->op_count * sizeof *j->at);
  for (uint32_t k = 0; k < j->plan->turns; k++) {
    uint32_t op = j->plan->order[k];
    if (op >= g->op_count || j->at[op] != ASC_NONE)
      found(j, ASC_VIOLATION_ORDER, op, ASC_NONE);
    else
      j->at[op] = k;
  }
  for (uint32_t op = 0; op < g->op_count; op++)
    if (j->at[op] == ASC_NONE) found(j, ASC_VIOLATION_ORDER, op, ASC_NONE);
  if (j->count) return;
  for (uint32_t op = 0; op < g->op_count; op++)
    for (uint32_t k = g->after_begin[op]; k < g->after_begin[op + 1]; k++)
      if (j->at[g->after[k]] < j->at[op]) found(j, ASC_VIOLATION_ORDER, g->after[k], op);
}

/* ---- stays ----------------------------------------------------------------------------------------------------------- */

static uint32_t kind_of(const judge *j, uint32_t item) {
  return item < j->l->graph->tensor_count ? j->l->kinds[item] : ASC_TENSOR_WORKSPACE;
}

static bool is_item(const judge *j, uint32_t item) {
  uint32_t n = j->l->graph->tensor_count;
  if (item >= asci_item_count(j->l)) return false;
  return item >= n ? asci_item_size(j->l, item) > 0 : j->l->store[item] == item && !j->l->absent[item];
}

static bool covers(const asc_stay *stay, uint32_t pool, int64_t time) {
  return stay->pool == (uint32_t)pool && stay->lower <= time && time < stay->upper;
}

static bool is_there(const judge *j, uint32_t item, uint32_t pool, int64_t time) {
  for (uint32_t k = j->stays.begin[item]; k < j->stays.begin[item + 1]; k++)
    if (covers(&j->plan->stays[j->stays.entries[k]], pool, time)) return true;
  return false;
}

/* Whether an operator makes or changes the item at a time from lower on and before upper. */
static bool is_made(const judge *j, uint32_t item, int64_t lower, int64_t upper) {
  for (uint32_t k = j->makers.begin[item]; k < j->makers.begin[item + 1]; k++)
    if (lower <= j->makers.entries[k] && j->makers.entries[k] < upper) return true;
  return false;
}

/* Whether a copy outside, there the time before, is still what the item is. */
static bool is_copied_back(const judge *j, const asc_stay *stay) {
  for (uint32_t k = j->stays.begin[stay->item]; k < j->stays.begin[stay->item + 1]; k++) {
    const asc_stay *copy = &j->plan->stays[j->stays.entries[k]];
    if (covers(copy, ASC_POOL_OUTSIDE, stay->lower - 1) && !is_made(j, stay->item, copy->lower, stay->lower)) return true;
  }
  return false;
}

/* Whether the item is copied out right before the stay, from elsewhere in the arena, and fetched at once: it moves by way of outside. */
static bool is_moved(const judge *j, const asc_stay *stay) {
  for (uint32_t k = j->stays.begin[stay->item]; k < j->stays.begin[stay->item + 1]; k++) {
    const asc_stay *copy = &j->plan->stays[j->stays.entries[k]];
    if (copy->pool == ASC_POOL_OUTSIDE && copy->lower == stay->lower && stay->lower > 0)
      return is_there(j, stay->item, ASC_POOL_MAIN, stay->lower - 1);
  }
  return false;
}

static bool may_begin(const judge *j, const asc_stay *stay) {
  uint32_t kind = kind_of(j, stay->item);
  bool given = stay->lower == 0 && (kind & (ASC_TENSOR_INPUT | ASC_TENSOR_VARIABLE));
  if (given || (kind & ASC_TENSOR_CONSTANT)) return true;
  if (j->selects) return (kind & ASC_TENSOR_WORKSPACE) || makes_anew(j->l, j->plan->order[stay->lower], stay->item);
  if (stay->pool == ASC_POOL_OUTSIDE) return is_there(j, stay->item, ASC_POOL_MAIN, stay->lower - 1);
  return (kind & ASC_TENSOR_WORKSPACE) || makes_anew(j->l, j->plan->order[stay->lower], stay->item) ||
         is_copied_back(j, stay) || is_moved(j, stay);
}

static void check_stay(judge *j, uint32_t k) {
  const asc_stay *stay = &j->plan->stays[k];
  if (!may_begin(j, stay)) found(j, ASC_VIOLATION_UNMADE, stay->item, ASC_NONE);
  for (uint32_t e = j->stays.begin[stay->item]; j->stays.entries[e] < k; e++) {
    const asc_stay *other = &j->plan->stays[j->stays.entries[e]];
    bool together = other->lower < stay->upper && stay->lower < other->upper;
    if (together && (j->selects || other->pool == stay->pool)) found(j, ASC_VIOLATION_OVERLAP, stay->item, stay->item);
  }
}

/* ---- operators ------------------------------------------------------------------------------------------------------- */

static bool makes_name_of_constant(const judge *j, uint32_t op, uint32_t item) {
  const asc_op_spec *spec = &j->l->graph->ops[op];
  if (!(j->l->kinds[item] & ASC_TENSOR_CONSTANT)) return false;
  for (uint32_t k = 0; k < spec->output_count; k++)
    if (j->l->store[spec->outputs[k]] == item) return true;
  return false;
}

static void need(judge *j, uint32_t op, uint32_t item) {
  if (j->named[item] == op) return;
  j->named[item] = op;
  bool there = is_there(j, item, ASC_POOL_MAIN, j->at[op]);
  if (!there && j->selects) there = is_there(j, item, ASC_POOL_OUTSIDE, j->at[op]);
  if (!there) found(j, ASC_VIOLATION_ABSENT, item, op);
}

static void check_operator(judge *j, uint32_t op) {
  const asci_lowered *l = j->l;
  const asc_op_spec *spec = &l->graph->ops[op];
  for (uint32_t k = 0; k < spec->input_count + spec->output_count; k++) {
    uint32_t item = l->store[k < spec->input_count ? spec->inputs[k] : spec->outputs[k - spec->input_count]];
    if (!l->absent[item] && !makes_name_of_constant(j, op, item)) need(j, op, item);
  }
  if (l->set.workspace && spec->workspace) need(j, op, l->graph->tensor_count + op);
}

/* What the model keeps. */
static void check_end(judge *j) {
  const asci_lowered *l = j->l;
  uint32_t kept = ASC_TENSOR_OUTPUT | ASC_TENSOR_VARIABLE | (l->set.preserve_inputs ? ASC_TENSOR_INPUT : 0);
  int64_t end = (int64_t)j->plan->turns - 1;
  for (uint32_t t = 0; t < l->graph->tensor_count; t++) {
    if (l->store[t] != t || l->absent[t] || !(l->kinds[t] & kept)) continue;
    if (!is_there(j, t, ASC_POOL_MAIN, end) && !is_there(j, t, ASC_POOL_OUTSIDE, end))
      found(j, ASC_VIOLATION_ABSENT, t, j->plan->order[end]);
  }
}

/* ---- addresses ------------------------------------------------------------------------------------------------------- */

static uint32_t item_at(const asc_plan *plan, uint32_t buffer) {
  for (uint32_t k = 0;; k++)
    if (plan->stays[k].pool == ASC_POOL_MAIN && buffer-- == 0) return plan->stays[k].item;
}

static asc_status check_addresses(judge *j, const asc_lowering *lowering, int64_t capacity) {
  const asc_plan *plan = j->plan;
  asc_context *context = j->l->context;
  asc_problem *problem = NULL;
  size_t room = j->room > j->count ? j->room - j->count : 0, count = 0, n = 0;
  asc_status status = asc_lowering_situation(lowering, plan->stays, plan->stay_count, false, &problem, NULL);
  if (status) return status;
  int64_t *offsets = asci_alloc(context, plan->stay_count, sizeof *offsets);
  asc_violation *faults = asci_alloc(context, room, sizeof *faults);
  for (uint32_t k = 0; k < plan->stay_count && offsets; k++)
    if (plan->stays[k].pool == ASC_POOL_MAIN) offsets[n++] = plan->stays[k].offset;
  status = offsets && faults ? asc_validate(problem, offsets, capacity, faults, room, &count) : ASC_OUT_OF_MEMORY;
  for (size_t k = 0; k < count && !status; k++) {
    if (k >= room) {
      j->count += count - k;
      break;
    }
    uint32_t other = faults[k].other == ASC_NONE ? ASC_NONE : item_at(plan, faults[k].other);
    found(j, faults[k].kind, item_at(plan, faults[k].buffer), other);
  }
  asci_free(context, offsets);
  asci_free(context, faults);
  asc_problem_free(problem);
  return status;
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

typedef void (*enter)(rows *to, uint32_t item, uint32_t entry);

static void count_entry(rows *to, uint32_t item, uint32_t entry) {
  (void)entry;
  to->begin[item + 1]++;
}

/* Moves each begin to its row's end. */
static void add_entry(rows *to, uint32_t item, uint32_t entry) {
  to->entries[to->begin[item]++] = entry;
}

static void each_stay(judge *j, rows *to, enter add) {
  for (uint32_t k = 0; k < j->plan->stay_count; k++) add(to, j->plan->stays[k].item, k);
}

static void each_maker(judge *j, rows *to, enter add) {
  const asc_graph *g = j->l->graph;
  for (uint32_t k = 0; k < j->plan->turns; k++) {
    const asc_op_spec *spec = &g->ops[j->plan->order[k]];
    for (uint32_t u = 0; u < spec->input_count + spec->output_count; u++) {
      bool output = u >= spec->input_count;
      uint32_t tensor = output ? spec->outputs[u - spec->input_count] : spec->inputs[u];
      bool changed = g->tensors[tensor].kind & ASC_TENSOR_VARIABLE;
      if (changed || (output && is_own(j->l, tensor))) add(to, j->l->store[tensor], k);
    }
  }
}

static bool gather(judge *j, rows *to, void (*each)(judge *j, rows *to, enter add)) {
  uint32_t items = asci_item_count(j->l);
  to->begin = asci_calloc(j->l->context, (size_t)items + 1, sizeof *to->begin);
  if (!to->begin) return false;
  each(j, to, count_entry);
  for (uint32_t k = 0; k < items; k++) to->begin[k + 1] += to->begin[k];
  to->entries = asci_alloc(j->l->context, to->begin[items], sizeof *to->entries);
  if (!to->entries) return false;
  each(j, to, add_entry);
  for (uint32_t k = items; k > 0; k--) to->begin[k] = to->begin[k - 1];
  to->begin[0] = 0;
  return true;
}

static bool check_items(judge *j) {
  for (uint32_t k = 0; k < j->plan->stay_count; k++) {
    const asc_stay *stay = &j->plan->stays[k];
    bool well = is_item(j, stay->item) && stay->pool <= ASC_POOL_OUTSIDE && stay->lower >= 0 && stay->lower < stay->upper &&
                stay->upper <= j->plan->turns;
    if (!well) found(j, ASC_VIOLATION_UNMADE, stay->item, ASC_NONE);
  }
  return j->count == 0;
}

static asc_status check_plan(judge *j, const asc_lowering *lowering, int64_t capacity) {
  check_order(j);
  if (j->count || !check_items(j)) return ASC_OK; /* the rest has nothing to go by */
  if (!gather(j, &j->stays, each_stay) || !gather(j, &j->makers, each_maker)) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < j->plan->stay_count; k++) check_stay(j, k);
  memset(j->named, 0xff, asci_item_count(j->l) * sizeof *j->named);
  for (uint32_t op = 0; op < j->l->graph->op_count; op++) check_operator(j, op);
  check_end(j);
  return check_addresses(j, lowering, capacity);
}

static asc_status judge_plan(bool selects, const asc_lowering *lowering, const asc_plan *plan, int64_t capacity,
                             asc_violation *violations, size_t room, size_t *count) {
  asc_context *context = lowering->lowered.context;
  judge j = {.l = &lowering->lowered, .plan = plan, .selects = selects, .violations = violations, .room = room};
  j.at = asci_alloc(context, j.l->graph->op_count, sizeof *j.at);
  j.named = asci_alloc(context, asci_item_count(j.l), sizeof *j.named);
  asc_status status = j.at && j.named ? check_plan(&j, lowering, capacity) : ASC_OUT_OF_MEMORY;
  void *const blocks[] = {j.at, j.named, j.stays.begin, j.stays.entries, j.makers.begin, j.makers.entries};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  if (!status) *count = j.count;
  return status;
}

asc_status asci_graph_validate(const asc_lowering *lowering, const asc_plan *plan, int64_t capacity,
                               asc_violation *violations, size_t room, size_t *count) {
  return judge_plan(false, lowering, plan, capacity, violations, room, count);
}

asc_status asci_selection_validate(const asc_lowering *lowering, const asc_plan *plan, int64_t capacity,
                                   asc_violation *violations, size_t room, size_t *count) {
  return judge_plan(true, lowering, plan, capacity, violations, room, count);
}

/* ---- what a plan costs ----------------------------------------------------------------------------------------------- */

int64_t asci_graph_height(const asc_lowering *lowering, const asc_plan *plan) {
  const asc_problem *sizes = asc_lowering_problem(lowering);
  int64_t height = 0;
  for (uint32_t k = 0; k < plan->stay_count; k++) {
    const asc_stay *stay = &plan->stays[k];
    if (stay->pool != ASC_POOL_MAIN || stay->offset == ASC_UNPLACED) continue;
    int64_t top = stay->offset + sizes->buffers[lowering->buffers[stay->item]].size;
    if (top > height) height = top;
  }
  return height;
}

/* What a stay begins with is there without being copied: from the start, or because the operator makes it. */
static bool begins_free(const asci_lowered *l, const asc_plan *plan, const asc_stay *stay) {
  if (stay->item >= l->graph->tensor_count || (l->kinds[stay->item] & ASC_TENSOR_CONSTANT)) return true;
  if (stay->lower == 0 && (l->kinds[stay->item] & (ASC_TENSOR_INPUT | ASC_TENSOR_VARIABLE))) return true;
  return stay->pool == ASC_POOL_MAIN && makes_anew(l, plan->order[stay->lower], stay->item);
}

/* Whether an operator that runs at the time or later makes the item or another part of its store. */
static bool is_made_later(const asci_lowered *l, const asc_plan *plan, uint32_t item, int64_t time) {
  for (int64_t k = time; k < plan->turns; k++) {
    const asc_op_spec *spec = &l->graph->ops[plan->order[k]];
    for (uint32_t o = 0; o < spec->output_count; o++)
      if (l->store[spec->outputs[o]] == item && is_own(l, spec->outputs[o])) return true;
  }
  return false;
}

/* Whether it is the transfer that no plan can do without: of an input the first one into the arena, of an output the first one out of it once
   it is made. */
static bool is_compulsory(const asci_lowered *l, const asc_plan *plan, uint32_t k) {
  const asc_stay *stay = &plan->stays[k];
  bool in = stay->pool == ASC_POOL_MAIN;
  if (!(l->kinds[stay->item] & (in ? ASC_TENSOR_INPUT : ASC_TENSOR_OUTPUT))) return false;
  if (!in && is_made_later(l, plan, stay->item, stay->lower)) return false;
  for (uint32_t i = 0; i < plan->stay_count; i++) {
    const asc_stay *other = &plan->stays[i];
    bool sooner = other->item == stay->item && other->pool == stay->pool && other->lower < stay->lower;
    if (sooner && (in || !is_made_later(l, plan, stay->item, other->lower))) return false;
  }
  return true;
}

void asci_graph_moves(const asc_lowering *lowering, const asc_plan *plan, int64_t *spilled, int64_t *fetched) {
  const asci_lowered *l = &lowering->lowered;
  *spilled = *fetched = 0;
  for (uint32_t k = 0; k < plan->stay_count; k++) {
    const asc_stay *stay = &plan->stays[k];
    if (begins_free(l, plan, stay) || is_compulsory(l, plan, k)) continue;
    *(stay->pool == ASC_POOL_MAIN ? fetched : spilled) += asci_item_size(l, stay->item);
  }
}

int64_t asci_graph_traffic(const asc_lowering *lowering, const asc_plan *plan) {
  int64_t spilled, fetched;
  asci_graph_moves(lowering, plan, &spilled, &fetched);
  return spilled + fetched;
}

/* Bytes of the item if it is outside at the time, else 0. The first stay of an item is usually where its first buffer is. */
static int64_t outside(const asc_lowering *lowering, const asc_plan *plan, uint32_t item, int64_t time) {
  uint32_t buffer = lowering->buffers[item];
  if (buffer == ASC_NONE) return 0;
  const int64_t size = asc_problem_buffer(asc_lowering_problem(lowering), buffer)->size;
  if (buffer < plan->stay_count && plan->stays[buffer].item == item) {
    const asc_stay *first = &plan->stays[buffer];
    if (covers(first, first->pool, time)) return first->pool == ASC_POOL_OUTSIDE ? size : 0;
  }
  for (uint32_t k = 0; k < plan->stay_count; k++)
    if (plan->stays[k].item == item && covers(&plan->stays[k], ASC_POOL_OUTSIDE, time)) return size;
  return 0;
}

/* Whether the operator gives the bytes of that input another name, and so does not read them. */
static bool only_renames(const asci_lowered *l, const asc_op_spec *spec, uint32_t input) {
  for (uint32_t a = 0; a < spec->alias_count; a++)
    if (spec->alias[a].input == input && l->view[spec->alias[a].output] == l->view[input]) return true;
  return false;
}

/* As much as can be counted. */
static void add_bytes(int64_t *sum, int64_t bytes) {
  *sum = bytes > INT64_MAX - *sum ? INT64_MAX : *sum + bytes;
}

int64_t asci_selection_traffic(const asc_lowering *lowering, const asc_plan *plan) {
  const asci_lowered *l = &lowering->lowered;
  int64_t bytes = 0;
  for (uint32_t time = 0; time < plan->turns; time++) {
    uint32_t op = plan->order[time];
    const asc_op_spec *spec = &l->graph->ops[op];
    for (uint32_t k = 0; k < spec->input_count; k++)
      if (!only_renames(l, spec, spec->inputs[k]))
        add_bytes(&bytes, outside(lowering, plan, l->store[spec->inputs[k]], time));
    for (uint32_t k = 0; k < spec->output_count; k++)
      if (is_own(l, spec->outputs[k])) add_bytes(&bytes, outside(lowering, plan, l->store[spec->outputs[k]], time));
    add_bytes(&bytes, 2 * outside(lowering, plan, l->graph->tensor_count + op, time));
  }
  return bytes;
}
