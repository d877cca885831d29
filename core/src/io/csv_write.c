/* Writes a buffer CSV that reads back as the same problem. */
#include "io/csv.h"

#include "base/format.h"

#include <string.h>

typedef struct csv_writer {
  asc_sink sink;
  void *user;
  bool stopped;
  size_t used;
  char piece[4096];
} csv_writer;

static void flush(csv_writer *writer) {
  if (writer->used && !writer->stopped) writer->stopped = !writer->sink(writer->user, writer->piece, writer->used);
  writer->used = 0;
}

static void put(csv_writer *writer, char c) {
  if (writer->used == sizeof writer->piece) flush(writer);
  writer->piece[writer->used++] = c;
}

static void put_text(csv_writer *writer, const char *text) {
  while (*text) put(writer, *text++);
}

static void put_number(csv_writer *writer, int64_t value) {
  char digits[24];
  asci_format(digits, sizeof digits, "%lld", (long long)value);
  put_text(writer, digits);
}

/* Quotes whatever the reader would otherwise split, trim or take for a comment. */
static void put_cell(csv_writer *writer, const char *text) {
  size_t length = strlen(text);
  bool blank_ends = length && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1]));
  if (!blank_ends && text[0] != '#' && !strpbrk(text, ",;\t\"\r\n")) {
    put_text(writer, text);
    return;
  }
  put(writer, '"');
  for (; *text; text++) {
    if (*text == '"') put(writer, '"');
    put(writer, *text);
  }
  put(writer, '"');
}

static void put_gaps(csv_writer *writer, const asc_buffer_spec *spec) {
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    if (g) put(writer, ' ');
    put_number(writer, gap->lower);
    put(writer, '-');
    put_number(writer, gap->upper);
    if (gap->window_lower >= gap->window_upper) continue;
    put(writer, '@');
    put_number(writer, gap->window_lower);
    put(writer, ':');
    put_number(writer, gap->window_upper);
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
    put(writer, ',');
    put_cell(writer, extra->extra_text + extra->extra_at[row * extra->extra_count + k]);
  }
}

static void put_header(csv_writer *writer, const csv_needs *needs, const asc_csv *extra) {
  put_text(writer, "id,lower,upper,size");
  if (needs->alignment) put_text(writer, ",alignment");
  if (needs->bank) put_text(writer, ",bank");
  if (needs->hint) put_text(writer, ",hint");
  if (needs->gaps) put_text(writer, ",gaps");
  put_extra(writer, extra, 0);
  put_text(writer, needs->offset ? ",offset\n" : "\n");
}

static void put_buffer(csv_writer *writer, const asc_buffer_spec *spec, const csv_needs *needs) {
  put_cell(writer, spec->id);
  put(writer, ',');
  put_number(writer, spec->lower);
  put(writer, ',');
  put_number(writer, spec->upper);
  put(writer, ',');
  put_number(writer, spec->size);
  if (needs->alignment) {
    put(writer, ',');
    put_number(writer, spec->alignment);
  }
  if (needs->bank) {
    put(writer, ',');
    put_number(writer, spec->bank);
  }
  if (needs->hint) {
    put(writer, ',');
    put_number(writer, spec->hint);
  }
  if (needs->gaps) {
    put(writer, ',');
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
    if (needs.offset) put(&writer, ',');
    if (needs.offset && offset != ASC_UNPLACED) put_number(&writer, offset);
    put(&writer, '\n');
  }
  flush(&writer);
  return writer.stopped ? ASC_BAD_ARGUMENT : ASC_OK;
}
