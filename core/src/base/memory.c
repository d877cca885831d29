#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct asc_context {
  asc_allocator allocator;
  size_t bytes;
  asci_key key;
};

/* Each block carries its size before it, so that the context can count; the union keeps the payload aligned. */
typedef union header {
  size_t bytes;
  max_align_t align;
} header;

static void *libc_resize(void *user, void *block, size_t bytes) {
  (void)user;
  return realloc(block, bytes);
}

static void libc_release(void *user, void *block) {
  (void)user;
  free(block);
}

asc_status asc_context_new(const asc_allocator *allocator, asc_context **context) {
  asc_allocator libc = {libc_resize, libc_release, NULL};
  if (!context || (allocator && (!allocator->resize || !allocator->release))) return ASC_BAD_ARGUMENT;
  if (!allocator) allocator = &libc;
  asc_context *made = allocator->resize(allocator->user, NULL, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  *made = (asc_context){.allocator = *allocator};
  *context = made;
  return ASC_OK;
}

void asc_context_set_key(asc_context *context, uint64_t first, uint64_t second) {
  context->key = (asci_key){{first, second}};
}

asci_key asci_context_key(const asc_context *context) {
  return context->key;
}

void asc_context_free(asc_context *context) {
  if (!context) return;
  asc_allocator allocator = context->allocator;
  allocator.release(allocator.user, context);
}

size_t asc_context_bytes(const asc_context *context) {
  return context->bytes;
}

static void *resize(asc_context *context, void *block, size_t bytes) {
  if (bytes > SIZE_MAX - sizeof(header)) return NULL;
  header *old = block ? (header *)block - 1 : NULL;
  size_t before = old ? old->bytes : 0;
  header *made = context->allocator.resize(context->allocator.user, old, bytes + sizeof(header));
  if (!made) return NULL;
  made->bytes = bytes;
  context->bytes += bytes - before;
  return made + 1;
}

void *asci_alloc(asc_context *context, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  return resize(context, NULL, count * size);
}

void *asci_calloc(asc_context *context, size_t count, size_t size) {
  void *block = asci_alloc(context, count, size);
  if (block) memset(block, 0, count * size);
  return block;
}

void asci_free(asc_context *context, void *block) {
  if (!block) return;
  header *old = (header *)block - 1;
  context->bytes -= old->bytes;
  context->allocator.release(context->allocator.user, old);
}

/* Puts room for so many items, each of a byte at least, into what array points to. */
static bool grow_to(asc_context *context, void *array, size_t *capacity, size_t room, size_t size) {
  if (room > SIZE_MAX / size) return false;
  void *items;
  memcpy(&items, array, sizeof items);
  items = resize(context, items, room * size);
  if (!items) return false;
  memcpy(array, &items, sizeof items);
  *capacity = room;
  return true;
}

/* With ASC_TIGHT_MEMORY short arrays have no more room than they need: a sanitizer sees who reaches beyond it, and any growth can be refused. */
#ifdef ASC_TIGHT_MEMORY
#define TIGHT_ITEMS ((size_t)32)
#else
#define TIGHT_ITEMS ((size_t)0)
#endif

bool asci_grow(asc_context *context, void *array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return true;
  if (need <= TIGHT_ITEMS) return grow_to(context, array, capacity, need, size);
  size_t room = *capacity < 8 ? 8 : *capacity;
  while (room < need) {
    if (room > SIZE_MAX / 2) return false;
    room *= 2;
  }
  return grow_to(context, array, capacity, room, size);
}

bool asci_grow_little(asc_context *context, void *array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity) return true;
  return need < SIZE_MAX / 2 && grow_to(context, array, capacity, need + need / 8 + 1, size);
}
