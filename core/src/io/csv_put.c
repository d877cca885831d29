#include "io/csv_put.h"

#include "base/format.h"

#include <string.h>

static void flush(csv_writer *writer) {
  if (writer->used && !writer->stopped) writer->stopped = !writer->sink(writer->user, writer->piece, writer->used);
  writer->used = 0;
}

void asci_csv_put(csv_writer *writer, char c) {
  if (writer->used == sizeof writer->piece) flush(writer);
  writer->piece[writer->used++] = c;
}

void asci_csv_put_text(csv_writer *writer, const char *text) {
  while (*text) asci_csv_put(writer, *text++);
}

void asci_csv_put_number(csv_writer *writer, int64_t value) {
  char digits[24];
  asci_format(digits, sizeof digits, "%lld", (long long)value);
  asci_csv_put_text(writer, digits);
}

void asci_csv_put_cell(csv_writer *writer, const char *text) {
  size_t length = strlen(text);
  bool blank_ends = length && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
  if (!blank_ends && text[0] != '#' && !strpbrk(text, ",;\t\"\r\n")) {
    asci_csv_put_text(writer, text);
    return;
  }
  asci_csv_put(writer, '"');
  for (; *text; text++) {
    if (*text == '"') asci_csv_put(writer, '"');
    asci_csv_put(writer, *text);
  }
  asci_csv_put(writer, '"');
}

void asci_csv_put_escaped(csv_writer *writer, const char *text, const char *escaped) {
  for (; *text; text++) {
    if (strchr(escaped, *text)) asci_csv_put(writer, '\\');
    if (*text == '"') asci_csv_put(writer, '"');
    asci_csv_put(writer, *text);
  }
}

asc_status asci_csv_put_end(csv_writer *writer) {
  flush(writer);
  return writer->stopped ? ASC_BAD_ARGUMENT : ASC_OK;
}
