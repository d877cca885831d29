/* No memory where small examples do not come to: COSMA behind a solution that finds no addresses, exact with every constraint, certificates with every
 * step, files with every column, programs, tiles that are joined. Each task is one that takes long enough that only some of its calls are refused. */
#include "asc/graph.h"
#include "asc/select.h"
#include "asc/tile.h"
#include "oom.h"
#include "saturated.h"
#include "solvers/certificates.h"
#include "solvers/cosma/cosma_scenes.h"
#include "solvers/exact/test_exact_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- COSMA ----------------------------------------------------------------------------------------------------------- */

typedef struct scene {
  uint32_t seed, most_ops;
  int64_t most_size, more; /* capacity above M_R */
  uint64_t steps;          /* the run is ended after so many; 0: it ends by itself */
  uint32_t calls;          /* that are refused, one after the other */
  asc_goal goal;
  cosma_setup setup;
} scene;

enum { BANKED = 3 }; /* a seed; its buffers lie in one bank each */
static const asc_profile banks = {.id = "banks", .alignment = 1, .bank = 8, .cores = 1};

static const scene scenes[] = {
    /* no addresses: every fallback, a repair, then all layouts, of which none is */
    {0, 0, 0, 0, 0, 60, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {0, 0, 0, 0, 90, 30, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    /* another optimum is packed; a repair is; all layouts are tried */
    {1728, COSMA_OPS, 100, 0, 0, 16, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {28380, COSMA_OPS, 100, 0, 0, 4, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {5, 8, 6, 0, 0, 60, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {6, 8, 6, 0, 0, 60, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "file"}}, 1}},
    {7, 10, 6, 2, 0, 60, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "least-peak"}}, 1}},
    {8, 10, 6, 2, 0, 60, ASC_GOAL_HEIGHT, {"cosma", {{"schedule", "joint"}}, 1}},
    {9, COSMA_OPS, 6, 0, 0, 30, ASC_GOAL_TRAFFIC, {"cosma", {{"whole", "8"}, {"cuts", "4"}, {"beam", "8"}}, 3}},
    /* all layouts, of which one is a plan; a solver of buffers finds addresses; banks, of which a sweep knows nothing */
    {42023, 8, 6, 0, 0, 600, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "file"}}, 1}},
    {51335, 10, 6, 0, 0, 30, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "file"}}, 1}},
    {50139, 10, 6, 0, 0, 30, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {BANKED, 8, 6, 6, 0, 30, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {BANKED, 8, 6, 20, 0, 30, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {BANKED, 8, 6, 0, 0, 30, ASC_GOAL_HEIGHT, {"cosma", {{"schedule", "joint"}}, 1}},
    /* ended early, with whatever plan there is by then */
    {5, 8, 6, 0, 4, 60, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {1728, COSMA_OPS, 100, 0, 12, 60, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {28380, COSMA_OPS, 100, 0, 60, 4, ASC_GOAL_TRAFFIC, {"cosma", {{"schedule", "joint"}}, 1}},
    {8, 10, 6, 2, 6, 60, ASC_GOAL_HEIGHT, {"cosma", {{"schedule", "joint"}}, 1}},
    {10, 12, 6, 1, 0, 60, ASC_GOAL_TRAFFIC, {"replacement", {{"schedule", "least-peak"}}, 1}},
    {11, 12, 6, 1, 0, 60, ASC_GOAL_TRAFFIC, {"replacement", {{"schedule", "file"}}, 1}},
};

/* The graph of the scenes that draw none. */
static const char sizes[] = "1 5 3 2 4 3 5 3", reads[] = "- 0 0,1 2 0 2,3 4 3,4";

static bool was_lost(const asc_run *run) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  return stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY;
}

/* What no run of a scene may contradict: the bounds of one that had memory. */
static struct {
  bool is;
  int64_t bound, cost; /* cost -1: it found no plan */
} known[COUNT(scenes)];

static void check_plan(const asc_lowering *lowering, const asc_run *run, const scene *s) {
  asc_plan plan;
  asc_run_stats stats;
  asc_input input = asc_input_graph(lowering);
  size_t violations = 0;
  uint32_t which = (uint32_t)(s - scenes);
  asc_run_stats_get(run, &stats);
  assert_int_not_equal(stats.outcome, ASC_OUTCOME_INFEASIBLE);
  if (known[which].is && known[which].cost >= 0)
    CHECK(stats.lower_bound <= known[which].cost, "scene %u: bound %d of %d", which, (int)stats.lower_bound,
          (int)known[which].cost);
  if (!asc_run_plan(run, &plan)) return;
  asc_status status = asc_plan_validate(&input, &plan, INT64_MAX, NULL, 0, &violations);
  assert_true(status == ASC_OUT_OF_MEMORY || (!status && !violations));
  if (known[which].is) assert_true(stats.cost >= known[which].bound);
}

/* A run, its save in another run, and a look back. */
static oom_result cosma_task(asc_context *context, uint32_t which) {
  const scene *s = &scenes[which];
  asci_rng rng = {s->seed};
  cosma_graph g = !s->most_ops ? test_cosma_graph(sizes, reads) : test_cosma_random(&rng, s->most_ops, s->most_size);
  asc_graph *graph = NULL;
  asc_context *plain = test_context();
  asc_graph *whole = test_cosma_freeze(plain, &g);
  test_output text = {.used = 0};
  assert_int_equal(asc_graph_csv_write(whole, test_append, &text), ASC_OK);
  asc_graph_free(whole);
  test_context_end(plain);
  asc_lowering *lowering = NULL;
  asc_run *run = NULL, *other = NULL;
  asc_run_config config = test_cosma_config(&s->setup, s->goal, test_cosma_required(&g) + s->more);
  if (s->seed == 1728 || s->seed == 28380) config.capacity += 8 * (int64_t)(s->seed % 4);
  if (s->steps) config.budget = s->steps;
  const uint8_t *bytes;
  size_t count;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_run_view view;
  asc_status status = asc_graph_csv_read(context, text.text, text.used, &graph, NULL, 0, &count);
  if (!status) status = asc_lower(graph, NULL, 0, &lowering, NULL);
  if (!status && s->seed == BANKED) status = asc_lowering_set_profile(lowering, &banks, NULL);
  if (!status) status = asc_run_new(asc_input_graph(lowering), &config, &run, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 1 << 20, &outcome);
  if (run) check_plan(lowering, run, s);
  if (!status) status = asc_run_save(run, &bytes, &count);
  if (!status) status = asc_run_new(asc_input_graph(lowering), &config, &other, NULL);
  if (!status) status = asc_run_load(other, bytes, count);
  /* who went on without memory is where nobody comes to who has it */
  if (status == ASC_BAD_SAVE && known[which].is && !was_lost(run)) status = ASC_OUT_OF_MEMORY;
  if (!status) status = asc_run_view_get(other, &view);
  if (!status && !known[which].is) {
    known[which].is = true;
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    known[which].bound = stats.lower_bound;
    known[which].cost = stats.cost;
  }
  asc_run_free(run);
  asc_run_free(other);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  /* it goes on without what it finds no memory for, to another end: what must hold of each was looked at */
  return (oom_result){.out_of_memory = oom_lacks(status)};
}

static void cosma(void **state) {
  (void)state;
  for (uint32_t which = 0; which < COUNT(scenes); which++)
    oom_fail_some_calls("cosma", cosma_task, which, scenes[which].calls);
}

/* ---- runs on buffers ------------------------------------------------------------------------------------------------- */

static const char every_constraint[] =
    "id,lower,upper,size,alignment,bank,gaps,offset,hint\na,0,9,12,4,,3-5@2:8,,8\nb,1,7,5,,,2-3,,\nc,2,12,7,2,16,,,\n"
    "d,0,4,3,,,,0,\ne,5,12,9,,,6-8@0:4,,2\nf,3,6,4,8,,,,\ng,8,12,0,,,,,\nh,4,11,6,3,,,,\ni,0,2,8,,,,,\nj,9,12,11,4,,,,\n";
static const char rounded[] = "id,lower,upper,size,alignment\na,0,4,60,64\nb,1,6,100,64\nc,2,7,33,64\nd,0,3,70,128\n"
                              "e,3,9,10,64\nf,5,9,190,64\ng,6,9,64,64\nh,0,2,65,64\n";
static const char pools[] = "pool,far,40,2,20\nid,lower,upper,size,pool,shape\na,0,9,12,,0-4@0:12 4-9@0:6\nb,1,7,4,far,\n"
                            "c,2,12,7,,\nd,0,4,6,far,\ne,5,12,9,,5-9@0:9 9-12@3:9\n";

static const char pooled[] = "pool,far,40,2,20\nid,lower,upper,size,pool\na,0,9,12,\nb,1,7,4,far\nc,2,12,7,\nd,0,4,6,far\n";

static const struct {
  const char *solver, *text;
  asc_goal goal;
  int64_t capacity;
  uint32_t calls;
  asc_option_value option;
} runs[] = {
    {"exact", every_constraint, ASC_GOAL_HEIGHT, 200, 60, {0}},
    {"exact", every_constraint, ASC_GOAL_FIT, 34, 60, {0}},
    {"exact", rounded, ASC_GOAL_HEIGHT, 1000, 60, {"exchange", "always"}},
    {"exact", rounded, ASC_GOAL_FIT, 400, 60, {0}},
    {"minimalloc", every_constraint, ASC_GOAL_FIT, 40, 60, {0}},
    {"telamalloc", every_constraint, ASC_GOAL_FIT, 40, 60, {0}},
    {"simple", every_constraint, ASC_GOAL_FIT, 40, 40, {0}},
    {"csp", rounded, ASC_GOAL_FIT, 400, 40, {0}},
    {"cp", rounded, ASC_GOAL_FIT, 400, 40, {0}},
    {"meta-csp", rounded, ASC_GOAL_FIT, 400, 40, {0}},
    {"exact", pooled, ASC_GOAL_HEIGHT, 100, 60, {0}},
    {"taa-exact", pools, ASC_GOAL_HEIGHT, 100, 60, {0}},
    {"taa", pools, ASC_GOAL_HEIGHT, 100, 60, {0}},
};

/* A run that found no memory is over for good: it can be shown, and its save says so to another one, which says it again. Counts those that could. */
static uint32_t lost_runs;

static void check_lost(const asc_problem *problem, const asc_run_config *config, asc_run *run) {
  const uint8_t *bytes;
  size_t count;
  asc_run *other = NULL;
  asc_outcome outcome;
  asc_run_view view;
  if (!was_lost(run)) return;
  if (!oom_lacks(asc_run_view_get(run, &view))) assert_non_null(view.offsets);
  if (oom_lacks(asc_run_save(run, &bytes, &count))) return;
  if (!asc_run_new(asc_input_buffers(problem), config, &other, NULL)) {
    asc_status status = asc_run_load(other, bytes, count);
    if (!oom_lacks(status) && !asc_run_step(other, 10, &outcome)) {
      assert_int_equal(outcome, ASC_OUTCOME_OUT_OF_MEMORY);
      lost_runs++;
    }
  }
  asc_run_free(other);
}

static oom_result run_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  asc_run *run = NULL, *other = NULL;
  const uint8_t *bytes;
  size_t count;
  oom_result whole = {0};
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  const char *text = runs[which].text;
  asc_run_config config = asc_run_config_default(runs[which].solver, runs[which].capacity);
  config.goal = runs[which].goal;
  config.options = &runs[which].option;
  config.option_count = runs[which].option.name != NULL;
  config.budget = 400;
  asc_status status = asc_csv_read(context, text, strlen(text), ASC_OFFSETS_FIXED, &csv, NULL, 0, &count);
  if (!status) status = asc_run_new(asc_input_buffers(asc_csv_problem(csv)), &config, &run, NULL);
  if (!status) status = asc_run_step(run, 30, &outcome);
  if (!status && outcome != ASC_OUTCOME_OUT_OF_MEMORY) status = asc_run_save(run, &bytes, &count);
  if (!status) status = asc_run_new(asc_input_buffers(asc_csv_problem(csv)), &config, &other, NULL);
  if (!status && outcome != ASC_OUTCOME_OUT_OF_MEMORY) status = asc_run_load(other, bytes, count);
  outcome = ASC_OUTCOME_RUNNING;
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(other, 1000, &outcome);
  if (!status) {
    asc_run_stats stats;
    asc_run_stats_get(other, &stats);
    whole.value = stats.digest ^ (uint64_t)stats.outcome ^ (uint64_t)stats.height << 8;
  }
  whole.out_of_memory = oom_lacks(status) || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  if (run) check_lost(asc_csv_problem(csv), &config, run);
  if (other) check_lost(asc_csv_problem(csv), &config, other);
  asc_run_free(run);
  asc_run_free(other);
  asc_csv_free(csv);
  return whole;
}

static void runs_with_every_constraint(void **state) {
  (void)state;
  for (uint32_t which = 0; which < COUNT(runs); which++) oom_fail_some_calls("run", run_task, which, runs[which].calls);
  assert_true(lost_runs > 0);
}

/* Exact in its first boxes, their save in another run, and the steps behind it. */
static oom_result boxes_task(asc_context *context, uint32_t which) {
  asc_context *plain = test_context();
  asc_problem *cut = exact_cut(plain, which, 0), *problem = NULL;
  uint32_t buffers = asc_problem_count(cut);
  asc_run_config config = asc_run_config_default("exact", asc_problem_lower_bound(cut));
  const asc_option_value options[] = {{"portfolio", "0ZR,10WATKRB"}, {"first_budget", "100"}, {"exchange", "never"}};
  asc_run *run = NULL, *other = NULL;
  const uint8_t *bytes;
  size_t count;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  oom_result whole = {0};
  config.options = options;
  config.option_count = COUNT(options);
  config.budget = 1200;
  asc_status status = asc_problem_new(context, &problem);
  for (uint32_t b = 0; b < buffers && !status; b++) status = asc_problem_add(problem, asc_problem_buffer(cut, b), NULL);
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (!status) status = asc_run_new(asc_input_buffers(problem), &config, &run, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 100, &outcome);
  if (!status && outcome != ASC_OUTCOME_OUT_OF_MEMORY) status = asc_run_save(run, &bytes, &count);
  if (!status) status = asc_run_new(asc_input_buffers(problem), &config, &other, NULL);
  if (!status && outcome != ASC_OUTCOME_OUT_OF_MEMORY) status = asc_run_load(other, bytes, count);
  if (!status) {
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    whole.value = stats.digest ^ (uint64_t)stats.outcome;
  }
  whole.out_of_memory = oom_lacks(status) || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  asc_run_free(run);
  asc_run_free(other);
  asc_problem_free(problem);
  asc_problem_free(cut);
  test_context_end(plain);
  return whole;
}

static void boxes(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 3; which++) oom_fail_some_calls("boxes", boxes_task, which, 60);
}

/* Why nothing fits: of one pool, and of several. */
static oom_result explain_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  asc_problem *made = NULL;
  asc_explain *explain = NULL;
  asc_explanation why = {0};
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  int64_t capacity = 0;
  size_t count;
  oom_result whole = {0};
  static const char shared[] = "pool,far,9,1,0\nid,lower,upper,size,pool\na,0,9,4,\nb,1,7,5,far\nc,2,12,5,far\nd,0,4,6,\n"
                               "e,5,12,9,\nf,5,9,1,far\n";
  asc_status status = which ? asc_csv_read(context, shared, sizeof shared - 1, ASC_OFFSETS_FIXED, &csv, NULL, 0, &count)
                            : asc_generate(context, "synthetic", 14, 5, &made, &capacity);
  const asc_problem *problem = which ? (csv ? asc_csv_problem(csv) : NULL) : made;
  if (!status)
    status =
        asc_explain_new(problem, which ? 13 : asc_problem_lower_bound(problem) - 1, 1, which > 1 ? 40 : 0, &explain, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_explain_step(explain, 20, &outcome);
  if (explain) asc_explain_get(explain, &why);
  whole.out_of_memory = oom_lacks(status) || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  whole.value = (uint64_t)outcome ^ (uint64_t)why.count << 8 ^ why.steps << 16;
  asc_explain_free(explain);
  asc_problem_free(made);
  asc_csv_free(csv);
  return whole;
}

static void explanations(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 3; which++) oom_fail_some_calls("explanation", explain_task, which, 60);
}

/* An order, then addresses: in room, in none, and looked at from behind. */
static oom_result schedule_task(asc_context *context, uint32_t which) {
  static const char *const allocators[] = {"auto", "exact", "greedy", "taa"};
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_timeline *timeline = NULL;
  asc_run *other = NULL;
  asc_run_view view;
  size_t count;
  const uint8_t *bytes;
  oom_result whole = {0};
  asc_run_stats stats = {.outcome = ASC_OUTCOME_RUNNING};
  const asc_option_value option = {"allocator", allocators[which / 2]};
  asc_run_config config = asc_run_config_default("list-schedule", which % 2 ? 3 : 64);
  config.options = &option;
  config.option_count = 1;
  asc_status status = asc_graph_csv_read(context, test_two_branches, strlen(test_two_branches), &graph, NULL, 0, &count);
  if (!status) status = asc_lower(graph, NULL, 0, &lowering, NULL);
  if (!status) status = asc_timeline_new(asc_input_graph(lowering), &config, 4096, &timeline, NULL);
  if (!status) status = asc_timeline_step(timeline, 1000, NULL);
  if (timeline) asc_run_stats_get(asc_timeline_run(timeline), &stats);
  static const uint64_t places[] = {0, 3, 1, 5, 6, 2};
  for (uint32_t k = 0; !status && k < COUNT(places); k++) status = asc_timeline_seek(timeline, places[k], 2, 2, &view);
  if (!status) status = asc_run_save(asc_timeline_run(timeline), &bytes, &count);
  if (!status) status = asc_run_new(asc_input_graph(lowering), &config, &other, NULL);
  if (!status) status = asc_run_load(other, bytes, count);
  whole.out_of_memory = oom_lacks(status) || stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  whole.value = stats.digest ^ (uint64_t)stats.outcome ^ (uint64_t)stats.height << 8;
  asc_run_free(other);
  asc_timeline_free(timeline);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  return whole;
}

static void schedules(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 8; which++) oom_fail_some_calls("schedule", schedule_task, which, 40);
}

/* ---- certificates ---------------------------------------------------------------------------------------------------- */

static const char *certified; /* a problem, then a certificate of it */

static oom_result check_task(asc_context *context, uint32_t which) {
  (void)which;
  asc_csv *csv = NULL;
  size_t count;
  int64_t proven = -1;
  const char *begin = strstr(certified, "arenascope-proof");
  asc_status status =
      asc_csv_read(context, certified, (size_t)(begin - certified), ASC_OFFSETS_FIXED, &csv, NULL, 0, &count);
  if (!status) status = asc_proof_check(context, asc_csv_problem(csv), begin, strlen(begin), &proven, NULL);
  asc_csv_free(csv);
  return (oom_result){.out_of_memory = oom_lacks(status), .value = (uint64_t)proven};
}

static void certificates(void **state) {
  (void)state;
  for (uint32_t k = 1; k <= 36; k++) {
    char path[200];
    size_t bytes;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/fuzz_proof/lemmas_%u", ASC_SOURCE_DIR, k);
    char *text = test_read_file(path, &bytes);
    certified = text;
    oom_fail_some_calls("certificate", check_task, k, 16);
    free(text);
  }
}

/* What can be written is a certificate that holds; the run goes on to the same end without one. */
static oom_result prove_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  asc_run *run = NULL;
  size_t count;
  certificate all = {0};
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  oom_result whole = {0};
  asc_run_config config = asc_run_config_default("exact", 1000);
  config.goal = ASC_GOAL_HEIGHT;
  config.options = &(asc_option_value){"exchange", which ? "always" : "never"};
  config.option_count = 1;
  config.budget = 2000;
  asc_status status = asc_csv_read(context, rounded, sizeof rounded - 1, ASC_OFFSETS_FIXED, &csv, NULL, 0, &count);
  if (!status) status = asc_run_new(asc_input_buffers(asc_csv_problem(csv)), &config, &run, NULL);
  if (!status) status = asc_run_prove(run, certificate_gather, &all, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 1000, &outcome);
  whole.out_of_memory = oom_lacks(status) || outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  int64_t proven = run && !whole.out_of_memory ? asc_run_proven(run) : -1, held = -1;
  if (proven >= 0) {
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    whole.value = (uint64_t)stats.outcome ^ (uint64_t)stats.height << 8;
    status = asc_proof_check(context, asc_csv_problem(csv), all.text, all.used, &held, NULL);
    assert_true(status == ASC_OUT_OF_MEMORY || (!status && held >= proven));
  } else {
    whole.out_of_memory = true;
  }
  free(all.text);
  asc_run_free(run);
  asc_csv_free(csv);
  return whole;
}

/* A certificate with a sweep of exchanges, of a problem without a byte idle. */
static uint64_t saturated;

static oom_result sweep_task(asc_context *context, uint32_t which) {
  (void)which;
  asc_problem *problem = NULL;
  asc_run *run = NULL;
  certificate all = {0};
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  int64_t held = -1;
  uint64_t value = 0;
  asc_status status = saturated_problem(context, 6 + (uint32_t)(saturated % 60), saturated, &problem);
  asc_run_config config = asc_run_config_default("exact", problem ? asc_problem_lower_bound(problem) : 0);
  config.budget = 5000;
  if (!status) status = asc_run_new(asc_input_buffers(problem), &config, &run, NULL);
  if (!status) status = asc_run_prove(run, certificate_gather, &all, NULL);
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 1000, &outcome);
  bool lacked = oom_lacks(status) || outcome != ASC_OUTCOME_INFEASIBLE || asc_run_proven(run) < 0;
  if (!lacked) {
    value = strstr(all.text, " x") != NULL;
    status = asc_proof_check(context, problem, all.text, all.used, &held, NULL);
    lacked = oom_lacks(status);
    assert_true(lacked || held == asc_run_proven(run));
  }
  free(all.text);
  asc_run_free(run);
  asc_problem_free(problem);
  return (oom_result){.out_of_memory = lacked, .value = value};
}

static void sweeps(void **state) {
  (void)state;
  oom_result found = {.out_of_memory = true};
  for (saturated = 0; saturated < 600 && (found.out_of_memory || !found.value); saturated++) {
    asc_context *context = test_context();
    found = sweep_task(context, 0);
    test_context_end(context);
  }
  assert_true(found.value && !found.out_of_memory);
  saturated--;
  oom_fail_some_calls("sweep", sweep_task, 0, 80);
}

static void proofs(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 2; which++) oom_fail_some_calls("proof", prove_task, which, 80);
}

/* ---- files and programs ---------------------------------------------------------------------------------------------- */

static const char *const files[] = {
    every_constraint,
    pools,
    "# arenascope: end=inclusive columns=id,lower,upper,size\nq,0,3,64\nr,2,2,7\n",
    "q,0,3,64\nr,2,5,0\n",
    "[{\"id\":\"a\\u0041\",\"lower\":0,\"upper\":3,\"size\":64,\"note\":\"x\"},{\"id\":\"b\",\"lower\":1,\"upper\":2,"
    "\"size\":7,\"y\":[1]}]",
    "name,first use,last use,bytes\nq,0,3,1 KiB\nr,2,2,7\n",
};

static oom_result file_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  size_t count;
  oom_result whole = {0};
  asc_status status = asc_csv_read(context, files[which], strlen(files[which]), ASC_OFFSETS_FIXED, &csv, NULL, 0, &count);
  const asc_problem *problem = csv ? asc_csv_problem(csv) : NULL;
  if (!status) status = asc_csv_write_for_sheets(problem, csv, asc_csv_offsets(csv), oom_add_up, &whole.value);
  for (unsigned kind = 0; !status && which > 2 && kind < 4; kind++)
    status = asc_problem_lp(problem, 500, (asc_packing_lp){kind & 1, kind & 2}, oom_add_up, &whole.value, NULL);
  asc_csv_free(csv);
  return (oom_result){.out_of_memory = oom_lacks(status), .value = whole.value};
}

static oom_result tiles_task(asc_context *context, uint32_t which) {
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_tiling *tiling = NULL, *again = NULL;
  asc_budgets budgets;
  bool proven;
  size_t count;
  oom_result whole = {0};
  const asc_option_value options[] = {{"concat", which ? "copy" : "place"}, {"order", which ? "depth" : "layer"}};
  test_output text = {.used = 0};
  asc_status status = asc_graph_csv_read(context, test_four_axes, strlen(test_four_axes), &graph, NULL, 0, &count);
  if (!status) status = asc_lower(graph, NULL, 0, &lowering, NULL);
  if (!status) status = asc_lowering_least_peak(lowering, 1000, &budgets, &proven);
  for (unsigned kind = 0; !status && kind < 3; kind++)
    status = asc_lowering_lp(lowering, 120, (asc_lp_model)kind, oom_add_up, &whole.value, NULL);
  if (!status) status = asc_graph_tile(graph, options, COUNT(options), 100, &tiling, NULL);
  if (!status) status = asc_task_csv_write(tiling, test_append, &text);
  if (!status) status = asc_task_csv_read(context, text.text, text.used, &again, NULL, 0, &count);
  if (!status) status = asc_task_csv_write(again, oom_add_up, &whole.value);
  asc_tiling_free(again);
  asc_tiling_free(tiling);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  return (oom_result){.out_of_memory = oom_lacks(status), .value = whole.value};
}

static oom_result select_task(asc_context *context, uint32_t which) {
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_selection *selection = NULL;
  asc_problem *split = NULL;
  size_t count;
  bool over = false;
  int64_t offsets[16];
  oom_result whole = {0};
  asc_select_config config = asc_select_config_default(100);
  config.repacker.solver = which ? "exact" : NULL;
  asc_status status = asc_graph_csv_read(context, test_four_axes, strlen(test_four_axes), &graph, NULL, 0, &count);
  if (!status) status = asc_lower(graph, NULL, 0, &lowering, NULL);
  if (!status) status = asc_select_new(lowering, &config, &selection, NULL);
  while (!status && !over) status = asc_select_step(selection, 100, &over);
  if (!status) status = asc_select_problem(selection, &split, offsets);
  if (!status) whole.value = asc_problem_digest(split) ^ (uint64_t)asc_select_stats_get(selection).fast_bytes;
  asc_problem_free(split);
  asc_select_free(selection);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  return (oom_result){.out_of_memory = oom_lacks(status), .value = whole.value};
}

static void files_and_programs(void **state) {
  (void)state;
  for (uint32_t which = 0; which < COUNT(files); which++) oom_fail_some_calls("file", file_task, which, 80);
  for (uint32_t which = 0; which < 2; which++) {
    oom_fail_some_calls("tiles", tiles_task, which, 120);
    oom_fail_some_calls("selection", select_task, which, 80);
  }
}

int run_oom_deep_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cosma),
      cmocka_unit_test(runs_with_every_constraint),
      cmocka_unit_test(boxes),
      cmocka_unit_test(certificates),
      cmocka_unit_test(sweeps),
      cmocka_unit_test(explanations),
      cmocka_unit_test(schedules),
      cmocka_unit_test(proofs),
      cmocka_unit_test(files_and_programs),
  };
  return cmocka_run_group_tests_name("oom_deep", tests, NULL, NULL);
}
