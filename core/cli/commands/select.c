/* arenascope select: which buffers of a model live in a small fast memory, as a buffer CSV of two pools. */
#include "asc/select.h"
#include "../cli.h"

#include <stdlib.h>
#include <string.h>

const cli_flag select_flags[] = {
    {"input", "FILE", "graph CSV; - is standard input", NULL},
    {"output", "FILE", "where to write the buffer CSV with its plan, of the pool fast and the main one; nowhere by default",
     NULL},
    {"for_sheets", NULL, FOR_SHEETS_HELP, NULL},
    {"capacity", "BYTES", "bytes of the fast memory, or required, half or peak", NULL},
    {"profile", "ID", PROFILE_HELP "gives a capacity", NULL},
    {"repacker", "ID", "the solver that packs anew what has no room (telamalloc), or none; its options are taken too", NULL},
    {"repack", "with|placed",
     "the newcomer with the others (the default), or the others alone, as XLA does, then the newcomer is tried", NULL},
    {"most_repacks", "N", "how often at most (50)", NULL},
    {"steps", "N", "of each repack at most (20000); 0: no limit", NULL},
    {"seed", "N", "of the repacker", NULL},
    {"ratio", "N", "bytes a second of the fast memory for each of the slow one (10), for what is gained", NULL},
    {"json", NULL, "prints the result as JSON", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

enum { MOST_RATIO = 1000000, SLICE = 4096 };

typedef struct choice {
  asc_select_config config;
  asc_option_value *options; /* own: the repacker's */
  int64_t ratio;
} choice;

/* The repacker; what of the flags nobody knows are options of it. Complains and returns false if that cannot be. */
static bool read_repacker(const cli_args *args, choice *c) {
  const char *id = args_text(args, "repacker", c->config.repacker.solver);
  const asc_solver_info *info = asc_solver_find(id);
  c->config.repacker.solver = strcmp(id, "none") == 0 ? NULL : id;
  if (!c->config.repacker.solver) return args_all_known(args, 1);
  if (!info || info->domain != ASC_DOMAIN_BUFFERS) {
    complain("--repacker: is \"%s\", expected none or a solver of buffers, see arenascope solvers", id);
    return false;
  }
  c->options = solver_options_read(info, args);
  c->config.repacker.options = c->options;
  c->config.repacker.option_count = (uint32_t)args->other_count;
  return c->options != NULL && args_no_more(args, 1);
}

static bool read_choice(cli_args *args, choice *c) {
  int64_t most = c->config.most_repacks, steps = (int64_t)c->config.repacker.budget;
  const char *with = args_text(args, "repack", "with");
  c->ratio = 10;
  bool placed = strcmp(with, "placed") == 0;
  if (!placed && strcmp(with, "with") != 0) {
    complain("--repack: is \"%s\", expected with or placed", with);
    return false;
  }
  if (!args_number(args, "most_repacks", 0, &most) || !args_number(args, "steps", 0, &steps) ||
      !args_number(args, "ratio", 1, &c->ratio) || !args_seed(args, "seed", &c->config.repacker.seed))
    return false;
  if (most > UINT32_MAX || c->ratio > MOST_RATIO) {
    complain("--%s: is too large, expected at most %lld", most > UINT32_MAX ? "most_repacks" : "ratio",
             most > UINT32_MAX ? (long long)UINT32_MAX : (long long)MOST_RATIO);
    return false;
  }
  c->config.with = !placed;
  c->config.most_repacks = (uint32_t)most;
  c->config.repacker.budget = (uint64_t)steps;
  return true;
}

/* How often faster all accesses are than from slow memory alone, if nothing but memory takes time. */
static double speed_up(const asc_select_stats *stats, int64_t ratio) {
  double all = (double)stats->bytes, fast = (double)stats->fast_bytes;
  double left = all - fast + fast / (double)ratio;
  return left > 0 ? all / left : 1;
}

static const char *const verdicts[] = {
    [ASC_SELECT_WAITS] = "waits",     [ASC_SELECT_FITS] = "fits",     [ASC_SELECT_REPACKED] = "repacked",
    [ASC_SELECT_NO_ROOM] = "no room", [ASC_SELECT_UNUSED] = "unused",
};

static void print_json(const cli_input *in, const choice *c, const asc_selection *selection) {
  uint32_t count;
  const asc_select_row *rows = asc_select_rows(selection, &count);
  asc_select_stats s = asc_select_stats_get(selection);
  printf("{\"capacity\": %lld, \"repacker\": ", (long long)c->config.capacity);
  print_json_text(stdout, c->config.repacker.solver ? c->config.repacker.solver : "none");
  printf(", \"repack\": \"%s\", \"count\": %u, \"fast\": %u, \"bytes\": %lld, \"fastBytes\": %lld",
         c->config.with ? "with" : "placed", s.count, s.fast, (long long)s.bytes, (long long)s.fast_bytes);
  printf(", \"repacks\": %u, \"repacked\": %u, \"steps\": %llu, \"ratio\": %lld, \"speedUp\": %.6f,\n \"buffers\": [",
         s.repacks, s.repacked, (unsigned long long)s.steps, (long long)c->ratio, speed_up(&s, c->ratio));
  for (uint32_t k = 0; k < count; k++) {
    printf("%s\n  {\"id\": ", k ? "," : "");
    print_json_text(stdout, asc_problem_id(in->problem, rows[k].buffer));
    printf(", \"accesses\": %u, \"bytes\": %lld, \"verdict\": \"%s\"", rows[k].accesses, (long long)rows[k].bytes,
           verdicts[rows[k].verdict]);
    if (rows[k].offset != ASC_UNPLACED) printf(", \"offset\": %lld", (long long)rows[k].offset);
    printf("}");
  }
  printf("\n ]}\n");
}

static void print_words(FILE *file, const choice *c, const asc_selection *selection) {
  asc_select_stats s = asc_select_stats_get(selection);
  say(file, "fast memory      %s of %s buffers, in %s bytes\n", commas(s.fast), commas(s.count), commas(c->config.capacity));
  say(file, "bytes moved      %s of %s by fast memory\n", commas(s.fast_bytes), commas(s.bytes));
  say(file, "repacks          %s of %s made room, by %s\n", commas(s.repacked), commas(s.repacks),
      c->config.repacker.solver ? c->config.repacker.solver : "nobody");
  say(file, "speed-up         %.3f, were memory all that takes time, and fast memory %s times as fast\n",
      speed_up(&s, c->ratio), commas(c->ratio));
}

static bool write_plan(const cli_args *args, const asc_selection *selection, const char *path) {
  asc_problem *problem = NULL;
  uint32_t count;
  (void)asc_select_rows(selection, &count);
  int64_t *offsets = malloc((count ? count : 1) * sizeof *offsets);
  asc_status status = offsets ? asc_select_problem(selection, &problem, offsets) : ASC_OUT_OF_MEMORY;
  if (status) complain("%s: %s", path, asc_status_text(status));
  bool written = !status && write_csv(args, path, problem, NULL, offsets);
  asc_problem_free(problem);
  free(offsets);
  return written;
}

static int run_selection(const cli_input *in, const cli_args *args, const choice *c) {
  asc_selection *selection = NULL;
  asc_diag diag = {0};
  asc_status status = asc_select_new(in->lowering, &c->config, &selection, &diag);
  if (status)
    complain("%s%s%s%s", *diag.field ? "--" : "", diag.field, *diag.field ? ": " : "",
             *diag.message ? diag.message : asc_status_text(status));
  bool over = false;
  while (!status && !over && !signals_came()) status = asc_select_step(selection, SLICE, &over);
  if (selection && status) complain("%s: %s", in->path, asc_status_text(status));
  const char *path = args_text(args, "output", NULL);
  if (!status && path && !write_plan(args, selection, path)) status = ASC_BAD_INPUT;
  if (!status && args_switch(args, "json"))
    print_json(in, c, selection);
  else if (!status)
    print_words(path && output_is_standard(path) ? stderr : stdout, c, selection);
  asc_select_free(selection);
  return status ? EXIT_USAGE : over ? EXIT_SOLVED : EXIT_UNDECIDED;
}

static int choose(cli_input *in, cli_args *args, asc_context *context, choice *c) {
  if (!in->is_graph) {
    complain("%s: is no graph CSV, expected rows that begin with tensor or op", in->path);
    return EXIT_USAGE;
  }
  if (!input_take_flags(in, args) || !read_repacker(args, c) || !read_choice(args, c) ||
      !input_read(in, context, ASC_OFFSETS_FIXED) || !input_capacity(in, args, &c->config.capacity))
    return EXIT_USAGE;
  if (c->config.capacity < 0) {
    complain("--capacity: is missing, expected the bytes of the fast memory");
    return EXIT_USAGE;
  }
  input_say(in);
  return run_selection(in, args, c);
}

static int select_fast(cli_input *in, cli_args *args, asc_context *context) {
  choice c = {.config = asc_select_config_default(-1)};
  int code = choose(in, args, context, &c);
  free(c.options);
  return code;
}

int cmd_select(int argc, char **argv) {
  cli_flag flags[sizeof select_flags / sizeof *select_flags];
  memcpy(flags, select_flags, sizeof flags);
  return input_command(flags, argc, argv, "a graph CSV", select_fast);
}
