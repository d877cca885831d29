/* A problem that comes as CSV, and the open one of any kind. */
#include "session.h"

/* How the memory of the problems opened from now on takes their buffers (asc_profile_apply); a bank of 0 is none. Errors: BAD_ARGUMENT. */
int32_t glue_profile(session *s, double alignment, uint32_t align_by, double bank) {
  begin(&s->out);
  if (!whole(alignment, 1) || align_by > ASC_ALIGN_BOTH || !whole(bank, 0)) return ASC_BAD_ARGUMENT;
  s->profile = (asc_profile){.alignment = (int64_t)alignment, .align_by = (asc_align_by)align_by, .bank = (int64_t)bank};
  return ASC_OK;
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

/* The buffers that the run's plan of a graph is of, without their profile; NULL: there is no such plan, or no memory (status). Of a selection those of both
   memories, which the run has: *shown. */
static asc_problem *planned(const session *s, const asc_problem **shown, asc_status *status) {
  asc_plan plan;
  asc_run_view view;
  asc_problem *made = NULL;
  bool graph = s->timeline && asc_run_plan(asc_timeline_run(s->timeline), &plan) && plan.order;
  if (graph && s->selects) {
    *status = asc_run_view_get(asc_timeline_run(s->timeline), &view);
    if (*status == ASC_OK) *shown = view.situation;
  } else if (graph)
    *status = asc_lowering_situation(s->lowering, plan.stays, plan.stay_count, true, &made, NULL);
  return made;
}

/* text = the problem as it was read, without its profile, as CSV, with the input as column of offsets if asked: of a run on a graph that has a plan,
   the buffers of that. Errors: BAD_ARGUMENT, OUT_OF_MEMORY. */
int32_t glue_csv(session *s, bool with_offsets) {
  begin(&s->out);
  if (!s->problem) return ASC_BAD_ARGUMENT;
  asc_status status = ASC_OK;
  const asc_problem *problem = s->csv ? asc_csv_problem(s->csv) : s->tiled ? s->tiled : asc_lowering_plain(s->lowering);
  asc_problem *own = with_offsets ? planned(s, &problem, &status) : NULL;
  if (own) problem = own;
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
