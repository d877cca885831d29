/* Any bytes as a buffer CSV: a file is refused with errors that name a place, or it can be written and read back as the same. */
#include <string.h>

#include "asc/asc.h"

#include "demand.h"
#include "refusal.h"
#include "text.h"

static void check_again(asc_context *context, const asc_csv *csv, asc_offset_column column) {
  text out = {0};
  const asc_problem *problem = asc_csv_problem(csv);
  demand(asc_csv_write(problem, csv, asc_csv_offsets(csv), append, &out) == ASC_OK);
  asc_csv *again = NULL;
  size_t count = 0;
  demand(asc_csv_read(context, out.bytes, out.count, column, &again, NULL, 0, &count) == ASC_OK);
  demand(asc_problem_digest(asc_csv_problem(again)) == asc_problem_digest(problem));
  uint32_t n = asc_problem_count(problem);
  for (uint32_t b = 0; b < n; b++) demand(!strcmp(asc_problem_id(problem, b), asc_problem_id(asc_csv_problem(again), b)));
  const int64_t *plan = asc_csv_offsets(csv), *plan_again = asc_csv_offsets(again);
  demand(!plan == !plan_again);
  if (plan && n) demand(!memcmp(plan, plan_again, n * sizeof *plan));
  asc_csv_free(again);
  free(out.bytes);
}

static void try_column(const char *bytes, size_t size, asc_offset_column column) {
  enum { ROOM = 20 };
  asc_context *context = NULL;
  asc_csv *csv = NULL;
  asc_diag diags[ROOM];
  size_t count = 0;
  demand(asc_context_new(NULL, &context) == ASC_OK);
  asc_status status = asc_csv_read(context, bytes, size, column, &csv, diags, ROOM, &count);
  if (status == ASC_OK) {
    demand(csv != NULL && count == 0);
    demand(asc_csv_convention(csv) != NULL);
    check_again(context, csv, column);
    asc_csv_free(csv);
  } else {
    demand(csv == NULL);
    check_refusal(diags, ROOM, count, status);
  }
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *bytes = exact_copy(data, size);
  try_column(bytes, size, ASC_OFFSETS_FIXED);
  try_column(bytes, size, ASC_OFFSETS_SOLUTION);
  free(bytes);
  return 0;
}
