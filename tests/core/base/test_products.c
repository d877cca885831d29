/* Products beside and above 64 bits, compared without ever being made. */
#include "support.h"

#include "base/number/products.h"
#include "base/number/rng.h"

static void check_pair(uint64_t a, uint64_t b, uint64_t x, uint64_t y, int expected) {
  const uint64_t left[2] = {a, b}, right[2] = {x, y};
  assert_int_equal(asci_compare_products(left, right, 2), expected);
  assert_int_equal(asci_compare_products(right, left, 2), -expected);
}

static void products_are_compared_at_the_edges_of_32_and_64_bits(void **state) {
  (void)state;
  const uint64_t word = UINT64_C(1) << 32;
  check_pair(word - 1, word - 1, word, word - 2, 1); /* 2^64 - 2^33 + 1 and 2^64 - 2^33 */
  check_pair(word - 1, word - 1, word - 1, word - 1, 0);
  check_pair(word, word, word - 1, word - 1, 1); /* 2^64 would be 0 */
  check_pair(word, 1, 1, word - 1, 1);
  check_pair(0, UINT64_MAX, 0, 7, 0);
  check_pair(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, 1);
}

/* a * b and (a + d) * (b - d) differ by d * (a - b + d), a number of 64 bits with a sign. */
static void products_that_differ_little_are_told_apart(void **state) {
  (void)state;
  asci_rng rng = {5};
  for (int round = 0; round < 20000; round++) {
    uint64_t bits = 4 + asci_random_below(&rng, 60), a = asci_random(&rng) >> bits, b = asci_random(&rng) >> bits;
    uint64_t d = asci_random_below(&rng, 4);
    if (b < d) continue;
    int64_t more = (int64_t)d * ((int64_t)a - (int64_t)b + (int64_t)d);
    check_pair(a, b, a + d, b - d, (more > 0) - (more < 0));
    const uint64_t thrice[3] = {a, b, 3}, other[3] = {a + d, 3, b - d};
    assert_int_equal(asci_compare_products(thrice, other, 3), (more > 0) - (more < 0));
  }
}

int run_products_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_are_compared_at_the_edges_of_32_and_64_bits),
      cmocka_unit_test(products_that_differ_little_are_told_apart),
  };
  return cmocka_run_group_tests_name("products", tests, NULL, NULL);
}
