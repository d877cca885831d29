/* What the engine asks of what a run is about: one row for each asc_domain. A further domain is a further row. */
#ifndef ASCI_SOLVE_DOMAIN_H
#define ASCI_SOLVE_DOMAIN_H

#include "base/memory.h"

typedef struct asci_domain {
  const char *id;
  /* NULL if the input is missing or not frozen. */
  asc_context *(*context)(const asc_input *input);
  /* The buffers as they are given: what a view without a situation is of. */
  const asc_problem *(*problem)(const asc_input *input);
  uint64_t (*digest)(const asc_input *input);
  uint32_t (*turns)(const asc_input *input); /* length of a plan's order */
  uint32_t (*most)(const asc_input *input);  /* decisions that a state can hold: the greatest depth */
  int64_t (*bound)(const asc_input *input, asc_goal goal);
  /* As asc_plan_validate and asc_plan_cost. */
  asc_status (*validate)(const asc_input *input, const asc_plan *plan, int64_t capacity, asc_violation *violations,
                         size_t room, size_t *count);
  int64_t (*cost)(const asc_input *input, const asc_plan *plan, asc_goal goal);
} asci_domain;

/* NULL if there is none of that number. */
const asci_domain *asci_domain_of(const asc_input *input);

#endif
