/* Attempts: the arms in turn, each with a limit of nodes that grows from cycle to cycle (README 4). What an attempt that finished
 * without a packing says is a proof, whichever its arm. */

#define LONG_SHARE 8u /* short attempts have so many times the nodes of long ones, from this cycle on, */
#define LONG_CYCLE 16u
#define FEW_ITEMS 64u  /* ... and as many, from the first, for few items, */
#define TIGHT_SHARE 32 /* ... or where sections leave less than this part of the capacity idle, in the mean */

static uint64_t first_limit(const search *s) {
  return (uint64_t)s->whole->count * (uint64_t)s->m->options.first_budget / 100 + 100;
}

/* What the long attempts may have had by now. A plan that is hard to find is hard where there is room, and needs many short attempts. */
static uint64_t long_allowance(const search *s) {
  const ex_model *m = s->whole; /* not of boxes: it is asked before and after */
  int64_t capacity = s->capacity, sections = m->sections, quotient = 0, remainder = 0; /* the sum may not fit in 64 bits */
  for (uint32_t t = 0; t < m->sections; t++) {
    quotient += (capacity - m->rest[t]) / sections;
    remainder += (capacity - m->rest[t]) % sections;
  }
  int64_t idle = sections ? quotient + remainder / sections : 0;
  bool proves = m->count <= FEW_ITEMS || idle <= capacity / TIGHT_SHARE;
  return proves ? s->short_nodes : s->cycle >= LONG_CYCLE ? s->short_nodes / LONG_SHARE : 0;
}

/* Minimising with a plan, a probe's nodes are counted, and its last ones are one long attempt. Without a plan the only probe goes on
   until it is decided, with long attempts between cycles. */
static bool is_counted(const search *s) {
  return s->m->minimize && s->upper >= 0;
}

/* Begins the present arm's attempt with at most `most` nodes. */
static asc_outcome begin_arm(search *s, uint64_t most) {
  uint32_t arm = s->m->order[s->arm_at];
  if (!take_arm(s)) return ASC_OUTCOME_OUT_OF_MEMORY;
  s->unlimited = !s->m->options.restarts;
  uint64_t limit = !s->lengthy ? s->limit : is_counted(s) ? most : long_allowance(s) - s->long_nodes;
  s->nodes_left = limit < most ? limit : most;
  if (s->elastic) s->nodes_left = most;
  s->attempt_nodes = s->nodes_left;
  if (!glue(s)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (s->gluing) forget_nogoods(s, true);
  descent opened = begin(s, EX_NONE);
  s->started = opened == DESCENT_NODE;
  asci_step_other(s->run, ASC_EVENT_RESTART, arm, (int64_t)s->nodes_left, s->depth);
  asci_mark(s->run, ASC_MARK_RESTART, arm);
  ASC_EMIT(s->run, RESTART, LINE_SEARCH, .round = (int64_t)s->cycle, .arm = arm, .limit = (int64_t)s->attempt_nodes);
  return after_descent(s, opened);
}

/* After a cycle the next long attempt may take what the long ones are allowed and have not had, if that is more than twice what the
   last one took. */
static bool may_be_long(const search *s) {
  return long_allowance(s) > s->long_nodes + 2 * s->last_long;
}

/* Arms that ask where children are few or failures many refute soonest. */
static bool refutes_soon(ex_score score) {
  return score == EX_SCORE_CHILDREN || score == EX_SCORE_WEIGHTED || score == EX_SCORE_MIXED_WEIGHT;
}

/* The places of the plain arms, or of those that refute soon alone. Returns how many there are. */
static uint32_t find_plain(const ex_model *m, bool soon, uint32_t *places) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < m->early_count; k++) {
    const ex_arm *arm = &m->arms[m->order[k]];
    if (!arm->glued && (!soon || refutes_soon(arm->score))) places[count++] = k;
  }
  return count;
}

/* They take turns, as cycles do. */
static uint32_t long_arm(const search *s) {
  uint32_t places[EX_MAX_ARMS] = {0}, count = find_plain(s->m, true, places);
  if (!count) count = find_plain(s->m, false, places);
  return places[s->cycle % count];
}

static void next_arm(search *s) {
  uint64_t nodes = s->attempt_nodes - s->nodes_left; /* a glued attempt may end before its limit */
  s->started = false;
  s->probe_left -= nodes < s->probe_left ? nodes : s->probe_left;
  if (s->lengthy) {
    s->lengthy = false;
    s->long_nodes += nodes;
    s->last_long = nodes;
    s->arm_at = 0;
    return;
  }
  s->short_nodes += nodes;
  if (is_counted(s) && s->round && s->short_nodes >= s->probe_left) {
    s->lengthy = true;
    if (s->arm->glued) s->arm_at = long_arm(s); /* it proves nothing */
    return;
  }
  const ex_model *m = s->m;
  if (++s->arm_at < (m->glues && s->cycle ? m->arm_count : m->early_count))
    return; /* boxes from the first cycle on, piles from the second */
  s->arm_at = 0;
  s->sweep_due = true;
  s->cycle++;
  s->limit += s->limit / 100 * (uint64_t)(s->m->options.growth - 100) +
              s->limit % 100 * (uint64_t)(s->m->options.growth - 100) / 100;
  if (is_counted(s) || !may_be_long(s)) return;
  s->lengthy = true;
  s->arm_at = long_arm(s);
}

#include "minimise.h"

/* ---- ends ------------------------------------------------------------------------------------------------------------ */

static asc_outcome solved(search *s) {
  if (s->m->minimize) return solved_minimising(s);
  asc_run *run = s->run;
  s->started = false;
  memcpy(run->best, s->offset, s->m->problem->count * sizeof *s->offset);
  int64_t height = asc_height(s->m->problem, s->offset);
  asci_mark(run, ASC_MARK_INCUMBENT, height);
  ASC_EMIT(run, INCUMBENT, LINE_DESCEND, .height = height);
  return ASC_OUTCOME_FEASIBLE;
}

/* Within how many bytes there is no plan, once an attempt has shown that there is none. */
static int64_t refuted_bytes(const search *s) {
  int64_t within = bytes_of(s, (int64_t)s->capacity + 1) - 1;
  if (!s->m->limits) return within - within % s->m->round_to;
  return bytes_of(s, s->m->minimize && s->upper >= 0 ? height_after(s) : refuted_height(s) + 1) - 1;
}

/* The root's conflict is the reason: s->conflict. */
static asc_outcome refuted(search *s) {
  if (proving(s)) prove_refuted(s, refuted_bytes(s));
  if (s->m->minimize) {
    asc_outcome outcome = refuted_minimising(s);
    if (outcome != ASC_OUTCOME_INFEASIBLE) return outcome;
  }
  const ex_model *m = s->m;
  s->started = false;
  s->refuted = true;
  uint32_t count = 0;
  for (uint32_t b = 0; b < m->problem->count; b++)
    if (m->item[b] != EX_NONE && has_bit(s->conflict, m->item[b])) s->conflict_buffers[count++] = b;
  s->run->conflict = s->conflict_buffers;
  s->run->conflict_count = count;
  return ASC_OUTCOME_INFEASIBLE;
}

/* ---- before the search ------------------------------------------------------------------------------------------------ */

static asc_outcome reject_problem(search *s, uint32_t buffer, asc_rule rule, uint32_t section, int64_t floor, int64_t rest) {
  asc_run *run = s->run;
  asci_step_reject(run, rule, buffer, 0, s->depth);
  if (asci_traced(run)) {
    ASC_TELL(run, REJECT, LINE_OVERFLOW, .buffer = buffer, .rule = rule, .section = section, .floor = floor, .rest = rest);
    list_set(s, s->conflict, true);
  }
  return refuted(s);
}

/* An item that ends above the capacity wherever it may lie, or EX_NONE. */
static uint32_t first_misfit(search *s) {
  for (uint32_t i = 0; i < s->m->count; i++)
    if (!may_end(s, i, s->first_least[i])) return i;
  return EX_NONE;
}

static int64_t first_height(const search *s, uint32_t t) {
  return s->first_floor[t] + s->m->rest[t];
}

/* Of the sections whose load alone exceeds the capacity the one that does so most, or EX_NONE. */
static uint32_t worst_section(const search *s) {
  uint32_t worst = EX_NONE;
  for (uint32_t t = 0; t < s->m->sections; t++)
    if (first_height(s, t) > s->capacity && (worst == EX_NONE || first_height(s, t) > first_height(s, worst))) worst = t;
  return worst;
}

/* Whether alignments make a section's pile too high; s->conflict is its buffers then. */
static bool is_piled_up(search *s) {
  const ex_model *m = s->m;
  const asc_problem *problem = m->problem;
  if (m->pile <= bytes_of(s, (int64_t)s->asked + 1) - 1) return false;
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t b = m->buffer[i];
    for (uint32_t q = problem->piece_begin[b]; q < problem->piece_begin[b + 1]; q++)
      if (problem->pieces[q].first <= m->piled && m->piled < problem->pieces[q].end) set_bit(s->conflict, i);
  }
  return true;
}

/* What needs no search, and what a search takes for granted: everything fits where it is lowest. */
static asc_outcome check_problem(search *s) {
  const ex_model *m = s->m;
  uint32_t i = first_misfit(s), worst = worst_section(s);
  memset(s->conflict, 0, m->words * sizeof *s->conflict);
  if (i != EX_NONE) {
    set_bit(s->conflict, i);
    s->proof.why = (why){"#", m->buffer[i]};
    return reject_problem(s, m->buffer[i], ASC_RULE_DOMAIN, ASC_NONE, bytes_of(s, s->first_least[i]),
                          bytes_of(s, s->size[i]));
  }
  if (worst == EX_NONE && is_piled_up(s)) {
    int64_t load = m->problem->sections[m->piled].load;
    uint32_t w = 0;
    while (!s->conflict[w]) w++;
    s->proof.why = (why){NULL, 0}; /* the engine says it */
    return reject_problem(s, m->buffer[w * 64 + (uint32_t)__builtin_ctzll(s->conflict[w])], ASC_RULE_PILE, m->piled, 0,
                          load);
  }
  if (worst == EX_NONE) return ASC_OUTCOME_RUNNING;
  memcpy(s->conflict, m->members + (size_t)worst * m->words, m->words * sizeof *s->conflict);
  s->proof.why = (why){"!", time_of(s, worst)};
  return reject_problem(s, m->buffer[m->list[m->list_begin[worst]]], ASC_RULE_SECTION, m->problem_section[worst],
                        bytes_of(s, s->first_floor[worst]), bytes_of(s, m->rest[worst]));
}

/* Buffers that occupy nothing are in no one's way: they go first, each at 0 or where it is fixed. */
static asc_outcome place_weightless(search *s) {
  const ex_model *m = s->m;
  uint32_t buffer = m->weightless[s->base];
  const asc_buffer_spec *spec = &m->problem->buffers[buffer];
  int64_t offset = spec->offset == ASC_UNPLACED ? 0 : spec->offset;
  if (!m->minimize && offset + spec->size > s->run->capacity) {
    memset(s->conflict, 0, m->words * sizeof *s->conflict);
    s->proof.why = (why){NULL, 0};
    asc_outcome outcome = reject_problem(s, buffer, ASC_RULE_CAPACITY, ASC_NONE, offset + spec->size, 0);
    s->conflict_buffers[0] = buffer;
    s->run->conflict_count = 1;
    return outcome;
  }
  s->base++;
  s->offset[buffer] = offset;
  s->placed[s->depth++] = buffer;
  asci_step_place(s->run, buffer, offset, s->depth);
  ASC_EMIT(s->run, PLACE, LINE_PLACE, .buffer = buffer, .offset = offset, .support = ASC_NONE, .of = 1);
  return ASC_OUTCOME_RUNNING;
}

#include "exchange.h"

static asc_outcome begin_checked(search *s, uint64_t most) {
  asc_outcome outcome = check_problem(s);
  if (outcome != ASC_OUTCOME_RUNNING || begin_sweep(s)) return outcome;
  return begin_arm(s, most);
}

static asc_outcome begin_attempt(search *s) {
  unglue(s);
  return s->m->minimize ? begin_minimising(s) : begin_checked(s, UINT64_MAX);
}

static asc_outcome kernel_advance(asc_run *run, void *state) {
  search *s = state;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    if (s->base < s->m->weightless_count)
      outcome = place_weightless(s);
    else if (s->pending)
      outcome = tell_bound(s);
    else if (s->sweeping)
      outcome = step_sweep(s);
    else if (!s->started)
      outcome = begin_attempt(s);
    else if (is_showing(s))
      outcome = place_member(s);
    else
      outcome = step_node(s);
  }
  return outcome;
}
