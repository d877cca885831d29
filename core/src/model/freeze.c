/* What is derived once a problem is whole: its ids in a table, its sections, the part in each pool, its digest. */
#include "base/diag.h"
#include "base/hash.h"
#include "model/lifespan/sweep.h"
#include "model/pools.h"

#include <string.h>

static asc_status enter_ids(asc_problem *problem, asc_diag *diag) {
  for (uint32_t b = 0; b < problem->count; b++) {
    const char *id = problem->buffers[b].id;
    uint32_t first;
    asc_status status = asci_ids_enter(problem->context, &problem->ids, (asci_id){id, strlen(id), b + 1}, &first);
    if (status) return asci_refuse(diag, status);
    if (first) return asci_complain(diag, ASC_BAD_INPUT, "id", "\xe2\x80\x9c%.150s\xe2\x80\x9d is already used", id);
  }
  return ASC_OK;
}

/* Shape and pool, of which most buffers have none. */
static uint64_t fold_place(uint64_t hash, const asc_buffer_spec *spec) {
  if (!spec->shape_count && spec->pool == ASC_POOL_MAIN) return hash;
  hash = asci_fold(hash, ~(uint64_t)spec->pool);
  hash = asci_fold(hash, spec->shape_count);
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    hash = asci_fold(hash, (uint64_t)spec->shape[r].lower);
    hash = asci_fold(hash, (uint64_t)spec->shape[r].upper);
    hash = asci_fold(hash, (uint64_t)spec->shape[r].low);
    hash = asci_fold(hash, (uint64_t)spec->shape[r].high);
  }
  return hash;
}

static uint64_t fold_pool(uint64_t hash, const asc_pool *pool) {
  hash = asci_fold_text(hash, pool->id);
  hash = asci_fold(hash, (uint64_t)pool->capacity);
  hash = asci_fold(hash, (uint64_t)pool->alignment);
  return asci_fold(hash, (uint64_t)pool->bank);
}

static uint64_t digest_of(const asc_problem *problem) {
  uint64_t hash = asci_fold(ASCI_HASH_SEED, problem->count);
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    hash = asci_fold_text(hash, spec->id);
    hash = asci_fold(hash, (uint64_t)spec->lower);
    hash = asci_fold(hash, (uint64_t)spec->upper);
    hash = asci_fold(hash, (uint64_t)spec->size);
    hash = asci_fold(hash, (uint64_t)spec->alignment);
    hash = asci_fold(hash, (uint64_t)spec->offset);
    hash = asci_fold(hash, (uint64_t)spec->hint);
    hash = asci_fold(hash, spec->gap_count);
    for (uint32_t g = 0; g < spec->gap_count; g++) {
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].lower);
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].upper);
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].window_lower);
      hash = asci_fold(hash, (uint64_t)spec->gaps[g].window_upper);
    }
    /* Links carry digests from before there were banks. The complement is no byte that an id could begin with. */
    if (spec->bank) hash = asci_fold(hash, ~(uint64_t)spec->bank);
    hash = fold_place(hash, spec);
  }
  for (uint32_t p = 0; p < problem->pool_count; p++) hash = fold_pool(hash, &problem->pools[p]);
  return hash;
}

static asc_status freeze(asc_problem *problem, asc_diag *diag) {
  asc_status status = enter_ids(problem, diag);
  if (status) return status;
  status = asci_sweep_new(problem);
  if (status) return asci_refuse(diag, status);
  problem->digest = digest_of(problem);
  problem->frozen = true;
  return ASC_OK;
}

/* Of several pools: the heights add up, and so do their bounds. */
static asc_status freeze_parts(asc_problem *problem, asc_diag *diag) {
  asc_status status = asci_parts_new(problem, diag);
  int64_t bound = 0;
  for (uint32_t p = 0; !status && p <= problem->pool_count; p++) {
    asc_problem *part = problem->parts[p].problem;
    status = freeze(part, diag);
    bound += part->lower_bound;
  }
  if (!status) problem->lower_bound = bound;
  return status;
}

asc_status asc_problem_freeze(asc_problem *problem, asc_diag *diag) {
  if (!problem || problem->frozen) return asci_refuse(diag, ASC_BAD_ARGUMENT);
  asc_status status = freeze(problem, diag);
  if (!status && problem->pool_count) status = freeze_parts(problem, diag);
  if (!status) return ASC_OK;
  asci_problem_thaw(problem);
  problem->frozen = false;
  return status;
}
