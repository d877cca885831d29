/* What the hill climbers share: the first plan, attempts, what is told of them, saves. climb.h says how it goes together. */
#include "solve/climb/climb.h"

#include "base/arrays.h"
#include "model/bank.h"

#include <string.h>

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_climb, order, 0, ASCI_ZEROS),   ASCI_ARRAY(asci_climb, turn, 0, ASCI_ZEROS),
    ASCI_ARRAY(asci_climb, offsets, 0, ASCI_ONES),  ASCI_ARRAY(asci_climb, near.items, 0, ASCI_RAW),
    ASCI_ARRAY(asci_climb, far.items, 0, ASCI_RAW), ASCI_ARRAY(asci_climb, all.items, 0, ASCI_RAW),
    ASCI_ARRAY(asci_climb, upto, 0, ASCI_RAW),      ASCI_ARRAY(asci_climb, mark, 0, ASCI_ZEROS),
    ASCI_ARRAY(asci_climb, scratch, 0, ASCI_RAW),
};

void asci_climb_destroy(asc_run *run, void *state) {
  asci_climb *c = state;
  asci_fit_tree_free(&c->tree);
  asci_fit_tree_free(&c->alive);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), c);
  asci_free(run->context, c);
}

static asc_status sort_opening(asci_climb *c) {
  const asc_problem *problem = c->run->problem;
  uint32_t n = problem->count;
  asci_climb_keys keys = {problem, asci_alloc(problem->context, n, sizeof *keys.weight)};
  asc_status status = keys.weight ? c->rule->weigh(problem, keys.weight) : ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < n; b++) c->order[b] = b;
  if (!status) asci_sort(c->order, c->scratch, n, c->rule->before, &keys);
  asci_free(problem->context, keys.weight);
  return status;
}

static void set_order(asci_climb *c, uint32_t turn, uint32_t buffer) {
  c->order[turn] = buffer;
  c->turn[buffer] = turn;
}

static asc_status fill(asci_climb *c) {
  const asc_problem *problem = c->run->problem;
  const size_t n = problem->count;
  if (!asci_arrays_new(c->run->context, ASCI_TABLE(arrays), &n, c)) return ASC_OUT_OF_MEMORY;
  asc_status status = sort_opening(c);
  if (!status) status = asci_fit_tree_new(problem, ASCI_FIT_SWIFT, &c->tree);
  if (!status) status = asci_fit_tree_new(problem, ASCI_FIT_SWIFT, &c->alive);
  if (status) return status;
  c->tree.rounds = c->rule->rounds;
  for (uint32_t b = 0; b < problem->count; b++) {
    c->turn[c->order[b]] = b;
    if (!asci_fit_place(&c->alive, b, 0)) return ASC_OUT_OF_MEMORY;
  }
  return ASC_OK;
}

asc_status asci_climb_create(asc_run *run, const asci_climb_rule *rule, void **state) {
  asci_climb *made = asci_calloc(run->context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->run = run;
  made->rule = rule;
  made->rng = (asci_rng){run->seed};
  asc_status status = fill(made);
  if (status)
    asci_climb_destroy(run, made);
  else
    *state = made;
  return status;
}

/* ---- who is where ---------------------------------------------------------------------------------------------------- */

bool asci_climb_around(asci_climb *c, uint32_t buffer) {
  return asci_fit_collect(&c->alive, buffer);
}

/* The place above one that lies below: where the buffer lands if that one is in its way. */
static int64_t place_above(const asci_climb *c, uint32_t buffer, uint32_t below) {
  const asc_buffer_spec *mine = &c->run->problem->buffers[buffer], *its = &c->run->problem->buffers[below];
  int64_t top = c->offsets[below] + its->size;
  if (c->rule->rounds) top = asci_align(top, its->alignment);
  return asci_next_offset(top, mine->size, mine->alignment, mine->bank);
}

uint32_t asci_climb_below(asci_climb *c, uint32_t buffer) {
  const asc_buffer_spec *buffers = c->run->problem->buffers;
  int64_t from = buffers[buffer].lower, since = 0;
  uint32_t best = ASC_NONE;
  if (c->offsets[buffer] == 0 || !asci_climb_around(c, buffer)) return ASC_NONE;
  for (size_t k = 0; k < c->alive.found_count; k++) {
    uint32_t other = c->alive.found[k];
    if (c->turn[other] > c->turn[buffer] || place_above(c, buffer, other) != c->offsets[buffer]) continue;
    int64_t begin = buffers[other].lower > from ? buffers[other].lower : from;
    if (best != ASC_NONE && (begin != since ? begin > since : other > best)) continue;
    best = other;
    since = begin;
  }
  return best;
}

/* ---- decoding -------------------------------------------------------------------------------------------------------- */

static bool no_memory(const asci_climb *c) {
  return c->tree.no_memory || c->alive.no_memory;
}

/* First fit of the order into c->tree, as long as no top is above `most` and, if that is heeded, nobody has cancelled; gives the height so far,
   ASC_MAX_BYTES if someone has no address. */
static int64_t decode(asci_climb *c, int64_t most, bool heeds) {
  const asc_problem *problem = c->run->problem;
  int64_t height = 0;
  asci_fit_tree_clear(&c->tree);
  for (c->made = 0; c->made < problem->count && height <= most && !(heeds && asci_cancelled(c->run)); c->made++) {
    uint32_t buffer = c->order[c->made];
    int64_t offset = asci_fit_lowest(&c->tree, buffer, 0, ASC_MAX_BYTES);
    if (offset == ASC_UNPLACED || !asci_fit_place(&c->tree, buffer, offset)) return ASC_MAX_BYTES;
    int64_t top = offset + problem->buffers[buffer].size;
    if (top > height) height = top;
  }
  return height;
}

static void exchange(asci_climb *c, const uint32_t turns[2]) {
  uint32_t left = c->order[turns[0]], right = c->order[turns[1]];
  set_order(c, turns[0], right);
  set_order(c, turns[1], left);
}

/* Those drawn change places, and are noted: of each pair the one that came first before. */
static void swap(asci_climb *c) {
  for (uint32_t k = 0; k < c->all.count; k++) c->scratch[k] = c->order[c->all.items[k]];
  for (uint32_t k = 0; k < 2; k++) {
    bool is = k < c->swap_count, turned = is && c->turns[k][0] > c->turns[k][1];
    for (uint32_t i = 0; i < 2; i++) c->swapped[k][i] = is ? c->order[c->turns[k][turned ? 1 - i : i]] : ASC_NONE;
    if (is) exchange(c, c->turns[k]);
  }
}

static void swap_back(asci_climb *c) {
  for (uint32_t k = c->swap_count; k-- > 0;) exchange(c, c->turns[k]);
}

/* The plan in the making stands from now on. */
static void take_plan(asci_climb *c, int64_t height) {
  memcpy(c->offsets, c->tree.offsets, c->run->problem->count * sizeof *c->offsets);
  c->height = height;
  c->known = false;
}

/* ---- ends ------------------------------------------------------------------------------------------------------------ */

static asc_outcome outcome_of(const asc_run *run, const asci_climb *c) {
  const asc_run_stats *stats = &run->stats;
  bool minimise = asci_minimises(run), fits = stats->height <= run->capacity;
  if (stats->height <= stats->lower_bound && minimise) return ASC_OUTCOME_OPTIMAL;
  bool enough = stats->height <= stats->lower_bound || (fits && !minimise);
  if (!enough && c->rule->goes_on(c)) return ASC_OUTCOME_RUNNING;
  return fits ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
}

/* The plan that stands, if it is the best so far, is handed in. False: no memory. */
static bool hand_in(asc_run *run, const asci_climb *c) {
  if (run->stats.height >= 0 && c->height >= run->stats.height) return true;
  for (uint32_t b = 0; b < run->problem->count; b++) run->best[b] = c->offsets[b];
  ASC_EMIT(run, INCUMBENT, ASCI_CLIMB_DONE, .height = c->height);
  return !asci_incumbent(run);
}

/* ---- the first plan -------------------------------------------------------------------------------------------------- */

/* Whether the next buffer of the first plan has a place, which it then has. */
static bool place_next(asci_climb *c) {
  uint32_t buffer = c->order[c->placed];
  int64_t offset = asci_fit_lowest(&c->tree, buffer, 0, ASC_MAX_BYTES);
  if (offset == ASC_UNPLACED || !asci_fit_place(&c->tree, buffer, offset)) return false;
  int64_t top = offset + c->run->problem->buffers[buffer].size;
  c->offsets[buffer] = offset;
  c->placed++;
  if (top > c->height) c->height = top;
  return true;
}

static asc_outcome refuse(asc_run *run, asci_climb *c) {
  uint32_t buffer = c->order[c->placed];
  asci_step_reject(run, ASC_RULE_CAPACITY, buffer, ASC_MAX_BYTES, c->placed);
  ASC_EMIT(run, REJECT, ASCI_CLIMB_FIRST, .buffer = buffer, .offset = ASC_MAX_BYTES, .rule = ASC_RULE_CAPACITY,
           .section = ASC_NONE, .floor = ASC_MAX_BYTES, .rest = run->problem->buffers[buffer].size);
  return ASC_OUTCOME_EXHAUSTED;
}

static asc_outcome first_plan(asc_run *run, asci_climb *c) {
  uint32_t buffer = c->order[c->placed];
  bool placed = place_next(c);
  if (no_memory(c)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (!placed) return refuse(run, c);
  run->stats.nodes++;
  asci_step_place(run, buffer, c->offsets[buffer], c->placed);
  if (asci_traced(run)) {
    uint32_t below = asci_climb_below(c, buffer);
    bool touches = below != ASC_NONE && c->offsets[below] + run->problem->buffers[below].size == c->offsets[buffer];
    ASC_TELL(run, PLACE, ASCI_CLIMB_FIRST, .buffer = buffer, .offset = c->offsets[buffer],
             .support = touches ? below : ASC_NONE, .of = 1);
  }
  if (c->placed < run->problem->count) return ASC_OUTCOME_RUNNING;
  return hand_in(run, c) ? outcome_of(run, c) : ASC_OUTCOME_OUT_OF_MEMORY;
}

/* ---- attempts -------------------------------------------------------------------------------------------------------- */

static asci_climb_verdict judge(asci_climb *c, int64_t height) {
  if (!c->swap_count) return ASCI_CLIMB_NOBODY;
  bool whole = c->made == c->run->problem->count;
  if (!whole) return ASCI_CLIMB_ABANDONED;
  return c->rule->keeps(c, height) ? ASCI_CLIMB_KEPT : ASCI_CLIMB_HIGH;
}

/* Before the plan is kept or taken back; c->scratch: those it was drawn among. */
static void tell(asc_run *run, const asci_climb *c, asci_climb_verdict verdict, int64_t height) {
  const uint32_t(*pair)[2] = c->swapped;
  int64_t best = run->stats.height;
  if (verdict == ASCI_CLIMB_KEPT)
    ASC_TELL(run, SWAP, ASCI_CLIMB_KEEP, .buffer = pair[0][0], .other = pair[0][1], .height = height, .before = c->height,
             .best = height < best ? height : best);
  else
    ASC_TELL(run, SWAP_BACK, c->swap_count ? ASCI_CLIMB_BACK : ASCI_CLIMB_SWAP, .buffer = pair[0][0], .other = pair[0][1],
             .height = height, .before = c->height, .why = verdict, .best = best);
  for (uint32_t k = 0; k < c->made && c->swap_count; k++)
    if (c->tree.offsets[c->order[k]] != c->offsets[c->order[k]]) asci_event_list(run, c->order[k]);
  ASC_TELL(run, BOTTLENECK, ASCI_CLIMB_BOTTLENECK, .buffer = c->bottleneck, .top = c->height, .near = c->near.count,
           .second = pair[1][0], .partner = pair[1][1]);
  for (uint32_t k = 0; k < c->all.count; k++) asci_event_list(run, c->scratch[k]);
}

static asc_outcome attempt(asc_run *run, asci_climb *c) {
  asci_rng before = c->rng;
  bool drawn = c->rule->draw(c);
  if (drawn) swap(c);
  int64_t height = drawn && c->swap_count ? decode(c, c->rule->abandons ? c->height : INT64_MAX, true) : c->height;
  if (!drawn || no_memory(c)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (asci_cancelled(run)) { /* as if it had not begun */
    swap_back(c);
    c->rng = before;
    c->known = false;
    return ASC_OUTCOME_RUNNING;
  }
  asci_climb_verdict verdict = judge(c, height);
  run->stats.nodes++;
  bool kept = verdict == ASCI_CLIMB_KEPT;
  asci_step_other(run, kept ? ASC_EVENT_SWAP : ASC_EVENT_SWAP_BACK, c->swapped[0][0], height, c->placed);
  if (asci_traced(run)) tell(run, c, verdict, height);
  if (kept && height < c->height) c->improved = c->attempt;
  c->attempt++;
  if (kept)
    take_plan(c, height);
  else
    swap_back(c);
  return hand_in(run, c) ? outcome_of(run, c) : ASC_OUTCOME_OUT_OF_MEMORY;
}

asc_outcome asci_climb_advance(asc_run *run, void *state) {
  asci_climb *c = state;
  if (run->problem->count == 0) return ASC_OUTCOME_FEASIBLE;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run))
    outcome = c->placed < run->problem->count ? first_plan(run, c) : attempt(run, c);
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

void asci_climb_view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  asci_climb *c = state;
  view->offsets = c->offsets;
  view->stack = c->order;
}

/* Each buffer once. */
static bool keep_order(asci_climb *c, asci_saver *saver) {
  uint32_t n = c->run->problem->count;
  bool whole = true;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t buffer = c->order[k];
    ASCI_KEEP(saver, buffer, n - 1);
    if (saver->loads) set_order(c, k, buffer);
    whole = whole && !c->mark[buffer];
    c->mark[buffer] = 1;
  }
  memset(c->mark, 0, n * sizeof *c->mark);
  return whole && !saver->failed;
}

/* How far the first plan is; then the attempts and the order: offsets follow from it. */
asc_status asci_climb_keep(asc_run *run, void *state, asci_saver *saver) {
  asci_climb *c = state;
  uint32_t n = run->problem->count, placed = c->placed;
  ASCI_KEEP(saver, placed, n);
  if (saver->loads && (saver->failed || run->stats.depth != placed)) return ASC_BAD_SAVE;
  while (c->placed < placed)
    if (!place_next(c)) return no_memory(c) ? ASC_OUT_OF_MEMORY : ASC_BAD_SAVE;
  if (placed < n || !n) return saver->loads && n && run->stats.height >= 0 ? ASC_BAD_SAVE : asci_kept(saver);
  ASCI_KEEP(saver, c->attempt, UINT32_MAX - 1);
  ASCI_KEEP(saver, c->improved, c->attempt);
  ASCI_KEEP(saver, c->rng.state, ASCI_ANY);
  if (!keep_order(c, saver)) return asci_unkept(saver);
  if (!saver->loads) return ASC_OK;
  int64_t height = decode(c, INT64_MAX, false); /* a run that was cancelled may load, too */
  if (no_memory(c)) return ASC_OUT_OF_MEMORY;
  take_plan(c, height);
  bool known = run->stats.height >= 0 && run->stats.height <= height && c->made == n;
  return known && (!c->rule->abandons || run->stats.height == height) ? ASC_OK : ASC_BAD_SAVE;
}
