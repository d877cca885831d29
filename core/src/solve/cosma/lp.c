/* The paper's integer linear program as text in the format of LP solvers, equations (1) to (12), with windows: an operator runs no sooner than after
 * those that it waits for, and no later than before those that wait for it. Equation (6) is one variable for all that an operator makes. What the
 * paper leaves unsaid is added: one operator at a time, and (cap) what is resident fits, which (10) implies and linear relaxations need. M is the
 * capacity. Variables: x_v_t operator v runs at t; p_a_t, s_a_t, r_a_t tensor a is preserved, spilled, retrieved at t; l_a_t its address; v_a_t it
 * stays where it was; u_a_b_t, d_a_b_t a lies above, below b. Of an order that is fixed: y_a_i tensor a is out between its uses i - 1 and i, z_a
 * it ever is. */
#include "base/diag.h"
#include "base/text/print.h"
#include "kernel/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct program {
  const cosma_model *m;
  int64_t capacity;
  asc_lp_model kind;
  asci_printer out;
  uint32_t tensors; /* values, then what comes and goes with an operator */
  uint32_t *maker;  /* per tensor: its operator, ASC_NONE: an input, outside from the start */
  int64_t *size;
  uint32_t *first, *last; /* per operator: when it may run */
  uint64_t *before;       /* per operator: the set of those before it */
} program;

/* ---- windows --------------------------------------------------------------------------------------------------------- */

static uint32_t count_of(const uint64_t *set, size_t words) {
  uint32_t count = 0;
  for (size_t w = 0; w < words; w++) count += (uint32_t)__builtin_popcountll(set[w]);
  return count;
}

/* The operators stand in an order that their tensors allow. */
static void set_windows(program *p) {
  const cosma_model *m = p->m;
  for (uint32_t op = 0; op < m->op_count; op++) {
    uint64_t *mine = p->before + op * m->op_words;
    for (uint32_t k = m->waits.begin[op]; k < m->waits.begin[op + 1]; k++) {
      const uint64_t *other = p->before + m->waits.entries[k] * m->op_words;
      for (size_t w = 0; w < m->op_words; w++) mine[w] |= other[w];
      cosma_put(mine, m->waits.entries[k]);
    }
    p->first[op] = count_of(mine, m->op_words);
    p->last[op] = m->op_count - 1;
  }
  for (uint32_t op = 0; op < m->op_count; op++)
    for (uint32_t other = 0; other < m->op_count; other++)
      if (cosma_has(p->before + op * m->op_words, other)) p->last[other]--;
}

static bool runs_at(const program *p, uint32_t op, uint32_t t) {
  return op != ASC_NONE && p->first[op] <= t && t <= p->last[op];
}

static uint32_t reader_count(const program *p, uint32_t a) {
  return a < p->m->value_count ? p->m->readers.begin[a + 1] - p->m->readers.begin[a] : 0;
}

/* Whether the tensor may be kept, spilled or fetched at the time: after it may have been made, before its last reader must have run. */
static bool lives_at(const program *p, uint32_t a, uint32_t t) {
  uint32_t end = 0, begin = p->maker[a] == ASC_NONE ? 0 : p->first[p->maker[a]] + 1;
  for (uint32_t k = 0; k < reader_count(p, a); k++) {
    uint32_t last = p->last[p->m->readers.entries[p->m->readers.begin[a] + k]];
    if (last + 1 > end) end = last + 1;
  }
  return t >= begin && t < end;
}

static bool is_there(const program *p, uint32_t a, uint32_t t) {
  return runs_at(p, p->maker[a], t) || lives_at(p, a, t);
}

/* ---- terms ----------------------------------------------------------------------------------------------------------- */

/* sign times C, and P + R, of the tensor at the time; what cannot be is left out. */
static void put_made(program *p, const char *sign, uint32_t a, uint32_t t) {
  if (runs_at(p, p->maker[a], t)) asci_print(&p->out, " %s x_%u_%u", sign, p->maker[a], t);
}

static void put_kept(program *p, const char *sign, uint32_t a, uint32_t t) {
  if (lives_at(p, a, t)) asci_print(&p->out, " %s p_%u_%u %s r_%u_%u", sign, a, t, sign, a, t);
}

/* Of two tensors, which one operator may make. */
static void put_residents(program *p, uint32_t a, uint32_t b, uint32_t t) {
  bool both = p->maker[a] == p->maker[b] && runs_at(p, p->maker[a], t);
  if (both) asci_print(&p->out, " - 2 x_%u_%u", p->maker[a], t);
  const uint32_t tensors[] = {a, b};
  for (int k = 0; k < 2; k++) {
    if (!both) put_made(p, "-", tensors[k], t);
    put_kept(p, "-", tensors[k], t);
  }
}

/* Of the time before. */
static void put_before(program *p, const char *sign, uint32_t a, uint32_t t, bool fetched) {
  if (t == 0) return;
  if (runs_at(p, p->maker[a], t - 1)) asci_print(&p->out, " %s x_%u_%u", sign, p->maker[a], t - 1);
  if (lives_at(p, a, t - 1)) asci_print(&p->out, " %s p_%u_%u", sign, a, t - 1);
  if (fetched && lives_at(p, a, t - 1)) asci_print(&p->out, " %s r_%u_%u", sign, a, t - 1);
}

/* Of a value: nothing else ever has a copy. */
static bool is_copied(const program *p, uint32_t a) {
  return p->m->values[a].copied;
}

/* ---- (12) and (1) to (8) --------------------------------------------------------------------------------------------- */

/* An input's first coming is compulsory; what has a copy outside anyway is spilled for nothing. */
static void put_objective(program *p) {
  int64_t compulsory = 0;
  asci_print(&p->out, "minimize\n traffic:");
  for (uint32_t a = 0; a < p->tensors; a++) {
    if (p->maker[a] == ASC_NONE) compulsory += p->size[a];
    for (uint32_t t = 0; t < p->m->op_count; t++) {
      if (!lives_at(p, a, t)) continue;
      if (p->maker[a] != ASC_NONE && !is_copied(p, a)) asci_print(&p->out, " + %" PRId64 " s_%u_%u", p->size[a], a, t);
      asci_print(&p->out, " + %" PRId64 " r_%u_%u\n", p->size[a], a, t);
    }
  }
  asci_print(&p->out, " - %" PRId64 " one\nsubject to\n one: one = 1\n", compulsory);
}

static void put_statuses(program *p, uint32_t a, uint32_t t) {
  bool input = p->maker[a] == ASC_NONE;
  if (!lives_at(p, a, t)) return;
  if (!input || t > 0) {
    asci_print(&p->out, " e1_%u_%u:", a, t);
    put_made(p, "+", a, t);
    put_kept(p, "+", a, t);
    if (!input) asci_print(&p->out, " + s_%u_%u", a, t);
    asci_print(&p->out, " <= 1\n");
  }
  asci_print(&p->out, " e2_%u_%u: p_%u_%u", a, t, a, t);
  put_before(p, "-", a, t, true);
  asci_print(&p->out, " <= 0\n");
  if (input) return;
  asci_print(&p->out, " e3_%u_%u: s_%u_%u", a, t, a, t);
  put_before(p, "-", a, t, false);
  asci_print(&p->out, " <= 0\n e4_%u_%u: r_%u_%u", a, t, a, t);
  for (uint32_t k = 0; k <= t; k++)
    if (lives_at(p, a, k)) asci_print(&p->out, " - s_%u_%u", a, k);
  asci_print(&p->out, " <= 0\n");
}

static void put_order(program *p) {
  const cosma_model *m = p->m;
  for (uint32_t op = 0; op < m->op_count; op++) {
    asci_print(&p->out, " e7_%u:", op);
    for (uint32_t t = p->first[op]; t <= p->last[op]; t++) asci_print(&p->out, " + x_%u_%u", op, t);
    asci_print(&p->out, " = 1\n");
    for (uint32_t t = p->first[op]; t <= p->last[op]; t++)
      for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
        uint32_t b = m->reads.entries[r];
        asci_print(&p->out, " e5_%u_%u_%u: x_%u_%u - p_%u_%u - r_%u_%u <= 0\n", op, t, b, op, t, b, t, b, t);
      }
    for (uint32_t k = m->waits.begin[op]; k < m->waits.begin[op + 1]; k++) {
      asci_print(&p->out, " w_%u_%u:", op, m->waits.entries[k]);
      for (uint32_t t = p->first[op]; t <= p->last[op]; t++) asci_print(&p->out, " + %u x_%u_%u", t, op, t);
      for (uint32_t t = 0; t < m->op_count; t++)
        if (runs_at(p, m->waits.entries[k], t)) asci_print(&p->out, " - %u x_%u_%u", t, m->waits.entries[k], t);
      asci_print(&p->out, " >= 1\n");
    }
  }
}

static void put_spills(program *p, uint32_t a) {
  bool any = false;
  for (uint32_t t = 0; t < p->m->op_count && p->maker[a] != ASC_NONE; t++) {
    if (!lives_at(p, a, t)) continue;
    if (!any) asci_print(&p->out, " e8_%u:", a);
    asci_print(&p->out, " + s_%u_%u", a, t);
    any = true;
  }
  if (any) asci_print(&p->out, " <= 1\n");
}

/* What operators make at the time in one term for each: solvers of such programs want a variable once. */
static void put_room(program *p, uint32_t t) {
  bool any = false;
  char sign[32];
  for (uint32_t op = 0; op < p->m->op_count; op++) {
    if (!runs_at(p, op, t)) continue;
    int64_t made = 0;
    for (uint32_t a = 0; a < p->tensors; a++) made += p->maker[a] == op ? p->size[a] : 0;
    if (!made) continue;
    asci_print(&p->out, " + %" PRId64 " x_%u_%u", made, op, t);
    any = true;
  }
  for (uint32_t a = 0; a < p->tensors; a++) {
    snprintf(sign, sizeof sign, "+ %" PRId64, p->size[a]);
    any |= lives_at(p, a, t);
    put_kept(p, sign, a, t);
  }
  asci_print(&p->out, any ? " <= %" PRId64 "\n" : " 0 one <= %" PRId64 "\n", p->capacity);
}

static void put_times(program *p) {
  for (uint32_t t = 0; t < p->m->op_count; t++) {
    asci_print(&p->out, " one_%u:", t);
    for (uint32_t op = 0; op < p->m->op_count; op++)
      if (runs_at(p, op, t)) asci_print(&p->out, " + x_%u_%u", op, t);
    asci_print(&p->out, " = 1\n cap_%u:", t);
    put_room(p, t);
  }
}

/* ---- (9) to (11) ----------------------------------------------------------------------------------------------------- */

/* Whether one is dead for certain before the other is made. */
static bool never_meet(const program *p, uint32_t a, uint32_t b) {
  const cosma_model *m = p->m;
  if (p->maker[b] == ASC_NONE || (p->maker[a] == p->maker[b])) return false;
  const uint64_t *before = m->op_words * p->maker[b] + p->before;
  for (uint32_t k = 0; k < reader_count(p, a); k++)
    if (!cosma_has(before, m->readers.entries[m->readers.begin[a] + k])) return false;
  return p->maker[a] == ASC_NONE ? reader_count(p, a) > 0 : cosma_has(before, p->maker[a]);
}

static void put_pair(program *p, uint32_t a, uint32_t b, uint32_t t) {
  int64_t most = p->capacity;
  asci_print(&p->out, " e10a_%u_%u_%u: u_%u_%u_%u + d_%u_%u_%u <= 1\n", a, b, t, a, b, t, a, b, t);
  asci_print(&p->out, " e10b_%u_%u_%u: u_%u_%u_%u + d_%u_%u_%u", a, b, t, a, b, t, a, b, t);
  put_residents(p, a, b, t);
  asci_print(&p->out, " >= -1\n e10c_%u_%u_%u: l_%u_%u - l_%u_%u + %" PRId64 " d_%u_%u_%u <= %" PRId64 "\n", a, b, t, a, t,
             b, t, most, a, b, t, most - p->size[a]);
  asci_print(&p->out, " e10d_%u_%u_%u: l_%u_%u - l_%u_%u + %" PRId64 " u_%u_%u_%u <= %" PRId64 "\n", a, b, t, b, t, a, t,
             most, a, b, t, most - p->size[b]);
}

static void put_stay(program *p, uint32_t a, uint32_t t) {
  if (t == 0 || !lives_at(p, a, t)) return;
  int64_t most = p->capacity;
  asci_print(&p->out, " e11a_%u_%u: l_%u_%u - l_%u_%u + %" PRId64 " v_%u_%u <= %" PRId64 "\n", a, t, a, t - 1, a, t, most, a,
             t, most);
  asci_print(&p->out, " e11b_%u_%u: l_%u_%u - l_%u_%u + %" PRId64 " v_%u_%u <= %" PRId64 "\n", a, t, a, t, a, t - 1, most, a,
             t, most);
  asci_print(&p->out, " e11c_%u_%u: v_%u_%u - p_%u_%u", a, t, a, t, a, t);
  put_before(p, "-", a, t, true);
  asci_print(&p->out, " >= -1\n e11d_%u_%u: v_%u_%u", a, t, a, t);
  put_before(p, "-", a, t, true);
  asci_print(&p->out, " <= 0\n e11e_%u_%u: v_%u_%u - p_%u_%u <= 0\n", a, t, a, t, a, t);
}

static bool are_pair(const program *p, uint32_t a, uint32_t b, uint32_t t) {
  return is_there(p, a, t) && is_there(p, b, t) && !never_meet(p, a, b) && !never_meet(p, b, a);
}

static void put_addresses(program *p) {
  for (uint32_t t = 0; t < p->m->op_count; t++)
    for (uint32_t a = 0; a < p->tensors; a++) {
      if (is_there(p, a, t)) put_stay(p, a, t);
      for (uint32_t b = a + 1; b < p->tensors; b++)
        if (are_pair(p, a, b, t)) put_pair(p, a, b, t);
    }
}

/* ---- kinds of variables ---------------------------------------------------------------------------------------------- */

static void put_bounds(program *p) {
  asci_print(&p->out, "bounds\n");
  for (uint32_t t = 0; t < p->m->op_count; t++)
    for (uint32_t a = 0; a < p->tensors; a++)
      if (is_there(p, a, t)) asci_print(&p->out, " 0 <= l_%u_%u <= %" PRId64 "\n", a, t, p->capacity - p->size[a]);
}

static void put_binaries(program *p, bool addresses) {
  asci_print(&p->out, "binary\n");
  for (uint32_t t = 0; t < p->m->op_count; t++) {
    for (uint32_t op = 0; op < p->m->op_count; op++)
      if (runs_at(p, op, t)) asci_print(&p->out, " x_%u_%u\n", op, t);
    for (uint32_t a = 0; a < p->tensors; a++) {
      if (lives_at(p, a, t)) asci_print(&p->out, " p_%u_%u r_%u_%u\n", a, t, a, t);
      if (lives_at(p, a, t) && p->maker[a] != ASC_NONE) asci_print(&p->out, " s_%u_%u\n", a, t);
      if (addresses && t > 0 && lives_at(p, a, t)) asci_print(&p->out, " v_%u_%u\n", a, t);
      for (uint32_t b = a + 1; addresses && b < p->tensors; b++)
        if (are_pair(p, a, b, t)) asci_print(&p->out, " u_%u_%u_%u d_%u_%u_%u\n", a, b, t, a, b, t);
    }
  }
}

static void put_program(program *p) {
  bool addresses = p->kind == ASC_LP_ADDRESSES;
  put_objective(p);
  put_order(p);
  for (uint32_t a = 0; a < p->tensors; a++) {
    for (uint32_t t = 0; t < p->m->op_count; t++) put_statuses(p, a, t);
    put_spills(p, a);
  }
  put_times(p);
  if (addresses) put_addresses(p);
  if (addresses) put_bounds(p);
  put_binaries(p, addresses);
  asci_print(&p->out, "end\n");
}

/* ---- a fixed order --------------------------------------------------------------------------------------------------- */

/* The use of the value after the time, in the given order; ASC_NONE: there is none. */
static uint32_t use_after(const program *p, uint32_t a, int64_t time) {
  for (uint32_t k = 0; k < reader_count(p, a); k++) {
    uint32_t use = p->m->readers.entries[p->m->readers.begin[a] + k];
    if (use > time) return use;
  }
  return ASC_NONE;
}

typedef void (*visit_gap)(program *p, uint32_t a, uint32_t i, uint32_t from, uint32_t to, uint32_t time);

/* Gaps between uses in which the value could be out: those of two turns and more. */
static void each_gap(program *p, visit_gap visit, uint32_t time) {
  for (uint32_t a = 0; a < p->m->value_count; a++) {
    uint32_t from = p->maker[a] == ASC_NONE ? use_after(p, a, -1) : p->maker[a], i = 0;
    for (uint32_t to; from != ASC_NONE && (to = use_after(p, a, from)) != ASC_NONE; from = to, i++)
      if (to - from >= 2) visit(p, a, i, from, to, time);
  }
}

static void put_gap_cost(program *p, uint32_t a, uint32_t i, uint32_t from, uint32_t to, uint32_t time) {
  (void)from, (void)to, (void)time;
  asci_print(&p->out, " + %" PRId64 " y_%u_%u\n", p->size[a], a, i);
}

static void put_gap_ever(program *p, uint32_t a, uint32_t i, uint32_t from, uint32_t to, uint32_t time) {
  (void)from, (void)to, (void)time;
  asci_print(&p->out, " z_%u_%u: z_%u - y_%u_%u >= 0\n", a, i, a, a, i);
}

static void put_gap_room(program *p, uint32_t a, uint32_t i, uint32_t from, uint32_t to, uint32_t time) {
  if (from < time && time < to) asci_print(&p->out, " - %" PRId64 " y_%u_%u", p->size[a], a, i);
}

static void put_gap_name(program *p, uint32_t a, uint32_t i, uint32_t from, uint32_t to, uint32_t time) {
  (void)from, (void)to, (void)time;
  asci_print(&p->out, " y_%u_%u\n", a, i);
}

/* Bytes alive at the time if nothing is ever out. */
static int64_t alive_at(const program *p, uint32_t time) {
  int64_t bytes = 0;
  for (uint32_t a = 0; a < p->tensors; a++) {
    int64_t begin = p->maker[a] == ASC_NONE ? (int64_t)use_after(p, a, -1) : p->maker[a], end = p->maker[a];
    if (p->maker[a] == ASC_NONE) end = 0;
    for (uint32_t use = use_after(p, a, -1); use != ASC_NONE; use = use_after(p, a, use)) end = use;
    if (begin <= time && time <= end) bytes += p->size[a];
  }
  return bytes;
}

static void put_gaps(program *p) {
  asci_print(&p->out, "minimize\n traffic: 0 one\n");
  each_gap(p, put_gap_cost, 0);
  for (uint32_t a = 0; a < p->m->value_count; a++)
    if (!is_copied(p, a)) asci_print(&p->out, " + %" PRId64 " z_%u\n", p->size[a], a);
  asci_print(&p->out, "subject to\n one: one = 1\n");
  each_gap(p, put_gap_ever, 0);
  for (uint32_t time = 0; time < p->m->op_count; time++) {
    asci_print(&p->out, " cap_%u: 0 one", time);
    each_gap(p, put_gap_room, time);
    asci_print(&p->out, " <= %" PRId64 "\n", p->capacity - alive_at(p, time));
  }
  asci_print(&p->out, "binary\n");
  each_gap(p, put_gap_name, 0);
  for (uint32_t a = 0; a < p->m->value_count; a++) asci_print(&p->out, " z_%u\n", a);
  asci_print(&p->out, "end\n");
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

static bool fill(program *p, asci_arena *arena) {
  const cosma_model *m = p->m;
  size_t passing = m->passing.begin[m->op_count], ops = m->op_count;
  p->tensors = m->value_count + (uint32_t)passing;
  p->maker = asci_arena_alloc(m->context, arena, (p->tensors + 1) * sizeof *p->maker);
  p->size = asci_arena_alloc(m->context, arena, (p->tensors + (size_t)1) * sizeof *p->size);
  p->first = asci_arena_alloc(m->context, arena, ops * sizeof *p->first);
  p->last = asci_arena_alloc(m->context, arena, ops * sizeof *p->last);
  p->before = asci_arena_alloc(m->context, arena, ops * m->op_words * sizeof *p->before);
  if (!p->maker || !p->size || !p->first || !p->last || !p->before) return false;
  memset(p->before, 0, ops * m->op_words * sizeof *p->before);
  for (uint32_t v = 0; v < m->value_count; v++) p->maker[v] = m->values[v].maker, p->size[v] = m->values[v].size;
  for (uint32_t op = 0, a = m->value_count; op < m->op_count; op++)
    for (uint32_t k = m->passing.begin[op]; k < m->passing.begin[op + 1]; k++, a++)
      p->maker[a] = op, p->size[a] = asci_cosma_item_size(m->lowering, m->passing.entries[k]);
  set_windows(p);
  return true;
}

static asc_status check(const cosma_model *m, asc_diag *diag) {
  for (uint32_t v = 0; v < m->value_count; v++)
    if (m->values[v].over != ASC_NONE)
      return asci_complain(diag, ASC_UNSUPPORTED, "inplace", "the program knows no tensor that is written over another");
  if (m->keeps)
    return asci_complain(diag, ASC_UNSUPPORTED, "constants",
                         "the program knows no constants or variables that are resident");
  return ASC_OK;
}

asc_status asc_lowering_lp(const asc_lowering *lowering, int64_t capacity, asc_lp_model kind, asc_sink sink, void *user,
                           asc_diag *diag) {
  if (capacity < 0 || capacity > ASC_MAX_BYTES || (uint32_t)kind > ASC_LP_GAPS) return ASC_BAD_ARGUMENT;
  cosma_model m;
  asci_arena arena = {0};
  asc_status status = asci_cosma_model_new(lowering, COSMA_COPIED, &m);
  if (status) return status;
  status = check(&m, diag);
  program p = {.m = &m, .capacity = capacity, .kind = kind, .out = {.sink = sink, .user = user}};
  if (!status && !fill(&p, &arena)) status = ASC_OUT_OF_MEMORY;
  if (!status) (kind == ASC_LP_GAPS ? put_gaps : put_program)(&p);
  if (!status && p.out.stopped) status = ASC_BAD_ARGUMENT;
  asci_arena_free(m.context, &arena);
  asci_cosma_model_free(&m);
  return status;
}
