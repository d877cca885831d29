/* bfc: online best fit with coalescing, as an allocator at run time would do it that knows no lifespan in advance.
 *
 * Rule: buffers come in order of lower (index breaks ties). Before each, the chunks of all buffers that ended by then are freed and
 * merged with free neighbours. Of the free chunks the smallest that holds the buffer is taken, of equal ones the lowest; what is left
 * of it becomes a free chunk. If none holds it the arena grows at the top.
 *
 *     address |  in use   | free | in use |  free  | top: the arena ends here, and grows
 *             +-----------+------+--------+--------+ - -
 *              chunks, each linked to the one below and above; never two free neighbours
 *
 * Sizes are reserved in multiples of `rounding`; with split = double a chunk is cut only if it is at least twice as large or 128 MiB
 * larger than needed, and otherwise given away whole. TensorFlow uses 256 and double. An offset is rounded up to what suits the
 * buffer's alignment and bank; the bytes below it stay free.
 * Complexity: O(log f) to find a chunk plus O(f) to move entries of the sorted list of f free chunks.
 * Source: TensorFlow, bfc_allocator.cc; the comparison in TelaMalloc (ASPLOS 2023), section 3.1 and figure 3. */
#include "base/arrays.h"
#include "model/bank.h"
#include "solve/greedy/place.h"

#include <string.h>

#define BFC_OPTIONS(X, T) \
  X(T, INT, rounding, "Rounding", "1", 1, INT64_C(1) << 20, \
    "Sizes are reserved in multiples of this many bytes; TensorFlow uses 256.") \
  X(T, CHOICE, split, "Split", "always", "always|double", \
    "Cut every chunk to size, or, as TensorFlow does, only one that is twice as large as needed.")
ASCI_OPTION_VALUES(bfc_options, BFC_OPTIONS);
ASCI_OPTION_TABLE(bfc_options, BFC_OPTIONS);

enum { LINE_NO_FIT = 5, LINE_CHUNK = 4, LINE_GROW = 6 };

static const char pseudocode[] = "for b by start:\n"
                                 "  free chunks of ended buffers, merge\n"
                                 "  c = smallest free chunk >= size of b\n"
                                 "  if found: place b in c, free the rest\n"
                                 "  else (largest chunk is too small):\n"
                                 "    grow the arena, place b at the top\n";

#define SPLIT_ANYWAY (INT64_C(128) << 20)

typedef struct chunk {
  int64_t offset, size;
  uint32_t below, above; /* neighbours by address, ASC_NONE at the ends */
  uint32_t owner;        /* ASC_NONE: free */
} chunk;

typedef struct bfc {
  int64_t rounding;
  bool split_double;
  int64_t *offsets;     /* by buffer */
  uint32_t *arrivals;   /* buffers by lower */
  uint32_t *departures; /* buffers by upper */
  uint32_t placed, departed;
  bool said_no; /* the step that says no free chunk holds the next buffer was taken */

  chunk *chunks;
  uint32_t *chunk_of; /* by buffer */
  uint32_t *unused;   /* chunk numbers */
  uint32_t *free;     /* chunk numbers by (size, offset) */
  uint32_t unused_count, free_count;
  uint32_t last; /* the chunk below top */
  int64_t top;
} bfc;

enum { PER_BUFFER, PER_CHUNK };

static const asci_array arrays[] = {
    ASCI_ARRAY(bfc, offsets, PER_BUFFER, ASCI_ONES),   ASCI_ARRAY(bfc, arrivals, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(bfc, departures, PER_BUFFER, ASCI_RAW), ASCI_ARRAY(bfc, chunk_of, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(bfc, chunks, PER_CHUNK, ASCI_RAW),      ASCI_ARRAY(bfc, unused, PER_CHUNK, ASCI_RAW),
    ASCI_ARRAY(bfc, free, PER_CHUNK, ASCI_RAW),
};

static void destroy(asc_run *run, void *state) {
  asci_arrays_free(run->context, ASCI_TABLE(arrays), state);
  asci_free(run->context, state);
}

/* Chunks in use are at most the buffers alive at once, and no two free ones are neighbours. */
static uint32_t most_chunks(const asc_problem *problem) {
  uint32_t live = 0;
  for (uint32_t s = 0; s < problem->section_count; s++)
    if (problem->sections[s].live > live) live = problem->sections[s].live;
  return 2 * live + 2;
}

static asc_status fill(asc_run *run, void *state) {
  bfc *a = state;
  const asc_problem *problem = run->problem;
  uint32_t chunks = most_chunks(problem);
  const bfc_options *o = run->options;
  a->rounding = o->rounding;
  a->split_double = o->split == 1;
  a->last = ASC_NONE;
  const size_t counts[] = {problem->count, chunks};
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, a)) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < chunks; k++) a->unused[k] = chunks - 1 - k;
  a->unused_count = chunks;
  asc_status status = asci_greedy_sort(problem, ASCI_ORDER_ARRIVAL, a->arrivals, NULL);
  return status ? status : asci_greedy_sort(problem, ASCI_ORDER_DEPARTURE, a->departures, NULL);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(bfc), fill, destroy, state);
}

/* ---- chunks ---------------------------------------------------------------------------------------------------------- */

/* Where a chunk of that size and offset stands, or would stand, among the free ones. */
static uint32_t rank_of(const bfc *a, int64_t size, int64_t offset) {
  uint32_t low = 0, high = a->free_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const chunk *c = &a->chunks[a->free[middle]];
    if (c->size < size || (c->size == size && c->offset < offset))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void list_free(bfc *a, uint32_t number) {
  uint32_t rank = rank_of(a, a->chunks[number].size, a->chunks[number].offset);
  memmove(a->free + rank + 1, a->free + rank, (a->free_count - rank) * sizeof *a->free);
  a->free[rank] = number;
  a->free_count++;
}

static void unlist_free(bfc *a, uint32_t number) {
  uint32_t rank = rank_of(a, a->chunks[number].size, a->chunks[number].offset);
  a->free_count--;
  memmove(a->free + rank, a->free + rank + 1, (a->free_count - rank) * sizeof *a->free);
}

/* A new chunk in the chain above `below`. */
static uint32_t insert(bfc *a, uint32_t below, uint32_t above, int64_t offset, int64_t size, uint32_t owner) {
  uint32_t number = a->unused[--a->unused_count];
  a->chunks[number] = (chunk){offset, size, below, above, owner};
  if (below != ASC_NONE) a->chunks[below].above = number;
  if (above != ASC_NONE)
    a->chunks[above].below = number;
  else
    a->last = number;
  return number;
}

/* Takes a chunk out of the chain; what was its memory belongs to whoever the caller says. */
static void drop(bfc *a, uint32_t number) {
  const chunk *c = &a->chunks[number];
  if (c->below != ASC_NONE) a->chunks[c->below].above = c->above;
  if (c->above != ASC_NONE)
    a->chunks[c->above].below = c->below;
  else
    a->last = c->below;
  a->unused[a->unused_count++] = number;
}

static bool is_free(const bfc *a, uint32_t number) {
  return number != ASC_NONE && a->chunks[number].owner == ASC_NONE;
}

static void release(bfc *a, uint32_t buffer) {
  uint32_t number = a->chunk_of[buffer];
  if (number == ASC_NONE) return;
  chunk *c = &a->chunks[number];
  c->owner = ASC_NONE;
  if (is_free(a, c->above)) {
    uint32_t above = c->above;
    unlist_free(a, above);
    c->size += a->chunks[above].size;
    drop(a, above);
  }
  if (is_free(a, c->below)) {
    uint32_t below = c->below;
    unlist_free(a, below);
    c->offset = a->chunks[below].offset;
    c->size += a->chunks[below].size;
    drop(a, below);
  }
  if (c->above != ASC_NONE) {
    list_free(a, number);
  } else {
    a->top = c->offset;
    drop(a, number);
  }
}

/* Somebody arrives now, and so has not ended. */
static void release_ended(const asc_run *run, bfc *a, int64_t now) {
  while (run->problem->buffers[a->departures[a->departed]].upper <= now) release(a, a->departures[a->departed++]);
}

/* ---- placing --------------------------------------------------------------------------------------------------------- */

/* The first address from there on that suits the buffer, whatever is reserved beyond its size. */
static int64_t suited(int64_t from, const asc_buffer_spec *spec) {
  return asci_next_offset(from, spec->size, spec->alignment, spec->bank);
}

/* The smallest free chunk that holds size bytes where it suits the buffer, or ASC_NONE. */
static uint32_t find(const bfc *a, int64_t size, const asc_buffer_spec *spec) {
  for (uint32_t rank = rank_of(a, size, 0); rank < a->free_count; rank++) {
    const chunk *c = &a->chunks[a->free[rank]];
    if (suited(c->offset, spec) + size <= c->offset + c->size) return a->free[rank];
  }
  return ASC_NONE;
}

/* Gives the chunk, which is large enough, to the buffer; returns its offset. */
static int64_t carve(bfc *a, uint32_t number, uint32_t buffer, int64_t size, const asc_buffer_spec *spec) {
  unlist_free(a, number);
  chunk *c = &a->chunks[number];
  int64_t padding = suited(c->offset, spec) - c->offset;
  if (padding) {
    uint32_t rest = insert(a, c->below, number, c->offset, padding, ASC_NONE);
    list_free(a, rest);
    c->offset += padding;
    c->size -= padding;
  }
  bool split = c->size > size && (!a->split_double || c->size >= 2 * size || c->size - size >= SPLIT_ANYWAY);
  if (split) {
    uint32_t rest = insert(a, number, c->above, c->offset + size, c->size - size, ASC_NONE);
    list_free(a, rest);
    c->size = size;
  }
  c->owner = buffer;
  a->chunk_of[buffer] = number;
  return c->offset;
}

static int64_t grow(bfc *a, uint32_t buffer, int64_t size, const asc_buffer_spec *spec) {
  int64_t offset = suited(a->top, spec);
  if (offset > a->top) {
    uint32_t rest = insert(a, a->last, ASC_NONE, a->top, offset - a->top, ASC_NONE);
    list_free(a, rest);
  }
  a->chunk_of[buffer] = insert(a, a->last, ASC_NONE, offset, size, buffer);
  a->top = offset + size;
  return offset;
}

/* Places the next buffer; false if it would end beyond every address, with nothing changed. */
static bool put(asc_run *run, bfc *a) {
  uint32_t buffer = a->arrivals[a->placed];
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  int64_t size = asci_align(spec->size, a->rounding), offset = 0;
  a->chunk_of[buffer] = ASC_NONE;
  if (size) {
    uint32_t found = find(a, size, spec);
    if (found == ASC_NONE && suited(a->top, spec) > ASC_MAX_BYTES - size) return false;
    offset = found == ASC_NONE ? grow(a, buffer, size, spec) : carve(a, found, buffer, size, spec);
  }
  a->offsets[buffer] = offset;
  a->placed++;
  a->said_no = false;
  return true;
}

/* The largest free chunk, if there are free ones and none holds the next buffer. */
static const chunk *in_vain(const asc_run *run, const bfc *a) {
  const asc_buffer_spec *spec = &run->problem->buffers[a->arrivals[a->placed]];
  int64_t size = asci_align(spec->size, a->rounding);
  bool none = size && a->free_count && find(a, size, spec) == ASC_NONE;
  return none ? &a->chunks[a->free[a->free_count - 1]] : NULL;
}

static void say_no(asc_run *run, bfc *a, const chunk *largest) {
  uint32_t buffer = a->arrivals[a->placed];
  const asc_buffer_spec *spec = &run->problem->buffers[buffer];
  asci_step_other(run, ASC_EVENT_NO_FIT, buffer, largest->offset, a->placed);
  ASC_EMIT(run, NO_FIT, LINE_NO_FIT, .buffer = buffer, .offset = largest->offset, .blocker = a->chunks[largest->above].owner,
           .need = asci_align(spec->size, a->rounding), .room = largest->size);
  a->said_no = true;
}

static asc_outcome place_next(asc_run *run, bfc *a) {
  uint32_t buffer = a->arrivals[a->placed];
  int64_t top = a->top;
  if (!put(run, a)) {
    int64_t offset = suited(top, &run->problem->buffers[buffer]);
    asci_step_reject(run, ASC_RULE_CAPACITY, buffer, offset, a->placed);
    ASC_EMIT(run, REJECT, LINE_GROW, .buffer = buffer, .offset = offset, .rule = ASC_RULE_CAPACITY, .section = ASC_NONE,
             .floor = offset, .rest = run->problem->buffers[buffer].size);
    return ASC_OUTCOME_EXHAUSTED;
  }
  unsigned line = a->top > top ? LINE_GROW : LINE_CHUNK;
  run->stats.nodes++;
  asci_step_place(run, buffer, a->offsets[buffer], a->placed);
  if (asci_traced(run)) {
    uint32_t mine = a->chunk_of[buffer], below = mine == ASC_NONE ? ASC_NONE : a->chunks[mine].below;
    uint32_t support = below == ASC_NONE ? ASC_NONE : a->chunks[below].owner;
    ASC_TELL(run, PLACE, line, .buffer = buffer, .offset = a->offsets[buffer], .support = support, .of = 1);
  }
  if (a->placed < run->problem->count) return ASC_OUTCOME_RUNNING;
  return asci_greedy_finish(run, a->offsets, line);
}

static asc_outcome advance(asc_run *run, void *state) {
  bfc *a = state;
  if (a->placed == run->problem->count) return asci_greedy_finish(run, a->offsets, 0);
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) {
    release_ended(run, a, run->problem->buffers[a->arrivals[a->placed]].lower);
    const chunk *largest = a->said_no ? NULL : in_vain(run, a);
    if (largest)
      say_no(run, a, largest);
    else
      outcome = place_next(run, a);
  }
  return outcome;
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  bfc *a = state;
  view->offsets = a->offsets;
  view->stack = a->arrivals;
}

/* Places so many again, then whether the next one was told that there is no room. */
static asc_status replay(asc_run *run, bfc *a, uint32_t placed, bool said_no) {
  if (run->stats.depth != placed) return ASC_BAD_SAVE;
  while (a->placed < placed) {
    release_ended(run, a, run->problem->buffers[a->arrivals[a->placed]].lower);
    if (!put(run, a)) return ASC_BAD_SAVE;
  }
  if (!said_no) return ASC_OK;
  if (placed == run->problem->count) return ASC_BAD_SAVE;
  release_ended(run, a, run->problem->buffers[a->arrivals[a->placed]].lower);
  if (!in_vain(run, a)) return ASC_BAD_SAVE;
  a->said_no = true;
  return ASC_OK;
}

/* The count alone: what came before follows from the rule. */
static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  bfc *a = state;
  uint32_t placed = a->placed;
  bool said_no = a->said_no;
  ASCI_KEEP(saver, placed, run->problem->count);
  ASCI_KEEP(saver, said_no, 1);
  return asci_loaded(saver) ? replay(run, a, placed, said_no) : asci_kept(saver);
}

const asci_solver asci_solver_bfc = {
    .info = {.id = "bfc",
             .title = "Best fit online",
             .paper = "TensorFlow, bfc_allocator.cc",
             .summary = "An allocator at run time: buffers come by start, the smallest free chunk that holds one is taken, "
                        "ends are freed.",
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_BANKS,
             .complete = false,
             ASCI_TAKES_INFO(bfc_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(bfc_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
