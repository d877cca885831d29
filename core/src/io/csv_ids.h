/* Which ids a file has used, and on which line first. Open addressing, at most half full; entries point into the input. */
#ifndef ASCI_IO_CSV_IDS_H
#define ASCI_IO_CSV_IDS_H

#include "base/memory.h"

typedef struct csv_id {
  const char *text;
  size_t length;
  uint32_t line;
} csv_id;

typedef struct csv_ids {
  csv_id *slots; /* text NULL: free */
  size_t slot_count, used;
} csv_ids;

/* Enters the id; *first is the line of its first use, 0 if it is new. O(length) expected. Errors: OUT_OF_MEMORY. */
asc_status asci_csv_ids_enter(asc_context *context, csv_ids *ids, csv_id id, uint32_t *first);
void asci_csv_ids_free(asc_context *context, csv_ids *ids);

#endif
