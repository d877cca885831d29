#include "io/csv/foreign.h"

#include <string.h>

static bool is_break(char c) {
  return c == '\n' || c == '\r';
}

static bool is_blank(const csv_scan *scan, char c) {
  return c == ' ' || (c == '\t' && scan->separator != '\t');
}

/* Passes "\n", "\r\n" or a lone "\r". */
static void pass_break(csv_scan *scan) {
  char c = *scan->at++;
  if (c == '\r' && scan->at < scan->end && *scan->at == '\n') scan->at++;
  scan->line++;
  scan->line_begin = scan->at;
}

/* Passes blank lines and comments; false at the end of the text. */
static bool pass_idle_lines(csv_scan *scan) {
  for (;;) {
    const char *p = scan->at;
    while (p < scan->end && (*p == ' ' || *p == '\t')) p++;
    if (p < scan->end && *p == '#')
      while (p < scan->end && !is_break(*p)) p++;
    else if (p < scan->end && !is_break(*p))
      return true;
    scan->at = p;
    if (p == scan->end) return false;
    pass_break(scan);
  }
}

static char guess_separator(const csv_scan *scan) {
  size_t commas = 0, semicolons = 0, tabs = 0;
  bool quoted = false;
  for (const char *p = scan->at; p < scan->end && (quoted || !is_break(*p)); p++) {
    if (*p == '"') quoted = !quoted;
    if (quoted) continue;
    commas += *p == ',';
    semicolons += *p == ';';
    tabs += *p == '\t';
  }
  if (semicolons > commas && semicolons >= tabs) return ';';
  return tabs > commas ? '\t' : ',';
}

void asci_scan_begin(csv_scan *scan, asc_context *context, const char *text, size_t bytes) {
  *scan = (csv_scan){.context = context, .at = text, .end = text + bytes, .line = 1, .separator = ','};
  if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) scan->at += 3;
  scan->line_begin = scan->at;
  if (pass_idle_lines(scan)) scan->separator = guess_separator(scan);
  scan->json = asci_csv_foreign.json_begins(scan);
}

void asci_scan_end(csv_scan *scan) {
  asci_free(scan->context, scan->fields);
  asci_free(scan->context, scan->keys);
  asci_arena_free(scan->context, &scan->arena);
  scan->fields = scan->keys = NULL;
}

static bool at_field_end(const csv_scan *scan) {
  return scan->at == scan->end || *scan->at == scan->separator || is_break(*scan->at);
}

/* Copies text without the second quote of each doubled pair. */
static asc_status undouble(csv_scan *scan, csv_field *field) {
  char *copy = asci_arena_alloc(scan->context, &scan->arena, field->length + 1);
  if (!copy) return ASC_OUT_OF_MEMORY;
  size_t length = 0;
  for (size_t i = 0; i < field->length; i++) {
    copy[length++] = field->text[i];
    if (field->text[i] == '"') i++;
  }
  field->text = copy;
  field->length = length;
  return ASC_OK;
}

/* Stands on the opening quote. */
static asc_status read_quoted(csv_scan *scan, csv_field *field) {
  bool doubled = false;
  field->quoted = true;
  field->text = ++scan->at;
  while (scan->at < scan->end) {
    if (is_break(*scan->at)) {
      pass_break(scan);
      continue;
    }
    if (*scan->at++ != '"') continue;
    if (scan->at == scan->end || *scan->at != '"') {
      field->length = (size_t)(scan->at - 1 - field->text);
      while (scan->at < scan->end && is_blank(scan, *scan->at)) scan->at++;
      if (!at_field_end(scan)) field->flaw = CSV_FLAW_TRAILING;
      while (!at_field_end(scan)) scan->at++;
      return doubled ? undouble(scan, field) : ASC_OK;
    }
    doubled = true;
    scan->at++;
  }
  field->length = (size_t)(scan->end - field->text);
  field->flaw = CSV_FLAW_OPEN;
  return ASC_OK;
}

static asc_status read_field(csv_scan *scan, csv_field *field) {
  while (scan->at < scan->end && is_blank(scan, *scan->at)) scan->at++;
  const char *begin = scan->at;
  *field = (csv_field){.text = begin, .line = scan->line, .column = (uint32_t)(begin - scan->line_begin) + 1};
  asc_status status = ASC_OK;
  if (begin < scan->end && *begin == '"')
    status = read_quoted(scan, field);
  else {
    const char *at = begin, *end = scan->end; /* kept in registers, which *scan is not while bytes are read */
    const char separator = scan->separator;
    while (at < end && *at != separator && !is_break(*at)) at++;
    scan->at = at;
    field->length = (size_t)(at - begin);
    while (field->length && is_blank(scan, begin[field->length - 1])) field->length--;
  }
  field->raw_length = field->quoted ? (size_t)(scan->at - begin) : field->length;
  if (!status && memchr(field->text, 0, field->length)) field->flaw = CSV_FLAW_NUL;
  return status;
}

asc_status asci_scan_row(csv_scan *scan, bool *more) {
  if (scan->json) return asci_csv_foreign.json_row(scan, more);
  for (;;) {
    *more = pass_idle_lines(scan);
    if (!*more) return ASC_OK;
    bool empty = true;
    scan->count = 0;
    for (;;) {
      if (!asci_grow(scan->context, &scan->fields, &scan->room, scan->count + 1, sizeof *scan->fields))
        return ASC_OUT_OF_MEMORY;
      csv_field *field = &scan->fields[scan->count++];
      asc_status status = read_field(scan, field);
      if (status) return status;
      empty = empty && field->length == 0 && !field->quoted;
      if (scan->at == scan->end || *scan->at != scan->separator) break;
      scan->at++;
    }
    if (scan->at < scan->end) pass_break(scan);
    if (!empty) return ASC_OK;
  }
}
