/* Time travel. The run goes ahead at full speed and leaves keyframes (saved states); a second run, the cursor, is set to the nearest
 * keyframe and steps from there with a log attached.
 *
 *     steps      0 ....... 1024 ....... 2048 ....... 3072 ..... run
 *     keyframes  K0        K1           K2           K3
 *     seek 2500                          K2 ---->|
 *
 * A cursor whose solver can retrace takes the run's steps without looking for them again. One whose solver keeps a log is shown any step from
 * the run's own records; its keyframes are counters alone, so that digests and counts need not be added up from the first step on.
 * When the keyframes have spent their bytes, or one is too large for so few steps, every second one is dropped and the spacing doubles. */
#include "solve/timeline/timeline.h"

#include "base/arrays.h"

#include <string.h>

#define FIRST_SPACING 1024u
#define BYTES_A_STEP 256u /* of keyframes: one of a million placed takes as long as thousands of steps */

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static asc_status save_key(asc_timeline *timeline, asc_run *run, asci_keyframe *key) {
  const uint8_t *bytes;
  size_t count;
  bool log = run->machine->history == ASCI_HISTORY_LOG;
  asc_status status = log ? asci_run_save_counters(run, &bytes, &count) : asc_run_save(run, &bytes, &count);
  if (status) return status;
  uint8_t *copy = asci_alloc(timeline->context, count, 1);
  if (!copy) return ASC_OUT_OF_MEMORY;
  memcpy(copy, bytes, count);
  *key = (asci_keyframe){.step = run->stats.steps, .count = count, .bytes = copy};
  return ASC_OK;
}

static const asci_array of_view[] = {
    ASCI_ARRAY(asc_timeline, offsets, 0, ASCI_RAW),    ASCI_ARRAY(asc_timeline, min_offsets, 0, ASCI_RAW),
    ASCI_ARRAY(asc_timeline, stack, 0, ASCI_RAW),      ASCI_ARRAY(asc_timeline, tried, 0, ASCI_RAW),
    ASCI_ARRAY(asc_timeline, candidates, 0, ASCI_RAW), ASCI_ARRAY(asc_timeline, phases, 0, ASCI_RAW),
};

static const asci_array of_its_own[] = {
    ASCI_OWN(asc_timeline, look.attempts), ASCI_OWN(asc_timeline, look.nodes),
    ASCI_OWN(asc_timeline, look.shown),    ASCI_OWN(asc_timeline, look.shown_nodes),
    ASCI_OWN(asc_timeline, keys),          ASCI_OWN(asc_timeline, origin.bytes),
    ASCI_OWN(asc_timeline, order),
};

/* Room for a view of so many buffers; what was there is lost. */
static bool make_room(asc_timeline *timeline, size_t n) {
  if (n < timeline->view_room) return true;
  asci_arrays_free(timeline->context, ASCI_TABLE(of_view), timeline);
  timeline->view_room = asci_arrays_new(timeline->context, ASCI_TABLE(of_view), &n, timeline) ? n + 1 : 0;
  return timeline->view_room > 0;
}

static uint32_t turns_of(const asc_timeline *timeline) {
  return timeline->run->domain->turns(&timeline->run->input);
}

static asc_status make(asc_timeline *timeline, asc_input input, const asc_run_config *config, asc_diag *diag) {
  asc_status status = asc_run_new(input, config, &timeline->run, diag);
  if (!status) status = asc_log_new(timeline->context, 0, &timeline->log);
  if (status) return status;
  timeline->order = asci_alloc(timeline->context, turns_of(timeline), sizeof *timeline->order);
  if (!timeline->order) return ASC_OUT_OF_MEMORY;
  return make_room(timeline, timeline->run->problem->count) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

asc_status asc_timeline_new(asc_input input, const asc_run_config *config, size_t keyframe_bytes, asc_timeline **timeline,
                            asc_diag *diag) {
  const asci_domain *domain = asci_domain_of(&input);
  asc_context *context = domain ? domain->context(&input) : NULL;
  if (!context || !config || !timeline) return ASC_BAD_ARGUMENT;
  asc_timeline *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->context = context;
  made->key_budget = keyframe_bytes;
  made->spacing = FIRST_SPACING;
  asc_status status = make(made, input, config, diag);
  if (status) {
    asc_timeline_free(made);
    return status;
  }
  *timeline = made;
  return ASC_OK;
}

void asc_timeline_free(asc_timeline *timeline) {
  if (!timeline) return;
  asc_context *context = timeline->context;
  asc_run_free(timeline->cursor);
  asc_run_free(timeline->run);
  asc_log_free(timeline->log);
  for (size_t k = 0; k < timeline->key_count; k++) asci_free(context, timeline->keys[k].bytes);
  asci_arrays_free(context, ASCI_TABLE(of_view), timeline);
  asci_arrays_free(context, ASCI_TABLE(of_its_own), timeline);
  asci_free(context, timeline);
}

asc_run *asc_timeline_run(asc_timeline *timeline) {
  return timeline->run;
}

const asc_log *asc_timeline_log(const asc_timeline *timeline) {
  return timeline->log;
}

const asc_run *asc_timeline_cursor(const asc_timeline *timeline) {
  return timeline->cursor;
}

uint64_t asc_timeline_spacing(const asc_timeline *timeline, size_t *bytes) {
  if (bytes) *bytes = timeline->key_bytes;
  return timeline->spacing;
}

/* ---- going ahead ----------------------------------------------------------------------------------------------------- */

static void drop_every_second(asc_timeline *timeline) {
  timeline->spacing *= 2;
  size_t kept = 0;
  for (size_t k = 0; k < timeline->key_count; k++) {
    asci_keyframe key = timeline->keys[k];
    if (key.step % timeline->spacing == 0) {
      timeline->keys[kept++] = key;
      continue;
    }
    timeline->key_bytes -= key.count;
    asci_free(timeline->context, key.bytes);
  }
  timeline->key_count = kept;
}

/* A keyframe that finds no memory is a keyframe less, never an error: seeking gets slower. */
static void add_key(asc_timeline *timeline) {
  asci_keyframe key;
  if (!asci_grow(timeline->context, &timeline->keys, &timeline->key_room, timeline->key_count + 1, sizeof key)) return;
  if (save_key(timeline, timeline->run, &key)) return;
  timeline->keys[timeline->key_count++] = key;
  timeline->key_bytes += key.count;
  while (key.count > BYTES_A_STEP * timeline->spacing) drop_every_second(timeline);
  while (timeline->key_bytes > timeline->key_budget) drop_every_second(timeline);
}

asc_status asc_timeline_step(asc_timeline *timeline, uint64_t steps, asc_outcome *outcome) {
  if (!timeline) return ASC_BAD_ARGUMENT;
  asc_run *run = timeline->run;
  uint64_t until = steps > UINT64_MAX - run->stats.steps ? UINT64_MAX : run->stats.steps + steps;
  asc_outcome now = run->stats.outcome;
  asc_status status = ASC_OK;
  do {
    uint64_t at = run->stats.steps, next = at - at % timeline->spacing + timeline->spacing;
    status = asc_run_step(run, (next < until ? next : until) - at, &now);
    if (!status && now == ASC_OUTCOME_RUNNING && run->stats.steps == next) add_key(timeline);
  } while (!status && now == ASC_OUTCOME_RUNNING && run->stats.steps < until);
  if (outcome) *outcome = now;
  return status;
}

/* ---- going back ------------------------------------------------------------------------------------------------------ */

/* Nobody looks back at most runs of a bench or a comparison, and to make a run ready takes as long as many steps: the cursor is made when it is
   first asked for. */
static asc_status want_cursor(asc_timeline *timeline) {
  if (timeline->origin.bytes) return ASC_OK;
  asc_status status = timeline->cursor ? ASC_OK : asci_run_twin(timeline->run, &timeline->cursor);
  return status ? status : save_key(timeline, timeline->cursor, &timeline->origin);
}

const asci_keyframe *asci_key_before(const asc_timeline *timeline, uint64_t step) {
  size_t low = 0, high = timeline->key_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (timeline->keys[middle].step <= step)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &timeline->keys[low - 1] : &timeline->origin;
}

asc_status asci_timeline_go_on(asc_timeline *timeline, uint64_t steps) {
  asc_run *cursor = timeline->cursor;
  uint64_t until = cursor->stats.steps + steps;
  asc_status status = asc_run_step(cursor, steps, NULL);
  return status || cursor->stats.steps == until ? status : ASC_OUT_OF_MEMORY;
}

/* A solver's own records tell the state at the keyframe; what lies between it and the step is told again, and so counted. */
static asc_status show(asc_timeline *timeline, uint64_t step) {
  asc_run *cursor = timeline->cursor;
  const asci_keyframe *key = asci_key_before(timeline, step);
  uint64_t at = cursor->stats.steps;
  bool lost = !cursor->retracing || cursor->stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY;
  if (!lost && at <= step && key->step <= at) return ASC_OK;
  if (!timeline->run->state) return ASC_OUT_OF_MEMORY;
  return asci_run_show(cursor, timeline->run, key->bytes, key->count);
}

static asc_status load(asc_timeline *timeline, uint64_t step) {
  asc_run *cursor = timeline->cursor;
  const asci_keyframe *key = asci_key_before(timeline, step);
  uint64_t at = cursor->stats.steps;
  bool lost = cursor->stats.outcome == ASC_OUTCOME_OUT_OF_MEMORY; /* also where it has no state */
  bool retrace = cursor->machine->retrace && !lost && timeline->run->state;
  if (!lost && at <= step && key->step <= at && (!retrace || cursor->retracing)) return ASC_OK;
  return retrace ? asci_run_retrace(cursor, timeline->run, key->bytes, key->count)
                 : asc_run_load(cursor, key->bytes, key->count);
}

asc_status asci_timeline_go_to(asc_timeline *timeline, uint64_t step) {
  asc_status status = want_cursor(timeline);
  if (status) return status;
  bool log = timeline->cursor->machine->history == ASCI_HISTORY_LOG;
  status = log ? show(timeline, step) : load(timeline, step);
  return status ? status : asci_timeline_go_on(timeline, step - timeline->cursor->stats.steps);
}

static const int64_t *keep_offsets(int64_t *to, const int64_t *from, size_t count) {
  if (!from) return NULL;
  if (count) memcpy(to, from, count * sizeof *to);
  return to;
}

static const uint32_t *keep_indices(uint32_t *to, const uint32_t *from, size_t count) {
  if (!from) return NULL;
  if (count) memcpy(to, from, count * sizeof *to);
  return to;
}

static asc_status keep_view(asc_timeline *timeline) {
  asc_run_view view;
  asc_status status = asc_run_view_get(timeline->cursor, &view);
  if (status) return status;
  size_t n = (view.situation ? view.situation : timeline->cursor->problem)->count, depth = view.depth;
  if (!make_room(timeline, n)) return ASC_OUT_OF_MEMORY;
  timeline->view = (asc_run_view){
      .step = view.step,
      .depth = view.depth,
      .situation = view.situation,
      .revision = view.revision,
      .frontier = view.frontier,
      .order = keep_indices(timeline->order, view.order, turns_of(timeline)),
      .offsets = keep_offsets(timeline->offsets, view.offsets, n),
      .min_offsets = keep_offsets(timeline->min_offsets, view.min_offsets, n),
      .stack = keep_indices(timeline->stack, view.stack, depth),
      .tried = keep_indices(timeline->tried, view.tried, depth),
      .candidates = keep_indices(timeline->candidates, view.candidates, depth),
      .phases = keep_indices(timeline->phases, view.phases, n),
      .open_tried = view.open_tried,
      .open_candidates = view.open_candidates,
  };
  return ASC_OK;
}

asc_status asc_timeline_seek(asc_timeline *timeline, uint64_t step, uint64_t before, uint64_t after, asc_run_view *view) {
  if (!timeline || !view) return ASC_BAD_ARGUMENT;
  uint64_t steps = timeline->run->stats.steps;
  if (step > steps) step = steps;
  if (before > step) before = step;
  if (after > steps - step) after = steps - step;
  asc_log_clear(timeline->log);
  asc_status status = asci_timeline_go_to(timeline, step - before);
  if (status) return status;
  asc_run *cursor = timeline->cursor;
  asc_run_attach(cursor, timeline->log);
  status = asci_timeline_go_on(timeline, before);
  if (!status) status = keep_view(timeline);
  if (!status) status = asci_timeline_go_on(timeline, after);
  asc_run_attach(cursor, NULL);
  if (!status) *view = timeline->view;
  return status;
}
