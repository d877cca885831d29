/* Integer powers and logarithms: exact at powers of two, within a step between them. */
#include "support.h"

#include "base/number/powers.h"
#include "base/number/rng.h"

static void powers_are_what_they_say(void **state) {
  (void)state;
  asci_powers powers;
  asci_powers_make(&powers);
  for (int32_t k = 0; k <= 42; k++) assert_int_equal(asci_exp2(&powers, k * ASCI_POWER_STEPS), INT64_C(1) << k);
  for (int k = 0; k < 63; k++) assert_int_equal(asci_log2(&powers, UINT64_C(1) << k), k * ASCI_POWER_STEPS);
  assert_int_equal(asci_exp2(&powers, -5), 1);
  assert_int_equal(asci_exp2(&powers, INT32_MAX), INT64_C(1) << 42);
  asci_rng rng = {3};
  for (int round = 0; round < 20000; round++) {
    uint64_t x = 1 + (asci_random(&rng) >> (22 + asci_random_below(&rng, 40)));
    int32_t log = asci_log2(&powers, x);
    uint64_t low = (uint64_t)asci_exp2(&powers, log), high = (uint64_t)asci_exp2(&powers, log + 1);
    /* a step is 0.27 %, and rounding down loses at most one more unit */
    CHECK(low <= x && x <= high + 1, "log2 of %llu: %d", (unsigned long long)x, (int)log);
    assert_true(high >= low && high - low <= low / 300 + 1);
  }
}

int run_powers_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(powers_are_what_they_say),
  };
  return cmocka_run_group_tests_name("powers", tests, NULL, NULL);
}
