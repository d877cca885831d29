/* Two tensors and a scratch buffer in one kilobyte: the least that a program which links the library does. Its plan is an offset for each. */
#include <asc/asc.h>
#include <inttypes.h>
#include <stdio.h>

int main(void) {
  static const asc_buffer_spec specs[] = {
      {.id = "input", .lower = 0, .upper = 2, .size = 512, .alignment = 16, .offset = ASC_UNPLACED, .hint = ASC_UNPLACED},
      {.id = "output", .lower = 1, .upper = 4, .size = 256, .alignment = 16, .offset = ASC_UNPLACED, .hint = ASC_UNPLACED},
      {.id = "scratch", .lower = 2, .upper = 3, .size = 768, .alignment = 16, .offset = ASC_UNPLACED, .hint = ASC_UNPLACED},
  };
  asc_context *context = NULL;
  asc_problem *problem = NULL;
  asc_run *run = NULL;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_run_config config = asc_run_config_default("exact", 1024);

  asc_status status = asc_context_new(NULL, &context);
  if (!status) status = asc_problem_new(context, &problem);
  for (size_t k = 0; !status && k < sizeof specs / sizeof specs[0]; k++) status = asc_problem_add(problem, &specs[k], NULL);
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (!status) status = asc_run_new(asc_input_buffers(problem), &config, &run, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 100000, &outcome);

  const int64_t *plan = status ? NULL : asc_run_best(run);
  for (uint32_t b = 0; plan && b < asc_problem_count(problem); b++)
    printf("%s at %" PRId64 "\n", asc_problem_id(problem, b), plan[b]);
  if (!plan) fprintf(stderr, "no plan: %s, %s\n", asc_status_text(status), asc_outcome_id(outcome));
  asc_run_free(run);
  asc_problem_free(problem);
  asc_context_free(context);
  return plan ? 0 : 1;
}
