/* A problem in the making: what its kind fills. */
#ifndef ASCI_GENERATE_MAKER_H
#define ASCI_GENERATE_MAKER_H

#include "base/memory.h"
#include "base/number/rng.h"
#include "generate/cut.h"

#define ASCI_LOAD_BOUND (-1)

typedef struct asci_maker {
  asc_context *context;
  asci_rng rng;
  uint32_t n;
  asci_block *blocks; /* n of them */
  int64_t capacity;   /* LOAD_BOUND: the lower bound of the problem, known later */
} asci_maker;

/* The kinds with a mix of lifetimes as large models have it (profiles.c), O(n) each. */
asc_status asci_make_heavy_tailed(asci_maker *m);
asc_status asci_make_powers_of_two(asci_maker *m);
asc_status asci_make_stationary(asci_maker *m);

/* One training step (training.c), O(n), and the name of a buffer of it. */
asc_status asci_make_training(asci_maker *m);
void asci_name_training(uint32_t n, uint32_t b, char id[32]);

#endif
