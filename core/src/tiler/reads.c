/* What a tile of an operator's output needs of its inputs. */
#include "tiler/tiler.h"

asci_reads asci_reads_begin(const asci_tiler *t, uint32_t op, const asci_range *tile) {
  return (asci_reads){.t = t, .op = &t->graph->ops[op], .tile = tile, .at = tile ? t->graph->ops[op].windows : ""};
}

static bool same_shape(const asci_form *a, const asci_form *b) {
  bool same = a->rank == b->rank;
  for (uint32_t k = 0; k < a->rank && same; k++) same = a->sizes[k] == b->sizes[k];
  return same;
}

static int64_t element_count(const asci_form *form) {
  int64_t count = 1; /* at most the tensor's bytes */
  for (uint32_t k = 0; k < form->rank; k++) count *= form->sizes[k];
  return count;
}

static void all_of(const asci_form *form, asci_range ranges[ASC_MAX_RANK]) {
  for (uint32_t k = 0; k < form->rank; k++) ranges[k] = (asci_range){0, form->sizes[k]};
}

/* A part of an alias as a part of the store, which has the same elements in another shape: the least box around what lies between its first and its
   last element. */
static void cover(const asci_form *alias, const asci_form *store, asci_range ranges[ASC_MAX_RANK]) {
  int64_t first = 0, last = 0;
  for (uint32_t k = 0; k < alias->rank; k++) {
    first = first * alias->sizes[k] + ranges[k].low;
    last = last * alias->sizes[k] + ranges[k].high - 1;
  }
  all_of(store, ranges);
  if (!alias->known || !store->known || element_count(alias) != element_count(store)) return;
  int64_t stride = element_count(store);
  for (uint32_t k = 0; k < store->rank; k++) {
    stride /= store->sizes[k];
    ranges[k] = (asci_range){first / stride % store->sizes[k], last / stride % store->sizes[k] + 1};
    if (first / stride != last / stride) return; /* of the dimensions behind this one all is between them */
  }
}

/* False: nothing is needed. */
static bool find_ranges(asci_reads *r, const asci_form *form, const asci_window *window, asci_range ranges[ASC_MAX_RANK]) {
  bool any = true;
  all_of(form, ranges);
  for (uint32_t k = 0; k < window->rank && k < form->rank; k++) {
    const asci_window_axis *axis = &window->axes[k];
    bool all = axis->kind == ASCI_WINDOW_ALL;
    if (!all) ranges[k] = asci_window_range(axis, r->tile[axis->dimension], form->sizes[k], r->joined);
    any &= ranges[k].low < ranges[k].high;
  }
  for (uint32_t k = 0; k < window->rank && k < form->rank; k++)
    if (window->axes[k].kind == ASCI_WINDOW_JOIN) r->joined += form->sizes[k];
  return any;
}

bool asci_reads_next(asci_reads *r, uint32_t *store, asci_range ranges[ASC_MAX_RANK]) {
  while (r->next < r->op->input_count) {
    const asci_form *form = &r->t->forms[r->op->inputs[r->next++]];
    asci_window window;
    asci_window_next(&r->at, &window);
    bool any = find_ranges(r, form, &window, ranges);
    *store = form->store;
    if (!any || form->store == ASC_NONE) continue;
    const asci_form *own = &r->t->forms[form->store];
    for (uint32_t k = 0; form->inside && k < form->rank; k++)
      ranges[k] = (asci_range){ranges[k].low + form->shift[k], ranges[k].high + form->shift[k]};
    if (own != form && !form->inside && !same_shape(own, form)) cover(form, own, ranges);
    return true;
  }
  return false;
}
