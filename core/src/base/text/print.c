#include "base/text/print.h"

#include <stdarg.h>
#include <stdio.h>

void asci_print(asci_printer *printer, const char *format, ...) {
  char text[200];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (!printer->stopped && length > 0) printer->stopped = !printer->sink(printer->user, text, (size_t)length);
}
