/* taa: tensors one by one, each at the lowest address at which none of its tiles meets a tile of another one.
 *
 * Rule: from address 0 on, the tiles of the tensor are held against those of the tensors placed before that live at the same time; the first
 * pair of chunks that collides moves the tensor up until the two are past each other, rounded up to what suits its alignment and bank, and all
 * is looked at again. An address that is passed over lies where that pair collides, so the one that is left is the lowest there is.
 * Tiles come in order of time, the placed tensors in the order in which they were placed.
 *
 * Order: one of asci_taa_order, or all of them one after the other, of which the best plan is kept.
 * As printed: Algorithm 1 gives CollisionSize the tile to place as t1, and so gets the way to move the *other* one, which is wider than need be where
 * chunks differ in size or are displaced; line 16 of Algorithm 2 takes chunks that touch for a collision. Plans are valid, but higher.
 *
 * Complexity: per tensor O(its tiles times those alive with it), and that for each shift again.
 * Source: Kvochko et al., "Off-Chip Memory Allocation for Neural Processing Units" (IEEE Access 2024), algorithms 1 and 2. */
#include "solve/taa/orders.h"

ASCI_OPTION_VALUES(taa_options, ASCI_TAA_ORDER_OPTIONS);
ASCI_OPTION_TABLE(taa_options, ASCI_TAA_ORDER_OPTIONS);

typedef struct taa {
  asci_taa_tiles tiles;
  asci_taa_orders orders;
} taa;

static void destroy(asc_run *run, void *state) {
  taa *t = state;
  asci_taa_orders_free(run, &t->orders);
  asci_taa_tiles_free(run->context, &t->tiles);
  asci_free(run->context, t);
}

static asc_status fill(asc_run *run, void *state) {
  taa *t = state;
  const taa_options *o = run->options;
  asc_status status = asci_taa_tiles_new(run->problem, &t->tiles);
  return status ? status : asci_taa_orders_new(run, o->order, o->as_printed, &t->tiles, NULL, &t->orders);
}

static asc_status create(asc_run *run, void **state, asc_diag *diag) {
  (void)diag;
  return asci_state_new(run, sizeof(taa), fill, destroy, state);
}

static asc_outcome advance(asc_run *run, void *state) {
  return asci_taa_orders_advance(run, &((taa *)state)->orders);
}

static void view(asc_run *run, void *state, asc_run_view *view) {
  (void)run;
  const taa *t = state;
  view->offsets = t->orders.offsets;
  view->stack = t->orders.order;
}

static asc_status keep(asc_run *run, void *state, asci_saver *saver) {
  return asci_taa_orders_keep(run, &((taa *)state)->orders, saver);
}

const asci_solver asci_solver_taa = {
    .info = {.id = "taa",
             .title = "Tile-aware",
             .paper = "Kvochko et al. 2024",
             .summary =
                 "Lays tensors over each other's dead tiles: each goes to the lowest address at which none of its tiles "
                 "meets another one's.",
             .goals = 1u << ASC_GOAL_HEIGHT,
             .supports = ASC_SUPPORTS_ALIGNMENT | ASC_SUPPORTS_GAPS | ASC_SUPPORTS_WINDOWS | ASC_SUPPORTS_BANKS |
                         ASC_SUPPORTS_SHAPES,
             .complete = false,
             ASCI_TAKES_INFO(taa_options),
             .pseudocode = ASCI_TAA_ORDER_LINES},
    ASCI_TAKES(taa_options),
    .create = create,
    .destroy = destroy,
    .advance = advance,
    .view = view,
    .keep = keep,
};
