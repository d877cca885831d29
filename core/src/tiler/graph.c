/* From a graph, options and the bytes on the chip to a tiling. */
#include "tiler/tiler.h"

#include "base/diag.h"

ASCI_OPTION_TABLE(asci_tile_settings, ASCI_TILE_OPTIONS);
enum { OPTIONS = sizeof asci_tile_settings_table / sizeof *asci_tile_settings_table };

const asc_option *asc_tile_options(uint32_t *count) {
  *count = OPTIONS;
  return asci_tile_settings_table;
}

asc_status asci_tile_settings_read(const asc_option_value *options, uint32_t count, asci_tile_settings *set,
                                   asc_diag *diag) {
  const asci_option_table all = {"tiling", asci_tile_settings_table, asci_tile_settings_places, OPTIONS};
  const char *values[OPTIONS];
  asc_status status = asci_options_read(&all, options, count, values, diag);
  if (!status) asci_options_fill(&all, values, set);
  return status;
}

/* What is an output under any of its names is kept. */
static asc_status add_tensors(asci_tiler *t) {
  const asc_graph *g = t->graph;
  uint32_t *kinds = asci_calloc(t->context, g->tensor_count, sizeof *kinds);
  asc_status status = kinds ? ASC_OK : ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < g->tensor_count && !status; k++)
    if (t->forms[k].store != ASC_NONE) kinds[t->forms[k].store] |= g->tensors[k].kind;
  for (uint32_t k = 0; k < g->tensor_count && !status; k++) {
    if (t->forms[k].store != k) continue;
    uint32_t kind = kinds[k] & ASC_TENSOR_INPUT ? ASC_TENSOR_INPUT : kinds[k] & ASC_TENSOR_OUTPUT;
    status = asci_form_add(t, k, g->tensors[k].id, kind);
  }
  asci_free(t->context, kinds);
  return status;
}

static asc_status make(asci_tiler *t) {
  t->cuts = asci_calloc(t->context, t->graph->op_count, sizeof *t->cuts);
  asc_status status = t->cuts ? asci_forms(t) : ASC_OUT_OF_MEMORY;
  if (!status && t->set.concat == ASCI_TILES_IN_PLACE) asci_join(t);
  for (uint32_t op = 0; op < t->graph->op_count && !status; op++) status = asci_choose(t, op);
  if (!status) status = asci_members(t);
  if (!status) status = add_tensors(t);
  if (!status) status = asci_tasks(t);
  return status ? status : asc_tiling_freeze(t->tiling, t->diag);
}

asc_status asc_graph_tile(const asc_graph *graph, const asc_option_value *options, uint32_t count, int64_t capacity,
                          asc_tiling **tiling, asc_diag *diag) {
  if (!graph || !tiling || !graph->frozen || capacity < 0 || (count && !options)) return ASC_BAD_ARGUMENT;
  asc_diag own = {0};
  asci_tiler t = {.context = graph->context, .graph = graph, .capacity = capacity, .diag = diag ? diag : &own};
  asc_status status = asci_tile_settings_read(options, count, &t.set, t.diag);
  if (!status) status = asc_tiling_new(t.context, &t.tiling);
  if (!status) status = make(&t);
  asci_free(t.context, t.forms);
  asci_free(t.context, t.cuts);
  asci_free(t.context, t.member_begin);
  asci_free(t.context, t.members);
  if (status)
    asc_tiling_free(t.tiling);
  else
    *tiling = t.tiling;
  return status;
}
