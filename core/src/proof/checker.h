/* What the two parts of the checker share: the certificate's text as it is read, and the problem by the public header. */
#ifndef ASCI_PROOF_CHECKER_H
#define ASCI_PROOF_CHECKER_H

#include "base/memory.h"

#define NOWHERE (INT64_C(1) << 60)     /* above every address; sums stop here */
#define MOST_PILED 16u                 /* alive at the time of a pile */
#define SMALL_PILE 10u                 /* members, up to which a try counts a 1,024th */
#define MOST_TRIES (UINT64_C(1) << 22) /* of who is on top of a pile, in a certificate */
#define MOST_RANGES 4096u              /* of heights that a pile can have, in one step */

/* Which plans lemmas are about: those within so many bytes, sizes rounded up to multiples of `round`, whose true sizes end at most at `limit`. */
typedef struct plans {
  int64_t within, round, limit;
} plans;

typedef struct lemma {
  size_t at; /* of its line's first pair */
  plans about;
} lemma;

typedef struct span {
  int64_t lower, upper;
} span;

typedef struct range {
  int64_t low, high;
} range;

typedef struct checker {
  const asc_problem *problem;
  asc_context *context;
  const char *text, *end, *at; /* at: of the token that is read */
  const char *fault;
  bool no_memory;       /* for a step */
  uint32_t *first_span; /* count + 1: times at which each buffer occupies memory */
  span *spans;

  lemma *lemmas; /* from 1 */
  size_t count, room;
  uint8_t *wanted;
  size_t wanted_room;

  /* the lemma under way */
  size_t number;
  plans about;
  int64_t *least, *now;      /* of the set's: as it says, and in the case under way */
  uint32_t *set, set_count;  /* the buffers */
  size_t *member, *answered; /* the lemma in which the buffer was last of the set; in which its case was */
  uint32_t placed;           /* in the case under way, or ASC_NONE */
  int64_t time, floor;       /* of its question */
  range *heights;
  int64_t *ends; /* of each subset of a pile; made when there is one */
  size_t ends_room;
  uint64_t tries; /* of piles */
  uint32_t *sorted;
} checker;

static inline const asc_buffer_spec *asci_proof_spec(const checker *c, uint32_t b) {
  return asc_problem_buffer(c->problem, b);
}

static inline int64_t asci_proof_plus(int64_t a, int64_t b) {
  return a >= NOWHERE - b ? NOWHERE : a + b;
}

/* False, for the first fault. */
bool asci_proof_wrong(checker *c, const char *what);
/* Whether it holds; else that is what is wrong. */
bool asci_proof_demand(checker *c, bool holds, const char *what);
/* Reading from c->at on; false, and the fault, if it is not there (of a word that alone). */
bool asci_proof_number(checker *c, int64_t *number);
bool asci_proof_buffer(checker *c, uint32_t *buffer);
bool asci_proof_word(checker *c, const char *word);
/* BUFFER:OFFSET. */
bool asci_proof_pair(checker *c, uint32_t *buffer, int64_t *offset);
/* The mark of the line's next word, 0 at its end: the word's number is to be read then. Pairs of a set begin with a digit: '0'.
   A lemma's line, which alone is read by it, has an end: a claim stands behind it. */
char asci_proof_mark(checker *c);
/* The least offset from `at` on that the buffer may have, or NOWHERE. O(log bank). */
int64_t asci_proof_suited(const checker *c, uint32_t b, int64_t at);
/* The size, rounded up as the lemma under way says. */
int64_t asci_proof_size(const checker *c, uint32_t b);
/* Whether the buffer ends too high at that offset. */
bool asci_proof_ends_above(const checker *c, uint32_t b, int64_t offset);
bool asci_proof_lives(const checker *c, uint32_t b, int64_t time);
/* Whether it is of the set, in the case under way. */
bool asci_proof_in(const checker *c, uint32_t b);
/* x UNIT:TIME:TIME...: whether no exchange is left there. O(exchanges x (alive at a time)^2). */
bool asci_proof_exchange(checker *c);
/* Whether a lemma holds, if those before it do. */
bool asci_proof_lemma(checker *c, size_t number);

#endif
