/* Plans on a model's graph: what is said of one, and of an operator that no plan has room for. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* ---- an operator that does not fit ----------------------------------------------------------------------------------- */

/* The k-th buffer that the operator names, its workspace last; ASC_NONE where that is none. */
static uint32_t named_buffer(const asc_graph *graph, const asc_lowering *lowering, uint32_t op, uint32_t k) {
  const asc_op_spec *spec = asc_graph_op(graph, op);
  const uint32_t *buffers = asc_lowering_buffers(lowering);
  if (k < spec->input_count) return buffers[spec->inputs[k]];
  if (k < spec->input_count + spec->output_count) return buffers[spec->outputs[k - spec->input_count]];
  return asc_lowering_workspaces(lowering)[op];
}

static uint32_t named_count(const asc_graph *graph, uint32_t op) {
  const asc_op_spec *spec = asc_graph_op(graph, op);
  return spec->input_count + spec->output_count + 1;
}

/* Whether it is a buffer, and none of those before it is the same. */
static bool is_first(const asc_graph *graph, const asc_lowering *lowering, uint32_t op, uint32_t k) {
  uint32_t buffer = named_buffer(graph, lowering, op, k);
  for (uint32_t j = 0; j < k; j++)
    if (named_buffer(graph, lowering, op, j) == buffer) return false;
  return buffer != ASC_NONE;
}

static int64_t bytes_of(const asc_graph *graph, const asc_lowering *lowering, uint32_t op) {
  const asc_problem *problem = asc_lowering_problem(lowering);
  int64_t bytes = 0;
  for (uint32_t k = 0; k < named_count(graph, op); k++)
    if (is_first(graph, lowering, op, k)) bytes += asc_problem_buffer(problem, named_buffer(graph, lowering, op, k))->size;
  return bytes;
}

void say_refused(const cli_input *in, int64_t capacity) {
  const asc_graph *graph = in->graph;
  uint32_t worst = 0;
  int64_t most = 0;
  for (uint32_t op = 0; op < asc_graph_op_count(graph); op++) {
    int64_t bytes = bytes_of(graph, in->lowering, op);
    if (bytes > most) most = bytes, worst = op;
  }
  if (most <= capacity) return;
  say(stderr, "%s: operator %s needs %s bytes at once, and the capacity is %s:", in->path, asc_graph_op(graph, worst)->id,
      commas(most), commas(capacity));
  const char *comma = "";
  for (uint32_t k = 0; k < named_count(graph, worst); k++) {
    if (!is_first(graph, in->lowering, worst, k)) continue;
    const asc_buffer_spec *spec =
        asc_problem_buffer(asc_lowering_problem(in->lowering), named_buffer(graph, in->lowering, worst, k));
    say(stderr, "%s %s %s", comma, spec->id, commas(spec->size));
    comma = ",";
  }
  fputc('\n', stderr);
}

void say_unsearched(const cli_input *in, const asc_run_config *config) {
  enum { WHOLE = 2048 }; /* as the option has it */
  int64_t whole = WHOLE, count = asc_graph_op_count(in->graph);
  for (uint32_t k = 0; k < config->option_count; k++)
    if (strcmp(config->options[k].name, "whole") == 0) whole = strtoll(config->options[k].value, NULL, 10);
  if (strcmp(config->solver, "cosma") != 0 || !whole || count <= whole) return;
  say(stderr, "%s: %s operators are more than %s (--whole): searched through cuts alone, so another order may move less.\n",
      in->path, commas(count), commas(whole));
}

/* ---- plans as CSV ---------------------------------------------------------------------------------------------------- */

static const char header[] = "tensor,turn,pool,lower,upper,size,offset";
static const char *const pools[] = {"arena", "outside", "run"};
enum { RUN = 2, COLUMNS = 7 };

static void put_field(FILE *file, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

static const char workspace[] = ":workspace";

static void put_item(FILE *file, const asc_graph *graph, uint32_t item) {
  uint32_t tensors = asc_graph_tensor_count(graph);
  if (item < tensors) {
    put_field(file, asc_graph_tensor(graph, item)->id);
    return;
  }
  char name[512];
  snprintf(name, sizeof name, "%s%s", asc_graph_op(graph, item - tensors)->id, workspace);
  put_field(file, name);
}

static int64_t size_of(const cli_input *in, uint32_t item) {
  uint32_t tensors = asc_graph_tensor_count(in->graph);
  uint32_t buffer =
      item < tensors ? asc_lowering_buffers(in->lowering)[item] : asc_lowering_workspaces(in->lowering)[item - tensors];
  return buffer == ASC_NONE ? 0 : asc_problem_buffer(asc_lowering_problem(in->lowering), buffer)->size;
}

/* Which of its item's stays in that pool it is, from 0. */
static uint32_t turn_of(const cli_result *result, uint32_t k) {
  uint32_t turn = 0;
  for (uint32_t j = 0; j < result->stay_count; j++) {
    const asc_stay *a = &result->stays[j], *b = &result->stays[k];
    turn += a->item == b->item && a->pool == b->pool && a->lower < b->lower;
  }
  return turn;
}

bool write_stays(const char *path, const cli_input *in, const cli_result *result) {
  cli_output out;
  if (!output_open(&out, path)) return false;
  fprintf(out.file, "%s\n", header);
  for (uint32_t k = 0; k < result->turns; k++) {
    put_field(out.file, asc_graph_op(in->graph, result->order[k])->id);
    fprintf(out.file, ",%u,%s,%u,%u,0,\n", k, pools[RUN], k, k + 1);
  }
  for (uint32_t k = 0; k < result->stay_count; k++) {
    const asc_stay *stay = &result->stays[k];
    put_item(out.file, in->graph, stay->item);
    fprintf(out.file, ",%u,%s,%lld,%lld,%lld,", turn_of(result, k), pools[stay->pool], (long long)stay->lower,
            (long long)stay->upper, (long long)size_of(in, stay->item));
    if (stay->pool == ASC_POOL_MAIN) fprintf(out.file, "%lld", (long long)stay->offset);
    fputc('\n', out.file);
  }
  return output_close(&out, !ferror(out.file));
}

/* ---- and back -------------------------------------------------------------------------------------------------------- */

bool stays_are(const char *text, size_t bytes) {
  size_t length = sizeof header - 1;
  return bytes > length && strncmp(text, header, length) == 0 && (text[length] == '\n' || text[length] == '\r');
}

typedef struct reading {
  const cli_input *plan;
  const asc_graph *graph;
  char *at;
  unsigned line;
  char *fields[COLUMNS];
  uint32_t *order;
  asc_stay *stays;
  asc_plan read; /* of these */
} reading;

static bool wrong(const reading *r, const char *column, const char *found, const char *expected) {
  complain("%s:%u: %s: is \"%s\", expected %s", r->plan->path, r->line, column, found, expected);
  return false;
}

/* The next field, its quotes taken off in place; *last: it ends its line. */
static char *next_field(reading *r, bool *last) {
  char *begin = r->at, *to = r->at;
  bool quoted = *r->at == '"';
  if (quoted) r->at++;
  for (; *r->at && (quoted || !strchr(",\r\n", *r->at)); r->at++) {
    if (quoted && *r->at == '"' && *++r->at != '"') {
      quoted = false;
      r->at--;
      continue;
    }
    *to++ = *r->at;
  }
  char ended = *r->at;
  if (*r->at) r->at++;
  if (ended == '\r' && *r->at == '\n') r->at++;
  *last = ended != ',';
  *to = 0;
  return begin;
}

static bool read_fields(reading *r) {
  bool last = false;
  uint32_t count = 0;
  r->line++;
  while (!last && count < COLUMNS) r->fields[count++] = next_field(r, &last);
  if (last && count == COLUMNS) return true;
  complain("%s:%u: has not the %d fields of the header", r->plan->path, r->line, COLUMNS);
  return false;
}

static bool read_number(const reading *r, uint32_t column, const char *name, int64_t *number) {
  char *end;
  *number = strtoll(r->fields[column], &end, 10);
  bool well = *r->fields[column] && !*end && *number >= 0 && *number <= ASC_MAX_BYTES;
  return well || wrong(r, name, r->fields[column], "a whole number of at least 0");
}

static uint32_t find_op(const asc_graph *graph, const char *id, size_t length) {
  for (uint32_t op = 0; op < asc_graph_op_count(graph); op++) {
    const char *other = asc_graph_op(graph, op)->id;
    if (strlen(other) == length && strncmp(other, id, length) == 0) return op;
  }
  return ASC_NONE;
}

static uint32_t find_item(const asc_graph *graph, const char *id) {
  for (uint32_t t = 0; t < asc_graph_tensor_count(graph); t++)
    if (strcmp(asc_graph_tensor(graph, t)->id, id) == 0) return t;
  size_t length = strlen(id), tail = sizeof workspace - 1;
  if (length <= tail || strcmp(id + length - tail, workspace) != 0) return ASC_NONE;
  uint32_t op = find_op(graph, id, length - tail);
  return op == ASC_NONE ? ASC_NONE : asc_graph_tensor_count(graph) + op;
}

static bool read_run(reading *r, int64_t lower) {
  uint32_t op = find_op(r->graph, r->fields[0], strlen(r->fields[0]));
  if (op == ASC_NONE) return wrong(r, "tensor", r->fields[0], "an operator of the graph");
  if (lower != r->read.turns) return wrong(r, "lower", r->fields[3], "operators in the order in which they run");
  r->order[r->read.turns++] = op;
  return true;
}

static bool read_row(reading *r) {
  int64_t lower, upper;
  if (!read_fields(r) || !read_number(r, 3, "lower", &lower) || !read_number(r, 4, "upper", &upper)) return false;
  if (strcmp(r->fields[2], pools[RUN]) == 0) return read_run(r, lower);
  uint32_t pool = strcmp(r->fields[2], pools[0]) == 0 ? ASC_POOL_MAIN : ASC_POOL_OUTSIDE;
  if (pool && strcmp(r->fields[2], pools[1]) != 0) return wrong(r, "pool", r->fields[2], "arena, outside or run");
  uint32_t item = find_item(r->graph, r->fields[0]);
  if (item == ASC_NONE) return wrong(r, "tensor", r->fields[0], "a tensor of the graph");
  asc_stay stay = {.item = item, .pool = pool, .lower = lower, .upper = upper, .offset = ASC_UNPLACED};
  if (pool == ASC_POOL_MAIN && !read_number(r, 6, "offset", &stay.offset)) return false;
  r->stays[r->read.stay_count++] = stay;
  return true;
}

static bool read_stays(reading *r) {
  size_t lines = 1;
  for (size_t k = 0; k < r->plan->bytes; k++) lines += r->plan->text[k] == '\n';
  r->at = malloc(r->plan->bytes + 1);
  r->order = malloc(lines * sizeof *r->order);
  r->stays = malloc(lines * sizeof *r->stays);
  if (!r->at || !r->order || !r->stays) {
    free(r->at);
    complain("out of memory");
    return false;
  }
  char *text = r->at;
  memcpy(text, r->plan->text, r->plan->bytes);
  text[r->plan->bytes] = 0;
  bool well = read_fields(r);
  while (well && *r->at) well = read_row(r);
  free(text);
  r->read.order = r->order;
  r->read.stays = r->stays;
  if (!well || r->read.turns == asc_graph_op_count(r->graph)) return well;
  complain("%s: %u operators run, expected the graph's %u", r->plan->path, r->read.turns, asc_graph_op_count(r->graph));
  return false;
}

bool stays_read(const cli_input *plan, const cli_input *given, asc_plan *read) {
  reading r = {.plan = plan, .graph = given->graph};
  if (given->lowering && read_stays(&r)) {
    *read = r.read;
    return true;
  }
  if (!given->lowering)
    complain("%s: a row for each stay is a plan of a model's graph, which --problem has to name", plan->path);
  free(r.order);
  free(r.stays);
  return false;
}

void stays_free(asc_plan *read) {
  free((void *)read->order);
  free((void *)read->stays);
}

/* ---- the referee's word ---------------------------------------------------------------------------------------------- */

static void print_fault(const asc_graph *graph, const asc_violation *fault) {
  uint32_t tensors = asc_graph_tensor_count(graph);
  bool of_op = fault->kind == ASC_VIOLATION_ORDER;
  const char *name = of_op ? asc_graph_op(graph, fault->buffer)->id
                           : (fault->buffer < tensors ? asc_graph_tensor(graph, fault->buffer)->id
                                                      : asc_graph_op(graph, fault->buffer - tensors)->id);
  say(stdout, "%s: %s%s", asc_violation_name(fault->kind), name, !of_op && fault->buffer >= tensors ? workspace : "");
  if (fault->other == ASC_NONE)
    putchar('\n');
  else if (fault->kind == ASC_VIOLATION_OVERLAP)
    say(stdout, " and %s\n", fault->other < tensors ? asc_graph_tensor(graph, fault->other)->id : "a workspace");
  else
    say(stdout, ", operator %s\n", asc_graph_op(graph, fault->other)->id);
}

static int judge(const asc_plan *plan, const cli_input *given, int64_t capacity, bool json) {
  asc_input input = asc_input_graph(given->lowering);
  asc_violation faults[MOST_DIAGS];
  size_t count = 0;
  int64_t spilled = 0, fetched = 0;
  asc_status status = asc_plan_validate(&input, plan, capacity < 0 ? INT64_MAX : capacity, faults, MOST_DIAGS, &count);
  if (status) {
    complain("%s", asc_status_text(status));
    return EXIT_USAGE;
  }
  if (!count) asc_plan_moves(given->lowering, plan, &spilled, &fetched);
  long long height = count ? -1 : (long long)asc_plan_cost(&input, plan, ASC_GOAL_HEIGHT);
  if (json) {
    printf("{\"valid\":%s,\"stays\":%u,\"height\":%lld,\"traffic\":%lld,\"spilled\":%lld,\"fetched\":%lld,\"violations\":%"
           "zu}\n",
           count ? "false" : "true", plan->stay_count, height, (long long)spilled + (long long)fetched, (long long)spilled,
           (long long)fetched, count);
  } else {
    for (size_t k = 0; k < count && k < MOST_DIAGS; k++) print_fault(given->graph, &faults[k]);
    if (count)
      printf("invalid: %s violation%s\n", commas((int64_t)count), count == 1 ? "" : "s");
    else
      printf("valid: %s stays, height %s, traffic %s\n", commas(plan->stay_count), commas(height),
             commas(spilled + fetched));
  }
  return count ? EXIT_INFEASIBLE : EXIT_SOLVED;
}

int check_stays(const cli_input *plan, const cli_input *given, int64_t capacity, bool json) {
  asc_plan read;
  if (!stays_read(plan, given, &read)) return EXIT_USAGE;
  int code = judge(&read, given, capacity, json);
  stays_free(&read);
  return code;
}
