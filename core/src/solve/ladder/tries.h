/* Tries of the ejection ladder (model/large/) as steps of a run: what `large` does from its first step to its last, and what `exact` begins
 * with on large problems. One step is one buffer placed, one forced in over others, or one try begun. */
#ifndef ASCI_SOLVE_TRIES_H
#define ASCI_SOLVE_TRIES_H

#include "model/large/ladder.h"
#include "solve/ladder/trail.h"
#include "solve/solver.h"

/* Lines of large's pseudocode. */
enum {
  ASCI_TRIES_TARGET = 1,
  ASCI_TRIES_TRY,
  ASCI_TRIES_NEXT,
  ASCI_TRIES_FIT,
  ASCI_TRIES_FORCE,
  ASCI_TRIES_OUT,
  ASCI_TRIES_ABANDON,
  ASCI_TRIES_DONE
};

typedef struct asci_tries {
  asci_large_attempt attempt;
  asci_ladder ladder, before, fresh; /* before: as it was when the try under way was chosen; fresh: before the first */
  bool begun;                        /* there has been a try */
  bool open;                         /* one is under way; else the last has placed everything */
  uint64_t moves;                    /* of it */
  uint32_t first_name; /* what the first order is called in restarts: a solver may have arms of its own before */
  uint32_t *stack;
  bool followed; /* trails are kept, for those who retrace it */
  asci_trails trails;
  const struct asci_tries *ahead; /* retracing: whom. NULL: nobody */
  bool follows;                   /* in this try */
  asci_footing footing;           /* on the trails of `ahead` */
} asci_tries;

/* Tries below the run's capacity or, minimising, down the ladder; `most` at a target, of so many fails. tries is cleared but for
   `followed`. Errors: OUT_OF_MEMORY (asci_tries_free frees the rest). */
asc_status asci_tries_new(asc_run *run, bool minimise, uint32_t most, uint32_t fails, asci_tries *tries);
void asci_tries_free(asc_run *run, asci_tries *tries);
/* One step. FEASIBLE: run->best is a plan below the capacity; OPTIMAL: minimising, one as low as can be; EXHAUSTED: no try is left, or none can
   succeed for what is fixed. Each better plan of a ladder is handed in. O(log n) sets, and O(k log k) if it forces. */
asc_outcome asci_tries_step(asc_run *run, asci_tries *tries);

/* Of a solver, as in solver.h. load takes tries that are new. */
void asci_tries_view(asc_run *run, asci_tries *tries, asc_run_view *view);
asc_status asci_tries_keep(asc_run *run, asci_tries *tries, asci_saver *saver);
/* As solver.h says. Of tries of which `ahead` has a trail moves are taken from that, so that it costs O(n + moves) to come to one of them;
   others are made again, as by load. `ahead` may go on: if it loses the trail, who was on it goes on alone. */
asc_status asci_tries_retrace(asc_run *run, asci_tries *tries, const asci_tries *ahead, asci_saver *saver);

#endif
