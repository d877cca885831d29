/* First fit: a plan, and so an upper bound, in a moment. Each buffer in turn at the lowest offset where it meets nobody. */
#include "exact.h"
#include "model/fit/tree.h"

/* False: there is no place, or no memory. */
static bool place_one(asci_fit_tree *tree, const asc_buffer_spec *spec, uint32_t buffer) {
  bool fixed = spec->offset != ASC_UNPLACED;
  int64_t at = asci_fit_lowest(tree, buffer, fixed ? spec->offset : 0, fixed ? spec->offset + spec->size : ASC_MAX_BYTES);
  return at != ASC_UNPLACED && asci_fit_place(tree, buffer, at);
}

asc_status asci_ex_first_fit(ex_model *m, const ex_arm *arm, int64_t *offsets, bool *made) {
  const asc_problem *problem = m->problem;
  asci_fit_tree tree;
  asc_status status = asci_fit_tree_new(problem, ASCI_FIT_SWIFT, &tree);
  if (status) return status;
  const uint32_t *order = asci_ex_order(m, arm);
  *made = true;
  for (int fixed = 1; fixed >= 0; fixed--) /* what is fixed goes first */
    for (uint32_t k = 0; k < m->count && *made; k++) {
      uint32_t buffer = m->buffer[order[k]];
      if ((problem->buffers[buffer].offset != ASC_UNPLACED) == (fixed == 1))
        *made = place_one(&tree, &problem->buffers[buffer], buffer);
    }
  for (uint32_t b = 0; b < problem->count; b++) {
    int64_t fixed = problem->buffers[b].offset;
    offsets[b] = m->item[b] != EX_NONE ? tree.offsets[b] : fixed == ASC_UNPLACED ? 0 : fixed;
  }
  if (tree.no_memory) status = ASC_OUT_OF_MEMORY;
  asci_fit_tree_free(&tree);
  return status;
}
