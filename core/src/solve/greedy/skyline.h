/* The skyline: over each section the placed buffer that reaches highest.
 *
 * A tree over the sections; `mark` of a node is the highest buffer laid over all of its sections at once, `best` the highest one
 * anywhere below or at it. Heights only rise, so nothing is ever pushed down:
 *
 *      best = b2 (ends at 9)          a question for some sections looks at best of the nodes that make them up
 *      mark = -                       and at mark of all nodes above those
 *      /               \
 *   best = mark = b0   best = b2
 *   (ends at 4)        mark = -
 */
#ifndef ASCI_GREEDY_SKYLINE_H
#define ASCI_GREEDY_SKYLINE_H

#include "model/problem.h"

typedef struct asci_skyline {
  const asc_problem *problem;
  int64_t *end;          /* by buffer: where it ends, once laid */
  uint32_t leaves;       /* power of two */
  uint32_t *mark, *best; /* 2 * leaves, 1 is the root; ASC_NONE: ground */
} asci_skyline;

/* Errors: OUT_OF_MEMORY (nothing is kept). */
asc_status asci_skyline_new(const asc_problem *problem, asci_skyline *skyline);
void asci_skyline_free(asci_skyline *skyline);
/* The buffer that reaches highest over the pieces of `buffer`, ASC_NONE if there is only ground. O(log n) per piece. */
uint32_t asci_skyline_under(const asci_skyline *skyline, uint32_t buffer);
/* Lays a buffer at an offset no lower than the end of what is under it. O(log^2 n) per piece. */
void asci_skyline_lay(asci_skyline *skyline, uint32_t buffer, int64_t offset);

#endif
