/* Reads a buffer CSV: header, rows, ids, then one problem or a list of all that is wrong. The format is in README.md. */
#include "base/diag.h"
#include "base/text/format.h"
#include "io/csv/foreign.h"
#include "io/csv/pool.h"

#include <string.h>

static const char *column_name(const csv_reader *reader, csv_role role) {
  return reader->columns[reader->column_of[role]].name;
}

static const csv_field *field_of(const csv_reader *reader, csv_role role) {
  size_t column = reader->column_of[role];
  return column == CSV_NO_COLUMN ? NULL : &reader->scan.fields[column];
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
  bool bytes = role != CSV_LOWER && role != CSV_UPPER;
  return asci_csv_bytes(&reader->report, field, column_name(reader, role), bytes, low, high, value, &reader->units);
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

/* Puts a harmless value where the problem found a fault, so that it can look for the next one: nothing of this problem is kept. */
static void neutralise(asc_buffer_spec *spec, csv_role role) {
  switch (role) {
  case CSV_LOWER:
    spec->upper = (spec->lower = 0) + 1;
    break;
  case CSV_SIZE:
    spec->size = 0;
    break;
  case CSV_BANK:
    spec->bank = 0;
    break;
  case CSV_OFFSET:
    spec->offset = ASC_UNPLACED;
    break;
  case CSV_POOL:
    spec->pool = ASC_POOL_MAIN;
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
    csv_role role = asci_csv_role_named(diag.field); /* the file has that column: what it leaves out is never wrong */
    asci_csv_report(&reader->report, status, field_of(reader, role), column_name(reader, role), "%s", diag.message);
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
      asc_status status = asci_csv_keep(reader->csv, field);
      if (status) return status;
    }
  }
  return ASC_OK;
}

/* A row with too few or too many fields; a quote that was left open is the likelier fault. */
static void report_count(csv_reader *reader) {
  const csv_field *last = &reader->scan.fields[reader->scan.count - 1];
  if (last->flaw == CSV_FLAW_OPEN || last->flaw >= CSV_FLAW_JSON)
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

/* Does the row declare a pool: pool,NAME,CAPACITY,ALIGNMENT,BANK? A header names the columns of times, too. */
static bool declares_pool(const csv_reader *reader) {
  const csv_scan *scan = &reader->scan;
  if (scan->json || scan->count < 2 || scan->count > 5 || asci_csv_role(&scan->fields[0]) != CSV_POOL) return false;
  for (size_t k = 1; k < scan->count; k++)
    if (asci_csv_role(&scan->fields[k]) <= CSV_SIZE) return false;
  return true;
}

static asc_status begin_rows(csv_reader *reader) {
  bool more = false, is_text = !reader->report.status; /* else that was reported */
  asc_status status = is_text ? asci_csv_foreign.read_told(reader) : ASC_OK;
  reader->begun = true;
  if (!is_text) return ASC_OK;
  if (!status) status = asci_scan_row(&reader->scan, &more);
  while (!status && more && declares_pool(reader)) {
    reader->report.line = reader->scan.fields[0].line;
    status = asci_csv_declare_pool(&reader->report, reader->csv->problem, reader->scan.fields, reader->scan.count);
    if (!status) status = asci_scan_row(&reader->scan, &more);
  }
  reader->report.line = !status && more ? reader->scan.fields[0].line : 1;
  if (!status && !more)
    asci_csv_report(&reader->report, ASC_BAD_INPUT, NULL, "header", "is missing, expected id,lower,upper,size");
  if (!status && more) status = asci_csv_find_columns(reader, &reader->first);
  reader->more = !status && !reader->report.status;
  return status;
}

static asc_status next_row(csv_reader *reader) {
  asc_status status = reader->first ? ASC_OK : asci_scan_row(&reader->scan, &reader->more);
  reader->first = false;
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
  made->text = text ? text : "";
  made->mode = offsets;
  made->report.diags = diags;
  made->report.room = room;
  asci_csv_begin(&made->report, &made->scan, context, made->text, bytes);
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
  asci_free(context, reading->told);
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

/* What is wrong with no single row, all alignments together, is reported of the last one. */
static asc_status freeze(csv_reader *reader) {
  asc_diag diag = {0};
  /* the problem makes its own: both at once would be the most memory of all */
  asci_ids_free(reader->context, &reader->ids);
  asc_status status = asc_problem_freeze(reader->csv->problem, &diag);
  if (status == ASC_TOO_LARGE) asci_csv_report(&reader->report, status, NULL, diag.field, "%s", diag.message);
  return status;
}

asc_status asc_csv_reading_end(asc_csv_reading *reading, asc_csv **csv, size_t *count) {
  if (!reading || !csv || !reading->csv) return ASC_BAD_ARGUMENT;
  bool more = true;
  asc_status status = ASC_OK;
  while (!status && more) status = asc_csv_reading_step(reading, UINT32_MAX, &more);
  if (!status) status = reading->report.status;
  if (!status) status = freeze(reading);
  if (count) *count = reading->report.count;
  if (status) return status;
  asci_csv_foreign.note(reading);
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

asc_csv_end asc_csv_end_read(const asc_csv *csv) {
  return csv->end;
}

bool asc_csv_is_plain(const asc_csv *csv) {
  return !csv->foreign;
}
