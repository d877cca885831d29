#include "solve/taa/gather.h"

#include "base/arrays.h"
#include "base/hash.h"
#include "base/sort.h"

#define MOST_PERIOD 16u
#define LEAST_PENDING 64u
#define MOST_PENDING (1u << 16)
#define LEAST_SEEN 1024u
#define MOST_SEEN (1u << 18)

enum { PER_CHUNK, PER_TILE };
static const asci_array arrays[] = {
    ASCI_ARRAY(asci_taa_gather, runs, PER_CHUNK, ASCI_RAW),
    ASCI_ARRAY(asci_taa_gather, run_begin, PER_TILE, ASCI_RAW),
    ASCI_OWN(asci_taa_gather, joined),
    ASCI_OWN(asci_taa_gather, spare),
    ASCI_OWN(asci_taa_gather, seen),
};
enum { PER_PENDING, PER_KEY };
static const asci_array of_pending[] = {
    ASCI_ARRAY(asci_taa_gather, low, PER_PENDING, ASCI_RAW),
    ASCI_ARRAY(asci_taa_gather, high, PER_PENDING, ASCI_RAW),
    ASCI_ARRAY(asci_taa_gather, keys, PER_KEY, ASCI_RAW),
    ASCI_ARRAY(asci_taa_gather, order, PER_PENDING, ASCI_RAW),
};

void asci_taa_gather_free(asci_taa_gather *g) {
  if (!g->context) return;
  asci_arrays_free(g->context, ASCI_TABLE(arrays), g);
  asci_arrays_free(g->context, ASCI_TABLE(of_pending), g);
}

/* ---- chunks ---------------------------------------------------------------------------------------------------------- */

/* How many chunks apart all of a tile's are of one length and evenly spaced: 1 for rows of blocks of channels, 2 for two rows of each, and so on. 0: they
 * are not, or too far apart. */
static uint32_t find_period(const asci_taa_chunk *chunks, uint32_t count) {
  for (uint32_t period = 1; period <= MOST_PERIOD && 2 * period <= count; period++) {
    int64_t stride = chunks[period].low - chunks[0].low;
    uint32_t k = period;
    while (k < count && chunks[k].low - chunks[k - period].low == stride &&
           chunks[k].high - chunks[k - period].high == stride)
      k++;
    if (k == count) return period;
  }
  return 0;
}

/* The chunks from `at` on that are one run, where there is no period; returns where it ends. */
static uint32_t take_run(const asci_taa_chunk *chunks, uint32_t at, uint32_t end, asci_taa_chunk_run *run) {
  *run = (asci_taa_chunk_run){chunks[at].low, chunks[at].high - chunks[at].low, 0, 1};
  for (at++; at < end; at++, run->count++) {
    int64_t stride = chunks[at].low - chunks[at - 1].low;
    bool even = chunks[at].high - chunks[at].low == run->length && (run->count == 1 || stride == run->stride);
    if (!even) break;
    run->stride = stride;
  }
  return at;
}

/* Returns how many. */
static uint32_t take_runs(const asci_taa_chunk *chunks, uint32_t count, asci_taa_chunk_run *runs) {
  uint32_t period = find_period(chunks, count), taken = 0;
  for (; taken < period; taken++) {
    const asci_taa_chunk *first = &chunks[taken];
    runs[taken] = (asci_taa_chunk_run){first->low, first->high - first->low, chunks[taken + period].low - first->low,
                                       (count - taken + period - 1) / period};
  }
  for (uint32_t at = 0; !period && at < count;) at = take_run(chunks, at, count, &runs[taken++]);
  return taken;
}

static bool find_runs(asci_taa_gather *g, uint32_t tiles) {
  uint32_t chunks = g->tiles->tiles[tiles - 1].chunks_end, count = 0; /* there are pairs, and so tiles */
  const size_t counts[] = {chunks, (size_t)tiles + 1};
  if (!asci_arrays_new(g->context, ASCI_TABLE(arrays), counts, g)) return false;
  for (uint32_t t = 0; t < tiles; t++) {
    const asci_taa_tile *tile = &g->tiles->tiles[t];
    g->run_begin[t] = count;
    count += take_runs(g->tiles->chunks + tile->chunks, tile->chunks_end - tile->chunks, &g->runs[count]);
  }
  g->run_begin[tiles] = count;
  return true;
}

/* ---- ranges ---------------------------------------------------------------------------------------------------------- */

/* Nothing may be pending. */
static bool make_pending(asci_taa_gather *g, uint32_t room) {
  const size_t counts[] = {room, 2 * (size_t)room};
  asci_arrays_free(g->context, ASCI_TABLE(of_pending), g);
  g->pending_room = room;
  return asci_arrays_new(g->context, ASCI_TABLE(of_pending), counts, g);
}

/* Behind all that begin lower: part of the last one if no difference is left between the two. */
static void append(asci_taa_gather *g, size_t *count, asci_taa_range range) {
  asci_taa_range *last = *count ? &g->spare[*count - 1] : NULL;
  if (!last || range.low > last->high + g->grain)
    g->spare[(*count)++] = range;
  else if (range.high > last->high)
    last->high = range.high;
}

/* Pending ranges become joined ones. O(joined + pending log pending). False: no memory. */
static bool join(asci_taa_gather *g) {
  size_t at = 0, count = 0;
  if (!g->pending) return true;
  if (!asci_grow(g->context, &g->spare, &g->spare_room, g->joined_count + g->pending, sizeof *g->spare)) return false;
  for (uint32_t k = 0; k < g->pending; k++) g->order[k] = k;
  asci_sort_by(g->order, g->keys, g->pending, g->low);
  for (uint32_t k = 0; k < g->pending; k++) {
    asci_taa_range range = {g->low[g->order[k]], g->high[g->order[k]]};
    while (at < g->joined_count && g->joined[at].low < range.low) append(g, &count, g->joined[at++]);
    append(g, &count, range);
  }
  while (at < g->joined_count) append(g, &count, g->joined[at++]);
  asci_taa_range *joined = g->joined;
  size_t room = g->joined_room;
  g->joined = g->spare;
  g->joined_room = g->spare_room;
  g->spare = joined;
  g->spare_room = room;
  g->joined_count = count;
  g->pending = 0;
  if (count > g->most) return false;
  return count / 4 < g->pending_room || g->pending_room >= MOST_PENDING || make_pending(g, 2 * g->pending_room);
}

/* Whether all of it is in a joined range: most of what tiles forbid was forbidden by others before. */
static bool is_known(const asci_taa_gather *g, int64_t low, int64_t high) {
  size_t at = 0, end = g->joined_count;
  while (at < end) {
    size_t middle = at + (end - at) / 2;
    if (g->joined[middle].high < high)
      at = middle + 1;
    else
      end = middle;
  }
  return at < g->joined_count && g->joined[at].low <= low;
}

/* Greatest multiple of the grain that is <= number, which may be negative. */
static int64_t rounded_down(int64_t number, int64_t grain) {
  if (grain == 1) return number; /* divisions are what takes longest here */
  int64_t rest = number % grain;
  return number - (rest < 0 ? rest + grain : rest);
}

static bool forbid(asci_taa_gather *g, int64_t low, int64_t high) {
  low = rounded_down(low + g->grain - 1, g->grain);
  high = rounded_down(high, g->grain);
  g->left--;
  if (low > high || is_known(g, low, high)) return true;
  if (g->pending) { /* tiles that follow each other often forbid the same */
    int64_t *last_low = &g->low[g->pending - 1], *last_high = &g->high[g->pending - 1];
    if (low <= *last_high + g->grain && high >= *last_low - g->grain) {
      *last_low = low < *last_low ? low : *last_low;
      *last_high = high > *last_high ? high : *last_high;
      return true;
    }
  }
  if (g->pending == g->pending_room && !join(g)) return false;
  g->low[g->pending] = low;
  g->high[g->pending++] = high;
  return true;
}

/* Runs of one stride, or of which one is a single chunk: the differences at which chunks begin together are evenly spaced too. */
static bool forbid_even(asci_taa_gather *g, const asci_taa_chunk_run *p, const asci_taa_chunk_run *q) {
  int64_t stride = p->count > 1 ? p->stride : q->stride, base = p->low - q->low;
  int64_t first = 1 - (int64_t)q->count, last = (int64_t)p->count - 1;
  int64_t low = base + first * stride - q->length + 1, high = base + last * stride + p->length - 1;
  if (stride <= p->length + q->length - 1) return forbid(g, low, high); /* they leave nothing between them */
  if (is_known(g, low, high)) return true;
  for (int64_t k = first; k <= last; k++)
    if (!forbid(g, base + k * stride - q->length + 1, base + k * stride + p->length - 1)) return false;
  return true;
}

/* p of the pair's u, q of its v: from chunk k of the shorter one on, until k is 0 again or nothing is left. */
static bool forbid_runs(asci_taa_gather *g, const asci_taa_chunk_run *p, const asci_taa_chunk_run *q) {
  if (p->count == 1 || q->count == 1 || p->stride == q->stride) return forbid_even(g, p, q);
  const asci_taa_chunk_run *shorter = p->count < q->count ? p : q;
  do {
    asci_taa_chunk_run one = {shorter->low + g->k * shorter->stride, shorter->length, 0, 1};
    if (!forbid_even(g, shorter == p ? &one : p, shorter == p ? q : &one)) return false;
    g->k = g->k + 1 < shorter->count ? g->k + 1 : 0;
  } while (g->k && g->left > 0);
  return true;
}

/* ---- runs seen before ------------------------------------------------------------------------------------------------- */

static bool is_like(const asci_taa_chunk_run *a, const asci_taa_chunk_run *b) {
  return a->length == b->length && a->stride == b->stride && a->count == b->count;
}

/* Where the pair of runs is, or would be. */
static asci_taa_seen *find_seen(const asci_taa_gather *g, uint32_t p, uint32_t q) {
  const asci_taa_chunk_run *a = &g->runs[p], *b = &g->runs[q];
  uint64_t hash =
      asci_fold(asci_fold((uint64_t)(a->low - b->low), (uint64_t)a->length * a->count), (uint64_t)b->length * b->count);
  uint32_t at = (uint32_t)(hash >> 32) & (g->seen_room - 1);
  for (;; at = (at + 1) & (g->seen_room - 1)) {
    asci_taa_seen *s = &g->seen[at];
    if (s->turn != g->turn) return s;
    const asci_taa_chunk_run *c = &g->runs[s->p], *d = &g->runs[s->q];
    if (c->low - d->low == a->low - b->low && is_like(a, c) && is_like(b, d)) return s;
  }
}

static bool make_seen(asci_taa_gather *g, uint32_t room) {
  asci_taa_seen *old = g->seen;
  uint32_t old_room = g->seen_room;
  g->seen = asci_calloc(g->context, room, sizeof *g->seen);
  g->seen_room = g->seen ? room : 0;
  for (uint32_t k = 0; g->seen && k < old_room; k++)
    if (old[k].turn == g->turn) *find_seen(g, old[k].p, old[k].q) = old[k];
  asci_free(g->context, old);
  return g->seen != NULL;
}

static void forget_seen(asci_taa_gather *g) {
  g->turn++;
  g->seen_count = 0;
}

/* Notes the pair of runs. fresh: there was none like it, which would forbid the same. False: no memory. */
static bool note_seen(asci_taa_gather *g, bool *fresh) {
  asci_taa_seen *seen = find_seen(g, g->p, g->q);
  *fresh = seen->turn != g->turn;
  if (!*fresh) return true;
  if (g->seen_count > MOST_SEEN / 2) {
    forget_seen(g);
    seen = find_seen(g, g->p, g->q);
  }
  *seen = (asci_taa_seen){g->p, g->q, g->turn};
  return ++g->seen_count <= g->seen_room / 2 || g->seen_room == MOST_SEEN || make_seen(g, 2 * g->seen_room);
}

/* ---- a pair ----------------------------------------------------------------------------------------------------------- */

static void begin_tile(asci_taa_gather *g, uint32_t j) {
  g->j = j;
  g->p = g->run_begin[g->i];
  g->q = g->run_begin[j];
}

/* The runs of tiles i and j, as far as there is work left. */
static bool forbid_tiles(asci_taa_gather *g) {
  uint32_t p_end = g->run_begin[g->i + 1], q_begin = g->run_begin[g->j], q_end = g->run_begin[g->j + 1];
  while (g->p < p_end && g->left > 0) {
    const asci_taa_chunk_run *p = &g->runs[g->p], *q = &g->runs[g->q];
    bool fresh = true;
    if (p->count + q->count >= 4 && !g->k && !note_seen(g, &fresh)) return false;
    g->left--;
    if (fresh && !forbid_runs(g, p, q)) return false;
    if (g->k) continue;
    if (++g->q < q_end) continue;
    g->q = q_begin;
    g->p++;
  }
  return true;
}

asc_status asci_taa_gather_go_on(asci_taa_gather *g, bool *done) {
  const asci_taa_tiles *t = g->tiles;
  uint32_t i_end = t->begin[g->u + 1], j_begin = t->begin[g->v], j_end = t->begin[g->v + 1];
  while (g->i < i_end && g->left > 0) {
    const asci_taa_tile *mine = &t->tiles[g->i], *other = &t->tiles[g->j];
    if (g->j == j_end || other->first >= mine->end) {
      g->i++;
      if (g->i < i_end) begin_tile(g, j_begin);
      continue;
    }
    g->left--;
    if (asci_taa_together(mine, other)) {
      if (!forbid_tiles(g)) return ASC_OUT_OF_MEMORY;
      if (g->p < g->run_begin[g->i + 1]) break; /* nothing is left */
    }
    if (g->j + 1 < j_end)
      begin_tile(g, g->j + 1);
    else
      g->j = j_end;
  }
  *done = g->i == i_end;
  return *done && !join(g) ? ASC_OUT_OF_MEMORY : ASC_OK;
}

void asci_taa_gather_begin(asci_taa_gather *g, uint32_t u, uint32_t v, int64_t grain) {
  g->u = u;
  g->v = v;
  g->grain = grain;
  g->k = 0;
  g->joined_count = g->pending = 0;
  forget_seen(g);
  g->i = g->tiles->begin[u];
  begin_tile(g, g->tiles->begin[v]);
}

asc_status asci_taa_gather_new(const asc_problem *problem, const asci_taa_tiles *tiles, asci_taa_gather *g) {
  g->context = problem->context;
  g->tiles = tiles;
  bool made = make_pending(g, LEAST_PENDING) && make_seen(g, LEAST_SEEN) && find_runs(g, tiles->begin[problem->count]);
  return made ? ASC_OK : ASC_OUT_OF_MEMORY;
}
