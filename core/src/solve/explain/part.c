/* A part of the problem as a problem of its own. */
#include "solve/explain/explain.h"

asc_status asci_explain_part(asc_explain *explain) {
  asc_problem *part = NULL;
  asc_status status = asc_problem_new(explain->context, &part);
  uint32_t without = explain->order[explain->next], added = 0;
  for (uint32_t k = 0; !status && k < explain->count; k++) {
    uint32_t buffer = explain->members[k];
    if (buffer == without) continue;
    status = asc_problem_add(part, asc_problem_buffer(explain->problem, buffer), NULL);
    explain->origin[added++] = buffer;
  }
  if (!status) status = asc_problem_freeze(part, NULL);
  if (status)
    asc_problem_free(part);
  else
    explain->part = part;
  return status;
}
