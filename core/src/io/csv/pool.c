#include "io/csv/pool.h"

#include <string.h>

static asc_status add_pool(csv_report *report, asc_problem *problem, const csv_field *field, asc_pool pool,
                           uint32_t *index) {
  char id[256];
  asc_diag diag;
  memcpy(id, field->text, field->length);
  id[field->length] = 0;
  pool.id = id;
  asc_status status = asc_problem_add_pool(problem, &pool, index, &diag);
  if (status == ASC_BAD_INPUT || status == ASC_TOO_LARGE) asci_csv_report(report, status, field, "pool", "%s", diag.message);
  return status == ASC_BAD_INPUT ? ASC_OK : status;
}

asc_status asci_csv_declare_pool(csv_report *report, asc_problem *problem, const csv_field *fields, size_t count) {
  enum { NAME = 1, CAPACITY, ALIGNMENT, BANK, FIELDS };
  static const char *const names[FIELDS] = {"pool", "name", "capacity", "alignment", "bank"};
  int64_t amounts[FIELDS] = {[ALIGNMENT] = 1};
  bool whole = asci_csv_name(report, &fields[NAME], names[NAME]);
  if (fields[NAME].flaw)
    asci_csv_report(report, ASC_BAD_INPUT, &fields[NAME], names[NAME], "%s", asci_csv_flaw(fields[NAME].flaw));
  for (size_t k = CAPACITY; k < count && k < FIELDS; k++) {
    if (fields[k].flaw)
      asci_csv_report(report, ASC_BAD_INPUT, &fields[k], names[k], "%s", asci_csv_flaw(fields[k].flaw));
    else if (fields[k].length)
      whole &= asci_csv_number(report, &fields[k], names[k], k == ALIGNMENT, ASC_MAX_BYTES, &amounts[k]);
  }
  if (!whole) return ASC_OK;
  return add_pool(report, problem, &fields[NAME],
                  (asc_pool){.capacity = amounts[CAPACITY], .alignment = amounts[ALIGNMENT], .bank = amounts[BANK]}, NULL);
}

asc_status asci_csv_pool(csv_report *report, asc_problem *problem, const csv_field *field, const char *name,
                         uint32_t *pool) {
  *pool = ASC_POOL_MAIN;
  if (field->flaw || field->length == 0) return ASC_OK;
  if (field->length == 1 && *field->text == '*') {
    *pool = ASC_POOL_ANY;
    return ASC_OK;
  }
  for (uint32_t p = 1; p < asc_problem_pool_count(problem); p++) {
    const char *id = asc_problem_pool(problem, p)->id;
    if (strlen(id) != field->length || memcmp(id, field->text, field->length) != 0) continue;
    *pool = p;
    return ASC_OK;
  }
  if (!asci_csv_name(report, field, name)) return ASC_OK;
  return add_pool(report, problem, field, (asc_pool){.alignment = 1}, pool);
}
