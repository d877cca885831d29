/* Writes a buffer CSV that reads back as the same problem. */
#include "io/csv.h"
#include "io/csv_put.h"

static void put_gaps(csv_writer *writer, const asc_buffer_spec *spec) {
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    if (g) asci_csv_put(writer, ' ');
    asci_csv_put_number(writer, gap->lower);
    asci_csv_put(writer, '-');
    asci_csv_put_number(writer, gap->upper);
    if (gap->window_lower >= gap->window_upper) continue;
    asci_csv_put(writer, '@');
    asci_csv_put_number(writer, gap->window_lower);
    asci_csv_put(writer, ':');
    asci_csv_put_number(writer, gap->window_upper);
  }
}

/* Which of the optional columns some buffer needs. */
typedef struct csv_needs {
  bool alignment, bank, hint, gaps, offset;
} csv_needs;

static csv_needs needs_of(const asc_problem *problem, const int64_t *offsets) {
  csv_needs needs = {.offset = offsets != NULL};
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    needs.alignment |= spec->alignment != 1;
    needs.bank |= spec->bank != 0;
    needs.hint |= spec->hint != ASC_UNPLACED;
    needs.gaps |= spec->gap_count != 0;
    needs.offset |= spec->offset != ASC_UNPLACED;
  }
  return needs;
}

/* row 0 is the header. */
static void put_extra(csv_writer *writer, const asc_csv *extra, size_t row) {
  if (!extra) return;
  for (size_t k = 0; k < extra->extra_count; k++) {
    asci_csv_put(writer, ',');
    asci_csv_put_cell(writer, extra->extra_text + extra->extra_at[row * extra->extra_count + k]);
  }
}

static void put_header(csv_writer *writer, const csv_needs *needs, const asc_csv *extra) {
  asci_csv_put_text(writer, "id,lower,upper,size");
  if (needs->alignment) asci_csv_put_text(writer, ",alignment");
  if (needs->bank) asci_csv_put_text(writer, ",bank");
  if (needs->hint) asci_csv_put_text(writer, ",hint");
  if (needs->gaps) asci_csv_put_text(writer, ",gaps");
  put_extra(writer, extra, 0);
  asci_csv_put_text(writer, needs->offset ? ",offset\n" : "\n");
}

static void put_buffer(csv_writer *writer, const asc_buffer_spec *spec, const csv_needs *needs) {
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
}

asc_status asc_csv_write(const asc_problem *problem, const asc_csv *extra, const int64_t *offsets, asc_sink sink,
                         void *user) {
  if (!problem || !sink) return ASC_BAD_ARGUMENT;
  uint32_t count = asc_problem_count(problem);
  if (extra && asc_problem_count(extra->problem) != count) return ASC_BAD_ARGUMENT;
  csv_writer writer = {.sink = sink, .user = user};
  csv_needs needs = needs_of(problem, offsets);
  put_header(&writer, &needs, extra);
  for (uint32_t b = 0; b < count && !writer.stopped; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    put_buffer(&writer, spec, &needs);
    put_extra(&writer, extra, (size_t)b + 1);
    int64_t offset = offsets ? offsets[b] : spec->offset;
    if (needs.offset) asci_csv_put(&writer, ',');
    if (needs.offset && offset != ASC_UNPLACED) asci_csv_put_number(&writer, offset);
    asci_csv_put(&writer, '\n');
  }
  return asci_csv_put_end(&writer);
}
