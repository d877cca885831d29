/* Which passes find a plan and prove it the best (README 5): cheap ones first, whose plans bound the exact one's search. Addresses are no matter
 * here: what a pass of traffic proves is a bound of all plans, and the cost of one that can be packed. */
#ifndef ASCI_COSMA_PASSES_H
#define ASCI_COSMA_PASSES_H

#include "search.h"

typedef enum cosma_schedule { COSMA_JOINT, COSMA_FILE, COSMA_LEAST_PEAK } cosma_schedule;

typedef enum cosma_stage {
  COSMA_PEAK_FILE,  /* peak of the given order */
  COSMA_PEAK_BEAM,  /* least peak, a few states a layer */
  COSMA_PEAK_EXACT, /* least peak, proven */
  COSMA_FIXED_FILE, /* least traffic in the given order */
  COSMA_FIXED_PEAK, /* least traffic in the order of least peak */
  COSMA_CUTS,       /* least traffic of those that pass through cuts */
  COSMA_EXACT,      /* least traffic */
  COSMA_OTHERS,     /* another plan of the same traffic; only when asked for */
  COSMA_STAGES
} cosma_stage;

typedef struct cosma_settings {
  bool height; /* the least peak, without traffic; else the least traffic */
  cosma_schedule schedule;
  int64_t capacity;
  uint32_t cut_length;  /* operators between cuts, about; 0: no cuts */
  uint32_t whole;       /* graphs of more operators are searched through cuts alone; 0: none is */
  uint32_t beam, width; /* states a layer of the beams and of the exact passes; width 0: all */
  size_t most_bytes;    /* of one search; 0: no limit */
} cosma_settings;

/* An order, and what is taken out before each operator. */
typedef struct cosma_solution {
  int64_t cost; /* ASC_UNPLACED: none yet */
  uint32_t *order;
  uint32_t *evict_begin; /* op_count + 1 */
  uint32_t *evicted;     /* values */
  size_t evicted_room;
} cosma_solution;

typedef struct cosma_passes {
  cosma_model *m;
  cosma_settings set;
  cosma_search search;
  cosma_landmarks landmarks; /* of searches for the least traffic */
  cosma_stage stage;
  bool begun, over;
  cosma_solution best;  /* of what is asked for */
  cosma_solution peak;  /* of least peak, as far as known: its order */
  cosma_solution other; /* as good as the best */
  bool peak_proven;
  int64_t bound;      /* proven of the cost of every plan */
  uint32_t *identity; /* 0, 1, 2 ...: the given order, and parts of one place each */
  uint32_t *part;     /* per place of peak.order: which of the parts between cuts */
  int64_t *live;      /* per place of peak.order: bytes alive after it, once there are cuts */
  uint32_t cut_count;
  uint64_t states; /* kept, of all passes */
} cosma_passes;

/* Errors: OUT_OF_MEMORY. If the capacity is below m->required there is no plan, and the first step says so. */
asc_status asci_cosma_passes_new(cosma_model *m, const cosma_settings *set, cosma_passes *p);
void asci_cosma_passes_free(cosma_passes *p);
/* One step of the pass under way. COSMA_END: the pass is over, p->over: all are. COSMA_FULL: likewise, but for want of room. */
cosma_step asci_cosma_passes_step(cosma_passes *p);

/* After all passes: begins a search for a plan that costs no more than the best, of those that the seed (not 0) makes it come by first; the caller
   takes its steps. */
void asci_cosma_passes_again(cosma_passes *p, uint64_t seed);
/* After its end: writes it to p->other. False: it found none, or no memory. */
bool asci_cosma_passes_other(cosma_passes *p);

/* Parts of the order between downsets of least live bytes: one in each window of `length` places that begins half of it after the last cut.
   live[k]: bytes after place k. Returns the number of cuts. O(n). */
uint32_t asci_cosma_cut(const int64_t *live, uint32_t count, uint32_t length, uint32_t *part);
/* Bytes resident after each operator of an order without traffic. O(uses + their readers). */
void asci_cosma_live(const cosma_model *m, const uint32_t *order, uint32_t *left, int64_t *live);

#endif
