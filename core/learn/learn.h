/* What the files of the trainer's program share: the problem at hand, and runs on it. */
#ifndef LEARN_H
#define LEARN_H

#include "asc/asc.h"

#include <stdint.h>

typedef struct learn {
  asc_context *context;
  uint64_t steps;  /* budget of a run */
  uint32_t events; /* recorded of a configuration at most */
  uint32_t seeds;
  bool rows;   /* the heads are printed */
  bool failed; /* something could not be read or run */
} learn;

typedef struct learn_case {
  const char *instance; /* without folder and ending */
  double percent;       /* of the load */
  const asc_problem *problem;
  int64_t capacity;
} learn_case;

/* A run on the case, or NULL after a complaint. options: NULL or `count` of them. */
asc_run *learn_run(learn *l, const learn_case *c, const char *solver, uint64_t budget, uint64_t seed,
                   const asc_option_value *options, uint32_t count);
/* Runs it to its end; stats of that. Frees it. */
asc_run_stats learn_finish(learn *l, asc_run *run);
bool learn_is_solved(asc_outcome outcome);
void learn_complain(learn *l, const char *where, const char *what);

/* collect.c: rows of training data, if the case is hard enough for the rules and a run on it ends with a plan. */
void learn_collect(learn *l, const learn_case *c);
/* judge.c: a row for the rules, for jumps by lot and for learned ones, each seed, if the case is hard enough for the rules. */
void learn_judge(learn *l, const learn_case *c);

/* time.c: how long the model takes, by the number of candidates. */
void learn_time(void);

#endif
