/* Which column is what: by the names of a header, by the names that other tools give them, or without any. */
#include "base/format.h"
#include "io/csv_reader.h"

#include <string.h>

typedef struct csv_name {
  const char *name;
  csv_role role;
} csv_name;

static const csv_name known[] = {
    {"id", CSV_ID},       {"buffer", CSV_ID},           {"buffer_id", CSV_ID}, {"lower", CSV_LOWER},
    {"start", CSV_LOWER}, {"begin", CSV_LOWER},         {"upper", CSV_UPPER},  {"end", CSV_UPPER},
    {"size", CSV_SIZE},   {"alignment", CSV_ALIGNMENT}, {"bank", CSV_BANK},    {"hint", CSV_HINT},
    {"gaps", CSV_GAPS},   {"pool", CSV_POOL},           {"shape", CSV_SHAPE},  {"offset", CSV_OFFSET},
};

/* Names of other tools, without capitals, blanks, "_" and "-". They count only where no column has one of the names above, so that such a column
   beside them stays what it was: one of the file's own. Those of the end in the second list are inclusive, as "end" is. */
static const csv_name synonyms[] = {
    {"name", CSV_ID},         {"tensor", CSV_ID},       {"tensorname", CSV_ID},   {"tensorid", CSV_ID},
    {"buffername", CSV_ID},   {"firstuse", CSV_LOWER},  {"firstused", CSV_LOWER}, {"first", CSV_LOWER},
    {"starttime", CSV_LOWER}, {"begintime", CSV_LOWER}, {"alloc", CSV_LOWER},     {"alloctime", CSV_LOWER},
    {"lastuse", CSV_UPPER},   {"lastused", CSV_UPPER},  {"last", CSV_UPPER},      {"endtime", CSV_UPPER},
    {"stop", CSV_UPPER},      {"free", CSV_UPPER},      {"freetime", CSV_UPPER},  {"bytes", CSV_SIZE},
    {"length", CSV_SIZE},     {"nbytes", CSV_SIZE},     {"sizebytes", CSV_SIZE},  {"sizeinbytes", CSV_SIZE},
    {"bytesize", CSV_SIZE},
};
static const char *const inclusive[] = {"end", "lastuse", "lastused", "last", "endtime"};

static char small(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* loose: what parts words does not count. */
static bool same_word(const csv_field *field, const char *word, bool loose) {
  for (size_t i = 0; i < field->length; i++) {
    if (loose && field->text[i] && strchr(" _-", field->text[i])) continue;
    if (!*word || small(field->text[i]) != *word++) return false;
  }
  return !*word;
}

static csv_role find_name(const csv_field *field, const csv_name *names, size_t count, bool loose) {
  for (size_t k = 0; k < count; k++)
    if (same_word(field, names[k].name, loose)) return names[k].role;
  return CSV_OTHER;
}

static csv_role known_role(const csv_field *field) {
  return find_name(field, known, sizeof known / sizeof *known, false);
}

static csv_role synonym_role(const csv_field *field) {
  return find_name(field, synonyms, sizeof synonyms / sizeof *synonyms, true);
}

csv_role asci_csv_role(const csv_field *field) {
  csv_role role = known_role(field);
  return role == CSV_OTHER ? synonym_role(field) : role;
}

csv_role asci_csv_role_named(const char *name) {
  csv_role role = known_role(&(csv_field){.text = name, .length = strlen(name)});
  return role == CSV_OTHER ? CSV_ID : role;
}

asc_status asci_csv_keep(asc_csv *csv, const csv_field *field) {
  if (!asci_grow(csv->context, &csv->extra_at, &csv->extra_at_room, csv->extra_entries + 1, sizeof *csv->extra_at) ||
      !asci_grow(csv->context, &csv->extra_text, &csv->extra_room, csv->extra_bytes + field->length + 1, 1))
    return ASC_OUT_OF_MEMORY;
  csv->extra_at[csv->extra_entries++] = csv->extra_bytes;
  memcpy(csv->extra_text + csv->extra_bytes, field->text, field->length);
  csv->extra_bytes += field->length;
  csv->extra_text[csv->extra_bytes++] = 0;
  return ASC_OK;
}

/* ---- a header -------------------------------------------------------------------------------------------------------- */

static bool ends_inclusive(const csv_field *field) {
  for (size_t k = 0; k < sizeof inclusive / sizeof *inclusive; k++)
    if (same_word(field, inclusive[k], true)) return true;
  return false;
}

/* Takes the synonyms of roles that no column has by name; of several the first. */
static void take_synonyms(csv_reader *reader, const csv_field *names) {
  bool named[CSV_OTHER] = {false};
  for (size_t k = 0; k < reader->column_count; k++)
    if (reader->columns[k].role != CSV_OTHER) named[reader->columns[k].role] = true;
  for (size_t k = 0; k < reader->column_count; k++) {
    csv_role role = names[k].flaw ? CSV_OTHER : synonym_role(&names[k]);
    if (reader->columns[k].role != CSV_OTHER || role == CSV_OTHER || named[role]) continue;
    reader->columns[k].role = role;
    reader->synonyms |= 1U << role;
    named[role] = true;
  }
}

/* Gives the column its place and keeps the name of one that is written back. */
static asc_status enter_column(csv_reader *reader, size_t index, const csv_field *field) {
  csv_column *column = &reader->columns[index];
  if (field->flaw) {
    asci_csv_report(&reader->report, ASC_BAD_INPUT, field, "header", "%s", asci_csv_flaw(field->flaw));
    return ASC_OK;
  }
  if (column->role == CSV_SHAPE && reader->column_of[CSV_SHAPE] != CSV_NO_COLUMN) column->role = CSV_OTHER;
  if (column->role == CSV_SHAPE) {
    reader->column_of[CSV_SHAPE] = index;
    reader->csv->shape_extra = reader->csv->extra_count;
  }
  if (column->role == CSV_OTHER || column->role == CSV_SHAPE) {
    reader->csv->extra_count++;
    return asci_csv_keep(reader->csv, field);
  }
  if (column->role == CSV_UPPER)
    reader->addend = reader->end == ASC_END_BY_NAME ? ends_inclusive(field) : reader->end == ASC_END_INCLUSIVE;
  size_t *place = &reader->column_of[column->role];
  if (*place == CSV_NO_COLUMN)
    *place = index;
  else
    asci_csv_report(&reader->report, ASC_BAD_INPUT, field, column->name, "says the same as column %s, expected one of them",
                    reader->columns[*place].name);
  return ASC_OK;
}

static void check_columns(csv_reader *reader) {
  static const char *const needed[] = {[CSV_ID] = "id", [CSV_LOWER] = "lower", [CSV_UPPER] = "upper", [CSV_SIZE] = "size"};
  static const char *const names[] = {[CSV_ID] = "id, buffer or buffer_id",
                                      [CSV_LOWER] = "lower, start or begin",
                                      [CSV_UPPER] = "upper or end",
                                      [CSV_SIZE] = "size"};
  size_t missing = 0;
  for (size_t role = CSV_ID; role <= CSV_SIZE; role++) missing += reader->column_of[role] == CSV_NO_COLUMN;
  if (missing == 4) {
    asci_csv_report(&reader->report, ASC_BAD_INPUT, NULL, "header",
                    "names no known column, expected id, lower, upper and size");
    return;
  }
  for (size_t role = CSV_ID; role <= CSV_SIZE; role++)
    if (reader->column_of[role] == CSV_NO_COLUMN)
      asci_csv_report(&reader->report, ASC_BAD_INPUT, NULL, needed[role], "is missing, expected a column %s", names[role]);
}

/* names: of the columns, as a header gives them. */
static asc_status read_header(csv_reader *reader, const csv_field *names, size_t count) {
  reader->column_count = count;
  reader->columns = asci_calloc(reader->csv->context, count, sizeof *reader->columns);
  if (!reader->columns) return ASC_OUT_OF_MEMORY;
  for (size_t k = 0; k < count; k++) {
    csv_column *column = &reader->columns[k];
    size_t shown = names[k].length < sizeof column->name ? names[k].length : sizeof column->name - 1;
    memcpy(column->name, names[k].text, shown);
    column->role = names[k].flaw ? CSV_OTHER : known_role(&names[k]);
  }
  take_synonyms(reader, names);
  for (size_t k = 0; k < count; k++) {
    asc_status status = enter_column(reader, k, &names[k]);
    if (status) return status;
  }
  if (names[0].flaw < CSV_FLAW_JSON) check_columns(reader);
  return ASC_OK;
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

/* Looks at rows ahead, from the one that the scan has. */
static asc_status look_ahead(const csv_reader *reader, csv_fits *fits) {
  enum { MOST = 4096 };
  int64_t value[3];
  if (read_three(&reader->scan, value)) look_at(fits, value);
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
  asc_status status = read_header(reader, names, count);
  asci_free(reader->context, names);
  return status;
}

static asc_status guess_columns(csv_reader *reader) {
  csv_fits fits = {.first = true, .last = true};
  asc_status status = look_ahead(reader, &fits);
  if (status) return status;
  bool sizes_first = !fits.first && fits.last;
  reader->guessed = true;
  if (reader->end == ASC_END_BY_NAME && (sizes_first ? fits.last_empty : fits.first && fits.first_empty))
    reader->end = ASC_END_INCLUSIVE;
  return read_names(reader, sizes_first ? "id,size,lower,upper" : "id,lower,upper,size");
}

asc_status asci_csv_find_columns(csv_reader *reader, bool *row) {
  const csv_scan *scan = &reader->scan;
  int64_t value[3];
  bool named = false;
  for (size_t role = 0; role < CSV_OTHER; role++) reader->column_of[role] = CSV_NO_COLUMN;
  for (size_t k = 0; k < scan->count; k++) named |= asci_csv_role(&scan->fields[k]) != CSV_OTHER;
  *row = reader->told || (!named && read_three(scan, value));
  if (reader->told) return read_names(reader, reader->told);
  return *row ? guess_columns(reader) : read_header(reader, scan->fields, scan->count);
}
