#include "least_live.h"

#include "base/arrays.h"

#include <string.h>

enum { MOST_PATHS = 64 };
static const uint64_t most_arcs = UINT64_C(1) << 27; /* of all calls: some tenths of a second */
enum { FREE, RAN, LATER }; /* sides: undecided; before the operator in every order; the operator and what is behind it */

static uint32_t after_bytes(const cosma_model *m, uint32_t value) {
  return m->op_count + value;
}

static uint32_t before_bytes(const cosma_model *m, uint32_t value) {
  uint32_t maker = m->values[value].maker;
  return maker == ASC_NONE ? m->op_count + m->value_count + value : maker;
}

/* ---- the network ----------------------------------------------------------------------------------------------------- */

/* Counts arcs, or with `arc` writes them. An end of each is begun at begin[node]. */
static void join(cosma_live *l, uint32_t *next, uint32_t from, uint32_t to, int64_t room) {
  if (!l->arc) {
    next[from]++;
    next[to]++;
    return;
  }
  uint32_t there = next[from]++, back = next[to]++;
  l->arc[there] = (cosma_arc){to, back, room};
  l->arc[back] = (cosma_arc){from, there, 0};
}

/* A value is alive if its maker has run, or of an input a reader has, and a reader has not. */
static void join_all(cosma_live *l, uint32_t *next) {
  const cosma_model *m = l->m;
  for (uint32_t op = 0; op < m->op_count; op++)
    for (uint32_t w = m->waits.begin[op]; w < m->waits.begin[op + 1]; w++) join(l, next, op, m->waits.entries[w], INT64_MAX);
  for (uint32_t v = 0; v < m->value_count; v++) {
    join(l, next, before_bytes(m, v), after_bytes(m, v), m->values[v].size);
    for (uint32_t r = m->readers.begin[v]; r < m->readers.begin[v + 1]; r++) {
      join(l, next, after_bytes(m, v), m->readers.entries[r], INT64_MAX);
      if (m->values[v].maker == ASC_NONE) join(l, next, m->readers.entries[r], before_bytes(m, v), INT64_MAX);
    }
  }
}

enum { PER_NODE, PER_BEGIN };
static const asci_array of_nodes[] = {
    ASCI_ARRAY(cosma_live, begin, PER_BEGIN, ASCI_RAW),
    ASCI_ARRAY(cosma_live, through, PER_NODE, ASCI_ZEROS),
    ASCI_ARRAY(cosma_live, queue, PER_NODE, ASCI_RAW),
    ASCI_ARRAY(cosma_live, side, PER_NODE, ASCI_RAW),
};
static const asci_array of_arcs[] = {
    ASCI_ARRAY(cosma_live, arc, 0, ASCI_RAW),
    ASCI_ARRAY(cosma_live, room, 0, ASCI_RAW),
};

asc_status asci_cosma_live_new(const cosma_model *m, cosma_live *l) {
  *l = (cosma_live){.m = m, .nodes = m->op_count + 2 * m->value_count};
  asc_context *context = m->context;
  const size_t counts[] = {l->nodes, (size_t)l->nodes + 1};
  bool room = asci_arrays_new(context, ASCI_TABLE(of_nodes), counts, l);
  if (room) {
    join_all(l, l->through);
    l->begin[0] = 0;
    for (uint32_t node = 0; node < l->nodes; node++) l->begin[node + 1] = l->begin[node] + l->through[node];
    l->arcs = l->begin[l->nodes];
    const size_t arcs = l->arcs;
    room = asci_arrays_new(context, ASCI_TABLE(of_arcs), &arcs, l);
  }
  if (room) {
    memcpy(l->through, l->begin, l->nodes * sizeof *l->through);
    join_all(l, l->through);
    return ASC_OK;
  }
  asci_cosma_live_free(l);
  return ASC_OUT_OF_MEMORY;
}

void asci_cosma_live_free(cosma_live *l) {
  if (!l->m) return;
  asci_arrays_free(l->m->context, ASCI_TABLE(of_nodes), l);
  asci_arrays_free(l->m->context, ASCI_TABLE(of_arcs), l);
  *l = (cosma_live){0};
}

/* ---- the cut --------------------------------------------------------------------------------------------------------- */

static void set_sides(cosma_live *l, uint32_t op, const uint64_t *behind) {
  const cosma_model *m = l->m;
  memset(l->side, FREE, l->nodes * sizeof *l->side);
  for (uint32_t other = 0; other < m->op_count; other++) {
    if (cosma_has(behind + op * m->op_words, other)) l->side[other] = RAN;
    if (other == op || cosma_has(behind + other * m->op_words, op)) l->side[other] = LATER;
  }
}

/* Who runs after `end` reads nothing in time: no arc leads to it. */
static void leave_later(cosma_live *l, const uint64_t *by_end) {
  const cosma_model *m = l->m;
  for (uint32_t v = 0; v < m->value_count; v++)
    for (uint32_t k = l->begin[after_bytes(m, v)]; k < l->begin[after_bytes(m, v) + 1]; k++)
      if (l->arc[k].to < m->op_count && l->arc[k].room && !cosma_has(by_end, l->arc[k].to)) l->room[k] = 0;
}

/* What the operator names is not counted. */
static void set_rooms(cosma_live *l, uint32_t op, const uint64_t *by_end) {
  const cosma_model *m = l->m;
  for (uint32_t k = 0; k < l->arcs; k++) l->room[k] = l->arc[k].room;
  if (by_end) leave_later(l, by_end);
  for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
    uint32_t value = m->reads.entries[r], from = before_bytes(m, value);
    for (uint32_t k = l->begin[from]; k < l->begin[from + 1]; k++)
      if (l->arc[k].to == after_bytes(m, value)) l->room[k] = 0;
  }
}

/* The first node of the later side that is reached, ASC_NONE: none. */
static uint32_t reach(cosma_live *l) {
  uint32_t head = 0, tail = 0;
  memset(l->through, 0xff, l->nodes * sizeof *l->through);
  for (uint32_t op = 0; op < l->m->op_count; op++)
    if (l->side[op] == RAN) l->queue[tail++] = op;
  while (head < tail) {
    uint32_t node = l->queue[head++];
    l->spent += l->begin[node + 1] - l->begin[node];
    for (uint32_t k = l->begin[node]; k < l->begin[node + 1]; k++) {
      uint32_t to = l->arc[k].to;
      if (!l->room[k] || l->side[to] == RAN || l->through[to] != ASC_NONE) continue;
      l->through[to] = k;
      if (l->side[to] == LATER) return to;
      l->queue[tail++] = to;
    }
  }
  return ASC_NONE;
}

static uint32_t step_back(const cosma_live *l, uint32_t node) {
  return l->arc[l->arc[l->through[node]].back].to;
}

static int64_t augment(cosma_live *l, uint32_t end) {
  int64_t flow = INT64_MAX;
  for (uint32_t node = end; l->side[node] != RAN; node = step_back(l, node))
    if (l->room[l->through[node]] < flow) flow = l->room[l->through[node]];
  for (uint32_t node = end; l->side[node] != RAN; node = step_back(l, node)) {
    uint32_t k = l->through[node], back = l->arc[k].back;
    if (l->room[k] != INT64_MAX) l->room[k] -= flow;
    if (l->room[back] != INT64_MAX) l->room[back] += flow;
  }
  return flow;
}

int64_t asci_cosma_least_live(cosma_live *l, uint32_t op, const uint64_t *by_end, const uint64_t *behind) {
  int64_t flow = 0;
  if (l->spent > most_arcs) return 0;
  l->spent += l->arcs;
  set_sides(l, op, behind);
  set_rooms(l, op, by_end);
  for (uint32_t k = 0, end; k < MOST_PATHS && (end = reach(l)) != ASC_NONE; k++) flow += augment(l, end);
  return flow;
}
