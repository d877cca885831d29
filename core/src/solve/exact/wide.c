/* The kernel for every problem: addresses of 64 bits, and the general rules. */
#define WIDE 1
#include "exact.h"

typedef int64_t value;

#include "kernel/kernel.h"

const ex_kernel asci_ex_wide = {
    .create = kernel_create,
    .destroy = kernel_destroy,
    .advance = kernel_advance,
    .view = kernel_view,
    .save = kernel_save,
    .load = kernel_load,
};
