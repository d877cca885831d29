#include "session.h"

int32_t done(const session *s) {
  return s->out.short_of_memory ? ASC_OUT_OF_MEMORY : ASC_OK;
}

int32_t refuse(session *s, asc_status status, const asc_diag *diags, size_t shown, size_t total) {
  begin(&s->out);
  put_number(&s->out, (double)total);
  for (size_t i = 0; i < shown; i++) {
    put_number(&s->out, diags[i].line);
    put_number(&s->out, diags[i].column);
    put_number(&s->out, diags[i].length);
    put_string(&s->out, diags[i].field);
    put_string(&s->out, diags[i].message);
  }
  return s->out.short_of_memory ? ASC_OUT_OF_MEMORY : (int32_t)status;
}

bool whole(double value, double least) {
  return value >= least && value <= (double)ASC_MAX_BYTES && (double)(int64_t)value == value;
}

void drop_explain(session *s) {
  asc_explain_free(s->explain);
  s->explain = NULL;
}

void drop_certified(session *s) {
  asc_run_free(s->certified);
  s->certified = NULL;
}

void drop_reading(session *s) {
  asc_csv_reading_free(s->reading);
  free(s->read);
  s->reading = NULL;
  s->read = NULL;
}

void glue_session_free(session *s) {
  if (!s) return;
  asc_explain_free(s->explain);
  asc_run_free(s->certified);
  asc_timeline_free(s->timeline);
  asc_problem_free(s->applied);
  drop_reading(s);
  asc_problem_free(s->tiled);
  asc_tiling_free(s->tiling);
  asc_csv_free(s->csv);
  asc_lowering_free(s->lowering);
  asc_graph_free(s->graph);
  asc_context_free(s->context);
  free(s->input);
  free_outputs(&s->out);
  free(s);
}

/* first, second: random, for the hashes of ids. NULL when there is no memory. */
session *glue_session_new(uint32_t first, uint32_t second) {
  session *s = calloc(1, sizeof *s);
  if (s && asc_context_new(NULL, &s->context) != ASC_OK) {
    glue_session_free(s);
    return NULL;
  }
  if (s) asc_context_set_key(s->context, first, second);
  return s;
}

/* Where to write `bytes` bytes of arguments, aligned for doubles; NULL when there is no memory. The byte after them is a NUL. */
char *glue_input(session *s, size_t bytes) {
  free(s->input);
  s->input_bytes = 0;
  s->input = bytes < SIZE_MAX ? malloc(bytes + 1) : NULL;
  if (!s->input) return NULL;
  s->input[bytes] = '\0';
  s->input_bytes = bytes;
  return s->input;
}

void drop_input(session *s) {
  free(s->input);
  s->input = NULL;
  s->input_bytes = 0;
}

const outputs *glue_out(const session *s) {
  return &s->out;
}

/* Bytes that the core holds for this session. */
double glue_bytes(const session *s) {
  return (double)asc_context_bytes(s->context);
}

asc_option_value *read_options(const char *at, const char *end, uint32_t *count) {
  asc_option_value *options = malloc(((size_t)(end - at) / 2 + 1) * sizeof *options);
  *count = 0;
  while (options && at < end) {
    const char *name = at;
    at += strlen(at) + 1;
    if (at >= end) break;
    options[(*count)++] = (asc_option_value){.name = name, .value = at};
    at += strlen(at) + 1;
  }
  return options;
}

/* As it was read, without a profile. */
static const asc_problem *plain_of(const origin *from) {
  return from->csv ? asc_csv_problem(from->csv) : from->tiled ? from->tiled : asc_lowering_problem(from->lowering);
}

void replace(session *s, origin from, asc_problem *applied) {
  drop_explain(s);
  drop_certified(s);
  s->situation = NULL;
  asc_timeline_free(s->timeline);
  s->timeline = NULL;
  asc_problem_free(s->applied);
  asc_lowering_free(s->lowering);
  if (from.csv != s->csv) asc_csv_free(s->csv);
  if (from.graph != s->graph) asc_graph_free(s->graph);
  if (from.tiled != s->tiled) asc_problem_free(s->tiled);
  if (from.tiling != s->tiling) asc_tiling_free(s->tiling);
  s->csv = from.csv;
  s->applied = applied;
  s->graph = from.graph;
  s->lowering = from.lowering;
  s->tiling = from.tiling;
  s->tiled = from.tiled;
  s->problem = applied ? applied : plain_of(&from);
}
