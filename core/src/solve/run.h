/* What the timeline needs of a run beyond the public header. */
#ifndef ASCI_SOLVE_RUN_H
#define ASCI_SOLVE_RUN_H

#include "solve/solver.h"

/* Reads config's options by the solver's table into run->options. Errors: UNKNOWN_OPTION, BAD_OPTION, OUT_OF_MEMORY. */
asc_status asci_run_read_options(asc_run *run, const asc_run_config *config, asc_diag *diag);

/* A run as that one was before its first step, without a budget. It reads that one's options, and must be freed before it. Errors: OUT_OF_MEMORY. */
asc_status asci_run_twin(const asc_run *run, asc_run **twin);

/* Counters, digest and what is proved as before the first step. */
void asci_run_forget(asc_run *run);
/* Validates the run's plan and takes its height and cost; one that does not hold ends the run. capacity INT64_MAX: none. Errors:
   INVALID_SOLUTION, OUT_OF_MEMORY. */
asc_status asci_take_best(asc_run *run, int64_t capacity);
/* The plan that the solver last wrote, whether it holds or not. */
asc_plan asci_run_plan(const asc_run *run);

/* What a run has come to, or a part of it: outcome, depth (`most` at most), height, cost and bound. False: it failed, or these contradict each other or what
   was proved before they were loaded. */
bool asci_keep_standing(asci_saver *saver, asc_run_stats *stats, uint32_t most);
/* Its plan, if that says there is one; what is loaded is judged. Errors: BAD_SAVE, OUT_OF_MEMORY. */
asc_status asci_keep_best(asci_saver *saver, asc_run *run);

/* Takes the run, which has a state, to where a save of its like was made, from where on it repeats the steps of that other run, which has a
   state and is further; only of solvers that can retrace. Errors: BAD_SAVE, OUT_OF_MEMORY. */
asc_status asci_run_retrace(asc_run *run, const asc_run *ahead, const uint8_t *bytes, size_t count);

/* Of a solver that keeps a LOG: counters and digest alone, as asc_run_save gives the whole; and the run as it was then, by the records of one
   that is further. Errors: BAD_SAVE, OUT_OF_MEMORY. */
asc_status asci_run_save_counters(asc_run *run, const uint8_t **bytes, size_t *count);
asc_status asci_run_show(asc_run *run, asc_run *ahead, const uint8_t *bytes, size_t count);

#endif
