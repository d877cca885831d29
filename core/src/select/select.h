/* A selection among buffers of which it is known how often they are accessed. */
#ifndef ASCI_SELECT_SELECT_H
#define ASCI_SELECT_SELECT_H

#include "asc/select.h"

/* As asc_select_new. accesses[b]: of buffer b of the problem, which must outlive the selection; they are copied. */
asc_status asci_select_new(const asc_problem *problem, const uint32_t *accesses, const asc_select_config *config,
                           asc_selection **selection, asc_diag *diag);

/* How often each buffer of the lowering's problem is written or read; accesses[n] is cleared first. Errors: OUT_OF_MEMORY. O(n log n + uses). */
asc_status asci_count_accesses(const asc_lowering *lowering, uint32_t *accesses);

#endif
