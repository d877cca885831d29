#include "layout.h"

#include "base/arrays.h"
#include "base/hash.h"

#include <string.h>

enum { MOST_STATES = 1 << 18 };

/* ---- making ---------------------------------------------------------------------------------------------------------- */

/* Of all sizes, since what is pushed down lies at sums of them; with an alignment somewhere, 1. */
static int64_t unit_of(const cosma_model *m) {
  int64_t unit = 0;
  bool aligned = false;
  for (uint32_t v = 0; v < m->value_count; v++) {
    unit = cosma_gcd(unit, m->values[v].size);
    aligned |= asci_cosma_item_alignment(m->lowering, m->values[v].item) > 1;
  }
  for (uint32_t k = 0; k < m->passing.begin[m->op_count]; k++) {
    unit = cosma_gcd(unit, asci_cosma_item_size(m->lowering, m->passing.entries[k]));
    aligned |= asci_cosma_item_alignment(m->lowering, m->passing.entries[k]) > 1;
  }
  return aligned || !unit ? 1 : unit;
}

bool asci_cosma_layout_may(const cosma_model *m, int64_t capacity) {
  bool over = false;
  for (uint32_t v = 0; v < m->value_count; v++) over |= m->values[v].over != ASC_NONE;
  return !over && !m->keeps && m->value_count <= COSMA_LAYOUT_VALUES && m->op_count <= 64 &&
         capacity / unit_of(m) <= COSMA_LAYOUT_UNITS;
}

static bool add_first(cosma_layout *l) {
  if (!asci_grow(l->m->context, &l->now, &l->now_room, 1, sizeof *l->now)) return false;
  l->now[0] = (cosma_layout_state){.record = ASC_NONE};
  l->now_count = 1;
  return true;
}

enum { PER_ITEM, PER_SLOT };
static const asci_array arrays[] = {
    ASCI_ARRAY(cosma_layout, items, PER_ITEM, ASCI_RAW),
    ASCI_ARRAY(cosma_layout, slots, PER_SLOT, ASCI_ONES),
    ASCI_OWN(cosma_layout, now),
    ASCI_OWN(cosma_layout, next),
    ASCI_OWN(cosma_layout, records),
    ASCI_OWN(cosma_layout, evicted),
    ASCI_OWN(cosma_layout, places),
};

asc_status asci_cosma_layout_new(const cosma_model *m, const cosma_layout_pass *pass, cosma_layout *l) {
  *l = (cosma_layout){.m = m,
                      .given_order = pass->given_order,
                      .moves_any = pass->moves_any,
                      .upper = pass->upper,
                      .found = ASC_NONE,
                      .most_states = MOST_STATES};
  l->unit = unit_of(m);
  l->capacity = pass->capacity / l->unit;
  l->slot_room = 4 * MOST_STATES;
  const size_t counts[] = {2 * (size_t)m->value_count + m->passing.begin[m->op_count] + 1, l->slot_room};
  if (asci_arrays_new(m->context, ASCI_TABLE(arrays), counts, l) && add_first(l)) return ASC_OK;
  asci_cosma_layout_free(l);
  return ASC_OUT_OF_MEMORY;
}

void asci_cosma_layout_free(cosma_layout *l) {
  if (!l->m) return;
  asci_arrays_free(l->m->context, ASCI_TABLE(arrays), l);
  *l = (cosma_layout){0};
}

/* ---- states ---------------------------------------------------------------------------------------------------------- */

static bool has(uint64_t set, uint32_t k) {
  return set >> k & 1;
}

static bool is_same(const cosma_layout_state *a, const cosma_layout_state *b) {
  return a->done == b->done && a->resident == b->resident && a->clean == b->clean && a->bound == b->bound &&
         !memcmp(a->at, b->at, sizeof a->at);
}

static size_t slot_of(const cosma_layout *l, const cosma_layout_state *state) {
  uint64_t hash = asci_fold(asci_fold(asci_fold(ASCI_HASH_SEED, state->done), state->resident), state->clean);
  hash = asci_fold(hash, state->bound);
  for (size_t k = 0; k < sizeof state->at; k += 8) {
    uint64_t word;
    memcpy(&word, state->at + k, sizeof word);
    hash = asci_fold(hash, word);
  }
  size_t at = hash & (l->slot_room - 1);
  while (l->slots[at] != ASC_NONE && !is_same(&l->next[l->slots[at]], state)) at = (at + 1) & (l->slot_room - 1);
  return at;
}

/* The lists of the last record, which is not there yet, are what stands behind those of the one before. */
static bool add_record(cosma_layout *l, size_t evicted, size_t places) {
  if (!asci_grow(l->m->context, &l->records, &l->record_room, l->record_count + 1, sizeof *l->records)) return false;
  l->records[l->record_count++] = (cosma_layout_record){l->now[l->state].record, l->op, (uint32_t)evicted, (uint32_t)places};
  return true;
}

static bool write_lists(cosma_layout *l, uint64_t out) {
  asc_context *context = l->m->context;
  size_t evicted = l->evicted_count, places = l->place_count;
  if (!asci_grow(context, &l->evicted, &l->evicted_room, evicted + l->m->value_count, sizeof *l->evicted) ||
      !asci_grow(context, &l->places, &l->place_room, places + l->item_count, sizeof *l->places))
    return false;
  for (uint32_t v = 0; v < l->m->value_count; v++)
    if (has(out, v)) l->evicted[l->evicted_count++] = v;
  for (uint32_t k = 0; k < l->item_count; k++)
    l->places[l->place_count++] = (cosma_place){l->items[k].item, l->depth, l->items[k].at * l->unit};
  return add_record(l, evicted, places);
}

static cosma_laying enter(cosma_layout *l, cosma_layout_state *state, uint64_t out) {
  size_t slot = slot_of(l, state);
  bool is_new = l->slots[slot] == ASC_NONE;
  if (!is_new && l->next[l->slots[slot]].cost <= state->cost) return COSMA_LAYING;
  if (is_new && l->next_count == l->most_states) return COSMA_LAYOUT_FULL;
  state->record = (uint32_t)l->record_count;
  if (!write_lists(l, out) || !asci_grow(l->m->context, &l->next, &l->next_room, l->next_count + 1, sizeof *l->next))
    return COSMA_LAYOUT_NO_MEMORY;
  if (is_new) l->slots[slot] = (uint32_t)l->next_count++;
  l->next[l->slots[slot]] = *state;
  l->reached++;
  return COSMA_LAYING;
}

/* ---- a transition ---------------------------------------------------------------------------------------------------- */

static uint64_t named(const cosma_rows *rows, uint32_t op) {
  uint64_t values = 0;
  for (uint32_t r = rows->begin[op]; r < rows->begin[op + 1]; r++) values |= UINT64_C(1) << rows->entries[r];
  return values;
}

static bool reads(const cosma_layout *l, uint32_t value) {
  return has(named(&l->m->reads, l->op), value);
}

/* Values that one of the operators reads. */
static uint64_t read_by(const cosma_model *m, uint64_t ops) {
  uint64_t values = 0;
  for (; ops; ops &= ops - 1) values |= named(&m->reads, (uint32_t)__builtin_ctzll(ops));
  return values;
}

static void add_item(cosma_layout *l, uint32_t value, uint32_t item, int64_t size) {
  int64_t step = asci_cosma_item_alignment(l->m->lowering, item) / l->unit;
  l->items[l->item_count++] = (cosma_layout_item){value, item, size / l->unit, step > 1 ? step : 1, ASC_UNPLACED};
}

static void add_value(cosma_layout *l, uint32_t value) {
  add_item(l, value, l->m->values[value].item, l->m->values[value].size);
}

static void gather(cosma_layout *l, const cosma_layout_state *from) {
  const cosma_model *m = l->m;
  uint64_t all = m->op_count < 64 ? (UINT64_C(1) << m->op_count) - 1 : UINT64_MAX;
  l->read_before = read_by(m, from->done);
  l->read_later = read_by(m, all & ~from->done & ~(UINT64_C(1) << l->op));
  l->item_count = 0;
  for (uint32_t r = m->reads.begin[l->op]; r < m->reads.begin[l->op + 1]; r++)
    if (!has(from->resident, m->reads.entries[r])) add_value(l, m->reads.entries[r]);
  for (uint32_t k = m->makes.begin[l->op]; k < m->makes.begin[l->op + 1]; k++) add_value(l, m->makes.entries[k]);
  for (uint32_t k = m->passing.begin[l->op]; k < m->passing.begin[l->op + 1]; k++)
    add_item(l, ASC_NONE, m->passing.entries[k], asci_cosma_item_size(m->lowering, m->passing.entries[k]));
}

/* The state after the operator, its items where they are; out: the values that were taken out. */
static cosma_laying finish(cosma_layout *l, const cosma_layout_state *from, uint64_t out, int64_t cost) {
  const cosma_model *m = l->m;
  cosma_layout_state state = *from;
  state.cost = cost;
  state.done |= UINT64_C(1) << l->op;
  state.resident &= ~out;
  state.clean &= ~out;
  for (uint32_t k = 0; k < l->item_count; k++) {
    uint32_t value = l->items[k].value;
    if (value == ASC_NONE) continue;
    state.resident |= UINT64_C(1) << value;
    state.at[value] = (uint8_t)l->items[k].at;
    bool first = m->values[value].maker == ASC_NONE && !has(l->read_before, value);
    bool made = m->values[value].maker == l->op;
    if (m->values[value].copied || (!made && !first)) state.clean |= UINT64_C(1) << value;
  }
  uint64_t gone = (from->resident | state.resident) & ~(state.resident & l->read_later);
  state.resident &= ~gone;
  state.clean &= ~gone;
  for (; gone; gone &= gone - 1) state.at[__builtin_ctzll(gone)] = 0;
  state.bound = named(&m->reads, l->op) | named(&m->makes, l->op);
  state.bound &= l->moves_any ? 0 : state.resident & ~state.clean;
  return enter(l, &state, out);
}

/* Values that lie where the item would, not those that have gone. */
static uint64_t hit_by(const cosma_layout *l, const cosma_layout_state *from, uint64_t out, const cosma_layout_item *item) {
  uint64_t hit = 0;
  for (uint64_t left = from->resident & ~out; left; left &= left - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(left);
    int64_t at = from->at[v], size = l->m->values[v].size / l->unit;
    if (at < item->at + item->size && item->at < at + size) hit |= UINT64_C(1) << v;
  }
  return hit;
}

static bool is_free(const cosma_layout *l, uint32_t k) {
  const cosma_layout_item *mine = &l->items[k];
  for (uint32_t j = 0; j < k; j++) {
    const cosma_layout_item *other = &l->items[j];
    if (mine->at < other->at + other->size && other->at < mine->at + mine->size) return false;
  }
  return true;
}

typedef struct laid {
  uint64_t out;
  int64_t cost;
  uint32_t items; /* before its own were added */
} laid;

/* Takes out who lies where item k is; what the operator reads has to come back elsewhere. False: it costs too much, or is barred. */
static bool clear_for(cosma_layout *l, const cosma_layout_state *from, uint32_t k, laid *now) {
  uint64_t hit = hit_by(l, from, now->out, &l->items[k]);
  bool barred = false;
  now->items = l->item_count;
  for (; hit; hit &= hit - 1) {
    uint32_t v = (uint32_t)__builtin_ctzll(hit);
    now->out |= UINT64_C(1) << v;
    now->cost += has(from->clean, v) ? l->m->values[v].bytes : 2 * l->m->values[v].bytes;
    if (!reads(l, v)) continue;
    barred |= has(from->bound, v);
    add_value(l, v);
  }
  return !barred && now->cost < l->upper;
}

/* The next place of item k, above the one that it has; false: there is none. */
static bool move_up(const cosma_layout *l, uint32_t k) {
  cosma_layout_item *item = &l->items[k];
  do {
    item->at = item->at == ASC_UNPLACED ? 0 : item->at + item->step;
    if (item->at + item->size > l->capacity) return false;
  } while (!is_free(l, k));
  return true;
}

/* All ways to give the items places, depth first. */
static cosma_laying lay(cosma_layout *l, const cosma_layout_state *from) {
  laid stack[2 * COSMA_LAYOUT_VALUES + 64];
  uint32_t depth = 0;
  stack[0] = (laid){0, from->cost, l->item_count};
  if (l->item_count == 0) return finish(l, from, 0, from->cost);
  for (;;) {
    l->item_count = stack[depth].items;
    if (!move_up(l, depth)) {
      l->items[depth].at = ASC_UNPLACED;
      if (depth-- == 0) return COSMA_LAYING;
      continue;
    }
    laid now = stack[depth];
    if (!clear_for(l, from, depth, &now)) continue;
    if (depth + 1 == l->item_count) {
      cosma_laying got = finish(l, from, now.out, now.cost);
      if (got != COSMA_LAYING) return got;
      continue;
    }
    now.items = l->item_count;
    stack[++depth] = now;
  }
}

static bool may_run(const cosma_layout *l, const cosma_layout_state *from) {
  if (has(from->done, l->op) || (l->given_order && l->op != l->depth)) return false;
  for (uint32_t w = l->m->waits.begin[l->op]; w < l->m->waits.begin[l->op + 1]; w++)
    if (!has(from->done, l->m->waits.entries[w])) return false;
  uint32_t passing = l->m->passing.begin[l->op + 1] - l->m->passing.begin[l->op];
  return passing < 64; /* more than stack has room for are of no model */
}

/* ---- layers ---------------------------------------------------------------------------------------------------------- */

/* All have run, so nothing is alive: there is one state, the cheapest, or none. */
static cosma_laying end(cosma_layout *l) {
  if (l->now_count) {
    l->found = l->now[0].record;
    l->found_cost = l->now[0].cost;
  }
  return COSMA_LAID;
}

static cosma_laying next_layer(cosma_layout *l) {
  cosma_layout_state *emptied = l->now;
  size_t room = l->now_room;
  memset(l->slots, 0xff, l->slot_room * sizeof *l->slots);
  l->now = l->next, l->now_count = l->next_count, l->now_room = l->next_room;
  l->next = emptied, l->next_count = 0, l->next_room = room;
  l->state = 0;
  l->op = 0;
  l->depth++;
  return l->now_count == 0 || l->depth == l->m->op_count ? end(l) : COSMA_LAID_LAYER;
}

cosma_laying asci_cosma_layout_step(cosma_layout *l) {
  while (l->state < l->now_count) {
    if (l->op == l->m->op_count) {
      l->op = 0;
      l->state++;
      continue;
    }
    const cosma_layout_state from = l->now[l->state];
    cosma_laying got = COSMA_LAYING;
    bool runs = may_run(l, &from);
    if (runs) {
      gather(l, &from);
      got = lay(l, &from);
    }
    l->op++;
    if (runs) return got;
  }
  return next_layer(l);
}

/* ---- what it came to ------------------------------------------------------------------------------------------------- */

static uint32_t end_of(const cosma_layout *l, uint32_t record, bool places) {
  if (record + 1 < l->record_count) return places ? l->records[record + 1].places : l->records[record + 1].evicted;
  return (uint32_t)(places ? l->place_count : l->evicted_count);
}

bool asci_cosma_layout_moves(const cosma_layout *l) {
  const cosma_model *m = l->m;
  /* from the last operator back: what is taken out right before it though it reads it and the one before names it, and was not taken out sooner */
  uint64_t moved = 0;
  for (uint32_t r = l->found; r != ASC_NONE && l->records[r].parent != ASC_NONE; r = l->records[r].parent) {
    uint32_t op = l->records[r].op, before = l->records[l->records[r].parent].op;
    uint64_t out = 0;
    for (uint32_t k = l->records[r].evicted; k < end_of(l, r, false); k++) out |= UINT64_C(1) << l->evicted[k];
    moved &= ~out;
    moved |= out & named(&m->reads, op) & (named(&m->reads, before) | named(&m->makes, before));
  }
  for (uint32_t v = 0; v < m->value_count; v++)
    if (has(moved, v) && !m->values[v].copied) return true;
  return false;
}

asc_status asci_cosma_layout_take(const cosma_layout *l, cosma_solution *solution, asci_stay_list *stays) {
  const cosma_model *m = l->m;
  uint32_t count = m->op_count, total = 0;
  for (uint32_t r = l->found; r != ASC_NONE; r = l->records[r].parent) total += end_of(l, r, false) - l->records[r].evicted;
  if (!asci_grow(m->context, &solution->evicted, &solution->evicted_room, total, sizeof *solution->evicted))
    return ASC_OUT_OF_MEMORY;
  solution->evict_begin[count] = total;
  for (uint32_t r = l->found; r != ASC_NONE; r = l->records[r].parent) {
    solution->order[--count] = l->records[r].op;
    for (uint32_t k = end_of(l, r, false); k-- > l->records[r].evicted;) solution->evicted[--total] = l->evicted[k];
    solution->evict_begin[count] = total;
  }
  solution->cost = l->found_cost;
  stays->count = 0;
  asc_status status = asci_cosma_stays(m, solution, stays);
  for (uint32_t r = l->found; r != ASC_NONE && !status; r = l->records[r].parent)
    asci_cosma_give_places(l->places + l->records[r].places, end_of(l, r, true) - l->records[r].places, stays);
  return status;
}
