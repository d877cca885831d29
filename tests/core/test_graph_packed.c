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
  size_t at;
  double value;
  asc_status status;
  const char *expected;
} fault;

/* Words: 3 + 4 a tensor, then 19 + 6 an operator, then the lists from 37 on: 0 1, 1 2 2-1, 2 3 3-2. */
static const fault faults[] = {
    {WORDS, 0, 2, ASC_BAD_INPUT, "words are 2, expected 3"},
    {WORD, 0, 5, ASC_BAD_INPUT, "numbers are 11, expected 13"},
    {WORD, 0, 4294967295.0, ASC_BAD_INPUT, "words are 47, too few for 4294967295 tensors and 3 operators"},
    {WORD, 1, 4294967295.0, ASC_BAD_INPUT, "words are 47, too few for 4 tensors and 4294967295 operators"},
    {NUMBERS, 0, 10, ASC_BAD_INPUT, "numbers are 10, expected 11"},
    {WORDS, 0, 46, ASC_BAD_INPUT, "alias of operator " Q("shape") " are 1, expected at most the 0 that follow"},
    {WORDS, 0, 36, ASC_BAD_INPUT, "words are 36, too few for 4 tensors and 3 operators"},
    {WORD, 2, 4294967295.0, ASC_BAD_INPUT, "texts are 46, expected 4294967295"},
    {WORD, 2, 99, ASC_BAD_INPUT, "texts are 46, expected 99"},
    {WORD, 2, 13, ASC_BAD_INPUT, "texts are 12, expected 13"},
    {WORD, 2, 11, ASC_BAD_INPUT, "texts end 8 bytes early"},
    {BYTES, 45, 'x', ASC_BAD_INPUT, "texts are 11, expected 12"},
    {BYTES, 0, 0, ASC_BAD_INPUT, "texts end 8 bytes early"},
    {BYTES, 0, 7, ASC_BAD_INPUT, "id of tensor 1 has control characters, expected none"},
    {WORD, 3, 12, ASC_BAD_INPUT, "id of tensor 1 is text 12, expected less than 12"},
    {WORD, 7, 1, ASC_BAD_INPUT, "id of tensor 2 is empty, expected 1 to 255 bytes"},
    {WORD, 7, 0, ASC_BAD_INPUT, "id of tensor 2 " Q("x") " is already used"},
    {WORD, 5, 4294967295.0, ASC_BAD_INPUT, "shape of tensor " Q("x") " is text 4294967295, expected less than 12"},
    {WORD, 6, 12, ASC_BAD_INPUT, "dtype of tensor " Q("x") " is text 12, expected less than 12"},
    {WORD, 4, 5, ASC_BAD_INPUT,
     "kind of tensor " Q(
         "x") " is contradictory, expected one of input, constant and variable, perhaps with output, or workspace"},
    {NUMBER, 0, 0.5, ASC_BAD_INPUT, "bytes of tensor " Q("x") " is no whole number that a double holds exactly"},
    {NUMBER, 0, NAN, ASC_BAD_INPUT, "bytes of tensor " Q("x") " is no whole number that a double holds exactly"},
    {NUMBER, 0, INFINITY, ASC_BAD_INPUT, "bytes of tensor " Q("x") " is no whole number that a double holds exactly"},
    {NUMBER, 2, -1, ASC_BAD_INPUT, "bytes of tensor " Q("a") " is -1, expected 0 to 9,007,199,254,740,991"},
    {NUMBER, 2, 9007199254740991.0, ASC_TOO_LARGE,
     "bytes of tensor " Q("a") " is too much: all tensors and workspaces together may be at most 9,007,199,254,740,991"},
    {NUMBER, 1, 0, ASC_BAD_INPUT, "alignment of tensor " Q("x") " is 0, expected 1 to 1,073,741,824"},
    {WORD, 19, 12, ASC_BAD_INPUT, "id of operator 1 is text 12, expected less than 12"},
    {WORD, 25, 6, ASC_BAD_INPUT, "id of operator 2 " Q("conv") " is already used"},
    {WORD, 20, 12, ASC_BAD_INPUT, "type of operator " Q("conv") " is text 12, expected less than 12"},
    {WORD, 21, 4294967295.0, ASC_BAD_INPUT,
     "inputs of operator " Q("conv") " are 4294967295, expected at most the 10 that follow"},
    {WORD, 22, 10, ASC_BAD_INPUT, "outputs of operator " Q("conv") " are 10, expected at most the 9 that follow"},
    {WORD, 23, 4294967295.0, ASC_BAD_INPUT,
     "inplace of operator " Q("conv") " are 4294967295, expected at most the 4 that follow"},
    {WORD, 36, 0, ASC_BAD_INPUT, "words are 47, expected 45"},
    {NUMBER, 8, -64, ASC_BAD_INPUT, "workspace of operator " Q("conv") " is -64, expected 0 to 9,007,199,254,740,991"},
    {WORD, 37, 4, ASC_BAD_INPUT, "inputs of operator " Q("conv") " names a tensor that there is not"},
    {WORD, 38, 4294967295.0, ASC_BAD_INPUT, "outputs of operator " Q("conv") " names a tensor that there is not"},
    {WORD, 42, 4, ASC_BAD_INPUT, "inplace of operator " Q("relu") " names a tensor that there is not"},
    {WORD, 46, 4, ASC_BAD_INPUT, "alias of operator " Q("shape") " names a tensor that there is not"},
    {WORD, 40, 1, ASC_BAD_INPUT, "outputs of " Q("relu") " have " Q("a") ", which " Q("conv") " makes already"},
    {WORD, 37, 2, ASC_BAD_INPUT, "op waits for itself: " Q("conv") " comes after " Q("relu") ", in a round of 2 operators"},
    {WORD, 39, 1, ASC_OK, ""},
    {WORD, 45, 2, ASC_BAD_INPUT, "alias of " Q("shape") " has " Q("b") ", expected an output of the operator"},
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
