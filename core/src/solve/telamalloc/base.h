/* What TelaMalloc and the simple strategies share: the engine, the stack of placements, and how a run begins and ends. */
#ifndef ASCI_TELA_BASE_H
#define ASCI_TELA_BASE_H

#include "engine.h"
#include "solve/solver.h"

typedef struct tela_base {
  asc_run *run;
  const asc_problem *problem;
  tela_engine engine;
  uint32_t *placed; /* by level: the buffer placed there */
  uint32_t depth;
  uint32_t *weightless; /* buffers that occupy nothing: they go first and are in no one's way */
  uint32_t weightless_count;
  /* for the view */
  int64_t *offset, *least;
  uint32_t *tried, *candidates; /* by level */
} tela_base;

/* Propagates as far as that is soon done. */
asc_status asci_tela_base(tela_base *base, asc_run *run, bool tetris);
/* Whether a cancel stops propagation: it does, but for what is loaded. */
void asci_tela_heed(tela_base *base, bool cancel);
/* What create returns: out of memory with figures where windows are what needs it. */
asc_status asci_tela_created(asc_status status, asc_diag *diag);
void asci_tela_base_free(tela_base *base);

/* Some section's load alone exceeds the capacity. The lower bound may do so without, for the sake of a fixed buffer: that one has an empty
   domain, or occupies nothing. */
static inline bool asci_tela_overloaded(const tela_base *base) {
  const asc_problem *problem = base->problem;
  return asci_is_overloaded(problem, base->run->capacity);
}

/* Whether the load or the root's propagation leaves no packing at all. */
static inline bool asci_tela_is_refuted(const tela_base *base) {
  return asci_tela_overloaded(base) || base->engine.hopeless;
}

/* The first steps: whether the load or the root's propagation leaves no packing at all, then buffers that occupy nothing. Returns false when
   it has taken a step (*outcome is how the run ends or RUNNING), true when the search may go on. line: of the pseudocode. */
bool asci_tela_begin(tela_base *base, unsigned line, asc_outcome *outcome);
/* A placement that holds: the step and its event. of: candidates of its decision point. */
void asci_tela_tell_place(tela_base *base, unsigned line, uint32_t buffer, uint32_t of, const tela_mark *before);
/* One that leaves some buffer without a position (explained already): a minor backtrack. */
void asci_tela_tell_minor(tela_base *base, unsigned line, uint32_t buffer, int64_t offset);
typedef enum tela_cause { TELA_NO_CANDIDATE, TELA_STUCK, TELA_ONE_LEVEL } tela_cause;
/* The levels down to to + 1 are taken back: to be told before the stack changes. */
void asci_tela_tell_major(tela_base *base, unsigned line, uint32_t to, tela_cause cause);
asc_outcome asci_tela_succeed(tela_base *base, unsigned line);

/* All of the view but tried and candidates, which the caller has filled. */
void asci_tela_view(tela_base *base, asc_run_view *view);

/* Reads the placements of weightless buffers: `count` of them are placed already. */
void asci_tela_replay_weightless(tela_base *base, uint32_t count);

#endif
