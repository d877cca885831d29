/* Values of cells one by one: numbers, bytes with units, and how messages show what they are not. */
#include "io/csv/reader.h"
#include "support.h"

#include <string.h>

static void amounts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    csv_number kind;
    int64_t value;
  } cases[] = {
      {"0", CSV_WHOLE, 0},
      {"-7", CSV_WHOLE, -7},
      {"+7", CSV_WHOLE, 7},
      {"-", CSV_NOT_WHOLE, 0},
      {"", CSV_NOT_WHOLE, 0},
      {"1125899906842624", CSV_WHOLE, INT64_C(1) << 50},
      {"99999999999999999999999", CSV_TOO_BIG, 0},
      {"0x1F", CSV_WHOLE, 31},
      {"0xg", CSV_NOT_WHOLE, 0},
      {"0x/", CSV_NOT_WHOLE, 0},
      {"0x", CSV_NOT_WHOLE, 0},
      {"0xfffffffffffffffffffff", CSV_TOO_BIG, 0},
      {"1.5 KiB", CSV_WHOLE, 1536},
      {"1.5b", CSV_NOT_WHOLE, 0},
      {"1.500000000KiB", CSV_WHOLE, 1536},
      {"1.0000000000KiB", CSV_NOT_WHOLE, 0}, /* ten decimals */
      {"0.1KiB", CSV_NOT_WHOLE, 0},
      {"0.2kb", CSV_WHOLE, 200},
      {"0.001953125 tib", CSV_WHOLE, INT64_C(1) << 31},
      {"0.000000001 GB", CSV_WHOLE, 1},
      {"1.", CSV_NOT_WHOLE, 0},
      {"1024.0", CSV_WHOLE, 1024},
      {"-3.000", CSV_WHOLE, -3},
      {"1024.5", CSV_NOT_WHOLE, 0},
      {".0", CSV_NOT_WHOLE, 0},
      {"99999999999999999999.0", CSV_TOO_BIG, 0},
      {"1.b", CSV_WHOLE, 1},
      {"7", CSV_WHOLE, 7},
      {"7 ", CSV_NOT_WHOLE, 0},
      {"7b", CSV_WHOLE, 7},
      {"7bb", CSV_NOT_WHOLE, 0},
      {"-7b", CSV_NOT_WHOLE, 0},
      {"9999999999999999999 b", CSV_TOO_BIG, 0},
      {"1024 tib", CSV_WHOLE, INT64_C(1) << 50},
      {"999999 tib", CSV_TOO_BIG, 0},
      {"9007.5 tb", CSV_TOO_BIG, 0},
      {"8192 tib", CSV_TOO_BIG, 0},
  };
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    int64_t value = 0;
    csv_number kind = asci_csv_amount(cases[k].text, strlen(cases[k].text), true, &value);
    CHECK(kind == cases[k].kind && (kind != CSV_WHOLE || value == cases[k].value), "%s: %d, %lld", cases[k].text, kind,
          (long long)value);
  }
  int64_t value;
  assert_int_equal(asci_csv_amount("7b", 2, false, &value), CSV_NOT_WHOLE);
}

static void numbers_with_commas(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"", ""},
      {"7", "7"},
      {"+7", "7"},
      {"-1234", "-1,234"},
      {"000", "0"},
      {"007", "7"},
      {"-", "-"},
      {"+", ""},
      {"1234567", "1,234,567"},
      {"1234567890123456789012345678901", "1,234,567,890,123,456,789,012,345,678,90\xe2\x80\xa6"},
  };
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    char out[CSV_CITE];
    CHECK(!strcmp(asci_csv_commas(out, cases[k][0], strlen(cases[k][0])), cases[k][1]), "%s: %s", cases[k][0], out);
  }
}

/* Cut between characters, never within one: each of the bytes that the limit can fall on. */
static void citations(void **state) {
  (void)state;
  for (uint32_t shift = 0; shift < 5; shift++)
    for (uint32_t broken = 0; broken < 2; broken++) {
      char text[200] = "aaaa", out[CSV_CITE];
      for (size_t k = shift; k + 4 < sizeof text; k += 4)
        memcpy(text + k, broken ? "\x80\x80\x80\x80" : "\xf0\x9f\x98\x80", 4);
      asci_csv_cite(out, text, shift + 160);
      size_t length = strlen(out);
      assert_true(length < CSV_CITE && length > 40);
      if (broken) continue;
      for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)out[k];
        size_t more = c < 0x80 ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
        for (; more; more--) assert_true(((unsigned char)out[++k] & 0xc0) == 0x80);
      }
    }
  char out[CSV_CITE];
  assert_string_equal(asci_csv_cite(out, "a\tb\x7f", 4), "\xe2\x80\x9c"
                                                         "a?b?"
                                                         "\xe2\x80\x9d");
}

/* What a problem complains of is a column, and else the row, which its id stands for. */
static void names_of_columns(void **state) {
  (void)state;
  assert_int_equal(asci_csv_role_named("Bank"), CSV_BANK);
  assert_int_equal(asci_csv_role_named("no column"), CSV_ID);
}

static void ids_of_lists(void **state) {
  (void)state;
  char text[400], id[257];
  const char *at = text, *end = text + sizeof text;
  memset(text, 'a', sizeof text);
  assert_int_equal(asci_csv_next_id(&at, end, ";", id), 257); /* too long to be anybody's */
  assert_ptr_equal(at, end);
  static const char escaped[] = "a\\;b;\\";
  at = escaped;
  end = escaped + sizeof escaped - 1;
  assert_int_equal(asci_csv_next_id(&at, end, ";", id), 3);
  assert_memory_equal(id, "a;b", 3);
  at++;
  assert_int_equal(asci_csv_next_id(&at, end, ";", id), 1); /* a backslash that nothing follows is itself */
  assert_memory_equal(id, "\\", 1);
}

int run_values_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(amounts),          cmocka_unit_test(numbers_with_commas), cmocka_unit_test(citations),
      cmocka_unit_test(names_of_columns), cmocka_unit_test(ids_of_lists),
  };
  return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
