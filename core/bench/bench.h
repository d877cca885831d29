/* What the bench's files share: what to run and within which limits, one run of it, and its result as a line of JSON. */
#ifndef BENCH_H
#define BENCH_H

#include "asc/asc.h"

enum { MOST_REPEATS = 1000, MOST_OPTIONS = 16 };

typedef struct bench {
  asc_context *context;
  const char *solver;
  asc_goal goal;
  asc_option_value options[MOST_OPTIONS];
  uint32_t option_count;
  uint32_t repeat;
  uint32_t seeds;     /* seeds 0 .. seeds - 1, one row for each */
  uint64_t budget;    /* steps, 0: none */
  uint64_t nodes;     /* a run that has opened that many is given up; 0: none */
  double most_ms;     /* likewise milliseconds */
  bool processor;     /* milliseconds are the processor's, in which a busy machine does not count */
  int64_t within;     /* -1, or watch for the first plan that is within so many millionths of the lower bound */
  int64_t capacity;   /* -1: the lower bound */
  uint32_t saturated; /* how many generated instances */
  uint64_t check;     /* step budget of the solver that checks their verdicts, 0: none does */
  size_t most_bytes;  /* of the context at any time so far; a block that grows counts twice while it does */
  bool failed;
} bench;

typedef struct measured {
  asc_run_stats stats;       /* of the last repeat */
  double best_ms, median_ms; /* making the run, solving and freeing it */
  /* until the last height was found, median; as finely as runs are looked at (bench.within), else their end */
  double height_ms;
  double within_ms;     /* likewise the first plan that is within; -1: there was none in half of the repeats */
  size_t problem_bytes; /* before the run */
  size_t bytes;         /* most of them during the run, without those */
} measured;

/* The allocator that keeps most_bytes of a bench, its user. */
asc_allocator bench_allocator(bench *b);

/* Runs the solver b->repeat times; its name is put before a complaint. False if it could not be run. */
bool bench_measure(bench *b, const char *name, asc_input input, int64_t capacity, uint64_t seed, measured *result);
/* "solver":... to "msMedian":..., the members of a row that every run has, without braces. */
void bench_print(const bench *b, asc_input input, uint64_t seed, const measured *result);
void bench_complain(bench *b, const char *path, const char *what);

/* Decides b->saturated generated instances at capacities from the load bound upward, until one is no longer infeasible. One row for each
   capacity; "check" is the verdict of MiniMalloc. */
void bench_saturated(bench *b);

#endif
