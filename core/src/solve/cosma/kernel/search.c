#include "search.h"

#include "base/arrays.h"
#include "base/hash.h"
#include "base/sort.h"

#include <string.h>

static inline uint32_t lowest(uint64_t word) {
  return (uint32_t)__builtin_ctzll(word);
}

static const asci_array arrays[] = {
    ASCI_OWN(cosma_search, table.slots),
    ASCI_OWN(cosma_search, records),
    ASCI_OWN(cosma_search, evicted),
};

bool asci_cosma_search_new(cosma_model *m, size_t most_bytes, cosma_search *s) {
  *s = (cosma_search){.m = m, .most_bytes = most_bytes};
  size_t set = (m->op_words + m->value_words) * sizeof *s->done;
  s->part = asci_arena_alloc(m->context, &m->arena, m->op_count * sizeof *s->part);
  s->ready = asci_arena_alloc(m->context, &m->arena, m->op_count * sizeof *s->ready);
  s->done = asci_arena_alloc(m->context, &m->arena, set);
  s->alive = asci_arena_alloc(m->context, &m->arena, set);
  s->resident = asci_arena_alloc(m->context, &m->arena, set);
  s->clean = asci_arena_alloc(m->context, &m->arena, set);
  s->claimed = asci_arena_alloc(m->context, &m->arena, set);
  return s->claimed && s->part && s->ready && s->done && s->alive && s->resident && s->clean &&
         asci_cosma_evict_new(m, &s->evict);
}

void asci_cosma_search_free(cosma_search *s) {
  if (!s->m) return;
  asci_cosma_layer_free(s->m, &s->now);
  asci_cosma_layer_free(s->m, &s->next);
  asci_arrays_free(s->m->context, ASCI_TABLE(arrays), s);
  *s = (cosma_search){0};
}

size_t asci_cosma_search_bytes(const cosma_search *s) {
  return asci_cosma_layer_bytes(s->m, &s->now) + asci_cosma_layer_bytes(s->m, &s->next) +
         s->record_count * sizeof *s->records + s->evicted_count * sizeof *s->evicted +
         s->table.room * sizeof *s->table.slots;
}

/* ---- the first layer ------------------------------------------------------------------------------------------------- */

static void empty(cosma_search *s, cosma_layer *l) {
  for (uint32_t node = 0; node < l->node_count; node++) s->table.slots[l->nodes[node].slot] = ASC_NONE;
  l->node_count = l->state_count = l->kept = 0;
}

static void set_parts(cosma_search *s) {
  for (uint32_t k = 0; k < s->m->op_count; k++) {
    if (s->pass.order)
      s->part[s->pass.order[k]] = s->pass.part[k];
    else
      s->part[k] = 0;
  }
}

static bool add_first(cosma_search *s) {
  const cosma_model *m = s->m;
  cosma_layer *l = &s->now;
  if (!asci_cosma_layer_grow(m, l)) return false;
  l->nodes[0] = (cosma_node){.hash = ASCI_HASH_SEED};
  l->states[0] = (cosma_state){.next = ASC_NONE, .record = ASC_NONE};
  memset(cosma_done(m, l, 0), 0, cosma_node_words(m) * sizeof *l->sets);
  memset(cosma_resident(m, l, 0), 0, 2 * m->value_words * sizeof *l->bits);
  for (uint32_t op = 0; op < m->op_count; op++)
    if (m->waits.begin[op] == m->waits.begin[op + 1]) cosma_put(cosma_ready(m, l, 0), op);
  l->node_count = l->state_count = l->kept = 1;
  return true;
}

bool asci_cosma_search_begin(cosma_search *s, const cosma_pass *pass) {
  s->pass = *pass;
  empty(s, &s->next);
  s->now.node_count = s->now.state_count = 0;
  s->record_count = s->evicted_count = 0;
  s->depth = s->state = s->ready_count = s->widest = 0;
  s->expanding = s->choosing = s->truncated = false;
  s->found = ASC_NONE;
  s->found_cost = s->bound = 0;
  s->reached = s->dominated = s->pruned = s->kept = 0;
  set_parts(s);
  return asci_cosma_table_grow(s->m, &s->table, &s->next) && add_first(s);
}

/* ---- what a state can go on with ------------------------------------------------------------------------------------- */

/* Whether nobody reads the value after op. */
static bool dies(const cosma_search *s, const uint64_t *done, uint32_t value, uint32_t op) {
  const cosma_rows *readers = &s->m->readers;
  for (uint32_t r = readers->begin[value]; r < readers->begin[value + 1]; r++)
    if (readers->entries[r] != op && !cosma_has(done, readers->entries[r])) return false;
  return true;
}

static bool is_read(const cosma_model *m, uint32_t value) {
  return m->readers.begin[value] != m->readers.begin[value + 1];
}

typedef struct change {
  int64_t others;            /* bytes resident that the operator does not name */
  int64_t dying, made, held; /* sizes: of what it reads last; of what it makes for others; resident after it */
  int64_t remake;            /* most that taking out all that it makes would cost */
  int64_t least;             /* least cost of taking out one of the dying */
  bool loads;                /* something that it reads is not resident */
} change;

static change look(const cosma_search *s, uint32_t op) {
  const cosma_model *m = s->m;
  const cosma_state *state = &s->now.states[s->state];
  const uint64_t *done = cosma_done(m, &s->now, state->node), *resident = cosma_resident(m, &s->now, s->state);
  change c = {.others = state->held, .least = INT64_MAX};
  int64_t read = 0;
  for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
    uint32_t value = m->reads.entries[r];
    read += m->values[value].size;
    if (cosma_has(resident, value))
      c.others -= m->values[value].size;
    else
      c.loads = true;
    if (!dies(s, done, value, op)) continue;
    int64_t cost = cosma_evict_cost(m, value, cosma_has(cosma_clean(m, &s->now, s->state), value));
    if (cost < c.least) c.least = cost;
    c.dying += m->values[value].size;
  }
  for (uint32_t k = m->makes.begin[op]; k < m->makes.begin[op + 1]; k++) {
    uint32_t value = m->makes.entries[k];
    if (!is_read(m, value)) continue;
    c.made += m->values[value].size;
    c.remake += 2 * m->values[value].bytes;
  }
  c.held = c.others + read - c.dying + c.made;
  return c;
}

/* Whether some best plan goes on with this operator, so that the state needs no other (README 4). Of the peak: Liu's rule. */
static bool is_safe(const cosma_search *s, uint32_t op) {
  const cosma_state *state = &s->now.states[s->state];
  change c = look(s, op);
  int64_t total = c.others + s->m->need[op];
  if (s->pass.peak) return total <= (state->cost > s->m->required ? state->cost : s->m->required) && c.held <= state->held;
  if (c.loads || total > s->pass.capacity) return false;
  return c.made == 0 || (c.made <= c.dying && c.remake <= c.least);
}

/* By numbers that the seed draws. */
static void shuffle(uint32_t *ops, uint32_t count, uint64_t seed) {
  for (uint32_t k = 1; k < count; k++) {
    uint32_t op = ops[k], to = k;
    for (; to > 0 && asci_fold(seed, ops[to - 1]) > asci_fold(seed, op); to--) ops[to] = ops[to - 1];
    ops[to] = op;
  }
}

static void expand(cosma_search *s) {
  const cosma_model *m = s->m;
  uint32_t node = s->now.states[s->state].node, part = s->pass.order ? s->pass.part[s->depth] : 0;
  const uint64_t *ready = cosma_ready(m, &s->now, node);
  s->ready_count = 0;
  for (size_t w = m->op_words; w-- > 0;)
    for (uint64_t word = ready[w]; word;) {
      uint32_t bit = 63 - (uint32_t)__builtin_clzll(word), op = (uint32_t)w * 64 + bit;
      word &= ~(UINT64_C(1) << bit);
      if (s->part[op] == part) s->ready[s->ready_count++] = op;
    }
  if (s->pass.seed) shuffle(s->ready, s->ready_count, s->pass.seed);
  s->expanding = true;
  s->forced = false;
  for (uint32_t k = s->ready_count; k-- > 0 && s->ready_count > 1;) {
    if (!is_safe(s, s->ready[k])) continue;
    s->ready[0] = s->ready[k];
    s->ready_count = 1;
    s->forced = true;
  }
}

/* What a plan through the state under way comes to at least. */
static int64_t least_of(const cosma_search *s, int64_t cost, const uint64_t *resident, const uint64_t *clean) {
  return s->pass.landmarks ? cost + asci_cosma_ahead(s->pass.landmarks, s->done, s->alive, resident, clean) : cost;
}

/* ---- a transition ---------------------------------------------------------------------------------------------------- */

/* An input that nobody has read comes for the first time, which is not counted; it has a copy outside if its model says so. */
static bool is_clean_once_loaded(const cosma_search *s, uint32_t value, const uint64_t *done) {
  const cosma_rows *readers = &s->m->readers;
  if (s->m->values[value].maker != ASC_NONE || s->m->values[value].copied) return true;
  for (uint32_t r = readers->begin[value]; r < readers->begin[value + 1]; r++)
    if (cosma_has(done, readers->entries[r])) return true;
  return false;
}

static void run_reads(cosma_search *s, uint32_t op, const uint64_t *done) {
  const cosma_model *m = s->m;
  for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
    uint32_t value = m->reads.entries[r];
    if (dies(s, done, value, op)) {
      cosma_drop(s->alive, value);
      cosma_drop(s->resident, value);
      cosma_drop(s->clean, value);
    } else {
      if (!cosma_has(s->resident, value) && is_clean_once_loaded(s, value, done)) cosma_put(s->clean, value);
      cosma_put(s->alive, value);
      cosma_put(s->resident, value);
    }
  }
}

static void run_makes(cosma_search *s, uint32_t op) {
  const cosma_model *m = s->m;
  for (uint32_t k = m->makes.begin[op]; k < m->makes.begin[op + 1]; k++) {
    uint32_t value = m->makes.entries[k];
    if (!is_read(m, value)) continue;
    cosma_put(s->alive, value);
    cosma_put(s->resident, value);
    if (m->values[value].copied) cosma_put(s->clean, value);
  }
}

/* Candidates to be taken out: what is resident and the operator does not name. */
static void gather_others(cosma_search *s, uint32_t op) {
  const cosma_model *m = s->m;
  const cosma_node *node = &s->now.nodes[s->now.states[s->state].node];
  const uint64_t *resident = cosma_resident(m, &s->now, s->state), *clean = cosma_clean(m, &s->now, s->state);
  s->evict.count = 0;
  asci_cosma_claimed(s->pass.landmarks, s->done, s->claimed);
  for (uint32_t w = node->low; w < node->high; w++) {
    uint64_t word = resident[w];
    for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++)
      if (m->reads.entries[r] / 64 == w) word &= ~(UINT64_C(1) << m->reads.entries[r] % 64);
    for (; word; word &= word - 1) {
      uint32_t value = w * 64 + lowest(word);
      int64_t cost = cosma_evict_cost(m, value, clean[w] >> lowest(word) & 1);
      bool earns = s->claimed[w] >> lowest(word) & 1;
      s->evict.items[s->evict.count++] =
          (cosma_candidate){.size = m->values[value].size, .cost = cost, .lost = earns ? 0 : cost, .value = value};
    }
  }
}

/* Begins the transition by op. False: it cannot be, or costs too much. */
static bool begin_transition(cosma_search *s, uint32_t op) {
  const cosma_model *m = s->m;
  const cosma_state *state = &s->now.states[s->state];
  const uint64_t *done = cosma_done(m, &s->now, state->node);
  change c = look(s, op);
  int64_t total = c.others + m->need[op];
  s->op = op;
  s->cost = s->pass.peak && total > state->cost ? total : state->cost;
  if (s->cost >= s->pass.upper) return false;
  s->held = c.held;
  s->hash = s->now.nodes[state->node].hash ^ asci_fold(ASCI_HASH_SEED, op + UINT64_C(1));
  memcpy(s->done, done, m->op_words * sizeof *done);
  cosma_put(s->done, op);
  memcpy(s->alive, cosma_alive(m, &s->now, state->node), m->value_words * sizeof *done);
  memcpy(s->resident, cosma_resident(m, &s->now, s->state), m->value_words * sizeof *done);
  memcpy(s->clean, cosma_clean(m, &s->now, s->state), m->value_words * sizeof *done);
  run_reads(s, op, done);
  run_makes(s, op);
  s->evict.depth = 0;
  s->least = least_of(s, s->cost, s->resident, s->clean);
  if (s->least >= s->pass.upper) return false;
  s->choosing = !s->pass.peak && total > s->pass.capacity;
  if (!s->choosing) return true;
  gather_others(s, op);
  s->evict.target = total - s->pass.capacity;
  s->evict.most_cost = s->pass.upper - s->cost;
  s->evict.most_lost = s->pass.upper - s->least;
  s->evict.seed = s->pass.seed;
  asci_cosma_evict_begin(&s->evict, m, done);
  return true;
}

/* ---- a state of the next layer --------------------------------------------------------------------------------------- */

static bool all_ran(const cosma_model *m, uint32_t op, const uint64_t *done) {
  for (uint32_t w = m->waits.begin[op]; w < m->waits.begin[op + 1]; w++)
    if (!cosma_has(done, m->waits.entries[w])) return false;
  return true;
}

static void set_range(const cosma_model *m, cosma_node *node, const uint64_t *alive) {
  uint32_t low = 0, high = (uint32_t)m->value_words;
  while (low < high && !alive[low]) low++;
  while (high > low && !alive[high - 1]) high--;
  node->low = low;
  node->high = high;
}

/* The node of s->done, made if need be; ASC_NONE: no memory. There is room for it and one more state afterwards. */
static uint32_t find_node(cosma_search *s) {
  const cosma_model *m = s->m;
  cosma_layer *l = &s->next;
  uint32_t slot;
  if (!asci_cosma_layer_grow(m, l) || !asci_cosma_table_grow(m, &s->table, l)) return ASC_NONE;
  uint32_t node = asci_cosma_table_find(m, &s->table, l, s->done, s->hash, &slot);
  if (node != ASC_NONE) return node;
  node = (uint32_t)l->node_count++;
  s->table.slots[slot] = node;
  l->nodes[node] = (cosma_node){.hash = s->hash, .first = ASC_NONE, .slot = slot};
  uint64_t *ready = cosma_ready(m, l, node);
  memcpy(cosma_done(m, l, node), s->done, m->op_words * sizeof *ready);
  memcpy(ready, cosma_ready(m, &s->now, s->now.states[s->state].node), m->op_words * sizeof *ready);
  memcpy(cosma_alive(m, l, node), s->alive, m->value_words * sizeof *ready);
  cosma_drop(ready, s->op);
  for (uint32_t a = m->after.begin[s->op]; a < m->after.begin[s->op + 1]; a++)
    if (all_ran(m, m->after.entries[a], s->done)) cosma_put(ready, m->after.entries[a]);
  set_range(m, &l->nodes[node], s->alive);
  return node;
}

static bool add_record(cosma_search *s) {
  asc_context *context = s->m->context;
  if (!asci_grow(context, &s->records, &s->record_room, s->record_count + 1, sizeof *s->records) ||
      !asci_grow(context, &s->evicted, &s->evicted_room, s->evicted_count + s->evict.depth, sizeof *s->evicted))
    return false;
  s->records[s->record_count++] = (cosma_record){s->now.states[s->state].record, s->op, (uint32_t)s->evicted_count};
  for (uint32_t k = 0; k < s->evict.depth; k++) s->evicted[s->evicted_count++] = s->evict.items[s->evict.chosen[k]].value;
  return true;
}

/* The state that the transition comes to, not counted yet, at the end of the next layer. */
static uint32_t write_state(cosma_search *s, uint32_t node) {
  const cosma_model *m = s->m;
  cosma_layer *l = &s->next;
  uint32_t state = (uint32_t)l->state_count;
  l->states[state] = (cosma_state){.cost = s->cost, .held = s->held, .node = node};
  uint64_t *resident = cosma_resident(m, l, state), *clean = cosma_clean(m, l, state);
  memcpy(resident, s->resident, m->value_words * sizeof *resident);
  memcpy(clean, s->clean, m->value_words * sizeof *clean);
  for (uint32_t k = 0; k < s->evict.depth; k++) {
    const cosma_candidate *item = &s->evict.items[s->evict.chosen[k]];
    cosma_drop(resident, item->value);
    cosma_drop(clean, item->value);
    l->states[state].cost += item->cost;
    l->states[state].held -= item->size;
  }
  l->states[state].least = s->evict.depth ? least_of(s, l->states[state].cost, resident, clean) : s->least;
  return state;
}

/* Enters the state among those of its node unless one of them makes it superfluous; drops those that it does. */
static bool enter_state(cosma_search *s, uint32_t state) {
  cosma_layer *l = &s->next;
  cosma_state *mine = &l->states[state];
  cosma_node *node = &l->nodes[mine->node];
  uint32_t *link = &node->first;
  for (; *link != ASC_NONE && l->states[*link].cost <= mine->cost; link = &l->states[*link].next)
    if (asci_cosma_dominates(s->m, l, node, *link, state)) return false;
  mine->next = *link;
  *link = state;
  for (link = &mine->next; *link != ASC_NONE;) {
    cosma_state *other = &l->states[*link];
    if (asci_cosma_dominates(s->m, l, node, state, *link)) {
      other->dropped = true;
      s->dominated++;
      l->kept--;
      *link = other->next;
    } else
      link = &other->next;
  }
  return true;
}

static bool has_room(const cosma_search *s) {
  return (!s->most_bytes || asci_cosma_search_bytes(s) < s->most_bytes) && s->record_count < ASC_NONE - 1 &&
         s->evicted_count + s->evict.depth < ASC_NONE;
}

static cosma_step full(cosma_search *s) {
  s->truncated = true;
  return COSMA_FULL;
}

static cosma_step reach(cosma_search *s) {
  uint32_t node = has_room(s) ? find_node(s) : ASC_NONE;
  if (node == ASC_NONE) return full(s);
  uint32_t state = write_state(s, node);
  s->reached++;
  if (s->next.states[state].least >= s->pass.upper) {
    s->pruned++;
    return COSMA_PRUNED;
  }
  if (!enter_state(s, state)) {
    s->dominated++;
    return COSMA_DOMINATED;
  }
  s->next.states[state].record = (uint32_t)s->record_count;
  s->next.state_count++;
  s->next.kept++;
  return add_record(s) ? COSMA_KEPT : full(s);
}

/* ---- layers ---------------------------------------------------------------------------------------------------------- */

static bool comes_first(const void *keys, uint32_t a, uint32_t b) {
  const cosma_state *states = keys;
  if (states[a].least != states[b].least) return states[a].least < states[b].least;
  return states[a].held < states[b].held;
}

/* Keeps the `width` best of the new layer: what may come to the least first, of those what leaves the most room. */
static bool narrow(cosma_search *s) {
  cosma_layer *l = &s->next;
  if (!s->pass.width || l->kept <= s->pass.width) return true;
  uint32_t *items = asci_alloc(s->m->context, 2 * (size_t)l->kept, sizeof *items), count = 0;
  if (!items) return false;
  for (uint32_t k = 0; k < l->state_count; k++)
    if (!l->states[k].dropped) items[count++] = k;
  asci_sort(items, items + count, count, comes_first, l->states);
  for (uint32_t k = s->pass.width; k < count; k++) l->states[items[k]].dropped = true;
  l->kept = s->pass.width;
  s->truncated = true;
  asci_free(s->m->context, items);
  return true;
}

/* No plan that is left costs less than what is left of the layer. */
static void raise_bound(cosma_search *s) {
  int64_t least = s->pass.upper;
  for (uint32_t k = 0; k < s->now.state_count; k++)
    if (!s->now.states[k].dropped && s->now.states[k].least < least) least = s->now.states[k].least;
  if (least > s->bound) s->bound = least;
}

/* All have run, so nothing is alive: of the states, which are of one set, the cheapest has made all others superfluous. */
static cosma_step finish(cosma_search *s) {
  for (uint32_t k = 0; k < s->now.state_count; k++) {
    if (s->now.states[k].dropped) continue;
    s->found = s->now.states[k].record;
    s->found_cost = s->now.states[k].cost;
  }
  return COSMA_END;
}

static cosma_step next_layer(cosma_search *s) {
  if (s->depth == s->m->op_count) return finish(s);
  if (s->next.kept == 0) {
    if (!s->truncated) s->bound = s->pass.upper;
    return COSMA_END;
  }
  if (!narrow(s)) return full(s);
  cosma_layer emptied = s->now;
  s->now = s->next;
  for (uint32_t node = 0; node < s->now.node_count; node++) s->table.slots[s->now.nodes[node].slot] = ASC_NONE;
  emptied.node_count = emptied.state_count = emptied.kept = 0;
  s->next = emptied;
  s->depth++;
  s->state = 0;
  s->kept += s->now.kept;
  if (s->now.kept > s->widest) s->widest = s->now.kept;
  if (!s->truncated) raise_bound(s);
  return COSMA_LAYER;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

enum { FUEL = 4096 }; /* candidates looked at in one step */

/* Begins the next transition of the layer; false: there is none left. */
static bool next_transition(cosma_search *s, bool *begun) {
  for (; s->state < s->now.state_count && s->depth < s->m->op_count; s->state++, s->expanding = false) {
    if (s->now.states[s->state].dropped) continue;
    if (!s->expanding) expand(s);
    if (!s->ready_count) continue;
    *begun = begin_transition(s, s->ready[--s->ready_count]);
    return true;
  }
  return false;
}

cosma_step asci_cosma_search_step(cosma_search *s) {
  for (uint32_t fuel = FUEL;;) {
    bool begun = true, found = false;
    if (s->choosing) {
      s->choosing = asci_cosma_evict_next(&s->evict, &fuel, &found);
      if (s->choosing) return found ? reach(s) : COSMA_PRUNED;
    }
    if (!next_transition(s, &begun)) return next_layer(s);
    if (!begun) {
      s->pruned++;
      return COSMA_PRUNED;
    }
    if (!s->choosing) return reach(s);
  }
}

/* ---- trails ---------------------------------------------------------------------------------------------------------- */

const uint32_t *asci_cosma_evicted(const cosma_search *s, uint32_t record, uint32_t *count) {
  uint32_t begin = s->records[record].evict_begin;
  uint32_t end = record + 1 < s->record_count ? s->records[record + 1].evict_begin : (uint32_t)s->evicted_count;
  *count = end - begin;
  return *count ? s->evicted + begin : NULL; /* there may be no list at all */
}
