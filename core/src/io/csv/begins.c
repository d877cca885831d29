/* What a text is, by its first record. */
#include "io/csv/begins.h"

#include "io/csv/reader.h"

#include <string.h>

/* Passes one field of the first line. */
static csv_field pass_field(const char **at, const char *end) {
  while (*at < end && **at == ' ') ++*at;
  bool quoted = *at < end && **at == '"';
  const char *begin = *at += quoted;
  while (*at < end && (quoted ? **at != '"' || (++*at < end && **at == '"') : !strchr(",\r\n", **at))) ++*at;
  const char *last = *at - (quoted && *at > begin && (*at)[-1] == '"');
  while (last > begin && last[-1] == ' ') last--;
  while (*at < end && !strchr(",\r\n", **at)) ++*at;
  if (*at < end && **at == ',') ++*at;
  return (csv_field){.text = begin, .length = (size_t)(last - begin)};
}

static bool is_one_of(const csv_field *field, const char *const *words, size_t count) {
  size_t k = 0;
  while (k < count && !asci_csv_is_word(field, words[k])) k++;
  return k < count;
}

bool asci_csv_begins_with(const char *text, size_t bytes, const char *const *words, size_t count) {
  csv_scan scan;
  asci_scan_begin(&scan, NULL, text, bytes);
  const char *at = scan.at;
  csv_field field = pass_field(&at, scan.end);
  if (!is_one_of(&field, words, count)) return false;
  bool named[CSV_OTHER + 1] = {false};
  int64_t number;
  while (at < scan.end && !strchr("\r\n", *at)) {
    field = pass_field(&at, scan.end);
    /* no column's name: a tensor may have the names of columns for its own */
    if (asci_csv_whole(field.text, field.length, &number) == CSV_WHOLE) return true;
    named[asci_csv_role(&field)] = true;
  }
  return !named[CSV_LOWER] || !named[CSV_UPPER] || !named[CSV_SIZE];
}
