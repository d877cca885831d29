#include "solve/taa/tables.h"

#include "base/arrays.h"
#include "base/number/multiple.h"
#include "model/lifespan/neighbours.h"
#include "model/lifespan/overlaps.h"

#include <string.h>

#define WORK 16384 /* of a step, see asci_taa_gather_go_on */

typedef struct asci_taa_making {
  const asc_problem *problem;
  asci_neighbours neighbours;
  asci_taa_gather gather;
  /* The pair under way: u and its neighbour number `nth`, of `count`. */
  const uint32_t *others;
  uint32_t u, nth, count;
  bool open;
} asci_taa_making;

enum { PER_BUFFER, PER_MEETING };
static const asci_array arrays[] = {
    ASCI_ARRAY(asci_taa_tables, row_begin, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(asci_taa_tables, rows, PER_MEETING, ASCI_RAW),
    ASCI_OWN(asci_taa_tables, pairs),
    ASCI_OWN(asci_taa_tables, ranges),
};

/* Each pair is two meetings. The row that is filled has its end one place behind its begin. */
static bool new_rows(asc_context *context, uint32_t buffers, asci_taa_tables *tables) {
  const size_t counts[] = {(size_t)buffers + 2, 2 * (size_t)tables->pair_count};
  return asci_arrays_new(context, ASCI_TABLE(arrays), counts, tables);
}

static void stop_making(asc_context *context, asci_taa_tables *tables) {
  asci_taa_making *m = tables->making;
  if (!m) return;
  asci_neighbours_free(&m->neighbours);
  asci_taa_gather_free(&m->gather);
  asci_free(context, m);
  tables->making = NULL;
}

void asci_taa_tables_free(asc_context *context, asci_taa_tables *tables) {
  stop_making(context, tables);
  asci_arrays_free(context, ASCI_TABLE(arrays), tables);
  *tables = (asci_taa_tables){0};
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Pairs are in order of u, then v, so that each row is in order too. */
static bool make_rows(const asc_problem *problem, asci_taa_tables *tables) {
  uint32_t n = problem->count;
  if (!new_rows(problem->context, n, tables)) return false;
  size_t *next = tables->row_begin + 1; /* becomes the begin of the next row as the row is filled */
  for (uint32_t k = 0; k < tables->pair_count; k++) {
    next[tables->pairs[k].u + 1]++;
    next[tables->pairs[k].v + 1]++; /* behind the last row, too, where nobody looks */
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

/* ---- pairs ----------------------------------------------------------------------------------------------------------- */

/* The ranges that were gathered. */
static bool keep_pair(asci_taa_tables *tables) {
  asci_taa_making *m = tables->making;
  const asci_taa_gather *g = &m->gather;
  asc_context *context = m->problem->context;
  size_t begin = tables->range_count, end = begin + g->joined_count;
  m->open = false;
  if (!g->joined_count) return true;
  if (!asci_grow(context, &tables->pairs, &tables->pair_room, (size_t)tables->pair_count + 1, sizeof *tables->pairs) ||
      !asci_grow(context, &tables->ranges, &tables->range_room, end, sizeof *tables->ranges))
    return false;
  memcpy(tables->ranges + begin, g->joined, g->joined_count * sizeof *g->joined);
  tables->pairs[tables->pair_count++] = (asci_taa_pair){g->u, g->v, g->grain, begin, end};
  tables->range_count = end;
  return true;
}

/* False: there is no further one. */
static bool begin_pair(asci_taa_tables *tables) {
  asci_taa_making *m = tables->making;
  const asci_taa_tiles *tiles = m->gather.tiles;
  const asc_buffer_spec *buffers = m->problem->buffers;
  for (; m->u < m->problem->count; m->u++, m->others = NULL) {
    if (tiles->begin[m->u] == tiles->begin[m->u + 1]) continue;
    if (!m->others) {
      m->others = asci_neighbours_of(&m->neighbours, m->u, &m->count);
      m->nth = 0;
    }
    while (m->nth < m->count && m->others[m->nth] < m->u) m->nth++;
    if (m->nth == m->count) continue;
    uint32_t v = m->others[m->nth++];
    m->gather.most = ASCI_TAA_MOST_RANGES - tables->range_count;
    asci_taa_gather_begin(&m->gather, m->u, v, asci_common_divisor(buffers[m->u].alignment, buffers[v].alignment));
    m->open = true;
    return true;
  }
  return false;
}

uint32_t asci_taa_tables_under_way(const asci_taa_tables *tables) {
  return tables->making && tables->making->open ? tables->making->u : ASC_NONE;
}

asc_status asci_taa_tables_step(asci_taa_tables *tables) {
  asci_taa_making *m = tables->making;
  m->gather.left = WORK;
  while (m->gather.left > 0) {
    bool done = false;
    if (!m->open && !begin_pair(tables)) {
      asc_status status = make_rows(m->problem, tables) ? ASC_OK : ASC_OUT_OF_MEMORY;
      stop_making(m->problem->context, tables);
      return status;
    }
    m->gather.left--;
    asc_status status = asci_taa_gather_go_on(&m->gather, &done);
    if (!status && done && !keep_pair(tables)) status = ASC_OUT_OF_MEMORY;
    if (status) return status;
  }
  return ASC_OK;
}

asc_status asci_taa_tables_new(const asc_problem *problem, const asci_taa_tiles *tiles, asci_taa_tables *tables) {
  asci_taa_making *m = asci_calloc(problem->context, 1, sizeof *m);
  if (!m) return ASC_OUT_OF_MEMORY;
  m->problem = problem;
  asc_status status = asci_neighbours_new(problem, &m->neighbours);
  if (status) {
    asci_free(problem->context, m);
    return status;
  }
  tables->making = m;
  if (m->neighbours.pairs > ASCI_MAX_PAIRS) return ASC_OUT_OF_MEMORY;
  if (m->neighbours.pairs) return asci_taa_gather_new(problem, tiles, &m->gather);
  stop_making(problem->context, tables);
  return make_rows(problem, tables) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

static void *copy_of(asc_context *context, const void *from, size_t count, size_t size) {
  void *made = asci_alloc(context, count, size);
  if (made && count) memcpy(made, from, count * size);
  return made;
}

asc_status asci_taa_tables_copy(asc_context *context, const asci_taa_tables *from, uint32_t buffers,
                                asci_taa_tables *tables) {
  *tables = (asci_taa_tables){.pair_count = from->pair_count,
                              .range_count = from->range_count,
                              .pair_room = from->pair_count,
                              .range_room = from->range_count};
  tables->pairs = copy_of(context, from->pairs, from->pair_count, sizeof *from->pairs);
  tables->ranges = copy_of(context, from->ranges, from->range_count, sizeof *from->ranges);
  if (!tables->pairs || !tables->ranges || !new_rows(context, buffers, tables)) return ASC_OUT_OF_MEMORY;
  memcpy(tables->row_begin, from->row_begin, ((size_t)buffers + 2) * sizeof *from->row_begin);
  memcpy(tables->rows, from->rows, 2 * (size_t)from->pair_count * sizeof *from->rows);
  return ASC_OK;
}
