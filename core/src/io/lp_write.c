/* The packing of buffers as an integer linear program in the text format of LP solvers (TelaMalloc 3.2, figure 5).
 *
 *     p_i         offset of buffer i, in multiples of its alignment
 *     b_i_j, c_i_j   of two buffers alive together: 0 if i lies below j, if j lies below i
 *
 *     (1)  A p_i + z_i <= M        (2)  b_i_j + c_i_j = 1
 *     (3)  A p_i + z_i - M b_i_j <= A p_j        (4)  A p_j + z_j - M c_i_j <= A p_i
 *
 * The paper prints "<" in (3) and (4), which would lose a byte at each pair; its section 5.1 has "<=". One variable for each pair says the same with half
 * of them: c is 1 - b. M cannot be less in (3): i may end at M with j on the floor. Sizes and offsets stand in
 * their common divisor: a solver computes with doubles. */
#include "base/diag.h"
#include "base/text/print.h"
#include "model/lifespan/overlaps.h"
#include "model/problem.h"

#include <inttypes.h>

/* Above it the sums of a row are no longer exact enough for what solvers tolerate. */
#define MOST_UNITS (INT64_C(1) << 31)

typedef struct program {
  const asc_problem *problem;
  asc_packing_lp kind;
  int64_t unit, capacity; /* bytes in one, and how many there are */
  asci_printer out;
} program;

static bool occupies(const asc_problem *problem, uint32_t b) {
  return problem->piece_begin[b] < problem->piece_begin[b + 1];
}

/* Units of a buffer's offset in one of p_i. */
static int64_t step_of(const program *p, uint32_t b) {
  int64_t alignment = p->problem->buffers[b].alignment;
  return alignment > 1 ? alignment / p->unit : 1;
}

static int64_t size_of(const program *p, uint32_t b) {
  return p->problem->buffers[b].size / p->unit;
}

/* A p_i - A p_j - M b_i_j <= -z_i; minus: the pair's one variable is 1 if i is above. With the height as a variable M is the number beside it. */
static void put_below(program *p, uint32_t i, uint32_t j, bool second) {
  uint32_t a = i < j ? i : j, b = i < j ? j : i;
  int64_t big = p->capacity;
  asci_print(&p->out, " %" PRId64 " p_%u - %" PRId64 " p_%u", step_of(p, i), i, step_of(p, j), j);
  if (!second)
    asci_print(&p->out, " - %" PRId64 " b_%u_%u <= %" PRId64 "\n", big, a, b, -size_of(p, i));
  else if (p->kind.one_variable)
    asci_print(&p->out, " + %" PRId64 " b_%u_%u <= %" PRId64 "\n", big, a, b, big - size_of(p, i));
  else
    asci_print(&p->out, " - %" PRId64 " c_%u_%u <= %" PRId64 "\n", big, a, b, -size_of(p, i));
}

static void put_pairs(program *p, const asci_overlaps *overlaps, void (*row)(program *p, uint32_t i, uint32_t j)) {
  for (uint32_t i = 0; i < p->problem->count && !p->out.stopped; i++)
    for (size_t k = overlaps->begin[i]; k < overlaps->begin[i + 1]; k++)
      if (overlaps->other[k] > i) row(p, i, overlaps->other[k]);
}

static void put_orders(program *p, uint32_t i, uint32_t j) {
  if (!p->kind.one_variable) asci_print(&p->out, " b_%u_%u + c_%u_%u = 1\n", i, j, i, j);
  put_below(p, i, j, false);
  put_below(p, j, i, true);
}

static void put_binaries(program *p, uint32_t i, uint32_t j) {
  asci_print(&p->out, " b_%u_%u\n", i, j);
  if (!p->kind.one_variable) asci_print(&p->out, " c_%u_%u\n", i, j);
}

static void put_program(program *p, const asci_overlaps *overlaps) {
  const asc_problem *problem = p->problem;
  asci_print(&p->out, "\\ offsets in units of %" PRId64 " bytes\nminimize\n obj: %s\nsubject to\n", p->unit,
             p->kind.least ? "height" : "0 height");
  for (uint32_t b = 0; b < problem->count; b++)
    if (occupies(problem, b))
      asci_print(&p->out, " %" PRId64 " p_%u - height <= %" PRId64 "\n", step_of(p, b), b, -size_of(p, b));
  put_pairs(p, overlaps, put_orders);
  asci_print(&p->out, "bounds\n 0 <= height <= %" PRId64 "\n", p->capacity);
  for (uint32_t b = 0; b < problem->count; b++) {
    int64_t fixed = problem->buffers[b].offset;
    if (!occupies(problem, b)) continue;
    if (fixed == ASC_UNPLACED)
      asci_print(&p->out, " 0 <= p_%u <= %" PRId64 "\n", b, p->capacity / step_of(p, b));
    else
      asci_print(&p->out, " p_%u = %" PRId64 "\n", b, fixed / p->unit / step_of(p, b));
  }
  asci_print(&p->out, "general\n");
  for (uint32_t b = 0; b < problem->count; b++)
    if (occupies(problem, b)) asci_print(&p->out, " p_%u\n", b);
  asci_print(&p->out, "binary\n");
  put_pairs(p, overlaps, put_binaries);
  asci_print(&p->out, "end\n");
}

static asc_status check(const asc_problem *problem, asc_diag *diag) {
  const char *field = problem->parts         ? "pool"
                      : problem->has_shapes  ? "shape"
                      : problem->has_windows ? "gaps"
                      : problem->has_banks   ? "bank"
                                             : NULL;
  return field ? asci_complain(diag, ASC_UNSUPPORTED, field, "the program knows none") : ASC_OK;
}

asc_status asc_problem_lp(const asc_problem *problem, int64_t capacity, asc_packing_lp kind, asc_sink sink, void *user,
                          asc_diag *diag) {
  if (!problem->frozen || capacity < 0 || capacity > ASC_MAX_BYTES)
    return asci_complain(diag, ASC_BAD_ARGUMENT, "capacity", "is out of range");
  asc_status status = check(problem, diag);
  if (status) return status;
  program p = {.problem = problem, .kind = kind, .unit = asci_common_unit(problem), .out = {.sink = sink, .user = user}};
  p.capacity = capacity / p.unit;
  if (p.capacity > MOST_UNITS)
    return asci_complain(diag, ASC_UNSUPPORTED, "capacity", "is more than 2,147,483,648 units of the sizes' common divisor");
  asci_overlaps overlaps;
  status = asci_overlaps_new(problem, &overlaps);
  if (status) return asci_complain(diag, status, "", "there is no memory for the pairs");
  put_program(&p, &overlaps);
  asci_overlaps_free(problem, &overlaps);
  return p.out.stopped ? ASC_BAD_ARGUMENT : ASC_OK;
}
