/* The steps of a run: the state after each, its events, and which one answers to a question. */
#include "session.h"

#define MAX_CONDITIONS 256u

/* Per event: step, kind, line, depth, what it says, and where its list begins and how long it is: as wasm/client/events.ts reads it. */
#define EVENT_NUMBERS (6 + ASC_EVENT_ARGS)

static void put_events(outputs *out, const asc_event *events, size_t count) {
  double *row = more_numbers(out, EVENT_NUMBERS * count);
  for (size_t k = 0; row && k < count; k++, row += EVENT_NUMBERS) {
    const asc_event *event = &events[k];
    row[0] = (double)event->step;
    row[1] = event->kind;
    row[2] = event->line;
    row[3] = event->depth;
    for (size_t a = 0; a < ASC_EVENT_ARGS; a++) row[4 + a] = (double)event->args[a];
    row[4 + ASC_EVENT_ARGS] = event->list;
    row[5 + ASC_EVENT_ARGS] = event->list_count;
  }
}

/* False when there is no memory. */
static bool put_path(outputs *out, const asc_path *path) {
  size_t nodes = (size_t)path->depth - path->top + 1, attempts = path->attempt_count;
  const double head[8] = {(double)path->step, path->depth,         path->top,   path->tried,
                          path->candidates,   path->attempt_count, path->whole, (double)path->from};
  double *number = more_numbers(out, 8 + nodes + 3 * attempts);
  uint32_t *word = more_words(out, 3 * nodes + 4 * attempts);
  if (!number || !word) return false;
  memcpy(number, head, sizeof head);
  for (size_t k = 0; k < nodes; k++) {
    const asc_path_node *node = &path->nodes[k];
    number[8 + k] = (double)node->step;
    word[k] = node->count;
    word[nodes + k] = node->more;
    word[2 * nodes + k] = node->whole;
  }
  for (size_t k = 0; k < attempts; k++) {
    const asc_attempt *attempt = &path->attempts[k];
    double *row = number + 8 + nodes + k;
    row[0] = (double)attempt->step;
    row[attempts] = (double)attempt->end;
    row[2 * attempts] = (double)attempt->offset;
    uint32_t *entry = word + 3 * nodes + k;
    entry[0] = attempt->buffer;
    entry[attempts] = attempt->count;
    entry[2 * attempts] = attempt->kind;
    entry[3 * attempts] = attempt->rule;
  }
  return true;
}

/* numbers = step, depth, has least offsets, branches, has phases, events e, buffers n, revision and frontier of the situation (-1 and -1: it has none,
   the buffers are the problem's), then the offsets, the least offsets if there are any, and twelve numbers
   per event: step, kind, line, depth, the six arguments, start and length of its list. words = the stack; if the solver branches, tried
   and candidates; the phases, if there are any, by buffer; then the lists of all events. */
static int32_t put_frame(session *s, const asc_run_view *view, const asc_log *log) {
  const asc_event *events = NULL;
  const uint32_t *lists = NULL;
  uint32_t count = 0;
  uint64_t dropped = 0;
  if (log) asc_log_get(log, &events, &count, &lists, &dropped);
  bool branches = view->tried && view->candidates;
  put_number(&s->out, (double)view->step);
  put_number(&s->out, view->depth);
  put_number(&s->out, view->min_offsets ? 1 : 0);
  put_number(&s->out, branches ? 1 : 0);
  put_number(&s->out, view->phases ? 1 : 0);
  size_t n = asc_problem_count(view->situation ? view->situation : s->problem);
  put_number(&s->out, count);
  put_number(&s->out, (double)n);
  put_number(&s->out, view->situation ? (double)view->revision : -1);
  put_number(&s->out, view->situation ? (double)view->frontier : -1);
  s->situation = view->situation;
  s->order = view->order;
  put_offsets(&s->out, view->offsets, n);
  if (view->min_offsets) put_offsets(&s->out, view->min_offsets, n);
  put_events(&s->out, events, count);
  put_words(&s->out, view->stack, view->depth);
  if (branches) {
    put_words(&s->out, view->tried, view->depth);
    put_words(&s->out, view->candidates, view->depth);
  }
  if (view->phases) put_words(&s->out, view->phases, n);
  size_t list_end = 0;
  for (uint32_t k = 0; k < count; k++) {
    size_t end = (size_t)events[k].list + events[k].list_count;
    if (end > list_end) list_end = end;
  }
  put_words(&s->out, lists, list_end);
  return done(s);
}

/* The run's own state, a frame without events. Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_now(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_run_view view;
  asc_status status = asc_run_view_get(asc_timeline_run(s->timeline), &view);
  return status == ASC_OK ? put_frame(s, &view, NULL) : (int32_t)status;
}

/* The state after `step` steps, with the events of steps step-before+1 .. step+after. Errors: BAD_ARGUMENT, OUT_OF_MEMORY. */
int32_t glue_seek(session *s, double step, double before, double after) {
  begin(&s->out);
  if (!s->timeline || !whole(step, 0) || !whole(before, 0) || !whole(after, 0)) return ASC_BAD_ARGUMENT;
  asc_run_view view;
  asc_status status = asc_timeline_seek(s->timeline, (uint64_t)step, (uint64_t)before, (uint64_t)after, &view);
  return status == ASC_OK ? put_frame(s, &view, asc_timeline_log(s->timeline)) : (int32_t)status;
}

_Static_assert(ASC_STEP_COUNT <= 53, "the kinds of steps that are looked for cross as the bits of a double");

#define CONDITION_NUMBERS 7

/* One condition from seven doubles, -1 for what is not asked. */
static bool read_condition(const double *row, asc_condition *condition) {
  *condition = asc_condition_default();
  for (int k = 0; k < CONDITION_NUMBERS; k++)
    if (!whole(row[k], -1) || (k > 0 && row[k] > (double)UINT32_MAX)) return false;
  if (row[0] >= 0) condition->kinds = (uint64_t)row[0];
  if (row[1] >= 0) condition->rules = (uint32_t)row[1];
  if (row[2] >= 0) condition->roles = (uint32_t)row[2];
  if (row[3] >= 0) condition->buffer = (uint32_t)row[3];
  if (row[4] >= 0) condition->section = (uint32_t)row[4];
  if (row[5] >= 0) condition->above = (uint32_t)row[5];
  condition->major = row[6] > 0;
  return true;
}

/* The doubles of the input as conditions (free them), or NULL (status says why). */
static asc_condition *input_conditions(session *s, uint32_t *count, asc_status *status) {
  double row[CONDITION_NUMBERS];
  size_t n = s->input_bytes / sizeof row;
  *count = (uint32_t)n;
  *status = ASC_BAD_ARGUMENT;
  if (!s->input || s->input_bytes % sizeof row || n > MAX_CONDITIONS) return NULL;
  asc_condition *conditions = malloc((n ? n : 1) * sizeof *conditions);
  *status = conditions ? ASC_OK : ASC_OUT_OF_MEMORY;
  for (size_t k = 0; conditions && k < n; k++) {
    memcpy(row, s->input + k * sizeof row, sizeof row);
    if (read_condition(row, &conditions[k])) continue;
    *status = ASC_BAD_ARGUMENT;
    free(conditions);
    return NULL;
  }
  return conditions;
}

/* numbers = the step found or 0, and where the search stopped. Input: seven doubles per condition: kinds, rules and roles as bits, buffer,
   section, above, -1 where nothing is asked, and major or not. Errors: BAD_ARGUMENT, those of asc_timeline_find. */
int32_t glue_find(session *s, double from, bool forward, double limit) {
  begin(&s->out);
  if (!s->timeline || !whole(from, 0) || !whole(limit, 0)) return ASC_BAD_ARGUMENT;
  uint64_t step = 0, stopped = 0;
  uint32_t count;
  asc_status status;
  asc_condition *conditions = input_conditions(s, &count, &status);
  drop_input(s);
  if (status != ASC_OK) return (int32_t)status;
  status = asc_timeline_find(s->timeline, (uint64_t)from, forward, conditions, count, (uint64_t)limit, &step, &stopped);
  free(conditions);
  if (status != ASC_OK) return (int32_t)status;
  put_number(&s->out, (double)step);
  put_number(&s->out, (double)stopped);
  return done(s);
}

/* What was tried at the last nodes on the path to a step, see asc_timeline_path: numbers = step, depth, top, tried, candidates, attempts a, whole,
   from; the step of each node; step, end and offset of each attempt. words = per node: attempts, more, whole; per attempt: buffer, count,
   kind, rule. Each is a column. Errors: those of asc_timeline_path. */
int32_t glue_path(session *s, double step, uint32_t levels, uint32_t most, double limit) {
  begin(&s->out);
  if (!s->timeline || !whole(step, 0) || !whole(limit, 0)) return ASC_BAD_ARGUMENT;
  asc_path path;
  asc_status status = asc_timeline_path(s->timeline, (uint64_t)step, levels, most, (uint64_t)limit, &path);
  if (status == ASC_OK && !put_path(&s->out, &path)) status = ASC_OUT_OF_MEMORY;
  return status == ASC_OK ? done(s) : (int32_t)status;
}
