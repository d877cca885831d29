/* Task CSV: what is accepted, what every mistake is called and where it is shown, and that writing reads back equal. */
#include "asc/tile.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 20 };

#define Q(text) "\xe2\x80\x9c" text "\xe2\x80\x9d"
/* Two tensors, for tasks with one fault. */
#define TWO "tiled,x,1,1x64x8x8,NC32HW32\ntiled,y,1,4x4\n"

static void expect_error(const char *text, const char *expected) {
  asc_context *context = test_context();
  asc_tiling *tiling = NULL;
  asc_diag diags[ROOM];
  size_t count = 0;
  asc_status status = asc_task_csv_read(context, text, strlen(text), &tiling, diags, ROOM, &count);
  char got[8192] = "";
  size_t used = 0;
  for (size_t k = 0; k < count && k < ROOM; k++)
    used += (size_t)snprintf(got + used, sizeof got - used, "%u:%u+%u %s %s\n", diags[k].line, diags[k].column,
                             diags[k].length, diags[k].field, diags[k].message);
  CHECK(status != ASC_OK && !tiling && strcmp(got, expected) == 0, "for\n%s\ngot\n%sexpected\n%s", text, got, expected);
  test_context_end(context);
}

/* Reads it and writes it again. */
static void expect_written(const char *text, const char *expected) {
  asc_context *context = test_context();
  for (int pass = 0; pass < 2; pass++) {
    asc_tiling *tiling = NULL;
    asc_diag diag = {0};
    size_t count = 0;
    asc_status status = asc_task_csv_read(context, text, strlen(text), &tiling, &diag, 1, &count);
    CHECK(status == ASC_OK && count == 0, "%s: %u:%u %s %s", text, diag.line, diag.column, diag.field, diag.message);
    test_output out = {.used = 0};
    assert_int_equal(asc_task_csv_write(tiling, test_append, &out), ASC_OK);
    assert_string_equal(out.text, expected);
    asc_tiling_free(tiling);
    text = expected;
  }
  test_context_end(context);
}

static void what_is_read_is_written_again(void **state) {
  (void)state;
  expect_written("", "");
  expect_written("tiled,x,1,4x4\ntask,t,,x\n", "tiled,x,1,4x4\ntask,t,,x\n");
  expect_written("tiled,x,1,4x4,NCHW,activation,1\ntask,t,,x@0:4x0:4\n", "tiled,x,1,4x4\ntask,t,,x\n");
  expect_written("tiled,i,2,1x40x4x4,NC32HW32,input,64\ntiled,o,1,1x8x4x4,NHWC,output\n"
                 "task,t,i@0:1x32:40x0:4x1:3;i,o\n",
                 "tiled,i,2,1x40x4x4,NC32HW32,input,64\ntiled,o,1,1x8x4x4,NHWC,output\n"
                 "task,t,i@0:1x32:40x0:4x1:3;i,o\n");
  expect_written("task,t,,s\ntiled,s,1,4x4,1x8\n", "tiled,s,1,4x4,1x8\ntask,t,,s\n");
  expect_written("tiled,\"a;b@c\\,\",1,4\ntask,\"t,1\",,\"a\\;b\\@c\\\\,@0:2\"\n",
                 "tiled,\"a;b@c\\,\",1,4\ntask,\"t,1\",,\"a\\;b\\@c\\\\,@0:2\"\n");
  expect_written("tiled,\"a,b\",1,4\ntiled,c,1,4\ntask,t,,\"a,b;c\"\n",
                 "tiled,\"a,b\",1,4\ntiled,c,1,4\ntask,t,,\"a,b;c\"\n");
}

static void rows_that_are_wrong(void **state) {
  (void)state;
  expect_error("tensor,x,1\n", "1:1+6 row begins with " Q("tensor") ", expected tiled or task\n");
  expect_error("tiled,x,1\n", "1:1+0 row has 3 fields, expected 4 to 7\n");
  expect_error("tiled,x,1,4,,,,,\n", "1:1+0 row has 9 fields, expected 4 to 7\n");
  expect_error("tiled,,1,4\n", "1:7+0 id is empty, expected 1 to 255 bytes\n");
  expect_error("tiled,x,0,4\n", "1:9+1 element is 0, expected 1 to 4,096\n");
  expect_error("tiled,x,1,4x\n", "1:11+2 shape is " Q("4x") ", expected 1 to 6 sizes: 1x32x64x64\n");
  expect_error("tiled,x,1,1x2x3x4x5x6x7\n", "1:11+13 shape is " Q("1x2x3x4x5x6x7") ", expected 1 to 6 sizes: 1x32x64x64\n");
  expect_error("tiled,x,1,4x0\n", "1:11+3 shape is 0, expected 1 to 9,007,199,254,740,991\n");
  expect_error("tiled,x,1,4x4,HWC\n",
               "1:15+3 layout is " Q("HWC") ", expected NCHW, NHWC, NC32HW32 or a stride for each dimension\n");
  expect_error("tiled,x,1,4x4,4x1x1\n",
               "1:15+5 layout is " Q("4x1x1") ", expected NCHW, NHWC, NC32HW32 or a stride for each dimension\n");
  expect_error("tiled,x,1,4x4,3x1\n", "1:15+3 layout has stride 3 where elements overlap, expected at least 4\n");
  expect_error("tiled,x,1,4x4,NHWC\n", "1:11+3 shape has 2 dimensions, expected 4 for this layout\n");
  expect_error("tiled,x,1,4,,weights\n", "1:14+7 kind is " Q("weights") ", expected activation, input or output\n");
  expect_error("tiled,x,1,4\n\ntiled,x,1,4\n", "3:7+1 id " Q("x") " is already used on line 1\n");
}

static void tasks_that_are_wrong(void **state) {
  (void)state;
  expect_error(TWO "task,t\n", "3:1+0 row has 2 fields, expected 3 to 4\n");
  expect_error(TWO "task,t,,\n", "3:9+0 writes is empty, expected something that the task does\n");
  expect_error(TWO "task,t,,z\n", "3:9+1 writes has " Q("z") ", expected the id of a tensor\n");
  expect_error(TWO "task,t,,y;y@0:4\n",
               "3:11+5 writes has " Q("y@0:4") ", expected a range for each dimension: a@0:1x0:32\n");
  expect_error(TWO "task,t,,y@0:4x0:4x0:1\n",
               "3:9+13 writes has " Q("y@0:4x0:4x0:1") ", expected a range for each dimension: a@0:1x0:32\n");
  expect_error(TWO "task,t,,y@0:4x-1:4\n",
               "3:9+10 writes has " Q("y@0:4x-1:4") ", expected a range for each dimension: a@0:1x0:32\n");
  expect_error(TWO "task,t,,y@0:4x2:5\n", "3:9+9 writes has 2:5, expected a range inside 0:4\n");
  expect_error(TWO "task,t,,y@0:4x2:2\n", "3:9+9 writes has 2:2, expected a range inside 0:4\n");
  expect_error(TWO "task,t,,x@0:1x0:40x0:8x0:8\n", "3:9+18 writes has channels 0:40, expected whole blocks of 32\n");
  expect_error(TWO "task,t,,y\ntask,t,y,\n", "4:6+1 id " Q("t") " is already used on line 3\n");
}

/* What only shows when all tasks are read. */
static void faults_of_the_whole(void **state) {
  (void)state;
  expect_error(TWO "task,s,y@0:1x0:4,x\ntask,t,,y\n",
               "3:6+1 reads of " Q("y") " has a part of a tensor that no task wrote before\n");
  expect_error(TWO "task,s,,y@0:2x0:4\ntask,t,y,x\ntask,u,y,x\n",
               "4:6+1 reads of " Q("y") " has a part of a tensor that no task wrote before\n");
  expect_error("tiled,x,1,4,,input\ntask,t,,x\n", "1:7+1 kind of " Q("x") " is input, but a task writes it\n");
  expect_error("tiled,x,1,4,,output\ntiled,y,1,4\ntask,t,,y\n",
               "1:7+1 kind of " Q("x") " is output, but no task writes it\n");
}

static void told_from_the_other_files(void **state) {
  (void)state;
  static const char *const are[] = {"tiled,x,1,4\n", "# of mine\n\ntask,t,,x\n", "tiled", "\"tiled\"", "\"tiled"};
  static const char *const are_not[] = {"",   "tensor,x,8\n", "id,lower,upper,size\n", "task,lower,upper,size\n",
                                        "\"", "\"tiles\""};
  for (uint32_t k = 0; k < COUNT(are); k++) assert_true(asc_task_csv_is(are[k], strlen(are[k])));
  for (uint32_t k = 0; k < COUNT(are_not); k++) assert_false(asc_task_csv_is(are_not[k], strlen(are_not[k])));
}

int run_task_csv_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_read_is_written_again), cmocka_unit_test(rows_that_are_wrong),
      cmocka_unit_test(tasks_that_are_wrong),          cmocka_unit_test(faults_of_the_whole),
      cmocka_unit_test(told_from_the_other_files),
  };
  return cmocka_run_group_tests_name("task_csv", tests, NULL, NULL);
}
