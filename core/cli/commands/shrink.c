/* A smaller file on which a command still does the same: rows are taken out in ever smaller blocks (Zeller and Hildebrandt, Simplifying and isolating
 * failure-inducing input, IEEE TSE 2002, the algorithm ddmin), then numbers are made smaller. */
#include "../cli.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const cli_flag shrink_flags[] = {
    {"output", "FILE", "where to write what is left; - is standard output", NULL},
    {"input", "FILE", "the CSV to shrink; its first line stays", NULL},
    {"runs", "N", "at most so many runs of the command (10,000)", NULL},
    {"help", NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

typedef struct row {
  const char *text;
  size_t bytes;
  char *own; /* the text, if it was changed */
} row;

typedef struct shrinking {
  char **command; /* ended by NULL; "{}" stands for the file, which else comes last */
  char file[40];  /* that is tried; empty: none */
  row head, *rows;
  size_t count, first_count;
  int wanted; /* how the command ended on the whole: as waitpid has it */
  int64_t runs, most;
} shrinking;

/* ---- running the command ------------------------------------------------------------------------------------------------ */

/* Says nothing; ends as waitpid has it, -1 if it could not be begun. */
static int run_command(const shrinking *s) {
  pid_t child = fork();
  if (child == 0) {
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0) {
      dup2(nothing, STDIN_FILENO);
      dup2(nothing, STDOUT_FILENO);
      dup2(nothing, STDERR_FILENO);
    }
    execvp(s->command[0], s->command);
    _exit(127);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return child > 0 ? status : -1;
}

static void write_rows(FILE *file, const shrinking *s, size_t from, size_t to) {
  fwrite(s->head.text, 1, s->head.bytes, file);
  for (size_t k = 0; k < s->count; k++)
    if (k < from || k >= to) fwrite(s->rows[k].text, 1, s->rows[k].bytes, file);
}

/* Whether the command does the same without rows [from, to). */
static bool does_the_same(shrinking *s, size_t from, size_t to) {
  if (s->runs >= s->most || signals_came()) return false;
  FILE *file = fopen(s->file, "wb");
  if (!file) return false;
  write_rows(file, s, from, to);
  s->runs++;
  return fclose(file) == 0 && run_command(s) == s->wanted;
}

/* ---- less ----------------------------------------------------------------------------------------------------------------- */

static void take_out(shrinking *s, size_t from, size_t to) {
  for (size_t k = from; k < to; k++) free(s->rows[k].own);
  memmove(s->rows + from, s->rows + to, (s->count - to) * sizeof *s->rows);
  s->count -= to - from;
}

/* Takes out blocks of rows, halving them until single ones are needed. */
static bool fewer_rows(shrinking *s) {
  size_t before = s->count;
  for (size_t block = (s->count + 1) / 2; block; block = block > 1 ? (block + 1) / 2 : 0) {
    bool again = true;
    while (again) {
      again = false;
      for (size_t from = 0; from < s->count;) {
        size_t to = from + block < s->count ? from + block : s->count;
        if (does_the_same(s, from, to)) {
          take_out(s, from, to);
          again = block == 1;
        } else
          from = to;
      }
    }
  }
  return s->count < before;
}

/* The row with the number at `at` (of `length` digits) replaced. */
static bool replaces(shrinking *s, size_t k, size_t at, size_t length, long long number) {
  row old = s->rows[k], *now = &s->rows[k];
  size_t room = old.bytes + 24;
  char *text = malloc(room);
  if (!text) return false;
  int made = snprintf(text, room, "%.*s%lld%.*s", (int)at, old.text, number, (int)(old.bytes - at - length),
                      old.text + at + length);
  now->own = text;
  now->text = text;
  now->bytes = (size_t)made;
  if (does_the_same(s, s->count, s->count)) {
    free(old.own);
    return true;
  }
  free(text);
  *now = old;
  return false;
}

/* Each number that stands alone between commas: 0, 1, its half, ever smaller parts less. The first cell is the id. */
static bool smaller_numbers(shrinking *s, size_t k) {
  bool any = false;
  for (size_t at = 0; at < s->rows[k].bytes; at++) {
    const char *text = s->rows[k].text;
    size_t length = 0;
    if (at == 0 || text[at - 1] != ',') continue;
    while (at + length < s->rows[k].bytes && isdigit((unsigned char)text[at + length])) length++;
    bool alone = at + length == s->rows[k].bytes || strchr(",\r\n", text[at + length]);
    if (!length || length > 18 || !alone) continue;
    long long number = strtoll(text + at, NULL, 10);
    const long long less[] = {0, 1, number / 2, number - number / 8, number - number / 64, number - 1};
    for (size_t l = 0; l < sizeof less / sizeof *less; l++) {
      if (less[l] >= number || less[l] < 0 || !replaces(s, k, at, length, less[l])) continue;
      any = true;
      at--; /* what it is now may become less still */
      break;
    }
  }
  return any;
}

static void shrink(shrinking *s) {
  bool less = true;
  while (less && s->runs < s->most && !signals_came()) {
    less = fewer_rows(s);
    for (size_t k = 0; k < s->count; k++) less = smaller_numbers(s, k) || less;
  }
}

/* ---- the command ------------------------------------------------------------------------------------------------------------ */

static bool take_rows(shrinking *s, const char *text, size_t bytes) {
  size_t lines = 1;
  for (size_t k = 0; k < bytes; k++) lines += text[k] == '\n';
  s->rows = calloc(lines, sizeof *s->rows);
  for (size_t at = 0; s->rows && at < bytes;) {
    const char *end = memchr(text + at, '\n', bytes - at);
    size_t length = end ? (size_t)(end - text) + 1 - at : bytes - at;
    row read = {text + at, length, NULL};
    if (at == 0)
      s->head = read;
    else
      s->rows[s->count++] = read;
    at += length;
  }
  s->first_count = s->count;
  return s->rows != NULL;
}

/* The words of the command with the file in its place. */
static bool take_command(shrinking *s, const char **words, size_t count) {
  char name[] = "/tmp/arenascope-shrink-XXXXXX";
  int made = mkstemp(name);
  if (made < 0) {
    complain("%s: %s", name, strerror(errno));
    return false;
  }
  close(made);
  memcpy(s->file, name, sizeof name);
  s->command = calloc(count + 2, sizeof *s->command);
  bool named = false;
  for (size_t k = 0; s->command && k < count; k++) {
    bool is = strcmp(words[k], "{}") == 0;
    s->command[k] = is ? s->file : (char *)(uintptr_t)words[k];
    named = named || is;
  }
  if (s->command && !named) s->command[count] = s->file;
  return s->command != NULL;
}

static int put_out(shrinking *s, const char *path) {
  cli_output out;
  if (!output_open(&out, path)) return EXIT_USAGE;
  write_rows(out.file, s, s->count, s->count);
  if (!output_close(&out, !ferror(out.file))) return EXIT_USAGE;
  say(stderr, "%s of %s rows are left after %s runs\n", commas((int64_t)s->count), commas((int64_t)s->first_count),
      commas(s->runs));
  return EXIT_SOLVED;
}

static int shrink_file(shrinking *s, const char *text, size_t bytes, const char *path) {
  if (!take_rows(s, text, bytes)) {
    complain("out of memory");
    return EXIT_USAGE;
  }
  FILE *file = fopen(s->file, "wb");
  if (file) write_rows(file, s, s->count, s->count);
  s->wanted = file && fclose(file) == 0 ? run_command(s) : -1;
  s->runs = 1;
  if (s->wanted < 0 || (WIFEXITED(s->wanted) && (WEXITSTATUS(s->wanted) == 0 || WEXITSTATUS(s->wanted) == 127))) {
    complain("%s: the command %s on the whole file, expected one that fails", s->command[0],
             s->wanted < 0 || WEXITSTATUS(s->wanted) ? "cannot be run" : "succeeds");
    return EXIT_USAGE;
  }
  shrink(s);
  return put_out(s, path);
}

/* What stands before "--" is ours, what comes after it the command. */
int cmd_shrink(int argc, char **argv) {
  cli_flag flags[sizeof shrink_flags / sizeof *shrink_flags];
  memcpy(flags, shrink_flags, sizeof flags);
  int own = 0;
  while (own < argc && strcmp(argv[own], "--") != 0) own++;
  cli_args args;
  shrinking s = {.most = 10000};
  char *text = NULL;
  size_t bytes = 0;
  bool late = false;
  int code = EXIT_USAGE;
  bool read = args_read(&args, flags, own, argv) && args_number(&args, "runs", 1, &s.most) && args_all_known(&args, 1);
  const char *input = args_text(&args, "input", args.operand_count ? args.operands[0] : NULL);
  const char *output = args_text(&args, "output", NULL);
  if (read && (!input || !output || own + 1 >= argc))
    complain("expected a CSV, --output=FILE and, behind --, a command that fails on it: shrink --output=SMALL.csv BIG.csv "
             "-- COMMAND...");
  else if (read && output_check(output) && (text = read_file(input, -1, &bytes, &late)) &&
           take_command(&s, (const char **)(uintptr_t)(argv + own + 1), (size_t)(argc - own - 1)))
    code = shrink_file(&s, text, bytes, output);
  if (s.file[0]) unlink(s.file);
  for (size_t k = 0; k < s.count; k++) free(s.rows[k].own);
  free(s.rows);
  free(s.command);
  free(text);
  args_free(&args);
  return code;
}
