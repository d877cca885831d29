/* Saves, number by number: what was shown to one that saves is what one that loads finds, within its limits or not at all. */
#include "support.h"

#include "base/memory.h"
#include "trace/bytes.h"

typedef enum shade { PALE, DARK } shade;

typedef struct kept {
  uint64_t wide;
  uint32_t narrow, level;
  int64_t height;
  bool flag;
  shade shade;
  int32_t values[3];
} kept;

static void keep(asci_saver *saver, kept *k, uint64_t most) {
  ASCI_KEEP(saver, k->wide, ASCI_ANY);
  ASCI_KEEP(saver, k->narrow, most);
  ASCI_KEEP_OR_NONE(saver, k->level, most);
  ASCI_KEEP_OR_NONE(saver, k->height, INT64_MAX);
  ASCI_KEEP(saver, k->flag, ASCI_ANY);
  ASCI_KEEP(saver, k->shade, DARK);
  ASCI_KEEP_EACH_OR_NONE(saver, k->values, 3, 1000);
}

static asci_saver loading(const asci_saver *saved) {
  return (asci_saver){.loads = true, .from = saved->bytes, .count = saved->count};
}

static void same(const kept *a, const kept *b) {
  assert_true(a->wide == b->wide && a->narrow == b->narrow && a->level == b->level && a->height == b->height);
  assert_true(a->flag == b->flag && a->shade == b->shade);
  assert_memory_equal(a->values, b->values, sizeof a->values);
}

static void what_is_saved_is_loaded(void **state) {
  (void)state;
  static const kept cases[] = {
      {0, 0, 0, 0, false, PALE, {0, 0, 0}},
      {UINT64_MAX, UINT32_MAX, UINT32_MAX, -1, true, DARK, {-1, 1000, 127}},
      {128, 300, UINT32_MAX - 1, INT64_MAX, true, PALE, {1, -1, 1}},
  };
  for (uint32_t c = 0; c < COUNT(cases); c++) {
    asci_saver saver = {.context = test_context()};
    kept from = cases[c], into = {.wide = 7};
    keep(&saver, &from, ASCI_ANY);
    same(&from, &cases[c]); /* who saves changes nothing */
    assert_int_equal(asci_kept(&saver), ASC_OK);
    assert_false(asci_loaded(&saver));
    asci_saver loader = loading(&saver);
    keep(&loader, &into, ASCI_ANY);
    assert_true(asci_loaded(&loader) && loader.at == loader.count);
    same(&into, &cases[c]);
    asci_free(saver.context, saver.bytes);
    test_context_end(saver.context);
  }
}

static void limits_hold(void **state) {
  (void)state;
  asci_saver saver = {.context = test_context()};
  kept from = {.wide = 5, .narrow = 300, .level = 300, .height = 2, .flag = true, .shade = DARK, .values = {1, 2, 3}}, into;
  keep(&saver, &from, ASCI_ANY);
  for (uint64_t most = 299; most <= 300; most++) {
    asci_saver loader = loading(&saver);
    into = from;
    keep(&loader, &into, most);
    assert_int_equal(asci_kept(&loader), most < 300 ? ASC_BAD_SAVE : ASC_OK);
    assert_int_equal(into.narrow, most < 300 ? 0 : 300);
    assert_int_equal(into.flag, most == 300); /* behind what is wrong all is 0 */
  }
  for (size_t count = 0; count < saver.count; count++) {
    asci_saver loader = {.loads = true, .from = saver.bytes, .count = count};
    keep(&loader, &into, ASCI_ANY);
    assert_int_equal(asci_kept(&loader), ASC_BAD_SAVE);
    assert_false(asci_loaded(&loader));
  }
  asci_free(saver.context, saver.bytes);
  test_context_end(saver.context);
}

/* A bool is 0 or 1 and 32 bits are no more, whatever limit is named; ten bytes are more than any number takes. */
static void types_are_limits(void **state) {
  (void)state;
  static const uint8_t two[] = {2}, wide[] = {0x80, 0x80, 0x80, 0x80, 0x10},
                       endless[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0};
  bool flag = false;
  uint32_t word = 0;
  uint64_t number = 0;
  asci_saver loader = {.loads = true, .from = two, .count = 1};
  ASCI_KEEP(&loader, flag, ASCI_ANY);
  assert_true(loader.failed && !flag);
  loader = (asci_saver){.loads = true, .from = wide, .count = sizeof wide};
  ASCI_KEEP(&loader, word, ASCI_ANY);
  assert_true(loader.failed && !word);
  loader = (asci_saver){.loads = true, .from = wide, .count = sizeof wide};
  ASCI_KEEP(&loader, number, ASCI_ANY);
  assert_true(!loader.failed && number == UINT64_C(1) << 32);
  loader = (asci_saver){.loads = true, .from = endless, .count = sizeof endless};
  ASCI_KEEP(&loader, number, ASCI_ANY);
  assert_true(loader.failed && !number);
}

static void no_memory_is_told_at_the_end(void **state) {
  (void)state;
  test_memory memory = {0};
  asci_saver saver = {.context = test_context_on(&memory)};
  kept from = {.wide = 1};
  memory.fail_at = memory.calls + 1;
  keep(&saver, &from, ASCI_ANY);
  assert_int_equal(asci_kept(&saver), ASC_OUT_OF_MEMORY);
  assert_false(asci_loaded(&saver));
  asc_context_free(saver.context);
  assert_int_equal(memory.live, 0);
}

int run_bytes_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_saved_is_loaded),
      cmocka_unit_test(limits_hold),
      cmocka_unit_test(types_are_limits),
      cmocka_unit_test(no_memory_is_told_at_the_end),
  };
  return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
