/* Orders in which given sets lie side by side: PQ-trees (Booth and Lueker 1976).
 *
 * A tree stands for orders of its leaves from bottom to top. The children of a P node lie in any order, those of a Q node in the order given or
 * in its reverse. It is written down in preorder, one cell a node, so that a copy is a memcpy and no node needs a pointer:
 *
 *     P(a, Q(b, c, d))     | P 5 | a 1 | Q 4 | b 1 | c 1 | d 1 |     each with the cells of its subtree, itself among them
 *
 * Trees here have some hundred cells at most, so a reduction looks at all of them: linear in the tree, not in the set. */
#ifndef ASCI_EXACT_PQ_TREE_H
#define ASCI_EXACT_PQ_TREE_H

#include <stdbool.h>
#include <stdint.h>

#define PQ_MOST_LEAVES 192u
#define PQ_MOST_CELLS (2 * PQ_MOST_LEAVES) /* every inner node has two children or more */

#define PQ_P \
  UINT32_C(0xfffffffe) /* in place of a leaf: an inner node whose children lie in any order; with two it is a P node */
#define PQ_Q UINT32_C(0xffffffff) /* in the order given, or its reverse */

typedef struct pq_cell {
  uint32_t leaf;  /* its number, PQ_P or PQ_Q */
  uint32_t cells; /* of its subtree */
} pq_cell;

typedef struct pq_tree {
  uint32_t count; /* cells; 0: no order at all */
  pq_cell cells[PQ_MOST_CELLS];
} pq_tree;

/* Any order of the leaves, of which there is one at least. */
void asci_pq_any(pq_tree *tree, const uint32_t *leaves, uint32_t count);
/* The orders of `from` in which the marked leaves (marked[leaf]: 1, else 0; `count` in all, one at least) lie side by side, with the leaves `in`
   in any order in their place. False: there is none. O(cells of both). */
bool asci_pq_exchange(const pq_tree *from, const uint8_t *marked, uint32_t count, const uint32_t *in, uint32_t in_count,
                      pq_tree *into);
/* The same with the marked leaves themselves left where they are. */
bool asci_pq_gather(const pq_tree *from, const uint8_t *marked, uint32_t count, pq_tree *into);
/* Whether the marked leaves lie side by side in every order. O(cells). */
bool asci_pq_together(const pq_tree *tree, const uint8_t *marked, uint32_t count);
/* An order of the tree, lowest first, in which those with a lower place lie lower; places are those of such an order, equal for leaves that lie
   side by side. Returns how many leaves there are. O(cells^2). */
uint32_t asci_pq_order(const pq_tree *tree, const uint32_t *place, uint32_t *order);

#endif
