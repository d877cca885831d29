/* Writes a task CSV that reads back as the same tiling. */
#include "io/csv/put.h"
#include "tile/tiling.h"

#include <string.h>

static void put_numbers(csv_writer *writer, const int64_t *numbers, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    if (k) asci_csv_put(writer, 'x');
    asci_csv_put_number(writer, numbers[k]);
  }
}

/* Cells at the end that say nothing are left out. */
static void put_tensor(csv_writer *writer, const asc_tiled_spec *spec) {
  static const char *const layouts[] = {"NCHW", "NHWC", "NC32HW32"};
  bool alignment = spec->alignment != 1, kind = spec->kind || alignment, layout = spec->layout || kind;
  asci_csv_put_text(writer, "tiled,");
  asci_csv_put_cell(writer, spec->id);
  asci_csv_put(writer, ',');
  asci_csv_put_number(writer, spec->element);
  asci_csv_put(writer, ',');
  put_numbers(writer, spec->sizes, spec->rank);
  if (layout) asci_csv_put(writer, ',');
  if (spec->layout == ASC_LAYOUT_STRIDES)
    put_numbers(writer, spec->strides, spec->rank);
  else if (layout)
    asci_csv_put_text(writer, layouts[spec->layout]);
  if (kind)
    asci_csv_put_text(writer, spec->kind == ASC_TENSOR_INPUT    ? ",input"
                              : spec->kind == ASC_TENSOR_OUTPUT ? ",output"
                                                                : ",activation");
  if (alignment) {
    asci_csv_put(writer, ',');
    asci_csv_put_number(writer, spec->alignment);
  }
  asci_csv_put(writer, '\n');
}

static bool is_whole(const asc_tiled_spec *spec, const asc_box *box) {
  for (uint32_t k = 0; k < spec->rank; k++)
    if (box->low[k] != 0 || box->high[k] != spec->sizes[k]) return false;
  return true;
}

static void put_boxes(csv_writer *writer, const asc_tiling *tiling, const asc_box *boxes, uint32_t count) {
  bool quoted = false;
  for (uint32_t k = 0; k < count && !quoted; k++) quoted = strpbrk(tiling->tensors[boxes[k].tensor].spec.id, ", \t\"\r\n");
  asci_csv_put(writer, ',');
  if (quoted) asci_csv_put(writer, '"');
  for (uint32_t k = 0; k < count; k++) {
    const asc_tiled_spec *spec = &tiling->tensors[boxes[k].tensor].spec;
    if (k) asci_csv_put(writer, ';');
    asci_csv_put_escaped(writer, spec->id, "\\;@");
    for (uint32_t d = 0; d < spec->rank && !is_whole(spec, &boxes[k]); d++) {
      asci_csv_put(writer, d ? 'x' : '@');
      asci_csv_put_number(writer, boxes[k].low[d]);
      asci_csv_put(writer, ':');
      asci_csv_put_number(writer, boxes[k].high[d]);
    }
  }
  if (quoted) asci_csv_put(writer, '"');
}

asc_status asc_task_csv_write(const asc_tiling *tiling, asc_sink sink, void *user) {
  if (!tiling || !sink) return ASC_BAD_ARGUMENT;
  csv_writer writer = {.sink = sink, .user = user};
  for (uint32_t t = 0; t < tiling->tensor_count && !writer.stopped; t++) put_tensor(&writer, &tiling->tensors[t].spec);
  for (uint32_t k = 0; k < tiling->task_count && !writer.stopped; k++) {
    const asc_task_spec *task = &tiling->tasks[k];
    asci_csv_put_text(&writer, "task,");
    asci_csv_put_cell(&writer, task->id);
    put_boxes(&writer, tiling, task->reads, task->read_count);
    put_boxes(&writer, tiling, task->writes, task->write_count);
    asci_csv_put(&writer, '\n');
  }
  return asci_csv_put_end(&writer);
}
