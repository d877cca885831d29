/* One layer of the dynamic program: the sets of k operators that have run, and for each the states that none other makes superfluous. */
#ifndef ASCI_COSMA_LAYER_H
#define ASCI_COSMA_LAYER_H

#include "model.h"

/* A set of operators that have run. Its bits in sets: done, ready, alive (values that a later operator reads). */
typedef struct cosma_node {
  uint64_t hash;
  uint32_t first;     /* its states, by increasing cost */
  uint32_t slot;      /* in the table */
  uint32_t low, high; /* words between which all values that are alive lie */
} cosma_node;

/* What is in the arena, and what it took to come there. Its bits: resident, clean (resident with a copy outside). */
typedef struct cosma_state {
  int64_t cost;  /* traffic so far, reloads of what is out included; or the peak so far */
  int64_t least; /* that it comes to at the end, or more */
  int64_t held;  /* bytes resident between operators, what is always there apart */
  uint32_t node, next, record;
  bool dropped;
} cosma_state;

typedef struct cosma_layer {
  cosma_node *nodes;
  uint64_t *sets; /* per node */
  cosma_state *states;
  uint64_t *bits; /* per state */
  size_t node_count, node_room, set_room, state_count, state_room, bit_room;
  uint32_t kept; /* states that are not dropped */
} cosma_layer;

/* Open addressing over the nodes of one layer: their indices, ASC_NONE where there is none. */
typedef struct cosma_table {
  uint32_t *slots;
  size_t room; /* a power of two */
} cosma_table;

static inline size_t cosma_node_words(const cosma_model *m) {
  return 2 * m->op_words + m->value_words;
}
static inline uint64_t *cosma_done(const cosma_model *m, const cosma_layer *l, uint32_t node) {
  return l->sets + node * cosma_node_words(m);
}
static inline uint64_t *cosma_ready(const cosma_model *m, const cosma_layer *l, uint32_t node) {
  return cosma_done(m, l, node) + m->op_words;
}
static inline uint64_t *cosma_alive(const cosma_model *m, const cosma_layer *l, uint32_t node) {
  return cosma_done(m, l, node) + 2 * m->op_words;
}
static inline uint64_t *cosma_resident(const cosma_model *m, const cosma_layer *l, uint32_t state) {
  return l->bits + (size_t)state * 2 * m->value_words;
}
static inline uint64_t *cosma_clean(const cosma_model *m, const cosma_layer *l, uint32_t state) {
  return cosma_resident(m, l, state) + m->value_words;
}

/* Bytes of traffic that it takes to have a resident value again once it is out. */
static inline int64_t cosma_evict_cost(const cosma_model *m, uint32_t value, bool clean) {
  return clean ? m->values[value].bytes : 2 * m->values[value].bytes;
}

/* Room for one more node and state, neither cleared nor counted. False: no memory. */
bool asci_cosma_layer_grow(const cosma_model *m, cosma_layer *l);
size_t asci_cosma_layer_bytes(const cosma_model *m, const cosma_layer *l);
void asci_cosma_layer_free(const cosma_model *m, cosma_layer *l);

/* The node of these done operators, or ASC_NONE and where it would be. O(op_words) expected. */
uint32_t asci_cosma_table_find(const cosma_model *m, const cosma_table *t, const cosma_layer *l, const uint64_t *done,
                               uint64_t hash, uint32_t *slot);
/* Makes room for one more node; slots found before are void then. False: no memory. */
bool asci_cosma_table_grow(const cosma_model *m, cosma_table *t, cosma_layer *l);

/* Whether state a makes b, of the same node, superfluous: whatever b does from here on, a can do at no more cost in all. O(words alive). */
bool asci_cosma_dominates(const cosma_model *m, const cosma_layer *l, const cosma_node *node, uint32_t a, uint32_t b);

#endif
