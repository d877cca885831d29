/* Any bytes as a task CSV: a file is refused with errors that name a place, or it can be written and read back as the same, and its tensors are buffers
 * whose shapes are apart; stacked, nothing of them is misread. Small ones are solved by both tile-aware solvers. */
#include <string.h>

#include "asc/tile.h"

#include "demand.h"
#include "refusal.h"
#include "text.h"

static void check_again(asc_context *context, const asc_tiling *tiling) {
  text first = {0}, second = {0};
  demand(asc_task_csv_write(tiling, append, &first) == ASC_OK);
  demand(first.count == 0 || asc_task_csv_is(first.bytes, first.count));
  asc_tiling *again = NULL;
  demand(asc_task_csv_read(context, first.bytes, first.count, &again, NULL, 0, NULL) == ASC_OK);
  demand(asc_task_csv_write(again, append, &second) == ASC_OK);
  demand(first.count == second.count && (!first.count || memcmp(first.bytes, second.bytes, first.count) == 0));
  asc_tiling_free(again);
  free(first.bytes);
  free(second.bytes);
}

static void check_problem(const asc_tiling *tiling, uint32_t flags) {
  asc_problem *problem = NULL;
  asc_diag diag = {0};
  asc_status status = asc_tiling_problem(tiling, flags, &problem, &diag);
  demand(status == ASC_OK || status == ASC_TOO_LARGE);
  if (status) {
    demand(diag.message[0] != 0);
    return;
  }
  uint32_t n = asc_problem_count(problem), tensors = asc_tiling_tensor_count(tiling);
  int64_t *offsets = malloc((tensors + 1) * sizeof *offsets), top = 0;
  demand(offsets != NULL);
  for (uint32_t t = 0; t < tensors; t++) {
    offsets[t] = ASC_UNPLACED;
    if (asc_problem_find(problem, asc_tiling_tensor(tiling, t)->id) == ASC_NONE) continue;
    offsets[t] = top;
    top += asc_tiling_bytes(tiling, t);
  }
  demand(n <= tensors);
  demand(asc_problem_lower_bound(problem) <= top);
  if (top < 1 << 16) {
    size_t wrong = 1;
    demand(asc_tiling_replay(tiling, offsets, NULL, &wrong) == ASC_OK);
    demand(wrong == 0);
  }
  free(offsets);
  asc_problem_free(problem);
}

/* Small lists are solved: a plan is valid for all three who judge it, and what is said to be least is. */
static void check_plan(const asc_tiling *tiling, const asc_problem *problem, const asc_run *run) {
  const int64_t *best = asc_run_best(run);
  asc_run_stats stats;
  asc_run_stats_get(run, &stats);
  demand(stats.outcome != ASC_OUTCOME_OPTIMAL || (best && stats.height == stats.lower_bound));
  if (!best) return;
  uint32_t tensors = asc_tiling_tensor_count(tiling);
  int64_t *offsets = malloc((tensors + 1) * sizeof *offsets);
  size_t wrong = 1;
  demand(offsets != NULL);
  for (uint32_t t = 0; t < tensors; t++) {
    uint32_t buffer = asc_problem_find(problem, asc_tiling_tensor(tiling, t)->id);
    offsets[t] = buffer == ASC_NONE ? ASC_UNPLACED : best[buffer];
  }
  demand(stats.height >= asc_problem_lower_bound(problem));
  demand(asc_validate(problem, best, INT64_MAX, NULL, 0, &wrong) == ASC_OK && wrong == 0);
  asc_status status = asc_tiling_clashes(tiling, offsets, NULL, &wrong);
  demand(status == ASC_TOO_LARGE || (status == ASC_OK && wrong == 0));
  if (stats.height < 1 << 16) demand(asc_tiling_replay(tiling, offsets, NULL, &wrong) == ASC_OK && wrong == 0);
  free(offsets);
}

static void solve(const asc_tiling *tiling, uint32_t flags) {
  static const char *const solvers[] = {"taa", "taa-exact"};
  asc_problem *problem = NULL;
  if (asc_tiling_problem(tiling, flags, &problem, NULL)) return;
  uint32_t rects = 0;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) rects += asc_problem_buffer(problem, b)->shape_count;
  int64_t heights[] = {-1, -1};
  for (uint32_t s = 0; s < 2 && rects <= 512 && asc_problem_count(problem) <= 64; s++) {
    asc_run_config config = asc_run_config_default(solvers[s], ASC_MAX_BYTES);
    config.goal = ASC_GOAL_HEIGHT;
    config.budget = 2000;
    asc_run *run = NULL;
    demand(asc_run_new(asc_input_buffers(problem), &config, &run, NULL) == ASC_OK);
    demand(asc_run_step(run, UINT64_MAX, NULL) == ASC_OK);
    check_plan(tiling, problem, run);
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    if (stats.outcome == ASC_OUTCOME_OPTIMAL || !s) heights[s] = stats.height;
    asc_run_free(run);
  }
  demand(heights[0] < 0 || heights[1] < 0 || heights[1] <= heights[0]);
  asc_problem_free(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { ROOM = 20 };
  char *bytes = exact_copy(data, size);
  asc_context *context = NULL;
  asc_tiling *tiling = NULL;
  asc_diag diags[ROOM];
  size_t count = 0;
  demand(asc_context_new(NULL, &context) == ASC_OK);
  asc_task_csv_is(bytes, size);
  asc_status status = asc_task_csv_read(context, bytes, size, &tiling, diags, ROOM, &count);
  if (status == ASC_OK) {
    demand(tiling != NULL && count == 0);
    check_again(context, tiling);
    for (uint32_t flags = 0; flags < 4; flags++) check_problem(tiling, flags);
    solve(tiling, 0);
    solve(tiling, ASC_TILES_IO);
    asc_tiling_free(tiling);
  } else {
    demand(tiling == NULL);
    check_refusal(diags, ROOM, count, status);
    check_places(diags, ROOM, count);
  }
  demand(asc_context_bytes(context) == 0);
  asc_context_free(context);
  free(bytes);
  return 0;
}
