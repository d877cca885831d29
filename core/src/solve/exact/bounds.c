/* First fit: a plan, and so an upper bound, in a moment. Each buffer in turn at the lowest offset where it meets nobody. */
#include "exact.h"
#include "model/occupancy.h"

/* False: no memory. *made becomes false if there is no place. */
static bool place_one(asci_occupancy *occupancy, const asc_buffer_spec *spec, uint32_t buffer, bool *made) {
  if (!asci_occupancy_collect(occupancy, buffer) || !asci_occupancy_sort(occupancy)) return false;
  bool fixed = spec->offset != ASC_UNPLACED;
  int64_t at = fixed ? spec->offset : 0;
  for (uint32_t k = 0; k < occupancy->blocker_count; k++) {
    const asci_blocker *blocker = &occupancy->blockers[k];
    if (at >= blocker->floor || at + spec->size <= blocker->ceiling) continue;
    at = asci_least_offset(blocker->floor, spec->size, spec->alignment, spec->bank);
    if (at == ASCI_NOWHERE || at > ASC_MAX_BYTES - spec->size) {
      *made = false;
      return true;
    }
  }
  *made = !fixed || at == spec->offset;
  if (*made) asci_occupancy_place(occupancy, buffer, at);
  return true;
}

asc_status asci_ex_first_fit(ex_model *m, const ex_arm *arm, int64_t *offsets, bool *made) {
  const asc_problem *problem = m->problem;
  asci_occupancy occupancy;
  asc_status status = asci_occupancy_new(problem, 1, &occupancy);
  if (status) return status;
  const uint32_t *order = asci_ex_order(m, arm);
  bool well = true;
  *made = true;
  for (int fixed = 1; fixed >= 0; fixed--) /* what is fixed goes first */
    for (uint32_t k = 0; k < m->count && well && *made; k++) {
      uint32_t buffer = m->buffer[order[k]];
      if ((problem->buffers[buffer].offset != ASC_UNPLACED) == (fixed == 1))
        well = place_one(&occupancy, &problem->buffers[buffer], buffer, made);
    }
  for (uint32_t b = 0; b < problem->count; b++) {
    int64_t fixed = problem->buffers[b].offset;
    offsets[b] = m->item[b] != EX_NONE ? occupancy.offsets[b] : fixed == ASC_UNPLACED ? 0 : fixed;
  }
  asci_occupancy_free(&occupancy);
  return well ? ASC_OK : ASC_OUT_OF_MEMORY;
}
