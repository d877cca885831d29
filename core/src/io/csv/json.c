/* A list of JSON objects as rows of fields (RFC 8259). Numbers, true and false are their text, null is an empty field, lists and objects within are
   kept as they are written. */
#include "io/csv/foreign.h"

#include <string.h>

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void pass_spaces(csv_scan *scan) {
  while (scan->at < scan->end && is_space(*scan->at)) {
    char c = *scan->at++;
    if (c != '\n' && (c != '\r' || (scan->at < scan->end && *scan->at == '\n'))) continue;
    scan->line++;
    scan->line_begin = scan->at;
  }
}

/* Passes the character if it is next, behind spaces. */
static bool pass(csv_scan *scan, char c) {
  pass_spaces(scan);
  if (scan->at == scan->end || *scan->at != c) return false;
  scan->at++;
  return true;
}

bool asci_json_begins(const csv_scan *scan) {
  const char *at = scan->at;
  while (at < scan->end && is_space(*at)) at++;
  if (at == scan->end || *at != '[') return false;
  do at++;
  while (at < scan->end && is_space(*at));
  return at < scan->end && *at == '{';
}

static csv_field field_here(const csv_scan *scan) {
  return (csv_field){.text = scan->at, .line = scan->line, .column = (uint32_t)(scan->at - scan->line_begin) + 1};
}

/* ---- strings --------------------------------------------------------------------------------------------------------- */

/* Four hexadecimal digits, or -1. */
static int32_t read_unit(const char *at, const char *end) {
  int32_t unit = 0;
  if (end - at < 4) return -1;
  for (int k = 0; k < 4; k++) {
    char c = at[k], small = (char)(c | 0x20);
    if (c >= '0' && c <= '9')
      unit = unit * 16 + (c - '0');
    else if (small >= 'a' && small <= 'f')
      unit = unit * 16 + (small - 'a' + 10);
    else
      return -1;
  }
  return unit;
}

/* UTF-8 of a code point; half of a pair alone is U+FFFD. */
static char *put_point(char *out, uint32_t point) {
  if (point >= 0xd800 && point < 0xe000) point = 0xfffd;
  if (point < 0x80) {
    *out++ = (char)point;
    return out;
  }
  int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
  *out++ = (char)(first[more] | point >> (6 * more));
  while (more--) *out++ = (char)(0x80 | (point >> (6 * more) & 0x3f));
  return out;
}

/* Reads one code point behind "\u", both units of a pair if there is one, and writes it to *out. Returns where it ends; NULL: four hexadecimal digits do
   not stand here. */
static const char *read_point(const char *at, const char *end, char **out) {
  int32_t unit = read_unit(at, end);
  if (unit < 0) return NULL;
  at += 4;
  uint32_t point = (uint32_t)unit;
  int32_t low = end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? read_unit(at + 2, end) : -1;
  if (point >= 0xd800 && point < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
    point = 0x10000 + ((point - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
    at += 6;
  }
  *out = put_point(*out, point);
  return at;
}

/* Decodes the escapes of a string into the arena; its length never grows. */
static asc_status unescape(csv_scan *scan, csv_field *field) {
  static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  char *copy = asci_arena_alloc(scan->context, &scan->arena, field->length + 1), *out = copy;
  if (!copy) return ASC_OUT_OF_MEMORY;
  const char *at = field->text, *end = at + field->length;
  while (at < end) {
    if (*at != '\\') {
      *out++ = *at++;
      continue;
    }
    char c = *++at; /* the string does not end in a backslash */
    const char *known = c ? strchr(escapes, c) : NULL;
    at++;
    if (known)
      *out++ = meant[known - escapes];
    else if (c != 'u' || !(at = read_point(at, end, &out))) {
      field->flaw = CSV_FLAW_JSON;
      return ASC_OK;
    }
  }
  field->text = copy;
  field->length = (size_t)(out - copy);
  return ASC_OK;
}

/* Stands on the opening quote. */
static asc_status read_string(csv_scan *scan, csv_field *field) {
  bool escaped = false;
  const char *begin = scan->at++;
  field->quoted = true;
  field->text = scan->at;
  while (scan->at < scan->end && *scan->at != '"' && (unsigned char)*scan->at >= 0x20) {
    escaped |= *scan->at == '\\';
    scan->at += *scan->at == '\\' && scan->at + 1 < scan->end ? 2 : 1;
  }
  field->length = (size_t)(scan->at - field->text);
  if (scan->at == scan->end || *scan->at != '"') {
    field->flaw = CSV_FLAW_JSON;
    return ASC_OK;
  }
  scan->at++;
  field->raw_length = (size_t)(scan->at - begin);
  asc_status status = escaped ? unescape(scan, field) : ASC_OK;
  if (!status && !field->flaw && memchr(field->text, 0, field->length)) field->flaw = CSV_FLAW_NUL;
  return status;
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

/* Passes a list or object within, up to the bracket that closes it; false if none does. Which bracket closes which is not looked at. */
static bool pass_nested(csv_scan *scan) {
  size_t depth = 0;
  do {
    pass_spaces(scan);
    if (scan->at == scan->end) return false;
    char c = *scan->at;
    if (c == '"') {
      const char *at = scan->at + 1;
      while (at < scan->end && *at != '"' && (unsigned char)*at >= 0x20) at += *at == '\\' && at + 1 < scan->end ? 2 : 1;
      if (at == scan->end || *at != '"') return false;
      scan->at = at;
    }
    depth += c == '{' || c == '[';
    depth -= c == '}' || c == ']';
    scan->at++;
  } while (depth);
  return true;
}

static asc_status read_value(csv_scan *scan, csv_field *field) {
  pass_spaces(scan);
  *field = field_here(scan);
  if (scan->at < scan->end && *scan->at == '"') return read_string(scan, field);
  bool whole = true;
  if (scan->at < scan->end && (*scan->at == '{' || *scan->at == '['))
    whole = pass_nested(scan);
  else
    while (scan->at < scan->end && *scan->at &&
           strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", *scan->at))
      scan->at++;
  field->raw_length = field->length = (size_t)(scan->at - field->text);
  if (!whole || field->length == 0) field->flaw = CSV_FLAW_JSON;
  if (field->length == 4 && memcmp(field->text, "null", 4) == 0) field->length = 0;
  if (!field->flaw && memchr(field->text, 0, field->length)) field->flaw = CSV_FLAW_NUL;
  return ASC_OK;
}

/* Objects with many different keys would be rows of many empty fields: much memory for few bytes. */
#define MOST_KEYS 64

/* The key's place among the keys, where it is added if it is new; MOST_KEYS if there are too many. SIZE_MAX: no memory. */
static size_t key_index(csv_scan *scan, const csv_field *key, size_t likely) {
  for (size_t k = 0; k < scan->key_count; k++) {
    size_t at = (likely + k) % scan->key_count;
    const csv_field *one = &scan->keys[at];
    if (one->length == key->length && memcmp(one->text, key->text, key->length) == 0) return at;
  }
  if (scan->key_count == MOST_KEYS) return MOST_KEYS;
  if (!asci_grow(scan->context, &scan->keys, &scan->key_room, scan->key_count + 1, sizeof *scan->keys)) return SIZE_MAX;
  scan->keys[scan->key_count] = *key;
  return scan->key_count++;
}

/* The row becomes one field, where the text stops being what can be read; nothing is read behind it. */
static asc_status give_up(csv_scan *scan, csv_flaw flaw) {
  csv_field here = field_here(scan);
  here.flaw = flaw;
  scan->at = scan->end;
  scan->ended = true;
  if (!asci_grow(scan->context, &scan->fields, &scan->room, 1, sizeof *scan->fields)) return ASC_OUT_OF_MEMORY;
  scan->fields[0] = here;
  scan->count = 1;
  return ASC_OK;
}

/* Reads one member of an object: its value into the row or, with keys_only, its key into the list of them. */
static asc_status read_member(csv_scan *scan, bool keys_only, size_t likely, csv_flaw *flaw) {
  *flaw = CSV_FLAW_JSON;
  pass_spaces(scan);
  csv_field key = field_here(scan), value;
  if (scan->at == scan->end || *scan->at != '"') return ASC_OK;
  const char *begin = scan->at;
  asc_status status = read_string(scan, &key);
  if (status || key.flaw) return status;
  size_t at = key_index(scan, &key, likely);
  if (at == SIZE_MAX) return ASC_OUT_OF_MEMORY;
  if (at == MOST_KEYS) {
    scan->at = begin;
    *flaw = CSV_FLAW_KEYS;
    return ASC_OK;
  }
  if (!pass(scan, ':')) return ASC_OK;
  status = read_value(scan, &value);
  if (status || value.flaw == CSV_FLAW_JSON) return status;
  if (!keys_only) scan->fields[at] = value; /* of one key twice the last counts, as everywhere */
  *flaw = CSV_FLAW_NONE;
  return ASC_OK;
}

/* Reads one object; *flaw is what it is not. */
static asc_status read_object(csv_scan *scan, bool keys_only, csv_flaw *flaw) {
  *flaw = CSV_FLAW_JSON;
  if (!pass(scan, '{')) return ASC_OK;
  if (pass(scan, '}')) return *flaw = CSV_FLAW_NONE, ASC_OK;
  for (size_t k = 0;; k++) {
    asc_status status = read_member(scan, keys_only, k, flaw);
    if (status || *flaw) return status;
    if (pass(scan, ',')) continue;
    if (!pass(scan, '}')) *flaw = CSV_FLAW_JSON;
    return ASC_OK;
  }
}

/* All keys of the list, up to where it stops being one. *flaw: what its first object is not, and the scan stays where that shows; of a later object
   it shows when its row is read. */
static asc_status gather_keys(csv_scan *scan, csv_flaw *flaw) {
  const char *at = scan->at, *line_begin = scan->line_begin;
  uint32_t line = scan->line;
  csv_flaw later = CSV_FLAW_NONE;
  (void)pass(scan, '[');
  asc_status status = read_object(scan, true, flaw);
  if (status || *flaw) return status;
  while (!status && !later && pass(scan, ',')) status = read_object(scan, true, &later);
  scan->at = at;
  scan->line = line;
  scan->line_begin = line_begin;
  return status;
}

/* The first row: the keys. */
static asc_status key_row(csv_scan *scan) {
  scan->keyed = true;
  csv_flaw flaw = CSV_FLAW_NONE;
  asc_status status = gather_keys(scan, &flaw);
  if (status) return status;
  if (flaw) return give_up(scan, flaw);
  if (scan->key_count == 0) return give_up(scan, CSV_FLAW_JSON);
  if (!asci_grow(scan->context, &scan->fields, &scan->room, scan->key_count, sizeof *scan->fields)) return ASC_OUT_OF_MEMORY;
  memcpy(scan->fields, scan->keys, scan->key_count * sizeof *scan->keys);
  scan->count = scan->key_count;
  return ASC_OK;
}

/* Goes to the next object; false where the text is no list. *more: there is one. */
static bool find_object(csv_scan *scan, bool *more) {
  *more = !scan->within || pass(scan, ',');
  if (!scan->within) scan->within = pass(scan, '[');
  if (*more) return true;
  if (!pass(scan, ']')) return false;
  pass_spaces(scan);
  return scan->ended = scan->at == scan->end;
}

asc_status asci_json_row(csv_scan *scan, bool *more) {
  *more = !scan->ended;
  if (!*more) return ASC_OK;
  if (!scan->keyed) return key_row(scan);
  if (scan->at == scan->end || !find_object(scan, more)) return *more = true, give_up(scan, CSV_FLAW_JSON);
  if (!*more) return ASC_OK;
  pass_spaces(scan);
  csv_field place = field_here(scan);
  scan->count = scan->key_count;
  for (size_t k = 0; k < scan->count; k++) scan->fields[k] = place;
  csv_flaw flaw = CSV_FLAW_NONE;
  asc_status status = read_object(scan, false, &flaw);
  return status || !flaw ? status : give_up(scan, flaw);
}
