/* When each store is alive under a schedule. */
#include "graph/lowered.h"

#include "base/sort.h"

#include <string.h>

typedef struct stays {
  const asci_lowered *l;
  asci_stay_visit visit;
  void *user;
  int64_t *at;            /* per operator: its time */
  int64_t *lower, *upper; /* per store */
  uint32_t *seen;         /* per operator: the constant whose uses have it already */
  int64_t *uses, *scratch;
  size_t uses_room, scratch_room;
  asci_stay_list later; /* all but the first of their items */
} stays;

static void include(stays *s, uint32_t store, int64_t lower, int64_t upper) {
  if (lower < s->lower[store]) s->lower[store] = lower;
  if (upper > s->upper[store]) s->upper[store] = upper;
}

static void include_tensor(stays *s, uint32_t tensor) {
  const asc_graph *g = s->l->graph;
  uint32_t store = s->l->store[tensor], kind = g->tensors[tensor].kind, maker = g->producer[tensor];
  int64_t end = g->op_count;
  if (kind & (ASC_TENSOR_VARIABLE | ASC_TENSOR_CONSTANT)) include(s, store, 0, end);
  if (kind & ASC_TENSOR_INPUT) include(s, store, 0, s->l->set.preserve_inputs ? end : 1);
  if (maker != ASC_NONE) include(s, store, s->at[maker], s->at[maker] + 1);
  for (uint32_t k = g->reader_begin[tensor]; k < g->reader_begin[tensor + 1]; k++) {
    int64_t time = s->at[g->readers[k]];
    include(s, store, time, time + 1);
  }
  if (kind & ASC_TENSOR_OUTPUT) include(s, store, end - 1, end);
}

/* ---- streamed constants ---------------------------------------------------------------------------------------------- */

static asc_status add_use(stays *s, size_t *count, int64_t time) {
  if (!asci_grow(s->l->context, &s->uses, &s->uses_room, *count + 1, sizeof *s->uses)) return ASC_OUT_OF_MEMORY;
  s->uses[(*count)++] = time;
  return ASC_OK;
}

/* The times at which the constant is read, under any name; who only gives it another name needs none of it. */
static asc_status gather_uses(stays *s, uint32_t store, size_t *count) {
  const asc_graph *g = s->l->graph;
  asc_status status = ASC_OK;
  for (uint32_t t = s->l->next[store]; t != ASC_NONE; t = s->l->next[t]) s->seen[g->producer[t]] = store;
  for (uint32_t t = store; t != ASC_NONE; t = s->l->next[t]) {
    for (uint32_t k = g->reader_begin[t]; !status && k < g->reader_begin[t + 1]; k++) {
      uint32_t op = g->readers[k];
      if (s->seen[op] == store) continue;
      s->seen[op] = store;
      status = add_use(s, count, s->at[op]);
    }
    if (!status && (g->tensors[t].kind & ASC_TENSOR_OUTPUT)) status = add_use(s, count, (int64_t)g->op_count - 1);
  }
  return status;
}

static asc_status visit_load(stays *s, const asc_stay *stay, bool first) {
  return first ? s->visit(s->user, stay) : asci_stay_keep(&s->later, stay);
}

/* One stay for each use, from `prefetch` operators before it; those that overlap or touch are one: a constant that is still there when its
   next loading would begin stays. */
static asc_status visit_streamed(stays *s, uint32_t store) {
  size_t count = 0;
  asc_status status = gather_uses(s, store, &count);
  if (status || !count) return status;
  if (!asci_grow(s->l->context, &s->scratch, &s->scratch_room, count, sizeof *s->scratch)) return ASC_OUT_OF_MEMORY;
  asci_sort_numbers(s->uses, s->scratch, (uint32_t)count);
  asc_stay stay = {.item = store, .offset = ASC_UNPLACED};
  bool first = true;
  for (size_t k = 0; k < count && !status; k++) {
    int64_t begin = s->uses[k] - s->l->set.prefetch;
    if (begin < 0) begin = 0;
    if (k == 0)
      stay.lower = begin;
    else if (begin > stay.upper) {
      status = visit_load(s, &stay, first);
      first = false;
      stay.lower = begin;
    }
    stay.upper = s->uses[k] + 1;
  }
  return status ? status : visit_load(s, &stay, first);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static asc_status visit_all(stays *s, const uint32_t *schedule) {
  const asci_lowered *l = s->l;
  const asc_graph *g = l->graph;
  asc_status status = ASC_OK;
  for (uint32_t k = 0; k < g->op_count; k++) s->at[schedule[k]] = k;
  for (uint32_t t = 0; t < g->tensor_count; t++) s->lower[t] = INT64_MAX, s->upper[t] = 0;
  for (uint32_t t = 0; t < g->tensor_count; t++) include_tensor(s, t);
  memset(s->seen, 0xff, g->op_count * sizeof *s->seen);
  for (uint32_t t = 0; t < g->tensor_count && !status; t++) {
    if (l->store[t] != t || l->absent[t]) continue;
    if ((l->kinds[t] & ASC_TENSOR_CONSTANT) && l->set.constants == ASCI_CONSTANTS_STREAMED)
      status = visit_streamed(s, t);
    else {
      asc_stay stay = {.item = t, .lower = s->lower[t], .upper = s->upper[t], .offset = ASC_UNPLACED};
      status = s->visit(s->user, &stay);
    }
  }
  for (uint32_t op = 0; op < g->op_count && l->set.workspace && !status; op++) {
    if (!g->ops[op].workspace) continue;
    asc_stay stay = {.item = g->tensor_count + op, .lower = s->at[op], .upper = s->at[op] + 1, .offset = ASC_UNPLACED};
    status = s->visit(s->user, &stay);
  }
  for (size_t k = 0; k < s->later.count && !status; k++) status = s->visit(s->user, &s->later.stays[k]);
  return status;
}

asc_status asci_stays(const asci_lowered *l, const uint32_t *schedule, asci_stay_visit visit, void *user) {
  asc_context *context = l->context;
  stays s = {.l = l, .visit = visit, .user = user, .later = {.context = context}};
  s.at = asci_alloc(context, l->graph->op_count, sizeof *s.at);
  s.lower = asci_alloc(context, l->graph->tensor_count, sizeof *s.lower);
  s.upper = asci_alloc(context, l->graph->tensor_count, sizeof *s.upper);
  s.seen = asci_alloc(context, l->graph->op_count, sizeof *s.seen);
  asc_status status = s.at && s.lower && s.upper && s.seen ? visit_all(&s, schedule) : ASC_OUT_OF_MEMORY;
  void *const blocks[] = {s.at, s.lower, s.upper, s.seen, s.uses, s.scratch, s.later.stays};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  return status;
}
