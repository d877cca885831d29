/* Events, and what was tried at the nodes of a path, in the outputs: as put_frame and glue_path say. */
#ifndef ASC_WASM_STEPS_H
#define ASC_WASM_STEPS_H

#include "asc/asc.h"
#include "outputs.h"

/* Per event: step, kind, line, depth, what it says, and where its list begins and how long it is: as wasm/client/events.ts reads it. */
#define EVENT_NUMBERS (6 + ASC_EVENT_ARGS)

static void put_events(outputs *out, const asc_event *events, size_t count) {
  double *row = more_numbers(out, EVENT_NUMBERS * count);
  for (size_t k = 0; row && k < count; k++, row += EVENT_NUMBERS) {
    const asc_event *event = &events[k];
    row[0] = (double)event->step;
    row[1] = event->kind;
    row[2] = event->line;
    row[3] = event->depth;
    for (size_t a = 0; a < ASC_EVENT_ARGS; a++) row[4 + a] = (double)event->args[a];
    row[4 + ASC_EVENT_ARGS] = event->list;
    row[5 + ASC_EVENT_ARGS] = event->list_count;
  }
}

/* False when there is no memory. */
static bool put_path(outputs *out, const asc_path *path) {
  size_t nodes = (size_t)path->depth - path->top + 1, attempts = path->attempt_count;
  const double head[8] = {(double)path->step, path->depth,         path->top,   path->tried,
                          path->candidates,   path->attempt_count, path->whole, (double)path->from};
  double *number = more_numbers(out, 8 + nodes + 3 * attempts);
  uint32_t *word = more_words(out, 3 * nodes + 4 * attempts);
  if (!number || !word) return false;
  memcpy(number, head, sizeof head);
  for (size_t k = 0; k < nodes; k++) {
    const asc_path_node *node = &path->nodes[k];
    number[8 + k] = (double)node->step;
    word[k] = node->count;
    word[nodes + k] = node->more;
    word[2 * nodes + k] = node->whole;
  }
  for (size_t k = 0; k < attempts; k++) {
    const asc_attempt *attempt = &path->attempts[k];
    double *row = number + 8 + nodes + k;
    row[0] = (double)attempt->step;
    row[attempts] = (double)attempt->end;
    row[2 * attempts] = (double)attempt->offset;
    uint32_t *entry = word + 3 * nodes + k;
    entry[0] = attempt->buffer;
    entry[attempts] = attempt->count;
    entry[2 * attempts] = attempt->kind;
    entry[3 * attempts] = attempt->rule;
  }
  return true;
}

#endif
