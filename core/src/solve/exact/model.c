/* From the problem to the search's terms: items by start, maximal sections, units. */
#include "base/diag.h"
#include "base/number/multiple.h"
#include "base/sort.h"
#include "exact.h"
#include "model/bank.h"
#include "model/lifespan/meet.h"
#include "model/lifespan/overlaps.h"
#include "model/pile.h"

#include <string.h>

void *asci_ex_take_raw(ex_model *m, size_t count, size_t size) {
  return count > SIZE_MAX / size - 1 ? NULL : asci_arena_alloc(m->run->context, &m->arena, count * size + size);
}

void *asci_ex_take(ex_model *m, size_t count, size_t size) {
  void *block = asci_ex_take_raw(m, count, size);
  if (block) memset(block, 0, count * size + size);
  return block;
}

/* ---- units ----------------------------------------------------------------------------------------------------------- */

/* What divides every offset that a plan can have, and the ends of banks. */
static int64_t common_divisor(const ex_model *m) {
  int64_t common = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    const asc_buffer_spec *spec = &m->problem->buffers[m->buffer[i]];
    common = asci_common_divisor(common, spec->alignment);
    if (spec->offset != ASC_UNPLACED) common = asci_common_divisor(common, spec->offset);
    common = asci_common_divisor(common, spec->bank);
  }
  return common ? common : 1;
}

/* Sizes are rounded up to that divisor: no offset in between can be used. But the height counts the true size of what lies on top: where the
   capacity is no multiple of the divisor, or is looked for, each item has its own highest offset (README 8). */
static void choose_rounding(ex_model *m) {
  const asc_problem *problem = m->problem;
  m->round_to = 1;
  if (problem->has_windows || !problem->has_alignment) return;
  int64_t common = common_divisor(m);
  bool even = true, whole = !m->minimize && m->run->capacity % common == 0;
  for (uint32_t i = 0; i < m->count; i++) even = even && problem->buffers[m->buffer[i]].size % common == 0;
  m->limits = !even && !whole;
  if (m->limits || whole) m->round_to = common;
}

static void choose_unit(ex_model *m) {
  const asc_problem *problem = m->problem;
  int64_t sizes = 0, all;
  for (uint32_t i = 0; i < m->count; i++) sizes = asci_common_divisor(sizes, m->size[i]);
  all = sizes;
  m->windows = problem->has_windows;
  m->general = m->windows || m->limits;
  for (uint32_t i = 0; i < m->count; i++) {
    const asc_buffer_spec *spec = &problem->buffers[m->buffer[i]];
    m->general = m->general || (sizes % spec->alignment) || spec->offset != ASC_UNPLACED || spec->bank;
    if (spec->alignment > 1) all = asci_common_divisor(all, spec->alignment);
    if (spec->offset != ASC_UNPLACED) all = asci_common_divisor(all, spec->offset);
    all = asci_common_divisor(all, spec->bank);
    if (m->limits) all = asci_common_divisor(all, spec->size);
  }
  for (uint32_t q = 0; m->windows && q < m->piece_begin[m->count]; q++)
    all = asci_common_divisor(asci_common_divisor(all, m->pieces[q].low), m->pieces[q].high);
  m->unit = m->general ? all : sizes;
  if (!m->unit) m->unit = 1;
  m->grain = m->limits ? m->round_to / m->unit : 1;
}

static bool take_units(ex_model *m) {
  const asc_problem *problem = m->problem;
  uint32_t n = m->count;
  if (problem->has_hints && !(m->hint = asci_ex_take(m, n, sizeof *m->hint))) return false;
  if (m->general) {
    m->align = asci_ex_take(m, n, sizeof *m->align);
    m->fixed = asci_ex_take(m, n, sizeof *m->fixed);
    m->bank = asci_ex_take(m, n, sizeof *m->bank);
    m->tail = asci_ex_take(m, n, sizeof *m->tail);
    m->apart = asci_ex_take(m, n, sizeof *m->apart);
    if (!m->align || !m->fixed || !m->bank || !m->tail || !m->apart) return false;
  }
  for (uint32_t i = 0; i < n; i++) {
    const asc_buffer_spec *spec = &problem->buffers[m->buffer[i]];
    m->size[i] /= m->unit;
    if (m->hint) m->hint[i] = spec->hint != ASC_UNPLACED && spec->hint % m->unit == 0 ? spec->hint / m->unit : -1;
    if (!m->general) continue;
    if (m->limits) m->tail[i] = m->size[i] - spec->size / m->unit;
    m->align[i] = spec->alignment > 1 ? spec->alignment / m->unit : 1;
    m->fixed[i] = spec->offset == ASC_UNPLACED ? -1 : spec->offset / m->unit;
    m->bank[i] = spec->bank / m->unit;
    m->apart[i] = asci_pile_apart(spec) / m->unit;
  }
  for (uint32_t q = 0; q < m->piece_begin[n]; q++) {
    m->pieces[q].low /= m->unit;
    m->pieces[q].high /= m->unit;
  }
  return true;
}

/* ---- items ----------------------------------------------------------------------------------------------------------- */

/* Items go by where they begin. */
static bool take_items(ex_model *m) {
  const asc_problem *problem = m->problem;
  uint32_t n = problem->count, weightless = 0;
  m->buffer = asci_ex_take_raw(m, n, sizeof *m->buffer);
  m->item = asci_ex_take_raw(m, n, sizeof *m->item);
  m->weightless = asci_ex_take_raw(m, n, sizeof *m->weightless);
  m->keys = asci_ex_take_raw(m, 3 * (size_t)n, sizeof *m->keys);
  if (!m->buffer || !m->item || !m->weightless || !m->keys) return false;
  for (uint32_t b = 0; b < n; b++) {
    m->item[b] = EX_NONE;
    if (problem->piece_begin[b] < problem->piece_begin[b + 1]) {
      m->keys[b] = problem->pieces[problem->piece_begin[b]].first;
      m->buffer[m->count++] = b;
    } else {
      m->weightless[weightless++] = b;
    }
  }
  m->weightless_count = weightless;
  asci_sort_by(m->buffer, m->keys + n, m->count, m->keys);
  for (uint32_t i = 0; i < m->count; i++) m->item[m->buffer[i]] = i;
  return true;
}

/* ---- sections -------------------------------------------------------------------------------------------------------- */

uint32_t asci_ex_maximal(const uint8_t *event, uint32_t sections, uint32_t *before, uint32_t *maximal) {
  uint32_t count = 0;
  bool begun = false;
  for (uint32_t t = 0; t < sections; t++) {
    before[t] = count;
    begun = begun || (event[t] & EX_BEGINS);
    if (!begun || !(event[t] & EX_ENDS)) continue;
    maximal[count++] = t;
    begun = false;
  }
  before[sections] = count;
  return count;
}

/* How many maximal sections are before each of the problem's. NULL: no memory. */
static uint32_t *find_sections(ex_model *m) {
  const asc_problem *problem = m->problem;
  uint32_t exact = problem->section_count, pieces = problem->piece_begin[problem->count];
  uint32_t *before = asci_ex_take(m, (size_t)exact + 1, sizeof *before);
  uint8_t *event = asci_ex_take(m, (size_t)exact + 1, 1);
  m->problem_section = asci_ex_take(m, exact, sizeof *m->problem_section);
  if (!before || !event || !m->problem_section) return NULL;
  for (uint32_t q = 0; q < pieces; q++) {
    event[problem->pieces[q].first] |= EX_BEGINS;
    event[problem->pieces[q].end - 1] |= EX_ENDS;
  }
  m->sections = asci_ex_maximal(event, exact, before, m->problem_section);
  return before;
}

static bool take_pieces(ex_model *m, const uint32_t *before) {
  const asc_problem *problem = m->problem;
  uint32_t n = m->count, at = 0;
  m->piece_begin = asci_ex_take(m, (size_t)n + 1, sizeof *m->piece_begin);
  m->pieces = asci_ex_take(m, problem->piece_begin[problem->count], sizeof *m->pieces);
  m->size = asci_ex_take(m, n, sizeof *m->size);
  m->first = asci_ex_take(m, n, sizeof *m->first);
  m->end = asci_ex_take(m, n, sizeof *m->end);
  if (!m->piece_begin || !m->pieces || !m->size || !m->first || !m->end) return false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t count;
    const asci_piece *pieces = asci_pieces(problem, m->buffer[i], &count);
    m->size[i] = asci_align(problem->buffers[m->buffer[i]].size, m->round_to);
    m->piece_begin[i] = at;
    for (uint32_t k = 0; k < count; k++)
      m->pieces[at++] = (ex_piece){.first = before[pieces[k].first],
                                   .end = before[pieces[k].end],
                                   .low = pieces[k].window_lower,
                                   .high = problem->has_windows ? pieces[k].window_upper : m->size[i]};
    m->first[i] = m->pieces[m->piece_begin[i]].first;
    m->end[i] = m->pieces[at - 1].end;
  }
  m->piece_begin[n] = at;
  m->gaps = at > n;
  return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Deals the items, in the order given, to the rows of their sections. */
static void deal(ex_model *m, const uint32_t *items, uint32_t *fill, uint32_t *list) {
  memcpy(fill, m->list_begin, m->sections * sizeof *fill);
  for (uint32_t k = 0; k < m->count; k++) {
    uint32_t i = items[k];
    for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++)
      for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++) {
        if (m->list_low && list == m->list) m->list_low[fill[t]] = m->pieces[q].low;
        list[fill[t]++] = i;
      }
  }
}

static void count_rows(ex_model *m) {
  for (uint32_t i = 0; i < m->count; i++) {
    for (uint32_t q = m->piece_begin[i]; q < m->piece_begin[i + 1]; q++)
      for (uint32_t t = m->pieces[q].first; t < m->pieces[q].end; t++) {
        m->list_begin[t + 1]++;
        m->rest[t] += m->pieces[q].high - m->pieces[q].low;
        m->members[(size_t)t * m->words + i / 64] |= UINT64_C(1) << (i % 64);
      }
    for (uint32_t t = m->first[i]; t + 1 < m->end[i]; t++) m->cross[t]++;
  }
  for (uint32_t t = 0; t < m->sections; t++) m->list_begin[t + 1] += m->list_begin[t];
}

/* What grows faster than the problem: sets of buffers as bits, a section's members, who meets whom. */
static asc_status check_memory(ex_model *m, asc_diag *diag) {
  uint64_t n = m->count, set = (n / 64 + 1) * sizeof *m->members, entries = 0, near = 0;
  uint32_t *counts = asci_ex_take(m, m->problem->count, sizeof *counts);
  m->near_begin = asci_ex_take(m, (size_t)n + 1, sizeof *m->near_begin);
  if (!counts || !m->near_begin || asci_overlap_counts(m->problem, counts)) return ASC_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < m->count; i++) {
    near += counts[m->buffer[i]];
    m->near_begin[i + 1] = (size_t)near;
  }
  for (uint32_t q = 0; q < m->piece_begin[n]; q++) entries += m->pieces[q].end - m->pieces[q].first;
  const struct {
    const char *what;
    uint64_t bytes;
  } parts[] = {{"a conflict for each", n * set},
               {"the buffers alive in each section", m->sections * set + entries * 2 * sizeof *m->list},
               {"the pairs that meet", near * sizeof *m->near}};
  uint64_t all = 0;
  uint32_t most = 0;
  for (uint32_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    all += parts[k].bytes;
    if (parts[k].bytes > parts[most].bytes) most = k;
  }
  m->roomy = all + parts[1].bytes + parts[2].bytes <= EX_MAX_MEMORY;
  if (all <= EX_MAX_MEMORY) return ASC_OK;
  char count[ASCI_COMMAS], needs[ASCI_COMMAS], limit[ASCI_COMMAS];
  return asci_complain(diag, ASC_OUT_OF_MEMORY, "",
                       "a search with %s buffers needs %s bytes, most of them for %s: more than %s",
                       asci_commas(count, m->count), asci_commas(needs, (int64_t)all), parts[most].what,
                       asci_commas(limit, (int64_t)EX_MAX_MEMORY));
}

static bool take_rows(ex_model *m) {
  uint32_t n = m->count, sections = m->sections;
  m->words = n / 64 + 1;
  size_t entries = 0; /* below 2^32, or the memory would be too much */
  for (uint32_t q = 0; q < m->piece_begin[n]; q++) entries += m->pieces[q].end - m->pieces[q].first;
  m->list_begin = asci_ex_take(m, (size_t)sections + 1, sizeof *m->list_begin);
  m->list = asci_ex_take_raw(m, entries, sizeof *m->list);
  m->list_by_end = asci_ex_take_raw(m, entries, sizeof *m->list_by_end);
  m->rest = asci_ex_take(m, sections, sizeof *m->rest);
  m->cross = asci_ex_take(m, sections, sizeof *m->cross);
  m->members = asci_ex_take(m, (size_t)sections * m->words, sizeof *m->members);
  m->near = asci_ex_take_raw(m, m->near_begin[n], sizeof *m->near);
  m->link_fill = asci_ex_take_raw(m, sections, sizeof *m->link_fill);
  m->link_order = asci_ex_take_raw(m, n, sizeof *m->link_order);
  m->link_end = asci_ex_take_raw(m, n, sizeof *m->link_end);
  if (m->windows && !(m->list_low = asci_ex_take(m, entries, sizeof *m->list_low))) return false;
  return m->list_begin && m->list && m->list_by_end && m->rest && m->cross && m->members && m->near && m->link_fill &&
         m->link_order && m->link_end;
}

static void link_sections(ex_model *m) {
  uint32_t n = m->count, *order = m->link_order;
  memset(m->list_begin, 0, ((size_t)m->sections + 1) * sizeof *m->list_begin);
  memset(m->rest, 0, m->sections * sizeof *m->rest);
  memset(m->cross, 0, m->sections * sizeof *m->cross);
  memset(m->members, 0, (size_t)m->sections * m->words * sizeof *m->members);
  count_rows(m);
  for (uint32_t i = 0; i < n; i++) {
    order[i] = i;
    m->keys[i] = -(int64_t)m->end[i];
  }
  deal(m, order, m->link_fill, m->list);
  asci_sort_by(order, m->keys + n, n, m->keys);
  deal(m, order, m->link_fill, m->list_by_end);
}

/* Closes what gaps have left open at the ends of rows: end[i] is where that of item i ends. */
static void close_rows(ex_model *m, const size_t *end) {
  size_t at = 0;
  for (uint32_t i = 0; i < m->count; i++) {
    size_t begin = m->near_begin[i], count = end[i] - begin;
    memmove(m->near + at, m->near + begin, count * sizeof *m->near);
    m->near_begin[i] = at;
    at += count;
  }
  m->near_begin[m->count] = at;
}

/* Of boxes: of what the problem has, the problem knows. */
static void count_near(ex_model *m) {
  memset(m->near_begin, 0, ((size_t)m->count + 1) * sizeof *m->near_begin);
  for (uint32_t i = 0; i < m->count; i++)
    for (uint32_t j = i + 1; j < m->count && m->first[j] < m->end[i]; j++) {
      m->near_begin[i + 1]++;
      m->near_begin[j + 1]++;
    }
  for (uint32_t i = 0; i < m->count; i++) m->near_begin[i + 1] += m->near_begin[i];
}

/* Items go by their start: those that begin while i is alive follow it, and have it in their rows before any that comes after it, so
   that every row is in order. Room was counted for whoever overlaps in time, some of whom a gap lets pass. */
static void link_near(ex_model *m) {
  const asc_problem *problem = m->problem;
  bool gaps = problem->has_gaps && !m->boxes;
  const uint32_t *first = m->first;
  uint32_t *near = m->near, n = m->count;
  size_t *end = m->link_end;
  memcpy(end, m->near_begin, n * sizeof *end);
  for (uint32_t i = 0; i < n; i++) {
    size_t at = end[i];
    for (uint32_t j = i + 1, last = m->end[i]; j < n && first[j] < last; j++) {
      if (gaps && !asci_meet(problem, m->buffer[i], m->buffer[j])) continue;
      near[at++] = j;
      near[end[j]++] = i;
    }
    end[i] = at;
  }
  if (gaps) close_rows(m, end);
}

void asci_ex_link(ex_model *m) {
  link_sections(m);
  if (m->boxes) count_near(m);
  link_near(m);
}

asc_status asci_ex_model(ex_model *m, asc_diag *diag) {
  if (!take_items(m)) return ASC_OUT_OF_MEMORY;
  choose_rounding(m);
  const uint32_t *before = find_sections(m);
  if (!before || !take_pieces(m, before)) return ASC_OUT_OF_MEMORY;
  asc_status status = check_memory(m, diag);
  if (status) return status;
  choose_unit(m);
  m->piled = EX_NONE;
  int64_t above = m->minimize ? m->problem->lower_bound : m->run->capacity;
  m->mixed = m->general && !m->windows && m->options.piles;
  if (m->mixed && asci_pile_bound(m->run->context, m->problem, above, &m->pile, &m->piled)) return ASC_OUT_OF_MEMORY;
  if (!take_units(m) || !take_rows(m)) return ASC_OUT_OF_MEMORY;
  asci_ex_link(m);
  return ASC_OK;
}
