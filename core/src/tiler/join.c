/* Concatenations in place: whoever makes a part writes it where it belongs in the whole, as compilers have it, and nothing is copied.
 *
 *     a ---+                 a and b are no tensors of the tiling, but boxes of c:
 *          c = a + b         their makers write there, and whoever reads a reads that box
 *     b ---+
 *
 * All parts are, or none: a part that is a model's input, a constant or an output, that has another name (an alias), that is in another whole already,
 * twice in this one, or that does not begin with a block of channels has to be copied, and then the operator copies all. */
#include "tiler/tiler.h"

#include <string.h>

static bool is_named(const asc_op_spec *op) {
  static const char name[] = "concat";
  size_t k = 0;
  while (name[k] && (op->type[k] | 0x20) == name[k]) k++;
  return !name[k];
}

/* The one dimension in which the operator joins its inputs, and whether it does nothing else. */
static bool find_joint(const asc_op_spec *op, uint32_t *joint) {
  const char *at = op->windows;
  *joint = ASC_NONE;
  for (uint32_t k = 0; *op->windows && k < op->input_count; k++) {
    asci_window window;
    asci_window_next(&at, &window);
    for (uint32_t d = 0; d < window.rank; d++) {
      const asci_window_axis *axis = &window.axes[d];
      bool same = axis->kind == ASCI_WINDOW_SLIDE && axis->kernel == 1 && axis->stride == 1 && axis->begin == 0;
      bool joins = axis->kind == ASCI_WINDOW_JOIN && (*joint == ASC_NONE || *joint == d);
      if (axis->dimension != d || (!same && !joins)) return false;
      if (joins) *joint = d;
    }
  }
  return *joint != ASC_NONE;
}

/* Whether a part that begins there in the whole can lie in it. Pictures with channels in one place have all dimensions alike. */
static bool can_lie(const asci_tiler *t, uint32_t part, uint32_t whole, uint32_t joint, int64_t begin) {
  const asci_form *p = &t->forms[part], *w = &t->forms[whole];
  const asc_tensor_spec *spec = &t->graph->tensors[part];
  bool own = p->store == part && !p->inside && !p->aliased && !spec->kind; /* an activation: an operator makes it */
  if (!own || !p->known || p->rank != w->rank || p->element != w->element || p->channels != w->channels) return false;
  for (uint32_t d = 0; d < p->rank; d++)
    if (d != joint && p->sizes[d] != w->sizes[d]) return false;
  return (joint != w->channels || begin % w->granule == 0) && spec->alignment == 1;
}

static bool can_join(const asci_tiler *t, uint32_t op, uint32_t *joint) {
  const asc_op_spec *spec = &t->graph->ops[op];
  if (!is_named(spec) || spec->output_count != 1 || !find_joint(spec, joint)) return false;
  uint32_t whole = spec->outputs[0];
  const asci_form *form = &t->forms[whole];
  if (form->store != whole || !form->known || *joint >= form->rank) return false;
  int64_t begin = 0;
  for (uint32_t k = 0; k < spec->input_count; k++) {
    for (uint32_t i = 0; i < k; i++)
      if (spec->inputs[i] == spec->inputs[k]) return false;
    if (!can_lie(t, spec->inputs[k], whole, *joint, begin)) return false;
    begin += t->forms[spec->inputs[k]].sizes[*joint];
  }
  return begin == form->sizes[*joint];
}

static void mark_aliases(asci_tiler *t) {
  for (uint32_t op = 0; op < t->graph->op_count; op++)
    for (uint32_t k = 0; k < t->graph->ops[op].alias_count; k++) {
      const asc_tensor_pair *pair = &t->graph->ops[op].alias[k];
      t->forms[pair->output].aliased = t->forms[pair->input].aliased = true;
    }
}

void asci_join(asci_tiler *t) {
  const asc_graph *g = t->graph;
  uint32_t joint;
  mark_aliases(t);
  for (uint32_t op = 0; op < g->op_count; op++) {
    asci_cut *cut = &t->cuts[op];
    cut->in_place = can_join(t, op, &joint);
    for (uint32_t k = 0; cut->in_place && k < g->ops[op].input_count; k++) t->forms[g->ops[op].inputs[k]].inside = true;
  }
  /* a whole may be part of another one, which is made later */
  for (uint32_t op = g->op_count; op-- > 0;) {
    if (!t->cuts[op].in_place) continue;
    const asci_form *whole = &t->forms[g->ops[op].outputs[0]];
    int64_t begin = 0;
    find_joint(&g->ops[op], &joint);
    for (uint32_t k = 0; k < g->ops[op].input_count; k++) {
      asci_form *part = &t->forms[g->ops[op].inputs[k]];
      part->store = whole->store;
      memcpy(part->shift, whole->shift, sizeof part->shift);
      part->shift[joint] += begin;
      begin += part->sizes[joint];
    }
  }
}

/* ---- who makes what ---------------------------------------------------------------------------------------------------- */

bool asci_is_made(const asci_tiler *t, uint32_t tensor) {
  return t->forms[tensor].store == tensor || t->forms[tensor].inside;
}

static bool is_member(const asci_tiler *t, uint32_t tensor) {
  uint32_t maker = t->graph->producer[tensor];
  return t->forms[tensor].store != ASC_NONE && asci_is_made(t, tensor) && maker != ASC_NONE && !t->cuts[maker].in_place;
}

asc_status asci_members(asci_tiler *t) {
  uint32_t n = t->graph->tensor_count;
  t->member_begin = asci_calloc(t->context, (size_t)n + 2, sizeof *t->member_begin);
  t->members = asci_alloc(t->context, n, sizeof *t->members);
  if (!t->member_begin || !t->members) return ASC_OUT_OF_MEMORY;
  for (uint32_t k = 0; k < n; k++)
    if (is_member(t, k)) t->member_begin[t->forms[k].store + 2]++;
  for (uint32_t k = 0; k < n; k++) t->member_begin[k + 2] += t->member_begin[k + 1];
  for (uint32_t k = 0; k < n; k++)
    if (is_member(t, k)) t->members[t->member_begin[t->forms[k].store + 1]++] = k;
  return ASC_OK;
}

bool asci_part_in(const asci_form *member, const asci_range ranges[ASC_MAX_RANK], asci_range own[ASC_MAX_RANK]) {
  for (uint32_t d = 0; d < member->rank; d++) {
    int64_t low = ranges[d].low - member->shift[d], high = ranges[d].high - member->shift[d];
    own[d] = (asci_range){low > 0 ? low : 0, high < member->sizes[d] ? high : member->sizes[d]};
    if (own[d].low >= own[d].high) return false;
  }
  return true;
}

asc_box asci_box_in(const asci_tiler *t, uint32_t tensor, const asci_range ranges[ASC_MAX_RANK]) {
  const asci_form *form = &t->forms[tensor];
  asci_range moved[ASC_MAX_RANK];
  for (uint32_t d = 0; d < form->rank; d++)
    moved[d] = (asci_range){ranges[d].low + form->shift[d], ranges[d].high + form->shift[d]};
  return asci_form_box(&t->forms[form->store], moved);
}
