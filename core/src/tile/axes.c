/* Dimensions as axes of memory, by layout. */
#include "base/diag.h"
#include "tile/tiling.h"

#include <string.h>

static void add_axis(asci_tiled *tensor, uint32_t dimension, asci_axis_part part, int64_t size) {
  tensor->axes[tensor->axis_count++] = (asci_axis){.size = size, .dimension = dimension, .part = part};
}

static asc_status too_large(asc_diag *diag) {
  char most[ASCI_COMMAS];
  return asci_complain(diag, ASC_TOO_LARGE, "shape", "is of more than %s bytes", asci_commas(most, ASC_MAX_BYTES));
}

/* The strides of axes that stand in the order of memory. */
static asc_status dense(asci_tiled *tensor, asc_diag *diag) {
  int64_t stride = tensor->spec.element;
  for (uint32_t k = tensor->axis_count; k-- > 0;) {
    tensor->axes[k].stride = stride;
    if (tensor->axes[k].size > ASC_MAX_BYTES / stride) return too_large(diag);
    stride *= tensor->axes[k].size;
  }
  tensor->bytes = stride;
  return ASC_OK;
}

/* The widest first; axes of one element, whose stride leads nowhere, before all. */
static void sort_axes(asci_tiled *tensor) {
  for (uint32_t k = 1; k < tensor->axis_count; k++) {
    asci_axis axis = tensor->axes[k];
    uint32_t at = k;
    for (; at && tensor->axes[at - 1].size > 1; at--) {
      if (axis.size > 1 && tensor->axes[at - 1].stride >= axis.stride) break;
      tensor->axes[at] = tensor->axes[at - 1];
    }
    tensor->axes[at] = axis;
  }
}

static asc_status strided(asci_tiled *tensor, asc_diag *diag) {
  const asc_tiled_spec *spec = &tensor->spec;
  for (uint32_t k = 0; k < spec->rank; k++) {
    if (spec->strides[k] < 0 || spec->strides[k] > ASC_MAX_BYTES)
      return asci_out_of_range(diag, "layout", spec->strides[k], 0, ASC_MAX_BYTES);
    add_axis(tensor, k, ASCI_PART_ALL, spec->sizes[k]);
    if (spec->strides[k] > ASC_MAX_BYTES / spec->element) return too_large(diag);
    tensor->axes[k].stride = spec->strides[k] * spec->element;
  }
  sort_axes(tensor);
  int64_t reach = spec->element;
  for (uint32_t k = tensor->axis_count; k-- > 0;) {
    const asci_axis *axis = &tensor->axes[k];
    char a[ASCI_COMMAS], b[ASCI_COMMAS];
    if (axis->size == 1) continue;
    if (axis->stride < reach)
      return asci_complain(diag, ASC_BAD_INPUT, "layout", "has stride %s where elements overlap, expected at least %s",
                           asci_commas(a, axis->stride / spec->element),
                           asci_commas(b, (reach + spec->element - 1) / spec->element));
    if (axis->size - 1 > (ASC_MAX_BYTES - reach) / axis->stride) return too_large(diag);
    reach += (axis->size - 1) * axis->stride;
  }
  tensor->bytes = reach;
  return ASC_OK;
}

asc_status asci_tile_axes(asci_tiled *tensor, asc_diag *diag) {
  enum { N, C, H, W };
  const asc_tiled_spec *spec = &tensor->spec;
  tensor->axis_count = 0;
  if (spec->layout == ASC_LAYOUT_STRIDES) return strided(tensor, diag);
  if (spec->layout == ASC_LAYOUT_NCHW) {
    for (uint32_t k = 0; k < spec->rank; k++) add_axis(tensor, k, ASCI_PART_ALL, spec->sizes[k]);
    return dense(tensor, diag);
  }
  if (spec->rank != 4)
    return asci_complain(diag, ASC_BAD_INPUT, "shape", "has %u dimensions, expected 4 for this layout", spec->rank);
  bool blocks = spec->layout == ASC_LAYOUT_NC32HW32;
  add_axis(tensor, N, ASCI_PART_ALL, spec->sizes[N]);
  if (blocks) add_axis(tensor, C, ASCI_PART_BLOCKS, (spec->sizes[C] + ASCI_BLOCK - 1) / ASCI_BLOCK);
  add_axis(tensor, H, ASCI_PART_ALL, spec->sizes[H]);
  add_axis(tensor, W, ASCI_PART_ALL, spec->sizes[W]);
  add_axis(tensor, C, blocks ? ASCI_PART_LANES : ASCI_PART_ALL, blocks ? ASCI_BLOCK : spec->sizes[C]);
  return dense(tensor, diag);
}

void asci_tile_box(const asci_tiled *tensor, const asc_box *box, int64_t low[ASCI_MAX_AXES], int64_t high[ASCI_MAX_AXES]) {
  for (uint32_t k = 0; k < tensor->axis_count; k++) {
    const asci_axis *axis = &tensor->axes[k];
    int64_t l = box->low[axis->dimension], h = box->high[axis->dimension];
    /* padding belongs to the last channel */
    if (axis->part != ASCI_PART_ALL && h == tensor->spec.sizes[axis->dimension])
      h = (h + ASCI_BLOCK - 1) / ASCI_BLOCK * ASCI_BLOCK;
    bool one = l / ASCI_BLOCK == (h - 1) / ASCI_BLOCK;
    if (axis->part == ASCI_PART_BLOCKS) {
      l /= ASCI_BLOCK;
      h = (h - 1) / ASCI_BLOCK + 1;
    } else if (axis->part == ASCI_PART_LANES) {
      int64_t first = one ? l / ASCI_BLOCK * ASCI_BLOCK : 0;
      l = one ? l - first : 0;
      h = one ? h - first : ASCI_BLOCK;
    }
    low[k] = l;
    high[k] = h;
  }
}

/* ---- chunks ---------------------------------------------------------------------------------------------------------- */

/* The first axis from which on all is one run of bytes, and how many they are. */
static uint32_t run_from(const asci_axis *axes, const int64_t *sizes, uint32_t count, int64_t element, int64_t *bytes) {
  uint32_t from = count;
  *bytes = element;
  while (from && (sizes[from - 1] == 1 || axes[from - 1].stride == *bytes)) *bytes *= sizes[--from];
  return from;
}

uint64_t asci_chunk_count(const asci_axis *axes, const int64_t *sizes, uint32_t count, int64_t element) {
  int64_t bytes;
  uint64_t chunks = 1;
  for (uint32_t k = run_from(axes, sizes, count, element, &bytes); k-- > 0;)
    chunks *= (uint64_t)sizes[k]; /* no more than the tensor has bytes */
  return chunks;
}

void asci_chunks(const asci_axis *axes, const int64_t *sizes, uint32_t count, int64_t element, asc_chunk_sink sink,
                 void *user) {
  int64_t at[ASCI_MAX_AXES] = {0}, offset = 0, bytes, held = 0, held_bytes = 0;
  uint32_t outer = run_from(axes, sizes, count, element, &bytes), k = 0;
  do {
    bool adjoins = held_bytes && held + held_bytes == offset;
    if (held_bytes && !adjoins) sink(user, held, held_bytes);
    held = adjoins ? held : offset;
    held_bytes = adjoins ? held_bytes + bytes : bytes;
    for (k = outer; k > 0; k--) { /* the next place of the outer axes, as a counter turns over */
      offset += axes[k - 1].stride;
      if (++at[k - 1] < sizes[k - 1]) break;
      offset -= at[k - 1] * axes[k - 1].stride;
      at[k - 1] = 0;
    }
  } while (k > 0);
  sink(user, held, held_bytes);
}

typedef struct based {
  asc_chunk_sink sink;
  void *user;
  int64_t base;
} based;

static void pass_on(void *user, int64_t offset, int64_t size) {
  const based *to = user;
  to->sink(to->user, to->base + offset, size);
}

void asc_tiling_chunks(const asc_tiling *tiling, const asc_box *box, asc_chunk_sink sink, void *user) {
  const asci_tiled *tensor = &tiling->tensors[box->tensor];
  int64_t low[ASCI_MAX_AXES], high[ASCI_MAX_AXES];
  based to = {.sink = sink, .user = user};
  asci_tile_box(tensor, box, low, high);
  for (uint32_t k = 0; k < tensor->axis_count; k++) {
    to.base += low[k] * tensor->axes[k].stride;
    high[k] -= low[k];
  }
  asci_chunks(tensor->axes, high, tensor->axis_count, tensor->spec.element, pass_on, &to);
}
