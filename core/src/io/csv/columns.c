/* Which column is what, by the names of a header. */
#include "base/text/format.h"
#include "io/csv/foreign.h"

#include <string.h>

static const struct {
  const char *name;
  csv_role role;
} known[] = {
    {"id", CSV_ID},       {"buffer", CSV_ID},           {"buffer_id", CSV_ID}, {"lower", CSV_LOWER},
    {"start", CSV_LOWER}, {"begin", CSV_LOWER},         {"upper", CSV_UPPER},  {"end", CSV_UPPER},
    {"size", CSV_SIZE},   {"alignment", CSV_ALIGNMENT}, {"bank", CSV_BANK},    {"hint", CSV_HINT},
    {"gaps", CSV_GAPS},   {"pool", CSV_POOL},           {"shape", CSV_SHAPE},  {"offset", CSV_OFFSET},
};

static char small(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* loose: what parts words does not count. */
bool asci_csv_same_word(const csv_field *field, const char *word, bool loose) {
  for (size_t i = 0; i < field->length; i++) {
    if (loose && field->text[i] && strchr(" _-()[]", field->text[i])) continue;
    if (!*word || small(field->text[i]) != *word++) return false;
  }
  return !*word;
}

static csv_role known_role(const csv_field *field) {
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (asci_csv_same_word(field, known[k].name, false)) return known[k].role;
  return CSV_OTHER;
}

static csv_role synonym_role(const csv_field *field) {
  return asci_csv_foreign.synonym(field);
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
  return asci_csv_same_word(field, "end", false) || asci_csv_foreign.inclusive(field);
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

asc_status asci_csv_read_header(csv_reader *reader, const csv_field *names, size_t count) {
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

asc_status asci_csv_find_columns(csv_reader *reader, bool *row) {
  *row = false;
  for (size_t role = 0; role < CSV_OTHER; role++) reader->column_of[role] = CSV_NO_COLUMN;
  asc_status status = asci_csv_foreign.columns_without_header(reader, row);
  return status || *row ? status : asci_csv_read_header(reader, reader->scan.fields, reader->scan.count);
}
