#include "io/csv/report.h"

#include "base/diag.h"
#include "base/text/format.h"
#include "io/csv/foreign.h"

#include <string.h>

void asci_csv_report(csv_report *report, asc_status status, const csv_field *field, const char *name, const char *format,
                     ...) {
  if (!report->status || status == ASC_TOO_LARGE) report->status = status;
  uint32_t line = field ? field->line : report->line;
  size_t at = report->count < report->room ? report->count : report->room;
  report->count++;
  /* what a graph finds out about its operators comes when all lines are read */
  while (at && report->diags[at - 1].line > line) {
    if (at < report->room) report->diags[at] = report->diags[at - 1];
    at--;
  }
  if (at >= report->room) return;
  asc_diag *diag = &report->diags[at];
  *diag = (asc_diag){.status = status, .line = line, .column = 1};
  if (field) {
    diag->column = field->column;
    diag->length = (uint32_t)field->raw_length;
  }
  asci_format(diag->field, sizeof diag->field, "%s", name);
  va_list arguments;
  va_start(arguments, format);
  asci_format_list(diag->message, sizeof diag->message, format, arguments);
  va_end(arguments);
}

bool asci_csv_begin(csv_report *report, csv_scan *scan, asc_context *context, const char *text, size_t bytes) {
  bool huge = (uint64_t)bytes > UINT32_MAX; /* lines and columns are 32 bits wide */
  bool wide = bytes >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
  asci_scan_begin(scan, context, text, huge ? 0 : bytes);
  report->line = 1;
  if (huge)
    asci_csv_report(report, ASC_TOO_LARGE, NULL, "file", "is larger than 4 GiB");
  else if (wide)
    asci_csv_report(report, ASC_BAD_INPUT, NULL, "file", "is UTF-16, expected UTF-8");
  return !huge && !wide;
}

const char *asci_csv_flaw(csv_flaw flaw) {
  static const char *const texts[] = {
      [CSV_FLAW_NONE] = NULL,
      [CSV_FLAW_NUL] = "has a NUL byte, expected text",
      [CSV_FLAW_OPEN] = "has a quote that is never closed, expected a closing quote",
      [CSV_FLAW_TRAILING] = "has text behind the closing quote, expected a separator",
      [CSV_FLAW_JSON] =
          "is no JSON here, expected a list of objects like [{\"id\": \"a\", \"lower\": 0, \"upper\": 3, \"size\": 64}]",
      [CSV_FLAW_KEYS] = "is one key too many, expected at most 64 in all objects",
  };
  return texts[flaw];
}

static inline bool in_range(csv_number kind, int64_t read, int64_t low, int64_t high, int64_t *value) {
  if (kind != CSV_WHOLE || read < low || read > high) return false;
  *value = read;
  return true;
}

/* The complaint of what a field is not. digits: it is a whole number as written. */
static void complain(csv_report *report, const csv_field *field, const char *name, csv_number kind, bool digits, int64_t low,
                     int64_t high) {
  char a[CSV_CITE], b[CSV_CITE], c[CSV_CITE];
  if (field->length == 0)
    asci_csv_report(report, ASC_BAD_INPUT, field, name, "is empty, expected a whole number");
  else if (kind == CSV_NOT_WHOLE)
    asci_csv_report(report, ASC_BAD_INPUT, field, name, "is %s, expected a whole number",
                    asci_csv_cite(a, field->text, field->length));
  else /* -1 stands for none, which the message need not teach */
    asci_csv_report(report, ASC_BAD_INPUT, field, name, "is %s, expected %s to %s",
                    digits ? asci_csv_commas(a, field->text, field->length) : asci_csv_cite(a, field->text, field->length),
                    asci_commas(b, low == ASC_UNPLACED ? 0 : low), asci_commas(c, high));
}

bool asci_csv_number(csv_report *report, const csv_field *field, const char *name, int64_t low, int64_t high,
                     int64_t *value) {
  int64_t read = 0;
  csv_number kind = asci_csv_whole(field->text, field->length, &read);
  if (in_range(kind, read, low, high, value)) return true;
  complain(report, field, name, kind, true, low, high);
  return false;
}

/* What is not written in digits alone, or out of range. Apart, so that a plain number is read without saving registers. */
static __attribute__((noinline)) bool read_amount(csv_report *report, const csv_field *field, const char *name, bool bytes,
                                                  int64_t low, int64_t high, int64_t *value, bool *other) {
  int64_t read = 0;
  csv_number kind = asci_csv_whole(field->text, field->length, &read);
  bool digits = kind != CSV_NOT_WHOLE;
  if (!digits) kind = asci_csv_foreign.amount(field->text, field->length, bytes, &read);
  bool zeros = !digits && field->length && field->text[field->length - 1] == '0' && memchr(field->text, '.', field->length);
  *other |= !digits && !zeros && kind != CSV_NOT_WHOLE; /* of decimals that are zeros there is nothing to tell */
  if (in_range(kind, read, low, high, value)) return true;
  complain(report, field, name, kind, digits, low, high);
  return false;
}

bool asci_csv_bytes(csv_report *report, const csv_field *field, const char *name, bool bytes, int64_t low, int64_t high,
                    int64_t *value, bool *other) {
  int64_t read;
  if (field->flaw) return false;
  if (asci_csv_digits(field->text, field->length, &read) && in_range(CSV_WHOLE, read, low, high, value)) return true;
  return read_amount(report, field, name, bytes, low, high, value, other);
}

bool asci_csv_name(csv_report *report, const csv_field *field, const char *name) {
  if (field->flaw) return false;
  char cited[CSV_CITE];
  for (size_t i = 0; i < field->length; i++)
    if ((unsigned char)field->text[i] < 0x20 || field->text[i] == 0x7f) {
      asci_csv_report(report, ASC_BAD_INPUT, field, name, "is %s, expected no control characters",
                      asci_csv_cite(cited, field->text, field->length));
      return false;
    }
  if (field->length > 0 && field->length <= 255) return true;
  asci_csv_report(report, ASC_BAD_INPUT, field, name, "is %s, expected 1 to 255 bytes",
                  field->length ? "too long" : "empty");
  return false;
}

asc_status asci_csv_refuse(csv_report *report, asc_status status, const asc_diag *diag, const csv_field *fields,
                           const char *const *names, size_t count, uint32_t first_line) {
  if (status != ASC_BAD_INPUT && status != ASC_TOO_LARGE) return status;
  size_t k = 1;
  while (k < count - 1 && strcmp(names[k], diag->field) != 0) k++;
  char cited[CSV_CITE];
  if (first_line && k == 1)
    asci_csv_report(report, status, &fields[1], "id", "%s is already used on line %u",
                    asci_csv_cite(cited, fields[1].text, fields[1].length), first_line);
  else
    asci_csv_report(report, status, &fields[k], diag->field, "%s", diag->message);
  return ASC_OK;
}

bool asci_csv_is_word(const csv_field *field, const char *word) {
  return field->length == strlen(word) && memcmp(field->text, word, field->length) == 0;
}

/* Reads the rows of kinds[pass]; those of no kind are reported in the first pass. */
static asc_status read_rows(csv_report *report, csv_scan *scan, const csv_kind *kinds, int pass, void *user) {
  for (;;) {
    bool more = false;
    asc_status status = asci_scan_row(scan, &more);
    if (status || !more) return status;
    const csv_field *first = &scan->fields[0];
    report->line = first->line;
    if (asci_csv_is_word(first, kinds[pass].word))
      status = kinds[pass].read(user);
    else if (pass == 0 && !asci_csv_is_word(first, kinds[1].word)) {
      char cited[CSV_CITE];
      asci_csv_report(report, ASC_BAD_INPUT, first, "row", "begins with %s, expected %s or %s",
                      asci_csv_cite(cited, first->text, first->length), kinds[0].word, kinds[1].word);
    }
    if (status) return status;
  }
}

asc_status asci_csv_read_kinds(csv_report *report, csv_scan *scan, asc_context *context, const char *text, size_t bytes,
                               const csv_kind kinds[2], void *user) {
  asc_status status = ASC_OK;
  for (int pass = 0; pass < 2 && !status; pass++) {
    if (!asci_csv_begin(report, scan, context, text, bytes)) break;
    scan->separator = ',';
    status = read_rows(report, scan, kinds, pass, user);
    asci_scan_end(scan);
  }
  return status;
}
