/* Certificates: a run that writes one, and the checker. */
#include "session.h"

/* Begins a run beside the run, as glue_run would, that writes a certificate; text = its beginning. Errors: those of asc_run_new and
   asc_run_prove. */
int32_t glue_certify(session *s, uint32_t goal, double capacity, double seed, double budget) {
  begin(&s->out);
  drop_certified(s);
  asc_run_config config;
  asc_option_value *options;
  asc_status status = take_config(s, goal, capacity, seed, budget, &config, &options);
  if (status != ASC_OK) return (int32_t)status;
  asc_diag diag = {0};
  status = asc_run_new(input_of(s, config.solver), &config, &s->certified, &diag);
  free(options);
  drop_input(s);
  if (status == ASC_OK) status = asc_run_prove(s->certified, append, &s->out, &diag);
  if (status == ASC_OK) return done(s);
  drop_certified(s);
  return refuse(s, status, &diag, 1, 1);
}

/* Up to `steps` steps; text = what they have written; numbers = whether there are more, steps in all, bytes within which there is proven to be
   no plan (-1: none). Errors: BAD_ARGUMENT (none is under way), OUT_OF_MEMORY, those of asc_run_step; it is gone then. */
int32_t glue_certify_step(session *s, double steps) {
  begin(&s->out);
  if (!s->certified || !whole(steps, 0)) return ASC_BAD_ARGUMENT;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = asc_run_step(s->certified, (uint64_t)steps, &outcome);
  asc_run_stats stats;
  asc_run_stats_get(s->certified, &stats);
  put_number(&s->out, outcome == ASC_OUTCOME_RUNNING);
  put_number(&s->out, (double)stats.steps);
  put_number(&s->out, (double)asc_run_proven(s->certified));
  if (status == ASC_OK && !s->out.short_of_memory) return ASC_OK;
  drop_certified(s);
  return s->out.short_of_memory ? ASC_OUT_OF_MEMORY : (int32_t)status;
}

/* Checks the certificate in the input, of the problem; numbers = bytes within which there is no plan. Errors: those of asc_proof_check. */
int32_t glue_check_proof(session *s) {
  begin(&s->out);
  if (!s->problem || !s->input) return ASC_BAD_ARGUMENT;
  int64_t proven = -1;
  asc_diag diag = {0};
  asc_status status = asc_proof_check(s->context, s->problem, s->input, s->input_bytes, &proven, &diag);
  drop_input(s);
  if (status != ASC_OK) return refuse(s, status, &diag, 1, 1);
  put_number(&s->out, (double)proven);
  return done(s);
}
