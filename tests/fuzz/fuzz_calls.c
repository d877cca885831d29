/* Bytes to a problem, a solver and a sequence of calls: two runs and a timeline are stepped, cancelled, resumed, saved, loaded (also from saves that are
 * damaged), looked at, searched, under an allocator that may fail at any call. Whatever was done before, a state says what a run says that goes straight
 * there; what a certificate claims, the checker finds. */
#include "problem_bytes.h"

enum { RUNS = 2, SAVES = 3, CALLS = 40, STEPS = 1200 };

typedef struct save {
  uint8_t *bytes;
  size_t count;
  uint64_t steps; /* at which it was made */
} save;

typedef struct bench {
  input in, straight_in; /* of the same bytes */
  setting set, straight_set;
  asc_run_config config, straight_config;
  asc_context *context, *clean;
  asc_problem *problem, *same; /* on the context that may fail, and on one that does not */
  uint32_t left;               /* allocations until one fails; 0: none does */
  bool failed, interrupted;
  asc_run *runs[RUNS];
  asc_timeline *timeline;
  asc_log *log;
  save saves[SAVES];
} bench;

/* ---- memory that fails -------------------------------------------------------------------------------------------------- */

static void *resize(void *user, void *block, size_t bytes) {
  bench *b = user;
  if (b->left && --b->left == 0) {
    b->failed = true;
    return NULL;
  }
  return realloc(block, bytes);
}

static void release(void *user, void *block) {
  (void)user;
  free(block);
}

/* A call may only say that there is no memory if there was none. */
static bool lacks(bench *b, asc_status status) {
  demand(status == ASC_OK || (status == ASC_OUT_OF_MEMORY && b->failed));
  return status != ASC_OK;
}

/* ---- the straight way ----------------------------------------------------------------------------------------------------- */

static asc_run *straight_to(bench *b, uint64_t steps) {
  asc_run *run = NULL;
  demand(asc_run_new(asc_input_buffers(b->same), &b->straight_config, &run, NULL) == ASC_OK);
  demand(asc_run_step(run, steps, NULL) == ASC_OK);
  return run;
}

static void check_state(bench *b, const asc_run *run) {
  asc_run_stats got, want;
  asc_run_stats_get(run, &got);
  if (got.outcome == ASC_OUTCOME_OUT_OF_MEMORY) return;
  asc_run *straight = straight_to(b, got.steps);
  bool ended = got.outcome != ASC_OUTCOME_RUNNING && got.outcome != ASC_OUTCOME_CANCELLED;
  if (ended) demand(asc_run_step(straight, 1, NULL) == ASC_OK); /* what its end says takes no step */
  asc_run_stats_get(straight, &want);
  demand(got.steps == want.steps && got.digest == want.digest && got.depth == want.depth &&
         got.backtracks == want.backtracks);
  demand(got.lower_bound == want.lower_bound);
  demand(!ended || got.outcome == want.outcome);
  /* one that goes on may have no step left; who is ended from outside may hand in a plan that was nearly made */
  demand(got.outcome != want.outcome || got.height == want.height ||
         (b->interrupted && got.height >= 0 && (want.height < 0 || got.height < want.height)));
  asc_run_free(straight);
}

/* ---- calls ---------------------------------------------------------------------------------------------------------------- */

/* One that lacked memory is made anew. */
static asc_run *take_slot(bench *b) {
  asc_run **slot = &b->runs[take(&b->in) % RUNS];
  asc_run_stats stats;
  if (*slot) asc_run_stats_get(*slot, &stats);
  if (*slot && stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY) {
    asc_run_free(*slot);
    *slot = NULL;
  }
  if (!*slot) lacks(b, asc_run_new(asc_input_buffers(b->problem), &b->config, slot, NULL));
  return *slot;
}

static void call_step(bench *b) {
  asc_run *run = take_slot(b);
  uint64_t steps = take(&b->in);
  if (!run || lacks(b, asc_run_step(run, steps, NULL))) return;
  check_state(b, run);
}

static void call_cancel(bench *b) {
  asc_run *run = take_slot(b);
  if (!run) return;
  asc_run_cancel(run);
  b->interrupted = true;
  if (take(&b->in) % 2 && lacks(b, asc_run_step(run, 5, NULL))) return;
  asc_run_resume(run, b->config.budget);
  check_state(b, run);
}

static void call_save(bench *b) {
  asc_run *run = take_slot(b);
  save *kept = &b->saves[take(&b->in) % SAVES];
  const uint8_t *bytes;
  size_t count;
  asc_run_stats stats;
  if (!run || lacks(b, asc_run_save(run, &bytes, &count))) return;
  asc_run_stats_get(run, &stats);
  free(kept->bytes);
  *kept = (save){malloc(count ? count : 1), count, stats.steps};
  demand(kept->bytes != NULL);
  if (count) memcpy(kept->bytes, bytes, count);
}

static void call_load(bench *b) {
  asc_run *run = take_slot(b);
  const save *kept = &b->saves[take(&b->in) % SAVES];
  bool damages = take(&b->in) % 4 == 3;
  if (!run || !kept->bytes) return;
  size_t count = kept->count;
  uint8_t *bytes = malloc(count ? count : 1);
  demand(bytes != NULL);
  if (count) memcpy(bytes, kept->bytes, count);
  if (damages && count) bytes[(take(&b->in) * 256u + take(&b->in)) % count] ^= (uint8_t)(1u << take(&b->in) % 8);
  if (damages && take(&b->in) % 4 == 0) count -= count ? take(&b->in) % count : 0;
  asc_status status = asc_run_load(run, bytes, count);
  free(bytes);
  if (damages) {
    /* it may be believed, and is then a state of some search: that goes on, but says nothing of ours */
    demand(status == ASC_OK || status == ASC_BAD_SAVE || lacks(b, status));
    if (!status) asc_run_step(run, 20, NULL);
    for (uint32_t k = 0; k < RUNS; k++)
      if (b->runs[k] == run) b->runs[k] = NULL;
    asc_run_free(run);
  } else if (!lacks(b, status)) {
    asc_run_stats stats;
    asc_run_stats_get(run, &stats);
    demand(stats.steps == kept->steps);
    check_state(b, run);
  }
}

static bool take_timeline(bench *b) {
  if (!b->timeline) lacks(b, asc_timeline_new(asc_input_buffers(b->problem), &b->config, 4096, &b->timeline, NULL));
  return b->timeline != NULL;
}

static void drop_timeline(bench *b) {
  asc_timeline_free(b->timeline);
  b->timeline = NULL;
}

static uint64_t reached(bench *b) {
  asc_run_stats stats;
  asc_run_stats_get(asc_timeline_run(b->timeline), &stats);
  return stats.steps;
}

static void call_go_ahead(bench *b) {
  if (!take_timeline(b)) return;
  if (lacks(b, asc_timeline_step(b->timeline, take(&b->in), NULL)))
    drop_timeline(b);
  else
    check_state(b, asc_timeline_run(b->timeline));
}

static void call_seek(bench *b) {
  if (!take_timeline(b)) return;
  uint64_t most = reached(b), step = most ? (take(&b->in) * 256u + take(&b->in)) % (most + 1) : 0, after = take(&b->in) % 4;
  asc_run_view view;
  if (lacks(b, asc_timeline_seek(b->timeline, step, take(&b->in) % 4, after, &view))) return;
  demand(view.step == step);
  check_state(b, asc_timeline_cursor(b->timeline));
}

/* What is found at once is found in pieces. */
static void call_find(bench *b) {
  if (!take_timeline(b)) return;
  asc_condition condition = asc_condition_default();
  condition.kinds = take(&b->in) + 1u;
  if (take(&b->in) % 2) condition.buffer = take(&b->in);
  bool forward = take(&b->in) % 2, lacked = false;
  uint64_t most = reached(b), from = most ? take(&b->in) % (most + 1) : 0, step = 0, piece = 0, stopped = from;
  lacked = lacks(b, asc_timeline_find(b->timeline, from, forward, &condition, 1, 0, &step, NULL));
  for (uint32_t k = 0; !lacked && !piece && k < 400; k++) {
    uint64_t before = stopped;
    lacked = lacks(b, asc_timeline_find(b->timeline, stopped, forward, &condition, 1, 7, &piece, &stopped));
    if (!piece && stopped == before) break;
  }
  if (!lacked && most < 2000) demand(step == piece);
}

static void call_path(bench *b) {
  if (!take_timeline(b)) return;
  uint64_t most = reached(b), step = most ? take(&b->in) % (most + 1) : 0;
  asc_path path;
  if (lacks(b, asc_timeline_path(b->timeline, step, take(&b->in) % 8, 1 + take(&b->in) % 4u, 0, &path))) return;
  demand(path.step == step && path.top <= path.depth);
}

static void call_log(bench *b) {
  asc_run *run = take_slot(b);
  if (!run) return;
  if (!b->log && lacks(b, asc_log_new(b->context, 64, &b->log))) return;
  asc_run_attach(run, b->log);
  if (!lacks(b, asc_run_step(run, take(&b->in) % 16, NULL))) check_state(b, run);
  asc_run_attach(run, NULL);
  asc_log_clear(b->log);
}

typedef struct text {
  char *bytes;
  size_t used;
} text;

static bool gather(void *user, const char *bytes, size_t count) {
  text *all = user;
  all->bytes = realloc(all->bytes, all->used + count);
  demand(all->bytes != NULL);
  memcpy(all->bytes + all->used, bytes, count);
  all->used += count;
  return true;
}

/* What a run says that it has proven is found to hold. */
static void call_prove(bench *b) {
  asc_run *run = NULL;
  text all = {0};
  uint64_t steps = take(&b->in) * 4u;
  if (lacks(b, asc_run_new(asc_input_buffers(b->problem), &b->config, &run, NULL))) return;
  asc_status status = asc_run_prove(run, gather, &all, NULL);
  bool fine = status != ASC_UNSUPPORTED && !lacks(b, status) && !lacks(b, asc_run_step(run, steps, NULL));
  int64_t proven = -1, claimed = asc_run_proven(run);
  if (fine && claimed >= 0 && !lacks(b, asc_proof_check(b->context, b->problem, all.bytes, all.used, &proven, NULL)))
    demand(proven == claimed);
  free(all.bytes);
  asc_run_free(run);
}

static void call_fail_soon(bench *b) {
  b->left = 1 + take(&b->in) % 64u;
}

static void (*const calls[])(bench *) = {call_step, call_step,     call_cancel, call_save,     call_load,
                                         call_load, call_go_ahead, call_seek,   call_go_ahead, call_find,
                                         call_path, call_log,      call_prove,  call_fail_soon};

/* ---- the whole -------------------------------------------------------------------------------------------------------------- */

static void begin(bench *b, const uint8_t *data, size_t size) {
  asc_allocator failing = {resize, release, b};
  *b = (bench){.in = {data, size, 0}, .straight_in = {data, size, 0}};
  demand(asc_context_new(&failing, &b->context) == ASC_OK);
  demand(asc_context_new(NULL, &b->clean) == ASC_OK);
  b->problem = take_problem(b->context, &b->in);
  b->same = take_problem(b->clean, &b->straight_in);
  b->runs[0] = take_run(b->problem, &b->in, &b->set, &b->config);
  asc_run_free(take_run(b->same, &b->straight_in, &b->straight_set, &b->straight_config));
  b->config.budget = b->straight_config.budget = STEPS;
}

static void end(bench *b) {
  b->left = 0;
  for (uint32_t k = 0; k < RUNS; k++) asc_run_free(b->runs[k]);
  for (uint32_t k = 0; k < SAVES; k++) free(b->saves[k].bytes);
  asc_timeline_free(b->timeline);
  asc_log_free(b->log);
  asc_problem_free(b->problem);
  asc_problem_free(b->same);
  demand(asc_context_bytes(b->context) == 0 && asc_context_bytes(b->clean) == 0);
  asc_context_free(b->context);
  asc_context_free(b->clean);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bench b;
  begin(&b, data, size);
  asc_run *first = b.runs[0];
  b.runs[0] = NULL; /* its budget was another */
  asc_run_free(first);
  for (uint32_t k = 0; first && k < CALLS && b.in.at < b.in.size; k++) {
    b.failed = b.failed && b.left; /* what lacked memory was told */
    calls[take(&b.in) % (sizeof calls / sizeof *calls)](&b);
  }
  end(&b);
  return 0;
}
