/* What the manifest says of steps: what they do to buffers and to the path from the root of the search. Who goes by these instead of by the
 * kinds takes in a new kind without knowing it. */
#ifndef ASCI_TRACE_EVENTS_H
#define ASCI_TRACE_EVENTS_H

#include "asc/asc.h"

/* A step's effect, as events.def has it. */
typedef enum asci_effect {
  ASCI_OPENS,
  ASCI_DISCARDS,
  ASCI_IDLES,
  ASCI_RETURNS,
  ASCI_REBUILDS,
  ASCI_BEGINS,
  ASCI_STAYS,
} asci_effect;

/* kind: of a step. */
asci_effect asci_effect_of(uint32_t kind);
/* Kinds of steps that have the effect, as bits. */
uint64_t asci_kinds_with_effect(asci_effect effect);
/* All kinds of steps, as bits. */
uint64_t asci_step_kinds(void);
/* Kinds of steps that name a buffer in one of the roles (bits of asc_role). */
uint64_t asci_kinds_with_roles(uint32_t roles);
/* The roles in which a step names the buffer, as bits. list: of the event, NULL if it was not kept. O(list). */
uint32_t asci_roles_in(const asc_event *event, const uint32_t *list, uint32_t buffer);

/* The buffer that a step is about and the address it is about there. */
typedef struct asci_spot {
  uint32_t buffer; /* ASC_NONE: it is about none, or about several */
  int64_t offset;
} asci_spot;
asci_spot asci_spot_of(const asc_event *event);
/* The rule by which a step DISCARDS, NONE for any other. */
asc_rule asci_rule_of(const asc_event *event);

#endif
