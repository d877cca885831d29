#include "trace/events.h"

/* ---- what the masks and the digest have room for ---- */

#define BIT(kind) (UINT64_C(1) << (kind))

_Static_assert(ASC_STEP_COUNT <= 64,
               "asc_condition.kinds, asc_bucket.kinds and asc_log.kinds have a bit for each kind of step");
_Static_assert(ASC_STEP_COUNT <= 256, "the digest has eight bits for the kind of a step");
_Static_assert(ASC_RULE_COUNT <= 32, "asc_condition.rules has a bit for each rule");
_Static_assert(ASC_ROLE_COUNT <= 8, "the roles of a step are bits of a byte");
_Static_assert(ASC_GOAL_COUNT <= 8 * sizeof((asc_solver_info *)0)->goals, "asc_solver_info.goals has a bit for each goal");
_Static_assert(ASC_MAX_BUFFERS <= UINT32_C(1) << 20, "the digest has twenty bits for the buffer of a step");

#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) \
  _Static_assert(sizeof(asc_event_##name) <= ASC_EVENT_ARGS * sizeof(int64_t), id " says more than an event has room for");
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) \
  _Static_assert((int)ASC_EVENT_##NAME >= ASC_STEP_COUNT, id " is a detail and stands among the steps"); \
  _Static_assert(sizeof(asc_event_##name) <= ASC_EVENT_ARGS * sizeof(int64_t), id " says more than an event has room for");
#include "asc/events.def"

/* ---- kinds ---- */

static const uint8_t effects[ASC_STEP_COUNT] = {
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) ASCI_##effect,
#include "asc/events.def"
};

static const uint8_t all_roles[ASC_STEP_COUNT] = {
#define ASC_NOBODY
#define ASC_AT(role, buffer, offset) | 1u << ASC_ROLE_##role
#define ASC_WHO(role, buffer) | 1u << ASC_ROLE_##role
#define ASC_EACH(role) | 1u << ASC_ROLE_##role
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) (uint8_t)(0 roles),
#include "asc/events.def"
};

asci_effect asci_effect_of(uint32_t kind) {
  return (asci_effect)effects[kind];
}

uint64_t asci_kinds_with_effect(asci_effect effect) {
  uint64_t kinds = 0;
  for (uint32_t k = 0; k < ASC_STEP_COUNT; k++) kinds |= effects[k] == effect ? BIT(k) : 0;
  return kinds;
}

uint64_t asci_step_kinds(void) {
  return UINT64_MAX >> (64 - ASC_STEP_COUNT);
}

uint64_t asci_kinds_with_roles(uint32_t roles) {
  uint64_t kinds = 0;
  for (uint32_t k = 0; k < ASC_STEP_COUNT; k++) kinds |= all_roles[k] & roles ? BIT(k) : 0;
  return kinds;
}

/* ---- events ---- */

static bool is_in(const uint32_t *list, uint32_t count, uint32_t buffer) {
  for (uint32_t k = 0; list && k < count; k++)
    if (list[k] == buffer) return true;
  return false;
}

uint32_t asci_roles_in(const asc_event *event, const uint32_t *list, uint32_t buffer) {
  uint32_t found = 0;
  switch (event->kind) {
#define ASC_NOBODY
#define ASC_AT(role, who, offset) found |= (uint32_t)(said->who == buffer) << ASC_ROLE_##role;
#define ASC_WHO(role, who) found |= (uint32_t)(said->who == buffer) << ASC_ROLE_##role;
#define ASC_EACH(role) found |= (uint32_t)is_in(list, event->list_count, buffer) << ASC_ROLE_##role;
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list_, meaning) \
  case ASC_EVENT_##NAME: { \
    const asc_event_##name *said = &event->name; \
    (void)said; \
    roles break; \
  }
#include "asc/events.def"
  }
  return found;
}

asci_spot asci_spot_of(const asc_event *event) {
  switch (event->kind) {
#define ASC_NOBODY
#define ASC_AT(role, who, where) return (asci_spot){.buffer = (uint32_t)said->who, .offset = said->where};
#define ASC_WHO(role, who)
#define ASC_EACH(role)
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) \
  case ASC_EVENT_##NAME: { \
    const asc_event_##name *said = &event->name; \
    (void)said; \
    roles break; \
  }
#include "asc/events.def"
  }
  return (asci_spot){.buffer = ASC_NONE, .offset = ASC_UNPLACED};
}

#define RULE_OPENS(said) ASC_RULE_NONE
#define RULE_DISCARDS(said) (asc_rule)(said)->rule
#define RULE_IDLES(said) ASC_RULE_NONE
#define RULE_RETURNS(said) ASC_RULE_NONE
#define RULE_REBUILDS(said) ASC_RULE_NONE
#define RULE_BEGINS(said) ASC_RULE_NONE
#define RULE_STAYS(said) ASC_RULE_NONE

asc_rule asci_rule_of(const asc_event *event) {
  switch (event->kind) {
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) \
  case ASC_EVENT_##NAME: \
    return RULE_##effect(&event->name);
#include "asc/events.def"
  }
  return ASC_RULE_NONE;
}
