#include "layer.h"

#include "base/arrays.h"

#include <string.h>

static const asci_array arrays[] = {
    ASCI_OWN(cosma_layer, nodes),
    ASCI_OWN(cosma_layer, sets),
    ASCI_OWN(cosma_layer, states),
    ASCI_OWN(cosma_layer, bits),
};

bool asci_cosma_layer_grow(const cosma_model *m, cosma_layer *l) {
  asc_context *context = m->context;
  size_t node_words = cosma_node_words(m), state_words = 2 * m->value_words;
  if (!asci_grow(context, &l->nodes, &l->node_room, l->node_count + 1, sizeof *l->nodes) ||
      !asci_grow(context, &l->sets, &l->set_room, (l->node_count + 1) * node_words, sizeof *l->sets) ||
      !asci_grow(context, &l->states, &l->state_room, l->state_count + 1, sizeof *l->states) ||
      !asci_grow(context, &l->bits, &l->bit_room, (l->state_count + 1) * state_words, sizeof *l->bits))
    return false;
  return true;
}

size_t asci_cosma_layer_bytes(const cosma_model *m, const cosma_layer *l) {
  return l->node_count * (sizeof *l->nodes + cosma_node_words(m) * sizeof *l->sets) +
         l->state_count * (sizeof *l->states + 2 * m->value_words * sizeof *l->bits);
}

void asci_cosma_layer_free(const cosma_model *m, cosma_layer *l) {
  asci_arrays_free(m->context, ASCI_TABLE(arrays), l);
  *l = (cosma_layer){0};
}

/* ---- table ----------------------------------------------------------------------------------------------------------- */

uint32_t asci_cosma_table_find(const cosma_model *m, const cosma_table *t, const cosma_layer *l, const uint64_t *done,
                               uint64_t hash, uint32_t *slot) {
  for (size_t at = hash & (t->room - 1);; at = (at + 1) & (t->room - 1)) {
    uint32_t node = t->slots[at];
    *slot = (uint32_t)at;
    if (node == ASC_NONE) return ASC_NONE;
    if (l->nodes[node].hash == hash && !memcmp(cosma_done(m, l, node), done, m->op_words * sizeof *done)) return node;
  }
}

bool asci_cosma_table_grow(const cosma_model *m, cosma_table *t, cosma_layer *l) {
  if (2 * (l->node_count + 1) <= t->room) return true;
  size_t room = t->room ? 2 * t->room : 64;
  uint32_t *slots = asci_alloc(m->context, room, sizeof *slots);
  if (!slots) return false;
  memset(slots, 0xff, room * sizeof *slots);
  for (uint32_t node = 0; node < l->node_count; node++) {
    size_t at = l->nodes[node].hash & (room - 1);
    while (slots[at] != ASC_NONE) at = (at + 1) & (room - 1);
    slots[at] = node;
    l->nodes[node].slot = (uint32_t)at;
  }
  asci_free(m->context, t->slots);
  *t = (cosma_table){slots, room};
  return true;
}

/* ---- dominance ------------------------------------------------------------------------------------------------------- */

static inline uint32_t lowest(uint64_t word) {
  return (uint32_t)__builtin_ctzll(word);
}

/* What a still has to pay to have no more than b: it takes out what b does not have, and copies out what only b has a copy of. What b has and it has
   not it need not pay for, since reloads are paid for in advance. */
bool asci_cosma_dominates(const cosma_model *m, const cosma_layer *l, const cosma_node *node, uint32_t a, uint32_t b) {
  int64_t room = l->states[b].cost - l->states[a].cost;
  /* what a has more than b it pays for at least once */
  if (m->plain && l->states[a].held - l->states[b].held > room) return false;
  const uint64_t *in_a = cosma_resident(m, l, a), *clean_a = cosma_clean(m, l, a);
  const uint64_t *in_b = cosma_resident(m, l, b), *clean_b = cosma_clean(m, l, b);
  for (uint32_t w = node->low; w < node->high && room >= 0; w++) {
    for (uint64_t more = in_a[w] & ~in_b[w]; more && room >= 0; more &= more - 1)
      room -= cosma_evict_cost(m, w * 64 + lowest(more), clean_a[w] >> lowest(more) & 1);
    for (uint64_t dirty = in_a[w] & clean_b[w] & ~clean_a[w]; dirty; dirty &= dirty - 1)
      room -= m->values[w * 64 + lowest(dirty)].bytes;
  }
  return room >= 0;
}
