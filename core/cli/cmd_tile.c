/* arenascope tile: a model's graph, or what a plan of it leaves in the memory outside, as a task CSV. */
#include "cli.h"

#include <string.h>

const cli_flag tile_flags[] = {
    {"input", "FILE", "graph CSV; - is standard input", NULL},
    {"output", "FILE", "where to write the task CSV; - is standard output, which is the default", NULL},
    {"capacity", "BYTES", "memory on the chip, in which a tile of the output lies beside all that it needs", NULL},
    {"profile", "ID", PROFILE_HELP "gives the capacity", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

static bool write_text(void *file, const char *text, size_t bytes) {
  return fwrite(text, 1, bytes, file) == bytes;
}

static bool write_tasks(const cli_args *args, const asc_tiling *tiling) {
  cli_output out;
  if (!output_open(&out, args_text(args, "output", "-"))) return false;
  asc_status status = asc_task_csv_write(tiling, write_text, out.file);
  return output_close(&out, !status) && !status;
}

/* Complains and returns false if there is none. */
static bool read_capacity(const cli_input *in, const cli_args *args, int64_t *capacity) {
  *capacity = profile_bytes(in->profile);
  if (!args_bytes(args, "capacity", capacity)) return false;
  if (*capacity >= 0) return true;
  complain(in->profile ? "--capacity: is missing, for how much memory %s has is not public"
                       : "--capacity: is missing, expected the bytes on the chip, or --profile",
           in->profile ? in->profile->id : "");
  return false;
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
  if (!input_read(in, context, ASC_OFFSETS_FIXED) || !args_profile(args, &in->profile) ||
      !input_take_options(in, args, options, count) || !args_all_known(args, 1) || !read_capacity(in, args, &capacity))
    return EXIT_USAGE;
  asc_status status = asc_graph_tile(in->graph, in->options, in->option_count, capacity, &in->tiling, &diag);
  if (status == ASC_BAD_OPTION)
    complain("--%s: %s", diag.field, diag.message);
  else if (status)
    complain("%s: %s%s%s", in->path, diag.field, *diag.field ? " " : "",
             *diag.message ? diag.message : asc_status_text(status));
  if (status) return EXIT_USAGE;
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
