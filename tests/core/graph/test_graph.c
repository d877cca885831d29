/* Graphs built call by call: what is accepted, what every mistake is called, and that a refusal changes nothing. */
#include "support.h"

#include <stdio.h>
#include <string.h>

static asc_tensor_spec tensor(const char *id, int64_t bytes, uint32_t kind) {
  return (asc_tensor_spec){.id = id, .bytes = bytes, .kind = kind, .alignment = 1};
}

static asc_graph *graph_of(asc_context *context, const asc_tensor_spec *tensors, uint32_t count) {
  asc_graph *graph = NULL;
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  for (uint32_t k = 0; k < count; k++) assert_int_equal(asc_graph_add_tensor(graph, &tensors[k], NULL), ASC_OK);
  return graph;
}

static void expect_tensor(asc_tensor_spec spec, asc_status status, const char *expected) {
  asc_context *context = test_context();
  asc_tensor_spec first = tensor("a", 8, 0);
  asc_graph *graph = graph_of(context, &first, 1);
  asc_diag diag = {0};
  char got[256] = "";
  asc_status refused = asc_graph_add_tensor(graph, &spec, &diag);
  snprintf(got, sizeof got, "%s %s", diag.field, diag.message);
  CHECK(refused == status && (!refused || strcmp(got, expected) == 0), "got %s", got);
  assert_int_equal(asc_graph_tensor_count(graph), refused ? 1 : 2);
  asc_graph_free(graph);
  test_context_end(context);
}

static void test_tensors(void **state) {
  (void)state;
  static char long_id[300];
  memset(long_id, 'x', sizeof long_id - 1);
  asc_tensor_spec spec = tensor("b", ASC_MAX_BYTES - 8, ASC_TENSOR_INPUT | ASC_TENSOR_OUTPUT);
  expect_tensor(spec, ASC_OK, "");
  spec.bytes++;
  expect_tensor(spec, ASC_TOO_LARGE,
                "bytes is too much: all tensors and workspaces together may be at most 9,007,199,254,740,991");
  expect_tensor(tensor("b", -1, 0), ASC_BAD_INPUT, "bytes is -1, expected 0 to 9,007,199,254,740,991");
  expect_tensor(tensor("a", 1, 0), ASC_BAD_INPUT,
                "id \xe2\x80\x9c"
                "a\xe2\x80\x9d is already used");
  expect_tensor(tensor("", 1, 0), ASC_BAD_INPUT, "id is empty, expected 1 to 255 bytes");
  expect_tensor(tensor(NULL, 1, 0), ASC_BAD_INPUT, "id is empty, expected 1 to 255 bytes");
  expect_tensor(tensor(long_id, 1, 0), ASC_BAD_INPUT, "id is too long, expected 1 to 255 bytes");
  spec = tensor("b", 1, 0);
  spec.alignment = 0;
  expect_tensor(spec, ASC_BAD_INPUT, "alignment is 0, expected 1 to 1,073,741,824");
  spec = tensor("b", 1, 0);
  spec.dtype = long_id;
  expect_tensor(spec, ASC_BAD_INPUT, "dtype is too long, expected at most 255 bytes");
  for (uint32_t kind = 0; kind < 64; kind++) {
    uint32_t own = kind & ~(uint32_t)ASC_TENSOR_OUTPUT, bits = 0;
    for (uint32_t k = 0; k < 6; k++) bits += own >> k & 1;
    bool well = kind < 32 && bits <= 1 && kind != (ASC_TENSOR_OUTPUT | ASC_TENSOR_WORKSPACE);
    expect_tensor(tensor("b", 1, kind), well ? ASC_OK : ASC_BAD_INPUT,
                  "kind is contradictory, expected one of input, constant and variable, perhaps with output, or workspace");
  }
}

static void test_operators(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_tensor_spec tensors[] = {tensor("x", 8, ASC_TENSOR_INPUT), tensor("y", 8, 0)};
  asc_graph *graph = graph_of(context, tensors, 2);
  const uint32_t in[] = {0}, out[] = {1}, beyond[] = {2};
  const asc_tensor_pair pair = {1, 2};
  asc_op_spec spec = {.id = "o", .inputs = in, .input_count = 1, .outputs = out, .output_count = 1, .workspace = 3};
  asc_diag diag;
  asc_op_spec bad = spec;
  bad.inputs = beyond;
  assert_int_equal(asc_graph_add_op(graph, &bad, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "inputs");
  bad = spec;
  bad.alias = &pair;
  bad.alias_count = 1;
  assert_int_equal(asc_graph_add_op(graph, &bad, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "alias");
  bad = spec;
  bad.workspace = ASC_MAX_BYTES - 15;
  assert_int_equal(asc_graph_add_op(graph, &bad, &diag), ASC_TOO_LARGE);
  bad = spec;
  bad.outputs = NULL;
  assert_int_equal(asc_graph_add_op(graph, &bad, &diag), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_op_count(graph), 0);
  assert_int_equal(asc_graph_add_op(graph, &spec, NULL), ASC_OK);
  assert_int_equal(asc_graph_add_op(graph, &spec, &diag), ASC_BAD_INPUT);
  assert_int_equal(asc_graph_op_count(graph), 1);
  assert_int_equal(asc_graph_producer(graph, 1), ASC_NONE);
  assert_int_equal(asc_graph_freeze(graph, NULL), ASC_OK);
  assert_int_equal(asc_graph_producer(graph, 1), 0);
  assert_int_equal(asc_graph_producer(graph, 0), ASC_NONE);
  assert_int_equal(asc_graph_producer(graph, 2), ASC_NONE);
  assert_int_equal(asc_graph_find(graph, "y"), 1);
  assert_int_equal(asc_graph_find(graph, "z"), ASC_NONE);
  assert_string_equal(asc_graph_op(graph, 0)->type, "");
  assert_null(asc_graph_op(graph, 1));
  assert_null(asc_graph_tensor(graph, 2));
  assert_int_equal(asc_graph_freeze(graph, &diag), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_add_op(graph, &spec, &diag), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_graph_add_tensor(graph, tensors, &diag), ASC_BAD_ARGUMENT);
  asc_graph_free(graph);
  test_context_end(context);
}

/* Whoever asks for no words hears that there is a fault; and an operator's lists are counted before they are read. */
static void test_faults_without_words(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_diag diag = {0};
  asc_tensor_spec tensor = {.id = "x", .bytes = 1, .alignment = 1};
  uint32_t reads[] = {0};
  asc_op_spec op = {.id = "op", .inputs = reads, .input_count = 1};
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  assert_int_equal(asc_graph_add_tensor(graph, &tensor, NULL), ASC_OK);
  assert_int_equal(asc_graph_add_op(graph, &op, NULL), ASC_OK);
  assert_int_equal(asc_graph_freeze(graph, NULL), ASC_BAD_INPUT);
  op.id = "another";
  op.input_count = UINT32_MAX;
  assert_int_equal(asc_graph_add_op(graph, &op, &diag), ASC_TOO_LARGE);
  assert_string_equal(diag.field, "inputs");
  asc_graph_free(graph);
  test_context_end(context);
}

/* A graph that was refused can be completed. */
static void test_freezing_again(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_tensor_spec tensors[] = {tensor("x", 8, 0), tensor("y", 8, ASC_TENSOR_OUTPUT)};
  asc_graph *graph = graph_of(context, tensors, 2);
  const uint32_t x[] = {0}, y[] = {1};
  asc_diag diag;
  assert_int_equal(asc_graph_freeze(graph, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "op");
  const asc_op_spec first = {.id = "a", .outputs = x, .output_count = 1};
  const asc_op_spec second = {.id = "b", .inputs = x, .input_count = 1, .outputs = y, .output_count = 1};
  assert_int_equal(asc_graph_add_op(graph, &first, NULL), ASC_OK);
  assert_int_equal(asc_graph_freeze(graph, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "kind");
  assert_string_equal(diag.message, "is output, but no operator makes \xe2\x80\x9cy\xe2\x80\x9d");
  assert_int_equal(asc_graph_add_op(graph, &second, NULL), ASC_OK);
  assert_int_equal(asc_graph_freeze(graph, &diag), ASC_OK);
  asc_graph_free(graph);
  test_context_end(context);
}

int run_graph_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tensors),
      cmocka_unit_test(test_operators),
      cmocka_unit_test(test_freezing_again),
      cmocka_unit_test(test_faults_without_words),
  };
  return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
