#include "solve/ladder/ends.h"

#include "asc/asc.h"
#include "base/arrays.h"

#include <string.h>

static const asci_array arrays[] = {ASCI_OWN(asci_ends, first), ASCI_OWN(asci_ends, next)};

void asci_ends_free(asc_context *context, asci_ends *ends) {
  asci_arrays_free(context, ASCI_TABLE(arrays), ends);
  *ends = (asci_ends){0};
}

void asci_ends_clear(asci_ends *ends) {
  if (ends->first) memset(ends->first, 0xff, ((size_t)1 << (64 - ends->shift)) * sizeof *ends->first);
  ends->count = 0;
}

static size_t slot_of(const asci_ends *ends, int64_t end) {
  return (size_t)(((uint64_t)end * UINT64_C(0x9e3779b97f4a7c15)) >> ends->shift);
}

static bool make_slots(asc_context *context, asci_ends *ends, uint32_t buffers) {
  int bits = 1;
  while (bits < 31 && (UINT32_C(1) << bits) < buffers) bits++;
  ends->shift = 64 - bits;
  ends->first = asci_alloc(context, (size_t)1 << bits, sizeof *ends->first);
  asci_ends_clear(ends);
  return ends->first;
}

bool asci_ends_add(asc_context *context, asci_ends *ends, uint32_t buffers, int64_t end) {
  if (!ends->first && !make_slots(context, ends, buffers)) return false;
  if (!asci_grow(context, &ends->next, &ends->room, (size_t)ends->count + 1, sizeof *ends->next)) return false;
  uint32_t *first = &ends->first[slot_of(ends, end)];
  ends->next[ends->count] = *first;
  *first = ends->count++;
  return true;
}

uint32_t asci_ends_at(const asci_ends *ends, int64_t end) {
  return ends->first ? ends->first[slot_of(ends, end)] : ASC_NONE;
}
