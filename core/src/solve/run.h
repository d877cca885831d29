/* What the timeline needs of a run beyond the public header. */
#ifndef ASCI_SOLVE_RUN_H
#define ASCI_SOLVE_RUN_H

#include "solve/solver.h"

/* Parses config's options against the solver's table into run->options. Errors: UNKNOWN_OPTION, BAD_OPTION, OUT_OF_MEMORY. */
asc_status asci_options_parse(asc_run *run, const asc_run_config *config, asc_diag *diag);
void asci_options_free(asc_run *run);

/* Back to before the first step, from where on the run, which has a state, repeats the steps of another one of its like, which is further and
   has its own; only of solvers that can retrace. */
void asci_run_retrace(asc_run *run, const asc_run *ahead);

#endif
