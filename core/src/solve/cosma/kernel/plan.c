#include "plan.h"

#include "base/arrays.h"

#include <string.h>

typedef struct player {
  const cosma_model *m;
  const cosma_solution *solution;
  asci_stay_list *list;
  uint32_t *here;    /* per value: its stay in the arena now, ASC_NONE */
  uint32_t *outside; /* per value: the stay of its copy outside, ASC_NONE */
  asc_stay none;     /* what is written to when there is no memory */
  asc_status status;
} player;

static const asci_array of_player[] = {
    ASCI_ARRAY(player, here, 0, ASCI_ONES),
    ASCI_ARRAY(player, outside, 0, ASCI_ONES),
};

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
    if (asci_cosma_is_lasting(l, t))
      add(p, t, ASC_POOL_MAIN, 0, end);
    else if ((kind & ASC_TENSOR_CONSTANT) && (l->kinds[t] & ASC_TENSOR_OUTPUT))
      add(p, t, ASC_POOL_OUTSIDE, end - 1, end);
    else if ((kind & ASC_TENSOR_INPUT) && ((l->kinds[t] & ASC_TENSOR_OUTPUT) || l->set.preserve_inputs))
      add(p, t, ASC_POOL_OUTSIDE, 0, end);
  }
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
  for (uint32_t k = m->passing.begin[op]; k < m->passing.begin[op + 1]; k++)
    add(p, m->passing.entries[k], ASC_POOL_MAIN, time, (int64_t)time + 1);
  for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
    uint32_t value = m->reads.entries[r];
    if (p->here[value] == ASC_NONE) fetch(p, value, time);
    stay_at(p, p->here[value])->upper = (int64_t)time + 1;
  }
  for (uint32_t k = m->makes.begin[op]; k < m->makes.begin[op + 1]; k++) make(p, m->makes.entries[k], time);
}

/* An output whose copy is counted has none from its making on: it is taken out when it leaves the arena, and that copy stays. */
static void keep_outputs(player *p) {
  const cosma_model *m = p->m;
  int64_t end = m->op_count;
  for (uint32_t v = 0; v < m->value_count; v++) {
    const cosma_value *value = &m->values[v];
    bool output = m->lowering->lowered.kinds[value->item] & ASC_TENSOR_OUTPUT;
    if (!output || value->copied || value->maker == ASC_NONE || value->under != ASC_NONE) continue;
    if (p->outside[v] != ASC_NONE)
      stay_at(p, p->outside[v])->upper = end;
    else if (stay_at(p, p->here[v])->upper < end)
      add(p, value->item, ASC_POOL_OUTSIDE, stay_at(p, p->here[v])->upper, end);
  }
}

/* Preserved inputs and those that are outputs have a copy outside all the time, which is among the lasting stays. */
static void find_lasting(player *p) {
  const cosma_model *m = p->m;
  for (size_t k = 0; k < p->list->count; k++)
    for (uint32_t v = 0; v < m->value_count && m->values[v].maker == ASC_NONE; v++)
      if (m->values[v].item == p->list->stays[k].item) p->outside[v] = (uint32_t)k;
}

/* What numbering the stays of a list needs. */
typedef struct numbering {
  asci_stay_list given;
  uint32_t *first; /* per item: its first stay of the list in the arena that has no number yet, ASC_NONE */
  uint32_t *next;  /* per stay of the list: the next one of its item */
} numbering;

enum { PER_ITEM, PER_STAY };
static const asci_array of_numbering[] = {
    ASCI_ARRAY(numbering, first, PER_ITEM, ASCI_ONES),
    ASCI_ARRAY(numbering, next, PER_STAY, ASCI_RAW),
    ASCI_OWN(numbering, given.stays),
};

/* The given buffers' stays in the arena in their order, then the others as they are: a buffer keeps its number from one solution to the next. */
static asc_status in_order(const asci_stay_list *list, numbering *n, asci_stay_list *to) {
  const uint32_t taken = ASC_NONE - 1;
  const asci_stay_list *given = &n->given;
  uint32_t *first = n->first, *next = n->next;
  asc_status status = ASC_OK;
  for (size_t k = list->count; k-- > 0;) {
    const asc_stay *stay = &list->stays[k];
    next[k] = ASC_NONE;
    if (stay->pool != ASC_POOL_MAIN) continue;
    next[k] = first[stay->item];
    first[stay->item] = (uint32_t)k;
  }
  for (size_t g = 0; g < given->count && !status; g++) {
    uint32_t item = given->stays[g].item, k = first[item];
    asc_stay absent = {.item = item, .pool = ASC_POOL_MAIN};
    status = asci_stay_keep(to, k == ASC_NONE ? &absent : &list->stays[k]);
    if (k == ASC_NONE) continue;
    first[item] = next[k];
    next[k] = taken;
  }
  for (size_t k = 0; k < list->count && !status; k++)
    if (next[k] != taken) status = asci_stay_keep(to, &list->stays[k]);
  return status;
}

asc_status asci_cosma_number(const cosma_model *m, asci_stay_list *list) {
  const asci_lowered *l = &m->lowering->lowered;
  asc_context *context = m->context;
  const size_t counts[] = {asci_item_count(l), list->count};
  asci_stay_list made = {.context = context};
  numbering n = {.given = {.context = context}};
  asc_status status = asci_arrays_new(context, ASCI_TABLE(of_numbering), counts, &n) ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!status) status = asci_stays(l, m->lowering->schedule, asci_stay_keep, &n.given);
  if (!status) status = in_order(list, &n, &made);
  if (!status) {
    asci_free(context, list->stays);
    *list = made;
  } else
    asci_free(context, made.stays);
  asci_arrays_free(context, ASCI_TABLE(of_numbering), &n);
  return status;
}

asc_status asci_cosma_stays(const cosma_model *m, const cosma_solution *solution, asci_stay_list *list) {
  const size_t values = m->value_count;
  player p = {.m = m, .solution = solution, .list = list};
  p.status = asci_arrays_new(m->context, ASCI_TABLE(of_player), &values, &p) ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!p.status) {
    add_lasting(&p);
    if (!p.status) find_lasting(&p);
    for (uint32_t k = 0; k < m->op_count && !p.status; k++) run(&p, k);
    keep_outputs(&p);
    if (!p.status) p.status = asci_cosma_number(m, list);
  }
  asci_arrays_free(m->context, ASCI_TABLE(of_player), &p);
  return p.status;
}

/* The first place that is taken at the time or later. */
static size_t first_at(const cosma_place *places, size_t count, int64_t time) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (places[middle].time < time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void asci_cosma_give_places(const cosma_place *places, size_t count, asci_stay_list *list) {
  for (size_t k = 0; k < list->count; k++) {
    asc_stay *stay = &list->stays[k];
    if (stay->pool != ASC_POOL_MAIN) continue;
    for (size_t p = first_at(places, count, stay->lower); p < count && places[p].time == stay->lower; p++)
      if (places[p].item == stay->item) stay->offset = places[p].offset;
  }
}
