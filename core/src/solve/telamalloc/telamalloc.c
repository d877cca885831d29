/* TelaMalloc as a solver of the engine: its options, its making. The search is in search.c; README.md teaches it. */
#include "search.h"

static const asc_option options[] = {
    {"placement", ASC_OPTION_CHOICE, "Placement", "solver", 0, 0, "solver|skyline",
     "Where a buffer goes: the solver's lowest feasible position (5.2), or on the skyline of what is placed."},
    {"heuristics", ASC_OPTION_CHOICE, "Heuristics", "LSA", 0, 0, "LSA|SAL|ALS|LAS|SLA|ASL|L|S|A",
     "Who proposes candidates, in order: longest Lifetime, largest Size, largest Area (5.1)."},
    {"phases", ASC_OPTION_BOOL, "Phases", "true", 0, 0, NULL,
     "Group buffers by contention and place those of high contention first (5.3)."},
    {"phase_step", ASC_OPTION_INT, "Phase step", "0", 0, 50, NULL,
     "How far the threshold of contention falls at a time, in percent of the capacity; 0: to the next value there is."},
    {"split", ASC_OPTION_BOOL, "Split", "true", 0, 0, NULL,
     "Solve what no buffer joins in time as independent subproblems (5.3)."},
    {"backtrack", ASC_OPTION_CHOICE, "Major backtrack", "conflict", 0, 0, "conflict|fixed",
     "How far: to the second-to-last conflicting placement (5.4), or a fixed number of levels."},
    {"back_steps", ASC_OPTION_INT, "Fixed levels", "1", 1, 16, NULL,
     "Levels of a fixed major backtrack; the paper had 1 or 2."},
    {"promotion", ASC_OPTION_BOOL, "Promotion", "true", 0, 0, NULL,
     "Prepend the candidates of a point that failed to those of the point gone back to (5.4)."},
    {"candidates", ASC_OPTION_INT, "Candidates", "16", 1, 64, NULL,
     "Most candidates that wait at a decision point; the paper bounds them and names no number."},
    {"stuck_limit", ASC_OPTION_INT, "Stuck after", "100", 0, 1000000, NULL,
     "Backtracks in the subtree of a decision point after which the search goes back to it (5.4); 0: never."},
    {"stuck_counts", ASC_OPTION_CHOICE, "Stuck counts", "all", 0, 0, "all|major",
     "Which backtracks count for that: minor and major, or major alone."},
    {"heuristic_first", ASC_OPTION_BOOL, "Heuristic first", "false", 0, 0, NULL,
     "Run the contention skyline first and search only if its plan is too high, as on Pixel 6 (5.6)."},
    {"restarts", ASC_OPTION_INT, "Restarts", "0", 0, 1000, NULL,
     "How often a subproblem that ran out of moves starts again, heuristics rotated. Not in the paper."},
};

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

static void destroy(asc_run *run, void *state) {
  tela_search *s = state;
  asc_context *context = run->context;
  asci_tela_heuristic_end(s);
  asci_tela_base_free(&s->base);
  for (uint32_t h = 0; h < TELA_HEURISTIC_COUNT; h++) {
    asci_free(context, s->order[h]);
    asci_free(context, s->rank[h]);
    asci_free(context, s->cursor[h]);
  }
  void *blocks[] = {s->phase,      s->phase_begin, s->parts,   s->left, s->points,
                    s->candidates, s->conflicts,   s->scratch, s->flags};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) asci_free(context, blocks[k]);
  asci_free(context, s);
}

static void read_options(tela_search *s, const asc_run *run) {
  for (const char *letter = asci_option_text(run, TELA_HEURISTICS); *letter; letter++)
    s->heuristics[s->heuristic_count++] = *letter == 'L' ? TELA_LIFETIME : *letter == 'S' ? TELA_SIZE : TELA_AREA;
  s->policy = (tela_policy)asci_option_choice(run, TELA_BACKTRACK);
  s->back_steps = (uint32_t)asci_option_int(run, TELA_BACK_STEPS);
  s->most_candidates = (uint32_t)asci_option_int(run, TELA_CANDIDATES);
  s->most_restarts = (uint32_t)asci_option_int(run, TELA_RESTARTS);
  s->limit = s->first_limit = (uint64_t)asci_option_int(run, TELA_STUCK_LIMIT);
  s->promotion = asci_option_bool(run, TELA_PROMOTION);
  s->majors_only = asci_option_choice(run, TELA_STUCK_COUNTS) == 1;
}

static asc_status fill(asc_run *run, void *state) {
  tela_search *s = state;
  size_t n = run->problem->count;
  asc_status status = asci_tela_base(&s->base, run, asci_option_choice(run, TELA_PLACEMENT) == 1);
  if (status) return status;
  read_options(s, run);
  s->points = asci_calloc(run->context, n + 1, sizeof *s->points);
  s->scratch = asci_alloc(run->context, n, sizeof *s->scratch);
  s->flags = asci_calloc(run->context, n, sizeof *s->flags);
  if (!s->points || !s->scratch || !s->flags || !asci_tela_phases(s)) return ASC_OUT_OF_MEMORY;
  bool first = asci_option_bool(run, TELA_HEURISTIC_FIRST) && asci_tela_heuristic_fits(run->problem);
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
            .options = options,
            .option_count = sizeof options / sizeof *options,
            .pseudocode = pseudocode,
        },
    .create = create,
    .destroy = destroy,
    .introduce = introduce,
    .advance = asci_tela_advance,
    .view = view,
    .save = asci_tela_save,
    .load = asci_tela_load,
};
