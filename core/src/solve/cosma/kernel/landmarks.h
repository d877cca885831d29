/* What is still to be paid at least (README 3): operators at which more is alive than fits, whatever the order, and who may go there. */
#ifndef ASCI_COSMA_LANDMARKS_H
#define ASCI_COSMA_LANDMARKS_H

#include "model.h"

/* A value that may be alive while a landmark runs, and that the landmark does not name. */
typedef struct cosma_claim {
  int64_t size; /* of its value */
  uint32_t value, maker;
  uint32_t before_begin, before_end; /* its readers that run before the landmark, in `before` */
  bool charged;                      /* its way back is paid for this landmark alone; else another one may have paid */
  bool spills;                       /* so is its way out, if it has no copy outside */
} cosma_claim;

typedef struct cosma_landmark {
  uint32_t op, until;  /* what is out while op runs is back when `until` has; ASC_NONE: at any time */
  int64_t excess;      /* bytes that have to be out while it runs: a sum of its claims' sizes is no less */
  int64_t smallest;    /* of its claims' sizes */
  int64_t fresh;       /* what that costs at least while none of the claims has been made */
  uint32_t begin, end; /* claims */
} cosma_landmark;

typedef struct cosma_landmarks {
  const cosma_model *m;
  cosma_landmark *marks; /* by operator */
  cosma_claim *claims;
  uint32_t *before;
  uint64_t *claimed; /* per landmark the set of its claims' values */
  size_t count, room, claim_count, claim_room, before_count, before_room, claimed_room;
} cosma_landmarks;

/* Of an arena of `capacity` bytes. Graphs of more than 4,096 operators have none, nor those whose values take other sizes than a copy moves.
   O(operators * uses). Errors: OUT_OF_MEMORY. */
asc_status asci_cosma_landmarks_new(const cosma_model *m, int64_t capacity, cosma_landmarks *l);
void asci_cosma_landmarks_free(cosma_landmarks *l);

/* Bytes of traffic that every plan has still to pay from such a state on: what is out has its way back paid for. Taking values out lowers this by no
   more than that costs. O(landmarks + their claims + before). */
int64_t asci_cosma_ahead(const cosma_landmarks *l, const uint64_t *done, const uint64_t *alive, const uint64_t *resident,
                         const uint64_t *clean);
/* The values whose taking out may lower that: claims of landmarks that have not run. O(landmarks * value_words). */
void asci_cosma_claimed(const cosma_landmarks *l, const uint64_t *done, uint64_t *values);

#endif
