#include "base/arena.h"

/* With ASC_TIGHT_MEMORY each block is of its own: a sanitizer sees who reaches beyond it, and any of them can be refused. */
#ifdef ASC_TIGHT_MEMORY
#define CHUNK_BYTES ((size_t)0)
#else
#define CHUNK_BYTES ((size_t)1 << 14)
#endif

struct asci_chunk {
  struct asci_chunk *next;
  max_align_t data[];
};

void *asci_arena_alloc(asc_context *context, asci_arena *arena, size_t bytes) {
  bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  if (!arena->chunks || arena->room - arena->used < bytes) {
    size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct asci_chunk *chunk = asci_alloc(context, 1, sizeof *chunk + room);
    if (!chunk) return NULL;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->used = 0;
    arena->room = room;
  }
  void *block = (char *)arena->chunks->data + arena->used;
  arena->used += bytes;
  return block;
}

void asci_arena_free(asc_context *context, asci_arena *arena) {
  for (struct asci_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    asci_free(context, chunk);
  }
  *arena = (asci_arena){0};
}
