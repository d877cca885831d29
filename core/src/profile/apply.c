/* A problem as a profile's memory takes it. */
#include "base/diag.h"
#include "base/multiple.h"
#include "model/problem.h"

#include <string.h>

static asc_status align(asc_buffer_spec *spec, const asc_profile *profile, asc_diag *diag) {
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  int64_t own = spec->alignment;
  if (profile->align_by != ASC_ALIGN_OFFSET) spec->size = asci_align(spec->size, profile->alignment);
  if (profile->align_by == ASC_ALIGN_SIZE) return ASC_OK;
  spec->alignment = asci_common_multiple(own, profile->alignment);
  if (spec->alignment <= ASC_MAX_BYTES) return ASC_OK;
  return asci_complain(diag, ASC_TOO_LARGE, "alignment",
                       "is %s, which with the profile's %s has no multiple that can be counted", asci_commas(a, own),
                       asci_commas(b, profile->alignment));
}

/* Two banks are kept at once by the smaller one if it divides the other. */
static asc_status keep_bank(asc_buffer_spec *spec, const asc_profile *profile, asc_diag *diag) {
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  int64_t bank = profile->may_cross ? 0 : profile->bank, own = spec->bank;
  if (bank == 0) return ASC_OK;
  spec->bank = own && own < bank ? own : bank;
  if (own == 0 || own % bank == 0 || bank % own == 0) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, "bank", "is %s, expected a divisor or a multiple of the profile's, %s",
                       asci_commas(a, own), asci_commas(b, bank));
}

/* A diag that tells of one buffer as one that tells of a problem. */
static void name_buffer(asc_diag *diag, const char *id) {
  if (!diag || !*diag->field) return;
  asc_diag told = *diag;
  asci_complain(diag, told.status, told.field, "of \xe2\x80\x9c%.64s\xe2\x80\x9d %s", id, told.message);
}

static asc_status apply(const asc_problem *problem, const asc_profile *profile, asc_problem *made, asc_diag *diag) {
  for (uint32_t b = 0; b < problem->count; b++) {
    asc_buffer_spec spec = problem->buffers[b];
    asc_status status = align(&spec, profile, diag);
    if (!status) status = keep_bank(&spec, profile, diag);
    if (!status) status = asc_problem_add(made, &spec, diag);
    if (!status) continue;
    name_buffer(diag, spec.id);
    return status;
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
  if (status) return asci_complain(diag, status, "", "%s", asc_status_text(status));
  status = apply(problem, profile, made, diag);
  if (status)
    asc_problem_free(made);
  else
    *applied = made;
  return status;
}
