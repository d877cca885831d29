/* A CSV as the tests read it: at once, and again in parts, which must come to the same. */
#ifndef TEST_CSV_READING_H
#define TEST_CSV_READING_H

#include "support.h"

enum { ROOM = 20 };

typedef struct reading {
  asc_context *context;
  asc_csv *csv;
  asc_status status;
  asc_diag diags[ROOM];
  size_t count;
} reading;

reading read_bytes(const char *text, size_t bytes, asc_offset_column mode);
/* Offsets are fixed. */
reading read_text(const char *text);
void end_reading(reading *r);

#endif
