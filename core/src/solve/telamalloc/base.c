#include "base.h"

#include "base/arrays.h"
#include "base/diag.h"

/* Pairs that making a run looks at: a tenth of a second. What is left then is for the first step, which can be cancelled. */
#define ROOT_LOOKS (UINT64_C(1) << 26)

static const asci_array arrays[] = {
    ASCI_ARRAY(tela_base, placed, 0, ASCI_RAW),  ASCI_ARRAY(tela_base, weightless, 0, ASCI_RAW),
    ASCI_ARRAY(tela_base, offset, 0, ASCI_RAW),  ASCI_ARRAY(tela_base, least, 0, ASCI_RAW),
    ASCI_ARRAY(tela_base, tried, 0, ASCI_ZEROS), ASCI_ARRAY(tela_base, candidates, 0, ASCI_ZEROS),
};

asc_status asci_tela_base(tela_base *base, asc_run *run, bool tetris) {
  const size_t n = run->problem->count;
  base->run = run;
  base->problem = run->problem;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), &n, base)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < n; b++)
    if (run->problem->piece_begin[b] == run->problem->piece_begin[b + 1]) base->weightless[base->weightless_count++] = b;
  asc_status status = asci_tela_engine(&base->engine, run->problem, run->capacity, tetris);
  asci_tela_heed(base, true);
  return !status && asci_tela_root(&base->engine, ROOT_LOOKS) == TELA_MEMORY ? ASC_OUT_OF_MEMORY : status;
}

void asci_tela_heed(tela_base *base, bool cancel) {
  base->engine.stop = cancel ? &base->run->cancel : NULL;
}

asc_status asci_tela_created(asc_status status, asc_diag *diag) {
  return status != ASC_TOO_LARGE
             ? status
             : asci_complain(diag, ASC_OUT_OF_MEMORY, "",
                             "windows need a distance for each pair alive together: more than 16,777,216");
}

void asci_tela_base_free(tela_base *base) {
  asci_tela_engine_free(&base->engine);
  asci_arrays_free(base->run->context, ASCI_TABLE(arrays), base);
}

/* ---- beginning ------------------------------------------------------------------------------------------------------- */

/* The other proof there is, beside the load of a section: what propagation finds before any decision. */
static asc_outcome refute_root(tela_base *base, unsigned line) {
  uint32_t empty = base->engine.empty;
  const tela_item *item = &base->engine.items[empty];
  asci_step_reject(base->run, ASC_RULE_UNSATISFIABLE, empty, item->low, 0);
  ASC_EMIT(base->run, REJECT, line, .buffer = empty, .offset = item->low, .rule = ASC_RULE_UNSATISFIABLE,
           .section = ASC_NONE, .floor = item->low, .rest = item->high);
  return ASC_OUTCOME_INFEASIBLE;
}

static int64_t weightless_offset(const tela_base *base, uint32_t buffer) {
  int64_t fixed = base->problem->buffers[buffer].offset;
  return fixed == ASC_UNPLACED ? 0 : fixed;
}

static asc_outcome place_weightless(tela_base *base, unsigned line) {
  uint32_t buffer = base->weightless[base->depth];
  asc_run *run = base->run;
  int64_t offset = weightless_offset(base, buffer), top = offset + base->problem->buffers[buffer].size;
  if (top > run->capacity) {
    asci_step_reject(run, ASC_RULE_CAPACITY, buffer, offset, base->depth);
    ASC_EMIT(run, REJECT, line, .buffer = buffer, .offset = offset, .rule = ASC_RULE_CAPACITY, .section = ASC_NONE,
             .floor = top);
    return ASC_OUTCOME_INFEASIBLE;
  }
  asci_tela_replay_weightless(base, base->depth + 1);
  asci_step_place(run, buffer, offset, base->depth);
  ASC_EMIT(run, PLACE, line, .buffer = buffer, .offset = offset, .support = ASC_NONE, .of = 1);
  return ASC_OUTCOME_RUNNING;
}

void asci_tela_replay_weightless(tela_base *base, uint32_t count) {
  while (base->depth < count) {
    uint32_t buffer = base->weightless[base->depth];
    base->engine.items[buffer].low = weightless_offset(base, buffer);
    base->engine.level[buffer] = base->depth;
    base->placed[base->depth++] = buffer;
  }
}

bool asci_tela_begin(tela_base *base, unsigned line, asc_outcome *outcome) {
  const asc_problem *problem = base->problem;
  *outcome = ASC_OUTCOME_RUNNING;
  if (asci_tela_overloaded(base))
    *outcome = asci_refute_load(base->run, line);
  else if (base->engine.hopeless)
    *outcome = refute_root(base, line);
  else if (base->depth < base->weightless_count)
    *outcome = place_weightless(base, line);
  else
    return true;
  if (base->depth == problem->count) *outcome = asci_tela_succeed(base, line);
  return false;
}

/* ---- telling --------------------------------------------------------------------------------------------------------- */

/* Some placed neighbour that ends where the buffer begins. */
static uint32_t support_of(const tela_engine *e, uint32_t buffer) {
  size_t begin, end;
  const uint32_t *others = asci_tela_row(e, buffer, &begin, &end);
  for (size_t k = begin; k < end; k++) {
    uint32_t other = others[k];
    if (e->level[other] != ASC_NONE && e->items[other].low + asci_tela_above(e, other, buffer, k) == e->items[buffer].low)
      return other;
  }
  return ASC_NONE;
}

void asci_tela_tell_place(tela_base *base, unsigned line, uint32_t buffer, uint32_t of, const tela_mark *before) {
  const tela_engine *e = &base->engine;
  asc_run *run = base->run;
  int64_t offset = e->items[buffer].low;
  asci_step_place(run, buffer, offset, base->depth);
  if (!asci_traced(run)) return;
  ASC_TELL(run, PLACE, line, .buffer = buffer, .offset = offset, .support = support_of(e, buffer), .of = of);
  for (size_t k = before->entries; k < e->entry_count; k++) {
    const tela_entry *entry = &e->entries[k];
    bool first = entry->previous == ASC_NONE || entry->previous < before->entries;
    if (entry->variable % 2 == 0 && first && entry->by != ASC_NONE && e->level[entry->variable / 2] == ASC_NONE)
      asci_event_list(run, entry->variable / 2);
  }
}

void asci_tela_tell_minor(tela_base *base, unsigned line, uint32_t buffer, int64_t offset) {
  const tela_engine *e = &base->engine;
  asc_run *run = base->run;
  const tela_item *empty = &e->items[e->empty];
  asci_step_reject(run, ASC_RULE_UNSATISFIABLE, buffer, offset, base->depth);
  run->stats.backtracks++;
  if (!asci_traced(run)) return;
  ASC_TELL(run, REJECT, line, .buffer = buffer, .offset = offset, .rule = ASC_RULE_UNSATISFIABLE, .section = ASC_NONE,
           .floor = empty->low, .rest = empty->high);
  asci_event_list(run, e->empty);
  ASC_TELL(run, CULPRITS, line, .buffer = e->empty, .least = empty->low, .most = empty->high);
  for (uint32_t k = 0; k < e->reason_count; k++)
    asci_event_list(run, e->reason[k] < base->depth ? base->placed[e->reason[k]] : buffer);
}

void asci_tela_tell_major(tela_base *base, unsigned line, uint32_t to, tela_cause cause) {
  uint32_t from = base->depth, last = from > to ? base->placed[to] : ASC_NONE;
  bool major = asci_step_backtrack(base->run, from, to, last, 1, cause != TELA_ONE_LEVEL);
  if (!asci_traced(base->run)) return;
  ASC_TELL(base->run, BACKTRACK, line, .from = from, .to = to, .buffer = last, .major = major, .stuck = cause == TELA_STUCK);
  for (uint32_t level = from; level-- > to;) asci_event_list(base->run, base->placed[level]);
}

asc_outcome asci_tela_succeed(tela_base *base, unsigned line) {
  asc_run *run = base->run;
  for (uint32_t b = 0; b < base->problem->count; b++) run->best[b] = base->engine.items[b].low;
  int64_t height = asc_height(base->problem, run->best);
  asci_mark(run, ASC_MARK_INCUMBENT, height);
  ASC_EMIT(run, INCUMBENT, line, .height = height);
  return ASC_OUTCOME_FEASIBLE;
}

void asci_tela_view(tela_base *base, asc_run_view *view) {
  const tela_engine *e = &base->engine;
  for (uint32_t b = 0; b < base->problem->count; b++) {
    int64_t low = e->items[b].low;
    base->least[b] = low;
    base->offset[b] = e->level[b] == ASC_NONE ? ASC_UNPLACED : low;
  }
  view->offsets = base->offset;
  view->min_offsets = base->least;
  view->stack = base->placed;
  view->tried = base->tried;
  view->candidates = base->candidates;
}
