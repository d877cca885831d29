#include "io/csv/foreign.h"

/* Made for each module of WebAssembly (wasm.cmake). */
#ifdef ASC_ONLY_LEAN
static bool is_no_json(const csv_scan *scan) {
  (void)scan;
  return false;
}

static csv_number no_amount(const char *text, size_t length, bool units, int64_t *value) {
  (void)text, (void)length, (void)units, (void)value;
  return CSV_NOT_WHOLE;
}

static csv_role no_synonym(const csv_field *field) {
  (void)field;
  return CSV_OTHER;
}

static bool is_exclusive(const csv_field *field) {
  (void)field;
  return false;
}

static asc_status nothing_told(csv_reader *reader) {
  (void)reader;
  return ASC_OK;
}

static asc_status need_header(csv_reader *reader, bool *row) {
  (void)reader, (void)row;
  return ASC_OK;
}

static void no_note(csv_reader *reader) {
  (void)reader;
}

const csv_foreign asci_csv_foreign = {
    .json_begins = is_no_json, /* so that json_row is never asked */
    .amount = no_amount,
    .synonym = no_synonym,
    .inclusive = is_exclusive,
    .read_told = nothing_told,
    .columns_without_header = need_header,
    .note = no_note,
};
#else
const csv_foreign asci_csv_foreign = {
    .json_begins = asci_json_begins,
    .json_row = asci_json_row,
    .amount = asci_csv_amount,
    .synonym = asci_csv_synonym,
    .inclusive = asci_csv_ends_inclusive,
    .read_told = asci_csv_read_told,
    .columns_without_header = asci_csv_columns_without_header,
    .note = asci_csv_note,
};
#endif
