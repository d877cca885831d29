#include "io/csv/put.h"

#include "base/text/format.h"

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

void asci_csv_put_escaped(csv_writer *writer, const char *text, const char *escaped) {
  for (; *text; text++) {
    if (strchr(escaped, *text)) asci_csv_put(writer, '\\');
    if (*text == '"') asci_csv_put(writer, '"');
    asci_csv_put(writer, *text);
  }
}

/* What follows the quote before it, and the one behind it. */
static void put_quoted(csv_writer *writer, const char *text) {
  asci_csv_put_escaped(writer, text, "");
  asci_csv_put(writer, '"');
}

/* A spreadsheet computes it. Numbers have a sign, too. */
static bool is_formula(const char *text) {
  if (!*text || !strchr("=+-@\t\r", *text)) return false;
  const char *number = text + (*text == '+' || *text == '-');
  return number == text || !*number || number[strspn(number, "0123456789.")] != 0;
}

void asci_csv_put_cell(csv_writer *writer, const char *text) {
  if (writer->for_sheets && is_formula(text)) {
    asci_csv_put(writer, '"');
    asci_csv_put(writer, '\'');
    put_quoted(writer, text);
    return;
  }
  size_t length = strlen(text);
  bool blank_ends = length && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
  if (!blank_ends && text[0] != '#' && !strpbrk(text, ",;\t\"\r\n")) {
    asci_csv_put_text(writer, text);
    return;
  }
  asci_csv_put(writer, '"');
  put_quoted(writer, text);
}

asc_status asci_csv_put_end(csv_writer *writer) {
  flush(writer);
  return writer->stopped ? ASC_BAD_ARGUMENT : ASC_OK;
}
