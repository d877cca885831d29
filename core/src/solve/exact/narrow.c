/* The kernel for plain problems: addresses of 32 bits. */
#define WIDE 0
#define KERNEL asci_ex_narrow
#include "exact.h"

typedef int32_t value;

#include "kernel/kernel.h"
