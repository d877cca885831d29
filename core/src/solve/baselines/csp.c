/* csp: rectangle packing by absolute placement, every address in turn.
 *
 * Rule: buffers come by area, the largest first. Each tries the addresses of its domain from the lowest up; one at which it lies over a buffer placed
 * before, at a time when both are alive, is passed over. When none is left, the search goes back to the buffer before, which takes its next address.
 *
 *     domain of b    0, 1, 2, ..., capacity - size     in bytes, or in the common divisor of all that is given (unit=gcd)
 *     the run that one blocker covers is passed over in one step: from offset up to the blocker's top
 *
 * Two prunings of the literature are switches, both off as the paper has them: forward checking looks whether every other buffer that is alive then
 * still has an address; empty space adds up, at each time, the free runs that are long enough for the smallest buffer to come.
 * Complexity: exponential in buffers, and each node has as many children as the capacity has units.
 * Source: Korf 2003 and Huang & Korf 2013 as Moffitt adapts them (MiniMalloc, ASPLOS 2023, sections 2.2 and 8): "the search begins by considering the
 * largest rectangle". The paper names no ties; here: the lower index. Its nogoods "upon request" are left out. */
#include "base/arrays.h"
#include "base/number/products.h"
#include "base/sort.h"
#include "model/bank.h"
#include "model/lifespan/meet.h"
#include "model/lifespan/neighbours.h"
#include "solve/solver.h"

#define CSP_OPTIONS(X, T) \
  X(T, CHOICE, unit, "Unit", "byte", "byte|gcd", \
    "Addresses go up by a byte, as the paper has it, or by the common divisor of all sizes, alignments and offsets.") \
  X(T, BOOL, forward, "Forward checking", "false", \
    "Take a placement back at once if it leaves a buffer that is alive then without an address.") \
  X(T, BOOL, space, "Empty space", "false", \
    "Take a placement back at once if, at some time, the free runs that are long enough hold less than is still to place.")
ASCI_OPTION_VALUES(csp_options, CSP_OPTIONS);
ASCI_OPTION_TABLE(csp_options, CSP_OPTIONS);

enum { LINE_CHECK = 1, LINE_ADDRESS, LINE_OVERLAP, LINE_FORWARD, LINE_SPACE, LINE_PLACE, LINE_BACK, LINE_DONE };
enum { UNIT_BYTE, UNIT_GCD };

static const char pseudocode[] = "b = largest unplaced buffer\n"
                                 "  for address = 0, 1, 2, … while b fits:\n"
                                 "    overlaps a placed buffer: next address\n"
                                 "    a later buffer has no address: next\n"
                                 "    too little empty space: next\n"
                                 "    place b there, go on with the next buffer\n"
                                 "  no address left: back to the one before\n"
                                 "all are placed\n";

typedef struct run_of_bytes { /* [lower, upper) */
  int64_t lower, upper;
} run_of_bytes;

typedef struct csp {
  asc_run *run;
  const asc_problem *problem;
  int64_t capacity, unit;
  asci_neighbours near;
  uint32_t *order; /* by level: buffers that occupy nothing, then the others by area */
  uint32_t *rank;
  uint32_t depth;
  int64_t *offsets;  /* by buffer, ASC_UNPLACED */
  uint64_t *skipped; /* by level: addresses dealt with there */
  uint32_t *tried;   /* the same and candidates, by level, for the view */
  uint32_t *candidates;
  run_of_bytes *taken; /* of one section */
  int64_t next;        /* the open buffer's next address */
  bool opened;         /* it had one tried before */
} csp;

enum { PER_BUFFER, PER_LEVEL, PER_PIECE };
static const asci_array arrays[] = {
    ASCI_ARRAY(csp, order, PER_BUFFER, ASCI_RAW),    ASCI_ARRAY(csp, rank, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(csp, offsets, PER_BUFFER, ASCI_ONES), ASCI_ARRAY(csp, skipped, PER_LEVEL, ASCI_ZEROS),
    ASCI_ARRAY(csp, tried, PER_LEVEL, ASCI_ZEROS),   ASCI_ARRAY(csp, candidates, PER_LEVEL, ASCI_ZEROS),
    ASCI_ARRAY(csp, taken, PER_PIECE, ASCI_RAW),
};

static void destroy(asc_run *run, void *state) {
  csp *s = state;
  asci_neighbours_free(&s->near);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_free(run->context, s);
}

/* ---- what is tried in which order ------------------------------------------------------------------------------------ */

static bool is_weightless(const asc_problem *problem, uint32_t buffer) {
  return problem->piece_begin[buffer] == problem->piece_begin[buffer + 1];
}

static bool sooner(const void *keys, uint32_t a, uint32_t b) {
  const asc_problem *problem = keys;
  const asc_buffer_spec *x = &problem->buffers[a], *y = &problem->buffers[b];
  bool light = is_weightless(problem, a);
  if (light != is_weightless(problem, b)) return light;
  const uint64_t area[2][2] = {{(uint64_t)x->size, (uint64_t)x->upper - (uint64_t)x->lower},
                               {(uint64_t)y->size, (uint64_t)y->upper - (uint64_t)y->lower}};
  int order = light ? 0 : asci_compare_products(area[1], area[0], 2);
  return order ? order < 0 : a < b;
}

static asc_status fill(asc_run *run, void *state) {
  csp *s = state;
  const asc_problem *problem = run->problem;
  s->run = run;
  s->problem = problem;
  s->capacity = run->capacity < ASC_MAX_BYTES ? run->capacity : ASC_MAX_BYTES;
  const size_t counts[] = {problem->count, (size_t)problem->count + 1, problem->piece_begin[problem->count]};
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, s)) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_neighbours_new(problem, &s->near);
  if (status) return status;
  s->unit = ((const csp_options *)run->options)->unit == UNIT_GCD ? asci_common_unit(problem) : 1;
  for (uint32_t b = 0; b < problem->count; b++) s->order[b] = b;
  asci_sort(s->order, s->rank, problem->count, sooner, problem);
  return ASC_OK;
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(csp), fill, destroy, state);
}

/* ---- addresses ------------------------------------------------------------------------------------------------------- */

static int64_t last_address(const csp *s, uint32_t buffer) {
  return s->capacity - s->problem->buffers[buffer].size;
}

/* The least address of a buffer's domain from there on; beyond the last one there is none. */
static int64_t address_from(const csp *s, uint32_t buffer, int64_t from) {
  const asc_buffer_spec *spec = &s->problem->buffers[buffer];
  if (spec->offset != ASC_UNPLACED) return from <= spec->offset ? spec->offset : ASCI_BEYOND;
  int64_t step = spec->alignment % s->unit == 0 ? spec->alignment : s->unit;
  return asci_next_offset(from, spec->size, step, spec->bank);
}

/* The least address at which a piece of the buffer would lie above that of the other, in whose way it is at `at`; -1 if it is not. */
static int64_t piece_clears(const asci_piece *own, const asci_piece *other, int64_t at, int64_t lies) {
  bool meet = own->first < other->end && other->first < own->end;
  bool apart = at + own->window_upper <= lies + other->window_lower || lies + other->window_upper <= at + own->window_lower;
  return !meet || apart ? -1 : lies + other->window_upper - own->window_lower;
}

/* Likewise of two buffers: as far as one of their pairs of pieces reaches. */
static int64_t clears(const csp *s, uint32_t buffer, int64_t at, uint32_t other) {
  uint32_t own_count, other_count;
  const asci_piece *own = asci_pieces(s->problem, buffer, &own_count);
  const asci_piece *others = asci_pieces(s->problem, other, &other_count);
  int64_t most = -1;
  for (uint32_t i = 0; i < own_count; i++)
    for (uint32_t k = 0; k < other_count; k++) {
      int64_t next = piece_clears(&own[i], &others[k], at, s->offsets[other]);
      if (next > most) most = next;
    }
  return most;
}

/* The placed buffer that is furthest in the way of one at that address, and where it no longer is. ASC_NONE: nobody is in the way. */
static uint32_t blocker_at(const csp *s, uint32_t buffer, int64_t at, int64_t *next) {
  uint32_t count, blocker = ASC_NONE;
  *next = -1;
  if (is_weightless(s->problem, buffer)) return blocker;
  const uint32_t *others = asci_neighbours_of(&s->near, buffer, &count);
  for (uint32_t k = 0; k < count; k++) {
    if (s->offsets[others[k]] == ASC_UNPLACED) continue;
    int64_t beyond = clears(s, buffer, at, others[k]);
    if (beyond <= *next) continue;
    *next = beyond;
    blocker = others[k];
  }
  return blocker;
}

/* The least address at which nobody is in the way, beyond the last one if there is none. */
static int64_t free_address(const csp *s, uint32_t buffer) {
  int64_t at = address_from(s, buffer, 0), next;
  while (at <= last_address(s, buffer) && blocker_at(s, buffer, at, &next) != ASC_NONE) at = address_from(s, buffer, next);
  return at;
}

/* ---- prunings -------------------------------------------------------------------------------------------------------- */

/* A neighbour of the buffer that has no address left, ASC_NONE; `at` is the first one of its domain that is beyond the last. */
static uint32_t without_address(const csp *s, uint32_t buffer, int64_t *at) {
  for (uint32_t level = s->depth; level < s->problem->count; level++) {
    uint32_t other = s->order[level];
    if (other == buffer || !asci_meet(s->problem, buffer, other)) continue;
    *at = free_address(s, other);
    if (*at > last_address(s, other)) return other;
  }
  return ASC_NONE;
}

static bool is_lower(const void *keys, uint32_t a, uint32_t b) {
  const run_of_bytes *runs = keys;
  return runs[a].lower < runs[b].lower;
}

/* Bytes of the section that nobody to come can use, those of placed buffers included; `rest` is what is still to come there. */
static int64_t used_bytes(csp *s, uint32_t section, int64_t *rest) {
  const asc_problem *problem = s->problem;
  uint32_t count = 0;
  int64_t least = s->capacity, floor = 0, unusable = 0;
  *rest = 0;
  for (uint32_t b = 0; b < problem->count; b++)
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) {
      const asci_piece *piece = &problem->pieces[p];
      int64_t size = piece->window_upper - piece->window_lower;
      if (section < piece->first || section >= piece->end) continue;
      if (s->offsets[b] == ASC_UNPLACED) {
        *rest += size;
        if (size < least) least = size;
      } else {
        s->taken[count++] = (run_of_bytes){s->offsets[b] + piece->window_lower, s->offsets[b] + piece->window_upper};
      }
    }
  /* a section has few pieces: by insertion */
  for (uint32_t k = 1; k < count; k++)
    for (uint32_t i = k; i && is_lower(s->taken, i, i - 1); i--) {
      run_of_bytes swapped = s->taken[i];
      s->taken[i] = s->taken[i - 1];
      s->taken[i - 1] = swapped;
    }
  for (uint32_t k = 0; k <= count; k++) {
    int64_t lower = k < count ? s->taken[k].lower : s->capacity, upper = k < count ? s->taken[k].upper : s->capacity;
    if (lower - floor < least) unusable += lower - floor;
    unusable += upper - lower;
    floor = upper;
  }
  return unusable;
}

/* The first section of the buffer in which too little empty space is left, ASC_NONE. */
static uint32_t without_space(csp *s, uint32_t buffer, int64_t *used, int64_t *rest) {
  uint32_t count;
  const asci_piece *pieces = asci_pieces(s->problem, buffer, &count);
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t section = pieces[k].first; section < pieces[k].end; section++) {
      *used = used_bytes(s, section, rest);
      if (*used + *rest > s->capacity) return section;
    }
  return ASC_NONE;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------- */

static uint32_t at_most_32_bits(uint64_t count) {
  return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* How many addresses of the domain lie in [from, to): of those that its alignment leaves, banks apart. */
static uint64_t addresses_between(const csp *s, uint32_t buffer, int64_t from, int64_t to) {
  const asc_buffer_spec *spec = &s->problem->buffers[buffer];
  if (spec->offset != ASC_UNPLACED) return from <= spec->offset && spec->offset < to;
  int64_t step = spec->alignment % s->unit == 0 ? spec->alignment : s->unit;
  return to <= from ? 0 : (uint64_t)((to - from - 1) / step) + 1;
}

static void pass_over(csp *s, uint32_t buffer, int64_t at, uint32_t blocker, int64_t next) {
  int64_t end = next <= last_address(s, buffer) ? next : last_address(s, buffer) + 1;
  uint64_t count = addresses_between(s, buffer, at, end);
  s->skipped[s->depth] += count;
  asci_step_skip(s->run, ASC_RULE_OVERLAP, buffer, at, at_most_32_bits(count), s->depth);
  ASC_EMIT(s->run, SKIP, LINE_OVERLAP, .buffer = buffer, .offset = at, .rule = ASC_RULE_OVERLAP, .witness = blocker,
           .bound = next, .count = at_most_32_bits(count));
  s->next = next;
}

/* Whether a pruning takes the placement back, which was made already. */
static bool is_pruned(csp *s, uint32_t buffer, int64_t at) {
  const csp_options *o = s->run->options;
  int64_t floor = 0, rest = 0;
  uint32_t other = o->forward ? without_address(s, buffer, &floor) : ASC_NONE;
  uint32_t section = other == ASC_NONE && o->space ? without_space(s, buffer, &floor, &rest) : ASC_NONE;
  if (other == ASC_NONE && section == ASC_NONE) return false;
  asc_rule rule = other == ASC_NONE ? ASC_RULE_EMPTY_SPACE : ASC_RULE_FORWARD;
  if (other != ASC_NONE) rest = last_address(s, other);
  asci_step_reject(s->run, rule, buffer, at, s->depth);
  ASC_EMIT(s->run, REJECT, other == ASC_NONE ? LINE_SPACE : LINE_FORWARD, .buffer = buffer, .offset = at, .rule = rule,
           .section = section, .floor = floor < ASC_MAX_BYTES ? floor : ASC_MAX_BYTES, .rest = rest);
  if (asci_traced(s->run) && other != ASC_NONE) asci_event_list(s->run, other);
  return true;
}

static asc_outcome succeed(csp *s) {
  for (uint32_t b = 0; b < s->problem->count; b++) s->run->best[b] = s->offsets[b];
  int64_t height = asc_height(s->problem, s->run->best);
  asci_mark(s->run, ASC_MARK_INCUMBENT, height);
  ASC_EMIT(s->run, INCUMBENT, LINE_DONE, .height = height);
  return ASC_OUTCOME_FEASIBLE;
}

static void open_next(csp *s) {
  s->depth++;
  s->next = 0;
  s->opened = false;
  s->skipped[s->depth] = 0;
}

static asc_outcome try_address(csp *s, uint32_t buffer, int64_t at) {
  int64_t next;
  uint32_t blocker = blocker_at(s, buffer, at, &next);
  if (blocker != ASC_NONE) {
    pass_over(s, buffer, at, blocker, next);
    return ASC_OUTCOME_RUNNING;
  }
  s->run->stats.nodes += !s->opened;
  s->opened = true;
  s->offsets[buffer] = at;
  s->skipped[s->depth]++;
  s->next = at + 1;
  if (is_pruned(s, buffer, at)) {
    s->offsets[buffer] = ASC_UNPLACED;
    return ASC_OUTCOME_RUNNING;
  }
  asci_step_place(s->run, buffer, at, s->depth + 1);
  ASC_EMIT(s->run, PLACE, LINE_PLACE, .buffer = buffer, .offset = at, .support = ASC_NONE,
           .of = at_most_32_bits(addresses_between(s, buffer, address_from(s, buffer, 0), last_address(s, buffer) + 1)));
  open_next(s);
  return s->depth == s->problem->count ? succeed(s) : ASC_OUTCOME_RUNNING;
}

static asc_outcome go_back(csp *s) {
  if (!s->depth) {
    asci_step_backtrack(s->run, 0, 0, ASC_NONE, 1, false);
    ASC_EMIT(s->run, BACKTRACK, LINE_BACK, .buffer = ASC_NONE);
    return ASC_OUTCOME_INFEASIBLE;
  }
  uint32_t from = s->depth--, buffer = s->order[s->depth];
  s->next = s->offsets[buffer] + 1;
  s->offsets[buffer] = ASC_UNPLACED;
  s->opened = true;
  bool major = asci_step_backtrack(s->run, from, s->depth, buffer, 1, false);
  ASC_EMIT(s->run, BACKTRACK, LINE_BACK, .from = from, .to = s->depth, .buffer = buffer, .major = major);
  if (asci_traced(s->run)) asci_event_list(s->run, buffer);
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome advance(asc_run *run, void *state) {
  csp *s = state;
  const asc_problem *problem = s->problem;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  bool overloaded = asci_is_overloaded(problem, s->capacity);
  if (overloaded && asci_more(run)) return asci_refute_load(run, LINE_CHECK);
  if (s->depth == problem->count) return succeed(s);
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    uint32_t buffer = s->order[s->depth];
    int64_t at = address_from(s, buffer, s->next);
    outcome = at <= last_address(s, buffer) ? try_address(s, buffer, at) : go_back(s);
  }
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

static uint32_t address_count(const csp *s, uint32_t buffer) {
  return at_most_32_bits(addresses_between(s, buffer, address_from(s, buffer, 0), last_address(s, buffer) + 1));
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  csp *s = state;
  for (uint32_t level = 0; level < s->depth; level++) {
    s->tried[level] = at_most_32_bits(s->skipped[level]);
    s->candidates[level] = address_count(s, s->order[level]);
  }
  if (s->depth < s->problem->count) {
    view->open_tried = at_most_32_bits(s->skipped[s->depth]);
    view->open_candidates = address_count(s, s->order[s->depth]);
  }
  view->offsets = s->offsets;
  view->stack = s->order;
  view->tried = s->tried;
  view->candidates = s->candidates;
}

/* Where a buffer could have been put by a step: in its domain, and in nobody's way. */
static bool may_lie(const csp *s, uint32_t buffer, int64_t at) {
  int64_t next;
  return at == address_from(s, buffer, at) && at <= last_address(s, buffer) && blocker_at(s, buffer, at, &next) == ASC_NONE;
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  csp *s = state;
  uint32_t depth = s->depth;
  ASCI_KEEP(saver, depth, s->problem->count);
  if (saver->loads && (saver->failed || depth != run->stats.depth)) return ASC_BAD_SAVE;
  for (uint32_t level = 0; level < depth; level++) {
    int64_t at = s->offsets[s->order[level]];
    ASCI_KEEP(saver, at, ASC_MAX_BYTES);
    ASCI_KEEP(saver, s->skipped[level], ASCI_ANY);
    if (!saver->loads) continue;
    if (saver->failed || !may_lie(s, s->order[level], at)) return ASC_BAD_SAVE;
    s->offsets[s->order[level]] = at;
    s->depth++;
  }
  ASCI_KEEP(saver, s->skipped[depth], ASCI_ANY);
  ASCI_KEEP(saver, s->next, ASCI_BEYOND);
  ASCI_KEEP(saver, s->opened, 1);
  return asci_kept(saver);
}

const asci_solver asci_solver_csp = {
    .info = {.id = "csp",
             .title = "CSP: absolute placement",
             .paper = "Korf 2003, as in MiniMalloc, ASPLOS 2023, section 8",
             .summary =
                 "The largest buffer first, every address in turn: packing as a plain constraint satisfaction problem.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS |
                         ASC_SUPPORTS_BANKS | ASC_SUPPORTS_SHAPES,
             .complete = true,
             ASCI_TAKES_INFO(csp_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(csp_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
