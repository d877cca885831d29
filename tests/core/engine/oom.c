#include "oom.h"

#include <stdio.h>

oom_result oom_none(void) {
  return (oom_result){.out_of_memory = true};
}

static char doing[80]; /* for messages */

bool oom_lacks(asc_status status) {
  CHECK(status == ASC_OK || status == ASC_OUT_OF_MEMORY, "%s: %s", doing, asc_status_text(status));
  return status != ASC_OK;
}

/* Every call up to `first`, then every `stride`-th; the stride comes from how many calls there are. */
typedef struct sampling {
  uint64_t first;
  uint32_t most;
} sampling;

static uint64_t next_call(uint64_t call, uint64_t last, sampling by) {
  uint64_t stride = (last + by.most - 1) / by.most;
  return call + (call < by.first ? 1 : stride);
}

/* The task with that call failing, and perhaps all that follow. */
static void fail_call(const char *name, oom_task body, uint32_t which, test_memory memory, uint64_t expected) {
  snprintf(doing, sizeof doing, "%s %u, call %d failed", name, which, (int)memory.fail_at);
  asc_context *context = test_context_on(&memory);
  if (context) {
    oom_result got = body(context, which);
    CHECK(got.out_of_memory || got.value == expected, "%s: a wrong result", doing);
    CHECK(asc_context_bytes(context) == 0, "%s: %zu bytes left", doing, asc_context_bytes(context));
    asc_context_free(context);
  }
  CHECK(memory.live == 0, "%s: %d blocks leaked", doing, (int)memory.live);
}

/* The task with all it needs; its calls are noticed. */
static uint64_t do_task(const char *name, oom_task body, uint32_t which, uint64_t *value) {
  test_memory plain = {.noticed = oom_notice_place};
  asc_context *context = test_context_on(&plain);
  assert_non_null(context);
  snprintf(doing, sizeof doing, "%s %u", name, which);
  oom_result expected = body(context, which);
  assert_false(expected.out_of_memory);
  assert_int_equal(asc_context_bytes(context), 0);
  asc_context_free(context);
  assert_int_equal(plain.live, 0);
  *value = expected.value;
  return plain.calls;
}

static void fail_calls(const char *name, oom_task body, uint32_t which, sampling by) {
  uint64_t expected;
  uint32_t count;
  uint64_t calls = do_task(name, body, which, &expected);
  const uint64_t *places = oom_new_places(&count);
  for (uint32_t lasting = 0; lasting < 2; lasting++) {
    for (uint32_t k = 0; k < count; k++)
      fail_call(name, body, which, (test_memory){.fail_at = places[k], .lasting = lasting}, expected);
    for (uint64_t k = 1; k <= calls; k = next_call(k, calls, by))
      fail_call(name, body, which, (test_memory){.fail_at = k, .lasting = lasting}, expected);
  }
}

void oom_fail_every_call(const char *name, oom_task body, uint32_t which) {
  fail_calls(name, body, which, (sampling){100, test_is_sanitized() ? 80 : UINT32_MAX});
}

void oom_fail_some_calls(const char *name, oom_task body, uint32_t which, uint32_t most) {
  fail_calls(name, body, which, (sampling){1, test_cases(most)});
}

bool oom_add_up(void *user, const char *text, size_t bytes) {
  uint64_t *sum = user;
  for (size_t k = 0; k < bytes; k++) *sum = *sum * 31 + (unsigned char)text[k];
  return true;
}

asc_status oom_problem(asc_context *context, uint32_t count, asc_problem **made) {
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
