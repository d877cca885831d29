/* The whole search in a bounded number of buckets: when they are full, neighbours are merged and the width doubles. */
#ifndef ASCI_TRACE_OVERVIEW_H
#define ASCI_TRACE_OVERVIEW_H

#include "base/memory.h"

#define ASCI_MARKS 1024u

typedef struct asci_overview {
  uint64_t width;
  uint32_t count, mark_count;
  asc_mark marks[ASCI_MARKS];
  asc_bucket buckets[ASC_OVERVIEW_BUCKETS];
} asci_overview;

void asci_overview_reset(asci_overview *overview);
/* The bucket that the next step (one past the end of the last bucket) belongs to. */
asc_bucket *asci_overview_next(asci_overview *overview);
void asci_overview_mark(asci_overview *overview, asc_mark mark);

#endif
