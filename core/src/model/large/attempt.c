#include "model/large/attempt.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "model/bank.h"

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_large_attempt, order, 0, ASCI_RAW),
    ASCI_ARRAY(asci_large_attempt, rank, 0, ASCI_RAW),
    ASCI_ARRAY(asci_large_attempt, heap, 0, ASCI_RAW),
    ASCI_ARRAY(asci_large_attempt, scales, 0, ASCI_RAW),
    ASCI_OWN(asci_large_attempt, out),
    ASCI_OWN(asci_large_attempt, blockers),
    ASCI_OWN(asci_large_attempt, by_floor),
    ASCI_OWN(asci_large_attempt, by_ceiling),
    ASCI_OWN(asci_large_attempt, scratch),
    ASCI_OWN(asci_large_attempt, bounds),
};

static asc_status fill(asci_large_attempt *a) {
  const asc_problem *problem = a->problem;
  const size_t n = problem->count;
  if (!asci_arrays_new(problem->context, ASCI_TABLE(arrays), &n, a)) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_large_keys_new(problem, &a->keys);
  if (status) return status;
  for (uint32_t b = 0; b < n; b++) {
    uint64_t size = (uint64_t)problem->buffers[b].size;
    a->scales[b] = (asci_large_scale){.size = (uint16_t)asci_log2(&a->powers, size ? size : 1),
                                      .wide = (uint16_t)asci_log2(&a->powers, (uint64_t)a->keys.wide[b] + 1)};
  }
  return asci_fit_tree_new(problem, ASCI_FIT_SWIFT, &a->tree);
}

asc_status asci_large_attempt_new(const asc_problem *problem, asci_large_attempt *attempt) {
  *attempt = (asci_large_attempt){.problem = problem, .sorted_by = ASCI_LARGE_DIVE};
  asci_powers_make(&attempt->powers);
  attempt->log_bound = asci_log2(&attempt->powers, problem->lower_bound > 0 ? (uint64_t)problem->lower_bound : 1);
  return fill(attempt);
}

void asci_large_attempt_free(asci_large_attempt *attempt) {
  if (!attempt->problem) return;
  asci_fit_tree_free(&attempt->tree);
  asci_dive_free(&attempt->dive);
  asci_large_keys_free(attempt->problem, &attempt->keys);
  asci_arrays_free(attempt->problem->context, ASCI_TABLE(arrays), attempt);
  *attempt = (asci_large_attempt){0};
}

void asci_large_put_in_order(asci_large_attempt *a) {
  if (a->config.order != ASCI_LARGE_DIVE && a->sorted_by != a->config.order) {
    asci_large_sort(a->problem, &a->keys, a->config.order, a->order);
    for (uint32_t k = 0; k < a->problem->count; k++) a->rank[a->order[k]] = k;
  }
  a->sorted_by = a->config.order;
}

void asci_large_begin(asci_large_attempt *a, const asci_large_config *config, int64_t target, uint64_t seed) {
  const asc_problem *problem = a->problem;
  a->config = *config;
  a->target = target;
  a->rng = (asci_rng){seed};
  asci_large_put_in_order(a);
  asci_dive_free(&a->dive);
  for (uint32_t b = 0; b < problem->count; b++) a->scales[b].stick = 0;
  asci_fit_tree_clear(&a->tree);
  a->cursor = a->heap_count = a->placed = a->fails = 0;
}

/* ---- those taken out ------------------------------------------------------------------------------------------------- */

static void heap_add(asci_large_attempt *a, uint32_t rank) {
  uint32_t at = a->heap_count++;
  for (; at && a->heap[(at - 1) / 2] > rank; at = (at - 1) / 2) a->heap[at] = a->heap[(at - 1) / 2];
  a->heap[at] = rank;
}

static uint32_t heap_take(asci_large_attempt *a) {
  uint32_t top = a->heap[0], last = a->heap[--a->heap_count], at = 0;
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child >= a->heap_count) break;
    if (child + 1 < a->heap_count && a->heap[child + 1] < a->heap[child]) child++;
    if (a->heap[child] >= last) break;
    a->heap[at] = a->heap[child];
    at = child;
  }
  a->heap[at] = last;
  return top;
}

/* ---- whom a place would cost ------------------------------------------------------------------------------------------ */

static int64_t weight_of(const asci_large_attempt *a, uint32_t b) {
  const asci_large_scale *scale = &a->scales[b];
  int32_t exponent = (a->config.alpha * (scale->size - a->log_bound) + a->config.beta * scale->wide) / 64;
  /* 2^30 is what a buffer as large as the lower bound and of no length weighs */
  return asci_exp2(&a->powers, 30 * ASCI_POWER_STEPS + exponent + scale->stick * a->config.mu);
}

static asci_large_blocker *next_blocker(asci_large_attempt *a) {
  size_t need = a->blocker_count + 1;
  if (need > a->blocker_room && !asci_grow(a->problem->context, &a->blockers, &a->blocker_room, need, sizeof *a->blockers))
    return NULL;
  return &a->blockers[a->blocker_count++];
}

static bool is_fixed(const asc_problem *problem, uint32_t buffer) {
  return problem->has_fixed && problem->buffers[buffer].offset != ASC_UNPLACED;
}

static bool add_piece(asci_large_attempt *a, const asci_piece *mine, const asci_piece *other, uint32_t owner) {
  asci_large_blocker *blocker = next_blocker(a);
  if (!blocker) return false;
  int64_t offset = a->tree.offsets[owner];
  *blocker = (asci_large_blocker){.floor = offset + other->window_upper - mine->window_lower,
                                  .ceiling = offset + other->window_lower - mine->window_upper +
                                             a->problem->buffers[a->buffer].size,
                                  .weight = weight_of(a, owner),
                                  .buffer = owner,
                                  .fixed = is_fixed(a->problem, owner)};
  return true;
}

/* The same where nobody has gaps. Of thousands in the way nobody is in the cache: their pieces need not be looked up. */
static bool add_whole(asci_large_attempt *a, uint32_t owner) {
  const asc_buffer_spec *mine = &a->problem->buffers[a->buffer], *other = &a->problem->buffers[owner];
  if (!mine->size || !other->size || mine->lower >= other->upper || other->lower >= mine->upper) return true;
  asci_large_blocker *blocker = next_blocker(a);
  if (!blocker) return false;
  int64_t offset = a->tree.offsets[owner];
  *blocker = (asci_large_blocker){.floor = offset + other->size,
                                  .ceiling = offset,
                                  .weight = weight_of(a, owner),
                                  .buffer = owner,
                                  .fixed = is_fixed(a->problem, owner)};
  return true;
}

/* Pieces come in order of time. */
static bool add_blockers(asci_large_attempt *a, uint32_t owner) {
  if (!a->problem->has_gaps) return add_whole(a, owner);
  uint32_t mine, others, i = 0, k = 0;
  const asci_piece *p = asci_pieces(a->problem, a->buffer, &mine), *q = asci_pieces(a->problem, owner, &others);
  while (i < mine && k < others) {
    if (p[i].first < q[k].end && q[k].first < p[i].end && !add_piece(a, &p[i], &q[k], owner)) return false;
    if (p[i].end < q[k].end)
      i++;
    else
      k++;
  }
  return true;
}

/* All placed buffers alive together with the buffer. Early in a try they are found sooner among those placed than among those alive. */
static bool find_blockers(asci_large_attempt *a) {
  a->blocker_count = 0;
  if (a->cursor < a->keys.wide[a->buffer]) {
    for (uint32_t k = 0; k < a->cursor; k++)
      if (a->tree.offsets[a->order[k]] != ASC_UNPLACED && !add_blockers(a, a->order[k])) return false;
    return true;
  }
  if (!asci_fit_collect(&a->tree, a->buffer)) return false;
  for (size_t k = 0; k < a->tree.found_count; k++)
    if (!add_blockers(a, a->tree.found[k])) return false;
  return true;
}

/* Those with equal bounds in the order in which they were found. */
static void order_by(asci_large_attempt *a, uint32_t *order, bool ceilings) {
  uint32_t count = (uint32_t)a->blocker_count;
  for (uint32_t k = 0; k < count; k++) {
    order[k] = k;
    a->bounds[k] = ceilings ? a->blockers[k].ceiling : a->blockers[k].floor;
  }
  asci_sort_by(order, a->scratch, count, a->bounds);
}

static bool collect(asci_large_attempt *a) {
  asc_context *context = a->problem->context;
  if (!find_blockers(a)) return false;
  size_t count = a->blocker_count;
  if (!asci_grow(context, &a->by_floor, &a->index_room[0], count, sizeof *a->by_floor) ||
      !asci_grow(context, &a->by_ceiling, &a->index_room[1], count, sizeof *a->by_ceiling) ||
      !asci_grow(context, &a->scratch, &a->index_room[2], 2 * count, sizeof *a->scratch) ||
      !asci_grow(context, &a->bounds, &a->index_room[3], count, sizeof *a->bounds))
    return false;
  order_by(a, a->by_floor, false);
  order_by(a, a->by_ceiling, true);
  return true;
}

#define NOWHERE INT64_MAX

/* Walks up the offsets worth a look, the lowest, the highest, on top of each blocker, below each: the two last in order already. */
typedef struct ascent {
  const asci_large_attempt *a;
  const asc_buffer_spec *spec;
  int64_t most; /* greatest offset */
  uint32_t on_top, below;
  int64_t top, under; /* the offset on top of that blocker, and below that one; NOWHERE behind the last */
  bool began, ended;
  /* blockers that begin below the end of the buffer, and those that end at or below its offset */
  uint32_t entered, left, fixed;
  int64_t cost;
} ascent;

static void find_top(ascent *w) {
  if (w->on_top == w->a->blocker_count) {
    w->top = NOWHERE;
    return;
  }
  int64_t floor = w->a->blockers[w->a->by_floor[w->on_top]].floor;
  w->top = asci_next_offset(floor > 0 ? floor : 0, w->spec->size, w->spec->alignment, w->spec->bank);
}

static void find_under(ascent *w) {
  w->under = -1;
  for (; w->below < w->a->blocker_count; w->below++) {
    int64_t upto = w->a->blockers[w->a->by_ceiling[w->below]].ceiling - w->spec->size;
    w->under = asci_greatest_offset(upto < w->most ? upto : w->most, w->spec->size, w->spec->alignment, w->spec->bank);
    if (w->under >= 0) return;
  }
  w->under = NOWHERE;
}

/* The next offset, or -1 at the end. */
static int64_t ascend(ascent *w) {
  int64_t x;
  if (!w->began) {
    w->began = true;
    find_top(w);
    find_under(w);
    return asci_next_offset(0, w->spec->size, w->spec->alignment, w->spec->bank);
  }
  if (w->top <= w->most || w->under <= w->most) {
    if (w->top <= w->under) {
      x = w->top;
      w->on_top++;
      find_top(w);
    } else {
      x = w->under;
      w->below++;
      find_under(w);
    }
    return x;
  }
  if (w->ended) return -1;
  w->ended = true;
  return asci_greatest_offset(w->most, w->spec->size, w->spec->alignment, w->spec->bank);
}

/* What lies in the way at x: the sum over those entered less those left, for a blocker that is left was entered before. */
static void move_to(ascent *w, int64_t x) {
  const asci_large_attempt *a = w->a;
  for (; w->entered < a->blocker_count; w->entered++) {
    const asci_large_blocker *b = &a->blockers[a->by_ceiling[w->entered]];
    if (b->ceiling >= x + w->spec->size) break;
    w->cost += b->weight;
    w->fixed += b->fixed;
  }
  for (; w->left < a->blocker_count; w->left++) {
    const asci_large_blocker *b = &a->blockers[a->by_floor[w->left]];
    if (b->floor > x) break;
    w->cost -= b->weight;
    w->fixed -= b->fixed;
  }
}

/* The cheapest offset, each cost up to a fifth dearer by chance; -1 if fixed buffers are in the way everywhere. */
static int64_t cheapest(asci_large_attempt *a) {
  const asc_buffer_spec *spec = &a->problem->buffers[a->buffer];
  ascent w = {.a = a, .spec = spec, .most = a->target - spec->size};
  int64_t best = -1, least = INT64_MAX;
  for (int64_t x; (x = ascend(&w)) >= 0;) {
    if (x > w.most) continue;
    move_to(&w, x);
    if (w.fixed) continue;
    int64_t cost = w.cost / 1024 * 1024;
    if (cost >= least) continue; /* chance makes it dearer still */
    cost += w.cost / 1024 * (int64_t)asci_random_below(&a->rng, 205);
    if (cost >= least) continue;
    least = cost;
    best = x;
  }
  return best;
}

/* ---- moves ----------------------------------------------------------------------------------------------------------- */

static bool take_out(asci_large_attempt *a, int64_t offset) {
  int64_t size = a->problem->buffers[a->buffer].size;
  a->out_count = 0;
  for (size_t k = 0; k < a->blocker_count; k++) {
    const asci_large_blocker *b = &a->blockers[k];
    if (b->floor <= offset || b->ceiling >= offset + size || a->tree.offsets[b->buffer] == ASC_UNPLACED) continue;
    if (!asci_grow(a->problem->context, &a->out, &a->out_room, a->out_count + 1, sizeof *a->out)) return false;
    a->out[a->out_count++] = b->buffer;
    asci_fit_remove(&a->tree, b->buffer);
    heap_add(a, a->rank[b->buffer]);
    a->placed--;
  }
  return true;
}

static asci_large_move put(asci_large_attempt *a, int64_t offset, asci_large_move move) {
  a->offset = offset;
  a->placed++;
  return asci_fit_place(&a->tree, a->buffer, offset) ? move : ASCI_LARGE_NO_MEMORY;
}

static asci_large_move abandon(asci_large_attempt *a, asci_large_end end) {
  a->end = end;
  return ASCI_LARGE_ABANDONED;
}

static asci_large_move force(asci_large_attempt *a) {
  if (a->fails == a->config.budget) return abandon(a, ASCI_LARGE_SPENT);
  if (!collect(a)) return ASCI_LARGE_NO_MEMORY;
  int64_t offset = cheapest(a);
  if (offset < 0) return abandon(a, ASCI_LARGE_WALLED);
  a->fails++;
  if (!take_out(a, offset)) return ASCI_LARGE_NO_MEMORY;
  if (a->scales[a->buffer].stick < UINT16_MAX) a->scales[a->buffer].stick++;
  return put(a, offset, ASCI_LARGE_FORCED);
}

/* The order is the one in which the dive places. What it needs is there from its first move to the next try, for most runs make no dive. */
static asci_large_move dive(asci_large_attempt *a) {
  int64_t offset;
  a->out_count = 0;
  a->again = false;
  a->buffer = ASC_NONE;
  if (!a->dive.problem && asci_dive_new(a->problem, a->config.by_chance ? &a->rng : NULL, &a->dive))
    return ASCI_LARGE_NO_MEMORY;
  if (!asci_dive_next(&a->dive, &a->buffer, &offset)) return abandon(a, ASCI_LARGE_ASTRAY);
  if (a->dive.height > a->target) return abandon(a, ASCI_LARGE_TOO_HIGH);
  a->order[a->placed] = a->buffer;
  return put(a, offset, ASCI_LARGE_PLACED);
}

asci_large_move asci_large_next(asci_large_attempt *a) {
  if (a->tree.no_memory) return ASCI_LARGE_NO_MEMORY; /* someone asked it between moves */
  if (a->placed == a->problem->count) return ASCI_LARGE_DONE;
  if (a->config.order == ASCI_LARGE_DIVE) return dive(a);
  /* whoever was taken out comes before all that were not in yet */
  a->again = a->heap_count > 0;
  uint32_t rank = a->again ? heap_take(a) : a->cursor++;
  a->buffer = a->order[rank];
  a->out_count = 0;
  const asc_buffer_spec *spec = &a->problem->buffers[a->buffer];
  bool fixed = spec->offset != ASC_UNPLACED;
  int64_t most = fixed ? spec->offset + spec->size : a->target;
  int64_t offset = asci_fit_lowest(&a->tree, a->buffer, fixed ? spec->offset : 0, most);
  if (a->tree.no_memory) return ASCI_LARGE_NO_MEMORY;
  if (fixed && (offset != spec->offset || most > a->target)) return ASCI_LARGE_CLASH;
  return offset == ASC_UNPLACED ? force(a) : put(a, offset, ASCI_LARGE_PLACED);
}
