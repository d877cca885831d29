/* The arrays of a struct by one table: what is made, what it begins with, that one call frees all, and that no memory leaves nothing behind. */
#include "support.h"

#include "base/arrays.h"

typedef struct holder {
  uint8_t *bytes;
  int64_t *words;
  struct {
    uint32_t *items;
  } inner;
  uint32_t *none;
  uint32_t *grown;
  size_t room;
} holder;

enum { PER_BYTE, PER_WORD, NOT_ANY };

static const asci_array arrays[] = {
    ASCI_OWN(holder, grown),
    ASCI_ARRAY(holder, bytes, PER_BYTE, ASCI_ONES),
    ASCI_ARRAY(holder, words, PER_WORD, ASCI_ZEROS),
    ASCI_ARRAY(holder, inner.items, PER_WORD, ASCI_ONES),
    ASCI_ARRAY(holder, none, NOT_ANY, ASCI_ZEROS),
};

static void all_are_made_and_freed(void **state) {
  (void)state;
  asc_context *context = test_context();
  const size_t before = asc_context_bytes(context), counts[] = {13, 5, 0};
  for (int again = 0; again < 2; again++) {
    holder h = {0};
    asci_arrays_free(context, ASCI_TABLE(arrays), &h); /* nothing is there yet */
    assert_true(asci_arrays_new(context, ASCI_TABLE(arrays), counts, &h));
    assert_int_equal(asc_context_bytes(context) - before, asci_arrays_bytes(ASCI_TABLE(arrays), counts));
    assert_true(h.none && !h.grown);
    assert_int_equal((uintptr_t)h.words % _Alignof(max_align_t), 0);
    for (size_t k = 0; k < 13; k++) assert_int_equal(h.bytes[k], 0xff);
    for (size_t k = 0; k < 5; k++) assert_true(h.words[k] == 0 && h.inner.items[k] == ASC_NONE);
    h.bytes[12] = 1; /* the last of one is not the first of the next */
    h.words[0] = -2;
    assert_true(h.bytes[12] == 1 && h.words[4] == 0);
    assert_true(asci_grow(context, &h.grown, &h.room, 100, sizeof *h.grown));
    asci_arrays_free(context, ASCI_TABLE(arrays), &h);
    assert_true(!h.bytes && !h.words && !h.inner.items && !h.none && !h.grown);
    assert_int_equal(asc_context_bytes(context), before);
  }
  test_context_end(context);
}

static void what_is_too_much_is_refused(void **state) {
  (void)state;
  asc_context *context = test_context();
  const size_t before = asc_context_bytes(context);
  const size_t wide[] = {0, SIZE_MAX / 8, 0}, sum[] = {SIZE_MAX / 2, SIZE_MAX / 16, 0};
  holder h = {0};
  assert_true(asci_arrays_bytes(ASCI_TABLE(arrays), wide) == SIZE_MAX);
  assert_true(asci_arrays_bytes(ASCI_TABLE(arrays), sum) == SIZE_MAX);
  assert_false(asci_arrays_new(context, ASCI_TABLE(arrays), wide, &h));
  assert_false(asci_arrays_new(context, ASCI_TABLE(arrays), sum, &h));
  assert_true(!h.bytes && !h.words);
  assert_int_equal(asc_context_bytes(context), before);
  test_context_end(context);
}

int run_arrays_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_are_made_and_freed),
      cmocka_unit_test(what_is_too_much_is_refused),
  };
  return cmocka_run_group_tests_name("arrays", tests, NULL, NULL);
}
