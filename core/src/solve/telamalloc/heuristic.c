/* The contention heuristic before the search, as on Pixel 6 (section 5.6): a solver within the solver. */
#include "search.h"

bool asci_tela_heuristic_fits(const asc_problem *problem) {
  return !(asci_needs(problem) & ~asci_solver_contention.info.supports);
}

asc_status asci_tela_heuristic_new(tela_search *s) {
  asc_diag diag = {0};
  return asci_solver_contention.create(s->base.run, &s->heuristic, &diag);
}

void asci_tela_heuristic_end(tela_search *s) {
  if (s->heuristic) asci_solver_contention.destroy(s->base.run, s->heuristic);
  s->heuristic = NULL;
  s->heuristic_failed = false;
}
