#include "io/csv_value.h"

#include "base/format.h"
#include "base/sort.h"

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
  const char *at = text, *end = text + length;
  int64_t read = 0;
  csv_number kind = read_number(&at, end, &read);
  if (kind == CSV_NOT_WHOLE || at != end) return CSV_NOT_WHOLE;
  if (kind == CSV_WHOLE) *value = read;
  return kind;
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
  if (window && (gap->window_lower < 0 || gap->window_lower >= gap->window_upper || gap->window_upper > spec->size))
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
  if (status || error->expected || !gaps->count) return status;
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
