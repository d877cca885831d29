/* What the suites of the exact solver share: problems made from problems, option sets that it understands, and its verdicts. */
#ifndef TESTS_EXACT_SUPPORT_H
#define TESTS_EXACT_SUPPORT_H

#include "support.h"

/* ---- problems made from problems; each is a frozen one of its own ---- */

/* Time runs backwards: what fits is the same. */
asc_problem *exact_mirrored(asc_context *context, const asc_problem *problem);
/* Everything that is measured in bytes is `factor` times as large, and so is what it takes. */
asc_problem *exact_scaled(asc_context *context, const asc_problem *problem, int64_t factor);
/* The buffers of that numbers alone. */
asc_problem *exact_subset(asc_context *context, const asc_problem *problem, const uint32_t *buffers, uint32_t count);
/* One buffer more, which meets no other. */
asc_problem *exact_with(asc_context *context, const asc_problem *problem, int64_t size, int64_t alignment);

/* Each buffer has a hint where the plan has it, pushed down until no buffer alone has a lower place. Returns the plan's height. */
int64_t exact_hinted(asc_context *context, const asc_problem *problem, const int64_t *plan, asc_problem **hinted);

/* A saturated problem of 40 sections, each of whose buffers is cut into two: enough buffers, and enough of each lifespan, for glued arms
   to have their turn. Of every `gapped`th (0: none) that lives for three units or more the first part has a gap, the second unit. */
asc_problem *exact_piled(asc_context *context, uint64_t number, uint32_t gapped);
/* Of 130 buffers that fill a rectangle: what is cut out of one is joined again by boxes. One size in `changed` is another one (0: none). */
asc_problem *exact_cut(asc_context *context, uint64_t number, uint32_t changed);

/* ---- options ---- */

/* Ways to set the options that leave the question the same (it is not made to minimise): 0 is all defaults, then each rule off and each
   sample of the portfolio, then all rules off. */
uint32_t exact_variants(void);
void exact_variant(uint32_t k, test_options *options);
/* Each option at random; the goal is to fit. */
void exact_random_options(asci_rng *rng, test_options *options);

/* ---- verdicts ---- */

typedef enum exact_verdict { EXACT_FEASIBLE, EXACT_INFEASIBLE, EXACT_UNKNOWN } exact_verdict;

/* What the solver says within a budget of steps (0: none, and then it must decide); its end is checked to be sound. stats may be NULL. */
exact_verdict exact_decide(const char *solver, const asc_problem *problem, int64_t capacity, const test_options *options,
                           uint64_t seed, uint64_t budget, asc_run_stats *stats);
/* The same of a run at its end. */
exact_verdict exact_verdict_of(const asc_run *run);
const char *exact_verdict_name(exact_verdict verdict);

/* Fails unless the run's conflict is a true one by form: not empty, increasing, within the problem. */
const uint32_t *exact_conflict(const asc_problem *problem, const asc_run *run, uint32_t *count, const char *what);

/* ---- events and sweeps ---- */

/* Adds the kinds of the events of a run at the load bound, and the rules that they tell of, to kinds[ASC_EVENT_COUNT] and rules[ASC_RULE_COUNT]. */
void exact_count_events(asc_context *context, const asc_problem *problem, const test_options *options, uint64_t budget,
                        uint64_t *kinds, uint64_t *rules);
/* A run in which sweeps come before the arms, whatever is idle. budget: in steps, 0: none. */
asc_run *exact_sweeping_run(const asc_problem *problem, int64_t capacity, asc_goal goal, uint64_t budget);

#endif
