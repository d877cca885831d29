/* Learned backtracking (paper section 6): what a model is told of each candidate of a jump, and how it scores them. LEARNED.md beside this file says how it
 * was made and what it is worth. All in integers, so that every machine goes to the same level. */
#ifndef ASCI_TELA_LEARNED_H
#define ASCI_TELA_LEARNED_H

#include "search.h"

/* Shares are counted in parts of 4096. */
#define TELA_SHARE 4096

/* With levels counted from the ground: d that of the open point, x that of the candidate, b the buffer that is placed there and that the jump would take
   back, n the buffers of the part. None depends on the unit of bytes or of time, by which a model would know its training problems again. */
typedef enum tela_feature {
  TELA_BLAMED,       /* how often b was in the conflict of a backtrack */
  TELA_RETURNS,      /* jumps to this point so far */
  TELA_SAME_PHASE,   /* 1: b is of the phase of the buffer placed last */
  TELA_DISTANCE,     /* d - x */
  TELA_IN_CONFLICT,  /* 1: x is in the conflict, 0: it is the top of a range */
  TELA_RANK,         /* candidates that are deeper */
  TELA_UNTRIED,      /* candidates of that point that were not tried */
  TELA_LEVEL_SHARE,  /* x / n */
  TELA_DEPTH_SHARE,  /* x / d */
  TELA_STUCK_RULE,   /* 1: the stuck rule fired, 0: no candidate was left */
  TELA_HEAT,         /* contention of b, of the greatest there is */
  TELA_DEEPER,       /* levels in the conflict that are deeper */
  TELA_DEEPER_SHARE, /* those, of all in the conflict */
  TELA_FEATURES
} tela_feature;

/* A node of a tree, in 4 bytes. Nodes of a tree lie in pre-order: below the threshold the next one follows, else the one that is `skip` further on. */
typedef struct tela_node {
  int16_t threshold; /* of a leaf: what it adds to the score */
  uint8_t feature;   /* TELA_LEAF: it is one */
  uint8_t skip;
} tela_node;
#define TELA_LEAF 255

/* What a candidate can score: TELA_SCORES means that the model is sure that the placements below it can be completed, and that all that it takes back
   is of the way to blame. */
#define TELA_SCORES 640
/* Below it, once weighted, the model is not sure enough to be followed. */
#define TELA_SURE (TELA_SCORES / 2)

/* learned_model.c, which core/learn/train.py writes */
extern const tela_node asci_tela_nodes[];
extern const uint16_t asci_tela_trees[]; /* where each begins */
extern const uint32_t asci_tela_tree_count;
extern const int16_t asci_tela_initial;

/* The features of candidate k of s->jump, which are in s->scratch, lowest level first; conflict levels are marked in s->flags; deeper: how many of
   those are after it. O(1). */
void asci_tela_measure(const tela_search *s, uint32_t k, uint32_t deeper, int16_t features[TELA_FEATURES]);
/* The model's score of such features, 0 .. TELA_SCORES. O(trees x their depth). */
int32_t asci_tela_score(const int16_t features[TELA_FEATURES]);
/* The score, weighted by depth: a jump to the part's root counts half (the paper discourages far jumps and gives no formula). */
int32_t asci_tela_weighted(const tela_search *s, int32_t score, uint32_t level);
/* Scores all candidates into s->scores; returns which has the highest weighted score, of equal ones the deepest. */
uint32_t asci_tela_score_all(const tela_search *s);

/* Who makes training data is asked in place of the model, and returns the level to go to. */
typedef struct tela_teacher {
  uint32_t (*choose)(void *user, const tela_search *s);
  void *user;
} tela_teacher;

#endif
