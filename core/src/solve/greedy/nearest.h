/* The queue of greedy by size improved: which buffer gets its slot next, and which slot is nearest to it in time. */
#ifndef ASCI_GREEDY_NEAREST_H
#define ASCI_GREEDY_NEAREST_H

#include "solve/greedy/slots.h"

typedef struct asci_nearest {
  const asc_problem *problem;
  const asci_slots *slots;
  uint32_t *stage;   /* by buffer: how many slots at least are that large or larger, less one */
  int64_t *distance; /* by buffer: time to the nearest tenant of its nearest slot; INT64_MAX: every slot is taken */
  uint32_t *slot;    /* by buffer: that slot or ASC_NONE */
  uint32_t *heap;    /* buffers to place, the next on top */
  uint32_t *heap_at; /* by buffer: where in the heap; ASC_NONE once placed */
  uint32_t heap_count;
  uint32_t *by_lower; /* buffers in order of lower */
  uint32_t *open;     /* by position in by_lower, count + 1: at or before the next position of a buffer not placed */
  uint32_t *position; /* by buffer: in by_lower */
} asci_nearest;

/* Buffers of size 0 are not queued. O(n log n). Errors: OUT_OF_MEMORY (nothing is kept). */
asc_status asci_nearest_new(const asc_problem *problem, const asci_slots *slots, asci_nearest *nearest);
void asci_nearest_free(asci_nearest *nearest);
/* The buffer whose turn it is; one is queued. */
uint32_t asci_nearest_next(const asci_nearest *nearest);
/* A queued buffer has joined a slot, in a hole of its time: takes it out and looks again at those that lie in that hole. */
void asci_nearest_joined(asci_nearest *nearest, uint32_t buffer, uint32_t slot, const asci_hole *hole);

#endif
