/* Which ids are in use, and by what. Open addressing by a keyed hash, at most half full; entries point to text that somebody else keeps. */
#ifndef ASCI_BASE_IDS_H
#define ASCI_BASE_IDS_H

#include "base/memory.h"

typedef struct asci_id {
  const char *text;
  size_t length;
  uint32_t number; /* from 1: a line, an index and 1 */
} asci_id;

typedef struct asci_id_slot {
  const char *text; /* NULL: free */
  uint32_t length, hash;
  uint32_t number;
} asci_id_slot;

typedef struct asci_ids {
  asci_id_slot *slots; /* a power of two of them, in the order of the hashes but for what was pushed on */
  size_t slot_count, used;
  asci_key key;   /* the context's when the first id was entered */
  unsigned shift; /* of a hash: what is left is its place */
} asci_ids;

/* Enters the id; *first is the number it was entered with before, 0 if it is new. O(length) expected. Errors: OUT_OF_MEMORY. */
asc_status asci_ids_enter(asc_context *context, asci_ids *ids, asci_id id, uint32_t *first);
/* The number that the id was entered with, 0 if it was not. O(length) expected. */
uint32_t asci_ids_find(const asci_ids *ids, const char *text, size_t length);
void asci_ids_free(asc_context *context, asci_ids *ids);

#endif
