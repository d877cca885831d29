/* Bytes to a problem and a configuration, for the fuzz targets. Every sequence of bytes means something; missing ones are 0. */
#ifndef FUZZ_PROBLEM_BYTES_H
#define FUZZ_PROBLEM_BYTES_H

#include <string.h>

#include "asc/asc.h"

#include "demand.h"

typedef struct input {
  const uint8_t *data;
  size_t size, at;
} input;

static inline uint8_t take(input *in) {
  return in->at < in->size ? in->data[in->at++] : 0;
}

/* Mostly small numbers; one in sixteen near the top of the range. */
static inline int64_t take_number(input *in, int64_t most) {
  uint8_t first = take(in);
  int64_t value = first % 16 == 15 ? ASC_MAX_BYTES - take(in) : first;
  return value <= most ? value : most ? value % most : 0;
}

static inline uint32_t take_gaps(input *in, const asc_buffer_spec *spec, asc_gap gaps[3]) {
  uint32_t count = 0;
  int64_t from = spec->lower;
  while (count < 3 && from + 1 < spec->upper && take(in) % 4 == 3) {
    asc_gap *gap = &gaps[count++];
    gap->lower = from + take_number(in, spec->upper - from - 1);
    gap->upper = gap->lower + 1 + take_number(in, spec->upper - gap->lower - 1);
    gap->window_lower = gap->window_upper = 0;
    if (spec->size && take(in) % 2) {
      gap->window_lower = take_number(in, spec->size - 1);
      gap->window_upper = gap->window_lower + 1 + take_number(in, spec->size - gap->window_lower - 1);
    }
    from = gap->upper;
  }
  return count;
}

/* Frozen problem of up to 24 buffers; rows that a problem refuses are left out. */
static inline asc_problem *take_problem(asc_context *context, input *in) {
  asc_problem *problem = NULL;
  demand(asc_problem_new(context, &problem) == ASC_OK);
  uint8_t features = take(in);
  uint32_t rows = take(in) % 25u;
  for (uint32_t row = 0; row < rows; row++) {
    char id[8];
    asc_gap gaps[3];
    asc_buffer_spec spec = {.id = id, .alignment = 1, .offset = ASC_UNPLACED, .hint = ASC_UNPLACED, .gaps = gaps};
    snprintf(id, sizeof id, "r%u", row);
    spec.lower = take(in) - 100;
    spec.upper = spec.lower + 1 + take_number(in, ASC_MAX_BYTES);
    spec.size = take_number(in, ASC_MAX_BYTES);
    if (features & 1) spec.alignment = 1 + take_number(in, ASC_MAX_BYTES - 1);
    if ((features & 2) && take(in) % 4 == 0) spec.offset = take_number(in, ASC_MAX_BYTES) / spec.alignment * spec.alignment;
    if ((features & 4) && take(in) % 2) spec.hint = take_number(in, ASC_MAX_BYTES);
    if (features & 8) spec.gap_count = take_gaps(in, &spec, gaps);
    if ((features & 16) && take(in) % 2) spec.bank = spec.size + take_number(in, ASC_MAX_BYTES - spec.size);
    asc_diag diag;
    asc_status status = asc_problem_add(problem, &spec, &diag);
    demand(status == ASC_OK || diag.message[0]);
  }
  demand(asc_problem_freeze(problem, NULL) == ASC_OK);
  return problem;
}

static inline const char *take_choice(input *in, const char *choices, char *text, size_t room) {
  uint32_t count = 1;
  for (const char *c = choices; *c; c++) count += *c == '|';
  for (uint32_t skip = take(in) % count; skip; skip--) choices = strchr(choices, '|') + 1;
  snprintf(text, room, "%.*s", (int)strcspn(choices, "|"), choices);
  return text;
}

enum { FUZZ_OPTIONS = 24, FUZZ_TEXT = 48 };
typedef struct setting {
  asc_option_value values[FUZZ_OPTIONS];
  char text[FUZZ_OPTIONS][FUZZ_TEXT];
} setting;

/* A run of some solver with some options, or NULL if the solver refuses the problem or an option's text. */
static inline asc_run *take_run(const asc_problem *problem, input *in, setting *set, asc_run_config *config) {
  uint32_t count = asc_solver_count();
  while (asc_solver_at(count - 1)->domain != ASC_DOMAIN_BUFFERS) count--; /* they come first */
  const asc_solver_info *solver = asc_solver_at(take(in) % count);
  int64_t capacity = asc_problem_lower_bound(problem) + take(in) - 8;
  *config = asc_run_config_default(solver->id, capacity < 0 ? 0 : capacity < ASC_MAX_BYTES ? capacity : ASC_MAX_BYTES);
  config->seed = take(in);
  config->budget = 4000;
  if ((solver->goals >> ASC_GOAL_HEIGHT & 1) && take(in) % 2 == 0 && take(in) % 2) config->goal = ASC_GOAL_HEIGHT;
  config->options = set->values;
  for (uint32_t o = 0; o < solver->option_count && o < FUZZ_OPTIONS; o++) {
    const asc_option *option = &solver->options[o];
    char *text = set->text[config->option_count];
    if (take(in) % 2) continue;
    if (option->type == ASC_OPTION_CHOICE) take_choice(in, option->choices, text, FUZZ_TEXT);
    if (option->type == ASC_OPTION_BOOL) snprintf(text, FUZZ_TEXT, "%s", take(in) % 2 ? "true" : "false");
    if (option->type == ASC_OPTION_INT)
      snprintf(text, FUZZ_TEXT, "%lld", (long long)(option->min + take_number(in, option->max - option->min)));
    if (option->type == ASC_OPTION_TEXT) {
      const char *letters =
          strcmp(option->name, "portfolio") == 0 || strcmp(option->name, "bound_arms") == 0 ? "0124WATZHKR," : "ACLOTUWZ,";
      uint32_t length = take(in) % 12u, choices = (uint32_t)strlen(letters);
      for (uint32_t k = 0; k < length; k++) text[k] = letters[take(in) % choices];
      text[length] = 0;
    }
    set->values[config->option_count++] = (asc_option_value){option->name, text};
  }
  asc_run *run = NULL;
  asc_diag diag = {0};
  asc_status status = asc_run_new(asc_input_buffers(problem), config, &run, &diag);
  demand(status == ASC_OK || status == ASC_UNSUPPORTED || status == ASC_BAD_OPTION);
  demand(status == ASC_OK || (diag.status == status && diag.message[0]));
  return run;
}

#endif
