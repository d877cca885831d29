/* Tiles of operators: the largest that fits on the chip with all that it needs.
 *
 * What is cut first is what leaves a tile in the fewest pieces and lets go of the input tile by tile: of pictures rows, then columns, then channels,
 * for a convolution needs all channels of its input for each of its output; otherwise dimensions that the inputs follow, then those that need all of
 * an input again for each tile. A dimension is cut only when the ones before it are down to 1. */
#include "tiler/tiler.h"

#include "base/diag.h"

#include <string.h>

#define ID "\xe2\x80\x9c%.60s\xe2\x80\x9d"

/* ---- checks ---------------------------------------------------------------------------------------------------------- */

static asc_status refuse(const asci_tiler *t, uint32_t op, uint32_t input, const char *what) {
  return asci_complain(t->diag, ASC_BAD_INPUT, "windows", "of " ID " do not fit " ID ": %s", t->graph->ops[op].id,
                       t->graph->tensors[input].id, what);
}

/* Whether each window is of its input's rank and follows dimensions that the output has. */
static asc_status check_windows(const asci_tiler *t, uint32_t op, uint32_t rank) {
  const asc_op_spec *spec = &t->graph->ops[op];
  const char *at = spec->windows;
  for (uint32_t k = 0; k < spec->input_count; k++) {
    asci_window window;
    const asci_form *form = &t->forms[spec->inputs[k]];
    asci_window_next(&at, &window);
    if (!window.rank || form->store == ASC_NONE) continue;
    if (!form->known) return refuse(t, op, spec->inputs[k], "its shape is not known");
    if (window.rank != form->rank)
      return refuse(t, op, spec->inputs[k], "it has another number of dimensions than its window");
    for (uint32_t d = 0; d < window.rank; d++)
      if (window.axes[d].kind != ASCI_WINDOW_ALL && window.axes[d].dimension >= rank)
        return refuse(t, op, spec->inputs[k], "they follow a dimension that the output does not have");
  }
  return ASC_OK;
}

/* Whether it only gives its inputs' bytes another shape. */
static bool is_view(const asci_tiler *t, uint32_t op) {
  const asc_op_spec *spec = &t->graph->ops[op];
  for (uint32_t k = 0; k < spec->output_count; k++)
    if (asci_is_made(t, spec->outputs[k])) return false;
  return spec->alias_count > 0;
}

/* Whether all that the operator makes can be cut the same way; output: the first of it, ASC_NONE if nothing is in tiles. */
static bool can_cut(const asci_tiler *t, uint32_t op, uint32_t *output) {
  const asc_op_spec *spec = &t->graph->ops[op];
  bool same = *spec->windows != 0;
  *output = ASC_NONE;
  for (uint32_t k = 0; k < spec->output_count; k++) {
    const asci_form *form = &t->forms[spec->outputs[k]];
    if (!asci_is_made(t, spec->outputs[k])) continue;
    same &= form->known;
    if (*output == ASC_NONE) *output = spec->outputs[k];
    const asci_form *first = &t->forms[*output];
    same &= first->rank == form->rank && memcmp(first->sizes, form->sizes, first->rank * sizeof *form->sizes) == 0;
  }
  return same && *output != ASC_NONE;
}

/* ---- what a tile takes ------------------------------------------------------------------------------------------------- */

static int64_t add(int64_t a, int64_t b) {
  return a > ASC_MAX_BYTES - b ? ASC_MAX_BYTES : a + b;
}

typedef struct need {
  int64_t reads, writes;
} need;

static int64_t all_of(const need *n) {
  return add(n->reads, n->writes);
}

/* The most that a tile of these lengths reads and writes; of an operator that is not cut all. */
static need need_of(const asci_tiler *t, uint32_t op, const asci_cut *cut) {
  const asc_op_spec *spec = &t->graph->ops[op];
  const char *at = cut->rank ? spec->windows : "";
  need n = {0, 0};
  for (uint32_t k = 0; k < spec->input_count; k++) {
    asci_window window;
    const asci_form *form = &t->forms[spec->inputs[k]];
    int64_t lengths[ASC_MAX_RANK];
    asci_window_next(&at, &window);
    if (form->store == ASC_NONE) continue;
    memcpy(lengths, form->sizes, sizeof lengths);
    for (uint32_t d = 0; d < window.rank; d++) {
      const asci_window_axis *axis = &window.axes[d];
      if (axis->kind == ASCI_WINDOW_ALL) continue;
      int64_t whole = t->forms[cut->output].sizes[axis->dimension];
      lengths[d] = asci_window_most(axis, cut->tile[axis->dimension], whole, form->sizes[d]);
    }
    bool none = false;
    for (uint32_t d = 0; d < form->rank; d++) none |= lengths[d] == 0;
    if (!none) n.reads = add(n.reads, asci_form_bytes(form, lengths));
  }
  for (uint32_t k = 0; k < spec->output_count; k++) {
    const asci_form *form = &t->forms[spec->outputs[k]];
    if (!asci_is_made(t, spec->outputs[k])) continue;
    n.writes = add(n.writes, asci_form_bytes(form, cut->rank ? cut->tile : form->sizes));
  }
  return n;
}

/* ---- choosing ---------------------------------------------------------------------------------------------------------- */

/* Whether an input's window follows the dimension of the output. */
static bool is_followed(const asc_op_spec *spec, uint32_t dimension) {
  const char *at = spec->windows;
  for (uint32_t k = 0; k < spec->input_count; k++) {
    asci_window window;
    asci_window_next(&at, &window);
    for (uint32_t d = 0; d < window.rank; d++)
      if (window.axes[d].kind != ASCI_WINDOW_ALL && window.axes[d].dimension == dimension) return true;
  }
  return false;
}

/* The dimensions in the order in which they are cut. spec NULL: in order. */
static void order_loops(const asci_form *form, const asc_op_spec *spec, asci_cut *cut) {
  uint32_t count = 0;
  for (int late = 0; late < 2; late++)
    for (uint32_t d = 0; d < form->rank; d++) {
      bool is_late = form->channels != ASC_NONE ? d == form->channels : spec && !is_followed(spec, d);
      if (is_late == (late == 1)) cut->loops[count++] = d;
    }
}

typedef need (*need_function)(const asci_tiler *t, uint32_t index, const asci_cut *cut);

/* Shortens the tile until it fits; false: the least one does not. */
static bool shrink(const asci_tiler *t, const asci_form *form, uint32_t index, need_function take, asci_cut *cut) {
  need n = take(t, index, cut);
  for (uint32_t k = 0; k < cut->rank && all_of(&n) > t->capacity; k++) {
    uint32_t d = cut->loops[k];
    int64_t granule = d == form->channels ? form->granule : 1;
    int64_t low = 0, high = (cut->tile[d] + granule - 1) / granule; /* in granules: low fits, or is 0; high does not */
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      cut->tile[d] = middle * granule;
      n = take(t, index, cut);
      if (all_of(&n) <= t->capacity)
        low = middle;
      else
        high = middle;
    }
    cut->tile[d] = low ? low * granule : granule < form->sizes[d] ? granule : form->sizes[d];
    n = take(t, index, cut);
  }
  return all_of(&n) <= t->capacity;
}

/* Errors: BAD_INPUT (more tiles than there may be tasks). */
static asc_status count_tiles(const asci_tiler *t, const asci_form *form, const char *id, asci_cut *cut) {
  cut->tiles = 1;
  for (uint32_t d = 0; d < cut->rank; d++) {
    cut->counts[d] = (form->sizes[d] + cut->tile[d] - 1) / cut->tile[d];
    cut->tiles *= (uint64_t)cut->counts[d];
    if (cut->tiles > ASC_MAX_BUFFERS)
      return asci_complain(t->diag, ASC_TOO_LARGE, "capacity", "is too little: " ID " falls into more than %u tiles", id,
                           ASC_MAX_BUFFERS);
  }
  return ASC_OK;
}

static asc_status too_large(const asci_tiler *t, const char *id, const char *what, need n) {
  char capacity[ASCI_COMMAS], sum[ASCI_COMMAS], reads[ASCI_COMMAS], writes[ASCI_COMMAS];
  return asci_complain(t->diag, ASC_BAD_INPUT, "capacity", "is %s, but %s " ID " takes %s: %s read and %s written",
                       asci_commas(capacity, t->capacity), what, id, asci_commas(sum, all_of(&n)),
                       asci_commas(reads, n.reads), asci_commas(writes, n.writes));
}

asc_status asci_choose(asci_tiler *t, uint32_t op) {
  const asc_op_spec *spec = &t->graph->ops[op];
  asci_cut *cut = &t->cuts[op];
  bool cuts = can_cut(t, op, &cut->output);
  if (cut->in_place || is_view(t, op)) return ASC_OK;
  if (!cuts) { /* all at once, without windows that could be wrong */
    need n = need_of(t, op, &(asci_cut){.output = ASC_NONE});
    cut->tiles = all_of(&n) > 0;
    if (all_of(&n) <= t->capacity) return ASC_OK;
    return too_large(t, spec->id, *spec->windows ? "uncut" : "without windows", n);
  }
  const asci_form *form = &t->forms[cut->output];
  cut->rank = form->rank;
  memcpy(cut->tile, form->sizes, sizeof cut->tile);
  asc_status status = check_windows(t, op, cut->rank);
  if (status) return status;
  order_loops(form, spec, cut);
  if (!shrink(t, form, op, need_of, cut)) return too_large(t, spec->id, "the least tile of", need_of(t, op, cut));
  return count_tiles(t, form, spec->id, cut);
}

static need need_of_move(const asci_tiler *t, uint32_t tensor, const asci_cut *cut) {
  return (need){0, asci_form_bytes(&t->forms[tensor], cut->tile)};
}

asc_status asci_choose_move(asci_tiler *t, uint32_t tensor, asci_cut *cut) {
  const asci_form *form = &t->forms[tensor];
  const char *id = t->graph->tensors[tensor].id;
  *cut = (asci_cut){.output = tensor, .rank = form->rank};
  memcpy(cut->tile, form->sizes, sizeof cut->tile);
  order_loops(form, NULL, cut);
  if (!shrink(t, form, tensor, need_of_move, cut))
    return too_large(t, id, "the least tile of", need_of_move(t, tensor, cut));
  return count_tiles(t, form, id, cut);
}

/* ---- tiles by number ----------------------------------------------------------------------------------------------------- */

void asci_cut_tile(const asci_form *form, const asci_cut *cut, uint64_t n, asci_range ranges[ASC_MAX_RANK]) {
  for (uint32_t d = 0; d < form->rank; d++) ranges[d] = (asci_range){0, form->sizes[d]};
  for (uint32_t k = cut->rank; k-- > 0;) {
    uint32_t d = cut->loops[k];
    int64_t low = (int64_t)(n % (uint64_t)cut->counts[d]) * cut->tile[d], high = low + cut->tile[d];
    ranges[d] = (asci_range){low, high < form->sizes[d] ? high : form->sizes[d]};
    n /= (uint64_t)cut->counts[d];
  }
}

uint64_t asci_cut_last(const asci_cut *cut, const asci_range ranges[ASC_MAX_RANK]) {
  uint64_t n = 0;
  for (uint32_t k = 0; k < cut->rank; k++) {
    uint32_t d = cut->loops[k];
    n = n * (uint64_t)cut->counts[d] + (uint64_t)((ranges[d].high - 1) / cut->tile[d]);
  }
  return n;
}
