/* What a command works on: a buffer CSV, or a graph or task CSV that becomes one. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Complains and returns false: the time is over. */
static bool give_up(cli_input *in) {
  complain("%s: the time of --timeout was over before all was read", in->path);
  in->late = true;
  return false;
}

bool input_load(cli_input *in, const char *path, double deadline) {
  *in = (cli_input){.path = path, .deadline = deadline};
  in->text = read_file(path, deadline, &in->bytes, &in->late);
  if (in->late) return give_up(in);
  in->is_graph = in->text && asc_graph_csv_is(in->text, in->bytes);
  in->is_tasks = in->text && asc_task_csv_is(in->text, in->bytes);
  return in->text != NULL;
}

/* What the options of a task CSV come to. */
static bool take_lifetimes(cli_input *in) {
  for (uint32_t k = 0; k < in->option_count; k++) {
    const asc_option_value *option = &in->options[k];
    uint32_t flag = strcmp(option->name, "io") == 0 ? ASC_TILES_IO : ASC_TILES_WHOLE;
    bool on = strcmp(option->value, "true") == 0;
    if (!on && strcmp(option->value, "false") != 0) {
      complain("--%s: is \"%s\", expected true or false", option->name, option->value);
      return false;
    }
    in->tile_flags = on ? in->tile_flags | flag : in->tile_flags & ~flag;
  }
  return true;
}

bool input_take_options(cli_input *in, cli_args *args, const asc_option *table, uint32_t count) {
  in->options = calloc(args->other_count + 1, sizeof *in->options);
  if (!in->options) {
    complain("out of memory");
    return false;
  }
  size_t left = 0;
  in->option_count = 0;
  for (size_t k = 0; k < args->other_count; k++)
    switch (option_read(table, count, &args->others[k], &in->options[in->option_count])) {
    case OPTION_READ:
      in->option_count++;
      break;
    case OPTION_UNKNOWN:
      args->others[left++] = args->others[k];
      break;
    case OPTION_BAD:
      return false;
    }
  args->other_count = left;
  return true;
}

/* --end and --columns. */
static bool take_assumptions(cli_input *in, const cli_args *args) {
  const char *end = args_text(args, "end", NULL);
  in->columns = args_text(args, "columns", NULL);
  if (in->columns && !*in->columns) {
    complain("--columns: is empty, expected a list like id,size,lower,upper");
    return false;
  }
  if (!end) return true;
  in->end = strcmp(end, "inclusive") == 0   ? ASC_END_INCLUSIVE
            : strcmp(end, "exclusive") == 0 ? ASC_END_EXCLUSIVE
                                            : ASC_END_BY_NAME;
  if (in->end == ASC_END_BY_NAME) complain("--end: is \"%s\", expected inclusive or exclusive", end);
  return in->end != ASC_END_BY_NAME;
}

bool input_take_flags(cli_input *in, cli_args *args) {
  if (!args_profile(args, &in->profile) || !take_assumptions(in, args)) return false;
  if (!in->is_graph && !in->is_tasks) return true;
  uint32_t count;
  const asc_option *table = in->is_graph ? asc_lower_options(&count) : task_options(&count);
  return input_take_options(in, args, table, count) && (in->is_graph || take_lifetimes(in));
}

/* Complains of every error as "file:line:column: field message". */
static bool well(const cli_input *in, asc_status status, const asc_diag *diags, size_t count) {
  if (!status) return true;
  for (size_t k = 0; k < count && k < MOST_DIAGS; k++) {
    /* what stands in the place of a header is no line of the file */
    if (in->columns && strcmp(diags[k].field, "header") == 0)
      say(stderr, "--columns: %s\n", diags[k].message);
    else
      say(stderr, "%s:%u:%u: %s %s\n", in->path, diags[k].line, diags[k].column, diags[k].field, diags[k].message);
  }
  if (count > MOST_DIAGS) say(stderr, "%s: and %zu more\n", in->path, count - MOST_DIAGS);
  if (count)
    complain("%zu error%s. Nothing was loaded.", count, count == 1 ? "" : "s");
  else
    complain("%s: %s", in->path, asc_status_text(status));
  return false;
}

static bool lower(cli_input *in) {
  asc_diag diag;
  asc_status status = asc_lower(in->graph, in->options, in->option_count, &in->lowering, &diag);
  if (status == ASC_BAD_OPTION)
    complain("--%s: %s", diag.field, diag.message);
  else if (status)
    complain("%s: %s %s", in->path, diag.field, diag.message);
  if (status) return false;
  in->as_read = asc_lowering_plain(in->lowering);
  status = asc_lowering_set_profile(in->lowering, in->profile, &diag);
  in->problem = asc_lowering_problem(in->lowering);
  if (status) refuse_profile(in->path, in->profile, &diag);
  return !status;
}

static bool tile(cli_input *in) {
  asc_diag diag = {0};
  asc_status status = asc_tiling_problem(in->tiling, in->tile_flags, &in->tiled, &diag);
  if (status) {
    complain("%s: %s %s", in->path, diag.field, *diag.message ? diag.message : asc_status_text(status));
    return false;
  }
  in->as_read = in->tiled;
  in->problem = in_profile(in->as_read, in->profile, in->path, &in->applied);
  return in->problem != NULL;
}

/* Whether every task reads what was written for it. */
static bool replays(const cli_input *in, const int64_t *places) {
  asc_misread first;
  size_t wrong = 1;
  asc_status status = asc_tiling_replay(in->tiling, places, &first, &wrong);
  if (status)
    complain("%s: the tasks cannot be replayed: %s", in->path, asc_status_text(status));
  else if (wrong)
    complain("%s: %s reads %s at %s, where other bytes lie", in->path,
             first.task == ASC_NONE ? "the end" : asc_tiling_task(in->tiling, first.task)->id,
             asc_tiling_tensor(in->tiling, first.tensor)->id, commas(first.address));
  return !status && !wrong;
}

/* Whether no two tensors share a byte that both need. */
static bool is_apart(const cli_input *in, const int64_t *places) {
  asc_tile_clash first;
  size_t wrong = 1;
  asc_status status = asc_tiling_clashes(in->tiling, places, &first, &wrong);
  if (status)
    complain("%s: the tensors cannot be held against each other: %s", in->path, asc_status_text(status));
  else if (wrong)
    complain("%s: %s and %s share address %s, which both need from %s on", in->path,
             asc_tiling_tensor(in->tiling, first.tensor)->id, asc_tiling_tensor(in->tiling, first.other)->id,
             commas(first.address),
             first.task < asc_tiling_task_count(in->tiling) ? asc_tiling_task(in->tiling, first.task)->id : "the end");
  return !status && !wrong;
}

bool input_judge(const cli_input *in, const int64_t *offsets) {
  uint32_t count = asc_tiling_tensor_count(in->tiling);
  int64_t *places = malloc((count + (size_t)1) * sizeof *places);
  if (!places) {
    complain("out of memory");
    return false;
  }
  for (uint32_t t = 0; t < count; t++) {
    uint32_t buffer = asc_problem_find(in->problem, asc_tiling_tensor(in->tiling, t)->id);
    places[t] = buffer == ASC_NONE ? ASC_UNPLACED : offsets[buffer];
  }
  bool fine = replays(in, places);
  fine = is_apart(in, places) && fine;
  free(places);
  return fine;
}

/* Stops between two slices of rows if the deadline has passed; late says so. */
static asc_status read_csv(cli_input *in, asc_context *context, asc_offset_column offsets, asc_diag *diags, size_t *count) {
  enum { ROWS = 1024 };
  asc_csv_reading *reading = NULL;
  bool more = true;
  asc_status status = asc_csv_reading_new(context, in->text, in->bytes, offsets, diags, MOST_DIAGS, &reading);
  if (!status) status = asc_csv_reading_assume(reading, in->end, in->columns);
  while (!status && more && !in->late) {
    status = asc_csv_reading_step(reading, ROWS, &more);
    in->late = more && is_late(in->deadline);
  }
  if (!status && !in->late) status = asc_csv_reading_end(reading, &in->csv, count);
  asc_csv_reading_free(reading);
  return status;
}

/* A TFLite model and a program of ExecuTorch have their mark behind the first offset; a pickle begins with its protocol; an ONNX model with its
 * version, as a field of one byte. */
static const char *model_kind(const char *text, size_t bytes) {
  if (bytes >= 8 && !memcmp(text + 4, "TFL3", 4)) return "a TFLite model";
  if (bytes >= 8 && !memcmp(text + 4, "ET12", 4)) return "a program of ExecuTorch";
  if (bytes >= 2 && (unsigned char)text[0] == 0x80 && text[1] >= 2 && text[1] <= 5) return "a pickle of Python's";
  return bytes >= 2 && text[0] == 0x08 && text[1] > 0 && text[1] < ' ' ? "an ONNX model" : NULL;
}

/* Whether the text has the words within its first half megabyte: a log may have much before them. */
static bool has_words(const char *text, size_t bytes, const char *words) {
  size_t length = strlen(words), end = bytes < (1u << 19) ? bytes : 1u << 19;
  for (size_t at = 0; at + length <= end; at++) {
    const char *found = memchr(text + at, words[0], end - length - at + 1);
    if (!found) return false;
    at = (size_t)(found - text);
    if (!memcmp(found, words, length)) return true;
  }
  return false;
}

/* A tool's text that is no table of ours: what the importers know it by. */
static const char *text_kind(const char *text, size_t bytes) {
  static const char *const kinds[][2] = {{"BufferAssignment:", "XLA's buffer assignment"},
                                         {"HloLiveRange", "XLA's live ranges"},
                                         {"stream.resource.pack", "IREE's intermediate code"},
                                         {"Start Time - End Time", "a log of Vela's"},
                                         {"\"traceEvents\"", "a trace of events"}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (has_words(text, bytes, kinds[k][0])) return kinds[k][1];
  return NULL;
}

static void say_importer(const cli_input *in, const char *kind) {
  complain("%s: this is %s, read by npx arenascope solve %s (in a checkout: build/arenascope-model.mjs)", in->path, kind,
           in->path);
}

bool input_read(cli_input *in, asc_context *context, asc_offset_column offsets) {
  asc_diag diags[MOST_DIAGS];
  size_t count = 0;
  const char *model = model_kind(in->text, in->bytes);
  if (model) {
    say_importer(in, model);
    return false;
  }
  asc_status status = in->is_graph ? asc_graph_csv_read(context, in->text, in->bytes, &in->graph, diags, MOST_DIAGS, &count)
                      : in->is_tasks
                          ? asc_task_csv_read(context, in->text, in->bytes, &in->tiling, diags, MOST_DIAGS, &count)
                          : read_csv(in, context, offsets, diags, &count);
  bool no_table = status == ASC_BAD_INPUT && count && diags[0].line == 1;
  const char *kind = no_table ? text_kind(in->text, in->bytes) : NULL;
  free(in->text);
  in->text = NULL;
  if (kind) {
    say_importer(in, kind);
    return false;
  }
  if (!status && in->late) return give_up(in);
  if (!well(in, status, diags, count)) return false;
  if (in->is_graph) return lower(in);
  if (in->is_tasks) return tile(in);
  in->as_read = asc_csv_problem(in->csv);
  in->problem = in_profile(in->as_read, in->profile, in->path, &in->applied);
  return in->problem != NULL;
}

void input_say(const cli_input *in) {
  const char *note;
  if (in->csv && *asc_csv_convention(in->csv))
    say(stderr, "%s: %s%s\n", in->path, asc_csv_convention(in->csv),
        in->end == ASC_END_BY_NAME && asc_csv_end_read(in->csv) != ASC_END_BY_NAME
            ? " (--end=inclusive|exclusive says otherwise)"
            : "");
  for (uint32_t k = 0; in->lowering && (note = asc_lowering_note(in->lowering, k)); k++)
    say(stderr, "%s: %s\n", in->path, note);
}

/* About half a minute on one core. */
#define PEAK_EFFORT (UINT64_C(1) << 26)

/* M_R, M_H or M_P, by number. */
static bool read_budget(const cli_input *in, size_t which, int64_t *capacity) {
  asc_budgets budgets = asc_lowering_budgets(in->lowering);
  bool proven = true;
  asc_status status = ASC_OK;
  if (in->any_order) status = asc_lowering_least_peak(in->lowering, which ? PEAK_EFFORT : 0, &budgets, &proven);
  if (status) {
    complain("--capacity: %s", asc_status_text(status));
    return false;
  }
  *capacity = which == 0 ? budgets.required : which == 1 ? budgets.half : budgets.peak;
  if (which && in->any_order && !proven)
    fprintf(stderr, "%s: %s bytes is the least peak found; that no order has a lower one was not proved\n", in->path,
            commas(budgets.peak));
  return true;
}

bool input_capacity(const cli_input *in, const cli_args *args, int64_t *capacity) {
  static const char *const presets[] = {"required", "half", "peak"};
  const char *text = args_text(args, "capacity", "");
  for (size_t k = 0; k < 3; k++) {
    if (strcmp(text, presets[k]) != 0) continue;
    if (!in->lowering) {
      complain("--capacity: %s is for model graphs, expected bytes", text);
      return false;
    }
    return read_budget(in, k, capacity);
  }
  if (!*text && profile_bytes(in->profile) >= 0) *capacity = profile_bytes(in->profile);
  return args_bytes(args, "capacity", capacity);
}

void input_free(cli_input *in) {
  asc_problem_free(in->applied);
  asc_problem_free(in->tiled);
  asc_tiling_free(in->tiling);
  asc_lowering_free(in->lowering);
  asc_graph_free(in->graph);
  asc_csv_free(in->csv);
  free(in->options);
  free(in->text);
}

int input_code(const cli_input *in) {
  return in->late ? EXIT_UNDECIDED : EXIT_USAGE;
}

int input_command(cli_flag *flags, int argc, char **argv, const char *expected,
                  int (*work)(cli_input *in, cli_args *args, asc_context *context)) {
  cli_args args;
  cli_input in = {0};
  asc_context *context = NULL;
  int code = EXIT_USAGE;
  bool read = args_read(&args, flags, argc, argv);
  const char *path = args_text(&args, "input", args.operand_count ? args.operands[0] : NULL);
  if (read && !path)
    complain("--input: is missing, expected %s", expected);
  else if (read && input_load(&in, path, -1) && new_context(&context))
    code = work(&in, &args, context);
  input_free(&in);
  asc_context_free(context);
  args_free(&args);
  return code;
}
