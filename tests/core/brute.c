#include "brute.h"

#include "support.h"

/* Bit a of used[t]: address a is taken at time t. */
typedef struct bitmap {
  uint64_t used[BRUTE_TIMES];
} bitmap;

static uint64_t bits(int64_t from, int64_t to) {
  return ((UINT64_C(1) << to) - 1) & ~((UINT64_C(1) << from) - 1);
}

/* A buffer: the addresses that it takes at each time when it lies at 0, and the offsets at which it may lie if there is room. */
typedef struct piece {
  uint64_t taken[BRUTE_TIMES];
  uint64_t offsets;
  int64_t lower, upper, size;
} piece;

/* The addresses that the buffer takes at time t when it lies at 0. */
static uint64_t taken(const asc_buffer_spec *spec, int64_t t) {
  if (t < spec->lower || t >= spec->upper) return 0;
  for (uint32_t g = 0; g < spec->gap_count; g++) {
    const asc_gap *gap = &spec->gaps[g];
    if (t < gap->lower || t >= gap->upper) continue;
    return bits(gap->window_lower, gap->window_upper);
  }
  uint64_t all = spec->shape_count ? 0 : bits(0, spec->size);
  for (uint32_t r = 0; r < spec->shape_count; r++) {
    const asc_rect *rect = &spec->shape[r];
    if (t >= rect->lower && t < rect->upper) all |= bits(rect->low, rect->high);
  }
  return all;
}

/* True if some address of the buffer lies in another bank than its first. */
static bool crosses(const asc_buffer_spec *spec, int64_t offset) {
  for (int64_t byte = 0; spec->bank && byte < spec->size; byte++)
    if ((offset + byte) / spec->bank != offset / spec->bank) return true;
  return false;
}

static piece piece_of(const asc_buffer_spec *spec) {
  piece made = {.lower = spec->lower, .upper = spec->upper, .size = spec->size};
  for (int64_t t = 0; t < BRUTE_TIMES; t++) made.taken[t] = taken(spec, t);
  for (int64_t offset = 0; offset < 64; offset++) {
    bool fine = offset % spec->alignment == 0 && (spec->offset == ASC_UNPLACED || spec->offset == offset);
    if (fine && !crosses(spec, offset)) made.offsets |= UINT64_C(1) << offset;
  }
  return made;
}

/* Whether the buffer may lie at offset, beside what the map has. */
static bool fits(const bitmap *map, const piece *p, int64_t offset, int64_t capacity) {
  if (offset < 0 || offset + p->size > capacity || !(p->offsets >> offset & 1)) return false;
  for (int64_t t = p->lower; t < p->upper; t++)
    if (map->used[t] & p->taken[t] << offset) return false;
  return true;
}

/* Lays the buffer, or takes it away again. */
static void lay(bitmap *map, const piece *p, int64_t offset) {
  for (int64_t t = p->lower; t < p->upper; t++) map->used[t] ^= p->taken[t] << offset;
}

/* Whether the pieces from the first to before the end fit beside what lies in the map, which is as before at the end. */
static bool search(const piece *first, const piece *end, bitmap *map, int64_t capacity) {
  if (first == end) return true;
  bool found = false;
  for (int64_t offset = 0; offset + first->size <= capacity && !found; offset++) {
    if (!fits(map, first, offset, capacity)) continue;
    lay(map, first, offset);
    found = search(first + 1, end, map, capacity);
    lay(map, first, offset);
  }
  return found;
}

/* Into `pieces`, of BRUTE_BUFFERS; returns how many. */
static uint32_t make_pieces(const asc_problem *problem, int64_t capacity, piece *pieces) {
  uint32_t count = asc_problem_count(problem);
  assert_true(capacity >= 0 && capacity <= 63);
  assert_true(count <= BRUTE_BUFFERS);
  for (uint32_t b = 0; b < count; b++) {
    const asc_buffer_spec *spec = asc_problem_buffer(problem, b);
    assert_true(spec->lower >= 0 && spec->upper <= BRUTE_TIMES);
    pieces[b] = piece_of(spec);
  }
  return count;
}

/* The most addresses that are taken at one time: below that nothing fits. */
static int64_t most_taken(const piece *pieces, uint32_t count) {
  int64_t most = 0;
  for (int64_t t = 0; t < BRUTE_TIMES; t++) {
    int64_t here = 0;
    for (uint32_t b = 0; b < count; b++) here += __builtin_popcountll(pieces[b].taken[t]);
    if (here > most) most = here;
  }
  return most;
}

bool brute_feasible(const asc_problem *problem, int64_t capacity) {
  piece pieces[BRUTE_BUFFERS];
  uint32_t count = make_pieces(problem, capacity, pieces);
  return search(pieces, pieces + count, &(bitmap){{0}}, capacity);
}

int64_t brute_least_height(const asc_problem *problem, int64_t most) {
  piece pieces[BRUTE_BUFFERS];
  uint32_t count = make_pieces(problem, most, pieces);
  for (int64_t capacity = most_taken(pieces, count); capacity <= most; capacity++)
    if (search(pieces, pieces + count, &(bitmap){{0}}, capacity)) return capacity;
  return -1;
}

bool brute_valid(const asc_problem *problem, const int64_t *offsets, int64_t capacity) {
  piece pieces[BRUTE_BUFFERS];
  uint32_t count = make_pieces(problem, capacity, pieces);
  bitmap map = {{0}};
  for (uint32_t b = 0; b < count; b++) {
    if (!fits(&map, &pieces[b], offsets[b], capacity)) return false;
    lay(&map, &pieces[b], offsets[b]);
  }
  return true;
}
