/* How the rules, jumps by lot and learned jumps fare on a case. Whose verdict is known to be "no plan", or who is no work for the rules, says nothing and is
 * left out. */
#include "learn.h"

#include <inttypes.h>
#include <stdio.h>

/* Backtracks of the rules below which a case is no work, and steps for the exact solver to say that there is no plan. */
enum { NO_WORK = 15, VERDICT_STEPS = 20000 };

static void print_run(const learn_case *c, const char *jump, uint64_t seed, const asc_run_stats *stats) {
  printf("%s,%g,%s,%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 "\n", c->instance, c->percent, jump, seed,
         learn_is_solved(stats->outcome), stats->steps, stats->backtracks);
}

static asc_run_stats jump_run(learn *l, const learn_case *c, const char *jump, uint64_t seed) {
  const asc_option_value option = {"jump", jump};
  return learn_finish(l, learn_run(l, c, "telamalloc", l->steps, seed, &option, 1));
}

void learn_judge(learn *l, const learn_case *c) {
  if (!l->rows) printf("instance,percent,jump,seed,solved,steps,backtracks\n");
  l->rows = true;
  asc_run_stats rules = jump_run(l, c, "conflict", 0);
  if (rules.backtracks <= NO_WORK) return;
  if (!learn_is_solved(rules.outcome)) {
    asc_run_stats verdict = learn_finish(l, learn_run(l, c, "exact", VERDICT_STEPS, 0, NULL, 0));
    if (verdict.outcome == ASC_OUTCOME_INFEASIBLE) return;
  }
  print_run(c, "conflict", 0, &rules);
  for (uint64_t seed = 0; seed < l->seeds; seed++) {
    asc_run_stats lot = jump_run(l, c, "random", seed), learned = jump_run(l, c, "learned", seed);
    print_run(c, "random", seed, &lot);
    print_run(c, "learned", seed, &learned);
  }
}
