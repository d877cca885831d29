#include "repair.h"

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

asc_status asci_cosma_repair_new(cosma_model *m, const cosma_solution *from, cosma_repair *r) {
  *r = (cosma_repair){.m = m, .from = from, .trial = {.order = from->order}};
  size_t n = (size_t)m->op_count + 1;
  uint32_t *at = asci_alloc(m->context, n, sizeof *at);
  r->trial.evict_begin = asci_alloc(m->context, n, sizeof *at);
  bool room = at && r->trial.evict_begin;
  for (uint32_t k = 0; k < m->op_count && room; k++) at[from->order[k]] = k;
  for (uint32_t v = 0; v < m->value_count && room; v++) room = add_gaps(r, v, at);
  asci_free(m->context, at);
  if (!room) asci_cosma_repair_free(r);
  return room ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_cosma_repair_free(cosma_repair *r) {
  if (!r->m) return;
  asci_free(r->m->context, r->gaps);
  asci_free(r->m->context, r->trial.evict_begin);
  asci_free(r->m->context, r->trial.evicted);
  *r = (cosma_repair){0};
}

/* ---- tries ----------------------------------------------------------------------------------------------------------- */

/* The gaps that this try adds, into a turn's evictions. */
static void add_evictions(cosma_repair *r, uint32_t turn, uint32_t *count) {
  const cosma_solution *from = r->from;
  const cosma_gap *gaps[] = {&r->gaps[r->first], &r->gaps[r->second]};
  r->trial.evict_begin[turn] = *count;
  for (uint32_t k = from->evict_begin[turn]; k < from->evict_begin[turn + 1]; k++)
    r->trial.evicted[(*count)++] = from->evicted[k];
  for (uint32_t g = 0; g < (r->first == r->second ? 1u : 2u); g++)
    if (gaps[g]->turn == turn) r->trial.evicted[(*count)++] = gaps[g]->value;
}

bool asci_cosma_repair_next(cosma_repair *r) {
  if (r->first >= r->count || r->second >= r->count) return false;
  uint32_t count = 0, ops = r->m->op_count;
  if (!asci_grow(r->m->context, &r->trial.evicted, &r->trial.evicted_room, (size_t)r->from->evict_begin[ops] + 2,
                 sizeof *r->trial.evicted))
    return false;
  for (uint32_t turn = 0; turn < ops; turn++) add_evictions(r, turn, &count);
  r->trial.evict_begin[ops] = count;
  /* singles are (0, 0), (1, 1) ...; then pairs (0, 1), (0, 2), (1, 2) ... */
  if (r->first == r->second && ++r->first < r->count)
    r->second = r->first;
  else if (r->first >= r->count)
    r->first = 0, r->second = 1;
  else if (++r->first == r->second)
    r->first = 0, r->second++;
  return true;
}
