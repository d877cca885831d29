/* The sweep over time: from lifespans to sections, pieces, loads, cuts and partitions. Never allocates by time value. */
#ifndef ASCI_MODEL_SWEEP_H
#define ASCI_MODEL_SWEEP_H

#include "model/problem.h"

/* Fills the problem's derived members. O(n log n) time, O(n + gaps) memory. Errors: OUT_OF_MEMORY (what was made is kept). */
asc_status asci_sweep_new(asc_problem *problem);

#endif
