/* A property that must hold for every input: says which one broke, then ends the target so that the fuzzer keeps the input. */
#ifndef FUZZ_DEMAND_H
#define FUZZ_DEMAND_H

#include <stdio.h>
#include <stdlib.h>

#define demand(condition) ((condition) ? (void)0 : broken(#condition, __FILE__, __LINE__))

static inline void broken(const char *condition, const char *file, int line) {
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  abort();
}

#endif
