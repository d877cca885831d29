#ifndef ASCI_IO_CSV_BEGINS_H
#define ASCI_IO_CSV_BEGINS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text without a header begins with a record of that sort: its first field is one of the words, and the others do not name a lifespan and
   a size, as the columns of a buffer CSV do. O(length of that record). */
bool asci_csv_begins_with(const char *text, size_t bytes, const char *const *words, size_t count);

#endif
