/* Opening nodes and parts (paper section 7: ordering by lowest offset first, dynamic decomposition). */
#include "search.h"

#include <string.h>

/* ---- a node's children in order ---------------------------------------------------------------------------------------- */

/* Children go by least offset, then by preorder position. */
static bool child_before(const mm_search *s, uint32_t a, uint32_t b) {
  int64_t x = s->least[a], y = s->least[b];
  return x < y || (x == y && s->position[a] < s->position[b]);
}

static void sort_children(const mm_search *s, uint32_t *list, uint32_t count) {
  for (uint32_t gap = count / 2; gap; gap /= 2)
    for (uint32_t i = gap; i < count; i++) {
      uint32_t child = list[i], at = i;
      for (; at >= gap && child_before(s, child, list[at - gap]); at -= gap) list[at] = list[at - gap];
      list[at] = child;
    }
}

/* The parent's children less the one placed, in order again: those that rose are taken out and merged back. */
static void inherit_children(mm_search *s, const mm_frame *parent, uint32_t *list) {
  const uint32_t *old = s->lists + parent->list;
  const mm_effect *e = &s->effect;
  uint32_t stay = 0, rise = 0, out = 0;
  uint32_t *stays = s->sorted, *rises = s->scratch;
  if (s->options.dynamic_ordering)
    for (uint32_t k = 0; k < e->raise_count; k++) s->rises[e->raises[k].buffer] = true;
  for (uint32_t k = 0; k < parent->count; k++) {
    if (k == parent->next - 1) continue;
    if (s->rises[old[k]])
      rises[rise++] = old[k];
    else
      stays[stay++] = old[k];
  }
  for (uint32_t k = 0; k < e->raise_count; k++) s->rises[e->raises[k].buffer] = false;
  sort_children(s, rises, rise);
  uint32_t a = 0, b = 0;
  while (a < stay && b < rise) list[out++] = child_before(s, rises[b], stays[a]) ? rises[b++] : stays[a++];
  while (a < stay) list[out++] = stays[a++];
  while (b < rise) list[out++] = rises[b++];
}

/* The same on the fast path, where all that rise come to lie on the new top: only children that were below it move, and only up to those
   that were there already. asci_mm_try has parted them. */
static void inherit_around(const mm_search *s, const mm_frame *parent, int64_t top, uint32_t *list) {
  const uint32_t *old = s->lists + parent->list, *position = s->position;
  const int64_t *least = s->least;
  const mm_effect *e = &s->effect;
  uint32_t *rises = s->scratch, rise = e->raise_count, out = e->stay_count, k = e->below_end, b = 0;
  memcpy(list, e->stays, out * sizeof *list);
  for (uint32_t i = 0; i < rise; i++) {
    uint32_t child = e->raises[i].buffer, at = i;
    for (; at && position[rises[at - 1]] > position[child]; at--) rises[at] = rises[at - 1];
    rises[at] = child;
  }
  for (; b < rise && k < parent->count && least[old[k]] == top;)
    list[out++] = position[rises[b]] < position[old[k]] ? rises[b++] : old[k++];
  while (b < rise) list[out++] = rises[b++];
  memcpy(list + out, old + k, (parent->count - k) * sizeof *list);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

/* First child not before (offset, position). */
static uint32_t first_from(const mm_search *s, const mm_frame *f, int64_t offset, uint32_t position) {
  const uint32_t *list = s->lists + f->list;
  uint32_t low = 0, high = f->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int64_t least = s->least[list[middle]];
    if (least < offset || (least == offset && s->position[list[middle]] < position))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* In order of least offsets none is looked at that lies above the least top so far. */
static void find_least_top(mm_search *s, mm_frame *f) {
  const uint32_t *list = s->lists + f->list;
  const int64_t *least = s->least, *size = s->size;
  int64_t least_top = INT64_MAX;
  uint32_t child = 0;
  bool sorted = s->options.dynamic_ordering;
  for (uint32_t k = 0, count = f->count; k < count; k++) {
    uint32_t buffer = list[k];
    int64_t low = least[buffer], top = low + size[buffer];
    if (sorted && low >= least_top) break;
    if (top >= least_top) continue;
    least_top = top;
    child = buffer;
  }
  f->least_top = least_top;
  f->least_top_child = child;
}

static void find_most_total(mm_search *s, mm_frame *f) {
  const mm_part *own = &s->parts[f->part];
  const int64_t *total = s->total;
  int64_t most = 0;
  uint32_t section = own->first;
  for (uint32_t k = own->first; (k = asci_mm_first_above(total, k, own->end, most)) < own->end;) {
    most = total[k];
    section = k++;
  }
  f->most_total = most;
  f->most_total_section = section;
}

/* What the parent knows holds below it as long as the child that was placed has not touched it: least offsets only rise, and totals only fall.
   Without a parent in the same part both are looked for. */
static void find_bounds(mm_search *s, mm_frame *f, const mm_frame *parent) {
  uint32_t lowest = parent ? parent->least_top_child : 0, fullest = parent ? parent->most_total_section : 0;
  if (parent && s->offset[lowest] == ASC_UNPLACED && s->least[lowest] + s->size[lowest] == parent->least_top) {
    f->least_top = parent->least_top;
    f->least_top_child = lowest;
  } else {
    find_least_top(s, f);
  }
  if (parent && s->total[fullest] == parent->most_total) {
    f->most_total = parent->most_total;
    f->most_total_section = fullest;
  } else {
    find_most_total(s, f);
  }
}

static void prepare(mm_search *s, mm_frame *f, const mm_frame *parent) {
  find_bounds(s, f, parent);
  f->low = 0;
  f->high = f->count;
  if (s->options.dynamic_ordering) {
    if (s->options.canonical_only) f->low = first_from(s, f, f->last_offset, f->last_position);
    if (s->options.check_dominance) f->high = first_from(s, f, f->least_top, 0);
    if (f->high < f->low) f->high = f->low;
  }
  f->raises_mark = s->raise_count;
  f->floors_mark = s->floor_count;
  f->lists_mark = s->list_count;
  f->members_mark = s->member_count;
  f->parts_mark = (uint32_t)s->part_count;
}

static mm_frame *push_frame(mm_search *s) {
  if (!asci_grow(s->run->context, &s->frames, &s->frame_room, s->frame_count + 1, sizeof *s->frames)) return NULL;
  mm_frame *f = &s->frames[s->frame_count++];
  *f = (mm_frame){0};
  return f;
}

static bool push_list(mm_search *s, uint32_t count) {
  if (s->list_count + count > UINT32_MAX) return false;
  return asci_grow(s->run->context, &s->lists, &s->list_room, s->list_count + count, sizeof *s->lists);
}

/* Counts a node; false when the attempt has none left. */
static bool spend_node(mm_search *s) {
  if (s->unlimited || s->nodes_left) {
    s->nodes_left -= s->unlimited ? 0 : 1;
    s->run->stats.nodes++;
    return true;
  }
  return false;
}

static mm_descent open_part(mm_search *s, uint32_t owner) {
  mm_frame *and = &s->frames[owner];
  uint32_t index = and->parts_mark + and->part_next++;
  const mm_part *own = &s->parts[index];
  if (!spend_node(s)) return DESCENT_LIMIT;
  if (!push_list(s, own->count)) return DESCENT_MEMORY;
  mm_frame *f = push_frame(s);
  if (!f) return DESCENT_MEMORY;
  f->part = index;
  f->part_root = true;
  f->owner = owner;
  f->list = (uint32_t)s->list_count;
  f->count = own->count;
  memcpy(s->lists + s->list_count, s->members + own->members, own->count * sizeof *s->lists);
  s->list_count += own->count;
  if (s->options.dynamic_ordering) sort_children(s, s->lists + f->list, f->count);
  prepare(s, f, NULL);
  if (owner == 0) s->hopeless = s->options.section_inference && f->most_total > s->run->capacity;
  return DESCENT_NODE;
}

/* ---- parts ----------------------------------------------------------------------------------------------------------- */

static uint32_t *candidates_of(mm_search *s, const mm_frame *parent, uint32_t *count) {
  uint32_t kept = 0;
  if (!parent) {
    for (uint32_t b = 0; b < s->problem->count; b++)
      if (s->span[b].end) s->sorted[kept++] = b;
  } else {
    for (uint32_t k = 0; k < parent->count; k++)
      if (k != parent->next - 1) s->sorted[kept++] = asci_mm_member(s, parent, k);
  }
  *count = kept;
  return s->sorted;
}

void asci_mm_number_members(mm_search *s, const mm_part *part) {
  const uint32_t *members = s->members + part->members;
  for (uint32_t k = 0; k < part->count; k++) s->position[members[k]] = k;
}

/* Splits the sections [first, end) at boundaries that no unplaced buffer crosses and makes a part of each piece that has unplaced
   buffers. Buffers are dealt to the pieces by counting. False: no memory. */
static bool split(mm_search *s, const mm_frame *parent, uint32_t first, uint32_t end) {
  uint32_t count, pieces = 0;
  uint32_t *buffers = candidates_of(s, parent, &count);
  asc_context *context = s->run->context;
  if (s->member_count + count > UINT32_MAX ||
      !asci_grow(context, &s->members, &s->member_room, s->member_count + count, sizeof *s->members))
    return false;
  size_t base = s->part_count;
  for (uint32_t from = first; from < end;) {
    uint32_t to = from + 1;
    while (to < end && s->cuts[to - 1]) to++;
    if (!asci_grow(context, &s->parts, &s->part_room, base + pieces + 1, sizeof *s->parts)) return false;
    s->parts[base + pieces] = (mm_part){.first = from, .end = to};
    for (uint32_t k = from; k < to; k++) s->piece_of[k] = pieces;
    pieces++;
    from = to;
  }
  if (!pieces) return true; /* no section at all: no buffer occupies anything */
  mm_part *parts = s->parts + base;
  for (uint32_t k = 0; k < count; k++) parts[s->piece_of[s->span[buffers[k]].first]].count++;
  uint32_t at = (uint32_t)s->member_count;
  for (uint32_t p = 0; p < pieces; p++) {
    parts[p].members = at;
    at += parts[p].count;
    parts[p].count = 0;
  }
  for (uint32_t k = 0; k < count; k++) {
    mm_part *to = &parts[s->piece_of[s->span[buffers[k]].first]];
    s->members[to->members + to->count++] = buffers[k];
  }
  s->member_count = at;
  uint32_t kept = 0;
  for (uint32_t p = 0; p < pieces; p++)
    if (parts[p].count) parts[kept++] = parts[p];
  s->part_count = base + kept;
  for (uint32_t p = 0; p < kept; p++) {
    asci_mm_preorder(s, s->members + parts[p].members, parts[p].count);
    asci_mm_number_members(s, &parts[p]);
  }
  return true;
}

/* Whether placing the buffer left a boundary inside its span that nothing crosses any more. */
static bool falls_apart(const mm_search *s, uint32_t buffer) {
  for (uint32_t k = s->span[buffer].first; k + 1 < s->span[buffer].end; k++)
    if (s->cuts[k] == 0) return true;
  return false;
}

/* The part of the last frame is solved: the next part that waits, or the end. */
static mm_descent after_solved(mm_search *s) {
  uint32_t owner = s->frames[s->frame_count - 1].owner;
  while (owner && s->frames[owner].part_next == s->frames[owner].part_count) owner = s->frames[owner].owner;
  if (s->frames[owner].part_next == s->frames[owner].part_count) return DESCENT_SOLVED;
  return open_part(s, owner);
}

static mm_descent open_child(mm_search *s) {
  uint32_t parent = (uint32_t)s->frame_count - 1;
  if (!spend_node(s)) return DESCENT_LIMIT;
  uint32_t count = s->frames[parent].count - 1;
  if (!count) return after_solved(s);
  if (!push_list(s, count)) return DESCENT_MEMORY;
  mm_frame *f = push_frame(s);
  if (!f) return DESCENT_MEMORY;
  const mm_frame *above = &s->frames[parent];
  uint32_t child = above->next - 1;
  f->part = above->part;
  f->owner = above->owner;
  f->list = (uint32_t)s->list_count;
  f->count = count;
  uint32_t buffer = asci_mm_member(s, above, child);
  f->last_offset = s->offset[buffer];
  f->last_position = s->position[buffer];
  if (s->general || !s->options.dynamic_ordering)
    inherit_children(s, above, s->lists + s->list_count);
  else
    inherit_around(s, above, f->last_offset + s->size[buffer], s->lists + s->list_count);
  s->list_count += count;
  prepare(s, f, above);
  return DESCENT_NODE;
}

mm_descent asci_mm_descend(mm_search *s) {
  uint32_t top = (uint32_t)s->frame_count - 1;
  mm_frame *f = &s->frames[top];
  uint32_t child = asci_mm_member(s, f, f->next - 1);
  f->part_count = f->part_next = 0;
  if (!s->options.dynamic_decomposition || !falls_apart(s, child)) return open_child(s);
  const mm_part *own = &s->parts[f->part];
  if (!split(s, f, own->first, own->end)) return DESCENT_MEMORY;
  f->part_count = (uint32_t)s->part_count - f->parts_mark;
  if (f->part_count == 0) return after_solved(s);
  return open_part(s, top);
}

mm_descent asci_mm_begin(mm_search *s) {
  uint32_t n = s->problem->count;
  for (uint32_t b = 0; b < n; b++) {
    int64_t fixed = s->problem->buffers[b].offset;
    s->least[b] = fixed == ASC_UNPLACED ? 0 : fixed;
    if (s->span[b].end) s->offset[b] = ASC_UNPLACED;
  }
  memset(s->floor, 0, s->section_count * sizeof *s->floor);
  memcpy(s->total, s->initial_total, s->section_count * sizeof *s->total);
  memcpy(s->cuts, s->initial_cuts, s->section_count * sizeof *s->cuts);
  s->frame_count = s->part_count = s->list_count = s->member_count = s->raise_count = s->floor_count = 0;
  s->depth = s->base;
  s->nodes_left = s->limit;
  mm_frame *root = push_frame(s);
  if (!root || !split(s, NULL, 0, s->section_count)) return DESCENT_MEMORY;
  root = &s->frames[0];
  root->part_count = (uint32_t)s->part_count;
  return root->part_count ? open_part(s, 0) : DESCENT_SOLVED;
}
