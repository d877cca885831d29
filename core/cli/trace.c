/* What a search did, a line for each event: "12 place buffer=b3 offset=64 support=- of=2 again=0: b1 b4". */
#include "cli.h"

#include <string.h>

static void put_buffer(const cli_trace *t, int64_t value) {
  const asc_buffer_spec *spec =
      value < asc_problem_count(t->problem) ? asc_problem_buffer(t->problem, (uint32_t)value) : NULL;
  if (spec)
    fputs(spec->id, t->out.file);
  else if (value == ASC_NONE)
    fputc('-', t->out.file);
  else
    fprintf(t->out.file, "#%lld", (long long)value);
}

static void put_operator(const cli_trace *t, int64_t value) {
  fputs(t->graph ? asc_graph_op(t->graph, (uint32_t)value)->id : "-", t->out.file);
}

static void put_section(const cli_trace *t, int64_t value) {
  if (value == ASC_NONE)
    fputc('-', t->out.file);
  else
    fprintf(t->out.file, "%lld", (long long)value);
}

static void put_rule(const cli_trace *t, int64_t value) {
  fputs(asc_rule_id((asc_rule)value), t->out.file);
}

static void put_number(const cli_trace *t, int64_t value) {
  fprintf(t->out.file, "%lld", (long long)value);
}

#define put_BUFFER put_buffer
#define put_OPERATOR put_operator
#define put_SECTION put_section
#define put_RULE put_rule
#define put_BYTES put_number
#define put_LEVEL put_number
#define put_COUNT put_number
#define put_FLAG put_number
#define put_CODE put_number

/* Whether the list of a kind holds operators. */
static const bool lists_operators[ASC_EVENT_COUNT] = {
#define ASC_LIST(text) false
#define ASC_NO_LIST false
#define ASC_OPERATORS(text) true
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) [ASC_EVENT_##NAME] = list,
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) [ASC_EVENT_##NAME] = list,
#include "asc/events.def"
};

static void put_said(const cli_trace *t, const asc_event *event) {
  switch ((asc_event_kind)event->kind) {
#define ASC_ARG(type, name) \
  fputs(" " #name "=", t->out.file); \
  put_##type(t, said->name);
#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) \
  case ASC_EVENT_##NAME: { \
    const asc_event_##name *said = &event->name; \
    fputs(id, t->out.file); \
    arguments break; \
  }
#define ASC_DETAIL(NAME, name, id, arguments, list, meaning) ASC_STEP(NAME, name, id, , , arguments, list, meaning)
#include "asc/events.def"
  }
}

bool trace_open(cli_trace *t, const char *path) {
  *t = (cli_trace){.problem = NULL};
  return !path || output_open(&t->out, path);
}

bool trace_begin(cli_trace *t, const asc_input *input, const asc_graph *graph, asc_run *run) {
  if (!t->out.file) return true;
  t->problem = input->domain == ASC_DOMAIN_BUFFERS ? input->of.buffers : asc_lowering_problem(input->of.graph);
  t->graph = graph;
  if (asc_log_new(t->context, 0, &t->log)) {
    complain("out of memory");
    return false;
  }
  asc_run_attach(run, t->log);
  return true;
}

void trace_write(cli_trace *t) {
  if (!t->log) return;
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  uint64_t dropped;
  asc_log_get(t->log, &events, &count, &lists, &dropped);
  for (uint32_t k = 0; k < count; k++) {
    fprintf(t->out.file, "%llu ", (unsigned long long)events[k].step);
    put_said(t, &events[k]);
    if (events[k].list_count) fputc(':', t->out.file);
    for (uint32_t i = 0; i < events[k].list_count; i++) {
      fputc(' ', t->out.file);
      (lists_operators[events[k].kind] ? put_operator : put_buffer)(t, lists[events[k].list + i]);
    }
    fputc('\n', t->out.file);
  }
  asc_log_clear(t->log);
}

void trace_end(cli_trace *t, asc_run *run) {
  trace_write(t);
  asc_run_attach(run, NULL);
  asc_log_free(t->log);
  t->log = NULL;
}

bool trace_close(cli_trace *t) {
  return !t->out.file || output_close(&t->out, !ferror(t->out.file));
}
