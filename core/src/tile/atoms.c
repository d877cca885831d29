/* Lifetimes of a tensor's parts. All bounds of its boxes cut it into cells, along every axis:
 *
 *      written by tiles of 4        | 0       | 1       | 2       |
 *      read by tiles of 4 with halo | 0          |  ...
 *                                             1         |
 *      cells                        |      |  |  | ...            each is written, read, and dead at once
 *
 * A cell's chunks are rectangles of address and time; those that adjoin and live for the same time are one. */
#include "base/sort.h"
#include "tile/tiling.h"

#include <string.h>

/* Raw chunks and cells of one tensor at most: what is more is no tiling that a compiler writes, and takes too much memory. */
#define MOST_CELLS (UINT64_C(1) << 22)

typedef struct grid {
  const asci_tiled *tensor;
  uint32_t axes;                /* the tensor's */
  int64_t *cuts[ASCI_MAX_AXES]; /* cells[k] + 1 of them */
  uint32_t cells[ASCI_MAX_AXES];
  uint32_t count;       /* of all cells */
  int64_t *begin, *end; /* by cell: the time it is needed from, and until; begin -1: it is not there yet */
  int64_t *block;       /* of the cuts */
  asc_rect *rects;      /* raw chunks */
  size_t rect_count;
  asc_rect next; /* what a chunk of the cell under way has in common */
} grid;

static void free_grid(asc_context *context, grid *g) {
  asci_free(context, g->block);
  asci_free(context, g->begin);
  asci_free(context, g->end);
  asci_free(context, g->rects);
}

/* Sorts the cuts of one axis and keeps each once. Returns how many. */
static uint32_t sort_cuts(int64_t *cuts, int64_t *scratch, uint32_t count) {
  uint32_t kept = 0;
  asci_sort_numbers(cuts, scratch, count);
  for (uint32_t k = 0; k < count; k++)
    if (!kept || cuts[kept - 1] != cuts[k]) cuts[kept++] = cuts[k];
  return kept;
}

/* Errors: OUT_OF_MEMORY, TOO_LARGE. */
static asc_status make_grid(asc_context *context, grid *g, const asci_tile_use *uses, uint32_t count) {
  const asci_tiled *tensor = g->tensor;
  uint32_t axes = g->axes = tensor->axis_count, most = 2 * count + 2;
  g->block = asci_alloc(context, (size_t)most * (axes + 1), sizeof *g->block);
  if (!g->block) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < axes; k++) {
    g->cuts[k] = g->block + (size_t)most * k;
    g->cuts[k][0] = 0;
    g->cuts[k][1] = tensor->axes[k].size;
  }
  for (uint32_t u = 0; u < count; u++) {
    int64_t low[ASCI_MAX_AXES], high[ASCI_MAX_AXES];
    asci_tile_box(tensor, uses[u].box, low, high);
    for (uint32_t k = 0; k < axes; k++) {
      g->cuts[k][2 * u + 2] = low[k];
      g->cuts[k][2 * u + 3] = high[k];
    }
  }
  uint64_t cells = 1;
  for (uint32_t k = 0; k < axes; k++) {
    g->cells[k] = sort_cuts(g->cuts[k], g->block + (size_t)most * axes, most) - 1;
    cells *= g->cells[k];
    if (cells > MOST_CELLS) return ASC_TOO_LARGE;
  }
  g->count = (uint32_t)cells;
  g->begin = asci_alloc(context, g->count, sizeof *g->begin);
  g->end = asci_calloc(context, g->count, sizeof *g->end);
  if (!g->begin || !g->end) return ASC_OUT_OF_MEMORY;
  for (uint32_t c = 0; c < g->count; c++) g->begin[c] = tensor->writers ? -1 : 0;
  return ASC_OK;
}

/* A walk over the cells of a box, the last axis fastest. */
typedef struct walk {
  uint32_t axes, at[ASCI_MAX_AXES], low[ASCI_MAX_AXES], high[ASCI_MAX_AXES];
} walk;

static walk walk_box(const grid *g, const asc_box *box) {
  int64_t low[ASCI_MAX_AXES], high[ASCI_MAX_AXES];
  walk w = {.axes = g->axes};
  asci_tile_box(g->tensor, box, low, high);
  for (uint32_t k = 0; k < w.axes; k++) {
    w.at[k] = w.low[k] = asci_count_below(g->cuts[k], g->cells[k] + 1, low[k]);
    w.high[k] = asci_count_below(g->cuts[k], g->cells[k] + 1, high[k]);
  }
  return w;
}

static uint32_t cell_of(const grid *g, const walk *w) {
  uint32_t cell = 0;
  for (uint32_t k = 0; k < w->axes; k++) cell = cell * g->cells[k] + w->at[k];
  return cell;
}

static bool walk_on(walk *w) {
  for (uint32_t k = w->axes; k-- > 0;) {
    if (++w->at[k] < w->high[k]) return true;
    w->at[k] = w->low[k];
  }
  return false;
}

/* False if the box is read before all of it was written. */
static bool use_box(grid *g, const asci_tile_use *use) {
  walk w = walk_box(g, use->box);
  do {
    uint32_t cell = cell_of(g, &w);
    int64_t time = 2 * (int64_t)use->task + use->writes;
    if (g->begin[cell] < 0 && !use->writes) return false;
    if (g->begin[cell] < 0) g->begin[cell] = time;
    g->end[cell] = time + 1;
  } while (walk_on(&w));
  return true;
}

/* ---- chunks ---------------------------------------------------------------------------------------------------------- */

static void add_chunk(void *user, int64_t offset, int64_t size) {
  grid *g = user;
  asc_rect rect = g->next;
  rect.low += offset;
  rect.high = rect.low + size;
  g->rects[g->rect_count++] = rect;
}

/* Where the walk's cell begins, and its sizes. */
static int64_t cell_at(const grid *g, const walk *w, int64_t sizes[ASCI_MAX_AXES]) {
  int64_t offset = 0;
  for (uint32_t k = 0; k < w->axes; k++) {
    const int64_t *cut = &g->cuts[k][w->at[k]];
    offset += cut[0] * g->tensor->axes[k].stride;
    sizes[k] = cut[1] - cut[0];
  }
  return offset;
}

static walk walk_all(const grid *g) {
  walk w = {.axes = g->axes};
  memcpy(w.high, g->cells, sizeof w.high);
  return w;
}

static asc_status make_chunks(asc_context *context, grid *g) {
  const asci_tiled *tensor = g->tensor;
  int64_t sizes[ASCI_MAX_AXES];
  for (int pass = 0; pass < 2; pass++) { /* counted, then made */
    uint64_t count = 0;
    walk w = walk_all(g);
    for (uint32_t cell = 0; cell < g->count; cell++, walk_on(&w)) {
      if (g->end[cell] == 0) continue; /* of no use to anyone */
      g->next = (asc_rect){.lower = g->begin[cell], .upper = g->end[cell], .low = cell_at(g, &w, sizes)};
      uint64_t chunks = asci_chunk_count(tensor->axes, sizes, g->axes, tensor->spec.element);
      if (chunks > MOST_CELLS - count) return ASC_TOO_LARGE;
      count += chunks;
      if (pass) asci_chunks(tensor->axes, sizes, g->axes, tensor->spec.element, add_chunk, g);
    }
    if (!pass) g->rects = asci_alloc(context, (size_t)count, sizeof *g->rects);
    if (!g->rects) return ASC_OUT_OF_MEMORY;
  }
  return ASC_OK;
}

/* Copies the rectangles in order of lower or, of those at one time, of low. */
static bool sort_rects(asc_context *context, const grid *g, bool by_low, asc_rect *sorted) {
  uint32_t count = (uint32_t)g->rect_count;
  uint32_t *items = asci_alloc(context, count, sizeof *items);
  int64_t *keys = asci_alloc(context, count, sizeof *keys), *pairs = asci_alloc(context, 2 * (size_t)count, sizeof *pairs);
  bool well = items && keys && pairs;
  for (uint32_t k = 0; well && k < count; k++) {
    items[k] = k;
    keys[k] = by_low ? g->rects[k].low : g->rects[k].lower;
  }
  if (well) asci_sort_by(items, pairs, count, keys);
  for (uint32_t k = 0; well && k < count; k++) sorted[k] = g->rects[items[k]];
  asci_free(context, items);
  asci_free(context, keys);
  asci_free(context, pairs);
  return well;
}

/* The chunks in order of address, those that adjoin and live for the same time as one. */
static asc_status merge_chunks(asc_context *context, grid *g) {
  asc_rect *sorted = asci_alloc(context, g->rect_count, sizeof *sorted);
  bool well = sorted && sort_rects(context, g, true, sorted);
  size_t count = 0;
  for (size_t k = 0; well && k < g->rect_count; k++) {
    asc_rect *last = count ? &g->rects[count - 1] : NULL;
    const asc_rect *rect = &sorted[k];
    if (last && last->high == rect->low && last->lower == rect->lower && last->upper == rect->upper)
      last->high = rect->high;
    else
      g->rects[count++] = *rect;
  }
  g->rect_count = count;
  asci_free(context, sorted);
  return well ? ASC_OK : ASC_OUT_OF_MEMORY;
}

static asc_status append_rects(asc_tiling *tiling, uint32_t tensor, const grid *g, size_t *room) {
  size_t begin = tiling->begin[tensor];
  if (!asci_grow(tiling->context, &tiling->rects, room, begin + g->rect_count, sizeof *tiling->rects))
    return ASC_OUT_OF_MEMORY;
  if (!sort_rects(tiling->context, g, false, tiling->rects + begin)) return ASC_OUT_OF_MEMORY;
  tiling->begin[tensor + 1] = begin + g->rect_count;
  return ASC_OK;
}

asc_status asci_tile_atoms(asc_tiling *tiling, uint32_t tensor, const asci_tile_use *uses, uint32_t count, size_t *room,
                           asci_tile_report report, void *user) {
  asc_context *context = tiling->context;
  grid g = {.tensor = &tiling->tensors[tensor]};
  asci_tile_fault fault = {.tensor = tensor, .task = ASC_NONE, .field = "shape"};
  asc_status status = make_grid(context, &g, uses, count);
  for (uint32_t u = 0; u < count && !status; u++) {
    if (use_box(&g, &uses[u])) continue;
    fault.task = uses[u].task;
    fault.field = "reads";
    report(user, &fault, "has a part of a tensor that no task wrote before");
    status = ASC_BAD_INPUT;
  }
  int64_t end = 2 * (int64_t)tiling->task_count;
  for (uint32_t cell = 0; !status && g.tensor->spec.kind == ASC_TENSOR_OUTPUT && cell < g.count; cell++)
    if (g.end[cell]) g.end[cell] = end;
  if (!status) status = make_chunks(context, &g);
  if (!status) status = merge_chunks(context, &g);
  if (!status) status = append_rects(tiling, tensor, &g, room);
  if (status == ASC_TOO_LARGE) report(user, &fault, "falls into too many parts, expected at most 4,194,304");
  free_grid(context, &g);
  return status;
}
