/* The insides of a timeline, for what looks along it: its two runs, and how the cursor moves. */
#ifndef ASCI_SOLVE_TIMELINE_H
#define ASCI_SOLVE_TIMELINE_H

#include "solve/run.h"

typedef struct keyframe {
  uint64_t step;
  size_t count;
  uint8_t *bytes;
} keyframe;

struct asc_timeline {
  asc_context *context;
  asc_run *run, *cursor;
  asc_log *log;
  keyframe *keys; /* in order of step; step 0 has none: a fresh state is made by loading `origin` */
  size_t key_count, key_room, key_bytes, key_budget;
  uint64_t spacing;
  keyframe origin;
  /* the view as it was at the step sought: the cursor may have gone on */
  asc_run_view view;
  int64_t *offsets, *min_offsets;
  uint32_t *stack, *tried, *candidates, *phases;
};

/* Brings the cursor to the state after `step` steps (at most those taken); the log stays as it is attached. Errors: OUT_OF_MEMORY. */
asc_status asci_timeline_go_to(asc_timeline *timeline, uint64_t step);
/* Steps the cursor. The run took these steps before it, so that only a lack of memory can end it early. */
asc_status asci_timeline_go_on(asc_timeline *timeline, uint64_t steps);

#endif
