/* Writes a buffer CSV that reads back as the same problem. */
#include "io/csv/csv.h"
#include "io/csv/put.h"

static void put_span(csv_writer *writer, int64_t from, char between, int64_t to) {
  asci_csv_put_number(writer, from);
  asci_csv_put(writer, between);
  asci_csv_put_number(writer, to);
}

static void put_shape(csv_writer *writer, const asc_buffer_spec *spec) {
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    const asc_rect *rect = &spec->shape[r];
    if (r) asci_csv_put(writer, ' ');
    put_span(writer, rect->lower, '-', rect->upper);
    asci_csv_put(writer, '@');
    put_span(writer, rect->low, ':', rect->high);
  }
}

static void put_gaps(csv_writer *writer, const asc_buffer_spec *spec) {
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    if (g) asci_csv_put(writer, ' ');
    put_span(writer, gap->lower, '-', gap->upper);
    if (gap->window_lower >= gap->window_upper) continue;
    asci_csv_put(writer, '@');
    put_span(writer, gap->window_lower, ':', gap->window_upper);
  }
}

/* Which of the optional columns some buffer needs. */
typedef struct csv_needs {
  bool alignment, bank, hint, gaps, pool, shape, offset;
} csv_needs;

/* A column shape of the file takes the shapes as well. */
static csv_needs needs_of(const asc_problem *problem, const asc_csv *extra, const int64_t *offsets) {
  csv_needs needs = {.offset = offsets != NULL};
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    needs.alignment |= spec->alignment != 1;
    needs.bank |= spec->bank != 0;
    needs.hint |= spec->hint != ASC_UNPLACED;
    needs.gaps |= spec->gap_count != 0;
    needs.pool |= spec->pool != ASC_POOL_MAIN;
    needs.shape |= spec->shape_count != 0 && (!extra || extra->shape_extra == SIZE_MAX);
    needs.offset |= spec->offset != ASC_UNPLACED;
  }
  return needs;
}

/* row 0 is the header, for which spec is NULL. */
static void put_extra(csv_writer *writer, const asc_csv *extra, const asc_buffer_spec *spec, size_t row) {
  if (!extra) return;
  for (size_t k = 0; k < extra->extra_count; k++) {
    asci_csv_put(writer, ',');
    if (spec && spec->shape_count && k == extra->shape_extra)
      put_shape(writer, spec);
    else
      asci_csv_put_cell(writer, extra->extra_text + extra->extra_at[row * extra->extra_count + k]);
  }
}

static void put_pools(csv_writer *writer, const asc_problem *problem) {
  for (uint32_t p = 1; p < asc_problem_pool_count(problem); p++) {
    const asc_pool *pool = asc_problem_pool(problem, p);
    asci_csv_put_text(writer, "pool,");
    asci_csv_put_cell(writer, pool->id);
    const int64_t amounts[] = {pool->capacity, pool->alignment, pool->bank};
    for (size_t k = 0; k < sizeof amounts / sizeof *amounts; k++) {
      asci_csv_put(writer, ',');
      asci_csv_put_number(writer, amounts[k]);
    }
    asci_csv_put(writer, '\n');
  }
}

static void put_header(csv_writer *writer, const csv_needs *needs, const asc_csv *extra) {
  asci_csv_put_text(writer, "id,lower,upper,size");
  if (needs->alignment) asci_csv_put_text(writer, ",alignment");
  if (needs->bank) asci_csv_put_text(writer, ",bank");
  if (needs->hint) asci_csv_put_text(writer, ",hint");
  if (needs->gaps) asci_csv_put_text(writer, ",gaps");
  if (needs->pool) asci_csv_put_text(writer, ",pool");
  if (needs->shape) asci_csv_put_text(writer, ",shape");
  put_extra(writer, extra, NULL, 0);
  asci_csv_put_text(writer, needs->offset ? ",offset\n" : "\n");
}

static void put_pool(csv_writer *writer, const asc_problem *problem, const asc_buffer_spec *spec) {
  if (spec->pool == ASC_POOL_ANY)
    asci_csv_put(writer, '*');
  else if (spec->pool != ASC_POOL_MAIN)
    asci_csv_put_cell(writer, asc_problem_pool(problem, spec->pool)->id);
}

static void put_buffer(csv_writer *writer, const asc_problem *problem, const asc_buffer_spec *spec, const csv_needs *needs) {
  asci_csv_put_cell(writer, spec->id);
  asci_csv_put(writer, ',');
  asci_csv_put_number(writer, spec->lower);
  asci_csv_put(writer, ',');
  asci_csv_put_number(writer, spec->upper);
  asci_csv_put(writer, ',');
  asci_csv_put_number(writer, spec->size);
  if (needs->alignment) {
    asci_csv_put(writer, ',');
    asci_csv_put_number(writer, spec->alignment);
  }
  if (needs->bank) {
    asci_csv_put(writer, ',');
    asci_csv_put_number(writer, spec->bank);
  }
  if (needs->hint) {
    asci_csv_put(writer, ',');
    asci_csv_put_number(writer, spec->hint);
  }
  if (needs->gaps) {
    asci_csv_put(writer, ',');
    put_gaps(writer, spec);
  }
  if (needs->pool) {
    asci_csv_put(writer, ',');
    put_pool(writer, problem, spec);
  }
  if (needs->shape) {
    asci_csv_put(writer, ',');
    put_shape(writer, spec);
  }
}

static asc_status write_all(csv_writer *writer, const asc_problem *problem, const asc_csv *extra, const int64_t *offsets) {
  if (!problem || !writer->sink) return ASC_BAD_ARGUMENT;
  uint32_t count = asc_problem_count(problem);
  if (extra && asc_problem_count(extra->problem) != count) return ASC_BAD_ARGUMENT;
  csv_needs needs = needs_of(problem, extra, offsets);
  put_pools(writer, problem);
  put_header(writer, &needs, extra);
  for (uint32_t b = 0; b < count && !writer->stopped; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    put_buffer(writer, problem, spec, &needs);
    put_extra(writer, extra, spec, (size_t)b + 1);
    int64_t offset = offsets ? offsets[b] : spec->offset;
    if (needs.offset) asci_csv_put(writer, ',');
    if (needs.offset && offset != ASC_UNPLACED) asci_csv_put_number(writer, offset);
    asci_csv_put(writer, '\n');
  }
  return asci_csv_put_end(writer);
}

asc_status asc_csv_write(const asc_problem *problem, const asc_csv *extra, const int64_t *offsets, asc_sink sink,
                         void *user) {
  return write_all(&(csv_writer){.sink = sink, .user = user}, problem, extra, offsets);
}

asc_status asc_csv_write_for_sheets(const asc_problem *problem, const asc_csv *extra, const int64_t *offsets, asc_sink sink,
                                    void *user) {
  return write_all(&(csv_writer){.sink = sink, .user = user, .for_sheets = true}, problem, extra, offsets);
}
