/* The kernel in one width: making it, looking at it, its table. Included by narrow.c and wide.c, which say what a
   value is and how the table is called. */
#include "state.h"

#include "domain.h"
#include "floors.h"

#include "conflict.h"

#include "look.h"

#include "choose.h"

#include "descend.h"

#include "events.h"

#include "step.h"

#include "attempt.h"

#include "save.h"

/* ---- making ---------------------------------------------------------------------------------------------------------- */

typedef enum per { PER_ITEM, PER_BUFFER, PER_SECTION, PER_WORD } per;

static const struct {
  size_t at; /* of the pointer in a search */
  uint8_t per, size;
} arrays[] = {
#define ARRAY(per, name) \
  { offsetof(search, name), per, sizeof *((search *)NULL)->name }
    ARRAY(PER_ITEM, least),
    ARRAY(PER_ITEM, size),
    ARRAY(PER_ITEM, first_least),
    ARRAY(PER_ITEM, key),
    ARRAY(PER_WORD, unplaced),
    ARRAY(PER_WORD, conflict),
    ARRAY(PER_BUFFER, offset),
    ARRAY(PER_BUFFER, placed),
    ARRAY(PER_BUFFER, plan),
    ARRAY(PER_BUFFER, view_least),
    ARRAY(PER_BUFFER, tried),
    ARRAY(PER_BUFFER, candidates),
    ARRAY(PER_BUFFER, conflict_buffers),
    ARRAY(PER_SECTION, floor),
    ARRAY(PER_SECTION, rest),
    ARRAY(PER_SECTION, low_top),
    ARRAY(PER_SECTION, high),
    ARRAY(PER_SECTION, count),
    ARRAY(PER_SECTION, cross),
    ARRAY(PER_SECTION, weight),
    ARRAY(PER_SECTION, witness),
    ARRAY(PER_SECTION, glances),
    ARRAY(PER_SECTION, arrived),
    ARRAY(PER_SECTION, score),
    ARRAY(PER_SECTION, first_floor),
    ARRAY(PER_SECTION, first_rest),
    ARRAY(PER_SECTION, first_low_top),
    ARRAY(PER_SECTION, first_high),
    ARRAY(PER_SECTION, first_count),
#undef ARRAY
};

static bool take_arrays(search *s) {
  const size_t counts[] = {s->m->count, (size_t)s->m->problem->count + 1, s->m->sections, s->m->words};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    void *block = asci_ex_take(s->m, counts[arrays[k].per], arrays[k].size);
    if (!block) return false;
    memcpy((char *)s + arrays[k].at, &block, sizeof block);
  }
  return true;
}

static bool take_ring(search *s, ring *r, uint32_t size, uint32_t room) {
  *r = (ring){.size = size, .room = room, .entries = asci_ex_take(s->m, size, sizeof *r->entries)};
  r->watches = asci_ex_take(s->m, size, sizeof *r->watches);
  for (uint32_t k = 0; r->entries && k < size; k++) {
    nogood *g = &r->entries[k];
    g->items = asci_ex_take(s->m, room, sizeof *g->items);
    g->least = asci_ex_take(s->m, room, sizeof *g->least);
    g->bits = asci_ex_take(s->m, s->m->words, sizeof *g->bits);
    if (!g->items || !g->least || !g->bits) return false;
  }
  return r->entries && r->watches;
}

static bool take_rings(search *s) {
  const ex_options *options = &s->m->options;
  uint32_t n = s->m->count, small = n < SMALL_NOGOOD ? n : SMALL_NOGOOD;
  bool any = !s->m->windows;
  return take_ring(s, &s->recent, any && options->nogoods ? RECENT_NOGOODS : 0, n) &&
         take_ring(s, &s->small, any && options->small_nogoods ? SMALL_NOGOODS : 0, small);
}

/* What no memory of this width holds is more than the capacity anyway. */
static value clamp(int64_t units) {
  int64_t most = (int64_t)(BIG / 4);
  return (value)(units < most ? units : most);
}

static void fill_first(search *s) {
  const ex_model *m = s->m;
  for (uint32_t i = 0; i < m->count; i++) s->size[i] = clamp(m->size[i]);
  for (uint32_t b = 0; b < m->problem->count; b++) s->offset[b] = ASC_UNPLACED;
  for (uint32_t i = 0; i < m->count; i++) s->first_least[i] = snap(s, i, 0);
  for (uint32_t t = 0; t < m->sections; t++) {
    s->weight[t] = 1;
    s->first_rest[t] = clamp(m->rest[t]);
    s->first_floor[t] = s->first_low_top[t] = BIG;
    for (uint32_t e = m->list_begin[t]; e < m->list_begin[t + 1]; e++) {
      uint32_t i = m->list[e];
      value low = s->first_least[i] + low_of(s, e), top = s->first_least[i] + s->size[i];
      if (low < s->first_floor[t]) {
        s->first_floor[t] = low;
        s->first_count[t] = 0;
        s->witness[t] = i;
      }
      s->first_count[t] += low == s->first_floor[t];
      if (top < s->first_low_top[t]) s->first_low_top[t] = top;
      if (low > s->first_high[t]) s->first_high[t] = low;
    }
  }
}

/* No plan is lower than a section's floor and load, nor than where a buffer ends that lies as low as it may. With fixed offsets, windows or
   nothing but gaps that can be more than the problem's bound. */
static void raise_lower(search *s) {
  const ex_model *m = s->m;
  for (uint32_t i = 0; i < m->count; i++) asci_raise_bound(s->run, bytes_of(s, s->first_least[i] + s->size[i]));
  for (uint32_t t = 0; t < m->sections; t++) asci_raise_bound(s->run, bytes_of(s, (int64_t)s->first_floor[t] + m->rest[t]));
  for (uint32_t k = 0; k < m->weightless_count; k++) {
    const asc_buffer_spec *spec = &m->problem->buffers[m->weightless[k]];
    asci_raise_bound(s->run, spec->size + (spec->offset == ASC_UNPLACED ? 0 : spec->offset));
  }
}

static void kernel_destroy(ex_model *m, void *state) {
  search *s = state;
  asc_context *context = m->run->context;
  asci_free(context, s->trail);
  asci_free(context, s->nodes);
  asci_free(context, s->sets);
  asci_free(context, s->parts);
  asci_free(context, s->list);
  asci_free(context, s->fates);
  asci_free(context, s);
}

static asc_status kernel_create(ex_model *m, void **state) {
  search *s = asci_calloc(m->run->context, 1, sizeof *s);
  if (!s) return ASC_OUT_OF_MEMORY;
  s->m = m;
  s->run = m->run;
  s->rng.state = m->run->seed;
  s->unlimited = !m->options.restarts;
  *state = s;
  if (!take_arrays(s) || !take_rings(s)) return ASC_OUT_OF_MEMORY;
  s->upper = -1;
  s->given_capacity = (value)(m->most / m->unit);
  s->capacity = s->nogood_capacity = s->given_capacity;
  s->limit = first_limit(s);
  fill_first(s);
  if (m->minimize) raise_lower(s);
  s->lower = (value)((m->run->stats.lower_bound + m->unit - 1) / m->unit);
  s->bracket = s->lower - 1;
  reset(s);
  return ASC_OK;
}

/* ---- looking --------------------------------------------------------------------------------------------------------- */

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
    s->view_least[b] = waits ? bytes_of(s, s->least[i]) : s->offset[b] == ASC_UNPLACED ? 0 : s->offset[b];
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
    .save = kernel_save,
    .load = kernel_load,
};
