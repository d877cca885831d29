/* taa-exact: the lowest plan of tensors with tiles, and the proof that there is none lower.
 *
 * Tables: for each pair of tensors the differences of their offsets at which chunks of them collide (tables.h), worked out a part a step. All that
 * follows goes by these.
 * Orders: first, tensors are placed in the orders of taa, one by one.
 * Then in rounds, each with more effort than the one before:
 *   windows: so many tensors that follow each other in time alone, by branch and bound (branch.h). What they need at least, all need. Three or four
 *            are enough for most networks.
 *   all:     the same with all tensors. A plan that it finds is one of the problem; that it finds none is the proof.
 *   swaps:   a local search over orders (swaps.h), which begins with the best one.
 * A round whose windows would have all tensors is the last: its branch and bound has no limit.
 *
 * Windows are those of the order `forward`, from its begin on; sizes are 3, 4, 6, 8, 12, ... A search of a window that found a plan goes on below it,
 * and ends as soon as it is no higher than what is proved already.
 *
 * Complexity: exponential in tensors that interleave. A node costs O(pairs log ranges).
 * Source: tiles and collisions are those of Kvochko et al. 2024, who place by orders alone. */
#include "base/arrays.h"
#include "solve/taa/branch.h"
#include "solve/taa/orders.h"
#include "solve/taa/swaps.h"

#define TAA_EXACT_OPTIONS(X, T) \
  ASCI_TAA_ORDER_OPTIONS(X, T) \
  X(T, BOOL, windows, "Windows", "true", \
    "Prove what a few tensors that follow each other need alone, before all are searched.") \
  X(T, INT, swaps, "Swaps", "200", 0, 1000000, \
    "Orders tried in the first round of the local search; twice as many in each later one.")
ASCI_OPTION_VALUES(taa_exact_options, TAA_EXACT_OPTIONS);
ASCI_OPTION_TABLE(taa_exact_options, TAA_EXACT_OPTIONS);

enum {
  LINE_TABLES = ASCI_TAA_LINES + 1,
  LINE_SWAP,
  LINE_WINDOW,
  LINE_PAIR,
  LINE_LIFT,
  LINE_BACK,
  LINE_PROVED,
};

static const char pseudocode[] = ASCI_TAA_ORDER_LINES "before that: where do each two collide?\n"
                                                      "swap two in its order; keep that if no higher\n"
                                                      "for windows of 3, 4, 6, … tensors, then for all:\n"
                                                      "  the pair of them that collides worst:\n"
                                                      "    one goes past the other; who rests on it too\n"
                                                      "    no room below the plan: back, the other way\n"
                                                      "  every way tried: no plan is lower\n";

#define WINDOW_NODES 256u /* of one window in the first round; */
#define ALL_NODES 4096u   /* of all tensors */
#define MOST_ROUNDS 26u   /* doubled no more often than that */

typedef enum part { PART_TABLES, PART_ORDERS, PART_WINDOWS, PART_ALL, PART_SWAPS } part;

/* How the search of a window ended. */
typedef enum ending { ENDING_PROVED, ENDING_GIVEN_UP, ENDING_NOTHING } ending;

typedef struct taa_exact {
  asci_taa_tiles tiles;
  asci_taa_tables tables;
  asci_taa_orders orders;
  asci_taa_swaps swaps;
  asci_taa_branch branch;
  uint32_t *forward; /* buffers in the order of windows */
  int64_t *before;   /* offsets that a step changes, for its event; none while tables are made */
  part part;
  uint64_t tabled; /* steps that made tables */
  uint32_t round;
  uint32_t nth;    /* size of windows, the how manyeth */
  uint32_t next;   /* the window to be begun next: the one before it is the last that was */
  bool ordered;    /* the orders have all been placed */
  bool closed;     /* the window's search has ended and was told */
  ending ending;   /* how, if its stage is DONE */
  uint64_t opened; /* decisions in it */
  uint64_t left;   /* decisions or swaps that it may take still */
  int64_t most;    /* its limit when it began */
} taa_exact;

static const asci_array arrays[] = {
    ASCI_ARRAY(taa_exact, before, 0, ASCI_ONES),
    ASCI_ARRAY(taa_exact, forward, 0, ASCI_ZEROS),
};

static void drop_search(asc_run *run, taa_exact *e) {
  asci_taa_branch_free(&e->branch);
  asci_taa_swaps_free(&e->swaps);
  asci_taa_orders_free(run, &e->orders);
  e->branch = (asci_taa_branch){0};
  e->swaps = (asci_taa_swaps){0};
  e->orders = (asci_taa_orders){0};
}

static void destroy(asc_run *run, void *state) {
  taa_exact *e = state;
  drop_search(run, e);
  asci_taa_tables_free(run->context, &e->tables);
  asci_taa_tiles_free(run->context, &e->tiles);
  asci_arrays_free(run->context, ASCI_TABLE(arrays), e);
  asci_free(run->context, e);
  run->conflict = NULL;
  run->conflict_count = 0;
}

/* The tables are made: the search begins with the orders. Without memory it stays at the tables, which can be shown. */
static asc_status begin_search(asc_run *run, taa_exact *e) {
  const taa_exact_options *o = run->options;
  drop_search(run, e);
  e->ordered = false;
  e->closed = true;
  asc_status status = asci_taa_orders_new(run, o->order, o->as_printed, &e->tiles, &e->tables, &e->orders);
  if (!status) status = asci_taa_swaps_new(run->problem, &e->tables, run->seed, &e->swaps);
  if (!status) status = asci_taa_branch_new(run->problem, &e->tables, &e->branch);
  if (!status) e->part = PART_ORDERS;
  return status;
}

static asc_status fill(asc_run *run, void *state) {
  taa_exact *e = state;
  const asc_problem *problem = run->problem;
  const size_t counts[] = {problem->count};
  asc_status status = asci_taa_tiles_new(problem, &e->tiles);
  if (!status) status = asci_taa_tables_new(problem, &e->tiles, &e->tables);
  if (!status && !asci_arrays_new(run->context, ASCI_TABLE(arrays), counts, e)) status = ASC_OUT_OF_MEMORY;
  if (!status) status = asci_taa_sort(problem, ASCI_TAA_FORWARD, e->forward);
  return status || e->tables.making ? status : begin_search(run, e);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(taa_exact), fill, destroy, state);
}

/* ---- what there is to do --------------------------------------------------------------------------------------------- */

static uint32_t doublings(const taa_exact *e) {
  return e->round < MOST_ROUNDS ? e->round : MOST_ROUNDS;
}

/* 3, 4, 6, 8, 12, 16, ... */
static uint64_t window_size(uint32_t nth) {
  return (UINT64_C(3) + nth % 2) << nth / 2;
}

static bool is_last_round(const asc_run *run, const taa_exact *e) {
  return window_size(e->round + 1) >= run->problem->count;
}

static uint32_t window_count(const asc_run *run, const taa_exact *e) {
  return e->part == PART_ALL ? run->problem->count : (uint32_t)window_size(e->nth);
}

/* A plan is lower than that: minimising, than the best one. */
static int64_t limit_of(const asc_run *run) {
  int64_t most = asci_minimises(run) ? ASC_MAX_BYTES : run->capacity;
  return asci_minimises(run) && run->stats.height >= 0 ? run->stats.height : most + 1;
}

/* Tensors alone that need no more than that prove nothing. */
static int64_t known(const asc_run *run) {
  return asci_minimises(run) ? run->stats.lower_bound : run->capacity;
}

/* What the best plan comes to. */
static asc_outcome outcome_of_plan(const asc_run *run) {
  bool there = run->stats.height >= 0;
  if (asci_minimises(run))
    return there && run->stats.height <= run->stats.lower_bound ? ASC_OUTCOME_OPTIMAL : ASC_OUTCOME_RUNNING;
  return there && run->stats.height <= run->capacity ? ASC_OUTCOME_FEASIBLE : ASC_OUTCOME_RUNNING;
}

static void list_members(asc_run *run, const asci_taa_branch *b) {
  for (uint32_t k = 0; asci_traced(run) && k < b->count; k++) asci_event_list(run, b->members[k]);
}

/* ---- a search in a window -------------------------------------------------------------------------------------------- */

/* The least offsets of this node are a plan: of all, or of the window alone. */
static asc_outcome take_plan(asc_run *run, taa_exact *e) {
  asci_taa_branch *b = &e->branch;
  b->limit = asci_taa_branch_height(b);
  b->chosen = false;
  if (e->part == PART_ALL) {
    for (uint32_t k = 0; k < run->problem->count; k++) run->best[k] = b->offsets[k];
    ASC_EMIT(run, INCUMBENT, LINE_PROVED, .height = b->limit);
    return asci_incumbent(run) ? ASC_OUTCOME_OUT_OF_MEMORY : outcome_of_plan(run);
  }
  if (b->limit > known(run)) return ASC_OUTCOME_RUNNING;
  asci_taa_branch_end(b);
  e->ending = ENDING_NOTHING;
  return ASC_OUTCOME_RUNNING;
}

static asc_outcome look(asc_run *run, taa_exact *e) {
  return asci_taa_branch_look(&e->branch)->sight == ASCI_TAA_PLAN ? take_plan(run, e) : ASC_OUTCOME_RUNNING;
}

static asc_outcome begin_window(asc_run *run, taa_exact *e) {
  uint32_t count = window_count(run, e);
  e->closed = false;
  e->ending = ENDING_PROVED;
  e->opened = 0;
  e->most = limit_of(run);
  e->left = (uint64_t)WINDOW_NODES << doublings(e);
  if (e->part == PART_ALL) e->left = is_last_round(run, e) ? UINT64_MAX : (uint64_t)ALL_NODES << 2 * doublings(e);
  uint32_t first = e->next++;
  asci_taa_branch_begin(&e->branch, e->forward + first, count, e->most);
  asci_step_other(run, ASC_EVENT_WINDOW, e->forward[first], e->most, count);
  ASC_EMIT(run, WINDOW, LINE_WINDOW, .limit = e->most, .nth = e->next, .of = run->problem->count - count + 1,
           .nodes = e->left == UINT64_MAX ? 0 : (int64_t)e->left);
  list_members(run, &e->branch);
  return look(run, e);
}

/* A decision that stands. at: where its two tensors were before it. */
static void tell_lift(asc_run *run, const taa_exact *e, const int64_t at[2]) {
  const asci_taa_branch *b = &e->branch;
  const asci_taa_lift *lift = &b->lifts[b->depth - 1];
  if (!asci_traced(run)) return;
  ASC_TELL(run, LIFT, LINE_LIFT, .buffer = lift->t, .offset = b->offsets[lift->t], .other = lift->s, .level = b->depth,
           .height = asci_taa_branch_height(b), .again = lift->second);
  for (size_t k = lift->changes; k < b->change_count; k++)
    if (b->changes[k].buffer != lift->t) asci_event_list(run, b->changes[k].buffer);
  asci_taa_clash clash = asci_taa_find_clash(&e->tiles, lift->s, at[0], lift->t, at[1]);
  ASC_TELL(run, CLASH, LINE_PAIR, .buffer = lift->t, .other = lift->s, .section = clash.section, .address = clash.address,
           .from = at[1], .base = at[0]);
}

static asc_outcome decide(asc_run *run, taa_exact *e) {
  asci_taa_branch *b = &e->branch;
  bool opens = b->stage == ASCI_TAA_LOOK;
  uint32_t pair_number = opens ? b->choice.pair : b->lifts[b->depth - 1].pair;
  const asci_taa_pair *pair = &e->tables.pairs[pair_number];
  int64_t u = b->offsets[pair->u], v = b->offsets[pair->v];
  asci_taa_choice choice = b->choice;
  asci_taa_ending ended = opens ? asci_taa_branch_open(b, &choice) : asci_taa_branch_turn(b);
  if (ended == ASCI_TAA_NO_MEMORY) return ASC_OUTCOME_OUT_OF_MEMORY;
  const asci_taa_lift *lift = &b->lifts[b->depth - 1];
  run->stats.nodes += opens;
  e->opened++;
  e->left -= e->left != UINT64_MAX;
  if (ended == ASCI_TAA_FAILS) {
    int64_t at = b->failed_at < ASC_MAX_BYTES ? b->failed_at : ASC_MAX_BYTES;
    asci_step_other(run, ASC_EVENT_NO_LIFT, lift->t, at, b->count);
    ASC_EMIT(run, NO_LIFT, LINE_BACK, .buffer = lift->t, .other = lift->s, .blocked = b->failed, .offset = at,
             .again = lift->second);
    return ASC_OUTCOME_RUNNING;
  }
  asci_step_other(run, ASC_EVENT_LIFT, lift->t, b->offsets[lift->t], b->count);
  tell_lift(run, e, lift->down ? (const int64_t[]){v, u} : (const int64_t[]){u, v});
  return look(run, e);
}

static asc_outcome go_back(asc_run *run, taa_exact *e) {
  asci_taa_branch *b = &e->branch;
  uint32_t from = b->depth;
  for (uint32_t k = 0; asci_traced(run) && k < b->count; k++) e->before[b->members[k]] = b->offsets[b->members[k]];
  asci_taa_branch_back(b);
  bool open = b->stage == ASCI_TAA_SECOND;
  const asci_taa_lift *lift = open ? &b->lifts[b->depth - 1] : NULL;
  run->stats.backtracks++;
  asci_step_other(run, ASC_EVENT_DROP, lift ? lift->t : ASC_NONE, b->depth, b->count);
  ASC_EMIT(run, DROP, LINE_BACK, .buffer = lift ? lift->t : ASC_NONE, .other = lift ? lift->s : ASC_NONE,
           .count = from - b->depth + open, .level = b->depth - open, .limit = b->limit);
  for (uint32_t k = 0; asci_traced(run) && k < b->count; k++)
    if (e->before[b->members[k]] != b->offsets[b->members[k]]) asci_event_list(run, b->members[k]);
  return ASC_OUTCOME_RUNNING;
}

/* What the search in the window has shown: its tensors cannot lie below the limit. */
static asc_outcome draw_conclusion(asc_run *run, const taa_exact *e) {
  const asci_taa_branch *b = &e->branch;
  if (e->ending != ENDING_PROVED) return ASC_OUTCOME_RUNNING;
  bool refuted = !asci_minimises(run) || b->limit > ASC_MAX_BYTES;
  if (!refuted) {
    asci_raise_bound(run, b->limit);
    return outcome_of_plan(run);
  }
  run->stats.height = run->stats.cost = -1; /* of an order, above the capacity */
  run->conflict = b->members;
  run->conflict_count = b->count;
  return ASC_OUTCOME_INFEASIBLE;
}

static asc_outcome close_window(asc_run *run, taa_exact *e) {
  const asci_taa_branch *b = &e->branch;
  e->closed = true;
  asci_step_other(run, ASC_EVENT_PROOF, b->members[0], b->limit, b->count);
  asc_outcome outcome = draw_conclusion(run, e);
  ASC_EMIT(run, PROOF, LINE_PROVED, .least = b->limit, .how = e->ending, .nodes = (int64_t)e->opened,
           .lower = run->stats.lower_bound, .upper = run->stats.height);
  list_members(run, b);
  return outcome;
}

static asc_outcome search(asc_run *run, taa_exact *e) {
  asci_taa_branch *b = &e->branch;
  bool way = b->stage == ASCI_TAA_SECOND;
  if (b->stage == ASCI_TAA_LOOK) way = asci_taa_branch_look(b)->sight == ASCI_TAA_PAIR;
  bool over = b->stage == ASCI_TAA_DONE || (!way && !b->depth);
  if (!over && way && !e->left) {
    e->ending = ENDING_GIVEN_UP;
    over = true;
  }
  if (over) asci_taa_branch_end(b);
  return over ? close_window(run, e) : way ? decide(run, e) : go_back(run, e);
}

/* ---- rounds ---------------------------------------------------------------------------------------------------------- */

static void begin_round(taa_exact *e, uint32_t round) {
  e->part = PART_WINDOWS;
  e->round = round;
  e->nth = round ? round + 1 : 0;
  e->next = 0;
}

/* Swaps begin with the order of the best plan. */
static asc_status begin_swaps(asc_run *run, taa_exact *e) {
  const taa_exact_options *o = run->options;
  e->part = PART_SWAPS;
  e->left = (uint64_t)o->swaps << doublings(e);
  if (e->swaps.height >= 0) return ASC_OK;
  bool worth = run->problem->count > 1 && e->left && e->orders.best != ASC_NONE;
  if (worth && asci_taa_sort(run->problem, (asci_taa_order)e->orders.best, e->swaps.order)) return ASC_OUT_OF_MEMORY;
  if (!worth || !asci_taa_swaps_begin(&e->swaps)) e->left = 0;
  return ASC_OK;
}

static asc_outcome swap(asc_run *run, taa_exact *e) {
  e->left--;
  asc_outcome outcome = asci_taa_swaps_step(run, &e->swaps, LINE_SWAP);
  return outcome == ASC_OUTCOME_RUNNING ? outcome_of_plan(run) : outcome;
}

/* Whether there is a window of this size that was not searched yet. */
static bool has_window(const asc_run *run, const taa_exact *e) {
  const taa_exact_options *o = run->options;
  uint64_t size = window_size(e->nth);
  return o->windows && size < run->problem->count && e->next <= run->problem->count - size;
}

static asc_outcome step(asc_run *run, taa_exact *e) {
  if (!e->closed) return search(run, e);
  for (;;) switch (e->part) {
    case PART_WINDOWS:
      if (has_window(run, e)) return begin_window(run, e);
      e->next = 0;
      if (e->nth < e->round + 1)
        e->nth++;
      else
        e->part = PART_ALL;
      break;
    case PART_ALL:
      if (!e->next) return begin_window(run, e);
      if (begin_swaps(run, e)) return ASC_OUTCOME_OUT_OF_MEMORY;
      break;
    case PART_SWAPS:
      if (e->left) return swap(run, e);
      begin_round(e, e->round + 1);
      break;
    default: /* the orders, which have been placed */
      begin_round(e, 0);
    }
}

/* Orders end without a proof, unless a plan is as low as the load or, if any will do, fits. */
static bool goes_on(const asc_run *run, asc_outcome outcome) {
  bool open = outcome == ASC_OUTCOME_EXHAUSTED || outcome == ASC_OUTCOME_OVER_CAPACITY || outcome == ASC_OUTCOME_FEASIBLE;
  return open && outcome_of_plan(run) == ASC_OUTCOME_RUNNING;
}

/* A part of the tables. */
static asc_outcome tabulate(asc_run *run, taa_exact *e) {
  const asci_taa_tables *t = &e->tables;
  if (asci_taa_tables_step(&e->tables)) return ASC_OUTCOME_OUT_OF_MEMORY;
  bool done = !t->making;
  uint32_t under_way = asci_taa_tables_under_way(t);
  e->tabled++;
  asci_step_other(run, ASC_EVENT_TABULATE, under_way, (int64_t)t->range_count, 0);
  ASC_EMIT(run, TABULATE, LINE_TABLES, .buffer = under_way, .pairs = t->pair_count, .ranges = (int64_t)t->range_count);
  return done && begin_search(run, e) ? ASC_OUTCOME_OUT_OF_MEMORY : ASC_OUTCOME_RUNNING;
}

static asc_outcome advance(asc_run *run, void *state) {
  taa_exact *e = state;
  asc_outcome outcome = ASC_OUTCOME_RUNNING;
  if (!asci_minimises(run) && run->problem->lower_bound > run->capacity)
    return asci_more(run) ? asci_refute_load(run, LINE_PROVED) : outcome;
  while (outcome == ASC_OUTCOME_RUNNING && e->part == PART_TABLES && asci_more(run)) outcome = tabulate(run, e);
  if (outcome != ASC_OUTCOME_RUNNING || e->part == PART_TABLES) return outcome;
  if (e->part == PART_ORDERS && !e->ordered) {
    outcome = asci_taa_orders_advance(run, &e->orders);
    if (!goes_on(run, outcome)) return outcome;
    e->ordered = true;
    outcome = ASC_OUTCOME_RUNNING;
  }
  while (outcome == ASC_OUTCOME_RUNNING && asci_more(run)) outcome = step(run, e);
  return outcome;
}

/* ---- looking at it, keeping it --------------------------------------------------------------------------------------- */

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  const taa_exact *e = state;
  bool window = e->part == PART_WINDOWS || e->part == PART_ALL;
  if (e->part == PART_TABLES) {
    view->offsets = e->before;
    view->stack = e->forward;
    return;
  }
  bool orders = e->part == PART_ORDERS;
  view->offsets = orders ? e->orders.offsets : window ? e->branch.offsets : e->swaps.offsets;
  view->stack = orders ? e->orders.order : window ? e->branch.members : e->swaps.order;
}

/* The window that was begun last. */
static asc_status keep_window(asc_run *run, taa_exact *e, asci_saver *saver) {
  uint32_t n = run->problem->count;
  uint64_t most = (uint64_t)ASC_MAX_BYTES + 1;
  ASCI_KEEP(saver, e->closed, 1);
  ASCI_KEEP(saver, e->ending, ENDING_NOTHING);
  ASCI_KEEP(saver, e->opened, ASCI_ANY);
  ASCI_KEEP(saver, e->most, most);
  if (saver->failed) return asci_unkept(saver);
  if (saver->loads) {
    uint64_t count = e->part == PART_ALL ? n : window_size(e->nth);
    if (!e->next || count > n || e->next - 1 > n - count) return ASC_BAD_SAVE;
    asci_taa_branch_begin(&e->branch, e->forward + e->next - 1, (uint32_t)count, e->most);
  }
  return asci_taa_branch_keep(&e->branch, e->most, saver);
}

/* Tables are no part of a save, they follow from the problem. Those under way have come as far as so many steps lead; those that are done need not be
 * made again where `ahead`, which may be NULL, has them. */
static asc_status make_tables(asc_run *run, taa_exact *e, const taa_exact *ahead, uint64_t steps) {
  asc_context *context = run->context;
  asc_status status = ASC_OK;
  bool made = e->part != PART_TABLES, again = !made && (!e->tables.making || e->tabled > steps);
  bool copied = made && e->tables.making && ahead; /* what is ahead has made its own, too */
  if (again || copied) asci_taa_tables_free(context, &e->tables);
  if (copied) {
    e->tabled = ahead->tabled;
    status = asci_taa_tables_copy(context, &ahead->tables, run->problem->count, &e->tables);
  } else if (again) {
    e->tabled = 0;
    for (uint32_t k = 0; k < run->problem->count; k++) e->before[k] = ASC_UNPLACED;
    status = asci_taa_tables_new(run->problem, &e->tiles, &e->tables);
  }
  for (; e->tables.making && e->tabled < steps && !status; e->tabled++) status = asci_taa_tables_step(&e->tables);
  if (status) return status;
  if (e->tabled != steps || made == (e->tables.making != NULL)) return ASC_BAD_SAVE;
  if (!made) return run->stats.depth ? ASC_BAD_SAVE : ASC_OK;
  part saved = e->part;
  status = begin_search(run, e);
  e->part = saved;
  return status;
}

static asc_status keep_from(asc_run *run, taa_exact *e, const taa_exact *ahead, asci_saver *saver) {
  uint32_t n = run->problem->count;
  uint64_t tabled = e->tabled;
  ASCI_KEEP(saver, e->part, PART_SWAPS);
  ASCI_KEEP(saver, tabled, ASCI_ANY);
  if (saver->failed) return asci_unkept(saver);
  asc_status status = saver->loads ? make_tables(run, e, ahead, tabled) : ASC_OK;
  if (status || e->part == PART_TABLES) return status;
  ASCI_KEEP(saver, e->ordered, 1);
  ASCI_KEEP_OR_NONE(saver, e->orders.best, ASCI_TAA_ORDERS - 1);
  if (saver->failed) return asci_unkept(saver);
  if (e->part == PART_ORDERS) return asci_taa_orders_keep(run, &e->orders, saver);
  ASCI_KEEP(saver, e->round, 64);
  ASCI_KEEP(saver, e->nth, 65);
  ASCI_KEEP(saver, e->next, n);
  ASCI_KEEP(saver, e->left, ASCI_ANY);
  if (saver->failed || !n) return saver->failed ? asci_unkept(saver) : ASC_BAD_SAVE;
  status = asci_taa_swaps_keep(&e->swaps, saver);
  if (!status && e->part != PART_SWAPS) status = keep_window(run, e, saver);
  if (status || !saver->loads) return status;
  bool swaps = e->part == PART_SWAPS;
  if (swaps && e->swaps.height < 0) return ASC_BAD_SAVE;
  return run->stats.depth == (swaps ? n : e->branch.count) ? ASC_OK : ASC_BAD_SAVE;
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  return keep_from(run, state, NULL, saver);
}

static asc_status retrace(asc_run *run, void *state, const void *ahead, asci_saver *saver) {
  return keep_from(run, state, ahead, saver);
}

const asci_solver asci_solver_taa_exact = {
    .info = {.id = "taa-exact",
             .title = "Tile-aware exact",
             .paper = "Arenascope",
             .summary =
                 "Finds the lowest plan of tensors that lie over each other's dead tiles, and proves that none is lower.",
             .goals = 1u << ASC_GOAL_HEIGHT,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS |
                         ASC_SUPPORTS_SHAPES,
             .complete = true,
             ASCI_TAKES_INFO(taa_exact_options),
             .pseudocode = pseudocode},
    ASCI_TAKES(taa_exact_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
    .retrace = retrace,
};
