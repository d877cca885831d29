/* Values of options, checked against the table that describes them. */
#ifndef ASCI_BASE_OPTIONS_H
#define ASCI_BASE_OPTIONS_H

#include "asc/asc.h"

typedef struct asci_option_table {
  const char *owner; /* for messages: "is no option of <owner>" */
  const asc_option *options;
  uint32_t count;
} asci_option_table;

/* values[table->count]: the defaults, and in their place what is given, the last of equal names, each value in its one canonical
   spelling; they point into the table and into what is given. Errors: UNKNOWN_OPTION, BAD_OPTION, BAD_ARGUMENT (no name or value); diag
   (may be NULL) names the option. */
asc_status asci_options_read(const asci_option_table *table, const asc_option_value *given, uint32_t count,
                             const char **values, asc_diag *diag);

/* Of a BOOL's value. */
bool asci_is_true(const char *value);
/* Of an INT's value; false if it is none within the option's range. */
bool asci_option_number(const asc_option *option, const char *value, int64_t *number);
/* Index of text among "a|b|c", or -1. */
int asci_find_choice(const char *choices, const char *text);

#endif
