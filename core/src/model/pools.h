/* Problems of one pool each. Buffers that may lie in any pool are in none of them: to choose is a solver's part. */
#ifndef ASCI_MODEL_POOLS_H
#define ASCI_MODEL_POOLS_H

#include "model/problem.h"

/* Makes the parts of a problem that has pools, not frozen yet. O(n log n). Errors: BAD_INPUT (diag), OUT_OF_MEMORY; what was made is kept. */
asc_status asci_parts_new(asc_problem *problem, asc_diag *diag);

#endif
