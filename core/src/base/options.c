#include "base/options.h"

#include "base/diag.h"
#include "base/text/format.h"

#include <string.h>

static bool is_true(const char *text) {
  return !strcmp(text, "true") || !strcmp(text, "1") || !strcmp(text, "yes") || !strcmp(text, "on");
}

static bool is_false(const char *text) {
  return !strcmp(text, "false") || !strcmp(text, "0") || !strcmp(text, "no") || !strcmp(text, "off");
}

/* Decimal digits with an optional minus, within low .. high. */
static bool parse_int(const char *text, int64_t low, int64_t high, int64_t *value) {
  bool negative = *text == '-';
  uint64_t sum = 0;
  const char *at = text + negative;
  if (!*at || (negative && *at == '0')) return false; /* -0, -07: a second spelling */
  for (; *at; at++) {
    if (*at < '0' || *at > '9' || sum > (uint64_t)INT64_MAX / 10) return false;
    sum = sum * 10 + (uint64_t)(*at - '0');
  }
  if (sum > INT64_MAX) return false;
  *value = negative ? -(int64_t)sum : (int64_t)sum;
  return *value >= low && *value <= high;
}

/* Index of text among "a|b|c", or -1. */
static int find_choice(const char *choices, const char *text) {
  size_t length = strlen(text);
  for (int k = 0;; k++) {
    const char *end = strchr(choices, '|');
    size_t item = end ? (size_t)(end - choices) : strlen(choices);
    if (item == length && !memcmp(choices, text, length)) return k;
    if (!end) return -1;
    choices = end + 1;
  }
}

static asc_status check_value(const asc_option *option, const char *value, asc_diag *diag) {
  int64_t number;
  char expected[96];
  switch (option->type) {
  case ASC_OPTION_BOOL:
    if (is_true(value) || is_false(value)) return ASC_OK;
    asci_format(expected, sizeof expected, "true or false");
    break;
  case ASC_OPTION_INT:
    if (parse_int(value, option->min, option->max, &number)) return ASC_OK;
    asci_format(expected, sizeof expected, "a whole number, %lld to %lld", (long long)option->min, (long long)option->max);
    break;
  case ASC_OPTION_CHOICE:
    if (find_choice(option->choices, value) >= 0) return ASC_OK;
    asci_format(expected, sizeof expected, "one of %.80s", option->choices);
    break;
  default:
    if (strlen(value) <= 255) return ASC_OK;
    asci_format(expected, sizeof expected, "at most 255 bytes");
  }
  return asci_complain(diag, ASC_BAD_OPTION, option->name, "is \xe2\x80\x9c%.60s\xe2\x80\x9d, expected %s", value, expected);
}

static uint32_t find_option(const asci_option_table *table, const char *name) {
  for (uint32_t k = 0; k < table->count; k++)
    if (!strcmp(table->options[k].name, name)) return k;
  return ASC_NONE;
}

/* One spelling for each value, so that equal configurations have equal digests. */
static const char *canonical(const asc_option *option, const char *value) {
  if (option->type == ASC_OPTION_BOOL) return is_true(value) ? "true" : "false";
  while (option->type == ASC_OPTION_INT && value[0] == '0' && value[1]) value++;
  return value;
}

asc_status asci_options_read(const asci_option_table *table, const asc_option_value *given, uint32_t count,
                             const char **values, asc_diag *diag) {
  for (uint32_t k = 0; k < table->count; k++) values[k] = table->options[k].initial;
  for (uint32_t k = 0; k < count; k++) {
    if (!given[k].name || !given[k].value)
      return asci_complain(diag, ASC_BAD_ARGUMENT, "", "an option has no name or value");
    uint32_t index = find_option(table, given[k].name);
    if (index == ASC_NONE) return asci_complain(diag, ASC_UNKNOWN_OPTION, given[k].name, "is no option of %s", table->owner);
    asc_status status = check_value(&table->options[index], given[k].value, diag);
    if (status) return status;
    values[index] = canonical(&table->options[index], given[k].value);
  }
  return ASC_OK;
}

static void fill(const asc_option *option, const char *value, char *place) {
  bool flag;
  uint32_t choice;
  int64_t number = 0;
  switch (option->type) {
  case ASC_OPTION_BOOL:
    flag = is_true(value);
    memcpy(place, &flag, sizeof flag);
    break;
  case ASC_OPTION_INT:
    parse_int(value, option->min, option->max, &number);
    memcpy(place, &number, sizeof number);
    break;
  case ASC_OPTION_CHOICE:
    choice = (uint32_t)find_choice(option->choices, value);
    memcpy(place, &choice, sizeof choice);
    break;
  default:
    memcpy(place, &value, sizeof value);
  }
}

void asci_options_fill(const asci_option_table *table, const char *const *values, void *filled) {
  for (uint32_t k = 0; k < table->count; k++) fill(&table->options[k], values[k], (char *)filled + table->places[k]);
}

const char *asci_choice(const char *choices, uint32_t index) {
  for (; index; index--) choices = strchr(choices, '|') + 1;
  return choices;
}
