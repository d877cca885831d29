/* What the parts of the lowering share. */
#ifndef ASCI_GRAPH_LOWER_H
#define ASCI_GRAPH_LOWER_H

#include "graph/lowered.h"

/* As asc_input_digest, asc_plan_validate and asc_plan_cost, of a graph. */
uint64_t asci_graph_digest(const asc_lowering *lowering);
asc_status asci_graph_validate(const asc_lowering *lowering, const asc_plan *plan, int64_t capacity,
                               asc_violation *violations, size_t room, size_t *count);
int64_t asci_graph_height(const asc_lowering *lowering, const asc_plan *plan);
int64_t asci_graph_traffic(const asc_lowering *lowering, const asc_plan *plan);
/* The same of a selection: what is outside stays there, and operators read and write it in place. */
asc_status asci_selection_validate(const asc_lowering *lowering, const asc_plan *plan, int64_t capacity,
                                   asc_violation *violations, size_t room, size_t *count);
/* Bytes that accesses move outside, or the most that can be counted. O(uses), of stays in the order of asc_lower; else O(uses * stays). */
int64_t asci_selection_traffic(const asc_lowering *lowering, const asc_plan *plan);
/* The traffic's two parts. */
void asci_graph_moves(const asc_lowering *lowering, const asc_plan *plan, int64_t *spilled, int64_t *fetched);

enum { ASCI_NOTES = 9, ASCI_NOTE_ROOM = 200 };

struct asc_lowering {
  asci_lowered lowered; /* owned */
  asc_problem *problem; /* without a profile */
  asc_problem *applied; /* as the profile's memory takes it; NULL without one */
  asc_profile profile;
  uint32_t *schedule;
  uint32_t *buffers; /* per tensor, then per operator of its workspace */
  asc_budgets budgets;
  int64_t bound;       /* of every schedule's load, as the profile's memory takes the sizes */
  int64_t load;        /* of the schedule that runs; budgets.peak is that of the best order */
  uint32_t best_order; /* the first that has it */
  uint32_t note_count;
  char notes[ASCI_NOTES][ASCI_NOTE_ROOM];
};

#endif
