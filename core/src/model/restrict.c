/* A buffer as a memory takes it: with the memory's alignment and bank beside its own. */
#include "base/diag.h"
#include "base/number/multiple.h"
#include "model/problem.h"

asc_status asci_keep_alignment(asc_buffer_spec *spec, int64_t alignment, const char *whose, asc_diag *diag) {
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  int64_t own = spec->alignment;
  spec->alignment = asci_common_multiple(own, alignment);
  if (spec->alignment <= ASC_MAX_BYTES) return ASC_OK;
  return asci_complain(diag, ASC_TOO_LARGE, "alignment", "is %s, which with the %s %s has no multiple that can be counted",
                       asci_commas(a, own), whose, asci_commas(b, alignment));
}

/* Two banks are kept at once by the smaller one if it divides the other. */
asc_status asci_keep_bank(asc_buffer_spec *spec, int64_t bank, const char *whose, asc_diag *diag) {
  char a[ASCI_COMMAS], b[ASCI_COMMAS];
  int64_t own = spec->bank;
  if (bank == 0) return ASC_OK;
  spec->bank = own && own < bank ? own : bank;
  if (own == 0 || own % bank == 0 || bank % own == 0) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, "bank", "is %s, expected a divisor or a multiple of the %s, %s",
                       asci_commas(a, own), whose, asci_commas(b, bank));
}

asc_status asci_keep_pool(asc_buffer_spec *spec, const asc_pool *pool, asc_diag *diag) {
  asc_status status = asci_keep_alignment(spec, pool->alignment, "pool's", diag);
  return status ? status : asci_keep_bank(spec, pool->bank, "pool's", diag);
}

asc_status asci_name_buffer(asc_status status, const char *id, asc_diag *diag) {
  if (!status || !diag || !*diag->field) return status;
  asc_diag told = *diag;
  return asci_complain(diag, told.status, told.field, "of \xe2\x80\x9c%.64s\xe2\x80\x9d %s", id, told.message);
}
