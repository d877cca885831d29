/* Reads a task CSV: the tensors in one pass and the tasks in another, for a task may stand before its tensors; then one tiling or a list of all that is
 * wrong. The format is in README.md. */
#include "io/csv/begins.h"
#include "io/csv/report.h"
#include "io/csv/value.h"
#include "tile/tiling.h"

#include <string.h>

enum { FIELDS = 7 }; /* most of a row */
enum { TASK_FIELDS = 4 };

typedef struct box_list {
  asc_box *boxes;
  size_t count, room;
} box_list;

typedef struct place {
  uint32_t line, column, length;
} place;

typedef struct task_reader {
  asc_context *context;
  asc_tiling *tiling;
  csv_scan scan;
  csv_report report;
  place *tensors, *tasks; /* of each one's id */
  size_t tensor_room, task_room;
  box_list reads, writes; /* of the row under way */
} task_reader;

static const char *const tensor_fields[FIELDS] = {"row", "id", "element", "shape", "layout", "kind", "alignment"};
static const char *const task_fields[TASK_FIELDS] = {"row", "id", "reads", "writes"};

/* ---- cells ----------------------------------------------------------------------------------------------------------- */

/* Whether the row has from `least` to `most` fields without flaws; clears those that it does not have. */
static bool take_fields(task_reader *r, csv_field *fields, size_t least, size_t most, const char *const *names) {
  size_t count = r->scan.count;
  bool well = count >= least && count <= most;
  if (!well)
    asci_csv_report(&r->report, ASC_BAD_INPUT, NULL, "row", "has %zu fields, expected %zu to %zu", count, least, most);
  for (size_t k = 0; k < most; k++) {
    fields[k] = k < count ? r->scan.fields[k] : (csv_field){.text = "", .line = r->report.line, .column = 1};
    if (!fields[k].flaw) continue;
    asci_csv_report(&r->report, ASC_BAD_INPUT, &fields[k], names[k], "%s", asci_csv_flaw(fields[k].flaw));
    well = false;
  }
  return well;
}

static bool copy_id(task_reader *r, const csv_field *field, char id[256]) {
  if (!asci_csv_name(&r->report, field, "id")) return false;
  memcpy(id, field->text, field->length);
  id[field->length] = 0;
  return true;
}

/* Up to `stop`, which is passed; false: it is no whole number from 0 on. */
static bool next_number(const char **at, const char *end, char stop, int64_t *value) {
  const char *begin = *at;
  while (*at < end && **at != stop) ++*at;
  bool whole = asci_csv_whole(begin, (size_t)(*at - begin), value) == CSV_WHOLE && *value >= 0;
  *at += *at < end;
  return whole;
}

/* "1x32x64x64". Returns how many numbers there are, 0 if it is nothing of the kind. */
static uint32_t read_dimensions(const csv_field *field, int64_t numbers[ASC_MAX_RANK]) {
  const char *at = field->text, *end = at + field->length;
  uint32_t count = 0;
  if (at == end || end[-1] == 'x') return 0;
  while (at < end) {
    if (count == ASC_MAX_RANK || !next_number(&at, end, 'x', &numbers[count])) return 0;
    count++;
  }
  return count;
}

static bool keep_place(task_reader *r, place **places, size_t *room, uint32_t count, const csv_field *field) {
  if (!asci_grow(r->context, places, room, (size_t)count + 1, sizeof **places)) return false;
  (*places)[count] = (place){field->line, field->column, (uint32_t)field->raw_length};
  return true;
}

/* ---- tensors --------------------------------------------------------------------------------------------------------- */

static bool read_shape(task_reader *r, const csv_field *field, asc_tiled_spec *spec) {
  char cited[CSV_CITE];
  spec->rank = read_dimensions(field, spec->sizes);
  if (!spec->rank)
    asci_csv_report(&r->report, ASC_BAD_INPUT, field, "shape", "is %s, expected 1 to %u sizes: 1x32x64x64",
                    asci_csv_cite(cited, field->text, field->length), ASC_MAX_RANK);
  return spec->rank > 0;
}

static bool read_layout(task_reader *r, const csv_field *field, asc_tiled_spec *spec) {
  static const char *const layouts[] = {"NCHW", "NHWC", "NC32HW32"};
  for (uint32_t k = 0; k < 3; k++) {
    if (!asci_csv_is_word(field, layouts[k])) continue;
    spec->layout = (asc_layout)k;
    return true;
  }
  if (field->length == 0) return true;
  spec->layout = ASC_LAYOUT_STRIDES;
  uint32_t count = read_dimensions(field, spec->strides);
  if (count && (count == spec->rank || !spec->rank)) return true;
  char cited[CSV_CITE];
  asci_csv_report(&r->report, ASC_BAD_INPUT, field, "layout",
                  "is %s, expected NCHW, NHWC, NC32HW32 or a stride for each dimension",
                  asci_csv_cite(cited, field->text, field->length));
  return false;
}

static bool read_kind(task_reader *r, const csv_field *field, uint32_t *kind) {
  if (asci_csv_is_word(field, "input")) *kind = ASC_TENSOR_INPUT;
  if (asci_csv_is_word(field, "output")) *kind = ASC_TENSOR_OUTPUT;
  if (*kind || !field->length || asci_csv_is_word(field, "activation")) return true;
  char cited[CSV_CITE];
  asci_csv_report(&r->report, ASC_BAD_INPUT, field, "kind", "is %s, expected activation, input or output",
                  asci_csv_cite(cited, field->text, field->length));
  return false;
}

static asc_status read_tensor(void *user) {
  task_reader *r = user;
  csv_field fields[FIELDS];
  char id[256] = "";
  asc_tiled_spec spec = {.id = id, .alignment = 1};
  if (!take_fields(r, fields, 4, FIELDS, tensor_fields)) return ASC_OK;
  bool well = copy_id(r, &fields[1], id);
  well &= asci_csv_number(&r->report, &fields[2], "element", 1, ASC_MAX_ELEMENT, &spec.element);
  well &= read_shape(r, &fields[3], &spec);
  well &= read_layout(r, &fields[4], &spec);
  well &= read_kind(r, &fields[5], &spec.kind);
  well &= !fields[6].length ||
          asci_csv_number(&r->report, &fields[6], "alignment", 1, ASC_MAX_TENSOR_ALIGNMENT, &spec.alignment);
  if (!well) return ASC_OK;
  uint32_t count = r->tiling->tensor_count, first = asci_ids_find(&r->tiling->tensor_ids, id, fields[1].length);
  if (!keep_place(r, &r->tensors, &r->tensor_room, count, &fields[1])) return ASC_OUT_OF_MEMORY;
  asc_diag diag;
  asc_status status = asc_tiling_add_tensor(r->tiling, &spec, &diag);
  return asci_csv_refuse(&r->report, status, &diag, fields, tensor_fields, FIELDS, first ? r->tensors[first - 1].line : 0);
}

/* ---- tasks ----------------------------------------------------------------------------------------------------------- */

static bool report_item(task_reader *r, const csv_field *item, const char *name, const char *expected) {
  char cited[CSV_CITE];
  asci_csv_report(&r->report, ASC_BAD_INPUT, item, name, "has %s, expected %s",
                  asci_csv_cite(cited, item->text, item->length), expected);
  return false;
}

/* The ranges behind an id, "0:1x0:32x4:10x0:64", all up to `end`; without any the whole tensor. */
static bool read_ranges(const asc_tiled_spec *spec, const char *at, const char *end, asc_box *box) {
  uint32_t count = 0;
  for (; at == end && count < spec->rank; count++) {
    box->low[count] = 0;
    box->high[count] = spec->sizes[count];
  }
  if (count) return true;
  at++; /* the sign between id and ranges */
  if (at == end || end[-1] == 'x') return false;
  while (at < end) {
    if (count == spec->rank || !next_number(&at, end, ':', &box->low[count]) ||
        !next_number(&at, end, 'x', &box->high[count]))
      return false;
    count++;
  }
  return count == spec->rank;
}

/* False: no memory. What is wrong is reported. */
static bool read_box(task_reader *r, box_list *list, const csv_field *item, const char *name) {
  char id[257];
  const char *at = item->text, *end = at + item->length;
  size_t length = asci_csv_next_id(&at, end, "@", id);
  uint32_t tensor = asci_ids_find(&r->tiling->tensor_ids, id, length);
  asc_box box = {.tensor = tensor - 1};
  bool well = tensor != 0;
  if (!tensor)
    report_item(r, item, name, "the id of a tensor");
  else if (!read_ranges(&r->tiling->tensors[box.tensor].spec, at, end, &box))
    well = report_item(r, item, name, "a range for each dimension: a@0:1x0:32");
  if (!well) return true;
  if (!asci_grow(r->context, &list->boxes, &list->room, list->count + 1, sizeof *list->boxes)) return false;
  list->boxes[list->count++] = box;
  return true;
}

static asc_status read_boxes(task_reader *r, box_list *list, const csv_field *field, const char *name) {
  const char *at = field->text, *end = at + field->length;
  list->count = 0;
  for (bool more = field->length > 0; more;) {
    csv_field item = *field;
    char passed[257];
    item.text = at;
    asci_csv_next_id(&at, end, ";", passed);
    item.length = (size_t)(at - item.text);
    if (!field->quoted) { /* the place in a quoted cell may have moved by doubled quotes */
      item.column += (uint32_t)(item.text - field->text);
      item.raw_length = item.length;
    }
    if (!read_box(r, list, &item, name)) return ASC_OUT_OF_MEMORY;
    more = at < end;
    at += more;
  }
  return ASC_OK;
}

static asc_status read_task(void *user) {
  task_reader *r = user;
  csv_field fields[TASK_FIELDS];
  char id[256] = "";
  size_t errors = r->report.count;
  if (!take_fields(r, fields, 3, TASK_FIELDS, task_fields)) return ASC_OK;
  copy_id(r, &fields[1], id);
  asc_status status = read_boxes(r, &r->reads, &fields[2], "reads");
  if (!status) status = read_boxes(r, &r->writes, &fields[3], "writes");
  if (status || r->report.count > errors) return status;
  asc_task_spec spec = {id, r->reads.boxes, r->writes.boxes, (uint32_t)r->reads.count, (uint32_t)r->writes.count};
  uint32_t count = r->tiling->task_count, first = asci_ids_find(&r->tiling->task_ids, id, fields[1].length);
  if (!keep_place(r, &r->tasks, &r->task_room, count, &fields[1])) return ASC_OUT_OF_MEMORY;
  asc_diag diag;
  status = asc_tiling_add_task(r->tiling, &spec, &diag);
  return asci_csv_refuse(&r->report, status, &diag, fields, task_fields, TASK_FIELDS, first ? r->tasks[first - 1].line : 0);
}

/* ---- the whole file -------------------------------------------------------------------------------------------------- */

static void report_fault(void *user, const asci_tile_fault *fault, const char *message) {
  task_reader *r = user;
  const place *at = fault->task != ASC_NONE ? &r->tasks[fault->task] : &r->tensors[fault->tensor];
  csv_field field = {.line = at->line, .column = at->column, .raw_length = at->length};
  const char *id = r->tiling->tensors[fault->tensor].spec.id;
  char cited[CSV_CITE];
  asci_csv_report(&r->report, ASC_BAD_INPUT, &field, fault->field, "of %s %s", asci_csv_cite(cited, id, strlen(id)),
                  message);
}

static asc_status read_passes(task_reader *r, const char *text, size_t bytes) {
  static const csv_kind rows[] = {{"tiled", read_tensor}, {"task", read_task}};
  asc_status status = asci_csv_read_kinds(&r->report, &r->scan, r->context, text, bytes, rows, r);
  /* tasks that lack a tensor or one before them have faults that are not their own */
  if (!status && !r->report.count) status = asci_tiling_freeze(r->tiling, report_fault, r);
  return status;
}

asc_status asc_task_csv_read(asc_context *context, const char *text, size_t bytes, asc_tiling **tiling, asc_diag *diags,
                             size_t room, size_t *count) {
  if (!context || !tiling || (bytes && !text) || (room && !diags)) return ASC_BAD_ARGUMENT;
  task_reader r = {.context = context, .report = {.diags = diags, .room = room}};
  asc_status status = asc_tiling_new(context, &r.tiling);
  if (!status) status = read_passes(&r, text ? text : "", bytes);
  if (!status) status = r.report.status;
  void *const blocks[] = {r.tensors, r.tasks, r.reads.boxes, r.writes.boxes};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  if (count) *count = r.report.count;
  if (status)
    asc_tiling_free(r.tiling);
  else
    *tiling = r.tiling;
  return status;
}

bool asc_task_csv_is(const char *text, size_t bytes) {
  static const char *const rows[] = {"tiled", "task"};
  return asci_csv_begins_with(text, bytes, rows, 2);
}
