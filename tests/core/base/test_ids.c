/* Ids and their hash: the same values on every machine, and no run of slots that somebody could make without the key. */
#include "support.h"

#include "base/ids.h"
#include "base/sip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDS = 2000, SLOTS = 4096 };

/* By another implementation, which gives the vector of the paper with two and four rounds. */
static void the_hash_is_the_same_everywhere(void **state) {
  (void)state;
  static const char text[] = "abcdefghijklmnopqrstuvwxyz";
  const asci_key none = {{0, 0}}, key = {{UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}};
  static const struct {
    size_t length;
    uint64_t none, key;
  } known[] = {
      {0, UINT64_C(0xd1fba762150c532c), UINT64_C(0xabac0158050fc4dc)},
      {1, UINT64_C(0x407448d2b89b1813), UINT64_C(0x1c2697ab786a6237)},
      {7, UINT64_C(0x6db12aae9070f506), UINT64_C(0x639b490caba831bb)},
      {8, UINT64_C(0x3f7b849c0b8e35ea), UINT64_C(0x12d8c08c2ee9e620)},
      {9, UINT64_C(0xf89b34a3d11eb6e5), UINT64_C(0x7e02bfd36e3aa6a2)},
      {26, UINT64_C(0x323ccd2fd30709df), UINT64_C(0xde872b4d518c3561)},
  };
  for (size_t k = 0; k < COUNT(known); k++) {
    assert_int_equal(asci_sip(none, text, known[k].length), known[k].none);
    assert_int_equal(asci_sip(key, text, known[k].length), known[k].key);
  }
}

static size_t longest_run(const asci_ids *ids) {
  size_t run = 0, longest = 0;
  for (size_t k = 0; k < ids->slot_count; k++) {
    run = ids->slots[k].text ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

static size_t run_with(uint64_t first, char (*texts)[16]) {
  asc_context *context = test_context();
  asci_ids ids = {0};
  asc_context_set_key(context, first, 5);
  for (uint32_t k = 0; k < IDS; k++) {
    uint32_t before;
    assert_int_equal(asci_ids_enter(context, &ids, (asci_id){texts[k], strlen(texts[k]), k + 1}, &before), ASC_OK);
    assert_int_equal(before, 0);
  }
  for (uint32_t k = 0; k < IDS; k++) assert_int_equal(asci_ids_find(&ids, texts[k], strlen(texts[k])), k + 1);
  assert_int_equal(asci_ids_find(&ids, "none", 4), 0);
  assert_int_equal(ids.slot_count, SLOTS);
  size_t run = longest_run(&ids);
  asci_ids_free(context, &ids);
  test_context_end(context);
  return run;
}

/* Ids that were chosen to take the same places under one key are like any others under another. */
static void ids_made_to_meet_do_not(void **state) {
  (void)state;
  char(*texts)[16] = malloc(IDS * sizeof *texts);
  assert_non_null(texts);
  for (uint32_t number = 0, count = 0; count < IDS; number++) {
    snprintf(texts[count], sizeof *texts, "b%u", number);
    count += asci_sip((asci_key){{4, 5}}, texts[count], strlen(texts[count])) >> 60 == 3;
  }
  size_t met = run_with(4, texts), other = run_with(6, texts);
  CHECK(met == IDS && other < 64, "%zu in a row, %zu with another key", met, other);
  free(texts);
}

int run_ids_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hash_is_the_same_everywhere),
      cmocka_unit_test(ids_made_to_meet_do_not),
  };
  return cmocka_run_group_tests_name("ids", tests, NULL, NULL);
}
