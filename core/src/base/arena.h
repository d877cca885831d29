/* A bump allocator: many small blocks that live and die together. */
#ifndef ASCI_BASE_ARENA_H
#define ASCI_BASE_ARENA_H

#include "base/memory.h"

typedef struct asci_arena {
  struct asci_chunk *chunks;
  size_t used, room; /* of the newest chunk */
} asci_arena;

/* Aligned for any type; NULL when there is no memory. */
void *asci_arena_alloc(asc_context *context, asci_arena *arena, size_t bytes);
void asci_arena_free(asc_context *context, asci_arena *arena);

#endif
