#include "trace/log.h"

asc_status asc_log_new(asc_context *context, uint32_t max_events, asc_log **log) {
  if (!context || !log) return ASC_BAD_ARGUMENT;
  asc_log *made = asci_calloc(context, 1, sizeof *made);
  if (!made) return ASC_OUT_OF_MEMORY;
  made->context = context;
  made->max_events = max_events;
  made->kinds = UINT64_MAX;
  made->deepest = UINT32_MAX;
  *log = made;
  return ASC_OK;
}

void asc_log_free(asc_log *log) {
  if (!log) return;
  asc_context *context = log->context;
  asci_free(context, log->events);
  asci_free(context, log->lists);
  asci_free(context, log);
}

void asc_log_clear(asc_log *log) {
  log->count = log->list_count = 0;
  log->dropped = 0;
  log->last_kept = false;
}

void asc_log_get(const asc_log *log, const asc_event **events, uint32_t *count, const uint32_t **lists, uint64_t *dropped) {
  if (events) *events = log->events;
  if (count) *count = (uint32_t)log->count;
  if (lists) *lists = log->lists;
  if (dropped) *dropped = log->dropped;
}

static bool is_wanted(const asc_log *log, const asc_event *event) {
  if (event->depth > log->deepest) return false;
  return event->kind < ASC_STEP_COUNT ? log->kinds >> event->kind & 1 : !log->details_off;
}

void asci_log_add(asc_log *log, const asc_event *event) {
  log->last_kept = false;
  if (!is_wanted(log, event)) return;
  bool full = log->max_events ? log->count >= log->max_events : log->count >= UINT32_MAX;
  if (full || !asci_grow(log->context, &log->events, &log->event_room, log->count + 1, sizeof *log->events)) {
    log->dropped++;
    return;
  }
  asc_event *kept = &log->events[log->count++];
  *kept = *event;
  kept->list = (uint32_t)log->list_count;
  log->last_kept = !log->lists_off;
}

/* An event whose list cannot be kept whole is dropped whole. */
static void drop_last(asc_log *log) {
  log->list_count = log->events[--log->count].list;
  log->dropped++;
  log->last_kept = false;
}

void asci_log_list(asc_log *log, uint32_t buffer) {
  if (!log->last_kept) return;
  if (log->list_count >= UINT32_MAX ||
      !asci_grow(log->context, &log->lists, &log->list_room, log->list_count + 1, sizeof *log->lists)) {
    drop_last(log);
    return;
  }
  log->lists[log->list_count++] = buffer;
  log->events[log->count - 1].list_count++;
}
