/* Text that is somebody else's: ids and file names. A terminal obeys control characters, and shows what is behind some marks in another order. */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- UTF-8 ----------------------------------------------------------------------------------------------------------- */

/* Length of the UTF-8 sequence at text, 0 if it is none. */
static size_t sequence(const unsigned char *text) {
  size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : *text < 0xf5 ? 4 : 0;
  for (size_t k = 1; k < length; k++)
    if ((text[k] & 0xc0) != 0x80) return 0;
  bool overlong = (*text == 0xe0 && text[1] < 0xa0) || (*text == 0xf0 && text[1] < 0x90);
  bool beyond = (*text == 0xed && text[1] >= 0xa0) || (*text == 0xf4 && text[1] >= 0x90);
  return length > 2 && (overlong || beyond) ? 0 : length;
}

static uint32_t code_point(const unsigned char *at, size_t length) {
  static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = at[0] & lead[length];
  for (size_t k = 1; k < length; k++) code = code << 6 | (at[k] & 0x3f);
  return code;
}

/* Controls (C0 but the line's end, DEL, C1), marks and embeddings of direction, separators of lines and paragraphs. */
static bool is_obeyed(uint32_t code) {
  if (code < 0x20) return code != '\n';
  return (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* ---- for a terminal -------------------------------------------------------------------------------------------------- */

static void print_visible(FILE *file, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  while (*at) {
    size_t length = sequence(at);
    uint32_t code = length ? code_point(at, length) : *at;
    if (!length || (is_obeyed(code) && code < 0x80))
      fprintf(file, "\\x%02x", *at);
    else if (is_obeyed(code))
      fprintf(file, "\\u%04x", code);
    else
      fwrite(at, 1, length, file);
    at += length ? length : 1;
  }
}

static void print_list(FILE *file, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int bytes = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = bytes < 0 ? NULL : malloc((size_t)bytes + 1);
  if (text && vsnprintf(text, (size_t)bytes + 1, format, arguments) >= 0)
    print_visible(file, text);
  else
    fputs("out of memory", file);
  free(text);
}

void say(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_list(file, format, arguments);
  va_end(arguments);
}

void complain(const char *format, ...) {
  va_list arguments;
  fflush(stdout);
  fprintf(stderr, "arenascope: ");
  va_start(arguments, format);
  print_list(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

void print_json_text(FILE *file, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  fputc('"', file);
  while (*at) {
    size_t length = sequence(at);
    if (length == 0)
      fputs("\\ufffd", file), length = 1;
    else if (*at == '"' || *at == '\\')
      fprintf(file, "\\%c", *at);
    else if (is_obeyed(code_point(at, length)) || *at == '\n')
      fprintf(file, "\\u%04x", code_point(at, length));
    else
      fwrite(at, 1, length, file);
    at += length;
  }
  fputc('"', file);
}
