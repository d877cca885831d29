/* A local search over orders: two tensors change places in the order, all is placed anew by first fit on the tables, and the order is kept if its
 * plan is no higher. */
#ifndef ASCI_TAA_SWAPS_H
#define ASCI_TAA_SWAPS_H

#include "base/number/rng.h"
#include "solve/solver.h"
#include "solve/taa/tables.h"

typedef struct asci_taa_swaps {
  const asc_problem *problem;
  const asci_taa_tables *tables;
  uint32_t *order, *turn; /* buffers; by buffer */
  int64_t *offsets;       /* of that order's plan */
  int64_t height;         /* of it, or -1: no order is kept */
  int64_t *trial;         /* offsets of the order that is tried */
  uint32_t tried;         /* how many of the order are placed there */
  asci_rng rng;
} asci_taa_swaps;

/* Into a cleared struct. Errors: OUT_OF_MEMORY (to be freed all the same). */
asc_status asci_taa_swaps_new(const asc_problem *problem, const asci_taa_tables *tables, uint64_t seed,
                              asci_taa_swaps *swaps);
void asci_taa_swaps_free(asci_taa_swaps *swaps);
/* Begins with the order that stands in swaps->order. False: its plan goes beyond every address. O(n + rows log ranges) and more for each shift. */
bool asci_taa_swaps_begin(asci_taa_swaps *swaps);
/* One try, which is one step of the run. An OUT_OF_MEMORY of handing a plan in, or RUNNING. */
asc_outcome asci_taa_swaps_step(asc_run *run, asci_taa_swaps *swaps, unsigned line);
asc_status asci_taa_swaps_keep(asci_taa_swaps *swaps, asci_saver *saver);

#endif
