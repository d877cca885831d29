/* A problem that is a model's graph, lowered. */
#include "session.h"

/* Lowers a graph under the options in a part of the input, for the memory of the profile. Errors: those of asc_lower and of
   asc_lowering_set_profile. */
static asc_status lower(session *s, const asc_graph *graph, const char *at, const char *end, asc_lowering **lowering,
                        asc_diag *diag) {
  uint32_t count;
  asc_option_value *options = read_options(at, end, &count);
  asc_lowering *made = NULL;
  asc_status status = options ? asc_lower(graph, options, count, &made, diag) : ASC_OUT_OF_MEMORY;
  free(options);
  if (status == ASC_OK && has_profile(s)) status = asc_lowering_set_profile(made, &s->profile, diag);
  if (status == ASC_OK)
    *lowering = made;
  else
    asc_lowering_free(made);
  return status;
}

/* Lowers a graph that is new under the options in a part of the input, and makes it the problem if that is well. */
static int32_t open_lowered(session *s, asc_graph *graph, const char *at, const char *end) {
  asc_diag diag = {0};
  asc_lowering *lowering = NULL;
  s->lower = lower;
  asc_status status = lower(s, graph, at, end, &lowering, &diag);
  drop_input(s);
  if (status == ASC_OK) {
    replace(s, (origin){.graph = graph, .lowering = lowering}, NULL);
    return ASC_OK;
  }
  asc_graph_free(graph);
  return refuse(s, status, &diag, 1, 1);
}

/* Reads the graph CSV in the input, from behind its first option_bytes, which hold name and value of each option, and lowers it for the memory of
   the profile. Only if that is well is the problem replaced. Errors: those of asc_graph_csv_read, of asc_lower and of
   asc_lowering_set_profile. */
int32_t glue_open_graph(session *s, double option_bytes) {
  asc_diag diags[MAX_DIAGS];
  size_t total = 0;
  asc_graph *graph = NULL;
  begin(&s->out);
  if (!s->input || !whole(option_bytes, 0) || option_bytes > (double)s->input_bytes) return ASC_BAD_ARGUMENT;
  const char *text = s->input + (size_t)option_bytes, *end = s->input + s->input_bytes;
  asc_status status = asc_graph_csv_read(s->context, text, (size_t)(end - text), &graph, diags, MAX_DIAGS, &total);
  if (status == ASC_OK) return open_lowered(s, graph, s->input, text);
  drop_input(s);
  return refuse(s, status, diags, total < MAX_DIAGS ? total : MAX_DIAGS, total);
}

/* The same of a packed graph: the input has its numbers, its words, its text, then name and value of each option. What is wrong with it has no line.
   Errors: BAD_ARGUMENT, those of asc_graph_unpack, of asc_lower and of asc_lowering_set_profile. */
int32_t glue_open_packed(session *s, double numbers, double words, double text_bytes) {
  asc_diag diag = {0};
  asc_graph *graph = NULL;
  begin(&s->out);
  if (!s->input || !whole(numbers, 0) || !whole(words, 0) || !whole(text_bytes, 0)) return ASC_BAD_ARGUMENT;
  if (numbers * sizeof(double) + words * sizeof(uint32_t) + text_bytes > (double)s->input_bytes) return ASC_BAD_ARGUMENT;
  asc_packed_graph packed = {.number_count = (size_t)numbers, .word_count = (size_t)words, .text_bytes = (size_t)text_bytes};
  packed.numbers = (const double *)(const void *)s->input;
  packed.words = (const uint32_t *)(const void *)(packed.numbers + packed.number_count);
  packed.text = (const char *)(packed.words + packed.word_count);
  asc_status status = asc_graph_unpack(s->context, &packed, &graph, &diag);
  if (status == ASC_OK) return open_lowered(s, graph, packed.text + packed.text_bytes, s->input + s->input_bytes);
  drop_input(s);
  return refuse(s, status, &diag, 1, 1);
}

/* Takes what was read once more: for the memory of the profile as it is now and, of a graph, under the options in the input. Only if that is well is
   the problem replaced. Errors: BAD_ARGUMENT (there is none), those of asc_profile_apply, of asc_lower and of asc_lowering_set_profile. */
int32_t glue_again(session *s) {
  asc_diag diag = {0};
  asc_problem *applied = NULL;
  asc_lowering *lowering = NULL;
  asc_status status = ASC_OK;
  begin(&s->out);
  if (!s->problem || !s->input) return ASC_BAD_ARGUMENT;
  if (s->graph)
    status = s->lower(s, s->graph, s->input, s->input + s->input_bytes, &lowering, &diag);
  else if (has_profile(s))
    status = asc_profile_apply(s->csv ? asc_csv_problem(s->csv) : s->tiled, &s->profile, &applied, &diag);
  drop_input(s);
  if (status != ASC_OK) return refuse(s, status, &diag, 1, 1);
  replace(s, (origin){s->csv, s->graph, lowering, s->tiling, s->tiled}, applied);
  return ASC_OK;
}

/* False when there is no memory. */
static bool put_lowering(outputs *out, const asc_graph *graph, const asc_lowering *lowering) {
  uint32_t t = asc_graph_tensor_count(graph), n = asc_graph_op_count(graph);
  const uint32_t *schedule = asc_lowering_schedule(lowering), *buffers = asc_lowering_buffers(lowering);
  const uint32_t *workspaces = asc_lowering_workspaces(lowering);
  asc_budgets budgets = asc_lowering_budgets(lowering);
  const double head[5] = {t, n, (double)budgets.required, (double)budgets.half, (double)budgets.peak};
  double *numbers = more_numbers(out, 5 + (size_t)t);
  uint32_t *words = more_words(out, 3 * (size_t)t), *place = malloc((n ? n : 1) * sizeof *place);
  if (!numbers || !words || !place) {
    free(place);
    return false;
  }
  memcpy(numbers, head, sizeof head);
  for (uint32_t k = 0; k < n; k++) place[schedule[k]] = k;
  for (uint32_t k = 0; k < t; k++) {
    const asc_tensor_spec *tensor = asc_graph_tensor(graph, k);
    uint32_t producer = asc_graph_producer(graph, k);
    numbers[5 + k] = (double)tensor->bytes;
    words[3 * k] = tensor->kind;
    words[3 * k + 1] = buffers[k];
    words[3 * k + 2] = producer == ASC_NONE ? ASC_NONE : place[producer];
    put_string(out, tensor->id);
    put_string(out, tensor->shape);
    put_string(out, tensor->dtype);
  }
  free(place);
  for (uint32_t k = 0; k < n; k++) {
    const asc_op_spec *op = asc_graph_op(graph, schedule[k]);
    const uint32_t pair[2] = {schedule[k], workspaces[schedule[k]]};
    put_words(out, pair, 2);
    put_list(out, op->inputs, op->input_count);
    put_list(out, op->outputs, op->output_count);
    put_string(out, op->id);
    put_string(out, op->type);
  }
  const char *note;
  for (uint32_t k = 0; (note = asc_lowering_note(lowering, k)); k++) put_string(out, note);
  return true;
}

/* numbers = tensors t, operators n, the three budgets, then the bytes of each tensor; words = for each tensor its kind, its buffer and the
   operator that makes it (either may be 2^32 - 1: none), then for each operator, as they run, its row, the buffer of its workspace, and
   number and list of its inputs, then of its outputs; text = id, shape and dtype of each tensor, id and type of each operator as they
   run, then the notes. Operators are their places in the schedule. Errors: BAD_ARGUMENT (no graph), OUT_OF_MEMORY. */
int32_t glue_graph(session *s) {
  begin(&s->out);
  if (!s->lowering) return ASC_BAD_ARGUMENT;
  if (!put_lowering(&s->out, s->graph, s->lowering)) return ASC_OUT_OF_MEMORY;
  return done(s);
}
