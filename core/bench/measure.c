/* One case measured. A limit of nodes or milliseconds is looked at between slices of steps: the library knows neither. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A slice of the first kind costs nothing measurable; one of the second is about a millisecond where steps are dearest. */
enum { WHOLE_SLICE = 1 << 24, LIMITED_SLICE = 32 };

static double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

void bench_complain(bench *b, const char *path, const char *what) {
  fprintf(stderr, "arenascope-bench: %s: %s\n", path, what);
  b->failed = true;
}

static asc_status finish(const bench *b, asc_run *run, double begin, asc_run_stats *stats) {
  bool limited = b->nodes || b->most_ms > 0;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) {
    asc_status status = asc_run_step(run, limited ? LIMITED_SLICE : WHOLE_SLICE, &outcome);
    if (status) return status;
    if (!limited) continue;
    asc_run_stats_get(run, stats);
    if (b->nodes && stats->nodes >= b->nodes) break;
    if (b->most_ms > 0 && milliseconds() - begin >= b->most_ms) break;
  }
  asc_run_stats_get(run, stats);
  return ASC_OK;
}

static bool run_once(bench *b, const char *name, const asc_problem *problem, int64_t capacity, uint64_t seed,
                     asc_run_stats *stats, double *time) {
  asc_run_config config = asc_run_config_default(b->solver, capacity);
  config.budget = b->budget;
  config.seed = seed;
  config.options = b->options;
  config.option_count = b->option_count;
  asc_run *run = NULL;
  asc_diag diag = {0};
  double begin = milliseconds();
  asc_status status = asc_run_new(problem, &config, &run, &diag);
  if (!status) status = finish(b, run, begin, stats);
  asc_run_free(run);
  *time = milliseconds() - begin;
  if (!status) return true;
  bench_complain(b, name, asc_status_text(status));
  if (diag.message[0]) fprintf(stderr, "arenascope-bench: %s %s\n", diag.field, diag.message);
  return false;
}

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool bench_measure(bench *b, const char *name, const asc_problem *problem, int64_t capacity, uint64_t seed,
                   measured *result) {
  double times[MOST_REPEATS] = {0};
  for (uint32_t k = 0; k < b->repeat; k++)
    if (!run_once(b, name, problem, capacity, seed, &result->stats, &times[k])) return false;
  qsort(times, b->repeat, sizeof *times, by_time);
  result->best_ms = times[0];
  result->median_ms = times[b->repeat / 2];
  return true;
}

void bench_print(const bench *b, const asc_problem *problem, uint64_t seed, const measured *result) {
  const asc_run_stats *stats = &result->stats;
  printf("\"solver\":\"%s\",\"buffers\":%u,\"seed\":%llu,\"outcome\":\"%s\",\"height\":%lld,\"lowerBound\":%lld", b->solver,
         asc_problem_count(problem), (unsigned long long)seed, asc_outcome_id(stats->outcome), (long long)stats->height,
         (long long)stats->lower_bound);
  printf(",\"steps\":%llu,\"nodes\":%llu,\"backtracks\":%llu,\"digest\":\"%016llx\",\"ms\":%.3f,\"msMedian\":%.3f",
         (unsigned long long)stats->steps, (unsigned long long)stats->nodes, (unsigned long long)stats->backtracks,
         (unsigned long long)stats->digest, result->best_ms, result->median_ms);
}
