/* Random graphs, and the lowering written again from its rules, as plainly as can be: what the tests of graphs judge by. */
#ifndef TESTS_NAIVE_LOWER_H
#define TESTS_NAIVE_LOWER_H

#include "support.h"

enum { NAIVE_TENSORS = 24, NAIVE_OPS = 16, NAIVE_ENTRIES = 4, NAIVE_ROWS = NAIVE_TENSORS * NAIVE_OPS + NAIVE_OPS };

typedef struct naive_model {
  uint32_t tensors, ops;
  asc_tensor_spec tensor[NAIVE_TENSORS];
  asc_op_spec op[NAIVE_OPS];
  char tensor_id[NAIVE_TENSORS][16], op_id[NAIVE_OPS][16];
  uint32_t inputs[NAIVE_OPS][NAIVE_ENTRIES], outputs[NAIVE_OPS][NAIVE_ENTRIES];
  asc_tensor_pair inplace[NAIVE_OPS][NAIVE_ENTRIES], alias[NAIVE_OPS][NAIVE_ENTRIES];
} naive_model;

enum { NAIVE_OPTIONS = 11, NAIVE_ORDER = 8 }; /* of the table, and where in it the schedule is */

typedef struct naive_options {
  asc_option_value values[NAIVE_OPTIONS];
  char text[NAIVE_OPTIONS][16];
} naive_options;

/* group[t]: label of what t shares its bytes with, first as a view, then in place as well. */
typedef struct naive_sharing {
  uint32_t view[NAIVE_TENSORS], group[NAIVE_TENSORS];
  int64_t alignment[NAIVE_TENSORS]; /* of a group, by label */
} naive_sharing;

typedef struct naive_buffers {
  struct {
    uint32_t tensor, op; /* the other is ASC_NONE */
    int64_t lower, upper, size, alignment;
  } rows[NAIVE_ROWS];
  uint32_t count;
} naive_buffers;

bool naive_has(const uint32_t *items, uint32_t count, uint32_t item);
/* A random graph, frozen by the second; random options of the lowering. */
void naive_draw(naive_model *m, asci_rng *rng);
asc_graph *naive_freeze(asc_context *context, const naive_model *m);
void naive_draw_options(naive_options *s, asci_rng *rng);
bool naive_is(const naive_options *s, const char *name, const char *value);
uint32_t naive_kinds(const naive_model *m, const uint32_t *label, uint32_t which);
/* Who shares bytes: as views, then in place as well. */
void naive_share(const naive_model *m, const naive_options *s, naive_sharing *to);
/* The buffers under a schedule, in order. */
void naive_lower(const naive_model *m, const naive_options *s, const uint32_t *schedule, const naive_sharing *sh,
                 naive_buffers *e);
/* Bytes of the buffers that are there at that time. */
int64_t naive_load(const naive_buffers *e, int64_t time);
/* Bytes alive, constants apart, once `next` has run as well as those that are done. */
int64_t naive_alive_after(const naive_model *m, const naive_options *s, const naive_sharing *sh, const bool *done,
                          uint32_t next);
/* Whether op has not run, and all that it waits for has. */
bool naive_ready(const naive_model *m, const bool *done, uint32_t op);

#endif
