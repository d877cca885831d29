/* Shapes that a packer of many buffers may find hard, in any number: all alive at once, a staircase, one long life for each size, equal sizes,
   sizes far apart. */
#ifndef TESTS_AWKWARD_H
#define TESTS_AWKWARD_H

#include "support.h"

typedef struct awkward_shape {
  const char *name;
  asc_buffer_spec (*make)(uint32_t k, uint32_t n); /* buffer k of n */
} awkward_shape;

enum { AWKWARD_SHAPES = 5 };
extern const awkward_shape awkward_shapes[AWKWARD_SHAPES];

asc_problem *awkward_problem(asc_context *context, const awkward_shape *shape, uint32_t n);

#endif
