/* Buffer CSV: what is accepted, what every mistake is called and where it is shown. */
#include "csv_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "line:column+length field message" for each error, one a line. */
static void expect_errors(const char *text, size_t bytes, const char *expected) {
  reading r = read_bytes(text, bytes, ASC_OFFSETS_FIXED);
  char got[8192] = "";
  size_t used = 0;
  for (size_t k = 0; k < r.count && k < ROOM; k++) {
    const asc_diag *d = &r.diags[k];
    used += (size_t)snprintf(got + used, sizeof got - used, "%u:%u+%u %s %s\n", d->line, d->column, d->length, d->field,
                             d->message);
  }
  CHECK(r.status != ASC_OK && strcmp(got, expected) == 0, "for\n%s\ngot\n%sexpected\n%s", text, got, expected);
  end_reading(&r);
}

static void expect_error(const char *text, const char *expected) {
  expect_errors(text, strlen(text), expected);
}

static void expect_buffer(const reading *r, uint32_t buffer, const char *id, int64_t lower, int64_t upper, int64_t size) {
  const asc_buffer_spec *spec = asc_problem_buffer(asc_csv_problem(r->csv), buffer);
  assert_non_null(spec);
  assert_string_equal(spec->id, id);
  assert_int_equal(spec->lower, lower);
  assert_int_equal(spec->upper, upper);
  assert_int_equal(spec->size, size);
}

/* ---- accepted -------------------------------------------------------------------------------------------------------- */

static void test_plain(void **state) {
  (void)state;
  reading r = read_text("id,lower,upper,size\na,0,3,4\nb,-3,9,0\n");
  assert_int_equal(r.status, ASC_OK);
  assert_int_equal(asc_problem_count(asc_csv_problem(r.csv)), 2);
  expect_buffer(&r, 0, "a", 0, 3, 4);
  expect_buffer(&r, 1, "b", -3, 9, 0);
  assert_int_equal(asc_problem_buffer(asc_csv_problem(r.csv), 0)->alignment, 1);
  assert_int_equal(asc_problem_buffer(asc_csv_problem(r.csv), 0)->offset, ASC_UNPLACED);
  assert_int_equal(asc_problem_buffer(asc_csv_problem(r.csv), 0)->hint, ASC_UNPLACED);
  assert_string_equal(asc_csv_convention(r.csv), "");
  assert_null(asc_csv_offsets(r.csv));
  end_reading(&r);
}

static void test_dialects(void **state) {
  (void)state;
  static const char *const same[] = {
      "size,upper,id,lower\n4,3,a,0\n5,9,b,3\n",               /* any order */
      "buffer;begin;upper;size\r\na;0;3;4\r\nb;3;9;5\r\n",     /* semicolons, CRLF, other names */
      "buffer_id\tstart\tupper\tsize\na\t0\t3\t4\nb\t3\t9\t5", /* tabs, no last line break */
      "\xef\xbb\xbfID,Lower,UPPER,Size\ra,0,3,4\rb,3,9,5\r",   /* byte order mark, capitals, lone CR */
      "# made by hand\n\n id , lower,upper ,size  \n\n a,0 , 3,4\n  # b\n,,,\nb,3,9,5\n\n", /* comments, blanks */
      "\"id\",\"lower\",\"upper\",\"size\"\n\"a\",\"0\",\"3\",\"4\"\n\"b\" ,3, \"9\",+5\n",
  };
  for (size_t k = 0; k < COUNT(same); k++) {
    reading r = read_text(same[k]);
    CHECK(r.status == ASC_OK, "dialect %zu: %s %s", k, r.diags[0].field, r.diags[0].message);
    assert_int_equal(asc_problem_count(asc_csv_problem(r.csv)), 2);
    expect_buffer(&r, 0, "a", 0, 3, 4);
    expect_buffer(&r, 1, "b", 3, 9, 5);
    assert_string_equal(asc_csv_convention(r.csv), "");
    end_reading(&r);
  }
}

static void test_inclusive_end(void **state) {
  (void)state;
  reading r = read_text("id,start,end,size,gaps\na,0,3,4,1-1\nb,5,5,1,\n");
  assert_int_equal(r.status, ASC_OK);
  expect_buffer(&r, 0, "a", 0, 4, 4);
  expect_buffer(&r, 1, "b", 5, 6, 1);
  const asc_gap *gap = asc_problem_buffer(asc_csv_problem(r.csv), 0)->gaps;
  assert_int_equal(gap->lower, 1);
  assert_int_equal(gap->upper, 2);
  assert_string_equal(asc_csv_convention(r.csv), "column end: inclusive, 1 was added, also to the ends of gaps");
  assert_true(asc_csv_is_plain(r.csv));
  end_reading(&r);
}

static void test_optional_columns(void **state) {
  (void)state;
  reading r = read_text("id,lower,upper,size,alignment,offset,hint,gaps\n"
                        "a,-9,10,8,4,12,-1,6-8 -5--3@0:4\nb,0,10,8,,,16,\nc,0,10,8,2,-1,,2-3@0:0\n");
  assert_int_equal(r.status, ASC_OK);
  const asc_buffer_spec *a = asc_problem_buffer(asc_csv_problem(r.csv), 0);
  assert_int_equal(a->alignment, 4);
  assert_int_equal(a->offset, 12);
  assert_int_equal(a->hint, ASC_UNPLACED);
  assert_int_equal(a->gap_count, 2);
  assert_int_equal(a->gaps[0].lower, -5); /* in order of time, whatever the file's */
  assert_int_equal(a->gaps[0].upper, -3);
  assert_int_equal(a->gaps[0].window_upper, 4);
  assert_int_equal(a->gaps[1].lower, 6);
  assert_int_equal(a->gaps[1].window_upper, 0);
  const asc_buffer_spec *b = asc_problem_buffer(asc_csv_problem(r.csv), 1);
  assert_int_equal(b->alignment, 1);
  assert_int_equal(b->offset, ASC_UNPLACED);
  assert_int_equal(b->hint, 16);
  assert_int_equal(asc_problem_buffer(asc_csv_problem(r.csv), 2)->offset, ASC_UNPLACED);
  assert_string_equal(asc_csv_convention(r.csv), "column offset: fixes 1 buffer");
  end_reading(&r);
}

static void test_banks(void **state) {
  (void)state;
  reading r = read_text("id,lower,upper,size,Bank,offset\na,0,3,4,8,12\nb,0,3,4,,6\nc,0,3,4,0,\nd,0,3,4,4,\n");
  assert_int_equal(r.status, ASC_OK);
  const int64_t banks[] = {8, 0, 0, 4};
  for (uint32_t b = 0; b < COUNT(banks); b++)
    assert_int_equal(asc_problem_buffer(asc_csv_problem(r.csv), b)->bank, banks[b]);
  assert_string_equal(asc_csv_convention(r.csv), "column offset: fixes 2 buffers");
  end_reading(&r);
  static const char plan[] = "id,lower,upper,size,bank,offset\na,0,3,4,8,6\n"; /* for the validator to find */
  r = read_bytes(plan, strlen(plan), ASC_OFFSETS_SOLUTION);
  assert_int_equal(r.status, ASC_OK);
  assert_int_equal(asc_csv_offsets(r.csv)[0], 6);
  size_t violations = 0;
  assert_int_equal(asc_validate(asc_csv_problem(r.csv), asc_csv_offsets(r.csv), 16, NULL, 0, &violations), ASC_OK);
  assert_int_equal(violations, 1);
  end_reading(&r);
}

static void test_plan(void **state) {
  (void)state;
  static const char text[] = "id,lower,upper,size,offset\na,0,3,4,8\nb,0,3,4,\nc,0,3,4,-7\n";
  reading r = read_bytes(text, strlen(text), ASC_OFFSETS_SOLUTION);
  assert_int_equal(r.status, ASC_OK);
  const int64_t *offsets = asc_csv_offsets(r.csv);
  assert_non_null(offsets);
  assert_int_equal(offsets[0], 8);
  assert_int_equal(offsets[1], ASC_UNPLACED);
  assert_int_equal(offsets[2], -7); /* for the validator to find */
  assert_int_equal(asc_problem_buffer(asc_csv_problem(r.csv), 0)->offset, ASC_UNPLACED);
  end_reading(&r);
  r = read_bytes("id,lower,upper,size\na,0,3,4\n", 28, ASC_OFFSETS_SOLUTION);
  assert_int_equal(r.status, ASC_OK);
  assert_null(asc_csv_offsets(r.csv));
  end_reading(&r);
}

/* ---- mistakes -------------------------------------------------------------------------------------------------------- */

#define HEAD "id,lower,upper,size\n"

static void test_the_pictured_errors(void **state) {
  (void)state;
  expect_error(HEAD "conv1,0,4,65536\nconv2,4,3,32768\nrelu,3,x9,32768\nadd,9,12,-64\nconv2,9,14,16384\n",
               "3:9+1 upper is 3, expected more than lower, 4\n"
               "4:8+2 upper is “x9”, expected a whole number\n"
               "5:10+3 size is -64, expected 0 to 9,007,199,254,740,991\n"
               "6:1+5 id “conv2” is already used on line 3\n");
}

static void test_bad_files(void **state) {
  (void)state;
  expect_error("", "1:1+0 header is missing, expected id,lower,upper,size\n");
  expect_error("\n  \n# only a comment", "1:1+0 header is missing, expected id,lower,upper,size\n");
  expect_error("\xef\xbb\xbf", "1:1+0 header is missing, expected id,lower,upper,size\n");
  expect_error("\n" HEAD, "2:1+0 row is missing, expected at least one buffer below the header\n");
  expect_error("a,0,3,4,5\n", "1:1+0 header names no known column, expected id, lower, upper and size\n");
  expect_error("a,0,x,4\n", "1:1+0 header names no known column, expected id, lower, upper and size\n");
  expect_error("id,low,end\na,0,3\n", "1:1+0 lower is missing, expected a column lower, start or begin\n"
                                      "1:1+0 size is missing, expected a column size\n");
  expect_error("id,lower,begin,upper,size,id\n", "1:10+5 begin says the same as column lower, expected one of them\n"
                                                 "1:27+2 id says the same as column id, expected one of them\n");
  expect_errors("\xff\xfei\0d\0", 6, "1:1+0 file is UTF-16, expected UTF-8\n");
  expect_errors("id,lower,upper,size\na,0,1\0,2\n", 29, "2:5+2 upper has a NUL byte, expected text\n");
  expect_errors("id,lower,upper,size,x\0\na,0,1,2,3\n", 33, "1:21+2 header has a NUL byte, expected text\n");
#if SIZE_MAX > UINT32_MAX
  expect_errors("id", (size_t)UINT32_MAX + 1, "1:1+0 file is larger than 4 GiB\n"); /* whose text is not looked at */
#endif
}

static void test_bad_rows(void **state) {
  (void)state;
  expect_error(HEAD "a,0,1\nb\nc,0,1,1,\n", "2:1+0 row has 3 fields, expected 4\n3:1+0 row has 1 field, expected 4\n"
                                            "4:1+0 row has 5 fields, expected 4\n");
  expect_error(HEAD "\"a,0,1,2\nb,0,1,2\n", "2:1+17 row has a quote that is never closed, expected a closing quote\n");
  expect_error(HEAD "a,0,1,\"2\"3\n", "2:7+4 size has text behind the closing quote, expected a separator\n");
  expect_error("id,lower,upper,size,note\na,0,1,2,\"x\" y\nb,0,1,2,\"", /* unknown columns must be well formed, too */
               "2:9+5 note has text behind the closing quote, expected a separator\n"
               "3:9+1 note has a quote that is never closed, expected a closing quote\n");
  expect_error(HEAD ",0,1,2\n\"\",0,1,2\n",
               "2:1+0 id is empty, expected 1 to 255 bytes\n3:1+2 id is empty, expected 1 to 255 bytes\n");
  expect_error(HEAD "\"a\nb\",0,1,2\nc,0,1,x\n", "2:1+5 id is “a?b”, expected no control characters\n"
                                                 "4:7+1 size is “x”, expected a whole number\n");
  expect_error("lower,upper,size,Buffer\n0,1,1,\"é \"\n0,1,1,\"é \"\n", "3:7+5 Buffer “é ” is already used on line 2\n");
}

static void test_bad_numbers(void **state) {
  (void)state;
  expect_error(HEAD "a,,1.5,\nb,0x,1e3,2 3\n", "2:3+0 lower is empty, expected a whole number\n"
                                               "2:4+3 upper is “1.5”, expected a whole number\n"
                                               "2:8+0 size is empty, expected a whole number\n"
                                               "3:3+2 lower is “0x”, expected a whole number\n"
                                               "3:6+3 upper is “1e3”, expected a whole number\n"
                                               "3:10+3 size is “2 3”, expected a whole number\n");
  expect_error(HEAD "a,-,+,--1\n",
               "2:3+1 lower is “-”, expected a whole number\n2:5+1 upper is “+”, expected a whole number\n"
               "2:7+3 size is “--1”, expected a whole number\n");
  expect_error(HEAD "a,0,1,9007199254740992\nb,-9007199254740992,9007199254740991,1\nc,0,18446744073709551617,1\n",
               "2:7+16 size is 9,007,199,254,740,992, expected 0 to 9,007,199,254,740,991\n"
               "3:3+17 lower is -9,007,199,254,740,992, expected -9,007,199,254,740,991 to 9,007,199,254,740,991\n"
               "4:5+20 upper is 18,446,744,073,709,551,617, expected -9,007,199,254,740,991 to 9,007,199,254,740,991\n");
  expect_error("id,start,end,size\na,4,3,1\nb,0,9007199254740991,1\n",
               "2:5+1 end is 3, expected at least start, 4\n"
               "3:5+16 end is 9,007,199,254,740,991, expected -9,007,199,254,740,991 to 9,007,199,254,740,990\n");
}

static void test_bad_placement(void **state) {
  (void)state;
  expect_error("id,lower,upper,size,alignment,offset,hint\na,0,1,4,0,0,-2\nb,0,1,4,-4,,\nc,0,1,4,4,6,\nd,5,5,4,4,-6,x\n",
               "2:9+1 alignment is 0, expected 1 to 9,007,199,254,740,991\n"
               "2:13+2 hint is -2, expected 0 to 9,007,199,254,740,991\n"
               "3:9+2 alignment is -4, expected 1 to 9,007,199,254,740,991\n"
               "4:11+1 offset is 6, expected a multiple of the alignment, 4\n"
               "5:5+1 upper is 5, expected more than lower, 5\n"
               "5:14+1 hint is “x”, expected a whole number\n"
               "5:11+2 offset is -6, expected 0 to 9,007,199,254,740,991\n");
  expect_error("id,lower,upper,size,offset\na,0,1,2,9007199254740991\n",
               "2:9+16 offset is 9,007,199,254,740,991, expected 0 to 9,007,199,254,740,989\n");
}

static void test_bad_banks(void **state) {
  (void)state;
  expect_error("id,lower,upper,size,offset,bank\na,0,1,4,,3\nb,0,1,4,,-1\nc,0,1,4,6,8\nd,0,1,4,,9007199254740992\n"
               "e,0,1,4,,1k\nf,0,1,x,6,2\ng,5,5,4,,3\nh,0,1,4,6,3\n",
               "2:10+1 bank is 3, expected at least the size, 4\n"
               "3:10+2 bank is -1, expected 0 to 9,007,199,254,740,991\n"
               "4:9+1 offset is 6, expected no multiple of the bank, 8, inside the buffer\n"
               "5:10+16 bank is 9,007,199,254,740,992, expected 0 to 9,007,199,254,740,991\n"
               "6:10+2 bank is “1k”, expected a whole number\n"
               "7:7+1 size is “x”, expected a whole number\n"
               "8:5+1 upper is 5, expected more than lower, 5\n"
               "8:10+1 bank is 3, expected at least the size, 4\n"
               "9:11+1 bank is 3, expected at least the size, 4\n");
  expect_error("id,lower,upper,size,bank,bank\n", "1:26+4 bank says the same as column bank, expected one of them\n");
}

static void test_bad_gaps(void **state) {
  (void)state;
  expect_error("id,lower,upper,size,gaps\n"
               "a,2,9,8,1-3\nb,2,9,8,4-10\nc,2,9,8,3-5 4-6\nd,2,9,8,5-4\ne,2,9,8,3\nf,2,9,8,3-4@0\ng,2,9,8,3-4@0:9\n"
               "h,2,9,8,3-4@4:4\ni,2,9,8,3-4@0:4x\nj,2,9,8,  3-4   6-12\n",
               "2:9+3 gaps has “1-3”, expected a gap inside the lifespan\n"
               "3:9+4 gaps has “4-10”, expected a gap inside the lifespan\n"
               "4:13+3 gaps has “4-6”, expected gaps that do not overlap\n"
               "5:9+3 gaps has “5-4”, expected a gap that begins before it ends\n"
               "6:9+1 gaps has “3”, expected gaps like 4-7 or 4-7@0:64\n"
               "7:9+5 gaps has “3-4@0”, expected gaps like 4-7 or 4-7@0:64\n"
               "8:9+7 gaps has “3-4@0:9”, expected a window that begins before it ends, inside the size\n"
               "9:9+7 gaps has “3-4@4:4”, expected a window that begins before it ends, inside the size\n"
               "10:9+8 gaps has “3-4@0:4x”, expected gaps like 4-7 or 4-7@0:64\n"
               "11:17+4 gaps has “6-12”, expected a gap inside the lifespan\n");
  expect_error("id,lower,upper,size,gaps\na,0,9,8,1-4 2-5 3-6\n", /* the first that overlaps is named */
               "2:13+3 gaps has “2-5”, expected gaps that do not overlap\n");
}

/* A quoted cell of blanks has no gaps, and an id may have doubled quotes. */
static void test_quoted_cells(void **state) {
  (void)state;
  reading r = read_text("id,lower,upper,size,gaps\n\"a \"\"b\"\"\",0,9,8,\" \t \"\n");
  assert_int_equal(r.status, ASC_OK);
  expect_buffer(&r, 0, "a \"b\"", 0, 9, 8);
  assert_int_equal(asc_problem_buffer(asc_csv_problem(r.csv), 0)->gap_count, 0);
  end_reading(&r);
}

static void test_too_much(void **state) {
  (void)state;
  reading r = read_text(HEAD "a,0,1,9007199254740991\nb,0,1,1\nc,0,1,1\n");
  assert_int_equal(r.status, ASC_TOO_LARGE);
  assert_int_equal(r.count, 1); /* the rest is not looked at */
  assert_int_equal(r.diags[0].line, 3);
  end_reading(&r);

  r = read_text(HEAD "a,0,x,1\nb,0,1,9007199254740991\nc,0,1,1\nd,0,x,1\n");
  assert_int_equal(r.status, ASC_TOO_LARGE); /* which is worse than what was found before */
  assert_int_equal(r.count, 2);
  end_reading(&r);

  /* no common multiple with the pool's alignment is one row's fault */
  expect_error("pool,p,100,1000000007\nid,lower,upper,size,alignment,pool\na,0,1,4,1000000009,p\nb,2,2,4,1,p\n",
               "3:20+1 pool is “p”, in which alignment is 1,000,000,009, which with the pool's 1,000,000,007 has no "
               "multiple that can be counted\n"
               "4:5+1 upper is 2, expected more than lower, 2\n");

  size_t rows = (size_t)ASC_MAX_BUFFERS + 1, bytes = 0, room = 32 * rows;
  char *text = malloc(room);
  assert_non_null(text);
  bytes += (size_t)snprintf(text, room, HEAD);
  for (size_t k = 0; k < rows; k++) bytes += (size_t)snprintf(text + bytes, room - bytes, "%zu,%zu,%zu,8\n", k, k, k + 1);
  r = read_bytes(text, bytes, ASC_OFFSETS_FIXED);
  assert_int_equal(r.status, ASC_TOO_LARGE);
  assert_int_equal(r.diags[0].line, rows + 1);
  assert_string_equal(r.diags[0].message, "is one too many, expected at most 1,048,576 buffers");
  end_reading(&r);
  free(text);
}

static void test_more_errors_than_room(void **state) {
  (void)state;
  asc_context *context = test_context();
  char text[4096] = HEAD;
  for (int k = 0; k < 50; k++) strcat(text, "x,0,0,-1\n");
  asc_diag diag[2];
  asc_csv *csv = NULL;
  size_t count = 0;
  asc_status status = asc_csv_read(context, text, strlen(text), ASC_OFFSETS_FIXED, &csv, diag, 2, &count);
  assert_int_equal(status, ASC_BAD_INPUT);
  assert_int_equal(count, 149); /* each row two, and each but the first repeats the id */
  assert_int_equal(diag[1].line, 2);
  assert_null(csv);
  assert_int_equal(asc_csv_read(context, text, strlen(text), ASC_OFFSETS_FIXED, &csv, NULL, 0, NULL), ASC_BAD_INPUT);
  assert_int_equal(asc_csv_read(context, NULL, 3, ASC_OFFSETS_FIXED, &csv, NULL, 0, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(count, 149); /* nothing was read that could be counted */
  test_context_end(context);
}

/* Given up after any number of rows, whole or with mistakes in them, a reading leaves nothing behind (test_context_end). */
static void test_giving_up(void **state) {
  (void)state;
  static const char text[] = "note,id,lower,upper,size,gaps\n\"x\"\"y\",a,0,9,4,2-3\nz,b,9,0,x,\nq,a,0,9,4,2-3 5-6\n";
  for (uint32_t rows = 0; rows < 6; rows++) {
    asc_context *context = test_context();
    asc_csv_reading *parts = NULL;
    size_t read = 0, at = 0;
    bool more = false;
    assert_int_equal(asc_csv_reading_new(context, text, sizeof text - 1, ASC_OFFSETS_FIXED, NULL, 0, &parts), ASC_OK);
    assert_int_equal(asc_csv_reading_step(parts, rows, &more), ASC_OK);
    asc_csv_reading_at(parts, &read, &at);
    assert_int_equal(more, rows < 4);
    assert_int_equal(read, rows < 3 ? rows : 3);
    assert_int_equal(at == sizeof text - 1, rows >= 3);
    assert_int_equal(asc_csv_reading_step(parts, 1, NULL), ASC_BAD_ARGUMENT);
    assert_int_equal(asc_csv_reading_end(parts, NULL, NULL), ASC_BAD_ARGUMENT);
    asc_csv_reading_free(parts);
    test_context_end(context);
  }
  asc_csv_reading_free(NULL);
}

/* Whoever has its problem asks for it no more, and what is no text takes words on its columns all the same. */
static void test_ends_once(void **state) {
  (void)state;
  static const char good[] = HEAD "a,0,1,4\n", wide[] = "\xff\xfei\0d\0";
  asc_context *context = test_context();
  asc_csv_reading *parts = NULL;
  asc_csv *csv = NULL, *none = NULL;
  size_t count = 0;
  assert_int_equal(asc_csv_reading_new(context, good, sizeof good - 1, ASC_OFFSETS_FIXED, NULL, 0, &parts), ASC_OK);
  assert_int_equal(asc_csv_reading_end(parts, &csv, NULL), ASC_OK);
  assert_int_equal(asc_csv_reading_end(parts, &none, NULL), ASC_BAD_ARGUMENT);
  assert_null(none);
  asc_csv_reading_free(parts);
  asc_csv_free(csv);
  asc_diag diag = {0};
  assert_int_equal(asc_csv_reading_new(context, wide, sizeof wide - 1, ASC_OFFSETS_FIXED, &diag, 1, &parts), ASC_OK);
  assert_int_equal(asc_csv_reading_assume(parts, ASC_END_INCLUSIVE, "id,lower,upper,size"), ASC_OK);
  assert_int_equal(asc_csv_reading_end(parts, &none, &count), ASC_BAD_INPUT);
  assert_int_equal(count, 1);
  assert_string_equal(diag.message, "is UTF-16, expected UTF-8");
  asc_csv_reading_free(parts);
  test_context_end(context);
}

static void test_long_texts_are_cut(void **state) {
  (void)state;
  char text[1024] = HEAD "a,0,1,", expected[512];
  for (int k = 0; k < 100; k++) strcat(text, "é");
  snprintf(expected, sizeof expected, "2:7+200 size is “%s…”, expected a whole number\n", "éééééééééééééééééééééééééé");
  expect_error(text, expected);
}

/* ---- as other tools write it ------------------------------------------------------------------------------------------ */

typedef struct tolerant {
  const char *text, *convention;
  asc_csv_end end;
} tolerant;

/* All are a: 0 to before 4, 1,024 bytes, and b: 3 to before 9, 64 bytes. */
static const tolerant same_as_a_and_b[] = {
    {"id,lower,upper,size,Align\na,0,4,1024,1\nb,3,9,64,\n", "column Align taken as alignment", ASC_END_BY_NAME},
    {"name,start,end,bytes\na,0,3,1024\nb,3,8,64\n",
     "column name taken as id; column bytes taken as size; column end: inclusive, 1 was added", ASC_END_INCLUSIVE},
    {"Tensor;First Use;last-use;Length\na;0;3;1KiB\nb;3;8;0x40\n",
     "column Tensor taken as id; column First Use taken as start; column last-use taken as end; column Length taken as "
     "size; "
     "column last-use: inclusive, 1 was added; hexadecimal numbers and units were read (1 KiB = 1,024 bytes)",
     ASC_END_INCLUSIVE},
    {"id\talloc\tfree\tsize\na\t0x0\t0x4\t1.0 kib\nb\t3\t9\t64 B\n",
     "column alloc taken as start; column free taken as end; column free: exclusive; hexadecimal numbers and units were "
     "read "
     "(1 KiB = 1,024 bytes)",
     ASC_END_EXCLUSIVE},
    {"a,0,4,1024\nb,3,9,64\n", "no header: columns taken as id, start, end, size; column end: exclusive", ASC_END_EXCLUSIVE},
    {"a;1024;0;4\nb;64;3;9\n", "no header: columns taken as id, size, start, end; column end: exclusive", ASC_END_EXCLUSIVE},
    {"# arenascope: end=inclusive\na,0,3,1024\nb,3,8,64\n",
     "no header: columns taken as id, start, end, size; column end: inclusive, 1 was added", ASC_END_INCLUSIVE},
    {"# arenascope: end=exclusive\nid,start,end,size\na,0,4,1024\nb,3,9,64\n", "column end: exclusive", ASC_END_EXCLUSIVE},
    {"\xef\xbb\xbf\n# of a tool\n# arenascope: columns=size,id,upper,lower,note end=exclusive\n1024,a,4,0,x\n64,b,9,3,y\n",
     "column upper: exclusive; 1 unknown column kept (\xe2\x80\x9cnote\xe2\x80\x9d)", ASC_END_EXCLUSIVE},
    {"[{\"id\": \"a\", \"lower\": 0, \"upper\": 4, \"size\": 1024},\n {\"size\": 64, \"id\": \"b\", \"upper\": 9, "
     "\"lower\": 3}]\n",
     "JSON: a buffer for each object", ASC_END_BY_NAME},
    {" [\r\n{ \"name\" :\"\\u0061\",\"first_use\":0,\"last_use\":3,\"bytes\":\"0x400\",\"shape\":[1,[8,\"]\"]]},\r"
     "{\"bytes\":\"64\",\"first_use\":3,\"name\":\"b\",\"last_use\":8,\"dead\":true,\"hint\":null}\n]",
     "JSON: a buffer for each object; column name taken as id; column first_use taken as start; column last_use taken as "
     "end; "
     "column bytes taken as size; column last_use: inclusive, 1 was added; hexadecimal numbers and units were read (1 KiB = "
     "1,024 bytes); 2 unknown columns kept (\xe2\x80\x9cshape\xe2\x80\x9d, \xe2\x80\xa6)",
     ASC_END_INCLUSIVE},
};

static void test_tolerant(void **state) {
  (void)state;
  for (size_t k = 0; k < COUNT(same_as_a_and_b); k++) {
    const tolerant *t = &same_as_a_and_b[k];
    reading r = read_text(t->text);
    CHECK(r.status == ASC_OK, "%zu: %u:%u %s %s", k, r.diags[0].line, r.diags[0].column, r.diags[0].field,
          r.diags[0].message);
    assert_int_equal(asc_problem_count(asc_csv_problem(r.csv)), 2);
    expect_buffer(&r, 0, "a", 0, 4, 1024);
    expect_buffer(&r, 1, "b", 3, 9, 64);
    assert_string_equal(asc_csv_convention(r.csv), t->convention);
    assert_int_equal(asc_csv_end_read(r.csv), t->end);
    assert_false(asc_csv_is_plain(r.csv) && t->end != ASC_END_BY_NAME);
    end_reading(&r);
  }
  reading r = read_text("a,0,0,4\nb,0,3,8\n"); /* a lifespan that would be empty: the end is inclusive */
  expect_buffer(&r, 0, "a", 0, 1, 4);
  assert_int_equal(asc_csv_end_read(r.csv), ASC_END_INCLUSIVE);
  end_reading(&r);
  r = read_text("id,name,lower,upper,size,bytes\na,x,0,3,4,9\n"); /* what is called so is what it was */
  expect_buffer(&r, 0, "a", 0, 3, 4);
  assert_string_equal(asc_csv_convention(r.csv), "2 unknown columns kept (\xe2\x80\x9cname\xe2\x80\x9d, \xe2\x80\xa6)");
  assert_int_equal(asc_csv_end_read(r.csv), ASC_END_BY_NAME);
  end_reading(&r);
}

static void test_units(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t bytes;
  } units[] = {{"1KiB", 1024},
               {"1.5 MiB", 1572864},
               {"2 GiB", INT64_C(1) << 31},
               {"3TiB", INT64_C(3) << 40},
               {"4kb", 4000},
               {"0.25MB", 250000},
               {"7B", 7},
               {"0X1f", 31},
               {"0.001953125 KiB", 2},
               {"0x1fffffffffffff", ASC_MAX_BYTES}};
  for (size_t k = 0; k < COUNT(units); k++) {
    char text[128];
    snprintf(text, sizeof text, HEAD "a,0,1,%s\n", units[k].text);
    reading r = read_text(text);
    CHECK(r.status == ASC_OK, "%s: %s", units[k].text, r.diags[0].message);
    expect_buffer(&r, 0, "a", 0, 1, units[k].bytes);
    end_reading(&r);
  }
  expect_error(HEAD "a,0,1,0.3 KiB\nb,0,1,1k\nc,0,2KiB,1\nd,0,1,9000 TiB\ne,0x20000000000000,1,-1 KiB\nf,0,1,1.5\n",
               "2:7+7 size is “0.3 KiB”, expected a whole number\n3:7+2 size is “1k”, expected a whole number\n"
               "4:5+4 upper is “2KiB”, expected a whole number\n"
               "5:7+8 size is “9000 TiB”, expected 0 to 9,007,199,254,740,991\n"
               "6:3+16 lower is “0x20000000000000”, expected -9,007,199,254,740,991 to 9,007,199,254,740,991\n"
               "6:22+6 size is “-1 KiB”, expected a whole number\n7:7+3 size is “1.5”, expected a whole number\n");
}

#define NO_JSON \
  "is no JSON here, expected a list of objects like [{\"id\": \"a\", \"lower\": 0, \"upper\": 3, \"size\": 64}]\n"

static void test_bad_json(void **state) {
  (void)state;
#define A "{\"id\":\"a\",\"lower\":0,\"upper\":4,\"size\":8}"
  expect_error("[{}]", "1:1+0 header " NO_JSON);
  /* keys that nobody got to read are not said to be missing */
  expect_error("[{\"id\":\"a\",\"lower\":0 \"upper\":4}]", "1:22+0 header " NO_JSON);
  expect_error("[{\"id\":\"a\",\n \"lower\":0,", "2:12+0 header " NO_JSON);
  expect_error("[" A, "1:41+0 row " NO_JSON);
  expect_error("[" A "]]", "1:42+0 row " NO_JSON);
  expect_error("[" A ",\n]", "2:1+0 row " NO_JSON);
  expect_error("[" A "\n" A "]", "2:1+0 row " NO_JSON);
  expect_error("[" A ",\n{\"id\":\"b\",\"lower\":9,\"upper\":4,\"size\":\"x\"},{\"id\":\"a\"},\n {\"id\":\"\\q\"}]",
               "2:29+1 upper is 4, expected more than lower, 9\n2:38+3 size is “x”, expected a whole number\n"
               "2:49+3 id “a” is already used on line 1\n2:43+0 lower is empty, expected a whole number\n"
               "2:43+0 upper is empty, expected a whole number\n2:43+0 size is empty, expected a whole number\n"
               "3:12+0 row " NO_JSON);
  expect_error("[{\"name\":\"a\",\"bytes\":8}]", "1:1+0 lower is missing, expected a column lower, start or begin\n"
                                                 "1:1+0 upper is missing, expected a column upper or end\n");
  char many[2048] = "[{\"id\":\"a\"";
  for (int k = 0; k < 64; k++) snprintf(many + strlen(many), 16, ",\"k%d\":1", k);
  strcat(many, "}]");
  reading r = read_text(many);
  assert_int_equal(r.status, ASC_BAD_INPUT);
  end_reading(&r);
  /* four keys are no row of numbers, and a NUL may be written in JSON, but not be part of an id */
  expect_error("[{\"a\":1,\"b\":2,\"c\":3,\"d\":4}]",
               "1:1+0 header names no known column, expected id, lower, upper and size\n");
  expect_error("[{\"id\":\"a\\u0000\",\"lower\":0,\"upper\":4,\"size\":8}]", "1:8+9 id has a NUL byte, expected text\n");
}

/* What a comment says counts where it comes first: ends once, columns of the first line only; a list that is too long names no columns. */
static void test_told_twice(void **state) {
  (void)state;
  reading r = read_text("# arenascope: end=inclusive end=exclusive columns=id,start,end,size\n"
                        "# arenascope: columns=size,id,start,end\na,0,3,4\n");
  assert_int_equal(r.status, ASC_OK);
  expect_buffer(&r, 0, "a", 0, 4, 4);
  assert_string_equal(asc_csv_convention(r.csv), "column end: inclusive, 1 was added");
  end_reading(&r);
  char text[512] = "# arenascope: columns=id,lower,upper,";
  for (int k = 0; k < 300; k++) strcat(text, "x");
  strcat(text, "\na,0,3,4\n");
  r = read_text(text); /* cut behind 255 bytes: three columns of those that are needed */
  assert_int_equal(r.status, ASC_BAD_INPUT);
  assert_string_equal(r.diags[0].message, "is missing, expected a column size");
  end_reading(&r);
}

/* Only the first 4,096 rows behind the first say what the columns of a file without a header are. */
static void test_looks_some_rows_ahead(void **state) {
  (void)state;
  for (int unseen = 0; unseen < 2; unseen++) {
    size_t rows = 4096 + (size_t)unseen, room = 32 * (rows + 1), used = 0;
    char *text = malloc(room);
    assert_non_null(text);
    for (size_t k = 0; k < rows; k++) used += (size_t)snprintf(text + used, room - used, "%zu,0,1,2\n", k);
    used += (size_t)snprintf(text + used, room - used, "last,7,7,9\n");
    reading r = read_bytes(text, used, ASC_OFFSETS_FIXED);
    /* seen, the lifespan that would be empty has the ends inclusive; unseen it is a mistake */
    assert_int_equal(r.status, unseen ? ASC_BAD_INPUT : ASC_OK);
    end_reading(&r);
    free(text);
  }
}

static void test_told(void **state) {
  (void)state;
  asc_context *context = test_context();
  static const char text[] = "# arenascope: end=inclusive\nx,8,0,4\ny,8,2,9\n";
  asc_csv_reading *told = NULL;
  asc_csv *csv = NULL;
  asc_diag diags[ROOM];
  assert_int_equal(asc_csv_reading_new(context, text, strlen(text), ASC_OFFSETS_FIXED, diags, ROOM, &told), ASC_OK);
  assert_int_equal(asc_csv_reading_assume(told, ASC_END_EXCLUSIVE, ""), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_csv_reading_assume(told, ASC_END_EXCLUSIVE, "id, size ,start,end"), ASC_OK);
  assert_int_equal(asc_csv_reading_end(told, &csv, NULL), ASC_OK);
  assert_int_equal(asc_csv_reading_assume(told, ASC_END_EXCLUSIVE, NULL), ASC_BAD_ARGUMENT);
  expect_buffer(&(reading){.csv = csv}, 1, "y", 2, 9, 8);
  assert_string_equal(asc_csv_convention(csv), "column end: exclusive");
  asc_csv_free(csv);
  asc_csv_reading_free(told);
  test_context_end(context);
}

int run_csv_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),
      cmocka_unit_test(test_dialects),
      cmocka_unit_test(test_inclusive_end),
      cmocka_unit_test(test_optional_columns),
      cmocka_unit_test(test_banks),
      cmocka_unit_test(test_plan),
      cmocka_unit_test(test_the_pictured_errors),
      cmocka_unit_test(test_bad_files),
      cmocka_unit_test(test_bad_rows),
      cmocka_unit_test(test_bad_numbers),
      cmocka_unit_test(test_bad_placement),
      cmocka_unit_test(test_bad_banks),
      cmocka_unit_test(test_bad_gaps),
      cmocka_unit_test(test_tolerant),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_quoted_cells),
      cmocka_unit_test(test_bad_json),
      cmocka_unit_test(test_told_twice),
      cmocka_unit_test(test_looks_some_rows_ahead),
      cmocka_unit_test(test_told),
      cmocka_unit_test(test_too_much),
      cmocka_unit_test(test_more_errors_than_room),
      cmocka_unit_test(test_giving_up),
      cmocka_unit_test(test_ends_once),
      cmocka_unit_test(test_long_texts_are_cut),
  };
  return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
