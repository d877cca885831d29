/* What each function takes ends somewhere: one by one every field of a specification beyond either end is refused, by its name, and nothing is added. */
#include "asc/graph.h"
#include "asc/select.h"
#include "asc/tile.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text/format.h"
#include "support.h"

#include <string.h>

#define REFUSED(call, status, name) \
  do { \
    asc_diag diag = {0}; \
    assert_int_equal((call), (status)); \
    CHECK(!strcmp(diag.field, name) && diag.message[0], "%s is refused as %s: %s", name, diag.field, diag.message); \
  } while (0)

/* ---- tilings --------------------------------------------------------------------------------------------------------- */

static asc_tiled_spec tiled(void) {
  return (asc_tiled_spec){.id = "t", .element = 2, .rank = 2, .sizes = {4, 64}, .layout = ASC_LAYOUT_NCHW, .alignment = 1};
}

static void tensors_of_tilings(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = NULL;
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  asc_tiled_spec specs[14];
  const char *fields[COUNT(specs)] = {"element", "element",   "shape",     "shape", "shape",  "shape",  "layout",
                                      "layout",  "alignment", "alignment", "kind",  "layout", "layout", "layout"};
  for (uint32_t k = 0; k < COUNT(specs); k++) specs[k] = tiled();
  specs[0].element = 0;
  specs[1].element = ASC_MAX_ELEMENT + 1;
  specs[2].rank = 0;
  specs[3].rank = ASC_MAX_RANK + 1;
  specs[4].sizes[1] = 0;
  specs[5].sizes[0] = ASC_MAX_BYTES + 1;
  specs[6].layout = (asc_layout)(ASC_LAYOUT_NCHW - 1);
  specs[7].layout = (asc_layout)(ASC_LAYOUT_STRIDES + 1);
  specs[8].alignment = 0;
  specs[9].alignment = ASC_MAX_TENSOR_ALIGNMENT + 1;
  specs[10].kind = ASC_TENSOR_INPUT | ASC_TENSOR_OUTPUT;
  for (uint32_t k = 11; k < COUNT(specs); k++) specs[k].layout = ASC_LAYOUT_STRIDES;
  specs[11].strides[0] = -1, specs[11].strides[1] = 1;
  specs[12].strides[0] = ASC_MAX_BYTES + 1, specs[12].strides[1] = 1;
  specs[13].strides[0] = 1, specs[13].strides[1] = 1; /* elements overlap */
  for (uint32_t k = 0; k < COUNT(specs); k++)
    REFUSED(asc_tiling_add_tensor(tiling, &specs[k], &diag), ASC_BAD_INPUT, fields[k]);
  asc_tiled_spec wide = tiled(), far = tiled();
  wide.layout = far.layout = ASC_LAYOUT_STRIDES;
  wide.strides[0] = ASC_MAX_BYTES, wide.strides[1] = 1; /* in elements of two bytes */
  far.strides[0] = ASC_MAX_BYTES / 4, far.strides[1] = 1;
  far.sizes[0] = 1000;
  REFUSED(asc_tiling_add_tensor(tiling, &wide, &diag), ASC_TOO_LARGE, "shape");
  REFUSED(asc_tiling_add_tensor(tiling, &far, &diag), ASC_TOO_LARGE, "shape");
  assert_int_equal(asc_tiling_tensor_count(tiling), 0);
  assert_int_equal(asc_tiling_bytes(tiling, 0), 0);
  asc_tiling_free(tiling);
  test_context_end(context);
}

static void boxes_of_tasks(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = NULL;
  asc_tiled_spec tensor = tiled(), blocks = tiled();
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  assert_int_equal(asc_tiling_add_tensor(tiling, &tensor, NULL), ASC_OK);
  blocks.id = "blocks";
  blocks.rank = 4;
  blocks.sizes[2] = blocks.sizes[3] = 2;
  blocks.layout = ASC_LAYOUT_NC32HW32;
  assert_int_equal(asc_tiling_add_tensor(tiling, &blocks, NULL), ASC_OK);
  const asc_box boxes[] = {
      {.tensor = 2, .low = {0, 0}, .high = {1, 1}},
      {.tensor = 0, .low = {-1, 0}, .high = {1, 1}},
      {.tensor = 0, .low = {1, 0}, .high = {1, 1}},
      {.tensor = 0, .low = {0, 0}, .high = {1, 65}},
      {.tensor = 1, .low = {0, 1, 0, 0}, .high = {1, 64, 1, 1}},
      {.tensor = 1, .low = {0, 0, 0, 0}, .high = {1, 33, 1, 1}},
  };
  for (uint32_t k = 0; k < COUNT(boxes); k++) {
    asc_task_spec reads = {.id = "k", .reads = &boxes[k], .read_count = 1};
    asc_task_spec writes = {.id = "k", .writes = &boxes[k], .write_count = 1};
    REFUSED(asc_tiling_add_task(tiling, &reads, &diag), ASC_BAD_INPUT, "reads");
    REFUSED(asc_tiling_add_task(tiling, &writes, &diag), ASC_BAD_INPUT, "writes");
  }
  const asc_box own = {.tensor = 0, .low = {0, 0}, .high = {1, 1}};
  asc_task_spec nothing = {.id = "k"},
                unwritten = {.id = "k", .reads = &own, .writes = &own, .read_count = 1, .write_count = 1};
  REFUSED(asc_tiling_add_task(tiling, &nothing, &diag), ASC_BAD_INPUT, "writes");
  assert_int_equal(asc_tiling_task_count(tiling), 0);
  assert_int_equal(asc_tiling_add_task(tiling, &unwritten, NULL), ASC_OK);
  REFUSED(asc_tiling_add_task(tiling, &unwritten, &diag), ASC_BAD_INPUT, "id");
  REFUSED(asc_tiling_freeze(tiling, &diag), ASC_BAD_INPUT, "reads");
  assert_int_equal(asc_tiling_freeze(tiling, NULL), ASC_BAD_INPUT);
  asc_tiling_free(tiling);
  test_context_end(context);
}

/* ---- graphs ---------------------------------------------------------------------------------------------------------- */

static void tensors_and_operators(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  const asc_tensor_spec plain = {.id = "x", .bytes = 4, .alignment = 1};
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  assert_int_equal(asc_graph_add_tensor(graph, &plain, NULL), ASC_OK);
  asc_tensor_spec tensors[10];
  for (uint32_t k = 0; k < COUNT(tensors); k++) tensors[k] = (asc_tensor_spec){.id = "t", .bytes = 4, .alignment = 1};
  const char *fields[COUNT(tensors)] = {"bytes", "bytes", "alignment", "alignment", "axes",
                                        "axes",  "kind",  "kind",      "id",        "id"};
  tensors[0].bytes = -1;
  tensors[1].bytes = ASC_MAX_BYTES + 1;
  tensors[2].alignment = 0;
  tensors[3].alignment = ASC_MAX_TENSOR_ALIGNMENT + 1;
  tensors[4].axes = "NcHW";
  tensors[5].axes = "N@";
  tensors[6].kind = ASC_TENSOR_INPUT | ASC_TENSOR_CONSTANT;
  tensors[7].kind = ASC_TENSOR_WORKSPACE | ASC_TENSOR_OUTPUT;
  tensors[8].id = "";
  tensors[9].id = "x";
  for (uint32_t k = 0; k < COUNT(tensors); k++)
    REFUSED(asc_graph_add_tensor(graph, &tensors[k], &diag), ASC_BAD_INPUT, fields[k]);
  const uint32_t none = 1, here = 0;
  const asc_tensor_pair from = {.output = 0, .input = 1}, to = {.output = 1, .input = 0};
  const asc_op_spec ops[] = {
      {.id = "o", .inputs = &none, .input_count = 1},
      {.id = "o", .outputs = &none, .output_count = 1},
      {.id = "o", .inputs = &here, .input_count = 1, .inplace = &from, .inplace_count = 1},
      {.id = "o", .inputs = &here, .input_count = 1, .inplace = &to, .inplace_count = 1},
      {.id = "o", .inputs = &here, .input_count = 1, .alias = &from, .alias_count = 1},
      {.id = "o", .inputs = &here, .input_count = 1, .alias = &to, .alias_count = 1},
      {.id = "o", .workspace = -1},
      {.id = "o", .workspace = ASC_MAX_BYTES + 1},
      {.id = "o", .windows = "1 q"},
  };
  const char *of_ops[] = {"inputs", "outputs", "inplace", "inplace", "alias", "alias", "workspace", "workspace", "windows"};
  for (uint32_t k = 0; k < COUNT(ops); k++) REFUSED(asc_graph_add_op(graph, &ops[k], &diag), ASC_BAD_INPUT, of_ops[k]);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- problems -------------------------------------------------------------------------------------------------------- */

static void shapes_and_pools(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  const asc_rect rects[][2] = {
      {{1, 1, 0, 4}, {0}},          {{-1, 2, 0, 4}, {0}},         {{0, 9, 0, 4}, {0}},
      {{0, 2, -1, 4}, {0}},         {{0, 2, 4, 4}, {0}},          {{0, 2, 0, 9}, {0}},
      {{2, 3, 0, 4}, {0, 1, 0, 4}}, {{0, 2, 4, 6}, {0, 2, 0, 2}}, {{0, 2, 0, 4}, {1, 3, 2, 6}},
  };
  for (uint32_t k = 0; k < COUNT(rects); k++) {
    asc_buffer_spec spec = test_spec(0, 4, 8);
    spec.id = "s";
    spec.shape = rects[k];
    spec.shape_count = k < 6 ? 1 : 2;
    REFUSED(asc_problem_add(problem, &spec, &diag), ASC_BAD_INPUT, "shape");
  }
  asc_buffer_spec many = test_spec(0, 4, 8), both = many;
  const asc_gap gap = {1, 2, 0, 0};
  many.id = both.id = "s";
  many.shape = both.shape = (asc_rect[]){{0, 2, 0, 4}};
  many.shape_count = ASC_MAX_RECTS + 1;
  both.shape_count = both.gap_count = 1;
  both.gaps = &gap;
  REFUSED(asc_problem_add(problem, &many, &diag), ASC_TOO_LARGE, "shape");
  REFUSED(asc_problem_add(problem, &both, &diag), ASC_BAD_INPUT, "shape");
  const asc_pool pools[] = {{"p", -1, 1, 0}, {"p", ASC_MAX_BYTES + 1, 1, 0}, {"p", 0, 0, 0}, {"p", 0, ASC_MAX_BYTES + 1, 0},
                            {"p", 0, 1, -1}, {"p", 0, 1, ASC_MAX_BYTES + 1}, {"", 0, 1, 0}};
  const char *fields[] = {"capacity", "capacity", "alignment", "alignment", "bank", "bank", "id"};
  for (uint32_t k = 0; k < COUNT(pools); k++)
    REFUSED(asc_problem_add_pool(problem, &pools[k], NULL, &diag), ASC_BAD_INPUT, fields[k]);
  asc_buffer_spec nowhere = test_spec(0, 4, 8);
  nowhere.id = "s";
  nowhere.pool = ASC_MAX_POOLS;
  REFUSED(asc_problem_add(problem, &nowhere, &diag), ASC_BAD_INPUT, "pool");
  assert_int_equal(asc_problem_count(problem), 0);
  assert_null(asc_problem_pool(problem, 1));
  assert_null(asc_problem_part(problem, 1));
  asc_problem_free(problem);
  test_context_end(context);
}

static bool swallow(void *user, const char *text, size_t bytes) {
  (void)text, (void)bytes;
  uint32_t *left = user;
  return !left || (*left)-- > 0;
}

/* A sink that stops ends a program, wherever it does. */
static void programs(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 4, 8), test_spec(1, 5, 8), test_spec(2, 6, 4), test_spec(3, 3 + 1, 0)};
  specs[2].alignment = 8;
  specs[2].offset = 16;
  asc_problem *problem = test_problem(context, specs, COUNT(specs)), *open = NULL;
  asc_packing_lp kind = {.one_variable = true};
  assert_int_equal(asc_problem_new(context, &open), ASC_OK);
  REFUSED(asc_problem_lp(open, 8, kind, swallow, NULL, &diag), ASC_BAD_ARGUMENT, "capacity");
  REFUSED(asc_problem_lp(problem, -1, kind, swallow, NULL, &diag), ASC_BAD_ARGUMENT, "capacity");
  REFUSED(asc_problem_lp(problem, ASC_MAX_BYTES + 1, kind, swallow, NULL, &diag), ASC_BAD_ARGUMENT, "capacity");
  REFUSED(asc_problem_lp(problem, ASC_MAX_BYTES, kind, swallow, NULL, &diag), ASC_UNSUPPORTED, "capacity");
  asc_status status = ASC_BAD_ARGUMENT;
  for (uint32_t room = 0; status; room++) {
    uint32_t left = room;
    status = asc_problem_lp(problem, 24, kind, swallow, &left, NULL);
    assert_true(room < 1000 && (status == ASC_OK || status == ASC_BAD_ARGUMENT));
  }
  asc_problem_free(problem);
  const asc_rect corner[] = {{0, 2, 0, 8}, {2, 4, 0, 4}};
  specs[0].shape = corner;
  specs[0].shape_count = COUNT(corner);
  problem = test_problem(context, specs, 1);
  REFUSED(asc_problem_lp(problem, 24, kind, swallow, NULL, &diag), ASC_UNSUPPORTED, "shape");
  asc_problem_free(open);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Whoever writes a graph or tasks ends where the sink does. */
static void writers(void **state) {
  (void)state;
  static const char text[] = "tensor,x,8,input,1,2x4,i8\ntensor,\"y;\",8,output,4,2x4,i8\nop,f,F,x,y\\;,,,,1 1\n";
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_tiling *tiling = NULL;
  asc_lowering *lowering = NULL;
  size_t count;
  assert_int_equal(asc_graph_csv_read(context, text, sizeof text - 1, &graph, NULL, 0, &count), ASC_OK);
  assert_int_equal(asc_graph_tile(graph, NULL, 0, 8, &tiling, NULL), ASC_OK);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  for (uint32_t room = 0; room < 40; room++) {
    uint32_t a = room, b = room, c = room;
    asc_status status = asc_graph_csv_write(graph, swallow, &a);
    assert_true(status == ASC_OK || status == ASC_BAD_ARGUMENT);
    status = asc_task_csv_write(tiling, swallow, &b);
    assert_true(status == ASC_OK || status == ASC_BAD_ARGUMENT);
    status = asc_lowering_lp(lowering, 16, ASC_LP_ADDRESSES, swallow, &c, NULL);
    assert_true(status == ASC_OK || status == ASC_BAD_ARGUMENT);
  }
  uint32_t all = 1 << 20;
  assert_int_equal(asc_lowering_lp(lowering, -1, ASC_LP_ADDRESSES, swallow, &all, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_lowering_lp(lowering, ASC_MAX_BYTES + 1, ASC_LP_CAPACITY, swallow, &all, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_lowering_lp(lowering, 16, (asc_lp_model)(ASC_LP_GAPS + 1), swallow, &all, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(all, 1 << 20);
  asc_lowering_free(lowering);
  asc_tiling_free(tiling);
  asc_graph_free(graph);
  test_context_end(context);
}

/* So many rows with long names: a text of several pieces. */
static size_t long_rows(char *text, size_t room, const char *format, uint32_t count) {
  char name[200];
  size_t used = strlen(text);
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  for (uint32_t k = 0; k < count; k++) used += asci_format(text + used, room - used, format, name, k);
  return used;
}

/* Whoever writes several pieces goes no further than the first that is not wanted: here among the tensors, or among what is made of them. */
static void writers_of_much(void **state) {
  (void)state;
  asc_context *context = test_context();
  for (uint32_t tensors = 0; tensors < 2; tensors++) {
    asc_graph *graph = NULL;
    asc_tiling *tiling = NULL;
    uint32_t a = 0, b = 0;
    char text[10000] = "tensor,x,8,input\nop,f,F,x,\n";
    size_t used = long_rows(text, sizeof text, tensors ? "tensor,%s%u,8,input\n" : "op,%s%u,F,x,\n", 40);
    assert_int_equal(asc_graph_csv_read(context, text, used, &graph, NULL, 0, NULL), ASC_OK);
    assert_int_equal(asc_graph_csv_write(graph, swallow, &a), ASC_BAD_ARGUMENT);
    asc_graph_free(graph);
    asci_format(text, sizeof text, "tiled,x,1,8\ntask,t,,x\n");
    used = long_rows(text, sizeof text, tensors ? "tiled,%s%u,8,8,,input\n" : "task,%s%u,,x\n", 40);
    assert_int_equal(asc_task_csv_read(context, text, used, &tiling, NULL, 0, NULL), ASC_OK);
    assert_int_equal(asc_task_csv_write(tiling, swallow, &b), ASC_BAD_ARGUMENT);
    asc_tiling_free(tiling);
  }
  test_context_end(context);
}

static void plans_and_selections(void **state) {
  (void)state;
  static const char text[] = "tensor,x,8,input\ntensor,y,8,output\nop,f,F,x,y\n";
  asc_context *context = test_context();
  asc_graph *graph = NULL, *open = NULL;
  asc_tiling *tiling = NULL;
  asc_lowering *lowering = NULL;
  asc_selection *selection = NULL;
  asc_plan plan = {0}, lacks = {.stay_count = 1};
  size_t count;
  assert_int_equal(asc_graph_csv_read(context, text, sizeof text - 1, &graph, NULL, 0, &count), ASC_OK);
  assert_int_equal(asc_graph_new(context, &open), ASC_OK);
  assert_int_equal(asc_plan_tile(NULL, &plan, NULL, 0, 9, &tiling, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_tile(graph, NULL, NULL, 0, 9, &tiling, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_tile(graph, &plan, NULL, 0, 9, NULL, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_tile(open, &plan, NULL, 0, 9, &tiling, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_tile(graph, &plan, NULL, 0, -1, &tiling, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_tile(graph, &plan, NULL, 1, 9, &tiling, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_tile(graph, &lacks, NULL, 0, 9, &tiling, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_tile(graph, &plan, &(asc_option_value){"order", "no"}, 1, 9, &tiling, NULL), ASC_BAD_OPTION);
  assert_null(tiling);
  assert_int_equal(asc_plan_tile(graph, &plan, NULL, 0, 9, &tiling, NULL), ASC_OK); /* nothing outside: no tensors */
  assert_int_equal(asc_tiling_tensor_count(tiling), 0);
  asc_tiling_free(tiling);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  asc_select_config low = asc_select_config_default(-1), high = asc_select_config_default(ASC_MAX_BYTES + 1);
  REFUSED(asc_select_new(lowering, &low, &selection, &diag), ASC_BAD_INPUT, "capacity");
  REFUSED(asc_select_new(lowering, &high, &selection, &diag), ASC_BAD_INPUT, "capacity");
  low.capacity = 9;
  assert_int_equal(asc_select_new(lowering, &low, &selection, NULL), ASC_OK);
  asc_selection *made = selection;
  REFUSED(asc_select_new(lowering, &high, &selection, &diag), ASC_BAD_INPUT, "capacity");
  assert_ptr_equal(selection, made);
  asc_select_free(made);
  asc_input input = asc_input_graph(lowering), nothing = asc_input_graph(NULL);
  const uint32_t order = 0;
  asc_plan half = {.order = &order, .turns = 1, .stay_count = 1};
  assert_int_equal(asc_plan_validate(&input, &plan, 9, NULL, 0, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_validate(&input, &half, 9, NULL, 0, &count), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_plan_validate(&nothing, &half, 9, NULL, 0, &count), ASC_BAD_ARGUMENT);
  half.stay_count = 0;
  assert_int_equal(asc_plan_validate(&input, &half, 9, NULL, 0, &count), ASC_OK);
  assert_true(count > 0); /* nobody is anywhere */
  asc_lowering_free(lowering);
  asc_graph_free(open);
  asc_graph_free(graph);
  test_context_end(context);
}

/* ---- words and bytes ------------------------------------------------------------------------------------------------- */

static void words_of_options(void **state) {
  (void)state;
  static const asc_option options[] = {
      {.name = "flag", .type = ASC_OPTION_BOOL, .initial = "false"},
      {.name = "number", .type = ASC_OPTION_INT, .initial = "3", .min = INT64_MIN + 1, .max = INT64_MAX},
      {.name = "text", .type = ASC_OPTION_TEXT, .initial = ""}};
  const asci_option_table table = {.owner = "nobody", .options = options, .count = COUNT(options)};
  char longest[257];
  memset(longest, 'a', sizeof longest - 1);
  longest[256] = 0;
  const struct {
    const char *name, *value, *means; /* NULL: refused */
  } cases[] = {
      {"flag", "true", "true"},
      {"flag", "1", "true"},
      {"flag", "yes", "true"},
      {"flag", "on", "true"},
      {"flag", "false", "false"},
      {"flag", "0", "false"},
      {"flag", "no", "false"},
      {"flag", "off", "false"},
      {"flag", "", NULL},
      {"flag", "o", NULL},
      {"number", "07", "7"},
      {"number", "00", "0"},
      {"number", "-0", NULL},
      {"number", "-7", "-7"},
      {"number", "", NULL},
      {"number", "-", NULL},
      {"number", "7a", NULL},
      {"number", "/", NULL},
      {"number", "9223372036854775807", "9223372036854775807"},
      {"number", "9223372036854775808", NULL},
      {"number", "92233720368547758070", NULL},
      {"text", longest + 1, longest + 1},
      {"text", longest, NULL},
  };
  for (uint32_t k = 0; k < COUNT(cases); k++) {
    const char *values[COUNT(options)];
    asc_diag diag = {0};
    asc_option_value given = {cases[k].name, cases[k].value};
    asc_status status = asci_options_read(&table, &given, 1, values, &diag);
    CHECK(status == (cases[k].means ? ASC_OK : ASC_BAD_OPTION), "%s=%s", cases[k].name, cases[k].value);
    for (uint32_t o = 0; !status && o < COUNT(options); o++)
      if (!strcmp(options[o].name, cases[k].name)) assert_string_equal(values[o], cases[k].means);
  }
}

/* More bytes than there are: none, and what was there is as it was. */
static void more_than_there_is(void **state) {
  (void)state;
  asc_context *context = test_context();
  uint64_t *items = NULL;
  size_t room = 0;
  assert_null(asci_alloc(context, SIZE_MAX / 4, 8));
  assert_null(asci_calloc(context, SIZE_MAX / 4, 8));
  assert_null(asci_alloc(context, SIZE_MAX, 1)); /* with what stands before it */
  assert_false(asci_grow(context, &items, &room, SIZE_MAX, sizeof *items));
  assert_false(asci_grow(context, &items, &room, SIZE_MAX / 4, sizeof *items));
  assert_false(asci_grow_little(context, &items, &room, SIZE_MAX - 1, sizeof *items));
  assert_false(asci_grow_little(context, &items, &room, SIZE_MAX / 4, sizeof *items));
  assert_true(!items && !room);
  void *nothing = asci_alloc(context, 7, 0);
  assert_non_null(nothing);
  asci_free(context, nothing);
  test_context_end(context);
}

int run_limits_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tensors_of_tilings),
      cmocka_unit_test(boxes_of_tasks),
      cmocka_unit_test(tensors_and_operators),
      cmocka_unit_test(shapes_and_pools),
      cmocka_unit_test(programs),
      cmocka_unit_test(writers),
      cmocka_unit_test(writers_of_much),
      cmocka_unit_test(plans_and_selections),
      cmocka_unit_test(words_of_options),
      cmocka_unit_test(more_than_there_is),
  };
  return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
