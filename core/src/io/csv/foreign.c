#include "io/csv/foreign.h"

/* Made for each module of WebAssembly (wasm.cmake). */
#ifdef ASC_ONLY_LEAN
const csv_foreign asci_csv_foreign = {0};
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
