/* What the solvers of the family say and ask in the same way. */
#include "cosma.h"

#include <string.h>

void asci_cosma_tell(asc_run *run, const cosma_entry *entry, unsigned line) {
  asci_step_other(run, ASC_EVENT_EXPAND, entry->layer, (int64_t)entry->states, 0);
  run->stats.nodes += entry->states;
  ASC_EMIT(run, EXPAND, line, .stage = entry->stage, .layer = entry->layer, .states = (int64_t)entry->states,
           .dominated = (int64_t)entry->dominated, .pruned = (int64_t)entry->pruned, .best = entry->best);
  if (entry->forced) ASC_EMIT(run, FORCED, line, .op = entry->forced_op, .count = entry->forced);
}

bool asci_cosma_is_plan(const asc_run *run, const uint32_t *order, const asci_stay_list *stays) {
  if (!asci_plan_is(run, order, stays->stays, stays->count)) return false;
  for (size_t k = 0; k < stays->count; k++)
    if (run->stays[k].offset != stays->stays[k].offset) return false;
  return true;
}
