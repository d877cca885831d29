/* Saved states that no run wrote. The input is a problem, a solver, a number of steps and then bytes that are laid over a true save:
 *
 *     true save   53 41 01 9c ...            byte k of the patch:  0      keeps the save's byte
 *     patch       00 00 00 07 ...                                  other  is added to it
 *
 * so that small inputs reach deep into the reader. Loading says OK or BAD_SAVE; the run can then be stepped, shown and set right again. */
#include "problem_bytes.h"

static uint8_t *patched(const uint8_t *bytes, size_t count, input *in, size_t *patched_count) {
  uint8_t cut = take(in);
  *patched_count = cut ? count - (cut - 1) % (count + 1) : count;
  uint8_t *copy = malloc(count ? count : 1);
  demand(copy != NULL);
  memcpy(copy, bytes, count);
  /* Past the header and digest most patches would only be refused: start anywhere. */
  size_t from = take(in);
  for (size_t k = from; k < count && in->at < in->size; k++) copy[k] = (uint8_t)(copy[k] + take(in));
  return copy;
}

static void check_usable(const asc_problem *problem, asc_run *run) {
  asc_run_view view;
  uint32_t n = asc_problem_count(problem);
  for (int round = 0; round < 3; round++) {
    demand(asc_run_view_get(run, &view) == ASC_OK);
    demand(view.depth <= n);
    for (uint32_t d = 0; view.stack && d < view.depth; d++) demand(view.stack[d] < n);
    for (uint32_t b = 0; b < n; b++) demand(view.offsets[b] >= ASC_UNPLACED);
    asc_status status = asc_run_step(run, 300, NULL);
    demand(status == ASC_OK || status == ASC_INVALID_SOLUTION);
  }
  size_t violations = 0;
  if (asc_run_best(run)) demand(asc_validate(problem, asc_run_best(run), INT64_MAX, NULL, 0, &violations) == ASC_OK);
  demand(violations == 0);
}

static void check_load(const asc_problem *problem, const asc_run_config *config, asc_run *run, input *in) {
  const uint8_t *bytes;
  size_t count, patched_count;
  asc_run *other = NULL;
  demand(asc_run_step(run, take(in) * 3u, NULL) == ASC_OK);
  demand(asc_run_save(run, &bytes, &count) == ASC_OK);
  uint8_t *copy = patched(bytes, count, in, &patched_count);
  demand(asc_run_new(asc_input_buffers(problem), config, &other, NULL) == ASC_OK);
  asc_status status = asc_run_load(other, copy, patched_count);
  demand(status == ASC_OK || status == ASC_BAD_SAVE);
  check_usable(problem, other);
  demand(asc_run_load(other, bytes, count) == ASC_OK);
  asc_run_stats a, b;
  asc_run_stats_get(other, &a);
  asc_run_stats_get(run, &b);
  demand(a.digest == b.digest && a.steps == b.steps && a.depth == b.depth);
  asc_run_free(other);
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input in = {data, size, 0};
  setting set;
  asc_run_config config;
  asc_context *context = NULL;
  demand(asc_context_new(NULL, &context) == ASC_OK);
  asc_problem *problem = take_problem(context, &in);
  asc_run *run = take_run(problem, &in, &set, &config);
  if (run) {
    /* Bytes that never were a save, too. */
    asc_status status = asc_run_load(run, data, size);
    demand(status == ASC_OK || status == ASC_BAD_SAVE);
    check_load(problem, &config, run, &in);
    asc_run_free(run);
  }
  asc_problem_free(problem);
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  return 0;
}
