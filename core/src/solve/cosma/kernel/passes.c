#include "passes.h"

#include "base/arrays.h"

#include <string.h>

static bool solution_new(cosma_model *m, cosma_solution *solution) {
  size_t n = (size_t)m->op_count + 1;
  *solution = (cosma_solution){.cost = ASC_UNPLACED};
  solution->order = asci_arena_alloc(m->context, &m->arena, n * sizeof *solution->order);
  solution->evict_begin = asci_arena_alloc(m->context, &m->arena, n * sizeof *solution->evict_begin);
  return solution->order && solution->evict_begin;
}

/* What is ahead of the beginning is in every plan. */
static bool bound_all(cosma_passes *p) {
  const cosma_model *m = p->m;
  size_t words = m->op_words + m->value_words;
  uint64_t *none = asci_arena_alloc(m->context, &p->m->arena, words * sizeof *none);
  if (!none) return false;
  memset(none, 0, words * sizeof *none);
  p->bound = asci_cosma_ahead(&p->landmarks, none, none, none, none);
  return true;
}

static const asci_array arrays[] = {
    ASCI_OWN(cosma_passes, best.evicted),
    ASCI_OWN(cosma_passes, peak.evicted),
    ASCI_OWN(cosma_passes, other.evicted),
};

asc_status asci_cosma_passes_new(cosma_model *m, const cosma_settings *set, cosma_passes *p) {
  *p = (cosma_passes){.m = m, .set = *set};
  size_t n = (size_t)m->op_count + 1;
  p->identity = asci_arena_alloc(m->context, &m->arena, n * sizeof *p->identity);
  p->part = asci_arena_alloc(m->context, &m->arena, n * sizeof *p->part);
  p->live = asci_arena_alloc(m->context, &m->arena, n * sizeof *p->live);
  if (!p->identity || !p->part || !p->live || !solution_new(m, &p->best) || !solution_new(m, &p->peak) ||
      !solution_new(m, &p->other) || !asci_cosma_search_new(m, set->most_bytes, &p->search)) {
    asci_cosma_passes_free(p);
    return ASC_OUT_OF_MEMORY;
  }
  for (uint32_t k = 0; k <= m->op_count; k++) p->identity[k] = k;
  p->over = !set->height && set->capacity < m->required;
  if (!set->height && !p->over && (asci_cosma_landmarks_new(m, set->capacity, &p->landmarks) || !bound_all(p))) {
    asci_cosma_passes_free(p);
    return ASC_OUT_OF_MEMORY;
  }
  if (set->height) p->bound = m->required;
  return ASC_OK;
}

void asci_cosma_passes_free(cosma_passes *p) {
  if (!p->m) return;
  asci_cosma_search_free(&p->search);
  asci_cosma_landmarks_free(&p->landmarks);
  asci_arrays_free(p->m->context, ASCI_TABLE(arrays), p);
}

/* ---- cuts ------------------------------------------------------------------------------------------------------------ */

void asci_cosma_live(const cosma_model *m, const uint32_t *order, uint32_t *left, int64_t *live) {
  int64_t now = 0;
  for (uint32_t v = 0; v < m->value_count; v++) left[v] = m->readers.begin[v + 1] - m->readers.begin[v];
  for (uint32_t k = 0; k < m->op_count; k++) {
    uint32_t op = order[k];
    for (uint32_t r = m->reads.begin[op]; r < m->reads.begin[op + 1]; r++) {
      uint32_t value = m->reads.entries[r], all = m->readers.begin[value + 1] - m->readers.begin[value];
      if (m->values[value].maker == ASC_NONE && left[value] == all) now += m->values[value].size;
      if (--left[value] == 0) now -= m->values[value].size;
    }
    for (uint32_t k2 = m->makes.begin[op]; k2 < m->makes.begin[op + 1]; k2++)
      if (left[m->makes.entries[k2]]) now += m->values[m->makes.entries[k2]].size;
    live[k] = now;
  }
}

uint32_t asci_cosma_cut(const int64_t *live, uint32_t count, uint32_t length, uint32_t *part) {
  uint32_t cuts = 0, at = 0; /* places before at have their part */
  while (length > 1 && at + length / 2 < count) {
    uint32_t first = at + length / 2, end = at + length + length / 2, least = first;
    if (end >= count) break;
    for (uint32_t k = first; k < end; k++)
      if (live[k] < live[least]) least = k;
    for (; at <= least; at++) part[at] = cuts;
    cuts++;
  }
  for (; at < count; at++) part[at] = cuts;
  return cuts;
}

static bool set_cuts(cosma_passes *p) {
  const cosma_model *m = p->m;
  uint32_t *left = asci_alloc(m->context, m->value_count, sizeof *left);
  if (!left) return false;
  asci_cosma_live(m, p->peak.order, left, p->live);
  p->cut_count = asci_cosma_cut(p->live, m->op_count, p->set.cut_length, p->part);
  asci_free(m->context, left);
  return true;
}

/* ---- which pass comes next ------------------------------------------------------------------------------------------- */

static bool is_peak(cosma_stage stage) {
  return stage <= COSMA_PEAK_EXACT;
}

static const cosma_solution *best_of(const cosma_passes *p, cosma_stage stage) {
  return is_peak(stage) ? &p->peak : &p->best;
}

static bool is_wanted(const cosma_passes *p, cosma_stage stage) {
  bool joint = p->set.schedule == COSMA_JOINT, file = p->set.schedule == COSMA_FILE;
  switch (stage) {
  case COSMA_PEAK_FILE:
    return !file || p->set.height;
  case COSMA_PEAK_BEAM:
    return !file;
  case COSMA_PEAK_EXACT:
    return !file && (p->set.height || !joint);
  case COSMA_FIXED_FILE:
    return !p->set.height && (file || joint);
  case COSMA_FIXED_PEAK:
    return !p->set.height && !file;
  case COSMA_CUTS:
    return !p->set.height && joint && p->set.cut_length > 0;
  case COSMA_EXACT:
    return !p->set.height && joint && (!p->set.whole || p->m->op_count <= p->set.whole);
  default:
    return false;
  }
}

static bool begin_pass(cosma_passes *p) {
  cosma_stage stage = p->stage;
  const cosma_solution *best = best_of(p, stage);
  cosma_pass pass = {.peak = is_peak(stage), .capacity = p->set.capacity};
  pass.upper = best->cost == ASC_UNPLACED ? INT64_MAX : best->cost;
  pass.width = p->set.width;
  if (stage == COSMA_PEAK_BEAM) pass.width = p->set.beam;
  bool only_bounds = p->set.schedule == COSMA_JOINT && stage != COSMA_EXACT && !pass.peak;
  if (only_bounds && (!pass.width || pass.width > 32 * p->set.beam)) pass.width = 32 * p->set.beam;
  if (stage == COSMA_PEAK_FILE || stage == COSMA_FIXED_FILE) pass.order = p->identity;
  if (stage == COSMA_FIXED_PEAK || stage == COSMA_CUTS) pass.order = p->peak.order;
  pass.part = p->identity;
  if (!pass.peak) pass.landmarks = &p->landmarks;
  if (stage == COSMA_CUTS) {
    if (!set_cuts(p)) return false;
    pass.part = p->part;
  }
  return asci_cosma_search_begin(&p->search, &pass);
}

/* ---- what a pass came to --------------------------------------------------------------------------------------------- */

static bool take_solution(cosma_passes *p, cosma_solution *to) {
  const cosma_search *s = &p->search;
  uint32_t count = p->m->op_count, total = 0, some;
  for (uint32_t r = s->found; r != ASC_NONE; r = s->records[r].parent) {
    asci_cosma_evicted(s, r, &some);
    total += some;
  }
  if (!asci_grow(p->m->context, &to->evicted, &to->evicted_room, total, sizeof *to->evicted)) return false;
  to->evict_begin[count] = total;
  for (uint32_t r = s->found; r != ASC_NONE; r = s->records[r].parent) {
    const uint32_t *values = asci_cosma_evicted(s, r, &some);
    total -= some;
    if (some) memcpy(to->evicted + total, values, some * sizeof *values);
    to->evict_begin[--count] = total;
    to->order[count] = s->records[r].op;
  }
  to->cost = s->found_cost;
  return true;
}

static bool copy_peak(cosma_passes *p, int64_t cost) {
  p->best.cost = cost;
  memcpy(p->best.order, p->peak.order, p->m->op_count * sizeof *p->peak.order);
  memset(p->best.evict_begin, 0, ((size_t)p->m->op_count + 1) * sizeof *p->best.evict_begin);
  return true;
}

static void raise_bound(cosma_passes *p, int64_t bound) {
  if (bound > p->bound) p->bound = bound;
}

/* What the pass proved of the plans that are asked for: a fixed order's pass of those in that order alone. */
static void conclude(cosma_passes *p) {
  const cosma_search *s = &p->search;
  bool all = p->set.schedule == COSMA_JOINT;
  if (is_peak(p->stage)) {
    bool whole = p->stage == COSMA_PEAK_EXACT || p->set.schedule == COSMA_FILE;
    if (p->stage == COSMA_PEAK_EXACT) p->peak_proven = !s->truncated;
    if (whole && p->set.height) raise_bound(p, s->bound);
  } else if (p->stage == COSMA_EXACT || !all)
    raise_bound(p, s->bound);
}

static bool take_result(cosma_passes *p) {
  const cosma_search *s = &p->search;
  bool peak = is_peak(p->stage);
  p->states += s->kept;
  conclude(p);
  if (s->found == ASC_NONE) return true;
  if (!take_solution(p, peak ? &p->peak : &p->best)) return false;
  if (!peak) return true;
  if (p->set.height) return copy_peak(p, p->peak.cost);
  /* an order whose peak fits needs no traffic (a plan of the given order alone is another question) */
  if (p->peak.cost <= p->set.capacity && p->set.schedule == COSMA_JOINT) return copy_peak(p, 0);
  return true;
}

static void next_stage(cosma_passes *p) {
  p->begun = false;
  do {
    p->stage++;
  } while (p->stage < COSMA_STAGES && !is_wanted(p, p->stage));
  bool met = p->best.cost != ASC_UNPLACED && p->best.cost <= p->bound;
  p->over = p->stage == COSMA_STAGES || met;
}

static cosma_step give_up(cosma_passes *p) {
  p->over = true;
  return COSMA_FULL;
}

cosma_step asci_cosma_passes_step(cosma_passes *p) {
  if (!p->begun) {
    if (!is_wanted(p, p->stage)) next_stage(p);
    if (!begin_pass(p)) return give_up(p);
    p->begun = true;
  }
  cosma_step step = asci_cosma_search_step(&p->search);
  if (step != COSMA_END && step != COSMA_FULL) return step;
  if (!take_result(p)) return give_up(p);
  next_stage(p);
  return step;
}

void asci_cosma_passes_again(cosma_passes *p, uint64_t seed) {
  cosma_pass pass = {.capacity = p->set.capacity,
                     .upper = p->best.cost + 1,
                     .landmarks = &p->landmarks,
                     .part = p->identity,
                     .width = p->set.width,
                     .seed = seed};
  p->stage = COSMA_OTHERS;
  (void)asci_cosma_search_begin(&p->search, &pass); /* it has the room of the passes before */
}

bool asci_cosma_passes_other(cosma_passes *p) {
  return p->search.found != ASC_NONE && take_solution(p, &p->other);
}
