/* Tensors of the graph as the tiling has them. */
#include "tiler/tiler.h"

#include "base/diag.h"
#include "base/text/format.h"

#include <string.h>

#define MOST_SIZE INT64_C(2147483647)

/* "1x32x64x64". False if it is nothing of the kind. */
static bool read_shape(const char *shape, asci_form *form) {
  form->rank = 0;
  for (const char *at = shape;; at++) {
    int64_t size = 0;
    if (form->rank == ASC_MAX_RANK) return false;
    for (; *at >= '0' && *at <= '9' && size <= MOST_SIZE; at++) size = size * 10 + (*at - '0');
    if (size < 1 || size > MOST_SIZE) return false;
    form->sizes[form->rank++] = size;
    if (!*at) return true;
    if (*at != 'x') return false;
  }
}

/* Bytes of an element, 0 if the tensor's bytes are no whole number of them. */
static int64_t element_of(const asci_form *form, int64_t bytes) {
  for (uint32_t k = 0; k < form->rank; k++) {
    if (bytes % form->sizes[k]) return 0;
    bytes /= form->sizes[k];
  }
  return bytes <= ASC_MAX_ELEMENT ? bytes : 0;
}

static int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

static bool is_blocked(const asci_tile_settings *set) {
  return set->layout == ASC_LAYOUT_NC32HW32 + 1;
}

/* Pictures have channels. */
static void find_channels(const asci_tile_settings *set, const char *axes, asci_form *form) {
  static const char order[] = "NCHW";
  bool picture = form->rank == 4 && (strcmp(axes, order) == 0 || strcmp(axes, "NHWC") == 0);
  form->channels = ASC_NONE;
  form->granule = 1;
  for (uint32_t k = 0; k < form->rank; k++) {
    form->place[k] = picture ? (uint32_t)(strchr(order, axes[k]) - order) : k;
    if (picture && axes[k] == 'C') form->channels = k;
  }
  if (!picture) return;
  form->granule = is_blocked(set) ? round_up(set->channels, ASCI_BLOCK) : set->channels;
  form->padded = form->sizes[form->channels];
  if (set->channels > 1) form->padded = round_up(form->padded, form->granule);
}

static asci_form form_of(const asci_tiler *t, uint32_t tensor) {
  const asc_tensor_spec *spec = &t->graph->tensors[tensor];
  const uint32_t elsewhere = ASC_TENSOR_CONSTANT | ASC_TENSOR_VARIABLE | ASC_TENSOR_WORKSPACE;
  asci_form form = {.store = tensor, .tiled = ASC_NONE};
  bool named = t->graph->producer[tensor] != ASC_NONE || t->graph->reader_begin[tensor] < t->graph->reader_begin[tensor + 1];
  if (!named || spec->bytes == 0 || (spec->kind & elsewhere)) form.store = ASC_NONE;
  if (read_shape(spec->shape, &form)) form.element = element_of(&form, spec->bytes);
  form.known = form.element > 0;
  if (!form.known) {
    form.rank = 1;
    form.sizes[0] = spec->bytes;
    form.element = 1;
  }
  find_channels(&t->set, spec->axes, &form);
  return form;
}

asc_status asci_forms(asci_tiler *t) {
  const asc_graph *g = t->graph;
  t->forms = asci_alloc(t->context, g->tensor_count, sizeof *t->forms);
  if (!t->forms) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < g->tensor_count; k++) t->forms[k] = form_of(t, k);
  for (uint32_t op = 0; op < g->op_count; op++)
    for (uint32_t k = 0; k < g->ops[op].alias_count; k++) {
      const asc_tensor_pair *pair = &g->ops[op].alias[k];
      asci_form *output = &t->forms[pair->output];
      if (output->store != ASC_NONE) output->store = t->forms[pair->input].store;
    }
  return ASC_OK;
}

asc_status asci_form_add(asci_tiler *t, uint32_t tensor, const char *id, uint32_t kind) {
  asci_form *form = &t->forms[tensor];
  asc_tiled_spec spec = {.id = id,
                         .element = form->element,
                         .rank = form->rank,
                         .kind = kind,
                         .alignment = t->graph->tensors[tensor].alignment};
  for (uint32_t k = 0; k < form->rank; k++) spec.sizes[form->place[k]] = form->sizes[k];
  if (form->channels != ASC_NONE) {
    bool last = form->channels == form->rank - 1;
    spec.layout = t->set.layout ? (asc_layout)(t->set.layout - 1) : last ? ASC_LAYOUT_NHWC : ASC_LAYOUT_NCHW;
    spec.sizes[1] = form->padded;
  }
  form->tiled = asc_tiling_tensor_count(t->tiling);
  asc_diag why = {0};
  asc_status status = asc_tiling_add_tensor(t->tiling, &spec, &why);
  if (!status || status == ASC_OUT_OF_MEMORY) return status;
  return asci_complain(t->diag, status, why.field, "of \xe2\x80\x9c%.60s\xe2\x80\x9d %s", id, why.message);
}

int64_t asci_form_bytes(const asci_form *form, const int64_t lengths[ASC_MAX_RANK]) {
  int64_t bytes = form->element;
  for (uint32_t k = 0; k < form->rank; k++) {
    int64_t length = k == form->channels ? round_up(lengths[k], form->granule) : lengths[k];
    if (bytes > ASC_MAX_BYTES / length) return ASC_MAX_BYTES;
    bytes *= length;
  }
  return bytes;
}

asc_box asci_form_box(const asci_form *form, const asci_range ranges[ASC_MAX_RANK]) {
  asc_box box = {.tensor = form->tiled};
  for (uint32_t k = 0; k < form->rank; k++) {
    uint32_t place = form->place[k];
    box.low[place] = ranges[k].low;
    box.high[place] = ranges[k].high;
    if (k != form->channels) continue;
    box.low[place] -= ranges[k].low % form->granule;
    box.high[place] = round_up(ranges[k].high, form->granule);
    if (box.high[place] > form->padded) box.high[place] = form->padded;
  }
  return box;
}

/* Of a long base the start, with the index that tells it from others of that start, cut between characters. */
void asci_task_id(char id[256], const char *base, uint32_t index, uint64_t number) {
  size_t length = strlen(base), cut = length > 200 ? 200 : length;
  while (length > 200 && cut > 196 && ((unsigned char)base[cut] & 0xc0) == 0x80) cut--;
  size_t used = asci_format(id, 256, "%.*s", (int)cut, base);
  if (length > 200) used += asci_format(id + used, 256 - used, "~%u", index);
  asci_format(id + used, 256 - used, ":%llu", (unsigned long long)number);
}
