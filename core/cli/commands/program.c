/* arenascope program: a packing for any solver of integer linear programs. */
#include "../cli.h"

#include <string.h>

const cli_flag program_flags[] = {
    {"input", "FILE", "buffer CSV, or a graph CSV that is lowered; - is standard input", NULL},
    {"output", "FILE", "where to write it, in the text format of LP solvers; - is standard output, which is the default",
     NULL},
    {"capacity", "BYTES", "bytes of memory that a plan may use", NULL},
    {"profile", "ID", PROFILE_HELP "gives a capacity", NULL},
    {"least", NULL, "asks for the least height within the capacity, not only for a plan", NULL},
    {"one_variable", NULL, "one variable for each pair, not two that exclude each other as in TelaMalloc's figure 5", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static int program(cli_input *in, cli_args *args, asc_context *context) {
  int64_t capacity = -1;
  asc_diag diag = {0};
  cli_output out;
  if (!input_take_flags(in, args) || !args_all_known(args, 1) || !input_read(in, context, ASC_OFFSETS_FIXED) ||
      !input_capacity(in, args, &capacity))
    return EXIT_USAGE;
  if (capacity < 0) {
    complain("--capacity: is missing, expected bytes");
    return EXIT_USAGE;
  }
  const asc_packing_lp kind = {args_switch(args, "least"), args_switch(args, "one_variable")};
  if (!output_open(&out, args_text(args, "output", "-"))) return EXIT_USAGE;
  asc_status status = asc_problem_lp(in->problem, capacity, kind, to_file, out.file, &diag);
  return output_end(&out, status, &diag);
}

int cmd_program(int argc, char **argv) {
  cli_flag flags[sizeof program_flags / sizeof *program_flags];
  memcpy(flags, program_flags, sizeof flags);
  return input_command(flags, argc, argv, "a buffer CSV or a graph CSV", program);
}
