#include "forged.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 10 }; /* bytes of a number */

uint64_t forged_number(const test_saved *saved, size_t at, size_t *end) {
  uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7, at++) {
    number |= (uint64_t)(saved->bytes[at] & 0x7f) << shift;
    if (saved->bytes[at] < 0x80) break;
  }
  *end = at + 1;
  return number;
}

test_saved forged_with(const test_saved *saved, size_t at, size_t end, uint64_t number) {
  test_saved made = {malloc(saved->count + LONGEST), at};
  assert_non_null(made.bytes);
  memcpy(made.bytes, saved->bytes, at);
  for (; number >= 0x80; number >>= 7) made.bytes[made.count++] = (uint8_t)(number | 0x80);
  made.bytes[made.count++] = (uint8_t)number;
  memcpy(made.bytes + made.count, saved->bytes + end, saved->count - end);
  made.count += saved->count - end;
  return made;
}

size_t forged_place(const test_saved *saved, size_t nth, size_t *end) {
  size_t at = 0;
  for (*end = 0;; nth--) {
    assert_true(*end < saved->count);
    at = *end;
    (void)forged_number(saved, at, end);
    if (nth == 0) return at;
  }
}

uint64_t forged_nth(const test_saved *saved, size_t nth) {
  size_t end;
  return forged_number(saved, forged_place(saved, nth, &end), &end);
}

void forged_set(test_saved *saved, size_t nth, uint64_t number) {
  size_t end, at = forged_place(saved, nth, &end);
  test_saved made = forged_with(saved, at, end, number);
  free(saved->bytes);
  *saved = made;
}
