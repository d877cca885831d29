#include "../cli.h"

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
    {"proof", "FILE",
     "a certificate that there is no plan within so many bytes, of this problem, checked step by step; with --problem also "
     "the "
     "plan, which is optimal if it is of the least height that is left",
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

/* ---- certificates ------------------------------------------------------------------------------------------------------ */

static const char *proof_text(int64_t proven) {
  static char text[80];
  snprintf(text, sizeof text, "the certificate holds: no plan is within %s bytes", commas(proven));
  return text;
}

/* Checks the certificate. The exit code: EXIT_SOLVED if it holds and claims something. */
static int check_proof(const char *path, const asc_problem *problem, asc_context *context, int64_t *proven) {
  cli_input file = {0};
  asc_diag diag = {0};
  int code = EXIT_USAGE;
  if (input_load(&file, path, -1)) {
    asc_status status = asc_proof_check(context, problem, file.text, file.bytes, proven, &diag);
    if (status == ASC_BAD_INPUT)
      complain("%s:%u: %s: the certificate does not hold", path, diag.line, diag.message);
    else if (status)
      complain("%s: %s", path, diag.message);
    else if (*proven < 0)
      complain("%s: the certificate claims nothing", path);
    code = status && status != ASC_BAD_INPUT ? EXIT_USAGE : status || *proven < 0 ? EXIT_INFEASIBLE : EXIT_SOLVED;
  }
  input_free(&file);
  return code;
}

/* Of a problem alone: whether there is no plan within the capacity, or what is claimed if that is not given. */
static int check_claim(cli_input *in, const cli_args *args, asc_context *context) {
  int64_t proven = -1, capacity = -1;
  if (!input_read(in, context, ASC_OFFSETS_FIXED) || !input_capacity(in, args, &capacity)) return EXIT_USAGE;
  int code = check_proof(args_text(args, "proof", NULL), in->problem, context, &proven);
  if (code != EXIT_SOLVED) return code;
  bool enough = proven >= capacity;
  if (args_switch(args, "json"))
    printf("{\"valid\":%s,\"buffers\":%u,\"proven\":%lld}\n", enough ? "true" : "false", asc_problem_count(in->problem),
           (long long)proven);
  else
    printf("%s%s\n", proof_text(proven), enough ? "" : ", which is less than the capacity");
  return enough ? EXIT_SOLVED : EXIT_INFEASIBLE;
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

static void print_json(const asc_problem *problem, const asc_violation *violations, size_t count, bool valid, int64_t height,
                       const int64_t *proven) {
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
  putchar(']');
  if (proven)
    printf(",\"proven\":%lld,\"optimal\":%s", (long long)*proven, valid && *proven >= height - 1 ? "true" : "false");
  printf("}\n");
}

/* Validates, and prints every violation there is. A plan with strangers, buffers that the problem does not have, is not valid. */
static int report(const asc_problem *problem, const int64_t *offsets, int64_t capacity, size_t strangers, bool json,
                  const int64_t *proven) {
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
  bool valid = !count && !strangers, optimal = valid && proven && *proven >= height - 1;
  if (json)
    print_json(problem, violations, count, valid, height, proven);
  else {
    for (size_t k = 0; k < count; k++) print_violation(problem, offsets, &violations[k]);
    printf("%s: %s buffers, height %s, %s violation%s\n", valid ? "valid" : "invalid", commas(asc_problem_count(problem)),
           commas(height), commas((int64_t)count), count == 1 ? "" : "s");
    print_pools(stdout, problem, offsets);
    if (proven) printf("%s%s\n", proof_text(*proven), optimal ? ": the plan is optimal" : "");
  }
  free(violations);
  return valid ? EXIT_SOLVED : EXIT_INFEASIBLE;
}

/* given: path NULL if there is none but the plan. */
static int check(cli_input *plan, cli_input *given, const cli_args *args, asc_context *context) {
  const cli_input *problem = given->path ? given : plan;
  const char *proof = args_text(args, "proof", NULL);
  int64_t capacity = -1, proven = -1;
  if (proof && !given->path) return check_claim(plan, args, context);
  if (plan->is_graph || plan->is_tasks) {
    complain("%s: is a %s CSV, expected a buffer CSV with a column offset", plan->path, plan->is_graph ? "graph" : "task");
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
  int proved = proof ? check_proof(proof, problem->problem, context, &proven) : EXIT_SOLVED;
  if (proved != EXIT_SOLVED) return proved;
  size_t strangers = 0;
  int64_t *offsets = match(problem->problem, plan->csv, &strangers);
  if (!offsets) {
    complain("out of memory");
    return EXIT_USAGE;
  }
  int code = report(problem->problem, offsets, capacity, strangers, args_switch(args, "json"), proof ? &proven : NULL);
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
