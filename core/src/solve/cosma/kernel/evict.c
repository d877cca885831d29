#include "evict.h"

#include "base/hash.h"

bool asci_cosma_evict_new(cosma_model *m, cosma_evict *e) {
  size_t n = (size_t)m->value_count + 1;
  *e = (cosma_evict){0};
  e->items = asci_arena_alloc(m->context, &m->arena, n * sizeof *e->items);
  e->rest = asci_arena_alloc(m->context, &m->arena, n * sizeof *e->rest);
  e->chosen = asci_arena_alloc(m->context, &m->arena, n * sizeof *e->chosen);
  return e->items && e->rest && e->chosen;
}

/* ---- interchangeable values ------------------------------------------------------------------------------------------ */

/* A value that can be written over is like no other. */
static uint64_t key_of(const cosma_model *m, uint32_t value, const uint64_t *done, uint64_t seed) {
  uint64_t key = m->values[value].under == ASC_NONE ? ASCI_HASH_SEED ^ seed : asci_fold(ASCI_HASH_SEED ^ seed, value);
  for (uint32_t r = m->readers.begin[value]; r < m->readers.begin[value + 1]; r++)
    if (!cosma_has(done, m->readers.entries[r])) key = asci_fold(key, m->readers.entries[r]);
  return key;
}

static uint32_t next_reader(const cosma_model *m, uint32_t value, const uint64_t *done, uint32_t r) {
  while (r < m->readers.begin[value + 1] && cosma_has(done, m->readers.entries[r])) r++;
  return r;
}

static bool same_readers(const cosma_model *m, uint32_t a, uint32_t b, const uint64_t *done) {
  for (uint32_t r = m->readers.begin[a], q = m->readers.begin[b];; r++, q++) {
    r = next_reader(m, a, done, r);
    q = next_reader(m, b, done, q);
    bool ended = r == m->readers.begin[a + 1];
    if (ended != (q == m->readers.begin[b + 1])) return false;
    if (ended) return true;
    if (m->readers.entries[r] != m->readers.entries[q]) return false;
  }
}

/* Whoever has the one may as well have the other: which of them is out makes no difference. */
static bool interchangeable(const cosma_model *m, const cosma_candidate *a, const cosma_candidate *b, const uint64_t *done) {
  return a->size == b->size && a->cost == b->cost && a->lost == b->lost && a->key == b->key &&
         m->values[a->value].under == ASC_NONE && m->values[b->value].under == ASC_NONE &&
         m->values[a->value].bytes == m->values[b->value].bytes && same_readers(m, a->value, b->value, done);
}

static bool before(const cosma_candidate *a, const cosma_candidate *b) {
  if (a->size != b->size) return a->size > b->size;
  if (a->cost != b->cost) return a->cost < b->cost;
  if (a->lost != b->lost) return a->lost < b->lost;
  if (a->key != b->key) return a->key < b->key;
  return a->value < b->value;
}

void asci_cosma_evict_begin(cosma_evict *e, const cosma_model *m, const uint64_t *done) {
  for (uint32_t k = 0; k < e->count; k++) {
    cosma_candidate item = e->items[k];
    item.key = key_of(m, item.value, done, e->seed);
    uint32_t to = k;
    for (; to > 0 && before(&item, &e->items[to - 1]); to--) e->items[to] = e->items[to - 1];
    e->items[to] = item;
  }
  e->rest[e->count] = 0;
  for (uint32_t k = e->count; k-- > 0;) {
    bool same = k + 1 < e->count && interchangeable(m, &e->items[k], &e->items[k + 1], done);
    e->items[k].skip = same ? e->items[k + 1].skip : k + 1;
    e->rest[k] = e->rest[k + 1] + e->items[k].size;
  }
  e->depth = e->at = 0;
  e->sum = e->cost = e->lost = 0;
}

/* ---- sets ------------------------------------------------------------------------------------------------------------ */

/* Leaves the last candidate out, and with it those that could stand for it. */
static void leave_out(cosma_evict *e) {
  const cosma_candidate *last = &e->items[e->chosen[--e->depth]];
  e->sum -= last->size;
  e->cost -= last->cost;
  e->lost -= last->lost;
  e->at = last->skip;
}

/* Largest first, the last of a set is its smallest: if the others did not free enough, nothing can be left out. */
bool asci_cosma_evict_next(cosma_evict *e, uint32_t *fuel, bool *found) {
  *found = false;
  if (e->sum >= e->target) leave_out(e);
  for (; *fuel > 0; --*fuel) {
    if (e->sum + e->rest[e->at] < e->target) {
      if (e->depth == 0) return false;
      leave_out(e);
      continue;
    }
    const cosma_candidate *item = &e->items[e->at];
    if (e->cost + item->cost >= e->most_cost || e->lost + item->lost >= e->most_lost) {
      e->at = item->skip; /* smaller ones may cost less */
      continue;
    }
    e->chosen[e->depth++] = e->at++;
    e->sum += item->size;
    e->cost += item->cost;
    e->lost += item->lost;
    if (e->sum >= e->target) {
      *found = true;
      return true;
    }
  }
  return true;
}
