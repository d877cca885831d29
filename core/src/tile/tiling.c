/* Tensors and tasks, one by one. */
#include "tile/tiling.h"
#include "base/diag.h"

#include <string.h>

asc_status asc_tiling_new(asc_context *context, asc_tiling **tiling) {
  if (!context || !tiling) return ASC_BAD_ARGUMENT;
  asc_tiling *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->context = context;
  *tiling = made;
  return ASC_OK;
}

static void thaw(asc_tiling *tiling) {
  asci_free(tiling->context, tiling->rects);
  asci_free(tiling->context, tiling->begin);
  tiling->rects = NULL;
  tiling->begin = NULL;
  tiling->frozen = false;
}

void asc_tiling_free(asc_tiling *tiling) {
  if (!tiling) return;
  asc_context *context = tiling->context;
  thaw(tiling);
  asci_arena_free(context, &tiling->arena);
  asci_ids_free(context, &tiling->tensor_ids);
  asci_ids_free(context, &tiling->task_ids);
  asci_free(context, tiling->tensors);
  asci_free(context, tiling->tasks);
  asci_free(context, tiling);
}

uint32_t asc_tiling_tensor_count(const asc_tiling *tiling) {
  return tiling->tensor_count;
}

uint32_t asc_tiling_task_count(const asc_tiling *tiling) {
  return tiling->task_count;
}

const asc_tiled_spec *asc_tiling_tensor(const asc_tiling *tiling, uint32_t tensor) {
  return tensor < tiling->tensor_count ? &tiling->tensors[tensor].spec : NULL;
}

const asc_task_spec *asc_tiling_task(const asc_tiling *tiling, uint32_t task) {
  return task < tiling->task_count ? &tiling->tasks[task] : NULL;
}

int64_t asc_tiling_bytes(const asc_tiling *tiling, uint32_t tensor) {
  return tensor < tiling->tensor_count ? tiling->tensors[tensor].bytes : 0;
}

const asc_rect *asc_tiling_rects(const asc_tiling *tiling, uint32_t tensor, uint32_t *count) {
  bool there = tiling->frozen && tensor < tiling->tensor_count;
  *count = there ? (uint32_t)(tiling->begin[tensor + 1] - tiling->begin[tensor]) : 0;
  return there ? tiling->rects + tiling->begin[tensor] : NULL;
}

/* ---- adding ---------------------------------------------------------------------------------------------------------- */

/* A copy of the id that is entered under the next number; BAD_INPUT if it is there already. */
static asc_status keep_id(asc_tiling *tiling, asci_ids *ids, const char *id, uint32_t count, const char **kept,
                          asc_diag *diag) {
  asc_status status = asci_check_id(id, diag);
  if (status) return status;
  size_t length = strlen(id);
  if (asci_ids_find(ids, id, length)) return asci_complain(diag, ASC_BAD_INPUT, "id", "is already used");
  if (count == ASC_MAX_BUFFERS)
    return asci_complain(diag, ASC_TOO_LARGE, "id", "is one too many, expected at most %u", count);
  char *copy = asci_arena_alloc(tiling->context, &tiling->arena, length + 1);
  if (!copy) return ASC_OUT_OF_MEMORY;
  memcpy(copy, id, length + 1);
  *kept = copy;
  uint32_t first;
  return asci_ids_enter(tiling->context, ids, (asci_id){copy, length, count + 1}, &first);
}

static asc_status check_tensor(const asc_tiled_spec *spec, asc_diag *diag) {
  if (spec->element < 1 || spec->element > ASC_MAX_ELEMENT)
    return asci_out_of_range(diag, "element", spec->element, 1, ASC_MAX_ELEMENT);
  if (spec->rank < 1 || spec->rank > ASC_MAX_RANK)
    return asci_complain(diag, ASC_BAD_INPUT, "shape", "has %u dimensions, expected 1 to %u", spec->rank, ASC_MAX_RANK);
  for (uint32_t k = 0; k < spec->rank; k++)
    if (spec->sizes[k] < 1 || spec->sizes[k] > ASC_MAX_BYTES)
      return asci_out_of_range(diag, "shape", spec->sizes[k], 1, ASC_MAX_BYTES);
  if ((uint32_t)spec->layout > ASC_LAYOUT_STRIDES)
    return asci_complain(diag, ASC_BAD_INPUT, "layout", "is none of those there are");
  if (spec->kind != 0 && spec->kind != ASC_TENSOR_INPUT && spec->kind != ASC_TENSOR_OUTPUT)
    return asci_complain(diag, ASC_BAD_INPUT, "kind", "is %u, expected none, input or output", spec->kind);
  if (spec->alignment < 1 || spec->alignment > ASC_MAX_TENSOR_ALIGNMENT)
    return asci_out_of_range(diag, "alignment", spec->alignment, 1, ASC_MAX_TENSOR_ALIGNMENT);
  return ASC_OK;
}

asc_status asc_tiling_add_tensor(asc_tiling *tiling, const asc_tiled_spec *spec, asc_diag *diag) {
  if (!tiling || !spec) return ASC_BAD_ARGUMENT;
  asci_tiled made = {.spec = *spec};
  asc_status status = check_tensor(spec, diag);
  if (!status) status = asci_tile_axes(&made, diag);
  if (status) return status;
  thaw(tiling);
  if (!asci_grow(tiling->context, &tiling->tensors, &tiling->tensor_room, (size_t)tiling->tensor_count + 1, sizeof made))
    return ASC_OUT_OF_MEMORY;
  status = keep_id(tiling, &tiling->tensor_ids, spec->id, tiling->tensor_count, &made.spec.id, diag);
  if (!status) tiling->tensors[tiling->tensor_count++] = made;
  return status;
}

static asc_status check_box(const asc_tiling *tiling, const asc_box *box, const char *field, asc_diag *diag) {
  if (box->tensor >= tiling->tensor_count)
    return asci_complain(diag, ASC_BAD_INPUT, field, "has tensor %u, of which there is none", box->tensor);
  const asc_tiled_spec *spec = &tiling->tensors[box->tensor].spec;
  char a[ASCI_COMMAS], b[ASCI_COMMAS], c[ASCI_COMMAS];
  for (uint32_t k = 0; k < spec->rank; k++) {
    if (box->low[k] < 0 || box->low[k] >= box->high[k] || box->high[k] > spec->sizes[k])
      return asci_complain(diag, ASC_BAD_INPUT, field, "has %s:%s, expected a range inside 0:%s",
                           asci_commas(a, box->low[k]), asci_commas(b, box->high[k]), asci_commas(c, spec->sizes[k]));
  }
  if (spec->layout != ASC_LAYOUT_NC32HW32) return ASC_OK;
  int64_t low = box->low[1], high = box->high[1];
  bool one = low / ASCI_BLOCK == (high - 1) / ASCI_BLOCK;
  if (one || (low % ASCI_BLOCK == 0 && (high % ASCI_BLOCK == 0 || high == spec->sizes[1]))) return ASC_OK;
  return asci_complain(diag, ASC_BAD_INPUT, field, "has channels %s:%s, expected whole blocks of %d", asci_commas(a, low),
                       asci_commas(b, high), ASCI_BLOCK);
}

static asc_status keep_boxes(asc_tiling *tiling, const asc_box *boxes, uint32_t count, const char *field,
                             const asc_box **kept, asc_diag *diag) {
  *kept = NULL;
  for (uint32_t k = 0; k < count; k++) {
    asc_status status = check_box(tiling, &boxes[k], field, diag);
    if (status) return status;
  }
  if (!count) return ASC_OK;
  asc_box *copy = asci_arena_alloc(tiling->context, &tiling->arena, count * sizeof *copy);
  if (!copy) return ASC_OUT_OF_MEMORY;
  memcpy(copy, boxes, count * sizeof *copy);
  *kept = copy;
  return ASC_OK;
}

#define MOST_BOXES ((size_t)1 << 26)

asc_status asc_tiling_add_task(asc_tiling *tiling, const asc_task_spec *spec, asc_diag *diag) {
  if (!tiling || !spec || (spec->read_count && !spec->reads) || (spec->write_count && !spec->writes))
    return ASC_BAD_ARGUMENT;
  asc_task_spec made = *spec;
  size_t boxes = (size_t)spec->read_count + spec->write_count;
  if (!boxes) return asci_complain(diag, ASC_BAD_INPUT, "writes", "is empty, expected something that the task does");
  if (boxes > MOST_BOXES - tiling->box_count) return asci_complain(diag, ASC_TOO_LARGE, "reads", "are too many boxes");
  thaw(tiling);
  if (!asci_grow(tiling->context, &tiling->tasks, &tiling->task_room, (size_t)tiling->task_count + 1, sizeof made))
    return ASC_OUT_OF_MEMORY;
  asc_status status = keep_boxes(tiling, spec->reads, spec->read_count, "reads", &made.reads, diag);
  if (!status) status = keep_boxes(tiling, spec->writes, spec->write_count, "writes", &made.writes, diag);
  if (!status) status = keep_id(tiling, &tiling->task_ids, spec->id, tiling->task_count, &made.id, diag);
  if (status) return status;
  tiling->tasks[tiling->task_count++] = made;
  tiling->box_count += boxes;
  return ASC_OK;
}

/* ---- freezing -------------------------------------------------------------------------------------------------------- */

static void count_uses(asc_tiling *tiling) {
  for (uint32_t t = 0; t < tiling->tensor_count; t++) tiling->tensors[t].writers = tiling->tensors[t].uses = 0;
  for (uint32_t k = 0; k < tiling->task_count; k++) {
    const asc_task_spec *task = &tiling->tasks[k];
    for (uint32_t r = 0; r < task->read_count; r++) tiling->tensors[task->reads[r].tensor].uses++;
    for (uint32_t w = 0; w < task->write_count; w++) {
      asci_tiled *tensor = &tiling->tensors[task->writes[w].tensor];
      tensor->uses++;
      tensor->writers++;
    }
  }
}

/* The boxes of each tensor in order of time: those of tensor t from first[t] on. */
static void sort_uses(const asc_tiling *tiling, asci_tile_use *uses, size_t *first) {
  size_t sum = 0;
  for (uint32_t t = 0; t < tiling->tensor_count; t++) {
    first[t] = sum;
    sum += tiling->tensors[t].uses;
  }
  for (uint32_t k = 0; k < tiling->task_count; k++) {
    const asc_task_spec *task = &tiling->tasks[k];
    for (uint32_t r = 0; r < task->read_count; r++)
      uses[first[task->reads[r].tensor]++] = (asci_tile_use){&task->reads[r], k, false};
    for (uint32_t w = 0; w < task->write_count; w++)
      uses[first[task->writes[w].tensor]++] = (asci_tile_use){&task->writes[w], k, true};
  }
  for (uint32_t t = 0; t < tiling->tensor_count; t++) first[t] -= tiling->tensors[t].uses;
}

/* Whether the tensor's kind is what tasks make of it. */
static bool check_kind(const asc_tiling *tiling, uint32_t t, asci_tile_report report, void *user) {
  const asci_tiled *tensor = &tiling->tensors[t];
  const asci_tile_fault fault = {.tensor = t, .task = ASC_NONE, .field = "kind"};
  bool written = tensor->spec.kind == ASC_TENSOR_INPUT && tensor->writers;
  bool unwritten = tensor->spec.kind == ASC_TENSOR_OUTPUT && !tensor->writers;
  if (written) report(user, &fault, "is input, but a task writes it");
  if (unwritten) report(user, &fault, "is output, but no task writes it");
  return !written && !unwritten;
}

static asc_status freeze_tensors(asc_tiling *tiling, const asci_tile_use *uses, const size_t *first, asci_tile_report report,
                                 void *user) {
  size_t room = 0;
  asc_status worst = ASC_OK;
  tiling->begin[0] = 0;
  for (uint32_t t = 0; t < tiling->tensor_count; t++) {
    tiling->begin[t + 1] = tiling->begin[t];
    asc_status status = check_kind(tiling, t, report, user) ? ASC_OK : ASC_BAD_INPUT;
    if (!status && tiling->tensors[t].uses)
      status = asci_tile_atoms(tiling, t, uses + first[t], tiling->tensors[t].uses, &room, report, user);
    if (status == ASC_OUT_OF_MEMORY) return status;
    if (status > worst) worst = status;
  }
  return worst;
}

asc_status asci_tiling_freeze(asc_tiling *tiling, asci_tile_report report, void *user) {
  asc_context *context = tiling->context;
  thaw(tiling);
  count_uses(tiling);
  asci_tile_use *uses = asci_alloc(context, tiling->box_count, sizeof *uses);
  size_t *first = asci_alloc(context, tiling->tensor_count, sizeof *first);
  tiling->begin = asci_alloc(context, (size_t)tiling->tensor_count + 1, sizeof *tiling->begin);
  asc_status status = uses && first && tiling->begin ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!status) {
    sort_uses(tiling, uses, first);
    status = freeze_tensors(tiling, uses, first, report, user);
  }
  asci_free(context, uses);
  asci_free(context, first);
  if (status)
    thaw(tiling);
  else
    tiling->frozen = true;
  return status;
}

typedef struct first_fault {
  const asc_tiling *tiling;
  asc_diag *diag;
  bool known;
} first_fault;

static void keep_first(void *user, const asci_tile_fault *fault, const char *message) {
  first_fault *first = user;
  if (first->known) return;
  const asc_tiling *tiling = first->tiling;
  bool task = fault->task != ASC_NONE;
  asci_complain(first->diag, ASC_BAD_INPUT, fault->field, "of %.60s %s",
                task ? tiling->tasks[fault->task].id : tiling->tensors[fault->tensor].spec.id, message);
  first->known = true;
}

asc_status asc_tiling_freeze(asc_tiling *tiling, asc_diag *diag) {
  if (!tiling) return ASC_BAD_ARGUMENT;
  first_fault first = {.tiling = tiling, .diag = diag};
  asc_status status = asci_tiling_freeze(tiling, keep_first, &first);
  if (first.known && diag) diag->status = status;
  return status;
}
