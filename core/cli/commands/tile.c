/* arenascope tile: a model's graph, or what a plan of it leaves in the memory outside, as a task CSV. */
#include "../cli.h"

#include <string.h>

const cli_flag tile_flags[] = {
    {"input", "FILE", "graph CSV; - is standard input", NULL},
    {"output", "FILE", "where to write the task CSV; - is standard output, which is the default", NULL},
    {"capacity", "BYTES", "memory on the chip, in which a tile of the output lies beside all that it needs", NULL},
    {"profile", "ID", PROFILE_HELP "gives the capacity", NULL},
    {"plan", "FILE",
     "a plan of the graph, a row for each stay as solve --goal=traffic writes it: tiles what lies outside, of which at most "
     "the "
     "capacity is copied at once (without one, whole tensors)",
     NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static bool write_tasks(const cli_args *args, const asc_tiling *tiling) {
  cli_output out;
  if (!output_open(&out, args_text(args, "output", "-"))) return false;
  asc_status status = asc_task_csv_write(tiling, to_file, out.file);
  return output_close(&out, !status) && !status;
}

/* any: there need not be one. Complains and returns false if there is none. */
static bool read_capacity(const cli_input *in, const cli_args *args, bool any, int64_t *capacity) {
  *capacity = profile_bytes(in->profile);
  if (!args_bytes(args, "capacity", capacity)) return false;
  if (any && *capacity < 0) *capacity = ASC_MAX_BYTES;
  if (*capacity >= 0) return true;
  complain(in->profile ? "--capacity: is missing, for how much memory %s has is not public"
                       : "--capacity: is missing, expected the bytes on the chip, or --profile",
           in->profile ? in->profile->id : "");
  return false;
}

/* Of what the plan in that file leaves outside. Complains and returns false if it cannot. */
static bool tile_plan(cli_input *in, const char *path, int64_t capacity, asc_status *status, asc_diag *diag) {
  cli_input file = {0};
  asc_plan plan;
  size_t count = 0;
  bool read = input_load(&file, path, -1), is_plan = read && stays_are(file.text, file.bytes);
  if (read && !is_plan) complain("%s: is no plan with a row for each stay", path);
  bool well = is_plan && stays_read(&file, in, &plan);
  if (well) {
    asc_input input = asc_input_graph(in->lowering);
    *status = asc_plan_validate(&input, &plan, INT64_MAX, NULL, 0, &count);
    if (!*status && !count)
      *status = asc_plan_tile(in->graph, &plan, in->options, in->option_count, capacity, &in->tiling, diag);
    stays_free(&plan);
  }
  if (count) complain("%s: is not valid, see arenascope check", path);
  input_free(&file);
  return well && !count;
}

static int tile(cli_input *in, cli_args *args, asc_context *context) {
  if (!in->is_graph) {
    complain("%s: is no graph CSV, expected rows that begin with tensor or op", in->path);
    return EXIT_USAGE;
  }
  uint32_t count;
  int64_t capacity;
  const asc_option *options = asc_tile_options(&count);
  asc_diag diag = {0};
  const char *plan = args_text(args, "plan", NULL);
  if (!input_read(in, context, ASC_OFFSETS_FIXED) || !args_profile(args, &in->profile) ||
      !input_take_options(in, args, options, count) || !args_all_known(args, 1) ||
      !read_capacity(in, args, plan != NULL, &capacity))
    return EXIT_USAGE;
  asc_status status = ASC_OK;
  if (!plan)
    status = asc_graph_tile(in->graph, in->options, in->option_count, capacity, &in->tiling, &diag);
  else if (!tile_plan(in, plan, capacity, &status, &diag))
    return EXIT_USAGE;
  if (status == ASC_BAD_OPTION)
    complain("--%s: %s", diag.field, diag.message);
  else if (status)
    complain("%s: %s%s%s", in->path, diag.field, *diag.field ? " " : "",
             *diag.message ? diag.message : asc_status_text(status));
  if (status) return EXIT_USAGE;
  if (!asc_tiling_task_count(in->tiling)) {
    complain("%s: there is nothing to copy or to work on", plan ? plan : in->path);
    return EXIT_USAGE;
  }
  if (!write_tasks(args, in->tiling)) return EXIT_USAGE;
  fprintf(stderr, "%s tensors, %s tasks\n", commas(asc_tiling_tensor_count(in->tiling)),
          commas(asc_tiling_task_count(in->tiling)));
  return EXIT_SOLVED;
}

int cmd_tile(int argc, char **argv) {
  cli_flag flags[sizeof tile_flags / sizeof *tile_flags];
  memcpy(flags, tile_flags, sizeof flags);
  return input_command(flags, argc, argv, "a graph CSV", tile);
}
