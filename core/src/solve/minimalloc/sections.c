#include "search.h"

#include "base/arrays.h"
#include "base/sort.h"
#include "model/lifespan/overlaps.h"

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

enum { PER_BUFFER, PER_PIECE, PER_SECTION, PER_CUT };

static const asci_array arrays[] = {
    ASCI_ARRAY(mm_search, span, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, piece_first, PER_PIECE, ASCI_RAW),
    ASCI_ARRAY(mm_search, piece_end, PER_PIECE, ASCI_RAW),
    ASCI_ARRAY(mm_search, initial_total, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, initial_cuts, PER_CUT, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, problem_section, PER_SECTION, ASCI_RAW),
    ASCI_ARRAY(mm_search, overlap_count, PER_BUFFER, ASCI_ZEROS),
};

static bool alloc_sections(mm_search *s, uint32_t pieces) {
  const size_t sections = s->section_count, counts[] = {s->problem->count, pieces, sections, sections + 1};
  s->words = (uint32_t)(sections / 64 + 1);
  return asci_arrays_new(s->run->context, ASCI_TABLE(arrays), counts, s);
}

void asci_mm_free_sections(mm_search *s) {
  asci_arrays_free(s->run->context, ASCI_TABLE(arrays), s);
  asci_overlaps_free(s->problem, &s->overlaps);
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
    s->problem_section[k] = exact;
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

/* Begins and ends of the pieces; the distinct ends in order. */
typedef struct piece_lists {
  int64_t *begin, *end, *ends;
} piece_lists;

static const asci_array lists[] = {
    ASCI_ARRAY(piece_lists, begin, 0, ASCI_RAW),
    ASCI_ARRAY(piece_lists, end, 0, ASCI_RAW),
    ASCI_ARRAY(piece_lists, ends, 0, ASCI_RAW),
};

bool asci_mm_make_sections(mm_search *s) {
  const asc_problem *problem = s->problem;
  const size_t pieces = problem->piece_begin[problem->count];
  piece_lists l = {0};
  if (!asci_arrays_new(s->run->context, ASCI_TABLE(lists), &pieces, &l)) return false;
  piece_times(s, l.begin, l.ends);
  s->section_count = distinct(l.ends, l.end, (uint32_t)pieces);
  piece_times(s, l.begin, l.end);
  bool made = alloc_sections(s, (uint32_t)pieces);
  if (made) {
    fill_pieces(s, l.begin, l.end, l.ends);
    fill_exact(s, l.ends);
    made = fill_overlap_count(s);
  }
  asci_arrays_free(s->run->context, ASCI_TABLE(lists), &l);
  return made;
}
