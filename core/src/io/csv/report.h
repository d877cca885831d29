/* The errors of a file that is read, and the cells that every such file has: names and numbers. */
#ifndef ASCI_IO_CSV_REPORT_H
#define ASCI_IO_CSV_REPORT_H

#include "io/csv/scan.h"

typedef struct csv_report {
  asc_diag *diags; /* the first by line, and on a line in the order of reporting */
  size_t room, count;
  asc_status status; /* of the errors: OK, BAD_INPUT, TOO_LARGE */
  uint32_t line;     /* of the row under way */
} csv_report;

/* Begins the scan of a text, and returns whether it can be one; if not, that is reported. */
bool asci_csv_begin(csv_report *report, csv_scan *scan, asc_context *context, const char *text, size_t bytes);

/* Counts an error and, if it is among the first, describes it. field NULL: the whole line. */
void asci_csv_report(csv_report *report, asc_status status, const csv_field *field, const char *name, const char *format,
                     ...) __attribute__((format(printf, 5, 6)));

/* Tells what adding a row was refused for, at the field that it is about: names[k] is that of fields[k], an id is fields[1]. first_line: of the row that
   has this id already, 0 if none has. Returns OK once told, any status that is no fault of the row as it is. */
asc_status asci_csv_refuse(csv_report *report, asc_status status, const asc_diag *diag, const csv_field *fields,
                           const char *const *names, size_t count, uint32_t first_line);

/* Rows of a file that has two kinds of them: their first field, and what reads the row that the scan has. A status but OK ends the reading. */
typedef struct csv_kind {
  const char *word;
  asc_status (*read)(void *user);
} csv_kind;

/* Reads the rows of the first kind, then those of the second, which name rows of the first wherever these stand; rows of neither are reported. Lists
   within a field have the semicolons to themselves. Errors: those of the scan and of what reads a row. */
asc_status asci_csv_read_kinds(csv_report *report, csv_scan *scan, asc_context *context, const char *text, size_t bytes,
                               const csv_kind kinds[2], void *user);

/* "has a NUL byte, expected text" and the like; NULL for none. */
const char *asci_csv_flaw(csv_flaw flaw);

/* Reads the field, which has no flaw, as a whole number in low .. high and returns whether value was written; if not, that is reported. */
bool asci_csv_number(csv_report *report, const csv_field *field, const char *name, int64_t low, int64_t high,
                     int64_t *value);

/* The same, hexadecimal as well and, of bytes, with a unit (asci_csv_amount), which *other then says. A flaw is reported elsewhere. */
bool asci_csv_bytes(csv_report *report, const csv_field *field, const char *name, bool bytes, int64_t low, int64_t high,
                    int64_t *value, bool *other);

/* Whether the field is 1 to 255 bytes without control characters; if not, that is reported as above. */
bool asci_csv_name(csv_report *report, const csv_field *field, const char *name);

bool asci_csv_is_word(const csv_field *field, const char *word);

#endif
