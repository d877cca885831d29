/* arenascope-bench FILE_OR_FOLDER... [--solver=ID] [--goal=GOAL] [--option=NAME=VALUE]... [--repeat=K] [--seeds=K] [--budget=STEPS]
 *                  [--nodes=LIMIT] [--ms=LIMIT] [--processor] [--within=MILLIONTHS] [--capacity=BYTES] [--saturated=COUNT [--check=STEPS]]
 *
 * Runs each buffer or graph CSV and prints one JSON object on one line for it and each seed. Options that the lowering of a graph has are its
 * own. The capacity is the number before ".csv" in the file's name ("A.1048576.csv"), else --capacity, else the problem's lower bound. "ms" is
 * the best of the repeats, "msMedian" their median: making the run, solving and freeing it, without reading the file; with --processor on the processor. "msHeight" is when the last height was
 * found, "msWithin" when the first that is at most so many millionths above the lower bound, both medians; "bytes" is the most memory that
 * the run had, besides "problemBytes". Of a folder the .csv files are taken in the order of their names. A run that reaches a limit of
 * nodes or milliseconds is given up and stays "running". --saturated adds generated instances, whose verdicts --check asks of MiniMalloc
 * too, within that many steps. */
#include "bench.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- one case -------------------------------------------------------------------------------------------------------- */

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

static void print_row(const bench *b, const char *path, asc_input input, uint64_t seed, const measured *result) {
  printf("{\"instance\":\"");
  for (const char *at = base_name(path); *at; at++) {
    if (*at == '"' || *at == '\\') putchar('\\');
    putchar(*at);
  }
  printf("\",");
  bench_print(b, input, seed, result);
  printf("}\n");
  fflush(stdout);
}

/* --capacity and what the name says apart: the lower bound. */
static void run_input(bench *b, const char *path, asc_input input, int64_t lower_bound) {
  int64_t capacity = capacity_in_name(path);
  if (capacity < 0) capacity = b->capacity;
  if (capacity < 0) capacity = lower_bound;
  for (uint64_t seed = 0; seed < b->seeds; seed++) {
    measured result = {0};
    if (bench_measure(b, path, input, capacity, seed, &result)) print_row(b, path, input, seed, &result);
  }
}

static asc_status run_buffers(bench *b, const char *path, const char *text, size_t bytes) {
  asc_csv *csv = NULL;
  asc_status status = asc_csv_read(b->context, text, bytes, ASC_OFFSETS_FIXED, &csv, NULL, 0, NULL);
  if (status) return status;
  const asc_problem *problem = asc_csv_problem(csv);
  run_input(b, path, asc_input_buffers(problem), asc_problem_lower_bound(problem));
  asc_csv_free(csv);
  return ASC_OK;
}

static bool is_of_lowering(const char *name) {
  uint32_t count;
  const asc_option *options = asc_lower_options(&count);
  for (uint32_t k = 0; k < count; k++)
    if (strcmp(options[k].name, name) == 0) return true;
  return false;
}

/* A graph, lowered by those of the options that are the lowering's; the run has the others. */
static asc_status run_graph(bench *b, const char *path, const char *text, size_t bytes) {
  asc_option_value given[MOST_OPTIONS], of_lowering[MOST_OPTIONS];
  uint32_t all = b->option_count, lowers = 0, runs = 0;
  memcpy(given, b->options, sizeof given);
  for (uint32_t k = 0; k < all; k++) {
    if (is_of_lowering(given[k].name))
      of_lowering[lowers++] = given[k];
    else
      b->options[runs++] = given[k];
  }
  b->option_count = runs;
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_status status = asc_graph_csv_read(b->context, text, bytes, &graph, NULL, 0, NULL);
  if (!status) status = asc_lower(graph, of_lowering, lowers, &lowering, NULL);
  if (!status) run_input(b, path, asc_input_graph(lowering), asc_lowering_budgets(lowering).required);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  memcpy(b->options, given, sizeof given);
  b->option_count = all;
  return status;
}

static void run_file(bench *b, const char *path) {
  size_t bytes = 0;
  char *text = read_file(path, &bytes);
  if (!text) {
    bench_complain(b, path, strerror(errno));
    return;
  }
  asc_status status = asc_graph_csv_is(text, bytes) ? run_graph(b, path, text, bytes) : run_buffers(b, path, text, bytes);
  free(text);
  if (status) bench_complain(b, path, asc_status_text(status));
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
    bench_complain(b, path, strerror(errno));
    return;
  }
  if (!S_ISDIR(info.st_mode)) {
    run_file(b, path);
    return;
  }
  size_t count;
  char **paths = list_folder(path, &count);
  if (!paths) {
    bench_complain(b, path, "no .csv files in it");
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

static bool read_u32(const char *text, int64_t most, uint32_t *value) {
  int64_t number = 0;
  if (!read_whole(text, 1, most, &number)) return false;
  *value = (uint32_t)number;
  return true;
}

static bool read_u64(const char *text, uint64_t *value) {
  int64_t number = 0;
  if (!read_whole(text, 0, INT64_MAX, &number)) return false;
  *value = (uint64_t)number;
  return true;
}

/* NAME=VALUE; the NAME is cut off in place, in the argument, which lives as long as the program. */
static bool read_option(bench *b, char *text) {
  char *equals = strchr(text, '=');
  if (!equals || b->option_count == MOST_OPTIONS) return false;
  *equals = 0;
  b->options[b->option_count++] = (asc_option_value){text, equals + 1};
  return true;
}

/* False if the argument is a flag that is not understood. */
static bool read_flag(bench *b, char *argument) {
  const char *value;
  uint64_t most_ms = 0;
  if ((value = value_of(argument, "--solver")) != NULL) {
    b->solver = value;
    return asc_solver_find(value) != NULL;
  }
  if ((value = value_of(argument, "--goal")) != NULL) {
    while (b->goal < ASC_GOAL_COUNT && strcmp(value, asc_goal_id(b->goal)) != 0) b->goal++;
    return b->goal < ASC_GOAL_COUNT;
  }
  if (value_of(argument, "--option")) return read_option(b, argument + strlen("--option="));
  if ((value = value_of(argument, "--repeat")) != NULL) return read_u32(value, MOST_REPEATS, &b->repeat);
  if ((value = value_of(argument, "--seeds")) != NULL) return read_u32(value, UINT32_MAX, &b->seeds);
  if ((value = value_of(argument, "--saturated")) != NULL) return read_u32(value, UINT32_MAX, &b->saturated);
  if ((value = value_of(argument, "--budget")) != NULL) return read_u64(value, &b->budget);
  if ((value = value_of(argument, "--nodes")) != NULL) return read_u64(value, &b->nodes);
  if ((value = value_of(argument, "--check")) != NULL) return read_u64(value, &b->check);
  if ((value = value_of(argument, "--ms")) != NULL) {
    bool read = read_u64(value, &most_ms);
    b->most_ms = (double)most_ms;
    return read;
  }
  if (strcmp(argument, "--processor") == 0) return b->processor = true;
  if ((value = value_of(argument, "--within")) != NULL) return read_whole(value, 0, 1000000000, &b->within);
  value = value_of(argument, "--capacity");
  return value && read_whole(value, 0, ASC_MAX_BYTES, &b->capacity);
}

int main(int argc, char **argv) {
  bench b = {.solver = "minimalloc", .repeat = 1, .seeds = 1, .within = -1, .capacity = -1};
  int paths = 0;
  for (int k = 1; k < argc; k++) {
    bool flag = argv[k][0] == '-';
    paths += !flag;
    if (!flag || read_flag(&b, argv[k])) continue;
    fprintf(stderr, "arenascope-bench: %s: is not understood\n", argv[k]);
    return 2;
  }
  if (!paths && !b.saturated) {
    fprintf(stderr,
            "usage: arenascope-bench FILE_OR_FOLDER... [--solver=ID] [--goal=GOAL] [--option=NAME=VALUE]... [--repeat=K]\n"
            "       [--seeds=K]\n"
            "       [--budget=STEPS] [--nodes=LIMIT] [--ms=LIMIT] [--processor] [--within=MILLIONTHS]\n"
            "       [--capacity=BYTES] [--saturated=COUNT [--check=STEPS]]\n");
    return 2;
  }
  asc_allocator allocator = bench_allocator(&b);
  if (asc_context_new(&allocator, &b.context) != ASC_OK) return 2;
  for (int k = 1; k < argc; k++)
    if (argv[k][0] != '-') run_path(&b, argv[k]);
  bench_saturated(&b);
  asc_context_free(b.context);
  return b.failed ? 1 : 0;
}
