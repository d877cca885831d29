/* What the manifest says of events: of each kind whom it names in which role, where, and by what rule. */
#include "support.h"
#include "trace/events.h"

enum { BUFFER = 0, OTHER = 7, ROLES = ASC_ROLE_NAMES + 1 };

/* An event whose every argument is 0: whoever it names is buffer 0. */
static asc_event event_of(uint32_t kind) {
  return (asc_event){.kind = (uint16_t)kind, .list_count = 1};
}

static void a_kind_names_buffers_in_its_roles(void **state) {
  (void)state;
  const uint32_t list[] = {BUFFER};
  for (uint32_t kind = 0; kind < ASC_STEP_COUNT; kind++) {
    asc_event event = event_of(kind);
    uint32_t all = asci_roles_in(&event, list, BUFFER), alone = asci_roles_in(&event, NULL, BUFFER);
    for (uint32_t role = 0; role < ROLES; role++)
      CHECK((all >> role & 1) == (asci_kinds_with_roles(UINT32_C(1) << role) >> kind & 1), "kind %u, role %u", kind, role);
    CHECK((alone & ~all) == 0, "kind %u: a list takes roles away", kind);
    CHECK(!asci_roles_in(&event, list, OTHER), "kind %u names somebody else", kind);
  }
}

static void a_spot_is_that_of_who_is_named(void **state) {
  (void)state;
  uint32_t placed = 0;
  for (uint32_t kind = 0; kind < ASC_STEP_COUNT; kind++) {
    asc_event event = event_of(kind);
    asci_spot spot = asci_spot_of(&event);
    if (spot.buffer == ASC_NONE) {
      CHECK(spot.offset == ASC_UNPLACED, "kind %u: an address of nobody", kind);
      continue;
    }
    CHECK(spot.buffer == BUFFER && spot.offset == 0 && asci_roles_in(&event, NULL, BUFFER), "kind %u", kind);
    placed++;
  }
  assert_true(placed > 4);
}

static void a_rule_is_that_of_who_discards(void **state) {
  (void)state;
  uint32_t discards = 0;
  for (uint32_t kind = 0; kind < ASC_STEP_COUNT; kind++) {
    asc_event event = event_of(kind);
    assert_int_equal(asci_rule_of(&event), ASC_RULE_NONE);
    if (asci_effect_of(kind) == ASCI_DISCARDS) discards++;
  }
  asc_event reject = event_of(ASC_EVENT_REJECT), skip = event_of(ASC_EVENT_SKIP);
  reject.reject.rule = ASC_RULE_FIXED;
  skip.skip.rule = ASC_RULE_SAME_SPAN;
  assert_int_equal(asci_rule_of(&reject), ASC_RULE_FIXED);
  assert_int_equal(asci_rule_of(&skip), ASC_RULE_SAME_SPAN);
  assert_int_equal(discards, 2);
}

/* A detail is no step: it names nobody, nowhere, by no rule. */
static void a_detail_names_nobody(void **state) {
  (void)state;
  const uint32_t list[] = {BUFFER};
  for (uint32_t kind = ASC_STEP_COUNT; kind < ASC_EVENT_COUNT; kind++) {
    asc_event event = event_of(kind);
    assert_int_equal(asci_roles_in(&event, list, BUFFER), 0);
    assert_int_equal(asci_spot_of(&event).buffer, ASC_NONE);
    assert_int_equal(asci_rule_of(&event), ASC_RULE_NONE);
  }
}

int run_events_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kind_names_buffers_in_its_roles),
      cmocka_unit_test(a_spot_is_that_of_who_is_named),
      cmocka_unit_test(a_rule_is_that_of_who_discards),
      cmocka_unit_test(a_detail_names_nobody),
  };
  return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
