/* The ready operators, and which of them is next. */
#include "solve/list_schedule/schedule.h"

#include <string.h>

/* ---- what is ready --------------------------------------------------------------------------------------------------- */

/* Where op is among the ready, or would be. */
static uint32_t find(const asci_schedule *s, uint32_t op) {
  uint32_t low = 0, high = s->ready_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->ready[middle] < op)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool asci_schedule_is_ready(const asci_schedule *s, uint32_t op) {
  uint32_t at = find(s, op);
  return at < s->ready_count && s->ready[at] == op;
}

static void add_ready(asci_schedule *s, uint32_t op) {
  uint32_t at = find(s, op);
  memmove(s->ready + at + 1, s->ready + at, (s->ready_count - at) * sizeof *s->ready);
  s->ready[at] = op;
  s->ready_count++;
  s->since[op] = s->done;
}

static void take_ready(asci_schedule *s, uint32_t op) {
  uint32_t at = find(s, op);
  s->ready_count--;
  memmove(s->ready + at, s->ready + at + 1, (s->ready_count - at) * sizeof *s->ready);
}

asc_status asci_schedule_begin(asci_schedule *s) {
  const asc_graph *g = s->graph;
  asci_growth fresh;
  asc_status status = asci_growth_new(&s->sized, &fresh);
  if (status) return status;
  asci_growth_free(&s->growth);
  s->growth = fresh;
  s->done = s->ready_count = s->begun_count = 0;
  s->live = s->peak = 0;
  s->allocated = false;
  s->height = -1;
  memcpy(s->waits, g->waits, g->op_count * sizeof *s->waits);
  memset(s->has_begun, 0, asc_problem_count(asc_lowering_problem(s->lowering)) * sizeof *s->has_begun);
  for (uint32_t op = 0; op < g->op_count; op++)
    if (s->waits[op] == 0) add_ready(s, op);
  return ASC_OK;
}

/* ---- the rules ------------------------------------------------------------------------------------------------------- */

int64_t asci_schedule_live(const asci_schedule *s, uint32_t op) {
  int64_t more = s->growth.rise[op] + s->workspaces[op] + (s->done ? 0 : s->at_first);
  return s->always + s->growth.live + more;
}

int64_t asci_schedule_after(const asci_schedule *s, uint32_t op) {
  return s->always + s->growth.live + s->growth.rise[op] - s->growth.fall[op];
}

static int compare(int64_t a, int64_t b) {
  return (a > b) - (a < b);
}

static int compare_after(const asci_schedule *s, uint32_t a, uint32_t b) {
  int first = compare(asci_schedule_after(s, a), asci_schedule_after(s, b));
  return first ? first : compare(asci_schedule_live(s, a), asci_schedule_live(s, b));
}

/* By how much the peak would grow. */
static int64_t growth_of(const asci_schedule *s, uint32_t op) {
  int64_t live = asci_schedule_live(s, op);
  return live > s->peak ? live - s->peak : 0;
}

/* Below 0 if a goes before b, 0 if that is left to the order of the file. */
static int compare_ready(const asci_schedule *s, uint32_t a, uint32_t b) {
  int first = 0;
  switch (s->rule) {
  case ASCI_RULE_LEAST_GROWTH:
    first = compare(growth_of(s, a), growth_of(s, b));
    return first ? first : compare_after(s, a, b);
  case ASCI_RULE_LEAST_ALIVE:
    return compare_after(s, a, b);
  case ASCI_RULE_DEPTH_FIRST:
    return compare(s->since[b], s->since[a]);
  case ASCI_RULE_BREADTH_FIRST:
    return compare(s->since[a], s->since[b]);
  default:
    return 0;
  }
}

uint32_t asci_schedule_choose(const asci_schedule *s) {
  uint32_t best = s->ready[0];
  for (uint32_t k = 1; k < s->ready_count; k++)
    if (compare_ready(s, s->ready[k], best) < 0) best = s->ready[k];
  return best;
}

/* ---- one operator ---------------------------------------------------------------------------------------------------- */

static void begin_item(asci_schedule *s, uint32_t item) {
  uint32_t buffer = s->lowering->buffers[item];
  if (buffer == ASC_NONE || s->has_begun[buffer]) return;
  s->has_begun[buffer] = true;
  s->begun[s->begun_count++] = buffer;
}

/* Buffers that no operator names are there from the first one on: the model's own inputs, outputs and variables. */
static void begin_unnamed(asci_schedule *s) {
  for (uint32_t t = 0; t < s->graph->tensor_count; t++)
    if (s->sized.store[t] == t && s->growth.begin[t] == s->growth.begin[t + 1] && !(s->sized.kinds[t] & ASC_TENSOR_CONSTANT))
      begin_item(s, t);
}

static void begin_buffers(asci_schedule *s, uint32_t op) {
  const asc_op_spec *spec = &s->graph->ops[op];
  if (s->done == 0) begin_unnamed(s);
  for (uint32_t k = 0; k < spec->input_count; k++) begin_item(s, spec->inputs[k]);
  for (uint32_t k = 0; k < spec->output_count; k++) begin_item(s, spec->outputs[k]);
  begin_item(s, s->graph->tensor_count + op);
}

void asci_schedule_run(asci_schedule *s, uint32_t op) {
  const asc_graph *g = s->graph;
  s->live = asci_schedule_live(s, op);
  if (s->live > s->peak) s->peak = s->live;
  begin_buffers(s, op);
  asci_growth_run(&s->growth, op);
  take_ready(s, op);
  s->order[s->done++] = op;
  for (uint32_t k = g->after_begin[op]; k < g->after_begin[op + 1]; k++)
    if (--s->waits[g->after[k]] == 0) add_ready(s, g->after[k]);
}

const uint32_t *asci_schedule_whole(asci_schedule *s) {
  const uint32_t *given = asc_lowering_schedule(s->lowering);
  uint32_t at = s->done;
  for (uint32_t k = 0; k < s->graph->op_count; k++)
    if (!s->growth.done[given[k]]) s->order[at++] = given[k];
  return s->order;
}
