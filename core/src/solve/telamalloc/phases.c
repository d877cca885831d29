/* Contention phases (paper section 5.3, figure 9) and the orders of the three block heuristics within them.
 *
 * A threshold falls from the capacity. At each value the times whose contention matches or exceeds it form ranges; blocks not yet assigned
 * that overlap a range make up its phase.
 *
 *     contention        #            threshold 10: range [1, 2), blocks of phase 0
 *        10           # #
 *         9           # #     #      threshold  9: ranges [1, 3) and [4, 5); whatever else touches [4, 5) is phase 1
 *                   # # # # # #
 *
 * What the paper leaves open, and what is done here:
 * - By how much the threshold falls: to the next contention that occurs, or in steps of a given share of the capacity.
 * - Ranges at one threshold go by decreasing peak, equal peaks by time; a block that touches two belongs to the one that goes first.
 * - A range without unassigned blocks makes no phase.
 * As a block is assigned at the first threshold that its own contention reaches, ranges need only grow: each section joins once. */
#include "learned.h"

#include "base/arrays.h"
#include "base/number/products.h"
#include "base/sort.h"
#include "model/lifespan/peaks.h"

typedef struct heat { /* of a buffer */
  int64_t contention; /* greatest of a time in its life */
  int64_t threshold;  /* at which it is assigned */
  int64_t peak;       /* of the range it is assigned with */
  uint32_t range;     /* that range's first section */
  uint32_t part;
} heat;

typedef struct grouping {
  const asc_problem *problem;
  bool split;
  heat *heats;
  uint32_t *hottest;  /* by buffer: the section of its life with the greatest contention, the earliest of them */
  uint32_t *sections; /* by decreasing contention */
  uint32_t *root;     /* by section: union-find, a range is known by its first section; ASC_NONE: below the threshold */
  int64_t *peak;      /* by range */
  uint32_t *buffers;  /* those that occupy something */
  uint32_t *by_heat;  /* the same, by decreasing threshold */
  uint32_t *scratch;
  uint32_t count;
  uint32_t heuristic; /* being sorted by */
} grouping;

static int64_t load_of(const grouping *g, uint32_t section) {
  return g->problem->sections[section].load;
}

static bool hotter_section(const void *keys, uint32_t a, uint32_t b) {
  const grouping *g = keys;
  return load_of(g, a) > load_of(g, b);
}

static bool hotter_buffer(const void *keys, uint32_t a, uint32_t b) {
  const grouping *g = keys;
  return g->heats[a].threshold > g->heats[b].threshold;
}

static void measure(grouping *g, uint32_t buffer, int64_t capacity, int64_t step) {
  heat *h = &g->heats[buffer];
  h->contention = load_of(g, g->hottest[buffer]);
  h->part = g->split ? g->problem->partition[buffer] : 0;
  h->threshold = step ? capacity : h->contention;
  for (int64_t share = 100 - step; h->threshold > h->contention; share -= step)
    h->threshold = share > 0 ? capacity / 100 * share + capacity % 100 * share / 100 : 0;
}

static uint32_t range_of(grouping *g, uint32_t section) {
  while (g->root[section] != section) section = g->root[section] = g->root[g->root[section]];
  return section;
}

static void unite(grouping *g, uint32_t left, uint32_t right) {
  uint32_t a = range_of(g, left), b = range_of(g, right);
  g->root[b] = a;
  if (g->peak[b] > g->peak[a]) g->peak[a] = g->peak[b];
}

/* Ranges do not cross a time that no buffer spans, unless the parts are kept together. */
static void join(grouping *g, uint32_t section) {
  const uint32_t *cuts = g->problem->cuts;
  g->root[section] = section;
  g->peak[section] = load_of(g, section);
  if (section && g->root[section - 1] != ASC_NONE && (!g->split || cuts[section - 1])) unite(g, section - 1, section);
  if (section + 1 < g->problem->section_count && g->root[section + 1] != ASC_NONE && (!g->split || cuts[section]))
    unite(g, section, section + 1);
}

static void assign_at(grouping *g, heat *h, uint32_t section) {
  if (g->root[section] == ASC_NONE) return;
  uint32_t range = range_of(g, section);
  if (g->peak[range] < h->peak || (g->peak[range] == h->peak && h->range < range)) return;
  h->peak = g->peak[range];
  h->range = range;
}

/* Of the ranges that the buffer touches, the one of the greatest peak, of equal ones the first. A range reaches beyond a piece at one of its ends, or
   its peak is no more than the buffer's own, so that nothing between the ends and the hottest section needs a look. */
static void assign(grouping *g, uint32_t buffer) {
  heat *h = &g->heats[buffer];
  h->peak = -1;
  assign_at(g, h, g->hottest[buffer]);
  for (uint32_t p = g->problem->piece_begin[buffer]; p < g->problem->piece_begin[buffer + 1]; p++) {
    assign_at(g, h, g->problem->pieces[p].first);
    assign_at(g, h, g->problem->pieces[p].end - 1);
  }
}

static void group(grouping *g) {
  uint32_t at = 0;
  for (uint32_t k = 0, end; k < g->count; k = end) {
    int64_t threshold = g->heats[g->by_heat[k]].threshold;
    for (; at < g->problem->section_count && load_of(g, g->sections[at]) >= threshold; at++) join(g, g->sections[at]);
    for (end = k; end < g->count && g->heats[g->by_heat[end]].threshold == threshold; end++) assign(g, g->by_heat[end]);
  }
}

/* ---- orders ---------------------------------------------------------------------------------------------------------- */

static int compare(int64_t a, int64_t b) {
  return (a > b) - (a < b);
}

/* > 0: a's phase comes later. Parts go by time. */
static int compare_phases(const grouping *g, uint32_t a, uint32_t b) {
  const heat *x = &g->heats[a], *y = &g->heats[b];
  int order = compare(x->part, y->part);
  if (!order) order = compare(y->threshold, x->threshold);
  if (!order) order = compare(y->peak, x->peak);
  return order ? order : compare(x->range, y->range);
}

static int compare_areas(const asc_buffer_spec *a, const asc_buffer_spec *b) {
  const uint64_t x[2] = {(uint64_t)a->size, (uint64_t)a->upper - (uint64_t)a->lower};
  const uint64_t y[2] = {(uint64_t)b->size, (uint64_t)b->upper - (uint64_t)b->lower};
  return asci_compare_products(x, y, 2);
}

static bool earlier_phase(const void *keys, uint32_t a, uint32_t b) {
  int order = compare_phases(keys, a, b);
  return order ? order < 0 : a < b;
}

/* The paper names no ties. Here: of equal lifetimes the larger, of equal sizes or areas the longer-lived; then more contention, earlier
   start, lower index. */
static bool sooner(const void *keys, uint32_t a, uint32_t b) {
  const grouping *g = keys;
  const asc_buffer_spec *x = &g->problem->buffers[a], *y = &g->problem->buffers[b];
  int order = 0, life = compare(y->upper - y->lower, x->upper - x->lower);
  if (g->heuristic == TELA_SIZE) order = compare(y->size, x->size);
  if (g->heuristic == TELA_AREA) order = compare_areas(y, x);
  if (!order) order = life;
  if (!order) order = compare(y->size, x->size);
  if (!order) order = compare(g->heats[b].contention, g->heats[a].contention);
  if (!order) order = compare(x->lower, y->lower);
  return order ? order < 0 : a < b;
}

static void number_phases(tela_search *s, const grouping *g) {
  const uint32_t *order = g->buffers;
  for (uint32_t k = 0; k < g->count; k++) {
    bool new_part = !k || g->heats[order[k]].part != g->heats[order[k - 1]].part;
    if (new_part || compare_phases(g, order[k], order[k - 1])) s->phase_begin[s->phase_count++] = k;
    if (new_part) s->parts[s->part_count++].first_phase = s->phase_count - 1;
    s->phase[order[k]] = s->phase_count - 1;
    s->left[s->phase_count - 1]++;
    s->parts[s->part_count - 1].end_phase = s->phase_count;
  }
  s->phase_begin[s->phase_count] = g->count;
}

static void sort_all(tela_search *s, grouping *g) {
  asci_sort(g->buffers, g->scratch, g->count, earlier_phase, g);
  number_phases(s, g);
  for (uint32_t h = 0; h < TELA_HEURISTIC_COUNT; h++) {
    uint32_t *order = s->order[h];
    g->heuristic = h;
    for (uint32_t k = 0; k < g->count; k++) order[k] = g->buffers[k];
    for (uint32_t p = 0; p < s->phase_count; p++) {
      s->cursor[h][p] = s->phase_begin[p];
      asci_sort(order + s->phase_begin[p], g->scratch, s->left[p], sooner, g);
    }
    for (uint32_t k = 0; k < g->count; k++) s->rank[h][order[k]] = k;
  }
}

/* Its share in the greatest load, which is not 0 where anybody has a section; rounded down. Beyond 2^50 the lowest bits of both do not count. */
static uint32_t heat_of(const asc_problem *problem, int64_t contention) {
  int64_t most = problem->sections[problem->peak].load;
  for (; most >> 50; most >>= 1) contention >>= 1;
  return (uint32_t)(contention * TELA_SHARE / most);
}

static void fill(tela_search *s, grouping *g) {
  const asc_problem *problem = g->problem;
  const asc_run *run = s->base.run;
  for (uint32_t b = 0; b < problem->count; b++) {
    s->phase[b] = ASC_NONE;
    s->heat[b] = 0;
    if (problem->piece_begin[b] == problem->piece_begin[b + 1]) continue;
    g->by_heat[g->count] = b;
    g->buffers[g->count++] = b;
    measure(g, b, run->capacity, s->options.phase_step);
    s->heat[b] = heat_of(problem, g->heats[b].contention);
    if (!s->options.phases) g->heats[b].threshold = 0;
  }
  if (s->options.phases) {
    for (uint32_t t = 0; t < problem->section_count; t++) {
      g->sections[t] = t;
      g->root[t] = ASC_NONE;
    }
    asci_sort(g->sections, g->scratch, problem->section_count, hotter_section, g);
    asci_sort(g->by_heat, g->scratch, g->count, hotter_buffer, g);
    group(g);
  }
  sort_all(s, g);
}

enum { PER_BUFFER, PER_SECTION, PER_EITHER };

static const asci_array grouped[] = {
    ASCI_ARRAY(grouping, heats, PER_BUFFER, ASCI_ZEROS), ASCI_ARRAY(grouping, sections, PER_SECTION, ASCI_RAW),
    ASCI_ARRAY(grouping, hottest, PER_BUFFER, ASCI_RAW), ASCI_ARRAY(grouping, root, PER_SECTION, ASCI_RAW),
    ASCI_ARRAY(grouping, peak, PER_SECTION, ASCI_RAW),   ASCI_ARRAY(grouping, buffers, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(grouping, by_heat, PER_BUFFER, ASCI_RAW), ASCI_ARRAY(grouping, scratch, PER_EITHER, ASCI_RAW),
};

/* As long as there can be phases: one for each buffer. */
enum { PER_PHASE = PER_BUFFER, PER_BEGIN };

static const asci_array arrays[] = {
    ASCI_ARRAY(tela_search, phase, PER_BUFFER, ASCI_RAW),        ASCI_ARRAY(tela_search, heat, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_search, phase_begin, PER_BEGIN, ASCI_ZEROS), ASCI_ARRAY(tela_search, parts, PER_PHASE, ASCI_ZEROS),
    ASCI_ARRAY(tela_search, left, PER_PHASE, ASCI_ZEROS),        ASCI_ARRAY(tela_search, order[0], PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_search, order[1], PER_BUFFER, ASCI_RAW),     ASCI_ARRAY(tela_search, order[2], PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_search, rank[0], PER_BUFFER, ASCI_ZEROS),    ASCI_ARRAY(tela_search, rank[1], PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(tela_search, rank[2], PER_BUFFER, ASCI_ZEROS),    ASCI_ARRAY(tela_search, cursor[0], PER_PHASE, ASCI_RAW),
    ASCI_ARRAY(tela_search, cursor[1], PER_PHASE, ASCI_RAW),     ASCI_ARRAY(tela_search, cursor[2], PER_PHASE, ASCI_RAW),
};

_Static_assert(TELA_HEURISTIC_COUNT == 3, "the table names the arrays of three");

bool asci_tela_phases(tela_search *s) {
  const asc_problem *problem = s->base.problem;
  asc_context *context = s->base.run->context;
  const size_t n = problem->count, sections = problem->section_count;
  const size_t found[] = {n, n + 1}, grouping_counts[] = {n, sections, n > sections ? n : sections};
  grouping g = {.problem = problem, .split = s->options.split};
  bool made = asci_arrays_new(context, ASCI_TABLE(grouped), grouping_counts, &g) &&
              asci_arrays_new(context, ASCI_TABLE(arrays), found, s) && asci_peaks(problem, g.hottest) == ASC_OK;
  if (made) fill(s, &g);
  asci_arrays_free(context, ASCI_TABLE(grouped), &g);
  return made;
}

void asci_tela_phases_free(tela_search *s) {
  asci_arrays_free(s->base.run->context, ASCI_TABLE(arrays), s);
}
