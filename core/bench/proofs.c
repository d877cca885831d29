/* Proofs: generated saturated instances (tests/core/saturated.h), on which the published suites, feasible all of them, say nothing. */
#include "bench.h"

#include "saturated.h"

#include <inttypes.h>
#include <stdio.h>

/* MiniMalloc's word on the same question, or "unknown". */
static const char *checked(const bench *b, const char *name, const asc_problem *problem, int64_t capacity, bool *failed) {
  bench other = {.context = b->context, .solver = "minimalloc", .repeat = 1, .within = -1, .budget = b->check};
  measured result = {0};
  if (!bench_measure(&other, name, asc_input_buffers(problem), capacity, 0, &result)) {
    *failed = true;
    return "unknown";
  }
  switch (result.stats.outcome) {
  case ASC_OUTCOME_FEASIBLE:
  case ASC_OUTCOME_OPTIMAL:
    return "feasible";
  case ASC_OUTCOME_INFEASIBLE:
    return "infeasible";
  default:
    return "unknown";
  }
}

static void decide(bench *b, uint64_t number, const asc_problem *problem) {
  int64_t load = asc_problem_lower_bound(problem), capacity = load;
  uint32_t sections = asc_problem_section_count(problem);
  char name[64];
  snprintf(name, sizeof name, "saturated %" PRIu64, number);
  measured result = {0};
  do {
    if (!bench_measure(b, name, asc_input_buffers(problem), capacity, 0, &result)) return;
    const char *check = b->check ? checked(b, name, problem, capacity, &b->failed) : "unknown";
    printf("{\"instance\":\"%s\",\"sections\":%" PRIu32 ",\"excess\":%" PRId64 ",\"check\":\"%s\",", name, sections,
           capacity - load, check);
    bench_print(b, asc_input_buffers(problem), 0, &result);
    printf("}\n");
    fflush(stdout);
    capacity++;
  } while (result.stats.outcome == ASC_OUTCOME_INFEASIBLE);
}

void bench_saturated(bench *b) {
  for (uint64_t k = 0; k < b->saturated; k++) {
    asc_problem *problem = NULL;
    asc_status status = saturated_problem(b->context, saturated_sections(k), k, &problem);
    if (status)
      bench_complain(b, "saturated", asc_status_text(status));
    else
      decide(b, k, problem);
    asc_problem_free(problem);
  }
}
