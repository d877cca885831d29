/* The search itself: one step at a time at the last node, the rounds of attempts around it (paper sections 6 and 7). */
#include "search.h"

static asc_outcome succeed(mm_search *s) {
  asc_run *run = s->run;
  for (uint32_t b = 0; b < s->problem->count; b++) run->best[b] = s->offset[b];
  int64_t height = asc_height(s->problem, s->offset);
  asci_mark(run, ASC_MARK_INCUMBENT, height);
  ASC_EMIT(run, INCUMBENT, LINE_DESCEND, .height = height);
  return ASC_OUTCOME_FEASIBLE;
}

static asc_outcome after_descent(mm_search *s, mm_descent end) {
  switch (end) {
  case DESCENT_NODE:
    return ASC_OUTCOME_RUNNING;
  case DESCENT_SOLVED:
    return succeed(s);
  case DESCENT_MEMORY:
    return ASC_OUTCOME_OUT_OF_MEMORY;
  default: /* limit used up: the next heuristic, after the last one the next round */
    s->started = false;
    s->arm++;
    return ASC_OUTCOME_RUNNING;
  }
}

/* Buffers that occupy nothing (size 0, or nothing but gaps) are in no one's way: they go first, each at 0 or where it is fixed. */
static asc_outcome place_weightless(mm_search *s) {
  uint32_t buffer = s->weightless[s->base];
  int64_t fixed = s->problem->buffers[buffer].offset, offset = fixed == ASC_UNPLACED ? 0 : fixed;
  if (offset + s->size[buffer] > s->run->capacity) {
    asci_step_reject(s->run, ASC_RULE_CAPACITY, buffer, offset, s->depth);
    ASC_EMIT(s->run, REJECT, LINE_CHECK, .buffer = buffer, .offset = offset, .rule = ASC_RULE_CAPACITY, .section = ASC_NONE,
             .floor = offset + s->size[buffer]);
    return ASC_OUTCOME_INFEASIBLE;
  }
  s->base++;
  s->offset[buffer] = s->least[buffer] = offset;
  s->placed[s->depth++] = buffer;
  asci_step_place(s->run, buffer, offset, s->depth);
  ASC_EMIT(s->run, PLACE, LINE_PLACE, .buffer = buffer, .offset = offset, .support = ASC_NONE, .of = 1);
  return ASC_OUTCOME_RUNNING;
}

/* Several heuristics in turn, with limits of nodes that start at twice the number of buffers and double each round. One heuristic
   alone has no limit. */
static asc_outcome begin_attempt(mm_search *s) {
  if (s->arm == s->arm_count) {
    s->arm = 0;
    s->round++;
  }
  if (s->arm == 0 && s->limit <= UINT64_MAX / 2) s->limit *= 2;
  mm_descent opened = asci_mm_begin(s);
  s->started = opened == DESCENT_NODE;
  if (!s->unlimited) {
    asci_step_other(s->run, ASC_EVENT_RESTART, (uint32_t)s->arm, (int64_t)s->limit, s->depth);
    asci_mark(s->run, ASC_MARK_RESTART, (int64_t)s->arm);
    ASC_EMIT(s->run, RESTART, LINE_SEARCH, .round = (int64_t)s->round, .arm = (int64_t)s->arm, .limit = (int64_t)s->limit);
  }
  return after_descent(s, opened);
}

static void skip(mm_search *s, mm_frame *f, asc_rule rule, uint32_t to) {
  uint32_t from = f->next, first = asci_mm_member(s, f, from);
  asci_step_skip(s->run, rule, first, s->least[first], to - from, s->depth);
  if (asci_traced(s->run)) asci_mm_explain_skip(s, f, rule, from, to);
  f->next = to;
}

/* The last child tried goes where asci_mm_try has seen that it may. */
static asc_outcome place_child(mm_search *s, mm_frame *f, uint32_t buffer) {
  asc_run *run = s->run;
  if (!asci_mm_apply(s, buffer)) return ASC_OUTCOME_OUT_OF_MEMORY;
  f->placed = true;
  asci_step_place(run, buffer, s->offset[buffer], s->depth);
  if (asci_traced(run)) asci_mm_explain_place(s, f, buffer);
  uint32_t parts = (uint32_t)s->part_count;
  mm_descent end = asci_mm_descend(s);
  if (s->part_count > (size_t)parts + 1) {
    asci_mark(run, ASC_MARK_DECOMPOSE, (int64_t)s->part_count - parts);
    if (asci_traced(run)) {
      ASC_TELL(run, DECOMPOSE, LINE_DESCEND, .parts = (int64_t)s->part_count - parts);
      for (size_t p = parts; p < s->part_count; p++) asci_event_list(run, s->members[s->parts[p].members]);
    }
  }
  return after_descent(s, end);
}

/* Tries the next children, up to the first that is placed. Most are rejected: what the next one needs stays in variables. */
static asc_outcome try_children(mm_search *s, mm_frame *f) {
  asc_run *run = s->run;
  const uint32_t *list = s->lists + f->list;
  uint32_t end = s->options.dynamic_ordering ? f->high : f->next + 1;
  do {
    uint32_t buffer = list[f->next], rest;
    if (s->least[buffer] + f->most_total > run->capacity && (rest = asci_mm_reject_rest(s, f)) > 0) {
      f->next += rest;
      continue;
    }
    f->next++;
    if (asci_mm_try(s, f, buffer)) return place_child(s, f, buffer);
    asci_step_reject(run, s->effect.rule, buffer, s->least[buffer], s->depth);
    if (asci_traced(run)) asci_mm_explain_reject(s, f, buffer);
  } while (f->next < end && asci_more(run));
  return ASC_OUTCOME_RUNNING;
}

/* Takes back the last frame and all that was solved above its parent, then the parent's child. Gives the parent; 0: the root. */
static uint32_t leave(mm_search *s) {
  const mm_frame *failed = &s->frames[s->frame_count - 1];
  uint32_t parent = failed->part_root ? failed->owner : (uint32_t)s->frame_count - 2;
  while (s->frame_count - 1 > parent) {
    const mm_frame *f = &s->frames[s->frame_count - 1];
    if (f->placed) asci_mm_undo(s, f, asci_mm_member(s, f, f->next - 1));
    s->frame_count--;
  }
  mm_frame *f = &s->frames[parent];
  if (parent) {
    asci_mm_undo(s, f, asci_mm_member(s, f, f->next - 1));
    f->placed = false;
    s->list_count = f->lists_mark;
    s->member_count = f->members_mark;
    if (s->part_count > f->parts_mark) asci_mm_number_members(s, &s->parts[f->part]);
    s->part_count = f->parts_mark;
  }
  return parent;
}

/* Whether a node has a child left to try. On the way up what is left and dominated is not announced: the backtrack is one step. */
static bool has_more(mm_search *s, mm_frame *f) {
  if (s->options.hatless_pruning && f->next < f->count)
    f->hatless = !asci_mm_has_hat(s, f, asci_mm_member(s, f, f->next - 1));
  if (f->hatless) return true;
  return f->next < (s->options.dynamic_ordering ? f->high : f->count);
}

/* The last node is left without a solution: back to the nearest one that has a child left. Every node left counts one backtrack. */
static asc_outcome backtrack(mm_search *s) {
  asc_run *run = s->run;
  uint32_t from = s->depth, parent;
  uint64_t nodes = 0;
  do {
    nodes++;
    parent = leave(s);
  } while (parent && !has_more(s, &s->frames[parent]));
  uint32_t to = s->depth, last = from > to ? s->placed[to] : ASC_NONE;
  bool major = asci_step_backtrack(run, from, to, last, nodes, false);
  if (asci_traced(run)) {
    ASC_TELL(run, BACKTRACK, parent ? LINE_UNDO : LINE_FAIL, .from = from, .to = to, .buffer = last, .major = major);
    for (uint32_t level = from; level-- > to;) asci_event_list(run, s->placed[level]);
  }
  if (parent) return ASC_OUTCOME_RUNNING;
  s->started = false;
  return s->proof ? ASC_OUTCOME_INFEASIBLE : ASC_OUTCOME_EXHAUSTED;
}

/* Without dynamic ordering each child is looked at where it stands. */
static asc_rule passed_over(const mm_search *s, const mm_frame *f, uint32_t index) {
  uint32_t child = asci_mm_member(s, f, index), position = s->position[child];
  int64_t offset = s->least[child];
  if (s->options.canonical_only && (offset < f->last_offset || (offset == f->last_offset && position < f->last_position)))
    return ASC_RULE_CANONICAL;
  return s->options.check_dominance && offset >= f->least_top ? ASC_RULE_DOMINANCE : ASC_RULE_NONE;
}

/* Passes over the next children, if a rule says so. */
static bool passes_over(mm_search *s, mm_frame *f) {
  asc_rule rule;
  uint32_t to;
  if (s->options.dynamic_ordering) {
    if (f->next >= f->low && f->next < f->high) return false;
    rule = f->next < f->low ? ASC_RULE_CANONICAL : ASC_RULE_DOMINANCE;
    to = f->next < f->low ? f->low : f->count;
  } else {
    rule = passed_over(s, f, f->next);
    if (rule == ASC_RULE_NONE) return false;
    to = f->next + 1;
    while (to < f->count && passed_over(s, f, to) == rule) to++;
  }
  skip(s, f, rule, to);
  return true;
}

/* One step at the last node. */
static asc_outcome step_node(mm_search *s) {
  mm_frame *f = &s->frames[s->frame_count - 1];
  if (f->next >= f->count) return backtrack(s);
  if (f->hatless) {
    skip(s, f, ASC_RULE_HATLESS, f->count);
    f->hatless = false;
    return ASC_OUTCOME_RUNNING;
  }
  if (passes_over(s, f)) return ASC_OUTCOME_RUNNING;
  return try_children(s, f);
}

asc_outcome asci_mm_advance(asc_run *run, void *state) {
  mm_search *s = state;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    if (s->base < s->weightless_count)
      outcome = place_weightless(s);
    else if (!s->started)
      outcome = begin_attempt(s);
    else
      outcome = step_node(s);
  }
  return outcome;
}
