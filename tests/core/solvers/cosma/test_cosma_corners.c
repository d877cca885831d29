/* COSMA at its corners, one input for each: what no packing holds, states by the thousand, layers that are cut short, memory that runs out while a search
 * goes on, banks. */
#include "cosma_scenes.h"
#include "saturated.h"

#include "solve/cosma/cosma.h"
#include "solve/cosma/kernel/landmarks.h"
#include "solve/cosma/packing/layout.h"
#include "solve/run.h"

#include <stdio.h>
#include <string.h>

static asc_graph *graph_of(asc_context *context, const char *text) {
  asc_graph *graph = NULL;
  size_t faults;
  assert_int_equal(asc_graph_csv_read(context, text, strlen(text), &graph, NULL, 0, &faults), ASC_OK);
  return graph;
}

/* A graph, lowered, and a run of it. */
typedef struct corner {
  asc_context *context;
  asc_graph *graph;
  asc_lowering *lowering;
  asc_run *run;
  asc_outcome outcome;
  asc_run_stats stats;
} corner;

static void open_corner(corner *c, asc_context *context, const char *text) {
  *c = (corner){.context = context};
  c->graph = graph_of(context, text);
  c->lowering = test_cosma_lower(c->graph);
}

static void go(corner *c, const cosma_setup *setup, asc_goal goal, int64_t capacity) {
  asc_run_free(c->run);
  c->run = test_cosma_run(setup, c->lowering, goal, capacity);
  c->outcome = test_finish(c->run);
  asc_run_stats_get(c->run, &c->stats);
}

static void close_corner(corner *c) {
  asc_run_free(c->run);
  asc_lowering_free(c->lowering);
  asc_graph_free(c->graph);
  test_context_end(c->context);
}

/* ---- what no packing holds ------------------------------------------------------------------------------------------- */

/* Both tensors are alive at once and fit as bytes, but wherever the one lies the other, which begins at a multiple of 64, ends above every address. */
static const char above_every_address[] = "tensor,a,9007199254740990,,64\ntensor,b,1,output,64\nop,f,F,,a\nop,g,G,a,b\n";

static void no_plan_at_all(void **state) {
  (void)state;
  static const char *const solvers[] = {"cosma", "list-schedule"};
  for (uint32_t k = 0; k < COUNT(solvers); k++) {
    cosma_setup setup = {solvers[k], {{"", ""}}, 0};
    corner c;
    asc_log *log = NULL;
    asc_run_view view;
    const uint8_t *bytes;
    size_t count;
    open_corner(&c, test_context(), above_every_address);
    asc_goal goal = k ? ASC_GOAL_FIT : ASC_GOAL_TRAFFIC;
    c.run = test_cosma_run(&setup, c.lowering, goal, ASC_MAX_BYTES);
    asc_run *other = test_cosma_run(&setup, c.lowering, goal, ASC_MAX_BYTES);
    assert_int_equal(asc_log_new(c.context, 0, &log), ASC_OK);
    asc_run_attach(c.run, log);
    CHECK(test_finish(c.run) == ASC_OUTCOME_EXHAUSTED && !asc_run_plan(c.run, &(asc_plan){0}), "%s found a plan",
          solvers[k]);
    assert_int_equal(asc_run_view_get(c.run, &view), ASC_OK);
    for (uint32_t b = 0; b < 2; b++) assert_int_equal(view.offsets[b], ASC_UNPLACED);
    assert_int_equal(asc_run_save(c.run, &bytes, &count), ASC_OK);
    assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
    test_same_stats(other, c.run, solvers[k]);
    assert_int_equal(asc_run_view_get(other, &view), ASC_OK);
    for (uint32_t b = 0; b < 2; b++) assert_int_equal(view.offsets[b], ASC_UNPLACED);
    asc_run_free(other);
    asc_run_free(c.run);
    c.run = NULL;
    asc_log_free(log);
    close_corner(&c);
  }
}

/* ---- states by the thousand ------------------------------------------------------------------------------------------ */

/* Tensors of about 1000 bytes, made one after the other, then an operator for which `excess` bytes of them have to go, then one that reads all of them. The
   arena has room for that and no more. */
static int64_t write_fan(char *text, size_t room, uint32_t side, int64_t excess) {
  size_t used = 0;
  int64_t bytes = 0;
#define WRITE(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
  for (uint32_t k = 0; k < side; k++) {
    bytes += 1000 + k;
    WRITE("tensor,t%u,%u\ntensor,c%u,1\n", k, 1000 + k, k);
    if (k == 0)
      WRITE("op,m0,M,,t0;c0\n");
    else
      WRITE("op,m%u,M,c%u,t%u;c%u\n", k, k - 1, k, k);
  }
  WRITE("tensor,w,%d\ntensor,e,1\ntensor,y,1,output\nop,w,W,c%u,w\nop,x,X,w,e\nop,y,Y,e", (int)excess + 1, side - 1);
  for (uint32_t k = 0; k < side; k++) WRITE(";t%u", k);
  WRITE(",y\n");
#undef WRITE
  return bytes + 2;
}

/* Sixteen free too little and seventeen more than is asked for: that no sixteen do is seen only when all were looked at. */
static void every_sixteen_are_looked_at(void **state) {
  (void)state;
  static const cosma_setup defaults = {"cosma", {{"", ""}}, 0};
  char text[4096];
  int64_t capacity = write_fan(text, sizeof text, 20, 16500), seventeen = 0;
  corner c;
  open_corner(&c, test_context(), text);
  for (uint32_t k = 0; k < 17; k++) seventeen += 1000 + k;
  go(&c, &defaults, ASC_GOAL_TRAFFIC, capacity);
  CHECK(c.outcome == ASC_OUTCOME_OPTIMAL && c.stats.cost == 2 * seventeen, "%s at %d", asc_outcome_id(c.outcome),
        (int)c.stats.cost);
  close_corner(&c);
}

/* Of seven of fourteen the states have no room in a MiB, for each has a bit for every tensor, also of a long chain before; the plan is the baseline's
   then. */
static void states_beyond_the_memory(void **state) {
  (void)state;
  enum { CHAIN = 900, ROOM = 1 << 16 };
  static const cosma_setup little = {"cosma", {{"memory", "1"}, {"schedule", "file"}}, 2};
  static char text[ROOM];
  size_t used = 0;
  for (uint32_t k = 0; k < CHAIN; k++)
    used += (size_t)snprintf(text + used, ROOM - used, "tensor,l%u,1\nop,l%u,L,,l%u\n", k, k, k);
  int64_t capacity = write_fan(text + used, ROOM - used, 14, 7060);
  corner c;
  open_corner(&c, test_context(), text);
  go(&c, &little, ASC_GOAL_TRAFFIC, capacity);
  CHECK(c.outcome == ASC_OUTCOME_OUT_OF_MEMORY && c.stats.cost >= 2 * 7060, "%s at %d", asc_outcome_id(c.outcome),
        (int)c.stats.cost);
  close_corner(&c);
}

/* ---- long searches --------------------------------------------------------------------------------------------------- */

/* Found by lot: a search of some 100,000 transitions, of which the first few find what is the best. */
static const char long_sizes[] = "4 4 7 1 7 8 8 1 9 6 4 4 8 9 4 7 6 8 3 7 8 1";
static const char long_reads[] = "- - - - - - - - 0 1 2 3 4 5 6 7,10 8 8,9 6,10 11 4,12 13,14,15,16,17,18,19,20";

static void open_long(corner *c) {
  cosma_graph g = test_cosma_graph(long_sizes, long_reads);
  *c = (corner){.context = test_context()};
  c->graph = test_cosma_freeze(c->context, &g);
  c->lowering = test_cosma_lower(c->graph);
}

/* Packers that came to their end, and those that found addresses. */
static void count_packers(const asc_log *log, uint32_t *packers, uint32_t *packed) {
  const asc_event *events;
  uint32_t count;
  *packers = *packed = 0;
  asc_log_get(log, &events, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++) {
    *packers += events[k].kind == ASC_EVENT_PACK;
    *packed += events[k].kind == ASC_EVENT_PACK && events[k].pack.packed;
  }
}

/* Nothing better comes for long, so that what there is is packed meanwhile. The end takes that plan; if a narrow sweep could not pack it, as at 53, the
   others are asked, a wide one and the exact solver, and the narrow one is not tried again. */
static void packed_meanwhile(void **state) {
  (void)state;
  static const cosma_setup defaults = {"cosma", {{"", ""}}, 0};
  for (int64_t capacity = 53; capacity <= 55; capacity += 2) {
    corner c;
    asc_log *log = NULL;
    uint32_t packers, packed;
    open_long(&c);
    c.run = test_cosma_run(&defaults, c.lowering, ASC_GOAL_TRAFFIC, capacity);
    assert_int_equal(asc_log_new(c.context, 0, &log), ASC_OK);
    asc_run_attach(c.run, log);
    c.outcome = test_finish(c.run);
    asc_run_stats_get(c.run, &c.stats);
    count_packers(log, &packers, &packed);
    CHECK(c.outcome == ASC_OUTCOME_OPTIMAL && c.stats.cost == 6, "%s at %d", asc_outcome_id(c.outcome), (int)c.stats.cost);
    CHECK(packed == 1 && packers == (capacity == 53 ? 3 : 1), "%u of %u packers at %d", packed, packers, (int)capacity);
    asc_run_free(c.run);
    c.run = NULL;
    asc_log_free(log);
    close_corner(&c);
  }
}

/* Sweeps know no banks: with some it waits for the end, and asks for no more memory at each step meanwhile than the search itself does. */
static void banks_wait_for_the_end(void **state) {
  (void)state;
  static const cosma_setup defaults = {"cosma", {{"", ""}}, 0};
  const asc_profile banked = {.id = "b", .title = "B", .vendor = "V", .alignment = 1, .bank = 16, .cores = 1};
  test_memory memory = {0};
  corner c;
  cosma_graph g = test_cosma_graph(long_sizes, long_reads);
  asc_outcome outcome;
  c = (corner){.context = test_context_on(&memory)};
  c.graph = test_cosma_freeze(c.context, &g);
  c.lowering = test_cosma_lower(c.graph);
  assert_int_equal(asc_lowering_set_profile(c.lowering, &banked, NULL), ASC_OK);
  c.run = test_cosma_run(&defaults, c.lowering, ASC_GOAL_TRAFFIC, 53);
  assert_int_equal(asc_run_step(c.run, 400, &outcome), ASC_OK);
  assert_int_equal(outcome, ASC_OUTCOME_RUNNING);
  uint64_t before = memory.calls;
  assert_int_equal(asc_run_step(c.run, 50, &outcome), ASC_OK);
  CHECK(outcome == ASC_OUTCOME_RUNNING && memory.calls - before < 50, "%d requests in 50 steps",
        (int)(memory.calls - before));
  /* there is something to be packed by then */
  assert_true(((const cosma_machine *)c.run->state)->found_count > 0);
  close_corner(&c);
}

/* ---- layers that are cut short --------------------------------------------------------------------------------------- */

/* What is cut short proves nothing, and never finds less than there is. A pass through cuts after each operator cuts nowhere. */
static void narrow_layers_prove_nothing(void **state) {
  (void)state;
  static const cosma_setup defaults = {"cosma", {{"", ""}}, 0};
  static const cosma_setup setups[] = {{"cosma", {{"width", "1"}}, 1},
                                       {"cosma", {{"width", "64"}, {"beam", "1"}}, 2},
                                       {"cosma", {{"cuts", "1"}, {"width", "2"}}, 2}};
  uint32_t dearer = 0;
  for (uint32_t seed = 60; seed < 150; seed++) {
    asci_rng rng = {seed};
    asc_context *context = test_context();
    cosma_graph g = test_cosma_random(&rng, 8, 6);
    int64_t capacity = test_cosma_required(&g), least = test_cosma_traffic(&g, capacity, false);
    corner c = {.context = context, .graph = test_cosma_freeze(context, &g)};
    c.lowering = test_cosma_lower(c.graph);
    go(&c, &defaults, ASC_GOAL_TRAFFIC, capacity);
    int64_t found = c.stats.cost;
    for (uint32_t k = 0; k < COUNT(setups); k++) {
      go(&c, &setups[k], ASC_GOAL_TRAFFIC, capacity);
      CHECK(c.stats.height >= 0 && c.stats.cost >= least, "seed %u: %d of %d bytes", seed, (int)c.stats.cost, (int)least);
      CHECK(c.stats.lower_bound <= found && (c.outcome != ASC_OUTCOME_OPTIMAL || c.stats.cost <= found),
            "seed %u: %s at %d, bound %d, a plan moves %d", seed, asc_outcome_id(c.outcome), (int)c.stats.cost,
            (int)c.stats.lower_bound, (int)found);
      dearer += c.stats.cost > least;
    }
    close_corner(&c);
  }
  assert_true(dearer > 0);
}

/* ---- ended again and again ------------------------------------------------------------------------------------------- */

/* Found by lot: no packing does with what moves the fewest bytes, so that others are looked for, then repairs, then all layouts. */
static const struct {
  const char *sizes, *reads;
  int64_t capacity;
} unpacked[] = {{"1 5 3 2 4 3 5 3", "- 0 0,1 2 0 2,3 4 3,4", 9},
                {"9 6 6 6 6 8 6 4 9 8", "- 0 1 1,2 2,3 3,4 4,5 5,6 6,7 8", 20}};

static void open_unpacked(corner *c, asc_context *context, uint32_t k) {
  cosma_graph g = test_cosma_graph(unpacked[k].sizes, unpacked[k].reads);
  *c = (corner){.context = context, .graph = test_cosma_freeze(context, &g)};
  c->lowering = test_cosma_lower(c->graph);
}

/* Whoever is ended has a plan, no dearer than the one before; it comes to the same as one that never was. */
static void ended_at_every_step(void **state) {
  (void)state;
  static const cosma_setup defaults = {"cosma", {{"", ""}}, 0};
  for (uint32_t k = 0; k < COUNT(unpacked); k++) {
    corner c;
    asc_run_stats stats;
    asc_plan plan;
    open_unpacked(&c, test_context(), k);
    asc_run *run = test_cosma_run(&defaults, c.lowering, ASC_GOAL_TRAFFIC, unpacked[k].capacity);
    go(&c, &defaults, ASC_GOAL_TRAFFIC, unpacked[k].capacity);
    int64_t least = INT64_MAX;
    for (asc_outcome outcome = ASC_OUTCOME_RUNNING; outcome == ASC_OUTCOME_RUNNING;) {
      assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
      if (outcome != ASC_OUTCOME_RUNNING) break;
      asc_run_cancel(run);
      assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
      assert_int_equal(outcome, ASC_OUTCOME_CANCELLED);
      asc_run_stats_get(run, &stats);
      CHECK(asc_run_plan(run, &plan) && stats.cost <= least, "%u: %d bytes after %d", k, (int)stats.cost, (int)least);
      least = stats.cost;
      asc_run_resume(run, 0);
      outcome = ASC_OUTCOME_RUNNING;
    }
    test_same_stats(run, c.run, unpacked[k].sizes);
    asc_run_free(run);
    close_corner(&c);
  }
}

static const cosma_machine *watched;
static uint64_t taken_at; /* the first request after a layout was taken over */

static void watch_layout(uint64_t call) {
  if (watched && !taken_at && watched->laid.order) taken_at = call;
}

static bool ends_without_memory(asc_run *run) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) {
    asc_status status = asc_run_step(run, 1u << 16, &outcome);
    assert_true(status == ASC_OK || status == ASC_OUT_OF_MEMORY);
  }
  return outcome == ASC_OUTCOME_OUT_OF_MEMORY;
}

/* No plan is known but what the layouts come to, and one of the requests for memory by which that is taken over is refused. */
static void laid_without_memory(void **state) {
  (void)state;
  static const cosma_setup defaults = {"cosma", {{"", ""}}, 0};
  enum { LAST = 4 };
  test_memory memory = {.noticed = watch_layout};
  corner c;
  open_unpacked(&c, test_context_on(&memory), 1);
  uint64_t before = memory.calls;
  c.run = test_cosma_run(&defaults, c.lowering, ASC_GOAL_TRAFFIC, unpacked[1].capacity);
  watched = c.run->state;
  taken_at = 0;
  assert_false(ends_without_memory(c.run));
  watched = NULL;
  assert_true(taken_at > before + LAST);
  for (uint64_t back = 1; back <= LAST; back++) {
    asc_run_free(c.run);
    memory.fail_at = memory.calls + (taken_at - before) - back;
    c.run = test_cosma_run(&defaults, c.lowering, ASC_GOAL_TRAFFIC, unpacked[1].capacity);
    CHECK(ends_without_memory(c.run), "goes on without request %d before", (int)back);
    memory.fail_at = 0;
  }
  close_corner(&c);
}

/* ---- a packing that is too hard --------------------------------------------------------------------------------------- */

enum { MOST_USES = 128 };

/* A model whose operators make at each time the buffers that begin then, and read those that end. */
static asc_graph *model_that_makes(asc_context *context, const asc_problem *problem, uint32_t times) {
  asc_graph *graph = NULL;
  uint32_t count = asc_problem_count(problem);
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  for (uint32_t b = 0; b < count; b++) {
    asc_tensor_spec spec = {.id = asc_problem_id(problem, b), .bytes = asc_problem_buffer(problem, b)->size, .alignment = 1};
    assert_int_equal(asc_graph_add_tensor(graph, &spec, NULL), ASC_OK);
  }
  for (uint32_t time = 0; time < times; time++) {
    uint32_t in[MOST_USES], out[MOST_USES];
    char id[16];
    snprintf(id, sizeof id, "o%u", time);
    asc_op_spec op = {.id = id, .inputs = in, .outputs = out};
    for (uint32_t b = 0; b < count; b++) {
      const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
      if (spec->lower == time) out[op.output_count++] = b;
      if (spec->lower < time && spec->upper == time + 1) in[op.input_count++] = b;
    }
    assert_int_equal(asc_graph_add_op(graph, &op, NULL), ASC_OK);
  }
  assert_int_equal(asc_graph_freeze(graph, NULL), ASC_OK);
  return graph;
}

/* No byte is free at any time, and neither do sweeps find addresses nor is the exact solver through with it: a plan above the least peak is the end. */
static void too_hard_to_be_packed(void **state) {
  (void)state;
  static const cosma_setup file = {"cosma", {{"schedule", "file"}}, 1};
  enum { NUMBER = 17 };
  asc_problem *problem = NULL;
  corner c = {.context = test_context()};
  uint32_t times = saturated_sections(NUMBER);
  assert_int_equal(saturated_problem(c.context, times, NUMBER, &problem), ASC_OK);
  c.graph = model_that_makes(c.context, problem, times);
  c.lowering = test_cosma_lower(c.graph);
  int64_t least = asc_problem_lower_bound(problem);
  asc_problem_free(problem);
  go(&c, &file, ASC_GOAL_HEIGHT, 8 * least);
  CHECK(c.outcome == ASC_OUTCOME_FEASIBLE && c.stats.height > least && c.stats.lower_bound <= least, "%s at %d of %d",
        asc_outcome_id(c.outcome), (int)c.stats.height, (int)least);
  close_corner(&c);
}

/* ---- what landmarks and layouts are not for ------------------------------------------------------------------------------ */

static void model_of(const char *text, const asc_profile *memory, bool (*ask)(const cosma_model *m), bool expected) {
  corner c;
  cosma_model m;
  open_corner(&c, test_context(), text);
  if (memory) assert_int_equal(asc_lowering_set_profile(c.lowering, memory, NULL), ASC_OK);
  assert_int_equal(asci_cosma_model_new(c.lowering, COSMA_COPIED, &m), ASC_OK);
  assert_int_equal(ask(&m), expected);
  asci_cosma_model_free(&m);
  close_corner(&c);
}

static bool may_be_laid(const cosma_model *m) {
  return asci_cosma_layout_may(m, 8);
}

static bool has_landmarks(const cosma_model *m) {
  cosma_landmarks l;
  assert_int_equal(asci_cosma_landmarks_new(m, m->required, &l), ASC_OK);
  bool any = l.count > 0;
  asci_cosma_landmarks_free(&l);
  return any;
}

/* A tensor stays alive beside a chain of so many operators. */
static void write_chain(char *text, size_t room, uint32_t ops, bool values) {
  size_t used = 0;
#define WRITE(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
  WRITE("tensor,x,1,input\n");
  for (uint32_t k = 0; k < ops; k++) {
    if (values) WRITE("tensor,t%u,1\n", k);
    if (values && k)
      WRITE("op,o%u,O,t%u,t%u\n", k, k - 1, k);
    else if (values)
      WRITE("op,o%u,O,x,t%u\n", k, k);
    else
      WRITE("op,o%u,O,x,\n", k);
  }
  if (values) WRITE("op,last,O,x;t%u,\n", ops - 1);
#undef WRITE
}

static void what_is_too_large(void **state) {
  (void)state;
  enum { ROOM = 1 << 18 };
  static char text[ROOM];
  static const struct {
    uint32_t ops;
    bool values, laid;
  } sizes[] = {{8, true, true}, {40, true, false}, {40, false, true}, {70, false, false}};
  for (uint32_t k = 0; k < COUNT(sizes); k++) {
    write_chain(text, ROOM, sizes[k].ops, sizes[k].values);
    model_of(text, NULL, may_be_laid, sizes[k].laid);
  }
  model_of("op,a,A,,\nop,b,B,,\n", NULL, may_be_laid, true); /* nothing to be laid out */
  write_chain(text, ROOM, 100, true);
  model_of(text, NULL, has_landmarks, true);
  write_chain(text, ROOM, 4100, true);
  model_of(text, NULL, has_landmarks, false);
}

int run_cosma_corners_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_plan_at_all),           cmocka_unit_test(every_sixteen_are_looked_at),
      cmocka_unit_test(states_beyond_the_memory), cmocka_unit_test(packed_meanwhile),
      cmocka_unit_test(banks_wait_for_the_end),   cmocka_unit_test(narrow_layers_prove_nothing),
      cmocka_unit_test(ended_at_every_step),      cmocka_unit_test(laid_without_memory),
      cmocka_unit_test(too_hard_to_be_packed),    cmocka_unit_test(what_is_too_large),
  };
  return cmocka_run_group_tests_name("cosma_corners", tests, NULL, NULL);
}
