/* Text that is made piece by piece for a caller's sink. */
#ifndef ASCI_BASE_PRINT_H
#define ASCI_BASE_PRINT_H

#include "asc/asc.h"

typedef struct asci_printer {
  asc_sink sink;
  void *user;
  bool stopped; /* the sink wants no more: nothing is given to it then */
} asci_printer;

/* A piece of less than 200 bytes, as printf makes it. */
void asci_print(asci_printer *printer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
