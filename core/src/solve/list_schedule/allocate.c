/* Stage two: where the buffers lie that an order brings about. A solver of buffers answers that, by its name, as if it had been given the
 * situation at the end. */
#include "base/diag.h"
#include "solve/list_schedule/schedule.h"

#include <string.h>

#define AUTO "auto"
#define ALLOCATOR_BUFFERS(id) "|" id
#define ALLOCATOR_GRAPH(id)
#define ALLOCATOR_SELECTION(id)
const char asci_schedule_allocators[] = AUTO
#define ASCI_SOLVER(name, id, domain) ALLOCATOR_##domain(id)
#include "solve/solvers.def"
#undef ASCI_SOLVER
    ;

/* Steps between two looks at whether the run was cancelled. */
#define SLICE 1024u

/* "auto": the first is quick and low where there is room; what it misses by chance where there is little the second finds, of so many buffers
   in little time. */
static const char quick[] = "large", thorough[] = "exact";
#define THOROUGH_UP_TO 2000u

/* Who finds none below the capacity may have none at all; this one always has a plan, however high. */
static const char last_resort[] = "greedy";

static asc_run_config config_of(const asc_run *run, const char *solver) {
  asc_run_config config = asc_run_config_default(solver, run->capacity);
  config.seed = run->seed;
  if (solver == last_resort) return config;
  config.budget = (uint64_t)((const asci_schedule_options *)run->options)->allocator_steps;
  return config;
}

typedef struct solver_name {
  char id[32]; /* no id of a solver is longer */
} solver_name;

static solver_name allocator_of(const asc_run *run) {
  const char *choice = asci_choice(ASCI_SCHEDULE_ALLOCATORS, ((const asci_schedule_options *)run->options)->allocator);
  solver_name name = {0};
  bool by_itself = strncmp(choice, AUTO, strlen(AUTO)) == 0;
  memcpy(name.id, by_itself ? quick : choice, by_itself ? strlen(quick) : strcspn(choice, "|"));
  return name;
}

asc_status asci_schedule_check(asc_run *run, asc_diag *diag) {
  asc_run *trial = NULL;
  asc_diag why = {0};
  solver_name allocator = allocator_of(run);
  asc_run_config config = config_of(run, allocator.id);
  asc_status status = asc_run_new(asc_input_buffers(run->problem), &config, &trial, &why);
  asc_run_free(trial);
  if (!status || status == ASC_OUT_OF_MEMORY) return status;
  return asci_complain(diag, status, "allocator", "is %s, which does not do: %s", config.solver, why.message);
}

asc_status asci_schedule_stays(asci_schedule *s) {
  s->stays.count = 0;
  return asci_stays(&s->sized, asci_schedule_whole(s), asci_stay_keep, &s->stays);
}

void asci_schedule_drop_inner(asci_schedule *s) {
  asc_run_free(s->inner);
  asc_problem_free(s->arena);
  s->inner = NULL;
  s->arena = NULL;
}

static asc_status begin(asc_run *run, asci_schedule *s) {
  solver_name allocator = allocator_of(run);
  asc_run_config config = config_of(run, allocator.id);
  asc_status status = asci_schedule_stays(s);
  s->steps = 0;
  s->asked = quick;
  if (!status)
    status = asc_lowering_situation(s->lowering, s->stays.stays, (uint32_t)s->stays.count, false, &s->arena, NULL);
  return status ? status : asc_run_new(asc_input_buffers(s->arena), &config, &s->inner, NULL);
}

/* The solver to ask where `stats`, the end of the one before it, has no plan; NULL: none is left. */
static const char *next_solver(const asc_run *run, const asci_schedule *s, const asc_run_stats *stats) {
  const char *choice = asci_choice(ASCI_SCHEDULE_ALLOCATORS, ((const asci_schedule_options *)run->options)->allocator);
  if (s->asked == last_resort) return NULL; /* no plan at all: one above every address, say */
  if (stats->outcome == ASC_OUTCOME_RUNNING || stats->outcome == ASC_OUTCOME_OUT_OF_MEMORY || stats->height >= 0)
    return NULL;
  bool by_itself = strncmp(choice, AUTO, strlen(AUTO)) == 0, first = s->asked == quick;
  return by_itself && first && s->arena->count <= THOROUGH_UP_TO ? thorough : last_resort;
}

static asc_status begin_next(asc_run *run, asci_schedule *s, const char *solver) {
  asc_run_config config = config_of(run, solver);
  s->asked = solver;
  asc_run_free(s->inner);
  s->inner = NULL;
  return asc_run_new(asc_input_buffers(s->arena), &config, &s->inner, NULL);
}

/* Takes the inner run to its end, unless the run is cancelled meanwhile. */
static asc_status go_on(const asc_run *run, asci_schedule *s, asc_run_stats *stats) {
  asc_status status = ASC_OK;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (!status && outcome == ASC_OUTCOME_RUNNING && !asci_cancelled(run)) status = asc_run_step(s->inner, SLICE, &outcome);
  asc_run_stats_get(s->inner, stats);
  if (stats->outcome != ASC_OUTCOME_RUNNING) s->steps += stats->steps;
  return status;
}

static asc_outcome outcome_of(asc_status status) {
  return status == ASC_OUT_OF_MEMORY ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_EXHAUSTED;
}

/* That this order does not fit proves nothing of others. */
static asc_outcome take(const asc_run *run, asci_schedule *s, const asc_run_stats *stats) {
  const int64_t *best = asc_run_best(s->inner);
  s->height = stats->height;
  if (!best) return stats->outcome == ASC_OUTCOME_OUT_OF_MEMORY ? stats->outcome : ASC_OUTCOME_EXHAUSTED;
  for (size_t k = 0; k < s->stays.count; k++) s->stays.stays[k].offset = best[k];
  return s->height <= run->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
}

static asc_outcome work(asc_run *run, asci_schedule *s) {
  asc_status status = s->inner ? ASC_OK : begin(run, s);
  asc_run_stats stats = {.outcome = ASC_OUTCOME_RUNNING};
  if (!status) status = go_on(run, s, &stats);
  for (const char *next; !status && (next = next_solver(run, s, &stats));) {
    status = begin_next(run, s, next);
    if (!status) status = go_on(run, s, &stats);
  }
  if (!status && stats.outcome == ASC_OUTCOME_RUNNING) return ASC_OUTCOME_RUNNING;
  asc_outcome outcome = status ? outcome_of(status) : take(run, s, &stats);
  asci_schedule_drop_inner(s);
  return outcome;
}

bool asci_schedule_copy(asci_schedule *s, const asci_schedule *from) {
  if (!asci_stays_copy(&from->stays, &s->stays)) return false;
  s->allocated = true;
  s->outcome = from->outcome;
  s->height = from->height;
  s->steps = from->steps;
  return true;
}

bool asci_schedule_hand_in(asc_run *run, const asci_schedule *s) {
  memcpy(run->order, s->order, s->graph->op_count * sizeof *run->order);
  asci_plan_begin(run);
  for (size_t k = 0; k < s->stays.count; k++)
    if (!asci_plan_add(run, &s->stays.stays[k])) return false;
  return true;
}

asc_outcome asci_schedule_allocate(asc_run *run, asci_schedule *s) {
  if (s->ahead && s->ahead->allocated) {
    if (!asci_schedule_copy(s, s->ahead)) return ASC_OUTCOME_OUT_OF_MEMORY;
  } else {
    s->outcome = work(run, s);
    if (s->outcome == ASC_OUTCOME_RUNNING || s->outcome == ASC_OUTCOME_OUT_OF_MEMORY) return s->outcome;
    s->allocated = true;
  }
  return s->height < 0 || asci_schedule_hand_in(run, s) ? s->outcome : ASC_OUTCOME_OUT_OF_MEMORY;
}
