/* The referee of plans for tiled tensors: a memory in which each unit carries a tag, whose and which it is. The tasks run one by one; what a task
 * reads must carry the tags of that tensor's own elements, what it writes then carries them. Where an element lies follows here from its layout's
 * definition alone, and when it is needed from what the tasks do: lifetimes, axes and chunks are not looked at. */
#include "base/memory.h"
#include "base/number/multiple.h"
#include "tile/places.h"

#define MOST_TAGS (INT64_C(1) << 27)
#define NOBODY UINT64_MAX

typedef struct replay {
  const asc_tiling *tiling;
  const int64_t *offsets;
  int64_t unit;
  uint64_t *tags;
  asc_misread *first;
  size_t count;
} replay;

/* Of which all addresses in question are multiples: gcd of it and what one box brings in. */
static int64_t grain(const asc_tiled_spec *spec, const asc_box *box, int64_t unit) {
  asci_place_rule rule = asci_place_rule_of(spec);
  for (uint32_t k = 0; k < spec->rank; k++) {
    int64_t stride = rule.stride[k] * spec->element;
    if (k != rule.dense || rule.stride[k] != 1) {
      if (spec->sizes[k] > 1) unit = asci_common_divisor(unit, stride);
      continue;
    }
    int64_t high = rule.block && box->high[k] == spec->sizes[k] ? (box->high[k] + 31) / 32 * 32 : box->high[k];
    unit = asci_common_divisor(unit, box->low[k] * stride);
    unit = asci_common_divisor(unit, high * stride);
    if (rule.block) unit = asci_common_divisor(unit, 32 * stride);
    if (rule.block) unit = asci_common_divisor(unit, rule.block * spec->element);
  }
  bool dense = rule.stride[rule.dense] == 1;
  return dense ? unit : asci_common_divisor(unit, spec->element);
}

typedef void (*visit)(replay *r, int64_t at, uint64_t tag, asc_misread *found);

static void put_tag(replay *r, int64_t at, uint64_t tag, asc_misread *found) {
  (void)found;
  r->tags[at] = tag;
}

static void check_tag(replay *r, int64_t at, uint64_t tag, asc_misread *found) {
  if (r->tags[at] == tag || found->address >= 0) return;
  found->address = at * r->unit;
  found->other = r->tags[at] == NOBODY ? ASC_NONE : (uint32_t)(r->tags[at] >> 40);
}

/* Visits each unit of a box. */
static void walk(replay *r, const asc_box *box, visit each, asc_misread *found) {
  const asc_tiled_spec *spec = &r->tiling->tensors[box->tensor].spec;
  if (r->offsets[box->tensor] == ASC_UNPLACED) return;
  asci_place_rule rule = asci_place_rule_of(spec);
  int64_t at[ASC_MAX_RANK], high[ASC_MAX_RANK], pace[ASC_MAX_RANK];
  for (uint32_t k = 0; k < spec->rank; k++) {
    bool dense = k == rule.dense && rule.stride[k] == 1;
    at[k] = box->low[k];
    high[k] = dense && rule.block && box->high[k] == spec->sizes[k] ? (box->high[k] + 31) / 32 * 32 : box->high[k];
    pace[k] = dense && r->unit > spec->element ? r->unit / spec->element : 1;
  }
  for (uint32_t k = 0; k < spec->rank;) {
    int64_t element = 0;
    for (uint32_t d = 0; d < spec->rank; d++)
      element += rule.block && d == 1 ? at[d] / 32 * rule.block + at[d] % 32 : at[d] * rule.stride[d];
    int64_t from = element * spec->element;
    for (int64_t done = 0; done < (r->unit < spec->element ? spec->element : r->unit); done += r->unit) {
      int64_t relative = (from + done) / r->unit;
      each(r, r->offsets[box->tensor] / r->unit + relative, ((uint64_t)box->tensor << 40) + (uint64_t)relative, found);
    }
    for (k = 0; k < spec->rank; k++) {
      at[k] += pace[k];
      if (at[k] < high[k]) break;
      at[k] = box->low[k];
    }
  }
}

static void check(replay *r, const asc_box *box, uint32_t task) {
  asc_misread found = {.task = task, .tensor = box->tensor, .other = ASC_NONE, .address = -1};
  walk(r, box, check_tag, &found);
  if (found.address < 0) return;
  if (!r->count && r->first) *r->first = found;
  r->count++;
}

/* What nobody writes is there before the first task. */
static void tag_unwritten(replay *r) {
  const asc_tiling *tiling = r->tiling;
  for (uint32_t k = 0; k < tiling->task_count; k++)
    for (uint32_t b = 0; b < tiling->tasks[k].read_count; b++) {
      const asc_box *box = &tiling->tasks[k].reads[b];
      if (!tiling->tensors[box->tensor].writers) walk(r, box, put_tag, NULL);
    }
}

static void run_tasks(replay *r) {
  const asc_tiling *tiling = r->tiling;
  tag_unwritten(r);
  for (uint32_t k = 0; k < tiling->task_count; k++) {
    const asc_task_spec *task = &tiling->tasks[k];
    for (uint32_t b = 0; b < task->read_count; b++) check(r, &task->reads[b], k);
    for (uint32_t b = 0; b < task->write_count; b++) walk(r, &task->writes[b], put_tag, NULL);
  }
  for (uint32_t k = 0; k < tiling->task_count; k++)
    for (uint32_t b = 0; b < tiling->tasks[k].write_count; b++) {
      const asc_box *box = &tiling->tasks[k].writes[b];
      if (tiling->tensors[box->tensor].spec.kind == ASC_TENSOR_OUTPUT) check(r, box, ASC_NONE);
    }
}

asc_status asc_tiling_replay(const asc_tiling *tiling, const int64_t *offsets, asc_misread *first, size_t *count) {
  if (!tiling || !tiling->frozen || !offsets || !count) return ASC_BAD_ARGUMENT;
  replay r = {.tiling = tiling, .offsets = offsets, .first = first};
  int64_t height = 0;
  for (uint32_t k = 0; k < tiling->task_count; k++) {
    const asc_task_spec *task = &tiling->tasks[k];
    for (uint32_t b = 0; b < task->read_count + task->write_count; b++) {
      const asc_box *box = b < task->read_count ? &task->reads[b] : &task->writes[b - task->read_count];
      int64_t offset = offsets[box->tensor], top = offset + tiling->tensors[box->tensor].bytes;
      if (offset == ASC_UNPLACED) continue;
      if (offset < 0 || offset > ASC_MAX_BYTES) return ASC_BAD_ARGUMENT;
      r.unit = asci_common_divisor(grain(&tiling->tensors[box->tensor].spec, box, r.unit), offset);
      height = top > height ? top : height;
    }
  }
  *count = 0;
  if (!height || !r.unit) return ASC_OK; /* nothing lies anywhere */
  if (height / r.unit > MOST_TAGS) return ASC_TOO_LARGE;
  r.tags = asci_alloc(tiling->context, (size_t)(height / r.unit + 1), sizeof *r.tags);
  if (!r.tags) return ASC_OUT_OF_MEMORY;
  for (int64_t k = 0; k <= height / r.unit; k++) r.tags[k] = NOBODY;
  run_tasks(&r);
  asci_free(tiling->context, r.tags);
  *count = r.count;
  return ASC_OK;
}
