/* What the search of COSMA is about: operators, and the values that they read and make. A value is the bytes of one or more tensors that are the
 * same bytes (aliases); what is written over an input is a value of its own in the same place. */
#ifndef ASCI_COSMA_MODEL_H
#define ASCI_COSMA_MODEL_H

#include "base/arena.h"
#include "graph/lower.h"

/* Compressed rows: those of k are entries[begin[k]] .. entries[begin[k + 1] - 1]. */
typedef struct cosma_rows {
  uint32_t *begin, *entries;
} cosma_rows;

typedef struct cosma_value {
  int64_t size;   /* bytes that it takes of the arena */
  int64_t bytes;  /* that each copy to or from outside moves */
  uint32_t item;  /* of the stays: its store */
  uint32_t maker; /* ASC_NONE: an input of the model */
  uint32_t over;  /* the value that it is written over, ASC_NONE: none */
  uint32_t under; /* the value that is written over it, ASC_NONE: none */
  /* There is a copy outside without its being counted: of an input from the start, of an output from its making, since that transfer is
     compulsory (paper section II). */
  bool copied;
} cosma_value;

typedef struct cosma_model {
  const asc_lowering *lowering;
  asc_context *context;
  asci_arena arena;
  uint32_t op_count, value_count;
  size_t op_words, value_words; /* of a set of them */
  cosma_value *values;          /* inputs first, the others in the order in which they are made */
  int64_t *need;                /* per operator: bytes in the arena while it runs, but for values that it does not name */
  cosma_rows reads, makes;      /* operator to values, each once; makes also names values that nobody reads */
  cosma_rows passing;           /* operator to items that are there while it runs and no longer: constants, workspaces */
  cosma_rows readers;           /* value to operators, increasing */
  cosma_rows waits, after;      /* operator to operators: those it waits for, those that wait for it */
  int64_t base;     /* bytes that are in the arena all the time: resident constants, variables; need counts them */
  int64_t required; /* M_R: the greatest need */
  uint32_t required_op;
  bool plain; /* each value takes as many bytes of the arena as a copy moves */
  /* Some items are in the arena all the time. They could come and go as well, which the search does not consider: what it proves holds for plans that
     keep them there. */
  bool keeps;
} cosma_model;

/* Which values have a copy outside that is not counted. Inputs have it from the start; else their first reader makes them by loading them, and they are
   copied out like anything else (as if a placeholder operator of the paper made them). Outputs have it from their making; else their copy is counted if
   they are to be fetched again. */
enum { COSMA_INPUTS_COPIED = 1, COSMA_OUTPUTS_COPIED = 2, COSMA_COPIED = COSMA_INPUTS_COPIED | COSMA_OUTPUTS_COPIED };
/* copied: a set of these. O(n + uses). Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_model_new(const asc_lowering *lowering, uint32_t copied, cosma_model *model);
void asci_cosma_model_free(cosma_model *model);

/* Bytes that an item takes of the arena, as the lowering's profile has it. */
int64_t asci_cosma_item_size(const asc_lowering *lowering, uint32_t item);
int64_t asci_cosma_item_alignment(const asc_lowering *lowering, uint32_t item);

/* Whether a tensor is in the arena all the time: a variable, a constant that is resident. */
bool asci_cosma_is_lasting(const asci_lowered *l, uint32_t tensor);

/* Whether an output of the operator lies in the store: of a constant's, the operator gives it another name and needs none of its bytes. */
bool asci_cosma_renames(const asci_lowered *l, uint32_t op, uint32_t store);

static inline int64_t cosma_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
static inline bool cosma_has(const uint64_t *set, uint32_t k) {
  return set[k / 64] >> (k % 64) & 1;
}
static inline void cosma_put(uint64_t *set, uint32_t k) {
  set[k / 64] |= UINT64_C(1) << (k % 64);
}
static inline void cosma_drop(uint64_t *set, uint32_t k) {
  set[k / 64] &= ~(UINT64_C(1) << (k % 64));
}

#endif
