/* The whole search in a bounded number of buckets: when they are full, neighbours are merged and the width doubles. */
#ifndef ASCI_TRACE_OVERVIEW_H
#define ASCI_TRACE_OVERVIEW_H

#include "base/memory.h"

#define ASCI_MARKS 1024u

typedef struct asci_overview {
  asc_context *context;
  uint64_t width;
  uint32_t count, mark_count;
  asc_mark marks[ASCI_MARKS];
  asc_bucket *buckets; /* few at first: most runs are short, and all of them take half a megabyte */
  size_t room;         /* of the buckets */
} asci_overview;

asci_overview *asci_overview_new(asc_context *context);
void asci_overview_free(asci_overview *overview);
/* The bucket that the next step (one past the end of the last bucket) belongs to. Without memory for more buckets neighbours are merged earlier. */
asc_bucket *asci_overview_next(asci_overview *overview);
void asci_overview_mark(asci_overview *overview, asc_mark mark);

#endif
