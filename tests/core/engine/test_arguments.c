/* Each public function that says how it went, called without one of the things that it needs: BAD_ARGUMENT, and nothing is made. Names of what there is no
 * such thing of are words as well. */
#include "support.h"

#include "asc/select.h"
#include "asc/tile.h"

#include <string.h>

#define BAD(call) assert_int_equal((call), ASC_BAD_ARGUMENT)

static void *no_resize(void *user, void *block, size_t bytes) {
  (void)user, (void)block, (void)bytes;
  return NULL;
}

static void no_release(void *user, void *block) {
  (void)user, (void)block;
}

static void contexts_and_problems(void **state) {
  (void)state;
  asc_context *context = NULL, *made = test_context();
  asc_problem *problem = NULL;
  asc_allocator half = {.resize = no_resize}, other = {.release = no_release};
  asc_pool pool = {.id = "p"};
  uint32_t index;
  BAD(asc_context_new(NULL, NULL));
  BAD(asc_context_new(&half, &context));
  BAD(asc_context_new(&other, &context));
  assert_null(context);
  asc_context_free(NULL);
  BAD(asc_problem_new(NULL, &problem));
  BAD(asc_problem_new(made, NULL));
  assert_int_equal(asc_problem_new(made, &problem), ASC_OK);
  asc_buffer_spec spec = test_spec(0, 4, 8), gapped = spec, shaped = spec;
  gapped.gap_count = shaped.shape_count = 1;
  BAD(asc_problem_add(NULL, &spec, NULL));
  BAD(asc_problem_add(problem, NULL, NULL));
  BAD(asc_problem_add(problem, &gapped, NULL));
  BAD(asc_problem_add(problem, &shaped, NULL));
  BAD(asc_problem_add_pool(NULL, &pool, &index, NULL));
  BAD(asc_problem_add_pool(problem, NULL, &index, NULL));
  BAD(asc_problem_freeze(NULL, NULL));
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  BAD(asc_problem_freeze(problem, NULL));
  BAD(asc_problem_add(problem, &spec, NULL));
  BAD(asc_problem_add_pool(problem, &pool, &index, NULL));
  assert_string_equal(asc_problem_id(problem, 0), "");
  assert_null(asc_problem_buffer(problem, 0));
  assert_null(asc_problem_pool(problem, 7));
  assert_null(asc_problem_part_buffers(problem, 7));
  asc_problem_free(NULL);
  asc_problem_free(problem);
  test_context_end(made);
}

static void texts(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_csv_reading *reading = NULL;
  asc_csv *csv = NULL;
  asc_graph *graph = NULL;
  asc_tiling *tiling = NULL;
  asc_diag diag;
  size_t count = 7;
  bool more;
  BAD(asc_csv_reading_new(NULL, "", 0, ASC_OFFSETS_FIXED, NULL, 0, &reading));
  BAD(asc_csv_reading_new(context, NULL, 1, ASC_OFFSETS_FIXED, NULL, 0, &reading));
  BAD(asc_csv_reading_new(context, "", 0, ASC_OFFSETS_FIXED, NULL, 1, &reading));
  BAD(asc_csv_reading_new(context, "", 0, ASC_OFFSETS_FIXED, NULL, 0, NULL));
  BAD(asc_csv_read(context, "", 0, ASC_OFFSETS_FIXED, NULL, NULL, 0, &count));
  BAD(asc_csv_reading_step(NULL, 1, &more));
  BAD(asc_csv_reading_end(NULL, &csv, &count));
  BAD(asc_csv_reading_assume(NULL, ASC_END_BY_NAME, NULL));
  const char *text = "id,lower,upper,size\na,0,1,2\n";
  assert_int_equal(asc_csv_reading_new(context, text, strlen(text), ASC_OFFSETS_FIXED, &diag, 1, &reading), ASC_OK);
  BAD(asc_csv_reading_assume(reading, (asc_csv_end)(ASC_END_EXCLUSIVE + 1), NULL));
  BAD(asc_csv_reading_assume(reading, ASC_END_BY_NAME, ""));
  BAD(asc_csv_reading_step(reading, 1, NULL));
  BAD(asc_csv_reading_end(reading, NULL, &count));
  assert_int_equal(asc_csv_reading_end(reading, &csv, &count), ASC_OK);
  asc_csv_reading_free(reading);
  BAD(asc_csv_write(NULL, NULL, NULL, test_swallow, NULL));
  BAD(asc_csv_write(asc_csv_problem(csv), NULL, NULL, NULL, NULL));
  asc_csv_free(csv);
  asc_csv_free(NULL);
  BAD(asc_graph_csv_read(NULL, "", 0, &graph, NULL, 0, &count));
  BAD(asc_graph_csv_read(context, "", 0, NULL, NULL, 0, &count));
  BAD(asc_graph_csv_read(context, NULL, 1, &graph, NULL, 0, &count));
  BAD(asc_graph_csv_read(context, "", 0, &graph, NULL, 1, &count));
  BAD(asc_graph_csv_write(NULL, test_swallow, NULL));
  BAD(asc_task_csv_read(NULL, "", 0, &tiling, NULL, 0, &count));
  BAD(asc_task_csv_read(context, "", 0, NULL, NULL, 0, &count));
  BAD(asc_task_csv_read(context, NULL, 1, &tiling, NULL, 0, &count));
  BAD(asc_task_csv_read(context, "", 0, &tiling, NULL, 1, &count));
  BAD(asc_task_csv_write(NULL, test_swallow, NULL));
  test_context_end(context);
}

static void graphs(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_tiling *tiling = NULL;
  asc_selection *selection = NULL;
  asc_tensor_spec tensor = {.id = "t", .bytes = 4, .alignment = 1};
  asc_op_spec op = {.id = "o"};
  BAD(asc_graph_new(NULL, &graph));
  BAD(asc_graph_new(context, NULL));
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  BAD(asc_graph_add_tensor(NULL, &tensor, NULL));
  BAD(asc_graph_add_tensor(graph, NULL, NULL));
  BAD(asc_graph_add_op(NULL, &op, NULL));
  BAD(asc_graph_add_op(graph, NULL, NULL));
  for (uint32_t k = 0; k < 4; k++) {
    asc_op_spec lacks = op;
    *(k == 0 ? &lacks.input_count : k == 1 ? &lacks.output_count : k == 2 ? &lacks.inplace_count : &lacks.alias_count) = 1;
    BAD(asc_graph_add_op(graph, &lacks, NULL));
  }
  BAD(asc_lower(graph, NULL, 0, &lowering, NULL)); /* not frozen */
  BAD(asc_graph_tile(graph, NULL, 0, 1, &tiling, NULL));
  BAD(asc_graph_freeze(NULL, NULL));
  assert_int_equal(asc_graph_add_op(graph, &op, NULL), ASC_OK);
  assert_int_equal(asc_graph_freeze(graph, NULL), ASC_OK);
  BAD(asc_graph_freeze(graph, NULL));
  BAD(asc_graph_add_tensor(graph, &tensor, NULL));
  BAD(asc_graph_add_op(graph, &op, NULL));
  BAD(asc_graph_csv_write(graph, NULL, NULL));
  BAD(asc_lower(NULL, NULL, 0, &lowering, NULL));
  BAD(asc_lower(graph, NULL, 0, NULL, NULL));
  BAD(asc_lower(graph, NULL, 1, &lowering, NULL));
  BAD(asc_graph_tile(NULL, NULL, 0, 1, &tiling, NULL));
  BAD(asc_graph_tile(graph, NULL, 0, 1, NULL, NULL));
  BAD(asc_graph_tile(graph, NULL, 0, -1, &tiling, NULL));
  BAD(asc_graph_tile(graph, NULL, 1, 1, &tiling, NULL));
  BAD(asc_select_new(NULL, &(asc_select_config){0}, &selection, NULL));
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  BAD(asc_select_new(lowering, NULL, &selection, NULL));
  BAD(asc_select_new(lowering, &(asc_select_config){0}, NULL, NULL));
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  BAD(asc_graph_unpack(NULL, &(asc_packed_graph){0}, &graph, NULL));
  BAD(asc_graph_unpack(context, NULL, &graph, NULL));
  BAD(asc_graph_unpack(context, &(asc_packed_graph){0}, NULL, NULL));
  BAD(asc_graph_unpack(context, &(asc_packed_graph){.number_count = 1}, &graph, NULL));
  BAD(asc_graph_unpack(context, &(asc_packed_graph){.word_count = 1}, &graph, NULL));
  BAD(asc_graph_unpack(context, &(asc_packed_graph){.text_bytes = 1}, &graph, NULL));
  test_context_end(context);
}

static void tilings(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_tiling *tiling = NULL;
  asc_problem *problem = NULL;
  asc_tiled_spec tensor = {.id = "t"};
  asc_task_spec task = {.id = "k"}, reads = {.id = "r", .read_count = 1}, writes = {.id = "w", .write_count = 1};
  size_t count;
  uint32_t rects;
  BAD(asc_tiling_new(NULL, &tiling));
  BAD(asc_tiling_new(context, NULL));
  assert_int_equal(asc_tiling_new(context, &tiling), ASC_OK);
  BAD(asc_tiling_add_tensor(NULL, &tensor, NULL));
  BAD(asc_tiling_add_tensor(tiling, NULL, NULL));
  BAD(asc_tiling_add_task(NULL, &task, NULL));
  BAD(asc_tiling_add_task(tiling, NULL, NULL));
  BAD(asc_tiling_add_task(tiling, &reads, NULL));
  BAD(asc_tiling_add_task(tiling, &writes, NULL));
  BAD(asc_tiling_problem(tiling, 0, &problem, NULL)); /* not frozen */
  BAD(asc_tiling_clashes(tiling, &(int64_t){0}, NULL, &count));
  BAD(asc_tiling_replay(tiling, &(int64_t){0}, NULL, &count));
  assert_null(asc_tiling_rects(tiling, 0, &rects));
  assert_int_equal(rects, 0);
  assert_null(asc_tiling_tensor(tiling, 0));
  assert_null(asc_tiling_task(tiling, 0));
  BAD(asc_tiling_freeze(NULL, NULL));
  assert_int_equal(asc_tiling_freeze(tiling, NULL), ASC_OK);
  assert_null(asc_tiling_rects(tiling, 0, &rects));
  BAD(asc_tiling_problem(NULL, 0, &problem, NULL));
  BAD(asc_tiling_problem(tiling, 0, NULL, NULL));
  BAD(asc_tiling_clashes(NULL, &(int64_t){0}, NULL, &count));
  BAD(asc_tiling_clashes(tiling, NULL, NULL, &count));
  BAD(asc_tiling_clashes(tiling, &(int64_t){0}, NULL, NULL));
  BAD(asc_tiling_replay(NULL, &(int64_t){0}, NULL, &count));
  BAD(asc_tiling_replay(tiling, NULL, NULL, &count));
  BAD(asc_tiling_replay(tiling, &(int64_t){0}, NULL, NULL));
  BAD(asc_task_csv_write(tiling, NULL, NULL));
  asc_tiling_free(tiling);
  asc_tiling_free(NULL);
  test_context_end(context);
}

static void runs(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec spec = test_spec(0, 4, 8);
  asc_problem *problem = test_problem(context, &spec, 1), *generated = NULL;
  asc_run_config config = asc_run_config_default("minimalloc", 8), odd = config;
  asc_input input = asc_input_buffers(problem), nothing = input;
  asc_run *run = NULL;
  asc_explain *explain = NULL;
  asc_log *log = NULL;
  asc_run_view view;
  const uint8_t *bytes;
  size_t count;
  int64_t capacity;
  odd.goal = ASC_GOAL_COUNT;
  nothing.domain = ASC_DOMAIN_COUNT;
  assert_int_not_equal(asc_run_new(input, &odd, &run, NULL), ASC_OK);
  BAD(asc_run_new(nothing, &config, &run, NULL));
  assert_null(run);
  assert_int_equal(asc_run_new(input, &config, &run, NULL), ASC_OK);
  BAD(asc_run_step(NULL, 1, NULL));
  BAD(asc_run_view_get(NULL, &view));
  BAD(asc_run_view_get(run, NULL));
  BAD(asc_run_save(NULL, &bytes, &count));
  BAD(asc_run_save(run, NULL, &count));
  BAD(asc_run_save(run, &bytes, NULL));
  BAD(asc_run_load(NULL, (const uint8_t *)"", 0));
  BAD(asc_run_load(run, NULL, 1));
  BAD(asc_run_prove(NULL, test_swallow, NULL, NULL));
  BAD(asc_run_prove(run, NULL, NULL, NULL));
  asc_run_free(run);
  BAD(asc_log_new(NULL, 8, &log));
  BAD(asc_log_new(context, 8, NULL));
  BAD(asc_generate(NULL, "random", 4, 1, &generated, &capacity));
  BAD(asc_generate(context, NULL, 4, 1, &generated, &capacity));
  BAD(asc_generate(context, "random", 4, 1, NULL, &capacity));
  BAD(asc_generate(context, "random", 0, 1, &generated, &capacity));
  BAD(asc_generate(context, "random", ASC_MAX_BUFFERS + 1u, 1, &generated, &capacity));
  BAD(asc_explain_new(NULL, 8, 1, 0, &explain, NULL));
  BAD(asc_explain_new(problem, 8, 1, 0, NULL, NULL));
  BAD(asc_explain_step(NULL, 1, NULL));
  assert_string_equal(asc_domain_id(ASC_DOMAIN_COUNT), "unknown");
  assert_string_equal(asc_goal_id(ASC_GOAL_COUNT), "unknown");
  assert_string_equal(asc_outcome_id(ASC_OUTCOME_COUNT), "unknown");
  assert_string_equal(asc_outcome_text(ASC_OUTCOME_COUNT), "unknown outcome");
  asc_problem_free(problem);
  test_context_end(context);
}

static void judging_and_timelines(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec spec = test_spec(0, 4, 8);
  asc_problem *problem = test_problem(context, &spec, 1), *applied = NULL;
  asc_run_config config = asc_run_config_default("minimalloc", 8);
  asc_input input = asc_input_buffers(problem), nothing = input;
  asc_timeline *timeline = NULL;
  asc_violation violation;
  asc_run_view view;
  asc_plan plan = {0};
  int64_t offset = 0, proven;
  uint64_t step;
  size_t count;
  nothing.domain = ASC_DOMAIN_COUNT;
  BAD(asc_validate(NULL, &offset, 8, &violation, 1, &count));
  BAD(asc_validate(problem, NULL, 8, &violation, 1, &count));
  BAD(asc_validate(problem, &offset, 8, NULL, 1, &count));
  BAD(asc_validate(problem, &offset, 8, &violation, 1, NULL));
  BAD(asc_plan_validate(NULL, &plan, 8, &violation, 1, &count));
  BAD(asc_plan_validate(&nothing, &plan, 8, &violation, 1, &count));
  BAD(asc_plan_validate(&input, NULL, 8, &violation, 1, &count));
  BAD(asc_plan_validate(&input, &plan, 8, NULL, 1, &count));
  BAD(asc_plan_validate(&input, &plan, 8, &violation, 1, NULL));
  BAD(asc_plan_validate(&input, &plan, 8, &violation, 1, &count)); /* no offsets */
  BAD(asc_profile_apply(NULL, asc_profile_at(0), &applied, NULL));
  BAD(asc_profile_apply(problem, NULL, &applied, NULL));
  BAD(asc_profile_apply(problem, asc_profile_at(0), NULL, NULL));
  BAD(asc_proof_check(NULL, problem, "", 0, &proven, NULL));
  BAD(asc_proof_check(context, NULL, "", 0, &proven, NULL));
  BAD(asc_proof_check(context, problem, NULL, 1, &proven, NULL));
  BAD(asc_proof_check(context, problem, "", 0, NULL, NULL));
  BAD(asc_timeline_new(nothing, &config, 1 << 20, &timeline, NULL));
  BAD(asc_timeline_new(input, NULL, 1 << 20, &timeline, NULL));
  BAD(asc_timeline_new(input, &config, 1 << 20, NULL, NULL));
  assert_null(timeline);
  assert_int_equal(asc_timeline_new(input, &config, 1 << 20, &timeline, NULL), ASC_OK);
  BAD(asc_timeline_step(NULL, 1, NULL));
  BAD(asc_timeline_seek(NULL, 0, 0, 0, &view));
  BAD(asc_timeline_seek(timeline, 0, 0, 0, NULL));
  BAD(asc_timeline_find(NULL, 0, true, NULL, 0, 1, &step, NULL));
  BAD(asc_timeline_find(timeline, 0, true, NULL, 0, 1, NULL, NULL));
  BAD(asc_timeline_find(timeline, 0, true, NULL, 1, 1, &step, NULL));
  BAD(asc_timeline_path(NULL, 0, 1, 1, 1, &(asc_path){0}));
  BAD(asc_timeline_path(timeline, 0, 1, 1, 1, NULL));
  /* what may be left out, and more steps than there are numbers */
  asc_outcome outcome;
  do assert_int_equal(asc_timeline_step(timeline, 2, &outcome), ASC_OK);
  while (outcome == ASC_OUTCOME_RUNNING);
  assert_int_equal(asc_timeline_step(timeline, UINT64_MAX, &outcome), ASC_OK);
  assert_true(asc_timeline_spacing(timeline, NULL) > 0);
  plan.offsets = (const int64_t[64]){0};
  assert_int_equal(asc_plan_cost(&input, &plan, ASC_GOAL_TRAFFIC), 0); /* of buffers, which stay where they are */
  BAD(asc_run_new(input, &config, NULL, NULL));
  assert_string_equal(asc_rule_id((asc_rule)99), "unknown");
  assert_string_equal(asc_violation_name((asc_violation_kind)99), "unknown");
  asc_timeline_free(timeline);
  asc_timeline_free(NULL);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_arguments_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contexts_and_problems),
      cmocka_unit_test(texts),
      cmocka_unit_test(graphs),
      cmocka_unit_test(tilings),
      cmocka_unit_test(runs),
      cmocka_unit_test(judging_and_timelines),
  };
  return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
