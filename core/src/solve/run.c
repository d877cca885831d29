/* The engine: one run of one solver. What a solver found is validated before anyone sees it. */
#include "solve/run.h"

#include "base/diag.h"
#include "solve/pools.h"
#include "solve/proof.h"
#include "trace/overview.h"

#include <string.h>

#define CONFIG_COOKIE UINT32_C(0xA5C0DE01)

static const asci_solver *const solvers[] = {
#define ASCI_SOLVER(name, id, domain) &asci_solver_##name,
#include "solve/solvers.def"
#undef ASCI_SOLVER
};

#define SOLVER_COUNT (sizeof solvers / sizeof *solvers)

uint32_t asc_solver_count(void) {
  return (uint32_t)SOLVER_COUNT;
}

const asc_solver_info *asc_solver_at(uint32_t index) {
  return index < SOLVER_COUNT ? &solvers[index]->info : NULL;
}

static const asci_solver *find_solver(const char *id) {
  for (size_t k = 0; id && k < SOLVER_COUNT; k++)
    if (!strcmp(solvers[k]->info.id, id)) return solvers[k];
  return NULL;
}

const asc_solver_info *asc_solver_find(const char *id) {
  const asci_solver *solver = find_solver(id);
  return solver ? &solver->info : NULL;
}

asc_run_config asc_run_config_default(const char *solver, int64_t capacity) {
  return (asc_run_config){.cookie = CONFIG_COOKIE, .solver = solver, .capacity = capacity};
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static asc_status check_part(const asc_problem *problem, uint32_t supports, asc_diag *diag) {
  static const struct {
    uint32_t need;
    const char *field, *what;
  } needs[] = {
      {ASC_SUPPORTS_ALIGNMENT, "alignment", "alignment"},
      {ASC_SUPPORTS_FIXED, "offset", "fixed offsets"},
      {ASC_SUPPORTS_GAPS, "gaps", "gaps"},
      {ASC_SUPPORTS_WINDOWS, "gaps", "gaps with windows"},
      {ASC_SUPPORTS_BANKS, "bank", "bank boundaries"},
      {ASC_SUPPORTS_SHAPES, "shape", "shapes of several rectangles"},
  };
  uint32_t missing = asci_needs(problem) & ~supports;
  for (size_t k = 0; k < sizeof needs / sizeof *needs; k++)
    if (missing & needs[k].need)
      return asci_complain(diag, ASC_UNSUPPORTED, needs[k].field, "this solver does not honour %s", needs[k].what);
  return ASC_OK;
}

/* A pool may have an alignment and a bank of its own: each is asked for by what lies in it. */
static asc_status check_supports(const asc_run *run, asc_diag *diag) {
  const asc_problem *problem = run->problem;
  asc_status status = ASC_OK;
  if (problem->has_any_pool)
    return asci_complain(diag, ASC_UNSUPPORTED, "pool", "this solver does not choose pools: name one for each buffer");
  for (uint32_t p = 0; !status && p < asc_problem_pool_count(problem); p++)
    status = check_part(asc_problem_part(problem, p), run->solver->info.supports, diag);
  return status;
}

/* What a solver of that domain takes, where it was given another. */
static const char *taken_instead(asc_domain domain, asc_domain given) {
  if (domain == ASC_DOMAIN_BUFFERS) return "this solver takes buffers, not a model's graph";
  if (given == ASC_DOMAIN_BUFFERS) return "this solver takes a model's graph, not buffers";
  return domain == ASC_DOMAIN_GRAPH
             ? "this solver orders operators: its graph is given to be ordered (domain graph), not to be selected from"
             : "this solver selects tensors: its graph is given to be selected from (domain selection), not to be ordered";
}

/* Whether the solver takes such an input and can be asked for that. */
static asc_status check_solver(const asc_input *input, const asc_run_config *config, asc_diag *diag) {
  const asci_solver *solver = find_solver(config->solver);
  if (!solver) return asci_complain(diag, ASC_UNKNOWN_SOLVER, "solver", "there is no solver of that name");
  if (solver->info.domain != input->domain)
    return asci_complain(diag, ASC_UNSUPPORTED, "solver", "%s", taken_instead(solver->info.domain, input->domain));
  if ((size_t)config->goal >= ASC_GOAL_COUNT || !asc_solver_takes_goal(&solver->info, config->goal))
    return asci_complain(diag, ASC_UNSUPPORTED, "goal", "this solver cannot be asked for that");
  return ASC_OK;
}

static asc_status check_config(const asc_input *input, const asc_run_config *config, asc_diag *diag) {
  const asci_domain *domain = asci_domain_of(input);
  if (!domain || !domain->context(input)) return asci_complain(diag, ASC_BAD_ARGUMENT, "input", "is not frozen");
  if (!config || config->cookie != CONFIG_COOKIE)
    return asci_complain(diag, ASC_BAD_ARGUMENT, "config", "was not made by asc_run_config_default");
  if (config->option_count && !config->options) return asci_complain(diag, ASC_BAD_ARGUMENT, "options", "are missing");
  if (config->capacity < 0 || config->capacity > ASC_MAX_BYTES)
    return asci_complain(diag, ASC_BAD_ARGUMENT, "capacity", "is out of range, expected 0 to 9,007,199,254,740,991");
  return check_solver(input, config, diag);
}

static uint64_t start_digest(const asc_run *run) {
  uint64_t hash = asci_fold_text(ASCI_HASH_SEED, run->solver->info.id);
  hash = asci_fold(hash, asc_input_digest(&run->input));
  hash = asci_fold(hash, (uint64_t)run->goal);
  hash = asci_fold(hash, (uint64_t)run->capacity);
  return asci_fold(hash, run->seed);
}

/* A run whose options are read: room for what it finds, and its state. */
static asc_status make(asc_run *run, asc_diag *diag) {
  run->overview = asci_overview_new(run->context);
  bool graph = run->input.domain != ASC_DOMAIN_BUFFERS;
  if (graph)
    run->order = asci_alloc(run->context, run->domain->turns(&run->input), sizeof *run->order);
  else
    run->best = asci_alloc(run->context, run->problem->count, sizeof *run->best);
  if (!graph) run->placed = asci_calloc(run->context, run->problem->count, sizeof *run->placed);
  if (!run->overview || !(graph ? (void *)run->order : (void *)run->best) || (!graph && !run->placed))
    return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the run");
  asci_run_forget(run);
  run->bucket = &run->scratch_bucket; /* until the first step, after bucket_end */
  if (diag) *diag = (asc_diag){0};
  asc_status status = run->machine->create(run, &run->state, diag);
  if (status && diag) diag->status = status;
  if (status && diag && !diag->message[0]) asci_refuse(diag, status);
  return status;
}

static asc_status configure(asc_run *run, const asc_run_config *config, asc_diag *diag) {
  asc_status status = check_supports(run, diag);
  run->config_digest = start_digest(run);
  return status ? status : asci_run_read_options(run, config, diag);
}

/* An empty run; NULL: there is no memory for it. */
static asc_run *new_run(const asc_input *input, const asci_solver *solver, asc_goal goal, int64_t capacity, uint64_t seed) {
  const asci_domain *domain = asci_domain_of(input);
  asc_context *context = domain->context(input);
  asc_run *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return NULL;
  made->input = *input;
  made->domain = domain;
  made->problem = domain->problem(input);
  made->context = context;
  made->goal = goal;
  made->solver = solver;
  made->machine = made->problem->parts ? &asci_pools : solver;
  made->capacity = capacity;
  made->seed = seed;
  made->saver.context = context;
  return made;
}

asc_status asc_run_new(asc_input input, const asc_run_config *config, asc_run **run, asc_diag *diag) {
  asc_status status = check_config(&input, config, diag);
  if (status || !run) return status ? status : ASC_BAD_ARGUMENT;
  asc_run *made = new_run(&input, find_solver(config->solver), config->goal, config->capacity, config->seed);
  if (!made) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the run");
  made->budget = config->budget;
  status = configure(made, config, diag);
  if (!status) status = make(made, diag);
  if (status)
    asc_run_free(made);
  else
    *run = made;
  return status;
}

asc_status asci_run_twin(const asc_run *run, asc_run **twin) {
  asc_run *made = new_run(&run->input, run->solver, run->goal, run->capacity, run->seed);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->options = run->options;
  made->borrows = true;
  made->config_digest = run->config_digest;
  asc_status status = make(made, NULL);
  if (status)
    asc_run_free(made);
  else
    *twin = made;
  return status;
}

void asc_run_free(asc_run *run) {
  if (!run) return;
  if (run->state) run->machine->destroy(run, run->state);
  if (run->prover) asci_free(run->context, run->prover->line.bytes);
  asci_free(run->context, run->prover);
  if (!run->borrows) asci_free(run->context, run->options);
  asci_overview_free(run->overview);
  asci_free(run->context, run->placed);
  asci_free(run->context, run->best);
  asci_free(run->context, run->order);
  asci_free(run->context, run->stays);
  asci_free(run->context, run->saver.bytes);
  asci_free(run->context, run);
}

asc_status asci_state_new(asc_run *run, size_t bytes, asc_status (*fill)(asc_run *run, void *state),
                          void (*destroy)(asc_run *run, void *state), void **state) {
  void *made = asci_calloc(run->context, 1, bytes);
  if (!made) return ASC_OUT_OF_MEMORY;
  asc_status status = fill(run, made);
  if (status)
    destroy(run, made);
  else
    *state = made;
  return status;
}

/* ---- stepping -------------------------------------------------------------------------------------------------------- */

static asc_status finish(asc_run *run, asc_outcome outcome) {
  if (run->stats.outcome != ASC_OUTCOME_RUNNING) /* an incumbent that did not hold */
    return run->stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY ? ASC_OUT_OF_MEMORY : ASC_INVALID_SOLUTION;
  run->stats.outcome = outcome;
  if (outcome != ASC_OUTCOME_FEASIBLE && outcome != ASC_OUTCOME_OVER_CAPACITY) return ASC_OK;
  asc_status status = asci_take_best(run, outcome == ASC_OUTCOME_FEASIBLE ? run->capacity : INT64_MAX);
  if (status) return status;
  if (asci_meets_bound(run, outcome)) run->stats.outcome = ASC_OUTCOME_OPTIMAL;
  return ASC_OK;
}

/* Whoever is ended may be close to a plan, or to a better one. False: it did not hold. */
static bool rescue(asc_run *run) {
  if (!run->machine->rescue || !asci_minimises(run)) return true;
  asc_status status = run->machine->rescue(run, run->state);
  return !status || status == ASC_OUT_OF_MEMORY;
}

/* What ends a run from outside: cancel and budget. */
static asc_status interrupt(asc_run *run) {
  bool cancelled = asci_cancelled(run), spent = run->budget && run->stats.steps >= run->budget;
  if (!cancelled && !spent) return ASC_OK;
  if (!rescue(run)) return ASC_INVALID_SOLUTION;
  run->stats.outcome = cancelled ? ASC_OUTCOME_CANCELLED : ASC_OUTCOME_BUDGET_SPENT;
  return ASC_OK;
}

asc_status asc_run_step(asc_run *run, uint64_t steps, asc_outcome *outcome) {
  if (!run) return ASC_BAD_ARGUMENT;
  asc_status status = ASC_OK;
  uint64_t until = steps > UINT64_MAX - run->stats.steps ? UINT64_MAX : run->stats.steps + steps;
  run->pause = run->budget && run->budget < until ? run->budget : until;
  if (run->stats.outcome == ASC_OUTCOME_RUNNING) status = interrupt(run);
  if (run->stats.outcome == ASC_OUTCOME_RUNNING) {
    asc_outcome ended = run->machine->advance(run, run->state);
    if (ended != ASC_OUTCOME_RUNNING)
      status = finish(run, ended);
    else if (run->stats.steps < until)
      status = interrupt(run);
    if (run->stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY && rescue(run) && run->stats.height >= 0) status = ASC_OK;
  }
  if (run->prover && run->stats.outcome != ASC_OUTCOME_RUNNING) run->prover->end(run);
  if (outcome) *outcome = run->stats.outcome;
  return status;
}

void asc_run_cancel(asc_run *run) {
  atomic_store_explicit(&run->cancel, true, memory_order_relaxed);
}

void asc_run_resume(asc_run *run, uint64_t budget) {
  asc_outcome outcome = run->stats.outcome;
  atomic_store_explicit(&run->cancel, false, memory_order_relaxed);
  run->budget = budget;
  if (outcome == ASC_OUTCOME_CANCELLED || outcome == ASC_OUTCOME_BUDGET_SPENT) run->stats.outcome = ASC_OUTCOME_RUNNING;
}

void asc_run_stats_get(const asc_run *run, asc_run_stats *stats) {
  *stats = run->stats;
  stats->digest = run->digest;
}

bool asc_run_plan(const asc_run *run, asc_plan *plan) {
  if (run->stats.height < 0) return false;
  *plan = asci_run_plan(run);
  return true;
}

const int64_t *asc_run_best(const asc_run *run) {
  return run->stats.height >= 0 ? run->best : NULL;
}

const uint32_t *asc_run_conflict(const asc_run *run, uint32_t *count) {
  bool known = run->stats.outcome == ASC_OUTCOME_INFEASIBLE && run->conflict;
  *count = known ? run->conflict_count : 0;
  return known ? run->conflict : NULL;
}

asc_status asc_run_view_get(asc_run *run, asc_run_view *view) {
  if (!run || !view) return ASC_BAD_ARGUMENT;
  if (!run->state) return ASC_OUT_OF_MEMORY;
  asc_status status = run->machine->situate ? run->machine->situate(run, run->state) : ASC_OK;
  if (status) return status;
  *view = (asc_run_view){.step = run->stats.steps, .depth = run->stats.depth};
  run->machine->view(run, run->state, view);
  return ASC_OK;
}

void asc_run_attach(asc_run *run, asc_log *log) {
  run->log = log;
  if (log && run->state && run->stats.steps == 0 && run->machine->introduce) run->machine->introduce(run, run->state);
}

void asc_run_overview(const asc_run *run, asc_overview *overview) {
  *overview = (asc_overview){.width = 1};
  if (!run->overview) return;
  overview->width = run->overview->width;
  overview->count = run->overview->count;
  overview->buckets = run->overview->buckets;
  overview->mark_count = run->overview->mark_count;
  overview->marks = run->overview->marks;
  overview->placed = run->placed;
  overview->buffer_count = run->placed ? run->problem->count : 0;
}
