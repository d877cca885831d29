#include "repair.h"

#include "base/arrays.h"

#include <string.h>

/* ---- gaps ------------------------------------------------------------------------------------------------------------ */

static bool is_out(const cosma_solution *s, uint32_t value, uint32_t after, uint32_t until, bool *ever) {
  bool out = false;
  for (uint32_t k = 0, turn = 0; k < s->evict_begin[until]; k++) {
    while (s->evict_begin[turn + 1] <= k) turn++;
    if (s->evicted[k] != value) continue;
    *ever = true;
    out |= turn > after;
  }
  return out;
}

static bool add_gap(cosma_repair *r, cosma_gap gap) {
  if (!asci_grow(r->m->context, &r->gaps, &r->room, r->count + 1, sizeof *r->gaps)) return false;
  size_t to = r->count++;
  for (; to > 0 && r->gaps[to - 1].cost > gap.cost; to--) r->gaps[to] = r->gaps[to - 1];
  r->gaps[to] = gap;
  return true;
}

/* The next time after `time` at which the value is read, ASC_NONE. at: per operator its time. */
static uint32_t next_use(const cosma_model *m, uint32_t value, const uint32_t *at, uint32_t time) {
  uint32_t next = ASC_NONE;
  for (uint32_t k = m->readers.begin[value]; k < m->readers.begin[value + 1]; k++) {
    uint32_t use = at[m->readers.entries[k]];
    if (use > time && use < next) next = use;
  }
  return next;
}

static bool add_gaps(cosma_repair *r, uint32_t value, const uint32_t *at) {
  const cosma_value *v = &r->m->values[value];
  uint32_t use = v->maker == ASC_NONE ? ASC_NONE : at[v->maker];
  for (uint32_t k = r->m->readers.begin[value]; v->maker == ASC_NONE && k < r->m->readers.begin[value + 1]; k++)
    if (at[r->m->readers.entries[k]] < use) use = at[r->m->readers.entries[k]];
  for (uint32_t next; use != ASC_NONE; use = next) {
    next = next_use(r->m, value, at, use);
    bool ever = v->copied;
    if (next == ASC_NONE || next - use < 2 || is_out(r->from, value, use, next + 1, &ever)) continue;
    if (!add_gap(r, (cosma_gap){cosma_evict_cost(r->m, value, ever), value, use + 1})) return false;
  }
  return true;
}

/* ---- sets ------------------------------------------------------------------------------------------------------------ */

/* A value goes out once; it comes back as often as it goes. */
static int64_t cost_of(const cosma_repair *r, uint32_t others, uint32_t gap) {
  int64_t cost = r->gaps[gap].cost;
  const uint32_t value = r->gaps[gap].value;
  for (uint32_t set = others; set != ASC_NONE; set = r->sets[set].others)
    if (r->gaps[r->sets[set].gap].value == value) cost = r->m->values[value].bytes;
  return others == ASC_NONE ? cost : r->sets[others].cost + cost;
}

static bool is_cheaper(const cosma_repair *r, uint32_t a, uint32_t b) {
  return r->sets[a].cost != r->sets[b].cost ? r->sets[a].cost < r->sets[b].cost : a < b;
}

static void sift_up(cosma_repair *r, size_t at) {
  uint32_t set = r->heap[at];
  for (; at > 0 && is_cheaper(r, set, r->heap[(at - 1) / 2]); at = (at - 1) / 2) r->heap[at] = r->heap[(at - 1) / 2];
  r->heap[at] = set;
}

static bool add_set(cosma_repair *r, uint32_t others, size_t gap) {
  asc_context *context = r->m->context;
  if (gap >= r->count) return true;
  if (!asci_grow(context, &r->sets, &r->set_room, r->set_count + 1, sizeof *r->sets) ||
      !asci_grow(context, &r->heap, &r->heap_room, r->heap_count + 1, sizeof *r->heap))
    return false;
  r->sets[r->set_count] = (cosma_gap_set){cost_of(r, others, (uint32_t)gap), others, (uint32_t)gap};
  r->heap[r->heap_count] = (uint32_t)r->set_count++;
  sift_up(r, r->heap_count++);
  return true;
}

static uint32_t take_cheapest(cosma_repair *r) {
  uint32_t top = r->heap[0], last = r->heap[--r->heap_count];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < r->heap_count; at = child) {
    if (child + 1 < r->heap_count && is_cheaper(r, r->heap[child + 1], r->heap[child])) child++;
    if (!is_cheaper(r, r->heap[child], last)) break;
    r->heap[at] = r->heap[child];
  }
  r->heap[at] = last;
  return top;
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {
    ASCI_ARRAY(cosma_repair, trial.evict_begin, 0, ASCI_RAW),
    ASCI_OWN(cosma_repair, trial.evicted),
    ASCI_OWN(cosma_repair, gaps),
    ASCI_OWN(cosma_repair, sets),
    ASCI_OWN(cosma_repair, heap),
};

asc_status asci_cosma_repair_new(cosma_model *m, const cosma_solution *from, cosma_repair *r) {
  *r = (cosma_repair){.m = m, .from = from, .trial = {.order = from->order}};
  const size_t n = (size_t)m->op_count + 1;
  uint32_t *at = asci_alloc(m->context, n, sizeof *at);
  bool room = at && asci_arrays_new(m->context, ASCI_TABLE(arrays), &n, r);
  for (uint32_t k = 0; k < m->op_count && room; k++) at[from->order[k]] = k;
  for (uint32_t v = 0; v < m->value_count && room; v++) room = add_gaps(r, v, at);
  room = room && add_set(r, ASC_NONE, 0);
  asci_free(m->context, at);
  if (!room) asci_cosma_repair_free(r);
  return room ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_cosma_repair_free(cosma_repair *r) {
  if (!r->m) return;
  asci_arrays_free(r->m->context, ASCI_TABLE(arrays), r);
  *r = (cosma_repair){0};
}

/* ---- tries ----------------------------------------------------------------------------------------------------------- */

/* The gaps that this try adds, into a turn's evictions. */
static void add_evictions(cosma_repair *r, uint32_t tried, uint32_t turn, uint32_t *count) {
  const cosma_solution *from = r->from;
  r->trial.evict_begin[turn] = *count;
  for (uint32_t k = from->evict_begin[turn]; k < from->evict_begin[turn + 1]; k++)
    r->trial.evicted[(*count)++] = from->evicted[k];
  for (uint32_t set = tried; set != ASC_NONE; set = r->sets[set].others)
    if (r->gaps[r->sets[set].gap].turn == turn) r->trial.evicted[(*count)++] = r->gaps[r->sets[set].gap].value;
}

int64_t asci_cosma_repair_cost(const cosma_repair *r) {
  return r->heap_count ? r->sets[r->heap[0]].cost : INT64_MAX;
}

/* Each set comes from one other: from that without its last gap, or from that with the gap before it in its place. */
bool asci_cosma_repair_next(cosma_repair *r) {
  if (!r->heap_count) return false;
  uint32_t count = 0, ops = r->m->op_count, tried = take_cheapest(r);
  const uint32_t others = r->sets[tried].others, gap = r->sets[tried].gap;
  if (!add_set(r, tried, (size_t)gap + 1) || !add_set(r, others, (size_t)gap + 1) ||
      !asci_grow(r->m->context, &r->trial.evicted, &r->trial.evicted_room, (size_t)r->from->evict_begin[ops] + r->count,
                 sizeof *r->trial.evicted))
    return false;
  for (uint32_t turn = 0; turn < ops; turn++) add_evictions(r, tried, turn, &count);
  r->trial.evict_begin[ops] = count;
  return true;
}
