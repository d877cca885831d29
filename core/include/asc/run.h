/* Solvers and runs: what one is about, what it is after, its steps, its plan and why to believe it. asc.h says what all of it keeps to. */
#ifndef ASC_RUN_H
#define ASC_RUN_H

#include "asc/graph.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- what a run is about, and what it is after ----------------------------------------------------------------------- */

typedef enum asc_domain {
  ASC_DOMAIN_BUFFERS, /* lifespans are given, offsets are decided */
  ASC_DOMAIN_GRAPH,   /* the order of a model's operators is decided as well, and so when its tensors are alive */
  /* a model's graph in the order in which it is lowered: of each tensor it is decided in which memory it lives, the fast arena or the slow one outside, where
     operators read and write it in place */
  ASC_DOMAIN_SELECTION,
  ASC_DOMAIN_COUNT
} asc_domain;
/* "buffers", "graph", "selection". */
const char *asc_domain_id(asc_domain domain);

/* Frozen, and to outlive whatever is made of it. */
typedef struct asc_input {
  asc_domain domain;
  union {
    const asc_problem *buffers;
    const asc_lowering *graph; /* of both others: the operators of its graph, the tensors as its options lower them */
  } of;
} asc_input;

static inline asc_input asc_input_buffers(const asc_problem *problem) {
  asc_input input = {ASC_DOMAIN_BUFFERS, {problem}};
  return input;
}

static inline asc_input asc_input_graph(const asc_lowering *lowering) {
  asc_input input = {ASC_DOMAIN_GRAPH, {NULL}};
  input.of.graph = lowering;
  return input;
}

static inline asc_input asc_input_selection(const asc_lowering *lowering) {
  asc_input input = {ASC_DOMAIN_SELECTION, {NULL}};
  input.of.graph = lowering;
  return input;
}

/* 64-bit digest of all that a solver can see of it. */
uint64_t asc_input_digest(const asc_input *input);

typedef enum asc_goal {
#define ASC_GOAL(name, id, title, text) ASC_GOAL_##name,
#include "asc/goals.def"
#undef ASC_GOAL
  ASC_GOAL_COUNT
} asc_goal;
/* "fit", "height", "traffic". */
const char *asc_goal_id(asc_goal goal);

/* Of a plan on a graph: memory beyond the arena (the main pool), of any size, for copies of what the arena has, had or will have. */
#define ASC_POOL_OUTSIDE 1u

/* An item is somewhere for a while: during [lower, upper), at [offset, offset + its size) of a pool. */
typedef struct asc_stay {
  uint32_t
      item; /* of a graph: a tensor (of several that share their bytes the first), or the tensors' number and an operator: its workspace */
  uint32_t pool; /* ASC_POOL_MAIN, which is the arena, or ASC_POOL_OUTSIDE */
  int64_t lower, upper;
  int64_t offset; /* ASC_UNPLACED: not decided; of no meaning outside */
} asc_stay;

/* A plan. Borrowed from whoever gives it. */
typedef struct asc_plan {
  const int64_t *offsets; /* of buffers: one for each; else NULL */
  const uint32_t *order;  /* of a graph: the operator that runs at time k, `turns` of them; else NULL */
  uint32_t turns;
  uint32_t stay_count;
  const asc_stay *stays; /* of a graph: where everything is */
} asc_plan;

/* A new, frozen problem, for the caller to free: buffer k is the k-th of the stays that are in the arena, whatever its offset, with the id of
   its item, see asc_lower, and of no bytes if the stay has no length; as the lowering's profile takes it, or plain, without.
   O((n + stays) log n). Errors: those of asc_profile_apply, OUT_OF_MEMORY. */
asc_status asc_lowering_situation(const asc_lowering *lowering, const asc_stay *stays, uint32_t count, bool plain,
                                  asc_problem **problem, asc_diag *diag);

/* As asc_validate, of a plan of any input: of a graph also that the operators run in an order that their tensors allow, each with all that it
   reads and writes in the arena, and that nothing is anywhere without having been made or copied there. O((stays + uses) log n). */
asc_status asc_plan_validate(const asc_input *input, const asc_plan *plan, int64_t capacity, asc_violation *violations,
                             size_t room, size_t *count);
/* Bytes that a goal counts: the height, which FIT and HEIGHT go by, or the traffic, which is what is copied to memory outside and back again,
   but for what must be copied in any case: inputs and constants in, outputs out once they are made; of a selection what operators read and write
   outside, a workspace twice. The plan is valid. O(stays^2) for
   inputs and outputs. */
int64_t asc_plan_cost(const asc_input *input, const asc_plan *plan, asc_goal goal);
/* Of a plan of a graph: the traffic's two parts, bytes copied out and bytes fetched again. */
void asc_plan_moves(const asc_lowering *lowering, const asc_plan *plan, int64_t *spilled, int64_t *fetched);

/* ---- solvers --------------------------------------------------------------------------------------------------------- */

enum { /* constraints that a solver honours */
       ASC_SUPPORTS_ALIGNMENT = 1,
       ASC_SUPPORTS_FIXED = 2,
       ASC_SUPPORTS_GAPS = 4,
       ASC_SUPPORTS_WINDOWS = 8,
       ASC_SUPPORTS_HINTS = 16,
       ASC_SUPPORTS_BANKS = 32,
       ASC_SUPPORTS_SHAPES = 64,
};

typedef struct asc_solver_info {
  const char *id, *title, *paper, *summary;
  asc_domain domain; /* what it takes */
  uint32_t goals;    /* bit g: it can be asked for asc_goal g; without that of FIT: asc_solver_takes_goal */
  uint32_t supports;
  bool complete; /* can prove infeasibility, and always decides, but with incomplete_with */
  uint32_t
      incomplete_with; /* of supports: what a complete one is not complete with. Where it finds nothing it ends EXHAUSTED then */
  bool refutes;        /* not complete, but may end INFEASIBLE, which is then a proof */
  const asc_option *options;
  uint32_t option_count;
  const char *pseudocode; /* lines ended by \n; events name the line, from 1 */
} asc_solver_info;

/* All can be asked for FIT but those that choose between two memories, where any choice fits. goal: below ASC_GOAL_COUNT. */
static inline bool asc_solver_takes_goal(const asc_solver_info *info, asc_goal goal) {
  return goal == ASC_GOAL_FIT ? info->domain != ASC_DOMAIN_SELECTION : (info->goals >> goal & 1) != 0;
}

uint32_t asc_solver_count(void);
const asc_solver_info *asc_solver_at(uint32_t index);
const asc_solver_info *asc_solver_find(const char *id); /* NULL if there is none */

/* ---- runs ------------------------------------------------------------------------------------------------------------ */

typedef enum asc_outcome {
#define ASC_OUTCOME(name, id, title, text) ASC_OUTCOME_##name,
#include "asc/outcome.def"
#undef ASC_OUTCOME
  ASC_OUTCOME_COUNT
} asc_outcome;
const char *asc_outcome_id(asc_outcome outcome);
const char *asc_outcome_text(asc_outcome outcome);

typedef enum asc_rule {
#define ASC_RULE(name, id, title, source, text) ASC_RULE_##name,
#include "asc/rules.def"
#undef ASC_RULE
  ASC_RULE_COUNT
} asc_rule;
const char *asc_rule_id(asc_rule rule);

/* Steps come before details. */
typedef enum asc_event_kind {
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) ASC_EVENT_##NAME,
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) ASC_EVENT_##NAME,
#include "asc/events.def"
} asc_event_kind;
enum {
  ASC_STEP_COUNT = 0
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) +1
#include "asc/events.def"
  ,
  ASC_EVENT_COUNT = ASC_STEP_COUNT
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) +1
#include "asc/events.def"
};

/* What a step does to a buffer that it names. */
typedef enum asc_role {
#define ASC_ROLE(NAME, id, text) ASC_ROLE_##NAME,
#include "asc/roles.def"
#undef ASC_ROLE
  ASC_ROLE_COUNT
} asc_role;

typedef struct asc_run_config {
  uint32_t cookie; /* set by asc_run_config_default; a zeroed config is refused */
  const char *solver;
  asc_goal goal;
  int64_t capacity; /* bytes */
  uint64_t seed;
  uint64_t budget; /* steps; 0: none */
  const asc_option_value *options;
  uint32_t option_count;
} asc_run_config;

typedef struct asc_run asc_run;

asc_run_config asc_run_config_default(const char *solver, int64_t capacity);
/* The input must be frozen and outlive the run. Errors: UNKNOWN_SOLVER, UNKNOWN_OPTION, BAD_OPTION, UNSUPPORTED (also of a domain or a
   goal that the solver does not take), BAD_ARGUMENT, OUT_OF_MEMORY; diag (may be NULL) names the option. */
asc_status asc_run_new(asc_input input, const asc_run_config *config, asc_run **run, asc_diag *diag);
void asc_run_free(asc_run *run);
/* Takes up to `steps` steps (fewer if the run ends). A run that ended stays ended. Errors: OUT_OF_MEMORY and INVALID_SOLUTION, with which it
   has ended and outcome is written as well; BAD_ARGUMENT. */
asc_status asc_run_step(asc_run *run, uint64_t steps, asc_outcome *outcome);
/* Lets a run go on that was cancelled or had spent its budget; budget is the new total in steps (0: none). A run that ended otherwise
   stays ended. */
void asc_run_resume(asc_run *run, uint64_t budget);
/* Asks the run to end with CANCELLED before its next step: of the asc_run_step under way, else of the next one. */
void asc_run_cancel(asc_run *run);

typedef struct asc_run_stats {
  asc_outcome outcome;
  uint64_t steps;
  uint64_t backtracks; /* as the solver's paper counts them: nodes left without a solution */
  uint64_t nodes;      /* decision points opened */
  uint64_t digest;     /* over (kind of step, buffer, offset) of every step */
  uint64_t skipped;    /* candidates passed over, counted one by one */
  uint32_t depth, max_depth;
  uint64_t max_depth_step;        /* the first step after which max_depth buffers were placed */
  int64_t height;                 /* of the best plan so far, or -1 */
  int64_t cost;                   /* of the best plan so far: what the goal counts, or -1 */
  int64_t lower_bound;            /* of every plan's cost: the input's, or what the search has proved since */
  uint64_t rules[ASC_RULE_COUNT]; /* decisions discarded, by rule, in steps */
  uint64_t restarts;
} asc_run_stats;
void asc_run_stats_get(const asc_run *run, asc_run_stats *stats);
/* The best plan so far, or false. One that heuristics stand at when they are ended, or end OVER_CAPACITY, may be higher than the capacity: only
   FEASIBLE and OPTIMAL say of the goal fit that it is not. A solver that minimises has one long before it ends. Borrowed until the next step. */
bool asc_run_plan(const asc_run *run, asc_plan *plan);
/* Its offsets (n entries) if the run is about buffers, or NULL. */
const int64_t *asc_run_best(const asc_run *run);

/* After INFEASIBLE: the buffers whose packing alone is impossible, in increasing order, if the solver keeps them; else NULL and 0.
   Borrowed until the next step. */
const uint32_t *asc_run_conflict(const asc_run *run, uint32_t *count);

/* ---- certificates ---------------------------------------------------------------------------------------------------- */

/* Before the first step: while it searches the run writes to the sink why there is no plan within certain bytes, in small steps that can each be
   checked from the problem alone (core/src/proof/README.md has the format). The exact solver proves all that it says; of others what follows from a
   load. The run's steps are the same; a load ends the certificate. Errors: UNSUPPORTED (pools, windows, shapes, a graph), BAD_ARGUMENT (also of a
   sink that stops), OUT_OF_MEMORY; diag may be NULL. */
asc_status asc_run_prove(asc_run *run, asc_sink sink, void *user, asc_diag *diag);
/* The greatest number of bytes within which there is no plan by what has been written, -1: none was, or not all of it could be written. After
   INFEASIBLE the capacity or more, after OPTIMAL one less than the height. */
int64_t asc_run_proven(const asc_run *run);
/* Checks a certificate, by code that shares nothing with the solvers: *proven is the greatest number of bytes for which it holds that the problem has
   no plan within them. O(length of the certificate x buffers), 2^22 tries at piles of
   more than 10 and a thousand times as many at smaller ones, and, where sections are full, the exchanges of the sweeps that it names; memory: 24 bytes
   a lemma and 40 a buffer. Errors: BAD_INPUT (diag has the line), UNSUPPORTED, BAD_ARGUMENT, OUT_OF_MEMORY. */
asc_status asc_proof_check(asc_context *context, const asc_problem *problem, const char *text, size_t bytes, int64_t *proven,
                           asc_diag *diag);

/* Borrowed until the next call on the run; the situation until the next view of it. */
typedef struct asc_run_view {
  uint64_t step;
  uint32_t depth; /* buffers placed */
  /* What the decisions so far amount to: a frozen problem, by whose buffers all that is told per buffer goes. NULL: the input's own buffers.
     Those of one run with the same revision are the same. */
  const asc_problem *situation;
  uint64_t revision;
  int64_t
      frontier; /* of a situation: before this time it follows from decisions, from then on from the order that was given */
  const uint32_t *order;      /* of a situation: the operator that runs at each time; NULL: as given */
  const int64_t *offsets;     /* per buffer; ASC_UNPLACED */
  const int64_t *min_offsets; /* per buffer: least offset still allowed; NULL if the solver keeps none */
  const uint32_t *stack;      /* depth entries: the buffer placed at each level, lowest level first */
  const uint32_t *tried; /* depth entries: which candidate of its node it was, from 1; NULL if the solver does not branch */
  const uint32_t *candidates; /* depth entries: candidates of that node; NULL likewise */
  const uint32_t
      *phases; /* per buffer: its phase in the order in which the solver takes them, or ASC_NONE; NULL if it has none */
  uint32_t open_tried, open_candidates; /* of the node that is open now: candidates dealt with, and all; 0 and 0: none is */
} asc_run_view;
asc_status asc_run_view_get(asc_run *run, asc_run_view *view);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
