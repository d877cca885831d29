/* Offsets that suit an alignment and a bank. */
#ifndef ASCI_MODEL_BANK_H
#define ASCI_MODEL_BANK_H

#include "asc/asc.h"

/* Least multiple of alignment that is >= offset (offset >= 0). */
static inline int64_t asci_align(int64_t offset, int64_t alignment) {
  if (alignment <= 1) return offset;
  int64_t rest = offset % alignment;
  return rest ? offset + (alignment - rest) : offset;
}

/* Does a buffer of that size keep within one bank at offset (>= 0)? A buffer of size 0 always does. */
static inline bool asci_in_one_bank(int64_t offset, int64_t size, int64_t bank) {
  return bank == 0 || offset % bank + size <= bank;
}

#define ASCI_NOWHERE INT64_MAX
/* Least offset >= from that is a multiple of alignment and keeps within one bank (0: none), or ASCI_NOWHERE if there is none up to
   ASC_MAX_BYTES. from >= 0, in any unit that size, alignment and bank are in too. O(1) if alignment or bank divides the other, else
   O(log bank). */
int64_t asci_least_offset(int64_t from, int64_t size, int64_t alignment, int64_t bank);
/* Greatest offset <= upto (at most ASC_MAX_BYTES) of the same kind, or -1. */
int64_t asci_greatest_offset(int64_t upto, int64_t size, int64_t alignment, int64_t bank);

/* Above every capacity, and any size or alignment may be added to it. */
#define ASCI_BEYOND (INT64_C(1) << 60)
/* As asci_least_offset, but what is nowhere is beyond every capacity. */
static inline int64_t asci_next_offset(int64_t from, int64_t size, int64_t alignment, int64_t bank) {
  if (bank == 0) return asci_align(from, alignment);
  int64_t offset = asci_least_offset(from, size, alignment, bank);
  return offset == ASCI_NOWHERE ? ASCI_BEYOND : offset;
}

#endif
