/* Memory through the context's allocator. Every function returns NULL or false when there is no memory and changes nothing then. */
#ifndef ASCI_BASE_MEMORY_H
#define ASCI_BASE_MEMORY_H

#include "asc/asc.h"

typedef struct asci_key {
  uint64_t words[2];
} asci_key;
/* Of the hashes of ids. */
asci_key asci_context_key(const asc_context *context);

/* count * size bytes, not cleared; never NULL for 0 bytes. NULL also when the product overflows. */
void *asci_alloc(asc_context *context, size_t count, size_t size);
void *asci_calloc(asc_context *context, size_t count, size_t size);
void asci_free(asc_context *context, void *block);

/* Makes room for `need` items in a growable array, doubling. array points to a pointer to the items. */
bool asci_grow(asc_context *context, void *array, size_t *capacity, size_t need, size_t size);
/* The same by an eighth, for arrays so many that what they do not use counts. */
bool asci_grow_little(asc_context *context, void *array, size_t *capacity, size_t need, size_t size);

#endif
