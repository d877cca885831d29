/* Looking along a timeline for a step that meets a condition. The overview says in which buckets there can be one; those are walked
 * again step by step, with a log that keeps the steps' own events. */
#include "solve/timeline/timeline.h"

#define LONGEST_STRETCH 4096u
#define BIT(kind) (UINT64_C(1) << ASC_EVENT_##kind)

typedef struct search {
  asc_timeline *timeline;
  const asc_condition *conditions;
  uint32_t count;
} search;

asc_condition asc_condition_default(void) {
  return (asc_condition){.kinds = asci_step_kinds(), .buffer = ASC_NONE, .section = ASC_NONE, .above = ASC_NONE};
}

/* ---- one step -------------------------------------------------------------------------------------------------------- */

/* The kinds of steps that may meet it. */
static uint64_t kinds_of(const asc_condition *c) {
  return c->buffer == ASC_NONE ? c->kinds : c->kinds & asci_kinds_with_roles(c->roles ? c->roles : UINT32_MAX);
}

/* Whether it names the buffer, in a role that is asked for. */
static bool about(const asc_condition *c, const asc_log *log, const asc_event *event) {
  if (c->buffer == ASC_NONE) return true;
  uint32_t roles = asci_roles_in(event, event->list_count ? log->lists + event->list : NULL, c->buffer);
  return c->roles ? roles & c->roles : roles;
}

static bool ruled(const asc_condition *c, const asc_run_stats *before, const asc_run_stats *after) {
  for (uint32_t r = 0; r < ASC_RULE_COUNT; r++)
    if ((c->rules >> r & 1) && after->rules[r] > before->rules[r]) return true;
  return false;
}

static bool meets(const asc_condition *c, const asc_log *log, const asc_event *event, const asc_run_stats *before,
                  const asc_run_stats *after) {
  if (!(kinds_of(c) >> event->kind & 1) || !about(c, log, event)) return false;
  if (c->major && event->kind == ASC_EVENT_BACKTRACK && !event->backtrack.major) return false;
  if (c->rules && !ruled(c, before, after)) return false;
  if (c->section != ASC_NONE && (event->kind != ASC_EVENT_REJECT || event->reject.section != c->section)) return false;
  return c->above == ASC_NONE || (before->depth <= c->above && after->depth > c->above);
}

/* Whether the step just taken meets one of the conditions. */
static bool met(const search *s, const asc_run_stats *before) {
  const asc_log *log = s->timeline->log;
  const asc_run_stats *after = &s->timeline->cursor->stats;
  for (size_t k = 0; k < log->count; k++) {
    const asc_event *event = &log->events[k];
    for (uint32_t c = 0; c < s->count; c++)
      if (meets(&s->conditions[c], log, event, before, after)) return true;
  }
  return false;
}

/* ---- a stretch of steps ---------------------------------------------------------------------------------------------- */

/* Lists are only read for a buffer. */
static bool needs_lists(const search *s) {
  for (uint32_t c = 0; c < s->count; c++)
    if (s->conditions[c].buffer != ASC_NONE) return true;
  return false;
}

/* Takes steps first .. last again and gives the first (or last) match, 0 if there is none. */
static asc_status scan(const search *s, uint64_t first, uint64_t last, bool forward, uint64_t *found) {
  asc_timeline *timeline = s->timeline;
  asc_log *log = timeline->log;
  *found = 0;
  asc_log_clear(log);
  asc_status status = asci_timeline_go_to(timeline, first - 1);
  if (status) return status;
  log->details_off = true;
  log->lists_off = !needs_lists(s);
  asc_run_attach(timeline->cursor, log);
  for (uint64_t at = first; !status && at <= last && !(forward && *found); at++) {
    asc_run_stats before = timeline->cursor->stats;
    asc_log_clear(log);
    status = asci_timeline_go_on(timeline, 1);
    if (!status && log->dropped) status = ASC_OUT_OF_MEMORY;
    if (!status && met(s, &before)) *found = at;
  }
  asc_run_attach(timeline->cursor, NULL);
  asc_log_clear(log);
  log->details_off = log->lists_off = false;
  return status;
}

/* ---- the overview's word --------------------------------------------------------------------------------------------- */

/* Whether a bucket may have a step of a kind that is asked for: of placements it does not say how many there are. */
static bool has_kind(const asc_condition *c, const asc_bucket *bucket) {
  uint64_t kinds = kinds_of(c), discards = BIT(REJECT) | BIT(SKIP);
  if ((kinds & BIT(PLACE)) || (kinds & bucket->kinds)) return true;
  if ((kinds & BIT(BACKTRACK)) && (c->major ? bucket->major : bucket->backtracks)) return true;
  if (kinds & discards)
    for (int r = 0; r < ASC_RULE_COUNT; r++)
      if (bucket->rules[r]) return true;
  return false;
}

/* depth: of placed buffers before the bucket. */
static bool possible(const asc_condition *c, const asc_bucket *bucket, uint32_t depth) {
  if (!has_kind(c, bucket)) return false;
  if (c->above != ASC_NONE && (bucket->max_depth <= c->above || (depth > c->above && bucket->min_depth > c->above)))
    return false;
  if (!c->rules && c->section == ASC_NONE) return true;
  /* a section is named by a rejection, and every rejection has its rule counted */
  for (int r = 0; r < ASC_RULE_COUNT; r++)
    if (bucket->rules[r] && (!c->rules || (c->rules >> r & 1))) return true;
  return false;
}

static bool promising(const search *s, const asc_overview *overview, uint64_t bucket) {
  uint32_t depth = bucket ? overview->buckets[bucket - 1].last_depth : 0;
  for (uint32_t c = 0; c < s->count; c++)
    if (possible(&s->conditions[c], &overview->buckets[bucket], depth)) return true;
  return false;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static asc_status find_forward(const search *s, uint64_t from, uint64_t limit, uint64_t *found, uint64_t *stopped) {
  asc_overview overview;
  asc_run_overview(s->timeline->run, &overview);
  uint64_t steps = s->timeline->run->stats.steps, at = from, spent = 0;
  while (at < steps && spent < limit) {
    uint64_t end = least(steps, (at / overview.width + 1) * overview.width);
    if (promising(s, &overview, at / overview.width)) {
      if (end - at > limit - spent) end = at + (limit - spent);
      asc_status status = scan(s, at + 1, end, true, found);
      if (status || *found) return status;
      spent += end - at;
    }
    at = end;
  }
  *stopped = at;
  return ASC_OK;
}

/* The first step before `at` that is taken again anyway, on the way from its keyframe: narrow buckets must not each go that way. */
static uint64_t walked_from(const asc_timeline *timeline, uint64_t at) {
  uint64_t key = (at - 2) / timeline->spacing * timeline->spacing;
  return at - key > LONGEST_STRETCH ? at - LONGEST_STRETCH : key + 1;
}

static asc_status find_backward(const search *s, uint64_t from, uint64_t limit, uint64_t *found, uint64_t *stopped) {
  asc_overview overview;
  asc_run_overview(s->timeline->run, &overview);
  uint64_t steps = s->timeline->run->stats.steps, spent = 0;
  uint64_t at = from > steps ? steps + 1 : from; /* looks at steps before at */
  while (at > 1 && spent < limit) {
    uint64_t bucket = (at - 2) / overview.width, first = bucket * overview.width + 1;
    if (promising(s, &overview, bucket)) {
      first = least(first, walked_from(s->timeline, at));
      if (at - first > limit - spent) first = at - (limit - spent);
      asc_status status = scan(s, first, at - 1, false, found);
      if (status || *found) return status;
      spent += at - first;
    }
    at = first;
  }
  *stopped = at;
  return ASC_OK;
}

asc_status asc_timeline_find(asc_timeline *timeline, uint64_t from, bool forward, const asc_condition *conditions,
                             uint32_t count, uint64_t limit, uint64_t *step, uint64_t *stopped) {
  if (!timeline || !step || (count && !conditions)) return ASC_BAD_ARGUMENT;
  search s = {.timeline = timeline, .conditions = conditions, .count = count};
  uint64_t ignored;
  if (!stopped) stopped = &ignored;
  *step = *stopped = 0;
  if (limit == 0) limit = UINT64_MAX;
  return forward ? find_forward(&s, from, limit, step, stopped) : find_backward(&s, from, limit, step, stopped);
}
