#include "base/arrays.h"

#include <string.h>

#define ALIGNMENT _Alignof(max_align_t)

/* Arrays side by side would hide from AddressSanitizer who writes past the end of one: it is told of a gap after each. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED
#endif
#endif
#if defined(WATCHED) || defined(__SANITIZE_ADDRESS__)
void __asan_poison_memory_region(void const volatile *begin, size_t bytes);
#define GAP ALIGNMENT
#define FORBID(begin, bytes) __asan_poison_memory_region(begin, bytes)
#else
#define GAP 0
#define FORBID(begin, bytes) ((void)(begin), (void)(bytes))
#endif

/* Up to where the next one begins; SIZE_MAX: more than can be. */
static size_t room_of(const asci_array *array, const size_t *counts) {
  if (array->count == ASCI_OF_ITS_OWN) return 0;
  size_t count = counts[array->count];
  if (count > (SIZE_MAX - ALIGNMENT - GAP) / array->size) return SIZE_MAX;
  return (count * array->size + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

size_t asci_arrays_bytes(const asci_array *table, size_t rows, const size_t *counts) {
  size_t sum = 0;
  for (size_t k = 0; k < rows; k++) {
    size_t room = room_of(&table[k], counts);
    if (room > SIZE_MAX - sum) return SIZE_MAX;
    sum += room;
  }
  return sum;
}

static void begin(const asci_array *array, void *items, size_t count) {
  if (array->begins != ASCI_RAW) memset(items, array->begins == ASCI_ONES ? 0xff : 0, count * array->size);
}

bool asci_arrays_new(asc_context *context, const asci_array *table, size_t rows, const size_t *counts, void *owner) {
  size_t bytes = asci_arrays_bytes(table, rows, counts);
  char *block = bytes == SIZE_MAX ? NULL : asci_alloc(context, bytes, 1);
  if (!block) return false;
  for (size_t k = 0; k < rows; k++) {
    const asci_array *array = &table[k];
    if (array->count == ASCI_OF_ITS_OWN) continue;
    size_t count = counts[array->count], room = room_of(array, counts);
    begin(array, block, count);
    memcpy((char *)owner + array->at, &block, sizeof block);
    FORBID(block + count * array->size, room - count * array->size);
    block += room;
  }
  return true;
}

void asci_arrays_free(asc_context *context, const asci_array *table, size_t rows, void *owner) {
  bool first = true;
  for (size_t k = 0; k < rows; k++) {
    char *place = (char *)owner + table[k].at;
    void *items, *none = NULL;
    memcpy(&items, place, sizeof items);
    memcpy(place, &none, sizeof none);
    bool own = table[k].count == ASCI_OF_ITS_OWN || first;
    if (table[k].count != ASCI_OF_ITS_OWN) first = false;
    if (own) asci_free(context, items);
  }
}
