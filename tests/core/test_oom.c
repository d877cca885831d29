/* No memory: each task is done with an allocator that fails the k-th call, for every k until the task needs no more calls; once
 * with that call alone failing, once with all that follow. Whatever happens must be said by a status, and nothing may leak. */
#include "packed.h"
#include "support.h"

#include "model/fit_tree.h"

#include <stdio.h>
#include <string.h>

/* What a task found out: OUT_OF_MEMORY somewhere, or the number that tells two results apart. */
typedef struct result {
  bool out_of_memory;
  uint64_t value;
} result;

typedef result (*task)(asc_context *context, uint32_t which);

static result none(void) {
  return (result){.out_of_memory = true};
}

static char doing[80]; /* for messages */

/* A status that is neither fine nor want of memory is a failure of the test. */
static bool lacks(asc_status status) {
  CHECK(status == ASC_OK || status == ASC_OUT_OF_MEMORY, "%s: %s", doing, asc_status_text(status));
  return status != ASC_OK;
}

/* Runs the task with every call failing in turn. A result that claims to be whole must be the right one. */
static void fail_every_call(const char *name, task body, uint32_t which) {
  test_memory plain = {0};
  asc_context *context = test_context_on(&plain);
  assert_non_null(context);
  snprintf(doing, sizeof doing, "%s %u", name, which);
  result expected = body(context, which);
  assert_false(expected.out_of_memory);
  assert_int_equal(asc_context_bytes(context), 0);
  asc_context_free(context);
  assert_int_equal(plain.live, 0);
  uint64_t last = plain.calls, stride = test_is_sanitized() && last > 420 ? last / 80 : 1;
  for (int lasting = 0; lasting < 2; lasting++)
    for (uint64_t k = 1; k <= last; k += k < 100 ? 1 : stride) {
      test_memory memory = {.fail_at = k, .lasting = lasting};
      snprintf(doing, sizeof doing, "%s %u, call %d failed", name, which, (int)k);
      context = test_context_on(&memory);
      if (context) {
        result got = body(context, which);
        CHECK(got.out_of_memory || got.value == expected.value, "%s: a wrong result", doing);
        CHECK(asc_context_bytes(context) == 0, "%s: %zu bytes left", doing, asc_context_bytes(context));
        asc_context_free(context);
      }
      CHECK(memory.live == 0, "%s: %d blocks leaked", doing, (int)memory.live);
    }
}

/* ---- problems ---- */

static asc_status make_problem(asc_context *context, uint32_t count, asc_problem **made) {
  asc_problem *problem = NULL;
  asc_status status = asc_problem_new(context, &problem);
  for (uint32_t b = 0; !status && b < count; b++) {
    asc_buffer_spec spec = test_spec(b % 5, b % 5 + 1 + b % 4, 1 + (b * 7) % 6);
    char id[300];
    snprintf(id, sizeof id, "buffer with a name as long as this one is, number %0*u", (int)(b % 3) * 60 + 3, b);
    spec.id = id;
    asc_diag diag;
    status = asc_problem_add(problem, &spec, &diag);
    if (status) assert_int_equal(diag.status, status);
  }
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (status)
    asc_problem_free(problem);
  else
    *made = problem;
  return status;
}

static result problem_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  if (lacks(make_problem(context, which ? 40 : 1, &problem))) return none();
  result whole = {.value = asc_problem_digest(problem) ^ asc_problem_find(problem, "none")};
  asc_problem_free(problem);
  return whole;
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
};

static bool add_up(void *user, const char *text, size_t bytes) {
  uint64_t *sum = user;
  for (size_t k = 0; k < bytes; k++) *sum = *sum * 31 + (unsigned char)text[k];
  return true;
}

static result csv_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  asc_diag diags[4];
  size_t count = 0;
  asc_offset_column column = which % 2 ? ASC_OFFSETS_SOLUTION : ASC_OFFSETS_FIXED;
  const char *text = texts[which / 2];
  if (lacks(asc_csv_read(context, text, strlen(text), column, &csv, diags, 4, &count))) return none();
  result whole = {.value = asc_problem_digest(asc_csv_problem(csv))};
  asc_status status = asc_csv_write(asc_csv_problem(csv), csv, asc_csv_offsets(csv), add_up, &whole.value);
  asc_csv_free(csv);
  return lacks(status) ? none() : whole;
}

/* What failed goes on to fail, and nothing is made of the rows before. */
static result parts_task(asc_context *context, uint32_t which) {
  asc_csv *csv = NULL;
  asc_csv_reading *reading = NULL;
  bool more = true;
  const char *text = texts[which];
  if (lacks(asc_csv_reading_new(context, text, strlen(text), ASC_OFFSETS_FIXED, NULL, 0, &reading))) return none();
  asc_status step = ASC_OK;
  while (more && !step) step = asc_csv_reading_step(reading, 1, &more);
  asc_status status = asc_csv_reading_end(reading, &csv, NULL);
  asc_csv_reading_free(reading);
  assert_true(!step || status == step);
  assert_int_equal(status == ASC_OK, csv != NULL);
  result whole = {.value = csv ? asc_problem_digest(asc_csv_problem(csv)) : 0};
  asc_csv_free(csv);
  return lacks(status) ? none() : whole;
}

static result bad_csv_task(asc_context *context, uint32_t which) {
  static const char text[] = "id,lower,upper,size\na,0,4,2\na,4,4,3\nb,x9,3,-1\nc,1\n";
  (void)which;
  asc_csv *csv = NULL;
  asc_diag diags[8];
  size_t count = 0;
  asc_status status = asc_csv_read(context, text, sizeof text - 1, ASC_OFFSETS_FIXED, &csv, diags, 8, &count);
  assert_null(csv);
  if (status == ASC_OUT_OF_MEMORY) return none();
  assert_int_equal(status, ASC_BAD_INPUT);
  return (result){.value = count};
}

static const char graph_text[] =
    "# c\nop,o0,Conv,x;w;v,\"a,1\",,,64\ntensor,x,8,input\ntensor,w,9,constant\ntensor,v,5,variable\n"
    "tensor,\"a,1\",8,,4,2x4,i8\ntensor,b,8\ntensor,c,8\ntensor,y,8,output\n"
    "op,o1,Relu,\"a,1\",b,\"b=a,1\"\nop,o2,Reshape,b,c,,c=b\nop,o3,,v;w,\nop,o4,,c;w,y\n";

static result graph_task(asc_context *context, uint32_t which) {
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  if (lacks(asc_graph_csv_read(context, graph_text, sizeof graph_text - 1, &graph, NULL, 0, NULL))) return none();
  const asc_option_value options[] = {
      {"order", "greedy"}, {"inplace", "true"}, {"constants", "streamed"}, {"prefetch", which ? "1" : "0"}};
  asc_status status = asc_lower(graph, options, COUNT(options), &lowering, NULL);
  result whole = {0};
  if (!status) {
    whole.value = asc_problem_digest(asc_lowering_problem(lowering)) ^ (uint64_t)asc_lowering_budgets(lowering).peak;
    status = asc_graph_csv_write(graph, add_up, &whole.value);
  }
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  return lacks(status) ? none() : whole;
}

/* A graph whose operators wait for each other, or one with a bad row. */
static result bad_graph_task(asc_context *context, uint32_t which) {
  static const char *const bad[] = {"tensor,a,1\ntensor,b,1\nop,p,,a,b\nop,q,,b,a\n", "tensor,a,1\ntensor,a,1\nop,o,,b,\n"};
  asc_graph *graph = NULL;
  asc_diag diags[8];
  size_t count = 0;
  asc_status status = asc_graph_csv_read(context, bad[which], strlen(bad[which]), &graph, diags, 8, &count);
  assert_null(graph);
  if (status == ASC_OUT_OF_MEMORY) return none();
  assert_int_equal(status, ASC_BAD_INPUT);
  return (result){.value = count};
}

/* A graph from arrays; the last one's operators wait for each other. */
static result packed_task(asc_context *context, uint32_t which) {
  asc_context *other = test_context();
  asc_graph *read = NULL, *graph = NULL;
  result whole = {0};
  assert_int_equal(asc_graph_csv_read(other, graph_text, sizeof graph_text - 1, &read, NULL, 0, NULL), ASC_OK);
  packed arrays = test_pack(read);
  if (which) arrays.words[arrays.from.word_count - 3] = 7; /* the last operator reads what it makes */
  asc_status status = asc_graph_unpack(context, &arrays.from, &graph, NULL);
  test_pack_end(&arrays);
  asc_graph_free(read);
  test_context_end(other);
  if (status == ASC_OUT_OF_MEMORY) return none();
  assert_int_equal(status, which ? ASC_BAD_INPUT : ASC_OK);
  if (graph) status = asc_graph_csv_write(graph, add_up, &whole.value);
  asc_graph_free(graph);
  return graph && lacks(status) ? none() : whole;
}

static result generate_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  int64_t capacity = 0;
  if (lacks(asc_generate(context, asc_generate_kind(which, NULL), 30, 7, &problem, &capacity))) return none();
  result whole = {.value = asc_problem_digest(problem) ^ (uint64_t)capacity};
  asc_problem_free(problem);
  return whole;
}

/* ---- runs ---- */

/* A plan at the load bound, where the solvers must look for it. */
static asc_status make_tight(asc_context *context, asc_problem **problem) {
  int64_t capacity;
  return asc_generate(context, "synthetic", 24, 2, problem, &capacity);
}

/* Three pools, of which one is empty. */
static asc_status make_pools(asc_context *context, asc_problem **made) {
  asc_problem *problem = NULL;
  asc_status status = asc_problem_new(context, &problem);
  if (!status) status = asc_problem_add_pool(problem, &(asc_pool){"none", 0, 1, 0}, NULL, NULL);
  if (!status) status = asc_problem_add_pool(problem, &(asc_pool){"far", 60, 1, 0}, NULL, NULL);
  for (uint32_t b = 0; !status && b < 16; b++) {
    asc_buffer_spec spec = test_spec(b % 5, b % 5 + 1 + b % 4, 1 + (b * 7) % 6);
    char id[] = {(char)('a' + b), 0};
    spec.id = id;
    spec.pool = b % 2 ? 2 : ASC_POOL_MAIN;
    status = asc_problem_add(problem, &spec, NULL);
  }
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (status)
    asc_problem_free(problem);
  else
    *made = problem;
  return status;
}

/* Some twenty blocks of a fit tree: it has levels, and windows until something is taken out. */
static asc_status make_many(asc_context *context, bool gaps, asc_problem **made) {
  asc_problem *problem = NULL;
  asc_status status = asc_problem_new(context, &problem);
  asci_rng rng = {3};
  for (uint32_t b = 0; !status && b < 1300; b++) {
    int64_t lower = (int64_t)asci_random_below(&rng, 1300), life = asci_random_between(&rng, 4, b % 10 ? 20 : 400);
    asc_buffer_spec spec = test_spec(lower, lower + life, asci_random_between(&rng, 2, 40));
    asc_gap gap = {lower + 1, lower + life / 2, 0, b % 8 ? 0 : spec.size / 2};
    char id[16];
    snprintf(id, sizeof id, "b%u", b);
    spec.id = id;
    spec.gaps = &gap;
    spec.gap_count = gaps && b % 4 == 0;
    status = asc_problem_add(problem, &spec, NULL);
  }
  if (!status) status = asc_problem_freeze(problem, NULL);
  if (status)
    asc_problem_free(problem);
  else
    *made = problem;
  return status;
}

static asc_status make_many_plain(asc_context *context, asc_problem **problem) {
  return make_many(context, false, problem);
}
static asc_status make_many_gaps(asc_context *context, asc_problem **problem) {
  return make_many(context, true, problem);
}

/* After the solvers as they are come some on problems where they do, at least so often, what a tiny one gives no cause for. Those with many
   buffers are last. */
static const struct {
  const char *id;
  asc_status (*make)(asc_context *context, asc_problem **problem);
  asc_event_kind does;
  uint32_t least, budget;
  asc_goal goal;
  asc_option_value options[5];
} busy[] = {
    {"large", make_tight, ASC_EVENT_EJECT, 10, 3000, ASC_GOAL_HEIGHT, {{"tries", "2"}, {"fails", "8"}}},
    {"exact", make_tight, ASC_EVENT_EJECT, 10, 3000, ASC_GOAL_HEIGHT, {{"ejection", "always"}}},
    {"tvm-hill-climb", make_tight, ASC_EVENT_SWAP, 30, 3000, ASC_GOAL_HEIGHT, {{"attempts", "60"}}},
    {"vela-hill-climb",
     make_tight,
     ASC_EVENT_SWAP,
     30,
     3000,
     ASC_GOAL_HEIGHT,
     {{"attempts", "60"}, {"stuck", "5"}, {"patience", "40"}}},
    {"exact", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_HEIGHT, {{0}}},
    {"minimalloc", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_FIT, {{0}}},
    {"telamalloc", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_FIT, {{0}}},
    {"greedy", make_pools, ASC_EVENT_POOL, 1, 3000, ASC_GOAL_FIT, {{0}}},
    {"first-fit", make_many_gaps, ASC_EVENT_PLACE, 1300, 3000, ASC_GOAL_FIT, {{0}}},
    {"large", make_many_gaps, ASC_EVENT_EJECT, 30, 2500, ASC_GOAL_HEIGHT, {{"tries", "2"}, {"fails", "8"}}},
    {"tvm-hill-climb", make_many_plain, ASC_EVENT_SWAP, 5, 3000, ASC_GOAL_HEIGHT, {{"attempts", "8"}}},
    {"vela-hill-climb",
     make_many_plain,
     ASC_EVENT_SWAP,
     5,
     3000,
     ASC_GOAL_HEIGHT,
     {{"attempts", "8"}, {"stuck", "3"}, {"patience", "6"}}},
};

enum { MANY = 8 }; /* from there on problems have many buffers */

static uint32_t task_count(void) {
  return test_solver_count() + COUNT(busy);
}

static asc_run_config config_of(uint32_t which, const asc_problem *problem) {
  bool plain = which < test_solver_count();
  uint32_t extra = plain ? 0 : which - test_solver_count();
  const char *id = plain ? asc_solver_at(which)->id : busy[extra].id;
  asc_run_config config = asc_run_config_default(id, asc_problem_lower_bound(problem));
  config.budget = plain ? 3000 : busy[extra].budget;
  if (plain) return config;
  config.goal = busy[extra].goal;
  config.options = busy[extra].options;
  while (config.options[config.option_count].name) config.option_count++;
  return config;
}

static asc_status begin(asc_context *context, uint32_t which, asc_problem **problem, asc_run **run) {
  asc_status status = which < test_solver_count() ? make_problem(context, 24, problem)
                                                  : busy[which - test_solver_count()].make(context, problem);
  if (status) return status;
  asc_run_config config = config_of(which, *problem);
  asc_diag diag;
  status = asc_run_new(asc_input_buffers(*problem), &config, run, &diag);
  if (status) assert_true(diag.status == status && diag.message[0]);
  return status;
}

static result end(asc_problem *problem, asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  asc_status status = ASC_OK;
  while (!status && outcome == ASC_OUTCOME_RUNNING) status = asc_run_step(run, 1000, &outcome);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  size_t violations = 0;
  const int64_t *best = asc_run_best(run); /* who minimises may have had a plan before */
  if (stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY) assert_true(stats.height == (best ? asc_height(problem, best) : -1));
  asc_status judged = best ? asc_validate(problem, best, INT64_MAX, NULL, 0, &violations) : ASC_OK;
  assert_true(judged == ASC_OUT_OF_MEMORY || violations == 0);
  asc_run_free(run);
  asc_problem_free(problem);
  if (lacks(status) || outcome == ASC_OUTCOME_OUT_OF_MEMORY) return none();
  return (result){.value = stats.digest ^ (uint64_t)stats.outcome ^ (uint64_t)stats.height << 8};
}

static result run_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  asc_run *run = NULL;
  if (!lacks(begin(context, which, &problem, &run))) return end(problem, run);
  asc_problem_free(problem);
  return none();
}

/* A log that finds no memory drops whole events and counts them; the run goes on. */
static result log_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  asc_run *run = NULL;
  asc_log *log = NULL;
  if (lacks(begin(context, which, &problem, &run)) || lacks(asc_log_new(context, 0, &log))) {
    asc_run_free(run);
    asc_problem_free(problem);
    return none();
  }
  asc_run_attach(run, log);
  result whole = end(problem, run);
  const asc_event *events;
  uint32_t count;
  uint64_t dropped;
  asc_log_get(log, &events, &count, NULL, &dropped);
  for (uint32_t k = 0; k < count; k++) whole.value = whole.value * 31 + events[k].kind + events[k].list_count;
  asc_log_free(log);
  if (dropped) whole.out_of_memory = true;
  return whole;
}

static result save_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  asc_run *run = NULL, *other = NULL;
  const uint8_t *bytes = NULL;
  size_t count = 0;
  asc_outcome before = ASC_OUTCOME_RUNNING;
  asc_status status = begin(context, which, &problem, &run);
  if (!status) status = asc_run_step(run, 150, &before);
  if (before == ASC_OUTCOME_OUT_OF_MEMORY) status = ASC_OUT_OF_MEMORY;
  if (!status) status = asc_run_save(run, &bytes, &count);
  if (!status) {
    asc_run_config config = config_of(which, problem);
    status = asc_run_new(asc_input_buffers(problem), &config, &other, NULL);
  }
  if (!status) status = asc_run_load(other, bytes, count);
  if (!lacks(status)) {
    asc_run_free(run);
    return end(problem, other);
  }
  if (other) { /* a run whose load found no memory can still be asked anything */
    asc_outcome outcome;
    asc_run_view view;
    const uint8_t *saved;
    size_t saved_count;
    lacks(asc_run_step(other, 50, &outcome));
    lacks(asc_run_view_get(other, &view));
    lacks(asc_run_save(other, &saved, &saved_count));
  }
  asc_run_free(run);
  asc_run_free(other);
  asc_problem_free(problem);
  return none();
}

static result timeline_task(asc_context *context, uint32_t which) {
  asc_problem *problem = NULL;
  if (lacks(make_problem(context, 24, &problem))) return none();
  asc_timeline *timeline = NULL;
  asc_run_config config = asc_run_config_default(asc_solver_at(which)->id, asc_problem_lower_bound(problem));
  config.budget = 3000;
  asc_run_view view;
  uint64_t found = 0, stopped = 0;
  asc_status status = asc_timeline_new(asc_input_buffers(problem), &config, 2000, &timeline, NULL);
  if (!status) status = asc_timeline_step(timeline, 5000, NULL);
  if (!status) status = asc_timeline_seek(timeline, 20, 5, 5, &view);
  if (!status) status = asc_timeline_seek(timeline, 10, 5, 0, &view);
  asc_condition placed = asc_condition_default();
  placed.kinds = UINT64_C(1) << ASC_EVENT_PLACE;
  placed.buffer = 3;
  if (!status) status = asc_timeline_find(timeline, 0, true, &placed, 1, 0, &found, &stopped);
  asc_path path;
  if (!status) status = asc_timeline_path(timeline, 20, 100, 100, 0, &path);
  result whole = {.out_of_memory = lacks(status)};
  if (timeline) {
    asc_run_stats stats;
    asc_run_stats_get(asc_timeline_run(timeline), &stats);
    whole.value = stats.digest;
    if (stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY) whole.out_of_memory = true;
  }
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  return whole;
}

/* ---- tasks as tests ---- */

static void problems(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 2; which++) fail_every_call("problem", problem_task, which);
}

static void csv_files(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 4; which++) fail_every_call("csv", csv_task, which);
  for (uint32_t which = 0; which < 2; which++) fail_every_call("csv in parts", parts_task, which);
  fail_every_call("bad csv", bad_csv_task, 0);
}

static void graphs(void **state) {
  (void)state;
  for (uint32_t which = 0; which < 2; which++) {
    fail_every_call("graph", graph_task, which);
    fail_every_call("bad graph", bad_graph_task, which);
    fail_every_call("packed graph", packed_task, which);
  }
}

static void generators(void **state) {
  (void)state;
  for (uint32_t which = 0; asc_generate_kind(which, NULL); which++) fail_every_call("generate", generate_task, which);
}

static void runs_of_every_solver(void **state) {
  (void)state;
  for (uint32_t which = 0; which < task_count(); which++) {
    fail_every_call("run", run_task, which);
    if (which < test_solver_count() + MANY) fail_every_call("log", log_task, which);
  }
}

/* Swaps are counted whether they are kept or not, where there was somebody to swap. */
static uint32_t times(const asc_log *log, asc_event_kind kind) {
  const asc_event *events;
  uint32_t count, done = 0;
  bool swaps = kind == ASC_EVENT_SWAP;
  asc_log_get(log, &events, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++)
    done +=
        events[k].kind == kind || (swaps && events[k].kind == ASC_EVENT_SWAP_BACK && events[k].swap_back.buffer != ASC_NONE);
  return done;
}

static void check_tree(const asc_problem *problem, bool gaps) {
  asci_fit_tree tree;
  assert_int_equal(asci_fit_tree_new(problem, ASCI_FIT_SWIFT, &tree), ASC_OK);
  assert_true(tree.levels >= 3 && tree.windows);
  assert_int_equal(tree.owner != NULL, gaps);
  asci_fit_tree_free(&tree);
}

/* The busy ones are, or lacking memory while they are would not be looked at. */
static void some_are_busy(void **state) {
  (void)state;
  for (uint32_t k = 0; k < COUNT(busy); k++) {
    asc_context *context = test_context();
    asc_problem *problem = NULL;
    asc_run *run = NULL;
    asc_log *log = NULL;
    assert_int_equal(begin(context, test_solver_count() + k, &problem, &run), ASC_OK);
    if (k >= MANY) check_tree(problem, busy[k].make == make_many_gaps);
    assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    assert_int_equal(asc_run_step(run, busy[k].budget, NULL), ASC_OK);
    uint32_t done = times(log, busy[k].does);
    CHECK(done >= busy[k].least, "%u: %s only %u times", k, busy[k].id, done);
    asc_run_free(run);
    asc_log_free(log);
    asc_problem_free(problem);
    test_context_end(context);
  }
}

static void saves_of_every_solver(void **state) {
  (void)state;
  for (uint32_t which = 0; which < test_solver_count() + MANY; which++) fail_every_call("save", save_task, which);
}

static void timelines_of_every_solver(void **state) {
  (void)state;
  for (uint32_t which = 0; which < test_solver_count(); which++) fail_every_call("timeline", timeline_task, which);
}

int run_oom_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(problems),
      cmocka_unit_test(a_problem_can_go_on_after_a_refusal),
      cmocka_unit_test(csv_files),
      cmocka_unit_test(graphs),
      cmocka_unit_test(generators),
      cmocka_unit_test(some_are_busy),
      cmocka_unit_test(runs_of_every_solver),
      cmocka_unit_test(saves_of_every_solver),
      cmocka_unit_test(timelines_of_every_solver),
  };
  return cmocka_run_group_tests_name("oom", tests, NULL, NULL);
}
