#include "model/problem.h"

#include "base/sort.h"

/* Buffers by the first section of their first piece; those without a piece last. */
typedef struct span {
  uint32_t first, end;
} span;

static bool span_before(const void *keys, uint32_t a, uint32_t b) {
  const span *spans = keys;
  return spans[a].first < spans[b].first;
}

static span *make_spans(const asc_problem *problem) {
  span *spans = asci_alloc(problem->context, problem->count, sizeof *spans);
  if (!spans) return NULL;
  for (uint32_t b = 0; b < problem->count; b++) {
    uint32_t pieces;
    const asci_piece *piece = asci_pieces(problem, b, &pieces);
    spans[b] = pieces ? (span){piece[0].first, piece[pieces - 1].end} : (span){ASC_NONE, 0};
  }
  return spans;
}

/* Whether a and b share a section, and the least offset(b) - offset(a) at which b is above a in all of them. Merges both piece lists. */
static bool pair(const asc_problem *problem, uint32_t a, uint32_t b, int64_t *above) {
  uint32_t a_count, b_count;
  const asci_piece *p = asci_pieces(problem, a, &a_count), *p_end = p + a_count;
  const asci_piece *q = asci_pieces(problem, b, &b_count), *q_end = q + b_count;
  bool meet = false;
  while (p < p_end && q < q_end) {
    if (p->first < q->end && q->first < p->end) {
      int64_t least = p->window_upper - q->window_lower;
      if (!meet || least > *above) *above = least;
      meet = true;
    }
    if (p->end < q->end)
      p++;
    else
      q++;
  }
  return meet;
}

bool asci_meet(const asc_problem *problem, uint32_t a, uint32_t b) {
  int64_t above;
  return pair(problem, a, b, &above);
}

typedef struct scan {
  const asc_problem *problem;
  const span *spans;
  const uint32_t *order;
  asci_overlaps *overlaps;
  size_t *fill; /* NULL in the counting pass */
} scan;

static void visit(const scan *s, uint32_t a, uint32_t b) {
  int64_t above = 0;
  if (s->problem->has_gaps && !pair(s->problem, a, b, &above)) return;
  if (!s->fill) {
    s->overlaps->begin[a + 1]++;
    s->overlaps->begin[b + 1]++;
    return;
  }
  s->overlaps->other[s->fill[a]] = b;
  s->overlaps->other[s->fill[b]] = a;
  if (s->overlaps->above) {
    s->overlaps->above[s->fill[a]] = above;
    pair(s->problem, b, a, &above);
    s->overlaps->above[s->fill[b]] = above;
  }
  s->fill[a]++;
  s->fill[b]++;
}

/* In order of start, a buffer meets those after it that start before it ends. */
static void visit_pairs(const scan *s) {
  for (uint32_t i = 0; i < s->problem->count; i++) {
    uint32_t a = s->order[i];
    for (uint32_t k = i + 1; k < s->problem->count; k++) {
      uint32_t b = s->order[k];
      if (s->spans[b].first >= s->spans[a].end) break;
      visit(s, a, b);
    }
  }
}

typedef struct row {
  uint32_t *other;
  int64_t *above;
} row;

/* Rows were filled in order of start; put each in order of index. Short rows mostly, nearly sorted in most files. */
static void sort_row(row r, size_t count) {
  size_t sorted = 1;
  while (sorted < count && r.other[sorted - 1] < r.other[sorted]) sorted++;
  if (sorted >= count) return;
  for (size_t gap = count / 2; gap; gap /= 2)
    for (size_t i = gap; i < count; i++) {
      uint32_t other = r.other[i];
      int64_t above = r.above ? r.above[i] : 0;
      size_t at = i;
      for (; at >= gap && r.other[at - gap] > other; at -= gap) {
        r.other[at] = r.other[at - gap];
        if (r.above) r.above[at] = r.above[at - gap];
      }
      r.other[at] = other;
      if (r.above) r.above[at] = above;
    }
}

static bool fill_rows(scan *s) {
  asc_context *context = s->problem->context;
  asci_overlaps *overlaps = s->overlaps;
  uint32_t n = s->problem->count;
  for (uint32_t b = 0; b < n; b++) overlaps->begin[b + 1] += overlaps->begin[b];
  size_t total = overlaps->begin[n];
  overlaps->other = asci_alloc(context, total, sizeof *overlaps->other);
  if (s->problem->has_windows) overlaps->above = asci_alloc(context, total, sizeof *overlaps->above);
  s->fill = asci_alloc(context, n, sizeof *s->fill);
  bool made = overlaps->other && s->fill && (overlaps->above || !s->problem->has_windows);
  if (made) {
    for (uint32_t b = 0; b < n; b++) s->fill[b] = overlaps->begin[b];
    visit_pairs(s);
    for (uint32_t b = 0; b < n; b++) {
      size_t begin = overlaps->begin[b];
      sort_row((row){overlaps->other + begin, overlaps->above ? overlaps->above + begin : NULL},
               overlaps->begin[b + 1] - begin);
    }
  }
  asci_free(context, s->fill);
  return made;
}

/* All that begin before b ends, less those that end before b begins, less b itself. */
asc_status asci_overlap_counts(const asc_problem *problem, uint32_t *counts) {
  asc_context *context = problem->context;
  uint32_t n = problem->count;
  size_t room = (size_t)problem->section_count + 2;
  span *spans = make_spans(problem);
  uint32_t *began = asci_calloc(context, room, sizeof *began), *ended = asci_calloc(context, room, sizeof *ended);
  bool made = spans && began && ended;
  for (uint32_t b = 0; made && b < n; b++) {
    counts[b] = 0;
    if (!spans[b].end) continue;
    began[spans[b].first + 1]++;
    ended[spans[b].end]++;
  }
  for (size_t k = 1; made && k < room; k++) {
    began[k] += began[k - 1];
    ended[k] += ended[k - 1];
  }
  for (uint32_t b = 0; made && b < n; b++)
    if (spans[b].end) counts[b] = began[spans[b].end] - ended[spans[b].first] - 1;
  asci_free(context, spans);
  asci_free(context, began);
  asci_free(context, ended);
  return made ? ASC_OK : ASC_OUT_OF_MEMORY;
}

static bool too_many_pairs(const asc_problem *problem, uint32_t *counts) {
  if (asci_overlap_counts(problem, counts)) return true;
  uint64_t pairs = 0;
  for (uint32_t b = 0; b < problem->count; b++) pairs += counts[b];
  return pairs / 2 > ASCI_MAX_PAIRS;
}

asc_status asci_overlaps_new(const asc_problem *problem, asci_overlaps *overlaps) {
  asc_context *context = problem->context;
  uint32_t n = problem->count;
  *overlaps = (asci_overlaps){.begin = asci_calloc(context, (size_t)n + 1, sizeof *overlaps->begin)};
  span *spans = make_spans(problem);
  uint32_t *order = asci_alloc(context, n, sizeof *order), *scratch = asci_alloc(context, n, sizeof *scratch);
  bool made = overlaps->begin && spans && order && scratch && !too_many_pairs(problem, scratch);
  if (made) {
    for (uint32_t b = 0; b < n; b++) order[b] = b;
    asci_sort(order, scratch, n, span_before, spans);
    scan s = {problem, spans, order, overlaps, NULL};
    visit_pairs(&s);
    made = fill_rows(&s);
  }
  asci_free(context, spans);
  asci_free(context, order);
  asci_free(context, scratch);
  if (!made) asci_overlaps_free(problem, overlaps);
  return made ? ASC_OK : ASC_OUT_OF_MEMORY;
}

void asci_overlaps_free(const asc_problem *problem, asci_overlaps *overlaps) {
  asci_free(problem->context, overlaps->begin);
  asci_free(problem->context, overlaps->other);
  asci_free(problem->context, overlaps->above);
  *overlaps = (asci_overlaps){0};
}
