#include "solve/taa/tables.h"

#include "base/hash.h"
#include "base/multiple.h"
#include "base/sort.h"
#include "model/neighbours.h"

#define MOST_PERIOD 16u

/* Chunks of one length, evenly spaced. */
typedef struct chunk_run {
  int64_t low, length, stride;
  uint32_t count;
} chunk_run;

/* Ranges of the pair under way: those joined so far, in order, and behind them the ones that came since. */
typedef struct gather {
  asc_context *context;
  const asci_taa_tiles *tiles;
  chunk_run *runs; /* of tile t: runs[begin[t]] .. runs[begin[t + 1] - 1] */
  uint32_t *run_begin;
  int64_t *low, *high, *joined_low, *joined_high, *keys; /* keys: two for each */
  uint32_t *order;
  uint32_t count, room, joined; /* joined: of these, the first so many are in order and apart */
  int64_t grain;
  /* Pairs of runs that were read in for the pair under way: tiles that follow each other are at the same distance again and again. */
  struct seen {
    uint32_t p, q;
    uint64_t turn; /* the pair's; another one: free */
  } * seen;
  uint32_t seen_count, seen_room; /* a power of two */
  uint64_t turn;
} gather;

void asci_taa_tables_free(asc_context *context, asci_taa_tables *tables) {
  asci_free(context, tables->pairs);
  asci_free(context, tables->ranges);
  asci_free(context, tables->row_begin);
  asci_free(context, tables->rows);
  *tables = (asci_taa_tables){0};
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
static uint32_t take_run(const asci_taa_chunk *chunks, uint32_t at, uint32_t end, chunk_run *run) {
  *run = (chunk_run){chunks[at].low, chunks[at].high - chunks[at].low, 0, 1};
  for (at++; at < end; at++, run->count++) {
    int64_t stride = chunks[at].low - chunks[at - 1].low;
    bool even = chunks[at].high - chunks[at].low == run->length && (run->count == 1 || stride == run->stride);
    if (!even) break;
    run->stride = stride;
  }
  return at;
}

/* Returns how many. */
static uint32_t take_runs(const asci_taa_chunk *chunks, uint32_t count, chunk_run *runs) {
  uint32_t period = find_period(chunks, count), taken = 0;
  for (; taken < period; taken++) {
    const asci_taa_chunk *first = &chunks[taken];
    runs[taken] = (chunk_run){first->low, first->high - first->low, chunks[taken + period].low - first->low,
                              (count - taken + period - 1) / period};
  }
  for (uint32_t at = 0; !period && at < count;) at = take_run(chunks, at, count, &runs[taken++]);
  return taken;
}

static bool find_runs(gather *g, uint32_t tiles) {
  uint32_t chunks = tiles ? g->tiles->tiles[tiles - 1].chunks_end : 0, count = 0;
  g->runs = asci_alloc(g->context, chunks, sizeof *g->runs);
  g->run_begin = asci_alloc(g->context, (size_t)tiles + 1, sizeof *g->run_begin);
  if (!g->runs || !g->run_begin) return false;
  for (uint32_t t = 0; t < tiles; t++) {
    const asci_taa_tile *tile = &g->tiles->tiles[t];
    g->run_begin[t] = count;
    count += take_runs(g->tiles->chunks + tile->chunks, tile->chunks_end - tile->chunks, &g->runs[count]);
  }
  g->run_begin[tiles] = count;
  return true;
}

/* ---- ranges ---------------------------------------------------------------------------------------------------------- */

static bool make_room(gather *g, uint32_t room) {
  int64_t **arrays[] = {&g->low, &g->high, &g->joined_low, &g->joined_high};
  for (uint32_t k = 0; k < 4; k++) {
    int64_t *made = asci_alloc(g->context, room, sizeof *made);
    if (!made) return false;
    for (uint32_t i = 0; k < 2 && i < g->count; i++) made[i] = (*arrays[k])[i];
    asci_free(g->context, *arrays[k]);
    *arrays[k] = made;
  }
  asci_free(g->context, g->keys);
  asci_free(g->context, g->order);
  g->keys = asci_alloc(g->context, 2 * (size_t)room, sizeof *g->keys);
  g->order = asci_alloc(g->context, room, sizeof *g->order);
  g->room = room;
  return g->keys && g->order;
}

/* Sorts all ranges and joins those between which no difference is left. */
static void join(gather *g) {
  uint32_t joined = 0;
  for (uint32_t k = 0; k < g->count; k++) g->order[k] = k;
  asci_sort_by(g->order, g->keys, g->count, g->low);
  for (uint32_t k = 0; k < g->count; k++) {
    int64_t low = g->low[g->order[k]], high = g->high[g->order[k]];
    bool apart = !joined || low > g->joined_high[joined - 1] + g->grain;
    if (apart) {
      g->joined_low[joined] = low;
      g->joined_high[joined++] = high;
    } else if (high > g->joined_high[joined - 1])
      g->joined_high[joined - 1] = high;
  }
  int64_t *low = g->low, *high = g->high;
  g->low = g->joined_low;
  g->high = g->joined_high;
  g->joined_low = low;
  g->joined_high = high;
  g->count = g->joined = joined;
}

/* Whether all of it is in a joined range: most of what tiles forbid was forbidden by others before. */
static bool is_known(const gather *g, int64_t low, int64_t high) {
  uint32_t at = asci_count_below(g->high, g->joined, high);
  return at < g->joined && g->low[at] <= low;
}

/* Greatest multiple of the grain that is <= number, which may be negative. */
static int64_t rounded_down(int64_t number, int64_t grain) {
  int64_t rest = number % grain;
  return number - (rest < 0 ? rest + grain : rest);
}

static bool forbid(gather *g, int64_t low, int64_t high) {
  low = rounded_down(low + g->grain - 1, g->grain);
  high = rounded_down(high, g->grain);
  if (low > high || is_known(g, low, high)) return true;
  if (g->count > g->joined) { /* tiles that follow each other often forbid the same */
    int64_t *last_low = &g->low[g->count - 1], *last_high = &g->high[g->count - 1];
    if (low <= *last_high + g->grain && high >= *last_low - g->grain) {
      *last_low = low < *last_low ? low : *last_low;
      *last_high = high > *last_high ? high : *last_high;
      return true;
    }
  }
  if (g->count == g->room) {
    join(g);
    if (g->count > g->room / 4 && !make_room(g, 2 * g->room)) return false;
  }
  g->low[g->count] = low;
  g->high[g->count++] = high;
  return true;
}

/* Runs of one stride, or of which one is a single chunk: the differences at which chunks begin together are evenly spaced too. */
static bool forbid_even(gather *g, const chunk_run *p, const chunk_run *q) {
  int64_t stride = p->count > 1 ? p->stride : q->stride, base = p->low - q->low;
  int64_t first = 1 - (int64_t)q->count, last = (int64_t)p->count - 1;
  if (stride <= p->length + q->length - 1) /* they leave nothing between them */
    return forbid(g, base + first * stride - q->length + 1, base + last * stride + p->length - 1);
  for (int64_t k = first; k <= last; k++)
    if (!forbid(g, base + k * stride - q->length + 1, base + k * stride + p->length - 1)) return false;
  return true;
}

/* p of the pair's u, q of its v. */
static bool forbid_runs(gather *g, const chunk_run *p, const chunk_run *q) {
  if (p->count == 1 || q->count == 1 || p->stride == q->stride) return forbid_even(g, p, q);
  const chunk_run *shorter = p->count < q->count ? p : q;
  for (uint32_t k = 0; k < shorter->count; k++) {
    chunk_run one = {shorter->low + k * shorter->stride, shorter->length, 0, 1};
    if (!forbid_even(g, shorter == p ? &one : p, shorter == p ? q : &one)) return false;
  }
  return true;
}

static bool is_like(const chunk_run *a, const chunk_run *b) {
  return a->length == b->length && a->stride == b->stride && a->count == b->count;
}

/* Where the pair of runs is, or would be. */
static struct seen *find_seen(const gather *g, uint32_t p, uint32_t q) {
  const chunk_run *a = &g->runs[p], *b = &g->runs[q];
  uint64_t hash =
      asci_fold(asci_fold((uint64_t)(a->low - b->low), (uint64_t)a->length * a->count), (uint64_t)b->length * b->count);
  uint32_t at = (uint32_t)(hash >> 32) & (g->seen_room - 1);
  for (;; at = (at + 1) & (g->seen_room - 1)) {
    struct seen *s = &g->seen[at];
    if (s->turn != g->turn) return s;
    const chunk_run *c = &g->runs[s->p], *d = &g->runs[s->q];
    if (c->low - d->low == a->low - b->low && is_like(a, c) && is_like(b, d)) return s;
  }
}

static bool make_seen(gather *g, uint32_t room) {
  struct seen *old = g->seen;
  uint32_t old_room = g->seen_room;
  g->seen = asci_calloc(g->context, room, sizeof *g->seen);
  g->seen_room = g->seen ? room : 0;
  for (uint32_t k = 0; g->seen && k < old_room; k++)
    if (old[k].turn == g->turn) *find_seen(g, old[k].p, old[k].q) = old[k];
  asci_free(g->context, old);
  return g->seen != NULL;
}

/* A pair of runs that is like one before forbids what that did. */
static bool forbid_new(gather *g, uint32_t p, uint32_t q) {
  struct seen *seen = find_seen(g, p, q);
  if (seen->turn == g->turn) return true;
  *seen = (struct seen){p, q, g->turn};
  if (++g->seen_count > g->seen_room / 2 && !make_seen(g, 2 * g->seen_room)) return false;
  return forbid_runs(g, &g->runs[p], &g->runs[q]);
}

static bool forbid_tiles(gather *g, uint32_t i, uint32_t j) {
  for (uint32_t p = g->run_begin[i]; p < g->run_begin[i + 1]; p++)
    for (uint32_t q = g->run_begin[j]; q < g->run_begin[j + 1]; q++) {
      bool few = g->runs[p].count + g->runs[q].count < 4;
      if (!(few ? forbid_runs(g, &g->runs[p], &g->runs[q]) : forbid_new(g, p, q))) return false;
    }
  return true;
}

/* All ranges of two buffers. */
static bool gather_pair(gather *g, uint32_t u, uint32_t v) {
  const asci_taa_tiles *t = g->tiles;
  g->count = g->joined = g->seen_count = 0;
  g->turn++;
  for (uint32_t i = t->begin[u]; i < t->begin[u + 1]; i++)
    for (uint32_t j = t->begin[v]; j < t->begin[v + 1] && t->tiles[j].first < t->tiles[i].end; j++)
      if (asci_taa_together(&t->tiles[i], &t->tiles[j]) && !forbid_tiles(g, i, j)) return false;
  join(g);
  return true;
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

static bool keep_pair(gather *g, asci_taa_tables *tables, uint32_t u, uint32_t v) {
  if (!g->count) return true;
  size_t begin = tables->range_count, end = begin + g->count;
  if (!asci_grow(g->context, &tables->pairs, &tables->pair_room, (size_t)tables->pair_count + 1, sizeof *tables->pairs) ||
      !asci_grow(g->context, &tables->ranges, &tables->range_room, end, sizeof *tables->ranges))
    return false;
  for (uint32_t k = 0; k < g->count; k++) tables->ranges[begin + k] = (asci_taa_range){g->low[k], g->high[k]};
  tables->pairs[tables->pair_count++] = (asci_taa_pair){u, v, g->grain, begin, end};
  tables->range_count = end;
  return true;
}

static bool gather_all(gather *g, const asc_problem *problem, const asci_neighbours *neighbours, asci_taa_tables *tables) {
  for (uint32_t u = 0; u < problem->count; u++) {
    uint32_t count = 0;
    if (g->tiles->begin[u] == g->tiles->begin[u + 1]) continue;
    const uint32_t *others = asci_neighbours_of(neighbours, u, &count);
    for (uint32_t k = 0; k < count; k++) {
      if (others[k] < u) continue;
      g->grain = asci_common_divisor(problem->buffers[u].alignment, problem->buffers[others[k]].alignment);
      if (!gather_pair(g, u, others[k]) || !keep_pair(g, tables, u, others[k])) return false;
    }
  }
  return true;
}

/* Pairs are in order of u, then v, so that each row is in order too. */
static bool make_rows(const asc_problem *problem, asci_taa_tables *tables) {
  uint32_t n = problem->count;
  tables->row_begin = asci_calloc(problem->context, (size_t)n + 2, sizeof *tables->row_begin);
  tables->rows = asci_alloc(problem->context, 2 * (size_t)tables->pair_count, sizeof *tables->rows);
  if (!tables->row_begin || !tables->rows) return false;
  size_t *next = tables->row_begin + 1; /* becomes the begin of the next row as the row is filled */
  for (uint32_t k = 0; k < tables->pair_count; k++) {
    if (tables->pairs[k].u + 1 < n) next[tables->pairs[k].u + 1]++;
    if (tables->pairs[k].v + 1 < n) next[tables->pairs[k].v + 1]++;
  }
  for (uint32_t b = 1; b < n; b++) next[b] += next[b - 1];
  for (uint32_t way = 0; way < 2; way++)
    for (uint32_t k = 0; k < tables->pair_count; k++) {
      const asci_taa_pair *pair = &tables->pairs[k];
      uint32_t mine = way ? pair->u : pair->v, other = way ? pair->v : pair->u;
      tables->rows[next[mine]++] = (asci_taa_meeting){other, k};
    }
  return true;
}

asc_status asci_taa_tables_new(const asc_problem *problem, const asci_taa_tiles *tiles, asci_taa_tables *tables) {
  enum { ROOM = 1024 };
  gather g = {.context = problem->context, .tiles = tiles};
  asci_neighbours neighbours;
  asc_status status = asci_neighbours_new(problem, &neighbours);
  if (status) return status;
  bool made = neighbours.pairs <= ASCI_MAX_PAIRS && make_room(&g, ROOM) && make_seen(&g, ROOM);
  made = made && find_runs(&g, tiles->begin[problem->count]);
  made = made && gather_all(&g, problem, &neighbours, tables) && make_rows(problem, tables);
  asci_neighbours_free(&neighbours);
  void *const blocks[] = {g.seen, g.runs, g.run_begin, g.low, g.high, g.joined_low, g.joined_high, g.keys, g.order};
  for (uint32_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(problem->context, blocks[k]);
  return made ? ASC_OK : ASC_OUT_OF_MEMORY;
}
