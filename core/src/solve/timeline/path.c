/* What was tried at the nodes on the path to a step: the local search tree.
 *
 * A node is a state with so many buffers placed. Walking backwards from the step, the node that is asked about is the deepest one that was
 * open at that time, for what lies above it was tried later and is known already:
 *
 *     step      ... 20  21  22  23  24  25  26  27         27: what is shown, 3 placed: begin with node 3
 *     depth          2   2   3   4   2   2   3   3         27: tried at node 3, 26: placed, node 3 is whole; node 2 next
 *     event          P   x   P   P   B   x   P   x         25, 24-22 (a subtree of 2 steps), 21: tried at node 2; 20: whole; node 1 next
 *
 * So only events at the node's own depth, and placements directly above it, matter, and all steps that the overview says are deeper are
 * passed over: what is re-executed is little more than what is shown. */
#include "solve/timeline/timeline.h"

#include <string.h>

/* ---- asking about one node after the other --------------------------------------------------------------------------- */

static asc_path_node *open_entry(asci_look *look) {
  return &look->nodes[look->node_count - 1];
}

static bool push_node(asc_timeline *timeline, uint32_t node) {
  asci_look *look = &timeline->look;
  if (!asci_grow(timeline->context, &look->nodes, &look->node_room, look->node_count + 1, sizeof *look->nodes)) return false;
  look->nodes[look->node_count++] = (asc_path_node){.first = (uint32_t)look->attempt_count};
  look->node = node;
  look->taken_back = 0;
  look->earlier = false;
  return true;
}

/* Nothing more was tried at the node, which the step before led to. False: no memory. */
static bool finish_node(asc_timeline *timeline) {
  asci_look *look = &timeline->look;
  open_entry(look)->whole = true;
  if (look->node > look->path.top) return push_node(timeline, look->node - 1);
  look->path.whole = true;
  return true;
}

static bool keep(asc_timeline *timeline, asc_attempt attempt) {
  asci_look *look = &timeline->look;
  asc_path_node *entry = open_entry(look);
  if (entry->count >= look->most) {
    entry->more++;
    return true;
  }
  if (look->attempt_count >= UINT32_MAX ||
      !asci_grow(timeline->context, &look->attempts, &look->attempt_room, look->attempt_count + 1, sizeof attempt))
    return false;
  look->attempts[look->attempt_count++] = attempt;
  entry->count++;
  return true;
}

static asc_attempt attempt_of(const asc_event *event) {
  asci_spot spot = asci_spot_of(event);
  asc_attempt attempt = {.step = event->step,
                         .end = event->step,
                         .offset = spot.offset,
                         .buffer = spot.buffer,
                         .count = 1,
                         .kind = event->kind,
                         .rule = (uint16_t)asci_rule_of(event)};
  if (event->kind == ASC_EVENT_SKIP) attempt.count = (uint32_t)event->skip.count;
  if (event->kind == ASC_EVENT_WASTE) {
    attempt.count = 0;
    attempt.offset = event->waste.floor;
  }
  return attempt;
}

/* A placement on the way back: the one that opened the node, or a child of it that was taken back later. */
static bool see_place(asc_timeline *timeline, const asc_event *event) {
  asci_look *look = &timeline->look;
  if (event->depth == look->node) {
    if (!look->earlier) open_entry(look)->step = event->step;
    return finish_node(timeline);
  }
  if (!look->taken_back) return true; /* of an attempt that ended without taking anything back */
  asc_attempt child = attempt_of(event);
  child.end = look->taken_back;
  look->taken_back = 0;
  return keep(timeline, child);
}

/* Everybody may lie elsewhere since: how the nodes below came about is told by no step. */
static bool see_rebuilt(asc_timeline *timeline, const asc_event *event) {
  if (!timeline->look.earlier) open_entry(&timeline->look)->step = event->step;
  while (!timeline->look.path.whole)
    if (!finish_node(timeline)) return false;
  return true;
}

/* A new attempt: before it the node was another one, with the same buffers placed. */
static bool see_begin(asc_timeline *timeline, const asc_event *event) {
  timeline->look.earlier = true;
  open_entry(&timeline->look)->step = event->step;
  return timeline->look.node ? true : finish_node(timeline);
}

#define ASC_STEP(NAME, name, id, effect, roles, arguments, list, meaning) +(ASCI_##effect == ASCI_RETURNS)
_Static_assert(0
#include "asc/events.def"
                   == 1,
               "see() reads of a step that RETURNS what BACKTRACK says");

/* False: no memory. */
static bool see(asc_timeline *timeline, const asc_event *event) {
  asci_look *look = &timeline->look;
  asci_effect effect = asci_effect_of(event->kind);
  bool opened = (effect == ASCI_OPENS || effect == ASCI_REBUILDS) && event->depth == look->node;
  bool child = effect == ASCI_OPENS && event->depth == look->node + 1;
  if (look->earlier ? !opened : event->depth != look->node && !child) return true;
  switch (effect) {
  case ASCI_OPENS:
    return see_place(timeline, event);
  case ASCI_DISCARDS:
  case ASCI_IDLES: /* what follows is tried one question further on */
    return keep(timeline, attempt_of(event));
  case ASCI_RETURNS:
    if (event->backtrack.from > event->backtrack.to) look->taken_back = event->step;
    return true;
  case ASCI_REBUILDS:
    return see_rebuilt(timeline, event);
  case ASCI_BEGINS:
    return see_begin(timeline, event);
  case ASCI_STAYS:
    break;
  }
  return true;
}

/* ---- steps worth looking at ------------------------------------------------------------------------------------------ */

/* The last step up to `to` and after `from` in a bucket that comes down to the node; `from` if there is none. */
static uint64_t last_worth(const asc_timeline *timeline, uint64_t from, uint64_t to) {
  asc_overview overview;
  asc_run_overview(timeline->run, &overview);
  while (to > from) {
    uint64_t bucket = (to - 1) / overview.width;
    if (overview.buckets[bucket].min_depth <= timeline->look.node + 1) return to;
    to = bucket * overview.width;
  }
  return from;
}

static bool see_all(asc_timeline *timeline) {
  const asc_log *log = timeline->log;
  for (size_t k = log->count; k-- > 0 && !timeline->look.path.whole;)
    if (!see(timeline, &log->events[k])) return false;
  return true;
}

/* Looks at the steps after the keyframe before look->at, back to it. Gives what was re-executed for it. */
static asc_status look_back(asc_timeline *timeline, uint64_t *spent) {
  asci_look *look = &timeline->look;
  asc_log *log = timeline->log;
  uint64_t from = asci_key_before(timeline, look->at - 1)->step, to = last_worth(timeline, from, look->at);
  *spent = to - from;
  look->at = from;
  if (to == from) return ASC_OK;
  asc_log_clear(log);
  asc_status status = asci_timeline_go_to(timeline, from);
  log->kinds = ~asci_kinds_with_effect(ASCI_STAYS);
  log->details_off = log->lists_off = true;
  log->deepest = look->node + 1;
  asc_run_attach(timeline->cursor, log);
  if (!status) status = asci_timeline_go_on(timeline, to - from);
  asc_run_attach(timeline->cursor, NULL);
  if (!status && (log->dropped || !see_all(timeline))) status = ASC_OUT_OF_MEMORY;
  asc_log_clear(log);
  log->kinds = UINT64_MAX;
  log->deepest = UINT32_MAX;
  log->details_off = log->lists_off = false;
  return status;
}

/* ---- handing out ----------------------------------------------------------------------------------------------------- */

/* From the top down and in order of step; levels that were not reached are there, empty. */
static asc_status hand_out(asc_timeline *timeline, asc_path *path) {
  asci_look *look = &timeline->look;
  asc_context *context = timeline->context;
  size_t levels = (size_t)look->path.depth - look->path.top + 1, count = look->attempt_count;
  if (!asci_grow(context, &look->shown_nodes, &look->shown_node_room, levels, sizeof *look->shown_nodes) ||
      !asci_grow(context, &look->shown, &look->shown_room, count, sizeof *look->shown))
    return ASC_OUT_OF_MEMORY;
  memset(look->shown_nodes, 0, levels * sizeof *look->shown_nodes);
  for (size_t k = 0; k < count; k++) look->shown[k] = look->attempts[count - 1 - k];
  for (size_t k = 0; k < look->node_count; k++) {
    asc_path_node node = look->nodes[k];
    node.first = (uint32_t)(count - node.first - node.count);
    look->shown_nodes[levels - 1 - k] = node;
  }
  look->path.nodes = look->shown_nodes;
  look->path.attempts = look->shown;
  look->path.attempt_count = (uint32_t)count;
  look->path.from = look->at;
  *path = look->path;
  return ASC_OK;
}

static asc_status begin(asc_timeline *timeline, uint64_t step, uint32_t levels, uint32_t most) {
  asci_look *look = &timeline->look;
  look->begun = false;
  look->attempt_count = look->node_count = 0;
  asc_status status = asci_timeline_go_to(timeline, step);
  asc_run_view view;
  if (!status) status = asc_run_view_get(timeline->cursor, &view);
  if (status) return status;
  look->step = look->at = step;
  look->levels = levels;
  look->most = most;
  look->path = (asc_path){.step = step,
                          .depth = view.depth,
                          .top = view.depth > levels ? view.depth - levels : 0,
                          .tried = view.open_tried,
                          .candidates = view.open_candidates};
  if (!push_node(timeline, view.depth)) return ASC_OUT_OF_MEMORY;
  look->begun = true;
  return ASC_OK;
}

asc_status asc_timeline_path(asc_timeline *timeline, uint64_t step, uint32_t levels, uint32_t most, uint64_t limit,
                             asc_path *path) {
  if (!timeline || !path) return ASC_BAD_ARGUMENT;
  asci_look *look = &timeline->look;
  uint64_t steps = timeline->run->stats.steps, spent = 0;
  if (step > steps) step = steps;
  asc_status status = ASC_OK;
  bool same = look->begun && look->step == step && look->levels == levels && look->most == most;
  if (!same) status = begin(timeline, step, levels, most);
  while (!status && !look->path.whole) {
    if (look->at == 0) {
      status = finish_node(timeline) ? ASC_OK : ASC_OUT_OF_MEMORY;
      continue;
    }
    if (limit && spent >= limit) break;
    uint64_t now;
    status = look_back(timeline, &now);
    spent += now ? now : 1;
  }
  if (!status) status = hand_out(timeline, path);
  /* what was half looked at cannot be gone on with */
  if (status) look->begun = false;
  return status;
}
