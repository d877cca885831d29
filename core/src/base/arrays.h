/* The arrays of a struct, named once: one table says for each where its pointer is, of what, how many, and what is in them at first.
 *
 *     enum { PER_BUFFER, PER_CHUNK };
 *     static const asci_array arrays[] = {
 *         ASCI_ARRAY(bfc, offsets, PER_BUFFER, ASCI_ONES),
 *         ASCI_ARRAY(bfc, chunks, PER_CHUNK, ASCI_RAW),
 *         ASCI_OWN(bfc, list),
 *     };
 *     const size_t counts[] = {n, most_chunks};
 *     if (!asci_arrays_new(context, ASCI_TABLE(arrays), counts, a)) return ASC_OUT_OF_MEMORY;
 *
 * All of fixed length lie in one block, in the order of the table, the first at its begin:
 *
 *     | offsets ... | chunks ...        |      list: NULL, then what asci_grow makes of it
 *
 * Freeing is one call. */
#ifndef ASCI_BASE_ARRAYS_H
#define ASCI_BASE_ARRAYS_H

#include "base/memory.h"

#include <stddef.h>

typedef enum asci_begins {
  ASCI_RAW,   /* whatever there is */
  ASCI_ZEROS, /* all bits 0 */
  ASCI_ONES   /* all bits 1: ASC_NONE, ASC_UNPLACED */
} asci_begins;

typedef struct asci_array {
  uint16_t at;    /* of the pointer in the struct, in bytes */
  uint16_t size;  /* of an element, in bytes */
  uint8_t count;  /* which of the counts; ASCI_OF_ITS_OWN: none */
  uint8_t begins; /* asci_begins */
} asci_array;

#define ASCI_OF_ITS_OWN 255u
#define ASCI_ARRAY(T, name, count, begins) \
  { offsetof(T, name), sizeof *((T *)NULL)->name, count, begins }
/* One that has a block of its own, which asci_grow or asci_alloc makes. */
#define ASCI_OWN(T, name) ASCI_ARRAY(T, name, ASCI_OF_ITS_OWN, ASCI_RAW)
#define ASCI_TABLE(table) table, sizeof table / sizeof *table

/* Bytes of the block for so many, SIZE_MAX if they are more than can be. */
size_t asci_arrays_bytes(const asci_array *table, size_t rows, const size_t *counts);
/* Makes all but those that have a block of their own. Pointers are never NULL, even of no elements. O(bytes cleared).
   False: no memory, nothing is changed. */
bool asci_arrays_new(asc_context *context, const asci_array *table, size_t rows, const size_t *counts, void *owner);
/* Frees them all, those with a block of their own too, and sets the pointers to NULL. None has to be there: the struct began cleared. */
void asci_arrays_free(asc_context *context, const asci_array *table, size_t rows, void *owner);

#endif
