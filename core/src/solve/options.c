#include "solve/run.h"

#include "base/diag.h"
#include "base/format.h"

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

static uint32_t find_option(const asc_solver_info *info, const char *name) {
  for (uint32_t k = 0; k < info->option_count; k++)
    if (!strcmp(info->options[k].name, name)) return k;
  return ASC_NONE;
}

/* One spelling for each value, so that equal configurations have equal digests. */
static const char *canonical(const asc_option *option, const char *value) {
  if (option->type == ASC_OPTION_BOOL) return is_true(value) ? "true" : "false";
  while (option->type == ASC_OPTION_INT && value[0] == '0' && value[1]) value++;
  return value;
}

static asc_status apply(asc_run *run, const asc_run_config *config, const char **values, asc_diag *diag) {
  const asc_solver_info *info = &run->solver->info;
  for (uint32_t k = 0; k < info->option_count; k++) values[k] = info->options[k].initial;
  for (uint32_t k = 0; k < config->option_count; k++) {
    const asc_option_value *given = &config->options[k];
    if (!given->name || !given->value) return asci_complain(diag, ASC_BAD_ARGUMENT, "", "an option has no name or value");
    uint32_t index = find_option(info, given->name);
    if (index == ASC_NONE) return asci_complain(diag, ASC_UNKNOWN_OPTION, given->name, "is no option of %s", info->id);
    asc_status status = check_value(&info->options[index], given->value, diag);
    if (status) return status;
    values[index] = canonical(&info->options[index], given->value);
  }
  return ASC_OK;
}

asc_status asci_options_parse(asc_run *run, const asc_run_config *config, asc_diag *diag) {
  uint32_t count = run->solver->info.option_count;
  run->options = asci_alloc(run->context, count, sizeof *run->options);
  if (!run->options) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the options");
  asc_status status = apply(run, config, run->options, diag);
  if (status) return status;
  size_t bytes = 0;
  for (uint32_t k = 0; k < count; k++) bytes += strlen(run->options[k]) + 1;
  run->option_text = asci_alloc(run->context, bytes, 1);
  if (!run->option_text) return asci_complain(diag, ASC_OUT_OF_MEMORY, "", "there is no memory for the options");
  char *at = run->option_text;
  for (uint32_t k = 0; k < count; k++) {
    size_t length = strlen(run->options[k]) + 1;
    memcpy(at, run->options[k], length);
    run->options[k] = at;
    run->config_digest = asci_fold_text(run->config_digest, at);
    at += length;
  }
  return ASC_OK;
}

void asci_options_free(asc_run *run) {
  asci_free(run->context, run->option_text);
  asci_free(run->context, run->options);
}

bool asci_option_bool(const asc_run *run, uint32_t index) {
  return is_true(run->options[index]);
}

int64_t asci_option_int(const asc_run *run, uint32_t index) {
  const asc_option *option = &run->solver->info.options[index];
  int64_t value = 0;
  parse_int(run->options[index], option->min, option->max, &value);
  return value;
}

const char *asci_option_text(const asc_run *run, uint32_t index) {
  return run->options[index];
}

uint32_t asci_option_choice(const asc_run *run, uint32_t index) {
  int found = find_choice(run->solver->info.options[index].choices, run->options[index]);
  return found < 0 ? 0 : (uint32_t)found;
}
