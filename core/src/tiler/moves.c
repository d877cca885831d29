/* What a plan of a graph leaves in the memory outside, as tensors there, and its copies out and back as tasks on their tiles.
 *
 *     arena    | a |      | a |         at 2 a is copied out, at 4 it is fetched; between them it lies outside, and tile by tile it may lie
 *     outside      | a a |              where what was fetched before it, or will be copied out after it, does
 *              0  1  2  3  4
 *
 * At each time all copies out come first: they make the room that the fetched needs. */
#include "tiler/tiler.h"

#include "base/diag.h"
#include "base/sort.h"
#include "base/text/format.h"

#include <string.h>

typedef struct mover {
  asci_tiler *t;
  const asc_plan *plan;
  uint32_t *first, *next; /* the stays outside of each item, and the next one of a stay */
  asci_form *forms;       /* per stay: of those outside */
  uint32_t *kinds;        /* per item: of all its names together */
} mover;

static bool is_outside(const mover *m, uint32_t stay) {
  const asc_stay *s = &m->plan->stays[stay];
  return s->pool == ASC_POOL_OUTSIDE && s->item < m->t->graph->tensor_count;
}

/* ---- tensors ----------------------------------------------------------------------------------------------------------- */

/* A copy has the name of its tensor, a later one a number besides. */
static void name_of(const mover *m, uint32_t stay, char name[256]) {
  const asc_graph *g = m->t->graph;
  uint32_t item = m->plan->stays[stay].item, turn = 1;
  for (uint32_t s = m->first[item]; s != stay; s = m->next[s]) turn++;
  asci_format(name, 256, "%s", g->tensors[item].id);
  if (turn == 1) return;
  for (uint32_t number = turn;; number += m->plan->stay_count) {
    asci_task_id(name, g->tensors[item].id, item, number);
    if (asc_graph_find(g, name) == ASC_NONE) return;
  }
}

static asc_status add_copy(mover *m, uint32_t stay) {
  asci_tiler *t = m->t;
  const asc_stay *s = &m->plan->stays[stay];
  char name[256];
  uint32_t kind = m->kinds[s->item], made = 0;
  bool given = kind & (ASC_TENSOR_INPUT | ASC_TENSOR_CONSTANT);
  if (given && s->lower == 0)
    made = ASC_TENSOR_INPUT;
  else if ((kind & ASC_TENSOR_OUTPUT) && s->upper >= m->plan->turns)
    made = ASC_TENSOR_OUTPUT;
  name_of(m, stay, name);
  asc_status status = asci_form_add(t, s->item, name, made);
  m->forms[stay] = t->forms[s->item];
  return status;
}

/* ---- copies -------------------------------------------------------------------------------------------------------------- */

static asc_status add_tiles(mover *m, uint32_t stay, int64_t time, bool fetches) {
  asci_tiler *t = m->t;
  const asci_form *form = &m->forms[stay];
  const char *name = asc_tiling_tensor(t->tiling, form->tiled)->id;
  char base[320], id[256];
  asci_cut cut;
  asc_status status = asci_choose_move(t, m->plan->stays[stay].item, &cut);
  if (fetches)
    asci_format(base, sizeof base, "%s in %lld", name, (long long)time);
  else
    asci_format(base, sizeof base, "%s out", name);
  for (uint64_t n = 0; n < cut.tiles && !status; n++) {
    asci_range tile[ASC_MAX_RANK];
    asci_cut_tile(form, &cut, n, tile);
    asc_box box = asci_form_box(form, tile);
    asc_task_spec task = {.id = id, .reads = &box, .writes = &box, .read_count = fetches, .write_count = !fetches};
    asci_task_id(id, base, stay, n);
    status = asc_tiling_add_task(t->tiling, &task, t->diag);
  }
  return status;
}

/* The stay outside that an arena stay was fetched from, ASC_NONE if its bytes were made there. */
static uint32_t source_of(const mover *m, const asc_stay *arena) {
  if (arena->pool != ASC_POOL_MAIN || arena->item >= m->t->graph->tensor_count) return ASC_NONE;
  for (uint32_t s = m->first[arena->item]; s != ASC_NONE; s = m->next[s])
    if (m->plan->stays[s].lower < arena->lower && arena->lower <= m->plan->stays[s].upper) return s;
  return ASC_NONE;
}

/* Adds the copies in order of time, those out first. events: room for two a stay; scratch for twice as many. */
static asc_status add_copies(mover *m, uint32_t *events, int64_t *keys, int64_t *scratch) {
  uint32_t count = 0, n = m->plan->stay_count;
  asc_status status = ASC_OK;
  for (uint32_t k = 0; k < n; k++) {
    const asc_stay *s = &m->plan->stays[k];
    bool made = is_outside(m, k) && asc_tiling_tensor(m->t->tiling, m->forms[k].tiled)->kind != ASC_TENSOR_INPUT;
    bool fetched = source_of(m, s) != ASC_NONE;
    keys[k] = 2 * s->lower + fetched;
    if (made || fetched) events[count++] = k;
  }
  asci_sort_by(events, scratch, count, keys);
  for (uint32_t k = 0; k < count && !status; k++) {
    const asc_stay *s = &m->plan->stays[events[k]];
    uint32_t source = source_of(m, s);
    bool fetched = source != ASC_NONE;
    status = add_tiles(m, fetched ? source : events[k], s->lower, fetched);
  }
  return status;
}

static asc_status add_all(mover *m) {
  asci_tiler *t = m->t;
  uint32_t n = m->plan->stay_count;
  uint32_t *events = asci_alloc(t->context, n, sizeof *events);
  int64_t *keys = asci_alloc(t->context, 3 * (size_t)n, sizeof *keys);
  asc_status status = events && keys ? ASC_OK : ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < n && !status; k++)
    if (is_outside(m, k)) status = add_copy(m, k);
  if (!status) status = add_copies(m, events, keys, keys + n);
  asci_free(t->context, events);
  asci_free(t->context, keys);
  return status ? status : asc_tiling_freeze(t->tiling, t->diag);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

static asc_status make(mover *m) {
  asci_tiler *t = m->t;
  const asc_graph *g = t->graph;
  uint32_t n = m->plan->stay_count;
  m->first = asci_alloc(t->context, g->tensor_count, sizeof *m->first);
  m->kinds = asci_calloc(t->context, g->tensor_count, sizeof *m->kinds);
  m->next = asci_alloc(t->context, n, sizeof *m->next);
  m->forms = asci_calloc(t->context, n, sizeof *m->forms);
  if (!m->first || !m->kinds || !m->next || !m->forms) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_forms(t);
  if (status) return status;
  memset(m->first, 0xff, g->tensor_count * sizeof *m->first);
  for (uint32_t k = n; k-- > 0;) {
    if (!is_outside(m, k)) continue;
    m->next[k] = m->first[m->plan->stays[k].item];
    m->first[m->plan->stays[k].item] = k;
  }
  for (uint32_t k = 0; k < g->tensor_count; k++) {
    uint32_t store = t->forms[k].store;
    m->kinds[k] |= g->tensors[k].kind;
    if (store != ASC_NONE) m->kinds[store] |= g->tensors[k].kind;
  }
  return add_all(m);
}

asc_status asc_plan_tile(const asc_graph *graph, const asc_plan *plan, const asc_option_value *options, uint32_t count,
                         int64_t capacity, asc_tiling **tiling, asc_diag *diag) {
  if (!graph || !plan || !tiling || !graph->frozen || capacity < 0 || (count && !options) ||
      (plan->stay_count && !plan->stays))
    return ASC_BAD_ARGUMENT;
  asc_diag own = {0};
  asci_tiler t = {.context = graph->context, .graph = graph, .capacity = capacity, .diag = diag ? diag : &own};
  mover m = {.t = &t, .plan = plan};
  asc_status status = asci_tile_settings_read(options, count, &t.set, t.diag);
  if (!status) status = asc_tiling_new(t.context, &t.tiling);
  if (!status) status = make(&m);
  void *const blocks[] = {m.first, m.next, m.forms, m.kinds, t.forms};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(t.context, blocks[k]);
  if (status)
    asc_tiling_free(t.tiling);
  else
    *tiling = t.tiling;
  return status;
}
