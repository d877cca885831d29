/* The proof that needs no search. */
#include "solve/solver.h"

static bool is_alive(const asc_problem *problem, uint32_t buffer, uint32_t section) {
  for (uint32_t p = problem->piece_begin[buffer]; p < problem->piece_begin[buffer + 1]; p++)
    if (problem->pieces[p].first <= section && section < problem->pieces[p].end) return true;
  return false;
}

asc_outcome asci_refute_load(asc_run *run, unsigned line) {
  const asc_problem *problem = run->problem;
  uint32_t first = 0;
  while (!is_alive(problem, first, problem->peak)) first++;
  asci_step_reject(run, ASC_RULE_SECTION, first, 0, 0);
  if (asci_traced(run)) {
    ASC_TELL(run, REJECT, line, .buffer = first, .rule = ASC_RULE_SECTION, .section = problem->peak,
             .rest = problem->sections[problem->peak].load);
    for (uint32_t b = first; b < problem->count; b++)
      if (is_alive(problem, b, problem->peak)) asci_event_list(run, b);
  }
  return ASC_OUTCOME_INFEASIBLE;
}
