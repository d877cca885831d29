/* Buffer CSV as it is written: what it looks like, and that it reads back equal. */
#include "csv_reading.h"

#include <stdlib.h>
#include <string.h>

typedef struct text {
  char *bytes;
  size_t used, limit; /* limit: pieces before the sink says stop, 0: never */
} text;

static bool gather(void *user, const char *bytes, size_t count) {
  text *t = user;
  if (t->limit && --t->limit == 0) return false;
  t->bytes = realloc(t->bytes, t->used + count + 1);
  assert_non_null(t->bytes);
  memcpy(t->bytes + t->used, bytes, count);
  t->used += count;
  t->bytes[t->used] = 0;
  return true;
}

static void expect_written(const char *given, const char *expected) {
  reading r = read_text(given);
  CHECK(r.status == ASC_OK, "%s %s", r.diags[0].field, r.diags[0].message);
  text t = {0};
  assert_int_equal(asc_csv_write(asc_csv_problem(r.csv), r.csv, NULL, gather, &t), ASC_OK);
  assert_string_equal(t.bytes, expected);
  free(t.bytes);
  end_reading(&r);
}

static void test_write(void **state) {
  (void)state;
  expect_written("start,id,size,end\n0,a,4,2\n", "id,lower,upper,size\na,0,3,4\n");
  expect_written("op,id,lower,upper,size,,\"la;yer\"\nconv,a,0,3,4,1,\"x, \"\"y\"\"\"\nadd,b,0,3,4,,\" z\n2\"\n",
                 "id,lower,upper,size,op,,\"la;yer\"\na,0,3,4,conv,1,\"x, \"\"y\"\"\"\nb,0,3,4,add,,\" z\n2\"\n");
  expect_written("id;lower;upper;size;gaps;hint;alignment;offset\n\"#1\";0;9;4;6-8 2-3@1:4;8;2;4\n\"a,b\";0;9;4;;;;\n",
                 "id,lower,upper,size,alignment,hint,gaps,offset\n\"#1\",0,9,4,2,8,2-3@1:4 6-8,4\n\"a,b\",0,9,4,1,-1,,\n");
}

static void test_write_banks(void **state) {
  (void)state;
  expect_written("bank,id,lower,upper,size\n0,a,0,3,4\n", "id,lower,upper,size\na,0,3,4\n");
  expect_written("bank,id,hint,lower,upper,size,alignment,offset\n64,a,8,0,3,4,2,\n,b,,0,3,4,1,62\n",
                 "id,lower,upper,size,alignment,bank,hint,offset\na,0,3,4,2,64,8,\nb,0,3,4,1,0,-1,62\n");
}

static void test_write_plan(void **state) {
  (void)state;
  reading r = read_text("id,lower,upper,size,note,offset\na,0,3,4,n,8\nb,0,3,4,m,\n");
  assert_int_equal(r.status, ASC_OK);
  const int64_t plan[] = {8, ASC_UNPLACED};
  text t = {0};
  assert_int_equal(asc_csv_write(asc_csv_problem(r.csv), NULL, plan, gather, &t), ASC_OK);
  assert_string_equal(t.bytes, "id,lower,upper,size,offset\na,0,3,4,8\nb,0,3,4,\n");
  free(t.bytes);
  text stopped = {.limit = 1};
  assert_int_equal(asc_csv_write(asc_csv_problem(r.csv), NULL, plan, gather, &stopped), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_csv_write(NULL, NULL, plan, gather, &t), ASC_BAD_ARGUMENT);
  end_reading(&r);
}

/* Random problems with everything in them, ids that need quotes, and a text longer than one piece. */
static void test_write_reads_back(void **state) {
  (void)state;
  asci_rng rng = {7};
  const test_shape shape = {.min_buffers = 1,
                            .max_buffers = 400,
                            .min_time = -50,
                            .max_time = 50,
                            .max_size = 90,
                            .max_alignment = 8,
                            .max_fixed = 300,
                            .zero = 5,
                            .fixed = 20,
                            .gap = 30,
                            .window = 50,
                            .hint = 30,
                            .tie = 20,
                            .bank = 30};
  for (uint32_t k = 0; k < test_cases(200); k++) {
    asc_context *context = test_context();
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    text t = {0};
    assert_int_equal(asc_csv_write(problem, NULL, NULL, gather, &t), ASC_OK);
    reading r = read_bytes(t.bytes, t.used, ASC_OFFSETS_FIXED);
    CHECK(r.status == ASC_OK, "line %u %s %s", r.diags[0].line, r.diags[0].field, r.diags[0].message);
    assert_int_equal(asc_problem_digest(asc_csv_problem(r.csv)), asc_problem_digest(problem));
    for (uint32_t b = 0; b < asc_problem_count(problem); b++)
      assert_string_equal(asc_problem_id(asc_csv_problem(r.csv), b), asc_problem_id(problem, b));
    free(t.bytes);
    end_reading(&r);
    asc_problem_free(problem);
    test_context_end(context);
  }
}

/* Any bytes at all: an answer, and no byte lost. A second reading of what was written gives the same text. */
static void test_any_bytes(void **state) {
  (void)state;
  static const char alphabet[] = "0123456789,,,,\n\n\n\"-#;\t \r@:a\xc3\xa9";
  asci_rng rng = {11};
  for (uint32_t k = 0; k < test_cases(20000); k++) {
    char text_in[160] = "id,lower,upper,size,gaps,x\n";
    size_t used = strlen(text_in), length = asci_random_below(&rng, 100);
    for (size_t i = 0; i < length; i++) text_in[used++] = alphabet[asci_random_below(&rng, sizeof alphabet)];
    reading r = read_bytes(text_in, used, k % 2 ? ASC_OFFSETS_FIXED : ASC_OFFSETS_SOLUTION);
    if (r.csv) {
      text t = {0}, again = {0};
      assert_int_equal(asc_csv_write(asc_csv_problem(r.csv), r.csv, NULL, gather, &t), ASC_OK);
      reading second = read_bytes(t.bytes, t.used, ASC_OFFSETS_FIXED);
      assert_int_equal(second.status, ASC_OK);
      assert_int_equal(asc_csv_write(asc_csv_problem(second.csv), second.csv, NULL, gather, &again), ASC_OK);
      assert_string_equal(t.bytes, again.bytes);
      free(t.bytes);
      free(again.bytes);
      end_reading(&second);
    }
    end_reading(&r);
  }
}

int run_csv_write_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_write),      cmocka_unit_test(test_write_banks),
      cmocka_unit_test(test_write_plan), cmocka_unit_test(test_write_reads_back),
      cmocka_unit_test(test_any_bytes),
  };
  return cmocka_run_group_tests_name("csv_write", tests, NULL, NULL);
}
