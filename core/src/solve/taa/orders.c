#include "solve/taa/orders.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "model/bank.h"

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_taa_orders, order, 0, ASCI_ZEROS),
    ASCI_ARRAY(asci_taa_orders, turn, 0, ASCI_ZEROS),
    ASCI_ARRAY(asci_taa_orders, offsets, 0, ASCI_ONES),
    ASCI_ARRAY(asci_taa_orders, peers, 0, ASCI_RAW),
    ASCI_ARRAY(asci_taa_orders, turns, 0, ASCI_RAW),
    ASCI_ARRAY(asci_taa_orders, scratch, 1, ASCI_RAW),
    ASCI_OWN(asci_taa_orders, pairs),
};

void asci_taa_orders_free(asc_run *run, asci_taa_orders *t) {
  asci_neighbours_free(&t->neighbours);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), t);
}

static bool takes_all(const asci_taa_orders *t) {
  return t->only == ASCI_TAA_ORDERS;
}

static asci_taa_order order_now(const asci_taa_orders *t) {
  return (asci_taa_order)(takes_all(t) ? t->round : t->only);
}

static asc_status sort_tensors(asc_run *run, asci_taa_orders *t) {
  asc_status status = asci_taa_sort(run->problem, order_now(t), t->order);
  for (uint32_t k = 0; k < run->problem->count; k++) t->turn[t->order[k]] = k;
  return status;
}

asc_status asci_taa_orders_new(asc_run *run, uint32_t choice, bool printed, const asci_taa_tiles *tiles,
                               const asci_taa_tables *tables, asci_taa_orders *t) {
  const size_t counts[] = {run->problem->count, 2 * (size_t)run->problem->count};
  t->tiles = tiles;
  t->tables = printed ? NULL : tables;
  t->only = choice ? choice - 1 : ASCI_TAA_ORDERS;
  t->printed = printed;
  t->best = ASC_NONE;
  t->at = ASC_UNPLACED;
  t->support = ASC_NONE;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, t)) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_neighbours_new(run->problem, &t->neighbours);
  return status ? status : sort_tensors(run, t);
}

/* ---- looking for a place --------------------------------------------------------------------------------------------- */

/* The placed tensors alive with the next one, in the order in which they were placed. */
static uint32_t find_peers(asci_taa_orders *t, uint32_t buffer) {
  uint32_t alive = 0, count = 0;
  if (t->tiles->begin[buffer] == t->tiles->begin[buffer + 1]) return 0;
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
static bool collect(asc_run *run, asci_taa_orders *t) {
  const asci_taa_tiles *tiles = t->tiles;
  uint32_t buffer = t->order[t->placed], peers = find_peers(t, buffer);
  t->pair_count = 0;
  for (uint32_t i = tiles->begin[buffer]; i < tiles->begin[buffer + 1]; i++) {
    const asci_taa_tile *mine = &tiles->tiles[i];
    for (uint32_t k = 0; k < peers; k++) {
      uint32_t other = t->peers[k];
      for (uint32_t j = tiles->begin[other]; j < tiles->begin[other + 1] && tiles->tiles[j].first < mine->end; j++) {
        if (!asci_taa_together(mine, &tiles->tiles[j])) continue;
        if (!asci_grow(run->context, &t->pairs, &t->pair_room, t->pair_count + 1, sizeof *t->pairs)) return false;
        t->pairs[t->pair_count++] = (asci_taa_tile_pair){i, j, other};
      }
    }
  }
  t->collected = true;
  return true;
}

/* What the tensor collides with at its address, and where it is past that. */
typedef struct collision {
  uint32_t buffer;
  int64_t next;
  asci_taa_clash where;
} collision;

/* By a walk over tiles and chunks. */
static bool walk_to_collision(const asci_taa_orders *t, int64_t at, collision *found) {
  for (size_t k = 0; k < t->pair_count; k++) {
    const asci_taa_tile_pair *pair = &t->pairs[k];
    const asci_taa_tile *mine = &t->tiles->tiles[pair->mine], *other = &t->tiles->tiles[pair->other];
    int64_t base = t->offsets[pair->buffer], size;
    asci_taa_clash where;
    if (t->printed)
      size = asci_taa_meet(t->tiles, mine, at, other, base, true, &where);
    else
      size = asci_taa_meet(t->tiles, other, base, mine, at, false, &where);
    if (!size) continue;
    *found = (collision){pair->buffer, at + size, where};
    return true;
  }
  return false;
}

/* By the tables, which know where it is past all chunks of the other that it would meet one after the other. */
static bool look_up_collision(const asc_run *run, const asci_taa_orders *t, int64_t at, collision *found) {
  const asci_taa_tables *tables = t->tables;
  uint32_t buffer = t->order[t->placed];
  for (size_t k = tables->row_begin[buffer]; k < tables->row_begin[buffer + 1]; k++) {
    uint32_t other = tables->rows[k].other;
    if (t->turn[other] >= t->placed) continue;
    int64_t next = asci_taa_past(tables, &tables->rows[k], buffer, at, t->offsets[other]);
    if (next < 0) continue;
    *found = (collision){.buffer = other, .next = next};
    if (asci_traced(run)) found->where = asci_taa_find_clash(t->tiles, other, t->offsets[other], buffer, at);
    return true;
  }
  return false;
}

static bool find_collision(const asc_run *run, const asci_taa_orders *t, int64_t at, collision *found) {
  return t->tables ? look_up_collision(run, t, at, found) : walk_to_collision(t, at, found);
}

static int64_t suited(const asc_run *run, const asci_taa_orders *t, int64_t from) {
  return asci_taa_suited(run->problem, t->order[t->placed], from);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

/* Whether there is a plan, of an order before, and what it is then. */
static asc_outcome outcome_of_best(const asc_run *run) {
  if (run->stats.height < 0) return ASC_OUTCOME_EXHAUSTED;
  return run->stats.height <= run->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_OVER_CAPACITY;
}

static asc_outcome refuse(asc_run *run, const asci_taa_orders *t, int64_t at) {
  uint32_t buffer = t->order[t->placed];
  asci_step_reject(run, ASC_RULE_CAPACITY, buffer, ASC_MAX_BYTES, t->placed);
  ASC_EMIT(run, REJECT, ASCI_TAA_LINE_SHIFT, .buffer = buffer, .offset = ASC_MAX_BYTES, .rule = ASC_RULE_CAPACITY,
           .section = ASC_NONE, .floor = at < ASC_MAX_BYTES ? at : ASC_MAX_BYTES,
           .rest = run->problem->buffers[buffer].size);
  return outcome_of_best(run);
}

static void shift(asc_run *run, asci_taa_orders *t, const collision *found) {
  uint32_t buffer = t->order[t->placed];
  int64_t from = t->at;
  t->at = suited(run, t, found->next);
  t->support = found->buffer;
  asci_step_other(run, ASC_EVENT_COLLIDE, buffer, from, t->placed);
  ASC_EMIT(run, COLLIDE, ASCI_TAA_LINE_COLLIDE, .buffer = buffer, .offset = from, .other = found->buffer,
           .section = found->where.section, .address = found->where.address,
           .next = t->at < ASC_MAX_BYTES ? t->at : ASC_MAX_BYTES);
}

static void put(asci_taa_orders *t, int64_t offset) {
  t->offsets[t->order[t->placed++]] = offset;
  t->at = ASC_UNPLACED;
  t->support = ASC_NONE;
  t->collected = false;
}

static int64_t height_of(const asc_run *run, const asci_taa_orders *t) {
  int64_t height = 0;
  for (uint32_t b = 0; b < run->problem->count; b++) {
    int64_t top = t->offsets[b] + run->problem->buffers[b].size;
    height = top > height ? top : height;
  }
  return height;
}

static asc_outcome outcome_of(const asc_run *run, const asci_taa_orders *t) {
  const asc_run_stats *stats = &run->stats;
  bool minimise = asci_minimises(run), fits = stats->height <= run->capacity, least = stats->height <= stats->lower_bound;
  if (least && minimise) return ASC_OUTCOME_OPTIMAL;
  bool enough = least || (fits && !minimise);
  if (!enough && takes_all(t) && t->round + 1 < ASCI_TAA_ORDERS) return ASC_OUTCOME_RUNNING;
  return outcome_of_best(run);
}

/* The plan of an order is handed in if it is the best so far. */
static asc_outcome finish_order(asc_run *run, asci_taa_orders *t) {
  int64_t height = height_of(run, t);
  if (run->stats.height < 0 || height < run->stats.height) {
    t->best = order_now(t);
    for (uint32_t b = 0; b < run->problem->count; b++) run->best[b] = t->offsets[b];
    ASC_EMIT(run, INCUMBENT, ASCI_TAA_LINE_DONE, .height = height);
    if (asci_incumbent(run)) return ASC_OUTCOME_OUT_OF_MEMORY;
  }
  return outcome_of(run, t);
}

static asc_outcome place(asc_run *run, asci_taa_orders *t) {
  uint32_t buffer = t->order[t->placed], support = t->support;
  int64_t offset = t->at;
  put(t, offset);
  run->stats.nodes++;
  asci_step_place(run, buffer, offset, t->placed);
  ASC_EMIT(run, PLACE, ASCI_TAA_LINE_PLACE, .buffer = buffer, .offset = offset, .support = support, .of = 1);
  return t->placed < run->problem->count ? ASC_OUTCOME_RUNNING : finish_order(run, t);
}

static asc_status begin_order(asc_run *run, asci_taa_orders *t) {
  t->round++;
  t->placed = 0;
  for (uint32_t b = 0; b < run->problem->count; b++) t->offsets[b] = ASC_UNPLACED;
  return sort_tensors(run, t);
}

static asc_outcome next_order(asc_run *run, asci_taa_orders *t) {
  if (begin_order(run, t)) return ASC_OUTCOME_OUT_OF_MEMORY;
  asci_step_other(run, ASC_EVENT_RESTART, t->round, 0, 0);
  asci_mark(run, ASC_MARK_RESTART, (int64_t)t->round);
  ASC_EMIT(run, RESTART, ASCI_TAA_LINE_ORDER, .round = t->round + 1, .arm = t->round, .limit = 0);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome step(asc_run *run, asci_taa_orders *t) {
  collision found;
  if (t->placed == run->problem->count) return next_order(run, t);
  if (!t->tables && !t->collected && !collect(run, t)) return ASC_OUTCOME_OUT_OF_MEMORY;
  if (t->at == ASC_UNPLACED) t->at = suited(run, t, 0);
  if (t->at > ASC_MAX_BYTES - run->problem->buffers[t->order[t->placed]].size) return refuse(run, t, t->at);
  if (!find_collision(run, t, t->at, &found)) return place(run, t);
  shift(run, t, &found);
  return ASC_OUTCOME_RUNNING;
}

asc_outcome asci_taa_orders_advance(asc_run *run, asci_taa_orders *t) {
  asc_outcome outcome = run->problem->count ? ASC_OUTCOME_RUNNING : finish_order(run, t);
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) outcome = step(run, t);
  return outcome;
}

/* ---- keeping it ------------------------------------------------------------------------------------------------------ */

static bool is_suited(const asc_run *run, const asci_taa_orders *t, int64_t offset) {
  return offset <= ASC_MAX_BYTES - run->problem->buffers[t->order[t->placed]].size && suited(run, t, offset) == offset;
}

/* A tensor goes where the save says, if it may lie there. */
static asc_status put_back(asc_run *run, asci_taa_orders *t, int64_t offset) {
  collision found;
  if (!is_suited(run, t, offset)) return ASC_BAD_SAVE;
  if (!t->tables && !collect(run, t)) return ASC_OUT_OF_MEMORY;
  if (find_collision(run, t, offset, &found)) return ASC_BAD_SAVE;
  put(t, offset);
  return ASC_OK;
}

/* Which order it is, where the placed tensors are, and how far up the next one has come. */
asc_status asci_taa_orders_keep(asc_run *run, asci_taa_orders *t, asci_saver *saver) {
  uint32_t n = run->problem->count, placed = t->placed, round = t->round, support = t->support;
  int64_t at = t->at;
  ASCI_KEEP(saver, round, takes_all(t) ? ASCI_TAA_ORDERS - 1 : 0);
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
