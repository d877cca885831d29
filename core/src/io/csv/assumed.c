/* What a buffer CSV leaves open: how a person, or a comment above the header, says it is meant, and the sentence of what was assumed. */
#include "base/text/format.h"
#include "io/csv/foreign.h"

#include <string.h>

asc_status asc_csv_reading_assume(asc_csv_reading *reading, asc_csv_end end, const char *columns) {
  if (!reading || reading->begun || end > ASC_END_EXCLUSIVE || (columns && !*columns)) return ASC_BAD_ARGUMENT;
  if (end != ASC_END_BY_NAME) reading->end = end;
  if (!columns) return ASC_OK;
  size_t bytes = strlen(columns) + 1;
  asci_free(reading->context, reading->told);
  reading->told = asci_alloc(reading->context, bytes, 1);
  if (!reading->told) return ASC_OUT_OF_MEMORY;
  memcpy(reading->told, columns, bytes);
  return ASC_OK;
}

/* Whether the text begins with the word; then it is passed. */
static bool pass_word(const char **at, const char *end, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0) return false;
  *at += length;
  return true;
}

/* What stands behind "# arenascope:", up to the end of the line. */
static asc_status obey(csv_reader *reader, const char *at, const char *end) {
  asc_csv_end told = reader->end;
  char columns[256];
  size_t length = 0;
  while (at < end) {
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (pass_word(&at, end, "end=inclusive"))
      told = told ? told : ASC_END_INCLUSIVE;
    else if (pass_word(&at, end, "end=exclusive"))
      told = told ? told : ASC_END_EXCLUSIVE;
    else if (pass_word(&at, end, "columns="))
      while (at < end && *at != ' ' && length + 1 < sizeof columns) columns[length++] = *at++;
    while (at < end && *at != ' ' && *at != '\t') at++;
  }
  columns[length] = 0;
  /* a NUL would end the list before it begins */
  return asc_csv_reading_assume(reader, told, columns[0] && !reader->told ? columns : NULL);
}

asc_status asci_csv_read_told(csv_reader *reader) {
  const char *at = reader->text, *end = reader->scan.end;
  asc_status status = ASC_OK;
  (void)pass_word(&at, end, "\xef\xbb\xbf");
  while (at < end && !status) {
    while (at < end && strchr(" \t\r\n", *at) && *at) at++;
    if (at == end || *at != '#') break;
    const char *line = at;
    while (at < end && *at != '\n' && *at != '\r') at++;
    if (pass_word(&line, at, "# arenascope:")) status = obey(reader, line, at);
  }
  return status;
}

/* ---- the sentence ---------------------------------------------------------------------------------------------------- */

static void append(asc_csv *csv, const char *format, ...) {
  size_t used = strlen(csv->convention);
  if (used) used += asci_format(csv->convention + used, sizeof csv->convention - used, "; ");
  va_list arguments;
  va_start(arguments, format);
  asci_format_list(csv->convention + used, sizeof csv->convention - used, format, arguments);
  va_end(arguments);
}

static const char *column_name(const csv_reader *reader, csv_role role) {
  return reader->columns[reader->column_of[role]].name;
}

static void note_names(csv_reader *reader) {
  static const char *const means[] = {
      [CSV_ID] = "id", [CSV_LOWER] = "start", [CSV_UPPER] = "end", [CSV_SIZE] = "size", [CSV_ALIGNMENT] = "alignment"};
  asc_csv *csv = reader->csv;
  if (reader->scan.json) append(csv, "JSON: a buffer for each object");
  if (reader->guessed)
    append(csv, "no header: columns taken as id, %s",
           reader->column_of[CSV_SIZE] == 1 ? "size, start, end" : "start, end, size");
  for (csv_role role = CSV_ID; role <= CSV_ALIGNMENT; role++)
    if (reader->synonyms & 1U << role) append(csv, "column %s taken as %s", column_name(reader, role), means[role]);
}

static void note_end(csv_reader *reader) {
  const char *gaps = reader->column_of[CSV_GAPS] == CSV_NO_COLUMN ? "" : ", also to the ends of gaps";
  const char *name = reader->guessed ? "end" : column_name(reader, CSV_UPPER);
  reader->csv->end = reader->addend ? ASC_END_INCLUSIVE : ASC_END_EXCLUSIVE;
  if (reader->addend)
    append(reader->csv, "column %s: inclusive, 1 was added%s", name, gaps);
  else if (reader->guessed || reader->end == ASC_END_EXCLUSIVE || reader->synonyms & 1U << CSV_UPPER)
    append(reader->csv, "column %s: exclusive", name);
  else
    reader->csv->end = ASC_END_BY_NAME; /* "upper" leaves nothing open */
}

static void note_unknown(csv_reader *reader) {
  asc_csv *csv = reader->csv;
  bool shape = reader->shapes > 0; /* it is known, then */
  size_t unknown = csv->extra_count - shape, first = shape && csv->shape_extra == 0 ? 1 : 0;
  if (!unknown) return;
  append(csv, "%zu unknown column%s kept (\xe2\x80\x9c%.40s\xe2\x80\x9d%s)", unknown, unknown == 1 ? "" : "s",
         csv->extra_text + csv->extra_at[first], unknown == 1 ? "" : ", \xe2\x80\xa6");
}

void asci_csv_note(csv_reader *reader) {
  reader->csv->foreign = reader->scan.json || reader->guessed || reader->told || reader->synonyms || reader->units ||
                         reader->end != ASC_END_BY_NAME;
  note_names(reader);
  note_end(reader);
  if (reader->units) append(reader->csv, "hexadecimal numbers and units were read (1 KiB = 1,024 bytes)");
  if (reader->fixed) append(reader->csv, "column offset: fixes %zu buffer%s", reader->fixed, reader->fixed == 1 ? "" : "s");
  note_unknown(reader);
}
