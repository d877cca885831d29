/* What a run did, step by step: events, an overview, any step again, and why there is no plan. asc.h says what all of it keeps to. */
#ifndef ASC_STEPS_H
#define ASC_STEPS_H

#include "asc/run.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- events ---------------------------------------------------------------------------------------------------------- */

/* What events of each kind say, as events.def has it: asc_event_place has buffer, offset, support, of and again. */
#define ASC_ARG(type, name) int64_t name;
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) \
  typedef struct asc_event_##name { \
    arguments \
  } asc_event_##name;
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) \
  typedef struct asc_event_##name { \
    arguments \
  } asc_event_##name;
#include "asc/events.def"

#define ASC_EVENT_ARGS 6
typedef struct asc_event {
  uint64_t step;  /* the step it belongs to, from 1 */
  uint16_t kind;  /* asc_event_kind, which says what of the union holds */
  uint16_t line;  /* of the solver's pseudocode, 0: none */
  uint32_t depth; /* buffers placed after it */
  union {
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) asc_event_##name name;
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) asc_event_##name name;
#include "asc/events.def"
    int64_t args[ASC_EVENT_ARGS]; /* the same in the manifest's order, for who passes them on unread */
  };
  uint32_t list, list_count; /* part of the log's list array */
} asc_event;

/* A log gathers the events of the steps taken while it is attached. max_events 0: no limit; past the limit whole events are dropped
   and counted. */
typedef struct asc_log asc_log;
asc_status asc_log_new(asc_context *context, uint32_t max_events, asc_log **log);
void asc_log_free(asc_log *log);
void asc_log_clear(asc_log *log);
void asc_log_get(const asc_log *log, const asc_event **events, uint32_t *count, const uint32_t **lists, uint64_t *dropped);
/* Attaches a log (NULL detaches), which must outlive the run or be detached first. It never changes what the run does. Before the first step
   it receives at once what is open then (the candidates of the first decision), as events of step 0. */
void asc_run_attach(asc_run *run, asc_log *log);

/* ---- overview -------------------------------------------------------------------------------------------------------- */

/* The whole search in at most ASC_OVERVIEW_BUCKETS buckets of equal width (a power of two steps). */
#define ASC_OVERVIEW_BUCKETS 4096u
typedef struct asc_bucket {
  uint32_t min_depth, max_depth, last_depth;
  uint32_t max_undone;                  /* most levels taken back at once */
  uint32_t backtracks, major, restarts; /* steps of that kind */
  uint32_t rules[ASC_RULE_COUNT];
  uint64_t kinds; /* bit k: there are steps of kind k; not of PLACE, REJECT, SKIP and BACKTRACK */
} asc_bucket;
typedef enum asc_mark_kind { ASC_MARK_RESTART, ASC_MARK_INCUMBENT, ASC_MARK_DECOMPOSE } asc_mark_kind;
typedef struct asc_mark {
  uint64_t step;
  asc_mark_kind kind;
  int64_t value; /* RESTART: the arm; INCUMBENT: the height; DECOMPOSE: the parts */
} asc_mark;
typedef struct asc_overview {
  uint64_t width; /* steps per bucket: bucket k holds steps k*width+1 .. (k+1)*width */
  uint32_t count;
  const asc_bucket *buckets;
  uint32_t mark_count;
  const asc_mark *marks; /* at most 1,024; decompositions are thinned first */
  const uint32_t
      *placed; /* by buffer: steps that are about it and put it somewhere; NULL: of a graph, or a state was loaded */
  uint32_t buffer_count; /* of placed */
} asc_overview;
void asc_run_overview(const asc_run *run, asc_overview *overview);

/* ---- save, load, time travel ----------------------------------------------------------------------------------------- */

/* Writes the run's state as bytes, small enough to keep thousands: decisions, not derived arrays. Borrowed until the next save. */
asc_status asc_run_save(asc_run *run, const uint8_t **bytes, size_t *count);
/* Sets a run of the same problem and configuration to a saved state. Errors: BAD_SAVE (the run is then as new), OUT_OF_MEMORY.
   The overview is not part of the state: it is dropped, and from then on asc_run_overview gives an empty one. */
asc_status asc_run_load(asc_run *run, const uint8_t *bytes, size_t count);

/* A timeline is a run that can be shown at any of its steps: the run itself goes at full speed and leaves keyframes within
   keyframe_bytes (when they are spent every second one is dropped and the spacing doubles); a step is shown from the nearest keyframe by
   re-execution. */
typedef struct asc_timeline asc_timeline;
asc_status asc_timeline_new(asc_input input, const asc_run_config *config, size_t keyframe_bytes, asc_timeline **timeline,
                            asc_diag *diag);
void asc_timeline_free(asc_timeline *timeline);
/* The run that goes ahead; step it with asc_timeline_step only (asc_run_cancel and
   asc_run_resume may be called on it). */
asc_run *asc_timeline_run(asc_timeline *timeline);
asc_status asc_timeline_step(asc_timeline *timeline, uint64_t steps, asc_outcome *outcome);
/* Steps between keyframes and bytes they take now. */
uint64_t asc_timeline_spacing(const asc_timeline *timeline, size_t *bytes);
/* Moves the cursor to the state after `step` steps (at most those taken) and leaves in the log (asc_timeline_log) the events of steps
   step-before+1 .. step+after, after those of step 0 if before >= step. view is borrowed until the next call. */
asc_status asc_timeline_seek(asc_timeline *timeline, uint64_t step, uint64_t before, uint64_t after, asc_run_view *view);
const asc_log *asc_timeline_log(const asc_timeline *timeline);
/* The run behind the last seek, NULL before the first: its stats (digest, counters) are those after step + after. Look, do not step it. */
const asc_run *asc_timeline_cursor(const asc_timeline *timeline);
/* What a step may be looked for by; all that is asked for must hold of it. */
typedef struct asc_condition {
  uint64_t kinds;   /* bit k: the step is an event of kind k < ASC_STEP_COUNT */
  uint32_t rules;   /* bit r: rule r, counted with the step, discards a decision; 0: whatever */
  uint32_t buffer;  /* it names the buffer; ASC_NONE: whatever */
  uint32_t roles;   /* bit r: in that role (asc_role), or another one that is asked for; 0: whichever */
  uint32_t section; /* the section that cannot hold what is placed and to come, for which it rejects; ASC_NONE: whatever */
  uint32_t above;   /* it goes from at most that many placed buffers to more; ASC_NONE: whatever */
  bool major;       /* of backtracks only the major ones */
} asc_condition;
/* Steps of every kind, and nothing else asked. */
asc_condition asc_condition_default(void);

/* The first step after (or, if forward is false, the last step before) `from` that meets one of the conditions; 0 if there is none.
   Costs re-execution of the steps looked at, one by one; buckets in which the overview can tell that there is none are passed over.
   limit: most steps to look at, 0: all; *stopped (may be NULL) says where it stopped looking when there was none: take up from there.
   Errors: OUT_OF_MEMORY. */
asc_status asc_timeline_find(asc_timeline *timeline, uint64_t from, bool forward, const asc_condition *conditions,
                             uint32_t count, uint64_t limit, uint64_t *step, uint64_t *stopped);

/* One thing tried at a node of the path to a step. */
typedef struct asc_attempt {
  uint64_t step;   /* at which it was decided */
  uint64_t end;    /* PLACE: the step that took it back; else the same */
  int64_t offset;  /* bytes */
  uint32_t buffer; /* SKIP: the first of them; WASTE: ASC_NONE */
  uint32_t count;  /* candidates: more than one for a SKIP only, none for WASTE */
  uint16_t kind;   /* asc_event_kind: PLACE (with all that was placed above it), REJECT, SKIP or WASTE */
  uint16_t rule;   /* asc_rule of REJECT and SKIP */
} asc_attempt;

/* A state on the path to a step, known by the number of buffers placed in it. */
typedef struct asc_path_node {
  uint64_t step;         /* that led to it, a placement or the start of an attempt; 0: none did, or it is not known */
  uint32_t first, count; /* what was tried at it before what the path does: among the attempts, in order of step */
  uint32_t more;         /* tried before those, but not kept */
  bool whole;            /* there was nothing else */
} asc_path_node;

typedef struct asc_path {
  uint64_t step;
  uint32_t depth, top;        /* nodes[k] is the one with top + k buffers placed, up to depth */
  uint32_t tried, candidates; /* at the last node, as in asc_run_view */
  const asc_path_node *nodes;
  const asc_attempt *attempts;
  uint32_t attempt_count;
  uint64_t from; /* what comes after this step was looked at */
  bool whole;    /* every node is */
} asc_path;

/* What was tried at the last `levels` + 1 nodes on the path to a step (at most those taken); at each the latest `most` attempts are kept, the
   others counted. A restart or a probe begins the path anew. Costs re-execution from the step back to where the first of these nodes was
   opened, but for what the overview shows to be deeper; a call stops once it has re-executed `limit` steps (0: never), and the next with the
   same step, levels and most goes on. path is borrowed until the next call. Memory: what is kept, and the log of one spacing of
   keyframes. Errors: OUT_OF_MEMORY. */
asc_status asc_timeline_path(asc_timeline *timeline, uint64_t step, uint32_t levels, uint32_t most, uint64_t limit,
                             asc_path *path);

/* ---- why not --------------------------------------------------------------------------------------------------------- */

/* Looks for a smallest reason why a problem does not fit: the conflict of a proof by the exact solver, from which it then takes
   each buffer that the proof can do without (a deletion filter). What is left when every buffer was tried is irreducible: any of its
   parts fits the capacity. */
typedef struct asc_explain asc_explain;

typedef struct asc_explanation {
  asc_outcome
      outcome; /* RUNNING, INFEASIBLE (the set is known), FEASIBLE (there is nothing to explain), BUDGET_SPENT, CANCELLED,
                          OUT_OF_MEMORY */
  const uint32_t *buffers; /* increasing; a set that alone does not fit, NULL while none is known */
  uint32_t count;
  uint32_t tried;   /* of the buffers in the set: found to be needed */
  bool irreducible; /* tried == count */
  uint32_t pool;    /* that the set is of, or was looked at last: with several the first that does not fit */
  uint32_t section; /* the section, of the pool's part, whose load alone exceeds the capacity, or ASC_NONE */
  uint64_t steps;   /* of the exact solver, over all its runs */
} asc_explanation;

/* budget: steps for the proof and for the filter together, 0: none; each trial of the filter has at most its own share of them, so that one
   hard trial does not eat those of the others. The problem must be frozen and outlive the explainer. Errors: BAD_ARGUMENT, UNSUPPORTED
   (shapes, free pools), OUT_OF_MEMORY (diag, if not NULL, says what). */
asc_status asc_explain_new(const asc_problem *problem, int64_t capacity, uint64_t seed, uint64_t budget,
                           asc_explain **explain, asc_diag *diag);
void asc_explain_free(asc_explain *explain);
/* Takes up to `steps` steps. When the outcome is no longer RUNNING it is done. Errors: those of asc_run_step. */
asc_status asc_explain_step(asc_explain *explain, uint64_t steps, asc_outcome *outcome);
/* As asc_run_cancel. A set that is known by then stays known. */
void asc_explain_cancel(asc_explain *explain);
/* Borrowed until the next step. */
void asc_explain_get(const asc_explain *explain, asc_explanation *explanation);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
