#include "solve/taa/tiles.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "model/lifespan/overlaps.h"

enum { PER_BUFFER, PER_PIECE };

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_taa_tiles, begin, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(asci_taa_tiles, tiles, PER_PIECE, ASCI_RAW),
    ASCI_ARRAY(asci_taa_tiles, chunks, PER_PIECE, ASCI_RAW),
};

void asci_taa_tiles_free(asc_context *context, asci_taa_tiles *tiles) {
  asci_arrays_free(context, ASCI_TABLE(arrays), tiles);
}

static bool comes_before(const void *keys, uint32_t a, uint32_t b) {
  const asci_piece *left = (const asci_piece *)keys + a, *right = (const asci_piece *)keys + b;
  if (left->first != right->first) return left->first < right->first;
  if (left->end != right->end) return left->end < right->end;
  return left->window_lower < right->window_lower; /* at one time pieces are apart */
}

asc_status asci_taa_tiles_new(const asc_problem *problem, asci_taa_tiles *tiles) {
  asc_context *context = problem->context;
  uint32_t pieces = problem->count ? problem->piece_begin[problem->count] : 0, tile = 0, chunk = 0;
  const size_t counts[] = {(size_t)problem->count + 1, pieces};
  uint32_t *order = asci_alloc(context, pieces, sizeof *order), *scratch = asci_alloc(context, pieces, sizeof *scratch);
  bool memory = order && scratch && asci_arrays_new(context, ASCI_TABLE(arrays), counts, tiles);
  for (uint32_t p = 0; memory && p < pieces; p++) order[p] = p;
  for (uint32_t b = 0; memory && b < problem->count; b++) {
    uint32_t from = problem->piece_begin[b], end = problem->piece_begin[b + 1];
    asci_sort(order + from, scratch, end - from, comes_before, problem->pieces);
    tiles->begin[b] = tile;
    for (uint32_t p = from; p < end; p++) {
      const asci_piece *piece = &problem->pieces[order[p]];
      asci_taa_tile *last = tile > tiles->begin[b] ? &tiles->tiles[tile - 1] : NULL;
      bool same = last && last->first == piece->first && last->end == piece->end;
      bool touches = same && tiles->chunks[chunk - 1].high == piece->window_lower;
      if (!same) tiles->tiles[tile++] = (asci_taa_tile){piece->first, piece->end, chunk, chunk};
      if (!touches) tiles->chunks[chunk++].low = piece->window_lower;
      tiles->chunks[chunk - 1].high = piece->window_upper;
      tiles->tiles[tile - 1].chunks_end = chunk;
    }
    tiles->begin[b + 1] = tile;
  }
  asci_free(context, order);
  asci_free(context, scratch);
  return memory ? ASC_OK : ASC_OUT_OF_MEMORY;
}

asci_taa_collision asci_taa_collide(const asci_taa_tiles *tiles, const asci_taa_tile *t1, int64_t base1,
                                    const asci_taa_tile *t2, int64_t base2, bool printed) {
  const asci_taa_chunk *chunks = tiles->chunks;
  uint32_t c1 = t1->chunks, c2 = t2->chunks;
  const asci_taa_collision none = {0, 0, 0};
  if (base1 + chunks[t1->chunks_end - 1].high <= base2 + chunks[c2].low) return none;
  if (base2 + chunks[t2->chunks_end - 1].high <= base1 + chunks[c1].low) return none;
  while (c1 < t1->chunks_end && c2 < t2->chunks_end) {
    int64_t start1 = base1 + chunks[c1].low, end1 = base1 + chunks[c1].high;
    int64_t start2 = base2 + chunks[c2].low, end2 = base2 + chunks[c2].high;
    if (end1 <= start2)
      c1++;
    else if (end2 < start1 || (!printed && end2 == start1))
      c2++;
    else
      return (asci_taa_collision){end1 - start2, c1, c2};
  }
  return none;
}

int64_t asci_taa_meet(const asci_taa_tiles *tiles, const asci_taa_tile *t1, int64_t base1, const asci_taa_tile *t2,
                      int64_t base2, bool printed, asci_taa_clash *clash) {
  asci_taa_collision found = asci_taa_collide(tiles, t1, base1, t2, base2, printed);
  int64_t low1 = base1 + tiles->chunks[found.chunk1].low, low2 = base2 + tiles->chunks[found.chunk2].low;
  clash->section = t1->first > t2->first ? t1->first : t2->first;
  clash->address = low1 > low2 ? low1 : low2;
  return found.size;
}

asci_taa_clash asci_taa_find_clash(const asci_taa_tiles *tiles, uint32_t a, int64_t base_a, uint32_t b, int64_t base_b) {
  asci_taa_clash clash = {ASC_NONE, 0};
  for (uint32_t i = tiles->begin[a]; i < tiles->begin[a + 1]; i++)
    for (uint32_t j = tiles->begin[b]; j < tiles->begin[b + 1]; j++) {
      const asci_taa_tile *t1 = &tiles->tiles[i], *t2 = &tiles->tiles[j];
      if (asci_taa_together(t1, t2) && asci_taa_meet(tiles, t1, base_a, t2, base_b, false, &clash)) return clash;
    }
  return clash;
}

/* ---- orders ---------------------------------------------------------------------------------------------------------- */

typedef struct order_keys {
  const asc_buffer_spec *buffers;
  const uint32_t *peers;
  asci_taa_order by;
} order_keys;

static bool goes_first(const void *given, uint32_t a, uint32_t b) {
  const order_keys *keys = given;
  const asc_buffer_spec *left = &keys->buffers[a], *right = &keys->buffers[b];
  bool forward = keys->by == ASCI_TAA_FORWARD;
  if (forward || keys->by == ASCI_TAA_REVERSE) {
    if (left->lower != right->lower) return forward == (left->lower < right->lower);
    return left->upper != right->upper ? forward == (left->upper < right->upper) : a < b;
  }
  int64_t life = left->upper - left->lower, other = right->upper - right->lower;
  if (keys->by == ASCI_TAA_LIFETIME && life != other) return life > other;
  if (keys->by == ASCI_TAA_PEERS && keys->peers[a] != keys->peers[b]) return keys->peers[a] > keys->peers[b];
  if (left->size != right->size) return left->size > right->size;
  return life != other ? life > other : a < b;
}

asc_status asci_taa_sort(const asc_problem *problem, asci_taa_order by, uint32_t *order) {
  asc_context *context = problem->context;
  uint32_t n = problem->count;
  uint32_t *peers = asci_alloc(context, n, sizeof *peers), *scratch = asci_alloc(context, n, sizeof *scratch);
  asc_status status = peers && scratch ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!status && by == ASCI_TAA_PEERS) status = asci_overlap_counts(problem, peers);
  const order_keys keys = {problem->buffers, peers, by};
  for (uint32_t b = 0; b < n; b++) order[b] = b;
  if (!status) asci_sort(order, scratch, n, goes_first, &keys);
  asci_free(context, peers);
  asci_free(context, scratch);
  return status;
}
