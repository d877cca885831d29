/* The times at which some piece begins or ends cut the time axis into elementary intervals; those in which something is alive are
 * the sections:
 *
 *      a  [---------)            times     0   3   5   8   9  12
 *      b      [---------)        live      a  ab   b   -   c
 *      c                  [--)   sections  0   1   2       3
 *
 * Sums over sections are made from differences at both ends, so that no list of live buffers is ever built. */
#include "model/lifespan/sweep.h"

#include "base/sort.h"

#include <string.h>

typedef struct sweep {
  asc_problem *problem;
  asc_context *context;
  uint32_t piece_count;
  int64_t *begin_time, *end_time; /* per piece */
  int64_t *times;                 /* sorted, without repeats */
  uint32_t time_count;
  int64_t earliest;
  uint32_t *index_of;   /* by time from the earliest on, of those in times; NULL if they are too far apart for that */
  uint32_t *section_of; /* per elementary interval: its section, ASC_NONE if nothing is alive */
} sweep;

static uint32_t take_shape(const asc_buffer_spec *spec, asci_piece *pieces, int64_t *begin_time, int64_t *end_time) {
  for (uint32_t r = 0; pieces && r < spec->shape_count; r++) {
    const asc_rect *rect = &spec->shape[r];
    pieces[r] = (asci_piece){.window_lower = rect->low, .window_upper = rect->high};
    begin_time[r] = rect->lower;
    end_time[r] = rect->upper;
  }
  return spec->shape_count;
}

/* Writes the pieces of a buffer's lifespan in order of time and returns how many there are; with pieces NULL only counts them. */
static uint32_t cut_lifespan(const asc_buffer_spec *spec, asci_piece *pieces, int64_t *begin_time, int64_t *end_time) {
  uint32_t count = 0;
  if (spec->size == 0) return 0;
  if (spec->shape_count) return take_shape(spec, pieces, begin_time, end_time);
  int64_t time = spec->lower;
  for (uint32_t g = 0;; g++) {
    const asc_gap *gap = g < spec->gap_count ? &spec->gaps[g] : NULL;
    int64_t until = gap ? gap->lower : spec->upper;
    if (time < until) {
      if (pieces) {
        pieces[count] = (asci_piece){.window_upper = spec->size};
        begin_time[count] = time;
        end_time[count] = until;
      }
      count++;
    }
    if (!gap) break;
    if (gap->window_upper > 0) {
      if (pieces) {
        pieces[count] = (asci_piece){.window_lower = gap->window_lower, .window_upper = gap->window_upper};
        begin_time[count] = gap->lower;
        end_time[count] = gap->upper;
      }
      count++;
    }
    time = gap->upper;
  }
  return count;
}

static bool make_pieces(sweep *s) {
  asc_problem *problem = s->problem;
  uint32_t n = problem->count;
  problem->piece_begin = asci_alloc(s->context, (size_t)n + 1, sizeof *problem->piece_begin);
  if (!problem->piece_begin) return false;
  uint64_t total = 0;
  for (uint32_t b = 0; b < n; b++) {
    problem->piece_begin[b] = (uint32_t)total;
    total += cut_lifespan(&problem->buffers[b], NULL, NULL, NULL);
    if (total > UINT32_MAX / 4) return false;
  }
  problem->piece_begin[n] = s->piece_count = (uint32_t)total;
  problem->pieces = asci_alloc(s->context, total, sizeof *problem->pieces);
  s->begin_time = asci_alloc(s->context, total, sizeof *s->begin_time);
  s->end_time = asci_alloc(s->context, total, sizeof *s->end_time);
  if (!problem->pieces || !s->begin_time || !s->end_time) return false;
  for (uint32_t b = 0; b < n; b++) {
    uint32_t at = problem->piece_begin[b];
    cut_lifespan(&problem->buffers[b], problem->pieces + at, s->begin_time + at, s->end_time + at);
  }
  return true;
}

static bool sort_times(sweep *s) {
  size_t most = 2 * (size_t)s->piece_count;
  s->times = asci_alloc(s->context, most, sizeof *s->times);
  int64_t *scratch = asci_alloc(s->context, most, sizeof *scratch);
  bool made = s->times && scratch;
  for (uint32_t p = 0; made && p < s->piece_count; p++) {
    s->times[2 * p] = s->begin_time[p];
    s->times[2 * p + 1] = s->end_time[p];
  }
  if (made) asci_sort_numbers(s->times, scratch, 2 * s->piece_count);
  asci_free(s->context, scratch);
  for (size_t t = 0; made && t < most; t++)
    if (!t || s->times[s->time_count - 1] != s->times[t]) s->times[s->time_count++] = s->times[t];
  return made;
}

/* Times in a span not much longer than there are pieces are found by marking them. */
static bool mark_times(sweep *s, uint32_t span) {
  uint32_t *index_of = s->index_of = asci_calloc(s->context, span, sizeof *index_of);
  if (!index_of) return false;
  for (uint32_t p = 0; p < s->piece_count; p++)
    index_of[s->begin_time[p] - s->earliest] = index_of[s->end_time[p] - s->earliest] = 1;
  for (uint32_t k = 0; k < span; k++) s->time_count += index_of[k];
  s->times = asci_alloc(s->context, s->time_count, sizeof *s->times);
  if (!s->times) return false;
  uint32_t made = 0;
  for (uint32_t k = 0; k < span; k++) {
    if (!index_of[k]) continue;
    s->times[made] = s->earliest + k;
    index_of[k] = made++;
  }
  return true;
}

static bool make_times(sweep *s) {
  int64_t latest = s->earliest = s->piece_count ? s->begin_time[0] : 0;
  for (uint32_t p = 0; p < s->piece_count; p++) {
    if (s->begin_time[p] < s->earliest) s->earliest = s->begin_time[p];
    if (s->end_time[p] > latest) latest = s->end_time[p];
  }
  uint64_t span = (uint64_t)latest - (uint64_t)s->earliest;
  return s->piece_count && span < 4 * (uint64_t)s->piece_count ? mark_times(s, (uint32_t)span + 1) : sort_times(s);
}

static uint32_t time_index(const sweep *s, int64_t time) {
  return s->index_of ? s->index_of[time - s->earliest] : asci_count_below(s->times, s->time_count, time);
}

/* Takes back what pieces of a shape that lie at one time have counted too often: a buffer is alive once. first and end are indices of times. */
static void count_once(sweep *s) {
  asc_problem *problem = s->problem;
  for (uint32_t b = 0; b < problem->count; b++) {
    if (!problem->buffers[b].shape_count) continue;
    uint32_t reach = 0; /* the pieces before end here at the latest */
    for (uint32_t p = problem->piece_begin[b]; p < problem->piece_begin[b + 1]; p++) {
      const asci_piece *piece = &problem->pieces[p];
      uint32_t until = piece->end < reach ? piece->end : reach;
      if (piece->first < until) {
        problem->sections[piece->first].live--;
        problem->sections[until].live++;
      }
      if (piece->end > reach) reach = piece->end;
    }
  }
}

/* Leaves pieces with the indices of their first and last time in first and end, to be renumbered by number_sections. */
static bool make_sections(sweep *s) {
  asc_problem *problem = s->problem;
  uint32_t count = s->time_count;
  s->section_of = asci_alloc(s->context, (size_t)count + 1, sizeof *s->section_of);
  asc_section *sections = asci_calloc(s->context, (size_t)count + 1, sizeof *sections);
  problem->sections = sections;
  if (!s->section_of || !sections) return false;
  for (uint32_t p = 0; p < s->piece_count; p++) {
    asci_piece *piece = &problem->pieces[p];
    piece->first = time_index(s, s->begin_time[p]);
    piece->end = time_index(s, s->end_time[p]);
    int64_t height = piece->window_upper - piece->window_lower;
    sections[piece->first].load += height;
    sections[piece->end].load -= height;
    sections[piece->first].live++;
    sections[piece->end].live--; /* wraps and is set right by the running sum */
  }
  if (problem->has_shapes) count_once(s);
  uint32_t live = 0, made = 0;
  int64_t load = 0;
  for (uint32_t t = 0; t < count; t++) {
    live += sections[t].live;
    load += sections[t].load;
    s->section_of[t] = live ? made : ASC_NONE;
    if (live) sections[made++] = (asc_section){.lower = s->times[t], .upper = s->times[t + 1], .load = load, .live = live};
  }
  problem->section_count = made;
  for (uint32_t p = 0; p < s->piece_count; p++) {
    asci_piece *piece = &problem->pieces[p];
    piece->first = s->section_of[piece->first];
    piece->end = s->section_of[piece->end - 1] + 1; /* the interval before its end is alive with it */
  }
  return true;
}

static bool make_cuts(sweep *s) {
  asc_problem *problem = s->problem;
  uint32_t count = problem->section_count;
  problem->cuts = asci_calloc(s->context, (size_t)count + 1, sizeof *problem->cuts);
  problem->partition = asci_alloc(s->context, problem->count, sizeof *problem->partition);
  if (!problem->cuts || !problem->partition) return false;
  for (uint32_t b = 0; b < problem->count; b++) {
    uint32_t begin = problem->piece_begin[b], end = problem->piece_begin[b + 1];
    if (begin == end) continue;
    problem->cuts[problem->pieces[begin].first]++;
    problem->cuts[asci_end_section(problem, b) - 1]--;
  }
  uint32_t crossing = 0;
  for (uint32_t c = 0; c < count; c++) problem->cuts[c] = crossing += problem->cuts[c];
  return true;
}

/* Sections joined by a cut that is not 0 belong together; a buffer that has no section counts as one of the first group. section_of is
   used again: the group of each section. */
static void make_partitions(sweep *s) {
  asc_problem *problem = s->problem;
  uint32_t group = 0;
  for (uint32_t c = 0; c < problem->section_count; c++) {
    s->section_of[c] = group;
    if (problem->cuts[c] == 0) group++;
  }
  problem->partition_count = problem->section_count ? group : problem->count ? 1 : 0;
  for (uint32_t b = 0; b < problem->count; b++) {
    uint32_t begin = problem->piece_begin[b];
    bool has = begin < problem->piece_begin[b + 1];
    problem->partition[b] = has ? s->section_of[problem->pieces[begin].first] : 0;
  }
}

static void make_bound(asc_problem *problem) {
  problem->lower_bound = 0;
  problem->peak = 0;
  for (uint32_t c = 0; c < problem->section_count; c++)
    if (problem->sections[c].load > problem->sections[problem->peak].load) problem->peak = c;
  if (problem->section_count) problem->lower_bound = problem->sections[problem->peak].load;
  for (uint32_t b = 0; b < problem->count; b++) {
    const asc_buffer_spec *spec = &problem->buffers[b];
    if (spec->offset != ASC_UNPLACED && spec->offset + spec->size > problem->lower_bound)
      problem->lower_bound = spec->offset + spec->size;
  }
}

asc_status asci_sweep_new(asc_problem *problem) {
  sweep s = {.problem = problem, .context = problem->context};
  bool made = make_pieces(&s) && make_times(&s) && make_sections(&s) && make_cuts(&s);
  if (made) {
    make_partitions(&s);
    make_bound(problem);
  }
  asci_free(s.context, s.begin_time);
  asci_free(s.context, s.end_time);
  asci_free(s.context, s.times);
  asci_free(s.context, s.index_of);
  asci_free(s.context, s.section_of);
  return made ? ASC_OK : ASC_OUT_OF_MEMORY;
}
