/* Several memories, one after the other. While a pool is solved the run is about its part alone: the solver sees the part as the problem, the
 * pool's capacity, a plan, a height and a bound of its own, and its steps count for the whole.
 *
 *     pools     main          dram                 flash
 *     part      ended         under way            as new
 *     depth     |-- below --->|-- the solver's --->|
 *
 * From one pool to the next leads a step of its own: a search that minimised ends where its proof does, and what lies in the pool from then on is
 * its plan. A pool that cannot hold its part ends the run. Pools without buffers are passed over. The heights of the pools add up, and their
 * bounds; there is a plan once there is one of every pool. */
#include "solve/pools.h"

#include "base/arrays.h"
#include "solve/run.h"

typedef struct pool_part {
  const asc_problem *problem;
  struct asci_scope scope;
  void *state; /* NULL: nothing lies in this pool */
  int64_t *best;
  int64_t capacity;
  asc_run_stats stats; /* outcome, depth, height, cost and lower_bound alone */
  uint64_t nodes;      /* opened while it was made: they count once it is its turn */
} pool_part;

typedef struct pools {
  uint32_t count, now; /* parts before `now` have a plan and are left alone; `count` if there is no buffer */
  pool_part *parts;
  asc_input input; /* the run's, while none of the parts is entered */
  const asc_problem *problem;
  int64_t *best;
  int64_t capacity;
  asc_outcome outcome;
  uint32_t *conflict;
  /* the view of all */
  int64_t *offsets, *min_offsets;
  uint32_t *stack, *tried, *candidates, *phases;
} pools;

/* ---- a part as the run ----------------------------------------------------------------------------------------------- */

static void enter(asc_run *run, pools *p, pool_part *part) {
  p->outcome = run->stats.outcome;
  run->input = asc_input_buffers(part->problem);
  run->problem = part->problem;
  run->best = part->best;
  run->capacity = part->capacity;
  run->scope = &part->scope;
  run->stats.outcome = part->stats.outcome;
  run->stats.depth = part->stats.depth;
  run->stats.height = part->stats.height;
  run->stats.cost = part->stats.cost;
  run->stats.lower_bound = part->stats.lower_bound;
}

/* Depth, height and bound of the whole. */
static void add_up(asc_run *run, const pools *p) {
  asc_run_stats *stats = &run->stats;
  stats->depth = 0;
  stats->height = stats->cost = stats->lower_bound = 0;
  for (uint32_t k = 0; k < p->count; k++) {
    const pool_part *part = &p->parts[k];
    stats->lower_bound += part->stats.lower_bound;
    if (k < p->now) stats->depth += part->problem->count;
    if (k == p->now) stats->depth += part->stats.depth;
    if (part->stats.height < 0) stats->height = stats->cost = -1;
    if (stats->height < 0) continue;
    stats->height += part->stats.height;
    stats->cost += part->stats.cost;
  }
}

static void leave(asc_run *run, pools *p, pool_part *part) {
  part->stats = run->stats;
  part->stats.depth -= run->below;
  run->below = 0;
  run->scope = NULL;
  run->input = p->input;
  run->problem = p->problem;
  run->best = p->best;
  run->capacity = p->capacity;
  run->stats.outcome = p->outcome;
  add_up(run, p);
}

/* The same while steps are taken: they are told by what is placed in all pools. */
static void enter_to_step(asc_run *run, pools *p, pool_part *part) {
  uint32_t below = run->stats.depth - part->stats.depth;
  enter(run, p, part);
  run->below = below;
  run->stats.depth += below;
}

static void keep_best(pools *p, const pool_part *part) {
  for (uint32_t b = 0; part->stats.height >= 0 && b < part->problem->count; b++)
    p->best[part->scope.buffers[b]] = part->best[b];
}

static void keep_conflict(asc_run *run, pools *p, const pool_part *part) {
  for (uint32_t k = 0; run->conflict && k < run->conflict_count; k++) p->conflict[k] = part->scope.buffers[run->conflict[k]];
  if (run->conflict) run->conflict = p->conflict;
}

/* ---- events ---------------------------------------------------------------------------------------------------------- */

typedef enum argument_type { BUFFER, SECTION, OPERATOR, RULE, BYTES, LEVEL, COUNT, FLAG, CODE } argument_type;

static const uint8_t types[ASC_EVENT_COUNT][ASC_EVENT_ARGS] = {
#define ASC_ARG(type, name) type,
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) [ASC_EVENT_##NAME] = {arguments},
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) [ASC_EVENT_##NAME] = {arguments},
#include "asc/events.def"
};

static const uint8_t lengths[ASC_EVENT_COUNT] = {
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) \
  [ASC_EVENT_##NAME] = sizeof(asc_event_##name) / sizeof(int64_t),
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) [ASC_EVENT_##NAME] = sizeof(asc_event_##name) / sizeof(int64_t),
#include "asc/events.def"
};

static void translate(const asc_run *run, asc_event *event) {
  for (uint32_t k = 0; k < lengths[event->kind]; k++) {
    int64_t *value = &event->args[k];
    if (*value == ASC_NONE) continue;
    if (types[event->kind][k] == BUFFER)
      *value = run->scope->buffers[*value];
    else if (types[event->kind][k] == SECTION)
      *value += run->scope->sections;
    else if (types[event->kind][k] == LEVEL)
      *value += run->below;
  }
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

enum { PER_POOL, PER_BUFFER };

static const asci_array arrays[] = {
    ASCI_ARRAY(pools, parts, PER_POOL, ASCI_ZEROS),       ASCI_ARRAY(pools, offsets, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(pools, min_offsets, PER_BUFFER, ASCI_RAW), ASCI_ARRAY(pools, conflict, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(pools, stack, PER_BUFFER, ASCI_RAW),       ASCI_ARRAY(pools, tried, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(pools, candidates, PER_BUFFER, ASCI_RAW),  ASCI_ARRAY(pools, phases, PER_BUFFER, ASCI_RAW),
};

static void pools_destroy(asc_run *run, void *state) {
  pools *p = state;
  for (uint32_t k = 0; p->parts && k < p->count; k++) {
    if (p->parts[k].state) run->solver->destroy(run, p->parts[k].state);
    asci_free(run->context, p->parts[k].best);
  }
  asci_arrays_free(run->context, ASCI_TABLE(arrays), p);
  asci_free(run->context, p);
}

static asc_status make_part(asc_run *run, pools *p, uint32_t pool, uint32_t sections, asc_diag *diag) {
  pool_part *part = &p->parts[pool];
  int64_t capacity = asc_problem_pool(p->problem, pool)->capacity;
  part->problem = asc_problem_part(p->problem, pool);
  part->scope = (struct asci_scope){asc_problem_part_buffers(p->problem, pool), sections, translate};
  part->capacity = capacity ? capacity : p->capacity;
  bool empty = part->problem->count == 0;
  part->stats.height = part->stats.cost = empty ? 0 : -1;
  part->stats.lower_bound = run->domain->bound(&(asc_input){.of.buffers = part->problem}, run->goal);
  part->stats.outcome = empty ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_RUNNING;
  if (empty) return ASC_OK;
  part->best = asci_alloc(run->context, part->problem->count, sizeof *part->best);
  if (!part->best) return ASC_OUT_OF_MEMORY;
  uint64_t nodes = run->stats.nodes;
  enter(run, p, part);
  asc_status status = run->solver->create(run, &part->state, diag);
  leave(run, p, part);
  part->nodes = run->stats.nodes - nodes;
  run->stats.nodes = nodes;
  return status;
}

/* The first pool from k on in which anything lies, or the number of pools. */
static uint32_t first_from(const pools *p, uint32_t k) {
  while (k < p->count && !p->parts[k].state) k++;
  return k;
}

static void begin_part(asc_run *run, pools *p, uint32_t k) {
  p->now = k;
  if (k < p->count) run->stats.nodes += p->parts[k].nodes;
  add_up(run, p);
}

static asc_status pools_create(asc_run *run, void **state, asc_diag *diag) {
  pools *p = asci_calloc(run->context, 1, sizeof *p);
  if (!p) return ASC_OUT_OF_MEMORY;
  p->count = asc_problem_pool_count(run->problem);
  p->input = run->input;
  p->problem = run->problem;
  p->best = run->best;
  p->capacity = run->capacity;
  const size_t counts[] = {p->count, p->problem->count};
  asc_status status = asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, p) ? ASC_OK : ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0, sections = 0; !status && k < p->count; k++) {
    status = make_part(run, p, k, sections, diag);
    if (!status) sections += p->parts[k].problem->section_count;
  }
  if (status) {
    pools_destroy(run, p);
    return status;
  }
  begin_part(run, p, first_from(p, 0));
  *state = p;
  return ASC_OK;
}

/* ---- stepping -------------------------------------------------------------------------------------------------------- */

static void pools_introduce(asc_run *run, void *state) {
  pools *p = state;
  if (!run->solver->introduce || p->now == p->count) return;
  enter_to_step(run, p, &p->parts[p->now]);
  run->solver->introduce(run, p->parts[p->now].state);
  leave(run, p, &p->parts[p->now]);
}

/* Of a part that is entered: what its solver returned, as a run of the part alone would end. */
static asc_outcome end_part(asc_run *run, asc_outcome ended) {
  if (ended != ASC_OUTCOME_FEASIBLE && ended != ASC_OUTCOME_OVER_CAPACITY) return ended;
  if (asci_take_best(run, ended == ASC_OUTCOME_FEASIBLE ? run->capacity : INT64_MAX)) return run->stats.outcome;
  return asci_meets_bound(run, ended) ? ASC_OUTCOME_OPTIMAL : ended;
}

static asc_outcome solve_part(asc_run *run, pools *p) {
  pool_part *part = &p->parts[p->now];
  int64_t height = part->stats.height;
  enter_to_step(run, p, part);
  asc_outcome ended = run->solver->advance(run, part->state);
  bool lost = run->stats.outcome != ASC_OUTCOME_RUNNING; /* an incumbent that did not hold: the engine says so */
  if (!lost && ended != ASC_OUTCOME_RUNNING) run->stats.outcome = end_part(run, ended);
  asc_outcome outcome = run->stats.outcome;
  leave(run, p, part);
  if (outcome == ASC_OUTCOME_INFEASIBLE) keep_conflict(run, p, part);
  if (part->stats.height != height || asci_has_plan(outcome)) keep_best(p, part);
  if (lost) run->stats.outcome = outcome;
  return outcome;
}

/* Every pool has a plan. Each was validated, but only those that end as OPTIMAL may lie above their capacity. */
static asc_outcome end_all(const pools *p) {
  bool optimal = true, over = false;
  for (uint32_t k = 0; k < p->count; k++) {
    optimal = optimal && p->parts[k].stats.outcome == ASC_OUTCOME_OPTIMAL;
    over = over || p->parts[k].stats.height > p->parts[k].capacity;
  }
  if (optimal) return ASC_OUTCOME_OPTIMAL;
  return over ? ASC_OUTCOME_OVER_CAPACITY : ASC_OUTCOME_FEASIBLE;
}

static void go_on_in(asc_run *run, pools *p, uint32_t next) {
  const pool_part *part = &p->parts[p->now];
  uint32_t depth = run->stats.depth - part->stats.depth + part->problem->count;
  asci_step_other(run, ASC_EVENT_POOL, p->now, part->stats.height, depth);
  ASC_EMIT(run, POOL, 0, .pool = p->now, .height = part->stats.height, .next = next);
  begin_part(run, p, next);
  if (asci_traced(run)) pools_introduce(run, p);
}

static asc_outcome pools_advance(asc_run *run, void *state) {
  pools *p = state;
  while (p->now < p->count) {
    asc_outcome outcome = p->parts[p->now].stats.outcome;
    if (!asci_has_plan(outcome)) outcome = solve_part(run, p);
    if (!asci_has_plan(outcome)) return outcome;
    uint32_t next = first_from(p, p->now + 1);
    if (next == p->count) break;
    if (!asci_more(run)) return ASC_OUTCOME_RUNNING;
    go_on_in(run, p, next);
  }
  return end_all(p);
}

/* ---- the view -------------------------------------------------------------------------------------------------------- */

/* A part that ended elsewhere than at its plan (minimising, the search goes on to the proof) is shown with the plan. */
static void show_plan(pools *p, const pool_part *part, uint32_t below) {
  for (uint32_t b = 0; b < part->problem->count; b++) {
    uint32_t buffer = part->scope.buffers[b];
    p->offsets[buffer] = p->min_offsets[buffer] = part->best[b];
    p->stack[below + b] = buffer;
    p->tried[below + b] = p->candidates[below + b] = 1;
  }
}

static void show_levels(pools *p, const pool_part *part, const asc_run_view *view, uint32_t below) {
  for (uint32_t level = 0; level < view->depth; level++) {
    p->stack[below + level] = part->scope.buffers[view->stack[level]];
    p->tried[below + level] = view->tried ? view->tried[level] : 1;
    p->candidates[below + level] = view->candidates ? view->candidates[level] : 1;
  }
}

static void show_buffers(pools *p, const pool_part *part, const asc_run_view *view) {
  for (uint32_t b = 0; b < part->problem->count; b++) {
    uint32_t buffer = part->scope.buffers[b];
    p->offsets[buffer] = view->offsets[b];
    p->min_offsets[buffer] = view->min_offsets ? view->min_offsets[b] : 0;
    p->phases[buffer] = view->phases ? view->phases[b] : ASC_NONE;
  }
}

static void pools_view(asc_run *run, void *state, asc_run_view *view) {
  pools *p = state;
  uint32_t below = 0;
  for (uint32_t k = 0; k < p->count; k++) {
    pool_part *part = &p->parts[k];
    if (!part->state) continue;
    asc_run_view one = {.depth = part->stats.depth};
    enter(run, p, part);
    run->solver->view(run, part->state, &one);
    leave(run, p, part);
    show_buffers(p, part, &one);
    if (k <= p->now) show_levels(p, part, &one, below);
    if (k < p->now && one.depth < part->problem->count) show_plan(p, part, below);
    if (k <= p->now) below += part->problem->count;
    if (one.min_offsets) view->min_offsets = p->min_offsets;
    if (one.tried) view->tried = p->tried;
    if (one.candidates) view->candidates = p->candidates;
    if (one.phases) view->phases = p->phases;
    if (k == p->now) view->open_tried = one.open_tried;
    if (k == p->now) view->open_candidates = one.open_candidates;
  }
  view->offsets = p->offsets;
  view->stack = p->stack;
}

/* ---- keeping it ------------------------------------------------------------------------------------------------------ */

/* What the solver does to the run's own numbers meanwhile is not for good: pools_keep sets them back. */
static asc_status keep_part(asc_run *run, pools *p, pool_part *part, asci_saver *saver) {
  bool passed = part < p->parts + p->now;
  if (!asci_keep_standing(saver, &part->stats, part->problem->count)) return asci_unkept(saver);
  if (passed && !asci_has_plan(part->stats.outcome)) return asci_unkept(saver);
  enter(run, p, part);
  asc_status status = asci_keep_best(saver, run);
  if (!status) status = run->solver->keep(run, part->state, saver);
  leave(run, p, part);
  if (!saver->loads) return status;
  keep_best(p, part);
  if (part->stats.outcome == ASC_OUTCOME_INFEASIBLE) keep_conflict(run, p, part);
  return status;
}

/* Whether the run stands where its parts do. */
static bool agree(const asc_run *run, const pools *p, const asc_run_stats *saved) {
  const asc_run_stats *stats = &run->stats;
  bool lost = saved->outcome == ASC_OUTCOME_EXHAUSTED;
  if (stats->depth != saved->depth || stats->lower_bound != saved->lower_bound) return false;
  if (stats->height != saved->height && !(lost && saved->height < 0)) return false; /* of buffers the cost is the height */
  if (lost) return true;
  bool goes_on = asci_goes_on(saved->outcome);
  bool solved = asci_has_plan(saved->outcome);
  if (p->now == p->count) return solved || goes_on;
  asc_outcome now = p->parts[p->now].stats.outcome;
  if (solved) return asci_has_plan(now); /* of a pool behind it there would be no height */
  return goes_on ? now == ASC_OUTCOME_RUNNING || asci_has_plan(now) : now == saved->outcome;
}

/* Parts that are as new are not told. */
static asc_status pools_keep(asc_run *run, void *state, asci_saver *saver) {
  pools *p = state;
  asc_run_stats saved = run->stats;
  ASCI_KEEP(saver, p->now, p->count);
  bool stands = p->now == p->count || p->parts[p->now].state; /* never at an empty pool */
  asc_status status = stands ? asci_kept(saver) : asci_unkept(saver);
  for (uint32_t k = 0; !status && k < p->count && k <= p->now; k++)
    if (p->parts[k].state) status = keep_part(run, p, &p->parts[k], saver);
  if (saver->loads) add_up(run, p);
  if (!status && saver->loads && !agree(run, p, &saved)) status = ASC_BAD_SAVE;
  run->stats = saved;
  return status;
}

const asci_solver asci_pools = {
    .create = pools_create,
    .destroy = pools_destroy,
    .introduce = pools_introduce,
    .advance = pools_advance,
    .view = pools_view,
    .keep = pools_keep,
};
