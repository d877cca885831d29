#include "solve/baselines/pairs.h"

#include "base/arrays.h"
#include "base/diag.h"
#include "model/lifespan/overlaps.h"

enum { PER_BUFFER, PER_PAIR };
static const asci_array arrays[] = {
    ASCI_ARRAY(asci_pairs, pairs, PER_PAIR, ASCI_ZEROS),   ASCI_ARRAY(asci_pairs, decided, PER_PAIR, ASCI_RAW),
    ASCI_ARRAY(asci_pairs, low, PER_BUFFER, ASCI_ZEROS),   ASCI_ARRAY(asci_pairs, before, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(asci_pairs, members, PER_BUFFER, ASCI_RAW), ASCI_OWN(asci_pairs, levels),
};

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static void list_pairs(asci_pairs *s, const asci_overlaps *overlaps) {
  const asc_problem *problem = s->problem;
  uint32_t count = 0;
  for (uint32_t a = 0; a < problem->count; a++)
    for (size_t k = overlaps->begin[a]; k < overlaps->begin[a + 1]; k++)
      if (overlaps->other[k] > a)
        s->pairs[count++] = (asci_pair){.a = a,
                                        .b = overlaps->other[k],
                                        .a_below = problem->buffers[a].size,
                                        .b_below = problem->buffers[overlaps->other[k]].size};
}

asc_status asci_pairs_new(asci_pairs *s, asc_run *run, const asci_pair_rules *rules) {
  const asc_problem *problem = run->problem;
  uint32_t n = problem->count;
  s->run = run;
  s->problem = problem;
  s->rules = rules;
  s->capacity = run->capacity < ASC_MAX_BYTES ? run->capacity : ASC_MAX_BYTES;
  uint32_t *counts = asci_alloc(run->context, n, sizeof *counts);
  asc_status status = counts ? asci_overlap_counts(problem, counts) : ASC_OUT_OF_MEMORY;
  uint64_t ends = 0;
  for (uint32_t b = 0; !status && b < n; b++) ends += counts[b];
  asci_free(run->context, counts);
  if (status) return status;
  if (ends / 2 > ASCI_MOST_PAIRS) return ASC_TOO_LARGE;
  asci_overlaps overlaps;
  status = asci_overlaps_new(problem, &overlaps);
  if (status) return status;
  s->pair_count = (uint32_t)(overlaps.begin[n] / 2);
  const size_t rows[] = {n, s->pair_count};
  if (asci_arrays_new(run->context, ASCI_TABLE(arrays), rows, s))
    list_pairs(s, &overlaps);
  else
    status = ASC_OUT_OF_MEMORY;
  asci_overlaps_free(problem, &overlaps);
  for (uint32_t b = 0; !status && b < n; b++) s->members[b] = b;
  return status;
}

void asci_pairs_free(asci_pairs *s) {
  if (s->run) asci_arrays_free(s->run->context, ASCI_TABLE(arrays), s);
}

asc_status asci_pairs_created(asc_status status, asc_diag *diag, const char *what) {
  return status == ASC_TOO_LARGE ? asci_complain(diag, ASC_UNSUPPORTED, "", "%s", what) : status;
}

/* ---- decisions ------------------------------------------------------------------------------------------------------- */

static void undo(asci_pairs *s, size_t decided, size_t mark) {
  while (s->decided_count > decided) s->pairs[s->decided[--s->decided_count]].order = ASCI_PAIR_OPEN;
  s->rules->undo(s, mark);
}

static uint32_t order_of(const asci_pair_level *level) {
  return level->second ? ASCI_PAIR_A_BELOW + ASCI_PAIR_B_BELOW - level->first : level->first;
}

/* Asserts what the deepest level says; if that fails, nothing of it is left. */
static asci_pairs_result assert_level(asci_pairs *s) {
  asci_pair_level *level = &s->levels[s->depth - 1];
  level->decided = s->decided_count;
  level->mark = s->rules->mark(s);
  asci_pairs_result result = s->rules->assert_order(s, level->pair, order_of(level));
  if (result) undo(s, level->decided, level->mark);
  return result;
}

static bool push_level(asci_pairs *s, uint32_t pair, uint32_t first) {
  if (!asci_grow(s->run->context, (void **)&s->levels, &s->level_room, s->depth + 1, sizeof *s->levels)) return false;
  s->levels[s->depth++] = (asci_pair_level){.pair = pair, .first = first};
  return true;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static void announce(asci_pairs *s, asc_event_kind kind, uint32_t buffer, int64_t value) {
  asci_step_other(s->run, kind, buffer, value < ASC_MAX_BYTES ? value : ASC_MAX_BYTES, s->problem->count);
}

static void remember(asci_pairs *s) {
  for (uint32_t b = 0; asci_traced(s->run) && b < s->problem->count; b++) s->before[b] = s->low[b];
}

static void list_changed(asci_pairs *s, uint32_t but) {
  for (uint32_t b = 0; asci_traced(s->run) && b < s->problem->count; b++)
    if (b != but && s->before[b] != s->low[b]) asci_event_list(s->run, b);
}

static void list_all(asci_pairs *s) {
  for (uint32_t b = 0; asci_traced(s->run) && b < s->problem->count; b++) asci_event_list(s->run, b);
}

static int64_t height_of(const asci_pairs *s) {
  int64_t height = 0;
  for (uint32_t b = 0; b < s->problem->count; b++) {
    int64_t top = s->low[b] + s->problem->buffers[b].size;
    if (top > height) height = top;
  }
  return height;
}

static asc_outcome succeed(asci_pairs *s) {
  for (uint32_t b = 0; b < s->problem->count; b++) s->run->best[b] = s->low[b];
  int64_t height = asc_height(s->problem, s->run->best);
  asci_mark(s->run, ASC_MARK_INCUMBENT, height);
  ASC_EMIT(s->run, INCUMBENT, ASCI_PAIRS_LINE_DONE, .height = height);
  return ASC_OUTCOME_FEASIBLE;
}

/* What comes after orders that hold: the plan, if no pair is open, in the step that gave the last one its order. */
static asc_outcome look(asci_pairs *s) {
  s->stage = ASCI_PAIRS_LOOK;
  s->next = s->rules->choose(s, &s->next_first);
  return s->next == ASC_NONE ? succeed(s) : ASC_OUTCOME_RUNNING;
}

static asc_outcome begin(asci_pairs *s) {
  asci_pairs_result result = s->rules->root(s);
  if (result == ASCI_PAIRS_NO_MEMORY) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (result == ASCI_PAIRS_STOPPED) return ASC_OUTCOME_RUNNING;
  s->stage = ASCI_PAIRS_BACK;
  announce(s, ASC_EVENT_WINDOW, 0, s->capacity);
  ASC_EMIT(s->run, WINDOW, ASCI_PAIRS_LINE_CHECK, .limit = s->capacity + 1, .nth = 1, .of = 1);
  list_all(s);
  return result ? ASC_OUTCOME_RUNNING : look(s);
}

/* Tries the order of the deepest level. */
static asc_outcome decide(asci_pairs *s) {
  remember(s);
  asci_pairs_result result = assert_level(s);
  asci_pair_level *level = &s->levels[s->depth - 1];
  const asci_pair *pair = &s->pairs[level->pair];
  if (result == ASCI_PAIRS_NO_MEMORY) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (result == ASCI_PAIRS_STOPPED) { /* the step was not taken */
    if (level->second)
      level->second = false;
    else
      s->depth--;
    return ASC_OUTCOME_RUNNING;
  }
  uint32_t upper = order_of(level) == ASCI_PAIR_A_BELOW ? pair->b : pair->a, lower = pair->a + pair->b - upper;
  s->run->stats.nodes += !level->second;
  s->nodes += !level->second;
  if (result) {
    s->stage = level->second ? ASCI_PAIRS_BACK : ASCI_PAIRS_SECOND;
    announce(s, ASC_EVENT_NO_LIFT, upper, s->failed_at);
    ASC_EMIT(s->run, NO_LIFT, ASCI_PAIRS_LINE_FAIL, .buffer = upper, .other = lower, .blocked = s->failed,
             .offset = s->failed_at < ASC_MAX_BYTES ? s->failed_at : ASC_MAX_BYTES, .again = level->second);
    return ASC_OUTCOME_RUNNING;
  }
  announce(s, ASC_EVENT_LIFT, upper, s->low[upper]);
  ASC_EMIT(s->run, LIFT, ASCI_PAIRS_LINE_ORDER, .buffer = upper, .offset = s->low[upper], .other = lower, .level = s->depth,
           .height = height_of(s), .again = level->second);
  list_changed(s, upper);
  return look(s);
}

static asc_outcome refute(asci_pairs *s) {
  announce(s, ASC_EVENT_PROOF, 0, s->capacity);
  ASC_EMIT(s->run, PROOF, ASCI_PAIRS_LINE_DONE, .least = s->capacity + 1, .nodes = s->nodes,
           .lower = s->run->stats.lower_bound, .upper = -1);
  list_all(s);
  return ASC_OUTCOME_INFEASIBLE;
}

/* Back to the deepest decision whose other order was not tried. */
static asc_outcome go_back(asci_pairs *s) {
  if (s->depth <= 1) return refute(s); /* the first decision failed both ways, or what follows from none did */
  uint32_t from = s->depth - 1;        /* the deepest one failed, and stands no more */
  remember(s);
  while (s->depth && s->levels[s->depth - 1].second) s->depth--;
  bool open = s->depth > 0;
  const asci_pair_level *level = &s->levels[open ? s->depth - 1 : 0];
  undo(s, level->decided, level->mark);
  s->stage = open ? ASCI_PAIRS_SECOND : ASCI_PAIRS_BACK;
  const asci_pair *pair = &s->pairs[level->pair];
  uint32_t upper = !open ? ASC_NONE : level->first == ASCI_PAIR_A_BELOW ? pair->b : pair->a;
  s->run->stats.backtracks++;
  announce(s, ASC_EVENT_DROP, upper, s->depth);
  ASC_EMIT(s->run, DROP, ASCI_PAIRS_LINE_BACK, .buffer = upper, .other = open ? pair->a + pair->b - upper : ASC_NONE,
           .count = from - s->depth + open, .level = s->depth - open, .limit = s->capacity + 1);
  list_changed(s, upper);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome step(asci_pairs *s) {
  switch (s->stage) {
  case ASCI_PAIRS_BEGIN:
    return begin(s);
  case ASCI_PAIRS_LOOK:
    return push_level(s, s->next, s->next_first) ? decide(s) : ASC_OUTCOME_OUT_OF_MEMORY;
  case ASCI_PAIRS_SECOND:
    s->levels[s->depth - 1].second = true;
    return decide(s);
  default:
    return go_back(s);
  }
}

asc_outcome asci_pairs_advance(asci_pairs *s) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  bool overloaded = asci_is_overloaded(s->problem, s->capacity);
  if (overloaded && asci_more(s->run)) return asci_refute_load(s->run, ASCI_PAIRS_LINE_CHECK);
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(s->run)) outcome = step(s);
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

void asci_pairs_view(asci_pairs *s, asc_run_view *view) {
  view->offsets = s->low;
  view->min_offsets = s->low;
  view->stack = s->members;
}

/* Levels whose order stands: not the deepest one where it failed. */
static uint32_t standing(const asci_pairs *s, uint32_t depth) {
  return s->stage != ASCI_PAIRS_LOOK ? depth - 1 : depth;
}

static asc_status keep_levels(asci_pairs *s, asci_saver *saver) {
  uint32_t depth = s->depth;
  ASCI_KEEP(saver, depth, s->pair_count);
  for (uint32_t k = 0; k < depth && !saver->failed; k++) {
    asci_pair_level level = {0};
    if (!saver->loads) level = s->levels[k];
    ASCI_KEEP(saver, level.pair, s->pair_count - 1);
    ASCI_KEEP(saver, level.first, ASCI_PAIR_B_BELOW);
    ASCI_KEEP(saver, level.second, 1);
    if (!saver->loads) continue;
    if (saver->failed || !level.first || s->pairs[level.pair].order) return ASC_BAD_SAVE;
    if (!push_level(s, level.pair, level.first)) return ASC_OUT_OF_MEMORY;
    s->levels[k].second = level.second;
    s->levels[k].decided = s->decided_count;
    s->levels[k].mark = s->rules->mark(s);
    if (k >= standing(s, depth)) continue;
    asci_pairs_result result = assert_level(s);
    if (result) return result == ASCI_PAIRS_NO_MEMORY ? ASC_OUT_OF_MEMORY : ASC_BAD_SAVE;
  }
  return asci_kept(saver);
}

/* Whether the deepest level is as a search at this stage leaves it. */
static bool is_plausible(const asci_pairs *s, bool failed) {
  bool second = s->depth && s->levels[s->depth - 1].second;
  if (s->stage == ASCI_PAIRS_SECOND) return s->depth && !second;
  if (s->stage == ASCI_PAIRS_BACK) return s->depth ? second : failed || s->run->stats.backtracks;
  return s->stage == ASCI_PAIRS_LOOK || !s->depth;
}

asc_status asci_pairs_keep(asci_pairs *s, asci_saver *saver) {
  asci_pairs_result root = ASCI_PAIRS_OK;
  ASCI_KEEP(saver, s->stage, ASCI_PAIRS_BACK);
  ASCI_KEEP(saver, s->nodes, ASCI_ANY);
  if (saver->failed) return asci_unkept(saver);
  s->deaf = true;
  if (saver->loads && s->stage != ASCI_PAIRS_BEGIN) root = s->rules->root(s);
  asc_status status = root == ASCI_PAIRS_NO_MEMORY ? ASC_OUT_OF_MEMORY : keep_levels(s, saver);
  s->deaf = false;
  if (status || !saver->loads) return status;
  bool failed = root == ASCI_PAIRS_FAIL;
  uint32_t placed = s->stage == ASCI_PAIRS_BEGIN ? 0 : s->problem->count;
  bool refuted = failed && (s->stage != ASCI_PAIRS_BACK || s->depth);
  if (refuted || !is_plausible(s, failed) || s->run->stats.depth != placed) return ASC_BAD_SAVE;
  s->next = s->rules->choose(s, &s->next_first);
  return s->stage == ASCI_PAIRS_LOOK && s->next == ASC_NONE && asci_goes_on(s->run->stats.outcome) ? ASC_BAD_SAVE : ASC_OK;
}
