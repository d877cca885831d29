/* Columns under the names that other tools give them, or without a header. */
#include "io/csv/foreign.h"

#include <string.h>

/* Names of other tools, without capitals, blanks, "_", "-" and brackets. They count only where no column has one of the names above, so that such a column
   beside them stays what it was: one of the file's own. Those of the end in the second list are inclusive, as "end" is. */
static const struct {
  const char *name;
  csv_role role;
} synonyms[] = {
    {"name", CSV_ID},         {"tensor", CSV_ID},       {"tensorname", CSV_ID},   {"tensorid", CSV_ID},
    {"buffername", CSV_ID},   {"firstuse", CSV_LOWER},  {"firstused", CSV_LOWER}, {"first", CSV_LOWER},
    {"starttime", CSV_LOWER}, {"begintime", CSV_LOWER}, {"alloc", CSV_LOWER},     {"alloctime", CSV_LOWER},
    {"lastuse", CSV_UPPER},   {"lastused", CSV_UPPER},  {"last", CSV_UPPER},      {"endtime", CSV_UPPER},
    {"stop", CSV_UPPER},      {"free", CSV_UPPER},      {"freetime", CSV_UPPER},  {"bytes", CSV_SIZE},
    {"length", CSV_SIZE},     {"nbytes", CSV_SIZE},     {"sizebytes", CSV_SIZE},  {"sizeinbytes", CSV_SIZE},
    {"bytesize", CSV_SIZE},   {"sizeb", CSV_SIZE},      {"align", CSV_ALIGNMENT}, {"alignbytes", CSV_ALIGNMENT},
};
static const char *const inclusive[] = {"lastuse", "lastused", "last", "endtime"};

csv_role asci_csv_synonym(const csv_field *field) {
  for (size_t k = 0; k < sizeof synonyms / sizeof *synonyms; k++)
    if (asci_csv_same_word(field, synonyms[k].name, true)) return synonyms[k].role;
  return CSV_OTHER;
}

bool asci_csv_ends_inclusive(const csv_field *field) {
  for (size_t k = 0; k < sizeof inclusive / sizeof *inclusive; k++)
    if (asci_csv_same_word(field, inclusive[k], true)) return true;
  return false;
}

/* ---- no header ------------------------------------------------------------------------------------------------------- */

static bool read_three(const csv_scan *scan, int64_t value[3]) {
  if (scan->count != 4 || scan->json) return false;
  for (size_t k = 0; k < 3; k++) {
    const csv_field *field = &scan->fields[k + 1];
    if (field->flaw || asci_csv_amount(field->text, field->length, true, &value[k]) != CSV_WHOLE) return false;
  }
  return true;
}

/* What the rows allow: times in the first or the last two of three numbers, and whether some lifespan there would be empty. */
typedef struct csv_fits {
  bool first, last, first_empty, last_empty;
} csv_fits;

static void look_at(csv_fits *fits, const int64_t value[3]) {
  fits->first &= value[0] <= value[1];
  fits->last &= value[1] <= value[2];
  fits->first_empty |= value[0] == value[1];
  fits->last_empty |= value[1] == value[2];
}

/* Looks at rows behind the one that the scan has. */
static asc_status look_ahead(const csv_reader *reader, csv_fits *fits) {
  enum { MOST = 4096 };
  int64_t value[3];
  csv_scan ahead;
  asci_scan_begin(&ahead, reader->scan.context, reader->scan.at, (size_t)(reader->scan.end - reader->scan.at));
  ahead.separator = reader->scan.separator;
  bool more = true;
  asc_status status = asci_scan_row(&ahead, &more);
  for (size_t k = 0; k < MOST && !status && more; k++) {
    if (read_three(&ahead, value)) look_at(fits, value);
    status = asci_scan_row(&ahead, &more);
  }
  asci_scan_end(&ahead);
  return status;
}

/* Splits the columns that were told, or assumed, at commas. */
static asc_status read_names(csv_reader *reader, const char *list) {
  size_t count = 1;
  for (const char *p = list; *p; p++) count += *p == ',';
  csv_field *names = asci_calloc(reader->context, count, sizeof *names);
  if (!names) return ASC_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++) {
    list += strspn(list, " ");
    size_t length = strcspn(list, ","), shown = length;
    while (shown && list[shown - 1] == ' ') shown--;
    names[k] = (csv_field){.text = list, .length = shown, .line = reader->report.line, .column = 1};
    list += length + (list[length] == ',');
  }
  asc_status status = asci_csv_read_header(reader, names, count);
  asci_free(reader->context, names);
  return status;
}

/* first: the numbers of the row that the scan has. */
static asc_status guess_columns(csv_reader *reader, const int64_t first[3]) {
  csv_fits fits = {.first = true, .last = true};
  look_at(&fits, first);
  asc_status status = look_ahead(reader, &fits);
  if (status) return status;
  bool sizes_first = !fits.first && fits.last;
  reader->guessed = true;
  if (reader->end == ASC_END_BY_NAME && (sizes_first ? fits.last_empty : fits.first && fits.first_empty))
    reader->end = ASC_END_INCLUSIVE;
  return read_names(reader, sizes_first ? "id,size,lower,upper" : "id,lower,upper,size");
}

asc_status asci_csv_columns_without_header(csv_reader *reader, bool *row) {
  const csv_scan *scan = &reader->scan;
  int64_t value[3];
  bool named = false;
  for (size_t k = 0; k < scan->count; k++) named |= asci_csv_role(&scan->fields[k]) != CSV_OTHER;
  *row = reader->told || (!named && read_three(scan, value));
  if (reader->told) return read_names(reader, reader->told);
  return *row ? guess_columns(reader, value) : ASC_OK;
}
