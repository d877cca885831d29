/* Reads a graph CSV: the tensors in one pass and the operators in another, for an operator may stand before its tensors; then one graph or a
 * list of all that is wrong. The format is in README.md. */
#include "base/text/format.h"
#include "graph/graph.h"
#include "io/csv/begins.h"
#include "io/csv/report.h"
#include "io/csv/value.h"

#include <string.h>

enum { FIELDS = 9 }; /* most of a row */
enum { TENSOR_FIELDS = 8 };

/* Where an entry of a list stands, for faults that show when all rows are read. */
typedef struct place {
  uint32_t line, column, length;
} place;

typedef struct tensor_list {
  uint32_t *tensors; /* of pairs: output, input, output, … */
  size_t count, room;
} tensor_list;

enum { INPUTS, OUTPUTS, INPLACE, ALIAS, LISTS };

typedef struct graph_reader {
  asc_context *context;
  asc_graph *graph;
  csv_scan scan;
  csv_report report;
  place *tensors; /* of each tensor's id */
  place *ops;
  uint32_t *first_use; /* of each operator: its first entry in uses */
  place *uses;
  size_t tensor_room, op_room, first_use_room, use_room, use_count;
  tensor_list lists[LISTS]; /* of the row under way */
} graph_reader;

static const char *const tensor_fields[] = {"row", "id", "bytes", "kind", "alignment", "shape", "dtype", "axes"};
static const char *const op_fields[] = {"row",     "id",    "type",      "inputs", "outputs",
                                        "inplace", "alias", "workspace", "windows"};

/* ---- cells ----------------------------------------------------------------------------------------------------------- */

static place place_of(const csv_field *field) {
  return (place){field->line, field->column, (uint32_t)field->raw_length};
}

static void report_at(graph_reader *r, place where, const char *name, const char *message) {
  csv_field field = {.line = where.line, .column = where.column, .raw_length = where.length};
  asci_csv_report(&r->report, ASC_BAD_INPUT, &field, name, "%s", message);
}

/* Whether the row has from `least` to `most` fields without flaws; clears those that it does not have. */
static bool check_fields(graph_reader *r, csv_field fields[FIELDS], size_t least, size_t most, const char *const *names) {
  size_t count = r->scan.count;
  if (count < least || count > most) {
    const csv_field *last = &r->scan.fields[count - 1];
    if (last->flaw == CSV_FLAW_OPEN)
      asci_csv_report(&r->report, ASC_BAD_INPUT, last, "row", "%s", asci_csv_flaw(last->flaw));
    else
      asci_csv_report(&r->report, ASC_BAD_INPUT, NULL, "row", "has %zu field%s, expected %zu to %zu", count,
                      count == 1 ? "" : "s", least, most);
    return false;
  }
  bool well = true;
  for (size_t k = 0; k < FIELDS; k++) {
    fields[k] = k < count ? r->scan.fields[k] : (csv_field){.text = ""};
    if (!fields[k].flaw) continue;
    asci_csv_report(&r->report, ASC_BAD_INPUT, &fields[k], names[k], "%s", asci_csv_flaw(fields[k].flaw));
    well = false;
  }
  return well;
}

/* Copies the field, which may be empty unless it is an id. */
static bool read_text(graph_reader *r, const csv_field *field, const char *name, bool id, char text[256]) {
  text[0] = 0;
  if (field->length == 0 && !id) return true;
  if (!asci_csv_name(&r->report, field, name)) return false;
  memcpy(text, field->text, field->length);
  text[field->length] = 0;
  return true;
}

static bool read_number(graph_reader *r, const csv_field *field, const char *name, int64_t low, int64_t high,
                        int64_t *value) {
  return field->length == 0 || asci_csv_number(&r->report, field, name, low, high, value);
}

static const struct {
  const char *name;
  uint32_t kind;
} kinds[] = {
    {"activation", 0},
    {"input", ASC_TENSOR_INPUT},
    {"output", ASC_TENSOR_OUTPUT},
    {"constant", ASC_TENSOR_CONSTANT},
    {"variable", ASC_TENSOR_VARIABLE},
    {"workspace", ASC_TENSOR_WORKSPACE},
};

/* "input+output" and the like. */
static bool read_kind(graph_reader *r, const csv_field *field, uint32_t *kind) {
  const char *at = field->text, *end = at + field->length;
  while (at < end) {
    const char *plus = memchr(at, '+', (size_t)(end - at));
    size_t length = (size_t)((plus ? plus : end) - at), k = 0, count = sizeof kinds / sizeof *kinds;
    while (k < count && (strlen(kinds[k].name) != length || memcmp(kinds[k].name, at, length) != 0)) k++;
    if (k == count || (plus && plus + 1 == end)) {
      char cited[CSV_CITE];
      asci_csv_report(&r->report, ASC_BAD_INPUT, field, "kind",
                      "is %s, expected activation, input, output, input+output, constant, variable or workspace",
                      asci_csv_cite(cited, field->text, field->length));
      return false;
    }
    *kind |= kinds[k].kind;
    at += length + (plus != NULL);
  }
  return true;
}

/* ---- tensors --------------------------------------------------------------------------------------------------------- */

/* A graph that is too large for one row is so for all that come. */
static asc_status refuse(graph_reader *r, asc_status status, const asc_diag *diag, const csv_field *fields,
                         const char *const *names, size_t count, uint32_t first_line) {
  asc_status told = asci_csv_refuse(&r->report, status, diag, fields, names, count, first_line);
  return status == ASC_TOO_LARGE ? status : told;
}

static asc_status read_tensor(void *user) {
  graph_reader *r = user;
  csv_field fields[FIELDS];
  char id[256], shape[256], dtype[256], axes[256];
  asc_tensor_spec spec = {.id = id, .alignment = 1, .shape = shape, .dtype = dtype, .axes = axes};
  if (!check_fields(r, fields, 3, TENSOR_FIELDS, tensor_fields)) return ASC_OK;
  bool well = read_text(r, &fields[1], "id", true, id);
  well &= asci_csv_number(&r->report, &fields[2], "bytes", 0, ASC_MAX_BYTES, &spec.bytes);
  well &= read_kind(r, &fields[3], &spec.kind);
  well &= read_number(r, &fields[4], "alignment", 1, ASC_MAX_TENSOR_ALIGNMENT, &spec.alignment);
  well &= read_text(r, &fields[5], "shape", false, shape);
  well &= read_text(r, &fields[6], "dtype", false, dtype);
  well &= read_text(r, &fields[7], "axes", false, axes);
  if (!well) return ASC_OK;
  uint32_t count = r->graph->tensor_count, first = asci_ids_find(&r->graph->tensor_ids, id, fields[1].length);
  if (!asci_grow(r->context, &r->tensors, &r->tensor_room, (size_t)count + 1, sizeof *r->tensors)) return ASC_OUT_OF_MEMORY;
  r->tensors[count] = place_of(&fields[1]);
  asc_diag diag;
  asc_status status = asc_graph_add_tensor(r->graph, &spec, &diag);
  return refuse(r, status, &diag, fields, tensor_fields, TENSOR_FIELDS, first ? r->tensors[first - 1].line : 0);
}

/* ---- lists ----------------------------------------------------------------------------------------------------------- */

static asc_status find_tensor(graph_reader *r, tensor_list *list, const csv_field *item, const char *name, const char *id,
                              size_t length) {
  uint32_t tensor = asci_ids_find(&r->graph->tensor_ids, id, length);
  char cited[CSV_CITE];
  if (!tensor)
    asci_csv_report(&r->report, ASC_BAD_INPUT, item, name, "has %s, expected the id of a tensor",
                    asci_csv_cite(cited, id, length));
  if (!asci_grow(r->context, &list->tensors, &list->room, list->count + 1, sizeof *list->tensors)) return ASC_OUT_OF_MEMORY;
  list->tensors[list->count++] = tensor - 1;
  return ASC_OK;
}

static asc_status read_list(graph_reader *r, const csv_field *field, uint32_t which) {
  const char *at = field->text, *end = at + field->length, *name = op_fields[3 + which];
  bool pairs = which >= INPLACE;
  tensor_list *list = &r->lists[which];
  asc_status status = ASC_OK;
  list->count = 0;
  for (bool more = field->length > 0; more && !status;) {
    char id[257];
    const char *begin = at;
    size_t length = asci_csv_next_id(&at, end, pairs ? ";=" : ";", id);
    csv_field item = *field;
    if (!field->quoted) { /* the place in a quoted cell may have moved by doubled quotes */
      item.column += (uint32_t)(begin - field->text);
      item.raw_length = (size_t)(at - begin);
    }
    if (!asci_grow(r->context, &r->uses, &r->use_room, r->use_count + 1, sizeof *r->uses)) return ASC_OUT_OF_MEMORY;
    r->uses[r->use_count++] = place_of(&item);
    status = find_tensor(r, list, &item, name, id, length);
    if (pairs && (at == end || *at != '=')) {
      asci_csv_report(&r->report, ASC_BAD_INPUT, &item, name, "has a single tensor, expected output=input");
    } else if (pairs && !status) {
      at++;
      length = asci_csv_next_id(&at, end, ";", id);
      status = find_tensor(r, list, &item, name, id, length);
    }
    more = at < end;
    at += more;
  }
  return status;
}

/* ---- operators ------------------------------------------------------------------------------------------------------- */

static asc_status add_op(graph_reader *r, const csv_field *fields, asc_op_spec *spec) {
  uint32_t count = r->graph->op_count, first = asci_ids_find(&r->graph->op_ids, spec->id, fields[1].length);
  spec->inputs = r->lists[INPUTS].tensors;
  spec->input_count = (uint32_t)r->lists[INPUTS].count;
  spec->outputs = r->lists[OUTPUTS].tensors;
  spec->output_count = (uint32_t)r->lists[OUTPUTS].count;
  spec->inplace = (const asc_tensor_pair *)r->lists[INPLACE].tensors;
  spec->inplace_count = (uint32_t)r->lists[INPLACE].count / 2;
  spec->alias = (const asc_tensor_pair *)r->lists[ALIAS].tensors;
  spec->alias_count = (uint32_t)r->lists[ALIAS].count / 2;
  if (!asci_grow(r->context, &r->ops, &r->op_room, (size_t)count + 1, sizeof *r->ops)) return ASC_OUT_OF_MEMORY;
  r->ops[count] = place_of(&fields[1]);
  asc_diag diag;
  asc_status status = asc_graph_add_op(r->graph, spec, &diag);
  return refuse(r, status, &diag, fields, op_fields, FIELDS, first ? r->ops[first - 1].line : 0);
}

static asc_status read_op(void *user) {
  graph_reader *r = user;
  csv_field fields[FIELDS];
  char id[256], type[256], windows[256];
  asc_op_spec spec = {.id = id, .type = type, .windows = windows};
  size_t errors = r->report.count, count = r->graph->op_count;
  if (!check_fields(r, fields, 5, FIELDS, op_fields)) return ASC_OK;
  if (!asci_grow(r->context, &r->first_use, &r->first_use_room, count + 1, sizeof *r->first_use)) return ASC_OUT_OF_MEMORY;
  r->first_use[count] = (uint32_t)r->use_count;
  read_text(r, &fields[1], "id", true, id);
  read_text(r, &fields[2], "type", false, type);
  for (uint32_t which = 0; which < LISTS; which++) {
    asc_status status = read_list(r, &fields[3 + which], which);
    if (status) return status;
  }
  read_number(r, &fields[7], "workspace", 0, ASC_MAX_BYTES, &spec.workspace);
  read_text(r, &fields[8], "windows", false, windows);
  return r->report.count > errors ? ASC_OK : add_op(r, fields, &spec);
}

/* ---- the whole file -------------------------------------------------------------------------------------------------- */

static void report_fault(void *user, const asci_fault *fault, const char *message) {
  graph_reader *r = user;
  place where = {.line = 1, .column = 1};
  if (fault->tensor != ASC_NONE)
    where = r->tensors[fault->tensor];
  else if (fault->use != ASC_NONE)
    where = r->uses[r->first_use[fault->op] + fault->use];
  else if (fault->op != ASC_NONE)
    where = r->ops[fault->op];
  report_at(r, where, fault->field, message);
}

static asc_status read_passes(graph_reader *r, const char *text, size_t bytes) {
  static const csv_kind rows[] = {{"tensor", read_tensor}, {"op", read_op}};
  asc_status status = asci_csv_read_kinds(&r->report, &r->scan, r->context, text, bytes, rows, r);
  if (status == ASC_TOO_LARGE) return ASC_OK; /* it was reported */
  /* a graph that lacks a row has faults that are not its own */
  if (!status && !r->report.count) status = asci_graph_freeze(r->graph, report_fault, r);
  return status;
}

asc_status asc_graph_csv_read(asc_context *context, const char *text, size_t bytes, asc_graph **graph, asc_diag *diags,
                              size_t room, size_t *count) {
  if (!context || !graph || (bytes && !text) || (room && !diags)) return ASC_BAD_ARGUMENT;
  graph_reader r = {.context = context, .report = {.diags = diags, .room = room}};
  asc_status status = asc_graph_new(context, &r.graph);
  if (!status) status = read_passes(&r, text ? text : "", bytes);
  if (!status) status = r.report.status;
  void *const blocks[] = {r.tensors, r.ops, r.first_use, r.uses};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  for (size_t k = 0; k < LISTS; k++) asci_free(context, r.lists[k].tensors);
  if (count) *count = r.report.count;
  if (status)
    asc_graph_free(r.graph);
  else
    *graph = r.graph;
  return status;
}

bool asc_graph_csv_is(const char *text, size_t bytes) {
  static const char *const rows[] = {"tensor", "op"};
  return asci_csv_begins_with(text, bytes, rows, 2);
}
