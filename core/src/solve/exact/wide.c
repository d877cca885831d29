/* The kernel for every problem: addresses of 64 bits, and the general rules. */
#define WIDE 1
#define KERNEL asci_ex_wide
#include "exact.h"

typedef int64_t value;

#include "kernel/kernel.h"
