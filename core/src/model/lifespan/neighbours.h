/* Who is alive together with a buffer, found when it is asked: for problems in which so many meet that rows of all (asci_overlaps) take too long
   to make and too much memory to keep.

   The buffers lie in order of their start. Those that begin while b is alive are next to each other; of those that began before, a tree that
   knows the latest end below each node finds the ones that have not ended. */
#ifndef ASCI_MODEL_NEIGHBOURS_H
#define ASCI_MODEL_NEIGHBOURS_H

#include "model/problem.h"

typedef struct asci_neighbours {
  const asc_problem *problem;
  uint32_t *order;  /* buffers that occupy something, by their first section */
  uint32_t *begun;  /* section_count + 1 entries: buffers that begin before the section */
  uint32_t *ends;   /* by place in the order */
  uint32_t *latest; /* 2 * leaves nodes over blocks of 16 places, 1 is the root: latest end below, 0 for none */
  uint32_t leaves;
  uint64_t pairs;                /* whose lifespans overlap, gaps included */
  uint32_t *found;               /* of the last question */
  uint64_t *marked, *remarkable; /* a bit for each buffer, and for each word of these: all clear between two questions */
} asci_neighbours;

/* Of a buffer that occupies something: the sections that its life, gaps included, begins with and ends before. */
static inline uint32_t asci_first_section(const asc_problem *problem, uint32_t buffer) {
  return problem->pieces[problem->piece_begin[buffer]].first;
}

/* O(n log n) time, O(n + sections) memory. Errors: OUT_OF_MEMORY (nothing is kept). */
asc_status asci_neighbours_new(const asc_problem *problem, asci_neighbours *neighbours);
void asci_neighbours_free(asci_neighbours *neighbours);

/* The row that asci_overlaps has for the buffer, in increasing order; borrowed until the next question. O(k log n + n / 4096) for k buffers
   whose lifespans overlap its own, and their gaps. */
const uint32_t *asci_neighbours_of(const asci_neighbours *neighbours, uint32_t buffer, uint32_t *count);
/* The same by their first section, of equal ones by index, which is quicker. O(k log n). */
const uint32_t *asci_neighbours_by_start(const asci_neighbours *neighbours, uint32_t buffer, uint32_t *count);

#endif
