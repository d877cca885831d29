/* Tasks: the tiles of all operators in an order in which nothing is read before it is made. */
#include "tiler/tiler.h"

#include "base/diag.h"

#include <string.h>

typedef struct scheduler {
  asci_tiler *t;
  asc_box *reads, *writes; /* of the task under way */
  uint64_t *done;          /* per operator: its tiles so far */
  /* Depth first. */
  uint64_t *may;           /* a bit per operator: its next tile may be ready */
  uint32_t *begin, *after; /* compressed rows: the operators that read what an operator makes */
} scheduler;

static asc_status add_task(scheduler *s, uint32_t op) {
  asci_tiler *t = s->t;
  const asci_cut *cut = &t->cuts[op];
  const asc_op_spec *spec = &t->graph->ops[op];
  asci_range tile[ASC_MAX_RANK], ranges[ASC_MAX_RANK];
  uint64_t n = s->done[op]++;
  uint32_t store;
  char id[256];
  asc_task_spec task = {.id = id, .reads = s->reads, .writes = s->writes};
  if (cut->rank) asci_cut_tile(&t->forms[cut->output], cut, cut->backward ? cut->tiles - 1 - n : n, tile);
  asci_reads reads = asci_reads_begin(t, op, cut->rank ? tile : NULL);
  while (asci_reads_next(&reads, &store, ranges)) s->reads[task.read_count++] = asci_form_box(&t->forms[store], ranges);
  for (uint32_t k = 0; k < spec->output_count; k++) {
    const asci_form *form = &t->forms[spec->outputs[k]];
    if (!asci_is_made(t, spec->outputs[k])) continue;
    if (!cut->rank) asci_cut_tile(form, cut, 0, tile);
    s->writes[task.write_count++] = asci_box_in(t, spec->outputs[k], tile);
  }
  asci_task_id(id, spec->id, op, n);
  asc_diag why = {0};
  asc_status status = asc_tiling_add_task(t->tiling, &task, &why);
  if (!status || status == ASC_OUT_OF_MEMORY) return status;
  return asci_complain(t->diag, status, why.field, "of the tasks of \xe2\x80\x9c%.60s\xe2\x80\x9d %s", spec->id,
                       why.message);
}

/* ---- layer by layer ------------------------------------------------------------------------------------------------------ */

/* Against the direction of whoever makes the first thing that the operator reads, of a concatenation its first part. */
static bool turns_back(const asci_tiler *t, uint32_t op) {
  const asc_op_spec *spec = &t->graph->ops[op];
  for (uint32_t k = 0; k < spec->input_count; k++) {
    uint32_t tensor = spec->inputs[k], store = t->forms[tensor].store;
    if (store == ASC_NONE || t->member_begin[store] == t->member_begin[store + 1]) continue;
    uint32_t own = t->graph->producer[tensor], first = t->graph->producer[t->members[t->member_begin[store]]];
    bool parts = !t->forms[tensor].inside || t->cuts[own].in_place;
    return !t->cuts[parts ? first : own].backward;
  }
  return false;
}

static asc_status by_layer(scheduler *s) {
  asci_tiler *t = s->t;
  asc_status status = ASC_OK;
  for (uint32_t op = 0; op < t->graph->op_count && !status; op++) {
    if (t->set.order == ASCI_TILES_ALTERNATING) t->cuts[op].backward = turns_back(t, op);
    while (s->done[op] < t->cuts[op].tiles && !status) status = add_task(s, op);
  }
  return status;
}

/* ---- depth first --------------------------------------------------------------------------------------------------------- */

/* Enters who reads what whom makes; pass 0 counts. */
static void name_readers(scheduler *s, int pass) {
  const asci_tiler *t = s->t;
  for (uint32_t op = 0; op < t->graph->op_count; op++) {
    const asc_op_spec *spec = &t->graph->ops[op];
    for (uint32_t k = 0; k < spec->input_count; k++) {
      uint32_t store = t->forms[spec->inputs[k]].store;
      for (uint32_t m = store == ASC_NONE ? 0 : t->member_begin[store]; store != ASC_NONE && m < t->member_begin[store + 1];
           m++) {
        uint32_t maker = t->graph->producer[t->members[m]];
        if (pass == 0)
          s->begin[maker + 2]++;
        else
          s->after[s->begin[maker + 1]++] = op;
      }
    }
  }
}

static asc_status find_readers(scheduler *s) {
  const asci_tiler *t = s->t;
  uint32_t n = t->graph->op_count;
  s->begin = asci_calloc(t->context, (size_t)n + 2, sizeof *s->begin);
  s->may = asci_calloc(t->context, (size_t)n / 64 + 1, sizeof *s->may);
  if (!s->begin || !s->may) return ASC_OUT_OF_MEMORY;
  name_readers(s, 0);
  for (uint32_t op = 0; op < n; op++) s->begin[op + 2] += s->begin[op + 1];
  s->after = asci_alloc(t->context, s->begin[n + 1], sizeof *s->after);
  if (!s->after) return ASC_OUT_OF_MEMORY;
  name_readers(s, 1);
  return ASC_OK;
}

/* Whether so much of a store is made. */
static bool is_made(const scheduler *s, uint32_t store, const asci_range ranges[ASC_MAX_RANK]) {
  const asci_tiler *t = s->t;
  for (uint32_t m = t->member_begin[store]; m < t->member_begin[store + 1]; m++) {
    asci_range own[ASC_MAX_RANK];
    uint32_t maker = t->graph->producer[t->members[m]];
    if (!asci_part_in(&t->forms[t->members[m]], ranges, own)) continue;
    if (s->done[maker] <= asci_cut_last(&t->cuts[maker], own)) return false;
  }
  return true;
}

/* Whether all is made that the operator's next tile needs. */
static bool is_ready(const scheduler *s, uint32_t op) {
  const asci_tiler *t = s->t;
  const asci_cut *cut = &t->cuts[op];
  asci_range tile[ASC_MAX_RANK], ranges[ASC_MAX_RANK];
  uint32_t store;
  if (s->done[op] == cut->tiles) return false;
  if (cut->rank) asci_cut_tile(&t->forms[cut->output], cut, s->done[op], tile);
  asci_reads reads = asci_reads_begin(t, op, cut->rank ? tile : NULL);
  while (asci_reads_next(&reads, &store, ranges)) {
    if (!is_made(s, store, ranges)) return false;
  }
  return true;
}

static void mark(scheduler *s, uint32_t op) {
  s->may[op / 64] |= UINT64_C(1) << op % 64;
}

/* The last operator that is marked, ASC_NONE if none is. */
static uint32_t last_marked(const scheduler *s) {
  for (uint32_t word = s->t->graph->op_count / 64 + 1; word-- > 0;) {
    if (!s->may[word]) continue;
    uint32_t bit = 63;
    while (!(s->may[word] >> bit & 1)) bit--;
    return 64 * word + bit;
  }
  return ASC_NONE;
}

static asc_status by_depth(scheduler *s) {
  asc_status status = find_readers(s);
  uint32_t op;
  for (op = 0; op < s->t->graph->op_count && !status; op++) mark(s, op);
  while (!status && (op = last_marked(s)) != ASC_NONE) {
    if (!is_ready(s, op)) {
      s->may[op / 64] &= ~(UINT64_C(1) << op % 64);
      continue;
    }
    status = add_task(s, op);
    for (uint32_t k = s->begin[op]; k < s->begin[op + 1]; k++) mark(s, s->after[k]);
  }
  return status;
}

/* ---- both ---------------------------------------------------------------------------------------------------------------- */

asc_status asci_tasks(asci_tiler *t) {
  uint32_t inputs = 0, outputs = 0;
  for (uint32_t op = 0; op < t->graph->op_count; op++) {
    const asc_op_spec *spec = &t->graph->ops[op];
    if (spec->input_count > inputs) inputs = spec->input_count;
    if (spec->output_count > outputs) outputs = spec->output_count;
  }
  scheduler s = {.t = t};
  s.reads = asci_alloc(t->context, inputs, sizeof *s.reads);
  s.writes = asci_alloc(t->context, outputs, sizeof *s.writes);
  s.done = asci_calloc(t->context, t->graph->op_count, sizeof *s.done);
  asc_status status = s.reads && s.writes && s.done ? ASC_OK : ASC_OUT_OF_MEMORY;
  if (!status) status = t->set.order == ASCI_TILES_DEPTH ? by_depth(&s) : by_layer(&s);
  void *const blocks[] = {s.reads, s.writes, s.done, s.may, s.begin, s.after};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(t->context, blocks[k]);
  return status;
}
