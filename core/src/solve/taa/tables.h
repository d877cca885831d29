/* Which differences of two tensors' offsets make their chunks collide, worked out once for each pair that is alive together.
 *
 *     offset(v) - offset(u)     ...  [low, high]        [low, high]  ...      forbidden; what lies between two ranges is an interleaved place
 *
 * Once these are made tiles and chunks are forgotten: whether a plan is valid is one look-up a pair, and the next place past a tensor is the end of
 * the range that was hit. */
#ifndef ASCI_TAA_TABLES_H
#define ASCI_TAA_TABLES_H

#include "solve/taa/gather.h"

typedef struct asci_taa_pair {
  uint32_t u, v;     /* u < v */
  int64_t grain;     /* of which every difference is a multiple, and so every end of a range */
  size_t begin, end; /* its ranges, in order, and apart by more than the grain */
} asci_taa_pair;

typedef struct asci_taa_meeting { /* of a buffer: with whom, and by which pair */
  uint32_t other, pair;
} asci_taa_meeting;

/* In all tables: 64 MiB. */
#define ASCI_TAA_MOST_RANGES ((size_t)1 << 22)

typedef struct asci_taa_tables {
  asci_taa_pair *pairs;
  asci_taa_range *ranges;
  uint32_t pair_count;
  size_t range_count, pair_room, range_room;
  size_t
      *row_begin; /* n + 1: whom b may collide with are rows[row_begin[b]] .. rows[row_begin[b + 1] - 1], by their number */
  asci_taa_meeting *rows;
  struct asci_taa_making *making; /* the pair under way, while there is one; until then there are no rows */
} asci_taa_tables;

/* Into a cleared struct: nothing is in the tables yet; `making` is there unless no two buffers meet. O(n log n + chunks). Errors: OUT_OF_MEMORY (to be
   freed all the same). */
asc_status asci_taa_tables_new(const asc_problem *problem, const asci_taa_tiles *tiles, asci_taa_tables *tables);
/* Goes on with them for a part of a millisecond or so; `making` is NULL once they are done. In all O(pairs of tiles alive together, times the runs of
   evenly spaced chunks of both): each such pair of runs gives as many ranges as both have chunks at most. Errors: OUT_OF_MEMORY, also beyond
   ASCI_TAA_MOST_RANGES (to be freed then). */
asc_status asci_taa_tables_step(asci_taa_tables *tables);
/* The buffer whose pairs are under way, ASC_NONE: none are. */
uint32_t asci_taa_tables_under_way(const asci_taa_tables *tables);
/* Into a cleared struct, what is done. Errors: OUT_OF_MEMORY (to be freed all the same). */
asc_status asci_taa_tables_copy(asc_context *context, const asci_taa_tables *from, uint32_t buffers,
                                asci_taa_tables *tables);
void asci_taa_tables_free(asc_context *context, asci_taa_tables *tables);

/* The range of a pair that a difference lies in, or NULL. O(log ranges). */
static inline const asci_taa_range *asci_taa_hit(const asci_taa_tables *tables, const asci_taa_pair *pair,
                                                 int64_t difference) {
  size_t at = pair->begin, end = pair->end;
  while (at < end) {
    size_t middle = at + (end - at) / 2;
    if (tables->ranges[middle].high < difference)
      at = middle + 1;
    else
      end = middle;
  }
  return at < pair->end && tables->ranges[at].low <= difference ? &tables->ranges[at] : NULL;
}

/* Where buffer b, which is tried at `at`, may lie next because of one that it meets and that lies at `base`: past the range that is hit, or -1 if
   none is. */
static inline int64_t asci_taa_past(const asci_taa_tables *tables, const asci_taa_meeting *meeting, uint32_t b, int64_t at,
                                    int64_t base) {
  const asci_taa_pair *pair = &tables->pairs[meeting->pair];
  bool above = pair->v == b;
  const asci_taa_range *hit = asci_taa_hit(tables, pair, above ? at - base : base - at);
  if (!hit) return -1;
  return base + (above ? hit->high + pair->grain : pair->grain - hit->low);
}

#endif
