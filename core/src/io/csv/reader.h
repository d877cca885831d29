/* What the files that read a buffer CSV share: the reader, its columns, and what it assumed of them. */
#ifndef ASCI_IO_CSV_READER_H
#define ASCI_IO_CSV_READER_H

#include "base/ids.h"
#include "io/csv/csv.h"
#include "io/csv/report.h"
#include "io/csv/scan.h"
#include "io/csv/value.h"

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
  const char *text;  /* all of it */
  const char *begin; /* of its first row */
  asc_csv *csv;      /* until it is handed over */
  asc_offset_column mode;
  csv_scan scan;

  csv_report report;

  csv_column *columns;
  size_t column_count;
  size_t column_of[CSV_OTHER];
  int64_t addend; /* 1 if the column of ends is inclusive */

  asc_csv_end end;   /* as it was told; BY_NAME: it was not */
  char *told;        /* the columns as they were told, NULL: they were not */
  bool guessed;      /* there is no header, and nobody told the columns */
  uint32_t synonyms; /* bit of a role: a column was taken for it that is not called so */
  bool units;        /* a number was hexadecimal or had a unit */

  size_t row_count; /* rows with the right number of fields */
  size_t rows;      /* all of them */
  size_t offset_room;
  size_t fixed;  /* buffers that the file fixes */
  size_t shapes; /* buffers with one */
  asci_ids ids;
  csv_gaps gaps;
  bool begun, more;   /* the header was read; there may be rows */
  bool first;         /* the scan has the first of them: there is no header */
  asc_status stopped; /* what no further row can mend */
};

/* Finds the columns from the row that the scan has. *row: it is no header but the first row of buffers. Mistakes are reported. O(columns), and without
   a header O(bytes of 4,096 rows). Errors: OUT_OF_MEMORY. */
asc_status asci_csv_find_columns(csv_reader *reader, bool *row);
/* names: of the columns, as a header gives them. Errors: OUT_OF_MEMORY. */
asc_status asci_csv_read_header(csv_reader *reader, const csv_field *names, size_t count);
/* The role that a name stands for, CSV_OTHER: none. */
csv_role asci_csv_role(const csv_field *field);
/* The role of a column by its first name, which asc_problem_add complains with. */
csv_role asci_csv_role_named(const char *name);
/* Capitals do not count; loose: nor does what parts words. */
bool asci_csv_same_word(const csv_field *field, const char *word, bool loose);
/* Appends a value of an unknown column, or its name. Errors: OUT_OF_MEMORY. */
asc_status asci_csv_keep(asc_csv *csv, const csv_field *field);

#endif
