/* The library's formatter against libc's: the same bytes for everything that it knows. */
#include "support.h"

#include "base/number/rng.h"
#include "base/text/format.h"
#include "base/text/print.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 96, GUARD = 0x5a };

/* Of a text that was cut behind so many bytes, those before a character (UTF-8) that has lost its end. */
static size_t before_half(const char *text, size_t length) {
  for (size_t at = 0; at < length; at++) {
    unsigned char lead = (unsigned char)text[at];
    size_t follow = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0, there = 0;
    while (there < follow && at + 1 + there < length && ((unsigned char)text[at + 1 + there] & 0xc0) == 0x80) there++;
    if (there < follow && at + 1 + there == length) return at;
  }
  return length;
}

/* Both formatters on the same arguments, at every room from none to more than is needed; what lies behind must stay. */
__attribute__((format(printf, 1, 2))) static void check(const char *format, ...) {
  for (size_t room = 0; room <= ROOM; room++) {
    char expected[ROOM + 8], got[ROOM + 8];
    memset(expected, GUARD, sizeof expected);
    memset(got, GUARD, sizeof got);
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int needed = vsnprintf(expected, room, format, arguments);
    size_t written = asci_format_list(got, room, format, again);
    va_end(again);
    va_end(arguments);
    size_t fits = room ? (size_t)needed < room ? (size_t)needed : before_half(expected, room - 1) : 0;
    if (room) expected[fits] = 0;
    CHECK(written == fits, "%s: %zu bytes written, expected %zu", format, written, fits);
    /* libc may leave anything behind the NUL */
    CHECK(!room || !memcmp(got, expected, fits + 1), "%s, room %zu: %s", format, room, got);
    for (size_t k = room; k < sizeof got; k++) CHECK(got[k] == GUARD, "%s wrote behind its end", format);
  }
}

static void test_texts(void **state) {
  (void)state;
  check("%s", "");
  check("nothing else");
  check("%s", "is 3, expected 4");
  check("%s and %s, 100%% of %c%c", "one", "another", 'x', '%');
  check("\xe2\x80\x9c%.3s\xe2\x80\x9d, \xe2\x80\x9c%.30s\xe2\x80\x9d, %.0s|", "abcdef", "abcdef", "abcdef");
  static const char unended[4] = {'o', 'p', 'e', 'n'};
  check("%.*s %.4s %.*s", 2, unended, unended, 0, unended);
}

/* A cut leaves no half of a character; what is no UTF-8 is cut by bytes, and so is what the caller measured. */
static void test_characters(void **state) {
  (void)state;
  static const char *const cuts[] = {"", "a", "a", "a\xc3\xa9", "a\xc3\xa9", "a\xc3\xa9", "a\xc3\xa9\xe2\x82\xac"};
  static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
  char out[ROOM];
#define CUT(n) asci_format(out, sizeof out, "%." #n "s", text), assert_string_equal(out, cuts[n])
  CUT(0), CUT(1), CUT(2), CUT(3), CUT(4), CUT(5), CUT(6);
#undef CUT
  asci_format(out, sizeof out, "%.9s|%.10s|%.99s", text, text, text);
  assert_string_equal(out,
                      "a\xc3\xa9\xe2\x82\xac|a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80|a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  check("%.2s %.3s %.*s", "\x80\x80\x80", "\xe2\x82\xac", 2, text);
}

static void test_integers(void **state) {
  (void)state;
  check("%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
  check("%u %u", 0u, UINT_MAX);
  check("%lld %lld %lld", 0LL, LLONG_MAX, LLONG_MIN);
  check("%llu", ULLONG_MAX);
  check("%zu %zu %zd", (size_t)0, SIZE_MAX, (ptrdiff_t)PTRDIFF_MIN);
  check("has %zu field%s, expected %zu (%s)", (size_t)3, "s", (size_t)4, "d");
}

/* Arguments of all widths in turn, so that one read with the wrong width spoils those after it. */
static void test_random(void **state) {
  (void)state;
  asci_rng rng = {7};
  uint32_t cases = test_cases(2000);
  for (uint32_t k = 0; k < cases; k++) {
    char text[24];
    size_t length = asci_random_below(&rng, sizeof text);
    for (size_t i = 0; i < length; i++) text[i] = (char)asci_random_between(&rng, 1, 127);
    text[length] = 0;
    uint64_t bits = asci_random(&rng) >> asci_random_below(&rng, 64);
    check("%d,%.*s,%lld,%u,%c,%zu,%s", (int)(uint32_t)bits, (int)asci_random_below(&rng, 30), text, (long long)bits,
          (unsigned)bits, text[0] ? text[0] : '0', (size_t)bits, text);
  }
}

/* Formats that a compiler would refuse. */
static size_t show(char out[ROOM], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t written = asci_format_list(out, ROOM, format, arguments);
  va_end(arguments);
  return written;
}

/* What it does not know is shown, never guessed: reading on would take the next argument for another. */
static void test_unknown(void **state) {
  (void)state;
  char out[ROOM];
  assert_int_equal(asci_format(out, sizeof out, "%s is %5d, not %s", "a", 3, "b"), strlen("a is %5d, not %s"));
  assert_string_equal(out, "a is %5d, not %s");
  assert_int_equal(show(out, "%ld of %d", 3), strlen("%ld of %d"));
  assert_string_equal(out, "%ld of %d");
  assert_int_equal(show(out, "%.%|%d", 3), strlen("%|3")); /* a precision that says nothing */
  assert_string_equal(out, "%|3");
}

static bool count_pieces(void *user, const char *text, size_t bytes) {
  (void)text;
  *(size_t *)user += 1000 + bytes;
  return bytes < 5;
}

/* A sink is given no piece without bytes, and none when it wants no more. */
static void test_printer(void **state) {
  (void)state;
  size_t seen = 0;
  asci_printer printer = {.sink = count_pieces, .user = &seen};
  asci_print(&printer, "%s", "");
  assert_int_equal(seen, 0);
  asci_print(&printer, "%d", 12);
  assert_int_equal(seen, 1002);
  asci_print(&printer, "%s", "enough");
  asci_print(&printer, "%s", "more");
  assert_int_equal(seen, 2008);
}

int run_format_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts),  cmocka_unit_test(test_characters), cmocka_unit_test(test_integers),
      cmocka_unit_test(test_random), cmocka_unit_test(test_unknown),    cmocka_unit_test(test_printer),
  };
  return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
