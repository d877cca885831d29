/* A problem as a profile's memory takes it: a profile is about the main pool, and the others stay as they are. */
#include "base/diag.h"
#include "model/bank.h"
#include "model/problem.h"

#include <string.h>

static asc_status restrict_buffer(asc_buffer_spec *spec, const asc_profile *profile, asc_diag *diag) {
  if (profile->align_by != ASC_ALIGN_OFFSET) spec->size = asci_align(spec->size, profile->alignment);
  asc_status status = ASC_OK;
  if (profile->align_by != ASC_ALIGN_SIZE) status = asci_keep_alignment(spec, profile->alignment, "profile's", diag);
  if (!status && !profile->may_cross) status = asci_keep_bank(spec, profile->bank, "profile's", diag);
  return status;
}

static asc_status apply(const asc_problem *problem, const asc_profile *profile, asc_problem *made, asc_diag *diag) {
  for (uint32_t p = 1; p < asc_problem_pool_count(problem); p++) {
    asc_status status = asc_problem_add_pool(made, asc_problem_pool(problem, p), NULL, diag);
    if (status) return status;
  }
  for (uint32_t b = 0; b < problem->count; b++) {
    asc_buffer_spec spec = problem->buffers[b];
    asc_status status = spec.pool == ASC_POOL_MAIN ? restrict_buffer(&spec, profile, diag) : ASC_OK;
    if (!status) status = asc_problem_add(made, &spec, diag);
    if (status) return asci_name_buffer(status, spec.id, diag);
  }
  return asc_problem_freeze(made, diag);
}

asc_status asc_profile_apply(const asc_problem *problem, const asc_profile *profile, asc_problem **applied, asc_diag *diag) {
  bool fit = problem && problem->frozen && profile && applied && profile->alignment >= 1 &&
             profile->alignment <= ASC_MAX_BYTES && profile->bank >= 0 && profile->bank <= ASC_MAX_BYTES &&
             profile->align_by <= ASC_ALIGN_BOTH;
  if (!fit) return asci_complain(diag, ASC_BAD_ARGUMENT, "", "%s", asc_status_text(ASC_BAD_ARGUMENT));
  asc_problem *made;
  asc_status status = asc_problem_new(problem->context, &made);
  if (status) return asci_refuse(diag, status);
  status = apply(problem, profile, made, diag);
  if (status)
    asc_problem_free(made);
  else
    *applied = made;
  return status;
}
