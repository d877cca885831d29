/* arenascope lower: a model's graph as a buffer CSV. */
#include "../cli.h"

#include <string.h>

const cli_flag lower_flags[] = {
    {"input", "FILE", "graph CSV; - is standard input", NULL},
    {"output", "FILE", "where to write the buffer CSV; - is standard output, which is the default", NULL},
    {"for_sheets", NULL, FOR_SHEETS_HELP, NULL},
    {"lp", "FILE",
     "where to write the least traffic within --capacity as an integer linear program in place of the CSV, for any solver "
     "of such; "
     "- is standard output",
     NULL},
    {"lp_model", "MODEL",
     "addresses: COSMA's equations (1) to (12), the default; capacity: without addresses; gaps: in the given order, which "
     "tensors are out between which uses",
     NULL},
    {"capacity", "BYTES", "of the program: bytes, required, half or peak", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static bool read_model(const cli_args *args, asc_lp_model *model) {
  static const char *const names[] = {"addresses", "capacity", "gaps"};
  const char *name = args_text(args, "lp_model", names[0]);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    *model = (asc_lp_model)k;
    if (strcmp(name, names[k]) == 0) return true;
  }
  complain("--lp_model: is \"%s\", expected addresses, capacity or gaps", name);
  return false;
}

static int write_lp(cli_input *in, const cli_args *args, const char *path) {
  asc_lp_model model;
  int64_t capacity = -1;
  asc_diag diag = {0};
  cli_output out;
  in->any_order = true;
  if (!read_model(args, &model) || !input_capacity(in, args, &capacity)) return EXIT_USAGE;
  if (capacity < 0) {
    complain("--capacity: is missing, expected bytes");
    return EXIT_USAGE;
  }
  if (!output_open(&out, path)) return EXIT_USAGE;
  asc_status status = asc_lowering_lp(in->lowering, capacity, model, to_file, out.file, &diag);
  return output_end(&out, status, &diag);
}

static int lower(cli_input *in, cli_args *args, asc_context *context) {
  if (!in->is_graph) {
    complain("%s: is no graph CSV, expected rows that begin with tensor or op", in->path);
    return EXIT_USAGE;
  }
  const char *lp = args_text(args, "lp", NULL);
  static const char *const of_programs[] = {"capacity", "lp_model"};
  for (size_t k = 0; !lp && k < sizeof of_programs / sizeof *of_programs; k++) {
    if (!args_text(args, of_programs[k], NULL)) continue;
    complain("--%s: there is no such flag without --lp", of_programs[k]);
    return EXIT_USAGE;
  }
  if (!input_take_flags(in, args) || !args_all_known(args, 1) || !input_read(in, context, ASC_OFFSETS_FIXED))
    return EXIT_USAGE;
  input_say(in);
  if (lp) return write_lp(in, args, lp);
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
