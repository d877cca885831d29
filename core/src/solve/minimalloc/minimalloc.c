/* MiniMalloc as a solver of the engine: its options, its making, its view. The search is in steps.c; README.md teaches it. */
#include "search.h"

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

static void destroy(asc_run *run, void *state) {
  mm_search *s = state;
  asc_context *context = run->context;
  void *const blocks[] = {s->exact_section, s->span,   s->piece_first, s->piece_end,  s->initial_total, s->initial_cuts,
                          s->overlap_count, s->least,  s->offset,      s->floor,      s->total,         s->size,
                          s->cuts,          s->placed, s->frames,      s->parts,      s->lists,         s->members,
                          s->raises,        s->floors, s->needed,      s->below,      s->key_total,     s->scratch,
                          s->sorted,        s->tried,  s->candidates,  s->new_least,  s->new_floor,     s->new_total,
                          s->touched,       s->rises,  s->piece_of,    s->weightless, s->effect.raises, s->effect.floors,
                          s->tree};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  asci_overlaps_free(s->problem, &s->overlaps);
  asci_free(context, s);
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
     its part, so that nothing is dropped.) */
  bool hatless_drops =
      o->hatless_pruning && !o->dynamic_ordering && !o->dynamic_decomposition && (o->canonical_only || o->monotonic_floor);
  s->proof = !s->problem->has_windows && !hatless_drops;
}

static bool alloc_buffers(mm_search *s, asc_context *context, size_t n) {
  s->least = asci_calloc(context, n, sizeof *s->least);
  s->offset = asci_alloc(context, n, sizeof *s->offset);
  s->size = asci_alloc(context, n, sizeof *s->size);
  s->placed = asci_alloc(context, n, sizeof *s->placed);
  s->below = asci_alloc(context, n, sizeof *s->below);
  s->key_total = asci_alloc(context, n, sizeof *s->key_total);
  s->scratch = asci_alloc(context, n, sizeof *s->scratch);
  s->sorted = asci_alloc(context, n, sizeof *s->sorted);
  s->tried = asci_alloc(context, n, sizeof *s->tried);
  s->candidates = asci_alloc(context, n, sizeof *s->candidates);
  s->new_least = asci_alloc(context, n, sizeof *s->new_least);
  s->rises = asci_calloc(context, n, sizeof *s->rises);
  s->weightless = asci_alloc(context, n, sizeof *s->weightless);
  s->effect.raises = asci_alloc(context, n, sizeof *s->effect.raises);
  return s->least && s->offset && s->size && s->placed && s->below && s->key_total && s->scratch && s->sorted && s->tried &&
         s->candidates && s->new_least && s->rises && s->weightless && s->effect.raises;
}

static bool alloc_state(mm_search *s, asc_context *context, size_t sections) {
  s->floor = asci_calloc(context, sections, sizeof *s->floor);
  s->total = asci_calloc(context, sections, sizeof *s->total);
  s->cuts = asci_calloc(context, sections + 1, sizeof *s->cuts);
  s->needed = asci_calloc(context, s->words, sizeof *s->needed);
  s->new_floor = asci_alloc(context, sections, sizeof *s->new_floor);
  s->tree = asci_alloc(context, 2 * sections, sizeof *s->tree);
  s->new_total = asci_alloc(context, sections, sizeof *s->new_total);
  s->touched = asci_calloc(context, sections, sizeof *s->touched);
  s->piece_of = asci_alloc(context, sections, sizeof *s->piece_of);
  s->effect.floors = asci_alloc(context, sections, sizeof *s->effect.floors);
  return s->floor && s->total && s->cuts && s->needed && s->new_floor && s->new_total && s->tree && s->touched &&
         s->piece_of && s->effect.floors;
}

static bool make(mm_search *s) {
  const asc_problem *problem = s->problem;
  uint32_t n = problem->count;
  s->general = problem->has_gaps || problem->has_fixed || problem->has_alignment || problem->has_banks;
  if (!asci_mm_make_sections(s) || !alloc_buffers(s, s->run->context, n) ||
      !alloc_state(s, s->run->context, s->section_count))
    return false;
  for (uint32_t b = 0; b < n; b++) {
    s->size[b] = problem->buffers[b].size;
    s->offset[b] = ASC_UNPLACED;
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
            ASCI_TAKES_INFO(mm_options),
            .pseudocode = pseudocode,
        },
    ASCI_TAKES(mm_options),
    .create = create,
    .destroy = destroy,
    .advance = asci_mm_advance,
    .view = view,
    .save = asci_mm_save,
    .load = asci_mm_load,
};
