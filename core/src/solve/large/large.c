/* large: any number of buffers, packed to the load bound or close to it. In model/large/, attempt.h is one try and ladder.h which to make;
 * solve/ladder/tries.h makes steps of them; README.md teaches all.
 *
 * Outcomes: FEASIBLE (or OPTIMAL at the lower bound) with a plan below the capacity; minimising, OVER_CAPACITY with the best plan there is
 * if it is above; EXHAUSTED when all tries failed, which proves nothing; INFEASIBLE when the load alone exceeds the capacity. */
#include "solve/ladder/tries.h"

#define LARGE_OPTIONS(X, T) \
  X(T, INT, tries, "Tries", "18", 1, 100, "Tries at a target before it is given up.") \
  X(T, INT, fails, "Fails", "384", 1, 2000, \
    "Buffers in a try that may be forced in before it is abandoned; four times as many more than 0.5 % above the bound.")
ASCI_OPTION_VALUES(large_options, LARGE_OPTIONS);
ASCI_OPTION_TABLE(large_options, LARGE_OPTIONS);

static const char pseudocode[] = "target = capacity, or the next rung\n"
                                 "try: an order, weights, a budget\n"
                                 "  b = next in order, or taken out\n"
                                 "  if b fits below target: lowest place\n"
                                 "  else: b where least weight is in the way\n"
                                 "    take that out, b weighs more\n"
                                 "    budget spent: another try\n"
                                 "  none left: lower the target\n";

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static void destroy(asc_run *run, void *state) {
  asci_tries_free(run, state);
  asci_free(run->context, state);
}

static asc_status fill(asc_run *run, void *state) {
  asci_tries *tries = state;
  const large_options *o = run->options;
  tries->followed = true;
  return asci_tries_new(run, asci_minimises(run), (uint32_t)o->tries, (uint32_t)o->fails, tries);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(asci_tries), fill, destroy, state);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static bool is_overloaded(const asc_run *run) {
  return !asci_minimises(run) && asci_is_overloaded(run->problem, run->capacity);
}

/* No try is left: minimising, what there is. */
static asc_outcome end_run(const asc_run *run, const asci_tries *tries) {
  if (tries->ladder.best < 0) return ASC_OUTCOME_EXHAUSTED;
  return tries->ladder.best <= run->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
}

static asc_outcome advance(asc_run *run, void *state) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  if (run->problem->count == 0) return asci_tries_step(run, state);
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    if (is_overloaded(run)) return asci_refute_load(run, ASCI_TRIES_TARGET);
    outcome = asci_tries_step(run, state);
  }
  return outcome == ASC_OUTCOME_EXHAUSTED ? end_run(run, state) : outcome;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  asci_tries_view(run, state, view);
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  return asci_tries_keep(run, state, saver);
}

static asc_status retrace(asc_run *run, void *state, const void *ahead, asci_saver *saver) {
  return asci_tries_retrace(run, state, ahead, saver);
}

const asci_solver asci_solver_large = {
    .info = {.id = "large",
             .title = "Large",
             .paper = "Arenascope",
             .summary =
                 "First fit at a fixed target that takes out what is in the way and tries again: a million buffers at the "
                 "load bound.",
             .goals = 1u << ASC_GOAL_HEIGHT,
             .supports =
                 ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS,
             .complete = false,
             .refutes = true,
             ASCI_TAKES_INFO(large_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(large_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
    .retrace = retrace,
};
