/* The log of events. The engine and the timeline narrow what it keeps; outside it is opaque. */
#ifndef ASCI_TRACE_LOG_H
#define ASCI_TRACE_LOG_H

#include "base/memory.h"

struct asc_log {
  asc_context *context;
  asc_event *events;
  size_t count, event_room;
  uint32_t *lists;
  size_t list_count, list_room;
  uint32_t max_events; /* 0: no limit */
  uint64_t dropped;
  uint64_t kinds;   /* bit k: steps of kind k are kept */
  uint32_t deepest; /* events of steps after which more buffers are placed are not kept */
  bool details_off, lists_off;
  bool last_kept; /* the last event is in the log, its list may grow */
};

/* Keeps an event if it is wanted and there is room (else it is counted as dropped). */
void asci_log_add(asc_log *log, const asc_event *event);
/* Appends a buffer to the list of the last event. */
void asci_log_list(asc_log *log, uint32_t buffer);

#endif
