#include "cli.h"

#include <stdlib.h>
#include <string.h>

const cli_flag check_flags[] = {
    {"capacity", "BYTES",
     "memory that the plan may use; without it only the upper end is not checked; of a graph also required, half or peak",
     NULL},
    CSV_FLAGS,
    {"profile", "ID", PROFILE_HELP "gives the capacity as well", NULL},
    {"input", "FILE",
     "the plan: a buffer CSV with a column offset, or of a graph (--problem) a row for each stay; - is standard input",
     NULL},
    {"problem", "FILE", "the problem as it was given, for its fixed offsets, or a graph CSV; buffers are matched by id",
     NULL},
    {"json", NULL, "prints one JSON object on one line", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

/* The plan's offsets in the order of the problem's buffers. Complains of ids that only one of them has, and counts them. */
static int64_t *match(const asc_problem *problem, const asc_csv *plan, size_t *strangers) {
  const asc_problem *planned = asc_csv_problem(plan);
  int64_t *offsets = malloc(((size_t)asc_problem_count(problem) + 1) * sizeof *offsets);
  if (!offsets) return NULL;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    uint32_t other = asc_problem_find(planned, asc_problem_id(problem, b));
    offsets[b] = other == ASC_NONE ? ASC_UNPLACED : asc_csv_offsets(plan)[other];
  }
  *strangers = 0;
  for (uint32_t b = 0; b < asc_problem_count(planned); b++) {
    if (asc_problem_find(problem, asc_problem_id(planned, b)) != ASC_NONE) continue;
    complain("%s: is in the plan, but not in the problem", asc_problem_id(planned, b));
    ++*strangers;
  }
  return offsets;
}

static void print_place(const asc_problem *problem, const int64_t *offsets, uint32_t buffer) {
  const asc_buffer_spec *spec = asc_problem_buffer(problem, buffer);
  say(stdout, "%s", spec->id);
  if (offsets[buffer] == ASC_UNPLACED)
    printf(" (no offset)");
  else
    printf(" (offset %s, size %s, alive %s to %s)", commas(offsets[buffer]), commas(spec->size), commas(spec->lower),
           commas(spec->upper));
}

static void print_violation(const asc_problem *problem, const int64_t *offsets, const asc_violation *violation) {
  const asc_buffer_spec *spec = asc_problem_buffer(problem, violation->buffer);
  printf("%s: ", asc_violation_name(violation->kind));
  print_place(problem, offsets, violation->buffer);
  if (violation->kind == ASC_VIOLATION_OVERLAP) {
    printf(" and ");
    print_place(problem, offsets, violation->other);
  } else if (violation->kind == ASC_VIOLATION_MISALIGNED)
    printf(", expected a multiple of %s", commas(spec->alignment));
  else if (violation->kind == ASC_VIOLATION_MOVED)
    printf(", expected %s", commas(spec->offset));
  else if (violation->kind == ASC_VIOLATION_CROSSING)
    printf(", expected within one bank of %s", commas(spec->bank));
  putchar('\n');
}

static void print_json(const asc_problem *problem, const asc_violation *violations, size_t count, bool valid,
                       int64_t height) {
  printf("{\"valid\":%s,\"buffers\":%u,\"height\":%lld,\"lowerBound\":%lld,\"violations\":[", valid ? "true" : "false",
         asc_problem_count(problem), (long long)height, (long long)asc_problem_lower_bound(problem));
  for (size_t k = 0; k < count; k++) {
    printf("%s{\"kind\":\"%s\",\"buffer\":", k ? "," : "", asc_violation_name(violations[k].kind));
    print_json_text(stdout, asc_problem_id(problem, violations[k].buffer));
    if (violations[k].other != ASC_NONE) {
      printf(",\"other\":");
      print_json_text(stdout, asc_problem_id(problem, violations[k].other));
    }
    putchar('}');
  }
  printf("]}\n");
}

/* Validates, and prints every violation there is. A plan with strangers, buffers that the problem does not have, is not valid. */
static int report(const asc_problem *problem, const int64_t *offsets, int64_t capacity, size_t strangers, bool json) {
  size_t count = 0;
  asc_status status = asc_validate(problem, offsets, capacity, NULL, 0, &count);
  asc_violation *violations = malloc((count + 1) * sizeof *violations);
  if (!status && violations) status = asc_validate(problem, offsets, capacity, violations, count, &count);
  if (status || !violations) {
    complain("%s", asc_status_text(status ? status : ASC_OUT_OF_MEMORY));
    free(violations);
    return EXIT_USAGE;
  }
  int64_t height = asc_height(problem, offsets);
  bool valid = !count && !strangers;
  if (json)
    print_json(problem, violations, count, valid, height);
  else {
    for (size_t k = 0; k < count; k++) print_violation(problem, offsets, &violations[k]);
    printf("%s: %s buffers, height %s, %s violation%s\n", valid ? "valid" : "invalid", commas(asc_problem_count(problem)),
           commas(height), commas((int64_t)count), count == 1 ? "" : "s");
    print_pools(stdout, problem, offsets);
  }
  free(violations);
  return valid ? EXIT_SOLVED : EXIT_INFEASIBLE;
}

/* given: path NULL if there is none but the plan. */
static int check(cli_input *plan, cli_input *given, const cli_args *args, asc_context *context) {
  const cli_input *problem = given->path ? given : plan;
  int64_t capacity = -1;
  if (plan->is_graph) {
    complain("%s: is a graph CSV, expected a buffer CSV with a column offset", plan->path);
    return EXIT_USAGE;
  }
  if (stays_are(plan->text, plan->bytes)) {
    if (given->path && !input_read(given, context, ASC_OFFSETS_FIXED)) return EXIT_USAGE;
    given->any_order = true;
    if (given->lowering && !input_capacity(given, args, &capacity)) return EXIT_USAGE;
    return check_stays(plan, given, capacity, args_switch(args, "json"));
  }
  if (!input_read(plan, context, ASC_OFFSETS_SOLUTION) || (given->path && !input_read(given, context, ASC_OFFSETS_FIXED)) ||
      !input_capacity(problem, args, &capacity))
    return EXIT_USAGE;
  if (!asc_csv_offsets(plan->csv)) {
    complain("%s: offset is missing, expected a column offset", plan->path);
    return EXIT_USAGE;
  }
  if (capacity < 0) capacity = no_capacity(problem->problem);
  size_t strangers = 0;
  int64_t *offsets = match(problem->problem, plan->csv, &strangers);
  if (!offsets) {
    complain("out of memory");
    return EXIT_USAGE;
  }
  int code = report(problem->problem, offsets, capacity, strangers, args_switch(args, "json"));
  free(offsets);
  return code;
}

int cmd_check(int argc, char **argv) {
  cli_flag flags[sizeof check_flags / sizeof *check_flags];
  memcpy(flags, check_flags, sizeof flags);
  cli_args args;
  cli_input plan = {0}, given = {0};
  asc_context *context = NULL;
  int code = EXIT_USAGE;
  bool read = args_read(&args, flags, argc, argv);
  const char *input = args_text(&args, "input", args.operand_count ? args.operands[0] : NULL);
  const char *original = args_text(&args, "problem", NULL);
  if (read && !input)
    complain("--input: is missing, expected a buffer CSV with a column offset");
  else if (read && input_load(&plan, input, -1) && (!original || input_load(&given, original, -1)) &&
           input_take_flags(original ? &given : &plan, &args) && args_all_known(&args, 1) && new_context(&context))
    code = check(&plan, &given, &args, context);
  input_free(&plan);
  input_free(&given);
  asc_context_free(context);
  args_free(&args);
  return code;
}
