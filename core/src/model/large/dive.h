/* A plan in one go, for some thousands of buffers: who sits on the floor of the fullest section?
 *
 * Each buffer that waits has a least offset, the greatest top of those placed that are alive with it, or the next multiple of its alignment. A
 * section's floor is the least of its members', its rest the sum of their sizes.
 *
 *     section = the one of greatest rest
 *     buffer = of those on its floor that fit below the height, the longest, in sections; of equal ones the largest
 *     none fits: the height rises to what the buffer needs that needs least
 *     someone alive with it could slip under it: the same for the section of greatest rest in that one's life
 *     the buffer sits on the floor, and those alive with it are on top of it or above
 *
 * Where loads are smooth that ends at the load bound; nothing is ever taken back. The exact solver asks the same question, and
 * answers it by search. */
#ifndef ASCI_MODEL_LARGE_DIVE_H
#define ASCI_MODEL_LARGE_DIVE_H

#include "model/problem.h"

#define ASCI_DIVE_MOST 5000u /* buffers: beyond it, passes over all that wait cost more than tries do */

typedef struct asci_dive_item { /* a buffer that waits */
  int64_t least, size;
  uint32_t first, end; /* sections; none if it occupies nothing */
  uint32_t buffer;
} asci_dive_item;

typedef struct asci_dive {
  const asc_problem *problem;
  asci_dive_item *items; /* in no order */
  uint32_t waiting;      /* of them */
  int64_t *rest;         /* by section */
  uint32_t hops;         /* sections left for another, in all */
  int64_t height;        /* what is to hold everything */
} asci_dive;

/* Not too many buffers, and each is one block of time, free to lie at any multiple of its alignment. */
bool asci_dive_can(const asc_problem *problem);
/* Of a problem that can. Errors: OUT_OF_MEMORY (asci_dive_free frees the rest). */
asc_status asci_dive_new(const asc_problem *problem, asci_dive *dive);
void asci_dive_free(asci_dive *dive);
/* Nobody is placed; the height is the lower bound. O(n + sections of all lives). */
void asci_dive_begin(asci_dive *dive);
/* The next buffer and its offset. False: nobody waits, or so many sections were left that it is not worth going on. O(n + sections), and
   O(n) for each section left: at most 16 n in all. */
bool asci_dive_next(asci_dive *dive, uint32_t *buffer, int64_t *offset);

#endif
