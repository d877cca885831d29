/* Time travel: every step that a timeline shows is the step of a run that walked there, and finding equals looking at all events. */
#include "base/text/format.h"
#include "cases.h"
#include "solve/ladder/tries.h"
#include "solve/run.h"
#include "trace/log.h"

#include <stdlib.h>
#include <string.h>

typedef struct history {
  asc_log *log;    /* every event of the whole run */
  asc_run *walked; /* a run without a timeline, at the step last looked at */
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  uint64_t steps;
} history;

static history record(test_case *each) {
  history all = {0};
  asc_run_stats stats;
  assert_int_equal(asc_log_new(each->context, 0, &all.log), ASC_OK);
  asc_run *run = test_case_run(each);
  asc_run_attach(run, all.log);
  test_finish(run);
  asc_run_stats_get(run, &stats);
  asc_log_get(all.log, &all.events, &all.count, &all.lists, NULL);
  all.steps = stats.steps;
  asc_run_free(run);
  return all;
}

static void forget(history *all) {
  asc_run_free(all->walked);
  asc_log_free(all->log);
}

/* A run that has taken so many steps, on from where it is if that is not later. */
static asc_run *walk_to(test_case *each, history *all, uint64_t step) {
  asc_run_stats stats = {0};
  if (all->walked) asc_run_stats_get(all->walked, &stats);
  if (!all->walked || stats.steps > step) {
    asc_run_free(all->walked);
    all->walked = test_case_run(each);
    stats.steps = 0;
  }
  assert_int_equal(asc_run_step(all->walked, step - stats.steps, NULL), ASC_OK);
  return all->walked;
}

static void go_to_the_end(test_case *each, asc_timeline *timeline) {
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING)
    assert_int_equal(asc_timeline_step(timeline, 1 + asci_random_below(each->rng, 5000), &outcome), ASC_OK);
}

/* ---- windows of events ---- */

/* The timeline's log must hold the events of steps first + 1 .. last, lists and all; and of step 0, if that is first. */
static void check_window(const test_case *each, const history *all, const asc_timeline *timeline, uint64_t first,
                         uint64_t last) {
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count, from = 0;
  uint64_t dropped;
  asc_log_get(asc_timeline_log(timeline), &events, &count, &lists, &dropped);
  assert_int_equal(dropped, 0);
  if (!all->steps) return; /* the plan of no buffers is told by no step */
  while (first && from < all->count && all->events[from].step <= first) from++;
  for (uint32_t k = 0; k < count; k++) {
    CHECK(from + k < all->count && all->events[from + k].step <= last, "%s: window %d-%d: event %u of step %d too many",
          each->name, (int)first, (int)last, k, (int)events[k].step);
    const asc_event *a = &events[k], *b = &all->events[from + k];
    bool same = a->step == b->step && a->kind == b->kind && a->line == b->line && a->depth == b->depth &&
                a->list_count == b->list_count && !memcmp(a->args, b->args, sizeof a->args);
    CHECK(same, "%s: window %d-%d: event %u differs", each->name, (int)first, (int)last, k);
    if (a->list_count) assert_memory_equal(lists + a->list, all->lists + b->list, a->list_count * sizeof *lists);
  }
  bool complete = from + count == all->count || all->events[from + count].step > last;
  CHECK(complete, "%s: window %d-%d: events are missing", each->name, (int)first, (int)last);
}

static uint64_t digest_of(const asc_run *run) {
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  return stats.digest;
}

static void check_seek(test_case *each, history *all, asc_timeline *timeline, uint64_t step) {
  uint64_t before = asci_random_below(each->rng, 90), after = asci_random_below(each->rng, 90);
  if (asci_random_below(each->rng, 3) == 0) before = after = 0;
  asc_run_view seen, walked;
  assert_int_equal(asc_timeline_seek(timeline, step, before, after, &seen), ASC_OK);
  asc_run *run = walk_to(each, all, step);
  assert_int_equal(asc_run_view_get(run, &walked), ASC_OK);
  uint32_t n = asc_problem_count(each->problem);
  assert_int_equal(seen.step, step);
  CHECK(seen.depth == walked.depth, "%s: step %d: depth %u, expected %u", each->name, (int)step, seen.depth, walked.depth);
  assert_int_equal(!seen.stack, !walked.stack);
  assert_int_equal(!seen.min_offsets, !walked.min_offsets);
  assert_int_equal(!seen.tried, !walked.tried);
  if (n) assert_memory_equal(seen.offsets, walked.offsets, n * sizeof *seen.offsets);
  if (n && seen.min_offsets) assert_memory_equal(seen.min_offsets, walked.min_offsets, n * sizeof *seen.min_offsets);
  if (seen.depth && seen.stack) assert_memory_equal(seen.stack, walked.stack, seen.depth * sizeof *seen.stack);
  if (seen.depth && seen.tried) assert_memory_equal(seen.tried, walked.tried, seen.depth * sizeof *seen.tried);
  if (seen.depth && seen.candidates)
    assert_memory_equal(seen.candidates, walked.candidates, seen.depth * sizeof *seen.candidates);
  assert_int_equal(!seen.phases, !walked.phases);
  if (n && seen.phases) assert_memory_equal(seen.phases, walked.phases, n * sizeof *seen.phases);
  if (after == 0) assert_true(digest_of(asc_timeline_cursor(timeline)) == digest_of(run));
  uint64_t last = step + after < all->steps ? step + after : all->steps;
  check_window(each, all, timeline, before < step ? step - before : 0, last);
}

static void seeks(test_case *each) {
  history all = record(each);
  size_t budget = asci_random_below(each->rng, 2) ? 1u << 20 : 600;
  asc_timeline *timeline = test_case_timeline(each, budget);
  /* Half the time the cursor moves while the run is still going. */
  if (asci_random_below(each->rng, 2)) {
    assert_int_equal(asc_timeline_step(timeline, 1500, NULL), ASC_OK);
    check_seek(each, &all, timeline, asci_random_below(each->rng, (all.steps < 1500 ? all.steps : 1500) / 2 + 1) / 2);
  }
  go_to_the_end(each, timeline);
  asc_run *run = test_case_run(each);
  test_finish(run);
  test_same_stats(asc_timeline_run(timeline), run, each->name);
  asc_run_free(run);
  check_seek(each, &all, timeline, all.steps);
  check_seek(each, &all, timeline, 0);
  for (int k = 0; k < 8; k++) check_seek(each, &all, timeline, asci_random_below(each->rng, all.steps + 1));
  uint64_t at = asci_random_below(each->rng, all.steps + 1);
  for (uint64_t step = at > 3 ? at - 3 : 0; step < at; step++) check_seek(each, &all, timeline, at - (at - step));
  asc_run_view view;
  assert_int_equal(asc_timeline_seek(timeline, UINT64_MAX, 0, 0, &view), ASC_OK);
  assert_int_equal(view.step, all.steps);
  asc_timeline_free(timeline);
  forget(&all);
}

/* While the run is ahead by 1,500 steps only, the window of a seek ends there. The seeks above stay below half of it. */
static void seeking_equals_walking(void **state) {
  (void)state;
  test_each_case(test_cases(30), 301, seeks);
}

/* Tries of hundreds of buffers, more than trails are kept of: some steps are followed to, some are looked for again. */
static void tries_are_followed_or_made_again(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {77};
  uint32_t followed = 0, alone = 0;
  for (uint64_t seed = 0; seed < (test_is_sanitized() ? 1 : 2); seed++) {
    asc_problem *problem = NULL;
    int64_t capacity;
    assert_int_equal(asc_generate(context, "synthetic", 60, seed, &problem, &capacity), ASC_OK);
    test_case each = {.context = context, .problem = problem, .solver = asc_solver_find("large"), .rng = &rng};
    each.name = "large";
    each.config = test_config("large", capacity, NULL);
    each.options.goal = ASC_GOAL_HEIGHT;
    history all = record(&each);
    assert_true(all.steps > 10000);
    asc_timeline *timeline = test_case_timeline(&each, 1u << 20);
    assert_null(asc_timeline_cursor(timeline)); /* nobody has looked back yet */
    for (uint64_t at = 0; at < all.steps;) {
      at += asci_random_below(&rng, 9000);
      assert_int_equal(asc_timeline_step(timeline, at, NULL), ASC_OK);
      asc_run_stats stats;
      asc_run_stats_get(asc_timeline_run(timeline), &stats);
      at = stats.steps;
      check_seek(&each, &all, timeline, at < all.steps ? asci_random_below(&rng, at > 90 ? at - 90 : 1) : at);
    }
    uint32_t seeks = test_is_sanitized() ? 8 : 12;
    for (uint32_t k = 0; k < seeks; k++) {
      check_seek(&each, &all, timeline, k * all.steps / seeks + asci_random_below(&rng, all.steps / seeks));
      const asci_tries *tries = asc_timeline_cursor(timeline)->state;
      followed += tries->follows;
      alone += !tries->follows;
    }
    asc_timeline_free(timeline);
    forget(&all);
    asc_problem_free(problem);
  }
  assert_true(followed > 0 && alone > 0);
  test_context_end(context);
}

/* ---- keyframes ---- */

static void keyframes_stay_within_their_bytes(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[14];
  for (int b = 0; b < 14; b++) specs[b] = test_spec(0, 10 + b % 2, 3 + b % 3);
  asc_problem *problem = test_problem(context, specs, 14);
  test_options options;
  test_all_off(asc_solver_find("minimalloc"), &options);
  asc_run_config config = test_config("minimalloc", asc_problem_lower_bound(problem) - 1, &options);
  config.budget = 200000;
  const size_t budgets[] = {0, 100, 1000, 4000, SIZE_MAX};
  uint64_t spacings[COUNT(budgets)];
  for (uint32_t k = 0; k < COUNT(budgets); k++) {
    asc_timeline *timeline = NULL;
    assert_int_equal(asc_timeline_new(asc_input_buffers(problem), &config, budgets[k], &timeline, NULL), ASC_OK);
    asc_outcome outcome = ASC_OUTCOME_RUNNING;
    while (outcome == ASC_OUTCOME_RUNNING) {
      size_t bytes;
      assert_int_equal(asc_timeline_step(timeline, 7000, &outcome), ASC_OK);
      spacings[k] = asc_timeline_spacing(timeline, &bytes);
      assert_true(bytes <= budgets[k]);
    }
    assert_int_equal(outcome, ASC_OUTCOME_BUDGET_SPENT);
    for (uint64_t step = 199999; step > 0; step /= 3) {
      asc_run_view view;
      asc_run *run = test_run_new(problem, &config);
      assert_int_equal(asc_timeline_seek(timeline, step, 0, 0, &view), ASC_OK);
      assert_int_equal(asc_run_step(run, step, NULL), ASC_OK);
      assert_true(digest_of(asc_timeline_cursor(timeline)) == digest_of(run));
      asc_run_free(run);
    }
    asc_timeline_free(timeline);
  }
  assert_true(spacings[0] > spacings[3] && spacings[3] > spacings[4]);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- finding ---- */

/* The counters after each step, by walking. */
static asc_run_stats *walk(test_case *each, uint64_t steps) {
  asc_run_stats *after = calloc(steps + 1, sizeof *after);
  assert_non_null(after);
  asc_run *run = test_case_run(each);
  for (uint64_t step = 0; step <= steps; step++) {
    if (step) assert_int_equal(asc_run_step(run, 1, NULL), ASC_OK);
    asc_run_stats_get(run, &after[step]);
    assert_int_equal(after[step].steps, step);
  }
  asc_run_free(run);
  return after;
}

static bool is_listed(const history *all, const asc_event *event, uint32_t buffer) {
  for (uint32_t k = 0; k < event->list_count; k++)
    if (all->lists[event->list + k] == buffer) return true;
  return false;
}

/* What a step does to a buffer, kind by kind. */
static uint32_t roles_of(const history *all, const asc_event *event, uint32_t buffer) {
  enum {
    PUTS = 1u << ASC_ROLE_PUTS,
    TAKES = 1u << ASC_ROLE_TAKES,
    TRIES = 1u << ASC_ROLE_TRIES,
    NAMES = 1u << ASC_ROLE_NAMES
  };
  bool listed = is_listed(all, event, buffer);
  switch (event->kind) {
  case ASC_EVENT_PLACE:
    return event->place.buffer == buffer ? PUTS : 0;
  case ASC_EVENT_REJECT:
    return event->reject.buffer == buffer ? TRIES : 0;
  case ASC_EVENT_NO_FIT:
    return event->no_fit.buffer == buffer ? TRIES : 0;
  case ASC_EVENT_COLLIDE:
    return (event->collide.buffer == buffer ? TRIES : 0) | (event->collide.other == buffer ? NAMES : 0);
  case ASC_EVENT_SKIP:
    return event->skip.buffer == buffer || listed ? TRIES : 0;
  case ASC_EVENT_NEW_SLOT:
    return event->new_slot.buffer == buffer ? NAMES : 0;
  case ASC_EVENT_BACKTRACK:
    return listed ? TAKES : 0;
  case ASC_EVENT_EJECT:
    return (event->eject.buffer == buffer ? PUTS : 0) | (listed ? TAKES : 0);
  case ASC_EVENT_SWAP:
    return (event->swap.buffer == buffer || event->swap.other == buffer ? NAMES : 0) | (listed ? PUTS : 0);
  case ASC_EVENT_SWAP_BACK:
    return event->swap_back.buffer == buffer || event->swap_back.other == buffer ? TRIES : 0;
  case ASC_EVENT_WINDOW:
    return listed ? PUTS : 0;
  case ASC_EVENT_LIFT:
    return (event->lift.buffer == buffer || listed ? PUTS : 0) | (event->lift.other == buffer ? NAMES : 0);
  case ASC_EVENT_NO_LIFT:
    return (event->no_lift.buffer == buffer ? TRIES : 0) |
           (event->no_lift.other == buffer || event->no_lift.blocked == buffer ? NAMES : 0);
  case ASC_EVENT_DROP:
    return (event->drop.buffer == buffer || listed ? TAKES : 0) | (event->drop.other == buffer ? NAMES : 0);
  case ASC_EVENT_PROOF:
  case ASC_EVENT_EXCHANGE:
    return listed ? NAMES : 0;
  case ASC_EVENT_TABULATE:
    return event->tabulate.buffer == buffer ? NAMES : 0;
  case ASC_EVENT_RESTART:
  case ASC_EVENT_ADVANCE:
  case ASC_EVENT_WASTE:
  case ASC_EVENT_PROBE:
  case ASC_EVENT_BOUND:
  case ASC_EVENT_SCHEDULE:
  case ASC_EVENT_ALLOCATE:
  case ASC_EVENT_POOL:
  case ASC_EVENT_EXPAND:
    return 0;
  default:
    CHECK(event->kind >= ASC_STEP_COUNT, "step %d is of kind %d, of which nothing is said here", (int)event->step,
          event->kind);
    return 0;
  }
}

static bool has_role(const history *all, const asc_event *event, const asc_condition *c) {
  if (c->buffer == ASC_NONE) return true;
  return (roles_of(all, event, c->buffer) & (c->roles ? c->roles : UINT32_MAX)) != 0;
}

/* By definition, from the step's event and the counters on both sides of it. */
static bool matches(const history *all, const asc_run_stats *after, const asc_event *event, const asc_condition *c) {
  const asc_run_stats *now = &after[event->step], *then = now - 1;
  bool ruled = c->rules == 0;
  for (uint32_t r = 0; r < ASC_RULE_COUNT; r++) ruled = ruled || ((c->rules >> r & 1) && now->rules[r] != then->rules[r]);
  bool major = !c->major || event->kind != ASC_EVENT_BACKTRACK || event->backtrack.major;
  bool section = c->section == ASC_NONE || (event->kind == ASC_EVENT_REJECT && event->reject.section == c->section);
  bool above = c->above == ASC_NONE || (now->depth > c->above && !(then->depth > c->above));
  bool buffer = has_role(all, event, c);
  return (c->kinds >> event->kind & 1) && ruled && major && section && above && buffer;
}

static uint64_t find_slowly(const history *all, const asc_run_stats *after, uint64_t from, bool forward,
                            const asc_condition *conditions, uint32_t count) {
  uint64_t found = 0;
  for (uint32_t k = 0; k < all->count; k++) {
    const asc_event *event = &all->events[k];
    bool any = false;
    for (uint32_t c = 0; c < count && event->step && event->kind < ASC_STEP_COUNT; c++)
      any = any || matches(all, after, event, &conditions[c]);
    if (!any) continue;
    if (forward && event->step > from) return event->step;
    if (!forward && event->step < from) found = event->step;
  }
  return found;
}

typedef struct wish {
  asc_condition conditions[3];
  uint32_t count;
  uint64_t from;
  bool forward;
} wish;

/* In slices with a limit, taking up where the last one stopped, the same step is found. */
static uint64_t find_in_slices(asc_timeline *timeline, const wish *w, uint64_t limit, uint64_t steps) {
  uint64_t step = 0, from = w->from, stopped = from;
  for (uint64_t calls = 0; calls < 2 * steps + 4; calls++) {
    asc_status status = asc_timeline_find(timeline, from, w->forward, w->conditions, w->count, limit, &step, &stopped);
    assert_int_equal(status, ASC_OK);
    if (step || stopped == from) return step;
    CHECK(w->forward ? stopped > from : stopped < from, "find went from %d to %d", (int)from, (int)stopped);
    from = stopped;
    if (w->forward ? from >= steps : from <= 1) return 0;
  }
  fail_msg("a search for a step did not come to its end");
  return 0;
}

/* One thing asked of a kind of step, or of any step, or two things at once; of the events that there are, so that some are met. */
static asc_condition draw_condition(test_case *each, const history *all) {
  asc_condition c = asc_condition_default();
  const asc_event *like = all->count ? &all->events[asci_random_below(each->rng, all->count)] : NULL;
  uint32_t n = asc_problem_count(each->problem), m = asc_problem_section_count(each->problem);
  switch (asci_random_below(each->rng, 8)) {
  case 0:
    c.rules = 1u << asci_random_below(each->rng, ASC_RULE_COUNT);
    break;
  case 1:
    c.buffer = (uint32_t)asci_random_below(each->rng, n + 1);
    break;
  case 6:
    c.roles = 1u + (uint32_t)asci_random_below(each->rng, 15);
    if (asci_random_below(each->rng, 4)) c.buffer = (uint32_t)asci_random_below(each->rng, n + 1);
    break;
  case 2:
    c.section = (uint32_t)asci_random_below(each->rng, m + 1);
    break;
  case 3:
    c.above = (uint32_t)asci_random_below(each->rng, n + 1);
    break;
  case 4:
    c.kinds = UINT64_C(1) << ASC_EVENT_BACKTRACK;
    c.major = asci_random_below(each->rng, 2);
    break;
  case 5:
    c.kinds = UINT64_C(1) << asci_random_below(each->rng, ASC_STEP_COUNT);
    break;
  default:
    c.kinds = UINT64_C(1) << (like && like->kind < ASC_STEP_COUNT ? like->kind : ASC_EVENT_PLACE);
  }
  if (like && like->kind == ASC_EVENT_REJECT && asci_random_below(each->rng, 2)) c.section = (uint32_t)like->reject.section;
  if (asci_random_below(each->rng, 5) == 0) c.kinds = UINT64_C(1) << asci_random_below(each->rng, ASC_STEP_COUNT);
  return c;
}

static void finds(test_case *each) {
  history all = record(each);
  asc_timeline *timeline = test_case_timeline(each, 1u << 16);
  asc_run_stats *after = walk(each, all.steps);
  go_to_the_end(each, timeline);
  for (int k = 0; k < 24; k++) {
    wish w = {.count = 1 + (uint32_t)asci_random_below(each->rng, 3),
              .from = asci_random_below(each->rng, all.steps + 2),
              .forward = asci_random_below(each->rng, 2)};
    for (uint32_t c = 0; c < w.count; c++) w.conditions[c] = draw_condition(each, &all);
    uint64_t step = UINT64_MAX, stopped;
    uint64_t expected = find_slowly(&all, after, w.from, w.forward, w.conditions, w.count);
    asc_status status = asc_timeline_find(timeline, w.from, w.forward, w.conditions, w.count, 0, &step, &stopped);
    assert_int_equal(status, ASC_OK);
    CHECK(step == expected, "%s: find from %d, %s: %d, expected %d", each->name, (int)w.from, w.forward ? "forward" : "back",
          (int)step, (int)expected);
    uint64_t limit = 1 + asci_random_below(each->rng, 3000);
    if (all.steps >= 4000) continue;
    step = find_in_slices(timeline, &w, limit, all.steps);
    CHECK(step == expected, "%s: find in slices of %d from %d, %s: %d, expected %d", each->name, (int)limit, (int)w.from,
          w.forward ? "forward" : "back", (int)step, (int)expected);
  }
  free(after);
  asc_timeline_free(timeline);
  forget(&all);
}

static void finding_equals_looking_at_all_events(void **state) {
  (void)state;
  test_each_case(test_cases(30), 302, finds);
}

/* ---- long searches --------------------------------------------------------------------------------------------------- */

/* More steps than the overview has buckets, and no bytes for keyframes. */
static asc_timeline *long_timeline(asc_context *context, asc_problem **problem, uint64_t *steps) {
  asc_buffer_spec specs[16];
  for (int b = 0; b < 16; b++) specs[b] = test_spec(0, 10 + b % 2, 3 + b % 3);
  *problem = test_problem(context, specs, COUNT(specs));
  test_options options;
  test_all_off(asc_solver_find("minimalloc"), &options);
  asc_run_config config = test_config("minimalloc", asc_problem_lower_bound(*problem) - 1, &options);
  config.budget = *steps = 3 * ASC_OVERVIEW_BUCKETS;
  asc_timeline *timeline = NULL;
  assert_int_equal(asc_timeline_new(asc_input_buffers(*problem), &config, 0, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, *steps + 1, NULL), ASC_OK);
  assert_true(asc_timeline_spacing(timeline, NULL) > 8192);
  return timeline;
}

/* What no step meets is looked for in stretches, as far as the limit goes; and nothing at all is met by none. */
static void a_long_search_is_looked_at_in_stretches(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem;
  uint64_t steps, step = 1, stopped = 1;
  asc_timeline *timeline = long_timeline(context, &problem, &steps);
  asc_overview overview;
  asc_run_overview(asc_timeline_run(timeline), &overview);
  assert_true(overview.width > 2);
  asc_condition nowhere = asc_condition_default();
  nowhere.section = 77; /* there is no such section */
  assert_int_equal(asc_timeline_find(timeline, 0, true, &nowhere, 1, 2, &step, &stopped), ASC_OK);
  assert_int_equal(step, 0);
  assert_int_equal(stopped % overview.width, 2); /* in the first bucket that may have one */
  assert_int_equal(asc_timeline_find(timeline, steps, false, &nowhere, 1, 5000, &step, &stopped), ASC_OK);
  assert_int_equal(step, 0);
  assert_true(stopped <= steps - 5000 && stopped + 2 * 5000 > steps);
  assert_int_equal(asc_timeline_find(timeline, 0, true, NULL, 0, 0, &step, &stopped), ASC_OK);
  assert_int_equal(step, 0);
  assert_int_equal(stopped, steps);
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- a run without its state ----------------------------------------------------------------------------------------- */

typedef struct chain {
  asc_graph *graph;
  asc_lowering *lowering;
  asc_run_config config;
} chain;

/* So many operators one behind the other, for a solver that keeps records. */
static chain begin_chain(asc_context *context, uint32_t ops) {
  chain c = {.config = asc_run_config_default("list-schedule", 64)};
  size_t room = 64 * ((size_t)ops + 1), used = 0;
  char *text = malloc(room);
  assert_non_null(text);
  for (uint32_t k = 0; k <= ops; k++)
    used += asci_format(text + used, room - used, "tensor,t%u,8%s\n", k, k == 0 ? ",input" : k == ops ? ",output" : "");
  for (uint32_t k = 0; k < ops; k++) used += asci_format(text + used, room - used, "op,o%u,F,t%u,t%u\n", k, k, k + 1);
  assert_int_equal(asc_graph_csv_read(context, text, used, &c.graph, NULL, 0, NULL), ASC_OK);
  assert_int_equal(asc_lower(c.graph, NULL, 0, &c.lowering, NULL), ASC_OK);
  free(text);
  return c;
}

static void end_chain(chain *c) {
  asc_lowering_free(c->lowering);
  asc_graph_free(c->graph);
}

/* Records are where they were told, and without them no step can be shown. */
static void without_records_nothing_is_shown(void **state) {
  (void)state;
  asc_context *context = test_context();
  chain c = begin_chain(context, 8);
  asc_timeline *timeline = NULL;
  asc_run_view view;
  assert_int_equal(asc_timeline_new(asc_input_graph(c.lowering), &c.config, 4096, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, 1000, NULL), ASC_OK);
  asc_run *run = asc_timeline_run(timeline);
  void *kept = run->state;
  run->state = NULL;
  assert_int_equal(asc_timeline_seek(timeline, 2, 0, 0, &view), ASC_OUT_OF_MEMORY);
  run->state = kept;
  assert_int_equal(asc_timeline_seek(timeline, 2, 0, 0, &view), ASC_OK);
  assert_int_equal(view.step, 2);
  asc_timeline_free(timeline);
  end_chain(&c);
  test_context_end(context);
}

/* Who cannot be followed, for it has lost its state, is loaded. */
static void who_cannot_be_followed_is_loaded(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[5];
  for (int b = 0; b < 5; b++) specs[b] = test_spec(b, b + 3, 3 + b % 3);
  asc_problem *problem = test_problem(context, specs, COUNT(specs));
  asc_run_config config = test_config("first-fit", 100, NULL);
  asc_timeline *timeline = NULL;
  asc_run_view view;
  assert_int_equal(asc_timeline_new(asc_input_buffers(problem), &config, 4096, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, 1000, NULL), ASC_OK);
  asc_run *run = asc_timeline_run(timeline);
  void *kept = run->state;
  run->state = NULL;
  assert_int_equal(asc_timeline_seek(timeline, 2, 0, 0, &view), ASC_OK);
  assert_int_equal(view.step, 2);
  assert_false(asc_timeline_cursor(timeline)->retracing);
  run->state = kept;
  asc_timeline_free(timeline);
  asc_problem_free(problem);
  test_context_end(context);
}

/* Records are told on from the keyframe before the step where that is nearer than what was told last. */
static void a_keyframe_is_nearer_than_what_was_told(void **state) {
  (void)state;
  asc_context *context = test_context();
  chain c = begin_chain(context, 1300);
  asc_timeline *timeline = NULL;
  asc_run *walked = NULL;
  asc_run_view view;
  assert_int_equal(asc_timeline_new(asc_input_graph(c.lowering), &c.config, 1u << 16, &timeline, NULL), ASC_OK);
  assert_int_equal(asc_timeline_step(timeline, UINT64_MAX, NULL), ASC_OK);
  assert_int_equal(asc_run_new(asc_input_graph(c.lowering), &c.config, &walked, NULL), ASC_OK);
  assert_int_equal(asc_run_step(walked, 1200, NULL), ASC_OK);
  const uint64_t steps[] = {10, 1100, 20, 1200};
  for (uint32_t k = 0; k < COUNT(steps); k++) {
    assert_int_equal(asc_timeline_seek(timeline, steps[k], 0, 0, &view), ASC_OK);
    assert_int_equal(view.step, steps[k]);
  }
  test_same_stats(asc_timeline_cursor(timeline), walked, "shown from a keyframe");
  asc_run_free(walked);
  asc_timeline_free(timeline);
  end_chain(&c);
  test_context_end(context);
}

int run_timeline_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seeking_equals_walking),
      cmocka_unit_test(tries_are_followed_or_made_again),
      cmocka_unit_test(keyframes_stay_within_their_bytes),
      cmocka_unit_test(finding_equals_looking_at_all_events),
      cmocka_unit_test(a_long_search_is_looked_at_in_stretches),
      cmocka_unit_test(without_records_nothing_is_shown),
      cmocka_unit_test(who_cannot_be_followed_is_loaded),
      cmocka_unit_test(a_keyframe_is_nearer_than_what_was_told),
  };
  return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
