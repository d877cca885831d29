/* What tries did, move by move, for a run that follows: one that is shown the same steps again, sooner than they could be looked for. */
#ifndef ASCI_SOLVE_TRAIL_H
#define ASCI_SOLVE_TRAIL_H

#include "model/large/attempt.h"
#include "solve/ladder/ends.h"

typedef enum asci_trail_what {
  ASCI_TRAIL_OUT, /* taken out by the move whose entry comes next */
  ASCI_TRAIL_PLACED,
  ASCI_TRAIL_PLACED_AGAIN,
  ASCI_TRAIL_FORCED,
  ASCI_TRAIL_FORCED_AGAIN,
  ASCI_TRAIL_ABANDONED
} asci_trail_what;

typedef struct asci_trail_entry {
  int64_t offset; /* of a move; of one that abandons why: asci_large_end */
  uint32_t buffer;
  uint8_t what; /* asci_trail_what */
} asci_trail_entry;

typedef struct asci_trail { /* of a try */
  size_t begin, end;        /* in the entries of all */
  bool lost;                /* there was no memory for it, or others had more need of it: nobody can follow */
} asci_trail;

typedef struct asci_trails {
  asci_trail_entry *entries; /* trail by trail */
  size_t entry_count, entry_room;
  asci_trail *items; /* of tries first, first + 1, ... */
  size_t count, room;
  uint32_t first;
  uint32_t best; /* the try whose plan is the best; 0: there is none. Its trail is kept */
} asci_trails;

/* A follower's place on the trail of a try. */
typedef struct asci_footing {
  uint32_t number; /* of the try, who is placed being what its trail says; 0: on none */
  size_t at;       /* entries passed */
  asci_ends ends;  /* of entries of the trail of try ends_of, also those passed before going back */
  uint32_t ends_of;
} asci_footing;

void asci_trails_free(asc_context *context, asci_trails *trails);
/* Try number `number`, from 1, begins: that after the last, or the first of which there is to be a trail. */
void asci_trails_begin(asc_context *context, asci_trails *trails, uint32_t number);
/* The last move of the attempt, which is that try's: PLACED, FORCED or ABANDONED. Trails together hold no more than some entries for each
   buffer: then the earliest are lost. Amortised O(1 + taken out). */
void asci_trails_add(asc_context *context, asci_trails *trails, const asci_large_attempt *attempt, asci_large_move move);
/* How long the trail of that try is; 0: there is none, or it is lost. */
size_t asci_trails_length(const asci_trails *trails, uint32_t number);

/* Try `number`, of which there is a trail, begins: nothing is placed. O(n), or O(moves) if the footing is on another trail that is still
   there. */
void asci_trail_begin(const asci_trails *trails, asci_footing *footing, asci_large_attempt *attempt,
                      const asci_large_config *config, int64_t target, uint32_t number);
/* The next move as the trail has it: all of the attempt that tells of its last move, and who is placed where; neither the tree nor, but of a dive,
   the order are kept up. Not at the trail's end. NO_MEMORY, PLACED, FORCED or ABANDONED. Amortised O(1 + taken out). */
asci_large_move asci_trail_follow(const asci_trails *trails, asci_footing *footing, asci_large_attempt *attempt);
/* Of those placed, alive with the buffer and ending at the offset, the least index; ASC_NONE: there is none. O(entries that end at it),
   besides those added since the last call. False: no memory. */
bool asci_trail_support(const asci_trails *trails, asci_footing *footing, const asci_large_attempt *attempt,
                        uint32_t *support);

#endif
