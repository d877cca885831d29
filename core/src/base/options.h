/* Options: what there are, and the values that are given for them.
 *
 * One list says all of a set: what people read, what values there may be, and the struct that the values end up in.
 *
 *     #define MY_OPTIONS(X, T) \
 *       X(T, BOOL, phases, "Phases", "true", "Group buffers by contention.") \
 *       X(T, INT, tries, "Tries", "24", 1, 100, "Tries at a target.") \
 *       X(T, CHOICE, fit, "Fit", "first", "first|best", "Which gap is taken.") \
 *       X(T, TEXT, orders, "Orders", "WAT,TAW", "Orders in turn.")
 *
 *     ASCI_OPTION_VALUES(my_options, MY_OPTIONS);    typedef struct { bool phases; int64_t tries; uint32_t fit; const char *orders; } my_options
 *     ASCI_OPTION_TABLE(my_options, MY_OPTIONS);     the table of asc_options, and where in a my_options each value is */
#ifndef ASCI_BASE_OPTIONS_H
#define ASCI_BASE_OPTIONS_H

#include "asc/asc.h"

#include <stddef.h>

/* A CHOICE's value is its place among the choices. */
#define ASCI_VALUE_BOOL bool
#define ASCI_VALUE_INT int64_t
#define ASCI_VALUE_CHOICE uint32_t
#define ASCI_VALUE_TEXT const char *
#define ASCI_OPTION_VALUE(T, KIND, name, ...) ASCI_VALUE_##KIND name;
#define ASCI_OPTION_VALUES(T, LIST) \
  typedef struct T { \
    LIST(ASCI_OPTION_VALUE, T) \
  } T

#define ASCI_ROW_BOOL(name, title, initial, help) \
  { name, ASC_OPTION_BOOL, title, initial, 0, 0, NULL, help }
#define ASCI_ROW_INT(name, title, initial, least, most, help) \
  { name, ASC_OPTION_INT, title, initial, least, most, NULL, help }
#define ASCI_ROW_CHOICE(name, title, initial, choices, help) \
  { name, ASC_OPTION_CHOICE, title, initial, 0, 0, choices, help }
#define ASCI_ROW_TEXT(name, title, initial, help) \
  { name, ASC_OPTION_TEXT, title, initial, 0, 0, NULL, help }
#define ASCI_OPTION_ROW(T, KIND, name, ...) ASCI_ROW_##KIND(#name, __VA_ARGS__),
#define ASCI_OPTION_PLACE(T, KIND, name, ...) offsetof(T, name),
#define ASCI_OPTION_TABLE(T, LIST) \
  static const asc_option T##_table[] = {LIST(ASCI_OPTION_ROW, T)}; \
  static const uint16_t T##_places[] = {LIST(ASCI_OPTION_PLACE, T)}

typedef struct asci_option_table {
  const char *owner; /* for messages: "is no option of <owner>" */
  const asc_option *options;
  const uint16_t *places; /* of their values in the struct, in bytes */
  uint32_t count;
} asci_option_table;

/* values[table->count]: the defaults, and in their place what is given, the last of equal names, each value in its one canonical
   spelling; they point into the table and into what is given. Errors: UNKNOWN_OPTION, BAD_OPTION, BAD_ARGUMENT (no name or value); diag
   (may be NULL) names the option. */
asc_status asci_options_read(const asci_option_table *table, const asc_option_value *given, uint32_t count,
                             const char **values, asc_diag *diag);
/* Fills the struct from what asci_options_read gave; a TEXT stays where it is. */
void asci_options_fill(const asci_option_table *table, const char *const *values, void *filled);

/* Where the index-th of "a|b|c" begins; it ends at a bar or with the text. */
const char *asci_choice(const char *choices, uint32_t index);

#endif
