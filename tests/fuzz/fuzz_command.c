/* The command in this process: its words, a line each, then a line "==" and the file `a`, and perhaps another "==" and the file `b`. `c` is a file that
 * was there before; standard input is `a`. It ends with a code that is documented, says why if it fails, prints JSON that is JSON, leaves nothing beside
 * its files, and does the same when asked again; a plan that it writes passes its own check. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli.h"

#include "demand.h"
#include "json.h"
#include "refusal.h"

static const char OLD[] = "what was there\n";
enum { WORDS = 24 };

/* ---- what a command may not do here -------------------------------------------------------------------------------------- */

static bool running;

/* `shrink` runs commands. */
pid_t fork(void) {
  errno = EAGAIN;
  return -1;
}

/* The alarm of this process is libFuzzer's. */
int setitimer(__itimer_which_t which, const struct itimerval *value, struct itimerval *old) {
  return running ? 0 : (int)syscall(SYS_setitimer, which, value, old);
}

/* ---- the room: a folder in memory with nothing else in it ---------------------------------------------------------------- */

static char room[] = "/dev/shm/arenascope-fuzz-XXXXXX";
static int inside, outside;

static void put(const char *name, const char *bytes, size_t count) {
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  demand(file >= 0 && write(file, bytes, count) == (ssize_t)count && close(file) == 0);
}

/* A file's text, ended by a 0; NULL: there is none. */
static char *get(const char *name) {
  struct stat about;
  int file = open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return NULL;
  demand(fstat(file, &about) == 0);
  char *text = malloc((size_t)about.st_size + 1);
  demand(text && read(file, text, (size_t)about.st_size) == about.st_size && close(file) == 0);
  text[about.st_size] = 0;
  return text;
}

/* Removes everything. A file that should have taken another's place may not be there. */
static void clear_room(void) {
  int again = dup(inside);
  DIR *folder = fdopendir(again);
  demand(folder != NULL);
  rewinddir(folder);
  for (struct dirent *entry; (entry = readdir(folder));) {
    demand(strncmp(entry->d_name, ".arenascope-", 12) != 0);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlink(entry->d_name);
  }
  closedir(folder);
}

static void leave(void) {
  rmdir(room);
}

static void enter(void) {
  if (inside) return;
  demand(mkdtemp(room) != NULL);
  outside = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  inside = open(room, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  demand(inside >= 0 && outside >= 0 && atexit(leave) == 0);
  int output = memfd_create("standard output", MFD_CLOEXEC); /* a pipe that a call reads as /dev/stdout waits for itself */
  demand(output >= 0 && dup2(output, STDOUT_FILENO) == STDOUT_FILENO && close(output) == 0);
}

/* ---- the words ----------------------------------------------------------------------------------------------------------- */

typedef struct call {
  char *words[WORDS + 4]; /* from 1; NULL at the end */
  int count;
  const char *a, *b;
  size_t a_bytes, b_bytes;
} call;

/* A part of the text up to a line "==", which is taken away. */
static char *part(char **rest, char *end, size_t *bytes) {
  char *from = *rest, *at = from;
  for (; at < end; at = memchr(at, '\n', (size_t)(end - at)), at = at ? at + 1 : end)
    if (end - at >= 3 && memcmp(at, "==\n", 3) == 0) break;
  *bytes = (size_t)(at - from);
  *rest = at < end ? at + 3 : end;
  return from;
}

/* No path leads out of the room, but to devices. */
static void confine(char *word) {
  static const char *const devices[] = {"/dev/null", "/dev/full", "/dev/stdout"};
  char *path = strchr(word, '/');
  for (size_t k = 0; path && k < 3; k++)
    if (strcmp(path, devices[k]) == 0) return;
  for (; path; path = strchr(path, '/')) *path = '_';
}

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* What keeps a call short. Said twice: a flag before it may take the first for its value. */
static const char *bound(const char *verb) {
  static const char *const stepping[] = {"solve", "explain", "stats", "select"};
  if (strcmp(verb, "generate") == 0) return "--n=12";
  for (size_t k = 0; k < 4; k++)
    if (strcmp(verb, stepping[k]) == 0) return "--steps=200";
  return verb[0] == '-' ? "--steps=200" : NULL;
}

static void add(call *c, char *word) {
  c->words[c->count++] = word;
}

static void read_words(call *c, char *text, size_t bytes) {
  const char *short_by = NULL;
  bool added = false;
  add(c, (char *)(uintptr_t) "arenascope");
  for (char *at = text, *end = text + bytes; at < end && c->count < WORDS;) {
    char *line = memchr(at, '\n', (size_t)(end - at));
    if (!line) break;
    *line = 0;
    confine(at);
    if (c->count == 1) short_by = bound(at);
    if (short_by && !added && strcmp(at, "--") == 0) {
      for (int k = 0; k < 2; k++) add(c, (char *)(uintptr_t)short_by);
      added = true;
    }
    add(c, at);
    at = line + 1;
  }
  for (int k = 0; short_by && !added && k < 2; k++) add(c, (char *)(uintptr_t)short_by);
}

static bool mentions(const call *c, const char *what) {
  for (int k = 1; k < c->count; k++)
    if (strstr(c->words[k], what)) return true;
  return false;
}

/* ---- one call ------------------------------------------------------------------------------------------------------------ */

typedef struct answer {
  int code;
  char *out, *err; /* what it printed */
  char *c;         /* the file c afterwards */
} answer;

static void answer_free(answer *a) {
  free(a->out);
  free(a->err);
  free(a->c);
}

static answer ask(const call *c) {
  answer got = {0};
  char *words[WORDS + 4], *copies[WORDS + 4];
  size_t out_bytes, err_bytes;
  put("a", c->a, c->a_bytes);
  put("b", c->b, c->b_bytes);
  put("c", OLD, sizeof OLD - 1);
  for (int k = 0; k < c->count; k++) words[k] = copies[k] = strdup(c->words[k]);
  words[c->count] = NULL;
  int input = open("a", O_RDONLY), kept = dup(STDIN_FILENO);
  demand(input >= 0 && dup2(input, STDIN_FILENO) == STDIN_FILENO);
  FILE *out = stdout, *err = stderr;
  stdout = open_memstream(&got.out, &out_bytes);
  stderr = open_memstream(&got.err, &err_bytes);
  running = true;
  got.code = command(c->count, words);
  running = false;
  fclose(stdout);
  fclose(stderr);
  stdout = out;
  stderr = err;
  if (kept >= 0) dup2(kept, STDIN_FILENO);
  close(kept);
  close(input);
  for (int k = 0; k < c->count; k++) free(copies[k]);
  got.c = get("c");
  clear_room();
  return got;
}

/* Times are what may differ, and how many digits they have: those behind `what` are taken out. */
static void without(char *text, const char *what) {
  char *to = text;
  for (const char *at = text; *at;) {
    if (strncmp(at, what, strlen(what)) != 0) {
      *to++ = *at++;
      continue;
    }
    for (; *at && *at != '\n' && *at != ',' && *at != '}'; at++)
      if (*at < '0' || *at > '9') *to++ = *at;
  }
  *to = 0;
}

static void without_times(answer *a) {
  without(a->out, "seconds");
  without(a->out, "\"ms\"");
}

static bool is_same(const char *one, const char *other) {
  return one && other ? strcmp(one, other) == 0 : one == other;
}

static void check_answer(const call *c, const answer *got) {
  static const char *const writers[] = {"generate", "tile", "program", "explain", "select"};
  const char *verb = c->count > 1 ? c->words[1] : "";
  demand(got->code >= EXIT_SOLVED && got->code <= EXIT_UNDECIDED);
  demand(got->code != EXIT_USAGE || *got->err);
  demand(got->c != NULL);
  for (size_t k = 0; k < 5; k++)
    if (got->code == EXIT_USAGE && strcmp(verb, writers[k]) == 0) demand(strcmp(got->c, OLD) == 0);
  bool alone = !mentions(c, "/dev/stdout") && !mentions(c, "=-") && !mentions(c, "trace");
  if (alone && mentions(c, "json") && *got->out == '{') demand(json_is(got->out));
}

/* A plan of buffers that was written by `solve a` into c passes `check`, by whatever solver and with whatever options. */
static void check_plan(const call *c, const answer *got) {
  static const char *const others[] = {"end", "columns", "sheets", "profile", "proof", "trace"};
  if (got->code != EXIT_SOLVED || c->count < 3 || strcmp(c->words[1], "solve") != 0 || strcmp(got->c, OLD) == 0) return;
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (mentions(c, others[k])) return;
  bool of_a = false;
  for (int k = 2; k < c->count; k++) {
    of_a = of_a || strcmp(c->words[k], "a") == 0;
    if (c->words[k][0] != '-' && strcmp(c->words[k], "a") != 0) return;
    if (starts(c->words[k], "--input") || starts(c->words[k], "-input")) return;
  }
  if (!of_a || asc_graph_csv_is(c->a, c->a_bytes) || asc_task_csv_is(c->a, c->a_bytes)) return;
  static const char *const words[] = {"arenascope", "check", "--problem=a", "b"};
  call check = {.a = c->a, .a_bytes = c->a_bytes, .b = got->c, .b_bytes = strlen(got->c)};
  for (size_t k = 0; k < 4; k++) add(&check, (char *)(uintptr_t)words[k]);
  answer told = ask(&check);
  demand(told.code == EXIT_SOLVED);
  answer_free(&told);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  call c = {0};
  size_t bytes;
  char *text = exact_copy(data, size), *rest = text;
  enter();
  demand(fchdir(inside) == 0);
  char *words = part(&rest, text + size, &bytes);
  read_words(&c, words, bytes);
  c.a = part(&rest, text + size, &c.a_bytes);
  c.b = part(&rest, text + size, &c.b_bytes);
  answer first = ask(&c);
  check_answer(&c, &first);
  check_plan(&c, &first);
  if (!mentions(&c, "timeout")) {
    answer again = ask(&c);
    without_times(&first);
    without_times(&again);
    bool same = first.code == again.code && is_same(first.out, again.out) && is_same(first.c, again.c);
    if (!same)
      fprintf(stderr, "exit %d:\n%s%s\nexit %d:\n%s%s\n", first.code, first.out, first.c, again.code, again.out, again.c);
    demand(same);
    answer_free(&again);
  }
  answer_free(&first);
  demand(fchdir(outside) == 0);
  free(text);
  return 0;
}
