/* A solution as a plan: where everything is, and when. */
#ifndef ASCI_COSMA_PLAN_H
#define ASCI_COSMA_PLAN_H

#include "passes.h"

/* Writes the stays that a solution amounts to into an empty list, numbered, without offsets. A value comes when it is made or, from outside, when it is
   read next (sooner is never better), and goes when it is taken out or nobody reads it any more. Its copy outside lasts from when it is first
   taken out to when it is last fetched. Errors: OUT_OF_MEMORY. O(uses + stays). */
asc_status asci_cosma_stays(const cosma_model *m, const cosma_solution *solution, asci_stay_list *list);

/* Puts the stays in the arena first that stand for the given buffers, in their order, so that each buffer has one number all the time. An item that is
   not there so often has a stay of no length, which is no part of a plan. Errors: OUT_OF_MEMORY, and the list stays as it is. O(uses + stays). */
asc_status asci_cosma_number(const cosma_model *m, asci_stay_list *list);

static inline bool cosma_is_absent(const asc_stay *stay) {
  return stay->lower == stay->upper;
}

typedef struct cosma_place {
  uint32_t item, time; /* whose stay in the arena begins when */
  int64_t offset;
} cosma_place;

/* Gives the stays that begin so their addresses. The places are by increasing time. O(stays * (log n + places of a time)). */
void asci_cosma_give_places(const cosma_place *places, size_t count, asci_stay_list *list);

#endif
