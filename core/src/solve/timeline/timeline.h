/* What a timeline is made of, for what looks back along it: timeline.c moves the cursor, path.c asks what was tried. */
#ifndef ASCI_SOLVE_TIMELINE_H
#define ASCI_SOLVE_TIMELINE_H

#include "solve/run.h"

typedef struct asci_keyframe {
  uint64_t step;
  size_t count;
  uint8_t *bytes;
} asci_keyframe;

/* How far asc_timeline_path has come, for the call that goes on; see path.c. */
typedef struct asci_look {
  uint64_t step;
  uint32_t levels, most;
  bool begun;
  uint64_t at;           /* what comes after this step was looked at */
  uint64_t taken_back;   /* the step that took back a child whose placement is still to come; 0: none is */
  bool earlier;          /* what comes now is of attempts before the one that opened the node */
  uint32_t node;         /* that is being asked about: after so many placements */
  asc_path path;         /* what is handed out */
  asc_attempt *attempts; /* while looking back latest first */
  size_t attempt_count, attempt_room;
  asc_path_node *nodes; /* of levels top .. depth, deepest first while looking back */
  size_t node_count, node_room;
  asc_attempt *shown; /* in order of step, as handed out */
  asc_path_node *shown_nodes;
  size_t shown_room, shown_node_room;
} asci_look;

struct asc_timeline {
  asc_context *context;
  asc_run *run;
  asc_run *cursor; /* NULL until it is first asked for, or as long as there is no memory for it */
  asc_log *log;
  asci_keyframe *keys; /* in order of step; step 0 has none: a fresh state is made by loading `origin` */
  size_t key_count, key_room, key_bytes, key_budget;
  uint64_t spacing;
  asci_keyframe origin; /* of the cursor; no bytes until there is one */
  /* the view as it was at the step sought: the cursor may have gone on */
  asc_run_view view;
  int64_t *offsets, *min_offsets;
  uint32_t *stack, *tried, *candidates, *phases;
  uint32_t *order;  /* operators, of a graph */
  size_t view_room; /* of each of them, in buffers, and 1; 0: they are not there */
  asci_look look;
};

/* The last keyframe at or before step. */
const asci_keyframe *asci_key_before(const asc_timeline *timeline, uint64_t step);
/* Brings the cursor to the state after `step` steps, without a log; makes it, if there is none. */
asc_status asci_timeline_go_to(asc_timeline *timeline, uint64_t step);
/* Steps the cursor. The run took these steps before it, so that only a lack of memory can end it early. */
asc_status asci_timeline_go_on(asc_timeline *timeline, uint64_t steps);

#endif
