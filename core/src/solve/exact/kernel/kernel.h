/* The kernel in one width: making it, looking at it, its table. Included by narrow.c and wide.c, which say what a
   value is and how the table is called. */
#include "state.h"

#include "domain.h"
#include "rise.h"

#include "sums.h"

#include "piles.h"

#include "floors.h"

#include "prove.h"

#include "conflict.h"

#include "look.h"

#include "choose.h"

#include "box.h"

#include "glue.h"

#include "descend.h"

#include "events.h"

#include "step.h"

#include "attempt.h"

#include "save.h"

/* ---- making ---------------------------------------------------------------------------------------------------------- */

enum { PER_ITEM, PER_BUFFER, PER_SECTION, PER_WORD, PER_PILE };

static const asci_array arrays[] = {
    ASCI_ARRAY(search, least, PER_ITEM, ASCI_ZEROS),
    ASCI_ARRAY(search, size, PER_ITEM, ASCI_ZEROS),
    ASCI_ARRAY(search, first_least, PER_ITEM, ASCI_ZEROS),
    ASCI_ARRAY(search, key, PER_ITEM, ASCI_ZEROS),
    ASCI_ARRAY(search, pile, PER_ITEM, ASCI_ZEROS),
    ASCI_ARRAY(search, pile_ends, PER_PILE, ASCI_RAW),
    ASCI_ARRAY(search, pile_begins, PER_PILE, ASCI_RAW),
    ASCI_ARRAY(search, unplaced, PER_WORD, ASCI_ZEROS),
    ASCI_ARRAY(search, conflict, PER_WORD, ASCI_ZEROS),
    ASCI_ARRAY(search, offset, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(search, placed, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(search, plan, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(search, view_least, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(search, tried, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(search, candidates, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(search, conflict_buffers, PER_BUFFER, ASCI_ZEROS),
    ASCI_ARRAY(search, floor, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, rest, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, low_top, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, high, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, count, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, cross, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, weight, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, witness, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, glances, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, arrived, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, score, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, first_floor, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, first_rest, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, first_low_top, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, first_high, PER_SECTION, ASCI_ZEROS),
    ASCI_ARRAY(search, first_count, PER_SECTION, ASCI_ZEROS),
    ASCI_OWN(search, trail),
    ASCI_OWN(search, nodes),
    ASCI_OWN(search, sets),
    ASCI_OWN(search, parts),
    ASCI_OWN(search, list),
    ASCI_OWN(search, fates),
    ASCI_OWN(search, proof.cases.bytes),
    ASCI_OWN(search, proof.marks),
    ASCI_OWN(search, proof.whys),
    ASCI_OWN(search, proof.rises),
    ASCI_OWN(search, proof.steps.bytes),
};

/* One more of each buffer's, so that there is always one. */
static bool take_arrays(search *s) {
  size_t subsets = s->m->mixed ? (size_t)1 << PILE_MEMBERS : 0;
  const size_t counts[] = {s->m->count, (size_t)s->m->problem->count + 1, s->m->sections, s->m->words, subsets};
  return asci_arrays_new(s->run->context, ASCI_TABLE(arrays), counts, s);
}

/* Room for its entries in three blocks; each entry is written before it is read. */
static bool take_ring(search *s, ring *r, uint32_t size, uint32_t room) {
  ex_model *m = s->m;
  *r = (ring){.size = size, .room = room, .entries = asci_ex_take_raw(m, size, sizeof *r->entries)};
  r->watches = asci_ex_take_raw(m, size, sizeof *r->watches);
  uint32_t *items = asci_ex_take_raw(m, (size_t)size * room, sizeof *items);
  value *least = asci_ex_take_raw(m, (size_t)size * room, sizeof *least);
  uint64_t *bits = asci_ex_take_raw(m, (size_t)size * m->words, sizeof *bits);
  if (!r->entries || !r->watches || !items || !least || !bits) return false;
  for (uint32_t k = 0; k < size; k++)
    r->entries[k] =
        (nogood){.items = items + (size_t)k * room, .least = least + (size_t)k * room, .bits = bits + (size_t)k * m->words};
  return true;
}

static bool take_rings(search *s) {
  const ex_options *options = &s->m->options;
  uint32_t n = s->m->count, small = n < SMALL_NOGOOD ? n : SMALL_NOGOOD;
  bool any = !s->m->windows;
  for (unsigned k = 0; k < 2; k++, any = any && s->m->glues)
    if (!take_ring(s, &s->recent[k], any && options->nogoods ? RECENT_NOGOODS : 0, n) ||
        !take_ring(s, &s->small[k], any && options->small_nogoods ? SMALL_NOGOODS : 0, small))
      return false;
  return true;
}

/* No plan is lower than a section's floor and load, nor than its pile, nor than where a buffer ends that lies as low as it may. With
   fixed offsets, windows or nothing but gaps that can be more than the problem's bound. */
static void raise_lower(search *s) {
  const ex_model *m = s->m;
  for (uint32_t i = 0; i < m->count; i++)
    asci_raise_bound(s->run, bytes_of(s, s->first_least[i] + s->size[i] - (m->limits ? m->tail[i] : 0)));
  asci_raise_bound(s->run, m->pile);
  for (uint32_t t = 0; t < m->sections; t++) {
    int64_t tail = 0; /* of who is on top */
    for (uint32_t e = m->list_begin[t]; m->limits && e < m->list_begin[t + 1]; e++)
      if (m->tail[m->list[e]] > tail) tail = m->tail[m->list[e]];
    asci_raise_bound(s->run, bytes_of(s, (int64_t)s->first_floor[t] + m->rest[t] - tail));
  }
  for (uint32_t k = 0; k < m->weightless_count; k++) {
    const asc_buffer_spec *spec = &m->problem->buffers[m->weightless[k]];
    asci_raise_bound(s->run, spec->size + (spec->offset == ASC_UNPLACED ? 0 : spec->offset));
  }
}

static void kernel_destroy(ex_model *m, void *state) {
  asci_ex_sweep_free(&((search *)state)->sweep);
  asci_arrays_free(m->run->context, ASCI_TABLE(arrays), state);
  asci_free(m->run->context, state);
}

static asc_status kernel_create(ex_model *m, void **state) {
  search *s = asci_calloc(m->run->context, 1, sizeof *s);
  if (!s) return ASC_OUT_OF_MEMORY;
  s->m = s->whole = m;
  s->run = m->run;
  s->rng.state = m->run->seed;
  s->unlimited = !m->options.restarts;
  *state = s;
  if (!take_arrays(s) || !take_rings(s) || asci_ex_sweep_new(m, &s->sweep)) return ASC_OUT_OF_MEMORY;
  s->upper = -1;
  s->given_capacity = (value)(m->most / m->unit);
  s->nogood_capacity = s->given_capacity;
  ask(s, s->given_capacity);
  s->limit = first_limit(s);
  for (uint32_t b = 0; b < m->problem->count; b++) s->offset[b] = ASC_UNPLACED;
  use_model(s, m);
  if (m->minimize) raise_lower(s);
  /* rounded down: where the bound is the end of a buffer that occupies nothing, the others may all end below it */
  s->lower = clamp(m->run->stats.lower_bound / m->unit);
  s->bracket = s->lower - 1;
  s->sweep_due = true;
  s->swept = -1;
  reset(s);
  return ASC_OK;
}

/* ---- looking --------------------------------------------------------------------------------------------------------- */

/* The least offset of a buffer that is not shown: of a box that is placed, where it is about to be. */
static int64_t waiting_at(const search *s, uint32_t b) {
  uint32_t i = s->m->item[b];
  int64_t up = s->m->boxes ? bytes_of(s, s->m->boxes->shift[b]) : 0;
  return is_unplaced(s, i) ? bytes_of(s, s->least[i]) + up : s->offset[s->m->buffer[i]] + up;
}

static void kernel_view(asc_run *run, void *state, asc_run_view *view) {
  search *s = state;
  const ex_model *m = s->m;
  (void)run;
  for (uint32_t level = 0; level < s->depth; level++) s->tried[level] = s->candidates[level] = 1;
  for (size_t k = 1; k < s->node_count; k++) {
    const node *f = &s->nodes[k];
    if (!f->open || f->child == WASTE) continue;
    s->tried[f->level] = f->child + 1;
    s->candidates[f->level] = f->count;
  }
  for (uint32_t b = 0; b < m->problem->count; b++) {
    uint32_t i = m->item[b];
    bool waits = i != EX_NONE && s->offset[b] == ASC_UNPLACED;
    s->view_least[b] = waits ? waiting_at(s, b) : s->offset[b] == ASC_UNPLACED ? 0 : s->offset[b];
  }
  const node *top = s->started ? top_node(s) : NULL;
  if (top && !top->open) {
    for (uint32_t k = 0; k < top->count; k++) view->open_tried += s->fates[top->list + k] != UNTRIED;
    view->open_candidates = top->count;
  }
  view->offsets = s->offset;
  view->min_offsets = s->view_least;
  view->stack = s->placed;
  view->tried = s->tried;
  view->candidates = s->candidates;
}

const ex_kernel KERNEL = {
    .create = kernel_create,
    .destroy = kernel_destroy,
    .adopt = kernel_adopt,
    .advance = kernel_advance,
    .view = kernel_view,
    .keep = kernel_keep,
};
