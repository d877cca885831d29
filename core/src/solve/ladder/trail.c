#include "solve/ladder/trail.h"

#include "base/arrays.h"
#include "base/memory.h"
#include "model/lifespan/meet.h"

#include <string.h>

#define KEPT 3u    /* entries of all trails for each buffer, */
#define FEW 16384u /* and so many besides */

/* ---- leaving --------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {ASCI_OWN(asci_trails, entries), ASCI_OWN(asci_trails, items)};

void asci_trails_free(asc_context *context, asci_trails *trails) {
  asci_arrays_free(context, ASCI_TABLE(arrays), trails);
  *trails = (asci_trails){0};
}

void asci_trails_begin(asc_context *context, asci_trails *trails, uint32_t number) {
  if (!trails->count) trails->first = number;
  if (asci_grow(context, &trails->items, &trails->room, trails->count + 1, sizeof *trails->items))
    trails->items[trails->count++] = (asci_trail){trails->entry_count, trails->entry_count, false};
  else
    trails->count = trails->entry_count = 0; /* they begin with the next try again */
}

/* Loses the earliest, but not the best plan's, until those before the one under way fill no more than half of the room. Then that as well, if it
   does not fit beside them. */
static void make_room(asci_trails *trails, size_t most) {
  size_t others = trails->items[trails->count - 1].begin, kept = 0;
  for (size_t k = 0; k < trails->count; k++) {
    asci_trail *trail = &trails->items[k];
    size_t length = trail->end - trail->begin;
    bool last = k + 1 == trails->count, best = trails->first + k == trails->best;
    if (length && (last ? kept + length >= most : others > most / 2 && !best)) {
      if (!last) others -= length;
      trail->lost = true;
      length = 0;
    }
    memmove(trails->entries + kept, trails->entries + trail->begin, length * sizeof *trails->entries);
    trail->begin = kept;
    trail->end = kept += length;
  }
  trails->entry_count = kept;
}

static void add(asc_context *context, asci_trails *trails, const asci_large_attempt *a, asci_trail_entry entry) {
  if (!trails->count) return;
  asci_trail *trail = &trails->items[trails->count - 1];
  size_t most = (size_t)a->problem->count * KEPT + FEW;
  if (trails->entry_count >= most && !trail->lost) make_room(trails, most);
  if (trail->lost) return;
  if (!asci_grow_little(context, &trails->entries, &trails->entry_room, trails->entry_count + 1, sizeof entry)) {
    trails->entry_count = trail->begin;
    *trail = (asci_trail){trail->begin, trail->begin, true};
    return;
  }
  trails->entries[trails->entry_count++] = entry;
  trail->end = trails->entry_count;
}

void asci_trails_add(asc_context *context, asci_trails *trails, const asci_large_attempt *a, asci_large_move move) {
  for (size_t k = 0; k < a->out_count; k++)
    add(context, trails, a, (asci_trail_entry){ASC_UNPLACED, a->out[k], ASCI_TRAIL_OUT});
  bool forced = move == ASCI_LARGE_FORCED, ended = move == ASCI_LARGE_ABANDONED;
  int what = ended ? ASCI_TRAIL_ABANDONED : (forced ? ASCI_TRAIL_FORCED : ASCI_TRAIL_PLACED) + a->again;
  add(context, trails, a, (asci_trail_entry){ended ? a->end : a->offset, a->buffer, (uint8_t)what});
}

static const asci_trail *trail_of(const asci_trails *trails, uint32_t number) {
  static const asci_trail none;
  return number < trails->first || number - trails->first >= trails->count ? &none : &trails->items[number - trails->first];
}

size_t asci_trails_length(const asci_trails *trails, uint32_t number) {
  const asci_trail *trail = trail_of(trails, number);
  return trail->end - trail->begin;
}

/* The entries of the trail that the footing is on. */
static const asci_trail_entry *entries_of(const asci_trails *trails, const asci_footing *footing) {
  return trails->entries + trail_of(trails, footing->number)->begin;
}

/* ---- following ------------------------------------------------------------------------------------------------------- */

void asci_trail_begin(const asci_trails *trails, asci_footing *footing, asci_large_attempt *a,
                      const asci_large_config *config, int64_t target, uint32_t number) {
  bool left = asci_trails_length(trails, footing->number) >= footing->at && footing->at;
  for (size_t k = 0; left && k < footing->at; k++) a->tree.offsets[entries_of(trails, footing)[k].buffer] = ASC_UNPLACED;
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

asci_large_move asci_trail_follow(const asci_trails *trails, asci_footing *footing, asci_large_attempt *a) {
  const asci_trail_entry *entry;
  a->out_count = 0;
  while ((entry = &entries_of(trails, footing)[footing->at++])->what == ASCI_TRAIL_OUT)
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

bool asci_trail_support(const asci_trails *trails, asci_footing *footing, const asci_large_attempt *a, uint32_t *support) {
  const asc_problem *problem = a->problem;
  const asci_trail_entry *entries = entries_of(trails, footing);
  asci_ends *ends = &footing->ends;
  *support = ASC_NONE;
  while (ends->count < footing->at)
    if (!asci_ends_add(problem->context, ends, problem->count, end_of(problem, &entries[ends->count]))) return false;
  for (uint32_t k = asci_ends_at(ends, a->offset); k != ASC_NONE; k = ends->next[k]) {
    const asci_trail_entry *entry = &entries[k];
    uint32_t other = entry->buffer;
    bool there = k < footing->at && a->tree.offsets[other] == entry->offset && end_of(problem, entry) == a->offset;
    if (there && other < *support && entry->what != ASCI_TRAIL_OUT && asci_meet(problem, a->buffer, other)) *support = other;
  }
  return true;
}
