#include "replace.h"

#include "base/arrays.h"
#include "model/bank.h"

#include <string.h>

/* ---- the arena ------------------------------------------------------------------------------------------------------- */

/* The lowest address at which so many bytes are free, or ASC_UNPLACED. */
static int64_t first_fit(const cosma_replace *r, int64_t size, int64_t alignment) {
  int64_t top = 0;
  for (size_t k = 0; k < r->resident_count; k++) {
    if (asci_align(top, alignment) + size <= r->residents[k].offset) break;
    top = r->residents[k].offset + r->residents[k].size;
  }
  top = asci_align(top, alignment);
  return top + size <= r->capacity ? top : ASC_UNPLACED;
}

static bool put_in(cosma_replace *r, cosma_tenant mine) {
  if (!asci_grow(r->m->context, &r->residents, &r->resident_room, r->resident_count + 1, sizeof *r->residents)) return false;
  size_t to = r->resident_count++;
  for (; to > 0 && r->residents[to - 1].offset > mine.offset; to--) r->residents[to] = r->residents[to - 1];
  r->residents[to] = mine;
  return true;
}

static void leave_out(cosma_replace *r, size_t k) {
  r->resident_count--;
  memmove(r->residents + k, r->residents + k + 1, (r->resident_count - k) * sizeof *r->residents);
}

static cosma_tenant *find(cosma_replace *r, uint32_t value) {
  for (size_t k = 0; k < r->resident_count; k++)
    if (r->residents[k].value == value) return &r->residents[k];
  return NULL;
}

/* ---- what is written down -------------------------------------------------------------------------------------------- */

static bool add_move(cosma_replace *r, cosma_move_kind kind, uint32_t which) {
  if (!asci_grow(r->m->context, &r->moves, &r->move_room, r->move_count + 1, sizeof *r->moves)) return false;
  r->moves[r->move_count++] = (cosma_move){kind, which, r->done, (uint32_t)r->place_count};
  return true;
}

static bool add_place(cosma_replace *r, uint32_t item, int64_t offset) {
  if (!asci_grow(r->m->context, &r->places, &r->place_room, r->place_count + 1, sizeof *r->places)) return false;
  r->places[r->place_count++] = (cosma_place){item, r->done, offset};
  return true;
}

/* ---- taking out ------------------------------------------------------------------------------------------------------ */

/* The time at which the value is read next, this one included; its end for what nobody reads. */
static uint32_t next_use(const cosma_replace *r, uint32_t value, uint32_t from) {
  const cosma_rows *readers = &r->m->readers;
  uint32_t next = ASC_NONE;
  for (uint32_t k = readers->begin[value]; k < readers->begin[value + 1]; k++) {
    uint32_t use = r->at[readers->entries[k]];
    if (use >= from && use < next) next = use;
  }
  return next;
}

static bool take_out(cosma_replace *r, size_t k) {
  uint32_t value = r->residents[k].value;
  leave_out(r, k);
  if (!r->outside[value]) r->cost += r->m->values[value].bytes;
  r->outside[value] = true;
  return add_move(r, COSMA_GOES, value);
}

/* Belady's rule: the value that is read furthest ahead. False: nobody may go, or no memory. */
static bool take_furthest(cosma_replace *r, bool *memory) {
  size_t best = SIZE_MAX;
  for (size_t k = 0; k < r->resident_count; k++) {
    const cosma_tenant *mine = &r->residents[k];
    if (mine->pinned) continue;
    if (best == SIZE_MAX) {
      best = k;
      continue;
    }
    uint32_t use = next_use(r, mine->value, r->done), least = next_use(r, r->residents[best].value, r->done);
    if (use > least || (use == least && mine->size > r->residents[best].size)) best = k;
  }
  if (best == SIZE_MAX) return false;
  *memory = take_out(r, best);
  return *memory;
}

/* What clearing [at, at + size) costs, or ASC_UNPLACED if somebody there may not go. */
static int64_t cost_of(const cosma_replace *r, int64_t at, int64_t size) {
  int64_t cost = 0;
  for (size_t k = 0; k < r->resident_count; k++) {
    const cosma_tenant *other = &r->residents[k];
    if (other->offset >= at + size || at >= other->offset + other->size) continue;
    if (other->pinned) return ASC_UNPLACED;
    cost += cosma_evict_cost(r->m, other->value, r->outside[other->value]);
  }
  return cost;
}

static void try_window(const cosma_replace *r, int64_t at, int64_t size, int64_t *best, int64_t *least) {
  if (at + size > r->capacity) return;
  int64_t cost = cost_of(r, at, size);
  if (cost < 0 || (*least >= 0 && (cost > *least || (cost == *least && at >= *best)))) return;
  *best = at;
  *least = cost;
}

/* Windows begin where somebody ends, or end where somebody begins. Clears the cheapest, the lowest of these; ASC_UNPLACED: there is none. */
static int64_t clear_window(cosma_replace *r, int64_t size, int64_t alignment, bool *memory) {
  int64_t best = ASC_UNPLACED, least = -1;
  try_window(r, 0, size, &best, &least);
  for (size_t k = 0; k < r->resident_count; k++) {
    int64_t below = r->residents[k].offset - size;
    try_window(r, asci_align(r->residents[k].offset + r->residents[k].size, alignment), size, &best, &least);
    if (below >= 0) try_window(r, below - below % alignment, size, &best, &least);
  }
  for (size_t k = r->resident_count; best != ASC_UNPLACED && k-- > 0 && *memory;) {
    const cosma_tenant *other = &r->residents[k];
    if (other->offset < best + size && best < other->offset + other->size) *memory = take_out(r, k);
  }
  return best;
}

/* ---- one operator ---------------------------------------------------------------------------------------------------- */

static cosma_replacing place(cosma_replace *r, uint32_t value, uint32_t item, int64_t size) {
  int64_t alignment = asci_cosma_item_alignment(r->m->lowering, item);
  bool memory = true;
  int64_t offset = first_fit(r, size, alignment);
  if (offset == ASC_UNPLACED && r->policy == COSMA_GREEDY) offset = clear_window(r, size, alignment, &memory);
  while (offset == ASC_UNPLACED && r->policy == COSMA_BELADY && take_furthest(r, &memory))
    offset = first_fit(r, size, alignment);
  if (!memory) return COSMA_REPLACE_NO_MEMORY;
  if (offset == ASC_UNPLACED) return COSMA_STUCK;
  bool put = put_in(r, (cosma_tenant){value, item, offset, size, true}) && add_place(r, item, offset);
  return put ? COSMA_REPLACED : COSMA_REPLACE_NO_MEMORY;
}

static cosma_replacing place_value(cosma_replace *r, uint32_t value) {
  return place(r, value, r->m->values[value].item, r->m->values[value].size);
}

static cosma_replacing place_passing(cosma_replace *r, uint32_t op) {
  cosma_replacing got = COSMA_REPLACED;
  const cosma_rows *passing = &r->m->passing;
  for (uint32_t k = passing->begin[op]; k < passing->begin[op + 1] && got == COSMA_REPLACED; k++)
    got = place(r, ASC_NONE, passing->entries[k], asci_cosma_item_size(r->m->lowering, passing->entries[k]));
  return got;
}

/* All that the operator names and that is not there: what it reads, what it makes, what comes and goes with it. */
static cosma_replacing place_all(cosma_replace *r, uint32_t op) {
  const cosma_model *m = r->m;
  cosma_replacing got = COSMA_REPLACED;
  for (uint32_t k = m->reads.begin[op]; k < m->reads.begin[op + 1] && got == COSMA_REPLACED; k++)
    if (!find(r, m->reads.entries[k])) got = place_value(r, m->reads.entries[k]);
  for (uint32_t k = m->makes.begin[op]; k < m->makes.begin[op + 1] && got == COSMA_REPLACED; k++)
    if (m->values[m->makes.entries[k]].over == ASC_NONE) got = place_value(r, m->makes.entries[k]);
  return got == COSMA_REPLACED ? place_passing(r, op) : got;
}

static bool is_new(const cosma_replace *r, uint32_t item) {
  for (size_t k = r->before; k < r->place_count; k++)
    if (r->places[k].item == item) return true;
  return false;
}

/* What the operator names is in the way of itself: everything goes, and what it names comes back side by side. */
static cosma_replacing repack(cosma_replace *r, uint32_t op) {
  r->repacks++;
  for (size_t k = r->resident_count; k-- > 0;) {
    const cosma_tenant *mine = &r->residents[k];
    if (mine->value == ASC_NONE && !is_new(r, mine->item)) continue; /* always there */
    if (is_new(r, mine->item))
      leave_out(r, k); /* it has not come yet */
    else if (!take_out(r, k))
      return COSMA_REPLACE_NO_MEMORY;
  }
  r->place_count = r->before;
  return place_all(r, op);
}

static void pin(cosma_replace *r, uint32_t op) {
  for (uint32_t k = r->m->reads.begin[op]; k < r->m->reads.begin[op + 1]; k++) {
    cosma_tenant *mine = find(r, r->m->reads.entries[k]);
    if (mine) mine->pinned = true;
  }
}

/* Fetches what was there before; a first coming is not counted. */
static bool fetch_all(cosma_replace *r, uint32_t op) {
  bool room = true;
  for (uint32_t k = r->m->reads.begin[op]; k < r->m->reads.begin[op + 1] && room; k++) {
    uint32_t value = r->m->reads.entries[k];
    if (!is_new(r, r->m->values[value].item)) continue;
    if (r->seen[value]) {
      r->cost += r->m->values[value].bytes;
      room = add_move(r, COSMA_COMES, value);
    }
    r->seen[value] = true;
  }
  return room;
}

/* After the operator: what it makes is there, what came with it is not, and what nobody reads is forgotten. */
static void pass(cosma_replace *r, uint32_t op) {
  const cosma_model *m = r->m;
  for (uint32_t k = m->makes.begin[op]; k < m->makes.begin[op + 1]; k++) {
    uint32_t value = m->makes.entries[k];
    r->seen[value] = true;
    r->outside[value] = m->values[value].copied;
    cosma_tenant *under = m->values[value].over == ASC_NONE ? NULL : find(r, m->values[value].over);
    if (under) under->value = value;
  }
  for (size_t k = r->resident_count; k-- > 0;) {
    cosma_tenant *mine = &r->residents[k];
    bool always = mine->value == ASC_NONE && !is_new(r, mine->item);
    bool over = mine->value == ASC_NONE || next_use(r, mine->value, r->done + 1) == ASC_NONE;
    mine->pinned = always;
    if (!always && over) leave_out(r, k);
  }
}

/* What is always there lies at the bottom, from before the first operator on. */
static cosma_replacing place_lasting(cosma_replace *r) {
  const asci_lowered *l = &r->m->lowering->lowered;
  for (uint32_t t = 0; t < l->graph->tensor_count; t++) {
    if (!asci_cosma_is_lasting(l, t)) continue;
    int64_t size = asci_cosma_item_size(r->m->lowering, t),
            offset = first_fit(r, size, asci_cosma_item_alignment(r->m->lowering, t));
    if (offset == ASC_UNPLACED) return COSMA_STUCK; /* for what alignment leaves free, though its bytes would fit */
    if (!put_in(r, (cosma_tenant){ASC_NONE, t, offset, size, true}) || !add_place(r, t, offset))
      return COSMA_REPLACE_NO_MEMORY;
  }
  r->before = r->place_count;
  return COSMA_REPLACED;
}

cosma_replacing asci_cosma_replace_step(cosma_replace *r) {
  cosma_replacing got = r->done ? COSMA_REPLACED : place_lasting(r);
  if (got != COSMA_REPLACED) return got;
  uint32_t op = r->solution.order[r->done];
  size_t first = r->move_count;
  pin(r, op);
  got = place_all(r, op);
  if (got == COSMA_STUCK) got = repack(r, op);
  if (got != COSMA_REPLACED) return got;
  if (!fetch_all(r, op) || !add_move(r, COSMA_RUNS, op)) return COSMA_REPLACE_NO_MEMORY;
  pass(r, op);
  for (size_t k = first; k < r->move_count; k++)
    r->moves[k].places = (uint32_t)(r->moves[k].kind == COSMA_RUNS ? r->place_count : r->before);
  r->before = r->place_count;
  r->done++;
  return COSMA_REPLACED;
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

enum { PER_OP, PER_VALUE };
static const asci_array arrays[] = {
    ASCI_ARRAY(cosma_replace, solution.order, PER_OP, ASCI_RAW),
    ASCI_ARRAY(cosma_replace, at, PER_OP, ASCI_RAW),
    ASCI_ARRAY(cosma_replace, seen, PER_VALUE, ASCI_ZEROS),
    ASCI_ARRAY(cosma_replace, outside, PER_VALUE, ASCI_ZEROS),
    ASCI_OWN(cosma_replace, residents),
    ASCI_OWN(cosma_replace, moves),
    ASCI_OWN(cosma_replace, places),
};

asc_status asci_cosma_replace_new(const cosma_model *m, const uint32_t *order, cosma_policy policy, int64_t capacity,
                                  cosma_replace *r) {
  const size_t ops = m->op_count, values = m->value_count, counts[] = {ops, values};
  *r = (cosma_replace){.m = m, .policy = policy, .capacity = capacity};
  if (!asci_arrays_new(m->context, ASCI_TABLE(arrays), counts, r)) {
    asci_cosma_replace_free(r);
    return ASC_OUT_OF_MEMORY;
  }
  memcpy(r->solution.order, order, ops * sizeof *order);
  for (uint32_t k = 0; k < ops; k++) r->at[order[k]] = k;
  for (uint32_t v = 0; v < values; v++) r->outside[v] = m->values[v].maker == ASC_NONE && m->values[v].copied;
  return ASC_OK;
}

void asci_cosma_replace_free(cosma_replace *r) {
  if (!r->m) return;
  asci_arrays_free(r->m->context, ASCI_TABLE(arrays), r);
  *r = (cosma_replace){0};
}

/* ---- what was written down ------------------------------------------------------------------------------------------- */

void asci_cosma_replaced(const cosma_replace *r, size_t moves, uint32_t *begin, uint32_t *evicted) {
  uint32_t count = 0, time = 0, ops = r->m->op_count;
  begin[0] = 0;
  for (size_t k = 0; k < moves; k++) {
    while (time < r->moves[k].time) begin[++time] = count;
    if (r->moves[k].kind == COSMA_GOES) evicted[count++] = r->moves[k].which;
  }
  while (time < ops) begin[++time] = count;
}

/* Those of one time stand before its operator: the fetched values have their places before what it makes. */
void asci_cosma_replace_places(const cosma_replace *r, size_t moves, asci_stay_list *list) {
  size_t known = moves ? r->moves[moves - 1].places : 0;
  asci_cosma_give_places(r->places, known, list);
  for (size_t k = moves; k-- > 0 && r->moves[k].kind != COSMA_RUNS;) {
    if (r->moves[k].kind != COSMA_COMES) continue;
    for (size_t p = known; p < r->place_count && r->places[p].time == r->moves[k].time; p++)
      if (r->places[p].item == r->m->values[r->moves[k].which].item) asci_cosma_give_places(&r->places[p], 1, list);
  }
}
