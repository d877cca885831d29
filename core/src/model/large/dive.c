#include "model/large/dive.h"

#include "base/arrays.h"
#include "model/bank.h"

#define HOPS 16u /* sections left, per buffer */

bool asci_dive_can(const asc_problem *problem) {
  return problem->count < ASCI_DIVE_MOST && !problem->has_fixed && !problem->has_gaps && !problem->has_banks;
}

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_dive, items, 0, ASCI_RAW),
    ASCI_ARRAY(asci_dive, rest, 1, ASCI_RAW),
};

asc_status asci_dive_new(const asc_problem *problem, asci_dive *dive) {
  const size_t counts[] = {problem->count, problem->section_count};
  *dive = (asci_dive){.problem = problem};
  return asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, dive) ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_dive_free(asci_dive *dive) {
  if (dive->problem) asci_arrays_free(dive->problem->context, ASCI_TABLE(arrays), dive);
}

void asci_dive_begin(asci_dive *dive) {
  const asc_problem *problem = dive->problem;
  for (uint32_t s = 0; s < problem->section_count; s++) dive->rest[s] = problem->sections[s].load;
  for (uint32_t b = 0; b < problem->count; b++) {
    uint32_t pieces;
    const asci_piece *piece = asci_pieces(problem, b, &pieces);
    dive->items[b] = (asci_dive_item){
        .size = problem->buffers[b].size, .first = pieces ? piece->first : 0, .end = pieces ? piece->end : 0, .buffer = b};
  }
  dive->waiting = problem->count;
  dive->hops = 0;
  dive->height = problem->lower_bound;
}

static uint32_t fullest(const asci_dive *dive, uint32_t first, uint32_t end) {
  uint32_t best = first;
  for (uint32_t s = first + 1; s < end; s++)
    if (dive->rest[s] > dive->rest[best]) best = s;
  return best;
}

static bool is_longer(const asci_dive_item *a, const asci_dive_item *b) {
  if (a->end - a->first != b->end - b->first) return a->end - a->first > b->end - b->first;
  return a->size != b->size ? a->size > b->size : a->buffer < b->buffer;
}

static bool is_alive(const asci_dive_item *item, uint32_t section) {
  return item->first <= section && section < item->end;
}

static bool meet(const asci_dive_item *a, const asci_dive_item *b) {
  return a->first < b->end && b->first < a->end;
}

/* The least offset of whoever is alive in the section: there is someone. */
static int64_t floor_of(const asci_dive *dive, uint32_t section) {
  int64_t floor = INT64_MAX;
  for (const asci_dive_item *item = dive->items; item < dive->items + dive->waiting; item++)
    if (is_alive(item, section) && item->least < floor) floor = item->least;
  return floor;
}

/* Who sits on the section's floor. *over: how much the height must rise for all that is above. */
static asci_dive_item *choose(const asci_dive *dive, uint32_t section, int64_t *over) {
  int64_t floor = floor_of(dive, section), least = 0;
  asci_dive_item *best = NULL;
  for (asci_dive_item *item = dive->items; item < dive->items + dive->waiting; item++) {
    if (item->least != floor || !is_alive(item, section)) continue;
    bool longer = !best || is_longer(item, best);
    if (!longer && least == 0) continue; /* to say what it needs takes a pass over its life */
    int64_t needs = floor + dive->rest[fullest(dive, item->first, item->end)];
    int64_t rise = needs > dive->height ? needs - dive->height : 0;
    if (best && (rise > least || (rise == least && !longer))) continue;
    best = item;
    least = rise;
  }
  *over = least;
  return best;
}

/* Someone alive with the item who ends at or below its least offset where it is lowest itself, or NULL. */
static const asci_dive_item *slips_under(const asci_dive *dive, const asci_dive_item *item) {
  for (const asci_dive_item *other = dive->items; other < dive->items + dive->waiting; other++)
    if (other->least + other->size <= item->least && meet(other, item)) return other;
  return NULL;
}

/* Whom to place, of all that are alive in the section or can slip under those; NULL at the end of patience. */
static asci_dive_item *follow(asci_dive *dive, uint32_t section, int64_t *over) {
  for (;;) {
    asci_dive_item *chosen = choose(dive, section, over);
    const asci_dive_item *under = slips_under(dive, chosen);
    if (!under) return chosen;
    if (dive->hops++ == HOPS * dive->problem->count) return NULL;
    section = fullest(dive, under->first, under->end);
  }
}

/* The item, which waits no more, is where it is lowest. */
static void settle(asci_dive *dive, const asci_dive_item *item) {
  int64_t top = item->least + item->size;
  for (uint32_t s = item->first; s < item->end; s++) dive->rest[s] -= item->size;
  for (asci_dive_item *other = dive->items; other < dive->items + dive->waiting; other++)
    if (other->least < top && meet(other, item))
      other->least = asci_align(top, dive->problem->buffers[other->buffer].alignment);
}

bool asci_dive_next(asci_dive *dive, uint32_t *buffer, int64_t *offset) {
  if (!dive->waiting) return false;
  uint32_t sections = dive->problem->section_count, section = fullest(dive, 0, sections);
  asci_dive_item *chosen = dive->items; /* if nobody who waits occupies anything */
  int64_t over = 0;
  if (sections && dive->rest[section] > 0) chosen = follow(dive, section, &over);
  if (!chosen) return false;
  asci_dive_item item = *chosen;
  *chosen = dive->items[--dive->waiting];
  dive->height += over;
  settle(dive, &item);
  *buffer = item.buffer;
  *offset = item.least;
  return true;
}
