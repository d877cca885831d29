/* The exchange at boundaries; see sweep.h. Sound as a proof for every problem without windows: alignment, fixed offsets, banks and that a buffer
 * comes back at the same address after a gap are left out, which only allows more. */
#include "sweep.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "trace/bytes.h"

#include <string.h>

#define FIRST_LIMIT 16u
#define GROWTH 4u

enum { PER_LEAF, PER_ITEM };
static const asci_array arrays[] = {
    ASCI_ARRAY(ex_sweep, marked, PER_LEAF, ASCI_ZEROS),
    ASCI_ARRAY(ex_sweep, place, PER_LEAF, ASCI_ZEROS),
    ASCI_ARRAY(ex_sweep, order, PER_LEAF, ASCI_ZEROS),
    ASCI_ARRAY(ex_sweep, plan, PER_ITEM, ASCI_ZEROS),
    ASCI_OWN(ex_sweep, exchanges),
    ASCI_OWN(ex_sweep, cells),
};

/* Idle units of sections that follow each other have numbers of their own. */
static uint32_t leaf_count(const ex_model *m) {
  return m->count + 2 * EX_SWEEP_IDLE;
}

asc_status asci_ex_sweep_new(const ex_model *m, ex_sweep *s) {
  const size_t counts[] = {leaf_count(m), m->count};
  *s = (ex_sweep){.m = m, .at_step = EX_NONE};
  return asci_arrays_new(m->run->context, ASCI_TABLE(arrays), counts, s) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_ex_sweep_free(ex_sweep *s) {
  if (s->m) asci_arrays_free(s->m->run->context, ASCI_TABLE(arrays), s);
}

/* ---- sections and boundaries ----------------------------------------------------------------------------------------- */

static int64_t idle(const ex_sweep *s, uint32_t section) {
  return s->capacity - s->m->rest[section];
}

static bool is_tight(const ex_sweep *s, uint32_t section) {
  const ex_model *m = s->m;
  uint32_t alive = m->list_begin[section + 1] - m->list_begin[section];
  return idle(s, section) >= 0 && idle(s, section) <= EX_SWEEP_IDLE && alive + EX_SWEEP_IDLE <= PQ_MOST_LEAVES;
}

static const uint64_t *row_of(const ex_sweep *s, uint32_t section) {
  return s->m->members + (size_t)section * s->m->words;
}

/* Lists who is alive in section a and not in b, with a's idle units behind them. EX_NONE: they are too many. */
static uint32_t list_leaving(const ex_sweep *s, uint32_t a, uint32_t b, uint32_t *list) {
  const uint64_t *here = row_of(s, a), *there = row_of(s, b);
  uint32_t count = 0;
  for (uint32_t w = 0; w < s->m->words; w++)
    for (uint64_t word = here[w] & ~there[w]; word; word &= word - 1) {
      if (count == EX_SWEEP_ENDS) return EX_NONE;
      list[count++] = w * 64 + (uint32_t)__builtin_ctzll(word);
    }
  for (uint32_t k = 0; k < idle(s, a); k++) {
    if (count == EX_SWEEP_ENDS) return EX_NONE;
    list[count++] = s->m->count + (a % 2) * EX_SWEEP_IDLE + k;
  }
  return count;
}

static int64_t size_of(const ex_sweep *s, uint32_t leaf) {
  return leaf < s->m->count ? s->m->size[leaf] : 1;
}

/* Whether the two, which begin at the same boundary, end at the same one and are of the same size. */
static bool are_alike(const ex_sweep *s, uint32_t a, uint32_t b) {
  const ex_model *m = s->m;
  if (b >= m->count) return a >= m->count; /* a is listed before b, and idle units behind all items */
  if (m->size[a] != m->size[b]) return false;
  if (m->piece_begin[a + 1] - m->piece_begin[a] > 1 || m->piece_begin[b + 1] - m->piece_begin[b] > 1) return false;
  return s->mirrored ? m->first[a] == m->first[b] : m->end[a] == m->end[b];
}

uint32_t asci_ex_sweep_section(const ex_sweep *s, uint32_t step) {
  return s->mirrored ? s->start - step : s->start + step;
}

/* Whether a sweep at section a can go on to its neighbour b. With a gap between them both may have the same buffers. */
static bool is_passable(const ex_sweep *s, uint32_t a, uint32_t b) {
  uint32_t list[EX_SWEEP_ENDS];
  if (!is_tight(s, a) || !is_tight(s, b)) return false;
  uint32_t out = list_leaving(s, a, b, list), in = list_leaving(s, b, a, list);
  return out && out != EX_NONE && in != EX_NONE; /* if somebody leaves, somebody comes: idle units do, too */
}

/* Whether the sweep that began at its start has a boundary behind so many. */
static bool has_boundary(const ex_sweep *s, uint32_t step) {
  uint32_t here = asci_ex_sweep_section(s, step);
  if (s->mirrored ? here == 0 : here + 1 == s->m->sections) return false;
  return is_passable(s, here, asci_ex_sweep_section(s, step + 1));
}

static void add_up(const ex_sweep *s, const uint32_t *leaves, uint32_t count, int64_t *sums) {
  sums[0] = 0;
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t set = 0; set < UINT32_C(1) << k; set++) sums[set | UINT32_C(1) << k] = sums[set] + size_of(s, leaves[k]);
}

static void visit(ex_sweep *s, uint32_t step) {
  ex_boundary *at = &s->at;
  if (s->at_step == step) return;
  uint32_t here = asci_ex_sweep_section(s, step), there = asci_ex_sweep_section(s, step + 1);
  at->out_count = list_leaving(s, here, there, at->out);
  at->in_count = list_leaving(s, there, here, at->in);
  for (uint32_t k = 0; k < at->in_count; k++) {
    at->twins[k] = 0;
    for (uint32_t j = 0; j < k; j++) at->twins[k] |= are_alike(s, at->in[j], at->in[k]) ? UINT32_C(1) << j : 0;
  }
  add_up(s, at->out, at->out_count, at->out_sums);
  add_up(s, at->in, at->in_count, at->in_sums);
  s->at_step = step;
}

static uint32_t pick(const uint32_t *leaves, uint32_t set, uint32_t *picked) {
  uint32_t count = 0;
  for (; set; set &= set - 1) picked[count++] = leaves[__builtin_ctz(set)];
  return count;
}

/* ---- exchanges ------------------------------------------------------------------------------------------------------- */

/* A subset of those that begin takes, of several alike, the first ones that are left: which of them it is makes no difference. */
static bool is_first_choice(const ex_boundary *at, uint32_t left, uint32_t in) {
  for (uint32_t rest = in; rest; rest &= rest - 1)
    if (at->twins[__builtin_ctz(rest)] & left & ~in) return false;
  return true;
}

/* The next subset of x->begins, below x->in in the order of numbers, whose sum it is; all go with the last that end. 0: there is none. */
static uint32_t next_in(const ex_sweep *s, const ex_exchange *x, uint32_t out, uint32_t in, int64_t sum) {
  if (out == x->ends) return in == 0 ? x->begins : 0; /* what is left of either has one sum */
  for (in = (in - 1) & x->begins; in; in = (in - 1) & x->begins)
    if (in != x->begins && s->at.in_sums[in] == sum && is_first_choice(&s->at, x->begins, in)) return in;
  return 0;
}

static void load_tree(ex_sweep *s, const ex_exchange *x) {
  s->tree.count = x->cells;
  memcpy(s->tree.cells, s->cells + x->tree, x->cells * sizeof *s->cells);
}

static uint32_t mark(ex_sweep *s, uint32_t out, uint8_t value) {
  for (uint32_t set = out; set; set &= set - 1) s->marked[s->at.out[__builtin_ctz(set)]] = value;
  return (uint32_t)__builtin_popcount(out);
}

/* Makes the exchange of `out` for `in` on s->tree, in s->next. False: those that end do not lie side by side. */
static bool exchange(ex_sweep *s, uint32_t out, uint32_t in) {
  uint32_t picked[EX_SWEEP_ENDS], in_count = pick(s->at.in, in, picked);
  bool well = asci_pq_exchange(&s->tree, s->marked, mark(s, out, 1), picked, in_count, &s->next);
  mark(s, out, 0);
  return well;
}

/* Finds the exchange behind x->out and x->in, with the first of those that end in it: subsets of these from the greatest number down, for each
   the subsets of those that begin. */
static bool find_exchange(ex_sweep *s, ex_exchange *x) {
  uint32_t first = x->ends & -x->ends, others = x->ends ^ first, out = x->out ? x->out : x->ends, in = x->out ? x->in : 0;
  load_tree(s, x);
  for (;;) {
    int64_t sum = s->at.out_sums[out];
    for (in = next_in(s, x, out, in, sum); in; in = next_in(s, x, out, in, sum)) {
      if (!exchange(s, out, in)) break;
      x->out = out;
      x->in = in;
      return true;
    }
    if (out == first) return false;
    out = first | (((out ^ first) - 1) & others);
    in = 0;
  }
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static bool push(ex_sweep *s, uint32_t step, uint32_t ends, uint32_t begins, const pq_tree *tree) {
  asc_context *context = s->m->run->context;
  const ex_exchange *top = s->count ? &s->exchanges[s->count - 1] : NULL;
  uint32_t at = top ? top->tree + top->cells : 0;
  if (!asci_grow(context, &s->exchanges, &s->exchange_room, (size_t)s->count + 1, sizeof *s->exchanges) ||
      !asci_grow(context, &s->cells, &s->cell_room, (size_t)at + tree->count, sizeof *s->cells))
    return false;
  memcpy(s->cells + at, tree->cells, tree->count * sizeof *s->cells);
  s->exchanges[s->count++] = (ex_exchange){.step = step, .ends = ends, .begins = begins, .tree = at, .cells = tree->count};
  return true;
}

static uint32_t all_of(uint32_t count) {
  return (UINT32_C(1) << count) - 1;
}

/* Looks for an exchange at the boundary behind so many. */
static bool push_boundary(ex_sweep *s, uint32_t step, const pq_tree *tree) {
  visit(s, step);
  if (step >= s->farthest) s->farthest = step + 1;
  return push(s, step, all_of(s->at.out_count), all_of(s->at.in_count), tree);
}

/* Behind an exchange that was made, with s->next: the next one at this boundary, or the first at the next. *through: there is no next. */
static bool push_next(ex_sweep *s, bool *through) {
  const ex_exchange *x = &s->exchanges[s->count - 1];
  uint32_t step = x->step, ends = x->ends & ~x->out;
  if (ends) return push(s, step, ends, x->begins & ~x->in, &s->next);
  *through = !has_boundary(s, step + 1);
  return *through || push_boundary(s, step + 1, &s->next);
}

/* Everything that is alive in the first section, in any order. */
static bool push_first(ex_sweep *s) {
  const ex_model *m = s->m;
  uint32_t leaves[PQ_MOST_LEAVES], count = 0;
  for (uint32_t e = m->list_begin[s->start]; e < m->list_begin[s->start + 1]; e++) leaves[count++] = m->list[e];
  for (uint32_t k = 0; k < idle(s, s->start); k++) leaves[count++] = m->count + (s->start % 2) * EX_SWEEP_IDLE + k;
  asci_pq_any(&s->tree, leaves, count);
  s->count = s->farthest = 0;
  s->used = 0;
  s->at_step = EX_NONE;
  return push_boundary(s, 0, &s->tree);
}

/* The next section to begin at, from the far end of time back to the near one, then mirrored, then with a greater limit. False: none is left. */
static bool next_start(ex_sweep *s) {
  for (;;) {
    uint32_t last = s->mirrored ? s->m->sections - 1 : 0;
    if (s->start != last) {
      s->start = s->mirrored ? s->start + 1 : s->start - 1;
    } else if (!s->mirrored) {
      s->mirrored = true;
      s->start = 0;
    } else if (s->limited && s->limit < s->most_limit) {
      s->mirrored = s->limited = false;
      s->start = s->m->sections - 1;
      s->limit *= GROWTH;
    } else {
      return false;
    }
    if (has_boundary(s, 0)) return true;
  }
}

int64_t asci_ex_most_idle(const ex_model *m, int64_t capacity) {
  int64_t most = 0;
  for (uint32_t t = 0; t < m->sections; t++)
    if (capacity - m->rest[t] > most) most = capacity - m->rest[t];
  return most;
}

bool asci_ex_sweep_begin(ex_sweep *s, int64_t capacity, uint64_t most_limit) {
  s->capacity = capacity;
  s->most_limit = most_limit;
  s->limit = FIRST_LIMIT;
  s->mirrored = s->limited = false;
  s->count = 0;
  if (s->m->sections == 0 || s->m->windows) return false;
  s->start = s->m->sections - 1;
  return next_start(s);
}

/* Whether a sweep that went through is a plan: of all sections, and nothing was left out. */
static bool is_whole(const ex_sweep *s) {
  const ex_model *m = s->m;
  return !m->general && s->farthest + 1 == m->sections && m->piece_begin[m->count] == m->count;
}

static void tell_exchange(asc_run *run, ex_sweep *s, const ex_exchange *x, uint32_t depth) {
  const ex_model *m = s->m;
  uint32_t list[2 * EX_SWEEP_ENDS], out = pick(s->at.out, x->out, list), all = out + pick(s->at.in, x->in, list + out),
                                    outs = 0;
  for (uint32_t k = 0; k < out; k++) outs += list[k] < m->count;
  uint32_t section = asci_ex_sweep_section(s, x->step + 1);
  asci_step_other(run, ASC_EVENT_EXCHANGE, m->problem_section[section], s->at.out_sums[x->out] * m->unit, depth);
  ASC_EMIT(run, EXCHANGE, 0, .section = m->problem_section[section], .bytes = s->at.out_sums[x->out] * m->unit, .ends = outs,
           .standing = s->count);
  if (!asci_traced(run)) return;
  for (uint32_t k = 0; k < all; k++)
    if (list[k] < m->count) asci_event_list(run, m->buffer[list[k]]);
}

/* Nobody is left to exchange: back to the exchange before. */
static ex_swept take_back(asc_run *run, ex_sweep *s, uint32_t depth) {
  uint32_t section = s->m->problem_section[asci_ex_sweep_section(s, s->exchanges[s->count - 1].step + 1)];
  s->count--;
  asci_step_other(run, ASC_EVENT_EXCHANGE, section, -1, depth);
  ASC_EMIT(run, EXCHANGE, 0, .section = section, .bytes = -1, .standing = s->count);
  return s->count ? EX_SWEPT_ON : EX_SWEPT_REFUTED;
}

static void build_plan(ex_sweep *s);

ex_swept asci_ex_sweep_step(asc_run *run, ex_sweep *s, uint32_t depth) {
  if (s->count == 0 && !push_first(s)) return EX_SWEPT_MEMORY;
  ex_exchange *x = &s->exchanges[s->count - 1];
  bool through = false;
  visit(s, x->step);
  if (!find_exchange(s, x)) return take_back(run, s, depth);
  tell_exchange(run, s, x, depth);
  s->used++;
  if (!push_next(s, &through)) return EX_SWEPT_MEMORY;
  if (through && is_whole(s)) {
    build_plan(s);
    return EX_SWEPT_FOUND;
  }
  if (!through && s->used < s->limit) return EX_SWEPT_ON;
  s->limited = s->limited || !through;
  s->count = 0;
  return next_start(s) ? EX_SWEPT_ON : EX_SWEPT_OVER;
}

void asci_ex_sweep_conflict(const ex_sweep *s, uint64_t *set) {
  for (uint32_t step = 0; step <= s->farthest; step++) {
    const uint64_t *row = row_of(s, asci_ex_sweep_section(s, step));
    for (uint32_t w = 0; w < s->m->words; w++) set[w] |= row[w];
  }
}

/* ---- the plan -------------------------------------------------------------------------------------------------------- */

static uint32_t order_by(ex_sweep *s, const pq_tree *tree) {
  uint32_t count = asci_pq_order(tree, s->place, s->order);
  for (uint32_t k = 0; k < count; k++) s->place[s->order[k]] = k;
  return count;
}

/* Of the section, from the bottom up. */
static void set_offsets(ex_sweep *s, uint32_t count) {
  int64_t top = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (s->order[k] < s->m->count) s->plan[s->order[k]] = top;
    top += size_of(s, s->order[k]);
  }
}

static bool lies_lower(const void *keys, uint32_t a, uint32_t b) {
  const int64_t *plan = keys;
  return plan[a] < plan[b];
}

/* From the last section's order back: before an exchange those that ended lay, side by side, where those are that began, and how they lay there is
   any order of the tree before it that agrees with the one behind it: that they can lie so was found when the exchange was. */
static void build_plan(ex_sweep *s) {
  memset(s->place, 0, leaf_count(s->m) * sizeof *s->place);
  set_offsets(s, order_by(s, &s->next));
  for (uint32_t k = s->count; k-- > 0;) {
    const ex_exchange *x = &s->exchanges[k];
    visit(s, x->step);
    uint32_t lowest = UINT32_MAX;
    for (uint32_t set = x->in; set; set &= set - 1) {
      uint32_t place = s->place[s->at.in[__builtin_ctz(set)]];
      if (place < lowest) lowest = place;
    }
    for (uint32_t set = x->out; set; set &= set - 1) s->place[s->at.out[__builtin_ctz(set)]] = lowest;
    load_tree(s, x);
    asci_pq_gather(&s->tree, s->marked, mark(s, x->out, 1), &s->next);
    mark(s, x->out, 0);
    uint32_t count = order_by(s, &s->next);
    if (x->ends == all_of(s->at.out_count)) set_offsets(s, count);
  }
  for (uint32_t i = 0; i < s->m->count; i++) s->order[i] = i;
  asci_sort(s->order, s->place, s->m->count, lies_lower, s->plan);
}

/* ---- saving ---------------------------------------------------------------------------------------------------------- */

static bool is_choice(const ex_sweep *s, const ex_exchange *x) {
  uint32_t first = x->ends & -x->ends;
  bool last = x->out == x->ends;
  return (x->out & first) && !(x->out & ~x->ends) && x->in && !(x->in & ~x->begins) && last == (x->in == x->begins) &&
         s->at.out_sums[x->out] == s->at.in_sums[x->in];
}

/* Makes exchange number k of the save again. The last one of a sweep under way is looked for only: behind what was tried already. */
static asc_status load_exchange(ex_sweep *s, uint32_t out, uint32_t in, bool last, bool found) {
  ex_exchange *x = &s->exchanges[s->count - 1];
  bool through = false;
  visit(s, x->step);
  x->out = out;
  x->in = in;
  if (last && !found && !out) return in ? ASC_BAD_SAVE : ASC_OK;
  if (!is_choice(s, x)) return ASC_BAD_SAVE;
  load_tree(s, x);
  if (!exchange(s, out, in)) return ASC_BAD_SAVE;
  if (last && !found) return ASC_OK;
  if (!push_next(s, &through)) return ASC_OUT_OF_MEMORY;
  return through == last ? ASC_OK : ASC_BAD_SAVE;
}

static asc_status load_exchanges(ex_sweep *s, asci_saver *saver, uint32_t count, bool found) {
  if (saver->failed || s->start >= s->m->sections || !has_boundary(s, 0)) return ASC_BAD_SAVE;
  s->count = 0;
  if (count == 0) return found ? ASC_BAD_SAVE : ASC_OK;
  uint64_t used = s->used;
  uint32_t farthest = s->farthest;
  if (!push_first(s)) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t out = 0, in = 0;
    ASCI_KEEP(saver, out, all_of(EX_SWEEP_ENDS));
    ASCI_KEEP(saver, in, all_of(EX_SWEEP_ENDS));
    if (saver->failed) return ASC_BAD_SAVE;
    asc_status status = load_exchange(s, out, in, k + 1 == count, found);
    if (status) return status;
  }
  if (s->farthest > farthest) return ASC_BAD_SAVE;
  while (s->farthest < farthest)
    if (!has_boundary(s, s->farthest++)) return ASC_BAD_SAVE;
  s->used = used;
  if (!found) return ASC_OK;
  if (!is_whole(s)) return ASC_BAD_SAVE;
  build_plan(s);
  return ASC_OK;
}

asc_status asci_ex_sweep_keep(ex_sweep *s, asci_saver *saver, bool found) {
  uint32_t count = s->count;
  ASCI_KEEP(saver, s->mirrored, 1);
  ASCI_KEEP(saver, s->limited, 1);
  ASCI_KEEP(saver, s->start, s->m->sections);
  ASCI_KEEP(saver, s->farthest, s->m->sections);
  ASCI_KEEP(saver, s->limit, ASCI_ANY);
  ASCI_KEEP(saver, s->most_limit, ASCI_ANY);
  ASCI_KEEP(saver, s->used, ASCI_ANY);
  ASCI_KEEP(saver, count, saver->count);
  if (saver->loads) return load_exchanges(s, saver, count, found);
  for (uint32_t k = 0; k < count; k++) {
    ASCI_KEEP(saver, s->exchanges[k].out, ASCI_ANY);
    ASCI_KEEP(saver, s->exchanges[k].in, ASCI_ANY);
  }
  return asci_kept(saver);
}
