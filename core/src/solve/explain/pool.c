/* A problem with pools is explained by one of them: the first that does not fit. */
#include "base/diag.h"
#include "solve/explain/explain.h"

asc_status asci_explain_check(const asc_problem *problem, asc_diag *diag) {
  if (problem->has_any_pool)
    return asci_complain(diag, ASC_UNSUPPORTED, "pool", "no solver chooses pools: name one for each buffer");
  if (problem->has_shapes)
    return asci_complain(diag, ASC_UNSUPPORTED, "shape", "the exact solver does not honour shapes of several rectangles");
  return ASC_OK;
}

bool asci_explain_look_at(asc_explain *explain, uint32_t pool) {
  uint32_t pools = asc_problem_pool_count(explain->whole);
  while (pool < pools && pools > 1 && !asc_problem_count(asc_problem_part(explain->whole, pool))) pool++;
  if (pool == pools) return false;
  int64_t own = asc_problem_pool(explain->whole, pool)->capacity;
  explain->pool = pool;
  explain->problem = asc_problem_part(explain->whole, pool);
  explain->capacity = own ? own : explain->run_capacity;
  return true;
}
