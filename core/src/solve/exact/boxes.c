/* Boxes: buffers joined by lot into rectangles without anything idle; see boxes.h. */
#include "boxes.h"

#include "base/sort.h"

#include <string.h>

#define PILED 90u   /* percent of the piles' members and ... */
#define CHAINED 70u /* ... of the chains that a part of all boxes has, ... */
/* ... which leaves out chains of less than this part of the greatest load: such sizes agree by chance */
#define SMALL_SHARE 40u

#define FEW 4u /* of nine items: where so few boxes come out, joining all is right more often */
#define FEW_OF 9u
#define WHOLE_IF_FEW 2u /* one draw in so many joins all */

/* A box while it is made. */
typedef struct box {
  int64_t first, end;  /* times: sections would join what merely no other buffer parts */
  uint32_t head, last; /* items */
  int64_t size;
  bool loose;       /* stays as it is */
  bool gone;        /* joined to another */
  struct box *upon; /* in a pile that is no link of a chain: the box on top of it */
  int64_t alone;    /* size without what is upon it; */
  uint32_t ended;   /* its last member then */
} box;

typedef struct joining {
  const ex_model *m;
  ex_model *boxed;
  uint64_t drawn;
  uint64_t choices; /* where all is joined: its digits, each of base how many may follow a box, say which does */
  int64_t least_chained;
  uint32_t count;
  box *boxes;
  uint32_t *next;  /* per item the next member of its box */
  uint32_t *order; /* of boxes, sorted */
} joining;

/* ---- joining --------------------------------------------------------------------------------------------------------- */

static uint32_t percent_of(uint64_t number) {
  asci_rng rng = {number};
  return (uint32_t)asci_random_below(&rng, 100);
}

/* Live boxes in order of `key`, kept where equal. */
static void sort_boxes(joining *j, int64_t (*key)(const box *)) {
  int64_t *keys = j->m->keys;
  for (uint32_t k = 0; k < j->count; k++) keys[j->order[k]] = key(&j->boxes[j->order[k]]);
  asci_sort_by(j->order, keys + j->m->count, j->count, keys);
}

static int64_t first_of(const box *b) {
  return b->first;
}
static int64_t end_of(const box *b) {
  return b->end;
}
static int64_t size_of(const box *b) {
  return b->size;
}

static void drop_gone(joining *j) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < j->count; k++)
    if (!j->boxes[j->order[k]].gone) j->order[left++] = j->order[k];
  j->count = left;
}

static void raise(joining *j, const box *b, int64_t up) {
  for (uint32_t i = b->head;; i = j->next[i]) {
    j->boxed->boxes->shift[j->m->buffer[i]] += up;
    if (i == b->last) break;
  }
}

/* The members of b lie in a from now on, so much higher than they did in b. */
static void append(joining *j, box *a, box *b, int64_t up) {
  raise(j, b, up);
  j->next[a->last] = b->head;
  a->last = b->last;
  b->gone = true;
}

/* So that it can be taken off again. */
static void put_on(joining *j, box *base, box *b) {
  box *top = base;
  while (top->upon) top = top->upon;
  append(j, base, b, base->size);
  base->size += b->size;
  top->upon = b;
}

/* Follows in time. What is piled up in it stays so. */
static void chain_to(joining *j, box *b, box *next) {
  append(j, b, next, 0);
  b->end = next->end;
  b->upon = NULL;
  b->alone = b->size;
  b->ended = b->last;
}

/* Piles that are no links of a chain are taken apart again: the search piles them up itself, which is freer (README 4). */
static void take_apart(joining *j) {
  for (uint32_t k = 0, count = j->count; k < count; k++) {
    box *base = &j->boxes[j->order[k]];
    for (box *b = base, *upon; b; b = upon) {
      upon = b->upon;
      b->upon = NULL;
      b->gone = false;
      b->size = b->alone;
      b->last = b->ended;
      raise(j, b, -j->boxed->boxes->shift[j->m->buffer[b->head]]);
      if (b != base) j->order[j->count++] = (uint32_t)(b - j->boxes);
    }
  }
}

/* Boxes of one lifespan become one; who is left out by lot stays loose. */
static bool pile_up(joining *j) {
  bool joined = false;
  sort_boxes(j, end_of);
  sort_boxes(j, first_of);
  for (uint32_t k = 0; k < j->count;) {
    box *base = NULL;
    uint32_t from = k;
    int64_t first = j->boxes[j->order[k]].first, end = j->boxes[j->order[k]].end;
    while (k < j->count && j->boxes[j->order[k]].first == first && j->boxes[j->order[k]].end == end) k++;
    for (uint32_t at = from; at < k && k - from > 1; at++) {
      box *b = &j->boxes[j->order[at]];
      b->loose = b->loose || (!j->boxed->boxes->whole && percent_of(j->drawn + b->head) >= PILED);
      if (b->loose) continue;
      if (!base) {
        base = b;
        continue;
      }
      put_on(j, base, b);
      joined = true;
    }
  }
  drop_gone(j);
  return joined;
}

static bool may_chain(const joining *j, const box *b) {
  if (b->loose || b->gone || b->size < j->least_chained) return false;
  return j->boxed->boxes->whole || percent_of(j->drawn ^ ((uint64_t)b->end << 40 | (uint64_t)b->size)) < CHAINED;
}

/* Among the boxes, in order of begin and then size, the first that begins then and is no smaller. */
static uint32_t find_place(const joining *j, int64_t begin, int64_t size) {
  uint32_t low = 0, high = j->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const box *b = &j->boxes[j->order[middle]];
    if (b->first < begin || (b->first == begin && b->size < size))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Of so many the one drawn for the box. */
static uint32_t draw_one(joining *j, const box *b, uint32_t count) {
  asci_rng rng = {j->drawn * 3 + b->head};
  if (!j->boxed->boxes->whole) return (uint32_t)asci_random_below(&rng, count);
  uint32_t chosen = (uint32_t)(j->choices % count);
  j->choices /= count;
  return chosen;
}

/* That one of those that may follow the box, in order; NULL: there are no more than *count. */
static box *follower(const joining *j, const box *b, uint32_t at, uint32_t *count) {
  *count = 0;
  for (uint32_t k = find_place(j, b->end, b->size); k < j->count; k++) {
    box *next = &j->boxes[j->order[k]];
    if (next->first != b->end || next->size != b->size) return NULL;
    if (next->loose || next->gone) continue;
    if (*count == at) return next;
    ++*count;
  }
  return NULL;
}

/* One of those that may follow the box, or NULL. */
static box *draw_next(joining *j, const box *b) {
  uint32_t count;
  follower(j, b, UINT32_MAX, &count);
  return count ? follower(j, b, draw_one(j, b, count), &count) : NULL;
}

/* Boxes that take each other's place become one. */
static bool chain_up(joining *j) {
  bool joined = false;
  sort_boxes(j, size_of);
  sort_boxes(j, first_of);
  for (uint32_t k = 0; k < j->count; k++) {
    box *b = &j->boxes[j->order[k]], *next;
    while (may_chain(j, b) && (next = draw_next(j, b)) != NULL) {
      chain_to(j, b, next);
      joined = true;
    }
  }
  drop_gone(j);
  return joined;
}

static void join(joining *j) {
  const ex_model *m = j->m;
  j->count = m->count;
  for (uint32_t i = 0; i < m->count; i++) {
    const asc_buffer_spec *spec = &m->problem->buffers[m->buffer[i]];
    j->boxes[i] = (box){
        .first = spec->lower, .end = spec->upper, .head = i, .last = i, .size = m->size[i], .alone = m->size[i], .ended = i};
    j->order[i] = i;
    j->boxed->boxes->shift[m->buffer[i]] = 0;
  }
  bool piled = true, chained = true;
  while (piled || chained) {
    piled = pile_up(j);
    chained = chain_up(j);
  }
  if (!j->boxed->boxes->whole) take_apart(j);
}

/* ---- the model ------------------------------------------------------------------------------------------------------- */

static void list_members(const joining *j, uint32_t i, const box *b, uint32_t *at) {
  const ex_model *m = j->m;
  ex_model *boxed = j->boxed;
  boxed->boxes->begin[i] = *at;
  boxed->boxes->width[i] = b->end - b->first;
  boxed->first[i] = EX_NONE;
  boxed->end[i] = 0;
  for (uint32_t member = b->head;; member = j->next[member]) {
    uint32_t buffer = m->buffer[member];
    if (m->first[member] < boxed->first[i]) boxed->first[i] = m->first[member];
    if (m->end[member] > boxed->end[i]) boxed->end[i] = m->end[member];
    boxed->item[buffer] = i;
    boxed->boxes->member[(*at)++] = buffer;
    if (member == b->last) break;
  }
}

/* Boxes in order of their begin, as items are. */
static void take_boxes(joining *j) {
  ex_model *boxed = j->boxed;
  uint32_t at = 0;
  sort_boxes(j, first_of);
  boxed->count = j->count;
  boxed->words = j->count / 64 + 1;
  for (uint32_t i = 0; i < j->count; i++) {
    const box *b = &j->boxes[j->order[i]];
    boxed->size[i] = b->size;
    boxed->buffer[i] = j->m->buffer[b->head];
    boxed->piece_begin[i] = i;
    list_members(j, i, b, &at);
    boxed->pieces[i] = (ex_piece){.high = b->size};
  }
  boxed->piece_begin[j->count] = j->count;
  boxed->boxes->begin[j->count] = at;
}

/* Of the sections those are left that are maximal for boxes: what is asked of one with fewer of them says less. */
static void keep_maximal(const ex_model *m, ex_model *boxed) {
  ex_boxes *boxes = boxed->boxes;
  memset(boxes->event, 0, m->sections);
  for (uint32_t i = 0; i < boxed->count; i++) {
    boxes->event[boxed->first[i]] |= EX_BEGINS;
    boxes->event[boxed->end[i] - 1] |= EX_ENDS;
  }
  boxed->sections = asci_ex_maximal(boxes->event, m->sections, boxes->before, boxed->problem_section);
  for (uint32_t t = 0; t < boxed->sections; t++) boxed->problem_section[t] = m->problem_section[boxed->problem_section[t]];
  for (uint32_t i = 0; i < boxed->count; i++) {
    boxed->first[i] = boxed->pieces[i].first = boxes->before[boxed->first[i]];
    boxed->end[i] = boxed->pieces[i].end = boxes->before[boxed->end[i]];
  }
}

void asci_ex_boxes_draw(const ex_model *m, uint64_t drawn, ex_model *boxed) {
  joining j = {.m = m,
               .boxed = boxed,
               .drawn = drawn,
               .choices = drawn / EX_WHOLE_ONE_IN,
               .boxes = boxed->boxes->scratch,
               .next = m->scratch,
               .order = m->sorted};
  boxed->boxes->whole = drawn % boxed->boxes->one_in == 0;
  int64_t load = 0;
  for (uint32_t t = 0; t < m->sections; t++)
    if (m->rest[t] > load) load = m->rest[t];
  j.least_chained = boxed->boxes->whole ? 0 : load / SMALL_SHARE;
  join(&j);
  take_boxes(&j);
  keep_maximal(m, boxed);
  asci_ex_lead(boxed);
  asci_ex_link(boxed);
  asci_ex_measure(boxed);
  boxed->rank_count = 0;
  for (uint32_t k = 0; k < boxed->arm_count; k++) boxed->arms[k].rank = EX_NONE;
}

static bool take_room(ex_model *m, ex_model *boxed, ex_boxes *boxes) {
  size_t n = m->count, buffers = m->problem->count, entries = m->list_begin[m->sections];
  const struct {
    void **at;
    size_t count, size;
  } blocks[] = {
      {(void **)&boxes->begin, n + 1, sizeof *boxes->begin},
      {(void **)&boxes->member, n, sizeof *boxes->member},
      {(void **)&boxes->shift, buffers, sizeof *boxes->shift},
      {(void **)&boxes->width, n, sizeof *boxes->width},
      {(void **)&boxes->event, m->sections, sizeof *boxes->event},
      {(void **)&boxes->before, (size_t)m->sections + 1, sizeof *boxes->before},
      {&boxes->scratch, n, sizeof(box)},
      {(void **)&boxed->buffer, n, sizeof *boxed->buffer},
      {(void **)&boxed->item, buffers, sizeof *boxed->item},
      {(void **)&boxed->size, n, sizeof *boxed->size},
      {(void **)&boxed->first, n, sizeof *boxed->first},
      {(void **)&boxed->end, n, sizeof *boxed->end},
      {(void **)&boxed->leader, n, sizeof *boxed->leader},
      {(void **)&boxed->piece_begin, n + 1, sizeof *boxed->piece_begin},
      {(void **)&boxed->pieces, n, sizeof *boxed->pieces},
      {(void **)&boxed->problem_section, m->sections, sizeof *boxed->problem_section},
      {(void **)&boxed->list_begin, (size_t)m->sections + 1, sizeof *boxed->list_begin},
      {(void **)&boxed->list, entries, sizeof *boxed->list},
      {(void **)&boxed->list_by_end, entries, sizeof *boxed->list_by_end},
      {(void **)&boxed->rest, m->sections, sizeof *boxed->rest},
      {(void **)&boxed->cross, m->sections, sizeof *boxed->cross},
      {(void **)&boxed->members, (size_t)m->sections * m->words, sizeof *boxed->members},
      {(void **)&boxed->near_begin, n + 1, sizeof *boxed->near_begin},
      {(void **)&boxed->near, m->near_begin[n], sizeof *boxed->near},
      {(void **)&boxed->loads, n, sizeof *boxed->loads},
      {(void **)&boxed->ranks[0], n, sizeof *boxed->ranks[0]},
  };
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
    if (!(*blocks[k].at = asci_ex_take(m, blocks[k].count, blocks[k].size))) return false;
  return true;
}

asc_status asci_ex_boxes_new(ex_model *m, ex_model **boxed) {
  ex_boxes *boxes = asci_ex_take(m, 1, sizeof *boxes);
  ex_model *made = asci_ex_take(m, 1, sizeof *made);
  if (!boxes || !made) return ASC_OUT_OF_MEMORY;
  *made = *m;                    /* what it shares: run, problem, options, units, sections, arms, scratch */
  made->arena = (asci_arena){0}; /* it takes nothing: its room is in m's */
  made->boxes = boxes;
  made->hint = NULL;
  made->options.hints = false;
  memset(made->ranks, 0, sizeof made->ranks);
  if (!take_room(m, made, boxes)) return ASC_OUT_OF_MEMORY;
  for (uint32_t b = 0; b < m->problem->count; b++) made->item[b] = EX_NONE;
  boxes->one_in = 1;
  asci_ex_boxes_draw(m, 0, made);
  boxes->one_in = made->count * FEW_OF <= m->count * FEW ? WHOLE_IF_FEW : EX_WHOLE_ONE_IN;
  *boxed = made;
  return ASC_OK;
}
