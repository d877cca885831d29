/* Boxes (README 4): buffers that a plan may well hold as one rectangle, in time and memory.
 *
 *     pile    of one lifespan: one lies on the other        chain   one begins where another of its size ends: it takes its place
 *
 *       a a a          A A A                                  a a b b          A A A A
 *       b b b    ->    A A A                                  a a b b    ->    A A A A
 *
 * What comes out is a box again, so piles are chained and chains piled until nothing is left to join. Nothing is idle in a box: every section has
 * the load that it had. That a plan holds them together is a guess; of instances that were made by cutting rectangles up it is a good one. */
#ifndef ASCI_EXACT_BOXES_H
#define ASCI_EXACT_BOXES_H

#include "exact.h"

/* Of a model whose items are boxes, beside what the model says of them. */
struct ex_boxes {
  bool
      whole; /* all was joined that could be; else no chain of small sizes, others and piles by lot, and piles that are no link are apart */
  uint32_t *begin;  /* count + 1: members of each box, */
  uint32_t *member; /* as buffers: first one at the box's own offset, on which the model's `buffer` is the item, too; */
  int64_t *shift;   /* per buffer: units above the box's offset */
  int64_t *width;   /* per box: time from its begin to its end */
  uint32_t one_in;  /* draw in so many is whole */
  uint8_t *event;   /* of the whole model's sections: EX_BEGINS, EX_ENDS, as boxes do, */
  uint32_t *before; /* and how many of the boxes' own are before each */
  void *scratch;    /* of joining */
};

/* The numbers that are multiples of it draw whole boxes always. */
#define EX_WHOLE_ONE_IN 8u

/* Room for a model of boxes of m's items, in m's arena; m has arms, and neither gaps nor what is general. Errors: OUT_OF_MEMORY. */
asc_status asci_ex_boxes_new(ex_model *m, ex_model **boxed);
/* Draws boxes, the same for the same number, and links them. O(n log n) a round of joining, k^2 for k of one lifespan or of one begin and size, and what
   linking takes. */
void asci_ex_boxes_draw(const ex_model *m, uint64_t drawn, ex_model *boxed);

#endif
