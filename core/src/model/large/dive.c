#include "model/large/dive.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "model/bank.h"

#define HOPS 16u             /* sections left, per buffer; */
#define MOST_HOPS (1u << 16) /* in one move, which nobody can cancel */
#define BLOCK 64u            /* sections whose greatest rest is known */
#define MOST_LOOKS (UINT64_C(1) << 28)
#define LONGEST (UINT32_C(1) << 25) /* sections: a longer life counts as that by chance */
#define GRAINS 64u                  /* in which the length of a section counts by chance */

/* Each buffer placed looks at those alive with it, twice as many as are when it begins, and at the sections of its life. */
uint64_t asci_dive_looks(const asc_problem *problem) {
  uint64_t looks = 0;
  for (uint32_t p = 0; p < problem->piece_begin[problem->count]; p++) {
    const asci_piece *piece = &problem->pieces[p];
    looks += 2 * (uint64_t)problem->sections[piece->first].live + piece->end - piece->first;
  }
  return looks;
}

bool asci_dive_can(const asc_problem *problem) {
  return !problem->has_fixed && !problem->has_gaps && !problem->has_banks && asci_dive_looks(problem) <= MOST_LOOKS;
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static const asci_array arrays[] = {
    ASCI_ARRAY(asci_dive, items, 0, ASCI_RAW),
    ASCI_ARRAY(asci_dive, rest, 1, ASCI_RAW),
    ASCI_ARRAY(asci_dive, greatest, 2, ASCI_RAW),
};

static asci_dive_item item_of(const asc_problem *problem, uint32_t buffer) {
  uint32_t pieces;
  const asci_piece *piece = asci_pieces(problem, buffer, &pieces);
  return (asci_dive_item){.size = problem->buffers[buffer].size,
                          .first = pieces ? piece->first : 0,
                          .end = pieces ? piece->end : 0,
                          .buffer = buffer,
                          .length = pieces ? piece->end - piece->first : 0};
}

static uint32_t class_of(const asci_dive_item *item) {
  uint32_t bits = 0;
  for (uint32_t length = item->end - item->first; length; length >>= 1) bits++;
  return bits;
}

/* By class, then by first section. keys: three for each buffer. */
static void put_in_order(asci_dive *dive, uint32_t *order, int64_t *keys) {
  const asc_problem *problem = dive->problem;
  uint32_t n = problem->count;
  for (uint32_t b = 0; b < n; b++) {
    asci_dive_item item = item_of(problem, b);
    uint32_t class = class_of(&item);
    order[b] = b;
    keys[b] = ((int64_t) class << 32) + item.first;
    dive->classes[class].end++;
    dive->aligned |= problem->buffers[b].alignment > 1;
  }
  for (uint32_t c = 1; c < ASCI_DIVE_CLASSES; c++) {
    dive->classes[c].begin = dive->classes[c - 1].end;
    dive->classes[c].end += dive->classes[c].begin;
  }
  asci_sort_by(order, keys + n, n, keys);
  for (uint32_t k = 0; k < n; k++) dive->items[k] = item_of(problem, order[k]);
}

static void renew_block(asci_dive *dive, uint32_t block) {
  uint32_t end = dive->problem->section_count - block * BLOCK < BLOCK ? dive->problem->section_count : (block + 1) * BLOCK;
  int64_t most = 0;
  for (uint32_t s = block * BLOCK; s < end; s++) most = dive->rest[s] > most ? dive->rest[s] : most;
  dive->greatest[block] = most;
}

/* Up to half as long again. */
static void lengthen(asci_dive *dive, asci_rng *rng) {
  for (uint32_t k = 0; k < dive->problem->count; k++) {
    asci_dive_item *item = &dive->items[k];
    uint32_t grains = (item->length < LONGEST ? item->length : LONGEST) * GRAINS;
    item->length = grains + (uint32_t)asci_random_below(rng, grains / 2 + 1);
  }
}

asc_status asci_dive_new(const asc_problem *problem, asci_rng *rng, asci_dive *dive) {
  const size_t n = problem->count, sections = problem->section_count, blocks = (sections + BLOCK - 1) / BLOCK;
  const size_t counts[] = {n, sections, blocks};
  *dive = (asci_dive){.problem = problem, .height = problem->lower_bound};
  bool made = asci_arrays_new(problem->context, ASCI_TABLE(arrays), counts, dive);
  uint32_t *order = asci_alloc(problem->context, n, sizeof *order);
  int64_t *keys = asci_alloc(problem->context, 3 * n, sizeof *keys);
  made = made && order && keys;
  if (made) put_in_order(dive, order, keys);
  if (made && rng) lengthen(dive, rng);
  asci_free(problem->context, keys);
  asci_free(problem->context, order);
  if (!made) {
    asci_dive_free(dive); /* one that is not made has no problem */
    return ASC_OUT_OF_MEMORY;
  }
  for (uint32_t s = 0; s < sections; s++) dive->rest[s] = problem->sections[s].load;
  for (uint32_t k = 0; k < blocks; k++) renew_block(dive, k);
  return ASC_OK;
}

void asci_dive_free(asci_dive *dive) {
  if (!dive->problem) return;
  asci_arrays_free(dive->problem->context, ASCI_TABLE(arrays), dive);
  *dive = (asci_dive){0};
}

/* ---- who is alive, what is full ---------------------------------------------------------------------------------------- */

/* Who may be alive in some section of first to end - 1, class by class, the longest lives first: of items from `item` to before `stop` those whose
   end is above `first`. The others have ended, or wait no more. */
typedef struct walk {
  const asci_dive *dive;
  uint32_t first, end;
  uint32_t class;
  asci_dive_item *item, *stop;
} walk;

static walk those_alive(const asci_dive *dive, uint32_t first, uint32_t end) {
  return (walk){.dive = dive, .first = first, .end = end, .class = ASCI_DIVE_CLASSES};
}

/* The first item of the class, from `low` on, that begins at the section or later. */
static uint32_t begins_from(const asci_dive *dive, uint32_t class, uint32_t low, uint64_t section) {
  uint32_t high = dive->classes[class].end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (dive->items[middle].first < section)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Fills item and stop. False: no class is left; who lives in no section is alive with nobody. */
static bool next_class(walk *w) {
  const asci_dive *dive = w->dive;
  while (--w->class) {
    const asci_dive_class *class = &dive->classes[w->class];
    if (class->begin == class->end) continue;
    uint64_t longest = (UINT64_C(1) << w->class) - 1;
    uint32_t from = begins_from(dive, w->class, class->begin, w->first < longest ? 0 : w->first - longest + 1);
    w->item = dive->items + from;
    w->stop = dive->items + begins_from(dive, w->class, from, w->end);
    return true;
  }
  return false;
}

/* The first of those of the greatest rest. */
static uint32_t fullest(const asci_dive *dive, uint32_t first, uint32_t end) {
  uint32_t best = first, step = 1;
  int64_t most = dive->rest[first];
  for (uint32_t s = first + 1; s < end; s += step) {
    bool whole = s % BLOCK == 0 && end - s >= BLOCK;
    int64_t rest = whole ? dive->greatest[s / BLOCK] : dive->rest[s];
    step = whole ? BLOCK : 1;
    if (rest <= most) continue;
    most = rest;
    best = s;
  }
  while (dive->rest[best] < most) best++; /* somewhere in a block */
  return best;
}

/* The section left last in which somebody waits, or else the fullest of all. */
static uint32_t where_to_go_on(asci_dive *dive) {
  while (dive->depth && dive->rest[dive->path[dive->depth - 1]] == 0) dive->depth--;
  return dive->depth ? dive->path[--dive->depth] : fullest(dive, 0, dive->problem->section_count);
}

/* ---- a step ---------------------------------------------------------------------------------------------------------- */

static bool is_longer(const asci_dive_item *a, const asci_dive_item *b) {
  if (a->length != b->length) return a->length > b->length;
  return a->size != b->size ? a->size > b->size : a->buffer < b->buffer;
}

/* How much the height must rise for all that is above the floor in the section. */
static int64_t rise_for(const asci_dive *dive, int64_t floor, uint32_t section) {
  int64_t needs = floor + dive->rest[section];
  return needs > dive->height ? needs - dive->height : 0;
}

/* Who sits on the section's floor: someone waits there. *over: how much the height must rise for all that is above. The fullest section of a life
   takes a pass over it; that of another's life, if it is in this one too, mostly says that it need not be looked for. */
static asci_dive_item *choose(const asci_dive *dive, uint32_t section, int64_t *over) {
  int64_t floor = INT64_MAX, least = 0;
  uint32_t full = section;
  asci_dive_item *best = NULL;
  for (walk w = those_alive(dive, section, section + 1); next_class(&w);) {
    for (asci_dive_item *item = w.item; item < w.stop; item++) {
      if (item->least > floor || item->end <= section) continue;
      if (item->least < floor) best = NULL;
      floor = item->least;
      bool longer = !best || is_longer(item, best);
      int64_t most = longer ? least : least - 1;
      if (best && most < rise_for(dive, floor, section)) continue;
      if (best && item->first <= full && full < item->end && most < rise_for(dive, floor, full)) continue;
      uint32_t fullest_of_life = fullest(dive, item->first, item->end);
      int64_t rise = rise_for(dive, floor, fullest_of_life);
      if (best && most < rise) {
        full = fullest_of_life;
        continue;
      }
      best = item;
      least = rise;
    }
  }
  *over = least;
  return best;
}

/* Someone alive with the item who ends at or below its least offset where it is lowest itself, or NULL. */
static const asci_dive_item *slips_under(const asci_dive *dive, const asci_dive_item *item) {
  for (walk w = those_alive(dive, item->first, item->end); next_class(&w);)
    for (const asci_dive_item *other = w.item; other < w.stop; other++)
      if (other->least + other->size <= item->least && other->end > item->first) return other;
  return NULL;
}

/* Whom to place, of all that are alive in the section or can slip under those; NULL at the end of patience. */
static asci_dive_item *follow(asci_dive *dive, uint32_t section, int64_t *over) {
  for (uint32_t hops = 0;; hops++) {
    asci_dive_item *chosen = choose(dive, section, over);
    const asci_dive_item *under = slips_under(dive, chosen);
    if (!under) return chosen;
    if (dive->hops++ == HOPS * dive->problem->count || hops == MOST_HOPS) return NULL;
    if (dive->depth < ASCI_DIVE_PATH) dive->path[dive->depth++] = section;
    section = fullest(dive, under->first, under->end);
  }
}

static void forget(asci_dive *dive, asci_dive_item *item) {
  asci_dive_class *class = &dive->classes[class_of(item)];
  item->end = 0;
  if (2 * ++class->gone <= class->end - class->begin) return;
  uint32_t kept = class->begin;
  for (uint32_t k = class->begin; k < class->end; k++)
    if (dive->items[k].end) dive->items[kept++] = dive->items[k];
  class->end = kept;
  class->gone = 0;
}

/* The rests of its life less its size. Of a block that is in it wholly the greatest is so, too. */
static void take_from_rests(asci_dive *dive, const asci_dive_item *item) {
  for (uint32_t s = item->first; s < item->end; s++) dive->rest[s] -= item->size;
  for (uint32_t k = item->first / BLOCK; k * BLOCK < item->end; k++) {
    if (k * BLOCK >= item->first && (k + 1) * BLOCK <= item->end)
      dive->greatest[k] -= item->size;
    else
      renew_block(dive, k);
  }
}

/* The item, which waits no more, is where it is lowest. */
static void settle(asci_dive *dive, const asci_dive_item *item) {
  const asc_buffer_spec *specs = dive->problem->buffers;
  int64_t top = item->least + item->size;
  take_from_rests(dive, item);
  for (walk w = those_alive(dive, item->first, item->end); next_class(&w);)
    for (asci_dive_item *other = w.item; other < w.stop; other++) {
      bool below = other->end > item->first && other->least < top;
      if (dive->aligned && below)
        other->least = asci_align(top, specs[other->buffer].alignment);
      else
        other->least = below ? top : other->least;
    }
}

/* The last of those that occupy nothing, or NULL. */
static asci_dive_item *idle(asci_dive *dive) {
  asci_dive_class *class = &dive->classes[0];
  return class->begin == class->end ? NULL : &dive->items[--class->end];
}

bool asci_dive_next(asci_dive *dive, uint32_t *buffer, int64_t *offset) {
  uint32_t section = dive->problem->section_count ? where_to_go_on(dive) : 0;
  bool waits = dive->problem->section_count && dive->rest[section] > 0;
  int64_t over = 0;
  asci_dive_item *chosen = waits ? follow(dive, section, &over) : idle(dive);
  if (!chosen) return false;
  asci_dive_item item = *chosen;
  if (waits) forget(dive, chosen);
  dive->height += over;
  settle(dive, &item);
  *buffer = item.buffer;
  *offset = item.least;
  return true;
}
