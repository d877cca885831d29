/* arenascope lower: a model's graph as a buffer CSV. */
#include "cli.h"

#include <string.h>

const cli_flag lower_flags[] = {
    {"input", "FILE", "graph CSV; - is standard input", NULL},
    {"output", "FILE", "where to write the buffer CSV; - is standard output, which is the default", NULL},
    {"for_sheets", NULL, FOR_SHEETS_HELP, NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static int lower(cli_input *in, cli_args *args, asc_context *context) {
  if (!in->is_graph) {
    complain("%s: is no graph CSV, expected rows that begin with tensor or op", in->path);
    return EXIT_USAGE;
  }
  if (!input_take_flags(in, args) || !args_all_known(args, 1) || !input_read(in, context, ASC_OFFSETS_FIXED))
    return EXIT_USAGE;
  input_say(in);
  if (!write_csv(args, args_text(args, "output", "-"), in->problem, NULL, NULL)) return EXIT_USAGE;
  asc_budgets budgets = asc_lowering_budgets(in->lowering);
  fprintf(stderr, "required %lld, half %lld, peak %lld\n", (long long)budgets.required, (long long)budgets.half,
          (long long)budgets.peak);
  return EXIT_SOLVED;
}

int cmd_lower(int argc, char **argv) {
  cli_flag flags[sizeof lower_flags / sizeof *lower_flags];
  memcpy(flags, lower_flags, sizeof flags);
  return input_command(flags, argc, argv, "a graph CSV", lower);
}
