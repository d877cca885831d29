/* Text from a printf format, for what the library says and writes: libc's own would bring the printing of floating-point numbers into
 * the WASM module, a tenth of it. */
#ifndef ASCI_BASE_FORMAT_H
#define ASCI_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Writes as snprintf would, for the conversions %s, %.Ns (bytes, but no half of a character in UTF-8), %.*s (bytes), %c, %d, %u, with ll
   or z before d and u, and %%; what does not fit in `room` bytes is cut, where a character begins, and a NUL ends it unless room is 0. Of any other conversion the argument's size is not known: the rest of the
   format is then copied as it is. Returns the bytes written without the NUL. O(bytes written). */
size_t asci_format(char *out, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t asci_format_list(char *out, size_t room, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

#endif
