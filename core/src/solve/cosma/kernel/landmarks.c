#include "landmarks.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "least_live.h"
#include "model/bank.h"

#include <string.h>

enum { MOST_OPS = 4096 };

/* Tentative landmarks: each operator at which too much is alive, with all its claims. */
typedef struct survey {
  cosma_landmarks *l;
  const cosma_model *m;
  int64_t capacity;
  uint64_t *behind; /* per operator: those that run before it in every order */
  int64_t *
      beside; /* per operator: bytes that are alive beside what it names, in the given order: whatever the order, the least is no more */
  uint32_t *last;  /* per value: its newest claim that is charged, ASC_NONE */
  uint32_t *owner; /* per claim that is kept: its landmark */
  uint32_t *older; /* and the charged claim before it of the same value */
  size_t owner_room, older_room;
  uint64_t *by_end; /* operators that have run once the next landmark has */
  cosma_live live;
  cosma_landmarks all;
} survey;

enum { PER_SET, PER_OP, PER_VALUE, PER_WORD };
static const asci_array of_survey[] = {
    ASCI_ARRAY(survey, behind, PER_SET, ASCI_ZEROS),
    ASCI_ARRAY(survey, last, PER_VALUE, ASCI_ONES),
    ASCI_ARRAY(survey, by_end, PER_WORD, ASCI_RAW),
    ASCI_ARRAY(survey, beside, PER_OP, ASCI_RAW),
    ASCI_OWN(survey, owner),
    ASCI_OWN(survey, older),
};
static const asci_array arrays[] = {
    ASCI_OWN(cosma_landmarks, marks),
    ASCI_OWN(cosma_landmarks, claims),
    ASCI_OWN(cosma_landmarks, before),
    ASCI_OWN(cosma_landmarks, claimed),
};

static const uint64_t *behind(const survey *s, uint32_t op) {
  return s->behind + op * s->m->op_words;
}

static void find_behind(survey *s) {
  const cosma_model *m = s->m;
  /* operators are in an order in which they may run */
  for (uint32_t op = 0; op < m->op_count; op++)
    for (uint32_t w = m->waits.begin[op]; w < m->waits.begin[op + 1]; w++) {
      uint32_t other = m->waits.entries[w];
      for (size_t k = 0; k < m->op_words; k++) s->behind[op * m->op_words + k] |= behind(s, other)[k];
      cosma_put(s->behind + op * m->op_words, other);
    }
}

static void find_beside(survey *s) {
  const cosma_model *m = s->m;
  int64_t live = 0;
  for (uint32_t op = 0; op < m->op_count; op++) {
    s->beside[op] = live;
    for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
      uint32_t value = m->reads.entries[r], first = m->readers.begin[value], last = m->readers.begin[value + 1] - 1;
      bool comes = m->values[value].maker == ASC_NONE && m->readers.entries[first] == op;
      if (!comes) s->beside[op] -= m->values[value].size;
      if (comes) live += m->values[value].size;
      if (m->readers.entries[last] == op) live -= m->values[value].size;
    }
    for (uint32_t k = m->makes.begin[op]; k < m->makes.begin[op + 1]; k++) {
      uint32_t value = m->makes.entries[k];
      if (m->readers.begin[value] < m->readers.begin[value + 1]) live += m->values[value].size;
    }
  }
}

/* ---- who is alive ---------------------------------------------------------------------------------------------------- */

/* Whether the operator does not name the value, and that is alive while the operator runs: has come by then and is read later (by whom of by_end,
   NULL: by whomever). In every order, or (in_some) in some. */
static bool is_alive(const survey *s, uint32_t value, uint32_t op, bool in_some, const uint64_t *by_end) {
  const cosma_model *m = s->m;
  uint32_t maker = m->values[value].maker, begin = m->readers.begin[value], end = m->readers.begin[value + 1];
  bool made = maker != ASC_NONE && cosma_has(behind(s, op), maker), read = false;
  if (maker == op || (maker != ASC_NONE && !made && (!in_some || cosma_has(behind(s, maker), op)))) return false;
  for (uint32_t r = begin; r < end; r++) {
    uint32_t reader = m->readers.entries[r];
    if (reader == op) return false;
    made |= cosma_has(behind(s, op), reader);
    if (by_end && !cosma_has(by_end, reader)) continue;
    read |= in_some ? !cosma_has(behind(s, op), reader) : cosma_has(behind(s, reader), op);
  }
  bool comes = in_some && (maker != ASC_NONE || end - begin > 1);
  return (made || comes) && read;
}

static bool add_claim(survey *s, uint32_t value, uint32_t op) {
  cosma_landmarks *all = &s->all;
  const cosma_model *m = s->m;
  asc_context *context = m->context;
  uint32_t readers = m->readers.begin[value + 1] - m->readers.begin[value];
  if (!asci_grow(context, &all->claims, &all->claim_room, all->claim_count + 1, sizeof *all->claims) ||
      !asci_grow(context, &all->before, &all->before_room, all->before_count + readers, sizeof *all->before))
    return false;
  cosma_claim *claim = &all->claims[all->claim_count++];
  const cosma_value *v = &m->values[value];
  *claim = (cosma_claim){
      v->size, value, v->maker, .before_begin = (uint32_t)all->before_count, .charged = true, .spills = !v->copied};
  for (uint32_t r = m->readers.begin[value]; r < m->readers.begin[value + 1]; r++)
    if (cosma_has(behind(s, op), m->readers.entries[r])) all->before[all->before_count++] = m->readers.entries[r];
  claim->before_end = (uint32_t)all->before_count;
  return true;
}

/* Sums of sizes are multiples of their greatest common divisor. */
static int64_t round_up(const survey *s, const cosma_landmark *mark) {
  int64_t unit = 0;
  for (uint32_t k = mark->begin; k < mark->end; k++) unit = cosma_gcd(s->all.claims[k].size, unit);
  return unit ? asci_align(mark->excess, unit) : mark->excess;
}

/* What it costs at least to free the excess: nothing first, then what costs once its size, then twice. A landmark whose excess is more than its
   claims have none: its operator runs in no plan. */
static int64_t cover(const cosma_landmark *mark, const int64_t freed[3]) {
  int64_t rest = mark->excess - freed[0];
  if (rest <= 0) return 0;
  if (rest < mark->smallest) rest = mark->smallest;
  return rest <= freed[1] ? rest : 2 * rest - freed[1];
}

/* While none of the claims has been made. */
static int64_t fresh_of(const survey *s, const cosma_landmark *mark) {
  int64_t freed[3] = {0};
  for (uint32_t k = mark->begin; k < mark->end; k++) {
    const cosma_claim *claim = &s->all.claims[k];
    freed[claim->charged + claim->spills] += claim->size;
  }
  return cover(mark, freed);
}

/* Of what is alive at the operator in every order, or in some, of which all orders have so many bytes at least. */
static bool add_mark(survey *s, uint32_t op, uint32_t until, bool in_some, int64_t live) {
  cosma_landmarks *all = &s->all;
  const cosma_model *m = s->m;
  cosma_landmark mark = {.op = op, .until = until, .smallest = INT64_MAX, .begin = (uint32_t)all->claim_count};
  mark.excess = m->need[op] + live - s->capacity;
  for (uint32_t v = 0; v < m->value_count; v++) {
    if (!is_alive(s, v, op, in_some, until == ASC_NONE ? NULL : s->by_end)) continue;
    if (!add_claim(s, v, op)) return false;
    if (m->values[v].size < mark.smallest) mark.smallest = m->values[v].size;
  }
  mark.end = (uint32_t)all->claim_count;
  if (!asci_grow(m->context, &all->marks, &all->room, all->count + 1, sizeof *all->marks)) return false;
  mark.excess = round_up(s, &mark);
  mark.fresh = fresh_of(s, &mark);
  all->marks[all->count++] = mark;
  return true;
}

/* What is alive in every order makes the narrower claims. */
static bool survey_op(survey *s, uint32_t op) {
  int64_t spare = s->capacity - s->m->need[op], live = 0;
  if (s->beside[op] <= spare) return true;
  for (uint32_t v = 0; v < s->m->value_count; v++)
    if (is_alive(s, v, op, false, NULL)) live += s->m->values[v].size;
  if (live > spare) return add_mark(s, op, ASC_NONE, false, live);
  live = asci_cosma_least_live(&s->live, op, NULL, s->behind);
  return live <= spare || add_mark(s, op, ASC_NONE, true, live);
}

/* The landmark that comes next after that of op in every order, or none: they are in the graph's order, in which nobody waits for a later one. */
static uint32_t next_mark(const survey *s, uint32_t op, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (cosma_has(behind(s, s->all.marks[k].op), op)) return s->all.marks[k].op;
  return ASC_NONE;
}

/* What has to come back between a landmark and the next one comes back for these two alone. */
static bool survey_gap(survey *s, uint32_t op, size_t count) {
  const cosma_model *m = s->m;
  uint32_t next = next_mark(s, op, count);
  if (next == ASC_NONE) return true;
  memcpy(s->by_end, behind(s, next), m->op_words * sizeof *s->by_end);
  cosma_put(s->by_end, next);
  int64_t live = asci_cosma_least_live(&s->live, op, s->by_end, s->behind);
  return live <= s->capacity - m->need[op] || add_mark(s, op, next, true, live);
}

/* ---- who pays for what ----------------------------------------------------------------------------------------------- */

/* Whether the first one's values are back, in every order, before the second one runs. */
static bool ends_before(const survey *s, const cosma_landmark *a, const cosma_landmark *b) {
  return a->until != ASC_NONE && (a->until == b->op || cosma_has(behind(s, b->op), a->until));
}

/* Whether the value comes back once for either, in every order: who is out at both has come back between them. */
static bool is_back_between(const survey *s, uint32_t value, const cosma_landmark *mark, const cosma_landmark *other) {
  const cosma_model *m = s->m;
  uint32_t a = mark->op, b = other->op;
  if (ends_before(s, mark, other) || ends_before(s, other, mark)) return true;
  for (uint32_t r = m->readers.begin[value]; r < m->readers.begin[value + 1]; r++) {
    uint32_t reader = m->readers.entries[r];
    if (cosma_has(behind(s, reader), a) && cosma_has(behind(s, b), reader)) return true;
    if (cosma_has(behind(s, reader), b) && cosma_has(behind(s, a), reader)) return true;
  }
  return false;
}

/* Each way back is charged to one landmark, a value's way out to the first that charges it. */
static void charge(survey *s, cosma_landmark *mark) {
  for (uint32_t k = mark->begin; k < mark->end; k++) {
    cosma_claim *claim = &s->all.claims[k];
    uint32_t other = s->last[claim->value];
    claim->spills = other == ASC_NONE && !s->m->values[claim->value].copied;
    for (; other != ASC_NONE && is_back_between(s, claim->value, mark, &s->l->marks[s->owner[other]]);
         other = s->older[other])
      ;
    claim->charged = other == ASC_NONE;
  }
  mark->fresh = fresh_of(s, mark);
}

static bool keep_landmark(survey *s, cosma_landmark mark) {
  cosma_landmarks *l = s->l, *all = &s->all;
  asc_context *context = s->m->context;
  size_t claims = l->claim_count + mark.end - mark.begin;
  size_t before = l->before_count;
  for (uint32_t k = mark.begin; k < mark.end; k++) before += all->claims[k].before_end - all->claims[k].before_begin;
  if (!asci_grow(context, &l->marks, &l->room, l->count + 1, sizeof *l->marks) ||
      !asci_grow(context, &l->claims, &l->claim_room, claims, sizeof *l->claims) ||
      !asci_grow(context, &l->before, &l->before_room, before, sizeof *l->before) ||
      !asci_grow(context, &l->claimed, &l->claimed_room, (l->count + 1) * s->m->value_words, sizeof *l->claimed) ||
      !asci_grow(context, &s->owner, &s->owner_room, claims, sizeof *s->owner) ||
      !asci_grow(context, &s->older, &s->older_room, claims, sizeof *s->older))
    return false;
  uint32_t begin = (uint32_t)l->claim_count;
  uint64_t *claimed = l->claimed + l->count * s->m->value_words;
  memset(claimed, 0, s->m->value_words * sizeof *claimed);
  for (uint32_t k = mark.begin; k < mark.end; k++) {
    cosma_claim claim = all->claims[k];
    uint32_t at = (uint32_t)l->claim_count++, first = (uint32_t)l->before_count;
    for (uint32_t r = claim.before_begin; r < claim.before_end; r++) l->before[l->before_count++] = all->before[r];
    claim.before_begin = first;
    claim.before_end = (uint32_t)l->before_count;
    l->claims[at] = claim;
    cosma_put(claimed, claim.value);
    s->owner[at] = (uint32_t)l->count;
    if (!claim.charged) continue;
    s->older[at] = s->last[claim.value];
    s->last[claim.value] = at;
  }
  mark.begin = begin;
  mark.end = (uint32_t)l->claim_count;
  l->marks[l->count++] = mark;
  return true;
}

static bool comes_first(const void *keys, uint32_t a, uint32_t b) {
  const cosma_landmark *marks = keys;
  if (marks[a].fresh != marks[b].fresh) return marks[a].fresh > marks[b].fresh;
  uint32_t claims_a = marks[a].end - marks[a].begin, claims_b = marks[b].end - marks[b].begin;
  if (claims_a != claims_b) return claims_a < claims_b;
  if (marks[a].op != marks[b].op) return marks[a].op < marks[b].op;
  return marks[a].until != ASC_NONE;
}

/* The dearest first, so that they are not left with what others have charged. */
static bool choose(survey *s) {
  uint32_t count = (uint32_t)s->all.count;
  uint32_t *items = asci_alloc(s->m->context, 2 * (size_t)count + 1, sizeof *items);
  bool room = items != NULL;
  for (uint32_t k = 0; k < count && room; k++) items[k] = k;
  if (room && count) asci_sort(items, items + count, count, comes_first, s->all.marks);
  for (uint32_t k = 0; k < count && room; k++) {
    cosma_landmark *mark = &s->all.marks[items[k]];
    charge(s, mark);
    if (mark->fresh > 0) room = keep_landmark(s, *mark);
  }
  asci_free(s->m->context, items);
  return room;
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static bool search_landmarks(survey *s) {
  const cosma_model *m = s->m;
  const size_t counts[] = {m->op_count * m->op_words, m->op_count, m->value_count, m->op_words};
  if (!asci_arrays_new(m->context, ASCI_TABLE(of_survey), counts, s) || asci_cosma_live_new(m, &s->live)) return false;
  find_behind(s);
  find_beside(s);
  for (uint32_t op = 0; op < m->op_count; op++)
    if (!survey_op(s, op)) return false;
  size_t count = s->all.count;
  for (size_t k = 0; k < count; k++)
    if (!survey_gap(s, s->all.marks[k].op, count)) return false;
  return choose(s);
}

asc_status asci_cosma_landmarks_new(const cosma_model *m, int64_t capacity, cosma_landmarks *l) {
  *l = (cosma_landmarks){.m = m};
  if (!m->plain || m->op_count > MOST_OPS) return ASC_OK;
  survey s = {.l = l, .m = m, .capacity = capacity, .all = {.m = m}};
  bool room = search_landmarks(&s);
  asci_arrays_free(m->context, ASCI_TABLE(of_survey), &s);
  asci_cosma_landmarks_free(&s.all);
  asci_cosma_live_free(&s.live);
  if (!room) asci_cosma_landmarks_free(l);
  return room ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_cosma_landmarks_free(cosma_landmarks *l) {
  if (!l->m) return;
  asci_arrays_free(l->m->context, ASCI_TABLE(arrays), l);
  *l = (cosma_landmarks){0};
}

/* ---- what is ahead of a state ---------------------------------------------------------------------------------------- */

typedef struct position {
  const uint64_t *done, *alive, *resident, *clean;
} position;

/* How often the size of a claim's value it costs to have that out while the landmark runs, of what this landmark charges. */
static inline uint32_t price(const cosma_landmarks *l, const cosma_claim *claim, const position *at) {
  uint32_t value = claim->value;
  if (!cosma_has(at->alive, value)) return (uint32_t)claim->charged + claim->spills;
  if (cosma_has(at->resident, value)) return (uint32_t)claim->charged + (claim->spills && !cosma_has(at->clean, value));
  /* out: it may stay so until then unless somebody reads it before */
  for (uint32_t r = claim->before_begin; r < claim->before_end; r++)
    if (!cosma_has(at->done, l->before[r])) return claim->charged;
  return 0;
}

/* Whether the value has come and gone. */
static inline bool is_gone(const cosma_claim *claim, const position *at) {
  return claim->maker != ASC_NONE && cosma_has(at->done, claim->maker) && !cosma_has(at->alive, claim->value);
}

static inline bool touches(const cosma_model *m, const uint64_t *claimed, const uint64_t *alive) {
  for (size_t w = 0; w < m->value_words; w++)
    if (claimed[w] & alive[w]) return true;
  return false;
}

int64_t asci_cosma_ahead(const cosma_landmarks *l, const uint64_t *done, const uint64_t *alive, const uint64_t *resident,
                         const uint64_t *clean) {
  position at = {done, alive, resident, clean};
  int64_t ahead = 0;
  for (size_t k = 0; k < l->count; k++) {
    const cosma_landmark *mark = &l->marks[k];
    if (cosma_has(done, mark->op)) continue;
    if (!touches(l->m, l->claimed + k * l->m->value_words, alive)) {
      ahead += mark->fresh;
      continue;
    }
    int64_t freed[3] = {0};
    for (uint32_t c = mark->begin; c < mark->end; c++)
      if (!is_gone(&l->claims[c], &at)) freed[price(l, &l->claims[c], &at)] += l->claims[c].size;
    ahead += cover(mark, freed);
  }
  return ahead;
}

void asci_cosma_claimed(const cosma_landmarks *l, const uint64_t *done, uint64_t *values) {
  memset(values, 0, l->m->value_words * sizeof *values);
  for (size_t k = 0; k < l->count; k++)
    for (size_t w = 0; w < l->m->value_words && !cosma_has(done, l->marks[k].op); w++)
      values[w] |= l->claimed[k * l->m->value_words + w];
}
