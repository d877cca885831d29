/* contention: TelaMalloc's heuristic baseline, row by row on a skyline.
 *
 * Rule: the skyline is the highest address in use over each section. A buffer's place is the first multiple of its alignment at or
 * above the skyline over its lifespan (that keeps within one of its banks, if it has any). Rows go from the bottom up: of the buffers whose place is the current row the first in the
 * order below is put there, until none is left; then the lowest place of all is the next row.
 *
 *     16 +                    row 16: next
 *        |      +--------+
 *      8 +------|   b2   |    row 8: only b3 fits on the left
 *        |  b0  +--------+
 *      0 +------+---b1---+--  row 0
 *
 * Order: greatest contention (of a buffer: the greatest load of a time in its life), then alignment, size * lifetime^2 and lifetime,
 * larger first, then index, lower first.
 * Complexity: O(log n) per look at a place; a buffer is looked at again only when it comes up and its place has risen, which is at most
 * once for each pair alive together.
 * Source: Maas et al., "TelaMalloc" (ASPLOS 2023), section 3.1 and figure 4. Holes under the skyline are lost, as there. */
#include "base/arrays.h"
#include "model/bank.h"
#include "solve/greedy/place.h"
#include "solve/greedy/skyline.h"

enum { LINE_ADVANCE = 3, LINE_PLACE = 6 };

static const char pseudocode[] = "row = 0\n"
                                 "while buffers are left:\n"
                                 "  row = lowest place on the skyline\n"
                                 "  while some buffer's place is row:\n"
                                 "    b = the one of most contention\n"
                                 "    place b at row\n"
                                 "    raise the skyline over b's life\n";

typedef struct contention {
  int64_t *offsets; /* by buffer */
  int64_t *place;   /* by buffer: at most its place on the skyline now */
  uint32_t *rank;   /* by buffer: in the order */
  uint32_t *heap;   /* buffers to place, the least (place, rank) on top */
  uint32_t *stack;  /* buffers placed, in order */
  uint32_t left, placed;
  int64_t row;
  asci_skyline skyline;
} contention;

static const asci_array arrays[] = {
    ASCI_ARRAY(contention, offsets, 0, ASCI_ONES), ASCI_ARRAY(contention, place, 0, ASCI_ZEROS),
    ASCI_ARRAY(contention, rank, 0, ASCI_RAW),     ASCI_ARRAY(contention, heap, 0, ASCI_RAW),
    ASCI_ARRAY(contention, stack, 0, ASCI_ZEROS),
};

static void destroy(asc_run *run, void *state) {
  contention *c = state;
  asci_skyline_free(&c->skyline);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), c);
  asci_free(run->context, c);
}

static asc_status fill(asc_run *run, void *state) {
  contention *c = state;
  const size_t n = run->problem->count;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), &n, c)) return ASC_OUT_OF_MEMORY;
  asc_status status = asci_greedy_sort(run->problem, ASCI_ORDER_CONTENTION, c->heap, NULL);
  if (status) return status;
  /* All places are 0, so the order itself is a heap. */
  for (uint32_t k = 0; k < n; k++) c->rank[c->heap[k]] = k;
  c->left = (uint32_t)n;
  return asci_skyline_new(run->problem, &c->skyline);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(contention), fill, destroy, state);
}

static bool sooner(const contention *c, uint32_t a, uint32_t b) {
  return c->place[a] != c->place[b] ? c->place[a] < c->place[b] : c->rank[a] < c->rank[b];
}

static void sink(contention *c, uint32_t buffer) {
  uint32_t at = 0;
  for (uint64_t child; (child = 2 * (uint64_t)at + 1) < c->left; at = (uint32_t)child) {
    if (child + 1 < c->left && sooner(c, c->heap[child + 1], c->heap[child])) child++;
    if (!sooner(c, c->heap[child], buffer)) break;
    c->heap[at] = c->heap[child];
  }
  c->heap[at] = buffer;
}

/* The buffer that comes next; its place is then exact, and *support the buffer it rests on. */
static uint32_t next(const asc_run *run, contention *c, uint32_t *support) {
  for (;;) {
    uint32_t buffer = c->heap[0];
    const asc_buffer_spec *spec = &run->problem->buffers[buffer];
    *support = asci_skyline_under(&c->skyline, buffer);
    int64_t top = *support == ASC_NONE ? 0 : c->skyline.end[*support];
    int64_t place = asci_next_offset(top, spec->size, spec->alignment, spec->bank);
    if (place == c->place[buffer]) return buffer;
    c->place[buffer] = place;
    sink(c, buffer);
  }
}

static void lay(contention *c, uint32_t buffer) {
  c->row = c->place[buffer];
  c->offsets[buffer] = c->row;
  asci_skyline_lay(&c->skyline, buffer, c->row);
  c->stack[c->placed++] = buffer;
  c->left--;
  if (c->left) sink(c, c->heap[c->left]);
}

static asc_outcome advance(asc_run *run, void *state) {
  contention *c = state;
  if (!c->left) return asci_greedy_finish(run, c->offsets, 0);
  while (asci_more(run)) {
    uint32_t support, buffer = next(run, c, &support);
    int64_t place = c->place[buffer];
    if (place > ASC_MAX_BYTES - run->problem->buffers[buffer].size) {
      asci_step_reject(run, ASC_RULE_CAPACITY, buffer, place, c->placed);
      ASC_EMIT(run, REJECT, LINE_ADVANCE, .buffer = buffer, .offset = place, .rule = ASC_RULE_CAPACITY, .section = ASC_NONE,
               .floor = place, .rest = run->problem->buffers[buffer].size);
      return ASC_OUTCOME_EXHAUSTED;
    }
    if (place > c->row) {
      asci_step_other(run, ASC_EVENT_ADVANCE, buffer, place, c->placed);
      ASC_EMIT(run, ADVANCE, LINE_ADVANCE, .row = c->row, .next = place);
      c->row = place;
      continue;
    }
    lay(c, buffer);
    run->stats.nodes++;
    asci_step_place(run, buffer, place, c->placed);
    ASC_EMIT(run, PLACE, LINE_PLACE, .buffer = buffer, .offset = place, .support = support, .of = 1);
    if (!c->left) return asci_greedy_finish(run, c->offsets, LINE_PLACE);
  }
  return ASC_OUTCOME_RUNNING;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  contention *c = state;
  view->offsets = c->offsets;
  view->stack = c->stack;
}

static asc_status replay(asc_run *run, contention *c, uint32_t placed, int64_t row) {
  uint32_t support;
  if (run->stats.depth != placed) return ASC_BAD_SAVE;
  while (c->placed < placed) {
    uint32_t buffer = next(run, c, &support);
    if (c->place[buffer] > ASC_MAX_BYTES - run->problem->buffers[buffer].size) return ASC_BAD_SAVE;
    lay(c, buffer);
  }
  if (row == c->row) return ASC_OK;
  /* A row that is begun and still empty. */
  if (!c->left || c->place[next(run, c, &support)] != row) return ASC_BAD_SAVE;
  c->row = row;
  return ASC_OK;
}

/* How many are placed and the row: the order and the places follow from the rule. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  contention *c = state;
  uint32_t placed = c->placed;
  int64_t row = c->row;
  ASCI_KEEP(saver, placed, run->problem->count);
  ASCI_KEEP(saver, row, ASC_MAX_BYTES);
  return asci_loaded(saver) ? replay(run, c, placed, row) : asci_kept(saver);
}

const asci_solver asci_solver_contention = {
    .info = {.id = "contention",
             .title = "Contention skyline",
             .paper = "TelaMalloc, ASPLOS 2023, 3.1",
             .summary = "TelaMalloc's baseline heuristic: rows from the bottom up, the buffer of most contention first.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_BANKS,
             .complete = false,
             .pseudocode = pseudocode},
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
