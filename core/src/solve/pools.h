/* A run on several memories: each pool's part of the problem is solved by the run's solver, one after the other, as if it were alone. */
#ifndef ASCI_SOLVE_POOLS_H
#define ASCI_SOLVE_POOLS_H

#include "solve/solver.h"

/* Takes the place of the solver in a run whose problem has pools: `run->solver` is what solves each. */
extern const asci_solver asci_pools;

#endif
