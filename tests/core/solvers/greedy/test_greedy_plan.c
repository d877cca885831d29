#include "test_greedy_plan.h"

#include <inttypes.h>
#include <string.h>

/* The name as the solver's table has it: an option keeps the pointer. */
static const char *option_name(const char *solver, const char *text, size_t length) {
  const asc_solver_info *info = asc_solver_find(solver);
  for (uint32_t k = 0; k < info->option_count; k++)
    if (strlen(info->options[k].name) == length && !memcmp(info->options[k].name, text, length))
      return info->options[k].name;
  fail_msg("%s has no option %.*s", solver, (int)length, text);
  return "";
}

static void parse(const char *solver, const char *text, test_options *options) {
  memset(options, 0, sizeof *options);
  while (*text) {
    char value[TEST_OPTION_TEXT] = "";
    size_t length = strcspn(text, "="), rest = strcspn(text + length + 1, " ");
    memcpy(value, text + length + 1, rest);
    test_option_set(options, option_name(solver, text, length), value);
    text += length + 1 + rest;
    text += strspn(text, " ");
  }
}

static void note_event(plan *made, const asc_event *event) {
  assert_true(event->line > 0 || event->kind == ASC_EVENT_INCUMBENT);
  switch (event->kind) {
  case ASC_EVENT_PLACE:
    made->order[made->placed++] = (uint32_t)event->place.buffer;
    made->supports[event->place.buffer] = event->place.support;
    break;
  case ASC_EVENT_NO_FIT:
    assert_true(event->no_fit.room > 0 && event->no_fit.need > 0);
    made->no_fits++;
    break;
  case ASC_EVENT_REJECT:
    made->rejects++;
    break;
  case ASC_EVENT_ADVANCE:
    assert_true(event->advance.next > event->advance.row);
    made->advances++;
    break;
  case ASC_EVENT_NEW_SLOT:
    made->new_slots++;
    break;
  default:
    assert_int_equal(event->kind, ASC_EVENT_INCUMBENT);
  }
}

/* The run with a log, in one go. */
static void run_logged(const asc_problem *problem, asc_context *context, const asc_run_config *config, plan *made) {
  asc_run *run = test_run_new(problem, config);
  asc_log *log = NULL;
  assert_int_equal(asc_log_new(context, 0, &log), ASC_OK);
  asc_run_attach(run, log);
  made->outcome = test_finish(run);
  test_sound_end(problem, run, config->capacity, config->solver);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  made->height = stats.height;
  made->steps = stats.steps;
  made->digest = stats.digest;
  const asc_event *events;
  const uint32_t *lists;
  uint32_t count;
  uint64_t dropped;
  asc_log_get(log, &events, &count, &lists, &dropped);
  for (uint32_t k = 0; k < count; k++) note_event(made, &events[k]);
  assert_int_equal(dropped, 0);
  assert_int_equal(made->placed + made->no_fits + made->rejects + made->advances + made->new_slots, made->steps);
  if (asc_run_best(run)) memcpy(made->offsets, asc_run_best(run), asc_problem_count(problem) * sizeof(int64_t));
  asc_run_free(run);
  asc_log_free(log);
}

/* The run step by step without a log, each time in a new run loaded from what the last one saved. */
static void run_saved(const asc_problem *problem, const asc_run_config *config, const plan *made) {
  asc_run *run = test_run_new(problem, config);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING) {
    const uint8_t *bytes;
    size_t count;
    assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
    asc_run *again = test_run_new(problem, config);
    assert_int_equal(asc_run_load(again, bytes, count), ASC_OK);
    test_same_view(again, run, asc_problem_count(problem), config->solver);
    asc_run_free(run);
    run = again;
    assert_int_equal(asc_run_step(run, 1, &outcome), ASC_OK);
  }
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  CHECK(stats.digest == made->digest && outcome == made->outcome, "%s: another run after save and load", config->solver);
  const int64_t *best = asc_run_best(run);
  if (best) assert_memory_equal(best, made->offsets, asc_problem_count(problem) * sizeof *best);
  const uint8_t *bytes;
  size_t count;
  assert_int_equal(asc_run_save(run, &bytes, &count), ASC_OK);
  assert_int_equal(asc_run_load(run, bytes, count), ASC_OK);
  asc_run_free(run);
}

plan plan_of(const char *solver, const char *options, int64_t capacity, const asc_buffer_spec *specs, uint32_t count) {
  plan made = {0};
  test_options parsed;
  assert_true(count <= PLAN_BUFFERS);
  parse(solver, options, &parsed);
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, specs, count);
  asc_run_config config = test_config(solver, capacity, &parsed);
  for (uint32_t b = 0; b < count; b++) made.offsets[b] = ASC_UNPLACED;
  run_logged(problem, context, &config, &made);
  run_saved(problem, &config, &made);
  asc_problem_free(problem);
  test_context_end(context);
  return made;
}

void plan_has(const plan *made, const int64_t *offsets, uint32_t count, const char *what) {
  for (uint32_t b = 0; b < count; b++)
    CHECK(made->offsets[b] == offsets[b], "%s: b%u at %" PRId64 ", expected %" PRId64, what, b, made->offsets[b],
          offsets[b]);
}

void plan_has_order(const plan *made, const uint32_t *order, uint32_t count, const char *what) {
  CHECK(made->placed == count, "%s: %u placed", what, made->placed);
  for (uint32_t k = 0; k < count; k++)
    CHECK(made->order[k] == order[k], "%s: b%u came as number %u, expected b%u", what, made->order[k], k, order[k]);
}
