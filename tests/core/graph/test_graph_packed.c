/* Graphs as three arrays: they give the graph that the text gives, and nothing in them is trusted. */
#include "packed.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Q(text) "\xe2\x80\x9c" text "\xe2\x80\x9d"

/* Texts: x, empty, i8, a, b, y, conv, Conv, relu, Relu, shape and Reshape. */
static const char SMALL[] = "tensor,x,100,input,,,i8\ntensor,a,80,,16\ntensor,b,80\ntensor,y,30,output\n"
                            "op,conv,Conv,x,a,,,64\nop,relu,Relu,a,b,b=a\nop,shape,Reshape,b,y,,y=b\n";

typedef struct written {
  char *text;
  size_t count;
} written;

static bool add_text(void *user, const char *text, size_t bytes) {
  written *out = user;
  out->text = realloc(out->text, out->count + bytes + 1);
  assert_non_null(out->text);
  memcpy(out->text + out->count, text, bytes);
  out->count += bytes;
  out->text[out->count] = 0;
  return true;
}

static asc_graph *read_well(asc_context *context, const char *text, size_t bytes) {
  asc_graph *graph = NULL;
  assert_int_equal(asc_graph_csv_read(context, text, bytes, &graph, NULL, 0, NULL), ASC_OK);
  return graph;
}

static void expect_same(asc_context *context, const char *text, size_t bytes) {
  written first = {0}, second = {0};
  asc_graph *read = read_well(context, text, bytes), *graph = NULL;
  asc_diag diag = {0};
  packed arrays = test_pack(read);
  asc_status status = asc_graph_unpack(context, &arrays.from, &graph, &diag);
  CHECK(status == ASC_OK, "%s %s", diag.field, diag.message);
  assert_int_equal(asc_graph_csv_write(read, add_text, &first), ASC_OK);
  assert_int_equal(asc_graph_csv_write(graph, add_text, &second), ASC_OK);
  assert_string_equal(first.text, second.text);
  free(first.text);
  free(second.text);
  test_pack_end(&arrays);
  asc_graph_free(graph);
  asc_graph_free(read);
}

static void test_same(void **state) {
  (void)state;
  static const char *const files[] = {"mobilenet_v2", "resnet50_fpn", "squeezenet1_1"};
  asc_context *context = test_context();
  expect_same(context, SMALL, sizeof SMALL - 1);
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[256];
    size_t bytes = 0;
    snprintf(path, sizeof path, "%s/examples/graphs/%s.graph.csv", ASC_SOURCE_DIR, files[k]);
    char *text = test_read_file(path, &bytes);
    expect_same(context, text, bytes);
    free(text);
  }
  test_context_end(context);
}

/* What is changed in the arrays of SMALL. */
typedef struct fault {
  enum { NUMBER, WORD, NUMBERS, WORDS, BYTES } in; /* one value, or how many there are */
  asc_status status;
  size_t at;
  double value;
  const char *expected;
} fault;

/* Words: 3 + 5 a tensor, then 23 + 7 an operator, then the lists from 44 on: 0 1, 1 2 2-1, 2 3 3-2. */
static const fault faults[] = {
    {WORDS, ASC_BAD_INPUT, 0, 2, "words are 2, expected 3"},
    {WORD, ASC_BAD_INPUT, 0, 5, "numbers are 11, expected 13"},
    {WORD, ASC_BAD_INPUT, 0, 4294967295.0, "words are 54, too few for 4294967295 tensors and 3 operators"},
    {WORD, ASC_BAD_INPUT, 1, 4294967295.0, "words are 54, too few for 4 tensors and 4294967295 operators"},
    {NUMBERS, ASC_BAD_INPUT, 0, 10, "numbers are 10, expected 11"},
    {WORDS, ASC_BAD_INPUT, 0, 53, "alias of operator " Q("shape") " are 1, expected at most the 0 that follow"},
    {WORDS, ASC_BAD_INPUT, 0, 43, "words are 43, too few for 4 tensors and 3 operators"},
    {WORD, ASC_BAD_INPUT, 2, 4294967295.0, "texts are 46, expected 4294967295"},
    {WORD, ASC_BAD_INPUT, 2, 99, "texts are 46, expected 99"},
    {WORD, ASC_BAD_INPUT, 2, 13, "texts are 12, expected 13"},
    {WORD, ASC_BAD_INPUT, 2, 11, "texts end 8 bytes early"},
    {BYTES, ASC_BAD_INPUT, 45, 'x', "texts are 11, expected 12"},
    {BYTES, ASC_BAD_INPUT, 0, 0, "texts end 8 bytes early"},
    {BYTES, ASC_BAD_INPUT, 0, 7, "id of tensor 1 has control characters, expected none"},
    {WORD, ASC_BAD_INPUT, 3, 12, "id of tensor 1 is text 12, expected less than 12"},
    {WORD, ASC_BAD_INPUT, 8, 1, "id of tensor 2 is empty, expected 1 to 255 bytes"},
    {WORD, ASC_BAD_INPUT, 8, 0, "id of tensor 2 " Q("x") " is already used"},
    {WORD, ASC_BAD_INPUT, 5, 4294967295.0, "shape of tensor " Q("x") " is text 4294967295, expected less than 12"},
    {WORD, ASC_BAD_INPUT, 6, 12, "dtype of tensor " Q("x") " is text 12, expected less than 12"},
    {WORD, ASC_BAD_INPUT, 7, 12, "axes of tensor " Q("x") " is text 12, expected less than 12"},
    {WORD, ASC_BAD_INPUT, 7, 0,
     "axes of tensor " Q("x") " are not what is expected, a capital letter for each dimension: NCHW"},
    {WORD, ASC_BAD_INPUT, 29, 12, "windows of operator " Q("conv") " is text 12, expected less than 12"},
    {WORD, ASC_BAD_INPUT, 29, 0,
     "windows of operator " Q("conv") " are " Q(
         "x") ", expected for each input an entry for each dimension: 1 * 3/2-1 3/2-1"},
    {WORD, ASC_BAD_INPUT, 4, 5,
     "kind of tensor " Q(
         "x") " is contradictory, expected one of input, constant and variable, perhaps with output, or workspace"},
    {NUMBER, ASC_BAD_INPUT, 0, 0.5, "bytes of tensor " Q("x") " is no whole number that a double holds exactly"},
    {NUMBER, ASC_BAD_INPUT, 0, NAN, "bytes of tensor " Q("x") " is no whole number that a double holds exactly"},
    {NUMBER, ASC_BAD_INPUT, 0, INFINITY, "bytes of tensor " Q("x") " is no whole number that a double holds exactly"},
    {NUMBER, ASC_BAD_INPUT, 2, -1, "bytes of tensor " Q("a") " is -1, expected 0 to 9,007,199,254,740,991"},
    {NUMBER, ASC_TOO_LARGE, 2, 9007199254740991.0,
     "bytes of tensor " Q("a") " is too much: all tensors and workspaces together may be at most 9,007,199,254,740,991"},
    {NUMBER, ASC_BAD_INPUT, 1, 0, "alignment of tensor " Q("x") " is 0, expected 1 to 1,073,741,824"},
    {WORD, ASC_BAD_INPUT, 23, 12, "id of operator 1 is text 12, expected less than 12"},
    {WORD, ASC_BAD_INPUT, 30, 6, "id of operator 2 " Q("conv") " is already used"},
    {WORD, ASC_BAD_INPUT, 24, 12, "type of operator " Q("conv") " is text 12, expected less than 12"},
    {WORD, ASC_BAD_INPUT, 25, 4294967295.0,
     "inputs of operator " Q("conv") " are 4294967295, expected at most the 10 that follow"},
    {WORD, ASC_BAD_INPUT, 26, 10, "outputs of operator " Q("conv") " are 10, expected at most the 9 that follow"},
    {WORD, ASC_BAD_INPUT, 27, 4294967295.0,
     "inplace of operator " Q("conv") " are 4294967295, expected at most the 4 that follow"},
    {WORD, ASC_BAD_INPUT, 42, 0, "words are 54, expected 52"},
    {NUMBER, ASC_BAD_INPUT, 8, -64, "workspace of operator " Q("conv") " is -64, expected 0 to 9,007,199,254,740,991"},
    {WORD, ASC_BAD_INPUT, 44, 4, "inputs of operator " Q("conv") " names a tensor that there is not"},
    {WORD, ASC_BAD_INPUT, 45, 4294967295.0, "outputs of operator " Q("conv") " names a tensor that there is not"},
    {WORD, ASC_BAD_INPUT, 49, 4, "inplace of operator " Q("relu") " names a tensor that there is not"},
    {WORD, ASC_BAD_INPUT, 53, 4, "alias of operator " Q("shape") " names a tensor that there is not"},
    {WORD, ASC_BAD_INPUT, 47, 1, "outputs of " Q("relu") " have " Q("a") ", which " Q("conv") " makes already"},
    {WORD, ASC_BAD_INPUT, 44, 2, "op waits for itself: " Q("conv") " comes after " Q("relu") ", in a round of 2 operators"},
    {WORD, ASC_OK, 46, 1, ""},
    {WORD, ASC_BAD_INPUT, 52, 2, "alias of " Q("shape") " has " Q("b") ", expected an output of the operator"},
};

static void change(packed *arrays, const fault *f) {
  switch (f->in) {
  case NUMBER:
    arrays->numbers[f->at] = f->value;
    break;
  case WORD:
    arrays->words[f->at] = (uint32_t)f->value;
    break;
  case NUMBERS:
    arrays->from.number_count = (size_t)f->value;
    break;
  case WORDS:
    arrays->from.word_count = (size_t)f->value;
    break;
  case BYTES:
    arrays->text[f->at] = (char)f->value;
    break;
  }
}

static void test_faults(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *small = read_well(context, SMALL, sizeof SMALL - 1);
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
    const fault *f = &faults[k];
    packed arrays = test_pack(small);
    asc_graph *graph = NULL;
    asc_diag diag = {0};
    char got[256] = "";
    change(&arrays, f);
    asc_status status = asc_graph_unpack(context, &arrays.from, &graph, &diag);
    if (status) snprintf(got, sizeof got, "%s %s", diag.field, diag.message);
    CHECK(status == f->status && (graph != NULL) == !status && strcmp(got, f->expected) == 0,
          "%zu: %d, got\n%s\nexpected\n%s", k, (int)status, got, f->expected);
    CHECK(diag.line == 0 && diag.column == 0, "%zu: a place", k);
    asc_graph *again = NULL;
    assert_int_equal(asc_graph_unpack(context, &arrays.from, &again, NULL), status);
    asc_graph_free(again);
    asc_graph_free(graph);
    test_pack_end(&arrays);
  }
  asc_graph_free(small);
  test_context_end(context);
}

static void test_arguments(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  const uint32_t none[3] = {0};
  asc_packed_graph from = {.words = none, .word_count = 3};
  assert_int_equal(asc_graph_unpack(context, &from, &graph, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.message, "is missing, expected at least one operator");
  assert_int_equal(asc_graph_unpack(context, &(asc_packed_graph){0}, &graph, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "words");
  from.number_count = 1;
  assert_int_equal(asc_graph_unpack(context, &from, &graph, &diag), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_unpack(context, NULL, &graph, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_unpack(NULL, &from, &graph, &diag), ASC_BAD_ARGUMENT);
  assert_null(graph);
  test_context_end(context);
}

int run_graph_packed_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_arguments),
  };
  return cmocka_run_group_tests_name("graph_packed", tests, NULL, NULL);
}
