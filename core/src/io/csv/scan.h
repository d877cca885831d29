/* From bytes to fields: lines, separators, quotes, comments. Knows nothing of buffers. */
#ifndef ASCI_IO_CSV_SCAN_H
#define ASCI_IO_CSV_SCAN_H

#include "base/arena.h"
#include "base/memory.h"

typedef enum csv_flaw {
  CSV_FLAW_NONE,
  CSV_FLAW_NUL,      /* a NUL byte inside */
  CSV_FLAW_OPEN,     /* a quote that is never closed */
  CSV_FLAW_TRAILING, /* text after the closing quote */
  CSV_FLAW_JSON,     /* no JSON from here on; the row has no other field */
  CSV_FLAW_KEYS,     /* likewise: an object has a key too many */
} csv_flaw;

typedef struct csv_field {
  const char *text; /* without quotes and outer blanks; lives as long as the scan's input and arena */
  size_t length;
  size_t raw_length; /* bytes in the input */
  uint32_t line, column;
  bool quoted;
  csv_flaw flaw;
} csv_field;

typedef struct csv_scan {
  asc_context *context;
  const char *at, *end;
  const char *line_begin;
  uint32_t line;
  char separator;
  bool json;       /* the text is a list of objects, each a row */
  bool keyed;      /* their keys were read: the row of them is the first */
  bool within;     /* the list has begun */
  bool ended;      /* nothing is read any more */
  csv_field *keys; /* of all objects, by first appearance */
  size_t key_count, key_room;
  csv_field *fields; /* of the row read last */
  size_t count, room;
  asci_arena arena; /* fields with doubled quotes, decoded */
} csv_scan;

/* Starts at the text (behind a byte order mark) and guesses the separator from the first line that is neither blank nor a comment:
   the most frequent of comma, semicolon and tab outside quotes, the comma if there is none. A text that begins with [ and { is JSON. */
void asci_scan_begin(csv_scan *scan, asc_context *context, const char *text, size_t bytes);
void asci_scan_end(csv_scan *scan);

/* Reads the next row, skipping blank lines, comments and rows of empty fields. *more is false at the end. O(bytes of the row).
   Of JSON the first row are the keys, and the others the values in their order, where an object lacks one an empty field; the keys
   take O(bytes of the text), once. Errors: OUT_OF_MEMORY. */
asc_status asci_scan_row(csv_scan *scan, bool *more);

#endif
