#include "trace/overview.h"

static const asc_bucket empty = {.min_depth = UINT32_MAX};

/* Room for some, for eight times as many, for all. */
static bool make_room(asci_overview *overview) {
  size_t need = overview->room ? 8 * overview->room : ASC_OVERVIEW_BUCKETS / 64;
  return need <= ASC_OVERVIEW_BUCKETS &&
         asci_grow(overview->context, &overview->buckets, &overview->room, need, sizeof *overview->buckets);
}

asci_overview *asci_overview_new(asc_context *context) {
  asci_overview *made = asci_alloc(context, 1, sizeof *made);
  if (!made) return NULL;
  made->context = context;
  made->width = 1;
  made->count = made->mark_count = 0;
  made->buckets = NULL;
  made->room = 0;
  if (make_room(made)) return made;
  asci_overview_free(made);
  return NULL;
}

void asci_overview_free(asci_overview *overview) {
  if (!overview) return;
  asci_free(overview->context, overview->buckets);
  asci_free(overview->context, overview);
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static asc_bucket merged(const asc_bucket *a, const asc_bucket *b) {
  asc_bucket sum = *b;
  sum.min_depth = least(a->min_depth, b->min_depth);
  sum.max_depth = most(a->max_depth, b->max_depth);
  sum.max_undone = most(a->max_undone, b->max_undone);
  sum.backtracks += a->backtracks;
  sum.major += a->major;
  sum.restarts += a->restarts;
  sum.kinds |= a->kinds;
  for (int r = 0; r < ASC_RULE_COUNT; r++) sum.rules[r] += a->rules[r];
  return sum;
}

asc_bucket *asci_overview_next(asci_overview *overview) {
  if (overview->count == overview->room && !make_room(overview)) {
    overview->count /= 2;
    overview->width *= 2;
    for (uint32_t k = 0; k < overview->count; k++)
      overview->buckets[k] = merged(&overview->buckets[2 * k], &overview->buckets[2 * k + 1]);
  }
  asc_bucket *bucket = &overview->buckets[overview->count++];
  *bucket = empty;
  return bucket;
}

/* Every second decomposition goes first; when there is none left, every second mark of any kind but the newest. */
static void thin(asci_overview *overview) {
  uint32_t kept = 0, seen = 0, decompositions = 0;
  for (uint32_t m = 0; m < overview->mark_count; m++) decompositions += overview->marks[m].kind == ASC_MARK_DECOMPOSE;
  for (uint32_t m = 0; m < overview->mark_count; m++) {
    bool candidate = decompositions < 2 || overview->marks[m].kind == ASC_MARK_DECOMPOSE;
    if (candidate && seen++ % 2) continue;
    overview->marks[kept++] = overview->marks[m];
  }
  overview->mark_count = kept;
}

void asci_overview_mark(asci_overview *overview, asc_mark mark) {
  while (overview->mark_count >= ASCI_MARKS) thin(overview);
  overview->marks[overview->mark_count++] = mark;
}
