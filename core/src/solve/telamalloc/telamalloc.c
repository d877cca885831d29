/* TelaMalloc as a solver of the engine: its options, its making. The search is in search.c; README.md teaches it. */
#include "search.h"

#include "base/arrays.h"

ASCI_OPTION_TABLE(tela_options, TELA_OPTIONS);

static const char pseudocode[] = "if asked: try the contention heuristic\n"
                                 "group blocks by contention into phases\n"
                                 "until all blocks are placed:\n"
                                 "  candidates: longest, largest, most area\n"
                                 "  place the next at its lowest position\n"
                                 "  if unsatisfiable: take it back (minor)\n"
                                 "  else: go on at a new decision point\n"
                                 "  none left: to 2nd-last conflict (major)\n"
                                 "    prepend the candidates there\n"
                                 "  stuck in a subtree: back to its root\n"
                                 "done\n";

enum { PER_BUFFER, PER_LEVEL };

static const asci_array arrays[] = {
    ASCI_ARRAY(tela_search, points, PER_LEVEL, ASCI_ZEROS),
    ASCI_ARRAY(tela_search, scratch, PER_BUFFER, ASCI_RAW),
    ASCI_ARRAY(tela_search, flags, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(tela_search, blamed, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(tela_search, scores, PER_BUFFER, ASCI_RAW),
    ASCI_OWN(tela_search, candidates),
    ASCI_OWN(tela_search, conflicts),
};

static void destroy(asc_run *run, void *state) {
  tela_search *s = state;
  asci_tela_heuristic_end(s);
  asci_tela_base_free(&s->base);
  asci_tela_phases_free(s);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), s);
  asci_free(run->context, s);
}

/* The letters of the chosen order. */
static void read_heuristics(tela_search *s, uint32_t chosen) {
  for (const char *letter = asci_choice(TELA_HEURISTIC_ORDERS, chosen); *letter && *letter != '|'; letter++)
    s->heuristics[s->heuristic_count++] = *letter == 'L' ? TELA_LIFETIME : *letter == 'S' ? TELA_SIZE : TELA_AREA;
}

static asc_status fill(asc_run *run, void *state) {
  tela_search *s = state;
  const size_t counts[] = {run->problem->count, (size_t)run->problem->count + 1};
  s->options = *(const tela_options *)run->options;
  asc_status status = asci_tela_base(&s->base, run, s->options.placement == TELA_ON_SKYLINE);
  if (status) return status;
  read_heuristics(s, s->options.heuristics);
  s->limit = (uint64_t)s->options.stuck_limit;
  s->rng.state = run->seed;
  if (!asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, s) || !asci_tela_phases(s)) return ASC_OUT_OF_MEMORY;
  bool first = s->options.heuristic_first && asci_tela_heuristic_fits(run->problem);
  if (first) return asci_tela_heuristic_new(s);
  return asci_tela_may_start(s) && !asci_tela_open_part(s) ? ASC_OUT_OF_MEMORY : ASC_OK;
}

/* The candidates of the first decision point. */
static void introduce(asc_run *run, void *state) {
  const tela_search *s = state;
  (void)run;
  if (s->opened) asci_tela_tell_point(s);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  return asci_tela_created(asci_state_new(run, sizeof(tela_search), fill, destroy, state), diag);
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  tela_search *s = state;
  view->phases = s->phase;
  if (s->heuristic) {
    asci_solver_contention.view(run, s->heuristic, view);
    return;
  }
  for (uint32_t level = 0; level < s->base.depth; level++) {
    const tela_point *p = &s->points[level];
    s->base.tried[level] = p->count ? p->next : 1;
    s->base.candidates[level] = p->count ? p->count : 1;
  }
  if (s->opened) {
    view->open_tried = s->points[s->base.depth].next;
    view->open_candidates = s->points[s->base.depth].count;
  }
  asci_tela_view(&s->base, view);
}

const asci_solver asci_solver_telamalloc = {
    .info =
        {
            .id = "telamalloc",
            .title = "TelaMalloc",
            .paper = "ASPLOS 2023",
            .summary =
                "Heuristics choose the next buffer, a constraint solver its position, and says whom to blame when it fails.",
            .supports =
                ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_FIXED | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS,
            .complete = false,
            .refutes = true,
            ASCI_TAKES_INFO(tela_options),
            .pseudocode = pseudocode,
        },
    ASCI_TAKES(tela_options),
    .create = create,
    .destroy = destroy,
    .introduce = introduce,
    .advance = asci_tela_advance,
    .view = view,
    .keep = asci_tela_keep,
};
