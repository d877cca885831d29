/* taa: tensors one by one, each at the lowest address at which none of its tiles meets a tile of another one.
 *
 * Rule: from address 0 on, the tiles of the tensor are held against those of the tensors placed before that live at the same time; the first
 * pair of chunks that collides moves the tensor up until the two are past each other, rounded up to what suits its alignment and bank, and all
 * is looked at again. An address that is passed over lies where that pair collides, so the one that is left is the lowest there is.
 * Tiles come in order of time, the placed tensors in the order in which they were placed.
 *
 * Order: one of asci_taa_order, or all of them one after the other, of which the best plan is kept.
 * As printed: Algorithm 1 gives CollisionSize the tile to place as t1, and so gets the way to move the *other* one, which is wider than need be where
 * chunks differ in size or are displaced; line 16 of Algorithm 2 takes chunks that touch for a collision. Plans are valid, but higher.
 *
 * Complexity: per tensor O(its tiles times those alive with it), and that for each shift again.
 * Source: Kvochko et al., "Off-Chip Memory Allocation for Neural Processing Units" (IEEE Access 2024), algorithms 1 and 2. */
#include "base/arrays.h"
#include "base/sort.h"
#include "model/neighbours.h"
#include "solve/solver.h"
#include "solve/taa/tiles.h"

#define TAA_OPTIONS(X, T) \
  X(T, CHOICE, order, "Order", "best", "best|size|lifetime|peers|reverse|forward", \
    "Which tensor comes next: the largest, the one that lives longest, that meets most others, that begins last or first; " \
    "best tries all.") \
  X(T, BOOL, as_printed, "As printed", "false", \
    "Take CollisionSize as the paper prints it: valid plans that go up further than need be.")
ASCI_OPTION_VALUES(taa_options, TAA_OPTIONS);
ASCI_OPTION_TABLE(taa_options, TAA_OPTIONS);

enum { LINE_ORDER = 1, LINE_COLLIDE = 4, LINE_SHIFT = 5, LINE_PLACE = 6, LINE_DONE = 7 };

static const char pseudocode[] = "for T by size | lifetime | peers | …:\n"
                                 "  x = 0\n"
                                 "  for tile of T, placed peer alive with it:\n"
                                 "    if chunks collide at x:\n"
                                 "      x = past that pair; look again\n"
                                 "  place T at x\n"
                                 "keep the lowest plan\n";

/* Two tiles that live at one time: of the tensor to place, and of one that is. */
typedef struct tile_pair {
  uint32_t mine, other, buffer;
} tile_pair;

typedef struct taa {
  bool printed, all; /* all: every order in turn */
  uint32_t round;    /* orders done */
  asci_taa_tiles tiles;
  asci_neighbours neighbours;
  uint32_t *order, *turn; /* buffers; by buffer */
  int64_t *offsets;
  uint32_t placed;

  /* The tensor order[placed]. */
  int64_t at;       /* ASC_UNPLACED: nothing was looked at yet */
  uint32_t support; /* whom it was moved past last */
  bool collected;
  tile_pair *pairs;
  size_t pair_count, pair_room;
  uint32_t *peers;
  int64_t *turns, *scratch;
} taa;

static const asci_array arrays[] = {
    ASCI_ARRAY(taa, order, 0, ASCI_ZEROS),
    ASCI_ARRAY(taa, turn, 0, ASCI_ZEROS),
    ASCI_ARRAY(taa, offsets, 0, ASCI_ONES),
    ASCI_ARRAY(taa, peers, 0, ASCI_RAW),
    ASCI_ARRAY(taa, turns, 0, ASCI_RAW),
    ASCI_ARRAY(taa, scratch, 1, ASCI_RAW),
    ASCI_OWN(taa, pairs),
};

static void destroy(asc_run *run, void *state) {
  taa *t = state;
  asci_taa_tiles_free(run->context, &t->tiles);
  asci_neighbours_free(&t->neighbours);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), t);
  asci_free(run->context, t);
}

static uint32_t order_of(const asc_run *run, const taa *t) {
  const taa_options *o = run->options;
  return t->all ? t->round : o->order - 1;
}

static asc_status sort_tensors(asc_run *run, taa *t) {
  asc_status status = asci_taa_sort(run->problem, (asci_taa_order)order_of(run, t), t->order);
  for (uint32_t k = 0; k < run->problem->count; k++) t->turn[t->order[k]] = k;
  return status;
}

static asc_status fill(asc_run *run, void *state) {
  taa *t = state;
  const taa_options *o = run->options;
  const size_t counts[] = {run->problem->count, 2 * (size_t)run->problem->count};
  t->printed = o->as_printed;
  t->all = o->order == 0;
  t->at = ASC_UNPLACED;
  t->support = ASC_NONE;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, t)) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_taa_tiles_new(run->problem, &t->tiles);
  if (!status) status = asci_neighbours_new(run->problem, &t->neighbours);
  return status ? status : sort_tensors(run, t);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(taa), fill, destroy, state);
}

/* ---- looking for a place --------------------------------------------------------------------------------------------- */

/* The placed tensors alive with the next one, in the order in which they were placed. */
static uint32_t find_peers(taa *t, uint32_t buffer) {
  uint32_t alive = 0, count = 0;
  if (t->tiles.begin[buffer] == t->tiles.begin[buffer + 1]) return 0;
  const uint32_t *others = asci_neighbours_by_start(&t->neighbours, buffer, &alive);
  for (uint32_t k = 0; k < alive; k++) {
    if (t->turn[others[k]] >= t->placed) continue;
    t->turns[count++] = t->turn[others[k]];
  }
  asci_sort_numbers(t->turns, t->scratch, count);
  for (uint32_t k = 0; k < count; k++) t->peers[k] = t->order[t->turns[k]];
  return count;
}

/* All pairs of tiles that may collide. False: no memory. */
static bool collect(asc_run *run, taa *t) {
  uint32_t buffer = t->order[t->placed], peers = find_peers(t, buffer);
  t->pair_count = 0;
  for (uint32_t i = t->tiles.begin[buffer]; i < t->tiles.begin[buffer + 1]; i++) {
    const asci_taa_tile *mine = &t->tiles.tiles[i];
    for (uint32_t k = 0; k < peers; k++) {
      uint32_t other = t->peers[k];
      for (uint32_t j = t->tiles.begin[other]; j < t->tiles.begin[other + 1] && t->tiles.tiles[j].first < mine->end; j++) {
        if (!asci_taa_together(mine, &t->tiles.tiles[j])) continue;
        if (!asci_grow(run->context, &t->pairs, &t->pair_room, t->pair_count + 1, sizeof *t->pairs)) return false;
        t->pairs[t->pair_count++] = (tile_pair){i, j, other};
      }
    }
  }
  t->collected = true;
  return true;
}

/* The first pair that collides with the tensor at that address, or NULL. */
static const tile_pair *find_collision(const taa *t, int64_t at, asci_taa_collision *found) {
  for (size_t k = 0; k < t->pair_count; k++) {
    const tile_pair *pair = &t->pairs[k];
    const asci_taa_tile *mine = &t->tiles.tiles[pair->mine], *other = &t->tiles.tiles[pair->other];
    int64_t base = t->offsets[pair->buffer];
    *found = t->printed ? asci_taa_collide(&t->tiles, mine, at, other, base, true)
                        : asci_taa_collide(&t->tiles, other, base, mine, at, false);
    if (found->size) return pair;
  }
  return NULL;
}

static int64_t suited(const asc_run *run, const taa *t, int64_t from) {
  const asc_buffer_spec *spec = &run->problem->buffers[t->order[t->placed]];
  int64_t next = from > ASC_MAX_BYTES ? ASCI_BEYOND : asci_next_offset(from, spec->size, spec->alignment, spec->bank);
  return next > ASC_MAX_BYTES ? ASCI_BEYOND : next;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

/* Whether there is a plan, of an order before, and what it is then. */
static asc_outcome outcome_of_best(const asc_run *run) {
  if (run->stats.height < 0) return ASC_OUTCOME_EXHAUSTED;
  return run->stats.height <= run->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
}

static asc_outcome refuse(asc_run *run, const taa *t, int64_t at) {
  uint32_t buffer = t->order[t->placed];
  asci_step_reject(run, ASC_RULE_CAPACITY, buffer, ASC_MAX_BYTES, t->placed);
  ASC_EMIT(run, REJECT, LINE_SHIFT, .buffer = buffer, .offset = ASC_MAX_BYTES, .rule = ASC_RULE_CAPACITY,
           .section = ASC_NONE, .floor = at < ASC_MAX_BYTES ? at : ASC_MAX_BYTES,
           .rest = run->problem->buffers[buffer].size);
  return outcome_of_best(run);
}

static void shift(asc_run *run, taa *t, const tile_pair *pair, const asci_taa_collision *found) {
  uint32_t buffer = t->order[t->placed];
  int64_t from = t->at;
  t->at = suited(run, t, from + found->size);
  t->support = pair->buffer;
  asci_step_other(run, ASC_EVENT_COLLIDE, buffer, from, t->placed);
  if (!asci_traced(run)) return;
  const asci_taa_tile *mine = &t->tiles.tiles[pair->mine], *other = &t->tiles.tiles[pair->other];
  const asci_taa_chunk *chunk = &t->tiles.chunks[t->printed ? found->chunk1 : found->chunk2];
  const asci_taa_chunk *its = &t->tiles.chunks[t->printed ? found->chunk2 : found->chunk1];
  ASC_EMIT(run, COLLIDE, LINE_COLLIDE, .buffer = buffer, .offset = from, .other = pair->buffer,
           .section = mine->first > other->first ? mine->first : other->first,
           .address = from + chunk->low > t->offsets[pair->buffer] + its->low ? from + chunk->low
                                                                              : t->offsets[pair->buffer] + its->low,
           .next = t->at < ASC_MAX_BYTES ? t->at : ASC_MAX_BYTES);
}

static void put(taa *t, int64_t offset) {
  t->offsets[t->order[t->placed++]] = offset;
  t->at = ASC_UNPLACED;
  t->support = ASC_NONE;
  t->collected = false;
}

static int64_t height_of(const asc_run *run, const taa *t) {
  int64_t height = 0;
  for (uint32_t b = 0; b < run->problem->count; b++) {
    int64_t top = t->offsets[b] + run->problem->buffers[b].size;
    height = top > height ? top : height;
  }
  return height;
}

static asc_outcome outcome_of(const asc_run *run, const taa *t) {
  const asc_run_stats *stats = &run->stats;
  bool minimise = asci_minimises(run), fits = stats->height <= run->capacity, least = stats->height <= stats->lower_bound;
  if (least && minimise) return ASC_OUTCOME_OPTIMAL;
  bool enough = least || (fits && !minimise);
  if (!enough && t->all && t->round + 1 < ASCI_TAA_ORDERS) return ASC_OUTCOME_RUNNING;
  return outcome_of_best(run);
}

/* The plan of an order is handed in if it is the best so far. */
static asc_outcome finish_order(asc_run *run, const taa *t) {
  int64_t height = height_of(run, t);
  if (run->stats.height < 0 || height < run->stats.height) {
    for (uint32_t b = 0; b < run->problem->count; b++) run->best[b] = t->offsets[b];
    ASC_EMIT(run, INCUMBENT, LINE_DONE, .height = height);
    if (asci_incumbent(run)) return ASC_OUTCOME_OUT_OF_MEMORY;
  }
  return outcome_of(run, t);
}

static asc_outcome place(asc_run *run, taa *t) {
  uint32_t buffer = t->order[t->placed], support = t->support;
  int64_t offset = t->at;
  put(t, offset);
  run->stats.nodes++;
  asci_step_place(run, buffer, offset, t->placed);
  ASC_EMIT(run, PLACE, LINE_PLACE, .buffer = buffer, .offset = offset, .support = support, .of = 1);
  return t->placed < run->problem->count ? ASC_OUTCOME_RUNNING : finish_order(run, t);
}

static asc_status begin_order(asc_run *run, taa *t) {
  t->round++;
  t->placed = 0;
  for (uint32_t b = 0; b < run->problem->count; b++) t->offsets[b] = ASC_UNPLACED;
  return sort_tensors(run, t);
}

static asc_outcome next_order(asc_run *run, taa *t) {
  if (begin_order(run, t)) return ASC_OUTCOME_OUT_OF_MEMORY;
  asci_step_other(run, ASC_EVENT_RESTART, t->round, 0, 0);
  asci_mark(run, ASC_MARK_RESTART, (int64_t)t->round);
  ASC_EMIT(run, RESTART, LINE_ORDER, .round = t->round + 1, .arm = t->round, .limit = 0);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome step(asc_run *run, taa *t) {
  if (t->placed == run->problem->count) return next_order(run, t);
  if (!t->collected && !collect(run, t)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (t->at == ASC_UNPLACED) t->at = suited(run, t, 0);
  if (t->at > ASC_MAX_BYTES - run->problem->buffers[t->order[t->placed]].size) return refuse(run, t, t->at);
  asci_taa_collision found;
  const tile_pair *pair = find_collision(t, t->at, &found);
  if (!pair) return place(run, t);
  shift(run, t, pair, &found);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome advance(asc_run *run, void *state) {
  taa *t = state;
  asc_outcome outcome = run->problem->count ? ASC_OUTCOME_RUNNING : finish_order(run, t);
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) outcome = step(run, t);
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  taa *t = state;
  view->offsets = t->offsets;
  view->stack = t->order;
}

static bool is_suited(const asc_run *run, const taa *t, int64_t offset) {
  return offset <= ASC_MAX_BYTES - run->problem->buffers[t->order[t->placed]].size && suited(run, t, offset) == offset;
}

/* A tensor goes where the save says, if it may lie there. */
static asc_status put_back(asc_run *run, taa *t, int64_t offset) {
  asci_taa_collision found;
  if (!is_suited(run, t, offset)) return ASC_BAD_SAVE;
  if (!collect(run, t)) return ASC_OUT_OF_MEMORY;
  if (find_collision(t, offset, &found)) return ASC_BAD_SAVE;
  put(t, offset);
  return ASC_OK;
}

/* Which order it is, where the placed tensors are, and how far up the next one has come. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  taa *t = state;
  uint32_t n = run->problem->count, placed = t->placed, round = t->round, support = t->support;
  int64_t at = t->at;
  ASCI_KEEP(saver, round, t->all ? ASCI_TAA_ORDERS - 1 : 0);
  ASCI_KEEP(saver, placed, n);
  ASCI_KEEP_OR_NONE(saver, at, ASCI_BEYOND);
  ASCI_KEEP_OR_NONE(saver, support, n ? n - 1 : 0);
  if (saver->loads && (saver->failed || run->stats.depth != placed || (at != ASC_UNPLACED && placed == n)))
    return ASC_BAD_SAVE;
  t->round = round;
  if (saver->loads && sort_tensors(run, t)) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < placed; k++) {
    int64_t offset = t->offsets[t->order[k]];
    ASCI_KEEP(saver, offset, ASC_MAX_BYTES);
    asc_status status = saver->failed ? asci_unkept(saver) : saver->loads ? put_back(run, t, offset) : ASC_OK;
    if (status) return status;
  }
  if (asci_loaded(saver) && at != ASC_UNPLACED && suited(run, t, at) != at) return ASC_BAD_SAVE;
  t->at = at;
  t->support = support;
  return asci_kept(saver);
}

const asci_solver asci_solver_taa = {
    .info = {.id = "taa",
             .title = "Tile-aware",
             .paper = "Kvochko et al. 2024",
             .summary =
                 "Lays tensors over each other's dead tiles: each goes to the lowest address at which none of its tiles "
                 "meets another one's.",
             .goals = 1u << ASC_GOAL_HEIGHT,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS |
                         ASC_SUPPORTS_SHAPES,
             .complete = false,
             ASCI_TAKES_INFO(taa_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(taa_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
