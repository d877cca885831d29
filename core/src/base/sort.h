/* A stable sort of indices: the same order on every machine and C library. */
#ifndef ASCI_BASE_SORT_H
#define ASCI_BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* True if a comes strictly before b. */
typedef bool (*asci_before)(const void *keys, uint32_t a, uint32_t b);

/* Sorts items[count]; scratch has room for count items. O(n log n). */
void asci_sort(uint32_t *items, uint32_t *scratch, uint32_t count, asci_before before, const void *keys);

/* Sorts numbers, smallest first, by their digits; scratch has room for count numbers. O(n) for each eleven bits in which they differ. */
void asci_sort_numbers(int64_t *numbers, int64_t *scratch, uint32_t count);

/* Sorts items[count] by key[item], smallest first; what is equal stays in order. pairs has room for 2 * count numbers, and is not where the
   keys are. O(count) for each eleven bits in which the keys differ. */
void asci_sort_by(uint32_t *items, int64_t *pairs, uint32_t count, const int64_t *key);

/* How many of numbers[count], smallest first, are below `number`: the index of the first that is not. O(log n). */
uint32_t asci_count_below(const int64_t *numbers, uint32_t count, int64_t number);

#endif
