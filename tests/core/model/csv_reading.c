#include "csv_reading.h"

#include <string.h>

/* Reads the text in parts and expects all to be as it was when read at once. */
static void expect_the_same_in_parts(const reading *whole, const char *text, size_t bytes, asc_offset_column mode) {
  reading r = {.context = test_context()};
  asc_csv_reading *parts = NULL;
  size_t rows = 0, at = 0, was_rows, was_at;
  bool more = true;
  assert_int_equal(asc_csv_reading_new(r.context, text, bytes, mode, r.diags, ROOM, &parts), ASC_OK);
  while (more && !r.status) {
    was_rows = rows, was_at = at;
    uint32_t step = 1 + (uint32_t)bytes % 3;
    r.status = asc_csv_reading_step(parts, step, &more);
    asc_csv_reading_at(parts, &rows, &at);
    assert_true(rows >= was_rows && rows <= was_rows + step && at >= was_at && at <= bytes);
  }
  assert_int_equal(r.status, ASC_OK);
  r.status = asc_csv_reading_end(parts, &r.csv, &r.count);
  asc_csv_reading_free(parts);
  assert_int_equal(r.status, whole->status);
  assert_int_equal(r.count, whole->count);
  assert_memory_equal(r.diags, whole->diags, sizeof r.diags);
  assert_int_equal(r.csv != NULL, whole->csv != NULL);
  if (r.csv) {
    assert_int_equal(asc_problem_digest(asc_csv_problem(r.csv)), asc_problem_digest(asc_csv_problem(whole->csv)));
    assert_int_equal(asc_problem_count(asc_csv_problem(r.csv)), rows);
    assert_string_equal(asc_csv_convention(r.csv), asc_csv_convention(whole->csv));
  }
  asc_csv_free(r.csv);
  test_context_end(r.context);
}

reading read_bytes(const char *text, size_t bytes, asc_offset_column mode) {
  reading r = {.context = test_context()};
  r.status = asc_csv_read(r.context, text, bytes, mode, &r.csv, r.diags, ROOM, &r.count);
  assert_int_equal(r.status == ASC_OK, r.csv != NULL);
  assert_int_equal(r.status == ASC_OK, r.count == 0);
  expect_the_same_in_parts(&r, text, bytes, mode);
  return r;
}

reading read_text(const char *text) {
  return read_bytes(text, strlen(text), ASC_OFFSETS_FIXED);
}

void end_reading(reading *r) {
  asc_csv_free(r->csv);
  test_context_end(r->context);
}
