/* What is taken at any time of a stretch: whoever lives throughout a window of time must keep clear of it.
 *
 *      time      | window 0 | window 1 | window 2 | window 3 |
 *      pieces        [---------)    [--]                          in the sets of 0 and 1; of 1
 *      question        [-----------------------------)            lives throughout 1 and 2: one set of each instead of dozens of nodes
 *
 * The fit tree says the same with covers and belows of many nodes, among which an offset rises to and fro; a window has them merged. Windows say
 * nothing that the tree does not, so that a set may lack what there is no room for; that nothing in it may be taken out is why windows are
 * shut from the first removal on. At most 64 sets of n / 256 intervals and some: four bytes a buffer. O(windows lived in) per piece. */
#ifndef ASCI_MODEL_FIT_WINDOWS_H
#define ASCI_MODEL_FIT_WINDOWS_H

#include "base/memory.h"
#include "model/spans.h"

#define ASCI_FIT_WINDOWS_ASKED 3u

typedef struct asci_fit_windows {
  asci_spans *sets;
  uint32_t count, width; /* of width blocks each, the last perhaps of fewer */
  uint32_t block_count;
  size_t most; /* intervals of a set */
  bool shut;
} asci_fit_windows;

/* Leaves NULL in *windows if so few blocks are not worth it. `pieces`: of the problem. Errors: OUT_OF_MEMORY. */
asc_status asci_fit_windows_new(asc_context *context, uint32_t block_count, uint32_t pieces, asci_fit_windows **windows);
void asci_fit_windows_free(asc_context *context, asci_fit_windows *windows);
void asci_fit_windows_clear(asci_fit_windows *windows);
/* Of someone who lives at some time of the blocks first to last. False: no memory. */
bool asci_fit_windows_add(asc_context *context, asci_fit_windows *windows, uint32_t first, uint32_t last, int64_t low,
                          int64_t high);
/* Sets of windows that lie in the blocks [begin, end), spread over them: how many. */
uint32_t asci_fit_windows_in(const asci_fit_windows *windows, uint32_t begin, uint32_t end,
                             const asci_spans *sets[ASCI_FIT_WINDOWS_ASKED]);

#endif
