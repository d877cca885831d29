#include "naive_fit.h"

#include <stdlib.h>

/* The addresses that a buffer at offset 0 takes at a moment: all, none, or the window of the gap it is in. */
static bool taken(const asc_buffer_spec *spec, int64_t time, int64_t *low, int64_t *high) {
  *low = 0;
  *high = spec->size;
  if (time < spec->lower || time >= spec->upper) return false;
  for (uint32_t g = 0; g < spec->gap_count; g++)
    if (spec->gaps[g].lower <= time && time < spec->gaps[g].upper) {
      *low = spec->gaps[g].window_lower;
      *high = spec->gaps[g].window_upper;
    }
  return *low < *high;
}

/* When what a buffer takes may change: its begin, then each gap's begin and end. */
static bool moment(const asc_buffer_spec *spec, uint32_t k, int64_t *time) {
  if (k > 2 * spec->gap_count) return false;
  *time = k == 0 ? spec->lower : k % 2 ? spec->gaps[k / 2].lower : spec->gaps[k / 2 - 1].upper;
  return true;
}

typedef struct contact {
  bool alive;
  int64_t rise; /* how far a must rise until no moment that is a clash now is one; 0: none is */
} contact;

static void look(contact *c, const asc_buffer_spec *a, const asc_buffer_spec *b, int64_t raised, int64_t time) {
  int64_t low, high, other_low, other_high;
  if (!taken(a, time, &low, &high) || !taken(b, time, &other_low, &other_high)) return;
  c->alive = true;
  if (raised + low < other_high && other_low < raised + high && other_high - low - raised > c->rise)
    c->rise = other_high - low - raised;
}

/* Whatever two take in common they take at a moment when it changed for one of them. `raised`: a's offset less b's. */
static contact contact_of(const asc_buffer_spec *a, const asc_buffer_spec *b, int64_t raised) {
  contact c = {0};
  int64_t time;
  if (!naive_lifespans_meet(a, b)) return c;
  for (uint32_t k = 0; moment(a, k, &time); k++) look(&c, a, b, raised, time);
  for (uint32_t k = 0; moment(b, k, &time); k++) look(&c, a, b, raised, time);
  return c;
}

bool naive_lifespans_meet(const asc_buffer_spec *a, const asc_buffer_spec *b) {
  return a->lower < b->upper && b->lower < a->upper;
}

bool naive_alive_together(const asc_buffer_spec *a, const asc_buffer_spec *b) {
  return contact_of(a, b, 0).alive;
}

/* Multiples of the alignment in turn. What they leave over a bank comes again after at most as many as it has addresses, and 0 is among it. */
static int64_t next_offset(const asc_buffer_spec *spec, int64_t from) {
  int64_t step = spec->alignment > 1 ? spec->alignment : 1, x = (from + step - 1) / step * step;
  for (int64_t tried = 0; spec->bank && x % spec->bank + spec->size > spec->bank; tried++, x += step)
    CHECK(tried <= spec->bank, "no multiple of %d keeps within a bank of %d", (int)step, (int)spec->bank);
  return x;
}

int64_t naive_lowest(const asc_problem *problem, const int64_t *offsets, uint32_t buffer, int64_t from, int64_t most) {
  const asc_buffer_spec *spec = asc_problem_buffer(problem, buffer);
  uint32_t n = asc_problem_count(problem), *others = malloc(n * sizeof *others), count = 0, quiet = 0;
  assert_non_null(others);
  for (uint32_t b = 0; b < n; b++)
    if (offsets[b] != ASC_UNPLACED && naive_alive_together(spec, asc_problem_buffer(problem, b))) others[count++] = b;
  int64_t x = next_offset(spec, from);
  for (uint32_t k = 0; quiet < count && x <= most - spec->size; k = k + 1 == count ? 0 : k + 1) {
    contact c = contact_of(spec, asc_problem_buffer(problem, others[k]), x - offsets[others[k]]);
    quiet = c.rise ? 0 : quiet + 1;
    if (c.rise) x = next_offset(spec, x + c.rise);
  }
  free(others);
  return x <= most - spec->size ? x : ASC_UNPLACED;
}
