/* Values in the cells of a buffer CSV, and how messages cite them. */
#ifndef ASCI_IO_CSV_VALUE_H
#define ASCI_IO_CSV_VALUE_H

#include "base/memory.h"

typedef enum csv_number {
  CSV_WHOLE,
  CSV_NOT_WHOLE,
  CSV_TOO_BIG, /* a whole number beyond -ASC_MAX_BYTES .. ASC_MAX_BYTES */
} csv_number;

enum { CSV_SAFE_DIGITS = 15 }; /* a number of that many is below ASC_MAX_BYTES */

/* What nearly every cell is: digits alone, at most that many of them. */
static inline bool asci_csv_digits(const char *text, size_t length, int64_t *value) {
  int64_t sum = 0;
  if (length - 1 >= CSV_SAFE_DIGITS) return false;
  for (size_t k = 0; k < length; k++) {
    unsigned digit = (unsigned char)text[k] - (unsigned)'0';
    if (digit > 9) return false;
    sum = sum * 10 + digit;
  }
  *value = sum;
  return true;
}

/* Decimal digits with perhaps a sign; value is written for CSV_WHOLE only. O(length). */
csv_number asci_csv_whole(const char *text, size_t length, int64_t *value);

/* The same, or hexadecimal (0x1f); with `units` also with a unit behind it: B, KiB, MiB, GiB, TiB, and KB, MB, GB, TB, which are powers of ten. With
   one it may have up to nine decimals, if that comes to whole bytes. O(length). */
csv_number asci_csv_amount(const char *text, size_t length, bool units, int64_t *value);

/* Room for a cited text. */
#define CSV_CITE 64

/* A text as messages show it: between curly quotes, control bytes as "?", cut between characters to what fits. Returns out. */
const char *asci_csv_cite(char out[CSV_CITE], const char *text, size_t length);
/* A whole number, however long, with commas between the thousands, cut after 30 digits. Returns out. */
const char *asci_csv_commas(char out[CSV_CITE], const char *digits, size_t length);

/* The next id of a list, up to one of the stops, without a NUL; a backslash takes the character behind it as it is. What is too long is cut: nobody has
   that name. Returns its length. */
size_t asci_csv_next_id(const char **at, const char *end, const char *stops, char id[257]);

/* One item of a gaps cell. */
typedef struct csv_gap {
  asc_gap gap;
  const char *text;
  size_t length;
} csv_gap;

typedef struct csv_gaps {
  csv_gap *items;
  size_t count, room;
  asc_gap *sorted; /* the items in order of time */
  size_t sorted_room;
  asc_rect *shape; /* the same of a shape, in order of time, then of address */
  size_t shape_room;
} csv_gaps;

/* What was wrong with a gaps cell: the item and what was expected instead; expected is NULL if nothing was. */
typedef struct csv_gap_error {
  const char *text;
  size_t length;
  const char *expected;
} csv_gap_error;

/* Reads "l-u" and "l-u@wl:wu" items separated by blanks, adds `addend` to each u, checks them against the buffer's lifespan and size,
   and sorts them. O(length + g log g). Errors: OUT_OF_MEMORY. */
asc_status asci_csv_gaps(asc_context *context, csv_gaps *gaps, const char *text, size_t length, int64_t addend,
                         const asc_buffer_spec *spec, csv_gap_error *error);
/* Reads "l-u@wl:wu" items, the rectangles of a shape, likewise, of a text that has one item at least; gaps->shape has them. Whether they are apart asc_problem_add says. */
asc_status asci_csv_shape(asc_context *context, csv_gaps *gaps, const char *text, size_t length, int64_t addend,
                          const asc_buffer_spec *spec, csv_gap_error *error);
void asci_csv_gaps_free(asc_context *context, csv_gaps *gaps);

#endif
