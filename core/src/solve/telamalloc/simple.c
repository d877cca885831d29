/* simple: the four block selection strategies that figure 14 of the TelaMalloc paper compares with.
 *
 * Rule: of all unplaced buffers the first in one order is placed at its lowest possible position. If the solver says that this leaves some
 * buffer without a position, the next one in the order is tried; when none is left, the search goes back to the last valid point and takes the
 * next one there. The same engine as TelaMalloc's, but no phases, no parts, no conflicts.
 *
 * Order: greatest size, area or lifetime, or lowest position now. The paper names no ties; here: of equal lifetimes, areas and positions the
 * larger, of equal sizes the longer-lived, then the lower index.
 * Source: Maas et al., "TelaMalloc" (ASPLOS 2023), section 7.2. It gives up after 500,000 steps there: that is the run's budget here. */
#include "base.h"

#include "base/arrays.h"
#include "base/number/products.h"
#include "base/sort.h"

enum { LINE_CHECK = 1, LINE_PLACE = 3, LINE_TAKE_BACK, LINE_BACK, LINE_DONE };
enum { BY_SIZE, BY_AREA, BY_LIFETIME, BY_POSITION };

#define SIMPLE_OPTIONS(X, T) \
  X(T, CHOICE, strategy, "Strategy", "size", "size|area|lifetime|position", \
    "Which unplaced buffer comes first: of most size, area or lifetime, or the one that can lie lowest.")
ASCI_OPTION_VALUES(simple_options, SIMPLE_OPTIONS);
ASCI_OPTION_TABLE(simple_options, SIMPLE_OPTIONS);

static const char pseudocode[] = "until all blocks are placed:\n"
                                 "  b = first untried block of the strategy\n"
                                 "  place b at its lowest position\n"
                                 "  if unsatisfiable: take b back\n"
                                 "  none left: back to the last valid point\n"
                                 "done\n";

typedef struct simple {
  tela_base base;
  uint32_t by;
  uint32_t *order; /* buffers that occupy something */
  uint32_t *rank;  /* by buffer */
  uint32_t count;
  tela_mark *marks; /* by level: before its placement */
  uint32_t *tried;  /* by level */
  uint32_t last;    /* at the open level the last one tried, ASC_NONE */
} simple;

static int compare(int64_t a, int64_t b) {
  return (a > b) - (a < b);
}

static bool sooner(const void *keys, uint32_t a, uint32_t b) {
  const simple *s = keys;
  const asc_buffer_spec *x = &s->base.problem->buffers[a], *y = &s->base.problem->buffers[b];
  const uint64_t area[2][2] = {{(uint64_t)x->size, (uint64_t)x->upper - (uint64_t)x->lower},
                               {(uint64_t)y->size, (uint64_t)y->upper - (uint64_t)y->lower}};
  int order = 0, life = compare(y->upper - y->lower, x->upper - x->lower);
  if (s->by == BY_AREA) order = asci_compare_products(area[1], area[0], 2);
  if (s->by == BY_LIFETIME) order = life;
  if (!order) order = compare(y->size, x->size);
  if (!order) order = life;
  return order ? order < 0 : a < b;
}

enum { PER_BUFFER, PER_LEVEL };

static const asci_array arrays[] = {
    ASCI_ARRAY(simple, order, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(simple, rank, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(simple, marks, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(simple, tried, PER_LEVEL, ASCI_ZEROS),
};

static void destroy(asc_run *run, void *state) {
  simple *s = state;
  asci_tela_base_free(&s->base);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_free(run->context, s);
}

/* Until all is propagated, the engine keeps its own bounds. */
static void focus(simple *s) {
  if (s->base.engine.rooted) asci_tela_focus(&s->base.engine, s->order, s->count);
}

/* What the making of the run has left. */
static tela_result get_ready(simple *s) {
  if (s->base.engine.rooted) return TELA_OK;
  tela_result result = asci_tela_root(&s->base.engine, UINT64_MAX);
  focus(s);
  return result;
}

static asc_status fill(asc_run *run, void *state) {
  simple *s = state;
  uint32_t n = run->problem->count;
  asc_status status = asci_tela_base(&s->base, run, false);
  if (status) return status;
  s->by = ((const simple_options *)run->options)->strategy;
  s->last = ASC_NONE;
  const size_t counts[] = {n, (size_t)n + 1};
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, s)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < n; b++)
    if (run->problem->piece_begin[b] < run->problem->piece_begin[b + 1]) s->order[s->count++] = b;
  asci_sort(s->order, s->rank, s->count, sooner, s); /* ranks come next */
  for (uint32_t k = 0; k < s->count; k++) s->rank[s->order[k]] = k;
  focus(s);
  return ASC_OK;
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  return asci_tela_created(asci_state_new(run, sizeof(simple), fill, destroy, state), diag);
}

/* Whether a comes after b in the order of the open point. */
static bool is_later(const simple *s, uint32_t a, uint32_t b) {
  const tela_item *items = s->base.engine.items;
  if (s->by == BY_POSITION && items[a].low != items[b].low) return items[a].low > items[b].low;
  return s->rank[a] > s->rank[b];
}

/* The first unplaced buffer after the last one tried, ASC_NONE. */
static uint32_t next_candidate(const simple *s) {
  uint32_t best = ASC_NONE;
  for (uint32_t k = s->by == BY_POSITION || s->last == ASC_NONE ? 0 : s->rank[s->last] + 1; k < s->count; k++) {
    uint32_t buffer = s->order[k];
    if (s->base.engine.level[buffer] != ASC_NONE || (s->last != ASC_NONE && !is_later(s, buffer, s->last))) continue;
    if (best == ASC_NONE || is_later(s, best, buffer)) best = buffer;
    if (s->by != BY_POSITION) break;
  }
  return best;
}

static asc_outcome go_back(simple *s) {
  tela_base *base = &s->base;
  uint32_t to = base->depth > base->weightless_count ? base->depth - 1 : base->depth;
  asci_tela_tell_major(base, LINE_BACK, to, TELA_ONE_LEVEL);
  if (to == base->depth) return ASC_OUTCOME_EXHAUSTED;
  s->last = base->placed[--base->depth];
  asci_tela_undo(&base->engine, &s->marks[base->depth], s->last);
  return ASC_OUTCOME_RUNNING;
}

static tela_result place(simple *s, uint32_t buffer) {
  tela_base *base = &s->base;
  s->marks[base->depth] = asci_tela_mark(&base->engine);
  tela_result result = asci_tela_place(&base->engine, buffer, base->engine.items[buffer].low, base->depth);
  if (result) return result;
  base->placed[base->depth++] = buffer;
  s->tried[base->depth] = 0;
  s->last = ASC_NONE;
  return TELA_OK;
}

static asc_outcome step(simple *s) {
  tela_base *base = &s->base;
  uint32_t buffer = next_candidate(s), level = base->depth;
  if (buffer == ASC_NONE) return go_back(s);
  int64_t offset = base->engine.items[buffer].low;
  uint32_t last = s->last;
  tela_result result = place(s, buffer);
  if (result == TELA_MEMORY) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (result == TELA_STOPPED) { /* the step was not taken */
    asci_tela_undo(&base->engine, &s->marks[level], buffer);
    s->last = last;
    return ASC_OUTCOME_RUNNING;
  }
  if (!s->tried[level]++) base->run->stats.nodes++;
  if (result == TELA_EMPTY) {
    if (asci_traced(base->run) && !asci_tela_explain(&base->engine)) return ASC_OUTCOME_OUT_OF_MEMORY;
    asci_tela_tell_minor(base, LINE_TAKE_BACK, buffer, offset);
    asci_tela_undo(&base->engine, &s->marks[level], buffer);
    s->last = buffer;
    return ASC_OUTCOME_RUNNING;
  }
  asci_tela_tell_place(base, LINE_PLACE, buffer, base->problem->count - level, &s->marks[level]);
  return base->depth == base->problem->count ? asci_tela_succeed(base, LINE_DONE) : ASC_OUTCOME_RUNNING;
}

static asc_outcome advance(asc_run *run, void *state) {
  simple *s = state;
  tela_result ready = get_ready(s);
  if (ready) return ready == TELA_MEMORY ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_RUNNING;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run))
    if (asci_tela_begin(&s->base, LINE_CHECK, &outcome))
      outcome = s->base.depth == s->base.problem->count ? asci_tela_succeed(&s->base, LINE_DONE) : step(s);
  return outcome;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  simple *s = state;
  for (uint32_t level = 0; level < s->base.depth; level++) {
    bool weightless = level < s->base.weightless_count;
    s->base.tried[level] = weightless ? 1 : s->tried[level];
    s->base.candidates[level] = weightless ? 1 : run->problem->count - level;
  }
  uint32_t depth = s->base.depth;
  if (depth >= s->base.weightless_count && depth < run->problem->count) {
    view->open_tried = s->tried[depth];
    view->open_candidates = run->problem->count - depth;
  }
  asci_tela_view(&s->base, view);
}

static bool is_free(const simple *s, uint64_t buffer) {
  const asc_problem *problem = s->base.problem;
  return buffer < problem->count && s->base.engine.level[buffer] == ASC_NONE &&
         problem->piece_begin[buffer] < problem->piece_begin[buffer + 1];
}

static asc_status keep_search(asc_run *run, simple *s, asci_saver *saver) {
  tela_base *base = &s->base;
  uint32_t depth = base->depth, last = base->problem->count - 1;
  ASCI_KEEP(saver, depth, base->problem->count);
  if (saver->loads) {
    if (saver->failed || depth != run->stats.depth || (depth && asci_tela_is_refuted(base))) return ASC_BAD_SAVE;
    asci_tela_replay_weightless(base, depth < base->weightless_count ? depth : base->weightless_count);
  }
  for (uint32_t level = base->weightless_count; level < depth; level++) {
    uint32_t buffer = base->placed[level];
    ASCI_KEEP(saver, buffer, last);
    ASCI_KEEP(saver, s->tried[level], ASCI_ANY);
    if (!saver->loads) continue;
    if (saver->failed || !is_free(s, buffer)) return ASC_BAD_SAVE;
    tela_result result = place(s, buffer);
    if (result) return result == TELA_MEMORY ? ASC_OUT_OF_MEMORY : ASC_BAD_SAVE;
  }
  if (depth >= base->weightless_count) ASCI_KEEP(saver, s->tried[depth], ASCI_ANY);
  ASCI_KEEP_OR_NONE(saver, s->last, last);
  if (asci_loaded(saver) && s->last != ASC_NONE && !is_free(s, s->last)) return ASC_BAD_SAVE;
  return asci_kept(saver);
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  simple *s = state;
  asci_tela_heed(&s->base, false);
  asc_status status = get_ready(s) ? ASC_OUT_OF_MEMORY : keep_search(run, s, saver);
  asci_tela_heed(&s->base, true);
  return status;
}

const asci_solver asci_solver_simple = {
    .info =
        {.id = "simple",
         .title = "Simple strategies",
         .paper = "TelaMalloc, ASPLOS 2023, figure 14",
         .summary =
             "One block heuristic, lowest positions, and back to the last valid point: what TelaMalloc is compared with.",
         .supports =
             ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS,
         .complete = false,
         .refutes = true,
         ASCI_TAKES_INFO(simple_options),
         .pseudocode = pseudocode},
    ASCI_TAKES(simple_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
