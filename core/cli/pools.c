/* What there is to say of each pool, if there are several. */
#include "cli.h"

bool has_pools(const asc_problem *problem) {
  return asc_problem_pool_count(problem) > 1;
}

int64_t no_capacity(const asc_problem *problem) {
  return has_pools(problem) ? ASC_MAX_BYTES : INT64_MAX;
}

const char *pool_name(const asc_problem *problem, uint32_t pool) {
  const char *id = asc_problem_pool(problem, pool)->id;
  return *id ? id : "main";
}

/* Of the buffers of one pool. */
static int64_t pool_height(const asc_problem *problem, uint32_t pool, const int64_t *offsets) {
  int64_t height = 0;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    if (spec->pool != pool || offsets[b] < 0 || offsets[b] > ASC_MAX_BYTES) continue;
    if (offsets[b] + spec->size > height) height = offsets[b] + spec->size;
  }
  return height;
}

void print_pools(FILE *file, const asc_problem *problem, const int64_t *offsets) {
  for (uint32_t p = 0; has_pools(problem) && p < asc_problem_pool_count(problem); p++) {
    const asc_problem *part = asc_problem_part(problem, p);
    if (!asc_problem_count(part)) continue;
    say(file, "  pool %s: %s buffers, lower bound %s", pool_name(problem, p), commas(asc_problem_count(part)),
        commas(asc_problem_lower_bound(part)));
    if (offsets) fprintf(file, ", height %s", commas(pool_height(problem, p, offsets)));
    int64_t capacity = asc_problem_pool(problem, p)->capacity;
    if (capacity) fprintf(file, ", capacity %s", commas(capacity));
    fputc('\n', file);
  }
}

void print_json_pools(FILE *file, const asc_problem *problem, const int64_t *offsets) {
  for (uint32_t p = 0; has_pools(problem) && p < asc_problem_pool_count(problem); p++) {
    const asc_problem *part = asc_problem_part(problem, p);
    fprintf(file, p ? ",{\"id\":" : ",\"pools\":[{\"id\":");
    print_json_text(file, asc_problem_pool(problem, p)->id);
    fprintf(file, ",\"buffers\":%u,\"lowerBound\":%lld", asc_problem_count(part), (long long)asc_problem_lower_bound(part));
    if (offsets) fprintf(file, ",\"height\":%lld", (long long)pool_height(problem, p, offsets));
    int64_t capacity = asc_problem_pool(problem, p)->capacity;
    if (capacity) fprintf(file, ",\"capacity\":%lld", (long long)capacity);
    fputc('}', file);
  }
  if (has_pools(problem)) fputc(']', file);
}
