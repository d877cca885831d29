/* The exchange at boundaries; see sweep.h. Sound as a proof for every problem without windows: alignment, fixed offsets, banks and that a buffer
 * comes back at the same address after a gap are left out, which only allows more. */
#include "sweep.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "trace/bytes.h"

#include <string.h>

#define FIRST_LIMIT 16u /* exchanges of a sweep's first turn; with each later one it has made four times as many */
#define MOST_USED (UINT64_C(1) << 60) /* more than any sweep lives to make */

enum { PER_LEAF, PER_ITEM, PER_START };
static const asci_array arrays[] = {
    ASCI_ARRAY(ex_sweep, marked, PER_LEAF, ASCI_ZEROS),
    ASCI_ARRAY(ex_sweep, place, PER_LEAF, ASCI_ZEROS),
    ASCI_ARRAY(ex_sweep, order, PER_LEAF, ASCI_ZEROS),
    ASCI_ARRAY(ex_sweep, plan, PER_ITEM, ASCI_ZEROS),
    ASCI_ARRAY(ex_sweep, starts, PER_START, ASCI_ZEROS),
    ASCI_OWN(ex_sweep, choices),
    ASCI_OWN(ex_sweep, exchanges),
    ASCI_OWN(ex_sweep, cells),
    ASCI_OWN(ex_sweep, beside),
};

/* Idle units of sections that follow each other have numbers of their own. */
static uint32_t leaf_count(const ex_model *m) {
  return m->count + 2 * EX_SWEEP_IDLE;
}

asc_status asci_ex_sweep_new(const ex_model *m, ex_sweep *s) {
  const size_t counts[] = {leaf_count(m), m->count, 2 * (size_t)m->sections};
  *s = (ex_sweep){.m = m, .capacity = -1, .at_step = EX_NONE};
  return asci_arrays_new(m->run->context, ASCI_TABLE(arrays), counts, s) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_ex_sweep_free(ex_sweep *s) {
  if (s->m) asci_arrays_free(s->m->run->context, ASCI_TABLE(arrays), s);
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

static uint32_t mark(ex_sweep *s, const uint32_t *leaves, uint32_t picked, uint8_t value) {
  for (uint32_t set = picked; set; set &= set - 1) s->marked[leaves[__builtin_ctz(set)]] = value;
  return (uint32_t)__builtin_popcount(picked);
}

/* Makes the exchange of `out` for `in` on s->tree, in s->next. False: those that end do not lie side by side. */
static bool exchange(ex_sweep *s, uint32_t out, uint32_t in) {
  uint32_t picked[EX_SWEEP_ENDS], in_count = pick(s->at.in, in, picked);
  bool well = asci_pq_exchange(&s->tree, s->marked, mark(s, s->at.out, out, 1), picked, in_count, &s->next);
  mark(s, s->at.out, out, 0);
  return well;
}

/* The number of the sweep that begins at the section, in the direction of this one. */
static uint32_t start_at(const ex_sweep *s, uint32_t section) {
  return s->mirrored ? s->m->sections + section : s->m->sections - 1 - section;
}

/* Whether another sweep that went the same way since it began has refuted the choice: with less known, and so here. Then its boundaries are looked at. */
static bool is_refuted(ex_sweep *s, const ex_exchange *x, uint32_t out, uint32_t in) {
  for (uint32_t k = 0; k < x->beside_count; k++) {
    ex_beside at = s->beside[x->beside + k];
    const ex_start *other = &s->starts[at.start];
    ex_choice choice = s->choices[other->path + at.depth];
    if (choice.out == 0 || out < choice.out || (out == choice.out && in <= choice.in)) continue;
    uint32_t farthest = start_at(s, s->start) - at.start + other->farthest; /* who began later comes earlier in the list */
    if (farthest > s->farthest) s->farthest = farthest;
    return true;
  }
  return false;
}

/* Whether those that begin in the exchange that s->next comes of lie, in every order, side by side with those of an earlier one at the boundary. With both at once
   that would be one exchange, which allows any order of them, came sooner and has failed: itself, or one of others that are alike. */
static bool is_part_of_one(ex_sweep *s, const ex_exchange *x, uint32_t in) {
  for (const ex_exchange *before = x; before > s->exchanges && before[-1].step == x->step; before--) {
    uint32_t both = before[-1].in | in;
    bool together = asci_pq_together(&s->next, s->marked, mark(s, s->at.in, both, 1));
    mark(s, s->at.in, both, 0);
    if (together) return true;
  }
  return false;
}

/* Finds the exchange behind x->out and x->in, with the first of those that end in it: subsets of these from the greatest number down, for each
   the subsets of those that begin. */
static bool find_exchange(ex_sweep *s, ex_exchange *x) {
  uint32_t first = x->ends & -x->ends, others = x->ends ^ first, out = x->out ? x->out : x->ends, in = x->out ? x->in : 0;
  load_tree(s, x);
  for (;;) {
    int64_t sum = s->at.out_sums[out];
    /* whether those that end lie side by side, whoever begins; only then do boundaries count as looked at by others */
    bool fits = false;
    for (in = next_in(s, x, out, in, sum); in; in = next_in(s, x, out, in, sum)) {
      bool known = fits;
      if (known && is_refuted(s, x, out, in)) continue;
      if (!exchange(s, out, in)) break;
      fits = true;
      if ((!known && is_refuted(s, x, out, in)) || is_part_of_one(s, x, in)) continue;
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

/* Who stands beside the exchange that is looked for behind `top`: who stood beside that and chose the same, and at a new boundary who began there. */
static bool stand_beside(ex_sweep *s, const ex_exchange *top, ex_exchange *x) {
  uint32_t count = top ? top->beside_count : 0;
  x->beside = top ? top->beside + count : 0;
  if (!asci_grow(s->m->run->context, &s->beside, &s->beside_room, (size_t)x->beside + count + 1, sizeof *s->beside))
    return false;
  for (uint32_t k = 0; k < count; k++) {
    ex_beside at = s->beside[top->beside + k];
    const ex_start *other = &s->starts[at.start];
    ex_choice choice = s->choices[other->path + at.depth];
    if (choice.out == top->out && choice.in == top->in && at.depth + 1 < other->count)
      s->beside[x->beside + x->beside_count++] = (ex_beside){at.start, at.depth + 1};
  }
  uint32_t other = top && top->step != x->step ? start_at(s, asci_ex_sweep_section(s, x->step)) : EX_NONE;
  if (other != EX_NONE && s->starts[other].count) s->beside[x->beside + x->beside_count++] = (ex_beside){other, 0};
  return true;
}

static bool push(ex_sweep *s, uint32_t step, uint32_t ends, uint32_t begins, const pq_tree *tree) {
  asc_context *context = s->m->run->context;
  const ex_exchange *top = s->count ? &s->exchanges[s->count - 1] : NULL;
  uint32_t at = top ? top->tree + top->cells : 0;
  if (!asci_grow(context, &s->exchanges, &s->exchange_room, (size_t)s->count + 1, sizeof *s->exchanges) ||
      !asci_grow(context, &s->cells, &s->cell_room, (size_t)at + tree->count, sizeof *s->cells))
    return false;
  memcpy(s->cells + at, tree->cells, tree->count * sizeof *s->cells);
  ex_exchange next = {.step = step, .ends = ends, .begins = begins, .tree = at, .cells = tree->count};
  if (!stand_beside(s, s->count ? &s->exchanges[s->count - 1] : NULL, &next)) return false;
  s->exchanges[s->count++] = next;
  return true;
}

static uint32_t all_of(uint32_t count) {
  return (UINT32_C(1) << count) - 1;
}

/* Looks for an exchange at the boundary behind so many. */
static bool push_boundary(ex_sweep *s, uint32_t step, const pq_tree *tree) {
  asci_ex_sweep_visit(s, step);
  if (step >= s->farthest) s->farthest = step + 1;
  return push(s, step, all_of(s->at.out_count), all_of(s->at.in_count), tree);
}

/* Behind an exchange that was made, with s->next: the next one at this boundary, or the first at the next. *through: there is no next. */
static bool push_next(ex_sweep *s, bool *through) {
  const ex_exchange *x = &s->exchanges[s->count - 1];
  uint32_t step = x->step, ends = x->ends & ~x->out;
  if (ends) return push(s, step, ends, x->begins & ~x->in, &s->next);
  *through = !asci_ex_sweep_has_boundary(s, step + 1);
  return *through || push_boundary(s, step + 1, &s->next);
}

/* Everything that is alive in the first section, in any order. */
static bool push_first(ex_sweep *s) {
  const ex_model *m = s->m;
  uint32_t leaves[PQ_MOST_LEAVES], count = 0;
  for (uint32_t e = m->list_begin[s->start]; e < m->list_begin[s->start + 1]; e++) leaves[count++] = m->list[e];
  for (uint32_t k = 0; k < asci_ex_sweep_idle(s, s->start); k++)
    leaves[count++] = m->count + (s->start % 2) * EX_SWEEP_IDLE + k;
  asci_pq_any(&s->tree, leaves, count);
  s->count = s->farthest = 0;
  s->at_step = EX_NONE;
  return push_boundary(s, 0, &s->tree);
}

static bool is_choice(const ex_sweep *s, const ex_exchange *x, uint32_t out, uint32_t in) {
  uint32_t first = x->ends & -x->ends;
  return (out & first) && !(out & ~x->ends) && in && !(in & ~x->begins) && (out == x->ends) == (in == x->begins) &&
         s->at.out_sums[out] == s->at.in_sums[in];
}

/* ---- turns ----------------------------------------------------------------------------------------------------------- */

static void turn_to(ex_sweep *s, uint32_t k) {
  s->mirrored = k >= s->m->sections;
  s->start = s->mirrored ? k - s->m->sections : s->m->sections - 1 - k;
  s->count = 0;
}

/* EX_NONE: all are through. */
static uint32_t fewest(const ex_sweep *s) {
  uint32_t least = EX_NONE;
  for (uint32_t k = 0; k < 2 * s->m->sections; k++)
    if (!s->starts[k].through && (least == EX_NONE || s->starts[k].used < s->starts[least].used)) least = k;
  return least;
}

/* Who has made the fewest exchanges, of equal ones the first: from the far end of time back to the near one, then mirrored. Before `from` all have had their
   turn up to the limit. False: all are through, or too few exchanges are left for its turn. */
static bool next_turn(ex_sweep *s, uint32_t from) {
  uint32_t next = from, count = 2 * s->m->sections;
  while (next < count && (s->starts[next].through || s->starts[next].used >= s->limit)) next++;
  if (next == count) next = fewest(s);
  if (next == EX_NONE) return false;
  turn_to(s, next);
  s->used = s->starts[next].used;
  s->limit = s->used ? 4 * s->used : FIRST_LIMIT;
  return s->limit - s->used <= s->left;
}

/* Notes how far the sweep is. False: no memory. */
static bool note_path(ex_sweep *s, bool through) {
  ex_start *start = &s->starts[start_at(s, s->start)];
  if (start->room < s->count) {
    size_t room = 2 * (size_t)s->count;
    if (s->choice_count + room > UINT32_MAX ||
        !asci_grow(s->m->run->context, &s->choices, &s->choice_room, s->choice_count + room, sizeof *s->choices))
      return false;
    start->path = (uint32_t)s->choice_count;
    start->room = (uint32_t)room;
    s->choice_count += room;
  }
  for (uint32_t k = 0; k < s->count; k++) s->choices[start->path + k] = (ex_choice){s->exchanges[k].out, s->exchanges[k].in};
  start->count = s->count;
  start->used = s->used;
  start->farthest = s->farthest;
  start->through = through;
  return true;
}

/* Makes choice k of those noted again. *on: the next one is to be made as well; else the search goes on behind this one. False: no memory. */
static bool repeat_choice(ex_sweep *s, const ex_start *start, uint32_t k, bool *on) {
  ex_exchange *x = &s->exchanges[s->count - 1];
  ex_choice choice = s->choices[start->path + k];
  bool through = false;
  *on = false;
  asci_ex_sweep_visit(s, x->step);
  /* the last one is yet to be made, and in a damaged save any can be wrong */
  if (!is_choice(s, x, choice.out, choice.in)) return true;
  x->out = choice.out;
  x->in = choice.in;
  if (is_refuted(s, x, choice.out, choice.in)) return true;
  load_tree(s, x);
  if (!exchange(s, choice.out, choice.in)) return true;
  if (!push_next(s, &through)) return false;
  *on = !through;
  return true;
}

/* Takes the sweep up where it was. What other sweeps have refuted since is not gone into again. */
static bool take_up(ex_sweep *s) {
  const ex_start *start = &s->starts[start_at(s, s->start)];
  bool on = true;
  if (!push_first(s)) return false;
  for (uint32_t k = 0; k < start->count && on; k++)
    if (!repeat_choice(s, start, k, &on)) return false;
  if (start->farthest > s->farthest) s->farthest = start->farthest;
  return true;
}

int64_t asci_ex_most_idle(const ex_model *m, int64_t capacity) {
  int64_t most = 0;
  for (uint32_t t = 0; t < m->sections; t++)
    if (capacity - m->rest[t] > most) most = capacity - m->rest[t];
  return most;
}

static void forget_all(ex_sweep *s, int64_t capacity) {
  s->capacity = capacity;
  s->choice_count = 0;
  for (uint32_t k = 0; k < 2 * s->m->sections; k++) {
    turn_to(s, k); /* the one before begins at its next section */
    uint32_t reach = s->m->windows || !asci_ex_sweep_has_boundary(s, 0) ? 0 : 1 + s->starts[k - 1].reach;
    s->starts[k] = (ex_start){.reach = reach, .through = reach == 0};
  }
}

bool asci_ex_sweep_begin(ex_sweep *s, int64_t capacity, uint64_t exchanges) {
  if (s->capacity != capacity) forget_all(s, capacity);
  s->left = exchanges;
  s->limit = 0;
  return next_turn(s, 0);
}

bool asci_ex_sweep_goes_on(const ex_sweep *s) {
  return fewest(s) != EX_NONE;
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
  if (s->count == 0 && !take_up(s)) return EX_SWEPT_MEMORY;
  ex_exchange *x = &s->exchanges[s->count - 1];
  bool through = false;
  asci_ex_sweep_visit(s, x->step);
  if (!find_exchange(s, x)) return take_back(run, s, depth);
  tell_exchange(run, s, x, depth);
  s->used++;
  if (s->left) s->left--;
  if (!push_next(s, &through)) return EX_SWEPT_MEMORY;
  if (through && is_whole(s)) {
    build_plan(s);
    return EX_SWEPT_FOUND;
  }
  if (!through && s->used < s->limit && s->left) return EX_SWEPT_ON;
  if (!note_path(s, through)) return EX_SWEPT_MEMORY;
  return next_turn(s, start_at(s, s->start) + 1) ? EX_SWEPT_ON : EX_SWEPT_OVER;
}

void asci_ex_sweep_conflict(const ex_sweep *s, uint64_t *set) {
  for (uint32_t step = 0; step <= s->farthest; step++) {
    const uint64_t *row = s->m->members + (size_t)asci_ex_sweep_section(s, step) * s->m->words;
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
    top += asci_ex_leaf_size(s, s->order[k]);
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
    asci_ex_sweep_visit(s, x->step);
    uint32_t lowest = UINT32_MAX;
    for (uint32_t set = x->in; set; set &= set - 1) {
      uint32_t place = s->place[s->at.in[__builtin_ctz(set)]];
      if (place < lowest) lowest = place;
    }
    for (uint32_t set = x->out; set; set &= set - 1) s->place[s->at.out[__builtin_ctz(set)]] = lowest;
    load_tree(s, x);
    asci_pq_gather(&s->tree, s->marked, mark(s, s->at.out, x->out, 1), &s->next);
    mark(s, s->at.out, x->out, 0);
    uint32_t count = order_by(s, &s->next);
    if (x->ends == all_of(s->at.out_count)) set_offsets(s, count);
  }
  for (uint32_t i = 0; i < s->m->count; i++) s->order[i] = i;
  asci_sort(s->order, s->place, s->m->count, lies_lower, s->plan);
}

/* ---- saving ---------------------------------------------------------------------------------------------------------- */

/* Makes exchange number k of the save again. The last one of a sweep under way is looked for only: behind what was tried already. */
static asc_status load_exchange(ex_sweep *s, uint32_t out, uint32_t in, bool last, bool found) {
  ex_exchange *x = &s->exchanges[s->count - 1];
  bool through = false;
  asci_ex_sweep_visit(s, x->step);
  if (last && !found && !out) return in ? ASC_BAD_SAVE : ASC_OK;
  if (!is_choice(s, x, out, in)) return ASC_BAD_SAVE;
  x->out = out;
  x->in = in;
  load_tree(s, x);
  if (!exchange(s, out, in)) return ASC_BAD_SAVE;
  if (last && !found) return ASC_OK;
  if (!push_next(s, &through)) return ASC_OUT_OF_MEMORY;
  return through == last ? ASC_OK : ASC_BAD_SAVE;
}

static asc_status load_exchanges(ex_sweep *s, asci_saver *saver, uint32_t count, bool found) {
  if (saver->failed || s->start >= s->m->sections) return ASC_BAD_SAVE;
  uint32_t reach = s->starts[start_at(s, s->start)].reach;
  if (reach == 0) return ASC_BAD_SAVE;
  s->count = 0;
  if (count == 0) return found ? ASC_BAD_SAVE : ASC_OK;
  uint32_t farthest = s->farthest;
  if (farthest > reach) return ASC_BAD_SAVE;
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
  s->farthest = farthest;
  if (!found) return ASC_OK;
  if (!is_whole(s)) return ASC_BAD_SAVE;
  build_plan(s);
  return ASC_OK;
}

/* Of one sweep that has been under way. */
static asc_status keep_start(ex_sweep *s, asci_saver *saver, ex_start *start) {
  ASCI_KEEP(saver, start->used, MOST_USED);
  ASCI_KEEP(saver, start->farthest, start->reach);
  ASCI_KEEP(saver, start->through, 1);
  ASCI_KEEP(saver, start->count, saver->count);
  if (saver->failed || start->used == 0) return asci_unkept(saver);
  if (saver->loads) {
    if (s->choice_count + start->count > UINT32_MAX) return ASC_BAD_SAVE;
    if (!asci_grow(s->m->run->context, &s->choices, &s->choice_room, s->choice_count + start->count, sizeof *s->choices))
      return ASC_OUT_OF_MEMORY;
    start->path = (uint32_t)s->choice_count;
    start->room = start->count;
    s->choice_count += start->count;
  }
  for (uint32_t k = 0; k < start->count; k++) {
    ex_choice *choice = &s->choices[start->path + k];
    ASCI_KEEP(saver, choice->out, all_of(EX_SWEEP_ENDS));
    ASCI_KEEP(saver, choice->in, all_of(EX_SWEEP_ENDS));
  }
  return asci_kept(saver);
}

static bool is_under_way(const ex_start *start) {
  return start->used > 0;
}

/* The sweeps that have been under way, each behind its number; then a number that none has, unless the last was the last of all. */
asc_status asci_ex_sweep_keep_starts(ex_sweep *s, asci_saver *saver) {
  uint32_t count = 2 * s->m->sections;
  ASCI_KEEP_OR_NONE(saver, s->capacity, INT64_MAX - 1);
  if (saver->failed || s->capacity < 0) return asci_kept(saver);
  if (saver->loads) forget_all(s, s->capacity);
  for (uint32_t k = 0, next = 0; k < count; k = next + 1) {
    for (next = k; next < count && !is_under_way(&s->starts[next]);) next++;
    ASCI_KEEP(saver, next, count);
    if (saver->failed || next < k || (next < count && s->starts[next].reach == 0)) return asci_unkept(saver);
    asc_status status = next < count ? keep_start(s, saver, &s->starts[next]) : ASC_OK;
    if (status) return status;
  }
  return asci_kept(saver);
}

asc_status asci_ex_sweep_keep(ex_sweep *s, asci_saver *saver, bool found) {
  uint32_t count = s->count;
  ASCI_KEEP(saver, s->mirrored, 1);
  ASCI_KEEP(saver, s->start, s->m->sections);
  ASCI_KEEP(saver, s->farthest, s->m->sections);
  ASCI_KEEP(saver, s->used, MOST_USED);
  ASCI_KEEP(saver, s->limit, 4 * MOST_USED);
  ASCI_KEEP(saver, s->left, ASCI_ANY);
  ASCI_KEEP(saver, count, saver->count);
  if (saver->loads) return load_exchanges(s, saver, count, found);
  for (uint32_t k = 0; k < count; k++) {
    ASCI_KEEP(saver, s->exchanges[k].out, ASCI_ANY);
    ASCI_KEEP(saver, s->exchanges[k].in, ASCI_ANY);
  }
  return asci_kept(saver);
}
