/* Integer linear programs in the text format of LP solvers, as long as a caller takes. */
#include "session.h"

typedef struct program {
  outputs *out;
  size_t most;
  bool longer;
} program;

static bool append_program(void *user, const char *text, size_t bytes) {
  program *p = user;
  p->longer = p->out->text_count + bytes > p->most;
  return !p->longer && append(p->out, text, bytes);
}

static int32_t end_program(session *s, const program *p, asc_status status, const asc_diag *diag) {
  if (s->out.short_of_memory) return ASC_OUT_OF_MEMORY;
  if (status && !p->longer) return refuse(s, status, diag, 1, 1);
  if (p->longer) s->out.text_count = 0;
  put_number(&s->out, !p->longer);
  return done(s);
}

/* text = the open graph's least traffic within a capacity as an integer linear program of an asc_lp_model; numbers = whether it is all there: a
   longer one than `most` bytes is left out. Errors: BAD_ARGUMENT (no graph), those of asc_lowering_lp, with a message. */
int32_t glue_program(session *s, double capacity, uint32_t model, double most) {
  begin(&s->out);
  if (!s->lowering || !whole(capacity, 0) || model > ASC_LP_GAPS || !whole(most, 0)) return ASC_BAD_ARGUMENT;
  asc_diag diag = {0};
  program p = {.out = &s->out, .most = (size_t)most};
  return end_program(s, &p, asc_lowering_lp(s->lowering, (int64_t)capacity, (asc_lp_model)model, append_program, &p, &diag),
                     &diag);
}

/* The same of the open problem's plans within a capacity (TelaMalloc, figure 5). Errors: BAD_ARGUMENT (no problem), those of asc_problem_lp, with a
   message. */
int32_t glue_packing(session *s, double capacity, double most) {
  begin(&s->out);
  if (!s->problem || !whole(capacity, 0) || !whole(most, 0)) return ASC_BAD_ARGUMENT;
  asc_diag diag = {0};
  program p = {.out = &s->out, .most = (size_t)most};
  return end_program(s, &p, asc_problem_lp(s->problem, (int64_t)capacity, (asc_packing_lp){0}, append_program, &p, &diag),
                     &diag);
}
