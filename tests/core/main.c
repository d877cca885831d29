/* Runs the core's suites: arenascope-tests [NAME...]. A NAME is a suite ("oracle") or a part of one; none runs them all. */
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

static int wanted(const char *name, int argc, char **argv) {
  if (argc < 2) return 1;
  for (int k = 1; k < argc; k++)
    if (strstr(name, argv[k])) return 1;
  return 0;
}

int main(int argc, char **argv) {
  int failed = 0, run = 0;
  for (size_t k = 0; k < sizeof suites / sizeof suites[0]; k++) {
    if (!wanted(suites[k].name, argc, argv)) continue;
    clock_t start = clock();
    failed += suites[k].run() != 0;
    run++;
    printf("%s: %.1f s\n", suites[k].name, (double)(clock() - start) / CLOCKS_PER_SEC);
    fflush(stdout);
  }
  if (!run) {
    fprintf(stderr, "no suite of that name; there are:");
    for (size_t k = 0; k < sizeof suites / sizeof suites[0]; k++) fprintf(stderr, " %s", suites[k].name);
    fprintf(stderr, "\n");
    return 2;
  }
  if (failed) fprintf(stderr, "%d of %d suites failed\n", failed, run);
  return failed != 0;
}
