/* A buffer CSV and, from the word "arenascope-proof" on, any bytes as a certificate about it: the checker refuses it and names a line, or believes it. What
   it believes no plan may contradict: the exact solver is asked for one within the bytes that the certificate rules out. */
#include <string.h>

#include "asc/asc.h"

#include "demand.h"
#include "refusal.h"

enum { MOST_BUFFERS = 200, MOST_STEPS = 20000 };

static size_t find_certificate(const char *bytes, size_t size) {
  static const char first[] = "arenascope-proof";
  size_t length = sizeof first - 1;
  for (size_t at = 0; at + length <= size; at++)
    if (memcmp(bytes + at, first, length) == 0) return at;
  return size;
}

static void look_for_plan(const asc_problem *problem, int64_t within) {
  asc_run_config config = asc_run_config_default("exact", within);
  asc_run *run = NULL;
  if (asc_run_new(asc_input_buffers(problem), &config, &run, NULL)) return;
  demand(asc_run_step(run, MOST_STEPS, NULL) == ASC_OK);
  demand(asc_run_best(run) == NULL);
  asc_run_free(run);
}

static void check(asc_context *context, const asc_problem *problem, const char *text, size_t bytes) {
  int64_t proven = 0;
  asc_diag diag = {0};
  asc_status status = asc_proof_check(context, problem, text, bytes, &proven, &diag);
  if (status == ASC_OK) {
    demand(proven >= -1);
    if (proven >= 0) look_for_plan(problem, proven);
    return;
  }
  demand(status == ASC_BAD_INPUT || status == ASC_UNSUPPORTED);
  demand(diag.status == status && diag.message[0]);
  demand(memchr(diag.message, 0, sizeof diag.message) != NULL);
  demand(status != ASC_BAD_INPUT || diag.line > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  asc_context *context = NULL;
  asc_csv *csv = NULL;
  char *bytes = exact_copy(data, size);
  size_t split = find_certificate(bytes, size), count = 0;
  demand(asc_context_new(NULL, &context) == ASC_OK);
  if (asc_csv_read(context, bytes, split, ASC_OFFSETS_FIXED, &csv, NULL, 0, &count) == ASC_OK) {
    const asc_problem *problem = asc_csv_problem(csv);
    if (asc_problem_count(problem) <= MOST_BUFFERS) check(context, problem, bytes + split, size - split);
    asc_csv_free(csv);
  }
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  free(bytes);
  return 0;
}
