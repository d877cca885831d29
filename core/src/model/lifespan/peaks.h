/* Where each buffer meets the greatest load of its life. */
#ifndef ASCI_MODEL_PEAKS_H
#define ASCI_MODEL_PEAKS_H

#include "model/problem.h"

/* Fills peak[n]: for each buffer the section of its life with the greatest load (the earliest of them), ASC_NONE for one that occupies
   nothing. A tree of maxima answers each piece in O(log n). Errors: OUT_OF_MEMORY. */
asc_status asci_peaks(const asc_problem *problem, uint32_t *peak);

#endif
