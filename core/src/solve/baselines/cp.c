/* cp: the constraint programme of TelaMalloc without TelaMalloc's policy.
 *
 * Encoding: offsets with bounds, and for each two buffers that are alive together B(X, Y), "X is below Y", of which exactly one of the two is true.
 * What follows: an order moves the upper one's least and the lower one's greatest offset; an order that the bounds rule out gives the pair the other.
 * Search: generic. The open pair with the least slack is decided, the buffer of lower index below first; then the other way.
 *
 *     slack of "X below Y" = high(Y) - size(X) - low(X)         of a pair: the sum of both, as long as both are possible
 *
 * The paper hands this encoding to a general solver (CP-SAT); this one branches on the orders as such a solver does, and shows what the policy adds.
 * Complexity: exponential in pairs; a node costs O(pairs of the buffers whose bounds move).
 * Source: Maas et al., "TelaMalloc" (ASPLOS 2023), sections 5.1 and 7.2 (figure 13, "CP only"). Slack and its ties are ours. */
#include "base/arrays.h"
#include "model/bank.h"
#include "solve/baselines/pairs.h"

static const char pseudocode[] = "bounds of all buffers, and what follows\n"
                                 "p = open pair with the least slack\n"
                                 "  one below the other; then the other way\n"
                                 "    bounds move, orders follow from bounds\n"
                                 "    no offset or no order left: it fails\n"
                                 "  both fail: back to the decision before\n"
                                 "all pairs have an order: least offsets\n";

typedef struct bound {
  int64_t old;
  uint32_t variable; /* 2b: low of buffer b, 2b + 1: its high */
} bound;

typedef struct cp {
  asci_pairs pairs; /* first: rules get it, and cast */
  int64_t *high;
  size_t *begin; /* of a buffer's pairs: near[begin[b]] .. near[begin[b + 1]] */
  uint32_t *near;
  uint32_t *queue; /* a ring: buffers whose bounds moved */
  bool *queued;
  uint32_t first, waiting;
  bound *trail;
  size_t trail_count, trail_room;
} cp;

enum { PER_BUFFER, PER_END, PER_SIDE };
static const asci_array arrays[] = {
    ASCI_ARRAY(cp, high, PER_BUFFER, ASCI_ZEROS),   ASCI_ARRAY(cp, begin, PER_END, ASCI_ZEROS),
    ASCI_ARRAY(cp, near, PER_SIDE, ASCI_RAW),       ASCI_ARRAY(cp, queue, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(cp, queued, PER_BUFFER, ASCI_ZEROS), ASCI_OWN(cp, trail),
};

/* ---- bounds ---------------------------------------------------------------------------------------------------------- */

static int64_t up(const cp *s, uint32_t buffer, int64_t from) {
  const asc_buffer_spec *spec = &s->pairs.problem->buffers[buffer];
  if (spec->offset != ASC_UNPLACED) return from <= spec->offset ? spec->offset : ASCI_BEYOND;
  return from > ASC_MAX_BYTES ? ASCI_BEYOND : asci_next_offset(from, spec->size, spec->alignment, spec->bank);
}

static int64_t down(const cp *s, uint32_t buffer, int64_t upto) {
  const asc_buffer_spec *spec = &s->pairs.problem->buffers[buffer];
  if (spec->offset != ASC_UNPLACED) return upto >= spec->offset ? spec->offset : -1;
  return upto < 0 ? -1 : asci_greatest_offset(upto, spec->size, spec->alignment, spec->bank);
}

static void wake(cp *s, uint32_t buffer) {
  uint32_t n = s->pairs.problem->count;
  if (s->queued[buffer]) return;
  s->queued[buffer] = true;
  s->queue[(s->first + s->waiting++) % n] = buffer;
}

static asci_pairs_result move(cp *s, uint32_t variable, int64_t to) {
  int64_t *at = variable % 2 ? &s->high[variable / 2] : &s->pairs.low[variable / 2];
  if (!asci_grow(s->pairs.run->context, (void **)&s->trail, &s->trail_room, s->trail_count + 1, sizeof *s->trail))
    return ASCI_PAIRS_NO_MEMORY;
  s->trail[s->trail_count++] = (bound){*at, variable};
  *at = to;
  wake(s, variable / 2);
  if (s->pairs.low[variable / 2] > s->high[variable / 2])
    return asci_pairs_fail(&s->pairs, variable / 2, s->pairs.low[variable / 2]);
  return ASCI_PAIRS_OK;
}

/* What an order says of the bounds of its two buffers. */
static asci_pairs_result apply(cp *s, uint32_t lower, uint32_t upper, int64_t distance) {
  asci_pairs_result result = ASCI_PAIRS_OK;
  if (s->pairs.low[upper] < s->pairs.low[lower] + distance)
    result = move(s, 2 * upper, up(s, upper, s->pairs.low[lower] + distance));
  if (!result && s->high[lower] > s->high[upper] - distance)
    result = move(s, 2 * lower + 1, down(s, lower, s->high[upper] - distance));
  return result;
}

/* What follows for a pair from the bounds of its two buffers. */
static asci_pairs_result revise(cp *s, uint32_t number) {
  asci_pair *pair = &s->pairs.pairs[number];
  const int64_t *low = s->pairs.low;
  if (pair->order == ASCI_PAIR_OPEN) {
    bool a_below = low[pair->a] + pair->a_below <= s->high[pair->b];
    bool b_below = low[pair->b] + pair->b_below <= s->high[pair->a];
    if (!a_below && !b_below) return asci_pairs_fail(&s->pairs, pair->b, low[pair->a] + pair->a_below);
    if (a_below && b_below) return ASCI_PAIRS_OK;
    asci_pairs_decide(&s->pairs, number, a_below ? ASCI_PAIR_A_BELOW : ASCI_PAIR_B_BELOW);
  }
  return pair->order == ASCI_PAIR_A_BELOW ? apply(s, pair->a, pair->b, pair->a_below)
                                          : apply(s, pair->b, pair->a, pair->b_below);
}

/* Nobody is asked any more. */
static void drain(cp *s) {
  for (; s->waiting; s->waiting--) {
    s->queued[s->queue[s->first]] = false;
    s->first = (s->first + 1) % s->pairs.problem->count;
  }
}

static asci_pairs_result propagate(cp *s) {
  asci_pairs_result result = ASCI_PAIRS_OK;
  while (!result && s->waiting) {
    if (asci_pairs_stop(&s->pairs)) return ASCI_PAIRS_STOPPED;
    uint32_t buffer = s->queue[s->first];
    s->first = (s->first + 1) % s->pairs.problem->count;
    s->waiting--;
    s->queued[buffer] = false;
    for (size_t k = s->begin[buffer]; !result && k < s->begin[buffer + 1]; k++) result = revise(s, s->near[k]);
  }
  return result;
}

/* ---- rules ----------------------------------------------------------------------------------------------------------- */

static asci_pairs_result root(asci_pairs *pairs) {
  cp *s = (cp *)pairs;
  asci_pairs_result result = ASCI_PAIRS_OK;
  for (uint32_t b = 0; !result && b < pairs->problem->count; b++) {
    if (pairs->low[b] > s->high[b]) result = asci_pairs_fail(pairs, b, pairs->low[b]);
    wake(s, b);
  }
  if (!result) result = propagate(s);
  drain(s);
  return result;
}

static asci_pairs_result assert_order(asci_pairs *pairs, uint32_t number, uint32_t order) {
  cp *s = (cp *)pairs;
  asci_pairs_decide(pairs, number, order);
  asci_pairs_result result = revise(s, number);
  if (!result) result = propagate(s);
  drain(s);
  return result;
}

static size_t mark(const asci_pairs *pairs) {
  return ((const cp *)pairs)->trail_count;
}

static void undo(asci_pairs *pairs, size_t mark) {
  cp *s = (cp *)pairs;
  while (s->trail_count > mark) {
    const bound *b = &s->trail[--s->trail_count];
    *(b->variable % 2 ? &s->high[b->variable / 2] : &s->pairs.low[b->variable / 2]) = b->old;
  }
}

static uint32_t choose(const asci_pairs *pairs, uint32_t *first) {
  const cp *s = (const cp *)pairs;
  uint32_t best = ASC_NONE;
  int64_t least = 0;
  for (uint32_t k = 0; k < pairs->pair_count; k++) {
    const asci_pair *pair = &pairs->pairs[k];
    if (pair->order != ASCI_PAIR_OPEN) continue;
    int64_t slack =
        s->high[pair->a] - pairs->low[pair->a] - pair->a_below + s->high[pair->b] - pairs->low[pair->b] - pair->b_below;
    if (best != ASC_NONE && slack >= least) continue;
    best = k;
    least = slack;
  }
  *first = ASCI_PAIR_A_BELOW;
  return best;
}

static const asci_pair_rules rules = {
    .root = root, .assert_order = assert_order, .mark = mark, .undo = undo, .choose = choose};

/* ---- the solver ------------------------------------------------------------------------------------------------------ */

static void destroy(asc_run *run, void *state) {
  cp *s = state;
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_pairs_free(&s->pairs);
  asci_free(run->context, s);
}

static void list_near(cp *s) {
  const asci_pairs *pairs = &s->pairs;
  uint32_t n = pairs->problem->count;
  for (uint32_t k = 0; k < pairs->pair_count; k++) {
    s->begin[pairs->pairs[k].a]++;
    s->begin[pairs->pairs[k].b]++;
  }
  for (uint32_t b = 0; b < n; b++) s->begin[b + 1] += s->begin[b]; /* ends; they become begins below */
  for (uint32_t k = pairs->pair_count; k-- > 0;) {
    s->near[--s->begin[pairs->pairs[k].a]] = k;
    s->near[--s->begin[pairs->pairs[k].b]] = k;
  }
}

static asc_status fill(asc_run *run, void *state) {
  cp *s = state;
  asc_status status = asci_pairs_new(&s->pairs, run, &rules);
  const size_t n = run->problem->count, counts[] = {n, n + 1, (size_t)2 * s->pairs.pair_count};
  if (status) return status;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, s)) return ASC_OUT_OF_MEMORY;
  list_near(s);
  for (uint32_t b = 0; b < n; b++) {
    s->pairs.low[b] = up(s, b, 0);
    s->high[b] = down(s, b, s->pairs.capacity - run->problem->buffers[b].size);
  }
  return ASC_OK;
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  return asci_pairs_created(asci_state_new(run, sizeof(cp), fill, destroy, state), diag,
                            "cp decides each pair of buffers alive together: there are more than 4,194,304");
}

static asc_outcome advance(asc_run *run, void *state) {
  (void)run;
  return asci_pairs_advance(&((cp *)state)->pairs);
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  asci_pairs_view(&((cp *)state)->pairs, view);
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  (void)run;
  return asci_pairs_keep(&((cp *)state)->pairs, saver);
}

const asci_solver asci_solver_cp = {
    .info = {.id = "cp",
             .title = "CP only",
             .paper = "TelaMalloc, ASPLOS 2023, figure 13",
             .summary =
                 "The constraint programme of TelaMalloc, searched as a general solver would: which of two lies below.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_BANKS,
             .complete = true,
             .pseudocode = pseudocode},
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
