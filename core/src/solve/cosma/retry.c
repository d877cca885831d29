/* Other solutions that cost as much as the best, which may find addresses where it does not: the exact search once more, with operators and values that are
 * otherwise alike tried in another order. */
#include "cosma.h"

#include <string.h>

enum { SLICE = 256, MOST_OTHERS = 8, MOST_SPENT = 1 << 20 };

bool asci_cosma_retry_begin(cosma_machine *c) {
  if (c->set.schedule != COSMA_JOINT || c->height || c->others >= MOST_OTHERS || c->spent >= MOST_SPENT) return false;
  c->phase = COSMA_RETRY;
  c->spent = 0;
  asci_cosma_passes_again(&c->passes, ++c->others);
  return true;
}

static bool is_same(const cosma_machine *c, const cosma_solution *a, const cosma_solution *b) {
  size_t n = c->model.op_count, evicted = a->evict_begin[n];
  return !memcmp(a->order, b->order, n * sizeof *a->order) &&
         !memcmp(a->evict_begin, b->evict_begin, (n + 1) * sizeof *a->evict_begin) &&
         (!evicted || !memcmp(a->evicted, b->evicted, evicted * sizeof *a->evicted));
}

static bool is_known(const cosma_machine *c) {
  for (size_t k = 0; k < c->found_count; k++)
    if (is_same(c, &c->passes.other, &c->found[k].solution)) return true;
  return false;
}

/* The search is over. One that had no room, or no end in sight, is the last. */
static cosma_retry end_search(cosma_machine *c, cosma_step step) {
  if (step != COSMA_END) c->spent = MOST_SPENT;
  if (step != COSMA_END || !asci_cosma_passes_other(&c->passes) || is_known(c)) return COSMA_RETRY_NONE;
  asc_status status = asci_cosma_keep(c, &c->passes.other);
  if (status) asci_cosma_fail(c, status);
  return status ? COSMA_RETRY_GOES_ON : COSMA_RETRY_FOUND;
}

cosma_retry asci_cosma_retry_work(cosma_machine *c) {
  cosma_search *s = &c->passes.search;
  cosma_step step = COSMA_KEPT;
  for (uint32_t k = 0; k < SLICE && step != COSMA_LAYER && step != COSMA_END && step != COSMA_FULL; k++, c->spent++)
    step = asci_cosma_search_step(s);
  bool finished = step == COSMA_LAYER;
  asci_cosma_add_entry(c, (cosma_entry){.stage = COSMA_OTHERS,
                                        .layer = s->depth - finished,
                                        .states = finished ? s->now.kept : s->next.kept,
                                        .dominated = s->dominated,
                                        .pruned = s->pruned,
                                        .best = c->passes.best.cost});
  if (c->outcome != ASC_OUTCOME_RUNNING) return COSMA_RETRY_GOES_ON;
  bool over = step == COSMA_END || step == COSMA_FULL;
  if (over || c->spent >= MOST_SPENT) return end_search(c, over ? step : COSMA_FULL);
  return COSMA_RETRY_GOES_ON;
}
