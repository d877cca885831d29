#include "solve/taa/branch.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "solve/taa/orders.h"

enum { PER_BUFFER, PER_PAIR };

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_taa_branch, offsets, PER_BUFFER, ASCI_ONES),
    ASCI_ARRAY(asci_taa_branch, members, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(asci_taa_branch, first, PER_BUFFER, ASCI_ONES),
    ASCI_ARRAY(asci_taa_branch, queue, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(asci_taa_branch, raised_in, PER_BUFFER, ASCI_ONES),
    ASCI_ARRAY(asci_taa_branch, raised_by, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(asci_taa_branch, waits, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(asci_taa_branch, pairs, PER_PAIR, ASCI_RAW),
    ASCI_OWN(asci_taa_branch, lifts),
    ASCI_OWN(asci_taa_branch, changes),
};

asc_status asci_taa_branch_new(const asc_problem *problem, const asci_taa_tables *tables, asci_taa_branch *b) {
  const size_t counts[] = {problem->count, tables->pair_count};
  b->problem = problem;
  b->tables = tables;
  b->stage = ASCI_TAA_DONE;
  return asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, b) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_taa_branch_free(asci_taa_branch *b) {
  if (b->problem) asci_arrays_free(b->problem->context, ASCI_TABLE(arrays), b);
}

/* ---- the node -------------------------------------------------------------------------------------------------------- */

/* By number: of so few as a window has, insertion is quick, and all come in order where all are members. */
static void take_members(asci_taa_branch *b, const uint32_t *order, uint32_t count) {
  for (uint32_t k = 0; k < b->count; k++) b->offsets[b->members[k]] = ASC_UNPLACED;
  for (uint32_t k = 0; k < count; k++) b->offsets[order[k]] = 0;
  b->count = 0;
  if (count == b->problem->count)
    for (uint32_t k = 0; k < count; k++) b->members[b->count++] = k;
  else
    for (uint32_t k = 0; k < count; k++) {
      uint32_t at = b->count++;
      for (; at && b->members[at - 1] > order[k]; at--) b->members[at] = b->members[at - 1];
      b->members[at] = order[k];
    }
}

void asci_taa_branch_begin(asci_taa_branch *b, const uint32_t *order, uint32_t count, int64_t limit) {
  const asci_taa_tables *t = b->tables;
  take_members(b, order, count);
  b->pair_count = b->depth = 0;
  b->change_count = 0;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t u = b->members[k];
    b->first[u] = b->raised_in[u] = ASC_NONE;
    for (size_t r = t->row_begin[u]; r < t->row_begin[u + 1]; r++)
      if (t->rows[r].other > u && b->offsets[t->rows[r].other] >= 0) b->pairs[b->pair_count++] = t->rows[r].pair;
  }
  b->limit = limit;
  b->stage = ASCI_TAA_LOOK;
  b->chosen = false;
}

static int64_t top_at(const asci_taa_branch *b, uint32_t buffer, int64_t offset) {
  return offset + b->problem->buffers[buffer].size;
}

int64_t asci_taa_branch_height(const asci_taa_branch *b) {
  int64_t height = 0;
  for (uint32_t k = 0; k < b->count; k++) {
    int64_t top = top_at(b, b->members[k], b->offsets[b->members[k]]);
    height = top > height ? top : height;
  }
  return height;
}

/* By how much a buffer rises that goes to `from` or above, or -1 if it would not stay below the limit. */
static int64_t rise(const asci_taa_branch *b, uint32_t buffer, int64_t from) {
  int64_t offset = asci_taa_suited(b->problem, buffer, from);
  return top_at(b, buffer, offset) < b->limit ? offset - b->offsets[buffer] : -1;
}

const asci_taa_choice *asci_taa_branch_look(asci_taa_branch *b) {
  if (b->chosen) return &b->choice;
  asci_taa_choice best = {.sight = asci_taa_branch_height(b) < b->limit ? ASCI_TAA_PLAN : ASCI_TAA_DEAD};
  int64_t most = -1;
  bool forced = false;
  for (uint32_t k = 0; k < b->pair_count && best.sight != ASCI_TAA_DEAD; k++) {
    const asci_taa_pair *pair = &b->tables->pairs[b->pairs[k]];
    int64_t low = b->offsets[pair->u], high = b->offsets[pair->v];
    const asci_taa_range *hit = asci_taa_hit(b->tables, pair, high - low);
    if (!hit) continue;
    int64_t up = rise(b, pair->v, low + hit->high + pair->grain), down = rise(b, pair->u, high - hit->low + pair->grain);
    bool one_way = up < 0 || down < 0;
    int64_t least = up < 0 || (down >= 0 && down < up) ? down : up;
    if (least < 0) best.sight = ASCI_TAA_DEAD;
    if (least < 0 || (forced && !one_way) || (forced == one_way && least <= most)) continue;
    best = (asci_taa_choice){ASCI_TAA_PAIR, b->pairs[k], (size_t)(hit - b->tables->ranges), least == down && least != up};
    most = least;
    forced = one_way;
  }
  b->choice = best;
  b->chosen = true;
  return &b->choice;
}

/* ---- constraints ----------------------------------------------------------------------------------------------------- */

static uint32_t buffer_raised_by(const asci_taa_branch *b, uint32_t buffer) {
  return b->lifts[b->raised_by[buffer]].s;
}

/* The source of the newest constraint has risen because of it. If the constraints by which it did add up to more than 0 all around, nothing meets
 * them: it would rise for ever. If not, what raised it is that offsets must suit alignments and banks, which has an end. */
static bool rises_for_ever(const asci_taa_branch *b, uint32_t from) {
  uint32_t at = from;
  for (uint32_t k = 0; k <= b->count; k++) at = buffer_raised_by(b, at); /* to one on the cycle, of those that rose now */
  int64_t sum = 0;
  uint32_t end = at;
  do {
    sum += b->lifts[b->raised_by[at]].by;
    at = buffer_raised_by(b, at);
  } while (at != end);
  return sum > 0;
}

/* One constraint. False: its target cannot lie below the limit. */
static bool raise(asci_taa_branch *b, uint32_t newest, uint32_t by) {
  const asci_taa_lift *lift = &b->lifts[by];
  int64_t from = b->offsets[lift->s] + lift->by;
  if (from <= b->offsets[lift->t]) return true;
  int64_t offset = asci_taa_suited(b->problem, lift->t, from);
  b->failed = lift->t;
  b->failed_at = offset;
  if (top_at(b, lift->t, offset) >= b->limit) return false;
  if (b->raised_in[lift->t] != newest)
    b->changes[b->change_count++] = (struct asci_taa_change){lift->t, b->offsets[lift->t]};
  b->offsets[lift->t] = offset;
  b->raised_in[lift->t] = newest;
  b->raised_by[lift->t] = by;
  return lift->t != b->lifts[newest].s || !rises_for_ever(b, lift->t);
}

/* First in, first out; everybody waits once at most. */
static bool pass_on(asci_taa_branch *b, uint32_t newest) {
  uint32_t head = 0, waiting = 0;
  bool stands = raise(b, newest, newest);
  if (stands && b->raised_in[b->lifts[newest].t] == newest) b->queue[waiting++] = b->lifts[newest].t;
  while (waiting) {
    uint32_t buffer = b->queue[head];
    head = head + 1 < b->count ? head + 1 : 0;
    waiting--;
    b->waits[buffer] = false;
    for (uint32_t by = b->first[buffer]; stands && by != ASC_NONE; by = b->lifts[by].next) {
      uint32_t target = b->lifts[by].t;
      int64_t before = b->offsets[target];
      stands = raise(b, newest, by);
      if (!stands || b->offsets[target] == before || b->waits[target]) continue;
      uint32_t tail = head + waiting++;
      b->queue[tail < b->count ? tail : tail - b->count] = target;
      b->waits[target] = true;
    }
  }
  return stands;
}

static void undo(asci_taa_branch *b, const asci_taa_lift *lift) {
  while (b->change_count > lift->changes) {
    struct asci_taa_change change = b->changes[--b->change_count];
    b->offsets[change.buffer] = change.offset;
    b->raised_in[change.buffer] = ASC_NONE;
  }
  b->first[lift->s] = lift->next;
}

/* The last decision becomes a constraint, if it may stand. */
static asci_taa_ending apply(asci_taa_branch *b) {
  uint32_t newest = b->depth - 1;
  asci_taa_lift *lift = &b->lifts[newest];
  const asci_taa_pair *pair = &b->tables->pairs[lift->pair];
  const asci_taa_range *range = &b->tables->ranges[lift->range];
  if (!asci_grow(b->problem->context, &b->changes, &b->change_room, b->change_count + b->count, sizeof *b->changes))
    return ASCI_TAA_NO_MEMORY;
  lift->s = lift->down ? pair->v : pair->u;
  lift->t = lift->down ? pair->u : pair->v;
  lift->by = lift->down ? pair->grain - range->low : range->high + pair->grain;
  lift->changes = b->change_count;
  lift->next = b->first[lift->s];
  b->first[lift->s] = newest;
  b->chosen = false;
  if (pass_on(b, newest)) {
    b->stage = ASCI_TAA_LOOK;
    return ASCI_TAA_STANDS;
  }
  undo(b, lift);
  b->stage = lift->second ? ASCI_TAA_BACK : ASCI_TAA_SECOND;
  return ASCI_TAA_FAILS;
}

static void turn(asci_taa_lift *lift) {
  lift->down = !lift->down;
  lift->second = true;
}

asci_taa_ending asci_taa_branch_open(asci_taa_branch *b, const asci_taa_choice *choice) {
  if (b->depth == ASC_NONE - 1 ||
      !asci_grow(b->problem->context, &b->lifts, &b->lift_room, (size_t)b->depth + 1, sizeof *b->lifts))
    return ASCI_TAA_NO_MEMORY;
  b->lifts[b->depth++] = (asci_taa_lift){.pair = choice->pair, .range = choice->range, .down = choice->down};
  return apply(b);
}

asci_taa_ending asci_taa_branch_turn(asci_taa_branch *b) {
  turn(&b->lifts[b->depth - 1]);
  return apply(b);
}

static bool does_not_stand(asci_taa_stage stage) {
  return stage == ASCI_TAA_SECOND || stage == ASCI_TAA_BACK;
}

void asci_taa_branch_back(asci_taa_branch *b) {
  b->chosen = false;
  if (b->stage == ASCI_TAA_BACK) b->depth--;
  for (; b->depth; b->depth--) {
    asci_taa_lift *lift = &b->lifts[b->depth - 1];
    undo(b, lift);
    if (lift->second) continue;
    b->stage = ASCI_TAA_SECOND;
    return;
  }
  b->stage = ASCI_TAA_DONE;
}

void asci_taa_branch_end(asci_taa_branch *b) {
  if (does_not_stand(b->stage)) b->depth--;
  b->stage = ASCI_TAA_DONE;
}

/* ---- keeping it ------------------------------------------------------------------------------------------------------ */

static bool is_inside(const asci_taa_branch *b, uint32_t pair) {
  if (pair >= b->tables->pair_count) return false;
  return b->offsets[b->tables->pairs[pair].u] >= 0 && b->offsets[b->tables->pairs[pair].v] >= 0;
}

/* A decision that was saved is taken again. */
static asc_status take_again(asci_taa_branch *b, const asci_taa_lift *saved, bool stands) {
  if (!is_inside(b, saved->pair)) return ASC_BAD_SAVE;
  const asci_taa_pair *pair = &b->tables->pairs[saved->pair];
  if (saved->range < pair->begin || saved->range >= pair->end) return ASC_BAD_SAVE;
  if (!asci_grow(b->problem->context, &b->lifts, &b->lift_room, (size_t)b->depth + 1, sizeof *b->lifts))
    return ASC_OUT_OF_MEMORY;
  b->lifts[b->depth++] = *saved;
  if (!stands) return ASC_OK;
  asci_taa_ending ending = apply(b);
  return ending == ASCI_TAA_STANDS ? ASC_OK : ending == ASCI_TAA_FAILS ? ASC_BAD_SAVE : ASC_OUT_OF_MEMORY;
}

asc_status asci_taa_branch_keep(asci_taa_branch *b, int64_t most, asci_saver *saver) {
  uint32_t depth = b->depth;
  int64_t limit = b->limit;
  asci_taa_stage stage = b->stage;
  ASCI_KEEP(saver, depth, ASC_NONE - 1);
  ASCI_KEEP(saver, limit, (uint64_t)most);
  ASCI_KEEP(saver, stage, ASCI_TAA_DONE);
  if (saver->failed || (does_not_stand(stage) && !depth)) return asci_unkept(saver);
  b->limit = most; /* it was no lower when the decisions were taken */
  for (uint32_t k = 0; k < depth; k++) {
    asci_taa_lift lift = {0};
    if (!saver->loads) lift = b->lifts[k];
    ASCI_KEEP(saver, lift.pair, b->tables->pair_count);
    ASCI_KEEP(saver, lift.range, b->tables->range_count);
    ASCI_KEEP(saver, lift.down, 1);
    ASCI_KEEP(saver, lift.second, 1);
    if (saver->failed) return asci_unkept(saver);
    asc_status status = saver->loads ? take_again(b, &lift, !does_not_stand(stage) || k + 1 < depth) : ASC_OK;
    if (status) return status;
  }
  b->limit = limit;
  b->stage = stage;
  return asci_kept(saver);
}
