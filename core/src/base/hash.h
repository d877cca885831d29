/* 64-bit mixing: digests of runs and problems. The same on every machine; not meant against adversaries (sip.h is). */
#ifndef ASCI_BASE_HASH_H
#define ASCI_BASE_HASH_H

#include <stdint.h>

#define ASCI_HASH_SEED UINT64_C(0x9e3779b97f4a7c15)

/* Folds a value into a hash: one multiplication and one shift, a bijection of the hash for each value. */
static inline uint64_t asci_fold(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9fb21c651e98df25);
  return hash ^ (hash >> 32);
}

/* Folds the bytes of a string and its end. */
static inline uint64_t asci_fold_text(uint64_t hash, const char *text) {
  while (*text) hash = asci_fold(hash, (unsigned char)*text++);
  return asci_fold(hash, 0x100);
}

#endif
