#include "solve/trail.h"

#include "base/memory.h"

#define KEPT 3u    /* entries of all trails for each buffer, */
#define FEW 16384u /* and so many besides */

/* ---- leaving --------------------------------------------------------------------------------------------------------- */

static void lose(asc_context *context, asci_trails *trails, asci_trail *trail) {
  asci_free(context, trail->entries);
  trails->entries -= trail->count;
  *trail = (asci_trail){.lost = true};
}

void asci_trails_free(asc_context *context, asci_trails *trails) {
  for (size_t k = 0; k < trails->count; k++) asci_free(context, trails->items[k].entries);
  asci_free(context, trails->items);
  *trails = (asci_trails){0};
}

void asci_trails_begin(asc_context *context, asci_trails *trails, uint32_t number) {
  if (!trails->count) trails->first = number;
  if (asci_grow(context, &trails->items, &trails->room, trails->count + 1, sizeof *trails->items))
    trails->items[trails->count++] = (asci_trail){0};
  else
    asci_trails_free(context, trails); /* they begin with the next try again */
}

/* The earliest that is worth it, but the one under way and that of the best plan, which are left to the last. */
static asci_trail *dispensable(const asci_trails *trails) {
  for (int all = 0; all < 2; all++)
    for (size_t k = 0; k + 1 < trails->count; k++)
      if (trails->items[k].count && (all || trails->first + k != trails->best)) return &trails->items[k];
  return &trails->items[trails->count - 1];
}

static void add(asc_context *context, asci_trails *trails, const asci_large_attempt *a, asci_trail_entry entry) {
  if (!trails->count) return;
  asci_trail *trail = &trails->items[trails->count - 1];
  while (!trail->lost && trails->entries >= (size_t)a->problem->count * KEPT + FEW)
    lose(context, trails, dispensable(trails));
  if (trail->lost) return;
  if (!asci_grow(context, &trail->entries, &trail->room, trail->count + 1, sizeof *trail->entries)) {
    lose(context, trails, trail);
    return;
  }
  trail->entries[trail->count++] = entry;
  trails->entries++;
}

void asci_trails_add(asc_context *context, asci_trails *trails, const asci_large_attempt *a, asci_large_move move) {
  for (size_t k = 0; k < a->out_count; k++)
    add(context, trails, a, (asci_trail_entry){ASC_UNPLACED, a->out[k], ASCI_TRAIL_OUT});
  bool forced = move == ASCI_LARGE_FORCED, ended = move == ASCI_LARGE_ABANDONED;
  int what = ended ? ASCI_TRAIL_ABANDONED : (forced ? ASCI_TRAIL_FORCED : ASCI_TRAIL_PLACED) + a->again;
  add(context, trails, a, (asci_trail_entry){ended ? a->end : a->offset, a->buffer, (uint8_t)what});
}

const asci_trail *asci_trails_of(const asci_trails *trails, uint32_t number) {
  if (number < trails->first || number - trails->first >= trails->count) return NULL;
  const asci_trail *trail = &trails->items[number - trails->first];
  return trail->lost ? NULL : trail;
}

/* ---- following ------------------------------------------------------------------------------------------------------- */

void asci_trail_begin(const asci_trails *trails, asci_footing *footing, asci_large_attempt *a,
                      const asci_large_config *config, int64_t target, uint32_t number) {
  const asci_trail *left = footing->number ? asci_trails_of(trails, footing->number) : NULL;
  for (size_t k = 0; left && k < footing->at; k++) a->tree.offsets[left->entries[k].buffer] = ASC_UNPLACED;
  for (uint32_t b = 0; !left && b < a->problem->count; b++) a->tree.offsets[b] = ASC_UNPLACED;
  a->config = *config;
  a->target = target;
  a->placed = a->fails = 0;
  if (config->order == ASCI_LARGE_DIVE) a->sorted_by = ASCI_LARGE_DIVE;
  if (footing->ends_of != number) asci_ends_clear(&footing->ends);
  footing->number = footing->ends_of = number;
  footing->at = 0;
}

static bool take_out(asci_large_attempt *a, uint32_t buffer) {
  if (!asci_grow(a->problem->context, &a->out, &a->out_room, a->out_count + 1, sizeof *a->out)) return false;
  a->out[a->out_count++] = buffer;
  a->tree.offsets[buffer] = ASC_UNPLACED;
  a->placed--;
  return true;
}

asci_large_move asci_trail_follow(const asci_trail *trail, asci_footing *footing, asci_large_attempt *a) {
  const asci_trail_entry *entry;
  a->out_count = 0;
  while ((entry = &trail->entries[footing->at++])->what == ASCI_TRAIL_OUT)
    if (!take_out(a, entry->buffer)) return ASCI_LARGE_NO_MEMORY;
  bool forced = entry->what >= ASCI_TRAIL_FORCED;
  a->buffer = entry->buffer;
  if (entry->what == ASCI_TRAIL_ABANDONED) {
    a->end = (asci_large_end)entry->offset;
    return ASCI_LARGE_ABANDONED;
  }
  a->again = entry->what == ASCI_TRAIL_PLACED_AGAIN || entry->what == ASCI_TRAIL_FORCED_AGAIN;
  a->offset = entry->offset;
  a->tree.offsets[a->buffer] = a->offset;
  if (a->config.order == ASCI_LARGE_DIVE) a->order[a->placed] = a->buffer;
  a->placed++;
  a->fails += forced;
  return forced ? ASCI_LARGE_FORCED : ASCI_LARGE_PLACED;
}

static int64_t end_of(const asc_problem *problem, const asci_trail_entry *entry) {
  return entry->offset + problem->buffers[entry->buffer].size;
}

bool asci_trail_support(const asci_trail *trail, asci_footing *footing, const asci_large_attempt *a, uint32_t *support) {
  const asc_problem *problem = a->problem;
  asci_ends *ends = &footing->ends;
  *support = ASC_NONE;
  while (ends->count < footing->at)
    if (!asci_ends_add(problem->context, ends, problem->count, end_of(problem, &trail->entries[ends->count]))) return false;
  for (uint32_t k = asci_ends_at(ends, a->offset); k != ASC_NONE; k = ends->next[k]) {
    const asci_trail_entry *entry = &trail->entries[k];
    uint32_t other = entry->buffer;
    bool there = k < footing->at && a->tree.offsets[other] == entry->offset && end_of(problem, entry) == a->offset;
    if (there && other < *support && entry->what != ASCI_TRAIL_OUT && asci_meet(problem, a->buffer, other)) *support = other;
  }
  return true;
}
