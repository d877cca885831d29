#include "../cli.h"

#include <string.h>

const cli_flag generate_flags[] = {
    {"n", "N", "number of buffers (default 40)", NULL},
    {"seed", "N", "the same seed gives the same problem everywhere (default 0)", NULL},
    {"output", "FILE", "where to write the CSV; - is standard output, which is the default", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static bool known_kind(const char *kind) {
  const char *name;
  for (uint32_t k = 0; (name = asc_generate_kind(k, NULL)) != NULL; k++)
    if (strcmp(name, kind) == 0) return true;
  complain("there is no kind \"%s\"; see arenascope help generate", kind);
  return false;
}

/* The capacity goes to stdout, or to stderr when the CSV goes to stdout. */
static int generate(asc_context *context, const cli_args *args, uint32_t n, uint64_t seed) {
  const char *output = args_text(args, "output", "-");
  asc_problem *problem = NULL;
  int64_t capacity = 0;
  asc_status status = asc_generate(context, args->operands[0], n, seed, &problem, &capacity);
  if (status) {
    complain("%s", asc_status_text(status));
    return EXIT_USAGE;
  }
  bool written = write_csv(args, output, problem, NULL, NULL);
  if (written) fprintf(output_is_standard(output) ? stderr : stdout, "capacity %lld\n", (long long)capacity);
  asc_problem_free(problem);
  return written ? EXIT_SOLVED : EXIT_USAGE;
}

int cmd_generate(int argc, char **argv) {
  cli_flag flags[sizeof generate_flags / sizeof *generate_flags];
  memcpy(flags, generate_flags, sizeof flags);
  cli_args args;
  asc_context *context = NULL;
  int64_t n = 40;
  uint64_t seed = 0;
  int code = EXIT_USAGE;
  bool read = args_read(&args, flags, argc, argv) && args_all_known(&args, 1) && args_number(&args, "n", 1, &n) &&
              args_seed(&args, "seed", &seed);
  if (read && !args.operand_count) {
    complain("the kind is missing; see arenascope help generate");
    read = false;
  }
  if (read && n > ASC_MAX_BUFFERS) {
    complain("--n: is %s, expected at most %s", commas(n), commas(ASC_MAX_BUFFERS));
    read = false;
  }
  if (read && known_kind(args.operands[0]) && new_context(&context)) code = generate(context, &args, (uint32_t)n, seed);
  asc_context_free(context);
  args_free(&args);
  return code;
}
