/* The contention heuristic before the search, as on Pixel 6 (section 5.6): a solver within the solver. */
#include "search.h"

bool asci_tela_heuristic_fits(const asc_problem *problem) {
  uint32_t lacks = ~asci_solver_contention.info.supports;
  return !(problem->has_alignment && (lacks & ASC_SUPPORTS_ALIGNMENT)) &&
         !(problem->has_fixed && (lacks & ASC_SUPPORTS_FIXED)) && !(problem->has_gaps && (lacks & ASC_SUPPORTS_GAPS)) &&
         !(problem->has_windows && (lacks & ASC_SUPPORTS_WINDOWS)) && !(problem->has_banks && (lacks & ASC_SUPPORTS_BANKS));
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
