/* Graph CSV: what is accepted, what every mistake is called and where it is shown, and that writing reads back equal. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 20 };

#define Q(text) "\xe2\x80\x9c" text "\xe2\x80\x9d"
/* An input and an output, for graphs with one fault. */
#define TWO "tensor,x,8,input\ntensor,y,8,output\n"

static void expect_errors(const char *text, size_t bytes, const char *expected) {
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_diag diags[ROOM];
  size_t count = 0;
  asc_status status = asc_graph_csv_read(context, text, bytes, &graph, diags, ROOM, &count);
  char got[8192] = "";
  size_t used = 0;
  for (size_t k = 0; k < count && k < ROOM; k++)
    used += (size_t)snprintf(got + used, sizeof got - used, "%u:%u+%u %s %s\n", diags[k].line, diags[k].column,
                             diags[k].length, diags[k].field, diags[k].message);
  CHECK(status != ASC_OK && !graph && strcmp(got, expected) == 0, "for\n%s\ngot\n%sexpected\n%s", text, got, expected);
  test_context_end(context);
}

static void expect_error(const char *text, const char *expected) {
  expect_errors(text, strlen(text), expected);
}

static asc_graph *read_well(asc_context *context, const char *text) {
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  size_t count = 0;
  asc_status status = asc_graph_csv_read(context, text, strlen(text), &graph, &diag, 1, &count);
  CHECK(status == ASC_OK && count == 0, "%s: %u:%u %s %s", text, diag.line, diag.column, diag.field, diag.message);
  return graph;
}

static void expect_written(const char *text, const char *expected) {
  asc_context *context = test_context();
  asc_graph *graph = read_well(context, text);
  test_output out = {.used = 0};
  assert_int_equal(asc_graph_csv_write(graph, test_append, &out), ASC_OK);
  CHECK(strcmp(out.text, expected) == 0, "got\n%sexpected\n%s", out.text, expected);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- accepted -------------------------------------------------------------------------------------------------------- */

static void test_plain(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = read_well(context, "op,conv,Conv,x;w,y,,,64\ntensor,x,8,input,16,1x8,int8\ntensor,y,9\n"
                                        "tensor,w,7,constant\ntensor,z,9,output+variable\nop,next,,y,z,z=y,z=y\n");
  const asc_tensor_spec *x = asc_graph_tensor(graph, 0), *z = asc_graph_tensor(graph, 3);
  assert_string_equal(x->id, "x");
  assert_int_equal(x->bytes, 8);
  assert_int_equal(x->kind, ASC_TENSOR_INPUT);
  assert_int_equal(x->alignment, 16);
  assert_string_equal(x->shape, "1x8");
  assert_string_equal(x->dtype, "int8");
  assert_int_equal(z->kind, ASC_TENSOR_OUTPUT | ASC_TENSOR_VARIABLE);
  assert_int_equal(z->alignment, 1);
  assert_string_equal(z->shape, "");
  const asc_op_spec *conv = asc_graph_op(graph, 0), *next = asc_graph_op(graph, 1);
  assert_string_equal(conv->id, "conv");
  assert_string_equal(conv->type, "Conv");
  assert_int_equal(conv->input_count, 2);
  assert_int_equal(conv->inputs[0], 0);
  assert_int_equal(conv->inputs[1], 2);
  assert_int_equal(conv->outputs[0], 1);
  assert_int_equal(conv->workspace, 64);
  assert_int_equal(conv->inplace_count + conv->alias_count, 0);
  assert_int_equal(next->inplace_count, 1);
  assert_int_equal(next->alias_count, 1);
  assert_int_equal(next->alias[0].output, 3);
  assert_int_equal(next->alias[0].input, 1);
  asc_graph_free(graph);
  test_context_end(context);
}

static void test_dialects(void **state) {
  (void)state;
  static const char same[] = "tensor,x,8,input\ntensor,y,8,output\nop,o,Conv,x,y\n";
  static const char *const texts[] = {
      same,
      "\xef\xbb\xbf# made by hand\r\n\r\nop, o ,Conv,x,y\r\ntensor,x,8,input\r\ntensor,y,+8, output \r\n",
      "\"tensor\",\"x\",\"8\",\"input\",,\ntensor,y,8,output,1\nop,\"o\",Conv,\"x\",y,,,0",
      "tensor,x,8,input\rtensor,y,8,output\rop,o,Conv,x,y,,,\r,,\r",
  };
  for (size_t k = 0; k < COUNT(texts); k++) expect_written(texts[k], same);
}

/* Names of models hold whatever the format is made of. */
static void test_names(void **state) {
  (void)state;
  expect_written("tensor,\"a;b=c\",8,input\ntensor,\"d,\"\"\\\"\"\",8\ntensor,#e,8,output\ntensor,\" f \",8,output\n"
                 "op,\"o,1\",\"T;2\",a\\;b\\=c,\"d,\"\"\\\\\"\"\",\"d,\"\"\\\\\"\"=a\\;b\\=c\"\n"
                 "op,o2,T,\"d,\"\"\\\\\"\"\",\"#e; f \"\n",
                 "tensor,\"a;b=c\",8,input\ntensor,\"d,\"\"\\\"\"\",8\ntensor,\"#e\",8,output\ntensor,\" f \",8,output\n"
                 "op,\"o,1\",\"T;2\",a\\;b\\=c,\"d,\"\"\\\\\"\"\",\"d,\"\"\\\\\"\"=a\\;b\\=c\"\n"
                 "op,o2,T,\"d,\"\"\\\\\"\"\",\"#e; f \"\n");
  expect_written("tensor,a=b,8,input\ntensor,c,8,output\nop,o,,a=b,c\n",
                 "tensor,a=b,8,input\ntensor,c,8,output\nop,o,,a\\=b,c\n");
}

static void test_optional_cells(void **state) {
  (void)state;
  static const char text[] = "tensor,a,1,input,4\ntensor,b,2,activation,1,2x1\ntensor,c,3,input+output,1,,f32\n"
                             "tensor,d,2,output,1,2,i8\ntensor,e,0,workspace\ntensor,f,4,output+constant\n"
                             "tensor,g,4,activation,1,,,NCHW\ntensor,h,4,constant,1,1x2,i8,HW\n"
                             "op,o,T,a;e,b,b=a\nop,p,T,b,d,,d=b\nop,q,T,,,,,9\n"
                             "op,r,T,,g,,,9,1 3/2-1\nop,s,T,g,,,,,\"* + 1 2:1;4^2-1;\"\n";
  expect_written(text, text);
}

static void test_sniff(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool graph;
  } cases[] = {
      {"tensor,a,8\n", true},
      {"\xef\xbb\xbf# comment\n\n  op , o,T,x,y\n", true},
      {"\"op\",o,T,x,y", true},
      {"op", true},
      {"op,size,end,x;lower,y\n", true},
      {"id,lower,upper,size\n", false},
      {"op,id,lower,upper,size\n", false},
      {"tensor,start,end,size\n", false},
      {"op;id;start;end;size\n", false},
      {"tensor,first,last,size\n", false},
      {"tensor,alloc,free,size\n", false},
      {"tensor,start,stop,size\n", false},
      {"tensor,start_time,end_time,bytes\n", false},
      {"tensor,first_used,last_used,nbytes\n", false},
      {"tensor,start,end,size_bytes\n", false},
      {"tensor,Alloc Time,free-time,size\n", false},
      {"op,start,begin,size\n", true},
      {"option,a\n", false},
      {"", false},
      {"#op,\n", false},
      {"tensor,\"size,size,size\",8,,1,\",size,\",\"a\"\"size,size\"\nop,o\n", true},
      {"op,\"lower\",\"upper\" ,\"size\"\n", false},
      {"op,\"lower\"\"\",\"upper\"\"\",\"size\"\"\"\n", true},
      {"tensor,size,8,,1,size,size\n", true},
      {"tensor,size,\"8\",,1,size,size\nop,o\n", true},
  };
  for (size_t k = 0; k < COUNT(cases); k++)
    CHECK(asc_graph_csv_is(cases[k].text, strlen(cases[k].text)) == cases[k].graph, "%s", cases[k].text);
}

/* ---- refused --------------------------------------------------------------------------------------------------------- */

static void test_bad_rows(void **state) {
  (void)state;
  expect_error("", "1:1+0 op is missing, expected at least one operator\n");
  expect_error("tensor,x\n", "1:1+0 row has 2 fields, expected 3 to 8\n");
  expect_error("tensor,x,8,input,,,,Nc\n",
               "1:21+2 axes are not what is expected, a capital letter for each dimension: NCHW\n");
  expect_error("tensor,x,8,input,,,,NN\n",
               "1:21+2 axes are not what is expected, a capital letter for each dimension: NCHW\n");
  expect_error("op,x,,a\n", "1:1+0 row has 4 fields, expected 5 to 9\n");
  expect_error("op,a,b,c,d,e,f,1,2,3\n", "1:1+0 row has 10 fields, expected 5 to 9\n");
  expect_error("op,x,,,,,,,1 a\n", "1:12+3 windows are " Q("1 a") ", expected for each input an entry for each dimension: "
                                                                  "1 * 3/2-1 3/2-1\n");
  expect_error("Tensor,x,1\n", "1:1+6 row begins with " Q("Tensor") ", expected tensor or op\n");
  expect_error("tensor,x,8,\"input\n", "1:12+7 kind has a quote that is never closed, expected a closing quote\n");
  expect_error("tensor,\"x\"y,8\n", "1:8+4 id has text behind the closing quote, expected a separator\n");
  expect_errors("tensor,x\0y,8\n", 13, "1:8+3 id has a NUL byte, expected text\n");
  expect_errors("\xff\xfet\0", 4, "1:1+0 file is UTF-16, expected UTF-8\n");
}

static void test_bad_tensors(void **state) {
  (void)state;
  expect_error("tensor,,8\n", "1:8+0 id is empty, expected 1 to 255 bytes\n");
  expect_error("tensor,x,\n", "1:10+0 bytes is empty, expected a whole number\n");
  expect_error("tensor,x,8b,,0,,\n", "1:10+2 bytes is " Q("8b") ", expected a whole number\n"
                                                                "1:14+1 alignment is 0, expected 1 to 1,073,741,824\n");
  expect_error("tensor,x,-1\n", "1:10+2 bytes is -1, expected 0 to 9,007,199,254,740,991\n");
  expect_error("tensor,x,8,inputs\n", "1:12+6 kind is " Q("inputs") ", expected activation, input, output, input+output, "
                                                                    "constant, variable or workspace\n");
  expect_error("tensor,x,8,input+\n", "1:12+6 kind is " Q("input+") ", expected activation, input, output, input+output, "
                                                                    "constant, variable or workspace\n");
  expect_error("tensor,x,8,input+constant\n",
               "1:12+14 kind is contradictory, expected one of input, constant and variable, perhaps with output, or "
               "workspace\n");
  expect_error("tensor,x,8\n# c\ntensor,x,9\n", "3:8+1 id " Q("x") " is already used on line 1\n");
  expect_error("tensor,x,9007199254740991\ntensor,y,1\ntensor,z,?\n",
               "2:10+1 bytes is too much: all tensors and workspaces together may be at most 9,007,199,254,740,991\n");
}

static void test_bad_operators(void **state) {
  (void)state;
  expect_error(TWO "op,,,x,y\n", "3:4+0 id is empty, expected 1 to 255 bytes\n");
  expect_error(TWO "op,o,T,x,y\nop,o,T,,\n", "4:4+1 id " Q("o") " is already used on line 3\n");
  expect_error(
      "op,o,T,a;x;b;,y\n" TWO,
      "1:8+1 inputs has " Q("a") ", expected the id of a tensor\n"
                                 "1:12+1 inputs has " Q("b") ", expected the id of a tensor\n"
                                                             "1:14+0 inputs has " Q("") ", expected the id of a tensor\n");
  expect_error(TWO "op,o,T,x,\"y;\"\"\",,,?\n",
               "3:10+6 outputs has " Q("\"") ", expected the id of a tensor\n"
                                             "3:19+1 workspace is " Q("?") ", expected a whole number\n");
  expect_error(TWO "op,o,T,x,y,y\n", "3:12+1 inplace has a single tensor, expected output=input\n");
  expect_error(TWO "op,o,T,x,y,,y=z\n", "3:13+1 alias has " Q("z") ", expected the id of a tensor\n");
}

/* ---- faults of the whole --------------------------------------------------------------------------------------------- */

static void test_producers(void **state) {
  (void)state;
  expect_error(TWO "tensor,a,8\nop,o,T,a;x,y\n", "4:8+1 inputs have " Q("a") ", an activation that no operator makes\n");
  expect_error(TWO "op,o,T,x,\n", "2:8+1 kind is output, but no operator makes " Q("y") "\n");
  expect_error(TWO "op,o,T,x,y\nop,p,T,x,y\n", "4:10+1 outputs have " Q("y") ", which " Q("o") " makes already\n");
  expect_error(TWO "op,o,T,x,y;y\n", "3:12+1 outputs have " Q("y") ", which " Q("o") " makes already\n");
  expect_error(TWO "op,o,T,,x;y\n", "3:9+1 outputs have " Q("x") ", an input of the model, which no operator may make\n");
  expect_error(TWO "tensor,w,1,constant\nop,o,T,x,y;w\n",
               "4:12+1 outputs have " Q("w") ", a constant, which no operator may make\n");
}

static void test_pairs(void **state) {
  (void)state;
  expect_error(TWO "op,o,T,x,y,x=y;y=y\n",
               "3:12+1 inplace has " Q("x") ", expected an output of the operator\n"
                                            "3:16+1 inplace has " Q("y") ", expected an input of the operator\n");
  expect_error(TWO "op,o,T,x,y,,y=y\n", "3:13+1 alias has " Q("y") ", expected an input of the operator\n");
  expect_error(TWO "op,o,T,x,y,,y=x;y=x\n", "3:17+1 alias has " Q("y") " twice, expected one pair for it\n");
}

static void test_order(void **state) {
  (void)state;
  expect_error(TWO "tensor,a,8\nop,o,T,a,y\nop,p,T,x,a\n",
               "4:8+1 inputs have " Q("a") ", which " Q("p") " makes only later: the order is no schedule\n");
  expect_error(TWO "op,o,T,y;x,y\n", "3:4+1 op waits for itself: " Q("o") " reads what it makes\n");
  expect_error(TWO "tensor,a,1\ntensor,b,1\ntensor,c,1\nop,o,T,x,c\nop,p,T,c;b,a\nop,q,T,a,b\nop,r,T,b,y\n",
               "7:4+1 op waits for itself: " Q("p") " comes after " Q("q") ", in a round of 2 operators\n");
  /* operators on one variable keep their order, and so can be part of a round */
  expect_error(TWO "tensor,v,4,variable\ntensor,a,1\nop,o,T,v;a,y\nop,p,T,v;x,a\n",
               "5:4+1 op waits for itself: " Q("o") " comes after " Q("p") ", in a round of 2 operators\n");
}

static void test_first_errors_by_line(void **state) {
  (void)state;
  char text[4096] = "op,o,T,nobody,y\n";
  for (int k = 0; k < 30; k++) strcat(text, "tensor,x,?\n");
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_diag diags[ROOM];
  size_t count = 0;
  assert_int_equal(asc_graph_csv_read(context, text, strlen(text), &graph, diags, ROOM, &count), ASC_BAD_INPUT);
  assert_int_equal(count, 32);
  for (uint32_t k = 0; k < ROOM; k++) assert_int_equal(diags[k].line, k < 2 ? 1 : k);
  assert_int_equal(asc_graph_csv_read(context, text, strlen(text), &graph, NULL, 0, &count), ASC_BAD_INPUT);
  assert_int_equal(count, 32);
  test_context_end(context);
}

static bool refuse(void *user, const char *text, size_t bytes) {
  (void)user, (void)text, (void)bytes;
  return false;
}

static void test_arguments(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  assert_int_equal(asc_graph_csv_read(context, NULL, 1, &graph, NULL, 0, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_csv_read(context, "", 0, NULL, NULL, 0, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_csv_read(context, NULL, 0, &graph, NULL, 0, NULL), ASC_BAD_INPUT);
  graph = read_well(context, TWO "op,o,T,x,y\n");
  assert_int_equal(asc_graph_csv_write(graph, refuse, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_csv_write(graph, NULL, NULL), ASC_BAD_ARGUMENT);
  asc_graph_free(graph);
  test_context_end(context);
}

int run_graph_csv_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),       cmocka_unit_test(test_dialects),
      cmocka_unit_test(test_names),       cmocka_unit_test(test_optional_cells),
      cmocka_unit_test(test_sniff),       cmocka_unit_test(test_bad_rows),
      cmocka_unit_test(test_bad_tensors), cmocka_unit_test(test_bad_operators),
      cmocka_unit_test(test_producers),   cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_order),       cmocka_unit_test(test_first_errors_by_line),
      cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests_name("graph_csv", tests, NULL, NULL);
}
