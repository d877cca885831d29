/* JSON, as far as the manifest needs it: texts, integers and objects of texts, appended to an output's text. */
#ifndef ASC_WASM_JSON_H
#define ASC_WASM_JSON_H

#include "outputs.h"

static void put_json_text(outputs *out, const char *text) {
  append(out, "\"", 1);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') append(out, "\\", 1);
    if (c >= 0x20) {
      append(out, text, 1);
    } else {
      char escape[6] = {'\\', 'u', '0', '0', (char)('0' + (c >> 4)), "0123456789abcdef"[c & 15]};
      append(out, escape, sizeof escape);
    }
  }
  append(out, "\"", 1);
}

/* A digit sequence by hand: stdio would bring system calls into the module. */
static void put_json_integer(outputs *out, int64_t value) {
  char digits[20];
  size_t at = sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do digits[--at] = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0) digits[--at] = '-';
  append(out, digits + at, sizeof digits - at);
}

/* The key carries its own comma where it is not the first. */
static void put_member(outputs *out, const char *key, const char *text) {
  put(out, key);
  put_json_text(out, text ? text : "");
}

static void put_integer_member(outputs *out, const char *key, int64_t value) {
  put(out, key);
  put_json_integer(out, value);
}

/* One {...} of texts: names and values in turn. */
static void put_row(outputs *out, bool first, const char *const *members, size_t pairs) {
  put(out, first ? "{" : ",{");
  for (size_t i = 0; i < pairs; i++) {
    if (i) put(out, ",");
    put_json_text(out, members[2 * i]);
    put_member(out, ":", members[2 * i + 1]);
  }
  put(out, "}");
}

static void put_rows(outputs *out, const char *const *rows, size_t count, size_t width) {
  for (size_t k = 0; k < count; k++) put_row(out, k == 0, rows + k * width, width / 2);
}

#endif
