#include "cli.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static cli_flag *flag_named(const cli_args *args, const char *name, size_t length) {
  for (cli_flag *flag = args->flags; flag->name; flag++)
    if (strlen(flag->name) == length && strncmp(flag->name, name, length) == 0) return flag;
  return NULL;
}

static const asc_option *option_named(const asc_option *options, uint32_t count, const char *name) {
  for (uint32_t k = 0; k < count; k++)
    if (strcmp(options[k].name, name) == 0) return &options[k];
  return NULL;
}

/* Whether the lowering or any solver has an option of that name that needs a value, which the next argument may be: a switch of task CSVs has
   the name of a number of COSMA's. */
static bool option_takes_value(const char *name, const char *next) {
  uint32_t count;
  const asc_option *tasks = task_options(&count);
  if (option_named(tasks, count, name) && !isdigit((unsigned char)*next)) return false;
  const asc_option *table = asc_lower_options(&count), *option = option_named(table, count, name);
  if (strncmp(name, SOLVER_PREFIX, strlen(SOLVER_PREFIX)) == 0) name += strlen(SOLVER_PREFIX);
  for (uint32_t s = 0; !option && s < asc_solver_count(); s++)
    option = option_named(asc_solver_at(s)->options, asc_solver_at(s)->option_count, name);
  return option && option->type != ASC_OPTION_BOOL;
}

option_reading option_read(const asc_option *options, uint32_t count, const cli_other *other, asc_option_value *value) {
  const asc_option *option = option_named(options, count, other->name);
  bool negated = false;
  if (!option && !other->value && strncmp(other->name, "no", 2) == 0) {
    option = option_named(options, count, other->name + 2);
    negated = true;
  }
  if (!option || (negated && option->type != ASC_OPTION_BOOL)) return OPTION_UNKNOWN;
  *value = (asc_option_value){option->name, negated ? "false" : other->value ? other->value : "true"};
  if (option->type == ASC_OPTION_BOOL && truth(value->value)) value->value = truth(value->value);
  if (option->type == ASC_OPTION_BOOL || other->value) return OPTION_READ;
  complain("--%s: is missing its value", other->name);
  return OPTION_BAD;
}

static bool read_solver_option(const asc_solver_info *solver, const cli_other *other, asc_option_value *value) {
  cli_other own = *other;
  if (strncmp(own.name, SOLVER_PREFIX, strlen(SOLVER_PREFIX)) == 0) own.name += strlen(SOLVER_PREFIX);
  option_reading reading = option_read(solver->options, solver->option_count, &own, value);
  if (reading == OPTION_UNKNOWN)
    complain("--%s: neither a flag nor an option of %s; see arenascope solvers %s", other->name, solver->id, solver->id);
  return reading == OPTION_READ;
}

asc_option_value *solver_options_read(const asc_solver_info *solver, const cli_args *args) {
  asc_option_value *values = calloc(args->other_count + 1, sizeof *values);
  bool well = values != NULL;
  if (!well) complain("out of memory");
  for (size_t k = 0; k < args->other_count && well; k++) well = read_solver_option(solver, &args->others[k], &values[k]);
  if (well) return values;
  free(values);
  return NULL;
}

static bool add_other(cli_args *args, const char *name, const char *value) {
  cli_other *more = realloc(args->others, (args->other_count + 1) * sizeof *more);
  if (!more) {
    complain("out of memory");
    return false;
  }
  args->others = more;
  more[args->other_count++] = (cli_other){name, value};
  return true;
}

static bool set_flag(cli_flag *flag, const char *value) {
  if (flag->argument) {
    flag->value = value;
    if (!value) complain("--%s: is missing its value, expected --%s=%s", flag->name, flag->name, flag->argument);
    return value != NULL;
  }
  flag->value = value ? truth(value) : "true";
  if (!flag->value) complain("--%s: is \"%s\", expected true or false", flag->name, value);
  return flag->value != NULL;
}

/* argv[*k] begins with a dash; takes the next argument, too, if it is the value. */
static bool read_flag(cli_args *args, int argc, char **argv, int *k) {
  char *name = argv[*k] + (argv[*k][1] == '-' ? 2 : 1);
  char *equals = strchr(name, '=');
  size_t length = equals ? (size_t)(equals - name) : strlen(name);
  for (size_t c = 0; c < length; c++) /* --as-printed is --as_printed; argv is ours to change */
    if (name[c] == '-') name[c] = '_';
  const char *value = equals ? equals + 1 : NULL;
  cli_flag *flag = flag_named(args, name, length);
  if (!flag && !value && strncmp(name, "no", 2) == 0) {
    flag = flag_named(args, name + 2, length - 2);
    if (flag && !flag->argument) return set_flag(flag, "false");
    flag = NULL;
  }
  if (!value && *k + 1 < argc && (flag ? flag->argument != NULL : option_takes_value(name, argv[*k + 1])))
    value = argv[++*k];
  if (flag) return set_flag(flag, value);
  if (equals) *equals = 0;
  return add_other(args, name, value);
}

bool args_read(cli_args *args, cli_flag *flags, int argc, char **argv) {
  *args = (cli_args){.flags = flags};
  bool only_operands = false;
  for (int k = 1; k < argc; k++) {
    if (!only_operands && strcmp(argv[k], "--") == 0) {
      only_operands = true;
    } else if (!only_operands && argv[k][0] == '-' && argv[k][1]) {
      if (!read_flag(args, argc, argv, &k)) return false;
    } else if (args->operand_count == sizeof args->operands / sizeof *args->operands) {
      complain("\"%s\": is one operand too many", argv[k]);
      return false;
    } else
      args->operands[args->operand_count++] = argv[k];
  }
  return true;
}

void args_free(cli_args *args) {
  free(args->others);
  args->others = NULL;
}

bool args_no_more(const cli_args *args, size_t most) {
  if (args_text(args, "input", NULL)) most--; /* it says what the operand would */
  if (args->operand_count > most) complain("\"%s\": is one operand too many", args->operands[most]);
  return args->operand_count <= most;
}

bool args_all_known(const cli_args *args, size_t most) {
  if (args->other_count) {
    complain("--%s: there is no such flag", args->others[0].name);
    return false;
  }
  return args_no_more(args, most);
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

const char *args_text(const cli_args *args, const char *name, const char *otherwise) {
  const cli_flag *flag = flag_named(args, name, strlen(name));
  return flag && flag->value ? flag->value : otherwise;
}

bool args_switch(const cli_args *args, const char *name) {
  return strcmp(args_text(args, name, "false"), "true") == 0;
}

const char *truth(const char *text) {
  static const char *const words[] = {"true", "1", "yes", "t", "y", "false", "0", "no", "f", "n"};
  for (size_t k = 0; k < 10; k++)
    if (strcasecmp(text, words[k]) == 0) return k < 5 ? "true" : "false";
  return NULL;
}

/* Decimal digits only; false if there are none or they exceed `most`. */
static bool read_digits(const char **text, uint64_t most, uint64_t *value) {
  uint64_t sum = 0;
  if (**text < '0' || **text > '9') return false;
  for (; **text >= '0' && **text <= '9'; ++*text) {
    uint64_t digit = (uint64_t)(**text - '0');
    if (sum > (most - digit) / 10) return false;
    sum = sum * 10 + digit;
  }
  *value = sum;
  return true;
}

bool args_number(const cli_args *args, const char *name, int64_t least, int64_t *value) {
  const char *text = args_text(args, name, NULL), *at = text;
  uint64_t read;
  if (!text) return true;
  if (read_digits(&at, (uint64_t)ASC_MAX_BYTES, &read) && !*at && (int64_t)read >= least) {
    *value = (int64_t)read;
    return true;
  }
  complain("--%s: is \"%s\", expected a whole number from %s", name, text, commas(least));
  return false;
}

bool args_seed(const cli_args *args, const char *name, uint64_t *value) {
  const char *text = args_text(args, name, NULL), *at = text;
  if (!text || (read_digits(&at, UINT64_MAX, value) && !*at)) return true;
  complain("--%s: is \"%s\", expected a whole number below 2^64", name, text);
  return false;
}

bool args_bytes(const cli_args *args, const char *name, int64_t *value) {
  static const struct {
    const char *name;
    uint64_t bytes;
  } units[] = {{"", 1},        {"B", 1},         {"K", 1 << 10}, {"KiB", 1 << 10},
               {"M", 1 << 20}, {"MiB", 1 << 20}, {"G", 1 << 30}, {"GiB", 1 << 30}};
  const char *text = args_text(args, name, NULL), *at = text;
  uint64_t read;
  if (!text) return true;
  if (read_digits(&at, (uint64_t)ASC_MAX_BYTES, &read))
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
      if (strcasecmp(at, units[k].name) == 0 && read <= (uint64_t)ASC_MAX_BYTES / units[k].bytes) {
        *value = (int64_t)(read * units[k].bytes);
        return true;
      }
  complain("--%s: is \"%s\", expected bytes from 0 to %s, perhaps with KiB, MiB or GiB", name, text, commas(ASC_MAX_BYTES));
  return false;
}

/* 100 years. */
#define MOST_SECONDS (876600.0 * 3600)

/* Passes one number with its unit and returns its seconds, or -1. */
static double read_duration(const char **at) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
  size_t length = strspn(*at, "0123456789.");
  char *end;
  double amount = length ? strtod(*at, &end) : -1;
  if (length == 0 || end != *at + length) return -1;
  *at += length;
  for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
    size_t unit = strlen(units[k].name);
    if (strncmp(*at, units[k].name, unit) != 0) continue;
    *at += unit;
    return amount * units[k].seconds;
  }
  return amount == 0 ? 0 : -1; /* only 0 may go without a unit */
}

bool args_seconds(const cli_args *args, const char *name, double *value) {
  const char *text = args_text(args, name, NULL), *at = text;
  if (!text) return true;
  if (strcmp(text, "inf") == 0) {
    *value = -1;
    return true;
  }
  double sum = 0, part = 0;
  while (*at && part >= 0) sum += part = read_duration(&at);
  if (*text && part >= 0 && sum <= MOST_SECONDS) {
    *value = sum;
    return true;
  }
  if (*text && part >= 0)
    complain("--%s: is \"%s\", expected at most 876600h, which are 100 years, or inf", name, text);
  else
    complain("--%s: is \"%s\", expected a duration like 10s, 500ms or 1m30s", name, text);
  return false;
}

bool args_deadline(const cli_args *args, double *deadline) {
  double seconds = -1;
  bool read = args_seconds(args, "timeout", &seconds);
  *deadline = seconds < 0 ? -1 : now() + seconds;
  return read;
}
