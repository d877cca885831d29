/* The certificate that a run leaves: core/src/proof/README.md has its format and why each step holds. A solver that proves by more than
 * loads writes lemmas; the engine adds what follows from a load alone when the run ends. */
#ifndef ASCI_SOLVE_PROOF_H
#define ASCI_SOLVE_PROOF_H

#include "solve/solver.h"

/* Text that grows. */
typedef struct asci_text {
  char *bytes;
  size_t used, room;
} asci_text;

/* Which plans lemmas are about. */
typedef struct asci_lemma_range {
  int64_t within; /* bytes, -1: none yet */
  int64_t round;  /* sizes are rounded up to multiples of this */
  int64_t limit;  /* bytes that no true size may end above, or ASCI_NO_LIMIT */
} asci_lemma_range;

#define ASCI_NO_LIMIT INT64_MAX /* ASC_MAX_BYTES limits, for rounded sizes can end above it */

typedef struct asci_prover {
  asc_context *context;
  asc_sink sink;
  void *user;
  void (*end)(asc_run *run); /* when the run ends */
  asci_text line;
  uint64_t lemmas;        /* the number of the last */
  asci_lemma_range range; /* that of the last */
  int64_t proven;         /* bytes within which there is proven to be no plan, -1: none */
  bool broken;            /* no memory, or the sink stopped: nothing more is written */
  bool stopped;           /* by the sink */
} asci_prover;

/* " @12", with a number behind the mark; without memory the prover is broken. O(1) on average. */
void asci_text_mark(asci_prover *p, asci_text *text, const char *mark, int64_t number);
/* ":5". */
void asci_text_with(asci_prover *p, asci_text *text, int64_t number);
void asci_text_add(asci_prover *p, asci_text *text, const char *bytes, size_t count);

/* Begins the line of a lemma about such plans; p->line takes the rest. */
void asci_lemma_begin(asci_prover *p, asci_lemma_range range);
/* Hands the line over; returns the lemma's number. */
uint64_t asci_lemma_end(asci_prover *p);
/* There is no plan within so many bytes, by that lemma. */
void asci_proof_claim(asci_prover *p, int64_t bytes, uint64_t lemma);

#endif
