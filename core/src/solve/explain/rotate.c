/* From a plan that lacks one buffer to plans that lack another. If x, put somewhere, would meet only y, then with x there and y away the
 * rest fits: y is needed as well, without a search. From that plan it goes on. */
#include "base/memory.h"
#include "base/sort.h"
#include "model/bank.h"
#include "solve/explain/explain.h"

/* ---- where x would meet whom ----------------------------------------------------------------------------------------- */

static bool forbid(asc_explain *explain, int64_t low, int64_t high, uint32_t by) {
  if (!asci_grow(explain->context, &explain->forbidden, &explain->forbidden_room, explain->forbidden_count + 1,
                 sizeof *explain->forbidden))
    return false;
  explain->forbidden[explain->forbidden_count++] = (asci_forbidden){low, high, by};
  return true;
}

/* What y, which is placed, forbids to x: an interval for each two of their pieces that share a section. */
static bool forbid_pieces(asc_explain *explain, uint32_t x, uint32_t y) {
  uint32_t mine_count, other_count;
  const asci_piece *mine = asci_pieces(explain->problem, x, &mine_count);
  const asci_piece *other = asci_pieces(explain->problem, y, &other_count);
  for (uint32_t i = 0, j = 0; i < mine_count && j < other_count;) {
    if (mine[i].first < other[j].end && other[j].first < mine[i].end) {
      int64_t low = explain->offsets[y] + other[j].window_lower - mine[i].window_upper + 1;
      int64_t high = explain->offsets[y] + other[j].window_upper - mine[i].window_lower;
      if (!forbid(explain, low, high, y)) return false;
    }
    if (mine[i].end <= other[j].end)
      i++;
    else
      j++;
  }
  return true;
}

static bool begins_lower(const void *keys, uint32_t a, uint32_t b) {
  const asci_forbidden *forbidden = keys;
  return forbidden[a].low < forbidden[b].low;
}

static bool ends_lower(const void *keys, uint32_t a, uint32_t b) {
  const asci_forbidden *forbidden = keys;
  return forbidden[a].high < forbidden[b].high;
}

/* All that is forbidden to x, in both orders. */
static bool gather(asc_explain *explain, uint32_t x) {
  explain->forbidden_count = 0;
  for (uint32_t k = 0; k < explain->count; k++) {
    uint32_t y = explain->members[k];
    if (y != x && !forbid_pieces(explain, x, y)) return false;
  }
  uint32_t count = (uint32_t)explain->forbidden_count;
  asc_context *context = explain->context;
  if (!asci_grow(context, &explain->by_low, &explain->by_low_room, count, sizeof *explain->by_low) ||
      !asci_grow(context, &explain->by_high, &explain->by_high_room, count, sizeof *explain->by_high) ||
      !asci_grow(context, &explain->scratch, &explain->scratch_room, count, sizeof *explain->scratch))
    return false;
  for (uint32_t k = 0; k < count; k++) explain->by_low[k] = explain->by_high[k] = k;
  asci_sort(explain->by_low, explain->scratch, count, begins_lower, explain->forbidden);
  asci_sort(explain->by_high, explain->scratch, count, ends_lower, explain->forbidden);
  return true;
}

/* ---- the offset at which it meets but one ---------------------------------------------------------------------------- */

/* The sweep over offsets: who is met at the one looked at. */
typedef struct sweep {
  uint32_t entered, left; /* of by_low, by_high */
  uint32_t met;           /* different buffers */
  uint64_t sum;           /* of their numbers: the number itself if only one is met */
} sweep;

static void move_to(asc_explain *explain, sweep *at, int64_t offset) {
  const asci_forbidden *forbidden = explain->forbidden;
  uint32_t count = (uint32_t)explain->forbidden_count;
  for (; at->entered < count && forbidden[explain->by_low[at->entered]].low <= offset; at->entered++) {
    uint32_t y = forbidden[explain->by_low[at->entered]].by;
    if (explain->active[y]++) continue;
    at->met++;
    at->sum += y;
  }
  for (; at->left < count && forbidden[explain->by_high[at->left]].high <= offset; at->left++) {
    uint32_t y = forbidden[explain->by_high[at->left]].by;
    if (--explain->active[y]) continue;
    at->met--;
    at->sum -= y;
  }
}

/* Looks for an offset of x at which it meets one buffer only and that one is IN. Whoever is met at an offset is met at all lower ones down
   to the last end of an interval, so only those ends are looked at. */
static bool find_exchange(asc_explain *explain, uint32_t x, uint32_t *y, int64_t *offset) {
  const asc_buffer_spec *spec = &explain->problem->buffers[x];
  uint32_t count = (uint32_t)explain->forbidden_count;
  bool fixed = spec->offset != ASC_UNPLACED, found = false;
  int64_t last = -1;
  sweep at = {0};
  for (uint32_t k = 0; k <= count && !found; k++) {
    int64_t end = k ? explain->forbidden[explain->by_high[k - 1]].high : 0;
    int64_t here = fixed ? spec->offset : asci_next_offset(end < 0 ? 0 : end, spec->size, spec->alignment, spec->bank);
    if (here <= last) continue;
    if (here > explain->capacity - spec->size) break;
    last = here;
    move_to(explain, &at, here);
    if (at.met != 1 || explain->state[at.sum] != ASCI_IN) continue;
    *y = (uint32_t)at.sum;
    *offset = here;
    found = true;
  }
  for (uint32_t k = 0; k < count; k++) explain->active[explain->forbidden[k].by] = 0;
  return found;
}

/* path[d] is the buffer that the plan at depth d lacks, path_offsets[d] where it lay before: that is how the way back is found. */
asc_status asci_explain_rotate(asc_explain *explain, uint32_t without) {
  uint32_t depth = 0;
  explain->path[0] = without;
  while (!asci_explain_cancelled(explain)) {
    uint32_t x = explain->path[depth], y;
    int64_t offset;
    if (!gather(explain, x)) return ASC_OUT_OF_MEMORY;
    if (find_exchange(explain, x, &y, &offset)) {
      asci_explain_need(explain, y);
      explain->offsets[x] = offset;
      explain->path[++depth] = y;
      explain->path_offsets[depth] = explain->offsets[y];
    } else {
      if (depth == 0) break;
      explain->offsets[x] = explain->path_offsets[depth--];
    }
  }
  return ASC_OK;
}
