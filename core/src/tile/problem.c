/* From tensors whose parts live for different times to buffers with shapes. */
#include "base/diag.h"
#include "tile/tiling.h"

static asc_buffer_spec spec_of(const asc_tiling *tiling, uint32_t t, uint32_t flags) {
  const asci_tiled *tensor = &tiling->tensors[t];
  asc_buffer_spec spec = {.id = tensor->spec.id,
                          .size = tensor->bytes,
                          .alignment = tensor->spec.alignment,
                          .offset = ASC_UNPLACED,
                          .hint = ASC_UNPLACED,
                          .lower = INT64_MAX};
  const asc_rect *rects = asc_tiling_rects(tiling, t, &spec.shape_count);
  for (uint32_t r = 0; r < spec.shape_count; r++) {
    if (rects[r].lower < spec.lower) spec.lower = rects[r].lower;
    if (rects[r].upper > spec.upper) spec.upper = rects[r].upper;
  }
  bool whole = (flags & ASC_TILES_WHOLE) || (spec.shape_count == 1 && rects->low == 0 && rects->high == spec.size);
  spec.shape = whole ? NULL : rects;
  if (whole) spec.shape_count = 0;
  return spec;
}

static bool is_buffer(const asci_tiled *tensor, uint32_t flags) {
  return tensor->uses && (!tensor->spec.kind || (flags & ASC_TILES_IO));
}

void asc_tiling_buffers(const asc_tiling *tiling, uint32_t flags, uint32_t *buffers) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < tiling->tensor_count; t++)
    buffers[t] = is_buffer(&tiling->tensors[t], flags) ? count++ : ASC_NONE;
}

static asc_status add_buffers(const asc_tiling *tiling, uint32_t flags, asc_problem *problem, asc_diag *diag) {
  for (uint32_t t = 0; t < tiling->tensor_count; t++) {
    if (!is_buffer(&tiling->tensors[t], flags)) continue;
    asc_buffer_spec spec = spec_of(tiling, t, flags);
    asc_status status = asc_problem_add(problem, &spec, diag);
    if (status && diag) {
      asc_diag why = *diag;
      return asci_complain(diag, status, "shape", "of %.60s %s", spec.id, why.message);
    }
    if (status) return status;
  }
  return asc_problem_freeze(problem, diag);
}

asc_status asc_tiling_problem(const asc_tiling *tiling, uint32_t flags, asc_problem **problem, asc_diag *diag) {
  if (!tiling || !problem || !tiling->frozen) return ASC_BAD_ARGUMENT;
  asc_problem *made = NULL;
  asc_status status = asc_problem_new(tiling->context, &made);
  if (!status) status = add_buffers(tiling, flags, made, diag);
  if (status)
    asc_problem_free(made);
  else
    *problem = made;
  return status;
}
