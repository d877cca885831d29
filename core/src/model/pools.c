#include "model/pools.h"

#include "base/diag.h"
#include "base/memory.h"

/* The buffer in its own pool's memory, which is the only one of the part. */
static asc_status add_buffer(asci_part *part, asc_buffer_spec spec, const asc_pool *pool, asc_diag *diag) {
  spec.pool = ASC_POOL_MAIN;
  (void)asci_keep_pool(&spec, pool, diag); /* it can: it was asked when the buffer was added */
  asc_status status = asc_problem_add(part->problem, &spec, diag);
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
  return ASC_OK;
}

asc_status asci_parts_new(asc_problem *problem, asc_diag *diag) {
  problem->parts = asci_calloc(problem->context, (size_t)problem->pool_count + 1, sizeof *problem->parts);
  asc_status status = problem->parts ? ASC_OK : ASC_OUT_OF_MEMORY;
  for (uint32_t p = 0; !status && p <= problem->pool_count; p++) status = make_part(problem, p, &problem->parts[p], diag);
  return status == ASC_OUT_OF_MEMORY ? asci_refuse(diag, status) : status;
}
