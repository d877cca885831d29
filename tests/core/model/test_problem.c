/* The problem model: what it accepts, and sections, loads, cuts, partitions and overlaps against a count at every single time. */
#include "model/lifespan/meet.h"
#include "model/problem.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/lifespan/neighbours.h"
#include "model/lifespan/overlaps.h"

/* ---- naive definitions, one time at a time ---- */

/* What a buffer occupies at a time: piece 0 is the part before the first gap, then gaps and parts in turn. */
typedef struct occupied {
  int64_t lower, upper; /* window; empty if it occupies nothing */
  uint32_t piece;
} occupied;

static occupied at_time(const asc_buffer_spec *spec, int64_t t) {
  occupied none = {0}, part = {0, spec->size, 0};
  if (t < spec->lower || t >= spec->upper || !spec->size) return none;
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    if (t >= gap->upper) part.piece = 2 * g + 2;
    if (t >= gap->lower && t < gap->upper) return (occupied){gap->window_lower, gap->window_upper, 2 * g + 1};
  }
  return part;
}

static bool alive(occupied o) {
  return o.lower < o.upper;
}

/* First and last time at which the buffer occupies memory; false if there is none. */
static bool hull(const asc_buffer_spec *spec, int64_t *first, int64_t *last) {
  bool any = false;
  for (int64_t t = spec->lower; t < spec->upper; t++) {
    if (!alive(at_time(spec, t))) continue;
    if (!any) *first = t;
    *last = t;
    any = true;
  }
  return any;
}

/* True if the sets alive at t - 1 and t differ in a buffer or in one of its pieces. */
static bool changes(const asc_problem *problem, int64_t t) {
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    occupied before = at_time(asc_problem_buffer(problem, b), t - 1), now = at_time(asc_problem_buffer(problem, b), t);
    if (alive(before) != alive(now) || (alive(now) && before.piece != now.piece)) return true;
  }
  return false;
}

static void load_at(const asc_problem *problem, int64_t t, int64_t *load, uint32_t *live) {
  *load = 0;
  *live = 0;
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    occupied o = at_time(asc_problem_buffer(problem, b), t);
    *load += o.upper - o.lower;
    *live += alive(o);
  }
}

/* ---- the same, compared ---- */

enum { FIRST = -7, LAST = 12 };

static void check_sections(const asc_problem *problem) {
  const asc_section *sections = asc_problem_sections(problem);
  uint32_t count = asc_problem_section_count(problem), s = 0, peak = ASC_NONE;
  int64_t most = 0;
  for (int64_t t = FIRST; t <= LAST; t++) {
    int64_t load;
    uint32_t live;
    load_at(problem, t, &load, &live);
    if (s < count && t >= sections[s].upper) s++;
    bool inside = s < count && t >= sections[s].lower && t < sections[s].upper;
    CHECK(inside == (live > 0), "time %d: %u alive, section %u", (int)t, live, s);
    if (!inside) continue;
    assert_int_equal(sections[s].load, load);
    assert_int_equal(sections[s].live, live);
    CHECK((sections[s].lower == t) == (changes(problem, t)), "time %d: section %u begins at %d", (int)t, s,
          (int)sections[s].lower);
    if (load > most) {
      most = load;
      peak = s;
    }
  }
  assert_int_equal(s, count);
  assert_int_equal(asc_problem_peak(problem), peak);
  for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    if (spec->offset != ASC_UNPLACED && spec->offset + spec->size > most) most = spec->offset + spec->size;
  }
  assert_int_equal(asc_problem_lower_bound(problem), most);
}

static void check_cuts(const asc_problem *problem) {
  const asc_section *sections = asc_problem_sections(problem);
  const uint32_t *cuts = asc_problem_cuts(problem);
  for (uint32_t s = 0; s + 1 < asc_problem_section_count(problem); s++) {
    uint32_t crossing = 0;
    for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
      int64_t first = 0, last = 0;
      if (!hull(asc_problem_buffer(problem, b), &first, &last)) continue;
      crossing += first < sections[s].upper && last >= sections[s + 1].lower;
    }
    assert_int_equal(cuts[s], crossing);
  }
}

/* Groups by definition: hulls that share a time are joined until nothing changes. */
static void check_partitions(const asc_problem *problem) {
  uint32_t n = asc_problem_count(problem);
  int64_t first[16], last[16];
  uint32_t group[16];
  bool has[16], changed = true;
  assert_true(n <= 16);
  for (uint32_t b = 0; b < n; b++) {
    has[b] = hull(asc_problem_buffer(problem, b), &first[b], &last[b]);
    group[b] = b;
  }
  while (changed) {
    changed = false;
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; b < n; b++)
        if (has[a] && has[b] && first[a] <= last[b] && first[b] <= last[a] && group[a] < group[b]) {
          group[b] = group[a];
          changed = true;
        }
  }
  const uint32_t *partitions = asc_problem_partitions(problem);
  uint32_t groups = 0;
  for (uint32_t a = 0; a < n; a++) {
    assert_true(partitions[a] < asc_problem_partition_count(problem));
    if (has[a] && group[a] == a) groups++;
    for (uint32_t b = 0; b < n; b++) {
      if (!has[a] || !has[b]) continue;
      assert_int_equal(partitions[a] == partitions[b], group[a] == group[b]);
      if (group[a] != group[b] && first[a] < first[b]) assert_true(partitions[a] < partitions[b]);
    }
  }
  if (groups) assert_int_equal(asc_problem_partition_count(problem), groups);
}

/* Asked one by one, in any order, they are those of the rows. */
static void check_neighbours(const asc_problem *problem, const asci_overlaps *overlaps) {
  asci_neighbours near;
  assert_int_equal(asci_neighbours_new(problem, &near), ASC_OK);
  for (uint32_t b = asc_problem_count(problem); b-- > 0;) {
    uint32_t count, unsorted;
    const uint32_t *row = asci_neighbours_of(&near, b, &count);
    assert_int_equal(count, overlaps->begin[b + 1] - overlaps->begin[b]);
    assert_memory_equal(row, overlaps->other + overlaps->begin[b], count * sizeof *row);
    asci_neighbours_by_start(&near, b, &unsorted);
    assert_int_equal(unsorted, count);
  }
  asci_neighbours_free(&near);
}

static void check_overlaps(const asc_problem *problem) {
  asci_overlaps overlaps;
  assert_int_equal(asci_overlaps_new(problem, &overlaps), ASC_OK);
  for (uint32_t a = 0; a < asc_problem_count(problem); a++) {
    size_t at = overlaps.begin[a];
    for (uint32_t b = 0; b < asc_problem_count(problem); b++) {
      bool meet = false;
      int64_t above = INT64_MIN;
      for (int64_t t = FIRST; t <= LAST && a != b; t++) {
        occupied p = at_time(asc_problem_buffer(problem, a), t), q = at_time(asc_problem_buffer(problem, b), t);
        if (!alive(p) || !alive(q)) continue;
        meet = true;
        if (p.upper - q.lower > above) above = p.upper - q.lower;
      }
      if (!meet) continue;
      assert_true(at < overlaps.begin[a + 1]);
      assert_int_equal(overlaps.other[at], b);
      int64_t stated = overlaps.above ? overlaps.above[at] : asc_problem_buffer(problem, a)->size;
      assert_int_equal(stated, above);
      at++;
    }
    assert_int_equal(at, overlaps.begin[a + 1]);
  }
  check_neighbours(problem, &overlaps);
  asci_overlaps_free(problem, &overlaps);
}

/* So many that there are blocks below blocks, and words of bits below words. */
static void finds_neighbours_among_many(void **state) {
  (void)state;
  asc_context *context = test_context();
  static const char *const kinds[] = {"random", "heavy-tailed", "full-overlap", "non-overlapping"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    asc_problem *problem;
    asci_neighbours near;
    asci_overlaps overlaps;
    assert_int_equal(asc_generate(context, kinds[k], 4500, 1, &problem, NULL), ASC_OK);
    assert_int_equal(asci_overlaps_new(problem, &overlaps), ASC_OK);
    check_neighbours(problem, &overlaps);
    assert_int_equal(asci_neighbours_new(problem, &near), ASC_OK);
    for (uint32_t b = 0; b < 4500; b += 37) {
      uint32_t count, at = 0;
      const uint32_t *row = asci_neighbours_of(&near, b, &count);
      for (uint32_t other = 0; other < 4500; other++) {
        if (other == b || !asci_meet(problem, b, other)) continue;
        assert_true(at < count);
        assert_int_equal(row[at++], other);
      }
      assert_int_equal(at, count);
    }
    asci_neighbours_free(&near);
    asci_overlaps_free(problem, &overlaps);
    asc_problem_free(problem);
  }
  test_context_end(context);
}

static void equals_counting_at_every_time(void **state) {
  (void)state;
  asc_context *context = test_context();
  asci_rng rng = {11};
  test_shape shape = {.min_buffers = 0,
                      .max_buffers = 12,
                      .min_time = -6,
                      .max_time = 12,
                      .max_size = 9,
                      .max_alignment = 4,
                      .max_fixed = 20,
                      .zero = 10,
                      .fixed = 15,
                      .gap = 25,
                      .window = 50,
                      .hint = 10,
                      .tie = 40};
  uint32_t cases = test_cases(20000);
  for (uint32_t k = 0; k < cases; k++) {
    if (k % 2) shape.max_time = 1 + (int64_t)asci_random_below(&rng, 12);
    if (k % 5 == 0) shape.gap = 0;
    asc_problem *problem = test_random_problem(context, &rng, &shape);
    check_sections(problem);
    check_cuts(problem);
    check_partitions(problem);
    check_overlaps(problem);
    asc_problem_free(problem);
    shape.max_time = 12;
    shape.gap = 25;
  }
  test_context_end(context);
}

/*     0    3    5    9       12    15
 *  a  [---------)
 *  b       [---------)
 *  c                         [-----)      c in a partition of its own; d is empty; nothing lives in [9, 12)
 *  d  [----------------------------)                                                                             */
static void sections_of_a_drawing(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_buffer_spec specs[] = {test_spec(0, 5, 2), test_spec(3, 9, 3), test_spec(12, 15, 4), test_spec(0, 15, 0)};
  asc_problem *problem = test_problem(context, specs, 4);
  const asc_section expected[] = {{0, 3, 2, 1}, {3, 5, 5, 2}, {5, 9, 3, 1}, {12, 15, 4, 1}};
  assert_int_equal(asc_problem_section_count(problem), 4);
  for (int s = 0; s < 4; s++) {
    const asc_section *section = &asc_problem_sections(problem)[s];
    assert_int_equal(section->lower, expected[s].lower);
    assert_int_equal(section->upper, expected[s].upper);
    assert_int_equal(section->load, expected[s].load);
    assert_int_equal(section->live, expected[s].live);
  }
  const uint32_t cuts[] = {1, 1, 0};
  assert_memory_equal(asc_problem_cuts(problem), cuts, sizeof cuts);
  const uint32_t partitions[] = {0, 0, 1};
  assert_memory_equal(asc_problem_partitions(problem), partitions, sizeof partitions);
  assert_int_equal(asc_problem_partition_count(problem), 2);
  assert_int_equal(asc_problem_peak(problem), 1);
  assert_int_equal(asc_problem_lower_bound(problem), 5);
  asc_problem_free(problem);
  test_context_end(context);
}

static void empty_problem(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = test_problem(context, NULL, 0);
  assert_int_equal(asc_problem_count(problem), 0);
  assert_int_equal(asc_problem_section_count(problem), 0);
  assert_int_equal(asc_problem_partition_count(problem), 0);
  assert_int_equal(asc_problem_peak(problem), ASC_NONE);
  assert_int_equal(asc_problem_lower_bound(problem), 0);
  assert_int_equal(asc_problem_find(problem, "b0"), ASC_NONE);
  assert_null(asc_problem_buffer(problem, 0));
  asc_problem_free(problem);
  asc_problem_free(NULL);
  test_context_end(context);
}

/* Lifespans far apart, up to the ends of the range of times: memory goes with the number of buffers alone. */
static void sparse_times_cost_nothing(void **state) {
  (void)state;
  asc_context *context = test_context();
  enum { N = 1000 };
  asc_buffer_spec *specs = calloc(N, sizeof *specs);
  assert_non_null(specs);
  for (int64_t b = 0; b < N; b++) {
    int64_t lower = -INT64_C(1000000000000000) + b * INT64_C(2000000000000);
    specs[b] = test_spec(lower, lower + INT64_C(1999999999999) + b % 2, 1 + b);
  }
  specs[0].lower = -ASC_MAX_BYTES;
  specs[N - 1].upper = ASC_MAX_BYTES;
  asc_problem *problem = test_problem(context, specs, N);
  assert_int_equal(asc_problem_section_count(problem), N);
  assert_int_equal(asc_problem_partition_count(problem), N);
  assert_int_equal(asc_problem_lower_bound(problem), N);
  CHECK(asc_context_bytes(context) < 400u * N, "%zu bytes for %d buffers", asc_context_bytes(context), N);
  asc_problem_free(problem);
  free(specs);
  test_context_end(context);
}

static void takes_a_million_buffers_and_no_more(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  char id[16];
  for (uint32_t b = 0; b < ASC_MAX_BUFFERS; b++) {
    asc_buffer_spec spec = test_spec(b % 4096, b % 4096 + 1 + b / 4096, 1 + b % 7);
    snprintf(id, sizeof id, "n%u", b);
    spec.id = id;
    if (asc_problem_add(problem, &spec, NULL) != ASC_OK) fail_msg("buffer %u was refused", b);
  }
  asc_buffer_spec more = test_spec(0, 1, 1);
  more.id = "one more";
  asc_diag diag;
  assert_int_equal(asc_problem_add(problem, &more, &diag), ASC_TOO_LARGE);
  assert_int_equal(diag.status, ASC_TOO_LARGE);
  assert_int_equal(asc_problem_count(problem), ASC_MAX_BUFFERS);
  assert_int_equal(asc_problem_freeze(problem, &diag), ASC_OK);
  assert_int_equal(asc_problem_find(problem, "n1048575"), 1048575);
  assert_int_equal(asc_problem_find(problem, "one more"), ASC_NONE);
  assert_int_equal(asc_problem_partition_count(problem), 1);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- what is refused ---- */

typedef struct refusal {
  asc_buffer_spec spec;
  asc_gap gaps[2];
  asc_status status;
  const char *field, *message; /* message NULL: any, but not empty */
} refusal;

/* lower, upper, size, alignment, fixed offset, hint, gaps */
#define ROW(id, lower, upper, size, alignment, offset, hint, gaps) \
  { id, lower, upper, size, alignment, offset, hint, .gap_count = gaps }
/* size, alignment, fixed offset, bank */
#define BANK(size, alignment, offset, banked) \
  { "x", 0, 8, size, alignment, offset, ASC_UNPLACED, .bank = banked }
#define MOST "9,007,199,254,740,991"
#define MAX ASC_MAX_BYTES
#define NO_GAPS \
  { \
    {0, 0, 0, 0}, { \
      0, 0, 0, 0 \
    } \
  }
#define GAP(...) \
  { \
    {__VA_ARGS__}, { \
      0, 0, 0, 0 \
    } \
  }
#define BAD ASC_BAD_INPUT
static char long_id[257];

static const refusal refusals[] = {
    {ROW("x", 4, 3, 1, 1, -1, -1, 0), NO_GAPS, BAD, "upper", "is 3, expected more than lower, 4"},
    {ROW("x", 4, 4, 1, 1, -1, -1, 0), NO_GAPS, BAD, "upper", "is 4, expected more than lower, 4"},
    {ROW("x", -MAX - 1, 4, 1, 1, -1, -1, 0), NO_GAPS, BAD, "lower", NULL},
    {ROW("x", INT64_MIN, INT64_MAX, 1, 1, -1, -1, 0), NO_GAPS, BAD, "lower", NULL},
    {ROW("x", 4, MAX + 1, 1, 1, -1, -1, 0), NO_GAPS, BAD, "upper", NULL},
    {ROW("x", 0, 8, -64, 1, -1, -1, 0), NO_GAPS, BAD, "size", "is -64, expected 0 to " MOST},
    {ROW("x", 0, 8, MAX + 1, 1, -1, -1, 0), NO_GAPS, BAD, "size", "is 9,007,199,254,740,992, expected 0 to " MOST},
    {ROW("x", 0, 8, 4, 0, -1, -1, 0), NO_GAPS, BAD, "alignment", "is 0, expected 1 to " MOST},
    {ROW("x", 0, 8, 4, INT64_MIN, -1, -1, 0), NO_GAPS, BAD, "alignment", NULL},
    {ROW("x", 0, 8, 4, 1, -2, -1, 0), NO_GAPS, BAD, "offset", NULL},
    {ROW("x", 0, 8, 4, 1, MAX - 3, -1, 0), NO_GAPS, BAD, "offset", NULL},
    {ROW("x", 0, 8, 4, 4, 6, -1, 0), NO_GAPS, BAD, "offset", "is 6, expected a multiple of the alignment, 4"},
    {ROW("x", 0, 8, 4, 1, -1, -2, 0), NO_GAPS, BAD, "hint", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 1), GAP(3, 3, 0, 0), BAD, "gaps", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 1), GAP(-1, 3, 0, 0), BAD, "gaps", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 1), GAP(3, 9, 0, 0), BAD, "gaps", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 2), {{3, 5, 0, 0}, {4, 6, 0, 0}}, BAD, "gaps", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 2), {{5, 6, 0, 0}, {1, 2, 0, 0}}, BAD, "gaps", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 1), GAP(3, 5, 0, 5), BAD, "gaps", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 1), GAP(3, 5, -1, 2), BAD, "gaps", NULL},
    {ROW("x", 0, 8, 4, 1, -1, -1, 1), GAP(3, 5, 3, 2), BAD, "gaps", NULL},
    {BANK(4, 1, -1, -1), NO_GAPS, BAD, "bank", "is -1, expected 0 to " MOST},
    {BANK(4, 1, -1, INT64_MIN), NO_GAPS, BAD, "bank", NULL},
    {BANK(4, 1, -1, MAX + 1), NO_GAPS, BAD, "bank", "is 9,007,199,254,740,992, expected 0 to " MOST},
    {BANK(4, 1, -1, 3), NO_GAPS, BAD, "bank", "is 3, expected at least the size, 4"},
    {BANK(MAX, 1, 0, MAX - 1), NO_GAPS, BAD, "bank", NULL},
    {BANK(4, 1, 6, 8), NO_GAPS, BAD, "offset", "is 6, expected no multiple of the bank, 8, inside the buffer"},
    {BANK(4, 5, 5, 4), NO_GAPS, BAD, "offset", NULL},
    {BANK(2, 1, MAX - 2, MAX - 1), NO_GAPS, BAD, "offset", NULL},
    {ROW(NULL, 0, 8, 4, 1, -1, -1, 0), NO_GAPS, BAD, "id", NULL},
    {ROW("", 0, 8, 4, 1, -1, -1, 0), NO_GAPS, BAD, "id", NULL},
    {ROW(long_id, 0, 8, 4, 1, -1, -1, 0), NO_GAPS, BAD, "id", NULL},
};

static void refuses_what_makes_no_sense(void **state) {
  (void)state;
  memset(long_id, 'y', 256);
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  for (uint32_t k = 0; k < COUNT(refusals); k++) {
    asc_buffer_spec spec = refusals[k].spec;
    if (spec.gap_count) spec.gaps = refusals[k].gaps;
    asc_diag diag = {0};
    CHECK(asc_problem_add(problem, &spec, &diag) == refusals[k].status, "refusal %u", k);
    assert_int_equal(asc_problem_add(problem, &spec, NULL), refusals[k].status);
    assert_int_equal(diag.status, refusals[k].status);
    assert_string_equal(diag.field, refusals[k].field);
    assert_true(diag.message[0]);
    if (refusals[k].message) assert_string_equal(diag.message, refusals[k].message);
  }
  assert_int_equal(asc_problem_count(problem), 0);
  long_id[255] = 0;
  asc_buffer_spec spec = test_spec(0, 8, 4);
  spec.id = long_id;
  assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  assert_int_equal(asc_problem_find(problem, long_id), 0);
  spec.id = "late";
  assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_BAD_ARGUMENT);
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_BAD_ARGUMENT);
  asc_problem_free(problem);
  test_context_end(context);
}

static void refuses_an_id_twice(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  const char *ids[] = {"conv1", "conv2", "conv", "conv2"};
  for (int k = 0; k < 4; k++) {
    asc_buffer_spec spec = test_spec(k, k + 1, 1);
    spec.id = ids[k];
    assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  }
  asc_diag diag = {0};
  assert_int_equal(asc_problem_freeze(problem, &diag), ASC_BAD_INPUT);
  assert_string_equal(diag.field, "id");
  assert_non_null(strstr(diag.message, "conv2"));
  asc_problem_free(problem);
  test_context_end(context);
}

/* Sums of sizes stay countable: whatever the solvers add up is below 2^63. */
static void refuses_sums_beyond_counting(void **state) {
  (void)state;
  asc_context *context = test_context();
  asc_problem *problem = NULL;
  assert_int_equal(asc_problem_new(context, &problem), ASC_OK);
  asc_buffer_spec spec = test_spec(0, 1, ASC_MAX_BYTES);
  spec.id = "all";
  assert_int_equal(asc_problem_add(problem, &spec, NULL), ASC_OK);
  asc_diag diag;
  spec.id = "one byte";
  spec.size = 1;
  assert_int_equal(asc_problem_add(problem, &spec, &diag), ASC_TOO_LARGE);
  assert_string_equal(diag.field, "size");
  assert_int_equal(asc_problem_freeze(problem, NULL), ASC_OK);
  assert_int_equal(asc_problem_lower_bound(problem), ASC_MAX_BYTES);
  asc_problem_free(problem);
  test_context_end(context);
}

/* ---- digest ---- */

static uint64_t digest_of_one(asc_context *context, const asc_buffer_spec *spec) {
  asc_problem *problem = test_problem(context, spec, 1);
  uint64_t digest = asc_problem_digest(problem);
  asc_problem_free(problem);
  return digest;
}

static void digest_sees_everything(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_gap gap = {2, 3, 0, 0}, windowed = {2, 3, 1, 4};
  asc_buffer_spec variants[11];
  for (uint32_t k = 0; k < COUNT(variants); k++) variants[k] = test_spec(0, 8, 4);
  variants[1].lower = 1;
  variants[2].upper = 9;
  variants[3].size = 5;
  variants[4].alignment = 2;
  variants[5].offset = 0;
  variants[6].hint = 0;
  variants[7].gaps = &gap;
  variants[7].gap_count = 1;
  variants[8].gaps = &windowed;
  variants[8].gap_count = 1;
  variants[9].bank = 4;
  variants[10].bank = 8;
  for (uint32_t a = 0; a < COUNT(variants); a++)
    for (uint32_t b = a + 1; b < COUNT(variants); b++)
      assert_true(digest_of_one(context, &variants[a]) != digest_of_one(context, &variants[b]));
  asc_buffer_spec renamed = variants[8];
  renamed.id = "another name";
  assert_true(digest_of_one(context, &renamed) != digest_of_one(context, &variants[8]));
  test_context_end(context);
}

/* Links made before there were banks carry these. */
static void digests_stay(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_gap gaps[] = {{2, 3, 0, 0}, {4, 6, 1, 4}};
  asc_buffer_spec spec = test_spec(0, 8, 4);
  assert_true(digest_of_one(context, &spec) == UINT64_C(0x8c469f3fdb42a664));
  spec.alignment = 2;
  spec.offset = 6;
  spec.hint = 2;
  spec.gaps = gaps;
  spec.gap_count = 2;
  assert_true(digest_of_one(context, &spec) == UINT64_C(0x0d3b2999038ea6d1));
  test_context_end(context);
}

static void texts_are_there(void **state) {
  (void)state;
  for (int s = ASC_OK; s <= ASC_INVALID_SOLUTION; s++) assert_true(asc_status_text((asc_status)s)[0]);
  assert_non_null(asc_status_text((asc_status)9999));
  for (int o = 0; o < ASC_OUTCOME_COUNT; o++) {
    assert_true(asc_outcome_id((asc_outcome)o)[0]);
    assert_true(asc_outcome_text((asc_outcome)o)[0]);
  }
  for (int r = 0; r < ASC_RULE_COUNT; r++) assert_true(asc_rule_id((asc_rule)r)[0]);
}

/* Who occupies nothing has no section, and where nobody occupies anything none is the fullest. */
static void nothing_has_no_sections(void **state) {
  (void)state;
  asc_context *context = test_context();
  const asc_buffer_spec none = test_spec(2, 9, 0);
  asc_problem *problem = test_problem(context, &none, 1);
  assert_int_equal(asci_end_section(problem, 0), 0);
  assert_int_equal(asc_problem_peak(problem), ASC_NONE);
  assert_false(asci_is_overloaded(problem, 0));
  asc_problem_free(problem);
  test_context_end(context);
}

int run_problem_tests(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_has_no_sections),
      cmocka_unit_test(sections_of_a_drawing),
      cmocka_unit_test(equals_counting_at_every_time),
      cmocka_unit_test(finds_neighbours_among_many),
      cmocka_unit_test(empty_problem),
      cmocka_unit_test(sparse_times_cost_nothing),
      cmocka_unit_test(refuses_what_makes_no_sense),
      cmocka_unit_test(refuses_an_id_twice),
      cmocka_unit_test(refuses_sums_beyond_counting),
      cmocka_unit_test(digest_sees_everything),
      cmocka_unit_test(digests_stay),
      cmocka_unit_test(texts_are_there),
      cmocka_unit_test(takes_a_million_buffers_and_no_more),
  };
  return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}
