/* Arenascope exact as a solver of the engine: its options, its making, and the tries before the search. The search is in kernel/; README.md
 * teaches it. */
#include "exact.h"
#include "model/pile.h"
#include "solve/ladder/tries.h"
#include "sweep.h"

#include <string.h>

ASCI_OPTION_TABLE(ex_options, EX_OPTIONS);

static const char pseudocode[] = "search(unplaced buffers, least offsets):\n"
                                 "  s = a section, f = its floor, K = {}\n"
                                 "  if nobody may leave f idle: K = why\n"
                                 "  for b with least offset f, in order:\n"
                                 "    if its equal failed: skip\n"
                                 "    place b at f, raise what it meets\n"
                                 "    if some floor + rest > capacity: fail\n"
                                 "    if a known conflict holds: fail\n"
                                 "    if search(\xe2\x80\xa6) succeeds: return\n"
                                 "    if conflict spares b: fail with it\n"
                                 "    K = K + conflict + {b}\n"
                                 "  raise all of s above f, search(\xe2\x80\xa6)\n"
                                 "  remember K\n"
                                 "  fail with K\n";

enum { EJECT_AUTO, EJECT_ALWAYS, EJECT_NEVER };
#define EJECT_FROM 600u /* buffers: with fewer the search is quicker without */
#define EJECT_FAILS 64u /* what a try may force in; more make it dear and seldom better */
#define EJECT_TRIES 2u  /* at a target, minimising */

typedef struct ex_state {
  ex_model model;
  const ex_kernel *kernel;
  void *search;
  asci_tries tries;
  bool trying; /* the search has not begun */
} ex_state;

static void end_tries(asc_run *run, ex_state *s) {
  if (s->trying) asci_tries_free(run, &s->tries);
  s->trying = false;
}

static void destroy(asc_run *run, void *state) {
  ex_state *s = state;
  end_tries(run, s);
  if (s->search) s->kernel->destroy(&s->model, s->search);
  run->conflict = NULL;
  run->conflict_count = 0;
  asci_arena_free(run->context, &s->model.arena);
  asci_free(run->context, s);
}

/* Bytes that are enough for any plan pushed down, if there is a plan at all: each buffer of a pile, from the lowest one up, is pushed up by no more
   than what parts the places that suit it. Where fixed offsets or banks can leave no plan it is never less than the capacity of the run: so far up a
   run that ends without one has to have proven it. */
static int64_t enough(const asc_run *run) {
  const asc_problem *problem = run->problem;
  int64_t most = problem->total_size + problem->lower_bound;
  for (uint32_t b = 0; b < problem->count && most < ASC_MAX_BYTES; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    int64_t apart = asci_pile_apart(spec), more = spec->alignment + spec->bank;
    if (apart > more) more = apart;
    most = more > ASC_MAX_BYTES - most ? ASC_MAX_BYTES : most + more;
  }
  if (most < run->capacity && (problem->has_fixed || problem->has_banks)) most = run->capacity;
  return most < ASC_MAX_BYTES ? most : ASC_MAX_BYTES;
}

/* A search that minimises can meet all sizes on top of each other, and the end of a buffer that occupies nothing. What it begins with is at
   most three times the first, but for the alignment of such buffers. */
static bool is_narrow(const ex_model *m) {
  const asc_problem *problem = m->problem;
  int64_t most = m->minimize ? problem->total_size : m->most;
  for (uint32_t k = 0; m->minimize && k < m->weightless_count; k++) {
    const asc_buffer_spec *spec = &problem->buffers[m->weightless[k]];
    int64_t end = spec->size + (spec->offset == ASC_UNPLACED ? 0 : spec->offset);
    if (end > most) most = end;
  }
  return !m->general && most / m->unit <= EX_NARROW_CAPACITY && m->most / m->unit <= 3 * EX_NARROW_CAPACITY;
}

/* Both widths take the same steps. */
static const ex_kernel *choose_kernel(const ex_model *m) {
  return is_narrow(m) ? &asci_ex_narrow : &asci_ex_wide;
}

/* What is fixed may leave no plan, which the search is there to prove; hints say where to begin; an overload is refuted at once. */
static bool wants_tries(const ex_model *m) {
  uint32_t choice = m->options.ejection;
  bool full = !m->minimize && m->options.exchange != EXCHANGE_NEVER &&
              asci_ex_most_idle(m, m->run->capacity / m->unit) <= 1; /* the sweep's case */
  bool many = choice == EJECT_ALWAYS || (choice == EJECT_AUTO && m->problem->count >= EJECT_FROM && !full);
  bool overloaded = !m->minimize && m->problem->lower_bound > m->run->capacity;
  return many && m->problem->count && !m->problem->has_fixed && !m->options.hints && !overloaded;
}

static asc_status begin_tries(ex_state *s) {
  const ex_model *m = &s->model;
  uint32_t tries = m->minimize ? EJECT_TRIES : 1;
  s->trying = true;
  s->tries.first_name = m->arm_count;
  return asci_tries_new(m->run, m->minimize, tries, EJECT_FAILS, &s->tries);
}

static asc_status fill(ex_state *s, asc_diag *diag) {
  ex_model *m = &s->model;
  m->options = *(const ex_options *)m->run->options;
  m->options.hints = m->options.hints && m->problem->has_hints;
  m->minimize = asci_minimises(m->run);
  m->most = m->minimize ? enough(m->run) : m->run->capacity;
  asc_status status = asci_ex_model(m, diag);
  if (!status) status = asci_ex_arms(m, diag);
  if (status) return status;
  s->kernel = choose_kernel(m);
  status = s->kernel->create(m, &s->search);
  return status || !wants_tries(m) ? status : begin_tries(s);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  ex_state *s = asci_calloc(run->context, 1, sizeof *s);
  if (!s) return ASC_OUT_OF_MEMORY;
  s->model.run = run;
  s->model.problem = run->problem;
  asc_status status = fill(s, diag);
  if (status)
    destroy(run, s);
  else
    *state = s;
  return status;
}

/* That no try is left is found at the beginning of the step after them. Where the search places what occupies nothing first, this step says that
   what the tries left is gone. */
static void begin_search(asc_run *run, ex_state *s) {
  bool tells = run->stats.depth > run->below && s->model.weightless_count;
  uint32_t arm = s->model.order[0];
  end_tries(run, s);
  if (tells) {
    asci_step_other(run, ASC_EVENT_RESTART, arm, 0, 0);
    asci_mark(run, ASC_MARK_RESTART, arm);
    ASC_EMIT(run, RESTART, LINE_SEARCH, .arm = arm);
  }
  run->stats.depth = run->below;
  s->kernel->adopt(run, s->search);
}

static asc_outcome advance_tries(asc_run *run, ex_state *s) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  run->line = LINE_SEARCH;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) outcome = asci_tries_step(run, &s->tries);
  run->line = 0;
  if (outcome != ASC_OUTCOME_EXHAUSTED) return outcome;
  begin_search(run, s);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome advance(asc_run *run, void *state) {
  ex_state *s = state;
  asc_outcome outcome = s->trying ? advance_tries(run, s) : ASC_OUTCOME_RUNNING;
  return s->trying ? outcome : s->kernel->advance(run, s->search);
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  ex_state *s = state;
  if (s->trying)
    asci_tries_view(run, &s->tries, view);
  else
    s->kernel->view(run, s->search, view);
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  ex_state *s = state;
  bool trying = s->trying;
  ASCI_KEEP(saver, trying, s->trying);
  if (trying) return asci_tries_keep(run, &s->tries, saver);
  if (saver->loads) end_tries(run, s);
  return s->kernel->keep(run, s->search, saver);
}

const asci_solver asci_solver_exact = {
    .info =
        {
            .id = "exact",
            .title = "Arenascope exact",
            .paper = "Arenascope",
            .summary = "Asks who sits on a section's floor, learns why not, and jumps back to what matters.",
            .goals = 1u << ASC_GOAL_HEIGHT,
            .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS |
                        ASC_SUPPORTS_HINTS | ASC_SUPPORTS_BANKS,
            .complete = true,
            ASCI_TAKES_INFO(ex_options),
            .pseudocode = pseudocode,
        },
    ASCI_TAKES(ex_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
