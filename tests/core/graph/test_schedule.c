/* List scheduling: every step against a recount by definition, the rules against the plainest reading of them, plans against the referee; then what
 * the engine promises of every solver, here of one that keeps a log and shows situations. */
#include "naive_lower.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

typedef struct scene {
  asc_context *context;
  naive_model model;
  naive_options options;
  naive_sharing sharing;
  asc_graph *graph;
  asc_lowering *lowering;
  const char *rule;
  asc_option_value set[3];
  asc_run_config config;
  char what[96];
} scene;

static const char *const rules[] = {"least-growth", "least-alive", "depth-first", "breadth-first", "file"};
static const char *const allocators[] = {"auto", "large", "greedy", "exact", "minimalloc", "telamalloc"};

static void open_scene(scene *s, uint32_t seed) {
  asci_rng rng = {seed};
  *s = (scene){.context = test_context()};
  naive_draw(&s->model, &rng);
  naive_draw_options(&s->options, &rng);
  naive_share(&s->model, &s->options, &s->sharing);
  s->graph = naive_freeze(s->context, &s->model);
  assert_int_equal(asc_lower(s->graph, s->options.values, COUNT(s->options.values), &s->lowering, NULL), ASC_OK);
  s->rule = rules[asci_random_below(&rng, COUNT(rules))];
  s->set[0] = (asc_option_value){"rule", s->rule};
  s->set[1] = (asc_option_value){"allocator", allocators[asci_random_below(&rng, COUNT(allocators))]};
  s->set[2] = (asc_option_value){"allocator_steps", "2000"};
  int64_t room = (int64_t)asci_random_below(&rng, 8) - 1;
  int64_t capacity = asc_problem_lower_bound(asc_lowering_problem(s->lowering)) + room;
  s->config = asc_run_config_default("list-schedule", capacity < 0 ? 0 : capacity);
  s->config.options = s->set;
  s->config.option_count = COUNT(s->set);
  snprintf(s->what, sizeof s->what, "seed %u, %s, %s", seed, s->rule, s->set[1].value);
}

static void close_scene(scene *s) {
  asc_lowering_free(s->lowering);
  asc_graph_free(s->graph);
  test_context_end(s->context);
}

static asc_run *new_run(scene *s) {
  asc_run *run = NULL;
  asc_diag diag = {0};
  asc_status status = asc_run_new(asc_input_graph(s->lowering), &s->config, &run, &diag);
  CHECK(status == ASC_OK, "%s: %s %s", s->what, diag.field, diag.message);
  return run;
}

/* ---- steps, by definition -------------------------------------------------------------------------------------------- */

/* An order under way: what has run, and the rest as it was given. */
typedef struct progress {
  bool done[NAIVE_OPS];
  uint32_t order[NAIVE_OPS], count;
  int64_t peak;
  uint32_t since[NAIVE_OPS]; /* operators that had run when it became ready */
} progress;

static void complete(const scene *s, progress *p) {
  const uint32_t *given = asc_lowering_schedule(s->lowering);
  uint32_t at = p->count;
  for (uint32_t k = 0; k < s->model.ops; k++)
    if (!p->done[given[k]]) p->order[at++] = given[k];
}

static bool is_streamed(const scene *s, uint32_t tensor) {
  return tensor != ASC_NONE && naive_is(&s->options, "constants", "streamed") &&
         (naive_kinds(&s->model, s->sharing.group, tensor) & ASC_TENSOR_CONSTANT);
}

/* Bytes alive at that time of the order, streamed constants apart. */
static int64_t live_at(const scene *s, const progress *p, int64_t time) {
  static naive_buffers rows;
  int64_t sum = 0;
  naive_lower(&s->model, &s->options, p->order, &s->sharing, &rows);
  for (uint32_t r = 0; r < rows.count; r++)
    if (rows.rows[r].lower <= time && time < rows.rows[r].upper && !is_streamed(s, rows.rows[r].tensor))
      sum += rows.rows[r].size;
  return sum;
}

/* The same if `op` ran next. */
static int64_t live_with(const scene *s, progress *p, uint32_t op) {
  p->order[p->count++] = op;
  p->done[op] = true;
  complete(s, p);
  int64_t live = live_at(s, p, p->count - 1);
  p->done[op] = false;
  p->count--;
  return live;
}

typedef struct key {
  int64_t first, second, third;
} key;

static key key_of(const scene *s, progress *p, uint32_t op) {
  int64_t live = live_with(s, p, op), after = naive_alive_after(&s->model, &s->options, &s->sharing, p->done, op);
  int64_t since = p->since[op];
  if (strcmp(s->rule, "least-growth") == 0) return (key){live > p->peak ? live - p->peak : 0, after, live};
  if (strcmp(s->rule, "least-alive") == 0) return (key){after, live, 0};
  if (strcmp(s->rule, "depth-first") == 0) return (key){-since, 0, 0};
  if (strcmp(s->rule, "breadth-first") == 0) return (key){since, 0, 0};
  return (key){0, 0, 0};
}

static bool before(key a, key b) {
  if (a.first != b.first) return a.first < b.first;
  return a.second != b.second ? a.second < b.second : a.third < b.third;
}

static uint32_t choose(const scene *s, progress *p, uint32_t *ready) {
  uint32_t best = ASC_NONE;
  key least = {0, 0, 0};
  *ready = 0;
  for (uint32_t op = 0; op < s->model.ops; op++) {
    if (!naive_ready(&s->model, p->done, op)) continue;
    key mine = key_of(s, p, op);
    if (!(*ready)++ || before(mine, least)) {
      best = op;
      least = mine;
    }
  }
  return best;
}

static void run_op(const scene *s, progress *p, uint32_t op) {
  bool was[NAIVE_OPS];
  for (uint32_t o = 0; o < s->model.ops; o++) was[o] = naive_ready(&s->model, p->done, o);
  p->order[p->count++] = op;
  p->done[op] = true;
  for (uint32_t o = 0; o < s->model.ops; o++)
    if (!was[o] && naive_ready(&s->model, p->done, o)) p->since[o] = p->count;
}

/* The situation is what the naive lowering makes of the order so far, in the same order of buffers. */
static void check_situation(const scene *s, const progress *p, asc_run *run) {
  static naive_buffers rows;
  asc_run_view view;
  naive_lower(&s->model, &s->options, p->order, &s->sharing, &rows);
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  assert_non_null(view.situation);
  CHECK(view.frontier == p->count && view.revision == p->count, "%s: frontier", s->what);
  CHECK(asc_problem_count(view.situation) == rows.count, "%s: %u buffers", s->what, asc_problem_count(view.situation));
  for (uint32_t r = 0; r < rows.count; r++) {
    const asc_buffer_spec *spec = asc_problem_buffer(view.situation, r);
    CHECK(spec->lower == rows.rows[r].lower && spec->upper == rows.rows[r].upper && spec->size == rows.rows[r].size,
          "%s: after %u operators buffer %u is wrong", s->what, p->count, r);
  }
  for (uint32_t k = 0; k < view.depth; k++) {
    const asc_buffer_spec *spec = asc_problem_buffer(view.situation, view.stack[k]);
    CHECK(spec->lower < p->count || is_streamed(s, rows.rows[view.stack[k]].tensor), "%s: %s has not begun", s->what,
          spec->id);
  }
}

static const asc_event *step_of(const asc_log *log, uint32_t *details) {
  const asc_event *events;
  uint32_t count;
  asc_log_get(log, &events, &count, NULL, NULL);
  assert_true(count > 0);
  *details = count - 1;
  return events;
}

static void check_step(scene *s, progress *p, asc_run *run, asc_log *log) {
  uint32_t ready, details;
  uint32_t op = choose(s, p, &ready);
  int64_t live = live_with(s, p, op);
  asc_log_clear(log);
  assert_int_equal(asc_run_step(run, 1, NULL), ASC_OK);
  const asc_event *event = step_of(log, &details);
  assert_int_equal(event->kind, ASC_EVENT_SCHEDULE);
  CHECK(event->schedule.op == op, "%s: at %u o%d runs instead of o%u", s->what, p->count, (int)event->schedule.op, op);
  run_op(s, p, op);
  complete(s, p);
  if (live > p->peak) p->peak = live;
  CHECK(event->schedule.live == live && event->schedule.peak == p->peak && event->schedule.ready == ready,
        "%s: at %u live %d, expected %d", s->what, p->count, (int)event->schedule.live, (int)live);
  uint32_t next = 0;
  for (uint32_t o = 0; o < s->model.ops; o++) next += naive_ready(&s->model, p->done, o);
  assert_int_equal(details, next);
  check_situation(s, p, run);
}

static void check_end(const scene *s, const progress *p, const asc_run *run) {
  asc_input input = asc_input_graph(s->lowering);
  asc_run_stats stats;
  asc_plan plan;
  asc_run_stats_get(run, &stats);
  assert_int_equal(stats.steps, s->model.ops + 1);
  assert_true(asc_run_plan(run, &plan));
  assert_memory_equal(plan.order, p->order, s->model.ops * sizeof *p->order);
  size_t violations = 1;
  bool over = stats.outcome == ASC_OUTCOME_OVER_CAPACITY;
  assert_true(over || stats.outcome == ASC_OUTCOME_FEASIBLE || stats.outcome == ASC_OUTCOME_OPTIMAL);
  assert_int_equal(over, stats.height > s->config.capacity);
  int64_t most = over ? INT64_MAX : s->config.capacity;
  assert_int_equal(asc_plan_validate(&input, &plan, most, NULL, 0, &violations), ASC_OK);
  CHECK(violations == 0, "%s: %zu violations", s->what, violations);
  assert_int_equal(asc_plan_cost(&input, &plan, ASC_GOAL_HEIGHT), stats.height);
  CHECK(stats.height >= p->peak, "%s: height %d below the peak %d", s->what, (int)stats.height, (int)p->peak);
}

static void steps_are_as_defined(void **state) {
  (void)state;
  uint32_t cases = test_cases(1500);
  for (uint32_t seed = 0; seed < cases; seed++) {
    static scene s;
    open_scene(&s, seed);
    asc_run *run = new_run(&s);
    asc_log *log = NULL;
    progress p = {.count = 0};
    assert_int_equal(asc_log_new(s.context, 0, &log), ASC_OK);
    asc_run_attach(run, log);
    complete(&s, &p);
    check_situation(&s, &p, run);
    while (p.count < s.model.ops) check_step(&s, &p, run, log);
    asc_log_clear(log);
    assert_int_equal(asc_run_step(run, 1, NULL), ASC_OK);
    uint32_t details;
    const asc_event *event = step_of(log, &details);
    assert_int_equal(event->kind, ASC_EVENT_ALLOCATE);
    assert_int_equal(event->allocate.peak, p.peak);
    check_end(&s, &p, run);
    check_situation(&s, &p, run);
    asc_run_free(run);
    asc_log_free(log);
    close_scene(&s);
  }
}

/* The rules that the lowering has as well come to its schedules. */
static void rules_agree_with_the_lowering(void **state) {
  (void)state;
  static const char *const orders[][2] = {
      {"file", "file"}, {"depth-first", "depth-first"}, {"breadth-first", "breadth-first"}, {"least-alive", "greedy"}};
  for (uint32_t seed = 0; seed < test_cases(800); seed++) {
    static scene s;
    open_scene(&s, seed);
    for (uint32_t k = 0; k < COUNT(orders); k++) {
      asc_lowering *other = NULL;
      asc_plan plan;
      s.set[0].value = orders[k][0];
      s.options.values[NAIVE_ORDER].value = orders[k][1];
      assert_int_equal(asc_lower(s.graph, s.options.values, COUNT(s.options.values), &other, NULL), ASC_OK);
      asc_run *run = new_run(&s);
      test_finish(run);
      assert_true(asc_run_plan(run, &plan));
      CHECK(memcmp(plan.order, asc_lowering_schedule(other), plan.turns * sizeof *plan.order) == 0, "%s as %s", s.what,
            orders[k][0]);
      asc_run_free(run);
      asc_lowering_free(other);
    }
    close_scene(&s);
  }
}

/* ---- what every solver promises -------------------------------------------------------------------------------------- */

static uint64_t hash_problem(const asc_problem *problem) {
  return problem ? asc_problem_digest(problem) : 0;
}

/* All that a view shows. */
static uint64_t hash_view(const asc_run_view *view) {
  uint64_t hash = asci_fold(hash_problem(view->situation), view->step);
  uint32_t n = asc_problem_count(view->situation);
  hash = asci_fold(asci_fold(hash, view->depth), (uint64_t)view->frontier);
  for (uint32_t b = 0; b < n; b++) hash = asci_fold(hash, (uint64_t)view->offsets[b]);
  for (uint32_t k = 0; k < view->depth; k++) hash = asci_fold(hash, view->stack[k]);
  return hash;
}

static uint64_t hash_run(asc_run *run) {
  asc_run_view view;
  asc_run_stats stats;
  assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
  asc_run_stats_get(run, &stats);
  uint64_t hash = asci_fold(hash_view(&view), stats.digest);
  return asci_fold(asci_fold(hash, stats.outcome), (uint64_t)stats.height);
}

static void saved_and_loaded_at_every_step(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(300); seed++) {
    static scene s;
    open_scene(&s, seed);
    asc_run *run = new_run(&s), *other = new_run(&s);
    for (uint32_t step = 0; step <= s.model.ops + 1; step++) {
      const uint8_t *bytes;
      size_t count;
      assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
      assert_int_equal(asc_run_load(other, bytes, count), ASC_OK);
      CHECK(hash_run(run) == hash_run(other), "%s: loaded at step %u", s.what, step);
      assert_int_equal(asc_run_step(run, 1, NULL), ASC_OK);
      assert_int_equal(asc_run_step(other, 1, NULL), ASC_OK);
      CHECK(hash_run(run) == hash_run(other), "%s: gone on from step %u", s.what, step);
    }
    asc_run_free(run);
    asc_run_free(other);
    close_scene(&s);
  }
}

/* A byte of a save changed or cut off: refused, or a state of this problem from which the run still ends. */
static void damaged_saves_do_no_harm(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(200); seed++) {
    static scene s;
    asci_rng rng = {seed};
    open_scene(&s, seed);
    asc_run *run = new_run(&s), *other = new_run(&s);
    assert_int_equal(asc_run_step(run, asci_random_below(&rng, s.model.ops + 2), NULL), ASC_OK);
    const uint8_t *bytes;
    size_t count;
    assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
    for (uint32_t k = 0; k < 40; k++) {
      test_load_damaged(other, bytes, count, &rng);
      hash_run(other);
      assert_true(test_finish(other) != ASC_OUTCOME_RUNNING);
    }
    asc_run_free(run);
    asc_run_free(other);
    close_scene(&s);
  }
}

/* What a seek must show: the events of the steps around it, and the state. */
static void check_seek(scene *s, asc_timeline *timeline, const uint64_t *forward, const asc_event *events, uint64_t step,
                       uint32_t around) {
  asc_run_view view;
  const asc_event *told;
  uint32_t count;
  assert_int_equal(asc_timeline_seek(timeline, step, around, around, &view), ASC_OK);
  CHECK(hash_view(&view) == forward[step], "%s: sought step %d", s->what, (int)step);
  asc_log_get(asc_timeline_log(timeline), &told, &count, NULL, NULL);
  for (uint32_t k = 0; k < count; k++) {
    if (told[k].kind >= ASC_STEP_COUNT) continue;
    const asc_event *expected = &events[told[k].step];
    CHECK(told[k].kind == expected->kind && memcmp(told[k].args, expected->args, sizeof told[k].args) == 0,
          "%s: sought step %d tells another step %d", s->what, (int)step, (int)told[k].step);
  }
}

/* Goes forward step by step: the state after each, and the event of each. */
static void go_forward(scene *s, uint64_t *states, asc_event *events) {
  asc_run *run = new_run(s);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(s->context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  for (uint32_t step = 0; step <= s->model.ops + 1; step++) {
    asc_run_view view;
    uint32_t details;
    if (step) {
      asc_log_clear(log);
      assert_int_equal(asc_run_step(run, 1, NULL), ASC_OK);
      events[step] = *step_of(log, &details);
    }
    assert_int_equal(asc_run_view_get(run, &view), ASC_OK);
    states[step] = hash_view(&view);
  }
  asc_run_free(run);
  asc_log_free(log);
}

static void seeking_shows_what_going_forward_did(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < test_cases(300); seed++) {
    static scene s;
    uint64_t states[NAIVE_OPS + 2];
    asc_event events[NAIVE_OPS + 2];
    asci_rng rng = {seed};
    open_scene(&s, seed);
    go_forward(&s, states, events);
    asc_timeline *timeline = NULL;
    asc_run_stats whole, sought;
    assert_int_equal(asc_timeline_new(asc_input_graph(s.lowering), &s.config, 4096, &timeline, NULL), ASC_OK);
    assert_int_equal(asc_timeline_step(timeline, asci_random_below(&rng, s.model.ops + 2), NULL), ASC_OK);
    uint64_t ahead = 0;
    for (uint32_t k = 0; k < 30; k++) {
      if (k == 15) assert_int_equal(asc_timeline_step(timeline, 1000, NULL), ASC_OK);
      asc_run_stats_get(asc_timeline_run(timeline), &whole);
      ahead = whole.steps;
      check_seek(&s, timeline, states, events, asci_random_below(&rng, ahead + 1), (uint32_t)asci_random_below(&rng, 4));
    }
    asc_run_view view;
    assert_int_equal(asc_timeline_seek(timeline, ahead, 0, 0, &view), ASC_OK);
    asc_run_stats_get(asc_timeline_cursor(timeline), &sought);
    assert_true(sought.digest == whole.digest && sought.height == whole.height && sought.cost == whole.cost);
    asc_timeline_free(timeline);
    close_scene(&s);
  }
}

/* ---- memory, options, cancelling ------------------------------------------------------------------------------------- */

/* A seek that lacked memory leaves nothing behind: the next one shows what it should. */
static void a_seek_without_memory_can_be_repeated(void **state) {
  (void)state;
  for (uint64_t fail = 1; fail < 60; fail++) {
    test_memory memory = {0};
    asc_context *context = test_context_on(&memory);
    asc_graph *graph = NULL;
    asc_lowering *lowering = NULL;
    asc_timeline *timeline = NULL;
    asc_run_view view;
    asc_run_config config = asc_run_config_default("list-schedule", 64);
    size_t count;
    assert_int_equal(asc_graph_csv_read(context, test_two_branches, strlen(test_two_branches), &graph, NULL, 0, &count),
                     ASC_OK);
    assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
    assert_int_equal(asc_timeline_new(asc_input_graph(lowering), &config, 4096, &timeline, NULL), ASC_OK);
    assert_int_equal(asc_timeline_step(timeline, 100, NULL), ASC_OK);
    assert_int_equal(asc_timeline_seek(timeline, 3, 1, 1, &view), ASC_OK);
    uint64_t expected = hash_view(&view);
    assert_int_equal(asc_timeline_seek(timeline, 5, 1, 1, &view), ASC_OK);
    memory.fail_at = memory.calls + fail;
    asc_status status = asc_timeline_seek(timeline, 3, 1, 1, &view);
    assert_true(status == ASC_OK || status == ASC_OUT_OF_MEMORY);
    memory.fail_at = 0;
    assert_int_equal(asc_timeline_seek(timeline, 3, 1, 1, &view), ASC_OK);
    CHECK(hash_view(&view) == expected, "call %d failed: another state", (int)fail);
    asc_timeline_free(timeline);
    asc_lowering_free(lowering);
    asc_graph_free(graph);
    asc_context_free(context);
    assert_int_equal(memory.live, 0);
  }
}

static void addresses_come_from_any_solver_of_buffers(void **state) {
  (void)state;
  const asc_option *option = &asc_solver_find("list-schedule")->options[1];
  uint32_t named = 0, known = test_solver_count();
  static scene s;
  open_scene(&s, 7);
  for (const char *at = option->choices; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL, named++) {
    char id[40];
    snprintf(id, sizeof id, "%.*s", (int)strcspn(at, "|"), at);
    const asc_solver_info *solver = asc_solver_find(named ? id : "exact");
    CHECK(named ? strcmp(id, "auto") : !strcmp(id, "auto"), "choice %u is %s", named, id);
    CHECK(solver && solver->domain == ASC_DOMAIN_BUFFERS, "%s is no solver of buffers", id);
    s.set[1].value = id;
    asc_run *run = NULL;
    asc_status status = asc_run_new(asc_input_graph(s.lowering), &s.config, &run, NULL);
    assert_true(status == ASC_OK || status == ASC_UNSUPPORTED);
    asc_plan plan;
    if (!status) test_finish(run);
    assert_true(status || asc_run_plan(run, &plan));
    asc_run_free(run);
  }
  assert_int_equal(named, known + 1); /* and auto */
  close_scene(&s);
}

static void buffers_and_graphs_are_told_apart(void **state) {
  (void)state;
  static scene s;
  open_scene(&s, 3);
  asc_run *run = NULL;
  asc_diag diag;
  asc_input buffers = asc_input_buffers(asc_lowering_problem(s.lowering)), graph = asc_input_graph(s.lowering);
  assert_int_equal(asc_run_new(buffers, &s.config, &run, &diag), ASC_UNSUPPORTED);
  assert_string_equal(diag.message, "this solver takes a model's graph, not buffers");
  asc_run_config config = asc_run_config_default("greedy", 64);
  assert_int_equal(asc_run_new(graph, &config, &run, &diag), ASC_UNSUPPORTED);
  assert_string_equal(diag.message, "this solver takes buffers, not a model's graph");
  assert_int_equal(asc_run_new(asc_input_selection(s.lowering), &s.config, &run, &diag), ASC_UNSUPPORTED);
  assert_memory_equal(diag.message, "this solver orders operators", 28);
  config = asc_run_config_default("select", 64);
  config.goal = ASC_GOAL_TRAFFIC;
  assert_int_equal(asc_run_new(graph, &config, &run, &diag), ASC_UNSUPPORTED);
  assert_memory_equal(diag.message, "this solver selects tensors", 27);
  s.config.goal = ASC_GOAL_HEIGHT;
  assert_int_equal(asc_run_new(graph, &s.config, &run, &diag), ASC_UNSUPPORTED);
  assert_string_equal(diag.field, "goal");
  close_scene(&s);
}

static void budget_and_cancel_can_be_resumed(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < 40; seed++) {
    static scene s;
    open_scene(&s, seed);
    asc_run *whole = new_run(&s);
    test_finish(whole);
    s.config.budget = 1;
    asc_run *run = new_run(&s);
    assert_int_equal(test_finish(run), ASC_OUTCOME_BUDGET_SPENT);
    asc_run_resume(run, s.model.ops);
    assert_int_equal(test_finish(run), s.model.ops > 0 ? ASC_OUTCOME_BUDGET_SPENT : ASC_OUTCOME_RUNNING);
    asc_run_resume(run, 0);
    asc_run_cancel(run);
    assert_int_equal(test_finish(run), ASC_OUTCOME_CANCELLED);
    asc_run_resume(run, 0);
    test_finish(run);
    assert_true(hash_run(run) == hash_run(whole));
    asc_run_free(run);
    asc_run_free(whole);
    close_scene(&s);
  }
}

/* Two that live together, of which the larger leaves no multiple of the other's alignment below the greatest address. */
static void no_solver_of_buffers_has_a_plan(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_diag diag = {0};
  assert_int_equal(asc_graph_new(context, &graph), ASC_OK);
  asc_tensor_spec tensors[] = {{"x", 2, ASC_TENSOR_INPUT, ASC_MAX_TENSOR_ALIGNMENT, NULL, NULL, NULL},
                               {"y", ASC_MAX_BYTES - 2, ASC_TENSOR_OUTPUT, ASC_MAX_TENSOR_ALIGNMENT, NULL, NULL, NULL}};
  for (uint32_t k = 0; k < 2; k++) assert_int_equal(asc_graph_add_tensor(graph, &tensors[k], &diag), ASC_OK);
  asc_op_spec op = {.id = "op", .inputs = (uint32_t[]){0}, .outputs = (uint32_t[]){1}, .input_count = 1, .output_count = 1};
  assert_int_equal(asc_graph_add_op(graph, &op, &diag), ASC_OK);
  assert_int_equal(asc_graph_freeze(graph, &diag), ASC_OK);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, &diag), ASC_OK);
  for (uint32_t k = 0; k < COUNT(allocators); k++) {
    asc_run_config config = asc_run_config_default("list-schedule", ASC_MAX_BYTES);
    asc_option_value option = {"allocator", allocators[k]};
    asc_run *run = NULL;
    asc_run_stats stats;
    config.options = &option;
    config.option_count = 1;
    assert_int_equal(asc_run_new(asc_input_graph(lowering), &config, &run, &diag), ASC_OK);
    test_finish(run);
    asc_run_stats_get(run, &stats);
    CHECK(stats.outcome == ASC_OUTCOME_EXHAUSTED && stats.height < 0, "%s: %s", allocators[k],
          asc_outcome_id(stats.outcome));
    asc_run_free(run);
  }
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

/* Of so many buffers the exact solver is not asked where the quick one finds no room; the last one has a plan above the capacity. */
static void many_buffers_are_not_searched(void **state) {
  (void)state;
  enum { MANY = 2100, ROOM = 1 << 18 };
  static char text[ROOM];
  size_t used = 0, faults;
  asc_context *context = test_context();
  asc_graph *graph = NULL;
  asc_lowering *lowering = NULL;
  asc_run *run = NULL;
  asc_run_stats stats;
  for (uint32_t k = 0; k < MANY; k++)
    used += (size_t)snprintf(text + used, ROOM - used, "tensor,t%u,2\nop,o%u,O,,t%u\n", k, k, k);
  used += (size_t)snprintf(text + used, ROOM - used, "op,last,O,t0,\n");
  assert_int_equal(asc_graph_csv_read(context, text, used, &graph, NULL, 0, &faults), ASC_OK);
  assert_int_equal(asc_lower(graph, NULL, 0, &lowering, NULL), ASC_OK);
  asc_run_config config = asc_run_config_default("list-schedule", 1);
  assert_int_equal(asc_run_new(asc_input_graph(lowering), &config, &run, NULL), ASC_OK);
  assert_int_equal(test_finish(run), ASC_OUTCOME_OVER_CAPACITY);
  asc_run_stats_get(run, &stats);
  CHECK(stats.height >= 2 && stats.height <= 4, "a height of %d", (int)stats.height);
  asc_run_free(run);
  asc_lowering_free(lowering);
  asc_graph_free(graph);
  test_context_end(context);
}

int run_schedule_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_as_defined),
      cmocka_unit_test(rules_agree_with_the_lowering),
      cmocka_unit_test(saved_and_loaded_at_every_step),
      cmocka_unit_test(damaged_saves_do_no_harm),
      cmocka_unit_test(seeking_shows_what_going_forward_did),
      cmocka_unit_test(a_seek_without_memory_can_be_repeated),
      cmocka_unit_test(addresses_come_from_any_solver_of_buffers),
      cmocka_unit_test(no_solver_of_buffers_has_a_plan),
      cmocka_unit_test(many_buffers_are_not_searched),
      cmocka_unit_test(buffers_and_graphs_are_told_apart),
      cmocka_unit_test(budget_and_cancel_can_be_resumed),
  };
  return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
