/* Cells on their way to a sink, in pieces. */
#ifndef ASCI_IO_CSV_PUT_H
#define ASCI_IO_CSV_PUT_H

#include "asc/asc.h"

typedef struct csv_writer {
  asc_sink sink;
  void *user;
  bool stopped;
  bool for_sheets; /* no cell is a formula */
  size_t used;
  char piece[4096];
} csv_writer;

void asci_csv_put(csv_writer *writer, char c);
void asci_csv_put_text(csv_writer *writer, const char *text);
void asci_csv_put_number(csv_writer *writer, int64_t value);
/* Quotes whatever the reader would otherwise split, trim or take for a comment. */
void asci_csv_put_cell(csv_writer *writer, const char *text);
/* Part of a cell that is a list: a backslash before each of those characters, a quote doubled. */
void asci_csv_put_escaped(csv_writer *writer, const char *text, const char *escaped);
/* Hands over what is left. Errors: BAD_ARGUMENT (the sink stopped). */
asc_status asci_csv_put_end(csv_writer *writer);

#endif
