/* The local search tree: what asc_timeline_path gathers backwards, in slices and from the overview, is what a walk forward over every event
 * of the run finds. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

/* The tree by the simplest means: nodes and attempts are stacks that grow and shrink with the search. */
typedef struct walk {
  asc_path_node *nodes;  /* by buffers placed */
  asc_attempt *children; /* by buffers placed before: the last placement there */
  asc_attempt *attempts;
  uint32_t count, room, depth;
} walk;

static walk new_walk(uint32_t buffers) {
  walk w = {.room = 64};
  w.nodes = calloc(buffers + 1, sizeof *w.nodes);
  w.children = calloc(buffers + 1, sizeof *w.children);
  w.attempts = calloc(w.room, sizeof *w.attempts);
  assert_true(w.nodes && w.children && w.attempts);
  return w;
}

static void end_walk(walk *w) {
  free(w->nodes);
  free(w->children);
  free(w->attempts);
}

static void add(walk *w, asc_attempt attempt) {
  if (w->count == w->room) {
    w->room *= 2;
    w->attempts = realloc(w->attempts, w->room * sizeof *w->attempts);
    assert_non_null(w->attempts);
  }
  w->attempts[w->count++] = attempt;
}

static asc_attempt attempt_of(const asc_event *event) {
  asc_attempt made = {.step = event->step, .end = event->step, .count = 1, .kind = event->kind, .rule = ASC_RULE_NONE};
  if (event->kind == ASC_EVENT_PLACE) {
    made.buffer = (uint32_t)event->place.buffer;
    made.offset = event->place.offset;
  } else if (event->kind == ASC_EVENT_REJECT) {
    made.buffer = (uint32_t)event->reject.buffer;
    made.offset = event->reject.offset;
    made.rule = (uint16_t)event->reject.rule;
  } else if (event->kind == ASC_EVENT_SKIP) {
    made.buffer = (uint32_t)event->skip.buffer;
    made.offset = event->skip.offset;
    made.rule = (uint16_t)event->skip.rule;
    made.count = (uint32_t)event->skip.count;
  } else {
    assert_int_equal(event->kind, ASC_EVENT_WASTE);
    made.buffer = ASC_NONE;
    made.offset = event->waste.floor;
    made.count = 0;
  }
  return made;
}

static void take_back(walk *w, const asc_event *event) {
  uint32_t to = (uint32_t)event->backtrack.to;
  assert_int_equal(w->depth, event->backtrack.from);
  assert_int_equal(to, event->depth);
  if (to == w->depth) return;
  w->count = w->nodes[to + 1].first;
  asc_attempt child = w->children[to];
  child.end = event->step;
  add(w, child);
}

/* Returns whether the event is a step of its own. */
static bool walk_on(walk *w, const asc_event *event) {
  switch (event->kind) {
  case ASC_EVENT_PLACE:
    assert_int_equal(event->depth, w->depth + 1);
    w->children[w->depth] = attempt_of(event);
    w->nodes[event->depth] = (asc_path_node){.step = event->step, .first = w->count};
    break;
  case ASC_EVENT_REJECT:
  case ASC_EVENT_SKIP:
  case ASC_EVENT_WASTE:
    assert_int_equal(event->depth, w->depth);
    add(w, attempt_of(event));
    break;
  case ASC_EVENT_BACKTRACK:
    take_back(w, event);
    break;
  case ASC_EVENT_RESTART:
  case ASC_EVENT_PROBE:
    w->count = w->nodes[event->depth].first;
    w->nodes[event->depth].step = event->step;
    break;
  case ASC_EVENT_EJECT: /* whoever is taken out, the nodes below are other ones now */
  case ASC_EVENT_SWAP:  /* everything is placed anew */
  case ASC_EVENT_SWAP_BACK:
  case ASC_EVENT_WINDOW: /* others are in now, or lie elsewhere */
  case ASC_EVENT_LIFT:
  case ASC_EVENT_DROP:
  case ASC_EVENT_POOL: /* what was placed before is a plan, however the search left it */
    w->count = 0;
    memset(w->nodes, 0, (event->depth + 1) * sizeof *w->nodes);
    w->nodes[event->depth].step = event->step;
    break;
  case ASC_EVENT_NO_FIT:
  case ASC_EVENT_COLLIDE:
  case ASC_EVENT_ADVANCE:
  case ASC_EVENT_NEW_SLOT:
  case ASC_EVENT_BOUND:
  case ASC_EVENT_NO_LIFT:
  case ASC_EVENT_PROOF:
  case ASC_EVENT_TABULATE:
  case ASC_EVENT_EXCHANGE:
    break;
  default:
    CHECK(event->kind >= ASC_STEP_COUNT, "step %d is of kind %d, of which nothing is said here", (int)event->step,
          event->kind);
    return false;
  }
  w->depth = event->depth;
  return true;
}

/* ---- comparing ---- */

static bool same_attempt(const asc_attempt *a, const asc_attempt *b) {
  return a->step == b->step && a->end == b->end && a->offset == b->offset && a->buffer == b->buffer &&
         a->count == b->count && a->kind == b->kind && a->rule == b->rule;
}

static void compare(const char *name, const walk *w, const asc_path *path, uint32_t levels, uint32_t most) {
  int at = (int)path->step;
  CHECK(path->depth == w->depth, "%s: step %d: depth %u, expected %u", name, at, path->depth, w->depth);
  assert_int_equal(path->top, w->depth > levels ? w->depth - levels : 0);
  uint32_t kept = 0;
  for (uint32_t level = path->top; level <= path->depth; level++) {
    const asc_path_node *node = &path->nodes[level - path->top], *own = &w->nodes[level];
    uint32_t end = level < w->depth ? w->nodes[level + 1].first : w->count, count = end - own->first;
    uint32_t shown = count < most ? count : most;
    assert_true(node->whole);
    CHECK(node->step == own->step, "%s: step %d, node %u: opened at %d, expected %d", name, at, level, (int)node->step,
          (int)own->step);
    CHECK(node->count == shown && node->more == count - shown, "%s: step %d, node %u: %u and %u attempts, expected %u", name,
          at, level, node->count, node->more, count);
    for (uint32_t k = 0; k < shown; k++)
      CHECK(same_attempt(&path->attempts[node->first + k], &w->attempts[end - shown + k]),
            "%s: step %d, node %u: attempt %u of step %d, expected %d", name, at, level, k,
            (int)path->attempts[node->first + k].step, (int)w->attempts[end - shown + k].step);
    kept += shown;
  }
  assert_int_equal(path->attempt_count, kept);
}

/* Asks until the path is whole: in slices, now and then with a seek between them, as the page does. */
static asc_path ask(test_case *each, asc_timeline *timeline, uint64_t step, uint32_t levels, uint32_t most) {
  uint64_t limit = asci_random_below(each->rng, 3) ? 1 + asci_random_below(each->rng, 3000) : 0, before = UINT64_MAX;
  asc_path path;
  for (;;) {
    assert_int_equal(asc_timeline_path(timeline, step, levels, most, limit, &path), ASC_OK);
    assert_int_equal(path.step, step);
    if (path.whole) return path;
    CHECK(limit && path.from < before, "%s: the look at step %d stands at %d", each->name, (int)step, (int)path.from);
    before = path.from;
    asc_run_view view;
    if (asci_random_below(each->rng, 4) == 0)
      assert_int_equal(asc_timeline_seek(timeline, asci_random_below(each->rng, step + 1), 3, 3, &view), ASC_OK);
  }
}

static void check_open_node(test_case *each, asc_timeline *timeline, const asc_path *path, const asc_event *next) {
  asc_run_view view;
  assert_int_equal(asc_timeline_seek(timeline, path->step, 0, 0, &view), ASC_OK);
  assert_int_equal(view.open_tried, path->tried);
  assert_int_equal(view.open_candidates, path->candidates);
  assert_true(path->tried <= path->candidates);
  if (!next || next->kind != ASC_EVENT_PLACE || next->step != path->step + 1 || !path->candidates) return;
  CHECK(next->place.of == path->candidates, "%s: step %d: %u candidates, of which the next step places one of %d",
        each->name, (int)path->step, path->candidates, (int)next->place.of);
  assert_true(path->tried < path->candidates);
}

static void check_steps(test_case *each, asc_timeline *timeline, const asc_event *events, uint32_t count) {
  walk w = new_walk(asc_problem_count(each->problem));
  uint64_t every = 1 + count / 12;
  for (uint32_t k = 0; k < count; k++) {
    if (!walk_on(&w, &events[k])) continue;
    if (asci_random_below(each->rng, every) && k + 1 < count && events[k].kind != ASC_EVENT_PROBE) continue;
    uint32_t levels = asci_random_below(each->rng, 2) ? UINT32_MAX : (uint32_t)asci_random_below(each->rng, 6);
    uint32_t most = asci_random_below(each->rng, 2) ? UINT32_MAX : (uint32_t)asci_random_below(each->rng, 5);
    asc_path path = ask(each, timeline, events[k].step, levels, most);
    compare(each->name, &w, &path, levels, most);
    uint32_t next = k + 1;
    while (next < count && events[next].step == events[k].step) next++;
    check_open_node(each, timeline, &path, next < count ? &events[next] : NULL);
  }
  end_walk(&w);
}

static asc_timeline *ended_timeline(test_case *each) {
  asc_timeline *timeline = test_case_timeline(each, asci_random_below(each->rng, 2) ? 1u << 20 : 2000);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) assert_int_equal(asc_timeline_step(timeline, 5000, &outcome), ASC_OK);
  return timeline;
}

static void paths(test_case *each) {
  asc_log *log = NULL;
  const asc_event *events;
  uint32_t count;
  assert_int_equal(asc_log_new(each->context, 0, &log), ASC_OK);
  asc_run *run = test_case_run(each);
  asc_run_attach(run, log);
  test_finish(run);
  asc_run_free(run);
  asc_log_get(log, &events, &count, NULL, NULL);
  asc_timeline *timeline = ended_timeline(each);
  check_steps(each, timeline, events, count);
  asc_path path;
  assert_int_equal(asc_timeline_path(timeline, 0, 8, 8, 0, &path), ASC_OK);
  assert_true(path.whole && path.depth == 0 && path.nodes[0].step == 0 && path.attempt_count == 0);
  asc_timeline_free(timeline);
  asc_log_free(log);
}

static void paths_are_those_of_a_walk(void **state) {
  (void)state;
  test_each_case(test_cases(30), 311, paths);
}

/* ---- cost ---- */

/* At the end of a long search only the steps that come down to the nodes asked about are taken again. */
static void a_short_path_of_a_long_search_is_cheap(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[16];
  for (int b = 0; b < 16; b++) specs[b] = test_spec(0, 10 + b % 2, 3 + b % 3);
  asc_problem *problem = test_problem(context, specs, 16);
  test_options options;
  test_all_off(asc_solver_find("minimalloc"), &options);
  asc_run_config config = test_config("minimalloc", asc_problem_lower_bound(problem) - 1, &options);
  config.budget = 1000000;
  asc_timeline *timeline = NULL;
  asc_outcome outcome;
  assert_int_equal(asc_timeline_new(asc_input_buffers(problem), &config, 1u << 22, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, config.budget + 1, &outcome), ASC_OK);
  assert_int_equal(outcome, ASC_OUTCOME_BUDGET_SPENT);
  asc_path path;
  assert_int_equal(asc_timeline_path(timeline, config.budget, 3, 16, 20000, &path), ASC_OK);
  assert_true(path.whole);
  assert_true(path.depth > 3 && path.top == path.depth - 3);
  /* the same once more with fewer attempts of each node */
  assert_int_equal(asc_timeline_path(timeline, config.budget, 3, 1, 20000, &path), ASC_OK);
  assert_true(path.whole);
  for (uint32_t k = 0; k < 4; k++) assert_true(path.nodes[k].count <= 1);
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  test_context_end(context);
}

int run_path_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paths_are_those_of_a_walk),
      cmocka_unit_test(a_short_path_of_a_long_search_is_cheap),
  };
  return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
