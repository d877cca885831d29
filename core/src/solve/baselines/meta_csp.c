/* meta-csp: packing as a disjunctive temporal problem, whose variables are which of two buffers lies below.
 *
 * State: one matrix of longest paths over the buffers, the floor and the ceiling: at(u, v) is the greatest known lower bound of offset(v) - offset(u).
 *
 *        floor ---0---> b ---size(b)---> ceiling ---(-capacity)---> floor        for each buffer b
 *                       i ---size(i)---> j                                       "i below j"
 *
 * A new edge i -> j raises at(u, v) to at(u, i) + size(i) + at(j, v); a cycle of positive length is a contradiction, and that a stack exceeds the capacity
 * is one, by the edge from ceiling to floor.
 * Forward checking: an order is dropped as soon as its edge would close such a cycle, which the matrix says at once; with one order left a pair has it.
 * Subsumed variables: a pair one of whose orders holds by the matrix already is decided without branching.
 * Semantic branching: that an order failed adds its negation to the other one. With two orders the negation of "i below j" says less than "j below i":
 * there is nothing to add.
 * Alignment: an edge between two buffers is as long as the common divisor of their alignments makes it, and the floor's distances are rounded up: then
 * the least offsets are a plan once every pair has an order.
 * Choice: of the open pairs, which all have two orders left, the one of most bytes; of its orders first the one whose longest stack through both is shorter,
 * and the lower index below if they are equal.
 * Complexity: O(n^2) for an edge, O(paths that it makes longer) for what follows; exponential in pairs. At most 2,000 buffers: 48 MB.
 * Source: Moffitt & Pollack 2006 as Moffitt adapts it (MiniMalloc, ASPLOS 2023, sections 2.2 and 8): left and right are gone, one matrix instead of two.
 * Neither paper says in which order pairs and their orders are tried; these are ours. */
#include "base/arrays.h"
#include "base/number/multiple.h"
#include "model/bank.h"
#include "solve/baselines/pairs.h"

static const char pseudocode[] = "one matrix of distances, and what follows\n"
                                 "p = open pair of the most bytes\n"
                                 "  the roomier order; then the other one\n"
                                 "    longer paths; orders closed or implied\n"
                                 "    a cycle, or no order left: it fails\n"
                                 "  both fail: back to the decision before\n"
                                 "all pairs have an order: longest paths\n";

#define MOST_BUFFERS 2000u

typedef struct cell {
  int64_t old;
  uint32_t at;
} cell;

typedef struct meta_csp {
  asci_pairs pairs; /* first: rules get it, and cast */
  uint32_t nodes;   /* buffers, then floor and ceiling */
  uint32_t floor, ceiling;
  int64_t *paths;    /* nodes * nodes */
  bool rooted;       /* the matrix is closed without any decision: from here on changes are undone */
  uint32_t *ends;    /* of paths that become longer */
  uint32_t *pair_at; /* nodes * nodes: the pair of two buffers, or ASC_NONE */
  cell *trail;
  size_t trail_count, trail_room;
} meta_csp;

static const asci_array arrays[] = {ASCI_ARRAY(meta_csp, paths, 0, ASCI_RAW), ASCI_ARRAY(meta_csp, pair_at, 0, ASCI_ONES),
                                    ASCI_ARRAY(meta_csp, ends, 1, ASCI_RAW), ASCI_OWN(meta_csp, trail)};

static inline int64_t *at(const meta_csp *s, uint32_t from, uint32_t to) {
  return &s->paths[(size_t)from * s->nodes + to];
}

/* ---- the matrix ------------------------------------------------------------------------------------------------------ */

/* Room for so many more changes of paths. */
static bool make_room(meta_csp *s, size_t changes) {
  return asci_grow(s->pairs.run->context, &s->trail, &s->trail_room, s->trail_count + changes, sizeof *s->trail);
}

static void raise_path(meta_csp *s, int64_t *path, int64_t length) {
  if (s->rooted) s->trail[s->trail_count++] = (cell){*path, (uint32_t)(path - s->paths)};
  *path = length;
}

/* The buffer `to` shows a contradiction in an edge to it; a fixed one is bound to the floor before there are any. */
static asci_pairs_result contradict(meta_csp *s, uint32_t from, uint32_t to, int64_t length) {
  return asci_pairs_fail(&s->pairs, to, from == s->floor ? length : *at(s, s->floor, from) + length);
}

/* A path through the edge is longer only to nodes that `from` itself reaches better through it, and only from nodes that reach `to` better. */
static asci_pairs_result add_edge(meta_csp *s, uint32_t from, uint32_t to, int64_t length) {
  if (length <= *at(s, from, to)) return ASCI_PAIRS_OK;
  if (*at(s, to, from) + length > 0) return contradict(s, from, to, length);
  uint32_t count = 0, *ends = s->ends;
  const int64_t *tail = at(s, to, 0), *straight = at(s, from, 0);
  for (uint32_t v = 0; v < s->nodes; v++)
    if (length + tail[v] > straight[v]) ends[count++] = v;
  for (uint32_t u = 0; u < s->nodes; u++) {
    int64_t *paths = at(s, u, 0), head = paths[from] + length;
    if (head <= paths[to]) continue;
    if (s->rooted && !make_room(s, count)) return ASCI_PAIRS_NO_MEMORY;
    for (uint32_t k = 0; k < count; k++)
      if (head + tail[ends[k]] > paths[ends[k]]) raise_path(s, &paths[ends[k]], head + tail[ends[k]]);
  }
  return ASCI_PAIRS_OK;
}

/* Rounds all least offsets up to their alignment, until they are. */
static asci_pairs_result align(meta_csp *s) {
  const asc_problem *problem = s->pairs.problem;
  asci_pairs_result result = ASCI_PAIRS_OK;
  bool moved = problem->has_alignment;
  while (moved && !result) {
    moved = false;
    for (uint32_t b = 0; b < problem->count && !result; b++) {
      int64_t low = *at(s, s->floor, b), aligned = asci_align(low, problem->buffers[b].alignment);
      if (aligned == low) continue;
      if (asci_pairs_stop(&s->pairs)) return ASCI_PAIRS_STOPPED;
      moved = true;
      result = add_edge(s, s->floor, b, aligned);
    }
  }
  return result;
}

/* What the matrix says of a pair, if it is open: that it has one order, or has none left. */
static asci_pairs_result check_forward(meta_csp *s, uint32_t number) {
  const asci_pair *pair = &s->pairs.pairs[number];
  if (pair->order != ASCI_PAIR_OPEN) return ASCI_PAIRS_OK;
  int64_t up = *at(s, pair->a, pair->b), down = *at(s, pair->b, pair->a);
  bool a_below = down + pair->a_below <= 0, b_below = up + pair->b_below <= 0;
  if (!a_below && !b_below) return contradict(s, pair->a, pair->b, pair->a_below);
  bool subsumed = up >= pair->a_below || down >= pair->b_below;
  if (a_below && b_below) return ASCI_PAIRS_OK;
  if (!subsumed && asci_pairs_stop(&s->pairs)) return ASCI_PAIRS_STOPPED;
  asci_pairs_decide(&s->pairs, number, a_below ? ASCI_PAIR_A_BELOW : ASCI_PAIR_B_BELOW);
  if (subsumed) return ASCI_PAIRS_OK;
  return a_below ? add_edge(s, pair->a, pair->b, pair->a_below) : add_edge(s, pair->b, pair->a, pair->b_below);
}

/* All that follows before any decision: until nobody gets an order any more, all pairs are looked at. */
static asci_pairs_result follow_root(meta_csp *s) {
  asci_pairs_result result = align(s);
  for (size_t decided = SIZE_MAX; !result && decided != s->pairs.decided_count;) {
    decided = s->pairs.decided_count;
    for (uint32_t k = 0; k < s->pairs.pair_count && !result; k++) result = check_forward(s, k);
    if (!result) result = align(s);
  }
  return result;
}

/* All that follows from the paths that became longer since then: only of their ends. */
static asci_pairs_result follow(meta_csp *s, size_t from) {
  asci_pairs_result result = align(s);
  while (!result && from < s->trail_count) {
    while (from < s->trail_count && !result) {
      uint32_t pair = s->pair_at[s->trail[from++].at];
      if (pair != ASC_NONE) result = check_forward(s, pair);
    }
    if (!result) result = align(s);
  }
  return result;
}

static void take_lows(meta_csp *s) {
  for (uint32_t b = 0; b < s->pairs.problem->count; b++) s->pairs.low[b] = *at(s, s->floor, b);
}

/* ---- rules ----------------------------------------------------------------------------------------------------------- */

static asci_pairs_result root(asci_pairs *pairs) {
  meta_csp *s = (meta_csp *)pairs;
  const asc_problem *problem = pairs->problem;
  asci_pairs_result result = ASCI_PAIRS_OK;
  for (uint32_t b = 0; b < problem->count && !result; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    if (*at(s, s->floor, b) + spec->size > pairs->capacity) result = asci_pairs_fail(pairs, b, *at(s, s->floor, b));
    if (result || spec->offset == ASC_UNPLACED) continue;
    if (asci_pairs_stop(pairs)) return ASCI_PAIRS_STOPPED;
    result = add_edge(s, s->floor, b, spec->offset);
    if (!result) result = add_edge(s, b, s->floor, -spec->offset);
  }
  if (!result) result = follow_root(s);
  take_lows(s);
  s->rooted = !result;
  return result;
}

static asci_pairs_result assert_order(asci_pairs *pairs, uint32_t number, uint32_t order) {
  meta_csp *s = (meta_csp *)pairs;
  const asci_pair *pair = &pairs->pairs[number];
  size_t from = s->trail_count;
  asci_pairs_decide(pairs, number, order);
  asci_pairs_result result = order == ASCI_PAIR_A_BELOW ? add_edge(s, pair->a, pair->b, pair->a_below)
                                                        : add_edge(s, pair->b, pair->a, pair->b_below);
  if (!result) result = follow(s, from);
  take_lows(s);
  return result;
}

static size_t mark(const asci_pairs *pairs) {
  return ((const meta_csp *)pairs)->trail_count;
}

static void undo(asci_pairs *pairs, size_t mark) {
  meta_csp *s = (meta_csp *)pairs;
  while (s->trail_count > mark) {
    const cell *c = &s->trail[--s->trail_count];
    s->paths[c->at] = c->old;
  }
  take_lows(s);
}

static uint32_t choose(const asci_pairs *pairs, uint32_t *first) {
  const meta_csp *s = (const meta_csp *)pairs;
  const asc_buffer_spec *buffers = pairs->problem->buffers;
  uint32_t best = ASC_NONE;
  int64_t most = -1;
  for (uint32_t k = 0; k < pairs->pair_count; k++) {
    const asci_pair *pair = &pairs->pairs[k];
    if (pair->order != ASCI_PAIR_OPEN || buffers[pair->a].size + buffers[pair->b].size <= most) continue;
    most = buffers[pair->a].size + buffers[pair->b].size;
    best = k;
  }
  if (best == ASC_NONE) return best;
  const asci_pair *pair = &pairs->pairs[best];
  int64_t up = *at(s, s->floor, pair->a) + pair->a_below + *at(s, pair->b, s->ceiling);
  int64_t down = *at(s, s->floor, pair->b) + pair->b_below + *at(s, pair->a, s->ceiling);
  *first = up <= down ? ASCI_PAIR_A_BELOW : ASCI_PAIR_B_BELOW;
  return best;
}

static const asci_pair_rules rules = {
    .root = root, .assert_order = assert_order, .mark = mark, .undo = undo, .choose = choose};

/* ---- the solver ------------------------------------------------------------------------------------------------------ */

static void destroy(asc_run *run, void *state) {
  meta_csp *s = state;
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_pairs_free(&s->pairs);
  asci_free(run->context, s);
}

/* Offsets of both are multiples of the common divisor of their alignments, and so is their distance. */
static void lengthen_pairs(asci_pairs *pairs) {
  const asc_buffer_spec *buffers = pairs->problem->buffers;
  for (uint32_t k = 0; pairs->problem->has_alignment && k < pairs->pair_count; k++) {
    asci_pair *pair = &pairs->pairs[k];
    int64_t unit = asci_common_divisor(buffers[pair->a].alignment, buffers[pair->b].alignment);
    pair->a_below = asci_align(pair->a_below, unit);
    pair->b_below = asci_align(pair->b_below, unit);
  }
}

/* The longest paths through floor, one buffer and ceiling; there are no others yet. */
static void fill_paths(meta_csp *s) {
  const asc_problem *problem = s->pairs.problem;
  uint32_t n = problem->count;
  int64_t tallest = 0;
  for (uint32_t b = 0; b < n; b++)
    if (problem->buffers[b].size > tallest) tallest = problem->buffers[b].size;
  for (uint32_t u = 0; u < s->nodes; u++) {
    int64_t up = u == s->ceiling ? 0 : u == s->floor ? tallest : problem->buffers[u].size;
    for (uint32_t v = 0; v < s->nodes; v++)
      *at(s, u, v) = u == v ? 0 : v == s->ceiling ? up : u == s->floor ? 0 : up - s->pairs.capacity;
  }
}

static asc_status fill(asc_run *run, void *state) {
  meta_csp *s = state;
  uint32_t n = run->problem->count;
  if (n > MOST_BUFFERS) return ASC_TOO_LARGE;
  asc_status status = asci_pairs_new(&s->pairs, run, &rules);
  if (status) return status;
  s->nodes = n + 2;
  s->floor = n;
  s->ceiling = n + 1;
  const size_t counts[] = {(size_t)s->nodes * s->nodes, s->nodes};
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, s)) return ASC_OUT_OF_MEMORY;
  lengthen_pairs(&s->pairs);
  fill_paths(s);
  for (uint32_t k = 0; k < s->pairs.pair_count; k++) {
    const asci_pair *pair = &s->pairs.pairs[k];
    s->pair_at[pair->a * s->nodes + pair->b] = s->pair_at[pair->b * s->nodes + pair->a] = k;
  }
  return ASC_OK;
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  return asci_pairs_created(asci_state_new(run, sizeof(meta_csp), fill, destroy, state), diag,
                            "meta-csp keeps a distance for each two buffers: it takes at most 2,000 of them");
}

static asc_outcome advance(asc_run *run, void *state) {
  (void)run;
  return asci_pairs_advance(&((meta_csp *)state)->pairs);
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  asci_pairs_view(&((meta_csp *)state)->pairs, view);
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  (void)run;
  return asci_pairs_keep(&((meta_csp *)state)->pairs, saver);
}

const asci_solver asci_solver_meta_csp = {
    .info = {.id = "meta-csp",
             .title = "Meta-CSP: pairs",
             .paper = "Moffitt & Pollack 2006, as in MiniMalloc, ASPLOS 2023, section 8",
             .summary = "For each two buffers which lies below, with one matrix of distances that rules orders out ahead.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS,
             .complete = true,
             .pseudocode = pseudocode},
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
