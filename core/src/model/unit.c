/* What all bytes of a problem are multiples of. */
#include "base/number/multiple.h"
#include "model/problem.h"

int64_t asci_common_unit(const asc_problem *problem) {
  int64_t unit = 0;
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    if (problem->piece_begin[b] == problem->piece_begin[b + 1]) continue;
    const int64_t bytes[] = {spec->size, spec->alignment > 1 ? spec->alignment : 0,
                             spec->offset == ASC_UNPLACED ? 0 : spec->offset, spec->bank};
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) unit = asci_common_divisor(unit, bytes[k]);
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) {
      unit = asci_common_divisor(unit, problem->pieces[p].window_lower);
      unit = asci_common_divisor(unit, problem->pieces[p].window_upper);
    }
  }
  return unit ? unit : 1;
}
