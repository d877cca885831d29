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

bool asci_cosma_hand_in(asc_run *run, const uint32_t *order, const asci_stay_list *stays) {
  memcpy(run->order, order, run->input.of.graph->lowered.graph->op_count * sizeof *order);
  asci_plan_begin(run);
  for (size_t k = 0; k < stays->count; k++)
    if (!cosma_is_absent(&stays->stays[k]) && !asci_plan_add(run, &stays->stays[k])) return false;
  return true;
}

static bool is_same(const asc_stay *a, const asc_stay *b) {
  _Static_assert(sizeof *a == sizeof a->item + sizeof a->pool + sizeof a->lower + sizeof a->upper + sizeof a->offset,
                 "a stay has no bytes between its numbers");
  return memcmp(a, b, sizeof *a) == 0;
}

bool asci_cosma_is_plan(const asc_run *run, const uint32_t *order, const asci_stay_list *stays) {
  size_t count = 0;
  for (size_t k = 0; k < stays->count; k++) {
    if (cosma_is_absent(&stays->stays[k])) continue;
    if (count >= run->stay_count || !is_same(&run->stays[count++], &stays->stays[k])) return false;
  }
  return count == run->stay_count &&
         !memcmp(run->order, order, run->input.of.graph->lowered.graph->op_count * sizeof *order);
}
