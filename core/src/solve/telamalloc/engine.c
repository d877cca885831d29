#include "engine.h"

#include "base/arrays.h"
#include "model/bank.h"
#include "model/lifespan/overlaps.h"

#include <string.h>

/* ---- positions that a buffer may have -------------------------------------------------------------------------------- */

int64_t asci_tela_up(const tela_engine *e, uint32_t buffer, int64_t from) {
  if (from < 0) from = 0;
  if (e->plain) return from;
  const asc_buffer_spec *spec = &e->problem->buffers[buffer];
  int64_t offset = asci_least_offset(from, spec->size, spec->alignment, spec->bank);
  return offset > e->capacity ? e->capacity + 1 : offset;
}

int64_t asci_tela_down(const tela_engine *e, uint32_t buffer, int64_t from) {
  if (from < 0) return -1;
  if (e->plain) return from;
  const asc_buffer_spec *spec = &e->problem->buffers[buffer];
  return asci_greatest_offset(from, spec->size, spec->alignment, spec->bank);
}

/* ---- the trail ------------------------------------------------------------------------------------------------------- */

static void wake(tela_engine *e, uint32_t buffer) {
  if (e->queued[buffer]) return;
  uint32_t at = e->first + e->waiting++, n = e->problem->count;
  e->queue[at < n ? at : at - n] = buffer;
  e->queued[buffer] = true;
}

/* Only while the bounds of what is unplaced shrink can the two sums become wrong, and then only for the worse. */
static void loosen(tela_engine *e, uint32_t buffer) {
  const tela_item *item = &e->items[buffer];
  if (e->level[buffer] != ASC_NONE) return;
  if (item->high < e->least_high) e->least_high = item->high;
  if (item->low + item->size > e->most_top) e->most_top = item->low + item->size;
}

static tela_result change(tela_engine *e, uint32_t variable, int64_t value, uint32_t by, size_t edge) {
  if (e->entry_count == e->entry_room &&
      (e->entry_count >= ASC_NONE / 2 ||
       !asci_grow(e->context, &e->entries, &e->entry_room, e->entry_count + 1, sizeof *e->entries)))
    return TELA_MEMORY;
  uint32_t buffer = variable / 2;
  tela_item *item = &e->items[buffer];
  int64_t *bound = variable % 2 ? &item->high : &item->low;
  e->entries[e->entry_count] = (tela_entry){*bound, value, variable, e->head[variable], by, (uint32_t)edge};
  e->head[variable] = (uint32_t)e->entry_count++;
  *bound = value;
  loosen(e, buffer);
  wake(e, buffer);
  if (item->low <= item->high) return TELA_OK;
  e->empty = buffer;
  return TELA_EMPTY;
}

tela_mark asci_tela_mark(const tela_engine *e) {
  return (tela_mark){e->least_high, e->most_top, e->entry_count, e->raise_count};
}

static void sleep_all(tela_engine *e) {
  for (uint32_t n = e->problem->count; e->waiting; e->waiting--) {
    e->queued[e->queue[e->first]] = false;
    e->first = e->first + 1 < n ? e->first + 1 : 0;
  }
}

void asci_tela_undo(tela_engine *e, const tela_mark *mark, uint32_t buffer) {
  sleep_all(e);
  while (e->entry_count > mark->entries) {
    const tela_entry *entry = &e->entries[--e->entry_count];
    tela_item *item = &e->items[entry->variable / 2];
    *(entry->variable % 2 ? &item->high : &item->low) = entry->old;
    e->head[entry->variable] = entry->previous;
  }
  while (e->raise_count > mark->raises) {
    tela_raise raise = e->raises[--e->raise_count];
    e->sky[raise.buffer] = raise.old;
  }
  e->least_high = mark->least_high;
  e->most_top = mark->most_top;
  e->level[buffer] = ASC_NONE;
}

/* ---- neighbours ------------------------------------------------------------------------------------------------------ */

const uint32_t *asci_tela_row(const tela_engine *e, uint32_t buffer, size_t *begin, size_t *end) {
  if (e->overlaps.begin) {
    *begin = e->overlaps.begin[buffer];
    *end = e->overlaps.begin[buffer + 1];
    return e->overlaps.other;
  }
  uint32_t count;
  const uint32_t *others = asci_neighbours_of(&e->near, buffer, &count);
  *begin = 0;
  *end = count;
  return others;
}

/* ---- propagation ----------------------------------------------------------------------------------------------------- */

/* `upper` lies above `lower`: each bounds the other. */
static tela_result stack(tela_engine *e, uint32_t lower, uint32_t upper, size_t edge) {
  const tela_item *below = &e->items[lower], *above = &e->items[upper];
  int64_t distance = asci_tela_above(e, lower, upper, edge);
  if (below->low + distance > above->low) {
    int64_t low = asci_tela_up(e, upper, below->low + distance);
    tela_result result = change(e, 2 * upper, low, lower, edge);
    if (result) return result;
  }
  if (above->high - distance < below->high) {
    int64_t high = asci_tela_down(e, lower, above->high - distance);
    return change(e, 2 * lower + 1, high, upper, edge);
  }
  return TELA_OK;
}

/* All pairs of one buffer, until they ask nothing more of it. */
static tela_result scan(tela_engine *e, uint32_t buffer, uint64_t *looks) {
  const tela_item *items = e->items, *own = &items[buffer];
  size_t begin, end;
  const uint32_t *others = asci_tela_row(e, buffer, &begin, &end);
  bool tetris = e->tetris && e->level[buffer] != ASC_NONE;
  tela_result result = TELA_OK;
  int64_t low, high;
  do {
    low = own->low;
    high = own->high;
    *looks += end - begin;
    for (size_t k = begin; k < end; k++) {
      uint32_t other = others[k];
      const tela_item *its = &items[other];
      int64_t above = own->size, below = its->size;
      if (e->below) {
        above = e->overlaps.above[k];
        below = e->below[k];
      }
      if (own->low + above > its->high && (result = stack(e, other, buffer, k))) return result;
      bool falls = tetris && e->level[other] == ASC_NONE && !asci_tela_is_fixed(e, other) && own->low + above > its->low;
      if ((falls || its->low + below > own->high) && (result = stack(e, buffer, other, k))) return result;
    }
  } while (own->low != low || own->high != high);
  return TELA_OK;
}

/* An unplaced buffer above all its placed neighbours that could be below or above any unplaced one: no pair has anything to say. */
static bool is_idle(const tela_engine *e, uint32_t buffer) {
  const tela_item *item = &e->items[buffer];
  return e->level[buffer] == ASC_NONE && item->low >= e->sky[buffer] && item->low + item->size <= e->least_high &&
         e->most_top <= item->high;
}

static bool is_stopped(const tela_engine *e) {
  return e->stop && atomic_load_explicit(e->stop, memory_order_relaxed);
}

/* The two sums as they are: a large buffer that is placed by now, or has moved, may have worn them. */
static void tighten(tela_engine *e) {
  int64_t least_high = INT64_MAX, most_top = 0;
  for (uint32_t b = 0; b < e->problem->count; b++) {
    const tela_item *item = &e->items[b];
    if (e->level[b] != ASC_NONE || e->problem->piece_begin[b] == e->problem->piece_begin[b + 1]) continue;
    if (item->high < least_high) least_high = item->high;
    if (item->low + item->size > most_top) most_top = item->low + item->size;
  }
  if (least_high > e->least_high) e->least_high = least_high;
  if (most_top < e->most_top) e->most_top = most_top;
}

/* Until nothing waits, or `most` pairs have been looked at. Whom a stop leaves waiting, waits on. */
static tela_result propagate(tela_engine *e, uint64_t most) {
  uint64_t looks = 0, tightened = 0;
  while (e->waiting) {
    if (looks > most || is_stopped(e)) return TELA_STOPPED;
    if (looks - tightened > e->problem->count) { /* no more work than the looks were */
      tighten(e);
      tightened = looks;
    }
    uint32_t buffer = e->queue[e->first];
    e->first = e->first + 1 < e->problem->count ? e->first + 1 : 0;
    e->waiting--;
    e->queued[buffer] = false;
    tela_result result = is_idle(e, buffer) ? TELA_OK : scan(e, buffer, &looks);
    if (result) {
      sleep_all(e);
      return result;
    }
  }
  return TELA_OK;
}

static bool lift_skies(tela_engine *e, uint32_t buffer, int64_t position) {
  size_t begin, end;
  const uint32_t *others = asci_tela_row(e, buffer, &begin, &end);
  if (!asci_grow(e->context, &e->raises, &e->raise_room, e->raise_count + (end - begin), sizeof *e->raises)) return false;
  for (size_t k = begin; k < end; k++) {
    uint32_t other = others[k];
    int64_t top = position + asci_tela_above(e, buffer, other, k);
    if (top <= e->sky[other] || e->level[other] != ASC_NONE) continue;
    e->raises[e->raise_count++] = (tela_raise){e->sky[other], other};
    e->sky[other] = top;
  }
  return true;
}

tela_result asci_tela_place(tela_engine *e, uint32_t buffer, int64_t position, uint32_t level) {
  const tela_item *item = &e->items[buffer];
  tela_result result = TELA_OK;
  e->level[buffer] = level;
  if (!lift_skies(e, buffer, position)) return TELA_MEMORY;
  if (position > item->low) result = change(e, 2 * buffer, position, ASC_NONE, 0);
  e->decided[buffer] = (uint32_t)e->entry_count;
  /* Also where it changes nothing: explanations end at this entry. */
  if (!result) result = change(e, 2 * buffer + 1, position, ASC_NONE, 0);
  if (!result) return propagate(e, UINT64_MAX);
  sleep_all(e);
  return result;
}

void asci_tela_focus(tela_engine *e, const uint32_t *buffers, uint32_t count) {
  e->least_high = INT64_MAX;
  e->most_top = 0;
  for (uint32_t k = 0; k < count; k++) loosen(e, buffers[k]);
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static bool pieces_meet(const asci_piece *p, const asci_piece *q) {
  return p->first < q->end && q->first < p->end;
}

/* The row of a buffer with one entry for each pair of pieces; fill NULL: only counted. Returns the entries. */
static size_t expand_row(tela_engine *e, const asci_overlaps *pairs, uint32_t buffer, asci_overlaps *fill) {
  uint32_t own, its;
  const asci_piece *pieces = asci_pieces(e->problem, buffer, &own);
  size_t at = fill ? fill->begin[buffer] : 0, from = at;
  for (size_t k = pairs->begin[buffer]; k < pairs->begin[buffer + 1]; k++) {
    const asci_piece *others = asci_pieces(e->problem, pairs->other[k], &its);
    for (uint32_t p = 0; p < own; p++)
      for (uint32_t q = 0; q < its; q++) {
        if (!pieces_meet(&pieces[p], &others[q])) continue;
        if (fill) {
          fill->other[at] = pairs->other[k];
          fill->above[at] = pieces[p].window_upper - others[q].window_lower;
          e->below[at] = others[q].window_upper - pieces[p].window_lower;
        }
        at++;
      }
  }
  return at - from;
}

static asc_status expand(tela_engine *e) {
  asci_overlaps pairs = e->overlaps;
  uint32_t n = e->problem->count;
  e->overlaps = (asci_overlaps){.begin = asci_calloc(e->context, (size_t)n + 1, sizeof *pairs.begin)};
  asc_status status = e->overlaps.begin ? ASC_OK : ASC_OUT_OF_MEMORY;
  size_t total = 0;
  for (uint32_t b = 0; !status && b < n; b++) {
    total += expand_row(e, &pairs, b, NULL);
    e->overlaps.begin[b + 1] = total;
    if (total >= UINT32_MAX) status = ASC_OUT_OF_MEMORY;
  }
  if (!status) {
    e->overlaps.other = asci_alloc(e->context, total, sizeof *e->overlaps.other);
    e->overlaps.above = asci_alloc(e->context, total, sizeof *e->overlaps.above);
    e->below = asci_alloc(e->context, total, sizeof *e->below);
    if (!e->overlaps.other || !e->overlaps.above || !e->below) status = ASC_OUT_OF_MEMORY;
  }
  for (uint32_t b = 0; !status && b < n; b++) expand_row(e, &pairs, b, &e->overlaps);
  asci_overlaps_free(e->problem, &pairs);
  return status;
}

/* Domains before any pair is looked at. Buffers that occupy nothing have no pairs and are left alone. */
static void begin_domains(tela_engine *e) {
  for (uint32_t b = 0; b < e->problem->count; b++) {
    const asc_buffer_spec *spec = &e->problem->buffers[b];
    int64_t from = spec->offset == ASC_UNPLACED ? 0 : spec->offset, most = e->capacity - spec->size;
    tela_item *item = &e->items[b];
    *item = (tela_item){asci_tela_up(e, b, from), 0, spec->size};
    if (spec->offset != ASC_UNPLACED && spec->offset < most) most = spec->offset;
    item->high = asci_tela_down(e, b, most);
    e->level[b] = ASC_NONE;
    if (e->problem->piece_begin[b] == e->problem->piece_begin[b + 1]) continue;
    if (item->low > item->high && !e->hopeless) {
      e->hopeless = true;
      e->empty = b;
    }
    loosen(e, b);
    wake(e, b);
  }
}

tela_result asci_tela_root(tela_engine *e, uint64_t most) {
  if (e->rooted) return TELA_OK;
  tela_result result = e->hopeless ? TELA_EMPTY : propagate(e, most);
  if (result == TELA_STOPPED) return result;
  sleep_all(e);
  if (result == TELA_MEMORY) return result;
  e->rooted = true;
  e->hopeless = result == TELA_EMPTY;
  /* What follows from nothing needs no reason: it is where explanations begin. */
  e->entry_count = 0;
  memset(e->head, 0xff, (size_t)e->problem->count * 2 * sizeof *e->head);
  memcpy(e->root, e->items, e->problem->count * sizeof *e->root);
  return TELA_OK;
}

static asc_status meet(tela_engine *e) {
  const asc_problem *problem = e->problem;
  asc_status status = asci_neighbours_new(problem, &e->near);
  if (status || (e->near.pairs > TELA_MAX_PAIRS && !problem->has_windows)) return status;
  if (e->near.pairs > TELA_MAX_PAIRS) return ASC_TOO_LARGE;
  asci_neighbours_free(&e->near);
  status = asci_overlaps_new(problem, &e->overlaps);
  return !status && problem->has_windows ? expand(e) : status;
}

enum { PER_BUFFER, PER_VARIABLE };

static const asci_array arrays[] = {
    ASCI_ARRAY(tela_engine, items, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_engine, root, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_engine, sky, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(tela_engine, level, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_engine, decided, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_engine, head, PER_VARIABLE, ASCI_ONES),
    ASCI_ARRAY(tela_engine, queue, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_engine, queued, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(tela_engine, reason, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_engine, traces, PER_VARIABLE, ASCI_ZEROS),
    ASCI_OWN(tela_engine, below),
    ASCI_OWN(tela_engine, entries),
    ASCI_OWN(tela_engine, raises),
    ASCI_OWN(tela_engine, need),
    ASCI_OWN(tela_engine, found),
};

asc_status asci_tela_engine(tela_engine *e, const asc_problem *problem, int64_t capacity, bool tetris) {
  const size_t counts[] = {problem->count, 2 * (size_t)problem->count};
  asc_context *context = problem->context;
  *e = (tela_engine){.context = context, .problem = problem, .capacity = capacity, .tetris = tetris};
  e->plain = !problem->has_alignment && !problem->has_banks;
  if (!asci_arrays_new(context, ASCI_TABLE(arrays), counts, e)) return ASC_OUT_OF_MEMORY;
  asc_status status = meet(e);
  if (status) return status;
  e->least_high = INT64_MAX;
  begin_domains(e);
  return ASC_OK;
}

void asci_tela_engine_free(tela_engine *e) {
  if (!e->problem) return;
  asci_arrays_free(e->context, ASCI_TABLE(arrays), e);
  asci_overlaps_free(e->problem, &e->overlaps);
  asci_neighbours_free(&e->near);
}
