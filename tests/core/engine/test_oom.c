/* No memory for problems, files and generators. */
#include "asc/tile.h"
#include "graph/packed.h"
#include "oom.h"

#include <stdio.h>
#include <string.h>

/* ---- problems ---- */

static oom_result problem_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  if (oom_lacks(oom_problem(context, which ? 40 : 1, &problem))) return oom_none();
  oom_result whole = {.value = asc_problem_digest(problem) ^ asc_problem_find(problem, "none")};
  asc_problem_free(problem);
  return whole;
}

/* Shapes that meet in many places, all at address 0: more pairs than are remembered at first. */
static oom_result judge_task(asc_context *context, uint32_t which) {
  enum { SHAPES = 10 };
  const asc_rect rects[] = {{0, 2, 0, 4}, {2, 4, 0, 8}};
  asc_problem *problem = NULL;
  (void)which;
  asc_status status = asc_problem_new(context, &problem);
  for (uint32_t b = 0; !status && b < SHAPES; b++) {
    asc_buffer_spec spec = test_spec(0, 4, 8);
    char id[] = {(char)('a' + b), 0};
    spec.id = id;
    spec.shape = rects;
    spec.shape_count = COUNT(rects);
    status = asc_problem_add(problem, &spec, NULL);
  }
  const int64_t offsets[SHAPES] = {0};
  size_t violations = 0;
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (!status) status = asc_validate(problem, offsets, 8, NULL, 0, &violations);
  if (!status) assert_int_equal(violations, SHAPES * (SHAPES - 1) / 2);
  asc_problem_free(problem);
  return oom_lacks(status) ? oom_none() : (oom_result){.value = violations};
}

/* After a refusal for want of memory the same call can be made again. */
static void a_problem_can_go_on_after_a_refusal(void **state) {
  (void)state;
  for (uint64_t k = 2; k < 40; k++) {
    test_memory memory = {.fail_at = k};
    asc_context *context = test_context_on(&memory);
    asc_problem *problem = NULL;
    while (asc_problem_new(context, &problem)) {
    }
    for (uint32_t b = 0; b < 40; b++) {
      char id[16];
      snprintf(id, sizeof id, "b%u", b);
      asc_buffer_spec spec = test_spec(b, b + 3, b);
      spec.id = id;
      while (asc_problem_add(problem, &spec, NULL)) {
      }
    }
    while (asc_problem_freeze(problem, NULL)) {
    }
    assert_int_equal(asc_problem_count(problem), 40);
    assert_int_equal(asc_problem_find(problem, "b39"), 39);
    assert_int_equal(asc_problem_lower_bound(problem), 39 + 38 + 37);
    asc_problem_free(problem);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
  }
}

/* ---- CSV and generators ---- */

static const char *const texts[] = {
    "id,lower,upper,size\na,0,4,2\nb,1,5,3\n",
    "note,id,start,end,size,alignment,gaps,offset,hint\n\"x, y\",a,0,9,4,2,2-3 5-6@1:2,,\nz,b,0,9,4,2,,4,8\n# "
    "c\nq,c,2,8,16,1,,,\n",
    "id,lower,upper,size,note\n\"a \"\"b\"\"\",0,4,2,\"say \"\"c\"\"\"\nb,1,5,3,\n",
    "[{\"id\":\"\\u0061\",\"lower\":0,\"upper\":4,\"size\":2,\"n\\u006fte\":\"\\t\"},\n{\"id\":\"b\",\"lower\":1,\"upper\":"
    "5,\"size\":3}]",
};

static oom_result csv_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  asc_diag diags[4];
  size_t count = 0;
  asc_offset_column column = which % 2 ? ASC_OFFSETS_SOLUTION : ASC_OFFSETS_FIXED;
  const char *text = texts[which / 2];
  if (oom_lacks(asc_csv_read(context, text, strlen(text), column, &csv, diags, 4, &count))) return oom_none();
  oom_result whole = {.value = asc_problem_digest(asc_csv_problem(csv))};
  asc_status status = asc_csv_write(asc_csv_problem(csv), csv, asc_csv_offsets(csv), oom_add_up, &whole.value);
  asc_csv_free(csv);
  return oom_lacks(status) ? oom_none() : whole;
}

/* What failed goes on to fail, and nothing is made of the rows before. */
static oom_result parts_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  asc_csv_reading *reading = NULL;
  bool more = true;
  const char *text = texts[which];
  if (oom_lacks(asc_csv_reading_new(context, text, strlen(text), ASC_OFFSETS_FIXED, NULL, 0, &reading))) return oom_none();
  asc_status step = ASC_OK;
  while (more && !step) step = asc_csv_reading_step(reading, 1, &more);
  asc_status status = asc_csv_reading_end(reading, &csv, NULL);
  asc_csv_reading_free(reading);
  assert_true(!step || status == step);
  assert_int_equal(status == ASC_OK, csv != NULL);
  oom_result whole = {.value = csv ? asc_problem_digest(asc_csv_problem(csv)) : 0};
  asc_csv_free(csv);
  return oom_lacks(status) ? oom_none() : whole;
}

static oom_result bad_csv_task(asc_context *context, uint32_t which) {
  const char *text = which ? "[{}" : "id,lower,upper,size\na,0,4,2\na,4,4,3\nb,x9,3,-1\nc,1\n";
  asc_csv *csv = NULL;
  asc_diag diags[8];
  size_t count = 0;
  asc_status status = asc_csv_read(context, text, strlen(text), ASC_OFFSETS_FIXED, &csv, diags, 8, &count);
  assert_null(csv);
  if (status == ASC_OUT_OF_MEMORY) return oom_none();
  assert_int_equal(status, ASC_BAD_INPUT);
  return (oom_result){.value = count};
}

static const char shared_graph[] =
    "# c\nop,o0,Conv,x;w;v,\"a,1\",,,64\ntensor,x,8,input\ntensor,w,9,constant\ntensor,v,5,variable\n"
    "tensor,\"a,1\",8,,4,2x4,i8\ntensor,b,8\ntensor,c,8\ntensor,y,8,output\n"
    "op,o1,Relu,\"a,1\",b,\"b=a,1\"\nop,o2,Reshape,b,c,,c=b\nop,o3,,v;w,\nop,o4,,c;w,y\n";

static oom_result graph_task(asc_context *context, uint32_t which) {
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  if (oom_lacks(asc_graph_csv_read(context, shared_graph, sizeof shared_graph - 1, &graph, NULL, 0, NULL)))
    return oom_none();
  const asc_option_value options[] = {
      {"order", "greedy"}, {"inplace", "true"}, {"constants", "streamed"}, {"prefetch", which ? "1" : "0"}};
  asc_status status = asc_lower(graph, options, COUNT(options), &lowering, NULL);
  oom_result whole = {0};
  if (!status) {
    whole.value = asc_problem_digest(asc_lowering_problem(lowering)) ^ (uint64_t)asc_lowering_budgets(lowering).peak;
    status = asc_graph_csv_write(graph, oom_add_up, &whole.value);
  }
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  return oom_lacks(status) ? oom_none() : whole;
}

/* A graph whose operators wait for each other, or one with a bad row. */
/* Of which some is an alias, and cut in each order. */
static oom_result tiles_task(asc_context *context, uint32_t which) {
  static const char text[] = "tensor,x,48,input,1,1x2x4x6,i8,NHWC\ntensor,y,48,,1,1x2x4x6,i8,NHWC\ntensor,z,48,,1,8x6,i8\n"
                             "tensor,o,24,output,1,8x3,i8\nop,c,Conv,x,y,,,,1 3/1-1 3/1-1 *\nop,r,Reshape,y,z,,z=y\n"
                             "op,f,MatMul,z,o,,,,1 *\n";
  asc_graph *graph = NULL;
  asc_tiling *tiling = NULL;
  asc_option_value order = {"order", (const char *[]){"layer", "depth", "alternating"}[which]};
  size_t count;
  oom_result whole = {.value = 0};
  asc_status status = asc_graph_csv_read(context, text, sizeof text - 1, &graph, NULL, 0, &count);
  if (!status) status = asc_graph_tile(graph, &order, 1, 60, &tiling, NULL);
  if (!status) status = asc_task_csv_write(tiling, oom_add_up, &whole.value);
  asc_tiling_free(tiling);
  asc_graph_free(graph);
  return oom_lacks(status) ? oom_none() : whole;
}

/* What a plan leaves outside: a tensor that is copied out and fetched. */
static oom_result copies_task(asc_context *context, uint32_t which) {
  static const char text[] = "tensor,x,6,input,1,2x3,i8\ntensor,y,6,output,1,2x3,i8\nop,f,F,x,y,,,,1 1\n";
  const uint32_t order = 0;
  const asc_stay stays[] = {{1, ASC_POOL_MAIN, 0, 1, 0}, {1, ASC_POOL_OUTSIDE, 1, 2, 0}, {1, ASC_POOL_MAIN, 2, 3, 0}};
  const asc_plan plan = {.order = &order, .turns = 1, .stays = stays, .stay_count = COUNT(stays)};
  asc_graph *graph = NULL;
  asc_tiling *tiling = NULL;
  oom_result whole = {.value = 0};
  size_t count;
  asc_status status = asc_graph_csv_read(context, text, sizeof text - 1, &graph, NULL, 0, &count);
  if (!status) status = asc_plan_tile(graph, &plan, NULL, 0, which ? 2 : 6, &tiling, NULL);
  if (!status) status = asc_task_csv_write(tiling, oom_add_up, &whole.value);
  asc_tiling_free(tiling);
  asc_graph_free(graph);
  return oom_lacks(status) ? oom_none() : whole;
}

static oom_result bad_graph_task(asc_context *context, uint32_t which) {
  static const char *const bad[] = {"tensor,a,1\ntensor,b,1\nop,p,,a,b\nop,q,,b,a\n", "tensor,a,1\ntensor,a,1\nop,o,,b,\n"};
  asc_graph *graph = NULL;
  asc_diag diags[8];
  size_t count = 0;
  asc_status status = asc_graph_csv_read(context, bad[which], strlen(bad[which]), &graph, diags, 8, &count);
  assert_null(graph);
  if (status == ASC_OUT_OF_MEMORY) return oom_none();
  assert_int_equal(status, ASC_BAD_INPUT);
  return (oom_result){.value = count};
}

/* A graph from arrays; the last one's operators wait for each other. */
static oom_result packed_task(asc_context *context, uint32_t which) {
  asc_context *other = test_context();
  asc_graph *read = NULL, *graph = NULL;
  oom_result whole = {0};
  assert_int_equal(asc_graph_csv_read(other, shared_graph, sizeof shared_graph - 1, &read, NULL, 0, NULL), ASC_OK);
  packed arrays = test_pack(read);
  if (which) arrays.words[arrays.from.word_count - 3] = 7; /* the last operator reads what it makes */
  asc_status status = asc_graph_unpack(context, &arrays.from, &graph, NULL);
  test_pack_end(&arrays);
  asc_graph_free(read);
  test_context_end(other);
  if (status == ASC_OUT_OF_MEMORY) return oom_none();
  assert_int_equal(status, which ? ASC_BAD_INPUT : ASC_OK);
  if (graph) status = asc_graph_csv_write(graph, oom_add_up, &whole.value);
  asc_graph_free(graph);
  return graph && oom_lacks(status) ? oom_none() : whole;
}

static oom_result generate_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  int64_t capacity = 0;
  if (oom_lacks(asc_generate(context, asc_generate_kind(which, NULL), 30, 7, &problem, &capacity))) return oom_none();
  oom_result whole = {.value = asc_problem_digest(problem) ^ (uint64_t)capacity};
  asc_problem_free(problem);
  return whole;
}

/* ---- tasks as tests ---- */

static void problems(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 2; which++) oom_fail_every_call("problem", problem_task, which);
  oom_fail_every_call("a plan of shapes", judge_task, 0);
}

static void csv_files(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 2 * COUNT(texts); which++) oom_fail_every_call("csv", csv_task, which);
  for (uint32_t which = 0; which < COUNT(texts); which++) oom_fail_every_call("csv in parts", parts_task, which);
  for (uint32_t which = 0; which < 2; which++) oom_fail_every_call("bad csv", bad_csv_task, which);
}

static void graphs(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 2; which++) {
    oom_fail_every_call("graph", graph_task, which);
    oom_fail_every_call("bad graph", bad_graph_task, which);
    oom_fail_every_call("packed graph", packed_task, which);
  }
}

static void tiles(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 3; which++) oom_fail_every_call("tiles", tiles_task, which);
  for (uint32_t which = 0; which < 2; which++) oom_fail_every_call("copies", copies_task, which);
}

static void generators(void **state) {
  (void)state;
  for (uint32_t which = 0; asc_generate_kind(which, NULL); which++) oom_fail_every_call("generate", generate_task, which);
}

int run_oom_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(problems),   cmocka_unit_test(a_problem_can_go_on_after_a_refusal),
      cmocka_unit_test(csv_files),  cmocka_unit_test(graphs),
      cmocka_unit_test(generators), cmocka_unit_test(tiles),
  };
  return cmocka_run_group_tests_name("oom", tests, NULL, NULL);
}
