/* MiniMalloc as a solver of the engine: its options, its making, its view. The search is in steps.c; README.md teaches it. */
#include "search.h"

#include "base/arrays.h"
#include "base/diag.h"

#include <string.h>

ASCI_OPTION_TABLE(mm_options, MM_OPTIONS);

static const char pseudocode[] = "search(min offset m, min index p):\n"
                                 "  for b in unplaced, by (offset, order):\n"
                                 "    if (offset, order) < (m, p): skip\n"
                                 "    if offset \xe2\x89\xa5 least top: skip\n"
                                 "    place b at its min offset\n"
                                 "    raise min offsets and floors\n"
                                 "    if some floor + rest > capacity:\n"
                                 "      take b back; continue\n"
                                 "    if search(\xe2\x80\xa6): return true\n"
                                 "    take b back\n"
                                 "    if b is hatless: break\n"
                                 "  return false\n";

/* ---- making ---------------------------------------------------------------------------------------------------------- */

enum { PER_BUFFER, PER_SECTION, PER_CUT, PER_WORD, PER_NODE };

static const asci_array arrays[] = {
    ASCI_ARRAY(mm_search, least, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, offset, PER_BUFFER, ASCI_ONES),
    ASCI_ARRAY(mm_search, size, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, placed, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, position, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, effect.stays, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, key_total, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, scratch, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, sorted, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, tried, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, candidates, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, new_least, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, rises, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, weightless, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, effect.raises, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(mm_search, floor, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, total, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, cuts, PER_CUT, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, needed, PER_WORD, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, new_floor, PER_SECTION, ASCI_RAW),
    ASCI_ARRAY(mm_search, tree, PER_NODE, ASCI_RAW),
    ASCI_ARRAY(mm_search, new_total, PER_SECTION, ASCI_RAW),
    ASCI_ARRAY(mm_search, touched, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(mm_search, piece_of, PER_SECTION, ASCI_RAW),
    ASCI_ARRAY(mm_search, effect.floors, PER_SECTION, ASCI_RAW),
    ASCI_OWN(mm_search, frames),
    ASCI_OWN(mm_search, parts),
    ASCI_OWN(mm_search, lists),
    ASCI_OWN(mm_search, members),
    ASCI_OWN(mm_search, raises),
    ASCI_OWN(mm_search, floors),
};

static void destroy(asc_run *run, void *state) {
  mm_search *s = state;
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_mm_free_sections(s);
  asci_free(run->context, s);
}

static asc_status parse_arms(mm_search *s, asc_diag *diag) {
  const char *text = s->options.preordering_heuristics;
  while (true) {
    size_t length = strcspn(text, ",");
    if (!asci_mm_valid_heuristic(text, length) || s->arm_count == MAX_ARMS)
      return asci_complain(
          diag, ASC_BAD_OPTION, asci_option_name(s->run, offsetof(mm_options, preordering_heuristics)),
          "has \xe2\x80\x9c%.*s\xe2\x80\x9d, expected 1 to 64 orders of 1 to 8 letters of ACLOTUWZ, parted by commas",
          (int)(length < 32 ? length : 32), text);
    memcpy(s->arms[s->arm_count++], text, length);
    if (!text[length]) return ASC_OK;
    text += length + 1;
  }
}

static void read_options(mm_search *s) {
  s->options = *(const mm_options *)s->run->options;
  const mm_options *o = &s->options;
  /* Two cases in which running out of moves proves nothing. With windows a buffer may lie inside another's, which this search never
     tries. Without dynamic ordering a hatless buffer can be tried before one that belongs below it; monotonicity then fails the
     branch, and hatless pruning would drop the sibling that leads to the packing. (With decomposition a hatless buffer is alone in
     its part, so that nothing is dropped; but with gaps others may rest beside it there.) */
  bool alone = o->dynamic_decomposition && !s->problem->has_gaps;
  bool hatless_drops = o->hatless_pruning && !o->dynamic_ordering && !alone && (o->canonical_only || o->monotonic_floor);
  s->proof = !s->problem->has_windows && !hatless_drops;
}

static bool make(mm_search *s) {
  const asc_problem *problem = s->problem;
  uint32_t n = problem->count;
  s->general = problem->has_gaps || problem->has_fixed || problem->has_alignment || problem->has_banks;
  if (!asci_mm_make_sections(s)) return false;
  const size_t sections = s->section_count, counts[] = {n, sections, sections + 1, s->words, 2 * sections};
  if (!asci_arrays_new(s->run->context, ASCI_TABLE(arrays), counts, s)) return false;
  for (uint32_t b = 0; b < n; b++) {
    s->size[b] = problem->buffers[b].size;
    s->least[b] = problem->buffers[b].offset == ASC_UNPLACED ? 0 : problem->buffers[b].offset;
    if (!s->span[b].end) s->weightless[s->weightless_count++] = b;
  }
  s->unlimited = s->arm_count == 1;
  s->limit = n;
  return true;
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  mm_search *s = asci_calloc(run->context, 1, sizeof *s);
  if (!s) return ASC_OUT_OF_MEMORY;
  s->run = run;
  s->problem = run->problem;
  read_options(s);
  asc_status status = parse_arms(s, diag);
  if (!status && !make(s)) status = ASC_OUT_OF_MEMORY;
  if (status)
    destroy(run, s);
  else
    *state = s;
  return status;
}

/* ---- looking --------------------------------------------------------------------------------------------------------- */

static void view(asc_run *run, void *state, asc_run_view *view) {
  mm_search *s = state;
  (void)run;
  uint32_t level = 0;
  for (; level < s->base; level++) s->tried[level] = s->candidates[level] = 1;
  for (size_t k = 1; k < s->frame_count && level < s->depth; k++) {
    const mm_frame *f = &s->frames[k];
    if (!f->placed) continue;
    s->tried[level] = f->next;
    s->candidates[level] = f->count;
    level++;
  }
  const mm_frame *top = s->started ? &s->frames[s->frame_count - 1] : NULL;
  if (top && !top->placed) {
    view->open_tried = top->next;
    view->open_candidates = top->count;
  }
  view->offsets = s->offset;
  view->min_offsets = s->least;
  view->stack = s->placed;
  view->tried = s->tried;
  view->candidates = s->candidates;
}

const asci_solver asci_solver_minimalloc = {
    .info =
        {
            .id = "minimalloc",
            .title = "MiniMalloc",
            .paper = "ASPLOS 2023",
            .summary = "Depth-first search over canonical packings, lowest offset first, with section bounds and dominance.",
            .supports =
                ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS,
            .complete = true,
            .incomplete_with = ASC_SUPPORTS_WINDOWS,
            ASCI_TAKES_INFO(mm_options),
            .pseudocode = pseudocode,
        },
    ASCI_TAKES(mm_options),
    .create = create,
    .destroy = destroy,
    .advance = asci_mm_advance,
    .view = view,
    .keep = asci_mm_keep,
};
