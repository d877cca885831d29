/* Runs the core's suites: arenascope-tests [NAME...]. A NAME is a suite ("oracle") or, where none has it, a part of some; without one all are run.
 * --list before them prints their names instead; with --shard=2/4 a suite does the second quarter of its numbered cases. */
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define ASC_SUITE(name) int run_##name##_tests(void);
#include "suites.def"
#undef ASC_SUITE

typedef struct suite {
  const char *name;
  int (*run)(void);
} suite;

static const suite suites[] = {
#define ASC_SUITE(name) {#name, run_##name##_tests},
#include "suites.def"
#undef ASC_SUITE
};

static int is_suite(const char *name) {
  for (size_t k = 0; k < sizeof suites / sizeof suites[0]; k++)
    if (strcmp(suites[k].name, name) == 0) return 1;
  return 0;
}

static int wanted(const char *name, int count, char **names) {
  if (count == 0) return 1;
  for (int k = 0; k < count; k++)
    if (is_suite(names[k]) ? strcmp(name, names[k]) == 0 : strstr(name, names[k]) != NULL) return 1;
  return 0;
}

static int is_shard(const char *argument) {
  unsigned index, count;
  if (sscanf(argument, "--shard=%u/%u", &index, &count) != 2 || index < 1 || index > count) return 0;
  test_part = (test_shard){index - 1, count};
  return 1;
}

int main(int argc, char **argv) {
  int listed = argc > 1 && strcmp(argv[1], "--list") == 0, sharded = argc > 1 && is_shard(argv[1]);
  int names = 1 + listed + sharded, failed = 0, met = 0;
  for (size_t k = 0; k < sizeof suites / sizeof suites[0]; k++) {
    if (!wanted(suites[k].name, argc - names, argv + names)) continue;
    met++;
    if (listed) {
      printf("%s\n", suites[k].name);
      continue;
    }
    clock_t start = clock();
    failed += suites[k].run() != 0;
    printf("%s: %.1f s\n", suites[k].name, (double)(clock() - start) / CLOCKS_PER_SEC);
    fflush(stdout);
  }
  if (!met) fprintf(stderr, "no suite of that name: --list tells which there are\n");
  if (failed) fprintf(stderr, "%d of %d suites failed\n", failed, met);
  return met ? failed != 0 : 2;
}
