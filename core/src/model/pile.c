/* Piles by dynamic programming over subsets. */
#include "model/pile.h"

#include "base/memory.h"
#include "base/number/multiple.h"
#include "base/sort.h"
#include "model/bank.h"

#define MOST_TRIES (UINT64_C(1) << 21)

typedef struct pile {
  asc_context *context;
  const asc_problem *problem;
  uint32_t members[ASCI_PILE_MOST], count;
  int64_t slack; /* at most so much can the pile be higher than the load */
  int64_t *ends; /* per subset; made where the first pile is looked at */
  size_t room;
} pile;

/* Looks at pieces that gather takes at most: where there are no gaps, one for each buffer. */
static uint64_t count_looks(const asc_problem *problem) {
  uint64_t looks = 0;
  for (uint32_t b = 0; b < problem->count; b++)
    for (uint32_t pieces = problem->piece_begin[b + 1] - problem->piece_begin[b] + 1; pieces; pieces >>= 1) looks++;
  return looks - problem->count;
}

/* Whether the buffer occupies memory in section t. Without windows its pieces are apart and in order of time. */
static bool lives_in(const asc_problem *problem, uint32_t b, uint32_t t) {
  uint32_t low = problem->piece_begin[b], high = problem->piece_begin[b + 1], end = high;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (problem->pieces[middle].end <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && problem->pieces[low].first <= t;
}

/* It can lie at each common multiple of alignment and bank. */
int64_t asci_pile_apart(const asc_buffer_spec *spec) {
  if (spec->offset != ASC_UNPLACED) return spec->offset;
  int64_t common = asci_common_multiple(spec->alignment, spec->bank ? spec->bank : 1);
  return (common < ASC_MAX_BYTES ? common : ASC_MAX_BYTES) - 1;
}

/* The buffers alive in the problem's section t. False: they are too many. */
static bool gather(pile *p, uint32_t t) {
  const asc_problem *problem = p->problem;
  p->count = 0;
  p->slack = 0;
  for (uint32_t b = 0; b < problem->count; b++) {
    if (!lives_in(problem, b, t)) continue;
    if (p->count == ASCI_PILE_MOST) return false;
    p->members[p->count++] = b;
    p->slack += asci_pile_apart(&problem->buffers[b]);
    if (p->slack >= ASC_MAX_BYTES) p->slack = ASC_MAX_BYTES;
  }
  return true;
}

/* Where the buffer ends if it lies as low as it may from `at` on. */
static int64_t end_from(const asc_buffer_spec *spec, int64_t at) {
  if (spec->offset != ASC_UNPLACED) return at <= spec->offset ? spec->offset + spec->size : ASCI_BEYOND;
  if (at >= ASC_MAX_BYTES) return ASCI_BEYOND;
  return asci_next_offset(at, spec->size, spec->alignment, spec->bank) + spec->size;
}

/* The least end of each subset is that of its top on the least end of the others: a lower pile is never worse. */
static int64_t height_of(const pile *p) {
  uint32_t all = (UINT32_C(1) << p->count) - 1;
  p->ends[0] = 0;
  for (uint32_t set = 1; set <= all; set++) {
    int64_t least = ASCI_BEYOND;
    for (uint32_t rest = set; rest; rest &= rest - 1) {
      const asc_buffer_spec *top = &p->problem->buffers[p->members[__builtin_ctz(rest)]];
      int64_t end = end_from(top, p->ends[set & ~(rest & -rest)]);
      if (end < least) least = end;
    }
    p->ends[set] = least;
  }
  return p->ends[all];
}

static bool is_fuller(const void *keys, uint32_t a, uint32_t b) {
  const asc_problem *problem = keys;
  return problem->sections[a].load > problem->sections[b].load;
}

/* False: no memory. */
static bool search(pile *p, const uint32_t *order, int64_t *bound, uint32_t *section) {
  const asc_problem *problem = p->problem;
  uint64_t left = MOST_TRIES, looks = count_looks(problem);
  for (uint32_t k = 0; k < problem->section_count; k++) {
    uint32_t t = order[k];
    if (left < looks) break;
    left -= looks;
    if (!gather(p, t) || p->count < 2 || problem->sections[t].load + p->slack <= *bound) continue;
    uint64_t tries = (uint64_t)p->count << p->count;
    if (left < tries) continue;
    left -= tries;
    if (!asci_grow(p->context, &p->ends, &p->room, (size_t)1 << p->count, sizeof *p->ends)) return false;
    int64_t height = height_of(p);
    if (height <= *bound || height > ASC_MAX_BYTES)
      continue; /* beyond: what is fixed is in its own way, which the search is to prove */
    *bound = height;
    *section = t;
  }
  return true;
}

asc_status asci_pile_bound(asc_context *context, const asc_problem *problem, int64_t above, int64_t *bound,
                           uint32_t *section) {
  size_t sections = problem->section_count;
  *bound = above;
  *section = ASC_NONE;
  pile p = {.context = context, .problem = problem};
  uint32_t *order = asci_alloc(context, sections + 1, sizeof *order),
           *scratch = asci_alloc(context, sections + 1, sizeof *scratch);
  bool well = order && scratch;
  if (well) {
    for (uint32_t t = 0; t < sections; t++) order[t] = t;
    asci_sort(order, scratch, (uint32_t)sections, is_fuller, problem);
    well = search(&p, order, bound, section);
  }
  if (*section == ASC_NONE) *bound = 0;
  asci_free(context, p.ends);
  asci_free(context, order);
  asci_free(context, scratch);
  return well ? ASC_OK : ASC_OUT_OF_MEMORY;
}
