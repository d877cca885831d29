/* greedy: the buffers one by one in a chosen order, each at the best place among those already placed.
 *
 * Rule: buffers with fixed offsets go first; the others in the order of the option. first: the lowest address where the buffer
 * meets nobody alive with it. best: of the gaps between them the one of least bytes that holds it, the lowest of equal ones; if
 * none does, above them all. A hint that is free and below the capacity is taken before any gap is looked at.
 * Ties of the order: order.h; the last resort is the index, lower first.
 * Gaps of a lifespan and windows: only the pieces of time and the addresses in use block others.
 * Complexity: O(n log n) for the order, then O(k log k) per buffer, k = placed buffers alive together with it.
 * Source: by start, first fit, is linear scan (Poletto and Sarkar 1999) on bytes; by size with best fit and by breadth are Lee and
 * Pisarchyk, "Efficient Memory Management for Deep Neural Net Inference" (2020), section 5; by conflicts is the idea of TVM's
 * planner with holes filled. */
#include "solve/greedy/place.h"

#define GREEDY_OPTIONS(X, T) \
  ASCI_ORDER_OPTION(X, T) \
  X(T, CHOICE, fit, "Fit", "first", "first|best", "Take the lowest gap that holds the buffer, or the smallest.")
ASCI_OPTION_VALUES(greedy_options, GREEDY_OPTIONS);
ASCI_OPTION_TABLE(greedy_options, GREEDY_OPTIONS);

enum { LINE_FIXED = 1, LINE_NO_FIT = 5, LINE_GAP = 6, LINE_TOP = 8 };

static const char pseudocode[] = "place buffers with fixed offsets\n"
                                 "for b in the others, in order:\n"
                                 "  N = placed buffers alive with b\n"
                                 "  for gap between N, from below:\n"
                                 "    if gap < size of b: next gap\n"
                                 "    place b in first | smallest gap\n"
                                 "  if no gap holds b:\n"
                                 "    place b above all of N\n";

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  const greedy_options *o = run->options;
  asci_greedy_rule rule = {.order = (asci_greedy_order)o->order,
                           .fit = o->fit ? ASCI_FIT_BEST : ASCI_FIT_FIRST,
                           .round_size = 1,
                           .round_top = 1,
                           .round_offset = 1,
                           .hints = true,
                           .line_fixed = LINE_FIXED,
                           .line_no_fit = LINE_NO_FIT,
                           .line_gap = LINE_GAP,
                           .line_top = LINE_TOP};
  return asci_greedy_create(run, &rule, state);
}

const asci_solver asci_solver_greedy = {
    .info = {.id = "greedy",
             .title = "Greedy",
             .paper = "Lee and Pisarchyk 2020; linear scan",
             .summary = "Places the buffers one by one in a chosen order, each at the lowest or the tightest gap, and never "
                        "looks back.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS |
                         ASC_SUPPORTS_HINTS | ASC_SUPPORTS_BANKS | ASC_SUPPORTS_SHAPES,
             .complete = false,
             ASCI_TAKES_INFO(greedy_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(greedy_options),
    .create = create,
    .destroy = asci_greedy_destroy,
    .advance = asci_greedy_advance,
    .view = asci_greedy_view,
    .keep = asci_greedy_keep,
};
