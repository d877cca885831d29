/* arenascope-bench FILE_OR_FOLDER... [--solver=ID] [--repeat=K] [--budget=STEPS] [--capacity=BYTES]
 *
 * Runs each buffer CSV and prints one JSON object on one line for it. The capacity is the number before ".csv" in the file's name
 * ("A.1048576.csv"), else --capacity, else the problem's lower bound. "ms" is the best of the repeats, "msMedian" their median: making the
 * run, solving and freeing it, without reading the file. Of a folder the .csv files are taken in the order of their names. */
#include "asc/asc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_REPEATS = 1000 };

typedef struct bench {
  asc_context *context;
  const char *solver;
  uint32_t repeat;
  uint64_t budget;
  int64_t capacity; /* -1: the lower bound */
  bool failed;
} bench;

static double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void complain(bench *b, const char *path, const char *what) {
  fprintf(stderr, "arenascope-bench: %s: %s\n", path, what);
  b->failed = true;
}

/* ---- one case -------------------------------------------------------------------------------------------------------- */

static char *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = NULL;
  long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (end >= 0 && fseek(file, 0, SEEK_SET) == 0) text = malloc((size_t)end + 1);
  if (text) *bytes = fread(text, 1, (size_t)end, file);
  fclose(file);
  return text;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The number in "name.1048576.csv", or -1. */
static int64_t capacity_in_name(const char *path) {
  const char *name = base_name(path), *end = strrchr(name, '.'), *begin = end;
  while (begin && begin > name && begin[-1] != '.') begin--;
  if (!begin || begin == name || begin == end) return -1;
  char *stop;
  long long value = strtoll(begin, &stop, 10);
  return stop == end && value >= 0 ? value : -1;
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool run_once(bench *b, const asc_problem *problem, int64_t capacity, asc_run_stats *stats, double *time) {
  asc_run_config config = asc_run_config_default(b->solver, capacity);
  config.budget = b->budget;
  asc_run *run = NULL;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  double begin = milliseconds();
  asc_status status = asc_run_new(problem, &config, &run, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, UINT64_C(1) << 24, &outcome);
  if (!status) asc_run_stats_get(run, stats);
  asc_run_free(run);
  *time = milliseconds() - begin;
  if (status) fprintf(stderr, "arenascope-bench: %s\n", asc_status_text(status));
  return status == ASC_OK;
}

static void print_row(const bench *b, const char *path, const asc_problem *problem, const asc_run_stats *stats,
                      const double *times) {
  printf("{\"solver\":\"%s\",\"instance\":\"", b->solver);
  for (const char *at = base_name(path); *at; at++) {
    if (*at == '"' || *at == '\\') putchar('\\');
    putchar(*at);
  }
  printf(
      "\",\"outcome\":\"%s\",\"height\":%lld,\"lowerBound\":%lld,\"steps\":%llu,\"backtracks\":%llu,\"digest\":\"%016llx\"",
      asc_outcome_id(stats->outcome), (long long)stats->height, (long long)stats->lower_bound,
      (unsigned long long)stats->steps, (unsigned long long)stats->backtracks, (unsigned long long)stats->digest);
  printf(",\"buffers\":%u,\"ms\":%.3f,\"msMedian\":%.3f}\n", asc_problem_count(problem), times[0], times[b->repeat / 2]);
  fflush(stdout);
}

static void run_file(bench *b, const char *path) {
  size_t bytes = 0;
  char *text = read_file(path, &bytes);
  if (!text) {
    complain(b, path, strerror(errno));
    return;
  }
  asc_csv *csv = NULL;
  asc_status status = asc_csv_read(b->context, text, bytes, ASC_OFFSETS_FIXED, &csv, NULL, 0, NULL);
  free(text);
  if (status) {
    complain(b, path, asc_status_text(status));
    return;
  }
  const asc_problem *problem = asc_csv_problem(csv);
  int64_t capacity = capacity_in_name(path);
  if (capacity < 0) capacity = b->capacity;
  if (capacity < 0) capacity = asc_problem_lower_bound(problem);
  double times[MOST_REPEATS] = {0};
  asc_run_stats stats = {0};
  bool done = true;
  for (uint32_t k = 0; k < b->repeat && done; k++) done = run_once(b, problem, capacity, &stats, &times[k]);
  if (done) {
    qsort(times, b->repeat, sizeof *times, by_time);
    print_row(b, path, problem, &stats, times);
  } else
    complain(b, path, "no result");
  asc_csv_free(csv);
}

/* ---- folders --------------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_in_csv(const char *name) {
  size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".csv") == 0;
}

/* Paths of the .csv files of a folder; NULL if it cannot be read. */
static char **list_folder(const char *path, size_t *count) {
  DIR *folder = opendir(path);
  char **paths = NULL;
  *count = 0;
  if (!folder) return NULL;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (!ends_in_csv(entry->d_name)) continue;
    char **more = realloc(paths, (*count + 1) * sizeof *more);
    size_t length = strlen(path) + strlen(entry->d_name) + 2;
    char *joined = malloc(length);
    if (!more || !joined) abort();
    paths = more;
    snprintf(joined, length, "%s/%s", path, entry->d_name);
    paths[(*count)++] = joined;
  }
  closedir(folder);
  if (paths) qsort(paths, *count, sizeof *paths, by_name);
  return paths;
}

static void run_path(bench *b, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) {
    complain(b, path, strerror(errno));
    return;
  }
  if (!S_ISDIR(info.st_mode)) {
    run_file(b, path);
    return;
  }
  size_t count;
  char **paths = list_folder(path, &count);
  if (!paths) {
    complain(b, path, "no .csv files in it");
    return;
  }
  for (size_t k = 0; k < count; k++) {
    run_file(b, paths[k]);
    free(paths[k]);
  }
  free(paths);
}

/* ---- the command line ------------------------------------------------------------------------------------------------ */

static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : NULL;
}

static bool read_whole(const char *text, int64_t least, int64_t most, int64_t *value) {
  char *end;
  errno = 0;
  long long read = strtoll(text, &end, 10);
  if (errno || end == text || *end || read < least || read > most) return false;
  *value = read;
  return true;
}

/* False if the argument is a flag that is not understood. */
static bool read_flag(bench *b, const char *argument) {
  const char *value;
  int64_t number = 0;
  if ((value = value_of(argument, "--solver")) != NULL) {
    b->solver = value;
    return asc_solver_find(value) != NULL;
  }
  if ((value = value_of(argument, "--repeat")) != NULL) {
    if (!read_whole(value, 1, MOST_REPEATS, &number)) return false;
    b->repeat = (uint32_t)number;
    return true;
  }
  if ((value = value_of(argument, "--budget")) != NULL) {
    if (!read_whole(value, 0, INT64_MAX, &number)) return false;
    b->budget = (uint64_t)number;
    return true;
  }
  return (value = value_of(argument, "--capacity")) != NULL && read_whole(value, 0, ASC_MAX_BYTES, &b->capacity);
}

int main(int argc, char **argv) {
  bench b = {.solver = "minimalloc", .repeat = 1, .capacity = -1};
  int paths = 0;
  for (int k = 1; k < argc; k++) {
    bool flag = argv[k][0] == '-';
    paths += !flag;
    if (!flag || read_flag(&b, argv[k])) continue;
    fprintf(stderr, "arenascope-bench: %s: is not understood\n", argv[k]);
    return 2;
  }
  if (!paths) {
    fprintf(stderr,
            "usage: arenascope-bench FILE_OR_FOLDER... [--solver=ID] [--repeat=K] [--budget=STEPS] [--capacity=BYTES]\n");
    return 2;
  }
  if (asc_context_new(NULL, &b.context) != ASC_OK) return 2;
  for (int k = 1; k < argc; k++)
    if (argv[k][0] != '-') run_path(&b, argv[k]);
  asc_context_free(b.context);
  return b.failed ? 1 : 0;
}
