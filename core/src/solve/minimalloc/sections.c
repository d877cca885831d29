#include "search.h"

#include "base/sort.h"

/* Section k ends at the k-th distinct end of a piece and holds the pieces with begin < end_k <= end. */

static void piece_times(const mm_search *s, int64_t *begin, int64_t *end) {
  const asc_problem *problem = s->problem;
  uint32_t pieces = problem->piece_begin[problem->count];
  for (uint32_t p = 0; p < pieces; p++) {
    begin[p] = problem->sections[problem->pieces[p].first].lower;
    end[p] = problem->sections[problem->pieces[p].end - 1].upper;
  }
}

static uint32_t count_at_most(const int64_t *ends, uint32_t count, int64_t time) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (ends[middle] <= time)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static uint32_t distinct(int64_t *numbers, int64_t *scratch, uint32_t count) {
  asci_sort_numbers(numbers, scratch, count);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; k++)
    if (!kept || numbers[kept - 1] != numbers[k]) numbers[kept++] = numbers[k];
  return kept;
}

static bool alloc_sections(mm_search *s, uint32_t pieces) {
  asc_context *context = s->run->context;
  size_t n = s->problem->count, count = s->section_count;
  s->words = (uint32_t)(count / 64 + 1);
  s->span = asci_calloc(context, n, sizeof *s->span);
  s->piece_first = asci_alloc(context, pieces, sizeof *s->piece_first);
  s->piece_end = asci_alloc(context, pieces, sizeof *s->piece_end);
  s->initial_total = asci_calloc(context, count, sizeof *s->initial_total);
  s->initial_cuts = asci_calloc(context, count + 1, sizeof *s->initial_cuts);
  s->exact_section = asci_alloc(context, count, sizeof *s->exact_section);
  s->overlap_count = asci_calloc(context, n, sizeof *s->overlap_count);
  return s->span && s->piece_first && s->piece_end && s->initial_total && s->initial_cuts && s->exact_section &&
         s->overlap_count;
}

/* Totals and cuts from differences at both ends, so that long lifespans cost no more than short ones. */
static void fill_pieces(mm_search *s, const int64_t *begin, const int64_t *end, const int64_t *ends) {
  const asc_problem *problem = s->problem;
  uint32_t count = s->section_count;
  for (uint32_t b = 0; b < problem->count; b++) {
    uint32_t from = problem->piece_begin[b], to = problem->piece_begin[b + 1];
    for (uint32_t p = from; p < to; p++) {
      s->piece_first[p] = count_at_most(ends, count, begin[p]);
      s->piece_end[p] = count_at_most(ends, count, end[p]);
      int64_t height = problem->pieces[p].window_upper - problem->pieces[p].window_lower;
      s->initial_total[s->piece_first[p]] += height;
      if (s->piece_end[p] < count) s->initial_total[s->piece_end[p]] -= height;
    }
    if (from == to) continue;
    s->span[b] = (mm_span){s->piece_first[from], s->piece_end[to - 1]};
    s->initial_cuts[s->span[b].first]++;
    s->initial_cuts[s->span[b].end - 1]--; /* wraps and is set right by the running sum */
  }
  for (uint32_t k = 1; k < count; k++) {
    s->initial_total[k] += s->initial_total[k - 1];
    s->initial_cuts[k] += s->initial_cuts[k - 1];
  }
}

static void fill_exact(mm_search *s, const int64_t *ends) {
  const asc_problem *problem = s->problem;
  uint32_t exact = 0;
  for (uint32_t k = 0; k < s->section_count; k++) {
    while (problem->sections[exact].upper < ends[k]) exact++;
    s->exact_section[k] = exact;
  }
}

static bool fill_overlap_count(mm_search *s) {
  const asc_problem *problem = s->problem;
  if (!s->general) return asci_overlap_counts(problem, s->overlap_count) == ASC_OK;
  if (asci_overlaps_new(problem, &s->overlaps)) return false;
  for (uint32_t b = 0; b < problem->count; b++)
    s->overlap_count[b] = (uint32_t)(s->overlaps.begin[b + 1] - s->overlaps.begin[b]);
  return true;
}

bool asci_mm_make_sections(mm_search *s) {
  const asc_problem *problem = s->problem;
  asc_context *context = s->run->context;
  uint32_t pieces = problem->piece_begin[problem->count];
  int64_t *begin = asci_alloc(context, pieces, sizeof *begin), *end = asci_alloc(context, pieces, sizeof *end);
  int64_t *ends = asci_alloc(context, pieces, sizeof *ends);
  bool made = begin && end && ends;
  if (made) {
    piece_times(s, begin, ends);
    s->section_count = distinct(ends, end, pieces);
    piece_times(s, begin, end);
    made = alloc_sections(s, pieces);
  }
  if (made) {
    fill_pieces(s, begin, end, ends);
    fill_exact(s, ends);
    made = fill_overlap_count(s);
  }
  asci_free(context, begin);
  asci_free(context, end);
  asci_free(context, ends);
  return made;
}
