/* The command: what its files share. It owns the clock, the files and the terminal, which the library knows nothing of. */
#ifndef ARENASCOPE_CLI_H
#define ARENASCOPE_CLI_H

#include "asc/tile.h"

#include <stdio.h>

/* Exit codes. */
enum {
  EXIT_SOLVED = 0,     /* feasible, optimal; a valid plan */
  EXIT_INFEASIBLE = 1, /* proven; a plan with violations */
  EXIT_USAGE = 2,      /* usage, bad input, or no memory or file for it */
  EXIT_UNDECIDED = 3,  /* neither a plan nor a proof */
};

/* ---- flags.c --------------------------------------------------------------------------------------------------------- */

typedef struct cli_flag {
  const char *name;
  const char *argument; /* what help calls its value: "BYTES"; NULL: a switch */
  const char *help;
  const char *value; /* as given, "true" or "false" for a switch; NULL: not given */
} cli_flag;

/* A flag that the command's table does not know: perhaps a solver's option. value NULL: given without one. */
typedef struct cli_other {
  const char *name, *value;
} cli_other;

typedef struct cli_args {
  cli_flag *flags; /* ended by a flag without name */
  const char *operands[8];
  size_t operand_count;
  cli_other *others;
  size_t other_count;
} cli_args;

/* Reads --name=value, --name value, --switch, --noswitch and operands ("-" is one); one dash is as good as two. Unknown flags are gathered
   in others. Complains on stderr and returns false if it cannot. */
bool args_read(cli_args *args, cli_flag *flags, int argc, char **argv);
void args_free(cli_args *args);
const char *args_text(const cli_args *args, const char *name, const char *otherwise);
bool args_switch(const cli_args *args, const char *name);
/* Goes before a solver's option that has the name of another flag. */
#define SOLVER_PREFIX "solver."

typedef enum option_reading { OPTION_UNKNOWN, OPTION_READ, OPTION_BAD } option_reading;
/* Reads --x, --nox or --x=value as an option of a table; a BAD one was complained of. */
option_reading option_read(const asc_option *options, uint32_t count, const cli_other *other, asc_option_value *value);
/* All unknown flags as options of a solver, to be freed: --x, --nox, --x=value. Where a graph's lowering has an option of the same name that comes first; the
   solver's is then --solver.x. NULL after a complaint. */
asc_option_value *solver_options_read(const asc_solver_info *solver, const cli_args *args);
/* Complains and returns false if there are more operands than `most`, from 1, of which --input is one. */
bool args_no_more(const cli_args *args, size_t most);
/* The same, or an unknown flag. */
bool args_all_known(const cli_args *args, size_t most);
/* Whole numbers; bytes may end in KiB, MiB or GiB; a duration is like 10s, 500ms, 1m30s, at most 876600h (100 years), or inf (-1.0). Not given: value stays as it is.
   Complain and return false if it is something else. */
bool args_number(const cli_args *args, const char *name, int64_t least, int64_t *value);
bool args_seed(const cli_args *args, const char *name, uint64_t *value);
bool args_bytes(const cli_args *args, const char *name, int64_t *value);
bool args_seconds(const cli_args *args, const char *name, double *value);
/* --timeout as a time in now()'s seconds from now on; negative: none. */
bool args_deadline(const cli_args *args, double *deadline);
/* "true" or "false" for true, 1, yes, t, y and their opposites; NULL for anything else. */
const char *truth(const char *text);

/* ---- task_options.c --------------------------------------------------------------------------------------------------- */

/* The options of a task CSV. */
const asc_option *task_options(uint32_t *count);

/* ---- text.c ---------------------------------------------------------------------------------------------------------- */

/* As fprintf, for what a person reads: what a terminal would obey (controls, marks of direction) and bytes that are no UTF-8 are shown as \x1b or
   \u202e. Whatever has an id or the name of a file in it is printed by this, by complain or as JSON. */
void say(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "arenascope: " and the message on stderr, as say shows it. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A JSON string. Bytes that are not UTF-8 become U+FFFD. */
void print_json_text(FILE *file, const char *text);

/* ---- files.c --------------------------------------------------------------------------------------------------------- */

/* With a key of its own for the hashes of ids. False: no memory. */
bool new_context(asc_context **context);
/* The bytes of a file ("-": standard input), of which there is a most; free() them. NULL if it cannot, after a complaint, or if the deadline (in
   now()'s seconds; negative: none) came first: late. */
char *read_file(const char *path, double deadline, size_t *bytes, bool *late);

/* ---- pools.c: nothing is printed of a problem without pools ---- */

bool has_pools(const asc_problem *problem);
/* Where none is given: that of each pool still holds. */
int64_t no_capacity(const asc_problem *problem);
const char *pool_name(const asc_problem *problem, uint32_t pool);
/* A line each. offsets NULL: there is no plan. */
void print_pools(FILE *file, const asc_problem *problem, const int64_t *offsets);
/* A further member of the object that is open. */
void print_json_pools(FILE *file, const asc_problem *problem, const int64_t *offsets);

/* 1234567 as 1,234,567, in one of eight buffers used in turn. */
const char *commas(int64_t value);

/* A path as messages name it. */
const char *path_words(const char *path);
/* Monotonic seconds. */
double now(void);
/* Whether a deadline (in now()'s seconds; negative: none) has passed. */
bool is_late(double deadline);
/* Steps to take at once after a slice of so many that took so long: slices of about 5 ms keep a deadline and what is shown fresh and cost
   nothing. The first should be 1: one step alone may take a tenth of a second on a million buffers. */
uint64_t next_slice(uint64_t steps, double seconds);

/* ---- output.c -------------------------------------------------------------------------------------------------------- */

/* A file that is being written. */
typedef struct cli_output {
  const char *path; /* as it was given */
  FILE *file;
  char *target;    /* behind all links; NULL: what is no regular file is written through */
  char *temporary; /* what takes its place in the end */
} cli_output;

/* "-" is standard output. Complains and returns false if it cannot; then there is nothing to close. */
bool output_open(cli_output *out, const char *path);
/* The new file takes the place of the old one if all was written; else the old one stays as it is. Complains and returns false if it cannot. */
bool output_close(cli_output *out, bool written);
/* The end of one that a function of the library wrote: what that said is complained of, and nothing is left; or it is closed. The exit code. */
int output_end(cli_output *out, asc_status status, const asc_diag *diag);
/* Nothing is put in its place. */
void output_drop(cli_output *out);
/* Complains and returns false if two outputs of a search are one file. */
bool outputs_apart(const cli_args *args);
/* Before a long search: complains and returns false if nothing can be written there. NULL is fine. */
bool output_check(const char *path);
/* Whether it is standard output, by whatever name: words then go to stderr. */
bool output_is_standard(const char *path);
/* An asc_sink on a FILE. */
bool to_file(void *user, const char *text, size_t bytes);
/* Writes a CSV, as --for_sheets asks. Complains and returns false if it cannot. */
bool write_csv(const cli_args *args, const char *path, const asc_problem *problem, const asc_csv *extra,
               const int64_t *offsets);
/* The help of the flag, for the tables. */
#define FOR_SHEETS_HELP "puts an apostrophe before texts of the CSV that a spreadsheet would compute (= + - @)"

/* ---- signals.c ------------------------------------------------------------------------------------------------------- */

/* Once, at the beginning. What the parent ignores (nohup, a shell's background) stays ignored. */
void signals_catch(void);
/* From now on the first signal calls cancel(what), at once if it came already; NULL: it is only remembered. What is called must be safe in a
   signal handler. */
void signals_cancel(void (*cancel)(void *), void *what);
/* Calls it when the deadline (in now()'s seconds; negative: none) has come: in the middle of a step that takes long. */
void signals_at(double deadline);
/* Whether one came that did not end the command. */
bool signals_came(void);
/* A file to remove if the command is ended at once, NULL: none. It must outlive that. */
void signals_remove(const char *path);
/* What asks the command to end waits while it is held. */
void signals_hold(bool held);

/* ---- profile.c ------------------------------------------------------------------------------------------------------- */

/* The accelerator profile that --profile names, NULL if it is not given. Complains and returns false if there is none of that name. */
bool args_profile(const cli_args *args, const asc_profile **profile);
/* Bytes of it that buffers may take, negative if that is not public or there is no profile. */
int64_t profile_bytes(const asc_profile *profile);
/* The problem in the memory of the profile (NULL: as it is); *own is what to free with asc_problem_free afterwards. NULL after a
   complaint. */
const asc_problem *in_profile(const asc_problem *problem, const asc_profile *profile, const char *path, asc_problem **own);

/* Complains of why the profile does not take a problem. */
void refuse_profile(const char *path, const asc_profile *profile, const asc_diag *diag);

/* The help of the flag, for the tables. */
#define PROFILE_HELP "accelerator whose memory it is, see arenascope profiles; "

/* ---- input.c --------------------------------------------------------------------------------------------------------- */

enum { MOST_DIAGS = 20 };

/* A problem from a file: a buffer CSV, a graph CSV that is lowered, or a task CSV whose tensors become buffers with shapes. */
typedef struct cli_input {
  const char *path;
  double deadline; /* for reading, in now()'s seconds; negative: none */
  bool late;       /* it has passed, and nothing was read */
  char *text;
  size_t bytes;
  bool is_graph;
  asc_option_value *options; /* of the lowering */
  uint32_t option_count;
  asc_csv_end end;     /* of a buffer CSV, as --end says */
  const char *columns; /* as --columns says, NULL: as they are */
  asc_csv *csv;        /* NULL of a graph */
  asc_graph *graph;
  asc_lowering *lowering;
  bool is_tasks;
  uint32_t tile_flags;        /* ASC_TILES_* */
  asc_tiling *tiling;         /* NULL unless it is tasks */
  asc_problem *tiled;         /* own: its buffers */
  const asc_profile *profile; /* NULL: none */
  asc_problem *applied;       /* own: the problem in the profile's memory, NULL without a profile */
  const asc_problem *as_read; /* what is written back: sizes and alignments of the file; NULL until it is read */
  const asc_problem *problem; /* as_read, in the profile's memory */
  bool any_order;             /* the solver chooses the order: M_P is that of all of them, not of the options' alone */
} cli_input;

/* The flags of a buffer CSV, for the tables of the commands. */
#define CSV_FLAGS \
  {"end", "inclusive|exclusive", \
   "of a buffer CSV: whether its ends are the last times of the buffers or those behind them; its column says so else", \
   NULL}, \
  { \
    "columns", "LIST", "of a buffer CSV without a header: its columns, as id,size,lower,upper", NULL \
  }

/* In this order; input_free takes it at any time. All complain and return false if they cannot. */
bool input_load(cli_input *in, const char *path, double deadline);
/* --profile, --end and --columns; of a graph also takes the lowering's options out of args->others. */
bool input_take_flags(cli_input *in, cli_args *args);
bool input_read(cli_input *in, asc_context *context, asc_offset_column offsets);
/* Takes the options of a table out of args->others, in the place of input_take_flags. */
bool input_take_options(cli_input *in, cli_args *args, const asc_option *table, uint32_t count);
/* --capacity: bytes or, of a graph, required, half or peak; else what the profile has. With neither capacity stays as it is. */
bool input_capacity(const cli_input *in, const cli_args *args, int64_t *capacity);
/* Of tasks: prints what the plans of shared objects, of whole tensors, of taa's orders and of taa-exact come to, a line each or as a member of a
   JSON object that others stand before; whole: the same tensors without tiles. steps: the budget of each, 0: none. Complains and returns false if one
   could not be run. */
bool print_tile_plans(const asc_problem *tiled, const asc_problem *whole, uint64_t steps, bool json);
/* Of tasks: whether all of them, run on a memory of tags, read what was written there under a plan of the problem, and no two tensors share a byte
   that both need. Complains of the first for which that is not so. */
bool input_judge(const cli_input *in, const int64_t *offsets);
/* What was assumed or left out, on stderr. */
void input_say(const cli_input *in);
void input_free(cli_input *in);
/* The exit code of a command whose input could not be read. */
int input_code(const cli_input *in);
/* A command on one file: reads the command line into flags (a copy of the table), loads --input or the operand and does the work, of which it
   gives back the exit code. expected: what the file is, for the complaint that it is missing. */
int input_command(cli_flag *flags, int argc, char **argv, const char *expected,
                  int (*work)(cli_input *in, cli_args *args, asc_context *context));

typedef struct cli_result cli_result;

/* ---- graph_plan.c ---------------------------------------------------------------------------------------------------- */

/* Of a graph, on stderr: the operator that needs the most, with what it names, if that is more than the capacity. */
void say_refused(const cli_input *in, int64_t capacity);
/* Of a plan that was not proven: whether the graph has more operators than are searched whole, so that only orders through cuts were. */
void say_unsearched(const cli_input *in, const asc_run_config *config);
/* A plan as CSV: a row for each operator as they run (pool run), then one for each stay. Complains and returns false if it cannot. */
bool write_stays(const char *path, const cli_input *in, const cli_result *result);
/* Whether a text is such a CSV. */
bool stays_are(const char *text, size_t bytes);
/* The plan in it, to be freed. Complains and returns false if it is none of the graph's. */
bool stays_read(const cli_input *plan, const cli_input *given, asc_plan *read);
void stays_free(asc_plan *read);
/* Replays such a plan against its graph and prints all that is wrong with it; the exit code. capacity below 0: none. */
int check_stays(const cli_input *plan, const cli_input *given, int64_t capacity, bool json);

/* ---- trace.c --------------------------------------------------------------------------------------------------------- */

/* A file that the events of searches go to, a line each; out.file is NULL if there is none. */
typedef struct cli_trace {
  cli_output out;
  asc_context *context; /* for the log, to be set before a search begins */
  asc_log *log;
  const asc_problem *problem; /* whose buffers have names */
  const asc_graph *graph;     /* whose operators have; NULL: of buffers */
} cli_trace;
/* path NULL: nothing is traced. Complains and returns false if it cannot. */
bool trace_open(cli_trace *trace, const char *path);
/* Before the first step of a run, after each slice of steps, and at its end. The first complains and returns false if it cannot. */
bool trace_begin(cli_trace *trace, const asc_input *input, const asc_graph *graph, asc_run *run);
void trace_write(cli_trace *trace);
void trace_end(cli_trace *trace, asc_run *run);
/* Complains and returns false if not all was written. */
bool trace_close(cli_trace *trace);

/* ---- run.c ----------------------------------------------------------------------------------------------------------- */

/* What all runs of a command have in common: when they end, and what is written of them. */
typedef struct cli_clock {
  double deadline;  /* in now()'s seconds; negative: none */
  bool interrupted; /* Ctrl-C, or the deadline has passed */
  bool late;        /* it was the deadline */
  cli_trace *trace;
  cli_output *proof;      /* where certificates go; NULL: nowhere */
  const asc_graph *graph; /* of the input; NULL: buffers */
} cli_clock;

struct cli_result {
  asc_outcome outcome; /* FEASIBLE if there is a plan within the capacity, however the run ended */
  asc_outcome ended;   /* how it ended */
  int64_t height;      /* of the plan, or -1 */
  int64_t proven;      /* bytes within which there is no plan by the certificate, -1: none */
  int64_t lower_bound;
  int64_t capacity;               /* of the run that found the plan */
  uint64_t steps, backtracks;     /* of all runs */
  uint64_t digest;                /* of the run that found the plan, else of the last one */
  uint64_t rules[ASC_RULE_COUNT]; /* of that run: decisions discarded, by rule */
  uint32_t runs;
  double seconds;           /* inside the solver */
  int64_t *offsets;         /* NULL: no plan */
  uint32_t *order;          /* of a graph: the plan's operators, in the order in which they run, so many; else NULL */
  int64_t traffic;          /* of a graph's plan: bytes copied out and back that could have stayed, by asc_plan_cost */
  int64_t spilled, fetched; /* its parts */
  asc_stay *stays;          /* of a graph: where everything is */
  uint32_t stay_count;
  uint32_t turns;
  asc_problem *plain,
      *situation; /* of a graph: the buffers that the offsets are of, as asc_lowering_situation has them; else NULL */
};
void result_free(cli_result *result);

/* How a search ended, as an identifier and in words: the library's, but that one which was cancelled is time-spent if it was so late. */
const char *ended_id(asc_outcome ended, bool late);
const char *ended_text(asc_outcome ended, bool late);
/* Whether there is a plan within the capacity. */
bool result_fits(const cli_result *result);
/* Runs the solver to its end, cancelling it at the deadline or on Ctrl-C; shows progress if stderr is a terminal. Complains and returns
   false if there is no result: a bad option, an unsupported constraint. */
bool solve_once(const asc_input *input, const asc_run_config *config, cli_clock *clock, cli_result *result);
/* The same for the least capacity up to the configuration's: bisects between what is proven and what is found. Only a proof raises the
   bound; the outcome is optimal if the two meet and otherwise that of the best plan. */
bool solve_least(const asc_input *input, const asc_run_config *config, cli_clock *clock, cli_result *result);

/* All of it but the signals: may be called again and again in one process. argv[0] is the program; the words may be changed. The exit code. */
int command(int argc, char **argv);

/* ---- the commands: argv[0] is the verb ------------------------------------------------------------------------------ */

int cmd_solve(int argc, char **argv, bool drop_in);
int cmd_check(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_program(int argc, char **argv);
int cmd_solvers(int argc, char **argv);
int cmd_profiles(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_lower(int argc, char **argv);
int cmd_tile(int argc, char **argv);
int cmd_select(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
/* One option of a table: its values and what it is for. */
void print_option(const asc_option *option);

/* Tables of flags, for help. */
extern const cli_flag solve_flags[], check_flags[], explain_flags[], stats_flags[], program_flags[], solvers_flags[],
    profiles_flags[], generate_flags[], lower_flags[], tile_flags[], select_flags[], shrink_flags[];

/* tikz.c: the plan as a LaTeX document. */
void print_tikz(FILE *file, const asc_problem *problem, const int64_t *offsets, int64_t capacity);

#endif
