#include "io/csv/value.h"

#include "base/sort.h"
#include "base/text/format.h"

#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Reads a number at *at and moves behind it. Saturates a little above ASC_MAX_BYTES, so that the sum never overflows. */
static csv_number read_number(const char **at, const char *end, int64_t *value) {
  const char *p = *at;
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  if (p == end || !is_digit(*p)) return CSV_NOT_WHOLE;
  int64_t sum = 0;
  for (; p < end && is_digit(*p); p++)
    if (sum <= ASC_MAX_BYTES) sum = sum * 10 + (*p - '0');
  *at = p;
  if (sum > ASC_MAX_BYTES) return CSV_TOO_BIG;
  *value = negative ? -sum : sum;
  return CSV_WHOLE;
}

csv_number asci_csv_whole(const char *text, size_t length, int64_t *value) {
  if (asci_csv_digits(text, length, value)) return CSV_WHOLE;
  const char *at = text, *end = text + length;
  int64_t read = 0;
  csv_number kind = read_number(&at, end, &read);
  if (kind == CSV_NOT_WHOLE || at != end) return CSV_NOT_WHOLE;
  if (kind == CSV_WHOLE) *value = read;
  return kind;
}

/* ---- hexadecimal numbers and units ------------------------------------------------------------------------------------ */

static int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What is behind "0x": a character at least. */
static csv_number read_hex(const char *at, const char *end, int64_t *value) {
  int64_t sum = 0;
  for (; at < end; at++) {
    int digit = hex_digit(*at);
    if (digit < 0) return CSV_NOT_WHOLE;
    if (sum <= ASC_MAX_BYTES) sum = sum * 16 + digit;
  }
  if (sum > ASC_MAX_BYTES) return CSV_TOO_BIG;
  *value = sum;
  return CSV_WHOLE;
}

/* Bytes of the unit that the text is, 0 if it is none. */
static int64_t unit_of(const char *text, size_t length) {
  static const struct {
    const char *name;
    int64_t bytes;
  } units[] = {{"b", 1},
               {"kib", INT64_C(1) << 10},
               {"mib", INT64_C(1) << 20},
               {"gib", INT64_C(1) << 30},
               {"tib", INT64_C(1) << 40},
               {"kb", 1000},
               {"mb", 1000000},
               {"gb", 1000000000},
               {"tb", INT64_C(1000000000000)}};
  for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
    size_t i = 0;
    while (i < length && (text[i] | 0x20) == units[k].name[i]) i++;
    if (i == length && !units[k].name[i]) return units[k].bytes;
  }
  return 0;
}

/* Digits, perhaps a point and decimals, and a unit. Digits alone were read before: something is behind them. */
static csv_number read_with_unit(const char *at, const char *end, int64_t *value) {
  enum { MOST_DECIMALS = 9 };
  int64_t whole = 0, decimals = 0, scale = 1;
  csv_number kind = read_number(&at, end, &whole);
  if (kind == CSV_NOT_WHOLE || whole < 0) return CSV_NOT_WHOLE;
  if (*at == '.')
    for (at++; at < end && is_digit(*at) && scale < INT64_C(1000000000); at++) {
      decimals = decimals * 10 + (*at - '0');
      scale *= 10;
    }
  while (at < end && *at == ' ') at++;
  int64_t unit = unit_of(at, (size_t)(end - at));
  if (!unit) return CSV_NOT_WHOLE;
  while (scale > 1 && decimals % 10 == 0) decimals /= 10, scale /= 10;
  /* decimals x unit may be more than fits: what they share goes first */
  int64_t part = unit;
  for (int64_t k = 0; k < MOST_DECIMALS && scale % 2 == 0 && part % 2 == 0; k++) part /= 2, scale /= 2;
  for (int64_t k = 0; k < MOST_DECIMALS && scale % 5 == 0 && part % 5 == 0; k++) part /= 5, scale /= 5;
  if (decimals % scale) return CSV_NOT_WHOLE;
  if (kind == CSV_TOO_BIG || whole > ASC_MAX_BYTES / unit) return CSV_TOO_BIG;
  int64_t sum = whole * unit + decimals / scale * part;
  if (sum > ASC_MAX_BYTES) return CSV_TOO_BIG;
  *value = sum;
  return CSV_WHOLE;
}

/* A whole number as those write it who keep all numbers as floating point: 1024.0. */
static csv_number read_with_zeros(const char *at, const char *end, int64_t *value) {
  int64_t whole = 0;
  csv_number kind = read_number(&at, end, &whole);
  if (kind == CSV_NOT_WHOLE || end - at < 2 || *at++ != '.') return CSV_NOT_WHOLE;
  while (at < end && *at == '0') at++;
  if (at < end) return CSV_NOT_WHOLE;
  if (kind == CSV_WHOLE) *value = whole;
  return kind;
}

csv_number asci_csv_amount(const char *text, size_t length, bool units, int64_t *value) {
  csv_number kind = asci_csv_whole(text, length, value);
  if (kind != CSV_NOT_WHOLE) return kind;
  const char *end = text + length;
  if (length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') return read_hex(text + 2, end, value);
  kind = read_with_zeros(text, end, value);
  return units && kind == CSV_NOT_WHOLE ? read_with_unit(text, end, value) : kind;
}

size_t asci_csv_next_id(const char **at, const char *end, const char *stops, char id[257]) {
  size_t length = 0;
  for (; *at < end && !strchr(stops, **at); ++*at) {
    if (**at == '\\' && *at + 1 < end) ++*at;
    if (length < 257) id[length++] = **at;
  }
  return length;
}

const char *asci_csv_cite(char out[CSV_CITE], const char *text, size_t length) {
  static const char open[] = "\xe2\x80\x9c", close[] = "\xe2\x80\x9d", more[] = "\xe2\x80\xa6";
  size_t limit = CSV_CITE - (sizeof open + sizeof close + sizeof more);
  bool cut = length > limit;
  if (cut) {
    length = limit;
    while (length > limit - 4 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
  }
  char *at = out;
  memcpy(at, open, sizeof open - 1);
  at += sizeof open - 1;
  for (size_t i = 0; i < length; i++) *at++ = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i];
  asci_format(at, sizeof more + sizeof close, "%s%s", cut ? more : "", close);
  return out;
}

const char *asci_csv_commas(char out[CSV_CITE], const char *digits, size_t length) {
  size_t used = 0;
  if (length && (*digits == '-' || *digits == '+')) {
    if (*digits == '-') out[used++] = '-';
    digits++;
    length--;
  }
  while (length > 1 && *digits == '0') digits++, length--;
  size_t shown = length > 30 ? 30 : length;
  for (size_t i = 0; i < shown; i++) {
    if (i && (length - i) % 3 == 0) out[used++] = ',';
    out[used++] = digits[i];
  }
  asci_format(out + used, CSV_CITE - used, "%s", shown < length ? "\xe2\x80\xa6" : "");
  return out;
}

/* ---- gaps ------------------------------------------------------------------------------------------------------------ */

/* Passes the number and the character before it ('\0': none). */
static bool read_part(const char **at, const char *end, char before, int64_t *value) {
  if (before) {
    if (*at == end || **at != before) return false;
    ++*at;
  }
  return read_number(at, end, value) == CSV_WHOLE;
}

static bool read_item(const char *text, const char *end, asc_gap *gap) {
  const char *at = text;
  *gap = (asc_gap){0};
  if (!read_part(&at, end, 0, &gap->lower) || !read_part(&at, end, '-', &gap->upper)) return false;
  if (at == end) return true;
  return read_part(&at, end, '@', &gap->window_lower) && read_part(&at, end, ':', &gap->window_upper) && at == end;
}

/* A gap, or with `shape` a rectangle, which is nothing without its window. */
static const char *check_item(const asc_gap *gap, const asc_buffer_spec *spec, bool shape) {
  if (gap->lower >= gap->upper) return shape ? "a rectangle that begins before it ends" : "a gap that begins before it ends";
  if (gap->lower < spec->lower || gap->upper > spec->upper)
    return shape ? "a rectangle inside the lifespan" : "a gap inside the lifespan";
  bool window = shape || gap->window_lower != 0 || gap->window_upper != 0;
  if (window && (gap->window_lower >= gap->window_upper || gap->window_upper > spec->size))
    return shape ? "addresses in order, inside the size" : "a window that begins before it ends, inside the size";
  return NULL;
}

static bool starts_lower(const void *keys, uint32_t a, uint32_t b) {
  const csv_gap *items = keys;
  if (items[a].gap.lower != items[b].gap.lower) return items[a].gap.lower < items[b].gap.lower;
  return items[a].gap.window_lower < items[b].gap.window_lower;
}

static bool starts_earlier(const void *keys, uint32_t a, uint32_t b) {
  const csv_gap *items = keys;
  return items[a].gap.lower < items[b].gap.lower;
}

/* The order of the items, or NULL. To be freed. */
static uint32_t *order_items(asc_context *context, const csv_gaps *gaps, asci_before before) {
  uint32_t count = (uint32_t)gaps->count;
  uint32_t *order = asci_alloc(context, count, sizeof *order), *scratch = asci_alloc(context, count, sizeof *scratch);
  bool made = order && scratch;
  for (uint32_t g = 0; made && g < count; g++) order[g] = g;
  if (made) asci_sort(order, scratch, count, before, gaps->items);
  asci_free(context, scratch);
  if (made) return order;
  asci_free(context, order);
  return NULL;
}

/* Fills gaps->sorted; the first item that begins before its predecessor ends is the error. */
static asc_status sort_items(asc_context *context, csv_gaps *gaps, csv_gap_error *error) {
  if (!asci_grow(context, &gaps->sorted, &gaps->sorted_room, gaps->count, sizeof *gaps->sorted)) return ASC_OUT_OF_MEMORY;
  uint32_t *order = order_items(context, gaps, starts_earlier);
  if (!order) return ASC_OUT_OF_MEMORY;
  for (size_t g = 0; g < gaps->count; g++) {
    const csv_gap *item = &gaps->items[order[g]];
    gaps->sorted[g] = item->gap;
    if (g && item->gap.lower < gaps->sorted[g - 1].upper && !error->expected)
      *error = (csv_gap_error){item->text, item->length, "gaps that do not overlap"};
  }
  asci_free(context, order);
  return ASC_OK;
}

/* Splits the cell at blanks and reads what is between; the first item that is wrong is the error. */
static asc_status read_items(asc_context *context, csv_gaps *gaps, const char *text, size_t length, int64_t addend,
                             const asc_buffer_spec *spec, bool shape, csv_gap_error *error) {
  const char *at = text, *end = text + length;
  *error = (csv_gap_error){0};
  gaps->count = 0;
  for (;;) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (at == end) return ASC_OK;
    const char *item = at;
    while (at < end && *at != ' ' && *at != '\t') at++;
    if (!asci_grow(context, &gaps->items, &gaps->room, gaps->count + 1, sizeof *gaps->items)) return ASC_OUT_OF_MEMORY;
    csv_gap *read = &gaps->items[gaps->count++];
    *read = (csv_gap){.text = item, .length = (size_t)(at - item)};
    const char *expected = shape ? "rectangles like 4-7@0:64" : "gaps like 4-7 or 4-7@0:64";
    bool whole = read_item(item, at, &read->gap) && (!shape || memchr(item, '@', read->length));
    if (whole) {
      read->gap.upper += addend;
      expected = check_item(&read->gap, spec, shape);
    }
    if (!expected) continue;
    *error = (csv_gap_error){item, read->length, expected};
    return ASC_OK;
  }
}

asc_status asci_csv_gaps(asc_context *context, csv_gaps *gaps, const char *text, size_t length, int64_t addend,
                         const asc_buffer_spec *spec, csv_gap_error *error) {
  asc_status status = read_items(context, gaps, text, length, addend, spec, false, error);
  return status || error->expected || !gaps->count ? status : sort_items(context, gaps, error);
}

asc_status asci_csv_shape(asc_context *context, csv_gaps *gaps, const char *text, size_t length, int64_t addend,
                          const asc_buffer_spec *spec, csv_gap_error *error) {
  asc_status status = read_items(context, gaps, text, length, addend, spec, true, error);
  if (status || error->expected) return status;
  if (!asci_grow(context, &gaps->shape, &gaps->shape_room, gaps->count, sizeof *gaps->shape)) return ASC_OUT_OF_MEMORY;
  uint32_t *order = order_items(context, gaps, starts_lower);
  if (!order) return ASC_OUT_OF_MEMORY;
  for (size_t r = 0; r < gaps->count; r++) {
    const asc_gap *item = &gaps->items[order[r]].gap;
    gaps->shape[r] = (asc_rect){item->lower, item->upper, item->window_lower, item->window_upper};
  }
  asci_free(context, order);
  return ASC_OK;
}

void asci_csv_gaps_free(asc_context *context, csv_gaps *gaps) {
  asci_free(context, gaps->items);
  asci_free(context, gaps->sorted);
  asci_free(context, gaps->shape);
}
