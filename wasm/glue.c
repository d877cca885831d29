/* The core as flat functions for WebAssembly: handles, numbers and texts cross, no structs. Nothing is decided here. What is not static is exported
 * by the modules that exports.txt says, and is left out of the others.
 *
 * A session holds one problem, one run and one explanation. Arguments that are texts or arrays lie in the session's input
 * (glue_input); results are written to its three outputs, which glue_out describes and the next call overwrites:
 *
 *     numbers   double    bytes, times, steps: exact, for all of them stay below 2^53; a 64-bit digest is two halves of 32 bits
 *     words     uint32_t  indices and counters
 *     text      char      UTF-8; several strings each end with a NUL
 *
 * Every function that can fail returns an asc_status. A message about the input is then left in the outputs, as
 * numbers = total, then line, column and length of each; text = field and message of each. */
#include "asc/asc.h"
#include "asc/tile.h"
#include "lowering.h"
#include "manifest.h"
#include "outputs.h"
#include "steps.h"
#include "tasks.h"

#define MAX_DIAGS 20u
#define MAX_CONDITIONS 256u

typedef struct session {
  asc_context *context;
  asc_csv_reading *reading; /* NULL unless one is under way */
  char *read;               /* its text */
  asc_diag diags[MAX_DIAGS];
  asc_csv *csv;     /* NULL unless the problem came as CSV */
  asc_graph *graph; /* NULL unless it was lowered from a graph */
  asc_lowering *lowering;
  asc_tiling *tiling;           /* NULL unless the problem came as tasks on tiles */
  asc_problem *tiled;           /* its tensors as buffers */
  asc_problem *applied;         /* the csv's problem, or the tiling's, under a profile, NULL without one */
  const asc_problem *problem;   /* that one, or of the csv, the tiling or the lowering, NULL while there is none */
  asc_profile profile;          /* of the next problem */
  asc_timeline *timeline;       /* NULL while there is no run */
  asc_explain *explain;         /* NULL unless one is under way */
  const asc_problem *situation; /* of the frame before, if the call before was for one, and its order */
  const uint32_t *order;
  char *input;
  size_t input_bytes;
  outputs out;
} session;

static int32_t done(const session *s) {
  return s->out.short_of_memory ? ASC_OUT_OF_MEMORY : ASC_OK;
}

static int32_t refuse(session *s, asc_status status, const asc_diag *diags, size_t shown, size_t total) {
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

/* True for integers from least to ASC_MAX_BYTES: only those may be cast. */
static bool whole(double value, double least) {
  return value >= least && value <= (double)ASC_MAX_BYTES && (double)(int64_t)value == value;
}

static double high_half(uint64_t value) {
  return (double)(uint32_t)(value >> 32);
}

static double low_half(uint64_t value) {
  return (double)(uint32_t)value;
}

static void drop_explain(session *s) {
  asc_explain_free(s->explain);
  s->explain = NULL;
}

static void drop_reading(session *s) {
  asc_csv_reading_free(s->reading);
  free(s->read);
  s->reading = NULL;
  s->read = NULL;
}

/* ---- session --------------------------------------------------------------------------------------------------------- */

void glue_session_free(session *s) {
  if (!s) return;
  asc_explain_free(s->explain);
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

static void drop_input(session *s) {
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

/* text = the tables that are fixed at build time, as JSON. Errors: OUT_OF_MEMORY. */
int32_t glue_manifest(session *s) {
  begin(&s->out);
  put_manifest(&s->out);
  return done(s);
}

/* ---- problem --------------------------------------------------------------------------------------------------------- */

/* How the memory of the problems opened from now on takes their buffers (asc_profile_apply); a bank of 0 is none. Errors: BAD_ARGUMENT. */
int32_t glue_profile(session *s, double alignment, uint32_t align_by, double bank) {
  begin(&s->out);
  if (!whole(alignment, 1) || align_by > ASC_ALIGN_BOTH || !whole(bank, 0)) return ASC_BAD_ARGUMENT;
  s->profile = (asc_profile){.alignment = (int64_t)alignment, .align_by = (asc_align_by)align_by, .bank = (int64_t)bank};
  return ASC_OK;
}

static bool has_profile(const session *s) {
  return s->profile.alignment > 1 || s->profile.bank;
}

/* Name and value of each option from a part of the input. Returns the options (free them) or NULL without memory. */
static asc_option_value *read_options(const char *at, const char *end, uint32_t *count) {
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

/* Where a problem comes from: what is read of it, and what owns it. */
typedef struct origin {
  asc_csv *csv;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_tiling *tiling;
  asc_problem *tiled;
} origin;

/* As it was read, without a profile. */
static const asc_problem *plain_of(const origin *from) {
  return from->csv ? asc_csv_problem(from->csv) : from->tiled ? from->tiled : asc_lowering_problem(from->lowering);
}

/* Gives the session a problem, which its origin owns; what was begun on the one before is dropped. What was read may be the present. */
static void replace(session *s, origin from, asc_problem *applied) {
  drop_explain(s);
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

/* Begins to read the CSV in the input; a reading under way is given up. Errors: OUT_OF_MEMORY. */
int32_t glue_read(session *s) {
  begin(&s->out);
  drop_reading(s);
  asc_status status =
      asc_csv_reading_new(s->context, s->input, s->input_bytes, ASC_OFFSETS_FIXED, s->diags, MAX_DIAGS, &s->reading);
  if (status == ASC_OK) {
    s->read = s->input;
    s->input = NULL;
  }
  drop_input(s);
  return (int32_t)status;
}

/* Reads up to `rows` rows more, or gives the reading up. numbers = rows and bytes read so far, whether there may be more. Errors:
   BAD_ARGUMENT (no reading), OUT_OF_MEMORY. */
int32_t glue_read_step(session *s, double rows, bool cancel) {
  begin(&s->out);
  if (!s->reading || !whole(rows, 0)) return ASC_BAD_ARGUMENT;
  size_t read, at;
  bool more = false;
  asc_status status = ASC_OK;
  if (!cancel) status = asc_csv_reading_step(s->reading, rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX, &more);
  asc_csv_reading_at(s->reading, &read, &at);
  if (cancel || status != ASC_OK) drop_reading(s);
  if (status != ASC_OK) return (int32_t)status;
  put_number(&s->out, (double)read);
  put_number(&s->out, (double)at);
  put_number(&s->out, more);
  return done(s);
}

/* Ends the reading under way, or reads the CSV in the input as a whole if there is none. Only if that and
   its profile are well is the problem replaced; a complaint of the profile has no line. */
int32_t glue_open(session *s) {
  size_t total = 0;
  asc_csv *csv = NULL;
  asc_problem *applied = NULL;
  int32_t begun = s->reading ? ASC_OK : glue_read(s);
  begin(&s->out);
  if (begun != ASC_OK) return begun;
  asc_status status = asc_csv_reading_end(s->reading, &csv, &total);
  drop_reading(s);
  if (status != ASC_OK) return refuse(s, status, s->diags, total < MAX_DIAGS ? total : MAX_DIAGS, total);
  if (has_profile(s)) {
    status = asc_profile_apply(asc_csv_problem(csv), &s->profile, &applied, s->diags);
    if (status != ASC_OK) {
      asc_csv_free(csv);
      return refuse(s, status, s->diags, 1, 1);
    }
  }
  replace(s, (origin){.csv = csv}, applied);
  return ASC_OK;
}

static bool put_buffers(session *s, const asc_problem *problem) {
  size_t n = asc_problem_count(problem);
  double *column = more_numbers(&s->out, 8 * n);
  if (!column) return false;
  for (uint32_t i = 0; i < n; i++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, i);
    const int64_t pool = spec->pool == ASC_POOL_ANY ? -1 : (int64_t)spec->pool;
    const int64_t values[8] = {spec->lower,  spec->upper, spec->size, spec->alignment,
                               spec->offset, spec->hint,  spec->bank, pool};
    for (size_t k = 0; k < 8; k++) column[k * n + i] = (double)values[k];
    put_string(&s->out, asc_problem_id(problem, i));
  }
  return true;
}

static void put_rectangle(session *s, uint32_t buffer, int64_t a, int64_t b, int64_t c, int64_t d) {
  const double row[5] = {buffer, (double)a, (double)b, (double)c, (double)d};
  double *room = more_numbers(&s->out, 5);
  if (room) memcpy(room, row, sizeof row);
}

static void put_gaps_and_shapes(session *s, const asc_problem *problem) {
  uint32_t n = asc_problem_count(problem);
  for (uint32_t i = 0; i < n; i++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, i);
    for (uint32_t g = 0; g < spec->gap_count; g++) {
      const asc_gap *gap = &spec->gaps[g];
      put_rectangle(s, i, gap->lower, gap->upper, gap->window_lower, gap->window_upper);
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, i);
    for (uint32_t r = 0; r < spec->shape_count; r++) {
      const asc_rect *rect = &spec->shape[r];
      put_rectangle(s, i, rect->lower, rect->upper, rect->low, rect->high);
    }
  }
}

static bool put_sections(session *s, const asc_problem *problem) {
  size_t count = asc_problem_section_count(problem);
  const asc_section *sections = asc_problem_sections(problem);
  double *column = more_numbers(&s->out, 3 * count);
  uint32_t *live = more_words(&s->out, count);
  if (!column || !live) return false;
  for (size_t k = 0; k < count; k++) {
    column[k] = (double)sections[k].lower;
    column[count + k] = (double)sections[k].upper;
    column[2 * count + k] = (double)sections[k].load;
    live[k] = sections[k].live;
  }
  return true;
}

static double peak_of(const asc_problem *problem) {
  uint32_t peak = asc_problem_peak(problem);
  return peak == ASC_NONE ? -1.0 : (double)peak;
}

/* Of several. */
static bool put_pools(session *s, const asc_problem *problem, uint32_t pools) {
  for (uint32_t p = 0; pools > 1 && p < pools; p++) {
    const asc_pool *pool = asc_problem_pool(problem, p);
    const asc_problem *part = asc_problem_part(problem, p);
    put_number(&s->out, (double)pool->capacity);
    put_number(&s->out, (double)pool->alignment);
    put_number(&s->out, (double)pool->bank);
    put_number(&s->out, (double)asc_problem_lower_bound(part));
    put_number(&s->out, peak_of(part));
    put_number(&s->out, asc_problem_section_count(part));
    if (!put_sections(s, part)) return false;
  }
  return true;
}

/* csv: that it was read from, or NULL. */
static int32_t put_problem(session *s, const asc_problem *problem, const asc_csv *csv) {
  uint32_t n = asc_problem_count(problem), pools = asc_problem_pool_count(problem);
  uint64_t digest = asc_problem_digest(problem), gaps = 0, rects = 0;
  for (uint32_t i = 0; i < n; i++) gaps += asc_problem_buffer(problem, i)->gap_count;
  for (uint32_t i = 0; i < n; i++) rects += asc_problem_buffer(problem, i)->shape_count;
  put_number(&s->out, n);
  put_number(&s->out, asc_problem_section_count(problem));
  put_number(&s->out, peak_of(problem));
  put_number(&s->out, (double)asc_problem_lower_bound(problem));
  put_number(&s->out, asc_problem_partition_count(problem));
  put_number(&s->out, high_half(digest));
  put_number(&s->out, low_half(digest));
  put_number(&s->out, (double)gaps);
  put_number(&s->out, (double)rects);
  put_number(&s->out, pools);
  put_number(&s->out, csv ? (double)asc_csv_end_read(csv) + (asc_csv_is_plain(csv) ? 0 : 4) : 0);
  put_string(&s->out, csv ? asc_csv_convention(csv) : "");
  for (uint32_t p = 0; p < pools; p++) put_string(&s->out, asc_problem_pool(problem, p)->id);
  if (!put_buffers(s, problem) || !put_sections(s, problem)) return ASC_OUT_OF_MEMORY;
  put_gaps_and_shapes(s, problem);
  return put_pools(s, problem, pools) ? done(s) : ASC_OUT_OF_MEMORY;
}

/* numbers = buffers n, sections m, peak or -1, lower bound, partitions, digest (two), gaps, rectangles of shapes, pools and how the ends of a CSV
   were read (ASC_END_*, and 4 if it is not plain), then lower, upper,
   size, alignment, offset, hint, bank and pool (-1: any) of all buffers, lower, upper and load of all sections, five numbers per gap and per
   rectangle, and, of several pools, capacity (0: the run's), alignment, bank, lower bound, peak or -1 and sections of each with lower, upper
   and load of those; words = live of all sections, then of each pool's; text = the convention, the pools' ids, then the buffers'. Errors:
   BAD_ARGUMENT (no problem), OUT_OF_MEMORY. */
int32_t glue_problem(session *s) {
  begin(&s->out);
  if (!s->problem) return ASC_BAD_ARGUMENT;
  return put_problem(s, s->problem, s->csv);
}

/* The same of the situation of the frame before; behind the words the operator that runs at each time. Errors: BAD_ARGUMENT (it had none, or
   another call came between), OUT_OF_MEMORY. */
int32_t glue_situation(session *s) {
  const asc_problem *situation = s->situation;
  begin(&s->out);
  s->situation = NULL;
  int32_t status = situation ? put_problem(s, situation, NULL) : ASC_BAD_ARGUMENT;
  if (status == ASC_OK && s->order) put_words(&s->out, s->order, asc_graph_op_count(s->graph));
  return status == ASC_OK ? done(s) : status;
}

/* The doubles of the input as offsets of n buffers, or NULL (status says why). */
static int64_t *input_offsets(session *s, size_t n, asc_status *status) {
  *status = ASC_BAD_ARGUMENT;
  if (s->input_bytes != n * sizeof(double)) return NULL;
  int64_t *offsets = malloc(n ? n * sizeof *offsets : 1);
  *status = offsets ? ASC_OK : ASC_OUT_OF_MEMORY;
  for (size_t i = 0; offsets && i < n; i++) {
    double value;
    memcpy(&value, s->input + i * sizeof value, sizeof value);
    if (!whole(value, ASC_UNPLACED)) {
      *status = ASC_BAD_ARGUMENT;
      free(offsets);
      return NULL;
    }
    offsets[i] = (int64_t)value;
  }
  return offsets;
}

/* The buffers that the run's plan of a graph is of, without their profile; NULL: there is no such plan, or no memory (status). */
static asc_problem *planned(const session *s, asc_status *status) {
  asc_plan plan;
  asc_problem *made = NULL;
  bool graph = s->timeline && asc_run_plan(asc_timeline_run(s->timeline), &plan) && plan.order;
  if (graph) *status = asc_lowering_situation(s->lowering, plan.stays, plan.stay_count, true, &made, NULL);
  return made;
}

/* text = the problem as it was read, without its profile, as CSV, with the input as column of offsets if asked: of a run on a graph that has a plan,
   the buffers of that. Errors: BAD_ARGUMENT, OUT_OF_MEMORY. */
int32_t glue_csv(session *s, bool with_offsets) {
  begin(&s->out);
  if (!s->problem) return ASC_BAD_ARGUMENT;
  asc_status status = ASC_OK;
  asc_problem *own = with_offsets ? planned(s, &status) : NULL;
  const asc_problem *read = s->csv ? asc_csv_problem(s->csv) : s->tiled ? s->tiled : asc_lowering_plain(s->lowering);
  const asc_problem *problem = own ? own : read;
  int64_t *offsets = with_offsets && !status ? input_offsets(s, asc_problem_count(problem), &status) : NULL;
  drop_input(s);
  if (!status) status = asc_csv_write(problem, s->csv, offsets, append, &s->out);
  free(offsets);
  asc_problem_free(own);
  return s->out.short_of_memory ? ASC_OUT_OF_MEMORY : (int32_t)status;
}

/* text = CSV of a made problem of the kind in the input; numbers = the capacity it is meant for. The open problem stays.
   Errors: BAD_ARGUMENT, OUT_OF_MEMORY. */
int32_t glue_generate(session *s, double n, double seed) {
  begin(&s->out);
  if (!s->input || !whole(n, 0) || n > ASC_MAX_BUFFERS || !whole(seed, 0)) return ASC_BAD_ARGUMENT;
  asc_problem *problem = NULL;
  int64_t capacity = 0;
  asc_status status = asc_generate(s->context, s->input, (uint32_t)n, (uint64_t)seed, &problem, &capacity);
  drop_input(s);
  if (status != ASC_OK) return (int32_t)status;
  put_number(&s->out, (double)capacity);
  status = asc_csv_write(problem, NULL, NULL, append, &s->out);
  asc_problem_free(problem);
  return s->out.short_of_memory ? ASC_OUT_OF_MEMORY : (int32_t)status;
}

/* ---- graph ----------------------------------------------------------------------------------------------------------- */

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
    status = lower(s, s->graph, s->input, s->input + s->input_bytes, &lowering, &diag);
  else if (has_profile(s))
    status = asc_profile_apply(s->csv ? asc_csv_problem(s->csv) : s->tiled, &s->profile, &applied, &diag);
  drop_input(s);
  if (status != ASC_OK) return refuse(s, status, &diag, 1, 1);
  replace(s, (origin){s->csv, s->graph, lowering, s->tiling, s->tiled}, applied);
  return ASC_OK;
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

typedef struct program {
  outputs *out;
  size_t most;
  bool longer;
} program;

static bool append_program(void *user, const char *text, size_t bytes) {
  program *p = user;
  p->longer = p->out->text_count + bytes > p->most;
  return !p->longer && append(p->out, text, bytes);
}

/* text = the open graph's least traffic within a capacity as an integer linear program of an asc_lp_model; numbers = whether it is all there: a
   longer one than `most` bytes is left out. Errors: BAD_ARGUMENT (no graph), those of asc_lowering_lp, with a message. */
int32_t glue_program(session *s, double capacity, uint32_t model, double most) {
  begin(&s->out);
  if (!s->lowering || !whole(capacity, 0) || model > ASC_LP_GAPS || !whole(most, 0)) return ASC_BAD_ARGUMENT;
  asc_diag diag = {0};
  program p = {.out = &s->out, .most = (size_t)most};
  asc_status status = asc_lowering_lp(s->lowering, (int64_t)capacity, (asc_lp_model)model, append_program, &p, &diag);
  if (s->out.short_of_memory) return ASC_OUT_OF_MEMORY;
  if (status && !p.longer) return refuse(s, status, &diag, 1, 1);
  if (p.longer) s->out.text_count = 0;
  put_number(&s->out, !p.longer);
  return done(s);
}

/* ---- tasks on tiles -------------------------------------------------------------------------------------------------- */

/* numbers = whether the text in the input, which stays, is a task CSV. */
int32_t glue_is_tasks(session *s) {
  begin(&s->out);
  put_number(&s->out, s->input && asc_task_csv_is(s->input, s->input_bytes));
  return done(s);
}

/* Reads the task CSV in the input; the problem has its tensors, without inputs and outputs of the model, as buffers with shapes, for the memory of
   the profile. Only if that is well is the problem replaced. Errors: those of asc_task_csv_read, asc_tiling_problem and asc_profile_apply. */
int32_t glue_open_tasks(session *s) {
  asc_diag diags[MAX_DIAGS];
  size_t total = 0;
  origin from = {0};
  asc_problem *applied = NULL;
  begin(&s->out);
  if (!s->input) return ASC_BAD_ARGUMENT;
  asc_status status = asc_task_csv_read(s->context, s->input, s->input_bytes, &from.tiling, diags, MAX_DIAGS, &total);
  drop_input(s);
  if (status != ASC_OK) return refuse(s, status, diags, total < MAX_DIAGS ? total : MAX_DIAGS, total);
  *diags = (asc_diag){0};
  status = asc_tiling_problem(from.tiling, 0, &from.tiled, diags);
  if (!status && has_profile(s)) status = asc_profile_apply(from.tiled, &s->profile, &applied, diags);
  if (status == ASC_OK) {
    replace(s, from, applied);
    return ASC_OK;
  }
  asc_problem_free(from.tiled);
  asc_tiling_free(from.tiling);
  return refuse(s, status, diags, 1, 1);
}

/* What the tasks read and write of the open problem's buffers: numbers = tasks, whether their chunks are told (they are not where there are
   MOST_CHUNKS or more), then of each chunk from and to, in bytes from its buffer's first; words = of each its task, its buffer and whether it is
   written; text = the tasks' ids. Errors: BAD_ARGUMENT (the problem did not come as tasks), OUT_OF_MEMORY. */
int32_t glue_tasks(session *s) {
  begin(&s->out);
  if (!s->tiling) return ASC_BAD_ARGUMENT;
  return put_tasks(&s->out, s->tiling) ? done(s) : ASC_OUT_OF_MEMORY;
}

/* text = the options of glue_tile, as JSON. Errors: OUT_OF_MEMORY. */
int32_t glue_tile_options(session *s) {
  uint32_t count;
  const asc_option *options = asc_tile_options(&count);
  begin(&s->out);
  put(&s->out, "[");
  put_options(&s->out, options, count);
  return done(s);
}

/* text = the tasks on tiles of the open graph, for so many bytes on the chip, under the options in the input, as task CSV. Errors: BAD_ARGUMENT (no
   graph), those of asc_graph_tile, with a message. */
int32_t glue_tile(session *s, double capacity) {
  begin(&s->out);
  if (!s->graph || !s->input || !whole(capacity, 0)) return ASC_BAD_ARGUMENT;
  asc_diag diag = {0};
  asc_tiling *tiling = NULL;
  uint32_t count;
  asc_option_value *options = read_options(s->input, s->input + s->input_bytes, &count);
  asc_status status = ASC_OUT_OF_MEMORY;
  if (options) status = asc_graph_tile(s->graph, options, count, (int64_t)capacity, &tiling, &diag);
  free(options);
  drop_input(s);
  if (status == ASC_OK) status = asc_task_csv_write(tiling, append, &s->out);
  asc_tiling_free(tiling);
  if (s->out.short_of_memory) return ASC_OUT_OF_MEMORY;
  return status == ASC_OK ? ASC_OK : refuse(s, status, &diag, 1, 1);
}

/* ---- run ------------------------------------------------------------------------------------------------------------- */

static void put_offsets(session *s, const int64_t *offsets, size_t n) {
  double *row = more_numbers(&s->out, n);
  for (size_t i = 0; row && i < n; i++) row[i] = (double)offsets[i];
}

/* What a run of that solver is about. */
static asc_input input_of(const session *s, const char *solver) {
  const asc_solver_info *info = asc_solver_find(solver);
  bool graph = info && info->domain == ASC_DOMAIN_GRAPH && s->lowering;
  return graph ? asc_input_graph(s->lowering) : asc_input_buffers(s->problem);
}

/* Starts a run of the input's solver and options (name and value of each follow it); the run before is dropped if that is well. budget in
   steps, 0: none. Errors: those of asc_timeline_new, with a message about the option. */
int32_t glue_run(session *s, uint32_t goal, double capacity, double seed, double budget, double keyframe_bytes) {
  begin(&s->out);
  if (!s->problem || !s->input || !whole(capacity, -(double)ASC_MAX_BYTES) || !whole(seed, 0) || !whole(budget, 0) ||
      !whole(keyframe_bytes, 0))
    return ASC_BAD_ARGUMENT;
  const char *solver = s->input, *end = solver + s->input_bytes, *first = solver + strlen(solver) + 1;
  asc_diag diag = {0};
  uint32_t count;
  asc_option_value *options = read_options(first < end ? first : end, end, &count);
  if (!options) return ASC_OUT_OF_MEMORY;
  asc_run_config config = asc_run_config_default(solver, (int64_t)capacity);
  config.goal = (asc_goal)goal;
  config.seed = (uint64_t)seed;
  config.budget = (uint64_t)budget;
  config.options = options;
  config.option_count = count;
  asc_timeline *timeline = NULL;
  asc_input input = input_of(s, solver);
  asc_status status = asc_timeline_new(input, &config, (size_t)keyframe_bytes, &timeline, &diag);
  if (status == ASC_OUT_OF_MEMORY && s->timeline) { /* the memory of the run before may be all that is missing */
    asc_timeline_free(s->timeline);
    s->timeline = NULL;
    status = asc_timeline_new(input, &config, (size_t)keyframe_bytes, &timeline, &diag);
  }
  free(options);
  drop_input(s);
  if (status != ASC_OK) return refuse(s, status, &diag, 1, 1);
  asc_timeline_free(s->timeline);
  s->timeline = timeline;
  return ASC_OK;
}

/* Up to `steps` steps; numbers = the outcome. Errors: BAD_ARGUMENT (no run), those of asc_timeline_step. */
int32_t glue_step(session *s, double steps) {
  begin(&s->out);
  if (!s->timeline || !whole(steps, 0)) return ASC_BAD_ARGUMENT;
  asc_outcome outcome;
  asc_status status = asc_timeline_step(s->timeline, (uint64_t)steps, &outcome);
  if (status != ASC_OK) return (int32_t)status;
  put_number(&s->out, outcome);
  return done(s);
}

/* Ends the run with outcome "cancelled", unless it has ended. Errors: BAD_ARGUMENT (no run). */
int32_t glue_cancel(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_run_cancel(asc_timeline_run(s->timeline));
  return (int32_t)asc_timeline_step(s->timeline, 0, NULL);
}

/* Lets a run go on that was cancelled or had spent its budget; budget is the new total, 0: none. Errors: BAD_ARGUMENT. */
int32_t glue_resume(session *s, double budget) {
  begin(&s->out);
  if (!s->timeline || !whole(budget, 0)) return ASC_BAD_ARGUMENT;
  asc_run_resume(asc_timeline_run(s->timeline), (uint64_t)budget);
  return ASC_OK;
}

/* numbers = outcome, steps, backtracks, nodes, digest (two), skipped, depth, max_depth, max_depth_step, height, lower_bound, restarts, cost,
   then the rules' counters; of the run or, if asked, of the step last sought. Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_stats(session *s, bool of_cursor) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_run_stats stats;
  asc_run_stats_get(of_cursor ? asc_timeline_cursor(s->timeline) : asc_timeline_run(s->timeline), &stats);
  const double head[] = {stats.outcome,
                         (double)stats.steps,
                         (double)stats.backtracks,
                         (double)stats.nodes,
                         high_half(stats.digest),
                         low_half(stats.digest),
                         (double)stats.skipped,
                         stats.depth,
                         stats.max_depth,
                         (double)stats.max_depth_step,
                         (double)stats.height,
                         (double)stats.lower_bound,
                         (double)stats.restarts,
                         (double)stats.cost};
  const size_t heads = sizeof head / sizeof *head;
  double *row = more_numbers(&s->out, heads + ASC_RULE_COUNT);
  if (!row) return ASC_OUT_OF_MEMORY;
  memcpy(row, head, sizeof head);
  for (size_t r = 0; r < ASC_RULE_COUNT; r++) row[heads + r] = (double)stats.rules[r];
  return ASC_OK;
}

/* numbers = width, buckets b, then step, kind and value of each mark; words = min_depth, max_depth, last_depth, max_undone, backtracks,
   major and each rule, b entries each. Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_overview(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_overview overview;
  asc_run_overview(asc_timeline_run(s->timeline), &overview);
  size_t count = overview.count;
  double *row = more_numbers(&s->out, 2 + 3 * (size_t)overview.mark_count);
  uint32_t *column = more_words(&s->out, (6 + ASC_RULE_COUNT) * count);
  if (!row || !column) return ASC_OUT_OF_MEMORY;
  row[0] = (double)overview.width;
  row[1] = overview.count;
  for (size_t k = 0; k < overview.mark_count; k++) {
    row[2 + 3 * k] = (double)overview.marks[k].step;
    row[3 + 3 * k] = overview.marks[k].kind;
    row[4 + 3 * k] = (double)overview.marks[k].value;
  }
  for (size_t k = 0; k < count; k++) {
    const asc_bucket *bucket = &overview.buckets[k];
    const uint32_t fields[6] = {bucket->min_depth,  bucket->max_depth,  bucket->last_depth,
                                bucket->max_undone, bucket->backtracks, bucket->major};
    for (size_t f = 0; f < 6; f++) column[f * count + k] = fields[f];
    for (size_t r = 0; r < ASC_RULE_COUNT; r++) column[(6 + r) * count + k] = bucket->rules[r];
  }
  return ASC_OK;
}

/* numbers = the best plan's offsets, or none, of a graph by the buffers of the situation at the end; words = the conflict of an infeasible end, or
   none. Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_best(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  const asc_run *run = asc_timeline_run(s->timeline);
  uint32_t count;
  const uint32_t *conflict = asc_run_conflict(run, &count);
  asc_plan plan;
  bool some = asc_run_plan(run, &plan);
  if (some && plan.offsets) put_offsets(s, plan.offsets, asc_problem_count(s->problem));
  for (uint32_t k = 0; some && k < plan.stay_count; k++)
    if (plan.stays[k].pool == ASC_POOL_MAIN) put_number(&s->out, (double)plan.stays[k].offset);
  put_words(&s->out, conflict, count);
  return done(s);
}

/* numbers = the stays of the best plan of a graph, four numbers each: lower, upper, offset (ASC_UNPLACED: none) and pool; words = the operator that
   runs at each time, then the item of each stay; nothing of a plan of buffers, or without one. Errors: BAD_ARGUMENT (no run), OUT_OF_MEMORY. */
int32_t glue_plan(session *s) {
  begin(&s->out);
  if (!s->timeline) return ASC_BAD_ARGUMENT;
  asc_plan plan;
  if (!asc_run_plan(asc_timeline_run(s->timeline), &plan) || !plan.order) return done(s);
  put_words(&s->out, plan.order, plan.turns);
  for (uint32_t k = 0; k < plan.stay_count; k++) {
    const asc_stay *stay = &plan.stays[k];
    put_number(&s->out, (double)stay->lower);
    put_number(&s->out, (double)stay->upper);
    put_number(&s->out, (double)stay->offset);
    put_number(&s->out, stay->pool);
    put_words(&s->out, &stay->item, 1);
  }
  return done(s);
}

/* ---- why not --------------------------------------------------------------------------------------------------------- */

/* Begins an explanation; the one before is given up, the run stays as it is. budget in steps, 0: none. Errors: those of
   asc_explain_new. */
int32_t glue_explain(session *s, double capacity, double seed, double budget) {
  begin(&s->out);
  drop_explain(s);
  if (!s->problem || !whole(capacity, 0) || !whole(seed, 0) || !whole(budget, 0)) return ASC_BAD_ARGUMENT;
  asc_diag diag = {0};
  asc_status status = asc_explain_new(s->problem, (int64_t)capacity, (uint64_t)seed, (uint64_t)budget, &s->explain, &diag);
  return status == ASC_OK ? ASC_OK : refuse(s, status, &diag, 1, 1);
}

/* Up to `steps` steps, or its end if asked; numbers = outcome, steps, buffers, tried, irreducible, section or -1; words = the buffers,
   once it has ended: it is gone then. Errors: BAD_ARGUMENT (none is under way), those of asc_explain_step (likewise gone) but for a lack
   of memory, which is an outcome. */
int32_t glue_explain_step(session *s, double steps, bool cancel) {
  begin(&s->out);
  if (!s->explain || !whole(steps, 0)) return ASC_BAD_ARGUMENT;
  if (cancel) asc_explain_cancel(s->explain);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = asc_explain_step(s->explain, (uint64_t)steps, &outcome);
  asc_explanation known;
  asc_explain_get(s->explain, &known);
  put_number(&s->out, outcome);
  put_number(&s->out, (double)known.steps);
  put_number(&s->out, known.count);
  put_number(&s->out, known.tried);
  put_number(&s->out, known.irreducible);
  bool one = asc_problem_pool_count(s->problem) == 1; /* else the section is one of a pool */
  put_number(&s->out, known.section == ASC_NONE || !one ? -1.0 : (double)known.section);
  if (status == ASC_OK && outcome == ASC_OUTCOME_RUNNING) return done(s);
  put_words(&s->out, known.buffers, known.count);
  drop_explain(s);
  /* a lack of memory is an outcome as well: what was found before it is worth having */
  bool told = status == ASC_OK || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  return told ? done(s) : (int32_t)status;
}

/* ---- frames ---------------------------------------------------------------------------------------------------------- */

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
  put_offsets(s, view->offsets, n);
  if (view->min_offsets) put_offsets(s, view->min_offsets, n);
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
