#include "generate/cut.h"

/* A piece still to be cut into `count` blocks. */
typedef struct piece {
  asci_block block;
  int64_t count;
} piece;

static int64_t area(const asci_block *block) {
  return (block->upper - block->lower) * (block->high - block->low);
}

/* A place in the middle half of (low, high), at least 1 from both ends: high - low >= 2. */
static int64_t middle(asci_rng *rng, int64_t low, int64_t high) {
  int64_t quarter = (high - low) / 4;
  if (quarter < 1) quarter = 1;
  return asci_random_between(rng, low + quarter, high - quarter);
}

/* Two halves. Returns 2. */
static int cut_straight(asci_rng *rng, const asci_block *block, piece *parts) {
  bool across_memory = block->high - block->low >= 2;
  if (across_memory && block->upper - block->lower >= 2) across_memory = asci_random_below(rng, 100) < 65;
  parts[0].block = parts[1].block = *block;
  if (across_memory)
    parts[0].block.high = parts[1].block.low = middle(rng, block->low, block->high);
  else
    parts[0].block.upper = parts[1].block.lower = middle(rng, block->lower, block->upper);
  return 2;
}

/* Four arms around a heart. Both sides are at least 3. Returns 5.
 *
 *     +---+---------+  high
 *     |   |    2    |
 *     | 3 +-----+---+  y2
 *     |   |  4  |   |
 *     +---+-----+ 1 |  y1
 *     |    0    |   |
 *     +---------+---+  low
 *         x1    x2
 */
static int cut_pinwheel(asci_rng *rng, const asci_block *b, piece *parts) {
  int64_t x1 = asci_random_between(rng, b->lower + 1, b->upper - 2), x2 = asci_random_between(rng, x1 + 1, b->upper - 1);
  int64_t y1 = asci_random_between(rng, b->low + 1, b->high - 2), y2 = asci_random_between(rng, y1 + 1, b->high - 1);
  parts[0].block = (asci_block){b->lower, x2, b->low, y1};
  parts[1].block = (asci_block){x2, b->upper, b->low, y2};
  parts[2].block = (asci_block){x1, b->upper, y2, b->high};
  parts[3].block = (asci_block){b->lower, x1, y1, b->high};
  parts[4].block = (asci_block){x1, x2, y1, y2};
  return 5;
}

/* Shares `count` blocks among the parts in proportion to their areas, at least one each and never more than a part has cells. */
static void share(piece *parts, int n, int64_t count, int64_t total) {
  int64_t left = count;
  for (int k = 0; k < n; k++) {
    parts[k].count = 1 + (count - n) * area(&parts[k].block) / total;
    left -= parts[k].count;
  }
  for (int k = 0; left > 0; k = (k + 1) % n) {
    if (parts[k].count == area(&parts[k].block)) continue;
    parts[k].count++;
    left--;
  }
}

asc_status asci_cut(asc_context *context, asci_rng *rng, int64_t time, int64_t units, asci_block *blocks, uint32_t count) {
  piece *stack = NULL;
  size_t room = 0, depth = 1;
  uint32_t done = 0;
  if (!asci_grow(context, &stack, &room, 1, sizeof *stack)) return ASC_OUT_OF_MEMORY;
  stack[0] = (piece){{0, time, 0, units}, count};
  while (depth) {
    piece top = stack[--depth], parts[5];
    if (top.count == 1) {
      blocks[done++] = top.block;
      continue;
    }
    bool wide = top.block.upper - top.block.lower >= 3 && top.block.high - top.block.low >= 3;
    bool pinwheel = top.count >= 5 && wide && asci_random_below(rng, 3) == 0;
    int n = pinwheel ? cut_pinwheel(rng, &top.block, parts) : cut_straight(rng, &top.block, parts);
    share(parts, n, top.count, area(&top.block));
    if (!asci_grow(context, &stack, &room, depth + (size_t)n, sizeof *stack)) {
      asci_free(context, stack);
      return ASC_OUT_OF_MEMORY;
    }
    for (int k = 0; k < n; k++) stack[depth++] = parts[k];
  }
  asci_free(context, stack);
  return ASC_OK;
}
