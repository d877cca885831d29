/* What reads a buffer CSV as other tools write it, as one table: a module that opens but its own example leaves it out, with all that it leads to. */
#ifndef ASCI_IO_CSV_FOREIGN_H
#define ASCI_IO_CSV_FOREIGN_H

#include "io/csv/reader.h"

/* Where it is left out all of them find nothing: then only the README's table of columns is read, and nothing is told of what was assumed. */
typedef struct csv_foreign {
  bool (*json_begins)(const csv_scan *scan);
  asc_status (*json_row)(csv_scan *scan, bool *more);
  csv_number (*amount)(const char *text, size_t length, bool units, int64_t *value);
  csv_role (*synonym)(const csv_field *field);
  bool (*inclusive)(const csv_field *field);
  asc_status (*read_told)(csv_reader *reader);
  asc_status (*columns_without_header)(csv_reader *reader, bool *row);
  void (*note)(csv_reader *reader);
} csv_foreign;

extern const csv_foreign asci_csv_foreign;

/* guess.c: the role of a name of other tools, and whether such a column of ends has the last times. */
csv_role asci_csv_synonym(const csv_field *field);
bool asci_csv_ends_inclusive(const csv_field *field);
/* Columns as they were told or, where the scan's row is no header, by what four of them hold; else *row is false. Errors: OUT_OF_MEMORY. */
asc_status asci_csv_columns_without_header(csv_reader *reader, bool *row);

/* assumed.c: obeys a comment above the header, "# arenascope: end=exclusive columns=id,size,lower,upper", where nothing was told. Errors:
   OUT_OF_MEMORY. */
asc_status asci_csv_read_told(csv_reader *reader);
/* Writes the sentence of what was assumed. */
void asci_csv_note(csv_reader *reader);

/* json.c */
bool asci_json_begins(const csv_scan *scan);
asc_status asci_json_row(csv_scan *scan, bool *more);

#endif
