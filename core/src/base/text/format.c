#include "base/text/format.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct writer {
  char *at, *end;
  bool cut;
} writer;

static void put(writer *to, const char *text, size_t length) {
  size_t room = (size_t)(to->end - to->at);
  if (length > room) length = room, to->cut = true;
  memcpy(to->at, text, length);
  to->at += length;
}

static void put_integer(writer *to, uint64_t size, bool negative) {
  char digits[21];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + size % 10);
  while (size /= 10);
  if (negative) digits[--at] = '-';
  put(to, digits + at, sizeof digits - at);
}

/* One conversion, from behind its % to its last letter. */
typedef struct conversion {
  const char *end;
  size_t precision; /* SIZE_MAX: none */
  bool star;        /* the next argument's */
  char length;      /* 0, 'l' for ll, 'z' */
} conversion;

/* The precision is that of the format or, for a star, the next argument's, whose sign no caller uses. */
static conversion read_conversion(const char *at, int star) {
  conversion read = {.precision = SIZE_MAX};
  if (*at == '.') {
    read.precision = 0;
    if (*++at == '*') at++, read.precision = (size_t)star, read.star = true;
    while (*at >= '0' && *at <= '9') read.precision = read.precision * 10 + (size_t)(*at++ - '0');
  }
  if (*at == 'z') read.length = *at++;
  if (at[0] == 'l' && at[1] == 'l') read.length = *at, at += 2;
  read.end = at;
  return read;
}

/* How much to keep of a text that is cut behind so many bytes: no half of a character (UTF-8). */
static size_t keep_whole(const char *text, size_t length) {
  size_t tail = 0;
  while (tail < 3 && tail < length && ((unsigned char)text[length - 1 - tail] & 0xc0) == 0x80) tail++;
  if (tail == length) return length;
  unsigned char lead = (unsigned char)text[length - 1 - tail];
  size_t follow = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0;
  return tail < follow ? length - 1 - tail : length;
}

size_t asci_format_list(char *out, size_t room, const char *format, va_list arguments) {
  if (!room) return 0;
  writer to = {out, out + room - 1, false};
  const char *percent;
  while ((percent = strchr(format, '%'))) {
    put(&to, format, (size_t)(percent - format));
    int star = percent[1] == '.' && percent[2] == '*' ? va_arg(arguments, int) : 0;
    conversion as = read_conversion(percent + 1, star);
    format = as.end + 1;
    if (*as.end == 's') {
      const char *text = va_arg(arguments, const char *);
      size_t length = 0;
      while (length < as.precision && text[length]) length++;
      put(&to, text, length == as.precision && !as.star ? keep_whole(text, length) : length);
    } else if (*as.end == 'd') {
      int64_t value = as.length == 'l'   ? va_arg(arguments, long long)
                      : as.length == 'z' ? va_arg(arguments, ptrdiff_t)
                                         : va_arg(arguments, int);
      put_integer(&to, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0);
    } else if (*as.end == 'u') {
      put_integer(&to,
                  as.length == 'l'   ? va_arg(arguments, unsigned long long)
                  : as.length == 'z' ? va_arg(arguments, size_t)
                                     : va_arg(arguments, unsigned),
                  false);
    } else if (*as.end == 'c') {
      char c = (char)va_arg(arguments, int);
      put(&to, &c, 1);
    } else if (*as.end == '%') {
      put(&to, "%", 1);
    } else {
      format = percent;
      break;
    }
  }
  put(&to, format, strlen(format));
  size_t written = (size_t)(to.at - out);
  if (to.cut) written = keep_whole(out, written);
  out[written] = 0;
  return written;
}

size_t asci_format(char *out, size_t room, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t written = asci_format_list(out, room, format, arguments);
  va_end(arguments);
  return written;
}
