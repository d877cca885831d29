/* One case measured. A limit of nodes or milliseconds is looked at between slices of steps: the library knows neither. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A slice of the first kind costs nothing measurable; one of the second is about a millisecond where steps are dearest. */
enum { WHOLE_SLICE = 1 << 24, LIMITED_SLICE = 32 };

static double milliseconds(const bench *b) {
  struct timespec time;
  clock_gettime(b->processor ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

void bench_complain(bench *b, const char *path, const char *what) {
  fprintf(stderr, "arenascope-bench: %s: %s\n", path, what);
  b->failed = true;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

static void *counted_resize(void *user, void *block, size_t bytes) {
  bench *b = user;
  void *made = realloc(block, bytes);
  size_t held = b->context ? asc_context_bytes(b->context) + bytes : bytes;
  if (made && held > b->most_bytes) b->most_bytes = held;
  return made;
}

static void counted_release(void *user, void *block) {
  (void)user;
  free(block);
}

asc_allocator bench_allocator(bench *b) {
  return (asc_allocator){counted_resize, counted_release, b};
}

/* ---- one run --------------------------------------------------------------------------------------------------------- */

typedef struct timing {
  double begin, ms, height_ms, within_ms; /* within_ms -1: none was */
  int64_t height;
} timing;

static bool is_within(const asc_run_stats *stats, int64_t millionths) {
  return (double)(stats->height - stats->lower_bound) <= (double)stats->lower_bound * 1e-6 * (double)millionths;
}

/* Heights only fall: a new one is a better plan. */
static void look(const bench *b, const asc_run_stats *stats, timing *t) {
  if (stats->height < 0 || stats->height == t->height) return;
  t->height = stats->height;
  t->height_ms = milliseconds(b) - t->begin;
  if (t->within_ms < 0 && b->within >= 0 && is_within(stats, b->within)) t->within_ms = t->height_ms;
}

static asc_status finish(const bench *b, asc_run *run, asc_run_stats *stats, timing *t) {
  bool watched = b->nodes || b->most_ms > 0 || b->within >= 0;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) {
    asc_status status = asc_run_step(run, watched ? LIMITED_SLICE : WHOLE_SLICE, &outcome);
    if (status) return status;
    asc_run_stats_get(run, stats);
    look(b, stats, t);
    if (b->nodes && stats->nodes >= b->nodes) break;
    if (b->most_ms > 0 && milliseconds(b) - t->begin >= b->most_ms) break;
  }
  return ASC_OK;
}

static bool run_once(bench *b, const char *name, asc_input input, int64_t capacity, uint64_t seed, asc_run_stats *stats,
                     timing *t) {
  asc_run_config config = asc_run_config_default(b->solver, capacity);
  config.goal = b->goal;
  config.budget = b->budget;
  config.seed = seed;
  config.options = b->options;
  config.option_count = b->option_count;
  asc_run *run = NULL;
  asc_diag diag = {0};
  *t = (timing){.begin = milliseconds(b), .within_ms = -1, .height = -1};
  asc_status status = asc_run_new(input, &config, &run, &diag);
  if (!status) status = finish(b, run, stats, t);
  asc_run_free(run);
  t->ms = milliseconds(b) - t->begin;
  if (!status) return true;
  bench_complain(b, name, asc_status_text(status));
  if (diag.message[0]) fprintf(stderr, "arenascope-bench: %s %s\n", diag.field, diag.message);
  return false;
}

/* ---- repeats --------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double sorted_median(double *values, uint32_t count) {
  qsort(values, count, sizeof *values, by_value);
  return values[count / 2];
}

bool bench_measure(bench *b, const char *name, asc_input input, int64_t capacity, uint64_t seed, measured *result) {
  double whole[MOST_REPEATS] = {0}, heights[MOST_REPEATS] = {0}, withins[MOST_REPEATS] = {0};
  result->problem_bytes = b->most_bytes = asc_context_bytes(b->context);
  for (uint32_t k = 0; k < b->repeat; k++) {
    timing t;
    if (!run_once(b, name, input, capacity, seed, &result->stats, &t)) return false;
    whole[k] = t.ms;
    heights[k] = t.height_ms;
    withins[k] = t.within_ms < 0 ? HUGE_VAL : t.within_ms;
  }
  result->bytes = b->most_bytes - result->problem_bytes;
  result->median_ms = sorted_median(whole, b->repeat);
  result->best_ms = whole[0];
  result->height_ms = sorted_median(heights, b->repeat);
  double within = sorted_median(withins, b->repeat);
  result->within_ms = within < HUGE_VAL ? within : -1;
  return true;
}

void bench_print(const bench *b, asc_input input, uint64_t seed, const measured *result) {
  const asc_problem *problem = input.domain == ASC_DOMAIN_BUFFERS ? input.of.buffers : asc_lowering_problem(input.of.graph);
  const asc_run_stats *stats = &result->stats;
  printf("\"solver\":\"%s\",\"buffers\":%u,\"seed\":%llu,\"outcome\":\"%s\",\"height\":%lld,\"lowerBound\":%lld", b->solver,
         asc_problem_count(problem), (unsigned long long)seed, asc_outcome_id(stats->outcome), (long long)stats->height,
         (long long)stats->lower_bound);
  printf(",\"steps\":%llu,\"nodes\":%llu,\"backtracks\":%llu,\"digest\":\"%016llx\",\"ms\":%.3f,\"msMedian\":%.3f",
         (unsigned long long)stats->steps, (unsigned long long)stats->nodes, (unsigned long long)stats->backtracks,
         (unsigned long long)stats->digest, result->best_ms, result->median_ms);
  printf(",\"msHeight\":%.3f,\"problemBytes\":%zu,\"bytes\":%zu", result->height_ms, result->problem_bytes, result->bytes);
  if (result->within_ms >= 0) printf(",\"msWithin\":%.3f", result->within_ms);
}
