/* Problems of one pool each. Buffers that may lie in any pool are in none of them: to choose is a solver's part. */
#include "base/diag.h"
#include "base/memory.h"
#include "model/problem.h"

/* The buffer in its own pool's memory, which is the only one of the part. */
static asc_status add_buffer(asci_part *part, asc_buffer_spec spec, const asc_pool *pool, asc_diag *diag) {
  spec.pool = ASC_POOL_MAIN;
  asc_status status = asci_keep_alignment(&spec, pool->alignment, "pool's", diag);
  if (!status) status = asci_keep_bank(&spec, pool->bank, "pool's", diag);
  if (!status) status = asc_problem_add(part->problem, &spec, diag);
  return asci_name_buffer(status, spec.id, diag);
}

static asc_status make_part(const asc_problem *problem, uint32_t pool, asci_part *part, asc_diag *diag) {
  const asc_pool *memory = asc_problem_pool(problem, pool);
  uint32_t count = 0;
  for (uint32_t b = 0; b < problem->count; b++) count += problem->buffers[b].pool == pool;
  part->buffers = asci_alloc(problem->context, count, sizeof *part->buffers);
  if (!part->buffers || asc_problem_new(problem->context, &part->problem)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0, k = 0; b < problem->count; b++) {
    if (problem->buffers[b].pool != pool) continue;
    part->buffers[k++] = b;
    asc_status status = add_buffer(part, problem->buffers[b], memory, diag);
    if (status) return status;
  }
  return asc_problem_freeze(part->problem, diag);
}

/* The heights of pools add up, and so do their bounds. */
static void add_bounds(asc_problem *problem) {
  problem->lower_bound = 0;
  for (uint32_t p = 0; p <= problem->pool_count; p++) problem->lower_bound += problem->parts[p].problem->lower_bound;
}

asc_status asci_parts_new(asc_problem *problem, asc_diag *diag) {
  problem->parts = asci_calloc(problem->context, (size_t)problem->pool_count + 1, sizeof *problem->parts);
  asc_status status = problem->parts ? ASC_OK : ASC_OUT_OF_MEMORY;
  for (uint32_t p = 0; !status && p <= problem->pool_count; p++) status = make_part(problem, p, &problem->parts[p], diag);
  if (!status) {
    add_bounds(problem);
    return ASC_OK;
  }
  asci_parts_free(problem);
  return status == ASC_OUT_OF_MEMORY ? asci_complain(diag, status, "", "%s", asc_status_text(status)) : status;
}

void asci_parts_free(asc_problem *problem) {
  if (!problem->parts) return;
  for (uint32_t p = 0; p <= problem->pool_count; p++) {
    asc_problem_free(problem->parts[p].problem);
    asci_free(problem->context, problem->parts[p].buffers);
  }
  asci_free(problem->context, problem->parts);
  problem->parts = NULL;
}
