/* Reads a buffer CSV: header, rows, ids, then one problem or a list of all that is wrong. The format is in README.md. */
#include "base/diag.h"
#include "base/format.h"
#include "base/ids.h"
#include "io/csv.h"
#include "io/csv_pool.h"
#include "io/csv_report.h"
#include "io/csv_scan.h"
#include "io/csv_value.h"

#include <string.h>

typedef enum csv_role {
  CSV_ID,
  CSV_LOWER,
  CSV_UPPER,
  CSV_SIZE, /* up to here a file must have them */
  CSV_ALIGNMENT,
  CSV_BANK,
  CSV_HINT,
  CSV_GAPS,
  CSV_POOL,
  CSV_SHAPE, /* kept as well, for cells that are no shape but a tensor's dimensions */
  CSV_OFFSET,
  CSV_OTHER, /* unknown: kept */
} csv_role;

#define CSV_NO_COLUMN SIZE_MAX

typedef struct csv_column {
  csv_role role;
  char name[24]; /* as the file writes it, for messages */
} csv_column;

typedef struct asc_csv_reading csv_reader;
struct asc_csv_reading {
  asc_context *context;
  const char *begin; /* of the text, behind a byte order mark */
  asc_csv *csv;      /* until it is handed over */
  asc_offset_column mode;
  csv_scan scan;

  csv_report report;

  csv_column *columns;
  size_t column_count;
  size_t column_of[CSV_OTHER];
  int64_t addend; /* 1 if the column of ends is inclusive */

  size_t row_count; /* rows with the right number of fields */
  size_t rows;      /* all of them */
  size_t offset_room;
  size_t fixed;  /* buffers that the file fixes */
  size_t shapes; /* buffers with one */
  asci_ids ids;
  csv_gaps gaps;
  bool begun, more;   /* the header was read; there may be rows */
  asc_status stopped; /* what no further row can mend */
};

static const char *column_name(const csv_reader *reader, csv_role role) {
  return reader->columns[reader->column_of[role]].name;
}

static const csv_field *field_of(const csv_reader *reader, csv_role role) {
  size_t column = reader->column_of[role];
  return column == CSV_NO_COLUMN ? NULL : &reader->scan.fields[column];
}

/* ---- header ---------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  csv_role role;
} known[] = {
    {"id", CSV_ID},       {"buffer", CSV_ID},           {"buffer_id", CSV_ID}, {"lower", CSV_LOWER},
    {"start", CSV_LOWER}, {"begin", CSV_LOWER},         {"upper", CSV_UPPER},  {"end", CSV_UPPER},
    {"size", CSV_SIZE},   {"alignment", CSV_ALIGNMENT}, {"bank", CSV_BANK},    {"hint", CSV_HINT},
    {"gaps", CSV_GAPS},   {"pool", CSV_POOL},           {"shape", CSV_SHAPE},  {"offset", CSV_OFFSET},
};

static bool same_word(const csv_field *field, const char *word) {
  if (strlen(word) != field->length) return false;
  for (size_t i = 0; i < field->length; i++) {
    char c = field->text[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != word[i]) return false;
  }
  return true;
}

/* Appends a value of an unknown column (or its name). */
static asc_status keep(asc_csv *csv, const csv_field *field) {
  if (!asci_grow(csv->context, &csv->extra_at, &csv->extra_at_room, csv->extra_entries + 1, sizeof *csv->extra_at) ||
      !asci_grow(csv->context, &csv->extra_text, &csv->extra_room, csv->extra_bytes + field->length + 1, 1))
    return ASC_OUT_OF_MEMORY;
  csv->extra_at[csv->extra_entries++] = csv->extra_bytes;
  memcpy(csv->extra_text + csv->extra_bytes, field->text, field->length);
  csv->extra_bytes += field->length;
  csv->extra_text[csv->extra_bytes++] = 0;
  return ASC_OK;
}

static asc_status read_column(csv_reader *reader, size_t index) {
  const csv_field *field = &reader->scan.fields[index];
  csv_column *column = &reader->columns[index];
  *column = (csv_column){.role = CSV_OTHER};
  size_t shown = field->length < sizeof column->name ? field->length : sizeof column->name - 1;
  memcpy(column->name, field->text, shown);
  if (field->flaw) {
    asci_csv_report(&reader->report, ASC_BAD_INPUT, field, "header", "%s", asci_csv_flaw(field->flaw));
    return ASC_OK;
  }
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (same_word(field, known[k].name)) column->role = known[k].role;
  if (column->role == CSV_SHAPE && reader->column_of[CSV_SHAPE] != CSV_NO_COLUMN) column->role = CSV_OTHER;
  if (column->role == CSV_SHAPE) {
    reader->column_of[CSV_SHAPE] = index;
    reader->csv->shape_extra = reader->csv->extra_count;
  }
  if (column->role == CSV_OTHER || column->role == CSV_SHAPE) {
    reader->csv->extra_count++;
    return keep(reader->csv, field);
  }
  if (column->role == CSV_UPPER) reader->addend = same_word(field, "end");
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

static asc_status read_header(csv_reader *reader) {
  for (size_t role = 0; role < CSV_OTHER; role++) reader->column_of[role] = CSV_NO_COLUMN;
  reader->column_count = reader->scan.count;
  reader->columns = asci_calloc(reader->csv->context, reader->column_count, sizeof *reader->columns);
  if (!reader->columns) return ASC_OUT_OF_MEMORY;
  for (size_t k = 0; k < reader->column_count; k++) {
    asc_status status = read_column(reader, k);
    if (status) return status;
  }
  check_columns(reader);
  return ASC_OK;
}

/* ---- cells ----------------------------------------------------------------------------------------------------------- */

/* Reads a cell as a whole number in low .. high; the checks that need other cells come later. `empty` is its value when it is empty,
   unless that is INT64_MIN: then it may not be. Returns whether value was written. */
static bool read_cell(csv_reader *reader, csv_role role, int64_t low, int64_t high, int64_t empty, int64_t *value) {
  const csv_field *field = field_of(reader, role);
  if (!field || (field->length == 0 && empty != INT64_MIN)) {
    *value = empty;
    return true;
  }
  return asci_csv_number(&reader->report, field, column_name(reader, role), low, high, value);
}

static asc_status read_id(csv_reader *reader, char id[256]) {
  const csv_field *field = field_of(reader, CSV_ID);
  const char *name = column_name(reader, CSV_ID);
  asci_format(id, 256, "?");
  if (!asci_csv_name(&reader->report, field, name)) return ASC_OK;
  char cited[CSV_CITE];
  memcpy(id, field->text, field->length);
  id[field->length] = 0;
  uint32_t first;
  asc_status status =
      asci_ids_enter(reader->csv->context, &reader->ids, (asci_id){field->text, field->length, reader->report.line}, &first);
  if (!status && first)
    asci_csv_report(&reader->report, ASC_BAD_INPUT, field, name, "%s is already used on line %u",
                    asci_csv_cite(cited, field->text, field->length), first);
  return status;
}

/* Reads the lifespan; true if it is one. An inclusive end is compared as the file gives it, so that the message cites its numbers. */
static bool read_lifespan(csv_reader *reader, asc_buffer_spec *spec) {
  int64_t addend = reader->addend, last = 0;
  bool lower = read_cell(reader, CSV_LOWER, -ASC_MAX_BYTES, ASC_MAX_BYTES, INT64_MIN, &spec->lower);
  bool upper = read_cell(reader, CSV_UPPER, -ASC_MAX_BYTES, ASC_MAX_BYTES - addend, INT64_MIN, &last);
  spec->upper = last + addend;
  if (!lower || !upper) return false;
  if (spec->lower < spec->upper) return true;
  char a[CSV_CITE], b[CSV_CITE];
  asci_csv_report(&reader->report, ASC_BAD_INPUT, field_of(reader, CSV_UPPER), column_name(reader, CSV_UPPER),
                  "is %s, expected %s %s, %s", asci_commas(a, last), addend ? "at least" : "more than",
                  column_name(reader, CSV_LOWER), asci_commas(b, spec->lower));
  return false;
}

static void report_item(csv_reader *reader, csv_role role, const csv_gap_error *error) {
  csv_field item = *field_of(reader, role);
  char cited[CSV_CITE];
  if (!item.quoted) { /* the place in a quoted cell may have moved by doubled quotes */
    item.column += (uint32_t)(error->text - item.text);
    item.raw_length = error->length;
  }
  asci_csv_report(&reader->report, ASC_BAD_INPUT, &item, column_name(reader, role), "has %s, expected %s",
                  asci_csv_cite(cited, error->text, error->length), error->expected);
}

static asc_status read_gaps(csv_reader *reader, asc_buffer_spec *spec) {
  const csv_field *field = field_of(reader, CSV_GAPS);
  if (!field || field->flaw || field->length == 0) return ASC_OK;
  csv_gap_error error;
  asc_status status =
      asci_csv_gaps(reader->csv->context, &reader->gaps, field->text, field->length, reader->addend, spec, &error);
  if (status) return status;
  if (error.expected) {
    report_item(reader, CSV_GAPS, &error);
    return ASC_OK;
  }
  spec->gaps = reader->gaps.sorted;
  spec->gap_count = (uint32_t)reader->gaps.count;
  return ASC_OK;
}

/* Many files name the dimensions of a tensor in a column of this name: without an @ it is no shape of memory. */
static bool holds_shape(const csv_field *field) {
  return field && !field->flaw && field->length && memchr(field->text, '@', field->length);
}

static asc_status read_shape(csv_reader *reader, asc_buffer_spec *spec) {
  const csv_field *field = field_of(reader, CSV_SHAPE);
  if (!holds_shape(field)) return ASC_OK;
  csv_gap_error error;
  asc_status status =
      asci_csv_shape(reader->csv->context, &reader->gaps, field->text, field->length, reader->addend, spec, &error);
  if (status) return status;
  reader->shapes++;
  if (error.expected) {
    report_item(reader, CSV_SHAPE, &error);
    return ASC_OK;
  }
  spec->shape = reader->gaps.shape;
  spec->shape_count = (uint32_t)reader->gaps.count;
  return ASC_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

static csv_role role_named(const char *name) {
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp(known[k].name, name) == 0) return known[k].role;
  return CSV_ID;
}

/* Puts a harmless value where the problem found a fault, so that it can look for the next one: nothing of this problem is kept. */
static void neutralise(asc_buffer_spec *spec, csv_role role) {
  switch (role) {
  case CSV_LOWER:
  case CSV_UPPER:
    spec->upper = (spec->lower = 0) + 1;
    break;
  case CSV_SIZE:
    spec->size = 0;
    break;
  case CSV_ALIGNMENT:
    spec->alignment = 1;
    break;
  case CSV_BANK:
    spec->bank = 0;
    break;
  case CSV_OFFSET:
    spec->offset = ASC_UNPLACED;
    break;
  case CSV_HINT:
    spec->hint = ASC_UNPLACED;
    break;
  default:
    break;
  }
  spec->gap_count = 0;
  spec->shape_count = 0;
}

/* Adds the buffer to the problem, reporting all that asc_problem_add finds wrong with it. */
static asc_status add_buffer(csv_reader *reader, asc_buffer_spec *spec) {
  for (int attempt = 0; attempt < CSV_OTHER; attempt++) {
    asc_diag diag;
    asc_status status = asc_problem_add(reader->csv->problem, spec, &diag);
    if (status != ASC_BAD_INPUT && status != ASC_TOO_LARGE) return status;
    csv_role role = role_named(diag.field);
    const csv_field *field = field_of(reader, role);
    asci_csv_report(&reader->report, status, field, field ? column_name(reader, role) : diag.field, "%s", diag.message);
    if (status == ASC_TOO_LARGE) return status;
    neutralise(spec, role);
  }
  return ASC_OK;
}

static asc_status read_plan(csv_reader *reader, asc_buffer_spec *spec) {
  bool plan = reader->mode == ASC_OFFSETS_SOLUTION;
  int64_t offset = ASC_UNPLACED;
  if (!read_cell(reader, CSV_OFFSET, plan ? -ASC_MAX_BYTES : ASC_UNPLACED, ASC_MAX_BYTES, ASC_UNPLACED, &offset))
    offset = ASC_UNPLACED;
  if (!plan) {
    spec->offset = offset;
    reader->fixed += offset != ASC_UNPLACED;
    return ASC_OK;
  }
  if (reader->column_of[CSV_OFFSET] == CSV_NO_COLUMN) return ASC_OK;
  asc_csv *csv = reader->csv;
  if (!asci_grow(csv->context, &csv->offsets, &reader->offset_room, reader->row_count, sizeof *csv->offsets))
    return ASC_OUT_OF_MEMORY;
  csv->offsets[reader->row_count - 1] = offset;
  return ASC_OK;
}

static asc_status keep_others(csv_reader *reader) {
  for (size_t k = 0; k < reader->column_count; k++) {
    const csv_field *field = &reader->scan.fields[k];
    const csv_column *column = &reader->columns[k];
    if (field->flaw)
      asci_csv_report(&reader->report, ASC_BAD_INPUT, field, column->name, "%s", asci_csv_flaw(field->flaw));
    else if (column->role == CSV_OTHER || column->role == CSV_SHAPE) {
      asc_status status = keep(reader->csv, field);
      if (status) return status;
    }
  }
  return ASC_OK;
}

/* A row with too few or too many fields; a quote that was left open is the likelier fault. */
static void report_count(csv_reader *reader) {
  const csv_field *last = &reader->scan.fields[reader->scan.count - 1];
  if (last->flaw == CSV_FLAW_OPEN)
    asci_csv_report(&reader->report, ASC_BAD_INPUT, last, "row", "%s", asci_csv_flaw(last->flaw));
  else
    asci_csv_report(&reader->report, ASC_BAD_INPUT, NULL, "row", "has %zu field%s, expected %zu", reader->scan.count,
                    reader->scan.count == 1 ? "" : "s", reader->column_count);
}

static asc_status read_row(csv_reader *reader) {
  reader->rows++;
  if (reader->scan.count != reader->column_count) {
    report_count(reader);
    return ASC_OK;
  }
  char id[256];
  reader->row_count++;
  asc_buffer_spec spec = {.id = id, .upper = 1, .alignment = 1, .offset = ASC_UNPLACED, .hint = ASC_UNPLACED};
  asc_status status = keep_others(reader);
  if (!status) status = read_id(reader, id);
  if (status) return status;
  bool lifespan = read_lifespan(reader, &spec);
  bool size = read_cell(reader, CSV_SIZE, 0, ASC_MAX_BYTES, INT64_MIN, &spec.size);
  if (!read_cell(reader, CSV_ALIGNMENT, 1, ASC_MAX_BYTES, 1, &spec.alignment)) spec.alignment = 1;
  if (!read_cell(reader, CSV_BANK, 0, ASC_MAX_BYTES, 0, &spec.bank)) spec.bank = 0;
  if (!read_cell(reader, CSV_HINT, ASC_UNPLACED, ASC_MAX_BYTES, ASC_UNPLACED, &spec.hint)) spec.hint = ASC_UNPLACED;
  status = read_plan(reader, &spec);
  const csv_field *pool = field_of(reader, CSV_POOL);
  if (!status && pool)
    status = asci_csv_pool(&reader->report, reader->csv->problem, pool, column_name(reader, CSV_POOL), &spec.pool);
  if (!status && lifespan && size) status = read_gaps(reader, &spec);
  if (!status && lifespan && size) status = read_shape(reader, &spec);
  if (!lifespan) neutralise(&spec, CSV_LOWER);
  if (!size) neutralise(&spec, CSV_SIZE);
  return status ? status : add_buffer(reader, &spec);
}

/* ---- the whole file -------------------------------------------------------------------------------------------------- */

static void append(asc_csv *csv, const char *format, ...) {
  size_t used = strlen(csv->convention);
  if (used && used + 2 < sizeof csv->convention) {
    memcpy(csv->convention + used, "; ", 3);
    used += 2;
  }
  va_list arguments;
  va_start(arguments, format);
  asci_format_list(csv->convention + used, sizeof csv->convention - used, format, arguments);
  va_end(arguments);
}

static void note_unknown(csv_reader *reader) {
  asc_csv *csv = reader->csv;
  bool shape = reader->shapes > 0; /* it is known, then */
  size_t unknown = csv->extra_count - shape, first = shape && csv->shape_extra == 0 ? 1 : 0;
  if (!unknown) return;
  append(csv, "%zu unknown column%s kept (\xe2\x80\x9c%.40s\xe2\x80\x9d%s)", unknown, unknown == 1 ? "" : "s",
         csv->extra_text + csv->extra_at[first], unknown == 1 ? "" : ", \xe2\x80\xa6");
}

static void note_convention(csv_reader *reader) {
  asc_csv *csv = reader->csv;
  if (reader->addend)
    append(csv, "column %s: inclusive, 1 was added%s", column_name(reader, CSV_UPPER),
           reader->column_of[CSV_GAPS] == CSV_NO_COLUMN ? "" : ", also to the ends of gaps");
  if (reader->fixed) append(csv, "column offset: fixes %zu buffer%s", reader->fixed, reader->fixed == 1 ? "" : "s");
  note_unknown(reader);
}

/* Does the row declare a pool: pool,NAME,CAPACITY,ALIGNMENT,BANK? A header names the columns of times, too. */
static bool declares_pool(const csv_reader *reader) {
  const csv_scan *scan = &reader->scan;
  if (scan->count < 2 || scan->count > 5 || !same_word(&scan->fields[0], "pool")) return false;
  for (size_t k = 1; k < scan->count; k++)
    for (size_t w = 0; w < sizeof known / sizeof *known; w++)
      if (known[w].role <= CSV_SIZE && same_word(&scan->fields[k], known[w].name)) return false;
  return true;
}

static asc_status begin_rows(csv_reader *reader) {
  bool more = false;
  reader->begun = true;
  asc_status status = asci_scan_row(&reader->scan, &more);
  while (!status && more && declares_pool(reader)) {
    reader->report.line = reader->scan.fields[0].line;
    status = asci_csv_declare_pool(&reader->report, reader->csv->problem, reader->scan.fields, reader->scan.count);
    if (!status) status = asci_scan_row(&reader->scan, &more);
  }
  reader->report.line = !status && more ? reader->scan.fields[0].line : 1;
  if (!status && !more)
    asci_csv_report(&reader->report, ASC_BAD_INPUT, NULL, "header", "is missing, expected id,lower,upper,size");
  if (!status && more) status = read_header(reader);
  reader->more = !status && !reader->report.status;
  return status;
}

static asc_status next_row(csv_reader *reader) {
  asc_status status = asci_scan_row(&reader->scan, &reader->more);
  if (status) return status;
  if (reader->more) {
    reader->report.line = reader->scan.fields[0].line;
    return read_row(reader);
  }
  if (reader->rows == 0)
    asci_csv_report(&reader->report, ASC_BAD_INPUT, NULL, "row",
                    "is missing, expected at least one buffer below the header");
  return ASC_OK;
}

asc_status asc_csv_reading_new(asc_context *context, const char *text, size_t bytes, asc_offset_column offsets,
                               asc_diag *diags, size_t room, asc_csv_reading **reading) {
  if (!context || !reading || (bytes && !text) || (room && !diags)) return ASC_BAD_ARGUMENT;
  csv_reader *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->context = context;
  made->mode = offsets;
  made->report.diags = diags;
  made->report.room = room;
  made->begun = !asci_csv_begin(&made->report, &made->scan, context, text ? text : "", bytes);
  made->begin = made->scan.at;
  made->csv = asci_calloc(context, 1, sizeof *made->csv);
  if (made->csv) *made->csv = (asc_csv){.context = context, .shape_extra = SIZE_MAX};
  if (!made->csv || asc_problem_new(context, &made->csv->problem)) {
    asc_csv_reading_free(made);
    return ASC_OUT_OF_MEMORY;
  }
  *reading = made;
  return ASC_OK;
}

void asc_csv_reading_free(asc_csv_reading *reading) {
  if (!reading) return;
  asc_context *context = reading->context;
  asc_csv_free(reading->csv);
  asci_scan_end(&reading->scan);
  asci_free(context, reading->columns);
  asci_ids_free(context, &reading->ids);
  asci_csv_gaps_free(context, &reading->gaps);
  asci_free(context, reading);
}

asc_status asc_csv_reading_step(asc_csv_reading *reading, uint32_t rows, bool *more) {
  if (!reading || !more) return ASC_BAD_ARGUMENT;
  asc_status status = reading->stopped;
  if (!status && !reading->begun) status = begin_rows(reading);
  for (uint32_t k = 0; k < rows && !status && reading->more; k++) status = next_row(reading);
  if (status) reading->more = false;
  if (status == ASC_TOO_LARGE) status = ASC_OK; /* it was reported */
  *more = reading->more;
  return reading->stopped = status;
}

void asc_csv_reading_at(const asc_csv_reading *reading, size_t *rows, size_t *bytes) {
  *rows = reading->rows;
  *bytes = (size_t)(reading->scan.at - reading->begin);
}

asc_status asc_csv_reading_end(asc_csv_reading *reading, asc_csv **csv, size_t *count) {
  if (!reading || !csv) return ASC_BAD_ARGUMENT;
  bool more = true;
  asc_status status = ASC_OK;
  while (!status && more) status = asc_csv_reading_step(reading, UINT32_MAX, &more);
  if (count) *count = reading->report.count;
  if (!status) status = reading->report.status;
  if (!status) {
    asci_ids_free(reading->context,
                  &reading->ids); /* the problem makes its own: both at once would be the most memory of all */
    status = asc_problem_freeze(reading->csv->problem, NULL);
  }
  if (status) return status;
  note_convention(reading);
  *csv = reading->csv;
  reading->csv = NULL;
  return ASC_OK;
}

asc_status asc_csv_read(asc_context *context, const char *text, size_t bytes, asc_offset_column offsets, asc_csv **csv,
                        asc_diag *diags, size_t room, size_t *count) {
  asc_csv_reading *reading = NULL;
  if (!csv) return ASC_BAD_ARGUMENT;
  asc_status status = asc_csv_reading_new(context, text, bytes, offsets, diags, room, &reading);
  if (status) {
    if (count && status == ASC_OUT_OF_MEMORY) *count = 0;
    return status;
  }
  status = asc_csv_reading_end(reading, csv, count);
  asc_csv_reading_free(reading);
  return status;
}

void asc_csv_free(asc_csv *csv) {
  if (!csv) return;
  asc_problem_free(csv->problem);
  asci_free(csv->context, csv->offsets);
  asci_free(csv->context, csv->extra_text);
  asci_free(csv->context, csv->extra_at);
  asci_free(csv->context, csv);
}

const asc_problem *asc_csv_problem(const asc_csv *csv) {
  return csv->problem;
}

const int64_t *asc_csv_offsets(const asc_csv *csv) {
  return csv->offsets;
}

const char *asc_csv_convention(const asc_csv *csv) {
  return csv->convention;
}
