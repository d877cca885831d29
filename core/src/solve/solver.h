/* What a solver is, and what the engine gives it.
 *
 * A solver is a resumable machine with an explicit stack. advance() takes steps while asci_more(run) holds and returns RUNNING, or
 * returns a final outcome. Each step is announced by exactly one of asci_step_*() (they count, digest and fill the overview). What the step
 * says, and its details, follow with ASC_EMIT(), which does nothing while no log is attached. Nothing that advance() decides may depend on the
 * log.
 *
 *     while (asci_more(run)) {
 *       ...decide...
 *       asci_step_place(run, buffer, offset, depth);
 *       ASC_EMIT(run, PLACE, LINE_PLACE, .buffer = buffer, .offset = offset, .support = below);
 *     }
 *     return ASC_OUTCOME_RUNNING;
 *
 * On success the solver writes its plan (of buffers run->best[0..n-1], of a graph run->order and, by asci_plan_begin and asci_plan_add, the
 * stays) and returns FEASIBLE (or OVER_CAPACITY for a heuristic's plan); the engine validates it, sets the height and the cost and turns
 * FEASIBLE into OPTIMAL where the cost meets the lower bound. A solver that minimises hands in each better plan with asci_incumbent and
 * what it proves with asci_raise_bound, and returns OPTIMAL when they meet. */
#ifndef ASCI_SOLVE_SOLVER_H
#define ASCI_SOLVE_SOLVER_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "model/problem.h"
#include "solve/domain.h"
#include "trace/bytes.h"
#include "trace/events.h"
#include "trace/log.h"

#include <stdatomic.h>

/* How a run that has gone ahead is shown at any of its steps. */
typedef enum asci_history {
  /* A state follows from the decisions that stand: few bytes that apply them again are saved now and then, from where steps are taken again. */
  ASCI_HISTORY_DECISIONS,
  /* A state is no stack of decisions (a dynamic program has as many as it has states): the solver keeps records, which it only adds to
     (parent and decision, its own back pointers), and tells any step from them. Only counters are saved now and then. */
  ASCI_HISTORY_LOG,
} asci_history;

typedef struct asci_solver {
  asc_solver_info info;
  const uint16_t *option_places; /* in the struct of their values, see base/options.h */
  size_t option_bytes;           /* of that struct */
  /* Makes the state for run->problem, run->capacity and the options, before any step. Errors: UNSUPPORTED, BAD_OPTION (diag), OUT_OF_MEMORY;
     on error it has freed what it made. */
  asc_status (*create)(asc_run *run, void **state, asc_diag *diag);
  void (*destroy)(asc_run *run, void *state);
  /* Tells, by events that are no steps, what is open before the first step; only while a log is attached. NULL: nothing is. */
  void (*introduce)(asc_run *run, void *state);
  asc_outcome (*advance)(asc_run *run, void *state);
  /* The run is ended from outside, or for want of memory: hands in with asci_incumbent a plan, or a better one than the run has, if it has come far
     enough to make one soon. It takes no steps, and a run that is not out of memory can go on as if nothing had been. Errors: what asci_incumbent says. NULL: there is
     never one. */
  asc_status (*rescue)(asc_run *run, void *state);
  /* Makes ready what view hands out as the situation, and the offsets of its buffers. Errors: those of making a problem. NULL: the situation is
     always the input's own. */
  asc_status (*situate)(asc_run *run, void *state);
  /* Fills all of the view but step and depth; what it needs is allocated in create. */
  void (*view)(asc_run *run, void *state, asc_run_view *view);
  /* What cannot be derived, both ways (trace/bytes.h). One that loads does so into a fresh state, which it rebuilds by applying the decisions
     again; it returns BAD_SAVE for bytes that no save wrote (the engine then makes a fresh state), never trusts a count, and takes no steps. */
  asc_status (*keep)(asc_run *run, void *state, asci_saver *saver);
  asci_history history;
  /* DECISIONS. From where the save was made on, steps are taken as `ahead` took them: the state of a run of the same problem and options that is at least
     as far as this one will be asked to go, and that stays where it is. Otherwise as a keep that loads, but on any state. For solvers that can
     repeat steps without looking for them again. NULL: it cannot. */
  asc_status (*retrace)(asc_run *run, void *state, const void *ahead, asci_saver *saver);
  /* LOG. Makes any state that of `step` steps from the records of `ahead`, the state of a run of the same input and options that is at least as
     far and stays where it is. From there on steps are taken, told and handed in as `ahead` took them, from its records too. What this
     costs is a seek's: it should not grow with the effort of the search. Errors: OUT_OF_MEMORY. */
  asc_status (*show)(asc_run *run, void *state, void *ahead, uint64_t step);
} asci_solver;

/* The members of an asci_solver that say its options: those of a struct made by ASCI_OPTION_VALUES and ASCI_OPTION_TABLE. */
#define ASCI_TAKES_INFO(T) .options = T##_table, .option_count = sizeof T##_table / sizeof *T##_table
#define ASCI_TAKES(T) .option_places = T##_places, .option_bytes = sizeof(T)

/* What most creates are: a cleared state of that many bytes, filled; destroyed again if that fails. */
asc_status asci_state_new(asc_run *run, size_t bytes, asc_status (*fill)(asc_run *run, void *state),
                          void (*destroy)(asc_run *run, void *state), void **state);

/* What the numbers that a solver tells of the pool that it solves are in the whole (pools.h). */
struct asci_scope {
  const uint32_t *buffers;
  uint32_t sections; /* of the pools before */
  /* Turns an event of the pool into one of the whole. */
  void (*translate)(const asc_run *run, asc_event *event);
};

struct asc_run {
  asc_input input;
  const asci_domain *domain;
  const asc_problem *problem; /* the buffers as they are given: of a solver on buffers, the input */
  asc_context *context;
  const asci_solver *solver;
  /* What is stepped: the solver or, of a problem with pools, what has it solve one after the other. */
  const asci_solver *machine;
  void *state;
  asc_goal goal;
  int64_t capacity;
  uint64_t seed;
  uint64_t budget;
  void *options; /* their values, in the solver's own struct */
  bool borrows;  /* the options are another run's */
  uint64_t config_digest;

  const struct asci_scope *scope; /* the pool that is solved, NULL: there are no others */
  uint32_t below;                 /* buffers placed in the pools before it */

  bool retracing; /* another run takes these steps, or did before: what they come to is validated there */
  uint64_t pause; /* asci_more stops at this step */
  asc_run_stats stats;
  uint64_t digest;
  atomic_bool cancel;

  asc_bucket *bucket;             /* current bucket, or a scratch one once a state was loaded */
  uint64_t bucket_end;            /* its last step */
  struct asci_overview *overview; /* NULL once a state was loaded */
  uint32_t *placed;               /* by buffer: asc_overview.placed */
  asc_bucket scratch_bucket;
  asc_log *log;
  unsigned line;   /* if not 0: that of every event. A solver that runs inside another speaks from one line of it */
  int64_t *best;   /* of buffers: the plan's offsets */
  uint32_t *order; /* of a graph: the plan's order, */
  asc_stay *stays; /* and where everything is */
  size_t stay_count, stay_room;
  uint32_t *conflict; /* of an INFEASIBLE end, for asc_run_conflict; the solver's own memory */
  uint32_t conflict_count;
  asci_saver saver;
  struct asci_prover *prover; /* where the certificate goes, see proof.h; NULL: there is none */
};

/* Whether someone asked the run to end. A relaxed load: nothing else is handed over with it. */
static inline bool asci_cancelled(const asc_run *run) {
  return atomic_load_explicit(&run->cancel, memory_order_relaxed);
}

/* True while the solver may take one more step. A cancel is asked for at every step: on a million buffers a thousand take minutes. */
static inline bool asci_more(const asc_run *run) {
  return run->stats.steps < run->pause && !asci_cancelled(run);
}

/* What a solver must honour (ASC_SUPPORTS_*) for its plans of the problem to be right. */
uint32_t asci_needs(const asc_problem *problem);

/* ---- steps ---- */

void asci_overview_roll(asc_run *run);

/* A run's digest after one more step. Eight bits for the kind, twenty for the buffer and the rest for offsets: they only meet above 64 GiB. */
static inline uint64_t asci_fold_step(uint64_t digest, asc_event_kind kind, uint32_t buffer, int64_t offset) {
  return asci_fold(digest, ((uint64_t)kind << 56) + ((uint64_t)buffer << 36) + (uint64_t)offset);
}

static inline void asci_at_depth(asc_run *run, uint32_t depth) {
  depth += run->below;
  run->stats.depth = depth;
  asc_bucket *bucket = run->bucket;
  if (depth < bucket->min_depth) bucket->min_depth = depth;
  if (depth > bucket->max_depth) bucket->max_depth = depth;
  bucket->last_depth = depth;
}

/* The part every step shares. depth: buffers placed after it. */
static inline void asci_tick(asc_run *run, asc_event_kind kind, uint32_t buffer, int64_t offset, uint32_t depth) {
  if (++run->stats.steps > run->bucket_end) asci_overview_roll(run);
  run->digest = asci_fold_step(run->digest, kind, buffer, offset);
  asci_at_depth(run, depth);
}

/* Where a search thrashes shows in how often it places the same buffers again. */
static inline void asci_count_placed(asc_run *run, uint32_t buffer) {
  if (run->placed) run->placed[run->scope ? run->scope->buffers[buffer] : buffer]++;
}

static inline void asci_deepen(asc_run *run) {
  if (run->stats.depth > run->stats.max_depth) {
    run->stats.max_depth = run->stats.depth;
    run->stats.max_depth_step = run->stats.steps;
  }
}

static inline void asci_step_place(asc_run *run, uint32_t buffer, int64_t offset, uint32_t depth) {
  asci_tick(run, ASC_EVENT_PLACE, buffer, offset, depth);
  asci_count_placed(run, buffer);
  asci_deepen(run);
}

static inline void asci_step_reject(asc_run *run, asc_rule rule, uint32_t buffer, int64_t offset, uint32_t depth) {
  asci_tick(run, ASC_EVENT_REJECT, buffer, offset, depth);
  run->stats.rules[rule]++;
  run->bucket->rules[rule]++;
}

/* count candidates, the first of which is buffer at offset, are passed over by rule. */
static inline void asci_step_skip(asc_run *run, asc_rule rule, uint32_t buffer, int64_t offset, uint32_t count,
                                  uint32_t depth) {
  asci_tick(run, ASC_EVENT_SKIP, buffer, offset, depth);
  run->stats.rules[rule]++;
  run->stats.skipped += count;
  run->bucket->rules[rule]++;
}

/* Levels from .. to + 1 are taken back; buffer is the decision undone last. nodes: how many nodes were left without a solution (the
   papers' count of backtracks). Major: at least ASCI_MAJOR levels at once, or when the solver says so. */
#define ASCI_MAJOR 8u
bool asci_step_backtrack(asc_run *run, uint32_t from, uint32_t to, uint32_t buffer, uint64_t nodes, bool major);

/* Kinds of steps that put the buffer that they are about somewhere, as bits. */
static const uint64_t asci_putting_kinds = 0
#define ASC_NOBODY
#define ASC_AT(role, buffer, offset) | (ASC_ROLE_##role == ASC_ROLE_PUTS)
#define ASC_WHO(role, buffer)
#define ASC_EACH(role)
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) | ((uint64_t)(0 roles) << ASC_EVENT_##NAME)
#include "asc/events.def"
    ;

/* Any other event that is a step. The first of a pool comes to a depth that the run never had if the pools before closed without a search. */
static inline void asci_step_other(asc_run *run, asc_event_kind kind, uint32_t buffer, int64_t value, uint32_t depth) {
  asci_tick(run, kind, buffer, value, depth);
  if (asci_putting_kinds >> kind & 1) asci_count_placed(run, buffer);
  asci_deepen(run);
  run->bucket->restarts += kind == ASC_EVENT_RESTART;
  run->bucket->kinds |= UINT64_C(1) << kind;
}

/* A mark on the overview (restart, incumbent, decomposition) at the current step. */
void asci_mark(asc_run *run, asc_mark_kind kind, int64_t value);

/* Of a plan on a graph: no stays so far; one more. False: no memory. */
void asci_plan_begin(asc_run *run);
bool asci_plan_add(asc_run *run, const asc_stay *stay);
/* Whether the run's plan has that order and those stays, wherever in the arena they lie. */
bool asci_plan_is(const asc_run *run, const uint32_t *order, const asc_stay *stays, size_t count);

/* Whether a run that ended so has a plan. */
static inline bool asci_has_plan(asc_outcome outcome) {
  return outcome == ASC_OUTCOME_FEASIBLE || outcome == ASC_OUTCOME_OPTIMAL || outcome == ASC_OUTCOME_OVER_CAPACITY;
}

/* Whether a run that stands so can take further steps. */
static inline bool asci_goes_on(asc_outcome outcome) {
  return outcome == ASC_OUTCOME_RUNNING || outcome == ASC_OUTCOME_CANCELLED || outcome == ASC_OUTCOME_BUDGET_SPENT;
}

/* Whether the plan that a run has ended with is as good as any; one above the capacity is, where the height alone is asked for. */
static inline bool asci_meets_bound(const asc_run *run, asc_outcome ended) {
  return (ended == ASC_OUTCOME_FEASIBLE || run->goal == ASC_GOAL_HEIGHT) && run->stats.cost <= run->stats.lower_bound;
}

/* Whether the goal goes on below the capacity. */
static inline bool asci_minimises(const asc_run *run) {
  return run->goal != ASC_GOAL_FIT;
}

/* A solver that minimises found a plan better than all before and wrote it to the run: the engine validates it (whatever the capacity), takes
   its height and marks it. INVALID_SOLUTION and OUT_OF_MEMORY must end the run. */
asc_status asci_incumbent(asc_run *run);
/* Every plan costs at least `bound`: proved. */
static inline void asci_raise_bound(asc_run *run, int64_t bound) {
  if (bound > run->stats.lower_bound) run->stats.lower_bound = bound;
}

/* What a rule does that is no step of its own. Counts for the step announced last: it passes over `count` candidates. */
static inline void asci_count_rule(asc_run *run, asc_rule rule, uint32_t count) {
  run->stats.rules[rule]++;
  run->stats.skipped += count;
  run->bucket->rules[rule]++;
}

/* The same for the step that is decided now and announced next. */
static inline void asci_count_ahead(asc_run *run, asc_rule rule) {
  if (run->stats.steps >= run->bucket_end) asci_overview_roll(run);
  asci_count_rule(run, rule, 0);
}

/* The step that rejects a problem whose load exceeds the capacity in its busiest section; INFEASIBLE. */
asc_outcome asci_refute_load(asc_run *run, unsigned line);

/* ---- events ---- */

/* Whether somebody listens: what only events need is worked out then alone. With ASC_UNTRACED nobody ever does, and what it would take is not
   compiled: the bench of what tracing costs is built so. */
static inline bool asci_traced(const asc_run *run) {
#ifdef ASC_UNTRACED
  (void)run;
  return false;
#else
  return run->log != NULL;
#endif
}

/* How many of the next `most` steps may be counted together, where one may be taken and nobody listens: at least that one, and none beyond the
   run's pause or its bucket. A cancel waits for them. */
static inline uint32_t asci_steps_together(asc_run *run, uint32_t most) {
  if (run->stats.steps >= run->bucket_end) asci_overview_roll(run);
  uint64_t end = run->pause < run->bucket_end ? run->pause : run->bucket_end, left = end - run->stats.steps;
  return left < most ? (uint32_t)left : most;
}

/* `count` rejections at one depth, as many as asci_steps_together allows; digest: after the last of them. Their rules are counted apart. */
static inline void asci_step_rejects(asc_run *run, uint64_t digest, uint32_t count, uint32_t depth) {
  run->stats.steps += count;
  run->digest = digest;
  asci_at_depth(run, depth);
}

static inline void asci_count_rejects(asc_run *run, asc_rule rule, uint32_t count) {
  run->stats.rules[rule] += count;
  run->bucket->rules[rule] += count;
}

/* Only while traced, as asci_event_list. */
void asci_event(asc_run *run, asc_event_kind kind, unsigned line, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e,
                int64_t f);
/* Appends a buffer to the list of the last event. */
void asci_event_list(asc_run *run, uint32_t buffer);
/* Likewise an operator, where the manifest says so. */
void asci_event_operator(asc_run *run, uint32_t op);

/* The six numbers of an event from as many as its kind has, in the manifest's order. */
#define ASCI_EVENT(run, kind, line, ...) ASCI_EVENT_SIX(run, kind, line, __VA_ARGS__)
#define ASCI_EVENT_SIX(run, kind, line, a, b, c, d, e, f, ...) asci_event(run, kind, line, a, b, c, d, e, f)
#define ASCI_SAYS(NAME, name, ...) \
  typedef asc_event_##name asci_said_##NAME; \
  static inline void asci_emit_##NAME(asc_run *run, unsigned line, asc_event_##name said) { \
    ASCI_EVENT(run, ASC_EVENT_##NAME, line, __VA_ARGS__ 0, 0, 0, 0, 0, 0); \
  }
#define ASC_ARG(type, name) said.name,
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) ASCI_SAYS(NAME, name, arguments)
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) ASCI_SAYS(NAME, name, arguments)
#include "asc/events.def"

/* ASC_EMIT(run, EJECT, LINE_FORCE, .buffer = b, .offset = at): what happened, for the log, from that line of the pseudocode. What the initialisers
   leave out is 0. Nothing is evaluated unless the run is traced. */
#define ASC_EMIT(run, KIND, line, ...) \
  do { \
    if (asci_traced(run)) ASC_TELL(run, KIND, line, __VA_ARGS__); \
  } while (0)
/* The same where it was asked before whether the run is traced. */
#define ASC_TELL(run, KIND, line, ...) asci_emit_##KIND(run, line, (asci_said_##KIND){__VA_ARGS__})

/* Name of the option whose value is at that place of run->options, for messages: asci_option_name(run, offsetof(my_options, orders)). */
const char *asci_option_name(const asc_run *run, size_t place);

/* The table: solvers.def, one line each. */
#define ASCI_SOLVER(name, id, domain) extern const asci_solver asci_solver_##name;
#include "solve/solvers.def"
#undef ASCI_SOLVER

#endif
