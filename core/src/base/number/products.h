/* Comparing products that exceed 64 bits: sizes times lifetimes. Without 128-bit types, which not every compiler of C17 has. */
#ifndef ASCI_BASE_PRODUCTS_H
#define ASCI_BASE_PRODUCTS_H

#include <stdint.h>

/* -1, 0, 1 as the product of left[count] is smaller than, equal to, larger than that of right[count]; count at most 3. */
int asci_compare_products(const uint64_t *left, const uint64_t *right, uint32_t count);

#endif
