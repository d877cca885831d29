/* The kernel for plain problems: addresses of 32 bits. */
#define WIDE 0
#include "exact.h"

#if !ASC_ONE_WIDTH

typedef int32_t value;

#include "kernel/kernel.h"

const ex_kernel asci_ex_narrow = {
    .create = kernel_create,
    .destroy = kernel_destroy,
    .advance = kernel_advance,
    .view = kernel_view,
    .save = kernel_save,
    .load = kernel_load,
};
#endif
