/* A plan in one go: who sits on the floor of the fullest section?
 *
 * Each buffer that waits has a least offset, the greatest top of those placed that are alive with it, or the next multiple of its alignment. A
 * section's floor is the least of its members', its rest the sum of their sizes.
 *
 *     section = the one of greatest rest
 *     buffer = of those on its floor that fit below the height, the longest, in sections; of equal ones the largest
 *     none fits: the height rises to what the buffer needs that needs least
 *     someone alive with it could slip under it: the same for the section of greatest rest in that one's life
 *     the buffer sits on the floor, and those alive with it are on top of it or above
 *     then the same again for the section that was left last, or, if none was or nobody waits there, the one of greatest rest
 *
 * Where loads are smooth that ends at the load bound, and where they only rise and fall by chance one or two percent above it; nothing is ever taken
 * back. The exact solver asks the same question, and answers it by search.
 *
 * Who is alive at some time is found by lengths: those that wait lie in order of their first section, in classes of which each has lives up to
 * twice as long as the one before. Who reaches a section began at most the longest life of its class before it.
 *
 *     class of 4 to 7 sections   |  [----)   [------)      [-----)        asked for section s: from s - 6 on
 *     class of 2 and 3           |    [-)  [--)  [-)   [--)               from s - 2 on
 *
 * Rests have their greatest of each 64 besides. */
#ifndef ASCI_MODEL_LARGE_DIVE_H
#define ASCI_MODEL_LARGE_DIVE_H

#include "base/number/rng.h"
#include "model/problem.h"

#define ASCI_DIVE_CLASSES 33u /* by the bits of a length: 0 in no section, 1 in one, 2 in two or three, ... */
#define ASCI_DIVE_PATH 64u

typedef struct asci_dive_item { /* a buffer that waits */
  int64_t least, size;
  uint32_t first, end; /* sections; none if it occupies nothing; end 0: it waits no more */
  uint32_t buffer;
  uint32_t length; /* that counts: sections, or by chance */
} asci_dive_item;

typedef struct asci_dive_class { /* a part of the items, in order of their first section */
  uint32_t begin, end;
  uint32_t gone; /* of them, wait no more */
} asci_dive_class;

typedef struct asci_dive {
  const asc_problem *problem;
  bool aligned; /* to more than bytes */
  asci_dive_item *items;
  asci_dive_class classes[ASCI_DIVE_CLASSES];
  int64_t *rest, *greatest;      /* by section; by 64 sections */
  uint32_t path[ASCI_DIVE_PATH]; /* sections that were left for another and not come back to, */
  uint32_t depth;                /* so many; those beyond it are forgotten */
  uint32_t hops;                 /* sections left for another, in all */
  int64_t height;                /* what is to hold everything */
} asci_dive;

/* What a dive costs at most, but for sections left: looks at buffers and sections, some nanoseconds each. O(n). */
uint64_t asci_dive_looks(const asc_problem *problem);
/* Each buffer is one block of time, free to lie at any multiple of its alignment, and a dive takes seconds at most. O(n). */
bool asci_dive_can(const asc_problem *problem);
/* Of a problem that can: nobody is placed, the height is the lower bound. With an rng each life counts by chance as up to half as long again.
   Memory: 32 bytes a buffer and 8 a section, meanwhile 28 a buffer more. O(n log n + sections). Errors: OUT_OF_MEMORY (asci_dive_free frees the
   rest). */
asc_status asci_dive_new(const asc_problem *problem, asci_rng *rng, asci_dive *dive);
/* Of one that was made, is being made or is cleared. */
void asci_dive_free(asci_dive *dive);
/* The next buffer and its offset. False: nobody waits, or so many sections were left that it is not worth going on. O(those alive with the buffer
   + sections of its life), and O(those alive with another) for each section left: at most 16 n in all. */
bool asci_dive_next(asci_dive *dive, uint32_t *buffer, int64_t *offset);

#endif
