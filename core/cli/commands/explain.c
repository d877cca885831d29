/* arenascope explain: why a problem does not fit, as a set of buffers that does not fit alone. */
#include "../cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cli_flag explain_flags[] = {
    {"capacity", "BYTES", "memory that the plan may use; of a graph also required, half or peak", NULL},
    CSV_FLAGS,
    {"profile", "ID", PROFILE_HELP "gives the capacity as well", NULL},
    {"input", "FILE", "buffer CSV or graph CSV; - is standard input", NULL},
    {"output", "FILE", "where to write the set as a CSV with all its columns; - is standard output", NULL},
    {"steps", "N", "budget in search steps, for the proof and for making the set smaller", NULL},
    {"seed", "N", "of the searches", NULL},
    {"timeout", "DURATION",
     "ends reading and search after a time like 10s, 500ms or 1m30s with the set known by then; the outcome is time-spent",
     NULL},
    {"json", NULL, "prints one JSON object on one line", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

typedef struct request {
  cli_input in;
  const char *output;
  int64_t capacity, budget;
  uint64_t seed;
  double deadline; /* in now()'s seconds; negative: none */
  bool late;       /* it ended the search */
  bool json;
} request;

/* ---- working it out -------------------------------------------------------------------------------------------------- */

static void cancel_explain(void *explain) {
  asc_explain_cancel(explain);
}

static void show_progress(const asc_explanation *got) {
  if (got->buffers)
    fprintf(stderr, "\r%s steps, %s buffers left, %s of them needed\033[K", commas((int64_t)got->steps), commas(got->count),
            commas(got->tried));
  else
    fprintf(stderr, "\r%s steps, looking for a proof\033[K", commas((int64_t)got->steps));
}

/* Steps it to its end. Returns false if the library reports a failure. */
static bool drive(asc_explain *explain, double deadline) {
  bool terminal = isatty(STDERR_FILENO), shown = false;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = ASC_OK;
  uint64_t slice = 1;
  double before = now(), drawn = before;
  if (is_late(deadline)) asc_explain_cancel(explain);
  while (!status && outcome == ASC_OUTCOME_RUNNING) {
    status = asc_explain_step(explain, slice, &outcome);
    double after = now();
    slice = next_slice(slice, after - before);
    before = after;
    if (deadline >= 0 && after >= deadline) asc_explain_cancel(explain);
    if (!terminal || after - drawn <= 0.2) continue;
    asc_explanation got;
    asc_explain_get(explain, &got);
    show_progress(&got);
    shown = true;
    drawn = after;
  }
  if (shown) fputs("\r\033[K", stderr);
  if (status && status != ASC_OUT_OF_MEMORY) complain("%s", asc_status_text(status));
  return status == ASC_OK || status == ASC_OUT_OF_MEMORY; /* the outcome says that there was no memory */
}

/* ---- words ----------------------------------------------------------------------------------------------------------- */

/* A set proves that there is no plan, however the rest of the work ended. */
static const char *verdict(const request *r, const asc_explanation *got) {
  return ended_id(got->buffers ? ASC_OUTCOME_INFEASIBLE : got->outcome, r->late);
}

/* A buffer that fits nowhere. */
static void print_misfit(FILE *file, const asc_buffer_spec *spec, int64_t capacity) {
  if (spec->size > capacity)
    fprintf(file, "This buffer alone takes %s bytes, %s more than the capacity of %s.\n", commas(spec->size),
            commas(spec->size - capacity), commas(capacity));
  else
    fprintf(file, "This buffer is fixed at %s and ends at %s, %s above the capacity of %s bytes.\n", commas(spec->offset),
            commas(spec->offset + spec->size), commas(spec->offset + spec->size - capacity), commas(capacity));
}

static void print_section(FILE *file, const asc_section *section, uint32_t count, int64_t capacity) {
  fprintf(file, "The %s buffers alive from time %s to %s take %s bytes, %s more than the capacity of %s",
          commas(section->live), commas(section->lower), commas(section->upper), commas(section->load),
          commas(section->load - capacity), commas(capacity));
  if (count < section->live) fprintf(file, "; %s of them are too much", commas(count));
  fprintf(file, ".\n");
}

static void print_puzzle(FILE *file, uint32_t all, uint32_t count, int64_t capacity) {
  fprintf(file, "No section holds more than the capacity of %s bytes, and yet ", commas(capacity));
  if (count < all)
    fprintf(file, "these %s of the %s buffers have no plan together.\n", commas(count), commas(all));
  else
    fprintf(file, "its %s buffers have no plan together.\n", commas(count));
}

/* The paragraph: how much is asked of how much, by whom, when. */
static void print_reason(FILE *file, const asc_problem *problem, const asc_explanation *got, int64_t run_capacity) {
  const asc_pool *pool = asc_problem_pool(problem, got->pool);
  const asc_problem *part = asc_problem_part(problem, got->pool);
  int64_t capacity = pool->capacity ? pool->capacity : run_capacity;
  if (has_pools(problem)) say(file, "pool %s: ", pool_name(problem, got->pool));
  if (got->count == 1)
    print_misfit(file, asc_problem_buffer(problem, got->buffers[0]), capacity);
  else if (got->section != ASC_NONE)
    print_section(file, &asc_problem_sections(part)[got->section], got->count, capacity);
  else
    print_puzzle(file, asc_problem_count(part), got->count, capacity);
  if (got->irreducible)
    fprintf(file, "Irreducible: without any one of these, the rest fits.\n");
  else
    fprintf(file, "Small, not shown irreducible: %s of %s shown needed.\n", commas(got->tried), commas(got->count));
}

static void print_table(FILE *file, const asc_problem *problem, const asc_explanation *got) {
  int width = 2;
  for (uint32_t k = 0; k < got->count; k++) {
    size_t length = strlen(asc_problem_id(problem, got->buffers[k]));
    if (length > 32) length = 32;
    if ((int)length > width) width = (int)length;
  }
  fprintf(file, "\n  %-*s  %12s  %12s  %16s  %10s  %16s\n", width, "id", "lower", "upper", "size", "alignment", "fixed");
  for (uint32_t k = 0; k < got->count; k++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, got->buffers[k]);
    say(file, "  %-*s  %12s  %12s  %16s  %10s  %16s\n", width, spec->id, commas(spec->lower), commas(spec->upper),
        commas(spec->size), commas(spec->alignment), spec->offset == ASC_UNPLACED ? "" : commas(spec->offset));
  }
}

static void print_words(FILE *file, const request *r, const asc_problem *problem, const asc_explanation *got,
                        double seconds) {
  if (got->buffers) {
    fprintf(file, "infeasible: ");
    print_reason(file, problem, got, r->capacity);
    print_table(file, problem, got);
    fputc('\n', file);
  } else if (got->outcome == ASC_OUTCOME_FEASIBLE)
    fprintf(file, "feasible: there is a plan within the capacity of %s bytes, so there is nothing to explain\n",
            commas(r->capacity));
  else
    fprintf(file, "%s: %s\n", ended_id(got->outcome, r->late), ended_text(got->outcome, r->late));
  fprintf(file, "  steps    %s\n  seconds  %.3f\n", commas((int64_t)got->steps), seconds);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void print_json_buffer(FILE *file, const asc_buffer_spec *spec) {
  fprintf(file, "{\"id\":");
  print_json_text(file, spec->id);
  fprintf(file, ",\"lower\":%lld,\"upper\":%lld,\"size\":%lld,\"alignment\":%lld,\"fixed\":", (long long)spec->lower,
          (long long)spec->upper, (long long)spec->size, (long long)spec->alignment);
  if (spec->offset == ASC_UNPLACED)
    fprintf(file, "null}");
  else
    fprintf(file, "%lld}", (long long)spec->offset);
}

static void print_json(FILE *file, const request *r, const asc_problem *problem, const asc_explanation *got,
                       double seconds) {
  fprintf(file, "{\"outcome\":\"%s\",\"ended\":\"%s\",\"capacity\":%lld,\"lowerBound\":%lld,\"buffers\":%u", verdict(r, got),
          ended_id(got->outcome, r->late), (long long)r->capacity, (long long)asc_problem_lower_bound(problem),
          asc_problem_count(problem));
  if (got->buffers) {
    if (has_pools(problem)) {
      fprintf(file, ",\"pool\":");
      print_json_text(file, asc_problem_pool(problem, got->pool)->id);
    }
    fprintf(file, ",\"irreducible\":%s,\"needed\":%u,\"section\":", got->irreducible ? "true" : "false", got->tried);
    if (got->section == ASC_NONE)
      fprintf(file, "null");
    else {
      const asc_section *section = &asc_problem_sections(asc_problem_part(problem, got->pool))[got->section];
      fprintf(file, "{\"lower\":%lld,\"upper\":%lld,\"load\":%lld,\"live\":%u}", (long long)section->lower,
              (long long)section->upper, (long long)section->load, section->live);
    }
    fprintf(file, ",\"set\":[");
    for (uint32_t k = 0; k < got->count; k++) {
      if (k) fputc(',', file);
      print_json_buffer(file, asc_problem_buffer(problem, got->buffers[k]));
    }
    fputc(']', file);
  }
  fprintf(file, ",\"steps\":%llu,\"seconds\":%.6f}\n", (unsigned long long)got->steps, seconds);
}

/* ---- the set as a CSV ------------------------------------------------------------------------------------------------ */

/* Lets through the pools, the header and the rows of the set. A row ends at a newline outside quotes. */
typedef struct row_filter {
  FILE *file;
  const asc_explanation *got;
  uint64_t row;  /* from 0 */
  uint64_t head; /* rows before buffer 0 */
  uint32_t next; /* of the set */
  bool quoted;
} row_filter;

static bool filter_rows(void *user, const char *text, size_t bytes) {
  row_filter *filter = user;
  for (size_t k = 0; k < bytes; k++) {
    bool in_set = filter->next < filter->got->count && filter->row == filter->got->buffers[filter->next] + filter->head;
    if ((filter->row < filter->head || in_set) && fputc(text[k], filter->file) == EOF) return false;
    if (text[k] == '"') filter->quoted = !filter->quoted;
    if (text[k] != '\n' || filter->quoted) continue;
    filter->row++;
    filter->next += in_set;
  }
  return true;
}

static bool write_set(const char *path, const cli_input *in, const asc_explanation *got) {
  cli_output out;
  if (!output_open(&out, path)) return false;
  row_filter filter = {.file = out.file, .got = got, .head = asc_problem_pool_count(in->as_read)};
  return output_close(&out, asc_csv_write(in->as_read, in->csv, NULL, filter_rows, &filter) == ASC_OK);
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

static int exit_code(const asc_explanation *got) {
  if (got->buffers) return EXIT_INFEASIBLE;
  return got->outcome == ASC_OUTCOME_FEASIBLE ? EXIT_SOLVED : EXIT_UNDECIDED;
}

static int answer(const request *r, const asc_explanation *got, double seconds) {
  if (r->output && got->buffers && !write_set(r->output, &r->in, got)) return EXIT_USAGE;
  FILE *file = r->output && output_is_standard(r->output) ? stderr : stdout;
  (r->json ? print_json : print_words)(file, r, r->in.problem, got, seconds);
  return exit_code(got);
}

static int explain(request *r, const cli_args *args, asc_context *context) {
  if (!input_read(&r->in, context, ASC_OFFSETS_FIXED)) return input_code(&r->in);
  if (!input_capacity(&r->in, args, &r->capacity)) return EXIT_USAGE;
  if (r->capacity < 0) {
    complain("--capacity: is missing, expected bytes");
    return EXIT_USAGE;
  }
  input_say(&r->in);
  asc_explain *why = NULL;
  asc_diag diag;
  asc_status status = asc_explain_new(r->in.problem, r->capacity, r->seed, (uint64_t)r->budget, &why, &diag);
  int code = EXIT_USAGE;
  if (status)
    complain("%s: %s", diag.field, diag.message);
  else {
    double begin = now();
    signals_cancel(cancel_explain, why);
    bool done = drive(why, r->deadline);
    signals_cancel(NULL, NULL);
    r->late = !signals_came() && is_late(r->deadline);
    asc_explanation got;
    asc_explain_get(why, &got);
    if (done || got.buffers) code = answer(r, &got, now() - begin);
  }
  asc_explain_free(why);
  return code;
}

static bool read_request(request *r, cli_args *args, cli_flag *flags, int argc, char **argv) {
  if (!args_read(args, flags, argc, argv) || !args_deadline(args, &r->deadline)) return false;
  const char *input = args_text(args, "input", args->operand_count ? args->operands[0] : NULL);
  r->output = args_text(args, "output", NULL);
  r->json = args_switch(args, "json");
  if (!input) {
    complain("--input: is missing, expected a buffer CSV or a graph CSV");
    return false;
  }
  return output_check(r->output) && input_load(&r->in, input, r->deadline) && input_take_flags(&r->in, args) &&
         args_all_known(args, 1) && args_number(args, "steps", 0, &r->budget) && args_seed(args, "seed", &r->seed);
}

int cmd_explain(int argc, char **argv) {
  cli_flag flags[sizeof explain_flags / sizeof *explain_flags];
  memcpy(flags, explain_flags, sizeof flags);
  cli_args args;
  asc_context *context = NULL;
  request r = {.capacity = -1};
  int code = EXIT_USAGE;
  if (read_request(&r, &args, flags, argc, argv)) {
    if (new_context(&context))
      code = explain(&r, &args, context);
    else
      complain("out of memory");
  } else
    code = input_code(&r.in);
  input_free(&r.in);
  asc_context_free(context);
  args_free(&args);
  return code;
}
